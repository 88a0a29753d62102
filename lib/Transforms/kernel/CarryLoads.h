//===- CarryLoads.h - Values that the iteration before had ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
///   opt-22 -load-pass-plugin=PolyGPU.so -passes=gpu-carry-loads -S in.ll
///
/// In a[t] = f(a[t - 1]) each iteration waits for memory to give back what the
/// one before has just stored.  Where an innermost loop loads in each iteration
/// what the same thread stored, or loaded, one iteration earlier, and nothing
/// can have changed it in between, the value stays in a register instead; the
/// load moves in front of the loop, for the first iteration.  The same goes for
/// what was stored or loaded in the same iteration, as between the steps of a
/// loop that is unrolled.  Strides may be symbolic; a[t - 2] is carried where
/// a[t - 1] is accessed as well.  No load is made that the loop would not make.
///
/// An element that each iteration stores, and nothing else in the loop touches,
/// is stored behind the loop, as in x[i] -= l[i][j] * x[j] for j < i.  LLVM
/// does that where it sees that x[j] is not x[i].  Until then no load of an
/// iteration can be made before the store of the one before it; now those of
/// 16 iterations are made together.
///
//===----------------------------------------------------------------------===//

#ifndef POLYGPU_CARRYLOADS_H
#define POLYGPU_CARRYLOADS_H

#include "llvm/IR/PassManager.h"

namespace llvm {
class Module;
} // namespace llvm

namespace polygpu {

/// Of a parameter that is the extent of an array: positive where the array has
/// elements.
inline constexpr const char *ExtentAttribute = "polygpu-extent";

/// A pass over kernels whose loops are rotated, and whose index arithmetic
/// still says where it does not overflow: passes that reorder it forget that.
class CarryLoadsPass : public llvm::PassInfoMixin<CarryLoadsPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &F,
                              llvm::FunctionAnalysisManager &FAM);
};

/// Run the pass over all kernels of \p Device, without what is redundant, on
/// loops as it needs them.  A kernel in which it finds nothing stays as it is.
void carryLoads(llvm::Module &Device);

} // namespace polygpu

#endif
