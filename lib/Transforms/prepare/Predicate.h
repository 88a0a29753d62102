//===- Predicate.h - Conditions on data become choices between values -----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A branch on data, like if (c[i] > 0) a[i] = b[i], has no place in a
// polyhedral model.  While SCoPs are looked for and offloaded the blocks behind
// it are straight-line code:
//
//   x = b[i]                          guarded by c[i] > 0
//   old = a[i]                        guarded
//   a[i] = c[i] > 0 ? x : old         guarded
//
// On the device, whose memory is ours, that is what kernels do: an access under
// a condition is one that always happens, and what it may leave there is read
// before.  In the model nothing is lost, then: a guarded store is a read of
// what was there, and no earlier store is dead for it.  The program has no such
// accesses: the runtime is told which elements only guarded ones access
// (dependence/conditions.c), and restore() gives each guarded instruction of
// the original loops its branch again.
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_PREDICATE_H
#define POLYGPU_PREDICATE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/ValueHandle.h"
#include <string>

namespace llvm {
class BasicBlock;
class Function;
class Instruction;
class PHINode;
class Value;
} // namespace llvm

namespace polygpu {

/// A branch on data, and where its ways meet.
struct DataCondition {
  llvm::BasicBlock *Entry, *Exit;
  bool Same = false; ///< in all iterations
};

/// Why \p I cannot be under a condition on data; nothing if it can.
std::string whyNotGuarded(const llvm::Instruction &I);

/// The guarded instructions of a function.
class Predication {
public:
  /// Make straight-line code of what is under \p Conditions, which are in the
  /// order of the program.  Returns how many were possible; \p WhyNot is why
  /// the first one was not.  \p Gone is called for each block before it is
  /// deleted.  No analysis of the function holds then.
  unsigned add(llvm::ArrayRef<DataCondition> Conditions, std::string &WhyNot,
               llvm::function_ref<void(llvm::BasicBlock &)> Gone);

  /// Does the program execute \p I under a condition only?
  bool isGuarded(const llvm::Instruction &I) const;

  /// The condition; null if it is not known any more.
  llvm::Value *guardOf(const llvm::Instruction &I) const;

  /// \p Test, on a flag (FlagSteps.h), has the value \p HoldsUnset while the
  /// flag is unset.  The first of \p Free is what sets it then, and that is no
  /// matter where it is set; the others are known where it is unset only.
  void addTest(llvm::Value &Test, bool HoldsUnset,
               llvm::ArrayRef<llvm::PHINode *> Free);
  bool isTest(const llvm::Value &V) const;

  /// Give all guarded instructions their branches again.  False if one is
  /// without its condition: the function is not to be used then.
  [[nodiscard]] bool restore();

private:
  struct Guarded {
    llvm::WeakVH At; ///< null when it is gone
    llvm::WeakTrackingVH Guard;
  };
  // Beside the function: a kind of metadata would stay in the module's context.
  llvm::SmallVector<Guarded, 16> List;
  llvm::DenseMap<const llvm::Instruction *, unsigned> Places; ///< in it

  struct FlagTest {
    llvm::WeakTrackingVH Test;
    bool HoldsUnset;
    llvm::SmallVector<llvm::WeakVH, 4> Free;
    /// What is made of the first of those, without the test.
    llvm::WeakTrackingVH Step;
  };
  llvm::SmallVector<FlagTest, 1> Tests;

  [[nodiscard]] bool restoreTests();

  friend class Predicator;
  friend class CarriedGuards;
};

} // namespace polygpu

#endif
