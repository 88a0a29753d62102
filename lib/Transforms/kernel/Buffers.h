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
// A copy has two halves, so that something can be done in between: fetch() gets
// elements from memory of the device into registers, put() stores them in
// shared memory.
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_BUFFERS_H
#define POLYGPU_BUFFERS_H

#include "kernel/AstBuilder.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include <functional>
#include <utility>

namespace llvm {
class GlobalVariable;
class Module;
} // namespace llvm

namespace polygpu {

class Buffers {
public:
  /// Of the kernel \p K of \p Plan.  \p Element gives the type of an array's
  /// elements, \p Global its address on the device and how many elements from
  /// there the one with some subscripts is, as i64.
  using TypeOf = std::function<llvm::Type *(unsigned Array)>;
  using PlaceOf = std::function<std::pair<llvm::Value *, llvm::Value *>(
      unsigned Array, llvm::ArrayRef<llvm::Value *> Subscripts)>;
  Buffers(llvm::IRBuilder<> &B, llvm::Module &M, AstBuilder &Ast,
          const pg_plan &Plan, const pg_kernel &K, TypeOf Element,
          PlaceOf Global);

  /// Load an element of a buffer, or store it there.  Null or false if the
  /// subscripts of a register are no numbers.
  llvm::Value *load(unsigned Buffer, llvm::ArrayRef<llvm::Value *> Subscripts,
                    llvm::Type *Ty);
  bool store(unsigned Buffer, llvm::ArrayRef<llvm::Value *> Subscripts,
             llvm::Value *V);

  /// What is stored in a buffer for an element; unset: the element.
  using Transform = std::function<llvm::Value *(llvm::Value *)>;
  void transform(unsigned Buffer, Transform T) { Transforms[Buffer] = T; }

  /// A box to be copied.  Whole says that all of it may be read; null: it
  /// always may.
  struct Box {
    unsigned Buffer;
    llvm::SmallVector<llvm::Value *, 4> Corner;
    llvm::Value *Whole;
  };

  /// Fill a buffer from a box, some elements after the other.
  void copy(const Box &Source);

  /// Can a buffer be filled with a fetch and a put of all elements?
  bool fitsRegisters(unsigned Buffer) const;

  void fetch(const Box &Source);
  /// Store what fetch() got, \p Stage bytes (i32; null: none) from the start
  /// of the buffer.
  void put(unsigned Buffer, llvm::Value *Stage);

  /// The bytes of one stage of a buffer.
  unsigned stageBytes(unsigned Buffer) const;
  /// How many bytes from its start the buffer is read; null: none.
  void select(unsigned Buffer, llvm::Value *Stage) { Selected[Buffer] = Stage; }

  /// Do all rows of the box start at a multiple of the vectors that threads
  /// copy?
  llvm::Value *isAligned(const Box &Source);

  /// How many bytes from the array's address the elements are that this thread
  /// copies, \p Width at once, as i64.
  using Offsets = llvm::SmallVector<llvm::Value *, 8>;
  Offsets offsets(const Box &Source, unsigned Width);
  /// Fetch whole and aligned boxes from there, in vectors.
  void fetchAt(unsigned Buffer, llvm::ArrayRef<llvm::Value *> From);

  /// The elements that an asynchronous copy takes at once from a whole and
  /// aligned box.
  unsigned asyncWidth(unsigned Buffer) const;
  /// Where an asynchronous copy begins: offsets(); or the first of them, and
  /// how many bytes the array has from one subscript to the next in the
  /// dimensions in which a thread goes further.
  struct Start {
    Offsets From;
    llvm::SmallVector<llvm::Value *, 2> Steps;
  };
  Start start(const Box &Source, unsigned Width);
  /// Begin to copy from there to \p Stage bytes (i32; null: none) from the
  /// start of the buffer, with zero for what may not be read.
  void copyAt(const Box &Source, const Start &At, unsigned Width,
              llvm::Value *Stage);
  /// Begin to copy a box, in vectors if that can be.
  void copyAsync(const Box &Source);
  bool isTransformed(unsigned Buffer) const { return Transforms.count(Buffer); }
  /// Replace what this thread copied there, which has arrived, by what is to be
  /// stored for it.
  void transformAt(unsigned Buffer, unsigned Width, llvm::Value *Stage);
  /// How many bytes all elements of \p To are from those of \p From, another
  /// box of the same buffer.
  llvm::Value *distance(const Box &From, const Box &To);

private:
  llvm::IRBuilder<> &B;
  llvm::Module &M;
  AstBuilder &Ast;
  const pg_plan &Plan;
  const pg_kernel &K;
  TypeOf Element;
  PlaceOf Global;
  llvm::DenseMap<unsigned, llvm::GlobalVariable *> Slots;
  llvm::DenseMap<std::pair<unsigned, unsigned>, llvm::Value *> Scalars;
  llvm::DenseMap<unsigned, llvm::Value *> Selected;
  llvm::DenseMap<unsigned, Transform> Transforms;

