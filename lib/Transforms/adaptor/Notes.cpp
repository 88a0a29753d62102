//===- Notes.cpp - Notes on instructions of copies ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "adaptor/Notes.h"
#include "llvm/IR/Instruction.h"
#include "llvm/IR/Metadata.h"

using namespace llvm;

namespace polygpu {

void setNote(Instruction &I, StringRef Name) {
  LLVMContext &Ctx = I.getContext();
  I.setMetadata(LLVMContext::MD_annotation,
                MDNode::get(Ctx, MDString::get(Ctx, Name)));
}

bool hasNote(const Instruction &I, StringRef Name) {
  const MDNode *Node = I.getMetadata(LLVMContext::MD_annotation);
  const auto *Text = Node && Node->getNumOperands() == 1
                         ? dyn_cast<MDString>(Node->getOperand(0))
                         : nullptr;
  return Text && Text->getString() == Name;
}

void dropNote(Instruction &I) {
  I.setMetadata(LLVMContext::MD_annotation, nullptr);
}

} // namespace polygpu
