//===- IndirectReads.cpp - Reads at places that data say ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "prepare/IndirectReads.h"
#include "adaptor/HiddenValues.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/RegionInfo.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace polygpu {

static const char *const NamePrefix = "polygpu.indirect.";
/// Operations between an index that is read and the address.
static const unsigned MaxSteps = 12;

const CallInst *indirectRead(const Value *V) {
  const auto *Call = dyn_cast<CallInst>(V);
  const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
  return Callee && Callee->getName().starts_with(NamePrefix) ? Call : nullptr;
}

uint64_t knownBytes(const Value *Base, const DataLayout &DL) {
  if (const auto *Variable = dyn_cast<AllocaInst>(Base))
    if (auto Size = Variable->getAllocationSize(DL); Size && Size->isFixed())
      return Size->getFixedValue();
  const auto *Global = dyn_cast<GlobalVariable>(Base);
  if (!Global || Global->hasExternalWeakLinkage() ||
      !Global->getValueType()->isSized())
    return 0;
  return DL.getTypeAllocSize(Global->getValueType()).getKnownMinValue();
}

//===-- Where a load reads ------------------------------------------------===//

namespace {

/// An address as bytes from a pointer.
struct Place {
  Value *Base;
  SmallMapVector<Value *, APInt, 4> Terms; ///< times constants
  APInt Constant;
};

/// Looks at the loads of a function.
class Finder {
public:
  Finder(const LoopInfo &LI, ScalarEvolution &SE, const DataLayout &DL)
      : LI(LI), SE(SE), DL(DL) {}

  /// The loop around \p Load in which its place depends on data and what it may
  /// lead to can be said, or null.
  const Loop *find(const LoadInst &Load);
  /// Is the place the same in all iterations of \p L?
  bool isSameIn(const LoadInst &Load, const Loop &L);

private:
  const LoopInfo &LI;
  ScalarEvolution &SE;
  const DataLayout &DL;

  bool isIrregular(const SCEV *E, const Loop &L);
  bool isIrregular(const Place &P, const Loop &L);
  bool isCounted(const Loop &L, const Loop &Around);
  bool isElement(const Place &P, Type *Ty);
  bool isBounded(const Value *V, const Loop &Top, unsigned Steps = MaxSteps);
  bool isBounded(const Instruction &I, const Loop &Top, unsigned Steps);
};

} // namespace

