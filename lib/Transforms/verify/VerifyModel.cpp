//===- VerifyModel.cpp - Polly's SCoP against the program -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "verify/VerifyModel.h"
#include "IslErrors.h"
#include "polly/ScopInfo.h"
#include "verify/Interpreter.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/RegionInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace polygpu {

/// Steps of the interpreter that a run and a SCoP may take.  A question to the
/// model counts as some.
static const unsigned long RunSteps = 25000, ScopSteps = 80000;
/// And a run that found a difference: it may yet prove to be undefined.
static const unsigned long MoreSteps = 1000000;
static const unsigned StepsOfQuestion = 10;
/// No object reaches further from its base.
static const int64_t Farthest = int64_t(1) << 46;

using Point = SmallVector<int64_t, 8>;

static std::string describe(ArrayRef<int64_t> P) {
  std::string Text = "(";
  for (unsigned D = 0; D < P.size(); ++D)
    Text += (D ? ", " : "") + std::to_string(P[D]);
  return Text + ")";
}

static std::string lineOf(const ModelStmt &Stmt) {
  return Stmt.Line ? "the statement in line " + std::to_string(Stmt.Line)
                   : "a statement";
}

/// Holds the model against one run.
class ModelObserver final : public RunObserver {
public:
  ModelObserver(VerifyModel &V, Interpreter &I, ArrayRef<int64_t> Params,
                unsigned long &Steps);

  bool block(const BasicBlock &BB, const BasicBlock *From) override;
  bool access(const Instruction &I, uint64_t Address) override;
  bool iterationEnds(const Loop &L) override;
  bool leaves(const Loop &L) override;
  bool dataMayDecide(const BasicBlock &BB) override;

  /// After a run that was complete: statements outside of all loops.
  void regionEnds();

  std::string Difference; ///< the first one, else empty
  bool Lacks = false;     ///< it is an instance that the model does not have

private:
  VerifyModel &V;
  ModelTables &Model;
  Interpreter &I;
  ArrayRef<int64_t> Params;
  unsigned long &Steps;

  struct Inside {
    SmallVector<unsigned, 4> Direct, All; ///< statements of a loop
  };
  DenseMap<const BasicBlock *, SmallVector<unsigned, 2>> OfBlock;
  DenseMap<const Loop *, Inside> OfLoop;
  DenseMap<const Instruction *, std::pair<unsigned, unsigned>> OfAccess;
  std::vector<Point> Last; ///< iteration in which a statement ran last
  std::vector<bool> Ran;   ///< in this run
  DenseMap<const Loop *, Point> Entered; ///< where a loop was entered last
  Point Time;                            ///< of the last instance
  /// Statements of the current block that accessed an address: the last one,
  /// and the last one that wrote.
  DenseMap<uint64_t, std::pair<int, int>> InBlock;
  /// Bytes of an array, from one to before another.
  using Span = std::pair<int64_t, int64_t>;
  DenseMap<const Value *, SmallVector<Span, 2>> Compared, ///< of all accesses
      ComparedWrites; ///< of writes alone, and what is in Compared

  Point position(const ModelStmt &Stmt, size_t Depth);
  bool claims(const ModelStmt &Stmt, const Point &P);
  void isAbsent(const ModelStmt &Stmt, Point P, size_t Depth, int64_t Value);
  void begins(unsigned Stmt);
  void checkTime(const ModelStmt &Stmt, const Point &P);
  bool checkBytes(const ModelStmt &Stmt, const ModelAccess &A, const Point &P,
                  int64_t Offset);
  std::optional<SmallVector<int64_t, 4>> rowSizes(ArrayRef<const SCEV *> Sizes);
  enum class Place { There, Nowhere, Unknown };
  Place place(const ModelRange &R, const Points &Element, int64_t &Byte);
  void findCompared();
  void checkCompared(const ModelStmt &Stmt, const ModelAccess &A,
                     int64_t Offset);
  void checkNeighbours(unsigned Stmt, uint64_t Address, bool Write);
  void ask() { Steps -= std::min<unsigned long>(Steps, StepsOfQuestion); }
  void differ(const std::string &What);
  void differ(const ModelStmt &Stmt, const Point &P, const std::string &What);
};

