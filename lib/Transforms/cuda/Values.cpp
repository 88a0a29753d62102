//===- Values.cpp - Values of a function as expressions of C -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cuda/Values.h"
#include "cuda/Names.h"
#include "kernel/AstBuilder.h"
#include "target/DeviceModule.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace polygpu {

/// Operations in one expression.
static const unsigned MaxOperations = 40;

//===-- What is printed where ---------------------------------------------===//

/// Is \p I a position of the thread or its block?
static bool isPosition(const Instruction &I) {
  const auto *Call = dyn_cast<CallInst>(&I);
  const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
  return Callee && (Callee->getName() == ThreadIdName ||
                    Callee->getName() == BlockIdName);
}

static bool isPure(const Instruction &I) {
  return !I.mayReadOrWriteMemory() &&
         !(isPosition(I) && I.getMetadata(PrintedName)) &&
         !isa<PHINode, AllocaInst>(I) && !I.isTerminator() &&
         !I.getType()->isVoidTy();
}

Values::Values(Function &F, const LoopInfo &LI, bool OnHost)
    : OnHost(OnHost), LI(LI) {
  SmallVector<BasicBlock *, 32> Order(post_order(&F));
  for (BasicBlock *BB : Order)
    for (Instruction &I : reverse(*BB))
      decide(I);
  limit(F);
}

/// The one use of \p I that counts, or null.
const Use *Values::onlyUse(const Instruction &I) const {
  const Use *Only = nullptr;
  for (const Use &U : I.uses()) {
    if (Unused.count(cast<Instruction>(U.getUser())))
      continue;
    if (Only)
      return nullptr;
    Only = &U;
  }
  return Only;
}

/// Where \p I is computed if it is printed for \p Use; null: in several places.
const Instruction *Values::root(const Use &Use) const {
  const auto *User = cast<Instruction>(Use.getUser());
  if (const auto *Phi = dyn_cast<PHINode>(User))
    return Phi->getIncomingBlock(Use)->getTerminator();
  if (!Inline.count(User))
    return User;
  auto It = Roots.find(User);
  return It == Roots.end() ? nullptr : It->second;
}

/// Does nothing write between \p Load and \p Until, in its block?
bool Values::isUndisturbed(const Instruction &Load,
                           const Instruction *Until) const {
  if (!Until || Until->getParent() != Load.getParent())
    return false;
  for (const Instruction *I = Load.getNextNode(); I && I != Until;
       I = I->getNextNode())
    if (I->mayWriteToMemory())
      return false;
  return true;
}

void Values::decide(const Instruction &I) {
  bool Used = any_of(I.users(), [&](const User *U) {
    return !Unused.count(cast<Instruction>(U));
  });
  if (!Used && !I.isTerminator() &&
      (!I.mayHaveSideEffects() || isPosition(I))) {
    Unused.insert(&I);
    return;
  }
  const Use *Only = onlyUse(I);
  if (isa<GetElementPtrInst>(I)) {
    Inline.insert(&I);
    if (const Instruction *Root = Only ? root(*Only) : nullptr)
      Roots[&I] = Root;
    return;
  }
  bool IsLoad = isa<LoadInst>(I) && cast<LoadInst>(I).isSimple();
  if (!IsLoad && !isPure(I))
    return;
  // The number of a variable in another type is as short as the variable.
  if (isa<CastInst>(I) && isa<Argument, PHINode>(I.getOperand(0)) &&
      none_of(I.users(), [](const User *U) { return isa<PHINode>(U); })) {
    auto *Phi = dyn_cast<PHINode>(I.getOperand(0));
    if (!Phi || all_of(I.users(), [&](const User *U) {
          const Loop *Own = LI.getLoopFor(Phi->getParent());
          return !Own || Own->contains(cast<Instruction>(U));
        })) {
      Inline.insert(&I);
      return;
    }
  }
  if (!Only)
    return;
  const Instruction *Root = root(*Only);
  const auto *User = cast<Instruction>(Only->getUser());
  const BasicBlock *At = User->getParent();
  if (const auto *Phi = dyn_cast<PHINode>(User))
    At = Phi->getIncomingBlock(*Only);
  if (LI.getLoopFor(At) != LI.getLoopFor(I.getParent()) ||
      (IsLoad && !isUndisturbed(I, Root)))
    return;
  Inline.insert(&I);
  if (Root)
    Roots[&I] = Root;
}

