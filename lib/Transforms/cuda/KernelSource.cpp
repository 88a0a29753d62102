//===- KernelSource.cpp - A kernel as CUDA -------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cuda/KernelSource.h"
#include "cuda/FunctionText.h"
#include "target/DeviceModule.h"
#include "target/TargetDescription.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace polygpu {

Type *elementType(const pg_plan &Plan, unsigned A,
                  ArrayRef<Type *> ElementTypes) {
  return ElementTypes[Plan.scop->arrays[A].origin];
}

namespace {

/// Prints one kernel.
class KernelPrinter {
public:
  KernelPrinter(Function &F, const pg_plan &Plan, const pg_kernel &K,
                ArrayRef<KernelArg> Args, ArrayRef<Type *> ElementTypes)
      : F(F), Plan(Plan), K(K), Args(Args), ElementTypes(ElementTypes),
        Text(F, /*OnHost=*/false) {
    for (const Instruction &I : instructions(F)) // no variable is called so
      if (const auto *Call = dyn_cast<CallInst>(&I))
        Text.Scope.take(Call->getCalledFunction()->getName());
  }

  KernelSource run(const std::string &Name);

private:
  Function &F;
  const pg_plan &Plan;
  const pg_kernel &K;
  ArrayRef<KernelArg> Args;
  ArrayRef<Type *> ElementTypes;
  FunctionText Text;

