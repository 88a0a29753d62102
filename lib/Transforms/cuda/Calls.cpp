//===- Calls.cpp - Calls as functions of CUDA -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cuda/Helpers.h"
#include "cuda/Names.h"
#include "cuda/Values.h"
#include "target/DeviceModule.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace polygpu {

Values::Piece Values::function(const std::string &Name, const CallInst &I) {
  std::string Result = Name + "(";
  for (unsigned A = 0; A < I.arg_size(); ++A)
    Result += (A ? ", " : "") + text(I.getArgOperand(A));
  return {Result + ")", Primary};
}

Values::Piece Values::extreme(const CallInst &I, bool IsMin, bool IsSigned) {
  const Value *L = I.getArgOperand(0), *R = I.getArgOperand(1);
  std::string Left = IsSigned ? text(L, Unary) : unsignedText(L);
  std::string Right = IsSigned ? text(R, Unary) : unsignedText(R);
  std::string Type = cudaType(I.getType());
  unsigned Bits = I.getType()->getIntegerBitWidth();
  if (OnHost || (Bits != 32 && Bits != 64))
    return {"(" + Left + (IsMin ? " < " : " > ") + Right + " ? " + text(L, Or) +
                " : " + text(R, Or) + ")",
            Primary};
  std::string Text = (IsMin ? "min(" : "max(") + (IsSigned ? text(L) : Left) +
                     ", " + (IsSigned ? text(R) : Right) + ")";
  if (IsSigned)
    return {Text, Primary};
  return {"(" + Type + ")" + Text, Unary};
}

/// A sum or difference that stays at the end of its type, which a longer one
/// has.
Values::Piece Values::saturated(const CallInst &I) {
  Intrinsic::ID ID = I.getIntrinsicID();
  unsigned Bits = I.getType()->getIntegerBitWidth();
  if (Bits == 63 || Bits > 64)
    return fail("a saturated sum of numbers of this width");
  bool IsSigned = ID == Intrinsic::sadd_sat || ID == Intrinsic::ssub_sat;
  bool IsSum = ID == Intrinsic::sadd_sat || ID == Intrinsic::uadd_sat;
  const Value *L = I.getArgOperand(0), *R = I.getArgOperand(1);
  if (Bits == 64) {
    std::string Left = IsSigned ? text(L) : unsignedText(L);
    return {"(long long)" + std::string(IsSum ? SumHelper : DifferenceHelper) +
                "(" + Left + ", " + (IsSigned ? text(R) : unsignedText(R)) +
                ")",
            Unary};
  }
  std::string Left = IsSigned ? text(L, Unary) : unsignedText(L);
  std::string Right = IsSigned ? text(R, Unary) : unsignedText(R);
  int64_t Least = IsSigned ? minIntN(Bits) : 0;
  int64_t Most = IsSigned ? maxIntN(Bits) : int64_t(maxUIntN(Bits));
  std::string Text = "min(max((long long)" + Left + (IsSum ? " + " : " - ") +
                     (Bits > 32 ? "(long long)" : "") + Right + ", " +
                     std::to_string(Least) + "LL), " + std::to_string(Most) +
                     "LL)";
  if (!isUsual(Bits))
    return {wrapped(Text, *I.getType()), Shift};
  return {"(" + cudaType(I.getType()) + ")" + Text, Unary};
}

/// How many bits are set, or zero at an end.
Values::Piece Values::bitCount(const CallInst &I) {
  unsigned Bits = I.getType()->getIntegerBitWidth();
  if (Bits > 64)
    return fail("bits of a number of this width are counted");
  bool IsWide = Bits > 32;
  unsigned Rest = (IsWide ? 64 : 32) - Bits;
  std::string V = unsignedText(I.getArgOperand(0)), Text;
  std::string End = IsWide ? "ll(" : "(";
  switch (I.getIntrinsicID()) {
  case Intrinsic::ctpop:
    Text = "__popc" + End + V + ")";
    break;
  case Intrinsic::ctlz:
    Text = "__clz" + End + V + ")" +
           (Rest ? " - " + std::to_string(Rest) : std::string());
    break;
  default: // cttz; of all bits, none is set in zero
    if (Rest)
      V += " | " + std::to_string(uint64_t(1) << Bits) + (IsWide ? "ULL" : "U");
    Text = "__clz" + End + "__brev" + End + V + "))";
  }
  if (Bits == 32)
    return {Text, Rest ? Add : Primary};
  return {wrapped(Text, *I.getType()), isUsual(Bits) ? Unary : Shift};
}

