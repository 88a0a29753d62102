//===- Undefined.cpp - Executions that LLVM need not keep -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Undefined.h"
#include "memory/memory.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace {

/// Bits of one function: is a value poison?
class Poison {
public:
  explicit Poison(Function &F)
      : F(F), No(ConstantInt::getFalse(F.getContext())), DT(F) {}

  void run();

private:
  Function &F;
  Constant *No;
  DominatorTree DT;
  DenseMap<const Value *, Value *> Bits;

  Value *of(const Value *V) const;
  Value *ofAny(IRBuilder<> &B, const User &U) const;
  Value *made(IRBuilder<> &B, BinaryOperator &I) const;
  Value *madeBy(IRBuilder<> &B, BinaryOperator &I, bool Signed) const;
  Value *lostByShift(IRBuilder<> &B, BinaryOperator &I, bool Signed) const;
  Value *ofSelect(IRBuilder<> &B, SelectInst &I) const;
  bool mayBeUnset(const LoadInst &Load) const;
  Value *compute(IRBuilder<> &B, Instruction &I) const;
  Value *used(IRBuilder<> &B, const Instruction &I) const;
  void add(Instruction &I);
};

/// Does its value follow from those of its operands alone?
bool passesOn(const Instruction &I) {
  auto *Intrinsic = dyn_cast<IntrinsicInst>(&I);
  return isa<UnaryOperator, BinaryOperator, CastInst, CmpInst,
             GetElementPtrInst>(I) ||
         (Intrinsic && !Intrinsic->mayReadOrWriteMemory());
}

bool hasBit(const Type *Ty) {
  return Ty->isIntOrPtrTy() || Ty->isFloatingPointTy();
}

Value *Poison::of(const Value *V) const {
  auto It = Bits.find(V);
  return It == Bits.end() ? No : It->second;
}

Value *Poison::ofAny(IRBuilder<> &B, const User &U) const {
  Value *Any = No;
  for (const Value *V : U.operands())
    Any = B.CreateOr(Any, of(V));
  return Any;
}

/// Does a shift to the left lose bits, or the sign?  Its width is in range.
Value *Poison::lostByShift(IRBuilder<> &B, BinaryOperator &I,
                           bool Signed) const {
  Value *X = I.getOperand(0), *Width = I.getOperand(1),
        *Back = Signed ? B.CreateAShr(&I, Width) : B.CreateLShr(&I, Width);
  return B.CreateICmpNE(Back, X);
}

/// Does the operation itself overflow?
Value *Poison::madeBy(IRBuilder<> &B, BinaryOperator &I, bool Signed) const {
  Intrinsic::ID Check;
  switch (I.getOpcode()) {
  case Instruction::Add:
    Check =
        Signed ? Intrinsic::sadd_with_overflow : Intrinsic::uadd_with_overflow;
    break;
  case Instruction::Sub:
    Check =
        Signed ? Intrinsic::ssub_with_overflow : Intrinsic::usub_with_overflow;
    break;
  case Instruction::Mul:
    Check =
        Signed ? Intrinsic::smul_with_overflow : Intrinsic::umul_with_overflow;
    break;
  default:
    return lostByShift(B, I, Signed);
  }
  Value *Both =
      B.CreateBinaryIntrinsic(Check, I.getOperand(0), I.getOperand(1));
  return B.CreateExtractValue(Both, 1);
}

Value *Poison::made(IRBuilder<> &B, BinaryOperator &I) const {
  // Wider ones are multiplied by functions that may not be there.
  enum { MostBits = 64 };
  if (!I.getType()->isIntegerTy() ||
      I.getType()->getIntegerBitWidth() > MostBits)
    return No;
  Value *Result = No;
  if (I.isShift())
    Result = B.CreateICmpUGE(
        I.getOperand(1),
        ConstantInt::get(I.getType(), I.getType()->getIntegerBitWidth()));
  if (isa<OverflowingBinaryOperator>(I)) {
    if (I.hasNoSignedWrap())
      Result = B.CreateOr(Result, madeBy(B, I, true));
    if (I.hasNoUnsignedWrap())
      Result = B.CreateOr(Result, madeBy(B, I, false));
  }
  return Result;
}

/// That of the value which is not chosen does not matter.
Value *Poison::ofSelect(IRBuilder<> &B, SelectInst &I) const {
  Value *One = of(I.getTrueValue()), *Other = of(I.getFalseValue());
  Value *Chosen =
      One == Other ? One : B.CreateSelect(I.getCondition(), One, Other);
  return B.CreateOr(of(I.getCondition()), Chosen);
}

