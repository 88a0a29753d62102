//===- ParameterText.cpp - Parameters in the source's words ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "scop/ParameterText.h"
#include "SourceNames.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace polygpu {

/// What is longer is no help, and parts of it may come again and again.
static const size_t MaxText = 80;

static std::optional<std::string> textOf(const SCEV &E);

/// Name or number, or what stands in brackets beside others.
static std::optional<std::string> factorText(const SCEV &E) {
  auto Text = textOf(E);
  if (Text && StringRef(*Text).contains(' '))
    return "(" + *Text + ")";
  return Text;
}

/// Terms that are subtracted, and the number, come behind the others.
static std::optional<std::string> sumText(const SCEVAddExpr &E) {
  std::string First, Behind;
  for (const SCEV *Term : E.operands()) {
    const auto *C = dyn_cast<SCEVConstant>(Term);
    const auto *Product = dyn_cast<SCEVMulExpr>(Term);
    const auto *Minus =
        Product ? dyn_cast<SCEVConstant>(Product->getOperand(0)) : nullptr;
    if (C) {
      std::optional<int64_t> Number = C->getAPInt().trySExtValue();
      if (!Number || *Number == INT64_MIN)
        return std::nullopt;
      Behind += (*Number < 0 ? " - " : " + ") +
                std::to_string(*Number < 0 ? -*Number : *Number);
    } else if (Minus && Minus->getAPInt().isAllOnes() &&
               Product->getNumOperands() == 2) {
      auto Text = factorText(*Product->getOperand(1));
      if (!Text)
        return std::nullopt;
      Behind = " - " + *Text + Behind;
    } else {
      auto Text = isa<SCEVMulExpr>(Term) ? textOf(*Term) : factorText(*Term);
      if (!Text)
        return std::nullopt;
      First += (First.empty() ? "" : " + ") + *Text;
    }
    if (First.size() + Behind.size() > MaxText)
      return std::nullopt;
  }
  return (First.empty() ? "0" : First) + Behind;
}

/// The operands of \p E with \p Between, as arguments or as factors.
static std::optional<std::string> listText(const SCEVNAryExpr &E,
                                           const char *Between, bool IsCall) {
  std::string Text;
  for (const SCEV *Operand : E.operands()) {
    auto One = IsCall ? textOf(*Operand) : factorText(*Operand);
    if (!One)
      return std::nullopt;
    Text += (Text.empty() ? "" : Between) + *One;
    if (Text.size() > MaxText)
      return std::nullopt;
  }
  return Text;
}

static std::optional<std::string> callText(const char *Name,
                                           const SCEVNAryExpr &E) {
  auto List = listText(E, ", ", true);
  return List ? std::optional(Name + ("(" + *List) + ")") : std::nullopt;
}

/// Counters that LLVM has made wider have names of its own.
static std::optional<std::string> variableText(const Value &V) {
  if (!isAnonymous(&V))
    return sourceName(&V);
  if (isa<PHINode>(V) && V.getName().starts_with("indvars"))
    return "a counter around";
  return std::nullopt;
}

static std::optional<std::string> textOf(const SCEV &E) {
  if (const auto *Cast = dyn_cast<SCEVCastExpr>(&E))
    return textOf(*Cast->getOperand());
  if (const auto *C = dyn_cast<SCEVConstant>(&E)) {
    std::optional<int64_t> Number = C->getAPInt().trySExtValue();
    return Number ? std::optional(std::to_string(*Number)) : std::nullopt;
  }
  if (const auto *U = dyn_cast<SCEVUnknown>(&E))
    return variableText(*U->getValue());
  if (const auto *Sum = dyn_cast<SCEVAddExpr>(&E))
    return sumText(*Sum);
  if (const auto *Product = dyn_cast<SCEVMulExpr>(&E))
    return listText(*Product, " * ", false);
  if (const auto *Most = dyn_cast<SCEVNAryExpr>(&E))
    switch (E.getSCEVType()) {
    case scSMaxExpr:
    case scUMaxExpr:
      return callText("max", *Most);
    case scSMinExpr:
    case scUMinExpr:
    case scSequentialUMinExpr:
      return callText("min", *Most);
    default:
      return std::nullopt;
    }
  return std::nullopt;
}

std::string parameterText(const SCEV &E) {
  auto Text = textOf(E);
  return Text && Text->size() <= MaxText ? *Text : "a computed parameter";
}

} // namespace polygpu
