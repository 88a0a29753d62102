//===- Host.cpp - Host code of an offloaded SCoP --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "host/Host.h"
#include "IslErrors.h"
#include "RuntimeFunctions.h"
#include "host/Descriptor.h"
#include "host/RunCondition.h"
#include "kernel/AstBuilder.h"
#include "polly/CodeGen/IslAst.h"
#include "polly/CodeGen/IslNodeBuilder.h"
#include "polly/CodeGen/Utils.h"
#include "polly/ScopInfo.h"
#include "polly/Support/ScopHelper.h"
#include "polygpu/abi.h"
#include "verify/Mutate.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/RegionInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;

namespace polygpu {

namespace {

/// Values of the host that kernels and copies are about, computed in front of
/// the SCoP.
struct HostValues {
  std::vector<Value *> Params;                  ///< i64
  std::vector<std::vector<Value *>> Extents;    ///< i64, per array
  std::vector<std::vector<Value *>> Invariants; ///< per argument of kernels
  std::vector<Value *> Bases;                   ///< per array
};

/// The runtime's functions, declared in the module.
struct RuntimeCalls {
  FunctionCallee Decline, Array, Move, Launch, End, Begin, Worth, Known;

  explicit RuntimeCalls(Module &M) {
    auto All = runtimeFunctions(M.getContext());
    FunctionCallee *Calls[] = {&Decline, &Array, &Move,  &Launch,
                               &End,     &Begin, &Worth, &Known};
    for (auto [Call, F] : zip_first(Calls, drop_begin(All)))
      *Call = M.getOrInsertFunction(F.Name, F.Type);
  }
};

/// Generates copies and launches.
class HostBuilder final : public AstBuilder {
public:
  HostBuilder(IRBuilder<> &B, const pg_plan &Plan, const DeviceCode &Code,
              const RuntimeCalls &Calls, const HostValues &Values, Value *Run,
              unsigned FirstKernel = 0)
      : AstBuilder(B, B.getInt64Ty()), Plan(Plan), Code(Code), Calls(Calls),
        Values(Values), Run(Run), FirstKernel(FirstKernel) {
    for (unsigned I = 0; I < Plan.scop->n_param; ++I)
      define(Plan.scop->params[I].name, Values.Params[I]);
  }

  /// All elements of \p Array are accessed on the device.
  void touch(unsigned Array);

  void moves(__isl_keep isl_ast_node *Node, unsigned Dir) {
    Direction = Dir;
    node(Node);
  }

private:
  const pg_plan &Plan;
  const DeviceCode &Code;
  const RuntimeCalls &Calls;
  const HostValues &Values;
  Value *Run;
  unsigned FirstKernel; ///< the plan's, among those of all plans
  unsigned Direction = 0;

