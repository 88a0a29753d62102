//===- Assumptions.cpp - Why Polly dismissed a model ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "adaptor/Assumptions.h"
#include "llvm/IR/DiagnosticHandler.h"
#include "llvm/IR/DiagnosticInfo.h"

using namespace llvm;

namespace polygpu {

namespace {

/// Hands on what it gets, and looks at Polly's remarks.
struct Listener : DiagnosticHandler {
  Listener(DiagnosticHandler *Next, std::optional<ImpossibleAssumption> &First)
      : Next(Next), First(First) {}
  bool handleDiagnostics(const DiagnosticInfo &DI) override;
  bool isAnalysisRemarkEnabled(StringRef Pass) const override {
    return Next && Next->isAnalysisRemarkEnabled(Pass);
  }
  bool isMissedOptRemarkEnabled(StringRef Pass) const override {
    return Next && Next->isMissedOptRemarkEnabled(Pass);
  }
  bool isPassedOptRemarkEnabled(StringRef Pass) const override {
    return Next && Next->isPassedOptRemarkEnabled(Pass);
  }
  bool isAnyRemarkEnabled() const override {
    return Next && Next->isAnyRemarkEnabled();
  }

  DiagnosticHandler *Next;
  std::optional<ImpossibleAssumption> &First;
};

} // namespace

/// "Invariant load assumption:\t[n] -> {  : false }" says that nothing is left,
/// and so does "No-error restriction:\t{  :  }".
static std::optional<std::string> impossibleKind(StringRef Text) {
  for (auto [Word, Set] : {std::pair(" assumption:", "{  : false }"),
                           std::pair(" restriction:", "{  :  }")})
    if (size_t At = Text.find(Word);
        At != StringRef::npos && Text.rtrim().ends_with(Set))
      return Text.take_front(At).str();
  return std::nullopt;
}

bool Listener::handleDiagnostics(const DiagnosticInfo &DI) {
  if (const auto *Remark = dyn_cast<OptimizationRemarkAnalysis>(&DI);
      Remark && !First && Remark->getPassName().starts_with("polly"))
    if (auto Kind = impossibleKind(Remark->getMsg()))
      First = {*Kind, Remark->getLocation()};
  return Next && Next->handleDiagnostics(DI);
}

AssumptionListener::AssumptionListener(LLVMContext &Ctx)
    : Ctx(Ctx), Before(Ctx.getDiagnosticHandler()) {
  Ctx.setDiagnosticHandler(std::make_unique<Listener>(Before.get(), First));
}

AssumptionListener::~AssumptionListener() {
  if (Ctx.getDiagHandlerPtr()->HasErrors && Before)
    Before->HasErrors = true;
  Ctx.setDiagnosticHandler(std::move(Before));
}

} // namespace polygpu
