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
#include <memory>
#include <vector>

namespace llvm {
class CallInst;
class Instruction;
class LoadInst;
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

  /// An array of the reads that are calls (prepare/IndirectReads.h).
  struct IndirectArray {
    unsigned Array; ///< among the arrays of the core
    llvm::Value *Base;
    std::vector<const llvm::LoadInst *> Reads; ///< in bodies
    /// The elements that are there, if their number is not 0.
    int64_t First = 0, Count = 0;
    bool Updated = false; ///< by atomic operations with what is read
  };
  std::vector<IndirectArray> Indirect;
  /// What is read to know the places: loops over the elements, of an array that
  /// nothing in the SCoP writes.  Owned.
  struct IndexRead {
    const llvm::LoadInst *Load;
    unsigned Array;
    isl_ast_node *Elements;
    bool Guarded; ///< of which the program may read some only
  };
  std::vector<IndexRead> Indices;

  /// Which of the arrays of indirect reads \p Read is of.
  unsigned indirectArray(const llvm::LoadInst &Read) const;

  ImportedScop() = default;
  ImportedScop(const ImportedScop &) = delete;
  ImportedScop &operator=(const ImportedScop &) = delete;
  ~ImportedScop();

  /// Descriptions of arrays that Polly does not know.
  std::vector<std::unique_ptr<polly::ScopArrayInfo>> Own;
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