  void user(const pg_user &U) override;
  Value *unknownVariable(StringRef) override { return fail(); }
  bool specialFor(__isl_keep isl_ast_node *Node) override;
  void launch(const pg_user &U);
  void move(unsigned Array, ArrayRef<Value *> Index, Value *Count,
            int64_t Stride);
  Value *slot(Type *Ty, const Twine &Name);
  Value *argument(const KernelArg &A, unsigned Kernel, unsigned Number,
                  const pg_user &U);
};

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
  move(U.index, Index, B.getInt64(1), 1);
}

/// One call for Count elements from Index on.  An overflow of the offset is
/// passed on as stride 0, which the runtime answers with the original loops.
void HostBuilder::move(unsigned Array, ArrayRef<Value *> Index, Value *Count,
                       int64_t Stride) {
  if (!isa<Argument>(Run) &&
      isMutated(Mutation::Copy, "array " + std::to_string(Array) +
                                    (Direction == POLYGPU_IN ? " in" : " out")))
    return;
  Value *Offset = B.getInt64(0), *Overflow = B.getFalse();
  auto Checked = [&](Intrinsic::ID ID, Value *L, Value *R) {
    Value *Pair = B.CreateBinaryIntrinsic(ID, L, R);
    Overflow = B.CreateOr(Overflow, B.CreateExtractValue(Pair, 1));
    return B.CreateExtractValue(Pair, 0);
  };
  for (unsigned D = 0; D < Index.size(); ++D) {
    if (D)
      Offset = Checked(Intrinsic::smul_with_overflow, Offset,
                       Values.Extents[Array][D]);
    Offset = Checked(Intrinsic::sadd_with_overflow, Offset, Index[D]);
  }
  unsigned Dir = Direction;
  if (Dir == POLYGPU_OUT && Plan.scop->arrays[Array].dead_after)
    Dir = POLYGPU_TOUCH;
  B.CreateCall(Calls.Move,
               {Run, B.getInt32(Array), B.getInt32(Dir), Offset, Count,
                B.CreateSelect(Overflow, B.getInt64(0), B.getInt64(Stride))});
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

static bool isVariable(__isl_keep isl_ast_expr *Expr, StringRef Name) {
  if (isl_ast_expr_get_type(Expr) != isl_ast_expr_id)
    return false;
  isl_id *Id = isl_ast_expr_get_id(Expr);
  bool Is = Name == isl_id_get_name(Id);
  isl_id_free(Id);
  return Is;
}

namespace {
/// The parts of an isl for node, freed at the end.
struct ForParts {
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
    if (isl_ast_expr_get_type(Cond) != isl_ast_expr_op)
      return false;
    isl_ast_expr_op_type Type = isl_ast_expr_op_get_type(Cond);
    if (Type != isl_ast_expr_op_le && Type != isl_ast_expr_op_lt)
      return false;
    isl_ast_expr *Left = isl_ast_expr_op_get_arg(Cond, 0);
    bool Plain = isVariable(Left, Name);
    isl_ast_expr_free(Left);
    if (!Plain)
      return false;
    Strict = Type == isl_ast_expr_op_lt;
    Bound = isl_ast_expr_op_get_arg(Cond, 1);
    return true;
  }
};
} // namespace

/// A loop over the last subscript of an array is one run of elements.
bool HostBuilder::specialFor(isl_ast_node *Node) {
  if (isl_ast_node_for_is_degenerate(Node) != isl_bool_false)
    return false;
  ForParts Parts(Node, iteratorName(Node));
  if (isl_ast_node_get_type(Parts.Body) != isl_ast_node_user)
    return false;
  const pg_user *U = userOf(Parts.Body);
  if (!U || U->kind != PG_USER_MOVE || U->n == 0 ||
      !isVariable(U->args[U->n - 1], Parts.Name))
    return false;
  for (unsigned D = 0; D + 1 < U->n; ++D)
    if (mentions(U->args[D], Parts.Name))
      return false;
  isl_ast_expr *Bound;
  bool Strict;
  auto *Step = dyn_cast<ConstantInt>(expr(Parts.Inc));
  if (!Step || !Parts.getBound(Bound, Strict))
    return false;
  Value *First = expr(Parts.Init);
  Value *End = expr(Bound);
  isl_ast_expr_free(Bound);
  if (Strict)
    End = B.CreateNSWSub(End, B.getInt64(1));
  // Count of First, First + Step, ... up to End; not positive if there is none.
  Value *Span = B.CreateNSWSub(End, First);
  Value *Count = B.CreateNSWAdd(B.CreateSDiv(Span, Step), B.getInt64(1));
  Count = B.CreateSelect(B.CreateICmpSLT(Span, B.getInt64(0)), B.getInt64(0),
                         Count);
  SmallVector<Value *, 4> Index;
  for (unsigned D = 0; D + 1 < U->n; ++D)
    Index.push_back(expr(U->args[D]));
  Index.push_back(First);
  move(U->index, Index, Count, Step->getSExtValue());
  return true;
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
  case KernelArg::Scev:
  case KernelArg::Scalar:
    return B.CreateZExt(Values.Invariants[Kernel][Number], A.Ty);
  case KernelArg::Array:
  case KernelArg::Marks:
    break;
  }
  return fail();
}

void HostBuilder::launch(const pg_user &U) {
  const std::vector<KernelArg> &Args = Code.Args[U.index];
  SmallVector<Value *, 16> Slots;
  for (unsigned I = 0; I < Args.size(); ++I) {
    if (isArray(Args[I]))
      continue;
    Value *V = argument(Args[I], FirstKernel + U.index, I, U);
    Value *Slot = slot(Args[I].Ty, "polygpu.arg");
    B.CreateStore(V, Slot);
    Slots.push_back(Slot);
  }
  Type *Ptr = B.getPtrTy();
  Value *List = slot(ArrayType::get(Ptr, Slots.size()), "polygpu.args");
  for (unsigned I = 0; I < Slots.size(); ++I)
    B.CreateStore(Slots[I], B.CreateConstGEP1_64(Ptr, List, I));
  SmallVector<Value *, 6> Operands = {Run, B.getInt32(FirstKernel + U.index)};
  for (unsigned D = 0; D < 3; ++D)
    Operands.push_back(U.grid[D] ? B.CreateZExt(expr(U.grid[D]), B.getInt64Ty())
                                 : B.getInt64(1));
  Operands.push_back(List);
  B.CreateCall(Calls.Launch, Operands);
}

