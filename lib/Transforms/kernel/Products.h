//===- Products.h - Buffers that have products instead of factors --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_PRODUCTS_H
#define POLYGPU_PRODUCTS_H

#include "kernel/Memory.h"
#include <map>

namespace polygpu {

/// Where the only use of a buffer is to multiply its elements by a value from
/// before the loops, keep the products: they are the same, and each is computed
/// once.  Other parts of the statement may read the array from elsewhere, and
/// multiply for themselves.
class Products {
public:
  Products(const KernelContext &C, const Memory &Mem);

  /// What a buffer has instead of the elements of the array.
  struct Product {
    const llvm::Instruction *Of = nullptr; ///< the multiplication
    llvm::Value *Factor = nullptr;         ///< by what
  };
  const std::map<unsigned, Product> &all() const { return List; }

  /// Is \p I the product that \p Buffer has?
  bool has(int Buffer, const llvm::Instruction *I) const {
    auto It = List.find(Buffer);
    return It != List.end() && It->second.Of == I;
  }

private:
  std::map<unsigned, Product> List; ///< by buffer
};

} // namespace polygpu

#endif
