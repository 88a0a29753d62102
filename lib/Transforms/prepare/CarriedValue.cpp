//===- CarriedValue.cpp - What the loops of a nest carry on ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "prepare/CarriedValue.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"

using namespace llvm;

namespace polygpu {

bool CarriedValue::contains(const Value &V) const {
  return &V == New || is_contained(Phis, &V);
}

bool CarriedValue::find(Loop &In, PHINode &At, Instruction &Becomes,
                        ArrayRef<const Value *> Users) {
  Nest = &In;
  Own = &At;
  New = &Becomes;
  Phis = {Own};
  const Value *First = nullptr;
  bool IsWhole = false;
  for (size_t Number = 0; Number < Phis.size(); ++Number) {
    PHINode *Phi = Phis[Number];
    IsWhole |= Phi->getParent() == Nest->getHeader();
    for (Value *V : Phi->incoming_values()) {
      auto *Inside = dyn_cast<PHINode>(V);
      if (isa<PoisonValue>(V) || contains(*V))
        continue;
      if (Inside && Nest->contains(Inside))
        Phis.push_back(Inside);
      else if (Phi->getParent() != Nest->getHeader() || (First && First != V))
        return false;
      else
        First = V;
    }
    for (User *U : Phi->users())
      if (auto *Other = dyn_cast<PHINode>(U);
          Other && Nest->contains(Other) && !contains(*Other))
        Phis.push_back(Other);
  }
  auto IsKnown = [&](const User *U) {
    const auto *I = cast<Instruction>(U);
    return Nest->contains(I)
               ? contains(*I) || is_contained(Users, I)
               : isa<PHINode>(I) && I->getParent() == Nest->getExitBlock();
  };
  return IsWhole && all_of(New->users(), IsKnown) &&
         all_of(Phis, [&](const PHINode *Phi) {
           return all_of(Phi->users(), IsKnown);
         });
}

CarriedValue CarriedValue::copy(Loop &NestCopy,
                                const ValueToValueMapTy &Copies) const {
  CarriedValue Copy;
  Copy.Nest = &NestCopy;
  Copy.Own = cast<PHINode>(static_cast<Value *>(Copies.lookup(Own)));
  Copy.New = cast<Instruction>(static_cast<Value *>(Copies.lookup(New)));
  for (PHINode *Phi : Phis)
    Copy.Phis.push_back(
        cast<PHINode>(static_cast<Value *>(Copies.lookup(Phi))));
  return Copy;
}

Value *CarriedValue::first() const {
  for (const PHINode *Phi : Phis)
    if (Phi->getParent() == Nest->getHeader())
      return Phi->getIncomingValueForBlock(Nest->getLoopPreheader());
  return nullptr;
}

const Value *CarriedValue::counterpart(const Value &V,
                                       const CarriedValue &Other) const {
  DenseMap<const Value *, const Value *> Match = {{New, Other.New}};
  DenseMap<const BasicBlock *, const PHINode *> At;
  for (const PHINode *Phi : Other.Phis)
    if (!At.insert({Phi->getParent(), Phi}).second)
      return nullptr;
  for (const PHINode *Phi : Phis) {
    const PHINode *&There = At[Phi->getParent()];
    if (!There)
      return nullptr;
    Match[Phi] = There;
    There = nullptr; // another one has none
  }
  if (Phis.size() != Other.Phis.size())
    return nullptr;
  for (const PHINode *Phi : Phis)
    for (const BasicBlock *From : Phi->blocks()) {
      const Value *One = Phi->getIncomingValueForBlock(From);
      const Value *Two =
          cast<PHINode>(Match[Phi])->getIncomingValueForBlock(From);
      bool IsFirst = Phi->getParent() == Nest->getHeader() &&
                     From == Nest->getLoopPreheader();
      if (!isa<PoisonValue>(One) && !isa<PoisonValue>(Two) && !IsFirst &&
          Match.lookup(One) != Two)
        return nullptr;
    }
  return Match.lookup(&V);
}

DenseMap<const Value *, Value *>
CarriedValue::carry(Value &Begin, function_ref<Value *(Value &)> Update) const {
  DenseMap<const Value *, Value *> Becomes;
  for (PHINode *Phi : Phis)
    Becomes[Phi] = PHINode::Create(Begin.getType(), Phi->getNumIncomingValues(),
                                   "", Phi->getParent()->begin());
  Becomes[New] = Update(*Becomes[Own]);
  for (PHINode *Phi : Phis)
    for (unsigned I = 0; I < Phi->getNumIncomingValues(); ++I) {
      Value *V = Phi->getIncomingValue(I), *There = &Begin;
      if (isa<PoisonValue>(V)) // where nothing comes from
        There = PoisonValue::get(Begin.getType());
      else if (Value *Known = Becomes.lookup(V))
        There = Known;
      cast<PHINode>(Becomes[Phi])->addIncoming(There, Phi->getIncomingBlock(I));
    }
  return Becomes;
}

void CarriedValue::drop(ScalarEvolution &SE) {
  SmallVector<Instruction *, 8> Old(Phis.begin(), Phis.end());
  Old.push_back(New);
  for (Instruction *I : Old) {
    SE.forgetValue(I);
    I->replaceAllUsesWith(PoisonValue::get(I->getType()));
    I->eraseFromParent();
  }
}

} // namespace polygpu