/// Gives access to the run-time condition that Polly generates.
class ConditionBuilder final : public polly::IslNodeBuilder {
public:
  using IslNodeBuilder::IslNodeBuilder;
};

/// Everything around one SCoP.
class HostGenerator {
public:
  HostGenerator(polly::Scop &S, const ImportedScop &Imported,
                ArrayRef<PlannedKernels> Plans, FunctionAnalysisManager &FAM,
                const std::string &Sizes, BasicBlock *Otherwise)
      : S(S), Imported(Imported), Plans(Plans), Sizes(Sizes),
        Otherwise(Otherwise), Plan(*Plans.front().Plan),
        Code(Plans.front().Code), F(S.getFunction()), M(*F.getParent()),
        SE(*S.getSE()), DT(FAM.getResult<DominatorTreeAnalysis>(F)),
        LI(FAM.getResult<LoopAnalysis>(F)),
        RI(FAM.getResult<RegionInfoAnalysis>(F)), B(M.getContext()), Calls(M) {}

  std::optional<Refusal> run();

  GlobalVariable *Descriptor = nullptr; ///< made by run()

private:
  polly::Scop &S;
  const ImportedScop &Imported;
  ArrayRef<PlannedKernels> Plans;
  const std::string &Sizes; ///< what is assumed of them, in words
  BasicBlock *Otherwise;    ///< loops that assume nothing, or null
  const pg_plan &Plan;      ///< the first one, for what they have in common:
  const DeviceCode &Code;
  Function &F;
  Module &M;
  ScalarEvolution &SE;
  DominatorTree &DT;
  LoopInfo &LI;
  RegionInfo &RI;
  IRBuilder<> B;
  RuntimeCalls Calls;
  HostValues Values;
  BasicBlock *StartBlock = nullptr;
  BasicBlock *Ask = nullptr; ///< before all that is ours, if it is to be asked
                             ///< there whether runs never begin

  Value *expand(const SCEV *E, Instruction *Before);
  void expandValues(Instruction *Before,
                    polly::BlockGenerator &ScalarGenerator);
  void initialiseScalars(Instruction *Before);
  void askBefore(Instruction *Before);
  void askHopeless(BasicBlock *Join);
  BasicBlock *askWithSizes(BasicBlock *Join, BasicBlock *Next);
  Value *smallParams(uint64_t Limit);
  long long paramLimit() const;
  long long hostLimit() const;
  isl::set smallContext();
  void launch(HostBuilder &Builder, const pg_plan &Plan, Value *Run,
              BasicBlock *Before);
  /// A part of the condition, and what is told where it does not hold.
  using Part = std::pair<Value *, std::string>;
  Value *declineReason(ArrayRef<Part> Condition, Value *Small);
  void deviceRun(BasicBlock *Split, BasicBlock *Join, ArrayRef<Part> Condition);
  std::vector<Value *> sizes();
  Value *sizeList();
  void announceMoves(Value *Run, BasicBlock *Before);
  BasicBlock *announceRun(Value *Run, BasicBlock *Join);
  void launchChosen(Value *Run, BasicBlock *Before);
  Value *conductRun(Value *Run, BasicBlock *Before);
};

Value *HostGenerator::expand(const SCEV *E, Instruction *Before) {
  return polly::expandCodeFor(S, SE, &F, SE, M.getDataLayout(), "polygpu", E,
                              E->getType(), Before->getIterator(), nullptr,
                              nullptr, StartBlock->getSinglePredecessor());
}

