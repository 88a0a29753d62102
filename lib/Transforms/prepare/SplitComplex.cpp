//===- SplitComplex.cpp - Complex numbers by their parts ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "prepare/SplitComplex.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace polygpu {

/// What clang hands complex numbers on as.  Longer
/// vectors are of a program that chose to have some.
static bool isComplex(const Type *Ty) {
  const auto *Vector = dyn_cast<FixedVectorType>(Ty);
  return Vector && Vector->getNumElements() == 2 &&
         (Vector->getElementType()->isFloatTy() ||
          Vector->getElementType()->isHalfTy());
}

/// The array of \p I, a load or store that may be in parts, or null.
static const Value *arrayOf(const Instruction &I) {
  const auto *Load = dyn_cast<LoadInst>(&I);
  const auto *Store = dyn_cast<StoreInst>(&I);
  if (!(Load && Load->isSimple()) && !(Store && Store->isSimple()))
    return nullptr;
  return getUnderlyingObject(getLoadStorePointerOperand(&I), 0);
}

static void splitAccess(Instruction &I) {
  IRBuilder<> B(&I);
  Type *Ty = getLoadStoreType(&I), *Part = Ty->getScalarType();
  uint64_t Size = Part->getPrimitiveSizeInBits().getFixedValue() / 8;
  auto *Store = dyn_cast<StoreInst>(&I);
  Value *Result = PoisonValue::get(Ty), *At = getLoadStorePointerOperand(&I);
  for (uint64_t E = 0; E < 2; ++E) {
    Align Known = commonAlignment(getLoadStoreAlignment(&I), E * Size);
    Value *Address = E ? B.CreateInBoundsGEP(Part, At, B.getInt64(E)) : At;
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

/// Can there be instructions behind it, and behind all values that it has?
static bool canSplit(const PHINode &Phi) {
  return !Phi.getParent()->isEHPad() &&
         none_of(Phi.incoming_values(), [](const Use &U) {
           const auto *I = dyn_cast<Instruction>(U);
           return I && I->isTerminator();
         });
}

static void splitPhi(PHINode &Phi) {
  Type *Ty = Phi.getType();
  IRBuilder<> Behind(Phi.getParent(), Phi.getParent()->getFirstInsertionPt());
  Value *Result = PoisonValue::get(Ty);
  PHINode *Parts[2];
  for (uint64_t E = 0; E < 2; ++E) {
    Parts[E] = PHINode::Create(Ty->getScalarType(), Phi.getNumIncomingValues(),
                               Phi.getName(), Phi.getIterator());
    Parts[E]->setDebugLoc(Phi.getDebugLoc());
    Result = Behind.CreateInsertElement(Result, Parts[E], E);
  }
  Phi.replaceAllUsesWith(Result);
  // Parts of the phi itself are among these, by now of what replaces it.  Equal
  // blocks in the list need equal values.
  DenseMap<BasicBlock *, std::pair<Value *, Value *>> Known;
  for (unsigned I = 0; I < Phi.getNumIncomingValues(); ++I) {
    BasicBlock *From = Phi.getIncomingBlock(I);
    auto [It, New] = Known.try_emplace(From);
    if (New) {
      IRBuilder<> B(From->getTerminator());
      Value *V = Phi.getIncomingValue(I);
      It->second = {B.CreateExtractElement(V, uint64_t(0)),
                    B.CreateExtractElement(V, uint64_t(1))};
    }
    Parts[0]->addIncoming(It->second.first, From);
    Parts[1]->addIncoming(It->second.second, From);
  }
  Phi.eraseFromParent();
}

PreservedAnalyses SplitComplexPass::run(Function &F,
                                        FunctionAnalysisManager & /*FAM*/) {
  DenseSet<const Value *> ByParts;
  SmallVector<Instruction *, 16> Accesses;
  SmallVector<PHINode *, 8> Phis;
  for (Instruction &I : instructions(F)) {
    if (auto *Phi = dyn_cast<PHINode>(&I);
        Phi && isComplex(Phi->getType()) && canSplit(*Phi))
      Phis.push_back(Phi);
    const Value *Array = arrayOf(I);
    if (Array && isComplex(getLoadStoreType(&I)))
      Accesses.push_back(&I);
    else if (Array)
      ByParts.insert(Array);
  }
  bool Any = !Phis.empty();
  for (Instruction *I : Accesses)
    if (ByParts.contains(arrayOf(*I))) {
      splitAccess(*I);
      Any = true;
    }
  for (PHINode *Phi : Phis)
    splitPhi(*Phi);
  if (!Any)
    return PreservedAnalyses::all();
  PreservedAnalyses PA;
  PA.preserveSet<CFGAnalyses>();
  return PA;
}

} // namespace polygpu
