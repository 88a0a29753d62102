//===- OrdinarySizes.cpp - Conditions that hold in no run -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "scop/OrdinarySizes.h"
#include "IslErrors.h"
#include "polly/ScopInfo.h"
#include "polly/Support/GICHelper.h"
#include "polly/Support/ISLTools.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"

using namespace llvm;

namespace polygpu {

/// isl operations; where they do not suffice it is left to the run.
static const unsigned MaxOperations = 100000;

using Factors = SmallVector<const SCEV *, 4>;

/// \p E without casts, which change nothing where nothing wraps around, and
/// without a constant that it is at least.
static const SCEV *strip(const SCEV *E) {
  for (;;) {
    if (const auto *Cast = dyn_cast<SCEVIntegralCastExpr>(E))
      E = Cast->getOperand();
    else if (const auto *Most = dyn_cast<SCEVMinMaxExpr>(E);
             Most && (isa<SCEVSMaxExpr>(E) || isa<SCEVUMaxExpr>(E)) &&
             Most->getNumOperands() == 2 &&
             isa<SCEVConstant>(Most->getOperand(0)))
      E = Most->getOperand(1);
    else
      return E;
  }
}

/// What is multiplied in \p E.
static void addFactors(const SCEV *E, Factors &To) {
  E = strip(E);
  if (const auto *Product = dyn_cast<SCEVMulExpr>(E))
    for (const SCEV *Op : Product->operands())
      addFactors(Op, To);
  else
    To.push_back(E);
}

/// Is \p All the product of \p Some and of more?
static bool isMultiple(Factors All, const Factors &Some) {
  if (All.size() <= Some.size())
    return false;
  for (const SCEV *E : Some) {
    auto *It = find(All, E);
    if (It == All.end())
      return false;
    All.erase(It);
  }
  return true;
}

namespace {
/// A parameter's product and its place.
struct Size {
  Factors Of;
  unsigned Position;
};
} // namespace

static SmallVector<Size, 8> sizesOf(const polly::Scop &S,
                                    const isl::space &Params) {
  SmallVector<Size, 8> Sizes;
  for (unsigned I = 0; I < unsignedFromIslSize(Params.dim(isl::dim::param));
       ++I) {
    isl::id Id = Params.get_dim_id(isl::dim::param, I);
    const auto *E = static_cast<const SCEV *>(Id.get_user());
    if (!E || !is_contained(S.parameters(), E))
      continue;
    Sizes.push_back({{}, I});
    addFactors(E, Sizes.back().Of);
  }
  return Sizes;
}

/// Sizes for which a product is at least twice as large as its parts; null if
/// there is no such product.
static isl::set ordinarySizes(const polly::Scop &S, const isl::space &Params) {
  SmallVector<Size, 8> Sizes = sizesOf(S, Params);
  isl_local_space *Space =
      isl_local_space_from_space(isl_space_copy(Params.get()));
  isl_set *Set = isl_set_universe(isl_space_copy(Params.get()));
  bool Any = false;
  for (const Size &Whole : Sizes)
    for (const Size &Part : Sizes) {
      if (!isMultiple(Whole.Of, Part.Of))
        continue;
      Any = true;
      Set = isl_set_lower_bound_si(Set, isl_dim_param, Part.Position, 2);
      isl_constraint *Twice =
          isl_constraint_alloc_inequality(isl_local_space_copy(Space));
      Twice = isl_constraint_set_coefficient_si(Twice, isl_dim_param,
                                                Whole.Position, 1);
      Twice = isl_constraint_set_coefficient_si(Twice, isl_dim_param,
                                                Part.Position, -2);
      Set = isl_set_add_constraint(Set, Twice);
    }
  isl_local_space_free(Space);
  return isl::manage(Any ? Set : isl_set_free(Set));
}

/// Is there an ordinary run?  Not known counts as yes.
static bool hasOrdinaryRun(polly::Scop &S) {
  polly::IslMaxOperationsGuard Guard(S.getIslCtx().get(), MaxOperations);
  isl::set Sizes = ordinarySizes(S, S.getParamSpace());
  if (Sizes.is_null())
    return true;
  Sizes = Sizes.intersect(S.getContext())
              .intersect(S.getAssumedContext())
              .subtract(S.getInvalidContext());
  isl::set Any;
  for (polly::ScopStmt &Stmt : S) {
    isl::set Runs = Stmt.getDomain().params();
    Any = Any.is_null() ? Runs : Any.unite(Runs);
  }
  return Any.is_null() || !Sizes.intersect(Any).is_empty().is_true();
}

std::optional<Refusal> refuseUnusualSizes(polly::Scop &S) {
  IslErrors Errors(S.getIslCtx().get(), "look at ordinary sizes");
  if (hasOrdinaryRun(S))
    return Errors.refuse();
  return Errors.refuse(Refusal{
      "UnusualSizes",
      "an array is accessed as rows and as one long row, like u[i * n + "
      "j] and u[k] with k < m * n, so that subscripts leave their rows "
      "for all but the smallest sizes; use the same subscripts in all "
      "loops",
      DebugLoc()});
}

} // namespace polygpu
