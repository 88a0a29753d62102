//===- Operations.cpp - Operations as operators of C ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cuda/Names.h"
#include "cuda/Values.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace polygpu {

/// \p Text, the result of an operation, as a signed number of the bits of \p
/// Ty.
std::string Values::wrapped(const std::string &Text, const Type &Ty) {
  unsigned Bits = Ty.getIntegerBitWidth();
  std::string Type = cudaType(&Ty);
  if (isUsual(Bits))
    return "(" + Type + ")(" + Text + ")";
  bool IsWide = Bits > 32;
  std::string Rest = std::to_string((IsWide ? 64 : 32) - Bits);
  return "(" + Type + ")((" + (IsWide ? "unsigned long long" : "unsigned") +
         ")(" + Text + ") << " + Rest + ") >> " + Rest;
}

std::string Values::unsignedText(const Value *V, Level Most) {
  unsigned Bits = V->getType()->getIntegerBitWidth();
  if (!isUsual(Bits)) {
    bool IsWide = Bits > 32;
    return std::string("((") + (IsWide ? "unsigned long long" : "unsigned") +
           ")" + text(V, Unary) + " & " +
           std::to_string(maskTrailingOnes<uint64_t>(Bits)) +
           (IsWide ? "ULL)" : "U)");
  }
  if (const auto *C = dyn_cast<ConstantInt>(V); C && Bits >= 32)
    return std::to_string(C->getZExtValue()) + (Bits == 64 ? "ULL" : "U");
  const char *Type = Bits == 64   ? "unsigned long long"
                     : Bits == 32 ? "unsigned"
                     : Bits == 16 ? "unsigned short"
                                  : "unsigned char";
  return enclosed(std::string("(") + Type + ")" + text(V, Unary), Unary, Most);
}

/// May a compiler that fuses products and sums do so with \p Product?  Not
/// where it is only multiplied, divided, compared or passed to functions.
bool Values::mayFuse(const Instruction &Product) const {
  return !all_of(Product.uses(), [&](const Use &U) {
    const auto *I = cast<Instruction>(U.getUser());
    if (isa<FCmpInst>(I) || I->getOpcode() == Instruction::FMul ||
        I->getOpcode() == Instruction::FDiv)
      return true;
    const auto *Call = dyn_cast<CallInst>(I);
    return Call &&
           !(Call->getIntrinsicID() == Intrinsic::fma && U.getOperandNo() == 2);
  });
}

std::string Values::wide(const Value *V, Level Most) {
  return V->getType()->isHalfTy() ? "__half2float(" + text(V) + ")"
                                  : text(V, Most);
}

/// CUDA's operators for half precision may be fused, and its functions not.  A
/// quotient that float has rounded before is the same, since float has more
/// than twice as many digits; a remainder is exact.
Values::Piece Values::half(const BinaryOperator &I) {
  const Value *L = I.getOperand(0), *R = I.getOperand(1);
  auto Call = [&](const char *Name) -> Piece {
    std::string Left = text(L);
    return {std::string(Name) + "(" + Left + ", " + text(R) + ")", Primary};
  };
  std::string Left;
  switch (I.getOpcode()) {
  case Instruction::FAdd:
    return Call("__hadd_rn");
  case Instruction::FSub:
    return Call("__hsub_rn");
  case Instruction::FMul:
    return Call("__hmul_rn");
  case Instruction::FDiv:
    Left = wide(L);
    return {"__float2half_rn(" + Left + " / " + wide(R) + ")", Primary};
  default: // FRem
    Left = wide(L);
    return {"__float2half_rn(fmodf(" + Left + ", " + wide(R) + "))", Primary};
  }
}

