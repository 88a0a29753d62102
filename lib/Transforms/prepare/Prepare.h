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

#include "Remarks.h"
#include "prepare/MathErrno.h"
#include "llvm/IR/PassManager.h"
#include <optional>

namespace polygpu {

/// Functions that hide the value of their argument begin with it.
inline constexpr const char *HiddenPrefix = "polygpu.hidden.i";

/// True if the control flow of \p F has a cycle.
bool hasLoops(const llvm::Function &F);

/// True if an earlier run of the pass made \p F or offloaded loops of it.
bool isMarked(const llvm::Function &F);

/// True if \p F is marked, or calls the runtime: by inlining of offloaded code,
/// or since it was written so.
bool isProcessed(const llvm::Function &F);

/// True if each call of \p F as written is to be counted, inlined or not.
bool isInstrumented(const llvm::Function &F);

/// Remove from \p F what asks for code that counts or traces its calls.
void dropInstrumentation(llvm::Function &F);

/// Why \p F must be left alone as a whole, if it must.
std::optional<Refusal> refuseFunction(const llvm::Function &F);

/// The functions of \p M that must not be copied, or be called by more
/// functions than call them: they contain what may be there only once, or call
/// such a function that LLVM may inline.
llvm::SmallPtrSet<const llvm::Function *, 4>
findUnduplicable(const llvm::Module &M);
/// Why they are left alone.
Refusal refuseUnduplicable();

/// Make a prepared copy of \p F at the end of its module; \p Errno marks its
/// math calls and hides their effects.
llvm::Function *makeCopy(llvm::Function &F, MathErrno &Errno,
                         llvm::FunctionAnalysisManager &FAM);

/// Replace the calls by which makeCopy hides where values come from.
void revealValues(llvm::Function &Copy);

/// Delete a copy that is of no use.
void dropCopy(llvm::Function *Copy, llvm::FunctionAnalysisManager &FAM);

/// Does \p F look at its caller's frame, so that a copy of it has to be
/// reached by a jump?
bool needsOwnFrame(const llvm::Function &F);

/// Can functions jump to others of the same type on this machine?
bool canForward(const llvm::Function &F);

/// Make \p F call \p Copy where offloading is not switched off.
void commitCopy(llvm::Function &F, llvm::Function *Copy,
                llvm::FunctionAnalysisManager &FAM);

} // namespace polygpu

#endif
