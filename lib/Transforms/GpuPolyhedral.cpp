//===- GpuPolyhedral.cpp - The pass gpu-polyhedral ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GpuPolyhedral.h"
#include "IslErrors.h"
#include "ModuleSnapshot.h"
#include "Options.h"
#include "Quotas.h"
#include "Remarks.h"
#include "ScheduleText.h"
#include "host/Cost.h"
#include "host/Host.h"
#include "kernel/CarryLoads.h"
#include "kernel/CodeLength.h"
#include "kernel/Kernel.h"
#include "polly/DeLICM.h"
#include "polly/ForwardOpTree.h"
#include "polly/ScopBuilder.h"
#include "polly/ScopDetection.h"
#include "polly/ScopInfo.h"
#include "polly/Simplify.h"
#include "prepare/AnyIteration.h"
#include "prepare/Prepare.h"
#include "prepare/SplitBases.h"
#include "scop/AccessTypes.h"
#include "scop/CompareArrays.h"
#include "scop/Delinearise.h"
#include "scop/Import.h"
#include "scop/Legality.h"
#include "scop/OwnPolly.h"
#include "scop/RegionLimits.h"
#include "target/Target.h"
#include "verify/Mutate.h"
#include "verify/MutateScop.h"
#include "verify/Repetitions.h"
#include "verify/SaveFailure.h"
#include "verify/VerifyExecute.h"
#include "verify/VerifyModel.h"
#include "verify/VerifyValues.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/Analysis/RegionInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/FileSystem.h"
#include <cstring>

using namespace llvm;

namespace polygpu {

/// A function that nothing is known of.
static const char *const ObstacleName = "polygpu.obstacle";

/// What goes to Polly is bounded beforehand: its own phases have no quota.
static const unsigned MaxStatements = 200, MaxParams = 24, MaxDimensions = 8;

namespace {

/// Owns a context of the core.
struct CoreContext {
  isl_ctx *Ctx = pg_ctx_alloc();
  ~CoreContext() { pg_ctx_free(Ctx); }
};

/// One SCoP on its way.
class ScopOffloader {
public:
  ScopOffloader(polly::Scop &S, const Options &O, Level Until,
                FunctionAnalysisManager &FAM, AAResults &AA, pg_budget &Budget)
      : S(S), O(O), Until(Until), FAM(FAM), AA(AA), Budget(Budget) {}
  ~ScopOffloader() {
    pg_plan_free(Plan);
    pg_scop_free(Source);
    pg_report_clear(&Report);
  }

  std::string Checked; ///< how far the model was held against the program

  /// Go until the level; returns what was in the way.  At the last level the
  /// function has changed if there is no refusal.
  std::optional<Refusal> run();

  /// The SCoP, as far as it came.
  std::string text() const;

  OffloadedScop Done; ///< at the last level
  std::string Mapped; ///< how far the plan was held against the model
  /// Why there is no cubin although there should be one.
  std::string AssemblerProblem;
  bool AssemblerLate = false; ///< ptxas was ended for its time
  /// The refusal came too late: the function is not what it was.
  bool IsSpoilt = false;

private:
  polly::Scop &S;
  const Options &O;
  Level Until;
  FunctionAnalysisManager &FAM;
  AAResults &AA; ///< of accesses of any two iterations
  pg_budget &Budget;
  CoreContext Core;
  ImportedScop Imported;
  pg_plan *Plan = nullptr;
  pg_scop *Source = nullptr; ///< as imported, for verification; or null
  pg_report Report = {0, nullptr};

  std::optional<VerifyModel> Check; ///< of the SCoP as it was built

  std::optional<Refusal> model();
  std::optional<Refusal> import();
  std::string scheduleKey() const;
  std::optional<Refusal> saveSchedule() const;
  /// Kernels are made smaller step by step until they do not spill, and with
  /// fewer threads in a block once if there is only one at a time.
  std::vector<pg_attempt> Attempts;
  bool Final = false; ///< no further step

