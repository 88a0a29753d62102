//===- HostCode.h - Functions of a device module in the host's ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_HOSTCODE_H
#define POLYGPU_HOSTCODE_H

#include "llvm/Transforms/Utils/ValueMapper.h"

namespace llvm {
class Module;
}

namespace polygpu {

/// Host code has one address space.
struct FlattenPointers : llvm::ValueMapTypeRemapper {
  llvm::Type *remapType(llvm::Type *Ty) override;
};

/// Declare in \p Host what \p Device declares, and \p Map it.
void mapDeclarations(const llvm::Module &Device, llvm::Module &Host,
                     llvm::ValueToValueMapTy &Map);

} // namespace polygpu

#endif
