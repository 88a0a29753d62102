//===- Instrument.h - A module that runs in memory of ours ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Prepares a module for two executions (memory.h): loads and stores of ordinary
// functions ask verify_access first, functions without a body get one that
// notes the call, and what a just-in-time compiler or the comparison cannot
// have (thread-local variables, constructors, fast-math flags) is taken out.
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_VERIFY_INSTRUMENT_H
#define POLYGPU_VERIFY_INSTRUMENT_H

#include "llvm/ADT/StringRef.h"

namespace llvm {
class Function;
class Module;
} // namespace llvm

/// Is \p Name a function of the mathematical library, which is called as it
/// is?
using IsMathFunction = bool (*)(llvm::StringRef Name);

/// May \p F compute floating-point values in another way than it is written?
/// To be asked before the flags are taken out.
bool hasFastMath(const llvm::Function &F);

/// Prepare all of \p M.
void instrumentModule(llvm::Module &M, IsMathFunction IsMath);

/// Add "void NAME(ptr args, ptr result)" that calls \p F with the values that
/// the pointers in args point to.
void addWrapper(llvm::Function &F, llvm::StringRef Name);

#endif
