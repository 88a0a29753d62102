//===- JoinedLaunches.h - Several launches in one ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In a loop of the host several launches, one after the other, may have nothing
// to do with each other: what is left of and behind a tile, and above and below
// it.  A kernel that has the blocks of all of them, side by side, takes one
// launch, and the last blocks of one need not be waited for.  It is made of the
// kernels as they are.
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_JOINEDLAUNCHES_H
#define POLYGPU_JOINEDLAUNCHES_H

#include "kernel/DeviceCode.h"

namespace polygpu {

/// A launch, and the conditions of the host under which it happens.
struct GuardedLaunch {
  const pg_user *User;
  std::vector<isl_ast_expr *> Guards;
};

/// The launches of a node of the host, in their order.
class LaunchList {
public:
  /// Empty if there is anything else in \p Node, like a loop.
  explicit LaunchList(__isl_keep isl_ast_node *Node);
  ~LaunchList();
  LaunchList(const LaunchList &) = delete;
  LaunchList &operator=(const LaunchList &) = delete;

  const std::vector<GuardedLaunch> &get() const { return List; }
  /// Which of \p Code's joined launches has the kernels from \p I on, and
  /// these are launched for the same iterations; or -1.
  int joinedAt(unsigned I, const DeviceCode &Code) const;
  /// Is any of the launches joined with others?
  bool hasJoined(const DeviceCode &Code) const;
  /// Are launches \p I and \p J for the same iterations?
  bool isSame(unsigned I, unsigned J) const;

private:
  std::vector<GuardedLaunch> List;
  std::vector<isl_ast_expr *> Guards; ///< of which each is freed once

  bool add(__isl_take isl_ast_node *Node,
           const std::vector<isl_ast_expr *> &Around);
};

/// Add a kernel to \p Code for launches in loops of the host in \p Plan that
/// may run at the same time.
void addJoinedLaunches(const pg_plan &Plan, const pg_options &Options,
                       DeviceCode &Code);

} // namespace polygpu

#endif
