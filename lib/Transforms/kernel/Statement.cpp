//===- Statement.cpp - What a statement of a kernel computes ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kernel/KernelBuilder.h"
#include "scop/Legality.h"
#include "target/MathCalls.h"
#include "verify/Mutate.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using polly::MemoryAccess;

namespace polygpu {

Value *KernelBuilder::loadAccess(const MemoryAccess *MA, Type *Ty) {
  unsigned Index = accessIndex(MA);
  unsigned Array = Plan.scop->stmts[User->index].accesses[Index].array;
  if (elementType(Array) != Ty && MA->isOriginalArrayKind()) {
    refuse(MA->getAccessInstruction(), "ElementTypes",
           "an array is accessed with different element types; use one type");
    return PoisonValue::get(Ty);
  }
  if (!User->guard[Index])
    return loadElement(Index, Array, Ty);
  // Where the access does not happen nothing uses the value.
  BasicBlock *Before = B.GetInsertBlock(), *Inside = nullptr;
  Value *Loaded = nullptr;
  guarded(User->guard[Index], [&] {
    Loaded = loadElement(Index, Array, Ty);
    Inside = B.GetInsertBlock();
  });
  PHINode *Phi = B.CreatePHI(Ty, 2);
  Phi->addIncoming(PoisonValue::get(Ty), Before);
  Phi->addIncoming(Loaded, Inside);
  return Phi;
}

void KernelBuilder::storeAccess(const MemoryAccess *MA, Value *V) {
  unsigned Index = accessIndex(MA);
  unsigned Array = Plan.scop->stmts[User->index].accesses[Index].array;
  if (elementType(Array) != V->getType() && MA->isOriginalArrayKind()) {
    refuse(MA->getAccessInstruction(), "ElementTypes",
           "an array is accessed with different element types; use one type");
    return;
  }
  guarded(User->guard[Index], [&] { storeElement(Index, Array, V); });
}

void KernelBuilder::statement() {
  for (const MemoryAccess *MA : *Stmt) {
    if (MA->isOriginalArrayKind() || MA->isWrite() ||
        (isReadOnlyScalar(*MA, S) && MA->isLatestScalarKind()))
      continue;
    Value *Read = MA->isOriginalPHIKind()
                      ? MA->getAccessInstruction()
                      : MA->getOriginalScopArrayInfo()->getBasePtr();
    Values[Read] = loadAccess(MA, Read->getType());
  }
  for (Instruction *I : Stmt->getInstructions()) {
    if (Why)
      return;
    instruction(I);
  }
  for (const MemoryAccess *MA : *Stmt) {
    if (MA->isOriginalArrayKind() || MA->isRead())
      continue;
    Value *Written = MA->isOriginalAnyPHIKind() ? MA->getIncoming()[0].second
                                                : MA->getAccessValue();
    storeAccess(MA, value(Written));
  }
}

/// The factor of \p I that is read from a buffer which has the product \p I
/// instead, or null.  Only a part of the statement may read it from there: the
/// accesses of others go to buffers of their own, or to memory.
LoadInst *KernelBuilder::factorInBuffer(const Instruction *I) const {
  if (Products.empty() || I->getOpcode() != Instruction::FMul)
    return nullptr;
  for (Value *Operand : I->operands()) {
    auto *Load = dyn_cast<LoadInst>(Operand);
    const MemoryAccess *MA =
        Load ? Stmt->getArrayAccessOrNULLFor(Load) : nullptr;
    int Buffer =
        MA && User->redirected ? User->redirected[accessIndex(MA)] : -1;
    bool IsProduct = Buffer >= 0 && Products.lookup(Buffer) == I;
    // To be noticed: as if all parts had the products that one has.
    if (MA && !IsProduct &&
        any_of(Products, [&](auto &P) { return P.second == I; }) &&
        isMutated(Mutation::Product, K.name))
      return Load;
    if (IsProduct)
      return Load;
  }
  return nullptr;
}

void KernelBuilder::instruction(Instruction *I) {
  setDebugLoc(I->getDebugLoc());
  if (isa<PHINode>(I)) {
    if (!Values.count(I))
      refuse(I, "Value",
             "a value that depends on the way taken is used in a "
             "way that was not modelled");
    return;
  }
  if (auto *Load = dyn_cast<LoadInst>(I)) {
    const MemoryAccess *MA = Stmt->getArrayAccessOrNULLFor(Load);
    if (!MA)
      return refuse(I, "Access", "a load could not be described");
    Values[I] = loadAccess(MA, Load->getType());
    return;
  }
  if (auto *Store = dyn_cast<StoreInst>(I)) {
    const MemoryAccess *MA = Stmt->getArrayAccessOrNULLFor(Store);
    if (!MA)
      return refuse(I, "Access", "a store could not be described");
    storeAccess(MA, value(Store->getValueOperand()));
    return;
  }
  if (auto *Call = dyn_cast<CallInst>(I)) {
    Values[I] = call(Call);
    return;
  }
  if (LoadInst *Product = factorInBuffer(I)) {
    Values[I] = value(Product);
    return;
  }
  if (I->getOpcode() == Instruction::FRem) {
    Type *Ty = I->getType();
    FunctionCallee Fmod =
        M.getOrInsertFunction(Ty->isFloatTy() ? "fmodf" : "fmod", Ty, Ty, Ty);
    Values[I] =
        B.CreateCall(Fmod, {value(I->getOperand(0)), value(I->getOperand(1))});
    return;
  }
  Instruction *New = I->clone();
  for (Use &U : New->operands())
    U.set(value(U.get()));
  New->dropUnknownNonDebugMetadata();
  New->setDebugLoc(DebugLoc());
  Values[I] = B.Insert(New);
}

Value *KernelBuilder::call(CallInst *Call) {
  SmallVector<Value *, 4> Operands;
  for (const Use &U : Call->args())
    Operands.push_back(value(U.get()));
  Instruction *New;
  StringRef Name = libraryName(*Call);
  Intrinsic::ID ID =
      Name.empty() ? Call->getIntrinsicID() : exactIntrinsic(Name);
  // Contraction is the source's choice and the same on every device.
  if (ID == Intrinsic::fmuladd)
    ID = Intrinsic::fma;
  if (ID != Intrinsic::not_intrinsic) {
    SmallVector<Type *, 1> Overloads;
    if (Intrinsic::isOverloaded(ID))
      Overloads.push_back(Call->getType());
    Function *Callee = Intrinsic::getOrInsertDeclaration(&M, ID, Overloads);
    New = B.CreateCall(Callee, Operands);
  } else {
    SmallVector<Type *, 4> Types(Operands.size(), Call->getType());
    FunctionCallee Callee = M.getOrInsertFunction(
        Name, FunctionType::get(Call->getType(), Types, false));
    auto *Fn = cast<Function>(Callee.getCallee());
    Fn->setMemoryEffects(MemoryEffects::none());
    Fn->setDoesNotThrow();
    Fn->setWillReturn();
    New = B.CreateCall(Callee, Operands);
  }
  if (isa<FPMathOperator>(New))
    New->copyFastMathFlags(Call);
  return New;
}

/// Numbers and vectors of numbers, no addresses.
static bool isPlainConstant(const Constant *C) {
  if (isa<ConstantVector>(C))
    return all_of(C->operands(), [](const Use &U) {
      return isPlainConstant(cast<Constant>(U.get()));
    });
  return isa<ConstantInt, ConstantFP, ConstantAggregateZero, ConstantDataVector,
             UndefValue>(C);
}

Value *KernelBuilder::value(Value *V) {
  auto It = Values.find(V);
  if (It != Values.end())
    return It->second;
  if (V->getType()->isPtrOrPtrVectorTy()) {
    refuse(dyn_cast<Instruction>(V), "PointerValue",
           "a pointer is used as a value (stored, compared or passed on), not "
           "only to access an array; keep pointers out of the loops");
    return PoisonValue::get(V->getType());
  }
  if (auto *C = dyn_cast<Constant>(V)) {
    if (isPlainConstant(C))
      return C;
    refuse(nullptr, "Constant",
           "a constant contains the address of a variable; keep addresses out "
           "of the loops");
    return PoisonValue::get(V->getType());
  }
  auto *I = dyn_cast<Instruction>(V);
  bool Inside = I && S.contains(I);
  Loop *Scope = Stmt->getSurroundingLoop();
  if (Inside && polly::canSynthesize(V, S, &SE, Scope))
    return Values[V] = scev(SE.getSCEVAtScope(V, Scope));
  if (!Inside) {
    if (!isKernelType(V->getType())) {
      refuse(I, "Type",
             "the value '" + sourceName(V) +
                 "' has a type without an equal on the device");
      return PoisonValue::get(V->getType());
    }
    Type *Ty = V->getType()->isIntegerTy(1) ? B.getInt8Ty() : V->getType();
    Value *Arg =
        argument({KernelArg::Scalar, 0, 0, nullptr, V, Ty}, V->getName());
    return Values[V] = B.CreateTrunc(Arg, V->getType());
  }
  refuse(I, "Value",
         "a value that is computed in one statement is used in "
         "another in a way that was not modelled");
  return PoisonValue::get(V->getType());
}

//===-- Scalar evolution --------------------------------------------------===//

/// True if \p E can be computed before the SCoP.
bool KernelBuilder::isInvariant(const SCEV *E) const {
  return !SCEVExprContains(E, [&](const SCEV *Part) {
    if (const auto *AR = dyn_cast<SCEVAddRecExpr>(Part))
      return S.contains(AR->getLoop());
    if (const auto *U = dyn_cast<SCEVUnknown>(Part)) {
      const auto *I = dyn_cast<Instruction>(U->getValue());
      return I && S.contains(I);
    }
    return isa<SCEVCouldNotCompute>(Part);
  });
}

Value *KernelBuilder::addRec(const SCEVAddRecExpr *E) {
  if (!E->isAffine()) {
    refuse(nullptr, "NonAffineValue",
           "a value grows by a different amount in each iteration; compute "
           "it from the loop counter");
    return PoisonValue::get(E->getType());
  }
  Value *Iteration = nullptr;
  for (unsigned D = 0; D < Iterators.size(); ++D)
    if (Stmt->getLoopForDimension(D) == E->getLoop())
      Iteration = Iterators[D];
  if (!Iteration) {
    refuse(nullptr, "Value",
           "a loop counter is used after its loop in a way "
           "that was not modelled");
    return PoisonValue::get(E->getType());
  }
  // Counts are not negative and fit the index type.
  Iteration = B.CreateZExtOrTrunc(Iteration, E->getType());
  Value *Step = scev(E->getStepRecurrence(SE));
  return B.CreateAdd(scev(E->getStart()), B.CreateMul(Step, Iteration));
}

Value *KernelBuilder::scevNAry(const SCEVNAryExpr *E) {
  auto Combine = [&](Value *L, Value *R) -> Value * {
    switch (E->getSCEVType()) {
    case scAddExpr:
      return B.CreateAdd(L, R);
    case scMulExpr:
      return B.CreateMul(L, R);
    case scSMaxExpr:
      return B.CreateBinaryIntrinsic(Intrinsic::smax, L, R);
    case scUMaxExpr:
      return B.CreateBinaryIntrinsic(Intrinsic::umax, L, R);
    case scSMinExpr:
      return B.CreateBinaryIntrinsic(Intrinsic::smin, L, R);
    case scUMinExpr:
    case scSequentialUMinExpr:
      return B.CreateBinaryIntrinsic(Intrinsic::umin, L, R);
    default:
      return fail();
    }
  };
  Value *Result = nullptr;
  for (const SCEV *Op : E->operands()) {
    Value *V = scev(Op);
    Result = Result ? Combine(Result, V) : V;
  }
  return Result;
}

Value *KernelBuilder::scev(const SCEV *E) {
  if (!E->getType()->isIntegerTy() || E->getType()->getIntegerBitWidth() > 64) {
    refuse(nullptr, "PointerValue",
           "a pointer is used as a value (stored, compared or passed on), not "
           "only to access an array; keep pointers out of the loops");
    return PoisonValue::get(E->getType());
  }
  if (const auto *C = dyn_cast<SCEVConstant>(E))
    return C->getValue();
  if (isInvariant(E)) {
    Type *Ty = E->getType()->isIntegerTy(1) ? B.getInt8Ty() : E->getType();
    Value *Arg = argument({KernelArg::Scev, 0, 0, E, nullptr, Ty}, "invariant");
    return B.CreateTrunc(Arg, E->getType());
  }
  if (const auto *U = dyn_cast<SCEVUnknown>(E))
    return value(U->getValue());
  if (const auto *AR = dyn_cast<SCEVAddRecExpr>(E))
    return addRec(AR);
  if (const auto *Cast = dyn_cast<SCEVCastExpr>(E)) {
    Value *Op = scev(Cast->getOperand());
    if (isa<SCEVTruncateExpr>(E))
      return B.CreateTrunc(Op, E->getType());
    if (isa<SCEVZeroExtendExpr>(E))
      return B.CreateZExt(Op, E->getType());
    if (isa<SCEVSignExtendExpr>(E))
      return B.CreateSExt(Op, E->getType());
    refuse(nullptr, "PointerValue",
           "a pointer is turned into an integer; keep pointers out of the "
           "loops");
    return PoisonValue::get(E->getType());
  }
  if (const auto *Div = dyn_cast<SCEVUDivExpr>(E)) {
    Value *L = scev(Div->getLHS());
    return B.CreateUDiv(L, scev(Div->getRHS()));
  }
  if (const auto *NAry = dyn_cast<SCEVNAryExpr>(E))
    return scevNAry(NAry);
  refuse(nullptr, "Value", "an expression could not be moved to the device");
  return PoisonValue::get(E->getType());
}

} // namespace polygpu
