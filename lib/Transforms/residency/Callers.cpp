//===- Callers.cpp - Device copies that outlive a call --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "residency/Callers.h"
#include "host/Commit.h"
#include "prepare/Candidates.h"
#include "prepare/Prepare.h"
#include "residency/Compiled.h"
#include "residency/QuietFunctions.h"
#include "residency/TimeLoops.h"
#include "residency/Touches.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace polygpu {

namespace {

/// Which functions get copies, and which promise each keeps.
class Callers {
public:
  Callers(Module &M, std::vector<OffloadedFunction> &Functions,
          FunctionAnalysisManager &FAM, Files When);
  void plan();
  void keep(Remarks &R);

private:
  Module &M;
  std::vector<OffloadedFunction> &Functions;
  FunctionAnalysisManager &FAM;
  Files When;
  QuietFunctions Quiet;
  SmallPtrSet<const Function *, 4> Unduplicable;
  DenseMap<const Function *, bool> CanCopy, CanCall; ///< that were asked for
  DenseMap<const Function *, Function *> Copies;
  DenseMap<const Function *, Function *> OfCopy; ///< the other way round
  KeptArrays Arrays;
  LinkedFunctions Reaching; ///< all with runs, whether they get copies or not
  LinkedFunctions Linked;
  MapVector<Function *, Promise> Wanted;

  bool canCopy(const Function &F);
  bool canBeCalled(const Function &F);
  void findReaching();
  bool canFollow(Function &Copy);
  void want(Function &F, Promise Kept);
  void follow(Function &Copy, Promise Kept);
  void planForLink();
  void tellAgain(const OffloadedFunction &Compiled, Remarks &R);
  bool tell(Function &F, Function &Copy, DebugLoc Loc, Promise Kept,
            Remarks &R);
};

} // namespace

//===-- What can be done --------------------------------------------------===//

Callers::Callers(Module &M, std::vector<OffloadedFunction> &Functions,
                 FunctionAnalysisManager &FAM, Files When)
    : M(M), Functions(Functions), FAM(FAM), When(When), Quiet(FAM),
      Unduplicable(findUnduplicable(M)) {
  Linked.ForLink = When == Files::BeforeLink;
  for (OffloadedFunction &Offloaded : Functions) {
    Copies[Offloaded.F] = Offloaded.Copy;
    OfCopy[Offloaded.Copy] = Offloaded.F;
    for (const OffloadedScop &Scop : Offloaded.Scops)
      Arrays[Scop.Descriptor] = Scop.Kept;
  }
}

/// Is there a copy that promises can be made for, or can one be made?
bool Callers::canCopy(const Function &F) {
  auto [It, IsNew] = CanCopy.insert({&F, false});
  if (!IsNew)
    return It->second;
  if (F.isDeclaration() || isOpaque(F))
    return false;
  bool Can = Copies.count(&F) ||
             (!isProcessed(F) && !refuseFunction(F) && !Unduplicable.count(&F));
  return CanCopy[&F] = Can;
}

/// Can copies call the copy of \p F with one more argument?  The linker may
/// take another function of that name, or somebody count the calls.
bool Callers::canBeCalled(const Function &F) {
  auto [It, IsNew] = CanCall.insert({&F, false});
  if (!IsNew)
    return It->second;
  bool Can = canCopy(F) && !F.isInterposable() && !noticesCalls(F) &&
             !needsOwnFrame(F) && none_of(F, [](const BasicBlock &BB) {
               return BB.getTerminatingMustTailCall();
             });
  return CanCall[&F] = Can;
}

//===-- Who calls whom ----------------------------------------------------===//

/// Who uses \p F, by any name.
static SmallVector<User *, 16> usersOf(Function &F) {
  SmallVector<User *, 16> Found(F.users());
  for (size_t I = 0; I < Found.size(); ++I)
    if (auto *Alias = dyn_cast<GlobalAlias>(Found[I]))
      append_range(Found, Alias->users());
  return Found;
}

