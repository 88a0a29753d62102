//===- Target.h - From device module to images ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The only part of the compiler that knows GPUs: makes PTX, and a cubin where
// ptxas is at hand, of a device module.  See Emulate.h for the other device.
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_TARGET_H
#define POLYGPU_TARGET_H

#include "Options.h"
#include "Remarks.h"
#include "kernel/Kernel.h"
#include "llvm/ADT/StringMap.h"
#include <optional>
#include <string>
#include <vector>

namespace llvm {
class Module;
} // namespace llvm

namespace polygpu {

/// Data layout of device modules (that of NVPTX with 64-bit pointers).
const char *deviceDataLayout();

/// True if libdevice is installed where \p O says.
bool hasLibdevice(const Options &O);

/// The instructions of each kernel; if they are more than \p Long, without what
/// is redundant within a block.
llvm::StringMap<unsigned> measureKernels(const llvm::Module &Device,
                                         unsigned Long);

/// Make registers of variables and one load of equal ones, as compileToPTX()
/// does among other things: for a device that shall show what a GPU would do.
void simplifyKernels(llvm::Module &Device);

/// Compile \p Device, which is left as it is, to PTX text.
std::optional<Refusal> compileToPTX(const llvm::Module &Device,
                                    const std::vector<std::string> &Kernels,
                                    const Options &O, std::string &PTX);

/// True if ptxas is installed.
bool hasAssembler(const Options &O);

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

/// For how many blocks on a multiprocessor the registers of kernel \p Name are
/// meant; 0 if \p PTX does not say.
unsigned blocksAtATime(const std::string &PTX, const std::string &Name);

} // namespace polygpu

#endif
