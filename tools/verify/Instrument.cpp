//===- Instrument.cpp - A module that runs in memory of ours --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Instrument.h"
#include "Undefined.h"
#include "memory/memory.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/ValueHandle.h"
#include "llvm/Transforms/Utils/SimplifyLibCalls.h"

using namespace llvm;

namespace {

/// Bytes beside local variables that belong to none.
enum { Gap = 4096 };

/// Kernels and functions that call the runtime: the second execution, which is
/// not looked at.
bool isOffloaded(const Function &F) { return F.hasFnAttribute("polygpu"); }

/// A kernel, which unlike an offloaded function calls no runtime.
bool isKernel(const Function &F) {
  return isOffloaded(F) && none_of(instructions(F), [](const Instruction &I) {
           auto *Call = dyn_cast<CallBase>(&I);
           const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
           return Callee && Callee->getName().starts_with("polygpu_");
         });
}

verify_type typeOf(const Type *Ty) {
  Ty = Ty->getScalarType();
  if (Ty->isIntegerTy())
    return VERIFY_INTEGER;
  if (Ty->isHalfTy())
    return VERIFY_HALF;
  if (Ty->isFloatTy())
    return VERIFY_FLOAT;
  if (Ty->isDoubleTy())
    return VERIFY_DOUBLE;
  return Ty->isPointerTy() ? VERIFY_POINTER : VERIFY_OTHER;
}

/// What all fields of \p Ty are, like those of complex numbers; else itself.
const Type *fieldOf(const Type *Ty) {
  if (const auto *Fields = dyn_cast<StructType>(Ty))
    return Fields->getNumElements() && all_equal(Fields->elements())
               ? fieldOf(Fields->getElementType(0))
               : Ty;
  return Ty;
}

/// The same for memory: integers of different sizes are different ones.
unsigned memoryTypeOf(const Type *Ty) {
  Ty = fieldOf(Ty);
  verify_type Kind = typeOf(Ty);
  if (Kind != VERIFY_INTEGER)
    return Kind;
  unsigned Bytes = (Ty->getScalarSizeInBits() + 7) / 8;
  return Kind | Log2_32_Ceil(Bytes) << VERIFY_SIZE_SHIFT;
}

/// The same for what \p I loads or stores, of type \p Ty: where the program
/// says which of two types of the same size it is, the compiler goes by that.
unsigned accessTypeOf(const Instruction &I, const Type *Ty) {
  unsigned Known = memoryTypeOf(Ty);
  const MDNode *Tag = I.getMetadata(LLVMContext::MD_tbaa);
  const auto *Access = Tag && Tag->getNumOperands() >= 3
                           ? dyn_cast<MDNode>(Tag->getOperand(1))
                           : nullptr;
  const auto *Name = Access && Access->getNumOperands() > 0
                         ? dyn_cast<MDString>(Access->getOperand(0))
                         : nullptr;
  return Name && Name->getString() == "long long" ? Known | VERIFY_LONG_LONG
                                                  : Known;
}

class Instrumenter {
public:
  Instrumenter(Module &M, IsMathFunction IsMath)
      : M(M), IsMath(IsMath), Ctx(M.getContext()), DL(M.getDataLayout()),
        Void(Type::getVoidTy(Ctx)), Ptr(PointerType::get(Ctx, 0)),
        I32(Type::getInt32Ty(Ctx)), I64(Type::getInt64Ty(Ctx)) {}

  void run();

private:
  Module &M;
  IsMathFunction IsMath;
  LLVMContext &Ctx;
  const DataLayout &DL;
  Type *Void, *Ptr, *I32, *I64;
  uint64_t Stubs = 0;

