//===- WidenSubscripts.h - Subscripts in the width of addresses -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// For int i, j and n, a[i * n + j] sign-extends a sum of 32 bits.  Where the
/// sum may not overflow (nsw), it is that of the extended terms, and only then
/// i * n is a row of n elements to the analysis: (long)i * n + j.  So is jx of
/// jx += step a counter of 64 bits, whatever it begins with.
///
//===----------------------------------------------------------------------===//

#ifndef POLYGPU_WIDENSUBSCRIPTS_H
#define POLYGPU_WIDENSUBSCRIPTS_H

#include "llvm/IR/PassManager.h"

namespace polygpu {

/// Extend the terms instead of the sum in all subscripts of \p F.  To run
/// before InstCombine, which drops nsw from some sums.
void widenSubscripts(llvm::Function &F);

/// Extends counters that begin at a sum like x - 2, which Polly would take to
/// overflow for some x, with what they are compared with.  To run behind
/// widenSubscripts.
void widenCounters(llvm::Function &F);

/// Extends x instead of its complement, which is what InstCombine makes of the
/// extended x and of 0 - (1 + x): for ScalarEvolution -1 - x may overflow in 32
/// bits, so that "a -= 1 + n", from where f2c has Fortran's arrays begin, would
/// be a number of its own and no row.  To run behind the last InstCombine.
class WidenComplementsPass : public llvm::PassInfoMixin<WidenComplementsPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &F,
                              llvm::FunctionAnalysisManager &FAM);
};

} // namespace polygpu

#endif
