//===- Interpreter.cpp - The integer part of LLVM IR, executed ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "verify/Interpreter.h"
#include "adaptor/HiddenValues.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/RegionInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/ConstantRange.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace polygpu {

/// Loops of so many iterations are executed as a whole.
static const int64_t ShortLoop = 9, ShortOuterLoop = 60;
/// Places between beginning and end of a loop, by depth.
static const unsigned MostCorners[] = {12, 6, 3}, FewCorners[] = {2, 1, 0};
/// How many conditions in front of the region are looked at.
static const unsigned MaxConditions = 64;
/// No program runs so long.
static const uint64_t Forever = uint64_t(1) << 45;

static unsigned widthOf(const Type *Ty) {
  if (Ty->isPointerTy())
    return 64;
  return Ty->isIntegerTy() && Ty->getIntegerBitWidth() <= 64
             ? Ty->getIntegerBitWidth()
             : 0;
}

Interpreter::Interpreter(const Region &R, ScalarEvolution &SE, LoopInfo &LI,
                         const DominatorTree &DT, uint64_t Seed,
                         LeafStyle Style)
    : R(R), SE(SE), LI(LI), DT(DT), DL(R.getEntry()->getDataLayout()),
      Seed(Seed), Style(Style) {}

//===-- Leaves ------------------------------------------------------------===//

static uint64_t extremeNumber(unsigned Width, uint64_t Hash) {
  uint64_t Most =
      Width >= 64 ? ~uint64_t(0) >> 1 : (uint64_t(1) << (Width - 1)) - 1;
  const uint64_t Numbers[] = {0,        1,     Most,  Most - 1, Most + 1,
                              Most + 2, ~0ULL, 65536, 1000003,  2,
                              Most / 2, 4096,  3,     100,      Most / 4};
  return Numbers[Hash % std::size(Numbers)];
}

/// Near a constant: for odd seeds of all leaves the same one, and behind it,
/// for others some constant and either side.
uint64_t Interpreter::corner(uint64_t Hash) {
  collectConstants();
  if (Constants.empty() || Hash % 4 == 0)
    return 1 + Hash % 8;
  if (Seed % 2)
    return Constants[Seed / 2 % Constants.size()] + 1;
  return Constants[Hash / 8 % Constants.size()] + Hash / 64 % 3 - 1;
}

Number Interpreter::choose(unsigned Width,
                           const std::optional<ConstantRange> &Only,
                           uint64_t Hash) {
  uint64_t N = 0;
  switch (Style) {
  case LeafStyle::Small:
    N = 1 + Hash % 8;
    break;
  case LeafStyle::Tiny:
    N = Hash % 4;
    break;
  case LeafStyle::Signed:
    N = Hash % 12 - 4;
    break;
  case LeafStyle::Mixed:
    N = Hash % 3 ? 1 + Hash % 7 : 9 + Hash % 41;
    break;
  case LeafStyle::Corner:
    N = corner(Hash);
    break;
  case LeafStyle::Extreme:
    N = extremeNumber(Width, Hash);
    break;
  }
  APInt Bits(Width, N, false, true);
  if (Only && !Only->isEmptySet() && !Only->contains(Bits)) {
    APInt Size = Only->getUpper() - Only->getLower();
    Bits = Only->getLower() +
           (Size.isZero() ? Size : APInt(Width, N, false, true).urem(Size));
  }
  return Number::exact(Bits.getZExtValue());
}

/// Constants that the region compares with: loops and conditions may change
/// there.
void Interpreter::collectConstants() {
  if (Collected)
    return;
  Collected = true;
  unsigned Most = Constants.size() + 8;
  for (const BasicBlock *BB : R.blocks())
    for (const Instruction &I : *BB)
      if (isa<ICmpInst>(I))
        for (const Use &U : I.operands())
          if (const auto *C = dyn_cast<ConstantInt>(U.get());
              C && C->getBitWidth() <= 64 && Constants.size() < Most)
            Constants.push_back(static_cast<uint64_t>(C->getSExtValue()));
}

