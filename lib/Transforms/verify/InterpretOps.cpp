//===- InterpretOps.cpp - What single operations compute ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "verify/Interpreter.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/ConstantRange.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace polygpu {

using Wide = __int128;

uint64_t mixHash(uint64_t A, uint64_t B) {
  uint64_t X = A * 0x9E3779B97F4A7C15ULL + B + 0x7F4A7C15ULL;
  X = (X ^ (X >> 30)) * 0xBF58476D1CE4E5B9ULL;
  X = (X ^ (X >> 27)) * 0x94D049BB133111EBULL;
  return X ^ (X >> 31);
}

static uint64_t hashText(StringRef Text) {
  uint64_t H = Text.size();
  for (char C : Text)
    H = mixHash(H, static_cast<unsigned char>(C));
  return H;
}

/// Bits of an integer or address that is computed exactly; 0 for others.
static unsigned exactWidth(const Type *Ty) {
  if (Ty->isPointerTy())
    return 64;
  return Ty->isIntegerTy() && Ty->getIntegerBitWidth() <= 64
             ? Ty->getIntegerBitWidth()
             : 0;
}

static uint64_t lowBits(uint64_t Bits, unsigned Width) {
  return Width >= 64 ? Bits : Bits & ((uint64_t(1) << Width) - 1);
}

static int64_t asSigned(uint64_t Bits, unsigned Width) {
  return SignExtend64(Bits, Width);
}

/// The part of \p I that is neither operands nor result.
static uint64_t hashOperation(const Operator &I) {
  uint64_t H = mixHash(I.getOpcode(), I.getType()->getTypeID());
  H = mixHash(H, I.getType()->getScalarSizeInBits());
  if (const auto *Cmp = dyn_cast<CmpInst>(&I))
    H = mixHash(H, Cmp->getPredicate());
  if (const auto *Call = dyn_cast<CallBase>(&I))
    if (const Function *F = Call->getCalledFunction())
      H = mixHash(H, hashText(F->getName()));
  if (const auto *Shuffle = dyn_cast<ShuffleVectorInst>(&I))
    for (int Lane : Shuffle->getShuffleMask())
      H = mixHash(H, static_cast<uint64_t>(Lane));
  if (const auto *Extract = dyn_cast<ExtractValueInst>(&I))
    for (unsigned Index : Extract->indices())
      H = mixHash(H, Index);
  return H;
}

Number Interpreter::opaque(const Operator &I) {
  uint64_t H = hashOperation(I);
  for (const Use &U : I.operands()) {
    if (isa<Function, BasicBlock>(U.get()))
      continue;
    Number N = value(U.get());
    H = mixHash(mixHash(H, N.K), N.Bits);
  }
  unsigned Width = I.getType()->getScalarSizeInBits();
  return Number::opaque(Width ? lowBits(H, Width) : H);
}

Number Interpreter::divide(const Operator &I, uint64_t A, uint64_t B) {
  unsigned Width = exactWidth(I.getType());
  bool Exact = isa<PossiblyExactOperator>(&I) &&
               cast<PossiblyExactOperator>(&I)->isExact();
  if (!B) {
    Undefined = true;
    return Number::poison();
  }
  if (I.getOpcode() == Instruction::UDiv)
    return Exact && A % B ? Number::poison() : Number::exact(A / B);
  if (I.getOpcode() == Instruction::URem)
    return Number::exact(A % B);
  Wide SA = asSigned(A, Width), SB = asSigned(B, Width);
  Wide Quotient = SA / SB;
  if (Quotient != asSigned(static_cast<uint64_t>(Quotient), Width)) {
    Undefined = true;
    return Number::poison();
  }
  if (I.getOpcode() == Instruction::SRem)
    return Number::exact(lowBits(static_cast<uint64_t>(SA % SB), Width));
  return Exact && SA % SB
             ? Number::poison()
             : Number::exact(lowBits(static_cast<uint64_t>(Quotient), Width));
}

