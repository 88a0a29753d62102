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
// so that what runs without a device is what would run without us.  Where that
// would not do, because the function looks at its own frame or has a large one
// (which would be there twice), it becomes
//
//   return polygpu_active() ? f.polygpu(...) : f.original(...);
//
//===----------------------------------------------------------------------===//

#include "host/Commit.h"
#include "RuntimeFunctions.h"
#include "prepare/Candidates.h"
#include "prepare/Forward.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace polygpu {

/// Local variables of more bytes than this are a large frame.
static const uint64_t MaxFrame = 16384;

static bool hasLargeFrame(const Function &F) {
  const DataLayout &DL = F.getParent()->getDataLayout();
  uint64_t Bytes = 0;
  for (const Instruction &I : F.getEntryBlock())
    if (const auto *Alloca = dyn_cast<AllocaInst>(&I))
      if (std::optional<TypeSize> Size = Alloca->getAllocationSize(DL))
        Bytes += Size->getKnownMinValue();
  return Bytes > MaxFrame;
}

/// The copy is a function of its own, which nobody knows but the original; a
/// call of that one counts once, where calls are counted.
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
  dropInstrumentation(Copy);
}

/// Counts of what was written are those of the body as it was written.  With
/// NoProfile LLVM would inline nothing that has it not.
void finishCopy(Function &Copy) {
  Copy.addFnAttr("polygpu");
  weakenAttributes(Copy);
  separate(Copy);
  Copy.addFnAttr(Attribute::SkipProfile);
  Copy.addFnAttr(Attribute::NoSanitizeCoverage);
}

/// Move the body of \p F to a function of its own.
static Function *moveBody(Function &F) {
  auto *Body =
      Function::Create(F.getFunctionType(), GlobalValue::InternalLinkage,
                       F.getAddressSpace(), F.getName() + ".original");
  F.getParent()->getFunctionList().insertAfter(F.getIterator(), Body);
  Body->copyAttributesFrom(&F);
  Body->setVisibility(GlobalValue::DefaultVisibility);
  Body->setDLLStorageClass(GlobalValue::DefaultStorageClass);
  Body->splice(Body->begin(), &F);
  for (Argument &A : F.args()) {
    Argument *To = Body->getArg(A.getArgNo());
    To->takeName(&A);
    A.replaceAllUsesWith(To);
  }
  if (DISubprogram *SP = F.getSubprogram()) {
    F.setSubprogram(nullptr);
    Body->setSubprogram(SP);
  }
  separate(*Body);
  Body->addFnAttr(Attribute::NoInline);
  return Body;
}

/// The block in which \p F goes on if no device is to be used; instructions
/// that have to be in front of everything are moved to \p Entry.
static BasicBlock *ownBody(Function &F, BasicBlock *Entry) {
  BasicBlock *Body = &F.getEntryBlock();
  // Allocations of fixed size belong into the block that is entered first.
  SmallVector<AllocaInst *, 8> Allocas;
  for (Instruction &I : *Body)
    if (auto *Alloca = dyn_cast<AllocaInst>(&I))
      if (isa<ConstantInt>(Alloca->getArraySize()) &&
          !Alloca->isUsedWithInAlloca())
        Allocas.push_back(Alloca);
  for (AllocaInst *Alloca : Allocas)
    Alloca->moveBefore(*Entry, Entry->end());
  return Body;
}

/// Are there loops for all cores in \p Copy itself?
static bool runsOnThreads(const Function &Copy) {
  const Function *Begin =
      Copy.getParent()->getFunction("polygpu_parallel_begin");
  return Begin && any_of(Begin->users(), [&](const User *U) {
           const auto *Call = dyn_cast<CallInst>(U);
           return Call && Call->getFunction() == &Copy;
         });
}

/// Calls that are ours do not count where LLVM decides what to inline: what
/// runs without a device would be slower than without us.
static void costNothing(BasicBlock &BB) {
  for (Instruction &I : BB)
    if (auto *Call = dyn_cast<CallInst>(&I))
      Call->addFnAttr(Attribute::get(BB.getContext(), "call-inline-cost", "0"));
}

void commitCopy(Function &F, Function *Copy, bool OwnScope,
                FunctionAnalysisManager &FAM) {
  LLVMContext &Ctx = F.getContext();
  bool MustTail = needsOwnFrame(F);
  bool Separate = MustTail || hasLargeFrame(F);
  F.addFnAttr("polygpu");
  weakenAttributes(F);
  finishCopy(*Copy);
  Copy->addFnAttr(Attribute::NoInline);

  BasicBlock *Entry = BasicBlock::Create(Ctx, "polygpu.entry");
  BasicBlock *Offload = BasicBlock::Create(Ctx, "polygpu.offload");
  BasicBlock *Body;
  Function *Original = nullptr;
  if (Separate) {
    Original = moveBody(F);
    Body = BasicBlock::Create(Ctx, "polygpu.original", &F);
  } else {
    Body = ownBody(F, Entry);
  }
  Entry->insertInto(&F, &F.front());
  Offload->insertInto(&F, Body);

  DebugLoc Loc;
  if (DISubprogram *SP = F.getSubprogram())
    Loc = DILocation::get(Ctx, SP->getScopeLine(), 0, SP);
  IRBuilder<> B(Entry);
  B.SetCurrentDebugLocation(Loc);
  Value *Active =
      B.CreateCall(activeFunction(*F.getParent(), runsOnThreads(*Copy)));
  B.CreateCondBr(B.CreateIsNotNull(Active), Offload, Body,
                 MDBuilder(Ctx).createUnlikelyBranchWeights());
  forward(F, *Copy, Offload, MustTail, Loc, OwnScope);
  costNothing(*Entry);
  costNothing(*Offload);
  if (Original)
    forward(F, *Original, Body, MustTail, Loc);
  FAM.clear(*Copy, Copy->getName());
  FAM.invalidate(F, PreservedAnalyses::none());
}

} // namespace polygpu
