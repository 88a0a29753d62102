//===- Strides.cpp - Strides as sums of products --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "adaptor/Strides.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"

using namespace llvm;

// The function of LLVM, and what Polly calls instead; the names are mangled.
extern "C" {
void __real__ZN4llvm22collectParametricTermsERNS_15ScalarEvolutionEPKNS_4SCEVERNS_15SmallVectorImplIS4_EE(
    ScalarEvolution &SE, const SCEV *Expr,
    SmallVectorImpl<const SCEV *> &Terms);
void __wrap__ZN4llvm22collectParametricTermsERNS_15ScalarEvolutionEPKNS_4SCEVERNS_15SmallVectorImplIS4_EE(
    ScalarEvolution &SE, const SCEV *Expr,
    SmallVectorImpl<const SCEV *> &Terms);
}

namespace polygpu {

/// No address of a real program has more.
static const unsigned MaxProducts = 64;

bool addProducts(ScalarEvolution &SE, const SCEV *Stride,
                 SmallVectorImpl<const SCEV *> &Products) {
  if (Products.size() >= MaxProducts)
    return false;
  if (isa<SCEVAddExpr>(Stride))
    return all_of(Stride->operands(), [&](const SCEV *Summand) {
      return addProducts(SE, Summand, Products);
    });
  if (isa<SCEVMulExpr>(Stride)) {
    SmallVector<const SCEV *, 4> Rest(Stride->operands());
    auto *Sum =
        find_if(Rest, [](const SCEV *E) { return isa<SCEVAddExpr>(E); });
    if (Sum != Rest.end()) {
      const SCEV *Factor = *Sum;
      Rest.erase(Sum);
      return all_of(Factor->operands(), [&](const SCEV *Summand) {
        SmallVector<const SCEV *, 4> Product(Rest);
        Product.push_back(Summand);
        return addProducts(SE, SE.getMulExpr(Product), Products);
      });
    }
  }
  if (!isa<SCEVConstant>(Stride))
    Products.push_back(Stride);
  return true;
}

} // namespace polygpu

void __wrap__ZN4llvm22collectParametricTermsERNS_15ScalarEvolutionEPKNS_4SCEVERNS_15SmallVectorImplIS4_EE(
    ScalarEvolution &SE, const SCEV *Expr,
    SmallVectorImpl<const SCEV *> &Terms) {
  SmallVector<const SCEV *, 4> Strides;
  __real__ZN4llvm22collectParametricTermsERNS_15ScalarEvolutionEPKNS_4SCEVERNS_15SmallVectorImplIS4_EE(
      SE, Expr, Strides);
  for (const SCEV *Stride : Strides) {
    SmallVector<const SCEV *, 8> Products;
    if (polygpu::addProducts(SE, Stride, Products))
      Terms.append(Products);
    else
      Terms.push_back(Stride);
  }
}
