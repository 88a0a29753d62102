//===- SmallParams.h - SCoPs for parameters of ordinary size ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_SMALLPARAMS_H
#define POLYGPU_SMALLPARAMS_H

#include "Remarks.h"
#include <optional>

namespace polly {
class Scop;
}

namespace polygpu {

/// Take \p S for parameters up to PG_MAX_PARAM, to which its runs are limited
/// (HostGenerator::smallParams), before all that is computed from its domains.
std::optional<Refusal> takeSmallParams(polly::Scop &S);

} // namespace polygpu

#endif
