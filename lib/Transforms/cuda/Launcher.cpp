//===- Launcher.cpp - What launches kernels, as CUDA ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The host's AST becomes IR, as for the program, with calls that stand for
// launches and allocations; that is printed.
//
//===----------------------------------------------------------------------===//

#include "cuda/Launcher.h"
#include "cuda/FunctionText.h"
#include "kernel/AstBuilder.h"
#include "polly/ScopInfo.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace polygpu {

namespace {

/// Prints the launcher of a plan.
class LauncherBuilder final : public AstBuilder {
public:
  LauncherBuilder(IRBuilder<> &B, Module &M, const pg_plan &Plan,
                  const ImportedScop &Imported, const DeviceCode &Code,
                  ArrayRef<KernelSource> Kernels)
      : AstBuilder(B, B.getInt64Ty()), M(M), Plan(Plan), Scop(*Plan.scop),
        Imported(Imported), Code(Code), Kernels(Kernels) {
    Readable = true;
  }

  std::string run(const std::string &Name, std::string &Problem);

private:
  /// A parameter of the launcher: an array if it has elements.
  struct Parameter {
    std::string Name;
    Type *Ty, *Elements;
  };
  using Key = std::tuple<int, unsigned, unsigned, const void *>;

  Module &M;
  const pg_plan &Plan;
  const pg_scop &Scop;
  const ImportedScop &Imported;
  const DeviceCode &Code;
  ArrayRef<KernelSource> Kernels;
  std::vector<Parameter> Parameters;
  std::map<Key, unsigned> Numbers;
  std::map<unsigned, Value *> Temporaries;
  Function *F = nullptr;

