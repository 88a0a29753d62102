//===- HoistLoads.h - Bounds and pointers read in loops ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The bound s->n, and the pointer behind v[i][j] of a std::vector, are read
/// again in each iteration.  Where no store of the loop can change them, by
/// their types for example, the load moves in front of the loop.  Nothing else
/// moves: what is computed in loops is best left there for Polly.
///
//===----------------------------------------------------------------------===//

#ifndef POLYGPU_HOISTLOADS_H
#define POLYGPU_HOISTLOADS_H

#include "llvm/IR/PassManager.h"

namespace polygpu {

/// A pass over functions whose loops are rotated.
class HoistLoadsPass : public llvm::PassInfoMixin<HoistLoadsPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &F,
                              llvm::FunctionAnalysisManager &FAM);
};

} // namespace polygpu

#endif
