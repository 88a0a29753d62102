//===- ModelTables.h - A SCoP that can be asked at points -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What a polly::Scop says, taken before anything changes it: domains, access
/// relations, the schedule and the conditions under which it holds.  isl's
/// objects are turned into tables of integers when they are asked first.
///
//===----------------------------------------------------------------------===//

#ifndef POLYGPU_MODELTABLES_H
#define POLYGPU_MODELTABLES_H

#include "polly/ScopInfo.h"
#include "polly/Support/ScopHelper.h"
#include "polygpu/point_set.h"
#include "llvm/ADT/SmallVector.h"
#include <isl/isl-noexceptions.h>
#include <memory>
#include <string>
#include <vector>

namespace llvm {
class BasicBlock;
class Instruction;
class Loop;
class Region;
class SCEV;
class Value;
} // namespace llvm

namespace polygpu {

struct PointsDeleter {
  void operator()(pg_point_set *P) const { pg_point_set_free(P); }
};
using Points = std::unique_ptr<pg_point_set, PointsDeleter>;

/// An access to memory by a load or store.
struct ModelAccess {
  const llvm::Instruction *I;
  const llvm::Value *Base;                        ///< of the array
  llvm::SmallVector<const llvm::SCEV *, 4> Sizes; ///< null for the first
  uint64_t ElementBytes;
  uint64_t Bytes;  ///< that the instruction accesses
  bool Write, All; ///< all elements of the relation are accessed
  isl::map Relation;
  Points Elements;   ///< (iteration, element); null: not to be tabulated
  bool Seen = false; ///< it happened in some run
};

struct ModelStmt {
  const llvm::BasicBlock *Entry;
  const llvm::Region *Sub; ///< of a region statement, else null
  llvm::SmallVector<const llvm::Loop *, 8> Loops;
  isl::set Domain;
  isl::map Schedule;
  Points Instances, Times; ///< (iteration), (iteration, time)
  std::vector<ModelAccess> Accesses;
  unsigned Line = 0;
  bool Seen = false; ///< it ran in some run

  bool contains(const llvm::BasicBlock *BB) const;
};

/// What the run-time condition takes for all elements of an array that are
/// accessed, to compare it with those of others.
struct ModelRange {
  /// Only what is written of the array: compared with places that are read in
  /// front of the loops, and assumed not to be written.
  bool WritesOnly = false;
  const llvm::Value *Base;
  llvm::SmallVector<const llvm::SCEV *, 4> Sizes; ///< null for the first
  uint64_t ElementBytes;
  isl::set FirstSet, EndSet; ///< an element each
  Points First, End;
};

/// The size of rows of an array that depends on parameters.
struct ModelSize {
  const llvm::SCEV *Size; ///< modulo two to its width
  isl::set ExactSet;      ///< (size), as Polly takes it
  Points Exact;
};

/// \p Map with the last subscript one larger, for planted errors.
isl::map nextElement(const isl::map &Map);

class ModelTables {
public:
  explicit ModelTables(polly::Scop &S);

  /// Make the tables; false if that is not possible.
  bool tabulate();

  /// Parameter number \p P of \p S must not be negative.
  void assumeNotNegative(polly::Scop &S, unsigned P);

  /// The parameters of \p S must be some of "Defined", which is there.
  void assumeDefined(polly::Scop &S);

  std::vector<ModelStmt> Stmts;
  std::vector<ModelRange> Ranges;
  std::vector<ModelSize> Sizes;
  std::vector<const llvm::SCEV *> Params;
  /// What always holds, what has to hold, what must not hold.
  Points Context, Assumed, Invalid;
  /// Outside of these, Polly says, behaviour is undefined.  May be missing.
  Points Defined;

private:
  isl::space Space;
  isl::set KnownContext, AssumedContext, InvalidContext, DefinedContext;
  isl::schedule Tree;

  void addStmt(polly::ScopStmt &Stmt);
  void addAccess(polly::MemoryAccess &MA, ModelStmt &Stmt);
  void addSchedules();
  void addRange(const polly::Scop::MinMaxAccessTy &Range, bool WritesOnly);
  void addRanges(polly::Scop &S);
  void addSizes(polly::Scop &S);
  void assume(polly::Scop &S, polly::AssumptionKind Kind,
              const isl::set &Known);
  bool assumes() const;
  isl::set atLeast(unsigned P, int Value) const;
  void plantErrors(const std::string &Where);
  Points table(const isl::set &Set) const;
  Points table(const isl::map &Map) const;
};

} // namespace polygpu

#endif
