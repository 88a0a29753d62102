//===- ComplexProducts.cpp - Products of complex numbers ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "prepare/ComplexProducts.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace polygpu {

namespace {

/// (A + iB) * (C + iD), in one type.
class Product {
public:
  explicit Product(CallInst &Call)
      : B(&Call), Ty(Call.getOperand(0)->getType()) {
    B.setFastMathFlags(FastMathFlags()); // each operation is rounded
    for (unsigned N = 0; N < 4; ++N)
      Parts[N] = Call.getArgOperand(N);
  }

  /// Its real and its imaginary part.
  std::pair<Value *, Value *> compute();

private:
  IRBuilder<> B;
  Type *Ty;
  Value *Parts[4]; ///< A, B, C, D

  Value *isNaN(Value *V) { return B.CreateFCmpUNO(V, V); }
  Value *isInfinite(Value *V) {
    return B.CreateFCmpOEQ(B.CreateUnaryIntrinsic(Intrinsic::fabs, V),
                           ConstantFP::getInfinity(Ty));
  }
  Value *withSign(Value *Size, Value *Sign) {
    return B.CreateBinaryIntrinsic(Intrinsic::copysign, Size, Sign);
  }
  void choose(Value *Condition, Value *&Part, Value *New) {
    Part = B.CreateSelect(Condition, New, Part);
  }
  Value *box(unsigned From);
  void dropNaNs(Value *Condition, unsigned From);
};

} // namespace

/// If one of the two parts from \p From on is infinite, they become 1 and 0
/// with their signs, and of the others what is no number becomes 0.
Value *Product::box(unsigned From) {
  Value *Zero = ConstantFP::getZero(Ty), *One = ConstantFP::get(Ty, 1.0);
  Value *First = isInfinite(Parts[From]), *Second = isInfinite(Parts[From + 1]);
  Value *Any = B.CreateOr(First, Second);
  choose(Any, Parts[From],
         withSign(B.CreateSelect(First, One, Zero), Parts[From]));
  choose(Any, Parts[From + 1],
         withSign(B.CreateSelect(Second, One, Zero), Parts[From + 1]));
  dropNaNs(Any, 2 - From);
  return Any;
}

void Product::dropNaNs(Value *Condition, unsigned From) {
  for (unsigned N : {From, From + 1})
    choose(B.CreateAnd(Condition, isNaN(Parts[N])), Parts[N],
           withSign(ConstantFP::getZero(Ty), Parts[N]));
}

std::pair<Value *, Value *> Product::compute() {
  Value *AC = B.CreateFMul(Parts[0], Parts[2]);
  Value *BD = B.CreateFMul(Parts[1], Parts[3]);
  Value *AD = B.CreateFMul(Parts[0], Parts[3]);
  Value *BC = B.CreateFMul(Parts[1], Parts[2]);
  Value *X = B.CreateFSub(AC, BD), *Y = B.CreateFAdd(AD, BC);
  Value *Lost = B.CreateAnd(isNaN(X), isNaN(Y));
  Value *Again = B.CreateOr(box(0), box(2));
  Value *Overflows = B.getFalse();
  for (Value *V : {AC, BD, AD, BC})
    Overflows = B.CreateOr(Overflows, isInfinite(V));
  Overflows = B.CreateAnd(Overflows, B.CreateNot(Again));
  dropNaNs(Overflows, 0);
  dropNaNs(Overflows, 2);
  Lost = B.CreateAnd(Lost, B.CreateOr(Again, Overflows));
  Value *Infinity = ConstantFP::getInfinity(Ty);
  auto Product = [&](unsigned L, unsigned R) {
    return B.CreateFMul(Parts[L], Parts[R]);
  };
  Value *Real = B.CreateFSub(Product(0, 2), Product(1, 3));
  Value *Imaginary = B.CreateFAdd(Product(0, 3), Product(1, 2));
  choose(Lost, X, B.CreateFMul(Infinity, Real));
  choose(Lost, Y, B.CreateFMul(Infinity, Imaginary));
  return {X, Y};
}

/// As x86-64, AArch64 and others pass and return them.
static bool isProduct(const CallInst &Call, Type *Ty) {
  return Call.arg_size() == 4 &&
         all_of(Call.args(),
                [&](const Use &U) { return U->getType() == Ty; }) &&
         (Call.getType() == StructType::get(Ty, Ty) ||
          Call.getType() == FixedVectorType::get(Ty, 2));
}

static void open(CallInst &Call) {
  auto [Real, Imaginary] = Product(Call).compute();
  IRBuilder<> B(&Call);
  Value *Result = PoisonValue::get(Call.getType());
  if (Call.getType()->isVectorTy()) {
    Result = B.CreateInsertElement(Result, Real, uint64_t(0));
    Result = B.CreateInsertElement(Result, Imaginary, uint64_t(1));
  } else {
    Result = B.CreateInsertValue(Result, Real, 0);
    Result = B.CreateInsertValue(Result, Imaginary, 1);
  }
  Call.replaceAllUsesWith(Result);
  Call.eraseFromParent();
}

void openComplexProducts(Function &F) {
  LLVMContext &Ctx = F.getContext();
  for (auto [Name, Ty] :
       {std::pair<StringRef, Type *>{"__muldc3", Type::getDoubleTy(Ctx)},
        {"__mulsc3", Type::getFloatTy(Ctx)}}) {
    Function *Callee = F.getParent()->getFunction(Name);
    if (!Callee || !Callee->isDeclaration())
      continue;
    for (User *U : make_early_inc_range(Callee->users()))
      if (auto *Call = dyn_cast<CallInst>(U);
          Call && Call->getFunction() == &F &&
          Call->getCalledFunction() == Callee && isProduct(*Call, Ty))
        open(*Call);
  }
}

} // namespace polygpu
