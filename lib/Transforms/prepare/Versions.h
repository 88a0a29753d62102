//===- Versions.h - Loops twice, of which one assumes more ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where a store of a loop might change a bound or a pointer that the loop reads
// again in each iteration, there are two versions of the loop: the one that was
// written, and one for the device that assumes that no store does, and reads it
// in front.
//
//   if (polygpu.version(N)) {         unknown until the end
//     n = *p                          what is assumed not to change
//     polygpu.version.begin(N, true, polygpu.version.place(p), bytes of n, ...)
//     loops that use n
//   } else
//     loops that read *p
//
// A SCoP that has all of the first version's loops is offloaded with a run-time
// condition that compares the places with what it writes (CompareArrays); where
// that does not hold, the second version runs.  Where there is no such SCoP the
// first version goes away again, and the loops are what they were.
//
// What else the first version takes to be so, is the second argument of
// polygpu.version.begin: that no check in the loops fails (HoistChecks), that
// strides are those of whole elements (AssumeStrides), or of rows
// (OrderStrides), that indices of 32 bits do not wrap around (WidenIndices).
//
// The functions that are called are defined nowhere.  Two of them have effects
// that nobody knows, so that no SCoP reaches across them; if Polly comes to
// model such calls, loops are offloaded without the condition, which VersionSet
// refuses (covers).
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_VERSIONS_H
#define POLYGPU_VERSIONS_H

#include "Remarks.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Transforms/Utils/ValueMapper.h"
#include <cstdint>
#include <optional>

namespace llvm {
class BasicBlock;
class BranchInst;
class CallInst;
class DominatorTree;
class Function;
class IRBuilderBase;
class Instruction;
class Loop;
class LoopInfo;
class Region;
class ScalarEvolution;
class Value;
} // namespace llvm

namespace polygpu {

/// Which loops may have two versions.
struct VersionChoice {
  llvm::SmallSet<unsigned, 4> NotHere; ///< numbers of versions to do without
};

/// Memory that the first version assumes not to be written.
struct AssumedPlace {
  llvm::Value *Address;
  uint64_t Bytes;             ///< if it does not have an
  llvm::Value *End = nullptr; ///< address behind the last byte
};

/// Something else that it assumes.
struct AssumedTruth {
  llvm::Value *Holds; ///< i1, known in front of it
  std::string So;     ///< in words, "no check in line 7 fails"
  std::string NotSo;  ///< and if it does not hold
};

/// A loop of which there are two versions.
struct LoopVersion {
  llvm::CallInst *Choice; ///< polygpu.version
  llvm::CallInst *Begin;  ///< polygpu.version.begin
  enum { Open, Taken, Left } State = Open;
  std::optional<Refusal> Why; ///< it was left

  /// Where the versions start.
  llvm::BasicBlock *assuming() const;
  llvm::BasicBlock *original() const;
  llvm::SmallVector<llvm::BasicBlock *, 16> originalBlocks() const;
  llvm::SmallVector<AssumedPlace, 8> places() const;
  /// What has to hold for the first version to run, if there is something.
  std::optional<AssumedTruth> holds() const;
};

/// The address of a place as the program computes it.
const llvm::Value *placeOf(const AssumedPlace &Place);

/// Is \p I a call of the functions above?
bool isVersionCall(const llvm::Instruction &I);

/// Have \p L, which is simple and has its exits' phis, run where the
/// "Condition" holds that is made in front of it, and a copy elsewhere; \p Map
/// has what its values are there.  Analyses other than \p LI and \p DT are
/// invalid afterwards.
void copyLoop(
    llvm::Loop &L,
    llvm::function_ref<llvm::Value *(llvm::IRBuilderBase &)> Condition,
    llvm::LoopInfo &LI, llvm::DominatorTree &DT, llvm::ValueToValueMapTy &Map);

/// The loops behind the second successor of \p Choice are for the host; nobody
/// looks at them.
void setAside(llvm::BranchInst &Choice);

/// Is \p BB behind such a successor?
bool isSetAside(const llvm::BasicBlock &BB, const llvm::DominatorTree &DT);

/// Make two versions of \p L, which is simple and has its exits' phis; \p L is
/// the first one, with an empty block in front of it.  Analyses other than \p
/// LI and \p DT are invalid afterwards.
void makeVersions(llvm::Loop &L, unsigned Number, llvm::LoopInfo &LI,
                  llvm::DominatorTree &DT);

/// The branch that decides whether \p L runs at all, in front of its versions
/// and of what is read for them, with the successor that leads to \p L; or
/// null.
std::pair<llvm::BranchInst *, llvm::BasicBlock *>
guardBefore(const llvm::Loop &L, const llvm::DominatorTree &DT);

/// What the first version of \p L assumes, once that is known: that places are
/// not written, and what else is assumed.
void describeVersion(llvm::Loop &L, unsigned Number,
                     llvm::ArrayRef<AssumedPlace> Places,
                     std::optional<AssumedTruth> Truth = std::nullopt);

/// Where the first version that \p L is in, if it is in one, begins: behind
/// what is known in front of it; or null.
llvm::CallInst *versionBegin(const llvm::Loop &L,
                             const llvm::DominatorTree &DT);

/// Is \p L in one of two versions?
bool isVersioned(const llvm::Loop &L, const llvm::DominatorTree &DT);

/// Is it in none, and may makeVersions make two of it, once it has its exits'
/// phis?
bool canHaveVersions(const llvm::Loop &L, const llvm::DominatorTree &DT);

/// Have the version that begins at \p Begin assume this as well; it is known
/// there.
void assumeAsWell(llvm::CallInst &Begin, const AssumedTruth &Truth);

/// Have the version that \p L is in, which begins at \p Begin, assume this as
/// well; if that is null, one of its own, \p Number.  \p Make makes what is
/// assumed at a place where it is known; the \p Places, which it may make as
/// well, are for a version of its own.
void assumeInVersion(
    llvm::Loop &L, unsigned Number, llvm::CallInst *Begin,
    llvm::function_ref<AssumedTruth(llvm::Instruction *)> Make,
    llvm::LoopInfo &LI, llvm::DominatorTree &DT, llvm::ScalarEvolution &SE,
    const llvm::SmallVectorImpl<AssumedPlace> *Places = nullptr);

/// The versions in a function, and what became of them.
class VersionSet {
public:
  void find(llvm::Function &F);

  /// The one whose first version \p BB is in, or null.
  LoopVersion *assumingAt(const llvm::BasicBlock &BB,
                          const llvm::DominatorTree &DT);
  /// Is \p BB in a version that is not looked at, now or any more?
  bool isSetAside(const llvm::BasicBlock &BB,
                  const llvm::DominatorTree &DT) const;
  /// Why there is no SCoP of the loops that \p BB is in the second version of,
  /// or null.
  const Refusal *reasonAt(const llvm::BasicBlock &BB,
                          const llvm::DominatorTree &DT) const;
  /// Does \p R have all loops and writes of the first version of \p V?
  static bool covers(const llvm::Region &R, const LoopVersion &V,
                     const llvm::LoopInfo &LI, const llvm::DominatorTree &DT);
  /// Does the first version of \p V have loops in loops?
  static bool isNest(const LoopVersion &V, const llvm::LoopInfo &LI,
                     const llvm::DominatorTree &DT);

  /// Give up the first versions that no SCoP has; true if there were any.
  bool leaveOpen();
  /// Let those decide that were taken, and remove all traces of the others.
  void finish(llvm::Function &F);

  llvm::SmallVector<LoopVersion, 4> All;
};

} // namespace polygpu

#endif
