//===- CarriedPlaces.h - What goes with the best one of a nest --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   for (i < n) for (j < m) if (a[i][j] > best) { best = a[i][j]; x = i; y = j;
//   }
//
// keeps two indices, which follow from the iteration that the best one is from.
// Its number is enough: behind the nest, x and y are computed from it.
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_CARRIEDPLACES_H
#define POLYGPU_CARRIEDPLACES_H

#include "prepare/BestPlaces.h"
#include "prepare/CarriedValue.h"
#include "prepare/NestIterations.h"

namespace polygpu {

/// A number that loops from an outer one in to an innermost one carry on, and
/// what goes with it.
class CarriedPlaces {
public:
  CarriedPlaces(llvm::Loop &Nest, llvm::Loop &L, llvm::ScalarEvolution &SE)
      : All(Nest, L, SE), Nest(Nest), L(L), SE(SE) {}

  /// Is \p Phi, which becomes \p New, known to nothing else than \p Users?
  bool findBest(llvm::PHINode &Phi, llvm::Instruction &New,
                llvm::ArrayRef<const llvm::Value *> Users) {
    return Best.find(Nest, Phi, New, Users);
  }
  /// After that: do \p Values, of which \p Users know, change with it and
  /// follow from the iteration, in a nest that only reads and can be counted?
  bool find(llvm::ArrayRef<WithBest> Values,
            llvm::ArrayRef<const llvm::Value *> Users);
  /// Is \p V one of the nest's that go away?
  bool isOurs(const llvm::Value &V) const;

  /// Behind the nest, at \p B, what goes with the best one is of iteration
  /// \p Place, or what it was before the nest if \p IsOld.  The best one itself
  /// is \p Number, if that is not null.
  void leave(llvm::IRBuilder<> &B, llvm::Value *Number, llvm::Value *IsOld,
             llvm::Value *Place, llvm::LoopInfo &LI, llvm::DominatorTree &DT);
  /// Take away what goes with it in the nest.
  void drop() {
    for (auto &[Other, Taken] : Companions)
      Other.drop(SE);
  }

  CarriedValue Best;
  NestIterations All;
  const llvm::Value *Last = nullptr; ///< what the best one is at the end

private:
  llvm::Loop &Nest, &L;
  llvm::ScalarEvolution &SE;
  llvm::SmallVector<std::pair<CarriedValue, llvm::Value *>, 2> Companions;

  bool findLast();
};

} // namespace polygpu

#endif
