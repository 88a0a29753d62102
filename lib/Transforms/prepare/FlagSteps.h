//===- FlagSteps.h - Flags that are looked at before more is --*- C++ -*---===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// "if (!found && a[i] > x) found = 1;" and "fine = fine && a[i] > 0;" look at
// a[i] only while the variable is what it was before the loop:
//
//   found8 = phi 0, found8.next            of 8 bits: has it been set?
//   if (found8 == 0)                       a test
//       step = a[i] > x
//   step = phi 0, step
//   found8.next = found8 | step            a reduction
//
// Where the test does not hold, the flag is set, and whatever the step is
// changes nothing.  Predicate leaves the test out of the step, and keeps it for
// what is read: on the device steps are independent.
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_FLAGSTEPS_H
#define POLYGPU_FLAGSTEPS_H

namespace llvm {
class Loop;
}

namespace polygpu {
class Predication;

/// Those of \p L, whose tests are told to \p Guarded; true if there are any.
bool openFlagSteps(llvm::Loop &L, Predication &Guarded);

} // namespace polygpu

#endif
