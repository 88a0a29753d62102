//===- Names.h - Names of C ------------------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_CUDA_NAMES_H
#define POLYGPU_CUDA_NAMES_H

#include "llvm/ADT/StringSet.h"
#include <string>

namespace llvm {
class Constant;
class FixedVectorType;
class Type;
} // namespace llvm

namespace polygpu {

/// Names that are in use in a scope of C, and are no others' there.
class Names {
public:
  /// A name like \p Wish that is not in use yet, and is from now on.
  std::string take(llvm::StringRef Wish);
  /// Give a name back: its scope ends.
  void release(llvm::StringRef Name) { Used.erase(Name); }

private:
  llvm::StringSet<> Used;
};

/// C text of a type of integers, of which those of unusual widths are in the
/// next longer type as signed numbers, floating-point numbers, or vectors of a
/// few; empty if it has none.
std::string cudaType(const llvm::Type *Ty);

/// The same for what is in memory; empty for unusual widths as well.
std::string cudaElement(const llvm::Type *Ty);

/// Has CUDA a type of its own for such vectors?
bool hasCudaVector(const llvm::FixedVectorType &Ty);

/// A vector of \p Parts, expressions with commas between them.
std::string makeVectorText(const llvm::FixedVectorType &Ty,
                           const std::string &Parts);

/// Has C integers of so many bits, at least 8?
bool isUsual(unsigned Bits);

/// C text of a number, of exactly its type; empty if it has none.
std::string numberText(const llvm::Constant &C);

/// The text of a declaration of \p Name, an array as \p Ty says; empty if there
/// is none.
std::string declarationText(const llvm::Type *Ty, const std::string &Name);

} // namespace polygpu

#endif
