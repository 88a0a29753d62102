//===- ShiftBases.cpp - Arrays that begin where loops do ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "prepare/ShiftBases.h"
#include "adaptor/HiddenValues.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Operator.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;

namespace {

/// What loops access from one pointer.
struct Base {
  SmallVector<Instruction *, 4> Users; ///< in loops, with the pointer
  const SCEV *Offset = nullptr;        ///< in bytes, of all first accesses
  bool AreEqual = true;
  bool HasHiddenRows = false;
};

class BaseShifter {
public:
  BaseShifter(Function &F, const LoopInfo &LI, const DominatorTree &DT,
              ScalarEvolution &SE)
      : F(F), LI(LI), DT(DT), SE(SE) {}
  bool run();

private:
  Function &F;
  const LoopInfo &LI;
  const DominatorTree &DT;
  ScalarEvolution &SE;
  MapVector<Value *, Base> Bases;

  void add(Instruction &Access);
  Instruction *placeFor(Value &Pointer, const SCEV *Offset);
  bool shift(Value &Pointer, const Base &B);
};

/// Is a number in \p E hidden?
bool isHidden(const SCEV *E) {
  return SCEVExprContains(E, [](const SCEV *Part) {
    const auto *Number = dyn_cast<SCEVUnknown>(Part);
    const auto *Call =
        Number ? dyn_cast<CallInst>(Number->getValue()) : nullptr;
    const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
    return Callee && polygpu::isHidingName(Callee->getName());
  });
}

void BaseShifter::add(Instruction &Access) {
  Value *Address = getLoadStorePointerOperand(&Access);
  if (!Address || !LI.getLoopFor(Access.getParent()))
    return;
  Value *Pointer = Address;
  Instruction *User = &Access;
  while (auto *GEP = dyn_cast<GetElementPtrInst>(Pointer)) {
    if (!LI.getLoopFor(GEP->getParent()))
      break;
    User = GEP;
    Pointer = GEP->getPointerOperand();
  }
  if (User == &Access || isa<Constant>(Pointer))
    return;
  Base &B = Bases[Pointer];
  if (!is_contained(B.Users, User))
    B.Users.push_back(User);
  const SCEV *First = SE.getMinusSCEV(SE.getSCEV(Address), SE.getSCEV(Pointer));
  while (const auto *Rec = dyn_cast<SCEVAddRecExpr>(First)) {
    const SCEV *Step = Rec->getStepRecurrence(SE);
    B.HasHiddenRows |=
        isHidden(Step) || (!isa<SCEVConstant>(Step) &&
                           isHidden(SE.getBackedgeTakenCount(Rec->getLoop())));
    First = Rec->getStart();
  }
  B.AreEqual &= !B.Offset || B.Offset == First;
  B.Offset = First;
}

/// Where both are known, in front of all loops; null if there is no such place.
Instruction *BaseShifter::placeFor(Value &Pointer, const SCEV *Offset) {
  SmallVector<Value *, 4> Needed = {&Pointer};
  SCEVExprContains(Offset, [&](const SCEV *Part) {
    if (const auto *Number = dyn_cast<SCEVUnknown>(Part))
      Needed.push_back(Number->getValue());
    return false;
  });
  Instruction *Where = &*F.getEntryBlock().getFirstInsertionPt();
  for (Value *V : Needed) {
    auto *I = dyn_cast<Instruction>(V);
    if (!I || DT.dominates(I, Where))
      continue;
    auto Behind = I->getInsertionPointAfterDef();
    if (!Behind || LI.getLoopFor(I->getParent()))
      return nullptr;
    Where = &**Behind;
  }
  bool Known = all_of(Needed, [&](Value *V) { return DT.dominates(V, Where); });
  return Known && SCEVExpander(SE, "").isSafeToExpandAt(Offset, Where)
             ? Where
             : nullptr;
}

bool BaseShifter::shift(Value &Pointer, const Base &B) {
  Instruction *Where = placeFor(Pointer, B.Offset);
  if (!Where || !all_of(B.Users, [&](const Instruction *User) {
        return DT.dominates(Where, User);
      }))
    return false;
  IRBuilder<> Builder(Where);
  Builder.SetCurrentDebugLocation(DebugLoc());
  SCEVExpander Expander(SE, "first");
  Value *Bytes = Expander.expandCodeFor(B.Offset, Builder.getInt64Ty(), Where);
  Value *First = Builder.CreatePtrAdd(&Pointer, Bytes);
  CallInst *Own = polygpu::hidePointer(First, 0, Where->getIterator());
  Value *Back = Builder.CreatePtrAdd(Own, Builder.CreateNeg(Bytes));
  for (Instruction *User : B.Users)
    User->replaceUsesOfWith(&Pointer, Back);
  return true;
}

bool BaseShifter::run() {
  for (Instruction &I : instructions(F))
    add(I);
  bool Changed = false;
  for (auto &[Pointer, B] : Bases)
    if (B.HasHiddenRows && B.AreEqual && !B.Offset->isZero() &&
        !isa<SCEVCouldNotCompute>(B.Offset) &&
        SE.getTypeSizeInBits(B.Offset->getType()) == 64)
      Changed |= shift(*Pointer, B);
  return Changed;
}

} // namespace

namespace polygpu {

PreservedAnalyses ShiftBasesPass::run(Function &F,
                                      FunctionAnalysisManager &FAM) {
  auto &LI = FAM.getResult<LoopAnalysis>(F);
  if (LI.empty() || !BaseShifter(F, LI, FAM.getResult<DominatorTreeAnalysis>(F),
                                 FAM.getResult<ScalarEvolutionAnalysis>(F))
                         .run())
    return PreservedAnalyses::all();
  PreservedAnalyses PA;
  PA.preserveSet<CFGAnalyses>();
  return PA;
}

} // namespace polygpu
