//===- Statement.cpp - What a statement of a kernel computes ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kernel/Statement.h"
#include "polly/ScopInfo.h"
#include "prepare/IndirectReads.h"
#include "prepare/IndirectUpdates.h"
#include "scop/Types.h"
#include "target/MathCalls.h"
#include "verify/Mutate.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/LowerAtomic.h"

using namespace llvm;
using polly::MemoryAccess;

namespace polygpu {

StatementCloner::StatementCloner(KernelContext &C, AstBuilder &Ast,
                                 Arguments &Args, Memory &Mem, Buffers &Bufs,
                                 const Products &Prod, const pg_user &User,
                                 ArrayRef<Value *> Counters)
    : C(C), Ast(Ast), Args(Args), Mem(Mem), Prod(Prod), User(User),
      At(C, Ast, Mem, Bufs, User),
      Stmt(*C.Imported.Stmts[C.Plan.scop->stmts[User.index].origin]),
      SE(*C.S.getSE()), Counters(Counters) {}

/// Is \p I on the way to an updated value that is computed in another order?
/// Then what it says of values may not hold.
bool StatementCloner::isReordered(const Instruction *I) const {
  const pg_stmt &S = C.Plan.scop->stmts[User.index];
  return S.reordered && is_contained(C.Imported.Updates[S.origin], I);
}

unsigned StatementCloner::accessIndex(const MemoryAccess *MA) const {
  const auto &List = C.Imported.Accesses[C.Plan.scop->stmts[User.index].origin];
  return std::find(List.begin(), List.end(), MA) - List.begin();
}

Value *StatementCloner::loadAccess(const MemoryAccess *MA, Type *Ty) {
  unsigned Index = accessIndex(MA);
  if (Mem.elementType(At.array(Index)) != Ty && MA->isOriginalArrayKind()) {
    C.refuse(MA->getAccessInstruction(), "ElementTypes",
             "an array is accessed with different element types; use one type");
    return PoisonValue::get(Ty);
  }
  // Memory of the program may be there under the condition only.
  Value *Executed = executedOnHost(*MA);
  if (!At.guard(Index) && !Executed)
    return At.load(Index, Ty);
  // Where the access does not happen nothing uses the value.
  BasicBlock *Before = C.B.GetInsertBlock(), *Inside = nullptr;
  Value *Loaded = nullptr;
  auto Load = [&] {
    Loaded = At.load(Index, Ty);
    Inside = C.B.GetInsertBlock();
  };
  if (Executed)
    Ast.branch(Executed, Load);
  else
    Ast.guarded(At.guard(Index), Load);
  PHINode *Phi = C.B.CreatePHI(Ty, 2);
  Phi->addIncoming(Executed ? Constant::getNullValue(Ty) : PoisonValue::get(Ty),
                   Before);
  Phi->addIncoming(Loaded, Inside);
  return Phi;
}

/// On the CPU, of an access that the program makes under a condition only: that
/// one, i1; null for other accesses.
Value *StatementCloner::executedOnHost(const MemoryAccess &MA) {
  if (!C.ForHost || !MA.isOriginalArrayKind() ||
      !C.Imported.Guarded->isGuarded(*MA.getAccessInstruction()))
    return nullptr;
  if (At.guard(accessIndex(&MA)))
    C.refuse(MA.getAccessInstruction(), "Conditions",
             "an access has a condition on data, and another one; join them "
             "to one, in one if");
  return whenExecuted(
      *MA.getAccessInstruction(),
      "the condition for an access is not known where it is; please "
      "report this with the source");
}

void StatementCloner::storeAccess(const MemoryAccess *MA, Value *V) {
  unsigned Index = accessIndex(MA);
  if (Mem.elementType(At.array(Index)) != V->getType() &&
      MA->isOriginalArrayKind()) {
    C.refuse(MA->getAccessInstruction(), "ElementTypes",
             "an array is accessed with different element types; use one type");
    return;
  }
  if (Value *Executed = executedOnHost(*MA))
    return Ast.branch(Executed, [&] { At.store(Index, V); });
  // A scalar that is kept in an element is what the program stores there later,
  // and that store may be gone.
  Value *Written =
      MA->isOriginalArrayKind()
          ? whenExecuted(*MA->getAccessInstruction(),
                         "the condition for a store is not known where it is; "
                         "please report this with the source")
          : C.B.getTrue();
  Ast.guarded(At.guard(Index), [&] {
    // In front, so that its load can come before other points' stores.
    if (Written && !C.ForHost)
      At.mark(Index, Written);
    At.store(Index, V);
  });
}

/// Compute \p V, which only a condition uses and which is no part of the
/// statement therefore; false if something else is needed for that.
bool StatementCloner::computeGuard(Value &V, unsigned Steps) {
  if (isa<Constant>(V) || Values.count(&V))
    return true;
  auto *I = dyn_cast<Instruction>(&V);
  if (!I || !Steps || !Stmt.represents(I->getParent()) ||
      !isa<BinaryOperator, CmpInst, SelectInst, CastInst, FreezeInst>(I) ||
      !all_of(I->operands(),
              [&](Use &U) { return computeGuard(*U, Steps - 1); }))
    return false;
  instruction(I);
  return true;
}

/// i1: does the program execute \p I as well?  \p Why is what to say where
/// that is not known.
Value *StatementCloner::whenExecuted(const Instruction &I, const char *Why) {
  if (!C.Imported.Guarded->isGuarded(I))
    return C.B.getTrue();
  Value *Guard = C.Imported.Guarded->guardOf(I);
  static const unsigned MaxSteps = 8;
  if (Guard && computeGuard(*Guard, MaxSteps))
    return value(Guard);
  C.refuse(&I, "Conditions", Why);
  return C.B.getTrue();
}

void StatementCloner::run() {
  for (const MemoryAccess *MA : Stmt) {
    if (MA->isOriginalArrayKind() || MA->isWrite() ||
        (isReadOnlyScalar(*MA, C.S) && MA->isLatestScalarKind()))
      continue;
    Value *Read = MA->isOriginalPHIKind()
                      ? MA->getAccessInstruction()
                      : MA->getOriginalScopArrayInfo()->getBasePtr();
    Values[Read] = loadAccess(MA, Read->getType());
  }
  for (Instruction *I : Stmt.getInstructions()) {
    if (C.Why)
      return;
    instruction(I);
  }
  for (const MemoryAccess *MA : Stmt) {
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
LoadInst *StatementCloner::factorInBuffer(const Instruction *I) const {
  if (Prod.all().empty() || I->getOpcode() != Instruction::FMul)
    return nullptr;
  for (Value *Operand : I->operands()) {
    auto *Load = dyn_cast<LoadInst>(Operand);
    const MemoryAccess *MA =
        Load ? Stmt.getArrayAccessOrNULLFor(Load) : nullptr;
    bool IsProduct = MA && Prod.has(At.buffer(accessIndex(MA)), I);
    // To be noticed: as if all parts had the products that one has.
    if (MA && !IsProduct &&
        any_of(Prod.all(), [&](auto &P) { return P.second.Of == I; }) &&
        isMutated(Mutation::Product, C.K.name))
      return Load;
    if (IsProduct)
      return Load;
  }
  return nullptr;
}

void StatementCloner::instruction(Instruction *I) {
  C.setDebugLoc(I->getDebugLoc());
  if (isa<PHINode>(I)) {
    if (!Values.count(I))
      C.refuse(I, "Value",
               "a value that depends on the way taken is used in a "
               "way that was not modelled; please report this with the source");
    return;
  }
  if (isUpdateToken(getLoadStorePointerOperand(I)) || indirectUpdate(I)) {
    if (auto *Store = dyn_cast<StoreInst>(I))
      update(*Store);
    else // of use for the token only
      Values[I] = PoisonValue::get(I->getType());
    return;
  }
  if (auto *Load = dyn_cast<LoadInst>(I)) {
    const MemoryAccess *MA = Stmt.getArrayAccessOrNULLFor(Load);
    if (!MA)
      return C.refuse(I, "Access",
                      "a load could not be described; please report this with "
                      "the source");
    Values[I] = loadAccess(MA, Load->getType());
    return;
  }
  if (auto *Store = dyn_cast<StoreInst>(I)) {
    const MemoryAccess *MA = Stmt.getArrayAccessOrNULLFor(Store);
    if (!MA)
      return C.refuse(I, "Access",
                      "a store could not be described; please report this with "
                      "the source");
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
        C.M.getOrInsertFunction(Ty->isFloatTy() ? "fmodf" : "fmod", Ty, Ty, Ty);
    Values[I] = C.B.CreateCall(
        Fmod, {value(I->getOperand(0)), value(I->getOperand(1))});
    return;
  }
  Instruction *New = I->clone();
  for (Use &U : New->operands())
    U.set(value(U.get()));
  New->dropUnknownNonDebugMetadata();
  New->setDebugLoc(DebugLoc());
  if (isReordered(I))
    New->dropPoisonGeneratingFlags();
  Values[I] = C.B.Insert(New);
}

/// An element of an array that is not in the model; \p Read is in a body.
Value *StatementCloner::readIndirectly(const LoadInst &Read) {
  unsigned Array = C.Imported.indirectArray(Read);
  Value *Base = Mem.place(Array, {}).first;
  Value *Address = C.B.CreatePtrAdd(Base, value(placeOf(Read).Offset));
  return Mem.load(Array, Address, Read.getType());
}

/// The instructions of a block of a body; phis and branches follow.
void StatementCloner::bodyBlock(BasicBlock &BB) {
  for (Instruction &I : BB) {
    if (auto *Phi = dyn_cast<PHINode>(&I))
      Values[Phi] = C.B.CreatePHI(Phi->getType(), Phi->getNumIncomingValues());
    else if (auto *Load = dyn_cast<LoadInst>(&I))
      Values[Load] = readIndirectly(*Load);
    else if (!isa<GetElementPtrInst>(I) && !I.isTerminator() &&
             !I.isDebugOrPseudoInst())
      instruction(&I);
  }
}

/// What \p Call stands for.
Value *StatementCloner::body(const CallInst &Call) {
  Function &Body = *Call.getCalledFunction();
  for (Argument &A : Body.args())
    if (!A.getType()->isPointerTy())
      Values[&A] = value(Call.getArgOperand(A.getArgNo()));
  if (const LoadInst *Read = resultOf(Call))
    return readIndirectly(*Read);
  Function *Kernel = C.B.GetInsertBlock()->getParent();
  DenseMap<const BasicBlock *, BasicBlock *> Blocks;
  SmallVector<BasicBlock *, 8> Order;
  for (BasicBlock *BB : ReversePostOrderTraversal<Function *>(&Body)) {
    Order.push_back(BB);
    Blocks[BB] = BasicBlock::Create(C.B.getContext(), "indirect", Kernel);
  }
  BasicBlock *End = BasicBlock::Create(C.B.getContext(), "indirect", Kernel);
  C.B.CreateBr(Blocks[Order.front()]);
  Value *Result = nullptr;
  for (BasicBlock *BB : Order) {
    C.B.SetInsertPoint(Blocks[BB]);
    bodyBlock(*BB);
    if (auto *Return = dyn_cast<ReturnInst>(BB->getTerminator())) {
      Result = value(Return->getReturnValue());
      C.B.CreateBr(End);
      continue;
    }
    auto *Branch = cast<BranchInst>(BB->getTerminator());
    if (Branch->isConditional())
      C.B.CreateCondBr(value(Branch->getCondition()),
                       Blocks[Branch->getSuccessor(0)],
                       Blocks[Branch->getSuccessor(1)]);
    else
      C.B.CreateBr(Blocks[Branch->getSuccessor(0)]);
  }
  for (BasicBlock *BB : Order)
    for (PHINode &Phi : BB->phis())
      for (unsigned N = 0; N < Phi.getNumIncomingValues(); ++N)
        cast<PHINode>(Values[&Phi])
            ->addIncoming(value(Phi.getIncomingValue(N)),
                          Blocks[Phi.getIncomingBlock(N)]);
  C.B.SetInsertPoint(End);
  return Result;
}

/// The same where the program executes it, else zero: what an index is there
/// is not known.
Value *StatementCloner::guardedBody(const CallInst &Call) {
  Value *Guard = whenExecuted(
      Call, "an element whose index is data is read under a condition on data, "
            "and what follows from it is used elsewhere; read the element and "
            "use it in one statement under the condition");
  if (isa<Constant>(Guard))
    return cast<Constant>(Guard)->isOneValue()
               ? body(Call)
               : Constant::getNullValue(Call.getType());
  BasicBlock *Before = C.B.GetInsertBlock(), *Inside = nullptr;
  Value *Result = nullptr;
  Ast.branch(Guard, [&] {
    Result = body(Call);
    Inside = C.B.GetInsertBlock();
  });
  PHINode *Phi = C.B.CreatePHI(Call.getType(), 2);
  Phi->addIncoming(Constant::getNullValue(Call.getType()), Before);
  Phi->addIncoming(Result, Inside);
  return Phi;
}

/// An update in the program's memory, where nothing is written that would stay
/// as it is if the program does not write that.
void StatementCloner::updateOnHost(const CallInst &Call, unsigned Array,
                                   Value *Offset, Value *With) {
  AtomicRMWInst::BinOp Op = updateOperator(Call);
  auto Update = [&] { Mem.update(Array, Offset, Op, With); };
  if (!isOnlyChange(Call))
    return Update();
  Value *Before = Mem.peek(Array, Offset, With->getType());
  Value *Now = buildAtomicRMWValue(Op, C.B, Before, With);
  Ast.branch(C.B.CreateICmpNE(Before, Now), Update);
}

/// What the token of \p Store stands for, where the program does it.
void StatementCloner::update(const StoreInst &Store) {
  const CallInst *Call = updateBehind(Store);
  const LoadInst *Old = Call ? resultOf(*Call) : nullptr;
  if (!Old)
    return C.refuse(&Store, "Access",
                    "an update could not be described; please report this with "
                    "the source");
  Value *Guard = whenExecuted(
      Store, "an element whose index is data is updated under a condition on "
             "data that is not known where the update is; use the condition "
             "and the element in one statement");
  auto Update = [&] {
    unsigned Place = cast<Argument>(placeOf(*Old).Offset)->getArgNo();
    Value *Offset = value(Call->getArgOperand(Place));
    unsigned Array = C.Imported.indirectArray(*Old);
    Value *With = value(updateValue(*Call));
    if (C.ForHost)
      return updateOnHost(*Call, Array, Offset, With);
    Value *Before = Mem.update(Array, Offset, updateOperator(*Call), With);
    auto Mark = [&] { Mem.markUpdate(Array, Offset); };
    if (!isOnlyChange(*Call))
      return Mark();
    Value *Now = buildAtomicRMWValue(updateOperator(*Call), C.B, Before, With);
    Ast.branch(C.B.CreateICmpNE(Before, Now), Mark);
  };
  if (isa<ConstantInt>(Guard) && cast<ConstantInt>(Guard)->isOne())
    Update();
  else
    Ast.branch(Guard, Update);
}

Value *StatementCloner::call(CallInst *Call) {
  if (indirectRead(Call))
    return guardedBody(*Call);
  SmallVector<Value *, 4> Operands;
  for (const Use &U : Call->args())
    Operands.push_back(value(U.get()));
  Instruction *New;
  StringRef Name = libraryName(*Call);
  Intrinsic::ID ID =
      Name.empty() ? Call->getIntrinsicID() : exactIntrinsic(Name);
  // Contraction is the source's choice and the same on every device; on the
  // CPU it is the original loops'.
  if (ID == Intrinsic::fmuladd && !C.ForHost)
    ID = Intrinsic::fma;
  if (ID != Intrinsic::not_intrinsic) {
    SmallVector<Type *, 2> Overloads;
    if (Intrinsic::isOverloaded(ID))
      Overloads.push_back(Call->getType());
    if (ID == Intrinsic::scmp || ID == Intrinsic::ucmp ||
        ID == Intrinsic::fptosi_sat || ID == Intrinsic::fptoui_sat)
      Overloads.push_back(Operands.front()->getType());
    Function *Callee = Intrinsic::getOrInsertDeclaration(&C.M, ID, Overloads);
    New = C.B.CreateCall(Callee, Operands);
  } else {
    SmallVector<Type *, 4> Types(Operands.size(), Call->getType());
    FunctionCallee Callee = C.M.getOrInsertFunction(
        Name, FunctionType::get(Call->getType(), Types, false));
    auto *Fn = cast<Function>(Callee.getCallee());
    Fn->setMemoryEffects(MemoryEffects::none());
    Fn->setDoesNotThrow();
    Fn->setWillReturn();
    auto *Library = C.B.CreateCall(Callee, Operands);
    // What LLVM made no other function of since it may set errno, like pow(x,
    // 0.5), stays that function: its last bit may differ.
    if (!isa<IntrinsicInst>(Call))
      Library->addFnAttr(Attribute::NoBuiltin);
    New = Library;
  }
  if (isa<FPMathOperator>(New))
    New->copyFastMathFlags(Call);
  if (isReordered(Call))
    New->dropPoisonGeneratingFlags();
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

Value *outerValue(KernelContext &C, Arguments &Args, Value *V) {
  if (!isKernelType(V->getType())) {
    C.refuse(dyn_cast<Instruction>(V), "Type",
             "the value '" + sourceName(V) +
                 "' has a type without an equal on the device; use integers up "
                 "to 64 bits, float or double in the loops");
    return PoisonValue::get(V->getType());
  }
  Type *Ty = V->getType()->isIntegerTy(1) ? C.B.getInt8Ty() : V->getType();
  Value *Arg =
      Args.get({KernelArg::Scalar, 0, 0, nullptr, V, Ty}, V->getName());
  return C.B.CreateTrunc(Arg, V->getType());
}

Value *StatementCloner::value(Value *V) {
  auto It = Values.find(V);
  if (It != Values.end())
    return It->second;
  if (V->getType()->isPtrOrPtrVectorTy()) {
    C.refuse(
        dyn_cast<Instruction>(V), "PointerValue",
        "a pointer is used as a value (stored, compared or passed on), not "
        "only to access an array; keep pointers out of the loops");
    return PoisonValue::get(V->getType());
  }
  if (auto *Known = dyn_cast<Constant>(V)) {
    // A variable that was not set has some value on the device as well: without
    // the store of one, the checked device takes loads of it for errors.
    if (isa<UndefValue>(Known))
      return Constant::getNullValue(V->getType());
    if (isPlainConstant(Known))
      return Known;
    C.refuse(
        nullptr, "Constant",
        "a constant contains the address of a variable; keep addresses out "
        "of the loops");
    return PoisonValue::get(V->getType());
  }
  auto *I = dyn_cast<Instruction>(V);
  bool Inside = I && C.S.contains(I);
  Loop *Scope = Stmt.getSurroundingLoop();
  if (Inside && polly::canSynthesize(V, C.S, &SE, Scope))
    return Values[V] = scev(SE.getSCEVAtScope(V, Scope));
  if (!Inside)
    return Values[V] = outerValue(C, Args, V);
  C.refuse(I, "Value",
           "a value that is computed in one statement is used in "
           "another in a way that was not modelled; please report this "
           "with the source");
  return PoisonValue::get(V->getType());
}

//===-- Scalar evolution --------------------------------------------------===//

/// True if \p E can be computed before the SCoP.
bool StatementCloner::isInvariant(const SCEV *E) const {
  return !SCEVExprContains(E, [&](const SCEV *Part) {
    if (const auto *AR = dyn_cast<SCEVAddRecExpr>(Part))
      return C.S.contains(AR->getLoop());
    if (const auto *U = dyn_cast<SCEVUnknown>(Part)) {
      const auto *I = dyn_cast<Instruction>(U->getValue());
      return I && C.S.contains(I);
    }
    return isa<SCEVCouldNotCompute>(Part);
  });
}

/// How many ways there are to choose \p Count of \p N, at most 3, modulo the 64
/// bits or fewer of \p Ty: one of two neighbours is even, and 3 has an inverse.
static Value *binomial(IRBuilderBase &B, Value *N, unsigned Count, Type *Ty) {
  static const uint64_t InverseOf3 = 0xaaaaaaaaaaaaaaab;
  // Counts are not negative and fit the index type.
  if (Count == 1)
    return B.CreateZExtOrTrunc(N, Ty);
  N = B.CreateZExtOrTrunc(N, B.getInt64Ty());
  Value *Before = B.CreateSub(N, B.getInt64(1));
  Value *Pairs = B.CreateSelect(B.CreateTrunc(N, B.getInt1Ty()),
                                B.CreateMul(N, B.CreateLShr(Before, 1)),
                                B.CreateMul(B.CreateLShr(N, 1), Before));
  if (Count == 2)
    return B.CreateTrunc(Pairs, Ty);
  Value *Third = B.CreateMul(Pairs, B.CreateSub(N, B.getInt64(2)));
  return B.CreateTrunc(B.CreateMul(Third, B.getInt64(InverseOf3)), Ty);
}

Value *StatementCloner::addRec(const SCEVAddRecExpr *E) {
  if (E->getNumOperands() > 4 || SE.getTypeSizeInBits(E->getType()) > 64) {
    C.refuse(nullptr, "NonAffineValue",
             "a value grows by a different amount in each iteration, like a "
             "power above the third; compute it in floating point");
    return PoisonValue::get(E->getType());
  }
  Value *Iteration = nullptr;
  for (unsigned D = 0; D < Counters.size(); ++D)
    if (Stmt.getLoopForDimension(D) == E->getLoop())
      Iteration = Counters[D];
  if (!Iteration) {
    C.refuse(nullptr, "Value",
             "a loop counter is used after its loop in a way "
             "that was not modelled; please report this with the source");
    return PoisonValue::get(E->getType());
  }
  Value *Sum = scev(E->getStart());
  for (unsigned D = 1; D < E->getNumOperands(); ++D) {
    Value *Times = binomial(C.B, Iteration, D, E->getType());
    Sum = C.B.CreateAdd(Sum, C.B.CreateMul(scev(E->getOperand(D)), Times));
  }
  return Sum;
}

Value *StatementCloner::scevNAry(const SCEVNAryExpr *E) {
  auto Combine = [&](Value *L, Value *R) -> Value * {
    switch (E->getSCEVType()) {
    case scAddExpr:
      return C.B.CreateAdd(L, R);
    case scMulExpr:
      return C.B.CreateMul(L, R);
    case scSMaxExpr:
      return C.B.CreateBinaryIntrinsic(Intrinsic::smax, L, R);
    case scUMaxExpr:
      return C.B.CreateBinaryIntrinsic(Intrinsic::umax, L, R);
    case scSMinExpr:
      return C.B.CreateBinaryIntrinsic(Intrinsic::smin, L, R);
    case scUMinExpr:
    case scSequentialUMinExpr:
      return C.B.CreateBinaryIntrinsic(Intrinsic::umin, L, R);
    default:
      return Ast.fail();
    }
  };
  Value *Result = nullptr;
  for (const SCEV *Op : E->operands()) {
    Value *V = scev(Op);
    Result = Result ? Combine(Result, V) : V;
  }
  return Result;
}

Value *StatementCloner::scev(const SCEV *E) {
  if (!E->getType()->isIntegerTy() || E->getType()->getIntegerBitWidth() > 64) {
    C.refuse(
        nullptr, "PointerValue",
        "a pointer is used as a value (stored, compared or passed on), not "
        "only to access an array; keep pointers out of the loops");
    return PoisonValue::get(E->getType());
  }
  if (const auto *Known = dyn_cast<SCEVConstant>(E))
    return Known->getValue();
  if (isInvariant(E)) {
    // PTX has no parameters of other widths.
    Type *Ty = C.B.getIntNTy(std::max<unsigned>(
        8, PowerOf2Ceil(E->getType()->getIntegerBitWidth())));
    Value *Arg = Args.get({KernelArg::Scev, 0, 0, E, nullptr, Ty}, "invariant");
    return C.B.CreateTrunc(Arg, E->getType());
  }
  if (const auto *U = dyn_cast<SCEVUnknown>(E))
    return value(U->getValue());
  if (const auto *AR = dyn_cast<SCEVAddRecExpr>(E))
    return addRec(AR);
  if (const auto *Cast = dyn_cast<SCEVCastExpr>(E)) {
    Value *Op = scev(Cast->getOperand());
    if (isa<SCEVTruncateExpr>(E))
      return C.B.CreateTrunc(Op, E->getType());
    if (isa<SCEVZeroExtendExpr>(E))
      return C.B.CreateZExt(Op, E->getType());
    if (isa<SCEVSignExtendExpr>(E))
      return C.B.CreateSExt(Op, E->getType());
    C.refuse(nullptr, "PointerValue",
             "a pointer is turned into an integer; keep pointers out of the "
             "loops");
    return PoisonValue::get(E->getType());
  }
  if (const auto *Div = dyn_cast<SCEVUDivExpr>(E)) {
    Value *L = scev(Div->getLHS());
    return C.B.CreateUDiv(L, scev(Div->getRHS()));
  }
  if (const auto *NAry = dyn_cast<SCEVNAryExpr>(E))
    return scevNAry(NAry);
  C.refuse(nullptr, "Value",
           "an expression could not be moved to the device; please report "
           "this with the source");
  return PoisonValue::get(E->getType());
}

} // namespace polygpu
