//===- Vectors.cpp - Vectors and structures by their parts ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cuda/Vectors.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/PassInstrumentation.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Transforms/Scalar/Scalarizer.h"

using namespace llvm;

namespace polygpu {

/// Is a vector put together by \p I, or taken apart?
static bool movesPart(const Instruction &I) {
  return (isa<InsertElementInst>(I) && isa<ConstantInt>(I.getOperand(2))) ||
         (isa<ExtractElementInst>(I) && isa<ConstantInt>(I.getOperand(1)));
}

static bool hasVector(const Instruction &I) {
  return I.getType()->isVectorTy() || any_of(I.operands(), [](const Use &U) {
           return U->getType()->isVectorTy();
         });
}

/// Is the address of a vector that \p I accesses perhaps no multiple of its
/// size?
static bool isMisaligned(const Instruction &I, const DataLayout &DL) {
  const Type *Ty = getLoadStoreType(&I);
  return Ty->isVectorTy() &&
         getLoadStoreAlignment(&I).value() <
             DL.getTypeStoreSize(const_cast<Type *>(Ty)).getFixedValue();
}

/// A load or store of parts one by one in place of \p I.
static void splitAccess(Instruction &I, const DataLayout &DL) {
  IRBuilder<> B(&I);
  auto *Ty = cast<FixedVectorType>(getLoadStoreType(&I));
  Type *Part = Ty->getElementType();
  Align Known = commonAlignment(getLoadStoreAlignment(&I),
                                DL.getTypeStoreSize(Part).getFixedValue());
  auto *Store = dyn_cast<StoreInst>(&I);
  Value *Result = PoisonValue::get(Ty);
  for (unsigned E = 0; E < Ty->getNumElements(); ++E) {
    Value *Address =
        B.CreateConstGEP1_64(Part, getLoadStorePointerOperand(&I), E);
    if (Store)
      B.CreateAlignedStore(B.CreateExtractElement(Store->getValueOperand(), E),
                           Address, Known);
    else
      Result = B.CreateInsertElement(
          Result, B.CreateAlignedLoad(Part, Address, Known), E);
  }
  if (!Store)
    I.replaceAllUsesWith(Result);
  I.eraseFromParent();
}

/// The bits of \p V, a vector, as an integer: the first part's are the lowest.
static Value *joined(IRBuilder<> &B, Value *V) {
  auto *Ty = cast<FixedVectorType>(V->getType());
  unsigned Bits = Ty->getScalarSizeInBits();
  Type *Whole = B.getIntNTy(Bits * Ty->getNumElements());
  Value *Result = ConstantInt::get(Whole, 0);
  for (unsigned E = 0; E < Ty->getNumElements(); ++E) {
    Value *Part =
        B.CreateBitCast(B.CreateExtractElement(V, E), B.getIntNTy(Bits));
    Result =
        B.CreateOr(Result, B.CreateShl(B.CreateZExt(Part, Whole), Bits * E));
  }
  return Result;
}

/// The other way round.
static Value *parted(IRBuilder<> &B, Value *Whole, FixedVectorType *Ty) {
  unsigned Bits = Ty->getScalarSizeInBits();
  Value *Result = PoisonValue::get(Ty);
  for (unsigned E = 0; E < Ty->getNumElements(); ++E) {
    Value *Part =
        B.CreateTrunc(B.CreateLShr(Whole, Bits * E), B.getIntNTy(Bits));
    Result = B.CreateInsertElement(
        Result, B.CreateBitCast(Part, Ty->getElementType()), E);
  }
  return Result;
}

/// Bits of a vector that are used as a number's, or as those of one with as
/// many parts of another number, if an integer has so many.
static void splitBits(BitCastInst &I) {
  Value *V = I.getOperand(0);
  if (V->getType()->getPrimitiveSizeInBits().getFixedValue() > 64)
    return; // by the pass, if it is a vector on both sides
  IRBuilder<> B(&I);
  Value *Whole =
      V->getType()->isVectorTy()
          ? joined(B, V)
          : B.CreateBitCast(
                V, B.getIntNTy(
                       I.getType()->getPrimitiveSizeInBits().getFixedValue()));
  Value *Result = I.getType()->isVectorTy()
                      ? parted(B, Whole, cast<FixedVectorType>(I.getType()))
                      : B.CreateBitCast(Whole, I.getType());
  I.replaceAllUsesWith(Result);
  I.eraseFromParent();
}

void splitVectors(Function &F) {
  const DataLayout &DL = F.getDataLayout();
  bool Any = false;
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    if (isa<LoadInst, StoreInst>(I)) {
      if (isMisaligned(I, DL)) {
        splitAccess(I, DL);
        Any = true;
      }
      continue;
    }
    if (!hasVector(I) || movesPart(I))
      continue;
    Any = true;
    if (auto *Cast = dyn_cast<BitCastInst>(&I))
      splitBits(*Cast);
  }
  if (!Any)
    return;
  FunctionAnalysisManager FAM;
  FAM.registerPass([] { return PassInstrumentationAnalysis(); });
  FAM.registerPass([] { return DominatorTreeAnalysis(); });
  FAM.registerPass([] { return TargetIRAnalysis(); });
  ScalarizerPass().run(F, FAM);
}

