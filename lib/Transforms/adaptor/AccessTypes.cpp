//===- AccessTypes.cpp - Types are no proof that accesses differ ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "adaptor/AccessTypes.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/LLVMContext.h"

using namespace llvm;

namespace polygpu {

AccessTypes::AccessTypes(Function &F) {
  for (Instruction &I : instructions(F))
    for (unsigned Kind : {LLVMContext::MD_tbaa, LLVMContext::MD_tbaa_struct})
      if (MDNode *Node = I.getMetadata(Kind)) {
        Tags.push_back({WeakVH(&I), Kind, Node});
        I.setMetadata(Kind, nullptr);
      }
}

void AccessTypes::restore() {
  for (const Tag &T : Tags)
    if (Value *V = T.At)
      cast<Instruction>(V)->setMetadata(T.Kind, T.Node);
  Tags.clear();
}

} // namespace polygpu
