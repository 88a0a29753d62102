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

/// Does \p Expr mention the variable \p Name?
bool mentions(isl_ast_expr *Expr, StringRef Name) {
  if (isl_ast_expr_get_type(Expr) == isl_ast_expr_id) {
    isl_id *Id = isl_ast_expr_get_id(Expr);
    bool Found = Name == isl_id_get_name(Id);
    isl_id_free(Id);
    return Found;
  }
  bool Found = false;
  if (isl_ast_expr_get_type(Expr) == isl_ast_expr_op)
    for (int I = 0, N = isl_ast_expr_op_get_n_arg(Expr); I < N && !Found; ++I) {
      isl_ast_expr *Arg = isl_ast_expr_op_get_arg(Expr, I);
      Found = mentions(Arg, Name);
      isl_ast_expr_free(Arg);
    }
  return Found;
}

using NodePtr = std::unique_ptr<isl_ast_node, decltype(&isl_ast_node_free)>;
using ExprPtr = std::unique_ptr<isl_ast_expr, decltype(&isl_ast_expr_free)>;

NodePtr own(isl_ast_node *Node) { return {Node, &isl_ast_node_free}; }
ExprPtr own(isl_ast_expr *Expr) { return {Expr, &isl_ast_expr_free}; }

/// A loop whose iterations copy, meet at a barrier and use the copies.
struct Pipeline {
  std::string Name;
  ExprPtr Init = own((isl_ast_expr *)nullptr),
          Cond = own((isl_ast_expr *)nullptr),
          Inc = own((isl_ast_expr *)nullptr);
  std::vector<NodePtr> Before, Behind; ///< of the copies
  std::vector<const pg_user *> Copies; ///< owned by the AST
};

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
              return globalPlace(A, Subscripts);
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
  /// Products that are in shared memory instead of their factor.
  DenseMap<const Instruction *, const LoadInst *> Products;
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
  Buffers::Box box(const pg_user &U);
  void fillBuffer(const pg_user &U);
  void findProducts();
  void marked(StringRef Mark, isl_ast_node *Node) override;
  bool readPipeline(isl_ast_node *Node, Pipeline &P) const;
  Value *isFast(const Pipeline &P, Value *First, Value *Second);
  void pipelinedLoop(const Pipeline &P, Value *First, Value *Second, bool Fast);
  void moveRegister(const pg_user &U);
  Value *variable(unsigned Array);
  Type *elementType(unsigned Array) const;
  Value *extent(unsigned Array, unsigned Dim);
  unsigned accessIndex(const MemoryAccess *MA) const;
  std::pair<Value *, Value *> globalPlace(unsigned Array,
                                          ArrayRef<Value *> Subscripts);
  Value *globalAddress(unsigned Array, ArrayRef<Value *> Subscripts);
  SmallVector<Value *, 4> subscripts(unsigned Access);
  Value *address(unsigned Access);
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

/// The address of an array on the device, and how many elements from there the
/// one with these subscripts is.
std::pair<Value *, Value *>
KernelBuilder::globalPlace(unsigned Array, ArrayRef<Value *> Subscripts) {
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
  if (!Offset)
    Offset = B.getInt64(0);
  if (isMutated(Mutation::Index, K.name))
    Offset = B.CreateAdd(Offset, B.getInt64(1));
  return {Base, Offset};
}

Value *KernelBuilder::globalAddress(unsigned Array,
                                    ArrayRef<Value *> Subscripts) {
  auto [Base, Offset] = globalPlace(Array, Subscripts);
  auto *C = dyn_cast<ConstantInt>(Offset);
  return C && C->isZero() ? Base
                          : B.CreateGEP(elementType(Array), Base, Offset);
}

SmallVector<Value *, 4> KernelBuilder::subscripts(unsigned Access) {
  SmallVector<Value *, 4> Result;
  for (isl_ast_expr **E = User->access[Access]; *E; ++E)
    Result.push_back(expr(*E));
  return Result;
}

/// The address of what an access that is not redirected to a buffer accesses.
Value *KernelBuilder::address(unsigned Access) {
  unsigned Array = Plan.scop->stmts[User->index].accesses[Access].array;
  return Plan.local[Array] ? variable(Array)
                           : globalAddress(Array, subscripts(Access));
}

