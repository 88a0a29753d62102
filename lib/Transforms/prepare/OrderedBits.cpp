//===- OrderedBits.cpp - Floating-point numbers in order ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "prepare/OrderedBits.h"
#include "adaptor/Notes.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace polygpu {

/// The bits of a floating-point number are looked at, or made, and it is no
/// NaN.
static const char *const OrderedNote = "polygpu.ordered";

bool isOrderedBitCast(const Instruction &I) {
  return isa<BitCastInst>(I) && hasNote(I, OrderedNote);
}

Value *asBits(IRBuilder<> &B, Value *V, Type *Ty) {
  if (isa<Constant>(V))
    return B.CreateBitCast(V, Ty);
  auto *Cast = new BitCastInst(V, Ty);
  setNote(*Cast, OrderedNote);
  return B.Insert(Cast);
}

Value *magnitudes(IRBuilder<> &B, Value *V, Value *&IsNegative) {
  unsigned Bits = V->getType()->getPrimitiveSizeInBits();
  Type *Ty = B.getIntNTy(Bits);
  Value *Number = asBits(B, V, Ty);
  Value *Magnitude =
      B.CreateAnd(Number, ConstantInt::get(Ty, APInt::getSignedMaxValue(Bits)));
  IsNegative = B.CreateICmpSLT(Number, ConstantInt::get(Ty, 0));
  return B.CreateSelect(IsNegative, B.CreateNeg(Magnitude), Magnitude);
}

Value *withoutNaN(IRBuilder<> &B, Value *V, Value *&IsNaN) {
  IsNaN = B.CreateFCmpUNO(V, V);
  return B.CreateSelect(IsNaN, ConstantFP::get(V->getType(), 0), V);
}

Value *orNaN(IRBuilder<> &B, Value *IsOld, Value *First) {
  Value *IsNaN = B.CreateFCmpUNO(First, First);
  if (auto *Known = dyn_cast<ConstantInt>(IsNaN))
    return Known->isOne() ? Known : IsOld;
  return B.CreateOr(IsOld, IsNaN);
}

Value *signedNumber(IRBuilder<> &B, Value *Key, Value *Sign, Type *Of) {
  unsigned Width = Of->getPrimitiveSizeInBits();
  Type *Ty = B.getIntNTy(Width);
  Value *Magnitude =
      B.CreateBinaryIntrinsic(Intrinsic::abs, Key, B.getInt1(false));
  Value *Bits = B.CreateOr(B.CreateTrunc(Magnitude, Ty),
                           B.CreateShl(B.CreateTrunc(Sign, Ty), Width - 1));
  return asBits(B, Bits, Of);
}

} // namespace polygpu
