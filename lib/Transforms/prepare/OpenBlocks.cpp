//===- OpenBlocks.cpp - memset and memcpy in loops become loops -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "prepare/OpenBlocks.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace polygpu {

/// Shorter blocks of constant length are structures.
static const uint64_t LeastBytes = 128;

namespace {

/// A block of memory, and what it consists of.
struct Block {
  MemIntrinsic *Call;
  Type *Element;
  Value *Count;    ///< of elements, or what it is computed from
  uint64_t Factor; ///< times this
  unsigned Lost;   ///< bits of the product at its top that do not count
};

} // namespace

static bool isElement(const Type *Ty) {
  return Ty->isFloatTy() || Ty->isDoubleTy() || Ty->isHalfTy() ||
         Ty->isIntegerTy(8) || Ty->isIntegerTy(16) || Ty->isIntegerTy(32) ||
         Ty->isIntegerTy(64);
}

/// The type of what \p Pointer points to by its address or by an access in the
/// same function, or null.  \p IsOfBytes: an address counts single bytes, as
/// those of characters do, and is that of no structure's field.
static Type *elementOf(const Value &Pointer, bool &IsOfBytes) {
  const Value *V = &Pointer;
  for (unsigned Step = 0; Step < 8; ++Step) {
    if (const auto *GEP = dyn_cast<GEPOperator>(V)) {
      IsOfBytes |= GEP->getSourceElementType()->isIntegerTy(8) &&
                   !GEP->hasAllConstantIndices();
      Type *Ty = GEP->getResultElementType();
      while (auto *Array = dyn_cast<ArrayType>(Ty))
        Ty = Array->getElementType();
      if (isElement(Ty) && !Ty->isIntegerTy(8))
        return Ty;
      V = GEP->getPointerOperand();
    } else {
      break;
    }
  }
  // What else is done with the array.
  for (const User *U : V->users()) {
    const Value *At = V;
    const auto *I = dyn_cast<Instruction>(U);
    if (const auto *GEP = dyn_cast_or_null<GetElementPtrInst>(I)) {
      IsOfBytes |= GEP->getSourceElementType()->isIntegerTy(8) &&
                   !GEP->hasAllConstantIndices();
      if (isElement(GEP->getSourceElementType()) &&
          !GEP->getSourceElementType()->isIntegerTy(8))
        return GEP->getSourceElementType();
      At = GEP;
      I = GEP->hasOneUse() ? dyn_cast<Instruction>(*GEP->user_begin())
                           : nullptr;
    }
    if (I && getLoadStorePointerOperand(I) == At &&
        isElement(getLoadStoreType(I)))
      return getLoadStoreType(I);
  }
  return nullptr;
}

/// Has a product of \p V and a small constant all its bits, as sizes of arrays
/// that are there?
static bool isSmall(const Value *V) {
  const auto *Cast = dyn_cast<CastInst>(V);
  return Cast && isa<SExtInst, ZExtInst>(Cast) &&
         Cast->getOperand(0)->getType()->getIntegerBitWidth() <= 32;
}

/// The elements of what \p Call sets or copies; nothing if they are not known.
static std::optional<Block> blockOf(MemIntrinsic &Call) {
  auto *Copy = dyn_cast<MemTransferInst>(&Call);
  auto *Set = dyn_cast<MemSetInst>(&Call);
  if (Call.isVolatile() || (!Copy && !Set) || Call.getDestAddressSpace() != 0 ||
      !Call.getLength()->getType()->isIntegerTy(64) ||
      (Set && !isa<ConstantInt>(Set->getValue())))
    return std::nullopt;
  bool IsOfBytes = false;
  Type *Element = elementOf(*Call.getRawDest(), IsOfBytes);
  if (!Element && Copy)
    Element = elementOf(*Copy->getRawSource(), IsOfBytes);
  if (!Element && IsOfBytes)
    Element = Type::getInt8Ty(Call.getContext());
  if (!Element)
    return std::nullopt;
  uint64_t Size = Call.getDataLayout().getTypeStoreSize(Element);
  Value *Length = Call.getLength(), *Count = nullptr;
  if (auto *Bytes = dyn_cast<ConstantInt>(Length)) {
    uint64_t Number = Bytes->getZExtValue();
    if (Number < LeastBytes || Number % Size)
      return std::nullopt;
    return Block{&Call, Element,
                 ConstantInt::get(Bytes->getType(), Number / Size), 1, 0};
  }
  const APInt *By = nullptr;
  uint64_t Factor = 0;
  // InstCombine has not brought constants to the right yet.
  if (match(Length, m_c_Mul(m_Value(Count), m_APInt(By))))
    Factor = By->getActiveBits() <= 16 ? By->getZExtValue() : 0;
  else if (match(Length, m_Shl(m_Value(Count), m_APInt(By))))
    Factor = By->ult(16) ? uint64_t(1) << By->getZExtValue() : 0;
  const auto *Product = dyn_cast<OverflowingBinaryOperator>(Length);
  if (Factor && Factor % Size == 0)
    return Block{
        &Call, Element, Count, Factor / Size,
        isSmall(Count) || Product->hasNoUnsignedWrap() ? 0 : Log2_64(Size)};
  if (Size == 1)
    return Block{&Call, Element, Length, 1, 0};
  return std::nullopt;
}

