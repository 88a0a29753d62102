//===- Emulate.h - Kernels for the emulated device ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Makes functions of the host module of the kernels of a device module.
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_EMULATE_H
#define POLYGPU_EMULATE_H

#include <string>
#include <vector>

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace polygpu {

/// A kernel as a function of the host module.
struct EmulatedKernel {
  llvm::Function *Function; ///< of type polygpu_emulated_fn (polygpu/abi.h)
  unsigned SharedBytes;     ///< that a block needs
};

/// Bring the kernels of \p Device into \p Host.  \p Like is the host function
/// whose target attributes they take.  If \p Checked, then they ask
/// the device (polygpu_emulated_calls) before each load, store and atomic
/// operation; the calls are there before anything is optimised.
std::vector<EmulatedKernel> emulate(const llvm::Module &Device,
                                    const std::vector<std::string> &Kernels,
                                    llvm::Module &Host,
                                    const llvm::Function &Like, bool Checked);

} // namespace polygpu

#endif
