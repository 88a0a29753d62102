//===- Callers.h - Device copies that outlive a call ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Device copies of arrays stay from a run in one function to a run in another
// where both are called from a third one that the module has:
//
//   main.polygpu:  scope = polygpu_keep_begin();
//                  for (...) {
//                    step.polygpu(u, v, scope);    has runs; takes the scope
//                    report.polygpu(u);            has none, tells of its loads
//                  }
//                  polygpu_keep_end(scope);
//
// Copies call copies.  Whoever else calls step reaches its copy by way of step
// itself, with a scope of its own.
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_CALLERS_H
#define POLYGPU_CALLERS_H

#include "verify/VerifyExecute.h"

namespace polygpu {

/// Which functions does the module have?
enum class Files {
  One,        ///< those of one file
  BeforeLink, ///< those of one file, until it is linked with others (Link.h)
  All         ///< those of all files, of which some were compiled with copies
};

/// Keep what can be kept in all copies of functions of \p M, and add copies of
/// functions that call them to \p Functions.
void keepAcrossCalls(llvm::Module &M, std::vector<OffloadedFunction> &Functions,
                     llvm::FunctionAnalysisManager &FAM, Remarks &R,
                     Files When);

} // namespace polygpu

#endif
