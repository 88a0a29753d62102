//===- Link.cpp - Copies that are linked with those of other files --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "residency/Link.h"
#include "Remarks.h"
#include "host/Commit.h"
#include "prepare/Candidates.h"
#include "prepare/Forward.h"
#include "residency/Callers.h"
#include "residency/Compiled.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;

namespace polygpu {

static const char CopyName[] = "polygpu.copy"; ///< metadata of the function
static const char InlineLater[] = "polygpu-inline-later";

bool isForLink(const Module &M) {
  const auto *Thin =
      mdconst::extract_or_null<ConstantInt>(M.getModuleFlag("ThinLTO"));
  return Thin && Thin->isZero() && !M.getModuleFlag("UnifiedLTO");
}

//===-- When compiling ----------------------------------------------------===//

/// What is used by somebody unknown keeps its arguments, and the meaning of
/// each.
void keepForLink(Function &F, Function &Copy) {
  if (F.hasFnAttribute(Attribute::AlwaysInline))
    return;
  setCompiled(Copy);
  F.setMetadata(CopyName,
                MDNode::get(F.getContext(), ValueAsMetadata::get(&Copy)));
  SmallVector<GlobalValue *, 2> Used = {&Copy};
  if (F.hasLocalLinkage())
    Used.push_back(&F);
  appendToCompilerUsed(*F.getParent(), Used);
  if (!F.hasFnAttribute(Attribute::NoInline)) {
    F.addFnAttr(Attribute::NoInline);
    F.addFnAttr(InlineLater);
  }
}

//===-- When linking ------------------------------------------------------===//

/// The copy that \p F names, null if there is none any more.
static Function *namedCopy(const Function &F) {
  const MDNode *Named = F.getMetadata(CopyName);
  const auto *V = Named && Named->getNumOperands() == 1
                      ? dyn_cast_or_null<ValueAsMetadata>(Named->getOperand(0))
                      : nullptr;
  auto *Copy = V ? dyn_cast<Function>(V->getValue()) : nullptr;
  return Copy && isCompiled(*Copy) ? Copy : nullptr;
}

/// Does \p Call hand all arguments of \p F on that matter, and a scope?
static bool handsOn(const CallInst &Call, const Function &F) {
  if (Call.arg_size() != F.arg_size() + 1 || Call.isMustTailCall())
    return false;
  return all_of(F.args(), [&](const Argument &A) {
    const Value *Given = Call.getArgOperand(A.getArgNo());
    return Given == &A || isa<PoisonValue>(Given); // it has no use
  });
}

/// The calls by which \p F reaches its copy; none if that is another function
/// than it was when it was compiled.
static SmallVector<CallInst *, 1> callsOfCopy(Function &F, Function &Copy) {
  SmallVector<CallInst *, 1> Found;
  for (Instruction &I : instructions(F)) {
    auto *Call = dyn_cast<CallInst>(&I);
    if (!Call || Call->getCalledFunction() != &Copy)
      continue;
    if (!handsOn(*Call, F))
      return {};
    Found.push_back(Call);
  }
  return Found;
}

static void release(Module &M) {
  removeFromUsedLists(M, [](Constant *C) {
    const auto *F = dyn_cast<Function>(C->stripPointerCasts());
    return F && (isCompiled(*F) ||
                 (F->hasLocalLinkage() && F->hasMetadata(CopyName)));
  });
  for (Function &F : M)
    if (F.hasFnAttribute(InlineLater)) {
      F.removeFnAttr(InlineLater);
      F.removeFnAttr(Attribute::NoInline);
    }
}

/// The functions of all files that have copies.
static std::vector<OffloadedFunction> findCompiled(Module &M) {
  std::vector<OffloadedFunction> Found;
  for (Function &F : M)
    if (Function *Copy = namedCopy(F))
      if (!F.isDeclaration() && isMarked(F) && !callsOfCopy(F, *Copy).empty())
        Found.push_back({&F, Copy, {}});
  return Found;
}

/// Functions that were compiled without a scope for runs that follow each other
/// get one.
static void giveScopes(const OffloadedFunction &Compiled) {
  for (CallInst *Call : callsOfCopy(*Compiled.F, *Compiled.Copy))
    if (isa<Constant>(Call->getArgOperand(Call->arg_size() - 1)))
      giveScope(*Call);
}

bool keepAcrossFiles(Module &M, FunctionAnalysisManager &FAM) {
  std::vector<OffloadedFunction> Functions = findCompiled(M);
  Remarks R;
  const size_t Compiled = Functions.size();
  keepAcrossCalls(M, Functions, FAM, R, Files::All);
  for (auto [I, Offloaded] : enumerate(Functions)) {
    if (I >= Compiled)
      commitCopy(*Offloaded.F, Offloaded.Copy, Offloaded.OwnScope, FAM);
    else if (Offloaded.OwnScope)
      giveScopes(Offloaded);
    FAM.invalidate(*Offloaded.F, PreservedAnalyses::none());
  }
  release(M);
  return Compiled != 0;
}

} // namespace polygpu
