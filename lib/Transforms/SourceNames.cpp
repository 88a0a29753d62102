//===- SourceNames.cpp - Names and places in the source -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SourceNames.h"
#include "RuntimeFunctions.h"
#include "adaptor/HiddenValues.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace polygpu {

//===-- Names -------------------------------------------------------------===//

/// Fortran's names as flang writes them: _QMmodulePprocedure, _QFprocedureEx.
static std::string fortranName(StringRef Symbol) {
  size_t Last = Symbol.find_last_of("PFE");
  return Symbol.substr(Last + 1).rtrim('_').str();
}

std::string sourceSymbol(StringRef Symbol) {
  if (Symbol.starts_with("_Q") && Symbol.find_last_of("PFE") > 1 &&
      Symbol.find_last_of("PFE") != StringRef::npos)
    return fortranName(Symbol);
  std::string Name = demangle(Symbol);
  // What Rust appends to tell versions of a crate apart.
  if (size_t Hash = Name.rfind("::h");
      Hash != std::string::npos && Name.size() == Hash + 19)
    Name.resize(Hash);
  return Name;
}

/// Does \p R say what a variable is computed from, and by which operations?
static bool isComputed(const DbgVariableRecord &R) {
  return R.isDbgValue() && (R.hasArgList() || R.getExpression()->isComplex());
}

static std::string debugVariable(const Value *V) {
  SmallVector<DbgVariableRecord *, 4> Records;
  findDbgUsers(const_cast<Value *>(V), Records);
  for (DbgVariableRecord *R : Records)
    if (R->getVariable() && !R->getVariable()->getName().empty() &&
        !isComputed(*R))
      return R->getVariable()->getName().str();
  return "";
}

/// What a phi is that has one value besides null, as of what is read under a
/// condition and of its address (hoistNear in prepare/HoistLoads.cpp), or null.
static const Value *onlyValue(const Value *V) {
  const auto *Phi = dyn_cast<PHINode>(V);
  if (!Phi || Phi->getNumIncomingValues() != 2)
    return nullptr;
  for (unsigned I = 0; I < 2; ++I) {
    const auto *C = dyn_cast<Constant>(Phi->getIncomingValue(I));
    const Value *Only = Phi->getIncomingValue(1 - I);
    if (const auto *Freeze = dyn_cast<FreezeInst>(Only))
      Only = Freeze->getOperand(0);
    if (C && C->isNullValue() &&
        (isa<LoadInst>(Only) ||
         (isa<Argument>(Only) && Phi->getName().starts_with(Only->getName()))))
      return Only;
  }
  return nullptr;
}

/// The function that is called for \p V, no intrinsic; or "".
static StringRef callee(const Value *V) {
  const auto *Call = dyn_cast<CallBase>(V);
  const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
  return Callee && !Callee->isIntrinsic() ? Callee->getName() : "";
}

/// Is \p V what a value of 8 or 16 bits became in front of loops
/// (prepare/NarrowSizes.cpp)?
static bool isNarrowSize(const Value *V) {
  if (!isHidingName(callee(V)))
    return false;
  const auto *Z = dyn_cast<ZExtInst>(cast<CallBase>(V)->getArgOperand(0));
  return Z && (Z->getSrcTy()->isIntegerTy(8) || Z->getSrcTy()->isIntegerTy(16));
}

