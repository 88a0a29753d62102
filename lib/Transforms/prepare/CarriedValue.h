//===- CarriedValue.h - What the loops of a nest carry on -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A variable that one block of a nest changes, an innermost loop's, is a phi at
// the begin of each loop around, and behind each that is left.  Another number
// instead of it goes the same way.
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_CARRIEDVALUE_H
#define POLYGPU_CARRIEDVALUE_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

namespace llvm {
class Loop;
class ScalarEvolution;
} // namespace llvm

namespace polygpu {

class CarriedValue {
public:
  /// What \p Own, in the header of an innermost loop of \p Nest, is, which
  /// becomes \p New there.  False if anything in the nest knows of it but the
  /// phis that it goes through, New and \p Users.
  bool find(llvm::Loop &Nest, llvm::PHINode &Own, llvm::Instruction &New,
            llvm::ArrayRef<const llvm::Value *> Users);

  /// The same in a copy of the nest.
  CarriedValue copy(llvm::Loop &NestCopy,
                    const llvm::ValueToValueMapTy &Copies) const;

  llvm::Loop &nest() const { return *Nest; }
  llvm::PHINode &own() const { return *Own; }
  /// What it is in front of all loops.
  llvm::Value *first() const;
  /// That is \p V in \p Other where all phis of both are in the same blocks and
  /// get what corresponds from each; null if they are not.
  const llvm::Value *counterpart(const llvm::Value &V,
                                 const CarriedValue &Other) const;
  bool contains(const llvm::Value &V) const;

  /// Carry \p Begin on instead, which becomes what \p Update says.  Returns
  /// what it is, for each value of this one.
  llvm::DenseMap<const llvm::Value *, llvm::Value *>
  carry(llvm::Value &Begin,
        llvm::function_ref<llvm::Value *(llvm::Value &)> Update) const;

  /// Take it away.
  void drop(llvm::ScalarEvolution &SE);

private:
  llvm::Loop *Nest = nullptr;
  llvm::PHINode *Own = nullptr;
  llvm::Instruction *New = nullptr;
  llvm::SmallVector<llvm::PHINode *, 8> Phis;
};

} // namespace polygpu

#endif
