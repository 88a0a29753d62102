//===- Touches.h - Device copies that outlive a run -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where one run of a SCoP can follow another in one activation of a function,
// the arrays of both may stay on the device in between:
//
//   scope = polygpu_keep_begin();
//   for (...) {
//     run = polygpu_begin_sized(...);
//     polygpu_array(run, 0, u);  polygpu_keep(run, 0, scope);
//     ...                                     the run, or the original loops
//     polygpu_touch(u, 8, POLYGPU_TOUCH_WRITE);
//     u[0] = 1;
//     polygpu_touch_all();
//     unknown();
//   }
//   polygpu_keep_end(scope);
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_TOUCHES_H
#define POLYGPU_TOUCHES_H

#include "residency/Runs.h"
#include "llvm/IR/PassManager.h"
#include <string>

namespace polygpu {

/// Whose promise it is to tell what the host accesses.
enum class Promise {
  Own,     ///< the function's, where a run can follow another one in it
  Callers, ///< and the function's, which takes the scope as last argument
  Telling  ///< and the function's, which has no runs
};

/// Keep what can be kept in the finished copy \p F.  Returns what was done, for
/// a remark, or "".
std::string keepArrays(llvm::Function &F, const KeptArrays &Arrays,
                       Promise Kept, const LinkedFunctions &Linked,
                       llvm::FunctionAnalysisManager &FAM);

} // namespace polygpu

#endif
