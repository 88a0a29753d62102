//===- GridChain.cpp - Loops of the host in one kernel --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kernel/GridChain.h"
#include "kernel/AstBuilder.h"
#include "kernel/JoinedLaunches.h"
#include "kernel/KernelBlocks.h"
#include "target/DeviceModule.h"
#include "target/SharedLayout.h"
#include "target/TargetDescription.h"
#include "verify/Mutate.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Module.h"
#include <set>

using namespace llvm;

namespace polygpu {

namespace {

/// Instructions of all kernels of a loop: more would take more registers than
/// each of them, and the compiler its time.
constexpr unsigned MostInstructions = 4000;

//===-- Which loops -------------------------------------------------------===//

/// What is launched in a loop.
struct Launches {
  std::set<unsigned> Kernels;
  bool OnlyLaunches = true;
};

isl_bool visit(isl_ast_node *Node, void *User) {
  auto &Found = *static_cast<Launches *>(User);
  switch (isl_ast_node_get_type(Node)) {
  case isl_ast_node_for:
  case isl_ast_node_if:
  case isl_ast_node_block:
    return isl_bool_true;
  case isl_ast_node_user:
    if (const pg_user *U = AstBuilder::userOf(Node);
        U && U->kind == PG_USER_LAUNCH) {
      Found.Kernels.insert(U->index);
      return isl_bool_false;
    }
    [[fallthrough]];
  default:
    Found.OnlyLaunches = false;
    return isl_bool_false;
  }
}

/// The outermost loops in \p Node, which the plan keeps.
void findLoops(isl_ast_node *Node, SmallVectorImpl<isl_ast_node *> &Loops) {
  switch (isl_ast_node_get_type(Node)) {
  case isl_ast_node_for:
    if (isl_ast_node_for_is_degenerate(Node) == isl_bool_false)
      Loops.push_back(Node);
    break;
  case isl_ast_node_block: {
    isl_ast_node_list *List = isl_ast_node_block_get_children(Node);
    isl_size N = isl_ast_node_list_size(List);
    for (int I = 0; I < N; ++I) {
      isl_ast_node *Child = isl_ast_node_list_get_at(List, I);
      findLoops(Child, Loops);
      isl_ast_node_free(Child);
    }
    isl_ast_node_list_free(List);
    break;
  }
  case isl_ast_node_if: {
    isl_ast_node *Then = isl_ast_node_if_get_then_node(Node);
    findLoops(Then, Loops);
    isl_ast_node_free(Then);
    break;
  }
  default:
    break;
  }
}

/// By how much the counter of \p Loop grows; 0 if that is not known.
int64_t stepOf(isl_ast_node *Loop) {
  isl_ast_expr *Inc = isl_ast_node_for_get_inc(Loop);
  int64_t Step = 0;
  if (isl_ast_expr_get_type(Inc) == isl_ast_expr_int) {
    isl_val *V = isl_ast_expr_int_get_val(Inc);
    if (isl_val_is_int(V) == isl_bool_true &&
        isl_val_cmp_si(V, INT32_MAX) < 0 && isl_val_is_pos(V) == isl_bool_true)
      Step = isl_val_get_num_si(V);
    isl_val_free(V);
  }
  isl_ast_expr_free(Inc);
  return Step;
}

/// Has \p Loop an end that is known in front of it?
bool hasBound(isl_ast_node *Loop) {
  isl_ast_expr *Cond = isl_ast_node_for_get_cond(Loop);
  bool Strict;
  isl_ast_expr *Bound =
      AstBuilder::boundOf(Cond, AstBuilder::iteratorName(Loop), Strict);
  isl_ast_expr_free(Cond);
  isl_ast_expr_free(Bound);
  return Bound;
}

//===-- The kernel --------------------------------------------------------===//

/// \p Number, i32, in three dimensions.
Position positionOf(IRBuilder<> &B, Value *Number, const Position &Extents) {
  Value *Rows = B.CreateUDiv(Number, Extents[0]);
  return {B.CreateURem(Number, Extents[0]), B.CreateURem(Rows, Extents[1]),
          B.CreateUDiv(Rows, Extents[1])};
}

/// Generates the host's loop with what blocks do instead of launches.
class GridChainBuilder final : public AstBuilder {
public:
  GridChainBuilder(IRBuilder<> &B, Module &M, const pg_plan &Plan,
                   DeviceCode &Code, const GridChain &Chain)
      : AstBuilder(B, B.getInt64Ty()), M(M), Plan(Plan), Code(Code),
        Chain(Chain),
        Blocks(M, Plan, Code, Chain.Kernels, Chain.Name, Chain.Threads) {}

  Function *run(isl_ast_node *Loop);
  std::vector<KernelArg> Args;

private:
  Module &M;
  const pg_plan &Plan;
  DeviceCode &Code;
  const GridChain &Chain;
  Function *F = nullptr;
  KernelBlocks Blocks;
  Value *Thread = nullptr, *Block = nullptr, *Count = nullptr; ///< i32
  Position Places = {}; ///< variables for the block that is done
  Value *Counter = nullptr;