  using Subscripts = llvm::SmallVector<llvm::Value *, 4>;

  unsigned elemSize(const pg_buffer &Buf) const;
  unsigned threads() const;
  unsigned units(const pg_buffer &Buf, unsigned Width) const;
  unsigned rounds(const pg_buffer &Buf, unsigned Width) const;
  bool isContiguous(const pg_buffer &Buf) const;
  llvm::Value *globalBase(const pg_buffer &Buf);
  static llvm::Align lowestBit(unsigned Size) {
    return llvm::Align(Size & (~Size + 1));
  }
  llvm::GlobalVariable *slot(const pg_buffer &Buf);
  llvm::Value *scalar(unsigned Buffer, unsigned Number, llvm::Type *Ty);
  llvm::Value *variable(unsigned Buffer, llvm::ArrayRef<llvm::Value *> Point);
  llvm::Value *index(const pg_buffer &Buf, llvm::ArrayRef<llvm::Value *> At);
  llvm::Value *split(llvm::Value *V, int64_t &Constant);
  llvm::Value *element(const pg_buffer &Buf, llvm::Value *Index,
                       llvm::Value *Stage);
  llvm::Align alignment(const pg_buffer &Buf, llvm::Value *Index);
  llvm::Value *thread();
  Subscripts place(const pg_buffer &Buf, unsigned Width, unsigned Round);
  Subscripts inArray(const Box &Source, Subscripts At);
  Subscripts placeIn(const Box &Source, unsigned Width, unsigned Round);
  llvm::Value *byteOffset(const pg_buffer &Buf,
                          llvm::ArrayRef<llvm::Value *> At);
  void ifInRound(const pg_buffer &Buf, unsigned Width, unsigned Round,
                 llvm::function_ref<void()> Body);
  llvm::Value *mayRead(const pg_buffer &Buf, const Subscripts &At);
  void fetchRound(const Box &Source, unsigned Round, bool Guarded,
                  llvm::Value *Aligned);
  void fetchUnit(unsigned Buffer, unsigned Round, llvm::Value *Address,
                 bool Vector);
  void fetchGuarded(const Box &Source, unsigned Round, const Subscripts &At,
                    llvm::Value *Aligned);
  void fetchRounds(const Box &Source, unsigned First, unsigned Last);
  void putRound(unsigned Buffer, unsigned Round, llvm::Value *Stage);

  // AsyncCopies.cpp.

  /// How the threads of a block go over a box.  They begin side by side, Lanes
  /// of them in a row (0: as they are numbered), and go on in the dimensions of
  /// Levels.
  struct Walk {
    struct Level {
      unsigned Dim, Count, Step;
    };
    bool Regular = false;
    bool Idle = false; ///< Lanes are more than there is in a row
    unsigned Lanes = 0;
    llvm::SmallVector<Level, 2> Levels;
  };
  Walk walk(const pg_buffer &Buf, unsigned Width) const;
  Subscripts firstPlace(const pg_buffer &Buf, const Walk &W, unsigned Width);
  unsigned pitch(const pg_buffer &Buf, unsigned Dim) const;
  void repeat(unsigned N, bool AsLoop,
              llvm::function_ref<void(llvm::Value *Number)> Body);
  void
  follow(const pg_buffer &Buf, const Walk &W, unsigned Width, unsigned Most,
         llvm::function_ref<void(llvm::ArrayRef<llvm::Value *> Further)> Body);
  llvm::Value *walkTo(const pg_buffer &Buf, const Walk &W, llvm::Value *To,
                      llvm::ArrayRef<llvm::Value *> Further);
  void copyUnit(const pg_buffer &Buf, llvm::Value *To, llvm::Value *From,
                unsigned Width, bool Whole, const Subscripts &At);
  void copyPart(const Box &Source, const Start &Start, unsigned Width,
                llvm::Value *Stage, bool Whole);
  void transformUnit(unsigned Buffer, llvm::Value *To, unsigned Width);
};

} // namespace polygpu

#endif
