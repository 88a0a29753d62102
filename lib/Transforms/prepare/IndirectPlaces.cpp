//===- IndirectPlaces.cpp - Where indirect reads read ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "prepare/IndirectPlaces.h"
#include "adaptor/HiddenValues.h"
#include "prepare/IndirectCalls.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace polygpu {

std::optional<Place> takeApart(Value *Pointer, const DataLayout &DL) {
  Place P = {Pointer, {}, APInt(64, 0)};
  if (DL.getIndexTypeSizeInBits(Pointer->getType()) != 64)
    return std::nullopt;
  while (auto *GEP = dyn_cast<GEPOperator>(P.Base)) {
    if (!GEP->collectOffset(DL, 64, P.Terms, P.Constant))
      return std::nullopt;
    P.Base = GEP->getPointerOperand();
  }
  return P;
}

/// Can kernels compute with it?
bool isNumber(Type *Ty) {
  return (Ty->isIntegerTy() && Ty->getIntegerBitWidth() >= 8 &&
          Ty->getIntegerBitWidth() <= 64 &&
          isPowerOf2_32(Ty->getIntegerBitWidth())) ||
         Ty->isHalfTy() || Ty->isFloatTy() || Ty->isDoubleTy();
}

/// Is \p I computed from what \p L reads?  What is chosen by conditions on
/// counters, like the one array of two that a step reads, is no data.
static bool isData(const Instruction &I, const Loop &L) {
  SmallVector<const Instruction *, 8> Open = {&I};
  SmallPtrSet<const Instruction *, 16> Seen = {&I};
  while (!Open.empty()) {
    const Instruction *Next = Open.pop_back_val();
    if (Next->mayReadFromMemory() || indirectRead(Next))
      return true;
    for (const Value *V : Next->operands())
      if (const auto *From = dyn_cast<Instruction>(V);
          From && L.contains(From) && Seen.insert(From).second)
        Open.push_back(From);
  }
  return false;
}

/// Does \p E depend on a value of \p L that is no counter?
bool PlaceFinder::isIrregular(const SCEV *E, const Loop &L) {
  return SCEVExprContains(E, [&](const SCEV *Part) {
    const auto *U = dyn_cast<SCEVUnknown>(Part);
    const auto *I = U ? dyn_cast<Instruction>(U->getValue()) : nullptr;
    return I && L.contains(I);
  });
}

bool PlaceFinder::isIrregular(const Place &P, const Loop &L) {
  return any_of(P.Terms, [&](const auto &Term) {
    return isIrregular(SE.getSCEV(Term.first), L);
  });
}

/// Does \p L run as often whatever \p Around has read?
bool PlaceFinder::isCounted(const Loop &L, const Loop &Around) {
  const SCEV *Count = SE.getBackedgeTakenCount(&L);
  return !isa<SCEVCouldNotCompute>(Count) && !isIrregular(Count, Around);
}

/// Are all addresses there those of elements of an array of \p Ty?
bool PlaceFinder::isElement(const Place &P, Type *Ty) {
  uint64_t Size = DL.getTypeAllocSize(Ty);
  return P.Constant.srem(Size) == 0 && all_of(P.Terms, [&](const auto &Term) {
           return Term.second.srem(Size) == 0;
         });
}

/// Can the smallest and the largest value of \p V be found before \p Top, from
/// what is read there?  What is computed is what host/IndexRanges.cpp can.
bool PlaceFinder::isBounded(const Value *V, const Loop &Top, unsigned Steps) {
  if (!V->getType()->isIntegerTy() || V->getType()->getIntegerBitWidth() > 64)
    return false;
  const auto *I = dyn_cast<Instruction>(V);
  if (!I || !Top.contains(I))
    return true;
  return Steps > 0 && isBounded(*I, Top, Steps - 1);
}

static bool isPositive(const Value *V) {
  const auto *C = dyn_cast<ConstantInt>(V);
  return C && C->getValue().isStrictlyPositive();
}

