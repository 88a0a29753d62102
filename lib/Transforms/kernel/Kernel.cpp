//===- Kernel.cpp - Device code of a SCoP --------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kernel/Kernel.h"
#include "kernel/Operators.h"
#include "kernel/Pipeline.h"
#include "kernel/Statement.h"
#include "target/SharedLayout.h"
#include "target/TargetDescription.h"
#include "verify/Mutate.h"
#include "llvm/IR/ConstantRange.h"
#include "llvm/IR/DIBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"

using namespace llvm;

namespace polygpu {

namespace {

/// Generates one kernel: goes over its AST, and leaves to its parts what the
/// nodes stand for.
class KernelBuilder final : public AstBuilder {
public:
  KernelBuilder(IRBuilder<> &B, IntegerType *IndexType, Module &M,
                const pg_plan &Plan, const pg_kernel &K,
                const ImportedScop &Imported, polly::Scop &S);

  /// Generate what is to be printed for people, with the parameters \p Like.
  void makeReadable(const std::vector<KernelArg> &Like, bool Ahead) {
    C.Readable = Readable = true;
    C.Ahead = Ahead;
    First = &Like;
  }

  std::optional<Refusal> run(std::vector<KernelArg> &Result);

  /// Generate what runs on the CPU.
  void makeForHost() { C.ForHost = true; }

  /// Is the refusal that there is too much code?
  bool isTooLong() const { return C.TooLong; }

private:
  KernelContext C;
  Arguments Args;
  Memory Mem;
  Buffers Bufs;
  Copier Copy;
  Products Prod;
  Pipeliner Pipe;
  EarlyLoads Early;
  const std::vector<KernelArg> *First = nullptr; ///< parameters, or null

