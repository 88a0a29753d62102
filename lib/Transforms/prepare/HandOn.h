//===- HandOn.h - Variables for the next iteration, in memory ---*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   for (i) { t = x[i]; x[i] = t - last; last = t; }
//
// Nothing waits for what the iteration before has computed, but for a variable
// that it hands on; and that cannot be computed again, since x[i - 1] is
// another value by then.  To Polly one statement reads the variable and sets
// it.  In memory, set in two steps, it is three statements:
//
//   own = x[i];  x[i] = x[i] - last;  last = own;
//
// of which the core gives each iteration copies (schedule/hand_on.c): then all
// of the first can come in front of all of the second.
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_HANDON_H
#define POLYGPU_HANDON_H

namespace llvm {
class AllocaInst;
class Loop;
class Value;
} // namespace llvm

namespace polygpu {

/// Is \p L left at its latch only, to a block of its own?  What is used behind
/// it is known at its end then.
bool isLeftAtLatch(const llvm::Loop &L);

/// Behind \p L, which is left at its latch, have what uses \p V read \p Memory.
void leaveInMemory(const llvm::Loop &L, const llvm::Value &V,
                   llvm::AllocaInst &Memory);

/// Put the variables that iterations of \p L, an innermost loop, hand on to the
/// next one in memory, but for those that they compute from themselves, as
/// counters and sums.  True if there were any; no analysis of the function
/// holds then but the loops.
bool handOn(llvm::Loop &L);

} // namespace polygpu

#endif
