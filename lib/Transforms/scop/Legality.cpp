//===- Legality.cpp - What a kernel may contain ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "scop/Legality.h"
#include "polly/ScopInfo.h"
#include "prepare/IndirectReads.h"
#include "prepare/OrderedBits.h"
#include "scop/CallRefusal.h"
#include "scop/Types.h"
#include "target/MathCalls.h"
#include "target/Toolkit.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace polygpu {

static Refusal refuse(const Instruction &I, const char *Name,
                      const std::string &What) {
  std::string Where =
      I.getDebugLoc() ? " in " + describeLine(I.getDebugLoc(), *I.getFunction())
                      : "";
  size_t At = What.find("%s");
  std::string Text = What;
  if (At != std::string::npos)
    Text.replace(At, 2, Where);
  return {Name, Text, I.getDebugLoc(), const_cast<Instruction *>(&I)};
}

/// Are the target's math functions there, of which \p What needs one?
static std::optional<Refusal>
checkMath(const Instruction &I, const std::string &What, const Options &O) {
  std::string Missing = O.PTX ? missingMath(O.CudaPath) : "";
  if (Missing.empty())
    return std::nullopt;
  return refuse(I, "NoLibdevice", What + "%s " + Missing);
}

static std::optional<Refusal> checkCall(const CallInst &Call,
                                        const Options &O) {
  CallKind Kind = classifyCall(Call);
  if (Kind == CallKind::Refused) {
    Refusal Why = refuseCall(Call);
    Why.At = const_cast<CallInst *>(&Call);
    return Why;
  }
  if (Kind == CallKind::Library &&
      exactIntrinsic(libraryName(Call)) == Intrinsic::not_intrinsic)
    return checkMath(Call,
                     "the call of '" +
                         sourceSymbol(Call.getCalledFunction()->getName()) +
                         "'",
                     O);
  return std::nullopt;
}

/// Instructions that are cloned into kernels as they are.
static bool isKnownOpcode(const Instruction &I) {
  switch (I.getOpcode()) {
  case Instruction::FNeg:
  case Instruction::Add:
  case Instruction::FAdd:
  case Instruction::Sub:
  case Instruction::FSub:
  case Instruction::Mul:
  case Instruction::FMul:
  case Instruction::UDiv:
  case Instruction::SDiv:
  case Instruction::FDiv:
  case Instruction::URem:
  case Instruction::SRem:
  case Instruction::Shl:
  case Instruction::LShr:
  case Instruction::AShr:
  case Instruction::And:
  case Instruction::Or:
  case Instruction::Xor:
  case Instruction::Trunc:
  case Instruction::ZExt:
  case Instruction::SExt:
  case Instruction::FPToUI:
  case Instruction::FPToSI:
  case Instruction::UIToFP:
  case Instruction::SIToFP:
  case Instruction::FPTrunc:
  case Instruction::FPExt:
  case Instruction::ICmp:
  case Instruction::FCmp:
  case Instruction::Select:
  case Instruction::Freeze:
  case Instruction::ExtractElement:
  case Instruction::InsertElement:
  case Instruction::ShuffleVector:
  case Instruction::Load:
  case Instruction::Store:
    return true;
  default:
    return false;
  }
}

static std::optional<Refusal> checkType(const Instruction &I, Type *Ty) {
  if (Ty->isVoidTy() || isKernelType(Ty))
    return std::nullopt;
  if (Ty->isPointerTy())
    return refuse(I, "Type",
                  "an address is a value that the loop computes with, stores "
                  "or compares%s, and memory has other addresses on the "
                  "device; use subscripts");
  return refuse(I, "Type",
                "a value of type " + typeName(Ty) +
                    "%s has no equal on the device; use integers of at most "
                    "64 bits, float or double");
}