Values::Piece Values::binary(const BinaryOperator &I) {
  const Value *L = I.getOperand(0), *R = I.getOperand(1);
  if (I.getType()->isHalfTy())
    return half(I);
  switch (I.getOpcode()) {
  case Instruction::FAdd:
    return {text(L, Add) + " + " + text(R, Multiply), Add};
  case Instruction::FSub:
    return {text(L, Add) + " - " + text(R, Multiply), Add};
  case Instruction::FDiv:
    return {text(L, Multiply) + " / " + text(R, Unary), Multiply};
  case Instruction::FMul: {
    bool IsFloat = I.getType()->isFloatTy();
    if (!I.hasAllowContract() && mayFuse(I)) {
      std::string Left = text(L);
      return {(IsFloat ? "__fmul_rn(" : "__dmul_rn(") + Left + ", " + text(R) +
                  ")",
              Primary};
    }
    std::string Left = text(L, Multiply);
    return {Left + " * " + text(R, Unary), Multiply};
  }
  case Instruction::FRem: {
    std::string Left = text(L);
    return {(I.getType()->isFloatTy() ? "fmodf(" : "fmod(") + Left + ", " +
                text(R) + ")",
            Primary};
  }
  default:
    return integer(I);
  }
}

namespace {
struct Sign {
  unsigned Opcode;
  const char *Text;
  Values::Level Binds;
};
} // namespace

static const Sign Signs[] = {{Instruction::Add, " + ", Values::Add},
                             {Instruction::Sub, " - ", Values::Add},
                             {Instruction::Mul, " * ", Values::Multiply},
                             {Instruction::SDiv, " / ", Values::Multiply},
                             {Instruction::UDiv, " / ", Values::Multiply},
                             {Instruction::SRem, " % ", Values::Multiply},
                             {Instruction::URem, " % ", Values::Multiply},
                             {Instruction::Shl, " << ", Values::Shift},
                             {Instruction::AShr, " >> ", Values::Shift},
                             {Instruction::LShr, " >> ", Values::Shift},
                             {Instruction::And, " & ", Values::BitAnd},
                             {Instruction::Or, " | ", Values::BitOr},
                             {Instruction::Xor, " ^ ", Values::BitXor}};

/// Is the result that of C's operation on signed numbers?
static bool isSigned(const BinaryOperator &I) {
  switch (I.getOpcode()) {
  case Instruction::Add:
  case Instruction::Sub:
  case Instruction::Mul:
    return I.hasNoSignedWrap();
  case Instruction::UDiv:
  case Instruction::URem:
  case Instruction::Shl:
  case Instruction::LShr:
    return false;
  default:
    return true;
  }
}

/// Is \p V nothing, or a product with nothing?
bool Values::isZero(const Value *V) const {
  const auto *Product = dyn_cast<BinaryOperator>(V);
  if (!Product || Product->getOpcode() != Instruction::Mul)
    return isa<ConstantInt>(V) && cast<ConstantInt>(V)->isZero();
  return isZero(Product->getOperand(0)) || isZero(Product->getOperand(1));
}

