//===- MutateScop.h - Errors planted in a SCoP ------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For tests (Mutate.h): errors that a simplification of Polly's could make.
// All that follows works with them, as it would if they were real.
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_MUTATESCOP_H
#define POLYGPU_MUTATESCOP_H

namespace polly {
class Scop;
}

namespace polygpu {

/// Make wrong what -gpu-mutate names: an access of \p S goes to the next
/// element, or a write is lost.
void plantErrors(polly::Scop &S);

} // namespace polygpu

#endif
