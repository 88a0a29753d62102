//===- HostCode.h - Functions of a device module in the host's ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_HOSTCODE_H
#define POLYGPU_HOSTCODE_H

#include "llvm/ADT/BitVector.h"
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
/// If some are \p Lent the function has one more parameter, a pointer, and for
/// these there are pointers to how many bytes from there they are.
llvm::Function *unpackArguments(llvm::Function &F, unsigned Kept,
                                const llvm::Twine &Name,
                                const llvm::BitVector *Lent = nullptr);

} // namespace polygpu

#endif
