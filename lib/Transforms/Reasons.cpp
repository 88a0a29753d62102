//===- Reasons.cpp - The core's reasons as refusals ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Reasons.h"
#include "ReductionOperators.h"
#include "adaptor/Notes.h"
#include "polly/ScopInfo.h"
#include "prepare/IndirectUpdates.h"
#include "prepare/SplitSums.h"
#include "scop/Updates.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/RegionInfo.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace polygpu {

/// The comparison by which \p I is the smaller or larger one of \p Phi and
/// another number, or null.
static const FCmpInst *comparedBy(const Instruction &I, const PHINode &Phi) {
  const auto *Choice = dyn_cast<SelectInst>(&I);
  const auto *Compare =
      Choice ? dyn_cast<FCmpInst>(Choice->getCondition()) : nullptr;
  if (!Compare || !is_contained(Compare->operands(), &Phi))
    return nullptr;
  const Value *Other = Choice->getTrueValue() == &Phi ? Choice->getFalseValue()
                                                      : Choice->getTrueValue();
  return is_contained(Compare->operands(), Other) ? Compare : nullptr;
}

/// The memory of which \p Compare has the smallest or largest number so far, of
/// which nothing else knows; or null.
static const Value *extremeInMemory(const FCmpInst &Compare) {
  for (const Value *Old : Compare.operands()) {
    const auto *Load = dyn_cast<LoadInst>(Old);
    if (!Load || !Load->hasNUses(2) ||
        isa<AllocaInst>(Load->getPointerOperand()))
      continue;
    for (const User *U : Load->getPointerOperand()->users()) {
      const auto *Store = dyn_cast<StoreInst>(U);
      if (!Store || Store->getPointerOperand() != Load->getPointerOperand())
        continue;
      const auto *Choice = dyn_cast<SelectInst>(Store->getValueOperand());
      if (Choice && Choice->getCondition() == &Compare &&
          all_of(Compare.operands(), [&](const Use &V) {
            return V == Choice->getTrueValue() || V == Choice->getFalseValue();
          }))
        return Load->getPointerOperand();
    }
  }
  return nullptr;
}

/// Does \p Phi begin each iteration with the smallest or largest number so far,
/// and something else, like its index, is chosen with it?
static bool isPlacedExtreme(const PHINode &Phi) {
  return any_of(Phi.incoming_values(), [&](const Use &U) {
    const auto *I = dyn_cast<Instruction>(U.get());
    const FCmpInst *Compare = I ? comparedBy(*I, Phi) : nullptr;
    return Compare && !Compare->hasOneUse();
  });
}

/// Does \p Phi, of a loop's header, begin each iteration with what an operator
/// of floating-point numbers made of it, whose order matters?
static bool isOrderedNumber(const PHINode &Phi) {
  return any_of(Phi.incoming_values(), [&](const Use &U) {
    const auto *I = dyn_cast<Instruction>(U.get());
    unsigned Operands = 0, Any;
    return I && I->getType()->isFloatingPointTy() &&
           is_contained(I->operands(), &Phi) &&
           ((comparedBy(*I, Phi) &&
             !(I->hasNoNaNs() && I->hasNoSignedZeros())) ||
            (operatorOf(*I, true, Operands) != PG_OP_NONE &&
             operatorOf(*I, false, Any) == PG_OP_NONE &&
             any_of(I->operands(), [&](const Use &Own) {
               return Own == &Phi && Operands & 1u << Own.getOperandNo();
             })));
  });
}

/// Is \p V computed from \p Phi, by a few operations?
static bool isMadeOf(const Value &V, const PHINode &Phi, unsigned Depth = 8) {
  const auto *I = dyn_cast<Instruction>(&V);
  return I && (I == &Phi || Depth == 0 ||
               (!isa<PHINode>(I) && any_of(I->operands(), [&](const Use &U) {
                 return isMadeOf(*U, Phi, Depth - 1);
               })));
}

