//===- Buffers.cpp - Shared memory and registers of a kernel --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Buffers.h"
#include "Kernel.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/KnownBits.h"

using namespace llvm;

namespace polygpu {

static const unsigned VectorBytes = 16;
/// Elements that a thread fetches before it puts the first one away.
static const unsigned MaxInFlight = 32;

Buffers::Buffers(IRBuilder<> &B, Module &M, AstBuilder &Ast,
                 const pg_plan &Plan, const pg_kernel &K, TypeOf Element,
                 AddressOf Global)
    : B(B), M(M), Ast(Ast), Plan(Plan), K(K), Element(std::move(Element)),
      Global(std::move(Global)) {}

unsigned Buffers::elemSize(const pg_buffer &Buf) const {
  return Plan.scop->arrays[Buf.array].elem_size;
}

/// The number of elements, with those that are not used.
unsigned Buffers::length(const pg_buffer &Buf) const {
  unsigned N = Buf.extent[Buf.innermost] + Buf.pad;
  for (unsigned D = 0; D < Buf.n_dim; ++D)
    if (D != Buf.innermost)
      N *= Buf.extent[D];
  return N;
}

/// The variable in which \p Buf lies: as large as the largest of its slot.
GlobalVariable *Buffers::slot(const pg_buffer &Buf) {
  GlobalVariable *&G = Slots[Buf.slot];
  if (G)
    return G;
  Type *Ty = Element(Buf.array);
  bool Same = true;
  unsigned Most = 0, Bytes = 0;
  for (unsigned I = 0; I < K.n_buffer; ++I) {
    const pg_buffer &Other = K.buffers[I];
    if (Other.kind != PG_BUFFER_SHARED || Other.slot != Buf.slot)
      continue;
    Same &= Element(Other.array) == Ty;
    Most = std::max(Most, length(Other));
    Bytes = std::max(Bytes, length(Other) * elemSize(Other));
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

/// The scalar that is the register of \p Point.
Value *Buffers::variable(unsigned Buffer, ArrayRef<Value *> Point) {
  const pg_buffer &Buf = K.buffers[Buffer];
  unsigned Number = 0;
  for (unsigned D = 0; D < Buf.n_dim; ++D) {
    auto *C = dyn_cast<ConstantInt>(Point[D]);
    if (!C || C->getZExtValue() >= Buf.extent[D])
      return nullptr;
    Number = Number * Buf.extent[D] + C->getZExtValue();
  }
  Value *&V = Registers[{Buffer, Number}];
  if (!V) {
    BasicBlock &Entry = B.GetInsertBlock()->getParent()->getEntryBlock();
    V = new AllocaInst(Element(Buf.array),
                       M.getDataLayout().getAllocaAddrSpace(), Buf.name,
                       Entry.getFirstInsertionPt());
  }
  return V;
}

Value *Buffers::address(unsigned Buffer, ArrayRef<Value *> Subscripts,
                        Align &Alignment) {
  const pg_buffer &Buf = K.buffers[Buffer];
  unsigned Size = elemSize(Buf);
  Alignment = Align(Size & (~Size + 1));
  if (Buf.kind == PG_BUFFER_REGISTER)
    return variable(Buffer, Subscripts);
  Value *Index = nullptr;
  auto Append = [&](unsigned D, unsigned Extent) {
    Value *V = B.CreateSExtOrTrunc(Subscripts[D], B.getInt32Ty());
    Index = Index ? B.CreateAdd(
                        B.CreateMul(Index, B.getInt32(Extent), "", true, true),
                        V, "", true, true)
                  : V;
  };
  for (unsigned D = 0; D < Buf.n_dim; ++D)
    if (D != Buf.innermost)
      Append(D, Buf.extent[D]);
  Append(Buf.innermost, Buf.extent[Buf.innermost] + Buf.pad);
  KnownBits Known = computeKnownBits(Index, M.getDataLayout());
  uint64_t Multiple = uint64_t(1)
                      << std::min(Known.countMinTrailingZeros(), 4u);
  Alignment = commonAlignment(Align(VectorBytes), Multiple * Size);
  return B.CreateInBoundsGEP(Element(Buf.array), slot(Buf),
                             B.CreateZExt(Index, B.getInt64Ty()));
}

/// The number of the thread in its block, as i32.
Value *Buffers::thread() {
  Value *Number = nullptr;
  for (unsigned D = K.n_block; D-- > 0;) {
    isl_ctx *Ctx = Plan.scop->ctx;
    std::string Name = "t" + std::to_string(D);
    isl_ast_expr *Id =
        isl_ast_expr_from_id(isl_id_alloc(Ctx, Name.c_str(), nullptr));
    Value *V = B.CreateZExtOrTrunc(Ast.expr(Id), B.getInt32Ty());
    isl_ast_expr_free(Id);
    Number = Number ? B.CreateAdd(B.CreateMul(Number, B.getInt32(K.block[D]),
                                              "", true, true),
                                  V, "", true, true)
                    : V;
  }
  return Number ? Number : B.getInt32(0);
}

/// Do all rows of the box start at a multiple of the vector's size?
Value *Buffers::isAligned(const Filling &F) {
  const pg_buffer &Buf = K.buffers[F.Buffer];
  Value *Start = B.CreatePtrToInt(Global(Buf.array, F.Corner), B.getInt64Ty());
  Value *Bits = Start;
  SmallVector<Value *, 4> Next(F.Corner);
  for (unsigned D = 0; D + 1 < Buf.n_dim; ++D) {
    Next[D] =
        B.CreateAdd(F.Corner[D], ConstantInt::get(F.Corner[D]->getType(), 1));
    Value *Address = B.CreatePtrToInt(Global(Buf.array, Next), B.getInt64Ty());
    Bits = B.CreateOr(Bits, B.CreateSub(Address, Start));
    Next[D] = F.Corner[D];
  }
  Bits = B.CreateAnd(Bits, F.Width * elemSize(Buf) - 1);
  return B.CreateICmpEQ(Bits, B.getInt64(0));
}

/// The elements at \p Local in the box, and the ones behind it.
Value *Buffers::fetch(const Filling &F, ArrayRef<Value *> Local) {
  const pg_buffer &Buf = K.buffers[F.Buffer];
  Type *Ty = Element(Buf.array);
  SmallVector<Value *, 4> Subscripts;
  for (unsigned D = 0; D < Buf.n_dim; ++D)
    Subscripts.push_back(B.CreateNSWAdd(
        F.Corner[D], B.CreateZExtOrTrunc(Local[D], F.Corner[D]->getType())));
  unsigned Size = elemSize(Buf);
  if (F.Width > 1)
    return B.CreateAlignedLoad(FixedVectorType::get(Ty, F.Width),
                               Global(Buf.array, Subscripts),
                               Align(F.Width * Size));
  Align One(Size & (~Size + 1));
  if (!F.Guarded)
    return B.CreateAlignedLoad(Ty, Global(Buf.array, Subscripts), One);
  for (unsigned D = 0; D < Buf.n_dim; ++D)
    Ast.define("e" + std::to_string(D), Subscripts[D]);
  Value *Test = Ast.condition(Ast.toBool(Ast.expr(Buf.inside)));
  BasicBlock *Before = B.GetInsertBlock(), *Inside = nullptr;
  Value *Loaded = nullptr;
  Ast.branch(Test, [&] {
    Loaded = B.CreateAlignedLoad(Ty, Global(Buf.array, Subscripts), One);
    Inside = B.GetInsertBlock();
  });
  PHINode *Phi = B.CreatePHI(Ty, 2);
  Phi->addIncoming(Constant::getNullValue(Ty), Before);
  Phi->addIncoming(Loaded, Inside);
  return Phi;
}

/// Store what fetch() gave.
void Buffers::put(const Filling &F, ArrayRef<Value *> Local, Value *V) {
  const pg_buffer &Buf = K.buffers[F.Buffer];
  unsigned Last = Buf.n_dim - 1;
  unsigned Row = (Buf.extent[Buf.innermost] + Buf.pad) * elemSize(Buf);
  Align Alignment;
  if (F.Width == 1 ||
      (Buf.innermost == Last && Row % (F.Width * elemSize(Buf)) == 0)) {
    Value *Address = address(F.Buffer, Local, Alignment);
    if (F.Width > 1)
      Alignment = Align(F.Width * elemSize(Buf));
    B.CreateAlignedStore(V, Address, Alignment);
    return;
  }
  SmallVector<Value *, 4> Next(Local);
  for (unsigned I = 0; I < F.Width; ++I) {
    Next[Last] = B.CreateAdd(Local[Last], B.getInt32(I), "", true, true);
    Value *Address = address(F.Buffer, Next, Alignment);
    B.CreateAlignedStore(B.CreateExtractElement(V, I), Address, Alignment);
  }
}

void Buffers::fill(const Filling &F) {
  const pg_buffer &Buf = K.buffers[F.Buffer];
  unsigned Threads = K.block[0] * K.block[1] * K.block[2], Units = 1;
  SmallVector<unsigned, 4> Extents(Buf.extent, Buf.extent + Buf.n_dim);
  Extents.back() /= F.Width;
  for (unsigned E : Extents)
    Units *= E;
  Value *Thread = thread();
  auto Place = [&](Value *Number) {
    SmallVector<Value *, 4> Local(Buf.n_dim);
    for (unsigned D = Buf.n_dim; D-- > 0;) {
      Value *Extent = B.getInt32(Extents[D]);
      Local[D] = D ? B.CreateURem(Number, Extent) : Number;
      Number = B.CreateUDiv(Number, Extent);
    }
    Local.back() =
        B.CreateMul(Local.back(), B.getInt32(F.Width), "", true, true);
    return Local;
  };
  // Full rounds of all threads, some at a time, then what is left.
  unsigned Done = 0, AtOnce = std::max(1u, MaxInFlight / F.Width);
  while (Done + Threads <= Units) {
    SmallVector<std::pair<SmallVector<Value *, 4>, Value *>, 16> Flight;
    for (unsigned I = 0; I < AtOnce && Done + Threads <= Units; ++I) {
      auto Local = Place(B.CreateAdd(Thread, B.getInt32(Done), "", true, true));
      Flight.push_back({Local, fetch(F, Local)});
      Done += Threads;
    }
    for (auto &[Local, V] : Flight)
      put(F, Local, V);
  }
  if (Done == Units)
    return;
  Value *Test = B.CreateICmpULT(Thread, B.getInt32(Units - Done));
  Ast.branch(Ast.condition(Test), [&] {
    auto Local = Place(B.CreateAdd(Thread, B.getInt32(Done), "", true, true));
    put(F, Local, fetch(F, Local));
  });
}

void Buffers::copy(unsigned Buffer, ArrayRef<Value *> Corner, Value *Whole) {
  const pg_buffer &Buf = K.buffers[Buffer];
  unsigned Width = 1, Size = elemSize(Buf);
  if (Size < VectorBytes && VectorBytes % Size == 0)
    Width = VectorBytes / Size;
  while (Width > 1 && Buf.extent[Buf.n_dim - 1] % Width)
    Width /= 2;
  auto Unguarded = [&] {
    if (Width == 1)
      return fill({Buffer, Corner, 1, false});
    Ast.branch(
        isAligned({Buffer, Corner, Width, false}),
        [&] { fill({Buffer, Corner, Width, false}); },
        [&] { fill({Buffer, Corner, 1, false}); });
  };
  if (!Whole)
    return Unguarded();
  Ast.branch(Ast.condition(Whole), Unguarded,
             [&] { fill({Buffer, Corner, 1, true}); });
}

} // namespace polygpu