void HostGenerator::expandValues(Instruction *Before,
                                 polly::BlockGenerator &ScalarGenerator) {
  B.SetInsertPoint(Before);
  Type *I64 = B.getInt64Ty();
  for (const SCEV *P : Imported.Params) {
    Value *V = expand(P, Before);
    if (V->getType()->isPointerTy())
      V = B.CreatePtrToInt(V, I64);
    Values.Params.push_back(B.CreateSExt(V, I64));
  }
  for (const polly::ScopArrayInfo *SAI : Imported.Arrays) {
    Values.Extents.emplace_back();
    for (unsigned D = 0; D < SAI->getNumberOfDimensions(); ++D)
      Values.Extents.back().push_back(
          D == 0 ? nullptr
                 : B.CreateSExtOrTrunc(expand(SAI->getDimensionSize(D), Before),
                                       I64));
    Values.Bases.push_back(SAI->isArrayKind()
                               ? SAI->getBasePtr()
                               : ScalarGenerator.getOrCreateAlloca(SAI));
  }
  HostBuilder Builder(B, Plan, Code, Calls, Values, nullptr);
  for (unsigned A = Imported.Arrays.size(); A < Plan.scop->n_array; ++A) {
    std::vector<Value *> Extents;
    for (unsigned D = 0; D < Plan.scop->arrays[A].n_dim; ++D)
      Extents.push_back(B.CreateBinaryIntrinsic(
          Intrinsic::smax, Builder.expr(Plan.extents[A][D]), B.getInt64(0)));
    Values.Extents.push_back(Extents);
    // There is none on the host: element 0 would be at address 0.
    Values.Bases.push_back(ConstantPointerNull::get(B.getPtrTy()));
  }
  for (const PlannedKernels &P : Plans)
    for (const auto &Args : P.Code.Args) {
      Values.Invariants.emplace_back();
      for (const KernelArg &A : Args)
        Values.Invariants.back().push_back(
            A.Kind == KernelArg::Scev     ? expand(A.Expr, Before)
            : A.Kind == KernelArg::Scalar ? A.V
                                          : nullptr);
    }
}

/// Phis at the entry of the SCoP get the value that arrives from before.
void HostGenerator::initialiseScalars(Instruction *Before) {
  B.SetInsertPoint(Before);
  for (unsigned A = 0; A < Imported.Arrays.size(); ++A) {
    const polly::ScopArrayInfo *SAI = Imported.Arrays[A];
    if (!SAI->isPHIKind())
      continue;
    auto *Phi = cast<PHINode>(SAI->getBasePtr());
    // From the one edge into the SCoP, which may have been split again.
    for (unsigned N = 0; N < Phi->getNumIncomingValues(); ++N)
      if (!S.contains(Phi->getIncomingBlock(N))) {
        B.CreateStore(Phi->getIncomingValue(N), Values.Bases[A]);
        break;
      }
  }
}

/// Where sizes are constants one answer is for good, and what is generated for
/// a run at \p Before need not be executed behind it.
void HostGenerator::askBefore(Instruction *Before) {
  // Loops that assume something run where the condition is known to hold.
  if (Otherwise || !hasConstantSizes(Plans))
    return;
  Ask = Before->getParent();
  BasicBlock *Rest = SplitBlock(Ask, Before, &DT, &LI);
  RI.setRegionFor(Rest, RI.getRegionFor(Ask));
}

void HostGenerator::askHopeless(BasicBlock *Join) {
  Instruction *Old = Ask->getTerminator();
  B.SetInsertPoint(Old);
  B.CreateCondBr(isHopeless(B, *Descriptor, {}), Join, Old->getSuccessor(0));
  Old->eraseFromParent();
}

/// Go on in a new block before \p Next, unless runs of these sizes never begin.
BasicBlock *HostGenerator::askWithSizes(BasicBlock *Join, BasicBlock *Next) {
  BasicBlock *Go =
      BasicBlock::Create(M.getContext(), "polygpu.asked", &F, Next);
  B.CreateCondBr(isHopeless(B, *Descriptor, Values.Params), Join, Go);
  B.SetInsertPoint(Go);
  return Go;
}

/// i1: no parameter's absolute value is above \p Limit.
Value *HostGenerator::smallParams(uint64_t Limit) {
  Value *Small = B.getTrue();
  if (Limit >= (uint64_t(1) << 62))
    return Small;
  for (Value *P : Values.Params) {
    Value *Shifted = B.CreateAdd(P, B.getInt64(Limit));
    Small = B.CreateAnd(Small, B.CreateICmpULE(Shifted, B.getInt64(2 * Limit)));
  }
  return Small;
}

