//===- OpenConditions.h - Conditions around loops, one by one ---*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What leads to a loop in more than one way, before the condition on it moves
// inside (SinkConditions.h): a switch becomes a branch for each destination,
// and the branches of "a || b" one number and one branch on it.
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_OPENCONDITIONS_H
#define POLYGPU_OPENCONDITIONS_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/Analysis.h"
#include "llvm/IR/PassManager.h"

namespace llvm {
class BasicBlock;
class Function;
} // namespace llvm

namespace polygpu {

/// Have loops in \p F that are in another one be under one branch each, where
/// the conditions at the ends of some blocks are data, as "IsData" says.
void openConditions(llvm::Function &F, llvm::FunctionAnalysisManager &FAM,
                    llvm::function_ref<bool(llvm::BasicBlock &)> IsData);

} // namespace polygpu

#endif
