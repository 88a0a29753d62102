//===- OperationWeights.cpp - What statements take
//--------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "host/OperationWeights.h"
#include "polly/ScopInfo.h"
#include "target/MathCalls.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace polygpu {

/// Divisions and square roots, and other functions of math.h, in operations.
static const double SlowOperation = 8, MathFunction = 20;

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
  const auto *II = dyn_cast<IntrinsicInst>(&I);
  if (!II)
    return MathFunction;
  if (II->isAssumeLikeIntrinsic())
    return 0;
  if (II->getIntrinsicID() == Intrinsic::sqrt)
    return SlowOperation;
  return libraryName(*II).empty() ? 1 : MathFunction;
}

void weighStatements(const ImportedScop &Imported) {
  for (unsigned S = 0; S < Imported.Scop->n_stmt; ++S) {
    double Weight = 0;
    for (const Instruction *I : Imported.Stmts[S]->getInstructions())
      Weight += weightOf(*I);
    Imported.Scop->stmts[S].weight = std::max(1.0, Weight);
  }
}

} // namespace polygpu