/// Is \p L a loop whose iterations are counted and call nothing that writes?
/// Elsewhere a block alone comes to be a SCoP, of which nothing is gained.
static bool isOfNest(const Loop &L, ScalarEvolution &SE) {
  return !isa<SCEVCouldNotCompute>(SE.getBackedgeTakenCount(&L)) &&
         none_of(L.blocks(), [](const BasicBlock *BB) {
           return any_of(*BB, [](const Instruction &I) {
             return isa<CallBase>(I) && !isa<IntrinsicInst>(I) &&
                    I.mayWriteToMemory();
           });
         });
}

/// Does \p Move, a memmove, do what a loop from the first element to the last
/// one does?  That is so where its blocks have no byte in common, also if one
/// is right behind the other as rows are, or where it moves to the front.
static bool isForward(const MemMoveInst &Move, AAResults &AA,
                      ScalarEvolution &SE) {
  Value *To = Move.getRawDest(), *From = Move.getRawSource();
  if (AA.isNoAlias(MemoryLocation::getBeforeOrAfter(To),
                   MemoryLocation::getBeforeOrAfter(From)))
    return true;
  const SCEV *Distance = SE.getMinusSCEV(SE.getSCEV(To), SE.getSCEV(From));
  if (isa<SCEVCouldNotCompute>(Distance))
    return false;
  const SCEV *Length = SE.getSCEV(Move.getLength());
  if (const auto *Known = dyn_cast<SCEVConstant>(Distance))
    return !Known->getAPInt().isStrictlyPositive();
  return Distance == Length || SE.getNegativeSCEV(Distance) == Length;
}

/// The value of an element all of whose bytes are \p Byte.
static Constant *valueOf(Type *Element, const ConstantInt &Byte) {
  unsigned Bits = Element->getPrimitiveSizeInBits();
  Constant *Number = ConstantInt::get(Element->getContext(),
                                      APInt::getSplat(Bits, Byte.getValue()));
  return Element->isIntegerTy() ? Number
                                : ConstantExpr::getBitCast(Number, Element);
}

static void open(const Block &Opened) {
  MemIntrinsic &Call = *Opened.Call;
  BasicBlock *Before = Call.getParent();
  BasicBlock *Behind = SplitBlock(Before, &Call);
  Function &F = *Before->getParent();
  IRBuilder<> B(Before->getTerminator());
  B.SetCurrentDebugLocation(Call.getDebugLoc());
  Value *Count = B.CreateMul(Opened.Count, B.getInt64(Opened.Factor));
  if (Opened.Lost)
    Count = B.CreateAnd(Count, B.getInt64(UINT64_MAX >> Opened.Lost));
  auto *Body = BasicBlock::Create(F.getContext(), "block", &F, Behind);
  B.CreateCondBr(B.CreateICmpSGT(Count, B.getInt64(0)), Body, Behind);
  Before->getTerminator()->eraseFromParent();
  B.SetInsertPoint(Body);
  PHINode *I = B.CreatePHI(B.getInt64Ty(), 2);
  I->addIncoming(B.getInt64(0), Before);
  auto At = [&](Value *Pointer) {
    return B.CreateInBoundsGEP(Opened.Element, Pointer, I);
  };
  Align Alignment = F.getDataLayout().getABITypeAlign(Opened.Element);
  Value *Element;
  if (auto *Copy = dyn_cast<MemTransferInst>(&Call))
    Element = B.CreateAlignedLoad(
        Opened.Element, At(Copy->getRawSource()),
        std::min(Alignment, Copy->getSourceAlign().valueOrOne()));
  else
    Element = valueOf(Opened.Element,
                      *cast<ConstantInt>(cast<MemSetInst>(Call).getValue()));
  B.CreateAlignedStore(Element, At(Call.getRawDest()),
                       std::min(Alignment, Call.getDestAlign().valueOrOne()));
  Value *Next = B.CreateAdd(I, B.getInt64(1), "", true, true);
  I->addIncoming(Next, Body);
  B.CreateCondBr(B.CreateICmpSLT(Next, Count), Body, Behind);
  Call.eraseFromParent();
}

namespace {

/// A part of a structure: \p Ty, \p Offset bytes behind its beginning.
struct Field {
  Type *Ty;
  uint64_t Offset;
};

} // namespace

