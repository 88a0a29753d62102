//===- Assembler.h - From PTX to cubins ----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_ASSEMBLER_H
#define POLYGPU_ASSEMBLER_H

#include "Options.h"
#include <string>
#include <vector>

namespace polygpu {

struct Cubin {
  unsigned Arch = 0;
  std::string Data;
};

/// Compile PTX to a cubin for the architecture of \p O.  Returns false if
/// ptxas is not installed or fails, with what it says in \p Problem; PTX alone
/// does then.  Kernels that would spill registers with several blocks on a
/// multiprocessor may have one of them only; \p PTX says so afterwards.
/// \p Spilling becomes the names of those that spill even then, and \p Late
/// true if ptxas was ended for its time.
bool assemble(std::string &PTX, const std::vector<std::string> &Kernels,
              const Options &O, std::string &Cubin,
              std::vector<std::string> &Spilling, std::string &Problem,
              bool &Late);

/// Add cubins of \p PTX, which assemble() has seen, for the newer architectures
/// of \p O.  \p Missing becomes the names of those for which ptxas fails, and
/// \p Problem why it does.
void assembleForNewer(const std::string &PTX, const Options &O,
                      std::vector<Cubin> &Cubins, std::string &Missing,
                      std::string &Problem, bool &Late);

/// For how many blocks on a multiprocessor the registers of kernel \p Name are
/// meant; 0 if \p PTX does not say.
unsigned blocksAtATime(const std::string &PTX, const std::string &Name);

} // namespace polygpu

#endif
