//===- NumberTruths.cpp - Truth values that do not change -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "prepare/NumberTruths.h"
#include "adaptor/HiddenValues.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;
using namespace llvm::PatternMatch;

/// Conditions of more operations are looked at no further.
static const unsigned MaxOperations = 16;

namespace {

class TruthNumberer {
public:
  TruthNumberer(Function &F, LoopInfo &LI) : F(F), LI(LI) {}
  bool run();

private:
  Function &F;
  LoopInfo &LI;
  SmallPtrSet<Value *, 16> Seen;
  DenseMap<Value *, Value *> Numbers;
  SmallVector<Instruction *, 4> Made;
  unsigned Left = 0;
  bool Changed = false;

  bool isKnown(const Value *V) const;
  BasicBlock::iterator frontOf(ArrayRef<Value *> Known) const;
  Value *hoisted(Value &Truth);
  Value *number(Value &Truth);
  void part();
  bool replace(Use &U, Value &Truth, bool Holds);
  void look(Use &U);
};

/// Is \p V known in the entry block?
bool TruthNumberer::isKnown(const Value *V) const {
  const auto *I = dyn_cast<Instruction>(V);
  return !I || (I->getParent()->isEntryBlock() && !I->isTerminator());
}

/// The first place that knows \p Known.
BasicBlock::iterator TruthNumberer::frontOf(ArrayRef<Value *> Known) const {
  Instruction *Last = nullptr;
  for (Value *V : Known)
    if (auto *I = dyn_cast<Instruction>(V);
        I && (!Last || Last->comesBefore(I)))
      Last = I;
  return Last ? *Last->getInsertionPointAfterDef()
              : F.getEntryBlock().getFirstNonPHIOrDbgOrAlloca();
}

/// \p Truth in the entry block, or null.  What is computed from values that are
/// known there may be computed there.
Value *TruthNumberer::hoisted(Value &Truth) {
  if (isKnown(&Truth))
    return &Truth;
  auto *I = cast<Instruction>(&Truth);
  if (!isa<FCmpInst, BinaryOperator>(I) ||
      !all_of(I->operands(), [&](const Use &U) { return isKnown(U); }))
    return nullptr;
  SmallVector<Value *, 2> Operands(I->operands());
  auto *Early = I->clone();
  Early->insertBefore(F.getEntryBlock(), frontOf(Operands));
  return Early;
}

/// \p Truth as an integer in front of all loops, or null.
Value *TruthNumberer::number(Value &Truth) {
  Value *&Number = Numbers[&Truth];
  if (Number)
    return Number;
  Value *Early = hoisted(Truth);
  if (!Early)
    return nullptr;
  auto *Holds = new ZExtInst(Early, Type::getInt32Ty(F.getContext()), "holds",
                             frontOf(Early));
  polygpu::hideValue(*Holds, /*Parts=*/true);
  return Number = Made.emplace_back(Holds->getNextNode());
}

/// What is behind the numbers in the entry block gets a block of its own: no
/// SCoP has them in it.
void TruthNumberer::part() {
  auto Last = max_element(Made, [](const Instruction *A, const Instruction *B) {
    return A->comesBefore(B);
  });
  if (Last != Made.end())
    SplitBlock(&F.getEntryBlock(), std::next((*Last)->getIterator()));
}

/// If \p Truth can be an integer, \p U becomes a comparison: whether it holds,
/// or whether it does not.
bool TruthNumberer::replace(Use &U, Value &Truth, bool Holds) {
  Value *Number = number(Truth);
  if (!Number)
    return false;
  IRBuilder<> B(cast<Instruction>(U.getUser()));
  U.set(B.CreateICmp(Holds ? ICmpInst::ICMP_NE : ICmpInst::ICMP_EQ, Number,
                     ConstantInt::get(Number->getType(), 0)));
  return true;
}

/// Is \p V a leaf of a condition, which Polly does not know?
static bool isTruth(Value *V) {
  return !isa<Constant, ICmpInst>(V) && !match(V, m_Not(m_Value())) &&
         !match(V, m_LogicalAnd(m_Value(), m_Value())) &&
         !match(V, m_LogicalOr(m_Value(), m_Value()));
}

/// Look at the truth value \p U that a branch depends on.
void TruthNumberer::look(Use &U) {
  Value *V = U.get(), *Opposite;
  if (isa<Constant, ICmpInst>(V) || !Left)
    return;
  --Left;
  if (isTruth(V))
    Changed |= replace(U, *V, true);
  else if (match(V, m_Not(m_Value(Opposite))) && isTruth(Opposite))
    Changed |= replace(U, *Opposite, false);
  else if (Seen.insert(V).second)
    for (Use &Operand : cast<Instruction>(V)->operands())
      look(Operand);
}

bool TruthNumberer::run() {
  for (BasicBlock &BB : F) {
    const Loop *L = LI.getLoopFor(&BB);
    auto *Branch = dyn_cast<BranchInst>(BB.getTerminator());
    // One that leaves a loop or repeats it decides on how often it runs, and
    // what is around loops is asked inside of them (SinkConditions).
    if (!L || !L->isInnermost() || !Branch || !Branch->isConditional() ||
        any_of(successors(Branch), [&](const BasicBlock *Next) {
          return !L->contains(Next) || Next == L->getHeader();
        }))
      continue;
    Left = MaxOperations;
    look(Branch->getOperandUse(0));
  }
  part();
  return Changed;
}

} // namespace

namespace polygpu {

PreservedAnalyses NumberTruthsPass::run(Function &F,
                                        FunctionAnalysisManager &FAM) {
  auto &LI = FAM.getResult<LoopAnalysis>(F);
  if (LI.empty() || !TruthNumberer(F, LI).run())
    return PreservedAnalyses::all();
  return PreservedAnalyses::none();
}

} // namespace polygpu
