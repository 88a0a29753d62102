//===- DeadAfter.h - Memory that is dead after a SCoP -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What a SCoP writes to a local variable, or to memory that the function got
/// from malloc and tells nobody about, need not leave the device if nothing
/// reads it afterwards.  Proven by a walk over the control flow from the SCoP's
/// exit: it meets no instruction that may read the memory before it ends (end
/// of the variable's life, free, return) or begins anew.  The loops of the SCoP
/// are met like others, where an outer loop leads back to them.
///
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_DEADAFTER_H
#define POLYGPU_DEADAFTER_H

namespace llvm {
class TargetLibraryInfo;
class Value;
} // namespace llvm

namespace polly {
class Scop;
}

namespace polygpu {

/// Is nothing of the memory that \p Base points into read after \p S?  False
/// when in doubt.
bool isDeadAfter(const polly::Scop &S, const llvm::Value *Base,
                 const llvm::TargetLibraryInfo &TLI);

} // namespace polygpu

#endif
