//===- Prepare.h - A canonical copy of a function to work on --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Everything is done on copies, so that a module in which nothing is
// offloaded stays byte for byte what it was.  A copy has its calls inlined
// where they hide loops or addresses, is canonicalised the way Polly wants
// it, has split addresses merged and math calls in loops freed of errno.
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_PREPARE_H
#define POLYGPU_PREPARE_H

#include "prepare/HoistLoads.h"
#include "prepare/Inliner.h"
#include "prepare/MathErrno.h"
#include "llvm/IR/PassManager.h"

namespace polygpu {

/// Make a prepared copy of \p F at the end of its module; \p Errno marks its
/// math calls and hides their effects.  Calls of functions that are \p Kept are
/// not inlined; \p Nests gets what marks its loops.  Loops have versions as \p
/// Choice allows.
llvm::Function *makeCopy(llvm::Function &F, MathErrno &Errno,
                         const KeptCalls &Kept, InlinedNests &Nests,
                         VersionChoice &Choice,
                         llvm::FunctionAnalysisManager &FAM);

/// Make a copy of \p F, at the end of its module, of which no loop is to be
/// offloaded.  Calls of functions that are "Kept" are not inlined.
llvm::Function *
makeHostCopy(llvm::Function &F,
             llvm::function_ref<bool(const llvm::Function &)> IsKept,
             llvm::FunctionAnalysisManager &FAM);

/// Replace the calls by which makeCopy hides where values come from.
void revealValues(llvm::Function &Copy);

/// Delete a copy that is of no use.
void dropCopy(llvm::Function *Copy, llvm::FunctionAnalysisManager &FAM);

} // namespace polygpu

#endif
