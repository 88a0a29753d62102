//===- RowsApart.cpp - Rows of one array that do not meet -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "scop/RowsApart.h"
#include "IslErrors.h"
#include "adaptor/PollyAdaptor.h"
#include "polly/Support/GICHelper.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"

using namespace llvm;
using polly::MemoryAccess;

namespace polygpu {

/// isl operations for all comparisons of a SCoP.
static const unsigned MaxOperations = 100000;
/// More accesses to one array are not compared.
static const unsigned MostAccesses = 16;
/// Conditions that a run may have to meet.
static const int MostCases = 4;

namespace {

/// An access in one loop: { [i] -> [subscripts] }, for all i and in its domain.
struct RowAccess {
  isl::map Everywhere, Done;
  bool IsWrite;
};

isl::map withoutNames(isl::map Map) {
  isl_map *M = isl_map_reset_tuple_id(Map.release(), isl_dim_in);
  return isl::manage(isl_map_reset_tuple_id(M, isl_dim_out));
}

bool isProduct(const isl::id &Parameter) {
  const auto *E = static_cast<const SCEV *>(isl_id_get_user(Parameter.get()));
  return E && SCEVExprContains(E, [](const SCEV *S) {
           return isa<SCEVMulExpr>(S) &&
                  !isa<SCEVConstant>(cast<SCEVMulExpr>(S)->getOperand(0));
         });
}

/// The subscripts of \p B less than those of \p A, if both have one value in
/// each iteration, and as many; else null.
isl::multi_pw_aff distance(const RowAccess &A, const RowAccess &B) {
  if (!A.Everywhere.is_single_valued().is_true() ||
      !B.Everywhere.is_single_valued().is_true() ||
      isl_map_dim(A.Everywhere.get(), isl_dim_out) !=
          isl_map_dim(B.Everywhere.get(), isl_dim_out))
    return isl::multi_pw_aff();
  auto Subscripts = [](const isl::map &M) {
    return isl::manage(isl_multi_pw_aff_from_pw_multi_aff(
        isl_pw_multi_aff_from_map(M.copy())));
  };
  return isl::manage(isl_multi_pw_aff_sub(Subscripts(A.Everywhere).release(),
                                          Subscripts(B.Everywhere).release()));
}

/// Is \p Distance one of parameters only, more than a number that the program
/// may well use to look at the iteration before?
bool isOfRows(const isl::multi_pw_aff &Distance) {
  unsigned Parameters = 0;
  bool Product = false;
  isl::multi_pw_aff All = Distance;
  unsigned Outer = isl_multi_pw_aff_dim(All.get(), isl_dim_param);
  if (isl_multi_pw_aff_involves_dims(All.get(), isl_dim_in, 0, 1) !=
      isl_bool_false)
    return false;
  isl::space Space = All.get_space();
  for (unsigned P = 0; P < Outer; ++P)
    if (isl_multi_pw_aff_involves_dims(All.get(), isl_dim_param, P, 1) ==
        isl_bool_true) {
      ++Parameters;
      Product |= isProduct(
          isl::manage(isl_space_get_dim_id(Space.get(), isl_dim_param, P)));
    }
  return Parameters > 1 || Product;
}

/// For which parameters two iterations meet in \p A and \p B; null if that is
/// no question of rows.
isl::set meeting(const RowAccess &A, const RowAccess &B) {
  isl::multi_pw_aff Distance = distance(A, B);
  if (Distance.is_null() || !isOfRows(Distance))
    return isl::set();
  isl::map Meet = A.Done.apply_range(B.Done.reverse());
  isl::map Same = isl::map::identity(Meet.get_space());
  return Meet.subtract(Same).params();
}

/// For which parameters an iteration reads by \p R what an earlier one has
/// written by \p W.
isl::set readLater(const RowAccess &W, const RowAccess &R) {
  isl::map Later = W.Done.apply_range(R.Done.reverse());
  isl_map *Order =
      isl_map_lex_lt(isl_space_domain(Later.get_space().release()));
  return Later.intersect(isl::manage(Order)).params();
}

/// The same where \p R is a variable number of elements in front of \p W, and
/// it happens for negative numbers only: a[i] = a[i + m].  Else null.
isl::set aheadOf(const RowAccess &W, const RowAccess &R) {
  isl::multi_pw_aff Ahead = distance(R, W);
  if (Ahead.is_null() || isl_multi_pw_aff_dim(Ahead.get(), isl_dim_out) != 1 ||
      isl_multi_pw_aff_involves_dims(Ahead.get(), isl_dim_in, 0, 1) !=
          isl_bool_false)
    return isl::set();
  int Variable = -1;
  unsigned All = isl_multi_pw_aff_dim(Ahead.get(), isl_dim_param);
  for (unsigned P = 0; P < All; ++P)
    if (isl_multi_pw_aff_involves_dims(Ahead.get(), isl_dim_param, P, 1) ==
            isl_bool_true &&
        std::exchange(Variable, static_cast<int>(P)) >= 0)
      return isl::set();
  if (Variable < 0)
    return isl::set();
  isl::id Id = isl::manage(isl_space_get_dim_id(
      Ahead.get_space().get(), isl_dim_param, static_cast<unsigned>(Variable)));
  isl::set Later = readLater(W, R);
  int Place = isl_set_find_dim_by_id(Later.get(), isl_dim_param, Id.get());
  if (Place < 0)
    return isl::set();
  isl::set Others = isl::manage(isl_set_lower_bound_si(
      Later.copy(), isl_dim_param, static_cast<unsigned>(Place), 0));
  if (!Others.is_empty().is_true() || Later.is_empty().is_true())
    return isl::set();
  // All that are negative, or elements in front of the first one are read.
  isl::set Runs = R.Done.domain().params();
  Place = isl_set_find_dim_by_id(Runs.get(), isl_dim_param, Id.get());
  return Place < 0
             ? Later
             : isl::manage(isl_set_upper_bound_si(Runs.release(), isl_dim_param,
                                                  static_cast<unsigned>(Place),
                                                  -1));
}

/// For which parameters \p Accesses, some of which write, are of elements in
/// front of the first one, if no iteration reads what an earlier one has
/// written; else null.  What is overwritten can be saved then, in an array that
/// begins at element 0.
isl::set inFront(ArrayRef<RowAccess> Accesses) {
  isl::set Elements;
  bool Writes = false;
  for (const RowAccess &W : Accesses) {
    isl::set These = W.Done.range();
    Elements = Elements.is_null() ? These : Elements.unite(These);
    Writes |= W.IsWrite;
    for (const RowAccess &R : Accesses)
      if (W.IsWrite && !R.IsWrite && !readLater(W, R).is_empty().is_true())
        return isl::set();
  }
  if (!Writes || isl_set_dim(Elements.get(), isl_dim_set) != 1)
    return isl::set();
  isl::set Front = isl::manage(
      isl_set_upper_bound_si(Elements.release(), isl_dim_set, 0, -1));
  return Front.is_empty().is_false() ? Front.params() : isl::set();
}

} // namespace

bool separateRows(polly::Scop &S, bool Assume) {
  MapVector<const polly::ScopArrayInfo *, SmallVector<RowAccess, 8>> Arrays;
  for (polly::ScopStmt &Stmt : S) {
    if (Stmt.getNumIterators() > 1)
      return false;
    if (Stmt.getNumIterators() == 1)
      for (MemoryAccess *MA : Stmt)
        if (MA->isOriginalArrayKind() && MA->isAffine()) {
          isl::map Relation = MA->getAccessRelation();
          Arrays[MA->getOriginalScopArrayInfo()].push_back(
              {withoutNames(Relation),
               withoutNames(Relation.intersect_domain(Stmt.getDomain())),
               MA->isWrite()});
        }
  }
  isl::set Never;
  IslErrors Errors(S.getIslCtx().get(), "comparison of rows");
  OperationLimit Limit(S.getIslCtx().get(), MaxOperations);
  for (auto &[SAI, Accesses] : Arrays) {
    if (Accesses.size() > MostAccesses)
      return false;
    if (isl::set Front = inFront(Accesses); !Front.is_null())
      Never = Never.is_null() ? Front : Never.unite(Front);
    for (unsigned I = 0; I < Accesses.size(); ++I)
      for (unsigned J = 0; J < I; ++J) {
        if (!Accesses[I].IsWrite && !Accesses[J].IsWrite)
          continue;
        isl::set Meet = meeting(Accesses[I], Accesses[J]);
        if (Meet.is_null() && Accesses[I].IsWrite != Accesses[J].IsWrite)
          Meet = Accesses[I].IsWrite ? aheadOf(Accesses[I], Accesses[J])
                                     : aheadOf(Accesses[J], Accesses[I]);
        if (!Meet.is_null())
          Never = Never.is_null() ? Meet : Never.unite(Meet);
      }
  }
  if (Errors.refuse() || Never.is_null())
    return false;
  Never = Never.intersect(S.getContext()).coalesce();
  if (Never.is_null() || !Never.is_empty().is_false() ||
      isl_set_n_basic_set(Never.get()) > MostCases)
    return false;
  if (Assume)
    restrictContext(S, Never);
  return true;
}

} // namespace polygpu