/// Those with offloaded loops, and those that call them.
void Callers::findReaching() {
  SmallVector<Function *, 16> List;
  auto Add = [&](Function *F) {
    if (canBeCalled(*F) && Reaching.Running.insert({F, F}).second)
      List.push_back(F);
  };
  for (OffloadedFunction &Offloaded : Functions)
    Add(Offloaded.F);
  while (!List.empty())
    for (User *U : usersOf(*List.pop_back_val())) {
      auto *Call = dyn_cast<CallBase>(U);
      if (!Call || !linkedFunction(*Call, Reaching.Running))
        continue;
      Function *Caller = Call->getFunction();
      if (Function *F = OfCopy.lookup(Caller))
        Add(F);
      else if (!Copies.count(Caller))
        Add(Caller);
    }
}

/// \p F keeps this promise, where it is not known to be called in a scope.
void Callers::want(Function &F, Promise Kept) {
  auto [It, IsNew] = Wanted.insert({&F, Kept});
  if (!IsNew && (It->second == Kept || Kept == Promise::Own))
    return;
  It->second = Kept;
  if (!Copies.count(&F))
    Copies[&F] = makeHostCopy(
        F,
        [&](const Function &Callee) {
          return Reaching.Running.contains(&Callee);
        },
        FAM);
  follow(*Copies[&F], Kept);
}

/// What \p Copy calls in a scope keeps its promise as well.
void Callers::follow(Function &Copy, Promise Kept) {
  Runs R(Copy, Arrays, Reaching);
  BetweenRuns Between(R);
  for (const CallBase *Call : R.Linked) {
    Function *F = linkedFunction(*Call, Reaching.Running);
    if (!F)
      F = OfCopy.lookup(Call->getCalledFunction());
    if (F)
      want(*F, Promise::Callers);
  }
  if (When == Files::BeforeLink)
    return; // more will be known of the others
  SmallSetVector<Function *, 8> Others;
  for (Instruction &I : instructions(Copy)) {
    auto *Call = dyn_cast<CallBase>(&I);
    Function *Callee = Call ? Call->getCalledFunction() : nullptr;
    if (Callee && !Reaching.Running.contains(Callee) && canBeCalled(*Callee) &&
        !Quiet.has(*Callee) && (Kept != Promise::Own || Between.follow(I)))
      Others.insert(Callee);
  }
  for (Function *Other : Others)
    want(*Other, Promise::Telling);
}

/// Can runs follow each other in \p Copy?
bool Callers::canFollow(Function &Copy) {
  return BetweenRuns(Runs(Copy, Arrays, Reaching)).hasAny();
}

void Callers::plan() {
  findReaching();
  SmallVector<Function *, 32> List;
  for (Function &F : M)
    if (!OfCopy.count(&F) && canCopy(F))
      List.push_back(&F);
  for (Function *F : List) {
    Function *Copy = Copies.lookup(F);
    if (canFollow(Copy ? *Copy : *F))
      want(*F, Promise::Own);
  }
  if (When == Files::BeforeLink)
    planForLink();
}

/// Functions of other files may call them between runs.
void Callers::planForLink() {
  SmallVector<Function *, 32> List;
  for (OffloadedFunction &Offloaded : Functions)
    List.push_back(Offloaded.F);
  for (auto &[F, Kept] : Wanted)
    if (Kept == Promise::Own)
      List.push_back(F);
  for (Function *F : List)
    if (canBeCalled(*F) && !F->hasFnAttribute(Attribute::AlwaysInline))
      want(*F, Promise::Callers);
}

//===-- Copies ------------------------------------------------------------===//

