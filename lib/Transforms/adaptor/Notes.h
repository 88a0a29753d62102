//===- Notes.h - Notes on instructions of copies ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the pass knows of an instruction that it made, by name.  Notes are
// annotations and no kinds of metadata of their own: a module that is left
// alone would keep the name of a kind, and not be byte for byte what it was.
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_NOTES_H
#define POLYGPU_NOTES_H

#include "llvm/ADT/StringRef.h"

namespace llvm {
class Instruction;
} // namespace llvm

namespace polygpu {

/// Let \p I have the note \p Name, and no other one.
void setNote(llvm::Instruction &I, llvm::StringRef Name);

/// Has \p I the note \p Name?
bool hasNote(const llvm::Instruction &I, llvm::StringRef Name);

/// Let \p I have no note.
void dropNote(llvm::Instruction &I);

} // namespace polygpu

#endif
