//===- Import.cpp - From Polly's SCoP to the core's -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "scop/Import.h"
#include "adaptor/HiddenValues.h"
#include "polly/ScopInfo.h"
#include "prepare/IndirectReads.h"
#include "prepare/IndirectUpdates.h"
#include "prepare/MathErrno.h"
#include "scop/CallRefusal.h"
#include "scop/DeadAfter.h"
#include "scop/ParameterText.h"
#include "scop/Renaming.h"
#include "scop/Types.h"
#include "scop/Updates.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Analysis/CaptureTracking.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Module.h"
#include <isl/id.h>
#include <isl/printer.h>
#include <isl/space.h>

using namespace llvm;
using polly::MemoryAccess;
using polly::ScopArrayInfo;
using polly::ScopStmt;

namespace polygpu {

bool isReadOnlyScalar(const MemoryAccess &MA, const polly::Scop &S) {
  if (!MA.isOriginalValueKind() || !MA.isRead())
    return false;
  const auto *I =
      dyn_cast<Instruction>(MA.getOriginalScopArrayInfo()->getBasePtr());
  return !I || !S.contains(I);
}

namespace {

/// Words of isl's language and of the core's that no name may be.
bool isReserved(StringRef Name) {
  static const char *const Words[] = {
      "and",    "or",       "not",   "exists", "mod",    "floor",
      "ceil",   "floord",   "ceild", "min",    "max",    "implies",
      "infty",  "infinity", "nan",   "rat",    "true",   "false",
      "domain", "schedule", "child", "kernel", "barrier"};
  // isl takes them in whatever case.
  if (any_of(Words, [&](const char *W) { return Name.equals_insensitive(W); }))
    return true;
  // h0, b0, t0, c0, i0, S0, e0: iterators and statements of the core, and the
  // subscripts of an element that is copied.
  return Name.size() >= 2 && StringRef("hbtcikSe").contains(Name[0]) &&
         all_of(Name.drop_front(), isDigit);
}

/// Gives out names that are C identifiers, unique and not reserved.
class NameTable {
public:
  std::string add(StringRef Wish, StringRef Fallback) {
    std::string Name;
    for (char C : Wish)
      Name += isAlnum(C) || C == '_' ? C : '_';
    if (Name.empty() || Wish.contains(' ') || isDigit(Name[0]))
      Name = Fallback.str();
    if (isReserved(Name))
      Name += "_";
    std::string Unique = Name;
    for (unsigned N = 2; !Used.insert(Unique).second; ++N)
      Unique = Name + "_" + std::to_string(N);
    return Unique;
  }

private:
  StringSet<> Used;
};

class Importer {
public:
  Importer(polly::Scop &S, isl_ctx *Ctx, const TargetLibraryInfo &TLI,
           bool Reassociate, ImportedScop &R)
      : S(S), Ctx(Ctx), TLI(TLI), Reassociate(Reassociate), R(R), ToCore(Ctx) {}
  std::optional<Refusal> run();

private:
  polly::Scop &S;
  isl_ctx *Ctx;
  const TargetLibraryInfo &TLI;
  bool Reassociate;
  ImportedScop &R;
  NameTable Names;
  Renaming ToCore;
  DenseMap<const ScopArrayInfo *, unsigned> ArrayIndex;

