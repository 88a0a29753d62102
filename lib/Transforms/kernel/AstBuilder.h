//===- AstBuilder.h - From isl's AST to LLVM IR ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Turns the loops, conditions and expressions of an isl AST into IR.  What
// host and device have in common; the two differ in the width of the index
// type, in where variables come from and in what user nodes mean.
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_ASTBUILDER_H
#define POLYGPU_ASTBUILDER_H

#include "kernel/EarlyLoads.h"
#include "polygpu/polyhedral.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/IRBuilder.h"

namespace polygpu {

class AstBuilder {
public:
  /// Arithmetic is done in \p IndexType, and never overflows: the core's
  /// pg_plan.param_limit says for which parameters, and the run-time check
  /// sees to it.
  AstBuilder(llvm::IRBuilder<> &B, llvm::IntegerType *IndexType)
      : B(B), IndexType(IndexType) {}
  virtual ~AstBuilder() = default;

  /// Generate \p Node at the builder's position, which is at the end of a
  /// block without terminator, or before one; it ends up behind the node.
  void node(__isl_keep isl_ast_node *Node);

  /// Value of \p Expr: i1 for conditions, else IndexType.
  llvm::Value *expr(__isl_keep isl_ast_expr *Expr);

  void define(llvm::StringRef Name, llvm::Value *V) { Variables[Name] = V; }

  /// True after something was met that cannot be expressed.
  bool failed() const { return Failed; }

  /// Generate \p Then where \p Test holds and \p Else where it does not.
  void branch(llvm::Value *Test, llvm::function_ref<void()> Then,
              llvm::function_ref<void()> Else = nullptr);

  /// Generate a loop that is not unrolled, of \p Body, which defines what
  /// depends on the counter, an IndexType from 0 to less than \p Count.
  void countedLoop(unsigned Count,
                   llvm::function_ref<void(llvm::Value *Counter)> Body) {
    countedLoop(llvm::ConstantInt::get(IndexType, Count), Body);
  }
  /// The same; \p Count is positive.
  void countedLoop(llvm::Value *Count,
                   llvm::function_ref<void(llvm::Value *Counter)> Body);

  /// What is tested where the AST tests \p Test.
  virtual llvm::Value *condition(llvm::Value *Test) { return Test; }

  llvm::Value *toBool(llvm::Value *V);
  /// Do all of \p Guards hold, i1?  Each means nothing where one before it does
  /// not.
  llvm::Value *allOf(llvm::ArrayRef<isl_ast_expr *> Guards);
  llvm::Value *toIndex(llvm::Value *V);

  /// Something was met that cannot be expressed; poison.
  llvm::Value *fail();

  /// Generate a loop of \p Body, which gets numbers, i32, from \p First on, as
  /// long as they are less than \p End; each is \p Step more than the one
  /// before.
  void strideLoop(const char *Name, llvm::Value *First, unsigned End,
                  unsigned Step, llvm::function_ref<void(llvm::Value *)> Body);

  /// Generate what \p Body does under the condition \p Expr; \p Expr may be
  /// null for always.
  void guarded(__isl_keep isl_ast_expr *Expr, llvm::function_ref<void()> Body);

  /// Are sequential loops that may stay not to be unrolled?
  void keepSteps(bool Keep) { KeepSteps = Keep; }

  /// \p V, of which no pass knows any more that it counts.
  virtual llvm::Value *hideOrigin(llvm::Value *V) { return V; }

  /// The annotation of a user node, or null.
  static const pg_user *userOf(__isl_keep isl_ast_node *Node);

  /// The name of the iterator of a for node; empty if isl has failed.
  static std::string iteratorName(__isl_keep isl_ast_node *Node);

  /// May the value of \p Expr depend on the variable \p Name?
  static bool mentions(__isl_keep isl_ast_expr *Expr, llvm::StringRef Name);

  /// Is \p Expr the variable \p Name?
  static bool isVariable(__isl_keep isl_ast_expr *Expr, llvm::StringRef Name);

  /// E if \p Cond is Name <= E, or Name < E, which is \p Strict; else null.
  static __isl_give isl_ast_expr *boundOf(__isl_keep isl_ast_expr *Cond,
                                          llvm::StringRef Name, bool &Strict);

protected:
  llvm::IRBuilder<> &B;
  llvm::IntegerType *IndexType;
  /// The IR is to be printed for people (folder cuda): loops stay loops, and
  /// say what their counters are called.
  bool Readable = false;

  /// A user node; \p User is its annotation.
  virtual void user(const pg_user &User) = 0;
  /// The value of a variable that no loop defines.
  virtual llvm::Value *unknownVariable(llvm::StringRef Name) = 0;
  /// Called instead of node() on for nodes; returns true if it was handled.
  virtual bool specialFor(__isl_keep isl_ast_node *) { return false; }
  /// The same for a list of nodes, or a condition.
  virtual bool specialBlock(__isl_keep isl_ast_node *) { return false; }
  /// Called with the loop or block below a mark of the core other than
  /// PG_MARK_UNROLL.
  virtual void marked(llvm::StringRef, __isl_keep isl_ast_node *Node) {
    node(Node);
  }

  /// Is the loop at \p Depth one that hardly ever has a second iteration?  What
  /// does not change in it is computed where it is needed then, and what does
  /// is not computed from iteration to iteration, so as not to take registers
  /// from the loops inside.
  virtual bool isTileLoop(int) const { return false; }
  /// Called behind the points of a thread below a PG_MARK_UNROLL.
  virtual void endPoints() {}
  /// Where the current node is in unrolled loops over points that are
  /// pg_unroll::apart; empty where it is in none.
  const UnrolledPath &path() const { return Path; }
  /// The name of \p Id; empty if isl has failed.
  static std::string takeName(__isl_take isl_id *Id);

private:
  /// A thread unrolls that many steps of a sequential loop, and no more.
  static constexpr unsigned StripSteps = 16;

  llvm::StringMap<llvm::Value *> Variables;
  bool Failed = false;
  bool KeepSteps = false;
  const pg_unroll *Unroll = nullptr; ///< of the mark around the current node
  unsigned Unrollings = 0;           ///< until now
  UnrolledPath Path;                 ///< of loops over points

  void forNode(__isl_keep isl_ast_node *Node);
  bool strips(isl_ast_node *Node, llvm::StringRef Name, llvm::Value *Init,
              unsigned Unrolled);
  llvm::Value *isIteration(llvm::Value *Number, llvm::Value *Init,
                           llvm::ConstantInt *Step);
  void unrolledFor(__isl_keep isl_ast_node *Node, llvm::StringRef Name,
                   llvm::Value *Init, unsigned Unrolled);
  void markNode(__isl_keep isl_ast_node *Node);
  void ifNode(__isl_keep isl_ast_node *Node);
  llvm::Value *operation(__isl_keep isl_ast_expr *Expr);
  llvm::Value *floorDivide(llvm::Value *L, llvm::Value *R);
  llvm::BasicBlock *split(const char *Name);
};

/// Tell LLVM's passes to leave the loop of \p Back as it is in one way.
void markLoop(llvm::BranchInst *Back, const char *Property);

/// Metadata of values: what they are called where they are printed.
inline constexpr const char *PrintedName = "polygpu.name";
/// Property of loops that are unrolled where they are not printed.
inline constexpr const char *UnrolledLoop = "llvm.loop.unroll.full";
void setPrintedName(llvm::Instruction *I, llvm::StringRef Name);

} // namespace polygpu

#endif