/// Make variables of parts of what is too long.
void Values::limit(Function &F) {
  DenseMap<const Instruction *, unsigned> Sizes;
  for (BasicBlock *BB : ReversePostOrderTraversal<Function *>(&F))
    for (Instruction &I : *BB) {
      unsigned Size = 1;
      for (const Use &U : I.operands())
        if (auto *Op = dyn_cast<Instruction>(U); Op && Inline.count(Op))
          Size += Sizes.lookup(Op);
      Sizes[&I] = Size;
      if (Size > MaxOperations && !isa<GetElementPtrInst>(I) &&
          !I.getType()->isIntegerTy(1))
        Inline.erase(&I);
    }
}

//===-- Expressions -------------------------------------------------------===//

Values::Piece Values::fail(const std::string &Why) {
  if (Problem.empty())
    Problem = Why;
  return {"0", Primary};
}

static std::string enclosed(const std::string &Text, Values::Level Binds,
                            Values::Level Most) {
  return Binds > Most ? "(" + Text + ")" : Text;
}

std::string Values::text(const Value *V, Level Most) {
  Piece P = piece(V);
  return enclosed(P.Text, P.Binds, Most);
}

/// An int that \p V, a long long, is known to be; null: none.
const Value *Values::narrow(const Value *V) const {
  const auto *Ext = dyn_cast<CastInst>(V);
  if (Ext && V->getType()->isIntegerTy(64) && !isNamed(V) &&
      (isa<SExtInst>(Ext) || (isa<ZExtInst>(Ext) && Ext->hasNonNeg())) &&
      Ext->getOperand(0)->getType()->isIntegerTy(32))
    return Ext->getOperand(0);
  return nullptr;
}

/// Is \p V a long long that C's int has, too?
static bool isSmallNumber(const Value *V) {
  const auto *C = dyn_cast<ConstantInt>(V);
  return C && C->getType()->isIntegerTy(64) && isInt<31>(C->getSExtValue());
}

std::string Values::loose(const Value *V, Level Most) {
  if (isSmallNumber(V))
    return enclosed(std::to_string(cast<ConstantInt>(V)->getSExtValue()),
                    cast<ConstantInt>(V)->isNegative() ? Unary : Primary, Most);
  const Value *Int = narrow(V);
  return text(Int ? Int : V, Most);
}

std::string Values::operation(const Instruction &I) {
  StringRef Cast = "(int)";
  std::string Text = operationPiece(I).Text;
  return isPosition(I) ? Text.substr(Cast.size()) : Text;
}

std::string Values::negated(const Value *Test) {
  const auto *Cmp = dyn_cast<ICmpInst>(Test);
  if (!Cmp || isNamed(Cmp))
    return "!" + text(Test, Primary);
  return compareIntegers(*Cmp, Cmp->getInversePredicate()).Text;
}

Values::Piece Values::piece(const Value *V) {
  if (auto It = Names.find(V); It != Names.end())
    return {It->second, Primary};
  if (const auto *C = dyn_cast<Constant>(V)) {
    std::string Text = numberText(*C);
    if (Text.empty())
      return fail("a constant has a type that the text has no word for");
    return {Text, Text[0] == '-' ? Unary : Primary};
  }
  if (const auto *I = dyn_cast<Instruction>(V))
    return operationPiece(*I);
  return fail("a value has no name");
}

Values::Piece Values::operationPiece(const Instruction &I) {
  if (cudaType(I.getType()).empty())
    return fail("a value has a type that the text has no word for (half "
                "precision, a vector or an unusual width)");
  if (const auto *Vector = dyn_cast<InsertElementInst>(&I))
    return vector(*Vector);
  if (I.getType()->isVectorTy() && !isa<LoadInst>(I))
    return fail("vectors are computed with");
  if (const auto *Element = dyn_cast<ExtractElementInst>(&I))
    return elementOf(*Element);
  if (const auto *Load = dyn_cast<LoadInst>(&I))
    return {element(Load->getPointerOperand(), I.getType()), Primary};
  const Value *L, *R;
  if (match(&I, m_LogicalAnd(m_Value(L), m_Value(R))))
    return logical(L, " && ", R, And);
  if (match(&I, m_LogicalOr(m_Value(L), m_Value(R))))
    return logical(L, " || ", R, Or);
  if (const auto *Binary = dyn_cast<BinaryOperator>(&I))
    return binary(*Binary);
  if (const auto *Cmp = dyn_cast<CmpInst>(&I))
    return compare(*Cmp);
  if (const auto *Cast = dyn_cast<CastInst>(&I))
    return conversion(*Cast);
  if (const auto *Select = dyn_cast<SelectInst>(&I))
    return select(*Select);
  if (const auto *Call = dyn_cast<CallInst>(&I))
    return call(*Call);
  if (const auto *Rmw = dyn_cast<AtomicRMWInst>(&I))
    return {atomicText(*Rmw), Primary};
  if (I.getOpcode() == Instruction::FNeg)
    return {"-" + text(I.getOperand(0), Primary), Unary};
  if (isa<FreezeInst>(I))
    return piece(I.getOperand(0));
  return fail(std::string("the operation ") + I.getOpcodeName() +
              " has no text");
}

