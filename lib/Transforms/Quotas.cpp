//===- Quotas.cpp - What the analysis may take ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Quotas.h"
#include "Options.h"
#include <climits>

using namespace llvm;

namespace polygpu {

/// Of one phase: a file may take a multiple, which is a number as well.
static const unsigned long MostOperations = ULONG_MAX >> 20;

pg_options limitsOfPhase(const Options &O) {
  pg_options Limits;
  pg_options_default(&Limits);
  if (O.Quota)
    Limits.max_operations = std::min(O.Quota, MostOperations);
  else if (O.Time == PG_TIME_OVERLAP || StringRef(O.Sizes).contains("stream"))
    Limits.max_operations *= 2; // Tiles that the user asks for.
  Limits.max_seconds = O.Seconds;
  if (!O.Sizes.empty())
    Limits.sizes = O.Sizes.c_str();
  Limits.promote = O.Promote;
  Limits.promote_all = O.PromoteAll;
  Limits.machine = &O.Machine;
  return Limits;
}

/// What a SCoP may take, whatever others have taken.
static unsigned long ownShare(const Options &O) {
  return limitsOfPhase(O).max_operations / 8;
}

bool leavesMore(const pg_budget &Function, const Options &O) {
  return pg_budget_operations(&Function, 0) > ownShare(O);
}

void beginScop(pg_budget &B, const Options &O, pg_budget *Outer, bool IsLast) {
  const unsigned long Phase = limitsOfPhase(O).max_operations;
  unsigned long Operations = Phase * 5 / 2;
  const char *Advice = "split them into several functions, or simplify bounds "
                       "and conditions";
  const unsigned long Own = ownShare(O);
  // What others have taken is not taken from a SCoP's own share.
  if (Outer && pg_budget_operations(Outer, Own) < Own) {
    Operations = Own;
    Advice = "others took the function's or the file's; split that, or raise "
             "-gpu-max-operations";
    Outer = nullptr;
  } else if (Outer) {
    const unsigned long Part =
        pg_budget_operations(Outer, 0) / 6 * (IsLast ? 5 : 3);
    if (!IsLast && std::max(Own, Part) < Operations)
      Advice = "others need the rest of the function's or the file's; split "
               "that, or raise -gpu-max-operations";
    Operations = std::min(Operations, std::max(Own, Part));
  }
  pg_budget_begin(&B, "these loops", Advice, Operations, O.Seconds, Outer);
}

void beginModel(pg_budget &B, const Options &O) {
  // Models of real programs took 2.6 million of 25 at most (BT of NPB), a box
  // of 343 points in three dimensions 7.9, and each step that follows goes over
  // the same sets.  A million, 0.2 seconds, is nothing to save on, however few
  // operations phases have.
  pg_budget_begin(&B, "these loops",
                  "split them into several functions, or simplify bounds, "
                  "sizes and subscripts",
                  std::max(limitsOfPhase(O).max_operations * 2 / 5, 1000000UL),
                  0, nullptr);
}

void beginFunction(pg_budget &B, const Options &O, pg_budget *Outer) {
  pg_budget_begin(&B, "this function", "split it, or raise -gpu-max-operations",
                  3 * limitsOfPhase(O).max_operations, 0, Outer);
}

void beginModule(pg_budget &B, const Options &O, size_t Functions) {
  pg_budget_begin(&B, "this file", "raise -gpu-max-operations",
                  limitsOfPhase(O).max_operations * 3 * (15 + Functions) / 16,
                  0, nullptr);
}

void giveBackPolly(pg_budget &B) {
  if (!B.outer)
    pg_budget_give_back(&B, pg_budget_used(&B));
}

std::optional<Refusal> refuseIfSpent(const pg_budget &B) {
  char *Sentence = pg_budget_spent(&B);
  if (!Sentence)
    return std::nullopt;
  Refusal Why{"Quota", Sentence, DebugLoc()};
  free(Sentence);
  return Why;
}

} // namespace polygpu
