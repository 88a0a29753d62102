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
#include "llvm/ADT/SmallBitVector.h"
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

/// For which parameters something is written, and the run-time condition holds.
static isl::set usefulRuns(polly::Scop &S) {
  isl::set Runs;
  for (polly::ScopStmt &Stmt : S)
    if (any_of(Stmt, [](const polly::MemoryAccess *MA) {
          return MA->isWrite() && MA->isOriginalArrayKind();
        })) {
      isl::set These = Stmt.getDomain().params();
      Runs = Runs.is_null() ? These : Runs.unite(These);
    }
  return Runs.is_null() ? Runs : Runs.intersect(S.getContext());
}

/// Is it known that \p Sizes are in no run?
static bool hasNone(const isl::set &Sizes) {
  return Sizes.is_empty().is_true();
}

/// Has an array rows whose size is no constant?
static bool hasRows(const polly::Scop &S) {
  return any_of(S.arrays(), [](const polly::ScopArrayInfo *SAI) {
    for (unsigned D = 1; D < SAI->getNumberOfDimensions(); ++D)
      if (!isa<SCEVConstant>(SAI->getDimensionSize(D)))
        return true;
    return false;
  });
}

/// The first array of which a row must have one element at most, though the
/// loops run with longer ones as well; null if there is none.
static const polly::ScopArrayInfo *
arrayOfShortRows(polly::Scop &S, const isl::set &Runs, const isl::set &Held) {
  for (const polly::ScopArrayInfo *SAI : S.arrays())
    for (unsigned D = 1; D < SAI->getNumberOfDimensions(); ++D) {
      isl::pw_aff Size = SAI->getDimensionSizePw(D);
      if (isa<SCEVConstant>(SAI->getDimensionSize(D)) || Size.is_null())
        continue;
      isl_space *Space = isl_pw_aff_get_domain_space(Size.get());
      isl_pw_aff *Two = isl_pw_aff_val_on_domain(
          isl_set_universe(Space),
          isl_val_int_from_si(isl_pw_aff_get_ctx(Size.get()), 2));
      isl::set Long =
          isl::manage(isl_set_params(isl_pw_aff_ge_set(Size.copy(), Two)));
      if (!hasNone(Runs.intersect(Long)) && hasNone(Held.intersect(Long)))
        return SAI;
    }
  return nullptr;
}

static Refusal longRow() {
  return {"UnusualSizes",
          "an array is accessed as rows and as one long row, like u[i * n + "
          "j] and u[k] with k < m * n, so that subscripts leave their rows "
          "for all but the smallest sizes; use the same subscripts in all "
          "loops",
          DebugLoc()};
}

static Refusal shortRows(const polly::ScopArrayInfo &SAI) {
  std::string Name = sourceName(SAI.getBasePtr());
  return {
      "UnusualSizes",
      "'" + Name +
          "' is accessed with steps of different sizes, like u[(i * n + k) "
          "* 32 + j], and subscripts stay in rows of such a size only where "
          "a row has one element; use an array of more dimensions, or a "
          "pointer of its own for each row",
      DebugLoc()};
}

namespace {
/// How far accesses of an array reach in a row.
struct Reach {
  bool Any = false;
  SmallBitVector Params; ///< that say so
};
} // namespace

/// Add the parameters that the last subscript of \p Elements depends on where
/// it is largest; false if that is not known.
static bool addReach(Reach &To, const isl::set &Elements, unsigned Last) {
  isl::pw_aff Most =
      isl::manage(isl_set_dim_max(Elements.copy(), static_cast<int>(Last)));
  isl::size Params = Elements.dim(isl::dim::param);
  if (Most.is_null() || Params.is_error())
    return false;
  To.Any = true;
  To.Params.resize(unsignedFromIslSize(Params));
  return Most
      .foreach_piece([&](isl::set, isl::aff Piece) -> isl::stat {
        for (unsigned P = 0; P < To.Params.size(); ++P)
          if (isl_aff_involves_dims(Piece.get(), isl_dim_param, P, 1))
            To.Params.set(P);
        return isl::stat::ok();
      })
      .is_ok();
}

/// Are all subscripts of \p Elements but the last one 0?
static bool isFirstRow(const isl::set &Elements, unsigned Last) {
  for (unsigned D = 0; D < Last; ++D)
    if (!Elements.plain_get_val_if_fixed(isl::dim::set, D).is_zero().is_true())
      return false;
  return true;
}

/// Is the first row of \p SAI accessed as far as a parameter says which has
/// nothing to do with how far other rows are accessed?  Then it hardly ends
/// where the row does.
static bool hasRowOfItsOwn(polly::Scop &S, const polly::ScopArrayInfo &SAI) {
  const unsigned Last = SAI.getNumberOfDimensions() - 1;
  Reach First, Others;
  for (polly::ScopStmt &Stmt : S)
    for (polly::MemoryAccess *MA : Stmt) {
      if (MA->getOriginalScopArrayInfo() != &SAI || !MA->isAffine())
        continue;
      isl::set Elements = MA->getAccessRelation()
                              .intersect_domain(Stmt.getDomain())
                              .range()
                              .align_params(S.getParamSpace());
      if (!addReach(isFirstRow(Elements, Last) ? First : Others, Elements,
                    Last))
        return false;
    }
  if (!First.Any || !Others.Any)
    return false;
  isl::pw_aff Row = SAI.getDimensionSizePw(Last);
  if (!Row.is_null())
    Row = isl::manage(
        isl_pw_aff_align_params(Row.release(), S.getParamSpace().release()));
  for (unsigned P : First.Params.set_bits()) {
    const bool IsSize =
        !Row.is_null() && isl_pw_aff_involves_dims(Row.get(), isl_dim_param, P,
                                                   1) != isl_bool_false;
    if (!Others.Params.test(P) && !IsSize)
      return true;
  }
  return false;
}

/// Why \p S has no ordinary run.  Not known counts as if it had.
static std::optional<Refusal> whyUnusual(polly::Scop &S) {
  OperationLimit Limit(S.getIslCtx().get(), MaxOperations);
  isl::set Runs = hasRows(S) ? usefulRuns(S) : isl::set();
  if (Runs.is_null())
    return std::nullopt;
  isl::set Held =
      Runs.intersect(S.getAssumedContext()).subtract(S.getInvalidContext());
  isl::set Sizes = ordinarySizes(S, S.getParamSpace());
  if (!Sizes.is_null() && hasNone(Sizes.intersect(Held)))
    return longRow();
  if (const polly::ScopArrayInfo *SAI = arrayOfShortRows(S, Runs, Held))
    return shortRows(*SAI);
  for (const polly::ScopArrayInfo *SAI : S.arrays())
    if (const unsigned Dims = SAI->getNumberOfDimensions();
        Dims > 1 && !isa<SCEVConstant>(SAI->getDimensionSize(Dims - 1)) &&
        hasRowOfItsOwn(S, *SAI))
      return longRow();
  return std::nullopt;
}

std::optional<Refusal> refuseUnusualSizes(polly::Scop &S) {
  IslErrors Errors(S.getIslCtx().get(), "look at ordinary sizes");
  return Errors.refuse(whyUnusual(S));
}

} // namespace polygpu
