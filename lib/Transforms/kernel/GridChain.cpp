//===- GridChain.cpp - Loops of the host in one kernel --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kernel/GridChain.h"
#include "kernel/AstBuilder.h"
#include "target/DeviceModule.h"
#include "target/SharedLayout.h"
#include "target/TargetDescription.h"
#include "verify/Mutate.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/ConstantRange.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include <array>
#include <map>
#include <set>

using namespace llvm;

namespace polygpu {

namespace {

/// Instructions of all kernels of a loop: more would take more registers than
/// each of them, and the compiler its time.
constexpr unsigned MostInstructions = 4000;

unsigned threadsOf(const pg_kernel &K) {
  const unsigned (&Block)[3] = K.mapping->block;
  return Block[0] * Block[1] * Block[2];
}

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

/// Are "Kernels" such that one block can do what a block of each of them does?
/// Those with barriers have to have all of its threads.
bool canShareBlocks(const pg_plan &Plan, const Module &M,
                    const std::set<unsigned> &Kernels, unsigned &Threads) {
  unsigned Instructions = 0;
  Threads = 0;
  for (unsigned K : Kernels) {
    const pg_kernel &Kernel = Plan.kernels[K];
    // Tiles of waves take longer than a launch, and what is a chain already, or
    // goes on with one block, counts on its blocks.
    if (Kernel.steps || Kernel.tiled || Kernel.combines)
      return false;
    Threads = std::max(Threads, threadsOf(Kernel));
    Instructions += M.getFunction(Kernel.name)->getInstructionCount();
  }
  return Instructions <= MostInstructions && all_of(Kernels, [&](unsigned K) {
           return !Plan.kernels[K].has_barrier ||
                  threadsOf(Plan.kernels[K]) == Threads;
         });
}

//===-- The kernel --------------------------------------------------------===//

/// Numbers of a block, i32.
using Position = std::array<Value *, 3>;

/// Generates the host's loop with what blocks do instead of launches.
class GridChainBuilder final : public AstBuilder {
public:
  GridChainBuilder(IRBuilder<> &B, Module &M, const pg_plan &Plan,
                   DeviceCode &Code, const GridChain &Chain)
      : AstBuilder(B, B.getInt64Ty()), M(M), Plan(Plan), Code(Code),
        Chain(Chain) {}

  Function *run(isl_ast_node *Loop);
  std::vector<KernelArg> Args;

private:
  Module &M;
  const pg_plan &Plan;
  DeviceCode &Code;
  const GridChain &Chain;
  Function *F = nullptr;
  SmallVector<CallInst *, 8> Calls; ///< of functions that are blocks
  std::map<unsigned, Function *> Blocks;
  Value *Thread = nullptr, *Block = nullptr, *Count = nullptr; ///< i32
  Position Places = {}; ///< variables for the block that is done
  Value *Counter = nullptr;
  GlobalVariable *Shared = nullptr; ///< of all kernels, one after the other