/// What all kernels take.
long long HostGenerator::paramLimit() const {
  long long Limit = Plan.param_limit;
  for (const PlannedKernels &P : Plans)
    Limit = std::min(Limit, P.Plan->param_limit);
  return Limit;
}

/// What all loops around them take.
long long HostGenerator::hostLimit() const {
  long long Limit = Plan.host_limit;
  for (const PlannedKernels &P : Plans)
    Limit = std::min(Limit, P.Plan->host_limit);
  return Limit;
}

/// The SCoP's context for parameters that are small enough for the kernels.
/// Without the bounds its condition may have numbers of 63 bits, which Polly
/// takes for too large: it makes the condition false.
isl::set HostGenerator::smallContext() {
  isl_set *Context = S.getContext().release();
  for (isl_size P = 0; P < isl_set_dim(Context, isl_dim_param); ++P) {
    isl_id *Id = isl_set_get_dim_id(Context, isl_dim_param, P);
    if (is_contained(Imported.Params, isl_id_get_user(Id))) {
      isl_val *Limit =
          isl_val_int_from_si(isl_set_get_ctx(Context), paramLimit());
      Context = isl_set_lower_bound_val(Context, isl_dim_param, P,
                                        isl_val_neg(isl_val_copy(Limit)));
      Context = isl_set_upper_bound_val(Context, isl_dim_param, P, Limit);
    }
    isl_id_free(Id);
  }
  return isl::manage(Context);
}

/// What moves depend on: all parameters, then extents that are no constants.
std::vector<Value *> HostGenerator::sizes() {
  std::vector<Value *> Sizes = Values.Params;
  for (const auto &Extents : Values.Extents)
    for (Value *Extent : Extents)
      if (Extent && !isa<Constant>(Extent) && !is_contained(Sizes, Extent))
        Sizes.push_back(Extent);
  return Sizes;
}

/// The sizes in memory.
Value *HostGenerator::sizeList() {
  std::vector<Value *> Sizes = sizes();
  if (Sizes.empty())
    return ConstantPointerNull::get(B.getPtrTy());
  Type *List = ArrayType::get(B.getInt64Ty(), Sizes.size());
  BasicBlock &Entry = F.getEntryBlock();
  Value *Slot = IRBuilder<>(&Entry, Entry.getFirstInsertionPt())
                    .CreateAlloca(List, nullptr, "polygpu.sizes");
  for (unsigned S = 0; S < Sizes.size(); ++S)
    B.CreateStore(Sizes[S], B.CreateConstGEP1_64(B.getInt64Ty(), Slot, S));
  return Slot;
}

/// What moves, unless the runtime knows; then go on, in a block before
/// \p Before.
void HostGenerator::announceMoves(Value *Run, BasicBlock *Before) {
  BasicBlock *Known =
      BasicBlock::Create(M.getContext(), "polygpu.known", &F, Before);
  BasicBlock *Moves =
      BasicBlock::Create(M.getContext(), "polygpu.moves", &F, Known);
  Value *IsKnown = B.CreateCall(Calls.Known, {Run});
  B.CreateCondBr(B.CreateIsNotNull(IsKnown), Known, Moves);
  B.SetInsertPoint(Moves);
  HostBuilder Builder(B, Plan, Code, Calls, Values, Run);
  for (unsigned A = 0; A < Values.Bases.size(); ++A)
    if (isOnDevice(Plans, A) &&
        (Plan.scop->arrays[A].n_dim == 0 ||
         Plan.scop->arrays[A].kind == PG_ARRAY_TEMPORARY))
      Builder.touch(A);
  if (Plan.in)
    Builder.moves(Plan.in, POLYGPU_IN);
  if (Plan.out)
    Builder.moves(Plan.out, POLYGPU_OUT);
  B.CreateBr(Known);
  B.SetInsertPoint(Known);
}

/// Arrays and copies of a run; then go on, or to \p Join if it does not pay.
/// Returns the block that branches there.
BasicBlock *HostGenerator::announceRun(Value *Run, BasicBlock *Join) {
  for (unsigned A = 0; A < Values.Bases.size(); ++A)
    B.CreateCall(Calls.Array, {Run, B.getInt32(A), Values.Bases[A]});
  announceMoves(Run, Join);
  Value *Worth = B.CreateCall(Calls.Worth, {Run});
  BasicBlock *Last = B.GetInsertBlock();
  BasicBlock *Launch =
      BasicBlock::Create(M.getContext(), "polygpu.launch", &F, Join);
  B.CreateCondBr(B.CreateIsNotNull(Worth), Launch, Join);
  B.SetInsertPoint(Launch);
  return Last;
}

