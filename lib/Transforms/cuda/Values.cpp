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
#include "llvm/Support/MathExtras.h"

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

/// Is what \p U uses in its text?
bool Values::counts(const User &U) const {
  return !Unused.count(cast<Instruction>(&U)) &&
         !(isa<BinaryOperator>(U) && isZero(&U));
}

/// The one use of \p I that counts, or null.
const Use *Values::onlyUse(const Instruction &I) const {
  const Use *Only = nullptr;
  for (const Use &U : I.uses()) {
    if (!counts(*U.getUser()))
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

/// Is \p I a part of a vector that is a variable wherever the part is used?
bool Values::isShortPart(const Instruction &I) const {
  const auto *Part = dyn_cast<ExtractElementInst>(&I);
  if (!Part || !isa<ConstantInt>(Part->getIndexOperand()) ||
      I.getMetadata(PrintedName))
    return false;
  const auto *Vector = dyn_cast<LoadInst>(Part->getVectorOperand());
  if (!Vector || onlyUse(*Vector))
    return false;
  const Loop *L = LI.getLoopFor(Vector->getParent());
  return all_of(I.users(), [&](const User *U) {
    return !isa<PHINode>(U) &&
           (!L || L->contains(cast<Instruction>(U)->getParent()));
  });
}

void Values::decide(const Instruction &I) {
  bool Used = any_of(I.users(), [&](const User *U) { return counts(*U); });
  if (!Used && !I.isTerminator() &&
      (!I.mayHaveSideEffects() || isPosition(I))) {
    Unused.insert(&I);
    return;
  }
  if (isa<BinaryOperator>(I) && isZero(&I)) {
    Inline.insert(&I);
    return;
  }
  if (isShortPart(I)) {
    Inline.insert(&I);
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
      // A vector's parts are the ones to be variables.
      if (auto *Part = isa<InsertElementInst>(I) && Size > MaxOperations
                           ? dyn_cast<Instruction>(I.getOperand(1))
                           : nullptr;
          Part && Inline.count(Part) && !isa<GetElementPtrInst>(Part)) {
        Size -= Sizes.lookup(Part);
        Inline.erase(Part);
      }
      Sizes[&I] = Size;
      if (Size > MaxOperations &&
          !isa<GetElementPtrInst, InsertElementInst>(I) &&
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

std::string Values::enclosed(const std::string &Text, Level Binds, Level Most) {
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
    return fail("a value has a type that the text has no word for (an unusual "
                "width)");
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
    return I.getType()->isHalfTy()
               ? Piece{"__hneg(" + text(I.getOperand(0)) + ")", Primary}
               : Piece{"-" + text(I.getOperand(0), Primary), Unary};
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
  std::string Type = cudaElement(Ty);
  if (Type.empty())
    return fail("an element has a type that the text has no word for (an "
                "unusual width)")
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

} // namespace polygpu
