//===- ShiftParts.cpp - Parts of allocations with rows --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "prepare/ShiftParts.h"
#include "AddressSums.h"
#include "adaptor/HiddenValues.h"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Operator.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"
#include <map>
#include <set>

using namespace llvm;
using namespace polygpu;

/// More parts of a function are not looked at.
static const unsigned MaxParts = 64;
/// More sizes of rows of a pointer neither.
static const unsigned MaxRows = 16;

namespace {

/// What begins at one place of a pointer's memory.
struct Part {
  Value *Root;
  const Loop *Scope; ///< around the nests that access it; null: the function
  AddressSum First;  ///< in bytes behind the pointer
  int64_t Field;     ///< of these, what may be in front of a member
  bool Varies;       ///< with counters
  bool ByPointer;    ///< that it begins there is what a pointer says
  SmallVector<AddressSum, 2> Rows; ///< sizes that are no constants, in bytes
  Value *Shifted = nullptr;        ///< the pointer to it, when it has one
};

/// An access of a nest.
struct Access {
  Instruction *User; ///< in the nest, with a pointer from in front of it
  const Loop *Nest;  ///< the outermost loop in which the first element is same
  unsigned Of;       ///< which part
  bool Writes;
  const Loop *Whole; ///< around whole rows of one size, or null
};

class PartShifter {
public:
  PartShifter(Function &F, const LoopInfo &LI, const DominatorTree &DT,
              ScalarEvolution &SE)
      : F(F), LI(LI), DT(DT), SE(SE), Ty(Type::getInt64Ty(F.getContext())) {}
  bool run();

private:
  Function &F;
  const LoopInfo &LI;
  const DominatorTree &DT;
  ScalarEvolution &SE;
  Type *Ty;
  std::vector<Part> Parts;
  std::vector<Access> Accesses;
  /// Pointers and loops in which it is not known where they lead to.
  std::set<std::pair<const Value *, const Loop *>> Unclear;

  /// The way to an element.
  struct Path {
    Instruction *I;
    Value *Address, *Root;
    int64_t Field; ///< bytes in front of the member that is accessed
    SmallVector<AddressSum, 2> Rows;
    SmallVector<const Loop *, 4> Loops;
    /// Loops that step by a constant number of bytes, and these.
    SmallVector<std::pair<const Loop *, int64_t>, 4> Columns;
    const SCEV *Start;
  };

