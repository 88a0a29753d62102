//===- EqualArrays.cpp - Arrays that may be one and the same --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "scop/EqualArrays.h"
#include "IslErrors.h"
#include "polly/ScopInfo.h"
#include "polly/Support/GICHelper.h"

using namespace llvm;
using polly::MemoryAccess;
using polly::ScopArrayInfo;

namespace polygpu {

/// isl operations for the pairs of a SCoP; what is left of them is compared.
static const unsigned MaxOperations = 100000;
/// Work in place is that of small loops.
static const unsigned MaxStatements = 8, MaxPairs = 12;

using Accesses = SmallVector<MemoryAccess *, 8>;

static Accesses accessesOf(polly::Scop &S, const ScopArrayInfo *SAI) {
  Accesses Found;
  for (polly::ScopStmt &Stmt : S)
    for (MemoryAccess *MA : Stmt)
      if (MA->getOriginalScopArrayInfo() == SAI)
        Found.push_back(MA);
  return Found;
}

/// Do equal subscripts mean equal addresses where the arrays begin at one?
static bool haveSameShape(const ScopArrayInfo *A, const ScopArrayInfo *B) {
  if (A->getElementType() != B->getElementType() ||
      A->getNumberOfDimensions() != B->getNumberOfDimensions())
    return false;
  for (unsigned D = 1; D < A->getNumberOfDimensions(); ++D)
    if (A->getDimensionSize(D) != B->getDimensionSize(D))
      return false;
  return A->isArrayKind() && B->isArrayKind() && A->getNumberOfDimensions() > 0;
}

static isl::map elementsOf(const MemoryAccess &MA) {
  isl::map Map =
      MA.getAccessRelation().intersect_domain(MA.getStatement()->getDomain());
  return isl::manage(isl_map_reset_tuple_id(Map.release(), isl_dim_out));
}

/// Is the element that \p Read reads written before, by the same instance?
static bool isOverwritten(const MemoryAccess &Write, const MemoryAccess &Read,
                          const isl::map &Same) {
  if (Write.getStatement() != Read.getStatement())
    return false;
  const Instruction *W = Write.getAccessInstruction();
  const Instruction *R = Read.getAccessInstruction();
  if (W->getParent() == R->getParent() && R->comesBefore(W))
    return false;
  isl::map Itself = isl::map::identity(Same.get_space());
  return !Same.intersect(Itself).is_empty().is_true();
}

/// Is every element of \p Reads read before the one of \p Writes at its place
/// is written, in the source's order?  Not known counts as no.
static bool areReadFirst(const Accesses &Writes, const Accesses &Reads,
                         const isl::union_map &Order) {
  isl::union_map Conflicts = isl::union_map::empty(Order.ctx());
  for (const MemoryAccess *W : Writes)
    for (const MemoryAccess *R : Reads) {
      isl::map Same = elementsOf(*W).apply_range(elementsOf(*R).reverse());
      if (isOverwritten(*W, *R, Same))
        return false;
      Conflicts = Conflicts.unite(isl::union_map(Same));
    }
  isl::union_map Before =
      isl::manage(isl_union_map_lex_lt_union_map(Order.copy(), Order.copy()));
  return Conflicts.intersect(Before).is_empty().is_true();
}

static bool mayBeEqual(polly::Scop &S, const ScopArrayInfo *Written,
                       const ScopArrayInfo *Read, const isl::union_map &Order) {
  if (!haveSameShape(Written, Read))
    return false;
  Accesses Writes = accessesOf(S, Written), Reads = accessesOf(S, Read);
  // What no access of the SCoP reads is a place that is assumed not to be
  // written at all.
  if (Reads.empty() ||
      any_of(Reads, [](const MemoryAccess *MA) { return MA->isWrite(); }))
    return false;
  erase_if(Writes, [](const MemoryAccess *MA) { return !MA->isWrite(); });
  auto IsPlain = [](const MemoryAccess *MA) {
    return MA->isAffine() && MA->isOriginalArrayKind();
  };
  return all_of(Writes, IsPlain) && all_of(Reads, IsPlain) &&
         areReadFirst(Writes, Reads, Order);
}

static const ScopArrayInfo *arrayOf(const polly::Scop::MinMaxAccessTy &Range) {
  return ScopArrayInfo::getFromId(Range.first.get_tuple_id(isl::dim::set));
}

ArrayPairs findEqualArrays(polly::Scop &S) {
  ArrayPairs Pairs, Equal;
  for (const auto &[Writes, Reads] : S.getAliasGroups())
    for (const auto &W : Writes)
      for (const auto &R : Reads)
        Pairs.insert({arrayOf(W), arrayOf(R)});
  if (Pairs.empty() || Pairs.size() > MaxPairs || S.getSize() > MaxStatements)
    return Equal;
  IslErrors Errors(S.getIslCtx().get(), "look for work in place");
  polly::IslMaxOperationsGuard Guard(S.getIslCtx().get(), MaxOperations);
  isl::union_map Order = S.getSchedule();
  for (const auto &[Written, Read] : Pairs)
    if (mayBeEqual(S, Written, Read, Order))
      Equal.insert({Written, Read});
  return Equal;
}

} // namespace polygpu
