//===- MathErrno.h - Math calls that lose their effect on errno -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A call of exp or lgamma may write errno or signgam, so that no loop with one
// is a SCoP.  Offloaded loops do not set them; all other code of the function
// does, as it is written.  So passes that change code see what math calls
// really do; only while SCoPs are looked for and offloaded, which changes
// nothing else, calls in loops are said to have no effect.
//
// A call is recognised once, and has the attribute MathAttribute from then on.
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_MATHERRNO_H
#define POLYGPU_MATHERRNO_H

#include "llvm/IR/Attributes.h"
#include <vector>

namespace llvm {
class CallInst;
class Function;
class LoopInfo;
class TargetLibraryInfo;
class Value;
} // namespace llvm

namespace polygpu {

/// The math calls of the copy of a function.
class MathErrno {
public:
  /// No call loses its effect if \p Keep.
  explicit MathErrno(bool Keep) : Keep(Keep) {}

  /// Mark the calls of math functions in \p F that are not marked yet, and say
  /// what LLVM knows of their effects.
  void mark(llvm::Function &F, const llvm::TargetLibraryInfo &TLI);

  /// From now on marked calls in loops have no effects.
  void hide(llvm::Function &F, const llvm::LoopInfo &LI) const;

  /// Remove the marks: calls are as they were written.
  void restore(llvm::Function &F) const;

private:
  bool Keep;
  /// As the calls were written; marks name them by their places.
  std::vector<llvm::AttributeList> Written;

  void mark(llvm::CallInst &Call, const llvm::TargetLibraryInfo &TLI);
};

/// Is \p Pointer the address of errno, or in the same object?
bool isErrno(const llvm::Value *Pointer);

} // namespace polygpu

#endif
