//===- ModelTables.cpp - A SCoP that can be asked at points ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "verify/ModelTables.h"
#include "adaptor/PollyAdaptor.h"
#include "verify/Mutate.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/RegionInfo.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Instructions.h"
#include <isl/constraint.h>
#include <isl/id.h>
#include <isl/space.h>

using namespace llvm;

namespace polygpu {

bool ModelStmt::contains(const BasicBlock *BB) const {
  return Sub ? Sub->contains(BB) : Entry == BB;
}

ModelTables::ModelTables(polly::Scop &S)
    : Space(S.getParamSpace()), KnownContext(S.getContext()),
      AssumedContext(S.getAssumedContext()),
      InvalidContext(S.getInvalidContext()),
      DefinedContext(S.getDefinedBehaviorContext()), Tree(S.getScheduleTree()) {
  int N = isl_space_dim(Space.get(), isl_dim_param);
  for (int P = 0; P < N; ++P) {
    isl_id *Id = isl_space_get_dim_id(Space.get(), isl_dim_param, P);
    Params.push_back(static_cast<const SCEV *>(isl_id_get_user(Id)));
    isl_id_free(Id);
  }
  Stmts.reserve(S.getSize());
  for (polly::ScopStmt &Stmt : S)
    if (!Stmt.isCopyStmt())
      addStmt(Stmt);
  addSchedules();
  addRanges(S);
  addSizes(S);
  plantErrors(S.getFunction().getName().str());
}

void ModelTables::addStmt(polly::ScopStmt &Stmt) {
  Stmts.emplace_back();
  ModelStmt &T = Stmts.back();
  T.Entry = Stmt.getEntryBlock();
  T.Sub = Stmt.getRegion();
  for (unsigned D = 0; D < Stmt.getNumIterators(); ++D)
    T.Loops.push_back(Stmt.getLoopForDimension(D));
  T.Domain = Stmt.getDomain();
  for (const Instruction *I : Stmt.getInstructions())
    if (I->getDebugLoc() && !isa<LoadInst>(I))
      T.Line = I->getDebugLoc().getLine();
  for (polly::MemoryAccess *MA : Stmt)
    if (MA->isOriginalArrayKind() && !MA->isMemoryIntrinsic())
      addAccess(*MA, T);
}

void ModelTables::addAccess(polly::MemoryAccess &MA, ModelStmt &Stmt) {
  const Instruction *I = MA.getAccessInstruction();
  const polly::ScopArrayInfo *SAI = MA.getLatestScopArrayInfo();
  Type *Ty = I ? getLoadStoreType(const_cast<Instruction *>(I)) : nullptr;
  if (!I || !isa<LoadInst, StoreInst>(I))
    return;
  ModelAccess A;
  A.I = I;
  A.Base = SAI->getBasePtr();
  for (unsigned D = 0; D < SAI->getNumberOfDimensions(); ++D)
    A.Sizes.push_back(SAI->getDimensionSize(D));
  A.ElementBytes = SAI->getElemSizeInBytes();
  A.Bytes = I->getDataLayout().getTypeAllocSize(Ty).getKnownMinValue();
  A.Write = MA.isWrite();
  A.All = MA.isAffine() && !MA.isMayWrite();
  A.Relation = MA.getLatestAccessRelation();
  Stmt.Accesses.push_back(std::move(A));
}

static const polly::ScopArrayInfo *
arrayOf(const polly::Scop::MinMaxAccessTy &Range) {
  return polly::ScopArrayInfo::getFromId(
      Range.first.get_tuple_id(isl::dim::set));
}

void ModelTables::addRange(const polly::Scop::MinMaxAccessTy &Range,
                           bool WritesOnly) {
  const polly::ScopArrayInfo *SAI = arrayOf(Range);
  ModelRange R;
  R.Base = SAI->getBasePtr();
  for (unsigned D = 0; D < SAI->getNumberOfDimensions(); ++D)
    R.Sizes.push_back(SAI->getDimensionSize(D));
  R.ElementBytes = SAI->getElemSizeInBytes();
  R.FirstSet = isl::manage(
      isl_set_from_pw_multi_aff(isl_pw_multi_aff_copy(Range.first.get())));
  R.EndSet = isl::manage(
      isl_set_from_pw_multi_aff(isl_pw_multi_aff_copy(Range.second.get())));
  R.WritesOnly = WritesOnly;
  Ranges.push_back(std::move(R));
}

void ModelTables::addRanges(polly::Scop &S) {
  SmallPtrSet<const Value *, 8> Accessed;
  for (const ModelStmt &Stmt : Stmts)
    for (const ModelAccess &A : Stmt.Accesses)
      Accessed.insert(A.Base);
  for (const auto &[Writes, Reads] : S.getAliasGroups()) {
    bool InFront = !Reads.empty() && all_of(Reads, [&](const auto &Range) {
      return !Accessed.contains(arrayOf(Range)->getBasePtr());
    });
    for (const auto &Range : Writes)
      addRange(Range, InFront);
    for (const auto &Range : Reads)
      addRange(Range, false);
  }
}

void ModelTables::addSizes(polly::Scop &S) {
  for (const polly::ScopArrayInfo *SAI : S.arrays())
    for (unsigned D = 1; D < SAI->getNumberOfDimensions(); ++D) {
      const SCEV *Size = SAI->getDimensionSize(D);
      if (isa<SCEVConstant>(Size) ||
          any_of(Sizes, [&](const ModelSize &M) { return M.Size == Size; }))
        continue;
      isl_pw_aff *Exact = SAI->getDimensionSizePw(D).release();
      Sizes.push_back(
          {Size, isl::manage(isl_map_range(isl_map_from_pw_aff(Exact))), {}});
    }
}

static isl_stat addMap(isl_map *Map, void *User) {
  static_cast<std::vector<isl::map> *>(User)->push_back(isl::manage(Map));
  return isl_stat_ok;
}

/// Each statement's part of the schedule tree.
void ModelTables::addSchedules() {
  if (Tree.is_null())
    return;
  std::vector<isl::map> Maps;
  isl_union_map *All = isl_schedule_get_map(Tree.get());
  isl_union_map_foreach_map(All, &addMap, &Maps);
  isl_union_map_free(All);
  for (ModelStmt &Stmt : Stmts)
    for (const isl::map &Map : Maps)
      if (StringRef(isl_map_get_tuple_name(Map.get(), isl_dim_in)) ==
          isl_set_get_tuple_name(Stmt.Domain.get()))
        Stmt.Schedule = Map;
}

//===-- Tables ------------------------------------------------------------===//

Points ModelTables::table(const isl::set &Set) const {
  return Points(pg_point_set_from_set(Set.align_params(Space).get()));
}

Points ModelTables::table(const isl::map &Map) const {
  return Points(pg_point_set_from_map(Map.align_params(Space).get()));
}

bool ModelTables::tabulate() {
  Context = table(KnownContext);
  Assumed = table(AssumedContext);
  Invalid = table(InvalidContext);
  if (!DefinedContext.is_null())
    Defined = table(DefinedContext);
  bool Complete =
      Context && Assumed && Invalid && !is_contained(Params, nullptr);
  for (ModelStmt &Stmt : Stmts) {
    Stmt.Instances = table(Stmt.Domain);
    if (!Stmt.Schedule.is_null())
      Stmt.Times = table(Stmt.Schedule);
    Complete &= Stmt.Instances && Stmt.Times &&
                pg_point_set_n_dim(Stmt.Instances.get()) == Stmt.Loops.size();
    for (ModelAccess &A : Stmt.Accesses)
      A.Elements = table(A.Relation);
  }
  for (ModelRange &R : Ranges) {
    R.First = table(R.FirstSet);
    R.End = table(R.EndSet);
  }
  for (ModelSize &Size : Sizes)
    Size.Exact = table(Size.ExactSet);
  return Complete;
}

void ModelTables::assume(polly::Scop &S, polly::AssumptionKind Kind,
                         const isl::set &Known) {
  assumeContext(S, Kind, Known);
  AssumedContext = AssumedContext.intersect(Known.align_params(Space));
  Assumed = table(AssumedContext);
}

isl::set ModelTables::atLeast(unsigned P, int Value) const {
  isl::set All = isl::set::universe(Space);
  return isl::manage(
      isl_set_lower_bound_si(All.release(), isl_dim_param, P, Value));
}

void ModelTables::assumeNotNegative(polly::Scop &S, unsigned P) {
  assume(S, polly::WRAPPING, atLeast(P, 0));
}

void ModelTables::assumeDefined(polly::Scop &S) {
  assume(S, polly::UNSIGNED, DefinedContext);
}

//===-- Planted errors ----------------------------------------------------===//

/// \p Set moved by one along its last dimension.
static isl::set moved(const isl::set &Set) {
  isl_set *Copy = isl_set_copy(Set.get());
  unsigned Last = isl_set_dim(Copy, isl_dim_set) - 1;
  isl_map *Move =
      isl_map_universe(isl_space_map_from_set(isl_set_get_space(Copy)));
  isl_local_space *Local = isl_local_space_from_space(isl_map_get_space(Move));
  for (unsigned D = 0; D <= Last; ++D) {
    isl_constraint *C =
        isl_constraint_alloc_equality(isl_local_space_copy(Local));
    C = isl_constraint_set_coefficient_si(C, isl_dim_in, D, -1);
    C = isl_constraint_set_coefficient_si(C, isl_dim_out, D, 1);
    C = isl_constraint_set_constant_si(C, D == Last ? -1 : 0);
    Move = isl_map_add_constraint(Move, C);
  }
  isl_local_space_free(Local);
  return isl::manage(isl_set_apply(Copy, Move));
}

static isl::set without(const isl::set &Set, int Value) {
  unsigned N = isl_set_dim(Set.get(), isl_dim_set);
  isl_set *Copy = isl_set_copy(Set.get());
  if (N == 0)
    return isl::manage(isl_set_empty(isl_set_get_space(Set.get())));
  isl_set *One = isl_set_fix_si(isl_set_copy(Copy), isl_dim_set, N - 1, Value);
  return isl::manage(isl_set_subtract(Copy, One));
}

isl::map nextElement(const isl::map &Map) {
  isl_map *Copy = isl_map_copy(Map.get());
  isl_space *Range = isl_space_range(isl_map_get_space(Copy));
  isl_map *Pairs = isl_set_identity(isl_set_universe(Range));
  isl_set *Wrapped = moved(isl::manage(isl_map_wrap(Pairs))).release();
  return isl::manage(isl_map_apply_range(Copy, isl_set_unwrap(Wrapped)));
}

/// Time runs backwards.
static isl::map reversed(const isl::map &Map) {
  return isl::manage(isl_map_neg(isl_map_copy(Map.get())));
}

/// Does the run-time condition exclude any parameters?
bool ModelTables::assumes() const {
  return !KnownContext.is_subset(AssumedContext) ||
         !KnownContext.is_disjoint(InvalidContext);
}

/// For tests: what -gpu-mutate names is made wrong.
void ModelTables::plantErrors(const std::string &Where) {
  if (isMutating() && assumes() && isMutated(Mutation::Condition, Where)) {
    AssumedContext = isl::set::universe(AssumedContext.get_space());
    InvalidContext = isl::set::empty(InvalidContext.get_space());
  }
  for (unsigned P = 0; P < Params.size(); ++P)
    if (isMutated(Mutation::Context, Where))
      KnownContext = KnownContext.intersect(atLeast(P, 2));
  for (ModelRange &R : Ranges)
    if (!R.Sizes.empty() && isMutated(Mutation::Range, Where))
      R.FirstSet = moved(R.FirstSet);
  for (ModelStmt &Stmt : Stmts) {
    std::string Name = Where + " " + isl_set_get_tuple_name(Stmt.Domain.get());
    if (!Stmt.Loops.empty() && isMutated(Mutation::Larger, Name))
      Stmt.Domain = Stmt.Domain.unite(moved(Stmt.Domain));
    if (isMutated(Mutation::Smaller, Name))
      Stmt.Domain = without(Stmt.Domain, 1);
    if (!Stmt.Schedule.is_null() && isMutated(Mutation::Order, Name))
      Stmt.Schedule = reversed(Stmt.Schedule);
    for (ModelAccess &A : Stmt.Accesses)
      if (!A.Sizes.empty() && isMutated(Mutation::Subscript, Name))
        A.Relation = nextElement(A.Relation);
  }
}

} // namespace polygpu
