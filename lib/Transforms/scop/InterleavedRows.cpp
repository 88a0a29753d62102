//===- InterleavedRows.cpp - Rows that lie between others' ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "scop/InterleavedRows.h"
#include "IslErrors.h"
#include "polly/ScopInfo.h"
#include "polly/Support/GICHelper.h"
#include "scop/CompareArrays.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include <isl/set.h>

using namespace llvm;
using polly::MemoryAccess;
using polly::ScopArrayInfo;
using Range = polly::Scop::MinMaxAccessTy;

namespace polygpu {

/// isl operations for the parts of a SCoP; the rest are compared as others are.
static const unsigned MaxOperations = 100000;
/// More pairs are compared as others are: there is a condition for each.
static const size_t MaxPairs = 28;
/// Elements from row to row in an array of one dimension.
static const long MaxStep = 64;
/// Bytes of rows, where these are no constant, that parts are to fit into: of
/// a[i * n + j] and b[i * n + j], 1 <= j < n - 1, they do for n < 5 only, for
/// which no condition is worth it.
static const long UsualRow = 1024;

namespace {
/// What is accessed of an array, each row moved to the first one.
using FirstRows = MapVector<const ScopArrayInfo *, isl::set>;

/// Of a matrix, in bytes.
struct RowSizes {
  isl::pw_aff Part, Row;
};
} // namespace

/// \p Elements, each moved to the first row.
static isl::set inFirstRow(const isl::set &Elements) {
  const unsigned Dims = isl_set_dim(Elements.get(), isl_dim_set);
  isl::id Array = Elements.get_tuple_id();
  isl_set *Set = isl_set_project_out(Elements.copy(), isl_dim_set, 0, Dims - 1);
  Set = isl_set_insert_dims(Set, isl_dim_set, 0, Dims - 1);
  for (unsigned D = 0; D + 1 < Dims; ++D)
    Set = isl_set_fix_si(Set, isl_dim_set, D, 0);
  return isl::manage(isl_set_set_tuple_id(Set, Array.release()));
}

static const ScopArrayInfo *arrayOf(const Range &R) {
  return ScopArrayInfo::getFromId(R.first.get_tuple_id(isl::dim::set));
}

/// Is it known how far rows of \p SAI are from each other, if it has any?
static bool mayHaveRows(const ScopArrayInfo *SAI) {
  const unsigned Dims = SAI->getNumberOfDimensions();
  return SAI->isArrayKind() &&
         (Dims == 1 ||
          (Dims > 1 && !SAI->getDimensionSizePw(Dims - 1).is_null()));
}

/// What \p S accesses of arrays that may have rows and are compared.
static FirstRows accessedRows(polly::Scop &S) {
  FirstRows Rows;
  for (const auto &[Writes, Reads] : S.getAliasGroups())
    for (const auto *Ranges : {&Writes, &Reads})
      for (const Range &R : *Ranges)
        if (mayHaveRows(arrayOf(R)))
          Rows[arrayOf(R)] = isl::set();
  SmallPtrSet<const ScopArrayInfo *, 8> Unknown;
  for (polly::ScopStmt &Stmt : S)
    for (MemoryAccess *MA : Stmt) {
      auto *It = Rows.find(MA->getOriginalScopArrayInfo());
      if (It == Rows.end())
        continue;
      if (!MA->isAffine())
        Unknown.insert(It->first);
      isl::set Row = inFirstRow(
          MA->getAccessRelation().intersect_domain(Stmt.getDomain()).range());
      It->second = It->second.is_null() ? Row : It->second.unite(Row);
    }
  Rows.remove_if([&](const auto &Row) {
    return Row.second.is_null() || Unknown.contains(Row.first);
  });
  return Rows;
}

/// Elements from one to the next in an array of one dimension; 0 if they are
/// side by side, or may be.
static int64_t stepOf(const isl::set &Elements) {
  isl::val Step = isl::manage(isl_set_get_stride(Elements.get(), 0));
  return !Step.is_null() && isl_val_cmp_si(Step.get(), 1) > 0 &&
                 isl_val_cmp_si(Step.get(), MaxStep) <= 0
             ? isl_val_get_num_si(Step.get())
             : 0;
}

/// Of \p Row of \p SAI, for \p Params; nothing if it has none.
static std::optional<RowPart>
partOf(const ScopArrayInfo *SAI, const isl::set &Row, const isl::set &Params) {
  RowPart Part;
  if (SAI->getNumberOfDimensions() == 1 && (Part.Step = stepOf(Row)) == 0)
    return std::nullopt;
  std::tie(Part.First, Part.End) = rangeOf(Row, Params);
  if (Part.First.is_null() || Part.End.is_null())
    return std::nullopt;
  if (Part.Step) {
    isl_pw_aff *Next = isl_pw_aff_add_constant_val(
        isl_pw_multi_aff_get_pw_aff(Part.First.get(), 0),
        isl_val_one(Row.ctx().get()));
    Part.End =
        isl::manage(isl_pw_multi_aff_set_pw_aff(Part.First.copy(), 0, Next));
  }
  return Part;
}

static RowSizes sizesOf(const ScopArrayInfo *SAI, const RowPart &Part) {
  const int Last = static_cast<int>(SAI->getNumberOfDimensions()) - 1;
  isl::pw_aff Length = Part.End.at(Last).sub(Part.First.at(Last)).coalesce();
  isl::pw_aff Row;
  if (Part.Step)
    Row = isl::pw_aff(Length.domain(), isl::val(Length.ctx(), Part.Step));
  else
    Row = isl::manage(isl_pw_aff_project_domain_on_params(
        SAI->getDimensionSizePw(static_cast<unsigned>(Last)).release()));
  isl::val Bytes(Length.ctx(), SAI->getElemSizeInBytes());
  return {Length.scale(Bytes), Row.scale(Bytes)};
}

/// Do the parts of two matrices fit into a row together, for some of \p Params?
static bool fit(const RowSizes &A, const RowSizes &B, const isl::set &Params) {
  isl::set Fit =
      A.Part.add(B.Part).le_set(A.Row).intersect(A.Row.eq_set(B.Row));
  if (A.Row.is_cst().is_false() && B.Row.is_cst().is_false())
    Fit =
        isl::manage(isl_pw_aff_ge_set(
                        A.Row.copy(),
                        isl_pw_aff_val_on_domain(
                            A.Row.domain().release(),
                            isl_val_int_from_si(Params.ctx().get(), UsualRow))))
            .intersect(Fit);
  return Fit.intersect(Params).is_empty().is_false();
}

static size_t countPairs(const polly::Scop &S) {
  size_t Pairs = 0;
  for (const auto &[Writes, Reads] : S.getAliasGroups())
    Pairs += Writes.size() * (Writes.size() + 2 * Reads.size() - 1) / 2;
  return Pairs;
}

RowParts findRowParts(polly::Scop &S) {
  RowParts Parts;
  if (S.getAliasGroups().empty() || countPairs(S) > MaxPairs)
    return Parts;
  IslErrors Errors(S.getIslCtx().get(), "look for rows between others");
  OperationLimit Limit(S.getIslCtx().get(), MaxOperations);
  const isl::set Params = comparedParams(S);
  DenseMap<const ScopArrayInfo *, RowSizes> Sizes;
  for (const auto &[SAI, Row] : accessedRows(S))
    if (auto Part = partOf(SAI, Row, Params)) {
      Sizes[SAI] = sizesOf(SAI, *Part);
      Parts.Of[SAI] = *Part;
    }
  auto Look = [&](const Range &A, const Range &B) {
    auto Of = Sizes.find(arrayOf(A)), Other = Sizes.find(arrayOf(B));
    if (Of != Sizes.end() && Other != Sizes.end() &&
        fit(Of->second, Other->second, Params))
      Parts.Pairs.insert({Of->first, Other->first});
  };
  for (const auto &[Writes, Reads] : S.getAliasGroups())
    for (size_t W = 0; W < Writes.size(); ++W) {
      for (size_t Other = 0; Other < W; ++Other)
        Look(Writes[Other], Writes[W]);
      for (const Range &R : Reads)
        Look(Writes[W], R);
    }
  return Errors.refuse() ? RowParts() : Parts;
}

} // namespace polygpu
