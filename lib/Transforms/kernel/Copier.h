//===- Copier.h - Copies to buffers of a kernel --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The code with which all threads of a block fill shared memory, and a thread
// its registers.
//
// A copy through registers has two halves, so that something can be done in
// between: fetch() gets elements from memory of the device, put() stores them
// in shared memory.  Asynchronous copies need no registers (AsyncCopies.cpp).
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_COPIER_H
#define POLYGPU_COPIER_H

#include "kernel/AstBuilder.h"
#include "kernel/Buffers.h"
#include <functional>
#include <optional>

namespace polygpu {

class Copier {
public:
  Copier(KernelContext &C, AstBuilder &Ast, Memory &Mem, Buffers &Bufs)
      : C(C), B(C.B), M(C.M), K(C.K), Mapping(*C.K.mapping), Ast(Ast), Mem(Mem),
        Bufs(Bufs) {}

  /// What the node \p U of the AST says: fill a buffer in shared memory, bring
  /// back what was written there, or load a register from memory or store it
  /// there.
  void fill(const pg_user &U);
  void bringBack(const pg_user &U);
  void moveRegister(const pg_user &U);

  /// Asynchronous copies that loops have not begun have to have arrived.
  void arrive();
  /// Call a function of the device module that takes a number, or nothing.
  void tell(const char *Name, std::optional<unsigned> Number = std::nullopt);

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
  Box box(const pg_user &U);

  /// Fill a buffer from a box, some elements after the other.
  void copy(const Box &Source);

  /// How many elements of a buffer a thread fetches at most.
  unsigned inFlight(unsigned Buffer) const;
  /// Can a buffer be filled with a fetch and a put of all elements?
  bool fitsRegisters(unsigned Buffer) const;

  void fetch(const Box &Source);
  /// Store what fetch() got, \p Stage bytes (i32; null: none) from the start
  /// of the buffer.
  void put(unsigned Buffer, llvm::Value *Stage);

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
  KernelContext &C;
  llvm::IRBuilder<> &B;
  llvm::Module &M;
  const pg_kernel &K;
  const pg_mapping &Mapping;
  AstBuilder &Ast;
  Memory &Mem;
  Buffers &Bufs;
  llvm::DenseMap<unsigned, Transform> Transforms;
  bool Filled = false; ///< has anything been copied that may be on its way?
  unsigned Boxes = 0;  ///< that a block works on have been copied

  using Subscripts = llvm::SmallVector<llvm::Value *, 4>;

  unsigned threads() const;
  unsigned units(const pg_buffer &Buf, unsigned Width) const;
  unsigned rounds(const pg_buffer &Buf, unsigned Width) const;
  bool isContiguous(const pg_buffer &Buf) const;
  llvm::Value *globalBase(const pg_buffer &Buf);
  llvm::Value *thread();
  Subscripts place(const pg_buffer &Buf, unsigned Width, unsigned Round);
  Subscripts placeOf(const pg_buffer &Buf, unsigned Width, llvm::Value *Number);
  Subscripts inArray(const Box &Source, Subscripts At);
  Subscripts placeIn(const Box &Source, unsigned Width, unsigned Round);
  llvm::Value *byteOffset(const pg_buffer &Buf,
                          llvm::ArrayRef<llvm::Value *> At);
  void ifInRound(const pg_buffer &Buf, unsigned Width, unsigned Round,
                 llvm::function_ref<void()> Body);
  void define(const pg_user &U);
  void waitForBoxes();
  llvm::Value *isMoved(isl_ast_expr *Condition, const Subscripts &At);
  llvm::Value *mayRead(const pg_buffer &Buf, const Subscripts &At);
  void moveAll(const Box &Source, bool Back);
  void readable(const Box &Source, bool Back);
  void readableElement(const Box &Source, llvm::Value *Number, bool Back);
  void moveElement(const Box &Source, llvm::Value *Number, bool Back);
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