  Value *position(const char *Function, unsigned Dim, unsigned Size);
  void tiles(unsigned D);
  Value *unknownVariable(StringRef Name) override;
  Value *condition(Value *Test) override;
  bool isTileLoop(int Depth) const override;
  Value *hideOrigin(Value *V) override;
  void marked(StringRef Mark, isl_ast_node *Node) override;
  void user(const pg_user &U) override;
  void statement(const pg_user &U);
  void endPoints() override { Early.run(); }
  void made(const pg_user &U);
  void barrier(bool OfLoop);
  void meet(bool OfLoop);
  void useProducts();
};

KernelBuilder::KernelBuilder(IRBuilder<> &B, IntegerType *IndexType, Module &M,
                             const pg_plan &Plan, const pg_kernel &K,
                             const ImportedScop &Imported, polly::Scop &S)
    : AstBuilder(B, IndexType), C{B, M, Plan, K, Imported, S}, Args(C),
      Mem(C, Args), Bufs(C, Mem), Copy(C, *this, Mem, Bufs), Prod(C, Mem),
      Pipe(C, *this, Bufs, Copy, [this](bool OfLoop) { barrier(OfLoop); }) {
  useProducts();
}

/// Buffers get the products that are kept in them.
void KernelBuilder::useProducts() {
  for (const auto &[Buffer, Product] : Prod.all())
    Copy.transform(Buffer, [this, P = Product](Value *V) {
      Value *New = B.CreateFMul(V, outerValue(C, Args, P.Factor));
      if (auto *I = dyn_cast<Instruction>(New))
        I->copyFastMathFlags(P.Of);
      return New;
    });
}

//===-- Positions and loops -----------------------------------------------===//

/// The position in dimension \p Dim, which has \p Size.
Value *KernelBuilder::position(const char *Function, unsigned Dim,
                               unsigned Size) {
  FunctionCallee Callee = C.M.getOrInsertFunction(
      Function, FunctionType::get(B.getInt32Ty(), {B.getInt32Ty()}, false));
  cast<llvm::Function>(Callee.getCallee())
      ->setMemoryEffects(MemoryEffects::none());
  CallInst *Call = B.CreateCall(Callee, {B.getInt32(Dim)});
  Call->addRangeRetAttr(ConstantRange(APInt(32, 0), APInt(32, Size)));
  if (Readable &&
      !(Function == StringRef(BlockIdName) && hasMoreTiles(C.K, Dim)))
    setPrintedName(Call, (Function == StringRef(BlockIdName) ? "b" : "t") +
                             std::to_string(Dim));
  return B.CreateZExtOrTrunc(Call, IndexType);
}

Value *KernelBuilder::unknownVariable(StringRef Name) {
  for (unsigned I = 0; I < C.K.n_host; ++I)
    if (Name == C.K.host[I])
      return Args.get({KernelArg::Host, I, 0, nullptr, nullptr, IndexType},
                      Name);
  const pg_scop *P = C.Plan.scop;
  for (unsigned I = 0; I < P->n_param; ++I)
    if (Name == P->params[I].name)
      return Args.get({KernelArg::Param, I, 0, nullptr, nullptr, IndexType},
                      Name);
  return fail();
}

/// Where tiles were chosen for the machine, the outermost loops are those over
/// the tiles of a block, of which there is one unless the grid is as large as
/// it may be.
bool KernelBuilder::isTileLoop(int Depth) const {
  return C.K.mapping->min_blocks && Depth >= 0 &&
         unsigned(Depth) < C.K.mapping->n_grid;
}

Value *KernelBuilder::hideOrigin(Value *V) {
  if (Readable)
    return V;
  Type *Ty = V->getType();
  FunctionCallee Same = C.M.getOrInsertFunction(
      Ty->isIntegerTy(32) ? Same32Name : Same64Name, Ty, Ty);
  auto *F = cast<Function>(Same.getCallee());
  F->setDoesNotThrow();
  F->setWillReturn();
  F->setMemoryEffects(MemoryEffects::none());
  return B.CreateCall(Same, {V});
}

Value *KernelBuilder::condition(Value *Test) {
  return isMutated(Mutation::Guard, C.K.name) ? B.getTrue() : Test;
}

void KernelBuilder::marked(StringRef Mark, isl_ast_node *Node) {
  if (!C.Ahead || Mark != PG_MARK_PIPELINE || !Pipe.run(Node))
    node(Node);
}

//===-- Nodes -------------------------------------------------------------===//

void KernelBuilder::user(const pg_user &U) {
  if (C.hasBecomeTooLong()) {
    fail();
    return;
  }
  switch (U.kind) {
  case PG_USER_BARRIER:
    return barrier(false);
  case PG_USER_COPY:
    return Copy.fill(U);
  case PG_USER_BACK:
    return Copy.bringBack(U);
  case PG_USER_LOAD:
  case PG_USER_STORE:
    return Copy.moveRegister(U);
  case PG_USER_STMT:
    return C.Plan.scop->stmts[U.index].kind ? made(U) : statement(U);
  default:
    fail();
  }
}

void KernelBuilder::statement(const pg_user &U) {
  SmallVector<Value *, 8> Counters;
  for (unsigned I = 0; I < U.n; ++I)
    Counters.push_back(expr(U.args[I]));
  BasicBlock *Block = B.GetInsertBlock();
  bool AtEnd = B.GetInsertPoint() == Block->end();
  Instruction *Last = Block->empty() ? nullptr : &Block->back();
  StatementCloner(C, *this, Args, Mem, Bufs, Prod, U, Counters).run();
  if (AtEnd && B.GetInsertBlock() == Block && !path().empty())
    Early.add(
        {Last ? std::next(Last->getIterator()) : Block->begin(), Block->end()},
        path());
}

/// A statement of the core's.
void KernelBuilder::made(const pg_user &U) {
  const pg_stmt &S = C.Plan.scop->stmts[U.index];
  Accesses At(C, *this, Mem, Bufs, U);
  Type *Ty = Mem.elementType(At.array(0));
  for (unsigned A = 0; A < S.n_access; ++A)
    if (S.accesses[A].write && C.Plan.scop->arrays[At.array(A)].flagged) {
      fail(); // nobody would know when the program writes it
      return;
    }
  guarded(At.guard(0), [&] {
    if (S.kind == PG_STMT_COPY)
      At.store(1, At.load(0, Ty));
    else if (S.kind == PG_STMT_FILL)
      At.store(0, neutralValue(S.op, Ty));
    else
      At.store(2, combine(B, S.op, At.load(0, Ty), At.load(1, Ty)));
  });
}

void KernelBuilder::barrier(bool OfLoop) {
  if (!isMutated(Mutation::Barrier, C.K.name))
    meet(OfLoop);
}

void KernelBuilder::meet(bool OfLoop) {
  if (!OfLoop)
    Copy.arrive();
  FunctionCallee Callee = deviceFunction(C.M, BarrierName, {});
  cast<Function>(Callee.getCallee())->addFnAttr(Attribute::Convergent);
  B.CreateCall(Callee)->setConvergent();
}

//===-- The function ------------------------------------------------------===//

/// Give \p Draft what it needs for lines of the source.
static DISubprogram *describeLines(KernelContext &C, Function &Draft) {
  DISubprogram *Source = C.S.getFunction().getSubprogram();
  if (!Source)
    return nullptr;
  DIBuilder DIB(C.M, false, nullptr);
  DIFile *File = DIB.createFile(Source->getFilename(), Source->getDirectory());
  DIB.createCompileUnit(
      DISourceLanguageName(Source->getUnit()->getSourceLanguage()), File,
      "polygpu", true, "", 0, "",
      DICompileUnit::DebugEmissionKind::DebugDirectivesOnly);
  DISubprogram *SP = DIB.createFunction(
      File, C.K.name, C.K.name, File, C.K.line,
      DIB.createSubroutineType(DIB.getOrCreateTypeArray({})), C.K.line,
      DINode::FlagZero, DISubprogram::SPFlagDefinition);
  Draft.setSubprogram(SP);
  DIB.finalize();
  return SP;
}

/// What a block does, for the numbers of a tile in dimensions from \p D on that
/// are defined.  Where there may be more than blocks, it goes on with others.
void KernelBuilder::tiles(unsigned D) {
  if (D == 0)
    return node(C.K.ast);
  if (!hasMoreTiles(C.K, --D))
    return tiles(D);
  std::string Name = "b" + std::to_string(D);
  Value *Count = Args.get(
      {KernelArg::Blocks, 0, D, nullptr, nullptr, IndexType}, "blocks");
  Value *First = position(BlockIdName, D, PG_GRID_YZ);
  BasicBlock *Before = B.GetInsertBlock();
  LLVMContext &Ctx = C.M.getContext();
  llvm::Function *F = Before->getParent();
  auto *Header = BasicBlock::Create(Ctx, "tile", F);
  B.CreateBr(Header);
  B.SetInsertPoint(Header);
  PHINode *Tile = B.CreatePHI(IndexType, 2, Name);
  if (Readable)
    setPrintedName(Tile, Name);
  Tile->addIncoming(First, Before);
  define(Name, C.K.mapping->min_blocks ? hideOrigin(Tile) : Tile);
  tiles(D);
  Value *Next = B.CreateNSWAdd(Tile, ConstantInt::get(IndexType, PG_GRID_YZ));
  auto *Again = BasicBlock::Create(Ctx, "tile.next", F);
  auto *After = BasicBlock::Create(Ctx, "tile.end", F);
  B.CreateCondBr(B.CreateICmpSLT(Next, Count), Again, After);
  B.SetInsertPoint(Again);
  if (C.K.has_barrier)
    meet(false);
  Tile->addIncoming(Next, B.GetInsertBlock());
  BranchInst *Back = B.CreateBr(Header);
  if (C.K.mapping->min_blocks)
    markLoop(Back, "llvm.licm.disable");
  B.SetInsertPoint(After);
}

std::optional<Refusal> KernelBuilder::run(std::vector<KernelArg> &Result) {
  const pg_kernel &K = C.K;
  const pg_mapping &Mapping = *K.mapping;
  auto *Draft = Function::Create(FunctionType::get(B.getVoidTy(), false),
                                 GlobalValue::ExternalLinkage, K.name, C.M);
  Draft->setDoesNotThrow();
  setLaunchBounds(*Draft, Mapping.block, Mapping.min_blocks);
  if (Mapping.vectors)
    Draft->addFnAttr(VectorsAttribute);
  C.SP = describeLines(C, *Draft);
  B.SetInsertPoint(BasicBlock::Create(C.M.getContext(), "entry", Draft));
  B.SetCurrentDebugLocation(
      C.SP ? DebugLoc(DILocation::get(C.M.getContext(), K.line, 0, C.SP))
           : DebugLoc());
  if (First)
    Args.begin(*First);
  for (unsigned D = 0; D < Mapping.n_grid; ++D)
    if (!hasMoreTiles(K, D))
      define("b" + std::to_string(D),
             position(BlockIdName, D, Mapping.grid_limit[D]));
  for (unsigned D = 0; D < Mapping.n_block; ++D)
    define("t" + std::to_string(D),
           position(ThreadIdName, D, Mapping.block[D]));
  tiles(Mapping.n_grid);
  B.CreateRetVoid();
  if (!C.Why && failed())
    C.refuse(nullptr, "Expression",
             "the code for the kernel contains an expression that is "
             "not supported; please report this with the source");
  if (C.Why)
    return C.Why;
  Args.finish(Draft, Mem.stored());
  Result = std::move(Args.List);
  return std::nullopt;
}

} // namespace

static std::optional<Refusal>
generate(const pg_plan &Plan, const ImportedScop &Imported, polly::Scop &S,
         const DeviceCode *Like, bool Ahead, bool ForHost, DeviceCode &Result) {
  Function &Host = S.getFunction();
  LLVMContext &Ctx = Host.getContext();
  Result.Module = std::make_unique<Module>("polygpu.device", Ctx);
  Result.Module->setDataLayout(gpuTarget().DataLayout);
  if (Host.getSubprogram())
    Result.Module->addModuleFlag(Module::Warning, "Debug Info Version",
                                 DEBUG_METADATA_VERSION);
  IRBuilder<> B(Ctx);
  auto *IndexType = IntegerType::get(Ctx, Plan.index_bits);
  for (unsigned I = 0; I < Plan.n_kernel; ++I) {
    Result.Args.emplace_back();
    KernelBuilder Builder(B, IndexType, *Result.Module, Plan, Plan.kernels[I],
                          Imported, S);
    if (ForHost)
      Builder.makeForHost();
    if (Like)
      Builder.makeReadable(Like->Args[I], Ahead);
    if (auto Why = Builder.run(Result.Args.back())) {
      Result.Module.reset();
      if (Builder.isTooLong())
        Result.TooLong = I;
      return Why;
    }
    Result.SharedBytes.push_back(
        sharedLayout(*Result.Module->getFunction(Plan.kernels[I].name)).Bytes);
  }
  std::string Text;
  raw_string_ostream OS(Text);
  if (verifyModule(*Result.Module, &OS))
    return Refusal{"InvalidKernel",
                   "the generated kernel is not valid (" + Text +
                       "); please report this with the source",
                   DebugLoc()};
  return std::nullopt;
}

std::optional<Refusal> generateKernels(const pg_plan &Plan,
                                       const ImportedScop &Imported,
                                       polly::Scop &S, DeviceCode &Result) {
  return generate(Plan, Imported, S, nullptr, true, false, Result);
}

std::optional<Refusal> generateHostKernels(const pg_plan &Plan,
                                           const ImportedScop &Imported,
                                           polly::Scop &S, DeviceCode &Result) {
  return generate(Plan, Imported, S, nullptr, true, true, Result);
}

std::optional<Refusal> generateReadableKernels(const pg_plan &Plan,
                                               const ImportedScop &Imported,
                                               polly::Scop &S,
                                               const DeviceCode &Like,
                                               bool Ahead, DeviceCode &Result) {
  return generate(Plan, Imported, S, &Like, Ahead, false, Result);
}

} // namespace polygpu
