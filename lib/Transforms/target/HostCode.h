//===- HostCode.h - Functions of a device module in the host's ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_HOSTCODE_H
#define POLYGPU_HOSTCODE_H

#include "llvm/Transforms/Utils/ValueMapper.h"

namespace llvm {
class Function;
class Module;
class Twine;
} // namespace llvm

namespace polygpu {

/// Host code has one address space.
struct FlattenPointers : llvm::ValueMapTypeRemapper {
  llvm::Type *remapType(llvm::Type *Ty) override;
};

/// Declare in \p Host what \p Device declares, and \p Map it.
void mapDeclarations(const llvm::Module &Device, llvm::Module &Host,
                     llvm::ValueToValueMapTy &Map);

/// A function \p Name of a pointer and the last \p Kept parameters of \p F that
/// calls \p F; for the others there are pointers to them where the first leads.
llvm::Function *unpackArguments(llvm::Function &F, unsigned Kept,
                                const llvm::Twine &Name);

} // namespace polygpu

#endif
