//===- PieceFunctions.cpp - Pieces of parallel loops as host code ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cpu/PieceFunctions.h"
#include "prepare/Candidates.h"
#include "target/DeviceModule.h"
#include "target/HostCode.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

using namespace llvm;

namespace polygpu {

namespace {

/// Makes a function of (parameters..., i64 first, i64 last) of a kernel, with a
/// loop over its blocks, and one of (ptr args, i64 first, i64 last, ptr own)
/// around it.
class PieceFunction {
public:
  PieceFunction(Function &Kernel, const BitVector &Lent, Module &Host,
                const Function &Like)
      : Kernel(Kernel), Lent(Lent), Host(Host), Like(Like),
        Ctx(Host.getContext()), I64(Type::getInt64Ty(Ctx)) {}

  Function *run() {
    mapDeclarations(*Kernel.getParent(), Host, Map);
    clone();
    addLoop();
    return wrap();
  }

private:
  Function &Kernel;
  const BitVector &Lent;
  Module &Host;
  const Function &Like;
  LLVMContext &Ctx;
  Type *I64;
  FlattenPointers OneType;
  ValueToValueMapTy Map;
  Function *F = nullptr;

  void copyAttributes(Function &To);
  void clone();
  void addLoop();
  Function *wrap();
};

void PieceFunction::copyAttributes(Function &To) {
  for (const Attribute &A : Like.getAttributes().getFnAttrs())
    if (A.isStringAttribute() || A.hasAttribute(Attribute::StrictFP))
      To.addFnAttr(A);
  // The program has no such functions, and nobody is to hear of their calls.
  dropInstrumentation(To);
  To.addFnAttr("polygpu");
  To.addFnAttr(Attribute::NoProfile);
  To.addFnAttr(Attribute::NoSanitizeCoverage);
  To.addFnAttr(Attribute::NoInline);
  if (Like.hasUWTable())
    To.setUWTableKind(Like.getUWTableKind());
}

void PieceFunction::clone() {
  SmallVector<Type *, 16> Types;
  for (const Argument &A : Kernel.args())
    Types.push_back(OneType.remapType(A.getType()));
  Types.append({I64, I64});
  F = Function::Create(FunctionType::get(Type::getVoidTy(Ctx), Types, false),
                       GlobalValue::InternalLinkage,
                       "polygpu.pieces." + Kernel.getName(), Host);
  for (const Argument &A : Kernel.args()) {
    Map[&A] = F->getArg(A.getArgNo());
    F->getArg(A.getArgNo())->setName(A.getName());
  }
  SmallVector<ReturnInst *, 4> Returns;
  CloneFunctionInto(F, &Kernel, Map, CloneFunctionChangeType::DifferentModule,
                    Returns, "", nullptr, &OneType);
  F->setDSOLocal(true); // the clone took the kernel's
  // Those of a kernel say how many threads it has.
  AttributeList All = F->getAttributes().removeFnAttributes(Ctx);
  F->setAttributes(All);
  F->setDoesNotThrow();
  copyAttributes(*F);
}

/// The body for each block from the first to the last one.
void PieceFunction::addLoop() {
  BasicBlock *Body = &F->getEntryBlock();
  auto *Entry = BasicBlock::Create(Ctx, "pieces", F, Body);
  auto *Header = BasicBlock::Create(Ctx, "piece", F, Body);
  auto *Next = BasicBlock::Create(Ctx, "piece.next", F);
  auto *Done = BasicBlock::Create(Ctx, "pieces.done", F);
  Value *First = F->getArg(F->arg_size() - 2);
  Value *Last = F->getArg(F->arg_size() - 1);
  for (Instruction &I : make_early_inc_range(*Body))
    if (isa<AllocaInst>(I))
      I.moveBefore(*Entry, Entry->end());
  for (BasicBlock &BB : *F)
    if (isa_and_nonnull<ReturnInst>(BB.getTerminator())) {
      BB.getTerminator()->eraseFromParent();
      IRBuilder<>(&BB).CreateBr(Next);
    }
  IRBuilder<> B(Entry);
  B.CreateCondBr(B.CreateICmpSLT(First, Last), Header, Done);
  B.SetInsertPoint(Header);
  PHINode *Number = B.CreatePHI(I64, 2, "number");
  Value *Short = B.CreateTrunc(Number, B.getInt32Ty());
  B.CreateBr(Body);
  B.SetInsertPoint(Next);
  Value *Following = B.CreateNSWAdd(Number, B.getInt64(1));
  B.CreateCondBr(B.CreateICmpSLT(Following, Last), Header, Done);
  Number->addIncoming(First, Entry);
  Number->addIncoming(Following, Next);
  B.SetInsertPoint(Done);
  B.CreateRetVoid();
  for (Instruction &I : make_early_inc_range(instructions(*F))) {
    auto *Call = dyn_cast<CallInst>(&I);
    if (!Call || !Call->getCalledFunction() ||
        Call->getCalledFunction()->getName() != BlockIdName)
      continue;
    Call->replaceAllUsesWith(Short);
    Call->eraseFromParent();
  }
}

/// void wrapper(ptr args, i64 first, i64 last, ptr own): unpack the parameters.
Function *PieceFunction::wrap() {
  Function *W =
      unpackArguments(*F, 2, "polygpu.parallel." + Kernel.getName(), &Lent);
  copyAttributes(*W);
  return W;
}

} // namespace

std::vector<Function *>
makePieceFunctions(const Module &Device,
                   const std::vector<PieceKernel> &Kernels, Module &Host,
                   const Function &Like) {
  std::vector<Function *> Result;
  std::unique_ptr<Module> Plain = CloneModule(Device);
  // Debug locations would bring a compile unit of the device along.
  StripDebugInfo(*Plain);
  for (const PieceKernel &K : Kernels)
    Result.push_back(
        PieceFunction(*Plain->getFunction(K.Name), K.Lent, Host, Like).run());
  for (const char *Name : {ThreadIdName, BlockIdName})
    if (Function *F = Host.getFunction(Name); F && F->use_empty())
      F->eraseFromParent();
  return Result;
}

} // namespace polygpu