ModelObserver::ModelObserver(VerifyModel &V, Interpreter &I,
                             ArrayRef<int64_t> Params, unsigned long &Steps)
    : V(V), Model(V.Model), I(I), Params(Params), Steps(Steps),
      Last(Model.Stmts.size()), Ran(Model.Stmts.size()) {
  for (unsigned N = 0; N < Model.Stmts.size(); ++N) {
    const ModelStmt &Stmt = Model.Stmts[N];
    if (Stmt.Sub)
      for (const BasicBlock *BB : Stmt.Sub->blocks())
        OfBlock[BB].push_back(N);
    else
      OfBlock[Stmt.Entry].push_back(N);
    for (const Loop *L : Stmt.Loops)
      OfLoop[L].All.push_back(N);
    if (!Stmt.Loops.empty())
      OfLoop[Stmt.Loops.back()].Direct.push_back(N);
    for (unsigned A = 0; A < Stmt.Accesses.size(); ++A)
      OfAccess[Stmt.Accesses[A].I] = {N, A};
  }
  findCompared();
}

void ModelObserver::differ(const std::string &What) {
  if (!Difference.empty())
    return;
  Difference = What + VerifyModel::describeParams(Params);
  Steps += MoreSteps;
}

void ModelObserver::differ(const ModelStmt &Stmt, const Point &P,
                           const std::string &What) {
  differ(lineOf(Stmt) + ", iteration " + describe(P) + ": " + What);
}

/// The iterations of the outer "Depth" loops of \p Stmt, now.
Point ModelObserver::position(const ModelStmt &Stmt, size_t Depth) {
  Point P;
  for (const Loop *L : ArrayRef(Stmt.Loops).take_front(Depth))
    P.push_back(I.iteration(L));
  return P;
}

bool ModelObserver::claims(const ModelStmt &Stmt, const Point &P) {
  ask();
  return pg_point_set_contain(Stmt.Instances.get(), Params.data(), P.data()) ==
         isl_bool_true;
}

/// \p Stmt does not run with \p Value for loop number \p Depth and any numbers
/// for those inside: some are asked for.
void ModelObserver::isAbsent(const ModelStmt &Stmt, Point P, size_t Depth,
                             int64_t Value) {
  P.resize(Depth);
  P.push_back(Value);
  P.resize(Stmt.Loops.size(), 0);
  for (int64_t Inner : {0, 1}) {
    if (Inner)
      for (size_t D = Depth + 1; D < P.size(); ++D)
        P[D] = Inner;
    if (claims(Stmt, P))
      differ(Stmt, P, "it does not run, and the model says that it does");
    if (Depth + 1 == P.size())
      return;
  }
}

static bool visitPoint(const int64_t *P, void *User) {
  auto &[Size, Result] = *static_cast<std::pair<unsigned, Point> *>(User);
  Result.assign(P, P + Size);
  return false;
}

/// Instances have to come in the order of the schedule.
void ModelObserver::checkTime(const ModelStmt &Stmt, const Point &P) {
  ask();
  std::pair<unsigned, Point> Found = {pg_point_set_n_dim(Stmt.Times.get()), {}};
  if (pg_point_set_each(Stmt.Times.get(), Params.data(), P.size(), P.data(),
                        1000, &visitPoint, &Found) != PG_POINT_SET_STOPPED)
    return;
  Point Now(drop_begin(Found.second, P.size()));
  if (!Time.empty() && !(Time < Now))
    differ(Stmt, P,
           "it runs after another statement or iteration that the model puts "
           "behind it");
  Time = Now;
}

void ModelObserver::begins(unsigned Which) {
  ModelStmt &Stmt = Model.Stmts[Which];
  Point P = position(Stmt, Stmt.Loops.size());
  if (!claims(Stmt, P)) {
    Lacks |= Difference.empty();
    differ(Stmt, P, "it runs, and the model says that it does not");
  }
  checkTime(Stmt, P);
  Last[Which] = P;
  Ran[Which] = true;
  Stmt.Seen = true;
  ++V.Instances;
}

bool ModelObserver::block(const BasicBlock &BB, const BasicBlock *From) {
  InBlock.clear();
  auto It = OfBlock.find(&BB);
  if (It != OfBlock.end())
    for (unsigned Which : It->second) {
      const ModelStmt &Stmt = Model.Stmts[Which];
      if (&BB == Stmt.Entry && !(Stmt.Sub && Stmt.Sub->contains(From)))
        begins(Which);
    }
  return true;
}

/// The number of the element with the subscripts \p P.
static __int128 indexOf(ArrayRef<int64_t> Sizes, const int64_t *P) {
  __int128 Index = 0;
  for (unsigned D = 0; D < Sizes.size(); ++D)
    Index = Index * (D ? Sizes[D] : 0) + P[D];
  return Index;
}

