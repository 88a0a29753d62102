//===- LeaveAlone.cpp - Files in which nothing is offloaded ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LeaveAlone.h"
#include "Remarks.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace polygpu {

PreservedAnalyses LeaveAlonePass::run(Module &M, ModuleAnalysisManager &) {
  const Refusal Text =
      Why == SwitchedOff
          ? Refusal{"SwitchedOff",
                    "offloading is switched off; compile with -mllvm "
                    "-gpu-offload as the last option of that name",
                    DebugLoc()}
          : Refusal{"NotOptimised",
                    "the file is compiled with -O0; compile with -O1 or higher",
                    DebugLoc()};
  Remarks R;
  for (Function &F : M)
    if (!F.isDeclaration())
      refuseLoops(F, Text, R);
  R.finish();
  return PreservedAnalyses::all();
}

} // namespace polygpu
