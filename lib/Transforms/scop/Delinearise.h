//===- Delinearise.h - Rows and columns of a[i * n + j] ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Polly divides the offset of a[(n - 1 - i) * (n + 1)] by the row size n as
/// expressions are divided, and gets subscripts like [-i][n * n - 1 - i] or
/// [n - i][-1 - i], which its own assumption that subscripts stay within rows
/// then excludes.  Here the offset is multiplied out and divided as a
/// polynomial, and the subscript of a row is made to lie in the row where that
/// can be seen: [i + 1][j - 4] of rows with n + 4 elements is [i][n + j].  If
/// that cannot be seen of all accesses to an array, row sizes are tried that
/// its counters are multiplied by: Polly takes n as the row size of a[j * (n +
/// 1) + i], and i + j as the subscript.  The linearised address is the same in
/// any case, and the assumption remains, so that a bad choice costs the
/// offloading only.
///
//===----------------------------------------------------------------------===//

#ifndef POLYGPU_DELINEARISE_H
#define POLYGPU_DELINEARISE_H

namespace llvm {
class DominatorTree;
class LoopInfo;
class Region;
class ScalarEvolution;
} // namespace llvm
namespace polly {
class ScopDetection;
}

namespace polygpu {

/// Replace the subscripts and row sizes that \p SD found for \p R, a region
/// that it took.
void refineSubscripts(const polly::ScopDetection &SD, const llvm::Region &R,
                      const llvm::LoopInfo &LI, const llvm::DominatorTree &DT,
                      llvm::ScalarEvolution &SE);

} // namespace polygpu

#endif