  void dropWhatCannotRun();
  void simplifyCalls(Function &F, const TargetLibraryInfo &TLI);
  Value *keepApart(AllocaInst &A, Value *Size);
  void fill(AllocaInst &A);
  void fillVariables();
  void tell(IRBuilder<> &B, Value *Local, Value *Size);
  void keepArgumentsApart(Function &F);
  void plain(Instruction &I);
  bool stopAtAssembly(Instruction &I);
  void access(IRBuilder<> &B, Value *Address, Value *Size, bool Write,
              unsigned Type);
  void access(Instruction &I);
  void redirect(Function &F, StringRef To);
  void define(Function &F);
  Value *bitsOf(IRBuilder<> &B, Argument &A);
  void note(IRBuilder<> &B, Value *What, Argument &A);
  Value *result(IRBuilder<> &B, StringRef Ask, Value *What, Type *Ty);
};

/// Module-level things that need a loader or a thread.
void Instrumenter::dropWhatCannotRun() {
  StripDebugInfo(M);
  M.setModuleInlineAsm("");
  for (const char *Name : {"llvm.global_ctors", "llvm.global_dtors",
                           "llvm.used", "llvm.compiler.used"})
    if (GlobalVariable *G = M.getNamedGlobal(Name))
      G->eraseFromParent();
  for (GlobalVariable &G : M.globals()) {
    G.setThreadLocalMode(GlobalValue::NotThreadLocal);
    G.setComdat(nullptr);
    G.setSection("");
    // The runtime's variables are this program's own.
    if (G.isDeclaration() && G.getValueType()->isSized() &&
        !G.getName().starts_with("polygpu_")) {
      G.setInitializer(Constant::getNullValue(G.getValueType()));
      G.setLinkage(GlobalValue::InternalLinkage);
    }
  }
  for (Function &F : M)
    if (!F.isDeclaration()) {
      F.setComdat(nullptr);
      F.setSection("");
      F.setPrefixData(nullptr);
      F.setPrologueData(nullptr);
    }
}

/// A local variable of the first execution begins to exist: what is on the
/// stack and outside of all of them must not be accessed.
void Instrumenter::tell(IRBuilder<> &B, Value *Local, Value *Size) {
  B.CreateCall(M.getOrInsertFunction("verify_local", Void, Ptr, I64),
               {Local, Size});
}

/// Memory of \p Size bytes on the stack, with no variable beside it.
static Value *createApart(IRBuilder<> &B, Value *Size, Align Alignment) {
  AllocaInst *Whole =
      B.CreateAlloca(B.getInt8Ty(), B.CreateAdd(Size, B.getInt64(2 * Gap)));
  Whole->setAlignment(std::max(Alignment, Align(16)));
  return B.CreateConstGEP1_64(B.getInt8Ty(), Whole, Gap);
}

/// Arguments that the caller copied to the stack, beside variables of its own:
/// they are copied once more, to where nothing is beside them.
void Instrumenter::keepArgumentsApart(Function &F) {
  IRBuilder<> B(&*F.getEntryBlock().getFirstInsertionPt());
  for (Argument &A : F.args()) {
    if (!A.hasByValAttr())
      continue;
    Value *Size = B.getInt64(DL.getTypeAllocSize(A.getParamByValType()));
    Align Alignment = A.getParamAlign().valueOrOne();
    Value *Copy = createApart(B, Size, Alignment);
    A.replaceAllUsesWith(Copy);
    B.CreateMemCpy(Copy, Alignment, &A, Alignment, Size);
    tell(B, Copy, Size);
  }
}

/// Nothing that the program has lies beside a local array of a function as it
/// was written, alloca()'s included: what is read past its end or before its
/// front is no variable.  The array of \p Size bytes in a larger one, or null.
Value *Instrumenter::keepApart(AllocaInst &A, Value *Size) {
  Type *Ty = A.getAllocatedType();
  if (isOffloaded(*A.getFunction()) || A.isUsedWithInAlloca() ||
      A.getAlign() > Align(Gap) ||
      !(A.isArrayAllocation() || Ty->isArrayTy() || Ty->isStructTy()))
    return nullptr;
  for (User *U : make_early_inc_range(A.users()))
    if (auto *I = dyn_cast<Instruction>(U); I && I->isLifetimeStartOrEnd())
      I->eraseFromParent();
  IRBuilder<> B(&A);
  return createApart(B, Size, A.getAlign());
}

/// Bytes of a local variable that are read before they are written, as where a
/// loop that is to write them has no iteration: the same in both executions.
void Instrumenter::fill(AllocaInst &A) {
  IRBuilder<> Before(&A);
  Value *Size = Before.CreateMul(
      Before.CreateZExtOrTrunc(A.getArraySize(), I64),
      Before.getInt64(
          DL.getTypeAllocSize(A.getAllocatedType()).getKnownMinValue()));
  Value *Apart = keepApart(A, Size), *Variable = Apart ? Apart : &A;
  // Only now: what stood behind the variable may be gone.
  IRBuilder<> B(A.getNextNode());
  if (Apart)
    A.replaceAllUsesWith(Apart);
  if (!isOffloaded(*A.getFunction()))
    tell(B, Variable, Size);
  B.CreateMemSet(Variable, B.getInt8(VERIFY_UNSET), Size, A.getAlign());
  if (Apart)
    A.eraseFromParent();
}

void Instrumenter::fillVariables() {
  SmallVector<AllocaInst *, 16> Variables;
  for (Function &F : M)
    if (!isKernel(F))
      for (Instruction &I : instructions(F))
        if (auto *A = dyn_cast<AllocaInst>(&I))
          Variables.push_back(A);
  for (AllocaInst *A : Variables)
    fill(*A);
}

/// What assembly reads and writes is not known: nothing follows from executing
/// it.  Without text it only keeps the compiler from moving other instructions.
/// True if \p I is gone.
bool Instrumenter::stopAtAssembly(Instruction &I) {
  auto *Call = dyn_cast<CallBase>(&I);
  if (!Call || !Call->isInlineAsm() ||
      cast<InlineAsm>(Call->getCalledOperand())->getAsmString().empty())
    return false;
  IRBuilder<>(&I).CreateCall(M.getOrInsertFunction("verify_assembly", Void));
  if (I.isTerminator())
    return false;
  I.replaceAllUsesWith(PoisonValue::get(I.getType()));
  I.eraseFromParent();
  return true;
}

/// One way of computing for both executions: a multiplication and an addition
/// that may be fused are, and nothing else is.
void Instrumenter::plain(Instruction &I) {
  if (isa<FPMathOperator>(I)) {
    I.copyFastMathFlags(FastMathFlags());
    I.setMetadata(LLVMContext::MD_fpmath, nullptr);
  }
  auto *II = dyn_cast<IntrinsicInst>(&I);
  if (!II)
    return;
  if (II->getIntrinsicID() == Intrinsic::fmuladd) {
    II->setCalledFunction(
        Intrinsic::getOrInsertDeclaration(&M, Intrinsic::fma, {II->getType()}));
  } else if (II->getIntrinsicID() == Intrinsic::threadlocal_address) {
    II->replaceAllUsesWith(II->getArgOperand(0));
    II->eraseFromParent();
  }
}

void Instrumenter::access(IRBuilder<> &B, Value *Address, Value *Size,
                          bool Write, unsigned Type) {
  if (Address->getType()->getPointerAddressSpace() != 0 ||
      isa<AllocaInst>(Address))
    return;
  FunctionCallee Ask =
      M.getOrInsertFunction("verify_access", Void, Ptr, I64, I32, I32);
  B.CreateCall(Ask, {Address, B.CreateZExtOrTrunc(Size, I64), B.getInt32(Write),
                     B.getInt32(Type)});
}

/// What the call itself reads of an argument that is passed by value: all that
/// a variable of type \p Ty at \p P has in it.
static void readCopied(IRBuilder<> &B, Value *P, Type *Ty) {
  enum { MostStructures = 256 };
  Module &M = *B.GetInsertBlock()->getModule();
  const DataLayout &DL = M.getDataLayout();
  auto At = [&](uint64_t Offset) {
    return B.CreateConstGEP1_64(B.getInt8Ty(), P, Offset);
  };
  if (auto *Struct = dyn_cast<StructType>(Ty)) {
    for (unsigned I = 0; I < Struct->getNumElements(); ++I)
      readCopied(B, At(DL.getStructLayout(Struct)->getElementOffset(I)),
                 Struct->getElementType(I));
    return;
  }
  uint64_t Count = 1;
  for (; isa<ArrayType>(Ty); Ty = Ty->getArrayElementType())
    Count *= Ty->getArrayNumElements();
  uint64_t Size = DL.getTypeAllocSize(Ty).getKnownMinValue();
  if (isa<StructType>(Ty)) {
    for (uint64_t I = 0; I < std::min<uint64_t>(Count, MostStructures); ++I)
      readCopied(B, At(I * Size), Ty);
    return;
  }
  FunctionCallee Copied =
      M.getOrInsertFunction("verify_copied", B.getVoidTy(), P->getType(),
                            B.getInt64Ty(), B.getInt64Ty(), B.getInt32Ty());
  B.CreateCall(Copied, {P, B.getInt64(Count), B.getInt64(Size),
                        B.getInt32(memoryTypeOf(Ty))});
}

void Instrumenter::access(Instruction &I) {
  IRBuilder<> B(&I);
  auto Bytes = [&](Type *Ty) {
    return B.getInt64(DL.getTypeStoreSize(Ty).getKnownMinValue());
  };
  if (auto *Load = dyn_cast<LoadInst>(&I)) {
    access(B, Load->getPointerOperand(), Bytes(Load->getType()), false,
           accessTypeOf(I, Load->getType()));
  } else if (auto *Store = dyn_cast<StoreInst>(&I)) {
    Type *Ty = Store->getValueOperand()->getType();
    access(B, Store->getPointerOperand(), Bytes(Ty), true, accessTypeOf(I, Ty));
  } else if (auto *RMW = dyn_cast<AtomicRMWInst>(&I)) {
    for (bool Write : {false, true})
      access(B, RMW->getPointerOperand(), Bytes(RMW->getType()), Write,
             accessTypeOf(I, RMW->getType()));
  } else if (auto *X = dyn_cast<AtomicCmpXchgInst>(&I)) {
    Type *Ty = X->getNewValOperand()->getType();
    for (bool Write : {false, true})
      access(B, X->getPointerOperand(), Bytes(Ty), Write, accessTypeOf(I, Ty));
  } else if (auto *Mem = dyn_cast<AnyMemIntrinsic>(&I)) {
    if (auto *Copy = dyn_cast<AnyMemTransferInst>(Mem))
      access(B, Copy->getRawSource(), Mem->getLength(), false, VERIFY_OTHER);
    access(B, Mem->getRawDest(), Mem->getLength(), true, VERIFY_OTHER);
  } else if (auto *Call = dyn_cast<CallBase>(&I)) {
    for (unsigned A = 0; A < Call->arg_size(); ++A)
      if (Call->isByValArgument(A))
        readCopied(B, Call->getArgOperand(A), Call->getParamByValType(A));
  }
}

/// Calls of \p F go to our function \p To.
void Instrumenter::redirect(Function &F, StringRef To) {
  F.replaceAllUsesWith(
      M.getOrInsertFunction(To, F.getFunctionType()).getCallee());
}

/// An argument as an i64, or null.
Value *Instrumenter::bitsOf(IRBuilder<> &B, Argument &A) {
  Type *Ty = A.getType();
  if (Ty->isPointerTy() && Ty->getPointerAddressSpace() == 0)
    return B.CreatePtrToInt(&A, I64);
  Value *Bits = &A;
  if (Ty->isFloatTy() || Ty->isDoubleTy() || Ty->isHalfTy())
    Bits = B.CreateBitCast(&A, B.getIntNTy(Ty->getPrimitiveSizeInBits()));
  return Bits->getType()->isIntegerTy() ? B.CreateZExtOrTrunc(Bits, I64)
                                        : nullptr;
}

void Instrumenter::note(IRBuilder<> &B, Value *What, Argument &A) {
  Value *Bits = bitsOf(B, A);
  if (A.getType()->isPointerTy() && Bits)
    B.CreateCall(M.getOrInsertFunction("verify_note_pointer", Void, I64, Ptr),
                 {What, &A});
  else if (Bits)
    B.CreateCall(M.getOrInsertFunction("verify_note", Void, I64, I64),
                 {What, Bits});
}

Value *Instrumenter::result(IRBuilder<> &B, StringRef Ask, Value *What,
                            Type *Ty) {
  verify_type Kind = typeOf(Ty);
  if (Ty->isVectorTy() || Kind == VERIFY_OTHER || Kind == VERIFY_HALF)
    return Constant::getNullValue(Ty);
  unsigned Bits = Kind == VERIFY_POINTER ? 64 : Ty->getPrimitiveSizeInBits();
  Value *V = B.CreateCall(M.getOrInsertFunction(Ask, I64, I64, I32, I32),
                          {What, B.getInt32(Kind), B.getInt32(Bits)});
  if (Kind == VERIFY_POINTER)
    return B.CreateIntToPtr(V, Ty);
  return B.CreateBitCast(B.CreateZExtOrTrunc(V, B.getIntNTy(Bits)), Ty);
}

/// Take all attributes from \p F but those that say how it is called.
static void keepCopiedArguments(Function &F) {
  AttributeList Was = F.getAttributes();
  F.setAttributes(AttributeList());
  for (unsigned A = 0; A < F.arg_size(); ++A)
    if (Type *Copied = Was.getParamByValType(A)) {
      F.addParamAttr(A, Attribute::getWithByValType(F.getContext(), Copied));
      F.addParamAttrs(A, AttrBuilder(F.getContext())
                             .addAlignmentAttr(Was.getParamAlignment(A)));
    }
}

/// Is \p Call a power that LLVM makes a product or quotient of, which libm's
/// power need not be equal to?
static bool isSimplePower(const CallInst &Call) {
  StringRef Name = Call.getCalledFunction()->getName();
  const ConstantFP *Exponent =
      (Name == "pow" || Name == "powf") && Call.arg_size() == 2
          ? dyn_cast<ConstantFP>(Call.getArgOperand(1))
          : nullptr;
  return Exponent &&
         any_of(std::initializer_list<double>{-1, 0, 1, 2},
                [&](double Known) { return Exponent->isExactlyValue(Known); });
}

/// Call what LLVM makes of calls of the C library, like puts() for printf(): it
/// did that to the copy already.
void Instrumenter::simplifyCalls(Function &F, const TargetLibraryInfo &TLI) {
  OptimizationRemarkEmitter Remarks(&F);
  LibCallSimplifier Simplifier(DL, &TLI, nullptr, nullptr, nullptr, Remarks,
                               nullptr, nullptr);
  SmallVector<WeakTrackingVH, 16> Calls;
  for (Instruction &I : instructions(F)) {
    auto *Call = dyn_cast<CallInst>(&I);
    const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
    if (Callee && !Callee->isIntrinsic() &&
        (!IsMath(Callee->getName()) || isSimplePower(*Call)) &&
        !Call->isNoBuiltin() && !Call->isMustTailCall())
      Calls.push_back(Call);
  }
  for (WeakTrackingVH &Handle : Calls)
    if (auto *Call = dyn_cast_or_null<CallInst>(Handle)) {
      IRBuilder<> B(Call);
      Value *With = Simplifier.optimizeCall(Call, B);
      if (With && With != Call && !Call->use_empty())
        Call->replaceAllUsesWith(With);
      if (With)
        Call->eraseFromParent();
    }
}

/// Give \p F a body that notes its arguments, unless calls of it may be left
/// out or moved.  Copies on the stack are nowhere else, and not noted.
void Instrumenter::define(Function &F) {
  F.setLinkage(GlobalValue::InternalLinkage);
  F.setVisibility(GlobalValue::DefaultVisibility);
  F.setDLLStorageClass(GlobalValue::DefaultStorageClass);
  bool Ends = F.doesNotReturn(), Pure = F.onlyReadsMemory();
  keepCopiedArguments(F);
  F.addFnAttr(Attribute::NoInline);
  IRBuilder<> B(BasicBlock::Create(Ctx, "entry", &F));
  Value *What = B.getInt64(++Stubs);
  if (!Pure)
    B.CreateCall(M.getOrInsertFunction("verify_note", Void, I64, I64),
                 {What, B.getInt64(F.arg_size())});
  for (Argument &A : F.args())
    if (A.hasByValAttr())
      continue;
    else if (!Pure)
      note(B, What, A);
    else if (Value *Bits = bitsOf(B, A))
      What = B.CreateAdd(B.CreateMul(What, B.getInt64(1000003)), Bits);
  if (Ends) {
    B.CreateCall(M.getOrInsertFunction("verify_stop", Void));
    B.CreateUnreachable();
  } else if (F.getReturnType()->isVoidTy()) {
    B.CreateRetVoid();
  } else {
    B.CreateRet(result(B, Pure ? "verify_pure" : "verify_result", What,
                       F.getReturnType()));
  }
}

void Instrumenter::run() {
  dropWhatCannotRun();
  TargetLibraryInfoImpl Library(M.getTargetTriple());
  for (Function &F : M)
    if (!F.isDeclaration() && !isKernel(F))
      simplifyCalls(F, TargetLibraryInfo(Library, &F));
  for (Function &F : M)
    for (Instruction &I : make_early_inc_range(instructions(F)))
      if (!stopAtAssembly(I))
        plain(I);
  for (Function &F : M)
    if (!isOffloaded(F) && !F.isDeclaration())
      tellPoison(F);
  fillVariables();
  for (Function &F : M) {
    if (isOffloaded(F) || F.isDeclaration())
      continue;
    for (Instruction &I : make_early_inc_range(instructions(F)))
      access(I);
    keepArgumentsApart(F);
  }
  for (Function &F : make_early_inc_range(M)) {
    StringRef Name = F.getName();
    if (!F.isDeclaration() || F.isIntrinsic() || Name.starts_with("polygpu_") ||
        Name.starts_with("verify_") || IsMath(Name))
      continue;
    if (Name == "malloc" || Name == "_Znwm" || Name == "_Znam")
      redirect(F, "verify_malloc");
    else if (Name == "__errno_location")
      redirect(F, "verify_errno");
    else if (Name == "calloc")
      redirect(F, "verify_calloc");
    else if (Name == "strlen" || Name == "strcmp" || Name == "strncmp" ||
             Name == "memcmp" || Name == "memchr")
      redirect(F, ("verify_" + Name).str());
    else if (Name == "bcmp")
      redirect(F, "verify_memcmp");
    else if (Name == "free" || Name == "_ZdlPv" || Name == "_ZdaPv" ||
             Name == "_ZdlPvm")
      redirect(F, "verify_free");
    else
      define(F);
  }
}

} // namespace

