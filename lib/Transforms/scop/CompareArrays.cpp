//===- CompareArrays.cpp - Arrays that may overlap at run time ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "scop/CompareArrays.h"
#include "IslErrors.h"
#include "adaptor/PollyAdaptor.h"
#include "polly/Support/GICHelper.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using polly::MemoryAccess;
using polly::ScopArrayInfo;
using Range = polly::Scop::MinMaxAccessTy;

namespace polygpu {

/// Comparisons of a condition: of those that are written with each other, and
/// of each with those that are only read, like coefficients in variables.
static const unsigned MaxComparisons = 200;
/// isl operations for the ranges of a SCoP.
static const unsigned MaxOperations = 1000000;
/// Parts of an array from which its range is made exactly.
static const int MaxRangeParts = 8;

namespace {
using Accesses = SmallVector<MemoryAccess *, 8>;

/// Accesses of which each happens together with another one.
struct Company {
  isl::set Params; ///< for which some of them happen
  Accesses Members;
  Accesses Neighbours; ///< of the same arrays, which overlap none of these
};
} // namespace

/// What \p MA accesses; nothing for calls, which Legality.h turns down.
static std::optional<MemoryLocation> locationOf(const MemoryAccess &MA) {
  const Instruction *I = MA.getAccessInstruction();
  if (const auto *Transfer = dyn_cast<MemTransferInst>(I);
      Transfer && MA.isRead())
    return MemoryLocation::getForSource(Transfer);
  if (const auto *Memory = dyn_cast<MemIntrinsic>(I))
    return MemoryLocation::getForDest(Memory);
  if (getLoadStorePointerOperand(I))
    return MemoryLocation::get(I);
  return std::nullopt;
}

namespace {
/// Accesses that may be of the same memory, and what they access.
struct AliasClass {
  SmallVector<MemoryLocation, 8> Locations;
  Accesses Members;
};
} // namespace

/// Add \p MA to the classes that it may overlap with, which become one.  LLVM's
/// AliasSetTracker takes all for one class where there are more than 250.
static void addToClasses(std::vector<AliasClass> &Classes, MemoryAccess *MA,
                         const MemoryLocation &Where, BatchAAResults &AA) {
  AliasClass New = {{}, {MA}};
  bool IsKnown = false;
  erase_if(Classes, [&](const AliasClass &Old) {
    if (none_of(Old.Locations, [&](const MemoryLocation &Other) {
          return Other == Where || !AA.isNoAlias(Other, Where);
        }))
      return false;
    IsKnown |= is_contained(Old.Locations, Where);
    append_range(New.Locations, Old.Locations);
    New.Members.insert(New.Members.begin(), Old.Members.begin(),
                       Old.Members.end());
    return true;
  });
  if (!IsKnown)
    New.Locations.push_back(Where);
  Classes.push_back(std::move(New));
}

/// Accesses that may be of the same memory.
static std::vector<AliasClass> findAliases(polly::Scop &S, AAResults &AA) {
  BatchAAResults Batch(AA);
  std::vector<AliasClass> Classes;
  for (polly::ScopStmt &Stmt : S)
    for (MemoryAccess *MA : Stmt)
      if (MA->isOriginalArrayKind())
        if (auto Where = locationOf(*MA))
          addToClasses(Classes, MA, *Where, Batch);
  return Classes;
}

/// What never happens for the same parameters need not be compared.
static std::vector<Company> findCompanies(ArrayRef<MemoryAccess *> All) {
  std::vector<Company> Companies;
  for (MemoryAccess *MA : All) {
    Company New = {MA->getStatement()->getDomain().params(), {MA}, {}};
    erase_if(Companies, [&](const Company &Old) {
      if (New.Params.is_disjoint(Old.Params).is_true())
        return false;
      New.Params = New.Params.unite(Old.Params).coalesce();
      append_range(New.Members, Old.Members);
      return true;
    });
    Companies.push_back(std::move(New));
  }
  return Companies;
}

/// A superset of \p Elements of which the first and the last one are quick to
/// find.  Parts are joined before they are counted: where the first rows of a
/// stencil are statements of their own, there are many for one box.  The hull
/// has those constraints only that hold for all parts, and they need not bound
/// it; it may have rows behind the array, with another one right there.
static isl::set simplify(isl::set Elements) {
  Elements = Elements.remove_divs();
  if (isl_set_n_basic_set(Elements.get()) > MaxRangeParts)
    Elements = Elements.coalesce();
  if (isl_set_n_basic_set(Elements.get()) <= MaxRangeParts)
    return Elements;
  isl::set Hull = Elements.simple_hull();
  return Hull.is_bounded().is_false() ? Elements : Hull;
}

/// The parameters of runs that get as far as to compare: something happens, and
/// what is assumed of sizes holds.  For others a range would have pieces, and
/// an overflow in one that is not taken counts as one.
isl::set comparedParams(polly::Scop &S) {
  static const unsigned MostOperations = 20000;
  OperationLimit Limit(S.getIslCtx().get(), MostOperations);
  isl::set Params = S.getDomains()
                        .params()
                        .intersect(S.getAssumedContext())
                        .subtract(S.getInvalidContext())
                        .intersect(S.getContext());
  isl::set Hull = Params.simple_hull();
  return Hull.is_empty().is_false() ? Hull
                                    : isl::set::universe(S.getParamSpace());
}

/// \p Value for \p Params: without the pieces that none of them takes.
static isl::pw_multi_aff piecesFor(const isl::pw_multi_aff &Value,
                                   const isl::set &Params) {
  if (isl_pw_multi_aff_n_piece(Value.get()) < 2)
    return Value;
  isl_pw_multi_aff *Taken = isl_pw_multi_aff_empty(Value.get_space().release());
  Value.foreach_piece([&](isl::set Where, const isl::multi_aff &Piece) {
    Where = Where.intersect(Params);
    if (!Where.is_empty().is_true())
      Taken = isl_pw_multi_aff_union_add(
          Taken, isl_pw_multi_aff_alloc(Where.release(), Piece.copy()));
    return isl::stat::ok();
  });
  return isl::manage(isl_pw_multi_aff_gist_params(Taken, Params.copy()));
}

/// Where \p Elements, which are bounded, begin and the one behind the last, for
/// \p Params.
static Range endsOf(const isl::set &Elements, const isl::set &Params) {
  auto TakenOf = [&](const isl::pw_multi_aff &Value) {
    return piecesFor(Value.coalesce(), Params);
  };
  isl::pw_multi_aff First = TakenOf(Elements.lexmin_pw_multi_aff());
  isl_pw_multi_aff *End = TakenOf(Elements.lexmax_pw_multi_aff()).release();
  isl_size Dims = isl_pw_multi_aff_dim(End, isl_dim_out);
  if (Dims < 1)
    return {First, isl::manage(isl_pw_multi_aff_free(End))};
  isl_pw_aff *Last = isl_pw_multi_aff_get_pw_aff(End, Dims - 1);
  Last = isl_pw_aff_add_constant_val(
      Last, isl_val_one(isl_pw_multi_aff_get_ctx(End)));
  return {First, isl::manage(isl_pw_multi_aff_set_pw_aff(End, Dims - 1, Last))};
}

/// Are \p Elements, or some of them, a few apart from each other, as those of a
/// loop that is unrolled by hand, and quick to look at?
static bool haveStrides(const isl::set &Elements) {
  isl_size Strides = 0;
  bool IsSimple = isl_set_n_basic_set(Elements.get()) <= MaxRangeParts;
  Elements.foreach_basic_set([&](const isl::basic_set &Part) {
    isl_size Own = isl_basic_set_dim(Part.get(), isl_dim_div);
    IsSimple &= Own >= 0 && Own <= 1;
    Strides += Own;
    return isl::stat::ok();
  });
  return IsSimple && Strides > 0;
}

/// The same where what is known of strides tells the last element: arrays may
/// lie right behind each other.  Null where it has several pieces, or none.
static Range stridedRangeOf(isl::set Elements, const isl::set &Params) {
  Elements = Elements.coalesce();
  if (!haveStrides(Elements) || !Elements.is_bounded().is_true())
    return Range();
  Range R = endsOf(Elements, Params);
  if (isl_pw_multi_aff_n_piece(R.first.get()) != 1 ||
      isl_pw_multi_aff_n_piece(R.second.get()) != 1)
    return Range();
  return R;
}

/// The first of \p Elements and the one behind the last, for \p Params.  Null
/// if there is none.  What holds of \p Params is for isl to know only where
/// the result has parts without: with many constraints, to search the first
/// element took most of the time of some files.
Range rangeOf(isl::set Elements, const isl::set &Params) {
  if (Range Exact = stridedRangeOf(Elements, Params); !Exact.first.is_null())
    return Exact;
  isl::set Anywhere = simplify(Elements);
  if (Anywhere.is_bounded().is_true()) {
    Elements = Anywhere;
  } else {
    Elements = simplify(Elements.intersect_params(Params));
    if (Elements.is_bounded().is_false())
      return Range();
  }
  return endsOf(Elements, Params);
}

static Refusal cannotCompare(const ScopArrayInfo &SAI, const std::string &Why) {
  return {"Overlap",
          "'" + sourceName(SAI.getBasePtr()) +
              "' may overlap other arrays, and " + Why +
              "; declare pointers to separate arrays restrict, or split the "
              "loops",
          DebugLoc()};
}

/// Is there an order of two accesses of \p C that could count?
static bool needsComparison(const Company &C) {
  return any_of(C.Members, [](MemoryAccess *MA) { return MA->isWrite(); }) &&
         any_of(C.Members, [&](MemoryAccess *MA) {
           return MA->getOriginalScopArrayInfo() !=
                  C.Members.front()->getOriginalScopArrayInfo();
         });
}

/// Let \p C compare \p MA as well if it compares the same array: an access of
/// which alias analysis knows that it overlaps nothing, beside others of which
/// it does not, would else be outside of what is compared of its array.
static void addNeighbour(Company &C, MemoryAccess *MA) {
  isl::set Params = MA->getStatement()->getDomain().params();
  if (MA->isAffine() &&
      any_of(C.Members,
             [&](MemoryAccess *Other) {
               return Other->getOriginalScopArrayInfo() ==
                      MA->getOriginalScopArrayInfo();
             }) &&
      !Params.is_disjoint(C.Params).is_true())
    C.Neighbours.push_back(MA);
}

/// Accesses that have to be compared with each other.
static std::vector<Company> findCompared(polly::Scop &S, AAResults &AA) {
  std::vector<Company> Compared;
  Accesses Others;
  for (const AliasClass &Class : findAliases(S, AA))
    for (Company &C : findCompanies(Class.Members))
      if (needsComparison(C))
        Compared.push_back(std::move(C));
      else
        append_range(Others, C.Members);
  for (Company &C : Compared)
    for (MemoryAccess *MA : Others)
      addNeighbour(C, MA);
  return Compared;
}

static isl::set elementsOf(const MemoryAccess &MA) {
  return MA.getAccessRelation()
      .intersect_domain(MA.getStatement()->getDomain())
      .range();
}

static std::optional<Refusal> compare(polly::Scop &S, const Company &C,
                                      const isl::set &Params) {
  struct Use {
    isl::set Elements;
    bool Any = false, Written = false, Affine = true;
  };
  MapVector<const ScopArrayInfo *, Use> Arrays;
  for (MemoryAccess *MA : C.Members) {
    Use &U = Arrays[MA->getOriginalScopArrayInfo()];
    U.Elements = U.Any ? U.Elements.unite(elementsOf(*MA)) : elementsOf(*MA);
    U.Any = true;
    U.Written |= MA->isWrite();
    U.Affine &= MA->isAffine();
  }
  for (MemoryAccess *MA : C.Neighbours) {
    Use &U = Arrays[MA->getOriginalScopArrayInfo()];
    U.Elements = U.Elements.unite(elementsOf(*MA));
  }
  size_t Written =
      count_if(Arrays, [](const auto &A) { return A.second.Written; });
  size_t Read = Arrays.size() - Written;
  if (Written * (Written - 1) / 2 + Written * Read > MaxComparisons)
    return cannotCompare(*Arrays.front().first,
                         std::to_string(Arrays.size()) +
                             " arrays are too many to compare at run time");
  polly::Scop::MinMaxVectorTy Writes, Reads;
  for (auto &[SAI, U] : Arrays) {
    Range R = U.Affine ? rangeOf(U.Elements, Params) : Range();
    if (R.first.is_null() || R.second.is_null())
      return cannotCompare(*SAI, "what is accessed of it has no simple bounds "
                                 "that could be compared at run time");
    (U.Written ? Writes : Reads).push_back(R);
  }
  S.addAliasGroup(Writes, Reads);
  return std::nullopt;
}

static std::optional<Refusal> compareAll(polly::Scop &S, AAResults &AA) {
  std::vector<Company> Compared = findCompared(S, AA);
  if (Compared.empty())
    return std::nullopt;
  const isl::set Params = comparedParams(S);
  OperationLimit Limit(S.getIslCtx().get(), MaxOperations);
  for (const Company &C : Compared)
    if (auto Why = compare(S, C, Params))
      return Why;
  return std::nullopt;
}

//===-- Assumed places ----------------------------------------------------===//

/// The byte of number \p Byte behind \p Address, as one of an array that
/// nothing in \p S accesses.
static isl::pw_multi_aff pointAt(polly::Scop &S, Value *Address,
                                 uint64_t Byte) {
  const ScopArrayInfo *SAI = S.getOrCreateScopArrayInfo(
      Address, Type::getInt8Ty(Address->getContext()), {nullptr},
      polly::MemoryKind::Array);
  isl_local_space *Params =
      isl_local_space_from_space(S.getParamSpace().release());
  isl_val *Number = isl_val_int_from_ui(isl_local_space_get_ctx(Params), Byte);
  isl_multi_aff *Point =
      isl_multi_aff_from_aff(isl_aff_val_on_domain(Params, Number));
  Point = isl_multi_aff_set_tuple_id(Point, isl_dim_out,
                                     SAI->getBasePtrId().release());
  return isl::manage(isl_pw_multi_aff_from_multi_aff(Point));
}

static Range rangeOf(polly::Scop &S, const AssumedPlace &Place) {
  return {pointAt(S, Place.Address, 0),
          Place.End ? pointAt(S, Place.End, 0)
                    : pointAt(S, Place.Address, Place.Bytes)};
}

/// What is written of each array by accesses that may be of one of the places.
static MapVector<const ScopArrayInfo *, isl::set>
writesNear(polly::Scop &S, AAResults &AA, ArrayRef<AssumedPlace> Places) {
  BatchAAResults Batch(AA);
  MapVector<const ScopArrayInfo *, isl::set> Found;
  for (polly::ScopStmt &Stmt : S)
    for (MemoryAccess *MA : Stmt) {
      if (!MA->isOriginalArrayKind() || !MA->isWrite())
        continue;
      auto Where = locationOf(*MA);
      if (Where && all_of(Places, [&](const AssumedPlace &P) {
            return Batch.isNoAlias(
                *Where,
                MemoryLocation(placeOf(P),
                               P.End ? LocationSize::beforeOrAfterPointer()
                                     : LocationSize::precise(P.Bytes)));
          }))
        continue;
      isl::set Elements =
          MA->getAccessRelation().intersect_domain(Stmt.getDomain()).range();
      isl::set &All = Found[MA->getOriginalScopArrayInfo()];
      All = All.is_null() ? Elements : All.unite(Elements);
      if (!MA->isAffine())
        All = isl::set::universe(Elements.get_space());
    }
  return Found;
}

/// Let the condition say that nothing of the places is written.
static std::optional<Refusal> compareAssumed(polly::Scop &S, AAResults &AA,
                                             ArrayRef<AssumedPlace> Places) {
  const isl::set Params = comparedParams(S);
  OperationLimit Limit(S.getIslCtx().get(), MaxOperations);
  polly::Scop::MinMaxVectorTy Reads;
  for (const AssumedPlace &P : Places)
    Reads.push_back(rangeOf(S, P));
  auto Written = writesNear(S, AA, Places);
  if (Written.size() * Reads.size() > MaxComparisons && !Written.empty())
    return cannotCompare(*Written.front().first,
                         "there are too many bounds and pointers to compare "
                         "with it at run time");
  for (auto &[SAI, Elements] : Written) {
    Range R = rangeOf(Elements, Params);
    if (R.first.is_null() || R.second.is_null())
      return cannotCompare(*SAI, "what is written of it has no simple bounds "
                                 "that could be compared at run time");
    polly::Scop::MinMaxVectorTy Writes = {R};
    S.addAliasGroup(Writes, Reads);
  }
  return std::nullopt;
}

std::optional<Refusal> compareArrays(polly::Scop &S, AAResults &AA,
                                     ArrayRef<AssumedPlace> Assumed) {
  takeRanges(S);
  IslErrors Errors(S.getIslCtx().get(), "comparison of arrays");
  std::optional<Refusal> Why = compareAll(S, AA);
  if (!Why && !Assumed.empty())
    Why = compareAssumed(S, AA, Assumed);
  return Errors.refuse(Why);
}

} // namespace polygpu
