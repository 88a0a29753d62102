//===- Descriptor.cpp - Constant data that the runtime reads --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "host/Descriptor.h"
#include "RuntimeFunctions.h"
#include "polygpu/abi.h"
#include "target/RunProgram.h"
#include "target/TargetDescription.h"
#include "tuning/TuningFile.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace polygpu {

namespace {

/// Fields of polygpu_scop and polygpu_plan.
enum { ScopImageCount = 6, ScopImages = 10, ScopPlans = 18 };
enum { PlanFirstImage = 3, PlanImageCount = 4 };

GlobalVariable *createGlobal(Module &M, Constant *Init, bool IsConstant,
                             const Twine &Name) {
  return new GlobalVariable(M, Init->getType(), IsConstant,
                            GlobalValue::PrivateLinkage, Init, Name);
}

GlobalVariable *createBytes(Module &M, StringRef Data, bool Terminate,
                            unsigned Alignment) {
  GlobalVariable *G = createGlobal(
      M, ConstantDataArray::getString(M.getContext(), Data, Terminate), true,
      "polygpu.data");
  G->setAlignment(Align(Alignment));
  G->setUnnamedAddr(GlobalValue::UnnamedAddr::Global);
  return G;
}

GlobalVariable *createList(Module &M, ArrayRef<Constant *> Elements) {
  Type *Ty = Elements[0]->getType();
  return createGlobal(
      M, ConstantArray::get(ArrayType::get(Ty, Elements.size()), Elements),
      true, "polygpu.list");
}

/// The number of the array with the marks of \p Array: they come behind the
/// SCoP's arrays.
unsigned marksOf(const pg_scop &S, unsigned Array) {
  return S.n_array + std::count_if(S.arrays, S.arrays + Array,
                                   [](const pg_array &A) { return A.flagged; });
}

class DescriptorBuilder {
public:
  DescriptorBuilder(Module &M, ArrayRef<PlannedKernels> Plans, const pg_scop &S,
                    unsigned SizeCount, const pg_plan *Threads,
                    ArrayRef<unsigned> Arguments = {})
      : M(M), Ctx(M.getContext()), DL(M.getDataLayout()), Plans(Plans), S(S),
        SizeCount(SizeCount), Threads(Threads), Arguments(Arguments),
        Int32(Type::getInt32Ty(Ctx)), Ptr(PointerType::get(Ctx, 0)) {}

  GlobalVariable *run();
  GlobalVariable *runParallel(const ThreadKernels &Threads);

private:
  Module &M;
  LLVMContext &Ctx;
  const DataLayout &DL;
  ArrayRef<PlannedKernels> Plans;
  const pg_scop &S;
  unsigned SizeCount;
  const pg_plan *Threads; ///< for all cores, or null
  ArrayRef<unsigned> Arguments;
  Type *Int32;
  PointerType *Ptr;

