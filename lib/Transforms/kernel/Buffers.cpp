//===- Buffers.cpp - Shared memory and registers of a kernel --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kernel/Buffers.h"
#include "kernel/Kernel.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace polygpu {

static const unsigned VectorBytes = 16;
/// Elements that a thread fetches before it puts the first one away.
static const unsigned MaxInFlight = 32;

Buffers::Buffers(IRBuilder<> &B, Module &M, AstBuilder &Ast,
                 const pg_plan &Plan, const pg_kernel &K, TypeOf Element,
                 PlaceOf Global)
    : B(B), M(M), Ast(Ast), Plan(Plan), K(K), Element(std::move(Element)),
      Global(std::move(Global)) {}

unsigned Buffers::elemSize(const pg_buffer &Buf) const {
  return Plan.scop->arrays[Buf.array].elem_size;
}

unsigned Buffers::threads() const {
  return K.mapping->block[0] * K.mapping->block[1] * K.mapping->block[2];
}

/// The number of units in a box, of \p Width elements next to each other.
unsigned Buffers::units(const pg_buffer &Buf, unsigned Width) const {
  unsigned N = 1;
  for (unsigned D = 0; D < Buf.n_dim; ++D)
    N *= Buf.extent[D];
  return N / Width;
}

/// How many of them a thread copies at most.
unsigned Buffers::rounds(const pg_buffer &Buf, unsigned Width) const {
  return divideCeil(units(Buf, Width), threads());
}

bool Buffers::fitsRegisters(unsigned Buffer) const {
  const pg_buffer &Buf = K.mapping->buffers[Buffer];
  return rounds(Buf, Buf.vector) * Buf.vector <= MaxInFlight;
}

/// Are vectors of the array vectors in the buffer as well?
bool Buffers::isContiguous(const pg_buffer &Buf) const {
  unsigned Row = Buf.extent[Buf.innermost] + Buf.pad;
  return Buf.innermost + 1 == Buf.n_dim && Row % Buf.vector == 0;
}

//===-- Where elements are ------------------------------------------------===//

/// The variable in which \p Buf lies: as large as the largest of its slot.
GlobalVariable *Buffers::slot(const pg_buffer &Buf) {
  GlobalVariable *&G = Slots[Buf.slot];
  if (G)
    return G;
  Type *Ty = Element(Buf.array);
  bool Same = true;
  unsigned Most = 0, Bytes = 0;
  for (unsigned I = 0; I < K.mapping->n_buffer; ++I) {
    const pg_buffer &Other = K.mapping->buffers[I];
    if (Other.kind != PG_BUFFER_SHARED || Other.slot != Buf.slot)
      continue;
    unsigned N = pg_buffer_length(&Other) * Other.stages;
    Same &= Element(Other.array) == Ty;
    Most = std::max(Most, N);
    Bytes = std::max(Bytes, N * elemSize(Other));
  }
  Type *Whole =
      Same ? ArrayType::get(Ty, Most) : ArrayType::get(B.getInt8Ty(), Bytes);
  G = new GlobalVariable(M, Whole, false, GlobalValue::InternalLinkage,
                         UndefValue::get(Whole),
                         Twine(K.name) + "_shared" + Twine(Buf.slot), nullptr,
                         GlobalValue::NotThreadLocal, SharedSpace);
  G->setAlignment(Align(VectorBytes));
  return G;
}

/// Scalar number \p Number of the thread for a buffer.
Value *Buffers::scalar(unsigned Buffer, unsigned Number, Type *Ty) {
  Value *&V = Scalars[{Buffer, Number}];
  if (!V) {
    BasicBlock &Entry = B.GetInsertBlock()->getParent()->getEntryBlock();
    V = new AllocaInst(Ty, M.getDataLayout().getAllocaAddrSpace(),
                       K.mapping->buffers[Buffer].name,
                       Entry.getFirstInsertionPt());
  }
  return V;
}

/// The register of \p Point; null if that is no number.
Value *Buffers::variable(unsigned Buffer, ArrayRef<Value *> Point) {
  const pg_buffer &Buf = K.mapping->buffers[Buffer];
  unsigned Number = 0;
  for (unsigned D = 0; D < Buf.n_dim; ++D) {
    auto *C = dyn_cast<ConstantInt>(Point[D]);
    if (!C || C->getZExtValue() >= Buf.extent[D])
      return nullptr;
    Number = Number * Buf.extent[D] + C->getZExtValue();
  }
  return scalar(Buffer, Number, Element(Buf.array));
}

