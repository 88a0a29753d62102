//===- Target.h - From device module to images ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Makes PTX of a device module.  See Assembler.h for what becomes of that, and
// Emulate.h for the other device.
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_TARGET_H
#define POLYGPU_TARGET_H

#include "Options.h"
#include "Remarks.h"
#include "llvm/ADT/StringMap.h"
#include <optional>
#include <string>
#include <vector>

namespace llvm {
class Module;
} // namespace llvm

namespace polygpu {

/// Remove what is redundant in kernels as they are generated: a third is left
/// of a product's.  Returns how many instructions each has then.
llvm::StringMap<unsigned> removeRedundant(llvm::Module &Device);

/// Make registers of variables and one load of equal ones, as compileToPTX()
/// does among other things: for a device that shall show what a GPU would do.
void simplifyKernels(llvm::Module &Device);

/// Compile \p Device, which is left as it is, to PTX text.  \p Optimised, if
/// not null, becomes what that was made of, as bitcode for linkToPTX().
std::optional<Refusal> compileToPTX(const llvm::Module &Device,
                                    const std::vector<std::string> &Kernels,
                                    const Options &O, std::string &PTX,
                                    std::string *Optimised);

/// One text of several modules, which have no kernel of the same name.
std::optional<Refusal> linkToPTX(llvm::ArrayRef<llvm::StringRef> Optimised,
                                 const Options &O, std::string &PTX);

} // namespace polygpu

#endif
