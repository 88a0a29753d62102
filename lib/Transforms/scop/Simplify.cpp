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

/// Does \p MA read a value of another statement or iteration?
static bool readsScalar(const polly::MemoryAccess &MA, const polly::Scop &S) {
  return MA.isRead() && MA.isLatestScalarKind() && !isReadOnlyScalar(MA, S);
}

/// Is there a store that a scalar, which its statement reads, may be an element
/// of?  Nothing else is mapped to arrays.
static bool storesScalars(polly::Scop &S) {
  auto Stores = [](const polly::MemoryAccess *MA) {
    return MA->isWrite() && MA->isLatestArrayKind();
  };
  auto Writes = [](const polly::MemoryAccess *MA) {
    return MA->isWrite() && MA->isLatestScalarKind();
  };
  bool Any = false, AnyWritten = false;
  for (polly::ScopStmt &Stmt : S) {
    AnyWritten |= llvm::any_of(Stmt, Writes);
    Any |= llvm::any_of(Stmt, Stores) &&
           llvm::any_of(Stmt, [&](const polly::MemoryAccess *MA) {
             return readsScalar(*MA, S);
           });
  }
  return Any && AnyWritten;
}

/// Is \p V, if it is what a phi of \p S has from one of its sides or such a
/// phi, loaded, or one of what is \p Stored?
static bool isInMemory(llvm::Value *V, const polly::Scop &S,
                       const llvm::SmallPtrSetImpl<llvm::Value *> &Stored,
                       llvm::SmallPtrSetImpl<llvm::Value *> &Seen) {
  if (Stored.contains(V) || llvm::isa<llvm::LoadInst>(V))
    return true;
  auto *Phi = llvm::dyn_cast<llvm::PHINode>(V);
  return Phi && S.contains(Phi) && Seen.insert(Phi).second &&
         llvm::any_of(Phi->incoming_values(), [&](const llvm::Use &U) {
           return isInMemory(U, S, Stored, Seen);
         });
}

/// Is there a value of one statement that another uses and that could be
/// computed or loaded there?  Phis are neither, but where an array has what
/// they are.
static bool mayForward(polly::Scop &S) {
  llvm::SmallPtrSet<llvm::Value *, 16> Stored, Seen;
  for (polly::ScopStmt &Stmt : S)
    for (polly::MemoryAccess *MA : Stmt)
      if (MA->isWrite() && MA->isLatestArrayKind())
        Stored.insert(MA->getAccessValue());
  for (polly::ScopStmt &Stmt : S)
    for (polly::MemoryAccess *MA : Stmt)
      if (readsScalar(*MA, S) &&
          (!llvm::isa<llvm::PHINode>(MA->getAccessValue()) ||
           isInMemory(MA->getAccessValue(), S, Stored, Seen)))
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
  if (mayForward(S))
    polly::runForwardOpTree(S);
  if (auto Why = refuseIfSpent(Budget))
    return Why;
  if (storesScalars(S))
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
