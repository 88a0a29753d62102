//===- DeviceModule.h - What device modules are made of ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kernels are generated into a module that knows no target: threads ask for
// their position, meet and copy by calling the functions named below, arrays
// are pointers into one address space, shared memory is in another one.
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_DEVICEMODULE_H
#define POLYGPU_DEVICEMODULE_H

#include "llvm/IR/DerivedTypes.h"

namespace llvm {
class Module;
}

namespace polygpu {

/// Address spaces of the device module.
enum DeviceSpace : unsigned { GlobalSpace = 1, SharedSpace = 3 };

/// Of atomic operations, for all threads of the device.
inline constexpr const char *DeviceScope = "device";

/// Functions that a target replaces.
inline constexpr const char *ThreadIdName = "polygpu.thread"; // i32(i32 dim)
inline constexpr const char *BlockIdName = "polygpu.block";   // i32(i32 dim)
inline constexpr const char *BarrierName = "polygpu.barrier"; // void()

/// Of kernels whose blocks are all on the device at once: how many there are,
/// i32(), and where all their threads wait for each other, void(ptr global),
/// at a word that is 0 at first and belongs to the launch.
inline constexpr const char *BlockCountName = "polygpu.blocks";
inline constexpr const char *GridBarrierName = "polygpu.grid.barrier";

/// The number itself, i32(i32) and i64(i64); passes do not know that.
/// An attribute of kernels whose threads access elements next to each other in
/// straight-line code, which is to become vectors.
inline constexpr const char *VectorsAttribute = "polygpu-vectors";

inline constexpr const char *Same32Name = "polygpu.same.i32";
inline constexpr const char *Same64Name = "polygpu.same.i64";

/// Asynchronous copies, as abi.h says of the emulated device.
/// void(ptr shared to, ptr global from, i32 size, i32 valid)
inline constexpr const char *CopyName = "polygpu.copy";
inline constexpr const char *CommitName = "polygpu.commit"; // void()
inline constexpr const char *WaitName = "polygpu.wait";     // void(i32 pending)

/// One of the functions above that return nothing, in \p M.
llvm::FunctionCallee deviceFunction(llvm::Module &M, const char *Name,
                                    llvm::ArrayRef<llvm::Type *> Params);

} // namespace polygpu

#endif