/// Of an object of the program, or of something that is not known.
uint64_t Interpreter::newAddress(const Value *Object) {
  uint64_t Address = ++NumBases << 40;
  if (const auto *G = dyn_cast_or_null<GlobalVariable>(Object))
    if (!G->isDeclaration() && !G->isInterposable())
      Sizes[Address] = DL.getTypeAllocSize(G->getValueType());
  if (const auto *A = dyn_cast_or_null<AllocaInst>(Object))
    if (auto Size = A->getAllocationSize(DL); Size && !Size->isScalable())
      Sizes[Address] = Size->getFixedValue();
  return Address;
}

std::optional<uint64_t> Interpreter::objectSize(uint64_t Address) const {
  auto It = Sizes.find(Address);
  return It == Sizes.end() ? std::nullopt : std::optional(It->second);
}

/// Of two pointers in memory one may be the end of what the other begins, as
/// in a std::vector.
Number Interpreter::loadedPointer(uint64_t Hash) {
  if (LastPointer && Hash % 2 && Style != LeafStyle::Extreme)
    LastPointer += 16 * (1 + Hash / 2 % 8);
  else
    LastPointer = newAddress();
  return Number::exact(LastPointer);
}

static std::optional<ConstantRange> rangeOf(const Value *V) {
  if (const auto *A = dyn_cast<Argument>(V))
    return A->getRange();
  if (const auto *Call = dyn_cast<CallBase>(V))
    if (auto Range = Call->getRange())
      return Range;
  if (const auto *I = dyn_cast<Instruction>(V))
    if (const MDNode *MD = I->getMetadata(LLVMContext::MD_range))
      return getConstantRangeFromMetadata(*MD);
  return std::nullopt;
}

Number Interpreter::leaf(const Value *V) {
  uint64_t Hash = mixHash(Seed, ++NumLeaves);
  if (V->getType()->isPointerTy())
    return Number::exact(newAddress(V));
  unsigned Width = widthOf(V->getType());
  return Width ? choose(Width, rangeOf(V), Hash) : Number::opaque(Hash);
}

/// A number for what the program computes, but not the interpreter.
Number Interpreter::guess(const Value *V) {
  Guessed = true;
  return leaf(V);
}

static uint64_t hashConstant(const Constant &C) {
  uint64_t Hash = mixHash(7, C.getValueID());
  APInt Bits;
  if (const auto *Int = dyn_cast<ConstantInt>(&C))
    Bits = Int->getValue();
  else if (const auto *FP = dyn_cast<ConstantFP>(&C))
    Bits = FP->getValueAPF().bitcastToAPInt();
  else if (C.getType()->isAggregateType() || C.getType()->isVectorTy())
    for (unsigned Lane = 0; Constant *E = C.getAggregateElement(Lane); ++Lane)
      Hash = mixHash(Hash, hashConstant(*E));
  for (unsigned Word = 0; Word < Bits.getNumWords(); ++Word)
    Hash = mixHash(Hash, Bits.getRawData()[Word]);
  return Hash;
}

Number Interpreter::constant(const Value *V) {
  if (const auto *C = dyn_cast<ConstantInt>(V); C && C->getBitWidth() <= 64)
    return Number::exact(C->getZExtValue());
  if (isa<ConstantPointerNull>(V))
    return Number::exact(0);
  if (isa<PoisonValue>(V))
    return Number::poison();
  if (isa<ConstantExpr>(V))
    return compute(*llvm::cast<Operator>(V));
  if (const auto *C = dyn_cast<Constant>(V); C && !isa<GlobalValue>(V))
    return Number::opaque(hashConstant(*C));
  return leaf(V);
}

