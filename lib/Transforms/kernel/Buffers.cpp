//===- Buffers.cpp - Shared memory and registers of a kernel -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kernel/Buffers.h"
#include "kernel/AstBuilder.h"
#include "target/TargetDescription.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace polygpu {

Buffers::Buffers(KernelContext &C, const Memory &Mem)
    : B(C.B), M(C.M), K(C.K), Mapping(*C.K.mapping), Plan(C.Plan), Mem(Mem),
      Readable(C.Readable), Ahead(C.Ahead) {}

unsigned Buffers::elemSize(const pg_buffer &Buf) const {
  return Plan.scop->arrays[Buf.array].elem_size;
}

/// The variable in which \p Buf lies: as large as the largest of its slot.
GlobalVariable *Buffers::slot(const pg_buffer &Buf) {
  GlobalVariable *&G = Slots[Buf.slot];
  if (G)
    return G;
  Type *Ty = Mem.elementType(Buf.array);
  bool Same = true;
  unsigned Most = 0, Bytes = 0;
  for (unsigned I = 0; I < Mapping.n_buffer; ++I) {
    const pg_buffer &Other = Mapping.buffers[I];
    if (Other.kind != PG_BUFFER_SHARED || Other.slot != Buf.slot)
      continue;
    unsigned N = pg_buffer_length(&Other) * Other.stages;
    Same &= Mem.elementType(Other.array) == Ty;
    Most = std::max(Most, N);
    Bytes = std::max(Bytes, N * elemSize(Other));
  }
  Type *Whole =
      Same ? ArrayType::get(Ty, Most) : ArrayType::get(B.getInt8Ty(), Bytes);
  G = new GlobalVariable(M, Whole, false, GlobalValue::InternalLinkage,
                         UndefValue::get(Whole),
                         Twine(K.name) + "_shared" + Twine(Buf.slot), nullptr,
                         GlobalValue::NotThreadLocal, SharedSpace);
  G->setAlignment(Align(gpuTarget().VectorBytes));
  return G;
}

Value *Buffers::scalar(unsigned Buffer, unsigned Number, Type *Ty) {
  Value *&V = Scalars[{Buffer, Number}];
  if (!V) {
    BasicBlock &Entry = B.GetInsertBlock()->getParent()->getEntryBlock();
    auto *New = new AllocaInst(Ty, M.getDataLayout().getAllocaAddrSpace(),
                               Mapping.buffers[Buffer].name,
                               Entry.getFirstInsertionPt());
    if (Readable)
      setPrintedName(New, "next_" + std::string(Mapping.buffers[Buffer].name) +
                              "_" + std::to_string(Number));
    V = New;
  }
  return V;
}

