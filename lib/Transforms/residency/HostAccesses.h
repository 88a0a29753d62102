//===- HostAccesses.h - What code of the host may access
//--------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Device copies of arrays outlive their run, and results may stay there
// (residency.h of the runtime), so before anything on the host accesses such
// memory, the runtime has to hear of it.  What is not proven here to leave it
// alone accesses everything.
//
// Where results do not stay, reading needs no word, nor does the birth or the
// end of an object: what it holds is undefined until it is written, by way of a
// pointer to it, and that is seen.
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_HOSTACCESSES_H
#define POLYGPU_HOSTACCESSES_H

#include "residency/LibraryCalls.h"
#include "residency/QuietFunctions.h"
#include "residency/Runs.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/AliasAnalysis.h"

namespace llvm {
class AllocaInst;
class LifetimeIntrinsic;
} // namespace llvm

namespace polygpu {

/// What runs access: pointers of which the objects count.
struct SharedMemory {
  llvm::SmallVector<llvm::Value *, 16> Accessed; ///< and must not change
  llvm::SmallVector<llvm::Value *, 8> Deferred;  ///< of results that may stay
  llvm::SmallVector<llvm::CallBase *, 4> Calls;  ///< that have runs in them
  bool OfCallers = false; ///< runs of callers may access what they reach
  bool Marked = false;    ///< variables for the runtime's arguments are marked

  /// Are there results that may stay?
  bool staysOnDevice() const {
    return OfCallers || !Calls.empty() || !Deferred.empty();
  }
};

/// Answers for such memory, in any iteration of loops around.
class HostAccesses {
public:
  HostAccesses(const SharedMemory &Shared, const LinkedFunctions &Linked,
               llvm::Function &F, llvm::FunctionAnalysisManager &FAM);

  llvm::SmallVector<HostAccess, 2> of(llvm::Instruction &I);
  /// Of the end of the life of an object; 0: its size is not known.
  HostAccess ofEnd(llvm::Value *Object, uint64_t Size);
  /// Is \p A a variable for arguments of the runtime, and no memory of the
  /// program?
  bool isSlot(const llvm::AllocaInst &A) const;

private:
  const SharedMemory &Shared;
  const LinkedFunctions &Linked;
  llvm::FunctionAnalysisManager &FAM;
  llvm::BatchAAResults AA;
  QuietFunctions Quiet;
  llvm::SmallPtrSet<const llvm::Value *, 8> Objects; ///< of what is accessed

  bool mayBe(const llvm::Value *Pointer, unsigned Mode);
  bool mayBeOfRuns(const llvm::MemoryLocation &Place, unsigned Mode);
  HostAccess bytes(llvm::Value *First, llvm::Value *Size, uint64_t FixedSize,
                   unsigned Mode);
  HostAccess ofLoad(llvm::LoadInst &Load);
  HostAccess ofLifetime(llvm::LifetimeIntrinsic &Marker);
  HostAccess ofWriting(llvm::Instruction &I);
  bool mayRead(llvm::CallBase &Call);
  HostAccess ofReadingCall(llvm::CallBase &Call);
  bool isQuietCall(llvm::CallBase &Call);
  llvm::SmallVector<HostAccess, 2> ofLinkedCall(llvm::CallBase &Call);
  llvm::SmallVector<HostAccess, 2> ofCall(llvm::CallBase &Call);
};

} // namespace polygpu

#endif
