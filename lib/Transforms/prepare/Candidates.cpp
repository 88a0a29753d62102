//===- Candidates.cpp - Functions whose loops may be offloaded -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "prepare/Candidates.h"
#include "RuntimeFunctions.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace polygpu {

bool hasLoops(const Function &F) {
  SmallVector<std::pair<const BasicBlock *, const BasicBlock *>, 4> Edges;
  FindFunctionBackedges(F, Edges);
  return !Edges.empty();
}

bool isMarked(const Function &F) { return F.hasFnAttribute("polygpu"); }

bool isProcessed(const Function &F) {
  if (isMarked(F))
    return true;
  for (const Instruction &I : instructions(F)) {
    const auto *Call = dyn_cast<CallBase>(&I);
    const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
    if (Callee && isRuntimeFunction(*Callee) && !isForPrograms(*Callee))
      return true;
  }
  return false;
}

bool isInstrumented(const Function &F) {
  return F.hasFnAttribute("instrument-function-entry") ||
         F.hasFnAttribute("instrument-function-exit");
}

/// Is it an attribute by which calls of a function are noticed?
static bool isInstrumentation(const Attribute &A) {
  static const char *const Keys[] = {"instrument-function-entry",
                                     "instrument-function-exit",
                                     "instrument-function-entry-inlined",
                                     "instrument-function-exit-inlined",
                                     "fentry-call",
                                     "mrecord-mcount",
                                     "mnop-mcount",
                                     "patchable-function",
                                     "patchable-function-entry",
                                     "patchable-function-prefix",
                                     "function-instrument"};
  return A.isStringAttribute() && (is_contained(Keys, A.getKindAsString()) ||
                                   A.getKindAsString().starts_with("xray-"));
}

bool noticesCalls(const Function &F) {
  return any_of(F.getAttributes().getFnAttrs(), isInstrumentation);
}

void dropInstrumentation(Function &F) {
  AttributeSet Attrs = F.getAttributes().getFnAttrs();
  for (Attribute A : Attrs)
    if (isInstrumentation(A))
      F.removeFnAttr(A.getKindAsString());
}

static bool isProfiled(const Function &F) {
  return any_of(instructions(F), [](const Instruction &I) {
    return isa<InstrProfInstBase>(&I);
  });
}

/// Calls that must stay in the entry block, which the copy splits.
static bool isBoundToEntry(const Instruction &I) {
  const auto *II = dyn_cast<IntrinsicInst>(&I);
  return II &&
         (II->getIntrinsicID() == Intrinsic::localescape ||
          II->getIntrinsicID() == Intrinsic::experimental_convergence_entry);
}

/// Skip the name that \p Text begins with, which may be in quotes.  Names that
/// contain %= are "Unique".
static StringRef skipName(StringRef Text, bool &Unique) {
  auto Skip = [&](size_t Last) {
    Text = Text.drop_front(std::min(Last, Text.size() - 1) + 1);
  };
  while (!Text.empty()) {
    if (Text.consume_front("${:uid}"))
      Unique = true;
    else if (Text.starts_with("${"))
      Skip(Text.find('}'));
    else if (Text.front() == '"')
      Skip(Text.find('"', 1));
    else if (isAlnum(Text.front()) || StringRef("_.$@").contains(Text.front()))
      Skip(0);
    else
      break;
  }
  return Text;
}

/// Does assembly code define a name that may be there only once?  Numbers, and
/// names that contain %=, may be there more than once.
static bool definesName(StringRef Assembly) {
  SmallVector<StringRef, 8> Lines;
  SplitString(Assembly, Lines, "\n;");
  for (StringRef Line : Lines) {
    Line = Line.ltrim();
    if (Line.starts_with(".macro") || Line.starts_with(".equiv") ||
        Line.starts_with(".lcomm"))
      return true;
    // There may be several labels.
    for (;;) {
      bool Unique = false;
      StringRef Rest = skipName(Line, Unique);
      StringRef Name = Line.drop_back(Rest.size());
      if (Name.empty() || !Rest.ltrim().consume_front(":"))
        break;
      if (!Unique && !all_of(Name, isDigit))
        return true;
      Line = Rest.ltrim().drop_front().ltrim();
    }
  }
  return false;
}

/// Must \p I stay the only one of its kind?
static bool isOnlyOne(const Instruction &I) {
  const auto *Call = dyn_cast<CallBase>(&I);
  if (!Call)
    return false;
  const auto *Assembly = dyn_cast<InlineAsm>(Call->getCalledOperand());
  return Call->cannotDuplicate() ||
         (Assembly && definesName(Assembly->getAsmString()));
}

