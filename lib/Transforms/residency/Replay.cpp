//===- Replay.cpp - Original loops as a function of what they are given ---===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "residency/Replay.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

using namespace llvm;

namespace polygpu {

//===-- Where they are ----------------------------------------------------===//

/// The branch that goes to the original loops if the run has failed.
static BranchInst *branchOn(CallInst &End) {
  Value *V = &End;
  while (V->hasOneUser()) {
    User *U = *V->user_begin();
    if (auto *Branch = dyn_cast<BranchInst>(U))
      return Branch->isConditional() ? Branch : nullptr;
    if (!isa<ICmpInst>(U) && !isa<PHINode>(U))
      return nullptr;
    V = U;
  }
  return nullptr;
}

/// The block that asks for threads, if \p First is in front of it, or null.
static BasicBlock *askingForThreads(BasicBlock *First) {
  auto *Branch = dyn_cast<BranchInst>(First->getTerminator());
  if (!Branch || !Branch->isConditional())
    return nullptr;
  BasicBlock *Asking = Branch->getSuccessor(0);
  return any_of(*Asking,
                [](const Instruction &I) {
                  const auto *Call = dyn_cast<CallInst>(&I);
                  return Call && Call->getCalledFunction() &&
                         Call->getCalledFunction()->getName() ==
                             "polygpu_parallel_begin";
                })
             ? Asking
             : nullptr;
}

/// The blocks between the branch and where both ways meet, behind the question
/// for threads.  False if they are entered or left in another way.
static bool findBlocks(OriginalLoops &Loops) {
  SmallSetVector<BasicBlock *, 16> Found;
  auto *Branch = cast<BranchInst>(Loops.Before->getTerminator());
  BasicBlock *Asking = askingForThreads(Branch->getSuccessor(1));
  if (Asking) {
    Loops.Before = Branch->getSuccessor(1);
    Branch = cast<BranchInst>(Loops.Before->getTerminator());
  }
  Found.insert(Branch->getSuccessor(1));
  for (unsigned I = 0; I < Found.size(); ++I)
    for (BasicBlock *Next : successors(Found[I]))
      if (Next != Loops.Behind)
        Found.insert(Next);
  for (BasicBlock *BB : Found)
    for (BasicBlock *From : predecessors(BB))
      if (!Found.contains(From) &&
          ((From != Loops.Before && From != Asking) || BB != Found[0]))
        return false;
  Loops.Blocks.assign(Found.begin(), Found.end());
  return !Found.contains(Loops.Before);
}

/// Note what an instruction accesses; false if that is not known.
static bool noteAccess(Instruction &I, OriginalLoops &Loops) {
  if (auto *Load = dyn_cast<LoadInst>(&I)) {
    Loops.Read.push_back(Load->getPointerOperand());
    return Load->isSimple();
  }
  if (auto *Store = dyn_cast<StoreInst>(&I)) {
    Loops.Written.push_back(Store->getPointerOperand());
    return Store->isSimple();
  }
  if (auto *Mem = dyn_cast<MemIntrinsic>(&I)) {
    Loops.Written.push_back(Mem->getRawDest());
    if (auto *Copy = dyn_cast<MemTransferInst>(Mem))
      Loops.Read.push_back(Copy->getRawSource());
    return !Mem->isVolatile();
  }
  if (isa<AllocaInst>(I) || I.getType()->isTokenTy())
    return false;
  // What a SCoP calls with numbers only is a function of these, but for errno.
  if (auto *Call = dyn_cast<CallInst>(&I))
    return !Call->isInlineAsm() &&
           (isa<AssumeInst>(I) || none_of(Call->args(), [](const Use &Arg) {
              return Arg->getType()->isPtrOrPtrVectorTy();
            }));
  return !I.mayReadOrWriteMemory();
}

/// Note what \p I uses from before the loops; false if it is not there yet when
/// the run ends.
static bool noteInputs(const Instruction &I, OriginalLoops &Loops,
                       SmallPtrSetImpl<const Value *> &Known,
                       const DominatorTree &DT) {
  for (const Use &U : I.operands()) {
    Value *V = U.get();
    const auto *Def = dyn_cast<Instruction>(V);
    if ((!Def && !isa<Argument>(V)) ||
        (Def && is_contained(Loops.Blocks, Def->getParent())) ||
        !Known.insert(V).second)
      continue;
    if ((Def && !DT.dominates(Def, Loops.End)) || !V->getType()->isSized())
      return false;
    Loops.Inputs.push_back(V);
  }
  return true;
}

std::optional<OriginalLoops> findLoops(CallInst &End,
                                       const PostDominatorTree &PDT) {
  OriginalLoops Loops;
  BranchInst *Branch = branchOn(End);
  if (!Branch)
    return std::nullopt;
  Loops.End = &End;
  Loops.Before = Branch->getParent();
  Loops.Behind = PDT.findNearestCommonDominator(Branch->getSuccessor(0),
                                                Branch->getSuccessor(1));
  if (!Loops.Behind || !findBlocks(Loops))
    return std::nullopt;
  return Loops;
}

std::optional<OriginalLoops> findOriginalLoops(CallInst &End,
                                               const DominatorTree &DT,
                                               const PostDominatorTree &PDT) {
  std::optional<OriginalLoops> Loops = findLoops(End, PDT);
  if (!Loops)
    return std::nullopt;
  SmallPtrSet<const Value *, 16> Known;
  for (BasicBlock *BB : Loops->Blocks)
    for (Instruction &I : *BB)
      if (!I.isDebugOrPseudoInst() &&
          (!noteAccess(I, *Loops) || !noteInputs(I, *Loops, Known, DT)))
        return std::nullopt;
  return Loops;
}

//===-- The function ------------------------------------------------------===//

StructType *recordType(const OriginalLoops &Loops) {
  SmallVector<Type *, 16> Fields;
  for (const Value *V : Loops.Inputs)
    Fields.push_back(V->getType());
  return StructType::get(Loops.End->getContext(), Fields);
}

static Function *declareReplay(Function &F) {
  LLVMContext &Ctx = F.getContext();
  auto *Type = FunctionType::get(Type::getVoidTy(Ctx),
                                 {PointerType::get(Ctx, 0)}, false);
  auto *Replay =
      Function::Create(Type, GlobalValue::InternalLinkage, F.getAddressSpace(),
                       F.getName() + ".replay", F.getParent());
  // The same machine and rules of arithmetic; not a function to look at.
  for (const Attribute &A : F.getAttributes().getFnAttrs())
    if (A.isStringAttribute() || A.hasAttribute(Attribute::StrictFP))
      Replay->addFnAttr(A);
  Replay->addFnAttr("polygpu");
  Replay->addFnAttr(Attribute::NoInline);
  return Replay;
}

/// The first block of \p Replay: values from the record.
static void loadInputs(const OriginalLoops &Loops, Function &Replay,
                       ValueToValueMapTy &Map) {
  IRBuilder<> B(BasicBlock::Create(Replay.getContext(), "entry", &Replay));
  StructType *Record = recordType(Loops);
  for (auto [Number, V] : enumerate(Loops.Inputs))
    Map[V] = B.CreateLoad(V->getType(),
                          B.CreateStructGEP(Record, Replay.getArg(0), Number),
                          V->getName());
}

/// Lines and hints about loops belong to the other function.
static void detach(Instruction &I) {
  I.dropDbgRecords();
  I.setDebugLoc(DebugLoc());
  I.setMetadata(LLVMContext::MD_loop, nullptr);
  I.setMetadata(LLVMContext::MD_DIAssignID, nullptr);
}

/// May what an operation gives depend on how the code around it is compiled?
static bool isLoose(const Instruction &I) {
  return isa<FPMathOperator>(I) &&
         (I.hasAllowReassoc() || I.hasAllowReciprocal() || I.hasApproxFunc());
}

/// It runs where a device has failed, and as a rule never: not worth what
/// vectors and unrolled loops take to compile, and in the program.
static void makeSmall(Function &Replay) {
  Replay.addFnAttr(Attribute::Cold);
  if (any_of(instructions(Replay), isLoose))
    return;
  Replay.addFnAttr(Attribute::OptimizeForSize);
  Replay.addFnAttr(Attribute::MinSize);
}

Function *makeReplay(const OriginalLoops &Loops) {
  Function *Replay = declareReplay(*Loops.End->getFunction());
  ValueToValueMapTy Map;
  loadInputs(Loops, *Replay, Map);
  BasicBlock *Entry = &Replay->getEntryBlock();
  SmallVector<BasicBlock *, 16> Copies;
  for (BasicBlock *BB : Loops.Blocks) {
    Copies.push_back(CloneBasicBlock(BB, Map, "", Replay));
    Map[BB] = Copies.back();
  }
  auto *Done = BasicBlock::Create(Replay->getContext(), "done", Replay);
  IRBuilder<>(Done).CreateRetVoid();
  Map[Loops.Before] = Entry;
  Map[Loops.Behind] = Done;
  IRBuilder<>(Entry).CreateBr(Copies[0]);
  for (BasicBlock *BB : Copies)
    for (Instruction &I : make_early_inc_range(*BB)) {
      if (isa<DbgInfoIntrinsic>(I)) {
        I.eraseFromParent();
        continue;
      }
      detach(I);
      RemapInstruction(&I, Map, RF_NoModuleLevelChanges);
    }
  makeSmall(*Replay);
  return Replay;
}

} // namespace polygpu
