//===- FileImages.h - Images of the SCoPs of a file ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_FILEIMAGES_H
#define POLYGPU_FILEIMAGES_H

#include "verify/VerifyExecute.h"

namespace polygpu {

/// Give all descriptors of \p Functions their images, of which those of several
/// SCoPs are one where -gpu-module says so.
void embedImages(llvm::Module &M, std::vector<OffloadedFunction> &Functions,
                 const Options &O, Remarks &R);

} // namespace polygpu

#endif