/// The elements that \p Ty consists of, the first one at \p Offset, without a
/// byte between them, are appended to \p Fields; false if it is not like that.
static bool fieldsOf(Type *Ty, uint64_t Offset, const DataLayout &Layout,
                     SmallVectorImpl<Field> &Fields) {
  uint64_t Expected =
      Fields.empty()
          ? 0
          : Fields.back().Offset + Layout.getTypeStoreSize(Fields.back().Ty);
  if (isElement(Ty)) {
    Fields.push_back({Ty, Offset});
    return Offset == Expected;
  }
  if (auto *Array = dyn_cast<ArrayType>(Ty)) {
    uint64_t Size = Layout.getTypeAllocSize(Array->getElementType());
    for (uint64_t I = 0; I < Array->getNumElements(); ++I)
      if (!fieldsOf(Array->getElementType(), Offset + I * Size, Layout, Fields))
        return false;
    return true;
  }
  auto *Structure = dyn_cast<StructType>(Ty);
  if (!Structure || Structure->isOpaque())
    return false;
  for (unsigned I = 0; I < Structure->getNumElements(); ++I)
    if (!fieldsOf(Structure->getElementType(I),
                  Offset + Layout.getStructLayout(Structure)
                               ->getElementOffset(I)
                               .getFixedValue(),
                  Layout, Fields))
      return false;
  return true;
}

/// The fields of the structure of \p Size bytes that \p Pointer is the address
/// of, as far as that says so; none if they do not fill it.
static SmallVector<Field, 8> structureAt(const Value &Pointer, uint64_t Size,
                                         const DataLayout &Layout) {
  const auto *GEP = dyn_cast<GEPOperator>(&Pointer);
  SmallVector<Field, 8> Fields;
  if (!GEP || !GEP->getResultElementType()->isSized() ||
      Layout.getTypeAllocSize(GEP->getResultElementType()) != Size ||
      !fieldsOf(GEP->getResultElementType(), 0, Layout, Fields) ||
      Fields.empty() ||
      Fields.back().Offset + Layout.getTypeStoreSize(Fields.back().Ty) != Size)
    return {};
  return Fields;
}

/// The fields of the structure that \p Copy assigns as a whole, or none.
static SmallVector<Field, 8> assignedFields(const MemCpyInst &Copy) {
  const auto *Bytes = dyn_cast<ConstantInt>(Copy.getLength());
  if (!Bytes || Copy.isVolatile() || Bytes->getZExtValue() >= LeastBytes ||
      Copy.getDestAddressSpace() != 0 || Copy.getSourceAddressSpace() != 0)
    return {};
  const DataLayout &Layout = Copy.getDataLayout();
  uint64_t Size = Bytes->getZExtValue();
  SmallVector<Field, 8> Fields = structureAt(*Copy.getRawDest(), Size, Layout);
  if (Fields.empty())
    Fields = structureAt(*Copy.getRawSource(), Size, Layout);
  return Fields;
}

/// All is read before anything is written, as if it were one value.
static void assign(MemCpyInst &Copy, ArrayRef<Field> Fields) {
  IRBuilder<> B(&Copy);
  auto At = [&](Value *Pointer, const Field &F) {
    return B.CreateInBoundsPtrAdd(Pointer, B.getInt64(F.Offset));
  };
  SmallVector<Value *, 8> Values;
  for (const Field &F : Fields)
    Values.push_back(B.CreateAlignedLoad(
        F.Ty, At(Copy.getRawSource(), F),
        commonAlignment(Copy.getSourceAlign().valueOrOne(), F.Offset)));
  for (const auto &[F, V] : zip(Fields, Values))
    B.CreateAlignedStore(
        V, At(Copy.getRawDest(), F),
        commonAlignment(Copy.getDestAlign().valueOrOne(), F.Offset));
  Copy.eraseFromParent();
}

PreservedAnalyses OpenBlocksPass::run(Function &F,
                                      FunctionAnalysisManager &FAM) {
  SmallVector<Block, 4> Blocks;
  SmallVector<MemCpyInst *, 4> Structures;
  LoopInfo *LI = nullptr;
  for (Instruction &I : instructions(F))
    if (auto *Call = dyn_cast<MemIntrinsic>(&I)) {
      if (!LI)
        LI = &FAM.getResult<LoopAnalysis>(F);
      if (!LI->getLoopFor(I.getParent()))
        continue;
      if (auto *Move = dyn_cast<MemMoveInst>(Call);
          Move && !isForward(*Move, FAM.getResult<AAManager>(F),
                             FAM.getResult<ScalarEvolutionAnalysis>(F)))
        continue;
      auto Found = blockOf(*Call);
      if (Found && (Found->Lost || Found->Element->isIntegerTy(8)) &&
          !isOfNest(*LI->getLoopFor(I.getParent()),
                    FAM.getResult<ScalarEvolutionAnalysis>(F)))
        Found.reset();
      if (Found)
        Blocks.push_back(*Found);
      else if (auto *Copy = dyn_cast<MemCpyInst>(Call))
        Structures.push_back(Copy);
    }
  bool Changed = !Blocks.empty();
  for (const Block &Found : Blocks)
    open(Found);
  for (MemCpyInst *Copy : Structures)
    if (SmallVector<Field, 8> Fields = assignedFields(*Copy); !Fields.empty()) {
      assign(*Copy, Fields);
      Changed = true;
    }
  return Changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace polygpu
