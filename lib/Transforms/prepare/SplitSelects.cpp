//===- SplitSelects.cpp - Subscripts that wrap around at borders ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "prepare/SplitSelects.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace llvm::PatternMatch;

/// Branches that a function gets at most: each load is two statements more.
static const unsigned MaxBranches = 32;
/// Operations between a select and the load.
static const unsigned MaxChain = 8;

//===-- Remainders --------------------------------------------------------===//

/// What \p V is a sum of, without overflow: constants are added to \p Offset.
static void collectTerms(Value *V, int64_t &Offset,
                         SmallVectorImpl<Value *> &Terms) {
  Value *A, *B;
  if (const auto *C = dyn_cast<ConstantInt>(V); C && C->getBitWidth() <= 64)
    Offset += C->getSExtValue();
  else if (match(V, m_NSWAdd(m_Value(A), m_Value(B))) && Terms.size() < 4) {
    collectTerms(A, Offset, Terms);
    collectTerms(B, Offset, Terms);
  } else
    Terms.push_back(V);
}

/// What is known of a dividend.
struct Turns {
  unsigned Least, Most; ///< times the divisor, which it is at least and below
};

/// For a counter 0 <= i < n the dividends of n in i, i + 1, i + n - 1, i + n
/// and i + n + 1.  Overflow on the way is the source's bug.  With a loop's
/// counter in the constant's place the sum in that loop would be made of parts.
static std::optional<Turns> turnsOf(BinaryOperator &Rem, ScalarEvolution &SE) {
  Value *N = Rem.getOperand(1);
  if (Rem.getOpcode() != Instruction::SRem || isa<Constant>(N))
    return std::nullopt;
  int64_t Offset = 0;
  SmallVector<Value *, 4> Terms;
  collectTerms(Rem.getOperand(0), Offset, Terms);
  auto *Whole = find(Terms, N);
  bool HasWhole = Whole != Terms.end();
  if (HasWhole)
    Terms.erase(Whole);
  if (Terms.size() != 1 || Offset < (HasWhole ? -1 : 0) || Offset > 1)
    return std::nullopt;
  const SCEV *Counter = SE.getSCEV(Terms[0]);
  if (!isa<SCEVAddRecExpr>(Counter) || !SE.isKnownNonNegative(Counter) ||
      !SE.isKnownPredicateAt(ICmpInst::ICMP_SLT, Counter, SE.getSCEV(N), &Rem))
    return std::nullopt;
  if (!HasWhole)
    return Turns{0, 2};
  return Turns{Offset < 0 ? 0u : 1u, Offset > 0 ? 3u : 2u};
}

namespace polygpu {

PreservedAnalyses SplitRemaindersPass::run(Function &F,
                                           FunctionAnalysisManager &FAM) {
  auto &LI = FAM.getResult<LoopAnalysis>(F);
  auto &SE = FAM.getResult<ScalarEvolutionAnalysis>(F);
  SmallVector<std::pair<BinaryOperator *, Turns>, 8> Found;
  for (Instruction &I : instructions(F))
    if (auto *Rem = dyn_cast<BinaryOperator>(&I))
      if (LI.getLoopFor(I.getParent()))
        if (auto Known = turnsOf(*Rem, SE))
          Found.push_back({Rem, *Known});
  for (auto [Rem, Known] : Found) {
    IRBuilder<> B(Rem);
    Value *X = Rem->getOperand(0), *N = Rem->getOperand(1);
    SmallVector<Value *, 3> Rests = {X};
    // Neither is negative.
    while (Rests.size() < Known.Most)
      Rests.push_back(B.CreateNSWSub(Rests.back(), N));
    Value *Rest = Rests.back();
    for (unsigned T = Known.Most - 1; T-- > Known.Least;)
      Rest = B.CreateSelect(B.CreateICmpSLT(Rests[T], N), Rests[T], Rest);
    Rem->replaceAllUsesWith(Rest);
    Rem->eraseFromParent();
  }
  if (Found.empty())
    return PreservedAnalyses::all();
  PreservedAnalyses PA;
  PA.preserveSet<CFGAnalyses>();
  return PA;
}

} // namespace polygpu