/// Does nothing but the operator itself, in the iteration, use \p Phi for what
/// it becomes?
static bool isUpdatedOnce(const PHINode &Phi) {
  return any_of(Phi.incoming_values(), [&](const Use &U) {
    const auto *I = dyn_cast<Instruction>(U.get());
    return I && !isa<PHINode>(I) && is_contained(I->operands(), &Phi) &&
           count_if(I->operands(),
                    [&](const Use &Own) { return isMadeOf(*Own, Phi); }) == 1;
  });
}

/// The array that \p U updates is written under a condition only, where others
/// may own it.
static bool isFlagged(const ImportedScop &Imported, const Update &U) {
  auto Found = find(Imported.Arrays, U.Old->getLatestScopArrayInfo());
  return Found != Imported.Arrays.end() &&
         Imported.Scop->arrays[Found - Imported.Arrays.begin()].flagged;
}

/// What is updated under a condition on data, and only there, or "".
static std::string flaggedResult(const ImportedScop &Imported) {
  for (polly::ScopStmt *Stmt : Imported.Stmts)
    for (const Update &U : findUpdates(*Stmt, true))
      if (isFlagged(Imported, U))
        return sourceName(U.Old->getOriginalScopArrayInfo()->getBasePtr());
  return "";
}

/// A result of floating-point numbers that could be computed in another order,
/// or "".
static std::string orderedNumber(const ImportedScop &Imported) {
  const pg_scop &P = *Imported.Scop;
  // Polly may have it in an array that the loops write.
  for (const polly::ScopStmt *Stmt : Imported.Stmts)
    for (unsigned N = 0; N < Stmt->getNumIterators(); ++N)
      for (const PHINode &Phi :
           Stmt->getLoopForDimension(N)->getHeader()->phis())
        if (isOrderedNumber(Phi) && isUpdatedOnce(Phi))
          return sourceName(&Phi);
  for (unsigned A = 0; A < P.n_array; ++A) {
    const pg_array &Array = P.arrays[A];
    const auto *Phi =
        dyn_cast<PHINode>(Imported.Arrays[Array.origin]->getBasePtr());
    if (Array.kind == PG_ARRAY_PHI && Phi && isOrderedNumber(*Phi))
      return Array.source_name;
  }
  for (unsigned S = 0; S < Imported.Stmts.size(); ++S)
    for (const Update &U : findUpdates(*Imported.Stmts[S], true))
      if (P.stmts[S].n_update == 0 && !isFlagged(Imported, U) &&
          !isUpdateToken(U.Old->getOriginalScopArrayInfo()->getBasePtr()))
        return sourceName(U.Old->getOriginalScopArrayInfo()->getBasePtr());
  return "";
}

/// The smallest or largest number that is found together with its place, or "".
static std::string placedExtreme(const ImportedScop &Imported) {
  for (const pg_array &Array :
       ArrayRef(Imported.Scop->arrays, Imported.Scop->n_array)) {
    const auto *Phi =
        dyn_cast<PHINode>(Imported.Arrays[Array.origin]->getBasePtr());
    if (Array.kind == PG_ARRAY_PHI && Phi && isPlacedExtreme(*Phi))
      return Array.source_name;
  }
  return "";
}

/// The smallest or largest number that is in memory, and all that the loops
/// write, or "".
static std::string storedExtreme(const ImportedScop &Imported) {
  if (Imported.Stmts.empty())
    return "";
  const Value *Found = nullptr;
  unsigned Stores = 0;
  for (const BasicBlock *BB :
       Imported.Stmts[0]->getParent()->getRegion().blocks())
    for (const Instruction &I : *BB) {
      Stores += isa<StoreInst>(I);
      if (const auto *Compare = dyn_cast<FCmpInst>(&I))
        if (const Value *Best = extremeInMemory(*Compare))
          Found = Best;
    }
  return Found && Stores == 1 ? sourceName(Found) : "";
}

/// Operations on one result in one iteration that are looked at.
static const unsigned MostOfResult = 8;

/// Follows a result through the operations of one iteration.
class OrderedSteps {
public:
  explicit OrderedSteps(const Loop &L) : L(L) {}

