//===- OffloadScop.h - One SCoP from the model to host code --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_OFFLOADSCOP_H
#define POLYGPU_OFFLOADSCOP_H

#include "KernelAttempts.h"
#include "Level.h"
#include "Reasons.h"
#include "host/Host.h"
#include "prepare/Versions.h"
#include "verify/VerifyExecute.h"
#include "verify/VerifyModel.h"

namespace polygpu {

/// Owns a context of the core.
struct CoreContext {
  isl_ctx *Ctx = pg_ctx_alloc();
  ~CoreContext() { pg_ctx_free(Ctx); }
};

/// One SCoP on its way.
class ScopOffloader {
public:
  ScopOffloader(polly::Scop &S, const Options &O, Level Until,
                llvm::FunctionAnalysisManager &FAM, llvm::AAResults &AA,
                pg_budget &Budget, const Predication &Guarded,
                const LoopVersion *Version)
      : S(S), O(O), Until(Until), FAM(FAM), AA(AA), Budget(Budget),
        Version(Version) {
    Imported.Guarded = &Guarded;
  }
  ~ScopOffloader();

  /// Go until the level; returns what was in the way.  At the last level the
  /// function has changed if there is no refusal.
  std::optional<Refusal> run();

  /// The SCoP, as far as it came.
  std::string text() const;

  bool IsUntuned = false; ///< without a record of -gpu-tuning
  bool IsSerial = false;  ///< a copy of the loops had nothing parallel
  /// Of what loops update and use the core may find all values at once, once
  /// that is in memory.
  bool MayHavePrefixes = false;
  std::string NotTaken; ///< why sizes that were given were not taken

  OffloadedScop Done;  ///< at the last level
  std::string Checked; ///< how far the model was held against the program
  std::string Mapped;  ///< how far plans were held against the model
  /// Why there is no cubin although there should be one.
  std::string AssemblerProblem;
  bool AssemblerLate = false; ///< ptxas was ended for its time
  std::string Hash;           ///< of the SCoP, where there is use for it
  const TuningRecord *Tuned = nullptr; ///< that is kept to, or null
  /// Records for some sizes that are not taken, and why.
  std::vector<std::pair<const TuningRecord *, std::string>> Misfits;
  /// The refusal came too late: the function is not what it was.
  bool IsSpoilt = false;

private:
  polly::Scop &S;
  const Options &O;
  Level Until;
  llvm::FunctionAnalysisManager &FAM;
  llvm::AAResults &AA; ///< of accesses of any two iterations
  pg_budget &Budget;
  const LoopVersion *Version; ///< that the loops are of, or null
  CoreContext Core;
  std::optional<VerifyModel> Check; ///< of the SCoP as it was built
  const Options *Now = &O;    ///< with the architecture that is planned for
  pg_budget *Purse = &Budget; ///< that this draws from
  HarmlessOverlaps Harmless;  ///< arrays that may be the same, and the like
  ImportedScop Imported;
  pg_scop *OnThreads = nullptr;  ///< as imported, for threads; or null
  pg_scop *WithCopies = nullptr; ///< the same with arrays of threads, or null
  ThreadKernels Threads;         ///< with an owned plan
  std::string Threaded;          ///< what runs on them, or why nothing does
  pg_scop *Source = nullptr;     ///< as imported, for verification; or null
  std::string Before;            ///< the order of the source, for the record
  pg_plan *Plan = nullptr;       ///< the one that is being made
  std::vector<PlannedKernels> Planned; ///< those that are, with owned plans
  size_t First = 0; ///< of these, of the variant that is planned
  const TuningRecord *Sized = nullptr; ///< for what sizes, or null: for all
  pg_report Report = {0, nullptr};
  KernelAttempts Attempts;
  std::vector<std::string> NotPrinted; ///< as CUDA, and why

  // Once for the SCoP.
  std::optional<Refusal> model();
  std::optional<Refusal> import();
  void findRecord();
  std::optional<Refusal> schedule();

  // For sizes.
  std::optional<Refusal> planAll();
  std::optional<Refusal> planVariants();
  std::optional<Refusal> planVariant(const TuningRecord &R, std::string &Why);
  std::string whyNoVariant(const TuningRecord &R) const;
  unsigned variantNumber() const;

  // For the architectures.
  std::optional<Refusal> planArchitectures();
  std::optional<Refusal> planKernels();
  bool readsModules() const;
  bool reuseText();
  std::optional<Refusal> planOlder(std::string &Problem);
  std::optional<Refusal> planAgain(const Options &For, std::string &Problem);

  std::optional<Refusal> refuseMisfit() const;
  // For threads of the CPU.
  std::optional<Refusal> planThreads();
  std::optional<Refusal> makeThreadKernels();
  bool planWithCopies(const pg_options &Options);
  void makePieces();
  const pg_array *copiedOnDevice() const;

  // For each attempt; it may ask to be made "Again" with other kernels.
  std::optional<Refusal> planAnew();
  std::optional<Refusal> plan();
  std::optional<Refusal> plantFaults();
  std::optional<Refusal> generate(bool &Again, bool IsVerified = false);
  bool hasSizes() const;
  std::optional<Refusal> makeDeviceCode(DeviceCode &Code, bool &Again);
  std::optional<Refusal> limitLength(const DeviceCode &Code, bool &Again);
  std::optional<Refusal> shorten(unsigned K, unsigned Length, bool &Again);
  std::optional<Refusal> makeImages(const DeviceCode &Code, Images &I);

  // For the last one.
  std::optional<Refusal> finish(DeviceCode &Code, Images &I, bool IsVerified);
  std::optional<Refusal> verify();
  std::optional<Refusal> verifyPlan();

  // Once all is planned.
  void describe(const SizeAssumptions &Sizes);
  void describeVariants();
  const PlannedKernels &newest() const;
  void recordFacts();
  void log() const;
  void chooseKept();
  void keepCode();
  std::optional<Refusal> makeHostCode();
  std::optional<Refusal> remember();

  pg_options phaseOptions();
  Refusal reason() const { return lastReason(Report, Imported); }
  std::optional<Refusal> print(char *Text) const;
  std::optional<Refusal> printText(const pg_plan &Kernels, const Options &For,
                                   const TuningRecord *Record = nullptr);
  std::optional<Refusal> printTexts();
  void printCuda();
};

} // namespace polygpu

#endif