  pg_options phaseOptions();
  std::optional<Refusal> schedule();
  std::optional<Refusal> plan();
  std::optional<Refusal> plantFaults();
  bool changeAttempts(const std::vector<std::string> &Names, const Images &I);
  std::optional<Refusal> shorten(unsigned K, unsigned Length, bool &Again);
  std::optional<Refusal> makeDeviceCode(DeviceCode &Code, bool &Again);
  std::optional<Refusal> generate(bool &Again);
  std::optional<Refusal> makeImages(const Module &Device,
                                    const std::vector<std::string> &Names,
                                    Images &I);
  std::optional<Refusal> remember(std::unique_ptr<Module> Device,
                                  const std::vector<std::string> &Names);
  std::optional<Refusal> verify();
  Refusal lastReason() const;
  std::string carriedBy() const;
  std::optional<Refusal> printKernels() const;
  void summarise();
  std::optional<Refusal> print(char *Text) const;
};

/// Where the first loop of \p S begins.
DebugLoc startOf(const polly::Scop &S) {
  if (Loop *L = S.getLI()->getLoopFor(S.getEntry()))
    if (DebugLoc Loc = L->getStartLoc())
      return Loc;
  for (const BasicBlock *BB : S.getRegion().blocks())
    if (Loop *L = S.getLI()->getLoopFor(BB))
      if (DebugLoc Loc = L->getStartLoc())
        return Loc;
  return DebugLoc();
}

bool writesScalars(polly::Scop &S) {
  for (polly::ScopStmt &Stmt : S)
    for (polly::MemoryAccess *MA : Stmt)
      if (MA->isWrite() && MA->isLatestScalarKind())
        return true;
  return false;
}

/// Is there a value of one statement that another uses?
bool readsScalars(polly::Scop &S) {
  for (polly::ScopStmt &Stmt : S)
    for (polly::MemoryAccess *MA : Stmt)
      if (MA->isRead() && MA->isLatestScalarKind() && !isReadOnlyScalar(*MA, S))
        return true;
  return false;
}

/// The polyhedral representation, with as few scalars as possible.
std::optional<Refusal> ScopOffloader::model() {
  if (!S.hasFeasibleRuntimeContext())
    return Refusal{"Infeasible",
                   "the assumptions that the analysis needs (no overflow, "
                   "subscripts within rows) can never hold; check the bounds",
                   DebugLoc()};
  if (S.getSize() > MaxStatements || S.getNumParams() > MaxParams)
    return Refusal{"TooLarge",
                   "the loops have " + std::to_string(S.getSize()) +
                       " statements and " + std::to_string(S.getNumParams()) +
                       " parameters, more than the analysis takes (" +
                       std::to_string(MaxStatements) + ", " +
                       std::to_string(MaxParams) + "); split the function",
                   DebugLoc()};
  for (const polly::ScopArrayInfo *SAI : S.arrays())
    if (SAI->getNumberOfDimensions() > MaxDimensions)
      return Refusal{"TooLarge",
                     "an array has more than " + std::to_string(MaxDimensions) +
                         " dimensions; use fewer",
                     DebugLoc()};
  if (auto Why = compareArrays(S, AA))
    return Why;
  if (O.Verify != VerifyLevel::Off) {
    IslErrors Errors(S.getIslCtx().get(), "reading of the model");
    Check.emplace(S);
    if (auto Why = Errors.refuse())
      return Why;
  }
  if (auto Why = separateFields(S))
    return Why;
  polly::runSimplify(S, 0);
  if (readsScalars(S))
    polly::runForwardOpTree(S);
  if (auto Why = refuseIfSpent(Budget))
    return Why;
  if (writesScalars(S))
    polly::runDeLICM(S);
  polly::runSimplify(S, 1);
  if (S.getSize() == 0)
    return Refusal{"Empty", "the loops have no effect; remove them",
                   DebugLoc()};
  plantErrors(S);
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
          Imported))))
    return Why;
  weighStatements(Imported);
  if (DebugLoc Loc = startOf(S))
    Imported.Scop->line = Loc.getLine();
  return std::nullopt;
}

/// The arrays and scalars through which iterations can depend on each other,
/// and what helps.
std::string ScopOffloader::carriedBy() const {
  std::string Text;
  StringSet<> Named;
  const pg_scop &P = *Imported.Scop;
  for (unsigned A = 0; A < P.n_array; ++A) {
    bool Written = false;
    for (unsigned I = 0; I < P.n_stmt; ++I)
      for (unsigned J = 0; J < P.stmts[I].n_access; ++J)
        if (P.stmts[I].accesses[J].array == A)
          Written |= P.stmts[I].accesses[J].write;
    if (StringRef(P.arrays[A].source_name) == "a computed value")
      continue;
    if ((P.arrays[A].kind == PG_ARRAY_PHI || Written) &&
        Named.insert(P.arrays[A].source_name).second)
      Text += (Text.empty() ? "" : ", ") +
              ("'" + std::string(P.arrays[A].source_name)) + "'";
  }
  return (Text.empty() ? "" : " (the loops write " + Text + ")") +
         std::string("; write results to an array that the loop does not read, "
                     "or use one element per iteration instead of one scalar");
}

Refusal ScopOffloader::lastReason() const {
  static const char *const Names[] = {
      "Quota",    "Isl",    "NoParallelism", "MayWrite",   "NotFunction",
      "Schedule", "Bounds", "WrongPlan",     "Unsupported"};
  if (Report.n == 0)
    return {"Unsupported", "the polyhedral core gave no reason", DebugLoc()};
  const pg_reason &R = Report.reasons[Report.n - 1];
  DebugLoc Loc;
  if (R.stmt)
    for (unsigned I = 0; I < Imported.Scop->n_stmt; ++I)
      if (const pg_stmt &T = Imported.Scop->stmts[I];
          StringRef(T.name) == R.stmt && !T.copy)
        for (const Instruction *Inst :
             Imported.Stmts[T.origin]->getInstructions())
          if (!Loc)
            Loc = Inst->getDebugLoc();
  std::string Sentence = R.sentence;
  if (R.code == PG_NO_PARALLELISM)
    Sentence += carriedBy();
  return {Names[R.code], Sentence, Loc};
}

