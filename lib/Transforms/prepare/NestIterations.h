//===- NestIterations.h - All iterations of a nest, counted -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// for (i < n) for (j < m) has n * m iterations, and i * m + j is the number of
// each of them in their order.  Of a triangle that is 2^31 * i + j, which is in
// order too.
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_NESTITERATIONS_H
#define POLYGPU_NESTITERATIONS_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"

namespace llvm {
class Loop;
class SCEV;
class ScalarEvolution;
class Value;
} // namespace llvm

namespace polygpu {

/// Has \p L one way in and one out, at its end?
bool isSimple(const llvm::Loop &L);

/// A new counter of the iterations of \p L, from 0 on, of 64 bits.
llvm::Value *addIterations(llvm::Loop &L);

/// The iteration that each loop is in.
using Iterations = llvm::DenseMap<const llvm::Loop *, llvm::Value *>;

class NestIterations {
public:
  /// Of the loops from \p Nest in to \p L.
  NestIterations(llvm::Loop &Nest, llvm::Loop &L, llvm::ScalarEvolution &SE)
      : Nest(Nest), L(L), SE(SE) {}

  /// Can they be counted?  Nobody lives to see 2^62 of them. Where a loop's
  /// number is not the same each time, it is the only one inside, and both are
  /// below 2^31.
  bool canCount() const;
  /// The largest number that one may have, or the largest there is.
  uint64_t most() const;
  /// Compute in front of the nest what is needed to count them, if canCount.
  void begin();
  /// A number that grows with the iterations, in their order, from 0 on, in
  /// the loops from \p In, the nest or a copy of it, to \p Inner.
  llvm::Value *count(llvm::Loop &In, llvm::Loop &Inner) const;
  /// The iterations of the loops in that with the number \p Count.
  Iterations at(llvm::IRBuilder<> &B, llvm::Value &Count) const;

private:
  llvm::Loop &Nest, &L;
  llvm::ScalarEvolution &SE;
  /// The numbers of iterations of the loops inside, from the innermost one out.
  llvm::SmallVector<llvm::Value *, 4> Each;

  const llvm::SCEV *iterationsOf(const llvm::Loop &Inner) const;
};

} // namespace polygpu

#endif
