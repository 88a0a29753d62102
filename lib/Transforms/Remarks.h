//===- Remarks.h - What users are told ------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Remarks of the pass name `gpu-polyhedral`, visible with clang's -Rpass=,
// -Rpass-missed= and -Rpass-analysis=.  A nest that is offloaded has one that
// says as what, and others on how it is mapped and when it runs on the device;
// each innermost loop that stays has one that says why and what would help, in
// the source's words and at its line.  Fields of optimisation records are keys
// of their own.
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_REMARKS_H
#define POLYGPU_REMARKS_H

#include "SourceNames.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringSet.h"
#include <optional>
#include <vector>

namespace llvm {
class Instruction;
class Value;
} // namespace llvm

namespace polygpu {

/// Calls have it that were not inlined; its value says why, to follow "the call
/// of 'f'".
inline constexpr const char *NotInlinedAttribute = "polygpu-not-inlined";
/// Calls have it that were not inlined since the callee's loops and those
/// around are no SCoP; its value is a sentence that says why.
inline constexpr const char *KeptAttribute = "polygpu-kept";

/// Why something is not offloaded, and where.
struct Refusal {
  std::string Name;     ///< identifier of the remark, like NonAffineAccess
  std::string Sentence; ///< what is in the way and what the user can do
  llvm::DebugLoc Loc;   ///< of the obstacle, may be empty
  /// The instruction that is in the way, if it is a single one.
  llvm::Instruction *At = nullptr;
  bool OwnError = false;  ///< a check has found the compiler to be wrong
  std::string Array = ""; ///< that it is about, if it is about one
};

/// How a nest was offloaded.
struct OffloadedNest {
  llvm::DebugLoc Start;
  std::vector<llvm::DebugLoc> Loops; ///< the innermost ones
  std::string Summary;               ///< kernels, and how parallel they are
  std::vector<std::string> Details;  ///< sizes, copies, run-time condition
};

/// Emits remarks and keeps them from appearing twice for one place.
class Remarks {
public:
  void offloaded(llvm::Function &F, const OffloadedNest &Nest);
  /// \p Loc is the loop's.  Of a loop in a function of a library that was not
  /// inlined this is told in the end, where the user calls that.
  void missed(llvm::Function &F, const llvm::DebugLoc &Loc, const Refusal &Why);
  void finish();
  /// What a check has looked at.
  void checked(llvm::Function &F, const llvm::DebugLoc &Loc,
               const std::string &Text);
  /// What was found for loops does not fit them.
  void notTuned(llvm::Function &F, const llvm::DebugLoc &Loc,
                const std::string &Text);
  /// The user's sizes are not what loops got.
  void sizesNotTaken(llvm::Function &F, const llvm::DebugLoc &Loc,
                     const std::string &Why);
  /// A warning, once for a module: ptxas is there but does not do its work.
  /// For the architectures that are "Missing" alone, unless that is empty.
  void warnAssembler(llvm::Function &F, const std::string &Problem,
                     const std::string &Missing);
  /// \p What was given up for its time: elsewhere it may end.
  void dependsOnMachine(llvm::Function &F, const llvm::DebugLoc &Loc,
                        const std::string &What);

private:
  struct Untold {
    llvm::Function *F;
    llvm::DebugLoc Loc;
    Refusal Why;
  };

  bool AssemblerFailed = false;
  llvm::StringSet<> Told;      ///< places of loops that stay, of a user
  llvm::StringSet<> Libraries; ///< places in libraries that have been told of
  std::vector<Untold> Later;
  void emit(llvm::Function &F, const llvm::DebugLoc &Loc, const Refusal &Why);
};

/// A function that is left alone: say so for each of its loop nests.
void refuseLoops(llvm::Function &F, const Refusal &Why, Remarks &R);

/// Say so of each innermost loop of \p F that is entered at several places: to
/// LLVM, and all that looks at loops, it is none.
void refuseCycles(llvm::Function &F, Remarks &R);

} // namespace polygpu

#endif
