//===- Pipeline.cpp - Loops whose copies run ahead ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kernel/Pipeline.h"
#include "verify/Mutate.h"

using namespace llvm;

namespace polygpu {

namespace {

/// Bytes that a thread fetches in an iteration, with guards.
const unsigned MaxGuarded = 32;

using NodePtr = std::unique_ptr<isl_ast_node, decltype(&isl_ast_node_free)>;
using ExprPtr = std::unique_ptr<isl_ast_expr, decltype(&isl_ast_expr_free)>;

/// A loop whose body runs at least once, with values that go from iteration to
/// iteration.  Who makes one hides from passes that these count (hideOrigin):
/// rewriting them, passes would keep more of them in registers.
class CarriedLoop {
public:
  /// Values have their names where they are \p Readable.
  CarriedLoop(IRBuilder<> &B, const char *Name, bool Readable)
      : B(B), Readable(Readable), Before(B.GetInsertBlock()),
        Loop(BasicBlock::Create(B.getContext(), Name, Before->getParent())) {
    B.CreateBr(Loop);
    B.SetInsertPoint(Loop);
  }

  /// A value of this name, that begins with \p Start.
  Value *carry(Value *Start, StringRef Name) {
    PHINode *New = B.CreatePHI(Start->getType(), 2);
    if (Readable)
      setPrintedName(New, Name);
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
  bool Readable;
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

/// Is the buffer that \p Copy fills written by statements?
bool Pipeliner::isWritten(const pg_user &Copy) const {
  return Mapping.buffers[Copy.index].written;
}

/// Take the loop apart; false if it is of another form.
bool Pipeliner::readPipeline(isl_ast_node *Node, Pipeline &P) const {
  if (isl_ast_node_get_type(Node) != isl_ast_node_for ||
      isl_ast_node_for_is_degenerate(Node) != isl_bool_false)
    return false;
  P.Name = Ast.iteratorName(Node);
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
                           ? Ast.userOf(Child.get())
                           : nullptr;
    bool IsBarrier = U && U->kind == PG_USER_BARRIER;
    if (U && U->kind == PG_USER_COPY && !Barrier && !isWritten(*U)) {
      P.Copies.push_back(U);
      continue;
    }
    // What the iteration before wrote is copied when its turn has come, and
    // then the barrier is behind that.
    bool Ends = IsBarrier && !P.Copies.empty() && !Barrier;
    Barrier |= Ends;
    if (!Ends || !P.Behind.empty())
      (P.Copies.empty() ? P.Before : P.Behind).push_back(std::move(Child));
  }
  isl_ast_node_list_free(List);
  return N > 0 && Barrier && all_of(P.Copies, [&](const pg_user *U) {
           return Mapping.buffers[U->index].stages > 1 &&
                  Copy.fitsRegisters(U->index);
         });
}

/// Do all copies of \p P go without registers?
bool Pipeliner::isAsync(const Pipeline &P) const {
  return all_of(P.Copies, [&](const pg_user *U) {
    return Mapping.buffers[U->index].async;
  });
}

/// Does a thread fetch so little that guards cost it no registers that it needs
/// for other things?  Then, on an H200, copies at the border are faster through
/// registers, as vectors where that may be, than as single elements without
/// them: a product of matrices of 2000 x 2000 takes 0.47 instead of 0.54 ms.
bool Pipeliner::isSmall(const Pipeline &P) const {
  unsigned Bytes = 0;
  for (const pg_user *U : P.Copies)
    Bytes += Copy.inFlight(U->index) * Bufs.elemSize(Mapping.buffers[U->index]);
  return Bytes <= MaxGuarded;
}

/// Can the vectors of all copies be fetched without looking, now and in all
/// iterations?  Null if that depends on more than the first one.
Value *Pipeliner::isFast(const Pipeline &P, Value *First, Value *Second) {
  Value *Fast = B.getTrue();
  for (const pg_user *U : P.Copies) {
    if (U->whole && Ast.mentions(U->whole, P.Name))
      return nullptr;
    for (Value *Iteration : {First, Second}) {
      Ast.define(P.Name, Iteration);
      Copier::Box Box = Copy.box(*U);
      if (Box.Whole && Iteration == First)
        Fast = B.CreateAnd(Fast, Ast.condition(Box.Whole));
      if (Mapping.buffers[U->index].vector > 1)
        Fast = B.CreateAnd(Fast, Copy.isAligned(Box));
    }
  }
  return Fast;
}

/// How far the elements of each copy in an iteration are from those in the one
/// before.
SmallVector<Value *, 4> Pipeliner::distances(const Pipeline &P, Value *First,
                                             Value *Second) {
  SmallVector<Value *, 4> Result;
  for (const pg_user *U : P.Copies) {
    Ast.define(P.Name, First);
    Copier::Box From = Copy.box(*U);
    Ast.define(P.Name, Second);
    Result.push_back(Copy.distance(From, Copy.box(*U)));
  }
  return Result;
}

/// Does a thread compute several elements in an iteration, with operands of
/// which it uses each more than once?
bool Pipeliner::keepsBusy() const {
  return any_of(ArrayRef(Mapping.buffers, Mapping.n_buffer),
                [](const pg_buffer &Buf) {
                  unsigned Points = 1;
                  for (unsigned D = 0; D < Buf.n_dim; ++D)
                    Points *= Buf.extent[D];
                  return Buf.kind == PG_BUFFER_REGISTER && Points > 1;
                });
}

/// What \p Iteration does with the copies in \p Stages.
void Pipeliner::useStages(const Pipeline &P, Value *Iteration,
                          ArrayRef<Value *> Stages) {
  Ast.define(P.Name, Iteration);
  for (unsigned I = 0; I < P.Copies.size(); ++I)
    Bufs.select(P.Copies[I]->index, Stages[I]);
  for (const NodePtr &Node : P.Behind)
    Ast.node(Node.get());
  for (const pg_user *U : P.Copies)
    Bufs.select(U->index, nullptr);
}

/// The loop: while one stage of the buffers is used, the elements of the next
/// iteration come into registers, and from there into the other stage; so one
/// barrier separates iterations.  "Fast": all are vectors at constant
/// distances; then where the loop computes much (keepsBusy), the last iteration
/// fetches its own elements again, which costs less than a branch.
void Pipeliner::pipelinedLoop(const Pipeline &P, Value *First, Value *Second,
                              bool Fast) {
  SmallVector<Copier::Offsets, 4> Offsets;
  SmallVector<Value *, 4> Distances = distances(P, First, Second);
  bool Again = Fast && keepsBusy();
  Ast.define(P.Name, First);
  for (const pg_user *U : P.Copies) {
    if (Fast) {
      Offsets.push_back(
          Copy.offsets(Copy.box(*U), Mapping.buffers[U->index].vector));
      Copy.fetchAt(U->index, Offsets.back());
    } else {
      Copy.fetch(Copy.box(*U));
    }
    if (!isMutated(Mutation::Copy, K.name))
      Copy.put(U->index, nullptr);
  }
  CarriedLoop Loop(B, "pipeline", Readable);
  Value *Iteration = Loop.carry(First, P.Name);
  SmallVector<Value *, 4> Stages;
  for (unsigned I = 0; I < P.Copies.size(); ++I)
    Stages.push_back(Loop.carry(B.getInt32(0), "stage"));
  for (Copier::Offsets &List : Offsets)
    for (Value *&Offset : List)
      Offset = Loop.carry(Offset, "from");
  Iteration = Ast.hideOrigin(Iteration);
  for (Copier::Offsets &List : Offsets)
    for (Value *&Offset : List)
      Offset = Ast.hideOrigin(Offset);
  Barrier(false);
  SmallVector<Value *, 16> Next = {
      B.CreateNSWAdd(Iteration, Ast.expr(P.Inc.get()))};
  Ast.define(P.Name, Next[0]);
  Value *More = Ast.toBool(Ast.expr(P.Cond.get()));
  for (unsigned I = 0; I < P.Copies.size(); ++I)
    Next.push_back(B.CreateXor(
        Stages[I], B.getInt32(Bufs.stageBytes(P.Copies[I]->index))));
  auto IfMore = [&](function_ref<void()> Body) {
    Again ? Body() : Ast.branch(More, Body);
  };
  for (unsigned I = 0; I < Offsets.size(); ++I) {
    Value *Step = Distances[I];
    if (Again)
      Step = B.CreateSelect(More, Step, B.getInt64(0));
    for (Value *&Offset : Offsets[I])
      Next.push_back(Offset = B.CreateAdd(Offset, Step, "", false, Readable));
  }
  IfMore([&] {
    for (unsigned I = 0; I < P.Copies.size(); ++I)
      if (Fast)
        Copy.fetchAt(P.Copies[I]->index, Offsets[I]);
      else
        Copy.fetch(Copy.box(*P.Copies[I]));
  });
  Ast.keepSteps(!Fast);
  useStages(P, Iteration, Stages);
  Ast.keepSteps(false);
  IfMore([&] {
    for (unsigned I = 0; I < P.Copies.size(); ++I)
      if (!isMutated(Mutation::Copy, K.name))
        Copy.put(P.Copies[I]->index, Next[1 + I]);
  });
  Loop.end(Next, More);
}

/// The copies of a loop that run ahead without registers.
struct AsyncCopies {
  SmallVector<Copier::Start, 4> From; ///< of the next iteration to begin with
  SmallVector<Value *, 4> Distances;  ///< from iteration to iteration
  SmallVector<unsigned, 4> Width, Bytes; ///< of a unit; of a stage
  bool Fast; ///< all boxes are whole and consist of aligned vectors
};

AsyncCopies Pipeliner::startCopies(const Pipeline &P, Value *First,
                                   Value *Second, bool Fast) {
  AsyncCopies Result;
  Result.Fast = Fast;
  Result.Distances = distances(P, First, Second);
  Ast.define(P.Name, First);
  for (const pg_user *U : P.Copies) {
    Result.Width.push_back(Fast ? Copy.asyncWidth(U->index) : 1);
    Result.Bytes.push_back(Bufs.stageBytes(U->index));
    Result.From.push_back(Copy.start(Copy.box(*U), Result.Width.back()));
  }
  return Result;
}

/// Begin the copies of \p Iteration, if there is one, to stage \p Stage, and
/// make a group of them.
void Pipeliner::copyAhead(const Pipeline &P, AsyncCopies &Copies,
                          Value *Iteration, Value *Stage) {
  Ast.define(P.Name, Iteration);
  Ast.branch(Ast.toBool(Ast.expr(P.Cond.get())), [&] {
    for (unsigned I = 0; I < P.Copies.size(); ++I) {
      if (isMutated(Mutation::Copy, K.name))
        continue;
      Copier::Box Box = Copy.box(*P.Copies[I]);
      if (Copies.Fast)
        Box.Whole = nullptr;
      else if (Box.Whole && keepsBusy()) // there, registers are worth more
        Box.Whole = B.getFalse();
      Copy.copyAt(Box, Copies.From[I], Copies.Width[I],
                  B.CreateMul(Stage, B.getInt32(Copies.Bytes[I])));
    }
  });
  Copy.tell(CommitName);
  for (unsigned I = 0; I < P.Copies.size(); ++I)
    for (Value *&Offset : Copies.From[I].From)
      Offset = B.CreateAdd(Offset, Copies.Distances[I], "", false, Readable);
}

/// Wait until copies have arrived that only \p Pending groups have been begun
/// after; they are in \p Stages.
void Pipeliner::finishCopies(const Pipeline &P, const AsyncCopies &Copies,
                             unsigned Pending, ArrayRef<Value *> Stages) {
  if (!isMutated(Mutation::Barrier, K.name))
    Copy.tell(WaitName, Pending);
  for (unsigned I = 0; I < P.Copies.size(); ++I)
    Copy.transformAt(P.Copies[I]->index, Copies.Width[I], Stages[I]);
  Barrier(true);
}

/// The stage \p Steps behind \p Stage, of \p N.
Value *Pipeliner::stageBehind(Value *Stage, unsigned Steps, unsigned N) {
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
void Pipeliner::asyncLoop(const Pipeline &P, Value *First, Value *Second,
                          bool Fast) {
  AsyncCopies Copies = startCopies(P, First, Second, Fast);
  unsigned N = Mapping.buffers[P.Copies[0]->index].stages;
  auto Later = [&](Value *Iteration) {
    return B.CreateNSWAdd(Iteration, Ast.expr(P.Inc.get()));
  };
  Value *Next = First;
  for (unsigned S = 0; S + 1 < N; ++S, Next = Later(Next))
    copyAhead(P, Copies, Next, B.getInt32(S));
  CarriedLoop Loop(B, "async", Readable);
  Value *Iteration = Loop.carry(First, P.Name);
  Value *Stage = Loop.carry(B.getInt32(0), "stage");
  for (Copier::Start &Start : Copies.From)
    for (Value *&Offset : Start.From)
      Offset = Loop.carry(Offset, "from");
  Iteration = Ast.hideOrigin(Iteration);
  for (Copier::Start &Start : Copies.From)
    for (Value *&Offset : Start.From)
      Offset = Ast.hideOrigin(Offset);
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
  for (const Copier::Start &Start : Copies.From)
    append_range(Carried, Start.From);
  Ast.define(P.Name, Carried[0]);
  Loop.end(Carried, Ast.toBool(Ast.expr(P.Cond.get())));
}

bool Pipeliner::run(isl_ast_node *Node) {
  Pipeline P;
  if (!readPipeline(Node, P))
    return false;
  Value *First = Ast.toIndex(Ast.expr(P.Init.get()));
  Ast.define(P.Name, First);
  Ast.branch(Ast.condition(Ast.toBool(Ast.expr(P.Cond.get()))), [&] {
    for (const NodePtr &Child : P.Before)
      Ast.node(Child.get());
    Value *Second = B.CreateNSWAdd(First, Ast.expr(P.Inc.get()));
    Value *Fast = isFast(P, First, Second);
    bool Async = isAsync(P), Busy = keepsBusy();
    auto Vectors = [&] {
      if (Async && !Busy)
        asyncLoop(P, First, Second, true);
      else
        pipelinedLoop(P, First, Second, true);
    };
    auto Others = [&] {
      if (Async && !(Fast && Busy && isSmall(P)))
        return asyncLoop(P, First, Second, false);
      if (Async || !Fast)
        return pipelinedLoop(P, First, Second, false);
      Ast.keepSteps(true);
      Ast.node(Node);
      Ast.keepSteps(false);
    };
    Fast ? Ast.branch(Fast, Vectors, Others) : Others();
  });
  return true;
}

} // namespace polygpu
