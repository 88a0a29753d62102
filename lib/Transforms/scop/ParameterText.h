//===- ParameterText.h - Parameters in the source's words -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_PARAMETERTEXT_H
#define POLYGPU_PARAMETERTEXT_H

#include <string>

namespace llvm {
class SCEV;
}

namespace polygpu {

/// \p E as it may stand in the source: the name of its variable, or a sum like
/// "knew - 1" of such names.  Where \p E is too much to be told, "a computed
/// parameter".
std::string parameterText(const llvm::SCEV &E);

} // namespace polygpu

#endif
