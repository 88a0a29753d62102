//===- MathErrno.cpp - Math calls that lose their effect on errno ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MathErrno.h"
#include "MathCalls.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;

namespace polygpu {

/// The property of a loop that is its number.
static const char *const NumberName = "polygpu.loop";

/// The number that \p LoopID has, null if it has none.
static const ConstantInt *numberIn(const MDNode *LoopID) {
  const MDNode *Property =
      LoopID ? findOptionMDForLoopID(const_cast<MDNode *>(LoopID), NumberName)
             : nullptr;
  return Property && Property->getNumOperands() == 2
             ? mdconst::dyn_extract<ConstantInt>(Property->getOperand(1))
             : nullptr;
}

unsigned MathErrno::numberOf(const Loop *L) {
  const ConstantInt *Number = L ? numberIn(L->getLoopID()) : nullptr;
  return Number ? Number->getZExtValue() : NoLoop;
}

/// Loops that share a latch share a number.
static void setNumber(Loop &L, unsigned Number) {
  LLVMContext &Ctx = L.getHeader()->getContext();
  MDNode *Old = L.getLoopID();
  if (numberIn(Old))
    return;
  MDNode *Property = MDNode::get(Ctx, {MDString::get(Ctx, NumberName),
                                       ConstantAsMetadata::get(ConstantInt::get(
                                           Type::getInt32Ty(Ctx), Number))});
  L.setLoopID(makePostTransformationMetadata(Ctx, Old, {}, {Property}));
}

static void removeNumber(Instruction &Branch) {
  MDNode *LoopID = Branch.getMetadata(LLVMContext::MD_loop);
  if (!numberIn(LoopID))
    return;
  // Nothing but itself and the number: there was no metadata.
  Branch.setMetadata(LLVMContext::MD_loop,
                     LoopID->getNumOperands() == 2
                         ? nullptr
                         : makePostTransformationMetadata(
                               Branch.getContext(), LoopID, {NumberName}, {}));
}

void MathErrno::begin(Function &F, const TargetLibraryInfo &TLI) {
  DominatorTree DT(F);
  LoopInfo LI(DT);
  SmallPtrSet<const Loop *, 8> WithCalls;
  for (const Instruction &I : instructions(F))
    if (const auto *Call = dyn_cast<CallInst>(&I))
      if (isMathCall(*Call, TLI))
        WithCalls.insert(LI.getLoopFor(I.getParent()));
  unsigned Number = 0;
  for (Loop *L : LI.getLoopsInPreorder()) {
    ++Number;
    if (WithCalls.count(L))
      setNumber(*L, Number);
  }
  Lost.clear();
  mark(F, LI, TLI);
}

void MathErrno::mark(Function &F, const LoopInfo &LI,
                     const TargetLibraryInfo &TLI) {
  for (Instruction &I : instructions(F))
    if (auto *Call = dyn_cast<CallInst>(&I))
      mark(*Call, LI.getLoopFor(I.getParent()), TLI);
}

void MathErrno::mark(CallInst &Call, const Loop *L,
                     const TargetLibraryInfo &TLI) {
  if (Call.hasFnAttr(MathAttribute) || isa<IntrinsicInst>(Call) ||
      !isMathCall(Call, TLI))
    return;
  AttributeList Attributes = Call.getAttributes();
  size_t Place = find(Written, Attributes) - Written.begin();
  if (Place == Written.size())
    Written.push_back(Attributes);
  unsigned Number = numberOf(L);
  bool Loses = !Call.isStrictFP() && !Keep && L && Number != NoLoop &&
               !Forbidden.count(Number) &&
               !(Call.doesNotAccessMemory() && Call.doesNotThrow());
  LibFunc Known;
  if (Loses) {
    Lost.insert(Number);
    Call.setMemoryEffects(MemoryEffects::none());
    Call.setDoesNotThrow();
    Call.addFnAttr(Attribute::WillReturn);
  } else if (TLI.getLibFunc(Call, Known)) {
    // What LLVM knows of them; not of lgamma, which writes signgam.
    Call.setMemoryEffects(Call.getMemoryEffects() &
                          MemoryEffects::errnoMemOnly(ModRefInfo::Mod));
    Call.setDoesNotThrow();
    for (Attribute::AttrKind Kind :
         {Attribute::WillReturn, Attribute::NoFree, Attribute::NoCallback})
      Call.addFnAttr(Kind);
  }
  Call.addFnAttr(
      Attribute::get(Call.getContext(), MathAttribute,
                     (Loses ? std::to_string(Number) : std::string("-")) + " " +
                         std::to_string(Place)));
}

/// What the mark of \p Call says: the number of the loop that has lost errno,
/// and the place of its attributes; false if there is no mark.
static bool readMark(const CallBase &Call, std::optional<unsigned> &Number,
                     size_t &Place) {
  Attribute Mark = Call.getAttributes().getFnAttr(MathAttribute);
  if (!Mark.isValid())
    return false;
  auto [Loop, Of] = Mark.getValueAsString().split(' ');
  unsigned Value;
  Number.reset();
  if (!Loop.getAsInteger(10, Value))
    Number = Value;
  return !Of.getAsInteger(10, Place);
}

bool MathErrno::forbidHostLoops(Function &F, const LoopInfo &LI,
                                const DenseSet<const BasicBlock *> &Offloaded) {
  DenseSet<unsigned> Found, OnHost;
  for (const Loop *L : LI.getLoopsInPreorder()) {
    unsigned Number = numberOf(L);
    bool Whole = all_of(L->blocks(), [&](const BasicBlock *BB) {
      return Offloaded.count(BB) != 0;
    });
    (Whole ? Found : OnHost).insert(Number);
  }
  for (unsigned Number : Lost)
    if (!Found.count(Number))
      OnHost.insert(Number);
  std::optional<unsigned> Number;
  size_t Place;
  for (const Instruction &I : instructions(F))
    if (const auto *Call = dyn_cast<CallInst>(&I))
      if (readMark(*Call, Number, Place) && Number &&
          !Offloaded.count(I.getParent()))
        OnHost.insert(*Number);
  bool Any = false;
  for (unsigned Number : Lost)
    if (OnHost.count(Number))
      Any |= Forbidden.insert(Number).second;
  return Any;
}

void MathErrno::restore(Function &F) const {
  std::optional<unsigned> Number;
  size_t Place;
  for (Instruction &I : instructions(F)) {
    auto *Call = dyn_cast<CallInst>(&I);
    if (Call && readMark(*Call, Number, Place))
      Call->setAttributes(Written[Place]);
    if (I.isTerminator())
      removeNumber(I);
  }
}

} // namespace polygpu