/// The launches of a plan, in the one way or the other where there are two;
/// then go on, in a block before \p Before.
void HostGenerator::launch(HostBuilder &Builder, const pg_plan &Plan,
                           Value *Run, BasicBlock *Before) {
  if (!Plan.chained)
    return Builder.node(Plan.host);
  auto Block = [&](const char *Name) {
    return BasicBlock::Create(M.getContext(), Name, &F, Before);
  };
  BasicBlock *Chained = Block("polygpu.chained"),
             *Loops = Block("polygpu.loops");
  BasicBlock *Launched = Block("polygpu.ways");
  Value *Fits = Builder.expr(Plan.chain);
  Value *Wanted = B.CreateZExtOrTrunc(Fits, B.getInt32Ty());
  Value *Chain =
      B.CreateCall(runtimeFunction(M, "polygpu_chained"), {Run, Wanted});
  B.CreateCondBr(B.CreateIsNotNull(Chain), Chained, Loops);
  B.SetInsertPoint(Chained);
  Builder.node(Plan.chained);
  B.CreateBr(Launched);
  B.SetInsertPoint(Loops);
  Builder.node(Plan.host);
  B.CreateBr(Launched);
  Launched->moveBefore(Before);
  B.SetInsertPoint(Launched);
}

/// The launches of the plan that the runtime has chosen; then go on, in a block
/// before \p Before.
void HostGenerator::launchChosen(Value *Run, BasicBlock *Before) {
  auto Block = [&](const char *Name) {
    return BasicBlock::Create(M.getContext(), Name, &F, Before);
  };
  BasicBlock *Launched = Block("polygpu.launched");
  Value *Number =
      B.CreateCall(runtimeFunction(M, "polygpu_chosen_plan"), {Run});
  SwitchInst *Switch = nullptr;
  unsigned FirstKernel = 0;
  for (unsigned P = 0; P < Plans.size(); ++P) {
    BasicBlock *Launches = Block("polygpu.plan");
    if (Switch)
      Switch->addCase(B.getInt32(P), Launches);
    else
      Switch = B.CreateSwitch(Number, Launches, Plans.size() - 1);
    B.SetInsertPoint(Launches);
    HostBuilder Builder(B, *Plans[P].Plan, Plans[P].Code, Calls, Values, Run,
                        FirstKernel);
    launch(Builder, *Plans[P].Plan, Run, Launched);
    B.CreateBr(Launched);
    FirstKernel += Plans[P].Plan->n_kernel;
  }
  Launched->moveBefore(Before);
  B.SetInsertPoint(Launched);
}

/// Launches and the end of a run, in front of \p Before; returns i1.
Value *HostGenerator::conductRun(Value *Run, BasicBlock *Before) {
  HostBuilder Builder(B, Plan, Code, Calls, Values, Run);
  if (Plans.size() > 1)
    launchChosen(Run, Before);
  else
    launch(Builder, Plan, Run, Before);
  Value *Status = B.CreateCall(Calls.End, {Run});
  return B.CreateICmpNE(Status, B.getInt32(0));
}

/// The sentence about the first part that does not hold.
Value *HostGenerator::declineReason(ArrayRef<Part> Condition, Value *Small) {
  Value *Reason = B.CreateGlobalString(Condition.back().second);
  for (const Part &P : reverse(Condition.drop_back()))
    Reason = B.CreateSelect(P.first, Reason, B.CreateGlobalString(P.second));
  return B.CreateSelect(
      Small, Reason,
      B.CreateGlobalString("a size is too large for the index arithmetic of "
                           "the kernels"));
}

