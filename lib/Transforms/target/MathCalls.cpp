//===- MathCalls.cpp - Calls that a kernel may contain --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "target/MathCalls.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace {

/// Functions of the C math library on double, by number of operands; the
/// float version has the suffix f.  libdevice has `__nv_NAME` for each.
const StringMap<unsigned> &doubleFunctions() {
  static const StringMap<unsigned> Map = {
      {"acos", 1},  {"acosh", 1}, {"asin", 1},   {"asinh", 1}, {"atan", 1},
      {"atan2", 2}, {"atanh", 1}, {"cbrt", 1},   {"cos", 1},   {"cosh", 1},
      {"erf", 1},   {"erfc", 1},  {"exp", 1},    {"exp2", 1},  {"expm1", 1},
      {"fdim", 2},  {"fmod", 2},  {"hypot", 2},  {"log", 1},   {"log10", 1},
      {"log1p", 1}, {"log2", 1},  {"pow", 2},    {"sin", 1},   {"sinh", 1},
      {"tan", 1},   {"tanh", 1},  {"tgamma", 1}, {"lgamma", 1}};
  return Map;
}

/// Functions for which the back ends have an instruction, as intrinsics.
const StringMap<unsigned> &exactFunctions() {
  static const StringMap<unsigned> Map = {
      {"sqrt", 1},  {"fabs", 1},      {"floor", 1}, {"ceil", 1},
      {"trunc", 1}, {"copysign", 2},  {"fmin", 2},  {"fmax", 2},
      {"rint", 1},  {"nearbyint", 1}, {"fma", 3},   {"round", 1}};
  return Map;
}

const StringMap<Intrinsic::ID> &exactIntrinsics() {
  static const StringMap<Intrinsic::ID> Map = {
      {"sqrt", Intrinsic::sqrt},   {"fabs", Intrinsic::fabs},
      {"floor", Intrinsic::floor}, {"ceil", Intrinsic::ceil},
      {"trunc", Intrinsic::trunc}, {"copysign", Intrinsic::copysign},
      {"fmin", Intrinsic::minnum}, {"fmax", Intrinsic::maxnum},
      {"rint", Intrinsic::rint},   {"nearbyint", Intrinsic::nearbyint},
      {"fma", Intrinsic::fma},     {"round", Intrinsic::round}};
  return Map;
}

/// Split "expf" into "exp" and float; \p Operands is 0 for unknown names.
Type *splitName(StringRef Name, const StringMap<unsigned> &Map,
                LLVMContext &Ctx, unsigned &Operands) {
  Operands = Map.lookup(Name);
  if (Operands)
    return Type::getDoubleTy(Ctx);
  if (Name.ends_with("f"))
    Operands = Map.lookup(Name.drop_back());
  return Operands ? Type::getFloatTy(Ctx) : nullptr;
}

/// Does \p Call look like that of a function in \p Map, which is not in the
/// module itself?
bool isMathFunction(const CallBase &Call, const StringMap<unsigned> &Map) {
  const Function *Callee = Call.getCalledFunction();
  if (!Callee || Callee->isIntrinsic() || !Callee->isDeclaration())
    return false;
  unsigned Operands;
  Type *Ty = splitName(Callee->getName(), Map, Call.getContext(), Operands);
  if (!Ty || Call.getType() != Ty || Call.arg_size() != Operands ||
      Callee->isVarArg())
    return false;
  return all_of(Call.args(), [Ty](const Use &U) { return U->getType() == Ty; });
}

StringRef intrinsicLibraryName(Intrinsic::ID ID, bool IsFloat) {
  switch (ID) {
  case Intrinsic::exp:
    return IsFloat ? "expf" : "exp";
  case Intrinsic::exp2:
    return IsFloat ? "exp2f" : "exp2";
  case Intrinsic::log:
    return IsFloat ? "logf" : "log";
  case Intrinsic::log2:
    return IsFloat ? "log2f" : "log2";
  case Intrinsic::log10:
    return IsFloat ? "log10f" : "log10";
  case Intrinsic::sin:
    return IsFloat ? "sinf" : "sin";
  case Intrinsic::cos:
    return IsFloat ? "cosf" : "cos";
  case Intrinsic::tan:
    return IsFloat ? "tanf" : "tan";
  case Intrinsic::pow:
    return IsFloat ? "powf" : "pow";
  default:
    return "";
  }
}

