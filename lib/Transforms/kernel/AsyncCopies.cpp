//===- AsyncCopies.cpp - Copies to shared memory without registers --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kernel/Copier.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace polygpu {

/// How many copies of a thread are no loop: beside a loop that computes, and of
/// whole boxes elsewhere.
static const unsigned MaxUnrolled = 3, MaxUnrolledAlone = 12;

unsigned Copier::asyncWidth(unsigned Buffer) const {
  const pg_buffer &Buf = Mapping.buffers[Buffer];
  return isContiguous(Buf) ? Buf.vector : 1;
}

/// How many elements of the buffer are from one subscript in dimension \p Dim
/// to the next one.
unsigned Copier::pitch(const pg_buffer &Buf, unsigned Dim) const {
  unsigned N = 1;
  if (Dim == Buf.innermost)
    return N;
  for (unsigned D = 0; D < Buf.n_dim; ++D)
    if (D == Buf.innermost)
      N *= Buf.extent[D] + Buf.pad;
    else if (D > Dim)
      N *= Buf.extent[D];
  return N;
}

//===-- Who copies what ---------------------------------------------------===//

/// All threads side by side where that makes equal rounds; else some threads
/// for each row, as a power of two, so that nobody has to divide.
Copier::Walk Copier::walk(const pg_buffer &Buf, unsigned Width) const {
  unsigned Row = Buf.extent[Buf.n_dim - 1] / Width, T = threads();
  unsigned Inner = Buf.n_dim == 1 ? 1 : units(Buf, Width) / Buf.extent[0];
  Walk W;
  W.Regular = true;
  if (units(Buf, Width) % T == 0 && T % Inner == 0) {
    unsigned Step = T / Inner * (Buf.n_dim == 1 ? Width : 1);
    W.Levels.push_back({0, units(Buf, Width) / T, Step});
    return W;
  }
  W.Lanes = PowerOf2Ceil(Row);
  W.Regular =
      Buf.n_dim > 1 && Buf.n_dim < 4 && W.Lanes <= T && T % W.Lanes == 0;
  if (!W.Regular)
    return W;
  W.Idle = W.Lanes != Row;
  if (Buf.n_dim == 3)
    W.Levels.push_back({0, Buf.extent[0], 1});
  unsigned Rows = T / W.Lanes, Dim = Buf.n_dim - 2;
  W.Levels.push_back(
      {Dim, static_cast<unsigned>(divideCeil(Buf.extent[Dim], Rows)), Rows});
  return W;
}

/// Where in the box the first unit of a thread is.
Copier::Subscripts Copier::firstPlace(const pg_buffer &Buf, const Walk &W,
                                      unsigned Width) {
  if (!W.Lanes)
    return place(Buf, Width, 0);
  Subscripts At(Buf.n_dim, B.getInt32(0));
  Value *Lanes = B.getInt32(W.Lanes); // numbers of threads are not negative
  Value *Lane = C.Readable ? B.CreateSRem(thread(), Lanes)
                           : B.CreateURem(thread(), Lanes);
  At[Buf.n_dim - 1] = B.CreateMul(Lane, B.getInt32(Width), "", true, true);
  At[Buf.n_dim - 2] = C.Readable ? B.CreateSDiv(thread(), Lanes)
                                 : B.CreateUDiv(thread(), Lanes);
  return At;
}

/// Generate \p Body for each of \p N numbers, as a loop if that is "AsLoop".
void Copier::repeat(unsigned N, bool AsLoop,
                    function_ref<void(Value *Number)> Body) {
  if (AsLoop)
    return Ast.countedLoop(N, Body);
  for (unsigned I = 0; I < N; ++I)
    Body(B.getInt32(I));
}

