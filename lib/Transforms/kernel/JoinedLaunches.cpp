//===- JoinedLaunches.cpp - Several launches in one -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kernel/JoinedLaunches.h"
#include "kernel/AstBuilder.h"
#include "kernel/KernelBlocks.h"
#include "target/SharedLayout.h"
#include "verify/Mutate.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace polygpu {

/// Instructions of all kernels.  They are not in the program a second time.
static constexpr unsigned MostInstructions = 40000;

//===-- Launches of the host ----------------------------------------------===//

LaunchList::LaunchList(isl_ast_node *Node) {
  if (!add(isl_ast_node_copy(Node), {}))
    List.clear();
}

LaunchList::~LaunchList() {
  for (isl_ast_expr *Guard : Guards)
    isl_ast_expr_free(Guard);
}

bool LaunchList::add(isl_ast_node *Node,
                     const std::vector<isl_ast_expr *> &Around) {
  bool Only = true;
  switch (isl_ast_node_get_type(Node)) {
  case isl_ast_node_if: {
    Only = isl_ast_node_if_has_else_node(Node) == isl_bool_false;
    Guards.push_back(isl_ast_node_if_get_cond(Node));
    std::vector<isl_ast_expr *> All(Around);
    All.push_back(Guards.back());
    Only = Only && add(isl_ast_node_if_get_then_node(Node), All);
    break;
  }
  case isl_ast_node_block: {
    isl_ast_node_list *Children = isl_ast_node_block_get_children(Node);
    isl_size N = isl_ast_node_list_size(Children);
    for (int I = 0; Only && I < N; ++I)
      Only = add(isl_ast_node_list_get_at(Children, I), Around);
    isl_ast_node_list_free(Children);
    break;
  }
  case isl_ast_node_user: {
    const pg_user *U = AstBuilder::userOf(Node);
    Only = U && U->kind == PG_USER_LAUNCH;
    if (Only)
      List.push_back({U, Around});
    break;
  }
  default:
    Only = false;
  }
  isl_ast_node_free(Node);
  return Only;
}

bool LaunchList::isSame(unsigned I, unsigned J) const {
  const pg_user &L = *List[I].User, &R = *List[J].User;
  bool Same = L.n == R.n;
  for (unsigned A = 0; Same && A < L.n; ++A)
    Same = isl_ast_expr_is_equal(L.args[A], R.args[A]) == isl_bool_true;
  return Same;
}

int LaunchList::joinedAt(unsigned I, const DeviceCode &Code) const {
  for (unsigned J = 0; J < Code.Joined.size(); ++J) {
    ArrayRef<unsigned> Kernels = Code.Joined[J].Kernels;
    bool Same = I + Kernels.size() <= List.size();
    for (unsigned K = 0; Same && K < Kernels.size(); ++K)
      Same = List[I + K].User->index == Kernels[K] && isSame(I, I + K);
    if (Same)
      return J;
  }
  return -1;
}

bool LaunchList::hasJoined(const DeviceCode &Code) const {
  for (unsigned I = 0; I < List.size(); ++I)
    if (joinedAt(I, Code) >= 0)
      return true;
  return false;
}

//===-- Which launches ----------------------------------------------------===//

namespace {

/// Finds and makes joined launches.
class Joiner {
public:
  Joiner(const pg_plan &Plan, const pg_options &Options, DeviceCode &Code)
      : Plan(Plan), Options(Options), Code(Code), Launches(Plan.n_kernel),
        Joined(Plan.n_kernel) {}

  void run();

private:
  const pg_plan &Plan;
  const pg_options &Options;
  DeviceCode &Code;
  std::vector<unsigned> Launches, Joined; ///< of each kernel, in the host's AST