Values::Piece Values::logical(const Value *L, const char *Sign, const Value *R,
                              Level Binds) {
  // What decides nothing is left out.
  bool Neutral = Binds == And;
  for (auto [One, Other] : {std::pair(L, R), std::pair(R, L)})
    if (const auto *C = dyn_cast<ConstantInt>(One); C && C->isOne() == Neutral)
      return piece(Other);
  auto Side = [&](const Value *V) {
    Piece P = piece(V);
    return enclosed(P.Text, P.Binds, P.Binds == Binds ? Binds : Equality);
  };
  std::string Left = Side(L);
  return {Left + Sign + Side(R), Binds};
}

/// Both sides of an operation, of which one has the type of the result.
std::pair<std::string, std::string>
Values::operands(const Value *L, const Value *R, Level Left, Level Right) {
  auto IsLoose = [&](const Value *V) { return isSmallNumber(V) || narrow(V); };
  if (IsLoose(L) && !IsLoose(R)) {
    std::string Text = loose(L, Left);
    return {Text, text(R, Right)};
  }
  std::string Text = text(L, Left);
  return {Text, loose(R, Right)};
}

std::string Values::unsignedText(const Value *V, Level Most) {
  unsigned Bits = V->getType()->getIntegerBitWidth();
  if (const auto *C = dyn_cast<ConstantInt>(V); C && Bits >= 32)
    return std::to_string(C->getZExtValue()) + (Bits == 64 ? "ULL" : "U");
  const char *Type = Bits == 64   ? "unsigned long long"
                     : Bits == 32 ? "unsigned"
                     : Bits == 16 ? "unsigned short"
                                  : "unsigned char";
  return enclosed(std::string("(") + Type + ")" + text(V, Unary), Unary, Most);
}

/// May a compiler that fuses products and sums do so with \p Product?  Not
/// where it is only multiplied, divided, compared or passed to functions.
bool Values::mayFuse(const Instruction &Product) const {
  return !all_of(Product.uses(), [&](const Use &U) {
    const auto *I = cast<Instruction>(U.getUser());
    if (isa<FCmpInst>(I) || I->getOpcode() == Instruction::FMul ||
        I->getOpcode() == Instruction::FDiv)
      return true;
    const auto *Call = dyn_cast<CallInst>(I);
    return Call &&
           !(Call->getIntrinsicID() == Intrinsic::fma && U.getOperandNo() == 2);
  });
}

Values::Piece Values::binary(const BinaryOperator &I) {
  const Value *L = I.getOperand(0), *R = I.getOperand(1);
  switch (I.getOpcode()) {
  case Instruction::FAdd:
    return {text(L, Add) + " + " + text(R, Multiply), Add};
  case Instruction::FSub:
    return {text(L, Add) + " - " + text(R, Multiply), Add};
  case Instruction::FDiv:
    return {text(L, Multiply) + " / " + text(R, Unary), Multiply};
  case Instruction::FMul: {
    bool IsFloat = I.getType()->isFloatTy();
    if (!I.hasAllowContract() && mayFuse(I)) {
      std::string Left = text(L);
      return {(IsFloat ? "__fmul_rn(" : "__dmul_rn(") + Left + ", " + text(R) +
                  ")",
              Primary};
    }
    std::string Left = text(L, Multiply);
    return {Left + " * " + text(R, Unary), Multiply};
  }
  case Instruction::FRem: {
    std::string Left = text(L);
    return {(I.getType()->isFloatTy() ? "fmodf(" : "fmod(") + Left + ", " +
                text(R) + ")",
            Primary};
  }
  default:
    return integer(I);
  }
}

namespace {
struct Sign {
  unsigned Opcode;
  const char *Text;
  Values::Level Binds;
};
} // namespace

