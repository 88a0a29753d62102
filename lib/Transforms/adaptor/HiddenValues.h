//===- HiddenValues.h - Values that Polly is to take as they are ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Calls of functions that nobody defines, and of which nothing is known but
// that they have no effect: to scalar evolution, and so to Polly, what they
// return is a value of its own, whatever it is computed from.
//
// A pointer that is a sum of another one and a constant becomes the base of an
// array of its own, and a number of elements that is a difference of pointers a
// parameter.  Both are what they are again when the copy is done.
//
// If scalar evolution comes to look through such calls, arrays below one
// pointer are one array again, and loops are refused that were not; nothing
// gets wrong.
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_HIDDENVALUES_H
#define POLYGPU_HIDDENVALUES_H

#include "llvm/ADT/StringRef.h"
#include "llvm/IR/Instruction.h"
#include <cstdint>

namespace llvm {
class CallInst;
class Function;
class Value;
} // namespace llvm

namespace polygpu {

/// Is \p Name one of the functions that are called?
bool isHidingName(llvm::StringRef Name);

/// Hide where the integer \p I comes from, for all who use it.  If it \p Parts,
/// no SCoP has this place in it.
void hideValue(llvm::Instruction &I, bool Parts = false);

/// A pointer to \p Origin plus \p Offset bytes that seems to be another one,
/// where \p Origin is known in \p F, or null.
llvm::CallInst *hidePointer(llvm::Value *Origin, int64_t Offset,
                            llvm::Function &F);

/// The same at \p Where.
llvm::CallInst *hidePointer(llvm::Value *Origin, int64_t Offset,
                            llvm::InsertPosition Where);

/// What \p V is an offset to, if it is such a pointer, else null.
const llvm::Value *hiddenOrigin(const llvm::Value *V, int64_t &Offset);

/// Undo it in \p F.
void revealHidden(llvm::Function &F);

} // namespace polygpu

#endif