/// The register of \p Point; null if that is no number.
Value *Buffers::variable(unsigned Buffer, ArrayRef<Value *> Point) {
  const pg_buffer &Buf = Mapping.buffers[Buffer];
  unsigned Number = 0;
  for (unsigned D = 0; D < Buf.n_dim; ++D) {
    auto *C = dyn_cast<ConstantInt>(Point[D]);
    if (!C || C->getZExtValue() >= Buf.extent[D])
      return nullptr;
    Number = Number * Buf.extent[D] + C->getZExtValue();
  }
  return scalar(Buffer, Number, Mem.elementType(Buf.array));
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

/// Where subscript \p D, which is \p V, is in a buffer.
Value *Buffers::place(const pg_buffer &Buf, unsigned D, Value *V) {
  if (!Buf.folded || D != Buf.plane)
    return V;
  V = B.CreateSExtOrTrunc(V, B.getInt32Ty());
  return B.CreateURem(V, B.getInt32(Buf.extent[D]));
}

Value *Buffers::index(const pg_buffer &Buf, ArrayRef<Value *> At) {
  Value *Index = B.getInt32(0);
  int64_t Sum = 0, Scale = 1;
  SmallVector<unsigned, 4> Order = {Buf.innermost};
  for (unsigned D = Buf.n_dim; D-- > 0;)
    if (D != Buf.innermost)
      Order.push_back(D);
  for (unsigned D : Order) {
    int64_t Constant = 0;
    Value *V = split(B.CreateSExtOrTrunc(place(Buf, D, At[D]), B.getInt32Ty()),
                     Constant);
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

Align Buffers::alignment(const pg_buffer &Buf, Value *Index) {
  uint64_t Multiple = uint64_t(1) << std::min(trailingZeros(Index), 4u);
  return commonAlignment(Align(gpuTarget().VectorBytes),
                         Multiple * elemSize(Buf));
}

/// Without its constant part an index may be negative.
Value *Buffers::element(const pg_buffer &Buf, Value *Index, Value *Stage) {
  Type *Ty = Mem.elementType(Buf.array);
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
  if (Readable)
    return 1;
  const pg_buffer &Buf = Mapping.buffers[Buffer];
  return pg_buffer_length(&Buf) * elemSize(Buf);
}

/// Has \p Buf its slot for itself?
bool Buffers::isAlone(const pg_buffer &Buf) const {
  for (unsigned I = 0; I < Mapping.n_buffer; ++I) {
    const pg_buffer &Other = Mapping.buffers[I];
    if (&Other != &Buf && Other.kind == PG_BUFFER_SHARED &&
        Other.slot == Buf.slot)
      return false;
  }
  return true;
}

/// The dimensions as they lie in memory, the one of neighbours last.
SmallVector<unsigned, 4> Buffers::order(const pg_buffer &Buf) const {
  SmallVector<unsigned, 4> Result;
  bool IsShared = Buf.kind == PG_BUFFER_SHARED;
  for (unsigned D = 0; D < Buf.n_dim; ++D)
    if (!IsShared || D != Buf.innermost)
      Result.push_back(D);
  if (IsShared && Buf.n_dim)
    Result.push_back(Buf.innermost);
  return Result;
}

/// The array that a buffer is; those that share a slot lie in its bytes.
Value *Buffers::wholeArray(unsigned Buffer) {
  Value *&V = Whole[Buffer];
  const pg_buffer &Buf = Mapping.buffers[Buffer];
  if (V)
    return V;
  if (Buf.kind == PG_BUFFER_SHARED && !isAlone(Buf))
    return V = slot(Buf);
  Type *Ty = Mem.elementType(Buf.array);
  SmallVector<unsigned, 4> Dims = order(Buf);
  for (unsigned D : reverse(Dims)) {
    bool Padded = Buf.kind == PG_BUFFER_SHARED && D == Buf.innermost;
    Ty = ArrayType::get(Ty, Buf.extent[D] + (Padded ? Buf.pad : 0));
  }
  if (hasStages(Buf))
    Ty = ArrayType::get(Ty, Buf.stages);
  if (Buf.kind == PG_BUFFER_REGISTER) {
    BasicBlock &Entry = B.GetInsertBlock()->getParent()->getEntryBlock();
    return V = new AllocaInst(Ty, M.getDataLayout().getAllocaAddrSpace(),
                              Buf.name, Entry.getFirstInsertionPt());
  }
  auto *G =
      new GlobalVariable(M, Ty, false, GlobalValue::InternalLinkage,
                         UndefValue::get(Ty), Twine(K.name) + "_" + Buf.name,
                         nullptr, GlobalValue::NotThreadLocal, SharedSpace);
  G->setAlignment(Align(gpuTarget().VectorBytes));
  return V = G;
}

/// Is there an array for each stage?
bool Buffers::hasStages(const pg_buffer &Buf) const {
  return Ahead && Buf.kind == PG_BUFFER_SHARED && Buf.stages > 1;
}

Value *Buffers::at(const pg_buffer &Buf, ArrayRef<Value *> At, Value *Stage) {
  return Readable ? readable(&Buf - Mapping.buffers, At, Stage)
                  : element(Buf, index(Buf, At), Stage);
}

Value *Buffers::readable(unsigned Buffer, ArrayRef<Value *> At, Value *Stage) {
  const pg_buffer &Buf = Mapping.buffers[Buffer];
  Value *Base = wholeArray(Buffer);
  if (Buf.kind == PG_BUFFER_SHARED && !isAlone(Buf)) {
    Value *Index = hasStages(Buf) && Stage ? Stage : B.getInt32(0);
    for (unsigned D : order(Buf)) {
      unsigned Extent = Buf.extent[D] + (D == Buf.innermost ? Buf.pad : 0);
      Index = B.CreateNSWAdd(
          B.CreateNSWMul(Index, B.getInt32(Extent)),
          B.CreateSExtOrTrunc(place(Buf, D, At[D]), B.getInt32Ty()));
    }
    return B.Insert(
        GetElementPtrInst::Create(Mem.elementType(Buf.array), Base, Index));
  }
  SmallVector<Value *, 4> Indices = {B.getInt32(0)};
  if (hasStages(Buf))
    Indices.push_back(Stage ? Stage : B.getInt32(0));
  for (unsigned D : order(Buf))
    Indices.push_back(place(Buf, D, At[D]));
  Type *Ty = isa<AllocaInst>(Base) ? cast<AllocaInst>(Base)->getAllocatedType()
                                   : cast<GlobalVariable>(Base)->getValueType();
  // Not a constant expression of the base either.
  return B.Insert(GetElementPtrInst::Create(Ty, Base, Indices));
}

static unsigned partsOf(const Type *Ty) {
  const auto *Vector = dyn_cast<FixedVectorType>(Ty);
  return Vector ? Vector->getNumElements() : 1;
}

/// What is in memory for a number of type \p Ty: whole bytes.  A vector of
/// truth values would have them in bits.
static Type *inMemory(Type *Ty) {
  const auto *Int = dyn_cast<IntegerType>(Ty);
  return Int ? IntegerType::get(
                   Ty->getContext(),
                   std::max(8u, unsigned(PowerOf2Ceil(Int->getBitWidth()))))
             : Ty;
}

Type *Buffers::several(Type *Ty, unsigned N) {
  return FixedVectorType::get(inMemory(Ty->getScalarType()), N * partsOf(Ty));
}

Value *Buffers::get(Value *Several, unsigned I, Type *Ty) const {
  auto Part = [&](unsigned Number) {
    Value *V = B.CreateExtractElement(Several, Number);
    return V->getType() == Ty->getScalarType()
               ? V
               : B.CreateTrunc(V, Ty->getScalarType());
  };
  if (!Ty->isVectorTy())
    return Part(I);
  Value *V = PoisonValue::get(Ty);
  for (unsigned E = 0, N = partsOf(Ty); E < N; ++E)
    V = B.CreateInsertElement(V, Part(I * N + E), E);
  return V;
}

Value *Buffers::put(Value *Several, unsigned I, Value *V) const {
  Type *Part = cast<FixedVectorType>(Several->getType())->getElementType();
  auto Put = [&](Value *Scalar, unsigned Number) {
    if (Scalar->getType() != Part)
      Scalar = B.CreateZExt(Scalar, Part);
    Several = B.CreateInsertElement(Several, Scalar, Number);
  };
  if (!V->getType()->isVectorTy())
    Put(V, I);
  else
    for (unsigned E = 0, N = partsOf(V->getType()); E < N; ++E)
      Put(B.CreateExtractElement(V, E), I * N + E);
  return Several;
}

Value *Buffers::load(unsigned Buffer, ArrayRef<Value *> At, Type *Ty) {
  const pg_buffer &Buf = Mapping.buffers[Buffer];
  Type *Elem = Mem.elementType(Buf.array);
  unsigned Size = elemSize(Buf);
  if (Readable)
    return B.CreateAlignedLoad(
        Ty, readable(Buffer, At, Selected.lookup(Buffer)), lowestBit(Size));
  if (Buf.kind == PG_BUFFER_REGISTER) {
    Value *V = variable(Buffer, At);
    return V ? B.CreateAlignedLoad(Ty, V, lowestBit(Size)) : nullptr;
  }
  Value *Index = index(Buf, At), *Stage = Selected.lookup(Buffer);
  int64_t Constant = 0;
  Value *Rest = split(Index, Constant);
  const unsigned VectorBytes = gpuTarget().VectorBytes;
  unsigned Width = Size < VectorBytes ? VectorBytes / Size : 1;
  // A vector that has the element: its other elements will be wanted as well,
  // and equal loads become one; but other threads may be writing them.
  if (!Buf.written && Ty == Elem && Width > 1 && VectorBytes % Size == 0 &&
      Constant >= 0 && Buf.extent[Buf.innermost] % Width == 0 &&
      Buf.pad % Width == 0 && Rest &&
      alignment(Buf, Rest) == Align(VectorBytes)) {
    Value *First = B.CreateAdd(Rest, B.getInt32(Constant / Width * Width));
    Value *V = B.CreateAlignedLoad(
        several(Ty, Width), element(Buf, First, Stage), Align(VectorBytes));
    return get(V, Constant % Width, Ty);
  }
  return B.CreateAlignedLoad(Ty, element(Buf, Index, Stage),
                             alignment(Buf, Index));
}

bool Buffers::store(unsigned Buffer, ArrayRef<Value *> At, Value *V) {
  const pg_buffer &Buf = Mapping.buffers[Buffer];
  if (Readable) {
    B.CreateAlignedStore(V, readable(Buffer, At), lowestBit(elemSize(Buf)));
    return true;
  }
  if (Buf.kind == PG_BUFFER_SHARED) {
    Value *Index = index(Buf, At);
    B.CreateAlignedStore(V, element(Buf, Index, nullptr),
                         alignment(Buf, Index));
    return true;
  }
  Value *Address = variable(Buffer, At);
  if (Address)
    B.CreateAlignedStore(V, Address, lowestBit(elemSize(Buf)));
  return Address;
}

} // namespace polygpu