namespace {
/// Are the elements that the model names those that were accessed?
struct Bytes {
  const ModelAccess &A;
  ArrayRef<int64_t> Sizes;
  unsigned Skip;
  int64_t First, Last = 0, Lowest = INT64_MAX;
  uint64_t Count = 0, Hits = 0;
  bool InRows = true, Wraps = false;

  bool hit(__int128 Offset) const {
    return Offset + A.ElementBytes > First && Offset < Last;
  }

  static bool visit(const int64_t *P, void *User) {
    auto &B = *static_cast<Bytes *>(User);
    __int128 Index = indexOf(B.Sizes, P + B.Skip) * __int128(B.A.ElementBytes);
    // Else one element would have two names.
    for (unsigned D = 1; D < B.Sizes.size(); ++D)
      B.InRows &= P[B.Skip + D] >= 0 && P[B.Skip + D] < B.Sizes[D];
    ++B.Count;
    B.Lowest = std::min<int64_t>(B.Lowest, static_cast<int64_t>(Index));
    B.Hits += B.hit(Index);
    B.Wraps |= (Index > Farthest || Index < -Farthest) &&
               B.hit(static_cast<int64_t>(Index));
    return B.Count < 64;
  }
};
} // namespace

std::optional<SmallVector<int64_t, 4>>
ModelObserver::rowSizes(ArrayRef<const SCEV *> Sizes) {
  SmallVector<int64_t, 4> Result;
  for (const SCEV *Size : Sizes) {
    auto Bits = Size && !Result.empty() ? I.signedScev(Size) : 1;
    if (!Bits)
      return std::nullopt;
    Result.push_back(*Bits);
  }
  return Result;
}

/// Returns false if the run cannot go on: the address has wrapped around.
bool ModelObserver::checkBytes(const ModelStmt &Stmt, const ModelAccess &A,
                               const Point &P, int64_t Offset) {
  auto Sizes = rowSizes(A.Sizes);
  if (!Sizes)
    return true;
  ask();
  Bytes B = {A, *Sizes, static_cast<unsigned>(P.size()), Offset,
             Offset + static_cast<int64_t>(A.Bytes)};
  auto End = pg_point_set_each(A.Elements.get(), Params.data(), P.size(),
                               P.data(), 1000, &Bytes::visit, &B);
  // Any element of the array: no claim.
  if (End != PG_POINT_SET_ALL)
    return true;
  if (!B.InRows) {
    differ(Stmt, P, "it accesses '" + sourceName(A.Base) + "' beyond a row");
    return true;
  }
  bool Covered = B.Hits * A.ElementBytes >= A.Bytes;
  if (Covered && (!A.All || B.Hits == B.Count))
    return true;
  // An element so far away that its address, modulo 2^64, is that of another.
  if (B.Wraps)
    return false;
  differ(Stmt, P,
         std::string(A.Write ? "it writes" : "it reads") + " from byte " +
             std::to_string(Offset) + " of '" + sourceName(A.Base) +
             "', and the model says " +
             (B.Count ? "from byte " + std::to_string(B.Lowest) : "nothing"));
  return true;
}

/// Where the only element of \p Element is, from the base.
ModelObserver::Place ModelObserver::place(const ModelRange &R,
                                          const Points &Element,
                                          int64_t &Byte) {
  auto Sizes = rowSizes(R.Sizes);
  if (!Element || !Sizes)
    return Place::Unknown;
  ask();
  std::pair<unsigned, Point> Found = {static_cast<unsigned>(R.Sizes.size()),
                                      {}};
  auto End = pg_point_set_each(Element.get(), Params.data(), 0, nullptr, 1000,
                               &visitPoint, &Found);
  if (End != PG_POINT_SET_STOPPED)
    return End == PG_POINT_SET_ALL ? Place::Nowhere : Place::Unknown;
  __int128 Offset =
      indexOf(*Sizes, Found.second.data()) * __int128(R.ElementBytes);
  Byte = static_cast<int64_t>(Offset);
  return Offset <= Farthest && Offset >= -Farthest ? Place::There
                                                   : Place::Unknown;
}