/// The same with a scope as last argument.
static Function *withScope(Function &Copy, FunctionAnalysisManager &FAM) {
  SmallVector<Type *, 8> Types(Copy.getFunctionType()->params());
  Types.push_back(Type::getInt64Ty(Copy.getContext()));
  auto *Scoped = Function::Create(
      FunctionType::get(Copy.getReturnType(), Types, false), Copy.getLinkage(),
      Copy.getAddressSpace(), "", Copy.getParent());
  Scoped->copyAttributesFrom(&Copy);
  Scoped->copyMetadata(&Copy, 0);
  Copy.clearMetadata();
  Scoped->splice(Scoped->begin(), &Copy);
  for (Argument &A : Copy.args()) {
    Argument *To = Scoped->getArg(A.getArgNo());
    To->takeName(&A);
    A.replaceAllUsesWith(To);
  }
  Scoped->getArg(Scoped->arg_size() - 1)->setName("polygpu.scope");
  std::string Name = Copy.getName().str();
  dropCopy(&Copy, FAM);
  Scoped->setName(Name);
  return Scoped;
}

/// The runtime may write what pointers lead to by other ones.
static void forgetNoAlias(Function &Copy) {
  for (Argument &A : Copy.args())
    A.removeAttr(Attribute::NoAlias);
}

static DebugLoc startOf(Function &F) {
  DISubprogram *SP = F.getSubprogram();
  if (!SP)
    return DebugLoc();
  return DILocation::get(F.getContext(), SP->getScopeLine(), 0, SP);
}

/// Make \p Copy tell, and say so.  False if there is nothing to be kept.
bool Callers::tell(Function &F, Function &Copy, DebugLoc Loc, Promise Kept,
                   Remarks &R) {
  std::string Text = keepArrays(Copy, Arrays, Kept, Linked, FAM);
  if (Kept != Promise::Own)
    forgetNoAlias(Copy);
  if (!Text.empty() && Kept != Promise::Telling)
    R.checked(F, Loc, Text);
  return !Text.empty();
}

/// Once more for a copy that was compiled, now that more functions are known.
void Callers::tellAgain(const OffloadedFunction &Compiled, Remarks &R) {
  removeTouches(*Compiled.Copy);
  R.checked(*Compiled.F, startOf(*Compiled.F),
            keepArrays(*Compiled.Copy, Arrays, Promise::Callers, Linked, FAM));
}

/// Functions that only tell are called by copies alone.
void Callers::keep(Remarks &R) {
  for (OffloadedFunction &Offloaded : Functions)
    Offloaded.OwnScope = canFollow(*Offloaded.Copy);
  for (auto &[F, Kept] : Wanted) {
    Function *&Copy = Copies[F];
    if (Kept == Promise::Callers && !isCompiled(*Copy))
      Copy = withScope(*Copy, FAM);
    if (Kept != Promise::Own)
      (Kept == Promise::Callers ? Linked.Running : Linked.Telling)[F] = Copy;
  }
  for (OffloadedFunction &Offloaded : Functions) {
    Offloaded.Copy = Copies[Offloaded.F];
    auto It = Wanted.find(Offloaded.F);
    if (isCompiled(*Offloaded.Copy)) {
      if (It != Wanted.end())
        tellAgain(Offloaded, R);
    } else {
      tell(*Offloaded.F, *Offloaded.Copy, Offloaded.Scops[0].Nest.Start,
           It == Wanted.end() ? Promise::Own : It->second, R);
      timeLoops(*Offloaded.Copy);
    }
    Wanted.erase(Offloaded.F);
  }
  for (auto &[F, Kept] : Wanted) {
    Function *Copy = Copies[F];
    bool IsKept = tell(*F, *Copy, startOf(*F), Kept, R);
    if (Kept == Promise::Telling)
      finishCopy(*Copy);
    else if (IsKept)
      Functions.push_back({F, Copy, {}, /*OwnScope=*/true});
    else
      dropCopy(Copy, FAM);
  }
}

void keepAcrossCalls(Module &M, std::vector<OffloadedFunction> &Functions,
                     FunctionAnalysisManager &FAM, Remarks &R, Files When) {
  if (Functions.empty())
    return;
  Callers All(M, Functions, FAM, When);
  All.plan();
  All.keep(R);
}

} // namespace polygpu
