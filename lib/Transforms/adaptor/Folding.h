//===- Folding.h - Subscripts in front of a row ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An element in front of its row belongs to the row before: A[i][-1] is
// A[i - 1][m - 1] where rows have m elements, and A[i][m] is A[i + 1][0]. Polly
// takes the first parameter of a row's size for the size, which is right for m,
// and wrong for m + 1, 2 * m and m + n.  So the linker sends the calls of the
// function that does it here
// (--wrap).
//
// If Polly renames that function, linking fails; if it comes to inline it,
// VerifyModel refuses such loops again.
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_FOLDING_H
#define POLYGPU_FOLDING_H

#include "llvm/ADT/ArrayRef.h"
#include "isl/isl-noexceptions.h"

namespace polygpu {

/// \p Accesses, { S[i] -> A[x] }, with subscripts that are not negative where
/// the row before has room, and likewise \p Behind the end of rows; \p Sizes
/// are those of the dimensions, of parameters, null for what has no size or a
/// constant one.
isl::map foldAccesses(isl::map Accesses, llvm::ArrayRef<isl::pw_aff> Sizes,
                      bool Behind);

} // namespace polygpu

#endif
