//===- OperationWeights.cpp - What statements take
//--------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "host/OperationWeights.h"
#include "polly/ScopInfo.h"
#include "prepare/IndirectReads.h"
#include "prepare/IndirectUpdates.h"
#include "target/MathCalls.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace polygpu {

/// Divisions and square roots, and other functions of math.h, in operations.
static const double SlowOperation = 8, MathFunction = 20;
/// Of a loop that runs as often as data say.  Rows of sparse matrices have 5
/// to 50 elements.
static const double IndirectIterations = 10;

static double weightOf(const Instruction &I);

/// What is read at places that data say.
static double weightOfBody(const CallInst &Call) {
  double Sum = 0;
  for (const Instruction &I : instructions(Call.getCalledFunction()))
    Sum += weightOf(I);
  return resultOf(Call) ? 1 : IndirectIterations * Sum;
}

static double weightOf(const Instruction &I) {
  switch (I.getOpcode()) {
  case Instruction::PHI:
  case Instruction::GetElementPtr:
  case Instruction::BitCast:
  case Instruction::SExt:
  case Instruction::ZExt:
  case Instruction::Trunc:
    return 0;
  case Instruction::FDiv:
  case Instruction::SDiv:
  case Instruction::UDiv:
  case Instruction::SRem:
  case Instruction::URem:
    return SlowOperation;
  case Instruction::FRem:
    return MathFunction;
  case Instruction::Call:
    break;
  default:
    return 1;
  }
  if (const CallInst *Call = indirectRead(&I))
    return weightOfBody(*Call);
  const auto *II = dyn_cast<IntrinsicInst>(&I);
  if (!II)
    return MathFunction;
  if (II->isAssumeLikeIntrinsic())
    return 0;
  if (II->getIntrinsicID() == Intrinsic::sqrt)
    return SlowOperation;
  return libraryName(*II).empty() ? 1 : MathFunction;
}

/// What a division or square root is to ptxas, in instructions: 15 to 40 by
/// type, and branches to a function where operands are special.
static const double SlowCode = 64;

/// The instructions that the device has for \p I.
static double codeOf(const Instruction &I) {
  return std::max(weightOf(I), weightOf(I) == SlowOperation ? SlowCode : 0);
}

/// Additions, multiplications, divisions and square roots of a floating-point
/// instruction, on one element.
static double flopsOf(const Instruction &I) {
  switch (I.getOpcode()) {
  case Instruction::FAdd:
  case Instruction::FSub:
  case Instruction::FMul:
  case Instruction::FDiv:
    return 1;
  case Instruction::Call:
    break;
  default:
    return 0;
  }
  const auto *II = dyn_cast<IntrinsicInst>(&I);
  if (!II)
    return 0;
  switch (II->getIntrinsicID()) {
  case Intrinsic::fma:
  case Intrinsic::fmuladd:
    return 2;
  case Intrinsic::sqrt:
    return 1;
  default:
    return 0;
  }
}

static void addFlops(pg_stmt &Stmt, const Instruction &I) {
  double Flops = flopsOf(I);
  if (const auto *Vector = dyn_cast<FixedVectorType>(I.getType()))
    Flops *= Vector->getNumElements();
  bool IsSingle = I.getType()->getScalarSizeInBits() <= 32;
  (IsSingle ? Stmt.flops_single : Stmt.flops_double) += Flops;
}

void weighStatements(const ImportedScop &Imported) {
  for (unsigned S = 0; S < Imported.Scop->n_stmt; ++S) {
    pg_stmt &Stmt = Imported.Scop->stmts[S];
    double Weight = 0, Code = 0;
    Stmt.flops_single = Stmt.flops_double = Stmt.scattered = 0;
    for (const Instruction *I : Imported.Stmts[S]->getInstructions()) {
      Weight += weightOf(*I);
      Code += codeOf(*I);
      addFlops(Stmt, *I);
      Stmt.scattered += indirectUpdate(I) ? 1 : 0;
    }
    Stmt.weight = std::max(1.0, Weight);
    Stmt.code = Code > Stmt.weight ? Code : 0;
  }
}

} // namespace polygpu
