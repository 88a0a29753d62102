//===- KernelBlocks.cpp - Blocks of several kernels in one ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kernel/KernelBlocks.h"
#include "target/DeviceModule.h"
#include "target/SharedLayout.h"
#include "target/TargetDescription.h"
#include "llvm/IR/ConstantRange.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace polygpu {

unsigned threadsOf(const pg_kernel &K) {
  const unsigned (&Block)[3] = K.mapping->block;
  return Block[0] * Block[1] * Block[2];
}

bool canShareBlocks(const pg_plan &Plan, const Module &M,
                    ArrayRef<unsigned> Kernels, unsigned Most,
                    unsigned &Threads) {
  unsigned Instructions = 0;
  Threads = 0;
  for (unsigned K : Kernels) {
    const pg_kernel &Kernel = Plan.kernels[K];
    // Tiles of waves take longer than a launch, and what is a chain already, or
    // goes on with one block, counts on its blocks.
    if (Kernel.steps || Kernel.tiled || Kernel.combines)
      return false;
    Threads = std::max(Threads, threadsOf(Kernel));
    Instructions += M.getFunction(Kernel.name)->getInstructionCount();
  }
  return Instructions <= Most && all_of(Kernels, [&](unsigned K) {
           return !Plan.kernels[K].has_barrier ||
                  threadsOf(Plan.kernels[K]) == Threads;
         });
}

void KernelBlocks::addArguments(std::vector<KernelArg> &Args) const {
  for (unsigned K : Kernels)
    for (const KernelArg &A : Code.Args[K])
      if (A.Kind != KernelArg::Host && A.Kind != KernelArg::Blocks &&
          !is_contained(Args, A))
        Args.push_back(A);
}

/// What both know of a parameter.
static AttributeSet inCommon(LLVMContext &Ctx, AttributeSet L, AttributeSet R) {
  AttrBuilder Both(Ctx);
  for (Attribute A : L)
    if (is_contained(R, A))
      Both.addAttribute(A);
  return AttributeSet::get(Ctx, Both);
}

/// What all kernels know of a parameter; of memory that one of them writes and
/// others read, not that it is apart, or never changes.
void KernelBlocks::describe(Argument &A, const KernelArg &Arg) const {
  if (!isArray(Arg) && Arg.Kind != KernelArg::Extent)
    return;
  LLVMContext &Ctx = M.getContext();
  std::optional<AttributeSet> Known;
  for (unsigned K : Kernels)
    for (unsigned I = 0; I < Code.Args[K].size(); ++I)
      if (Code.Args[K][I] == Arg) {
        AttributeSet Its = M.getFunction(Plan.kernels[K].name)
                               ->getAttributes()
                               .getParamAttrs(I);
        Known = Known ? inCommon(Ctx, *Known, Its) : Its;
      }
  AttrBuilder All(Ctx, Known.value_or(AttributeSet()));
  if (!All.contains(Attribute::ReadOnly))
    All.removeAttribute(Attribute::NoAlias);
  A.addAttrs(All);
}

/// Memory for the kernel that needs the most of it.
void KernelBlocks::shareMemory() {
  unsigned Bytes = 0;
  for (unsigned K : Kernels)
    Bytes = std::max(Bytes,
                     sharedLayout(*M.getFunction(Plan.kernels[K].name)).Bytes);
  if (!Bytes)
    return;
  Type *Ty = ArrayType::get(Type::getInt8Ty(M.getContext()), Bytes);
  Shared = new GlobalVariable(M, Ty, false, GlobalValue::InternalLinkage,
                              PoisonValue::get(Ty), Name + "_shared", nullptr,
                              GlobalValue::NotThreadLocal, SharedSpace);
  Shared->setAlignment(Align(16));
}

Function *KernelBlocks::create(ArrayRef<KernelArg> Args) {
  shareMemory();
  SmallVector<Type *, 16> Types;
  for (const KernelArg &A : Args)
    Types.push_back(A.Ty);
  auto *F = Function::Create(
      FunctionType::get(Type::getVoidTy(M.getContext()), Types, false),
      GlobalValue::ExternalLinkage, Name, M);
  F->setDoesNotThrow();
  unsigned MinBlocks = UINT_MAX;
  for (unsigned K : Kernels)
    MinBlocks = std::min(MinBlocks, Plan.kernels[K].mapping->min_blocks);
  setLaunchBounds(*F, {Threads, 1, 1}, MinBlocks);
  if (all_of(Kernels, [&](unsigned K) {
        return M.getFunction(Plan.kernels[K].name)
            ->hasFnAttribute(VectorsAttribute);
      }))
    F->addFnAttr(VectorsAttribute);
  for (unsigned I = 0; I < Args.size(); ++I)
    describe(*F->getArg(I), Args[I]);
  BasicBlock::Create(M.getContext(), "entry", F);
  return F;
}

