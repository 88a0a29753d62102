//===- Runs.cpp - Where a function runs SCoPs -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "residency/Runs.h"
#include "residency/Compiled.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/GlobalAlias.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace polygpu {

static bool isRuntimeCall(const Instruction &I, StringRef Name) {
  const auto *Call = dyn_cast<CallInst>(&I);
  return Call && Call->getCalledFunction() &&
         Call->getCalledFunction()->getName() == Name;
}

/// The function that is called, of the call's type; constructors are called by
/// other names of theirs.
static const Function *calledFunction(const CallBase &Call) {
  const auto *Alias = dyn_cast<GlobalAlias>(Call.getCalledOperand());
  if (!Alias || Alias->isInterposable())
    return Call.getCalledFunction();
  const auto *F = dyn_cast<Function>(Alias->getAliasee());
  return F && F->getFunctionType() == Call.getFunctionType() ? F : nullptr;
}

Function *linkedFunction(const CallBase &Call,
                         const DenseMap<const Function *, Function *> &Linked) {
  if (!isa<CallInst, InvokeInst>(Call) || Call.isMustTailCall() ||
      Call.hasOperandBundles())
    return nullptr;
  const Function *Callee = calledFunction(Call);
  return Callee && Callee->getCallingConv() == Call.getCallingConv()
             ? Linked.lookup(Callee)
             : nullptr;
}

GlobalVariable *descriptorOf(const CallInst &Call) {
  const auto *Begin = cast<CallInst>(Call.getArgOperand(0));
  return cast<GlobalVariable>(Begin->getArgOperand(0));
}

/// Is the array that \p Call tells of to be kept?
static bool isKept(const CallInst &Call, const KeptArrays &Kept) {
  auto Found = Kept.find(descriptorOf(Call));
  return Found != Kept.end() &&
         is_contained(Found->second,
                      cast<ConstantInt>(Call.getArgOperand(1))->getZExtValue());
}

Runs::Runs(Function &F, const KeptArrays &Kept,
           const LinkedFunctions &Functions) {
  for (Instruction &I : instructions(F)) {
    auto *Call = dyn_cast<CallBase>(&I);
    if (isRuntimeCall(I, "polygpu_begin_sized"))
      Begins.push_back(cast<CallInst>(Call));
    else if (isRuntimeCall(I, "polygpu_end"))
      Ends.push_back(cast<CallInst>(Call));
    else if (isRuntimeCall(I, "polygpu_array") &&
             isKept(cast<CallInst>(I), Kept))
      Arrays.push_back(cast<CallInst>(Call));
    else if (Call && (linkedFunction(*Call, Functions.Running) ||
                      isCallOfCompiled(*Call)))
      Linked.push_back(Call);
  }
}

BetweenRuns::BetweenRuns(const Runs &R)
    : Begins(R.Begins.begin(), R.Begins.end()),
      Ends(R.Ends.begin(), R.Ends.end()) {
  append_range(Begins, R.Linked);
  append_range(Ends, R.Linked);
  SmallVector<const BasicBlock *, 32> List;
  for (const CallBase *End : Ends)
    append_range(List, successors(End->getParent()));
  while (!List.empty())
    if (const BasicBlock *BB = List.pop_back_val(); After.insert(BB).second)
      append_range(List, successors(BB));
  for (const CallBase *Begin : Begins)
    append_range(List, predecessors(Begin->getParent()));
  while (!List.empty())
    if (const BasicBlock *BB = List.pop_back_val(); Before.insert(BB).second)
      append_range(List, predecessors(BB));
}

bool BetweenRuns::follow(const Instruction &I) const {
  return After.count(I.getParent()) || any_of(Ends, [&](const CallBase *End) {
           return End->getParent() == I.getParent() && End->comesBefore(&I);
         });
}

bool BetweenRuns::has(const Instruction &I) const {
  return follow(I) && (Before.count(I.getParent()) ||
                       any_of(Begins, [&](const CallBase *Begin) {
                         return Begin->getParent() == I.getParent() &&
                                I.comesBefore(Begin);
                       }));
}

bool BetweenRuns::hasAny() const {
  return any_of(Begins, [&](const CallBase *Begin) { return follow(*Begin); });
}

bool isOpaque(const Function &F) {
  return F.callsFunctionThatReturnsTwice() || F.isPresplitCoroutine() ||
         any_of(instructions(F), [](const Instruction &I) {
           const auto *Call = dyn_cast<CallBase>(&I);
           return isa<FuncletPadInst>(I) ||
                  (Call && Call->hasFnAttr(Attribute::ReturnsTwice));
         });
}

} // namespace polygpu
