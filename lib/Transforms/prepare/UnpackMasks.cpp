//===- UnpackMasks.cpp - Values that are packed where a mask holds --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A counter is a set of phis and one addition of 1, in which each phi has what
// the counter is at the end of the block that it comes from.  So it is, where
// it is used, its start and how often the addition was done since the outermost
// loop began.
//
//===----------------------------------------------------------------------===//

#include "prepare/UnpackMasks.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace {

/// Values of a counter, and operations of a condition that are compared.
const unsigned MaxValues = 32, MaxSteps = 12;

/// One of the two nests, and how it accesses the memory between them.
struct Nest {
  Instruction *Access = nullptr; ///< the store, or the load
  GetElementPtrInst *Place = nullptr;
  int64_t Offset = 0; ///< behind it, in bytes
  SmallSetVector<Instruction *, 8> Counter;
  BinaryOperator *Step = nullptr;
  ConstantInt *Start = nullptr;
  SmallVector<Loop *, 4> Loops; ///< from the outermost one
  SmallVector<const SCEV *, 4> Counts;
  BranchInst *Mask = nullptr; ///< the branch to the access
};

/// Is \p V memory that C's library has just allocated?
bool isAllocated(const Value &V, const TargetLibraryInfo &TLI) {
  const auto *Call = dyn_cast<CallInst>(&V);
  LibFunc Function;
  return Call && TLI.getLibFunc(*Call, Function) && TLI.has(Function) &&
         Function == LibFunc_malloc;
}

class Unpacker {
public:
  Unpacker(CallInst &Memory, LoopInfo &LI, DominatorTree &DT,
           ScalarEvolution &SE, AAResults &AA, const TargetLibraryInfo &TLI)
      : Memory(Memory), LI(LI), DT(DT), SE(SE), AA(AA), TLI(TLI) {}
  bool run();
  bool WasSplit = false;

private:
  CallInst &Memory;
  LoopInfo &LI;
  DominatorTree &DT;
  ScalarEvolution &SE;
  AAResults &AA;
  const TargetLibraryInfo &TLI;
  Nest Store, Load;
  SmallVector<Instruction *, 16> Writes;

  bool findUses();
  bool findCounter(Nest &N);
  bool findLoops(Nest &N);
  bool isCurrent(const Nest &N, const Value &V, const BasicBlock &AtEnd) const;
  bool isEntered(const Loop &Inner, const Loop &Outer,
                 const Loop &Outermost) const;
  void findWrites();
  bool areApart(const Value &A, const Value &B) const;
  bool isUnchanged(const LoadInst &Read) const;
  bool isSame(Value *A, Value *B, unsigned Steps) const;
  void replace(Nest &N, ArrayRef<Value *> Counts);
};

/// The memory is stored to in one place and loaded from in one, and freed.
bool Unpacker::findUses() {
  for (User *U : Memory.users()) {
    if (const auto *Call = dyn_cast<CallInst>(U)) {
      LibFunc Function;
      if (!TLI.getLibFunc(*Call, Function) || Function != LibFunc_free)
        return false;
      continue;
    }
    auto *Place = dyn_cast<GetElementPtrInst>(U);
    if (!Place || Place->getPointerOperand() != &Memory ||
        Place->getNumIndices() != 1 || !Place->hasOneUse())
      return false;
    Instruction *Access = cast<Instruction>(*Place->user_begin());
    const Value *Pointer = Place;
    APInt Offset(64, 0);
    if (auto *Behind = dyn_cast<GetElementPtrInst>(Access)) {
      if (!Behind->hasOneUse() ||
          !Behind->accumulateConstantOffset(Access->getDataLayout(), Offset))
        return false;
      Pointer = Behind;
      Access = cast<Instruction>(*Behind->user_begin());
    }
    if (!isa<StoreInst, LoadInst>(Access))
      return false;
    bool IsStore = isa<StoreInst>(Access);
    Nest &N = IsStore ? Store : Load;
    if (getLoadStorePointerOperand(Access) != Pointer || N.Access ||
        !(IsStore ? cast<StoreInst>(Access)->isSimple()
                  : cast<LoadInst>(Access)->isSimple()) ||
        Access->getParent() != Place->getParent())
      return false;
    N.Access = Access;
    N.Place = Place;
    N.Offset = Offset.getSExtValue();
  }
  return Store.Access && Load.Access && Store.Offset == Load.Offset &&
         getLoadStoreType(Store.Access) == getLoadStoreType(Load.Access) &&
         Store.Place->getSourceElementType() ==
             Load.Place->getSourceElementType();
}