Buffers::Box KernelBuilder::box(const pg_user &U) {
  Buffers::Box Result = {U.index, {}, nullptr};
  for (unsigned I = 0; I < U.n; ++I)
    Result.Corner.push_back(expr(U.args[I]));
  if (U.whole)
    Result.Whole = toBool(expr(U.whole));
  return Result;
}

/// All threads fill a buffer in shared memory.
void KernelBuilder::fillBuffer(const pg_user &U) {
  if (!isMutated(Mutation::Copy, K.name))
    Closer.copy(box(U));
}

//===-- Pipelines ---------------------------------------------------------===//

/// Take the loop apart; false if it is of another form.
bool KernelBuilder::readPipeline(isl_ast_node *Node, Pipeline &P) const {
  if (isl_ast_node_get_type(Node) != isl_ast_node_for ||
      isl_ast_node_for_is_degenerate(Node) == isl_bool_true)
    return false;
  ExprPtr Iterator = own(isl_ast_node_for_get_iterator(Node));
  isl_id *Id = isl_ast_expr_get_id(Iterator.get());
  P.Name = isl_id_get_name(Id);
  isl_id_free(Id);
  P.Init = own(isl_ast_node_for_get_init(Node));
  P.Cond = own(isl_ast_node_for_get_cond(Node));
  P.Inc = own(isl_ast_node_for_get_inc(Node));
  NodePtr Body = own(isl_ast_node_for_get_body(Node));
  if (isl_ast_node_get_type(Body.get()) != isl_ast_node_block)
    return false;
  isl_ast_node_list *List = isl_ast_node_block_get_children(Body.get());
  bool Barrier = false;
  for (int I = 0, N = isl_ast_node_list_size(List); I < N; ++I) {
    NodePtr Child = own(isl_ast_node_list_get_at(List, I));
    const pg_user *U = isl_ast_node_get_type(Child.get()) == isl_ast_node_user
                           ? userOf(Child.get())
                           : nullptr;
    if (U && U->kind == PG_USER_COPY && !Barrier)
      P.Copies.push_back(U);
    else if (U && U->kind == PG_USER_BARRIER && !P.Copies.empty() && !Barrier)
      Barrier = true;
    else
      (P.Copies.empty() ? P.Before : P.Behind).push_back(std::move(Child));
  }
  isl_ast_node_list_free(List);
  return Barrier && all_of(P.Copies, [&](const pg_user *U) {
           return K.buffers[U->index].stages > 1 &&
                  Closer.fitsRegisters(U->index);
         });
}

/// Can the vectors of all copies be fetched without looking, now and in all
/// iterations?  Null if that depends on more than the first one.
Value *KernelBuilder::isFast(const Pipeline &P, Value *First, Value *Second) {
  Value *Fast = B.getTrue();
  for (const pg_user *U : P.Copies) {
    if (U->whole && mentions(U->whole, P.Name))
      return nullptr;
    for (Value *Iteration : {First, Second}) {
      define(P.Name, Iteration);
      Buffers::Box Box = box(*U);
      if (Box.Whole && Iteration == First)
        Fast = B.CreateAnd(Fast, condition(Box.Whole));
      if (K.buffers[U->index].vector > 1)
        Fast = B.CreateAnd(Fast, Closer.isAligned(Box));
    }
  }
  return Fast;
}

