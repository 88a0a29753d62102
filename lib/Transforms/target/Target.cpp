//===- Target.cpp - From device module to images --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "target/Target.h"
#include "target/Convergence.h"
#include "target/DeviceModule.h"
#include "target/MathCalls.h"
#include "target/NarrowUpdates.h"
#include "target/SharedLayout.h"
#include "target/TargetDescription.h"
#include "target/Toolkit.h"
#include "verify/Mutate.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/DiagnosticHandler.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/OptBisect.h"
#include "llvm/Linker/Linker.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Passes/StandardInstrumentations.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/TimeProfiler.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Target/TargetOptions.h"
#include "llvm/Transforms/IPO/Internalize.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/InferAlignment.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SeparateConstOffsetFromGEP.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Vectorize/LoadStoreVectorizer.h"

using namespace llvm;

extern "C" {
void LLVMInitializeNVPTXTargetInfo();
void LLVMInitializeNVPTXTarget();
void LLVMInitializeNVPTXTargetMC();
void LLVMInitializeNVPTXAsmPrinter();
}

namespace polygpu {

namespace {

bool registerTarget() {
  LLVMInitializeNVPTXTargetInfo();
  LLVMInitializeNVPTXTarget();
  LLVMInitializeNVPTXTargetMC();
  LLVMInitializeNVPTXAsmPrinter();
  return true;
}

/// Keeps the messages of the back end from reaching the user's compiler,
/// where an error would end the compilation.
struct CollectingHandler : DiagnosticHandler {
  std::string &Errors;
  explicit CollectingHandler(std::string &Errors) : Errors(Errors) {}
  bool handleDiagnostics(const DiagnosticInfo &Info) override {
    if (Info.getSeverity() == DS_Error) {
      raw_string_ostream OS(Errors);
      DiagnosticPrinterRawOStream Printer(OS);
      Info.print(Printer);
    }
    return true;
  }
};

Refusal backEndRefusal(const std::string &Text) {
  return {"BackEnd",
          "the NVPTX back end does not take the kernel (" + Text +
              "); please report this with the source",
          DebugLoc()};
}

std::unique_ptr<Module> parse(StringRef Bitcode, LLVMContext &Ctx) {
  Expected<std::unique_ptr<Module>> M =
      parseBitcodeFile(MemoryBufferRef(Bitcode, "device"), Ctx);
  if (M)
    return std::move(*M);
  consumeError(M.takeError());
  return nullptr;
}

void replaceCalls(Module &M, const char *Name,
                  function_ref<Value *(IRBuilder<> &, CallInst *)> Make) {
  Function *F = M.getFunction(Name);
  if (!F)
    return;
  for (User *U : make_early_inc_range(F->users())) {
    auto *Call = cast<CallInst>(U);
    IRBuilder<> B(Call);
    if (Value *V = Make(B, Call))
      Call->replaceAllUsesWith(V);
    Call->eraseFromParent();
  }
  F->eraseFromParent();
}

unsigned dimension(const CallInst *Call) {
  return cast<ConstantInt>(Call->getArgOperand(0))->getZExtValue();
}

void barrier(IRBuilder<> &B) {
  B.CreateIntrinsic(Intrinsic::nvvm_barrier_cta_sync_aligned_all,
                    {B.getInt32(0)});
}

void lowerPositions(Module &M) {
  static const Intrinsic::ID Thread[] = {Intrinsic::nvvm_read_ptx_sreg_tid_x,
                                         Intrinsic::nvvm_read_ptx_sreg_tid_y,
                                         Intrinsic::nvvm_read_ptx_sreg_tid_z};
  static const Intrinsic::ID Block[] = {Intrinsic::nvvm_read_ptx_sreg_ctaid_x,
                                        Intrinsic::nvvm_read_ptx_sreg_ctaid_y,
                                        Intrinsic::nvvm_read_ptx_sreg_ctaid_z};
  replaceCalls(M, ThreadIdName, [&](IRBuilder<> &B, CallInst *C) {
    return B.CreateIntrinsic(Thread[dimension(C)], {});
  });
  replaceCalls(M, BlockIdName, [&](IRBuilder<> &B, CallInst *C) {
    return B.CreateIntrinsic(Block[dimension(C)], {});
  });
  auto Move = [](const char *Text, const char *Constraints) {
    return [=](IRBuilder<> &B, CallInst *C) -> Value * {
      return B.CreateCall(
          InlineAsm::get(C->getFunctionType(), Text, Constraints, false),
          {C->getArgOperand(0)});
    };
  };
  replaceCalls(M, Same32Name, Move("mov.u32 $0, $1;", "=r,r"));
  replaceCalls(M, Same64Name, Move("mov.u64 $0, $1;", "=l,l"));
  replaceCalls(M, BarrierName, [&](IRBuilder<> &B, CallInst *) -> Value * {
    barrier(B);
    return nullptr;
  });
}

/// Block 0 adds to the word at \p Counter what makes its highest bit change
/// when each of the others has added 1: all wait for that, and what they leave
/// in the other bits is what they found.  One thread of a block does so,
/// between two barriers of it, and what all of them wrote before is seen by all
/// behind.
void meetGrid(CallInst *Call) {
  Value *Counter = Call->getArgOperand(0);
  BasicBlock *Before = Call->getParent();
  BasicBlock *After = Before->splitBasicBlock(Call, "grid.met");
  Function *F = Before->getParent();
  LLVMContext &Ctx = F->getContext();
  auto *Add = BasicBlock::Create(Ctx, "grid.add", F, After);
  auto *Wait = BasicBlock::Create(Ctx, "grid.wait", F, After);
  SyncScope::ID Device = Ctx.getOrInsertSyncScopeID(DeviceScope);
  Before->getTerminator()->eraseFromParent();
  IRBuilder<> B(Before);
  barrier(B);
  Value *Thread = B.CreateIntrinsic(Intrinsic::nvvm_read_ptx_sreg_tid_x, {});
  B.CreateCondBr(B.CreateIsNull(Thread), Add, After);
  B.SetInsertPoint(Add);
  Value *Block = B.CreateIntrinsic(Intrinsic::nvvm_read_ptx_sreg_ctaid_x, {});
  Value *Blocks = B.CreateIntrinsic(Intrinsic::nvvm_read_ptx_sreg_nctaid_x, {});
  Value *First = B.CreateSub(B.getInt32(0x80000001), Blocks);
  Value *Mine = B.CreateSelect(B.CreateIsNull(Block), First, B.getInt32(1));
  // The back end leaves out what is said of the order of an addition.
  B.CreateFence(AtomicOrdering::AcquireRelease, Device);
  Value *Old = B.CreateAtomicRMW(AtomicRMWInst::Add, Counter, Mine, Align(4),
                                 AtomicOrdering::Monotonic, Device);
  B.CreateBr(Wait);
  B.SetInsertPoint(Wait);
  LoadInst *Now = B.CreateAlignedLoad(B.getInt32Ty(), Counter, Align(4));
  Now->setAtomic(AtomicOrdering::Monotonic, Device);
  auto *Met = BasicBlock::Create(Ctx, "grid.all", F, After);
  B.CreateCondBr(B.CreateICmpSLT(B.CreateXor(Old, Now), B.getInt32(0)), Met,
                 Wait);
  B.SetInsertPoint(Met);
  B.CreateFence(AtomicOrdering::AcquireRelease, Device);
  B.CreateBr(After);
  B.SetInsertPoint(Call);
  barrier(B);
}

/// What only kernels have whose blocks are on the device together.
void lowerGrid(Module &M) {
  replaceCalls(M, BlockCountName, [&](IRBuilder<> &B, CallInst *) {
    return B.CreateIntrinsic(Intrinsic::nvvm_read_ptx_sreg_nctaid_x, {});
  });
  replaceCalls(M, GridBarrierName,
               [&](IRBuilder<> &, CallInst *Call) -> Value * {
                 meetGrid(Call);
                 return nullptr;
               });
}

/// Lower asynchronous copies to cp.async, which is said to keep what one thread
/// needs out of the first cache where it can: in 16 bytes.
void lowerCopies(Module &M) {
  replaceCalls(M, CopyName, [&](IRBuilder<> &B, CallInst *C) -> Value * {
    Value *To = C->getArgOperand(0), *From = C->getArgOperand(1);
    Value *Size = C->getArgOperand(2), *Valid = C->getArgOperand(3);
    unsigned Bytes = cast<ConstantInt>(Size)->getZExtValue();
    bool All = Valid == Size;
    Intrinsic::ID Id =
        Bytes == 16  ? All ? Intrinsic::nvvm_cp_async_cg_shared_global_16
                           : Intrinsic::nvvm_cp_async_cg_shared_global_16_s
        : Bytes == 8 ? All ? Intrinsic::nvvm_cp_async_ca_shared_global_8
                           : Intrinsic::nvvm_cp_async_ca_shared_global_8_s
        : All        ? Intrinsic::nvvm_cp_async_ca_shared_global_4
                     : Intrinsic::nvvm_cp_async_ca_shared_global_4_s;
    SmallVector<Value *, 3> Operands = {To, From};
    if (!All)
      Operands.push_back(Valid);
    B.CreateIntrinsic(Id, Operands);
    return nullptr;
  });
  replaceCalls(M, CommitName, [&](IRBuilder<> &B, CallInst *) -> Value * {
    B.CreateIntrinsic(Intrinsic::nvvm_cp_async_commit_group, {});
    return nullptr;
  });
  replaceCalls(M, WaitName, [&](IRBuilder<> &B, CallInst *C) -> Value * {
    B.CreateIntrinsic(Intrinsic::nvvm_cp_async_wait_group,
                      {C->getArgOperand(0)});
    return nullptr;
  });
}

/// What is too large to be declared becomes part of the memory that a block is
/// given at the launch.  Returns comments that say how much that is.
std::string lowerShared(Module &M, const std::vector<std::string> &Kernels) {
  GlobalVariable *Given = nullptr;
  std::string Comments;
  for (const std::string &Name : Kernels) {
    SharedLayout Layout = sharedLayout(*M.getFunction(Name));
    if (Layout.Bytes <= gpuTarget().StaticShared)
      continue;
    Comments += "// " + Name + ": " + std::to_string(Layout.Bytes) +
                " bytes of shared memory, given at the launch\n";
    Type *Byte = Type::getInt8Ty(M.getContext());
    if (!Given) {
      Given = new GlobalVariable(M, ArrayType::get(Byte, 0), false,
                                 GlobalValue::ExternalLinkage, nullptr,
                                 "polygpu_shared", nullptr,
                                 GlobalValue::NotThreadLocal, SharedSpace);
      Given->setAlignment(Align(16));
    }
    for (auto [G, Offset] : Layout.Variables) {
      G->replaceAllUsesWith(ConstantExpr::getGetElementPtr(
          Byte, Given,
          ConstantInt::get(Type::getInt64Ty(M.getContext()), Offset)));
      G->eraseFromParent();
    }
  }
  return Comments;
}

/// What libdevice asks the compiler when it is linked: to flush denormals? No.
/// Are square roots and divisions to be exact? Yes; LLVM's own pass says no.
std::optional<uint64_t> answer(StringRef Question, const Options &O) {
  if (Question == "__CUDA_FTZ")
    return 0;
  if (Question == "__CUDA_PREC_SQRT" || Question == "__CUDA_PREC_DIV")
    return 1;
  if (Question == "__CUDA_ARCH")
    return uint64_t(O.Arch) * 10;
  return std::nullopt;
}

/// Replace the questions that libdevice asks by the answers.
std::optional<Refusal> answerQuestions(Module &M, const Options &O) {
  Function *Reflect = M.getFunction("__nvvm_reflect");
  if (!Reflect)
    return std::nullopt;
  for (User *U : make_early_inc_range(Reflect->users())) {
    auto *Call = dyn_cast<CallInst>(U);
    StringRef Question;
    if (!Call || !getConstantStringInfo(Call->getArgOperand(0), Question))
      return backEndRefusal("libdevice asks in a way that is not known");
    std::optional<uint64_t> Answer = answer(Question, O);
    if (!Answer)
      return backEndRefusal("libdevice asks for " + Question.str());
    Call->replaceAllUsesWith(ConstantInt::get(Call->getType(), *Answer));
    Call->eraseFromParent();
  }
  Reflect->eraseFromParent();
  return std::nullopt;
}

/// Rename library calls to libdevice's and link what they need.
std::optional<Refusal> linkLibdevice(Module &M, const Options &O) {
  bool Needed = false;
  for (Function &F : M) {
    if (!F.isDeclaration() || F.isIntrinsic())
      continue;
    std::string Name = libdeviceName(F.getName());
    if (Name.empty())
      return backEndRefusal("unknown function " + F.getName().str());
    F.setName(Name);
    Needed = true;
  }
  if (!Needed)
    return std::nullopt;
  auto Buffer = MemoryBuffer::getFile(libdevicePath(O.CudaPath));
  if (!Buffer)
    return backEndRefusal("libdevice cannot be read");
  // Only the functions that are needed are read.
  Expected<std::unique_ptr<Module>> Lib =
      getOwningLazyBitcodeModule(std::move(*Buffer), M.getContext());
  if (!Lib) {
    consumeError(Lib.takeError());
    return backEndRefusal("libdevice cannot be read");
  }
  (*Lib)->setDataLayout(M.getDataLayout());
  (*Lib)->setTargetTriple(M.getTargetTriple());
  if (Linker::linkModules(M, std::move(*Lib), Linker::LinkOnlyNeeded))
    return backEndRefusal("libdevice cannot be linked");
  for (Function &F : M)
    if (F.isDeclaration() && !F.isIntrinsic() &&
        F.getName() != "__nvvm_reflect")
      return backEndRefusal("libdevice has no " + F.getName().str());
  return answerQuestions(M, O);
}

/// Run the passes that \p Choose asks for.
void runPasses(Module &M, TargetMachine *TM,
               function_ref<ModulePassManager(PassBuilder &)> Choose) {
  LoopAnalysisManager LAM;
  FunctionAnalysisManager FAM;
  CGSCCAnalysisManager CGAM;
  ModuleAnalysisManager MAM;
  PipelineTuningOptions Tuning;
  // -ftime-trace tells them apart.
  PassInstrumentationCallbacks Callbacks;
  TimeProfilingPassesHandler Profile;
  Profile.registerCallbacks(Callbacks);
  PassBuilder PB(TM, Tuning, std::nullopt,
                 timeTraceProfilerEnabled() ? &Callbacks : nullptr);
  PB.registerModuleAnalyses(MAM);
  PB.registerCGSCCAnalyses(CGAM);
  PB.registerFunctionAnalyses(FAM);
  PB.registerLoopAnalyses(LAM);
  PB.crossRegisterProxies(LAM, FAM, CGAM, MAM);
  Choose(PB).run(M, MAM);
}

/// What is simplified before vectors are looked for.
void addSimplifications(FunctionPassManager &FPM) {
  FPM.addPass(SROAPass(SROAOptions::ModifyCFG));
  FPM.addPass(InstCombinePass());
  FPM.addPass(EarlyCSEPass(/*UseMemorySSA=*/true));
}

/// Loads and stores of elements next to each other become vectors, as the back
/// end for PTX makes them.
void addVectors(FunctionPassManager &FPM) {
  FPM.addPass(InferAlignmentPass());
  FPM.addPass(LoadStoreVectorizerPass());
}

/// Vectors of kernels that are made for them, before other passes join the code
/// of full tiles with that of partial ones, of which the accesses are the same.
class EarlyVectorsPass : public PassInfoMixin<EarlyVectorsPass> {
public:
  PreservedAnalyses run(Function &F, FunctionAnalysisManager &FAM) {
    if (!F.hasFnAttribute(VectorsAttribute))
      return PreservedAnalyses::all();
    FunctionPassManager FPM;
    addSimplifications(FPM);
    // Neighbours in arrays of three dimensions are too long sums for the
    // analysis of addresses, unless they are constants from one of them.
    FPM.addPass(SeparateConstOffsetFromGEPPass());
    FPM.addPass(EarlyCSEPass(/*UseMemorySSA=*/true));
    addVectors(FPM);
    return FPM.run(F, FAM);
  }
};

/// Branches before, after and behind the passes over loops, as -O3 has them.
#define FIRST "simplifycfg<switch-range-to-icmp;keep-loops>"
#define LATER                                                                  \
  "simplifycfg<switch-range-to-icmp;keep-loops;hoist-common-insts;"            \
  "sink-common-insts>"
#define WITHOUT_LOOPS                                                          \
  "simplifycfg<forward-switch-cond;switch-range-to-icmp;switch-to-arithmetic;" \
  "switch-to-lookup;no-keep-loops;hoist-common-insts;sink-common-insts>"
#define LAST                                                                   \
  "simplifycfg<switch-range-to-icmp;switch-to-arithmetic;keep-loops;"          \
  "hoist-common-insts;hoist-loads-stores-with-cond-faulting;"                  \
  "sink-common-insts;speculate-unpredictables>"
#define COMBINE "instcombine<max-iterations=1;no-verify-fixpoint>"

/// What clang's -O3 does to a kernel, without what kernels give no work to:
/// vectorisers, calls and recursion, coroutines, idioms of libraries, and some
/// repetitions.  One pass after another was taken out of -O3's; these are left,
/// without which ptxas gave products other registers, or made more instructions
/// of kernels of the suite.  It takes four fifths of the back end's time.
/// A test that is not marked as one that all threads make together is for all
/// of -O3, which has ways to jump past it.
constexpr const char *KernelPasses =
    "function<eager-inv>(" FIRST ",sroa<modify-cfg>,early-cse," COMBINE
    "," FIRST "),always-inline,function<eager-inv>("
    "sroa<modify-cfg>,early-cse<memssa>," FIRST "," COMBINE
    ",reassociate,constraint-elimination,"
    "loop-mssa(loop-instsimplify,loop-simplifycfg,licm<no-allowspeculation>,"
    "loop-rotate<header-duplication>,licm<allowspeculation>,"
    "simple-loop-unswitch<nontrivial;trivial>)," FIRST "," COMBINE
    ",loop(indvars,loop-deletion,loop-unroll-full),sroa<modify-cfg>,"
    "gvn,sccp,bdce," COMBINE
    ",adce,dse,loop-mssa(licm<allowspeculation>)," LATER "," COMBINE
    ",infer-alignment," WITHOUT_LOOPS "," COMBINE
    ",loop-unroll<O3>,sroa<preserve-cfg>," COMBINE
    ",loop-mssa(licm<allowspeculation>),loop-sink,instsimplify," LAST
    "),globaldce";

void optimise(Module &M, TargetMachine &TM) {
  runPasses(M, &TM, [](PassBuilder &PB) {
    ModulePassManager MPM;
    MPM.addPass(createModuleToFunctionPassAdaptor(EarlyVectorsPass()));
    if (isMutating(Mutation::Uniform))
      MPM.addPass(PB.buildPerModuleDefaultPipeline(OptimizationLevel::O3));
    else
      cantFail(PB.parsePassPipeline(MPM, KernelPasses));
    return MPM;
  });
}

} // namespace

StringMap<unsigned> removeRedundant(Module &Device) {
  StringMap<unsigned> Lengths;
  // Tests that are not marked are jumped past where more is left for -O3.
  if (!isMutating(Mutation::Uniform))
    runPasses(Device, nullptr, [](PassBuilder &) {
      FunctionPassManager FPM;
      FPM.addPass(SROAPass(SROAOptions::ModifyCFG));
      FPM.addPass(EarlyCSEPass(/*UseMemorySSA=*/true));
      ModulePassManager MPM;
      MPM.addPass(createModuleToFunctionPassAdaptor(std::move(FPM)));
      return MPM;
    });
  for (const Function &F : Device)
    if (!F.isDeclaration())
      Lengths[F.getName()] = F.getInstructionCount();
  return Lengths;
}

void simplifyKernels(Module &Device) {
  runPasses(Device, nullptr, [](PassBuilder &) {
    FunctionPassManager FPM;
    addSimplifications(FPM);
    addVectors(FPM);
    ModulePassManager MPM;
    MPM.addPass(createModuleToFunctionPassAdaptor(std::move(FPM)));
    return MPM;
  });
}

namespace {

/// Leaves one of the back end's passes out in functions with a long block: sums
/// of several values that others compute in another order are looked for in a
/// time that grows with the square of their number.
class LongBlocks : public OptPassGate {
public:
  void look(const Module &M);
  bool isEnabled() const override { return !Long.empty(); }
  bool shouldRunPass(StringRef Pass, StringRef Where) const override {
    return Pass != "nary-reassociate" || !Long.contains(Where);
  }

private:
  static const size_t Most = 1000; ///< instructions
  StringSet<> Long;                ///< as passes describe functions
};

void LongBlocks::look(const Module &M) {
  Long.clear();
  for (const Function &F : M)
    if (any_of(F, [](const BasicBlock &BB) { return BB.size() > Most; }))
      Long.insert(("function (" + F.getName() + ")").str());
}

/// A context and a machine, for one text.
struct BackEnd {
  std::string Errors;
  LongBlocks Gate;
  LLVMContext Ctx;
  std::unique_ptr<TargetMachine> TM;

