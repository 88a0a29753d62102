//===- Kernel.cpp - Device code of a SCoP ---------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernel.h"
#include "AstBuilder.h"
#include "Buffers.h"
#include "Legality.h"
#include "MathCalls.h"
#include "Mutate.h"
#include "Target.h"
#include "polly/ScopInfo.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/ConstantRange.h"
#include "llvm/IR/DIBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"

using namespace llvm;
using polly::MemoryAccess;
using polly::ScopStmt;

namespace polygpu {

namespace {

/// Generates one kernel.
///
/// The function gets its parameters last, when it is known what is needed:
/// until then every parameter is a placeholder instruction.
class KernelBuilder final : public AstBuilder {
public:
  KernelBuilder(IRBuilder<> &B, IntegerType *IndexType, Module &M,
                const pg_plan &Plan, const pg_kernel &K,
                const ImportedScop &Imported, polly::Scop &S)
      : AstBuilder(B, IndexType), M(M), Plan(Plan), K(K), Imported(Imported),
        S(S), SE(*S.getSE()),
        Closer(
            B, M, *this, Plan, K, [this](unsigned A) { return elementType(A); },
            [this](unsigned A, ArrayRef<Value *> Subscripts) {
              return globalAddress(A, Subscripts);
            }) {}

  std::optional<Refusal> run(std::vector<KernelArg> &Args);

private:
  Module &M;
  const pg_plan &Plan;
  const pg_kernel &K;
  const ImportedScop &Imported;
  polly::Scop &S;
  ScalarEvolution &SE;
  std::vector<KernelArg> Args;
  std::vector<Instruction *> Placeholders;
  std::optional<Refusal> Why;
  DISubprogram *SP = nullptr;

  // The statement instance that is being generated.
  ScopStmt *Stmt = nullptr;
  const pg_user *User = nullptr;
  SmallVector<Value *, 8> Iterators;
  DenseMap<Value *, Value *> Values;

  DenseMap<unsigned, Value *> Variables; ///< by array, where it has one
  Buffers Closer;
  BitVector Stored; ///< arrays that the kernel writes

