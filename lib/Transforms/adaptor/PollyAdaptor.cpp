//===- PollyAdaptor.cpp - What is done to Polly --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "adaptor/PollyAdaptor.h"
#include "llvm/Analysis/RegionInfo.h"

using namespace llvm;

namespace polygpu {

SmallVector<Region *, 8> regionsOf(const polly::ScopDetection &SD) {
  SmallVector<Region *, 8> Result;
  for (const Region *R : SD)
    Result.push_back(const_cast<Region *>(R));
  return Result;
}

bool retake(polly::ScopDetection &SD, const Region &R) {
  return SD.isMaxRegionInScop(R);
}

const polly::InvariantLoadsSetTy *requiredLoads(const polly::ScopDetection &SD,
                                                const Region &R) {
  const auto *Context = SD.getDetectionContext(&R);
  return Context ? &Context->RequiredILS : nullptr;
}

void editAccesses(const polly::ScopDetection &SD, const Region &R,
                  function_ref<void(ArrayRef<DetectedAccess>,
                                    polly::ScopDetection::DetectionContext &)>
                      Edit) {
  polly::ScopDetection::DetectionContext *Context = SD.getDetectionContext(&R);
  if (!Context)
    return;
  for (auto &[Base, Accesses] : Context->Accesses) {
    SmallVector<DetectedAccess, 8> All;
    for (auto &[Access, Offset] : Accesses) {
      auto It = Context->InsnToMemAcc.find(Access);
      bool HasRows = It != Context->InsnToMemAcc.end() &&
                     It->second.Shape->DelinearizedSizes.size() >= 2;
      All.push_back({Access, Offset, HasRows ? &It->second : nullptr});
    }
    Edit(All, *Context);
  }
}

polly::Scop::MinMaxVectorPairVectorTy takeRanges(polly::Scop &S) {
  auto &Ranges =
      const_cast<polly::Scop::MinMaxVectorPairVectorTy &>(S.getAliasGroups());
  auto Result = std::move(Ranges);
  Ranges.clear();
  return Result;
}

void restrictContext(polly::Scop &S, isl::set Never) {
  S.addAssumption(polly::ALIASING, Never, DebugLoc(), polly::AS_RESTRICTION,
                  nullptr);
}

void assumeContext(polly::Scop &S, polly::AssumptionKind Kind, isl::set Known) {
  S.addAssumption(Kind, Known, DebugLoc(), polly::AS_ASSUMPTION, nullptr);
}

} // namespace polygpu
