//===- Emulate.cpp - Kernels for the emulated device ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "target/Emulate.h"
#include "polygpu/abi.h"
#include "target/DeviceModule.h"
#include "target/HostCode.h"
#include "target/SharedLayout.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/AttributeMask.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/ReplaceConstant.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/ValueMapper.h"
#include <cstddef>

using namespace llvm;

namespace polygpu {

namespace {

/// Where a variable in shared memory lies.
struct SharedArray {
  GlobalVariable *Stand; ///< for it in the host module, until it is lowered
  unsigned Offset, Bytes, ElemSize;
};

/// Brings one kernel into the host module, as a function of (parameters...,
/// ptr self).
class KernelEmulator {
public:
  KernelEmulator(Function &Kernel, Module &Host, const Function &Like)
      : Kernel(Kernel), Host(Host), Like(Like), Ctx(Host.getContext()),
        Ptr(PointerType::get(Ctx, 0)) {}

  /// \p Lines has the source line of each instruction of the kernel.
  EmulatedKernel run(bool Checked, ArrayRef<unsigned> Lines);

private:
  Function &Kernel;
  Module &Host;
  const Function &Like;
  LLVMContext &Ctx;
  PointerType *Ptr;
  FlattenPointers Flatten;
  ValueToValueMapTy VMap;
  MapVector<const GlobalVariable *, SharedArray> Shared;
  unsigned SharedBytes = 0;
  Function *F = nullptr;
  Instruction *Calls = nullptr; ///< the table of the emulated device, loaded
  DenseMap<size_t, Value *> Callees; ///< by their offset there, loaded
  DenseMap<const Instruction *, unsigned> CallLines; ///< of calls in the clone
  /// Of asynchronous copies in the clone: what they load and store.
  DenseMap<const Instruction *, std::pair<Constant *, Constant *>> Copies;

  Value *self() const { return F->getArg(F->arg_size() - 1); }
  Value *callee(size_t Offset);
  Value *call(IRBuilder<> &B, size_t Offset, Type *Result,
              ArrayRef<Value *> Args);
  void copyAttributes(Function &To);
  void placeShared();
  void clone();
  Constant *access(Value *Pointer, unsigned Flags, unsigned Size,
                   unsigned Line);
  Constant *access(const Instruction &I, Value *Pointer, unsigned Line);
  void check(Instruction &I, Instruction &Clone, unsigned Line);
  void checkCall(CallInst &Call, Instruction &Clone, unsigned Line);
  void checkAll(ArrayRef<unsigned> Lines);
  Value *field(IRBuilder<> &B, size_t Offset, unsigned Dim);
  void lowerCopy(CallInst &Call);
  void lowerCalls(bool Checked);
  void lowerShared();
  Function *wrap();
};

void KernelEmulator::copyAttributes(Function &To) {
  for (const char *Key : {"target-cpu", "target-features", "tune-cpu"})
    if (Attribute A = Like.getFnAttribute(Key); A.isValid())
      To.addFnAttr(A);
  To.addFnAttr("polygpu");
  To.addFnAttr(Attribute::NoProfile);
  To.addFnAttr(Attribute::NoSanitizeCoverage);
  // Kernels are unrolled for registers of a GPU: the SLP vectoriser, which this
  // keeps away, would take most of the time of the compilation.
  To.addFnAttr(Attribute::NoImplicitFloat);
}

/// Lay out the shared memory of the kernel.
void KernelEmulator::placeShared() {
  const DataLayout &DL = Kernel.getDataLayout();
  SharedLayout Layout = sharedLayout(Kernel);
  SharedBytes = Layout.Bytes;
  for (auto [G, Offset] : Layout.Variables) {
    Type *Elem = G->getValueType();
    while (Elem->isArrayTy())
      Elem = Elem->getArrayElementType();
    SharedArray A;
    A.Offset = Offset;
    A.Bytes = DL.getTypeAllocSize(G->getValueType());
    A.ElemSize = DL.getTypeAllocSize(Elem);
    A.Stand = new GlobalVariable(Host, G->getValueType(), false,
                                 GlobalValue::ExternalLinkage, nullptr,
                                 "polygpu.shared");
    VMap[G] = A.Stand;
    Shared.insert({G, A});
  }
}

void KernelEmulator::clone() {
  SmallVector<Type *, 16> Types;
  for (const Argument &A : Kernel.args())
    Types.push_back(Flatten.remapType(A.getType()));
  Types.push_back(Ptr);
  F = Function::Create(FunctionType::get(Type::getVoidTy(Ctx), Types, false),
                       GlobalValue::InternalLinkage,
                       "polygpu.body." + Kernel.getName(), Host);
  for (const Argument &A : Kernel.args())
    VMap[&A] = F->getArg(A.getArgNo());
  SmallVector<ReturnInst *, 4> Returns;
  CloneFunctionInto(F, &Kernel, VMap, CloneFunctionChangeType::DifferentModule,
                    Returns, "", nullptr, &Flatten);
  F->setDSOLocal(true); // the clone took the kernel's
  copyAttributes(*F);
  F->addFnAttr(Attribute::AlwaysInline);
}

/// The function at \p Offset of polygpu_emulated_calls, loaded where the kernel
/// begins.
Value *KernelEmulator::callee(size_t Offset) {
  if (!Calls) {
    IRBuilder<> B(&F->getEntryBlock(),
                  F->getEntryBlock().getFirstInsertionPt());
    Calls = B.CreateLoad(
        Ptr, B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), self(),
                                          offsetof(polygpu_thread, calls)));
  }
  Value *&Callee = Callees[Offset];
  if (!Callee) {
    IRBuilder<> B(Calls->getNextNode());
    Callee = B.CreateLoad(
        Ptr, B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Calls, Offset));
  }
  return Callee;
}

