//===- Copier.cpp - Copies to buffers of a kernel ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kernel/Copier.h"
#include "verify/Mutate.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace polygpu {

/// Elements that a thread fetches before it puts the first one away.
static const unsigned MaxInFlight = 32;

//===-- Nodes of the AST --------------------------------------------------===//

Copier::Box Copier::box(const pg_user &U) {
  Box Result = {U.index, {}, nullptr};
  for (unsigned I = 0; I < U.n; ++I)
    Result.Corner.push_back(Ast.expr(U.args[I]));
  if (U.whole)
    Result.Whole = Ast.toBool(Ast.expr(U.whole));
  auto *Known = dyn_cast_or_null<ConstantInt>(Result.Whole);
  if (Known && Known->isOne())
    Result.Whole = nullptr;
  return Result;
}

/// All threads fill a buffer in shared memory, without registers if that can
/// be; a loop that runs ahead needs these.  Beside such a loop, one element at
/// a time will do.
void Copier::fill(const pg_user &U) {
  if (isMutated(Mutation::Copy, K.name))
    return;
  const pg_buffer &Buf = Mapping.buffers[U.index];
  Box Source = box(U);
  define(U);
  if (C.Readable)
    return readable(Source, false);
  if (!Buf.async)
    return Buf.written || Mapping.kind == PG_MAPPING_SHARED
               ? moveAll(Source, false)
               : copy(Source);
  bool Transformed = isTransformed(U.index);
  if (Buf.stages > 1)
    Source.Whole = B.getFalse();
  if (Buf.stages > 1 || Transformed)
    copyAt(Source, start(Source, 1), 1, nullptr);
  else
    copyAsync(Source);
  tell(CommitName);
  if (Mapping.kind == PG_MAPPING_SHARED)
    return waitForBoxes();
  Filled = true;
  if (!Transformed)
    return;
  // By the thread that copied the factor: no other one sees it yet.
  if (!isMutated(Mutation::Barrier, K.name))
    tell(WaitName, 0);
  transformAt(U.index, 1, nullptr);
}

/// What a block works on is copied once: the last copy waits for all, so that
/// the barriers of loops inside need not.
void Copier::waitForBoxes() {
  unsigned All = 0;
  for (unsigned I = 0; I < Mapping.n_buffer; ++I)
    All += K.inside[I] != nullptr;
  if (++Boxes % All == 0)
    tell(WaitName, 0);
}

/// Behind a barrier, all threads bring back what they wrote together.
void Copier::bringBack(const pg_user &U) {
  if (isMutated(Mutation::Copy, K.name))
    return;
  Box Source = box(U);
  define(U);
  if (C.Readable)
    return readable(Source, true);
  moveAll(Source, true);
}

/// Give the conditions on elements the place of the box.
void Copier::define(const pg_user &U) {
  for (unsigned I = 0; I < U.n_place; ++I)
    Ast.define("i" + std::to_string(I), Ast.expr(U.place[I]));
}

void Copier::moveRegister(const pg_user &U) {
  unsigned Array = Mapping.buffers[U.index].array;
  if (C.Plan.is_private[Array])
    return;
  SmallVector<Value *, 4> Subscripts, Point;
  for (unsigned I = 0; I < U.n; ++I)
    Subscripts.push_back(Ast.expr(U.args[I]));
  for (isl_ast_expr **E = U.access[0]; *E; ++E)
    Point.push_back(Ast.expr(*E));
  Value *Address = Mem.address(Array, Subscripts);
  Type *Ty = Mem.elementType(Array);
  bool Known = true;
  if (U.kind == PG_USER_LOAD) {
    Known = Bufs.store(U.index, Point, Mem.load(Array, Address, Ty));
  } else if (Value *V = Bufs.load(U.index, Point, Ty)) {
    Mem.store(Array, Address, V);
  } else {
    Known = false;
  }
  if (!Known)
    Ast.fail();
}