/// All values of the counter that is the place's index.
bool Unpacker::findCounter(Nest &N) {
  auto *Index = dyn_cast<Instruction>(N.Place->getOperand(1));
  if (!Index || !Index->getType()->isIntegerTy(64))
    return false;
  N.Counter.insert(Index);
  for (unsigned I = 0; I < N.Counter.size(); ++I) {
    Instruction *V = N.Counter[I];
    SmallVector<Value *, 4> From;
    if (auto *Phi = dyn_cast<PHINode>(V)) {
      append_range(From, Phi->incoming_values());
    } else {
      if (N.Step || !match(V, m_Add(m_Value(), m_One())) ||
          V->getOperand(0) != Index || V->getParent() != N.Place->getParent())
        return false;
      N.Step = cast<BinaryOperator>(V);
      From.push_back(V->getOperand(0));
    }
    for (Value *Operand : From)
      if (auto *Start = dyn_cast<ConstantInt>(Operand)) {
        if (N.Start && N.Start != Start)
          return false;
        N.Start = Start;
      } else if (auto *Other = dyn_cast<Instruction>(Operand)) {
        N.Counter.insert(Other);
      } else {
        return false;
      }
    for (User *U : V->users())
      if (isa<PHINode>(U) || match(U, m_Add(m_Specific(V), m_One())))
        N.Counter.insert(cast<Instruction>(U));
      else if (U != N.Place)
        return false;
    if (N.Counter.size() > MaxValues)
      return false;
  }
  return isa<PHINode>(Index) && N.Step && N.Start &&
         N.Start->getValue().isNonNegative() &&
         N.Start->getValue().ult(MaxValues);
}

/// Is \p V what the counter is at the end of \p AtEnd?
bool Unpacker::isCurrent(const Nest &N, const Value &V,
                         const BasicBlock &AtEnd) const {
  const BasicBlock *BB = &AtEnd;
  for (unsigned Step = 0; Step < MaxSteps; ++Step) {
    if (!N.Loops.front()->contains(BB)) {
      // Behind the loop phis have it, and in front of it it has not begun.
      const auto *Phi = dyn_cast<PHINode>(&V);
      return BB == N.Loops.front()->getLoopPreheader()
                 ? &V == N.Start
                 : Phi && Phi->getParent() == BB;
    }
    if (BB == N.Step->getParent())
      return &V == N.Step;
    const PHINode *Found = nullptr;
    for (const PHINode &Phi : BB->phis())
      if (N.Counter.contains(const_cast<PHINode *>(&Phi))) {
        if (Found)
          return false;
        Found = &Phi;
      }
    if (Found)
      return &V == Found;
    BB = BB->getSinglePredecessor();
    if (!BB)
      return false;
  }
  return false;
}

/// Does \p Inner begin in each iteration of \p Outer, or in none?
bool Unpacker::isEntered(const Loop &Inner, const Loop &Outer,
                         const Loop &Outermost) const {
  const BasicBlock *Before = Inner.getLoopPreheader();
  if (DT.dominates(Before, Outer.getLoopLatch()))
    return true;
  const BasicBlock *Guard = Before->getSinglePredecessor();
  const auto *Branch =
      Guard ? dyn_cast<BranchInst>(Guard->getTerminator()) : nullptr;
  if (!Branch || !Branch->isConditional() ||
      !DT.dominates(Guard, Outer.getLoopLatch()))
    return false;
  const Value *Condition = Branch->getCondition();
  const auto *Comparison = dyn_cast<ICmpInst>(Condition);
  return Outermost.isLoopInvariant(Condition) ||
         (Comparison && Outermost.hasLoopInvariantOperands(Comparison));
}

/// The loops around the access that the counter goes on in.
bool Unpacker::findLoops(Nest &N) {
  BasicBlock *BB = N.Access->getParent();
  auto HasCounter = [&](const Loop &L) {
    return any_of(L.getHeader()->phis(),
                  [&](PHINode &Phi) { return N.Counter.contains(&Phi); });
  };
  for (Loop *L = LI.getLoopFor(BB); L && HasCounter(*L); L = L->getParentLoop())
    N.Loops.insert(N.Loops.begin(), L);
  if (N.Loops.empty() ||
      N.Loops.front()->getParentLoop() != LI.getLoopFor(Memory.getParent()))
    return false;
  const Loop &Outermost = *N.Loops.front();
  SCEVExpander Expander(SE, "unpack");
  for (Loop *L : N.Loops) {
    const SCEV *Count = SE.getBackedgeTakenCount(L);
    if (!L->isLoopSimplifyForm() || !L->getExitingBlock() ||
        L->getExitingBlock() != L->getLoopLatch() ||
        isa<SCEVCouldNotCompute>(Count) ||
        !SE.isLoopInvariant(Count, &Outermost) ||
        !Expander.isSafeToExpandAt(Count, &Memory))
      return false;
    N.Counts.push_back(Count);
  }
  for (unsigned I = 1; I < N.Loops.size(); ++I)
    if (!isEntered(*N.Loops[I], *N.Loops[I - 1], Outermost))
      return false;
  BasicBlock *From = BB->getSinglePredecessor();
  N.Mask = From ? dyn_cast<BranchInst>(From->getTerminator()) : nullptr;
  if (!N.Mask || !N.Mask->isConditional() ||
      N.Mask->getSuccessor(0) == N.Mask->getSuccessor(1) ||
      LI.getLoopFor(From) != N.Loops.back() ||
      !DT.dominates(From, N.Loops.back()->getLoopLatch()) ||
      !isCurrent(N, *N.Place->getOperand(1), *From))
    return false;
  for (Instruction *V : N.Counter)
    if (auto *Phi = dyn_cast<PHINode>(V))
      for (unsigned I = 0; I < Phi->getNumIncomingValues(); ++I)
        if (!Outermost.contains(Phi) ||
            !isCurrent(N, *Phi->getIncomingValue(I), *Phi->getIncomingBlock(I)))
          return false;
  return true;
}