  std::optional<Refusal> start(const Options &O);
  std::optional<Refusal> emit(Module &M, std::string &PTX);
};

} // namespace

std::optional<Refusal> BackEnd::start(const Options &O) {
  static const bool IsRegistered = registerTarget();
  (void)IsRegistered;
  Ctx.setDiagnosticHandler(std::make_unique<CollectingHandler>(Errors));
  Ctx.setOptPassGate(Gate);
  Triple T(gpuTarget().Triple);
  std::string Message;
  const llvm::Target *Target = TargetRegistry::lookupTarget(T, Message);
  if (!Target)
    return Refusal{"NoBackEnd",
                   "this LLVM has no NVPTX back end (" + Message +
                       "); install Debian's llvm-22 packages",
                   DebugLoc()};
  TargetOptions TO;
  TO.AllowFPOpFusion = FPOpFusion::Strict;
  TM.reset(Target->createTargetMachine(T, O.Processor, "", TO, Reloc::PIC_,
                                       std::nullopt,
                                       CodeGenOptLevel::Aggressive));
  return std::nullopt;
}

std::optional<Refusal> BackEnd::emit(Module &M, std::string &PTX) {
  SmallString<0> Text;
  raw_svector_ostream OS(Text);
  legacy::PassManager PM;
  if (TM->addPassesToEmitFile(PM, OS, nullptr, CodeGenFileType::AssemblyFile))
    return backEndRefusal("no assembly printer");
  Gate.look(M);
  PM.run(M);
  if (!Errors.empty())
    return backEndRefusal(Errors);
  PTX = Text.str().str();
  return std::nullopt;
}

/// With the order of uses, on which that of instructions in PTX depends.
static std::string toBitcode(const Module &M, bool WithOrder) {
  std::string Bitcode;
  raw_string_ostream OS(Bitcode);
  WriteBitcodeToFile(M, OS, WithOrder);
  return Bitcode;
}

std::optional<Refusal> compileToPTX(const Module &Device,
                                    const std::vector<std::string> &Kernels,
                                    const Options &O, std::string &PTX,
                                    std::string *Optimised) {
  BackEnd Back;
  if (auto Why = Back.start(O))
    return Why;
  std::unique_ptr<Module> M = parse(toBitcode(Device, false), Back.Ctx);
  if (!M)
    return backEndRefusal("bitcode");
  M->setTargetTriple(Back.TM->getTargetTriple());
  M->setDataLayout(Back.TM->createDataLayout());
  lowerGrid(*M);
  lowerPositions(*M);
  lowerCopies(*M);
  widenNarrowUpdates(*M);
  std::string Comments = lowerShared(*M, Kernels);
  if (auto Why = linkLibdevice(*M, O))
    return Why;
  for (const std::string &Name : Kernels)
    M->getFunction(Name)->setCallingConv(CallingConv::PTX_Kernel);
  internalizeModule(*M, [](const GlobalValue &G) {
    const auto *F = dyn_cast<Function>(&G);
    return F && F->getCallingConv() == CallingConv::PTX_Kernel;
  });
  markUniformTests(*M);
  optimise(*M, *Back.TM);
  if (std::string Kernel = findApartAtBarrier(*M); !Kernel.empty())
    return Refusal{"ApartAtBarrier",
                   "LLVM made of kernel " + Kernel +
                       " one in which the threads of a warp may reach a "
                       "barrier on different ways; please report this with "
                       "the source",
                   DebugLoc()};
  if (Optimised)
    *Optimised = toBitcode(*M, true);
  if (auto Why = Back.emit(*M, PTX))
    return Why;
  PTX = Comments + PTX;
  return std::nullopt;
}

std::optional<Refusal> linkToPTX(ArrayRef<StringRef> Optimised,
                                 const Options &O, std::string &PTX) {
  BackEnd Back;
  if (auto Why = Back.start(O))
    return Why;
  std::unique_ptr<Module> All;
  for (StringRef Bitcode : Optimised) {
    std::unique_ptr<Module> M = parse(Bitcode, Back.Ctx);
    if (!M)
      return backEndRefusal("bitcode");
    if (!All)
      All = std::move(M);
    else if (Linker::linkModules(*All, std::move(M)))
      return backEndRefusal("device code cannot be linked: " + Back.Errors);
  }
  return Back.emit(*All, PTX);
}

} // namespace polygpu