/// The value of an instruction in front of the region.
Number Interpreter::before(const Instruction &I) {
  unsigned Width = widthOf(I.getType());
  if (isa<PHINode>(I)) {
    const SCEV *E = Width && SE.isSCEVable(I.getType())
                        ? SE.getSCEV(const_cast<Instruction *>(&I))
                        : nullptr;
    const auto *U = E ? dyn_cast<SCEVUnknown>(E) : nullptr;
    bool IsLeaf = !E || (U && U->getValue() == &I);
    auto Bits = IsLeaf ? std::nullopt : scev(E);
    return Bits ? Number::exact(*Bits) : guess(&I);
  }
  if (const auto *Load = dyn_cast<LoadInst>(&I)) {
    Number Address = value(Load->getPointerOperand());
    return Width && Address.isExact()
               ? load(Address.Bits, I.getType(), rangeOf(&I))
               : leaf(&I);
  }
  int64_t Offset;
  if (const Value *Origin = hiddenOrigin(&I, Offset)) {
    Number Base = value(Origin);
    return Base.isExact()
               ? Number::exact(Base.Bits + static_cast<uint64_t>(Offset))
               : Base;
  }
  if (isa<AllocaInst>(I) || (isa<CallBase>(I) && !isa<IntrinsicInst>(I)))
    return leaf(&I);
  Number N = compute(cast<Operator>(I));
  return N.K == Number::Opaque && Width ? guess(&I) : N;
}

Number Interpreter::value(const Value *V) {
  if (auto It = Local.find(V); It != Local.end())
    return It->second;
  if (auto It = Values.find(V); It != Values.end())
    return It->second;
  Number N;
  const auto *I = dyn_cast<Instruction>(V);
  if (!I)
    N = constant(V);
  else if (R.contains(I) || Depth > 200) {
    Missing = true;
    return Number::opaque(0);
  } else {
    ++Depth;
    N = before(*I);
    --Depth;
  }
  Values[V] = N;
  return N;
}

Number readCell(const Memory::mapped_type &Cell, uint64_t Size) {
  return Cell.second == Size ? Cell.first
                             : Number::opaque(mixHash(Cell.first.Bits, Size));
}

Number Interpreter::load(uint64_t Address, Type *Ty,
                         const std::optional<ConstantRange> &Only) {
  uint64_t Size = DL.getTypeStoreSize(Ty).getKnownMinValue();
  if (auto It = Now.find(Address); It != Now.end())
    return readCell(It->second, Size);
  uint64_t Hash = mixHash(Seed, Address);
  unsigned Width = widthOf(Ty);
  Number N = Ty->isPointerTy() ? loadedPointer(Hash)
             : Width           ? choose(Width, Only, Hash)
                               : Number::opaque(Hash);
  Now[Address] = AtFirst[Address] = {N, Size};
  return N;
}

//===-- In front of the region --------------------------------------------===//

bool Interpreter::isAround(const Loop *L) const {
  return !R.contains(L) && L->contains(R.getEntry());
}

bool Interpreter::isActive(const Loop *L) const {
  return any_of(Active, [&](const ActiveLoop &A) { return A.L == L; });
}

int64_t Interpreter::iteration(const Loop *L) {
  for (const ActiveLoop &A : Active)
    if (A.L == L)
      return A.Iteration;
  if (auto It = Outer.find(L); It != Outer.end())
    return It->second;
  int64_t Chosen = static_cast<int64_t>(mixHash(Seed, 77 + Outer.size()) % 4);
  Outer[L] = Chosen;
  return Chosen;
}

static bool isConjunction(const Value *V, bool Holds, const Value *&A,
                          const Value *&B) {
  const auto *I = dyn_cast<Instruction>(V);
  if (!I || !I->getType()->isIntegerTy(1))
    return false;
  if (I->getOpcode() == (Holds ? Instruction::And : Instruction::Or)) {
    A = I->getOperand(0);
    B = I->getOperand(1);
    return true;
  }
  const auto *Select = dyn_cast<SelectInst>(I);
  if (!Select)
    return false;
  const auto *Fixed = dyn_cast<ConstantInt>(Holds ? Select->getFalseValue()
                                                  : Select->getTrueValue());
  A = Select->getCondition();
  B = Holds ? Select->getTrueValue() : Select->getFalseValue();
  return Fixed && Fixed->isOne() != Holds;
}

