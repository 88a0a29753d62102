//===- Delinearise.cpp - Rows and columns of a[i * n + j] -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "scop/Delinearise.h"
#include "AddressSums.h"
#include "adaptor/PollyAdaptor.h"
#include "polly/Support/SCEVValidator.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/RegionInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Dominators.h"
#include <optional>
#include <vector>

using namespace llvm;

/// More counters are not replaced by their bounds in one polynomial.
static const unsigned MaxRounds = 128;
/// More choices of row sizes are not tried.
static const unsigned MaxShapes = 16;

/// An ordinary size; 2 and 3 are often factors.
static const int Small = 4;

using namespace polygpu;

namespace {

/// Of counters {0,+,1}<loop> and values.
using Polynomial = AddressSum;

bool isCounter(const SCEV *E) { return isa<SCEVAddRecExpr>(E); }

/// The row sizes of an array, outer ones first, and that of an element.
using Shape = SmallVector<const SCEV *, 4>;

/// Bounds and sizes without what makes them right for loops that do not run and
/// arrays that have no elements: max(1, n) is n, and min(1, n) is 1.
struct MaxRemover : SCEVRewriteVisitor<MaxRemover> {
  using SCEVRewriteVisitor::SCEVRewriteVisitor;
  const SCEV *visitSMaxExpr(const SCEVSMaxExpr *E) { return other(E); }
  const SCEV *visitUMaxExpr(const SCEVUMaxExpr *E) { return other(E); }
  const SCEV *visitUMinExpr(const SCEVUMinExpr *E) {
    const SCEV *First = E->getOperand(0);
    return E->getNumOperands() == 2 && First->isOne() ? First : E;
  }
  const SCEV *other(const SCEVMinMaxExpr *E) {
    bool Guard =
        E->getNumOperands() == 2 && isa<SCEVConstant>(E->getOperand(0));
    return Guard ? visit(E->getOperand(1)) : E;
  }
};

/// (long)(n - m) is (long)n - (long)m where nothing wraps around, and so is
/// (long)(n - i) of a counter i.  Values are taken to be signed.
struct SumWidener : SCEVRewriteVisitor<SumWidener> {
  using SCEVRewriteVisitor::SCEVRewriteVisitor;
  const SCEV *visitSignExtendExpr(const SCEVSignExtendExpr *E) {
    return widen(visit(E->getOperand()), E->getType());
  }
  const SCEV *visitZeroExtendExpr(const SCEVZeroExtendExpr *E) {
    return widen(visit(E->getOperand()), E->getType());
  }
  const SCEV *widen(const SCEV *E, Type *To) {
    SmallVector<const SCEV *, 4> Wide;
    const auto *Rec = dyn_cast<SCEVAddRecExpr>(E);
    if (!isa<SCEVAddExpr, SCEVMulExpr>(E) && !Rec)
      return SE.getSignExtendExpr(E, To);
    for (const SCEV *Op : E->operands())
      Wide.push_back(widen(Op, To));
    if (Rec)
      return SE.getAddRecExpr(Wide, Rec->getLoop(), SCEV::FlagAnyWrap);
    return isa<SCEVAddExpr>(E) ? SE.getAddExpr(Wide) : SE.getMulExpr(Wide);
  }
};

/// Never negative, if all values are positive?
bool isNatural(const Polynomial &P) {
  return P.valueAtOnes() >= 0 && all_of(P.terms(), [](const auto &T) {
           return T.Variables.empty() || T.Factor >= 0;
         });
}

/// What \p P has beside products of values and counters.
int64_t constantOf(const Polynomial &P) {
  for (const Polynomial::Term &T : P.terms())
    if (T.Variables.empty())
      return T.Factor;
  return 0;
}

/// Is \p E a value of the program's, which may be extended?
bool isPlain(const SCEV *E) {
  while (const auto *Cast = dyn_cast<SCEVIntegralCastExpr>(E))
    E = Cast->getOperand();
  return isa<SCEVUnknown>(E);
}

/// \p P where values that are taken away are 0.
Polynomial withNothingTaken(const Polynomial &P) {
  Polynomial Result;
  for (const Polynomial::Term &T : P.terms())
    if (T.Factor >= 0 || !all_of(T.Variables, isPlain) || T.Variables.empty())
      Result.add(T);
  return Result;
}

/// Do subscripts stay in their rows?
struct Fit {
  bool Within = true;   ///< for all positive sizes
  bool Ordinary = true; ///< where all sizes are some small number
  bool Narrow = true;   ///< where all are 2, as borders are wide
  bool Tiny = true;     ///< where all are 1
  bool Apart = true;    ///< no counter is in two of an access's
};

class Delineariser {
public:
  Delineariser(ScalarEvolution &SE, Type *Ty) : SE(SE), Ty(Ty) {}

