//===- Products.cpp - Buffers that have products instead of factors ------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kernel/Products.h"
#include "polly/ScopInfo.h"

using namespace llvm;

namespace polygpu {

Products::Products(const KernelContext &C, const Memory &Mem) {
  const pg_plan &Plan = C.Plan;
  const pg_kernel &K = C.K;
  const pg_mapping &Mapping = *K.mapping;
  SmallVector<unsigned, 8> Uses(Mapping.n_buffer);
  SmallVector<polly::ScopStmt *, 8> Statements(Mapping.n_buffer);
  SmallVector<const LoadInst *, 8> Loads(Mapping.n_buffer);
  for (unsigned I = 0; I < Plan.scop->n_stmt; ++I) {
    const pg_stmt &Source = Plan.scop->stmts[I];
    for (unsigned A = 0; A < Source.n_access; ++A) {
      int Buffer = pg_kernel_buffer(&Plan, &K - Plan.kernels, I, A);
      if (Buffer < 0)
        continue;
      ++Uses[Buffer];
      if (Source.kind)
        continue;
      Statements[Buffer] = C.Imported.Stmts[Source.origin];
      Loads[Buffer] = dyn_cast_or_null<LoadInst>(
          C.Imported.Accesses[Source.origin][A]->getAccessInstruction());
    }
  }
  for (unsigned Buffer = 0; Buffer < Mapping.n_buffer; ++Buffer) {
    const LoadInst *Load = Loads[Buffer];
    if (Mapping.kind != PG_MAPPING_PROMOTED ||
        Mapping.buffers[Buffer].kind != PG_BUFFER_SHARED || Uses[Buffer] != 1 ||
        !Load || !Load->hasOneUse() ||
        Load->getType() != Mem.elementType(Mapping.buffers[Buffer].array))
      continue;
    const auto *Product = dyn_cast<BinaryOperator>(Load->user_back());
    if (!Product || Product->getOpcode() != Instruction::FMul ||
        !is_contained(Statements[Buffer]->getInstructions(), Product))
      continue;
    Value *Factor = Product->getOperand(Product->getOperand(0) == Load);
    const auto *Inside = dyn_cast<Instruction>(Factor);
    if ((Inside && C.S.contains(Inside)) || isa<Constant>(Factor))
      continue;
    List[Buffer] = {Product, Factor};
  }
}

} // namespace polygpu
