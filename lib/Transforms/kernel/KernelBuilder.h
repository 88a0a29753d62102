//===- KernelBuilder.h - Generates one kernel ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Only for Kernel.cpp (positions, memory, the function), Pipeline.cpp (loops
// whose copies run ahead) and Statement.cpp (what a statement computes).
//
//===----------------------------------------------------------------------===//
#ifndef POLYGPU_KERNELBUILDER_H
#define POLYGPU_KERNELBUILDER_H

#include "kernel/AstBuilder.h"
#include "kernel/Buffers.h"
#include "kernel/Kernel.h"
#include "polly/ScopInfo.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include <optional>

namespace polygpu {

struct AsyncCopies;
struct Pipeline;

/// Generates one kernel.
///
/// The function gets its parameters last, when it is known what is needed:
/// until then every parameter is a placeholder instruction.
class KernelBuilder final : public AstBuilder {
public:
  KernelBuilder(llvm::IRBuilder<> &B, llvm::IntegerType *IndexType,
                llvm::Module &M, const pg_plan &Plan, const pg_kernel &K,
                const ImportedScop &Imported, polly::Scop &S)
      : AstBuilder(B, IndexType), M(M), Plan(Plan), K(K), Imported(Imported),
        S(S), SE(*S.getSE()),
        Closer(
            B, M, *this, Plan, K, [this](unsigned A) { return elementType(A); },
            [this](unsigned A, llvm::ArrayRef<llvm::Value *> Subscripts) {
              return globalPlace(A, Subscripts);
            }) {}

  std::optional<Refusal> run(std::vector<KernelArg> &Args);

private:
  llvm::Module &M;
  const pg_plan &Plan;
  const pg_kernel &K;
  const ImportedScop &Imported;
  polly::Scop &S;
  llvm::ScalarEvolution &SE;
  unsigned Users = 0; ///< nodes of the AST until now
  std::vector<KernelArg> Args;
  std::vector<llvm::Instruction *> Placeholders;
  std::optional<Refusal> Why;
  llvm::DISubprogram *SP = nullptr;

  // The statement instance that is being generated.
  polly::ScopStmt *Stmt = nullptr;
  const pg_user *User = nullptr;
  llvm::SmallVector<llvm::Value *, 8> Iterators;
  llvm::DenseMap<llvm::Value *, llvm::Value *> Values;

  /// Of arrays that have one of the thread.
  llvm::DenseMap<unsigned, llvm::Value *> Variables;
  Buffers Closer;
  bool Filled = false; ///< has anything been copied that may be on its way?
  /// By buffer in shared memory: the product that it has instead of a factor.
  llvm::DenseMap<unsigned, const llvm::Instruction *> Products;
  llvm::BitVector Stored; ///< by array: does the kernel write it?

  llvm::Value *argument(KernelArg A, const llvm::Twine &Name);
  llvm::Value *position(const char *Function, unsigned Dim, unsigned Size);
  void refuse(const llvm::Instruction *I, const char *Name,
              const std::string &Text);
  llvm::Value *unknownVariable(llvm::StringRef Name) override;
  llvm::Value *condition(llvm::Value *Test) override;
  bool isTileLoop(llvm::StringRef Name) const override;
  llvm::Value *hideOrigin(llvm::Value *V) override;
  bool isTooLong();
  void user(const pg_user &U) override;
  void statement();
  void barrier(bool OfLoop = false);
  void copy();
  Buffers::Box box(const pg_user &U);
  void fillBuffer(const pg_user &U);
  void findProducts();
  void marked(llvm::StringRef Mark, isl_ast_node *Node) override;
  bool keepsBusy() const;
  bool readPipeline(isl_ast_node *Node, Pipeline &P) const;
  llvm::Value *isFast(const Pipeline &P, llvm::Value *First,
                      llvm::Value *Second);
  void pipelinedLoop(const Pipeline &P, llvm::Value *First, llvm::Value *Second,
                     bool Fast);
  llvm::SmallVector<llvm::Value *, 4>
  distances(const Pipeline &P, llvm::Value *First, llvm::Value *Second);
  bool isAsync(const Pipeline &P) const;
  void tell(const char *Name, std::optional<unsigned> Number = std::nullopt);
  void useStages(const Pipeline &P, llvm::Value *Iteration,
                 llvm::ArrayRef<llvm::Value *> Stages);
  AsyncCopies startCopies(const Pipeline &P, llvm::Value *First,
                          llvm::Value *Second, bool Fast);
  void copyAhead(const Pipeline &P, AsyncCopies &Copies, llvm::Value *Iteration,
                 llvm::Value *Stage);
  llvm::Value *stageBehind(llvm::Value *Stage, unsigned Steps, unsigned N);
  void finishCopies(const Pipeline &P, const AsyncCopies &Copies,
                    unsigned Pending, llvm::ArrayRef<llvm::Value *> Stages);
  void asyncLoop(const Pipeline &P, llvm::Value *First, llvm::Value *Second,
                 bool Fast);
  void moveRegister(const pg_user &U);
  llvm::Value *variable(unsigned Array);
  llvm::Type *elementType(unsigned Array) const;
  llvm::Value *extent(unsigned Array, unsigned Dim);
  unsigned accessIndex(const polly::MemoryAccess *MA) const;
  std::pair<llvm::Value *, llvm::Value *>
  globalPlace(unsigned Array, llvm::ArrayRef<llvm::Value *> Subscripts);
  llvm::Value *globalAddress(unsigned Array,
                             llvm::ArrayRef<llvm::Value *> Subscripts);
  llvm::SmallVector<llvm::Value *, 4> subscripts(unsigned Access);
  llvm::Value *address(unsigned Access);
  llvm::Align alignment(unsigned Array) const;
  llvm::Value *loadElement(unsigned Access, unsigned Array, llvm::Type *Ty);
  void storeElement(unsigned Access, unsigned Array, llvm::Value *V);
  llvm::Value *loadAccess(const polly::MemoryAccess *MA, llvm::Type *Ty);
  void storeAccess(const polly::MemoryAccess *MA, llvm::Value *V);
  llvm::LoadInst *factorInBuffer(const llvm::Instruction *I) const;
  void instruction(llvm::Instruction *I);
  llvm::Value *call(llvm::CallInst *Call);
  llvm::Value *value(llvm::Value *V);
  llvm::Value *scev(const llvm::SCEV *E);
  llvm::Value *scevNAry(const llvm::SCEVNAryExpr *E);
  llvm::Value *addRec(const llvm::SCEVAddRecExpr *E);
  bool isInvariant(const llvm::SCEV *E) const;
  void finish(llvm::Function *Draft);
  void setDebugLoc(const llvm::DebugLoc &Loc);
};

} // namespace polygpu

#endif
