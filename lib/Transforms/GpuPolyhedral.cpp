//===- GpuPolyhedral.cpp - The pass gpu-polyhedral ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GpuPolyhedral.h"
#include "ModuleSnapshot.h"
#include "OffloadFunction.h"
#include "Quotas.h"
#include "RuntimeFunctions.h"
#include "adaptor/HiddenValues.h"
#include "adaptor/Obstacles.h"
#include "adaptor/OwnPolly.h"
#include "cuda/CudaFile.h"
#include "host/Commit.h"
#include "host/FileImages.h"
#include "prepare/Candidates.h"
#include "prepare/Forward.h"
#include "prepare/Inliner.h"
#include "residency/Callers.h"
#include "residency/Link.h"
#include "target/DeviceModule.h"
#include "verify/Repetitions.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace polygpu {

/// A symbol of the module that has one of our names, or "".  Calls of these
/// names are added, looked for and removed again.
static std::string nameInTheWay(const Module &M) {
  for (const GlobalValue &G : M.global_values())
    for (const char *Name :
         {ObstacleName, ThreadIdName, BlockIdName, BarrierName})
      if (G.getName() == Name || isHidingName(G.getName()))
        return G.getName().str();
  return misusedRuntimeName(M);
}

static std::optional<Refusal> refuseModule(const Module &M) {
  // The runtime is an ordinary library, and its pointers are ordinary ones.
  const DataLayout &DL = M.getDataLayout();
  if (DL.getAllocaAddrSpace() || DL.getProgramAddressSpace() ||
      DL.getDefaultGlobalsAddressSpace())
    return Refusal{"Host",
                   "the program is for a machine that keeps local variables, "
                   "globals or functions in address spaces of their own, like "
                   "a GPU; compile it for the host",
                   DebugLoc()};
  if (std::string Name = nameInTheWay(M); !Name.empty())
    return Refusal{"Name",
                   "the program has a symbol '" + Name +
                       "', a name that offloaded loops need; rename it",
                   DebugLoc()};
  return std::nullopt;
}

static Refusal refuseProcessed() {
  return {"CallsRuntime",
          "the function calls PolyGPU's runtime itself, or holds offloaded "
          "loops of an earlier run of the pass; move its other loops into a "
          "function of their own",
          DebugLoc()};
}

/// Blocks of \p F if it is a large function, else 0.
static size_t sizeIfLarge(const Function *F) {
  return F->size() > 100 ? F->size() : 0;
}

/// The accesses to memory, local variables apart, of the loops of \p F that
/// have the most, in steps of doubled numbers; 0 for up to 31, which take so
/// little that the order does not matter.
static unsigned dearness(Function &F, FunctionAnalysisManager &FAM) {
  unsigned Most = 0;
  for (const Loop *L : FAM.getResult<LoopAnalysis>(F)) {
    unsigned N = 0;
    for (const BasicBlock *BB : L->blocks())
      N += count_if(*BB, [](const Instruction &I) {
        const Value *Address = getLoadStorePointerOperand(&I);
        return Address && !isa<AllocaInst>(Address->stripPointerCasts());
      });
    Most = std::max(Most, N);
  }
  return Log2_32(std::max(Most, 31u)) - Log2_32(31);
}

/// Does \p F get loops by inlining that are known only there?
static bool getsLoops(const Function &F) {
  return any_of(instructions(F), [](const Instruction &I) {
    const auto *Call = dyn_cast<CallBase>(&I);
    return Call && handsFunctionOn(*Call);
  });
}

/// The functions of \p M that may have loops to offload, first those with
/// simple loops: what dear ones take is not taken from them.  Large ones are
/// last: they often hold copies of others, to which the file's quota goes
/// first.  Those that nothing can be done with are refused if that is to be
/// "Told".
static SmallVector<Function *, 16>
findFunctions(Module &M, bool Told, FunctionAnalysisManager &FAM, Remarks &R) {
  SmallVector<Function *, 16> Functions;
  for (Function &F : M) {
    if (F.isDeclaration() || isMarked(F))
      continue;
    if (Told)
      refuseCycles(F, R);
    if (!hasLoops(F) && !getsLoops(F))
      continue;
    if (!isProcessed(F))
      Functions.push_back(&F);
    else if (Told)
      refuseLoops(F, refuseProcessed(), R);
  }
  DenseMap<const Function *, std::pair<size_t, unsigned>> Cost;
  for (Function *F : Functions)
    Cost[F] = {sizeIfLarge(F), dearness(*F, FAM)};
  stable_sort(Functions, [&](const Function *A, const Function *B) {
    return Cost[A] < Cost[B];
  });
  return Functions;
}

namespace {

/// Makes offloaded copies of all functions of which that can be done.
class ModuleOffloader {
public:
  ModuleOffloader(Module &M, ArrayRef<Function *> Functions, Level Until,
                  const Options &O, FunctionAnalysisManager &FAM, Remarks &R)
      : Until(Until), O(O), FAM(FAM), R(R), Functions(Functions),
        Unduplicable(findUnduplicable(M)) {
    beginModule(Budget, O, Functions.size());
  }

