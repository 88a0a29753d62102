//===- Mutate.cpp - Errors planted in generated code ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mutate.h"
#include "polygpu/polyhedral.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace polygpu {

static const char *const Names[] = {
    "guard",   "copy",      "barrier",   "index",     "uniform", "larger",
    "smaller", "subscript", "order",     "condition", "context", "range",
    "element", "lost",      "operation", "stale",     "domain",  "access",
    "filter",  "sync",      "exchange",  "move",      "product"};
static constexpr unsigned NumKinds = std::size(Names);

// A thread compiles one module after another with the same options.
static thread_local unsigned Count[NumKinds];
static thread_local unsigned Chosen[NumKinds]; ///< from 1 on, 0 for none
static thread_local bool List = false;

bool isMutated(Mutation Kind, const std::string &Where) {
  unsigned K = static_cast<unsigned>(Kind);
  ++Count[K];
  if (List)
    errs() << "polygpu-mutant: " << Names[K] << ':' << Count[K] << ' ' << Where
           << '\n';
  return Chosen[K] == Count[K];
}

bool isMutating() {
  return List || any_of(Chosen, [](unsigned Number) { return Number != 0; });
}

std::string setMutation(const std::string &Value) {
  auto [Name, Number] = StringRef(Value).split(':');
  for (unsigned K = 0; K < NumKinds; ++K)
    Chosen[K] = 0;
  List = Value == "list";
  pg_coalesce_unchecked(Value == "joined");
  if (List || Value.empty() || Value == "joined")
    return "";
  for (unsigned K = 0; K < NumKinds; ++K)
    if (Name == Names[K] && !Number.getAsInteger(10, Chosen[K]) && Chosen[K])
      return "";
  return "allowed is list, joined, or " +
         join(ArrayRef(Names).drop_back(), ", ") + " or " +
         Names[NumKinds - 1] + " with a number, like guard:1";
}

} // namespace polygpu