  /// The subscripts of the byte offset \p Offset in an array with \p Sizes,
  /// the last of which is that of an element, of an access that \p IsAlways
  /// done or under a condition.  Empty if there are none.  What does not fit
  /// becomes false in \p Fits.
  SmallVector<const SCEV *, 4> subscripts(const SCEV *Offset,
                                          ArrayRef<const SCEV *> Sizes,
                                          bool IsAlways, Fit &Fits);

  /// Shapes with \p Rows row sizes around elements of \p Element bytes that are
  /// made of the steps of counters in the offsets of \p Accesses.
  SmallVector<Shape, 4> shapes(ArrayRef<DetectedAccess> Accesses,
                               const SCEV *Element, size_t Rows);

private:
  ScalarEvolution &SE;
  Type *Ty;

  std::optional<Polynomial> expand(const SCEV *E) {
    return addressSum(E, Ty, SE);
  }
  template <typename Rewrite>
  std::optional<Polynomial> rewrite(const Polynomial &P, Rewrite Other);
  std::optional<Polynomial> ordinary(const Polynomial &P, bool Size);
  std::optional<Polynomial> withCounters(const Polynomial &P);
  std::optional<Polynomial> extreme(const Polynomial &Of, bool Largest);
  void moveIntoRow(const Polynomial &Size, Polynomial &Quotient,
                   Polynomial &Rest, bool IsAlways);
  bool isAtEnd(const Polynomial &Size, const Polynomial &Quotient,
               const Polynomial &Rest);
  bool hasBounds(const Polynomial &Quotient, const Polynomial &Rest);
  void compare(const Polynomial &Size, const Polynomial &Rest, Fit &Fits);
  static bool areApart(ArrayRef<Polynomial> Subscripts);
  void addSteps(const Polynomial &Offset, SmallVectorImpl<Polynomial> &Steps);
  void addShapes(const Polynomial &Part, size_t Rows,
                 ArrayRef<Polynomial> Steps, const Shape &Inner,
                 SmallVectorImpl<Shape> &Shapes);
  const SCEV *build(const Polynomial &P) { return expressionOf(P, Ty, SE); }
};

/// \p P with \p Other of each factor that is no counter.
template <typename Rewrite>
std::optional<Polynomial> Delineariser::rewrite(const Polynomial &P,
                                                Rewrite Other) {
  Polynomial Result;
  for (const Polynomial::Term &T : P.terms()) {
    Polynomial Product({{}, T.Factor});
    for (const SCEV *Factor : T.Variables) {
      auto F = expand(isCounter(Factor) ? Factor : Other(Factor));
      if (!F || !Product.multiply(*F))
        return std::nullopt;
    }
    Result += Product;
  }
  return Result.isTooLarge() ? std::nullopt : std::optional(Result);
}

/// \p P where no sum wraps around, and where it is a \p Size, of arrays that
/// have elements.
std::optional<Polynomial> Delineariser::ordinary(const Polynomial &P,
                                                 bool Size) {
  return rewrite(P, [&](const SCEV *Factor) {
    if (Size && !SE.containsAddRecurrence(Factor))
      Factor = MaxRemover(SE).visit(Factor);
    return SumWidener(SE).visit(Factor);
  });
}

/// \p P where no sum with a counter wraps around.
std::optional<Polynomial> Delineariser::withCounters(const Polynomial &P) {
  return rewrite(P, [&](const SCEV *Factor) {
    return SE.containsAddRecurrence(Factor) ? SumWidener(SE).visit(Factor)
                                            : Factor;
  });
}

/// A bound of \p P over the iterations, as far as it is linear in counters and
/// no sum of values wraps around.
std::optional<Polynomial> Delineariser::extreme(const Polynomial &Of,
                                                bool Largest) {
  auto Sum = ordinary(Of, false);
  if (!Sum)
    return std::nullopt;
  Polynomial P = *Sum;
  for (unsigned Round = 0; Round < MaxRounds; ++Round) {
    // Inner loops first: their bounds depend on outer counters.
    const Polynomial::Term *Inner = nullptr;
    const Loop *L = nullptr;
    for (const Polynomial::Term &T : P.terms())
      for (const SCEV *Factor : T.Variables)
        if (const auto *Rec = dyn_cast<SCEVAddRecExpr>(Factor))
          if (!L || L->contains(Rec->getLoop())) {
            L = Rec->getLoop();
            Inner = &T;
          }
    if (!Inner)
      return P;
    Polynomial::Term T = *Inner;
    if (count_if(T.Variables, isCounter) != 1)
      return std::nullopt;
    P -= T;
    if ((T.Factor < 0) == Largest)
      continue; // the counter is 0
    const SCEV *Count = SE.getBackedgeTakenCount(L);
    if (isa<SCEVCouldNotCompute>(Count) ||
        SE.getTypeSizeInBits(Count->getType()) > SE.getTypeSizeInBits(Ty))
      return std::nullopt;
    auto Last = expand(SE.getNoopOrSignExtend(MaxRemover(SE).visit(Count), Ty));
    if (Last)
      Last = ordinary(*Last, false);
    if (!Last)
      return std::nullopt;
    erase_if(T.Variables, isCounter);
    P.add(*Last, T);
    if (P.isTooLarge())
      return std::nullopt;
  }
  return std::nullopt;
}

/// Is \p Rest j - depth, and \p Quotient one more than the program's row, since
/// n - depth + j was divided by n?  In the first iteration that is no place of
/// a row; as far as the row goes it is one of the row before.
bool Delineariser::isAtEnd(const Polynomial &Size, const Polynomial &Quotient,
                           const Polynomial &Rest) {
  if (constantOf(Quotient) <= 0)
    return false;
  Polynomial Before = Rest;
  Before += Size;
  Fit Here, InRow;
  compare(Size, Rest, Here);
  compare(Size, Before, InRow);
  return !Here.Ordinary && !Here.Narrow && !Here.Tiny &&
         (InRow.Ordinary || InRow.Narrow);
}

/// Are \p Quotient and \p Rest j - first and i - low of an array with lower
/// bounds that are variables, as an allocatable one of Fortran's?  Such bounds
/// may well be 0 or less, and the row before may be in front of the array: it
/// is where they are 1, or its number has a bound taken away as well and the
/// place is in this row where that is 0.
bool Delineariser::hasBounds(const Polynomial &Quotient,
                             const Polynomial &Rest) {
  Polynomial Before = Quotient;
  Before.add({{}, -1});
  auto Row = extreme(Before, false), Place = extreme(Rest, false);
  if (!Row || !Place || isNatural(*Row))
    return false;
  return Row->valueAtOnes() < 0 || withNothingTaken(*Place).valueAt(Small) >= 0;
}

/// A subscript that is negative, or beyond the row, in all iterations belongs
/// to the row before or after; so does one of an access that \p IsAlways done
/// and begins in the row before.  Values are taken to be positive, as sizes
/// are, unless they look like lower bounds.
void Delineariser::moveIntoRow(const Polynomial &Size, Polynomial &Quotient,
                               Polynomial &Rest, bool IsAlways) {
  auto Largest = extreme(Rest, true);
  bool IsBefore = Largest && !Largest->isZero() && Largest->hasSign(true);
  bool IsSure = IsBefore && Largest->degree() == 0; // whatever values are
  bool MayMove = IsBefore || (IsAlways && isAtEnd(Size, Quotient, Rest));
  if (IsSure || (MayMove && !hasBounds(Quotient, Rest))) {
    Rest += Size;
    Quotient.add({{}, -1});
    return;
  }
  auto Smallest = extreme(Rest, false);
  auto Row = ordinary(Size, true);
  if (Smallest && Row) {
    *Smallest -= *Row;
    if (Smallest->hasSign(false)) {
      Rest -= Size;
      Quotient.add({{}, 1});
    }
  }
}

void Delineariser::compare(const Polynomial &Size, const Polynomial &Rest,
                           Fit &Fits) {
  auto Smallest = extreme(Rest, false), Largest = extreme(Rest, true);
  auto Row = ordinary(Size, true);
  if (!Smallest || !Largest || !Row) {
    Fits.Within = false;
    return;
  }
  Polynomial Left = *Row;
  Left.add({{}, -1});
  Left -= *Largest;
  Fits.Within &= isNatural(*Smallest) && isNatural(Left);
  Fits.Ordinary &= Smallest->valueAt(Small) >= 0 && Left.valueAt(Small) >= 0;
  Fits.Narrow &= Smallest->valueAt(2) >= 0 && Left.valueAt(2) >= 0;
  Fits.Tiny &= Smallest->valueAtOnes() >= 0 && Left.valueAtOnes() >= 0;
}

/// Has each counter a subscript of its own, as in rows of m + 8 elements i and
/// j have in a[i * (m + 8) + j]?  In rows of m these are i and 8 * i + j.
bool Delineariser::areApart(ArrayRef<Polynomial> Subscripts) {
  SmallPtrSet<const SCEV *, 8> Before;
  for (const Polynomial &P : Subscripts) {
    SmallPtrSet<const SCEV *, 8> Here;
    for (const Polynomial::Term &T : P.terms())
      for (const SCEV *Factor : T.Variables)
        if (isCounter(Factor))
          Here.insert(Factor);
    for (const SCEV *Counter : Here)
      if (!Before.insert(Counter).second)
        return false;
  }
  return true;
}

SmallVector<const SCEV *, 4>
Delineariser::subscripts(const SCEV *Offset, ArrayRef<const SCEV *> Sizes,
                         bool IsAlways, Fit &Fits) {
  SmallVector<const SCEV *, 4> Result;
  SmallVector<Polynomial, 4> Parts;
  auto P = expand(Offset);
  if (!P || P->isTooLarge())
    return {};
  for (unsigned D = Sizes.size(); D-- > 0;) {
    auto Size = expand(Sizes[D]);
    auto Division = Size ? P->divide(*Size) : std::nullopt;
    if (!Division)
      return {};
    Polynomial &Rest = Division->second;
    P = Division->first;
    if (D + 1 == Sizes.size()) {
      if (!Rest.isZero())
        return {};
      continue;
    }
    moveIntoRow(*Size, *P, Rest, IsAlways);
    compare(*Size, Rest, Fits);
    Parts.push_back(Rest);
    Result.push_back(build(Rest));
  }
  Parts.push_back(*P);
  for (Polynomial &Part : Parts)
    if (auto Sum = withCounters(Part))
      Part = *Sum;
  Fits.Apart &= areApart(Parts);
  Result.push_back(build(*P));
  std::reverse(Result.begin(), Result.end());
  return Result;
}

/// How \p Offset grows, or falls, with each of its counters, where that depends
/// on values.
void Delineariser::addSteps(const Polynomial &Offset,
                            SmallVectorImpl<Polynomial> &Steps) {
  MapVector<const SCEV *, Polynomial> OfCounter;
  for (Polynomial::Term T : Offset.terms())
    if (count_if(T.Variables, isCounter) == 1) {
      const SCEV *Counter = *find_if(T.Variables, isCounter);
      erase_if(T.Variables, isCounter);
      OfCounter[Counter].add(T);
    }
  for (auto &[Counter, Step] : OfCounter) {
    if (Step.degree() == 0)
      continue;
    if (Step.valueAt(Small) < 0) {
      Polynomial Falls;
      Falls -= Step;
      Step = Falls;
    }
    if (!is_contained(Steps, Step))
      Steps.push_back(Step);
  }
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
    if (Shapes.size() >= MaxShapes || Step.degree() <= Part.degree())
      continue;
    auto Division = Step.divide(Part);
    if (!Division || !Division->second.isZero())
      continue;
    Shape Next = {build(Division->first)};
    Next.append(Inner);
    addShapes(Step, Rows - 1, Steps, Next, Shapes);
  }
}

