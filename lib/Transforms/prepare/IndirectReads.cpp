//===- IndirectReads.cpp - Reads at places that data say ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "prepare/IndirectReads.h"
#include "prepare/IndexFinder.h"
#include "target/MathCalls.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/RegionInfo.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

using namespace llvm;

namespace polygpu {

//===-- Calls instead of loads --------------------------------------------===//

/// A function of which nothing is known.
static Function *makeBody(Type *Ty, ArrayRef<Type *> Params, Module &M) {
  auto *Body =
      Function::Create(FunctionType::get(Ty, Params, false),
                       GlobalValue::InternalLinkage, IndirectPrefix, M);
  // Not that it may be executed elsewhere: what it is computed from decides.
  Body->setMemoryEffects(MemoryEffects::none());
  Body->setDoesNotThrow();
  Body->setWillReturn();
  Body->addFnAttr("polygpu");
  return Body;
}

/// The bytes from its base on, of terms that \p Map gives.
static Value *offsetOf(const Place &P, IRBuilderBase &B,
                       function_ref<Value *(Value *)> Map) {
  Value *Sum = nullptr;
  for (const auto &[V, Factor] : P.Terms) {
    Value *Term = B.CreateSExtOrTrunc(Map(V), B.getInt64Ty());
    if (!Factor.isOne())
      Term = B.CreateMul(Term, B.getInt(Factor));
    Sum = Sum ? B.CreateAdd(Sum, Term) : Term;
  }
  if (!Sum)
    return B.getInt(P.Constant);
  return P.Constant.isZero() ? Sum : B.CreateAdd(Sum, B.getInt(P.Constant));
}

void IndirectReads::addRead(Instruction &Load, bool Outer) {
  Value *Pointer = Load.getOperand(0);
  auto P = *takeApart(Pointer, Load.getDataLayout());
  IRBuilder<> Before(&Load);
  Value *Offset = offsetOf(P, Before, [](Value *V) { return V; });
  Function *Body =
      makeBody(Load.getType(), {P.Base->getType(), Offset->getType()},
               *Load.getModule());
  auto *Call = CallInst::Create(Body, {P.Base, Offset}, "", Load.getIterator());
  Call->setDebugLoc(Load.getDebugLoc());
  Call->takeName(&Load);
  Load.replaceAllUsesWith(Call);
  Load.removeFromParent();
  Load.setDebugLoc(DebugLoc());
  IRBuilder<> B(BasicBlock::Create(Load.getContext(), "entry", Body));
  Load.setOperand(0, B.CreatePtrAdd(Body->getArg(0), Body->getArg(1)));
  B.Insert(&Load);
  B.CreateRet(&Load);
  RecursivelyDeleteTriviallyDeadInstructions(Pointer);
  Reads.push_back({WeakVH(Call), Body, Outer, DebugLoc()});
}

//===-- Calls instead of loops --------------------------------------------===//

namespace {

/// A loop that only reads and has one result, with the condition under which it
/// is entered.
class LoopOutliner {
public:
  LoopOutliner(Loop &L, const LoopInfo &LI, ScalarEvolution &SE,
               const DataLayout &DL)
      : L(L), SE(SE), DL(DL), Find(LI, SE, DL, &L) {}

  /// Can it be a call?
  bool accept();
  CallInst *run();

private:
  Loop &L;
  ScalarEvolution &SE;
  const DataLayout &DL;
  IndexFinder Find;
  BranchInst *Guard = nullptr; ///< null: it is always entered
  BasicBlock *Entry = nullptr; ///< the loop's preheader
  bool Reads = false;          ///< that reads, and comes along
  BasicBlock *Before = nullptr, *After = nullptr;
  PHINode *Result = nullptr; ///< at its end or, with a guard, behind that
  SmallVector<BasicBlock *, 8> Blocks;
  SmallSetVector<Value *, 4> Bases;
  SmallSetVector<Value *, 8> Numbers;
  SmallVector<PHINode *, 4> Counters; ///< integer phis of the header
  DenseMap<const LoadInst *, Place> Places;

