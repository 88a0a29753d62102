//===- IndirectUpdates.cpp - Updates at places that data say --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "prepare/IndirectUpdates.h"
#include "adaptor/Notes.h"
#include "prepare/IndirectCalls.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/DebugProgramInstruction.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace polygpu {

static const char *const TokenNote = "polygpu.token";
/// Of a store that the program does only where it changes the element.
static const char *const ChangeNote = "polygpu.change";

//===-- What stands for an update -----------------------------------------===//

/// The store in \p Body of a call, or null if that only reads.
static StoreInst *storeOf(Function &Body) {
  for (Instruction &I : instructions(Body))
    if (auto *Store = dyn_cast<StoreInst>(&I))
      return Store;
  return nullptr;
}

const CallInst *indirectUpdate(const Value *V) {
  const CallInst *Call = indirectRead(V);
  return Call && storeOf(*Call->getCalledFunction()) ? Call : nullptr;
}

static AtomicRMWInst::BinOp operatorOf(const Instruction &I) {
  switch (I.getOpcode()) {
  case Instruction::Add:
  case Instruction::Sub:
    return AtomicRMWInst::Add;
  case Instruction::And:
    return AtomicRMWInst::And;
  case Instruction::Or:
    return AtomicRMWInst::Or;
  case Instruction::Xor:
    return AtomicRMWInst::Xor;
  default:
    break;
  }
  const auto *Call = dyn_cast<MinMaxIntrinsic>(&I);
  switch (Call ? Call->getIntrinsicID() : Intrinsic::not_intrinsic) {
  case Intrinsic::smin:
    return AtomicRMWInst::Min;
  case Intrinsic::smax:
    return AtomicRMWInst::Max;
  case Intrinsic::umin:
    return AtomicRMWInst::UMin;
  case Intrinsic::umax:
    return AtomicRMWInst::UMax;
  default:
    return AtomicRMWInst::BAD_BINOP;
  }
}

AtomicRMWInst::BinOp updateOperator(const CallInst &Call) {
  const auto *New = dyn_cast<Instruction>(
      storeOf(*Call.getCalledFunction())->getValueOperand());
  return New ? operatorOf(*New) : AtomicRMWInst::Xchg;
}

Value *updateValue(const CallInst &Call) {
  return Call.getArgOperand(Call.arg_size() - 1);
}

bool isUpdateToken(const Value *Base) {
  const auto *Variable = dyn_cast_or_null<AllocaInst>(Base);
  return Variable && hasNote(*Variable, TokenNote);
}

const CallInst *updateBehind(const StoreInst &Store) {
  const Value *V = Store.getValueOperand();
  // Under a condition on data it is the old value or the new one.
  if (const auto *Choice = dyn_cast<SelectInst>(V))
    V = isa<LoadInst>(Choice->getTrueValue()) ? Choice->getFalseValue()
                                              : Choice->getTrueValue();
  const auto *Sum = dyn_cast<BinaryOperator>(V);
  if (!Sum || Sum->getOpcode() != Instruction::Add)
    return nullptr;
  for (const Value *Part : Sum->operands())
    if (const CallInst *Call = indirectUpdate(Part))
      return Call;
  return nullptr;
}

//===-- Updates of the program --------------------------------------------===//

/// Does nothing between the two, of one block, write memory?
static bool isQuiet(const Instruction &From, const Instruction &To) {
  for (const Instruction *I = From.getNextNode(); I && I != &To;
       I = I->getNextNode())
    if (I->mayWriteToMemory() || I->mayThrow())
      return false;
  return true;
}

/// Devices have atomic operations of these (8 and 16 bits:
/// target/NarrowUpdates.h).
static bool isUpdatable(const Type *Ty) {
  return Ty->isIntegerTy() &&
         (Ty->getIntegerBitWidth() == 8 || Ty->getIntegerBitWidth() == 16 ||
          Ty->isIntegerTy(32) || Ty->isIntegerTy(64));
}

std::optional<IndirectUpdate> findUpdate(LoadInst &Old, ScalarEvolution &SE) {
  IndirectUpdate U = {&Old, nullptr, {}, AtomicRMWInst::BAD_BINOP};
  if (!Old.isSimple() || !isUpdatable(Old.getType()))
    return std::nullopt;
  for (Instruction *Now = &Old; !U.New;) {
    auto *Next =
        Now->hasOneUse() ? dyn_cast<Instruction>(Now->user_back()) : nullptr;
    if (!Next || Next->getParent() != Old.getParent())
      return std::nullopt;
    unsigned Operand = Now->use_begin()->getOperandNo();
    if (auto *Store = dyn_cast<StoreInst>(Next)) {
      if (Operand != 0)
        return std::nullopt;
      U.New = Store;
      break;
    }
    AtomicRMWInst::BinOp Op = operatorOf(*Next);
    if (Op == AtomicRMWInst::BAD_BINOP || (!U.Path.empty() && Op != U.Op) ||
        Operand > 1 || (Next->getOpcode() == Instruction::Sub && Operand != 0))
      return std::nullopt;
    U.Op = Op;
    U.Path.push_back({Next, Operand});
    Now = Next;
  }
  if (U.Path.empty() || !U.New->isSimple() || !isQuiet(Old, *U.New) ||
      SE.getSCEV(Old.getPointerOperand()) !=
          SE.getSCEV(U.New->getPointerOperand()))
    return std::nullopt;
  return U;
}

