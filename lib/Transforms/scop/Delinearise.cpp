//===- Delinearise.cpp - Rows and columns of a[i * n + j] -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "scop/Delinearise.h"
#include "adaptor/PollyAdaptor.h"
#include "polly/Support/SCEVValidator.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/RegionInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include <optional>
#include <vector>

using namespace llvm;

/// Larger polynomials are left to Polly.
static const unsigned MaxTerms = 64, MaxDegree = 6;
/// And more choices of row sizes are not tried.
static const unsigned MaxShapes = 16;

using namespace polygpu;

namespace {

/// A product of counters {0,+,1}<loop> and values, in any order.
using Monomial = SmallVector<const SCEV *, 4>;

/// \p M without the factors of \p D, if it has them all.
std::optional<Monomial> quotient(Monomial M, const Monomial &D) {
  for (const SCEV *Factor : D) {
    auto It = find(M, Factor);
    if (It == M.end())
      return std::nullopt;
    M.erase(It);
  }
  return M;
}

bool isCounter(const SCEV *E) { return isa<SCEVAddRecExpr>(E); }

/// The row sizes of an array, outer ones first, and that of an element.
using Shape = SmallVector<const SCEV *, 4>;

/// Bounds without what makes them right for loops that do not run:
/// max(1, n) is n.
struct MaxRemover : SCEVRewriteVisitor<MaxRemover> {
  using SCEVRewriteVisitor::SCEVRewriteVisitor;
  const SCEV *visitSMaxExpr(const SCEVSMaxExpr *E) { return other(E); }
  const SCEV *visitUMaxExpr(const SCEVUMaxExpr *E) { return other(E); }
  const SCEV *other(const SCEVMinMaxExpr *E) {
    bool Guard =
        E->getNumOperands() == 2 && isa<SCEVConstant>(E->getOperand(0));
    return Guard ? visit(E->getOperand(1)) : E;
  }
};

/// A sum of products modulo two to the width of an address.
struct Polynomial {
  struct Term {
    Monomial Product;
    APInt Factor;
  };
  SmallVector<Term, 8> Terms;

  void add(const Monomial &Product, const APInt &Factor) {
    for (Term &T : Terms)
      if (T.Product.size() == Product.size() && quotient(T.Product, Product)) {
        T.Factor += Factor;
        if (T.Factor.isZero())
          Terms.erase(&T);
        return;
      }
    if (!Factor.isZero())
      Terms.push_back({Product, Factor});
  }
  void add(const Polynomial &P, const Monomial &Product, const APInt &Factor) {
    for (const Term &T : P.Terms) {
      Monomial All(T.Product);
      All.append(Product.begin(), Product.end());
      add(All, T.Factor * Factor);
    }
  }
  bool isTooLarge() const {
    return Terms.size() > MaxTerms || any_of(Terms, [](const Term &T) {
             return T.Product.size() > MaxDegree;
           });
  }
  bool isOneOf(bool Negative) const {
    return all_of(Terms, [&](const Term &T) {
      return T.Factor.isNegative() == Negative;
    });
  }
  /// Never negative, if all values are positive?
  bool isNatural() const {
    __int128 AtOne = 0;
    for (const Term &T : Terms) {
      if (T.Factor.isNegative() && !T.Product.empty())
        return false;
      AtOne += T.Factor.getSExtValue();
    }
    return AtOne >= 0;
  }
  size_t degree() const {
    size_t Most = 0;
    for (const Term &T : Terms)
      Most = std::max<size_t>(Most, T.Product.size());
    return Most;
  }
  bool operator==(const Polynomial &P) const {
    Polynomial Difference = *this;
    if (!Terms.empty())
      Difference.add(P, {}, -APInt(Terms[0].Factor.getBitWidth(), 1));
    return Terms.empty() ? P.Terms.empty() : Difference.Terms.empty();
  }
};

class Delineariser {
public:
  Delineariser(ScalarEvolution &SE, Type *Ty)
      : SE(SE), Ty(Ty), One(SE.getTypeSizeInBits(Ty), 1) {}

  /// The subscripts of the byte offset \p Offset in an array with \p Sizes,
  /// the last of which is that of an element.  Empty if there are none.
  /// \p Within becomes false if some may leave their row.
  SmallVector<const SCEV *, 4>
  subscripts(const SCEV *Offset, ArrayRef<const SCEV *> Sizes, bool &Within);

  /// Shapes with as many dimensions as \p Found has that are made of the steps
  /// of counters in \p Offsets.
  SmallVector<Shape, 4> shapes(ArrayRef<const SCEV *> Offsets,
                               ArrayRef<const SCEV *> Found);

private:
  ScalarEvolution &SE;
  Type *Ty;
  APInt One;

