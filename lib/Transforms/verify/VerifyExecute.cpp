//===- VerifyExecute.cpp - Offloaded functions are executed ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "verify/VerifyExecute.h"
#include "polygpu/abi.h"
#include "prepare/Candidates.h"
#include "prepare/Forward.h"
#include "target/Emulate.h"
#include "target/RunProgram.h"
#include "verify/Repetitions.h"
#include "verify/SaveFailure.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace polygpu {

namespace {

/// What executing a function showed.
struct Execution {
  enum { Same, Different, Unchecked } Result = Unchecked;
  std::string Sentence;            ///< of a difference, or why unchecked
  unsigned Runs = 0, Launches = 0; ///< of those that were compared
  unsigned Early = 0; ///< of these, with loops that were left early
  unsigned Newer = 0; ///< launches of kernels for newer devices
};

} // namespace

/// Seconds that all functions of a module may take together, and each of them.
static const unsigned SecondsAtLeast = 60, SecondsEach = 20;

/// Field number \p Field of \p Struct replaced.
static Constant *withField(Constant *Struct, unsigned Field, Constant *Value) {
  SmallVector<Constant *, 16> Fields;
  for (unsigned I = 0; I < Struct->getNumOperands(); ++I)
    Fields.push_back(I == Field ? Value
                                : cast<Constant>(Struct->getOperand(I)));
  return ConstantStruct::getAnon(Fields);
}

/// Give the kernels of \p Descriptor checked code for the emulated device.  The
/// fields are those of polygpu_scop and polygpu_kernel (polygpu/abi.h).
static void addKernels(GlobalVariable &Descriptor, const OffloadedScop &Scop,
                       const Function &Like) {
  enum { KernelsOfScop = 9, Flags = 2, Emulated = 6 };
  Module &M = *Descriptor.getParent();
  std::vector<EmulatedKernel> Code;
  for (const ExecutedKernels &Plan : Scop.Plans)
    append_range(Code, emulate(*Plan.Device, Plan.Names, M, Like, true));
  auto *List = cast<GlobalVariable>(
      Descriptor.getInitializer()->getOperand(KernelsOfScop));
  SmallVector<Constant *, 8> Kernels;
  for (unsigned K = 0; K < Code.size(); ++K) {
    auto *Kernel = cast<Constant>(List->getInitializer()->getOperand(K));
    auto *Old = cast<ConstantInt>(Kernel->getOperand(Flags));
    Kernel =
        withField(Kernel, Flags,
                  ConstantInt::get(Old->getType(), Old->getZExtValue() |
                                                       POLYGPU_KERNEL_CHECKED));
    Kernels.push_back(withField(Kernel, Emulated, Code[K].Function));
  }
  List->setInitializer(
      ConstantArray::get(cast<ArrayType>(List->getValueType()), Kernels));
}

/// The module that is executed: what the functions need, with names.
static std::unique_ptr<Module>
makeModule(Module &M, ArrayRef<OffloadedFunction> Functions,
           SmallVectorImpl<std::pair<std::string, std::string>> &Names) {
  ValueToValueMapTy VMap;
  std::unique_ptr<Module> Result = CloneModule(M, VMap);
  SmallPtrSet<const GlobalValue *, 16> Kept;
  for (const OffloadedFunction &Offloaded : Functions) {
    auto *F = cast<Function>(VMap[Offloaded.F]);
    auto *Copy = cast<Function>(VMap[Offloaded.Copy]);
    for (const OffloadedScop &Scop : Offloaded.Scops)
      addKernels(*cast<GlobalVariable>(VMap[Scop.Descriptor]), Scop, *Copy);
    Copy->addFnAttr("polygpu");
    leaveEarly(*F, *Copy);
    if (takesScope(*F, *Copy))
      Copy = scopedCopy(*F, *Copy);
    for (Function *Root : {F, Copy}) {
      Root->setLinkage(GlobalValue::ExternalLinkage);
      Root->setComdat(nullptr);
      Kept.insert(Root);
    }
    Names.push_back({F->getName().str(), Copy->getName().str()});
  }
  for (Function &F : *Result)
    dropInstrumentation(F);
  reduceTo(*Result, Kept);
  return Result;
}

static std::string readAll(StringRef Path) {
  auto Buffer = MemoryBuffer::getFile(Path);
  return Buffer ? (*Buffer)->getBuffer().str() : "";
}

