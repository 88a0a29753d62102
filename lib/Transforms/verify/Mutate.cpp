//===- Mutate.cpp - Errors planted in generated code ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "verify/Mutate.h"
#include "polygpu/polyhedral.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/raw_ostream.h"
#include <isl/ctx.h>

using namespace llvm;

namespace polygpu {

static cl::opt<std::string>
    Option("gpu-mutate", cl::value_desc("kind:n"), cl::Hidden,
           cl::desc("Test only: plant an error in the generated code"));

static const char *const Names[] = {
    "guard",     "copy",    "barrier", "meet",    "beside",    "index",
    "uniform",   "touch",   "larger",  "smaller", "subscript", "order",
    "condition", "context", "range",   "element", "lost",      "operation",
    "stale",     "domain",  "access",  "filter",  "sync",      "exchange",
    "move",      "omit",    "product", "mark",    "once",      "atomic",
    "early",     "invalid"};
static constexpr unsigned NumKinds = std::size(Names);

// A thread compiles one module after another with the same options.
static thread_local unsigned Count[NumKinds];
static thread_local unsigned Chosen[NumKinds]; ///< from 1 on, 0 for none
static constexpr unsigned All = ~0U;           ///< or each
static thread_local bool List = false;

static thread_local SmallVector<isl_ctx *, 4> CountedIn;
static thread_local unsigned long Allocations;
static thread_local unsigned long Failing; ///< from 1 on, 0 for none
static thread_local bool TellAllocations = false;

bool isMutated(Mutation Kind, const std::string &Where) {
  unsigned K = static_cast<unsigned>(Kind);
  ++Count[K];
  if (List)
    errs() << "polygpu-mutant: " << Names[K] << ':' << Count[K] << ' ' << Where
           << '\n';
  return Chosen[K] == Count[K] || Chosen[K] == All;
}

bool isMutating() {
  return List || any_of(Chosen, [](unsigned Number) { return Number != 0; });
}

bool isMutating(Mutation Kind) {
  return Chosen[static_cast<unsigned>(Kind)] != 0;
}

CountedAllocations::CountedAllocations(isl_ctx *Ctx) {
  CountedIn.push_back(Ctx);
}

CountedAllocations::~CountedAllocations() { CountedIn.pop_back(); }

void tellAllocations(const char *What) {
  if (TellAllocations)
    errs() << "polygpu-allocations: " << Allocations << ' ' << What << '\n';
}

static bool failsAllocation(isl_ctx *Ctx, bool InPhase) {
  if (InPhase || !is_contained(CountedIn, Ctx) || ++Allocations != Failing)
    return false;
  isl_handle_error(Ctx, isl_error_alloc, "planted", __FILE__, __LINE__);
  return true;
}

/// Read \p Name and \p Number if they are about allocations.
static bool setAllocations(StringRef Name, StringRef Number) {
  Failing = 0;
  TellAllocations = Name == "allocations" && Number.empty();
  bool Fails =
      Name == "allocation" && !Number.getAsInteger(10, Failing) && Failing != 0;
  // One for all threads: others may be compiling, so it is left alone without
  // need.
  if (TellAllocations || Fails)
    pg_work_fails = &failsAllocation;
  return TellAllocations || Fails;
}

static std::string setMutation(const std::string &Value) {
  auto [Name, Number] = StringRef(Value).split(':');
  for (unsigned K = 0; K < NumKinds; ++K)
    Chosen[K] = 0;
  List = Value == "list";
  pg_coalesce_unchecked(Value == "joined");
  if (setAllocations(Name, Number) || List || Value.empty() ||
      Value == "joined")
    return "";
  for (unsigned K = 0; K < NumKinds; ++K) {
    if (Name != Names[K])
      continue;
    if (Number == "all")
      Chosen[K] = All;
    else if (Number.getAsInteger(10, Chosen[K]))
      Chosen[K] = 0;
    if (Chosen[K])
      return "";
  }
  return "allowed is list, joined, allocations, or " +
         join(ArrayRef(Names), ", ") +
         " or allocation with a number, like guard:1 (or all, but for "
         "allocation)";
}

std::string readMutation() {
  std::string Wrong = setMutation(Option);
  return Wrong.empty() ? Wrong : "-gpu-mutate=" + Option + ": " + Wrong;
}

} // namespace polygpu