/// Does \p L count, with its loops, and does nothing beside \p Store and \p Old
/// access the array than stores of the same value?  Others would be refused for
/// it.
static bool isAlone(const StoreInst &Store, const LoadInst &Old, const Loop &L,
                    ScalarEvolution &SE) {
  const Value *Array = getUnderlyingObject(Store.getPointerOperand());
  for (const BasicBlock *BB : L.blocks())
    for (const Instruction &I : *BB)
      if (const Value *At = getLoadStorePointerOperand(&I);
          At && &I != &Old && getUnderlyingObject(At) == Array) {
        const auto *Other = dyn_cast<StoreInst>(&I);
        if (!Other || Other->getValueOperand() != Store.getValueOperand())
          return false;
      }
  return all_of(L.getLoopsInPreorder(), [&](const Loop *In) {
    return !isa<SCEVCouldNotCompute>(SE.getBackedgeTakenCount(In));
  });
}

std::optional<IndirectUpdate>
findSameValue(StoreInst &Store, const PlaceOfLoad &Find, ScalarEvolution &SE) {
  Value *With = Store.getValueOperand();
  Type *Ty = With->getType();
  // Of floating-point numbers the bits, which a constant has.
  if ((Ty->isFloatTy() || Ty->isDoubleTy()) && isa<ConstantFP>(With))
    Ty = Type::getIntNTy(Ty->getContext(),
                         unsigned(Ty->getPrimitiveSizeInBits()));
  if (!Store.isSimple() || !isUpdatable(Ty))
    return std::nullopt;
  auto *Old = new LoadInst(Ty, Store.getPointerOperand(), "", false,
                           Store.getAlign(), Store.getIterator());
  const Loop *Outermost = Find(*Old);
  if (Outermost && Outermost->isLoopInvariant(With) &&
      isAlone(Store, *Old, *Outermost, SE))
    return IndirectUpdate{Old, &Store, {}, AtomicRMWInst::Xchg};
  SE.forgetValue(Old);
  Old->eraseFromParent();
  return std::nullopt;
}

/// The indirect read of the array of \p Store among the operands of \p I, or of
/// what these are computed from.
static const CallInst *oldValue(const Instruction &I, const StoreInst &Store,
                                unsigned Steps) {
  const CallInst *Read = indirectRead(&I);
  if (Read)
    return resultOf(*Read) && getUnderlyingObject(Read->getArgOperand(0)) ==
                                  getUnderlyingObject(Store.getPointerOperand())
               ? Read
               : nullptr;
  if (!isa<BinaryOperator, CastInst, MinMaxIntrinsic, SelectInst>(I) ||
      Steps == 0)
    return nullptr;
  for (const Value *V : I.operands())
    if (const auto *Next = dyn_cast<Instruction>(V))
      if ((Read = oldValue(*Next, Store, Steps - 1)))
        return Read;
  return nullptr;
}

std::string whyNoUpdate(const StoreInst &Store) {
  static const unsigned Steps = 4;
  const auto *New = dyn_cast<Instruction>(Store.getValueOperand());
  const CallInst *Old = New ? oldValue(*New, Store, Steps) : nullptr;
  if (!Old)
    return "";
  if (Old->getType()->isFloatingPointTy() && isa<BinaryOperator>(New))
    return "two iterations may update the same one, and floating-point numbers "
           "round differently in another order; use integers, or a loop over "
           "the elements with one inside that sums up what belongs to each";
  if (!Old->hasOneUse())
    return "two iterations may update the same one, and the value before is "
           "used for something else, so that their order counts; use it in "
           "another loop";
  return "two iterations may update the same one, and devices have no such "
         "atomic operation; add, subtract, or use &, |, ^, a minimum or a "
         "maximum";
}

//===-- "if (x > h[k]) h[k] = x"
//-------------------------------------------===//

