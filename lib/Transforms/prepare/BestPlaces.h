//===- BestPlaces.h - What goes with the best one, by its place -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   if (a[i] > m) { m = a[i]; x = p[i]; y = 2 * q[i]; }
//
// keeps with the best one what follows from the iteration it comes from.  In a
// loop that only reads, that iteration is enough; the rest is computed from it
// behind the loop:
//
//   if (a[i] > m) { m = a[i]; k = i; }
//   if (k was chosen) { x = p[k]; y = 2 * q[k]; }
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_BESTPLACES_H
#define POLYGPU_BESTPLACES_H

#include "prepare/NestIterations.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

namespace llvm {
class CmpInst;
class DominatorTree;
class Instruction;
class Loop;
class LoopInfo;
class PHINode;
class ScalarEvolution;
class Value;
} // namespace llvm

namespace polygpu {

/// Does \p L have no effect, and come to its end?
bool onlyReads(const llvm::Loop &L);

/// A value that is chosen with the best one.
struct WithBest {
  llvm::PHINode *Old;     ///< what it is when an iteration begins
  llvm::Instruction *New; ///< and when it ends
  llvm::Value *Taken;     ///< the one of this iteration
};

/// Can the values be computed behind \p L, which is in LCSSA form, from the
/// iteration that the best one comes from?
bool hasPlace(const llvm::Loop &L, llvm::ArrayRef<WithBest> Values,
              llvm::ScalarEvolution &SE);

/// Choose the iteration in front of \p At, where \p IsTaken, or is not if
/// "OnFalse", and compute the values, which hasPlace, behind the loop.  Those
/// in the loop are undefined then, and have no uses.  Returns the choice.
llvm::Instruction *choosePlace(llvm::Loop &L, llvm::ArrayRef<WithBest> Values,
                               llvm::Value &IsTaken, bool OnFalse,
                               llvm::Instruction &At, llvm::LoopInfo &LI,
                               llvm::DominatorTree &DT,
                               llvm::ScalarEvolution &SE);

/// The values that go with the best one that \p Compare compares in \p L.
/// OnFalse: where it is false.
llvm::SmallVector<WithBest, 4> chosenBy(const llvm::CmpInst &Compare,
                                        const llvm::Loop &L, bool OnFalse);

/// Does \p V follow from the iterations of the loops from \p Nest, which only
/// reads, in to \p L alone?
bool followsFrom(const llvm::Value &V, const llvm::Loop &L,
                 const llvm::Loop &Nest, llvm::ScalarEvolution &SE);

/// Compute \p Values, which followsFrom, in front of \p At, of the iterations
/// \p There.
llvm::SmallVector<llvm::Value *, 4>
computeAgain(llvm::ArrayRef<llvm::Value *> Values, const llvm::Loop &Nest,
             const Iterations &There, llvm::Instruction &At,
             llvm::ScalarEvolution &SE);

/// Do so in the innermost loop \p L, which is in LCSSA form, where something
/// else than one counter goes with the smallest or largest number.  True if
/// there was such.
bool openBestPlaces(llvm::Loop &L, llvm::LoopInfo &LI, llvm::DominatorTree &DT,
                    llvm::ScalarEvolution &SE);

/// Is it a counter of \p L, as indices of extremes are?
bool isPlainCounter(const llvm::Value &V, const llvm::Loop &L,
                    llvm::ScalarEvolution &SE);

} // namespace polygpu

#endif
