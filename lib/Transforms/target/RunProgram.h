//===- RunProgram.h - Helper programs of a compilation ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_RUNPROGRAM_H
#define POLYGPU_RUNPROGRAM_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace polygpu {

/// The path of a file in the directory that the plugin is in, absolute.
std::string besidePlugin(llvm::StringRef Name);

/// What runProgram gives for a program that it ended for its time.
inline constexpr int TookTooLong = -2;

/// Run \p Program, for at most \p Seconds: its exit status, or a negative
/// number with a \p Message.  Unlike LLVM's ExecuteAndWait this leaves the
/// process's alarm clock alone, of which there is one for all threads.
int runProgram(llvm::StringRef Program, llvm::ArrayRef<llvm::StringRef> Args,
               llvm::ArrayRef<std::optional<llvm::StringRef>> Redirects,
               unsigned Seconds, std::string &Message);

} // namespace polygpu

#endif
