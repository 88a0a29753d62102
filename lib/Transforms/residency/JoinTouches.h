//===- JoinTouches.h - Fewer words to the runtime ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A loop of the host that has SCoPs in it tells the runtime of each of its
// accesses, which is a load, a branch and a call for each: in code that lives
// in the members of one structure most of the function, to run and to compile.
// What was told stays told until a run may begin, so
//
// - members of one object that are near to each other are told of together,
// - an access is not told of where all paths have done so since the last run,
// - accesses of a block are told of at its first place, if what they are told
//   by is known there.
//
// To tell of too much, or too early, is always right: host and device agree
// about more then.
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_JOINTOUCHES_H
#define POLYGPU_JOINTOUCHES_H

#include "residency/LibraryCalls.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallVector.h"

namespace polygpu {

/// Before an instruction: the accesses that are told of there.
using TouchPlaces =
    llvm::MapVector<llvm::Instruction *, llvm::SmallVector<HostAccess, 4>>;

/// Does it end what is there?
bool isEnd(const HostAccess &Access);

/// Is what \p B tells told by \p A?  Without a size it is all there is.
bool covers(const HostAccess &A, const HostAccess &B);

/// Tell of less at the places \p At of \p F.  All else that the runtime is
/// called for is in the code already.
void joinTouches(llvm::Function &F, TouchPlaces &At);

} // namespace polygpu

#endif
