//===- Interpreter.h - The integer part of LLVM IR, executed ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Runs the loops of a region in small, at compile time.  Integers, addresses
/// and conditions are computed as LLVM defines them; what is computed of
/// floating-point values is a hash of operations and operands.
///
/// Values from before the region are leaves: arguments, loads and calls get
/// numbers chosen by a seed, arithmetic on them is computed.  A pointer that
/// is a leaf is an address far from all others.  A load gets what was stored,
/// or a number that is the same whenever that address is read.
///
/// Loops with many iterations are executed at their beginning, their end and
/// some places between: header phis that grew by the same amount in the first
/// iterations are set to what they will be, and the iteration that follows a
/// jump has to confirm them.
///
//===----------------------------------------------------------------------===//

#ifndef POLYGPU_INTERPRETER_H
#define POLYGPU_INTERPRETER_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <optional>

namespace llvm {
class APInt;
class BasicBlock;
class CallBase;
class ConstantRange;
class DataLayout;
class DominatorTree;
class GEPOperator;
class Instruction;
class Loop;
class LoopInfo;
class Operator;
class PHINode;
class Region;
class SCEV;
class SCEVAddRecExpr;
class SCEVNAryExpr;
class ScalarEvolution;
class Type;
class Value;
} // namespace llvm

namespace polygpu {

/// What is known of a value: its bits, a hash that stands for them, or that
/// the program must not use it.
struct Number {
  enum Kind : uint8_t { Exact, Opaque, Poison };
  Kind K = Opaque;
  uint64_t Bits = 0; ///< zero above the width of the type

  static Number exact(uint64_t Bits) { return {Exact, Bits}; }
  static Number opaque(uint64_t Hash) { return {Opaque, Hash}; }
  static Number poison() { return {Poison, 0}; }
  bool isExact() const { return K == Exact; }
};

uint64_t mixHash(uint64_t A, uint64_t B);

/// What is at an address: a value, and its bytes.
using Memory = llvm::DenseMap<uint64_t, std::pair<Number, uint64_t>>;

/// What a load of \p Size bytes gets of \p Cell.
Number readCell(const Memory::mapped_type &Cell, uint64_t Size);

/// From which numbers leaves are chosen.
enum class LeafStyle {
  Small,   ///< 1 to 8
  Tiny,    ///< 0 to 3
  Signed,  ///< -4 to 7
  Mixed,   ///< small, and some up to 50
  Corner,  ///< next to constants that the region compares with
  Extreme, ///< largest and smallest numbers of the type, powers of two
};

/// Told what happens.  False ends the run.
class RunObserver {
public:
  virtual ~RunObserver() = default;
  virtual bool block(const llvm::BasicBlock &BB,
                     const llvm::BasicBlock *From) = 0;
  virtual bool access(const llvm::Instruction &I, uint64_t Address) = 0;
  /// The current iteration of \p L is over, also if the loop is left in it.
  virtual bool iterationEnds(const llvm::Loop &L) = 0;
  /// \p L was left in its current iteration.
  virtual bool leaves(const llvm::Loop &L) = 0;
  /// May data decide the branch at the end of \p BB?
  virtual bool dataMayDecide(const llvm::BasicBlock &BB) = 0;
};

/// Lets the program run.
class SilentObserver final : public RunObserver {
  bool block(const llvm::BasicBlock &, const llvm::BasicBlock *) override {
    return true;
  }
  bool access(const llvm::Instruction &, uint64_t) override { return true; }
  bool iterationEnds(const llvm::Loop &) override { return true; }
  bool leaves(const llvm::Loop &) override { return true; }
  bool dataMayDecide(const llvm::BasicBlock &) override { return false; }
};

enum class RunEnd {
  Done,      ///< the region's exit was reached
  Undefined, ///< no program does that: its behaviour would be undefined
  Unknown,   ///< something cannot be interpreted
  Spent,     ///< too many steps
  Stopped    ///< by the observer
};

class Interpreter {
public:
  Interpreter(const llvm::Region &R, llvm::ScalarEvolution &SE,
              llvm::LoopInfo &LI, const llvm::DominatorTree &DT, uint64_t Seed,
              LeafStyle Style);

