//===- Buffers.h - Shared memory and registers of a kernel ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a kernel's buffers become: variables in shared memory, and scalars of
// the thread, one for each element, so that the first pass of the optimiser
// makes registers of them.
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_BUFFERS_H
#define POLYGPU_BUFFERS_H

#include "kernel/Memory.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include <utility>

namespace llvm {
class GlobalVariable;
} // namespace llvm

namespace polygpu {

class Buffers {
public:
  Buffers(KernelContext &C, const Memory &Mem);

  /// Load an element of a buffer, or store it there.  Null or false if the
  /// subscripts of a register are no numbers.
  llvm::Value *load(unsigned Buffer, llvm::ArrayRef<llvm::Value *> Subscripts,
                    llvm::Type *Ty);
  bool store(unsigned Buffer, llvm::ArrayRef<llvm::Value *> Subscripts,
             llvm::Value *V);

  /// How many bytes from its start the buffer is read; null: none.
  void select(unsigned Buffer, llvm::Value *Stage) { Selected[Buffer] = Stage; }
  /// The bytes of one stage of a buffer, or one where stages are counted.
  unsigned stageBytes(unsigned Buffer) const;

  /// The address of the element with the subscripts \p At in stage \p Stage
  /// (as in element()) of \p Buf.
  llvm::Value *at(const pg_buffer &Buf, llvm::ArrayRef<llvm::Value *> At,
                  llvm::Value *Stage);
  /// The same in code that is to be printed for people, where stages are
  /// counted, not bytes.
  llvm::Value *readable(unsigned Buffer, llvm::ArrayRef<llvm::Value *> At,
                        llvm::Value *Stage = nullptr);

  // For copies.

  unsigned elemSize(const pg_buffer &Buf) const;
  llvm::Type *elementType(const pg_buffer &Buf) const {
    return Mem.elementType(Buf.array);
  }
  /// The alignment of something of \p Size bytes in an array of such.
  static llvm::Align lowestBit(unsigned Size) {
    return llvm::Align(Size & (~Size + 1));
  }
  /// A vector of \p N elements of type \p Ty; of vectors, such as complex
  /// numbers, it has the parts, as there are no vectors of vectors.
  static llvm::Type *several(llvm::Type *Ty, unsigned N);
  /// Element \p I of \p Several, and \p Several with \p V as that.
  llvm::Value *get(llvm::Value *Several, unsigned I, llvm::Type *Ty) const;
  llvm::Value *put(llvm::Value *Several, unsigned I, llvm::Value *V) const;
  /// Scalar number \p Number of the thread for a buffer.
  llvm::Value *scalar(unsigned Buffer, unsigned Number, llvm::Type *Ty);
  llvm::Value *place(const pg_buffer &Buf, unsigned D, llvm::Value *V);
  /// The number of the element with the subscripts \p At in its buffer, as i32.
  llvm::Value *index(const pg_buffer &Buf, llvm::ArrayRef<llvm::Value *> At);
  /// The address of element \p Index of \p Buf, \p Stage bytes further.
  llvm::Value *element(const pg_buffer &Buf, llvm::Value *Index,
                       llvm::Value *Stage);
  /// How that element is aligned.
  llvm::Align alignment(const pg_buffer &Buf, llvm::Value *Index);

private:
  llvm::IRBuilder<> &B;
  llvm::Module &M;
  const pg_kernel &K;
  const pg_mapping &Mapping;
  const pg_plan &Plan;
  const Memory &Mem;
  llvm::DenseMap<unsigned, llvm::GlobalVariable *> Slots;
  llvm::DenseMap<std::pair<unsigned, unsigned>, llvm::Value *> Scalars;
  llvm::DenseMap<unsigned, llvm::Value *> Selected;

  llvm::GlobalVariable *slot(const pg_buffer &Buf);

  // Readable: arrays of as many dimensions as the buffer has.
  const bool &Readable, &Ahead; ///< of the context
  llvm::DenseMap<unsigned, llvm::Value *> Whole;
  bool isAlone(const pg_buffer &Buf) const;
  bool hasStages(const pg_buffer &Buf) const;
  llvm::SmallVector<unsigned, 4> order(const pg_buffer &Buf) const;
  llvm::Value *wholeArray(unsigned Buffer);
  llvm::Value *variable(unsigned Buffer, llvm::ArrayRef<llvm::Value *> Point);
  llvm::Value *split(llvm::Value *V, int64_t &Constant);
};

} // namespace polygpu

#endif