/// Bits or bytes of one or two numbers in other places.
Values::Piece Values::moved(const CallInst &I) {
  unsigned Bits = I.getType()->getIntegerBitWidth();
  if (I.getIntrinsicID() == Intrinsic::bitreverse && Bits <= 64) {
    bool IsWide = Bits > 32;
    unsigned Rest = (IsWide ? 64 : 32) - Bits;
    std::string Text = (IsWide ? "__brevll(" : "__brev(") +
                       unsignedText(I.getArgOperand(0)) + ")" +
                       (Rest ? " >> " + std::to_string(Rest) : "");
    return {wrapped(Text, *I.getType()), isUsual(Bits) ? Unary : Shift};
  }
  if (!isUsual(Bits))
    return fail("bits of a number of this width are moved");
  std::string Unsigned = Bits == 64   ? "unsigned long long"
                         : Bits == 32 ? "unsigned"
                         : Bits == 16 ? "unsigned short"
                                      : "unsigned char";
  std::string Text = unsignedText(I.getArgOperand(0));
  auto Helper = [&](const char *Name) {
    for (unsigned A = 1; A < I.arg_size(); ++A)
      Text += ", " + unsignedText(I.getArgOperand(A));
    Text = Name + ("<" + Unsigned) + ">(" + Text + ")";
  };
  switch (I.getIntrinsicID()) {
  case Intrinsic::fshl:
    Helper(LeftHelper);
    break;
  case Intrinsic::fshr:
    Helper(RightHelper);
    break;
  default:
    Helper(SwapHelper);
  }
  return {"(" + cudaType(I.getType()) + ")" + Text, Unary};
}

/// What only touches the sign; nothing else of half precision is in kernels.
Values::Piece Values::halfCall(const CallInst &I) {
  std::string First = text(I.getArgOperand(0));
  if (I.getIntrinsicID() == Intrinsic::fabs)
    return {"__habs(" + First + ")", Primary};
  if (I.getIntrinsicID() != Intrinsic::copysign)
    return fail("the function " + I.getCalledFunction()->getName().str() +
                " has no equal in CUDA");
  return {"__ushort_as_half((__half_as_ushort(" + First +
              ") & 0x7fff) | (__half_as_ushort(" + text(I.getArgOperand(1)) +
              ") & 0x8000))",
          Primary};
}

/// A floating-point number as an integer: 0 for none, and the least or the
/// largest one for what is beyond them.
Values::Piece Values::clamped(const CallInst &I) {
  const Value *V = I.getArgOperand(0);
  bool IsFloat = V->getType()->isFloatTy();
  unsigned Bits = I.getType()->getScalarSizeInBits();
  if ((!IsFloat && !V->getType()->isDoubleTy()) || !isUsual(Bits))
    return fail("a conversion to an integer of numbers of this width");
  bool IsSigned = I.getIntrinsicID() == Intrinsic::fptosi_sat;
  auto Power = [&](unsigned Of) {
    return std::to_string(uint64_t(1) << (Of - 1)) + (Of == 64 ? "ULL" : "") +
           (IsFloat ? " * 2.0f" : " * 2.0");
  };
  std::string Type = cudaType(I.getType());
  std::string End = Bits > 32 ? "LL" : "";
  std::string Most = std::to_string(IsSigned    ? maxIntN(Bits)
                                    : Bits < 32 ? int64_t(maxUIntN(Bits))
                                                : -1) +
                     End;
  std::string Least =
      IsSigned ? "-" + std::to_string(maxIntN(Bits)) + End + " - 1" : "0";
  std::string From = IsSigned ? "-" + Power(Bits - 1) : "0";
  std::string Number = text(V, Unary), Compared = text(V, Add);
  std::string Whole = IsSigned ? "(" + Type + ")" + Number
                               : "(" + Type + ")(unsigned " +
                                     (Bits == 8 ? std::string("char") : Type) +
                                     ")" + Number;
  return {"(" + Type + ")(" + Compared + " != " + Compared +
              " ? 0 : " + Compared + " <= " + From + " ? " + Least + " : " +
              Compared + " >= " + Power(IsSigned ? Bits - 1 : Bits) + " ? " +
              Most + " : " + Whole + ")",
          Unary};
}

