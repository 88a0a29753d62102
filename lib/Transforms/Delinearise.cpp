//===- Delinearise.cpp - Rows and columns of a[i * n + j] -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Delinearise.h"
#include "polly/ScopDetection.h"
#include "polly/Support/SCEVValidator.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/RegionInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include <optional>

using namespace llvm;

/// Larger polynomials are left to Polly.
static const unsigned MaxTerms = 64, MaxDegree = 6;

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
};

class Delineariser {
public:
  Delineariser(ScalarEvolution &SE, Type *Ty)
      : SE(SE), Ty(Ty), One(SE.getTypeSizeInBits(Ty), 1) {}

  /// The subscripts of the byte offset \p Offset in an array with \p Sizes,
  /// the last of which is that of an element.  Empty if there are none.
  SmallVector<const SCEV *, 4> subscripts(const SCEV *Offset,
                                          ArrayRef<const SCEV *> Sizes);

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
    auto Last = expand(SE.getNoopOrSignExtend(Count, Ty));
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

SmallVector<const SCEV *, 4>
Delineariser::subscripts(const SCEV *Offset, ArrayRef<const SCEV *> Sizes) {
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
    Result.push_back(build(Rest));
  }
  Result.push_back(build(*P));
  std::reverse(Result.begin(), Result.end());
  return Result;
}

} // namespace

namespace polygpu {

void refineSubscripts(const polly::ScopDetection &SD, const Region &R,
                      const LoopInfo &LI, ScalarEvolution &SE) {
  polly::ScopDetection::DetectionContext *Context = SD.getDetectionContext(&R);
  if (!Context)
    return;
  for (auto &[Base, Accesses] : Context->Accesses)
    for (auto &[Access, Offset] : Accesses) {
      auto It = Context->InsnToMemAcc.find(Access);
      if (It == Context->InsnToMemAcc.end())
        continue;
      polly::MemAcc &Found = It->second;
      ArrayRef<const SCEV *> Sizes = Found.Shape->DelinearizedSizes;
      if (Sizes.size() < 2)
        continue;
      auto Better =
          Delineariser(SE, Offset->getType()).subscripts(Offset, Sizes);
      Loop *Scope = LI.getLoopFor(Access->getParent());
      if (Better.size() == Sizes.size() && all_of(Better, [&](const SCEV *S) {
            return polly::isAffineExpr(&R, Scope, S, SE, &Context->RequiredILS);
          }))
        Found.DelinearizedSubscripts = Better;
    }
}

} // namespace polygpu