  Constant *word(uint64_t V) { return ConstantInt::get(Int32, V); }
  Constant *text(StringRef Text);
  Constant *list(ArrayRef<Constant *> Elements);
  Constant *arrays();
  Constant *entry(const PlannedKernels &P, unsigned Number, StringRef Name,
                  ArrayRef<unsigned> Block, unsigned Flags,
                  unsigned SharedBytes, const std::vector<KernelArg> &Args);
  void addKernels(const PlannedKernels &P, SmallVectorImpl<Constant *> &List);
  Constant *params(const std::vector<KernelArg> &Args);
  void addCounts(const pg_plan &Plan, const DeviceCode *Code,
                 unsigned FirstKernel, SmallVectorImpl<Constant *> &List,
                 bool IsCores = false);
  Constant *bounds(const pg_count &Count);
  static bool isCountable(const pg_plan &Plan);
  bool isCountable() const;
  uint32_t flags() const;
  Constant *library();
  Constant *plan(const PlannedKernels &P, unsigned FirstKernel);
};

Constant *DescriptorBuilder::text(StringRef Text) {
  return createBytes(M, Text, true, 1);
}

Constant *DescriptorBuilder::list(ArrayRef<Constant *> Elements) {
  if (Elements.empty())
    return ConstantPointerNull::get(Ptr);
  return createList(M, Elements);
}

Constant *DescriptorBuilder::arrays() {
  SmallVector<Constant *, 8> List;
  for (unsigned A = 0; A < S.n_array; ++A) {
    const pg_array &Array = S.arrays[A];
    unsigned Flags = Array.kind == PG_ARRAY_MEMORY ? 0 : POLYGPU_VALUE;
    for (unsigned I = 0; I < S.n_stmt; ++I)
      for (unsigned J = 0; J < S.stmts[I].n_access; ++J) {
        const pg_access &Access = S.stmts[I].accesses[J];
        if (Access.array != A)
          continue;
        if (!Access.write)
          Flags |= POLYGPU_IN;
        else if (!Array.dead_after)
          Flags |= POLYGPU_OUT;
      }
    if (Array.flagged)
      Flags |= POLYGPU_FLAGGED;
    if (Array.probed)
      Flags |= POLYGPU_PROBED;
    if (Array.indirect)
      Flags |= POLYGPU_IN | POLYGPU_INDIRECT;
    if (Array.updated && !Array.dead_after)
      Flags |= POLYGPU_OUT;
    Flags |= Arguments[A] << POLYGPU_ARGUMENT_SHIFT;
    List.push_back(ConstantStruct::getAnon(
        {text(Array.source_name), word(Array.elem_size), word(Flags),
         word(Array.flagged ? marksOf(S, A) : 0)}));
  }
  for (unsigned A = 0; A < S.n_array; ++A)
    if (S.arrays[A].flagged)
      List.push_back(ConstantStruct::getAnon(
          {text(std::string("marks of ") + S.arrays[A].source_name), word(1),
           word(POLYGPU_MARKS), word(A)}));
  return list(List);
}

Constant *DescriptorBuilder::params(const std::vector<KernelArg> &Args) {
  SmallVector<Constant *, 16> List;
  for (const KernelArg &A : Args)
    List.push_back(
        A.Kind == KernelArg::Counter
            ? ConstantStruct::getAnon({word(POLYGPU_PARAM_COUNTER), word(0)})
        : isArray(A)
            ? ConstantStruct::getAnon(
                  {word(POLYGPU_PARAM_ARRAY),
                   word(A.Kind == KernelArg::Array ? A.Index
                                                   : marksOf(S, A.Index))})
            : ConstantStruct::getAnon({word(POLYGPU_PARAM_VALUE),
                                       word(DL.getTypeAllocSize(A.Ty))}));
  return list(List);
}

/// Number \p Number of \p P's, which is called \p Name.
Constant *DescriptorBuilder::entry(const PlannedKernels &P, unsigned Number,
                                   StringRef Name, ArrayRef<unsigned> Block,
                                   unsigned Flags, unsigned SharedBytes,
                                   const std::vector<KernelArg> &Args) {
  const Images &I = P.Binaries;
  Constant *Emulated = ConstantPointerNull::get(Ptr);
  if (!I.Emulated.empty())
    Emulated = I.Emulated[Number].Function;
  if (I.Checked)
    Flags |= POLYGPU_KERNEL_CHECKED;
  if (SharedBytes > gpuTarget().StaticShared)
    Flags |= POLYGPU_KERNEL_DYNAMIC;
  return ConstantStruct::getAnon(
      {text(Name),
       ConstantArray::get(ArrayType::get(Int32, 3),
                          {word(Block[0]), word(Block[1]), word(Block[2])}),
       word(Flags), word(SharedBytes), word(Args.size()), params(Args),
       Emulated});
}

/// The plan's kernels, then those of loops, then those of joined launches.
void DescriptorBuilder::addKernels(const PlannedKernels &P,
                                   SmallVectorImpl<Constant *> &List) {
  const DeviceCode &Code = P.Code;
  unsigned Number = 0;
  for (; Number < P.Plan->n_kernel; ++Number) {
    const pg_kernel &K = P.Plan->kernels[Number];
    List.push_back(entry(P, Number, K.name, K.mapping->block,
                         (K.has_barrier ? POLYGPU_KERNEL_BARRIER : 0) |
                             (Code.isPart(Number) ? POLYGPU_KERNEL_PART : 0),
                         Code.SharedBytes[Number], Code.Args[Number]));
  }
  for (const GridChain &G : Code.Grids)
    List.push_back(entry(P, Number++, G.Name, {G.Threads, 1, 1},
                         POLYGPU_KERNEL_BARRIER | POLYGPU_KERNEL_GRID,
                         G.SharedBytes, G.Args));
  for (const JoinedLaunches &J : Code.Joined)
    List.push_back(entry(P, Number++, J.Name, {J.Threads, 1, 1},
                         J.HasBarrier ? POLYGPU_KERNEL_BARRIER : 0,
                         J.SharedBytes, J.Args));
}

/// Has the runtime room for all counts?
bool DescriptorBuilder::isCountable(const pg_plan &Plan) {
  return Plan.n_count > 0 &&
         all_of(ArrayRef(Plan.counts, Plan.n_count),
                [](const pg_count &C) { return C.n_dim <= POLYGPU_MAX_DIMS; });
}

bool DescriptorBuilder::isCountable() const {
  return all_of(Plans,
                [](const PlannedKernels &P) { return isCountable(*P.Plan); });
}

uint32_t DescriptorBuilder::flags() const {
  bool Constant = isCountable() && hasConstantSizes(Plans);
  return (Constant ? POLYGPU_SCOP_CONSTANT : 0) |
         (Threads ? POLYGPU_SCOP_PARALLEL : 0);
}

Constant *DescriptorBuilder::bounds(const pg_count &Count) {
  static const uint32_t Kinds[] = {POLYGPU_LOWER, POLYGPU_UPPER,
                                   POLYGPU_CONDITION};
  Type *Int64 = Type::getInt64Ty(Ctx);
  SmallVector<Constant *, 8> List;
  for (unsigned I = 0; I < Count.n_bound; ++I) {
    const pg_bound &Bound = Count.bounds[I];
    unsigned N = S.n_param + 1;
    if (Bound.kind != PG_BOUND_CONDITION)
      N += Bound.dim;
    SmallVector<Constant *, 8> Factors;
    for (unsigned F = 0; F < N; ++F)
      Factors.push_back(ConstantInt::getSigned(Int64, Bound.factors[F]));
    List.push_back(ConstantStruct::getAnon(
        {word(Kinds[Bound.kind]), word(Bound.dim),
         ConstantInt::get(Int64, Bound.divisor), list(Factors)}));
  }
  return list(List);
}

/// Add the counts of \p Plan to \p List; if it \p IsCores, that of all cores,
/// only what these save and pay, as if it were of one kernel, for the device's
/// plan.  What kernels do that are always launched with others, by their
/// "Code", counts for what is launched, as often as the first of them.
void DescriptorBuilder::addCounts(const pg_plan &Plan, const DeviceCode *Code,
                                  unsigned FirstKernel,
                                  SmallVectorImpl<Constant *> &List,
                                  bool IsCores) {
  static const uint32_t Kinds[] = {POLYGPU_OPERATIONS,   POLYGPU_LAUNCHES,
                                   POLYGPU_THREADS,      POLYGPU_FLOPS_SINGLE,
                                   POLYGPU_FLOPS_DOUBLE, POLYGPU_STEPS,
                                   POLYGPU_ALONE,        POLYGPU_AGAIN,
                                   POLYGPU_ROUNDS,       POLYGPU_SCATTERED};
  static_assert(int(PG_TILE_OF_THREAD) == int(POLYGPU_TILE_OF_THREAD));
  for (unsigned I = 0; I < Plan.n_count; ++I) {
    const pg_count &Count = Plan.counts[I];
    if (IsCores && Count.kind != PG_COUNT_AGAIN &&
        Count.kind != PG_COUNT_ROUNDS && Count.kind != PG_COUNT_SCATTERED)
      continue;
    unsigned Kernel = Count.kernel;
    if (Code && Code->isPart(Kernel)) {
      int J = Code->PartOf[Kernel];
      if (Count.kind == PG_COUNT_LAUNCHES &&
          Kernel != Code->Joined[J].Kernels.front())
        continue;
      Kernel = firstJoined(Plan, *Code) + J;
    }
    List.push_back(ConstantStruct::getAnon(
        {word(Kinds[Count.kind]), word(IsCores ? 0 : FirstKernel + Kernel),
         word(Count.n_dim), word(Count.n_bound),
         ConstantFP::get(Type::getDoubleTy(Ctx), Count.weight),
         bounds(Count)}));
  }
}

/// Where the library of the emulated device is, if it is needed.
Constant *DescriptorBuilder::library() {
  return Plans.front().Binaries.Emulated.empty()
             ? ConstantPointerNull::get(Ptr)
             : text(besidePlugin("libpolygpu_emulated.so"));
}

/// Without its images, which come later.
Constant *DescriptorBuilder::plan(const PlannedKernels &P,
                                  unsigned FirstKernel) {
  Type *Int64 = Type::getInt64Ty(Ctx);
  SmallVector<Constant *, 4> Ranges;
  if (P.Record)
    for (const SizeRange &R : P.Record->When)
      Ranges.push_back(ConstantStruct::getAnon(
          {word(R.Param), ConstantInt::getSigned(Int64, R.Least),
           ConstantInt::getSigned(Int64, R.Most)}));
  return ConstantStruct::getAnon(
      {word(P.Binaries.Arch), word(FirstKernel), word(kernelCount(P)), word(0),
       word(0), word(P.Variant), word(Ranges.size()), list(Ranges)});
}

GlobalVariable *DescriptorBuilder::run() {
  SmallVector<Constant *, 8> Kernels, Counts, List;
  for (const PlannedKernels &P : Plans) {
    unsigned FirstKernel = Kernels.size();
    addKernels(P, Kernels);
    if (isCountable())
      addCounts(*P.Plan, &P.Code, FirstKernel, Counts);
    List.push_back(plan(P, FirstKernel));
  }
  if (Threads && isCountable() && isCountable(*Threads))
    addCounts(*Threads, nullptr, 0, Counts, /*IsCores=*/true);
  if (Plans.size() == 1)
    List.clear();
  Constant *Zero = ConstantInt::get(Type::getInt64Ty(Ctx), 0);
  Constant *Init = ConstantStruct::getAnon({word(POLYGPU_ABI_VERSION),
                                            word(S.line),
                                            text(S.file ? S.file : ""),
                                            text(S.function ? S.function : ""),
                                            word(marksOf(S, S.n_array)),
                                            word(Kernels.size()),
                                            word(0),
                                            word(Counts.size()),
                                            arrays(),
                                            list(Kernels),
                                            list({}),
                                            ConstantPointerNull::get(Ptr),
                                            word(S.n_param),
                                            list(Counts),
                                            library(),
                                            word(SizeCount),
                                            word(flags()),
                                            word(List.size()),
                                            list(List),
                                            Zero,
                                            Zero});
  GlobalVariable *G =
      createGlobal(M, Init, false, Twine("polygpu.scop.") + S.function);
  G->addAttribute("polygpu");
  return G;
}

GlobalVariable *DescriptorBuilder::runParallel(const ThreadKernels &Loops) {
  SmallVector<Constant *, 8> Kernels, Counts;
  for (unsigned K = 0; K < Loops.Plan->n_kernel; ++K)
    Kernels.push_back(ConstantStruct::getAnon(
        {text(Loops.Plan->kernels[K].name), Loops.Functions[K],
         word(Loops.Plan->kernels[K].parallel)}));
  if (isCountable(*Loops.Plan))
    addCounts(*Loops.Plan, nullptr, 0, Counts);
  Constant *Init = ConstantStruct::getAnon(
      {word(POLYGPU_ABI_VERSION), word(S.line), text(S.file ? S.file : ""),
       text(S.function ? S.function : ""), word(Kernels.size()),
       word(S.n_param), list(Kernels), list(Counts), word(Counts.size()),
       ConstantPointerNull::get(Ptr)});
  GlobalVariable *G =
      createGlobal(M, Init, false, Twine("polygpu.threads.") + S.function);
  G->addAttribute("polygpu");
  return G;
}

} // namespace

