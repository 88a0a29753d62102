//===- Assumptions.h - Why Polly dismissed a model ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Polly's builder returns no model where its assumptions can never hold, and
// tells only by a remark of its own which one that was.  While this is there,
// remarks of the context come here first.
//
// If Polly words them differently, loops are refused without the reason
// (NotModelled, test/lit/remarks/not_modelled.c).
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_ASSUMPTIONS_H
#define POLYGPU_ASSUMPTIONS_H

#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/LLVMContext.h"
#include <memory>
#include <optional>
#include <string>

namespace llvm {
class DiagnosticHandler;
}

namespace polygpu {

/// An assumption that never holds.
struct ImpossibleAssumption {
  std::string Kind; ///< in Polly's words, like "Invariant load"
  llvm::DiagnosticLocation Loc;
};

/// Listens to Polly's remarks in a context.
class AssumptionListener {
public:
  explicit AssumptionListener(llvm::LLVMContext &Ctx);
  ~AssumptionListener();
  AssumptionListener(const AssumptionListener &) = delete;
  AssumptionListener &operator=(const AssumptionListener &) = delete;

  /// The first assumption that cannot hold.
  std::optional<ImpossibleAssumption> First;

private:
  llvm::LLVMContext &Ctx;
  std::unique_ptr<llvm::DiagnosticHandler> Before;
};

} // namespace polygpu

#endif
