//===- KernelAttempts.h - Kernels that are made again --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_KERNELATTEMPTS_H
#define POLYGPU_KERNELATTEMPTS_H

#include "polygpu/polyhedral.h"
#include <string>
#include <vector>

namespace polygpu {

struct DeviceCode;
struct Images;

/// Kernels are made smaller step by step until they are short enough and do not
/// spill, and with fewer threads in a block once if there is only one at a
/// time. Sizes that the user has given stay.
class KernelAttempts {
public:
  /// How each kernel is to be, for the core.
  void describeTo(pg_options &Options) const;

  bool isFirst() const { return List.empty(); }

  /// No further step.
  void stop() { Stopped = true; }

  /// Kernel \p K of \p Plan has too much code; false: it has to stay so.
  bool shorten(const pg_plan &Plan, unsigned K);

  /// Is anything to be tried that ptxas's registers in \p I ask for?
  bool followRegisters(const pg_plan &Plan, const DeviceCode &Code,
                       bool HasSizes, const Images &I);

private:
  std::vector<pg_attempt> List;
  bool Stopped = false;
};

} // namespace polygpu

#endif