static bool hasConstantSizes(const pg_plan &Plan) {
  for (unsigned I = 0; I < Plan.n_count; ++I)
    for (unsigned J = 0; J < Plan.counts[I].n_bound; ++J)
      for (unsigned P = 0; P < Plan.scop->n_param; ++P)
        if (Plan.counts[I].bounds[J].factors[P] != 0)
          return false;
  return Plan.n_count > 0;
}

bool hasConstantSizes(ArrayRef<PlannedKernels> Plans) {
  return all_of(Plans, [](const PlannedKernels &P) {
    return P.Variant == 0 && hasConstantSizes(*P.Plan);
  });
}

/// A word that other threads may write.
static LoadInst *loadWord(IRBuilderBase &B, Type *Ty, Value *Pointer) {
  LoadInst *Word = B.CreateLoad(Ty, Pointer);
  Word->setAtomic(AtomicOrdering::Unordered);
  return Word;
}

/// Field number \p Back from behind, beginning with 1.
static LoadInst *loadField(IRBuilderBase &B, GlobalVariable &Descriptor,
                           unsigned Back) {
  auto *Type = cast<StructType>(Descriptor.getValueType());
  return loadWord(
      B, B.getInt64Ty(),
      B.CreateStructGEP(Type, &Descriptor, Type->getNumElements() - Back));
}

