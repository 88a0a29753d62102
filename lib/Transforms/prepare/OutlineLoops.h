//===- OutlineLoops.h - Loops that run as often as data say -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A loop like one over a row of a sparse matrix, with its condition and its
// result, becomes a call of a function that has it (IndirectReads.h).
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_OUTLINELOOPS_H
#define POLYGPU_OUTLINELOOPS_H

#include "prepare/IndirectPlaces.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"

namespace polygpu {

/// A loop that only reads and has a few results, with the condition under which
/// it is entered; or one whose result is an element that it updates.
class LoopOutliner {
public:
  LoopOutliner(llvm::Loop &L, const llvm::LoopInfo &LI,
               llvm::ScalarEvolution &SE, const llvm::DataLayout &DL)
      : L(L), SE(SE), DL(DL), Find(LI, SE, DL) {
    Find.Body = &L;
  }

  /// Can it be a call?
  bool accept();
  llvm::CallInst *run();

  /// Of an element that is updated in memory: where it is, and the loop as it
  /// was, as a function of what the call has but its last number, and of that.
  llvm::Value *Element = nullptr;
  llvm::Align Alignment;
  llvm::Function *InMemory = nullptr;

private:
  llvm::Loop &L;
  llvm::ScalarEvolution &SE;
  const llvm::DataLayout &DL;
  PlaceFinder Find;
  llvm::BranchInst *Guard = nullptr; ///< null: it is always entered
  llvm::BasicBlock *Entry = nullptr; ///< the loop's preheader
  bool Reads = false;                ///< that reads, and comes along
  llvm::BasicBlock *Before = nullptr, *After = nullptr;
  /// At its end or, with a guard, behind that.
  llvm::SmallVector<llvm::PHINode *, 4> Results;
  llvm::SmallVector<llvm::BasicBlock *, 8> Blocks;
  llvm::SmallSetVector<llvm::Value *, 4> Bases;
  llvm::SmallSetVector<llvm::Value *, 8> Numbers;
  llvm::SmallVector<llvm::PHINode *, 4>
      Counters; ///< integer phis of the header
  llvm::DenseMap<const llvm::LoadInst *, Place> Places;
  llvm::StoreInst *Update = nullptr;
  llvm::SmallVector<llvm::LoadInst *, 2> Older; ///< loads of what is updated

  bool findUpdate();
  bool hasForm();
  bool accept(llvm::Instruction &I);
  void carry();
  bool isInside(const llvm::Value *V) const;
  void addNumber(llvm::Value *V);
  bool isResult(const llvm::Value *V) const;
  llvm::Type *resultType() const;
  llvm::Function *makeBody();
  llvm::CallInst *makeCall(llvm::Function &Body);
  void useCall(llvm::CallInst &Call);
};

} // namespace polygpu

#endif
