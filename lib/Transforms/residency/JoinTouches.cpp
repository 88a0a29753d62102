//===- JoinTouches.cpp - Fewer words to the runtime -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "residency/JoinTouches.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace polygpu {

/// Members of at most so many bytes with at most as many between them are told
/// of together.  More would be told of parts of arrays that are on the device.
static const int64_t MostBetween = 64;
/// A place gets the addresses of what is told of there, if they are so many
/// instructions; and of as many places of a block is tried whether it can.
static const unsigned MostBrought = 16, MostPlaces = 8;
/// Bits of an access's mode: what is read, and what is written.
static const unsigned Modes[] = {POLYGPU_TOUCH_READ, POLYGPU_TOUCH_WRITE};

bool isEnd(const HostAccess &Access) {
  return (Access.Mode & POLYGPU_TOUCH_END) != 0;
}

/// What ends is told by itself: what others read there is to come.
bool covers(const HostAccess &A, const HostAccess &B) {
  if ((B.Mode & ~A.Mode) != 0 || isEnd(A) != isEnd(B))
    return false;
  return A.Kind == HostAccess::Everything ||
         (B.Kind == HostAccess::Bytes && A.First == B.First &&
          A.Size == B.Size && A.Unit == B.Unit &&
          A.FixedSize - 1 >= B.FixedSize - 1);
}

namespace {

/// Bytes at a constant distance from a pointer.
struct Span {
  Value *Base = nullptr;
  int64_t From = 0, To = 0; ///< the first one, and that behind the last one
  bool isSmall() const { return To - From <= MostBetween; }
  bool contains(const Span &S) const { return From <= S.From && S.To <= To; }
  unsigned Mode = 0;     ///< one of Modes
  bool IsJoined = false; ///< it is of small ones
};

/// An address of a block: a pointer, what is added that is not constant, and
/// what is.
struct Address {
  Instruction *I = nullptr;
  const Value *Pointer = nullptr;
  SmallMapVector<Value *, APInt, 4> Variable;
  int64_t Constant = 0;
};

class Joiner {
public:
  Joiner(Function &F, TouchPlaces &At) : F(F), At(At) {}
  void run();

private:
  Function &F;
  TouchPlaces &At;
  SmallVector<Span, 32> Spans;
  DenseMap<const Value *, SmallVector<unsigned, 4>> SpansOf; ///< by base
  DenseMap<std::pair<Value *, int64_t>, Value *> Firsts;     ///< of spans
  DenseMap<const BasicBlock *, BitVector> Told; ///< at the block's end
  /// Addresses that others of their block differ from by a constant, the first
  /// ones in it, and those by pointer.
  using InBlock = std::pair<const BasicBlock *, const Value *>;
  DenseMap<InBlock, SmallVector<Address, 2>> Leaders;

  std::optional<Address> addressOf(const HostAccess &Access,
                                   int64_t &Behind) const;
  void findLeaders();
  const Address *leaderOf(const Address &A) const;
  void findSpans();
  std::optional<Span> spanOf(const HostAccess &Access) const;
  SmallVector<unsigned, 4> spansOf(const HostAccess &Access) const;
  void pass(Instruction &I, BitVector &State) const;
  bool told(const HostAccess &Access, BitVector &State) const;
  void tell(Instruction &I, BitVector &State) const;
  BitVector atBegin(const BasicBlock &BB) const;
  void findTold();
  void dropTold();
  Value *firstOf(unsigned Number);
  void widen();
  void gather();
  void move(Instruction &I, Instruction &Place, bool Ends);
};

} // namespace

/// May a run begin, or may another thread learn something, while \p I is
/// executed?
static bool mayBeginRun(const Instruction &I) {
  if (I.isAtomic() || I.isVolatile())
    return true;
  if (!isa<CallBase>(I))
    return false;
  const auto *II = dyn_cast<IntrinsicInst>(&I);
  return !II || (II->mayReadOrWriteMemory() && !isa<MemIntrinsic>(II) &&
                 !II->isAssumeLikeIntrinsic());
}

/// Where a pointer can be added to \p Base as soon as that is known, if at all.
static std::optional<BasicBlock::iterator> behind(Value &Base, Function &F) {
  if (auto *I = dyn_cast<Instruction>(&Base))
    return I->getInsertionPointAfterDef();
  return F.getEntryBlock().getFirstNonPHIOrDbgOrAlloca();
}

