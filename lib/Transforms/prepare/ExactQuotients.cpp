//===- ExactQuotients.cpp - Rows that are parts of rows -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "prepare/ExactQuotients.h"
#include "prepare/Versions.h"
#include "verify/Repetitions.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include <optional>

using namespace llvm;

/// The number itself may be in sums and products of more operations; these
/// stay.
static const unsigned MaxDepth = 6;

/// Does \p E have \p Number outside of \p Quotient, and \p Quotient?
static bool hasBoth(const SCEV *E, const SCEV *Quotient, const SCEV *Number) {
  struct Finder {
    const SCEV *Quotient, *Number;
    bool HasQuotient = false, HasNumber = false;
    bool follow(const SCEV *S) {
      HasQuotient |= S == Quotient;
      HasNumber |= S == Number;
      return S != Quotient;
    }
    bool isDone() const { return HasQuotient && HasNumber; }
  } F{Quotient, Number};
  visitAll(E, F);
  return F.isDone();
}

static bool isUnsigned(const BinaryOperator &Quotient) {
  return Quotient.getOpcode() == Instruction::UDiv;
}

/// Is there an address in \p L that steps by the quotient and the number?
static bool stepsByBoth(const Loop &L, BinaryOperator &Quotient,
                        ScalarEvolution &SE) {
  const SCEV *Part = SE.getSCEV(&Quotient);
  const SCEV *Number = SE.getSCEV(Quotient.getOperand(0));
  return any_of(L.blocks(), [&](BasicBlock *BB) {
    return any_of(*BB, [&](Instruction &I) {
      Value *Pointer = getLoadStorePointerOperand(&I);
      return Pointer && hasBoth(SE.getSCEV(Pointer), Part, Number);
    });
  });
}

namespace {

/// Puts the product of quotient and divisor in the place of the number.
class Replacer {
public:
  Replacer(Loop &L, BinaryOperator &Quotient)
      : L(L), Quotient(Quotient), Number(Quotient.getOperand(0)),
        B(L.getLoopPreheader()->getTerminator()) {}

  void run() {
    SmallVector<Instruction *, 32> All;
    for (BasicBlock *BB : L.blocks())
      for (Instruction &I : *BB)
        All.push_back(&I);
    for (Instruction *I : All) {
      Value *Wide = extends(I) ? product(I->getType()) : nullptr;
      if (Wide)
        I->replaceAllUsesWith(Wide);
      else
        for (Use &U : I->operands())
          U.set(replacement(U, MaxDepth));
    }
  }

private:
  Loop &L;
  BinaryOperator &Quotient;
  Value *Number;
  IRBuilder<> B;
  DenseMap<Value *, Value *> Done;

  /// Is \p V the number, as it is in more bits?
  bool extends(const Value *V) const {
    const auto *Cast = dyn_cast<CastInst>(V);
    return Cast && Cast->getOperand(0) == Number &&
           (isa<SExtInst>(Cast) || (isa<ZExtInst>(Cast) && Cast->hasNonNeg()) ||
            (isa<ZExtInst>(Cast) && isUnsigned(Quotient)));
  }

  /// It is the number, so that it does not wrap around.
  Value *product(Type *Ty) {
    return B.CreateNSWMul(B.CreateSExt(&Quotient, Ty),
                          B.CreateSExt(Quotient.getOperand(1), Ty),
                          Number->getName());
  }

  Value *replacement(Value *V, unsigned Depth) {
    if (V == Number || extends(V)) {
      Value *&New = Done[V];
      if (!New)
        New = product(V->getType());
      return New;
    }
    auto *I = dyn_cast<Instruction>(V);
    if (!I || Depth == 0 || L.contains(I) || !canCopy(*I))
      return V;
    if (Value *Known = Done.lookup(I))
      return Known;
    SmallVector<Value *, 2> Operands;
    for (Value *Operand : I->operands())
      Operands.push_back(replacement(Operand, Depth - 1));
    if (equal(Operands, I->operands()))
      return V;
    Instruction *Copy = I->clone();
    for (auto [At, Operand] : enumerate(Operands))
      Copy->setOperand(At, Operand);
    return Done[I] = B.Insert(Copy, I->getName());
  }