/// The loop: while one stage of the buffers is used, the elements of the next
/// iteration come into registers, and from there into the other stage; so one
/// barrier separates iterations.  The last one fetches its own elements again
/// rather than none.  "Fast": all are vectors at constant distances.
void KernelBuilder::pipelinedLoop(const Pipeline &P, Value *First,
                                  Value *Second, bool Fast) {
  SmallVector<SmallVector<Value *, 8>, 4> Offsets, Distances;
  define(P.Name, First);
  for (const pg_user *U : P.Copies) {
    if (Fast) {
      Offsets.push_back(Closer.offsets(box(*U)));
      Closer.fetchAt(U->index, Offsets.back());
    } else {
      Closer.fetch(box(*U));
    }
    Closer.put(U->index, nullptr);
  }
  define(P.Name, Second);
  for (unsigned I = 0; I < Offsets.size(); ++I) {
    SmallVector<Value *, 8> Next = Closer.offsets(box(*P.Copies[I]));
    for (unsigned R = 0; R < Next.size(); ++R)
      Next[R] = B.CreateSub(Next[R], Offsets[I][R]);
    Distances.push_back(Next);
  }
  BasicBlock *Before = B.GetInsertBlock();
  Function *F = Before->getParent();
  BasicBlock *Loop = BasicBlock::Create(B.getContext(), "pipeline", F);
  BasicBlock *After = BasicBlock::Create(B.getContext(), "pipeline.end", F);
  B.CreateBr(Loop);
  B.SetInsertPoint(Loop);
  SmallVector<std::pair<PHINode *, Value *>, 16> Phis;
  auto Phi = [&](Value *Start) {
    PHINode *New = B.CreatePHI(Start->getType(), 2);
    New->addIncoming(Start, Before);
    Phis.push_back({New, nullptr});
    return New;
  };
  PHINode *Iteration = Phi(First);
  SmallVector<PHINode *, 4> Stages;
  for (unsigned I = 0; I < P.Copies.size(); ++I)
    Stages.push_back(Phi(B.getInt64(0)));
  for (auto &List : Offsets)
    for (Value *&Offset : List)
      Offset = Phi(Offset);
  barrier();
  Value *Next = B.CreateNSWAdd(Iteration, expr(P.Inc.get()));
  define(P.Name, Next);
  Value *More = toBool(expr(P.Cond.get()));
  Phis[0].second = Next;
  unsigned Number = 1;
  for (unsigned I = 0; I < P.Copies.size(); ++I)
    Phis[Number++].second = B.CreateXor(
        Stages[I], B.getInt64(Closer.stageBytes(P.Copies[I]->index)));
  define(P.Name, B.CreateSelect(More, Next, Iteration));
  for (unsigned I = 0; I < P.Copies.size(); ++I) {
    if (!Fast) {
      Closer.fetch(box(*P.Copies[I]));
      continue;
    }
    for (unsigned R = 0; R < Offsets[I].size(); ++R) {
      Offsets[I][R] = B.CreateAdd(
          Offsets[I][R], B.CreateSelect(More, Distances[I][R], B.getInt64(0)));
      Phis[Number++].second = Offsets[I][R];
    }
    Closer.fetchAt(P.Copies[I]->index, Offsets[I]);
  }
  define(P.Name, Iteration);
  for (unsigned I = 0; I < P.Copies.size(); ++I)
    Closer.select(P.Copies[I]->index, Stages[I]);
  KeepSteps = !Fast;
  for (const NodePtr &Node : P.Behind)
    node(Node.get());
  KeepSteps = false;
  for (unsigned I = 0; I < P.Copies.size(); ++I) {
    Closer.select(P.Copies[I]->index, nullptr);
    Closer.put(P.Copies[I]->index, Phis[1 + I].second);
  }
  for (auto &[New, Value] : Phis)
    New->addIncoming(Value, B.GetInsertBlock());
  B.CreateCondBr(More, Loop, After);
  B.SetInsertPoint(After);
}

void KernelBuilder::marked(StringRef Mark, isl_ast_node *Node) {
  Pipeline P;
  if (Mark != PG_MARK_PIPELINE || !readPipeline(Node, P))
    return node(Node);
  Value *First = toIndex(expr(P.Init.get()));
  define(P.Name, First);
  branch(condition(toBool(expr(P.Cond.get()))), [&] {
    for (const NodePtr &Child : P.Before)
      node(Child.get());
    Value *Second = B.CreateNSWAdd(First, expr(P.Inc.get()));
    if (Value *Fast = isFast(P, First, Second))
      branch(
          Fast, [&] { pipelinedLoop(P, First, Second, true); },
          [&] {
            KeepSteps = true;
            node(Node);
            KeepSteps = false;
          });
    else
      pipelinedLoop(P, First, Second, false);
  });
}

//===-- Registers and memory ----------------------------------------------===//

