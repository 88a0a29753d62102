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

/// x < e ? e : x and the like, of floating-point numbers that are no NaN, and
/// of which zeros have no sign.
bool Finder::compares(SelectInst *Choice) {
  auto *Compare = dyn_cast<FCmpInst>(Choice->getCondition());
  if (!Compare || !Compare->hasOneUse() || !Choice->hasNoNaNs() ||
      !Choice->hasNoSignedZeros())
    return false;
  Value *L = Compare->getOperand(0), *R = Compare->getOperand(1);
  bool IsSame = L == Choice->getTrueValue() && R == Choice->getFalseValue();
  if (!IsSame && !(R == Choice->getTrueValue() && L == Choice->getFalseValue()))
    return false;
  if (isOld(L) == isOld(R))
    return false;
  bool Greater;
  switch (Compare->getPredicate()) {
  case CmpInst::FCMP_OGT:
  case CmpInst::FCMP_OGE:
  case CmpInst::FCMP_UGT:
  case CmpInst::FCMP_UGE:
    Greater = true;
    break;
  case CmpInst::FCMP_OLT:
  case CmpInst::FCMP_OLE:
  case CmpInst::FCMP_ULT:
  case CmpInst::FCMP_ULE:
    Greater = false;
    break;
  default:
    return false;
  }
  Uses += 2;
  Result.Path.push_back(Compare);
  return take(Choice, Greater == IsSame ? PG_OP_MAX : PG_OP_MIN);
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

bool Finder::find(const MemoryAccess &Access) {
  auto *Store = dyn_cast<StoreInst>(Access.getAccessInstruction());
  Load = loadOf(Stmt, Access, Result.Old);
  if (!Store || !Load || Store->isVolatile() || Load->isVolatile() ||
      Load->getType() != Store->getValueOperand()->getType())
    return false;
  Result.Updated = &Access;
  return reach(Store->getValueOperand()) && Load->hasNUses(Uses) &&
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
