//===- Candidates.h - Functions whose loops may be offloaded -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_CANDIDATES_H
#define POLYGPU_CANDIDATES_H

#include "Remarks.h"
#include "llvm/ADT/SmallPtrSet.h"
#include <optional>

namespace llvm {
class Module;
}

namespace polygpu {

/// Callees of at most this many instructions are inlined into loops.
inline constexpr unsigned MaxInlineInLoop = 2000;

/// True if the control flow of \p F has a cycle.
bool hasLoops(const llvm::Function &F);

/// True if an earlier run of the pass made \p F or offloaded loops of it.
bool isMarked(const llvm::Function &F);

/// True if \p F is marked, or calls the runtime: by inlining of offloaded code,
/// or since it was written so.
bool isProcessed(const llvm::Function &F);

/// True if each call of \p F as written is to be counted, inlined or not.
bool isInstrumented(const llvm::Function &F);

/// Is there code to be added to \p F that counts or traces its calls?
bool noticesCalls(const llvm::Function &F);

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

/// Does \p F look at its caller's frame, so that a copy of it has to be
/// reached by a jump?
bool needsOwnFrame(const llvm::Function &F);

/// Can functions jump to others of the same type on this machine?
bool canForward(const llvm::Function &F);

} // namespace polygpu

#endif
