//===- ModuleSnapshot.cpp - What a module was -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ModuleSnapshot.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace polygpu {

/// All that has a name in \p M, kind by kind, in the order of its text.
static std::vector<GlobalValue *> listGlobals(Module &M) {
  std::vector<GlobalValue *> List;
  for (GlobalVariable &G : M.globals())
    List.push_back(&G);
  for (GlobalAlias &G : M.aliases())
    List.push_back(&G);
  for (GlobalIFunc &G : M.ifuncs())
    List.push_back(&G);
  for (Function &G : M)
    List.push_back(&G);
  return List;
}

static std::vector<MDNode *> operandsOf(NamedMDNode &Named) {
  return std::vector<MDNode *>(Named.op_begin(), Named.op_end());
}

ModuleSnapshot::ModuleSnapshot(Module &M) : M(M), Order(listGlobals(M)) {
  for (GlobalValue *G : Order) {
    Properties &P = Known[G];
    if (auto *F = dyn_cast<Function>(G)) {
      P.Attributes = F->getAttributes();
      P.Alignment = F->getAlign();
    } else if (auto *V = dyn_cast<GlobalVariable>(G)) {
      P.Alignment = V->getAlign();
    }
  }
  for (NamedMDNode &Named : M.named_metadata())
    Metadata[Named.getName()] = operandsOf(Named);
  for (const auto &Entry : M.getComdatSymbolTable())
    Comdats[Entry.getKey()] = 0;
}

/// One round: what has lost its last use may have been the last to use another.
bool ModuleSnapshot::removeUnusedOnce() {
  bool Changed = false;
  for (GlobalValue *G : listGlobals(M)) {
    if (Known.count(G) || !(G->isDeclaration() || G->hasLocalLinkage()))
      continue;
    G->removeDeadConstantUsers();
    if (!G->use_empty())
      continue;
    G->eraseFromParent();
    Changed = true;
  }
  return Changed;
}

void ModuleSnapshot::removeUnused() {
  while (removeUnusedOnce())
    ;
  // Cloning functions between modules leaves an empty list of units.
  for (NamedMDNode &Named : make_early_inc_range(M.named_metadata()))
    if (!Metadata.count(Named.getName()) && !Named.getNumOperands())
      Named.eraseFromParent();
  SmallVector<StringRef, 4> Unused;
  for (const auto &Entry : M.getComdatSymbolTable())
    if (!Comdats.count(Entry.getKey()) && Entry.getValue().getUsers().empty())
      Unused.push_back(Entry.getKey());
  for (StringRef Name : Unused)
    M.getComdatSymbolTable().erase(Name);
}

void ModuleSnapshot::restoreMetadata() {
  for (NamedMDNode &Named : make_early_inc_range(M.named_metadata())) {
    auto It = Metadata.find(Named.getName());
    if (It == Metadata.end()) {
      Named.eraseFromParent();
    } else if (It->second != operandsOf(Named)) {
      Named.clearOperands();
      for (MDNode *Node : It->second)
        Named.addOperand(Node);
    }
  }
}

bool ModuleSnapshot::restore() {
  removeUnused();
  restoreMetadata();
  if (listGlobals(M) != Order ||
      M.getComdatSymbolTable().size() != Comdats.size() ||
      M.named_metadata_size() != Metadata.size())
    return false;
  for (GlobalValue *G : Order) {
    const Properties &P = Known.find(G)->second;
    if (auto *F = dyn_cast<Function>(G)) {
      F->setAttributes(P.Attributes);
      F->setAlignment(P.Alignment);
    } else if (auto *V = dyn_cast<GlobalVariable>(G)) {
      V->setAlignment(P.Alignment);
    }
  }
  return true;
}

} // namespace polygpu
