//===- OffloadFunction.h - All SCoPs of one function ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_OFFLOADFUNCTION_H
#define POLYGPU_OFFLOADFUNCTION_H

#include "Level.h"
#include "Options.h"
#include "SpentNests.h"
#include "adaptor/AccessTypes.h"
#include "adaptor/Obstacles.h"
#include "prepare/HoistLoads.h"
#include "prepare/IndirectReads.h"
#include "prepare/Inliner.h"
#include "prepare/MathErrno.h"
#include "prepare/Predicate.h"
#include "prepare/SinkConditions.h"
#include "prepare/Versions.h"
#include "verify/VerifyExecute.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace polygpu {

struct Detection;
class ScopOffloader;

/// All SCoPs of one function.
class FunctionOffloader {
public:
  /// Has all been done for the loops of a function that can be, so that they
  /// need no look where a call of it is inlined?
  using Settled = llvm::function_ref<bool(const llvm::Function &)>;

  FunctionOffloader(llvm::Function &F, const Options &O, Level Until,
                    llvm::FunctionAnalysisManager &FAM, Remarks &R,
                    pg_budget *Outer, SpentNests &Spent, Settled IsSettled);

  /// Returns the changed copy of the function, or null.
  llvm::Function *run();

  /// Would a caller that knows more of the loops gain nothing?  Of those that
  /// were refused only operations and dependences are in the way.
  bool isSettled() const;

  std::vector<OffloadedScop> Scops; ///< of the copy

private:
  llvm::Function &F;
  const Options &O;
  Level Until;
  llvm::FunctionAnalysisManager &FAM;
  Remarks &R;
  pg_budget *Outer; ///< of the module
  pg_budget Budget;
  SpentNests &Spent;
  Settled IsSettled;
  llvm::Function *Copy = nullptr;
  std::optional<AccessTypes> Types;                          ///< of the copy
  llvm::DenseMap<const llvm::BasicBlock *, Refusal> Refused; ///< by entry
  /// Blocks of offloaded SCoPs: the original loops and what was generated.
  llvm::DenseSet<const llvm::BasicBlock *> Offloaded;
  /// Why the copy is not to be kept, whatever was offloaded in it.
  std::optional<Refusal> Spoilt;
  Predication Guarded;
  IndirectReads Indirect;
  SunkConditions Sunk;
  /// Entries of regions whose rows are to be apart.
  llvm::DenseSet<const llvm::BasicBlock *> RowsApart;
  /// Entries of regions whose records of -gpu-tuning do not fit.
  llvm::DenseSet<const llvm::BasicBlock *> Untuned;
  bool LookAgain = false; ///< at the one that was looked at last
  /// Blocks whose stores have operations of their own, as far as they may.
  llvm::DenseSet<const llvm::BasicBlock *> Unshared;
  /// Headers of loops that have in memory what they hand on.
  llvm::DenseSet<const llvm::BasicBlock *> HandingOn, Prefixes;
  /// Headers of loops of which sums and stores are parted.
  llvm::DenseSet<const llvm::BasicBlock *> MovedSums;
  /// Of the SCoP that was looked at last.
  llvm::SmallVector<DataCondition, 8> Conditions;
  Obstacles Parting;
  VersionSet Versions;
  bool IsParted = false; ///< something is in the way of loops
  /// A callee is kept of which callers of the function may know more.
  bool KeepsUnsettled = false;
  /// Callees that loops with indirect reads are a SCoP with.
  llvm::SmallPtrSet<const llvm::Function *, 4> WithReads;

  /// Why loops were no SCoPs at the first look, by header: later the calls of
  /// the runtime would be the reason.
  llvm::DenseMap<const llvm::BasicBlock *, Refusal> FirstLook;
  llvm::DenseSet<const llvm::BasicBlock *> InnermostAtFirst; ///< headers

  /// Why loops that were calls for a while are loops again.
  std::vector<std::pair<llvm::DebugLoc, Refusal>> Restored;

  void lookAt(InlinedNests &Nests) const;
  KeptCalls findSeparate(InlinedNests &Nests, bool &Anew);
  void prepare(std::optional<MathErrno> &Errno);
  bool chooseVersions(VersionChoice &Choice);
  void lookFirst();

  // From region to region.
  bool offloadNext();
  bool isTooMuch(const Refusal &Why) const;
  bool canPartInside(const Refusal &Why) const;
  llvm::SmallVector<llvm::Region *, 8> openRegions(const Detection &D) const;
  std::optional<Refusal> refuseRegion(const llvm::Region &Found, Detection &D);
  std::optional<Refusal> partIfShort(const llvm::Region &Found,
                                     const Detection &D);
  std::optional<Refusal> partAlternatives(const llvm::Region &Found,
                                          const Detection &D);
  void noteSerial(const llvm::Region &Found, const Detection &D,
                  const Refusal &Why);
  std::optional<Refusal> offloadUnlessSpent(llvm::Region &Found, Detection &D,
                                            bool IsLast);
  bool restoreReads(const llvm::Region &R, const llvm::LoopInfo &LI,
                    const Refusal &Why);
  bool restoreConditions(const llvm::Region &R, const llvm::LoopInfo &LI,
                         const Refusal &Why);
  std::optional<Refusal> offload(llvm::Region &Found, Detection &D,
                                 pg_budget &ScopBudget, bool IsSerial);
  bool doWithoutRecord(const llvm::Region &Found,
                       const ScopOffloader &Offloader,
                       const llvm::DebugLoc &Start, const Refusal &Why);
  bool predicate(Refusal &Why);
  bool splitSums(const llvm::Region &R, const llvm::LoopInfo &LI);
  bool moveCarriedSums(llvm::ArrayRef<llvm::Loop *> Nests);
  bool handOn(const llvm::Region &R, const llvm::LoopInfo &LI);
  bool mayHavePrefixes(const llvm::Region &R, Detection &D);
  bool prefixSums(const llvm::Region &R, Detection &D);
  bool splitShared(const llvm::Region &R);
  void report(const ScopOffloader &Offloader, const llvm::DebugLoc &Start,
              bool Late, const std::optional<Refusal> &Why);

  std::optional<Refusal> refuseInvalid() const;

  // Remarks about loops.
  using LoopRefusal = std::pair<llvm::DebugLoc, Refusal>; ///< of a loop there
  void tellAll(llvm::ArrayRef<LoopRefusal> Rest);
  std::vector<LoopRefusal> explainRest() const;
  bool isOffloaded(const llvm::Loop &L) const;
  std::optional<Refusal> reasonFor(const llvm::Loop &L,
                                   const Detection &D) const;
  void explainInside(const llvm::Loop &L, const Detection &D,
                     std::vector<LoopRefusal> &List) const;
};

} // namespace polygpu

#endif
