//===- SmallParams.cpp - SCoPs for parameters of ordinary size -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "scop/SmallParams.h"
#include "IslErrors.h"
#include "adaptor/PollyAdaptor.h"
#include "polygpu/polyhedral.h"

using namespace llvm;

namespace polygpu {

std::optional<Refusal> takeSmallParams(polly::Scop &S) {
  IslErrors Errors(S.getIslCtx().get(), "leaving out of what wraps around");
  isl::schedule Order = S.getScheduleTree();
  isl::schedule Small = isl::manage(pg_small_params_schedule(Order.copy()));
  S.setContext(isl::manage(pg_small_params_set(S.getContext().release())));
  if (Small.is_null() || Small.get() == Order.get())
    return Errors.refuse();
  // The statements have what the order has, for larger parameters as well.
  isl::union_set Domain = Small.get_domain();
  S.setScheduleTree(Small);
  for (polly::ScopStmt &Stmt : S)
    Stmt.restrictDomain(Domain.extract_set(Stmt.getDomainSpace()));
  return Errors.refuse();
}

} // namespace polygpu