  static bool canCopy(const Instruction &I) {
    switch (I.getOpcode()) {
    case Instruction::Add:
    case Instruction::Sub:
    case Instruction::Mul:
    case Instruction::Shl:
    case Instruction::SExt:
    case Instruction::ZExt:
      return true;
    default:
      return false;
    }
  }
};

} // namespace

/// The division leaves no rest.  What is divided as a number without a sign is
/// less than half of what there is, so that it is the same with one.
static Value *isExact(IRBuilderBase &B, BinaryOperator &Quotient) {
  Value *Number = Quotient.getOperand(0);
  Value *NoRest =
      B.CreateICmpEQ(B.CreateMul(&Quotient, Quotient.getOperand(1)), Number);
  if (!isUnsigned(Quotient))
    return NoRest;
  return B.CreateAnd(NoRest, B.CreateICmpSGE(Number, Constant::getNullValue(
                                                         Number->getType())));
}

/// Have \p L step by products of \p Quotient where these are the number.
static void makeExact(Loop &L, BinaryOperator &Quotient, LoopInfo &LI,
                      DominatorTree &DT) {
  auto Condition = [&](IRBuilderBase &B) { return isExact(B, Quotient); };
  // Where one of the two is offloaded, its loops are not left early.
  polygpu::forgetExits(L.getBlocks());
  ValueToValueMapTy Map;
  polygpu::copyLoop(L, Condition, LI, DT, Map);
  BasicBlock *Choice = L.getLoopPreheader()->getSinglePredecessor();
  polygpu::setAside(*cast<BranchInst>(Choice->getTerminator()));
  Replacer(L, Quotient).run();
}

/// A quotient, and the loop that is to have it; else null.
static std::pair<BinaryOperator *, Loop *>
findQuotient(Function &F, FunctionAnalysisManager &FAM) {
  auto &LI = FAM.getResult<LoopAnalysis>(F);
  auto &DT = FAM.getResult<DominatorTreeAnalysis>(F);
  // That of the manager would be of loops as they are now.
  std::optional<ScalarEvolution> SE;
  for (Instruction &I : instructions(F)) {
    auto *Quotient = dyn_cast<BinaryOperator>(&I);
    if (!Quotient ||
        (Quotient->getOpcode() != Instruction::SDiv &&
         !isUnsigned(*Quotient)) ||
        any_of(Quotient->operands(), [](Value *V) { return isa<Constant>(V); }))
      continue;
    const Loop *Around = LI.getLoopFor(Quotient->getParent());
    for (Loop *L : LI.getLoopsInPreorder()) {
      if (L->getParentLoop() != Around || !L->isLoopSimplifyForm() ||
          !L->getUniqueExitBlock() || !DT.dominates(Quotient, L->getHeader()) ||
          polygpu::isSetAside(*L->getHeader(), DT))
        continue;
      if (!SE)
        SE.emplace(F, FAM.getResult<TargetLibraryAnalysis>(F),
                   FAM.getResult<AssumptionAnalysis>(F), DT, LI);
      if (stepsByBoth(*L, *Quotient, *SE))
        return {Quotient, L};
    }
  }
  return {nullptr, nullptr};
}

namespace polygpu {

PreservedAnalyses ExactQuotientsPass::run(Function &F,
                                          FunctionAnalysisManager &FAM) {
  static const unsigned Most = 4;
  for (unsigned Done = 0; Done < Most; ++Done) {
    auto [Quotient, L] = findQuotient(F, FAM);
    if (!Quotient)
      return Done ? PreservedAnalyses::none() : PreservedAnalyses::all();
    makeExact(*L, *Quotient, FAM.getResult<LoopAnalysis>(F),
              FAM.getResult<DominatorTreeAnalysis>(F));
    FAM.invalidate(F, PreservedAnalyses::none());
  }
  return PreservedAnalyses::none();
}

} // namespace polygpu
