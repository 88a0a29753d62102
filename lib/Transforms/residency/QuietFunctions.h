//===- QuietFunctions.h - Functions that write nothing of their callers' --===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Functions of the module that write local variables of their own only, end no
// other object's life, and let no other thread know of anything: they compute
// and print.
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_QUIETFUNCTIONS_H
#define POLYGPU_QUIETFUNCTIONS_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/PassManager.h"

namespace llvm {
class CallBase;
class Instruction;
} // namespace llvm

namespace polygpu {

class QuietFunctions {
public:
  explicit QuietFunctions(llvm::FunctionAnalysisManager &FAM) : FAM(FAM) {}

  /// Is \p F one?  Recursive functions are not.
  bool has(llvm::Function &F);

private:
  llvm::FunctionAnalysisManager &FAM;
  llvm::DenseMap<const llvm::Function *, bool> Known;

  bool isQuiet(llvm::Function &F);
  bool isQuiet(llvm::Instruction &I);
  bool isQuietCall(llvm::CallBase &Call);
};

} // namespace polygpu

#endif