/// Between \p Split and \p Join: decide, run, and branch in \p Join on the
/// outcome.
void HostGenerator::deviceRun(BasicBlock *Split, BasicBlock *Join,
                              ArrayRef<Part> Condition) {
  LLVMContext &Ctx = M.getContext();
  auto Block = [&](const char *Name) {
    return BasicBlock::Create(Ctx, Name, &F, Join);
  };
  BasicBlock *Check = Block("polygpu.check");
  BasicBlock *Decline = Block("polygpu.decline");
  BasicBlock *Begin = Block("polygpu.begin");
  BasicBlock *Device = Block("polygpu.run");
  Descriptor = createDescriptor(M, Plans, sizes().size());

  Instruction *Old = Split->getTerminator();
  B.SetInsertPoint(Old);
  Value *Small = smallParams(paramLimit());
  Value *HostSmall = smallParams(hostLimit());
  HostBuilder Nonempty(B, Plan, Code, Calls, Values, nullptr);
  Value *Any = Nonempty.expr(Plan.nonempty);
  if (!Any->getType()->isIntegerTy(1))
    Any = B.CreateICmpNE(Any, ConstantInt::get(Any->getType(), 0));
  BasicBlock *Undecided = Otherwise ? Otherwise : Join;
  B.CreateCondBr(B.CreateSelect(HostSmall, Any, B.getTrue()), Check, Undecided);
  Old->eraseFromParent();

  B.SetInsertPoint(Check);
  Value *Holds = Small;
  for (const Part &P : Condition)
    Holds = B.CreateAnd(P.first, Holds);
  B.CreateCondBr(Holds, Begin, Decline);

  B.SetInsertPoint(Decline);
  B.CreateCall(Calls.Decline, {Descriptor, declineReason(Condition, Small)});
  B.CreateBr(Undecided);

  BasicBlock *Asking = Begin;
  B.SetInsertPoint(Begin);
  if (!Ask && Plan.n_count)
    Begin = askWithSizes(Join, Device);
  Value *Run = B.CreateCall(Calls.Begin, {Descriptor, sizeList()});
  B.CreateCondBr(B.CreateIsNotNull(Run), Device, Join);

  B.SetInsertPoint(Device);
  BasicBlock *Announced = announceRun(Run, Join);
  Value *Ok = conductRun(Run, Join);
  BasicBlock *Last = B.GetInsertBlock();
  B.CreateBr(Join);

  B.SetInsertPoint(Join, Join->begin());
  PHINode *Phi = B.CreatePHI(B.getInt1Ty(), 6, "polygpu.done");
  for (BasicBlock *From : {Begin, Announced})
    Phi->addIncoming(B.getFalse(), From);
  if (!Otherwise)
    for (BasicBlock *From : {Split, Decline})
      Phi->addIncoming(B.getFalse(), From);
  Phi->addIncoming(Ok, Last);
  cast<BranchInst>(Join->getTerminator())->setCondition(Phi);
  if (Asking != Begin)
    Phi->addIncoming(B.getFalse(), Asking);
  if (Ask) {
    Phi->addIncoming(B.getFalse(), Ask);
    askHopeless(Join);
  }
}

std::optional<Refusal> HostGenerator::run() {
  // It counts only where the parameters are small.
  isl::set Context;
  {
    IslErrors Errors(S.getIslCtx().get(), "run-time condition");
    Context = smallContext();
    if (auto Why = Errors.refuse())
      return Why;
  }
  polly::simplifyRegion(&S.getRegion(), &DT, &LI, &RI);
  auto [StartExit, Branch] = polly::executeScopConditionally(
      S, ConstantInt::getTrue(M.getContext()), DT, RI, LI);
  StartBlock = StartExit.first;
  askBefore(Branch);

  polly::ScopAnnotator Annotator;
  polly::PollyIRBuilder PollyBuilder(M.getContext(), ConstantFolder(),
                                     polly::IRInserter(Annotator));
  PollyBuilder.SetInsertPoint(Branch);
  ConditionBuilder Nodes(PollyBuilder, Annotator, M.getDataLayout(), LI, SE, DT,
                         S, StartBlock);
  Nodes.addParameters(S.getContext().release());
  isl::ast_build Build = isl::ast_build::from_context(Context);
  std::vector<Part> Condition;
  for (ConditionPart &P : partsOfCondition(S, Build, Sizes))
    Condition.push_back({Nodes.createRTC(P.Holds.release()), P.Otherwise});
  expandValues(Branch, Nodes.getBlockGenerator());
  initialiseScalars(Branch);
  Nodes.finalize();

  BasicBlock *Split = Branch->getParent();
  BasicBlock *Join = SplitBlock(Split, Branch);
  Join->setName("polygpu.join");
  deviceRun(Split, Join, Condition);
  return std::nullopt;
}

} // namespace