SmallVector<Shape, 4> Delineariser::shapes(ArrayRef<DetectedAccess> Accesses,
                                           const SCEV *Element, size_t Rows) {
  SmallVector<Polynomial, 8> Steps;
  for (const DetectedAccess &A : Accesses)
    if (auto P = expand(A.Offset))
      if (auto Sum = withCounters(*P))
        addSteps(*Sum, Steps);
  SmallVector<Shape, 4> Shapes;
  if (auto Part = expand(Element))
    addShapes(*Part, Rows, Steps, {Element}, Shapes);
  return Shapes;
}

/// The accesses to one array.
class ArrayRefiner {
public:
  ArrayRefiner(polly::ScopDetection::DetectionContext &Context, const Region &R,
               const LoopInfo &LI, const DominatorTree &DT, ScalarEvolution &SE)
      : Context(Context), R(R), LI(LI), DT(DT), SE(SE) {}

  void add(const DetectedAccess &A) { Accesses.push_back(A); }

  /// Better subscripts for the shape that was found, or for another one if only
  /// that keeps all \p Count accesses within their rows, at least for ordinary
  /// sizes, or for the smallest ones, as of borders that few are as wide as, or
  /// if only that gives each counter a subscript of its own.
  void refine(size_t Count);

private:
  polly::ScopDetection::DetectionContext &Context;
  const Region &R;
  const LoopInfo &LI;
  const DominatorTree &DT;
  ScalarEvolution &SE;
  SmallVector<DetectedAccess, 8> Accesses;

