//===- Mutate.h - Errors planted in generated code ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For tests of the tests: -gpu-mutate=guard:3 leaves out the third guard that
// the compiler generates in this process, guard:all each of them, and likewise
// for the other kinds;
// scripts/mutate makes one such program after another and looks whether
// anybody notices.  Errors in the model are only in what VerifyModel looks at,
// and errors of statements in what VerifyValues executes, or in the SCoP that
// the compiler goes on with (MutateScop.h): these have to refuse the loops.
// -gpu-mutate=joined lets isl join the pieces of sets wrongly
// (coalesce.c), also for Polly.
//
// -gpu-mutate=allocation:3 lets the third allocation of isl fail while our C++
// code works with the objects of the core's context, or of Polly's, outside of
// the core's phases (IslErrors.h): the loops have to be refused.
// -gpu-mutate=allocations prints how many there were after each such step.
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_MUTATE_H
#define POLYGPU_MUTATE_H

#include "polygpu_config.h"
#include <string>

struct isl_ctx;

namespace polygpu {

enum class Mutation {
  Guard,   ///< a condition in a kernel always holds
  Copy,    ///< elements are not copied to or from the device
  Barrier, ///< a barrier is left out
  Meet,    ///< blocks of a grid do not wait for each other
  Beside,  ///< launches that depend on each other are one
  Index,   ///< an access in a kernel goes to the next element
  Uniform, ///< a test that all threads make together is not marked as one
  Touch,   ///< the runtime does not hear of what the host writes
  // In Polly's model, as it is held against the program.
  Larger,    ///< a statement runs once more than it does
  Smaller,   ///< a statement does not run in iteration 1
  Subscript, ///< an access goes to the next element
  Order,     ///< a statement runs backwards
  Condition, ///< nothing is assumed, where anything is
  Context,   ///< a parameter is never 0 or 1
  Range,     ///< the first element of an array is not compared with others
  // In the SCoP after Polly's simplifications.
  Element, ///< an access goes to the next element
  Lost,    ///< a write is lost
  // In its statements, as their values are held against the program.
  Operation, ///< an operation gives its first operand
  Stale,     ///< what is written was read by the same statement
  // In a plan, before pg_verify sees it: pg_plant's kinds.
  Domain,
  Access,
  Filter,
  Sync,
  Exchange,
  Move,
  Omit,
  /// A part of a statement multiplies nothing since another part's buffer holds
  /// products.
  Product,
  Mark,   ///< a store under a condition is not marked as one that happened
  Once,   ///< a store under a condition leaves nothing of what was there
  Atomic, ///< an atomic operation is a read and a write
  Early,  ///< a load is made before its own point's stores
  Invalid ///< a value of the host's code is used before it is made
};

#if POLYGPU_MUTATE

/// Called at each place where \p Kind can be planted; true if this is the one.
/// \p Where (a kernel or function) is for -gpu-mutate=list.
bool isMutated(Mutation Kind, const std::string &Where);

/// Is an error to be planted, or the places to be listed?
bool isMutating();

/// Is one of \p Kind to be planted?
bool isMutating(Mutation Kind);

/// Allocations in a context count while this is there.
class CountedAllocations {
public:
  explicit CountedAllocations(isl_ctx *Ctx);
  ~CountedAllocations();
  CountedAllocations(const CountedAllocations &) = delete;
  CountedAllocations &operator=(const CountedAllocations &) = delete;
};

/// Print how many allocations there were until the end of the step \p What, if
/// that is asked for.
void tellAllocations(const char *What);

/// Read the option; the sentence that says what is wrong, or nothing.
std::string readMutation();

#else // a plugin that cannot be made wrong

inline bool isMutated(Mutation, const std::string &) { return false; }
inline bool isMutating() { return false; }
inline bool isMutating(Mutation) { return false; }
class CountedAllocations {
public:
  explicit CountedAllocations(isl_ctx *) {}
};
inline void tellAllocations(const char *) {}
inline std::string readMutation() { return ""; }

#endif

} // namespace polygpu

#endif