  /// A number that corners may be at, like the size of a row.
  void addConstant(uint64_t Number) { Constants.push_back(Number); }

  /// Would the program come to the region with these leaves?  The conditions
  /// in front of it are computed; a condition that is itself a leaf is chosen.
  bool reachesRegion();

  /// The bits of \p E in front of or in the region, as it is now.
  std::optional<uint64_t> scev(const llvm::SCEV *E);
  /// The same as a signed number.
  std::optional<int64_t> signedScev(const llvm::SCEV *E);

  /// The value of \p V: a constant, or computed already, or from before the
  /// region.
  Number value(const llvm::Value *V);
  /// The same if it was computed already.
  std::optional<Number> computed(const llvm::Value *V) const {
    return find(Values, V);
  }

  /// Leave no iteration out, however many there are.
  void executeAll() { MayJump = false; }
  /// What data that goes from iteration to iteration is behind those that are
  /// left out: a hash of what it was and of the iteration, what it was, or
  /// nothing that may be looked at.
  enum class Gap { Hash, Kept, Poison };
  /// Execute so few iterations that several loops inside each other end.
  void executeFew(Gap Data) {
    Few = true;
    AfterGap = Data;
  }
  /// Phis with data of \p L if iterations were left out in front of the current
  /// one, with their values.
  using Carried = llvm::SmallVector<std::pair<const llvm::Value *, Number>, 2>;
  void addBehindGap(const llvm::Loop &L, Carried &Phis);

  /// Execute the region once.  \p Steps instructions are counted down.
  RunEnd run(RunObserver &Observer, unsigned long &Steps);

  /// Iterations of \p L that were completed since it was entered.
  /// Of a loop around the region, a chosen number.
  int64_t iteration(const llvm::Loop *L);
  /// Bytes of the object that begins at \p Address, if that is known.
  std::optional<uint64_t> objectSize(uint64_t Address) const;
  /// Was no iteration left out?
  bool isComplete() const { return !Jumped; }
  /// What is in memory now, of all that was accessed.
  const Memory &memory() const { return Now; }
  /// What was there at first, of all that was read before it was written.
  const Memory &memoryAtFirst() const { return AtFirst; }

  /// What a phi of the region's first block was when the region was entered.
  std::optional<Number> valueAtEntry(const llvm::Value *Phi) const {
    return find(AtEntry, Phi);
  }

  /// After a run: forget what the region computed, so that its operations can
  /// be executed in another order.
  void forgetRegion();
  /// From now on loops are in these iterations, and nothing of the region has a
  /// value but what gets one by define().
  void beginInstance(
      llvm::ArrayRef<std::pair<const llvm::Loop *, int64_t>> Iterations);
  void define(const llvm::Value *V, Number N) { Local[V] = N; }
  /// The result of an operation that neither reads memory nor branches.
  Number compute(const llvm::Operator &I);
  /// Was the value of an instruction of the region asked for that had none?
  bool isMissing() const { return Missing; }

  /// Was anything in front of the region chosen that the program computes? Then
  /// no program need have these numbers together.
  bool hasGuessed() const { return Guessed; }

  /// What could not be interpreted.
  const llvm::Instruction *obstacle() const { return Obstacle; }

private:
  using Table = llvm::DenseMap<const llvm::Value *, Number>;

  /// A loop that is being executed.
  struct ActiveLoop {
    const llvm::Loop *L;
    int64_t Iteration = 0;
    /// Header phis with their first value and growth, after two iterations.
    struct Line {
      const llvm::PHINode *Phi;
      uint64_t First, Step;
    };
    llvm::SmallVector<Line, 4> Lines;
    /// Iterations that are executed in any case, in ascending order; none if
    /// all are.
    llvm::SmallVector<int64_t, 16> Targets;
    bool MayJump = false;
    int64_t BehindGap = -1; ///< the last one behind some that were left out
  };

