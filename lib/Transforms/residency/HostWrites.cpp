//===- HostWrites.cpp - What code of the host may write -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "residency/HostWrites.h"
#include "RuntimeFunctions.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace polygpu {

HostWrites::HostWrites(ArrayRef<Value *> Bases, Function &F,
                       FunctionAnalysisManager &FAM)
    : Bases(Bases), FAM(FAM), AA(FAM.getResult<AAManager>(F)), Quiet(FAM) {
  // A base may be another one in each iteration.
  this->AA.enableCrossIterationMode();
  for (Value *Base : Bases) {
    SmallVector<const Value *, 4> Found;
    getUnderlyingObjects(Base, Found);
    Objects.insert(Found.begin(), Found.end());
  }
}

static bool isRuntimeCall(const User *U) {
  const auto *Call = dyn_cast<CallBase>(U);
  return Call && Call->getCalledFunction() &&
         isRuntimeFunction(*Call->getCalledFunction());
}

/// Is \p A a variable that nobody but this function and the runtime knows the
/// address of, and no array is in?  The arguments of launches are such, and
/// scalars that kernels change.  Its address may be in another one.
bool HostWrites::isSlot(const AllocaInst &A) const {
  SmallVector<const Value *, 8> List = {&A};
  SmallPtrSet<const Value *, 8> Seen;
  bool IsLoaded = false, HoldsAddress = false;
  while (!List.empty()) {
    const Value *V = List.pop_back_val();
    if (!Seen.insert(V).second)
      continue;
    if (Objects.count(V))
      return false;
    for (const User *U : V->users()) {
      if (isa<GetElementPtrInst>(U)) {
        List.push_back(U);
      } else if (isa<LoadInst>(U)) {
        IsLoaded = true;
      } else if (const auto *Store = dyn_cast<StoreInst>(U)) {
        HoldsAddress |= Store->getValueOperand()->getType()->isPointerTy();
        if (Store->getValueOperand() != V)
          continue;
        const auto *Into = dyn_cast<AllocaInst>(
            getUnderlyingObject(Store->getPointerOperand()));
        if (!Into)
          return false;
        List.push_back(Into);
      } else if (!isRuntimeCall(U) && !isa<LifetimeIntrinsic>(U)) {
        return false;
      }
    }
  }
  return !IsLoaded || !HoldsAddress;
}

/// May \p Pointer lead to one of the arrays?
bool HostWrites::mayBeArray(const Value *Pointer) {
  if (const auto *A = dyn_cast<AllocaInst>(getUnderlyingObject(Pointer)))
    if (isSlot(*A))
      return false;
  MemoryLocation Written = MemoryLocation::getBeforeOrAfter(Pointer);
  return any_of(Bases, [&](const Value *Base) {
    return AA.alias(Written, MemoryLocation::getBeforeOrAfter(Base)) !=
           AliasResult::NoAlias;
  });
}

HostWrite HostWrites::bytes(Value *First, Value *Size, uint64_t FixedSize) {
  if (!mayBeArray(First))
    return {};
  return {HostWrite::Bytes, First, Size, FixedSize};
}

//===-- Calls -------------------------------------------------------------===//

HostWrite HostWrites::ofCall(CallBase &Call) {
  Function *Callee = Call.getCalledFunction();
  if (Callee && isRuntimeFunction(*Callee))
    return {}; // the runtime knows what it writes
  const HostWrite All = {HostWrite::Everything};
  if (Call.isInlineAsm())
    return All;
  if (auto *Mem = dyn_cast<AnyMemIntrinsic>(&Call))
    return Mem->isVolatile() ? All
                             : bytes(Mem->getRawDest(), Mem->getLength(), 0);
  if (Call.onlyReadsMemory() || isa<LifetimeIntrinsic>(Call))
    return {};
  if (auto Write = libraryWrite(
          Call, FAM.getResult<TargetLibraryAnalysis>(*Call.getFunction())))
    return Write->Kind == HostWrite::Bytes ? bytes(Write->First, Write->Size, 0)
                                           : *Write;
  if (Callee && Quiet.has(*Callee))
    return {};
  bool IsQuiet =
      Call.hasFnAttr(Attribute::NoSync) && none_of(Bases, [&](Value *Base) {
        return isModSet(
            AA.getModRefInfo(&Call, MemoryLocation::getBeforeOrAfter(Base)));
      });
  return IsQuiet ? HostWrite() : All;
}

//===-- Instructions ------------------------------------------------------===//

static bool isStrong(AtomicOrdering O) {
  return isStrongerThan(O, AtomicOrdering::Monotonic);
}

HostWrite HostWrites::of(Instruction &I) {
  const HostWrite All = {HostWrite::Everything};
  const DataLayout &DL = I.getDataLayout();
  if (I.isDebugOrPseudoInst() || !I.mayWriteToMemory())
    return {};
  if (auto *Call = dyn_cast<CallBase>(&I))
    return ofCall(*Call);
  if (I.isVolatile())
    return All;
  if (auto *Load = dyn_cast<LoadInst>(&I))
    return isStrong(Load->getOrdering()) ? All : HostWrite();
  auto Fixed = [&](Value *Pointer, Type *Ty, bool Strong) {
    TypeSize Size = DL.getTypeStoreSize(Ty);
    return Strong || Size.isScalable()
               ? All
               : bytes(Pointer, nullptr, Size.getFixedValue());
  };
  if (auto *Store = dyn_cast<StoreInst>(&I))
    return Fixed(Store->getPointerOperand(),
                 Store->getValueOperand()->getType(),
                 isStrong(Store->getOrdering()));
  if (auto *RMW = dyn_cast<AtomicRMWInst>(&I))
    return Fixed(RMW->getPointerOperand(), RMW->getValOperand()->getType(),
                 isStrong(RMW->getOrdering()));
  if (auto *Exchange = dyn_cast<AtomicCmpXchgInst>(&I))
    return Fixed(Exchange->getPointerOperand(),
                 Exchange->getNewValOperand()->getType(),
                 isStrong(Exchange->getSuccessOrdering()) ||
                     isStrong(Exchange->getFailureOrdering()));
  return All;
}

} // namespace polygpu
