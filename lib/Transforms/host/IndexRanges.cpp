//===- IndexRanges.cpp - Where an index may lead to -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "host/IndexRanges.h"
#include "polly/ScopInfo.h"
#include "prepare/IndirectReads.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"
#include <numeric>

using namespace llvm;

namespace polygpu {

IndexRanges::IndexRanges(IRBuilder<> &B, polly::Scop &S, Reader Read)
    : B(B), S(S), SE(*S.getSE()), Read(std::move(Read)),
      Overflow(B.getFalse()) {}

//===-- What does not change ----------------------------------------------===//

bool IndexRanges::isInvariant(const SCEV *E) const {
  return !SCEVExprContains(E, [&](const SCEV *Part) {
    if (const auto *Sum = dyn_cast<SCEVAddRecExpr>(Part))
      return S.contains(Sum->getLoop());
    const auto *U = dyn_cast<SCEVUnknown>(Part);
    const auto *I = U ? dyn_cast<Instruction>(U->getValue()) : nullptr;
    return (I && S.contains(I)) || isa<SCEVCouldNotCompute>(Part);
  });
}

void IndexRanges::invariants(const SCEV *E,
                             function_ref<void(const SCEV *)> Found) {
  if (isa<SCEVConstant, SCEVCouldNotCompute>(E))
    return;
  if (isInvariant(E))
    return Found(E);
  if (const auto *U = dyn_cast<SCEVUnknown>(E))
    return invariants(*U->getValue(), Found);
  if (const auto *Sum = dyn_cast<SCEVAddRecExpr>(E))
    invariants(SE.getBackedgeTakenCount(Sum->getLoop()), Found);
  for (const SCEV *Operand : E->operands())
    invariants(Operand, Found);
}

/// Is \p I one of the values that come from several blocks, and no counter?
bool IndexRanges::isMerged(const Instruction &I) const {
  return isa<PHINode>(I) && !S.getLI()->isLoopHeader(I.getParent()) &&
         !isa<SCEVAddRecExpr>(SE.getSCEV(const_cast<Instruction *>(&I)));
}

void IndexRanges::invariants(const Value &V,
                             function_ref<void(const SCEV *)> Found) {
  visitSources(V, [&](const Value &Part) {
    const auto *I = dyn_cast<Instruction>(&Part);
    if (isInBody(&Part))
      return true;
    if (!I || !S.contains(I) || isa<LoadInst>(I))
      return false;
    if (!isa<PHINode>(I) || isMerged(*I))
      return true;
    const SCEV *E = SE.getSCEV(const_cast<Instruction *>(I));
    if (!isa<SCEVUnknown>(E))
      invariants(E, Found);
    return false;
  });
}

//===-- Arithmetic --------------------------------------------------------===//

void IndexRanges::failIf(Value *Condition) {
  Overflow = B.CreateOr(Overflow, Condition);
}

IndexRange IndexRanges::constant(int64_t Low, int64_t High) {
  return {B.getInt64(Low), B.getInt64(High), B.getFalse()};
}

/// What is not known, as which no run begins.
IndexRange IndexRanges::anything() {
  failIf(B.getTrue());
  return constant(0, 0);
}

IndexRange IndexRanges::exactly(Value *V) {
  V = B.CreateSExtOrTrunc(V, B.getInt64Ty());
  return {V, V, B.getFalse()};
}

Value *IndexRanges::checked(Intrinsic::ID ID, Value *L, Value *R) {
  Value *Pair = B.CreateBinaryIntrinsic(ID, L, R);
  failIf(B.CreateExtractValue(Pair, 1));
  return B.CreateExtractValue(Pair, 0);
}

Value *IndexRanges::lesser(Value *L, Value *R) {
  return B.CreateBinaryIntrinsic(Intrinsic::smin, L, R);
}

Value *IndexRanges::larger(Value *L, Value *R) {
  return B.CreateBinaryIntrinsic(Intrinsic::smax, L, R);
}

IndexRange IndexRanges::add(const IndexRange &L, const IndexRange &R) {
  return {checked(Intrinsic::sadd_with_overflow, L.Low, R.Low),
          checked(Intrinsic::sadd_with_overflow, L.High, R.High),
          B.CreateOr(L.None, R.None)};
}

IndexRange IndexRanges::subtract(const IndexRange &L, const IndexRange &R) {
  return {checked(Intrinsic::ssub_with_overflow, L.Low, R.High),
          checked(Intrinsic::ssub_with_overflow, L.High, R.Low),
          B.CreateOr(L.None, R.None)};
}

IndexRange IndexRanges::multiply(const IndexRange &L, const IndexRange &R) {
  Value *Low = nullptr, *High = nullptr;
  for (Value *Left : {L.Low, L.High})
    for (Value *Right : {R.Low, R.High}) {
      Value *Product = checked(Intrinsic::smul_with_overflow, Left, Right);
      Low = Low ? lesser(Low, Product) : Product;
      High = High ? larger(High, Product) : Product;
    }
  return {Low, High, B.CreateOr(L.None, R.None)};
}

IndexRange IndexRanges::either(const IndexRange &L, const IndexRange &R) {
  Value *Low = B.CreateSelect(L.None, R.Low, lesser(L.Low, R.Low));
  Value *High = B.CreateSelect(L.None, R.High, larger(L.High, R.High));
  return {B.CreateSelect(R.None, L.Low, Low),
          B.CreateSelect(R.None, L.High, High), B.CreateAnd(L.None, R.None)};
}

/// \p R, which has to be numbers of so many bits.
IndexRange IndexRanges::fit(const IndexRange &R, unsigned Width) {
  if (Width < 64) {
    failIf(B.CreateICmpSLT(R.Low, B.getInt64(minIntN(Width))));
    failIf(B.CreateICmpSGT(R.High, B.getInt64(maxIntN(Width))));
  }
  return R;
}

/// The same bits without a sign.
IndexRange IndexRanges::asUnsigned(const IndexRange &R, unsigned Width) {
  Value *Negative = B.CreateICmpSLT(R.Low, B.getInt64(0));
  if (Width == 64) {
    failIf(Negative);
    return R;
  }
  return {B.CreateSelect(Negative, B.getInt64(0), R.Low),
          B.CreateSelect(Negative, B.getInt64(maxUIntN(Width)), R.High),
          R.None};
}

/// A number without its last bits.  If it wraps around, as that of a hash does,
/// it is any number.
IndexRange IndexRanges::highBits(const Instruction &I, unsigned Lost) {
  unsigned Width = I.getType()->getIntegerBitWidth();
  // What fails there does not have to be a failure here.
  Value *Before = Overflow;
  auto KnownBefore = Known;
  Overflow = B.getFalse();
  IndexRange R = asUnsigned(of(*I.getOperand(0)), Width);
  Value *Wraps = Overflow;
  Overflow = Before;
  Known = std::move(KnownBefore);
  Value *None = B.CreateAnd(R.None, B.CreateNot(Wraps));
  return {B.CreateSelect(Wraps, B.getInt64(0), B.CreateLShr(R.Low, Lost)),
          B.CreateSelect(Wraps, B.getInt64(maxUIntN(Width) >> Lost),
                         B.CreateLShr(R.High, Lost)),
          None};
}

/// An operation whose second operand is a positive constant.
IndexRange IndexRanges::byConstant(const Instruction &I) {
  unsigned Width = I.getType()->getIntegerBitWidth();
  int64_t C = cast<ConstantInt>(I.getOperand(1))->getSExtValue();
  if (C <= 0)
    return anything();
  if (I.getOpcode() == Instruction::And)
    return constant(0, C);
  if (I.getOpcode() == Instruction::URem)
    return constant(0, C - 1);
  if (I.getOpcode() == Instruction::SRem)
    return constant(1 - C, C - 1);
  if (I.getOpcode() == Instruction::LShr)
    return highBits(I, static_cast<unsigned>(std::min<int64_t>(C, 63)));
  IndexRange R = of(*I.getOperand(0));
  Value *V = B.getInt64(C);
  auto Both = [&](Instruction::BinaryOps Op) {
    return IndexRange{B.CreateBinOp(Op, R.Low, V), B.CreateBinOp(Op, R.High, V),
                      R.None};
  };
  switch (I.getOpcode()) {
  case Instruction::Shl:
    if (C > 62)
      return anything();
    R = multiply(R, constant(int64_t(1) << C, int64_t(1) << C));
    return I.hasNoSignedWrap() ? R : fit(R, Width);
  case Instruction::AShr:
    return Both(Instruction::AShr);
  case Instruction::SDiv:
    return Both(Instruction::SDiv);
  case Instruction::UDiv:
    R = asUnsigned(R, Width);
    return Both(Instruction::UDiv);
  default:
    return anything();
  }
}

/// Of numbers that are only used where they are not negative, like an index
/// under if (index >= 0).
IndexRange IndexRanges::notNegative(const IndexRange &R) {
  Value *Zero = B.getInt64(0);
  return {larger(R.Low, Zero), larger(R.High, Zero),
          B.CreateOr(R.None, B.CreateICmpSLT(R.High, Zero))};
}

/// An operation on numbers of which both are known.  Divisors have to be
/// positive.
IndexRange IndexRanges::byNumber(const Instruction &I) {
  bool IsSigned =
      I.getOpcode() == Instruction::SDiv || I.getOpcode() == Instruction::SRem;
  IndexRange L = of(*I.getOperand(0)), R = of(*I.getOperand(1));
  if (!IsSigned) {
    L = asUnsigned(L, I.getType()->getIntegerBitWidth());
    R = asUnsigned(R, I.getType()->getIntegerBitWidth());
  }
  Value *None = B.CreateOr(L.None, R.None), *Zero = B.getInt64(0);
  failIf(B.CreateAnd(B.CreateNot(None), B.CreateICmpSLE(R.Low, Zero)));
  Value *Least = larger(R.Low, B.getInt64(1));
  Value *Most = larger(R.High, B.getInt64(1));
  auto Over = [&](Value *V, Value *By) { return B.CreateSDiv(V, By); };
  if (I.getOpcode() == Instruction::SDiv || I.getOpcode() == Instruction::UDiv)
    return {lesser(Over(L.Low, Least), Over(L.Low, Most)),
            larger(Over(L.High, Least), Over(L.High, Most)), None};
  // A remainder is smaller than the divisor, and has the sign of the number.
  Value *Last = B.CreateSub(Most, B.getInt64(1));
  return {larger(lesser(L.Low, Zero), B.CreateNeg(Last)),
          larger(lesser(L.High, Last), Zero), None};
}

/// The bits of two numbers that are not negative.
IndexRange IndexRanges::bits(const Instruction &I) {
  IndexRange L = of(*I.getOperand(0)), R = of(*I.getOperand(1));
  Value *None = B.CreateOr(L.None, R.None);
  failIf(B.CreateICmpSLT(lesser(L.Low, R.Low), B.getInt64(0)));
  if (I.getOpcode() == Instruction::And)
    return {B.getInt64(0), lesser(L.High, R.High), None};
  Value *Any = B.CreateOr(B.CreateOr(L.High, R.High), B.getInt64(1));
  Value *Zeros = B.CreateBinaryIntrinsic(Intrinsic::ctlz, Any, B.getTrue());
  return {B.getInt64(0), B.CreateLShr(B.getInt64(-1), Zeros), None};
}

IndexRange IndexRanges::absolute(const IndexRange &R) {
  Value *Below = checked(Intrinsic::ssub_with_overflow, B.getInt64(0), R.Low);
  Value *Above = checked(Intrinsic::ssub_with_overflow, B.getInt64(0), R.High);
  return {larger(larger(R.Low, Above), B.getInt64(0)), larger(R.High, Below),
          R.None};
}

/// What is left of \p R, the range of \p V, where \p Test holds or does not.
IndexRange IndexRanges::within(const IndexRange &R, const Value &V,
                               const ICmpInst &Test, bool Holds) {
  static const unsigned MaxSteps = 4;
  bool Left = Test.getOperand(0) == &V;
  Value *Limit = Test.getOperand(Left ? 1 : 0);
  if ((!Left && Test.getOperand(1) != &V) || !isFixed(*Limit, MaxSteps))
    return R;
  CmpInst::Predicate P =
      Holds ? Test.getPredicate() : Test.getInversePredicate();
  if (!Left)
    P = CmpInst::getSwappedPredicate(P);
  Value *End = exactly(B.CreateFreeze(inFront(*Limit))).Low;
  Value *Low = R.Low, *High = R.High, *One = B.getInt64(1);
  if (P == CmpInst::ICMP_SLT)
    High = lesser(High, checked(Intrinsic::ssub_with_overflow, End, One));
  else if (P == CmpInst::ICMP_SLE)
    High = lesser(High, End);
  else if (P == CmpInst::ICMP_SGT)
    Low = larger(Low, checked(Intrinsic::sadd_with_overflow, End, One));
  else if (P == CmpInst::ICMP_SGE)
    Low = larger(Low, End);
  else if (P == CmpInst::ICMP_ULT || P == CmpInst::ICMP_ULE) {
    // In a range that ends below the largest signed number.
    Value *Few = B.CreateICmpSGE(End, B.getInt64(0));
    Value *Last = P == CmpInst::ICMP_ULE ? End : B.CreateSub(End, One);
    Low = B.CreateSelect(Few, larger(Low, B.getInt64(0)), Low);
    High = B.CreateSelect(Few, lesser(High, Last), High);
  } else
    return R;
  Value *None = B.CreateOr(R.None, B.CreateICmpSGT(Low, High));
  return {B.CreateSelect(None, B.getInt64(0), Low),
          B.CreateSelect(None, B.getInt64(0), High), None};
}

void IndexRanges::assume(Value *Condition, bool Holds) {
  auto *I = dyn_cast_or_null<Instruction>(Condition);
  if (auto *Test = dyn_cast_or_null<ICmpInst>(I)) {
    Assumed.push_back({Test, Holds});
  } else if (I && I->getOpcode() == Instruction::Xor &&
             match(I->getOperand(1), PatternMatch::m_AllOnes())) {
    assume(I->getOperand(0), !Holds);
  } else if (I && I->getType()->isIntegerTy(1)) {
    Value *L = nullptr, *R = nullptr;
    if (Holds ? match(I, PatternMatch::m_LogicalAnd(PatternMatch::m_Value(L),
                                                    PatternMatch::m_Value(R)))
              : match(I, PatternMatch::m_LogicalOr(PatternMatch::m_Value(L),
                                                   PatternMatch::m_Value(R)))) {
      assume(L, Holds);
      assume(R, Holds);
    }
  }
}

IndexRange IndexRanges::chosen(const SelectInst &I) {
  IndexRange L = of(*I.getOperand(1)), R = of(*I.getOperand(2));
  if (const auto *Test = dyn_cast<ICmpInst>(I.getCondition())) {
    L = within(L, *I.getTrueValue(), *Test, true);
    R = within(R, *I.getFalseValue(), *Test, false);
  }
  return either(L, R);
}

//===-- Floating-point numbers --------------------------------------------===//
//
// Each operation gives the same for the same numbers here and on the device,
// and is monotone in each of its operands: what is between the results for ends
// of ranges is all that there is.

FloatRange IndexRanges::finite(const FloatRange &R) {
  Value *Infinity = ConstantFP::getInfinity(R.Low->getType());
  for (Value *V : {R.Low, R.High}) // or not a number
    failIf(
        B.CreateFCmpUEQ(B.CreateUnaryIntrinsic(Intrinsic::fabs, V), Infinity));
  return R;
}

/// From the smallest of the ends to the largest.
FloatRange IndexRanges::corners(ArrayRef<Value *> Ends) {
  FloatRange R = {Ends[0], Ends[0]};
  for (Value *V : Ends) {
    finite({V, V});
    R.Low = B.CreateSelect(B.CreateFCmpOLT(V, R.Low), V, R.Low);
    R.High = B.CreateSelect(B.CreateFCmpOGT(V, R.High), V, R.High);
  }
  return R;
}

FloatRange IndexRanges::number(Value &V) {
  static const unsigned MaxSteps = 4;
  if (isFixed(V, MaxSteps)) {
    Value *Same = B.CreateFreeze(inFront(V));
    return finite({Same, Same});
  }
  if (auto *A = dyn_cast<Argument>(&V); A && isInBody(A))
    if (Value *Passed = passedFor(*A))
      return number(*Passed);
  if (auto *I = dyn_cast<Instruction>(&V); I && (isInBody(I) || S.contains(I)))
    return floating(*I);
  return unknown(V.getType());
}

/// Of what nothing is known.
FloatRange IndexRanges::unknown(Type *Ty) {
  failIf(B.getTrue());
  Value *Zero = ConstantFP::getZero(Ty);
  return {Zero, Zero};
}

FloatRange IndexRanges::floatingCall(IntrinsicInst &I) {
  Intrinsic::ID ID = I.getIntrinsicID();
  FloatRange X = number(*I.getArgOperand(0));
  if (ID == Intrinsic::fabs) {
    Value *Zero = ConstantFP::getZero(I.getType());
    FloatRange R = corners({B.CreateUnaryIntrinsic(ID, X.Low),
                            B.CreateUnaryIntrinsic(ID, X.High)});
    return corners({Zero, R.High});
  }
  if (I.arg_size() == 1)
    return finite({B.CreateUnaryIntrinsic(ID, X.Low),
                   B.CreateUnaryIntrinsic(ID, X.High)});
  FloatRange Y = number(*I.getArgOperand(1));
  if (I.arg_size() == 2)
    return finite({B.CreateBinaryIntrinsic(ID, X.Low, Y.Low),
                   B.CreateBinaryIntrinsic(ID, X.High, Y.High)});
  FloatRange Z = number(*I.getArgOperand(2));
  SmallVector<Value *, 8> Ends;
  for (Value *L : {X.Low, X.High}) // as on the device, in one operation
    for (Value *R : {Y.Low, Y.High})
      for (Value *Added : {Z.Low, Z.High})
        Ends.push_back(
            B.CreateIntrinsic(I.getType(), Intrinsic::fma, {L, R, Added}));
  return corners(Ends);
}

FloatRange IndexRanges::floating(Instruction &I) {
  auto Ends = [&](function_ref<Value *(Value *, Value *)> Operation) {
    FloatRange L = number(*I.getOperand(0)), R = number(*I.getOperand(1));
    return corners({Operation(L.Low, R.Low), Operation(L.Low, R.High),
                    Operation(L.High, R.Low), Operation(L.High, R.High)});
  };
  if (mayRoundOtherwise(I))
    return unknown(I.getType());
  switch (I.getOpcode()) {
  case Instruction::SIToFP:
  case Instruction::UIToFP: {
    IndexRange R = of(*I.getOperand(0));
    if (I.getOpcode() == Instruction::UIToFP)
      R = asUnsigned(R, I.getOperand(0)->getType()->getIntegerBitWidth());
    return finite({B.CreateSIToFP(R.Low, I.getType()),
                   B.CreateSIToFP(R.High, I.getType())});
  }
  case Instruction::FPExt:
  case Instruction::FPTrunc: {
    FloatRange R = number(*I.getOperand(0));
    return finite({B.CreateFPCast(R.Low, I.getType()),
                   B.CreateFPCast(R.High, I.getType())});
  }
  case Instruction::FNeg: {
    FloatRange R = number(*I.getOperand(0));
    return {B.CreateFNeg(R.High), B.CreateFNeg(R.Low)};
  }
  case Instruction::FDiv: {
    FloatRange R = number(*I.getOperand(1));
    Value *Zero = ConstantFP::getZero(I.getType());
    failIf(B.CreateNot(B.CreateOr(B.CreateFCmpOGT(R.Low, Zero),
                                  B.CreateFCmpOLT(R.High, Zero))));
    return Ends([&](Value *L, Value *V) { return B.CreateFDiv(L, V); });
  }
  case Instruction::FAdd:
  case Instruction::FSub:
  case Instruction::FMul: {
    auto Opcode = static_cast<Instruction::BinaryOps>(I.getOpcode());
    return Ends(
        [&](Value *L, Value *R) { return B.CreateBinOp(Opcode, L, R); });
  }
  case Instruction::Select: {
    FloatRange L = number(*I.getOperand(1)), R = number(*I.getOperand(2));
    return corners({L.Low, L.High, R.Low, R.High});
  }
  default:
    if (auto *Call = dyn_cast<IntrinsicInst>(&I); Call && isMonotone(*Call))
      return floatingCall(*Call);
    return unknown(I.getType());
  }
}

/// A number without its fraction.
IndexRange IndexRanges::cut(Instruction &I) {
  FloatRange R = number(*I.getOperand(0));
  Type *Ty = I.getOperand(0)->getType();
  Value *Most = ConstantFP::get(Ty, 0x1p62);
  failIf(B.CreateFCmpUGT(R.High, Most));
  failIf(B.CreateFCmpULT(R.Low, B.CreateFNeg(Most)));
  auto Whole = [&](Value *V) {
    return B.CreateIntrinsic(Intrinsic::fptosi_sat, {B.getInt64Ty(), Ty}, {V});
  };
  IndexRange Result = {Whole(R.Low), Whole(R.High), B.getFalse()};
  if (I.getOpcode() == Instruction::FPToUI)
    failIf(B.CreateICmpSLT(Result.Low, B.getInt64(0)));
  return fit(Result, I.getType()->getIntegerBitWidth());
}

//===-- Values ------------------------------------------------------------===//

/// Is \p V computed in the SCoP from what does not change there, by operations
/// that may be done in any case?
bool IndexRanges::isFixed(const Value &V, unsigned Steps) const {
  const auto *I = dyn_cast<Instruction>(&V);
  if (!I || (!isInBody(I) && !S.contains(I)))
    return !isInBody(&V);
  return Steps > 0 && !isInBody(I) && isa<CastInst, BinaryOperator>(I) &&
         isSafeToSpeculativelyExecute(I) &&
         all_of(I->operands(), [&](auto &U) { return isFixed(*U, Steps - 1); });
}

/// \p V, which is fixed, in front of the SCoP.
Value *IndexRanges::inFront(Value &V) {
  auto *I = dyn_cast<Instruction>(&V);
  if (!I || !S.contains(I))
    return &V;
  Instruction *Copy = I->clone();
  Copy->dropPoisonGeneratingFlags();
  Copy->setDebugLoc(DebugLoc());
  for (Use &U : Copy->operands())
    U.set(inFront(*U));
  return B.Insert(Copy);
}

IndexRange IndexRanges::of(Value &V) {
  static const unsigned MaxSteps = 4;
  if (isa<UndefValue>(V))
    return anything();
  if (isFixed(V, MaxSteps))
    return exactly(B.CreateFreeze(inFront(V)));
  if (auto *A = dyn_cast<Argument>(&V); A && isInBody(A)) {
    Value *Passed = passedFor(*A);
    return Passed ? of(*Passed) : anything();
  }
  auto *I = dyn_cast<Instruction>(&V);
  if (!I || (!isInBody(I) && !S.contains(I)))
    return exactly(&V);
  // Only once: operands may be shared.
  auto Found = Known.find(I);
  if (Found != Known.end())
    return Found->second;
  IndexRange R = compute(*I);
  for (auto [Test, Holds] : Assumed)
    R = within(R, V, *Test, Holds);
  Known[I] = R;
  return R;
}

/// What is read from memory of the program where \p V is computed, or null.
const Instruction *IndexRanges::readFor(const Value &V) const {
  const auto *I = dyn_cast<Instruction>(&V);
  if (!I || (!isInBody(I) && !S.contains(I)))
    return nullptr;
  if (const CallInst *Call = indirectRead(I))
    return resultOf(*Call);
  return dyn_cast<LoadInst>(I);
}

IndexRange IndexRanges::counter(const PHINode &Phi) {
  auto [First, Last] = boundsOf(Phi);
  if (!First)
    return anything();
  IndexRange Begin = of(*First), End = of(*Last);
  Value *None = B.CreateOr(B.CreateOr(Begin.None, End.None),
                           B.CreateICmpSGT(Begin.Low, End.High));
  return {B.CreateSelect(None, B.getInt64(0), Begin.Low),
          B.CreateSelect(None, B.getInt64(0), End.High), None};
}

IndexRange IndexRanges::compute(Instruction &I) {
  unsigned Width = I.getType()->getIntegerBitWidth();
  auto First = [&] { return of(*I.getOperand(0)); };
  auto Second = [&] { return of(*I.getOperand(1)); };
  auto Fitting = [&](const IndexRange &R) {
    return isa<OverflowingBinaryOperator>(I) && I.hasNoSignedWrap()
               ? R
               : fit(R, Width);
  };
  if (const Instruction *Number = readFor(I))
    return Read(*Number, true);
  switch (I.getOpcode()) {
  case Instruction::PHI: {
    if (isInBody(&I))
      return counter(cast<PHINode>(I));
    if (isMerged(I)) {
      IndexRange R = First();
      for (Value *V : drop_begin(cast<PHINode>(I).incoming_values()))
        R = either(R, of(*V));
      return R;
    }
    const SCEV *E = SE.getSCEV(&I);
    noteStart(cast<PHINode>(I), E);
    return isa<SCEVUnknown>(E) ? anything() : evolution(E);
  }
  case Instruction::SExt:
    if (I.getOperand(0)->getType()->isIntegerTy(1))
      return constant(-1, 0);
    [[fallthrough]];
  case Instruction::Freeze:
    return First();
  case Instruction::ZExt: {
    Value *Operand = I.getOperand(0);
    if (Operand->getType()->isIntegerTy(1))
      return constant(0, 1);
    unsigned From = Operand->getType()->getIntegerBitWidth();
    if (I.hasNonNeg())
      return notNegative(First());
    if (const Instruction *Number = readFor(*Operand))
      return Read(*Number, false);
    return asUnsigned(First(), From);
  }
  case Instruction::Trunc:
    return fit(First(), Width);
  case Instruction::Or:
    if (!cast<PossiblyDisjointInst>(I).isDisjoint())
      return bits(I);
    [[fallthrough]]; // of bits that are not both set
  case Instruction::Add:
    return counted(I, Fitting(add(First(), Second())));
  case Instruction::Sub:
    return counted(I, Fitting(subtract(First(), Second())));
  case Instruction::Mul:
    return Fitting(multiply(First(), Second()));
  case Instruction::Xor:
    return bits(I);
  case Instruction::FPToSI:
  case Instruction::FPToUI:
    return cut(I);
  case Instruction::Select:
    return chosen(cast<SelectInst>(I));
  case Instruction::Call: {
    if (cast<CallInst>(I).getIntrinsicID() == Intrinsic::abs)
      return fit(absolute(First()), Width);
    if (!isa<MinMaxIntrinsic>(I))
      return anything();
    auto ID = cast<MinMaxIntrinsic>(I).getIntrinsicID();
    IndexRange L = First(), R = Second();
    bool IsSigned = ID == Intrinsic::smin || ID == Intrinsic::smax;
    if (!IsSigned) {
      failIf(B.CreateICmpSLT(L.Low, B.getInt64(0)));
      failIf(B.CreateICmpSLT(R.Low, B.getInt64(0)));
      ID = ID == Intrinsic::umin ? Intrinsic::smin : Intrinsic::smax;
    }
    return {B.CreateBinaryIntrinsic(ID, L.Low, R.Low),
            B.CreateBinaryIntrinsic(ID, L.High, R.High),
            B.CreateOr(L.None, R.None)};
  }
  default:
    if (!I.isBinaryOp())
      return anything();
    if (isa<ConstantInt>(I.getOperand(1)))
      return byConstant(I);
    if (I.getOpcode() == Instruction::And)
      return bits(I);
    return I.isIntDivRem() ? byNumber(I) : anything();
  }
}

//===-- Counters ----------------------------------------------------------===//

/// Behind t iterations it is the start + step * t + growth * t * (t - 1) / 2:
/// the latter where the step grows, as that of a packed triangle does.  Where
/// no step goes back, it is between the start and the end.
IndexRange IndexRanges::sum(const SCEVAddRecExpr *E) {
  if (E->getNumOperands() > 3)
    return anything();
  IndexRange Times = evolution(SE.getBackedgeTakenCount(E->getLoop()));
  Times.High = larger(Times.High, B.getInt64(0));
  Times.Low = B.getInt64(0);
  IndexRange Start = evolution(E->getStart());
  IndexRange Step = evolution(E->getOperand(1));
  if (E->isAffine())
    return add(Start, multiply(Step, Times));
  Value *Zero = B.getInt64(0), *One = B.getInt64(1);
  Value *Twice = checked(Intrinsic::smul_with_overflow, Times.High,
                         B.CreateSub(Times.High, One));
  IndexRange Pairs = {Zero, B.CreateAShr(Twice, One), Times.None};
  IndexRange Growth = evolution(E->getOperand(2));
  IndexRange All =
      add(add(Start, multiply(Step, Times)), multiply(Growth, Pairs));
  // The steps are between the first and the last one.
  IndexRange Others = {Zero, larger(B.CreateSub(Times.High, One), Zero),
                       Times.None};
  IndexRange Steps = add(Step, multiply(Growth, Others));
  Times.Low = Times.High;
  Pairs.Low = Pairs.High;
  IndexRange End =
      add(add(Start, multiply(Step, Times)), multiply(Growth, Pairs));
  Value *Up = B.CreateICmpSGE(Steps.Low, Zero);
  Value *Down = B.CreateICmpSLE(Steps.High, Zero);
  return {
      B.CreateSelect(Up, Start.Low, B.CreateSelect(Down, End.Low, All.Low)),
      B.CreateSelect(Down, Start.High, B.CreateSelect(Up, End.High, All.High)),
      All.None};
}

/// What is left of \p R where its numbers are among those of \p Other as well;
/// \p R itself where these are not known.
IndexRange IndexRanges::common(const IndexRange &R,
                               function_ref<IndexRange()> Other) {
  Value *Before = Overflow;
  auto KnownBefore = Known;
  Overflow = B.getFalse();
  IndexRange Less = Other();
  Value *Fails = B.CreateOr(Overflow, Less.None);
  Overflow = Before;
  Known = std::move(KnownBefore);
  Value *Low = larger(R.Low, Less.Low), *High = lesser(R.High, Less.High);
  Fails = B.CreateOr(Fails, B.CreateICmpSGT(Low, High));
  return {B.CreateSelect(Fails, R.Low, Low),
          B.CreateSelect(Fails, R.High, High), R.None};
}

/// What is left of \p R, numbers of \p E, between the first and the last
/// iteration of its loop as the loops around have them: where the inner loop of
/// a triangle begins late it has few iterations, not as many as it may.
IndexRange IndexRanges::between(const SCEVAddRecExpr *E, const IndexRange &R) {
  const SCEV *Times = SE.getBackedgeTakenCount(E->getLoop());
  if (!E->isAffine() || isa<SCEVCouldNotCompute>(Times) || isInvariant(Times) ||
      SE.getTypeSizeInBits(Times->getType()) <
          SE.getTypeSizeInBits(E->getType()))
    return R;
  Times = SE.getTruncateOrNoop(Times, E->getType());
  const SCEV *Last =
      SE.getAddExpr(E->getStart(), SE.getMulExpr(E->getOperand(1), Times));
  return common(
      R, [&] { return either(evolution(E->getStart()), evolution(Last)); });
}

/// What the counter \p Phi, or \p E, begins with is computed in front of the
/// SCoP as it is, though it may be a counter of the loops around.
void IndexRanges::noteStart(const PHINode &Phi, const SCEV *E) {
  const auto *Sum = dyn_cast<SCEVAddRecExpr>(E);
  const Loop *L = Sum ? Sum->getLoop() : nullptr;
  if (!L || L->getHeader() != Phi.getParent() || !L->getLoopPreheader() ||
      isa<SCEVConstant>(Sum->getStart()) || !isInvariant(Sum->getStart()))
    return;
  Value *First = Phi.getIncomingValueForBlock(L->getLoopPreheader());
  if (const auto *I = dyn_cast<Instruction>(First); !I || !S.contains(I))
    Invariants.try_emplace(Sum->getStart(), First);
}

/// What is left of \p R, numbers of \p I, if that is a counter by itself, like
/// the sum of two.
IndexRange IndexRanges::counted(Instruction &I, const IndexRange &R) {
  const SCEV *E = isInBody(&I) ? nullptr : SE.getSCEV(&I);
  if (!E || !isa<SCEVAddRecExpr>(E))
    return R;
  return common(R, [&] { return evolution(E); });
}

IndexRange IndexRanges::evolution(const SCEV *E) {
  if (isa<SCEVCouldNotCompute>(E))
    return anything();
  if (const auto *C = dyn_cast<SCEVConstant>(E))
    return exactly(C->getValue());
  // Scalar evolution may have found another form since.
  if (Value *V = isInvariant(E) ? Invariants.lookup(E) : nullptr)
    return exactly(V);
  if (const auto *U = dyn_cast<SCEVUnknown>(E))
    return of(*U->getValue());
  if (const auto *Sum = dyn_cast<SCEVAddRecExpr>(E))
    return between(Sum, fit(sum(Sum), SE.getTypeSizeInBits(E->getType())));
  unsigned Width = SE.getTypeSizeInBits(E->getType());
  if (const auto *Cast = dyn_cast<SCEVCastExpr>(E)) {
    IndexRange R = evolution(Cast->getOperand());
    unsigned From = SE.getTypeSizeInBits(Cast->getOperand()->getType());
    if (isa<SCEVZeroExtendExpr>(E))
      return asUnsigned(R, From);
    return fit(R, Width);
  }
  const auto *NAry = dyn_cast<SCEVNAryExpr>(E);
  if (!NAry)
    return anything();
  IndexRange R = evolution(NAry->getOperand(0));
  for (const SCEV *Operand : drop_begin(NAry->operands())) {
    IndexRange Next = evolution(Operand);
    switch (E->getSCEVType()) {
    case scAddExpr:
      R = add(R, Next);
      break;
    case scMulExpr:
      R = multiply(R, Next);
      break;
    default: // a minimum or a maximum is one of them
      R = either(R, Next);
      break;
    }
  }
  return fit(R, Width);
}

uint64_t distanceOf(const Value &V, unsigned Depth) {
  const auto *I = dyn_cast<BinaryOperator>(&V);
  if (isa<ConstantInt>(&V))
    return 0;
  if (!I || !Depth--)
    return 1;
  const uint64_t Left = distanceOf(*I->getOperand(0), Depth);
  const auto *By = dyn_cast<ConstantInt>(I->getOperand(1));
  switch (I->getOpcode()) {
  case Instruction::Add:
  case Instruction::Sub:
    return std::gcd(Left, distanceOf(*I->getOperand(1), Depth));
  case Instruction::Mul:
    return By && By->getValue().ugt(0) && By->getValue().ult(INT32_MAX) &&
                   Left < INT32_MAX
               ? Left * By->getZExtValue()
               : 1;
  case Instruction::Shl:
    return By && By->getValue().ult(31) && Left < INT32_MAX
               ? Left << By->getZExtValue()
               : 1;
  default:
    return 1;
  }
}

} // namespace polygpu