  /// Does \p Last come from \p Old by operations on floating-point numbers of
  /// one operator whose order matters, some perhaps under a condition, and does
  /// nothing in the loop use what they give but \p Kept?
  bool lead(const Instruction &Old, const Instruction *Last,
            const Instruction &Kept);

private:
  const Loop &L;
  pg_operator Op = PG_OP_NONE;

  bool take(const Instruction &I);
  SmallVector<const Instruction *, 2> usersOf(const Instruction &I) const;
};

bool OrderedSteps::take(const Instruction &I) {
  unsigned Operands;
  const pg_operator Own = operatorOf(I, true, Operands);
  if (!I.getType()->isFloatingPointTy() || Own == PG_OP_NONE ||
      operatorOf(I, false, Operands) != PG_OP_NONE ||
      (Op != PG_OP_NONE && Op != Own))
    return false;
  Op = Own;
  return true;
}

/// What uses \p I in the loop.
SmallVector<const Instruction *, 2>
OrderedSteps::usersOf(const Instruction &I) const {
  SmallVector<const Instruction *, 2> Users;
  for (const User *U : I.users())
    if (const auto *Own = cast<Instruction>(U);
        L.contains(Own) && !is_contained(Users, Own))
      Users.push_back(Own);
  return Users;
}

/// Does \p L write more than what is the same in all of its iterations?
static bool storesElements(const Loop &L) {
  return any_of(L.blocks(), [&](const BasicBlock *BB) {
    return any_of(*BB, [&](const Instruction &I) {
      const auto *Store = dyn_cast<StoreInst>(&I);
      return Store && !L.isLoopInvariant(Store->getPointerOperand());
    });
  });
}

bool OrderedSteps::lead(const Instruction &Old, const Instruction *Last,
                        const Instruction &Kept) {
  if (!Last || !L.contains(Last))
    return false;
  const Instruction *At = &Old;
  const SelectInst *Choice = nullptr; // between what is and what was
  for (unsigned Left = MostOfResult; Left && At != Last; --Left) {
    auto Users = usersOf(*At);
    if (!Choice && Users.size() == 2) {
      auto *Found = find_if(
          Users, [](const Instruction *I) { return isa<SelectInst>(I); });
      if (Found == Users.end())
        return false;
      Choice = cast<SelectInst>(*Found);
      Users.erase(Found);
      // What is stored under the condition may be what is read next.
      if (Choice->getCondition() == At || storesElements(L))
        return false;
    }
    if (Users.size() != 1 || (Users[0] != Choice && !take(*Users[0])))
      return false;
    At = Users[0];
    if (At == Choice)
      Choice = nullptr;
  }
  const auto Users = usersOf(*At);
  return At == Last && !Choice && Op != PG_OP_NONE && Users.size() == 1 &&
         Users[0] == &Kept;
}

/// What \p I, in \p L, carries on as such a result, a phi or in memory; or
/// null.
static const Value *orderedUpdate(const Instruction &I, const Loop &L) {
  if (const auto *Phi = dyn_cast<PHINode>(&I))
    return any_of(Phi->incoming_values(),
                  [&](const Use &U) {
                    return OrderedSteps(L).lead(
                        *Phi, dyn_cast<Instruction>(U.get()), *Phi);
                  })
               ? Phi
               : nullptr;
  const auto *Store = dyn_cast<StoreInst>(&I);
  const auto *Next =
      Store ? dyn_cast<Instruction>(Store->getValueOperand()) : nullptr;
  if (!Next || !L.isLoopInvariant(Store->getPointerOperand()))
    return nullptr;
  return any_of(Next->operands(),
                [&](const Use &U) {
                  const auto *Load = dyn_cast<LoadInst>(U.get());
                  return Load &&
                         Load->getPointerOperand() ==
                             Store->getPointerOperand() &&
                         OrderedSteps(L).lead(*Load, Next, *Store);
                })
             ? Store->getPointerOperand()
             : nullptr;
}

/// The name of such a result that the model has put into an array of the loops,
/// or beside a store in one statement; or "".
static std::string orderedBesides(const ImportedScop &Imported) {
  if (Imported.Stmts.empty())
    return "";
  const polly::Scop &S = *Imported.Stmts[0]->getParent();
  for (BasicBlock *BB : S.getRegion().blocks())
    if (const Loop *L = S.getLI()->getLoopFor(BB))
      for (const Instruction &I : *BB)
        if (const Value *Result = orderedUpdate(I, *L))
          return sourceName(Result);
  return "";
}