void Copier::tell(const char *Name, std::optional<unsigned> Number) {
  SmallVector<Type *, 1> Types;
  SmallVector<Value *, 1> Operands;
  if (Number) {
    Types.push_back(B.getInt32Ty());
    Operands.push_back(B.getInt32(*Number));
  }
  B.CreateCall(deviceFunction(M, Name, Types), Operands);
}

void Copier::arrive() {
  if (Filled)
    tell(WaitName, 0);
}

//===-- Where threads copy ------------------------------------------------===//

unsigned Copier::threads() const {
  return Mapping.block[0] * Mapping.block[1] * Mapping.block[2];
}

/// The number of units in a box, of \p Width elements next to each other.
unsigned Copier::units(const pg_buffer &Buf, unsigned Width) const {
  unsigned N = 1;
  for (unsigned D = 0; D < Buf.n_dim; ++D)
    N *= Buf.extent[D];
  return N / Width;
}

/// How many of them a thread copies at most.
unsigned Copier::rounds(const pg_buffer &Buf, unsigned Width) const {
  return divideCeil(units(Buf, Width), threads());
}

unsigned Copier::inFlight(unsigned Buffer) const {
  const pg_buffer &Buf = Mapping.buffers[Buffer];
  return rounds(Buf, Buf.vector) * Buf.vector;
}

bool Copier::fitsRegisters(unsigned Buffer) const {
  return inFlight(Buffer) <= MaxInFlight;
}

/// Are vectors of the array vectors in the buffer as well?
bool Copier::isContiguous(const pg_buffer &Buf) const {
  unsigned Row = Buf.extent[Buf.innermost] + Buf.pad;
  return Buf.innermost + 1 == Buf.n_dim && Row % Buf.vector == 0;
}

/// The address of the array on the device.
Value *Copier::globalBase(const pg_buffer &Buf) {
  return Mem.place(Buf.array, Subscripts(Buf.n_dim, B.getInt64(0))).first;
}

/// The number of the thread in its block, as i32.
Value *Copier::thread() {
  Value *Number = nullptr;
  for (unsigned D = Mapping.n_block; D-- > 0;) {
    std::string Name = "t" + std::to_string(D);
    isl_ast_expr *Id = isl_ast_expr_from_id(
        isl_id_alloc(C.Plan.scop->ctx, Name.c_str(), nullptr));
    Value *V = B.CreateZExtOrTrunc(Ast.expr(Id), B.getInt32Ty());
    isl_ast_expr_free(Id);
    Number = Number
                 ? B.CreateAdd(B.CreateMul(Number, B.getInt32(Mapping.block[D]),
                                           "", true, true),
                               V, "", true, true)
                 : V;
  }
  return Number ? Number : B.getInt32(0);
}

/// Where in the box the unit is that the thread copies in round \p Round.
Copier::Subscripts Copier::place(const pg_buffer &Buf, unsigned Width,
                                 unsigned Round) {
  return placeOf(
      Buf, Width,
      B.CreateAdd(thread(), B.getInt32(Round * threads()), "", true, true));
}

/// Where in the box unit \p Number (i32) is.
Copier::Subscripts Copier::placeOf(const pg_buffer &Buf, unsigned Width,
                                   Value *Number) {
  Subscripts At(Buf.n_dim);
  for (unsigned D = Buf.n_dim; D-- > 0;) {
    unsigned Extent = Buf.extent[D];
    if (D + 1 == Buf.n_dim)
      Extent /= Width;
    if (C.Readable) { // numbers are not negative
      At[D] = D ? B.CreateSRem(Number, B.getInt32(Extent)) : Number;
      Number = B.CreateSDiv(Number, B.getInt32(Extent));
      continue;
    }
    At[D] = D ? B.CreateURem(Number, B.getInt32(Extent)) : Number;
    Number = B.CreateUDiv(Number, B.getInt32(Extent));
  }
  At.back() = B.CreateMul(At.back(), B.getInt32(Width), "", true, true);
  return At;
}

