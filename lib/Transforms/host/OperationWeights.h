//===- OperationWeights.h - What statements take ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The core counts statement instances, the runtime compares times (see
// runtime/core/decision.h); here an instance gets its weight.
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_OPERATIONWEIGHTS_H
#define POLYGPU_OPERATIONWEIGHTS_H

#include "scop/Import.h"

namespace polygpu {

/// Set the weight of each statement: arithmetic operations and memory accesses
/// of an instance, slow ones as several; and how many of them are additions,
/// multiplications, divisions and square roots of floating-point numbers.
void weighStatements(const ImportedScop &Imported);

} // namespace polygpu

#endif
