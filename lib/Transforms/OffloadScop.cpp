//===- OffloadScop.cpp - One SCoP from the model to host code ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OffloadScop.h"
#include "IslErrors.h"
#include "Quotas.h"
#include "ScheduleText.h"
#include "cpu/PieceFunctions.h"
#include "cuda/CudaFile.h"
#include "host/OperationWeights.h"
#include "host/PlanRecord.h"
#include "host/PlanText.h"
#include "host/RunCondition.h"
#include "kernel/CarryLoads.h"
#include "kernel/CodeLength.h"
#include "kernel/GridChain.h"
#include "kernel/JoinedLaunches.h"
#include "kernel/Kernel.h"
#include "kernel/KernelText.h"
#include "polly/ScopInfo.h"
#include "prepare/PrefixSums.h"
#include "scop/CompareArrays.h"
#include "scop/Detection.h"
#include "scop/EntryGuards.h"
#include "scop/Legality.h"
#include "scop/OrdinarySizes.h"
#include "scop/RegionLimits.h"
#include "scop/SeparateFields.h"
#include "scop/Simplify.h"
#include "scop/SmallParams.h"
#include "scop/StatementOrder.h"
#include "target/Assembler.h"
#include "target/OlderText.h"
#include "target/Target.h"
#include "target/Toolkit.h"
#include "tuning/ScopHash.h"
#include "tuning/TuningLog.h"
#include "verify/Mutate.h"
#include "verify/MutateScop.h"
#include "verify/VerifyValues.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/TimeProfiler.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include <cstring>

using namespace llvm;

