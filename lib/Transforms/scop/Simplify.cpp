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
#include "scop/Detection.h"
#include "scop/Import.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Instructions.h"

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

/// The values that \p Stmt hands on.
static llvm::SmallPtrSet<const llvm::Value *, 8>
valuesWritten(const polly::ScopStmt &Stmt) {
  llvm::SmallPtrSet<const llvm::Value *, 8> Values;
  for (const polly::MemoryAccess *MA : Stmt) {
    if (!MA->isWrite())
      continue;
    Values.insert(MA->getAccessValue());
    for (const auto &[Block, Value] : MA->getIncoming())
      Values.insert(Value);
  }
  return Values;
}

/// Addresses are made from subscripts: what only computes them is left out,
/// like the i / 2 in a[i / 2], of which Polly knows what it is, but not that it
/// can be computed anywhere.
static void dropAddresses(polly::ScopStmt &Stmt) {
  auto Needed = valuesWritten(Stmt);
  llvm::SmallVector<llvm::Instruction *, 16> Kept;
  for (llvm::Instruction *I : llvm::reverse(Stmt.getInstructions())) {
    bool HasAddress = llvm::isa<llvm::LoadInst, llvm::StoreInst>(I);
    bool IsAddress = llvm::isa<llvm::GetElementPtrInst, llvm::CastInst,
                               llvm::BinaryOperator>(I);
    if (IsAddress && !Needed.count(I))
      continue;
    Kept.push_back(I);
    for (const llvm::Use &U : I->operands())
      if (!HasAddress || U != llvm::getLoadStorePointerOperand(I))
        Needed.insert(U);
  }
  std::reverse(Kept.begin(), Kept.end());
  Stmt.setInstructions(Kept);
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
  for (polly::ScopStmt &Stmt : S)
    if (Stmt.isBlockStmt())
      dropAddresses(Stmt);
  if (S.getSize() == 0)
    return refuseNoEffect(S.getRegion(), *S.getLI());
  return std::nullopt;
}

} // namespace polygpu
