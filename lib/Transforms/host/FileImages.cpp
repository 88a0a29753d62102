//===- FileImages.cpp - Images of the SCoPs of a file --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "host/FileImages.h"
#include "host/Descriptor.h"
#include "polygpu/abi.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/TimeProfiler.h"

using namespace llvm;

namespace polygpu {

namespace {

class ImageEmbedder {
public:
  ImageEmbedder(Module &M, std::vector<OffloadedFunction> &Functions,
                const Options &O, Remarks &R)
      : M(M), Functions(Functions), O(O), R(R) {}

  void run();

private:
  /// Where the user is told of a plan.
  struct Place {
    Function *F;
    DebugLoc Start;
  };

  Module &M;
  std::vector<OffloadedFunction> &Functions;
  const Options &O;
  Remarks &R;
  DenseMap<const PlanCode *, Place> Places;
  /// By their text, or cubin, in a LinkedCode.
  DenseMap<const std::string *, Constant *> Shared;

  std::vector<PlanCode *> findPlans();
  void link(ArrayRef<PlanCode *> Group);
  void addNewer(PlanCode &P);
  void tell(const PlanCode &P, const Assembled &Notes);
  Constant *own(unsigned Kind, unsigned Arch, StringRef Data);
  Constant *shared(unsigned Kind, unsigned Arch, const std::string &Data);
  SmallVector<Constant *, 4> imagesOf(const PlanCode &P);
};

std::vector<PlanCode *> ImageEmbedder::findPlans() {
  std::vector<PlanCode *> Plans;
  for (OffloadedFunction &Offloaded : Functions)
    for (OffloadedScop &Scop : Offloaded.Scops)
      for (PlanCode &P : Scop.Code) {
        Plans.push_back(&P);
        Places[&P] = {Offloaded.F, Scop.Nest.Start};
      }
  return Plans;
}

void ImageEmbedder::tell(const PlanCode &P, const Assembled &Notes) {
  const Place &At = Places[&P];
  if (!Notes.Problem.empty())
    R.warnAssembler(*At.F, Notes.Problem, Notes.Missing);
  if (Notes.Late)
    R.dependsOnMachine(*At.F, At.Start,
                       "ptxas was ended after " + std::to_string(O.Seconds) +
                           " seconds");
}

/// The plans of \p Group, if that can be; what goes wrong with all of them is
/// tried anew for each.
void ImageEmbedder::link(ArrayRef<PlanCode *> Group) {
  const PlanCode &First = *Group.front();
  if (Group.size() == 1 ||
      (O.Modules != ModuleOf::File && First.Cubins.empty()))
    return;
  Assembled Notes;
  std::string Apart;
  if (auto Why = linkPlans(Group, Notes))
    Apart = Why->Sentence;
  else if (!Notes.Problem.empty())
    Apart = Notes.Problem + ", for " + Notes.Missing;
  if (!Apart.empty())
    R.checked(*Places[&First].F, Places[&First].Start,
              "kernels of " + std::to_string(Group.size()) +
                  " loop nests could not be made one module (" + Apart + ")");
  if (Notes.Late)
    tell(First, {{}, "", "", true});
}

/// The cubin for architecture \p Arch, or null.
static const Cubin *find(const std::vector<Cubin> &Cubins, unsigned Arch) {
  auto It = find_if(Cubins, [&](const Cubin &C) { return C.Arch == Arch; });
  return It == Cubins.end() ? nullptr : &*It;
}

/// Cubins for newer architectures, where a plan has one for its own.
void ImageEmbedder::addNewer(PlanCode &P) {
  std::vector<Architecture> Missing;
  if (P.Cubins.empty())
    return;
  for (const Architecture &A : P.For->Newer)
    if (!P.Linked || !find(P.Linked->Cubins, A.Number))
      Missing.push_back(A);
  Assembled Newer = assembleFor(Missing, P.PTX, *P.For);
  tell(P, Newer);
  for (Cubin &C : Newer.Cubins)
    P.Cubins.push_back(std::move(C));
}

Constant *ImageEmbedder::own(unsigned Kind, unsigned Arch, StringRef Data) {
  bool IsText = Kind == POLYGPU_IMAGE_PTX;
  return createImage(Kind, Arch, createImageData(M, Data, IsText), nullptr);
}

Constant *ImageEmbedder::shared(unsigned Kind, unsigned Arch,
                                const std::string &Data) {
  Constant *&Image = Shared[&Data];
  bool IsText = Kind == POLYGPU_IMAGE_PTX;
  if (!Image)
    Image = createImage(Kind, Arch, createImageData(M, Data, IsText),
                        createImageWord(M));
  return Image;
}

SmallVector<Constant *, 4> ImageEmbedder::imagesOf(const PlanCode &P) {
  static const std::vector<Cubin> None;
  SmallVector<Constant *, 4> List;
  auto Add = [&](unsigned Arch) {
    if (const Cubin *C = find(P.Linked ? P.Linked->Cubins : None, Arch))
      List.push_back(shared(POLYGPU_IMAGE_CUBIN, Arch, C->Data));
    else if (const Cubin *C = find(P.Cubins, Arch))
      List.push_back(own(POLYGPU_IMAGE_CUBIN, Arch, C->Data));
  };
  Add(P.For->Arch);
  for (const Architecture &A : P.For->Newer)
    Add(A.Number);
  if (P.Linked && !P.Linked->PTX.empty())
    List.push_back(shared(POLYGPU_IMAGE_PTX, P.For->Arch, P.Linked->PTX));
  else
    List.push_back(own(POLYGPU_IMAGE_PTX, P.For->Arch, P.PTX));
  return List;
}

void ImageEmbedder::run() {
  TimeTraceScope Time("PolyGPU: images");
  std::vector<PlanCode *> Plans = findPlans();
  for (const std::vector<PlanCode *> &Group : groupPlans(Plans))
    link(Group);
  for (PlanCode *P : Plans)
    addNewer(*P);
  for (OffloadedFunction &Offloaded : Functions)
    for (OffloadedScop &Scop : Offloaded.Scops) {
      SmallVector<SmallVector<Constant *, 4>, 2> Images;
      for (const PlanCode &P : Scop.Code)
        Images.push_back(imagesOf(P));
      if (!Images.empty())
        setImages(*Scop.Descriptor, Images);
    }
}

} // namespace

void embedImages(Module &M, std::vector<OffloadedFunction> &Functions,
                 const Options &O, Remarks &R) {
  ImageEmbedder(M, Functions, O, R).run();
}

} // namespace polygpu
