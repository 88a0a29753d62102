//===- IndexFinder.h - What indices may lead to -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which loads read at places that are no affine functions of counters, of which
// the smallest and the largest can be found in front of the loops, as
// host/IndexRanges.cpp does.
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_INDEXFINDER_H
#define POLYGPU_INDEXFINDER_H

#include "llvm/ADT/APInt.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include <optional>

namespace llvm {
class DataLayout;
class Instruction;
class LoadInst;
class Loop;
class LoopInfo;
class PHINode;
class SCEV;
class ScalarEvolution;
class Type;
class Value;
} // namespace llvm

namespace polygpu {

/// An address as bytes from a pointer.
struct Place {
  llvm::Value *Base;
  llvm::SmallMapVector<llvm::Value *, llvm::APInt, 4>
      Terms; ///< times constants
  llvm::APInt Constant;
};

std::optional<Place> takeApart(llvm::Value *Pointer,
                               const llvm::DataLayout &DL);

/// Can kernels compute with it?
bool isNumber(llvm::Type *Ty);

/// Is it the address of something that does not change in loops?
bool isBase(const llvm::Value *V);

/// Looks at the loads of a function.
class IndexFinder {
public:
  /// With \p Body, a loop that is to be a call, also of its loads.
  IndexFinder(const llvm::LoopInfo &LI, llvm::ScalarEvolution &SE,
              const llvm::DataLayout &DL, const llvm::Loop *Body = nullptr)
      : LI(LI), SE(SE), DL(DL), Body(Body) {}

  /// The loop around \p Load in which its place depends on data and what it may
  /// lead to can be said, or null.  With "Computed" it may depend on counters
  /// alone.
  const llvm::Loop *find(const llvm::LoadInst &Load, bool Computed = false);
  /// Is the place the same in all iterations of \p L?
  bool isSameIn(const llvm::LoadInst &Load, const llvm::Loop &L);
  /// Does \p L run as often whatever \p Around has read?
  bool isCounted(const llvm::Loop &L, const llvm::Loop &Around);
  /// Are all addresses there those of elements of an array of \p Ty?
  bool isElement(const Place &P, llvm::Type *Ty);
  /// Can the smallest and the largest value of \p V be found before \p Top,
  /// from what is read there?
  bool isBounded(const llvm::Value *V, const llvm::Loop &Top);
  /// The loop around \p L, or \p L, that is as far out as one SCoP can be.
  const llvm::Loop *outermost(const llvm::Loop *L,
                              llvm::ArrayRef<const llvm::Value *> Bases);
  /// The value of a counter of the body in the last iteration, or one that is
  /// larger by less than a step, if it goes up and does not wrap around; else
  /// null.
  const llvm::SCEV *lastOf(const llvm::PHINode &Phi);

private:
  const llvm::LoopInfo &LI;
  llvm::ScalarEvolution &SE;
  const llvm::DataLayout &DL;
  const llvm::Loop *Body;
  /// In the loop that is looked at.
  llvm::SmallPtrSet<const llvm::Value *, 16> Bounded;

  bool isIrregular(const llvm::SCEV *E, const llvm::Loop &L);
  bool isIrregular(const Place &P, const llvm::Loop &L);
  bool wrapsSoon(const Place &P);
  bool isBounded(const llvm::Value *V, const llvm::Loop &Top, unsigned Steps);
  bool isBounded(const llvm::Instruction &I, const llvm::Loop &Top,
                 unsigned Steps);
  bool isFinite(const llvm::Value *V, const llvm::Loop &Top, unsigned Steps);
  bool isBoundedCounter(const llvm::PHINode &Phi, const llvm::Loop &Top);
};

} // namespace polygpu

#endif
