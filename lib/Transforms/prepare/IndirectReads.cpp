//===- IndirectReads.cpp - Reads at places that data say ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "prepare/IndirectReads.h"
#include "adaptor/HiddenValues.h"
#include "prepare/IndirectUpdates.h"
#include "target/MathCalls.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/RegionInfo.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

using namespace llvm;

namespace polygpu {

/// Operations between an index that is read and the address.
static const unsigned MaxSteps = 12;

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
  /// Is \p Load one of a place that is the same in all loops that may be one
  /// SCoP, and happens under a condition on data?  What it updates is another
  /// thread's where the condition does not hold, so that there can be no
  /// partial results.
  bool isOneUnderData(const LoadInst &Load);
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
  bool isBoundedCounter(const PHINode &Phi, const Loop &Top);
  const Loop *outermost(const Loop *L, ArrayRef<const Value *> Bases);
  const SCEV *lastOf(const PHINode &Phi);

  const Loop *Body = nullptr; ///< a loop that is to be a call
  friend class LoopOutliner;
};

} // namespace

/// Constants by which terms of 64 bits are multiplied are factors, too.
static void takeFactors(Place &P) {
  SmallMapVector<Value *, APInt, 4> Terms;
  for (auto [V, Factor] : P.Terms) {
    while (V->getType()->isIntegerTy(64)) {
      auto *Product = dyn_cast<BinaryOperator>(V);
      auto *By =
          Product ? dyn_cast<ConstantInt>(Product->getOperand(1)) : nullptr;
      if (!By || Product->getOpcode() != Instruction::Mul)
        break;
      Factor *= By->getValue();
      V = Product->getOperand(0);
    }
    auto [It, New] = Terms.insert({V, Factor});
    if (!New)
      It->second += Factor;
  }
  P.Terms = std::move(Terms);
}

