//===- IndirectUpdates.h - Updates at places that data say ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// h[idx[i]] += w of integers, with an operator whose updates come in any order
// and that devices have as an atomic operation.  Like an indirect read it is a
// call (prepare/IndirectReads.h), whose body has the read, the operation and
// the store:
//
//   %t = call i32 @polygpu.indirect(ptr %h, i64 %offset, i32 %w)
//   store (load %token) + %t, %token
//
// flag[idx[i]] = c, of one value in all iterations, is one too, whose operation
// has that value for a result: in whatever order, the bits are the same.
//
// The token, a variable of the function's own, keeps the call alive: the model
// of a SCoP has an update of it where the program has one of h.  It is nowhere
// on the device, and the core does not know of it.
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_INDIRECTUPDATES_H
#define POLYGPU_INDIRECTUPDATES_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Instructions.h"
#include <optional>
#include <string>

namespace llvm {
class AllocaInst;
class CallInst;
class Function;
class LoadInst;
class Loop;
class ScalarEvolution;
class StoreInst;
class Value;
} // namespace llvm

namespace polygpu {

/// The call \p V is, if it stands for an update.
const llvm::CallInst *indirectUpdate(const llvm::Value *V);

/// What it does to the element, and with which value of the caller's.
llvm::AtomicRMWInst::BinOp updateOperator(const llvm::CallInst &Call);
llvm::Value *updateValue(const llvm::CallInst &Call);

/// Is \p Base the token of an update?
bool isUpdateToken(const llvm::Value *Base);

/// The call that \p Store, a store to a token, keeps alive; null if that is not
/// clear.
const llvm::CallInst *updateBehind(const llvm::StoreInst &Store);

/// An update of an element.
struct IndirectUpdate {
  llvm::LoadInst *Old;
  llvm::StoreInst *New;
  /// From the old value to the new one, and which operand is the former; none
  /// where that is any value.
  llvm::SmallVector<std::pair<llvm::Instruction *, unsigned>, 2> Path;
  llvm::AtomicRMWInst::BinOp Op;
};

/// Have "if (x > h[k]) h[k] = x", where \p Old is h[k], be a maximum that is
/// always stored, which findUpdate finds; false if it is something else.
bool straightenExtreme(llvm::LoadInst &Old, llvm::ScalarEvolution &SE);

/// Does the program store what \p Call does only where it changes something?
bool isOnlyChange(const llvm::CallInst &Call);

/// If so, have \p Body of such a call do that, too.
void storeOnlyChange(llvm::Function &Body);

/// The update of which \p Old reads the old value, if it is one of those above.
std::optional<IndirectUpdate> findUpdate(llvm::LoadInst &Old,
                                         llvm::ScalarEvolution &SE);

/// The outermost loop around a load that reads at a place that data say, or
/// null.
using PlaceOfLoad =
    llvm::function_ref<const llvm::Loop *(const llvm::LoadInst &)>;

/// The update that \p Store is, of a value that is the same in all iterations,
/// at a place that \p Find finds: its old value, which is a new load, and no
/// path.
std::optional<IndirectUpdate> findSameValue(llvm::StoreInst &Store,
                                            const PlaceOfLoad &Find,
                                            llvm::ScalarEvolution &SE);

/// Why \p Store is none, though it writes what it computes from the same
/// element, as the end of a sentence; "" if it does not.
std::string whyNoUpdate(const llvm::StoreInst &Store);

/// The value with which \p U updates, computed before its store.
llvm::Value *makeUpdateValue(const IndirectUpdate &U);

/// Put the update into \p Body, behind the address, instead of where it was,
/// and have a token keep the call \p Call alive.
void moveUpdate(const IndirectUpdate &U, llvm::Function &Body,
                llvm::Value &Address, llvm::CallInst &Call);

/// Take away the token of \p Call, which is about to be inlined.
void dropToken(llvm::CallInst &Call);

} // namespace polygpu

#endif
