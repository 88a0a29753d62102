//===- RunCondition.cpp - When a nest runs on the device ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "host/RunCondition.h"
#include "IslErrors.h"
#include "adaptor/PollyAdaptor.h"
#include "polly/CodeGen/IslAst.h"
#include "polly/ScopInfo.h"
#include "polly/Support/GICHelper.h"
#include "prepare/Versions.h"
#include "llvm/ADT/StringSet.h"
#include <isl/id.h>
#include <isl/set.h>

using namespace llvm;
using AliasGroup = polly::Scop::MinMaxVectorPairTy;

namespace polygpu {

/// isl operations for the text of a condition.
static const unsigned MaxOperations = 100000;
/// What is longer is no help.
static const size_t MaxLength = 400;
static const char *const Complex = "sizes are such that subscripts stay in "
                                   "their rows and no index overflows";
/// Groups of arrays that are told apart where a run is declined.
static const size_t MaxGroups = 4;

static std::string namesOf(const polly::Scop::MinMaxVectorTy &Ranges) {
  std::string Text;
  StringSet<> Named;
  for (const auto &[First, End] : Ranges) {
    isl::id Id = First.get_tuple_id(isl::dim::out);
    const auto *SAI = polly::ScopArrayInfo::getFromId(Id);
    std::string Name = "'" + sourceName(placeOf({SAI->getBasePtr(), 0})) + "'";
    // Only pointers to rows end at another address than they begin at.
    if (End.get_tuple_id(isl::dim::out).get() != Id.get())
      Name = "the pointers in " + Name;
    if (Named.insert(Name).second)
      Text += (Text.empty() ? "" : ", ") + Name;
  }
  return Text;
}

/// The same, "parts of" it if all have one name.
static std::string partsOf(const polly::Scop::MinMaxVectorTy &Ranges) {
  const std::string Text = namesOf(Ranges);
  return (Ranges.size() > 1 && !StringRef(Text).contains("', '") ? "parts of "
                                                                 : "") +
         Text;
}

/// Which arrays of a group must not overlap; "" if there is nothing to compare.
static std::string describeGroup(const AliasGroup &Group) {
  std::string Written = partsOf(Group.first), Read = namesOf(Group.second);
  std::string Text;
  if (Group.first.size() > 1)
    Text = Written + " do not overlap each other";
  if (!Group.second.empty())
    Text +=
        (Text.empty() ? Written + " overlap" +
                            (Group.first.size() == 1 ? "s" : "") + " none of "
                      : " and none of ") +
        Read;
  return Text;
}

/// The contrary.
static std::string describeOverlap(const AliasGroup &Group) {
  std::string Text = partsOf(Group.first) + " overlap" +
                     (Group.first.size() == 1 ? "s " : " ");
  if (Group.second.empty())
    return Text + "each other";
  return Text + (Group.first.size() > 1 ? "each other or " : "") +
         (Group.second.size() > 1 ? "one of " : "") + namesOf(Group.second);
}

static const polly::ScopArrayInfo *
arrayOf(const polly::Scop::MinMaxAccessTy &Range) {
  return polly::ScopArrayInfo::getFromId(
      Range.first.get_tuple_id(isl::dim::out));
}

static bool hasEqual(const AliasGroup &Group,
                     const HarmlessOverlaps &Harmless) {
  return any_of(Group.first, [&](const auto &W) {
    return any_of(Group.second, [&](const auto &R) {
      return Harmless.Equal.count({arrayOf(W), arrayOf(R)}) != 0;
    });
  });
}

/// May rows of arrays of the group lie between each other's?
static bool hasRows(const AliasGroup &Group, const RowParts &Rows) {
  const auto &[Writes, Reads] = Group;
  return any_of(Writes, [&](const auto &W) {
    auto IsOther = [&](const auto &Other) {
      return Rows.mayBeBetween(arrayOf(W), arrayOf(Other));
    };
    return any_of(Writes, IsOther) || any_of(Reads, IsOther);
  });
}

/// How arrays of the group may overlap, "" if they may not.
static std::string describeHarmless(const AliasGroup &Group,
                                    const HarmlessOverlaps &Harmless) {
  const char *Rows =
      hasRows(Group, Harmless.Rows) ? "their rows lie between each other" : "";
  if (!hasEqual(Group, Harmless))
    return *Rows ? " (or " + std::string(Rows) + ")" : "";
  bool IsShifted = any_of(Group.first, [&](const auto &W) {
    return any_of(Group.second, [&](const auto &R) {
      return Harmless.Equal.lookup({arrayOf(W), arrayOf(R)}).has_value();
    });
  });
  return std::string(IsShifted ? " (or begins where elements are read before "
                                 "they are written"
                               : " (or is the same") +
         (*Rows ? ", or " : "") + Rows + ")";
}

/// Which arrays must not overlap, in sentences without an end.
static std::string describeOverlaps(const polly::Scop &S,
                                    const HarmlessOverlaps &Harmless) {
  std::string Text;
  StringSet<> Said;
  for (const AliasGroup &Group : S.getAliasGroups())
    if (std::string Part = describeGroup(Group);
        !Part.empty() && Said.insert(Part).second)
      Text +=
          (Text.empty() ? "" : "; ") + Part + describeHarmless(Group, Harmless);
  return Text;
}

/// \p Context, and that no parameter is longer than 64 bits, which Polly does
/// not say of those that may have all values.
static isl::set withLengths(isl::set Context) {
  isl_set *Set = Context.release();
  isl_ctx *Ctx = isl_set_get_ctx(Set);
  const isl_size N = isl_set_dim(Set, isl_dim_param);
  for (isl_size I = 0; I < N; ++I) {
    Set = isl_set_lower_bound_val(
        Set, isl_dim_param, I,
        isl_val_sub_ui(isl_val_int_from_si(Ctx, -INT64_MAX), 1));
    Set = isl_set_upper_bound_val(Set, isl_dim_param, I,
                                  isl_val_int_from_si(Ctx, INT64_MAX));
  }
  return isl::manage(Set);
}

/// The assumptions on parameters beside what their types say, with the names of
/// the source; null where they are too complex.
static isl::set assumptions(polly::Scop &S, const ImportedScop &Imported) {
  isl::set Context = withLengths(S.getContext());
  isl::set Assumed = S.getAssumedContext()
                         .subtract(S.getInvalidContext())
                         .intersect(Context)
                         .coalesce()
                         .gist(Context)
                         .align_params(S.getParamSpace());
  isl_set *Named = Assumed.release();
  for (unsigned I = 0; I < Imported.Scop->n_param; ++I)
    Named = isl_set_set_dim_id(Named, isl_dim_param, I,
                               isl_id_alloc(S.getIslCtx().get(),
                                            Imported.Scop->params[I].name,
                                            nullptr));
  return isl::manage(Named);
}

/// Which parameters \p Set says something of.
static std::vector<unsigned> involved(const isl::set &Set) {
  std::vector<unsigned> Params;
  const isl_size N = isl_set_dim(Set.get(), isl_dim_param);
  for (isl_size I = 0; I < N; ++I)
    if (isl_set_involves_dims(Set.get(), isl_dim_param, I, 1) == isl_bool_true)
      Params.push_back(I);
  return Params;
}

/// What parameter \p P is in the source, "" if its name says so.
static std::string meaning(const pg_param &P) {
  return StringRef(P.source_name).contains(' ') ? P.source_name : "";
}

std::string valuesOf(const ImportedScop &Imported, ArrayRef<unsigned> Params) {
  std::string Text;
  if (Params.size() > MaxValues)
    return Text;
  for (unsigned I : Params) {
    const pg_param &P = Imported.Scop->params[I];
    std::string Meaning = meaning(P);
    Text += (Text.empty() ? " with " : ", ") + std::string(P.name) + " = %" +
            std::to_string(I) + (Meaning.empty() ? "" : " (" + Meaning + ")");
  }
  return Text;
}

/// ", where p1 is k - 1", of the parameters that \p Sizes is about.
static std::string meanings(const ImportedScop &Imported,
                            const SizeAssumptions &Sizes) {
  std::string Text;
  if (Sizes.Text == Complex)
    return Text;
  for (unsigned I : Sizes.Params)
    if (std::string Meaning = meaning(Imported.Scop->params[I]);
        !Meaning.empty())
      Text += (Text.empty() ? ", where " : ", ") +
              std::string(Imported.Scop->params[I].name) + " is " + Meaning;
  return Text;
}

SizeAssumptions describeSizes(polly::Scop &S, const ImportedScop &Imported) {
  IslErrors Errors(S.getIslCtx().get(), "text of the run-time condition");
  OperationLimit Limit(S.getIslCtx().get(), MaxOperations);
  isl::set Set = assumptions(S, Imported);
  char *Printed = isl_set_to_str(Set.get());
  StringRef Text = Printed ? Printed : "";
  size_t Begin = Text.find(':'), End = Text.rfind('}');
  SizeAssumptions Result{Complex, involved(Set)};
  if (isl_set_plain_is_universe(Set.get()) == isl_bool_true)
    Result.Text = "";
  else if (Begin != StringRef::npos && End - Begin < MaxLength)
    Result.Text = Text.slice(Begin + 1, End).trim().str();
  free(Printed);
  return Result;
}

std::string describeCondition(const polly::Scop &S,
                              const ImportedScop &Imported,
                              const SizeAssumptions &Sizes,
                              const HarmlessOverlaps &Harmless,
                              const std::string &Else) {
  std::string Text;
  for (const std::string &Part :
       {describeOverlaps(S, Harmless),
        Sizes.Text.empty() ? "" : Sizes.Text + meanings(Imported, Sizes), Else})
    if (!Part.empty())
      Text += (Text.empty() ? "runs on the device if " : ", and ") + Part;
  return Text;
}

//===-- Its parts ---------------------------------------------------------===//

static isl::ast_expr addressOf(const isl::pw_multi_aff &Place,
                               const isl::ast_build &Build) {
  return isl::manage(isl_ast_expr_address_of(
      isl_ast_build_access_from_pw_multi_aff(Build.get(), Place.copy())));
}

/// The address of an array's first element, or of another one: its subscripts
/// begin with zeros.
static isl::ast_expr addressOf(const polly::Scop &S,
                               const polly::ScopArrayInfo &SAI,
                               const isl::ast_build &Build,
                               ArrayRef<int64_t> At = {}) {
  isl_multi_aff *Place = nullptr;
  const size_t Dims = SAI.getNumberOfDimensions();
  for (size_t D = 0; D < Dims; ++D) {
    const bool IsZero = Dims - D > At.size();
    isl_multi_aff *One = isl_multi_aff_from_aff(isl_aff_set_constant_si(
        isl_aff_zero_on_domain(
            isl_local_space_from_space(S.getParamSpace().release())),
        IsZero ? 0 : At[At.size() - (Dims - D)]));
    Place = Place ? isl_multi_aff_flat_range_product(Place, One) : One;
  }
  Place = isl_multi_aff_set_tuple_id(Place, isl_dim_out,
                                     SAI.getBasePtrId().release());
  return addressOf(isl::manage(isl_pw_multi_aff_from_multi_aff(Place)), Build);
}

/// Do arrays of a pair overlap in a way that is as good as none?  "Most" is
/// that of ArrayPairs.
static isl::ast_expr overlapsWell(const polly::Scop &S,
                                  const polly::ScopArrayInfo &Written,
                                  const polly::ScopArrayInfo &Read,
                                  const isl::ast_build &Build,
                                  std::optional<int64_t> Most) {
  isl::ast_expr Begin = addressOf(S, Written, Build);
  if (!Most)
    return isl::manage(
        isl_ast_expr_eq(Begin.release(), addressOf(S, Read, Build).release()));
  return isl::manage(isl_ast_expr_le(
      Begin.release(), addressOf(S, Read, Build, {*Most}).release()));
}

static isl::ast_expr conditionOf(polly::Scop &S, const isl::ast_build &Build,
                                 AliasGroup Group) {
  takeRanges(S);
  S.addAliasGroup(Group.first, Group.second);
  return polly::IslAst::buildRunCondition(S, Build);
}

/// Of the rows of both arrays of a pair, if they may be between each other.
static std::optional<RowPair> rowsOf(const polly::Scop &S,
                                     const polly::Scop::MinMaxAccessTy &A,
                                     const polly::Scop::MinMaxAccessTy &B,
                                     const isl::ast_build &Build,
                                     const RowParts &Rows) {
  if (!Rows.mayBeBetween(arrayOf(A), arrayOf(B)))
    return std::nullopt;
  RowPair Pair;
  for (unsigned Which = 0; Which < 2; ++Which) {
    const polly::ScopArrayInfo *SAI = arrayOf(Which ? B : A);
    const RowPart &Part = Rows.Of.find(SAI)->second;
    isl::ast_expr Next = Part.Step ? addressOf(S, *SAI, Build, {Part.Step})
                                   : addressOf(S, *SAI, Build, {1, 0});
    Pair[Which] = {{addressOf(S, *SAI, Build), Next},
                   addressOf(Part.First, Build),
                   addressOf(Part.End, Build)};
  }
  return Pair;
}

/// For each pair of \p Group: no overlap, or one that does no harm.
static void addPairs(polly::Scop &S, const isl::ast_build &Build,
                     const AliasGroup &Group, const HarmlessOverlaps &Harmless,
                     std::vector<ConditionPart> &Parts) {
  const auto &[Writes, Reads] = Group;
  auto Add = [&](const AliasGroup &Pair, const auto &A, const auto &B) {
    isl::ast_expr Apart = conditionOf(S, Build, Pair);
    auto It = Harmless.Equal.find({arrayOf(A), arrayOf(B)});
    if (!Pair.second.empty() && It != Harmless.Equal.end())
      Apart = isl::manage(isl_ast_expr_or(
          Apart.release(),
          overlapsWell(S, *arrayOf(A), *arrayOf(B), Build, It->second)
              .release()));
    Parts.push_back(
        {Apart, describeOverlap(Pair), rowsOf(S, A, B, Build, Harmless.Rows)});
  };
  for (size_t W = 0; W < Writes.size(); ++W) {
    for (size_t Other = 0; Other < W; ++Other)
      Add({{Writes[Other], Writes[W]}, {}}, Writes[Other], Writes[W]);
    for (const auto &R : Reads)
      Add({{Writes[W]}, {R}}, Writes[W], R);
  }
}

std::vector<ConditionPart> partsOfCondition(polly::Scop &S,
                                            const ImportedScop &Imported,
                                            const isl::ast_build &Build,
                                            const SizeAssumptions &Sizes,
                                            const HarmlessOverlaps &Harmless) {
  auto Groups = takeRanges(S);
  std::vector<ConditionPart> Parts;
  Parts.push_back({polly::IslAst::buildRunCondition(S, Build),
                   "the sizes are not what was assumed" +
                       (Sizes.Text.empty() ? "" : " (" + Sizes.Text + ")") +
                       valuesOf(Imported, Sizes.Params)});
  // Each has what is assumed of sizes once more.
  bool IsApart = Groups.size() <= MaxGroups || !Harmless.Equal.empty() ||
                 !Harmless.Rows.Pairs.empty();
  for (auto &Group : Groups) {
    if (hasEqual(Group, Harmless) || hasRows(Group, Harmless.Rows))
      addPairs(S, Build, Group, Harmless, Parts);
    else if (IsApart)
      Parts.push_back({conditionOf(S, Build, Group), describeOverlap(Group)});
    else
      S.addAliasGroup(Group.first, Group.second);
  }
  if (!IsApart)
    Parts.push_back({polly::IslAst::buildRunCondition(S, Build),
                     "arrays that are written overlap others"});
  takeRanges(S);
  for (auto &Group : Groups)
    S.addAliasGroup(Group.first, Group.second);
  return Parts;
}

} // namespace polygpu