/// Choose what can be chosen such that \p Condition is as wanted.
void Interpreter::force(const Value *Condition, bool Holds) {
  const Value *A, *B;
  if (isConjunction(Condition, Holds, A, B)) {
    force(A, Holds);
    force(B, Holds);
    return;
  }
  const auto *I = dyn_cast<Instruction>(Condition);
  if (I && I->getOpcode() == Instruction::Xor &&
      isa<ConstantInt>(I->getOperand(1)))
    return force(I->getOperand(0),
                 Holds == cast<ConstantInt>(I->getOperand(1))->isZero());
  bool Free = isa<Argument>(Condition) || (I && isa<FCmpInst, CallBase>(I));
  if (Free && !Values.count(Condition))
    Values[Condition] = Number::exact(Holds);
}

bool Interpreter::holds(const Value *Condition, bool Wanted) {
  force(Condition, Wanted);
  Number N = value(Condition);
  return N.K == Number::Opaque || (N.isExact() && (N.Bits & 1) == Wanted);
}

/// Does control leave \p BB towards the region?
bool Interpreter::isDecided(const BasicBlock &BB) {
  const Instruction *T = BB.getTerminator();
  for (const Instruction &I : BB)
    if (const auto *Assume = dyn_cast<AssumeInst>(&I))
      if (!holds(Assume->getArgOperand(0), true))
        return false;
  const BasicBlock *Entry = R.getEntry();
  auto Leads = [&](const BasicBlock *To) {
    return DT.dominates(BasicBlockEdge(&BB, To), Entry);
  };
  if (const auto *Br = dyn_cast<BranchInst>(T); Br && Br->isConditional()) {
    bool First = Leads(Br->getSuccessor(0)),
         Second = Leads(Br->getSuccessor(1));
    return First == Second || holds(Br->getCondition(), First);
  }
  if (const auto *Switch = dyn_cast<SwitchInst>(T)) {
    Number N = value(Switch->getCondition());
    if (!N.isExact())
      return N.K == Number::Opaque;
    auto Case = Switch->findCaseValue(ConstantInt::get(
        T->getContext(),
        APInt(widthOf(Switch->getCondition()->getType()), N.Bits)));
    for (const BasicBlock *Next : successors(&BB))
      if (Leads(Next) && Next != Case->getCaseSuccessor())
        return false;
  }
  return true;
}

bool Interpreter::reachesRegion() {
  const auto *Node = DT.getNode(R.getEntry());
  for (unsigned N = 0; Node && Node->getIDom() && N < MaxConditions; ++N) {
    Node = Node->getIDom();
    if (!isDecided(*Node->getBlock()) || Undefined)
      return false;
  }
  for (const Loop *L = LI.getLoopFor(R.getEntry()); L; L = L->getParentLoop()) {
    if (!isAround(L))
      continue;
    const SCEV *Count = SE.getBackedgeTakenCount(L);
    auto Most = isa<SCEVCouldNotCompute>(Count) ? std::nullopt : scev(Count);
    Guessed |= !Most;
    if (Most && *Most < static_cast<uint64_t>(iteration(L)))
      return false;
  }
  return true;
}

//===-- Loops -------------------------------------------------------------===//

/// Iterations at which a comparison of the loop may change.
void Interpreter::addCorners(ActiveLoop &A, int64_t Last, unsigned Most) {
  collectConstants();
  SmallVector<int64_t, 16> Wanted = {Last / 2, Last / 3 + 1};
  for (const PHINode &Phi : A.L->getHeader()->phis()) {
    auto *AR =
        SE.isSCEVable(Phi.getType())
            ? dyn_cast<SCEVAddRecExpr>(SE.getSCEV(const_cast<PHINode *>(&Phi)))
            : nullptr;
    auto Step = AR ? signedScev(AR->getStepRecurrence(SE)) : std::nullopt;
    if (!Phi.getType()->isIntegerTy() || !Step || !*Step)
      continue;
    int64_t First = SignExtend64(value(&Phi).Bits, widthOf(Phi.getType()));
    for (uint64_t C : Constants) {
      __int128 Distance = __int128(static_cast<int64_t>(C)) - First;
      // The first ones are looked at anyway.
      if (Distance / *Step > 0 && Distance / *Step <= Last)
        Wanted.push_back(static_cast<int64_t>(Distance / *Step));
    }
  }
  for (int64_t W : Wanted)
    for (int64_t K = W - 1; K <= W + 1; ++K)
      if (K > 2 && K < Last - 1 && A.Targets.size() < Most)
        A.Targets.push_back(K);
}