  std::string parameter(unsigned I);
  std::string copy(const CallInst &Call);
  std::string call(const CallInst &Call);
  std::string shared(unsigned &DynamicBytes);
};

/// The declaration of parameter \p I.
std::string KernelPrinter::parameter(unsigned I) {
  const Argument *A = F.getArg(I);
  const KernelArg &Arg = Args[I];
  std::string Name = Text.Scope.take(A->getName());
  Text.Text.name(A, Name);
  Type *Ty = A->getType();
  std::string Type;
  if (Arg.Kind == KernelArg::Marks) {
    Ty = llvm::Type::getInt8Ty(F.getContext());
  } else if (Arg.Kind == KernelArg::Array) {
    Ty = elementType(Plan, Arg.Index, ElementTypes);
    if (A->onlyReadsMemory())
      Type = "const ";
  }
  Type += cudaElement(Ty);
  if (cudaElement(Ty).empty())
    Text.Text.Problem =
        "'" + Name +
        "' has elements of a type that the text has no word for (an unusual "
        "width)";
  if (!isArray(Arg))
    return Type + " " + Name;
  Text.Text.pointsTo(A, Ty);
  return Type + (A->hasNoAliasAttr() ? " *__restrict__ " : " *") + Name;
}

/// The declarations of shared memory.
std::string KernelPrinter::shared(unsigned &DynamicBytes) {
  SetVector<const GlobalVariable *> All;
  for (const Instruction &I : instructions(F))
    for (const Use &U : I.operands())
      if (const auto *G = dyn_cast<GlobalVariable>(U))
        All.insert(G);
  const DataLayout &DL = F.getParent()->getDataLayout();
  const unsigned Unit = gpuTarget().VectorBytes;
  unsigned Bytes = 0;
  for (const GlobalVariable *G : All)
    Bytes += alignTo(DL.getTypeAllocSize(G->getValueType()), Unit);
  bool Dynamic = Bytes > gpuTarget().StaticShared;
  DynamicBytes = Dynamic ? Bytes : 0;
  std::string Result;
  if (Dynamic)
    Result = "  extern __shared__ __align__(16) unsigned char "
             "shared_memory[];\n";
  unsigned Offset = 0;
  for (const GlobalVariable *G : All) {
    Type *Ty = G->getValueType();
    StringRef Wish = G->getName();
    Wish.consume_front((StringRef(K.name) + "_").str());
    std::string Name = Text.Scope.take(Wish);
    Text.Text.name(G, Name);
    Type *Row = cast<ArrayType>(Ty)->getElementType();
    if (!Row->isArrayTy())
      Text.Text.pointsTo(G, Row);
    std::string Declaration = declarationText(Ty, Name);
    if (Declaration.empty())
      Text.Text.Problem = "shared memory has elements of a type that the text "
                          "has no word for";
    if (!Dynamic) {
      Result += "  __shared__ __align__(16) " + Declaration + ";\n";
      continue;
    }
    std::string Pointer = declarationText(Row, "(*" + Name + ")"),
                Cast = declarationText(Row, "(*)");
    Result += "  " + Pointer + " = (" + Cast + ")(shared_memory + " +
              std::to_string(Offset) + ");\n";
    Offset += alignTo(DL.getTypeAllocSize(Ty), Unit);
  }
  return Result;
}

/// An asynchronous copy, of which some bytes are zero instead.
std::string KernelPrinter::copy(const CallInst &Call) {
  const Value *Size = Call.getArgOperand(2), *Valid = Call.getArgOperand(3);
  std::string Bytes = Text.Text.text(Size), Zero;
  const auto *Select = dyn_cast<SelectInst>(Valid);
  if (Select && !Text.Text.isNamed(Select) && Select->getTrueValue() == Size &&
      isa<ConstantInt>(Select->getFalseValue()) &&
      cast<ConstantInt>(Select->getFalseValue())->isZero())
    Zero = ", " + Text.Text.text(Select->getCondition(), Values::Or) +
           " ? 0 : " + Bytes;
  else if (Valid != Size)
    Zero = ", " + Bytes + " - " + Text.Text.text(Valid, Values::Multiply);
  return "__pipeline_memcpy_async(" + Text.Text.address(Call.getArgOperand(0)) +
         ", " + Text.Text.address(Call.getArgOperand(1)) + ", " + Bytes + Zero +
         ");";
}

/// The statement of a call of the device module.
std::string KernelPrinter::call(const CallInst &Call) {
  StringRef Name = Call.getCalledFunction()->getName();
  if (Name == BarrierName)
    return "__syncthreads();";
  if (Name == CopyName)
    return copy(Call);
  if (Name == CommitName)
    return "__pipeline_commit();";
  if (Name == WaitName)
    return "__pipeline_wait_prior(" + Text.Text.text(Call.getArgOperand(0)) +
           ");";
  return "";
}

KernelSource KernelPrinter::run(const std::string &Name) {
  KernelSource Result;
  Result.Name = Name;
  const unsigned *Block = K.mapping->block;
  std::string Bounds = std::to_string(Block[0] * Block[1] * Block[2]);
  if (K.mapping->min_blocks)
    Bounds += ", " + std::to_string(K.mapping->min_blocks);
  std::string Line =
      "extern \"C\" __global__ void __launch_bounds__(" + Bounds + ")\n";
  std::string Head = Name + "(";
  const std::string Indent(Head.size(), ' ');
  for (unsigned I = 0; I < F.arg_size(); ++I) {
    std::string Next = parameter(I) + (I + 1 < F.arg_size() ? "," : ")");
    if (Head.size() + 1 + Next.size() > 80 && I) {
      Line += Head + "\n";
      Head = Indent + Next;
    } else {
      Head += (I ? " " : "") + Next;
    }
  }
  if (F.arg_empty())
    Head += ")";
  Line += Head + "\n{\n" + shared(Result.DynamicBytes);
  std::string Body =
      Text.run([this](const CallInst &Call) { return call(Call); });
  Result.Problem = Text.Text.Problem;
  Result.Text = Line + Body + "}\n";
  return Result;
}

} // namespace

KernelSource kernelSource(Function &F, const pg_plan &Plan, const pg_kernel &K,
                          ArrayRef<KernelArg> Args,
                          ArrayRef<Type *> ElementTypes,
                          const std::string &Name) {
  return KernelPrinter(F, Plan, K, Args, ElementTypes).run(Name);
}

} // namespace polygpu
