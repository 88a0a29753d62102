//===- Irregular.h - Why a value is not affine ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Words for subscripts, conditions and bounds that Polly turned down: what of
// the loop they depend on.
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_IRREGULAR_H
#define POLYGPU_IRREGULAR_H

#include "Remarks.h"

namespace llvm {
class CallBase;
class LoadInst;
class Loop;
class SCEV;
class Value;
} // namespace llvm

namespace polygpu {

/// What about \p E is not affine in \p L, to follow "it": "depends on data";
/// nothing if that is not known.
std::string whyIrregular(const llvm::SCEV &E, const llvm::Loop &L);

/// The same for a condition of a branch, and what would help.
struct IrregularCondition {
  std::string Why, Advice;
  std::string Array; ///< with the data, if it is data
};
IrregularCondition whyIrregular(const llvm::Value &Condition,
                                const llvm::Loop &L);

/// A load in \p L that \p V is computed from, or null.
const llvm::LoadInst *findLoad(const llvm::Value &V, const llvm::Loop &L);

/// The array that \p V is read from in \p L, also by a load or a loop that is a
/// call for now (prepare/IndirectReads.h), as "it" is called in the source;
/// empty if it is not read from one.
std::string findArray(const llvm::Value &V, const llvm::Loop &L);

/// A call in \p L, likewise, of the program.
const llvm::CallBase *findCall(const llvm::Value &V, const llvm::Loop &L);

} // namespace polygpu

#endif
