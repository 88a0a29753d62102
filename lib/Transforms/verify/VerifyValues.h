//===- VerifyValues.h - The simplified SCoP by values -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// VerifyModel looks at the SCoP as Polly built it.  Then Polly simplifies:
/// stores that are overwritten go, operands are computed again where they are
/// used, scalars are kept in elements of arrays; and the SCoP is handed over to
/// the core as text.  What the core gets is executed here in the order of the
/// source, on memory of hashes, for some of the runs of the program itself that
/// VerifyModel has made; memory and what is used after the loops have to be
/// equal in the end.  Of loops that are too long the instances of some
/// iterations are executed by both.  What the core makes of the SCoP is held
/// against it by pg_verify.
///
//===----------------------------------------------------------------------===//

#ifndef POLYGPU_VERIFYVALUES_H
#define POLYGPU_VERIFYVALUES_H

#include "polygpu/walk.h"
#include "verify/ValueTables.h"
#include "verify/VerifyModel.h"

namespace polygpu {

class VerifyValues {
public:
  /// \p Source is the SCoP as it was imported.
  VerifyValues(polly::Scop &S, const ImportedScop &Imported,
               const pg_scop &Source, VerifyModel &Model)
      : S(S), Imported(Imported), Source(Source), Model(Model),
        Tables(S, Imported) {}

  /// A refusal if values differ.
  std::optional<Refusal> run();

  /// What was covered, as a sentence.
  std::string coverage() const;

private:
  polly::Scop &S;
  const ImportedScop &Imported;
  const pg_scop &Source;
  VerifyModel &Model;
  ValueTables Tables;
  unsigned Runs = 0;
  unsigned InPart = 0;  ///< of these: most iterations were left out
  bool TooLong = false; ///< a run that was not compared
  unsigned long Instances = 0, Elements = 0; ///< that were compared
  std::string Obstacle; ///< why a run was not compared, if one was not

  friend class ValueRun;
  std::vector<const VerifyModel::ClaimedRun *> chooseRuns() const;
  std::string findLostValue() const;
  /// Which iterations are executed.
  enum class Extent {
    All,
    FewKept,   ///< data goes over those that are left out
    FewHashed, ///< behind them, both have the same new data
    FewUnknown ///< behind them, data is not looked at
  };
  std::string compare(const VerifyModel::ClaimedRun &Run, Extent Which,
                      pg_walk *Walk, long &Steps);
  std::string compareFew(const VerifyModel::ClaimedRun &Run, pg_walk *Walk,
                         long &Steps);
  const llvm::PHINode *loopPhi(const polly::MemoryAccess &MA) const;
  bool keepsInPlace() const;
  bool passesData() const;
  std::string compareRuns(pg_walk *Walk);
};

} // namespace polygpu

#endif