SmallPtrSet<const Function *, 4> findUnduplicable(const Module &M) {
  SmallVector<const Function *, 4> List;
  SmallPtrSet<const Function *, 4> Found;
  for (const Function &F : M)
    if (any_of(instructions(F), isOnlyOne) && Found.insert(&F).second)
      List.push_back(&F);
  while (!List.empty()) {
    const Function *F = List.pop_back_val();
    if (F->hasFnAttribute(Attribute::NoInline))
      continue;
    for (const User *U : F->users())
      if (const auto *Call = dyn_cast<CallBase>(U))
        if (Found.insert(Call->getFunction()).second)
          List.push_back(Call->getFunction());
  }
  return Found;
}

Refusal refuseUnduplicable() {
  return {"NoDuplicate",
          "the function, or one that may be inlined into it, has a label in "
          "inline assembly, or a call that must not be duplicated; write "
          "labels with %= or as numbers, or move the code into a noinline "
          "function",
          DebugLoc()};
}

/// Can functions of this convention be called by others?
static bool isCallable(CallingConv::ID Convention) {
  switch (Convention) {
  case CallingConv::X86_INTR:
  case CallingConv::AVR_INTR:
  case CallingConv::AVR_SIGNAL:
  case CallingConv::MSP430_INTR:
  case CallingConv::M68k_INTR:
  case CallingConv::GHC:
    return false;
  default:
    return isCallableCC(Convention);
  }
}

bool needsOwnFrame(const Function &F) {
  if (F.isVarArg())
    return true;
  for (const Argument &A : F.args())
    if (A.hasAttribute(Attribute::InAlloca) ||
        A.hasAttribute(Attribute::Preallocated))
      return true;
  return any_of(instructions(F), [](const Instruction &I) {
    const auto *II = dyn_cast<IntrinsicInst>(&I);
    if (!II)
      return false;
    switch (II->getIntrinsicID()) {
    case Intrinsic::returnaddress:
    case Intrinsic::addressofreturnaddress:
    case Intrinsic::frameaddress:
    case Intrinsic::sponentry:
    case Intrinsic::eh_dwarf_cfa:
      return true;
    default:
      return false;
    }
  });
}

bool canForward(const Function &F) {
  const Triple &T = F.getParent()->getTargetTriple();
  return T.isX86() || T.isAArch64() || T.getArch() == Triple::UnknownArch;
}

std::optional<Refusal> refuseFunction(const Function &F) {
  auto Refuse = [](const char *Name, const char *Text) {
    return Refusal{Name, Text, DebugLoc()};
  };
  if (F.hasOptNone())
    return Refuse("OptNone", "the function is not to be optimised (optnone or "
                             "-O0); compile with -O1 or higher");
  if (F.hasFnAttribute(Attribute::StrictFP))
    return Refuse(
        "StrictFP",
        "the function may change or inspect the floating-point "
        "environment (strictfp), which a GPU does not have; compile "
        "it without -ftrapping-math, -frounding-math and FENV_ACCESS");
  if (F.hasFnAttribute(Attribute::Naked))
    return Refuse("Naked", "the function is naked; write it without the "
                           "attribute");
  if (F.isPresplitCoroutine())
    return Refuse("Coroutine", "the function is a coroutine; move the loop "
                               "into an ordinary function");
  for (Attribute::AttrKind Kind :
       {Attribute::SanitizeAddress, Attribute::SanitizeMemory,
        Attribute::SanitizeThread, Attribute::SanitizeHWAddress,
        Attribute::SanitizeMemTag, Attribute::SanitizeType,
        Attribute::SanitizeRealtime, Attribute::SanitizeRealtimeBlocking,
        Attribute::SanitizeNumericalStability, Attribute::SanitizeAllocToken})
    if (F.hasFnAttribute(Kind))
      return Refuse("Sanitizer",
                    "the function is checked by a sanitizer, which cannot "
                    "look into kernels; compile it without -fsanitize=");
  if (F.hasAvailableExternallyLinkage())
    return Refuse("AvailableExternally",
                  "this body is only a copy for inlining, the function lives "
                  "in another file; the loops are offloaded there");
  for (const BasicBlock &BB : F)
    if (BB.hasAddressTaken())
      return Refuse("BlockAddress",
                    "the address of a label is taken (computed goto); use "
                    "switch, or move the loop into another function");
  if (!isCallable(F.getCallingConv()))
    return Refuse("CallingConvention",
                  "the function cannot be called by others (an interrupt "
                  "handler); move the loop into an ordinary function");
  if (needsOwnFrame(F) && !canForward(F))
    return Refuse("Frame",
                  "the function has variable arguments or asks for its return "
                  "or frame address; move the loop into an ordinary function");
  if (any_of(F.getEntryBlock(), isBoundToEntry))
    return Refuse("BoundToEntry",
                  "the function begins with a call that must stay there "
                  "(convergence control, or variables shared with an exception "
                  "filter); move the loop into an ordinary function");
  if (any_of(instructions(F), isOnlyOne))
    return refuseUnduplicable();
  if (isProfiled(F))
    return Refuse("Profiled",
                  "the loops count their executions for a profile; compile "
                  "without -fprofile-instr-generate or coverage");
  return std::nullopt;
}

} // namespace polygpu
