//===- Descriptor.h - Constant data that the runtime reads ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Emits the structures of polygpu/abi.h for one SCoP into the host module.
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_DESCRIPTOR_H
#define POLYGPU_DESCRIPTOR_H

#include "host/Images.h"
#include "kernel/DeviceCode.h"
#include "polygpu/polyhedral.h"

namespace llvm {
class Constant;
class GlobalVariable;
class IRBuilderBase;
class Value;
} // namespace llvm

namespace polygpu {

/// Create the polygpu_scop of \p Plan in \p M, without images;
/// polygpu_begin_sized gets \p SizeCount values.  It has loops for \p Threads
/// as well, unless that is null.  \p Arguments says of each array which
/// argument it is, see POLYGPU_ARGUMENT_SHIFT.
llvm::GlobalVariable *createDescriptor(llvm::Module &M,
                                       llvm::ArrayRef<PlannedKernels> Plans,
                                       unsigned SizeCount,
                                       const pg_plan *Threads,
                                       llvm::ArrayRef<unsigned> Arguments);

/// Create the polygpu_parallel of \p Threads in \p M.
llvm::GlobalVariable *createParallelDescriptor(llvm::Module &M,
                                               const ThreadKernels &Threads);

/// A polygpu_image, with \p Data and, unless that is null, a word for the
/// runtime, both of this module.
llvm::Constant *createImage(unsigned Kind, unsigned Arch,
                            llvm::GlobalVariable *Data,
                            llvm::GlobalVariable *Loaded);
/// What images consist of.
llvm::GlobalVariable *createImageData(llvm::Module &M, llvm::StringRef Data,
                                      bool Terminate);
llvm::GlobalVariable *createImageWord(llvm::Module &M);
/// Give \p Descriptor the images of each of its plans.
void setImages(llvm::GlobalVariable &Descriptor,
               llvm::ArrayRef<llvm::SmallVector<llvm::Constant *, 4>> OfPlans);

/// Is what the runtime estimates of a run's work the same for all parameters?
bool hasConstantSizes(llvm::ArrayRef<PlannedKernels> Plans);

/// The word that is not 0 where the runtime wants to hear when the original
/// loops end, as it is now.
llvm::Value *timingWord(llvm::IRBuilderBase &B,
                        llvm::GlobalVariable &Descriptor);

/// i1: the runtime has said that runs with \p Params, or of constant sizes if
/// there are none, never begin where nothing is on the device, and nothing is.
llvm::Value *isHopeless(llvm::IRBuilderBase &B,
                        llvm::GlobalVariable &Descriptor,
                        llvm::ArrayRef<llvm::Value *> Params);

} // namespace polygpu

#endif
