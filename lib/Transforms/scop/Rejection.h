//===- Rejection.h - Why Polly's detection turned loops down -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_REJECTION_H
#define POLYGPU_REJECTION_H

#include "Remarks.h"

namespace llvm {
class Loop;
class RegionInfo;
} // namespace llvm

namespace polly {
class ScopDetection;
}

namespace polygpu {

/// The reason for which Polly's detection turned down \p L.
Refusal explainRejection(const llvm::Loop &L, llvm::RegionInfo &RI,
                         const polly::ScopDetection &SD);

} // namespace polygpu

#endif
