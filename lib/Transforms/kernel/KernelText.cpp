//===- KernelText.cpp - Kernels as text for people ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kernel/KernelText.h"
#include "kernel/Operators.h"
#include "polly/ScopInfo.h"
#include "prepare/IndirectReads.h"
#include "prepare/IndirectUpdates.h"
#include "scop/Types.h"
#include "target/MathCalls.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using polly::MemoryAccess;

namespace polygpu {

namespace {

/// Prints the values of one statement as expressions.
class TextBuilder {
public:
  TextBuilder(const ImportedScop &Imported, unsigned Stmt,
              const char *const *Access)
      : Imported(Imported), Index(Stmt), Stmt(*Imported.Stmts[Stmt]),
        Access(Access) {}
  std::string run();

private:
  const ImportedScop &Imported;
  unsigned Index;
  polly::ScopStmt &Stmt;
  const char *const *Access;
  DenseMap<const Value *, std::string> Text;

  std::string access(const MemoryAccess *MA) const;
  std::string value(const Value *V);
  std::string indirect(const CallInst &Call);
  std::string update(const StoreInst &Store);
  std::string operation(const Instruction &I);
};

std::string TextBuilder::access(const MemoryAccess *MA) const {
  const auto &List = Imported.Accesses[Index];
  auto It = std::find(List.begin(), List.end(), MA);
  return It == List.end() ? "?" : Access[It - List.begin()];
}

std::string TextBuilder::value(const Value *V) {
  if (auto It = Text.find(V); It != Text.end())
    return It->second;
  if (const auto *C = dyn_cast<ConstantInt>(V))
    return std::to_string(C->getSExtValue());
  if (const auto *C = dyn_cast<ConstantFP>(V)) {
    SmallString<16> S;
    C->getValueAPF().toString(S);
    return S.str().str();
  }
  if (isa<Constant>(V))
    return "constant";
  if (const auto *I = dyn_cast<CastInst>(V))
    return "(" + typeName(I->getType()) + ")" + value(I->getOperand(0));
  return sourceName(V);
}

/// One read, or a loop of some.
std::string TextBuilder::indirect(const CallInst &Call) {
  auto NameOf = [&](const LoadInst &Read) -> std::string {
    return Imported.Scop->arrays[Imported.indirectArray(Read)].name;
  };
  if (const LoadInst *Read = resultOf(Call))
    return "*(" + typeName(Call.getType()) + " *)((char *)" + NameOf(*Read) +
           " + " + value(Call.getArgOperand(1)) + ")";
  std::string Result = "loop(";
  for (const LoadInst *Read : readsOf(Call))
    Result += NameOf(*Read) + "[...], ";
  for (const Use &U : Call.args())
    if (!U->getType()->isPointerTy() && !isa<UndefValue>(U.get()))
      Result += value(U.get()) + ", ";
  Result.resize(Result.size() - 2);
  return Result + ")";
}

/// What the token of \p Store stands for.
std::string TextBuilder::update(const StoreInst &Store) {
  const CallInst *Call = updateBehind(Store);
  if (!Call)
    return "?;";
  std::string Name = "atomic";
  Name += AtomicRMWInst::getOperationName(updateOperator(*Call));
  return Name + "(&" + indirect(*Call) + ", " + value(updateValue(*Call)) +
         ");";
}

std::string TextBuilder::operation(const Instruction &I) {
  static const struct {
    unsigned Opcode;
    const char *Sign;
  } Signs[] = {{Instruction::FAdd, "+"},  {Instruction::Add, "+"},
               {Instruction::FSub, "-"},  {Instruction::Sub, "-"},
               {Instruction::FMul, "*"},  {Instruction::Mul, "*"},
               {Instruction::FDiv, "/"},  {Instruction::SDiv, "/"},
               {Instruction::UDiv, "/"},  {Instruction::SRem, "%"},
               {Instruction::URem, "%"},  {Instruction::Shl, "<<"},
               {Instruction::AShr, ">>"}, {Instruction::LShr, ">>"},
               {Instruction::And, "&"},   {Instruction::Or, "|"},
               {Instruction::Xor, "^"}};
  for (const auto &S : Signs)
    if (S.Opcode == I.getOpcode())
      return "(" + value(I.getOperand(0)) + " " + S.Sign + " " +
             value(I.getOperand(1)) + ")";
  if (isa<CastInst>(I))
    return "(" + typeName(I.getType()) + ")" + value(I.getOperand(0));
  if (I.getOpcode() == Instruction::FNeg)
    return "-" + value(I.getOperand(0));
  if (const auto *S = dyn_cast<SelectInst>(&I))
    return "(" + value(S->getCondition()) + " ? " + value(S->getTrueValue()) +
           " : " + value(S->getFalseValue()) + ")";
  if (const auto *C = dyn_cast<CmpInst>(&I))
    return "(" + value(C->getOperand(0)) + " " +
           CmpInst::getPredicateName(C->getPredicate()).str() + " " +
           value(C->getOperand(1)) + ")";
  if (const CallInst *Call = indirectRead(&I))
    return indirect(*Call);
  if (const auto *Part = dyn_cast<ExtractValueInst>(&I))
    return value(I.getOperand(0)) + "." + std::to_string(Part->getIndices()[0]);
  std::string Name = I.getOpcodeName();
  unsigned Count = I.getNumOperands();
  if (const auto *Call = dyn_cast<CallInst>(&I)) {
    Count = Call->arg_size();
    Name = libraryName(*Call).str();
    if (Name.empty() && Call->getCalledFunction()) {
      Name = Call->getCalledFunction()->getName().str();
      if (Call->getIntrinsicID() == Intrinsic::fmuladd)
        Name = "fma";
      else if (StringRef(Name).starts_with("llvm."))
        Name = StringRef(Name).drop_front(5).split('.').first.str();
    }
  }
  std::string Result = Name + "(";
  for (unsigned O = 0; O < Count; ++O)
    Result += (O ? ", " : "") + value(I.getOperand(O));
  return Result + ")";
}

std::string TextBuilder::run() {
  std::string Result;
  auto Assign = [&](const std::string &Left, const std::string &Right) {
    Result += (Result.empty() ? "" : " ") + Left + " = " + Right + ";";
  };
  for (const MemoryAccess *MA : Stmt) {
    if (MA->isOriginalArrayKind() || MA->isWrite())
      continue;
    const Value *Read = MA->isOriginalPHIKind()
                            ? MA->getAccessInstruction()
                            : MA->getOriginalScopArrayInfo()->getBasePtr();
    if (access(MA) != "?")
      Text[Read] = access(MA);
  }
  for (Instruction *I : Stmt.getInstructions()) {
    const MemoryAccess *MA = Stmt.getArrayAccessOrNULLFor(I);
    if (auto *Store = dyn_cast<StoreInst>(I);
        Store && isUpdateToken(Store->getPointerOperand())) {
      Result += (Result.empty() ? "" : " ") + update(*Store);
      continue;
    }
    if (isa<PHINode>(I) || isUpdateToken(getLoadStorePointerOperand(I)))
      continue;
    if (isa<LoadInst>(I) && MA)
      Text[I] = access(MA);
    else if (auto *Store = dyn_cast<StoreInst>(I); Store && MA)
      Assign(access(MA), value(Store->getValueOperand()));
    else
      Text[I] = operation(*I);
    if (Text.lookup(I).size() > 2000)
      return "";
  }
  for (const MemoryAccess *MA : Stmt) {
    if (MA->isOriginalArrayKind() || MA->isRead())
      continue;
    Assign(access(MA),
           value(MA->isOriginalAnyPHIKind() ? MA->getIncoming()[0].second
                                            : MA->getAccessValue()));
  }
  return Result;
}

} // namespace

/// C text of a statement of the core's.
static std::string madeText(const pg_stmt &S, const char *const *Access) {
  if (S.kind == PG_STMT_COPY)
    return std::string(Access[1]) + " = " + Access[0] + ";";
  if (S.kind == PG_STMT_FILL)
    return std::string(Access[0]) + " = " + neutralText(S.op) + ";";
  return std::string(Access[2]) + " = " +
         combinedText(S.op, Access[0], Access[1]) + ";";
}

/// C text of statement \p Stmt of a kernel, with the texts of its instance's
/// accesses filled in; null if there is none.
static char *statementText(void *User, unsigned Stmt, const char *const *,
                           const char *const *Access) {
  const auto &Imported = *static_cast<const ImportedScop *>(User);
  const pg_stmt &S = Imported.Scop->stmts[Stmt];
  std::string Text = S.kind ? madeText(S, Access)
                            : TextBuilder(Imported, S.origin, Access).run();
  return Text.empty() ? nullptr : strdup(Text.c_str());
}

void printKernels(const pg_plan &Plan, const ImportedScop &Imported,
                  raw_ostream &OS) {
  for (unsigned K = 0; K < Plan.n_kernel; ++K) {
    char *Text = pg_kernel_to_str(&Plan, K, statementText,
                                  const_cast<ImportedScop *>(&Imported));
    OS << (Text ? Text : "");
    free(Text);
  }
}

} // namespace polygpu
