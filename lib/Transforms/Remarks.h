//===- Remarks.h - What users are told ------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Remarks of the pass name `gpu-polyhedral`, visible with clang's -Rpass=,
// -Rpass-missed= and -Rpass-analysis=.  Every loop nest that is looked at
// yields one: how it was mapped, or why it was not offloaded and what would
// help, in the source's words.
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_REMARKS_H
#define POLYGPU_REMARKS_H

#include "llvm/ADT/StringSet.h"
#include "llvm/IR/DebugLoc.h"
#include <optional>
#include <string>

namespace llvm {
class Function;
class Instruction;
class Value;
} // namespace llvm

namespace polygpu {

/// Calls have it that were not inlined since that would enlarge the frame.
inline constexpr const char *LargeFrameAttribute = "polygpu-large-frame";
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
  bool OwnError = false; ///< a check has found the compiler to be wrong
};

/// Name of \p V in the source: of the variable that holds it, where debug
/// information or IR names tell, else a description like "argument 2".
std::string sourceName(const llvm::Value *V);

/// Is there nothing to tell \p V from other values in the source?
bool isAnonymous(const llvm::Value *V);

/// "line 12" or "line 12 of file.h" when that is not \p F's file, or
/// "an unknown line".
std::string describeLine(const llvm::DebugLoc &Loc, const llvm::Function &F);

/// Emits remarks and keeps them from appearing twice for one place.
class Remarks {
public:
  void offloaded(llvm::Function &F, const llvm::DebugLoc &Loc,
                 const std::string &Text);
  void missed(llvm::Function &F, const llvm::DebugLoc &Loc, const Refusal &Why);
  /// What a check has looked at.
  void checked(llvm::Function &F, const llvm::DebugLoc &Loc,
               const std::string &Text);
  /// A warning, once for a module: ptxas is there but does not do its work.
  /// For the architectures that are "Missing" alone, unless that is empty.
  void warnAssembler(llvm::Function &F, const std::string &Problem,
                     const std::string &Missing);
  /// \p What was given up for its time: elsewhere it may end.
  void dependsOnMachine(llvm::Function &F, const llvm::DebugLoc &Loc,
                        const std::string &What);

private:
  bool AssemblerFailed = false;
  llvm::StringSet<> Seen;
  bool isNew(const llvm::Function &F, const llvm::DebugLoc &Loc,
             const std::string &Text);
};

/// A function that is left alone: say so for each of its loop nests.
void refuseLoops(llvm::Function &F, const Refusal &Why, Remarks &R);

} // namespace polygpu

#endif