/// What is stored where \p Compare, with \p Old, is \p IsTrue: the larger or
/// the smaller one of both.
static Intrinsic::ID extremeOf(const ICmpInst &Compare, const Value &Old,
                               bool IsTrue) {
  CmpInst::Predicate P =
      IsTrue ? Compare.getPredicate() : Compare.getInversePredicate();
  if (Compare.getOperand(0) == &Old)
    P = CmpInst::getSwappedPredicate(P);
  switch (P) {
  case CmpInst::ICMP_SGT:
  case CmpInst::ICMP_SGE:
    return Intrinsic::smax;
  case CmpInst::ICMP_SLT:
  case CmpInst::ICMP_SLE:
    return Intrinsic::smin;
  case CmpInst::ICMP_UGT:
  case CmpInst::ICMP_UGE:
    return Intrinsic::umax;
  case CmpInst::ICMP_ULT:
  case CmpInst::ICMP_ULE:
    return Intrinsic::umin;
  default:
    return Intrinsic::not_intrinsic;
  }
}

/// The store that is all that \p Then does, if both ways behind \p Branch go to
/// one block, with the same values; else null.
static StoreInst *onlyStore(BranchInst &Branch, BasicBlock &Then) {
  BasicBlock *Behind = Then.getSingleSuccessor();
  if (!Behind || !Then.getSinglePredecessor() ||
      !is_contained(Branch.successors(), Behind))
    return nullptr;
  for (const PHINode &Phi : Behind->phis())
    if (Phi.getIncomingValueForBlock(&Then) !=
        Phi.getIncomingValueForBlock(Branch.getParent()))
      return nullptr;
  StoreInst *Only = nullptr;
  for (Instruction &I : Then) {
    if (!I.mayHaveSideEffects())
      continue;
    auto *Store = dyn_cast<StoreInst>(&I);
    if (!Store || Only)
      return nullptr;
    Only = Store;
  }
  return Only;
}

bool straightenExtreme(LoadInst &Old, ScalarEvolution &SE) {
  BasicBlock *BB = Old.getParent();
  auto *Branch = dyn_cast<BranchInst>(BB->getTerminator());
  auto *Compare = Branch && Branch->isConditional()
                      ? dyn_cast<ICmpInst>(Branch->getCondition())
                      : nullptr;
  if (!Compare || !Compare->hasOneUse() || Compare->getParent() != BB ||
      !Old.hasOneUse() || Old.user_back() != Compare || !Old.isSimple() ||
      !isUpdatable(Old.getType()) || !isQuiet(Old, *Branch))
    return false;
  BasicBlock *Then = Branch->getSuccessor(0), *Behind = Branch->getSuccessor(1);
  const bool OnTrue = Then->getSingleSuccessor() == Behind;
  if (!OnTrue)
    std::swap(Then, Behind);
  StoreInst *Store = onlyStore(*Branch, *Then);
  Value *With = Compare->getOperand(Compare->getOperand(0) == &Old ? 1 : 0);
  Intrinsic::ID ID = extremeOf(*Compare, Old, OnTrue);
  if (!Store || Then->getSingleSuccessor() != Behind || !ID ||
      !Store->isSimple() || Store->getValueOperand() != With ||
      SE.getSCEV(Old.getPointerOperand()) !=
          SE.getSCEV(Store->getPointerOperand()))
    return false;
  IRBuilder<> B(Branch);
  B.SetCurrentDebugLocation(Store->getDebugLoc());
  Store->setOperand(0, B.CreateBinaryIntrinsic(ID, &Old, With));
  Store->setOperand(1, Old.getPointerOperand());
  setNote(*Store, ChangeNote);
  Store->moveBefore(Branch->getIterator());
  Behind->removePredecessor(BB, /*KeepOneInputPHIs=*/true);
  BranchInst::Create(Then, Branch->getIterator())
      ->setDebugLoc(Branch->getDebugLoc());
  Branch->eraseFromParent();
  Compare->eraseFromParent();
  return true;
}

bool isOnlyChange(const CallInst &Call) {
  const StoreInst *Store = storeOf(*Call.getCalledFunction());
  return Store && hasNote(*Store, ChangeNote);
}

void storeOnlyChange(Function &Body) {
  StoreInst *Store = storeOf(Body);
  if (!Store || !hasNote(*Store, ChangeNote))
    return;
  dropNote(*Store);
  auto *New = cast<Instruction>(Store->getValueOperand());
  Value *Old = nullptr; // the only load
  for (Instruction &I : Body.getEntryBlock())
    if (isa<LoadInst>(I))
      Old = &I;
  IRBuilder<> B(Store);
  Value *Changes = B.CreateICmpNE(New, Old);
  Instruction *Inside = SplitBlockAndInsertIfThen(Changes, Store, false);
  Store->moveBefore(Inside->getIterator());
}

//===-- Calls instead of updates ------------------------------------------===//

