//===- RuntimeFunctions.h - Functions of the runtime that host code calls ===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_RUNTIMEFUNCTIONS_H
#define POLYGPU_RUNTIMEFUNCTIONS_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/DerivedTypes.h"
#include <string>

namespace llvm {
class CallBase;
class Function;
class GlobalVariable;
class Module;
class Value;
} // namespace llvm

namespace polygpu {

/// A function of the runtime.
struct RuntimeFunction {
  const char *Name;
  llvm::FunctionType *Type;
};

/// All of them; behind the first, which is for other compilers than ours, in
/// the order of RuntimeCalls (host/Host.cpp).
llvm::SmallVector<RuntimeFunction, 16> runtimeFunctions(llvm::LLVMContext &Ctx);

/// What looks at an array of pointers to rows (RowPointers).
inline constexpr const char *RowStepName = "polygpu_row_step",
                            *RowBaseName = "polygpu_row_base";

/// True if \p F is a function of the runtime, by its name.
bool isRuntimeFunction(const llvm::Function &F);

/// A variable of the runtime's, as \p M declares it: is anything on the device?
llvm::GlobalVariable *inUseVariable(llvm::Module &M);

/// Is \p Pointer into data that only offloaded code and the runtime know?
bool isRuntimeData(const llvm::Value *Pointer);

/// True if programs may call \p F themselves.
bool isForPrograms(const llvm::Function &F);

/// The function of the runtime with that name, declared in \p M.
llvm::FunctionCallee runtimeFunction(llvm::Module &M, llvm::StringRef Name);

/// The name of a function or variable of the runtime that is something else in
/// \p M, or "".
std::string misusedRuntimeName(const llvm::Module &M);

/// Take from a function that calls the runtime, or from a call of one, what
/// holds without these calls alone.
void weakenAttributes(llvm::Function &F);
void weakenAttributes(llvm::CallBase &Call);

/// polygpu_active, declared in \p M, or polygpu_active_parallel if there are
/// loops for \p Threads.
llvm::FunctionCallee activeFunction(llvm::Module &M, bool Threads);

} // namespace polygpu

#endif
