//===- Strides.h - Rows that are sums or products ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// From the strides of an address, like n * m and m, LLVM guesses the rows of an
// array.  In a loop that begins at another one's counter, and at A[i][j][i],
// two strides are one, which ScalarEvolution writes as m * (8 + 8 * n): LLVM
// finds no rows in that.  So the linker sends Polly's calls of the function
// that guesses here (--wrap), and where it finds none it gets another look at
// the summands 8 * n * m and 8 * m.  Where sizes are sums, as of Fortran's
// a(0:n, 0:m, 0:k), strides are divided as polynomials.
//
// With rows of h * w elements, as images have them that are gone through pixel
// by pixel, LLVM divides i + h * w * k first by h, then by w, and takes all of
// it for the rest where either has one.  Subscripts in such rows are made here.
//
// If LLVM renames those functions, linking fails; if Polly comes to call
// others, such loops stay on the host (test/lit/reach/triangles.c, rows.c).
// Whatever rows are guessed, subscripts are made and held against the program
// later.
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_STRIDES_H
#define POLYGPU_STRIDES_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/ScalarEvolution.h"

namespace polygpu {

/// Append the products whose sum \p Stride is to \p Products; false, and some
/// of them are missing, if there are many.
bool addProducts(llvm::ScalarEvolution &SE, const llvm::SCEV *Stride,
                 llvm::SmallVectorImpl<const llvm::SCEV *> &Products);

} // namespace polygpu

#endif