static const Sign Signs[] = {{Instruction::Add, " + ", Values::Add},
                             {Instruction::Sub, " - ", Values::Add},
                             {Instruction::Mul, " * ", Values::Multiply},
                             {Instruction::SDiv, " / ", Values::Multiply},
                             {Instruction::UDiv, " / ", Values::Multiply},
                             {Instruction::SRem, " % ", Values::Multiply},
                             {Instruction::URem, " % ", Values::Multiply},
                             {Instruction::Shl, " << ", Values::Shift},
                             {Instruction::AShr, " >> ", Values::Shift},
                             {Instruction::LShr, " >> ", Values::Shift},
                             {Instruction::And, " & ", Values::BitAnd},
                             {Instruction::Or, " | ", Values::BitOr},
                             {Instruction::Xor, " ^ ", Values::BitXor}};

/// Is the result that of C's operation on signed numbers?
static bool isSigned(const BinaryOperator &I) {
  switch (I.getOpcode()) {
  case Instruction::Add:
  case Instruction::Sub:
  case Instruction::Mul:
    return I.hasNoSignedWrap();
  case Instruction::UDiv:
  case Instruction::URem:
  case Instruction::Shl:
  case Instruction::LShr:
    return false;
  default:
    return true;
  }
}

/// Is \p V nothing, or a product with nothing?
bool Values::isZero(const Value *V) const {
  const auto *Product = dyn_cast<BinaryOperator>(V);
  if (!Product || isNamed(V) || Product->getOpcode() != Instruction::Mul)
    return match(V, m_Zero());
  return isZero(Product->getOperand(0)) || isZero(Product->getOperand(1));
}

Values::Piece Values::integer(const BinaryOperator &I) {
  const Value *L = I.getOperand(0), *R = I.getOperand(1);
  const Sign &S =
      *find_if(Signs, [&](const Sign &S) { return S.Opcode == I.getOpcode(); });
  unsigned Bits = I.getType()->getIntegerBitWidth();
  if (Bits == 1) {
    if (I.getOpcode() == Instruction::And || I.getOpcode() == Instruction::Mul)
      return logical(L, " && ", R, And);
    if (I.getOpcode() == Instruction::Or)
      return logical(L, " || ", R, Or);
    if (match(&I, m_Not(m_Value(L))))
      return {"!" + text(L, Primary), Unary};
    if (I.getOpcode() != Instruction::Xor && I.getOpcode() != Instruction::Add)
      return fail("an operation on truth values has no text");
    std::string Left = text(L, Relation);
    return {Left + " != " + text(R, Relation), Equality};
  }
  bool IsShift = S.Binds == Shift;
  // Of those in C that bind in a way that people do not remember, operands are
  // in parentheses.
  Level Left = S.Binds > Add ? Unary : S.Binds;
  Level Right = S.Binds > Add ? Unary : Level(S.Binds - 1);
  std::string Type = "(" + cudaType(I.getType()) + ")";
  if (I.getOpcode() == Instruction::Mul && match(R, m_One()))
    return piece(L);
  if (I.getOpcode() == Instruction::Add && isZero(L))
    return piece(R);
  if (I.getOpcode() == Instruction::Add && isZero(R))
    return piece(L);
  if (Bits < 32) { // computed as int, or as unsigned of no more bits
    bool Unsigned = I.getOpcode() == Instruction::UDiv ||
                    I.getOpcode() == Instruction::URem ||
                    I.getOpcode() == Instruction::LShr;
    std::string First = Unsigned ? unsignedText(L) : text(L, Left);
    std::string Second =
        Unsigned && !IsShift ? unsignedText(R) : text(R, Right);
    if (I.getOpcode() == Instruction::Shl)
      First = unsignedText(L);
    return {Type + "(" + First + S.Text + Second + ")", Unary};
  }
  if (isSigned(I)) {
    if (match(&I, m_Neg(m_Value(L))))
      return {"-" + text(L, Primary), Unary};
    if (match(&I, m_Not(m_Value(L))))
      return {"~" + text(L, Primary), Unary};
    // A sum with a negative number is a difference.
    if (auto *C = dyn_cast<ConstantInt>(R);
        C && I.getOpcode() == Instruction::Add && C->isNegative() &&
        !C->getValue().isMinSignedValue()) {
      auto *Positive = ConstantInt::get(C->getType(), -C->getValue());
      auto [First, Second] = operands(L, Positive, Add, Multiply);
      return {First + " - " + Second, Add};
    }
    if (IsShift) {
      std::string First = text(L, Left);
      return {First + S.Text + loose(R, Right), S.Binds};
    }
    auto [First, Second] = operands(L, R, Left, Right);
    return {First + S.Text + Second, S.Binds};
  }
  std::string First = unsignedText(L);
  return {Type + "(" + First + S.Text +
              (IsShift ? loose(R, Unary) : unsignedText(R)) + ")",
          Unary};
}

