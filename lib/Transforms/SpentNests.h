//===- SpentNests.h - Nests that were looked at before ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where a call is inlined in many places, a nest of the callee is in the module
// many times.  One that has taken all of its operations would do so again with
// as many or fewer: it is refused without being looked at.  Of one with nothing
// parallel no dependences are computed again, only its reason.  Copies are
// known by their instructions, so that decisions are the same with and without
// -g.
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_SPENTNESTS_H
#define POLYGPU_SPENTNESTS_H

#include "Remarks.h"
#include <cstdint>
#include <map>
#include <set>
#include <vector>

namespace llvm {
class Region;
} // namespace llvm

namespace polygpu {

class SpentNests {
public:
  /// What copies of a nest have in common: a number for each part of each
  /// instruction.
  using Key = std::vector<uint64_t>;
  static Key keyOf(const llvm::Region &R);

  /// Note that "Operations" were too few.
  void add(Key K, unsigned long Operations, const Refusal &Why);
  /// The refusal if as many "Operations" were too few before.
  std::optional<Refusal> find(const Key &K, unsigned long Operations) const;

  /// Note that there is nothing parallel, whatever is tried.
  void addSerial(Key K) { Serial.insert(std::move(K)); }
  bool isSerial(const Key &K) const { return Serial.count(K); }

private:
  std::map<Key, std::pair<unsigned long, Refusal>> Spent;
  std::set<Key> Serial;
};

} // namespace polygpu

#endif
