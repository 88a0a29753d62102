//===- Import.h - From Polly's SCoP to the core's -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Polly and the core keep their isl objects in contexts of their own.  The
// import goes through isl's text form and renames on the way: statements,
// arrays and parameters get names that people recognise.
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_IMPORT_H
#define POLYGPU_IMPORT_H

#include "Remarks.h"
#include "polygpu/polyhedral.h"
#include "prepare/Predicate.h"
#include "llvm/ADT/SmallVector.h"
#include <vector>

namespace llvm {
class Instruction;
class SCEV;
class TargetLibraryInfo;
class Type;
class Value;
} // namespace llvm

namespace polly {
class MemoryAccess;
class Scop;
class ScopArrayInfo;
class ScopStmt;
} // namespace polly

namespace polygpu {

/// A pg_scop with what its indices stand for on Polly's side.
struct ImportedScop {
  pg_scop *Scop = nullptr; ///< owned
  std::vector<polly::ScopStmt *> Stmts;
  /// Accesses[s][a] is access number a of statement s.
  std::vector<std::vector<polly::MemoryAccess *>> Accesses;
  std::vector<const polly::ScopArrayInfo *> Arrays;
  std::vector<llvm::Type *> ElementTypes;
  std::vector<const llvm::SCEV *> Params;
  /// Of a statement that updates an element, what leads from the old value to
  /// the new one.
  std::vector<llvm::SmallVector<llvm::Instruction *, 4>> Updates;
  /// The conditions of guarded accesses.
  const Predication *Guarded = nullptr;

  ImportedScop() = default;
  ImportedScop(const ImportedScop &) = delete;
  ImportedScop &operator=(const ImportedScop &) = delete;
  ~ImportedScop() { pg_scop_free(Scop); }
};

/// Fill \p Result from \p S with all objects in \p Ctx, or say why not.
/// \p Reassociate: floating-point sums and products may be in any order.
std::optional<Refusal> importScop(polly::Scop &S, isl_ctx *Ctx,
                                  const llvm::TargetLibraryInfo &TLI,
                                  bool Reassociate, ImportedScop &Result);

/// True if \p MA reads a value that is computed before the SCoP: kernels get
/// it as an argument and the core does not see it.
bool isReadOnlyScalar(const polly::MemoryAccess &MA, const polly::Scop &S);

} // namespace polygpu

#endif
