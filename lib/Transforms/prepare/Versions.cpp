//===- Versions.cpp - Loops twice, of which one assumes more --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "prepare/Versions.h"
#include "RuntimeFunctions.h"
#include "adaptor/Notes.h"
#include "prepare/SplitSums.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/RegionInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

using namespace llvm;

namespace polygpu {

static const char *const ChoiceName = "polygpu.version";
static const char *const BeginName = "polygpu.version.begin";
static const char *const PlaceName = "polygpu.version.place";
/// Calls of the second function have them that assume something else, in words;
/// no metadata, of which a module that is left alone would keep the kind.
static const char *const SoAttribute = "polygpu-so";
static const char *const NotSoAttribute = "polygpu-not-so";

static const CallInst *callOf(const Instruction &I, StringRef Name) {
  const auto *Call = dyn_cast<CallInst>(&I);
  const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
  return Callee && Callee->getName() == Name ? Call : nullptr;
}

bool isVersionCall(const Instruction &I) {
  return callOf(I, ChoiceName) || callOf(I, BeginName) || callOf(I, PlaceName);
}

static FunctionCallee declare(Module &M, StringRef Name, FunctionType *Type,
                              MemoryEffects Effects) {
  FunctionCallee Callee = M.getOrInsertFunction(Name, Type);
  auto *F = cast<Function>(Callee.getCallee());
  F->setMemoryEffects(Effects);
  F->setDoesNotThrow();
  F->setWillReturn();
  return Callee;
}

const Value *placeOf(const AssumedPlace &Place) {
  const auto *Call = dyn_cast<Instruction>(Place.Address);
  return Call && callOf(*Call, PlaceName) ? Call->getOperand(0) : Place.Address;
}

//===-- Making them -------------------------------------------------------===//

/// Phis behind the loop get the values of its copy as well.
static void joinExits(const Loop &L, const ValueToValueMapTy &Map) {
  SmallVector<BasicBlock *, 4> Exits;
  L.getUniqueExitBlocks(Exits);
  auto Mapped = [&](Value *V) {
    auto It = Map.find(V);
    return It == Map.end() ? V : static_cast<Value *>(It->second);
  };
  for (BasicBlock *Exit : Exits)
    for (PHINode &Phi : Exit->phis())
      for (unsigned I = 0, E = Phi.getNumIncomingValues(); I < E; ++I)
        if (L.contains(Phi.getIncomingBlock(I)))
          Phi.addIncoming(Mapped(Phi.getIncomingValue(I)),
                          cast<BasicBlock>(Mapped(Phi.getIncomingBlock(I))));
}

void copyLoop(Loop &L, function_ref<Value *(IRBuilderBase &)> Condition,
              LoopInfo &LI, DominatorTree &DT, ValueToValueMapTy &Map) {
  SmallVector<BasicBlock *, 4> Exits;
  L.getUniqueExitBlocks(Exits);
  BasicBlock *Before = L.getLoopPreheader();
  BasicBlock *First = SplitBlock(Before, Before->getTerminator(), &DT, &LI);
  SmallVector<BasicBlock *, 16> Blocks;
  Loop *Copy = cloneLoopWithPreheader(Exits.front(), Before, &L, Map,
                                      ".original", &LI, &DT, Blocks);
  remapInstructionsInBlocks(Blocks, Map);
  joinExits(L, Map);
  Instruction *Old = Before->getTerminator();
  IRBuilder<> B(Old);
  B.SetCurrentDebugLocation(DebugLoc());
  B.CreateCondBr(Condition(B), First, Copy->getLoopPreheader());
  Old->eraseFromParent();
  DT.recalculate(*First->getParent());
}

static const char *const AsideNote = "polygpu.aside";

void setAside(BranchInst &Choice) { setNote(Choice, AsideNote); }

static bool isSetAsideBy(const Instruction &Choice) {
  return hasNote(Choice, AsideNote);
}

bool isSetAside(const BasicBlock &BB, const DominatorTree &DT) {
  for (const auto *Node = DT.getNode(&BB); Node && Node->getIDom();
       Node = Node->getIDom()) {
    const auto *Choice = Node->getIDom()->getBlock()->getTerminator();
    if (isSetAsideBy(*Choice) && Choice->getSuccessor(1) == Node->getBlock())
      return true;
  }
  return false;
}

void makeVersions(Loop &L, unsigned Number, LoopInfo &LI, DominatorTree &DT) {
  ValueToValueMapTy Map;
  auto Choose = [&](IRBuilderBase &B) {
    return B.CreateCall(
        declare(*L.getHeader()->getModule(), ChoiceName,
                FunctionType::get(B.getInt1Ty(), {B.getInt32Ty()}, false),
                MemoryEffects::inaccessibleMemOnly()),
        {B.getInt32(Number)});
  };
  copyLoop(L, Choose, LI, DT, Map);
}

void describeVersion(Loop &L, unsigned Number, ArrayRef<AssumedPlace> Places,
                     std::optional<AssumedTruth> Truth) {
  IRBuilder<> B(L.getLoopPreheader()->getTerminator());
  B.SetCurrentDebugLocation(DebugLoc());
  Module &M = *L.getHeader()->getModule();
  FunctionCallee Place = declare(
      M, PlaceName, FunctionType::get(B.getPtrTy(), {B.getPtrTy()}, false),
      MemoryEffects::none());
  SmallVector<Value *, 16> Arguments = {B.getInt32(Number),
                                        Truth ? Truth->Holds : B.getTrue()};
  for (const AssumedPlace &P : Places) {
    Arguments.push_back(B.CreateCall(Place, {P.Address}));
    Arguments.push_back(P.End ? B.CreateCall(Place, {P.End})
                              : cast<Value>(B.getInt64(P.Bytes)));
  }
  auto *Type =
      FunctionType::get(B.getVoidTy(), {B.getInt32Ty(), B.getInt1Ty()}, true);
  CallInst *Begin = B.CreateCall(
      declare(M, BeginName, Type, MemoryEffects::inaccessibleMemOnly()),
      Arguments);
  if (Truth) {
    Begin->addFnAttr(Attribute::get(M.getContext(), SoAttribute, Truth->So));
    Begin->addFnAttr(
        Attribute::get(M.getContext(), NotSoAttribute, Truth->NotSo));
  }
}

CallInst *versionBegin(const Loop &L, const DominatorTree &DT) {
  if (!L.getHeader()->getModule()->getFunction(BeginName))
    return nullptr;
  for (const auto *Node = DT.getNode(L.getHeader()); Node;
       Node = Node->getIDom())
    for (Instruction &I : *Node->getBlock())
      if (callOf(I, BeginName))
        return cast<CallInst>(&I);
  return nullptr;
}

/// Is \p Header in one of the versions that \p I is a part of?  What follows
/// both of them is behind the choice as well.
static bool isIn(const BasicBlock *Header, const Instruction &I,
                 const DominatorTree &DT) {
  const auto *Branch = callOf(I, ChoiceName) && I.hasOneUse()
                           ? dyn_cast<BranchInst>(*I.user_begin())
                           : nullptr;
  if (!Branch)
    return DT.dominates(I.getParent(), Header);
  return any_of(Branch->successors(), [&](const BasicBlock *Next) {
    return DT.dominates(BasicBlockEdge(Branch->getParent(), Next), Header);
  });
}

bool isVersioned(const Loop &L, const DominatorTree &DT) {
  const Function &F = *L.getHeader()->getParent();
  return any_of(ArrayRef({ChoiceName, BeginName, PlaceName}), [&](auto *Name) {
    const Function *Callee = F.getParent()->getFunction(Name);
    return Callee && any_of(Callee->users(), [&](const User *U) {
             const auto *I = dyn_cast<Instruction>(U);
             return I && I->getFunction() == &F && isVersionCall(*I) &&
                    isIn(L.getHeader(), *I, DT);
           });
  });
}

bool canHaveVersions(const Loop &L, const DominatorTree &DT) {
  return L.isLoopSimplifyForm() && L.isSafeToClone() &&
         L.getUniqueExitBlock() && !isVersioned(L, DT);
}

void assumeAsWell(CallInst &Begin, const AssumedTruth &Truth) {
  IRBuilder<> B(&Begin);
  B.SetCurrentDebugLocation(DebugLoc());
  Begin.setArgOperand(1, B.CreateAnd(Begin.getArgOperand(1), Truth.Holds));
  auto Join = [&](const char *Name, const std::string &Text, const char *Word) {
    const std::string Known = Begin.getFnAttr(Name).getValueAsString().str();
    if (StringRef(Known).contains(Text))
      return; // assumed of something else already
    Begin.addFnAttr(Attribute::get(Begin.getContext(), Name,
                                   Known.empty() ? Text : Known + Word + Text));
  };
  Join(SoAttribute, Truth.So, " and ");
  Join(NotSoAttribute, Truth.NotSo, ", or ");
}

void assumeInVersion(Loop &L, unsigned Number, CallInst *Begin,
                     function_ref<AssumedTruth(Instruction *)> Make,
                     LoopInfo &LI, DominatorTree &DT, ScalarEvolution &SE,
                     const SmallVectorImpl<AssumedPlace> *Places) {
  if (Begin) {
    assumeAsWell(*Begin, Make(Begin));
    return;
  }
  if (!L.isRecursivelyLCSSAForm(DT, LI))
    formLCSSARecursively(L, DT, &LI, &SE);
  makeVersions(L, Number, LI, DT);
  AssumedTruth Truth = Make(L.getLoopPreheader()->getTerminator());
  describeVersion(L, Number,
                  Places ? ArrayRef(*Places) : ArrayRef<AssumedPlace>(), Truth);
}

/// Is \p BB always executed behind the branch of \p Above?
static bool isAlwaysBehind(const BasicBlock &BB, const BranchInst &Above) {
  if (Above.isUnconditional())
    return true;
  const auto *Test = dyn_cast<Instruction>(Above.getCondition());
  return (Test && callOf(*Test, ChoiceName)) ||
         all_of(successors(&Above), [&](const BasicBlock *Next) {
           return Next == &BB || Next->getSingleSuccessor() == &BB;
         });
}

std::pair<BranchInst *, BasicBlock *> guardBefore(const Loop &L,
                                                  const DominatorTree &DT) {
  BasicBlock *BB = L.getLoopPreheader();
  for (unsigned Step = 0; BB && Step < 8; ++Step) {
    const auto *Node = DT.getNode(BB)->getIDom();
    BasicBlock *Above = Node ? Node->getBlock() : nullptr;
    auto *Branch =
        Above ? dyn_cast<BranchInst>(Above->getTerminator()) : nullptr;
    if (!Branch)
      return {nullptr, nullptr};
    if (!isAlwaysBehind(*BB, *Branch))
      return {BB->getSinglePredecessor() == Above ? Branch : nullptr, BB};
    BB = Above;
  }
  return {nullptr, nullptr};
}

//===-- Finding them ------------------------------------------------------===//

static BranchInst *branchOf(const LoopVersion &V) {
  return cast<BranchInst>(*V.Choice->user_begin());
}

BasicBlock *LoopVersion::assuming() const {
  return branchOf(*this)->getSuccessor(0);
}

BasicBlock *LoopVersion::original() const {
  return branchOf(*this)->getSuccessor(1);
}

SmallVector<BasicBlock *, 16> LoopVersion::originalBlocks() const {
  Function &F = *Begin->getFunction();
  DominatorTree DT(F);
  SmallVector<BasicBlock *, 16> Blocks;
  for (BasicBlock &BB : F)
    if (DT.dominates(original(), &BB))
      Blocks.push_back(&BB);
  return Blocks;
}

SmallVector<AssumedPlace, 8> LoopVersion::places() const {
  SmallVector<AssumedPlace, 8> Places;
  for (unsigned I = 2; I + 1 < Begin->arg_size(); I += 2) {
    Value *Address = Begin->getArgOperand(I),
          *End = Begin->getArgOperand(I + 1);
    if (const auto *Bytes = dyn_cast<ConstantInt>(End))
      Places.push_back({Address, Bytes->getZExtValue()});
    else
      Places.push_back({Address, 0, End});
  }
  return Places;
}

std::optional<AssumedTruth> LoopVersion::holds() const {
  if (!Begin->hasFnAttr(SoAttribute))
    return std::nullopt;
  auto Text = [&](const char *Name) {
    return Begin->getFnAttr(Name).getValueAsString().str();
  };
  return AssumedTruth{Begin->getArgOperand(1), Text(SoAttribute),
                      Text(NotSoAttribute)};
}

void VersionSet::find(Function &F) {
  All.clear();
  SmallVector<CallInst *, 4> Choices, Begins;
  for (Instruction &I : instructions(F)) {
    if (callOf(I, ChoiceName))
      Choices.push_back(cast<CallInst>(&I));
    if (callOf(I, BeginName))
      Begins.push_back(cast<CallInst>(&I));
  }
  auto Number = [](const CallInst *Call) { return Call->getArgOperand(0); };
  // What a pass has copied is left as it was written.
  for (CallInst *Choice : Choices)
    for (CallInst *Begin : Begins)
      if (Number(Begin) == Number(Choice) && Choice->hasOneUse() &&
          isa<BranchInst>(Choice->user_back()) &&
          count_if(Choices,
                   [&](CallInst *C) { return Number(C) == Number(Choice); }) ==
              1 &&
          count_if(Begins, [&](CallInst *C) {
            return Number(C) == Number(Choice);
          }) == 1)
        All.push_back({Choice, Begin, LoopVersion::Open, std::nullopt});
}

LoopVersion *VersionSet::assumingAt(const BasicBlock &BB,
                                    const DominatorTree &DT) {
  for (LoopVersion &V : All)
    if (DT.dominates(V.assuming(), &BB))
      return &V;
  return nullptr;
}

bool VersionSet::isSetAside(const BasicBlock &BB,
                            const DominatorTree &DT) const {
  return polygpu::isSetAside(BB, DT) || any_of(All, [&](const LoopVersion &V) {
           return DT.dominates(
               V.State == LoopVersion::Left ? V.assuming() : V.original(), &BB);
         });
}

const Refusal *VersionSet::reasonAt(const BasicBlock &BB,
                                    const DominatorTree &DT) const {
  for (const LoopVersion &V : All)
    if (V.State == LoopVersion::Left && V.Why &&
        DT.dominates(V.original(), &BB))
      return &*V.Why;
  return nullptr;
}

/// Does the runtime look at memory here, for what the first version assumes?
static bool looks(const Instruction &I) {
  return callOf(I, RowStepName) || callOf(I, RowBaseName);
}

/// Does \p I set a variable that is not the program's?
static bool setsPart(const Instruction &I) {
  const auto *Store = dyn_cast<StoreInst>(&I);
  const auto *Memory =
      Store ? dyn_cast<AllocaInst>(Store->getPointerOperand()) : nullptr;
  return Memory && hasNote(*Memory, PartNote);
}

bool VersionSet::covers(const Region &R, const LoopVersion &V,
                        const LoopInfo &LI, const DominatorTree &DT) {
  const Loop *Around = LI.getLoopFor(V.assuming());
  return all_of(*V.Begin->getFunction(), [&](const BasicBlock &BB) {
    return R.contains(&BB) || !DT.dominates(V.assuming(), &BB) ||
           polygpu::isSetAside(BB, DT) ||
           (LI.getLoopFor(&BB) == Around &&
            none_of(BB, [](const Instruction &I) {
              return I.mayHaveSideEffects() && !isVersionCall(I) && !looks(I) &&
                     !setsPart(I);
            }));
  });
}

bool VersionSet::isNest(const LoopVersion &V, const LoopInfo &LI,
                        const DominatorTree &DT) {
  return any_of(LI.getLoopsInPreorder(), [&](const Loop *L) {
    return !L->isInnermost() && DT.dominates(V.assuming(), L->getHeader());
  });
}

//===-- What becomes of them ----------------------------------------------===//

bool VersionSet::leaveOpen() {
  bool Any = false;
  for (LoopVersion &V : All)
    if (V.State == LoopVersion::Open) {
      V.State = LoopVersion::Left;
      Any = true;
    }
  return Any;
}

/// Remove the calls from \p F, and the functions if nothing else calls them.
static void eraseCalls(Function &F) {
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    if (!isVersionCall(I))
      continue;
    if (callOf(I, ChoiceName))
      I.replaceAllUsesWith(ConstantInt::getFalse(I.getContext()));
    else if (callOf(I, PlaceName))
      I.replaceAllUsesWith(I.getOperand(0));
    I.eraseFromParent();
  }
  for (const char *Name : {ChoiceName, BeginName, PlaceName})
    if (Function *Callee = F.getParent()->getFunction(Name);
        Callee && Callee->use_empty())
      Callee->eraseFromParent();
}

void VersionSet::finish(Function &F) {
  for (LoopVersion &V : All) {
    BranchInst *Branch = branchOf(V);
    BasicBlock *Kept =
        V.State == LoopVersion::Taken ? V.assuming() : V.original();
    BasicBlock *Other =
        V.State == LoopVersion::Taken ? V.original() : V.assuming();
    Other->removePredecessor(Branch->getParent());
    BranchInst::Create(Kept, Branch->getIterator());
    Branch->eraseFromParent();
  }
  if (!All.empty())
    EliminateUnreachableBlocks(F);
  eraseCalls(F);
  All.clear();
}

} // namespace polygpu
