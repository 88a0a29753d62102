//===- Vectors.h - Vectors and structures by their parts -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_CUDA_VECTORS_H
#define POLYGPU_CUDA_VECTORS_H

namespace llvm {
class Function;
}

namespace polygpu {

/// Vectors in \p F are only loaded, put together and stored from now on: what
/// is computed with them is computed part by part, in the order of parts.
void splitVectors(llvm::Function &F);

/// The results of a loop, a structure in the code, become values of their own.
void splitStructures(llvm::Function &F);

} // namespace polygpu

#endif
