//===- Architecture.h - Architectures to compile for ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_ARCHITECTURE_H
#define POLYGPU_ARCHITECTURE_H

#include "polygpu/machine.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>
#include <vector>

namespace polygpu {

/// The oldest one that is supported; newer devices run its code too.
inline constexpr const char *DefaultArchitecture = "sm_75";
/// The first one whose kernels with buffers are others: copies into shared
/// memory are asynchronous, and a block has more of it.
inline constexpr const char *LaterArchitecture = "sm_80";

/// Bytes of shared memory that a block can have on every machine that runs the
/// PTX of sm_80 or a later one: sm_86 and sm_120 have no more.
inline constexpr unsigned CommonShared = 101376;

struct Architecture {
  unsigned Number;       ///< compute capability, major * 10 + minor
  std::string Processor; ///< the same as LLVM names it, e.g. sm_90a
};

/// The one that users call \p Name, or that of this machine's first device.
std::optional<Architecture> findArchitecture(llvm::StringRef Name);
std::optional<Architecture> nativeArchitecture();

/// The first one of each major version, and the oldest that is supported.
std::vector<Architecture> majorArchitectures();

/// Does its code run on no later one, or only on some?
bool isSpecific(const Architecture &A);

/// ", NAME" for each.
std::string knownArchitectures();

/// The machine that sizes are chosen for; if not "Exact", code has to run on
/// later architectures as well, where \p A says nothing else.
pg_machine machineFor(const Architecture &A, bool Exact);

} // namespace polygpu

#endif
