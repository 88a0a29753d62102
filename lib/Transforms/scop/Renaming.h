//===- Renaming.h - isl's objects with the core's names ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Polly and the core keep their isl objects in contexts of their own, between
// which there is only text.  So what goes over gets identifiers with the core's
// names first, and is printed then.
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_RENAMING_H
#define POLYGPU_RENAMING_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringRef.h"
#include <isl/isl-noexceptions.h>
#include <isl/schedule_node.h>

namespace polygpu {

class Renaming {
public:
  /// All objects go to the context \p To.
  explicit Renaming(isl_ctx *To) : To(To) {}

  /// \p Id, of a parameter or a tuple, is called \p Name in the core.
  void add(const isl::id &Id, llvm::StringRef Name);

  // Null after an error.
  __isl_give isl_set *copy(const isl::set &S) const;
  __isl_give isl_map *copy(const isl::map &M) const;
  __isl_give isl_pw_aff *copy(const isl::pw_aff &A) const;
  __isl_give isl_union_set *copy(const isl::union_set &S) const;
  /// Of domain, bands, marks, sequences and sets, as schedules are that nobody
  /// has changed: bands have no properties.
  __isl_give isl_schedule *copy(const isl::schedule &S) const;

private:
  /// Both in the context they come from; keys stay as long as they are held.
  struct Names {
    isl::id Old, New;
  };

  isl_ctx *To;
  llvm::DenseMap<isl_id *, Names> Ids; ///< by Names::Old

  template <typename T> T *params(T *Object) const;
  __isl_give isl_id *renamed(__isl_take isl_id *Id) const;
  __isl_give isl_set *rename(__isl_take isl_set *S) const;
  __isl_give isl_map *rename(__isl_take isl_map *M) const;
  __isl_give isl_pw_aff *rename(__isl_take isl_pw_aff *A) const;
  __isl_give isl_multi_union_pw_aff *
  copy(__isl_take isl_multi_union_pw_aff *Band) const;
  __isl_give isl_union_set_list *
  childrenOf(__isl_keep isl_schedule_node *Node) const;
  __isl_give isl_id *markOf(__isl_keep isl_schedule_node *Node) const;
  __isl_give isl_schedule_node *build(__isl_take isl_schedule_node *At,
                                      __isl_take isl_schedule_node *From) const;
};

} // namespace polygpu

#endif
