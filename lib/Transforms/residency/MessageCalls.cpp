//===- MessageCalls.cpp - What calls of MPI access ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "residency/MessageCalls.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace polygpu {

/// A function and what its parameters are: 'b' a buffer that is sent, 'B' one
/// for what is received, 'n' a number of elements, 't' their type, 'i' an int,
/// 'c' the communicator, 's' a status to write.  Each buffer is followed by
/// number and type.
static StringRef parametersOf(StringRef Name) {
  return StringSwitch<StringRef>(Name)
      .Case("MPI_Send", "bntiic")
      .Case("MPI_Recv", "Bntiics")
      .Case("MPI_Sendrecv", "bntiiBntiics")
      .Default("");
}

/// Handles of types and communicators are pointers in Open MPI, and numbers in
/// MPICH and what has its ABI.
static bool hasPrototype(const FunctionType &Function, StringRef Parameters) {
  auto IsInt = [](const Type *T) { return T->isIntegerTy(32); };
  if (Function.isVarArg() || !IsInt(Function.getReturnType()) ||
      Parameters.empty() || Function.getNumParams() != Parameters.size())
    return false;
  const Type *Handle = Function.getParamType(Parameters.find('t'));
  for (auto [T, Letter] : zip(Function.params(), Parameters))
    if (StringRef("tc").contains(Letter)   ? T != Handle
        : StringRef("ni").contains(Letter) ? !IsInt(T)
                                           : !T->isPointerTy())
      return false;
  return Handle->isPointerTy() || IsInt(Handle);
}

/// Bytes of a type of C on the systems that there are libraries of MPI for and
/// that have pointers of 64 bits; 0: not known.
static uint64_t bytesOfName(StringRef Name) {
  return StringSwitch<uint64_t>(Name)
      .Cases({"char", "signed_char", "unsigned_char", "byte", "int8_t",
              "uint8_t", "packed"},
             1)
      .Cases({"short", "unsigned_short", "int16_t", "uint16_t"}, 2)
      .Cases({"int", "unsigned", "float", "int32_t", "uint32_t"}, 4)
      .Cases({"long", "unsigned_long", "long_long_int", "unsigned_long_long",
              "double", "int64_t", "uint64_t", "c_float_complex"},
             8)
      .Case("c_double_complex", 16)
      .Default(0);
}

/// Bytes of an element of a built-in type; 0: it is none, or not known.
static uint64_t bytesOfType(const Value *Type) {
  if (const auto *G = dyn_cast<GlobalVariable>(Type)) {
    StringRef Name = G->getName();
    return G->isDeclaration() && Name.consume_front("ompi_mpi_")
               ? bytesOfName(Name)
               : 0;
  }
  const auto *Number = dyn_cast<ConstantInt>(Type);
  uint64_t Handle = Number ? Number->getZExtValue() : 0;
  return Handle >> 24 == 0x4c ? Handle >> 8 & 0xff : 0;
}

/// MPI_STATUS_IGNORE is 0 in Open MPI and 1 in MPICH.
static bool isIgnored(const Value *Status) {
  if (isa<ConstantPointerNull>(Status))
    return true;
  const auto *E = dyn_cast<ConstantExpr>(Status);
  const auto *Number = E && E->getOpcode() == Instruction::IntToPtr
                           ? dyn_cast<ConstantInt>(E->getOperand(0))
                           : nullptr;
  return Number && Number->getZExtValue() <= 1;
}

static HostAccess ofStatus(Value *Status, bool IsOpenMPI) {
  return {HostAccess::Bytes, Status, nullptr, IsOpenMPI ? 24u : 20u,
          POLYGPU_TOUCH_WRITE};
}

std::optional<SmallVector<HostAccess, 3>>
messageAccesses(const CallBase &Call) {
  const Function *Callee = Call.getCalledFunction();
  StringRef Parameters = Callee ? parametersOf(Callee->getName()) : "";
  if (Parameters.empty() || !Callee->isDeclaration() ||
      Callee->getDataLayout().getPointerSize() != 8 ||
      !hasPrototype(*Callee->getFunctionType(), Parameters))
    return std::nullopt;
  SmallVector<HostAccess, 3> Found;
  for (auto [N, Letter] : enumerate(Parameters)) {
    Value *Arg = Call.getArgOperand(N);
    if (Letter == 's' && !isIgnored(Arg))
      Found.push_back(
          ofStatus(Arg, Call.getArgOperand(N - 1)->getType()->isPointerTy()));
    if (Letter != 'b' && Letter != 'B')
      continue;
    uint64_t Unit = bytesOfType(Call.getArgOperand(N + 2));
    if (!Unit)
      return std::nullopt;
    Found.push_back({HostAccess::Bytes, Arg, Call.getArgOperand(N + 1), 0,
                     Letter == 'b' ? unsigned(POLYGPU_TOUCH_READ)
                                   : unsigned(POLYGPU_TOUCH_WRITE),
                     Unit});
  }
  return Found;
}

} // namespace polygpu