static std::optional<Refusal> checkInstruction(const Instruction &I,
                                               const Options &O) {
  if (isa<MemIntrinsic>(I))
    return refuse(I, "MemIntrinsic",
                  "memory is copied or set as a block%s (memcpy, memset, or "
                  "a structure assigned as a whole); copy the elements in a "
                  "loop");
  if (indirectRead(&I))
    return std::nullopt;
  // One of the results of a loop that is such a call.
  if (isa<ExtractValueInst>(I) && indirectRead(I.getOperand(0)))
    return checkType(I, I.getType());
  // Of the parts of a complex quotient it is the call that nobody can do.
  if (isa<ExtractValueInst>(I))
    if (const auto *Call = dyn_cast<CallBase>(I.getOperand(0)))
      return refuseCall(*Call);
  if (const auto *Call = dyn_cast<CallInst>(&I)) {
    if (auto R = checkCall(*Call, O))
      return R;
    return checkType(I, I.getType());
  }
  if (I.getOpcode() == Instruction::FRem) {
    if (auto R = checkMath(I, "the floating-point remainder", O))
      return R;
    if (I.getType()->isFloatTy() || I.getType()->isDoubleTy())
      return std::nullopt;
    return refuse(I, "Type",
                  "a floating-point remainder%s is of a type other than "
                  "float and double; use one of these");
  }
  if (isOrderedBitCast(I))
    return checkType(I, I.getType());
  if (isa<BitCastInst>(I)) {
    bool FromFP = I.getOperand(0)->getType()->isFPOrFPVectorTy();
    if (FromFP == I.getType()->isFPOrFPVectorTy())
      return checkType(I, I.getType());
    return refuse(I, "BitCast",
                  "the bits of a floating-point value are looked at%s, and "
                  "bits of NaNs differ between devices; compute with values");
  }
  if (const auto *GEP = dyn_cast<GetElementPtrInst>(&I))
    return refuse(I, "Address",
                  "which part of '" + sourceName(GEP->getPointerOperand()) +
                      "' is accessed%s is computed in the loop, by something "
                      "other than sums of counters and parameters (like % of "
                      "a counter); use an array for each part, or exchange "
                      "pointers");
  // Phis are modelled as scalars that are read.
  if (!isKnownOpcode(I) && !isa<PHINode>(I))
    return refuse(I, "Instruction",
                  std::string("an operation ('") + I.getOpcodeName() +
                      "')%s that kernels do not support; write it with "
                      "ordinary arithmetic");
  if (auto R = checkType(I, I.getType()))
    return R;
  for (const Use &U : I.operands())
    if (!U->getType()->isPointerTy())
      if (auto R = checkType(I, U->getType()))
        return R;
  return std::nullopt;
}

/// May \p V be another value in each iteration of a loop of \p S?
static bool varies(const Value *V, const polly::Scop &S) {
  const auto *I = dyn_cast<Instruction>(V);
  const Loop *L = I ? S.getLI()->getLoopFor(I->getParent()) : nullptr;
  if (!L || !S.contains(L))
    return false;
  if (isa<PHINode>(I) || I->mayReadOrWriteMemory())
    return true;
  return any_of(I->operands(),
                [&](const Use &U) { return varies(U.get(), S); });
}

SmallVector<DataCondition, 8> findDataConditions(const polly::Scop &S) {
  DenseMap<const BasicBlock *, unsigned> Place;
  ReversePostOrderTraversal<const Function *> Order(&S.getFunction());
  for (const BasicBlock *BB : Order)
    Place.insert({BB, Place.size()});
  SmallVector<DataCondition, 8> Found;
  for (const polly::ScopStmt &Stmt : S)
    if (Stmt.isRegionStmt())
      Found.push_back(
          {Stmt.getRegion()->getEntry(), Stmt.getRegion()->getExit(),
           none_of(Stmt.getRegion()->getEntry()->getTerminator()->operands(),
                   [&](const Use &U) { return varies(U.get(), S); })});
  sort(Found, [&](const DataCondition &A, const DataCondition &B) {
    return Place.lookup(A.Entry) < Place.lookup(B.Entry);
  });
  return Found;
}

Refusal refuseDataCondition(const BasicBlock &Entry, const std::string &Why) {
  const Instruction *Branch = Entry.getTerminator();
  const DebugLoc &Loc = Branch->getDebugLoc();
  return {"NonAffineBranch",
          "the condition in " + describeLine(Loc, *Entry.getParent()) +
              " depends on data or is not affine" +
              (Why.empty() ? "" : ", and " + Why) +
              "; put less under it, or read the elements before it and choose "
              "between them with ?: instead of a branch",
          Loc, const_cast<Instruction *>(Branch)};
}

std::optional<Refusal> checkStatements(polly::Scop &S, const Options &O) {
  for (polly::ScopStmt &Stmt : S) {
    if (Stmt.isRegionStmt())
      return refuseDataCondition(*Stmt.getEntryBlock());
    for (const Instruction *I : Stmt.getInstructions())
      if (auto R = checkInstruction(*I, O))
        return R;
    for (polly::MemoryAccess *MA : Stmt) {
      if (!MA->isOriginalArrayKind())
        continue;
      if (MA->isMemoryIntrinsic())
        return refuse(*MA->getAccessInstruction(), "MemIntrinsic",
                      "memory is copied or set as a block%s (memcpy, memset); "
                      "copy the elements in a loop");
      if (isa<CallBase>(MA->getAccessInstruction()))
        return refuse(*MA->getAccessInstruction(), "Call",
                      "a call%s accesses memory; make the function "
                      "inlinable");
    }
  }
  return std::nullopt;
}

} // namespace polygpu
