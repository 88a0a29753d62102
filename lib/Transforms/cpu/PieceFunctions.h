//===- PieceFunctions.h - Pieces of parallel loops as host code -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Makes functions of the host module of the kernels of a plan for threads of
// the CPU, whose blocks have one thread each and are pieces of a loop.
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_PIECEFUNCTIONS_H
#define POLYGPU_PIECEFUNCTIONS_H

#include "llvm/ADT/BitVector.h"
#include <string>
#include <vector>

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace polygpu {

struct PieceKernel {
  std::string Name;
  llvm::BitVector Lent; ///< parameters that are in memory of each thread
};

/// Bring the kernels of \p Device into \p Host, as functions of type
/// polygpu_pieces_fn (polygpu/abi.h).  \p Like is the function that the loops
/// are of, whose rules of arithmetic and target they take.
std::vector<llvm::Function *>
makePieceFunctions(const llvm::Module &Device,
                   const std::vector<PieceKernel> &Kernels, llvm::Module &Host,
                   const llvm::Function &Like);

} // namespace polygpu

#endif
