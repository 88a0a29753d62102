//===- PlanText.cpp - A plan in words -------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "host/PlanText.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/Support/raw_ostream.h"
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
  else if (K.combines)
    OS << ", which combines partial results";
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

/// The names of the arrays of \p Scop for which \p Is holds, in quotes.
static std::string namesOf(const pg_scop &Scop,
                           function_ref<bool(const pg_array &)> Is) {
  std::string Names;
  for (unsigned A = 0; A < Scop.n_array; ++A)
    if (Is(Scop.arrays[A]))
      Names += (Names.empty() ? "'" : ", '") +
               std::string(Scop.arrays[A].source_name) + "'";
  return Names;
}

/// What of that depends on conditions on data.
static std::string describeConditions(const pg_scop &Scop) {
  std::string Text;
  if (std::string Names =
          namesOf(Scop, [](const pg_array &A) { return A.flagged; });
      !Names.empty())
    Text +=
        "; of " + Names + " only what the conditions on data let be written";
  if (std::string Names =
          namesOf(Scop, [](const pg_array &A) { return A.probed; });
      !Names.empty())
    Text += "; if all of " + Names + " can be read";
  return Text;
}

static const char *const Clauses[] = {"create", "copyin", "copyout", "copy"};

/// By whether something goes to the device, and back; nothing where no value
/// is to be told of.
static std::vector<std::optional<unsigned>>
directions(const ImportedScop &Imported) {
  const pg_scop &Scop = *Imported.Scop;
  BitVector In = arraysOf(Scop, Scop.live_in);
  BitVector Out = arraysOf(Scop, Scop.live_out);
  std::vector<std::optional<unsigned>> Result(Scop.n_array);
  for (unsigned A = 0; A < Scop.n_array; ++A) {
    const pg_array &Array = Scop.arrays[A];
    if (Array.n_dim == 0 && Array.kind != PG_ARRAY_MEMORY && !Out[A] && !In[A])
      continue;
    Result[A] = (In[A] || Array.indirect) +
                2 * ((Out[A] || Array.updated) && !Array.dead_after);
  }
  return Result;
}

std::vector<std::string> copiesOf(const ImportedScop &Imported) {
  std::vector<std::string> Words;
  for (std::optional<unsigned> Way : directions(Imported))
    Words.push_back(Way ? Clauses[*Way] : "");
  return Words;
}

std::string describeCopies(const ImportedScop &Imported) {
  const pg_scop &Scop = *Imported.Scop;
  std::string Lists[4];
  std::vector<std::optional<unsigned>> Ways = directions(Imported);
  for (unsigned A = 0; A < Scop.n_array; ++A)
    if (Ways[A])
      Lists[*Ways[A]] += (Lists[*Ways[A]].empty() ? "" : ", ") +
                         std::string(Scop.arrays[A].source_name);
  std::string Text;
  for (unsigned I : {1, 3, 2, 0})
    if (!Lists[I].empty())
      Text += (Text.empty() ? "" : ", ") + std::string(Clauses[I]) + "(" +
              Lists[I] + ")";
  return (Text.empty() ? "no data is copied" : Text) + describeConditions(Scop);
}

} // namespace polygpu
