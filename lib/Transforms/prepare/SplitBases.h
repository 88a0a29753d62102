//===- SplitBases.h - Several arrays below one pointer ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// To Polly all that is reached from one pointer is one array with one element
/// type and one row size.  Two things are not:
///
/// Fields of structures, like s->a[i][j] and s->b[i], or p[i].x and p[i].w.
/// Where element types or rows differ, each kind gets a pointer of its own, to
/// the first field of its kind.  The bytes that they access are compared
/// exactly, and that no byte belongs to two of them becomes a part of the
/// run-time condition.  So does a field with rows, by itself, which begins
/// where rows from the pointer on would not.  A local array that is seen with
/// rows of several sizes from one element on has one subscript instead.
///
/// Parts of one allocation: w, w + n * m and w + 2 * n * m.  Polly's run-time
/// condition compares the ranges of what is accessed.
///
/// Planes of one array: u[0] and u[1], where a time loop reads one and writes
/// the other; their ranges are compared as well.
///
/// The pointers are hidden (adaptor/HiddenValues.h).  What the SCoP needs for
/// them to be separate: scop/SeparateFields.h.
///
//===----------------------------------------------------------------------===//

#ifndef POLYGPU_SPLITBASES_H
#define POLYGPU_SPLITBASES_H

#include "llvm/IR/PassManager.h"

namespace llvm {
class LoopInfo;
} // namespace llvm

namespace polygpu {

/// Give arrays below one pointer pointers of their own.  To run before
/// InstCombine, which drops the types of fields.
void splitBases(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);

/// Give the planes of arrays whose first subscript is a constant wherever loops
/// access them pointers of their own.  True if there are any.
bool splitPlanes(llvm::Function &F, const llvm::LoopInfo &LI);

} // namespace polygpu

#endif
