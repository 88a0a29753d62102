//===- StatementOrder.cpp - Statements of a block in the program's order --===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "scop/StatementOrder.h"
#include "IslErrors.h"
#include "polly/ScopInfo.h"
#include "polly/Support/GICHelper.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;
using polly::MemoryAccess;

namespace polygpu {

/// Does the program have \p Later before \p Sooner, which is of an earlier
/// statement of the block?
static bool areExchanged(const MemoryAccess &Sooner,
                         const MemoryAccess &Later) {
  return Sooner.isOriginalArrayKind() && Later.isOriginalArrayKind() &&
         (Sooner.isWrite() || Later.isWrite()) &&
         Sooner.getOriginalScopArrayInfo() ==
             Later.getOriginalScopArrayInfo() &&
         Later.getAccessInstruction()->comesBefore(
             Sooner.getAccessInstruction());
}

/// The elements of \p MA in each iteration, { [i] -> [x] }.
static isl::map elementsOf(const MemoryAccess &MA) {
  isl::map Map =
      MA.getAccessRelation().intersect_domain(MA.getStatement()->getDomain());
  return isl::manage(isl_map_reset_tuple_id(Map.release(), isl_dim_in));
}

/// Is an element of \p A one of \p B in an iteration?  Not known counts as yes.
static bool meet(const MemoryAccess &A, const MemoryAccess &B) {
  return !elementsOf(A).intersect(elementsOf(B)).is_empty().is_true();
}

static Refusal refuse(const MemoryAccess &Sooner, const MemoryAccess &Later) {
  Instruction *First = Later.getAccessInstruction();
  Instruction *Second = Sooner.getAccessInstruction();
  const Function &F = *First->getFunction();
  std::string Name =
      sourceName(Sooner.getOriginalScopArrayInfo()->getBasePtr());
  Refusal Why{
      "StatementOrder",
      "'" + Name + "' is " + (Later.isWrite() ? "written" : "read") + " in " +
          describeLine(First->getDebugLoc(), F) + " before it is " +
          (Sooner.isWrite() ? "written" : "read") + " in " +
          describeLine(Second->getDebugLoc(), F) +
          ", and the analysis would exchange the two, since the latter is "
          "about a value that an iteration hands on to the next; keep such "
          "values in an array of their own",
      First->getDebugLoc(), First};
  Why.Array = Name;
  return Why;
}

/// Of the accesses of \p Earlier and a later statement of the same block.
static std::optional<Refusal> refusePair(polly::ScopStmt &Earlier,
                                         polly::ScopStmt &Stmt) {
  for (MemoryAccess *Sooner : Earlier)
    for (MemoryAccess *Later : Stmt)
      if (areExchanged(*Sooner, *Later) && meet(*Sooner, *Later))
        return refuse(*Sooner, *Later);
  return std::nullopt;
}

std::optional<Refusal> refuseReordered(polly::Scop &S) {
  IslErrors Errors(S.getIslCtx().get(), "order of statements");
  for (polly::ScopStmt &Stmt : S) {
    if (!Stmt.isBlockStmt())
      continue;
    for (polly::ScopStmt *Earlier : S.getStmtListFor(Stmt.getBasicBlock())) {
      if (Earlier == &Stmt)
        break;
      if (auto Why = refusePair(*Earlier, Stmt))
        return Errors.refuse(Why);
    }
  }
  return Errors.refuse();
}

} // namespace polygpu
