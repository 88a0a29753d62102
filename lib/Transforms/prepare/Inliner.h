//===- Inliner.h - Calls inlined into the copy of a function ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Calls are inlined where they hide loops or addresses.  A callee with loops of
// its own is analysed by itself as well: inlined, it is analysed once more for
// each call, which is worth it where the loop around the call becomes one SCoP
// with it.  To see that, loops of the caller are marked by what was inlined
// into them; where none of them is in a SCoP, the copy is made again without.
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_INLINER_H
#define POLYGPU_INLINER_H

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/PassManager.h"

namespace llvm {
class Loop;
class LoopInfo;
} // namespace llvm

namespace polygpu {

/// Functions whose calls in loops stay calls, with what is in the way of a SCoP
/// that has both loops, as a sentence.
using KeptCalls = llvm::MapVector<const llvm::Function *, std::string>;

/// Functions with loops that were inlined into loops, by the marks of these.
class InlinedNests {
public:
  /// Note that \p Callee, which has a copy of its own, is inlined into \p L;
  /// "IsAnyCall": no more is known of its arguments than there.
  void add(llvm::Loop &L, const llvm::Function &Callee, bool IsAnyCall);
  bool empty() const { return Marks.empty(); }
  /// Note of each marked loop what its \p Obstacle to a SCoP is, as a sentence;
  /// "" if it is in one.
  void look(const llvm::LoopInfo &LI,
            llvm::function_ref<std::string(const llvm::Loop &)> Obstacle);
  /// After that: the functions all of whose calls are in loops without a SCoP,
  /// and gain nothing as all is \p Settled for them or no more is known of
  /// their arguments, or too little for what it costs, as these loops are
  /// larger with them than a function that is inlined into a loop may be.
  /// "MayGain": one of them is not settled, and callers of this function might
  /// know more.
  KeptCalls keep(llvm::function_ref<bool(const llvm::Function &)> Settled,
                 bool &MayGain);
  /// Remove the marks.
  static void forget(const llvm::LoopInfo &LI);

private:
  struct Mark {
    llvm::SmallVector<std::pair<const llvm::Function *, bool>, 2> Callees;
    bool IsFound = false;
    size_t Size = 0;      ///< instructions of the loop, with what is inlined
    std::string Obstacle; ///< "" as well: the loop was not found
  };
  llvm::SmallVector<Mark, 4> Marks;
};

/// How much may be inlined into a copy, in instructions.
struct InlineLimits {
  unsigned Callee; ///< in a loop
  uint64_t Copy;   ///< it grows no further, but by accessors
  static InlineLimits forLoops();
  /// Of a copy in which no loops are offloaded.
  static InlineLimits forHost(const llvm::Function &Original);
};

/// Does \p Call hand a function to one with loops that calls it?  They are
/// known where it is inlined only.
bool handsFunctionOn(const llvm::CallBase &Call);

/// Inline calls into \p Copy, which is one of \p Original, up to \p Most, but
/// none of functions that are "Kept".  \p Nests gets what loops are marked by;
/// null marks none.
void inlineCalls(llvm::Function &Copy, llvm::Function &Original,
                 llvm::function_ref<bool(const llvm::Function &)> IsKept,
                 const InlineLimits &Most, InlinedNests *Nests,
                 llvm::FunctionAnalysisManager &FAM);

/// Have calls in \p Copy of functions that are \p Kept say why, for remarks.
void describeKept(llvm::Function &Copy, const KeptCalls &Kept);

} // namespace polygpu

#endif