/// The parts of an address that \p Access begins so many bytes behind, if not
/// all of them are constant.
std::optional<Address> Joiner::addressOf(const HostAccess &Access,
                                         int64_t &Behind) const {
  if (!Access.First)
    return std::nullopt;
  const DataLayout &DL = F.getDataLayout();
  unsigned Bits = DL.getIndexTypeSizeInBits(Access.First->getType());
  APInt Constant(Bits, 0), Before(Bits, 0), After(Bits, 0);
  auto *I = dyn_cast<GetElementPtrInst>(
      Access.First->stripAndAccumulateConstantOffsets(
          DL, After, /*AllowNonInbounds=*/true));
  if (!I || I->hasAllConstantIndices() || !behind(*I, F) ||
      I->getType() != Access.First->getType())
    return std::nullopt;
  Address A;
  SmallMapVector<Value *, APInt, 4> Variable;
  if (!cast<GEPOperator>(I)->collectOffset(DL, Bits, Variable, Constant))
    return std::nullopt;
  for (auto &[V, Factor] : Variable) {
    Value *Rest = V, *Other;
    const APInt *Added;
    while (V->getType()->getScalarSizeInBits() == Bits &&
           match(Rest, m_Add(m_Value(Other), m_APInt(Added)))) {
      Constant += *Added * Factor;
      Rest = Other;
    }
    auto [It, IsNew] = A.Variable.insert({Rest, Factor});
    if (!IsNew)
      It->second += Factor;
  }
  A.I = I;
  A.Pointer = I->getPointerOperand()->stripAndAccumulateConstantOffsets(
      DL, Before, /*AllowNonInbounds=*/true);
  Constant += Before;
  if (!Constant.isSignedIntN(32) || !After.isSignedIntN(32) ||
      A.Pointer->getType() != I->getType())
    return std::nullopt;
  A.Constant = Constant.getSExtValue();
  Behind = After.getSExtValue();
  return A;
}

static bool differByConstant(const Address &A, const Address &B) {
  return A.Variable.size() == B.Variable.size() &&
         all_of(A.Variable, [&](const auto &Part) {
           auto It = B.Variable.find(Part.first);
           return It != B.Variable.end() && It->second == Part.second;
         });
}

const Address *Joiner::leaderOf(const Address &A) const {
  auto It = Leaders.find({A.I->getParent(), A.Pointer});
  assert(It != Leaders.end() && "not one of the accesses");
  return find_if(It->second,
                 [&](const Address &B) { return differByConstant(A, B); });
}

/// The first ones in their blocks, so that whoever comes behind another one
/// comes behind them.
void Joiner::findLeaders() {
  for (const auto &[Before, Accesses] : At)
    for (const HostAccess &Access : Accesses) {
      int64_t Behind;
      std::optional<Address> A = addressOf(Access, Behind);
      if (!A)
        continue;
      auto &Known = Leaders[{A->I->getParent(), A->Pointer}];
      auto *Same = find_if(
          Known, [&](const Address &B) { return differByConstant(*A, B); });
      if (Same == Known.end())
        Known.push_back(*A);
      else if (A->I->comesBefore(Same->I))
        *Same = *A;
    }
}

std::optional<Span> Joiner::spanOf(const HostAccess &Access) const {
  if (Access.Kind != HostAccess::Bytes || Access.Size || !Access.FixedSize ||
      Access.FixedSize > INT32_MAX)
    return std::nullopt;
  int64_t Behind;
  if (std::optional<Address> A = addressOf(Access, Behind)) {
    const Address *Leader = leaderOf(*A);
    int64_t From = A->Constant + Behind - Leader->Constant;
    return Span{Leader->I, From, From + static_cast<int64_t>(Access.FixedSize),
                Access.Mode};
  }
  const DataLayout &DL = F.getDataLayout();
  Type *Pointer = Access.First->getType();
  APInt Offset(DL.getIndexTypeSizeInBits(Pointer), 0);
  Value *Base = Access.First->stripAndAccumulateConstantOffsets(
      DL, Offset, /*AllowNonInbounds=*/true);
  if (!Offset.isSignedIntN(32) || Base->getType() != Pointer ||
      !behind(*Base, F)) {
    Base = Access.First;
    Offset = 0;
  }
  int64_t From = Offset.getSExtValue();
  return Span{Base, From, From + static_cast<int64_t>(Access.FixedSize),
              Access.Mode};
}