  bool isBeside(unsigned A, unsigned B) const;
  bool canJoin(const LaunchList &List, unsigned Begin, unsigned I) const;
  void addArguments(const LaunchList &List, unsigned Begin,
                    const KernelBlocks &Blocks, JoinedLaunches &All) const;
  void addBody(const LaunchList &List, unsigned Begin,
               const JoinedLaunches &All, KernelBlocks &Blocks,
               Function &F) const;
  void add(const LaunchList &List, unsigned Begin, unsigned End);
  void join(const LaunchList &List);
  void count(const LaunchList &List);
  void walk(__isl_keep isl_ast_node *Node, bool InLoop, bool IsCounting);
};

bool Joiner::isBeside(unsigned A, unsigned B) const {
  return isMutated(Mutation::Beside, Plan.kernels[B].name) ||
         pg_kernels_beside(&Plan, A, B, &Options);
}

/// May launch number \p I run at the same time as those from \p Begin on?
/// What a block has of a multiprocessor has to be alike, so that none of the
/// kernels has fewer blocks there for the sake of another one: threads, shared
/// memory, and whether a thread keeps many elements in registers.
bool Joiner::canJoin(const LaunchList &List, unsigned Begin, unsigned I) const {
  unsigned New = List.get()[I].User->index;
  const pg_kernel &Kernel = Plan.kernels[New];
  for (unsigned J = Begin; J < I; ++J) {
    unsigned Old = List.get()[J].User->index;
    const pg_kernel &Other = Plan.kernels[Old];
    if (Old == New || !List.isSame(J, I) ||
        threadsOf(Other) != threadsOf(Kernel) ||
        (Other.mapping->n_buffer > 0) != (Kernel.mapping->n_buffer > 0) ||
        Code.SharedBytes[Old] != Code.SharedBytes[New])
      return false;
  }
  for (unsigned J = Begin; J < I; ++J)
    if (!isBeside(List.get()[J].User->index, New))
      return false;
  return true;
}

/// The parameter of the joined kernel for \p A of the kernel of launch number
/// \p I.
static KernelArg argumentOf(const KernelArg &A, unsigned I) {
  if (A.Kind != KernelArg::Blocks)
    return A;
  return {KernelArg::Beside, I, 3 + A.Dim, nullptr, nullptr, A.Ty};
}

/// How many dimensions the grid of \p Launch has.
static unsigned dimsOf(const GuardedLaunch &Launch) {
  unsigned Dims = 1;
  for (unsigned D = 1; D < 3; ++D)
    if (Launch.User->grid[D])
      Dims = D + 1;
  return Dims;
}

/// Block \p Number, i32, of a grid of \p Dims dimensions, with as few divisions
/// as that takes: a thread may have no more to do than one.
static Position placeOf(IRBuilder<> &B, Value *Number, Argument *Extents,
                        unsigned Dims) {
  Value *Zero = B.getInt32(0);
  if (Dims == 1)
    return {Number, Zero, Zero};
  Value *Rows = B.CreateUDiv(Number, Extents);
  Value *X = B.CreateSub(Number, B.CreateMul(Rows, Extents));
  if (Dims == 2)
    return {X, Rows, Zero};
  Value *Planes = B.CreateUDiv(Rows, Extents + 1);
  return {X, B.CreateSub(Rows, B.CreateMul(Planes, Extents + 1)), Planes};
}

/// What the kernel for the launches from \p Begin on gets that \p All has the
/// kernels of; numbers of blocks come first.
void Joiner::addArguments(const LaunchList &List, unsigned Begin,
                          const KernelBlocks &Blocks,
                          JoinedLaunches &All) const {
  Type *I32 = Type::getInt32Ty(Code.Module->getContext());
  for (unsigned I = 0; I < All.Kernels.size(); ++I)
    for (unsigned D = 0; D < dimsOf(List.get()[Begin + I]); ++D)
      All.Args.push_back({KernelArg::Beside, I, D, nullptr, nullptr, I32});
  Blocks.addArguments(All.Args);
  for (unsigned I = 0; I < All.Kernels.size(); ++I)
    for (const KernelArg &A : Code.Args[All.Kernels[I]])
      if (KernelArg Own = argumentOf(A, I); !is_contained(All.Args, Own))
        All.Args.push_back(Own);
}

/// Which of the launches from \p Begin on a block is of, by its number, and
/// what it does there.
void Joiner::addBody(const LaunchList &List, unsigned Begin,
                     const JoinedLaunches &All, KernelBlocks &Blocks,
                     Function &F) const {
  Module &M = *Code.Module;
  IRBuilder<> B(&F.getEntryBlock());
  Value *Thread = askThread(B, M, All.Threads), *Number = askBlock(B, M);
  BasicBlock *Out = BasicBlock::Create(M.getContext(), "end", &F);
  Argument *Extents = F.getArg(0);
  for (unsigned I = 0; I < All.Kernels.size(); ++I) {
    unsigned Dims = dimsOf(List.get()[Begin + I]);
    Value *Count = Extents;
    for (unsigned D = 1; D < Dims; ++D)
      Count = B.CreateMul(Count, Extents + D);
    BasicBlock *Own = BasicBlock::Create(M.getContext(), "own", &F, Out);
    BasicBlock *Others = BasicBlock::Create(M.getContext(), "others", &F, Out);
    B.CreateCondBr(B.CreateICmpULT(Number, Count), Own, Others);
    B.SetInsertPoint(Own);
    SmallVector<Value *, 16> Passed;
    for (const KernelArg &A : Code.Args[All.Kernels[I]])
      Passed.push_back(
          F.getArg(find(All.Args, argumentOf(A, I)) - All.Args.begin()));
    Blocks.call(B, All.Kernels[I], Passed, placeOf(B, Number, Extents, Dims),
                Thread);
    B.CreateBr(Out);
    B.SetInsertPoint(Others);
    Number = B.CreateSub(Number, Count);
    Extents += Dims;
  }
  B.CreateBr(Out);
  B.SetInsertPoint(Out);
  B.CreateRetVoid();
}

/// A kernel for the launches from \p Begin to before \p End.
void Joiner::add(const LaunchList &List, unsigned Begin, unsigned End) {
  JoinedLaunches All;
  for (unsigned I = Begin; I < End; ++I) {
    All.Kernels.push_back(List.get()[I].User->index);
    All.HasBarrier |= Plan.kernels[All.Kernels.back()].has_barrier;
  }
  All.Name = std::string(Plan.kernels[All.Kernels.front()].name) + "_joined";
  Module &M = *Code.Module;
  if (M.getFunction(All.Name) ||
      !canShareBlocks(Plan, M, All.Kernels, MostInstructions, All.Threads))
    return;
  KernelBlocks Blocks(M, Plan, Code, All.Kernels, All.Name, All.Threads);
  addArguments(List, Begin, Blocks, All);
  Function *F = Blocks.create(All.Args);
  addBody(List, Begin, All, Blocks, *F);
  if (!Blocks.finish()) {
    F->eraseFromParent();
    return;
  }
  All.SharedBytes = sharedLayout(*F).Bytes;
  Code.Joined.push_back(std::move(All));
}

/// Join neighbours of \p List, as many as can be.
void Joiner::join(const LaunchList &List) {
  unsigned N = List.get().size();
  for (unsigned I = 0, End; I < N; I = End) {
    for (End = I + 1; End < N && canJoin(List, I, End); ++End)
      ;
    if (End - I > 1 && List.joinedAt(I, Code) < 0)
      add(List, I, End);
  }
}

/// Count the launches of \p List, and those that are joined.
void Joiner::count(const LaunchList &List) {
  for (unsigned I = 0; I < List.get().size();) {
    int J = List.joinedAt(I, Code);
    unsigned End = I + (J < 0 ? 1 : Code.Joined[J].Kernels.size());
    for (; I < End; ++I) {
      unsigned K = List.get()[I].User->index;
      ++Launches[K];
      Joined[K] += J >= 0;
      if (J >= 0)
        Code.PartOf[K] = J;
    }
  }
}

/// Look at the launches in \p Node, which is in a loop of the host or not: to
/// join those in loops, or, as the host's code will have them, to count.
void Joiner::walk(isl_ast_node *Node, bool InLoop, bool IsCounting) {
  auto Below = [&](isl_ast_node *Child, bool Loop) {
    walk(Child, Loop, IsCounting);
    isl_ast_node_free(Child);
  };
  if (InLoop || IsCounting) {
    LaunchList List(Node);
    if (IsCounting)
      count(List);
    else
      join(List);
    if (!List.get().empty())
      return;
  }
  switch (isl_ast_node_get_type(Node)) {
  case isl_ast_node_for:
    Below(isl_ast_node_for_get_body(Node),
          InLoop || isl_ast_node_for_is_degenerate(Node) == isl_bool_false);
    break;
  case isl_ast_node_if:
    Below(isl_ast_node_if_get_then_node(Node), InLoop);
    if (isl_ast_node_if_has_else_node(Node) == isl_bool_true)
      Below(isl_ast_node_if_get_else_node(Node), InLoop);
    break;
  case isl_ast_node_mark:
    Below(isl_ast_node_mark_get_node(Node), InLoop);
    break;
  case isl_ast_node_block: {
    isl_ast_node_list *List = isl_ast_node_block_get_children(Node);
    isl_size N = isl_ast_node_list_size(List);
    for (int I = 0; I < N; ++I)
      Below(isl_ast_node_list_get_at(List, I), InLoop);
    isl_ast_node_list_free(List);
    break;
  }
  default:
    break;
  }
}

void Joiner::run() {
  walk(Plan.host, /*InLoop=*/false, /*IsCounting=*/false);
  if (Code.Joined.empty())
    return;
  Code.PartOf.assign(Plan.n_kernel, -1);
  walk(Plan.host, /*InLoop=*/false, /*IsCounting=*/true);
  // Kernels that are launched alone as well are no parts.
  for (unsigned K = 0; K < Plan.n_kernel; ++K)
    if (Launches[K] != Joined[K])
      Code.PartOf[K] = -1;
}

} // namespace

void addJoinedLaunches(const pg_plan &Plan, const pg_options &Options,
                       DeviceCode &Code) {
  Joiner(Plan, Options, Code).run();
}

} // namespace polygpu
