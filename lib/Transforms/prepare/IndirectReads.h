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

#include "prepare/IndirectCalls.h"
#include "llvm/ADT/ArrayRef.h"
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

/// The indirect reads of a function.
class IndirectReads {
public:
  /// Make calls of those in \p F for which it can be said what they lead to.
  /// True if there are any; no analysis of the function holds then.
  bool add(llvm::Function &F, const llvm::LoopInfo &LI,
           llvm::ScalarEvolution &SE);

  /// Make calls of those of \p Loads, whose subscripts are computed in a way
  /// that is not affine, for which it can be said what they lead to.  True if
  /// there are any, likewise.  Those in loops that are "InScop" without get the
  /// loop around into it, too, or do no good.
  bool addComputed(llvm::ArrayRef<llvm::LoadInst *> Loads,
                   const llvm::LoopInfo &LI, llvm::ScalarEvolution &SE,
                   llvm::function_ref<bool(const llvm::Loop &)> InScop);

  /// Make loads again of those that do no good, now that other loops are
  /// "InScop".  True if there were any, likewise.
  bool restoreNeedless(const llvm::LoopInfo &LI,
                       llvm::function_ref<bool(const llvm::Loop &)> InScop);

  /// Make a call of a loop in \p F that only reads, or updates one element by
  /// what it reads, and runs as often as data say.  True if there is one,
  /// likewise.
  bool addLoop(llvm::Function &F, const llvm::LoopInfo &LI,
               llvm::ScalarEvolution &SE);

  /// Calls in copies of loops get bodies of their own, in which it is known
  /// what is passed.
  void addCopies();

  /// Where loops in \p L begin that are calls now.
  llvm::SmallVector<llvm::DebugLoc, 2> loopsIn(const llvm::Loop &L) const;

  /// Make loads again of those in \p R that are at the same place in all
  /// iterations of their innermost loop, which may be offloaded by itself then,
  /// and loops again of those that were, but none that "IsKept".  True if there
  /// were any, likewise.
  bool restoreOuter(const llvm::Region &R,
                    llvm::function_ref<bool(const llvm::Instruction &)> IsKept);

  /// Make loads of all of them again.  False if that is not possible for one:
  /// the function is not to be used then.
  [[nodiscard]] bool restore();

private:
  struct Read {
    llvm::WeakVH Call;
    llvm::Function *Body;
    /// The same in all iterations of the innermost loop, or a loop itself.
    bool Outer;
    llvm::DebugLoc Loop; ///< where it began, if it is one
    /// A loop that updates an element, which has its arguments up to what the
    /// element was, and the element; else null.
    llvm::Function *InMemory = nullptr;
    llvm::WeakTrackingVH Element = {};
    llvm::Align Alignment = {};
    /// One in a loop that was a SCoP without it, for the sake of the one
    /// around.
    bool ForAround = false;
  };
  llvm::SmallVector<Read, 8> Reads;

  void addRead(llvm::Instruction &Load, bool Outer);
  void addUpdate(const IndirectUpdate &U);
  static bool inlineRead(llvm::CallInst &Call, const Read &One);
};

} // namespace polygpu

#endif
