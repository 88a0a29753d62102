//===- Forward.h - A function that calls another one like it --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_FORWARD_H
#define POLYGPU_FORWARD_H

#include "llvm/IR/DebugLoc.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"

namespace polygpu {

/// Is \p Copy called with a scope (polygpu_keep_begin), as last argument?
bool takesScope(const llvm::Function &F, const llvm::Function &Copy);

/// Append "return Copy(all arguments of F)" to \p BB, a block without end of a
/// function that is called like \p F; a copy that takes a scope gets one of
/// its own, or none (0).
void forward(llvm::Function &F, llvm::Function &Copy, llvm::BasicBlock *BB,
             bool MustTail, const llvm::DebugLoc &Loc, bool OwnScope = true);

/// Have \p Call, which gives a copy no scope, give it one of its own.
void giveScope(llvm::CallInst &Call);

/// A function that is called like \p F and calls \p Copy, which takes a scope,
/// with one of its own.
llvm::Function *scopedCopy(llvm::Function &F, llvm::Function &Copy);

} // namespace polygpu

#endif
