//===- InterleavedRows.cpp - Rows that lie between others' ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "scop/InterleavedRows.h"
#include "IslErrors.h"
#include "RuntimeFunctions.h"
#include "polly/ScopInfo.h"
#include "polly/Support/GICHelper.h"
#include "scop/CompareArrays.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;
using polly::MemoryAccess;
using polly::ScopArrayInfo;

namespace polygpu {

/// isl operations for the parts of a SCoP; the rest are compared as others are.
static const unsigned MaxOperations = 100000;
/// More pairs are compared as others are: there is a condition for each.
static const size_t MaxPairs = 28;

/// Did the runtime say how far the rows of \p SAI are from each other?
static bool hasRowStep(const ScopArrayInfo *SAI) {
  if (!SAI->isArrayKind() || SAI->getNumberOfDimensions() < 2)
    return false;
  const SCEV *Length = SAI->getDimensionSize(SAI->getNumberOfDimensions() - 1);
  return Length && SCEVExprContains(Length, [](const SCEV *Part) {
           const auto *Unknown = dyn_cast<SCEVUnknown>(Part);
           const auto *Call =
               Unknown ? dyn_cast<CallInst>(Unknown->getValue()) : nullptr;
           const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
           return Callee && Callee->getName() == RowStepName;
         });
}

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

static const ScopArrayInfo *arrayOf(const polly::Scop::MinMaxAccessTy &Range) {
  return ScopArrayInfo::getFromId(Range.first.get_tuple_id(isl::dim::set));
}

RowParts findRowParts(polly::Scop &S) {
  MapVector<const ScopArrayInfo *, isl::set> Accessed;
  size_t Pairs = 0;
  for (const auto &[Writes, Reads] : S.getAliasGroups()) {
    Pairs += Writes.size() * (Writes.size() + 2 * Reads.size() - 1) / 2;
    for (const auto *Ranges : {&Writes, &Reads})
      for (const auto &R : *Ranges)
        if (hasRowStep(arrayOf(R)))
          Accessed[arrayOf(R)] = isl::set();
  }
  RowParts Parts;
  if (Accessed.size() < 2 || Pairs > MaxPairs)
    return Parts;
  IslErrors Errors(S.getIslCtx().get(), "look for rows between others");
  OperationLimit Limit(S.getIslCtx().get(), MaxOperations);
  for (polly::ScopStmt &Stmt : S)
    for (MemoryAccess *MA : Stmt) {
      auto *It = Accessed.find(MA->getOriginalScopArrayInfo());
      if (It == Accessed.end())
        continue;
      if (!MA->isAffine())
        return RowParts();
      isl::set Row = inFirstRow(
          MA->getAccessRelation().intersect_domain(Stmt.getDomain()).range());
      It->second = It->second.is_null() ? Row : It->second.unite(Row);
    }
  const isl::set Params = comparedParams(S);
  for (auto &[SAI, Row] : Accessed) {
    if (Row.is_null())
      return RowParts();
    auto [First, End] = rangeOf(Row, Params);
    if (First.is_null() || End.is_null())
      return RowParts();
    Parts[SAI] = {First, End};
  }
  return Errors.refuse() ? RowParts() : Parts;
}

} // namespace polygpu
