//===- Types.cpp - Types of values in kernels ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "scop/Types.h"
#include "target/TargetDescription.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/DerivedTypes.h"

using namespace llvm;

namespace polygpu {

static bool isScalarType(const Type *Ty) {
  if (const auto *Int = dyn_cast<IntegerType>(Ty))
    return Int->getBitWidth() <= 64;
  return Ty->isHalfTy() || Ty->isFloatTy() || Ty->isDoubleTy();
}

bool isKernelType(const Type *Ty) {
  if (const auto *Vec = dyn_cast<FixedVectorType>(Ty))
    return isScalarType(Vec->getElementType()) &&
           Vec->getPrimitiveSizeInBits().getFixedValue() <= 128;
  return isScalarType(Ty);
}

bool isElementType(Type *Ty, const DataLayout &Host) {
  if (!isKernelType(Ty))
    return false;
  DataLayout Device(gpuTarget().DataLayout);
  TypeSize Bits = Host.getTypeSizeInBits(Ty);
  return Bits.getFixedValue() % 8 == 0 &&
         Host.getTypeAllocSizeInBits(Ty) == Bits &&
         Device.getTypeAllocSizeInBits(Ty) == Bits;
}

std::string typeName(const Type *Ty) {
  if (const auto *Vec = dyn_cast<FixedVectorType>(Ty))
    return typeName(Vec->getElementType()) +
           std::to_string(Vec->getNumElements());
  if (Ty->isFloatTy())
    return "float";
  if (Ty->isDoubleTy())
    return "double";
  if (Ty->isHalfTy())
    return "half";
  if (Ty->isIntegerTy(1))
    return "bool";
  if (Ty->isIntegerTy(8))
    return "char";
  if (Ty->isIntegerTy(16))
    return "short";
  if (Ty->isIntegerTy(32))
    return "int";
  if (Ty->isIntegerTy(64))
    return "long";
  if (Ty->isIntegerTy(128))
    return "__int128";
  if (Ty->isIntegerTy())
    return "int" + std::to_string(Ty->getIntegerBitWidth()) + "_t";
  if (Ty->isPointerTy())
    return "pointer";
  if (Ty->isX86_FP80Ty() || Ty->isFP128Ty() || Ty->isPPC_FP128Ty())
    return "long double";
  if (Ty->isBFloatTy())
    return "__bf16";
  std::string Text;
  raw_string_ostream(Text) << *Ty;
  return Text;
}

} // namespace polygpu