  void nameParams();
  bool isOfOneType(const ScopArrayInfo &SAI, const Type &Ty) const;
  std::optional<Refusal> addArrays();
  std::optional<Refusal> addArray(const ScopArrayInfo &SAI, Type *Element);
  std::optional<Refusal> addStmts();
  __isl_give isl_union_set *allInstances() const;
  std::optional<Refusal> addAccess(MemoryAccess &MA, pg_access &A);
  std::optional<Refusal> addIndirectArrays();
  std::optional<Refusal> checkTokens() const;
  std::optional<Refusal> addIndices();
  std::optional<Refusal> addIndices(const LoadInst &Read);
  std::optional<Refusal> addIndex(const LoadInst &Load);
  void addUpdates(ScopStmt &Stmt, pg_stmt &T);
  bool isDead(const ScopArrayInfo &SAI) const;
  void setKnown();
  isl::set knownContext() const;
};

char *copyText(const std::string &Text) { return strdup(Text.c_str()); }

void Importer::nameParams() {
  isl::space Space = S.getParamSpace();
  unsigned N = std::max(isl_space_dim(Space.get(), isl_dim_param), 0);
  pg_scop *P = R.Scop;
  P->n_param = N;
  P->params = static_cast<pg_param *>(calloc(N + 1, sizeof(pg_param)));
  for (unsigned I = 0; I < N; ++I) {
    isl_id *Id = isl_space_get_dim_id(Space.get(), isl_dim_param, I);
    const SCEV *E = static_cast<const SCEV *>(isl_id_get_user(Id));
    std::string Source = parameterText(*E);
    std::string Name = Names.add(Source, "p" + std::to_string(I));
    ToCore.add(isl::manage(Id), Name);
    P->params[I].name = copyText(Name);
    P->params[I].source_name = copyText(Source);
    R.Params.push_back(E);
  }
}

/// What holds for the parameters where the SCoP runs on the device.
isl::set Importer::knownContext() const {
  isl::set Context = S.getContext();
  isl::set Known =
      Context.intersect(S.getAssumedContext()).subtract(S.getInvalidContext());
  Known = Known.coalesce();
  // Many disjuncts slow everything down and say little.
  if (isl_set_n_basic_set(Known.get()) > 0 &&
      isl_set_n_basic_set(Known.get()) <= 4)
    Context = Known;
  return Context.align_params(S.getParamSpace());
}

bool Importer::isDead(const ScopArrayInfo &SAI) const {
  if (SAI.isPHIKind())
    return true;
  if (SAI.isValueKind()) {
    auto *I = dyn_cast<Instruction>(SAI.getBasePtr());
    return I && S.contains(I) && !S.isEscaping(I);
  }
  return isDeadAfter(S, SAI.getBasePtr(), TLI);
}

static const char *kindRemark(const ScopArrayInfo &SAI) {
  return SAI.isArrayKind() ? "array" : "scalar";
}

/// An access to the array between loops, without which they may be one SCoP.
static Instruction *accessOutsideLoops(const ScopArrayInfo &SAI,
                                       polly::Scop &S) {
  for (ScopStmt &Stmt : S)
    for (MemoryAccess *MA : Stmt) {
      Instruction *I = MA->getAccessInstruction();
      if (!I || MA->getLatestScopArrayInfo() != &SAI)
        continue;
      const Loop *L = S.getLI()->getLoopFor(I->getParent());
      if (!L || !S.getRegion().contains(L))
        return I;
    }
  return nullptr;
}

std::optional<Refusal> Importer::addArray(const ScopArrayInfo &SAI,
                                          Type *Element) {
  const Function &F = S.getFunction();
  std::string Source = sourceName(SAI.getBasePtr());
  if (Element->isPointerTy() && !SAI.isArrayKind())
    return Refusal{"Address",
                   "an address that the loops compute ('" + Source +
                       "') is used after them or in another statement, and "
                       "memory has other addresses on the device; keep the "
                       "subscript in a variable, not the pointer",
                   DebugLoc()};
  // A flag that an iteration hands on is a byte of 0 or 1 on both sides.
  const bool IsFlag = Element->isIntegerTy(1) && !SAI.isArrayKind();
  if (!IsFlag && !isElementType(Element, F.getDataLayout()))
    return Refusal{"Type",
                   std::string("the ") + kindRemark(SAI) + " '" + Source +
                       "' has elements of type " + typeName(Element) +
                       " that the device stores differently or not at all; "
                       "use integers of 8 to 64 bits, float or double",
                   DebugLoc(), accessOutsideLoops(SAI, S)};
  if (SAI.isArrayKind()) {
    auto *I = dyn_cast<Instruction>(SAI.getBasePtr());
    if (SAI.getBasePtrOriginSAI() || (I && S.contains(I)))
      return Refusal{"VariantBasePtr",
                     "the address of array '" + Source +
                         "' is computed inside the loops; copy the pointer "
                         "into a local variable before them",
                     DebugLoc()};
    if (isErrno(SAI.getBasePtr()))
      return refuseErrno();
    if (SAI.getBasePtr()->getType()->getPointerAddressSpace() != 0)
      return Refusal{"AddressSpace",
                     "array '" + Source +
                         "' is in a special address space; use ordinary "
                         "memory",
                     DebugLoc()};
  }
  pg_scop *P = R.Scop;
  pg_array &A = P->arrays[P->n_array];
  std::string Name =
      Names.add(SAI.isPHIKind() ? Source + "_phi" : Source,
                (SAI.isArrayKind() ? "M" : "v") + std::to_string(P->n_array));
  ToCore.add(SAI.getBasePtrId(), Name);
  A.name = copyText(Name);
  A.source_name = copyText(Source);
  A.type = copyText(typeName(Element));
  A.elem_size = F.getDataLayout().getTypeAllocSize(Element);
  A.kind = SAI.isArrayKind() ? PG_ARRAY_MEMORY
           : SAI.isPHIKind() ? PG_ARRAY_PHI
                             : PG_ARRAY_VALUE;
  A.n_dim = SAI.getNumberOfDimensions();
  A.dead_after = isDead(SAI);
  A.extent =
      static_cast<isl_pw_aff **>(calloc(A.n_dim + 1, sizeof(isl_pw_aff *)));
  A.origin = P->n_array;
  ArrayIndex[&SAI] = P->n_array++;
  R.Arrays.push_back(&SAI);
  R.ElementTypes.push_back(Element);
  for (unsigned D = 1; D < A.n_dim; ++D) {
    isl::pw_aff Size = SAI.getDimensionSizePw(D);
    if (Size.is_null())
      return Refusal{"Extent",
                     "the row size of array '" + Source +
                         "' is no affine expression of the parameters; pass "
                         "it as one variable",
                     DebugLoc()};
    A.extent[D] = ToCore.copy(Size);
  }
  return std::nullopt;
}

/// Can an element of \p SAI keep the scalar of \p MA that is mapped to it?
static bool canHold(const ScopArrayInfo &SAI, const MemoryAccess &MA,
                    const polly::Scop &S) {
  const DataLayout &DL = S.getFunction().getDataLayout();
  Type *Element = SAI.getElementType(), *Ty = MA.getElementType();
  auto IsNumber = [](Type *T) {
    return T->isIntegerTy() || T->isFloatingPointTy();
  };
  return IsNumber(Element) && IsNumber(Ty) &&
         DL.getTypeSizeInBits(Ty) <= DL.getTypeSizeInBits(Element);
}

/// Arrays that are read indirectly, by base and type.
static void findIndirectReads(polly::Scop &S,
                              std::vector<ImportedScop::IndirectArray> &List) {
  auto Add = [&](const LoadInst *Read, bool Updates) {
    Value *Base = placeOf(*Read).Base;
    auto Same = find_if(List, [&](const ImportedScop::IndirectArray &A) {
      return A.Base == Base && A.Reads.front()->getType() == Read->getType();
    });
    if (Same == List.end())
      Same = List.insert(List.end(), {0, Base, {}});
    if (!is_contained(Same->Reads, Read))
      Same->Reads.push_back(Read);
    Same->Updated |= Updates;
  };
  for (ScopStmt &Stmt : S)
    for (const Instruction *I : Stmt.getInstructions())
      if (const CallInst *Call = indirectRead(I))
        for (const LoadInst *Read : readsOf(*Call))
          Add(Read, indirectUpdate(Call) != nullptr);
}

/// Is \p MA one of the token of an update, which is nowhere on the device?
static bool isOfToken(const MemoryAccess &MA) {
  return MA.isOriginalArrayKind() &&
         isUpdateToken(MA.getLatestScopArrayInfo()->getBasePtr());
}

/// Do all that read the array update it, with operators that may be mixed, or
/// with one value that is stored?
static bool areAlike(const ImportedScop::IndirectArray &A,
                     const polly::Scop &S) {
  auto Operator = AtomicRMWInst::BAD_BINOP;
  const Value *Stored = nullptr;
  for (const LoadInst *Read : A.Reads) {
    const CallInst *Call = indirectUpdate(*Read->getFunction()->user_begin());
    if (!Call || (Operator != AtomicRMWInst::BAD_BINOP &&
                  Operator != updateOperator(*Call)))
      return false;
    Operator = updateOperator(*Call);
    if (Operator != AtomicRMWInst::Xchg)
      continue;
    const Value *With = updateValue(*Call);
    const auto *I = dyn_cast<Instruction>(With);
    if ((Stored && Stored != With) || (I && S.contains(I)))
      return false;
    Stored = With;
  }
  return true;
}

static Refusal refuseMixed(const std::string &Array) {
  return {"IndirectWritten",
          "'" + Array +
              "' is updated at places that depend on data, and read or "
              "written otherwise in the same loops, so that the order counts; "
              "use another array, or other loops",
          DebugLoc()};
}

/// Does each update that is to be on the device have its token alone?
std::optional<Refusal> Importer::checkTokens() const {
  std::optional<Refusal> Why;
  auto Fail = [&](const Instruction *At) {
    Why = Refusal{"IndirectUpdate",
                  "an update at a place that depends on data could not be "
                  "described; please report this with the source",
                  At ? At->getDebugLoc() : DebugLoc()};
  };
  SmallPtrSet<const CallInst *, 4> Kept;
  for (ScopStmt &Stmt : S)
    for (MemoryAccess *MA : Stmt) {
      if (!isOfToken(*MA)) {
        if (MA->isLatestArrayKind() &&
            isUpdateToken(MA->getLatestScopArrayInfo()->getBasePtr()))
          Fail(MA->getAccessInstruction());
        continue;
      }
      const auto *Store = dyn_cast<StoreInst>(MA->getAccessInstruction());
      if (!Store)
        continue;
      const CallInst *Call = updateBehind(*Store);
      if (!Call || !is_contained(Stmt.getInstructions(), Call) ||
          !MA->isMustWrite() || !Kept.insert(Call).second ||
          !Stmt.getDomain()
               .is_subset(MA->getLatestAccessRelation().domain())
               .is_true())
        Fail(Store);
    }
  for (ScopStmt &Stmt : S)
    for (const Instruction *I : Stmt.getInstructions())
      if (const CallInst *Call = indirectUpdate(I);
          Call && !Kept.contains(Call))
        Fail(Call);
  return Why;
}

/// The elements from a pointer on that are surely there.
static void setKnownElements(ImportedScop::IndirectArray &A,
                             const DataLayout &DL) {
  int64_t Size = DL.getTypeAllocSize(A.Reads.front()->getType());
  int64_t Offset = 0;
  const Value *Origin = hiddenOrigin(A.Base, Offset);
  auto Bytes = static_cast<int64_t>(knownBytes(Origin ? Origin : A.Base, DL));
  if (Offset < 0 || Offset > Bytes)
    return;
  A.First = -(Offset / Size);
  A.Count = (Bytes - Offset) / Size - A.First;
}

std::optional<Refusal> Importer::addIndirectArrays() {
  const DataLayout &DL = S.getFunction().getDataLayout();
  for (ImportedScop::IndirectArray &A : R.Indirect) {
    Type *Element = A.Reads.front()->getType();
    auto *I = dyn_cast<Instruction>(A.Base);
    std::string Source = sourceName(A.Base);
    if (A.Updated && (!areAlike(A, S) || count_if(R.Indirect, [&](auto &Other) {
                                           return Other.Base == A.Base;
                                         }) > 1))
      return refuseMixed(Source);
    for (ScopStmt &Stmt : S)
      for (MemoryAccess *MA : Stmt)
        if (A.Updated && MA->isOriginalArrayKind() &&
            MA->getLatestScopArrayInfo()->getBasePtr() == A.Base)
          return refuseMixed(Source);
        else if (MA->isWrite() && MA->isOriginalArrayKind() &&
                 MA->getOriginalScopArrayInfo()->getBasePtr() == A.Base)
          return Refusal{"IndirectWritten",
                         "'" + Source +
                             "' is read at places that depend on data, and "
                             "written in the same loops, so that the order "
                             "counts; write to another array",
                         DebugLoc()};
    if (I && S.contains(I))
      return Refusal{"VariantBasePtr",
                     "the address of array '" + Source +
                         "' is computed inside the loops; copy the pointer "
                         "into a local variable before them",
                     DebugLoc()};
    R.Own.push_back(std::make_unique<ScopArrayInfo>(
        A.Base, Element, S.getIslCtx(), ArrayRef<const SCEV *>{nullptr},
        polly::MemoryKind::Array, DL, &S, "MemRef_indirect"));
    A.Array = R.Scop->n_array;
    if (auto Why = addArray(*R.Own.back(), Element))
      return Why;
    pg_array &Array = R.Scop->arrays[A.Array];
    Array.indirect = true;
    Array.updated = A.Updated;
    Array.dead_after &= A.Updated;
    Array.flagged = A.Updated && !Array.dead_after;
    setKnownElements(A, DL);
    Array.probed = A.Count == 0;
  }
  return std::nullopt;
}

/// Are all accesses to \p SAI of type \p Ty?
bool Importer::isOfOneType(const ScopArrayInfo &SAI, const Type &Ty) const {
  return all_of(S, [&](ScopStmt &Stmt) {
    return all_of(Stmt, [&](MemoryAccess *MA) {
      return MA->getLatestScopArrayInfo() != &SAI ||
             MA->getElementType() == &Ty;
    });
  });
}

/// The refusal of an array which Polly has in parts of elements, since their
/// distances are numbers of bytes that are known to be multiples of those only.
static Refusal refuseDistances(const ScopArrayInfo &SAI, Type &Ty) {
  return {"ElementTypes",
          "elements of array '" + sourceName(SAI.getBasePtr()) +
              "' have distances in bytes that are not known to be multiples of "
              "an element (" +
              typeName(&Ty) +
              "); use an array whose elements are next to each other",
          DebugLoc()};
}

std::optional<Refusal> Importer::addArrays() {
  MapVector<const ScopArrayInfo *, Type *> Found;
  unsigned Count = 0;
  for (ScopStmt &Stmt : S)
    for (MemoryAccess *MA : Stmt) {
      if (isOfToken(*MA) ||
          (isReadOnlyScalar(*MA, S) && MA->isLatestScalarKind()))
        continue;
      const ScopArrayInfo *SAI = MA->getLatestScopArrayInfo();
      Type *Ty = MA->isOriginalArrayKind() ||
                         (MA->isLatestArrayKind() && !canHold(*SAI, *MA, S))
                     ? MA->getElementType()
                     : SAI->getElementType();
      auto [It, New] = Found.insert({SAI, Ty});
      Count += New;
      // Floats that are loaded as integers to be moved, structures read in
      // parts: one type per array only.
      if (It->second == Ty && SAI->getElementType() != Ty &&
          isOfOneType(*SAI, *Ty))
        return refuseDistances(*SAI, *Ty);
      if (It->second != Ty || SAI->getElementType() != Ty)
        return Refusal{
            "ElementTypes",
            "array '" + sourceName(SAI->getBasePtr()) +
                "' is accessed with different element types (" +
                typeName(It->second) + " and " +
                typeName(It->second != Ty ? Ty : SAI->getElementType()) +
                "); use one type",
            DebugLoc(), accessOutsideLoops(*SAI, S)};
    }
  findIndirectReads(S, R.Indirect);
  R.Scop->arrays = static_cast<pg_array *>(
      calloc(Count + R.Indirect.size() + 1, sizeof(pg_array)));
  for (auto &[SAI, Ty] : Found)
    if (auto Why = addArray(*SAI, Ty))
      return Why;
  return addIndirectArrays();
}

/// Is \p Base a variable that is there, and that nobody else knows?
static bool isOwnVariable(const ScopArrayInfo &SAI) {
  const auto *Variable = dyn_cast<AllocaInst>(SAI.getBasePtr());
  return Variable && SAI.getNumberOfDimensions() == 0 &&
         !PointerMayBeCaptured(Variable, /*ReturnCaptures=*/true);
}

/// Is it one of the program's that only a condition on data allows?
static bool isGuardedAccess(const MemoryAccess &MA, const Predication *P) {
  return P && MA.isOriginalArrayKind() &&
         P->isGuarded(*MA.getAccessInstruction()) &&
         !isOwnVariable(*MA.getLatestScopArrayInfo());
}

std::optional<Refusal> Importer::addAccess(MemoryAccess &MA, pg_access &A) {
  isl::map Relation = MA.getLatestAccessRelation();
  // Cases of a clamp, min(max(i, 0), n - 1), exclude each other in the domain.
  if (Relation.is_single_valued().is_false())
    Relation = Relation.intersect_domain(MA.getStatement()->getDomain());
  A.array = ArrayIndex.lookup(MA.getLatestScopArrayInfo());
  A.write = MA.isWrite();
  A.must = MA.isMustWrite() || MA.isRead();
  A.relation = pg_small_params_map(ToCore.copy(Relation));
  A.guarded = isGuardedAccess(MA, R.Guarded);
  return std::nullopt;
}

static unsigned stmtLine(const ScopStmt &Stmt) {
  unsigned Line = 0;
  for (const Instruction *I : Stmt.getInstructions())
    if (I->getDebugLoc() && !isa<LoadInst>(I))
      Line = I->getDebugLoc().getLine();
  return Line;
}

/// Has \p I a result for whatever operands?  Accesses count apart, but for
/// those through indices, of which nobody else knows.
static bool isTotal(const Instruction *I) {
  switch (I->getOpcode()) {
  case Instruction::Call:
    return !indirectRead(I);
  case Instruction::SDiv:
  case Instruction::SRem:
  case Instruction::UDiv:
  case Instruction::URem:
    return isSafeToSpeculativelyExecute(I);
  default:
    return true;
  }
}

/// What the last statement updates.
void Importer::addUpdates(ScopStmt &Stmt, pg_stmt &T) {
  const auto &Accesses = R.Accesses.back();
  R.Updates.emplace_back();
  for (const Update &Found : findUpdates(Stmt, Reassociate)) {
    if (isOfToken(*Found.Updated))
      continue;
    auto IndexOf = [&](const MemoryAccess *MA) -> unsigned {
      return find(Accesses, MA) - Accesses.begin();
    };
    *pg_stmt_add_update(&T) = {Found.Op, IndexOf(Found.Old),
                               IndexOf(Found.Updated)};
    R.Updates.back().append(Found.Path.begin(), Found.Path.end());
  }
}

/// The instances of \p Stmt that write.  Where Polly keeps a scalar in an array
/// it may leave a statement whose store is for some parameters only, like that
/// of a sum with no summands: the others would be a kernel that does nothing.
/// What the context says of the parameters is no condition of the store's.
static isl::set instancesThatWrite(const ScopStmt &Stmt, isl::set Context) {
  isl::set Domain = Stmt.getDomain();
  isl::set Known = Domain.intersect_params(Context);
  isl::set Writing = isl::set::empty(Domain.get_space());
  for (const MemoryAccess *MA : Stmt) {
    if (!MA->isWrite())
      continue;
    isl::set Written = isl::manage(
        pg_small_params_set(MA->getLatestAccessRelation().domain().release()));
    if (!Known.is_subset(Written).is_false())
      return Domain;
    Writing = Writing.unite(Written);
  }
  return Domain.intersect(Writing.gist(Known)).coalesce();
}

std::optional<Refusal> Importer::addStmts() {
  pg_scop *P = R.Scop;
  isl::set Context = knownContext();
  P->types = pg_small_params_set(ToCore.copy(Context));
  P->context = pg_without_type_bounds(isl_set_copy(P->types));
  P->stmts = static_cast<pg_stmt *>(calloc(S.getSize() + 1, sizeof(pg_stmt)));
  for (ScopStmt &Stmt : S) {
    std::string Name = "S" + std::to_string(P->n_stmt);
    ToCore.add(Stmt.getDomainId(), Name);
    pg_stmt &T = P->stmts[P->n_stmt];
    T.origin = P->n_stmt++;
    T.name = copyText(Name);
    T.line = stmtLine(Stmt);
    T.total = Stmt.isBlockStmt() && all_of(Stmt.getInstructions(), isTotal);
    R.Stmts.push_back(&Stmt);
    R.Accesses.emplace_back();
    T.domain = ToCore.copy(instancesThatWrite(Stmt, Context));
    unsigned Count = std::distance(Stmt.begin(), Stmt.end());
    T.accesses = static_cast<pg_access *>(calloc(Count + 1, sizeof(pg_access)));
    SmallVector<MemoryAccess *, 8> Order;
    // Scalars are written at the end of the statement.
    for (bool Late : {false, true})
      for (MemoryAccess *MA : Stmt)
        if (Late == (MA->isWrite() && !MA->isOriginalArrayKind()))
          Order.push_back(MA);
    for (MemoryAccess *MA : Order) {
      if (isOfToken(*MA) ||
          (isReadOnlyScalar(*MA, S) && MA->isLatestScalarKind()))
        continue;
      if (auto Why = addAccess(*MA, T.accesses[T.n_access]))
        return Why;
      ++T.n_access;
      R.Accesses.back().push_back(MA);
    }
    addUpdates(Stmt, T);
  }
  return std::nullopt;
}

/// The instances of all statements.
__isl_give isl_union_set *Importer::allInstances() const {
  isl_union_set *All = isl_union_set_empty(isl_set_get_space(R.Scop->context));
  for (unsigned I = 0; I < R.Scop->n_stmt; ++I)
    All = isl_union_set_union(
        All, isl_union_set_from_set(isl_set_copy(R.Scop->stmts[I].domain)));
  return All;
}

/// Arrays with guarded accesses, of which it counts what is there.
void Importer::setKnown() {
  pg_scop *P = R.Scop;
  const DataLayout &DL = S.getFunction().getDataLayout();
  for (unsigned I = 0; I < P->n_stmt; ++I)
    for (unsigned J = 0; J < P->stmts[I].n_access; ++J) {
      const pg_access &Access = P->stmts[I].accesses[J];
      pg_array &Array = P->arrays[Access.array];
      if (Access.guarded)
        Array.known = std::min<uint64_t>(
            knownBytes(R.Arrays[Access.array]->getBasePtr(), DL) /
                Array.elem_size,
            INT32_MAX);
    }
}

//===-- Indices that are read ---------------------------------------------===//

static Refusal cannotFollow(const Instruction &I, const std::string &Why) {
  return {"IndirectIndex",
          "which elements an index may lead to is not known, since '" +
              sourceName(getLoadStorePointerOperand(&I)) + "' " + Why,
          I.getDebugLoc()};
}

/// The elements that the loops read by \p Load.
std::optional<Refusal> Importer::addIndex(const LoadInst &Load) {
  if (any_of(R.Indices, [&](const auto &Old) { return Old.Load == &Load; }))
    return std::nullopt;
  bool Any = false;
  for (unsigned I = 0; I < R.Scop->n_stmt; ++I)
    for (unsigned J = 0; J < R.Scop->stmts[I].n_access; ++J) {
      const MemoryAccess *MA = R.Accesses[I][J];
      const pg_access &A = R.Scop->stmts[I].accesses[J];
      if (MA->getAccessInstruction() != &Load || !MA->isOriginalArrayKind())
        continue;
      Any = true;
      R.Indices.push_back(
          {&Load, A.array, pg_accessed_elements(R.Scop, I, J), A.guarded});
      if (!R.Indices.back().Elements)
        return cannotFollow(Load, "is read in a way that is too complex; "
                                  "compute indices in loops before");
    }
  if (!Any)
    return cannotFollow(Load, "is not read by the loops themselves; "
                              "compute indices in loops before");
  unsigned Array = R.Indices.back().Array;
  for (unsigned I = 0; I < R.Scop->n_stmt; ++I)
    for (unsigned J = 0; J < R.Scop->stmts[I].n_access; ++J)
      if (const pg_access &A = R.Scop->stmts[I].accesses[J];
          A.write && A.array == Array)
        return cannotFollow(Load, "is written in the same loops; compute "
                                  "indices in loops before");
  return std::nullopt;
}

/// All loads that the places of \p Read are computed from.
std::optional<Refusal> Importer::addIndices(const LoadInst &Read) {
  std::optional<Refusal> Why;
  visitSources(*placeOf(Read).Offset, [&](const Value &V) {
    if (isInBody(&V))
      return true;
    const auto *I = dyn_cast<Instruction>(&V);
    if (!I || !S.contains(I))
      return false;
    if (isa<PHINode>(I)) // a counter, or one of several
      return !S.getLI()->isLoopHeader(I->getParent());
    if (const auto *Load = dyn_cast<LoadInst>(I))
      if (!Why)
        Why = addIndex(*Load);
    return !isa<LoadInst>(I);
  });
  return Why;
}

std::optional<Refusal> Importer::addIndices() {
  for (const ImportedScop::IndirectArray &A : R.Indirect)
    for (const LoadInst *Read : A.Reads)
      if (!A.Count)
        if (auto Why = addIndices(*Read))
          return Why;
  return std::nullopt;
}

std::optional<Refusal> Importer::run() {
  R.Scop = pg_scop_alloc(Ctx);
  const Function &F = S.getFunction();
  std::string FunctionName = F.getName().str();
  StringRef Base = F.getName();
  Base.consume_back(".polygpu");
  R.Scop->function = copyText(Base.str());
  if (const DISubprogram *SP = F.getSubprogram())
    R.Scop->file = copyText(SP->getFilename().str());
  else
    R.Scop->file = copyText(F.getParent()->getSourceFileName());
  nameParams();
  if (auto Why = checkTokens())
    return Why;
  if (auto Why = addArrays())
    return Why;
  if (auto Why = addStmts())
    return Why;
  setKnown();
  R.Scop->original = ToCore.copy(S.getScheduleTree());
  R.Scop->original =
      isl_schedule_intersect_domain(R.Scop->original, allInstances());
  bool Complete = R.Scop->context && R.Scop->original;
  for (unsigned I = 0; I < R.Scop->n_stmt; ++I) {
    Complete &= R.Scop->stmts[I].domain != nullptr;
    for (unsigned J = 0; J < R.Scop->stmts[I].n_access; ++J)
      Complete &= R.Scop->stmts[I].accesses[J].relation != nullptr;
  }
  if (!Complete)
    return Refusal{"Import",
                   "the loops could not be handed to the polyhedral core; "
                   "please report this with the source",
                   DebugLoc()};
  return addIndices();
}

} // namespace

ImportedScop::~ImportedScop() {
  for (IndexRead &Index : Indices)
    isl_ast_node_free(Index.Elements);
  pg_scop_free(Scop);
}

unsigned ImportedScop::indirectArray(const LoadInst &Read) const {
  for (const IndirectArray &A : Indirect)
    if (is_contained(A.Reads, &Read))
      return A.Array;
  llvm_unreachable("an indirect read that was not handed over");
}

std::optional<Refusal> importScop(polly::Scop &S, isl_ctx *Ctx,
                                  const TargetLibraryInfo &TLI,
                                  bool Reassociate, ImportedScop &Result) {
  return Importer(S, Ctx, TLI, Reassociate, Result).run();
}

} // namespace polygpu
