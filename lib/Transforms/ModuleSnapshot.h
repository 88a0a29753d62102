//===- ModuleSnapshot.h - What a module was -------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The passes that run on copies of functions also change what is around them:
// they declare functions, add constants (InstCombine makes puts of printf, with
// a string of its own), infer attributes of declarations and raise alignments.
// Where nothing is offloaded all that is undone.
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_MODULESNAPSHOT_H
#define POLYGPU_MODULESNAPSHOT_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/Attributes.h"
#include "llvm/Support/Alignment.h"
#include <vector>

namespace llvm {
class GlobalValue;
class MDNode;
class Module;
} // namespace llvm

namespace polygpu {

class ModuleSnapshot {
public:
  explicit ModuleSnapshot(llvm::Module &M);

  /// Undo all changes outside of function bodies.  False if that could not be:
  /// something that was there is gone, or something new is still in use.
  bool restore();

  /// Remove what was added and is not used.
  void removeUnused();

private:
  struct Properties {
    llvm::AttributeList Attributes; ///< of functions
    llvm::MaybeAlign Alignment;     ///< of functions and variables
  };

  llvm::Module &M;
  std::vector<llvm::GlobalValue *> Order; ///< as the module lists them
  llvm::DenseMap<llvm::GlobalValue *, Properties> Known;
  llvm::StringMap<std::vector<llvm::MDNode *>> Metadata; ///< with a name
  llvm::StringMap<char> Comdats;

  bool removeUnusedOnce();
  void restoreMetadata();
};

} // namespace polygpu

#endif
