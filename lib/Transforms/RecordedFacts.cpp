//===- RecordedFacts.cpp - What optimisation records have besides ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RecordedFacts.h"
#include "SourceNames.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/LLVMRemarkStreamer.h"
#include "llvm/Remarks/RemarkStreamer.h"

using namespace llvm;

#define PASS_NAME "gpu-polyhedral"

namespace polygpu {

bool isRecorded(const Function &F) {
  remarks::RemarkStreamer *Main = F.getContext().getMainRemarkStreamer();
  return Main && F.getContext().getLLVMRemarkStreamer() &&
         Main->matchesFilter(PASS_NAME);
}

void record(Function &F, const DebugLoc &Loc,
            const std::vector<RecordedFact> &Facts) {
  if (!isRecorded(F))
    return;
  for (const RecordedFact &Fact : Facts) {
    OptimizationRemarkAnalysis R(PASS_NAME, Fact.Name, userPlace(Loc),
                                 &F.getEntryBlock());
    for (const auto &[Key, Value] : Fact.Fields)
      R << DiagnosticInfoOptimizationBase::Argument(Key, Value);
    F.getContext().getLLVMRemarkStreamer()->emit(R);
  }
}

} // namespace polygpu