Values::Piece Values::compare(const CmpInst &I) {
  if (const auto *Floats = dyn_cast<FCmpInst>(&I))
    return compareFloats(*Floats);
  return compareIntegers(I, I.getPredicate());
}

/// The same with another predicate.
Values::Piece Values::compareIntegers(const CmpInst &I,
                                      CmpInst::Predicate Predicate) {
  const Value *L = I.getOperand(0), *R = I.getOperand(1);
  if (!L->getType()->isIntegerTy() || cudaType(L->getType()).empty())
    return fail("a comparison of values that the text has no type for");
  std::string Sign;
  switch (Predicate) {
  case CmpInst::ICMP_EQ:
  case CmpInst::ICMP_NE: {
    auto [First, Second] = operands(L, R, Relation, Relation);
    return {First + (Predicate == CmpInst::ICMP_EQ ? " == " : " != ") + Second,
            Equality};
  }
  case CmpInst::ICMP_SLT:
  case CmpInst::ICMP_ULT:
    Sign = " < ";
    break;
  case CmpInst::ICMP_SLE:
  case CmpInst::ICMP_ULE:
    Sign = " <= ";
    break;
  case CmpInst::ICMP_SGT:
  case CmpInst::ICMP_UGT:
    Sign = " > ";
    break;
  default:
    Sign = " >= ";
  }
  if (I.isUnsigned() || L->getType()->isIntegerTy(1)) {
    // As signed numbers, true is -1.
    bool Swapped = !I.isUnsigned();
    std::string First =
        L->getType()->isIntegerTy(1) ? text(L, Add) : unsignedText(L);
    std::string Second =
        L->getType()->isIntegerTy(1) ? text(R, Add) : unsignedText(R);
    return {Swapped ? Second + Sign + First : First + Sign + Second, Relation};
  }
  auto [First, Second] = operands(L, R, Add, Add);
  return {First + Sign + Second, Relation};
}

Values::Piece Values::compareFloats(const FCmpInst &I) {
  std::string L = text(I.getOperand(0), Add), R = text(I.getOperand(1), Add);
  auto Not = [&](const char *Sign) -> Piece {
    return {"!(" + L + Sign + R + ")", Unary};
  };
  switch (I.getPredicate()) {
  case CmpInst::FCMP_FALSE:
    return {"false", Primary};
  case CmpInst::FCMP_TRUE:
    return {"true", Primary};
  case CmpInst::FCMP_OEQ:
    return {L + " == " + R, Equality};
  case CmpInst::FCMP_OGT:
    return {L + " > " + R, Relation};
  case CmpInst::FCMP_OGE:
    return {L + " >= " + R, Relation};
  case CmpInst::FCMP_OLT:
    return {L + " < " + R, Relation};
  case CmpInst::FCMP_OLE:
    return {L + " <= " + R, Relation};
  case CmpInst::FCMP_UNE:
    return {L + " != " + R, Equality};
  case CmpInst::FCMP_UGT:
    return Not(" <= ");
  case CmpInst::FCMP_UGE:
    return Not(" < ");
  case CmpInst::FCMP_ULT:
    return Not(" >= ");
  case CmpInst::FCMP_ULE:
    return Not(" > ");
  case CmpInst::FCMP_ONE:
    return {"(" + L + " < " + R + " || " + L + " > " + R + ")", Primary};
  case CmpInst::FCMP_UEQ:
    return {"!(" + L + " < " + R + " || " + L + " > " + R + ")", Unary};
  case CmpInst::FCMP_ORD:
    return {"(" + L + " == " + L + " && " + R + " == " + R + ")", Primary};
  default: // FCMP_UNO
    return {"(" + L + " != " + L + " || " + R + " != " + R + ")", Primary};
  }
}

Values::Piece Values::bits(const CastInst &I) {
  const Value *V = I.getOperand(0);
  Type *From = V->getType(), *To = I.getType();
  const char *Name = nullptr;
  if (From->isFloatTy() && To->isIntegerTy(32))
    Name = "__float_as_int(";
  else if (From->isIntegerTy(32) && To->isFloatTy())
    Name = "__int_as_float(";
  else if (From->isDoubleTy() && To->isIntegerTy(64))
    Name = "__double_as_longlong(";
  else if (From->isIntegerTy(64) && To->isDoubleTy())
    Name = "__longlong_as_double(";
  if (From == To)
    return piece(V);
  if (!Name)
    return fail("bits of a value are used as those of a type that the text has "
                "no word for");
  return {Name + text(V) + ")", Primary};
}

