//===- HostBuilder.h - Copies and launches ----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The core's loops around copies and launches as calls of the runtime.
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_HOSTBUILDER_H
#define POLYGPU_HOSTBUILDER_H

#include "host/Descriptor.h"
#include "kernel/AstBuilder.h"
#include "kernel/JoinedLaunches.h"
#include "polygpu/abi.h"

namespace polygpu {

/// Values of the host that kernels and copies are about, computed in front of
/// the SCoP.
struct HostValues {
  std::vector<llvm::Value *> Params;               ///< i64
  std::vector<std::vector<llvm::Value *>> Extents; ///< i64, per array
  std::vector<std::vector<llvm::Value *>>
      Invariants;                   ///< per argument of kernels
  std::vector<llvm::Value *> Bases; ///< per array
  /// i64, per array: of those that are lent to threads, where in the memory of
  /// each they are.
  std::vector<llvm::Value *> Lent;
  /// i64, first element and number of elements of each array that is read
  /// indirectly.
  std::vector<std::pair<llvm::Value *, llvm::Value *>> Indirect;
};

/// Find places for what \p Plan, for threads, has in memory that is lent to
/// each: so many bytes are needed of it, as i64; all ones are too many.
llvm::Value *placeLent(llvm::IRBuilder<> &B, const pg_plan &Plan,
                       HostValues &Values);

/// The runtime's functions, declared in the module.
struct RuntimeCalls {
  llvm::FunctionCallee Decline, Array, Move, Launch, End, Begin, Worth, Known;

  explicit RuntimeCalls(llvm::Module &M);
};

/// Generates copies and launches.
class HostBuilder final : public AstBuilder {
public:
  HostBuilder(llvm::IRBuilder<> &B, const pg_plan &Plan, const DeviceCode &Code,
              const RuntimeCalls &Calls, const HostValues &Values,
              llvm::Value *Run, unsigned FirstKernel = 0);

  /// Launches are of pieces of loops on the CPU, by those that "Run" is.
  void launchOnThreads() { OnThreads = true; }

  /// All elements of \p Array are accessed on the device.
  void touch(unsigned Array);

  void moves(__isl_keep isl_ast_node *Node, unsigned Dir) {
    Direction = Dir;
    node(Node);
  }

  /// Look at the numbers that are elements \p Node, of a kind for the runtime,
  /// which widen the two at \p Range.
  void inspect(__isl_keep isl_ast_node *Node, unsigned Kind,
               llvm::Value *Range);

private:
  const pg_plan &Plan;
  const DeviceCode &Code;
  const RuntimeCalls &Calls;
  const HostValues &Values;
  llvm::Value *Run;
  unsigned FirstKernel; ///< the plan's, among those of all plans
  unsigned Direction = 0;
  bool OnThreads = false;
  llvm::Value *Inspected = nullptr; ///< no moves, but a look
  unsigned IndexKind = 0;

  struct ForParts;
  /// The values of a loop's counter.
  struct CounterRange {
    llvm::Value *First, *Count; ///< i64
    llvm::ConstantInt *Step;
    unsigned Subscript = 0; ///< of the element, which grows with it:
    int64_t Growth = 0;
  };
  /// A loop around moves: iterations, and elements from one's move to that of
  /// the next one, i64; true, i1, if that is no such number.
  struct MoveLoop {
    llvm::Value *Trips, *Step, *Far;
  };
  /// Memory for so many of them, in the function's frame.
  llvm::SmallDenseMap<unsigned, llvm::Value *, 4> MoveLists;

  void user(const pg_user &U) override;
  llvm::Value *unknownVariable(llvm::StringRef) override { return fail(); }
  bool specialFor(__isl_keep isl_ast_node *Node) override;
  bool specialBlock(__isl_keep isl_ast_node *Node) override;
  static llvm::SmallVector<std::unique_ptr<ForParts>, 4>
  loopsAroundMove(__isl_keep isl_ast_node *Node, const pg_user *&Move);
  static bool areSubscripts(llvm::ArrayRef<std::unique_ptr<ForParts>> Loops,
                            const pg_user &Move,
                            llvm::MutableArrayRef<CounterRange> Ranges);
  bool rangeOf(const ForParts &Loop, CounterRange &Range);
  llvm::Value *strideOf(const pg_user &Move, const CounterRange &Range,
                        llvm::Value *&Far);
  void moveRows(const pg_user &Move,
                llvm::ArrayRef<std::unique_ptr<ForParts>> Loops,
                llvm::ArrayRef<CounterRange> Ranges, int64_t Stride);
  void inspectRows(const pg_user &Move,
                   llvm::ArrayRef<std::unique_ptr<ForParts>> Loops,
                   llvm::SmallVector<CounterRange, 4> Ranges, int64_t Stride);
  void inspectEach(const pg_user &Move,
                   llvm::ArrayRef<std::unique_ptr<ForParts>> Loops,
                   llvm::ArrayRef<CounterRange> Ranges, int64_t Stride);
  const GridChain *chainOf(__isl_keep isl_ast_node *Node) const;
  llvm::Value *argument(llvm::ArrayRef<unsigned> Kernels, const KernelArg &A,
                        const pg_user &U);
  bool grid(const GridChain &Chain);
  llvm::Value *pointersTo(llvm::ArrayRef<llvm::Value *> Passed);
  llvm::Value *argumentList(const pg_user &U);
  llvm::Value *extent(const pg_user &U, unsigned D);
  void launch(const pg_user &U);
  void launchJoined(unsigned Joined, llvm::ArrayRef<GuardedLaunch> Launches);
  llvm::Value *checked(llvm::Intrinsic::ID ID, llvm::Value *L, llvm::Value *R,
                       llvm::Value *&Wrong);
  llvm::Value *offsetOf(unsigned Array, llvm::ArrayRef<llvm::Value *> Index,
                        llvm::Value *&Overflow);
  void move(unsigned Array, llvm::ArrayRef<llvm::Value *> Index,
            llvm::Value *Count, int64_t Stride,
            llvm::ArrayRef<MoveLoop> Around);
  llvm::Value *listOf(llvm::ArrayRef<MoveLoop> Around);
  llvm::Value *slot(llvm::Type *Ty, const llvm::Twine &Name);
  llvm::Value *argument(const KernelArg &A, unsigned Kernel, unsigned Number,
                        const pg_user &U);
};

} // namespace polygpu

#endif