bool PlaceFinder::isBounded(const Instruction &I, const Loop &Top,
                            unsigned Steps) {
  auto First = [&] { return isBounded(I.getOperand(0), Top, Steps); };
  auto Second = [&] { return isBounded(I.getOperand(1), Top, Steps); };
  if (const CallInst *Read = indirectRead(&I))
    return isBounded(Read->getArgOperand(1), Top, Steps);
  switch (I.getOpcode()) {
  case Instruction::Load: {
    auto P = takeApart(const_cast<Value *>(I.getOperand(0)), DL);
    const auto *Base = P ? dyn_cast<Instruction>(P->Base) : nullptr;
    if (P && Body && Body->contains(&I))
      return all_of(P->Terms, [&](const auto &Term) {
        return isBounded(Term.first, Top, Steps);
      });
    return P && cast<LoadInst>(I).isSimple() && !(Base && Top.contains(Base)) &&
           !isIrregular(*P, Top);
  }
  case Instruction::PHI: {
    if (Body && Body->contains(&I))
      return isBoundedCounter(cast<PHINode>(I), Top);
    const auto *Sum =
        dyn_cast<SCEVAddRecExpr>(SE.getSCEV(const_cast<Instruction *>(&I)));
    return Sum && Sum->isAffine() && isCounted(*Sum->getLoop(), Top) &&
           !isIrregular(Sum, Top);
  }
  case Instruction::SExt:
  case Instruction::ZExt:
  case Instruction::Trunc:
  case Instruction::Freeze:
    return First();
  case Instruction::Or:
    if (!cast<PossiblyDisjointInst>(I).isDisjoint())
      return false;
    [[fallthrough]];
  case Instruction::Add:
  case Instruction::Sub:
  case Instruction::Mul:
    return First() && Second();
  case Instruction::And:
    return isPositive(I.getOperand(1));
  case Instruction::Shl:
  case Instruction::AShr:
  case Instruction::LShr:
  case Instruction::SDiv:
  case Instruction::UDiv:
    return isPositive(I.getOperand(1)) && First();
  case Instruction::SRem:
  case Instruction::URem:
    return isPositive(I.getOperand(1));
  case Instruction::Select:
    return Second() && isBounded(I.getOperand(2), Top, Steps);
  case Instruction::Call:
    return isa<MinMaxIntrinsic>(I) && First() && Second();
  default:
    return false;
  }
}

/// Is it the address of something that does not change in loops?
bool isBase(const Value *V) {
  return isa<Argument, GlobalVariable, Instruction>(V) &&
         V->getType()->getPointerAddressSpace() == 0;
}

/// The loop around \p L, or \p L, that is as far out as one SCoP can be.
const Loop *PlaceFinder::outermost(const Loop *L,
                                   ArrayRef<const Value *> Bases) {
  SmallVector<const Loop *, 4> Inside = {L};
  while (const Loop *Parent = L->getParentLoop()) {
    if (any_of(Bases,
               [&](const Value *Base) {
                 const auto *I = dyn_cast<Instruction>(Base);
                 return I && Parent->contains(I);
               }) ||
        !all_of(Inside,
                [&](const Loop *In) { return isCounted(*In, *Parent); }))
      break;
    Inside.push_back(L = Parent);
  }
  return L;
}

/// The value of a counter of the body in the last iteration, or one that is
/// larger by less than a step, if it goes up and does not wrap around; else
/// null.
const SCEV *PlaceFinder::lastOf(const PHINode &Phi) {
  const auto *Sum =
      dyn_cast<SCEVAddRecExpr>(SE.getSCEV(const_cast<PHINode *>(&Phi)));
  const SCEV *Count = SE.getBackedgeTakenCount(Body);
  if (!Sum || Sum->getLoop() != Body || !Sum->isAffine() ||
      isa<SCEVCouldNotCompute>(Count))
    return nullptr;
  const auto *Step = dyn_cast<SCEVConstant>(Sum->getStepRecurrence(SE));
  if (!Step || !Step->getAPInt().isStrictlyPositive() ||
      (!Sum->hasNoSignedWrap() && Sum->getType()->getIntegerBitWidth() < 64))
    return nullptr;
  if (const auto *Steps = dyn_cast<SCEVUDivExpr>(Count);
      Steps && Steps->getRHS() == Step)
    return SE.getAddExpr(Sum->getStart(), Steps->getLHS());
  Count = SE.getTruncateOrZeroExtend(Count, Sum->getType());
  return Sum->evaluateAtIteration(Count, SE);
}

