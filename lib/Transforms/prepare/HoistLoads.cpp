//===- HoistLoads.cpp - Bounds and pointers read in loops -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "prepare/HoistLoads.h"
#include "prepare/MathErrno.h"
#include "target/MathCalls.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/MemoryLocation.h"
#include "llvm/Analysis/MustExecute.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

/// Loops with more instructions that write memory are left alone.
static const unsigned MaxWrites = 200;

namespace {

class Hoister {
public:
  Hoister(Loop &L, DominatorTree &DT, AAResults &AA) : L(L), DT(DT), AA(AA) {
    Safety.computeLoopSafetyInfo(&L);
  }
  bool run();

private:
  Loop &L;
  DominatorTree &DT;
  BatchAAResults AA;
  SimpleLoopSafetyInfo Safety;
  SmallVector<Instruction *, 16> Writes;

  bool isConstant(const LoadInst &Load);
  bool canMove(Value *V, unsigned Steps);
  bool isSafe(const LoadInst &Load) const;
  void move(Value *V);
  LoadInst *earlier(const LoadInst &Load);
  void moveUsers(SmallVector<Value *, 16> Moved);
};

/// Does the loop leave alone what \p Load reads?  Math calls may write errno,
/// but a bound or a pointer is not read from there.
bool Hoister::isConstant(const LoadInst &Load) {
  MemoryLocation Place = MemoryLocation::get(&Load);
  bool MayBeErrno = polygpu::isErrno(Load.getPointerOperand());
  return none_of(Writes, [&](const Instruction *I) {
    const auto *Call = dyn_cast<CallBase>(I);
    return (MayBeErrno || !Call || !Call->hasFnAttr(polygpu::MathAttribute)) &&
           isModSet(AA.getModRefInfo(I, Place));
  });
}

/// Is \p V outside of the loop, or an address that can move there?
bool Hoister::canMove(Value *V, unsigned Steps) {
  auto *I = dyn_cast<Instruction>(V);
  if (!I || !L.contains(I))
    return true;
  return Steps && isa<GetElementPtrInst, CastInst>(I) &&
         all_of(I->operands(),
                [&](const Use &U) { return canMove(U, Steps - 1); });
}

/// Is there a call that may free memory?
static bool mayFree(const Function &F) {
  return any_of(instructions(F), [](const Instruction &I) {
    const auto *Call = dyn_cast<CallBase>(&I);
    return Call && !Call->onlyReadsMemory() &&
           !Call->hasFnAttr(Attribute::NoFree) && !isa<IntrinsicInst>(Call);
  });
}

/// May \p Load be executed in front of the loop, even if it is not in it?
bool Hoister::isSafe(const LoadInst &Load) const {
  if (Safety.isGuaranteedToExecute(Load, &DT, &L))
    return true;
  // An object that a reference or this points to.
  const DataLayout &DL = Load.getDataLayout();
  int64_t Offset = 0;
  const Value *Base =
      GetPointerBaseWithConstantOffset(Load.getPointerOperand(), Offset, DL);
  bool CanBeNull = false, CanBeFreed = false;
  uint64_t Bytes =
      Base->getPointerDereferenceableBytes(DL, CanBeNull, CanBeFreed);
  TypeSize Size = DL.getTypeStoreSize(Load.getType());
  return Offset >= 0 && !CanBeNull && !Size.isScalable() &&
         static_cast<uint64_t>(Offset) + Size.getFixedValue() <= Bytes &&
         commonAlignment(Base->getPointerAlignment(DL), Offset) >=
             Load.getAlign() &&
         !(CanBeFreed && mayFree(*Load.getFunction()));
}

/// A load of the same value that is always executed before \p Load, like that
/// of a bound in the condition around a rotated loop.
LoadInst *Hoister::earlier(const LoadInst &Load) {
  const DataLayout &DL = Load.getDataLayout();
  int64_t Offset = 0;
  const Value *Base =
      GetPointerBaseWithConstantOffset(Load.getPointerOperand(), Offset, DL);
  MemoryLocation Place = MemoryLocation::get(&Load);
  BasicBlock *BB = L.getLoopPreheader();
  for (unsigned Step = 0; BB && Step < 8; ++Step) {
    for (Instruction &I : reverse(*BB)) {
      if (&I == &Load)
        continue;
      auto *Other = dyn_cast<LoadInst>(&I);
      int64_t At = 0;
      if (Other && Other->isSimple() && Other->getType() == Load.getType() &&
          GetPointerBaseWithConstantOffset(Other->getPointerOperand(), At,
                                           DL) == Base &&
          At == Offset)
        return Other;
      if (isModSet(AA.getModRefInfo(&I, Place)))
        return nullptr;
    }
    BB = BB->getSinglePredecessor();
  }
  return nullptr;
}

void Hoister::move(Value *V) {
  auto *I = dyn_cast<Instruction>(V);
  if (!I || !L.contains(I))
    return;
  for (const Use &U : I->operands())
    move(U);
  I->moveBefore(L.getLoopPreheader()->getTerminator()->getIterator());
}

/// What is computed from values that left the loop, like the number of elements
/// between two pointers, follows them: in the loop it would look like data.
void Hoister::moveUsers(SmallVector<Value *, 16> Moved) {
  BasicBlock::iterator End =
      L.getLoopPreheader()->getTerminator()->getIterator();
  while (!Moved.empty())
    for (User *U : Moved.pop_back_val()->users()) {
      auto *I = dyn_cast<Instruction>(U);
      if (!I || !L.contains(I) || !isa<BinaryOperator, CastInst>(I) ||
          !L.hasLoopInvariantOperands(I) || !isSafeToSpeculativelyExecute(I))
        continue;
      I->moveBefore(End);
      Moved.push_back(I);
    }
}

bool Hoister::run() {
  if (!L.getLoopPreheader())
    return false;
  SmallVector<LoadInst *, 16> Loads;
  for (BasicBlock *BB : L.blocks())
    for (Instruction &I : *BB) {
      if (I.mayWriteToMemory())
        Writes.push_back(&I);
      if (auto *Load = dyn_cast<LoadInst>(&I))
        Loads.push_back(Load);
    }
  if (Writes.size() > MaxWrites)
    return false;
  SmallVector<Value *, 16> Moved;
  for (LoadInst *Load : Loads)
    if (Load->isSimple() && canMove(Load->getPointerOperand(), 4) &&
        isSafe(*Load) && isConstant(*Load)) {
      // What holds in the loop only, like a range, need not hold before it.
      if (!Safety.isGuaranteedToExecute(*Load, &DT, &L))
        Load->dropUBImplyingAttrsAndMetadata({LLVMContext::MD_tbaa});
      move(Load);
      LoadInst *Same = earlier(*Load);
      if (Same) {
        Load->replaceAllUsesWith(Same);
        Load->eraseFromParent();
      }
      Moved.push_back(Same ? Same : Load);
    }
  moveUsers(Moved);
  return !Moved.empty();
}

} // namespace

namespace polygpu {

PreservedAnalyses HoistLoadsPass::run(Function &F,
                                      FunctionAnalysisManager &FAM) {
  auto &LI = FAM.getResult<LoopAnalysis>(F);
  auto &DT = FAM.getResult<DominatorTreeAnalysis>(F);
  auto &AA = FAM.getResult<AAManager>(F);
  bool Changed = false;
  // Inner loops first: what leaves them may leave the outer ones too.
  SmallVector<Loop *, 4> Loops = LI.getLoopsInPreorder();
  for (Loop *L : reverse(Loops))
    Changed |= Hoister(*L, DT, AA).run();
  if (!Changed)
    return PreservedAnalyses::all();
  PreservedAnalyses PA;
  PA.preserveSet<CFGAnalyses>();
  return PA;
}

} // namespace polygpu
