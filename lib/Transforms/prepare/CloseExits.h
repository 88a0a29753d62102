//===- CloseExits.h - Values behind loops that are known before -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A counter that goes on behind a nest, `k++` in a loop over a row, is a result
// of it to Polly: a scalar that a kernel of one thread computes, and that each
// run copies to the host.  What is a sum of values from in front of the nest is
// computed there, and so are addresses, which are no results that a device can
// have.
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_CLOSEEXITS_H
#define POLYGPU_CLOSEEXITS_H

namespace llvm {
class Region;
} // namespace llvm

namespace polygpu {

/// Compute integers and addresses that are used behind \p R in front of it, if
/// they depend on nothing in it; false if there are none.
bool closeExits(const llvm::Region &R);

} // namespace polygpu

#endif
