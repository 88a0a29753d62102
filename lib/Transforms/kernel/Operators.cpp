//===- Operators.cpp - Operators of updates ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kernel/Operators.h"
#include "llvm/IR/Intrinsics.h"

using namespace llvm;

namespace polygpu {

static Constant *neutralNumber(pg_operator Op, Type *Ty) {
  switch (Op) {
  case PG_OP_ADD:
    return ConstantFP::getNegativeZero(Ty);
  case PG_OP_MUL:
    return ConstantFP::get(Ty, 1.0);
  case PG_OP_MIN:
    return ConstantFP::getInfinity(Ty);
  case PG_OP_FMIN:
  case PG_OP_FMAX:
    return ConstantFP::getNaN(Ty);
  default:
    return ConstantFP::getInfinity(Ty, /*Negative=*/true);
  }
}

Constant *neutralValue(pg_operator Op, Type *Ty) {
  if (Ty->isFloatingPointTy())
    return neutralNumber(Op, Ty);
  unsigned Bits = Ty->getIntegerBitWidth();
  switch (Op) {
  case PG_OP_MUL:
    return ConstantInt::get(Ty, 1);
  case PG_OP_AND:
  case PG_OP_UMIN:
    return Constant::getAllOnesValue(Ty);
  case PG_OP_MIN:
    return ConstantInt::get(Ty, APInt::getSignedMaxValue(Bits));
  case PG_OP_MAX:
    return ConstantInt::get(Ty, APInt::getSignedMinValue(Bits));
  default:
    return ConstantInt::get(Ty, 0);
  }
}

/// Of floating-point numbers: R where it is less or greater.  Where there may
/// be NaNs or signs of zeros it is no NaN and no negative zero.
static Value *least(IRBuilder<> &B, bool Least, Value *L, Value *R) {
  return B.CreateSelect(Least ? B.CreateFCmpOLT(R, L) : B.CreateFCmpOGT(R, L),
                        R, L);
}

Value *combine(IRBuilder<> &B, pg_operator Op, Value *L, Value *R) {
  bool IsNumber = L->getType()->isFloatingPointTy();
  switch (Op) {
  case PG_OP_ADD:
    return IsNumber ? B.CreateFAdd(L, R) : B.CreateAdd(L, R);
  case PG_OP_MUL:
    return IsNumber ? B.CreateFMul(L, R) : B.CreateMul(L, R);
  case PG_OP_AND:
    return B.CreateAnd(L, R);
  case PG_OP_OR:
    return B.CreateOr(L, R);
  case PG_OP_XOR:
    return B.CreateXor(L, R);
  case PG_OP_MIN:
    return IsNumber ? least(B, true, L, R)
                    : B.CreateBinaryIntrinsic(Intrinsic::smin, L, R);
  case PG_OP_MAX:
    return IsNumber ? least(B, false, L, R)
                    : B.CreateBinaryIntrinsic(Intrinsic::smax, L, R);
  case PG_OP_UMIN:
    return B.CreateBinaryIntrinsic(Intrinsic::umin, L, R);
  case PG_OP_FMIN:
    return B.CreateMinNum(L, R);
  case PG_OP_FMAX:
    return B.CreateMaxNum(L, R);
  default:
    return B.CreateBinaryIntrinsic(Intrinsic::umax, L, R);
  }
}

std::string neutralText(pg_operator Op) {
  static const char *const Texts[] = {"",    "-0",   "1",   "-1", "0",   "0",
                                      "MAX", "-MAX", "MAX", "0",  "NAN", "NAN"};
  return Texts[Op];
}

std::string combinedText(pg_operator Op, StringRef L, StringRef R) {
  static const char *const Signs[] = {"", " + ", " * ", " & ", " | ", " ^ "};
  if (Op < std::size(Signs))
    return (L + Signs[Op] + R).str();
  if (Op == PG_OP_FMIN || Op == PG_OP_FMAX)
    return ((Op == PG_OP_FMIN ? "fmin(" : "fmax(") + L + ", " + R + ")").str();
  bool Least = Op == PG_OP_MIN || Op == PG_OP_UMIN;
  return ((Least ? "min(" : "max(") + L + ", " + R + ")").str();
}

} // namespace polygpu