  static Key keyOf(const KernelArg &A) {
    const void *Of =
        A.Kind == KernelArg::Scev ? static_cast<const void *>(A.Expr) : A.V;
    return {A.Kind, A.Index, A.Dim, Of};
  }
  bool isTemporary(unsigned Array) const {
    return Scop.arrays[Array].kind == PG_ARRAY_TEMPORARY;
  }
  void addParameters();
  void add(const KernelArg &A, const std::string &Name, Type *Ty,
           Type *Elements = nullptr);
  bool isKnown(const SCEV *E) const;
  Value *scev(const SCEV *E);
  Value *size(const KernelArg &A);
  Value *extent(unsigned Array, unsigned D);
  Value *argument(const KernelArg &A, const pg_user &U);
  void user(const pg_user &U) override;
  Value *unknownVariable(StringRef) override { return fail(); }
  void allocate();
  std::string callText(FunctionText &Text, const CallInst &Call);
  std::string launchText(FunctionText &Text, const CallInst &Call, unsigned K);
  std::string head(FunctionText &Text, const std::string &Name);
  std::string limits(FunctionText &Text);
};

//===-- Parameters --------------------------------------------------------===//

void LauncherBuilder::add(const KernelArg &A, const std::string &Name, Type *Ty,
                          Type *Elements) {
  if (Numbers.insert({keyOf(A), Parameters.size()}).second)
    Parameters.push_back({Name, Ty, Elements});
}

/// Arrays, sizes, and what else kernels need.
void LauncherBuilder::addParameters() {
  Type *Ptr = B.getPtrTy();
  auto ForAll = [&](function_ref<void(const KernelArg &)> Body) {
    for (const auto &Args : Code.Args)
      for (const KernelArg &A : Args)
        Body(A);
  };
  ForAll([&](const KernelArg &A) {
    if (A.Kind == KernelArg::Array && !isTemporary(A.Index))
      add(A, Scop.arrays[A.Index].name, Ptr,
          elementType(Plan, A.Index, Imported.ElementTypes));
  });
  ForAll([&](const KernelArg &A) {
    if (A.Kind == KernelArg::Marks)
      add(A, std::string(Scop.arrays[A.Index].name) + "_marks", Ptr,
          B.getInt8Ty());
  });
  for (unsigned I = 0; I < Scop.n_param; ++I)
    add({KernelArg::Param, I}, Scop.params[I].name, B.getInt64Ty());
  ForAll([&](const KernelArg &A) {
    if (A.Kind == KernelArg::Extent && !isTemporary(A.Index) &&
        !isKnown(Imported.Arrays[A.Index]->getDimensionSize(A.Dim)))
      add(A,
          std::string(Scop.arrays[A.Index].name) + "_size" +
              std::to_string(A.Dim),
          B.getInt64Ty());
    if (A.Kind == KernelArg::Scev && !isKnown(A.Expr))
      add(A, "invariant", A.Ty);
    if (A.Kind == KernelArg::Scalar)
      add(A, A.V->getName().str(), A.Ty);
  });
}

/// Can \p E be computed of the SCoP's parameters?
bool LauncherBuilder::isKnown(const SCEV *E) const {
  if (is_contained(Imported.Params, E) || isa<SCEVConstant>(E))
    return E->getType()->isIntegerTy();
  if (!isa<SCEVCastExpr, SCEVAddExpr, SCEVMulExpr>(E) ||
      isa<SCEVPtrToIntExpr>(E))
    return false;
  return all_of(E->operands(), [&](const SCEV *Op) { return isKnown(Op); });
}

Value *LauncherBuilder::scev(const SCEV *E) {
  if (auto It = find(Imported.Params, E); It != Imported.Params.end()) {
    unsigned I = It - Imported.Params.begin();
    return B.CreateTrunc(F->getArg(Numbers.at(keyOf({KernelArg::Param, I}))),
                         E->getType());
  }
  if (const auto *Known = dyn_cast<SCEVConstant>(E))
    return Known->getValue();
  if (const auto *Cast = dyn_cast<SCEVCastExpr>(E)) {
    Value *Op = scev(Cast->getOperand());
    if (isa<SCEVTruncateExpr>(E))
      return B.CreateTrunc(Op, E->getType());
    return isa<SCEVZeroExtendExpr>(E) ? B.CreateZExt(Op, E->getType())
                                      : B.CreateSExt(Op, E->getType());
  }
  Value *Result = nullptr;
  for (const SCEV *Op : E->operands()) {
    Value *V = scev(Op);
    Result = !Result               ? V
             : isa<SCEVAddExpr>(E) ? B.CreateAdd(Result, V)
                                   : B.CreateMul(Result, V);
  }
  return Result;
}

/// The length of rows.
Value *LauncherBuilder::size(const KernelArg &A) {
  const SCEV *E = Imported.Arrays[A.Index]->getDimensionSize(A.Dim);
  // A length is not negative: the parameter is the number.
  if (isa<SCEVZeroExtendExpr, SCEVSignExtendExpr>(E))
    if (const SCEV *Op = cast<SCEVCastExpr>(E)->getOperand();
        is_contained(Imported.Params, Op))
      E = Op;
  if (auto It = find(Imported.Params, E); It != Imported.Params.end())
    return F->getArg(Numbers.at(
        keyOf({KernelArg::Param, unsigned(It - Imported.Params.begin())})));
  return B.CreateSExtOrTrunc(scev(E), B.getInt64Ty());
}

/// Dimension \p D of a temporary.
Value *LauncherBuilder::extent(unsigned Array, unsigned D) {
  Value *V = toIndex(expr(Plan.extents[Array][D]));
  if (auto *Known = dyn_cast<ConstantInt>(V))
    return Known->isNegative() ? B.getInt64(0) : Known;
  return B.CreateBinaryIntrinsic(Intrinsic::smax, V, B.getInt64(0));
}

//===-- Launches ----------------------------------------------------------===//

/// What kernel parameter \p A gets in the launch \p U.
Value *LauncherBuilder::argument(const KernelArg &A, const pg_user &U) {
  if (auto It = Numbers.find(keyOf(A)); It != Numbers.end()) {
    Value *V = F->getArg(It->second);
    return A.Kind == KernelArg::Param ? B.CreateTrunc(V, A.Ty) : V;
  }
  switch (A.Kind) {
  case KernelArg::Array:
    return Temporaries.at(A.Index);
  case KernelArg::Extent:
    return isTemporary(A.Index) ? extent(A.Index, A.Dim) : size(A);
  case KernelArg::Host:
    return B.CreateTrunc(expr(U.args[A.Index]), A.Ty);
  case KernelArg::Blocks:
    return B.CreateTrunc(expr(U.grid[A.Dim]), A.Ty);
  case KernelArg::Scev:
    return B.CreateZExt(scev(A.Expr), A.Ty);
  default:
    return fail();
  }
}

void LauncherBuilder::user(const pg_user &U) {
  if (U.kind != PG_USER_LAUNCH) {
    fail();
    return;
  }
  SmallVector<Value *, 16> Operands;
  Value *Some = B.getTrue();
  for (unsigned D = 0; D < 3; ++D) {
    Value *Blocks = U.grid[D] ? toIndex(expr(U.grid[D])) : B.getInt64(1);
    if (hasMoreTiles(Plan.kernels[U.index], D))
      Blocks = B.CreateBinaryIntrinsic(Intrinsic::smin, Blocks,
                                       B.getInt64(PG_GRID_YZ));
    Operands.push_back(Blocks);
    Some = B.CreateAnd(Some, B.CreateICmpSGT(Blocks, B.getInt64(0)));
  }
  auto Launch = [&] {
    for (const KernelArg &A : Code.Args[U.index])
      Operands.push_back(argument(A, U));
    SmallVector<Type *, 16> Types;
    for (Value *V : Operands)
      Types.push_back(V->getType());
    FunctionCallee Callee =
        M.getOrInsertFunction("launch." + std::to_string(U.index),
                              FunctionType::get(B.getVoidTy(), Types, false));
    B.CreateCall(Callee, Operands);
  };
  if (isa<ConstantInt>(Some) && cast<ConstantInt>(Some)->isOne())
    Launch();
  else
    branch(Some, Launch);
}

/// Memory for what only the device knows.
void LauncherBuilder::allocate() {
  for (const auto &Args : Code.Args)
    for (const KernelArg &A : Args) {
      if (A.Kind != KernelArg::Array || !isTemporary(A.Index) ||
          Temporaries.count(A.Index))
        continue;
      Value *Count = B.getInt64(1);
      for (unsigned D = 0; D < Scop.arrays[A.Index].n_dim; ++D)
        Count = B.CreateNSWMul(Count, extent(A.Index, D));
      FunctionCallee Callee = M.getOrInsertFunction(
          "allocate." + std::to_string(A.Index), B.getPtrTy(), B.getInt64Ty());
      CallInst *Call = B.CreateCall(Callee, {Count});
      setPrintedName(Call, Scop.arrays[A.Index].name);
      Temporaries[A.Index] = Call;
    }
}

//===-- Text --------------------------------------------------------------===//

std::string LauncherBuilder::launchText(FunctionText &Text,
                                        const CallInst &Call, unsigned K) {
  const unsigned *Block = Plan.kernels[K].mapping->block;
  unsigned Last = 2;
  auto IsOne = [&](unsigned D) {
    const auto *N = dyn_cast<ConstantInt>(Call.getArgOperand(D));
    return Block[D] == 1 && N && N->isOne();
  };
  while (Last && IsOne(Last))
    --Last;
  std::string Grid, Threads, Arguments;
  for (unsigned D = 0; D <= Last; ++D) {
    Grid += (D ? ", " : "") + Text.Text.loose(Call.getArgOperand(D));
    Threads += (D ? ", " : "") + std::to_string(Block[D]);
  }
  for (unsigned A = 3; A < Call.arg_size(); ++A) {
    const Value *V = Call.getArgOperand(A);
    // The parameter's type says the same.
    if (const auto *Trunc = dyn_cast<TruncInst>(V);
        Trunc && !V->getType()->isIntegerTy(1))
      V = Trunc->getOperand(0);
    Arguments += (A > 3 ? ", " : "") + Text.Text.loose(V);
  }
  std::string Shared = std::to_string(Kernels[K].DynamicBytes);
  std::string Result;
  if (Kernels[K].DynamicBytes)
    Result = "cudaFuncSetAttribute((const void *)" + Kernels[K].Name +
             ", cudaFuncAttributeMaxDynamicSharedMemorySize, " + Shared +
             ");\n";
  return Result + Kernels[K].Name + "<<<dim3(" + Grid + "), dim3(" + Threads +
         "), " + Shared + ", stream>>>(" + Arguments + ");";
}

std::string LauncherBuilder::callText(FunctionText &Text,
                                      const CallInst &Call) {
  StringRef Name = Call.getCalledFunction()->getName();
  unsigned Number;
  if (Name.consume_front("launch.") && !Name.getAsInteger(10, Number))
    return launchText(Text, Call, Number);
  if (!Name.consume_front("allocate.") || Name.getAsInteger(10, Number))
    return "";
  std::string Type = cudaType(elementType(Plan, Number, Imported.ElementTypes));
  std::string Array = Text.Text.nameOf(&Call);
  std::string Result = Type + " *" + Array + " = 0;\n";
  Result += "error = cudaMalloc((void **)&" + Array + ", " +
            Text.Text.text(Call.getArgOperand(0), Values::Multiply) +
            " * sizeof(" + Type + "));\nif (error != cudaSuccess) {\n";
  for (auto [A, V] : Temporaries)
    if (V != &Call && cast<Instruction>(V)->comesBefore(&Call))
      Result += "  cudaFree(" + Text.Text.nameOf(V) + ");\n";
  return Result + "  return error;\n}";
}

std::string LauncherBuilder::head(FunctionText &Text, const std::string &Name) {
  std::string Result = "extern \"C\" cudaError_t\n", Line = Name + "(";
  const std::string Indent(Line.size(), ' ');
  for (unsigned I = 0; I < Parameters.size(); ++I) {
    const Parameter &P = Parameters[I];
    std::string Own = Text.Scope.take(P.Name);
    Text.Text.name(F->getArg(I), Own);
    std::string Next = cudaType(P.Elements ? P.Elements : P.Ty) +
                       (P.Elements ? " *" : " ") + Own + ",";
    if (Line.size() + 1 + Next.size() > 80 && I) {
      Result += Line + "\n";
      Line = Indent + Next;
    } else {
      Line += (I ? " " : "") + Next;
    }
  }
  return Result + Line + "\n" + Indent + "cudaStream_t stream)\n{\n";
}

/// Kernels compute with parameters of so many bits that larger ones would
/// overflow.
std::string LauncherBuilder::limits(FunctionText &Text) {
  std::string Limit = std::to_string(Plan.param_limit) + "LL", Test;
  for (unsigned I = 0; I < Scop.n_param; ++I) {
    std::string Name =
        Text.Text.nameOf(F->getArg(Numbers.at(keyOf({KernelArg::Param, I}))));
    Test += (Test.empty() ? "" : " ||\n      ") + Name + " < -" + Limit +
            " || " + Name + " > " + Limit;
  }
  if (Test.empty())
    return "";
  return "  if (" + Test + ")\n    return cudaErrorInvalidValue;\n";
}

std::string LauncherBuilder::run(const std::string &Name,
                                 std::string &Problem) {
  addParameters();
  SmallVector<Type *, 16> Types;
  for (const Parameter &P : Parameters)
    Types.push_back(P.Ty);
  F = Function::Create(FunctionType::get(B.getVoidTy(), Types, false),
                       GlobalValue::ExternalLinkage, Name, M);
  B.SetInsertPoint(BasicBlock::Create(M.getContext(), "entry", F));
  for (unsigned I = 0; I < Scop.n_param; ++I)
    define(Scop.params[I].name,
           F->getArg(Numbers.at(keyOf({KernelArg::Param, I}))));
  allocate();
  if (Plan.chained)
    branch(
        toBool(expr(Plan.chain)), [&] { node(Plan.chained); },
        [&] { node(Plan.host); });
  else
    node(Plan.host);
  B.CreateRetVoid();
  if (failed()) {
    Problem = "the code around the kernels contains an expression that is not "
              "supported";
    return "";
  }
  FunctionText Text(*F, /*OnHost=*/true);
  Text.Scope.take("stream");
  std::string Head = head(Text, Name);
  std::string Body =
      Text.run([&](const CallInst &Call) { return callText(Text, Call); });
  Problem = Text.Text.Problem;
  if (Text.hasLabels() && Problem.empty())
    Problem = "the loops around the kernels have an unusual form";
  std::string Result = Head + limits(Text);
  if (!Temporaries.empty())
    Result += "  cudaError_t error;\n";
  Result += Body;
  std::string End = "cudaGetLastError()";
  if (!Temporaries.empty()) {
    Result += "  error = cudaGetLastError();\n";
    for (auto [A, V] : Temporaries)
      Result += "  cudaFree(" + Text.Text.nameOf(V) + ");\n";
    End = "error";
  }
  return Result + "  return " + End + ";\n}\n";
}

} // namespace

std::string launcherSource(const pg_plan &Plan, const ImportedScop &Imported,
                           const DeviceCode &Code,
                           ArrayRef<KernelSource> Kernels,
                           const std::string &Name, LLVMContext &Ctx,
                           std::string &Problem) {
  Module M("host", Ctx);
  IRBuilder<> B(Ctx);
  LauncherBuilder Builder(B, M, Plan, Imported, Code, Kernels);
  return Builder.run(Name, Problem);
}

} // namespace polygpu