/// The arrays and scalars through which iterations can depend on each other,
/// and what helps.
static std::string carriedBy(const ImportedScop &Imported) {
  const pg_scop &P = *Imported.Scop;
  std::string Text;
  StringSet<> Named;
  for (unsigned A = 0; A < P.n_array; ++A) {
    bool Written = false;
    for (unsigned I = 0; I < P.n_stmt; ++I)
      for (unsigned J = 0; J < P.stmts[I].n_access; ++J)
        if (P.stmts[I].accesses[J].array == A)
          Written |= P.stmts[I].accesses[J].write;
    const llvm::Value *Base = Imported.Arrays[P.arrays[A].origin]->getBasePtr();
    if (isAnonymous(Base))
      continue;
    if (const auto *I = dyn_cast<Instruction>(Base); I && hasNote(*I, PartNote))
      continue;
    if ((P.arrays[A].kind == PG_ARRAY_PHI || Written) &&
        Named.insert(P.arrays[A].source_name).second)
      Text += (Text.empty() ? "" : ", ") +
              ("'" + std::string(P.arrays[A].source_name)) + "'";
  }
  if (std::string Name = placedExtreme(Imported); !Name.empty())
    return " ('" + Name +
           "' is the smallest or largest of floating-point numbers, and "
           "something else, like its index, is kept with it); look for the "
           "number in one loop, and for what belongs to it in another one";
  if (std::string Name = storedExtreme(Imported); !Name.empty())
    return " ('" + Name +
           "' is the smallest or largest of floating-point numbers, in memory "
           "that each iteration writes); keep it in a local variable, and "
           "write it behind the loops";
  std::string Ordered = orderedNumber(Imported);
  if (Ordered.empty() && flaggedResult(Imported).empty())
    Ordered = orderedBesides(Imported);
  if (!Ordered.empty())
    return " ('" + Ordered +
           "' is a result of floating-point numbers that depends on their "
           "order); allow another order with -ffast-math, or for sums and "
           "products with -mllvm -gpu-reassociate-reductions";
  if (std::string Name = flaggedResult(Imported); !Name.empty())
    return " ('" + Name +
           "' is updated under a condition on data only, and may not be "
           "written "
           "where that does not hold); sum up in a local variable, or write it "
           "before the condition";
  if (!Text.empty())
    Text = " (the loops write " + Text + ")";
  if (P.variants_spent)
    return Text +
           ", and the operations that may be taken were not enough for private "
           "copies or a split of them; split them into several functions, or "
           "raise -gpu-max-operations";
  return Text +
         std::string("; write results to an array that the loop does not read, "
                     "or use one element per iteration instead of one scalar");
}

Refusal lastReason(const pg_report &Report, const ImportedScop &Imported) {
  static const char *const Names[] = {
      "Quota",    "Isl",    "NoParallelism", "MayWrite",   "NotFunction",
      "Schedule", "Bounds", "WrongPlan",     "Unsupported"};
  if (Report.n == 0)
    return {"Unsupported",
            "the polyhedral core gave no reason; please report this with "
            "the source",
            DebugLoc()};
  const pg_reason &R = Report.reasons[Report.n - 1];
  DebugLoc Loc;
  if (R.stmt)
    for (unsigned I = 0; I < Imported.Scop->n_stmt; ++I)
      if (const pg_stmt &T = Imported.Scop->stmts[I];
          StringRef(T.name) == R.stmt && !T.kind)
        for (const Instruction *Inst :
             Imported.Stmts[T.origin]->getInstructions())
          if (!Loc)
            Loc = Inst->getDebugLoc();
  std::string Sentence = R.sentence;
  if (R.code == PG_NO_PARALLELISM)
    Sentence += carriedBy(Imported);
  return {Names[R.code], Sentence, Loc, nullptr, R.code == PG_WRONG};
}

} // namespace polygpu
