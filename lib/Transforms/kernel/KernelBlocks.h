//===- KernelBlocks.h - Blocks of several kernels in one ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_KERNELBLOCKS_H
#define POLYGPU_KERNELBLOCKS_H

#include "kernel/DeviceCode.h"
#include "llvm/IR/IRBuilder.h"
#include <array>
#include <map>

namespace polygpu {

/// Numbers of a block, i32.
using Position = std::array<llvm::Value *, 3>;

unsigned threadsOf(const pg_kernel &K);

/// Are \p Kernels such that one block can do what a block of each of them does?
/// Those with barriers have to have all of its threads, of which there are
/// "Threads" then; and they have no more than \p Most instructions.
bool canShareBlocks(const pg_plan &Plan, const llvm::Module &M,
                    llvm::ArrayRef<unsigned> Kernels, unsigned Most,
                    unsigned &Threads);

/// A kernel whose blocks do what those of others do.
class KernelBlocks {
public:
  KernelBlocks(llvm::Module &M, const pg_plan &Plan, const DeviceCode &Code,
               llvm::ArrayRef<unsigned> Kernels, llvm::StringRef Name,
               unsigned Threads)
      : M(M), Plan(Plan), Code(Code), Kernels(Kernels), Name(Name),
        Threads(Threads) {}

  /// Add to \p Args what the kernels get, but for what differs from launch to
  /// launch.
  void addArguments(std::vector<KernelArg> &Args) const;
  /// Make the kernel, which gets \p Args.
  llvm::Function *create(llvm::ArrayRef<KernelArg> Args);
  /// What block \p Place of kernel \p K does, which gets \p Passed, in thread
  /// number \p Thread.
  void call(llvm::IRBuilder<> &B, unsigned K,
            llvm::ArrayRef<llvm::Value *> Passed, const Position &Place,
            llvm::Value *Thread);
  /// All calls become part of the kernel; false if that failed.
  bool finish();

private:
  llvm::Module &M;
  const pg_plan &Plan;
  const DeviceCode &Code;
  llvm::ArrayRef<unsigned> Kernels;
  llvm::StringRef Name;
  unsigned Threads;
  llvm::GlobalVariable *Shared = nullptr; ///< of all kernels
  std::map<unsigned, llvm::Function *> Blocks;
  llvm::SmallVector<llvm::CallInst *, 8> Calls;

  void shareMemory();
  void describe(llvm::Argument &A, const KernelArg &Arg) const;
  llvm::Function *blockOf(unsigned K);
};

/// The number of this thread, of \p Threads.
llvm::Value *askThread(llvm::IRBuilder<> &B, llvm::Module &M, unsigned Threads);
/// The number of this block in a grid of one dimension, or of all blocks.
llvm::Value *askBlock(llvm::IRBuilder<> &B, llvm::Module &M);
llvm::Value *askBlockCount(llvm::IRBuilder<> &B, llvm::Module &M);

} // namespace polygpu

#endif