/// On entry: decide which iterations of a long loop are executed.
void Interpreter::planJumps(ActiveLoop &A) {
  const SCEV *Count = SE.getBackedgeTakenCount(A.L);
  auto Last = isa<SCEVCouldNotCompute>(Count) ? std::nullopt : scev(Count);
  unsigned Level = std::min<size_t>(Active.size() - 1, 2);
  int64_t Short = Active.size() == 1 && !Few ? ShortOuterLoop : ShortLoop;
  Undefined |= Last && *Last > Forever;
  if (!MayJump || !Last || *Last <= static_cast<uint64_t>(Short) || Undefined)
    return;
  addCorners(A, static_cast<int64_t>(*Last),
             Few ? FewCorners[Level] : MostCorners[Level]);
  A.Targets.push_back(static_cast<int64_t>(*Last) - 1);
  A.Targets.push_back(static_cast<int64_t>(*Last));
  sort(A.Targets);
}

/// Other phis carry data.
bool Interpreter::isCounter(const PHINode &Phi) {
  return widthOf(Phi.getType()) && SE.isSCEVable(Phi.getType()) &&
         isa<SCEVAddRecExpr>(SE.getSCEV(const_cast<PHINode *>(&Phi)));
}

/// In iterations 0, 1 and 2: how the header phis grow.
void Interpreter::learn(ActiveLoop &A) {
  if (A.Iteration == 0) {
    for (const PHINode &Phi : A.L->getHeader()->phis())
      if (isCounter(Phi))
        A.Lines.push_back({&Phi, value(&Phi).Bits, 0});
    return;
  }
  if (A.Iteration == 1)
    for (ActiveLoop::Line &Line : A.Lines)
      Line.Step = value(Line.Phi).Bits - Line.First;
  if (A.Iteration == 2)
    A.MayJump = isAsExpected(A);
}

bool Interpreter::isAsExpected(const ActiveLoop &A) {
  uint64_t Count = static_cast<uint64_t>(A.Iteration);
  return all_of(A.Lines, [&](const ActiveLoop::Line &Line) {
    unsigned Width = widthOf(Line.Phi->getType());
    uint64_t Bits = Line.First + Line.Step * Count;
    Number N = value(Line.Phi);
    return N.isExact() &&
           N.Bits == (Width >= 64 ? Bits : Bits & ((1ULL << Width) - 1));
  });
}

void Interpreter::jump(ActiveLoop &A) {
  uint64_t Count = static_cast<uint64_t>(A.Iteration);
  for (const ActiveLoop::Line &Line : A.Lines) {
    unsigned Width = widthOf(Line.Phi->getType());
    uint64_t Bits = Line.First + Line.Step * Count;
    Values[Line.Phi] =
        Number::exact(Width >= 64 ? Bits : Bits & ((1ULL << Width) - 1));
  }
  for (const PHINode &Phi : A.L->getHeader()->phis())
    if (!isCounter(Phi) && AfterGap != Gap::Kept)
      Values[&Phi] = AfterGap == Gap::Poison
                         ? Number::poison()
                         : Number::opaque(mixHash(value(&Phi).Bits, Count));
  A.BehindGap = A.Iteration;
  Jumped = true;
}

void Interpreter::addBehindGap(const Loop &L, Carried &Phis) {
  for (const ActiveLoop &A : Active)
    if (A.L == &L && A.BehindGap == A.Iteration)
      for (const PHINode &Phi : L.getHeader()->phis())
        if (!isCounter(Phi))
          Phis.push_back({&Phi, value(&Phi)});
}

