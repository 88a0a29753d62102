//===- TuningLog.cpp - What became of SCoPs, for polygpu tune -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tuning/TuningLog.h"
#include "Options.h"
#include "host/Images.h"
#include "target/SharedLayout.h"
#include "tuning/TuningFile.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/xxhash.h"

using namespace llvm;

namespace polygpu {

template <typename T> static json::Array numbers(ArrayRef<T> List) {
  json::Array Result;
  for (T N : List)
    Result.push_back(static_cast<int64_t>(N));
  return Result;
}

static json::Object describe(const pg_machine &M) {
  return json::Object{{"name", M.name},
                      {"arch", M.arch},
                      {"registers", M.registers},
                      {"thread_registers", M.thread_registers},
                      {"threads", M.threads},
                      {"blocks", M.blocks},
                      {"warp", M.warp},
                      {"shared", M.shared},
                      {"block_shared", M.block_shared},
                      {"multiprocessors", M.multiprocessors},
                      {"clock", M.clock},
                      {"fma_float", M.fma_float},
                      {"fma_double", M.fma_double},
                      {"bandwidth", M.bandwidth},
                      {"l2", M.l2}};
}

static std::string hash(StringRef Text) {
  return utohexstr(xxh3_64bits(Text), /*LowerCase=*/true, /*Width=*/16);
}

/// What the text of a \p Plan says of kernel \p K.
static StringRef partOf(StringRef Plan, unsigned K) {
  Plan = Plan.split(("\nkernel " + Twine(K) + ": ").str()).second;
  Plan = Plan.split(("\nkernel " + Twine(K + 1) + ": ").str()).first;
  return Plan.split("\nrun if: ").first;
}

static json::Object describe(const pg_kernel &K, const PlannedKernels &P,
                             StringRef Part) {
  const pg_mapping &M = *K.mapping;
  const Function *F = P.Code.Module->getFunction(K.name);
  return json::Object{
      {"name", K.name},
      {"code", hash(Part)},
      {"parallel", K.parallel ? K.n_parallel : 0},
      {"block", numbers(ArrayRef(M.block))},
      {"tile", numbers(ArrayRef(M.tiling.tile, M.n_grid))},
      {"buffers", M.n_buffer},
      {"nested", M.kind == PG_MAPPING_NESTED || M.kind == PG_MAPPING_SHARED},
      {"host_loops", K.n_host},
      {"waves", K.tiled},
      {"chain", K.steps != nullptr},
      {"shared", F ? sharedLayout(*F).Bytes : 0},
      {"registers", P.Binaries.Registers.lookup(K.name)},
      {"spills", is_contained(P.Binaries.Spilling, K.name)}};
}

/// One write, so that lines of several compilers do not mix.
static void append(const Options &O, json::Object Line) {
  std::string Text;
  raw_string_ostream OS(Text);
  OS << json::Value(std::move(Line)) << '\n';
  std::error_code Error;
  raw_fd_ostream File(O.SaveTuning, Error, sys::fs::OF_Append);
  File.SetUnbuffered();
  if (!Error)
    File << Text;
  File.clear_error();
}

/// The kernels of \p P, whose plan has the text \p Text.
static json::Array describe(const PlannedKernels &P, StringRef Text) {
  json::Array Kernels;
  for (unsigned K = 0; K < P.Plan->n_kernel; ++K)
    Kernels.push_back(describe(P.Plan->kernels[K], P, partOf(Text, K)));
  return Kernels;
}

static std::string textOf(const pg_plan &Plan) {
  char *Printed = pg_plan_to_str(&Plan);
  std::string Text = Printed ? Printed : "";
  free(Printed);
  return Text;
}

static json::Array
describeVariants(const std::vector<const PlannedKernels *> &Variants) {
  json::Array List;
  for (const PlannedKernels *P : Variants)
    List.push_back(json::Object{{"when", P->Record->when()},
                                {"choice", P->Record->Choice},
                                {"kernels", describe(*P, textOf(*P->Plan))}});
  return List;
}

static json::Array parameters(const pg_scop &Source) {
  json::Array Names;
  for (const pg_param &P : ArrayRef(Source.params, Source.n_param))
    Names.push_back(json::fixUTF8(P.source_name ? P.source_name : ""));
  return Names;
}

void logScop(const Options &O, const LoggedScop &S) {
  const pg_plan &Plan = *S.Kernels.Plan;
  std::string Text = textOf(Plan);
  append(O, json::Object{{"scop", S.Hash},
                         {"arch", O.Processor},
                         {"function", json::fixUTF8(S.Source.function)},
                         {"file", json::fixUTF8(S.Source.file)},
                         {"line", S.Source.line},
                         {"choice", S.Choice},
                         {"overlap", Plan.scop->instead != nullptr},
                         {"code", hash(Text + S.Kernels.Binaries.PTX)},
                         {"machine", describe(S.Kernels.For->Machine)},
                         {"statements", S.Source.n_stmt},
                         {"parameters", parameters(S.Source)},
                         {"variants", describeVariants(S.Variants)},
                         {"kernels", describe(S.Kernels, Text)}});
}

void logMisfit(const Options &O, StringRef Hash, const TuningRecord &Record,
               StringRef Why) {
  json::Object Line{{"scop", Hash},
                    {"arch", O.Processor},
                    {"choice", Record.Choice},
                    {"misfit", json::fixUTF8(Why)}};
  if (!Record.When.empty())
    Line["when"] = Record.when();
  append(O, std::move(Line));
}

} // namespace polygpu