/// How a line for this SCoP begins in a file of schedules.
std::string ScopOffloader::scheduleKey() const {
  const pg_scop &P = *Imported.Scop;
  return std::string(P.function) + " " + std::to_string(P.line) + " ";
}

std::optional<Refusal> ScopOffloader::saveSchedule() const {
  if (O.SaveSchedule.empty())
    return std::nullopt;
  IslErrors Errors(Core.Ctx, "saving of the schedule");
  std::error_code Error;
  raw_fd_ostream File(O.SaveSchedule, Error, sys::fs::OF_Append);
  char *Text = isl_schedule_to_str(Imported.Scop->schedule);
  if (!Error && Text)
    File << scheduleKey() << Text << '\n';
  free(Text);
  return Errors.refuse();
}

pg_options ScopOffloader::phaseOptions() {
  pg_options Options = limitsOfPhase(O);
  Options.budget = &Budget;
  Options.fusion = O.Fusion;
  Options.n_attempt = Attempts.size();
  Options.attempt = Attempts.data();
  Options.measured = O.EmbedCubin && hasAssembler(O);
  return Options;
}

std::optional<Refusal> ScopOffloader::schedule() {
  pg_options Options = phaseOptions();
  std::string Loaded;
  if (auto Why = loadSchedules(O.LoadSchedule, scheduleKey(), Loaded))
    return Why;
  if (!Loaded.empty())
    Options.schedules = Loaded.c_str();
  if (O.Verify != VerifyLevel::Off)
    Source = pg_scop_copy(Imported.Scop);
  if (pg_dependences(Imported.Scop, &Options, &Report) != isl_stat_ok ||
      pg_schedule(Imported.Scop, &Options, &Report) != isl_stat_ok)
    return lastReason();
  return saveSchedule();
}

std::optional<Refusal> ScopOffloader::plan() {
  pg_options Options = phaseOptions();
  auto Build = [&] {
    Plan = pg_map(Imported.Scop, &Options, &Report);
    return Plan && pg_build_ast(Plan, &Options, &Report) == isl_stat_ok;
  };
  // Kernels without buffers are worth more than none.
  pg_budget Part;
  bool First = Options.promote && Attempts.empty();
  if (First) {
    pg_budget_begin_part(&Part, &Budget);
    Options.budget = &Part;
  }
  bool Built = Build();
  if (!Built && First) {
    pg_plan_free(Plan);
    Options.budget = &Budget;
    Options.promote = false;
    Built = Build();
    for (unsigned K = 0; Built && K < Plan->n_kernel; ++K)
      pg_kernel_decline(&Plan->kernels[K], PG_MAPPING_PROMOTED,
                        "the analysis took too long with them");
  }
  if (!Built)
    return lastReason();
  pg_count_all(Plan, &Options);
  return std::nullopt;
}

std::optional<Refusal> ScopOffloader::print(char *Text) const {
  errs() << (Text ? Text : "");
  free(Text);
  return std::nullopt;
}

std::optional<Refusal> ScopOffloader::printKernels() const {
  if (!O.PrintKernels)
    return std::nullopt;
  IslErrors Errors(Core.Ctx, "printing of kernels");
  auto Statement = [](void *User, unsigned Stmt, const char *const *Args,
                      const char *const *Access) -> char * {
    const auto &Imported = *static_cast<const ImportedScop *>(User);
    const pg_stmt &S = Imported.Scop->stmts[Stmt];
    std::string Text = S.copy ? std::string(Access[1]) + " = " + Access[0] + ";"
                              : statementText(Imported, S.origin, Args, Access);
    return Text.empty() ? nullptr : strdup(Text.c_str());
  };
  for (unsigned K = 0; K < Plan->n_kernel; ++K) {
    char *Text = pg_kernel_to_str(Plan, K, Statement,
                                  const_cast<ImportedScop *>(&Imported));
    errs() << (Text ? Text : "");
    free(Text);
  }
  return Errors.refuse();
}

void ScopOffloader::summarise() {
  raw_string_ostream OS(Done.Summary);
  OS << "loops offloaded as " << Plan->n_kernel
     << (Plan->n_kernel == 1 ? " kernel:" : " kernels:");
  for (unsigned I = 0; I < Plan->n_kernel; ++I) {
    const pg_kernel &K = Plan->kernels[I];
    OS << (I ? "; " : " ") << K.name;
    if (!K.parallel) {
      OS << " (one thread)";
      continue;
    }
    OS << " (" << K.n_parallel << " parallel dimension"
       << (K.n_parallel == 1 ? "" : "s") << ", block " << K.mapping->block[0]
       << "x" << K.mapping->block[1] << "x" << K.mapping->block[2];
    if (K.choice)
      OS << ", " << K.choice;
    OS << ")";
  }
}

