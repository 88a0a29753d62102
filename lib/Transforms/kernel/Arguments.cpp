//===- Arguments.cpp - Parameters of a kernel ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kernel/Arguments.h"
#include "kernel/CarryLoads.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace polygpu {

/// Element 0 of an array is at least so aligned (runtime/core/transfer.c).
static const Align RuntimeAlign(16);

Value *Arguments::get(KernelArg A, const Twine &Name) {
  for (unsigned I = 0; I < List.size(); ++I) {
    const KernelArg &O = List[I];
    if (O.Kind == A.Kind && O.Index == A.Index && O.Dim == A.Dim &&
        O.Expr == A.Expr && O.V == A.V)
      return Placeholders[I];
  }
  BasicBlock &Entry = C.B.GetInsertBlock()->getParent()->getEntryBlock();
  auto *P =
      new FreezeInst(PoisonValue::get(A.Ty), Name, Entry.getFirstInsertionPt());
  List.push_back(A);
  Placeholders.push_back(P);
  return P;
}

/// What get() is told where a parameter is made.
std::string Arguments::nameOf(const KernelArg &A) const {
  const pg_scop &S = *C.Plan.scop;
  switch (A.Kind) {
  case KernelArg::Array:
    return S.arrays[A.Index].name;
  case KernelArg::Marks:
    return std::string(S.arrays[A.Index].name) + "_marks";
  case KernelArg::Extent:
    return std::string(S.arrays[A.Index].name) + "_size" +
           std::to_string(A.Dim);
  case KernelArg::Param:
    return S.params[A.Index].name;
  case KernelArg::Host:
    return C.K.host[A.Index];
  case KernelArg::Blocks:
    return "blocks";
  case KernelArg::Scev:
    return "invariant";
  case KernelArg::Scalar:
    return A.V->getName().str();
  default: // What grid chains and joined kernels make for themselves.
    break;
  }
  return "";
}

void Arguments::begin(const std::vector<KernelArg> &First) {
  for (const KernelArg &A : First)
    get(A, nameOf(A));
}

/// Are the lengths of rows numbers, if there are any?  Then the alignment of
/// element 0 makes LLVM see vectors in neighbouring loads and stores.  Where
/// they are not it would only get other registers.
static bool hasKnownRows(const pg_array &Array) {
  bool Known = Array.n_dim > 0;
  for (unsigned D = 1; D < Array.n_dim; ++D)
    Known = Known && isl_pw_aff_is_cst(Array.extent[D]) == isl_bool_true;
  return Known;
}

/// Every array has a device buffer of its own.  Where threads read what others
/// write, though, noalias would say that nobody else does: LLVM would keep
/// values across barriers.
void Arguments::describeBuffer(Argument &A, bool IsStored) {
  bool Exchanged = C.K.has_barrier && C.K.mapping->kind != PG_MAPPING_PROMOTED;
  if (!Exchanged || !IsStored)
    A.addAttr(Attribute::NoAlias);
  A.addAttr(
      Attribute::getWithCaptureInfo(C.M.getContext(), CaptureInfo::none()));
}

/// What LLVM may know of a parameter that is \p Array.
void Arguments::describeArray(Argument &A, unsigned Array, bool IsStored) {
  describeBuffer(A, IsStored);
  if (!IsStored)
    A.addAttr(Attribute::ReadOnly);
  if (!C.ForHost && hasKnownRows(C.Plan.scop->arrays[Array]))
    A.addAttr(Attribute::getWithAlignment(C.M.getContext(), RuntimeAlign));
}

void Arguments::finish(Function *Draft, const BitVector &Stored) {
  SmallVector<Type *, 16> Types;
  for (const KernelArg &A : List)
    Types.push_back(A.Ty);
  auto *F = Function::Create(FunctionType::get(C.B.getVoidTy(), Types, false),
                             GlobalValue::ExternalLinkage, "", C.M);
  F->takeName(Draft);
  F->copyAttributesFrom(Draft);
  F->setSubprogram(Draft->getSubprogram());
  Draft->setSubprogram(nullptr);
  F->splice(F->begin(), Draft);
  for (unsigned I = 0; I < List.size(); ++I) {
    Argument *A = F->getArg(I);
    A->takeName(Placeholders[I]);
    Placeholders[I]->replaceAllUsesWith(A);
    Placeholders[I]->eraseFromParent();
    if (List[I].Kind == KernelArg::Extent)
      A->addAttr(Attribute::get(C.M.getContext(), ExtentAttribute));
    if (List[I].Kind == KernelArg::Array)
      describeArray(*A, List[I].Index, Stored.test(List[I].Index));
    if (List[I].Kind == KernelArg::Marks)
      describeBuffer(*A, true);
  }
  Draft->eraseFromParent();
}

} // namespace polygpu