  void collectArguments();
  void shareMemory();
  void describe(Argument &A, const KernelArg &Arg);
  Value *valueOf(const KernelArg &Arg, const pg_user &U);
  Function *blockOf(unsigned K);
  Value *extent(const pg_user &U, unsigned D);
  Position positionOf(Value *Number, const Position &Extents);
  Position advance(const Position &At, const Position &By,
                   const Position &Extents);
  void block(const pg_user &U, ArrayRef<Value *> Passed, const Position &Place);
  void meet();
  void user(const pg_user &U) override;
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
  for (unsigned K : Chain.Kernels)
    for (const KernelArg &A : Code.Args[K])
      if (A.Kind != Arg::Host && A.Kind != Arg::Blocks &&
          !is_contained(Args, A))
        Args.push_back(A);
}

/// What both know of a parameter.
AttributeSet inCommon(LLVMContext &Ctx, AttributeSet L, AttributeSet R) {
  AttrBuilder Both(Ctx);
  for (Attribute A : L)
    if (is_contained(R, A))
      Both.addAttribute(A);
  return AttributeSet::get(Ctx, Both);
}

/// What all kernels know of a parameter; of memory that one of them writes and
/// others read, not that it is apart, or never changes.
void GridChainBuilder::describe(Argument &A, const KernelArg &Arg) {
  if (!isArray(Arg) && Arg.Kind != KernelArg::Extent)
    return;
  LLVMContext &Ctx = M.getContext();
  std::optional<AttributeSet> Known;
  for (unsigned K : Chain.Kernels)
    for (unsigned I = 0; I < Code.Args[K].size(); ++I)
      if (Code.Args[K][I] == Arg) {
        AttributeSet Its = M.getFunction(Plan.kernels[K].name)
                               ->getAttributes()
                               .getParamAttrs(I);
        Known = Known ? inCommon(Ctx, *Known, Its) : Its;
      }
  AttrBuilder All(Ctx, Known.value_or(AttributeSet()));
  if (!All.contains(Attribute::ReadOnly))
    All.removeAttribute(Attribute::NoAlias);
  A.addAttrs(All);
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

/// Kernel \p K as a function, which gets the block's numbers and the thread's
/// behind the other parameters.
Function *GridChainBuilder::blockOf(unsigned K) {
  Function *&Block = Blocks[K];
  if (Block)
    return Block;
  const pg_kernel &Kernel = Plan.kernels[K];
  const Function &Old = *M.getFunction(Kernel.name);
  SmallVector<Type *, 16> Types(Old.getFunctionType()->params());
  Types.append(4, B.getInt32Ty());
  Block = Function::Create(FunctionType::get(B.getVoidTy(), Types, false),
                           GlobalValue::InternalLinkage, "block", M);
  ValueToValueMapTy Map;
  for (const Argument &A : Old.args())
    Map[&A] = Block->getArg(A.getArgNo());
  for (auto [G, Offset] : sharedLayout(Old).Variables)
    Map[G] = ConstantExpr::getGetElementPtr(B.getInt8Ty(), Shared,
                                            B.getInt64(Offset));
  SmallVector<ReturnInst *, 1> Returns;
  CloneFunctionInto(Block, &Old, Map, CloneFunctionChangeType::LocalChangesOnly,
                    Returns);
  stripDebugInfo(*Block);
  Argument *Numbers = Block->getArg(Old.arg_size());
  const unsigned (&Size)[3] = Kernel.mapping->block;
  for (Instruction &I : make_early_inc_range(instructions(Block))) {
    auto *Call = dyn_cast<CallInst>(&I);
    if (!Call || !Call->getCalledFunction())
      continue;
    StringRef Name = Call->getCalledFunction()->getName();
    if (Name != BlockIdName && Name != ThreadIdName)
      continue;
    unsigned D = cast<ConstantInt>(Call->getArgOperand(0))->getZExtValue();
    IRBuilder<> At(Call);
    Value *New = Numbers + D;
    if (Name == ThreadIdName) {
      unsigned Before = D == 0 ? 1 : D == 1 ? Size[0] : Size[0] * Size[1];
      New = At.CreateURem(At.CreateUDiv(Numbers + 3, At.getInt32(Before)),
                          At.getInt32(Size[D]));
    }
    Call->replaceAllUsesWith(New);
    Call->eraseFromParent();
  }
  return Block;
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

/// \p Number, i32, in three dimensions.
Position GridChainBuilder::positionOf(Value *Number, const Position &Extents) {
  Value *Rows = B.CreateUDiv(Number, Extents[0]);
  return {B.CreateURem(Number, Extents[0]), B.CreateURem(Rows, Extents[1]),
          B.CreateUDiv(Rows, Extents[1])};
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
  SmallVector<Value *, 16> All(Passed);
  All.append(Place.begin(), Place.end());
  All.push_back(Thread);
  auto Run = [&] { Calls.push_back(B.CreateCall(blockOf(U.index), All)); };
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
void GridChainBuilder::user(const pg_user &U) {
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
    Position By = positionOf(Count, Extents), At = positionOf(Block, Extents);
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
  meet();
}

/// Memory for the kernel that needs the most of it.
void GridChainBuilder::shareMemory() {
  unsigned Bytes = 0;
  for (unsigned K : Chain.Kernels)
    Bytes = std::max(Bytes,
                     sharedLayout(*M.getFunction(Plan.kernels[K].name)).Bytes);
  if (!Bytes)
    return;
  Type *Ty = ArrayType::get(B.getInt8Ty(), Bytes);
  Shared =
      new GlobalVariable(M, Ty, false, GlobalValue::InternalLinkage,
                         PoisonValue::get(Ty), Chain.Name + "_shared", nullptr,
                         GlobalValue::NotThreadLocal, SharedSpace);
  Shared->setAlignment(Align(16));
}

Function *GridChainBuilder::run(isl_ast_node *Loop) {
  collectArguments();
  shareMemory();
  SmallVector<Type *, 16> Types;
  for (const KernelArg &A : Args)
    Types.push_back(A.Ty);
  F = Function::Create(FunctionType::get(B.getVoidTy(), Types, false),
                       GlobalValue::ExternalLinkage, Chain.Name, M);
  F->setDoesNotThrow();
  unsigned MinBlocks = UINT_MAX;
  for (unsigned K : Chain.Kernels)
    MinBlocks = std::min(MinBlocks, Plan.kernels[K].mapping->min_blocks);
  setLaunchBounds(*F, {Chain.Threads, 1, 1}, MinBlocks);
  if (all_of(Chain.Kernels, [&](unsigned K) {
        return M.getFunction(Plan.kernels[K].name)
            ->hasFnAttribute(VectorsAttribute);
      }))
    F->addFnAttr(VectorsAttribute);
  for (unsigned I = 0; I < Args.size(); ++I)
    describe(*F->getArg(I), Args[I]);
  B.SetInsertPoint(BasicBlock::Create(M.getContext(), "entry", F));
  B.SetCurrentDebugLocation(DebugLoc());
  auto Ask = [&](const char *Name, ArrayRef<Value *> Of, unsigned Most) {
    SmallVector<Type *, 1> Types(Of.size(), B.getInt32Ty());
    FunctionCallee Callee = M.getOrInsertFunction(
        Name, FunctionType::get(B.getInt32Ty(), Types, false));
    cast<Function>(Callee.getCallee())->setMemoryEffects(MemoryEffects::none());
    CallInst *Call = B.CreateCall(Callee, Of);
    Call->addRangeRetAttr(
        ConstantRange(APInt(32, Of.empty()), APInt(32, Most)));
    return Call;
  };
  for (Value *&Place : Places)
    Place = B.CreateAlloca(B.getInt32Ty());
  Thread = Ask(ThreadIdName, {B.getInt32(0)}, Chain.Threads);
  Block = Ask(BlockIdName, {B.getInt32(0)}, INT32_MAX);
  Count = Ask(BlockCountName, {}, INT32_MAX);
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
  for (CallInst *Call : Calls) {
    InlineFunctionInfo Info;
    if (!InlineFunction(*Call, Info).isSuccess())
      fail();
  }
  for (auto [K, Block] : Blocks)
    if (Block->use_empty())
      Block->eraseFromParent();
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
        !hasBound(Loop) || !canShareBlocks(Plan, M, Found.Kernels, Threads))
      continue;
    std::string Name =
        std::string(Plan.kernels[*Found.Kernels.begin()].name) + "_grid";
    if (M.getFunction(Name))
      continue;
    Code.Grids.push_back(
        {Name,
         Loop,
         std::vector<unsigned>(Found.Kernels.begin(), Found.Kernels.end()),
         Threads,
         {},
         0});
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