Value *makeUpdateValue(const IndirectUpdate &U) {
  IRBuilder<> B(U.New);
  if (U.Path.empty())
    return B.CreateBitCast(U.New->getValueOperand(), U.Old->getType());
  Value *Sum = nullptr;
  for (auto [I, Operand] : U.Path) {
    Value *V = I->getOperand(1 - Operand);
    bool Minus = I->getOpcode() == Instruction::Sub;
    if (Sum && Minus)
      Sum = B.CreateSub(Sum, V);
    else if (!Sum)
      Sum = Minus ? B.CreateNeg(V) : V;
    else if (const auto *Call = dyn_cast<MinMaxIntrinsic>(I))
      Sum = B.CreateBinaryIntrinsic(Call->getIntrinsicID(), Sum, V);
    else
      Sum = B.CreateBinOp(cast<BinaryOperator>(I)->getOpcode(), Sum, V);
  }
  return Sum;
}

void moveUpdate(const IndirectUpdate &U, Function &Body, Value &Address,
                CallInst &Call) {
  Function &F = *U.New->getFunction();
  Type *Ty = U.Old->getType();
  IRBuilder<> Entry(&*F.getEntryBlock().getFirstInsertionPt());
  Entry.SetCurrentDebugLocation(DebugLoc());
  AllocaInst *Token = Entry.CreateAlloca(Ty, nullptr, "updates");
  setNote(*Token, TokenNote);
  IRBuilder<> At(U.New);
  At.SetCurrentDebugLocation(U.New->getDebugLoc());
  At.CreateStore(At.CreateAdd(At.CreateLoad(Ty, Token), &Call), Token);
  U.New->removeFromParent();
  unsigned Opcode = 0; // none where the value is stored as it is
  Intrinsic::ID ID = Intrinsic::not_intrinsic;
  if (!U.Path.empty()) {
    const Instruction &Last = *U.Path.back().first;
    Opcode = Last.getOpcode() == Instruction::Sub ? unsigned(Instruction::Add)
                                                  : Last.getOpcode();
    if (const auto *Extreme = dyn_cast<MinMaxIntrinsic>(&Last))
      ID = Extreme->getIntrinsicID();
  }
  U.New->setOperand(0, PoisonValue::get(Ty));
  for (auto [I, Operand] : reverse(U.Path))
    I->eraseFromParent();
  // Variables that have the value, or are stored to, are those of the function
  // that both leave.
  U.New->setMetadata(LLVMContext::MD_DIAssignID, nullptr);
  SmallVector<DbgVariableRecord *, 4> Records;
  findDbgUsers(U.Old, Records);
  for (DbgVariableRecord *R : Records)
    R->setKillLocation();
  U.Old->removeFromParent();
  IRBuilder<> B(&Body.getEntryBlock());
  U.Old->setOperand(0, &Address);
  B.Insert(U.Old);
  Value *With = Body.getArg(Body.arg_size() - 1);
  Value *New = With;
  if (ID)
    New = B.CreateBinaryIntrinsic(ID, U.Old, With);
  else if (Opcode)
    New = B.CreateBinOp(Instruction::BinaryOps(Opcode), U.Old, With);
  U.New->setOperand(0, New);
  U.New->setOperand(1, &Address);
  B.Insert(U.New);
  for (Instruction &I : Body.getEntryBlock())
    I.setDebugLoc(DebugLoc());
  B.CreateRet(U.Old);
}

/// Take away \p I and what is not used without it, but no call: that would seem
/// to be of no use as well.
static void erase(Instruction &I) {
  SmallVector<WeakVH, 4> Unused; // one may go with another
  for (Value *V : I.operands())
    if (isa<SelectInst, BinaryOperator>(V) && !is_contained(Unused, V))
      Unused.push_back(V);
  I.eraseFromParent();
  for (const WeakVH &Handle : Unused)
    if (auto *V = dyn_cast_or_null<Instruction>(static_cast<Value *>(Handle));
        V && V->use_empty())
      erase(*V);
}

void dropToken(CallInst &Call) {
  AllocaInst *Token = nullptr;
  SmallVector<Instruction *, 4> Open = {&Call};
  for (unsigned N = 0; N < Open.size() && !Token; ++N)
    for (User *U : Open[N]->users()) {
      if (auto *Store = dyn_cast<StoreInst>(U))
        Token = dyn_cast<AllocaInst>(Store->getPointerOperand());
      else if (isa<PHINode, SelectInst, BinaryOperator>(U) && Open.size() < 16)
        Open.push_back(cast<Instruction>(U));
    }
  if (!Token || !isUpdateToken(Token))
    return;
  for (User *U : make_early_inc_range(Token->users()))
    if (auto *Store = dyn_cast<StoreInst>(U))
      erase(*Store);
  for (User *U : make_early_inc_range(Token->users()))
    if (auto *Load = dyn_cast<LoadInst>(U)) {
      Load->replaceAllUsesWith(PoisonValue::get(Load->getType()));
      Load->eraseFromParent();
    }
  if (Token->use_empty())
    Token->eraseFromParent();
}

} // namespace polygpu
