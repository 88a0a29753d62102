//===- Rejection.h - Why Polly's detection turned loops down -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_REJECTION_H
#define POLYGPU_REJECTION_H

#include "Remarks.h"
#include "llvm/ADT/SmallVector.h"

namespace llvm {
class LoadInst;
class Loop;
class LoopInfo;
class RegionInfo;
class ScalarEvolution;
} // namespace llvm

namespace polly {
class ScopDetection;
}

namespace polygpu {

/// The reason for which Polly's detection turned down \p L.
Refusal explainRejection(const llvm::Loop &L, llvm::RegionInfo &RI,
                         const polly::ScopDetection &SD,
                         llvm::ScalarEvolution &SE);

/// The loads whose subscripts it turned loops down for, in innermost loops that
/// are in no SCoP.
llvm::SmallVector<llvm::LoadInst *, 8>
loadsTurnedDown(const polly::ScopDetection &SD, llvm::RegionInfo &RI,
                const llvm::LoopInfo &LI, llvm::ScalarEvolution &SE);

} // namespace polygpu

#endif