Value *timingWord(IRBuilderBase &B, GlobalVariable &Descriptor) {
  return loadField(B, Descriptor, 1);
}

Value *isHopeless(IRBuilderBase &B, GlobalVariable &Descriptor,
                  ArrayRef<Value *> Params) {
  Value *Key = B.getInt64(0);
  for (Value *Param : Params)
    Key = B.CreateMul(B.CreateXor(Key, Param), B.getInt64(POLYGPU_KEY_FACTOR));
  Value *Hopeless = loadField(B, Descriptor, 2);
  Value *InUse =
      loadWord(B, B.getInt32Ty(), inUseVariable(*Descriptor.getParent()));
  return B.CreateAnd(B.CreateICmpEQ(Hopeless, B.CreateOr(Key, 1)),
                     B.CreateIsNull(InUse));
}

GlobalVariable *createDescriptor(Module &M, ArrayRef<PlannedKernels> Plans,
                                 unsigned SizeCount, const pg_plan *Threads,
                                 ArrayRef<unsigned> Arguments) {
  return DescriptorBuilder(M, Plans, *Plans.front().Plan->scop, SizeCount,
                           Threads, Arguments)
      .run();
}

GlobalVariable *createParallelDescriptor(Module &M,
                                         const ThreadKernels &Threads) {
  return DescriptorBuilder(M, {}, *Threads.Plan->scop, 0, Threads.Plan)
      .runParallel(Threads);
}

