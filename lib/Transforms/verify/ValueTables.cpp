//===- ValueTables.cpp - What statements compute, step by step ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "verify/ValueTables.h"
#include "polly/ScopInfo.h"
#include "polly/Support/ScopHelper.h"
#include "prepare/IndirectUpdates.h"
#include "verify/Mutate.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"

using namespace llvm;
using polly::MemoryAccess;

namespace polygpu {

ValueTables::ValueTables(polly::Scop &S, const ImportedScop &Imported)
    : S(S), Imported(Imported) {
  for (unsigned N = 0; N < Imported.Stmts.size(); ++N)
    addStmt(N);
}

uint64_t ValueTables::bytesOf(const Value &V) const {
  const DataLayout &DL = S.getFunction().getDataLayout();
  return DL.getTypeStoreSize(V.getType()).getKnownMinValue();
}

void ValueTables::add(ValueStep::Kind K, const Value *V,
                      const MemoryAccess *MA) {
  ValueStep Step = {K, V};
  if (MA) {
    const auto &List = Imported.Accesses[Index];
    Step.Access = find(List, MA) - List.begin();
    Step.Bytes = bytesOf(*V);
    if (Step.Access == List.size())
      Obstacle = "an access was not handed over";
  }
  if (K != ValueStep::Write)
    Known.insert(V);
  Stmts.back().Steps.push_back(Step);
}

/// Let \p V have a value in each instance.
void ValueTables::need(const Value *V) {
  const auto *I = dyn_cast<Instruction>(V);
  if (!I || !S.contains(I) || Known.count(V))
    return;
  Loop *Scope = Stmt->getSurroundingLoop();
  if (!polly::canSynthesize(V, S, S.getSE(), Scope)) {
    Obstacle = "a value is used that no statement gives";
    return;
  }
  add(ValueStep::Synthesise, V);
  Stmts.back().Steps.back().E =
      S.getSE()->getSCEVAtScope(const_cast<Value *>(V), Scope);
}

/// \p I accesses the token \p Pointer of an update.
void ValueTables::addToken(const Instruction &I, const Value *Pointer) {
  const auto *Store = dyn_cast<StoreInst>(&I);
  const Value *V = Store ? Store->getValueOperand() : &I;
  if (Store)
    need(V);
  add(Store ? ValueStep::Write : ValueStep::Read, V);
  Stmts.back().Steps.back().Token = Pointer;
  Stmts.back().Steps.back().Bytes = bytesOf(*V);
}

void ValueTables::addInstruction(const Instruction &I) {
  if (isa<PHINode>(I) || I.isTerminator())
    return need(&I);
  if (const Value *Pointer = getLoadStorePointerOperand(&I);
      isUpdateToken(Pointer))
    return addToken(I, Pointer);
  const MemoryAccess *MA =
      isa<LoadInst, StoreInst>(I) ? Stmt->getArrayAccessOrNULLFor(&I) : nullptr;
  if (isa<LoadInst>(I))
    return add(ValueStep::Read, &I, MA);
  if (const auto *Store = dyn_cast<StoreInst>(&I)) {
    need(Store->getValueOperand());
    return add(ValueStep::Write, Store->getValueOperand(), MA);
  }
  for (const Use &U : I.operands())
    need(U.get());
  add(ValueStep::Compute, &I);
}

void ValueTables::addStmt(unsigned Number) {
  Index = Number;
  Stmt = Imported.Stmts[Number];
  Known.clear();
  Stmts.emplace_back();
  for (unsigned D = 0; D < Stmt->getNumIterators(); ++D)
    Stmts.back().Loops.push_back(Stmt->getLoopForDimension(D));
  if (!Stmt->isBlockStmt() || Stmt->isCopyStmt()) {
    Obstacle = "a statement is no block";
    return;
  }
  for (const MemoryAccess *MA : *Stmt)
    if (MA->isRead() && !MA->isOriginalArrayKind() &&
        is_contained(Imported.Accesses[Number], MA))
      add(ValueStep::Read,
          MA->isOriginalPHIKind()
              ? cast<Value>(MA->getAccessInstruction())
              : MA->getOriginalScopArrayInfo()->getBasePtr(),
          MA);
  for (const Instruction *I : Stmt->getInstructions())
    addInstruction(*I);
  for (const MemoryAccess *MA : *Stmt) {
    if (MA->isRead() || MA->isOriginalArrayKind())
      continue;
    if (MA->isOriginalAnyPHIKind() && MA->getIncoming().size() != 1) {
      Obstacle = "a statement has several ways to its end";
      return;
    }
    const Value *V = MA->isOriginalAnyPHIKind() ? MA->getIncoming()[0].second
                                                : MA->getAccessValue();
    need(V);
    add(ValueStep::Write, V, MA);
  }
  plantErrors();
}

/// For tests: what -gpu-mutate names is made wrong in the last statement.
void ValueTables::plantErrors() {
  std::string Where =
      S.getFunction().getName().str() + " " + Stmt->getBaseName();
  const Value *WasRead = nullptr;
  for (ValueStep &Step : Stmts.back().Steps) {
    if (Step.K == ValueStep::Read)
      WasRead = Step.V;
    if (Step.K == ValueStep::Compute && isMutated(Mutation::Operation, Where))
      Step.Instead = cast<Operator>(Step.V)->getOperand(0);
    if (Step.K == ValueStep::Write && WasRead && WasRead != Step.V &&
        isMutated(Mutation::Stale, Where))
      Step.Instead = WasRead;
  }
}

} // namespace polygpu