  Value *argument(KernelArg A, const Twine &Name);
  Value *position(const char *Function, unsigned Dim, unsigned Size);
  void refuse(const Instruction *I, const char *Name, const std::string &Text);
  Value *unknownVariable(StringRef Name) override;
  Value *condition(Value *Test) override;
  void user(const pg_user &U) override;
  void statement();
  void barrier();
  void copy();
  void fillBuffer(const pg_user &U);
  void moveRegister(const pg_user &U);
  Value *variable(unsigned Array);
  Type *elementType(unsigned Array) const;
  Value *extent(unsigned Array, unsigned Dim);
  unsigned accessIndex(const MemoryAccess *MA) const;
  Value *globalAddress(unsigned Array, ArrayRef<Value *> Subscripts);
  Value *address(unsigned Access, Align &Alignment);
  Align alignment(unsigned Array) const;
  Value *loadElement(unsigned Access, unsigned Array, Type *Ty);
  void storeElement(unsigned Access, unsigned Array, Value *V);
  Value *loadAccess(const MemoryAccess *MA, Type *Ty);
  void storeAccess(const MemoryAccess *MA, Value *V);
  void instruction(Instruction *I);
  Value *call(CallInst *Call);
  Value *value(Value *V);
  Value *scev(const SCEV *E);
  Value *scevNAry(const SCEVNAryExpr *E);
  Value *addRec(const SCEVAddRecExpr *E);
  bool isInvariant(const SCEV *E) const;
  void finish(Function *Draft);
  void setDebugLoc(const DebugLoc &Loc);
};

void KernelBuilder::refuse(const Instruction *I, const char *Name,
                           const std::string &Text) {
  if (!Why)
    Why = Refusal{Name, Text, I ? I->getDebugLoc() : DebugLoc(),
                  const_cast<Instruction *>(I)};
}

Value *KernelBuilder::argument(KernelArg A, const Twine &Name) {
  for (unsigned I = 0; I < Args.size(); ++I) {
    const KernelArg &O = Args[I];
    if (O.Kind == A.Kind && O.Index == A.Index && O.Dim == A.Dim &&
        O.Expr == A.Expr && O.V == A.V)
      return Placeholders[I];
  }
  BasicBlock &Entry = B.GetInsertBlock()->getParent()->getEntryBlock();
  auto *P =
      new FreezeInst(PoisonValue::get(A.Ty), Name, Entry.getFirstInsertionPt());
  Args.push_back(A);
  Placeholders.push_back(P);
  return P;
}

/// The position in dimension \p Dim, which has \p Size.
Value *KernelBuilder::position(const char *Function, unsigned Dim,
                               unsigned Size) {
  FunctionCallee Callee = M.getOrInsertFunction(
      Function, FunctionType::get(B.getInt32Ty(), {B.getInt32Ty()}, false));
  cast<llvm::Function>(Callee.getCallee())
      ->setMemoryEffects(MemoryEffects::none());
  CallInst *Call = B.CreateCall(Callee, {B.getInt32(Dim)});
  Call->addRangeRetAttr(ConstantRange(APInt(32, 0), APInt(32, Size)));
  return B.CreateZExtOrTrunc(Call, IndexType);
}

Value *KernelBuilder::unknownVariable(StringRef Name) {
  for (unsigned I = 0; I < K.n_host; ++I)
    if (Name == K.host[I])
      return argument({KernelArg::Host, I, 0, nullptr, nullptr, IndexType},
                      Name);
  const pg_scop *P = Plan.scop;
  for (unsigned I = 0; I < P->n_param; ++I)
    if (Name == P->params[I].name)
      return argument({KernelArg::Param, I, 0, nullptr, nullptr, IndexType},
                      Name);
  return fail();
}

void KernelBuilder::setDebugLoc(const DebugLoc &Loc) {
  if (SP && Loc)
    B.SetCurrentDebugLocation(
        DILocation::get(B.getContext(), Loc.getLine(), Loc.getCol(), SP));
}

void KernelBuilder::user(const pg_user &U) {
  if (U.kind == PG_USER_BARRIER)
    return barrier();
  if (U.kind == PG_USER_COPY)
    return fillBuffer(U);
  if (U.kind == PG_USER_LOAD || U.kind == PG_USER_STORE)
    return moveRegister(U);
  if (U.kind != PG_USER_STMT) {
    fail();
    return;
  }
  User = &U;
  const pg_stmt &Source = Plan.scop->stmts[U.index];
  if (Source.copy)
    return copy();
  Stmt = Imported.Stmts[Source.origin];
  Iterators.clear();
  Values.clear();
  for (unsigned I = 0; I < U.n; ++I)
    Iterators.push_back(expr(U.args[I]));
  statement();
}

Value *KernelBuilder::condition(Value *Test) {
  return isMutated(Mutation::Guard, K.name) ? B.getTrue() : Test;
}

void KernelBuilder::barrier() {
  if (isMutated(Mutation::Barrier, K.name))
    return;
  FunctionCallee Callee = M.getOrInsertFunction(
      BarrierName, FunctionType::get(B.getVoidTy(), false));
  auto *F = cast<Function>(Callee.getCallee());
  F->addFnAttr(Attribute::Convergent);
  F->setDoesNotThrow();
  B.CreateCall(Callee)->setConvergent();
}

unsigned KernelBuilder::accessIndex(const MemoryAccess *MA) const {
  const auto &List = Imported.Accesses[Plan.scop->stmts[User->index].origin];
  return std::find(List.begin(), List.end(), MA) - List.begin();
}

Align KernelBuilder::alignment(unsigned Array) const {
  // Device copies start aligned and keep the distance between elements.
  unsigned Size = Plan.scop->arrays[Array].elem_size;
  return Align(Size & (~Size + 1));
}

/// The address of an element in memory of the device.
Value *KernelBuilder::globalAddress(unsigned Array,
                                    ArrayRef<Value *> Subscripts) {
  Value *Base = argument(
      {KernelArg::Array, Array, 0, nullptr, nullptr, B.getPtrTy(GlobalSpace)},
      Plan.scop->arrays[Array].name);
  Value *Offset = nullptr;
  for (unsigned D = 0; D < Subscripts.size(); ++D) {
    Value *Index = B.CreateSExtOrTrunc(Subscripts[D], B.getInt64Ty());
    if (Offset)
      Index = B.CreateNSWAdd(B.CreateNSWMul(Offset, extent(Array, D)), Index);
    Offset = Index;
  }
  if (isMutated(Mutation::Index, K.name))
    Offset = B.CreateAdd(Offset ? Offset : B.getInt64(0), B.getInt64(1));
  if (!Offset)
    return Base;
  return B.CreateGEP(elementType(Array), Base, Offset);
}

Value *KernelBuilder::address(unsigned Access, Align &Alignment) {
  const pg_access &A = Plan.scop->stmts[User->index].accesses[Access];
  int Buffer = User->redirected[Access];
  Alignment = alignment(A.array);
  if (Plan.local[A.array] && Buffer < 0)
    return variable(A.array);
  SmallVector<Value *, 4> Subscripts;
  for (isl_ast_expr **E = User->access[Access]; *E; ++E)
    Subscripts.push_back(expr(*E));
  if (Buffer < 0)
    return globalAddress(A.array, Subscripts);
  Value *Address = Closer.address(Buffer, Subscripts, Alignment);
  return Address ? Address : PoisonValue::get((fail(), B.getPtrTy()));
}

/// All threads fill a buffer in shared memory.
void KernelBuilder::fillBuffer(const pg_user &U) {
  SmallVector<Value *, 4> Corner;
  for (unsigned I = 0; I < U.n; ++I)
    Corner.push_back(expr(U.args[I]));
  if (isMutated(Mutation::Copy, K.name))
    return;
  Closer.copy(U.index, Corner, U.whole ? toBool(expr(U.whole)) : nullptr);
}

/// Load a register from memory, or store it there.
void KernelBuilder::moveRegister(const pg_user &U) {
  unsigned Array = K.buffers[U.index].array;
  if (Plan.local[Array])
    return;
  SmallVector<Value *, 4> Subscripts, Point;
  for (unsigned I = 0; I < U.n; ++I)
    Subscripts.push_back(expr(U.args[I]));
  for (isl_ast_expr **E = U.access[0]; *E; ++E)
    Point.push_back(expr(*E));
  Align InRegister;
  Value *Register = Closer.address(U.index, Point, InRegister);
  if (!Register) {
    fail();
    return;
  }
  Value *Memory = globalAddress(Array, Subscripts);
  Type *Ty = elementType(Array);
  if (U.kind == PG_USER_LOAD) {
    B.CreateAlignedStore(B.CreateAlignedLoad(Ty, Memory, alignment(Array)),
                         Register, InRegister);
    return;
  }
  Stored.set(Array);
  B.CreateAlignedStore(B.CreateAlignedLoad(Ty, Register, InRegister), Memory,
                       alignment(Array));
}

/// The thread's own variable for an array.
Value *KernelBuilder::variable(unsigned Array) {
  Value *&V = Variables[Array];
  if (!V) {
    BasicBlock &Entry = B.GetInsertBlock()->getParent()->getEntryBlock();
    V = new AllocaInst(
        elementType(Array), M.getDataLayout().getAllocaAddrSpace(),
        Plan.scop->arrays[Array].name, Entry.getFirstInsertionPt());
  }
  return V;
}

Type *KernelBuilder::elementType(unsigned Array) const {
  return Imported.ElementTypes[Plan.scop->arrays[Array].origin];
}

/// The number of elements of an array in dimension \p Dim, as i64.
Value *KernelBuilder::extent(unsigned Array, unsigned Dim) {
  const pg_array &A = Plan.scop->arrays[Array];
  if (A.kind != PG_ARRAY_TEMPORARY) {
    const SCEV *Size = Imported.Arrays[Array]->getDimensionSize(Dim);
    if (const auto *C = dyn_cast<SCEVConstant>(Size))
      return B.getInt64(C->getAPInt().getSExtValue());
  }
  return argument(
      {KernelArg::Extent, Array, Dim, nullptr, nullptr, B.getInt64Ty()},
      Twine(A.name) + "_size" + Twine(Dim));
}

/// A statement of the core's.
void KernelBuilder::copy() {
  const pg_stmt &S = Plan.scop->stmts[User->index];
  unsigned From = S.accesses[0].array, To = S.accesses[1].array;
  guarded(User->guard[0], [&] {
    storeElement(1, To, loadElement(0, From, elementType(From)));
  });
}

/// Load an element.  A scalar that is mapped to it may have another type, and
/// has its bits there.
Value *KernelBuilder::loadElement(unsigned Access, unsigned Array, Type *Ty) {
  Type *Element = elementType(Array);
  Align Alignment;
  Value *Address = address(Access, Alignment);
  if (Element == Ty)
    return B.CreateAlignedLoad(Ty, Address, Alignment);
  Value *V = B.CreateAlignedLoad(
      B.getIntNTy(8 * Plan.scop->arrays[Array].elem_size), Address, Alignment);
  return B.CreateBitCast(
      B.CreateTrunc(V, B.getIntNTy(Ty->getScalarSizeInBits())), Ty);
}

void KernelBuilder::storeElement(unsigned Access, unsigned Array, Value *V) {
  if (elementType(Array) != V->getType())
    V = B.CreateZExt(
        B.CreateBitCast(V, B.getIntNTy(V->getType()->getScalarSizeInBits())),
        B.getIntNTy(8 * Plan.scop->arrays[Array].elem_size));
  Align Alignment;
  Value *Address = address(Access, Alignment);
  Stored.set(Array);
  B.CreateAlignedStore(V, Address, Alignment);
}

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

//===-- The function ------------------------------------------------------===//

/// Replace the draft by a function with the parameters that turned out to be
/// needed.
void KernelBuilder::finish(Function *Draft) {
  SmallVector<Type *, 16> Types;
  for (const KernelArg &A : Args)
    Types.push_back(A.Ty);
  auto *F = Function::Create(FunctionType::get(B.getVoidTy(), Types, false),
                             GlobalValue::ExternalLinkage, "", M);
  F->takeName(Draft);
  F->copyAttributesFrom(Draft);
  F->setSubprogram(Draft->getSubprogram());
  Draft->setSubprogram(nullptr);
  F->splice(F->begin(), Draft);
  for (unsigned I = 0; I < Args.size(); ++I) {
    Argument *A = F->getArg(I);
    A->takeName(Placeholders[I]);
    Placeholders[I]->replaceAllUsesWith(A);
    Placeholders[I]->eraseFromParent();
    if (Args[I].Kind != KernelArg::Array)
      continue;
    // Every array has a device buffer of its own.
    A->addAttr(Attribute::NoAlias);
    A->addAttr(
        Attribute::getWithCaptureInfo(M.getContext(), CaptureInfo::none()));
    if (!Stored.test(Args[I].Index))
      A->addAttr(Attribute::ReadOnly);
  }
  Draft->eraseFromParent();
}

std::optional<Refusal> KernelBuilder::run(std::vector<KernelArg> &Result) {
  auto *Draft = Function::Create(FunctionType::get(B.getVoidTy(), false),
                                 GlobalValue::ExternalLinkage, K.name, M);
  Draft->setDoesNotThrow();
  if (DISubprogram *Source = S.getFunction().getSubprogram()) {
    DIBuilder DIB(M, false, nullptr);
    DIFile *File =
        DIB.createFile(Source->getFilename(), Source->getDirectory());
    DIB.createCompileUnit(
        DISourceLanguageName(Source->getUnit()->getSourceLanguage()), File,
        "polygpu", true, "", 0, "",
        DICompileUnit::DebugEmissionKind::DebugDirectivesOnly);
    SP = DIB.createFunction(
        File, K.name, K.name, File, K.line,
        DIB.createSubroutineType(DIB.getOrCreateTypeArray({})), K.line,
        DINode::FlagZero, DISubprogram::SPFlagDefinition);
    Draft->setSubprogram(SP);
    DIB.finalize();
  }
  Stored.resize(Plan.scop->n_array);
  B.SetInsertPoint(BasicBlock::Create(M.getContext(), "entry", Draft));
  B.SetCurrentDebugLocation(
      SP ? DebugLoc(DILocation::get(M.getContext(), K.line, 0, SP))
         : DebugLoc());
  for (unsigned D = 0; D < K.n_grid; ++D)
    define("b" + std::to_string(D), position(BlockIdName, D, K.grid_limit[D]));
  for (unsigned D = 0; D < K.n_block; ++D)
    define("t" + std::to_string(D), position(ThreadIdName, D, K.block[D]));
  node(K.ast);
  B.CreateRetVoid();
  if (!Why && failed())
    Why = Refusal{"Expression",
                  "the code for the kernel contains an expression that is "
                  "not supported; please report this with the source",
                  DebugLoc()};
  if (Why)
    return Why;
  finish(Draft);
  Result = std::move(Args);
  return std::nullopt;
}

} // namespace

std::optional<Refusal> generateKernels(const pg_plan &Plan,
                                       const ImportedScop &Imported,
                                       polly::Scop &S, DeviceCode &Result) {
  Function &Host = S.getFunction();
  LLVMContext &Ctx = Host.getContext();
  Result.Module = std::make_unique<Module>("polygpu.device", Ctx);
  Result.Module->setDataLayout(deviceDataLayout());
  if (Host.getSubprogram())
    Result.Module->addModuleFlag(Module::Warning, "Debug Info Version",
                                 DEBUG_METADATA_VERSION);
  IRBuilder<> B(Ctx);
  auto *IndexType = IntegerType::get(Ctx, Plan.index_bits);
  for (unsigned I = 0; I < Plan.n_kernel; ++I) {
    Result.Args.emplace_back();
    KernelBuilder Builder(B, IndexType, *Result.Module, Plan, Plan.kernels[I],
                          Imported, S);
    if (auto Why = Builder.run(Result.Args.back())) {
      Result.Module.reset();
      return Why;
    }
  }
  std::string Text;
  raw_string_ostream OS(Text);
  if (verifyModule(*Result.Module, &OS))
    return Refusal{"InvalidKernel",
                   "the generated kernel is not valid (" + Text +
                       "); please report this with the source",
                   DebugLoc()};
  return std::nullopt;
}

} // namespace polygpu
