//===- ComplexProducts.h - Products of complex numbers ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A product of complex numbers of which both parts are no numbers is computed
// again by the compiler's library, __muldc3 or __mulsc3, since infinities may
// have been lost (C, annex G).  A kernel cannot call that, so that the call is
// replaced by what the library does, in the same order and without a branch.
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_COMPLEXPRODUCTS_H
#define POLYGPU_COMPLEXPRODUCTS_H

namespace llvm {
class Function;
}

namespace polygpu {

/// Of the calls in \p F.
void openComplexProducts(llvm::Function &F);

} // namespace polygpu

#endif
