//===- Pipeline.cpp - Loops whose copies run ahead ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kernel/KernelBuilder.h"
#include "verify/Mutate.h"

using namespace llvm;

namespace polygpu {

namespace {

using NodePtr = std::unique_ptr<isl_ast_node, decltype(&isl_ast_node_free)>;
using ExprPtr = std::unique_ptr<isl_ast_expr, decltype(&isl_ast_expr_free)>;

/// A loop whose body runs at least once, with values that go from iteration to
/// iteration.  Who makes one hides from passes that these count (hideOrigin):
/// rewriting them, passes would keep more of them in registers.
class CarriedLoop {
public:
  CarriedLoop(IRBuilder<> &B, const char *Name)
      : B(B), Before(B.GetInsertBlock()),
        Loop(BasicBlock::Create(B.getContext(), Name, Before->getParent())) {
    B.CreateBr(Loop);
    B.SetInsertPoint(Loop);
  }

  Value *carry(Value *Start) {
    PHINode *New = B.CreatePHI(Start->getType(), 2);
    New->addIncoming(Start, Before);
    Phis.push_back(New);
    return New;
  }

  /// The values in the next iteration, in their order, which begins if \p More.
  void end(ArrayRef<Value *> Next, Value *More) {
    for (unsigned I = 0; I < Phis.size(); ++I)
      Phis[I]->addIncoming(Next[I], B.GetInsertBlock());
    BasicBlock *After = BasicBlock::Create(
        B.getContext(), Loop->getName() + ".end", Before->getParent());
    B.CreateCondBr(More, Loop, After);
    B.SetInsertPoint(After);
  }

private:
  IRBuilder<> &B;
  BasicBlock *Before, *Loop;
  SmallVector<PHINode *, 16> Phis;
};

NodePtr own(isl_ast_node *Node) { return {Node, &isl_ast_node_free}; }
ExprPtr own(isl_ast_expr *Expr) { return {Expr, &isl_ast_expr_free}; }

} // namespace

/// A loop whose iterations copy, meet at a barrier and use the copies.
struct Pipeline {
  std::string Name;
  ExprPtr Init = own((isl_ast_expr *)nullptr),
          Cond = own((isl_ast_expr *)nullptr),
          Inc = own((isl_ast_expr *)nullptr);
  std::vector<NodePtr> Before, Behind; ///< of the copies
  std::vector<const pg_user *> Copies; ///< owned by the AST
};

/// Take the loop apart; false if it is of another form.
bool KernelBuilder::readPipeline(isl_ast_node *Node, Pipeline &P) const {
  if (isl_ast_node_get_type(Node) != isl_ast_node_for ||
      isl_ast_node_for_is_degenerate(Node) != isl_bool_false)
    return false;
  P.Name = iteratorName(Node);
  P.Init = own(isl_ast_node_for_get_init(Node));
  P.Cond = own(isl_ast_node_for_get_cond(Node));
  P.Inc = own(isl_ast_node_for_get_inc(Node));
  NodePtr Body = own(isl_ast_node_for_get_body(Node));
  if (isl_ast_node_get_type(Body.get()) != isl_ast_node_block)
    return false;
  isl_ast_node_list *List = isl_ast_node_block_get_children(Body.get());
  isl_size N = isl_ast_node_list_size(List);
  bool Barrier = false;
  for (int I = 0; I < N; ++I) {
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
  return N > 0 && Barrier && all_of(P.Copies, [&](const pg_user *U) {
           return K.mapping->buffers[U->index].stages > 1 &&
                  Closer.fitsRegisters(U->index);
         });
}

/// Do all copies of \p P go without registers?
bool KernelBuilder::isAsync(const Pipeline &P) const {
  return all_of(P.Copies, [&](const pg_user *U) {
    return K.mapping->buffers[U->index].async;
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
      if (K.mapping->buffers[U->index].vector > 1)
        Fast = B.CreateAnd(Fast, Closer.isAligned(Box));
    }
  }
  return Fast;
}

/// How far the elements of each copy in an iteration are from those in the one
/// before.
SmallVector<Value *, 4> KernelBuilder::distances(const Pipeline &P,
                                                 Value *First, Value *Second) {
  SmallVector<Value *, 4> Result;
  for (const pg_user *U : P.Copies) {
    define(P.Name, First);
    Buffers::Box From = box(*U);
    define(P.Name, Second);
    Result.push_back(Closer.distance(From, box(*U)));
  }
  return Result;
}

/// Does a thread compute several elements in an iteration, with operands of
/// which it uses each more than once?
bool KernelBuilder::keepsBusy() const {
  return any_of(ArrayRef(K.mapping->buffers, K.mapping->n_buffer),
                [](const pg_buffer &Buf) {
                  unsigned Points = 1;
                  for (unsigned D = 0; D < Buf.n_dim; ++D)
                    Points *= Buf.extent[D];
                  return Buf.kind == PG_BUFFER_REGISTER && Points > 1;
                });
}

/// What \p Iteration does with the copies in \p Stages.
void KernelBuilder::useStages(const Pipeline &P, Value *Iteration,
                              ArrayRef<Value *> Stages) {
  define(P.Name, Iteration);
  for (unsigned I = 0; I < P.Copies.size(); ++I)
    Closer.select(P.Copies[I]->index, Stages[I]);
  for (const NodePtr &Node : P.Behind)
    node(Node.get());
  for (const pg_user *U : P.Copies)
    Closer.select(U->index, nullptr);
}

/// The loop: while one stage of the buffers is used, the elements of the next
/// iteration come into registers, and from there into the other stage; so one
/// barrier separates iterations.  "Fast": all are vectors at constant
/// distances; then where the loop computes much (keepsBusy), the last iteration
/// fetches its own elements again, which costs less than a branch.
void KernelBuilder::pipelinedLoop(const Pipeline &P, Value *First,
                                  Value *Second, bool Fast) {
  SmallVector<Buffers::Offsets, 4> Offsets;
  SmallVector<Value *, 4> Distances = distances(P, First, Second);
  bool Again = Fast && keepsBusy();
  define(P.Name, First);
  for (const pg_user *U : P.Copies) {
    if (Fast) {
      Offsets.push_back(
          Closer.offsets(box(*U), K.mapping->buffers[U->index].vector));
      Closer.fetchAt(U->index, Offsets.back());
    } else {
      Closer.fetch(box(*U));
    }
    if (!isMutated(Mutation::Copy, K.name))
      Closer.put(U->index, nullptr);
  }
  CarriedLoop Loop(B, "pipeline");
  Value *Iteration = Loop.carry(First);
  SmallVector<Value *, 4> Stages;
  for (unsigned I = 0; I < P.Copies.size(); ++I)
    Stages.push_back(Loop.carry(B.getInt32(0)));
  for (Buffers::Offsets &List : Offsets)
    for (Value *&Offset : List)
      Offset = Loop.carry(Offset);
  Iteration = hideOrigin(Iteration);
  for (Buffers::Offsets &List : Offsets)
    for (Value *&Offset : List)
      Offset = hideOrigin(Offset);
  barrier();
  SmallVector<Value *, 16> Next = {
      B.CreateNSWAdd(Iteration, expr(P.Inc.get()))};
  define(P.Name, Next[0]);
  Value *More = toBool(expr(P.Cond.get()));
  for (unsigned I = 0; I < P.Copies.size(); ++I)
    Next.push_back(B.CreateXor(
        Stages[I], B.getInt32(Closer.stageBytes(P.Copies[I]->index))));
  auto IfMore = [&](function_ref<void()> Body) {
    Again ? Body() : branch(More, Body);
  };
  for (unsigned I = 0; I < Offsets.size(); ++I) {
    Value *Step = Distances[I];
    if (Again)
      Step = B.CreateSelect(More, Step, B.getInt64(0));
    for (Value *&Offset : Offsets[I])
      Next.push_back(Offset = B.CreateAdd(Offset, Step));
  }
  IfMore([&] {
    for (unsigned I = 0; I < P.Copies.size(); ++I)
      if (Fast)
        Closer.fetchAt(P.Copies[I]->index, Offsets[I]);
      else
        Closer.fetch(box(*P.Copies[I]));
  });
  KeepSteps = !Fast;
  useStages(P, Iteration, Stages);
  KeepSteps = false;
  IfMore([&] {
    for (unsigned I = 0; I < P.Copies.size(); ++I)
      if (!isMutated(Mutation::Copy, K.name))
        Closer.put(P.Copies[I]->index, Next[1 + I]);
  });
  Loop.end(Next, More);
}

/// Call a function of the device module that takes a number, or nothing.
void KernelBuilder::tell(const char *Name, std::optional<unsigned> Number) {
  SmallVector<Type *, 1> Types;
  SmallVector<Value *, 1> Operands;
  if (Number) {
    Types.push_back(B.getInt32Ty());
    Operands.push_back(B.getInt32(*Number));
  }
  B.CreateCall(deviceFunction(M, Name, Types), Operands);
}

/// The copies of a loop that run ahead without registers.
struct AsyncCopies {
  SmallVector<Buffers::Start, 4> From; ///< of the next iteration to begin with
  SmallVector<Value *, 4> Distances;   ///< from iteration to iteration
  SmallVector<unsigned, 4> Width, Bytes; ///< of a unit; of a stage
  bool Fast; ///< all boxes are whole and consist of aligned vectors
};

AsyncCopies KernelBuilder::startCopies(const Pipeline &P, Value *First,
                                       Value *Second, bool Fast) {
  AsyncCopies Result;
  Result.Fast = Fast;
  Result.Distances = distances(P, First, Second);
  define(P.Name, First);
  for (const pg_user *U : P.Copies) {
    Result.Width.push_back(Fast ? Closer.asyncWidth(U->index) : 1);
    Result.Bytes.push_back(Closer.stageBytes(U->index));
    Result.From.push_back(Closer.start(box(*U), Result.Width.back()));
  }
  return Result;
}

/// Begin the copies of \p Iteration, if there is one, to stage \p Stage, and
/// make a group of them.
void KernelBuilder::copyAhead(const Pipeline &P, AsyncCopies &Copies,
                              Value *Iteration, Value *Stage) {
  define(P.Name, Iteration);
  branch(toBool(expr(P.Cond.get())), [&] {
    for (unsigned I = 0; I < P.Copies.size(); ++I) {
      if (isMutated(Mutation::Copy, K.name))
        continue;
      Buffers::Box Box = box(*P.Copies[I]);
      if (Copies.Fast)
        Box.Whole = nullptr;
      else if (Box.Whole && keepsBusy()) // there, registers are worth more
        Box.Whole = B.getFalse();
      Closer.copyAt(Box, Copies.From[I], Copies.Width[I],
                    B.CreateMul(Stage, B.getInt32(Copies.Bytes[I])));
    }
  });
  tell(CommitName);
  for (unsigned I = 0; I < P.Copies.size(); ++I)
    for (Value *&Offset : Copies.From[I].From)
      Offset = B.CreateAdd(Offset, Copies.Distances[I]);
}

/// Wait until copies have arrived that only \p Pending groups have been begun
/// after; they are in \p Stages.
void KernelBuilder::finishCopies(const Pipeline &P, const AsyncCopies &Copies,
                                 unsigned Pending, ArrayRef<Value *> Stages) {
  if (!isMutated(Mutation::Barrier, K.name))
    tell(WaitName, Pending);
  for (unsigned I = 0; I < P.Copies.size(); ++I)
    Closer.transformAt(P.Copies[I]->index, Copies.Width[I], Stages[I]);
  barrier(true);
}

/// The stage \p Steps behind \p Stage, of \p N.
Value *KernelBuilder::stageBehind(Value *Stage, unsigned Steps, unsigned N) {
  Value *Sum = B.CreateAdd(Stage, B.getInt32(Steps), "", true, true);
  if (isPowerOf2_32(N))
    return B.CreateAnd(Sum, B.getInt32(N - 1));
  return B.CreateSelect(B.CreateICmpULT(Sum, B.getInt32(N)), Sum,
                        B.CreateSub(Sum, B.getInt32(N)));
}

/// The loop with asynchronous copies: all stages but one are being filled while
/// that one is used.  What an iteration needs was begun that many iterations
/// before; each iteration begins what is needed as many after it, behind the
/// barrier at which all threads have done with the stage that it goes to.
void KernelBuilder::asyncLoop(const Pipeline &P, Value *First, Value *Second,
                              bool Fast) {
  AsyncCopies Copies = startCopies(P, First, Second, Fast);
  unsigned N = K.mapping->buffers[P.Copies[0]->index].stages;
  auto Later = [&](Value *Iteration) {
    return B.CreateNSWAdd(Iteration, expr(P.Inc.get()));
  };
  Value *Next = First;
  for (unsigned S = 0; S + 1 < N; ++S, Next = Later(Next))
    copyAhead(P, Copies, Next, B.getInt32(S));
  CarriedLoop Loop(B, "async");
  Value *Iteration = Loop.carry(First), *Stage = Loop.carry(B.getInt32(0));
  for (Buffers::Start &Start : Copies.From)
    for (Value *&Offset : Start.From)
      Offset = Loop.carry(Offset);
  Iteration = hideOrigin(Iteration);
  for (Buffers::Start &Start : Copies.From)
    for (Value *&Offset : Start.From)
      Offset = hideOrigin(Offset);
  SmallVector<Value *, 4> Stages;
  for (unsigned Bytes : Copies.Bytes)
    Stages.push_back(B.CreateMul(Stage, B.getInt32(Bytes)));
  finishCopies(P, Copies, N - 2, Stages);
  Next = Iteration;
  for (unsigned S = 0; S + 1 < N; ++S)
    Next = Later(Next);
  copyAhead(P, Copies, Next, stageBehind(Stage, N - 1, N));
  useStages(P, Iteration, Stages);
  SmallVector<Value *, 16> Carried = {Later(Iteration),
                                      stageBehind(Stage, 1, N)};
  for (const Buffers::Start &Start : Copies.From)
    append_range(Carried, Start.From);
  define(P.Name, Carried[0]);
  Loop.end(Carried, toBool(expr(P.Cond.get())));
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
    Value *Fast = isFast(P, First, Second);
    bool Async = isAsync(P);
    auto Vectors = [&] {
      if (Async && !keepsBusy())
        asyncLoop(P, First, Second, true);
      else
        pipelinedLoop(P, First, Second, true);
    };
    auto Others = [&] {
      if (Async)
        return asyncLoop(P, First, Second, false);
      if (!Fast)
        return pipelinedLoop(P, First, Second, false);
      KeepSteps = true;
      node(Node);
      KeepSteps = false;
    };
    Fast ? branch(Fast, Vectors, Others) : Others();
  });
}

