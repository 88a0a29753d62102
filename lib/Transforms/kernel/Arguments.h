//===- Arguments.h - Parameters of a kernel ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A function gets its parameters last, when it is known what is needed: until
// then every parameter is a placeholder instruction.
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_ARGUMENTS_H
#define POLYGPU_ARGUMENTS_H

#include "kernel/DeviceCode.h"
#include "kernel/KernelContext.h"
#include "llvm/ADT/BitVector.h"

namespace polygpu {

class Arguments {
public:
  explicit Arguments(KernelContext &C) : C(C) {}

  /// The value that the host passes as \p A.
  llvm::Value *get(KernelArg A, const llvm::Twine &Name);

  /// Have the parameters \p First, in their order, before all others.
  void begin(const std::vector<KernelArg> &First);

  /// Replace \p Draft by a function with these parameters.  \p Stored says
  /// which arrays the kernel writes.
  void finish(llvm::Function *Draft, const llvm::BitVector &Stored);

  std::vector<KernelArg> List;

private:
  KernelContext &C;
  std::string nameOf(const KernelArg &A) const;
  std::vector<llvm::Instruction *> Placeholders; ///< of List

  void describeBuffer(llvm::Argument &A, bool IsStored);
  void describeArray(llvm::Argument &A, unsigned Array, bool IsStored);
};

} // namespace polygpu

#endif
