//===- HostWrites.h - What code of the host may write ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Device copies of arrays outlive their run (residency.h of the runtime), so
// before anything on the host writes such memory, the runtime has to hear of
// it.  What is not proven here to leave it alone writes everything.
//
// Reading needs no word: results are in the host's memory when a run ends.  Nor
// does the birth or the end of an object: what it holds is undefined until it
// is written, by way of a pointer to it, and that is seen.
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_HOSTWRITES_H
#define POLYGPU_HOSTWRITES_H

#include "residency/LibraryCalls.h"
#include "residency/QuietFunctions.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/AliasAnalysis.h"

namespace llvm {
class AllocaInst;
}

namespace polygpu {

/// Answers for the arrays with these bases, in any iteration of loops around.
class HostWrites {
public:
  HostWrites(llvm::ArrayRef<llvm::Value *> Bases, llvm::Function &F,
             llvm::FunctionAnalysisManager &FAM);

  HostWrite of(llvm::Instruction &I);

private:
  llvm::ArrayRef<llvm::Value *> Bases;
  llvm::FunctionAnalysisManager &FAM;
  llvm::BatchAAResults AA;
  QuietFunctions Quiet;
  llvm::SmallPtrSet<const llvm::Value *, 8> Objects; ///< of the bases

  bool mayBeArray(const llvm::Value *Pointer);
  bool isSlot(const llvm::AllocaInst &A) const;
  HostWrite bytes(llvm::Value *First, llvm::Value *Size, uint64_t FixedSize);
  HostWrite ofCall(llvm::CallBase &Call);
};

} // namespace polygpu

#endif