/// The ranges of arrays that the run-time condition compares with others.
void ModelObserver::findCompared() {
  for (const ModelRange &R : Model.Ranges) {
    Span S;
    Place First = place(R, R.First, S.first), End = place(R, R.End, S.second);
    if (First == Place::Unknown || End == Place::Unknown)
      S = {INT64_MIN, INT64_MAX};
    if (First == Place::Nowhere || End == Place::Nowhere)
      continue;
    ComparedWrites[R.Base].push_back(S);
    if (!R.WritesOnly)
      Compared[R.Base].push_back(S);
  }
}

/// What is accessed of an array that may overlap others is compared with them.
void ModelObserver::checkCompared(const ModelStmt &Stmt, const ModelAccess &A,
                                  int64_t Offset) {
  auto &Spans = A.Write ? ComparedWrites : Compared;
  auto It = Spans.find(A.Base);
  if (It == Spans.end() || any_of(It->second, [&](const Span &S) {
        return S.first <= Offset && Offset < S.second;
      }))
    return;
  differ(Stmt, position(Stmt, Stmt.Loops.size()),
         "byte " + std::to_string(Offset) + " of '" + sourceName(A.Base) +
             "' is outside of what the run-time condition compares with other "
             "arrays");
}

/// Statements of one block run as if one after another: of two that access the
/// same address, one of them to write, the first has to be first.
void ModelObserver::checkNeighbours(unsigned Which, uint64_t Address,
                                    bool Write) {
  auto [It, New] = InBlock.insert({Address, {-1, -1}});
  auto &[Any, Writer] = It->second;
  int Stmt = static_cast<int>(Which);
  if ((Write ? Any : Writer) > Stmt)
    differ(Model.Stmts[Which], Last[Which],
           "it accesses an element before another statement does, and the "
           "model says after");
  Any = std::max(Any, Stmt);
  if (Write)
    Writer = std::max(Writer, Stmt);
}

bool ModelObserver::access(const Instruction &Inst, uint64_t Address) {
  auto It = OfAccess.find(&Inst);
  if (It == OfAccess.end()) {
    if (isa<StoreInst>(Inst))
      differ("a store runs that the model does not have");
    return true;
  }
  auto [Which, Index] = It->second;
  ModelStmt &Stmt = Model.Stmts[Which];
  ModelAccess &A = Stmt.Accesses[Index];
  Number Base = I.value(A.Base);
  int64_t Offset = static_cast<int64_t>(Address - Base.Bits);
  // Outside of an object, and so far away, the program must not access memory.
  auto Size = I.objectSize(Base.Bits);
  if (!Base.isExact() || Offset > Farthest || Offset < -Farthest ||
      (Size && (Offset < 0 || Offset + A.Bytes > *Size)))
    return false;
  if (A.Elements &&
      !checkBytes(Stmt, A, position(Stmt, Stmt.Loops.size()), Offset))
    return false;
  checkCompared(Stmt, A, Offset);
  if (OfBlock[Inst.getParent()].size() > 1)
    checkNeighbours(Which, Address, A.Write);
  A.Seen = true;
  return true;
}

/// What did not run in this iteration is not in the domains.
bool ModelObserver::iterationEnds(const Loop &L) {
  const Inside &In = OfLoop[&L];
  for (unsigned Which : In.Direct) {
    const ModelStmt &Stmt = Model.Stmts[Which];
    Point P = position(Stmt, Stmt.Loops.size());
    if (Last[Which] != P && claims(Stmt, P))
      differ(Stmt, P, "it does not run, and the model says that it does");
  }
  for (unsigned Which : In.All) {
    const ModelStmt &Stmt = Model.Stmts[Which];
    size_t Depth = find(Stmt.Loops, &L) - Stmt.Loops.begin() + 1;
    if (Depth == Stmt.Loops.size())
      continue;
    Point P = position(Stmt, Depth);
    if (Entered.lookup(Stmt.Loops[Depth]) != P)
      isAbsent(Stmt, P, Depth, 0);
  }
  return true;
}

bool ModelObserver::leaves(const Loop &L) {
  int64_t Count = I.iteration(&L);
  for (unsigned Which : OfLoop[&L].All) {
    const ModelStmt &Stmt = Model.Stmts[Which];
    size_t Depth = find(Stmt.Loops, &L) - Stmt.Loops.begin();
    Point P = position(Stmt, Depth);
    Entered[&L] = P;
    for (int64_t Value :
         {Count + 1, Count + 2, Count + 3, Count + 4, Count + 37, int64_t(-1)})
      isAbsent(Stmt, P, Depth, Value);
  }
  return true;
}

