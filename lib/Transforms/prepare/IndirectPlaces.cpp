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
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace polygpu {

/// Constants by which terms of 64 bits are multiplied are factors, too.
static void takeFactors(Place &P) {
  SmallMapVector<Value *, APInt, 4> Terms;
  for (auto [V, Factor] : P.Terms) {
    while (V->getType()->isIntegerTy(64)) {
      auto *Product = dyn_cast<BinaryOperator>(V);
      auto *By =
          Product ? dyn_cast<ConstantInt>(Product->getOperand(1)) : nullptr;
      if (By && Product->getOpcode() == Instruction::Mul)
        Factor *= By->getValue();
      else if (By && Product->getOpcode() == Instruction::Shl &&
               By->getValue().ult(64))
        Factor <<= static_cast<unsigned>(By->getZExtValue());
      else
        break;
      V = Product->getOperand(0);
    }
    auto [It, New] = Terms.insert({V, Factor});
    if (!New)
      It->second += Factor;
  }
  P.Terms = std::move(Terms);
}

std::optional<Place> takeApart(Value *Pointer, const DataLayout &DL) {
  Place P = {Pointer, {}, APInt(64, 0)};
  if (DL.getIndexTypeSizeInBits(Pointer->getType()) != 64)
    return std::nullopt;
  while (auto *GEP = dyn_cast<GEPOperator>(P.Base)) {
    if (!GEP->collectOffset(DL, 64, P.Terms, P.Constant))
      return std::nullopt;
    P.Base = GEP->getPointerOperand();
  }
  takeFactors(P);
  return P;
}

/// Can kernels compute with it?
bool isNumber(Type *Ty) {
  return (Ty->isIntegerTy() && Ty->getIntegerBitWidth() >= 8 &&
          Ty->getIntegerBitWidth() <= 64 &&
          isPowerOf2_32(Ty->getIntegerBitWidth())) ||
         Ty->isHalfTy() || Ty->isFloatTy() || Ty->isDoubleTy();
}

/// The blocks through which \p BB is reached, the last one first, as far as
/// there is one way, and \p BB itself.
static SmallVector<const BasicBlock *, 8> wayTo(const BasicBlock *BB) {
  static const unsigned Most = 8;
  SmallVector<const BasicBlock *, 8> Way;
  for (; BB && Way.size() < Most; BB = BB->getSinglePredecessor())
    Way.push_back(BB);
  return Way;
}

/// The conditions by which one of the values of \p Phi is chosen, where its
/// ways have parted in one block; none if that is not found.
static SmallVector<const Value *, 4> choicesOf(const PHINode &Phi) {
  SmallVector<SmallVector<const BasicBlock *, 8>, 4> Ways;
  for (const BasicBlock *From : Phi.blocks())
    Ways.push_back(wayTo(From));
  const auto *Parted = find_if(Ways[0], [&](const BasicBlock *BB) {
    return all_of(Ways, [&](const auto &Way) { return is_contained(Way, BB); });
  });
  SmallVector<const Value *, 4> Choices;
  if (Parted == Ways[0].end())
    return Choices;
  for (const auto &Way : Ways)
    for (const BasicBlock *BB : Way) {
      const auto *Branch = dyn_cast<BranchInst>(BB->getTerminator());
      if (Branch && Branch->isConditional())
        Choices.push_back(Branch->getCondition());
      if (BB == *Parted)
        break;
    }
  return Choices;
}

/// Is \p I computed, or chosen, by what \p L reads?  What is chosen by
/// conditions on counters, like the one array of two that a step reads, is no
/// data.
bool PlaceFinder::isData(const Instruction &I, const Loop &L) {
  SmallVector<const Instruction *, 8> Open = {&I};
  SmallPtrSet<const Instruction *, 16> Seen = {&I};
  auto Add = [&](const Value *V) {
    if (const auto *From = dyn_cast<Instruction>(V);
        From && L.contains(From) && Seen.insert(From).second)
      Open.push_back(From);
  };
  while (!Open.empty()) {
    const Instruction *Next = Open.pop_back_val();
    if (Next->mayReadFromMemory() || indirectRead(Next))
      return true;
    for_each(Next->operands(), Add);
    if (const auto *Phi = dyn_cast<PHINode>(Next);
        Phi && !LI.isLoopHeader(Phi->getParent()))
      for_each(choicesOf(*Phi), Add);
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

/// Do \p P's terms wrap around after few iterations, as hashes do?  Polly would
/// have the loop for fewer.
bool PlaceFinder::wrapsSoon(const Place &P) {
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
  if (Bounded.contains(I))
    return true;
  if (!Steps || !isBounded(*I, Top, Steps - 1))
    return false;
  Bounded.insert(I);
  return true;
}

/// The same of a floating-point number.
bool PlaceFinder::isFinite(const Value *V, const Loop &Top, unsigned Steps) {
  if (!V->getType()->isFloatTy() && !V->getType()->isDoubleTy())
    return false;
  const auto *I = dyn_cast<Instruction>(V);
  if (!I || !Top.contains(I))
    return true;
  if (!Steps--)
    return false;
  if (mayRoundOtherwise(*I))
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
    return isMonotone(*I) && AreFinite(cast<CallInst>(I)->args());
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

bool PlaceFinder::isBounded(const Instruction &I, const Loop &Top,
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
    if (!LI.isLoopHeader(I.getParent()))
      return all_of(cast<PHINode>(I).incoming_values(),
                    [&](const Use &U) { return isBounded(U, Top, Steps); });
    const auto *Sum =
        dyn_cast<SCEVAddRecExpr>(SE.getSCEV(const_cast<Instruction *>(&I)));
    if (!Sum && !LI.isLoopHeader(I.getParent()))
      return all_of(cast<PHINode>(I).incoming_values(),
                    [&](const Use &U) { return isBounded(U, Top, Steps); });
    // Loops around may have no known end, and come with what it begins with.
    // That of a packed triangle goes from row to row in steps that grow.
    return Sum && Sum->getNumOperands() <= 3 &&
           isCounted(*Sum->getLoop(), Top) && !isIrregular(Sum, Top) &&
           !SCEVExprContains(Sum, [&](const SCEV *E) {
             const auto *Part = dyn_cast<SCEVAddRecExpr>(E);
             return Part && isa<SCEVCouldNotCompute>(
                                SE.getBackedgeTakenCount(Part->getLoop()));
           });
  }
  case Instruction::SExt:
  case Instruction::ZExt:
    return I.getOperand(0)->getType()->isIntegerTy(1) || First();
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

const Loop *PlaceFinder::find(const LoadInst &Load, bool Computed) {
  const Loop *L = LI.getLoopFor(Load.getParent());
  if (!L || !Load.isSimple() || !isNumber(Load.getType()))
    return nullptr;
  auto P = takeApart(const_cast<Value *>(Load.getPointerOperand()), DL);
  if (!P || !isBase(P->Base) || !isElement(*P, Load.getType()))
    return nullptr;
  const auto *Base = dyn_cast<Instruction>(P->Base);
  if (Base && L->contains(Base))
    return nullptr;
  L = outermost(L, {P->Base});
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

/// Does a condition on what \p L reads decide whether \p BB is executed?
bool PlaceFinder::isUnderData(const BasicBlock *BB, const Loop &L) {
  while ((BB = BB->getSinglePredecessor()) && L.contains(BB)) {
    const auto *Branch = dyn_cast<BranchInst>(BB->getTerminator());
    const auto *Test = Branch && Branch->isConditional()
                           ? dyn_cast<Instruction>(Branch->getCondition())
                           : nullptr;
    if (Test && L.contains(Test) && isData(*Test, L))
      return true;
  }
  return false;
}

bool PlaceFinder::isOneUnderData(const LoadInst &Load) {
  const Loop *L = LI.getLoopFor(Load.getParent());
  if (!L || !Load.isSimple() || !isNumber(Load.getType()))
    return false;
  auto P = takeApart(const_cast<Value *>(Load.getPointerOperand()), DL);
  if (!P || !isBase(P->Base) || !isElement(*P, Load.getType()) ||
      !isUnderData(Load.getParent(), *L))
    return false;
  L = outermost(L, {P->Base});
  auto IsInside = [&](const Value *V) {
    const auto *I = dyn_cast<Instruction>(V);
    return I && L->contains(I);
  };
  return !IsInside(P->Base) && none_of(P->Terms, [&](const auto &Term) {
    return IsInside(Term.first);
  });
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
