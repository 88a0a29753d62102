//===- Names.cpp - Names of C --------------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cuda/Names.h"
#include "cuda/Helpers.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DerivedTypes.h"

using namespace llvm;

namespace polygpu {

/// Is \p Name one of C++'s, or of CUDA's that kernels use?
static bool isReserved(StringRef Name) {
  static const StringSet<> Words = {
      "alignas",  "alignof",  "and",       "asm",       "auto",      "bitand",
      "bitor",    "bool",     "break",     "case",      "catch",     "char",
      "class",    "compl",    "const",     "constexpr", "continue",  "decltype",
      "default",  "delete",   "do",        "double",    "else",      "enum",
      "explicit", "export",   "extern",    "false",     "float",     "for",
      "friend",   "goto",     "half",      "if",        "inline",    "int",
      "long",     "mutable",  "namespace", "new",       "noexcept",  "not",
      "nullptr",  "operator", "or",        "private",   "protected", "public",
      "register", "restrict", "return",    "short",     "signed",    "sizeof",
      "static",   "struct",   "switch",    "template",  "this",      "throw",
      "true",     "try",      "typedef",   "typeid",    "typename",  "union",
      "unsigned", "using",    "virtual",   "void",      "volatile",  "while",
      "xor",      "min",      "max",       "threadIdx", "blockIdx",  "blockDim",
      "gridDim",  "dim3",     "warpSize",  "fma",       "fmaf",      "sqrt",
      "sqrtf",    "fabs",     "fabsf",     "floor",     "floorf",    "ceil",
      "ceilf",    "trunc",    "truncf",    "rint",      "rintf",     "round",
      "roundf",   "exp",      "expf",      "log",       "logf",      "pow",
      "powf",     "sin",      "sinf",      "cos",       "cosf",      "tan",
      "tanf",     "fmin",     "fminf",     "fmax",      "fmaxf",     "fmod",
      "fmodf",    "stream",   "error",     "cudaFree",  "cudaMalloc"};
  // Macros of headers that come with CUDA.
  static const StringSet<> Macros = {
      "NULL",         "INFINITY",    "NAN",      "HUGE_VAL", "EOF",
      "errno",        "stdin",       "stdout",   "stderr",   "assert",
      "linux",        "unix",        "offsetof", "RAND_MAX", "CHAR_BIT",
      "EXIT_SUCCESS", "EXIT_FAILURE"};
  return Words.contains(Name) || Macros.contains(Name) || isHelper(Name) ||
         Name.starts_with("M_") || Name.starts_with("INT_") ||
         Name.starts_with("__") || Name.starts_with("cuda") ||
         Name.starts_with("atomic");
}

std::string Names::take(StringRef Wish) {
  std::string Name;
  for (char C : Wish)
    Name += isAlnum(C) ? C : '_';
  if (Name.empty() || isDigit(Name[0]))
    Name = "v" + Name;
  if (isReserved(Name))
    Name = (StringRef(Name).starts_with("_") ? "v" : "") + Name + "_";
  std::string Result = Name;
  for (unsigned I = 1; !Used.insert(Result).second; ++I)
    Result = Name + "_" + std::to_string(I);
  return Result;
}

/// A vector, which has no operators: it is loaded and stored, and its parts are
/// numbers.  CUDA's type, or ours.
static std::string vectorType(const FixedVectorType &Ty) {
  const Type *Element = Ty.getElementType();
  unsigned N = Ty.getNumElements();
  if (hasCudaVector(Ty))
    return std::string(Element->isFloatTy()       ? "float"
                       : Element->isDoubleTy()    ? "double"
                       : Element->isIntegerTy(8)  ? "char"
                       : Element->isIntegerTy(16) ? "short"
                       : Element->isIntegerTy(32) ? "int"
                                                  : "longlong") +
           std::to_string(N);
  if (!isPowerOf2_32(N) || cudaElement(Element).empty() ||
      Element->isIntegerTy(1))
    return "";
  return std::string(VectorHelper) + "<" + cudaElement(Element) + ", " +
         std::to_string(N) + ">";
}

bool hasCudaVector(const FixedVectorType &Ty) {
  const Type *Element = Ty.getElementType();
  unsigned N = Ty.getNumElements(), Bits = Element->getPrimitiveSizeInBits();
  bool IsKnown = Element->isFloatTy() || Element->isDoubleTy() ||
                 (Element->isIntegerTy() && isUsual(Bits));
  return IsKnown && (N == 2 || (N == 4 && Bits <= 32));
}

std::string cudaType(const Type *Ty) {
  if (Ty->isFloatTy())
    return "float";
  if (Ty->isDoubleTy())
    return "double";
  if (Ty->isHalfTy())
    return "__half";
  if (const auto *Vector = dyn_cast<FixedVectorType>(Ty))
    return vectorType(*Vector);
  if (!Ty->isIntegerTy())
    return "";
  unsigned Bits = Ty->getIntegerBitWidth();
  if (Bits > 64)
    return "";
  if (Bits == 1)
    return "bool";
  if (Bits == 8)
    return "signed char";
  if (Bits == 16)
    return "short";
  return Bits <= 32 ? "int" : "long long";
}

static std::string integerText(const ConstantInt &C) {
  unsigned Bits = C.getBitWidth();
  if (Bits == 1)
    return C.isOne() ? "true" : "false";
  int64_t V = C.getSExtValue();
  std::string End = Bits > 32 ? "LL" : "";
  if ((Bits == 32 || Bits == 64) && C.getValue().isMinSignedValue())
    return "(" + std::to_string(V + 1) + End + " - 1)";
  return std::to_string(V) + End;
}

/// Finite numbers in decimal digits that are read as the same number.
static std::string floatText(const APFloat &V) {
  bool IsFloat = &V.getSemantics() == &APFloat::IEEEsingle();
  if (!V.isFinite()) {
    APInt Bits = V.bitcastToAPInt();
    return (IsFloat ? "__int_as_float(0x" : "__longlong_as_double(0x") +
           utohexstr(Bits.getZExtValue(), true) + (IsFloat ? ")" : "LL)");
  }
  bool Exact;
  APFloat Wide = V;
  Wide.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &Exact);
  double Double = Wide.convertToDouble();
  std::string Result;
  for (int Digits = 1; Digits <= 17; ++Digits) {
    char Text[40];
    snprintf(Text, sizeof Text, "%.*g", Digits, Double);
    Result = Text;
    APFloat Read(V.getSemantics(), Result);
    if (Read.bitwiseIsEqual(V))
      break;
  }
  if (Result.find_first_of(".eE") == std::string::npos)
    Result += ".0";
  return Result + (IsFloat ? "f" : "");
}