  std::optional<Polynomial> expand(const SCEV *E);
  std::optional<Polynomial> multiply(const Polynomial &A, const Polynomial &B);
  bool divide(Polynomial P, const Polynomial &Size, Polynomial &Quotient,
              Polynomial &Rest);
  std::optional<Polynomial> extreme(Polynomial P, bool Largest);
  void moveIntoRow(const Polynomial &Size, Polynomial &Quotient,
                   Polynomial &Rest);
  bool isWithin(const Polynomial &Size, const Polynomial &Rest);
  void addSteps(const Polynomial &Offset, SmallVectorImpl<Polynomial> &Steps);
  void addShapes(const Polynomial &Part, size_t Rows,
                 ArrayRef<Polynomial> Steps, const Shape &Inner,
                 SmallVectorImpl<Shape> &Shapes);
  const SCEV *build(const Polynomial &P);
};

std::optional<Polynomial> Delineariser::multiply(const Polynomial &A,
                                                 const Polynomial &B) {
  Polynomial Result;
  for (const Polynomial::Term &T : A.Terms) {
    Result.add(B, T.Product, T.Factor);
    if (Result.isTooLarge())
      return std::nullopt;
  }
  return Result;
}

std::optional<Polynomial> Delineariser::expand(const SCEV *E) {
  Polynomial Result;
  if (E->getType() != Ty)
    return std::nullopt;
  if (const auto *C = dyn_cast<SCEVConstant>(E)) {
    Result.add({}, C->getAPInt());
    return Result;
  }
  if (const auto *Sum = dyn_cast<SCEVAddExpr>(E)) {
    for (const SCEV *Op : Sum->operands()) {
      auto P = expand(Op);
      if (!P)
        return std::nullopt;
      Result.add(*P, {}, One);
    }
    return Result;
  }
  if (const auto *Product = dyn_cast<SCEVMulExpr>(E)) {
    Result.add({}, One);
    for (const SCEV *Op : Product->operands()) {
      auto P = expand(Op);
      auto Next = P ? multiply(Result, *P) : std::nullopt;
      if (!Next)
        return std::nullopt;
      Result = *Next;
    }
    return Result;
  }
  if (const auto *Rec = dyn_cast<SCEVAddRecExpr>(E)) {
    if (!Rec->isAffine())
      return std::nullopt;
    auto Start = expand(Rec->getStart());
    auto Step = expand(Rec->getStepRecurrence(SE));
    if (!Start || !Step)
      return std::nullopt;
    Monomial Counter = {SE.getAddRecExpr(SE.getZero(Ty), SE.getOne(Ty),
                                         Rec->getLoop(), SCEV::FlagAnyWrap)};
    Start->add(*Step, Counter, One);
    return Start->isTooLarge() ? std::nullopt : Start;
  }
  Result.add({E}, One);
  return Result;
}

/// Divide by the term of \p Size with most factors as long as possible.
bool Delineariser::divide(Polynomial P, const Polynomial &Size,
                          Polynomial &Quotient, Polynomial &Rest) {
  if (Size.Terms.empty())
    return false;
  const Polynomial::Term *Lead = &Size.Terms.front();
  for (const Polynomial::Term &T : Size.Terms)
    if (T.Product.size() > Lead->Product.size())
      Lead = &T;
  for (unsigned Step = 0; !P.Terms.empty(); ++Step) {
    if (Step > 4 * MaxTerms || P.isTooLarge())
      return false;
    Polynomial::Term T = P.Terms.front();
    auto Left = quotient(T.Product, Lead->Product);
    if (!Left || !T.Factor.srem(Lead->Factor).isZero()) {
      P.Terms.erase(P.Terms.begin());
      Rest.add(T.Product, T.Factor);
      continue;
    }
    APInt Factor = T.Factor.sdiv(Lead->Factor);
    Quotient.add(*Left, Factor);
    P.add(Size, *Left, -Factor);
  }
  return true;
}

/// A bound of \p P over the iterations, as far as it is linear in counters.
std::optional<Polynomial> Delineariser::extreme(Polynomial P, bool Largest) {
  for (unsigned Round = 0; Round < 2 * MaxTerms; ++Round) {
    // Inner loops first: their bounds depend on outer counters.
    const Polynomial::Term *Inner = nullptr;
    const Loop *L = nullptr;
    for (const Polynomial::Term &T : P.Terms)
      for (const SCEV *Factor : T.Product)
        if (const auto *Rec = dyn_cast<SCEVAddRecExpr>(Factor))
          if (!L || L->contains(Rec->getLoop())) {
            L = Rec->getLoop();
            Inner = &T;
          }
    if (!Inner)
      return P;
    Polynomial::Term T = *Inner;
    if (count_if(T.Product, isCounter) != 1)
      return std::nullopt;
    P.Terms.erase(const_cast<Polynomial::Term *>(Inner));
    if (T.Factor.isNegative() == Largest)
      continue; // the counter is 0
    const SCEV *Count = SE.getBackedgeTakenCount(L);
    if (isa<SCEVCouldNotCompute>(Count) ||
        SE.getTypeSizeInBits(Count->getType()) > One.getBitWidth())
      return std::nullopt;
    auto Last = expand(SE.getNoopOrSignExtend(MaxRemover(SE).visit(Count), Ty));
    if (!Last)
      return std::nullopt;
    erase_if(T.Product, isCounter);
    P.add(*Last, T.Product, T.Factor);
    if (P.isTooLarge())
      return std::nullopt;
  }
  return std::nullopt;
}

/// A subscript that is negative, or beyond the row, in all iterations belongs
/// to the row before or after.  Values are taken to be positive, as sizes are.
void Delineariser::moveIntoRow(const Polynomial &Size, Polynomial &Quotient,
                               Polynomial &Rest) {
  auto Largest = extreme(Rest, true);
  if (Largest && !Largest->Terms.empty() && Largest->isOneOf(true)) {
    Rest.add(Size, {}, One);
    Quotient.add({}, -One);
    return;
  }
  auto Smallest = extreme(Rest, false);
  if (Smallest) {
    Smallest->add(Size, {}, -One);
    if (Smallest->isOneOf(false)) {
      Rest.add(Size, {}, -One);
      Quotient.add({}, One);
    }
  }
}

const SCEV *Delineariser::build(const Polynomial &P) {
  SmallVector<const SCEV *, 8> Sum;
  for (const Polynomial::Term &T : P.Terms) {
    SmallVector<const SCEV *, 4> Product = {SE.getConstant(T.Factor)};
    const SCEV *Counter = nullptr;
    for (const SCEV *Factor : T.Product)
      if (isCounter(Factor) && !Counter)
        Counter = Factor;
      else
        Product.push_back(Factor);
    if (Counter)
      Product.push_back(Counter);
    Sum.push_back(SE.getMulExpr(Product));
  }
  return Sum.empty() ? SE.getZero(Ty) : SE.getAddExpr(Sum);
}

bool Delineariser::isWithin(const Polynomial &Size, const Polynomial &Rest) {
  auto Smallest = extreme(Rest, false), Largest = extreme(Rest, true);
  if (!Smallest || !Largest)
    return false;
  Polynomial Left = Size;
  Left.add({}, -One);
  Left.add(*Largest, {}, -One);
  return Smallest->isNatural() && Left.isNatural();
}

SmallVector<const SCEV *, 4>
Delineariser::subscripts(const SCEV *Offset, ArrayRef<const SCEV *> Sizes,
                         bool &Within) {
  SmallVector<const SCEV *, 4> Result;
  auto P = expand(Offset);
  if (!P || P->isTooLarge())
    return {};
  for (unsigned D = Sizes.size(); D-- > 0;) {
    auto Size = expand(Sizes[D]);
    Polynomial Quotient, Rest;
    if (!Size || !divide(*P, *Size, Quotient, Rest))
      return {};
    P = Quotient;
    if (D + 1 == Sizes.size()) {
      if (!Rest.Terms.empty())
        return {};
      continue;
    }
    moveIntoRow(*Size, *P, Rest);
    Within &= isWithin(*Size, Rest);
    Result.push_back(build(Rest));
  }
  Result.push_back(build(*P));
  std::reverse(Result.begin(), Result.end());
  return Result;
}

/// How \p Offset grows with each of its counters, where that depends on values.
void Delineariser::addSteps(const Polynomial &Offset,
                            SmallVectorImpl<Polynomial> &Steps) {
  MapVector<const SCEV *, Polynomial> OfCounter;
  for (const Polynomial::Term &T : Offset.Terms)
    if (count_if(T.Product, isCounter) == 1) {
      const SCEV *Counter = *find_if(T.Product, isCounter);
      OfCounter[Counter].add(*quotient(T.Product, {Counter}), T.Factor);
    }
  for (auto &[Counter, Step] : OfCounter)
    if (Step.degree() > 0 && !is_contained(Steps, Step))
      Steps.push_back(Step);
}

/// Shapes with \p Rows further row sizes around a part of \p Part bytes.
void Delineariser::addShapes(const Polynomial &Part, size_t Rows,
                             ArrayRef<Polynomial> Steps, const Shape &Inner,
                             SmallVectorImpl<Shape> &Shapes) {
  if (Rows == 0) {
    Shapes.push_back(Inner);
    return;
  }
  for (const Polynomial &Step : Steps) {
    Polynomial Size, Rest;
    if (Shapes.size() >= MaxShapes || Step.degree() <= Part.degree() ||
        !divide(Step, Part, Size, Rest) || !Rest.Terms.empty())
      continue;
    Shape Next = {build(Size)};
    Next.append(Inner);
    addShapes(Step, Rows - 1, Steps, Next, Shapes);
  }
}

SmallVector<Shape, 4> Delineariser::shapes(ArrayRef<const SCEV *> Offsets,
                                           ArrayRef<const SCEV *> Found) {
  SmallVector<Polynomial, 8> Steps;
  for (const SCEV *Offset : Offsets)
    if (auto P = expand(Offset))
      addSteps(*P, Steps);
  SmallVector<Shape, 4> Shapes;
  if (auto Element = expand(Found.back()))
    addShapes(*Element, Found.size() - 1, Steps, {Found.back()}, Shapes);
  return Shapes;
}

/// The accesses to one array.
class ArrayRefiner {
public:
  ArrayRefiner(polly::ScopDetection::DetectionContext &Context, const Region &R,
               const LoopInfo &LI, ScalarEvolution &SE)
      : Context(Context), R(R), LI(LI), SE(SE) {}

