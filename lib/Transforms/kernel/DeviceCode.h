//===- DeviceCode.h - Kernels and what the host passes to them -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_DEVICECODE_H
#define POLYGPU_DEVICECODE_H

#include "polygpu/polyhedral.h"
#include "llvm/IR/Module.h"
#include <memory>
#include <optional>
#include <vector>

namespace llvm {
class SCEV;
}

namespace polygpu {

/// What the host passes for one parameter of a kernel.
struct KernelArg {
  enum KindTy {
    Array,   ///< Index: array
    Marks,   ///< Index: array, of which these are the marks (Memory.h)
    Extent,  ///< Index: array, Dim: dimension; elements as i64
    Param,   ///< Index: parameter of the SCoP
    Host,    ///< Index: host iterator of the kernel
    Blocks,  ///< Dim: dimension of the grid; how many blocks it should have
    Begin,   ///< of a grid chain: iterations before the first one
    Rounds,  ///< of a grid chain: iterations
    First,   ///< of a grid chain: the counter in the loop's first iteration
    Counter, ///< of a grid chain: where blocks meet
    Beside,  ///< of joined launches: how many blocks number Index of them has
             ///< in dimension Dim, or (Dim - 3) should have
    Scev,    ///< Expr: integer expression that the SCoP does not change
    Scalar   ///< V: value from before the SCoP
  };
  KindTy Kind;
  unsigned Index = 0;
  unsigned Dim = 0;
  const llvm::SCEV *Expr = nullptr;
  llvm::Value *V = nullptr;
  llvm::Type *Ty = nullptr; ///< of the parameter; i1 travels as i8

  bool operator==(const KernelArg &O) const {
    return Kind == O.Kind && Index == O.Index && Dim == O.Dim &&
           Expr == O.Expr && V == O.V && Ty == O.Ty;
  }
};

/// May \p K have more tiles in dimension \p D than a device starts blocks?
inline bool hasMoreTiles(const pg_kernel &K, unsigned D) {
  return D > 0 && K.mapping->grid_limit[D] > PG_GRID_YZ;
}

/// Is \p Array in memory that each thread of the CPU is lent?
inline bool isLent(const pg_plan &Plan, unsigned Array) {
  return Plan.is_private[Array] && pg_plan_own_length(&Plan, Array) == 0;
}

/// Does the runtime know the address that is passed?
inline bool isArray(const KernelArg &A) {
  return A.Kind == KernelArg::Array || A.Kind == KernelArg::Marks;
}

/// Does the host not pass it?
inline bool isKnownToRuntime(const KernelArg &A) {
  return isArray(A) || A.Kind == KernelArg::Counter;
}

/// A kernel that does what a loop of the host does with launches (GridChain.h).
struct GridChain {
  std::string Name;
  isl_ast_node *Loop; ///< the plan's
  std::vector<unsigned> Kernels;
  unsigned Threads; ///< of a block
  std::vector<KernelArg> Args;
  unsigned SharedBytes;
};

/// A kernel that does what several launches do (JoinedLaunches.h).
struct JoinedLaunches {
  std::string Name;
  std::vector<unsigned> Kernels; ///< in the order of their launches
  unsigned Threads = 0;          ///< of a block
  bool HasBarrier = false;
  std::vector<KernelArg> Args;
  unsigned SharedBytes = 0;
};

struct DeviceCode {
  std::unique_ptr<llvm::Module> Module;
  /// The kernel that has more than MaxGenerated instructions.
  std::optional<unsigned> TooLong;
  std::vector<std::vector<KernelArg>> Args; ///< of each kernel
  std::vector<unsigned> SharedBytes;        ///< of each kernel
  std::vector<GridChain> Grids;             ///< behind the kernels
  std::vector<JoinedLaunches> Joined;       ///< behind those
  /// By kernel which of these has all of its launches, or -1; empty: none has.
  std::vector<int> PartOf;

  bool isPart(unsigned K) const { return !PartOf.empty() && PartOf[K] >= 0; }
};

/// The number of the first of the joined launches among kernels.
inline unsigned firstJoined(const pg_plan &Plan, const DeviceCode &Code) {
  return Plan.n_kernel + Code.Grids.size();
}

} // namespace polygpu

#endif
