//===- IndexRanges.h - Where an index may lead to ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The smallest and the largest value of what statements compute from numbers
// that they read, by interval arithmetic in front of the SCoP.
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_INDEXRANGES_H
#define POLYGPU_INDEXRANGES_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/IRBuilder.h"
#include <functional>

namespace llvm {
class PHINode;
class SCEV;
class SCEVAddRecExpr;
class ScalarEvolution;
} // namespace llvm

namespace polly {
class Scop;
}

namespace polygpu {

/// i64, signed.  Both 0 where it is "None" (i1): there is no value.
struct IndexRange {
  llvm::Value *Low, *High, *None;
};

/// Of floating-point numbers, all of them finite.
struct FloatRange {
  llvm::Value *Low, *High;
};

class IndexRanges {
public:
  /// The range of the numbers that an instruction reads, as signed or as
  /// unsigned ones.
  using Reader =
      std::function<IndexRange(const llvm::Instruction &, bool IsSigned)>;

  IndexRanges(llvm::IRBuilder<> &B, polly::Scop &S, Reader Read);

  /// Call \p Use for all that has to be known before of() is asked about \p V:
  /// what does not change in the SCoP.
  void invariants(const llvm::Value &V,
                  llvm::function_ref<void(const llvm::SCEV *)> Found);
  /// What that is, an integer.
  void define(const llvm::SCEV *E, llvm::Value *V) { Invariants[E] = V; }

  /// Where \p Condition does not hold nothing is asked about; null if it always
  /// does.
  void assume(llvm::Value *Condition, bool Holds = true);

  IndexRange of(llvm::Value &V);

  /// i1: did something not fit?
  llvm::Value *overflows() const { return Overflow; }

private:
  llvm::IRBuilder<> &B;
  polly::Scop &S;
  llvm::ScalarEvolution &SE;
  Reader Read;
  llvm::DenseMap<const llvm::SCEV *, llvm::Value *> Invariants;
  llvm::Value *Overflow;
  llvm::DenseMap<const llvm::Value *, IndexRange> Known;
  llvm::SmallVector<std::pair<const llvm::ICmpInst *, bool>, 4> Assumed;

  bool isInvariant(const llvm::SCEV *E) const;
  bool isMerged(const llvm::Instruction &I) const;
  void invariants(const llvm::SCEV *E,
                  llvm::function_ref<void(const llvm::SCEV *)> Found);
  void failIf(llvm::Value *Condition);
  IndexRange constant(int64_t Low, int64_t High);
  IndexRange anything();
  IndexRange exactly(llvm::Value *V);
  bool isFixed(const llvm::Value &V, unsigned Steps) const;
  llvm::Value *inFront(llvm::Value &V);
  llvm::Value *checked(llvm::Intrinsic::ID ID, llvm::Value *L, llvm::Value *R);
  llvm::Value *lesser(llvm::Value *L, llvm::Value *R);
  llvm::Value *larger(llvm::Value *L, llvm::Value *R);
  IndexRange add(const IndexRange &L, const IndexRange &R);
  IndexRange subtract(const IndexRange &L, const IndexRange &R);
  IndexRange multiply(const IndexRange &L, const IndexRange &R);
  IndexRange either(const IndexRange &L, const IndexRange &R);
  IndexRange fit(const IndexRange &R, unsigned Width);
  IndexRange asUnsigned(const IndexRange &R, unsigned Width);
  IndexRange byConstant(const llvm::Instruction &I);
  IndexRange highBits(const llvm::Instruction &I, unsigned Lost);
  IndexRange notNegative(const IndexRange &R);
  IndexRange byNumber(const llvm::Instruction &I);
  IndexRange bits(const llvm::Instruction &I);
  IndexRange absolute(const IndexRange &R);
  IndexRange chosen(const llvm::SelectInst &I);
  IndexRange within(const IndexRange &R, const llvm::Value &V,
                    const llvm::ICmpInst &Test, bool Holds);
  const llvm::Instruction *readFor(const llvm::Value &V) const;
  IndexRange counter(const llvm::PHINode &Phi);
  IndexRange compute(llvm::Instruction &I);
  FloatRange finite(const FloatRange &R);
  FloatRange corners(llvm::ArrayRef<llvm::Value *> Ends);
  FloatRange number(llvm::Value &V);
  FloatRange unknown(llvm::Type *Ty);
  FloatRange floating(llvm::Instruction &I);
  FloatRange floatingCall(llvm::IntrinsicInst &I);
  IndexRange cut(llvm::Instruction &I);
  IndexRange evolution(const llvm::SCEV *E);
  IndexRange sum(const llvm::SCEVAddRecExpr *E);
  IndexRange common(const IndexRange &R,
                    llvm::function_ref<IndexRange()> Other);
  IndexRange between(const llvm::SCEVAddRecExpr *E, const IndexRange &R);
  void noteStart(const llvm::PHINode &Phi, const llvm::SCEV *E);
  IndexRange counted(llvm::Instruction &I, const IndexRange &R);
};

/// By which number all values of the offset \p V, in 64 bits, differ, as far as
/// products by constants say it, and so does the smallest one of an IndexRange.
/// 0: it is a constant.
uint64_t distanceOf(const llvm::Value &V, unsigned Depth = 8);

} // namespace polygpu

#endif