  bool isAlways(const Instruction &I) const;

  bool isAffine(ArrayRef<const SCEV *> All, Loop *Scope) {
    return all_of(All, [&](const SCEV *E) {
      return polly::isAffineExpr(&R, Scope, E, SE, &Context.RequiredILS);
    });
  }
  std::vector<Shape> subscripts(const Shape &Sizes, Fit &Fits);
  void improve(size_t Rows, Fit &Known, std::vector<Shape> &Best);
};

/// Is \p I executed in each iteration of all its loops, wherever those have
/// any?
bool ArrayRefiner::isAlways(const Instruction &I) const {
  const BasicBlock *BB = I.getParent();
  for (Loop *L = LI.getLoopFor(BB); L && R.contains(L);
       L = L->getParentLoop()) {
    if (!L->getLoopLatch() || !DT.dominates(BB, L->getLoopLatch()))
      return false;
    const BranchInst *Guard = L->getLoopGuardBranch();
    BB = Guard ? Guard->getParent() : L->getLoopPreheader();
    if (!BB)
      return false;
  }
  return true;
}

/// Those of all accesses; empty where there are none.
std::vector<Shape> ArrayRefiner::subscripts(const Shape &Sizes, Fit &Fits) {
  std::vector<Shape> All;
  for (const DetectedAccess &A : Accesses) {
    Delineariser D(SE, A.Offset->getType());
    All.push_back(D.subscripts(A.Offset, Sizes, isAlways(*A.Access), Fits));
    if (All.back().size() != Sizes.size() ||
        !isAffine(All.back(), LI.getLoopFor(A.Access->getParent())))
      All.back().clear();
    Fits.Within &= !All.back().empty();
    Fits.Ordinary &= !All.back().empty();
    Fits.Tiny &= !All.back().empty();
  }
  return All;
}

