//===- FileModule.h - Device code of several SCoPs, linked ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kernels of a SCoP are compiled by themselves, as often as it takes until they
// fit.  What became of them is linked here as it is, so that the kernels of a
// file are in one module, which the driver loads once.
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_FILEMODULE_H
#define POLYGPU_FILEMODULE_H

#include "Remarks.h"
#include "target/Assembler.h"
#include <memory>
#include <string>
#include <vector>

namespace polygpu {

/// Device code that several plans have, of different SCoPs.
struct LinkedCode {
  std::string PTX;
  std::vector<Cubin> Cubins;
};

/// Device code of a plan.
struct PlanCode {
  const Options *For = nullptr; ///< its architecture
  unsigned Plans = 1;           ///< that its SCoP has, of the variant
  unsigned Variant = 0;
  std::vector<std::string> Kernels;
  std::string PTX;
  std::string Optimised; ///< for linkToPTX(); empty: it is not to be linked
  std::vector<Cubin> Cubins;
  std::shared_ptr<LinkedCode> Linked; ///< or null
};

/// May plans of several SCoPs be linked at all?
bool wantsLinking(const Options &O);

/// Those of \p Plans that can be in one module, group by group in their order:
/// with the same architecture and option for ptxas, of SCoPs that a device
/// needs the same plan of, for all sizes or apart from these, and without two
/// kernels of one name.
std::vector<std::vector<PlanCode *>>
groupPlans(const std::vector<PlanCode *> &Plans);

/// Link the plans of \p Group, of which there are several, and have ptxas make
/// cubins of that where each has one of its own.
std::optional<Refusal> linkPlans(llvm::ArrayRef<PlanCode *> Group,
                                 Assembled &Notes);

} // namespace polygpu

#endif
