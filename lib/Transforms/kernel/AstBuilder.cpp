//===- AstBuilder.cpp - From isl's AST to LLVM IR -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kernel/AstBuilder.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Function.h"
#include <isl/val.h>

using namespace llvm;

namespace polygpu {

Value *AstBuilder::fail() {
  Failed = true;
  return PoisonValue::get(IndexType);
}

const pg_user *AstBuilder::userOf(isl_ast_node *Node) {
  isl_id *Id = isl_ast_node_get_annotation(Node);
  const auto *User =
      Id ? static_cast<const pg_user *>(isl_id_get_user(Id)) : nullptr;
  isl_id_free(Id);
  return User;
}

std::string AstBuilder::takeName(isl_id *Id) {
  const char *Name = isl_id_get_name(Id);
  std::string Result = Name ? Name : "";
  isl_id_free(Id);
  return Result;
}

/// The identifier of the iterator of a for node.
static isl_id *iteratorOf(isl_ast_node *Node) {
  isl_ast_expr *Iterator = isl_ast_node_for_get_iterator(Node);
  isl_id *Id = isl_ast_expr_get_id(Iterator);
  isl_ast_expr_free(Iterator);
  return Id;
}

std::string AstBuilder::iteratorName(isl_ast_node *Node) {
  return takeName(iteratorOf(Node));
}

bool AstBuilder::mentions(isl_ast_expr *Expr, StringRef Name) {
  if (isl_ast_expr_get_type(Expr) == isl_ast_expr_id)
    return Name == takeName(isl_ast_expr_get_id(Expr));
  if (isl_ast_expr_get_type(Expr) != isl_ast_expr_op)
    return isl_ast_expr_get_type(Expr) != isl_ast_expr_int;
  isl_size N = isl_ast_expr_op_get_n_arg(Expr);
  bool Found = N < 0;
  for (int I = 0; I < N && !Found; ++I) {
    isl_ast_expr *Arg = isl_ast_expr_op_get_arg(Expr, I);
    Found = mentions(Arg, Name);
    isl_ast_expr_free(Arg);
  }
  return Found;
}

bool AstBuilder::isVariable(isl_ast_expr *Expr, StringRef Name) {
  return isl_ast_expr_get_type(Expr) == isl_ast_expr_id &&
         Name == takeName(isl_ast_expr_get_id(Expr));
}

isl_ast_expr *AstBuilder::boundOf(isl_ast_expr *Cond, StringRef Name,
                                  bool &Strict) {
  if (isl_ast_expr_get_type(Cond) != isl_ast_expr_op)
    return nullptr;
  isl_ast_expr_op_type Type = isl_ast_expr_op_get_type(Cond);
  if (Type != isl_ast_expr_op_le && Type != isl_ast_expr_op_lt)
    return nullptr;
  isl_ast_expr *Left = isl_ast_expr_op_get_arg(Cond, 0);
  bool Plain = isVariable(Left, Name);
  isl_ast_expr_free(Left);
  Strict = Type == isl_ast_expr_op_lt;
  return Plain ? isl_ast_expr_op_get_arg(Cond, 1) : nullptr;
}

void AstBuilder::node(isl_ast_node *Node) {
  if (Failed)
    return;
  switch (isl_ast_node_get_type(Node)) {
  case isl_ast_node_for:
    if (!specialFor(Node))
      forNode(Node);
    break;
  case isl_ast_node_if:
    if (!specialBlock(Node))
      ifNode(Node);
    break;
  case isl_ast_node_block: {
    if (specialBlock(Node))
      break;
    isl_ast_node_list *List = isl_ast_node_block_get_children(Node);
    isl_size N = isl_ast_node_list_size(List);
    if (N < 0)
      fail();
    for (int I = 0; I < N; ++I) {
      isl_ast_node *Child = isl_ast_node_list_get_at(List, I);
      node(Child);
      isl_ast_node_free(Child);
    }
    isl_ast_node_list_free(List);
    break;
  }
  case isl_ast_node_mark:
    markNode(Node);
    break;
  case isl_ast_node_user:
    if (const pg_user *User = userOf(Node))
      user(*User);
    else
      fail();
    break;
  default:
    fail();
  }
}

/// Start a new block behind the current position; instructions that follow
/// the position move along.
BasicBlock *AstBuilder::split(const char *Name) {
  BasicBlock *Current = B.GetInsertBlock();
  if (B.GetInsertPoint() != Current->end()) {
    BasicBlock *Rest = Current->splitBasicBlock(B.GetInsertPoint(), Name);
    Current->getTerminator()->eraseFromParent();
    B.SetInsertPoint(Current);
    return Rest;
  }
  return BasicBlock::Create(B.getContext(), Name, Current->getParent(),
                            Current->getNextNode());
}

static void continueAt(IRBuilder<> &B, BasicBlock *Block) {
  B.SetInsertPoint(Block, Block->begin());
}

void AstBuilder::markNode(isl_ast_node *Node) {
  isl_ast_node *Child = isl_ast_node_mark_get_node(Node);
  isl_id *Id = isl_ast_node_mark_get_id(Node);
  StringRef Name = isl_id_get_name(Id);
  if (Name == PG_MARK_UNROLL) {
    const pg_unroll *Outer = Unroll;
    Unroll = static_cast<const pg_unroll *>(isl_id_get_user(Id));
    node(Child);
    endPoints();
    Unroll = Outer;
  } else {
    marked(Name, Child);
  }
  isl_id_free(Id);
  isl_ast_node_free(Child);
}

void markLoop(BranchInst *Back, const char *Property) {
  LLVMContext &Ctx = Back->getContext();
  MDNode *Keep = MDNode::get(Ctx, MDString::get(Ctx, Property));
  MDNode *Loop = MDNode::getDistinct(Ctx, {nullptr, Keep});
  Loop->replaceOperandWith(0, Loop);
  Back->setMetadata(LLVMContext::MD_loop, Loop);
}

void setPrintedName(Instruction *I, StringRef Name) {
  LLVMContext &Ctx = I->getContext();
  I->setMetadata(PrintedName, MDNode::get(Ctx, MDString::get(Ctx, Name)));
}

void AstBuilder::strideLoop(const char *Name, Value *First, unsigned End,
                            unsigned Step, function_ref<void(Value *)> Body) {
  BasicBlock *Before = B.GetInsertBlock();
  BasicBlock *After = split("stride.end");
  Function *F = Before->getParent();
  BasicBlock *Header = BasicBlock::Create(B.getContext(), "stride", F, After);
  BasicBlock *Inside =
      BasicBlock::Create(B.getContext(), "stride.body", F, After);
  B.CreateBr(Header);
  B.SetInsertPoint(Header);
  PHINode *Phi = B.CreatePHI(B.getInt32Ty(), 2);
  setPrintedName(Phi, Name);
  Phi->addIncoming(First, Before);
  B.CreateCondBr(B.CreateICmpSLT(Phi, B.getInt32(End)), Inside, After);
  B.SetInsertPoint(Inside);
  Body(Phi);
  Phi->addIncoming(B.CreateNSWAdd(Phi, B.getInt32(Step)), B.GetInsertBlock());
  B.CreateBr(Header);
  continueAt(B, After);
}

void AstBuilder::countedLoop(Value *Count,
                             function_ref<void(Value *Counter)> Body) {
  BasicBlock *Before = B.GetInsertBlock();
  BasicBlock *After = split("strips.end");
  BasicBlock *Inside =
      BasicBlock::Create(B.getContext(), "strip", Before->getParent(), After);
  B.CreateBr(Inside);
  B.SetInsertPoint(Inside);
  PHINode *Counter = B.CreatePHI(IndexType, 2);
  Counter->addIncoming(ConstantInt::get(IndexType, 0), Before);
  Body(Counter);
  Value *Next =
      B.CreateAdd(Counter, ConstantInt::get(IndexType, 1), "", true, true);
  Counter->addIncoming(Next, B.GetInsertBlock());
  BranchInst *Back = B.CreateCondBr(B.CreateICmpEQ(Next, Count), After, Inside);
  markLoop(Back, "llvm.loop.unroll.disable");
  continueAt(B, After);
}

/// A loop of many steps from 0 on, all of which are known to be taken: a loop
/// over strips, which are unrolled; false if it is no such loop.
bool AstBuilder::strips(isl_ast_node *Node, StringRef Name, Value *Init,
                        unsigned Unrolled) {
  auto *First = dyn_cast<ConstantInt>(Init);
  unsigned Extent = Unroll->extent[Unrolled];
  if (!Unroll->steps || Unrolled != 0 || Extent <= StripSteps ||
      Extent % StripSteps || !First || !First->isZero())
    return false;
  isl_ast_expr *Cond = isl_ast_node_for_get_cond(Node);
  isl_ast_expr *Inc = isl_ast_node_for_get_inc(Node);
  define(Name, ConstantInt::getSigned(IndexType, Extent - 1));
  auto *Last = dyn_cast<ConstantInt>(toBool(expr(Cond)));
  auto *Step = dyn_cast<ConstantInt>(toIndex(expr(Inc)));
  isl_ast_expr_free(Inc);
  isl_ast_expr_free(Cond);
  if (!Last || Last->isZero() || !Step || !Step->isOne())
    return false;
  isl_ast_node *Body = isl_ast_node_for_get_body(Node);
  countedLoop(Extent / StripSteps, [&](Value *Strip) {
    Value *Start =
        B.CreateNSWMul(Strip, ConstantInt::get(IndexType, StripSteps));
    for (unsigned V = 0; V < StripSteps && !Failed; ++V) {
      define(Name, B.CreateNSWAdd(Start, ConstantInt::get(IndexType, V)));
      node(Body);
    }
  });
  isl_ast_node_free(Body);
  return true;
}

/// i1: \p Number is one of \p Init, \p Init + \p Step, and so on.
Value *AstBuilder::isIteration(Value *Number, Value *Init, ConstantInt *Step) {
  Value *Behind = B.CreateICmpSLE(Init, Number);
  if (Step->isOne())
    return Behind;
  Value *Rest = B.CreateSRem(B.CreateSub(Number, Init), Step);
  return B.CreateAnd(Behind, B.CreateIsNull(Rest));
}

/// A loop below a mark: its body once for each value, under a condition where
/// it is not known that the loop has it.
void AstBuilder::unrolledFor(isl_ast_node *Node, StringRef Name, Value *Init,
                             unsigned Unrolled) {
  if (strips(Node, Name, Init, Unrolled))
    return;
  isl_ast_node *Body = isl_ast_node_for_get_body(Node);
  isl_ast_expr *Cond = isl_ast_node_for_get_cond(Node);
  isl_ast_expr *Inc = isl_ast_node_for_get_inc(Node);
  auto *Step = dyn_cast<ConstantInt>(toIndex(expr(Inc)));
  auto *First = dyn_cast<ConstantInt>(Init);
  isl_ast_expr *Start = isl_ast_node_for_get_init(Node);
  int64_t V = First ? First->getSExtValue() : pg_unrolled_first(Start);
  isl_ast_expr_free(Start);
  if (!Step || !Step->getValue().isStrictlyPositive())
    fail();
  int64_t By = First && !Failed ? Step->getSExtValue() : 1;
  bool OverPoints = Unroll->apart && !(Unroll->steps && Unrolled == 0);
  unsigned Unrolling = Unrollings++;
  for (; !Failed && V < Unroll->extent[Unrolled]; V += By) {
    Value *Number = ConstantInt::getSigned(IndexType, V);
    define(Name, Number);
    if (OverPoints)
      Path.push_back({Unrolling, V});
    scope_exit Leave([&] { Path.truncate(Path.size() - OverPoints); });
    Value *Test = toBool(expr(Cond));
    if (!First)
      Test = B.CreateAnd(isIteration(Number, Init, Step), Test);
    if (auto *Known = dyn_cast<ConstantInt>(Test)) {
      if (Known->isZero())
        continue;
      node(Body);
      continue;
    }
    branch(condition(Test), [&] { node(Body); });
  }
  isl_ast_expr_free(Inc);
  isl_ast_expr_free(Cond);
  isl_ast_node_free(Body);
}

void AstBuilder::forNode(isl_ast_node *Node) {
  isl_id *Id = iteratorOf(Node);
  int Unrolled = pg_unrolled_loop(Unroll, Id);
  bool OverTiles = isTileLoop(pg_loop_depth(Id));
  std::string Name = takeName(Id);
  if (Name.empty()) {
    fail();
    return;
  }
  isl_ast_expr *Expr = isl_ast_node_for_get_init(Node);
  Value *Init = toIndex(expr(Expr));
  isl_ast_expr_free(Expr);
  isl_ast_node *Body = isl_ast_node_for_get_body(Node);
  isl_bool Degenerate = isl_ast_node_for_is_degenerate(Node);
  if (Degenerate != isl_bool_false) {
    if (Degenerate == isl_bool_error)
      fail();
    define(Name, Init);
    node(Body);
    isl_ast_node_free(Body);
    return;
  }
  bool IsUnrolled =
      Unrolled > 0 || (Unrolled == 0 && !(KeepSteps && Unroll->steps));
  if (IsUnrolled && !Readable) {
    isl_ast_node_free(Body);
    return unrolledFor(Node, Name, Init, Unrolled);
  }

  BasicBlock *Before = B.GetInsertBlock();
  BasicBlock *After = split("for.end");
  Function *F = Before->getParent();
  BasicBlock *Header =
      BasicBlock::Create(B.getContext(), "for." + Name, F, After);
  BasicBlock *Inside = BasicBlock::Create(B.getContext(), "for.body", F, After);
  B.CreateBr(Header);
  B.SetInsertPoint(Header);
  PHINode *Phi = B.CreatePHI(IndexType, 2, Name);
  Phi->addIncoming(Init, Before);
  if (Readable)
    setPrintedName(Phi, Name);
  define(Name, Phi);
  Expr = isl_ast_node_for_get_cond(Node);
  B.CreateCondBr(toBool(expr(Expr)), Inside, After);
  isl_ast_expr_free(Expr);

  B.SetInsertPoint(Inside);
  if (OverTiles)
    define(Name, hideOrigin(Phi));
  node(Body);
  isl_ast_node_free(Body);
  Expr = isl_ast_node_for_get_inc(Node);
  Value *Next = B.CreateNSWAdd(Phi, toIndex(expr(Expr)), Name + ".next");
  isl_ast_expr_free(Expr);
  Phi->addIncoming(Next, B.GetInsertBlock());
  BranchInst *Back = B.CreateBr(Header);
  if (Readable && IsUnrolled)
    markLoop(Back, UnrolledLoop);
  if (OverTiles)
    markLoop(Back, "llvm.licm.disable");
  continueAt(B, After);
}

void AstBuilder::ifNode(isl_ast_node *Node) {
  isl_ast_expr *Cond = isl_ast_node_if_get_cond(Node);
  Value *Test = condition(toBool(expr(Cond)));
  isl_ast_expr_free(Cond);
  auto Child = [this](isl_ast_node *Node) {
    node(Node);
    isl_ast_node_free(Node);
  };
  auto Then = [&] { Child(isl_ast_node_if_get_then_node(Node)); };
  isl_bool HasElse = isl_ast_node_if_has_else_node(Node);
  auto *Known = Readable ? dyn_cast<ConstantInt>(Test) : nullptr;
  if (HasElse == isl_bool_error)
    fail();
  else if (Known && Known->isOne())
    Then();
  else if (Known && HasElse == isl_bool_true)
    Child(isl_ast_node_if_get_else_node(Node));
  else if (Known)
    return;
  else if (HasElse == isl_bool_true)
    branch(Test, Then, [&] { Child(isl_ast_node_if_get_else_node(Node)); });
  else
    branch(Test, Then);
}

Value *AstBuilder::allOf(ArrayRef<isl_ast_expr *> Guards) {
  Value *All = B.getTrue();
  for (isl_ast_expr *Guard : Guards)
    All = B.CreateLogicalAnd(All, toBool(expr(Guard)));
  return All;
}

void AstBuilder::branch(Value *Test, function_ref<void()> Then,
                        function_ref<void()> Else) {
  BasicBlock *Before = B.GetInsertBlock();
  BasicBlock *After = split("guard.end");
  Function *F = Before->getParent();
  BasicBlock *Yes = BasicBlock::Create(B.getContext(), "guard", F, After);
  BasicBlock *No =
      Else ? BasicBlock::Create(B.getContext(), "else", F, After) : After;
  B.CreateCondBr(Test, Yes, No);
  B.SetInsertPoint(Yes);
  Then();
  B.CreateBr(After);
  if (Else) {
    B.SetInsertPoint(No);
    Else();
    B.CreateBr(After);
  }
  continueAt(B, After);
}

void AstBuilder::guarded(isl_ast_expr *Expr, function_ref<void()> Body) {
  if (!Expr)
    return Body();
  branch(condition(toBool(expr(Expr))), Body);
}

Value *AstBuilder::toBool(Value *V) {
  if (V->getType()->isIntegerTy(1))
    return V;
  return B.CreateICmpNE(V, ConstantInt::get(V->getType(), 0));
}

Value *AstBuilder::toIndex(Value *V) {
  return V->getType() == IndexType ? V : B.CreateZExt(V, IndexType);
}

Value *AstBuilder::expr(isl_ast_expr *Expr) {
  switch (isl_ast_expr_get_type(Expr)) {
  case isl_ast_expr_int: {
    isl_val *V = isl_ast_expr_get_val(Expr);
    isl_val *Limit = isl_val_int_from_ui(isl_ast_expr_get_ctx(Expr),
                                         1ul << (IndexType->getBitWidth() - 1));
    isl_val *Magnitude = isl_val_abs(isl_val_copy(V));
    bool Fits = isl_val_lt(Magnitude, Limit) == isl_bool_true;
    isl_val_free(Magnitude);
    Value *Result =
        Fits ? ConstantInt::getSigned(IndexType, isl_val_get_num_si(V))
             : fail();
    isl_val_free(Limit);
    isl_val_free(V);
    return Result;
  }
  case isl_ast_expr_id: {
    std::string Name = takeName(isl_ast_expr_get_id(Expr));
    auto It = Variables.find(Name);
    return It != Variables.end() ? It->second : unknownVariable(Name);
  }
  case isl_ast_expr_op:
    return operation(Expr);
  default:
    return fail();
  }
}

Value *AstBuilder::floorDivide(Value *L, Value *R) {
  auto *Divisor = dyn_cast<ConstantInt>(R);
  if (!Divisor || !Divisor->getValue().isStrictlyPositive())
    return fail();
  if (Divisor->getValue().isPowerOf2())
    return B.CreateAShr(L, Divisor->getValue().exactLogBase2());
  // Round towards minus infinity: subtract d - 1 from negative numerators.
  Value *Shifted =
      B.CreateNSWSub(L, ConstantInt::get(IndexType, Divisor->getValue() - 1));
  Value *Negative = B.CreateICmpSLT(L, ConstantInt::get(IndexType, 0));
  return B.CreateSDiv(B.CreateSelect(Negative, Shifted, L), R);
}

Value *AstBuilder::operation(isl_ast_expr *Expr) {
  isl_ast_expr_op_type Type = isl_ast_expr_op_get_type(Expr);
  SmallVector<Value *, 4> Args;
  isl_size N = isl_ast_expr_op_get_n_arg(Expr);
  if (N <= 0)
    return fail();
  for (int I = 0; I < N; ++I) {
    isl_ast_expr *Arg = isl_ast_expr_op_get_arg(Expr, I);
    Args.push_back(expr(Arg));
    isl_ast_expr_free(Arg);
  }
  auto Index = [&](unsigned I) { return toIndex(Args[I]); };
  auto Fold = [&](auto Combine) {
    Value *Result = Args[0];
    for (unsigned I = 1; I < Args.size(); ++I)
      Result = Combine(Result, Args[I]);
    return Result;
  };
  switch (Type) {
  // The right side may divide what only the left side makes divisible: it
  // must not count, not even as poison, when the left side decides.
  case isl_ast_expr_op_and:
  case isl_ast_expr_op_and_then:
    return Fold([&](Value *L, Value *R) {
      return B.CreateLogicalAnd(toBool(L), toBool(R));
    });
  case isl_ast_expr_op_or:
  case isl_ast_expr_op_or_else:
    return Fold([&](Value *L, Value *R) {
      return B.CreateLogicalOr(toBool(L), toBool(R));
    });
  case isl_ast_expr_op_max:
    return Fold([&](Value *L, Value *R) {
      return B.CreateBinaryIntrinsic(Intrinsic::smax, toIndex(L), toIndex(R));
    });
  case isl_ast_expr_op_min:
    return Fold([&](Value *L, Value *R) {
      return B.CreateBinaryIntrinsic(Intrinsic::smin, toIndex(L), toIndex(R));
    });
  case isl_ast_expr_op_minus:
    return B.CreateNSWNeg(Index(0));
  case isl_ast_expr_op_add:
    return B.CreateNSWAdd(Index(0), Index(1));
  case isl_ast_expr_op_sub:
    return B.CreateNSWSub(Index(0), Index(1));
  case isl_ast_expr_op_mul:
    return B.CreateNSWMul(Index(0), Index(1));
  // Said to be exact, but isl's bounds of loops that run for some parameters
  // only divide the others as well: N / 10 where N has to be a multiple.
  case isl_ast_expr_op_div:
    return floorDivide(Index(0), Index(1));
  // Of what is not negative.
  case isl_ast_expr_op_pdiv_q:
    return Readable ? B.CreateSDiv(Index(0), Index(1))
                    : B.CreateUDiv(Index(0), Index(1));
  case isl_ast_expr_op_pdiv_r:
    return Readable ? B.CreateSRem(Index(0), Index(1))
                    : B.CreateURem(Index(0), Index(1));
  case isl_ast_expr_op_zdiv_r:
    return B.CreateSRem(Index(0), Index(1));
  case isl_ast_expr_op_fdiv_q:
    return floorDivide(Index(0), Index(1));
  case isl_ast_expr_op_cond:
  case isl_ast_expr_op_select:
    return B.CreateSelect(toBool(Args[0]), Index(1), Index(2));
  case isl_ast_expr_op_eq:
    return B.CreateICmpEQ(Index(0), Index(1));
  case isl_ast_expr_op_le:
    return B.CreateICmpSLE(Index(0), Index(1));
  case isl_ast_expr_op_lt:
    return B.CreateICmpSLT(Index(0), Index(1));
  case isl_ast_expr_op_ge:
    return B.CreateICmpSGE(Index(0), Index(1));
  case isl_ast_expr_op_gt:
    return B.CreateICmpSGT(Index(0), Index(1));
  default:
    return fail();
  }
}

} // namespace polygpu