//===-- Images ------------------------------------------------------------===//

GlobalVariable *createImageData(Module &M, StringRef Data, bool Terminate) {
  return createBytes(M, Data, Terminate, 16);
}

GlobalVariable *createImageWord(Module &M) {
  PointerType *Ptr = PointerType::get(M.getContext(), 0);
  return createGlobal(M, ConstantPointerNull::get(Ptr), false,
                      "polygpu.loaded");
}

Constant *createImage(unsigned Kind, unsigned Arch, GlobalVariable *Data,
                      GlobalVariable *Loaded) {
  LLVMContext &Ctx = Data->getContext();
  Type *Int32 = Type::getInt32Ty(Ctx);
  uint64_t Size = Data->getValueType()->getArrayNumElements();
  Constant *Word = Loaded;
  if (!Loaded)
    Word = ConstantPointerNull::get(PointerType::get(Ctx, 0));
  return ConstantStruct::getAnon(
      {ConstantInt::get(Int32, Kind), ConstantInt::get(Int32, Arch),
       ConstantInt::get(Type::getInt64Ty(Ctx), Size), Data, Word});
}

/// \p Struct with other values of some fields.
static Constant *withFields(Constant *Struct,
                            ArrayRef<std::pair<unsigned, Constant *>> Changes) {
  SmallVector<Constant *, 24> Fields;
  for (unsigned I = 0; I < Struct->getNumOperands(); ++I)
    Fields.push_back(cast<Constant>(Struct->getOperand(I)));
  for (auto [Field, Value] : Changes)
    Fields[Field] = Value;
  return ConstantStruct::getAnon(Fields);
}

void setImages(GlobalVariable &Descriptor,
               ArrayRef<SmallVector<Constant *, 4>> OfPlans) {
  Module &M = *Descriptor.getParent();
  Type *Int32 = Type::getInt32Ty(M.getContext());
  Constant *Scop = Descriptor.getInitializer();
  auto *Plans = dyn_cast<GlobalVariable>(Scop->getOperand(ScopPlans));
  SmallVector<Constant *, 8> All, Changed;
  for (unsigned P = 0; P < OfPlans.size(); ++P) {
    if (Plans)
      Changed.push_back(withFields(
          cast<Constant>(Plans->getInitializer()->getOperand(P)),
          {{PlanFirstImage, ConstantInt::get(Int32, All.size())},
           {PlanImageCount, ConstantInt::get(Int32, OfPlans[P].size())}}));
    append_range(All, OfPlans[P]);
  }
  if (Plans)
    Plans->setInitializer(
        ConstantArray::get(cast<ArrayType>(Plans->getValueType()), Changed));
  Descriptor.setInitializer(
      withFields(Scop, {{ScopImageCount, ConstantInt::get(Int32, All.size())},
                        {ScopImages, createList(M, All)}}));
}

} // namespace polygpu
