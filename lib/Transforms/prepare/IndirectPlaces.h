//===- IndirectPlaces.h - Where indirect reads read -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What IndirectReads and OutlineLoops have in common: addresses as bytes from a
// pointer, whether it can be said what they may lead to, and the function that
// a call stands for.
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_INDIRECTPLACES_H
#define POLYGPU_INDIRECTPLACES_H

#include "llvm/ADT/APInt.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include <optional>

namespace polygpu {

/// Operations between an index that is read and the address.
static const unsigned MaxSteps = 16;

/// An address as bytes from a pointer.
struct Place {
  llvm::Value *Base;
  llvm::SmallMapVector<llvm::Value *, llvm::APInt, 4>
      Terms; ///< times constants
  llvm::APInt Constant;
};

/// Looks at the loads of a function.
class PlaceFinder {
public:
  PlaceFinder(const llvm::LoopInfo &LI, llvm::ScalarEvolution &SE,
              const llvm::DataLayout &DL)
      : LI(LI), SE(SE), DL(DL) {}

  /// The loop around \p Load in which its place depends on data and what it may
  /// lead to can be said, or null.  With "Computed" it may depend on counters
  /// alone.
  const llvm::Loop *find(const llvm::LoadInst &Load, bool Computed = false);
  /// Is \p Load one of a place that is the same in all loops that may be one
  /// SCoP, and happens under a condition on data?  What it updates is another
  /// thread's where the condition does not hold, so that there can be no
  /// partial results.
  bool isOneUnderData(const llvm::LoadInst &Load);
  /// Is the place the same in all iterations of \p L?
  bool isSameIn(const llvm::LoadInst &Load, const llvm::Loop &L);

  const llvm::Loop *Body = nullptr; ///< a loop that is to be a call
  bool isCounted(const llvm::Loop &L, const llvm::Loop &Around);
  bool isElement(const Place &P, llvm::Type *Ty);
  bool isBounded(const llvm::Value *V, const llvm::Loop &Top,
                 unsigned Steps = MaxSteps);
  const llvm::Loop *outermost(const llvm::Loop *L,
                              llvm::ArrayRef<const llvm::Value *> Bases);
  const llvm::SCEV *lastOf(const llvm::PHINode &Phi);

private:
  const llvm::LoopInfo &LI;
  llvm::ScalarEvolution &SE;
  const llvm::DataLayout &DL;

  bool isIrregular(const llvm::SCEV *E, const llvm::Loop &L);
  bool isIrregular(const Place &P, const llvm::Loop &L);
  bool isData(const llvm::Instruction &I, const llvm::Loop &L);
  bool isUnderData(const llvm::BasicBlock *BB, const llvm::Loop &L);
  bool wrapsSoon(const Place &P);
  bool isBounded(const llvm::Instruction &I, const llvm::Loop &Top,
                 unsigned Steps);
  bool isFinite(const llvm::Value *V, const llvm::Loop &Top, unsigned Steps);
  bool isBoundedCounter(const llvm::PHINode &Phi, const llvm::Loop &Top);

  /// In the loop that is looked at.
  llvm::SmallPtrSet<const llvm::Value *, 16> Bounded;
};

/// \p Pointer as bytes from another one, if it is.
std::optional<Place> takeApart(llvm::Value *Pointer,
                               const llvm::DataLayout &DL);

/// Can kernels compute with it?
bool isNumber(llvm::Type *Ty);

/// Is it the address of something that does not change in loops?
bool isBase(const llvm::Value *V);

/// A function of which nothing is known, that stands for reads.
llvm::Function *makeBody(llvm::Type *Ty, llvm::ArrayRef<llvm::Type *> Params,
                         llvm::Module &M);

/// The bytes from its base on, of terms that \p Map gives.
llvm::Value *offsetOf(const Place &P, llvm::IRBuilderBase &B,
                      llvm::function_ref<llvm::Value *(llvm::Value *)> Map);

} // namespace polygpu

#endif