bool hasFastMath(const Function &F) {
  return any_of(instructions(F), [](const Instruction &I) {
    if (!isa<FPMathOperator>(I))
      return false;
    FastMathFlags Flags = I.getFastMathFlags();
    Flags.setAllowContract(false);
    return Flags.any();
  });
}

void instrumentModule(Module &M, IsMathFunction IsMath) {
  Instrumenter(M, IsMath).run();
}

void addWrapper(Function &F, StringRef Name) {
  LLVMContext &Ctx = F.getContext();
  Type *Ptr = PointerType::get(Ctx, 0);
  auto *W = Function::Create(
      FunctionType::get(Type::getVoidTy(Ctx), {Ptr, Ptr}, false),
      GlobalValue::ExternalLinkage, Name, F.getParent());
  IRBuilder<> B(BasicBlock::Create(Ctx, "entry", W));
  SmallVector<Value *, 8> Args;
  for (Argument &A : F.args()) {
    Value *Slot = B.CreateLoad(
        Ptr, B.CreateConstGEP1_64(Ptr, W->getArg(0), A.getArgNo()));
    Args.push_back(B.CreateAlignedLoad(A.getType(), Slot, Align(1)));
    if (A.hasByValAttr())
      readCopied(B, Args.back(), A.getParamByValType());
  }
  CallInst *Call = B.CreateCall(&F, Args);
  Call->setCallingConv(F.getCallingConv());
  Call->setAttributes(F.getAttributes().removeFnAttributes(Ctx));
  if (!F.getReturnType()->isVoidTy())
    B.CreateAlignedStore(Call, W->getArg(1), Align(1));
  B.CreateRetVoid();
}
