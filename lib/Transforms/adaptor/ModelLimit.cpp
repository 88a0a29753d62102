//===- ModelLimit.cpp - What Polly may take for a model -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "adaptor/ModelLimit.h"
#include "polly/ScopInfo.h"
#include <cassert>

using namespace llvm;

extern "C" {
void __real__ZN5polly4Scop13addAssumptionENS_14AssumptionKindEN3isl3setEN4llvm8DebugLocENS_14AssumptionSignEPNS4_10BasicBlockEb(
    polly::Scop *S, polly::AssumptionKind Kind, isl::set Set, DebugLoc Loc,
    polly::AssumptionSign Sign, BasicBlock *BB, bool AtRunTime);
void __wrap__ZN5polly4Scop13addAssumptionENS_14AssumptionKindEN3isl3setEN4llvm8DebugLocENS_14AssumptionSignEPNS4_10BasicBlockEb(
    polly::Scop *S, polly::AssumptionKind Kind, isl::set Set, DebugLoc Loc,
    polly::AssumptionSign Sign, BasicBlock *BB, bool AtRunTime);
isl_map *__real_isl_map_gist_params(isl_map *Map, isl_set *Context);
isl_map *__wrap_isl_map_gist_params(isl_map *Map, isl_set *Context);
isl_map *__real_isl_map_gist_domain(isl_map *Map, isl_set *Domain);
isl_map *__wrap_isl_map_gist_domain(isl_map *Map, isl_set *Domain);
isl_set *__real_isl_set_gist_params(isl_set *Set, isl_set *Context);
isl_set *__wrap_isl_set_gist_params(isl_set *Set, isl_set *Context);
}

static thread_local polygpu::ModelLimit *Current = nullptr;

static bool isSpent() { return Current && Current->isSpent(); }

namespace polygpu {

ModelLimit::ModelLimit(const pg_budget &Budget) : Budget(Budget) {
  assert(!Current && "Polly builds one model after the other");
  Current = this;
}

ModelLimit::~ModelLimit() { Current = nullptr; }

bool ModelLimit::isSpent() const {
  return pg_budget_used(&Budget) >= Budget.operations;
}

} // namespace polygpu

void __wrap__ZN5polly4Scop13addAssumptionENS_14AssumptionKindEN3isl3setEN4llvm8DebugLocENS_14AssumptionSignEPNS4_10BasicBlockEb(
    polly::Scop *S, polly::AssumptionKind Kind, isl::set Set, DebugLoc Loc,
    polly::AssumptionSign Sign, BasicBlock *BB, bool AtRunTime) {
  if (isSpent()) {
    if (!Current->BrokenOff)
      S->invalidate(polly::COMPLEXITY, Loc, BB);
    Current->BrokenOff = true;
    return;
  }
  __real__ZN5polly4Scop13addAssumptionENS_14AssumptionKindEN3isl3setEN4llvm8DebugLocENS_14AssumptionSignEPNS4_10BasicBlockEb(
      S, Kind, std::move(Set), std::move(Loc), Sign, BB, AtRunTime);
}

// What is not simplified is right as well.

isl_map *__wrap_isl_map_gist_params(isl_map *Map, isl_set *Context) {
  if (!isSpent())
    return __real_isl_map_gist_params(Map, Context);
  isl_set_free(Context);
  return Map;
}

isl_map *__wrap_isl_map_gist_domain(isl_map *Map, isl_set *Domain) {
  if (!isSpent())
    return __real_isl_map_gist_domain(Map, Domain);
  isl_set_free(Domain);
  return Map;
}

// Each part of a set is made simpler by itself: where one is about m = 2, and
// the other one about m <= 1, that would stay a part of an assumption that is
// needed for m <= 2 only, as if there were no other m.
isl_set *__wrap_isl_set_gist_params(isl_set *Set, isl_set *Context) {
  if (!isSpent())
    return __real_isl_set_gist_params(isl_set_coalesce(Set),
                                      isl_set_coalesce(Context));
  isl_set_free(Context);
  return Set;
}