Values::Piece Values::integer(const BinaryOperator &I) {
  const Value *L = I.getOperand(0), *R = I.getOperand(1);
  const Sign &S =
      *find_if(Signs, [&](const Sign &S) { return S.Opcode == I.getOpcode(); });
  unsigned Bits = I.getType()->getIntegerBitWidth();
  if (Bits == 1) {
    if (I.getOpcode() == Instruction::And || I.getOpcode() == Instruction::Mul)
      return logical(L, " && ", R, And);
    if (I.getOpcode() == Instruction::Or)
      return logical(L, " || ", R, Or);
    if (match(&I, m_Not(m_Value(L))))
      return {"!" + text(L, Primary), Unary};
    if (I.getOpcode() != Instruction::Xor &&
        I.getOpcode() != Instruction::Add && I.getOpcode() != Instruction::Sub)
      return fail("an operation on truth values has no text");
    std::string Left = text(L, Relation);
    return {Left + " != " + text(R, Relation), Equality};
  }
  bool IsShift = S.Binds == Shift;
  // Of those in C that bind in a way that people do not remember, operands are
  // in parentheses.
  Level Left = S.Binds > Add ? Unary : S.Binds;
  Level Right = S.Binds > Add ? Unary : Level(S.Binds - 1);
  std::string Type = "(" + cudaType(I.getType()) + ")";
  if (isZero(&I))
    return {Bits > 32 ? "0LL" : "0", Primary};
  if (I.getOpcode() == Instruction::Mul && match(R, m_One()))
    return piece(L);
  if (I.getOpcode() == Instruction::Mul && match(L, m_One()))
    return piece(R);
  if (I.getOpcode() == Instruction::Add && isZero(L))
    return piece(R);
  if (I.getOpcode() == Instruction::Add && isZero(R))
    return piece(L);
  if (Bits < 32 || !isUsual(Bits)) { // computed in C's next type
    bool Unsigned = !isSigned(I) && I.getOpcode() != Instruction::Add &&
                    I.getOpcode() != Instruction::Sub &&
                    I.getOpcode() != Instruction::Mul;
    bool Wide = !isUsual(Bits); // those of 16 bits fit into an int
    std::string First = Unsigned || Wide ? unsignedText(L) : text(L, Left);
    std::string Second = IsShift            ? text(R, Unary)
                         : Unsigned || Wide ? unsignedText(R)
                                            : text(R, Right);
    if (isSigned(I) && (IsShift || I.getOpcode() == Instruction::SDiv ||
                        I.getOpcode() == Instruction::SRem)) {
      First = text(L, Unary);
      Second = text(R, Unary);
    }
    return {wrapped(First + S.Text + Second, *I.getType()),
            isUsual(Bits) ? Unary : Shift};
  }
  if (isSigned(I)) {
    if (match(&I, m_Neg(m_Value(L))))
      return {"-" + text(L, Primary), Unary};
    if (match(&I, m_Not(m_Value(L))))
      return {"~" + text(L, Primary), Unary};
    // A sum with a negative number is a difference.
    if (auto *C = dyn_cast<ConstantInt>(R);
        C && I.getOpcode() == Instruction::Add && C->isNegative() &&
        !C->getValue().isMinSignedValue()) {
      auto *Positive = ConstantInt::get(C->getType(), -C->getValue());
      auto [First, Second] = operands(L, Positive, Add, Multiply);
      return {First + " - " + Second, Add};
    }
    if (IsShift) {
      std::string First = text(L, Left);
      return {First + S.Text + loose(R, Right), S.Binds};
    }
    auto [First, Second] = operands(L, R, Left, Right);
    return {First + S.Text + Second, S.Binds};
  }
  std::string First = unsignedText(L);
  return {Type + "(" + First + S.Text +
              (IsShift ? loose(R, Unary) : unsignedText(R)) + ")",
          Unary};
}

Values::Piece Values::compare(const CmpInst &I) {
  if (const auto *Floats = dyn_cast<FCmpInst>(&I))
    return compareFloats(*Floats);
  return compareIntegers(I, I.getPredicate());
}

/// The same with another predicate.
Values::Piece Values::compareIntegers(const CmpInst &I,
                                      CmpInst::Predicate Predicate) {
  const Value *L = I.getOperand(0), *R = I.getOperand(1);
  if (!L->getType()->isIntegerTy() || cudaType(L->getType()).empty())
    return fail("a comparison of values that the text has no type for");
  std::string Sign;
  switch (Predicate) {
  case CmpInst::ICMP_EQ:
  case CmpInst::ICMP_NE: {
    auto [First, Second] = operands(L, R, Relation, Relation);
    return {First + (Predicate == CmpInst::ICMP_EQ ? " == " : " != ") + Second,
            Equality};
  }
  case CmpInst::ICMP_SLT:
  case CmpInst::ICMP_ULT:
    Sign = " < ";
    break;
  case CmpInst::ICMP_SLE:
  case CmpInst::ICMP_ULE:
    Sign = " <= ";
    break;
  case CmpInst::ICMP_SGT:
  case CmpInst::ICMP_UGT:
    Sign = " > ";
    break;
  default:
    Sign = " >= ";
  }
  if (I.isUnsigned() || L->getType()->isIntegerTy(1)) {
    // As signed numbers, true is -1.
    bool Swapped = !I.isUnsigned();
    std::string First =
        L->getType()->isIntegerTy(1) ? text(L, Add) : unsignedText(L);
    std::string Second =
        L->getType()->isIntegerTy(1) ? text(R, Add) : unsignedText(R);
    return {Swapped ? Second + Sign + First : First + Sign + Second, Relation};
  }
  auto [First, Second] = operands(L, R, Add, Add);
  return {First + Sign + Second, Relation};
}

