//===- AddressSums.cpp - Polynomials of scalar evolution ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AddressSums.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"

using namespace llvm;

namespace polygpu {

std::optional<AddressSum> addressSum(const SCEV *E, Type *Ty,
                                     ScalarEvolution &SE) {
  if (E->getType() != Ty || SE.getTypeSizeInBits(Ty) > 64)
    return std::nullopt;
  if (const auto *C = dyn_cast<SCEVConstant>(E))
    return AddressSum({{}, C->getAPInt().getSExtValue()});
  if (isa<SCEVAddExpr, SCEVMulExpr>(E)) {
    bool IsSum = isa<SCEVAddExpr>(E);
    AddressSum Result({{}, IsSum ? 0 : 1});
    for (const SCEV *Op : E->operands()) {
      auto P = addressSum(Op, Ty, SE);
      if (!P)
        return std::nullopt;
      if (IsSum)
        Result += *P;
      else if (!Result.multiply(*P))
        return std::nullopt;
    }
    return Result;
  }
  if (const auto *Rec = dyn_cast<SCEVAddRecExpr>(E)) {
    if (!Rec->isAffine())
      return std::nullopt;
    auto Start = addressSum(Rec->getStart(), Ty, SE);
    auto Step = addressSum(Rec->getStepRecurrence(SE), Ty, SE);
    if (!Start || !Step)
      return std::nullopt;
    const SCEV *Counter = SE.getAddRecExpr(SE.getZero(Ty), SE.getOne(Ty),
                                           Rec->getLoop(), SCEV::FlagAnyWrap);
    Start->add(*Step, {{Counter}, 1});
    return Start->isTooLarge() ? std::nullopt : Start;
  }
  return AddressSum({{E}, 1});
}

const SCEV *expressionOf(const AddressSum &P, Type *Ty, ScalarEvolution &SE) {
  SmallVector<const SCEV *, 8> Sum;
  for (AddressSum::Term T : P.terms()) {
    T.Variables.push_back(SE.getConstant(Ty, T.Factor, /*isSigned=*/true));
    Sum.push_back(SE.getMulExpr(T.Variables));
  }
  return Sum.empty() ? SE.getZero(Ty) : SE.getAddExpr(Sum);
}

} // namespace polygpu
