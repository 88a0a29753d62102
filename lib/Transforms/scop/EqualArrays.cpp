//===- EqualArrays.cpp - Arrays that may be one and the same --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "scop/EqualArrays.h"
#include "IslErrors.h"
#include "polly/ScopInfo.h"
#include "polly/Support/GICHelper.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;
using polly::MemoryAccess;
using polly::ScopArrayInfo;

namespace polygpu {

/// isl operations for the pairs of a SCoP; what is left of them is compared.
static const unsigned MaxOperations = 100000;
/// Work in place is that of small loops.
static const unsigned MaxStatements = 8, MaxPairs = 12;

/// Arrays that begin further from each other are compared as others are: an
/// address less than so many elements does not wrap around.
static const int64_t MaxShift = 4096;

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

/// Is the element that \p Read reads perhaps written before, in the same
/// iteration?  Polly may have the statements of a block in another order than
/// the program.
static bool comesBehind(const MemoryAccess &Write, const MemoryAccess &Read) {
  const Instruction *W = Write.getAccessInstruction();
  const Instruction *R = Read.getAccessInstruction();
  return W->getParent() == R->getParent()
             ? !R->comesBefore(W)
             : Write.getStatement() == Read.getStatement();
}

static bool isOverwritten(const MemoryAccess &Write, const MemoryAccess &Read,
                          const isl::map &Same) {
  if (!comesBehind(Write, Read))
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

/// The places that \p Read reads less those that \p Write has written by then,
/// in elements.
static isl::set distances(const MemoryAccess &Write, const MemoryAccess &Read,
                          const isl::union_map &Before) {
  isl::map W = elementsOf(Write), R = elementsOf(Read);
  isl::space Pair =
      W.get_space().domain().map_from_domain_and_range(R.get_space().domain());
  isl::map Order = Before.extract_map(Pair);
  if (comesBehind(Write, Read))
    Order = Order.unite(isl::map::identity(Pair));
  isl::map Places =
      W.product(R).intersect_domain(Order.wrap()).range().unwrap();
  return Places.deltas();
}

/// Accesses of elements at multiples of their size.
static bool isAligned(const MemoryAccess &MA) {
  const Instruction *I = MA.getAccessInstruction();
  const Type *Ty = MA.getOriginalScopArrayInfo()->getElementType();
  const uint64_t Size =
      I->getDataLayout().getTypeStoreSize(const_cast<Type *>(Ty));
  return isa<LoadInst, StoreInst>(I) && getLoadStoreType(I) == Ty &&
         getLoadStoreAlignment(I).value() % Size == 0;
}

/// How many elements behind the array of \p Reads that of \p Writes may begin
/// at most, so that every element is read before it is written; none if that
/// cannot be said.
static std::optional<int64_t> farthest(const Accesses &Writes,
                                       const Accesses &Reads,
                                       const isl::union_map &Order) {
  if (!all_of(Writes, [](const MemoryAccess *MA) { return isAligned(*MA); }) ||
      !all_of(Reads, [](const MemoryAccess *MA) { return isAligned(*MA); }))
    return std::nullopt;
  isl::union_map Before =
      isl::manage(isl_union_map_lex_lt_union_map(Order.copy(), Order.copy()));
  int64_t Most = MaxShift;
  for (const MemoryAccess *W : Writes)
    for (const MemoryAccess *R : Reads) {
      isl::set Distances = distances(*W, *R, Before);
      if (Distances.is_empty().is_true())
        continue;
      isl::val Least = isl::manage(isl_set_dim_min_val(Distances.release(), 0));
      if (!Least.is_int().is_true() ||
          !Least.abs().le(isl::val(Least.ctx(), MaxShift)).is_true())
        return std::nullopt;
      Most = std::min<int64_t>(Most, Least.get_num_si() - 1);
    }
  return Most;
}

/// Add the pair if it may overlap.
static void addPair(polly::Scop &S, const ScopArrayInfo *Written,
                    const ScopArrayInfo *Read, const isl::union_map &Order,
                    ArrayPairs &Found) {
  if (!haveSameShape(Written, Read))
    return;
  Accesses Writes = accessesOf(S, Written), Reads = accessesOf(S, Read);
  // What no access of the SCoP reads is a place that is assumed not to be
  // written at all.
  if (Reads.empty() ||
      any_of(Reads, [](const MemoryAccess *MA) { return MA->isWrite(); }))
    return;
  erase_if(Writes, [](const MemoryAccess *MA) { return !MA->isWrite(); });
  auto IsPlain = [](const MemoryAccess *MA) {
    return MA->isAffine() && MA->isOriginalArrayKind();
  };
  if (!all_of(Writes, IsPlain) || !all_of(Reads, IsPlain))
    return;
  std::optional<int64_t> Most;
  // Bytes may be those of an assumed place.
  if (Written->getNumberOfDimensions() == 1 &&
      !Written->getElementType()->isIntegerTy(8))
    Most = farthest(Writes, Reads, Order);
  if (Most || areReadFirst(Writes, Reads, Order))
    Found[{Written, Read}] = Most;
}

static const ScopArrayInfo *arrayOf(const polly::Scop::MinMaxAccessTy &Range) {
  return ScopArrayInfo::getFromId(Range.first.get_tuple_id(isl::dim::set));
}

ArrayPairs findEqualArrays(polly::Scop &S) {
  ArrayPairs Pairs, Equal;
  for (const auto &[Writes, Reads] : S.getAliasGroups())
    for (const auto &W : Writes)
      for (const auto &R : Reads)
        Pairs[{arrayOf(W), arrayOf(R)}] = std::nullopt;
  if (Pairs.empty() || Pairs.size() > MaxPairs || S.getSize() > MaxStatements)
    return Equal;
  IslErrors Errors(S.getIslCtx().get(), "look for work in place");
  OperationLimit Limit(S.getIslCtx().get(), MaxOperations);
  isl::union_map Order = S.getSchedule();
  for (const auto &[Pair, None] : Pairs)
    addPair(S, Pair.first, Pair.second, Order, Equal);
  return Equal;
}

} // namespace polygpu