void ModelObserver::regionEnds() {
  for (unsigned Which = 0; Which < Model.Stmts.size(); ++Which) {
    const ModelStmt &Stmt = Model.Stmts[Which];
    if (Stmt.Loops.empty() && !Ran[Which] && claims(Stmt, {}))
      differ(Stmt, {}, "it does not run, and the model says that it does");
    if (!Stmt.Loops.empty() && !Entered.count(Stmt.Loops.front()))
      isAbsent(Stmt, {}, 0, 0);
  }
}

/// Only inside of region statements.
bool ModelObserver::dataMayDecide(const BasicBlock &BB) {
  auto It = OfBlock.find(&BB);
  return It != OfBlock.end() && any_of(It->second, [&](unsigned Which) {
           return Model.Stmts[Which].Sub;
         });
}

//===-- Runs --------------------------------------------------------------===//

VerifyModel::VerifyModel(polly::Scop &S) : S(S), Model(S) {
  for (const ModelStmt &Stmt : Model.Stmts)
    for (const ModelAccess &A : Stmt.Accesses)
      for (const SCEV *Size : A.Sizes)
        if (const auto *C = dyn_cast_or_null<SCEVConstant>(Size);
            C && RowSizes.size() < 4)
          RowSizes.insert(C->getAPInt().getSExtValue());
}

/// Has \p Set the parameters of the run?
isl_bool VerifyModel::contains(const Points &Set) const {
  return pg_point_set_contain(Set.get(), Params.data(), nullptr);
}

/// Does the run-time condition hold?
bool VerifyModel::isClaimed() const {
  return contains(Model.Assumed) == isl_bool_true &&
         contains(Model.Invalid) == isl_bool_false;
}

/// Parameters that Polly takes for impossible: does the program run with them?
std::string VerifyModel::tryImpossible(Interpreter &I, unsigned long &Steps) {
  unsigned long Left = std::min(RunSteps, Steps), Before = Left;
  SilentObserver Silent;
  RunEnd End = I.run(Silent, Left);
  Steps -= Before - Left;
  Lacks = false;
  bool MayEnd =
      End == RunEnd::Done || (End == RunEnd::Spent && Before == RunSteps);
  if (!MayEnd || I.hasGuessed())
    return "";
  ++Runs;
  return "the program runs, which the model takes for impossible" +
         describeParams(Params);
}

/// With such parameters nothing runs on the device: they are above the limits
/// that the run-time condition has for index arithmetic.
bool VerifyModel::haveSizesWrapped(Interpreter &I) const {
  return any_of(Model.Sizes, [&](const ModelSize &M) {
    auto Wrapped = I.signedScev(M.Size);
    return M.Exact && Wrapped &&
           pg_point_set_contain(M.Exact.get(), Params.data(), &*Wrapped) ==
               isl_bool_false;
  });
}

std::unique_ptr<Interpreter>
VerifyModel::begin(uint64_t Seed, LeafStyle Style,
                   SmallVectorImpl<int64_t> &Params) {
  auto I = std::make_unique<Interpreter>(S.getRegion(), *S.getSE(), *S.getLI(),
                                         *S.getDT(), Seed, Style);
  for (int64_t Size : RowSizes)
    I->addConstant(static_cast<uint64_t>(Size));
  if (!I->reachesRegion())
    return nullptr;
  for (const SCEV *E : Model.Params) {
    auto Value = I->signedScev(E);
    if (!Value) {
      Obstacle = "a size or bound cannot be computed in front of the loops";
      return nullptr;
    }
    Params.push_back(*Value);
  }
  return I;
}

/// One choice of leaves.  Returns how the model differs, else nothing.
std::string VerifyModel::tryOnce(uint64_t Seed, LeafStyle Style,
                                 unsigned long &Steps) {
  Params.clear();
  Steps -= std::min(Steps, 100ul);
  std::unique_ptr<Interpreter> I = begin(Seed, Style, Params);
  if (!I || !isClaimed() || haveSizesWrapped(*I))
    return "";
  if (isl_bool Possible = contains(Model.Context); Possible != isl_bool_true)
    return Possible == isl_bool_false ? tryImpossible(*I, Steps) : "";
  unsigned long Left = std::min(RunSteps, Steps), Before = Left;
  unsigned long InstancesBefore = Instances;
  ModelObserver Observer(*this, *I, Params, Left);
  RunEnd End = I->run(Observer, Left);
  Steps -= Observer.Difference.empty() ? Before - Left : 0;
  if (End == RunEnd::Undefined || End == RunEnd::Stopped)
    return "";
  if (End == RunEnd::Unknown && Obstacle.empty())
    Obstacle =
        I->obstacle() && I->obstacle()->getDebugLoc()
            ? "line " + std::to_string(I->obstacle()->getDebugLoc().getLine()) +
                  " cannot be executed at compile time"
            : "an operation cannot be executed at compile time";
  Partial += End != RunEnd::Done;
  if (End == RunEnd::Done)
    Observer.regionEnds();
  // One that differs may become excluded, and is none of the model's then.
  if (Observer.Difference.empty())
    Claimed.push_back({Seed, Style, Params, Instances - InstancesBefore,
                       End == RunEnd::Done && I->isComplete()});
  ++Runs;
  Lacks = Observer.Lacks;
  return Observer.Difference;
}

