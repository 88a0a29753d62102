//===- FileModule.cpp - Device code of several SCoPs, linked -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "target/FileModule.h"
#include "target/Target.h"
#include "target/Toolkit.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

using namespace llvm;

namespace polygpu {

bool wantsLinking(const Options &O) {
  return O.PTX && (O.Modules == ModuleOf::File ||
                   (O.Modules == ModuleOf::Auto && O.EmbedCubin &&
                    hasAssembler(O.CudaPath)));
}

/// What is not to be in one module with other things.  A device needs only one
/// of several plans.
static auto kindOf(const PlanCode &P) {
  return std::make_tuple(P.For, P.Plans, P.Variant, P.Cubins.empty(),
                         optionLine(P.PTX));
}

static bool fits(const PlanCode &P, ArrayRef<PlanCode *> Group) {
  return kindOf(P) == kindOf(*Group.front()) &&
         none_of(Group, [&](const PlanCode *Other) {
           return any_of(P.Kernels, [&](const std::string &Name) {
             return is_contained(Other->Kernels, Name);
           });
         });
}

std::vector<std::vector<PlanCode *>>
groupPlans(const std::vector<PlanCode *> &Plans) {
  std::vector<std::vector<PlanCode *>> Groups;
  for (PlanCode *P : Plans) {
    auto It = P->Optimised.empty() ? Groups.end()
                                   : find_if(Groups, [&](const auto &Group) {
                                       return fits(*P, Group);
                                     });
    if (It == Groups.end())
      Groups.push_back({P});
    else
      It->push_back(P);
  }
  return Groups;
}

/// Comments on kernels, which come first.
static StringRef commentsOf(StringRef PTX) {
  StringRef Rest = PTX.drop_front(optionLine(PTX).size());
  return Rest.take_front(Rest.find("//\n"));
}

/// As assemble() has left the texts that were linked.
static void finishText(ArrayRef<PlanCode *> Group, std::string &PTX) {
  std::string Head = optionLine(Group.front()->PTX).str();
  for (const PlanCode *P : Group) {
    for (const std::string &Name : P->Kernels)
      copyBlocks(P->PTX, Name, PTX);
    Head += commentsOf(P->PTX);
  }
  PTX = Head + PTX;
}

std::optional<Refusal> linkPlans(ArrayRef<PlanCode *> Group, Assembled &Notes) {
  const Options &O = *Group.front()->For;
  auto Linked = std::make_shared<LinkedCode>();
  SmallVector<StringRef, 8> Parts;
  for (const PlanCode *P : Group)
    Parts.push_back(P->Optimised);
  if (auto Why = linkToPTX(Parts, O, Linked->PTX))
    return Why;
  finishText(Group, Linked->PTX);
  if (!Group.front()->Cubins.empty()) {
    std::vector<Architecture> All = {{O.Arch, O.Processor}};
    append_range(All, O.Newer);
    Notes = assembleFor(All, Linked->PTX, O, Group.size());
    Linked->Cubins = std::move(Notes.Cubins);
  }
  if (O.Modules != ModuleOf::File)
    Linked->PTX.clear();
  for (PlanCode *P : Group)
    P->Linked = Linked;
  return std::nullopt;
}

} // namespace polygpu