Values::Piece Values::conversion(const CastInst &I) {
  const Value *V = I.getOperand(0);
  std::string To = "(" + cudaType(I.getType()) + ")";
  bool FromBool = V->getType()->isIntegerTy(1);
  if (isa<PtrToIntInst>(I) && isNamed(V) && I.getType()->isIntegerTy(64))
    return {"(long long)" + nameOf(V), Unary};
  if (cudaType(V->getType()).empty())
    return fail("a value has a type that the text has no word for (half "
                "precision, a vector or an unusual width)");
  switch (I.getOpcode()) {
  case Instruction::Trunc:
    if (I.getType()->isIntegerTy(1))
      return {"(" + text(V, Unary) + " & 1) != 0", Equality};
    return {To + text(V, Unary), Unary};
  case Instruction::ZExt:
    if (FromBool || I.hasNonNeg())
      return {To + text(V, Unary), Unary};
    return {To + unsignedText(V), Unary};
  case Instruction::SExt:
    if (FromBool)
      return {"-" + To + text(V, Unary), Unary};
    return {To + text(V, Unary), Unary};
  case Instruction::SIToFP:
    if (FromBool)
      return {"-" + To + text(V, Unary), Unary};
    return {To + text(V, Unary), Unary};
  case Instruction::UIToFP:
    return {To + (FromBool ? text(V, Unary) : unsignedText(V)), Unary};
  case Instruction::FPToSI:
  case Instruction::FPExt:
  case Instruction::FPTrunc:
    return {To + text(V, Unary), Unary};
  case Instruction::FPToUI:
    return {To + "(unsigned " +
                (I.getType()->isIntegerTy(8) ? "char" : cudaType(I.getType())) +
                ")" + text(V, Unary),
            Unary};
  case Instruction::BitCast:
    return bits(I);
  default:
    return fail("a pointer is used as a number");
  }
}

static const char Parts[] = "xyzw";

Values::Piece Values::elementOf(const ExtractElementInst &I) {
  const auto *Index = dyn_cast<ConstantInt>(I.getIndexOperand());
  if (!Index || cudaType(I.getVectorOperandType()).empty())
    return fail("vectors are computed with");
  return {text(I.getVectorOperand(), Primary) + "." +
              Parts[Index->getZExtValue()],
          Primary};
}

/// A vector whose elements are all given, one after the other.
Values::Piece Values::vector(const InsertElementInst &I) {
  unsigned N = cast<FixedVectorType>(I.getType())->getNumElements();
  SmallVector<const Value *, 4> Elements(N);
  const Value *V = &I;
  while (const auto *Insert = dyn_cast<InsertElementInst>(V)) {
    const auto *Index = dyn_cast<ConstantInt>(Insert->getOperand(2));
    if (!Index || isNamed(Insert))
      return fail("vectors are computed with");
    if (!Elements[Index->getZExtValue()])
      Elements[Index->getZExtValue()] = Insert->getOperand(1);
    V = Insert->getOperand(0);
  }
  if (is_contained(Elements, nullptr))
    return fail("vectors are computed with");
  std::string Text = "make_" + cudaType(I.getType()) + "(";
  for (unsigned E = 0; E < N; ++E)
    Text += (E ? ", " : "") + text(Elements[E]);
  return {Text + ")", Primary};
}

Values::Piece Values::select(const SelectInst &I) {
  std::string Test = text(I.getCondition(), Or);
  std::string True = text(I.getTrueValue(), Or);
  return {Test + " ? " + True + " : " + text(I.getFalseValue(), Or), Choice};
}

//===-- Functions ---------------------------------------------------------===//

Values::Piece Values::function(const std::string &Name, const CallInst &I) {
  std::string Result = Name + "(";
  for (unsigned A = 0; A < I.arg_size(); ++A)
    Result += (A ? ", " : "") + text(I.getArgOperand(A));
  return {Result + ")", Primary};
}