std::string VerifyModel::describeParams(ArrayRef<int64_t> Params) {
  return Params.empty() ? "" : ", with parameters " + describe(Params);
}

Refusal VerifyModel::differs(const std::string &How) {
  return {"Model",
          "the compiler's model of these loops differs from the program (" +
              How +
              "); please report this with the source, or with what "
              "-gpu-save-failures=DIR keeps",
          DebugLoc(), nullptr, true};
}

/// Let the run-time condition exclude what is negative among the parameters of
/// the last run.  False if nothing is, or nothing would be left.
bool VerifyModel::excludeNegative() {
  bool Any = false;
  for (unsigned P = 0; P < Params.size(); ++P)
    if (Params[P] < 0) {
      Model.assumeNotNegative(S, P);
      Any = true;
    }
  return Any && Model.Assumed && S.hasFeasibleRuntimeContext();
}

/// Let the run-time condition exclude the parameters of the last run, if the
/// model lacks instances there and Polly knows that the source is undefined
/// there, which need not be so of the IR: counters were widened.
bool VerifyModel::excludeUndefined() {
  if (!Lacks || !Model.Defined ||
      pg_point_set_contain(Model.Defined.get(), Params.data(), nullptr) !=
          isl_bool_false)
    return false;
  Model.assumeDefined(S);
  return Model.Assumed && S.hasFeasibleRuntimeContext();
}

std::optional<Refusal> VerifyModel::run() {
  static const struct {
    LeafStyle Style;
    unsigned Runs;
  } Plan[] = {{LeafStyle::Small, 3},  {LeafStyle::Corner, 4},
              {LeafStyle::Tiny, 2},   {LeafStyle::Extreme, 2},
              {LeafStyle::Signed, 1}, {LeafStyle::Mixed, 2}};
  static const unsigned Attempts = 8;
  {
    IslErrors Errors(S.getIslCtx().get(), "reading of the model");
    if (!Model.tabulate()) {
      Obstacle = "the model's numbers are too large";
      return Errors.refuse();
    }
    if (auto Why = Errors.refuse())
      return Why;
  }
  unsigned long Steps = ScopSteps;
  uint64_t Seed = 0;
  for (const auto &Part : Plan) {
    unsigned Wanted = Runs + Part.Runs;
    for (unsigned N = 0; N < Attempts * Part.Runs && Runs < Wanted && Steps;
         ++N) {
      std::string How = tryOnce(++Seed, Part.Style, Steps);
      if (How.empty())
        continue;
      if (!excludeUndefined() && !excludeNegative())
        return differs(How);
      --Runs;
    }
    if (Model.Params.empty() && Runs)
      break;
  }
  return std::nullopt;
}

std::string VerifyModel::coverage() const {
  size_t Stmts = 0, Accesses = 0, AllAccesses = 0;
  for (const ModelStmt &Stmt : Model.Stmts) {
    Stmts += Stmt.Seen;
    AllAccesses += Stmt.Accesses.size();
    for (const ModelAccess &A : Stmt.Accesses)
      Accesses += A.Seen;
  }
  bool Whole = Stmts == Model.Stmts.size() && Accesses == AllAccesses;
  return "model held against the program in " + std::to_string(Runs) + " runs" +
         (Partial ? " (" + std::to_string(Partial) + " in part)" : "") + ": " +
         std::to_string(Stmts) + " of " + std::to_string(Model.Stmts.size()) +
         " statements, " + std::to_string(Accesses) + " of " +
         std::to_string(AllAccesses) + " accesses, " +
         std::to_string(Instances) + " instances" +
         (Whole || Obstacle.empty() ? "" : "; " + Obstacle);
}

} // namespace polygpu
