//===- Irregular.cpp - Why a value is not affine --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "scop/Irregular.h"
#include "adaptor/HiddenValues.h"
#include "prepare/IndirectReads.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace polygpu {

/// Operands that are looked at, of operands, ...
static const unsigned MaxDepth = 8;

/// Is \p I the call that hides where a number comes from?
static bool isHiding(const Instruction &I) {
  const auto *Call = dyn_cast<CallBase>(&I);
  const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
  return Callee && isHidingName(Callee->getName());
}

/// The first instruction in \p L of which "Wanted" holds among those that \p V
/// is computed from, or null.
template <typename Predicate>
static const Instruction *findOperand(const Value &V, const Loop &L,
                                      Predicate Wanted,
                                      unsigned Depth = MaxDepth) {
  const auto *I = dyn_cast<Instruction>(&V);
  if (!I || !L.contains(I) || !Depth)
    return nullptr;
  if (Wanted(*I))
    return I;
  // The address of a load is no operand of what is computed with its value,
  // and phis of the loop are its counters.
  if (isa<LoadInst, CallBase>(I) ||
      (isa<PHINode>(I) && I->getParent() == L.getHeader()))
    return nullptr;
  for (const Value *Operand : I->operands())
    if (const Instruction *Found = findOperand(*Operand, L, Wanted, Depth - 1))
      return Found;
  return nullptr;
}

static bool isCall(const Instruction &I) {
  return isa<CallBase>(I) && !indirectRead(&I) && !isHiding(I);
}

static bool isRead(const Instruction &I) { return indirectRead(&I); }

const CallBase *findCall(const Value &V, const Loop &L) {
  return cast_or_null<CallBase>(findOperand(V, L, isCall));
}

const LoadInst *findLoad(const Value &V, const Loop &L) {
  return cast_or_null<LoadInst>(
      findOperand(V, L, [](const Instruction &I) { return isa<LoadInst>(I); }));
}

std::string findArray(const Value &V, const Loop &L) {
  if (const LoadInst *Load = findLoad(V, L))
    return sourceName(Load->getPointerOperand());
  const auto *Call = cast_or_null<CallInst>(findOperand(V, L, isRead));
  if (!Call)
    return "";
  auto Reads = readsOf(*Call);
  return Reads.empty() ? "" : sourceName(placeOf(*Reads.front()).Base);
}

//===-- Sums of counters --------------------------------------------------===//

namespace {

/// Looks for what keeps an expression from being affine.
struct Finder {
  const Loop &L;
  std::string Found;

  bool follow(const SCEV *E);
  bool isDone() const { return !Found.empty(); }

private:
  void lookAt(const Value &V);
};

} // namespace

static bool hasCounter(const SCEV *E) {
  return SCEVExprContains(E,
                          [](const SCEV *S) { return isa<SCEVAddRecExpr>(S); });
}

static bool isOfBits(const Instruction &I) {
  return I.isBitwiseLogicOp() || I.isShift();
}

static bool isDivision(const Instruction &I) { return I.isIntDivRem(); }

static bool isProduct(const Instruction &I) {
  return I.getOpcode() == Instruction::Mul && !isa<Constant>(I.getOperand(0)) &&
         !isa<Constant>(I.getOperand(1));
}

/// By a number that is not constant?
static bool isByVariable(const Instruction &I) {
  return isDivision(I) && !isa<ConstantInt>(I.getOperand(1));
}

void Finder::lookAt(const Value &V) {
  if (std::string Array = findArray(V, L); !Array.empty()) {
    Found = "depends on data, which is read from '" + Array + "'";
  } else if (findOperand(V, L, isRead)) {
    Found = "depends on data, which is computed in the loop";
  } else if (const CallBase *Call = findCall(V, L)) {
    Found = "depends on " + (isAnonymous(Call)
                                 ? "data, which is computed in the loop"
                                 : sourceName(Call));
  } else if (isa<Instruction>(V) && isHiding(cast<Instruction>(V)) &&
             findOperand(*cast<CallBase>(V).getArgOperand(0), L, isProduct)) {
    Found = "multiplies two counters";
  } else if (findOperand(V, L, isByVariable)) {
    Found = "has % or / by a number that is not constant";
  } else if (findOperand(V, L, isDivision)) {
    Found = "has % or / of what is no sum of counters and parameters";
  } else if (findOperand(V, L, [](const Instruction &I) {
               return isa<SelectInst>(I);
             })) {
    Found = "is chosen by a condition, or has % by a number that is not "
            "constant";
  } else if (findOperand(V, L, isOfBits)) {
    Found = "is computed by an operation on bits, like ^ or <<";
  } else if (isa<PHINode>(V) && L.contains(cast<Instruction>(&V))) {
    Found = "depends on '" + sourceName(&V) +
            "', which the loop does not change by the same amount in each "
            "iteration";
  }
}

