//===- IndexFinder.cpp - What indices may lead to -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "prepare/IndexFinder.h"
#include "adaptor/HiddenValues.h"
#include "prepare/IndirectCalls.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace polygpu {

/// Operations between an index that is read and the address.
static const unsigned MaxSteps = 16;

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
bool IndexFinder::isIrregular(const SCEV *E, const Loop &L) {
  return SCEVExprContains(E, [&](const SCEV *Part) {
    const auto *U = dyn_cast<SCEVUnknown>(Part);
    const auto *I = U ? dyn_cast<Instruction>(U->getValue()) : nullptr;
    return I && L.contains(I);
  });
}

bool IndexFinder::isIrregular(const Place &P, const Loop &L) {
  return any_of(P.Terms, [&](const auto &Term) {
    return isIrregular(SE.getSCEV(Term.first), L);
  });
}

/// Do \p P's terms wrap around after few iterations, as hashes do?  Polly would
/// have the loop for fewer.
bool IndexFinder::wrapsSoon(const Place &P) {
  static const unsigned Few = 8; // 2^8 iterations, of long steps
  auto Wraps = [&](const SCEV *E) {
    const auto *Sum = dyn_cast<SCEVAddRecExpr>(E);
    if (!Sum || !Sum->isAffine() || Sum->hasNoSignedWrap() ||
        Sum->hasNoUnsignedWrap())
      return false;
    const auto *Step = dyn_cast<SCEVConstant>(Sum->getStepRecurrence(SE));
    unsigned Bits = Step ? Step->getAPInt().abs().getActiveBits() : 0;
    return Bits >= Few && Bits + Few >= SE.getTypeSizeInBits(Sum->getType());
  };
  return any_of(P.Terms, [&](const auto &Term) {
    return SCEVExprContains(SE.getSCEV(Term.first), Wraps);
  });
}

/// Does \p L run as often whatever \p Around has read?
bool IndexFinder::isCounted(const Loop &L, const Loop &Around) {
  const SCEV *Count = SE.getBackedgeTakenCount(&L);
  return !isa<SCEVCouldNotCompute>(Count) && !isIrregular(Count, Around);
}

/// Are all addresses there those of elements of an array of \p Ty?
bool IndexFinder::isElement(const Place &P, Type *Ty) {
  uint64_t Size = DL.getTypeAllocSize(Ty);
  return P.Constant.srem(Size) == 0 && all_of(P.Terms, [&](const auto &Term) {
           return Term.second.srem(Size) == 0;
         });
}

bool IndexFinder::isBounded(const Value *V, const Loop &Top) {
  return isBounded(V, Top, MaxSteps);
}

/// Can the smallest and the largest value of \p V be found before \p Top, from
/// what is read there?  What is computed is what host/IndexRanges.cpp can.
bool IndexFinder::isBounded(const Value *V, const Loop &Top, unsigned Steps) {
  if (!V->getType()->isIntegerTy() || V->getType()->getIntegerBitWidth() > 64)
    return false;
  const auto *I = dyn_cast<Instruction>(V);
  if (!I || !Top.contains(I))
    return true;
  if (Bounded.contains(I))
    return true;
  if (!Steps || !isBounded(*I, Top, Steps - 1))
    return false;
  Bounded.insert(I);
  return true;
}

/// The same of a floating-point number.
bool IndexFinder::isFinite(const Value *V, const Loop &Top, unsigned Steps) {
  if (!V->getType()->isFloatTy() && !V->getType()->isDoubleTy())
    return false;
  const auto *I = dyn_cast<Instruction>(V);
  if (!I || !Top.contains(I))
    return true;
  if (!Steps--)
    return false;
  // With these the device may round in another way.
  if (const auto *Operator = dyn_cast<FPMathOperator>(I))
    if (FastMathFlags Flags = Operator->getFastMathFlags();
        Flags.allowReassoc() || Flags.allowContract() ||
        Flags.allowReciprocal() || Flags.approxFunc())
      return false;
  auto AreFinite = [&](auto &&Operands) {
    return all_of(Operands,
                  [&](const Use &U) { return isFinite(U, Top, Steps); });
  };
  switch (I->getOpcode()) {
  case Instruction::SIToFP:
  case Instruction::UIToFP:
    return isBounded(I->getOperand(0), Top, Steps);
  case Instruction::FPExt:
  case Instruction::FPTrunc:
  case Instruction::FNeg:
  case Instruction::FAdd:
  case Instruction::FSub:
  case Instruction::FMul:
  case Instruction::FDiv:
    return AreFinite(I->operands());
  case Instruction::Select:
    return AreFinite(drop_begin(I->operands()));
  case Instruction::Call:
    switch (cast<CallInst>(I)->getIntrinsicID()) {
    case Intrinsic::fabs:
    case Intrinsic::fma:
    case Intrinsic::fmuladd:
    case Intrinsic::floor:
    case Intrinsic::ceil:
    case Intrinsic::trunc:
    case Intrinsic::rint:
    case Intrinsic::nearbyint:
    case Intrinsic::minnum:
    case Intrinsic::maxnum:
      return AreFinite(cast<CallInst>(I)->args());
    default:
      return false;
    }
  default:
    return false;
  }
}