  const llvm::Region &R;
  llvm::ScalarEvolution &SE;
  llvm::LoopInfo &LI;
  const llvm::DominatorTree &DT;
  const llvm::DataLayout &DL;
  uint64_t Seed;
  LeafStyle Style;
  uint64_t NumLeaves = 0, NumBases = 0, LastPointer = 0;
  unsigned Depth = 0; ///< of recursion in front of the region
  bool Jumped = false, MayJump = true;
  bool Few = false;
  Gap AfterGap = Gap::Hash;
  bool Undefined = false; ///< no program does that
  bool Missing = false;
  bool Guessed = false;
  const llvm::Instruction *Obstacle = nullptr;
  Table Values;
  Table Local;   ///< values of an instance
  Table AtEntry; ///< phis of the first block
  Memory Now, AtFirst;
  llvm::DenseMap<uint64_t, uint64_t> Sizes;          ///< of objects, by address
  llvm::DenseMap<const llvm::Loop *, int64_t> Outer; ///< chosen iterations
  llvm::SmallVector<ActiveLoop, 8> Active;
  llvm::SmallVector<uint64_t, 8> Constants; ///< that corners may be at
  bool Collected = false;                   ///< those of comparisons are there

  static std::optional<Number> find(const Table &In, const llvm::Value *V) {
    auto It = In.find(V);
    return It == In.end() ? std::nullopt : std::optional(It->second);
  }
  Number constant(const llvm::Value *V);
  Number leaf(const llvm::Value *V);
  Number guess(const llvm::Value *V);
  Number before(const llvm::Instruction &I);
  Number choose(unsigned Width, const std::optional<llvm::ConstantRange> &Only,
                uint64_t Hash);
  uint64_t corner(uint64_t Hash);
  uint64_t newAddress(const llvm::Value *Object = nullptr);
  Number loadedPointer(uint64_t Hash);
  bool isActive(const llvm::Loop *L) const;
  bool isAround(const llvm::Loop *L) const;
  void force(const llvm::Value *Condition, bool Holds);
  bool holds(const llvm::Value *Condition, bool Wanted);
  bool isDecided(const llvm::BasicBlock &BB);
  void collectConstants();

  Number opaque(const llvm::Operator &I);
  Number binary(const llvm::Operator &I, uint64_t A, uint64_t B);
  Number divide(const llvm::Operator &I, uint64_t A, uint64_t B);
  Number shift(const llvm::Operator &I, uint64_t A, uint64_t B);
  Number convert(const llvm::Operator &I, uint64_t A);
  Number address(const llvm::GEPOperator &GEP);
  Number compare(const llvm::Operator &I, uint64_t A, uint64_t B);
  Number intrinsic(const llvm::CallBase &Call);
  Number load(uint64_t Address, llvm::Type *Ty,
              const std::optional<llvm::ConstantRange> &Only);

  std::optional<uint64_t> scevNAry(const llvm::SCEVNAryExpr *E);
  std::optional<uint64_t> recurrence(const llvm::SCEVAddRecExpr *E);
  std::optional<RunEnd> execute(const llvm::Instruction &I,
                                RunObserver &Observer);
  std::optional<RunEnd> branch(const llvm::Instruction &Terminator,
                               RunObserver &Observer,
                               const llvm::BasicBlock *&Next);
  bool leaveLoops(const llvm::BasicBlock &Next, RunObserver &Observer);
  bool entersFromOutside(const llvm::BasicBlock &BB,
                         const llvm::BasicBlock *From) const;
  std::optional<RunEnd> enterBlock(const llvm::BasicBlock &BB,
                                   const llvm::BasicBlock *From,
                                   RunObserver &Observer);
  bool atHeader(ActiveLoop &A, bool Again);
  void planJumps(ActiveLoop &A);
  void addCorners(ActiveLoop &A, int64_t Last, unsigned Most);
  void learn(ActiveLoop &A);
  bool isCounter(const llvm::PHINode &Phi);
  bool isAsExpected(const ActiveLoop &A);
  void jump(ActiveLoop &A);
};

} // namespace polygpu

#endif