Number Interpreter::shift(const Operator &I, uint64_t A, uint64_t B) {
  unsigned Width = exactWidth(I.getType());
  if (B >= Width)
    return Number::poison();
  if (I.getOpcode() == Instruction::Shl) {
    const auto &Flags = cast<OverflowingBinaryOperator>(I);
    uint64_t Result = lowBits(A << B, Width);
    if (Flags.hasNoUnsignedWrap() && Result >> B != A)
      return Number::poison();
    if (Flags.hasNoSignedWrap() &&
        asSigned(Result, Width) >> B != asSigned(A, Width))
      return Number::poison();
    return Number::exact(Result);
  }
  if (cast<PossiblyExactOperator>(I).isExact() && lowBits(A, B) && B)
    return Number::poison();
  if (I.getOpcode() == Instruction::LShr)
    return Number::exact(A >> B);
  return Number::exact(
      lowBits(static_cast<uint64_t>(asSigned(A, Width) >> B), Width));
}

Number Interpreter::binary(const Operator &I, uint64_t A, uint64_t B) {
  unsigned Width = exactWidth(I.getType());
  Wide SA = asSigned(A, Width), SB = asSigned(B, Width), Signed;
  unsigned __int128 UA = A, UB = B, Unsigned;
  bool Borrow = false;
  switch (I.getOpcode()) {
  case Instruction::Add:
    Signed = SA + SB;
    Unsigned = UA + UB;
    break;
  case Instruction::Sub:
    Signed = SA - SB;
    Unsigned = UA - UB;
    Borrow = A < B;
    break;
  case Instruction::Mul:
    Signed = SA * SB;
    Unsigned = UA * UB;
    break;
  case Instruction::And:
    return Number::exact(A & B);
  case Instruction::Xor:
    return Number::exact(A ^ B);
  case Instruction::Or:
    if (const auto *Or = dyn_cast<PossiblyDisjointInst>(&I);
        Or && Or->isDisjoint() && (A & B))
      return Number::poison();
    return Number::exact(A | B);
  case Instruction::UDiv:
  case Instruction::SDiv:
  case Instruction::URem:
  case Instruction::SRem:
    return divide(I, A, B);
  case Instruction::Shl:
  case Instruction::LShr:
  case Instruction::AShr:
    return shift(I, A, B);
  default:
    return opaque(I);
  }
  const auto &Flags = cast<OverflowingBinaryOperator>(I);
  uint64_t Result = lowBits(static_cast<uint64_t>(Signed), Width);
  if (Flags.hasNoSignedWrap() && Signed != asSigned(Result, Width))
    return Number::poison();
  if (Flags.hasNoUnsignedWrap() && (Borrow || Unsigned != Result))
    return Number::poison();
  return Number::exact(Result);
}

Number Interpreter::convert(const Operator &I, uint64_t A) {
  unsigned From = exactWidth(I.getOperand(0)->getType());
  unsigned To = exactWidth(I.getType());
  switch (I.getOpcode()) {
  case Instruction::ZExt:
    if (const auto *Ext = dyn_cast<PossiblyNonNegInst>(&I);
        Ext && Ext->hasNonNeg() && asSigned(A, From) < 0)
      return Number::poison();
    return Number::exact(A);
  case Instruction::SExt:
    return Number::exact(lowBits(static_cast<uint64_t>(asSigned(A, From)), To));
  case Instruction::Trunc: {
    uint64_t Low = lowBits(A, To);
    const auto *Trunc = dyn_cast<TruncInst>(&I);
    if (Trunc && Trunc->hasNoUnsignedWrap() && Low != A)
      return Number::poison();
    if (Trunc && Trunc->hasNoSignedWrap() &&
        asSigned(Low, To) != asSigned(A, From))
      return Number::poison();
    return Number::exact(Low);
  }
  case Instruction::PtrToInt:
  case Instruction::IntToPtr:
    return Number::exact(lowBits(A, To));
  case Instruction::BitCast:
    return From == To ? Number::exact(A) : opaque(I);
  default:
    return opaque(I);
  }
}

