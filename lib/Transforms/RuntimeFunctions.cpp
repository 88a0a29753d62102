//===- RuntimeFunctions.cpp - Functions of the runtime that host code calls
//===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RuntimeFunctions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace polygpu {

SmallVector<RuntimeFunction, 16> runtimeFunctions(LLVMContext &Ctx) {
  Type *Void = Type::getVoidTy(Ctx), *Ptr = PointerType::get(Ctx, 0);
  Type *I32 = Type::getInt32Ty(Ctx), *I64 = Type::getInt64Ty(Ctx);
  auto Make = [](Type *Result, ArrayRef<Type *> Params) {
    return FunctionType::get(Result, Params, false);
  };
  return {{"polygpu_begin", Make(Ptr, {Ptr})},
          {"polygpu_decline", Make(Void, {Ptr, Ptr, Ptr})},
          {"polygpu_array", Make(Void, {Ptr, I32, Ptr})},
          {"polygpu_move", Make(Void, {Ptr, I32, I32, I64, I64, I64})},
          {"polygpu_launch", Make(Void, {Ptr, I32, I64, I64, I64, Ptr})},
          {"polygpu_end", Make(I32, {Ptr})},
          {"polygpu_begin_sized", Make(Ptr, {Ptr, Ptr})},
          {"polygpu_worth", Make(I32, {Ptr})},
          {"polygpu_known", Make(I32, {Ptr})},
          {"polygpu_move_rows",
           Make(Void, {Ptr, I32, I32, I64, I64, I64, I32, Ptr})},
          {"polygpu_inspect", Make(Void, {Ptr, I32, I32, I64, I64, I64, Ptr})},
          {"polygpu_unbounded", Make(Void, {Ptr, I32})},
          {RowStepName, Make(I64, {Ptr, I64, I64, I64, I64, I64})},
          {RowBaseName, Make(Ptr, {Ptr, I64, I64, I64, I64})},
          {"polygpu_loops_end", Make(Void, {Ptr})},
          {"polygpu_active", Make(I32, {})},
          {"polygpu_chosen_plan", Make(I32, {Ptr})},
          {"polygpu_chained", Make(I32, {Ptr, I32})},
          {"polygpu_grid", Make(I64, {Ptr, I32, I64, Ptr, I32, Ptr})},
          {"polygpu_keep_begin", Make(I64, {})},
          {"polygpu_keep", Make(Void, {Ptr, I32, I64})},
          {"polygpu_defer", Make(Void, {Ptr, Ptr, Ptr, I64, I32})},
          {"polygpu_keep_end", Make(Void, {I64})},
          {"polygpu_touch", Make(Void, {Ptr, I64, I32})},
          {"polygpu_touch_at", Make(Void, {Ptr, I64, I32, Ptr})},
          {"polygpu_touch_all", Make(Void, {})},
          {"polygpu_active_parallel", Make(I32, {})},
          {"polygpu_parallel_begin", Make(Ptr, {Ptr, Ptr, I64})},
          {"polygpu_parallel_launch", Make(Void, {Ptr, I32, I64, Ptr})},
          {"polygpu_parallel_end", Make(Void, {Ptr})}};
}

static const char *const InUseName = "polygpu_in_use";

bool isRuntimeFunction(const Function &F) {
  return F.getName().starts_with("polygpu_") &&
         any_of(
             runtimeFunctions(F.getContext()),
             [&](const RuntimeFunction &R) { return F.getName() == R.Name; });
}

std::string misusedRuntimeName(const Module &M) {
  for (const RuntimeFunction &R : runtimeFunctions(M.getContext()))
    if (const GlobalValue *G = M.getNamedValue(R.Name)) {
      const auto *F = dyn_cast<Function>(G);
      if (!F || F->getFunctionType() != R.Type)
        return R.Name;
    }
  if (const GlobalValue *G = M.getNamedValue(InUseName))
    if (!isa<GlobalVariable>(G) || !G->getValueType()->isIntegerTy(32) ||
        !G->isDeclaration() || G->isThreadLocal())
      return InUseName;
  return "";
}

GlobalVariable *inUseVariable(Module &M) {
  return cast<GlobalVariable>(
      M.getOrInsertGlobal(InUseName, Type::getInt32Ty(M.getContext())));
}

bool isRuntimeData(const Value *Pointer) {
  const auto *G = dyn_cast<GlobalVariable>(getUnderlyingObject(Pointer));
  return G && (G->hasAttribute("polygpu") || G->getName() == InUseName);
}

bool isForPrograms(const Function &F) {
  return F.getName() == "polygpu_touch" || F.getName() == "polygpu_touch_all";
}

FunctionCallee runtimeFunction(Module &M, StringRef Name) {
  for (const RuntimeFunction &R : runtimeFunctions(M.getContext()))
    if (Name == R.Name)
      return M.getOrInsertFunction(Name, R.Type);
  llvm_unreachable("not a function of the runtime");
}

static const Attribute::AttrKind OfFunctions[] = {
    Attribute::Memory,     Attribute::NoSync,    Attribute::NoFree,
    Attribute::NoCallback, Attribute::NoRecurse, Attribute::WillReturn};
static const Attribute::AttrKind OfPointers[] = {
    Attribute::ReadOnly, Attribute::ReadNone, Attribute::WriteOnly,
    Attribute::Captures};

/// Of a function, or of a call.
template <typename T> static void weaken(T &Called) {
  for (Attribute::AttrKind Kind : OfFunctions)
    Called.removeFnAttr(Kind);
  for (unsigned A = 0; A < Called.arg_size(); ++A)
    for (Attribute::AttrKind Kind : OfPointers)
      Called.removeParamAttr(A, Kind);
}

void weakenAttributes(Function &F) { weaken(F); }

void weakenAttributes(CallBase &Call) { weaken(Call); }

FunctionCallee activeFunction(Module &M, bool Threads) {
  FunctionCallee Callee = runtimeFunction(M, Threads ? "polygpu_active_parallel"
                                                     : "polygpu_active");
  auto *F = cast<Function>(Callee.getCallee());
  F->setDoesNotThrow();
  F->setWillReturn();
  return Callee;
}

} // namespace polygpu