/// Where in the array the element is that has the subscripts \p At in the box.
Copier::Subscripts Copier::inArray(const Box &Source, Subscripts At) {
  const pg_buffer &Buf = Mapping.buffers[Source.Buffer];
  for (unsigned D = 0; D < At.size(); ++D) {
    Type *Ty = Source.Corner[D]->getType();
    Value *Further = B.CreateNSWMul(B.CreateZExtOrTrunc(At[D], Ty),
                                    ConstantInt::get(Ty, Buf.stride[D]));
    At[D] = B.CreateNSWAdd(Source.Corner[D], Further);
  }
  return At;
}

/// Where in the array place() is.
Copier::Subscripts Copier::placeIn(const Box &Source, unsigned Width,
                                   unsigned Round) {
  return inArray(Source, place(Mapping.buffers[Source.Buffer], Width, Round));
}

/// How many bytes from the array's address the element with the subscripts \p
/// At is.
Value *Copier::byteOffset(const pg_buffer &Buf, ArrayRef<Value *> At) {
  return B.CreateMul(Mem.place(Buf.array, At).second,
                     B.getInt64(Bufs.elemSize(Buf)), "", false, true);
}

/// The last round may have something to do for some threads only.  Few threads
/// have many rounds, and what is to be thrown away is not generated.
void Copier::ifInRound(const pg_buffer &Buf, unsigned Width, unsigned Round,
                       function_ref<void()> Body) {
  if (C.hasBecomeTooLong()) {
    Ast.fail();
    return;
  }
  unsigned Left = units(Buf, Width) - Round * threads();
  if (Left >= threads())
    return Body();
  Ast.branch(Ast.condition(B.CreateICmpULT(thread(), B.getInt32(Left))), Body);
}

Value *Copier::isAligned(const Box &Source) {
  const pg_buffer &Buf = Mapping.buffers[Source.Buffer];
  Value *Size = B.getInt64(Bufs.elemSize(Buf));
  Value *Bits = B.CreatePtrToInt(globalBase(Buf), B.getInt64Ty());
  auto Add = [&](ArrayRef<Value *> At) {
    Value *Offset = Mem.place(Buf.array, At).second;
    Bits = B.CreateOr(Bits, B.CreateMul(Offset, Size, "", false, C.Readable));
  };
  // The strides of all dimensions but the last are multiples of that of the one
  // before it.
  Subscripts At(Buf.n_dim, B.getInt64(0));
  if (Buf.n_dim > 1) {
    At[Buf.n_dim - 2] = B.getInt64(1);
    Add(At);
    At[Buf.n_dim - 2] = B.getInt64(0);
  }
  At.back() = Source.Corner.back();
  Add(At);
  Bits = B.CreateAnd(Bits, Buf.vector * Bufs.elemSize(Buf) - 1);
  return B.CreateICmpEQ(Bits, B.getInt64(0));
}

/// Fetch the elements at \p Address, as one vector or one by one.
void Copier::fetchUnit(unsigned Buffer, unsigned Round, Value *Address,
                       bool Vector) {
  const pg_buffer &Buf = Mapping.buffers[Buffer];
  Type *Ty = Bufs.elementType(Buf);
  unsigned Size = Bufs.elemSize(Buf);
  Value *V = nullptr;
  if (Vector)
    V = B.CreateAlignedLoad(Bufs.several(Ty, Buf.vector), Address,
                            Align(Buf.vector * Size));
  for (unsigned I = 0; I < Buf.vector; ++I) {
    Value *One =
        V ? Bufs.get(V, I, Ty)
          : B.CreateAlignedLoad(Ty, B.CreateGEP(Ty, Address, B.getInt64(I)),
                                Buffers::lowestBit(Size));
    B.CreateAlignedStore(One, Bufs.scalar(Buffer, Round * Buf.vector + I, Ty),
                         Buffers::lowestBit(Size));
  }
}

