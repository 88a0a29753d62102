//===- IslErrors.cpp - Errors of isl outside of the core's phases ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IslErrors.h"
#include <isl/ctx.h>
#include <isl/options.h>

using namespace llvm;

namespace polygpu {

IslErrors::IslErrors(isl_ctx *Ctx, const char *What)
    : Ctx(Ctx), What(What), OnError(isl_options_get_on_error(Ctx)),
      Counted(Ctx) {
  if (OnError == ISL_ON_ERROR_CONTINUE)
    return;
  // Polly's context; what is there has happened under a limit of Polly's.
  isl_ctx_reset_error(Ctx);
  isl_options_set_on_error(Ctx, ISL_ON_ERROR_CONTINUE);
}

IslErrors::~IslErrors() {
  tellAllocations(What);
  // After an error objects may have got lost, so that isl fails once more when
  // the context is freed: that must not end the compiler.
  if (hasFailed())
    return;
  isl_ctx_reset_error(Ctx);
  isl_options_set_on_error(Ctx, OnError);
}

static bool isFailure(isl_error Error) {
  return Error != isl_error_none && Error != isl_error_quota;
}

bool IslErrors::hasFailed() const { return isFailure(isl_ctx_last_error(Ctx)); }

std::optional<Refusal> IslErrors::refuse(std::optional<Refusal> Why) const {
  if (!hasFailed())
    return Why;
  const char *Message = isl_ctx_last_error_msg(Ctx);
  return Refusal{"Isl",
                 std::string("the ") + What +
                     " failed in isl: " + (Message ? Message : "no message") +
                     "; please report this with the source",
                 DebugLoc()};
}

EarlierError::EarlierError(isl_ctx *Ctx)
    : Ctx(Ctx), Error(isl_ctx_last_error(Ctx)),
      Message(isl_ctx_last_error_msg(Ctx)) {}

EarlierError::~EarlierError() {
  if (isFailure(Error) && !isFailure(isl_ctx_last_error(Ctx)) &&
      isl_options_get_on_error(Ctx) == ISL_ON_ERROR_CONTINUE)
    isl_handle_error(Ctx, Error, Message ? Message : "earlier", __FILE__,
                     __LINE__);
}

} // namespace polygpu