bool isOnDevice(ArrayRef<PlannedKernels> Plans, unsigned Array) {
  return any_of(Plans, [&](const PlannedKernels &P) {
    return pg_plan_in_memory(P.Plan, Array);
  });
}

/// Can all of the host's code be generated?  Tried in a function of its own,
/// where every value is an argument.
static bool canGenerate(LLVMContext &Ctx, const pg_plan &Plan,
                        const DeviceCode &Code) {
  Module Scratch("host", Ctx);
  IRBuilder<> B(Ctx);
  auto *F = Function::Create(
      FunctionType::get(B.getVoidTy(), {B.getPtrTy(), B.getInt64Ty()}, false),
      GlobalValue::ExternalLinkage, "host", Scratch);
  B.SetInsertPoint(BasicBlock::Create(Ctx, "entry", F));
  RuntimeCalls Calls(Scratch);
  HostValues Values;
  Values.Params.resize(Plan.scop->n_param, F->getArg(1));
  for (unsigned A = 0; A < Plan.scop->n_array; ++A)
    Values.Extents.emplace_back(Plan.scop->arrays[A].n_dim, F->getArg(1));
  for (const auto &Args : Code.Args) {
    Values.Invariants.emplace_back();
    for (const KernelArg &A : Args)
      Values.Invariants.back().push_back(A.Ty ? PoisonValue::get(A.Ty)
                                              : nullptr);
  }
  HostBuilder Builder(B, Plan, Code, Calls, Values, F->getArg(0));
  for (unsigned A = 0; A < Plan.scop->n_array; ++A)
    for (unsigned D = 0; Plan.extents[A] && D < Plan.scop->arrays[A].n_dim; ++D)
      Builder.expr(Plan.extents[A][D]);
  Builder.expr(Plan.nonempty);
  if (Plan.in)
    Builder.moves(Plan.in, POLYGPU_IN);
  if (Plan.out)
    Builder.moves(Plan.out, POLYGPU_OUT);
  Builder.node(Plan.host);
  if (Plan.chained) {
    Builder.expr(Plan.chain);
    Builder.node(Plan.chained);
  }
  return !Builder.failed();
}

std::optional<Refusal> checkHost(polly::Scop &S, const ImportedScop &Imported,
                                 const pg_plan &Plan, const DeviceCode &Code) {
  SmallVector<const SCEV *, 16> Needed(Imported.Params.begin(),
                                       Imported.Params.end());
  for (const polly::ScopArrayInfo *SAI : Imported.Arrays)
    for (unsigned D = 1; D < SAI->getNumberOfDimensions(); ++D)
      Needed.push_back(SAI->getDimensionSize(D));
  for (const auto &Args : Code.Args)
    for (const KernelArg &A : Args) {
      if (A.Kind == KernelArg::Scev)
        Needed.push_back(A.Expr);
    }
  for (const SCEV *E : Needed)
    if (const auto *Pointer = dyn_cast<SCEVUnknown>(E);
        Pointer && E->getType()->isPointerTy())
      return Refusal{"Address",
                     "a condition compares the address '" +
                         sourceName(Pointer->getValue()) +
                         "', with null or another one, and the analysis takes "
                         "numbers only; test it in front of the loops, with "
                         "loops for each case",
                     DebugLoc()};
    else if (!E->getType()->isIntegerTy() ||
             E->getType()->getIntegerBitWidth() > 64)
      return Refusal{"Parameter",
                     "a size or bound is no integer of at most 64 bits; use "
                     "int, long or size_t",
                     DebugLoc()};
  if (!canGenerate(S.getFunction().getContext(), Plan, Code))
    return Refusal{"Expression",
                   "the code around the kernels contains an expression that "
                   "is not supported; please report this with the source",
                   DebugLoc()};
  return std::nullopt;
}

std::optional<Refusal>
generateHost(polly::Scop &S, const ImportedScop &Imported,
             ArrayRef<PlannedKernels> Plans, FunctionAnalysisManager &FAM,
             const std::string &Sizes, BasicBlock *Otherwise,
             GlobalVariable *&Descriptor) {
  IslErrors Errors(Plans.front().Plan->scop->ctx, "generation of host code");
  HostGenerator Generator(S, Imported, Plans, FAM, Sizes, Otherwise);
  auto Why = Generator.run();
  Descriptor = Generator.Descriptor;
  return Errors.refuse(Why);
}

} // namespace polygpu
