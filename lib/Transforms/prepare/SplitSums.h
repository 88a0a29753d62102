//===- SplitSums.h - What is summed up in order, apart ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   for (i) { t = 0; for (j) t += ...; s += q[i] * t; }
//
// A floating-point sum keeps its order, so that the iterations of i do, and yet
// what is added, t, takes all the time and could be computed for all i at once.
// Polly sees one scalar, t, that each iteration uses again.  Here it is an
// element of a variable in memory, and the addition a block of its own: the
// core gives each iteration a copy of the variable then, and has one thread add
// them up.
//
//   for (i) { w[i] = f(p[i]); s += w[i] * p[i]; }
//
// Here the sum is moved behind the store, a block of its own that reads w[i]
// and p[i] again; where these may have been overwritten, or what is added was
// computed otherwise, such a variable is put between.
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_SPLITSUMS_H
#define POLYGPU_SPLITSUMS_H

#include "llvm/ADT/STLFunctionalExtras.h"

namespace llvm {
class AAResults;
class AllocaInst;
class Instruction;
class Loop;
} // namespace llvm

namespace polygpu {

/// On memory that is no variable of the program.
inline constexpr char PartNote[] = "polygpu.part";

/// Memory for what is like \p E; in front of all of the function.
llvm::AllocaInst *partMemory(llvm::Instruction &E);

/// Memory to which \p E is stored as soon as it is known.
llvm::AllocaInst *keepInMemory(llvm::Instruction &E);

/// Part sums and products in \p L of floating-point numbers from what loops
/// inside compute for them.  True if there were any; no analysis of the
/// function holds then.
bool splitSums(llvm::Loop &L);

/// Part sums and products in the innermost loop \p L of floating-point numbers
/// from its stores, if \p Nest is given those that each loop up to it carries
/// on.  What \p IsKept holds for is read and stored once.  True if there were
/// any; no analysis of the function holds then.
bool moveSums(llvm::Loop &L, llvm::AAResults &AA, const llvm::Loop *Nest,
              llvm::function_ref<bool(const llvm::Instruction &)> IsKept);

} // namespace polygpu

#endif