Values::Piece Values::compareFloats(const FCmpInst &I) {
  std::string L = wide(I.getOperand(0), Add), R = wide(I.getOperand(1), Add);
  auto Not = [&](const char *Sign) -> Piece {
    return {"!(" + L + Sign + R + ")", Unary};
  };
  switch (I.getPredicate()) {
  case CmpInst::FCMP_FALSE:
    return {"false", Primary};
  case CmpInst::FCMP_TRUE:
    return {"true", Primary};
  case CmpInst::FCMP_OEQ:
    return {L + " == " + R, Equality};
  case CmpInst::FCMP_OGT:
    return {L + " > " + R, Relation};
  case CmpInst::FCMP_OGE:
    return {L + " >= " + R, Relation};
  case CmpInst::FCMP_OLT:
    return {L + " < " + R, Relation};
  case CmpInst::FCMP_OLE:
    return {L + " <= " + R, Relation};
  case CmpInst::FCMP_UNE:
    return {L + " != " + R, Equality};
  case CmpInst::FCMP_UGT:
    return Not(" <= ");
  case CmpInst::FCMP_UGE:
    return Not(" < ");
  case CmpInst::FCMP_ULT:
    return Not(" >= ");
  case CmpInst::FCMP_ULE:
    return Not(" > ");
  case CmpInst::FCMP_ONE:
    return {"(" + L + " < " + R + " || " + L + " > " + R + ")", Primary};
  case CmpInst::FCMP_UEQ:
    return {"!(" + L + " < " + R + " || " + L + " > " + R + ")", Unary};
  case CmpInst::FCMP_ORD:
    return {"(" + L + " == " + L + " && " + R + " == " + R + ")", Primary};
  default: // FCMP_UNO
    return {"(" + L + " != " + L + " || " + R + " != " + R + ")", Primary};
  }
}

Values::Piece Values::bits(const CastInst &I) {
  const Value *V = I.getOperand(0);
  Type *From = V->getType(), *To = I.getType();
  const char *Name = nullptr;
  if (From->isFloatTy() && To->isIntegerTy(32))
    Name = "__float_as_int(";
  else if (From->isIntegerTy(32) && To->isFloatTy())
    Name = "__int_as_float(";
  else if (From->isDoubleTy() && To->isIntegerTy(64))
    Name = "__double_as_longlong(";
  else if (From->isIntegerTy(64) && To->isDoubleTy())
    Name = "__longlong_as_double(";
  else if (From->isHalfTy() && To->isIntegerTy(16))
    Name = "__half_as_short(";
  else if (From->isIntegerTy(16) && To->isHalfTy())
    Name = "__short_as_half(";
  if (From == To)
    return piece(V);
  if (!Name)
    return fail("bits of a value are used as those of a type that the text has "
                "no word for");
  return {Name + text(V) + ")", Primary};
}

/// \p I, a conversion to half precision.  Integers that float rounds are too
/// large for it.
Values::Piece Values::toHalf(const CastInst &I) {
  const Value *V = I.getOperand(0);
  if (V->getType()->isDoubleTy())
    return {"__double2half(" + text(V) + ")", Primary};
  if (V->getType()->isFloatTy())
    return {"__float2half_rn(" + text(V) + ")", Primary};
  bool FromBool = V->getType()->isIntegerTy(1);
  bool IsSigned = I.getOpcode() == Instruction::SIToFP;
  return {std::string("__float2half_rn(") + (FromBool && IsSigned ? "-" : "") +
              "(float)" +
              (FromBool || IsSigned ? text(V, Unary) : unsignedText(V)) + ")",
          Primary};
}