  bool hasForm();
  bool accept(Instruction &I);
  bool isInside(const Value *V) const;
  void addNumber(Value *V);
  Function *makeBody();
  CallInst *makeCall(Function &Body);
};

} // namespace

static bool isValueType(Type *Ty) { return isNumber(Ty) || Ty->isIntegerTy(1); }

/// The one block behind all of \p Exits, which is entered from nowhere else but
/// \p From, or null.
static BasicBlock *joinOf(ArrayRef<BasicBlock *> Exits,
                          const BasicBlock *From) {
  BasicBlock *Next = Exits.front()->getSingleSuccessor();
  if (!Next || Next->isEHPad() || any_of(Exits, [&](BasicBlock *Exit) {
        return Exit->getSingleSuccessor() != Next || Exit->isEHPad();
      }))
    return nullptr;
  bool IsEntered = is_contained(successors(From), Next);
  return pred_size(Next) == Exits.size() + IsEntered ? Next : nullptr;
}

/// One way in, all ways out to one place, and one value that is used behind it.
bool LoopOutliner::hasForm() {
  SmallVector<BasicBlock *, 2> Exits;
  L.getUniqueExitBlocks(Exits);
  Entry = L.getLoopPreheader();
  if (Exits.empty() || !Entry || !L.isLoopSimplifyForm())
    return false;
  append_range(Blocks, L.blocks());
  BasicBlock *From = Entry->getSinglePredecessor();
  auto *Test = From ? dyn_cast<BranchInst>(From->getTerminator()) : nullptr;
  BasicBlock *Next = joinOf(Exits, From && Test ? From : Entry);
  if (Next && Test && Test->isConditional() &&
      is_contained(successors(From), Next)) {
    Guard = Test;
    Reads = any_of(*Entry, [](const Instruction &I) {
      return !I.isTerminator() && !isSafeToSpeculativelyExecute(&I);
    });
    if (Reads)
      Blocks.insert(Blocks.begin(), Entry);
    Before = From;
  } else {
    Before = Entry;
    if (Exits.size() == 1)
      Next = nullptr;
    else if (!Next)
      return false;
  }
  After = Next ? Next : Exits.front();
  if (Next)
    append_range(Blocks, Exits);
  for (PHINode &Phi : After->phis())
    if (std::exchange(Result, &Phi))
      return false;
  return Result && isValueType(Result->getType()) && !After->isEHPad() &&
         (!Next || all_of(Exits, [&](BasicBlock *Exit) {
           return all_of(*Exit, [&](Instruction &I) {
             return all_of(I.users(), [&](User *U) {
               return U == Result || cast<Instruction>(U)->getParent() == Exit;
             });
           });
         }));
}

bool LoopOutliner::isInside(const Value *V) const {
  const auto *I = dyn_cast<Instruction>(V);
  return I && is_contained(Blocks, I->getParent());
}

void LoopOutliner::addNumber(Value *V) {
  if (!isInside(V) && !isa<Constant>(V))
    Numbers.insert(V);
}

/// Can kernels execute it?  What it needs from before is noted.
bool LoopOutliner::accept(Instruction &I) {
  if (I.isDebugOrPseudoInst() || isa<BranchInst>(I)) {
    auto *Branch = dyn_cast<BranchInst>(&I);
    if (Branch && Branch->isConditional())
      addNumber(Branch->getCondition());
    return true;
  }
  if (isa<GetElementPtrInst>(I))
    return all_of(I.users(), [](const User *U) {
      return isa<LoadInst, GetElementPtrInst>(U);
    });
  if (auto *Load = dyn_cast<LoadInst>(&I)) {
    auto P = takeApart(Load->getPointerOperand(), DL);
    if (!Load->isSimple() || !isNumber(I.getType()) || !P || !isBase(P->Base) ||
        isInside(P->Base) || !Find.isElement(*P, I.getType()))
      return false;
    Bases.insert(P->Base);
    for (auto &Term : P->Terms)
      addNumber(Term.first);
    Places.insert({Load, std::move(*P)});
    return true;
  }
  bool Known = I.isBinaryOp() ? I.getOpcode() != Instruction::FRem
                              : isa<CastInst, CmpInst, SelectInst, PHINode,
                                    FreezeInst, UnaryOperator>(I) &&
                                    !isa<BitCastInst>(I);
  if (const auto *Call = dyn_cast<CallInst>(&I))
    Known = classifyCall(*Call) == CallKind::Intrinsic;
  if (!Known || !isValueType(I.getType()))
    return false;
  for (const Use &U : I.operands()) {
    if (isa<Function>(U.get()))
      continue;
    if (!isValueType(U->getType()))
      return false;
    addNumber(U.get());
  }
  return true;
}

/// Does \p L call what can be in no kernel?
static bool hasCalls(const Loop &L) {
  return any_of(L.blocks(), [](const BasicBlock *BB) {
    return any_of(*BB, [](const Instruction &I) {
      return isa<CallBase>(I) && I.mayWriteToMemory() &&
             !I.isDebugOrPseudoInst() && !I.isLifetimeStartOrEnd() &&
             !isa<MemIntrinsic>(I);
    });
  });
}

bool LoopOutliner::accept() {
  const Loop *Parent = L.getParentLoop();
  if (!L.isInnermost() || !Parent || !hasForm() ||
      isa<SCEVCouldNotCompute>(SE.getBackedgeTakenCount(Parent)))
    return false;
  // What goes on for as long as data say has to end somewhere.
  bool IsOpen = isa<SCEVCouldNotCompute>(SE.getBackedgeTakenCount(&L));
  if (IsOpen ? !isMustProgress(&L) || hasCalls(*Parent)
             : Find.isCounted(L, *Parent))
    return false;
  for (BasicBlock *BB : Blocks)
    for (Instruction &I : *BB)
      if (!accept(I))
        return false;
  if (Guard)
    addNumber(Guard->getCondition());
  if (Guard)
    addNumber(Result->getIncomingValueForBlock(Before));
  SmallVector<const Value *, 4> List(Bases.begin(), Bases.end());
  if (any_of(List, [&](const Value *Base) {
        const auto *I = dyn_cast<Instruction>(Base);
        return I && Parent->contains(I);
      }))
    return false;
  const Loop *Top = Find.outermost(Parent, List);
  for (PHINode &Phi : L.getHeader()->phis())
    if (Phi.getType()->isIntegerTy()) {
      Counters.push_back(&Phi);
      const SCEV *Last = Find.lastOf(Phi);
      if (Last && SCEVExprContains(Last, [&](const SCEV *Part) {
            const auto *U = dyn_cast<SCEVUnknown>(Part);
            return U && isInside(U->getValue());
          }))
        return false;
    }
  return (IsOpen || !Bases.empty()) && all_of(Places, [&](const auto &Entry) {
           return knownBytes(Entry.second.Base, DL) ||
                  all_of(Entry.second.Terms, [&](const auto &Term) {
                    return Find.isBounded(Term.first, *Top);
                  });
         });
}

/// The operands of \p I without places in the source.
static void forgetPlaces(Instruction &I) {
  I.setDebugLoc(DebugLoc());
  I.dropDbgRecords();
  MDNode *Old = I.getMetadata(LLVMContext::MD_loop);
  if (!Old)
    return;
  SmallVector<Metadata *, 4> Rest = {nullptr};
  for (const MDOperand &Operand : drop_begin(Old->operands()))
    if (!isa_and_nonnull<DILocation>(Operand.get()))
      Rest.push_back(Operand.get());
  MDNode *New = MDNode::getDistinct(I.getContext(), Rest);
  New->replaceOperandWith(0, New);
  I.setMetadata(LLVMContext::MD_loop, New);
}

/// The loop in a function of its own.
Function *LoopOutliner::makeBody() {
  LLVMContext &Ctx = L.getHeader()->getContext();
  SmallVector<Type *, 16> Params;
  for (Value *V : Bases)
    Params.push_back(V->getType());
  for (Value *V : Numbers)
    Params.push_back(V->getType());
  for (PHINode *Phi : Counters)
    Params.push_back(Phi->getType());
  Function *Body =
      polygpu::makeBody(Result->getType(), Params, *L.getHeader()->getModule());
  ValueToValueMapTy Map;
  unsigned N = 0;
  for (Value *V : Bases)
    Map[V] = Body->getArg(N++);
  for (Value *V : Numbers)
    Map[V] = Body->getArg(N++);
  BasicBlock *Start = BasicBlock::Create(Ctx, "entry", Body);
  if (!Reads)
    Map[Entry] = Start;
  Map[Before] = Start;
  for (BasicBlock *BB : Blocks)
    Map[BB] = CloneBasicBlock(BB, Map, "", Body);
  BasicBlock *End = BasicBlock::Create(Ctx, "end", Body);
  Map[After] = End;
  auto Mapped = [&](Value *V) -> Value * {
    auto It = Map.find(V);
    return It == Map.end() ? V : static_cast<Value *>(It->second);
  };
  auto *Header = cast<BasicBlock>(Mapped(Reads ? Entry : L.getHeader()));
  IRBuilder<> B(Start);
  if (Guard) {
    bool OnTrue = Guard->getSuccessor(0) == Entry;
    Value *Condition = Mapped(Guard->getCondition());
    if (OnTrue)
      B.CreateCondBr(Condition, Header, End);
    else // The header comes first.
      B.CreateCondBr(B.CreateNot(Condition), Header, End);
  } else {
    B.CreateBr(Header);
  }
  for (BasicBlock *BB : Blocks)
    for (Instruction &I : *cast<BasicBlock>(Mapped(BB))) {
      RemapInstruction(&I, Map,
                       RF_NoModuleLevelChanges | RF_IgnoreMissingLocals);
      forgetPlaces(I);
    }
  for (auto &[Old, P] : Places) {
    auto *Load = cast<LoadInst>(Mapped(const_cast<LoadInst *>(Old)));
    B.SetInsertPoint(Load);
    Value *Offset = offsetOf(P, B, Mapped);
    Value *Address = GetElementPtrInst::Create(
        B.getInt8Ty(), Mapped(P.Base), {Offset}, "", Load->getIterator());
    Load->setOperand(0, Address);
  }
  for (BasicBlock *BB : Blocks)
    for (Instruction &I :
         make_early_inc_range(reverse(*cast<BasicBlock>(Mapped(BB)))))
      if (isa<GetElementPtrInst>(I) && I.use_empty())
        I.eraseFromParent();
  // Of several blocks, those that used addresses are done last.
  for (bool Again = true; std::exchange(Again, false);)
    for (BasicBlock &BB : *Body)
      for (Instruction &I : make_early_inc_range(reverse(BB)))
        if (isa<GetElementPtrInst>(I) && I.use_empty()) {
          I.eraseFromParent();
          Again = true;
        }
  B.SetInsertPoint(End);
  PHINode *Phi = B.CreatePHI(Result->getType(), 2);
  for (unsigned V = 0; V < Result->getNumIncomingValues(); ++V)
    Phi->addIncoming(Mapped(Result->getIncomingValue(V)),
                     cast<BasicBlock>(Mapped(Result->getIncomingBlock(V))));
  B.CreateRet(Phi);
  return Body;
}

CallInst *LoopOutliner::makeCall(Function &Body) {
  SmallVector<Value *, 16> Operands(Bases.begin(), Bases.end());
  append_range(Operands, Numbers);
  SCEVExpander Expander(SE, "last");
  Instruction *At = Before->getTerminator();
  for (PHINode *Phi : Counters) {
    const SCEV *Last = Find.lastOf(*Phi);
    Operands.push_back(Last && Expander.isSafeToExpandAt(Last, At)
                           ? Expander.expandCodeFor(Last, Phi->getType(), At)
                           : PoisonValue::get(Phi->getType()));
  }
  auto *Call = CallInst::Create(&Body, Operands, "", At->getIterator());
  Call->setDebugLoc(L.getStartLoc());
  return Call;
}

CallInst *LoopOutliner::run() {
  // What is computed behind the condition may be before it as well.
  for (Instruction &I : make_early_inc_range(*Entry))
    if (Guard && !Reads && !I.isTerminator()) {
      I.dropPoisonGeneratingAnnotations();
      I.moveBefore(Before->getTerminator()->getIterator());
    }
  Function *Body = makeBody();
  CallInst *Call = makeCall(*Body);
  SmallVector<BasicBlock *, 8> Gone = Blocks;
  if (Guard && !Reads)
    Gone.push_back(Entry);
  SE.forgetLoop(&L);
  Result->replaceAllUsesWith(Call);
  Result->eraseFromParent();
  Instruction *Old = Before->getTerminator();
  BranchInst::Create(After, Old->getIterator())
      ->setDebugLoc(Old->getDebugLoc());
  Old->eraseFromParent();
  DeleteDeadBlocks(Gone);
  return Call;
}

bool IndirectReads::addLoop(Function &F, const LoopInfo &LI,
                            ScalarEvolution &SE) {
  for (Loop *L : LI.getLoopsInPreorder()) {
    LoopOutliner Outliner(*L, LI, SE, F.getDataLayout());
    if (!Outliner.accept())
      continue;
    DebugLoc Start = L->getStartLoc();
    CallInst *Call = Outliner.run();
    Reads.push_back(
        {WeakVH(Call), Call->getCalledFunction(), /*Outer=*/true, Start});
    return true;
  }
  return false;
}

SmallVector<DebugLoc, 2> IndirectReads::loopsIn(const Loop &L) const {
  SmallVector<DebugLoc, 2> Places;
  for (const Read &One : Reads)
    if (const auto *Call =
            cast_or_null<CallInst>(static_cast<Value *>(One.Call));
        Call && One.Loop && L.contains(Call->getParent()))
      Places.push_back(One.Loop);
  return Places;
}

//===-- All of a function -------------------------------------------------===//

bool IndirectReads::add(Function &F, const LoopInfo &LI, ScalarEvolution &SE) {
  bool Any = false;
  ReversePostOrderTraversal<Function *> Order(&F);
  for (BasicBlock *BB : Order) {
    const Loop *L = LI.getLoopFor(BB);
    if (!L)
      continue;
    for (Instruction &I : make_early_inc_range(*BB)) {
      auto *Load = dyn_cast<LoadInst>(&I);
      IndexFinder Find(LI, SE, F.getDataLayout());
      if (!Load || !Find.find(*Load))
        continue;
      bool Outer = Find.isSameIn(*Load, *L);
      SE.forgetValue(Load);
      addRead(*Load, Outer);
      Any = true;
    }
  }
  return Any;
}

/// Does a loop around \p Load write what it reads from?
static bool isWritten(const LoadInst &Load, const Loop &L) {
  const Value *Base = getUnderlyingObject(Load.getPointerOperand());
  for (const BasicBlock *BB : L.blocks())
    for (const Instruction &I : *BB)
      if (const auto *Store = dyn_cast<StoreInst>(&I);
          Store && getUnderlyingObject(Store->getPointerOperand()) == Base)
        return true;
  return false;
}

bool IndirectReads::addComputed(ArrayRef<LoadInst *> Loads, const LoopInfo &LI,
                                ScalarEvolution &SE) {
  bool Any = false;
  for (LoadInst *Load : Loads) {
    const Loop *L = LI.getLoopFor(Load->getParent());
    IndexFinder Find(LI, SE, Load->getDataLayout());
    if (!L || isWritten(*Load, *L) || !Find.find(*Load, /*Computed=*/true))
      continue;
    bool Outer = Find.isSameIn(*Load, *L);
    SE.forgetValue(Load);
    addRead(*Load, Outer);
    Any = true;
  }
  return Any;
}

static void inlineRead(CallInst &Call) {
  InlineFunctionInfo Info;
  InlineFunction(Call, Info);
}

bool IndirectReads::restoreOuter(
    const Region &R, function_ref<bool(const Instruction &)> IsKept) {
  bool Any = false;
  for (Read &One : Reads) {
    auto *Call = cast_or_null<CallInst>(static_cast<Value *>(One.Call));
    if (!Call || !One.Outer || !R.contains(Call->getParent()) || IsKept(*Call))
      continue;
    inlineRead(*Call);
    Any = true;
  }
  return Any;
}

void IndirectReads::restore() {
  for (Read &One : Reads) {
    // Copies of loops have calls of it, too.
    for (User *U : make_early_inc_range(One.Body->users()))
      inlineRead(*cast<CallInst>(U));
    One.Body->eraseFromParent();
  }
  Reads.clear();
}

} // namespace polygpu
