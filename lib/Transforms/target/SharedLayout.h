//===- SharedLayout.h - Where variables in shared memory lie ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_SHAREDLAYOUT_H
#define POLYGPU_SHAREDLAYOUT_H

#include <utility>
#include <vector>

namespace llvm {
class Function;
class GlobalVariable;
} // namespace llvm

namespace polygpu {

/// The variables in shared memory that a kernel uses, and how many bytes from
/// the start of the block's shared memory each lies.
struct SharedLayout {
  std::vector<std::pair<llvm::GlobalVariable *, unsigned>> Variables;
  unsigned Bytes = 0;
};

SharedLayout sharedLayout(const llvm::Function &Kernel);

} // namespace polygpu

#endif