/// Where the only use of a buffer is to multiply its elements by a value from
/// before the loops, keep the products: they are the same, and each is computed
/// once.
void KernelBuilder::findProducts() {
  SmallVector<unsigned, 8> Uses(K.n_buffer);
  SmallVector<ScopStmt *, 8> Statements(K.n_buffer);
  SmallVector<const LoadInst *, 8> Loads(K.n_buffer);
  for (unsigned I = 0; I < Plan.scop->n_stmt; ++I) {
    const pg_stmt &Source = Plan.scop->stmts[I];
    for (unsigned A = 0; A < Source.n_access; ++A) {
      int Buffer = pg_kernel_buffer(&Plan, &K - Plan.kernels, I, A);
      if (Buffer < 0)
        continue;
      ++Uses[Buffer];
      Statements[Buffer] = Imported.Stmts[Source.origin];
      if (!Source.copy)
        Loads[Buffer] = dyn_cast_or_null<LoadInst>(
            Imported.Accesses[Source.origin][A]->getAccessInstruction());
    }
  }
  for (unsigned Buffer = 0; Buffer < K.n_buffer; ++Buffer) {
    const LoadInst *Load = Loads[Buffer];
    if (K.buffers[Buffer].kind != PG_BUFFER_SHARED || Uses[Buffer] != 1 ||
        !Load || !Load->hasOneUse() ||
        Load->getType() != elementType(K.buffers[Buffer].array))
      continue;
    const auto *Product = dyn_cast<BinaryOperator>(Load->user_back());
    if (!Product || Product->getOpcode() != Instruction::FMul ||
        Product->getParent() != Load->getParent())
      continue;
    Value *Factor = Product->getOperand(Product->getOperand(0) == Load);
    const auto *Inside = dyn_cast<Instruction>(Factor);
    if ((Inside && S.contains(Inside)) || isa<Constant>(Factor))
      continue;
    Products[Product] = Load;
    ScopStmt *Of = Statements[Buffer];
    Closer.transform(Buffer, [this, Of, Product, Factor](Value *V) {
      Stmt = Of;
      Value *New = B.CreateFMul(V, value(Factor));
      if (auto *I = dyn_cast<Instruction>(New))
        I->copyFastMathFlags(Product);
      return New;
    });
  }
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
  Value *Memory = globalAddress(Array, Subscripts);
  Type *Ty = elementType(Array);
  bool Known = true;
  if (U.kind == PG_USER_LOAD) {
    Known = Closer.store(U.index, Point,
                         B.CreateAlignedLoad(Ty, Memory, alignment(Array)));
  } else if (Value *V = Closer.load(U.index, Point, Ty)) {
    Stored.set(Array);
    B.CreateAlignedStore(V, Memory, alignment(Array));
  } else {
    Known = false;
  }
  if (!Known)
    fail();
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
  Type *Element = elementType(Array), *Bits = Ty;
  int Buffer = User->redirected ? User->redirected[Access] : -1;
  if (Element != Ty)
    Bits = B.getIntNTy(8 * Plan.scop->arrays[Array].elem_size);
  Value *V = Buffer < 0
                 ? B.CreateAlignedLoad(Bits, address(Access), alignment(Array))
                 : Closer.load(Buffer, subscripts(Access), Bits);
  if (!V) {
    fail();
    return PoisonValue::get(Ty);
  }
  if (Element == Ty)
    return V;
  return B.CreateBitCast(
      B.CreateTrunc(V, B.getIntNTy(Ty->getScalarSizeInBits())), Ty);
}

void KernelBuilder::storeElement(unsigned Access, unsigned Array, Value *V) {
  int Buffer = User->redirected ? User->redirected[Access] : -1;
  if (elementType(Array) != V->getType())
    V = B.CreateZExt(
        B.CreateBitCast(V, B.getIntNTy(V->getType()->getScalarSizeInBits())),
        B.getIntNTy(8 * Plan.scop->arrays[Array].elem_size));
  if (Buffer >= 0) {
    if (!Closer.store(Buffer, subscripts(Access), V))
      fail();
    return;
  }
  Stored.set(Array);
  B.CreateAlignedStore(V, address(Access), alignment(Array));
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
  if (auto It = Products.find(I); It != Products.end()) {
    Values[I] = value(const_cast<LoadInst *>(It->second));
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
  Draft->addFnAttr("nvvm.reqntid", std::to_string(K.block[0]) + "," +
                                       std::to_string(K.block[1]) + "," +
                                       std::to_string(K.block[2]));
  // Without this, ptxas may spill rather than have fewer blocks at a time.
  if (K.n_buffer)
    Draft->addFnAttr("nvvm.minctasm", "1");
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
  findProducts();
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
