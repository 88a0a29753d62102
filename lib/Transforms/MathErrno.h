//===- MathErrno.h - Math calls that lose their effect on errno -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A call of exp or lgamma may write errno or signgam, so that no loop with one
// is a SCoP.  Offloaded loops do not set them; all other code of the function
// does, as it is written.  What will be offloaded is known late, and passes
// have relied on what calls were said to do by then.  So the function is
// prepared once with all loops allowed to lose them, and again without those
// of which it turned out that they stay on the host, if there are any.
//
// Loops are known by a number that they keep in their metadata, calls by the
// attribute MathAttribute, which every call of a math function has.
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_MATHERRNO_H
#define POLYGPU_MATHERRNO_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/IR/Attributes.h"
#include <string>
#include <vector>

namespace llvm {
class BasicBlock;
class CallInst;
class Function;
class Loop;
class LoopInfo;
class TargetLibraryInfo;
} // namespace llvm

namespace polygpu {

/// The loops of one function that may lose errno, and its math calls.
class MathErrno {
public:
  /// No loop may lose it if \p Keep.
  explicit MathErrno(bool Keep) : Keep(Keep) {}

  /// Begin with \p F, a fresh copy of the function, with the same loops each
  /// time: give those with math calls numbers, and mark the calls.
  void begin(llvm::Function &F, const llvm::TargetLibraryInfo &TLI);

  /// Mark the calls of math functions in \p F that are not marked yet.  In
  /// loops that may lose errno they have no side effects from now on.
  void mark(llvm::Function &F, const llvm::LoopInfo &LI,
            const llvm::TargetLibraryInfo &TLI);

  /// Forbid those loops to lose errno that have lost it in \p F but are not
  /// all in \p Offloaded, or of which a call has moved out of there.  False if
  /// there are none.
  bool
  forbidHostLoops(llvm::Function &F, const llvm::LoopInfo &LI,
                  const llvm::DenseSet<const llvm::BasicBlock *> &Offloaded);

  /// Remove the marks and the numbers; what is left of the loops in \p F has
  /// its effects again.
  void restore(llvm::Function &F) const;

private:
  /// In place of the number of a loop: there is none.
  static constexpr unsigned NoLoop = ~1U;

  bool Keep;
  llvm::DenseSet<unsigned> Forbidden; ///< loops
  llvm::DenseSet<unsigned> Lost;      ///< loops, of the present copy
  /// As the calls were written; marks name them by their places.
  std::vector<llvm::AttributeList> Written;

  static unsigned numberOf(const llvm::Loop *L);
  void mark(llvm::CallInst &Call, const llvm::Loop *L,
            const llvm::TargetLibraryInfo &TLI);
};

} // namespace polygpu

#endif
