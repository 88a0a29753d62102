//===- Host.cpp - Host code of an offloaded SCoP --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "host/Host.h"
#include "IslErrors.h"
#include "RuntimeFunctions.h"
#include "host/Descriptor.h"
#include "host/HostBuilder.h"
#include "host/IndexRanges.h"
#include "host/RunCondition.h"
#include "kernel/AstBuilder.h"
#include "polly/CodeGen/IslAst.h"
#include "polly/CodeGen/IslNodeBuilder.h"
#include "polly/CodeGen/Utils.h"
#include "polly/ScopInfo.h"
#include "polly/Support/ScopHelper.h"
#include "polygpu/abi.h"
#include "prepare/IndirectReads.h"
#include "prepare/Versions.h"
#include "verify/Mutate.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/RegionInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;

namespace polygpu {

namespace {

/// Gives access to the run-time condition that Polly generates.
class ConditionBuilder final : public polly::IslNodeBuilder {
public:
  using IslNodeBuilder::IslNodeBuilder;
  Value *holds(ConditionPart &Part);

private:
  Value *numberOf(isl::ast_expr &Address);
  Value *areBetween(RowPair &Rows);
};

/// An address as a number.
Value *ConditionBuilder::numberOf(isl::ast_expr &Address) {
  return Builder.CreatePtrToInt(getExprBuilder().create(Address.release()),
                                Builder.getInt64Ty());
}

/// Is each of two matrices in the gaps between the rows of the other one?
Value *ConditionBuilder::areBetween(RowPair &Rows) {
  Value *None = Builder.getInt64(0), *First[2], *Length[2], *Step[2];
  getExprBuilder().setTrackOverflow(true);
  for (unsigned Which = 0; Which < 2; ++Which) {
    RowAddresses &At = Rows[Which];
    First[Which] = numberOf(At.First);
    Length[Which] = Builder.CreateSub(numberOf(At.End), First[Which]);
    Step[Which] = numberOf(At.Row[1]);
    Step[Which] = Builder.CreateSub(Step[Which], numberOf(At.Row[0]));
  }
  Value *Overflow = getExprBuilder().getOverflowState();
  getExprBuilder().setTrackOverflow(false);
  Value *Same = Builder.CreateAnd(Builder.CreateICmpEQ(Step[0], Step[1]),
                                  Builder.CreateICmpSGT(Step[0], None));
  // From the first row's begin of the one to that of the next row of the other.
  Value *By = Builder.CreateSelect(Same, Step[0], Builder.getInt64(1));
  Value *Rest = Builder.CreateSRem(Builder.CreateSub(First[1], First[0]), By);
  Rest = Builder.CreateSelect(Builder.CreateICmpSLT(Rest, None),
                              Builder.CreateAdd(Rest, By), Rest);
  return Builder.CreateAnd(
      {Same, Builder.CreateNot(Overflow),
       Builder.CreateICmpSGT(Length[0], None),
       Builder.CreateICmpSGT(Length[1], None),
       Builder.CreateICmpSGE(Rest, Length[0]),
       Builder.CreateICmpSLE(Length[1], Builder.CreateSub(By, Rest))});
}

Value *ConditionBuilder::holds(ConditionPart &Part) {
  Value *Holds = createRTC(Part.Holds.release());
  if (Part.OrBetween)
    Holds = Builder.CreateOr(Holds, areBetween(*Part.OrBetween));
  return Holds;
}

/// Everything around one SCoP.
class HostGenerator {
public:
  HostGenerator(polly::Scop &S, const ImportedScop &Imported,
                ArrayRef<PlannedKernels> Plans, FunctionAnalysisManager &FAM,
                const SizeAssumptions &Sizes, const HarmlessOverlaps &Harmless,
                const LoopVersion *Version, const ThreadKernels &Threads)
      : S(S), Imported(Imported), Plans(Plans), Threads(Threads), Sizes(Sizes),
        Harmless(Harmless), Version(Version),
        Otherwise(Version ? Version->original() : nullptr),
        Plan(*Plans.front().Plan), Code(Plans.front().Code), F(S.getFunction()),
        M(*F.getParent()), SE(*S.getSE()),
        DT(FAM.getResult<DominatorTreeAnalysis>(F)),
        LI(FAM.getResult<LoopAnalysis>(F)),
        RI(FAM.getResult<RegionInfoAnalysis>(F)), B(M.getContext()), Calls(M) {}

