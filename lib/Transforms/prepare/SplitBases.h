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
/// run-time condition.
///
/// Parts of one allocation: w, w + n * m and w + 2 * n * m.  Polly's run-time
/// condition compares the ranges of what is accessed.
///
/// The pointers are calls of an unknown function, until revealPointers.
///
//===----------------------------------------------------------------------===//

#ifndef POLYGPU_SPLITBASES_H
#define POLYGPU_SPLITBASES_H

#include "Remarks.h"
#include "llvm/IR/PassManager.h"
#include <optional>

namespace polly {
class Scop;
}

namespace polygpu {

/// Name of the function that returns its first argument plus its second.
inline constexpr const char *HiddenPointerName = "polygpu.hidden.pointer";

/// Give arrays below one pointer pointers of their own.  To run before
/// InstCombine, which drops the types of fields.
void splitBases(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);

/// Undo it: the pointers are sums again.
void revealPointers(llvm::Function &F);

/// What \p V is an offset to, if it is such a pointer, else null.
const llvm::Value *hiddenOrigin(const llvm::Value *V, int64_t &Offset);

/// Assume that the fields in \p S share no byte, instead of comparing ranges,
/// which are interleaved.  Refuses if they always do.
std::optional<Refusal> separateFields(polly::Scop &S);

} // namespace polygpu

#endif
