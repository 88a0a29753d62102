//===- SaveFailure.h - What shows an error of the compiler ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// -gpu-save-failures: what is needed to see again why a check refused loops.
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_SAVEFAILURE_H
#define POLYGPU_SAVEFAILURE_H

#include "Remarks.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringRef.h"

namespace llvm {
class GlobalValue;
class Module;
} // namespace llvm

namespace polygpu {

/// Leave in \p M what \p Kept need; all else that is defined is internal.
void reduceTo(llvm::Module &M,
              const llvm::SmallPtrSetImpl<const llvm::GlobalValue *> &Kept);

/// Keep function \p F as it was written, and \p Why its loops that begin at
/// \p Start were refused, with \p Text about them, in \p Directory.
void saveFailure(llvm::StringRef Directory, const llvm::Function &F,
                 const llvm::DebugLoc &Start, const Refusal &Why,
                 llvm::StringRef Text);

} // namespace polygpu

#endif
