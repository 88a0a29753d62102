//===- ModelLimit.h - What Polly may take for a model ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Polly joins what it assumes into one set, assumption by assumption, and
// simplifies each access under what it knows, both without a limit: with many
// subscripts and sizes that grows faster than linearly (80 of 90 seconds for
// PRK's stencils in C++, all refused in the end).  While a limit is there, the
// linker's --wrap brings assumptions and what simplifies here first.  When the
// model has taken all that it may, it is declared impossible at the next
// assumption, and nothing is simplified or added any more.  Polly ends it soon
// then, and who asked for it has to refuse it, since what it says is not
// complete.
//
// If Polly does these things by other functions, or in the files that define
// these, models take as long as before (test/lit/stress/model.c).
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_MODELLIMIT_H
#define POLYGPU_MODELLIMIT_H

#include "polygpu/polyhedral.h"

namespace polygpu {

/// The limit of the models that Polly builds in this thread while it is there;
/// one at a time.
class ModelLimit {
public:
  explicit ModelLimit(const pg_budget &Budget);
  ~ModelLimit();
  ModelLimit(const ModelLimit &) = delete;
  ModelLimit &operator=(const ModelLimit &) = delete;

  /// Is nothing left of the budget?
  bool isSpent() const;

  bool BrokenOff = false; ///< a model, which is not complete therefore

private:
  const pg_budget &Budget;
};

} // namespace polygpu

#endif