/// Is the element with these subscripts one of those that \p Condition is for?
Value *Copier::isMoved(isl_ast_expr *Condition, const Subscripts &At) {
  for (unsigned D = 0; D < At.size(); ++D)
    Ast.define("e" + std::to_string(D), At[D]);
  return Ast.condition(Ast.toBool(Ast.expr(Condition)));
}

/// May the element with these subscripts be read?
Value *Copier::mayRead(const pg_buffer &Buf, const Subscripts &At) {
  return isMoved(K.inside[&Buf - Mapping.buffers], At);
}

/// Fetch the elements that may be read, and zero instead of the others: as one
/// vector where all of it may be and is \p Aligned (null: never).
void Copier::fetchGuarded(const Box &Source, unsigned Round,
                          const Subscripts &At, Value *Aligned) {
  const pg_buffer &Buf = Mapping.buffers[Source.Buffer];
  Type *Ty = Bufs.elementType(Buf);
  Align One = Buffers::lowestBit(Bufs.elemSize(Buf));
  SmallVector<Subscripts, 4> Places(Buf.vector, At);
  SmallVector<Value *, 4> Inside;
  Value *All = Aligned;
  for (unsigned I = 0; I < Buf.vector; ++I) {
    Places[I].back() =
        B.CreateNSWAdd(At.back(), ConstantInt::get(At.back()->getType(), I));
    Inside.push_back(mayRead(Buf, Places[I]));
    All = All ? B.CreateAnd(All, Inside.back()) : nullptr;
  }
  auto OneByOne = [&] {
    for (unsigned I = 0; I < Buf.vector; ++I) {
      Value *To = Bufs.scalar(Source.Buffer, Round * Buf.vector + I, Ty);
      B.CreateAlignedStore(Constant::getNullValue(Ty), To, One);
      Ast.branch(Inside[I], [&] {
        auto [Base, Offset] = Mem.place(Buf.array, Places[I]);
        B.CreateAlignedStore(
            B.CreateAlignedLoad(Ty, B.CreateGEP(Ty, Base, Offset), One), To,
            One);
      });
    }
  };
  if (!All)
    return OneByOne();
  Ast.branch(
      All,
      [&] {
        auto [Base, Offset] = Mem.place(Buf.array, At);
        fetchUnit(Source.Buffer, Round, B.CreateGEP(Ty, Base, Offset), true);
      },
      OneByOne);
}

/// One round of fetch(): whole boxes, in vectors if \p Aligned is true, or
/// "Guarded".
void Copier::fetchRound(const Box &Source, unsigned Round, bool Guarded,
                        Value *Aligned) {
  const pg_buffer &Buf = Mapping.buffers[Source.Buffer];
  ifInRound(Buf, Buf.vector, Round, [&] {
    Subscripts At = placeIn(Source, Buf.vector, Round);
    if (Guarded)
      return fetchGuarded(Source, Round, At, Aligned);
    auto [Base, Offset] = Mem.place(Buf.array, At);
    fetchUnit(Source.Buffer, Round,
              B.CreateGEP(Bufs.elementType(Buf), Base, Offset), Aligned);
  });
}

/// Fetch rounds \p First to \p Last - 1: in vectors, or one by one, or only
/// what may be read.
void Copier::fetchRounds(const Box &Source, unsigned First, unsigned Last) {
  const pg_buffer &Buf = Mapping.buffers[Source.Buffer];
  Value *Aligned = Buf.vector > 1 ? isAligned(Source) : nullptr;
  auto Fetch = [&](bool Guarded, Value *InVectors) {
    for (unsigned R = First; R < Last; ++R)
      fetchRound(Source, R, Guarded, InVectors);
  };
  auto Unguarded = [&] {
    if (!Aligned)
      return Fetch(false, nullptr);
    Ast.branch(
        Aligned, [&] { Fetch(false, B.getTrue()); },
        [&] { Fetch(false, nullptr); });
  };
  if (!Source.Whole)
    return Unguarded();
  Ast.branch(Ast.condition(Source.Whole), Unguarded,
             [&] { Fetch(true, Aligned); });
}

