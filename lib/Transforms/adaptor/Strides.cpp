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
void __real__ZN4llvm19findArrayDimensionsERNS_15ScalarEvolutionERNS_15SmallVectorImplIPKNS_4SCEVEEES7_S5_(
    ScalarEvolution &SE, SmallVectorImpl<const SCEV *> &Strides,
    SmallVectorImpl<const SCEV *> &Sizes, const SCEV *ElementSize);
void __wrap__ZN4llvm19findArrayDimensionsERNS_15ScalarEvolutionERNS_15SmallVectorImplIPKNS_4SCEVEEES7_S5_(
    ScalarEvolution &SE, SmallVectorImpl<const SCEV *> &Strides,
    SmallVectorImpl<const SCEV *> &Sizes, const SCEV *ElementSize);
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

void __wrap__ZN4llvm19findArrayDimensionsERNS_15ScalarEvolutionERNS_15SmallVectorImplIPKNS_4SCEVEEES7_S5_(
    ScalarEvolution &SE, SmallVectorImpl<const SCEV *> &Strides,
    SmallVectorImpl<const SCEV *> &Sizes, const SCEV *ElementSize) {
  SmallVector<const SCEV *, 8> Products;
  bool Few = all_of(Strides, [&](const SCEV *Stride) {
    return polygpu::addProducts(SE, Stride, Products);
  });
  bool HasSums = Products.size() > Strides.size();
  __real__ZN4llvm19findArrayDimensionsERNS_15ScalarEvolutionERNS_15SmallVectorImplIPKNS_4SCEVEEES7_S5_(
      SE, Strides, Sizes, ElementSize);
  if (!Few || (!Sizes.empty() && !HasSums))
    return;
  SmallVector<const SCEV *, 4> OfProducts;
  __real__ZN4llvm19findArrayDimensionsERNS_15ScalarEvolutionERNS_15SmallVectorImplIPKNS_4SCEVEEES7_S5_(
      SE, Products, OfProducts, ElementSize);
  if (OfProducts.size() > Sizes.size())
    Sizes = OfProducts;
}