/// Does it read a variable of this function that may not have been written
/// before, of a size whose bytes tell?
bool Poison::mayBeUnset(const LoadInst &Load) const {
  const Value *At = Load.getPointerOperand();
  uint64_t Bits = F.getDataLayout().getTypeSizeInBits(Load.getType());
  const auto *Variable = dyn_cast<AllocaInst>(getUnderlyingObject(At));
  if (!Variable || (Bits != 32 && Bits != 64))
    return false;
  return At != Variable || none_of(Variable->users(), [&](const User *U) {
           const auto *Store = dyn_cast<StoreInst>(U);
           return Store && Store->getPointerOperand() == Variable &&
                  DT.dominates(Store, &Load);
         });
}

/// Is \p V what is in memory that nobody has written?
static Value *isUnset(IRBuilder<> &B, Value *V) {
  enum { Byte = 8 };
  const DataLayout &DL = B.GetInsertBlock()->getDataLayout();
  auto Bits = static_cast<unsigned>(DL.getTypeSizeInBits(V->getType()));
  Value *Number = V->getType()->isPointerTy()
                      ? B.CreatePtrToInt(V, B.getIntNTy(Bits))
                      : B.CreateBitCast(V, B.getIntNTy(Bits));
  return B.CreateICmpEQ(
      Number, B.getInt(APInt::getSplat(Bits, APInt(Byte, VERIFY_UNSET))));
}

Value *Poison::compute(IRBuilder<> &B, Instruction &I) const {
  if (auto *Load = dyn_cast<LoadInst>(&I))
    return mayBeUnset(*Load) ? isUnset(B, Load) : No;
  if (auto *Select = dyn_cast<SelectInst>(&I))
    return Select->getCondition()->getType()->isVectorTy()
               ? No
               : ofSelect(B, *Select);
  Value *Result = passesOn(I) ? ofAny(B, I) : No;
  if (auto *Binary = dyn_cast<BinaryOperator>(&I))
    Result = B.CreateOr(Result, made(B, *Binary));
  return Result;
}

/// Is poison used where anything may follow?
Value *Poison::used(IRBuilder<> &B, const Instruction &I) const {
  auto *Intrinsic = dyn_cast<IntrinsicInst>(&I);
  bool Matters = Intrinsic ? isa<AnyMemIntrinsic>(I)
                           : isa<LoadInst, StoreInst, AtomicRMWInst,
                                 AtomicCmpXchgInst, CallBase>(I) ||
                                 I.isTerminator();
  // What is copied from a variable that was not set may stay so.
  if (auto *Store = dyn_cast<StoreInst>(&I);
      Store && of(Store->getValueOperand()) != No) {
    Value *V = const_cast<Value *>(Store->getValueOperand());
    uint64_t Size = F.getDataLayout().getTypeSizeInBits(V->getType());
    if (Size == 32 || Size == 64)
      return B.CreateOr(of(Store->getPointerOperand()),
                        B.CreateAnd(of(V), B.CreateNot(isUnset(B, V))));
  }
  return Matters ? ofAny(B, I) : No;
}

void Poison::add(Instruction &I) {
  IRBuilder<> Before(&I);
  Value *Used = used(Before, I);
  if (Used != No)
    Before.CreateCall(F.getParent()->getOrInsertFunction("verify_poison",
                                                         Before.getVoidTy(),
                                                         Before.getInt32Ty()),
                      Before.CreateZExt(Used, Before.getInt32Ty()));
  if (!hasBit(I.getType()) || I.isTerminator())
    return;
  IRBuilder<> After(I.getNextNode());
  if (Value *Bit = compute(After, I); Bit != No)
    Bits[&I] = Bit;
}

void Poison::run() {
  ReversePostOrderTraversal<Function *> Order(&F);
  SmallVector<Instruction *, 64> List;
  SmallVector<std::pair<PHINode *, PHINode *>, 8> Phis;
  for (BasicBlock *BB : Order)
    for (Instruction &I : *BB)
      if (auto *Phi = dyn_cast<PHINode>(&I); !Phi)
        List.push_back(&I);
      else if (hasBit(Phi->getType()))
        Phis.push_back({Phi, nullptr});
  for (auto &[Phi, Bit] : Phis)
    Bits[Phi] = Bit = PHINode::Create(
        No->getType(), Phi->getNumIncomingValues(), "", Phi->getIterator());
  for (Instruction *I : List)
    add(*I);
  for (auto &[Phi, Bit] : Phis)
    for (unsigned N = 0; N < Phi->getNumIncomingValues(); ++N)
      Bit->addIncoming(of(Phi->getIncomingValue(N)), Phi->getIncomingBlock(N));
}

} // namespace

void tellPoison(Function &F) { Poison(F).run(); }