/// The header's phis have their values.  False if what was expected of them
/// did not happen, so that nothing after a jump means anything.
bool Interpreter::atHeader(ActiveLoop &A, bool Again) {
  if (!Again)
    planJumps(A);
  if (A.Targets.empty())
    return true;
  if (A.Iteration <= 2)
    learn(A);
  else if (A.MayJump && !isAsExpected(A))
    return false;
  if (!A.MayJump || A.Iteration <= 2)
    return true;
  auto Next = lower_bound(A.Targets, A.Iteration);
  if (Next != A.Targets.end() && *Next != A.Iteration) {
    A.Iteration = *Next;
    jump(A);
  }
  return true;
}

//===-- The region --------------------------------------------------------===//

bool Interpreter::leaveLoops(const BasicBlock &Next, RunObserver &Observer) {
  while (!Active.empty() && !Active.back().L->contains(&Next)) {
    const Loop *L = Active.back().L;
    if (!Observer.iterationEnds(*L) || !Observer.leaves(*L))
      return false;
    Active.pop_back();
  }
  return true;
}

/// Which way led into the region is not known where there are several, and a
/// phi's value is not that of any of them.
bool Interpreter::entersFromOutside(const BasicBlock &BB,
                                    const BasicBlock *From) const {
  if (R.contains(From))
    return false;
  const Loop *Around = LI.getLoopFor(&BB);
  bool Several = count_if(predecessors(&BB), [&](const BasicBlock *P) {
                   return !R.contains(P);
                 }) > 1;
  // The region may begin with the header of a loop around it.
  return Several || (Around && isAround(Around) && Around->getHeader() == &BB);
}

/// Loops and phis at the beginning of \p BB.
std::optional<RunEnd> Interpreter::enterBlock(const BasicBlock &BB,
                                              const BasicBlock *From,
                                              RunObserver &Observer) {
  SmallVector<std::pair<const PHINode *, Number>, 8> New;
  bool Unknown = entersFromOutside(BB, From);
  for (const PHINode &Phi : BB.phis())
    New.push_back({&Phi, Unknown ? before(Phi)
                                 : value(Phi.getIncomingValueForBlock(From))});
  if (!leaveLoops(BB, Observer))
    return RunEnd::Stopped;
  const Loop *L = LI.getLoopFor(&BB);
  bool Header = L && L->getHeader() == &BB && R.contains(L);
  bool Again = Header && !Active.empty() && Active.back().L == L;
  if (Again && !Observer.iterationEnds(*L))
    return RunEnd::Stopped;
  for (auto &[Phi, N] : New) {
    Values[Phi] = N;
    if (!R.contains(From))
      AtEntry[Phi] = N;
  }
  if (!Header)
    return std::nullopt;
  if (Again)
    ++Active.back().Iteration;
  else
    Active.push_back({L, 0, {}, {}, false});
  bool Expected = atHeader(Active.back(), Again);
  if (Undefined)
    return RunEnd::Undefined;
  if (!Expected) {
    Obstacle = BB.getTerminator();
    return RunEnd::Unknown;
  }
  return std::nullopt;
}

/// Calls without effect on what is looked at.
static bool isHarmless(const CallBase &Call) {
  const auto *Intrinsic = dyn_cast<IntrinsicInst>(&Call);
  return Call.doesNotAccessMemory() ||
         (Intrinsic && (Intrinsic->isAssumeLikeIntrinsic() ||
                        Call.onlyAccessesInaccessibleMemory()));
}

