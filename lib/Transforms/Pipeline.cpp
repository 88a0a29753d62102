//===- Pipeline.cpp - Loops whose copies run ahead ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelBuilder.h"
#include "Mutate.h"

using namespace llvm;

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

/// Does a thread compute several elements in an iteration, with operands of
/// which it uses each more than once?
bool KernelBuilder::keepsBusy() const {
  return any_of(ArrayRef(K.buffers, K.n_buffer), [](const pg_buffer &Buf) {
    unsigned Points = 1;
    for (unsigned D = 0; D < Buf.n_dim; ++D)
      Points *= Buf.extent[D];
    return Buf.kind == PG_BUFFER_REGISTER && Points > 1;
  });
}

/// The loop: while one stage of the buffers is used, the elements of the next
/// iteration come into registers, and from there into the other stage; so one
/// barrier separates iterations.  "Fast": all are vectors at constant
/// distances; then where the loop computes much (keepsBusy), the last iteration
/// fetches its own elements again, which costs less than a branch.
void KernelBuilder::pipelinedLoop(const Pipeline &P, Value *First,
                                  Value *Second, bool Fast) {
  SmallVector<SmallVector<Value *, 8>, 4> Offsets, Distances;
  bool Again = Fast && keepsBusy();
  define(P.Name, First);
  for (const pg_user *U : P.Copies) {
    if (Fast) {
      Offsets.push_back(Closer.offsets(box(*U)));
      Closer.fetchAt(U->index, Offsets.back());
    } else {
      Closer.fetch(box(*U));
    }
    if (!isMutated(Mutation::Copy, K.name))
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
  auto IfMore = [&](function_ref<void()> Body) {
    Again ? Body() : branch(More, Body);
  };
  for (unsigned I = 0; I < Offsets.size(); ++I)
    for (unsigned R = 0; R < Offsets[I].size(); ++R) {
      Value *Step = Distances[I][R];
      if (Again)
        Step = B.CreateSelect(More, Step, B.getInt64(0));
      Offsets[I][R] = B.CreateAdd(Offsets[I][R], Step);
      Phis[Number++].second = Offsets[I][R];
    }
  IfMore([&] {
    for (unsigned I = 0; I < P.Copies.size(); ++I)
      if (Fast)
        Closer.fetchAt(P.Copies[I]->index, Offsets[I]);
      else
        Closer.fetch(box(*P.Copies[I]));
  });
  define(P.Name, Iteration);
  for (unsigned I = 0; I < P.Copies.size(); ++I)
    Closer.select(P.Copies[I]->index, Stages[I]);
  KeepSteps = !Fast;
  for (const NodePtr &Node : P.Behind)
    node(Node.get());
  KeepSteps = false;
  IfMore([&] {
    for (unsigned I = 0; I < P.Copies.size(); ++I) {
      Closer.select(P.Copies[I]->index, nullptr);
      if (!isMutated(Mutation::Copy, K.name))
        Closer.put(P.Copies[I]->index, Phis[1 + I].second);
    }
  });
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

/// Where the only use of a buffer is to multiply its elements by a value from
/// before the loops, keep the products: they are the same, and each is computed
/// once.
void KernelBuilder::findProducts() {
  SmallVector<unsigned, 8> Uses(K.n_buffer);
  SmallVector<polly::ScopStmt *, 8> Statements(K.n_buffer);
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
