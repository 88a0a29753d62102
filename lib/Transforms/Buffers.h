//===- Buffers.h - Shared memory and registers of a kernel ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a kernel's buffers become: variables in address space 3, scalars of the
// thread (one for each element, so that the first pass of the optimiser makes
// registers of them), and the code with which all threads of a block fill
// shared memory.
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_BUFFERS_H
#define POLYGPU_BUFFERS_H

#include "AstBuilder.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include <functional>

namespace llvm {
class GlobalVariable;
class Module;
} // namespace llvm

namespace polygpu {

class Buffers {
public:
  /// Of the kernel \p K of \p Plan.  \p Element gives the type of an array's
  /// elements, \p Global the address of one of them on the device.
  using TypeOf = std::function<llvm::Type *(unsigned Array)>;
  using AddressOf = std::function<llvm::Value *(
      unsigned Array, llvm::ArrayRef<llvm::Value *> Subscripts)>;
  Buffers(llvm::IRBuilder<> &B, llvm::Module &M, AstBuilder &Ast,
          const pg_plan &Plan, const pg_kernel &K, TypeOf Element,
          AddressOf Global);

  /// Where an element of a buffer is, and how it is aligned.
  llvm::Value *address(unsigned Buffer,
                       llvm::ArrayRef<llvm::Value *> Subscripts,
                       llvm::Align &Alignment);

  /// Fill a buffer from the box that starts at \p Corner.  \p Whole says that
  /// all of the box may be read; null: that it always may.
  void copy(unsigned Buffer, llvm::ArrayRef<llvm::Value *> Corner,
            llvm::Value *Whole);

private:
  llvm::IRBuilder<> &B;
  llvm::Module &M;
  AstBuilder &Ast;
  const pg_plan &Plan;
  const pg_kernel &K;
  TypeOf Element;
  AddressOf Global;
  llvm::DenseMap<unsigned, llvm::GlobalVariable *> Slots;
  llvm::DenseMap<std::pair<unsigned, unsigned>, llvm::Value *> Registers;

  /// One way to fill a buffer.
  struct Filling {
    unsigned Buffer;
    llvm::ArrayRef<llvm::Value *> Corner;
    unsigned Width; ///< elements that are moved at once
    bool Guarded;   ///< look at each element whether it may be read
  };

  unsigned elemSize(const pg_buffer &Buf) const;
  unsigned length(const pg_buffer &Buf) const;
  llvm::GlobalVariable *slot(const pg_buffer &Buf);
  llvm::Value *variable(unsigned Buffer, llvm::ArrayRef<llvm::Value *> Point);
  llvm::Value *thread();
  llvm::Value *isAligned(const Filling &F);
  void fill(const Filling &F);
  llvm::Value *fetch(const Filling &F, llvm::ArrayRef<llvm::Value *> Local);
  void put(const Filling &F, llvm::ArrayRef<llvm::Value *> Local,
           llvm::Value *V);
};

} // namespace polygpu

#endif
