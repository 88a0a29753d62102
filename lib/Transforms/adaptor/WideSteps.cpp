//===- WideSteps.cpp - Strides as they are --------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM guesses the rows of an array from the terms of its strides, as 4 * (zext
// n) of float a[n][n].  Of unsigned char a[n][n] the stride is (zext n) alone,
// which LLVM looks through (not through sext), so that the term is an int, and
// no row is guessed of what is counted in 64 bits.  So the linker sends Polly's
// calls of the function that collects terms here (--wrap), and such strides are
// terms instead of what is narrower than an address.
//
// Of Fortran's a(0:n, 0:m, 0:k) strides are sums, 8 + 8 * n and, a product of
// two, 8 * (1 + n) * (1 + m).  LLVM takes 8 * n, which says nothing of the
// other one; here the sum is a term as well, for who looks for rows
// (Strides.cpp).
//
// If LLVM renames that function, linking fails; if Polly comes to call another
// one, such loops stay on the host (test/lit/exec/rows_of_pictures.c). Whatever
// rows are guessed, subscripts are made and held against the program later.
//
//===----------------------------------------------------------------------===//

#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/ScalarEvolution.h"
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

namespace {
/// The strides that are a parameter, or a sum of them, made wider, and sums.
struct WideSteps {
  ScalarEvolution &SE;
  SmallVector<const SCEV *, 4> Found;
  SmallVector<const SCEV *, 4> Sums;

  bool follow(const SCEV *E) {
    if (const auto *Counted = dyn_cast<SCEVAddRecExpr>(E)) {
      const SCEV *Step = Counted->getStepRecurrence(SE);
      if (const auto *Wide = dyn_cast<SCEVZeroExtendExpr>(Step);
          Wide && !SCEVExprContains(Wide->getOperand(), isCounter) &&
          !is_contained(Found, Step))
        Found.push_back(Step);
      if (isa<SCEVAddExpr>(Step) && !SCEVExprContains(Step, isCounter) &&
          !is_contained(Sums, Step))
        Sums.push_back(Step);
    }
    return true;
  }
  bool isDone() const { return false; }
  static bool isCounter(const SCEV *E) { return isa<SCEVAddRecExpr>(E); }
};
} // namespace

void __wrap__ZN4llvm22collectParametricTermsERNS_15ScalarEvolutionEPKNS_4SCEVERNS_15SmallVectorImplIS4_EE(
    ScalarEvolution &SE, const SCEV *Expr,
    SmallVectorImpl<const SCEV *> &Terms) {
  __real__ZN4llvm22collectParametricTermsERNS_15ScalarEvolutionEPKNS_4SCEVERNS_15SmallVectorImplIS4_EE(
      SE, Expr, Terms);
  WideSteps Steps{SE, {}, {}};
  visitAll(Expr, Steps);
  for (const SCEV *Step : Steps.Found) {
    erase_if(Terms, [&](const SCEV *Term) {
      return Term != Step && SCEVExprContains(Step, [&](const SCEV *Part) {
               return Part == Term;
             });
    });
    if (!is_contained(Terms, Step))
      Terms.push_back(Step);
  }
  for (const SCEV *Sum : Steps.Sums)
    if (!is_contained(Terms, Sum))
      Terms.push_back(Sum);
}
