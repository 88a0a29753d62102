//===- ScopHash.cpp - What a SCoP is known by from file to file -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tuning/ScopHash.h"
#include "polygpu/polyhedral.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"

using namespace llvm;

namespace polygpu {

/// Parameters and arrays by number.
static StringMap<std::string> numberNames(const pg_scop &P) {
  StringMap<std::string> Numbers;
  for (unsigned I = 0; I < P.n_param; ++I)
    Numbers[P.params[I].name] = "p" + std::to_string(I);
  for (unsigned A = 0; A < P.n_array; ++A)
    Numbers[P.arrays[A].name] = "a" + std::to_string(A);
  return Numbers;
}

/// \p Text of isl's, freed here, to \p OS with names replaced.
static void put(char *Text, const StringMap<std::string> &Names,
                raw_ostream &OS) {
  StringRef Rest = Text ? Text : "";
  auto IsWord = [](char C) { return isAlnum(C) || C == '_'; };
  while (!Rest.empty()) {
    StringRef Word = Rest.take_while(IsWord);
    auto Known = Names.find(Word);
    OS << (Known == Names.end() ? Word : StringRef(Known->second));
    Rest = Rest.drop_front(Word.size());
    StringRef Between = Rest.take_until(IsWord);
    OS << Between;
    Rest = Rest.drop_front(Between.size());
  }
  OS << '\n';
  free(Text);
}

static void put(const pg_array &Array, const StringMap<std::string> &Names,
                raw_ostream &OS) {
  OS << "array " << Array.type << ' ' << Array.elem_size << ' ' << Array.kind
     << ' ' << Array.n_dim << ' ' << Array.dead_after << ' ' << Array.known
     << ' ' << Array.indirect << Array.updated << '\n';
  for (unsigned D = 0; Array.extent && D < Array.n_dim; ++D)
    if (Array.extent[D])
      put(isl_pw_aff_to_str(Array.extent[D]), Names, OS);
}

static void put(const pg_stmt &Stmt, const StringMap<std::string> &Names,
                raw_ostream &OS) {
  OS << "stmt " << Stmt.weight << ' ' << Stmt.flops_single << ' '
     << Stmt.flops_double << ' ' << Stmt.code << ' ' << Stmt.total << '\n';
  put(isl_set_to_str(Stmt.domain), Names, OS);
  for (unsigned A = 0; A < Stmt.n_access; ++A) {
    const pg_access &Access = Stmt.accesses[A];
    OS << "access " << Access.write << Access.must << Access.guarded << ' ';
    put(isl_map_to_str(Access.relation), Names, OS);
  }
  for (unsigned U = 0; U < Stmt.n_update; ++U)
    OS << "update " << Stmt.updates[U].op << ' ' << Stmt.updates[U].old << ' '
       << Stmt.updates[U].updated << '\n';
}

std::string scopHash(const pg_scop &P) {
  std::string Text;
  raw_string_ostream OS(Text);
  StringMap<std::string> Names = numberNames(P);
  put(isl_set_to_str(P.context), Names, OS);
  for (unsigned A = 0; A < P.n_array; ++A)
    put(P.arrays[A], Names, OS);
  for (unsigned S = 0; S < P.n_stmt; ++S)
    put(P.stmts[S], Names, OS);
  put(isl_schedule_to_str(P.original), Names, OS);
  return utohexstr(xxh3_64bits(OS.str()), /*LowerCase=*/true, /*Width=*/16);
}

} // namespace polygpu