void Copier::fetch(const Box &Source) {
  const pg_buffer &Buf = Mapping.buffers[Source.Buffer];
  fetchRounds(Source, 0, rounds(Buf, Buf.vector));
}

Copier::Offsets Copier::offsets(const Box &Source, unsigned Width) {
  const pg_buffer &Buf = Mapping.buffers[Source.Buffer];
  Offsets Result;
  for (unsigned R = 0; R < rounds(Buf, Width); ++R)
    Result.push_back(byteOffset(Buf, placeIn(Source, Width, R)));
  return Result;
}

void Copier::fetchAt(unsigned Buffer, ArrayRef<Value *> From) {
  const pg_buffer &Buf = Mapping.buffers[Buffer];
  Value *Base = globalBase(Buf);
  for (unsigned R = 0; R < From.size(); ++R)
    ifInRound(Buf, Buf.vector, R, [&] {
      fetchUnit(Buffer, R, B.CreateGEP(B.getInt8Ty(), Base, From[R]),
                Buf.vector > 1);
    });
}

void Copier::putRound(unsigned Buffer, unsigned Round, Value *Stage) {
  const pg_buffer &Buf = Mapping.buffers[Buffer];
  Type *Ty = Bufs.elementType(Buf);
  unsigned Last = Buf.n_dim - 1, Size = Bufs.elemSize(Buf), Width = Buf.vector;
  bool Vector = Width > 1 && isContiguous(Buf);
  ifInRound(Buf, Width, Round, [&] {
    Subscripts At = place(Buf, Width, Round);
    Value *All = Vector ? PoisonValue::get(Bufs.several(Ty, Width)) : nullptr;
    Subscripts Next(At);
    for (unsigned I = 0; I < Width; ++I) {
      Value *V =
          B.CreateAlignedLoad(Ty, Bufs.scalar(Buffer, Round * Width + I, Ty),
                              Buffers::lowestBit(Size));
      if (auto It = Transforms.find(Buffer); It != Transforms.end())
        V = It->second(V);
      if (Vector) {
        All = Bufs.put(All, I, V);
        continue;
      }
      Next[Last] = B.CreateAdd(At[Last], B.getInt32(I), "", true, true);
      Value *Index = Bufs.index(Buf, Next);
      B.CreateAlignedStore(V, Bufs.at(Buf, Next, Stage),
                           Bufs.alignment(Buf, Index));
    }
    if (Vector)
      B.CreateAlignedStore(All, Bufs.at(Buf, At, Stage), Align(Width * Size));
  });
}

void Copier::put(unsigned Buffer, Value *Stage) {
  const pg_buffer &Buf = Mapping.buffers[Buffer];
  for (unsigned R = 0; R < rounds(Buf, Buf.vector); ++R)
    putRound(Buffer, R, Stage);
}

/// Copy element \p Number of a box that a block works on, or bring it \p Back.
void Copier::moveElement(const Box &Source, Value *Number, bool Back) {
  const pg_buffer &Buf = Mapping.buffers[Source.Buffer];
  Type *Ty = Bufs.elementType(Buf);
  Align One = Buffers::lowestBit(Bufs.elemSize(Buf));
  Subscripts Place = placeOf(Buf, 1, Number), At = inArray(Source, Place);
  auto Move = [&] {
    Value *Shared = Bufs.element(Buf, Bufs.index(Buf, Place), nullptr);
    Value *Address = Mem.address(Buf.array, At);
    if (Back)
      Mem.store(Buf.array, Address, B.CreateAlignedLoad(Ty, Shared, One));
    else
      B.CreateAlignedStore(Mem.load(Buf.array, Address, Ty), Shared, One);
  };
  if (!Source.Whole)
    return Move();
  // Of a box that is whole, no condition is looked at.
  isl_ast_expr *Condition = (Back ? K.back : K.inside)[Source.Buffer];
  Value *Whole = Ast.condition(Source.Whole);
  Ast.branch(B.CreateOr(Whole, isMoved(Condition, At)), Move);
}