/// Compile \p Device for every target that was asked for.
std::optional<Refusal>
ScopOffloader::makeImages(const Module &Device,
                          const std::vector<std::string> &Names, Images &I) {
  I.Arch = O.Arch;
  if (!O.PTX)
    return std::nullopt;
  if (auto Why = compileToPTX(Device, Names, O, I.PTX))
    return Why;
  AssemblerProblem.clear();
  if (O.EmbedCubin)
    assemble(I.PTX, Names, O, I.Cubin, I.Spilling, AssemblerProblem,
             AssemblerLate);
  return std::nullopt;
}

/// Is anything to be tried that ptxas's registers ask for?  Of a kernel that
/// was to have two blocks on a multiprocessor and has one, half as large blocks
/// may have room three times.
bool ScopOffloader::changeAttempts(const std::vector<std::string> &Names,
                                   const Images &I) {
  bool Changed = false;
  Attempts.resize(Plan->n_kernel, {0, false});
  for (unsigned K = 0; K < Plan->n_kernel; ++K) {
    const pg_kernel &Kernel = Plan->kernels[K];
    if (!Kernel.mapping->n_buffer || Kernel.mapping->given)
      continue;
    if (is_contained(I.Spilling, Names[K])) {
      ++Attempts[K].smaller;
      Changed = true;
    } else if (Kernel.mapping->min_blocks == 2 && !Attempts[K].narrow &&
               O.Sizes.empty() && blocksAtATime(I.PTX, Names[K]) == 1) {
      Attempts[K].narrow = Changed = true;
    }
  }
  return Changed;
}

/// Keep what is needed to execute the kernels.
std::optional<Refusal>
ScopOffloader::remember(std::unique_ptr<Module> Device,
                        const std::vector<std::string> &Names) {
  IslErrors Errors(Core.Ctx, "printing of the model");
  Done.Device = std::move(Device);
  Done.Kernels = Names;
  char *Text = pg_scop_to_str(Imported.Scop);
  Done.Text = Text ? Text : "";
  free(Text);
  return Errors.refuse();
}

std::string ScopOffloader::text() const {
  std::string Result;
  raw_string_ostream OS(Result);
  char *Text = Source ? pg_scop_to_str(Source) : nullptr;
  OS << (Text ? Text : "") << '\n';
  free(Text);
  S.print(OS, true);
  return Result;
}

/// What scripts/mutate asks for.  The check follows at once, since some of
/// these plans would not get through code generation.
std::optional<Refusal> ScopOffloader::plantFaults() {
  if (!isMutating())
    return std::nullopt;
  static_assert(static_cast<int>(Mutation::Move) -
                    static_cast<int>(Mutation::Domain) ==
                PG_PLANT_MOVE - PG_PLANT_DOMAIN);
  auto Chosen = [](pg_plant_kind Kind, const char *Where, void *) {
    return isMutated(
        static_cast<Mutation>(static_cast<int>(Mutation::Domain) + Kind),
        Where);
  };
  pg_options Options = phaseOptions();
  if (pg_plant(Plan, Chosen, nullptr, &Options, &Report) != isl_stat_ok)
    return lastReason();
  return verify();
}

/// Hold the plan against the SCoP by executing both in small.
std::optional<Refusal> ScopOffloader::verify() {
  if (O.Verify == VerifyLevel::Off)
    return std::nullopt;
  VerifyValues Values(S, Imported, *Source, *Check);
  auto Why = Values.run();
  Checked += "; " + Values.coverage();
  if (Why)
    return Why;
  bool IsVariant = (Source->n_stmt != Plan->scop->n_stmt ||
                    Source->n_array != Plan->scop->n_array);
  pg_coverage C;
  if (pg_verify(Plan, IsVariant ? Source : nullptr, &C, &Report) != isl_stat_ok)
    return lastReason();
  raw_string_ostream OS(Mapped);
  OS << "mapping executed in small: " << C.n_kernel_run << " of " << C.n_kernel
     << " kernels, completely for " << C.complete << " sizes and in part for "
     << C.sampled << ", " << C.blocks_run << " of " << C.blocks << " blocks, "
     << C.instances << " statement instances; indices evaluated for "
     << C.ranges << " largest sizes";
  if (C.too_large)
    OS << "; not executed: " << C.too_large << " sizes";
  return std::nullopt;
}

