//===- PollyAdaptor.h - What is done to Polly ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Polly is used as a library, and has no interface for some of what is needed.
// Here, and in the other files of this folder, is what is done to it all the
// same; each says what, why, and what breaks if Polly changes.  Nothing else in
// the plugin goes around Polly's const or relies on side effects of it.
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_POLLYADAPTOR_H
#define POLYGPU_POLLYADAPTOR_H

#include "polly/ScopDetection.h"
#include "polly/ScopInfo.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace polygpu {

/// The largest regions that \p SD took, to be modelled.
///
/// Polly gives them as const, and its builder takes others.  Nothing breaks:
/// they are RegionInfo's, which is not const.
llvm::SmallVector<llvm::Region *, 8> regionsOf(const polly::ScopDetection &SD);

/// Does \p SD still take \p R?  Asked for its side effect: a region that was
/// made by joining neighbours has no detection context before, and the builder
/// and the functions below need one.
///
/// If Polly stops making one here, joined loops are refused as NotModelled.
bool retake(polly::ScopDetection &SD, const llvm::Region &R);

/// Loads that have to be invariant for the model of \p R, which is taken; null
/// without a context.
const polly::InvariantLoadsSetTy *requiredLoads(const polly::ScopDetection &SD,
                                                const llvm::Region &R);

/// An access with its byte offset, and what Polly found of its rows, to be
/// edited.
struct DetectedAccess {
  const llvm::Instruction *Access;
  const llvm::SCEV *Offset;
  polly::MemAcc *Found; ///< null, or with at least two dimensions
};

/// Call \p Edit for each base pointer in \p R with all accesses to it.
///
/// The subscripts and sizes of a detection context are results of Polly's
/// delinearisation; the builder reads them from there and computes no others,
/// so whoever changes them (scop/Delinearise.cpp) changes the model.  If the
/// builder comes to compute them again, Polly's subscripts are modelled: fewer
/// loops are offloaded (test/lit/exec/computed_rows.c).  Wrong ones would be
/// noticed by VerifyModel.
void editAccesses(
    const polly::ScopDetection &SD, const llvm::Region &R,
    llvm::function_ref<void(llvm::ArrayRef<DetectedAccess>,
                            polly::ScopDetection::DetectionContext &)>
        Edit);

/// The ranges that the run-time condition of \p S compares, taken away from it.
/// Scop::addAliasGroup adds others.
///
/// Polly is told to choose none (OwnPolly.h); those of scop/CompareArrays.h
/// compare interleaved fields at times (scop/SeparateFields.h), and Polly has
/// nothing to change them (getAliasGroups is const).  If Polly keeps
/// them elsewhere too, comparisons that were left out come back, and loops stay
/// on the host.
polly::Scop::MinMaxVectorPairVectorTy takeRanges(polly::Scop &S);

/// Let the run-time condition of \p S exclude the parameters in \p Never, or
/// demand those in \p Known.
///
/// Polly collects assumptions while it builds; adding some afterwards works as
/// long as the condition is generated from the SCoP's contexts, later
/// (host/Host.cpp).
void restrictContext(polly::Scop &S, isl::set Never);
void assumeContext(polly::Scop &S, polly::AssumptionKind Kind, isl::set Known);

} // namespace polygpu

#endif
