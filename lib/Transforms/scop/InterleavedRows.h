//===- InterleavedRows.h - Rows that lie between others' --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rows behind pointers that are allocated in turns, L[i] = malloc(...), U[i] =
// malloc(...), are two matrices of one distance from row to row, each in the
// gaps of the other: their ranges overlap, and their rows do not.  So it is
// with two columns of one matrix, x[i * n] and y[i * n], or blocks side by
// side. What is accessed of rows, in bytes from the first row's begin on,
// repeats itself with that distance; so if the two parts of one distance do not
// meet, nothing of the matrices does, whichever rows are accessed.
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_INTERLEAVEDROWS_H
#define POLYGPU_INTERLEAVEDROWS_H

#include "scop/EqualArrays.h"
#include "llvm/ADT/DenseSet.h"
#include <isl/isl-noexceptions.h>

namespace polygpu {

/// Of row 0 the first element that is accessed in any row, and the one behind
/// the last.
struct RowPart {
  isl::pw_multi_aff First, End;
  /// Elements from row to row of an array of one dimension, as two in
  /// z[2 * i]; 0: as many as the last dimension has.
  int64_t Step = 0;
};

/// That of matrices, and which two of them may lie between each other's rows.
struct RowParts {
  llvm::DenseMap<const polly::ScopArrayInfo *, RowPart> Of;
  llvm::DenseSet<
      std::pair<const polly::ScopArrayInfo *, const polly::ScopArrayInfo *>>
      Pairs;

  bool mayBeBetween(const polly::ScopArrayInfo *A,
                    const polly::ScopArrayInfo *B) const {
    return Pairs.contains({A, B}) || Pairs.contains({B, A});
  }
};

/// Of the arrays that the run-time condition of \p S compares.
RowParts findRowParts(polly::Scop &S);

/// Arrays whose ranges may overlap without harm.
struct HarmlessOverlaps {
  ArrayPairs Equal;
  RowParts Rows;
};

} // namespace polygpu

#endif