/// The constant part of a sum goes to \p Constant, the rest is returned; null
/// if there is no rest.
Value *Buffers::split(Value *V, int64_t &Constant) {
  if (auto *C = dyn_cast<ConstantInt>(V)) {
    Constant += C->getSExtValue();
    return nullptr;
  }
  auto *I = dyn_cast<BinaryOperator>(V);
  if (!I)
    return V;
  if (I->getOpcode() == Instruction::Add ||
      I->getOpcode() == Instruction::Sub) {
    int64_t Left = 0, Right = 0;
    Value *L = split(I->getOperand(0), Left);
    Value *R = split(I->getOperand(1), Right);
    bool Sub = I->getOpcode() == Instruction::Sub;
    if (!Left && !Right)
      return V;
    Constant += Sub ? Left - Right : Left + Right;
    if (!R)
      return L;
    if (!L)
      return Sub ? B.CreateNeg(R) : R;
    return Sub ? B.CreateSub(L, R) : B.CreateAdd(L, R);
  }
  auto *Factor = dyn_cast<ConstantInt>(I->getOperand(1));
  if (I->getOpcode() == Instruction::Mul && Factor) {
    int64_t Left = 0;
    Value *L = split(I->getOperand(0), Left);
    if (!Left)
      return V;
    Constant += Left * Factor->getSExtValue();
    return L ? B.CreateMul(L, Factor) : nullptr;
  }
  return V;
}

/// The address of the array on the device.
Value *Buffers::globalBase(const pg_buffer &Buf) {
  return Global(Buf.array, Subscripts(Buf.n_dim, B.getInt64(0))).first;
}

/// The number of the element with the subscripts \p At in its buffer, as i32.
Value *Buffers::index(const pg_buffer &Buf, ArrayRef<Value *> At) {
  Value *Index = B.getInt32(0);
  int64_t Sum = 0, Scale = 1;
  SmallVector<unsigned, 4> Order = {Buf.innermost};
  for (unsigned D = Buf.n_dim; D-- > 0;)
    if (D != Buf.innermost)
      Order.push_back(D);
  for (unsigned D : Order) {
    int64_t Constant = 0;
    Value *V = split(B.CreateSExtOrTrunc(At[D], B.getInt32Ty()), Constant);
    if (V)
      Index = B.CreateAdd(Index, B.CreateMul(V, B.getInt32(Scale)));
    Sum += Constant * Scale;
    Scale *= Buf.extent[D] + (D == Buf.innermost ? Buf.pad : 0);
  }
  return B.CreateAdd(Index, B.getInt32(Sum));
}

/// The number of zeros at the end of \p V.  Counters of loops count for
/// nothing: while their bodies are generated the code does not yet say how they
/// go on.
static unsigned trailingZeros(const Value *V) {
  if (const auto *C = dyn_cast<ConstantInt>(V))
    return C->getValue().countr_zero();
  if (isa<ZExtInst, SExtInst, TruncInst>(V))
    return trailingZeros(cast<Instruction>(V)->getOperand(0));
  const auto *I = dyn_cast<BinaryOperator>(V);
  if (!I)
    return 0;
  unsigned L = trailingZeros(I->getOperand(0));
  unsigned R = trailingZeros(I->getOperand(1));
  switch (I->getOpcode()) {
  case Instruction::Add:
  case Instruction::Sub:
    return std::min(L, R);
  case Instruction::Mul:
    return L + R;
  default:
    return 0;
  }
}

/// How the element \p Index of \p Buf is aligned.
Align Buffers::alignment(const pg_buffer &Buf, Value *Index) {
  uint64_t Multiple = uint64_t(1) << std::min(trailingZeros(Index), 4u);
  return commonAlignment(Align(VectorBytes), Multiple * elemSize(Buf));
}