namespace polygpu {

/// All kernels of \p Code, or those that are launched.
static std::vector<std::string>
kernelNames(const pg_plan &Plan, const DeviceCode &Code, bool Launched) {
  std::vector<std::string> Names;
  for (unsigned K = 0; K < Plan.n_kernel; ++K)
    if (!Launched || !Code.isPart(K))
      Names.push_back(Plan.kernels[K].name);
  for (const GridChain &G : Code.Grids)
    Names.push_back(G.Name);
  for (const JoinedLaunches &J : Code.Joined)
    Names.push_back(J.Name);
  return Names;
}

ScopOffloader::~ScopOffloader() {
  pg_plan_free(Plan);
  for (PlannedKernels &P : Planned)
    pg_plan_free(P.Plan);
  pg_plan_free(Threads.Plan);
  pg_scop_free(OnThreads);
  pg_scop_free(WithCopies);
  pg_scop_free(Source);
  pg_report_clear(&Report);
}

std::optional<Refusal> ScopOffloader::run() {
  if (auto Why = model())
    return Why;
  if (Until == Level::Scops)
    return print(pg_scop_to_str(Imported.Scop));
  if (auto Why = schedule())
    return Why;
  if (Until == Level::Schedule)
    return print(pg_schedule_to_str(Imported.Scop));
  if (MayHavePrefixes && pg_schedule_waits(Imported.Scop))
    return Refusal{PrefixesName, "", DebugLoc()};
  if (auto Why = planAll(); Why || Until != Level::Offload)
    return Why;
  if (auto Why = refuseMisfit())
    return Why;
  if (auto Why = planThreads())
    return Why;
  auto Why = makeHostCode();
  IsSpoilt = Why.has_value();
  return Why;
}

static bool hasBuffers(const pg_plan &Plan) {
  return any_of(ArrayRef(Plan.kernels, Plan.n_kernel),
                [](const pg_kernel &K) { return K.mapping->n_buffer > 0; });
}

/// A record with sizes of kernels that are not there is of another compiler, or
/// was changed by hand.
static std::optional<Refusal> misfitOf(const TuningRecord &R,
                                       const pg_plan &Plan) {
  auto Last = R.lastKernel();
  if (!Last || *Last < Plan.n_kernel)
    return std::nullopt;
  std::string Text = "it has sizes of kernel " + std::to_string(*Last) +
                     ", and there are " + std::to_string(Plan.n_kernel);
  return Refusal{"Tuning", Text, DebugLoc()};
}

/// Kernels for the architecture that is planned for, as often as it takes.
std::optional<Refusal> ScopOffloader::planKernels() {
  for (bool Again = true; Again;) {
    Again = false;
    if (auto Why = planAnew())
      return Why;
    if (Until == Level::Mapping)
      return print(pg_plan_to_str(Plan));
    if (!hasBuffers(*Plan))
      Now = &O; // the same for all architectures
    if (auto Why = generate(Again))
      return Why;
  }
  return std::nullopt;
}

static std::string describeLater(const pg_plan &Plan) {
  std::string Text = summarise(Plan);
  for (const std::string &Kernel : describeKernels(Plan))
    Text += "; " + Kernel;
  return Text;
}

/// Kernels for all sizes, and others for some.
std::optional<Refusal> ScopOffloader::planAll() {
  if (auto Why = planArchitectures(); Why || Until != Level::Offload)
    return Why;
  if (auto Why = planVariants())
    return Why;
  return printTexts();
}

/// Kernels for all architectures, the oldest first.  Newer ones differ in what
/// is promoted: that is planned for them, and the same plan with copies through
/// registers is for the oldest, or one of its own where its blocks have no room
/// for it.  Overlapping tiles are for the oldest one, and all.
std::optional<Refusal> ScopOffloader::planArchitectures() {
  Now = &O;
  if (Until == Level::Offload && !O.Later.empty() &&
      (!Imported.Scop->instead || Imported.Scop->blocks))
    Now = &O.Later.front();
  if (auto Why = planKernels(); Why || Until != Level::Offload)
    return Why;
  const pg_plan &Made = *Planned[First].Plan;
  if (O.Later.empty() || (Made.scop->instead && !Made.scop->blocks) ||
      !hasBuffers(Made))
    return std::nullopt;
  const Options *Other = Now == &O ? &O.Later.front() : &O;
  std::string Problem;
  if (auto Why = Now == &O ? planAgain(*Other, Problem) : planOlder(Problem))
    return Why;
  if (Planned[First].For != &O && Planned.size() > First + 1)
    std::swap(Planned[First], Planned.back());
  Mapped += Mapped.empty() ? "" : "; ";
  if (Problem.empty())
    Mapped += "for " + O.Later.front().Processor +
              " and newer devices: " + describeLater(*Planned.back().Plan);
  else if (Other == &O)
    Mapped += "none for devices before " + O.Later.front().Processor + " (" +
              Problem + ")";
  else
    Mapped += "for " + Other->Processor +
              " and newer devices: the same kernels, since there is no plan of "
              "their own (" +
              Problem + ")";
  return std::nullopt;
}

//===-- Kernels for some sizes --------------------------------------------===//

/// Each is code in the program, and a condition before each run.
static const unsigned MostVariants = 4;

/// What can be said before it is planned, or nothing.
std::string ScopOffloader::whyNoVariant(const TuningRecord &R) const {
  unsigned Last = R.When.back().Param, N = Imported.Scop->n_param;
  if (Last >= N)
    return "it is for sizes of parameter " + std::to_string(Last) +
           ", and there are " + std::to_string(N);
  if (Imported.Scop->instead)
    return "the loops are rewritten, with overlapping tiles or partial "
           "results, for all sizes alike";
  if (Planned.back().Variant == MostVariants)
    return "loops have at most " + std::to_string(MostVariants) +
           " variants for some sizes, and these records come before it";
  return "";
}

/// Plans for the records with conditions, in the order in which the runtime
/// asks for them.
std::optional<Refusal> ScopOffloader::planVariants() {
  for (const TuningRecord *R : findVariants(O.Tuning, Hash, O.Processor)) {
    std::string Problem = whyNoVariant(*R);
    if (Problem.empty())
      if (auto Why = planVariant(*R, Problem))
        return Why;
    if (!Problem.empty())
      Misfits.push_back({R, Problem});
  }
  return std::nullopt;
}

/// A refusal only where a check says so, else what the problem was.
std::optional<Refusal> ScopOffloader::planVariant(const TuningRecord &R,
                                                  std::string &Problem) {
  TimeTraceScope Time("PolyGPU: a variant");
  pg_budget Extra;
  beginScop(Extra, O, nullptr, /*IsLast=*/true);
  unsigned long Used = pg_budget_used(&Budget);
  std::string Before = Mapped;
  First = Planned.size();
  Sized = &R;
  Purse = &Extra;
  Attempts = KernelAttempts();
  auto Why = planArchitectures();
  if (!Why)
    Why = misfitOf(R, *Planned[First].Plan);
  if (Why)
    Problem = Why->Sentence;
  else if (Planned[First].For->Arch > Planned.front().For->Arch)
    // Where the one for all sizes runs the other one has to run as well.
    Problem = "there are no such kernels for devices before " +
              Planned[First].For->Processor;
  // A plan for other architectures may have given back what it took.
  if (unsigned long All = pg_budget_used(&Budget); All > Used)
    pg_budget_give_back(&Budget, All - Used);
  Purse = &Budget;
  Sized = nullptr;
  if (!Problem.empty()) {
    for (; Planned.size() > First; Planned.pop_back())
      pg_plan_free(Planned.back().Plan);
    pg_plan_free(Plan);
    Plan = nullptr;
    Mapped = Before;
  }
  First = 0;
  return Why && Why->OwnError ? Why : std::nullopt;
}

//===-- Kernels for some architectures ------------------------------------===//

/// Is more made of device modules than PTX?
bool ScopOffloader::readsModules() const {
  return O.Emulated || O.Verify == VerifyLevel::Execute;
}

static StringMap<unsigned> minBlocks(const pg_plan &Plan,
                                     const DeviceCode &Code) {
  StringMap<unsigned> Result;
  for (const pg_kernel &K : ArrayRef(Plan.kernels, Plan.n_kernel))
    Result[K.name] = K.mapping->min_blocks;
  for (const JoinedLaunches &J : Code.Joined) {
    unsigned &Least = Result[J.Name] = UINT_MAX;
    for (unsigned K : J.Kernels)
      Least = std::min(Least, Plan.kernels[K].mapping->min_blocks);
  }
  return Result;
}

/// The kernels that are planned, for the oldest architecture with the text that
/// there is; false if that cannot be.
bool ScopOffloader::reuseText() {
  const PlannedKernels &Made = Planned[First];
  if (wantsLinking(O))
    return false;
  pg_plan *Older = pg_plan_for_older(Made.Plan, &O.Machine, PG_OLDER_SAME);
  auto Text = Older ? textForOlder(Made.Binaries.PTX, O.Processor,
                                   minBlocks(*Older, Made.Code))
                    : std::nullopt;
  if (!Text) {
    pg_plan_free(Older);
    return false;
  }
  DeviceCode Code;
  if (readsModules())
    Code.Module = CloneModule(*Made.Code.Module);
  Code.Args = Made.Code.Args;
  Code.SharedBytes = Made.Code.SharedBytes;
  Code.Joined = Made.Code.Joined;
  Code.PartOf = Made.Code.PartOf;
  Images I;
  I.PTX = std::move(*Text);
  I.Arch = O.Arch;
  Planned.push_back(
      {Older, &O, std::move(Code), std::move(I), Made.Variant, Sized});
  return true;
}

/// The kernels that are planned, for the oldest architecture, or others where
/// its blocks have no room for them or their code is too long.
std::optional<Refusal> ScopOffloader::planOlder(std::string &Problem) {
  TimeTraceScope Time("PolyGPU: older architecture");
  Now = &O;
  if (reuseText())
    return std::nullopt;
  Plan = pg_plan_for_older(Planned[First].Plan, &O.Machine, PG_OLDER_REGISTERS);
  bool Again = !Plan;
  auto Why = Plan ? generate(Again, /*IsVerified=*/true) : std::nullopt;
  if (Why && Why->OwnError)
    return Why;
  return Why || Again ? planAgain(O, Problem) : std::nullopt;
}

/// One more plan, \p For an architecture, with as much work as a SCoP has; a
/// refusal only where a check says so, else what the problem was.
std::optional<Refusal> ScopOffloader::planAgain(const Options &For,
                                                std::string &Problem) {
  TimeTraceScope Time("PolyGPU: another plan");
  pg_budget Extra;
  beginScop(Extra, For, nullptr, /*IsLast=*/true);
  pg_plan_free(Plan);
  Plan = nullptr;
  Now = &For;
  Purse = &Extra;
  Attempts = KernelAttempts();
  auto Why = planKernels();
  pg_budget_give_back(&Budget, pg_budget_used(&Extra));
  if (!Why || Why->OwnError)
    return Why;
  Problem = Why->Sentence;
  pg_plan_free(Plan);
  Plan = nullptr;
  return std::nullopt;
}

//===-- The SCoP ----------------------------------------------------------===//

/// The polyhedral representation, with as few scalars as possible.
std::optional<Refusal> ScopOffloader::model() {
  TimeTraceScope Time("PolyGPU: model");
  knowEntry(S);
  if (!S.hasFeasibleRuntimeContext())
    return Refusal{"Infeasible",
                   "the assumptions that the analysis needs (no overflow, "
                   "subscripts within rows) can never hold; check the bounds",
                   DebugLoc()};
  if (auto Why = refuseTooLarge(S))
    return Why;
  if (auto Why = refuseReordered(S))
    return Why;
  if (auto Why = takeSmallParams(S))
    return Why;
  if (auto Why = refuseUnusualSizes(S))
    return Why;
  if (auto Why = compareArrays(
          S, AA, Version ? Version->places() : SmallVector<AssumedPlace, 8>()))
    return Why;
  Harmless = {findEqualArrays(S), findRowParts(S)};
  if (O.Verify != VerifyLevel::Off) {
    IslErrors Errors(S.getIslCtx().get(), "reading of the model");
    Check.emplace(S);
    if (auto Why = Errors.refuse())
      return Why;
  }
  if (auto Why = separateFields(S))
    return Why;
  if (auto Why = simplifyScop(S, Budget))
    return Why;
  plantErrors(S);
  giveBackPolly(Budget);
  if (auto Why = refuseIfSpent(Budget))
    return Why;
  if (auto Why = checkStatements(S, O))
    return Why;
  if (Check) {
    auto Why = Check->run();
    Checked = Check->coverage();
    if (Why)
      return Why;
  }
  return import();
}

/// Hand the SCoP over to the core.
std::optional<Refusal> ScopOffloader::import() {
  static const char *const What = "hand-over to the polyhedral core";
  IslErrors InPolly(S.getIslCtx().get(), What), InCore(Core.Ctx, What);
  if (auto Why = InPolly.refuse(InCore.refuse(importScop(
          S, Core.Ctx, FAM.getResult<TargetLibraryAnalysis>(S.getFunction()),
          O.Reassociate, Imported))))
    return Why;
  weighStatements(Imported);
  if (DebugLoc Loc = userPlace(startOf(S))) {
    Imported.Scop->line = Loc.getLine();
    // That of a function that was inlined, which may be in a header.
    free(Imported.Scop->file);
    Imported.Scop->file =
        strdup(cast<DIScope>(Loc.getScope())->getFilename().str().c_str());
  }
  findRecord();
  return std::nullopt;
}

/// What -gpu-tuning says of the SCoP.
void ScopOffloader::findRecord() {
  if (O.Tuning.empty() && O.SaveTuning.empty())
    return;
  Hash = scopHash(*Imported.Scop);
  if (!IsUntuned)
    Tuned = findTuning(O.Tuning, Hash, O.Processor);
}

std::optional<Refusal> ScopOffloader::refuseMisfit() const {
  return Tuned ? misfitOf(*Tuned, *Planned.front().Plan) : std::nullopt;
}

pg_options ScopOffloader::phaseOptions() {
  pg_options Options = limitsOfPhase(*Now);
  Options.budget = Purse;
  Options.fusion = O.Fusion;
  Options.time = O.Time;
  if (Tuned)
    Tuned->applyTo(Options);
  if (Sized) {
    pg_options Others = limitsOfPhase(*Now);
    Options.sizes = Others.sizes;
    Options.promote = Others.promote;
    Options.promote_all = Others.promote_all;
    Sized->applyTo(Options);
  }
  Attempts.describeTo(Options);
  Options.measured = O.EmbedCubin && hasAssembler(O.CudaPath);
  if (!O.PrintBefore.empty())
    Options.print_before = O.PrintBefore.c_str();
  if (!O.PrintAfter.empty())
    Options.print_after = O.PrintAfter.c_str();
  Options.print = [](const char *Text, void *) { errs() << Text; };
  return Options;
}

std::optional<Refusal> ScopOffloader::schedule() {
  TimeTraceScope Time(IsSerial ? "PolyGPU: known reason"
                               : "PolyGPU: dependences and schedule");
  pg_options Options = phaseOptions();
  std::string Loaded;
  if (auto Why =
          loadSchedules(O.LoadSchedule, scheduleKey(*Imported.Scop), Loaded))
    return Why;
  if (!Loaded.empty())
    Options.schedules = Loaded.c_str();
  Options.serial = IsSerial;
  if (O.Verify != VerifyLevel::Off)
    Source = pg_scop_copy(Imported.Scop);
  if (O.Threads && Until == Level::Offload)
    OnThreads = pg_scop_copy(Imported.Scop);
  if (isRecorded(S.getFunction()))
    Before = treeText(Imported.Scop->original);
  if (pg_dependences(Imported.Scop, &Options, &Report) != isl_stat_ok ||
      pg_conditions(Imported.Scop, &Options, &Report) != isl_stat_ok ||
      pg_schedule(Imported.Scop, &Options, &Report) != isl_stat_ok)
    return reason();
  if (Imported.Scop->not_taken)
    NotTaken = Imported.Scop->not_taken;
  if (O.SaveSchedule.empty())
    return std::nullopt;
  IslErrors Errors(Core.Ctx, "saving of the schedule");
  saveSchedule(O.SaveSchedule, *Imported.Scop);
  return Errors.refuse();
}

//===-- Kernels -----------------------------------------------------------===//

/// A plan for this attempt.  Where nothing is left for another one the last
/// plan stays: kernels that spill are right too.  Overlapping tiles do not
/// become smaller, and are done without.
std::optional<Refusal> ScopOffloader::planAnew() {
  if (Plan && Imported.Scop->instead && !pg_scop_has_panels(Imported.Scop)) {
    pg_plan_free(Plan);
    Plan = nullptr;
    pg_scop_without_overlap(Imported.Scop);
    Attempts = KernelAttempts();
  }
  pg_plan *Before = Plan;
  Plan = nullptr;
  auto Why = plan();
  if (Why && Before) {
    pg_plan_free(Plan);
    Plan = Before;
    Attempts.stop();
    return std::nullopt;
  }
  pg_plan_free(Before);
  return Why ? Why : plantFaults();
}

static bool hasChain(const pg_plan *Plan) {
  return Plan && std::any_of(Plan->kernels, Plan->kernels + Plan->n_kernel,
                             [](const pg_kernel &K) { return K.steps; });
}

/// The number of the variant that is planned.
unsigned ScopOffloader::variantNumber() const {
  return Sized ? Planned[First - 1].Variant + 1 : 0;
}

/// Kernels of variants have names of their own, for profilers.
static void nameVariant(pg_plan &Plan, unsigned Number) {
  for (pg_kernel &K : MutableArrayRef(Plan.kernels, Plan.n_kernel)) {
    std::string Name = std::string(K.name) + "_v" + std::to_string(Number);
    free(K.name);
    K.name = strdup(Name.c_str());
  }
}

static bool hasPlanes(const pg_scop *Scop) {
  return std::any_of(Scop->arrays, Scop->arrays + Scop->n_array,
                     [](const pg_array &A) { return A.planes > 0; });
}

/// Kernels and their ASTs, of which those without buffers are worth more than
/// none.
std::optional<Refusal> ScopOffloader::plan() {
  TimeTraceScope Time("PolyGPU: mapping and loops");
  // LLVM is known to part threads in loops of isl's only, and filters of
  // threads are for these.
  Imported.Scop->all_loops =
      isMutating(Mutation::Uniform) || isMutating(Mutation::Filter);
  pg_options Options = phaseOptions();
  auto Build = [&] {
    return pg_make_plan(Imported.Scop, &Options, &Report, &Plan) == isl_stat_ok;
  };
  pg_budget Part;
  bool IsFirst = Options.promote && Attempts.isFirst() && Planned.empty();
  if (IsFirst) {
    // Planes that come one after the other take most of what there is, and the
    // sweeps that are there instead little.
    pg_budget_begin_part(&Part, Purse, hasPlanes(Imported.Scop) ? 5 : 3);
    Options.budget = &Part;
  }
  bool Built = Build();
  if (!Built && hasChain(Plan)) {
    // Loops of the host are worth more than none.
    pg_plan_free(Plan);
    Options.time = PG_TIME_OFF;
    Built = Build();
  }
  if (!Built && IsFirst) {
    pg_plan_free(Plan);
    Options.budget = Purse;
    Options.promote = false;
    // Loops that share little are quicker to generate apart; of many, each
    // takes its time.
    static const unsigned MostApart = 8;
    if (Imported.Scop->n_stmt <= MostApart)
      pg_schedule_apart(Imported.Scop, &Options, &Report);
    Built = Build();
    for (unsigned K = 0; Built && K < Plan->n_kernel; ++K)
      pg_kernel_decline(&Plan->kernels[K], PG_MAPPING_PROMOTED,
                        "the analysis took too long with them");
  }
  if (!Built)
    return reason();
  pg_count_operations(Plan, &Options);
  if (Sized)
    nameVariant(*Plan, variantNumber());
  return std::nullopt;
}

/// What scripts/mutate asks for.  The check follows at once, since some of
/// these plans would not get through code generation.
std::optional<Refusal> ScopOffloader::plantFaults() {
  if (!isMutating())
    return std::nullopt;
  static_assert(static_cast<int>(Mutation::Omit) -
                    static_cast<int>(Mutation::Domain) ==
                PG_PLANT_OMIT - PG_PLANT_DOMAIN);
  auto Chosen = [](pg_plant_kind Kind, const char *Where, void *) {
    return isMutated(
        static_cast<Mutation>(static_cast<int>(Mutation::Domain) + Kind),
        Where);
  };
  pg_options Options = phaseOptions();
  if (pg_plant(Plan, Chosen, nullptr, &Options, &Report) != isl_stat_ok)
    return reason();
  return verify();
}

/// Has the user, or a record, given sizes?
bool ScopOffloader::hasSizes() const {
  const TuningRecord *Record = Sized ? Sized : Tuned;
  return !O.Sizes.empty() || (Record && !Record->Sizes.empty());
}

/// Generate code; nothing is changed yet if it is to be done "Again" with other
/// kernels.
std::optional<Refusal> ScopOffloader::generate(bool &Again, bool IsVerified) {
  DeviceCode Code;
  if (auto Why = makeDeviceCode(Code, Again); Why || Again)
    return Why;
  if (Until == Level::Kernels) {
    auto Why = printText(*Plan, *Now);
    errs() << *Code.Module;
    return Why;
  }
  if (auto Why = refuseIfSpent(*Purse); Why && Attempts.isFirst())
    return Why;
  if (auto Why = limitLength(Code, Again); Why || Again)
    return Why;
  carryLoads(*Code.Module);
  // Kernels that are printed as CUDA are launched as they are.
  bool Printed = !O.CudaFile.empty();
  if (O.Fusion != PG_FUSION_MIN && !Printed && Harmless.Equal.empty()) {
    IslErrors Errors(Core.Ctx, "generation of joined launches");
    addJoinedLaunches(*Plan, phaseOptions(), Code);
    if (auto Why = Errors.refuse())
      return Why;
  }
  if (pg_time Time = phaseOptions().time;
      !Printed && (Time == PG_TIME_AUTO || Time == PG_TIME_CHAIN)) {
    IslErrors Errors(Core.Ctx, "generation of kernels with loops");
    addGridChains(*Plan, Code);
    if (auto Why = Errors.refuse())
      return Why;
  }
  Images I;
  if (auto Why = makeImages(Code, I))
    return Why;
  Again = Attempts.followRegisters(*Plan, Code, hasSizes(), I);
  return Again ? std::nullopt : finish(Code, I, IsVerified);
}

/// Generate the kernels, and see whether the host's code can be made; or it is
/// to be done "Again" with smaller ones.
std::optional<Refusal> ScopOffloader::makeDeviceCode(DeviceCode &Code,
                                                     bool &Again) {
  TimeTraceScope Time("PolyGPU: kernels");
  IslErrors Errors(Core.Ctx, "generation of kernels");
  auto Why = generateKernels(*Plan, Imported, S, Code);
  if (auto Failed = Errors.refuse())
    return Failed;
  if (Why)
    return Code.TooLong ? shorten(*Code.TooLong, 0, Again) : Why;
  if (Until == Level::Kernels)
    return std::nullopt;
  return Errors.refuse(checkHost(S, Imported, *Plan, Code));
}

std::optional<Refusal> ScopOffloader::limitLength(const DeviceCode &Code,
                                                  bool &Again) {
  TimeTraceScope Time("PolyGPU: kernels");
  unsigned Length;
  if (auto Long = findTooLong(*Plan, removeRedundant(*Code.Module), Length))
    return shorten(*Long, Length, Again);
  return std::nullopt;
}

/// Kernel \p K has too much code: it is to have fewer points, unless that is
/// the user's choice.
std::optional<Refusal> ScopOffloader::shorten(unsigned K, unsigned Length,
                                              bool &Again) {
  Again = Attempts.shorten(*Plan, K);
  if (!Again)
    return refuseLength(*Plan, K, Length);
  return std::nullopt;
}

/// Compile device code for every target that was asked for.
std::optional<Refusal> ScopOffloader::makeImages(const DeviceCode &Code,
                                                 Images &I) {
  TimeTraceScope Time("PolyGPU: PTX");
  I.Arch = Now->Arch;
  if (!O.PTX)
    return std::nullopt;
  std::vector<std::string> Names = kernelNames(*Plan, Code, /*Launched=*/true);
  if (auto Why = compileToPTX(*Code.Module, Names, *Now, I.PTX,
                              wantsLinking(O) ? &I.Optimised : nullptr))
    return Why;
  AssemblerProblem.clear();
  std::string Data;
  if (O.EmbedCubin && assemble(I.PTX, Names, O, Data, I.Spilling, I.Registers,
                               AssemblerProblem, AssemblerLate))
    I.Cubins.push_back({O.Arch, std::move(Data)});
  return std::nullopt;
}

//===-- What comes of them ------------------------------------------------===//

/// What is left to do when kernels are as they will be; they are planned then.
std::optional<Refusal> ScopOffloader::finish(DeviceCode &Code, Images &I,
                                             bool IsVerified) {
  if (Until == Level::PTX) {
    auto Why = printText(*Plan, *Now);
    errs() << I.PTX;
    return Why;
  }
  if (!isMutating() && !IsVerified)
    if (auto Why = verify())
      return Why;
  unsigned Number = variantNumber();
  Planned.push_back({Plan, Now, std::move(Code), std::move(I), Number, Sized});
  Plan = nullptr;
  return std::nullopt;
}

/// Hold the SCoP against the program's values, once, and the plan against the
/// SCoP, by executing them in small.
std::optional<Refusal> ScopOffloader::verify() {
  TimeTraceScope Time("PolyGPU: execution in small");
  if (O.Verify == VerifyLevel::Off)
    return std::nullopt;
  if (Planned.empty()) {
    VerifyValues Values(S, Imported, *Source, *Check);
    auto Why = Values.run();
    Checked += "; " + Values.coverage();
    if (Why)
      return Why;
  }
  return verifyPlan();
}

std::optional<Refusal> ScopOffloader::verifyPlan() {
  bool IsVariant = (Source->n_stmt != Plan->scop->n_stmt ||
                    Source->n_array != Plan->scop->n_array);
  pg_coverage C;
  if (pg_verify(Plan, IsVariant ? Source : nullptr, &C, &Report) != isl_stat_ok)
    return reason();
  raw_string_ostream OS(Mapped);
  if (!Planned.empty())
    OS << "; ";
  OS << "mapping executed in small: " << C.n_kernel_run << " of " << C.n_kernel
     << " kernels, completely for " << C.complete << " sizes and in part for "
     << C.sampled << ", " << C.blocks_run << " of " << C.blocks << " blocks, "
     << C.instances << " statement instances; indices evaluated for "
     << C.ranges << " largest sizes";
  if (C.several)
    OS << "; second tiles of blocks for " << C.several << " sizes";
  if (C.elements)
    OS << "; copies of " << C.elements << " elements";
  if (C.too_large)
    OS << "; not executed: " << C.too_large << " sizes";
  if (C.cannot[0])
    OS << "; not executed: " << C.cannot;
  return std::nullopt;
}

/// Arrays of the program that others may see after the run.
void ScopOffloader::chooseKept() {
  for (unsigned A = 0; A < Imported.Arrays.size(); ++A) {
    const pg_array &Array = Imported.Scop->arrays[A];
    if (Array.kind == PG_ARRAY_MEMORY && Array.n_dim > 0 && !Array.dead_after &&
        isOnDevice(Planned, A))
      Done.Kept.push_back(A);
  }
}

/// What is left of PTX and cubins is done for the file (host/FileImages.h).
void ScopOffloader::keepCode() {
  if (!O.PTX)
    return;
  for (PlannedKernels &P : Planned) {
    Images &I = P.Binaries;
    PlanCode Code;
    Code.For = P.For;
    Code.Plans = count_if(Planned, [&](const PlannedKernels &Other) {
      return Other.Variant == P.Variant;
    });
    Code.Variant = P.Variant;
    Code.Kernels = kernelNames(*P.Plan, P.Code, /*Launched=*/true);
    Code.PTX = std::move(I.PTX);
    Code.Optimised = std::move(I.Optimised);
    Code.Cubins = std::move(I.Cubins);
    Done.Code.push_back(std::move(Code));
  }
}

/// From here on the function changes.
std::optional<Refusal> ScopOffloader::makeHostCode() {
  TimeTraceScope Time("PolyGPU: host code");
  Function &F = S.getFunction();
  if (isRecorded(F))
    recordFacts();
  log();
  for (PlannedKernels &P : Planned) {
    P.Binaries.Checked = O.Checked;
    if (readsModules())
      simplifyKernels(*P.Code.Module);
    if (O.Emulated)
      P.Binaries.Emulated = emulate(
          *P.Code.Module, kernelNames(*P.Plan, P.Code, /*Launched=*/false),
          *F.getParent(), F, O.Checked);
  }
  if (Threads.Plan)
    makePieces();
  SizeAssumptions Sizes = describeSizes(S, Imported);
  describe(Sizes);
  auto Why = generateHost(S, Imported, Planned, FAM, Sizes, Harmless, Version,
                          Threads, Done.Descriptor);
  chooseKept();
  keepCode();
  if (!Why && O.Verify == VerifyLevel::Execute)
    Why = remember();
  return Why;
}

/// The plan for all sizes and the newest devices.
const PlannedKernels &ScopOffloader::newest() const {
  return *find_if(reverse(Planned),
                  [](const PlannedKernels &P) { return P.Variant == 0; });
}

/// The plan for newer devices, in the optimisation record; what cannot be
/// recorded is offloaded all the same.
void ScopOffloader::recordFacts() {
  IslErrors Errors(Core.Ctx, "record of the plan");
  Done.Facts = recordPlan(Imported, newest(), Before);
  if (Errors.refuse()) {
    Done.Facts.clear();
    isl_ctx_reset_error(Core.Ctx);
  }
}

/// For polygpu tune, as -gpu-save-tuning asks.
void ScopOffloader::log() const {
  if (O.SaveTuning.empty())
    return;
  std::vector<const PlannedKernels *> Variants;
  for (unsigned P = 1; P < Planned.size(); ++P)
    if (Planned[P].Variant && (P + 1 == Planned.size() ||
                               Planned[P + 1].Variant != Planned[P].Variant))
      Variants.push_back(&Planned[P]);
  logScop(O, {*Imported.Scop, newest(), Variants, Hash,
              Tuned ? Tuned->Choice : ""});
}

/// What users are told, as long as the SCoP is what it was.
void ScopOffloader::describe(const SizeAssumptions &Sizes) {
  OffloadedNest &Nest = Done.Nest;
  Nest.Summary = summarise(*Planned.front().Plan);
  Nest.Details = describeKernels(*Planned.front().Plan);
  Nest.Details.push_back(describeCopies(Imported));
  for (const GridChain &G : newest().Code.Grids)
    Nest.Details.push_back("launches of a loop can be one kernel, whose blocks "
                           "are on the device together: " +
                           G.Name);
  for (const JoinedLaunches &J : newest().Code.Joined)
    Nest.Details.push_back("launches that do not depend on each other are one "
                           "kernel: " +
                           J.Name);
  if (!Threaded.empty())
    Nest.Details.push_back(Threaded);
  append_range(Nest.Details, NotPrinted);
  if (Tuned)
    Nest.Details.push_back(
        "as line " + std::to_string(Tuned->Line) +
        " of the file of -gpu-tuning says: " +
        (Tuned->Choice.empty() ? "nothing is changed" : Tuned->Choice));
  describeVariants();
  auto Truth = Version ? Version->holds() : std::nullopt;
  if (std::string Text = describeCondition(S, Imported, Sizes, Harmless,
                                           Truth ? Truth->So : "");
      !Text.empty())
    Nest.Details.push_back(Text);
}

/// "p0 is n, p1 is m": the parameters of \p Record by their names.
static std::string namesOf(const TuningRecord &Record, const pg_scop &Scop) {
  std::string Text;
  for (const SizeRange &R : Record.When)
    Text += (Text.empty() ? "p" : ", p") + std::to_string(R.Param) + " is " +
            Scop.params[R.Param].source_name;
  return Text;
}

void ScopOffloader::describeVariants() {
  for (const PlannedKernels &P : drop_begin(Planned)) {
    if (P.Variant == (&P - 1)->Variant)
      continue;
    const TuningRecord &R = *P.Record;
    Done.Nest.Details.push_back(
        "variant " + std::to_string(P.Variant) + ", where " + R.when() + " (" +
        namesOf(R, *Imported.Scop) + "), as line " + std::to_string(R.Line) +
        " of the file of -gpu-tuning says: " +
        (R.Choice.empty() ? "nothing is changed" : R.Choice) + ": " +
        describeLater(*P.Plan));
  }
}

/// Keep what is needed to execute the kernels.
std::optional<Refusal> ScopOffloader::remember() {
  IslErrors Errors(Core.Ctx, "printing of the model");
  for (PlannedKernels &P : Planned) {
    auto Names = kernelNames(*P.Plan, P.Code, /*Launched=*/false);
    Done.Plans.push_back({std::move(P.Code.Module), std::move(Names)});
  }
  char *Text = pg_scop_to_str(Imported.Scop);
  Done.Text = Text ? Text : "";
  free(Text);
  return Errors.refuse();
}

//===-- Text --------------------------------------------------------------===//

std::string ScopOffloader::text() const {
  std::string Result;
  raw_string_ostream OS(Result);
  char *Text = Source ? pg_scop_to_str(Source) : nullptr;
  OS << (Text ? Text : "") << '\n';
  free(Text);
  S.print(OS, true);
  return Result;
}

std::optional<Refusal> ScopOffloader::print(char *Text) const {
  errs() << (Text ? Text : "");
  free(Text);
  return std::nullopt;
}

/// For -gpu-print-kernels.
std::optional<Refusal> ScopOffloader::printText(const pg_plan &Kernels,
                                                const Options &For,
                                                const TuningRecord *Record) {
  if (!O.PrintKernels)
    return std::nullopt;
  IslErrors Errors(Core.Ctx, "printing of kernels");
  if (Record)
    errs() << "// For runs with " << Record->when() << ":\n";
  if (&For != &O)
    errs() << "// For " << For.Processor << " and newer devices:\n";
  printKernels(Kernels, Imported, errs());
  return Errors.refuse();
}

/// For -gpu-print-kernels=FILE: the kernels for all sizes and the newest
/// devices.
void ScopOffloader::printCuda() {
  const PlannedKernels &P = newest();
  CudaText Cuda = cudaText(*P.Plan, Imported, S, P.Code, P.For->Processor,
                           describeCopies(Imported));
  Done.Cuda = std::move(Cuda.Text);
  Done.CudaNames = std::move(Cuda.Names);
  for (const std::string &Missing : Cuda.Missing)
    NotPrinted.push_back(O.CudaFile + ": " + Missing);
}

std::optional<Refusal> ScopOffloader::printTexts() {
  for (const PlannedKernels &P : Planned)
    if (auto Why = printText(*P.Plan, *P.For, P.Record))
      return Why;
  if (O.CudaFile.empty())
    return std::nullopt;
  IslErrors Errors(Core.Ctx, "printing of kernels");
  printCuda();
  return Errors.refuse();
}

} // namespace polygpu