//===-- Selects -----------------------------------------------------------===//

namespace {

class SelectSplitter {
public:
  SelectSplitter(Function &F, LoopInfo &LI, DominatorTree &DT,
                 ScalarEvolution &SE)
      : F(F), LI(LI), DT(DT), SE(SE) {}
  bool run();

private:
  Function &F;
  LoopInfo &LI;
  DominatorTree &DT;
  ScalarEvolution &SE;
  SmallVector<LoadInst *, 16> Loads;
  const Loop *Around = nullptr;        ///< the load that is looked at
  DenseMap<const Loop *, bool> Chosen; ///< asked by choosesWritten()

  bool isKnown(Value *V, const Loop &L) const;
  bool isAffine(Value *Condition, const Loop &L) const;
  bool choosesWritten(const Loop &L);
  bool isOpen(SelectInst &Select, const Loop &L);
  SelectInst *selectBelow(Value *V, const Loop &L, unsigned Left);
  Value *cloneWith(Value *V, SelectInst &Select, bool Arm, const Loop &L,
                   Instruction *Where);
  void split(LoadInst &Load, SelectInst &Select, const Loop &L);
  PHINode *addressBelow(LoadInst &Load, const Loop &L) const;
  void loadBefore(LoadInst &Load, PHINode &Phi);
  bool openBelow(LoadInst &Load);
};

/// Does scalar evolution see how \p V comes from counters of loops and from
/// values in front of \p L?
bool SelectSplitter::isKnown(Value *V, const Loop &L) const {
  return SE.isSCEVable(V->getType()) &&
         !SCEVExprContains(SE.getSCEV(V), [&](const SCEV *S) {
           const auto *U = dyn_cast<SCEVUnknown>(S);
           const auto *I = U ? dyn_cast<Instruction>(U->getValue()) : nullptr;
           return I && L.contains(I);
         });
}

bool SelectSplitter::isAffine(Value *Condition, const Loop &L) const {
  auto *Compare = dyn_cast<ICmpInst>(Condition);
  return Compare && isKnown(Compare->getOperand(0), L) &&
         isKnown(Compare->getOperand(1), L);
}

/// Are they two addresses?  Those of one array are no better: a choice of
/// subscripts is an index, as in "a[k[i] ? i : j]", but LLVM chooses addresses
/// where one of two subscripts is a constant, as in "k[i] ? a[i][3] : a[j][i]".
static bool areAddresses(const Value *A, const Value *B) {
  return A->getType()->isPointerTy() && A != B;
}

/// Does data say what is read, as in "kind[i] ? b[i] : c[i]"?
static bool choosesAddress(const SelectInst &Select) {
  return areAddresses(Select.getTrueValue(), Select.getFalseValue());
}

/// Does \p L choose, outside of loops in it, which array these write?
bool SelectSplitter::choosesWritten(const Loop &L) {
  auto [It, IsNew] = Chosen.try_emplace(&L, false);
  if (!IsNew)
    return It->second;
  for (const BasicBlock *BB : L.blocks())
    for (const Instruction &I : *BB) {
      const auto *Store = dyn_cast<StoreInst>(&I);
      const Value *Array = Store ? Store->getPointerOperand() : nullptr;
      while (Array && isa<GetElementPtrInst>(Array))
        Array = cast<GetElementPtrInst>(Array)->getPointerOperand();
      const auto *Select = dyn_cast_or_null<SelectInst>(Array);
      if (Select && choosesAddress(*Select) &&
          LI.getLoopFor(Select->getParent()) == &L && LI.getLoopFor(BB) != &L)
        return It->second = true;
    }
  return false;
}

/// May a branch take the place of \p Select in \p L, whose condition is affine
/// or which chooses an address beside the load?  No branch can say which array
/// is written: where a loop chooses that as well, as "t % 2 ? a : b" and "t % 2
/// ? b : a", loops inside of it have one pointer for each, and with a branch
/// what is read would be two arrays, one of which is the one that is written.
bool SelectSplitter::isOpen(SelectInst &Select, const Loop &L) {
  const Loop *In = LI.getLoopFor(Select.getParent());
  if (choosesAddress(Select) && In != Around)
    return isAffine(Select.getCondition(), L) && !choosesWritten(*In);
  return isAffine(Select.getCondition(), L) || choosesAddress(Select);
}

/// The select that \p V is computed from in the loop, if a branch may take its
/// place, and scalar evolution does not know the value.
SelectInst *SelectSplitter::selectBelow(Value *V, const Loop &L,
                                        unsigned Left) {
  auto *I = dyn_cast<Instruction>(V);
  if (!I || !L.contains(I) || !Left || isKnown(V, L))
    return nullptr;
  if (auto *Select = dyn_cast<SelectInst>(I))
    return isOpen(*Select, L) ? Select : nullptr;
  if (!isa<GetElementPtrInst, CastInst, BinaryOperator>(I))
    return nullptr;
  for (Value *Operand : I->operands())
    if (SelectInst *Select = selectBelow(Operand, L, Left - 1))
      return Select;
  return nullptr;
}

/// A copy of what \p V is computed from \p Select by, with one of its values.
Value *SelectSplitter::cloneWith(Value *V, SelectInst &Select, bool Arm,
                                 const Loop &L, Instruction *Where) {
  if (V == &Select)
    return Arm ? Select.getTrueValue() : Select.getFalseValue();
  auto *I = dyn_cast<Instruction>(V);
  if (!I || selectBelow(V, L, MaxChain) != &Select)
    return V;
  Instruction *Copy = I->clone();
  Copy->insertBefore(Where->getIterator());
  for (Use &U : Copy->operands())
    U.set(cloneWith(U.get(), Select, Arm, L, Copy));
  return Copy;
}

void SelectSplitter::split(LoadInst &Load, SelectInst &Select, const Loop &L) {
  Instruction *Ends[2];
  SplitBlockAndInsertIfThenElse(Select.getCondition(), Load.getIterator(),
                                &Ends[0], &Ends[1], nullptr, nullptr, &LI);
  DT.recalculate(F);
  PHINode *Phi = PHINode::Create(Load.getType(), 2, Load.getName(),
                                 Load.getParent()->begin());
  Phi->setDebugLoc(Load.getDebugLoc());
  for (unsigned Arm = 0; Arm < 2; ++Arm) {
    auto *Copy = cast<LoadInst>(Load.clone());
    Copy->insertBefore(Ends[Arm]->getIterator());
    Copy->setOperand(
        0, cloneWith(Load.getPointerOperand(), Select, Arm == 0, L, Copy));
    Ends[Arm]->setDebugLoc(Load.getDebugLoc());
    Phi->addIncoming(Copy, Ends[Arm]->getParent());
    Loads.push_back(Copy);
  }
  Value *Address = Load.getPointerOperand();
  Load.replaceAllUsesWith(Phi);
  Load.eraseFromParent();
  RecursivelyDeleteTriviallyDeadInstructions(Address);
}

/// The phi that \p V, the address of \p Load, is computed from in its block, if
/// that has an array from each block before, and nothing is written before the
/// load; else null.
PHINode *SelectSplitter::addressBelow(LoadInst &Load, const Loop &L) const {
  BasicBlock *BB = Load.getParent();
  Value *V = Load.getPointerOperand();
  for (unsigned Left = MaxChain; Left && isa<GetElementPtrInst>(V); --Left) {
    auto *GEP = cast<GetElementPtrInst>(V);
    for (const Value *Index : GEP->indices())
      if (const auto *I = dyn_cast<Instruction>(Index);
          I && I->getParent() == BB)
        return nullptr;
    V = GEP->getPointerOperand();
  }
  auto *Phi = dyn_cast<PHINode>(V);
  if (!Phi || Phi->getParent() != BB || BB == L.getHeader() ||
      all_of(Phi->incoming_values(), [&](const Use &U) {
        return !areAddresses(U.get(), Phi->getIncomingValue(0));
      }))
    return nullptr;
  for (BasicBlock *Before : predecessors(BB))
    if (!isa<BranchInst>(Before->getTerminator()) ||
        is_contained(drop_begin(successors(Before)), *succ_begin(Before)))
      return nullptr;
  for (const Instruction &I : *BB) {
    if (&I == &Load)
      return Phi;
    if (I.mayWriteToMemory() || !isGuaranteedToTransferExecutionToSuccessor(&I))
      return nullptr;
  }
  return nullptr;
}

/// What is computed from \p Phi by \p V, with one of its values, in front of
/// \p Where.
static Value *cloneFor(Value *V, const PHINode &Phi, Value *Array,
                       Instruction *Where) {
  if (V == &Phi)
    return Array;
  Instruction *Copy = cast<GetElementPtrInst>(V)->clone();
  Copy->insertBefore(Where->getIterator());
  Copy->setOperand(0, cloneFor(Copy->getOperand(0), Phi, Array, Copy));
  return Copy;
}

/// Load in the blocks before, each from its array.
void SelectSplitter::loadBefore(LoadInst &Load, PHINode &Phi) {
  BasicBlock *BB = Load.getParent();
  // Where one exit of a loop is split, its other ones get a block in common.
  auto Splits = [](const BasicBlock *From) {
    return !From->getSingleSuccessor();
  };
  for (auto It = find_if(predecessors(BB), Splits); It != pred_end(BB);
       It = find_if(predecessors(BB), Splits))
    SplitEdge(*It, BB, &DT, &LI);
  SmallVector<BasicBlock *, 4> Before(predecessors(BB));
  PHINode *Value = PHINode::Create(Load.getType(), Before.size(),
                                   Load.getName(), BB->begin());
  Value->setDebugLoc(Load.getDebugLoc());
  for (BasicBlock *From : Before) {
    auto *Copy = cast<LoadInst>(Load.clone());
    Copy->insertBefore(From->getTerminator()->getIterator());
    Copy->setOperand(0, cloneFor(Load.getPointerOperand(), Phi,
                                 Phi.getIncomingValueForBlock(From), Copy));
    Value->addIncoming(Copy, From);
    Loads.push_back(Copy);
  }
  llvm::Value *Address = Load.getPointerOperand();
  Load.replaceAllUsesWith(Value);
  Load.eraseFromParent();
  RecursivelyDeleteTriviallyDeadInstructions(Address);
}

/// Is there a branch now in place of what \p Load's address is chosen by?  That
/// may be chosen in front of the loop, as "up = (i - 1 + n) % n" for a row.
bool SelectSplitter::openBelow(LoadInst &Load) {
  Around = LI.getLoopFor(Load.getParent());
  for (const Loop *L = Around; L; L = L->getParentLoop())
    if (SelectInst *Select =
            selectBelow(Load.getPointerOperand(), *L, MaxChain)) {
      split(Load, *Select, *L);
      return true;
    }
  PHINode *Phi = addressBelow(Load, *Around);
  if (Phi)
    loadBefore(Load, *Phi);
  return Phi;
}

bool SelectSplitter::run() {
  for (Instruction &I : instructions(F))
    if (auto *Load = dyn_cast<LoadInst>(&I))
      if (Load->isSimple() && LI.getLoopFor(Load->getParent()))
        Loads.push_back(Load);
  unsigned Branches = 0;
  // Copies come to the end, and may have another select below.
  for (size_t N = 0; N < Loads.size() && Branches < MaxBranches; ++N) {
    Branches += openBelow(*Loads[N]);
  }
  return Branches;
}

} // namespace

namespace polygpu {

PreservedAnalyses SplitSelectsPass::run(Function &F,
                                        FunctionAnalysisManager &FAM) {
  SelectSplitter Splitter(F, FAM.getResult<LoopAnalysis>(F),
                          FAM.getResult<DominatorTreeAnalysis>(F),
                          FAM.getResult<ScalarEvolutionAnalysis>(F));
  return Splitter.run() ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace polygpu
