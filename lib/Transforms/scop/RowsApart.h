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
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_ROWSAPART_H
#define POLYGPU_ROWSAPART_H

namespace polly {
class Scop;
}

namespace polygpu {

/// Are there accesses of single loops in \p S whose distance is a difference of
/// parameters, or a product?  If it is to \p Assume so, iterations do not meet
/// in them afterwards.
bool separateRows(polly::Scop &S, bool Assume);

} // namespace polygpu

#endif
