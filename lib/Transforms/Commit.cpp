//===- Commit.cpp - A function and its offloaded copy ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A function with offloaded loops keeps its own body, behind a branch:
//
//   if (polygpu_active())
//     return f.polygpu(...);   // the copy
//   the body as it was
//
// so that what runs without a device is what would run without us.
//
//===----------------------------------------------------------------------===//

#include "Host.h"
#include "Prepare.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace polygpu {

bool needsOwnFrame(const Function &F) {
  if (F.isVarArg())
    return true;
  for (const Argument &A : F.args())
    if (A.hasAttribute(Attribute::InAlloca) ||
        A.hasAttribute(Attribute::Preallocated))
      return true;
  return any_of(instructions(F), [](const Instruction &I) {
    const auto *II = dyn_cast<IntrinsicInst>(&I);
    if (!II)
      return false;
    switch (II->getIntrinsicID()) {
    case Intrinsic::returnaddress:
    case Intrinsic::addressofreturnaddress:
    case Intrinsic::frameaddress:
    case Intrinsic::sponentry:
    case Intrinsic::eh_dwarf_cfa:
      return true;
    default:
      return false;
    }
  });
}

/// What holds for the loops alone, but not for calls of the runtime.
static void weakenAttributes(Function &F) {
  F.addFnAttr("polygpu");
  for (Attribute::AttrKind Kind :
       {Attribute::Memory, Attribute::NoSync, Attribute::NoFree,
        Attribute::NoCallback, Attribute::NoRecurse, Attribute::WillReturn})
    F.removeFnAttr(Kind);
  for (Argument &A : F.args())
    for (Attribute::AttrKind Kind : {Attribute::ReadOnly, Attribute::ReadNone,
                                     Attribute::WriteOnly, Attribute::Captures})
      A.removeAttr(Kind);
}

/// The copy is a function of its own, which nobody knows but the original.
static void separate(Function &Copy) {
  Copy.setUnnamedAddr(GlobalValue::UnnamedAddr::Global);
  Copy.setPrefixData(nullptr);
  Copy.setPrologueData(nullptr);
  SmallVector<std::pair<unsigned, MDNode *>, 4> Attached;
  Copy.getAllMetadata(Attached);
  for (auto &[Kind, Node] : Attached)
    if (Kind != LLVMContext::MD_dbg)
      Copy.setMetadata(Kind, nullptr);
  for (Attribute::AttrKind Kind :
       {Attribute::AlwaysInline, Attribute::InlineHint, Attribute::JumpTable})
    Copy.removeFnAttr(Kind);
  Copy.addFnAttr(Attribute::NoInline);
}

/// return Copy(all arguments of F), at the end of \p BB.
static void forward(Function &F, Function &Copy, BasicBlock *BB, bool MustTail,
                    const DebugLoc &Loc) {
  LLVMContext &Ctx = F.getContext();
  IRBuilder<> B(BB);
  B.SetCurrentDebugLocation(Loc);
  SmallVector<Value *, 8> Args;
  SmallVector<AttributeSet, 8> ArgAttrs;
  AttributeList Attrs = F.getAttributes();
  for (Argument &A : F.args()) {
    Args.push_back(&A);
    ArgAttrs.push_back(Attrs.getParamAttrs(A.getArgNo()));
  }
  CallInst *Call = B.CreateCall(&Copy, Args);
  Call->setCallingConv(F.getCallingConv());
  Call->setAttributes(
      AttributeList::get(Ctx, AttributeSet(), Attrs.getRetAttrs(), ArgAttrs));
  if (MustTail)
    Call->setTailCallKind(CallInst::TCK_MustTail);
  if (F.getReturnType()->isVoidTy())
    B.CreateRetVoid();
  else
    B.CreateRet(Call);
}

void commitCopy(Function &F, Function *Copy, FunctionAnalysisManager &FAM) {
  LLVMContext &Ctx = F.getContext();
  bool MustTail = needsOwnFrame(F);
  weakenAttributes(F);
  weakenAttributes(*Copy);
  separate(*Copy);

  // Allocations of fixed size belong into the block that is entered first.
  BasicBlock *Body = &F.getEntryBlock();
  BasicBlock *Entry = BasicBlock::Create(Ctx, "polygpu.entry", &F, Body);
  BasicBlock *Offload = BasicBlock::Create(Ctx, "polygpu.offload", &F, Body);
  SmallVector<AllocaInst *, 8> Allocas;
  for (Instruction &I : *Body)
    if (auto *Alloca = dyn_cast<AllocaInst>(&I))
      if (isa<ConstantInt>(Alloca->getArraySize()) &&
          !Alloca->isUsedWithInAlloca())
        Allocas.push_back(Alloca);
  for (AllocaInst *Alloca : Allocas)
    Alloca->moveBefore(*Entry, Entry->end());

  DebugLoc Loc;
  if (DISubprogram *SP = F.getSubprogram())
    Loc = DILocation::get(Ctx, SP->getScopeLine(), 0, SP);
  IRBuilder<> B(Entry);
  B.SetCurrentDebugLocation(Loc);
  Value *Active = B.CreateCall(activeFunction(*F.getParent()));
  B.CreateCondBr(B.CreateIsNotNull(Active), Offload, Body,
                 MDBuilder(Ctx).createUnlikelyBranchWeights());
  forward(F, *Copy, Offload, MustTail, Loc);
  FAM.clear(*Copy, Copy->getName());
  FAM.invalidate(F, PreservedAnalyses::none());
}

} // namespace polygpu