//===-- Structures --------------------------------------------------------===//

namespace {

class StructureSplitter {
public:
  Value *part(Value *V, unsigned N);
  void removeOld();

private:
  SmallVector<std::pair<PHINode *, SmallVector<PHINode *, 4>>, 4> Split;

  Value *phiPart(PHINode &Phi, unsigned N);
};

} // namespace

/// Part \p N of a value that is chosen by the way; all parts are made at once.
Value *StructureSplitter::phiPart(PHINode &Phi, unsigned N) {
  for (auto &[Known, Parts] : Split)
    if (Known == &Phi)
      return Parts[N];
  auto *Ty = cast<StructType>(Phi.getType());
  SmallVector<PHINode *, 4> Parts;
  for (Type *Part : Ty->elements())
    Parts.push_back(PHINode::Create(Part, Phi.getNumIncomingValues(), "",
                                    Phi.getIterator()));
  Split.push_back({&Phi, Parts}); // it may be a part of itself
  for (unsigned E = 0; E < Parts.size(); ++E)
    for (unsigned I = 0; I < Phi.getNumIncomingValues(); ++I)
      Parts[E]->addIncoming(part(Phi.getIncomingValue(I), E),
                            Phi.getIncomingBlock(I));
  return Parts[N];
}

/// Part \p N of \p V, which isPlain().
Value *StructureSplitter::part(Value *V, unsigned N) {
  if (auto *C = dyn_cast<Constant>(V))
    return C->getAggregateElement(N);
  if (auto *Phi = dyn_cast<PHINode>(V))
    return phiPart(*Phi, N);
  auto *Insert = cast<InsertValueInst>(V);
  return Insert->getIndices()[0] == N ? Insert->getInsertedValueOperand()
                                      : part(Insert->getAggregateOperand(), N);
}

void StructureSplitter::removeOld() {
  for (auto &[Phi, Parts] : Split)
    Phi->replaceAllUsesWith(PoisonValue::get(Phi->getType()));
  for (auto &[Phi, Parts] : Split)
    Phi->eraseFromParent();
}

/// Is \p V a structure of values that is put together, constant, or chosen
/// among such?
static bool isPlain(const Value *V, SmallPtrSetImpl<const Value *> &Seen) {
  if (!isa<StructType>(V->getType()))
    return false;
  if (isa<Constant>(V) || !Seen.insert(V).second)
    return true;
  if (const auto *Phi = dyn_cast<PHINode>(V))
    return all_of(Phi->incoming_values(),
                  [&](const Use &U) { return isPlain(U, Seen); });
  const auto *Insert = dyn_cast<InsertValueInst>(V);
  return Insert && Insert->getNumIndices() == 1 &&
         isPlain(Insert->getAggregateOperand(), Seen);
}

void splitStructures(Function &F) {
  StructureSplitter Splitter;
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    auto *Extract = dyn_cast<ExtractValueInst>(&I);
    SmallPtrSet<const Value *, 8> Seen;
    if (!Extract || Extract->getNumIndices() != 1 ||
        !isPlain(Extract->getAggregateOperand(), Seen))
      continue;
    Extract->replaceAllUsesWith(Splitter.part(Extract->getAggregateOperand(),
                                              Extract->getIndices()[0]));
    Extract->eraseFromParent();
  }
  Splitter.removeOld();
  for (BasicBlock &BB : F)
    for (Instruction &I : make_early_inc_range(reverse(BB)))
      if (isa<InsertValueInst>(I) && I.use_empty())
        I.eraseFromParent();
}

} // namespace polygpu
