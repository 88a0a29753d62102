//===- IndirectCalls.cpp - The calls that stand for indirect reads --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "prepare/IndirectCalls.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace polygpu {

const CallInst *indirectRead(const Value *V) {
  const auto *Call = dyn_cast<CallInst>(V);
  const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
  return Callee && Callee->getName().starts_with(IndirectPrefix) ? Call
                                                                 : nullptr;
}

bool isInBody(const Value *V) {
  const Function *F = nullptr;
  if (const auto *A = dyn_cast<Argument>(V))
    F = A->getParent();
  else if (const auto *I = dyn_cast<Instruction>(V))
    F = I->getFunction();
  return F && F->getName().starts_with(IndirectPrefix);
}

Value *passedFor(const Argument &A) {
  const Function &Body = *A.getParent();
  return Body.hasOneUse()
             ? cast<CallInst>(*Body.user_begin())->getArgOperand(A.getArgNo())
             : nullptr;
}

SmallVector<const LoadInst *, 4> readsOf(const CallInst &Call) {
  SmallVector<const LoadInst *, 4> Loads;
  for (const Instruction &I : instructions(Call.getCalledFunction()))
    if (const auto *Load = dyn_cast<LoadInst>(&I))
      Loads.push_back(Load);
  return Loads;
}

const LoadInst *resultOf(const CallInst &Call) {
  const BasicBlock &Entry = Call.getCalledFunction()->getEntryBlock();
  const auto *Return = dyn_cast<ReturnInst>(Entry.getTerminator());
  return Return ? dyn_cast<LoadInst>(Return->getReturnValue()) : nullptr;
}

IndirectPlace placeOf(const LoadInst &Load) {
  // As makeAddress has made it.
  const auto *GEP = cast<GetElementPtrInst>(Load.getPointerOperand());
  return {passedFor(*cast<Argument>(GEP->getPointerOperand())),
          GEP->getOperand(1)};
}

/// The integer phis of the header of the loop of \p Body, if it has one.
static SmallVector<const PHINode *, 4> integerPhis(const BasicBlock &Header) {
  SmallVector<const PHINode *, 4> Phis;
  for (const PHINode &Phi : Header.phis())
    if (Phi.getType()->isIntegerTy())
      Phis.push_back(&Phi);
  return Phis;
}

std::pair<Value *, Value *> boundsOf(const PHINode &Phi) {
  const Function &Body = *Phi.getFunction();
  // The header follows the entry, or what is computed in front of it.
  const BasicBlock *Before = &Body.getEntryBlock();
  const BasicBlock *Header = Before->getTerminator()->getSuccessor(0);
  if (!isa<PHINode>(Header->front())) {
    Before = Header;
    Header = Header->getSingleSuccessor();
  }
  auto Phis = integerPhis(*Header);
  const auto *At = find(Phis, &Phi);
  if (At == Phis.end())
    return {nullptr, nullptr};
  const Argument *Last =
      Body.getArg(Body.arg_size() - static_cast<unsigned>(Phis.end() - At));
  Value *Passed = passedFor(*Last);
  if (!Passed || isa<UndefValue>(Passed))
    return {nullptr, nullptr};
  return {Phi.getIncomingValueForBlock(Before), const_cast<Argument *>(Last)};
}

namespace {
/// See visitSources.
struct SourceVisitor {
  function_ref<bool(const Value &)> Visit;
  SmallPtrSet<const Value *, 16> Seen;

  void visit(const Value *V) {
    if (!V || !Seen.insert(V).second || !Visit(*V))
      return;
    if (const auto *A = dyn_cast<Argument>(V))
      return visit(isInBody(A) ? passedFor(*A) : nullptr);
    if (const auto *Call = indirectRead(V))
      return visit(resultOf(*Call));
    const auto *I = dyn_cast<Instruction>(V);
    if (!I)
      return;
    if (const auto *Phi = dyn_cast<PHINode>(I); Phi && isInBody(I)) {
      auto [First, Last] = boundsOf(*Phi);
      visit(First);
      return visit(Last);
    }
    if (const auto *Load = dyn_cast<LoadInst>(I))
      return visit(isInBody(I) ? placeOf(*Load).Offset : nullptr);
    for (const Use &U : I->operands())
      if ((U->getType()->isIntegerTy() && !U->getType()->isIntegerTy(1)) ||
          U->getType()->isFloatingPointTy())
        visit(U.get());
  }
};
} // namespace

void visitSources(const Value &V, function_ref<bool(const Value &)> Visit) {
  SourceVisitor{Visit, {}}.visit(&V);
}

bool isMonotone(const Instruction &I) {
  const auto *Call = dyn_cast<IntrinsicInst>(&I);
  switch (Call ? Call->getIntrinsicID() : Intrinsic::not_intrinsic) {
  case Intrinsic::fabs:
  case Intrinsic::fma:
  case Intrinsic::fmuladd:
  case Intrinsic::floor:
  case Intrinsic::ceil:
  case Intrinsic::trunc:
  case Intrinsic::rint:
  case Intrinsic::nearbyint:
  case Intrinsic::minnum:
  case Intrinsic::maxnum:
    return true;
  default:
    return false;
  }
}

bool mayRoundOtherwise(const Instruction &I) {
  const auto *Operator = dyn_cast<FPMathOperator>(&I);
  if (!Operator)
    return false;
  FastMathFlags Flags = Operator->getFastMathFlags();
  return Flags.allowReassoc() || Flags.allowContract() ||
         Flags.allowReciprocal() || Flags.approxFunc();
}

uint64_t knownBytes(const Value *Base, const DataLayout &DL) {
  if (const auto *Variable = dyn_cast<AllocaInst>(Base))
    if (auto Size = Variable->getAllocationSize(DL); Size && Size->isFixed())
      return Size->getFixedValue();
  const auto *Global = dyn_cast<GlobalVariable>(Base);
  if (!Global || Global->hasExternalWeakLinkage() ||
      !Global->getValueType()->isSized())
    return 0;
  return DL.getTypeAllocSize(Global->getValueType()).getKnownMinValue();
}

} // namespace polygpu