/// Copy a box that a block works on, or bring it \p Back, one element of a
/// thread after the other.
void Copier::moveAll(const Box &Source, bool Back) {
  const pg_buffer &Buf = Mapping.buffers[Source.Buffer];
  unsigned Whole = units(Buf, 1) / threads(), Left = units(Buf, 1) % threads();
  Value *First = thread();
  auto Round = [&](Value *Number) {
    Value *Further = B.CreateMul(B.CreateZExtOrTrunc(Number, B.getInt32Ty()),
                                 B.getInt32(threads()), "", true, true);
    moveElement(Source, B.CreateAdd(First, Further, "", true, true), Back);
  };
  if (Whole > 1)
    Ast.countedLoop(Whole, Round);
  else if (Whole)
    Round(B.getInt32(0));
  if (Left)
    Ast.branch(Ast.condition(B.CreateICmpULT(First, B.getInt32(Left))),
               [&] { Round(B.getInt32(Whole)); });
}

/// Copy element \p Number of a box, or bring it \p Back.  Where an element is
/// not to be read, zero stands for it in a box that is only read.
void Copier::readableElement(const Box &Source, Value *Number, bool Back) {
  const pg_buffer &Buf = Mapping.buffers[Source.Buffer];
  Type *Ty = Bufs.elementType(Buf);
  Align One = Buffers::lowestBit(Bufs.elemSize(Buf));
  Subscripts Place = placeOf(Buf, 1, Number), At = inArray(Source, Place);
  auto Store = [&](Value *V) {
    if (auto It = Transforms.find(Source.Buffer); It != Transforms.end())
      V = It->second(V);
    B.CreateAlignedStore(V, Bufs.readable(Source.Buffer, Place), One);
  };
  auto Move = [&] {
    Value *Address = Mem.address(Buf.array, At);
    if (!Back)
      return Store(Mem.load(Buf.array, Address, Ty));
    Value *Shared = Bufs.readable(Source.Buffer, Place);
    Mem.store(Buf.array, Address, B.CreateAlignedLoad(Ty, Shared, One));
  };
  if (!Source.Whole)
    return Move();
  isl_ast_expr *Condition = (Back ? K.back : K.inside)[Source.Buffer];
  // Of a box that is whole, no condition counts.
  Value *Test =
      B.CreateLogicalOr(Ast.condition(Source.Whole), isMoved(Condition, At));
  if (Back || Buf.written || Mapping.kind == PG_MAPPING_SHARED)
    Ast.branch(Test, Move);
  else
    Ast.branch(Test, Move, [&] { Store(Constant::getNullValue(Ty)); });
}

/// Copy a box, or bring it \p Back, in a loop for people.
void Copier::readable(const Box &Source, bool Back) {
  const pg_buffer &Buf = Mapping.buffers[Source.Buffer];
  Ast.strideLoop("e", thread(), units(Buf, 1), threads(),
                 [&](Value *Number) { readableElement(Source, Number, Back); });
}

void Copier::copy(const Box &Source) {
  const pg_buffer &Buf = Mapping.buffers[Source.Buffer];
  unsigned AtOnce = std::max(1u, MaxInFlight / Buf.vector);
  for (unsigned First = 0; First < rounds(Buf, Buf.vector); First += AtOnce) {
    unsigned Last = std::min(First + AtOnce, rounds(Buf, Buf.vector));
    fetchRounds(Source, First, Last);
    for (unsigned R = First; R < Last; ++R)
      putRound(Source.Buffer, R, nullptr);
  }
}

} // namespace polygpu