  PHINode *movingPointer(Value *V) const;
  Value *pointerBehind(Value *V) const;
  std::optional<Path> pathOf(Instruction &I) const;
  std::pair<AddressSum, bool> beginOf(const Path &P, const Instruction &User,
                                      const AddressSum &First,
                                      llvm::ArrayRef<AddressSum> AllRows);
  void add(const Path &P, ArrayRef<AddressSum> AllRows);
  const Loop *nestOf(const Path &P) const;
  const Loop *wholeRows(const Path &P);
  std::optional<AddressSum> firstOf(const SCEV *Start,
                                    ArrayRef<AddressSum> Rows,
                                    ArrayRef<const Loop *> Loops);
  unsigned partFor(const Path &P, const Loop *Scope, AddressSum First,
                   bool ByPointer);
  bool isAlone(const Part &P) const;
  bool areSameIn(const Loop &L, ArrayRef<AddressSum> Rows) const;
  bool isBeside(const Access &A) const;
  bool changesRows(const Access &A) const;
  unsigned withoutField(unsigned Of);
  bool isKnownTo(const Loop &Nest, const Access &A) const;
  Value *shiftedPointer(Part &P);
  bool shift(const Access &A, unsigned Of);
};

/// The pointer operand of a load, store or address computation; of a pointer
/// that moves on with a loop, the one with which it begins.
static unsigned pointerOperand(const Instruction &I, const LoopInfo &LI) {
  if (const auto *Phi = dyn_cast<PHINode>(&I))
    return Phi->getBasicBlockIndex(
        LI.getLoopFor(Phi->getParent())->getLoopPreheader());
  return isa<StoreInst>(I) ? StoreInst::getPointerOperandIndex() : 0;
}

/// \p V, if it is a pointer that moves on with a loop, else null.
PHINode *PartShifter::movingPointer(Value *V) const {
  auto *Phi = dyn_cast<PHINode>(V);
  const Loop *L = Phi ? LI.getLoopFor(Phi->getParent()) : nullptr;
  const auto *Rec = L && L->getHeader() == Phi->getParent() &&
                            L->getLoopPreheader() &&
                            Phi->getType()->isPointerTy()
                        ? dyn_cast<SCEVAddRecExpr>(SE.getSCEV(Phi))
                        : nullptr;
  return Rec && Rec->getLoop() == L ? Phi : nullptr;
}

/// What \p V is computed from, if it is an address or moves on, else null.
Value *PartShifter::pointerBehind(Value *V) const {
  if (auto *GEP = dyn_cast<GEPOperator>(V))
    return GEP->getPointerOperand();
  PHINode *Phi = movingPointer(V);
  return Phi ? Phi->getOperand(pointerOperand(*Phi, LI)) : nullptr;
}

/// The outermost loop in which \p P begins at the same place, or null.
const Loop *PartShifter::nestOf(const Path &P) const {
  const Loop *Nest = nullptr;
  for (const Loop *L = LI.getLoopFor(P.I->getParent());
       L && SE.isLoopInvariant(P.Start, L) && L->isLoopInvariant(P.Root);
       L = L->getParentLoop())
    Nest = L;
  return Nest;
}

static bool contains(const SCEV *E, const SCEV *Part) {
  return SCEVExprContains(E, [&](const SCEV *S) { return S == Part; });
}

/// Is \p Is true of a number in \p E that nothing is known of?
template <typename Predicate>
static bool hasNumber(const SCEV *E, Predicate Is) {
  return SCEVExprContains(
      E, [&](const SCEV *Part) { return isa<SCEVUnknown>(Part) && Is(Part); });
}

/// Is \p Row computed from \p Number?
static bool isOf(const AddressSum &Row, const SCEV *Number) {
  return any_of(Row.terms(), [&](const AddressSum::Term &T) {
    return any_of(T.Variables,
                  [&](const SCEV *V) { return contains(V, Number); });
  });
}

/// What of \p Start is no whole number of rows, no constant, no size of rows
/// (which may be signed here and not there), and no bound of \p Loops, or a
/// product of one of these and something else.
std::optional<AddressSum> PartShifter::firstOf(const SCEV *Start,
                                               ArrayRef<AddressSum> Rows,
                                               ArrayRef<const Loop *> Loops) {
  auto First = addressSum(Start, Ty, SE);
  if (!First)
    return std::nullopt;
  for (const AddressSum &Row : Rows) {
    auto Division = First->divide(Row);
    if (!Division)
      return std::nullopt;
    First = Division->second;
  }
  auto IsFree = [&](const SCEV *Number) {
    return none_of(Rows,
                   [&](const AddressSum &Row) { return isOf(Row, Number); });
  };
  auto IsBound = [&](const SCEV *Number) {
    return any_of(Loops, [&](const Loop *L) {
      return contains(SE.getBackedgeTakenCount(L), Number);
    });
  };
  AddressSum Result;
  // n - 1 - j is a column, but n * k is none for being of n.
  for (const AddressSum::Term &T : First->terms())
    if (any_of(T.Variables, [&](const SCEV *V) {
          return hasNumber(V, IsFree) && !hasNumber(V, IsBound);
        }))
      Result.add(T);
  return Result;
}

unsigned PartShifter::partFor(const Path &P, const Loop *Scope,
                              AddressSum First, bool ByPointer) {
  if (P.Field)
    First.add({{}, P.Field});
  auto It = find_if(Parts, [&](const Part &Other) {
    return Other.Root == P.Root && Other.Scope == Scope && Other.First == First;
  });
  if (It == Parts.end())
    It =
        Parts.insert(It, Part{P.Root, Scope, First, P.Field, false, false, {}});
  It->Varies |= !P.Loops.empty();
  It->ByPointer |= ByPointer;
  for (const AddressSum &Row : P.Rows)
    if (!is_contained(It->Rows, Row))
      It->Rows.push_back(Row);
  return It - Parts.begin();
}

/// The value of \p E, but for the lengths of numbers, where those that are not
/// known have the values of \p Sample, which get new ones; nothing if it is no
/// simple expression.
static std::optional<int64_t>
valueFor(const SCEV *E, DenseMap<const Value *, int64_t> &Sample) {
  if (const auto *C = dyn_cast<SCEVConstant>(E))
    return C->getAPInt().getSignificantBits() <= 64
               ? std::optional(C->getAPInt().getSExtValue())
               : std::nullopt;
  if (const auto *Number = dyn_cast<SCEVUnknown>(E)) {
    const int64_t Next = 1000 + 101 * static_cast<int64_t>(Sample.size());
    return Sample.try_emplace(Number->getValue(), Next).first->second;
  }
  if (const auto *Cast = dyn_cast<SCEVCastExpr>(E))
    return valueFor(Cast->getOperand(), Sample);
  if (!isa<SCEVAddExpr, SCEVMulExpr, SCEVMinMaxExpr>(E))
    return std::nullopt;
  std::optional<int64_t> Result;
  for (const SCEV *Op : E->operands()) {
    auto V = valueFor(Op, Sample);
    int64_t Next = 0;
    if (!V)
      return std::nullopt;
    if (!Result)
      Next = *V;
    else if (isa<SCEVAddExpr>(E)
                 ? AddOverflow(*Result, *V, Next)
                 : isa<SCEVMulExpr>(E) && MulOverflow(*Result, *V, Next))
      return std::nullopt;
    else if (isa<SCEVSMaxExpr, SCEVUMaxExpr>(E))
      Next = std::max(*Result, *V);
    else if (isa<SCEVMinMaxExpr>(E))
      Next = std::min(*Result, *V);
    Result = Next;
  }
  return Result;
}

/// Does no iteration of \p L change one of \p Rows?
bool PartShifter::areSameIn(const Loop &L, ArrayRef<AddressSum> Rows) const {
  return all_of(Rows, [&](const AddressSum &Row) {
    return SE.isLoopInvariant(expressionOf(Row, Ty, SE), &L);
  });
}

/// The outermost loop in which the rows that \p P goes through are of one size,
/// and each is gone through from the first element to the last by another loop,
/// as far as sizes that are not known tell; else null.
const Loop *PartShifter::wholeRows(const Path &P) {
  if (P.Rows.empty())
    return nullptr;
  DenseMap<const Value *, int64_t> Sample;
  auto IsWhole = [&](const AddressSum &Row) {
    auto Size = valueFor(expressionOf(Row, Ty, SE), Sample);
    return Size && any_of(P.Columns, [&](const auto &Column) {
             auto Last =
                 valueFor(SE.getBackedgeTakenCount(Column.first), Sample);
             int64_t Bytes = 0;
             return Last && !AddOverflow<int64_t>(*Last, 1, Bytes) &&
                    !MulOverflow(Bytes, Column.second, Bytes) && Bytes == *Size;
           });
  };
  if (none_of(P.Rows, IsWhole))
    return nullptr;
  const Loop *Around = nullptr;
  for (const Loop *L = LI.getLoopFor(P.I->getParent());
       L && SE.isLoopInvariant(P.Start, L) && areSameIn(*L, P.Rows);
       L = L->getParentLoop())
    Around = L;
  return Around;
}

/// What \p I accesses, and how its address grows with loops; nothing if it is
/// in none, or no pointer that is known in front of loops is behind it.
std::optional<PartShifter::Path> PartShifter::pathOf(Instruction &I) const {
  Value *Address = getLoadStorePointerOperand(&I);
  if (!Address || !LI.getLoopFor(I.getParent()))
    return std::nullopt;
  Value *Root = Address;
  APInt Field(64, 0);
  while (Value *Behind = pointerBehind(Root)) {
    if (auto *GEP = dyn_cast<GEPOperator>(Root)) {
      Field = 0;
      if (!GEP->accumulateConstantOffset(F.getDataLayout(), Field))
        Field = 0;
    }
    Root = Behind;
  }
  if (!isa<Instruction, Argument, GlobalVariable>(Root) ||
      Root->getType()->getPointerAddressSpace() != 0)
    return std::nullopt;
  Path P = {&I, Address, Root, std::max<int64_t>(Field.getSExtValue(), 0),
            {}, {},      {},   nullptr};
  P.Start = SE.getMinusSCEV(SE.getSCEV(Address), SE.getSCEV(Root));
  while (const auto *Rec = dyn_cast<SCEVAddRecExpr>(P.Start)) {
    const SCEV *Step = Rec->getStepRecurrence(SE);
    P.Loops.push_back(Rec->getLoop());
    if (const auto *C = dyn_cast<SCEVConstant>(Step))
      P.Columns.push_back({Rec->getLoop(), C->getAPInt().getSExtValue()});
    else if (auto Row = addressSum(Step, Ty, SE))
      P.Rows.push_back(*Row);
    P.Start = Rec->getStart();
  }
  return P;
}

/// Does a number in \p First come from an operation of \p L that Polly knows
/// nothing of, like a division by a variable?
static bool isComputedIn(const Loop &L, const AddressSum &First) {
  return any_of(First.terms(), [&](const AddressSum::Term &T) {
    return any_of(T.Variables, [&](const SCEV *V) {
      return hasNumber(V, [&](const SCEV *Number) {
        const auto *I =
            dyn_cast<BinaryOperator>(cast<SCEVUnknown>(Number)->getValue());
        return I && L.contains(I) &&
               !((I->getOpcode() == Instruction::SDiv ||
                  I->getOpcode() == Instruction::SRem) &&
                 isa<ConstantInt>(I->getOperand(1)));
      });
    });
  });
}

/// Is something taken away in \p First?
static bool takesAway(const AddressSum &First) {
  return any_of(First.terms(),
                [](const AddressSum::Term &T) { return T.Factor < 0; });
}

/// Where the part begins, of all that is \p First: what the pointer in front of
/// the nest says, or all if it says nothing, as of w[first + i * m + j].  In
/// w[i * m + j - d] it is nothing, since there is room for such a column in the
/// rows; what is computed in a loop around need not be one.  And whether a
/// pointer, or that, says so.
std::pair<AddressSum, bool> PartShifter::beginOf(const Path &P,
                                                 const Instruction &User,
                                                 const AddressSum &First,
                                                 ArrayRef<AddressSum> AllRows) {
  const Loop *Scope = nestOf(P)->getParentLoop();
  if (Scope && isComputedIn(*Scope, First))
    return {First, true};
  const SCEV *Before =
      SE.getMinusSCEV(SE.getSCEV(User.getOperand(pointerOperand(User, LI))),
                      SE.getSCEV(P.Root));
  auto OfPointer = isa<SCEVCouldNotCompute>(Before)
                       ? std::nullopt
                       : firstOf(Before, AllRows, P.Loops);
  if (!OfPointer)
    return {};
  // What the subscripts take away again is not where anything begins.
  AddressSum Rest = First;
  Rest -= *OfPointer;
  bool IsPart =
      Rest.terms().size() + OfPointer->terms().size() == First.terms().size();
  if (OfPointer->isZero() && !takesAway(First))
    return {First, false};
  return {IsPart ? *OfPointer : AddressSum(), true};
}

void PartShifter::add(const Path &P, ArrayRef<AddressSum> AllRows) {
  const Loop *Nest = nestOf(P);
  bool IsClear = Nest && !isa<SCEVCouldNotCompute>(P.Start) &&
                 !SCEVExprContains(P.Start, [](const SCEV *Part) {
                   return isa<SCEVAddRecExpr>(Part);
                 });
  auto First = IsClear ? firstOf(P.Start, AllRows, P.Loops) : std::nullopt;
  if (!First) {
    for (const Loop *L = LI.getLoopFor(P.I->getParent()); L;
         L = L->getParentLoop())
      Unclear.insert({P.Root, L});
    return;
  }
  Instruction *User = P.I;
  for (Value *V = P.Address; Value *Behind = pointerBehind(V); V = Behind) {
    auto *I = dyn_cast<Instruction>(V);
    if (!I || !Nest->contains(I))
      break;
    User = I;
  }
  auto [Begin, ByPointer] = beginOf(P, *User, *First, AllRows);
  Accesses.push_back({User, Nest,
                      partFor(P, Nest->getParentLoop(), Begin, ByPointer),
                      isa<StoreInst>(P.I), wholeRows(P)});
}

/// Has no other part of the pointer rows of the same size?  Whether a constant
/// is a member or a column is not known, so that beside one nothing may vary,
/// and of a variable that only subscripts have, not in other loops either.
bool PartShifter::isAlone(const Part &P) const {
  return none_of(Parts, [&](const Part &Other) {
    return &Other != &P && Other.Root == P.Root &&
           (!P.ByPointer || Other.Scope == P.Scope) &&
           ((P.Field && Other.Varies) ||
            any_of(Other.Rows, [&](const AddressSum &Row) {
              return is_contained(P.Rows, Row);
            }));
  });
}

/// Is an access of whole rows in no column of others?  x[n / 2 + i * m + k] is
/// in no row of x[i * m + k], k < m.  Where some parts are only read and others
/// are written, there may be no first element in the runs that count.
bool PartShifter::isBeside(const Access &A) const {
  const Part &P = Parts[A.Of];
  if (!A.Whole || P.ByPointer ||
      all_of(P.First.terms(),
             [](const AddressSum::Term &T) { return T.Variables.empty(); }))
    return false;
  SmallBitVector Seen(Parts.size()), Written(Parts.size());
  for (const Access &Other : Accesses)
    if (Parts[Other.Of].Root == P.Root && A.Whole->contains(Other.User)) {
      Seen.set(Other.Of);
      if (Other.Writes)
        Written.set(Other.Of);
    }
  return Written.none() || Written == Seen;
}

/// Does a loop around whole rows change their size?  It is in no SCoP with them
/// in any case.
bool PartShifter::changesRows(const Access &A) const {
  const Loop *Around = A.Whole ? A.Whole->getParentLoop() : nullptr;
  return Around && !areSameIn(*Around, Parts[A.Of].Rows);
}

/// The part that begins with the structure whose member part \p Of is.
unsigned PartShifter::withoutField(unsigned Of) {
  Part Whole = Parts[Of];
  if (!Whole.Field)
    return Of;
  Whole.First.add({{}, -Whole.Field});
  Whole.Field = 0;
  auto It = find_if(Parts, [&](const Part &Other) {
    return Other.Root == Whole.Root && Other.Scope == Whole.Scope &&
           Other.First == Whole.First;
  });
  if (It == Parts.end())
    It = Parts.insert(It, Whole);
  return It - Parts.begin();
}

/// Where a loop around the nest decides about the first element, that loop is
/// in no SCoP in any case: the nest writes there, or what is computed has no
/// bounds (reads through indices are better left as they are).
bool PartShifter::isKnownTo(const Loop &Nest, const Access &A) const {
  const Loop *Around = Nest.getParentLoop();
  return !Around || A.Writes || isComputedIn(*Around, Parts[A.Of].First);
}

/// The pointer to the first element, computed where all is known; null if there
/// is no such place.
Value *PartShifter::shiftedPointer(Part &P) {
  if (P.Shifted)
    return P.Shifted;
  const SCEV *Bytes = expressionOf(P.First, Ty, SE);
  SmallVector<Value *, 4> Needed = {P.Root};
  SCEVExprContains(Bytes, [&](const SCEV *Part) {
    if (const auto *Number = dyn_cast<SCEVUnknown>(Part))
      Needed.push_back(Number->getValue());
    return false;
  });
  Instruction *Where = &*F.getEntryBlock().getFirstInsertionPt();
  for (Value *V : Needed) {
    auto *I = dyn_cast<Instruction>(V);
    if (!I || DT.dominates(I, Where))
      continue;
    Where = I->getParent()->getTerminator();
  }
  SCEVExpander Expander(SE, "first");
  if (!all_of(Needed, [&](Value *V) { return DT.dominates(V, Where); }) ||
      LI.getLoopFor(Where->getParent()) != P.Scope ||
      !Expander.isSafeToExpandAt(Bytes, Where))
    return nullptr;
  IRBuilder<> Builder(Where);
  Builder.SetCurrentDebugLocation(DebugLoc());
  Value *Distance = Expander.expandCodeFor(Bytes, Ty, Where);
  Value *First = Builder.CreatePtrAdd(P.Root, Distance);
  return P.Shifted = hidePointer(First, 0, Where->getIterator());
}

/// Let \p A begin at part \p Of.
bool PartShifter::shift(const Access &A, unsigned Of) {
  Part &P = Parts[Of];
  Use &Pointer = A.User->getOperandUse(pointerOperand(*A.User, LI));
  BasicBlock *Front = A.Nest->getLoopPreheader();
  Value *Shifted = Front ? shiftedPointer(P) : nullptr;
  if (!Shifted || !DT.dominates(Shifted, Front->getTerminator()) ||
      !DT.dominates(Pointer.get(), Front->getTerminator()))
    return false;
  Instruction *Where = Front->getTerminator();
  const SCEV *Distance = SE.getMinusSCEV(
      SE.getMinusSCEV(SE.getSCEV(Pointer.get()), SE.getSCEV(P.Root)),
      expressionOf(P.First, Ty, SE));
  SCEVExpander Expander(SE, "first");
  if (isa<SCEVCouldNotCompute>(Distance) ||
      !Expander.isSafeToExpandAt(Distance, Where))
    return false;
  if (Distance->isZero()) {
    Pointer.set(Shifted);
    return true;
  }
  IRBuilder<> Builder(Where);
  Builder.SetCurrentDebugLocation(DebugLoc());
  Value *Bytes = Expander.expandCodeFor(Distance, Ty, Where);
  Pointer.set(Builder.CreatePtrAdd(Shifted, Bytes));
  return true;
}

bool PartShifter::run() {
  std::vector<Path> Paths;
  std::map<const Value *, SmallVector<AddressSum, 4>> Rows;
  for (Instruction &I : instructions(F))
    if (auto P = pathOf(I)) {
      for (const AddressSum &Row : P->Rows)
        if (!is_contained(Rows[P->Root], Row))
          Rows[P->Root].push_back(Row);
      Paths.push_back(std::move(*P));
    }
  // Larger rows first: what they leave may be smaller ones.
  for (auto &[Root, All] : Rows)
    stable_sort(All, [](const AddressSum &A, const AddressSum &B) {
      return A.degree() > B.degree();
    });
  for (const Path &P : Paths)
    if (Rows.count(P.Root) && Rows[P.Root].size() <= MaxRows &&
        Parts.size() <= MaxParts)
      add(P, Rows[P.Root]);
  if (Parts.size() > MaxParts)
    return false;
  std::set<const Loop *> Decided;
  for (const Access &A : Accesses)
    if (!Parts[A.Of].First.isZero() && isKnownTo(*A.Nest, A))
      Decided.insert(A.Nest);
  bool Changed = false;
  SmallPtrSet<const Instruction *, 16> Done;
  for (const Access &A : Accesses) {
    const Part &P = Parts[A.Of];
    if (P.First.isZero() || P.Rows.empty() || Unclear.count({P.Root, A.Nest}) ||
        Done.contains(A.User))
      continue;
    const bool Known = Decided.count(A.Nest), Alone = Known && isAlone(P);
    if (!Alone && !((Known || changesRows(A)) && isBeside(A)))
      continue;
    Done.insert(A.User);
    Changed |= shift(A, Alone ? A.Of : withoutField(A.Of));
  }
  return Changed;
}

} // namespace

namespace polygpu {

PreservedAnalyses ShiftPartsPass::run(Function &F,
                                      FunctionAnalysisManager &FAM) {
  auto &LI = FAM.getResult<LoopAnalysis>(F);
  if (LI.empty() || !PartShifter(F, LI, FAM.getResult<DominatorTreeAnalysis>(F),
                                 FAM.getResult<ScalarEvolutionAnalysis>(F))
                         .run())
    return PreservedAnalyses::all();
  PreservedAnalyses PA;
  PA.preserveSet<CFGAnalyses>();
  return PA;
}

} // namespace polygpu