/// Kernel \p K has too much code: it is to have fewer points, unless that is
/// the user's choice.
std::optional<Refusal> ScopOffloader::shorten(unsigned K, unsigned Length,
                                              bool &Again) {
  const pg_kernel &Kernel = Plan->kernels[K];
  Again = !Final && Kernel.mapping->n_buffer && !Kernel.mapping->given;
  if (!Again)
    return refuseLength(*Plan, K, Length);
  Attempts.resize(Plan->n_kernel, {0, false});
  ++Attempts[K].smaller;
  return std::nullopt;
}

/// Generate the kernels, and see whether the host's code can be made; or it is
/// to be done "Again" with smaller ones.
std::optional<Refusal> ScopOffloader::makeDeviceCode(DeviceCode &Code,
                                                     bool &Again) {
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

/// Generate code; nothing is changed yet if it is to be done "Again" with other
/// kernels.
std::optional<Refusal> ScopOffloader::generate(bool &Again) {
  DeviceCode Code;
  if (auto Why = makeDeviceCode(Code, Again); Why || Again)
    return Why;
  if (Until == Level::Kernels) {
    auto Why = printKernels();
    errs() << *Code.Module;
    return Why;
  }
  if (auto Why = refuseIfSpent(Budget); Why && Attempts.empty())
    return Why;
  std::vector<std::string> Names;
  for (unsigned K = 0; K < Plan->n_kernel; ++K)
    Names.push_back(Plan->kernels[K].name);
  carryLoads(*Code.Module);
  unsigned Length;
  if (auto Long = findTooLong(
          *Plan, measureKernels(*Code.Module, MaxKernelLength), Length))
    return shorten(*Long, Length, Again);
  Images I;
  if (auto Why = makeImages(*Code.Module, Names, I))
    return Why;
  Again = !Final && changeAttempts(Names, I);
  if (Again)
    return std::nullopt;
  if (auto Why = printKernels())
    return Why;
  if (Until == Level::PTX) {
    errs() << I.PTX;
    return std::nullopt;
  }
  if (!isMutating())
    if (auto Why = verify())
      return Why;
  Function &F = S.getFunction();
  I.Checked = O.Checked;
  bool Execute = O.Verify == VerifyLevel::Execute;
  if (O.Emulated || Execute)
    simplifyKernels(*Code.Module);
  if (O.Emulated)
    I.Emulated = emulate(*Code.Module, Names, *F.getParent(), F, O.Checked);
  auto Why = generateHost(S, Imported, *Plan, Code, I, FAM, Done.Descriptor);
  summarise();
  if (!Why && Execute)
    Why = remember(std::move(Code.Module), Names);
  IsSpoilt = Why.has_value();
  return Why;
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
  for (bool Again = true; Again;) {
    pg_plan *Before = Plan;
    Plan = nullptr;
    Again = false;
    if (auto Why = plan()) {
      if (!Before)
        return Why;
      // Nothing is left for another attempt; kernels that spill are right too.
      pg_plan_free(Plan);
      Plan = Before;
      Final = true;
    } else {
      pg_plan_free(Before);
      if (auto Why = plantFaults())
        return Why;
    }
    if (Until == Level::Mapping)
      return print(pg_plan_to_str(Plan));
    if (auto Why = generate(Again))
      return Why;
  }
  return std::nullopt;
}

//===-- Functions ---------------------------------------------------------===//

/// All SCoPs of one function.
class FunctionOffloader {
public:
  FunctionOffloader(Function &F, const Options &O, Level Until,
                    FunctionAnalysisManager &FAM, Remarks &R, pg_budget *Outer)
      : F(F), O(O), Until(Until), FAM(FAM), R(R) {
    beginFunction(Budget, O, Outer);
  }

  /// Returns the changed copy of the function, or null.
  Function *run();

  std::vector<OffloadedScop> Scops; ///< of the copy

private:
  Function &F;
  const Options &O;
  Level Until;
  FunctionAnalysisManager &FAM;
  Remarks &R;
  pg_budget Budget;
  Function *Copy = nullptr;
  std::optional<AccessTypes> Types;              ///< of the copy
  DenseMap<const BasicBlock *, Refusal> Refused; ///< by entry of the region
  /// Blocks of offloaded SCoPs: the original loops and what was generated.
  DenseSet<const BasicBlock *> Offloaded;
  /// Why the copy is not to be kept, whatever was offloaded in it.
  std::optional<Refusal> Spoilt;
  /// Calls in front of instructions that refused a SCoP.  Polly joins
  /// neighbouring loops; the calls make it part them, so that one loop does
  /// not keep the others from being offloaded.  Removed at the end.
  std::vector<std::pair<CallInst *, Refusal>> Obstacles;

  /// Why loops were no SCoPs at the first look, by header: later the calls of
  /// the runtime would be the reason.
  DenseMap<const BasicBlock *, Refusal> FirstLook;

  void lookFirst();
  bool offloadNext(bool &Changed);
  void addObstacle(const Refusal &Why);
  void removeObstacles();
  void explainRest();
  void explainAll();
  void explain(const Loop &L, const LoopInfo &LI, RegionInfo &RI,
               const polly::ScopDetection &SD);
};

struct Detection {
  ScalarEvolution &SE;
  LoopInfo &LI;
  DominatorTree &DT;
  RegionInfo &RI;
  AnyIterationAA AnyIteration;
  AAResults AA;
  AssumptionCache &AC;
  OptimizationRemarkEmitter ORE;
  polly::ScopDetection SD;

  Detection(Function &F, FunctionAnalysisManager &FAM)
      : SE(FAM.getResult<ScalarEvolutionAnalysis>(F)),
        LI(FAM.getResult<LoopAnalysis>(F)),
        DT(FAM.getResult<DominatorTreeAnalysis>(F)),
        RI(FAM.getResult<RegionInfoAnalysis>(F)),
        AnyIteration(FAM.getResult<AAManager>(F)),
        AA(FAM.getResult<TargetLibraryAnalysis>(F)),
        AC(FAM.getResult<AssumptionAnalysis>(F)), ORE(&F),
        SD(DT, SE, LI, RI, AA, ORE) {
    AA.addAAResult(AnyIteration);
    SD.detect(F);
  }

  /// The builder must be gone before the SCoP, which owns the isl context.
  std::unique_ptr<polly::Scop> build(Region *R) {
    // Verifies the region again, and has the side effect that one made by
    // joining neighbours gets the context that the builder needs.
    if (!SD.isMaxRegionInScop(*R))
      return nullptr;
    refineSubscripts(SD, *R, LI, SE);
    return polly::ScopBuilder(R, AC, AA,
                              R->getEntry()->getModule()->getDataLayout(), DT,
                              LI, SD, SE, ORE)
        .getScop();
  }
};

/// Why Polly makes no SCoP of a region that its detection took.
Refusal explainUnmodelled(const polly::ScopDetection &SD, const Region &R) {
  if (const auto *Context = SD.getDetectionContext(&R))
    for (LoadInst *Load : Context->RequiredILS) {
      std::string What = "'" + sourceName(Load->getPointerOperand()) + "'";
      return {"InvariantLoad",
              "a pointer, bound or subscript is read from " + What + " in " +
                  describeLine(Load->getDebugLoc(), *Load->getFunction()) +
                  " again in each iteration, and a store in the loop could "
                  "change it; copy it into a local variable before the loop, "
                  "and use one contiguous array instead of an array of "
                  "pointers",
              Load->getDebugLoc(), Load};
    }
  return {"NotModelled",
          "the loops could not be modelled: they have no effect, or the "
          "conditions under which they are regular are too complex; simplify "
          "bounds and subscripts",
          DebugLoc()};
}

/// Find a SCoP that was not refused yet and offload it.  Returns false when
/// there is none left, or the copy is spoilt.
bool FunctionOffloader::offloadNext(bool &Changed) {
  Detection D(*Copy, FAM);
  for (const Region *ConstR : D.SD) {
    auto *Found = const_cast<Region *>(ConstR);
    if (Refused.count(Found->getEntry()) || Offloaded.count(Found->getEntry()))
      continue;
    bool HasLoop = any_of(Found->blocks(), [&](const BasicBlock *BB) {
      const Loop *L = D.LI.getLoopFor(BB);
      return L && Found->contains(L);
    });
    Refusal Why{"", "", DebugLoc()};
    if (!HasLoop) {
      Refused[Found->getEntry()] = Why;
      continue;
    }
    if (auto TooLarge = refuseTooLarge(*Found, D.LI, D.DT)) {
      Refused[Found->getEntry()] = *TooLarge;
      continue;
    }
    if (auto Spent = refuseIfSpent(Budget)) {
      Refused[Found->getEntry()] = *Spent;
      continue;
    }
    pg_budget ScopBudget;
    beginScop(ScopBudget, O, &Budget);
    std::unique_ptr<polly::Scop> S = D.build(Found);
    if (!S) {
      // Loads in front of the loops only have to stay out of the SCoP.
      Why = explainUnmodelled(D.SD, *Found);
      const Loop *L = Why.At ? D.LI.getLoopFor(Why.At->getParent()) : nullptr;
      if (Why.At && !(L && Found->contains(L))) {
        addObstacle(Why);
        return true;
      }
      Why.At = nullptr;
      Refused[Found->getEntry()] = Why;
      continue;
    }
    DebugLoc Start = startOf(*S);
    SmallVector<BasicBlock *, 32> Original(Found->blocks());
    DenseSet<const BasicBlock *> Before;
    for (const BasicBlock &BB : *Copy)
      Before.insert(&BB);
    // Has to be gone before the SCoP.
    std::optional<ScopOffloader> Offloader(std::in_place, *S, O, Until, FAM,
                                           D.AA, ScopBudget);
    std::optional<Refusal> Result = Offloader->run();
    if (!Result && !Offloader->AssemblerProblem.empty())
      R.warnAssembler(F, Offloader->AssemblerProblem);
    std::string After = std::to_string(O.Seconds) + " seconds";
    if (!Result && ScopBudget.late)
      R.dependsOnMachine(F, Start,
                         "a part of the analysis was given up after " + After);
    if (!Result && Offloader->AssemblerLate)
      R.dependsOnMachine(F, Start, "ptxas was ended after " + After);
    if (!Offloader->Checked.empty() && Until == Level::Offload)
      R.checked(F, Start, Offloader->Checked);
    if (Offloader->IsSpoilt) {
      Spoilt = Result;
      return false;
    }
    if (Result && isOwnError(*Result) && !O.SaveFailures.empty())
      saveFailure(O.SaveFailures, F, Start, *Result, Offloader->text());
    if (Result || Until != Level::Offload) {
      Refused[Found->getEntry()] = Result.value_or(Why);
      if (Result && Result->At && Until == Level::Offload) {
        Refused.erase(Found->getEntry());
        Offloader.reset();
        S.reset();
        addObstacle(*Result);
        return true;
      }
      continue;
    }
    if (!Offloader->Mapped.empty())
      R.checked(F, Start, Offloader->Mapped);
    Offloader->Done.Start = Start;
    Scops.push_back(std::move(Offloader->Done));
    Changed = true;
    forgetExits(Original);
    Offloaded.insert(Original.begin(), Original.end());
    for (const BasicBlock &BB : *Copy)
      if (!Before.count(&BB))
        Offloaded.insert(&BB);
    Offloader.reset();
    S.reset();
    FAM.invalidate(*Copy, PreservedAnalyses::none());
    return true;
  }
  return false;
}

void FunctionOffloader::lookFirst() {
  Detection D(*Copy, FAM);
  for (const Loop *L : D.LI.getLoopsInPreorder())
    if (none_of(D.SD, [&](const Region *R) { return R->contains(L); }))
      FirstLook[L->getHeader()] = explainRejection(*L, D.LI, D.RI, D.SD);
}

void FunctionOffloader::addObstacle(const Refusal &Why) {
  BasicBlock *BB = Why.At->getParent();
  FunctionCallee Callee = Copy->getParent()->getOrInsertFunction(
      ObstacleName, Type::getVoidTy(Copy->getContext()));
  BasicBlock::iterator Where =
      isa<PHINode>(Why.At) ? BB->getFirstInsertionPt() : Why.At->getIterator();
  auto *Call = CallInst::Create(Callee, "", Where);
  Call->setDebugLoc(Why.At->getDebugLoc());
  Obstacles.push_back({Call, Why});
  FAM.invalidate(*Copy, PreservedAnalyses::none());
}

void FunctionOffloader::removeObstacles() {
  for (auto &[Call, Why] : Obstacles)
    Call->eraseFromParent();
  if (Function *F = Copy->getParent()->getFunction(ObstacleName))
    F->eraseFromParent();
  Obstacles.clear();
  FAM.invalidate(*Copy, PreservedAnalyses::none());
}

void FunctionOffloader::explain(const Loop &L, const LoopInfo &LI,
                                RegionInfo &RI,
                                const polly::ScopDetection &SD) {
  DebugLoc Loc = L.getStartLoc();
  // A SCoP that was looked at: its own reason.
  for (const Region *Found : SD) {
    auto It = Refused.find(Found->getEntry());
    if (It == Refused.end() || !Found->contains(&L))
      continue;
    if (!It->second.Sentence.empty())
      R.missed(F, Loc, It->second);
    return;
  }
  const Refusal *Known = nullptr;
  for (const auto &[Call, Why] : Obstacles)
    if (!Known && L.contains(Call->getParent()))
      Known = &Why;
  if (auto It = FirstLook.find(L.getHeader()); !Known && It != FirstLook.end())
    Known = &It->second;
  // Else it is a part of a SCoP that was offloaded.
  if (Known)
    R.missed(F, Loc, *Known);
  // Loops inside may be SCoPs, with reasons of their own.
  for (const Loop *Sub : L.getSubLoops())
    for (const Region *Found : SD)
      if (!Offloaded.count(Sub->getHeader()) && Found->contains(Sub)) {
        explain(*Sub, LI, RI, SD);
        break;
      }
}

/// One remark for each loop nest that stays on the host.
void FunctionOffloader::explainRest() {
  Detection D(*Copy, FAM);
  for (const Loop *L : reverse(D.LI.getTopLevelLoops()))
    if (!all_of(L->blocks(),
                [&](const BasicBlock *BB) { return Offloaded.count(BB) != 0; }))
      explain(*L, D.LI, D.RI, D.SD);
}

/// A remark for each loop nest, unless what is offloaded is to be executed
/// before one says so.
void FunctionOffloader::explainAll() {
  if (O.Verify != VerifyLevel::Execute)
    for (const OffloadedScop &Scop : Scops)
      R.offloaded(F, Scop.Start, Scop.Summary);
  explainRest();
}

Function *FunctionOffloader::run() {
  MathErrno Errno(O.MathErrno);
  Copy = makeCopy(F, Errno, FAM);
  // From here on order is at stake; loads have been hoisted.
  Types.emplace(*Copy);
  bool Changed = false;
  lookFirst();
  while (offloadNext(Changed))
    ;
  if (Spoilt)
    refuseLoops(F, *Spoilt, R);
  else if (Until == Level::Offload)
    explainAll();
  removeObstacles();
  revealValues(*Copy);
  Types->restore();
  Errno.restore(*Copy);
  if (Changed && !Spoilt)
    return Copy;
  dropCopy(Copy, FAM);
  return nullptr;
}

} // namespace