static std::optional<Place> takeApart(Value *Pointer, const DataLayout &DL) {
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
static bool isNumber(Type *Ty) {
  return (Ty->isIntegerTy() && Ty->getIntegerBitWidth() >= 8 &&
          Ty->getIntegerBitWidth() <= 64 &&
          isPowerOf2_32(Ty->getIntegerBitWidth())) ||
         Ty->isHalfTy() || Ty->isFloatTy() || Ty->isDoubleTy();
}

/// Does \p E depend on a value of \p L that is no counter?
bool Finder::isIrregular(const SCEV *E, const Loop &L) {
  return SCEVExprContains(E, [&](const SCEV *Part) {
    const auto *U = dyn_cast<SCEVUnknown>(Part);
    const auto *I = U ? dyn_cast<Instruction>(U->getValue()) : nullptr;
    return I && L.contains(I);
  });
}

bool Finder::isIrregular(const Place &P, const Loop &L) {
  return any_of(P.Terms, [&](const auto &Term) {
    return isIrregular(SE.getSCEV(Term.first), L);
  });
}

/// Does \p L run as often whatever \p Around has read?
bool Finder::isCounted(const Loop &L, const Loop &Around) {
  const SCEV *Count = SE.getBackedgeTakenCount(&L);
  return !isa<SCEVCouldNotCompute>(Count) && !isIrregular(Count, Around);
}

/// Are all addresses there those of elements of an array of \p Ty?
bool Finder::isElement(const Place &P, Type *Ty) {
  uint64_t Size = DL.getTypeAllocSize(Ty);
  return P.Constant.srem(Size) == 0 && all_of(P.Terms, [&](const auto &Term) {
           return Term.second.srem(Size) == 0;
         });
}

/// Can the smallest and the largest value of \p V be found before \p Top, from
/// what is read there?  What is computed is what host/IndexRanges.cpp can.
bool Finder::isBounded(const Value *V, const Loop &Top, unsigned Steps) {
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

bool Finder::isBounded(const Instruction &I, const Loop &Top, unsigned Steps) {
  auto First = [&] { return isBounded(I.getOperand(0), Top, Steps); };
  auto Second = [&] { return isBounded(I.getOperand(1), Top, Steps); };
  if (const CallInst *Read = indirectRead(&I))
    return isBounded(Read->getArgOperand(1), Top, Steps);
  switch (I.getOpcode()) {
  case Instruction::Load: {
    auto P = takeApart(const_cast<Value *>(I.getOperand(0)), DL);
    const auto *Base = P ? dyn_cast<Instruction>(P->Base) : nullptr;
    return P && cast<LoadInst>(I).isSimple() && !(Base && Top.contains(Base)) &&
           !isIrregular(*P, Top);
  }
  case Instruction::PHI: {
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
static bool isBase(const Value *V) {
  return isa<Argument, GlobalVariable, Instruction>(V) &&
         V->getType()->getPointerAddressSpace() == 0;
}

const Loop *Finder::find(const LoadInst &Load) {
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
  if (!isIrregular(*P, *L))
    return nullptr;
  int64_t Offset = 0;
  const Value *Origin = hiddenOrigin(P->Base, Offset);
  if (knownBytes(Origin ? Origin : P->Base, DL))
    return L;
  return all_of(P->Terms, [&](const auto &T) { return isBounded(T.first, *L); })
             ? L
             : nullptr;
}

bool Finder::isSameIn(const LoadInst &Load, const Loop &L) {
  return !isIrregular(
      *takeApart(const_cast<Value *>(Load.getPointerOperand()), DL), L);
}

//===-- Calls instead of loads --------------------------------------------===//

/// T name(ptr base, i64 offset), of which nothing is known.
static Function *makeBody(Type *Ty, Module &M) {
  LLVMContext &Ctx = M.getContext();
  auto *Body = Function::Create(
      FunctionType::get(Ty, {PointerType::get(Ctx, 0), Type::getInt64Ty(Ctx)},
                        false),
      GlobalValue::InternalLinkage, NamePrefix, M);
  // Not that it may be executed elsewhere: what it is computed from decides.
  Body->setMemoryEffects(MemoryEffects::none());
  Body->setDoesNotThrow();
  Body->setWillReturn();
  Body->addFnAttr("polygpu");
  return Body;
}

/// The bytes from its base on, computed in front of \p At.
static Value *offsetOf(const Place &P, Instruction &At) {
  IRBuilder<> B(&At);
  Value *Sum = nullptr;
  for (const auto &[V, Factor] : P.Terms) {
    Value *Term = B.CreateSExtOrTrunc(V, B.getInt64Ty());
    if (!Factor.isOne())
      Term = B.CreateMul(Term, B.getInt(Factor));
    Sum = Sum ? B.CreateAdd(Sum, Term) : Term;
  }
  if (!Sum)
    return B.getInt(P.Constant);
  return P.Constant.isZero() ? Sum : B.CreateAdd(Sum, B.getInt(P.Constant));
}

void IndirectReads::addRead(Instruction &Load, bool Outer) {
  Value *Pointer = Load.getOperand(0);
  auto P = *takeApart(Pointer, Load.getDataLayout());
  Value *Offset = offsetOf(P, Load);
  Function *Body = makeBody(Load.getType(), *Load.getModule());
  auto *Call = CallInst::Create(Body, {P.Base, Offset}, "", Load.getIterator());
  Call->setDebugLoc(Load.getDebugLoc());
  Call->takeName(&Load);
  Load.replaceAllUsesWith(Call);
  Load.removeFromParent();
  Load.setDebugLoc(DebugLoc());
  IRBuilder<> B(BasicBlock::Create(Load.getContext(), "entry", Body));
  Load.setOperand(0, B.CreatePtrAdd(Body->getArg(0), Body->getArg(1)));
  B.Insert(&Load);
  B.CreateRet(&Load);
  RecursivelyDeleteTriviallyDeadInstructions(Pointer);
  Reads.push_back({WeakVH(Call), Body, Outer});
}

bool IndirectReads::add(Function &F, const LoopInfo &LI, ScalarEvolution &SE) {
  bool Any = false;
  ReversePostOrderTraversal<Function *> Order(&F);
  for (BasicBlock *BB : Order) {
    const Loop *L = LI.getLoopFor(BB);
    if (!L)
      continue;
    for (Instruction &I : make_early_inc_range(*BB)) {
      auto *Load = dyn_cast<LoadInst>(&I);
      Finder Find(LI, SE, F.getDataLayout());
      if (!Load || !Find.find(*Load))
        continue;
      bool Outer = Find.isSameIn(*Load, *L);
      SE.forgetValue(Load);
      addRead(*Load, Outer);
      Any = true;
    }
  }
  return Any;
}

static void inlineRead(CallInst &Call) {
  InlineFunctionInfo Info;
  InlineFunction(Call, Info);
}

bool IndirectReads::restoreOuter(const Region &R) {
  bool Any = false;
  for (Read &One : Reads) {
    auto *Call = cast_or_null<CallInst>(static_cast<Value *>(One.Call));
    if (!Call || !One.Outer || !R.contains(Call->getParent()))
      continue;
    inlineRead(*Call);
    Any = true;
  }
  return Any;
}

void IndirectReads::restore() {
  for (Read &One : Reads) {
    // Copies of loops have calls of it, too.
    for (User *U : make_early_inc_range(One.Body->users()))
      inlineRead(*cast<CallInst>(U));
    One.Body->eraseFromParent();
  }
  Reads.clear();
}

} // namespace polygpu
