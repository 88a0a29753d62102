//===- PlanRecord.cpp - A plan for optimisation records -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "host/PlanRecord.h"
#include "host/PlanText.h"
#include "kernel/KernelText.h"
#include "target/SharedLayout.h"
#include <isl/printer.h>
#include <isl/schedule.h>

using namespace llvm;

namespace polygpu {

//===-- Text --------------------------------------------------------------===//

/// What isl has allocated, freed here.
static std::string take(char *Text) {
  std::string Result = Text ? Text : "";
  free(Text);
  return Result;
}

std::string treeText(isl_schedule *Tree) {
  if (!Tree)
    return "";
  isl_printer *P = isl_printer_to_str(isl_schedule_get_ctx(Tree));
  P = isl_printer_set_yaml_style(P, ISL_YAML_STYLE_BLOCK);
  P = isl_printer_print_schedule(P, Tree);
  std::string Result = take(isl_printer_get_str(P));
  isl_printer_free(P);
  return Result;
}

/// Numbers with \p Between them.
template <typename T>
static std::string join(ArrayRef<T> Numbers, StringRef Between = "x") {
  std::string Result;
  for (T N : Numbers)
    Result += (Result.empty() ? "" : Between.str()) + std::to_string(N);
  return Result;
}

static void add(RecordedFact &Fact, const char *Key, std::string Value) {
  if (!Value.empty())
    Fact.Fields.push_back({Key, std::move(Value)});
}

static void add(RecordedFact &Fact, const char *Key, unsigned long Value) {
  add(Fact, Key, std::to_string(Value));
}

//===-- Facts -------------------------------------------------------------===//

static RecordedFact recordScop(const ImportedScop &Imported,
                               const PlannedKernels &Kernels,
                               const std::string &Before) {
  const pg_scop &Scop = *Kernels.Plan->scop;
  RecordedFact Fact{"Scop", {}};
  // As in the descriptor, by which a profile names it.
  add(Fact, "Function", Imported.Scop->function);
  add(Fact, "File", Imported.Scop->file);
  add(Fact, "Line", Imported.Scop->line);
  add(Fact, "Before", Before);
  add(Fact, "After", treeText(Scop.schedule));
  add(Fact, "Plan", take(pg_plan_to_str(Kernels.Plan)));
  std::string Code;
  raw_string_ostream OS(Code);
  printKernels(*Kernels.Plan, Imported, OS);
  add(Fact, "Code", Code);
  return Fact;
}

static RecordedFact recordMachine(const Options &For) {
  const pg_machine &M = For.Machine;
  RecordedFact Fact{"Machine", {}};
  add(Fact, "For", For.Processor);
  add(Fact, "Name", M.name);
  add(Fact, "Registers", M.registers);
  add(Fact, "ThreadRegisters", M.thread_registers);
  add(Fact, "Threads", M.threads);
  add(Fact, "Blocks", M.blocks);
  add(Fact, "Warp", M.warp);
  add(Fact, "Shared", M.shared);
  add(Fact, "BlockShared", M.block_shared);
  add(Fact, "Multiprocessors", M.multiprocessors);
  add(Fact, "Clock", M.clock);
  add(Fact, "FmaFloat", M.fma_float);
  add(Fact, "FmaDouble", M.fma_double);
  add(Fact, "Bandwidth", M.bandwidth);
  add(Fact, "L2", M.l2);
  return Fact;
}

static RecordedFact recordStatement(const pg_stmt &Stmt) {
  RecordedFact Fact{"Statement", {}};
  add(Fact, "Name", Stmt.name);
  if (Stmt.kind == PG_STMT_SOURCE)
    add(Fact, "Line", Stmt.line);
  return Fact;
}

/// The lengths of rows, the first one being what the program allocates.
static std::string extent(const pg_array &Array) {
  std::string Text;
  for (unsigned D = 0; D < Array.n_dim; ++D) {
    std::string Length = Array.extent[D]
                             ? take(isl_pw_aff_to_str(Array.extent[D]))
                             : std::string();
    // "[n] -> { [(n)] }": what is between the inner parentheses.
    size_t Begin = Length.rfind("[("), End = Length.rfind(")]");
    bool Plain = Begin != std::string::npos && End != std::string::npos &&
                 Length.find(':') == std::string::npos;
    Text +=
        "[" + (Plain ? Length.substr(Begin + 2, End - Begin - 2) : "") + "]";
  }
  return Text;
}

static const char *kindOf(const pg_plan &Plan, unsigned A) {
  const pg_array &Array = Plan.scop->arrays[A];
  if (Array.of_block)
    return "shared";
  if (Plan.is_private[A])
    return "register";
  switch (Array.kind) {
  case PG_ARRAY_MEMORY:
    return "memory";
  case PG_ARRAY_TEMPORARY:
    return "temporary";
  default:
    return "value";
  }
}

static RecordedFact recordArray(const pg_plan &Plan, unsigned A,
                                StringRef Copies) {
  const pg_array &Array = Plan.scop->arrays[A];
  RecordedFact Fact{"Array", {}};
  add(Fact, "Name", Array.source_name ? Array.source_name : Array.name);
  add(Fact, "Element", Array.name);
  add(Fact, "Kind", kindOf(Plan, A));
  add(Fact, "Type", Array.type);
  add(Fact, "ElementSize", Array.elem_size);
  add(Fact, "Extent", extent(Array));
  add(Fact, "Copies", Copies.str());
  return Fact;
}

static const char *kindOf(const pg_mapping &Mapping) {
  switch (Mapping.kind) {
  case PG_MAPPING_PROMOTED:
    return "promoted";
  case PG_MAPPING_SHARED:
    return "boxes";
  case PG_MAPPING_NESTED:
    return "nested";
  case PG_MAPPING_PLAIN:
    return "plain";
  }
  return "";
}

static std::string gridLimits(const pg_mapping &Mapping) {
  std::string Text;
  for (unsigned D = 0; D < Mapping.n_grid; ++D)
    Text += (D ? "x" : "") + (Mapping.grid_limit[D] == PG_GRID_ALL
                                  ? "all"
                                  : std::to_string(Mapping.grid_limit[D]));
  return Text;
}

static RecordedFact recordKernel(const pg_kernel &Kernel,
                                 const PlannedKernels &Kernels) {
  const pg_mapping &Mapping = *Kernel.mapping;
  RecordedFact Fact{"Kernel", {}};
  add(Fact, "Name", Kernel.name);
  add(Fact, "Line", Kernel.line);
  add(Fact, "Mapping", Kernel.parallel ? kindOf(Mapping) : "one thread");
  add(Fact, "Parallel", Kernel.parallel ? Kernel.n_parallel : 0);
  add(Fact, "Block", join(ArrayRef(Mapping.block)));
  if (Mapping.n_grid) {
    // By dimension of the grid, x first: of which parallel loop, and how long.
    add(Fact, "Tile", join(ArrayRef(Mapping.tiling.tile, Mapping.n_grid)));
    add(Fact, "Loops", join(ArrayRef(Mapping.tiling.place, Mapping.n_grid)));
    add(Fact, "GridLimit", gridLimits(Mapping));
  }
  if (const Function *F = Kernels.Code.Module->getFunction(Kernel.name))
    add(Fact, "Shared", sharedLayout(*F).Bytes);
  const DeviceCode &Code = Kernels.Code;
  unsigned K = &Kernel - Kernels.Plan->kernels;
  StringRef Launched = Code.isPart(K)
                           ? StringRef(Code.Joined[Code.PartOf[K]].Name)
                           : Kernel.name;
  if (unsigned Registers = Kernels.Binaries.Registers.lookup(Launched))
    add(Fact, "Registers", Registers);
  if (Mapping.min_blocks)
    add(Fact, "MinBlocks", Mapping.min_blocks);
  if (Kernel.choice)
    add(Fact, "Choice", Kernel.choice);
  add(Fact, "Tree", treeText(Mapping.schedule));
  return Fact;
}

static RecordedFact recordBuffer(const pg_plan &Plan, const pg_kernel &Kernel,
                                 unsigned B) {
  const pg_buffer &Buffer = Kernel.mapping->buffers[B];
  const pg_array &Array = Plan.scop->arrays[Buffer.array];
  bool Shared = Buffer.kind == PG_BUFFER_SHARED;
  RecordedFact Fact{"Buffer", {}};
  add(Fact, "Kernel", Kernel.name);
  add(Fact, "Kind", Shared ? "shared" : "register");
  add(Fact, "Array", Array.source_name ? Array.source_name : Array.name);
  add(Fact, "Extent", join(ArrayRef(Buffer.extent, Buffer.n_dim)));
  unsigned long Elements = 1;
  for (unsigned D = 0; D < Buffer.n_dim; ++D)
    Elements *= Buffer.extent[D];
  if (Shared)
    Elements = pg_buffer_length(&Buffer) * std::max(1U, Buffer.stages);
  add(Fact, "Bytes", Elements * Array.elem_size);
  if (Shared) {
    add(Fact, "Stages", std::max(1U, Buffer.stages));
    add(Fact, "Vector", Buffer.vector);
    add(Fact, "Copied",
        !Kernel.inside[B] ? "no"
        : Buffer.async    ? "asynchronously"
                          : "by threads");
    add(Fact, "Written",
        Kernel.back[B]   ? "back"
        : Buffer.written ? "in the block"
                         : "no");
  }
  return Fact;
}

std::vector<RecordedFact> recordPlan(const ImportedScop &Imported,
                                     const PlannedKernels &Kernels,
                                     const std::string &Before) {
  const pg_plan &Plan = *Kernels.Plan;
  const pg_scop &Scop = *Plan.scop;
  std::vector<RecordedFact> Facts = {recordScop(Imported, Kernels, Before),
                                     recordMachine(*Kernels.For)};
  std::vector<std::string> Copies = copiesOf(Imported);
  for (unsigned S = 0; S < Scop.n_stmt; ++S)
    Facts.push_back(recordStatement(Scop.stmts[S]));
  for (unsigned A = 0; A < Scop.n_array; ++A)
    Facts.push_back(
        recordArray(Plan, A, A < Copies.size() ? Copies[A] : "create"));
  for (unsigned K = 0; K < Plan.n_kernel; ++K) {
    const pg_kernel &Kernel = Plan.kernels[K];
    Facts.push_back(recordKernel(Kernel, Kernels));
    for (unsigned B = 0; B < Kernel.mapping->n_buffer; ++B)
      Facts.push_back(recordBuffer(Plan, Kernel, B));
  }
  return Facts;
}

} // namespace polygpu
