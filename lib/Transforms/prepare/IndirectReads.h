//===- IndirectReads.h - Reads at places that data say ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which element x[idx[i]] is depends on data, and Polly takes no loop with such
// an access.  While SCoPs are looked for and offloaded the load is a call:
//
//   %v = call float @polygpu.indirect(ptr %x, i64 %offset)
//
// of which nothing is known to Polly but that it computes a value.  The
// function that is called has the load, and comes into kernels as it is.  So is
// a loop that only reads, and runs as often as data say, like one over a row of
// a sparse matrix: with its condition and its result it is one call.
//
// What follows for x is not in the model: it is an array of its own, which
// nothing in the SCoP may write, of which all is copied that the indices may
// lead to (host/IndexRanges.h).  restore() puts loads and loops where they
// were.
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_INDIRECTREADS_H
#define POLYGPU_INDIRECTREADS_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/DebugLoc.h"
#include "llvm/IR/ValueHandle.h"
#include <optional>

namespace llvm {
class Argument;
class CallInst;
class DataLayout;
class Function;
class Instruction;
class LoadInst;
class Loop;
class LoopInfo;
class PHINode;
class Region;
class ScalarEvolution;
class Type;
class Value;
} // namespace llvm

namespace polygpu {

struct IndirectUpdate;

/// The call \p V is, if it stands for indirect reads, or for one and an update
/// of what it reads (prepare/IndirectUpdates.h).  The function that is
/// called has them, and has no other calls.  Its arguments are pointers to
/// arrays, then numbers, then for each integer phi of its loop's header, in
/// their order, the value in the last iteration; poison if that is no counter.
const llvm::CallInst *indirectRead(const llvm::Value *V);

/// Is \p V in the body of one, or an argument there?
bool isInBody(const llvm::Value *V);

/// Call \p Visit for \p V and for the integers that it is computed from, in
/// bodies and where they are called, as far as it says yes to them.
void visitSources(const llvm::Value &V,
                  llvm::function_ref<bool(const llvm::Value &)> Visit);

/// What the caller passes for \p A of a body; null if there are several calls.
llvm::Value *passedFor(const llvm::Argument &A);

/// The loads that \p Call stands for.
llvm::SmallVector<const llvm::LoadInst *, 4>
readsOf(const llvm::CallInst &Call);

/// The one whose value is that of the call, or null.
const llvm::LoadInst *resultOf(const llvm::CallInst &Call);

/// Where \p Load of its body reads: so many bytes from a pointer of the
/// caller's.
struct IndirectPlace {
  llvm::Value *Base;
  llvm::Value *Offset; ///< in the body, i64
};
IndirectPlace placeOf(const llvm::LoadInst &Load);

/// The smallest and the largest value of a counter of the loop of a body, as
/// arguments or constants; null if \p Phi is none.
std::pair<llvm::Value *, llvm::Value *> boundsOf(const llvm::PHINode &Phi);

/// The bytes from \p Base on that are there, as its type says, or 0.
uint64_t knownBytes(const llvm::Value *Base, const llvm::DataLayout &DL);

/// The indirect reads of a function.
class IndirectReads {
public:
  /// Make calls of those in \p F for which it can be said what they lead to.
  /// True if there are any; no analysis of the function holds then.
  bool add(llvm::Function &F, const llvm::LoopInfo &LI,
           llvm::ScalarEvolution &SE);

  /// Make a call of a loop in \p F that only reads, and runs as often as data
  /// say.  True if there is one, likewise.
  bool addLoop(llvm::Function &F, const llvm::LoopInfo &LI,
               llvm::ScalarEvolution &SE);

  /// Where loops in \p L begin that are calls now.
  llvm::SmallVector<llvm::DebugLoc, 2> loopsIn(const llvm::Loop &L) const;

  /// Make loads again of those in \p R that are at the same place in all
  /// iterations of their innermost loop, which may be offloaded by itself then,
  /// and loops again of those that were, but none that "IsKept".  True if there
  /// were any, likewise.
  bool restoreOuter(const llvm::Region &R,
                    llvm::function_ref<bool(const llvm::Instruction &)> IsKept);

  /// Make loads of all of them again.
  void restore();

private:
  struct Read {
    llvm::WeakVH Call;
    llvm::Function *Body;
    /// The same in all iterations of the innermost loop, or a loop itself.
    bool Outer;
    llvm::DebugLoc Loop; ///< where it began, if it is one
  };
  llvm::SmallVector<Read, 8> Reads;

  void addRead(llvm::Instruction &Load, bool Outer);
  void addUpdate(const IndirectUpdate &U);
};

} // namespace polygpu

#endif