  std::vector<OffloadedFunction> run() {
    for (Function *F : Functions)
      offload(*F);
    return std::move(Pending);
  }

private:
  const Level Until;
  const Options &O;
  FunctionAnalysisManager &FAM;
  Remarks &R;
  ArrayRef<Function *> Functions;
  SmallPtrSet<const Function *, 4> Unduplicable;
  pg_budget Budget;
  SpentNests Spent;
  unsigned Exits = 0;
  std::vector<OffloadedFunction> Pending;
  DenseMap<const Function *, bool> Settled; ///< false as well: begun

  bool offload(Function &F);
};

} // namespace

/// Offload the loops of \p F, if that was not done or begun yet; returns
/// whether they are settled.  Callees come first where a caller has to know
/// that.
bool ModuleOffloader::offload(Function &F) {
  auto [It, IsNew] = Settled.insert({&F, false});
  if (!IsNew)
    return It->second;
  std::optional<Refusal> Why = refuseFunction(F);
  if (!Why && Unduplicable.count(&F))
    Why = refuseUnduplicable();
  if (Why) {
    if (Until == Level::Offload)
      refuseLoops(F, *Why, R);
    return false;
  }
  if (O.Verify == VerifyLevel::Execute)
    numberExits(F, Exits);
  auto IsSettled = [&](const Function &Callee) {
    auto Found = find(Functions, &Callee);
    return Found != Functions.end() && offload(**Found);
  };
  FunctionOffloader Offloader(F, O, Until, FAM, R, &Budget, Spent, IsSettled);
  Function *Copy = Offloader.run();
  Settled[&F] = Offloader.isSettled();
  if (Copy)
    Pending.push_back({&F, Copy, std::move(Offloader.Scops)});
  return Settled[&F];
}

/// For -gpu-print-kernels=FILE: all that is offloaded, which may be nothing.
static void writeCuda(Module &M, Level Until,
                      ArrayRef<OffloadedFunction> Functions = {}) {
  std::string Path = cudaFile();
  if (Until != Level::Offload || Path.empty())
    return;
  SmallVector<NamedText, 8> Texts;
  for (const OffloadedFunction &F : Functions)
    for (const OffloadedScop &Scop : F.Scops)
      Texts.push_back({&Scop.Cuda, &Scop.CudaNames});
  if (std::string Problem = writeCudaFile(Path, M.getSourceFileName(), Texts);
      !Problem.empty())
    M.getContext().emitError("-gpu-print-kernels=" + Problem);
}

PreservedAnalyses GpuPolyhedralPass::run(Module &M,
                                         ModuleAnalysisManager &MAM) {
  Remarks R;
  auto &FAM = MAM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
  auto Functions = findFunctions(M, Until == Level::Offload, FAM, R);
  if (Functions.empty()) {
    writeCuda(M, Until);
    R.finish();
    return PreservedAnalyses::all();
  }
  std::optional<Options> O = getOptions(M.getContext());
  if (!O)
    return PreservedAnalyses::all();
  if (std::optional<Refusal> Why = refuseModule(M)) {
    if (Until == Level::Offload)
      for (Function *F : Functions)
        refuseLoops(*F, *Why, R);
    writeCuda(M, Until);
    R.finish();
    return PreservedAnalyses::all();
  }
  setPollyOptions();
  ModuleSnapshot Snapshot(M);
  std::vector<OffloadedFunction> Pending =
      ModuleOffloader(M, Functions, Until, *O, FAM, R).run();
  R.finish();
  const bool ForLink = O->AtLink && isForLink(M);
  keepAcrossCalls(M, Pending, FAM, R, ForLink ? Files::BeforeLink : Files::One);
  if (O->Verify == VerifyLevel::Execute) {
    verifyExecution(M, Pending, *O, R, FAM);
    forgetExits(M);
  }
  writeCuda(M, Until, Pending);
  embedImages(M, Pending, *O, R);
  for (OffloadedFunction &Offloaded : Pending) {
    commitCopy(*Offloaded.F, Offloaded.Copy, Offloaded.OwnScope, FAM);
    if (ForLink && takesScope(*Offloaded.F, *Offloaded.Copy))
      keepForLink(*Offloaded.F, *Offloaded.Copy);
  }
  if (Pending.empty())
    return Snapshot.restore() ? PreservedAnalyses::all()
                              : PreservedAnalyses::none();
  Snapshot.removeUnused();
  return PreservedAnalyses::none();
}

PreservedAnalyses GpuLinkPass::run(Module &M, ModuleAnalysisManager &MAM) {
  if (!getOptions(M.getContext()))
    return PreservedAnalyses::all();
  auto &FAM = MAM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
  return keepAcrossFiles(M, FAM) ? PreservedAnalyses::none()
                                 : PreservedAnalyses::all();
}

} // namespace polygpu
