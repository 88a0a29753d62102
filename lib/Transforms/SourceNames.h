//===- SourceNames.h - Names and places in the source ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What values, functions and lines are called where the user wrote them.
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_SOURCENAMES_H
#define POLYGPU_SOURCENAMES_H

#include "llvm/ADT/StringRef.h"
#include "llvm/IR/DebugLoc.h"
#include <string>

namespace llvm {
class Function;
class Value;
} // namespace llvm

namespace polygpu {

/// A function or a variable that the linker calls \p Symbol.
std::string sourceSymbol(llvm::StringRef Symbol);

/// Name of \p V in the source: of the variable that holds it, where debug
/// information or IR names tell, else a description like "argument 2".
std::string sourceName(const llvm::Value *V);

/// Is there nothing to tell \p V from other values in the source?
bool isAnonymous(const llvm::Value *V);

/// Is \p Loc in a file of an installed library, and not the one compiled?
bool isLibrary(const llvm::DebugLoc &Loc);

/// Where the user's code is in which \p Loc was inlined from libraries, \p Loc
/// itself if it was not.
llvm::DebugLoc userPlace(const llvm::DebugLoc &Loc);

/// "line 12" of the user's place or "line 12 of file.h" when that is not \p F's
/// file, or "an unknown line".
std::string describeLine(const llvm::DebugLoc &Loc, const llvm::Function &F);

} // namespace polygpu

#endif
