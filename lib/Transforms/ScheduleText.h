//===- ScheduleText.h - Schedules in files ----------------------*- C++ -*-===//
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

#include "Remarks.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

struct pg_scop;

namespace polygpu {

/// How lines for \p P begin in a file of schedules.
std::string scheduleKey(const pg_scop &P);

/// Append the schedule of \p P to the file \p Path.
void saveSchedule(llvm::StringRef Path, const pg_scop &P);

/// The lines of \p File that begin with \p Key, each checked to be a schedule
/// tree: a domain, and below it bands, sequences and sets.  \p Text gets them
/// as canonical YAML, in which only the texts of sets and of bands are
/// unchecked.
std::optional<Refusal> loadSchedules(llvm::StringRef File, llvm::StringRef Key,
                                     std::string &Text);

} // namespace polygpu

#endif
