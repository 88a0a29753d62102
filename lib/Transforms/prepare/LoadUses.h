//===- LoadUses.h - What values that loops load are used for ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_LOADUSES_H
#define POLYGPU_LOADUSES_H

namespace llvm {
class LoadInst;
class Loop;
class Value;
} // namespace llvm

namespace polygpu {

/// What a value of a loop becomes a part of by way of integers and pointers.
struct Uses {
  bool Address = false, Exit = false, Branch = false;
};

/// What \p V is used for in \p L.
Uses usesOf(const llvm::Value &V, const llvm::Loop &L);

/// Is \p Load used for more than data in \p L?
bool isNeeded(const llvm::LoadInst &Load, const llvm::Loop &L);

} // namespace polygpu

#endif