//===-- The module --------------------------------------------------------===//

/// A symbol of the module that has one of our names, or "".  Calls of these
/// names are added, looked for and removed again.
static std::string nameInTheWay(const Module &M) {
  for (const GlobalValue &G : M.global_values())
    for (const char *Name :
         {ObstacleName, ThreadIdName, BlockIdName, BarrierName})
      if (G.getName() == Name || G.getName().starts_with(HiddenPrefix) ||
          G.getName() == HiddenPointerName)
        return G.getName().str();
  return misusedRuntimeName(M);
}

static std::optional<Refusal> refuseModule(const Module &M) {
  // The runtime is an ordinary library, and its pointers are ordinary ones.
  const DataLayout &DL = M.getDataLayout();
  if (DL.getAllocaAddrSpace() || DL.getProgramAddressSpace() ||
      DL.getDefaultGlobalsAddressSpace())
    return Refusal{"Host",
                   "the program is for a machine that keeps local variables, "
                   "globals or functions in address spaces of their own, like "
                   "a GPU; compile it for the host",
                   DebugLoc()};
  if (std::string Name = nameInTheWay(M); !Name.empty())
    return Refusal{"Name",
                   "the program has a symbol '" + Name +
                       "', a name that offloaded loops need; rename it",
                   DebugLoc()};
  return std::nullopt;
}