/// The address of element \p Index of \p Buf, \p Stage bytes further.  Without
/// its constant part an index may be negative.
Value *Buffers::element(const pg_buffer &Buf, Value *Index, Value *Stage) {
  Type *Ty = Element(Buf.array);
  int64_t Constant = 0;
  Value *Rest = split(Index, Constant);
  Value *Address = slot(Buf);
  if (Rest)
    Address = B.CreateGEP(Ty, Address, B.CreateSExt(Rest, B.getInt64Ty()));
  if (Stage)
    Address = B.CreateGEP(B.getInt8Ty(), Address,
                          B.CreateZExt(Stage, B.getInt64Ty()));
  if (Constant)
    Address = B.CreateGEP(Ty, Address, B.getInt64(Constant));
  return Address;
}

unsigned Buffers::stageBytes(unsigned Buffer) const {
  const pg_buffer &Buf = K.mapping->buffers[Buffer];
  return pg_buffer_length(&Buf) * elemSize(Buf);
}

Value *Buffers::load(unsigned Buffer, ArrayRef<Value *> At, Type *Ty) {
  const pg_buffer &Buf = K.mapping->buffers[Buffer];
  Type *Elem = Element(Buf.array);
  unsigned Size = elemSize(Buf);
  if (Buf.kind == PG_BUFFER_REGISTER) {
    Value *V = variable(Buffer, At);
    return V ? B.CreateAlignedLoad(Ty, V, lowestBit(Size)) : nullptr;
  }
  Value *Index = index(Buf, At), *Stage = Selected.lookup(Buffer);
  int64_t Constant = 0;
  Value *Rest = split(Index, Constant);
  unsigned Width = Size < VectorBytes ? VectorBytes / Size : 1;
  // A vector that has the element: its other elements will be wanted as well,
  // and equal loads become one.
  if (Ty == Elem && Width > 1 && VectorBytes % Size == 0 && Constant >= 0 &&
      Buf.extent[Buf.innermost] % Width == 0 && Buf.pad % Width == 0 && Rest &&
      alignment(Buf, Rest) == Align(VectorBytes)) {
    Value *First = B.CreateAdd(Rest, B.getInt32(Constant / Width * Width));
    Value *V =
        B.CreateAlignedLoad(FixedVectorType::get(Ty, Width),
                            element(Buf, First, Stage), Align(VectorBytes));
    return B.CreateExtractElement(V, Constant % Width);
  }
  return B.CreateAlignedLoad(Ty, element(Buf, Index, Stage),
                             alignment(Buf, Index));
}

bool Buffers::store(unsigned Buffer, ArrayRef<Value *> At, Value *V) {
  Value *Address = variable(Buffer, At);
  if (Address)
    B.CreateAlignedStore(V, Address,
                         lowestBit(elemSize(K.mapping->buffers[Buffer])));
  return Address;
}

//===-- Copies ------------------------------------------------------------===//

/// The number of the thread in its block, as i32.
Value *Buffers::thread() {
  Value *Number = nullptr;
  for (unsigned D = K.mapping->n_block; D-- > 0;) {
    std::string Name = "t" + std::to_string(D);
    isl_ast_expr *Id = isl_ast_expr_from_id(
        isl_id_alloc(Plan.scop->ctx, Name.c_str(), nullptr));
    Value *V = B.CreateZExtOrTrunc(Ast.expr(Id), B.getInt32Ty());
    isl_ast_expr_free(Id);
    Number =
        Number
            ? B.CreateAdd(B.CreateMul(Number, B.getInt32(K.mapping->block[D]),
                                      "", true, true),
                          V, "", true, true)
            : V;
  }
  return Number ? Number : B.getInt32(0);
}

/// Where in the box the unit is that the thread copies in round \p Round.
Buffers::Subscripts Buffers::place(const pg_buffer &Buf, unsigned Width,
                                   unsigned Round) {
  Value *Number =
      B.CreateAdd(thread(), B.getInt32(Round * threads()), "", true, true);
  Subscripts At(Buf.n_dim);
  for (unsigned D = Buf.n_dim; D-- > 0;) {
    unsigned Extent = Buf.extent[D];
    if (D + 1 == Buf.n_dim)
      Extent /= Width;
    At[D] = D ? B.CreateURem(Number, B.getInt32(Extent)) : Number;
    Number = B.CreateUDiv(Number, B.getInt32(Extent));
  }
  At.back() = B.CreateMul(At.back(), B.getInt32(Width), "", true, true);
  return At;
}