/// All that may write between the allocation and the end of the second nest.
void Unpacker::findWrites() {
  SmallSetVector<BasicBlock *, 16> Blocks;
  Blocks.insert(Load.Loops.front()->getHeader());
  for (unsigned I = 0; I < Blocks.size(); ++I)
    if (Blocks[I] != Memory.getParent())
      Blocks.insert_range(predecessors(Blocks[I]));
  for (BasicBlock *BB : Blocks)
    for (Instruction &I : *BB)
      if (I.mayWriteToMemory() &&
          (BB != Memory.getParent() || Memory.comesBefore(&I)))
        Writes.push_back(&I);
}

/// Are these different objects, of which one is new?  Where nobody has said
/// that malloc returns such, alias analysis does not know.
bool Unpacker::areApart(const Value &A, const Value &B) const {
  auto IsNew = [&](const Value &V) { return isAllocated(V, TLI); };
  auto IsObject = [&](const Value &V) {
    return IsNew(V) || isa<AllocaInst, Argument, GlobalVariable>(V);
  };
  return &A != &B && IsObject(A) && IsObject(B) && (IsNew(A) || IsNew(B));
}

/// Does all between leave alone what \p Read is part of?
bool Unpacker::isUnchanged(const LoadInst &Read) const {
  const Value *Object = getUnderlyingObject(Read.getPointerOperand());
  const auto *I = dyn_cast<Instruction>(Object);
  if (I && !DT.dominates(I, &Memory))
    return false;
  MemoryLocation All = MemoryLocation::getBeforeOrAfter(Object);
  return none_of(Writes, [&](const Instruction *Write) {
    if (const auto *Other = dyn_cast<StoreInst>(Write);
        Other &&
        areApart(*Object, *getUnderlyingObject(Other->getPointerOperand())))
      return false;
    return isModSet(AA.getModRefInfo(Write, All));
  });
}

/// Is \p A in an iteration of the first nest what \p B is in that of the
/// second?
bool Unpacker::isSame(Value *A, Value *B, unsigned Steps) const {
  auto *Left = dyn_cast<Instruction>(A), *Right = dyn_cast<Instruction>(B);
  auto IsInside = [](const Nest &N, const Instruction *I) {
    return I && N.Loops.front()->contains(I);
  };
  if (!IsInside(Store, Left) || !IsInside(Load, Right))
    return A == B && !IsInside(Store, Right) && !IsInside(Load, Left);
  if (!Steps)
    return false;
  if (isa<PHINode>(Left) && isa<PHINode>(Right)) {
    if (!SE.isSCEVable(A->getType()) || !SE.isSCEVable(B->getType()))
      return false;
    const auto *First = dyn_cast<SCEVAddRecExpr>(SE.getSCEV(A));
    const auto *Second = dyn_cast<SCEVAddRecExpr>(SE.getSCEV(B));
    if (!First || !Second || First->getNumOperands() != 2 ||
        Second->getNumOperands() != 2)
      return false;
    for (unsigned I = 0; I < Store.Loops.size(); ++I)
      if (First->getLoop() == Store.Loops[I])
        return Second->getLoop() == Load.Loops[I] &&
               equal(First->operands(), Second->operands()) &&
               all_of(First->operands(), [&](const SCEV *Operand) {
                 return SE.isLoopInvariant(Operand, Store.Loops.front()) &&
                        SE.isLoopInvariant(Operand, Load.Loops.front());
               });
    return false;
  }
  const auto *Read = dyn_cast<LoadInst>(Left);
  if (!isa<CmpInst, BinaryOperator, UnaryOperator, CastInst, SelectInst,
           GetElementPtrInst>(Left) &&
      !(Read && Read->isSimple() && isUnchanged(*Read)))
    return false;
  return Left->isSameOperationAs(Right) &&
         all_of(zip(Left->operands(), Right->operands()), [&](auto Pair) {
           return isSame(std::get<0>(Pair), std::get<1>(Pair), Steps - 1);
         });
}