bool PlaceFinder::isBoundedCounter(const PHINode &Phi, const Loop &Top) {
  const SCEV *Last = lastOf(Phi);
  auto IsBounded = [&](const SCEV *E) {
    return !SCEVExprContains(E, [&](const SCEV *Part) {
      const auto *U = dyn_cast<SCEVUnknown>(Part);
      return (U && !isBounded(U->getValue(), Top)) ||
             (isa<SCEVUDivExpr>(Part) &&
              !isa<SCEVConstant>(cast<SCEVUDivExpr>(Part)->getRHS()));
    });
  };
  return Last && IsBounded(Last) &&
         IsBounded(cast<SCEVAddRecExpr>(SE.getSCEV(const_cast<PHINode *>(&Phi)))
                       ->getStart());
}

const Loop *PlaceFinder::find(const LoadInst &Load) {
  const Loop *L = LI.getLoopFor(Load.getParent());
  if (!L || !Load.isSimple() || !isNumber(Load.getType()))
    return nullptr;
  auto P = takeApart(const_cast<Value *>(Load.getPointerOperand()), DL);
  if (!P || !isBase(P->Base) || !isElement(*P, Load.getType()))
    return nullptr;
  const auto *Base = dyn_cast<Instruction>(P->Base);
  if (Base && L->contains(Base))
    return nullptr;
  // As far out as one SCoP can be.
  SmallVector<const Loop *, 4> Inside = {L};
  while (const Loop *Parent = L->getParentLoop()) {
    if ((Base && Parent->contains(Base)) ||
        !all_of(Inside,
                [&](const Loop *In) { return isCounted(*In, *Parent); }))
      break;
    Inside.push_back(L = Parent);
  }
  if (!isIrregular(*P, *L) || none_of(P->Terms, [&](const auto &Term) {
        const auto *I = dyn_cast<Instruction>(Term.first);
        return I && L->contains(I) && isData(*I, *L);
      }))
    return nullptr;
  int64_t Offset = 0;
  const Value *Origin = hiddenOrigin(P->Base, Offset);
  if (knownBytes(Origin ? Origin : P->Base, DL))
    return L;
  return all_of(P->Terms, [&](const auto &T) { return isBounded(T.first, *L); })
             ? L
             : nullptr;
}

bool PlaceFinder::isSameIn(const LoadInst &Load, const Loop &L) {
  return !isIrregular(
      *takeApart(const_cast<Value *>(Load.getPointerOperand()), DL), L);
}

//===-- Calls instead of loads --------------------------------------------===//

/// A function of which nothing is known.
Function *makeBody(Type *Ty, ArrayRef<Type *> Params, Module &M) {
  auto *Body =
      Function::Create(FunctionType::get(Ty, Params, false),
                       GlobalValue::InternalLinkage, IndirectPrefix, M);
  // Not that it may be executed elsewhere: what it is computed from decides.
  Body->setMemoryEffects(MemoryEffects::none());
  Body->setDoesNotThrow();
  Body->setWillReturn();
  Body->addFnAttr("polygpu");
  return Body;
}

/// The bytes from its base on, of terms that \p Map gives.
Value *offsetOf(const Place &P, IRBuilderBase &B,
                function_ref<Value *(Value *)> Map) {
  Value *Sum = nullptr;
  for (const auto &[V, Factor] : P.Terms) {
    Value *Term = B.CreateSExtOrTrunc(Map(V), B.getInt64Ty());
    if (!Factor.isOne())
      Term = B.CreateMul(Term, B.getInt(Factor));
    Sum = Sum ? B.CreateAdd(Sum, Term) : Term;
  }
  if (!Sum)
    return B.getInt(P.Constant);
  return P.Constant.isZero() ? Sum : B.CreateAdd(Sum, B.getInt(P.Constant));
}

} // namespace polygpu
