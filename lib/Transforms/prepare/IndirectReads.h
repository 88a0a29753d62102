//===- IndirectReads.h - Reads at places that data say ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which element x[idx[i]] is depends on data, and Polly takes no loop with such
// an access.  While SCoPs are looked for and offloaded the load is a call:
//
//   %v = call float @polygpu.indirect.0(ptr %x, i64 %offset)
//
// of which nothing is known to Polly but that it computes a value.  The
// function that is called has the load, and comes into kernels as it is.  What
// follows for x is not in the model: it is an array of its own, which nothing
// in the SCoP may write, of which all is copied that the indices may lead to
// (host/IndexRanges.h).  restore() puts the loads where they were.
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_INDIRECTREADS_H
#define POLYGPU_INDIRECTREADS_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/ValueHandle.h"
#include <optional>

namespace llvm {
class CallInst;
class DataLayout;
class Function;
class Instruction;
class Loop;
class LoopInfo;
class Region;
class ScalarEvolution;
class Type;
class Value;
} // namespace llvm

namespace polygpu {

/// The call \p V is, if it stands for an indirect read: of the array that its
/// first argument points to, so many bytes from there as the second one says.
const llvm::CallInst *indirectRead(const llvm::Value *V);

/// The bytes from \p Base on that are there, as its type says, or 0.
uint64_t knownBytes(const llvm::Value *Base, const llvm::DataLayout &DL);

/// The indirect reads of a function.
class IndirectReads {
public:
  /// Make calls of those in \p F for which it can be said what they lead to.
  /// True if there are any; no analysis of the function holds then.
  bool add(llvm::Function &F, const llvm::LoopInfo &LI,
           llvm::ScalarEvolution &SE);

  /// Make loads again of those in \p R that are at the same place in all
  /// iterations of their innermost loop, which may be offloaded by itself then.
  /// True if there were any, likewise.
  bool restoreOuter(const llvm::Region &R);

  /// Make loads of all of them again.
  void restore();

private:
  struct Read {
    llvm::WeakVH Call;
    llvm::Function *Body;
    bool Outer; ///< the same in all iterations of the innermost loop
  };
  llvm::SmallVector<Read, 8> Reads;

  void addRead(llvm::Instruction &Load, bool Outer);
};

} // namespace polygpu

#endif