/// C's name of an intrinsic for doubles, or null.
static const char *mathName(Intrinsic::ID ID) {
  switch (ID) {
  case Intrinsic::fma:
    return "fma";
  case Intrinsic::sqrt:
    return "sqrt";
  case Intrinsic::fabs:
    return "fabs";
  case Intrinsic::floor:
    return "floor";
  case Intrinsic::ceil:
    return "ceil";
  case Intrinsic::trunc:
    return "trunc";
  case Intrinsic::rint:
  case Intrinsic::roundeven:
    return "rint";
  case Intrinsic::nearbyint:
    return "nearbyint";
  case Intrinsic::round:
    return "round";
  case Intrinsic::copysign:
    return "copysign";
  case Intrinsic::minnum:
    return "fmin";
  case Intrinsic::maxnum:
    return "fmax";
  default:
    return nullptr;
  }
}

static const char *axis(const CallInst &I) {
  static const char *const Axes[] = {"x", "y", "z"};
  return Axes[cast<ConstantInt>(I.getArgOperand(0))->getZExtValue()];
}

Values::Piece Values::call(const CallInst &I) {
  const Function *Callee = I.getCalledFunction();
  if (!Callee)
    return fail("an indirect call");
  bool IsFloat = I.getType()->isFloatTy();
  StringRef Name = Callee->getName();
  if (Name == ThreadIdName)
    return {std::string("(int)threadIdx.") + axis(I), Unary};
  if (Name == BlockIdName)
    return {std::string("(int)blockIdx.") + axis(I), Unary};
  if (I.getType()->isHalfTy())
    return halfCall(I);
  if (const char *Math = mathName(I.getIntrinsicID()))
    return function(std::string(Math) + (IsFloat ? "f" : ""), I);
  switch (I.getIntrinsicID()) {
  case Intrinsic::not_intrinsic:
    return function(Name.str(), I);
  case Intrinsic::smin:
  case Intrinsic::smax:
    return extreme(I, I.getIntrinsicID() == Intrinsic::smin, true);
  case Intrinsic::umin:
  case Intrinsic::umax:
    return extreme(I, I.getIntrinsicID() == Intrinsic::umin, false);
  case Intrinsic::abs: {
    std::string V = text(I.getArgOperand(0), Unary);
    if (cast<ConstantInt>(I.getArgOperand(1))->isOne() &&
        I.getType()->getIntegerBitWidth() >= 32)
      return {"(" + V + " < 0 ? -" + V + " : " + V + ")", Primary};
    std::string U = unsignedText(I.getArgOperand(0));
    return {wrapped(V + " < 0 ? 0 - " + U + " : " + U, *I.getType()),
            isUsual(I.getType()->getIntegerBitWidth()) ? Unary : Shift};
  }
  case Intrinsic::ctpop:
  case Intrinsic::ctlz:
  case Intrinsic::cttz:
    return bitCount(I);
  case Intrinsic::fshl:
  case Intrinsic::fshr:
  case Intrinsic::bswap:
  case Intrinsic::bitreverse:
    return moved(I);
  case Intrinsic::sadd_sat:
  case Intrinsic::ssub_sat:
  case Intrinsic::uadd_sat:
  case Intrinsic::usub_sat:
    return saturated(I);
  case Intrinsic::fptosi_sat:
  case Intrinsic::fptoui_sat:
    return clamped(I);
  case Intrinsic::scmp: {
    std::string L = text(I.getArgOperand(0), Add),
                R = text(I.getArgOperand(1), Add);
    return {"(" + cudaType(I.getType()) + ")((" + L + " > " + R + ") - (" + L +
                " < " + R + "))",
            Unary};
  }
  case Intrinsic::ucmp: {
    std::string L = unsignedText(I.getArgOperand(0)),
                R = unsignedText(I.getArgOperand(1));
    return {"(" + cudaType(I.getType()) + ")((" + L + " > " + R + ") - (" + L +
                " < " + R + "))",
            Unary};
  }
  default:
    break;
  }
  return fail("the function " + Name.str() + " has no equal in CUDA");
}

