//===- HostAccesses.cpp - What code of the host may access ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "residency/HostAccesses.h"
#include "RuntimeFunctions.h"
#include "residency/Compiled.h"
#include "residency/MessageCalls.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace polygpu {

HostAccesses::HostAccesses(const SharedMemory &Shared,
                           const LinkedFunctions &Linked, Function &F,
                           FunctionAnalysisManager &FAM)
    : Shared(Shared), Linked(Linked), FAM(FAM), AA(FAM.getResult<AAManager>(F)),
      Quiet(FAM) {
  // A pointer may be another one in each iteration.
  this->AA.enableCrossIterationMode();
  for (Value *Pointer : Shared.Accessed) {
    SmallVector<const Value *, 4> Found;
    getUnderlyingObjects(Pointer, Found);
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
bool HostAccesses::isSlot(const AllocaInst &A) const {
  if (Shared.Marked)
    return isMarkedSlot(A);
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

/// Is it to an object that came to be in this activation of the function?
static bool isBornHere(const Value *Pointer) {
  SmallVector<const Value *, 4> Found;
  getUnderlyingObjects(Pointer, Found);
  return all_of(Found, [](const Value *Object) {
    return isa<AllocaInst>(Object) || isNoAliasCall(Object);
  });
}

/// May runs of this function, or of those that it calls, access it, or have
/// results there if it is to be read?
bool HostAccesses::mayBeOfRuns(const MemoryLocation &Place, unsigned Mode) {
  const bool Reads = Mode == POLYGPU_TOUCH_READ;
  return any_of(Reads ? ArrayRef<Value *>(Shared.Deferred)
                      : ArrayRef<Value *>(Shared.Accessed),
                [&](const Value *Base) {
                  return AA.alias(Place, MemoryLocation::getBeforeOrAfter(
                                             Base)) != AliasResult::NoAlias;
                }) ||
         any_of(Shared.Calls, [&](const CallBase *Call) {
           ModRefInfo Info = AA.getModRefInfo(Call, Place);
           return Reads ? isModSet(Info) : isModOrRefSet(Info);
         });
}

/// May \p Pointer lead to what runs access, or to their results?
bool HostAccesses::mayBe(const Value *Pointer, unsigned Mode) {
  if (isRuntimeData(Pointer) ||
      (Mode == POLYGPU_TOUCH_READ && !Shared.staysOnDevice()))
    return false;
  if (const auto *A = dyn_cast<AllocaInst>(getUnderlyingObject(Pointer)))
    if (isSlot(*A))
      return false;
  MemoryLocation Place = MemoryLocation::getBeforeOrAfter(Pointer);
  if (Shared.OfCallers && !isBornHere(Pointer))
    return isModSet(AA.getModRefInfoMask(Place)); // else it never changes
  return mayBeOfRuns(Place, Mode);
}

HostAccess HostAccesses::bytes(Value *First, Value *Size, uint64_t FixedSize,
                               unsigned Mode) {
  if (!mayBe(First, Mode))
    return {};
  return {HostAccess::Bytes, First, Size, FixedSize, Mode};
}

static HostAccess everything(unsigned Mode = POLYGPU_TOUCH_READ |
                                             POLYGPU_TOUCH_WRITE) {
  return {HostAccess::Everything, nullptr, nullptr, 0, Mode};
}

//===-- Objects that end --------------------------------------------------===//

/// What a run is computed from, or its results, must not be brought back to an
/// object that is not there any more.
HostAccess HostAccesses::ofEnd(Value *Object, uint64_t Size) {
  if (!Shared.staysOnDevice())
    return {};
  return bytes(Object, nullptr, Size, POLYGPU_TOUCH_READ | POLYGPU_TOUCH_WRITE);
}

HostAccess HostAccesses::ofLifetime(LifetimeIntrinsic &Marker) {
  auto *A = dyn_cast<AllocaInst>(Marker.getArgOperand(0));
  if (!A)
    return {};
  std::optional<TypeSize> Size = A->getAllocationSize(A->getDataLayout());
  return ofEnd(A, Size && !Size->isScalable() ? Size->getFixedValue() : 0);
}

//===-- Calls -------------------------------------------------------------===//

/// May it read results?
bool HostAccesses::mayRead(CallBase &Call) {
  return Shared.OfCallers || !Shared.Calls.empty() ||
         any_of(Shared.Deferred, [&](Value *Base) {
           return isRefSet(
               AA.getModRefInfo(&Call, MemoryLocation::getBeforeOrAfter(Base)));
         });
}

/// Of a call that writes nothing that counts.  One that leaves the function for
/// good would leave results behind.
HostAccess HostAccesses::ofReadingCall(CallBase &Call) {
  if (!Shared.staysOnDevice() || (Call.doesNotThrow() && !mayRead(Call)))
    return {};
  return everything(POLYGPU_TOUCH_READ);
}

/// Does the C library's function read by one of its arguments?  It reads no
/// other memory that the program can name.
static bool readsByArgument(CallBase &Call,
                            function_ref<bool(Value *)> MayBeResult) {
  return any_of(Call.args(), [&](Use &Arg) {
    if (!Arg->getType()->isPointerTy() || isConsole(Arg))
      return false;
    const auto *G = dyn_cast<GlobalVariable>(getUnderlyingObject(Arg));
    return !(G && G->isConstant()) && MayBeResult(Arg);
  });
}

/// Is it known to write nothing that counts, and to let no other thread know of
/// anything?
bool HostAccesses::isQuietCall(CallBase &Call) {
  Function *Callee = Call.getCalledFunction();
  if (Call.onlyReadsMemory() || (Callee && Quiet.has(*Callee)))
    return true;
  return Call.hasFnAttr(Attribute::NoSync) && Call.doesNotThrow() &&
         !Shared.OfCallers && Shared.Calls.empty() &&
         none_of(Shared.Accessed, [&](Value *Base) {
           return isModSet(
               AA.getModRefInfo(&Call, MemoryLocation::getBeforeOrAfter(Base)));
         });
}

/// The function that is called tells what it accesses, but for what the call
/// itself copies.
SmallVector<HostAccess, 2> HostAccesses::ofLinkedCall(CallBase &Call) {
  SmallVector<HostAccess, 2> Found;
  for (unsigned A = 0; A < Call.arg_size(); ++A)
    if (Type *Copied = Call.getParamByValType(A))
      Found.push_back(bytes(Call.getArgOperand(A), nullptr,
                            Call.getDataLayout().getTypeAllocSize(Copied),
                            POLYGPU_TOUCH_READ));
  return Found;
}

SmallVector<HostAccess, 2> HostAccesses::ofCall(CallBase &Call) {
  Function *Callee = Call.getCalledFunction();
  const auto &TLI = FAM.getResult<TargetLibraryAnalysis>(*Call.getFunction());
  if (Callee && isRuntimeFunction(*Callee))
    return {}; // the runtime knows what it accesses
  if (linkedFunction(Call, Linked.Running) ||
      linkedFunction(Call, Linked.Telling) || isCallOfCompiled(Call))
    return ofLinkedCall(Call);
  if (Call.isInlineAsm())
    return {everything()};
  if (isa<IntrinsicInst>(Call) && Call.onlyAccessesInaccessibleMemory())
    return {}; // llvm.assume
  if (auto *Marker = dyn_cast<LifetimeIntrinsic>(&Call))
    return {ofLifetime(*Marker)};
  if (auto *Mem = dyn_cast<AnyMemIntrinsic>(&Call)) {
    if (Mem->isVolatile())
      return {everything()};
    SmallVector<HostAccess, 2> Found = {
        bytes(Mem->getRawDest(), Mem->getLength(), 0, POLYGPU_TOUCH_WRITE)};
    if (auto *Copy = dyn_cast<AnyMemTransferInst>(Mem))
      Found.push_back(bytes(Copy->getRawSource(), Copy->getLength(), 0,
                            POLYGPU_TOUCH_READ));
    return Found;
  }
  if (auto Write = clockWrite(Call)) {
    if (Write->Kind == HostAccess::Nothing)
      return {};
    return {
        bytes(Write->First, nullptr, Write->FixedSize, POLYGPU_TOUCH_WRITE)};
  }
  if (auto Write = libraryWrite(Call, TLI)) {
    if (auto End = endedBy(Call, TLI)) {
      HostAccess Access = ofEnd(End->First, 0);
      Access.Size = End->Size;
      Access.Mode = End->Mode;
      return {Access};
    }
    SmallVector<HostAccess, 2> Found;
    if (Write->Kind == HostAccess::Bytes)
      Found.push_back(bytes(Write->First, Write->Size, 0, POLYGPU_TOUCH_WRITE));
    if (readsByArgument(
            Call, [&](Value *Arg) { return mayBe(Arg, POLYGPU_TOUCH_READ); }))
      Found.push_back(everything(POLYGPU_TOUCH_READ));
    return Found;
  }
  if (auto Messages = messageAccesses(Call)) {
    SmallVector<HostAccess, 2> Found;
    for (const HostAccess &Access : *Messages)
      if (mayBe(Access.First, Access.Mode))
        Found.push_back(Access);
    return Found;
  }
  return {isQuietCall(Call) ? ofReadingCall(Call) : everything()};
}

//===-- Instructions ------------------------------------------------------===//

static bool isStrong(AtomicOrdering O) {
  return isStrongerThan(O, AtomicOrdering::Monotonic);
}

/// The bytes of type \p Ty at \p Pointer, or 0 where they vary.
static uint64_t sizeOf(Type *Ty, const DataLayout &DL) {
  TypeSize Size = DL.getTypeStoreSize(Ty);
  return Size.isScalable() ? 0 : Size.getFixedValue();
}

HostAccess HostAccesses::ofLoad(LoadInst &Load) {
  if (Load.isVolatile() || isStrong(Load.getOrdering()))
    return everything();
  return bytes(Load.getPointerOperand(), nullptr,
               sizeOf(Load.getType(), Load.getDataLayout()),
               POLYGPU_TOUCH_READ);
}

/// Of an instruction that writes and is no call.
HostAccess HostAccesses::ofWriting(Instruction &I) {
  const DataLayout &DL = I.getDataLayout();
  auto Access = [&](Value *Pointer, Type *Ty, bool Strong, unsigned Mode) {
    return Strong || I.isVolatile()
               ? everything()
               : bytes(Pointer, nullptr, sizeOf(Ty, DL), Mode);
  };
  const unsigned Both = POLYGPU_TOUCH_READ | POLYGPU_TOUCH_WRITE;
  if (auto *Store = dyn_cast<StoreInst>(&I))
    return Access(Store->getPointerOperand(),
                  Store->getValueOperand()->getType(),
                  isStrong(Store->getOrdering()), POLYGPU_TOUCH_WRITE);
  if (auto *RMW = dyn_cast<AtomicRMWInst>(&I))
    return Access(RMW->getPointerOperand(), RMW->getValOperand()->getType(),
                  isStrong(RMW->getOrdering()), Both);
  if (auto *Exchange = dyn_cast<AtomicCmpXchgInst>(&I))
    return Access(Exchange->getPointerOperand(),
                  Exchange->getNewValOperand()->getType(),
                  isStrong(Exchange->getSuccessOrdering()) ||
                      isStrong(Exchange->getFailureOrdering()),
                  Both);
  return everything();
}

SmallVector<HostAccess, 2> HostAccesses::of(Instruction &I) {
  if (I.isDebugOrPseudoInst() || !I.mayReadOrWriteMemory())
    return {};
  if (auto *Call = dyn_cast<CallBase>(&I))
    return ofCall(*Call);
  if (auto *Load = dyn_cast<LoadInst>(&I))
    return {ofLoad(*Load)};
  return {ofWriting(I)};
}

} // namespace polygpu
