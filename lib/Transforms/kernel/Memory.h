//===- Memory.h - Where the elements of arrays are on the device ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_MEMORY_H
#define POLYGPU_MEMORY_H

#include "kernel/Arguments.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/Instructions.h"

namespace polygpu {

/// Arrays as a kernel sees them: pointers that the host passes, or variables of
/// the thread.
class Memory {
public:
  Memory(KernelContext &C, Arguments &Args)
      : C(C), Args(Args), Stored(C.Plan.scop->n_array) {}

  llvm::Type *elementType(unsigned Array) const;
  llvm::Align alignment(unsigned Array) const;
  /// That of an element by its size.
  llvm::Align ownAlignment(unsigned Array) const;

  /// The address of an array on the device, and how many elements from there
  /// the one with these subscripts is, as i64.
  std::pair<llvm::Value *, llvm::Value *>
  place(unsigned Array, llvm::ArrayRef<llvm::Value *> Subscripts);
  /// The address of that element.
  llvm::Value *address(unsigned Array,
                       llvm::ArrayRef<llvm::Value *> Subscripts);
  /// The thread's own variable for an array, or the element of it with these
  /// subscripts of the array; it may be in memory that is lent.
  llvm::Value *variable(unsigned Array,
                        llvm::ArrayRef<llvm::Value *> Subscripts = {});

  /// Load or store a value at an address in an array.
  llvm::Value *load(unsigned Array, llvm::Value *Address, llvm::Type *Ty);
  void store(unsigned Array, llvm::Value *Address, llvm::Value *V);

  /// Mark the element of a flagged array as written, if the i1 \p Written says
  /// so.  A byte for each element says which ones the program writes.
  void mark(unsigned Array, llvm::ArrayRef<llvm::Value *> Subscripts,
            llvm::Value *Written);

  /// Update the element at so many bytes from the beginning of an indirect
  /// array, as one operation; what it was.
  llvm::Value *update(unsigned Array, llvm::Value *Offset,
                      llvm::AtomicRMWInst::BinOp Op, llvm::Value *With);

  /// What it is now, while others may update it.
  llvm::Value *peek(unsigned Array, llvm::Value *Offset, llvm::Type *Ty);

  /// Mark it as written.
  void markUpdate(unsigned Array, llvm::Value *Offset);

  /// By array: does the kernel write it?
  const llvm::BitVector &stored() const { return Stored; }

private:
  KernelContext &C;
  Arguments &Args;
  llvm::BitVector Stored;
  llvm::DenseMap<unsigned, llvm::Value *> Variables;

  llvm::Value *extent(unsigned Array, unsigned Dim);
  llvm::Value *marks(unsigned Array);
};

} // namespace polygpu

#endif