bool Finder::follow(const SCEV *E) {
  switch (E->getSCEVType()) {
  case scUnknown:
    lookAt(*cast<SCEVUnknown>(E)->getValue());
    break;
  case scMulExpr:
    if (count_if(cast<SCEVMulExpr>(E)->operands(), hasCounter) > 1)
      Found = "multiplies two counters";
    break;
  case scAddRecExpr:
    if (!cast<SCEVAddRecExpr>(E)->isAffine() ||
        hasCounter(cast<SCEVAddRecExpr>(E)->getOperand(1)))
      Found = "multiplies two counters";
    break;
  case scUDivExpr:
    if (!isa<SCEVConstant>(cast<SCEVUDivExpr>(E)->getRHS()))
      Found = "has % or / by a number that is not constant";
    break;
  case scUMaxExpr:
  case scUMinExpr:
  case scSMaxExpr:
  case scSMinExpr:
  case scSequentialUMinExpr:
    if (hasCounter(E))
      Found = "takes the smaller or the larger of two values";
    break;
  case scZeroExtend:
  case scTruncate:
  case scSignExtend:
    if (hasCounter(E))
      Found = "may wrap around in " +
              std::to_string(cast<SCEVCastExpr>(E)
                                 ->getOperand()
                                 ->getType()
                                 ->getScalarSizeInBits()) +
              " bits";
    break;
  default:
    break;
  }
  return !isDone();
}

/// A counter of \p L that changes by what is no constant, or null.
static const PHINode *counterOfVariableStep(const Loop &L) {
  const BasicBlock *Latch = L.getLoopLatch();
  for (const PHINode &Phi : L.getHeader()->phis()) {
    const auto *Next =
        Latch ? dyn_cast<BinaryOperator>(Phi.getIncomingValueForBlock(Latch))
              : nullptr;
    if (Next && Next->getOpcode() == Instruction::Add &&
        Next->getType()->isIntegerTy() && Next->getOperand(0) == &Phi &&
        !isa<Constant>(Next->getOperand(1)))
      return &Phi;
  }
  return nullptr;
}

/// Such a step of a loop around \p L is one of the sizes of rows, too, in which
/// \p E is taken apart.
static std::string whyAround(const SCEV &E, const Loop &L) {
  const PHINode *Counter = nullptr;
  SCEVExprContains(&E, [&](const SCEV *S) {
    const auto *Rec = dyn_cast<SCEVAddRecExpr>(S);
    if (Rec && Rec->getLoop() != &L && Rec->getLoop()->contains(&L) &&
        !isa<SCEVConstant>(Rec->getOperand(1)))
      Counter = counterOfVariableStep(*Rec->getLoop());
    return Counter != nullptr;
  });
  return Counter ? "has a counter of a loop around which changes by a variable"
                 : "";
}

std::string whyIrregular(const SCEV &E, const Loop &L) {
  if (isa<SCEVCouldNotCompute>(&E))
    return "";
  Finder F{L, ""};
  visitAll(&E, F);
  return F.isDone() ? F.Found : whyAround(E, L);
}

//===-- Conditions --------------------------------------------------------===//

static bool comparesPointers(const Instruction &I) {
  return isa<ICmpInst>(I) && I.getOperand(0)->getType()->isPointerTy();
}

static bool joinsConditions(const Instruction &I) {
  return I.getType()->isIntegerTy(1) &&
         (I.isBinaryOp() || isa<SelectInst, PHINode>(I));
}

IrregularCondition whyIrregular(const Value &Condition, const Loop &L) {
  if (std::string Array = findArray(Condition, L); !Array.empty())
    return {"depends on data, which is read from '" + Array + "'",
            "choose between values with ?: where both may be computed, or move "
            "the condition out of the loop",
            Array};
  if (const Instruction *Test = findOperand(Condition, L, comparesPointers))
    return {"compares the address '" + sourceName(Test->getOperand(0)) + "'",
            "compare it outside of the loops, with loops for each case", ""};
  if (const CallBase *Call = findCall(Condition, L); Call && !isAnonymous(Call))
    return {"depends on " + sourceName(Call), "move the call out of the loop",
            ""};
  if (findOperand(Condition, L, joinsConditions))
    return {"joins several comparisons with && or ||",
            "write one if inside of the other, or change bounds of loops", ""};
  if (const auto *Test = dyn_cast<CmpInst>(&Condition)) {
    if (Test->getOperand(0)->getType()->isFPOrFPVectorTy())
      return {"compares floating-point numbers",
              "choose between values with ?: where both may be computed", ""};
    if (findOperand(Condition, L, isByVariable))
      return {"has % or / by a number that is not constant",
              "make it constant, or change bounds of loops", ""};
  }
  return {"is not affine (it multiplies counters, or may wrap around)",
          "use sums of counters times constants, and signed or size_t counters",
          ""};
}

} // namespace polygpu
