//===- Assembler.h - From PTX to cubins ----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_ASSEMBLER_H
#define POLYGPU_ASSEMBLER_H

#include "Options.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
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
/// \p Spilling becomes the names of those that spill even then, \p Registers
/// what a thread of each has, and \p Late true if ptxas was ended for its time.
bool assemble(std::string &PTX, const std::vector<std::string> &Kernels,
              const Options &O, std::string &Cubin,
              std::vector<std::string> &Spilling,
              llvm::StringMap<unsigned> &Registers, std::string &Problem,
              bool &Late);

/// What became of assembleFor().
struct Assembled {
  std::vector<Cubin> Cubins; ///< in the order of the architectures
  std::string Missing;       ///< names of those for which ptxas failed,
  std::string Problem;       ///< and why it did
  bool Late = false;         ///< it was ended for its time
};

/// Compile \p PTX, which assemble() has seen, or is of \p Parts such texts, for
/// \p Architectures.
Assembled assembleFor(llvm::ArrayRef<Architecture> Architectures,
                      const std::string &PTX, const Options &O,
                      unsigned Parts = 1);

/// The line in which assemble() says with what option \p PTX is assembled, or
/// "".
llvm::StringRef optionLine(llvm::StringRef PTX);

/// Let \p PTX say for how many blocks on a multiprocessor the registers of
/// kernel \p Name are meant, as \p From does.
void copyBlocks(const std::string &From, const std::string &Name,
                std::string &PTX);

/// For how many blocks on a multiprocessor the registers of kernel \p Name are
/// meant; 0 if \p PTX does not say.
unsigned blocksAtATime(const std::string &PTX, const std::string &Name);

} // namespace polygpu

#endif