std::optional<RunEnd> Interpreter::execute(const Instruction &I,
                                           RunObserver &Observer) {
  const Value *Pointer = getLoadStorePointerOperand(&I);
  const auto *Call = dyn_cast<CallBase>(&I);
  if (const auto *Assume = dyn_cast<AssumeInst>(&I)) {
    Number N = value(Assume->getArgOperand(0));
    if (N.K == Number::Poison || (N.isExact() && !N.Bits))
      return RunEnd::Undefined;
    return std::nullopt;
  }
  if (Pointer) {
    Number Address = value(Pointer);
    if (Address.K == Number::Poison || (Address.isExact() && !Address.Bits))
      return RunEnd::Undefined;
    if (!Address.isExact()) {
      Obstacle = &I;
      return RunEnd::Unknown;
    }
    if (!Observer.access(I, Address.Bits))
      return RunEnd::Stopped;
    if (const auto *Store = dyn_cast<StoreInst>(&I))
      Now[Address.Bits] = {
          value(Store->getValueOperand()),
          DL.getTypeStoreSize(Store->getValueOperand()->getType())
              .getKnownMinValue()};
    else
      Values[&I] = load(Address.Bits, I.getType(), rangeOf(&I));
    return std::nullopt;
  }
  if (Call && isHarmless(*Call) && I.getType()->isVoidTy())
    return std::nullopt;
  if (isa<AllocaInst>(I) || (Call && !isHarmless(*Call)) ||
      (!Call && I.mayReadOrWriteMemory())) {
    Obstacle = &I;
    return RunEnd::Unknown;
  }
  Values[&I] = compute(cast<Operator>(I));
  if (Undefined)
    return RunEnd::Undefined;
  return std::nullopt;
}

std::optional<RunEnd> Interpreter::branch(const Instruction &T,
                                          RunObserver &Observer,
                                          const BasicBlock *&Next) {
  const auto *Br = dyn_cast<BranchInst>(&T);
  const auto *Switch = dyn_cast<SwitchInst>(&T);
  if (Br && Br->isUnconditional()) {
    Next = Br->getSuccessor(0);
    return std::nullopt;
  }
  if (isa<UnreachableInst>(T))
    return RunEnd::Undefined;
  Obstacle = &T;
  if (!Br && !Switch)
    return RunEnd::Unknown;
  const Value *Condition = Br ? Br->getCondition() : Switch->getCondition();
  Number N = value(Condition);
  if (N.K == Number::Poison)
    return RunEnd::Undefined;
  if (N.K == Number::Opaque && !Observer.dataMayDecide(*T.getParent()))
    return RunEnd::Unknown;
  Obstacle = nullptr;
  if (Br)
    Next = Br->getSuccessor(N.Bits & 1 ? 0 : 1);
  else
    Next =
        Switch
            ->findCaseValue(ConstantInt::get(
                T.getContext(), APInt(widthOf(Condition->getType()), N.Bits)))
            ->getCaseSuccessor();
  return std::nullopt;
}

RunEnd Interpreter::run(RunObserver &Observer, unsigned long &Steps) {
  const BasicBlock *BB = R.getEntry(), *From = nullptr;
  for (const BasicBlock *P : predecessors(BB))
    if (!R.contains(P))
      From = P;
  if (!From)
    return RunEnd::Unknown;
  while (BB != R.getExit()) {
    if (auto End = enterBlock(*BB, From, Observer))
      return *End;
    if (!Observer.block(*BB, From))
      return RunEnd::Stopped;
    for (const Instruction &I : *BB) {
      if (Steps == 0)
        return RunEnd::Spent;
      --Steps;
      if (isa<PHINode>(I) || I.isTerminator())
        continue;
      if (auto End = execute(I, Observer))
        return *End;
    }
    const BasicBlock *Next = nullptr;
    if (auto End = branch(*BB->getTerminator(), Observer, Next))
      return *End;
    From = BB;
    BB = Next;
  }
  for (const PHINode &Phi : BB->phis())
    Values[&Phi] = value(Phi.getIncomingValueForBlock(From));
  return leaveLoops(*BB, Observer) ? RunEnd::Done : RunEnd::Stopped;
}

//===-- Instances in another order ----------------------------------------===//

void Interpreter::forgetRegion() {
  for (const BasicBlock *BB : R.blocks())
    for (const Instruction &I : *BB)
      Values.erase(&I);
  Missing = false;
}

void Interpreter::beginInstance(
    ArrayRef<std::pair<const Loop *, int64_t>> Iterations) {
  Local.clear();
  Active.resize(Iterations.size());
  for (unsigned D = 0; D < Iterations.size(); ++D) {
    Active[D].L = Iterations[D].first;
    Active[D].Iteration = Iterations[D].second;
  }
}

} // namespace polygpu
