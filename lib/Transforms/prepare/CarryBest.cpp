//===- CarryBest.cpp - The best element by its index alone ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "prepare/CarryBest.h"
#include "prepare/BestPlaces.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

using namespace llvm;

namespace polygpu {

namespace {

/// An index that a loop chooses by a comparison of what belongs to it with what
/// belongs to a counter.
class Chosen {
public:
  Chosen(Loop &L, PHINode &Index, DominatorTree &DT, ScalarEvolution &SE)
      : L(L), Index(Index), DT(DT), SE(SE) {}

  bool isOne();
  void carry();

private:
  Loop &L;
  PHINode &Index; ///< in the header
  DominatorTree &DT;
  ScalarEvolution &SE;
  SelectInst *Choice = nullptr;
  CmpInst *Compare = nullptr;
  Value *Counter = nullptr;
  Instruction *OfIndex = nullptr; ///< the operand of the comparison
  Value *OfCounter = nullptr;     ///< ... and the other one

  bool isSame(const Value *A, const Value *B, unsigned Steps);
  bool isOfIndexAlone(const Value *V, unsigned Steps);
  Value *atBegin(Value *V, ValueToValueMapTy &Copies);
};

} // namespace

/// Is \p A of the index what \p B is of the counter?
bool Chosen::isSame(const Value *A, const Value *B, unsigned Steps) {
  const auto *Of = dyn_cast<Instruction>(A);
  if (!Of || !L.contains(Of))
    return A == B;
  const auto *By = dyn_cast<Instruction>(B);
  if (!Steps || !By || !By->isSameOperationAs(Of))
    return false;
  if (const auto *Load = dyn_cast<LoadInst>(Of)) {
    ValueToSCEVMapTy Others;
    Others[&Index] = SE.getSCEV(Counter);
    return SCEVParameterRewriter::rewrite(
               SE.getSCEV(const_cast<Value *>(Load->getPointerOperand())), SE,
               Others) ==
           SE.getSCEV(
               const_cast<Value *>(cast<LoadInst>(By)->getPointerOperand()));
  }
  const auto *Call = dyn_cast<IntrinsicInst>(Of);
  if ((!isa<UnaryOperator, BinaryOperator, CastInst>(Of) && !Call) ||
      Of->mayReadOrWriteMemory() || !isSafeToSpeculativelyExecute(Of))
    return false;
  return all_of(zip(Of->operands(), By->operands()), [&](auto Pair) {
    return isSame(std::get<0>(Pair), std::get<1>(Pair), Steps - 1);
  });
}

/// Does nothing else that changes in the loop than the index decide what \p V
/// is, and can it be computed in front of the loop, where what every iteration
/// reads can be read?
bool Chosen::isOfIndexAlone(const Value *V, unsigned Steps) {
  const auto *I = dyn_cast<Instruction>(V);
  if (!I || I == &Index || !L.contains(I))
    return true;
  if (!Steps || isa<PHINode>(I))
    return false;
  if (const auto *Load = dyn_cast<LoadInst>(I)) {
    if (!Load->isSimple() || !DT.dominates(Load->getParent(), L.getLoopLatch()))
      return false;
  } else if (I->mayReadOrWriteMemory() || !isSafeToSpeculativelyExecute(I)) {
    return false;
  }
  return all_of(I->operands(),
                [&](const Use &U) { return isOfIndexAlone(U, Steps - 1); });
}

bool Chosen::isOne() {
  BasicBlock *Latch = L.getLoopLatch();
  if (!Latch || L.getExitingBlock() != Latch || !L.getLoopPreheader() ||
      !Index.getType()->isIntegerTy())
    return false;
  Choice = dyn_cast<SelectInst>(Index.getIncomingValueForBlock(Latch));
  Compare = Choice ? dyn_cast<CmpInst>(Choice->getCondition()) : nullptr;
  if (!Compare || !L.contains(Choice) || !L.contains(Compare) ||
      !Compare->hasOneUse())
    return false;
  if (Choice->getFalseValue() == &Index)
    Counter = Choice->getTrueValue();
  else if (Choice->getTrueValue() == &Index)
    Counter = Choice->getFalseValue();
  if (!Counter || !SE.isSCEVable(Counter->getType()) ||
      !isa<SCEVAddRecExpr>(SE.getSCEV(Counter)))
    return false;
  const unsigned Most = 8;
  for (bool Second : {false, true}) {
    OfIndex = dyn_cast<Instruction>(Compare->getOperand(Second));
    OfCounter = Compare->getOperand(!Second);
    if (OfIndex && L.contains(OfIndex) && OfIndex != OfCounter &&
        isSame(OfIndex, OfCounter, Most) && isOfIndexAlone(OfIndex, Most + 4))
      return onlyReads(L);
  }
  return false;
}

/// What \p V is in the first iteration, computed in front of the loop.
Value *Chosen::atBegin(Value *V, ValueToValueMapTy &Copies) {
  BasicBlock *Front = L.getLoopPreheader();
  if (V == &Index)
    return Index.getIncomingValueForBlock(Front);
  auto *I = dyn_cast<Instruction>(V);
  if (!I || !L.contains(I))
    return V;
  if (Value *Known = Copies.lookup(I))
    return Known;
  SmallVector<Value *, 4> Operands;
  for (Value *Operand : I->operands())
    Operands.push_back(atBegin(Operand, Copies));
  Instruction *Copy = I->clone();
  for (auto [Place, Operand] : enumerate(Operands))
    Copy->setOperand(Place, Operand);
  Copy->insertBefore(Front->getTerminator()->getIterator());
  Copies[I] = Copy;
  return Copy;
}

void Chosen::carry() {
  ValueToValueMapTy Copies;
  Value *Begin = atBegin(OfIndex, Copies);
  auto *Best =
      PHINode::Create(OfIndex->getType(), 2, "best", L.getHeader()->begin());
  Best->setDebugLoc(Index.getDebugLoc());
  IRBuilder<> B(Choice);
  Value *Next = Choice->getFalseValue() == &Index
                    ? B.CreateSelect(Compare, OfCounter, Best)
                    : B.CreateSelect(Compare, Best, OfCounter);
  Best->addIncoming(Begin, L.getLoopPreheader());
  Best->addIncoming(Next, L.getLoopLatch());
  Instruction *Old = OfIndex;
  SE.forgetLoop(&L);
  Compare->replaceUsesOfWith(Old, Best);
  RecursivelyDeleteTriviallyDeadInstructions(Old);
}

bool carryBest(LoopInfo &LI, DominatorTree &DT, ScalarEvolution &SE) {
  bool Changed = false;
  for (Loop *L : LI.getLoopsInPreorder()) {
    if (!L->isInnermost())
      continue;
    SmallVector<PHINode *, 4> Phis(make_pointer_range(L->getHeader()->phis()));
    for (PHINode *Phi : Phis)
      if (Chosen Index(*L, *Phi, DT, SE); Index.isOne()) {
        Index.carry();
        Changed = true;
      }
  }
  return Changed;
}

} // namespace polygpu
