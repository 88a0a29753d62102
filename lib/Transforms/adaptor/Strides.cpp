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

/// Row sizes and that of an element as LLVM finds them, or if it finds more in
/// the products that \p Strides are sums of, those.
static void findProducts(ScalarEvolution &SE,
                         SmallVectorImpl<const SCEV *> &Strides,
                         SmallVectorImpl<const SCEV *> &Sizes,
                         const SCEV *ElementSize) {
  SmallVector<const SCEV *, 8> Products;
  bool Few = all_of(Strides, [&](const SCEV *Stride) {
    return addProducts(SE, Stride, Products);
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

/// Row sizes and that of an element, if each of \p Strides is one of the
/// elements inside of it, times a size: (1 + n) and (1 + n) * (1 + m).  None if
/// not, or if LLVM knows as many.
static void findSums(ScalarEvolution &SE, ArrayRef<const SCEV *> Strides,
                     SmallVectorImpl<const SCEV *> &Sizes,
                     const SCEV *ElementSize) {
  SmallVector<AddressSum, 8> Chain;
  Type *Ty = ElementSize->getType();
  for (const SCEV *Stride : Strides) {
    bool IsSummand = any_of(Strides, [&](const SCEV *Sum) {
      return isa<SCEVAddExpr>(Sum) && is_contained(Sum->operands(), Stride);
    });
    auto P = addressSum(Stride, Ty, SE);
    if (!P)
      return;
    if (!IsSummand && P->degree() > 0 && !is_contained(Chain, *P))
      Chain.insert(find_if(Chain,
                           [&](const AddressSum &Other) {
                             return Other.degree() > P->degree();
                           }),
                   *P);
  }
  auto Part = addressSum(ElementSize, Ty, SE);
  SmallVector<const SCEV *, 4> Found = {ElementSize};
  for (const AddressSum &Stride : Chain) {
    auto Division = Part ? Stride.divide(*Part) : std::nullopt;
    if (!Division || !Division->second.isZero())
      return;
    if (Division->first.degree() == 0)
      continue;
    Found.insert(Found.begin(), expressionOf(Division->first, Ty, SE));
    Part = Stride;
  }
  if (Found.size() > std::max<size_t>(Sizes.size(), 1))
    Sizes.assign(Found.begin(), Found.end());
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
  SmallVector<const SCEV *, 8> All(Strides.begin(), Strides.end());
  erase_if(Strides, IsaPred<SCEVAddExpr>); // of WideSteps
  bool HasSums = Strides.size() < All.size();
  polygpu::findProducts(SE, Strides, Sizes, ElementSize);
  if (HasSums)
    polygpu::findSums(SE, All, Sizes, ElementSize);
}

void __wrap__ZN4llvm22computeAccessFunctionsERNS_15ScalarEvolutionEPKNS_4SCEVERNS_15SmallVectorImplIS4_EES7_(
    ScalarEvolution &SE, const SCEV *Offset,
    SmallVectorImpl<const SCEV *> &Subscripts,
    SmallVectorImpl<const SCEV *> &Sizes) {
  __real__ZN4llvm22computeAccessFunctionsERNS_15ScalarEvolutionEPKNS_4SCEVERNS_15SmallVectorImplIS4_EES7_(
      SE, Offset, Subscripts, Sizes);
  if (Subscripts.empty() || none_of(Sizes, IsaPred<SCEVMulExpr, SCEVAddExpr>))
    return;
  auto Better = polygpu::subscriptsOf(SE, Offset, Sizes);
  if (!Better.empty())
    Subscripts = Better;
}
