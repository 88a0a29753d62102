//===- Memory.cpp - Where the elements of arrays are on the device -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kernel/Memory.h"
#include "polly/ScopInfo.h"
#include "target/DeviceModule.h"
#include "verify/Mutate.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace polygpu {

Type *Memory::elementType(unsigned Array) const {
  return C.Imported.ElementTypes[C.Plan.scop->arrays[Array].origin];
}

Align Memory::alignment(unsigned Array) const {
  // The program's memory is as the program has it.
  return C.ForHost ? Align(1) : ownAlignment(Array);
}

Align Memory::ownAlignment(unsigned Array) const {
  // Device copies start aligned and keep the distance between elements.
  unsigned Size = C.Plan.scop->arrays[Array].elem_size;
  return Align(Size & (~Size + 1));
}

/// The number of elements of an array in dimension \p Dim, as i64.
Value *Memory::extent(unsigned Array, unsigned Dim) {
  const pg_array &A = C.Plan.scop->arrays[Array];
  if (A.kind != PG_ARRAY_TEMPORARY) {
    const SCEV *Size = C.Imported.Arrays[Array]->getDimensionSize(Dim);
    if (const auto *Known = dyn_cast<SCEVConstant>(Size))
      return C.B.getInt64(Known->getAPInt().getSExtValue());
  }
  return Args.get(
      {KernelArg::Extent, Array, Dim, nullptr, nullptr, C.B.getInt64Ty()},
      Twine(A.name) + "_size" + Twine(Dim));
}

std::pair<Value *, Value *> Memory::place(unsigned Array,
                                          ArrayRef<Value *> Subscripts) {
  Value *Base = Args.get(
      {KernelArg::Array, Array, 0, nullptr, nullptr, C.B.getPtrTy(GlobalSpace)},
      C.Plan.scop->arrays[Array].name);
  Value *Offset = nullptr;
  for (unsigned D = 0; D < Subscripts.size(); ++D) {
    if (isLent(C.Plan, Array) && C.Plan.own[Array][D] == 1)
      continue;
    Value *Index = C.B.CreateSExtOrTrunc(Subscripts[D], C.B.getInt64Ty());
    if (Offset)
      Index =
          C.B.CreateNSWAdd(C.B.CreateNSWMul(Offset, extent(Array, D)), Index);
    Offset = Index;
  }
  if (!Offset)
    Offset = C.B.getInt64(0);
  if (isMutated(Mutation::Index, C.K.name))
    Offset = C.B.CreateAdd(Offset, C.B.getInt64(1));
  return {Base, Offset};
}

Value *Memory::address(unsigned Array, ArrayRef<Value *> Subscripts) {
  auto [Base, Offset] = place(Array, Subscripts);
  auto *Known = dyn_cast<ConstantInt>(Offset);
  return Known && Known->isZero()
             ? Base
             : C.B.CreateGEP(elementType(Array), Base, Offset);
}

Value *Memory::variable(unsigned Array, ArrayRef<Value *> Subscripts) {
  if (isLent(C.Plan, Array))
    return address(Array, Subscripts);
  Value *&V = Variables[Array];
  if (!V) {
    Type *Ty = elementType(Array);
    if (unsigned Length = pg_plan_own_length(&C.Plan, Array); Length > 1)
      Ty = ArrayType::get(Ty, Length);
    BasicBlock &Entry = C.B.GetInsertBlock()->getParent()->getEntryBlock();
    V = new AllocaInst(Ty, C.M.getDataLayout().getAllocaAddrSpace(),
                       C.Plan.scop->arrays[Array].name,
                       Entry.getFirstInsertionPt());
  }
  Value *Offset = nullptr;
  for (unsigned D = 0; D < Subscripts.size(); ++D) {
    unsigned Length = C.Plan.own[Array][D];
    if (Length == 1)
      continue;
    Value *Index = C.B.CreateSExtOrTrunc(Subscripts[D], C.B.getInt64Ty());
    Offset = Offset ? C.B.CreateNSWAdd(
                          C.B.CreateNSWMul(Offset, C.B.getInt64(Length)), Index)
                    : Index;
  }
  if (!Offset)
    return V;
  if (isMutated(Mutation::Index, C.K.name))
    Offset = C.B.CreateAdd(Offset, C.B.getInt64(1));
  return C.B.CreateGEP(elementType(Array), V, Offset);
}