/// Where in the array the element is that has the subscripts \p At in the box.
Buffers::Subscripts Buffers::inArray(const Box &Source, Subscripts At) {
  const pg_buffer &Buf = K.mapping->buffers[Source.Buffer];
  for (unsigned D = 0; D < At.size(); ++D) {
    Type *Ty = Source.Corner[D]->getType();
    Value *Further = B.CreateNSWMul(B.CreateZExtOrTrunc(At[D], Ty),
                                    ConstantInt::get(Ty, Buf.stride[D]));
    At[D] = B.CreateNSWAdd(Source.Corner[D], Further);
  }
  return At;
}

/// Where in the array place() is.
Buffers::Subscripts Buffers::placeIn(const Box &Source, unsigned Width,
                                     unsigned Round) {
  return inArray(Source,
                 place(K.mapping->buffers[Source.Buffer], Width, Round));
}

/// How many bytes from the array's address the element with the subscripts \p
/// At is.
Value *Buffers::byteOffset(const pg_buffer &Buf, ArrayRef<Value *> At) {
  return B.CreateMul(Global(Buf.array, At).second, B.getInt64(elemSize(Buf)),
                     "", false, true);
}

/// The last round may have something to do for some threads only.
void Buffers::ifInRound(const pg_buffer &Buf, unsigned Width, unsigned Round,
                        function_ref<void()> Body) {
  unsigned Left = units(Buf, Width) - Round * threads();
  if (Left >= threads())
    return Body();
  Ast.branch(Ast.condition(B.CreateICmpULT(thread(), B.getInt32(Left))), Body);
}

