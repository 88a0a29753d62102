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

/// { A[x] -> A[x] } where subscript \p D is not negative, and otherwise the
/// element of the row before.
static isl::map foldOne(isl::space Elements, unsigned D, isl::pw_aff Size) {
  isl::multi_pw_aff Same =
      isl::multi_aff::identity_on_domain(Elements).to_multi_pw_aff();
  isl::pw_aff Row = Same.at(D - 1), Column = Same.at(D);
  isl::set Before = Column.lt_set(Column.sub(Column));
  isl::multi_pw_aff Moved =
      Same.set_at(D - 1, Row.add_constant(-1))
          .set_at(D, Column.add(Size.insert_domain(Elements)));
  isl::map Stays = Same.as_map().intersect_domain(Before.complement());
  return Stays.unite(Moved.as_map().intersect_domain(Before));
}

isl::map foldAccesses(isl::map Accesses, ArrayRef<isl::pw_aff> Sizes) {
  isl::space Elements = Accesses.range().get_space();
  for (unsigned D = Sizes.size() - 1; D > 0; --D)
    if (!Sizes[D].is_null())
      Accesses = Accesses.apply_range(foldOne(Elements, D, Sizes[D]));
  return Accesses;
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
/// subscripts of both kinds, negative ones are left to it.
void __wrap__ZN5polly12MemoryAccess18foldAccessRelationEv(
    polly::MemoryAccess *MA) {
  isl::map Old = MA->getLatestAccessRelation();
  auto Sizes = polygpu::sizesOf(*MA->getOriginalScopArrayInfo());
  if (Sizes.size() < 2 ||
      unsignedFromIslSize(Old.range_tuple_dim()) != Sizes.size() ||
      Sizes[1].is_null())
    return;
  isl::map New = polygpu::foldAccesses(Old, Sizes)
                     .gist_domain(MA->getStatement()->getDomain());
  if (unsignedFromIslSize(New.n_basic_map()) <=
      unsignedFromIslSize(Old.n_basic_map()))
    MA->setAccessRelation(New);
}