Values::Piece Values::extreme(const CallInst &I, bool IsMin, bool IsSigned) {
  const Value *L = I.getArgOperand(0), *R = I.getArgOperand(1);
  std::string Left = IsSigned ? text(L, Unary) : unsignedText(L);
  std::string Right = IsSigned ? text(R, Unary) : unsignedText(R);
  std::string Type = cudaType(I.getType());
  bool IsWide = I.getType()->getIntegerBitWidth() >= 32;
  if (OnHost || !IsWide)
    return {"(" + Left + (IsMin ? " < " : " > ") + Right + " ? " + text(L, Or) +
                " : " + text(R, Or) + ")",
            Primary};
  std::string Text = (IsMin ? "min(" : "max(") + (IsSigned ? text(L) : Left) +
                     ", " + (IsSigned ? text(R) : Right) + ")";
  if (IsSigned)
    return {Text, Primary};
  return {"(" + Type + ")" + Text, Unary};
}

/// C's name of an intrinsic for doubles, or null.
static const char *mathName(Intrinsic::ID ID) {
  switch (ID) {
  case Intrinsic::fma:
    return "fma";
  case Intrinsic::sqrt:
    return "sqrt";
  case Intrinsic::fabs:
    return "fabs";
  case Intrinsic::floor:
    return "floor";
  case Intrinsic::ceil:
    return "ceil";
  case Intrinsic::trunc:
    return "trunc";
  case Intrinsic::rint:
  case Intrinsic::roundeven:
    return "rint";
  case Intrinsic::nearbyint:
    return "nearbyint";
  case Intrinsic::round:
    return "round";
  case Intrinsic::copysign:
    return "copysign";
  case Intrinsic::minnum:
    return "fmin";
  case Intrinsic::maxnum:
    return "fmax";
  default:
    return nullptr;
  }
}

static const char *axis(const CallInst &I) {
  static const char *const Axes[] = {"x", "y", "z"};
  return Axes[cast<ConstantInt>(I.getArgOperand(0))->getZExtValue()];
}

Values::Piece Values::call(const CallInst &I) {
  const Function *Callee = I.getCalledFunction();
  if (!Callee)
    return fail("an indirect call");
  bool IsFloat = I.getType()->isFloatTy();
  StringRef Name = Callee->getName();
  if (Name == ThreadIdName)
    return {std::string("(int)threadIdx.") + axis(I), Unary};
  if (Name == BlockIdName)
    return {std::string("(int)blockIdx.") + axis(I), Unary};
  if (const char *Math = mathName(I.getIntrinsicID()))
    return function(std::string(Math) + (IsFloat ? "f" : ""), I);
  switch (I.getIntrinsicID()) {
  case Intrinsic::not_intrinsic:
    return function(Name.str(), I);
  case Intrinsic::smin:
  case Intrinsic::smax:
    return extreme(I, I.getIntrinsicID() == Intrinsic::smin, true);
  case Intrinsic::umin:
  case Intrinsic::umax:
    return extreme(I, I.getIntrinsicID() == Intrinsic::umin, false);
  case Intrinsic::abs: {
    std::string V = text(I.getArgOperand(0), Unary);
    return {"(" + V + " < 0 ? -" + V + " : " + V + ")", Primary};
  }
  case Intrinsic::ctpop:
    if (I.getType()->getIntegerBitWidth() >= 32)
      return function(I.getType()->isIntegerTy(64) ? "__popcll" : "__popc", I);
    break;
  case Intrinsic::scmp: {
    std::string L = text(I.getArgOperand(0), Add),
                R = text(I.getArgOperand(1), Add);
    return {"(" + cudaType(I.getType()) + ")((" + L + " > " + R + ") - (" + L +
                " < " + R + "))",
            Unary};
  }
  case Intrinsic::ucmp: {
    std::string L = unsignedText(I.getArgOperand(0)),
                R = unsignedText(I.getArgOperand(1));
    return {"(" + cudaType(I.getType()) + ")((" + L + " > " + R + ") - (" + L +
                " < " + R + "))",
            Unary};
  }
  default:
    break;
  }
  return fail("the function " + Name.str() + " has no equal in CUDA");
}

//===-- Memory ------------------------------------------------------------===//

std::string Values::address(const Value *V) {
  if (std::string Place = place(V); !Place.empty())
    return "(char *)&" + Place;
  if (const auto *GEP = dyn_cast<GetElementPtrInst>(V);
      GEP && GEP->getNumIndices() == 1) {
    Type *Ty = GEP->getSourceElementType();
    std::string Base = address(GEP->getPointerOperand());
    bool IsByte = Ty->isIntegerTy(8);
    std::string Index = loose(GEP->getOperand(1), IsByte ? Add : Unary);
    return IsByte ? Base + " + " + Index
                  : Base + " + " + Index + " * (long long)sizeof(" +
                        cudaType(Ty) + ")";
  }
  if (!isNamed(V)) {
    fail("a pointer is used as a value");
    return "0";
  }
  return "(char *)" + nameOf(V);
}

