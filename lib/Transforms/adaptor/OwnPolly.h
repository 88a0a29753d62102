//===- OwnPolly.h - The plugin's copy of Polly ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The plugin contains Polly and isl, in which isl_map_coalesce is replaced (see
// coalesce.c of the core).  Where libLLVM contains both as well, options of
// that copy are known to the command line, and LLVM ends the program when a
// second option of one name is registered.  So those of the plugin's copy stay
// unregistered there: `-mllvm -polly-...` means libLLVM's Polly.
//
// If LLVM renames the two functions that the linker redirects (CMakeLists.txt),
// linking fails; if Polly renames an option, its default of a million
// operations counts, and compilations take longer, or Polly compares arrays by
// itself, and fewer loops are modelled (test/lit/exec/many_coefficients.c).
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_OWNPOLLY_H
#define POLYGPU_OWNPOLLY_H

namespace polygpu {

/// Set the options of the plugin's Polly, which nobody else uses, to what we
/// need.  They stay as they are: other threads may be compiling.
void setPollyOptions();

} // namespace polygpu

#endif