static Refusal refuseProcessed() {
  return {"CallsRuntime",
          "the function calls PolyGPU's runtime itself, or holds offloaded "
          "loops of an earlier run of the pass; move its other loops into a "
          "function of their own",
          DebugLoc()};
}

PreservedAnalyses GpuPolyhedralPass::run(Module &M,
                                         ModuleAnalysisManager &MAM) {
  SmallVector<Function *, 16> Functions;
  Remarks R;
  for (Function &F : M) {
    if (F.isDeclaration() || isMarked(F) || !hasLoops(F))
      continue;
    if (!isProcessed(F))
      Functions.push_back(&F);
    else if (Until == Level::Offload)
      refuseLoops(F, refuseProcessed(), R);
  }
  if (Functions.empty())
    return PreservedAnalyses::all();
  std::optional<Options> O = getOptions(M.getContext());
  if (!O)
    return PreservedAnalyses::all();

  auto &FAM = MAM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
  if (std::optional<Refusal> Why = refuseModule(M)) {
    if (Until == Level::Offload)
      for (Function *F : Functions)
        refuseLoops(*F, *Why, R);
    return PreservedAnalyses::all();
  }
  setPollyOptions();
  ModuleSnapshot Snapshot(M);
  std::vector<OffloadedFunction> Pending;
  unsigned Exits = 0;
  pg_budget Budget;
  beginModule(Budget, *O, Functions.size());
  SmallPtrSet<const Function *, 4> Unduplicable = findUnduplicable(M);
  for (Function *F : Functions) {
    std::optional<Refusal> Why = refuseFunction(*F);
    if (!Why && Unduplicable.count(F))
      Why = refuseUnduplicable();
    if (!Why)
      Why = refuseIfSpent(Budget);
    if (Why) {
      if (Until == Level::Offload)
        refuseLoops(*F, *Why, R);
      continue;
    }
    if (O->Verify == VerifyLevel::Execute)
      numberExits(*F, Exits);
    FunctionOffloader Offloader(*F, *O, Until, FAM, R, &Budget);
    if (Function *Copy = Offloader.run())
      Pending.push_back({F, Copy, std::move(Offloader.Scops)});
  }
  if (O->Verify == VerifyLevel::Execute) {
    verifyExecution(M, Pending, *O, R, FAM);
    forgetExits(M);
  }
  for (OffloadedFunction &Offloaded : Pending)
    commitCopy(*Offloaded.F, Offloaded.Copy, FAM);
  if (Pending.empty())
    return Snapshot.restore() ? PreservedAnalyses::all()
                              : PreservedAnalyses::none();
  Snapshot.removeUnused();
  return PreservedAnalyses::none();
}

} // namespace polygpu
