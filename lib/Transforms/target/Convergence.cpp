//===- Convergence.cpp - Warps that are together at barriers --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "target/Convergence.h"
#include "verify/Mutate.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Analysis/TargetTransformInfoImpl.h"
#include "llvm/Analysis/UniformityAnalysis.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"

using namespace llvm;

namespace polygpu {

namespace {

using Blocks = SmallPtrSet<const BasicBlock *, 8>;

Blocks withBarriers(const Function &F) {
  Blocks Result;
  for (const Instruction &I : instructions(F))
    if (const auto *Call = dyn_cast<IntrinsicInst>(&I))
      if (Call->getIntrinsicID() ==
          Intrinsic::nvvm_barrier_cta_sync_aligned_all)
        Result.insert(Call->getParent());
  return Result;
}

/// Is there a barrier in a block that is reached from the end of \p Test before
/// the block where all of its ways meet?
bool decidesBarrier(const BasicBlock &Test, const Blocks &Barriers,
                    const PostDominatorTree &PDT) {
  const DomTreeNode *Node = PDT.getNode(&Test);
  const DomTreeNode *Meet = Node ? Node->getIDom() : nullptr;
  const BasicBlock *Join = Meet ? Meet->getBlock() : nullptr;
  Blocks Seen;
  SmallVector<const BasicBlock *, 16> Open(successors(&Test));
  while (!Open.empty()) {
    const BasicBlock *Block = Open.pop_back_val();
    if (Block == Join || !Seen.insert(Block).second)
      continue;
    if (Barriers.contains(Block))
      return true;
    append_range(Open, successors(Block));
  }
  return false;
}

bool isLoopHeader(const BasicBlock &Block, const DominatorTree &DT) {
  return any_of(predecessors(&Block), [&](const BasicBlock *Before) {
    return DT.dominates(&Block, Before);
  });
}

/// Nothing, which all threads do together.
void mark(BasicBlock &Block) {
  IRBuilder<> B(Block.getTerminator());
  CallInst *Call = B.CreateCall(InlineAsm::get(
      FunctionType::get(B.getVoidTy(), false), "", "", /*SideEffects=*/true));
  Call->setConvergent();
  Call->setDoesNotThrow();
  Call->setMemoryEffects(MemoryEffects::inaccessibleMemOnly());
}

/// A loop with the marker in its header would not be turned into one whose test
/// is at its end; there are markers on all ways to the header instead.
void markTests(Function &F, const Blocks &Barriers) {
  PostDominatorTree PDT(F);
  DominatorTree DT(F);
  SmallPtrSet<BasicBlock *, 8> Marked;
  for (BasicBlock &Test : F) {
    if (Test.getTerminator()->getNumSuccessors() < 2 ||
        !decidesBarrier(Test, Barriers, PDT) ||
        isMutated(Mutation::Uniform, F.getName().str()))
      continue;
    if (isLoopHeader(Test, DT))
      Marked.insert_range(predecessors(&Test));
    else
      Marked.insert(&Test);
  }
  for (BasicBlock &Block : F)
    if (Marked.contains(&Block))
      mark(Block);
}

/// What is the same for all threads of a block.  NVPTX's own answer is that no
/// call is, not even one that reads the block's number.
class BlockUniformity final
    : public TargetTransformInfoImplCRTPBase<BlockUniformity> {
public:
  explicit BlockUniformity(const DataLayout &DL)
      : TargetTransformInfoImplCRTPBase(DL) {}

  bool hasBranchDivergence(const Function *) const override { return true; }

  /// Default: it is the same if all operands are.
  InstructionUniformity
  getInstructionUniformity(const Value *V) const override {
    return isa<AllocaInst, LoadInst, AtomicRMWInst, AtomicCmpXchgInst>(V) ||
                   differs(V)
               ? InstructionUniformity::NeverUniform
               : InstructionUniformity::Default;
  }

private:
  static bool differs(const Value *V) {
    const auto *Call = dyn_cast<CallInst>(V);
    if (!Call)
      return false;
    if (const auto *Asm = dyn_cast<InlineAsm>(Call->getCalledOperand()))
      return Asm->hasSideEffects();
    switch (Call->getIntrinsicID()) {
    case Intrinsic::nvvm_read_ptx_sreg_tid_x:
    case Intrinsic::nvvm_read_ptx_sreg_tid_y:
    case Intrinsic::nvvm_read_ptx_sreg_tid_z:
    case Intrinsic::nvvm_read_ptx_sreg_laneid:
      return true;
    default:
      return !Call->doesNotAccessMemory();
    }
  }
};

bool isMark(const Instruction &I) {
  const auto *Call = dyn_cast<CallInst>(&I);
  return Call && Call->isInlineAsm() && Call->isConvergent();
}

/// Does no thread get to the end of \p Block without a mark, or a barrier, and
/// no test after it?
bool isMarked(const BasicBlock &Block, const Blocks &Barriers, Blocks &Seen) {
  if (!Seen.insert(&Block).second || Barriers.contains(&Block) ||
      any_of(Block, isMark))
    return true;
  return !pred_empty(&Block) &&
         all_of(predecessors(&Block), [&](const BasicBlock *Before) {
           return Before->getSingleSuccessor() &&
                  isMarked(*Before, Barriers, Seen);
         });
}

/// A test with a mark is as the kernel has it.  It need not look uniform: isl
/// puts barriers below conditions on the thread that hold wherever those below
/// them do.
bool isApartAtBarrier(Function &F, FunctionAnalysisManager &FAM) {
  Blocks Barriers = withBarriers(F);
  if (Barriers.empty())
    return false;
  const auto &PDT = FAM.getResult<PostDominatorTreeAnalysis>(F);
  auto &Uniformity = FAM.getResult<UniformityInfoAnalysis>(F);
  return any_of(F, [&](const BasicBlock &Block) {
    Blocks Seen;
    return Uniformity.hasDivergentTerminator(Block) &&
           decidesBarrier(Block, Barriers, PDT) &&
           !isMarked(Block, Barriers, Seen);
  });
}

} // namespace

void markUniformTests(Module &M) {
  for (Function &F : M)
    if (Blocks Barriers = withBarriers(F); !Barriers.empty())
      markTests(F, Barriers);
}

std::string findApartAtBarrier(Module &M) {
  FunctionAnalysisManager FAM;
  FAM.registerPass([] {
    return TargetIRAnalysis([](const Function &F) {
      return TargetTransformInfo(
          std::make_unique<BlockUniformity>(F.getDataLayout()));
    });
  });
  PassBuilder().registerFunctionAnalyses(FAM);
  for (Function &F : M)
    if (!F.isDeclaration() && isApartAtBarrier(F, FAM))
      return F.getName().str();
  return "";
}

} // namespace polygpu
