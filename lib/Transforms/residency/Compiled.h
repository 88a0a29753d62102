//===- Compiled.h - What is known of copies when files are linked ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Marks in the IR of copies that were compiled to be linked with other files
// (Link.h).  Passes in between may drop them: what is not marked is no copy, an
// ordinary variable, and a call that stays.
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_COMPILED_H
#define POLYGPU_COMPILED_H

namespace llvm {
class AllocaInst;
class CallBase;
class CallInst;
class Function;
} // namespace llvm

namespace polygpu {

/// The copy takes a scope, and what it calls with its scope are such copies.
bool isCompiled(const llvm::Function &Copy);
void setCompiled(llvm::Function &Copy);
/// Does \p Call call one?
bool isCallOfCompiled(const llvm::CallBase &Call);

/// The variable is for arguments of the runtime, and no memory of the program.
bool isMarkedSlot(const llvm::AllocaInst &A);
void markSlot(llvm::AllocaInst &Slot);

/// The call tells of an access that is there without it.
void markTouch(llvm::CallInst &Call);
/// Remove all that are marked.
void removeTouches(llvm::Function &F);

} // namespace polygpu

#endif