Value *Buffers::isAligned(const Box &Source) {
  const pg_buffer &Buf = K.mapping->buffers[Source.Buffer];
  Value *Size = B.getInt64(elemSize(Buf));
  Value *Bits = B.CreatePtrToInt(globalBase(Buf), B.getInt64Ty());
  auto Add = [&](ArrayRef<Value *> At) {
    Bits = B.CreateOr(Bits, B.CreateMul(Global(Buf.array, At).second, Size));
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
  Bits = B.CreateAnd(Bits, Buf.vector * elemSize(Buf) - 1);
  return B.CreateICmpEQ(Bits, B.getInt64(0));
}

/// Fetch the elements at \p Address, as one vector or one by one.
void Buffers::fetchUnit(unsigned Buffer, unsigned Round, Value *Address,
                        bool Vector) {
  const pg_buffer &Buf = K.mapping->buffers[Buffer];
  Type *Ty = Element(Buf.array);
  unsigned Size = elemSize(Buf);
  Value *V = nullptr;
  if (Vector)
    V = B.CreateAlignedLoad(FixedVectorType::get(Ty, Buf.vector), Address,
                            Align(Buf.vector * Size));
  for (unsigned I = 0; I < Buf.vector; ++I) {
    Value *One =
        V ? B.CreateExtractElement(V, I)
          : B.CreateAlignedLoad(Ty, B.CreateGEP(Ty, Address, B.getInt64(I)),
                                lowestBit(Size));
    B.CreateAlignedStore(One, scalar(Buffer, Round * Buf.vector + I, Ty),
                         lowestBit(Size));
  }
}

/// May the element with these subscripts be read?
Value *Buffers::mayRead(const pg_buffer &Buf, const Subscripts &At) {
  for (unsigned D = 0; D < Buf.n_dim; ++D)
    Ast.define("e" + std::to_string(D), At[D]);
  return Ast.condition(
      Ast.toBool(Ast.expr(K.inside[&Buf - K.mapping->buffers])));
}

/// Fetch the elements that may be read, and zero instead of the others: as one
/// vector where all of it may be and is \p Aligned (null: never).
void Buffers::fetchGuarded(const Box &Source, unsigned Round,
                           const Subscripts &At, Value *Aligned) {
  const pg_buffer &Buf = K.mapping->buffers[Source.Buffer];
  Type *Ty = Element(Buf.array);
  Align One = lowestBit(elemSize(Buf));
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
      Value *To = scalar(Source.Buffer, Round * Buf.vector + I, Ty);
      B.CreateAlignedStore(Constant::getNullValue(Ty), To, One);
      Ast.branch(Inside[I], [&] {
        auto [Base, Offset] = Global(Buf.array, Places[I]);
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
        auto [Base, Offset] = Global(Buf.array, At);
        fetchUnit(Source.Buffer, Round, B.CreateGEP(Ty, Base, Offset), true);
      },
      OneByOne);
}

/// One round of fetch(): whole boxes, in vectors if \p Aligned is true, or
/// "Guarded".
void Buffers::fetchRound(const Box &Source, unsigned Round, bool Guarded,
                         Value *Aligned) {
  const pg_buffer &Buf = K.mapping->buffers[Source.Buffer];
  ifInRound(Buf, Buf.vector, Round, [&] {
    Subscripts At = placeIn(Source, Buf.vector, Round);
    if (Guarded)
      return fetchGuarded(Source, Round, At, Aligned);
    auto [Base, Offset] = Global(Buf.array, At);
    fetchUnit(Source.Buffer, Round,
              B.CreateGEP(Element(Buf.array), Base, Offset), Aligned);
  });
}

/// Fetch rounds \p First to \p Last - 1: in vectors, or one by one, or only
/// what may be read.
void Buffers::fetchRounds(const Box &Source, unsigned First, unsigned Last) {
  const pg_buffer &Buf = K.mapping->buffers[Source.Buffer];
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

void Buffers::fetch(const Box &Source) {
  const pg_buffer &Buf = K.mapping->buffers[Source.Buffer];
  fetchRounds(Source, 0, rounds(Buf, Buf.vector));
}

Buffers::Offsets Buffers::offsets(const Box &Source, unsigned Width) {
  const pg_buffer &Buf = K.mapping->buffers[Source.Buffer];
  Offsets Result;
  for (unsigned R = 0; R < rounds(Buf, Width); ++R)
    Result.push_back(byteOffset(Buf, placeIn(Source, Width, R)));
  return Result;
}

void Buffers::fetchAt(unsigned Buffer, ArrayRef<Value *> From) {
  const pg_buffer &Buf = K.mapping->buffers[Buffer];
  Value *Base = globalBase(Buf);
  for (unsigned R = 0; R < From.size(); ++R)
    ifInRound(Buf, Buf.vector, R, [&] {
      fetchUnit(Buffer, R, B.CreateGEP(B.getInt8Ty(), Base, From[R]),
                Buf.vector > 1);
    });
}

void Buffers::putRound(unsigned Buffer, unsigned Round, Value *Stage) {
  const pg_buffer &Buf = K.mapping->buffers[Buffer];
  Type *Ty = Element(Buf.array);
  unsigned Last = Buf.n_dim - 1, Size = elemSize(Buf), Width = Buf.vector;
  bool Vector = Width > 1 && isContiguous(Buf);
  ifInRound(Buf, Width, Round, [&] {
    Subscripts At = place(Buf, Width, Round);
    Value *All =
        Vector ? PoisonValue::get(FixedVectorType::get(Ty, Width)) : nullptr;
    Subscripts Next(At);
    for (unsigned I = 0; I < Width; ++I) {
      Value *V = B.CreateAlignedLoad(Ty, scalar(Buffer, Round * Width + I, Ty),
                                     lowestBit(Size));
      if (auto It = Transforms.find(Buffer); It != Transforms.end())
        V = It->second(V);
      if (Vector) {
        All = B.CreateInsertElement(All, V, I);
        continue;
      }
      Next[Last] = B.CreateAdd(At[Last], B.getInt32(I), "", true, true);
      Value *Index = index(Buf, Next);
      B.CreateAlignedStore(V, element(Buf, Index, Stage),
                           alignment(Buf, Index));
    }
    if (Vector)
      B.CreateAlignedStore(All, element(Buf, index(Buf, At), Stage),
                           Align(Width * Size));
  });
}

void Buffers::put(unsigned Buffer, Value *Stage) {
  const pg_buffer &Buf = K.mapping->buffers[Buffer];
  for (unsigned R = 0; R < rounds(Buf, Buf.vector); ++R)
    putRound(Buffer, R, Stage);
}

void Buffers::copy(const Box &Source) {
  const pg_buffer &Buf = K.mapping->buffers[Source.Buffer];
  unsigned AtOnce = std::max(1u, MaxInFlight / Buf.vector);
  for (unsigned First = 0; First < rounds(Buf, Buf.vector); First += AtOnce) {
    unsigned Last = std::min(First + AtOnce, rounds(Buf, Buf.vector));
    fetchRounds(Source, First, Last);
    for (unsigned R = First; R < Last; ++R)
      putRound(Source.Buffer, R, nullptr);
  }
}

} // namespace polygpu