/// The sum of the subscripts with which \p V begins in an array of \p Ty, which
/// \p Base is set to; empty if it does not.
std::string Values::subscript(const Value *V, Type *Ty, const Value *&Base) {
  Base = V;
  const auto *GEP = dyn_cast<GetElementPtrInst>(V);
  if (!GEP || GEP->getNumIndices() != 1 || GEP->getSourceElementType() != Ty)
    return "";
  std::string Before = subscript(GEP->getPointerOperand(), Ty, Base);
  const Value *Index = GEP->getOperand(1);
  if (Before.empty())
    return loose(Index, Add);
  return isZero(Index) ? Before : Before + " + " + text(Index, Multiply);
}

/// The element that \p V is the address of, if it is one of an array that has a
/// name and elements; else empty.
std::string Values::place(const Value *V) {
  const auto *GEP = dyn_cast<GetElementPtrInst>(V);
  if (!GEP)
    return "";
  if (GEP->getNumIndices() > 1) {
    if (!isNamed(GEP->getPointerOperand()))
      return "";
    std::string Text = nameOf(GEP->getPointerOperand());
    for (const Use &Index : drop_begin(GEP->indices()))
      Text += "[" + loose(Index) + "]";
    return Text;
  }
  const Value *Base;
  std::string Index = subscript(V, GEP->getSourceElementType(), Base);
  if (!isNamed(Base) || Elements.lookup(Base) != GEP->getSourceElementType())
    return "";
  return nameOf(Base) + "[" + Index + "]";
}

std::string Values::element(const Value *Address, Type *Ty) {
  std::string Type = cudaType(Ty);
  if (Type.empty())
    return fail("an element has a type that the text has no word for (half "
                "precision, a vector or an unusual width)")
        .Text;
  if (isNamed(Address)) {
    if (isa<AllocaInst>(Address) &&
        cast<AllocaInst>(Address)->getAllocatedType() == Ty)
      return nameOf(Address);
    if (Elements.lookup(Address) == Ty)
      return nameOf(Address) + "[0]";
  }
  if (const auto *GEP = dyn_cast<GetElementPtrInst>(Address))
    if (std::string Place = place(Address); !Place.empty())
      return GEP->getResultElementType() == Ty ? Place
                                               : "*(" + Type + " *)&" + Place;
  return "*(" + Type + " *)(" + address(Address) + ")";
}

std::string Values::atomicText(const AtomicRMWInst &I) {
  Type *Ty = I.getType();
  std::string Place = "&" + element(I.getPointerOperand(), Ty);
  std::string With = text(I.getValOperand());
  const char *Name = nullptr, *Unsigned = nullptr;
  bool IsWide = Ty->isIntegerTy(64);
  if (!Ty->isIntegerTy(32) && !IsWide && !Ty->isFloatTy() && !Ty->isDoubleTy())
    return fail("an atomic operation on numbers of this width").Text;
  const char *Word = IsWide ? "unsigned long long" : "unsigned";
  switch (I.getOperation()) {
  case AtomicRMWInst::FAdd:
    Name = "atomicAdd";
    break;
  case AtomicRMWInst::Add:
    Name = "atomicAdd";
    Unsigned = IsWide ? Word : nullptr;
    break;
  case AtomicRMWInst::And:
    Name = "atomicAnd";
    Unsigned = IsWide ? Word : nullptr;
    break;
  case AtomicRMWInst::Or:
    Name = "atomicOr";
    Unsigned = IsWide ? Word : nullptr;
    break;
  case AtomicRMWInst::Xor:
    Name = "atomicXor";
    Unsigned = IsWide ? Word : nullptr;
    break;
  case AtomicRMWInst::Min:
    Name = "atomicMin";
    break;
  case AtomicRMWInst::Max:
    Name = "atomicMax";
    break;
  case AtomicRMWInst::UMin:
    Name = "atomicMin";
    Unsigned = Word;
    break;
  case AtomicRMWInst::UMax:
    Name = "atomicMax";
    Unsigned = Word;
    break;
  default:
    return fail("an atomic operation that CUDA has no function for").Text;
  }
  if (!Unsigned)
    return std::string(Name) + "(" + Place + ", " + With + ")";
  return "(" + cudaType(Ty) + ")" + Name + "((" + Unsigned + " *)" + Place +
         ", (" + Unsigned + ")" + text(I.getValOperand(), Unary) + ")";
}

} // namespace polygpu
