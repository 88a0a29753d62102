//===- Kernel.cpp - Device code of a SCoP ---------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kernel/CarryLoads.h"
#include "kernel/CodeLength.h"
#include "kernel/KernelBuilder.h"
#include "target/SharedLayout.h"
#include "target/Target.h"
#include "verify/Mutate.h"
#include "llvm/IR/ConstantRange.h"
#include "llvm/IR/DIBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"

using namespace llvm;
using polly::MemoryAccess;

namespace polygpu {

FunctionCallee deviceFunction(Module &M, const char *Name,
                              ArrayRef<Type *> Params) {
  FunctionCallee Callee = M.getOrInsertFunction(
      Name, FunctionType::get(Type::getVoidTy(M.getContext()), Params, false));
  auto *F = cast<Function>(Callee.getCallee());
  F->setDoesNotThrow();
  F->setWillReturn();
  for (Argument &A : F->args())
    if (A.getType()->isPointerTy())
      A.addAttr(
          Attribute::getWithCaptureInfo(M.getContext(), CaptureInfo::none()));
  return Callee;
}

void KernelBuilder::refuse(const Instruction *I, const char *Name,
                           const std::string &Text) {
  if (!Why)
    Why = Refusal{Name, Text, I ? I->getDebugLoc() : DebugLoc(),
                  const_cast<Instruction *>(I)};
}

Value *KernelBuilder::argument(KernelArg A, const Twine &Name) {
  for (unsigned I = 0; I < Args.size(); ++I) {
    const KernelArg &O = Args[I];
    if (O.Kind == A.Kind && O.Index == A.Index && O.Dim == A.Dim &&
        O.Expr == A.Expr && O.V == A.V)
      return Placeholders[I];
  }
  BasicBlock &Entry = B.GetInsertBlock()->getParent()->getEntryBlock();
  auto *P =
      new FreezeInst(PoisonValue::get(A.Ty), Name, Entry.getFirstInsertionPt());
  Args.push_back(A);
  Placeholders.push_back(P);
  return P;
}

/// The position in dimension \p Dim, which has \p Size.
Value *KernelBuilder::position(const char *Function, unsigned Dim,
                               unsigned Size) {
  FunctionCallee Callee = M.getOrInsertFunction(
      Function, FunctionType::get(B.getInt32Ty(), {B.getInt32Ty()}, false));
  cast<llvm::Function>(Callee.getCallee())
      ->setMemoryEffects(MemoryEffects::none());
  CallInst *Call = B.CreateCall(Callee, {B.getInt32(Dim)});
  Call->addRangeRetAttr(ConstantRange(APInt(32, 0), APInt(32, Size)));
  return B.CreateZExtOrTrunc(Call, IndexType);
}

Value *KernelBuilder::unknownVariable(StringRef Name) {
  for (unsigned I = 0; I < K.n_host; ++I)
    if (Name == K.host[I])
      return argument({KernelArg::Host, I, 0, nullptr, nullptr, IndexType},
                      Name);
  const pg_scop *P = Plan.scop;
  for (unsigned I = 0; I < P->n_param; ++I)
    if (Name == P->params[I].name)
      return argument({KernelArg::Param, I, 0, nullptr, nullptr, IndexType},
                      Name);
  return fail();
}

/// Where tiles were chosen for the machine, the outermost loops are those over
/// the tiles of a block, of which there is one unless the grid is as large as
/// it may be.
bool KernelBuilder::isTileLoop(StringRef Name) const {
  unsigned Depth;
  return K.mapping->min_blocks && !Name.drop_front().getAsInteger(10, Depth) &&
         Depth < K.mapping->n_grid;
}

Value *KernelBuilder::hideOrigin(Value *V) {
  Type *Ty = V->getType();
  FunctionCallee Same = M.getOrInsertFunction(
      Ty->isIntegerTy(32) ? Same32Name : Same64Name, Ty, Ty);
  auto *F = cast<Function>(Same.getCallee());
  F->setDoesNotThrow();
  F->setWillReturn();
  F->setMemoryEffects(MemoryEffects::none());
  return B.CreateCall(Same, {V});
}

void KernelBuilder::setDebugLoc(const DebugLoc &Loc) {
  if (SP && Loc)
    B.SetCurrentDebugLocation(
        DILocation::get(B.getContext(), Loc.getLine(), Loc.getCol(), SP));
}

/// Has the kernel become so long that there is no use in going on?
bool KernelBuilder::isTooLong() {
  if (++Users % 64 ||
      B.GetInsertBlock()->getParent()->getInstructionCount() <= MaxGenerated)
    return false;
  refuse(nullptr, "CodeSize", "");
  fail();
  return true;
}

void KernelBuilder::user(const pg_user &U) {
  if (isTooLong())
    return;
  if (U.kind == PG_USER_BARRIER)
    return barrier();
  if (U.kind == PG_USER_COPY)
    return fillBuffer(U);
  if (U.kind == PG_USER_LOAD || U.kind == PG_USER_STORE)
    return moveRegister(U);
  if (U.kind != PG_USER_STMT) {
    fail();
    return;
  }
  User = &U;
  const pg_stmt &Source = Plan.scop->stmts[U.index];
  if (Source.copy)
    return copy();
  Stmt = Imported.Stmts[Source.origin];
  Iterators.clear();
  Values.clear();
  for (unsigned I = 0; I < U.n; ++I)
    Iterators.push_back(expr(U.args[I]));
  statement();
}

Value *KernelBuilder::condition(Value *Test) {
  return isMutated(Mutation::Guard, K.name) ? B.getTrue() : Test;
}

/// Copies that loops have not begun have to have arrived.
void KernelBuilder::barrier(bool OfLoop) {
  if (isMutated(Mutation::Barrier, K.name))
    return;
  if (Filled && !OfLoop)
    tell(WaitName, 0);
  FunctionCallee Callee = deviceFunction(M, BarrierName, {});
  cast<Function>(Callee.getCallee())->addFnAttr(Attribute::Convergent);
  B.CreateCall(Callee)->setConvergent();
}

unsigned KernelBuilder::accessIndex(const MemoryAccess *MA) const {
  const auto &List = Imported.Accesses[Plan.scop->stmts[User->index].origin];
  return std::find(List.begin(), List.end(), MA) - List.begin();
}

Align KernelBuilder::alignment(unsigned Array) const {
  // Device copies start aligned and keep the distance between elements.
  unsigned Size = Plan.scop->arrays[Array].elem_size;
  return Align(Size & (~Size + 1));
}

/// The address of an array on the device, and how many elements from there the
/// one with these subscripts is.
std::pair<Value *, Value *>
KernelBuilder::globalPlace(unsigned Array, ArrayRef<Value *> Subscripts) {
  Value *Base = argument(
      {KernelArg::Array, Array, 0, nullptr, nullptr, B.getPtrTy(GlobalSpace)},
      Plan.scop->arrays[Array].name);
  Value *Offset = nullptr;
  for (unsigned D = 0; D < Subscripts.size(); ++D) {
    Value *Index = B.CreateSExtOrTrunc(Subscripts[D], B.getInt64Ty());
    if (Offset)
      Index = B.CreateNSWAdd(B.CreateNSWMul(Offset, extent(Array, D)), Index);
    Offset = Index;
  }
  if (!Offset)
    Offset = B.getInt64(0);
  if (isMutated(Mutation::Index, K.name))
    Offset = B.CreateAdd(Offset, B.getInt64(1));
  return {Base, Offset};
}

Value *KernelBuilder::globalAddress(unsigned Array,
                                    ArrayRef<Value *> Subscripts) {
  auto [Base, Offset] = globalPlace(Array, Subscripts);
  auto *C = dyn_cast<ConstantInt>(Offset);
  return C && C->isZero() ? Base
                          : B.CreateGEP(elementType(Array), Base, Offset);
}

SmallVector<Value *, 4> KernelBuilder::subscripts(unsigned Access) {
  SmallVector<Value *, 4> Result;
  for (isl_ast_expr **E = User->access[Access]; *E; ++E)
    Result.push_back(expr(*E));
  return Result;
}

/// The address of what an access that is not redirected to a buffer accesses.
Value *KernelBuilder::address(unsigned Access) {
  unsigned Array = Plan.scop->stmts[User->index].accesses[Access].array;
  return Plan.local[Array] ? variable(Array)
                           : globalAddress(Array, subscripts(Access));
}

Buffers::Box KernelBuilder::box(const pg_user &U) {
  Buffers::Box Result = {U.index, {}, nullptr};
  for (unsigned I = 0; I < U.n; ++I)
    Result.Corner.push_back(expr(U.args[I]));
  if (U.whole)
    Result.Whole = toBool(expr(U.whole));
  auto *Known = dyn_cast_or_null<ConstantInt>(Result.Whole);
  if (Known && Known->isOne())
    Result.Whole = nullptr;
  return Result;
}

/// All threads fill a buffer in shared memory, without registers if that can
/// be; a loop that runs ahead needs these.  Beside such a loop, one element at
/// a time will do.
void KernelBuilder::fillBuffer(const pg_user &U) {
  if (isMutated(Mutation::Copy, K.name))
    return;
  const pg_buffer &Buf = K.mapping->buffers[U.index];
  Buffers::Box Box = box(U);
  if (!Buf.async)
    return Closer.copy(Box);
  bool Transformed = Closer.isTransformed(U.index);
  if (Buf.stages > 1)
    Box.Whole = B.getFalse();
  if (Buf.stages > 1 || Transformed)
    Closer.copyAt(Box, Closer.start(Box, 1), 1, nullptr);
  else
    Closer.copyAsync(Box);
  tell(CommitName);
  Filled = true;
  if (!Transformed)
    return;
  // By the thread that copied the factor: no other one sees it yet.
  if (!isMutated(Mutation::Barrier, K.name))
    tell(WaitName, 0);
  Closer.transformAt(U.index, 1, nullptr);
}

//===-- Registers and memory ----------------------------------------------===//

/// Load a register from memory, or store it there.
void KernelBuilder::moveRegister(const pg_user &U) {
  unsigned Array = K.mapping->buffers[U.index].array;
  if (Plan.local[Array])
    return;
  SmallVector<Value *, 4> Subscripts, Point;
  for (unsigned I = 0; I < U.n; ++I)
    Subscripts.push_back(expr(U.args[I]));
  for (isl_ast_expr **E = U.access[0]; *E; ++E)
    Point.push_back(expr(*E));
  Value *Memory = globalAddress(Array, Subscripts);
  Type *Ty = elementType(Array);
  bool Known = true;
  if (U.kind == PG_USER_LOAD) {
    Known = Closer.store(U.index, Point,
                         B.CreateAlignedLoad(Ty, Memory, alignment(Array)));
  } else if (Value *V = Closer.load(U.index, Point, Ty)) {
    Stored.set(Array);
    B.CreateAlignedStore(V, Memory, alignment(Array));
  } else {
    Known = false;
  }
  if (!Known)
    fail();
}

/// The thread's own variable for an array.
Value *KernelBuilder::variable(unsigned Array) {
  Value *&V = Variables[Array];
  if (!V) {
    BasicBlock &Entry = B.GetInsertBlock()->getParent()->getEntryBlock();
    V = new AllocaInst(
        elementType(Array), M.getDataLayout().getAllocaAddrSpace(),
        Plan.scop->arrays[Array].name, Entry.getFirstInsertionPt());
  }
  return V;
}

Type *KernelBuilder::elementType(unsigned Array) const {
  return Imported.ElementTypes[Plan.scop->arrays[Array].origin];
}

/// The number of elements of an array in dimension \p Dim, as i64.
Value *KernelBuilder::extent(unsigned Array, unsigned Dim) {
  const pg_array &A = Plan.scop->arrays[Array];
  if (A.kind != PG_ARRAY_TEMPORARY) {
    const SCEV *Size = Imported.Arrays[Array]->getDimensionSize(Dim);
    if (const auto *C = dyn_cast<SCEVConstant>(Size))
      return B.getInt64(C->getAPInt().getSExtValue());
  }
  return argument(
      {KernelArg::Extent, Array, Dim, nullptr, nullptr, B.getInt64Ty()},
      Twine(A.name) + "_size" + Twine(Dim));
}

/// A statement of the core's.
void KernelBuilder::copy() {
  const pg_stmt &S = Plan.scop->stmts[User->index];
  unsigned From = S.accesses[0].array, To = S.accesses[1].array;
  guarded(User->guard[0], [&] {
    storeElement(1, To, loadElement(0, From, elementType(From)));
  });
}

/// Load an element.  A scalar that is mapped to it may have another type, and
/// has its bits there.
Value *KernelBuilder::loadElement(unsigned Access, unsigned Array, Type *Ty) {
  Type *Element = elementType(Array), *Bits = Ty;
  int Buffer = User->redirected ? User->redirected[Access] : -1;
  if (Element != Ty)
    Bits = B.getIntNTy(8 * Plan.scop->arrays[Array].elem_size);
  Value *V = Buffer < 0
                 ? B.CreateAlignedLoad(Bits, address(Access), alignment(Array))
                 : Closer.load(Buffer, subscripts(Access), Bits);
  if (!V) {
    fail();
    return PoisonValue::get(Ty);
  }
  if (Element == Ty)
    return V;
  return B.CreateBitCast(
      B.CreateTrunc(V, B.getIntNTy(Ty->getScalarSizeInBits())), Ty);
}

void KernelBuilder::storeElement(unsigned Access, unsigned Array, Value *V) {
  int Buffer = User->redirected ? User->redirected[Access] : -1;
  if (elementType(Array) != V->getType())
    V = B.CreateZExt(
        B.CreateBitCast(V, B.getIntNTy(V->getType()->getScalarSizeInBits())),
        B.getIntNTy(8 * Plan.scop->arrays[Array].elem_size));
  if (Buffer >= 0) {
    if (!Closer.store(Buffer, subscripts(Access), V))
      fail();
    return;
  }
  Stored.set(Array);
  B.CreateAlignedStore(V, address(Access), alignment(Array));
}

//===-- The function ------------------------------------------------------===//

/// Replace the draft by a function with the parameters that turned out to be
/// needed.
/// Element 0 of an array is at least so aligned (runtime/core/transfer.c).
static const Align RuntimeAlign(16);

/// Are the lengths of rows numbers?  Then the alignment of element 0 makes LLVM
/// see vectors in neighbouring loads and stores.  Where they are not it would
/// only get other registers.
static bool hasKnownRows(const pg_array &Array) {
  bool Known = Array.n_dim > 1;
  for (unsigned D = 1; D < Array.n_dim; ++D)
    Known = Known && isl_pw_aff_is_cst(Array.extent[D]) == isl_bool_true;
  return Known;
}

void KernelBuilder::finish(Function *Draft) {
  SmallVector<Type *, 16> Types;
  for (const KernelArg &A : Args)
    Types.push_back(A.Ty);
  auto *F = Function::Create(FunctionType::get(B.getVoidTy(), Types, false),
                             GlobalValue::ExternalLinkage, "", M);
  F->takeName(Draft);
  F->copyAttributesFrom(Draft);
  F->setSubprogram(Draft->getSubprogram());
  Draft->setSubprogram(nullptr);
  F->splice(F->begin(), Draft);
  for (unsigned I = 0; I < Args.size(); ++I) {
    Argument *A = F->getArg(I);
    A->takeName(Placeholders[I]);
    Placeholders[I]->replaceAllUsesWith(A);
    Placeholders[I]->eraseFromParent();
    if (Args[I].Kind == KernelArg::Extent)
      A->addAttr(Attribute::get(M.getContext(), ExtentAttribute));
    if (Args[I].Kind != KernelArg::Array)
      continue;
    // Every array has a device buffer of its own.  Where threads read what
    // others write, though, noalias would say that nobody else does: LLVM would
    // keep values across barriers.
    bool Exchanged = K.has_barrier && K.mapping->n_buffer == 0;
    if (!Exchanged || !Stored.test(Args[I].Index))
      A->addAttr(Attribute::NoAlias);
    A->addAttr(
        Attribute::getWithCaptureInfo(M.getContext(), CaptureInfo::none()));
    if (!Stored.test(Args[I].Index))
      A->addAttr(Attribute::ReadOnly);
    if (hasKnownRows(Plan.scop->arrays[Args[I].Index]))
      A->addAttr(Attribute::getWithAlignment(M.getContext(), RuntimeAlign));
  }
  Draft->eraseFromParent();
}

std::optional<Refusal> KernelBuilder::run(std::vector<KernelArg> &Result) {
  auto *Draft = Function::Create(FunctionType::get(B.getVoidTy(), false),
                                 GlobalValue::ExternalLinkage, K.name, M);
  Draft->setDoesNotThrow();
  Draft->addFnAttr("nvvm.reqntid", std::to_string(K.mapping->block[0]) + "," +
                                       std::to_string(K.mapping->block[1]) +
                                       "," +
                                       std::to_string(K.mapping->block[2]));
  // Without this, ptxas may spill rather than have fewer blocks at a time.
  if (K.mapping->min_blocks)
    Draft->addFnAttr("nvvm.minctasm", std::to_string(K.mapping->min_blocks));
  if (DISubprogram *Source = S.getFunction().getSubprogram()) {
    DIBuilder DIB(M, false, nullptr);
    DIFile *File =
        DIB.createFile(Source->getFilename(), Source->getDirectory());
    DIB.createCompileUnit(
        DISourceLanguageName(Source->getUnit()->getSourceLanguage()), File,
        "polygpu", true, "", 0, "",
        DICompileUnit::DebugEmissionKind::DebugDirectivesOnly);
    SP = DIB.createFunction(
        File, K.name, K.name, File, K.line,
        DIB.createSubroutineType(DIB.getOrCreateTypeArray({})), K.line,
        DINode::FlagZero, DISubprogram::SPFlagDefinition);
    Draft->setSubprogram(SP);
    DIB.finalize();
  }
  Stored.resize(Plan.scop->n_array);
  findProducts();
  B.SetInsertPoint(BasicBlock::Create(M.getContext(), "entry", Draft));
  B.SetCurrentDebugLocation(
      SP ? DebugLoc(DILocation::get(M.getContext(), K.line, 0, SP))
         : DebugLoc());
  for (unsigned D = 0; D < K.mapping->n_grid; ++D)
    define("b" + std::to_string(D),
           position(BlockIdName, D, K.mapping->grid_limit[D]));
  for (unsigned D = 0; D < K.mapping->n_block; ++D)
    define("t" + std::to_string(D),
           position(ThreadIdName, D, K.mapping->block[D]));
  node(K.ast);
  B.CreateRetVoid();
  if (!Why && failed())
    Why = Refusal{"Expression",
                  "the code for the kernel contains an expression that is "
                  "not supported; please report this with the source",
                  DebugLoc()};
  if (Why)
    return Why;
  finish(Draft);
  Result = std::move(Args);
  return std::nullopt;
}

std::optional<Refusal> generateKernels(const pg_plan &Plan,
                                       const ImportedScop &Imported,
                                       polly::Scop &S, DeviceCode &Result) {
  Function &Host = S.getFunction();
  LLVMContext &Ctx = Host.getContext();
  Result.Module = std::make_unique<Module>("polygpu.device", Ctx);
  Result.Module->setDataLayout(deviceDataLayout());
  if (Host.getSubprogram())
    Result.Module->addModuleFlag(Module::Warning, "Debug Info Version",
                                 DEBUG_METADATA_VERSION);
  IRBuilder<> B(Ctx);
  auto *IndexType = IntegerType::get(Ctx, Plan.index_bits);
  for (unsigned I = 0; I < Plan.n_kernel; ++I) {
    Result.Args.emplace_back();
    KernelBuilder Builder(B, IndexType, *Result.Module, Plan, Plan.kernels[I],
                          Imported, S);
    if (auto Why = Builder.run(Result.Args.back())) {
      Result.Module.reset();
      if (Why->Name == "CodeSize")
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

} // namespace polygpu
