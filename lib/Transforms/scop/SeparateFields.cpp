//===- SeparateFields.cpp - Fields of structures share no byte -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "scop/SeparateFields.h"
#include "IslErrors.h"
#include "adaptor/HiddenValues.h"
#include "adaptor/PollyAdaptor.h"
#include "polly/Support/GICHelper.h"
#include "scop/Types.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"

using namespace llvm;
using polly::MemoryAccess;
using polly::ScopArrayInfo;

namespace polygpu {

/// isl operations for the comparison of two fields.
static const unsigned MaxOperations = 200000;

namespace {

/// An array of \p S behind a pointer of its own.
struct Field {
  const ScopArrayInfo *SAI;
  const Value *Origin;
  int64_t Offset;
};

bool hasFixedRows(const ScopArrayInfo &SAI) {
  for (unsigned D = 1; D < SAI.getNumberOfDimensions(); ++D)
    if (!isa<SCEVConstant>(SAI.getDimensionSize(D)))
      return false;
  return true;
}

/// The bytes from the origin that accesses to \p F touch, { [b] }.
isl::set bytesOf(polly::Scop &S, const Field &F, bool &Written) {
  isl::set Elements;
  bool Any = false;
  for (polly::ScopStmt &Stmt : S)
    for (MemoryAccess *MA : Stmt) {
      if (!MA->isOriginalArrayKind() || MA->getOriginalScopArrayInfo() != F.SAI)
        continue;
      Written |= MA->isWrite();
      isl::set Range =
          MA->getAccessRelation().intersect_domain(Stmt.getDomain()).range();
      Elements = Any ? Elements.unite(Range) : Range;
      Any = true;
    }
  if (Elements.is_null())
    return Elements;
  std::string Names, Linear;
  for (unsigned D = 0; D < F.SAI->getNumberOfDimensions(); ++D) {
    std::string Name = "x" + std::to_string(D);
    Names += (D ? ", " : "") + Name;
    if (D)
      Linear = "(" + Linear + ") * " +
               std::to_string(cast<SCEVConstant>(F.SAI->getDimensionSize(D))
                                  ->getAPInt()
                                  .getSExtValue()) +
               " + ";
    Linear += Name;
  }
  std::string Size = std::to_string(F.SAI->getElemSizeInBytes());
  isl::map Bytes(Elements.ctx(), "{ [" + Names + "] -> [b] : 0 <= b - (" +
                                     std::to_string(F.Offset) + ") - " + Size +
                                     " * (" + Linear + ") < " + Size + " }");
  return isl::manage(isl_set_reset_tuple_id(Elements.release())).apply(Bytes);
}

const ScopArrayInfo *arrayOf(const polly::Scop::MinMaxAccessTy &Range) {
  return ScopArrayInfo::getFromId(Range.first.get_tuple_id(isl::dim::set));
}

using ArrayPair = std::pair<const ScopArrayInfo *, const ScopArrayInfo *>;

/// Leave the comparisons of ranges of \p Pairs out of the run-time condition.
void dropRangeChecks(polly::Scop &S, const DenseSet<ArrayPair> &Pairs) {
  auto Old = takeRanges(S);
  auto Add = [&](const polly::Scop::MinMaxAccessTy &A,
                 const polly::Scop::MinMaxAccessTy &B, bool BothWrite) {
    if (Pairs.count({arrayOf(A), arrayOf(B)}))
      return;
    polly::Scop::MinMaxVectorTy Write = {A}, Read;
    (BothWrite ? Write : Read).push_back(B);
    S.addAliasGroup(Write, Read);
  };
  for (auto &[Writes, Reads] : Old)
    for (unsigned I = 0; I < Writes.size(); ++I) {
      for (unsigned J = I + 1; J < Writes.size(); ++J)
        Add(Writes[I], Writes[J], true);
      for (auto &Read : Reads)
        Add(Writes[I], Read, false);
    }
}

} // namespace

static Refusal refuseSpent(const Field &F) {
  return {"Quota",
          "to find where array '" + sourceName(F.SAI->getBasePtr()) +
              "' is accessed with different element types or row sizes at the "
              "same place took more than " +
              std::to_string(MaxOperations) +
              " operations; use one type and one row size",
          DebugLoc()};
}

std::optional<Refusal> separateFields(polly::Scop &S) {
  SmallVector<Field, 8> Fields;
  for (const ScopArrayInfo *SAI : S.arrays()) {
    Field F{SAI, nullptr, 0};
    if (SAI->isArrayKind() && SAI->getNumberOfDimensions() > 0 &&
        hasFixedRows(*SAI) &&
        (F.Origin = hiddenOrigin(SAI->getBasePtr(), F.Offset)))
      Fields.push_back(F);
  }
  DenseSet<ArrayPair> Compared;
  for (unsigned I = 0; I < Fields.size(); ++I)
    for (unsigned J = 0; J < I; ++J) {
      const Field &A = Fields[I], &B = Fields[J];
      if (A.Origin != B.Origin)
        continue;
      bool Written = false;
      isl::set Shared;
      {
        IslErrors Errors(S.getIslCtx().get(), "comparison of fields");
        OperationLimit Limit(S.getIslCtx().get(), MaxOperations);
        isl::set Left = bytesOf(S, A, Written), Right = bytesOf(S, B, Written);
        if (!Left.is_null() && !Right.is_null())
          Shared = Left.intersect(Right).params().intersect(S.getContext());
        // As it is without what is known of the context, which Polly asks for
        // without a limit.
        bool IsKnown = !Shared.is_null();
        if (Written && isl_set_is_empty(Shared.get()) != isl_bool_true)
          Shared = Shared.coalesce().gist_params(S.getContext());
        if (auto Why = Errors.refuse())
          return Why;
        if (IsKnown && Shared.is_null())
          return refuseSpent(A);
      }
      if (Shared.is_null())
        continue; // the ranges are compared
      Compared.insert({A.SAI, B.SAI});
      Compared.insert({B.SAI, A.SAI});
      if (Written && !Shared.is_empty())
        restrictContext(S, Shared);
      if (!S.hasFeasibleRuntimeContext())
        return Refusal{"ElementTypes",
                       "array '" + sourceName(A.SAI->getBasePtr()) +
                           "' is accessed with different element types (" +
                           typeName(A.SAI->getElementType()) + " and " +
                           typeName(B.SAI->getElementType()) +
                           ") or row sizes at the same place; use one type",
                       DebugLoc()};
    }
  if (!Compared.empty())
    dropRangeChecks(S, Compared);
  return std::nullopt;
}

} // namespace polygpu