/// The name of \p V, or what it is, or nothing.
static std::optional<std::string> findName(const Value *V) {
  for (unsigned Step = 0; Step < 32; ++Step) {
    std::string Name = debugVariable(V);
    if (!Name.empty())
      return Name;
    if (isa<GlobalValue>(V))
      return sourceSymbol(V->getName());
    if (const auto *GEP = dyn_cast<GEPOperator>(V))
      V = GEP->getPointerOperand();
    else if (isa<CastInst>(V))
      V = cast<CastInst>(V)->getOperand(0);
    else if (const auto *II = dyn_cast<IntrinsicInst>(V);
             II && II->getIntrinsicID() == Intrinsic::threadlocal_address)
      V = II->getArgOperand(0);
    else if (int64_t Offset; const Value *Origin = hiddenOrigin(V, Offset))
      V = Origin;
    else if (isa<FreezeInst>(V))
      V = cast<FreezeInst>(V)->getOperand(0);
    else if (const Value *Only = onlyValue(V))
      V = Only;
    else if (callee(V) == RowBaseName || isNarrowSize(V))
      V = cast<CallBase>(V)->getArgOperand(0);
    else
      break;
  }
  // Promotion to registers appends numbers to the variable's name; what other
  // instructions are called says nothing to the user.
  bool IsVariable = !isa<Instruction>(V) || isa<PHINode, AllocaInst>(V);
  if (IsVariable && V->hasName() && !V->getName().starts_with("indvars") &&
      !V->getName().starts_with("storemerge") &&
      !V->getName().contains("lcssa"))
    if (StringRef Name = V->getName().split('.').first; !Name.empty())
      return Name.str();
  if (const auto *A = dyn_cast<Argument>(V))
    return "argument " + std::to_string(A->getArgNo() + 1);
  if (isa<AllocaInst>(V))
    return "a local array";
  if (const auto *L = dyn_cast<LoadInst>(V);
      L && L->getType()->isPointerTy() &&
      isa<GlobalVariable, AllocaInst>(L->getPointerOperand()))
    return findName(L->getPointerOperand());
  if (const auto *L = dyn_cast<LoadInst>(V))
    return "the value loaded from " + sourceName(L->getPointerOperand());
  if (callee(V) == RowStepName)
    return "the distance between rows of " +
           sourceName(cast<CallBase>(V)->getArgOperand(0));
  if (StringRef Callee = callee(V);
      !Callee.empty() &&
      !Callee.starts_with("polygpu.")) // of ours, for a while
    return "the result of " + sourceSymbol(Callee);
  return std::nullopt;
}

std::string sourceName(const Value *V) {
  return findName(V).value_or("a computed value");
}

bool isAnonymous(const Value *V) { return !findName(V); }

//===-- Places ------------------------------------------------------------===//

/// The path of \p File, absolute where debug information says so.
static std::string pathOf(const DIFile &File) {
  StringRef Name = File.getFilename();
  if (sys::path::is_absolute(Name) || File.getDirectory().empty())
    return Name.str();
  return (File.getDirectory() + "/" + Name).str();
}

/// Is \p Path where libraries are installed?
static bool isInstalled(StringRef Path) {
  for (const char *Part :
       {"/include/c++/", "/rustlib/", "/.cargo/registry/", "/library/core/src/",
        "/library/alloc/src/", "/library/std/src/"})
    if (Path.contains(Part))
      return true;
  return any_of(ArrayRef<const char *>({"/usr/", "/opt/", "/nix/store/"}),
                [&](const char *Root) { return Path.starts_with(Root); }) &&
         (Path.contains("/include/") || Path.contains("/lib/") ||
          Path.contains("/lib64/"));
}

bool isLibrary(const DebugLoc &Loc) {
  if (!Loc)
    return false;
  const auto *Scope = cast<DIScope>(Loc.getScope());
  const DISubprogram *SP = Loc->getScope()->getSubprogram();
  const DICompileUnit *Unit = SP ? SP->getUnit() : nullptr;
  // Who compiles a library is its user.
  if (!Scope->getFile() || (Unit && Unit->getFile() == Scope->getFile()))
    return false;
  return isInstalled(pathOf(*Scope->getFile()));
}

DebugLoc userPlace(const DebugLoc &Loc) {
  for (const DILocation *At = Loc; At; At = At->getInlinedAt())
    if (!isLibrary(DebugLoc(At)))
      return DebugLoc(At);
  return Loc;
}

std::string describeLine(const DebugLoc &Inner, const Function &F) {
  DebugLoc Loc = userPlace(Inner);
  if (!Loc)
    return "an unknown line (compile with -g or -gline-tables-only)";
  std::string Text = "line " + std::to_string(Loc.getLine());
  const auto *Scope = cast<DIScope>(Loc.getScope());
  const DISubprogram *SP = F.getSubprogram();
  if (!SP || !SP->getUnit() || !Scope->getFile())
    return Text;
  bool InLibrary = isInstalled(pathOf(*Scope->getFile()));
  // A function of a library is read about where it is called.
  StringRef Known = SP->getFile() && isInstalled(pathOf(*SP->getFile()))
                        ? SP->getUnit()->getFilename()
                        : SP->getFilename();
  StringRef Name = Scope->getFilename();
  if (Name != Known)
    Text += " of " + (InLibrary ? sys::path::filename(Name) : Name).str();
  return Text;
}

} // namespace polygpu