/// Let each iteration have its own place.
void Unpacker::replace(Nest &N, ArrayRef<Value *> Counts) {
  IRBuilder<> B(N.Place);
  B.SetCurrentDebugLocation(N.Place->getDebugLoc());
  Type *Int = B.getInt64Ty();
  Value *Index = nullptr;
  for (auto [L, Count] : zip(N.Loops, Counts)) {
    BasicBlock *Header = L->getHeader();
    PHINode *Number = PHINode::Create(Int, 2, "iteration");
    Number->insertBefore(Header->begin());
    auto *Next = BinaryOperator::CreateNUWAdd(
        Number, B.getInt64(1), "iteration.next",
        L->getLoopLatch()->getTerminator()->getIterator());
    Number->addIncoming(B.getInt64(0), L->getLoopPreheader());
    Number->addIncoming(Next, L->getLoopLatch());
    Index = Index ? B.CreateNSWAdd(B.CreateNSWMul(Index, Count), Number)
                  : static_cast<Value *>(Number);
  }
  if (!N.Start->isZero())
    Index = B.CreateNSWAdd(Index, N.Start);
  N.Place->setOperand(1, Index);
  for (Instruction *V : N.Counter)
    V->replaceAllUsesWith(PoisonValue::get(V->getType()));
  for (Instruction *V : N.Counter)
    V->eraseFromParent();
}

bool Unpacker::run() {
  if (!findUses() || !findCounter(Store) || !findCounter(Load))
    return false;
  // What is known in front of the allocation is in another block.
  SplitBlock(Memory.getParent(), &Memory, &DT, &LI);
  WasSplit = true;
  if (!findLoops(Store) || !findLoops(Load) || Store.Start != Load.Start ||
      Store.Counts != Load.Counts || Store.Loops.front() == Load.Loops.front())
    return false;
  findWrites();
  bool Holds = Store.Mask->getSuccessor(0) == Store.Access->getParent();
  if (Holds != (Load.Mask->getSuccessor(0) == Load.Access->getParent()) ||
      !isSame(Store.Mask->getCondition(), Load.Mask->getCondition(), MaxSteps))
    return false;
  IRBuilder<> B(&Memory);
  SCEVExpander Expander(SE, "unpack");
  SmallVector<Value *, 4> Counts;
  Value *All = B.getInt64(1);
  for (const SCEV *Count : Store.Counts) {
    const SCEV *Wide = SE.getTruncateOrZeroExtend(Count, B.getInt64Ty());
    Counts.push_back(
        Expander.expandCodeFor(SE.getAddExpr(Wide, SE.getOne(B.getInt64Ty())),
                               B.getInt64Ty(), Memory.getIterator()));
    All = B.CreateMul(All, Counts.back());
  }
  // What the last iteration accesses ends there.
  const DataLayout &DL = Memory.getDataLayout();
  const int64_t Size = DL.getTypeAllocSize(Store.Place->getSourceElementType());
  const int64_t Rest =
      (Store.Start->getSExtValue() - 1) * Size + Store.Offset +
      static_cast<int64_t>(
          DL.getTypeStoreSize(getLoadStoreType(Store.Access)).getFixedValue());
  Value *Bytes =
      B.CreateAdd(B.CreateMul(All, B.getInt64(Size)), B.getInt64(Rest));
  Bytes = B.CreateBinaryIntrinsic(Intrinsic::smax, Bytes, B.getInt64(0));
  Memory.setArgOperand(0, B.CreateBinaryIntrinsic(
                              Intrinsic::umax, Memory.getArgOperand(0), Bytes));
  replace(Store, Counts);
  replace(Load, Counts);
  return true;
}

} // namespace

namespace polygpu {

PreservedAnalyses UnpackMasksPass::run(Function &F,
                                       FunctionAnalysisManager &FAM) {
  const auto &TLI = FAM.getResult<TargetLibraryAnalysis>(F);
  SmallVector<CallInst *, 4> Found;
  for (Instruction &I : instructions(F))
    if (auto *Call = dyn_cast<CallInst>(&I))
      if (isAllocated(*Call, TLI))
        Found.push_back(Call);
  bool Changed = false;
  for (CallInst *Memory : Found) {
    auto &SE = FAM.getResult<ScalarEvolutionAnalysis>(F);
    Unpacker Unpack(*Memory, FAM.getResult<LoopAnalysis>(F),
                    FAM.getResult<DominatorTreeAnalysis>(F), SE,
                    FAM.getResult<AAManager>(F), TLI);
    if (Unpack.run())
      SE.forgetAllLoops();
    Changed |= Unpack.WasSplit;
  }
  return Changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace polygpu
