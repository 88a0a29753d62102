//===- MutateScop.cpp - Errors planted in a SCoP --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "verify/MutateScop.h"
#include "polly/ScopInfo.h"
#include "verify/ModelTables.h"
#include "verify/Mutate.h"

using namespace llvm;
using polly::MemoryAccess;

namespace polygpu {

/// Remove a write with its store.
static void removeWrite(polly::ScopStmt &Stmt, MemoryAccess *MA) {
  std::vector<Instruction *> Rest;
  for (Instruction *I : Stmt.getInstructions())
    if (!MA->isOriginalArrayKind() || I != MA->getAccessInstruction())
      Rest.push_back(I);
  Stmt.setInstructions(Rest);
  Stmt.removeSingleMemoryAccess(MA);
}

void plantErrors(polly::Scop &S) {
  for (polly::ScopStmt &Stmt : S) {
    std::string Where =
        S.getFunction().getName().str() + " " + Stmt.getBaseName();
    SmallVector<MemoryAccess *, 8> Accesses(Stmt.begin(), Stmt.end());
    for (MemoryAccess *MA : Accesses) {
      bool HasElements =
          MA->isLatestArrayKind() &&
          MA->getLatestScopArrayInfo()->getNumberOfDimensions() > 0;
      if (HasElements && isMutated(Mutation::Element, Where))
        MA->setNewAccessRelation(nextElement(MA->getLatestAccessRelation()));
      if (MA->isMustWrite() && isMutated(Mutation::Lost, Where))
        removeWrite(Stmt, MA);
    }
  }
}

} // namespace polygpu
