//===- Values.h - Values of a function as expressions of C ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Values that are used once, where nothing is written in between, are printed
// where they are used; all others are variables.
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_CUDA_VALUES_H
#define POLYGPU_CUDA_VALUES_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/IR/Instructions.h"
#include <string>

namespace llvm {
class LoopInfo;
}

namespace polygpu {

class Values {
public:
  /// How strongly operators of C bind; a higher level binds less.
  enum Level {
    Primary,
    Unary,
    Multiply,
    Add,
    Shift,
    Relation,
    Equality,
    BitAnd,
    BitXor,
    BitOr,
    And,
    Or,
    Choice
  };

  Values(llvm::Function &F, const llvm::LoopInfo &LI, bool OnHost);

  void name(const llvm::Value *V, std::string Name) { Names[V] = Name; }
  bool isNamed(const llvm::Value *V) const { return Names.count(V); }
  const std::string &nameOf(const llvm::Value *V) const {
    return Names.find(V)->second;
  }
  /// The C type of what a pointer points to, where that is declared.
  void pointsTo(const llvm::Value *V, llvm::Type *Ty) { Elements[V] = Ty; }

  /// Has nobody any use for \p I?
  bool isUnused(const llvm::Instruction &I) const { return Unused.count(&I); }
  /// Is \p I printed where it is used?
  bool isInline(const llvm::Instruction &I) const { return Inline.count(&I); }

  /// The expression of \p V, of exactly its type, in parentheses if it binds
  /// less than \p Most.
  std::string text(const llvm::Value *V, Level Most = Choice);
  /// The same, which may be an int instead of a long long.
  std::string loose(const llvm::Value *V, Level Most = Choice);
  /// What is at \p Address, a \p Ty.
  std::string element(const llvm::Value *Address, llvm::Type *Ty);
  /// What \p I computes, whether it is a variable or not.
  std::string operation(const llvm::Instruction &I);
  /// The condition that \p Test does not hold.
  std::string negated(const llvm::Value *Test);
  std::string atomicText(const llvm::AtomicRMWInst &I);
  /// A pointer as an expression of a char *.
  std::string address(const llvm::Value *V);

  /// Why the function cannot be printed; empty: it can.
  std::string Problem;

private:
  struct Piece {
    std::string Text;
    Level Binds;
  };

  bool OnHost;
  const llvm::LoopInfo &LI;
  llvm::DenseMap<const llvm::Value *, std::string> Names;
  llvm::DenseMap<const llvm::Value *, llvm::Type *> Elements;
  llvm::DenseSet<const llvm::Instruction *> Inline, Unused;
  /// Where a value that is printed in another one comes to be computed.
  llvm::DenseMap<const llvm::Instruction *, const llvm::Instruction *> Roots;

  bool isShortPart(const llvm::Instruction &I) const;
  void decide(const llvm::Instruction &I);
  void limit(llvm::Function &F);
  bool counts(const llvm::User &U) const;
  const llvm::Use *onlyUse(const llvm::Instruction &I) const;
  const llvm::Instruction *root(const llvm::Use &Use) const;
  bool isUndisturbed(const llvm::Instruction &Load,
                     const llvm::Instruction *Until) const;
  bool mayFuse(const llvm::Instruction &Product) const;

  static std::string enclosed(const std::string &Text, Level Binds, Level Most);
  const llvm::Value *narrow(const llvm::Value *V) const;
  bool isZero(const llvm::Value *V) const;
  Piece piece(const llvm::Value *V);
  Piece operationPiece(const llvm::Instruction &I);
  Piece binary(const llvm::BinaryOperator &I);
  Piece half(const llvm::BinaryOperator &I);
  Piece integer(const llvm::BinaryOperator &I);
  Piece logical(const llvm::Value *L, const char *Sign, const llvm::Value *R,
                Level Binds);
  Piece compare(const llvm::CmpInst &I);
  Piece compareIntegers(const llvm::CmpInst &I,
                        llvm::CmpInst::Predicate Predicate);
  Piece compareFloats(const llvm::FCmpInst &I);
  Piece conversion(const llvm::CastInst &I);
  Piece toHalf(const llvm::CastInst &I);
  Piece bits(const llvm::CastInst &I);
  std::string subscript(const llvm::Value *V, llvm::Type *Ty,
                        const llvm::Value *&Base);
  std::string place(const llvm::Value *V);
  Piece elementOf(const llvm::ExtractElementInst &I);
  Piece vector(const llvm::InsertElementInst &I);
  Piece select(const llvm::SelectInst &I);
  Piece call(const llvm::CallInst &I);
  Piece function(const std::string &Name, const llvm::CallInst &I);
  Piece extreme(const llvm::CallInst &I, bool IsMin, bool IsSigned);
  Piece saturated(const llvm::CallInst &I);
  Piece clamped(const llvm::CallInst &I);
  Piece bitCount(const llvm::CallInst &I);
  Piece moved(const llvm::CallInst &I);
  Piece halfCall(const llvm::CallInst &I);
  std::string narrowAtomic(const llvm::AtomicRMWInst &I);
  Piece fail(const std::string &Why);
  /// A number of half precision as a float, others as they are.
  std::string wide(const llvm::Value *V, Level Most = Choice);
  std::string wrapped(const std::string &Text, const llvm::Type &Ty);
  std::string unsignedText(const llvm::Value *V, Level Most = Unary);
  std::pair<std::string, std::string>
  operands(const llvm::Value *L, const llvm::Value *R, Level Left, Level Right);
};

} // namespace polygpu

#endif
