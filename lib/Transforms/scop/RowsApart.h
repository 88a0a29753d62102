//===- RowsApart.h - Rows of one array that do not meet ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// for (k) { a[i * n + k] = ...; a[j * n + k] = ...; } is parallel if the rows i
// and j are the same one or share nothing, but i * n and j * n are parameters
// to Polly, of which nothing is known.  Where nothing is parallel otherwise,
// the runs in which an iteration accesses what another one does are left to the
// original loop: a part of the run-time condition.
//
// Likewise a[i] = a[i + 1] from element p on, where what is overwritten has to
// be saved in an array that begins at element 0: p is not to be negative.  Nor
// is m in a[i] = a[i + m], or iterations would follow each other.
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_ROWSAPART_H
#define POLYGPU_ROWSAPART_H

namespace polly {
class Scop;
}

namespace polygpu {

/// Are there accesses of single loops in \p S whose distance is a difference of
/// parameters, or a product, or one parameter, or of elements in front of the
/// first one?  If it is to \p Assume so, iterations do not meet in the former
/// afterwards, and there are none of the latter.
bool separateRows(polly::Scop &S, bool Assume);

} // namespace polygpu

#endif
