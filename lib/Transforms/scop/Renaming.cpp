//===- Renaming.cpp - isl's objects with the core's names ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "scop/Renaming.h"
#include <isl/aff.h>
#include <isl/id.h>
#include <isl/map.h>
#include <isl/schedule.h>
#include <isl/set.h>
#include <isl/union_set.h>

namespace polygpu {

// One interface for what has parameters.

static isl_size dim(isl_set *S) { return isl_set_dim(S, isl_dim_param); }
static isl_size dim(isl_map *M) { return isl_map_dim(M, isl_dim_param); }
static isl_size dim(isl_pw_aff *A) { return isl_pw_aff_dim(A, isl_dim_param); }
static isl_id *param(isl_set *S, unsigned I) {
  return isl_set_get_dim_id(S, isl_dim_param, I);
}
static isl_id *param(isl_map *M, unsigned I) {
  return isl_map_get_dim_id(M, isl_dim_param, I);
}
static isl_id *param(isl_pw_aff *A, unsigned I) {
  return isl_pw_aff_get_dim_id(A, isl_dim_param, I);
}
static isl_set *setParam(isl_set *S, unsigned I, isl_id *Id) {
  return isl_set_set_dim_id(S, isl_dim_param, I, Id);
}
static isl_map *setParam(isl_map *M, unsigned I, isl_id *Id) {
  return isl_map_set_dim_id(M, isl_dim_param, I, Id);
}
static isl_pw_aff *setParam(isl_pw_aff *A, unsigned I, isl_id *Id) {
  return isl_pw_aff_set_dim_id(A, isl_dim_param, I, Id);
}

void Renaming::add(const isl::id &Id, llvm::StringRef Name) {
  if (Id.is_null())
    return;
  isl_ctx *Ctx = isl_id_get_ctx(Id.get());
  Ids[Id.get()] = {Id,
                   isl::manage(isl_id_alloc(Ctx, Name.str().c_str(), nullptr))};
}

isl_id *Renaming::renamed(isl_id *Id) const {
  auto It = Ids.find(Id);
  if (It == Ids.end())
    return Id;
  isl_id_free(Id);
  return It->second.New.copy();
}

template <typename T> T *Renaming::params(T *Object) const {
  isl_size N = dim(Object);
  for (int I = 0; I < N; ++I)
    Object = setParam(Object, I, renamed(param(Object, I)));
  return Object;
}

isl_set *Renaming::rename(isl_set *S) const {
  S = params(S);
  if (isl_set_is_params(S) == isl_bool_false &&
      isl_set_has_tuple_id(S) == isl_bool_true)
    S = isl_set_set_tuple_id(S, renamed(isl_set_get_tuple_id(S)));
  return S;
}

isl_map *Renaming::rename(isl_map *M) const {
  M = params(M);
  for (isl_dim_type Type : {isl_dim_in, isl_dim_out})
    if (isl_map_has_tuple_id(M, Type) == isl_bool_true)
      M = isl_map_set_tuple_id(M, Type, renamed(isl_map_get_tuple_id(M, Type)));
  return M;
}

isl_pw_aff *Renaming::rename(isl_pw_aff *A) const {
  A = params(A);
  isl_space *Domain = isl_pw_aff_get_domain_space(A);
  bool OfParams = isl_space_is_params(Domain) != isl_bool_false;
  isl_space_free(Domain);
  if (!OfParams && isl_pw_aff_has_tuple_id(A, isl_dim_in) == isl_bool_true)
    A = isl_pw_aff_set_tuple_id(
        A, isl_dim_in, renamed(isl_pw_aff_get_tuple_id(A, isl_dim_in)));
  return A;
}

//===-- To the other context ----------------------------------------------===//

/// \p Text, which is freed, as \p Read reads it.
template <typename T>
static T *readText(isl_ctx *To, char *Text,
                   T *(*Read)(isl_ctx *, const char *)) {
  T *Result = Text ? Read(To, Text) : nullptr;
  free(Text);
  return Result;
}

isl_set *Renaming::copy(const isl::set &S) const {
  isl_set *New = rename(S.copy());
  char *Text = isl_set_to_str(New);
  isl_set_free(New);
  return readText(To, Text, isl_set_read_from_str);
}

isl_map *Renaming::copy(const isl::map &M) const {
  isl_map *New = rename(M.copy());
  char *Text = isl_map_to_str(New);
  isl_map_free(New);
  return readText(To, Text, isl_map_read_from_str);
}

isl_pw_aff *Renaming::copy(const isl::pw_aff &A) const {
  isl_pw_aff *New = rename(A.copy());
  char *Text = isl_pw_aff_to_str(New);
  isl_pw_aff_free(New);
  return readText(To, Text, isl_pw_aff_read_from_str);
}

namespace {
/// What a callback of isl works on.
template <typename T> struct Sum {
  const Renaming &Names;
  T *Result;
};
} // namespace

isl_union_set *Renaming::copy(const isl::union_set &S) const {
  Sum<isl_union_set> Into = {*this, isl_union_set_empty_ctx(To)};
  auto Add = [](isl_set *Part, void *User) {
    auto &Into = *static_cast<Sum<isl_union_set> *>(User);
    isl_set *New = Into.Names.copy(isl::manage(Part));
    Into.Result = isl_union_set_union(Into.Result, isl_union_set_from_set(New));
    return Into.Result ? isl_stat_ok : isl_stat_error;
  };
  if (isl_union_set_foreach_set(S.get(), Add, &Into) != isl_stat_ok)
    Into.Result = isl_union_set_free(Into.Result);
  return Into.Result;
}

/// The members of a band, each of them statement by statement.
isl_multi_union_pw_aff *Renaming::copy(isl_multi_union_pw_aff *Band) const {
  isl_size N = isl_multi_union_pw_aff_dim(Band, isl_dim_out);
  isl_union_pw_aff_list *List = isl_union_pw_aff_list_alloc(To, N < 0 ? 0 : N);
  auto Add = [](isl_pw_aff *Part, void *User) {
    auto &Into = *static_cast<Sum<isl_union_pw_aff> *>(User);
    isl_pw_aff *New = Into.Names.copy(isl::manage(Part));
    Into.Result = isl_union_pw_aff_union_add(Into.Result,
                                             isl_union_pw_aff_from_pw_aff(New));
    return Into.Result ? isl_stat_ok : isl_stat_error;
  };
  for (int I = 0; I < N; ++I) {
    isl_union_pw_aff *Member = isl_multi_union_pw_aff_get_union_pw_aff(Band, I);
    Sum<isl_union_pw_aff> Into = {*this, isl_union_pw_aff_empty_ctx(To)};
    if (isl_union_pw_aff_foreach_pw_aff(Member, Add, &Into) != isl_stat_ok)
      Into.Result = isl_union_pw_aff_free(Into.Result);
    isl_union_pw_aff_free(Member);
    List = isl_union_pw_aff_list_add(List, Into.Result);
  }
  isl_multi_union_pw_aff_free(Band);
  isl_space *Space = isl_space_set_from_params(isl_space_params_alloc(To, 0));
  Space = isl_space_add_dims(Space, isl_dim_set, N < 0 ? 0 : N);
  return isl_multi_union_pw_aff_from_union_pw_aff_list(Space, List);
}

/// The filters of the children of \p Node.
isl_union_set_list *Renaming::childrenOf(isl_schedule_node *Node) const {
  isl_size N = isl_schedule_node_n_children(Node);
  isl_union_set_list *List = isl_union_set_list_alloc(To, N < 0 ? 0 : N);
  for (int I = 0; I < N; ++I) {
    isl_schedule_node *Child = isl_schedule_node_get_child(Node, I);
    isl_union_set *Filter = isl_schedule_node_filter_get_filter(Child);
    isl_schedule_node_free(Child);
    List = isl_union_set_list_add(List, copy(isl::manage(Filter)));
  }
  return List;
}

/// What \p Node says, without what Polly's mark points to.
isl_id *Renaming::markOf(isl_schedule_node *Node) const {
  isl_id *Mark = isl_schedule_node_mark_get_id(Node);
  isl_id *New =
      Mark ? isl_id_alloc(To, isl_id_get_name(Mark), nullptr) : nullptr;
  isl_id_free(Mark);
  return New;
}

/// Insert at \p At, a leaf, what is below and at \p From; returns to it.
isl_schedule_node *Renaming::build(isl_schedule_node *At,
                                   isl_schedule_node *From) const {
  isl_size N = 0; // children behind filters
  bool HasBody = false;
  switch (isl_schedule_node_get_type(From)) {
  case isl_schedule_node_leaf:
    break;
  case isl_schedule_node_band:
    At = isl_schedule_node_insert_partial_schedule(
        At, copy(isl_schedule_node_band_get_partial_schedule(From)));
    HasBody = true;
    break;
  case isl_schedule_node_mark:
    At = isl_schedule_node_insert_mark(At, markOf(From));
    HasBody = true;
    break;
  case isl_schedule_node_sequence:
    At = isl_schedule_node_insert_sequence(At, childrenOf(From));
    N = isl_schedule_node_n_children(From);
    break;
  case isl_schedule_node_set:
    At = isl_schedule_node_insert_set(At, childrenOf(From));
    N = isl_schedule_node_n_children(From);
    break;
  default:
    At = isl_schedule_node_free(At);
  }
  if (HasBody) {
    At = isl_schedule_node_child(At, 0);
    At = build(At, isl_schedule_node_get_child(From, 0));
    At = isl_schedule_node_parent(At);
  }
  for (int I = 0; I < N; ++I) {
    isl_schedule_node *Filter = isl_schedule_node_get_child(From, I);
    At = isl_schedule_node_grandchild(At, I, 0);
    At = build(At, isl_schedule_node_child(Filter, 0));
    At = isl_schedule_node_parent(isl_schedule_node_parent(At));
  }
  isl_schedule_node_free(From);
  return At;
}

isl_schedule *Renaming::copy(const isl::schedule &S) const {
  isl_union_set *Domain = copy(isl::manage(isl_schedule_get_domain(S.get())));
  isl_schedule *New = isl_schedule_from_domain(Domain);
  isl_schedule_node *At = isl_schedule_get_root(New);
  isl_schedule_free(New);
  isl_schedule_node *From = isl_schedule_get_root(S.get());
  At = build(isl_schedule_node_child(At, 0), isl_schedule_node_child(From, 0));
  New = isl_schedule_node_get_schedule(At);
  isl_schedule_node_free(At);
  return New;
}

} // namespace polygpu