/// What is told of together, of all places.
void Joiner::findSpans() {
  MapVector<std::pair<Value *, unsigned>, SmallVector<Span, 4>> ByBase;
  for (const auto &[Before, Accesses] : At)
    for (const HostAccess &Access : Accesses)
      if (std::optional<Span> S = spanOf(Access))
        for (unsigned Mode : Modes)
          if (Access.Mode & Mode)
            ByBase[{S->Base, Mode}].push_back({S->Base, S->From, S->To, Mode});
  for (auto &[Key, List] : ByBase) {
    sort(List, [](const Span &A, const Span &B) {
      return std::make_tuple(!A.isSmall(), A.From, A.To) <
             std::make_tuple(!B.isSmall(), B.From, B.To);
    });
    size_t Begin = Spans.size();
    for (Span &S : List) {
      Span *Last = Spans.size() > Begin ? &Spans.back() : nullptr;
      S.IsJoined = S.isSmall();
      if (Last && S.IsJoined && S.From <= Last->To + MostBetween) {
        Last->To = std::max(Last->To, S.To);
      } else if (!Last || Last->IsJoined || !Last->contains(S) ||
                 !S.contains(*Last)) {
        SpansOf[Key.first].push_back(Spans.size());
        Spans.push_back(S);
      }
    }
  }
}

/// The spans that \p Access is told of by, one for each bit of its mode; none
/// if it is of another kind.
SmallVector<unsigned, 4> Joiner::spansOf(const HostAccess &Access) const {
  SmallVector<unsigned, 4> Found;
  std::optional<Span> S = spanOf(Access);
  if (!S)
    return Found;
  for (unsigned Mode : Modes) {
    auto Has = [&](unsigned Number) {
      const Span &Wide = Spans[Number];
      return Wide.Mode == Mode && Wide.IsJoined == S->isSmall() &&
             Wide.contains(*S);
    };
    if (Access.Mode & Mode)
      Found.push_back(*find_if(SpansOf.find(S->Base)->second, Has));
  }
  return Found;
}

/// What is told still after \p I: with another value of a base nothing is known
/// of it.
void Joiner::pass(Instruction &I, BitVector &State) const {
  if (mayBeginRun(I))
    State.reset();
  if (auto It = SpansOf.find(&I); It != SpansOf.end())
    for (unsigned Number : It->second)
      State.reset(Number);
}

/// Is \p Access told of already?  From now on it is.
bool Joiner::told(const HostAccess &Access, BitVector &State) const {
  if (Access.Kind == HostAccess::Everything)
    for (auto [Number, S] : enumerate(Spans))
      if (S.Mode & Access.Mode)
        State.set(Number);
  SmallVector<unsigned, 4> In = spansOf(Access);
  bool WasTold = !In.empty();
  for (unsigned Number : In)
    WasTold &= State.test(Number);
  for (unsigned Number : In)
    for (unsigned Other : SpansOf.find(Spans[Number].Base)->second)
      if (Spans[Other].Mode == Spans[Number].Mode &&
          Spans[Number].contains(Spans[Other]))
        State.set(Other);
  return WasTold;
}

/// What is told at the place before \p I.
void Joiner::tell(Instruction &I, BitVector &State) const {
  auto It = At.find(&I);
  if (It == At.end())
    return;
  for (const HostAccess &Access : It->second)
    told(Access, State);
}

BitVector Joiner::atBegin(const BasicBlock &BB) const {
  BitVector State(Spans.size(), !BB.isEntryBlock());
  for (const BasicBlock *Pred : predecessors(&BB))
    if (auto It = Told.find(Pred); It != Told.end())
      State &= It->second;
  return State;
}

/// The largest solution; blocks that were not looked at yet tell of all.
void Joiner::findTold() {
  ReversePostOrderTraversal<Function *> Order(&F);
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (BasicBlock *BB : Order) {
      BitVector State = atBegin(*BB);
      for (Instruction &I : *BB) {
        tell(I, State);
        pass(I, State);
      }
      auto [It, IsNew] = Told.try_emplace(BB, State);
      if (!IsNew && It->second == State)
        continue;
      It->second = State;
      Changed = true;
    }
  }
}

void Joiner::dropTold() {
  for (BasicBlock &BB : F) {
    if (!Told.contains(&BB))
      continue; // it is never executed
    BitVector State = atBegin(BB);
    for (Instruction &I : BB) {
      if (auto It = At.find(&I); It != At.end())
        erase_if(It->second,
                 [&](const HostAccess &Access) { return told(Access, State); });
      pass(I, State);
    }
  }
}

/// The pointer to the first byte of a span, as soon as its base is known.
Value *Joiner::firstOf(unsigned Number) {
  const Span &S = Spans[Number];
  if (S.From == 0)
    return S.Base;
  Value *&First = Firsts[{S.Base, S.From}];
  if (First)
    return First;
  BasicBlock::iterator Where = *behind(*S.Base, F);
  IRBuilder<> B(Where->getParent(), Where);
  B.SetCurrentDebugLocation(DebugLoc());
  Type *Index = F.getDataLayout().getIndexType(S.Base->getType());
  First = B.CreatePtrAdd(S.Base, ConstantInt::getSigned(Index, S.From));
  return First;
}

