//===- EntryGuards.cpp - What holds where a SCoP is entered ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "scop/EntryGuards.h"
#include "polly/ScopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace polygpu {

/// The smallest of 0 and 1 that \p E is known to be at least where \p At is
/// executed; null if it may be negative.
static std::optional<int> leastOf(ScalarEvolution &SE, const SCEV *E,
                                  const Instruction &At) {
  const SCEV *Zero = SE.getZero(E->getType());
  if (SE.isKnownPredicateAt(ICmpInst::ICMP_SGT, E, Zero, &At))
    return 1;
  if (SE.isKnownPredicateAt(ICmpInst::ICMP_SGE, E, Zero, &At))
    return 0;
  return std::nullopt;
}

/// The number of parameter \p E in \p Set; negative: it has none.
static int placeOf(const polly::Scop &S, const isl::set &Set, const SCEV *E) {
  return isl_set_find_dim_by_id(Set.get(), isl_dim_param,
                                S.getIdForParam(E).get());
}

/// \p E in its own width.
static const SCEV *narrow(const SCEV *E) {
  while (const auto *Wide = dyn_cast<SCEVSignExtendExpr>(E))
    E = Wide->getOperand();
  return E;
}

/// More than these bits are no usual half or quarter.
constexpr unsigned MostShift = 16;

/// Add to \p Known what is between the parameter at \p Whole and that at
/// \p Part, which is Whole >> Shift for a whole of any sign:
/// 2^Shift Part <= Whole <= 2^Shift Part + 2^Shift - 1.
static isl::set knowPart(isl::set Known, int Whole, int Part, unsigned Shift) {
  isl_local_space *Space =
      isl_local_space_from_space(isl_set_get_space(Known.get()));
  for (int Sign : {1, -1}) {
    isl_constraint *C =
        isl_constraint_alloc_inequality(isl_local_space_copy(Space));
    C = isl_constraint_set_coefficient_si(C, isl_dim_param, Whole, Sign);
    C = isl_constraint_set_coefficient_si(C, isl_dim_param, Part,
                                          -Sign * (1 << Shift));
    if (Sign < 0)
      C = isl_constraint_set_constant_si(C, (1 << Shift) - 1);
    Known = isl::manage(isl_set_add_constraint(Known.release(), C));
  }
  isl_local_space_free(Space);
  return Known;
}

/// Is \p E another parameter of \p S shifted to the right?  Scalar evolution
/// takes such a value for an unknown one, unless it knows the sign.
static isl::set knowIfPart(polly::Scop &S, isl::set Known, const SCEV *E) {
  const auto *Part = dyn_cast<SCEVUnknown>(narrow(E));
  Value *Whole;
  const APInt *Shift;
  if (!Part ||
      !match(Part->getValue(), m_AShr(m_Value(Whole), m_APInt(Shift))) ||
      Shift->ugt(MostShift) || !S.getSE()->isSCEVable(Whole->getType()))
    return Known;
  const SCEV *WholeE = narrow(S.getSE()->getSCEV(Whole));
  int PartPlace = placeOf(S, Known, E);
  for (const SCEV *Other : S.parameters())
    if (int Place = placeOf(S, Known, Other);
        Other != E && narrow(Other) == WholeE && Place >= 0 && PartPlace >= 0)
      Known = knowPart(Known, Place, PartPlace,
                       static_cast<unsigned>(Shift->getZExtValue()));
  return Known;
}

void knowEntry(polly::Scop &S) {
  ScalarEvolution &SE = *S.getSE();
  // Only what dominates the entry counts for its first instruction.
  const Instruction &At = S.getEntry()->front();
  isl::set Known = S.getContext();
  for (const SCEV *E : S.parameters()) {
    if (!E->getType()->isIntegerTy())
      continue;
    int Place = placeOf(S, Known, E);
    std::optional<int> Least = leastOf(SE, E, At);
    if (Place >= 0 && Least)
      Known = isl::manage(isl_set_lower_bound_si(Known.release(), isl_dim_param,
                                                 (unsigned)Place, *Least));
    Known = knowIfPart(S, Known, E);
  }
  // A SCoP that is never entered is left as it is.
  if (Known.is_empty().is_false())
    S.setContext(Known);
}

} // namespace polygpu