/// Take another shape with \p Rows row sizes if that is better.
void ArrayRefiner::improve(size_t Rows, Fit &Known, std::vector<Shape> &Best) {
  polly::ArrayShape &Found = *Accesses.front().Found->Shape;
  for (const Shape &Other :
       Delineariser(SE, Accesses.front().Offset->getType())
           .shapes(Accesses, Found.DelinearizedSizes.back(), Rows)) {
    Fit Fits;
    auto Subscripts = subscripts(Other, Fits);
    bool IsBetter =
        Fits.Within ||
        (Fits.Ordinary && (!Known.Ordinary || (Fits.Apart && !Known.Apart))) ||
        (Fits.Tiny && !Known.Ordinary && !Known.Tiny);
    if (!IsBetter || !isAffine(Other, nullptr))
      continue;
    Found.DelinearizedSizes = Other;
    Best = Subscripts;
    Known = Fits;
    if (Fits.Within)
      return;
  }
}

void ArrayRefiner::refine(size_t Count) {
  if (Accesses.empty())
    return;
  polly::ArrayShape &Found = *Accesses.front().Found->Shape;
  Fit Known;
  auto Best = subscripts(Found.DelinearizedSizes, Known);
  if (!Known.Within && Accesses.size() == Count) {
    size_t Rows = Found.DelinearizedSizes.size() - 1;
    improve(Rows, Known, Best);
    // The step of a loop around, as of blocks of columns, may be none.
    if (Rows > 1 && !Known.Ordinary && !Known.Narrow && !Known.Tiny)
      improve(Rows - 1, Known, Best);
  }
  for (unsigned A = 0; A < Accesses.size(); ++A)
    if (!Best[A].empty())
      Accesses[A].Found->DelinearizedSubscripts = Best[A];
}

} // namespace

namespace polygpu {

void refineSubscripts(const polly::ScopDetection &SD, const Region &R,
                      const LoopInfo &LI, const DominatorTree &DT,
                      ScalarEvolution &SE) {
  editAccesses(SD, R, [&](ArrayRef<DetectedAccess> All, auto &Context) {
    ArrayRefiner Array(Context, R, LI, DT, SE);
    for (const DetectedAccess &A : All)
      if (A.Found)
        Array.add(A);
    Array.refine(All.size());
  });
}

} // namespace polygpu