/// Start the program on \p File; what it printed, or "" with \p Error.
static std::string
startHelper(StringRef File, ArrayRef<std::pair<std::string, std::string>> Names,
            std::string &Error) {
  std::string Helper = besidePlugin("polygpu-verify");
  if (!sys::fs::can_execute(Helper)) {
    Error = "polygpu-verify is not beside the plugin";
    return "";
  }
  SmallVector<StringRef, 16> Args = {Helper, File};
  for (auto &[F, Copy] : Names) {
    Args.push_back(F);
    Args.push_back(Copy);
  }
  SmallString<128> Out, Err;
  if (sys::fs::createTemporaryFile("polygpu-verify", "out", Out) ||
      sys::fs::createTemporaryFile("polygpu-verify", "err", Err)) {
    Error = "no temporary file can be made";
    return "";
  }
  std::optional<StringRef> Redirects[] = {StringRef(), StringRef(Out),
                                          StringRef(Err)};
  unsigned Limit = SecondsAtLeast + SecondsEach * Names.size();
  std::string Message;
  int Status = runProgram(Helper, Args, Redirects, Limit, Message);
  std::string Text = readAll(Out);
  if (Status != 0) {
    Error = readAll(Err);
    Error = Error.empty() ? "polygpu-verify failed: " + Message
                          : StringRef(Error).split('\n').first.str();
  }
  sys::fs::remove(Out);
  sys::fs::remove(Err);
  return Text;
}

static Execution parseLine(StringRef Line) {
  Execution E;
  auto [Word, Rest] = Line.split(' ');
  if (Word == "same") {
    SmallVector<StringRef, 4> Numbers;
    Rest.split(Numbers, ' ');
    Numbers.resize(5);
    E.Result = Execution::Same;
    Numbers[0].getAsInteger(10, E.Runs);
    Numbers[1].getAsInteger(10, E.Launches);
    Numbers[3].getAsInteger(10, E.Early);
    Numbers[4].getAsInteger(10, E.Newer);
  } else {
    E.Result =
        Word == "different" ? Execution::Different : Execution::Unchecked;
    E.Sentence = Rest.str();
  }
  return E;
}

/// Keep what shows the difference of \p Executed, the second of the pair: the
/// module, the SCoPs, what was found.
static void save(StringRef Directory, StringRef File,
                 const OffloadedFunction &Offloaded, StringRef Executed,
                 const Execution &E) {
  sys::fs::create_directories(Directory);
  SmallString<128> Name(Directory);
  sys::path::append(Name, Offloaded.F->getName());
  sys::fs::copy_file(File, Name + ".bc");
  std::error_code Error;
  raw_fd_ostream Text((Name + ".txt").str(), Error);
  if (Error)
    return;
  Text << "polygpu-verify " << Name << ".bc " << Offloaded.F->getName() << ' '
       << Executed << '\n'
       << E.Sentence << '\n';
  for (const OffloadedScop &Scop : Offloaded.Scops)
    Text << Scop.Nest.Summary << '\n' << Scop.Text;
}

/// Execute all of \p Functions; one result each.  What shows differences is
/// kept where \p O says.
static std::vector<Execution>
execute(Module &M, ArrayRef<OffloadedFunction> Functions, const Options &O) {
  const std::string &SaveIn = O.SaveFailures;
  std::vector<Execution> Results(Functions.size());
  SmallVector<std::pair<std::string, std::string>, 8> Names;
  std::unique_ptr<Module> Executed = makeModule(M, Functions, Names);
  // As under fast-math flags floating-point values are not compared.
  for (const auto &Name : Names)
    if (O.Reassociate)
      Executed->getFunction(Name.first)->addFnAttr("polygpu-loosely");
  SmallString<128> File;
  int Descriptor;
  if (sys::fs::createTemporaryFile("polygpu-verify", "bc", Descriptor, File)) {
    for (Execution &E : Results)
      E.Sentence = "no temporary file can be made";
    return Results;
  }
  {
    raw_fd_ostream OS(Descriptor, true);
    WriteBitcodeToFile(*Executed, OS);
  }
  std::string Error, Text = startHelper(File, Names, Error);
  StringRef Rest = Text;
  for (unsigned I = 0; I < Functions.size(); ++I) {
    auto [Line, Next] = Rest.split('\n');
    Rest = Next;
    if (Line.empty())
      Results[I].Sentence = Error.empty() ? "no answer" : Error;
    else
      Results[I] = parseLine(Line);
    // Another body has another frame, and may say so.
    if (needsOwnFrame(*Functions[I].F))
      Results[I] = {Execution::Unchecked, "it looks at its own frame", 0, 0, 0};
    if (Results[I].Result == Execution::Different && !SaveIn.empty())
      save(SaveIn, File, Functions[I], Names[I].second, Results[I]);
  }
  sys::fs::remove(File);
  return Results;
}

