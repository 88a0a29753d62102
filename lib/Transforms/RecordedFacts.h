//===- RecordedFacts.h - What optimisation records have besides -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Facts for programs, like `polygpu report`: remarks that go to the
// optimisation record alone, each field a key.  -Rpass-analysis= shows
// sentences, for people.
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_RECORDEDFACTS_H
#define POLYGPU_RECORDEDFACTS_H

#include <string>
#include <utility>
#include <vector>

namespace llvm {
class DebugLoc;
class Function;
} // namespace llvm

namespace polygpu {

struct RecordedFact {
  std::string Name;
  std::vector<std::pair<std::string, std::string>> Fields;
};

/// Is there an optimisation record of \p F that has our remarks?
bool isRecorded(const llvm::Function &F);

/// Write \p Facts about the loops at \p Loc to the record, if there is one.
void record(llvm::Function &F, const llvm::DebugLoc &Loc,
            const std::vector<RecordedFact> &Facts);

} // namespace polygpu

#endif
