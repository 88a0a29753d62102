//===- Strides.cpp - Rows that are sums or products -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "adaptor/Strides.h"
#include "AddressSums.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"

using namespace llvm;

// Functions of LLVM, and what Polly calls instead; the names are mangled.
extern "C" {
void __real__ZN4llvm19findArrayDimensionsERNS_15ScalarEvolutionERNS_15SmallVectorImplIPKNS_4SCEVEEES7_S5_(
    ScalarEvolution &SE, SmallVectorImpl<const SCEV *> &Strides,
    SmallVectorImpl<const SCEV *> &Sizes, const SCEV *ElementSize);
void __wrap__ZN4llvm19findArrayDimensionsERNS_15ScalarEvolutionERNS_15SmallVectorImplIPKNS_4SCEVEEES7_S5_(
    ScalarEvolution &SE, SmallVectorImpl<const SCEV *> &Strides,
    SmallVectorImpl<const SCEV *> &Sizes, const SCEV *ElementSize);
void __real__ZN4llvm22computeAccessFunctionsERNS_15ScalarEvolutionEPKNS_4SCEVERNS_15SmallVectorImplIS4_EES7_(
    ScalarEvolution &SE, const SCEV *Offset,
    SmallVectorImpl<const SCEV *> &Subscripts,
    SmallVectorImpl<const SCEV *> &Sizes);
void __wrap__ZN4llvm22computeAccessFunctionsERNS_15ScalarEvolutionEPKNS_4SCEVERNS_15SmallVectorImplIS4_EES7_(
    ScalarEvolution &SE, const SCEV *Offset,
    SmallVectorImpl<const SCEV *> &Subscripts,
    SmallVectorImpl<const SCEV *> &Sizes);
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

/// The subscripts of the byte \p Offset in an array with rows of \p Sizes, the
/// last of which is that of an element; none where that is no sum of products.
static SmallVector<const SCEV *, 4> subscriptsOf(ScalarEvolution &SE,
                                                 const SCEV *Offset,
                                                 ArrayRef<const SCEV *> Sizes) {
  SmallVector<const SCEV *, 4> Subscripts;
  Type *Ty = Offset->getType();
  auto Left = addressSum(Offset, Ty, SE);
  for (size_t D = Sizes.size(); D-- > 0;) {
    auto Size = addressSum(Sizes[D], Ty, SE);
    auto Division = Left && Size ? Left->divide(*Size) : std::nullopt;
    if (!Division)
      return {};
    bool IsElement = D + 1 == Sizes.size();
    if (IsElement && !Division->second.isZero())
      return {};
    if (!IsElement)
      Subscripts.push_back(expressionOf(Division->second, Ty, SE));
    Left = Division->first;
  }
  Subscripts.push_back(expressionOf(*Left, Ty, SE));
  std::reverse(Subscripts.begin(), Subscripts.end());
  return Subscripts;
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

void __wrap__ZN4llvm22computeAccessFunctionsERNS_15ScalarEvolutionEPKNS_4SCEVERNS_15SmallVectorImplIS4_EES7_(
    ScalarEvolution &SE, const SCEV *Offset,
    SmallVectorImpl<const SCEV *> &Subscripts,
    SmallVectorImpl<const SCEV *> &Sizes) {
  __real__ZN4llvm22computeAccessFunctionsERNS_15ScalarEvolutionEPKNS_4SCEVERNS_15SmallVectorImplIS4_EES7_(
      SE, Offset, Subscripts, Sizes);
  if (Subscripts.empty() ||
      none_of(Sizes, [](const SCEV *Size) { return isa<SCEVMulExpr>(Size); }))
    return;
  auto Better = polygpu::subscriptsOf(SE, Offset, Sizes);
  if (!Better.empty())
    Subscripts = Better;
}