/// One access for what is read and written alike.
static SmallVector<HostAccess, 4> joinModes(ArrayRef<HostAccess> Accesses) {
  SmallVector<HostAccess, 4> Joined;
  for (const HostAccess &Access : Accesses) {
    auto IsSame = [&](const HostAccess &A) {
      return A.Kind == Access.Kind && A.First == Access.First &&
             A.Size == Access.Size && A.Unit == Access.Unit &&
             A.FixedSize == Access.FixedSize && isEnd(A) == isEnd(Access);
    };
    if (auto *Same = find_if(Joined, IsSame); Same != Joined.end())
      Same->Mode |= Access.Mode;
    else
      Joined.push_back(Access);
  }
  return Joined;
}

/// Tell of the whole spans.
void Joiner::widen() {
  for (auto &[Before, Accesses] : At) {
    SmallVector<HostAccess, 4> Wide;
    auto Add = [&Wide = Wide](const HostAccess &Access) {
      if (none_of(Wide, [&](const HostAccess &A) { return covers(A, Access); }))
        Wide.push_back(Access);
    };
    for (const HostAccess &Access : Accesses) {
      SmallVector<unsigned, 4> In = spansOf(Access);
      if (In.empty())
        Add(Access);
      for (unsigned Number : In) {
        const Span &S = Spans[Number];
        HostAccess Part = Access;
        Part.First = firstOf(Number);
        Part.FixedSize = static_cast<uint64_t>(S.To - S.From);
        Part.Mode = S.Mode;
        Add(Part);
      }
    }
    Accesses = std::move(Wide);
  }
}

/// Is \p V known before \p Place, or can it be, by moving instructions of the
/// same block?  These are put into \p Needed, in their order.
static bool canBring(Value *V, const Instruction &Place,
                     SmallSetVector<Instruction *, 8> &Needed) {
  auto *I = dyn_cast_or_null<Instruction>(V);
  if (!I || I->getParent() != Place.getParent() || I->comesBefore(&Place) ||
      Needed.contains(I))
    return true;
  if (!isa<GetElementPtrInst, CastInst, BinaryOperator>(I) ||
      !isSafeToSpeculativelyExecute(I) || Needed.size() >= MostBrought ||
      !all_of(I->operands(),
              [&](Use &U) { return canBring(U.get(), Place, Needed); }))
    return false;
  Needed.insert(I);
  return true;
}

/// Have the first byte and the size of what is told of known before \p Place,
/// if that can be.
static bool bring(const HostAccess &Access, Instruction &Place) {
  SmallSetVector<Instruction *, 8> Needed;
  if (!canBring(Access.First, Place, Needed) ||
      !canBring(Access.Size, Place, Needed))
    return false;
  for (Instruction *I : Needed)
    I->moveBefore(Place.getIterator());
  return true;
}

/// Bring what is told in a block to its first place, or the first one behind
/// what may begin a run, or behind what its address needs; the end of objects
/// before others that end, if nothing is accessed in between.
void Joiner::gather() {
  for (BasicBlock &BB : F) {
    SmallVector<Instruction *, MostPlaces> Places;
    Instruction *FirstEnd = nullptr;
    for (Instruction &I : BB) {
      auto It = At.find(&I);
      bool Any = It != At.end() && !It->second.empty();
      bool Ends = Any && any_of(It->second, isEnd);
      if (Any) {
        for (Instruction *Place : Places)
          move(I, *Place, /*Ends=*/false);
        if (Places.empty() || (!At[&I].empty() && Places.size() < MostPlaces))
          Places.push_back(&I);
      }
      if (Ends && FirstEnd)
        move(I, *FirstEnd, /*Ends=*/true);
      else if (Ends)
        FirstEnd = &I;
      else if (I.mayReadOrWriteMemory())
        FirstEnd = nullptr;
      if (mayBeginRun(I) && !Ends)
        Places.clear();
    }
  }
}

/// Tell at \p Place what can be told there of what is told before \p I: ends,
/// or all else.
void Joiner::move(Instruction &I, Instruction &Place, bool Ends) {
  SmallVector<HostAccess, 4> &Here = At[&I], &There = At[&Place];
  erase_if(Here, [&](const HostAccess &Access) {
    if (isEnd(Access) != Ends || !bring(Access, Place))
      return false;
    auto Covers = [&](const HostAccess &A) { return covers(A, Access); };
    if (none_of(There, Covers))
      There.push_back(Access);
    return true;
  });
}

void Joiner::run() {
  findLeaders();
  findSpans();
  findTold();
  dropTold();
  widen();
  gather();
  for (auto &[Before, Accesses] : At)
    Accesses = joinModes(Accesses);
}

void joinTouches(Function &F, TouchPlaces &At) { Joiner(F, At).run(); }

} // namespace polygpu
