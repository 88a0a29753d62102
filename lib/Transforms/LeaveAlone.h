//===- LeaveAlone.h - Files in which nothing is offloaded -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What clang runs in place of gpu-polyhedral where the plugin is loaded and
// nothing is to be offloaded.  It changes nothing and gives each loop nest the
// reason in a remark, so that a switch in the wrong place is found.
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_LEAVEALONE_H
#define POLYGPU_LEAVEALONE_H

#include "llvm/IR/PassManager.h"

namespace polygpu {

class LeaveAlonePass : public llvm::PassInfoMixin<LeaveAlonePass> {
public:
  enum Reason {
    SwitchedOff, ///< no -gpu-offload, or -gpu-offload=off behind it
    NotOptimised ///< -O0; flang's functions have no attribute that tells
  };
  explicit LeaveAlonePass(Reason Why) : Why(Why) {}
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }

private:
  Reason Why;
};

} // namespace polygpu

#endif