bool isExactIntrinsic(Intrinsic::ID ID) {
  switch (ID) {
  case Intrinsic::fma:
  case Intrinsic::fmuladd:
  case Intrinsic::sqrt:
  case Intrinsic::fabs:
  case Intrinsic::floor:
  case Intrinsic::ceil:
  case Intrinsic::trunc:
  case Intrinsic::rint:
  case Intrinsic::nearbyint:
  case Intrinsic::round:
  case Intrinsic::roundeven:
  case Intrinsic::copysign:
  case Intrinsic::minnum:
  case Intrinsic::maxnum:
  case Intrinsic::smin:
  case Intrinsic::smax:
  case Intrinsic::umin:
  case Intrinsic::umax:
  case Intrinsic::sadd_sat:
  case Intrinsic::uadd_sat:
  case Intrinsic::ssub_sat:
  case Intrinsic::usub_sat:
  case Intrinsic::scmp:
  case Intrinsic::ucmp:
  case Intrinsic::abs:
  case Intrinsic::ctpop:
  case Intrinsic::ctlz:
  case Intrinsic::cttz:
  case Intrinsic::fshl:
  case Intrinsic::fshr:
  case Intrinsic::bswap:
  case Intrinsic::bitreverse:
    return true;
  default:
    return false;
  }
}

} // namespace

namespace polygpu {

bool isMathCall(const CallBase &Call, const TargetLibraryInfo &TLI) {
  if (Call.isNoBuiltin() || (!isMathFunction(Call, doubleFunctions()) &&
                             !isMathFunction(Call, exactFunctions())))
    return false;
  LibFunc Known;
  if (TLI.getLibFunc(*Call.getCalledFunction(), Known))
    return TLI.has(Known);
  // LLVM has no number for erfc, fma and lgamma.
  const Function &F = *Call.getFunction();
  StringRef Name = Call.getCalledFunction()->getName();
  return !F.hasFnAttribute("no-builtins") &&
         !F.hasFnAttribute(("no-builtin-" + Name).str());
}

/// Is \p Name a function of the program itself?
static bool isDefined(const Module &M, StringRef Name) {
  const GlobalValue *G = Name.empty() ? nullptr : M.getNamedValue(Name);
  return G && !G->isDeclaration();
}

StringRef libraryName(const CallBase &Call) {
  if (const auto *II = dyn_cast<IntrinsicInst>(&Call)) {
    if (!II->getType()->isFloatTy() && !II->getType()->isDoubleTy())
      return "";
    StringRef Name =
        intrinsicLibraryName(II->getIntrinsicID(), II->getType()->isFloatTy());
    return isDefined(*II->getModule(), Name) ? "" : Name;
  }
  if (Call.getAttributes().hasFnAttr(MathAttribute))
    return Call.getCalledFunction()->getName();
  return "";
}

CallKind classifyCall(const CallBase &Call) {
  if (const auto *II = dyn_cast<IntrinsicInst>(&Call)) {
    // Half would be fused in float and rounded twice on the host; what only
    // touches the sign is the same.
    Intrinsic::ID ID = II->getIntrinsicID();
    bool IsHalf = II->getType()->getScalarType()->isHalfTy();
    bool IsSign = ID == Intrinsic::fabs || ID == Intrinsic::copysign;
    // Of Fortran and Rust: what is too large becomes the largest number, on the
    // device as well.
    if (ID == Intrinsic::fptosi_sat || ID == Intrinsic::fptoui_sat) {
      const Type *From = II->getArgOperand(0)->getType();
      return From->isFloatTy() || From->isDoubleTy() ? CallKind::Intrinsic
                                                     : CallKind::Refused;
    }
    if (isExactIntrinsic(ID) && (!IsHalf || IsSign))
      return CallKind::Intrinsic;
  }
  return libraryName(Call).empty() ? CallKind::Refused : CallKind::Library;
}

Intrinsic::ID exactIntrinsic(StringRef Name) {
  auto It = exactIntrinsics().find(Name);
  if (It == exactIntrinsics().end() && Name.ends_with("f"))
    It = exactIntrinsics().find(Name.drop_back());
  return It == exactIntrinsics().end() ? Intrinsic::not_intrinsic : It->second;
}

std::string libdeviceName(StringRef Name) {
  auto Known = [](StringRef N) {
    return doubleFunctions().count(N) || exactFunctions().count(N);
  };
  if (Known(Name) || (Name.ends_with("f") && Known(Name.drop_back())))
    return ("__nv_" + Name).str();
  return "";
}

} // namespace polygpu
