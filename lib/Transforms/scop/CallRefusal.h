//===- CallRefusal.h - Why a call keeps loops on the host -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_CALLREFUSAL_H
#define POLYGPU_CALLREFUSAL_H

#include "Remarks.h"

namespace llvm {
class CallBase;
}

namespace polygpu {

/// What \p Call does that kernels cannot do, and what would help.
Refusal refuseCall(const llvm::CallBase &Call);

/// The refusal of loops that use errno.
Refusal refuseErrno();

} // namespace polygpu

#endif
