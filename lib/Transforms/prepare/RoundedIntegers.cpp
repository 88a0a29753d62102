//===- RoundedIntegers.cpp - lrint, lround and their like -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "prepare/RoundedIntegers.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/TargetParser/Triple.h"

using namespace llvm;

/// How a call of the library rounds, of which LLVM has no number, or 0.
static Intrinsic::ID libraryRounding(const CallInst &Call) {
  const Function *Callee = Call.getCalledFunction(), &F = *Call.getFunction();
  if (!Callee || !Callee->isDeclaration() || Callee->isVarArg() ||
      Call.isNoBuiltin())
    return Intrinsic::not_intrinsic;
  StringRef Name = Callee->getName();
  if (F.hasFnAttribute("no-builtins") ||
      F.hasFnAttribute(("no-builtin-" + Name).str()) ||
      Name.consume_back("f") != Call.getArgOperand(0)->getType()->isFloatTy())
    return Intrinsic::not_intrinsic;
  return StringSwitch<Intrinsic::ID>(Name)
      .Cases({"lrint", "llrint"}, Intrinsic::rint)
      .Cases({"lround", "llround"}, Intrinsic::round)
      .Default(Intrinsic::not_intrinsic);
}

static Intrinsic::ID roundingOf(const CallInst &Call) {
  const Type *From =
      Call.arg_size() == 1 ? Call.getArgOperand(0)->getType() : Call.getType();
  if (!From->isFloatTy() && !From->isDoubleTy())
    return Intrinsic::not_intrinsic;
  // Fortran's nint calls lround and takes 32 bits of what it returns.
  if (Call.getType()->isIntegerTy(32) &&
      Call.getIntrinsicID() == Intrinsic::lround)
    return Intrinsic::round;
  if (!Call.getType()->isIntegerTy(64))
    return Intrinsic::not_intrinsic;
  switch (Call.getIntrinsicID()) {
  case Intrinsic::lrint:
  case Intrinsic::llrint:
    return Intrinsic::rint;
  case Intrinsic::lround:
  case Intrinsic::llround:
    return Intrinsic::round;
  default:
    return libraryRounding(Call);
  }
}

namespace polygpu {

void openRoundedIntegers(Function &F, const LoopInfo &LI) {
  if (!F.getParent()->getTargetTriple().isX86_64())
    return;
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    auto *Call = dyn_cast<CallInst>(&I);
    Intrinsic::ID Rounding =
        Call && LI.getLoopFor(I.getParent()) && !Call->isStrictFP()
            ? roundingOf(*Call)
            : Intrinsic::not_intrinsic;
    if (!Rounding)
      continue;
    IRBuilder<> B(Call);
    Type *From = Call->getArgOperand(0)->getType(), *To = B.getInt64Ty();
    Value *Number = B.CreateUnaryIntrinsic(Rounding, Call->getArgOperand(0));
    // Both are powers of two, which each format has.
    const double End = 0x1p63;
    Value *Fits =
        B.CreateAnd(B.CreateFCmpOGE(Number, ConstantFP::get(From, -End)),
                    B.CreateFCmpOLT(Number, ConstantFP::get(From, End)));
    Value *Result =
        B.CreateSelect(Fits, B.CreateFPToSI(Number, To),
                       ConstantInt::get(To, APInt::getSignedMinValue(64)));
    Result = B.CreateTrunc(Result, Call->getType());
    Result->takeName(Call);
    Call->replaceAllUsesWith(Result);
    Call->eraseFromParent();
  }
}

} // namespace polygpu
