//===- Target.cpp - From device module to images --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "target/Target.h"
#include "kernel/Convergence.h"
#include "target/MathCalls.h"
#include "target/RunProgram.h"
#include "target/SharedLayout.h"
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
#include "llvm/Linker/Linker.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Target/TargetOptions.h"
#include "llvm/Transforms/IPO/Internalize.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

extern "C" {
void LLVMInitializeNVPTXTargetInfo();
void LLVMInitializeNVPTXTarget();
void LLVMInitializeNVPTXTargetMC();
void LLVMInitializeNVPTXAsmPrinter();
}

namespace polygpu {

const char *deviceDataLayout() {
  static const std::string Layout = [] {
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetMC();
    LLVMInitializeNVPTXAsmPrinter();
    Triple T("nvptx64-nvidia-cuda");
    return T.computeDataLayout();
  }();
  return Layout.c_str();
}

static std::string libdevicePath(const Options &O) {
  if (O.CudaPath.empty())
    return "";
  SmallString<128> Path(O.CudaPath);
  sys::path::append(Path, "nvvm", "libdevice", "libdevice.10.bc");
  return sys::fs::exists(Path) ? std::string(Path) : "";
}

bool hasLibdevice(const Options &O) { return !libdevicePath(O).empty(); }

namespace {

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

/// Copy \p M into \p Ctx.
std::unique_ptr<Module> moveToContext(const Module &M, LLVMContext &Ctx) {
  SmallVector<char, 0> Buffer;
  raw_svector_ostream OS(Buffer);
  WriteBitcodeToFile(M, OS);
  Expected<std::unique_ptr<Module>> Copy = parseBitcodeFile(
      MemoryBufferRef(StringRef(Buffer.data(), Buffer.size()), "device"), Ctx);
  if (!Copy) {
    consumeError(Copy.takeError());
    return nullptr;
  }
  return std::move(*Copy);
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
    B.CreateIntrinsic(Intrinsic::nvvm_barrier_cta_sync_aligned_all,
                      {B.getInt32(0)});
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
    if (Layout.Bytes <= PG_STATIC_SHARED)
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
  auto Buffer = MemoryBuffer::getFile(libdevicePath(O));
  if (!Buffer)
    return backEndRefusal("libdevice cannot be read");
  Expected<std::unique_ptr<Module>> Lib =
      parseBitcodeFile((*Buffer)->getMemBufferRef(), M.getContext());
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
  PassBuilder PB(TM, Tuning);
  PB.registerModuleAnalyses(MAM);
  PB.registerCGSCCAnalyses(CGAM);
  PB.registerFunctionAnalyses(FAM);
  PB.registerLoopAnalyses(LAM);
  PB.crossRegisterProxies(LAM, FAM, CGAM, MAM);
  Choose(PB).run(M, MAM);
}

void optimise(Module &M, TargetMachine &TM) {
  runPasses(M, &TM, [](PassBuilder &PB) {
    return PB.buildPerModuleDefaultPipeline(OptimizationLevel::O3);
  });
}

} // namespace

static StringMap<unsigned> countInstructions(const Module &M) {
  StringMap<unsigned> Lengths;
  for (const Function &F : M)
    if (!F.isDeclaration())
      Lengths[F.getName()] = F.getInstructionCount();
  return Lengths;
}

StringMap<unsigned> measureKernels(const Module &Device, unsigned Long) {
  StringMap<unsigned> Lengths = countInstructions(Device);
  unsigned Sum = 0;
  for (const auto &L : Lengths)
    Sum += L.second;
  if (Sum <= Long)
    return Lengths;
  std::unique_ptr<Module> Copy = CloneModule(Device);
  runPasses(*Copy, nullptr, [](PassBuilder &) {
    FunctionPassManager FPM;
    FPM.addPass(SROAPass(SROAOptions::ModifyCFG));
    FPM.addPass(EarlyCSEPass());
    ModulePassManager MPM;
    MPM.addPass(createModuleToFunctionPassAdaptor(std::move(FPM)));
    return MPM;
  });
  return countInstructions(*Copy);
}

void simplifyKernels(Module &Device) {
  runPasses(Device, nullptr, [](PassBuilder &) {
    FunctionPassManager FPM;
    FPM.addPass(SROAPass(SROAOptions::ModifyCFG));
    FPM.addPass(InstCombinePass());
    FPM.addPass(EarlyCSEPass(/*UseMemorySSA=*/true));
    ModulePassManager MPM;
    MPM.addPass(createModuleToFunctionPassAdaptor(std::move(FPM)));
    return MPM;
  });
}

std::optional<Refusal> compileToPTX(const Module &Device,
                                    const std::vector<std::string> &Kernels,
                                    const Options &O, std::string &PTX) {
  deviceDataLayout(); // registers the target
  std::string Errors;
  LLVMContext Ctx;
  Ctx.setDiagnosticHandler(std::make_unique<CollectingHandler>(Errors));
  std::unique_ptr<Module> M = moveToContext(Device, Ctx);
  if (!M)
    return backEndRefusal("bitcode");
  Triple T("nvptx64-nvidia-cuda");
  std::string Message;
  const llvm::Target *Target = TargetRegistry::lookupTarget(T, Message);
  if (!Target)
    return Refusal{"NoBackEnd",
                   "this LLVM has no NVPTX back end (" + Message +
                       "); install Debian's llvm-22 packages",
                   DebugLoc()};
  TargetOptions TO;
  TO.AllowFPOpFusion = FPOpFusion::Strict;
  std::unique_ptr<TargetMachine> TM(
      Target->createTargetMachine(T, O.Processor, "", TO, Reloc::PIC_,
                                  std::nullopt, CodeGenOptLevel::Aggressive));
  M->setTargetTriple(T);
  M->setDataLayout(TM->createDataLayout());
  lowerPositions(*M);
  lowerCopies(*M);
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
  optimise(*M, *TM);
  if (std::string Kernel = findApartAtBarrier(*M); !Kernel.empty())
    return Refusal{"ApartAtBarrier",
                   "LLVM made of kernel " + Kernel +
                       " one in which the threads of a warp may reach a "
                       "barrier on different ways; please report this with "
                       "the source",
                   DebugLoc()};
  SmallString<0> Text;
  raw_svector_ostream OS(Text);
  legacy::PassManager PM;
  if (TM->addPassesToEmitFile(PM, OS, nullptr, CodeGenFileType::AssemblyFile))
    return backEndRefusal("no assembly printer");
  PM.run(*M);
  if (!Errors.empty())
    return backEndRefusal(Errors);
  PTX = Comments + Text.str().str();
  return std::nullopt;
}

static std::string findAssembler(const Options &O) {
  SmallString<128> Bin(O.CudaPath);
  sys::path::append(Bin, "bin");
  auto Ptxas = sys::findProgramByName("ptxas", {StringRef(Bin)});
  if (!Ptxas)
    Ptxas = sys::findProgramByName("ptxas");
  return Ptxas ? *Ptxas : "";
}

bool hasAssembler(const Options &O) { return !findAssembler(O).empty(); }

/// The number before \p What in \p Line, 0 if there is none.
static unsigned numberBefore(StringRef Line, StringRef What) {
  unsigned N = 0;
  StringRef Before = Line.split(What).first;
  if (Before.size() == Line.size() ||
      Before.substr(Before.rfind(' ') + 1).getAsInteger(10, N))
    return 0;
  return N;
}

namespace {

/// What ptxas says of a kernel, in bytes of local memory.
struct Usage {
  unsigned Stack = 0, Spills = 0;
};

/// One run of ptxas.
struct Assembly {
  std::string Cubin;   ///< empty if it failed
  std::string Problem; ///< why it did
  StringMap<Usage> Kernels;
  bool Late = false; ///< it was ended for its time
};

} // namespace

/// The sentence in which ptxas says what is wrong, without its file's name.
static std::string complaint(StringRef Report) {
  SmallVector<StringRef, 32> Lines;
  Report.split(Lines, '\n', -1, false);
  for (const char *Word : {"error", "fatal"})
    for (StringRef Line : Lines)
      if (size_t At = Line.find(Word); At != StringRef::npos)
        return Line.substr(At).rtrim().str();
  return Lines.empty() ? "no message" : Lines.front().rtrim().str();
}

/// Of what ptxas says: the name of a kernel, and then its bytes.
static StringMap<Usage> readReport(StringRef Report) {
  StringMap<Usage> Kernels;
  StringRef Name;
  SmallVector<StringRef, 32> Lines;
  Report.split(Lines, '\n');
  for (StringRef Line : Lines) {
    if (auto [Head, Tail] = Line.split("Function properties for ");
        !Tail.empty())
      Name = Tail.trim();
    if (Line.contains(" bytes stack frame"))
      Kernels[Name] = {numberBefore(Line, " bytes stack frame"),
                       numberBefore(Line, " bytes spill stores")};
  }
  return Kernels;
}

/// Run \p Ptxas with \p More arguments.
static Assembly runAssembler(StringRef Ptxas, const std::string &PTX,
                             const Options &O, ArrayRef<StringRef> More) {
  Assembly Result;
  SmallString<128> In, Out, Report;
  int Fd;
  Result.Problem = "no temporary file could be made";
  if (sys::fs::createTemporaryFile("polygpu", "ptx", Fd, In))
    return Result;
  raw_fd_ostream(Fd, true) << PTX;
  if (!sys::fs::createTemporaryFile("polygpu", "cubin", Out) &&
      !sys::fs::createTemporaryFile("polygpu", "txt", Report)) {
    std::string Arch = "-arch=" + O.Processor;
    SmallVector<StringRef, 8> Args = {Ptxas, Arch, "-O3", "-v", In, "-o", Out};
    append_range(Args, More);
    std::optional<StringRef> Redirects[] = {std::nullopt, StringRef(""),
                                            StringRef(Report)};
    std::string Message;
    int RC = runProgram(Ptxas, Args, Redirects, O.Seconds, Message);
    Result.Late = StringRef(Message).starts_with("it took more than");
    if (RC == 0)
      if (auto Buffer = MemoryBuffer::getFile(Out, false, false))
        Result.Cubin = (*Buffer)->getBuffer().str();
    if (auto Buffer = MemoryBuffer::getFile(Report, true)) {
      Result.Kernels = readReport((*Buffer)->getBuffer());
      if (Message.empty())
        Message = RC ? complaint((*Buffer)->getBuffer()) : "it wrote nothing";
    }
    Result.Problem = Result.Cubin.empty() ? Message : "";
  }
  for (StringRef File : {In.str(), Out.str(), Report.str()})
    if (!File.empty())
      sys::fs::remove(File);
  return Result;
}

/// Where \p PTX says how many blocks of kernel \p Name shall fit onto a
/// multiprocessor, a digit; npos if it does not.
static size_t blocksAt(StringRef PTX, const std::string &Name) {
  static const StringRef Directive = ".minnctapersm ";
  size_t Entry = PTX.find(".entry " + Name + "(");
  size_t Body = PTX.find("\n{", Entry);
  size_t At = PTX.find(Directive, Entry);
  if (Entry == StringRef::npos || At > Body)
    return StringRef::npos;
  return At + Directive.size();
}

/// The digit there, or null.
static char *blocksOf(std::string &PTX, const std::string &Name) {
  size_t At = blocksAt(PTX, Name);
  return At == StringRef::npos ? nullptr : &PTX[At];
}

/// Let \p PTX say that for kernel \p Name; where it does not, ptxas has an
/// opinion of its own, and may spill for it.
static bool sayBlocks(std::string &PTX, const std::string &Name) {
  size_t Body = PTX.find("\n{", PTX.find(".entry " + Name + "("));
  if (Body == std::string::npos)
    return false;
  PTX.insert(Body, "\n.minnctapersm 4");
  return true;
}

unsigned blocksAtATime(const std::string &PTX, const std::string &Name) {
  size_t At = blocksAt(PTX, Name);
  return At == StringRef::npos ? 0 : PTX[At] - '0';
}

/// The kernels of \p Names that spill: also without a word about spills, where
/// there is more in local memory than with all registers there are (\p Most).
static std::vector<std::string>
spilling(const Assembly &A, const Assembly &Most, ArrayRef<std::string> Names) {
  std::vector<std::string> Result;
  for (const std::string &Name : Names) {
    Usage U = A.Kernels.lookup(Name);
    if (U.Spills || U.Stack > Most.Kernels.lookup(Name).Stack)
      Result.push_back(Name);
  }
  return Result;
}

bool assemble(std::string &PTX, const std::vector<std::string> &Kernels,
              const Options &O, std::string &Cubin,
              std::vector<std::string> &Spilling, std::string &Problem,
              bool &Late) {
  std::string Ptxas = findAssembler(O);
  if (Ptxas.empty())
    return false;
  auto Run = [&](const std::string &Text, ArrayRef<StringRef> More) {
    Assembly A = runAssembler(Ptxas, Text, O, More);
    Late |= A.Late;
    return A;
  };
  auto IsClean = [](const Assembly &A) {
    return all_of(A.Kernels, [](const auto &K) { return K.second.Stack == 0; });
  };
  Assembly Result = Run(PTX, {}), Most;
  if (!IsClean(Result)) {
    std::string Alone = PTX;
    for (const std::string &Name : Kernels)
      if (char *Blocks = blocksOf(Alone, Name))
        *Blocks = '1';
    Most = Run(Alone, {});
  }
  while (!(Spilling = spilling(Result, Most, Kernels)).empty()) {
    // It is close where a few blocks share the registers: other heuristics may
    // do.
    bool Few = any_of(Spilling, [&](const std::string &Name) {
      const char *Blocks = blocksOf(PTX, Name);
      return Blocks && (*Blocks == '2' || *Blocks == '3');
    });
    for (const char *Level : {"0", "10"}) {
      if (!Few || Spilling.empty())
        break;
      Assembly Other = Run(PTX, {"--register-usage-level", Level});
      if (Other.Cubin.empty() || !spilling(Other, Most, Kernels).empty())
        continue;
      Result = std::move(Other);
      Spilling.clear();
      PTX =
          "// ptxas --register-usage-level " + std::string(Level) + "\n" + PTX;
    }
    bool Relaxed = false;
    for (const std::string &Name : Spilling) {
      char *Blocks = blocksOf(PTX, Name);
      if (Blocks && *Blocks == '1')
        continue;
      if (Blocks)
        --*Blocks;
      else if (!sayBlocks(PTX, Name))
        continue;
      Relaxed = true;
    }
    if (!Relaxed)
      break;
    Result = Run(PTX, {});
  }
  Cubin = std::move(Result.Cubin);
  if (Cubin.empty())
    Problem = Ptxas + ": " + Result.Problem;
  return !Cubin.empty();
}

} // namespace polygpu
