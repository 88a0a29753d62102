//===- IndirectCalls.h - Calls that stand for indirect reads ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a call that IndirectReads has made stands for, and what its arguments
// are.
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_INDIRECTCALLS_H
#define POLYGPU_INDIRECTCALLS_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <utility>

namespace llvm {
class Argument;
class CallInst;
class DataLayout;
class Instruction;
class LoadInst;
class PHINode;
class Value;
} // namespace llvm

namespace polygpu {

/// How the names of their functions begin.
inline constexpr const char *IndirectPrefix = "polygpu.indirect.";

/// The call \p V is, if it stands for indirect reads, or for one and an update
/// of what it reads (prepare/IndirectUpdates.h).  The function that is called
/// has them, and has no other calls.  Its arguments are pointers to arrays,
/// then numbers, then for each integer phi of its loop's header, in their
/// order, the value in the last iteration; poison if that is no counter.
const llvm::CallInst *indirectRead(const llvm::Value *V);

/// Is \p V in the body of one, or an argument there?
bool isInBody(const llvm::Value *V);

/// Call \p Visit for \p V and for the numbers that it is computed from, in
/// bodies and where they are called, as far as it says yes to them; not for
/// what only says which of two numbers it is.
void visitSources(const llvm::Value &V,
                  llvm::function_ref<bool(const llvm::Value &)> Visit);

/// What the caller passes for \p A of a body; null if there are several calls.
llvm::Value *passedFor(const llvm::Argument &A);

/// The loads that \p Call stands for.
llvm::SmallVector<const llvm::LoadInst *, 4>
readsOf(const llvm::CallInst &Call);

/// The one whose value is that of the call, or null.
const llvm::LoadInst *resultOf(const llvm::CallInst &Call);

/// Where \p Load of its body reads: so many bytes from a pointer of the
/// caller's.
struct IndirectPlace {
  llvm::Value *Base;
  llvm::Value *Offset; ///< in the body, i64
};
IndirectPlace placeOf(const llvm::LoadInst &Load);

/// The smallest and the largest value of a counter of the loop of a body, as
/// arguments or constants; null if \p Phi is none.
std::pair<llvm::Value *, llvm::Value *> boundsOf(const llvm::PHINode &Phi);

/// Is \p I a call whose result goes one way with each of its arguments (fabs:
/// two), so that it is between those for the ends of ranges?
bool isMonotone(const llvm::Instruction &I);

/// May the device compute \p I in a way that rounds otherwise?
bool mayRoundOtherwise(const llvm::Instruction &I);

/// The bytes from \p Base on that are there, as its type says, or 0.
uint64_t knownBytes(const llvm::Value *Base, const llvm::DataLayout &DL);

} // namespace polygpu

#endif
