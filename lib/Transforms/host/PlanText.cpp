//===- PlanText.cpp - A plan in words -------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "host/PlanText.h"
#include "IslErrors.h"
#include "polly/ScopInfo.h"
#include "polly/Support/GICHelper.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/raw_ostream.h"
#include <isl/id.h>
#include <isl/set.h>
#include <isl/union_set.h>

using namespace llvm;

namespace polygpu {

//===-- Kernels -----------------------------------------------------------===//

static std::string block(const pg_kernel &K) {
  const unsigned *Threads = K.mapping->block;
  return std::to_string(Threads[0]) + "x" + std::to_string(Threads[1]) + "x" +
         std::to_string(Threads[2]);
}

static void describeShape(const pg_kernel &K, raw_ostream &OS) {
  OS << K.name << " (";
  if (!K.parallel) {
    OS << "one thread)";
    return;
  }
  OS << K.n_parallel << " parallel dimension" << (K.n_parallel == 1 ? "" : "s")
     << ", block " << block(K);
  if (K.tiled)
    OS << ", in waves of tiles";
  else if (K.steps)
    OS << ", with the loops around kernels in it"
       << (K.way == PG_WAY_CHAINS ? ", for small sizes" : "");
  OS << ")";
}

std::string summarise(const pg_plan &Plan) {
  std::string Result;
  raw_string_ostream OS(Result);
  OS << "loops offloaded as " << Plan.n_kernel
     << (Plan.n_kernel == 1 ? " kernel:" : " kernels:");
  for (unsigned I = 0; I < Plan.n_kernel; ++I) {
    OS << (I ? "; " : " ");
    describeShape(Plan.kernels[I], OS);
  }
  return Result;
}

std::vector<std::string> describeKernels(const pg_plan &Plan) {
  std::vector<std::string> Sentences;
  for (unsigned I = 0; I < Plan.n_kernel; ++I)
    if (const pg_kernel &K = Plan.kernels[I]; K.parallel && K.choice)
      Sentences.push_back(std::string("kernel ") + K.name + ": block " +
                          block(K) + ", " + K.choice);
  return Sentences;
}

//===-- Copies ------------------------------------------------------------===//

/// Numbers of the arrays of \p Scop of which \p Elements has some.
static BitVector arraysOf(const pg_scop &Scop, isl_union_set *Elements) {
  struct Search {
    const pg_scop &Scop;
    BitVector Found;
  } All{Scop, BitVector(Scop.n_array)};
  isl_union_set_foreach_set(
      Elements,
      [](isl_set *Set, void *User) {
        auto &All = *static_cast<Search *>(User);
        const char *Name = isl_set_get_tuple_name(Set);
        for (unsigned A = 0; Name && A < All.Scop.n_array; ++A)
          if (StringRef(Name) == All.Scop.arrays[A].name)
            All.Found.set(A);
        isl_set_free(Set);
        return isl_stat_ok;
      },
      &All);
  return All.Found;
}

std::string describeCopies(const ImportedScop &Imported) {
  const pg_scop &Scop = *Imported.Scop;
  BitVector In = arraysOf(Scop, Scop.live_in);
  BitVector Out = arraysOf(Scop, Scop.live_out);
  std::string Lists[4]; // by whether to the device, and back
  for (unsigned A = 0; A < Scop.n_array; ++A) {
    const pg_array &Array = Scop.arrays[A];
    if (Array.n_dim == 0 && Array.kind != PG_ARRAY_MEMORY && !Out[A] && !In[A])
      continue;
    std::string &List = Lists[In[A] + 2 * (Out[A] && !Array.dead_after)];
    List += (List.empty() ? "" : ", ") + std::string(Array.source_name);
  }
  static const char *const Words[] = {"create", "copyin", "copyout", "copy"};
  std::string Text;
  for (unsigned I : {1, 3, 2, 0})
    if (!Lists[I].empty())
      Text += (Text.empty() ? "" : ", ") + std::string(Words[I]) + "(" +
              Lists[I] + ")";
  return Text.empty() ? "no data is copied" : Text;
}

//===-- The run-time condition --------------------------------------------===//

/// isl operations for the text of a condition.
static const unsigned MaxOperations = 100000;
/// What is longer is no help.
static const size_t MaxLength = 400;

static std::string namesOf(const polly::Scop::MinMaxVectorTy &Ranges) {
  std::string Text;
  StringSet<> Named;
  for (const auto &[First, End] : Ranges) {
    isl::id Id = First.get_tuple_id(isl::dim::out);
    const auto *SAI = polly::ScopArrayInfo::getFromId(Id);
    std::string Name = "'" + sourceName(SAI->getBasePtr()) + "'";
    if (Named.insert(Name).second)
      Text += (Text.empty() ? "" : ", ") + Name;
  }
  return Text;
}

/// Which arrays must not overlap, in sentences without an end.
static std::string describeOverlaps(const polly::Scop &S) {
  std::string Text;
  StringSet<> Said;
  for (const auto &[Writes, Reads] : S.getAliasGroups()) {
    std::string Written = namesOf(Writes), Read = namesOf(Reads);
    std::string Part;
    if (Writes.size() > 1)
      Part = Written + " do not overlap each other";
    if (!Reads.empty())
      Part += (Part.empty() ? Written + " overlap" +
                                  (Writes.size() == 1 ? "s" : "") + " none of "
                            : " and none of ") +
              Read;
    if (!Part.empty() && Said.insert(Part).second)
      Text += (Text.empty() ? "" : "; ") + Part;
  }
  return Text;
}

/// The assumptions on parameters beside what their types say, with the names of
/// the source; null where they are too complex.
static isl::set assumptions(polly::Scop &S, const ImportedScop &Imported) {
  isl::set Assumed = S.getAssumedContext()
                         .subtract(S.getInvalidContext())
                         .coalesce()
                         .gist(S.getContext())
                         .align_params(S.getParamSpace());
  isl_set *Named = Assumed.release();
  for (unsigned I = 0; I < Imported.Scop->n_param; ++I)
    Named = isl_set_set_dim_id(Named, isl_dim_param, I,
                               isl_id_alloc(S.getIslCtx().get(),
                                            Imported.Scop->params[I].name,
                                            nullptr));
  return isl::manage(Named);
}

static std::string describeSizes(polly::Scop &S, const ImportedScop &Imported) {
  static const char *const Complex = "sizes are such that subscripts stay in "
                                     "their rows and no index overflows";
  IslErrors Errors(S.getIslCtx().get(), "text of the run-time condition");
  polly::IslMaxOperationsGuard Guard(S.getIslCtx().get(), MaxOperations);
  isl::set Set = assumptions(S, Imported);
  char *Printed = isl_set_to_str(Set.get());
  StringRef Text = Printed ? Printed : "";
  size_t Begin = Text.find(':'), End = Text.rfind('}');
  std::string Result = Complex;
  if (isl_set_plain_is_universe(Set.get()) == isl_bool_true)
    Result = "";
  else if (Begin != StringRef::npos && End - Begin < MaxLength)
    Result = Text.slice(Begin + 1, End).trim().str();
  free(Printed);
  return Result;
}

std::string describeCondition(polly::Scop &S, const ImportedScop &Imported) {
  std::string Overlaps = describeOverlaps(S);
  std::string Sizes = describeSizes(S, Imported);
  if (Overlaps.empty() && Sizes.empty())
    return "";
  return "runs on the device if " + Overlaps +
         (Overlaps.empty() || Sizes.empty() ? "" : ", and ") + Sizes;
}

} // namespace polygpu