Number Interpreter::compare(const Operator &I, uint64_t A, uint64_t B) {
  unsigned Width = exactWidth(I.getOperand(0)->getType());
  const auto *Cmp = dyn_cast<ICmpInst>(&I);
  if (!Cmp || !Width)
    return opaque(I);
  if (Cmp->hasSameSign() &&
      (asSigned(A, Width) < 0) != (asSigned(B, Width) < 0))
    return Number::poison();
  return Number::exact(
      ICmpInst::compare(APInt(Width, A), APInt(Width, B), Cmp->getPredicate()));
}

Number Interpreter::address(const GEPOperator &GEP) {
  Wide Sum = 0;
  for (auto It = gep_type_begin(GEP), End = gep_type_end(GEP); It != End;
       ++It) {
    Number Index = value(It.getOperand());
    if (StructType *Struct = It.getStructTypeOrNull()) {
      Sum += DL.getStructLayout(Struct)->getElementOffset(Index.Bits);
      continue;
    }
    TypeSize Stride = It.getSequentialElementStride(DL);
    if (Stride.isScalable())
      return opaque(cast<Operator>(GEP));
    unsigned Width = exactWidth(It.getOperand()->getType());
    Sum += Wide(asSigned(Index.Bits, Width)) * Stride.getFixedValue();
  }
  // No object is that large.
  if (GEP.isInBounds() && (Sum > (Wide(1) << 47) || Sum < -(Wide(1) << 47)))
    return Number::poison();
  return Number::exact(value(GEP.getPointerOperand()).Bits +
                       static_cast<uint64_t>(Sum));
}

Number Interpreter::intrinsic(const CallBase &Call) {
  unsigned Width = exactWidth(Call.getType());
  if (!Width)
    return opaque(cast<Operator>(Call));
  auto A = [&] { return value(Call.getArgOperand(0)).Bits; };
  auto B = [&] { return value(Call.getArgOperand(1)).Bits; };
  auto Signed = [&](uint64_t V) { return asSigned(V, Width); };
  switch (Call.getIntrinsicID()) {
  case Intrinsic::smax:
    return Number::exact(Signed(A()) > Signed(B()) ? A() : B());
  case Intrinsic::smin:
    return Number::exact(Signed(A()) < Signed(B()) ? A() : B());
  case Intrinsic::umax:
    return Number::exact(std::max(A(), B()));
  case Intrinsic::umin:
    return Number::exact(std::min(A(), B()));
  case Intrinsic::expect:
    return Number::exact(A());
  case Intrinsic::abs:
    if (B() && Signed(A()) == minIntN(Width))
      return Number::poison();
    return Number::exact(Signed(A()) < 0 ? lowBits(0 - A(), Width) : A());
  default:
    return opaque(cast<Operator>(Call));
  }
}

Number Interpreter::compute(const Operator &I) {
  if (I.getOpcode() == Instruction::Select) {
    Number C = value(I.getOperand(0));
    if (C.K == Number::Poison)
      return C;
    if (C.isExact() && !I.getOperand(0)->getType()->isVectorTy())
      return value(I.getOperand(C.Bits ? 1 : 2));
    return opaque(I);
  }
  bool AllExact = true;
  for (const Use &U : I.operands()) {
    if (isa<Function, BasicBlock>(U.get()))
      continue;
    Number N = value(U.get());
    AllExact &= N.isExact();
    if (N.K == Number::Poison)
      return I.getOpcode() == Instruction::Freeze ? Number::exact(0) : N;
  }
  if (I.getOpcode() == Instruction::Freeze)
    return value(I.getOperand(0));
  if (!AllExact || !exactWidth(I.getType()))
    return opaque(I);
  if (const auto *GEP = dyn_cast<GEPOperator>(&I))
    return address(*GEP);
  if (const auto *Call = dyn_cast<CallBase>(&I))
    return intrinsic(*Call);
  uint64_t A = value(I.getOperand(0)).Bits;
  if (Instruction::isCast(I.getOpcode()))
    return convert(I, A);
  if (I.getOpcode() == Instruction::ICmp)
    return compare(I, A, value(I.getOperand(1)).Bits);
  if (Instruction::isBinaryOp(I.getOpcode()))
    return binary(I, A, value(I.getOperand(1)).Bits);
  return opaque(I);
}

