//===- ScheduleText.h - The text of a loaded schedule -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// isl's reader of schedules trusts its input and can end the process on text
/// that is none.  So a line of a file of the user's is read by LLVM's YAML
/// parser first, its keys and values are checked, and isl gets what was
/// understood, written anew.
///
//===----------------------------------------------------------------------===//

#ifndef POLYGPU_SCHEDULETEXT_H
#define POLYGPU_SCHEDULETEXT_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace polygpu {

/// Check that \p Line is a schedule tree: a domain, and below it bands,
/// sequences and sets.  Returns the tree as one line of canonical YAML, in
/// which only the texts of sets and of bands are unchecked, or "" and sets \p
/// Wrong to what is wrong and what is allowed.
std::string readScheduleText(llvm::StringRef Line, std::string &Wrong);

} // namespace polygpu

#endif