/// A number of fewer bits may be any of them.
static const unsigned MostBits = 24;

static bool isPositive(const Value *V) {
  const auto *C = dyn_cast<ConstantInt>(V);
  return C && C->getValue().isStrictlyPositive();
}

bool IndexFinder::isBounded(const Instruction &I, const Loop &Top,
                            unsigned Steps) {
  auto First = [&] { return isBounded(I.getOperand(0), Top, Steps); };
  auto Second = [&] { return isBounded(I.getOperand(1), Top, Steps); };
  if (const CallInst *Read = indirectRead(&I))
    return resultOf(*Read) && isBounded(Read->getArgOperand(1), Top, Steps);
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
    // Loops around may have no known end, and come with what it begins with.
    return Sum && Sum->isAffine() && isCounted(*Sum->getLoop(), Top) &&
           !isIrregular(Sum, Top) && !SCEVExprContains(Sum, [&](const SCEV *E) {
             const auto *Part = dyn_cast<SCEVAddRecExpr>(E);
             return Part && isa<SCEVCouldNotCompute>(
                                SE.getBackedgeTakenCount(Part->getLoop()));
           });
  }
  case Instruction::SExt:
  case Instruction::ZExt:
  case Instruction::Trunc:
  case Instruction::Freeze:
    return First();
  case Instruction::Or:
  case Instruction::Xor:
  case Instruction::Add:
  case Instruction::Sub:
  case Instruction::Mul:
    return First() && Second();
  case Instruction::LShr:
    if (const auto *C = dyn_cast<ConstantInt>(I.getOperand(1));
        C && C->uge(1) &&
        I.getType()->getIntegerBitWidth() < MostBits + C->getLimitedValue())
      return true;
    [[fallthrough]];
  case Instruction::Shl:
  case Instruction::AShr:
    return isPositive(I.getOperand(1)) && First();
  case Instruction::SDiv:
  case Instruction::UDiv:
    if (isa<ConstantInt>(I.getOperand(1)))
      return isPositive(I.getOperand(1)) && First();
    return First() && Second();
  case Instruction::And:
  case Instruction::SRem:
  case Instruction::URem:
    if (isa<ConstantInt>(I.getOperand(1)))
      return isPositive(I.getOperand(1));
    return First() && Second();
  case Instruction::FPToSI:
  case Instruction::FPToUI:
    return isFinite(I.getOperand(0), Top, Steps);
  case Instruction::Select:
    return Second() && isBounded(I.getOperand(2), Top, Steps);
  case Instruction::Call:
    if (cast<CallInst>(I).getIntrinsicID() == Intrinsic::abs)
      return First();
    return isa<MinMaxIntrinsic>(I) && First() && Second();
  default:
    return false;
  }
}

bool isBase(const Value *V) {
  return isa<Argument, GlobalVariable, Instruction>(V) &&
         V->getType()->getPointerAddressSpace() == 0;
}

/// The loop around \p L, or \p L, that is as far out as one SCoP can be.
const Loop *IndexFinder::outermost(const Loop *L,
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
const SCEV *IndexFinder::lastOf(const PHINode &Phi) {
  const auto *Sum =
      dyn_cast<SCEVAddRecExpr>(SE.getSCEV(const_cast<PHINode *>(&Phi)));
  // One of several exits may be taken before.
  const SCEV *Count = SE.getSymbolicMaxBackedgeTakenCount(Body);
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

bool IndexFinder::isBoundedCounter(const PHINode &Phi, const Loop &Top) {
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

const Loop *IndexFinder::find(const LoadInst &Load, bool Computed) {
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
  if (!Computed && !wrapsSoon(*P) &&
      (!isIrregular(*P, *L) || none_of(P->Terms, [&](const auto &Term) {
        const auto *I = dyn_cast<Instruction>(Term.first);
        return I && L->contains(I) && isData(*I, *L);
      })))
    return nullptr;
  int64_t Offset = 0;
  const Value *Origin = hiddenOrigin(P->Base, Offset);
  if (knownBytes(Origin ? Origin : P->Base, DL))
    return L;
  return all_of(P->Terms, [&](const auto &T) { return isBounded(T.first, *L); })
             ? L
             : nullptr;
}

bool IndexFinder::isSameIn(const LoadInst &Load, const Loop &L) {
  return !isIrregular(
      *takeApart(const_cast<Value *>(Load.getPointerOperand()), DL), L);
}

} // namespace polygpu
