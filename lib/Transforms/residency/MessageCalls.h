//===- MessageCalls.h - What calls of MPI access --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// MPI_Send, MPI_Recv and MPI_Sendrecv with a built-in type access the bytes
// that they are given, and nothing else that the program can name: MPI keeps
// names that begin with MPI_ to itself.  Calls of other functions of MPI may
// begin something that goes on (MPI_Irecv), call functions of the program
// (MPI_Reduce) or have types of any layout.
//
// A message is for another process.  It may also tell another thread, by one to
// its own process, or a process that shares memory: README.md has this limit.
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_MESSAGECALLS_H
#define POLYGPU_MESSAGECALLS_H

#include "residency/LibraryCalls.h"
#include "llvm/ADT/SmallVector.h"

namespace polygpu {

/// All that \p Call accesses, if it is one of these.
std::optional<llvm::SmallVector<HostAccess, 3>>
messageAccesses(const llvm::CallBase &Call);

} // namespace polygpu

#endif