Value *Memory::load(unsigned Array, Value *Address, Type *Ty) {
  return C.B.CreateAlignedLoad(Ty, Address, alignment(Array));
}

void Memory::store(unsigned Array, Value *Address, Value *V) {
  Stored.set(Array);
  C.B.CreateAlignedStore(V, Address, alignment(Array));
}

Value *Memory::marks(unsigned Array) {
  return Args.get(
      {KernelArg::Marks, Array, 0, nullptr, nullptr, C.B.getPtrTy(GlobalSpace)},
      Twine(C.Plan.scop->arrays[Array].name) + "_marks");
}

/// No branch: the byte of an element that is not written is written again.
void Memory::mark(unsigned Array, ArrayRef<Value *> Subscripts,
                  Value *Written) {
  Value *Address = C.B.CreateGEP(C.B.getInt8Ty(), marks(Array),
                                 place(Array, Subscripts).second);
  Value *Mark = C.B.getInt8(1);
  if (auto *Known = dyn_cast<ConstantInt>(Written); !Known || Known->isZero())
    Mark = C.B.CreateSelect(
        Written, Mark,
        C.B.CreateAlignedLoad(C.B.getInt8Ty(), Address, Align(1)));
  if (!isMutated(Mutation::Mark, C.K.name))
    C.B.CreateAlignedStore(Mark, Address, Align(1));
}

/// Other threads may do the same to the same element.
Value *Memory::update(unsigned Array, Value *Offset, AtomicRMWInst::BinOp Op,
                      Value *With) {
  SyncScope::ID Scope =
      C.ForHost ? SyncScope::ID(SyncScope::System)
                : C.B.getContext().getOrInsertSyncScopeID(DeviceScope);
  Value *Address = C.B.CreatePtrAdd(place(Array, {}).first, Offset);
  Stored.set(Array);
  // On the host as well an element is where its type says (OffloadThreads.cpp).
  if (!isMutated(Mutation::Atomic, C.K.name))
    return C.B.CreateAtomicRMW(Op, Address, With, ownAlignment(Array),
                               AtomicOrdering::Monotonic, Scope);
  Value *Old = load(Array, Address, With->getType());
  C.B.CreateAlignedStore(C.B.CreateAdd(Old, With), Address, alignment(Array));
  return Old;
}

Value *Memory::peek(unsigned Array, Value *Offset, Type *Ty) {
  Value *Address = C.B.CreatePtrAdd(place(Array, {}).first, Offset);
  LoadInst *Now = C.B.CreateAlignedLoad(Ty, Address, ownAlignment(Array));
  Now->setAtomic(AtomicOrdering::Monotonic);
  return Now;
}

/// And to its byte.
void Memory::markUpdate(unsigned Array, Value *Offset) {
  const pg_array &A = C.Plan.scop->arrays[Array];
  if (!A.flagged || isMutated(Mutation::Mark, C.K.name))
    return;
  Value *Number = C.B.CreateExactSDiv(Offset, C.B.getInt64(A.elem_size));
  StoreInst *Mark = C.B.CreateAlignedStore(
      C.B.getInt8(1), C.B.CreateGEP(C.B.getInt8Ty(), marks(Array), Number),
      Align(1));
  Mark->setAtomic(AtomicOrdering::Monotonic,
                  C.B.getContext().getOrInsertSyncScopeID(DeviceScope));
}

} // namespace polygpu
