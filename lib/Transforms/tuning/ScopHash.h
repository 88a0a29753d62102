//===- ScopHash.h - What a SCoP is known by from file to file -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_SCOPHASH_H
#define POLYGPU_SCOPHASH_H

#include <string>

struct pg_scop;

namespace polygpu {

/// 16 hexadecimal digits of what \p P is to the core as it was imported:
/// domains, accesses, order, types, and what statements take.  Places, the
/// function, and names of parameters and arrays are no part of it.
std::string scopHash(const pg_scop &P);

} // namespace polygpu

#endif
