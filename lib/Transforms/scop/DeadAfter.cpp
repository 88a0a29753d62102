//===- DeadAfter.cpp - Memory that is dead after a SCoP -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "scop/DeadAfter.h"
#include "RuntimeFunctions.h"
#include "adaptor/HiddenValues.h"
#include "polly/ScopInfo.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/MemoryBuiltins.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace polygpu {

namespace {

/// Which function of the C library is called, if it is one?
LibFunc calledLibFunc(const Value *V, const TargetLibraryInfo &TLI) {
  const auto *Call = dyn_cast<CallBase>(V);
  LibFunc Known;
  if (Call && TLI.getLibFunc(*Call, Known) && TLI.has(Known) &&
      Call->getCalledFunction()->isDeclaration())
    return Known;
  return NotLibFunc;
}

/// Is \p V memory that nobody else knows yet?  LLVM's own answer counts on
/// attributes that C's functions have not got so early.
bool isAllocation(const Value *V, const TargetLibraryInfo &TLI) {
  switch (calledLibFunc(V, TLI)) {
  case LibFunc_malloc:
  case LibFunc_calloc:
  case LibFunc_aligned_alloc:
    return true;
  default:
    return isa<AllocaInst>(V) || isAllocLikeFn(V, &TLI);
  }
}

/// Does \p Call free \p Pointer?
bool frees(const CallBase &Call, const Value *Pointer,
           const TargetLibraryInfo &TLI) {
  return calledLibFunc(&Call, TLI) == LibFunc_free ||
         getFreedOperand(&Call, &TLI) == Pointer;
}

/// All that a function does with memory of its own.
class LocalMemory {
public:
  LocalMemory(const Instruction *Object, const TargetLibraryInfo &TLI)
      : Object(Object), TLI(TLI) {}

  /// Look at all uses; false if others than the function may know the memory.
  bool collect();

  /// May it be read on a way from the beginning of \p From on?
  bool isReadFrom(const BasicBlock *From) const;

private:
  const Instruction *Object; ///< its address
  const TargetLibraryInfo &TLI;
  SmallPtrSet<const Instruction *, 16> Readers, Ends;
  SmallPtrSet<const Value *, 16> Followed;
  SmallVector<const Use *, 16> List;
  bool IsMerged = false; ///< by phis and selects with other memory

  void follow(const Value *Pointer);
  bool use(const Use &U);
  bool call(const CallBase &Call, const Use &U);
  void dropUncertainEnds();
};

void LocalMemory::follow(const Value *Pointer) {
  if (Followed.insert(Pointer).second)
    append_range(List, make_pointer_range(Pointer->uses()));
}

/// An argument of a call: what does the callee do with it?
bool LocalMemory::call(const CallBase &Call, const Use &U) {
  int64_t Offset;
  if (hiddenOrigin(&Call, Offset)) {
    follow(&Call);
    return true;
  }
  if (isa<AssumeInst>(Call))
    return true;
  if (Call.isLifetimeStartOrEnd()) {
    Ends.insert(&Call);
    return true;
  }
  if (frees(Call, U.get(), TLI)) {
    if (U.get() == Object)
      Ends.insert(&Call);
    return true;
  }
  if (!Call.isArgOperand(&U))
    return false;
  unsigned Number = Call.getArgOperandNo(&U);
  const Function *Callee = Call.getCalledFunction();
  // SCoPs that were offloaded before: the runtime knows an address from its
  // polygpu_array to its polygpu_end, in between the launches.
  bool IsRun = Callee && isRuntimeFunction(*Callee);
  if (!IsRun && !Call.doesNotCapture(Number))
    return false;
  if (IsRun || !Call.onlyWritesMemory(Number))
    Readers.insert(&Call);
  return true;
}

/// One use of an address; false if it may become known to others.
bool LocalMemory::use(const Use &U) {
  const auto *I = dyn_cast<Instruction>(U.getUser());
  if (!I)
    return false;
  switch (I->getOpcode()) {
  case Instruction::GetElementPtr:
  case Instruction::BitCast:
    follow(I);
    return true;
  case Instruction::PHI:
  case Instruction::Select:
    IsMerged = true;
    follow(I);
    return true;
  // Comparisons tell where memory is, and not what is in it.
  case Instruction::ICmp:
    return true;
  case Instruction::Load:
    Readers.insert(I);
    return true;
  case Instruction::Store:
    return U.getOperandNo() == StoreInst::getPointerOperandIndex();
  case Instruction::Call:
  case Instruction::Invoke:
    return call(cast<CallBase>(*I), U);
  default:
    return false;
  }
}

/// A pointer that came through a phi may be that of an earlier time: memory
/// that is allocated in a loop then goes on when another begins.  A variable of
/// fixed size is always the same memory.
void LocalMemory::dropUncertainEnds() {
  const auto *Alloca = dyn_cast<AllocaInst>(Object);
  if (IsMerged && !(Alloca && Alloca->isStaticAlloca()))
    Ends.clear();
}

bool LocalMemory::collect() {
  Ends.insert(Object);
  follow(Object);
  while (!List.empty())
    if (!use(*List.pop_back_val()))
      return false;
  dropUncertainEnds();
  return true;
}

bool LocalMemory::isReadFrom(const BasicBlock *From) const {
  SmallVector<const BasicBlock *, 16> Blocks = {From};
  SmallPtrSet<const BasicBlock *, 32> Seen = {From};
  while (!Blocks.empty()) {
    const BasicBlock *BB = Blocks.pop_back_val();
    bool IsEnded = false;
    for (const Instruction &I : *BB) {
      if (Readers.count(&I))
        return true;
      IsEnded = Ends.count(&I);
      if (IsEnded)
        break;
    }
    if (IsEnded)
      continue;
    // Memory that is still there: nothing to be proven.
    if (isa<ReturnInst>(BB->getTerminator()) && !isa<AllocaInst>(Object))
      return true;
    for (const BasicBlock *Next : successors(BB))
      if (Seen.insert(Next).second)
        Blocks.push_back(Next);
  }
  return false;
}

/// The variable or the allocation that \p Base points into, or null.
const Instruction *findLocal(const Value *Base, const TargetLibraryInfo &TLI) {
  int64_t Offset;
  const Value *Object = getUnderlyingObject(Base);
  while (const Value *Origin = hiddenOrigin(Object, Offset))
    Object = getUnderlyingObject(Origin);
  return isAllocation(Object, TLI) ? cast<Instruction>(Object) : nullptr;
}

} // namespace

bool isDeadAfter(const polly::Scop &S, const Value *Base,
                 const TargetLibraryInfo &TLI) {
  const Instruction *Object = findLocal(Base, TLI);
  // After longjmp the function goes on where no edge leads.
  if (!Object || !S.getExit() ||
      S.getFunction().callsFunctionThatReturnsTwice())
    return false;
  LocalMemory Memory(Object, TLI);
  return Memory.collect() && !Memory.isReadFrom(S.getExit());
}

} // namespace polygpu
