//===- OutlineLoops.cpp - Loops that run as often as data say -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "prepare/OutlineLoops.h"
#include "prepare/IndirectCalls.h"
#include "target/MathCalls.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

using namespace llvm;

namespace polygpu {

/// Find the store to an element that is the same in all iterations, and the
/// loads of it, all in front.  False if something else is written.
bool LoopOutliner::findUpdate() {
  SmallVector<LoadInst *, 8> Loads;
  for (BasicBlock *BB : L.blocks())
    for (Instruction &I : *BB) {
      if (auto *Load = dyn_cast<LoadInst>(&I))
        Loads.push_back(Load);
      if (!isa<StoreInst>(I))
        continue;
      if (Update)
        return false;
      Update = cast<StoreInst>(&I);
    }
  if (!Update)
    return true;
  BasicBlock *BB = Update->getParent(), *Latch = L.getLoopLatch();
  if (!Update->isSimple() || !Latch || !L.getLoopPreheader() ||
      (BB != Latch && L.getNumBlocks() > 1) ||
      !isNumber(Update->getValueOperand()->getType()))
    return false;
  const SCEV *Where = SE.getSCEV(Update->getPointerOperand());
  if (!SE.isLoopInvariant(Where, &L))
    return false;
  for (LoadInst *Load : Loads)
    if (SE.getSCEV(Load->getPointerOperand()) == Where) {
      if (!Load->isSimple() ||
          Load->getType() != Update->getValueOperand()->getType() ||
          (Load->getParent() == BB && !Load->comesBefore(Update)))
        return false;
      Older.push_back(Load);
    }
  bool Changed = false;
  if (Older.empty() ||
      !L.makeLoopInvariant(Update->getPointerOperand(), Changed))
    return false;
  Element = Update->getPointerOperand();
  Alignment = Update->getAlign();
  for (LoadInst *Load : Older)
    Load->setOperand(0, Element);
  return true;
}

static bool isValueType(Type *Ty) { return isNumber(Ty) || Ty->isIntegerTy(1); }

/// Results of one loop: each is in registers while it runs.
static const unsigned MostResults = 8;

bool LoopOutliner::isResult(const Value *V) const {
  return is_contained(Results, V);
}

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

/// One way in, all ways out to one place, and a few values that are used behind
/// it.
bool LoopOutliner::hasForm() {
  SmallVector<BasicBlock *, 2> Exits;
  L.getUniqueExitBlocks(Exits);
  Entry = L.getLoopPreheader();
  if (Exits.empty() || !Entry || !L.isLoopSimplifyForm())
    return false;
  append_range(Blocks, L.blocks());
  if (Update) {
    Before = Entry;
    After = Exits.front();
    return Exits.size() == 1 && L.getExitingBlock() &&
           After->getSinglePredecessor() == L.getExitingBlock() &&
           After->phis().empty();
  }
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
  for (PHINode &Phi : After->phis()) {
    if (!isValueType(Phi.getType()))
      return false;
    Results.push_back(&Phi);
  }
  return !Results.empty() && Results.size() <= MostResults &&
         !After->isEHPad() && (!Next || all_of(Exits, [&](BasicBlock *Exit) {
           return all_of(*Exit, [&](Instruction &I) {
             return all_of(I.users(), [&](User *U) {
               return isResult(U) || cast<Instruction>(U)->getParent() == Exit;
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
  if (&I == Update)
    return true;
  if (auto *Load = dyn_cast<LoadInst>(&I)) {
    if (is_contained(Older, Load))
      return true;
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
  if (!L.isInnermost() || !Parent ||
      isa<SCEVCouldNotCompute>(SE.getBackedgeTakenCount(Parent)))
    return false;
  // What goes on for as long as data say has to end somewhere.
  bool IsOpen = isa<SCEVCouldNotCompute>(SE.getBackedgeTakenCount(&L));
  if (IsOpen ? !isMustProgress(&L) || hasCalls(*Parent)
             : Find.isCounted(L, *Parent))
    return false;
  if (!findUpdate() || (Update && IsOpen) || !hasForm())
    return false;
  for (BasicBlock *BB : Blocks)
    for (Instruction &I : *BB)
      if (!accept(I))
        return false;
  if (Guard)
    addNumber(Guard->getCondition());
  // What a result is where the loop is not entered, or on one of several ways
  // out, may be from before.
  for (PHINode *Phi : Results)
    for (Value *V : Phi->incoming_values())
      addNumber(V);
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
  I.setMetadata(LLVMContext::MD_DIAssignID, nullptr);
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

/// Have the loop hand on what it updates, and store that behind.
void LoopOutliner::carry() {
  Type *Ty = Update->getValueOperand()->getType();
  Value *Newest = Update->getValueOperand();
  auto *First =
      new LoadInst(Ty, Element, "", /*isVolatile=*/false, Update->getAlign(),
                   Entry->getTerminator()->getIterator());
  First->setDebugLoc(Older.front()->getDebugLoc());
  PHINode *Phi = PHINode::Create(Ty, 2, "", L.getHeader()->begin());
  Phi->addIncoming(First, Entry);
  Phi->addIncoming(Newest, L.getLoopLatch());
  for (LoadInst *Load : Older) {
    Load->replaceAllUsesWith(Phi);
    Load->eraseFromParent();
  }
  PHINode *Result = PHINode::Create(Ty, 1, "", After->begin());
  Results.push_back(Result);
  Result->addIncoming(Phi->getIncomingValueForBlock(L.getLoopLatch()),
                      L.getExitingBlock());
  auto *Last = new StoreInst(Result, Element, /*isVolatile=*/false,
                             Update->getAlign(), After->getFirstInsertionPt());
  Last->setDebugLoc(Update->getDebugLoc());
  Update->eraseFromParent();
  Update = nullptr;
  Older.clear();
  Numbers.insert(First);
  if (Ty->isIntegerTy()) // what it is in the end is known to nobody
    Counters.insert(Counters.begin(), Phi);
}

/// That of the one result, or a structure of all.
Type *LoopOutliner::resultType() const {
  if (Update)
    return Update->getValueOperand()->getType();
  if (Results.size() == 1)
    return Results.front()->getType();
  SmallVector<Type *, 4> Types;
  for (const PHINode *Phi : Results)
    Types.push_back(Phi->getType());
  return StructType::get(L.getHeader()->getContext(), Types);
}

/// The loop in a function of its own.
Function *LoopOutliner::makeBody() {
  LLVMContext &Ctx = L.getHeader()->getContext();
  SmallVector<Type *, 16> Params;
  for (Value *V : Bases)
    Params.push_back(V->getType());
  for (Value *V : Numbers)
    Params.push_back(V->getType());
  if (Update)
    Params.push_back(Element->getType());
  else
    for (PHINode *Phi : Counters)
      Params.push_back(Phi->getType());
  Function *Body =
      polygpu::makeBody(resultType(), Params, *L.getHeader()->getModule());
  ValueToValueMapTy Map;
  unsigned N = 0;
  for (Value *V : Bases)
    Map[V] = Body->getArg(N++);
  for (Value *V : Numbers)
    Map[V] = Body->getArg(N++);
  if (Update)
    Map[Element] = Body->getArg(N++);
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
  if (Update) {
    B.CreateRet(B.CreateLoad(Body->getReturnType(), Mapped(Element)));
    return Body;
  }
  SmallVector<Value *, 4> Ends;
  for (PHINode *Result : Results) {
    PHINode *Phi = B.CreatePHI(Result->getType(), 2);
    for (unsigned V = 0; V < Result->getNumIncomingValues(); ++V)
      Phi->addIncoming(Mapped(Result->getIncomingValue(V)),
                       cast<BasicBlock>(Mapped(Result->getIncomingBlock(V))));
    Ends.push_back(Phi);
  }
  if (Ends.size() == 1)
    B.CreateRet(Ends.front());
  else
    B.CreateAggregateRet(Ends.data(), static_cast<unsigned>(Ends.size()));
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

/// Have the results be those of \p Call.
void LoopOutliner::useCall(CallInst &Call) {
  IRBuilder<> B(Before->getTerminator());
  B.SetCurrentDebugLocation(Call.getDebugLoc());
  for (unsigned N = 0; N < Results.size(); ++N) {
    Value *New = &Call;
    if (Results.size() > 1) {
      New = B.CreateExtractValue(&Call, N);
      New->takeName(Results[N]);
    }
    Results[N]->replaceAllUsesWith(New);
    Results[N]->eraseFromParent();
  }
}

CallInst *LoopOutliner::run() {
  // What is computed behind the condition may be before it as well.
  for (Instruction &I : make_early_inc_range(*Entry))
    if (Guard && !Reads && !I.isTerminator()) {
      I.dropPoisonGeneratingAnnotations();
      I.moveBefore(Before->getTerminator()->getIterator());
    }
  if (Update) {
    InMemory = makeBody();
    InMemory->setName("polygpu.update");
    InMemory->setAttributes({});
    InMemory->addFnAttr("polygpu");
    carry();
  }
  Function *Body = makeBody();
  CallInst *Call = makeCall(*Body);
  SmallVector<BasicBlock *, 8> Gone = Blocks;
  if (Guard && !Reads)
    Gone.push_back(Entry);
  SE.forgetLoop(&L);
  useCall(*Call);
  Instruction *Old = Before->getTerminator();
  BranchInst::Create(After, Old->getIterator())
      ->setDebugLoc(Old->getDebugLoc());
  Old->eraseFromParent();
  DeleteDeadBlocks(Gone);
  return Call;
}

} // namespace polygpu
