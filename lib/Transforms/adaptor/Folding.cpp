//===- Folding.cpp - Subscripts in front of a row -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "adaptor/Folding.h"
#include "polly/ScopInfo.h"
#include "polly/Support/ISLTools.h"

using namespace llvm;

extern "C" void
__wrap__ZN5polly12MemoryAccess18foldAccessRelationEv(polly::MemoryAccess *MA);

namespace polygpu {

namespace {
/// Where a subscript may be, and subscripts of that dimension and the one in
/// front of it.
struct Place {
  isl::multi_pw_aff Same;
  isl::pw_aff Row, Column, Size;
  unsigned D;

  Place(const isl::space &Elements, unsigned D, isl::pw_aff Size)
      : Same(isl::multi_aff::identity_on_domain(Elements).to_multi_pw_aff()),
        Row(Same.at(D - 1)), Column(Same.at(D)),
        Size(Size.insert_domain(Elements)), D(D) {}
  isl::set before() const { return Column.lt_set(Column.sub(Column)); }
  isl::set behind() const { return Column.ge_set(Size); }
  /// { A[x] -> A[x] } for elements whose name is one of another row, \p By rows
  /// from here.
  isl::map moved(const isl::set &From, int By) const {
    return Same.set_at(D - 1, Row.add_constant(By))
        .set_at(D, By < 0 ? Column.add(Size) : Column.sub(Size))
        .as_map()
        .intersect_domain(From);
  }
};
} // namespace

/// { A[x] -> A[x] } where subscript \p D is not negative, and otherwise the
/// element of the row before; and likewise \p Behind the row's end.
static isl::map foldOne(isl::space Elements, unsigned D, isl::pw_aff Size,
                        bool Behind) {
  Place P(Elements, D, Size);
  isl::set Before = P.before(), Stays = Before.complement();
  isl::map Folded = P.moved(Before, -1);
  if (Behind) {
    Folded = Folded.unite(P.moved(P.behind(), 1));
    Stays = Stays.subtract(P.behind());
  }
  return P.Same.as_map().intersect_domain(Stays).unite(Folded);
}

isl::map foldAccesses(isl::map Accesses, ArrayRef<isl::pw_aff> Sizes,
                      bool Behind) {
  isl::space Elements = Accesses.range().get_space();
  for (unsigned D = Sizes.size() - 1; D > 0; --D)
    if (!Sizes[D].is_null())
      Accesses = Accesses.apply_range(foldOne(Elements, D, Sizes[D], Behind));
  return Accesses;
}

/// How often \p Size is in \p Column, by the parameter that it begins with; 0
/// as well: that is no whole number.
static long timesIn(const isl::pw_aff &Column, const isl::pw_aff &Size) {
  if (Size.is_null() || !Column.isa_aff().is_true() ||
      !Size.isa_aff().is_true())
    return 0;
  isl::aff Of = Column.as_aff(), By = Size.as_aff();
  isl::space Known = Size.get_space(), Space = Column.get_space();
  unsigned N = unsignedFromIslSize(Known.dim(isl::dim::param));
  for (unsigned I = 0; I < N; ++I) {
    isl::val Step =
        isl::manage(isl_aff_get_coefficient_val(By.get(), isl_dim_param, I));
    if (Step.is_zero())
      continue;
    int Same = isl_space_find_dim_by_id(
        Space.get(), isl_dim_param, Known.get_dim_id(isl::dim::param, I).get());
    if (Same < 0)
      return 0;
    isl::val Times =
        isl::manage(isl_aff_get_coefficient_val(Of.get(), isl_dim_param, Same))
            .div(Step);
    return Times.is_int().is_true() ? Times.get_num_si() : 0;
  }
  return 0;
}

/// A[i][j - m], where rows have m elements, is A[i - 1][j] whatever j is: C
/// that was made of Fortran has pointers to one row in front of an array.
static isl::map moveRows(const isl::map &Accesses,
                         ArrayRef<isl::pw_aff> Sizes) {
  if (!Accesses.is_single_valued().is_true())
    return Accesses;
  isl::multi_pw_aff Place = Accesses.as_pw_multi_aff().to_multi_pw_aff();
  for (unsigned D = Sizes.size() - 1; D > 0; --D) {
    long Times = timesIn(Place.at(D), Sizes[D]);
    if (Times == 0)
      continue;
    isl::pw_aff Rows =
        Sizes[D].insert_domain(Accesses.domain().get_space()).scale(Times);
    Place = Place.set_at(D, Place.at(D).sub(Rows))
                .set_at(D - 1, Place.at(D - 1).add_constant(Times));
  }
  return Place.as_map();
}

/// Does an access leave its row whatever the sizes are?
static bool leavesRow(const isl::map &Accesses, const isl::set &Domain,
                      ArrayRef<isl::pw_aff> Sizes) {
  isl::set Elements = Accesses.intersect_domain(Domain).range();
  isl::set Always = Domain.params();
  for (unsigned D = 1; D < Sizes.size(); ++D) {
    if (Sizes[D].is_null())
      continue;
    Place P(Elements.get_space(), D, Sizes[D]);
    if (Always
            .is_subset(
                Elements.intersect(P.before().unite(P.behind())).params())
            .is_true())
      return true;
  }
  return false;
}

/// Sizes of \p Array as they are folded by.
static SmallVector<isl::pw_aff, 4> sizesOf(const polly::ScopArrayInfo &Array) {
  SmallVector<isl::pw_aff, 4> Sizes(1);
  for (unsigned D = 1; D < Array.getNumberOfDimensions(); ++D)
    Sizes.push_back(isa<SCEVConstant>(Array.getDimensionSize(D))
                        ? isl::pw_aff()
                        : isl::manage(isl_pw_aff_project_domain_on_params(
                              Array.getDimensionSizePw(D).release())));
  return Sizes;
}

} // namespace polygpu

/// More pieces would make the run-time condition more complex; where there are
/// subscripts of both kinds, those outside of rows are left to it, unless it
/// would never hold.
void __wrap__ZN5polly12MemoryAccess18foldAccessRelationEv(
    polly::MemoryAccess *MA) {
  isl::map Old = MA->getLatestAccessRelation();
  auto Sizes = polygpu::sizesOf(*MA->getOriginalScopArrayInfo());
  if (Sizes.size() < 2 ||
      unsignedFromIslSize(Old.range_tuple_dim()) != Sizes.size() ||
      Sizes[1].is_null())
    return;
  isl::set Domain = MA->getStatement()->getDomain();
  isl::map New =
      polygpu::foldAccesses(Old, Sizes, /*Behind=*/false).gist_domain(Domain);
  if (unsignedFromIslSize(New.n_basic_map()) <=
      unsignedFromIslSize(Old.n_basic_map()))
    MA->setAccessRelation(New);
  else
    New = Old;
  if (!polygpu::leavesRow(New, Domain, Sizes))
    return;
  isl::map Moved = polygpu::moveRows(Old, Sizes);
  if (polygpu::leavesRow(Moved, Domain, Sizes))
    Moved = polygpu::foldAccesses(New, Sizes, /*Behind=*/true);
  MA->setAccessRelation(Moved.gist_domain(Domain));
}
