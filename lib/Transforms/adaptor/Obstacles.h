//===- Obstacles.h - Calls that part loops for Polly ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_OBSTACLES_H
#define POLYGPU_OBSTACLES_H

#include "Remarks.h"
#include <utility>
#include <vector>

namespace llvm {
class Instruction;
}

namespace polygpu {

/// The function that is called.  Nothing is known of it.
inline constexpr const char *ObstacleName = "polygpu.obstacle";

/// Calls in front of instructions that refused a SCoP.  Polly joins
/// neighbouring loops; the calls make it part them, so that one loop does not
/// keep the others from being offloaded.
class Obstacles {
public:
  /// Put one in front of Why.At, which is why loops were refused.  Where its
  /// block has one already, Polly joined loops across it, or modelled it, and
  /// would do so again: false, and nothing is put there.  "MayBeRare": a call
  /// in some iterations only is an error to Polly that does not happen, a
  /// volatile load is in the way there as well.
  [[nodiscard]] bool add(const Refusal &Why, bool MayBeRare);

  /// Why the first of them that is in \p L and has something to tell is there,
  /// or null.
  const Refusal *firstIn(const llvm::Loop &L) const;

  /// Is one in \p L that is in none of the loops inside?
  bool anyBetweenLoopsOf(const llvm::Loop &L, const llvm::LoopInfo &LI) const;

  /// Remove all of them from \p F, where they are.
  void remove(llvm::Function &F);

private:
  std::vector<std::pair<llvm::Instruction *, Refusal>> Calls;
};

} // namespace polygpu

#endif
