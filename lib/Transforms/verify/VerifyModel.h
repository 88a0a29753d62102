//===- VerifyModel.h - Polly's SCoP against the program ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The loops are executed in small (Interpreter.h) for chosen values of what
/// they depend on, and the SCoP as Polly built it is held against what
/// happens: which statements run in which iterations, in which order, and
/// which bytes they access.  Nothing is claimed where the run-time condition
/// does not hold or the program's behaviour is undefined.  Where the model is
/// wrong for negative parameters, as Polly's are for some loops that count
/// down without sign, the run-time condition is made to exclude these.  Where
/// the model lacks an instance, it is also made to demand what Polly takes for
/// granted because the source would be undefined otherwise.  What runs nowhere,
/// or cannot be interpreted, is not covered; how much is covered is told.
///
//===----------------------------------------------------------------------===//

#ifndef POLYGPU_VERIFYMODEL_H
#define POLYGPU_VERIFYMODEL_H

#include "Remarks.h"
#include "verify/Interpreter.h"
#include "verify/ModelTables.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SetVector.h"
#include <memory>
#include <optional>
#include <string>

namespace polygpu {

class VerifyModel {
public:
  /// Takes \p S as it is now.
  explicit VerifyModel(polly::Scop &S);

  /// A refusal if the model differs from the program.  May add to the SCoP's
  /// assumptions.
  std::optional<Refusal> run();

  /// What was covered, as a sentence.
  std::string coverage() const;

  /// A run within the run-time condition.
  struct ClaimedRun {
    uint64_t Seed;
    LeafStyle Style;
    llvm::SmallVector<int64_t, 8> Params;
    unsigned long Instances; ///< of statements
    bool Complete;           ///< to the end, and no iteration was left out
  };
  llvm::ArrayRef<ClaimedRun> claimedRuns() const { return Claimed; }

  /// An interpreter in front of the region, and Polly's parameters; null if the
  /// program does not come there, or they cannot be computed.
  std::unique_ptr<Interpreter> begin(uint64_t Seed, LeafStyle Style,
                                     llvm::SmallVectorImpl<int64_t> &Params);

  /// The refusal of a SCoP that differs.
  static Refusal differs(const std::string &How);
  /// Text ", with parameters (1, 2)", or nothing without any.
  static std::string describeParams(llvm::ArrayRef<int64_t> Params);

private:
  polly::Scop &S;
  ModelTables Model;
  llvm::SmallVector<int64_t, 8> Params;      ///< of the run
  llvm::SmallSetVector<int64_t, 4> RowSizes; ///< that are constant
  unsigned Runs = 0;                         ///< within the run-time condition
  unsigned Partial = 0;        ///< of these: ended before the loops did
  bool Lacks = false;          ///< the model lacked an instance of the last run
  unsigned long Instances = 0; ///< of statements
  std::string Obstacle;        ///< why a run ended early, if one did
  std::vector<ClaimedRun> Claimed;

  friend class ModelObserver;
  bool excludeNegative();
  bool excludeUndefined();
  std::string tryOnce(uint64_t Seed, LeafStyle Style, unsigned long &Steps);
  isl_bool contains(const Points &Set) const;
  bool isClaimed() const;
  std::string tryImpossible(Interpreter &I, unsigned long &Steps);
  bool haveSizesWrapped(Interpreter &I) const;
};

} // namespace polygpu

#endif
