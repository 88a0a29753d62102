//===- SpentNests.h - Nests that were too much before -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where a call is inlined in many places, a nest of the callee is in the module
// many times.  One that has taken all of its operations would do so again with
// as many or fewer: it is refused without being looked at.  Copies are known by
// the place of their first loop in the source and by their size.
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_SPENTNESTS_H
#define POLYGPU_SPENTNESTS_H

#include "Remarks.h"
#include "llvm/ADT/StringRef.h"
#include <map>
#include <tuple>

namespace llvm {
class LoopInfo;
class Region;
} // namespace llvm

namespace polygpu {

class SpentNests {
public:
  /// What copies of a nest have in common; nothing if it has no line.
  using Key =
      std::optional<std::tuple<std::string, unsigned, unsigned, size_t>>;
  static Key keyOf(const llvm::Region &R, const llvm::LoopInfo &LI);

  /// Note that "Operations" were too few.
  void add(const Key &K, unsigned long Operations, const Refusal &Why);
  /// The refusal if as many "Operations" were too few before.
  std::optional<Refusal> find(const Key &K, unsigned long Operations) const;

private:
  std::map<std::tuple<std::string, unsigned, unsigned, size_t>,
           std::pair<unsigned long, Refusal>>
      Spent;
};

} // namespace polygpu

#endif
