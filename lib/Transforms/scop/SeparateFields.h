//===- SeparateFields.h - Fields of structures share no byte -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_SEPARATEFIELDS_H
#define POLYGPU_SEPARATEFIELDS_H

#include "Remarks.h"
#include <optional>

namespace polly {
class Scop;
}

namespace polygpu {

/// Assume that the fields in \p S, which prepare/SplitBases gave pointers of
/// their own, share no byte, instead of comparing ranges, which are
/// interleaved. Refuses if they always do.
std::optional<Refusal> separateFields(polly::Scop &S);

} // namespace polygpu

#endif
