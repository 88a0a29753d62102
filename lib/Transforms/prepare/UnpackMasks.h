//===- UnpackMasks.h - Values that are packed where a mask holds -*- C++ -*-==//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Of where (m) b = 2 * b flang makes two nests: one computes the values for
/// which the mask holds, one behind the other, into memory of its own, and one
/// takes them from there.
///
///   k = 1                              k = 1
///   for (j) for (i)                    for (j) for (i)
///     if (m[j][i]) t[k++] = 2 * b...     if (m[j][i]) b[j][i] = t[k++]
///
/// Which place is the next one depends on data.  Where both nests go through
/// the same iterations and have the same condition in each of them, and nothing
/// changes what that reads, each iteration may as well have a place of its own,
/// t[j * m + i], in memory that is large enough.
///
//===----------------------------------------------------------------------===//

#ifndef POLYGPU_UNPACKMASKS_H
#define POLYGPU_UNPACKMASKS_H

#include "llvm/IR/PassManager.h"

namespace polygpu {

/// A pass over functions whose loops are rotated and simple.
class UnpackMasksPass : public llvm::PassInfoMixin<UnpackMasksPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &F,
                              llvm::FunctionAnalysisManager &FAM);
};

} // namespace polygpu

#endif