static std::optional<Place> takeApart(Value *Pointer, const DataLayout &DL) {
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
static bool isNumber(Type *Ty) {
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
static bool isBase(const Value *V) {
  return isa<Argument, GlobalVariable, Instruction>(V) &&
         V->getType()->getPointerAddressSpace() == 0;
}

/// The loop around \p L, or \p L, that is as far out as one SCoP can be.
const Loop *Finder::outermost(const Loop *L, ArrayRef<const Value *> Bases) {
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
const SCEV *Finder::lastOf(const PHINode &Phi) {
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

bool Finder::isBoundedCounter(const PHINode &Phi, const Loop &Top) {
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

/// Does a condition on what \p L reads decide whether \p BB is executed?
static bool isUnderData(const BasicBlock *BB, const Loop &L) {
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

bool Finder::isOneUnderData(const LoadInst &Load) {
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

bool Finder::isSameIn(const LoadInst &Load, const Loop &L) {
  return !isIrregular(
      *takeApart(const_cast<Value *>(Load.getPointerOperand()), DL), L);
}

//===-- Calls instead of loads --------------------------------------------===//

/// A function of which nothing is known.
static Function *makeBody(Type *Ty, ArrayRef<Type *> Params, Module &M) {
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
static Value *offsetOf(const Place &P, IRBuilderBase &B,
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

void IndirectReads::addRead(Instruction &Load, bool Outer) {
  Value *Pointer = Load.getOperand(0);
  auto P = *takeApart(Pointer, Load.getDataLayout());
  IRBuilder<> Before(&Load);
  Value *Offset = offsetOf(P, Before, [](Value *V) { return V; });
  Function *Body =
      makeBody(Load.getType(), {P.Base->getType(), Offset->getType()},
               *Load.getModule());
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
  Reads.push_back({WeakVH(Call), Body, Outer, DebugLoc()});
}

void IndirectReads::addUpdate(const IndirectUpdate &U) {
  Value *Pointer = U.Old->getPointerOperand();
  Value *Other = U.New->getPointerOperand();
  auto P = *takeApart(Pointer, U.Old->getDataLayout());
  IRBuilder<> Before(U.New);
  Value *Offset = offsetOf(P, Before, [](Value *V) { return V; });
  Value *With = makeUpdateValue(U);
  Function *Body = makeBody(
      With->getType(), {P.Base->getType(), Offset->getType(), With->getType()},
      *U.Old->getModule());
  auto *Call =
      CallInst::Create(Body, {P.Base, Offset, With}, "", U.New->getIterator());
  Call->setDebugLoc(U.New->getDebugLoc());
  IRBuilder<> B(BasicBlock::Create(Body->getContext(), "entry", Body));
  moveUpdate(U, *Body, *B.CreatePtrAdd(Body->getArg(0), Body->getArg(1)),
             *Call);
  Reads.push_back({WeakVH(Call), Body, /*Outer=*/false, DebugLoc()});
  RecursivelyDeleteTriviallyDeadInstructions(Pointer);
  if (Other != Pointer)
    RecursivelyDeleteTriviallyDeadInstructions(Other);
}

//===-- Calls instead of loops --------------------------------------------===//

namespace {

/// A loop that only reads and has one result, with the condition under which it
/// is entered.
class LoopOutliner {
public:
  LoopOutliner(Loop &L, const LoopInfo &LI, ScalarEvolution &SE,
               const DataLayout &DL)
      : L(L), SE(SE), DL(DL), Find(LI, SE, DL) {
    Find.Body = &L;
  }

  /// Can it be a call?
  bool accept();
  CallInst *run();

private:
  Loop &L;
  ScalarEvolution &SE;
  const DataLayout &DL;
  Finder Find;
  BranchInst *Guard = nullptr; ///< null: it is always entered
  BasicBlock *Entry = nullptr; ///< the loop's preheader
  bool Reads = false;          ///< that reads, and comes along
  BasicBlock *Before = nullptr, *After = nullptr;
  PHINode *Result = nullptr; ///< at its end or, with a guard, behind that
  SmallVector<BasicBlock *, 8> Blocks;
  SmallSetVector<Value *, 4> Bases;
  SmallSetVector<Value *, 8> Numbers;
  SmallVector<PHINode *, 4> Counters; ///< integer phis of the header
  DenseMap<const LoadInst *, Place> Places;

  bool hasForm();
  bool accept(Instruction &I);
  bool isInside(const Value *V) const;
  void addNumber(Value *V);
  Function *makeBody();
  CallInst *makeCall(Function &Body);
};

} // namespace

static bool isValueType(Type *Ty) { return isNumber(Ty) || Ty->isIntegerTy(1); }

/// One way in, one end, and one value that is used behind it.
bool LoopOutliner::hasForm() {
  BasicBlock *Exit = L.getExitBlock();
  Entry = L.getLoopPreheader();
  if (!Exit || !Entry || !L.isLoopSimplifyForm() || !L.getExitingBlock() ||
      Exit->getSinglePredecessor() != L.getExitingBlock())
    return false;
  append_range(Blocks, L.blocks());
  BasicBlock *From = Entry->getSinglePredecessor();
  auto *Test = From ? dyn_cast<BranchInst>(From->getTerminator()) : nullptr;
  BasicBlock *Next = Exit->getSingleSuccessor();
  if (Test && Test->isConditional() && Next &&
      is_contained(successors(From), Next) && pred_size(Next) == 2 &&
      &*Exit->getFirstNonPHIIt() == Exit->getTerminator()) {
    Guard = Test;
    Reads = any_of(*Entry, [](const Instruction &I) {
      return !I.isTerminator() && !isSafeToSpeculativelyExecute(&I);
    });
    if (Reads)
      Blocks.insert(Blocks.begin(), Entry);
    Before = From;
    After = Next;
    Blocks.push_back(Exit);
  } else {
    Before = Entry;
    After = Exit;
  }
  for (PHINode &Phi : After->phis())
    if (std::exchange(Result, &Phi))
      return false;
  return Result && isNumber(Result->getType()) &&
         (!Guard || all_of(Exit->phis(), [&](PHINode &Phi) {
           return all_of(Phi.users(), [&](User *U) { return U == Result; });
         }));
}

bool LoopOutliner::isInside(const Value *V) const {
  const auto *I = dyn_cast<Instruction>(V);
  return I && is_contained(Blocks, I->getParent());
}

void LoopOutliner::addNumber(Value *V) {
  if (!isInside(V) && !isa<Constant>(V))
    Numbers.insert(V);
}

/// Can kernels execute it?  What it needs from before is noted.
bool LoopOutliner::accept(Instruction &I) {
  if (I.isDebugOrPseudoInst() || isa<BranchInst>(I)) {
    auto *Branch = dyn_cast<BranchInst>(&I);
    if (Branch && Branch->isConditional())
      addNumber(Branch->getCondition());
    return true;
  }
  if (isa<GetElementPtrInst>(I))
    return all_of(I.users(), [](const User *U) {
      return isa<LoadInst, GetElementPtrInst>(U);
    });
  if (auto *Load = dyn_cast<LoadInst>(&I)) {
    auto P = takeApart(Load->getPointerOperand(), DL);
    if (!Load->isSimple() || !isNumber(I.getType()) || !P || !isBase(P->Base) ||
        isInside(P->Base) || !Find.isElement(*P, I.getType()))
      return false;
    Bases.insert(P->Base);
    for (auto &Term : P->Terms)
      addNumber(Term.first);
    Places.insert({Load, std::move(*P)});
    return true;
  }
  bool Known = I.isBinaryOp() ? I.getOpcode() != Instruction::FRem
                              : isa<CastInst, CmpInst, SelectInst, PHINode,
                                    FreezeInst, UnaryOperator>(I) &&
                                    !isa<BitCastInst>(I);
  if (const auto *Call = dyn_cast<CallInst>(&I))
    Known = classifyCall(*Call) == CallKind::Intrinsic;
  if (!Known || !isValueType(I.getType()))
    return false;
  for (const Use &U : I.operands()) {
    if (isa<Function>(U.get()))
      continue;
    if (!isValueType(U->getType()))
      return false;
    addNumber(U.get());
  }
  return true;
}

bool LoopOutliner::accept() {
  const Loop *Parent = L.getParentLoop();
  if (!L.isInnermost() || !Parent || !hasForm() ||
      isa<SCEVCouldNotCompute>(SE.getBackedgeTakenCount(&L)) ||
      isa<SCEVCouldNotCompute>(SE.getBackedgeTakenCount(Parent)) ||
      Find.isCounted(L, *Parent))
    return false;
  for (BasicBlock *BB : Blocks)
    for (Instruction &I : *BB)
      if (!accept(I))
        return false;
  if (Guard)
    addNumber(Guard->getCondition());
  if (Guard)
    addNumber(Result->getIncomingValueForBlock(Before));
  SmallVector<const Value *, 4> List(Bases.begin(), Bases.end());
  if (any_of(List, [&](const Value *Base) {
        const auto *I = dyn_cast<Instruction>(Base);
        return I && Parent->contains(I);
      }))
    return false;
  const Loop *Top = Find.outermost(Parent, List);
  for (PHINode &Phi : L.getHeader()->phis())
    if (Phi.getType()->isIntegerTy()) {
      Counters.push_back(&Phi);
      const SCEV *Last = Find.lastOf(Phi);
      if (Last && SCEVExprContains(Last, [&](const SCEV *Part) {
            const auto *U = dyn_cast<SCEVUnknown>(Part);
            return U && isInside(U->getValue());
          }))
        return false;
    }
  return !Bases.empty() && all_of(Places, [&](const auto &Entry) {
    return knownBytes(Entry.second.Base, DL) ||
           all_of(Entry.second.Terms, [&](const auto &Term) {
             return Find.isBounded(Term.first, *Top);
           });
  });
}

/// The operands of \p I without places in the source.
static void forgetPlaces(Instruction &I) {
  I.setDebugLoc(DebugLoc());
  I.dropDbgRecords();
  MDNode *Old = I.getMetadata(LLVMContext::MD_loop);
  if (!Old)
    return;
  SmallVector<Metadata *, 4> Rest = {nullptr};
  for (const MDOperand &Operand : drop_begin(Old->operands()))
    if (!isa_and_nonnull<DILocation>(Operand.get()))
      Rest.push_back(Operand.get());
  MDNode *New = MDNode::getDistinct(I.getContext(), Rest);
  New->replaceOperandWith(0, New);
  I.setMetadata(LLVMContext::MD_loop, New);
}

/// The loop in a function of its own.
Function *LoopOutliner::makeBody() {
  LLVMContext &Ctx = L.getHeader()->getContext();
  SmallVector<Type *, 16> Params;
  for (Value *V : Bases)
    Params.push_back(V->getType());
  for (Value *V : Numbers)
    Params.push_back(V->getType());
  for (PHINode *Phi : Counters)
    Params.push_back(Phi->getType());
  Function *Body =
      polygpu::makeBody(Result->getType(), Params, *L.getHeader()->getModule());
  ValueToValueMapTy Map;
  unsigned N = 0;
  for (Value *V : Bases)
    Map[V] = Body->getArg(N++);
  for (Value *V : Numbers)
    Map[V] = Body->getArg(N++);
  BasicBlock *Start = BasicBlock::Create(Ctx, "entry", Body);
  if (!Reads)
    Map[Entry] = Start;
  Map[Before] = Start;
  for (BasicBlock *BB : Blocks)
    Map[BB] = CloneBasicBlock(BB, Map, "", Body);
  BasicBlock *End = BasicBlock::Create(Ctx, "end", Body);
  Map[After] = End;
  auto Mapped = [&](Value *V) -> Value * {
    auto It = Map.find(V);
    return It == Map.end() ? V : static_cast<Value *>(It->second);
  };
  auto *Header = cast<BasicBlock>(Mapped(Reads ? Entry : L.getHeader()));
  IRBuilder<> B(Start);
  if (Guard) {
    bool OnTrue = Guard->getSuccessor(0) == Entry;
    Value *Condition = Mapped(Guard->getCondition());
    if (OnTrue)
      B.CreateCondBr(Condition, Header, End);
    else // The header comes first.
      B.CreateCondBr(B.CreateNot(Condition), Header, End);
  } else {
    B.CreateBr(Header);
  }
  for (BasicBlock *BB : Blocks)
    for (Instruction &I : *cast<BasicBlock>(Mapped(BB))) {
      RemapInstruction(&I, Map,
                       RF_NoModuleLevelChanges | RF_IgnoreMissingLocals);
      forgetPlaces(I);
    }
  for (auto &[Old, P] : Places) {
    auto *Load = cast<LoadInst>(Mapped(const_cast<LoadInst *>(Old)));
    B.SetInsertPoint(Load);
    Value *Offset = offsetOf(P, B, Mapped);
    Value *Address = GetElementPtrInst::Create(
        B.getInt8Ty(), Mapped(P.Base), {Offset}, "", Load->getIterator());
    Load->setOperand(0, Address);
  }
  for (BasicBlock *BB : Blocks)
    for (Instruction &I :
         make_early_inc_range(reverse(*cast<BasicBlock>(Mapped(BB)))))
      if (isa<GetElementPtrInst>(I) && I.use_empty())
        I.eraseFromParent();
  // Of several blocks, those that used addresses are done last.
  for (bool Again = true; std::exchange(Again, false);)
    for (BasicBlock &BB : *Body)
      for (Instruction &I : make_early_inc_range(reverse(BB)))
        if (isa<GetElementPtrInst>(I) && I.use_empty()) {
          I.eraseFromParent();
          Again = true;
        }
  B.SetInsertPoint(End);
  PHINode *Phi = B.CreatePHI(Result->getType(), 2);
  for (unsigned V = 0; V < Result->getNumIncomingValues(); ++V)
    Phi->addIncoming(Mapped(Result->getIncomingValue(V)),
                     cast<BasicBlock>(Mapped(Result->getIncomingBlock(V))));
  B.CreateRet(Phi);
  return Body;
}

CallInst *LoopOutliner::makeCall(Function &Body) {
  SmallVector<Value *, 16> Operands(Bases.begin(), Bases.end());
  append_range(Operands, Numbers);
  SCEVExpander Expander(SE, "last");
  Instruction *At = Before->getTerminator();
  for (PHINode *Phi : Counters) {
    const SCEV *Last = Find.lastOf(*Phi);
    Operands.push_back(Last && Expander.isSafeToExpandAt(Last, At)
                           ? Expander.expandCodeFor(Last, Phi->getType(), At)
                           : PoisonValue::get(Phi->getType()));
  }
  auto *Call = CallInst::Create(&Body, Operands, "", At->getIterator());
  Call->setDebugLoc(L.getStartLoc());
  return Call;
}

CallInst *LoopOutliner::run() {
  // What is computed behind the condition may be before it as well.
  for (Instruction &I : make_early_inc_range(*Entry))
    if (Guard && !Reads && !I.isTerminator()) {
      I.dropPoisonGeneratingAnnotations();
      I.moveBefore(Before->getTerminator()->getIterator());
    }
  Function *Body = makeBody();
  CallInst *Call = makeCall(*Body);
  SmallVector<BasicBlock *, 8> Gone = Blocks;
  if (Guard && !Reads)
    Gone.push_back(Entry);
  SE.forgetLoop(&L);
  Result->replaceAllUsesWith(Call);
  Result->eraseFromParent();
  Instruction *Old = Before->getTerminator();
  BranchInst::Create(After, Old->getIterator())
      ->setDebugLoc(Old->getDebugLoc());
  Old->eraseFromParent();
  DeleteDeadBlocks(Gone);
  return Call;
}

bool IndirectReads::addLoop(Function &F, const LoopInfo &LI,
                            ScalarEvolution &SE) {
  for (Loop *L : LI.getLoopsInPreorder()) {
    LoopOutliner Outliner(*L, LI, SE, F.getDataLayout());
    if (!Outliner.accept())
      continue;
    DebugLoc Start = L->getStartLoc();
    CallInst *Call = Outliner.run();
    Reads.push_back(
        {WeakVH(Call), Call->getCalledFunction(), /*Outer=*/true, Start});
    return true;
  }
  return false;
}

SmallVector<DebugLoc, 2> IndirectReads::loopsIn(const Loop &L) const {
  SmallVector<DebugLoc, 2> Places;
  for (const Read &One : Reads)
    if (const auto *Call =
            cast_or_null<CallInst>(static_cast<Value *>(One.Call));
        Call && One.Loop && L.contains(Call->getParent()))
      Places.push_back(One.Loop);
  return Places;
}

//===-- All of a function -------------------------------------------------===//

bool IndirectReads::add(Function &F, const LoopInfo &LI, ScalarEvolution &SE) {
  bool Any = false;
  ReversePostOrderTraversal<Function *> Order(&F);
  for (BasicBlock *BB : Order) {
    const Loop *L = LI.getLoopFor(BB);
    if (!L)
      continue;
    SmallVector<LoadInst *, 16> Loads;
    for (Instruction &I : *BB)
      if (auto *Load = dyn_cast<LoadInst>(&I))
        Loads.push_back(Load);
    for (LoadInst *Load : Loads) {
      Finder Find(LI, SE, F.getDataLayout());
      bool IsIndirect = Find.find(*Load) != nullptr;
      auto Update = IsIndirect || Find.isOneUnderData(*Load)
                        ? findUpdate(*Load, SE)
                        : std::nullopt;
      if (!IsIndirect && !Update)
        continue;
      bool Outer = Find.isSameIn(*Load, *L);
      SE.forgetValue(Load);
      if (Update) {
        for (auto [I, Operand] : Update->Path)
          SE.forgetValue(I);
        addUpdate(*Update);
      } else {
        addRead(*Load, Outer);
      }
      Any = true;
    }
  }
  return Any;
}

static void inlineRead(CallInst &Call) {
  if (indirectUpdate(&Call))
    dropToken(Call);
  InlineFunctionInfo Info;
  InlineFunction(Call, Info);
}

bool IndirectReads::restoreOuter(
    const Region &R, function_ref<bool(const Instruction &)> IsKept) {
  bool Any = false;
  for (Read &One : Reads) {
    auto *Call = cast_or_null<CallInst>(static_cast<Value *>(One.Call));
    if (!Call || !One.Outer || !R.contains(Call->getParent()) || IsKept(*Call))
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