/// The remark of a function that may stay offloaded.
static std::string describe(const Execution &E) {
  if (E.Result != Execution::Same)
    return "not executed for comparison: " + E.Sentence;
  std::string Text = "executed as written and offloaded, with equal results: " +
                     std::to_string(E.Runs) + " runs, " +
                     std::to_string(E.Launches) + " launches of kernels";
  if (E.Newer)
    Text += ", " + std::to_string(E.Newer) + " of them for newer devices";
  if (E.Early)
    Text += "; loops around others were left early in " +
            std::to_string(E.Early) + " runs";
  return Text;
}

static void tell(const OffloadedFunction &Offloaded, const Execution &E,
                 Remarks &R) {
  std::string Text = describe(E);
  for (const OffloadedScop &Scop : Offloaded.Scops) {
    R.offloaded(*Offloaded.F, Scop.Nest);
    record(*Offloaded.F, Scop.Nest.Start, Scop.Facts);
    R.checked(*Offloaded.F, Scop.Nest.Start, Text);
  }
}

/// A copy that calls one that differs goes with it.
static void spread(ArrayRef<OffloadedFunction> Functions,
                   MutableArrayRef<Execution> Results) {
  DenseMap<const Function *, unsigned> Number;
  SmallVector<unsigned, 8> List;
  for (unsigned I = 0; I < Functions.size(); ++I) {
    Number[Functions[I].Copy] = I;
    if (Results[I].Result == Execution::Different)
      List.push_back(I);
  }
  while (!List.empty()) {
    const OffloadedFunction &Bad = Functions[List.pop_back_val()];
    for (const User *U : Bad.Copy->users()) {
      const auto *Call = dyn_cast<CallBase>(U);
      auto It = Call ? Number.find(Call->getFunction()) : Number.end();
      if (It == Number.end() ||
          Results[It->second].Result == Execution::Different)
        continue;
      Results[It->second].Result = Execution::Different;
      Results[It->second].Sentence =
          ("it calls '" + Bad.F->getName() + "', which differs").str();
      List.push_back(It->second);
    }
  }
}

/// Delete copies that may call each other.
static void dropCopies(ArrayRef<Function *> Copies,
                       FunctionAnalysisManager &FAM) {
  for (Function *Copy : Copies) {
    FAM.clear(*Copy, Copy->getName());
    Copy->deleteBody();
  }
  for (Function *Copy : Copies)
    Copy->eraseFromParent();
}

void verifyExecution(Module &M, std::vector<OffloadedFunction> &Functions,
                     const Options &O, Remarks &R,
                     FunctionAnalysisManager &FAM) {
  if (Functions.empty())
    return;
  std::vector<Execution> Results = execute(M, Functions, O);
  std::vector<OffloadedFunction> Good;
  SmallVector<Function *, 4> Bad;
  spread(Functions, Results);
  for (unsigned I = 0; I < Functions.size(); ++I) {
    OffloadedFunction &Offloaded = Functions[I];
    if (Results[I].Result != Execution::Different) {
      tell(Offloaded, Results[I], R);
      Good.push_back(std::move(Offloaded));
      continue;
    }
    Refusal Why{"Verify",
                "the offloaded function does not do what the function does (" +
                    Results[I].Sentence +
                    "); this is an error of PolyGPU, please report it with "
                    "what -gpu-save-failures=DIR keeps",
                DebugLoc()};
    for (const OffloadedScop &Scop : Offloaded.Scops)
      for (const DebugLoc &Loop : Scop.Nest.Loops)
        R.missed(*Offloaded.F, Loop, Why);
    Bad.push_back(Offloaded.Copy);
  }
  dropCopies(Bad, FAM);
  Functions = std::move(Good);
}

} // namespace polygpu