/// Where the only use of a buffer is to multiply its elements by a value from
/// before the loops, keep the products: they are the same, and each is computed
/// once.  Other parts of the statement may read the array from elsewhere, and
/// multiply for themselves.
void KernelBuilder::findProducts() {
  SmallVector<unsigned, 8> Uses(K.mapping->n_buffer);
  SmallVector<polly::ScopStmt *, 8> Statements(K.mapping->n_buffer);
  SmallVector<const LoadInst *, 8> Loads(K.mapping->n_buffer);
  for (unsigned I = 0; I < Plan.scop->n_stmt; ++I) {
    const pg_stmt &Source = Plan.scop->stmts[I];
    for (unsigned A = 0; A < Source.n_access; ++A) {
      int Buffer = pg_kernel_buffer(&Plan, &K - Plan.kernels, I, A);
      if (Buffer < 0)
        continue;
      ++Uses[Buffer];
      if (Source.copy)
        continue;
      Statements[Buffer] = Imported.Stmts[Source.origin];
      Loads[Buffer] = dyn_cast_or_null<LoadInst>(
          Imported.Accesses[Source.origin][A]->getAccessInstruction());
    }
  }
  for (unsigned Buffer = 0; Buffer < K.mapping->n_buffer; ++Buffer) {
    const LoadInst *Load = Loads[Buffer];
    if (K.mapping->buffers[Buffer].kind != PG_BUFFER_SHARED ||
        Uses[Buffer] != 1 || !Load || !Load->hasOneUse() ||
        Load->getType() != elementType(K.mapping->buffers[Buffer].array))
      continue;
    const auto *Product = dyn_cast<BinaryOperator>(Load->user_back());
    if (!Product || Product->getOpcode() != Instruction::FMul ||
        !is_contained(Statements[Buffer]->getInstructions(), Product))
      continue;
    Value *Factor = Product->getOperand(Product->getOperand(0) == Load);
    const auto *Inside = dyn_cast<Instruction>(Factor);
    if ((Inside && S.contains(Inside)) || isa<Constant>(Factor))
      continue;
    Products[Buffer] = Product;
    polly::ScopStmt *Of = Statements[Buffer];
    Closer.transform(Buffer, [this, Of, Product, Factor](Value *V) {
      Stmt = Of;
      Value *New = B.CreateFMul(V, value(Factor));
      if (auto *I = dyn_cast<Instruction>(New))
        I->copyFastMathFlags(Product);
      return New;
    });
  }
}

} // namespace polygpu
