//===- OffsetExits.h - Ends of loops by offsets of pointers -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// "do { ... p -= 8; } while (p >= x)" with a pointer that was made of x: how
// often the loop runs depends on the address of x, for all that is known of
// addresses, as p could wrap around below it.  But steps that are in bounds
// stay in the object that x is in, or right behind it, and no object has more
// than half of all addresses.  So p >= x is true where p - x, a signed number,
// is not below 0. That number gets a counter of its own, which the loop's end
// is about.
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_OFFSETEXITS_H
#define POLYGPU_OFFSETEXITS_H

#include "llvm/IR/PassManager.h"

namespace polygpu {

struct OffsetExitsPass : llvm::PassInfoMixin<OffsetExitsPass> {
  llvm::PreservedAnalyses run(llvm::Function &F,
                              llvm::FunctionAnalysisManager &FAM);
};

} // namespace polygpu

#endif