/// Call it; its first argument is the thread.
Value *KernelEmulator::call(IRBuilder<> &B, size_t Offset, Type *Result,
                            ArrayRef<Value *> Args) {
  SmallVector<Value *, 8> All = {self()};
  SmallVector<Type *, 8> Types = {Ptr};
  for (Value *Arg : Args) {
    All.push_back(Arg);
    Types.push_back(Arg->getType());
  }
  return B.CreateCall(FunctionType::get(Result, Types, false), callee(Offset),
                      All);
}

/// The constant polygpu_access of \p I, which accesses \p Pointer; null for
/// memory of the thread's own.
Constant *KernelEmulator::access(const Instruction &I, Value *Pointer,
                                 unsigned Line) {
  unsigned Flags = 0;
  Type *Ty = I.getType();
  if (const auto *Store = dyn_cast<StoreInst>(&I)) {
    Flags = Store->isAtomic() ? POLYGPU_ACCESS_ATOMIC : POLYGPU_ACCESS_WRITE;
    Ty = Store->getValueOperand()->getType();
  } else if (const auto *Exchange = dyn_cast<AtomicCmpXchgInst>(&I)) {
    Flags = POLYGPU_ACCESS_ATOMIC;
    Ty = Exchange->getNewValOperand()->getType();
  } else if (isa<AtomicRMWInst>(I)) {
    Flags = POLYGPU_ACCESS_ATOMIC;
  }
  return access(Pointer, Flags, Kernel.getDataLayout().getTypeStoreSize(Ty),
                Line);
}

/// The same of \p Size bytes at \p Pointer.
Constant *KernelEmulator::access(Value *Pointer, unsigned Flags, unsigned Size,
                                 unsigned Line) {
  SmallVector<const Value *, 4> Objects;
  getUnderlyingObjects(Pointer, Objects, nullptr, 0);
  // What is one of several is known at run time only.
  const Value *Object = Objects.size() == 1 ? Objects[0] : Pointer;
  if (all_of(Objects, [](const Value *V) { return isa<AllocaInst>(V); }))
    return nullptr;
  Type *I32 = Type::getInt32Ty(Ctx);
  auto Word = [&](uint64_t V) { return ConstantInt::get(I32, V); };
  unsigned Param = ~0u;
  SharedArray In = {nullptr, 0, 0, 1};
  StringRef SharedName;
  if (const auto *A = dyn_cast<Argument>(Object)) {
    Param = A->getArgNo();
  } else if (Pointer->getType()->getPointerAddressSpace() == SharedSpace) {
    Flags |= POLYGPU_ACCESS_SHARED;
    In.Bytes = SharedBytes;
    SharedName = "memory";
    if (const auto *G = dyn_cast<GlobalVariable>(Object);
        G && Shared.count(G)) {
      In = Shared.lookup(G);
      SharedName = G->getName();
    }
  }
  Constant *Name = ConstantPointerNull::get(Ptr);
  if (!SharedName.empty()) {
    Constant *Text = ConstantDataArray::getString(Ctx, SharedName);
    Name =
        new GlobalVariable(Host, Text->getType(), true,
                           GlobalValue::PrivateLinkage, Text, "polygpu.name");
  }
  Constant *Init = ConstantStruct::getAnon({Word(Flags), Word(Size), Word(Line),
                                            Word(Param), Name, Word(In.Offset),
                                            Word(In.Bytes), Word(In.ElemSize)});
  return new GlobalVariable(Host, Init->getType(), true,
                            GlobalValue::PrivateLinkage, Init,
                            "polygpu.access");
}

