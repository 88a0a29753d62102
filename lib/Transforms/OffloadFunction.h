//===- OffloadFunction.h - All SCoPs of one function ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_OFFLOADFUNCTION_H
#define POLYGPU_OFFLOADFUNCTION_H

#include "Level.h"
#include "Options.h"
#include "adaptor/AccessTypes.h"
#include "adaptor/Obstacles.h"
#include "verify/VerifyExecute.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace polygpu {

struct Detection;
class ScopOffloader;

/// All SCoPs of one function.
class FunctionOffloader {
public:
  FunctionOffloader(llvm::Function &F, const Options &O, Level Until,
                    llvm::FunctionAnalysisManager &FAM, Remarks &R,
                    pg_budget *Outer);

  /// Returns the changed copy of the function, or null.
  llvm::Function *run();

  std::vector<OffloadedScop> Scops; ///< of the copy

private:
  llvm::Function &F;
  const Options &O;
  Level Until;
  llvm::FunctionAnalysisManager &FAM;
  Remarks &R;
  pg_budget Budget;
  llvm::Function *Copy = nullptr;
  std::optional<AccessTypes> Types;                          ///< of the copy
  llvm::DenseMap<const llvm::BasicBlock *, Refusal> Refused; ///< by entry
  /// Blocks of offloaded SCoPs: the original loops and what was generated.
  llvm::DenseSet<const llvm::BasicBlock *> Offloaded;
  /// Why the copy is not to be kept, whatever was offloaded in it.
  std::optional<Refusal> Spoilt;
  Obstacles Parting;

  /// Why loops were no SCoPs at the first look, by header: later the calls of
  /// the runtime would be the reason.
  llvm::DenseMap<const llvm::BasicBlock *, Refusal> FirstLook;

  void lookFirst();

  // From region to region.
  bool offloadNext();
  bool isSettled(const llvm::Region &Found) const;
  std::optional<Refusal> refuseRegion(const llvm::Region &Found,
                                      Detection &D) const;
  std::optional<Refusal> offload(llvm::Region &Found, Detection &D);
  void report(const ScopOffloader &Offloader, const llvm::DebugLoc &Start,
              bool Late, const std::optional<Refusal> &Why);

  // Remarks about loops.
  using LoopRefusal = std::pair<llvm::DebugLoc, Refusal>; ///< of a loop there
  void explainAll();
  void explainRest();
  bool isOffloaded(const llvm::Loop &L) const;
  std::optional<Refusal> reasonFor(const llvm::Loop &L,
                                   const Detection &D) const;
  void explainInside(const llvm::Loop &L, const Detection &D,
                     std::vector<LoopRefusal> &List) const;
};

} // namespace polygpu

#endif
