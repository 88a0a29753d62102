//===- OffloadThreads.cpp - One SCoP on threads of the CPU ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IslErrors.h"
#include "OffloadScop.h"
#include "Quotas.h"
#include "adaptor/HiddenValues.h"
#include "cpu/PieceFunctions.h"
#include "kernel/Kernel.h"
#include "prepare/IndirectUpdates.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Support/TimeProfiler.h"

using namespace llvm;

namespace polygpu {

/// A plan for the CPU, with its code; none is no refusal, unless it is wrong.
std::optional<Refusal> ScopOffloader::planThreads() {
  if (!OnThreads)
    return std::nullopt;
  TimeTraceScope Time("PolyGPU: threads");
  pg_budget Extra;
  beginScop(Extra, O, nullptr, /*IsLast=*/true);
  Purse = &Extra;
  auto Why = makeThreadKernels();
  Purse = &Budget;
  pg_budget_give_back(&Budget, pg_budget_used(&Extra));
  if (!Why) {
    unsigned Loops =
        count_if(ArrayRef(Threads.Plan->kernels, Threads.Plan->n_kernel),
                 [](const pg_kernel &K) { return K.parallel; });
    Threaded = "on the CPU: " + std::to_string(Loops) +
               (Loops == 1 ? " loop" : " loops") + " on all cores";
    return std::nullopt;
  }
  pg_plan_free(Threads.Plan);
  Threads = ThreadKernels();
  if (Why->OwnError)
    return Why;
  Threaded =
      "on the CPU: the original loops, on one core (" + Why->Sentence + ")";
  return std::nullopt;
}

/// An array of which the device's plan has a copy for each iteration, or null.
const pg_array *ScopOffloader::copiedOnDevice() const {
  for (const PlannedKernels &P : Planned) {
    ArrayRef Arrays(P.Plan->scop->arrays, P.Plan->scop->n_array);
    for (const pg_array &A : Arrays)
      // As pg_scop_add_temporary names copies that expand.c makes.
      if (A.kind == PG_ARRAY_TEMPORARY &&
          StringRef(A.name).starts_with(std::string(Arrays[A.origin].name) +
                                        "_private"))
        return &Arrays[A.origin];
  }
  return nullptr;
}

static std::string nameOf(const pg_array &A) {
  return A.source_name ? A.source_name : A.name;
}

/// A plan in which threads have scalars and arrays of their own, if that has
/// more in parallel loops, and all copies are on their stacks or lent to them.
bool ScopOffloader::planWithCopies(const pg_options &Options) {
  WithCopies = pg_scop_with_own(OnThreads, &Options);
  if (!WithCopies)
    return false;
  pg_report Unheard;
  pg_report_init(&Unheard);
  bool Made = pg_make_plan(WithCopies, &Options, &Unheard, &Threads.Plan) ==
                  isl_stat_ok &&
              pg_plan_owns_temporaries(Threads.Plan);
  pg_report_clear(&Unheard);
  if (!Made) {
    pg_plan_free(Threads.Plan);
    Threads.Plan = nullptr;
  }
  return Made;
}

/// May \p Store be to an element that \p Read reads, in any two iterations?
static bool mayWrite(const Instruction &Store, const LoadInst &Read,
                     Value &Base, AAResults &AA) {
  auto Where = MemoryLocation::getOrNone(&Store);
  if (!Where)
    return true;
  auto Any = MemoryLocation::getBeforeOrAfter(&Base, Read.getAAMetadata());
  return !AA.isNoAlias(
      Any, Where->getWithNewSize(LocationSize::beforeOrAfterPointer()));
}

/// What an indirect array is part of.
static Value &originOf(const ImportedScop::IndirectArray &A) {
  int64_t Offset = 0;
  const Value *Origin = hiddenOrigin(A.Base, Offset);
  return Origin ? *const_cast<Value *>(Origin) : *A.Base;
}

/// Is what \p A updates surely nothing that the loops access in another way?
static bool isApart(polly::Scop &S, const ImportedScop &Imported,
                    const ImportedScop::IndirectArray &A, AAResults &AA) {
  for (polly::ScopStmt &Stmt : S)
    for (polly::MemoryAccess *MA : Stmt)
      if (MA->isOriginalArrayKind() &&
          !isUpdateToken(MA->getOriginalScopArrayInfo()->getBasePtr()) &&
          any_of(A.Reads, [&](const LoadInst *Read) {
            return mayWrite(*MA->getAccessInstruction(), *Read, originOf(A),
                            AA);
          }))
        return false;
  for (const ImportedScop::IndirectArray &Other : Imported.Indirect)
    for (const LoadInst *Read : A.Reads)
      for (const LoadInst *Others : Other.Reads)
        if (&Other != &A &&
            !AA.isNoAlias(MemoryLocation::getBeforeOrAfter(
                              &originOf(A), Read->getAAMetadata()),
                          MemoryLocation::getBeforeOrAfter(
                              &originOf(Other), Others->getAAMetadata())))
          return false;
  return true;
}

/// Can processors update elements of \p A as one operation?
static bool isAtomic(const ImportedScop::IndirectArray &A,
                     const DataLayout &DL) {
  return all_of(A.Reads, [&](const LoadInst *Read) {
    auto *Ty = dyn_cast<IntegerType>(Read->getType());
    return Ty && Ty->getBitWidth() <= DL.getPointerSizeInBits() &&
           DL.getTypeStoreSize(Ty) == DL.getTypeAllocSize(Ty) &&
           Read->getAlign() >= Align(DL.getTypeStoreSize(Ty));
  });
}

/// Which elements threads read or update at places that data say is not looked
/// at, as it is for the device: they must be what the loops surely do not
/// write, or access in no other way.
static std::optional<Refusal>
refuseIndirect(polly::Scop &S, const ImportedScop &Imported, AAResults &AA) {
  for (const ImportedScop::IndirectArray &A : Imported.Indirect) {
    std::string Name = nameOf(Imported.Scop->arrays[A.Array]);
    if (A.Updated && !isAtomic(A, S.getFunction().getDataLayout()))
      return Refusal{"Threads",
                     "'" + Name +
                         "' is updated at places that are data, and its "
                         "elements are no aligned integers; use such ones",
                     DebugLoc()};
    if (A.Updated && !isApart(S, Imported, A, AA))
      return Refusal{
          "Threads",
          "'" + Name +
              "' is updated at places that are data, which may be what the "
              "same loops access, and that is looked at for the device only; "
              "declare the pointers restrict, where that is not so",
          DebugLoc()};
    if (A.Updated)
      continue;
    Value &Base = originOf(A);
    for (polly::ScopStmt &Stmt : S)
      for (polly::MemoryAccess *MA : Stmt)
        if (MA->isWrite() && MA->isOriginalArrayKind() &&
            any_of(A.Reads, [&](const LoadInst *Read) {
              return mayWrite(*MA->getAccessInstruction(), *Read, Base, AA);
            }))
          return Refusal{
              "Threads",
              "an index of '" + Name +
                  "' is data, and where it leads to may be written in the same "
                  "loops, which is looked at for the device only; declare the "
                  "pointers restrict, where that is so",
              DebugLoc()};
  }
  return std::nullopt;
}

std::optional<Refusal> ScopOffloader::makeThreadKernels() {
  pg_options Options = phaseOptions();
  Options.threads = true;
  Options.promote = false;
  Options.time = PG_TIME_OFF;
  Options.fusion = PG_FUSION_MIN;
  Options.sizes = nullptr;
  Options.print = nullptr;
  Options.print_before = Options.print_after = nullptr;
  if (pg_dependences(OnThreads, &Options, &Report) != isl_stat_ok ||
      pg_conditions(OnThreads, &Options, &Report) != isl_stat_ok)
    return reason();
  if (auto Why = refuseIndirect(S, Imported, AA))
    return Why;
  if (pg_schedule_threads(OnThreads, &Options, &Report) != isl_stat_ok)
    return reason();
  bool HasCopies = planWithCopies(Options);
  if (!HasCopies && pg_make_plan(OnThreads, &Options, &Report, &Threads.Plan) !=
                        isl_stat_ok) {
    const pg_array *Copied = copiedOnDevice();
    bool IsSerial =
        Report.n && Report.reasons[Report.n - 1].code == PG_NO_PARALLELISM;
    return IsSerial && Copied
               ? Refusal{"Threads",
                         "each iteration would need '" + nameOf(*Copied) +
                             "' for itself, which the device has memory for; "
                             "threads have it where it is no more than 64 MiB, "
                             "and it is known which iteration writes last what "
                             "is used behind the loops",
                         DebugLoc()}
               : reason();
  }
  pg_count_operations(Threads.Plan, &Options);
  pg_coverage C;
  if (O.Verify != VerifyLevel::Off &&
      pg_verify(Threads.Plan, HasCopies ? OnThreads : nullptr, &C, &Report) !=
          isl_stat_ok)
    return reason();
  // What fits into 32 bits does into those that addresses have.
  Threads.Plan->index_bits = 64;
  IslErrors Errors(Core.Ctx, "generation of loops for threads");
  auto Why = generateHostKernels(*Threads.Plan, Imported, S, Threads.Code);
  if (!Why)
    Why = checkHost(S, Imported, *Threads.Plan, Threads.Code);
  return Errors.refuse(Why);
}

/// The kernels as functions of the host.
void ScopOffloader::makePieces() {
  std::vector<PieceKernel> Kernels;
  for (unsigned K = 0; K < Threads.Plan->n_kernel; ++K) {
    const std::vector<KernelArg> &Args = Threads.Code.Args[K];
    PieceKernel Piece{Threads.Plan->kernels[K].name, BitVector(Args.size())};
    for (unsigned I = 0; I < Args.size(); ++I)
      Piece.Lent[I] = Args[I].Kind == KernelArg::Array &&
                      isLent(*Threads.Plan, Args[I].Index);
    Kernels.push_back(std::move(Piece));
  }
  Function &F = S.getFunction();
  Threads.Functions =
      makePieceFunctions(*Threads.Code.Module, Kernels, *F.getParent(), F);
}

} // namespace polygpu