/// Generate \p Body for what a thread copies on a regular walk, at most \p Most
/// times.  It gets how much further each level is.
void Copier::follow(const pg_buffer &Buf, const Walk &W, unsigned Width,
                    unsigned Most,
                    function_ref<void(ArrayRef<Value *> Further)> Body) {
  Subscripts First = firstPlace(Buf, W, Width);
  SmallVector<Value *, 2> Further;
  std::function<void()> Go = [&] {
    if (Further.size() == W.Levels.size())
      return Body(Further);
    const Walk::Level &L = W.Levels[Further.size()];
    unsigned Times = 1;
    for (unsigned I = Further.size(); I < W.Levels.size(); ++I)
      Times *= W.Levels[I].Count;
    Value *Extent = B.getInt32(Buf.extent[L.Dim]);
    repeat(L.Count, Times > Most, [&](Value *Number) {
      Value *More = B.CreateNSWMul(B.CreateZExtOrTrunc(Number, B.getInt32Ty()),
                                   B.getInt32(L.Step));
      Further.push_back(More);
      auto *Known = dyn_cast<ConstantInt>(Number);
      unsigned Last = Known ? Known->getZExtValue() : L.Count - 1;
      if (W.Lanes && (Last + 1) * L.Step > Buf.extent[L.Dim])
        Ast.branch(Ast.condition(B.CreateICmpULT(
                       B.CreateAdd(First[L.Dim], More), Extent)),
                   Go);
      else
        Go();
      Further.pop_back();
    });
  };
  if (!W.Idle)
    return Go();
  Value *Row = B.getInt32(Buf.extent[Buf.n_dim - 1]);
  Ast.branch(Ast.condition(B.CreateICmpULT(First.back(), Row)), Go);
}

//===-- Copies ------------------------------------------------------------===//

Copier::Start Copier::start(const Box &Source, unsigned Width) {
  const pg_buffer &Buf = Mapping.buffers[Source.Buffer];
  Walk W = walk(Buf, Width);
  if (!W.Regular)
    return {offsets(Source, Width), {}};
  Subscripts First = inArray(Source, firstPlace(Buf, W, Width));
  Start Result = {{byteOffset(Buf, First)}, {}};
  for (const Walk::Level &L : W.Levels) {
    Subscripts One(Buf.n_dim, B.getInt64(0));
    One[L.Dim] = B.getInt64(Buf.stride[L.Dim]);
    Result.Steps.push_back(byteOffset(Buf, One));
  }
  return Result;
}

Value *Copier::distance(const Box &From, const Box &To) {
  const pg_buffer &Buf = Mapping.buffers[From.Buffer];
  Subscripts Difference;
  for (unsigned D = 0; D < Buf.n_dim; ++D)
    Difference.push_back(B.CreateNSWSub(To.Corner[D], From.Corner[D]));
  return byteOffset(Buf, Difference);
}

/// Begin to copy the unit at \p From to \p To, all of it if \p Whole, else if
/// the element with the subscripts \p At may be read.
void Copier::copyUnit(const pg_buffer &Buf, Value *To, Value *From,
                      unsigned Width, bool Whole, const Subscripts &At) {
  Value *Size = B.getInt32(Width * Bufs.elemSize(Buf)), *Valid = Size;
  if (!Whole)
    Valid = B.CreateSelect(mayRead(Buf, At), Size, B.getInt32(0));
  FunctionCallee Copy =
      deviceFunction(M, CopyName,
                     {B.getPtrTy(SharedSpace), B.getPtrTy(GlobalSpace),
                      B.getInt32Ty(), B.getInt32Ty()});
  B.CreateCall(Copy, {To, From, Size, Valid});
}

/// The address of what is \p Further on a regular walk from \p To in shared
/// memory.
Value *Copier::walkTo(const pg_buffer &Buf, const Walk &W, Value *To,
                      ArrayRef<Value *> Further) {
  for (unsigned I = 0; I < Further.size(); ++I) {
    Value *Elements =
        B.CreateMul(B.CreateZExt(Further[I], B.getInt64Ty()),
                    B.getInt64(pitch(Buf, W.Levels[I].Dim)), "", true, true);
    To = B.CreateGEP(Bufs.elementType(Buf), To, Elements);
  }
  return To;
}

