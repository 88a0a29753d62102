//===- HostBuilder.cpp - Copies and launches ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "host/HostBuilder.h"
#include "RuntimeFunctions.h"
#include "verify/Mutate.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;

namespace polygpu {

RuntimeCalls::RuntimeCalls(Module &M) {
  auto All = runtimeFunctions(M.getContext());
  FunctionCallee *Calls[] = {&Decline, &Array, &Move,  &Launch,
                             &End,     &Begin, &Worth, &Known};
  for (auto [Call, F] : zip_first(Calls, drop_begin(All)))
    *Call = M.getOrInsertFunction(F.Name, F.Type);
}

Value *placeLent(IRBuilder<> &B, const pg_plan &Plan, HostValues &Values) {
  enum { LineBytes = 64 };
  Value *All = B.getInt64(0), *Wrong = B.getFalse();
  auto Checked = [&](Intrinsic::ID Op, Value *L, Value *R) {
    Value *Both = B.CreateBinaryIntrinsic(Op, L, R);
    Wrong = B.CreateOr(Wrong, B.CreateExtractValue(Both, 1));
    return B.CreateExtractValue(Both, 0);
  };
  Values.Lent.assign(Plan.scop->n_array, nullptr);
  for (unsigned A = 0; A < Plan.scop->n_array; ++A) {
    if (!isLent(Plan, A))
      continue;
    Value *Bytes = B.getInt64(Plan.scop->arrays[A].elem_size);
    for (unsigned D = 0; D < Plan.scop->arrays[A].n_dim; ++D)
      if (Plan.own[A][D] != 1)
        Bytes =
            Checked(Intrinsic::umul_with_overflow, Bytes, Values.Extents[A][D]);
    Values.Lent[A] = All;
    Bytes = Checked(Intrinsic::uadd_with_overflow, Bytes,
                    B.getInt64(LineBytes - 1));
    All = Checked(Intrinsic::uadd_with_overflow, All,
                  B.CreateAnd(Bytes, B.getInt64(-int64_t(LineBytes))));
  }
  return B.CreateSelect(Wrong, B.getInt64(-1), All);
}

HostBuilder::HostBuilder(IRBuilder<> &B, const pg_plan &Plan,
                         const DeviceCode &Code, const RuntimeCalls &Calls,
                         const HostValues &Values, Value *Run,
                         unsigned FirstKernel)
    : AstBuilder(B, B.getInt64Ty()), Plan(Plan), Code(Code), Calls(Calls),
      Values(Values), Run(Run), FirstKernel(FirstKernel) {
  for (unsigned I = 0; I < Plan.scop->n_param; ++I)
    define(Plan.scop->params[I].name, Values.Params[I]);
}

void HostBuilder::inspect(isl_ast_node *Node, unsigned Kind, Value *Range) {
  Inspected = Range;
  IndexKind = Kind;
  node(Node);
  Inspected = nullptr;
}

Value *HostBuilder::slot(Type *Ty, const Twine &Name) {
  BasicBlock &Entry = B.GetInsertBlock()->getParent()->getEntryBlock();
  IRBuilder<> AtEntry(&Entry, Entry.getFirstInsertionPt());
  return AtEntry.CreateAlloca(Ty, nullptr, Name);
}

void HostBuilder::user(const pg_user &U) {
  if (U.kind == PG_USER_LAUNCH)
    return launch(U);
  if (U.kind != PG_USER_MOVE) {
    fail();
    return;
  }
  SmallVector<Value *, 4> Index;
  for (unsigned D = 0; D < U.n; ++D)
    Index.push_back(expr(U.args[D]));
  move(U.index, Index, B.getInt64(1), 1, {});
}

/// \p L and \p R together by an operation that tells of an overflow, of which
/// \p Wrong is told.
Value *HostBuilder::checked(Intrinsic::ID ID, Value *L, Value *R,
                            Value *&Wrong) {
  bool IsProduct = ID == Intrinsic::smul_with_overflow;
  const auto *A = dyn_cast<ConstantInt>(L), *C = dyn_cast<ConstantInt>(R);
  if (A && C) {
    int64_t Both;
    if (!(IsProduct ? MulOverflow(A->getSExtValue(), C->getSExtValue(), Both)
                    : AddOverflow(A->getSExtValue(), C->getSExtValue(), Both)))
      return B.getInt64(Both);
  } else if (A && (IsProduct ? A->isOne() : A->isZero())) {
    return R;
  }
  Value *Pair = B.CreateBinaryIntrinsic(ID, L, R);
  Wrong = B.CreateOr(Wrong, B.CreateExtractValue(Pair, 1));
  return B.CreateExtractValue(Pair, 0);
}

/// The offset of the element \p Index; \p Overflow becomes true where that is
/// none of 64 bits.
Value *HostBuilder::offsetOf(unsigned Array, ArrayRef<Value *> Index,
                             Value *&Overflow) {
  Value *Offset = B.getInt64(0);
  for (unsigned D = 0; D < Index.size(); ++D) {
    if (D)
      Offset = checked(Intrinsic::smul_with_overflow, Offset,
                       Values.Extents[Array][D], Overflow);
    Offset = checked(Intrinsic::sadd_with_overflow, Offset, Index[D], Overflow);
  }
  return Offset;
}

/// One call for Count elements from Index on, and as many in each iteration of
/// the loops \p Around.  An overflow of an offset is passed on as stride 0,
/// which the runtime answers with the original loops.
void HostBuilder::move(unsigned Array, ArrayRef<Value *> Index, Value *Count,
                       int64_t Stride, ArrayRef<MoveLoop> Around) {
  if (!isa<Argument>(Run) &&
      isMutated(Mutation::Copy, "array " + std::to_string(Array) +
                                    (Direction == POLYGPU_IN ? " in" : " out")))
    return;
  Value *Overflow = B.getFalse(), *Offset = offsetOf(Array, Index, Overflow);
  for (const MoveLoop &Loop : Around)
    Overflow = B.CreateOr(
        Overflow,
        B.CreateAnd(Loop.Far, B.CreateICmpSGT(Loop.Trips, B.getInt64(1))));
  Value *Checked = B.CreateSelect(Overflow, B.getInt64(0), B.getInt64(Stride));
  Module &M = *B.GetInsertBlock()->getModule();
  if (Inspected) {
    B.CreateCall(runtimeFunction(M, "polygpu_inspect"),
                 {Run, B.getInt32(Array), B.getInt32(IndexKind), Offset, Count,
                  Checked, Inspected});
    return;
  }
  unsigned Dir = Direction;
  if (Dir == POLYGPU_OUT && Plan.scop->arrays[Array].dead_after)
    Dir = POLYGPU_TOUCH;
  SmallVector<Value *, 8> Operands = {
      Run, B.getInt32(Array), B.getInt32(Dir), Offset, Count, Checked};
  if (Around.empty()) {
    B.CreateCall(Calls.Move, Operands);
    return;
  }
  Operands.push_back(B.getInt32(Around.size()));
  Operands.push_back(listOf(Around));
  B.CreateCall(runtimeFunction(M, "polygpu_move_rows"), Operands);
}

/// The loops as an array of polygpu_move_loop, whose memory other calls use as
/// well.
Value *HostBuilder::listOf(ArrayRef<MoveLoop> Around) {
  Value *&List = MoveLists[Around.size()];
  if (!List)
    List = slot(ArrayType::get(B.getInt64Ty(), 2 * Around.size()),
                "polygpu.loops");
  unsigned Number = 0;
  auto Store = [&](Value *V) {
    B.CreateStore(V, B.CreateConstGEP1_64(B.getInt64Ty(), List, Number++));
  };
  for (const MoveLoop &Loop : Around) {
    Store(Loop.Trips);
    Store(Loop.Step);
  }
  return List;
}

void HostBuilder::touch(unsigned Array) {
  Value *Count = B.getInt64(1), *Overflow = B.getFalse();
  if (Plan.scop->arrays[Array].kind == PG_ARRAY_TEMPORARY)
    for (Value *Extent : Values.Extents[Array]) {
      Value *Pair =
          B.CreateBinaryIntrinsic(Intrinsic::smul_with_overflow, Count, Extent);
      Count = B.CreateExtractValue(Pair, 0);
      Overflow = B.CreateOr(Overflow, B.CreateExtractValue(Pair, 1));
    }
  // As in move; a count that is not positive would be no call at all.
  B.CreateCall(Calls.Move,
               {Run, B.getInt32(Array), B.getInt32(POLYGPU_TOUCH),
                B.getInt64(0), B.CreateSelect(Overflow, B.getInt64(1), Count),
                B.CreateSelect(Overflow, B.getInt64(0), B.getInt64(1))});
}

/// The parts of an isl for node, freed at the end.
struct HostBuilder::ForParts {
  isl_ast_expr *Init, *Cond, *Inc;
  isl_ast_node *Body;
  std::string Name;
  ForParts(isl_ast_node *N, std::string Name)
      : Init(isl_ast_node_for_get_init(N)), Cond(isl_ast_node_for_get_cond(N)),
        Inc(isl_ast_node_for_get_inc(N)), Body(isl_ast_node_for_get_body(N)),
        Name(std::move(Name)) {}
  ~ForParts() {
    isl_ast_expr_free(Init);
    isl_ast_expr_free(Cond);
    isl_ast_expr_free(Inc);
    isl_ast_node_free(Body);
  }
  /// i <= E or i < E with E in \p Bound, owned by the caller.
  bool getBound(isl_ast_expr *&Bound, bool &Strict) const {
    return (Bound = boundOf(Cond, Name, Strict)) != nullptr;
  }
};

/// The loops from \p Node to a move, each the body of the one before; empty
/// where there is anything else, or where a loop has one iteration only.
SmallVector<std::unique_ptr<HostBuilder::ForParts>, 4>
HostBuilder::loopsAroundMove(isl_ast_node *Node, const pg_user *&Move) {
  SmallVector<std::unique_ptr<ForParts>, 4> Loops;
  while (isl_ast_node_get_type(Node) == isl_ast_node_for &&
         isl_ast_node_for_is_degenerate(Node) == isl_bool_false) {
    Loops.push_back(std::make_unique<ForParts>(Node, iteratorName(Node)));
    Node = Loops.back()->Body;
  }
  Move =
      isl_ast_node_get_type(Node) == isl_ast_node_user ? userOf(Node) : nullptr;
  if (!Move || Move->kind != PG_USER_MOVE || Move->n == 0)
    Loops.clear();
  return Loops;
}

/// By how much \p Expr grows with the variable \p Name; nothing where that
/// cannot be told.
static std::optional<int64_t> growth(isl_ast_expr *Expr, StringRef Name) {
  if (isl_ast_expr_get_type(Expr) == isl_ast_expr_id)
    return AstBuilder::isVariable(Expr, Name);
  if (isl_ast_expr_get_type(Expr) != isl_ast_expr_op)
    return 0;
  isl_size N = isl_ast_expr_op_get_n_arg(Expr);
  SmallVector<std::optional<int64_t>, 2> Args;
  std::optional<int64_t> Factor;
  for (int I = 0; I < N; ++I) {
    isl_ast_expr *Arg = isl_ast_expr_op_get_arg(Expr, I);
    Args.push_back(growth(Arg, Name));
    if (isl_ast_expr_get_type(Arg) == isl_ast_expr_int && !Factor) {
      isl_val *V = isl_ast_expr_int_get_val(Arg);
      if (isl_val_is_int(V) == isl_bool_true && isl_val_cmp_si(V, 1L << 40) < 0)
        Factor = isl_val_get_num_si(V);
      isl_val_free(V);
    }
    isl_ast_expr_free(Arg);
  }
  bool Unknown = is_contained(Args, std::nullopt);
  bool None = !Unknown && all_of(Args, [](auto G) { return *G == 0; });
  if (Unknown || None || Args.size() != 2)
    return None ? std::optional<int64_t>(0) : std::nullopt;
  switch (isl_ast_expr_op_get_type(Expr)) {
  case isl_ast_expr_op_add:
    return *Args[0] + *Args[1];
  case isl_ast_expr_op_sub:
    return *Args[0] - *Args[1];
  case isl_ast_expr_op_mul:
    if (Factor)
      return *Factor * (*Args[0] + *Args[1]);
    [[fallthrough]];
  default:
    return std::nullopt;
  }
}

/// Does each of \p Loops count in one subscript of \p Move, on which \p Ranges
/// get a hold, the innermost one in the last, and do bounds not depend on loops
/// around?
bool HostBuilder::areSubscripts(ArrayRef<std::unique_ptr<ForParts>> Loops,
                                const pg_user &Move,
                                MutableArrayRef<CounterRange> Ranges) {
  for (unsigned L = 0; L < Loops.size(); ++L) {
    StringRef Name = Loops[L]->Name;
    unsigned Found = 0;
    for (unsigned D = 0; D < Move.n; ++D) {
      std::optional<int64_t> By = growth(Move.args[D], Name);
      if (!By)
        return false;
      if (*By == 0)
        continue;
      ++Found;
      Ranges[L].Subscript = D;
      Ranges[L].Growth = *By;
    }
    if (Found != 1)
      return false;
    for (unsigned Inner = L + 1; Inner < Loops.size(); ++Inner)
      if (mentions(Loops[Inner]->Init, Name) ||
          mentions(Loops[Inner]->Cond, Name))
        return false;
  }
  return Ranges.back().Subscript + 1 == Move.n;
}

/// The values of a counter: Count of them from First on, none if that is not
/// positive.
bool HostBuilder::rangeOf(const ForParts &Loop, CounterRange &Range) {
  isl_ast_expr *Bound;
  bool Strict;
  Range.Step = dyn_cast<ConstantInt>(expr(Loop.Inc));
  if (!Range.Step || !Loop.getBound(Bound, Strict))
    return false;
  Range.First = expr(Loop.Init);
  Value *End = expr(Bound);
  isl_ast_expr_free(Bound);
  if (Strict)
    End = B.CreateNSWSub(End, B.getInt64(1));
  Value *Span = B.CreateNSWSub(End, Range.First);
  Range.Count = B.CreateNSWAdd(B.CreateSDiv(Span, Range.Step), B.getInt64(1));
  Range.Count = B.CreateSelect(B.CreateICmpSLT(Span, B.getInt64(0)),
                               B.getInt64(0), Range.Count);
  return true;
}

/// The number of elements between those of two iterations of \p Range; \p Far
/// gets true where that is none of 64 bits.
Value *HostBuilder::strideOf(const pg_user &Move, const CounterRange &Range,
                             Value *&Far) {
  int64_t By;
  if (MulOverflow(Range.Growth, Range.Step->getSExtValue(), By)) {
    Far = B.getTrue();
    return B.getInt64(0);
  }
  Value *Stride = B.getInt64(By);
  for (unsigned D = Range.Subscript + 1; D < Move.n; ++D)
    Stride = checked(Intrinsic::smul_with_overflow, Stride,
                     Values.Extents[Move.index][D], Far);
  return Stride;
}

/// The kernel that may do what the loop \p Node of launches does, or null.
const GridChain *HostBuilder::chainOf(isl_ast_node *Node) const {
  auto Found =
      find_if(Code.Grids, [&](const GridChain &G) { return G.Loop == Node; });
  return OnThreads || Found == Code.Grids.end() ? nullptr : &*Found;
}

/// A value that one of \p Kernels gets as well, at the launch \p U.
Value *HostBuilder::argument(ArrayRef<unsigned> Kernels, const KernelArg &A,
                             const pg_user &U) {
  for (unsigned K : Kernels)
    for (unsigned I = 0; I < Code.Args[K].size(); ++I)
      if (Code.Args[K][I] == A)
        return argument(A, FirstKernel + K, I, U);
  return argument(A, 0, 0, U); // a parameter
}

/// The runtime is asked to do as many iterations of a loop as it likes by one
/// kernel; those that are left are launches.
bool HostBuilder::grid(const GridChain &Chain) {
  ForParts Loop(Chain.Loop, iteratorName(Chain.Loop));
  CounterRange Range;
  if (!rangeOf(Loop, Range))
    return false;
  SmallVector<Value *, 16> Passed;
  for (const KernelArg &A : Chain.Args)
    if (A.Kind == KernelArg::Begin || A.Kind == KernelArg::Rounds)
      Passed.push_back(B.getInt64(0)); // the runtime's
    else if (A.Kind == KernelArg::First)
      Passed.push_back(Range.First);
    else if (!isKnownToRuntime(A))
      Passed.push_back(argument(Chain.Kernels, A, pg_user()));
  SmallVector<Constant *, 8> Kernels;
  for (unsigned K : Chain.Kernels) {
    Constant *Number = B.getInt32(
        FirstKernel +
        (Code.isPart(K) ? firstJoined(Plan, Code) + Code.PartOf[K] : K));
    if (!is_contained(Kernels, Number))
      Kernels.push_back(Number);
  }
  Module &M = *B.GetInsertBlock()->getModule();
  auto *List = new GlobalVariable(
      M, ArrayType::get(B.getInt32Ty(), Kernels.size()), true,
      GlobalValue::PrivateLinkage,
      ConstantArray::get(ArrayType::get(B.getInt32Ty(), Kernels.size()),
                         Kernels),
      "polygpu.list");
  unsigned Number =
      FirstKernel + Plan.n_kernel + unsigned(&Chain - Code.Grids.data());
  Value *Done = B.CreateCall(runtimeFunction(M, "polygpu_grid"),
                             {Run, B.getInt32(Number), Range.Count, List,
                              B.getInt32(Kernels.size()), pointersTo(Passed)});
  Value *Left = B.CreateNSWSub(Range.Count, Done);
  branch(B.CreateICmpSGT(Left, B.getInt64(0)), [&] {
    countedLoop(Left, [&](Value *Round) {
      define(Loop.Name,
             B.CreateNSWAdd(
                 Range.First,
                 B.CreateNSWMul(B.CreateNSWAdd(Done, Round), Range.Step)));
      node(Loop.Body);
    });
  });
  return true;
}

/// Loops around a move are one call, in which the runtime finds out where rows
/// go on behind what the ones before have moved: whole rows, planes and so on
/// are one move.
bool HostBuilder::specialFor(isl_ast_node *Node) {
  if (const GridChain *Chain = chainOf(Node))
    return grid(*Chain);
  const pg_user *Move;
  auto Loops = loopsAroundMove(Node, Move);
  SmallVector<CounterRange, 4> Ranges(Loops.size());
  if (Loops.empty() || !areSubscripts(Loops, *Move, Ranges))
    return false;
  for (auto [Loop, Range] : zip_first(Loops, Ranges))
    if (!rangeOf(*Loop, Range))
      return false;
  const CounterRange &Inner = Ranges.back();
  int64_t Stride;
  if (MulOverflow(Inner.Growth, Inner.Step->getSExtValue(), Stride) ||
      Stride < 1)
    return false;
  if (Inspected)
    inspectRows(*Move, Loops, Ranges, Stride);
  else
    moveRows(*Move, Loops, Ranges, Stride);
  return true;
}

/// The product, if both are known and it is one of 64 bits.
static std::optional<int64_t> knownProduct(const Value *L, const Value *R) {
  const auto *A = dyn_cast<ConstantInt>(L), *B = dyn_cast<ConstantInt>(R);
  int64_t Product;
  if (!A || !B || MulOverflow(A->getSExtValue(), B->getSExtValue(), Product))
    return std::nullopt;
  return Product;
}

/// A move of all elements.  Rows of which it is known that they go on where the
/// ones before end are one.
void HostBuilder::moveRows(const pg_user &Move,
                           ArrayRef<std::unique_ptr<ForParts>> Loops,
                           ArrayRef<CounterRange> Ranges, int64_t Stride) {
  Value *Count = Ranges.back().Count;
  SmallVector<MoveLoop, 4> Around;
  for (const CounterRange &Outer : reverse(Ranges.drop_back())) {
    Value *Far = B.getFalse(), *Step = strideOf(Move, Outer, Far);
    auto All = knownProduct(Count, Outer.Count);
    if (All && Around.empty() && Stride == 1 && Count == Step)
      Count = B.getInt64(*All);
    else if (!PatternMatch::match(Outer.Count, PatternMatch::m_One()))
      Around.push_back({Outer.Count, Step, Far});
  }
  std::reverse(Around.begin(), Around.end());
  for (auto [Loop, Range] : zip_first(Loops, Ranges))
    define(Loop->Name, Range.First);
  SmallVector<Value *, 4> Index;
  for (unsigned D = 0; D < Move.n; ++D)
    Index.push_back(expr(Move.args[D]));
  move(Move.index, Index, Count, Stride, Around);
}

/// A look at all elements: one for whole rows, planes and so on, as the program
/// finds out.
void HostBuilder::inspectRows(const pg_user &Move,
                              ArrayRef<std::unique_ptr<ForParts>> Loops,
                              SmallVector<CounterRange, 4> Ranges,
                              int64_t Stride) {
  Value *Count = Ranges.back().Count, *Whole = B.getInt1(Stride == 1);
  for (CounterRange &Outer : reverse(MutableArrayRef(Ranges).drop_back())) {
    Value *Far = B.getFalse();
    Value *All =
        checked(Intrinsic::smul_with_overflow, Count, Outer.Count, Far);
    Value *Next = strideOf(Move, Outer, Far);
    Whole = B.CreateAnd(B.CreateAnd(Whole, B.CreateNot(Far)),
                        B.CreateICmpEQ(Count, Next));
    Count = B.CreateSelect(Whole, All, Count);
    Outer.Count = B.CreateSelect(Whole, B.getInt64(1), Outer.Count);
  }
  Ranges.back().Count = Count;
  inspectEach(Move, Loops, Ranges, Stride);
}

/// A look for each iteration of \p Loops but the last one.
void HostBuilder::inspectEach(const pg_user &Move,
                              ArrayRef<std::unique_ptr<ForParts>> Loops,
                              ArrayRef<CounterRange> Ranges, int64_t Stride) {
  const CounterRange &Range = Ranges.front();
  if (Ranges.size() == 1)
    return moveRows(Move, Loops, Ranges, Stride);
  auto Row = [&](Value *Number) {
    define(Loops.front()->Name,
           B.CreateNSWAdd(Range.First, B.CreateNSWMul(Number, Range.Step)));
    inspectEach(Move, Loops.drop_front(), Ranges.drop_front(), Stride);
  };
  if (PatternMatch::match(Range.Count, PatternMatch::m_One()))
    return Row(B.getInt64(0));
  branch(B.CreateICmpSGT(Range.Count, B.getInt64(0)),
         [&] { countedLoop(Range.Count, Row); });
}

Value *HostBuilder::argument(const KernelArg &A, unsigned Kernel,
                             unsigned Number, const pg_user &U) {
  switch (A.Kind) {
  case KernelArg::Extent:
    return Values.Extents[A.Index][A.Dim];
  case KernelArg::Param:
    return B.CreateTrunc(Values.Params[A.Index], A.Ty);
  case KernelArg::Host:
    return B.CreateTrunc(expr(U.args[A.Index]), A.Ty);
  case KernelArg::Blocks:
    return B.CreateTrunc(expr(U.grid[A.Dim]), A.Ty);
  case KernelArg::Scev:
  case KernelArg::Scalar:
    return B.CreateZExt(Values.Invariants[Kernel][Number], A.Ty);
  case KernelArg::Array:
    if (OnThreads)
      return isLent(Plan, A.Index) ? Values.Lent[A.Index]
                                   : Values.Bases[A.Index];
    break;
  case KernelArg::Marks:
  case KernelArg::Begin:
  case KernelArg::Rounds:
  case KernelArg::First:
  case KernelArg::Counter:
  case KernelArg::Beside:
    break;
  }
  return fail();
}

/// Pointers to the values of parameters; the runtime knows those of the
/// device's arrays.
Value *HostBuilder::argumentList(const pg_user &U) {
  const std::vector<KernelArg> &Args = Code.Args[U.index];
  SmallVector<Value *, 16> Passed;
  for (unsigned I = 0; I < Args.size(); ++I) {
    if (isArray(Args[I]) && !OnThreads)
      continue;
    Passed.push_back(argument(Args[I], FirstKernel + U.index, I, U));
  }
  return pointersTo(Passed);
}

/// A list of pointers to \p Passed.
Value *HostBuilder::pointersTo(ArrayRef<Value *> Passed) {
  SmallVector<Value *, 16> Slots;
  for (Value *V : Passed) {
    Slots.push_back(slot(V->getType(), "polygpu.arg"));
    B.CreateStore(V, Slots.back());
  }
  Type *Ptr = B.getPtrTy();
  Value *List = slot(ArrayType::get(Ptr, Slots.size()), "polygpu.args");
  for (unsigned I = 0; I < Slots.size(); ++I)
    B.CreateStore(Slots[I], B.CreateConstGEP1_64(Ptr, List, I));
  return List;
}

void HostBuilder::launch(const pg_user &U) {
  Value *List = argumentList(U);
  if (OnThreads) {
    Value *Pieces = U.grid[0] ? B.CreateZExt(expr(U.grid[0]), B.getInt64Ty())
                              : B.getInt64(1);
    B.CreateCall(runtimeFunction(*B.GetInsertBlock()->getModule(),
                                 "polygpu_parallel_launch"),
                 {Run, B.getInt32(U.index), Pieces, List});
    return;
  }
  if (Code.isPart(U.index)) {
    fail(); // it is in no image
    return;
  }
  SmallVector<Value *, 6> Operands = {Run, B.getInt32(FirstKernel + U.index)};
  for (unsigned D = 0; D < 3; ++D)
    Operands.push_back(extent(U, D));
  Operands.push_back(List);
  B.CreateCall(Calls.Launch, Operands);
}

/// How many blocks the launch \p U has in dimension \p D, i64.
Value *HostBuilder::extent(const pg_user &U, unsigned D) {
  Value *Blocks =
      U.grid[D] ? B.CreateZExt(expr(U.grid[D]), B.getInt64Ty()) : B.getInt64(1);
  if (hasMoreTiles(Plan.kernels[U.index], D))
    Blocks = B.CreateBinaryIntrinsic(Intrinsic::smin, Blocks,
                                     B.getInt64(PG_GRID_YZ));
  return Blocks;
}

//===-- Joined launches ---------------------------------------------------===//

/// One launch for all of \p Launches, of which some may not happen.
void HostBuilder::launchJoined(unsigned Joined,
                               ArrayRef<GuardedLaunch> Launches) {
  const JoinedLaunches &All = Code.Joined[Joined];
  const pg_user &First = *Launches.front().User;
  SmallVector<std::array<Value *, 6>, 4> Extents;
  Value *Sum = B.getInt64(0), *Few = B.getTrue();
  // As many as no device starts, or what 32 bits do not hold, is a launch that
  // the runtime refuses.
  Value *Most = B.getInt64(INT32_MAX);
  for (const GuardedLaunch &Launch : Launches) {
    Value *Happens = allOf(Launch.Guards), *Count = B.getInt64(1);
    Extents.emplace_back();
    for (unsigned D = 0; D < 3; ++D) {
      Value *Extent = B.CreateBinaryIntrinsic(
          Intrinsic::smax,
          B.CreateSelect(Happens, extent(*Launch.User, D), B.getInt64(0)),
          B.getInt64(0));
      Few = B.CreateAnd(Few, B.CreateICmpSLE(Extent, Most));
      Extent = B.CreateBinaryIntrinsic(Intrinsic::smin, Extent, Most);
      Extents.back()[D] = Extent;
      Extents.back()[3 + D] =
          Launch.User->grid[D]
              ? B.CreateSelect(Happens, expr(Launch.User->grid[D]),
                               B.getInt64(0))
              : B.getInt64(1);
      Count = B.CreateBinaryIntrinsic(Intrinsic::smin,
                                      B.CreateMul(Count, Extent), Most);
    }
    Sum = B.CreateAdd(Sum, Count);
  }
  Sum = B.CreateSelect(Few, Sum, B.getInt64(INT64_MAX));
  branch(B.CreateICmpSGT(Sum, B.getInt64(0)), [&] {
    SmallVector<Value *, 16> Passed;
    for (const KernelArg &A : All.Args)
      if (A.Kind == KernelArg::Beside)
        Passed.push_back(B.CreateTrunc(Extents[A.Index][A.Dim], A.Ty));
      else if (!isKnownToRuntime(A))
        Passed.push_back(argument(All.Kernels, A, First));
    B.CreateCall(Calls.Launch,
                 {Run,
                  B.getInt32(FirstKernel + firstJoined(Plan, Code) + Joined),
                  Sum, B.getInt64(1), B.getInt64(1), pointersTo(Passed)});
  });
}

/// Launches that are one kernel.
bool HostBuilder::specialBlock(isl_ast_node *Node) {
  if (OnThreads || Code.Joined.empty())
    return false;
  LaunchList List(Node);
  if (!List.hasJoined(Code))
    return false;
  for (unsigned I = 0; I < List.get().size();) {
    const GuardedLaunch &Launch = List.get()[I];
    int Joined = List.joinedAt(I, Code);
    if (Joined < 0) {
      branch(allOf(Launch.Guards), [&] { launch(*Launch.User); });
      ++I;
      continue;
    }
    unsigned N = Code.Joined[Joined].Kernels.size();
    launchJoined(Joined, ArrayRef(List.get()).slice(I, N));
    I += N;
  }
  return true;
}

} // namespace polygpu