/// Kernel \p K as a function, which gets the block's numbers and the thread's
/// behind the other parameters.
Function *KernelBlocks::blockOf(unsigned K) {
  Function *&Block = Blocks[K];
  if (Block)
    return Block;
  const pg_kernel &Kernel = Plan.kernels[K];
  const Function &Old = *M.getFunction(Kernel.name);
  SmallVector<Type *, 16> Types(Old.getFunctionType()->params());
  Types.append(4, Type::getInt32Ty(M.getContext()));
  Block = Function::Create(
      FunctionType::get(Type::getVoidTy(M.getContext()), Types, false),
      GlobalValue::InternalLinkage, "block", M);
  ValueToValueMapTy Map;
  for (const Argument &A : Old.args())
    Map[&A] = Block->getArg(A.getArgNo());
  for (auto [G, Offset] : sharedLayout(Old).Variables)
    Map[G] = ConstantExpr::getGetElementPtr(
        Type::getInt8Ty(M.getContext()), Shared,
        ConstantInt::get(Type::getInt64Ty(M.getContext()), Offset));
  SmallVector<ReturnInst *, 1> Returns;
  CloneFunctionInto(Block, &Old, Map, CloneFunctionChangeType::LocalChangesOnly,
                    Returns);
  stripDebugInfo(*Block);
  Argument *Numbers = Block->getArg(Old.arg_size());
  const unsigned (&Size)[3] = Kernel.mapping->block;
  for (Instruction &I : make_early_inc_range(instructions(Block))) {
    auto *Call = dyn_cast<CallInst>(&I);
    if (!Call || !Call->getCalledFunction())
      continue;
    StringRef Callee = Call->getCalledFunction()->getName();
    if (Callee != BlockIdName && Callee != ThreadIdName)
      continue;
    unsigned D = cast<ConstantInt>(Call->getArgOperand(0))->getZExtValue();
    IRBuilder<> At(Call);
    Value *New = Numbers + D;
    if (Callee == ThreadIdName) {
      unsigned Before = D == 0 ? 1 : D == 1 ? Size[0] : Size[0] * Size[1];
      New = At.CreateURem(At.CreateUDiv(Numbers + 3, At.getInt32(Before)),
                          At.getInt32(Size[D]));
    }
    Call->replaceAllUsesWith(New);
    Call->eraseFromParent();
  }
  return Block;
}

void KernelBlocks::call(IRBuilder<> &B, unsigned K, ArrayRef<Value *> Passed,
                        const Position &Place, Value *Thread) {
  SmallVector<Value *, 16> All(Passed);
  All.append(Place.begin(), Place.end());
  All.push_back(Thread);
  Calls.push_back(B.CreateCall(blockOf(K), All));
}

bool KernelBlocks::finish() {
  bool Done = true;
  for (CallInst *Call : Calls) {
    InlineFunctionInfo Info;
    Done &= InlineFunction(*Call, Info).isSuccess();
  }
  for (auto [K, Block] : Blocks)
    if (Block->use_empty())
      Block->eraseFromParent();
  return Done;
}

static Value *ask(IRBuilder<> &B, Module &M, const char *Name,
                  ArrayRef<Value *> Of, unsigned Least, unsigned Most) {
  SmallVector<Type *, 1> Types(Of.size(), B.getInt32Ty());
  FunctionCallee Callee = M.getOrInsertFunction(
      Name, FunctionType::get(B.getInt32Ty(), Types, false));
  cast<Function>(Callee.getCallee())->setMemoryEffects(MemoryEffects::none());
  CallInst *Call = B.CreateCall(Callee, Of);
  Call->addRangeRetAttr(ConstantRange(APInt(32, Least), APInt(32, Most)));
  return Call;
}

Value *askThread(IRBuilder<> &B, Module &M, unsigned Threads) {
  return ask(B, M, ThreadIdName, {B.getInt32(0)}, 0, Threads);
}

Value *askBlock(IRBuilder<> &B, Module &M) {
  return ask(B, M, BlockIdName, {B.getInt32(0)}, 0, INT32_MAX);
}

Value *askBlockCount(IRBuilder<> &B, Module &M) {
  return ask(B, M, BlockCountName, {}, 1, INT32_MAX);
}

} // namespace polygpu