/// copyAt() for whole boxes or for others.
void Copier::copyPart(const Box &Source, const Start &Start, unsigned Width,
                      Value *Stage, bool Whole) {
  const pg_buffer &Buf = Mapping.buffers[Source.Buffer];
  Walk W = walk(Buf, Width);
  if (!W.Regular) {
    for (unsigned R = 0; R < Start.From.size(); ++R)
      ifInRound(Buf, Width, R, [&] {
        copyUnit(Buf, Bufs.at(Buf, place(Buf, Width, R), Stage),
                 B.CreateGEP(B.getInt8Ty(), globalBase(Buf), Start.From[R]),
                 Width, Whole, placeIn(Source, Width, R));
      });
    return;
  }
  Subscripts First = firstPlace(Buf, W, Width);
  Value *To = Bufs.at(Buf, First, Stage);
  follow(Buf, W, Width, Whole && !Stage ? MaxUnrolledAlone : MaxUnrolled,
         [&](ArrayRef<Value *> Further) {
           Value *From = Start.From[0];
           Subscripts At = First;
           for (unsigned I = 0; I < Further.size(); ++I) {
             unsigned Dim = W.Levels[I].Dim;
             Value *More = C.Readable
                               ? B.CreateSExt(Further[I], B.getInt64Ty())
                               : B.CreateZExt(Further[I], B.getInt64Ty());
             // Nowhere near the end of 64 bits, which only people have to know.
             More = B.CreateMul(More, Start.Steps[I], "", false, C.Readable);
             From = B.CreateAdd(From, More, "", false, C.Readable);
             At[Dim] = B.CreateNSWAdd(At[Dim], Further[I]);
           }
           Value *Unit = C.Readable ? Bufs.at(Buf, At, Stage)
                                    : walkTo(Buf, W, To, Further);
           At = inArray(Source, At);
           copyUnit(Buf, Unit,
                    B.CreateGEP(B.getInt8Ty(), globalBase(Buf), From), Width,
                    Whole, At);
         });
}

void Copier::copyAt(const Box &Source, const Start &Start, unsigned Width,
                    Value *Stage) {
  auto Copy = [&](bool Whole) { copyPart(Source, Start, Width, Stage, Whole); };
  if (Source.Whole)
    Ast.branch(
        Ast.condition(Source.Whole), [&] { Copy(true); }, [&] { Copy(false); });
  else
    Copy(true);
}

void Copier::copyAsync(const Box &Source) {
  unsigned Width = asyncWidth(Source.Buffer);
  Value *Fast = Width > 1 ? isAligned(Source) : nullptr;
  auto One = [&] { copyAt(Source, start(Source, 1), 1, nullptr); };
  if (!Fast)
    return One();
  if (Source.Whole)
    Fast = B.CreateAnd(Fast, Ast.condition(Source.Whole));
  Ast.branch(
      Fast,
      [&] {
        Box All = Source;
        All.Whole = nullptr;
        copyAt(All, start(All, Width), Width, nullptr);
      },
      One);
}

//===-- What becomes of them ----------------------------------------------===//

/// Put \p To, elements that this thread copied, as the buffer wants them.
void Copier::transformUnit(unsigned Buffer, Value *To, unsigned Width) {
  const pg_buffer &Buf = Mapping.buffers[Buffer];
  Type *Ty = Bufs.elementType(Buf);
  Align One = Buffers::lowestBit(Bufs.elemSize(Buf));
  for (unsigned I = 0; I < Width; ++I) {
    Value *Address = B.CreateGEP(Ty, To, B.getInt64(I));
    Value *V = B.CreateAlignedLoad(Ty, Address, One);
    B.CreateAlignedStore(Transforms[Buffer](V), Address, One);
  }
}

void Copier::transformAt(unsigned Buffer, unsigned Width, Value *Stage) {
  const pg_buffer &Buf = Mapping.buffers[Buffer];
  if (!isTransformed(Buffer))
    return;
  Walk W = walk(Buf, Width);
  if (!W.Regular) {
    for (unsigned R = 0; R < rounds(Buf, Width); ++R)
      ifInRound(Buf, Width, R, [&] {
        Value *To = Bufs.at(Buf, place(Buf, Width, R), Stage);
        transformUnit(Buffer, To, Width);
      });
    return;
  }
  Value *To = Bufs.at(Buf, firstPlace(Buf, W, Width), Stage);
  follow(Buf, W, Width, MaxUnrolled, [&](ArrayRef<Value *> Further) {
    transformUnit(Buffer, walkTo(Buf, W, To, Further), Width);
  });
}

} // namespace polygpu