  void collectArguments();
  Value *valueOf(const KernelArg &Arg, const pg_user &U);
  Value *extent(const pg_user &U, unsigned D);
  Position advance(const Position &At, const Position &By,
                   const Position &Extents);
  void block(const pg_user &U, ArrayRef<Value *> Passed, const Position &Place);
  void meet();
  void share(const pg_user &U);
  void user(const pg_user &U) override;
  bool specialBlock(__isl_keep isl_ast_node *Node) override;
  Value *unknownVariable(StringRef) override { return fail(); }
};

/// What the kernels get, but for what depends on the loops around them, and
/// what those need: which iterations, where the first one begins, where blocks
/// meet, and the parameters.
void GridChainBuilder::collectArguments() {
  Type *I64 = B.getInt64Ty();
  using Arg = KernelArg;
  Args = {{Arg::Begin, 0, 0, nullptr, nullptr, I64},
          {Arg::Rounds, 0, 0, nullptr, nullptr, I64},
          {Arg::First, 0, 0, nullptr, nullptr, I64},
          {Arg::Counter, 0, 0, nullptr, nullptr,
           PointerType::get(M.getContext(), GlobalSpace)}};
  for (unsigned P = 0; P < Plan.scop->n_param; ++P)
    Args.push_back({Arg::Param, P, 0, nullptr, nullptr, I64});
  Blocks.addArguments(Args);
}

Value *GridChainBuilder::valueOf(const KernelArg &Arg, const pg_user &U) {
  if (Arg.Kind == KernelArg::Host)
    return B.CreateTrunc(expr(U.args[Arg.Index]), Arg.Ty);
  if (Arg.Kind == KernelArg::Blocks)
    return B.CreateTrunc(expr(U.grid[Arg.Dim]), Arg.Ty);
  for (unsigned I = 0; I < Args.size(); ++I)
    if (Args[I] == Arg)
      return F->getArg(I);
  return fail();
}

/// How many blocks a launch has in dimension \p D, at least 0, i32: it is no
/// launch that any device does if they are more.
Value *GridChainBuilder::extent(const pg_user &U, unsigned D) {
  if (!U.grid[D])
    return B.getInt32(1);
  Value *Blocks = toIndex(expr(U.grid[D]));
  int64_t Most =
      hasMoreTiles(Plan.kernels[U.index], D) ? PG_GRID_YZ : INT32_MAX;
  Blocks = B.CreateBinaryIntrinsic(Intrinsic::smin, Blocks, B.getInt64(Most));
  Blocks = B.CreateBinaryIntrinsic(Intrinsic::smax, Blocks, B.getInt64(0));
  return B.CreateTrunc(Blocks, B.getInt32Ty());
}

void GridChainBuilder::meet() {
  if (isMutated(Mutation::Meet, Chain.Name))
    return;
  FunctionCallee Callee =
      deviceFunction(M, GridBarrierName, {Counter->getType()});
  cast<Function>(Callee.getCallee())->addFnAttr(Attribute::Convergent);
  B.CreateCall(Callee, {Counter})->setConvergent();
}

/// \p At, and \p By further on, without divisions: a block may have as much to
/// do as one takes.
Position GridChainBuilder::advance(const Position &At, const Position &By,
                                   const Position &Extents) {
  Position Next;
  Value *Carry = B.getInt32(0);
  for (unsigned D = 0; D < 3; ++D) {
    Next[D] = B.CreateAdd(B.CreateAdd(At[D], By[D]), Carry);
    if (D == 2)
      break;
    Value *Over = B.CreateICmpUGE(Next[D], Extents[D]);
    Next[D] = B.CreateSelect(Over, B.CreateSub(Next[D], Extents[D]), Next[D]);
    Carry = B.CreateZExt(Over, B.getInt32Ty());
  }
  return Next;
}

/// What block number \p Place of a launch does.
void GridChainBuilder::block(const pg_user &U, ArrayRef<Value *> Passed,
                             const Position &Place) {
  const pg_kernel &Kernel = Plan.kernels[U.index];
  unsigned Threads = threadsOf(Kernel);
  auto Run = [&] { Blocks.call(B, U.index, Passed, Place, Thread); };
  if (Threads < Chain.Threads)
    branch(B.CreateICmpULT(Thread, B.getInt32(Threads)), Run);
  else
    Run();
  if (!Kernel.has_barrier)
    return;
  // The next block has the same shared memory.
  FunctionCallee Callee = deviceFunction(M, BarrierName, {});
  cast<Function>(Callee.getCallee())->addFnAttr(Attribute::Convergent);
  B.CreateCall(Callee)->setConvergent();
}

/// The blocks of a launch, of which each block of ours has its share.
void GridChainBuilder::share(const pg_user &U) {
  Position Extents;
  Value *All = B.getInt64(1);
  for (unsigned D = 0; D < 3; ++D) {
    Extents[D] = extent(U, D);
    All = B.CreateNSWMul(All, B.CreateZExt(Extents[D], B.getInt64Ty()));
  }
  SmallVector<Value *, 16> Passed;
  for (const KernelArg &A : Code.Args[U.index])
    Passed.push_back(valueOf(A, U));
  Value *First = B.CreateZExt(Block, B.getInt64Ty());
  Value *Each = B.CreateZExt(Count, B.getInt64Ty());
  branch(B.CreateICmpSLT(First, All), [&] {
    Value *Rest = B.CreateNSWSub(B.CreateNSWSub(All, First), B.getInt64(1));
    Value *Mine = B.CreateNSWAdd(B.CreateUDiv(Rest, Each), B.getInt64(1));
    Position By = positionOf(B, Count, Extents),
             At = positionOf(B, Block, Extents);
    for (unsigned D = 0; D < 3; ++D)
      B.CreateStore(At[D], Places[D]);
    countedLoop(Mine, [&](Value *) {
      Position Place;
      for (unsigned D = 0; D < 3; ++D)
        Place[D] = B.CreateLoad(B.getInt32Ty(), Places[D]);
      block(U, Passed, Place);
      Position Next = advance(Place, By, Extents);
      for (unsigned D = 0; D < 3; ++D)
        B.CreateStore(Next[D], Places[D]);
    });
  });
}

void GridChainBuilder::user(const pg_user &U) {
  share(U);
  meet();
}

/// Launches that may be one need not wait for each other here either.
bool GridChainBuilder::specialBlock(isl_ast_node *Node) {
  LaunchList List(Node);
  if (!List.hasJoined(Code))
    return false;
  for (unsigned I = 0; I < List.get().size();) {
    int J = List.joinedAt(I, Code);
    unsigned End = I + (J < 0 ? 1 : Code.Joined[J].Kernels.size());
    for (; I < End; ++I) {
      const GuardedLaunch &Launch = List.get()[I];
      branch(allOf(Launch.Guards), [&] { share(*Launch.User); });
    }
    meet();
  }
  return true;
}

Function *GridChainBuilder::run(isl_ast_node *Loop) {
  collectArguments();
  F = Blocks.create(Args);
  B.SetInsertPoint(&F->getEntryBlock());
  B.SetCurrentDebugLocation(DebugLoc());
  for (Value *&Place : Places)
    Place = B.CreateAlloca(B.getInt32Ty());
  Thread = askThread(B, M, Chain.Threads);
  Block = askBlock(B, M);
  Count = askBlockCount(B, M);
  Value *Begin = F->getArg(0), *Rounds = F->getArg(1), *First = F->getArg(2);
  Counter = F->getArg(3);
  for (unsigned P = 0; P < Plan.scop->n_param; ++P)
    define(Plan.scop->params[P].name, F->getArg(4 + P));
  std::string Name = iteratorName(Loop);
  Value *Step = B.getInt64(stepOf(Loop));
  isl_ast_node *Body = isl_ast_node_for_get_body(Loop);
  countedLoop(Rounds, [&](Value *Round) {
    define(Name,
           B.CreateNSWAdd(First,
                          B.CreateNSWMul(B.CreateNSWAdd(Begin, Round), Step)));
    node(Body);
  });
  isl_ast_node_free(Body);
  B.CreateRetVoid();
  if (!Blocks.finish())
    fail();
  return F;
}

} // namespace

/// Take back what was begun.
static void forget(Function *F, DeviceCode &Code) {
  F->eraseFromParent();
  Code.Grids.pop_back();
}

void addGridChains(const pg_plan &Plan, DeviceCode &Code) {
  Module &M = *Code.Module;
  SmallVector<isl_ast_node *, 4> Loops;
  findLoops(Plan.host, Loops);
  for (isl_ast_node *Loop : Loops) {
    Launches Found;
    unsigned Threads;
    if (isl_ast_node_foreach_descendant_top_down(Loop, visit, &Found) < 0 ||
        !Found.OnlyLaunches || Found.Kernels.empty() || stepOf(Loop) == 0 ||
        !hasBound(Loop))
      continue;
    std::vector<unsigned> Kernels(Found.Kernels.begin(), Found.Kernels.end());
    if (!canShareBlocks(Plan, M, Kernels, MostInstructions, Threads))
      continue;
    std::string Name =
        std::string(Plan.kernels[Kernels.front()].name) + "_grid";
    if (M.getFunction(Name))
      continue;
    Code.Grids.push_back({Name, Loop, std::move(Kernels), Threads, {}, 0});
    GridChain &Chain = Code.Grids.back();
    IRBuilder<> B(M.getContext());
    GridChainBuilder Builder(B, M, Plan, Code, Chain);
    Function *F = Builder.run(Loop);
    Chain.Args = std::move(Builder.Args);
    Chain.SharedBytes = sharedLayout(*F).Bytes;
    if (Builder.failed())
      forget(F, Code);
  }
}

} // namespace polygpu