Values::Piece Values::conversion(const CastInst &I) {
  const Value *V = I.getOperand(0);
  std::string To = "(" + cudaType(I.getType()) + ")";
  bool FromBool = V->getType()->isIntegerTy(1);
  if (isa<PtrToIntInst>(I) && isNamed(V) && I.getType()->isIntegerTy(64))
    return {"(long long)" + nameOf(V), Unary};
  if (cudaType(V->getType()).empty())
    return fail("a value has a type that the text has no word for (an unusual "
                "width)");
  if (I.getType()->isHalfTy() && I.getOpcode() != Instruction::BitCast)
    return toHalf(I);
  switch (I.getOpcode()) {
  case Instruction::Trunc:
    if (I.getType()->isIntegerTy(1))
      return {"(" + text(V, Unary) + " & 1) != 0", Equality};
    if (!isUsual(I.getType()->getIntegerBitWidth()))
      return {wrapped(text(V), *I.getType()), Shift};
    return {To + text(V, Unary), Unary};
  case Instruction::ZExt:
    if (FromBool || I.hasNonNeg())
      return {To + text(V, Unary), Unary};
    return {To + unsignedText(V), Unary};
  case Instruction::SExt:
    if (FromBool)
      return {"-" + To + text(V, Unary), Unary};
    return {To + text(V, Unary), Unary};
  case Instruction::SIToFP:
    if (FromBool)
      return {"-" + To + text(V, Unary), Unary};
    return {To + text(V, Unary), Unary};
  case Instruction::UIToFP:
    return {To + (FromBool ? text(V, Unary) : unsignedText(V)), Unary};
  case Instruction::FPExt:
    if (I.getType()->isFloatTy())
      return {wide(V), Primary}; // of half precision
    return {To + wide(V, Unary), Unary};
  case Instruction::FPToSI:
  case Instruction::FPTrunc:
    return {To + wide(V, Unary), Unary};
  case Instruction::FPToUI: {
    const Type &Ty = *I.getType();
    if (!isUsual(Ty.getIntegerBitWidth()))
      return {wrapped((Ty.getIntegerBitWidth() > 32 ? "(unsigned long long)"
                                                    : "(unsigned)") +
                          wide(V, Unary),
                      Ty),
              Shift};
    return {To + "(unsigned " + (Ty.isIntegerTy(8) ? "char" : cudaType(&Ty)) +
                ")" + wide(V, Unary),
            Unary};
  }
  case Instruction::BitCast:
    return bits(I);
  default:
    return fail("a pointer is used as a number");
  }
}

static std::string partOf(const std::string &Vector, const FixedVectorType &Ty,
                          unsigned Number) {
  return Vector + (hasCudaVector(Ty) ? std::string(".") + "xyzw"[Number]
                                     : ".part[" + std::to_string(Number) + "]");
}

Values::Piece Values::elementOf(const ExtractElementInst &I) {
  const auto *Index = dyn_cast<ConstantInt>(I.getIndexOperand());
  const auto *Ty = cast<FixedVectorType>(I.getVectorOperandType());
  if (!Index || cudaType(Ty).empty())
    return fail("a part of a vector has no text");
  return {
      partOf(text(I.getVectorOperand(), Primary), *Ty, Index->getZExtValue()),
      Primary};
}

/// A vector of which elements are given one after the other, the others by what
/// was there before.
Values::Piece Values::vector(const InsertElementInst &I) {
  const auto *Ty = cast<FixedVectorType>(I.getType());
  unsigned N = Ty->getNumElements();
  SmallVector<const Value *, 16> Elements(N);
  const Value *V = &I;
  while (const auto *Insert = dyn_cast<InsertElementInst>(V)) {
    if (Insert != &I && isNamed(Insert))
      break;
    const auto *Index = dyn_cast<ConstantInt>(Insert->getOperand(2));
    if (!Index)
      return fail("a part of a vector has no text");
    if (!Elements[Index->getZExtValue()])
      Elements[Index->getZExtValue()] = Insert->getOperand(1);
    V = Insert->getOperand(0);
  }
  std::string Parts;
  for (unsigned E = 0; E < N; ++E) {
    const auto *C = dyn_cast<Constant>(V);
    const Value *Part =
        !Elements[E] && C ? C->getAggregateElement(E) : Elements[E];
    if (!Part && !isNamed(V))
      return fail("a part of a vector has no text");
    Parts += (E ? ", " : "") + (Part ? text(Part) : partOf(nameOf(V), *Ty, E));
  }
  return {makeVectorText(*Ty, Parts), Primary};
}

Values::Piece Values::select(const SelectInst &I) {
  std::string Test = text(I.getCondition(), Or);
  std::string True = text(I.getTrueValue(), Or);
  return {Test + " ? " + True + " : " + text(I.getFalseValue(), Or), Choice};
}

} // namespace polygpu