/// Have \p Clone, the copy of \p I, ask for the address.
void KernelEmulator::check(Instruction &I, Instruction &Clone, unsigned Line) {
  unsigned Index = isa<StoreInst>(I) ? StoreInst::getPointerOperandIndex() : 0;
  Constant *About = access(I, I.getOperand(Index), Line);
  if (!About)
    return;
  IRBuilder<> B(&Clone);
  Clone.setOperand(Index, call(B, offsetof(polygpu_emulated_calls, access), Ptr,
                               {Clone.getOperand(Index), About}));
}

/// Remember what is needed to check \p Clone, the copy of \p Call.
void KernelEmulator::checkCall(CallInst &Call, Instruction &Clone,
                               unsigned Line) {
  CallLines[&Clone] = Line;
  if (!Call.getCalledFunction() ||
      Call.getCalledFunction()->getName() != CopyName)
    return;
  unsigned Size = cast<ConstantInt>(Call.getArgOperand(2))->getZExtValue();
  Copies[&Clone] = {
      access(Call.getArgOperand(1), 0, Size, Line),
      access(Call.getArgOperand(0), POLYGPU_ACCESS_WRITE, Size, Line)};
}

void KernelEmulator::checkAll(ArrayRef<unsigned> Lines) {
  // An address that was passed on is not what the attributes promise.
  for (Argument &A : F->args())
    F->removeParamAttrs(A.getArgNo(), AttributeMask(A.getAttributes()));
  unsigned Number = 0;
  for (Instruction &I : instructions(Kernel)) {
    unsigned Line = Lines[Number++];
    auto *Clone = cast<Instruction>(VMap.lookup(&I));
    if (auto *Call = dyn_cast<CallInst>(&I))
      checkCall(*Call, *Clone, Line);
    else if (isa<LoadInst, StoreInst, AtomicRMWInst, AtomicCmpXchgInst>(I))
      check(I, *Clone, Line);
  }
}

Value *KernelEmulator::field(IRBuilder<> &B, size_t Offset, unsigned Dim) {
  Value *Address =
      B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), self(), Offset + 4 * Dim);
  return B.CreateAlignedLoad(B.getInt32Ty(), Address, Align(4));
}

void KernelEmulator::lowerCopy(CallInst &Call) {
  IRBuilder<> B(&Call);
  auto [Load, Store] = Copies.lookup(&Call);
  Constant *Unchecked = ConstantPointerNull::get(Ptr);
  call(B, offsetof(polygpu_emulated_calls, copy), B.getVoidTy(),
       {Call.getArgOperand(0), Call.getArgOperand(1), Call.getArgOperand(2),
        Call.getArgOperand(3), Load ? Load : Unchecked,
        Store ? Store : Unchecked});
}

