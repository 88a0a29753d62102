//===- Link.h - Copies that are linked with those of other files ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Under -flto (the regular one, which links IR) arrays can stay on the device
// from a run in one file to a run in another one:
//
//   compiling   each copy with runs takes a scope and promises to tell of what
//               a caller's runs may need; f gives it one of its own, or none
//   linking     functions of all files are looked at as those of one file are:
//               who calls copies gets a copy that calls them with its scope,
//               and copies tell again, now that more functions are known
//
// What the linker's pass needs to know of copies is in the IR (Compiled.h), and
// metadata of f that names its copy.
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_LINK_H
#define POLYGPU_LINK_H

#include "llvm/IR/PassManager.h"

namespace polygpu {

/// Is \p M one of the files of which regular LTO links the IR?
bool isForLink(const llvm::Module &M);

/// Keep \p F, and its copy that takes a scope, as they are until they are
/// linked.
void keepForLink(llvm::Function &F, llvm::Function &Copy);

/// At the link: keep what can be kept between files.  True if \p M was changed.
bool keepAcrossFiles(llvm::Module &M, llvm::FunctionAnalysisManager &FAM);

} // namespace polygpu

#endif
