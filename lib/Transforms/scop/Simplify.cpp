//===- Simplify.cpp - Fewer scalars in Polly's model ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "scop/Simplify.h"
#include "Quotas.h"
#include "polly/DeLICM.h"
#include "polly/ForwardOpTree.h"
#include "polly/ScopInfo.h"
#include "polly/Simplify.h"
#include "scop/Import.h"

namespace polygpu {

static bool writesScalars(polly::Scop &S) {
  for (polly::ScopStmt &Stmt : S)
    for (polly::MemoryAccess *MA : Stmt)
      if (MA->isWrite() && MA->isLatestScalarKind())
        return true;
  return false;
}

/// Is there a value of one statement that another uses?
static bool readsScalars(polly::Scop &S) {
  for (polly::ScopStmt &Stmt : S)
    for (polly::MemoryAccess *MA : Stmt)
      if (MA->isRead() && MA->isLatestScalarKind() && !isReadOnlyScalar(*MA, S))
        return true;
  return false;
}

std::optional<Refusal> simplifyScop(polly::Scop &S, const pg_budget &Budget) {
  polly::runSimplify(S, 0);
  if (readsScalars(S))
    polly::runForwardOpTree(S);
  if (auto Why = refuseIfSpent(Budget))
    return Why;
  if (writesScalars(S))
    polly::runDeLICM(S);
  polly::runSimplify(S, 1);
  if (S.getSize() == 0)
    return Refusal{"Empty", "the loops have no effect; remove them",
                   llvm::DebugLoc()};
  return std::nullopt;
}

} // namespace polygpu