  std::optional<Refusal> run();

  GlobalVariable *Descriptor = nullptr; ///< made by run()

private:
  polly::Scop &S;
  const ImportedScop &Imported;
  ArrayRef<PlannedKernels> Plans;
  const ThreadKernels &Threads;
  const SizeAssumptions &Sizes;
  const HarmlessOverlaps &Harmless;
  const LoopVersion *Version; ///< that the SCoP is, or null
  BasicBlock *Otherwise;      ///< loops that assume nothing, or null
  const pg_plan &Plan;        ///< the first one, for what they have in common:
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

  /// What is known of indices in front of the SCoP.
  DenseMap<const SCEV *, Value *> Invariants;
  Value *SizeList = nullptr;
  Value *Apart = nullptr; ///< i1: no array is, or overlaps, another one

  Value *expand(const SCEV *E, Instruction *Before);
  void expandIndices(Instruction *Before);
  Value *slotOf(Type *Ty, const char *Name);
  IndexRange readRange(Value *Run, const Instruction &I, bool IsSigned);
  IndexRange inspect(Value *Run, ArrayRef<const ImportedScop::IndexRead *> List,
                     bool IsSigned);
  /// Of what is read, as signed numbers or not, once.
  DenseMap<std::pair<const Instruction *, unsigned>, IndexRange> Ranges;
  IndexRange lookAt(Value *Run, const Instruction &I, bool IsSigned);
  IndexRange inspectBetween(Value *Run, const LoadInst &Read, bool IsSigned);
  Value *emptyRange();
  IndexRange loadRange(Value *Pair);
  /// The first and the last element, i64, unless there is None; Wrong: that
  /// cannot be said.  The runtime knows of the latter.
  struct Places {
    Value *First, *Last, *None, *Wrong;
  };
  Places placesOf(Value *Run, const LoadInst &Read);
  void findPlaces(Value *Run);
  unsigned direction(const ImportedScop::IndirectArray &A) const;
  void findPlaces(Value *Run, const ImportedScop::IndirectArray &A);
  void expandTemporaries(const pg_plan &Of, const DeviceCode &Its,
                         HostValues &To);
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
  std::vector<unsigned> argumentsApart() const;
  void launch(HostBuilder &Builder, const pg_plan &Plan, Value *Run,
              BasicBlock *Before);
  /// A part of the condition, and what is told where it does not hold.
  using Part = std::pair<Value *, std::string>;
  Value *declineReason(ArrayRef<Part> Condition, Value *Small);
  std::vector<unsigned> allParams() const;
  Value *declineValues();
  void deviceRun(BasicBlock *Split, BasicBlock *Join, ArrayRef<Part> Condition);
  std::vector<Value *> sizes();
  Value *sizeList();
  void announceMoves(Value *Run, BasicBlock *Before);
  BasicBlock *announceRun(Value *Run, BasicBlock *Join);
  void launchChosen(Value *Run, BasicBlock *Before);
  Value *conductRun(Value *Run, BasicBlock *Before);
  void addInvariants(const DeviceCode &Code, Instruction *Before);
  void runOnThreads(BasicBlock *Join, Value *Holds);
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
  expandTemporaries(Plan, Code, Values);
  for (const PlannedKernels &P : Plans)
    addInvariants(P.Code, Before);
  if (Threads.Plan)
    addInvariants(Threads.Code, Before);
}

/// The sizes of the temporaries of a plan.
void HostGenerator::expandTemporaries(const pg_plan &Of, const DeviceCode &Its,
                                      HostValues &To) {
  HostBuilder Builder(B, Of, Its, Calls, To, nullptr);
  To.Extents.resize(Imported.Arrays.size());
  To.Bases.resize(Imported.Arrays.size());
  for (unsigned A = Imported.Arrays.size(); A < Of.scop->n_array; ++A) {
    std::vector<Value *> Extents;
    for (unsigned D = 0; D < Of.scop->arrays[A].n_dim; ++D)
      Extents.push_back(B.CreateBinaryIntrinsic(
          Intrinsic::smax, Builder.expr(Of.extents[A][D]), B.getInt64(0)));
    To.Extents.push_back(Extents);
    // There is none on the host: element 0 would be at address 0.
    To.Bases.push_back(ConstantPointerNull::get(B.getPtrTy()));
  }
}

/// What kernels get that is from before the SCoP.
void HostGenerator::addInvariants(const DeviceCode &Of, Instruction *Before) {
  for (const auto &Args : Of.Args) {
    Values.Invariants.emplace_back();
    for (const KernelArg &A : Args)
      Values.Invariants.back().push_back(
          A.Kind == KernelArg::Scev     ? expand(A.Expr, Before)
          : A.Kind == KernelArg::Scalar ? A.V
                                        : nullptr);
  }
  // Those of grids and joined launches are those of their kernels.
  Values.Invariants.resize(Values.Invariants.size() + Of.Grids.size() +
                           Of.Joined.size());
}

/// What does not change in the SCoP of what is needed to bound indices.
void HostGenerator::expandIndices(Instruction *Before) {
  IndexRanges Ranges(B, S, nullptr);
  for (const auto &A : Imported.Indirect)
    for (const LoadInst *Read : A.Reads)
      if (!A.Count)
        Ranges.invariants(*placeOf(*Read).Offset, [&](const SCEV *E) {
          if (!Invariants.count(E))
            Invariants[E] = expand(E, Before);
        });
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
  // Loops that assume something run where the condition is known to hold, and
  // so do those for threads.
  if (Otherwise || Threads.Plan || !hasConstantSizes(Plans))
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

Value *HostGenerator::slotOf(Type *Ty, const char *Name) {
  BasicBlock &Entry = F.getEntryBlock();
  return IRBuilder<>(&Entry, Entry.getFirstInsertionPt())
      .CreateAlloca(Ty, nullptr, Name);
}

/// The sizes in memory.
Value *HostGenerator::sizeList() {
  std::vector<Value *> Sizes = sizes();
  // Those of places follow when the run has begun.
  Sizes.resize(Sizes.size() + 2 * Imported.Indirect.size(), B.getInt64(0));
  if (Sizes.empty())
    return ConstantPointerNull::get(B.getPtrTy());
  Value *Slot =
      slotOf(ArrayType::get(B.getInt64Ty(), Sizes.size()), "polygpu.sizes");
  for (unsigned S = 0; S < Sizes.size(); ++S)
    B.CreateStore(Sizes[S], B.CreateConstGEP1_64(B.getInt64Ty(), Slot, S));
  return Slot;
}

//===-- Where indices lead to ---------------------------------------------===//

/// Memory for the smallest and the largest of numbers, of none so far.
Value *HostGenerator::emptyRange() {
  Type *I64 = B.getInt64Ty();
  Value *Pair = slotOf(ArrayType::get(I64, 2), "polygpu.range");
  B.CreateStore(B.getInt64(INT64_MAX), Pair);
  B.CreateStore(B.getInt64(INT64_MIN), B.CreateConstGEP1_64(I64, Pair, 1));
  return Pair;
}

IndexRange HostGenerator::loadRange(Value *Pair) {
  Type *I64 = B.getInt64Ty();
  Value *Low = B.CreateLoad(I64, Pair);
  Value *High = B.CreateLoad(I64, B.CreateConstGEP1_64(I64, Pair, 1));
  Value *None = B.CreateICmpSGT(Low, High);
  return {B.CreateSelect(None, B.getInt64(0), Low),
          B.CreateSelect(None, B.getInt64(0), High), None};
}

static unsigned indexKind(const ImportedScop::IndexRead &Index, bool IsSigned) {
  return (IsSigned ? POLYGPU_INDEX_SIGNED : POLYGPU_INDEX_UNSIGNED) |
         (Index.Guarded ? POLYGPU_INDEX_PROBED : 0);
}

/// The range of all numbers of some elements of arrays.
IndexRange HostGenerator::inspect(
    Value *Run, ArrayRef<const ImportedScop::IndexRead *> List, bool IsSigned) {
  Value *Pair = emptyRange();
  HostBuilder Builder(B, Plan, Code, Calls, Values, Run);
  for (const ImportedScop::IndexRead *Index : List)
    Builder.inspect(Index->Elements, indexKind(*Index, IsSigned), Pair);
  return loadRange(Pair);
}

/// The range of what \p I reads, by itself or through an index.
IndexRange HostGenerator::readRange(Value *Run, const Instruction &I,
                                    bool IsSigned) {
  if (auto Known = Ranges.find({&I, IsSigned}); Known != Ranges.end())
    return Known->second;
  IndexRange R = lookAt(Run, I, IsSigned);
  Ranges.insert({{&I, IsSigned}, R});
  return R;
}

IndexRange HostGenerator::lookAt(Value *Run, const Instruction &I,
                                 bool IsSigned) {
  if (isInBody(&I))
    return inspectBetween(Run, cast<LoadInst>(I), IsSigned);
  SmallVector<const ImportedScop::IndexRead *, 2> List;
  for (const ImportedScop::IndexRead &Index : Imported.Indices)
    if (Index.Load == &I)
      List.push_back(&Index);
  return inspect(Run, List, IsSigned);
}

/// The range of all numbers between those that \p Read may lead to.
IndexRange HostGenerator::inspectBetween(Value *Run, const LoadInst &Read,
                                         bool IsSigned) {
  Places P = placesOf(Run, Read);
  const uint64_t Distance = distanceOf(*placeOf(Read).Offset);
  const uint64_t Size =
      Plan.scop->arrays[Imported.indirectArray(Read)].elem_size;
  // As members of structures have it.
  const uint64_t Stride =
      Distance && Distance % Size == 0 ? Distance / Size : 1;
  Value *Count = B.CreateSub(P.Last, P.First);
  if (Stride > 1)
    Count = B.CreateUDiv(Count, B.getInt64(Stride));
  Count = B.CreateAdd(Count, B.getInt64(1));
  Value *Pair = emptyRange();
  B.CreateCall(
      runtimeFunction(M, "polygpu_inspect"),
      {Run, B.getInt32(Imported.indirectArray(Read)),
       B.getInt32((IsSigned ? POLYGPU_INDEX_SIGNED : POLYGPU_INDEX_UNSIGNED) |
                  POLYGPU_INDEX_PROBED),
       P.First,
       B.CreateSelect(B.CreateOr(P.None, P.Wrong), B.getInt64(0), Count),
       B.getInt64(Stride), Pair});
  return loadRange(Pair);
}

/// Which elements \p Read may lead to.
HostGenerator::Places HostGenerator::placesOf(Value *Run,
                                              const LoadInst &Read) {
  unsigned Array = Imported.indirectArray(Read);
  Value *Size = B.getInt64(Plan.scop->arrays[Array].elem_size);
  IndexRanges Ranges(B, S, [&](const Instruction &I, bool IsSigned) {
    return readRange(Run, I, IsSigned);
  });
  for (auto [E, V] : Invariants)
    Ranges.define(E, V);
  if (const auto *Call = cast<CallInst>(*Read.getFunction()->user_begin());
      Read.getFunction()->hasOneUse() && Imported.Guarded->isGuarded(*Call))
    Ranges.assume(Imported.Guarded->guardOf(*Call));
  IndexRange R = Ranges.of(*placeOf(Read).Offset);
  // All offsets are multiples of the size.
  Places P = {B.CreateSDiv(R.Low, Size), B.CreateSDiv(R.High, Size), R.None,
              Ranges.overflows()};
  // The number of elements has to fit, too.
  P.Wrong = B.CreateOr(
      P.Wrong, B.CreateICmpSLT(B.CreateSub(P.Last, P.First), B.getInt64(0)));
  P.Wrong = B.CreateAnd(P.Wrong, B.CreateNot(P.None));
  B.CreateCall(runtimeFunction(M, "polygpu_unbounded"),
               {Run, B.CreateSelect(P.Wrong, B.getInt32(Array),
                                    B.getInt32(UINT32_MAX))});
  return P;
}

/// Which elements of \p A may be read.
void HostGenerator::findPlaces(Value *Run,
                               const ImportedScop::IndirectArray &A) {
  Value *First = B.getInt64(INT64_MAX), *Last = B.getInt64(INT64_MIN);
  for (const LoadInst *Read : A.Reads) {
    Places P = placesOf(Run, *Read);
    Value *Not = B.CreateOr(P.None, P.Wrong);
    First = B.CreateSelect(
        Not, First, B.CreateBinaryIntrinsic(Intrinsic::smin, First, P.First));
    Last = B.CreateSelect(
        Not, Last, B.CreateBinaryIntrinsic(Intrinsic::smax, Last, P.Last));
  }
  Value *None = B.CreateICmpSGT(First, Last);
  Value *Count = B.CreateAdd(B.CreateSub(Last, First), B.getInt64(1));
  Values.Indirect.push_back({B.CreateSelect(None, B.getInt64(0), First),
                             B.CreateSelect(None, B.getInt64(0), Count)});
}

/// Which elements of the arrays that are read indirectly are to be on the
/// device; moves depend on it as on sizes.
void HostGenerator::findPlaces(Value *Run) {
  uint64_t At = sizes().size();
  for (const ImportedScop::IndirectArray &A : Imported.Indirect) {
    if (A.Count)
      Values.Indirect.push_back({B.getInt64(A.First), B.getInt64(A.Count)});
    else
      findPlaces(Run, A);
    for (Value *V :
         {Values.Indirect.back().first, Values.Indirect.back().second})
      B.CreateStore(V, B.CreateConstGEP1_64(B.getInt64Ty(), SizeList, At++));
  }
}

/// Where elements go that indices may lead to.
unsigned HostGenerator::direction(const ImportedScop::IndirectArray &A) const {
  const pg_array &Array = Plan.scop->arrays[A.Array];
  if (!Array.updated)
    return POLYGPU_IN;
  return POLYGPU_IN | (Array.dead_after ? POLYGPU_TOUCH : POLYGPU_OUT);
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
  for (auto [A, Elements] : zip_equal(Imported.Indirect, Values.Indirect))
    B.CreateCall(Calls.Move,
                 {Run, B.getInt32(A.Array), B.getInt32(direction(A)),
                  Elements.first, Elements.second, B.getInt64(1)});
  B.CreateBr(Known);
  B.SetInsertPoint(Known);
}

/// Arrays and copies of a run; then go on, or to \p Join if it does not pay.
/// Returns the block that branches there.
BasicBlock *HostGenerator::announceRun(Value *Run, BasicBlock *Join) {
  for (unsigned A = 0; A < Values.Bases.size(); ++A)
    B.CreateCall(Calls.Array, {Run, B.getInt32(A), Values.Bases[A]});
  findPlaces(Run);
  announceMoves(Run, Join);
  Value *Worth = B.CreateCall(Calls.Worth, {Run});
  BasicBlock *Last = B.GetInsertBlock();
  BasicBlock *Launch =
      BasicBlock::Create(M.getContext(), "polygpu.launch", &F, Join);
  B.CreateCondBr(B.CreateIsNotNull(Worth), Launch, Join);
  B.SetInsertPoint(Launch);
  return Last;
}

/// Of each array of the plans, 1 + the number of the argument of which the
/// function says that it overlaps no other one, or 0.
std::vector<unsigned> HostGenerator::argumentsApart() const {
  std::vector<unsigned> Numbers(Plans.front().Plan->scop->n_array);
  for (auto [Number, Array] : zip(Numbers, Imported.Arrays)) {
    const auto *A =
        dyn_cast<Argument>(getUnderlyingObject(Array->getBasePtr()));
    if (A && A->hasNoAliasAttr())
      Number = 1 + A->getArgNo();
  }
  return Numbers;
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
    FirstKernel += kernelCount(Plans[P]);
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
                           "the kernels" +
                           valuesOf(Imported, allParams())));
}

std::vector<unsigned> HostGenerator::allParams() const {
  std::vector<unsigned> All(Values.Params.size());
  std::iota(All.begin(), All.end(), 0);
  return All;
}

/// The values that reasons have places for, each where its parameter's number
/// says; null if there are none.
Value *HostGenerator::declineValues() {
  std::vector<unsigned> Told = allParams();
  if (Told.size() > MaxValues)
    Told = Sizes.Params;
  if (Told.empty() || Told.size() > MaxValues)
    return ConstantPointerNull::get(B.getPtrTy());
  Value *Slot = slotOf(ArrayType::get(B.getInt64Ty(), Values.Params.size()),
                       "polygpu.values");
  for (unsigned I : Told)
    B.CreateStore(Values.Params[I],
                  B.CreateConstGEP1_64(B.getInt64Ty(), Slot, I));
  return Slot;
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
  Descriptor =
      createDescriptor(M, Plans, sizes().size() + 2 * Imported.Indirect.size(),
                       Threads.Plan, argumentsApart());

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
  Value *Reason = declineReason(Condition, Small);
  B.CreateCall(Calls.Decline, {Descriptor, Reason, declineValues()});
  B.CreateBr(Undecided);

  BasicBlock *Asking = Begin;
  B.SetInsertPoint(Begin);
  if (!Ask && Plan.n_count)
    Begin = askWithSizes(Join, Device);
  SizeList = sizeList();
  Value *Run = B.CreateCall(Calls.Begin, {Descriptor, SizeList});
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
  if (!Threads.Plan)
    return;
  PHINode *Held = B.CreatePHI(B.getInt1Ty(), 6, "polygpu.holds");
  for (BasicBlock *From : Phi->blocks())
    Held->addIncoming(B.getInt1(From != Split && From != Decline), From);
  runOnThreads(Join, Held);
}

/// Where the run in front of \p Join did not bring the results, and the
/// run-time condition "Holds": ask for threads, have them run the loops, and go
/// on as if the device had.  The original loops follow where there are none.
void HostGenerator::runOnThreads(BasicBlock *Join, Value *Holds) {
  auto *Branch = cast<BranchInst>(Join->getTerminator());
  BasicBlock *Done = Branch->getSuccessor(0), *Loops = Branch->getSuccessor(1);
  auto Block = [&](const char *Name) {
    return BasicBlock::Create(M.getContext(), Name, &F, Loops);
  };
  BasicBlock *Check = Block("polygpu.threads");
  BasicBlock *Begin = Block("polygpu.threads.begin");
  BasicBlock *Team = Block("polygpu.threads.run");
  BasicBlock *Original = Block("polygpu.original");
  Branch->setSuccessor(1, Check);

  B.SetInsertPoint(Check);
  const pg_plan &Its = *Threads.Plan;
  Value *Small =
      smallParams(uint64_t(std::min(Its.param_limit, Its.host_limit)));
  B.CreateCondBr(B.CreateAnd(B.CreateAnd(Holds, Apart), Small), Begin,
                 Original);

  B.SetInsertPoint(Begin);
  GlobalVariable *Described = createParallelDescriptor(M, Threads);
  HostValues ItsValues = Values;
  expandTemporaries(Its, Threads.Code, ItsValues);
  Value *Lent = placeLent(B, Its, ItsValues);
  Value *Run = B.CreateCall(runtimeFunction(M, "polygpu_parallel_begin"),
                            {Described, sizeList(), Lent});
  B.CreateCondBr(B.CreateIsNotNull(Run), Team, Original);

  B.SetInsertPoint(Team);
  unsigned FirstKernel = 0;
  for (const PlannedKernels &P : Plans)
    FirstKernel += kernelCount(P);
  HostBuilder Builder(B, Its, Threads.Code, Calls, ItsValues, Run, FirstKernel);
  Builder.launchOnThreads();
  Builder.node(Its.host);
  B.CreateCall(runtimeFunction(M, "polygpu_parallel_end"), {Run});
  BasicBlock *Last = B.GetInsertBlock();
  B.CreateBr(Done);
  for (PHINode &Phi : Done->phis())
    Phi.addIncoming(Phi.getIncomingValueForBlock(Join), Last);

  B.SetInsertPoint(Original);
  B.CreateBr(Loops);
  for (PHINode &Phi : Loops->phis())
    Phi.replaceIncomingBlockWith(Join, Original);
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
  Apart = B.getTrue();
  if (auto Truth = Version ? Version->holds() : std::nullopt)
    Condition.push_back({Truth->Holds, Truth->NotSo});
  for (ConditionPart &P : partsOfCondition(S, Imported, Build, Sizes, Harmless))
    Condition.push_back({Nodes.holds(P), P.Otherwise});
  // In the program's memory what is the same array is no other one.
  B.SetInsertPoint(Branch);
  HarmlessOverlaps Others;
  Others.Rows = Harmless.Rows;
  if (Threads.Plan && !Harmless.Equal.empty())
    for (ConditionPart &P : partsOfCondition(S, Imported, Build, Sizes, Others))
      Apart = B.CreateAnd(Apart, Nodes.holds(P));
  expandValues(Branch, Nodes.getBlockGenerator());
  expandIndices(Branch);
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
static bool canGenerate(LLVMContext &Ctx, const ImportedScop &Imported,
                        const pg_plan &Plan, const DeviceCode &Code) {
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
  for (const ImportedScop::IndexRead &Index : Imported.Indices)
    Builder.inspect(Index.Elements, 0, F->getArg(0));
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
  if (!canGenerate(S.getFunction().getContext(), Imported, Plan, Code))
    return Refusal{"Expression",
                   "the code around the kernels contains an expression that "
                   "is not supported; please report this with the source",
                   DebugLoc()};
  return std::nullopt;
}

std::optional<Refusal>
generateHost(polly::Scop &S, const ImportedScop &Imported,
             ArrayRef<PlannedKernels> Plans, FunctionAnalysisManager &FAM,
             const SizeAssumptions &Sizes, const HarmlessOverlaps &Harmless,
             const LoopVersion *Version, const ThreadKernels &Threads,
             GlobalVariable *&Descriptor) {
  IslErrors Errors(Plans.front().Plan->scop->ctx, "generation of host code");
  HostGenerator Generator(S, Imported, Plans, FAM, Sizes, Harmless, Version,
                          Threads);
  auto Why = Generator.run();
  Descriptor = Generator.Descriptor;
  return Errors.refuse(Why);
}

} // namespace polygpu