//===-- Scalar evolution --------------------------------------------------===//

std::optional<uint64_t> Interpreter::scevNAry(const SCEVNAryExpr *E) {
  unsigned Width = exactWidth(E->getType());
  std::optional<uint64_t> Result;
  auto Signed = [&](uint64_t V) { return asSigned(V, Width); };
  for (const SCEV *Op : E->operands()) {
    auto V = scev(Op);
    if (!V)
      return std::nullopt;
    if (!Result) {
      Result = V;
      continue;
    }
    switch (E->getSCEVType()) {
    case scAddExpr:
      Result = lowBits(*Result + *V, Width);
      break;
    case scMulExpr:
      Result = lowBits(*Result * *V, Width);
      break;
    case scSMaxExpr:
      Result = Signed(*V) > Signed(*Result) ? V : Result;
      break;
    case scSMinExpr:
      Result = Signed(*V) < Signed(*Result) ? V : Result;
      break;
    case scUMaxExpr:
      Result = std::max(*V, *Result);
      break;
    case scUMinExpr:
    case scSequentialUMinExpr:
      Result = std::min(*V, *Result);
      break;
    default:
      return std::nullopt;
    }
  }
  return Result;
}

/// A recurrence of a loop around this place: the sum of its operands times the
/// ways to choose 0, 1, 2 and so on of the iterations before.
std::optional<uint64_t> Interpreter::recurrence(const SCEVAddRecExpr *E) {
  static const uint64_t MostIterations = 1 << 16, MostOperands = 5;
  if (!isActive(E->getLoop()) && !isAround(E->getLoop()))
    return std::nullopt;
  uint64_t Count = static_cast<uint64_t>(iteration(E->getLoop()));
  if (!E->isAffine() && // the number of ways has to fit
      (Count >= MostIterations || E->getNumOperands() > MostOperands))
    return std::nullopt;
  uint64_t Sum = 0, Ways = 1, Chosen = 0;
  for (const SCEV *Operand : E->operands()) {
    auto V = scev(Operand);
    if (!V)
      return std::nullopt;
    Sum += *V * Ways;
    Ways = Ways * (Count - Chosen) / (Chosen + 1);
    ++Chosen;
  }
  return lowBits(Sum, exactWidth(E->getType()));
}

std::optional<uint64_t> Interpreter::scev(const SCEV *E) {
  unsigned Width = exactWidth(E->getType());
  if (!Width)
    return std::nullopt;
  if (const auto *C = dyn_cast<SCEVConstant>(E))
    return C->getAPInt().getZExtValue();
  if (const auto *U = dyn_cast<SCEVUnknown>(E)) {
    Number N = value(U->getValue());
    return N.isExact() ? std::optional(N.Bits) : std::nullopt;
  }
  if (const auto *AR = dyn_cast<SCEVAddRecExpr>(E))
    return recurrence(AR);
  if (const auto *Cast = dyn_cast<SCEVCastExpr>(E)) {
    auto V = scev(Cast->getOperand());
    unsigned From = exactWidth(Cast->getOperand()->getType());
    if (V && isa<SCEVSignExtendExpr>(E))
      return lowBits(static_cast<uint64_t>(asSigned(*V, From)), Width);
    return V ? std::optional(lowBits(*V, Width)) : std::nullopt;
  }
  if (const auto *Div = dyn_cast<SCEVUDivExpr>(E)) {
    auto A = scev(Div->getLHS()), B = scev(Div->getRHS());
    return A && B && *B ? std::optional(*A / *B) : std::nullopt;
  }
  if (const auto *NAry = dyn_cast<SCEVNAryExpr>(E))
    return scevNAry(NAry);
  return std::nullopt;
}

std::optional<int64_t> Interpreter::signedScev(const SCEV *E) {
  auto V = scev(E);
  return V ? std::optional(asSigned(*V, exactWidth(E->getType())))
           : std::nullopt;
}

} // namespace polygpu