/// The calls that ask for the position, answered from the last parameter,
/// barriers and asynchronous copies.
void KernelEmulator::lowerCalls(bool Checked) {
  Type *Void = Type::getVoidTy(Ctx);
  unsigned Number = 0;
  for (Instruction &I : make_early_inc_range(instructions(*F))) {
    auto *Call = dyn_cast<CallInst>(&I);
    if (!Call || !Call->getCalledFunction())
      continue;
    StringRef Name = Call->getCalledFunction()->getName();
    IRBuilder<> B(Call);
    auto Dimension = [&] {
      return cast<ConstantInt>(Call->getArgOperand(0))->getZExtValue();
    };
    Value *New = nullptr;
    if (Name == ThreadIdName)
      New = field(B, offsetof(polygpu_thread, thread), Dimension());
    else if (Name == BlockIdName)
      New = field(B, offsetof(polygpu_thread, block), Dimension());
    else if (Name == BlockCountName)
      New = field(B, offsetof(polygpu_thread, n_block), 0);
    else if (Name == GridBarrierName)
      call(B, offsetof(polygpu_emulated_calls, grid_barrier), Void,
           {B.getInt32(Number++)});
    else if (Name == Same32Name || Name == Same64Name)
      New = Call->getArgOperand(0);
    else if (Name == BarrierName && Checked)
      call(B, offsetof(polygpu_emulated_calls, barrier_at), Void,
           {B.getInt32(Number++), B.getInt32(CallLines.lookup(Call))});
    else if (Name == BarrierName)
      call(B, offsetof(polygpu_emulated_calls, barrier), Void, {});
    else if (Name == CopyName)
      lowerCopy(*Call);
    else if (Name == CommitName)
      call(B, offsetof(polygpu_emulated_calls, commit), Void, {});
    else if (Name == WaitName)
      call(B, offsetof(polygpu_emulated_calls, wait), Void,
           {Call->getArgOperand(0)});
    else
      continue;
    if (New)
      Call->replaceAllUsesWith(New);
    Call->eraseFromParent();
  }
}

void KernelEmulator::lowerShared() {
  if (Shared.empty())
    return;
  IRBuilder<> B(&F->getEntryBlock(), F->getEntryBlock().getFirstInsertionPt());
  Value *Start = B.CreateLoad(
      Ptr, B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), self(),
                                        offsetof(polygpu_thread, shared)));
  for (auto &[G, A] : Shared) {
    A.Stand->replaceAllUsesWith(
        B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Start, A.Offset));
    A.Stand->eraseFromParent();
  }
}

/// void wrapper(ptr args, ptr self): unpack the parameters and call the body.
Function *KernelEmulator::wrap() {
  Function *W = unpackArguments(*F, 1, "polygpu.emulated." + Kernel.getName());
  copyAttributes(*W);
  return W;
}

EmulatedKernel KernelEmulator::run(bool Checked, ArrayRef<unsigned> Lines) {
  mapDeclarations(*Kernel.getParent(), Host, VMap);
  placeShared();
  clone();
  if (Checked)
    checkAll(Lines);
  lowerCalls(Checked);
  lowerShared();
  return {wrap(), SharedBytes};
}

} // namespace

std::vector<EmulatedKernel> emulate(const Module &Device,
                                    const std::vector<std::string> &Kernels,
                                    Module &Host, const Function &Like,
                                    bool Checked) {
  std::vector<EmulatedKernel> Result;
  std::unique_ptr<Module> Plain = CloneModule(Device);
  SmallVector<Constant *, 4> Shared;
  for (GlobalVariable &G : Plain->globals())
    if (G.getAddressSpace() == SharedSpace)
      Shared.push_back(&G);
  convertUsersOfConstantsToInstructions(Shared);
  std::vector<std::vector<unsigned>> Lines;
  for (const std::string &Name : Kernels) {
    Lines.emplace_back();
    for (const Instruction &I : instructions(*Plain->getFunction(Name)))
      Lines.back().push_back(I.getDebugLoc() ? I.getDebugLoc().getLine() : 0);
  }
  // Debug locations would bring a compile unit of the device along.
  StripDebugInfo(*Plain);
  for (unsigned K = 0; K < Kernels.size(); ++K)
    Result.push_back(KernelEmulator(*Plain->getFunction(Kernels[K]), Host, Like)
                         .run(Checked, Lines[K]));
  for (const char *Name :
       {ThreadIdName, BlockIdName, Same32Name, Same64Name, BarrierName,
        BlockCountName, GridBarrierName, CopyName, CommitName, WaitName})
    if (Function *F = Host.getFunction(Name); F && F->use_empty())
      F->eraseFromParent();
  return Result;
}

} // namespace polygpu
