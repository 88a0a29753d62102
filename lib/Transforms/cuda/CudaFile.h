//===- CudaFile.h - Kernels as a file of CUDA -------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For -gpu-print-kernels=FILE: the kernels of all SCoPs of a module, and for
// each SCoP a function of the host that launches them.
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_CUDA_CUDAFILE_H
#define POLYGPU_CUDA_CUDAFILE_H

#include "kernel/DeviceCode.h"
#include "scop/Import.h"

namespace polygpu {

/// A SCoP in the words of CUDA.
struct CudaText {
  std::string Text;
  std::vector<std::string> Names;   ///< of the functions in it
  std::vector<std::string> Missing; ///< sentences on what could not be printed
};

/// The text of the kernels of \p Plan and of what launches them; \p Code has
/// them as they are compiled, and \p Copies says what is copied.
CudaText cudaText(const pg_plan &Plan, const ImportedScop &Imported,
                  polly::Scop &S, const DeviceCode &Code,
                  const std::string &Processor, const std::string &Copies);

/// The text of a SCoP, and the names of the functions in it.
using NamedText =
    std::pair<const std::string *, const std::vector<std::string> *>;

/// Write \p Texts, the SCoPs of a module of the source \p Source, to \p Path; a
/// sentence if that fails, else empty.
std::string writeCudaFile(const std::string &Path, llvm::StringRef Source,
                          llvm::ArrayRef<NamedText> Texts);

} // namespace polygpu

#endif