static std::string halfText(const APFloat &V) {
  if (!V.isFinite())
    return "__ushort_as_half(0x" +
           utohexstr(V.bitcastToAPInt().getZExtValue(), true) + ")";
  bool Exact;
  APFloat Float = V;
  Float.convert(APFloat::IEEEsingle(), APFloat::rmNearestTiesToEven, &Exact);
  return "__float2half_rn(" + floatText(Float) + ")";
}

static std::string vectorText(const Constant &C) {
  std::string Parts;
  unsigned N = cast<FixedVectorType>(C.getType())->getNumElements();
  for (unsigned E = 0; E < N; ++E) {
    const Constant *Part = C.getAggregateElement(E);
    std::string Text = Part ? numberText(*Part) : "";
    if (Text.empty())
      return "";
    Parts += (E ? ", " : "") + Text;
  }
  return makeVectorText(*cast<FixedVectorType>(C.getType()), Parts);
}

std::string makeVectorText(const FixedVectorType &Ty,
                           const std::string &Parts) {
  std::string Make = hasCudaVector(Ty)
                         ? "make_" + vectorType(Ty)
                         : std::string(MakeVectorHelper) + "<" +
                               cudaElement(Ty.getElementType()) + ">";
  return Make + "(" + Parts + ")";
}

std::string numberText(const Constant &C) {
  if (cudaType(C.getType()).empty())
    return "";
  if (C.getType()->isVectorTy())
    return vectorText(C);
  if (const auto *I = dyn_cast<ConstantInt>(&C))
    return integerText(*I);
  if (const auto *F = dyn_cast<ConstantFP>(&C))
    return F->getType()->isHalfTy() ? halfText(F->getValueAPF())
                                    : floatText(F->getValueAPF());
  if (isa<UndefValue>(C)) // whatever
    return numberText(*Constant::getNullValue(C.getType()));
  return "";
}

bool isUsual(unsigned Bits) {
  return Bits == 8 || Bits == 16 || Bits == 32 || Bits == 64;
}

std::string cudaElement(const Type *Ty) {
  unsigned Bits = Ty->isIntegerTy() ? Ty->getIntegerBitWidth() : 0;
  return Bits < 2 || isUsual(Bits) ? cudaType(Ty) : "";
}

std::string declarationText(const Type *Ty, const std::string &Name) {
  std::string Extents;
  while (const auto *Array = dyn_cast<ArrayType>(Ty)) {
    Extents += "[" + std::to_string(Array->getNumElements()) + "]";
    Ty = Array->getElementType();
  }
  std::string Element = cudaElement(Ty);
  return Element.empty() ? "" : Element + " " + Name + Extents;
}

} // namespace polygpu
