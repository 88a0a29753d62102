//===- ReductionOperators.cpp - Operators that may be reordered ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ReductionOperators.h"
#include "llvm/Analysis/SimplifyQuery.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace polygpu {

/// Operands that may be what is updated, as bits.
static const unsigned First = 1, Second = 2, Both = 3, Third = 4;

bool isNeverNegativeZero(const Value &V, const Instruction &At) {
  return cannotBeNegativeZero(&V, SimplifyQuery(At.getDataLayout()));
}

/// \p Number, or, where there may be NaNs or signs of zeros, \p OfMath if only
/// what is updated may be a negative zero: which zero it is depends on the
/// order otherwise.
static pg_operator extreme(const IntrinsicInst &I, pg_operator Number,
                           pg_operator OfMath, unsigned &Operands) {
  if (I.hasNoNaNs() && I.hasNoSignedZeros())
    return Number;
  if (!I.getType()->isFloatTy() && !I.getType()->isDoubleTy())
    return PG_OP_NONE;
  Operands = (isNeverNegativeZero(*I.getOperand(1), I) ? First : 0) |
             (isNeverNegativeZero(*I.getOperand(0), I) ? Second : 0);
  return Operands ? OfMath : PG_OP_NONE;
}

static pg_operator intrinsicOperator(const IntrinsicInst &I, bool MayReorder,
                                     unsigned &Operands) {
  bool IsOrdered = true; // of values that compare as numbers do
  if (isa<FPMathOperator>(I))
    IsOrdered = I.hasNoNaNs() && I.hasNoSignedZeros();
  Operands = Both;
  switch (I.getIntrinsicID()) {
  case Intrinsic::smin:
    return PG_OP_MIN;
  case Intrinsic::smax:
    return PG_OP_MAX;
  case Intrinsic::umin:
    return PG_OP_UMIN;
  case Intrinsic::umax:
    return PG_OP_UMAX;
  case Intrinsic::minnum:
    return extreme(I, PG_OP_MIN, PG_OP_FMIN, Operands);
  case Intrinsic::maxnum:
    return extreme(I, PG_OP_MAX, PG_OP_FMAX, Operands);
  case Intrinsic::minimum:
    return IsOrdered ? PG_OP_MIN : PG_OP_NONE;
  case Intrinsic::maximum:
    return IsOrdered ? PG_OP_MAX : PG_OP_NONE;
  case Intrinsic::fma:
  case Intrinsic::fmuladd:
    Operands = Third;
    return MayReorder ? PG_OP_ADD : PG_OP_NONE;
  default:
    return PG_OP_NONE;
  }
}

pg_operator operatorOf(const Instruction &I, bool Reassociate,
                       unsigned &Operands) {
  bool MayReorder =
      isa<FPMathOperator>(I) && (Reassociate || I.hasAllowReassoc());
  Operands = Both;
  switch (I.getOpcode()) {
  case Instruction::Add:
    return PG_OP_ADD;
  case Instruction::Sub:
    Operands = First;
    return PG_OP_ADD;
  case Instruction::Mul:
    return PG_OP_MUL;
  case Instruction::And:
    return PG_OP_AND;
  case Instruction::Or:
    return PG_OP_OR;
  case Instruction::Xor:
    return PG_OP_XOR;
  case Instruction::FSub:
    Operands = First;
    return MayReorder ? PG_OP_ADD : PG_OP_NONE;
  case Instruction::FAdd:
    return MayReorder ? PG_OP_ADD : PG_OP_NONE;
  case Instruction::FMul:
    return MayReorder ? PG_OP_MUL : PG_OP_NONE;
  default:
    if (const auto *II = dyn_cast<IntrinsicInst>(&I))
      return intrinsicOperator(*II, MayReorder, Operands);
    return PG_OP_NONE;
  }
}

} // namespace polygpu
