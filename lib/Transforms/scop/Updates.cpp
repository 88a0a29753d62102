//===- Updates.cpp - Statements that update an element -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "scop/Updates.h"
#include "ReductionOperators.h"
#include "polly/ScopInfo.h"

using namespace llvm;
using polly::MemoryAccess;
using polly::ScopStmt;

namespace polygpu {

namespace {

/// Looks for the way from a load to what is stored.
class Finder {
public:
  Finder(ScopStmt &Stmt, bool Reassociate, Update &Result)
      : Stmt(Stmt), Reassociate(Reassociate), Result(Result) {}
  bool find(const MemoryAccess &Store);

private:
  ScopStmt &Stmt;
  bool Reassociate;
  Update &Result;
  LoadInst *Load = nullptr;
  unsigned Uses = 0; ///< of the load, on the way

  bool reach(Value *V);
  bool chooses(SelectInst *Choice);
  bool compares(SelectInst *Choice);
  bool isOld(Value *V) const { return V == Load; }
  bool take(Instruction *I, pg_operator Op);
};

/// The load of the only other access of the array that \p Store writes.
LoadInst *loadOf(ScopStmt &Stmt, const MemoryAccess &Store,
                 const MemoryAccess *&Old) {
  Old = nullptr;
  for (const MemoryAccess *MA : Stmt) {
    if (MA == &Store ||
        MA->getLatestScopArrayInfo() != Store.getLatestScopArrayInfo())
      continue;
    if (Old || !MA->isRead() || !MA->isOriginalArrayKind() ||
        !isa<LoadInst>(MA->getAccessInstruction()))
      return nullptr;
    Old = MA;
  }
  return Old ? cast<LoadInst>(Old->getAccessInstruction()) : nullptr;
}

bool Finder::take(Instruction *I, pg_operator Op) {
  if (Op == PG_OP_NONE || (Result.Op != PG_OP_NONE && Result.Op != Op))
    return false;
  Result.Op = Op;
  Result.Path.push_back(I);
  return true;
}

/// c ? x op e : x, where c does not depend on x.
bool Finder::chooses(SelectInst *Choice) {
  for (unsigned Arm : {1, 2})
    if (isOld(Choice->getOperand(Arm)) && reach(Choice->getOperand(3 - Arm))) {
      ++Uses;
      Result.Path.push_back(Choice);
      return true;
    }
  return false;
}

/// The predicate with which e has to compare with x for \p Choice to be e, one
/// of both; the one of no comparison if that is something else.
CmpInst::Predicate takes(const SelectInst &Choice, const FCmpInst &Compare,
                         const Value &X) {
  const Value *L = Compare.getOperand(0), *R = Compare.getOperand(1);
  const Value *Yes = Choice.getTrueValue(), *No = Choice.getFalseValue();
  CmpInst::Predicate P = Compare.getPredicate();
  if (!(L == Yes && R == No) && !(L == No && R == Yes))
    return CmpInst::FCMP_FALSE;
  if ((L == &X) == (R == &X))
    return CmpInst::FCMP_FALSE;
  if (L == &X)
    P = CmpInst::getSwappedPredicate(P);
  return Yes == &X ? CmpInst::getInversePredicate(P) : P;
}

/// x < e ? e : x and the like, of floating-point numbers.  Where there may be
/// NaNs, one is never taken for e; where zeros have signs, e is no negative
/// one: else the result depends on the order.
bool Finder::compares(SelectInst *Choice) {
  auto *Compare = dyn_cast<FCmpInst>(Choice->getCondition());
  if (!Compare || !Compare->hasOneUse())
    return false;
  CmpInst::Predicate P = takes(*Choice, *Compare, *Load);
  Value *Other = Compare->getOperand(isOld(Compare->getOperand(0)));
  if (!Choice->hasNoNaNs() && !CmpInst::isOrdered(P))
    return false;
  if (!Choice->hasNoSignedZeros() && (CmpInst::isNonStrictPredicate(P) ||
                                      !isNeverNegativeZero(*Other, *Choice)))
    return false;
  pg_operator Op = PG_OP_NONE;
  if (is_contained({CmpInst::FCMP_OGT, CmpInst::FCMP_OGE, CmpInst::FCMP_UGT,
                    CmpInst::FCMP_UGE},
                   P))
    Op = PG_OP_MAX;
  if (is_contained({CmpInst::FCMP_OLT, CmpInst::FCMP_OLE, CmpInst::FCMP_ULT,
                    CmpInst::FCMP_ULE},
                   P))
    Op = PG_OP_MIN;
  if (Op == PG_OP_NONE)
    return false;
  Uses += 2;
  Result.Path.push_back(Compare);
  return take(Choice, Op);
}

/// Does \p V come from the load, by one operator and nothing else?
bool Finder::reach(Value *V) {
  auto *I = dyn_cast<Instruction>(V);
  if (!I || !I->hasOneUse() || !is_contained(Stmt.getInstructions(), I))
    return false;
  if (auto *Choice = dyn_cast<SelectInst>(I))
    return compares(Choice) || chooses(Choice);
  unsigned Operands;
  pg_operator Op = operatorOf(*I, Reassociate, Operands);
  if (Op == PG_OP_NONE || (Result.Op != PG_OP_NONE && Op != Result.Op))
    return false;
  for (unsigned N = 0; N < 3; ++N) {
    if (!(Operands & 1u << N))
      continue;
    if (isOld(I->getOperand(N))) {
      ++Uses;
      return take(I, Op);
    }
    Update Before = Result;
    unsigned UsesBefore = Uses;
    Result.Op = Op;
    if (reach(I->getOperand(N)))
      return take(I, Op);
    Result = Before;
    Uses = UsesBefore;
  }
  return false;
}

/// Is \p I no matter for what the statement does?  Conditions of guarded reads
/// are there for the original loops.
bool isUnused(const Instruction &I, unsigned Depth = 8) {
  return Depth && !I.isTerminator() && !I.mayHaveSideEffects() &&
         all_of(I.users(), [&](const User *U) {
           return isUnused(*cast<Instruction>(U), Depth - 1);
         });
}

/// Is the load used in so many places, but for what is no matter?
bool hasUses(const LoadInst &Load, unsigned Count) {
  return Count == count_if(Load.uses(), [](const Use &U) {
           return !isUnused(*cast<Instruction>(U.getUser()));
         });
}

bool Finder::find(const MemoryAccess &Access) {
  auto *Store = dyn_cast<StoreInst>(Access.getAccessInstruction());
  Load = loadOf(Stmt, Access, Result.Old);
  if (!Store || !Load || Store->isVolatile() || Load->isVolatile() ||
      Load->getType() != Store->getValueOperand()->getType())
    return false;
  Result.Updated = &Access;
  return reach(Store->getValueOperand()) && hasUses(*Load, Uses) &&
         Result.Old->getLatestAccessRelation().is_equal(
             Access.getLatestAccessRelation());
}

} // namespace

SmallVector<Update, 2> findUpdates(ScopStmt &Stmt, bool Reassociate) {
  SmallVector<Update, 2> Found;
  if (!Stmt.isBlockStmt())
    return Found;
  for (const MemoryAccess *MA : Stmt) {
    if (!MA->isMustWrite() || !MA->isOriginalArrayKind())
      continue;
    Update Result;
    if (Finder(Stmt, Reassociate, Result).find(*MA))
      Found.push_back(std::move(Result));
  }
  return Found;
}

} // namespace polygpu
