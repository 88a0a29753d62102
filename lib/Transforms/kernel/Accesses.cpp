//===- Accesses.cpp - Accesses of a statement instance -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kernel/Accesses.h"

using namespace llvm;

namespace polygpu {

SmallVector<Value *, 4> Accesses::subscripts(unsigned Access) {
  SmallVector<Value *, 4> Result;
  for (isl_ast_expr **E = User.access[Access]; *E; ++E)
    Result.push_back(Ast.expr(*E));
  return Result;
}

/// The address of what an access that is not redirected to a buffer accesses.
Value *Accesses::address(unsigned Access) {
  unsigned Array = array(Access);
  if (!C.Plan.is_private[Array])
    return Mem.address(Array, subscripts(Access));
  if (!pg_plan_has_subscripts(&C.Plan, Array))
    return Mem.variable(Array);
  return Mem.variable(Array, subscripts(Access));
}

/// Load an element.  A scalar that is mapped to it may have another type, and
/// has its bits there.
Value *Accesses::load(unsigned Access, Type *Ty) {
  unsigned Array = array(Access);
  int Buffer = buffer(Access);
  Type *Element = Mem.elementType(Array), *Bits = Ty;
  if (Element != Ty)
    Bits = C.B.getIntNTy(8 * C.Plan.scop->arrays[Array].elem_size);
  Value *V = Buffer < 0 ? Mem.load(Array, address(Access), Bits)
                        : Bufs.load(Buffer, subscripts(Access), Bits);
  if (!V) {
    Ast.fail();
    return PoisonValue::get(Ty);
  }
  if (Element == Ty)
    return V;
  return C.B.CreateBitCast(
      C.B.CreateTrunc(V, C.B.getIntNTy(Ty->getScalarSizeInBits())), Ty);
}

void Accesses::store(unsigned Access, Value *V) {
  unsigned Array = array(Access);
  int Buffer = buffer(Access);
  if (Mem.elementType(Array) != V->getType())
    V = C.B.CreateZExt(
        C.B.CreateBitCast(V,
                          C.B.getIntNTy(V->getType()->getScalarSizeInBits())),
        C.B.getIntNTy(8 * C.Plan.scop->arrays[Array].elem_size));
  if (Buffer >= 0) {
    if (!Bufs.store(Buffer, subscripts(Access), V))
      Ast.fail();
    return;
  }
  Mem.store(Array, address(Access), V);
}

void Accesses::mark(unsigned Access, Value *Written) {
  if (!C.Plan.scop->arrays[array(Access)].flagged)
    return;
  if (buffer(Access) >= 0)
    Ast.fail(); // its subscripts are those of the buffer
  else
    Mem.mark(array(Access), subscripts(Access), Written);
}

} // namespace polygpu