  void add(const Instruction *Access, const SCEV *Offset,
           polly::MemAcc &Found) {
    Accesses.push_back(Access);
    Offsets.push_back(Offset);
    Results.push_back(&Found);
  }

  /// Better subscripts for the shape that was found, or for another one if only
  /// that keeps all \p Count accesses within their rows.
  void refine(size_t Count);

private:
  polly::ScopDetection::DetectionContext &Context;
  const Region &R;
  const LoopInfo &LI;
  ScalarEvolution &SE;
  SmallVector<const Instruction *, 8> Accesses;
  SmallVector<const SCEV *, 8> Offsets;
  SmallVector<polly::MemAcc *, 8> Results;

  bool isAffine(ArrayRef<const SCEV *> All, Loop *Scope) {
    return all_of(All, [&](const SCEV *E) {
      return polly::isAffineExpr(&R, Scope, E, SE, &Context.RequiredILS);
    });
  }
  std::vector<Shape> subscripts(const Shape &Sizes, bool &Within);
};

/// Those of all accesses; empty where there are none.
std::vector<Shape> ArrayRefiner::subscripts(const Shape &Sizes, bool &Within) {
  std::vector<Shape> All;
  for (unsigned A = 0; A < Accesses.size(); ++A) {
    Delineariser D(SE, Offsets[A]->getType());
    All.push_back(D.subscripts(Offsets[A], Sizes, Within));
    if (All.back().size() != Sizes.size() ||
        !isAffine(All.back(), LI.getLoopFor(Accesses[A]->getParent())))
      All.back().clear();
    Within &= !All.back().empty();
  }
  return All;
}

void ArrayRefiner::refine(size_t Count) {
  if (Accesses.empty())
    return;
  polly::ArrayShape &Found = *Results.front()->Shape;
  bool Within = true;
  auto Best = subscripts(Found.DelinearizedSizes, Within);
  if (!Within && Accesses.size() == Count)
    for (const Shape &Other : Delineariser(SE, Offsets.front()->getType())
                                  .shapes(Offsets, Found.DelinearizedSizes)) {
      Within = isAffine(Other, nullptr);
      auto Subscripts = subscripts(Other, Within);
      if (!Within)
        continue;
      Found.DelinearizedSizes = Other;
      Best = Subscripts;
      break;
    }
  for (unsigned A = 0; A < Accesses.size(); ++A)
    if (!Best[A].empty())
      Results[A]->DelinearizedSubscripts = Best[A];
}

} // namespace

namespace polygpu {

void refineSubscripts(const polly::ScopDetection &SD, const Region &R,
                      const LoopInfo &LI, ScalarEvolution &SE) {
  editAccesses(SD, R, [&](ArrayRef<DetectedAccess> All, auto &Context) {
    ArrayRefiner Array(Context, R, LI, SE);
    for (const DetectedAccess &A : All)
      if (A.Found)
        Array.add(A.Access, A.Offset, *A.Found);
    Array.refine(All.size());
  });
}

} // namespace polygpu
