//===- OlderText.h - PTX for devices without asynchronous copies -*- C++
//-*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A copy to shared memory that may be done later may be done at once.  So what
// is PTX for devices with asynchronous copies is PTX for those without, once
// each copy is a load and a store, and nothing is waited for.  That takes the
// time of reading the text, where the back end would take as long as for the
// newer devices.
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_OLDERTEXT_H
#define POLYGPU_OLDERTEXT_H

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace polygpu {

/// \p PTX for \p Processor, sm_75 or newer: the same instructions, but
/// asynchronous copies.  \p MinBlocks has, by the names of kernels, how many
/// blocks are to have room on a multiprocessor, 0 for no wish.  Nothing if
/// there is an instruction or a form of one that is not known to be sm_75's.
std::optional<std::string>
textForOlder(llvm::StringRef PTX, llvm::StringRef Processor,
             const llvm::StringMap<unsigned> &MinBlocks);

} // namespace polygpu

#endif