/// CUDA has no atomic operations on less than four bytes.
std::string Values::narrowAtomic(const AtomicRMWInst &I) {
  Type *Ty = I.getType();
  bool IsByte = Ty->isIntegerTy(8);
  bool IsUnsigned = I.getOperation() == AtomicRMWInst::UMin ||
                    I.getOperation() == AtomicRMWInst::UMax;
  std::string Type = cudaType(Ty);
  if (IsUnsigned)
    Type = IsByte ? "unsigned char" : "unsigned short";
  std::string Change;
  switch (I.getOperation()) {
  case AtomicRMWInst::Xchg:
    Change = "with";
    break;
  case AtomicRMWInst::Add:
    Change = "old + with";
    break;
  case AtomicRMWInst::And:
    Change = "old & with";
    break;
  case AtomicRMWInst::Or:
    Change = "old | with";
    break;
  case AtomicRMWInst::Xor:
    Change = "old ^ with";
    break;
  case AtomicRMWInst::Min:
  case AtomicRMWInst::UMin:
    Change = "old < with ? old : with";
    break;
  case AtomicRMWInst::Max:
  case AtomicRMWInst::UMax:
    Change = "old > with ? old : with";
    break;
  default:
    return fail("an atomic operation that CUDA has no function for").Text;
  }
  std::string Place = "&" + element(I.getPointerOperand(), Ty);
  std::string With = text(I.getValOperand(), Unary);
  std::string Cast = "(" + Type + ")";
  return (IsUnsigned ? "(" + cudaType(Ty) + ")" : "") + UpdateHelper + "(" +
         (IsUnsigned ? "(" + Type + " *)" : "") + Place + ", " + Cast + With +
         ", [](" + Type + " old, " + Type + " with) { return " + Cast + "(" +
         Change + "); })";
}

std::string Values::atomicText(const AtomicRMWInst &I) {
  Type *Ty = I.getType();
  if (Ty->isIntegerTy(8) || Ty->isIntegerTy(16))
    return narrowAtomic(I);
  std::string Place = "&" + element(I.getPointerOperand(), Ty);
  std::string With = text(I.getValOperand());
  const char *Name = nullptr, *Unsigned = nullptr;
  bool IsWide = Ty->isIntegerTy(64);
  if (!Ty->isIntegerTy(32) && !IsWide && !Ty->isFloatTy() && !Ty->isDoubleTy())
    return fail("an atomic operation on numbers of this width").Text;
  const char *Word = IsWide ? "unsigned long long" : "unsigned";
  switch (I.getOperation()) {
  case AtomicRMWInst::FAdd:
    Name = "atomicAdd";
    break;
  case AtomicRMWInst::Xchg:
    Name = "atomicExch";
    Unsigned = IsWide ? Word : nullptr;
    break;
  case AtomicRMWInst::Add:
    Name = "atomicAdd";
    Unsigned = IsWide ? Word : nullptr;
    break;
  case AtomicRMWInst::And:
    Name = "atomicAnd";
    Unsigned = IsWide ? Word : nullptr;
    break;
  case AtomicRMWInst::Or:
    Name = "atomicOr";
    Unsigned = IsWide ? Word : nullptr;
    break;
  case AtomicRMWInst::Xor:
    Name = "atomicXor";
    Unsigned = IsWide ? Word : nullptr;
    break;
  case AtomicRMWInst::Min:
    Name = "atomicMin";
    break;
  case AtomicRMWInst::Max:
    Name = "atomicMax";
    break;
  case AtomicRMWInst::UMin:
    Name = "atomicMin";
    Unsigned = Word;
    break;
  case AtomicRMWInst::UMax:
    Name = "atomicMax";
    Unsigned = Word;
    break;
  default:
    return fail("an atomic operation that CUDA has no function for").Text;
  }
  if (!Unsigned)
    return std::string(Name) + "(" + Place + ", " + With + ")";
  return "(" + cudaType(Ty) + ")" + Name + "((" + Unsigned + " *)" + Place +
         ", (" + Unsigned + ")" + text(I.getValOperand(), Unary) + ")";
}

} // namespace polygpu
