//===- IslErrors.h - Errors of isl outside of the core's phases -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// isl gives null after an error, or goes on with part of what it should have;
/// the error stays in its context until somebody takes it away.  The core's
/// phases look there (lib/Polyhedral/support/phase.c).  What reads or makes
/// isl's objects in C++ does it while there is one of these.
///
//===----------------------------------------------------------------------===//

#ifndef POLYGPU_ISLERRORS_H
#define POLYGPU_ISLERRORS_H

#include "Remarks.h"
#include "polly/Support/GICHelper.h"
#include "verify/Mutate.h"

namespace polygpu {

/// Errors of isl in a context are results while this is there.
///
/// In Polly's context they end the compiler else, since Polly's code does not
/// expect them: only isl and our own code may be called with it meanwhile.
class IslErrors {
public:
  /// \p What is done: a noun for sentences.
  IslErrors(isl_ctx *Ctx, const char *What);
  ~IslErrors();
  IslErrors(const IslErrors &) = delete;
  IslErrors &operator=(const IslErrors &) = delete;

  /// If isl has failed, and in the core's context nobody has seen that, that is
  /// the refusal, and \p Why may follow from it; else \p Why.  A limit of
  /// operations is left to who set it.
  std::optional<Refusal>
  refuse(std::optional<Refusal> Why = std::nullopt) const;

private:
  isl_ctx *Ctx;
  const char *What;
  int OnError; ///< isl's option, before
  CountedAllocations Counted;

  bool hasFailed() const;
};

/// What isl had failed with in a context, which a limit takes away: it is there
/// again at the end.
class EarlierError {
public:
  explicit EarlierError(isl_ctx *Ctx);
  ~EarlierError();
  EarlierError(const EarlierError &) = delete;
  EarlierError &operator=(const EarlierError &) = delete;

private:
  isl_ctx *Ctx;
  isl_error Error;
  const char *Message;
};

/// At most so many operations of isl, while this is there.
class OperationLimit {
public:
  OperationLimit(isl_ctx *Ctx, unsigned long Most)
      : Earlier(Ctx), Limit(Ctx, Most) {}

private:
  EarlierError Earlier; ///< ends behind the limit
  polly::IslMaxOperationsGuard Limit;
};

} // namespace polygpu

#endif
