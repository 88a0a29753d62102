//===- VerifyValues.cpp - The simplified SCoP by values -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "verify/VerifyValues.h"
#include "adaptor/HiddenValues.h"
#include "polly/ScopInfo.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/RegionInfo.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"

#include <array>
#include <map>
#include <set>

using namespace llvm;

namespace polygpu {

/// Steps that a run of the program, and all of them with those of instances,
/// may take.
static const long RunSteps = 20000, ScopSteps = 60000;
/// And all with few iterations, where no loops are short enough.
static const long FewSteps = 40000;
/// Runs that are compared.
static const unsigned MostRuns = 5;
/// Parameters of larger size could overflow in sums.
static const int64_t LargestParam = int64_t(1) << 30;
/// Scalars are above all arrays.
static const uint64_t Scalars = uint64_t(1) << 63, ScalarDistance = 64;
/// No object is larger.
static const uint64_t ObjectSize = uint64_t(1) << 39;

namespace {

/// Notes which instances of the statements the program executes.
class InstanceObserver final : public RunObserver {
public:
  /// With \p Data what comes from iterations that were left out as well.
  InstanceObserver(const ValueTables &Tables, const ImportedScop &Imported,
                   Interpreter &I, bool Data)
      : Tables(Tables), I(I), Data(Data) {
    for (unsigned N = 0; N < Imported.Stmts.size(); ++N)
      OfBlock[Imported.Stmts[N]->getBasicBlock()].push_back(N);
  }

  bool block(const BasicBlock &BB, const BasicBlock *) override {
    auto It = OfBlock.find(&BB);
    if (It != OfBlock.end())
      for (unsigned Stmt : It->second)
        note(Stmt);
    return true;
  }
  bool access(const Instruction &, uint64_t) override { return true; }
  bool iterationEnds(const Loop &) override { return true; }
  bool leaves(const Loop &) override { return true; }
  bool dataMayDecide(const BasicBlock &) override { return false; }

  bool visit(pg_walk *Walk, const long long *Params, long &Steps,
             pg_walk_visitor *Visit, void *User) const {
    std::vector<unsigned> Stmts;
    std::vector<std::array<long long, PG_WALK_MAX_DIM>> Args;
    for (const Instance &Noted : All) {
      Stmts.push_back(Noted.first);
      Args.push_back(Noted.second);
    }
    return pg_walk_some(
        Walk, Params, Stmts.size(), Stmts.data(),
        reinterpret_cast<const long long (*)[PG_WALK_MAX_DIM]>(Args.data()),
        &Steps, Visit, User);
  }

  /// What comes from iterations that were left out, of an instance.
  const Interpreter::Carried *behindGap(unsigned Stmt,
                                        const long long *Args) const {
    auto It = Behind.find(instance(Stmt, Args));
    return It == Behind.end() ? nullptr : &It->second;
  }

  /// Was the iteration of loop number \p D left out that follows on that of an
  /// instance?
  bool isBeforeGap(unsigned Stmt, const long long *Args, unsigned D) const {
    auto It = Iterations.find(iteration(Stmt, Args, D));
    if (It == Iterations.end())
      return false;
    auto Next = It->second.upper_bound(Args[D]);
    return Next != It->second.end() && *Next != Args[D] + 1;
  }

private:
  using Instance = std::pair<unsigned, std::array<long long, PG_WALK_MAX_DIM>>;
  /// A loop, and the iterations of those around it.
  using Entry = std::pair<const Loop *, std::vector<long long>>;

  const ValueTables &Tables;
  Interpreter &I;
  bool Data;
  DenseMap<const BasicBlock *, SmallVector<unsigned, 2>> OfBlock;
  std::vector<Instance> All;
  std::map<Instance, Interpreter::Carried> Behind;
  std::map<Entry, std::set<long long>> Iterations; ///< that were executed

  Entry iteration(unsigned Stmt, const long long *Args, unsigned D) const {
    return {Tables.Stmts[Stmt].Loops[D], {Args, Args + D}};
  }

  Instance instance(unsigned Stmt, const long long *Args) const {
    Instance Result = {Stmt, {}};
    std::copy_n(Args, Tables.Stmts[Stmt].Loops.size(), Result.second.begin());
    return Result;
  }

  void note(unsigned Stmt) {
    Instance Now = {Stmt, {}};
    Interpreter::Carried Phis;
    for (const auto &[D, L] : enumerate(Tables.Stmts[Stmt].Loops)) {
      Now.second[D] = I.iteration(L);
      Iterations[iteration(Stmt, Now.second.data(), D)].insert(Now.second[D]);
      if (Data)
        I.addBehindGap(*L, Phis);
    }
    if (!Phis.empty())
      Behind[Now] = std::move(Phis);
    All.push_back(Now);
  }
};

} // namespace

/// The imported SCoP on memory of hashes, after the program has run.
class ValueRun {
public:
  /// Of all instances, or those of \p Some.
  ValueRun(VerifyValues &V, pg_walk *Walk, Interpreter &I,
           ArrayRef<int64_t> Params, const InstanceObserver *Some)
      : V(V), Walk(Walk), I(I), Params(Params.begin(), Params.end()),
        Some(Some) {}

  /// False if something cannot be executed.
  bool execute(long &Steps);
  /// What differs from the program, else nothing.
  std::string difference();

  unsigned long Instances = 0, Elements = 0;
  std::string Obstacle;
  bool Overlaps = false; ///< two arrays have bytes in common

private:
  VerifyValues &V;
  pg_walk *Walk;
  Interpreter &I;
  SmallVector<long long, 8> Params;
  const InstanceObserver *Some;
  /// Of the instance, see InstanceObserver.
  const Interpreter::Carried *Behind = nullptr;
  struct Place {
    uint64_t Base;
    SmallVector<long long, 4> Extents;
  };
  SmallVector<Place, 8> Places; ///< by array
  /// What the program left in scalars that are used after the loops.
  DenseMap<unsigned, Number> Results;
  Memory Now;
  /// What scalars have that Polly keeps in elements which may only be written
  /// in iterations that were left out.
  Memory Passing;
  DenseMap<uint64_t, unsigned> Writer; ///< statement that wrote last
  /// Who accesses 8 bytes: an array's base, and whether it writes.
  DenseMap<uint64_t, std::pair<const Value *, bool>> Users;

  bool findPlaces();
  void keepResults();
  static bool visit(unsigned Stmt, const long long *Args, void *User);
  bool instance(unsigned Stmt, const long long *Args);
  bool step(const ValueStep &Step, unsigned Stmt, const long long *Args);
  enum pg_walk_access address(unsigned Stmt, unsigned Access,
                              const long long *Args, uint64_t &Address) const;
  Number read(uint64_t Address, uint64_t Bytes) const;
  std::optional<Number> carried(const Value *V) const;
  void noteUser(unsigned Stmt, const ValueStep &Step, uint64_t Address);
  bool isKept(unsigned Stmt, unsigned Access) const;
  bool passes(unsigned Stmt, unsigned Access, const long long *Args) const;
  Number load(const ValueStep &Step, unsigned Stmt, uint64_t Address) const;
  void store(const ValueStep &Step, unsigned Stmt, uint64_t Address,
             const long long *Args);
  bool isEqual(Number Program, Number Model) const;
  std::string differ(uint64_t Address) const;
  std::string nameOf(uint64_t Address) const;
  bool fail(const char *Why) {
    Obstacle = Why;
    return false;
  }
};

/// Where arrays are, how large their rows, and what is in scalars.
bool ValueRun::findPlaces() {
  for (unsigned A = 0; A < V.Source.n_array; ++A) {
    const pg_array &Array = V.Source.arrays[A];
    const Value *Origin = V.Imported.Arrays[A]->getBasePtr();
    Place P = {Scalars + A * ScalarDistance, {}};
    if (Array.kind == PG_ARRAY_MEMORY) {
      Number Base = I.value(Origin);
      if (!Base.isExact())
        return fail("the address of an array is not known");
      P.Base = Base.Bits;
    }
    if (auto First = I.valueAtEntry(Origin);
        First && Array.kind == PG_ARRAY_PHI)
      Now[P.Base] = {*First, V.Tables.bytesOf(*Origin)};
    for (unsigned D = 0; D < Array.n_dim; ++D) {
      P.Extents.push_back(1);
      if (!pg_walk_extent(Walk, Params.data(), A, D, &P.Extents.back()))
        return fail("the size of a row is not known");
    }
    Places.push_back(std::move(P));
  }
  return true;
}

void ValueRun::keepResults() {
  for (unsigned A = 0; A < V.Source.n_array; ++A)
    if (V.Source.arrays[A].kind == PG_ARRAY_VALUE &&
        !V.Source.arrays[A].dead_after)
      if (auto N = I.computed(V.Imported.Arrays[A]->getBasePtr()))
        Results[A] = *N;
}

enum pg_walk_access ValueRun::address(unsigned Stmt, unsigned Access,
                                      const long long *Args,
                                      uint64_t &Address) const {
  unsigned A = V.Source.stmts[Stmt].accesses[Access].array;
  const Place &P = Places[A];
  long long Subscripts[PG_WALK_MAX_DIM];
  auto Result =
      pg_walk_subscripts(Walk, Params.data(), Stmt, Access, Args, Subscripts);
  uint64_t Index = 0;
  for (unsigned D = 0; Result == PG_WALK_HAPPENS && D < P.Extents.size(); ++D)
    Index = Index * static_cast<uint64_t>(P.Extents[D]) +
            static_cast<uint64_t>(Subscripts[D]);
  Address = P.Base + Index * V.Source.arrays[A].elem_size;
  return Result;
}

Number ValueRun::read(uint64_t Address, uint64_t Bytes) const {
  if (auto It = Now.find(Address); It != Now.end())
    return readCell(It->second, Bytes);
  const Memory &First = I.memoryAtFirst();
  if (auto It = First.find(Address); It != First.end())
    return readCell(It->second, Bytes);
  // What the program does not read: if it is used anywhere, that shows.
  return Number::opaque(mixHash(Address, 0x756e726561640a));
}

/// What \p V has from iterations that were left out.
std::optional<Number> ValueRun::carried(const Value *V) const {
  if (Behind)
    for (const auto &[Phi, N] : *Behind)
      if (Phi == V)
        return N;
  return std::nullopt;
}

/// Is the access to a scalar that Polly keeps in an array?
bool ValueRun::isKept(unsigned Stmt, unsigned Access) const {
  const polly::MemoryAccess *MA = V.Imported.Accesses[Stmt][Access];
  return !MA->isOriginalArrayKind() && MA->isLatestArrayKind();
}

/// Does it write what an iteration may read, and overwrite, that is left out?
bool ValueRun::passes(unsigned Stmt, unsigned Access,
                      const long long *Args) const {
  if (!Some || !isKept(Stmt, Access))
    return false;
  const auto *Phi = dyn_cast<PHINode>(V.Imported.Accesses[Stmt][Access]
                                          ->getOriginalScopArrayInfo()
                                          ->getBasePtr());
  const LoopInfo &LI = *V.S.getLI();
  bool OfLoop = Phi && LI.isLoopHeader(Phi->getParent());
  for (const auto &[D, L] : enumerate(V.Tables.Stmts[Stmt].Loops))
    if ((!OfLoop || LI.getLoopFor(Phi->getParent()) == L) &&
        Some->isBeforeGap(Stmt, Args, D))
      return true;
  return false;
}

Number ValueRun::load(const ValueStep &Step, unsigned Stmt,
                      uint64_t Address) const {
  auto It = Passing.find(Address);
  if (It == Passing.end())
    return read(Address, Step.Bytes);
  return isKept(Stmt, Step.Access) ? readCell(It->second, Step.Bytes)
                                   : Number::poison();
}

void ValueRun::store(const ValueStep &Step, unsigned Stmt, uint64_t Address,
                     const long long *Args) {
  bool Passes = passes(Stmt, Step.Access, Args);
  (Passes ? Passing : Now)[Address] = {
      I.value(Step.Instead ? Step.Instead : Step.V), Step.Bytes};
  if (!Passes)
    Passing.erase(Address);
  Writer[Address] = Stmt;
}

/// Pointers in memory may lead to the same place, where the run-time condition
/// declines: then nothing is promised.  Fields share an origin, and no bytes.
void ValueRun::noteUser(unsigned Stmt, const ValueStep &Step,
                        uint64_t Address) {
  unsigned A = V.Source.stmts[Stmt].accesses[Step.Access].array;
  if (V.Source.arrays[A].kind != PG_ARRAY_MEMORY)
    return;
  const Value *Origin = V.Imported.Arrays[A]->getBasePtr();
  int64_t Offset;
  while (const Value *Before = hiddenOrigin(Origin, Offset))
    Origin = Before;
  bool Writes = Step.K == ValueStep::Write;
  auto [It, New] = Users.insert({Address / 8, {Origin, Writes}});
  Overlaps |= It->second.first != Origin && (Writes || It->second.second);
  It->second.second |= Writes;
}

bool ValueRun::step(const ValueStep &Step, unsigned Stmt,
                    const long long *Args) {
  uint64_t Address;
  enum pg_walk_access Access;
  switch (Step.K) {
  case ValueStep::Compute:
    I.define(Step.V, Step.Instead ? I.value(Step.Instead)
                                  : I.compute(*cast<Operator>(Step.V)));
    return true;
  case ValueStep::Synthesise: {
    auto Bits = I.scev(Step.E);
    if (!Bits)
      return fail("an expression cannot be computed");
    I.define(Step.V, Number::exact(*Bits));
    return true;
  }
  case ValueStep::Read:
    if (Step.Token) {
      I.define(Step.V, read(I.value(Step.Token).Bits, Step.Bytes));
      return true;
    }
    // What the iteration before would have written, wherever Polly keeps it.
    if (auto Known = carried(Step.V)) {
      I.define(Step.V, *Known);
      return true;
    }
    Access = address(Stmt, Step.Access, Args, Address);
    // Where it does not happen nothing uses the value.
    I.define(Step.V, Access == PG_WALK_ABSENT ? Number::poison()
                                              : load(Step, Stmt, Address));
    break;
  case ValueStep::Write:
    if (Step.Token) {
      Now[I.value(Step.Token).Bits] = {
          I.value(Step.Instead ? Step.Instead : Step.V), Step.Bytes};
      return true;
    }
    Access = address(Stmt, Step.Access, Args, Address);
    if (Access != PG_WALK_ABSENT)
      store(Step, Stmt, Address, Args);
    break;
  }
  if (Access == PG_WALK_HAPPENS)
    noteUser(Stmt, Step, Address);
  return Access != PG_WALK_UNKNOWN || fail("an element is not known");
}

bool ValueRun::instance(unsigned Stmt, const long long *Args) {
  ValueStmt &T = V.Tables.Stmts[Stmt];
  SmallVector<std::pair<const Loop *, int64_t>, 8> Iterations;
  for (const Loop *L : T.Loops)
    Iterations.push_back({L, Args[Iterations.size()]});
  I.beginInstance(Iterations);
  Behind = Some ? Some->behindGap(Stmt, Args) : nullptr;
  for (const ValueStep &Step : T.Steps)
    if (!step(Step, Stmt, Args))
      return false;
  T.Seen = true;
  ++Instances;
  return true;
}

bool ValueRun::visit(unsigned Stmt, const long long *Args, void *User) {
  return static_cast<ValueRun *>(User)->instance(Stmt, Args);
}

bool ValueRun::execute(long &Steps) {
  keepResults();
  I.forgetRegion();
  if (!findPlaces())
    return false;
  if (Some ? !Some->visit(Walk, Params.data(), Steps, &ValueRun::visit, this)
           : !pg_walk_each(Walk, Params.data(), &Steps, &ValueRun::visit, this))
    return fail("there are too many instances");
  if (I.isMissing())
    return fail("a value is not known");
  return Obstacle.empty();
}

//===-- In the end --------------------------------------------------------===//

/// The program does not care what it does with what it must not use.  What the
/// model has of iterations that were left out is not known.
bool ValueRun::isEqual(Number Program, Number Model) const {
  return Program.K == Number::Poison || (Some && Model.K == Number::Poison) ||
         (Program.K == Model.K && Program.Bits == Model.Bits);
}

std::string ValueRun::nameOf(uint64_t Address) const {
  std::string Name = "memory";
  uint64_t Nearest = ObjectSize;
  for (unsigned A = 0; A < V.Source.n_array; ++A) {
    uint64_t Distance = Address - Places[A].Base;
    if (Distance >= Nearest)
      continue;
    Nearest = Distance;
    unsigned Size = V.Source.arrays[A].elem_size;
    Name = V.Source.arrays[A].source_name;
    Name = V.Source.arrays[A].kind == PG_ARRAY_MEMORY
               ? "element " + std::to_string(Distance / Size) + " of '" + Name +
                     "'"
               : "'" + Name + "'";
  }
  return Name;
}

std::string ValueRun::differ(uint64_t Address) const {
  auto It = Writer.find(Address);
  unsigned Line = It == Writer.end() ? 0 : V.Source.stmts[It->second].line;
  return nameOf(Address) + " gets another value" +
         (It == Writer.end() ? ", since no statement writes it"
          : Line             ? ", last written in line " + std::to_string(Line)
                             : "");
}

std::string ValueRun::difference() {
  uint64_t Found = 0;
  auto Check = [&](uint64_t Address, Number Program, Number Model) {
    if (Passing.count(Address))
      return;
    ++Elements;
    // The one that does not depend on the order of tables.
    if (!isEqual(Program, Model) && (!Found || Address < Found))
      Found = Address;
  };
  for (const auto &[Address, Cell] : I.memory())
    Check(Address, Cell.first, read(Address, Cell.second));
  for (const auto &[Address, Cell] : Now)
    if (Address < Scalars && !I.memory().count(Address))
      Check(Address, Number::opaque(0), Cell.first);
  for (const auto &[Array, Result] : Results) {
    const Place &P = Places[Array];
    auto It = Now.find(P.Base);
    Check(P.Base, Result,
          It == Now.end() ? Number::poison() : It->second.first);
  }
  return Found ? differ(Found) : "";
}

//===-- The SCoP ----------------------------------------------------------===//

/// Of runs with the same parameters one, the largest and the smallest in turn,
/// and last those of which nobody knows how large they are.
std::vector<const VerifyModel::ClaimedRun *> VerifyValues::chooseRuns() const {
  std::vector<const VerifyModel::ClaimedRun *> Known, Unknown, Chosen;
  for (const auto &Run : Model.claimedRuns()) {
    auto IsSame = [&](const VerifyModel::ClaimedRun *Other) {
      return Other->Params == Run.Params;
    };
    auto &List = Run.Complete ? Known : Unknown;
    if (Run.Instances && none_of(List, IsSame))
      List.push_back(&Run);
  }
  sort(Known, [](const auto *A, const auto *B) {
    return A->Instances != B->Instances ? A->Instances > B->Instances
                                        : A->Seed < B->Seed;
  });
  for (size_t First = 0, End = Known.size(); First < End;) {
    Chosen.push_back(Known[First++]);
    if (First < End)
      Chosen.push_back(Known[--End]);
  }
  append_range(Chosen, Unknown);
  return Chosen;
}

/// Repeat \p Run, of the program and of the SCoP.  Returns what differs.
std::string VerifyValues::compare(const VerifyModel::ClaimedRun &Run,
                                  Extent Which, pg_walk *Walk, long &Steps) {
  SmallVector<int64_t, 8> Known, Params;
  std::unique_ptr<Interpreter> I = Model.begin(Run.Seed, Run.Style, Known);
  for (const SCEV *E : Imported.Params) {
    auto Value = I ? I->signedScev(E) : std::nullopt;
    if (!Value || *Value > LargestParam || *Value < -LargestParam)
      return "";
    Params.push_back(*Value);
  }
  bool All = Which == Extent::All;
  SilentObserver Silent;
  InstanceObserver Noted(Tables, Imported, *I, Which == Extent::FewHashed);
  unsigned long Left = std::min(RunSteps, Steps), Before = Left;
  All ? I->executeAll()
      : I->executeFew(Which == Extent::FewKept     ? Interpreter::Gap::Kept
                      : Which == Extent::FewHashed ? Interpreter::Gap::Hash
                                                   : Interpreter::Gap::Poison);
  RunEnd End = All ? I->run(Silent, Left) : I->run(Noted, Left);
  Steps -= static_cast<long>(Before - Left);
  if (End != RunEnd::Done) {
    TooLong |= All && End == RunEnd::Spent;
    Obstacle = End == RunEnd::Spent
                   ? "the loops are too long"
                   : "the loops cannot be executed to their end";
    return "";
  }
  ValueRun Values(*this, Walk, *I, Params, All ? nullptr : &Noted);
  if (!Values.execute(Steps)) {
    TooLong |= All && Steps <= 0;
    Obstacle = Values.Obstacle;
    return "";
  }
  if (Values.Overlaps)
    return "";
  std::string How = Values.difference();
  if (!How.empty())
    return How + VerifyModel::describeParams(Params);
  ++Runs;
  InPart += !I->isComplete();
  Instances += Values.Instances;
  Elements += Values.Elements;
  return "";
}

/// The same with few iterations of long loops.  At first data goes over those
/// that are left out.  If Polly keeps it in an element that is another one for
/// each iteration, it is taken for known behind them.  And if another phi gets
/// it, of the same loop or of one inside, it is not looked at.
std::string VerifyValues::compareFew(const VerifyModel::ClaimedRun &Run,
                                     pg_walk *Walk, long &Steps) {
  std::string How = compare(Run, Extent::FewKept, Walk, Steps);
  if (!How.empty() && !keepsInPlace())
    How = compare(Run, Extent::FewHashed, Walk, Steps);
  if (!How.empty() && passesData())
    How = compare(Run, Extent::FewUnknown, Walk, Steps);
  return How;
}

/// The phi of a loop that \p MA accesses, and that is no array in the source.
const PHINode *VerifyValues::loopPhi(const polly::MemoryAccess &MA) const {
  const auto *Phi =
      dyn_cast<PHINode>(MA.getOriginalScopArrayInfo()->getBasePtr());
  return Phi && !MA.isOriginalArrayKind() && MA.isLatestArrayKind() &&
                 S.getLI()->isLoopHeader(Phi->getParent())
             ? Phi
             : nullptr;
}

/// Does each phi of a loop stay in one element while the loop runs?
bool VerifyValues::keepsInPlace() const {
  for (const auto &Stmt : Imported.Accesses)
    for (const polly::MemoryAccess *MA : Stmt) {
      const PHINode *Phi = loopPhi(*MA);
      if (!Phi)
        continue;
      const Loop *L = S.getLI()->getLoopFor(Phi->getParent());
      const polly::ScopStmt *In = MA->getStatement();
      isl::map Map = MA->getLatestAccessRelation().gist_domain(In->getDomain());
      for (unsigned D = 0; D < In->getNumIterators(); ++D)
        if (In->getLoopForDimension(D) == L &&
            isl_map_involves_dims(Map.get(), isl_dim_in, D, 1) !=
                isl_bool_false)
          return false;
    }
  return true;
}

/// Is a loop's phi kept in an array that gets what another one has?
bool VerifyValues::passesData() const {
  auto GetsOther = [&](const PHINode &Phi) {
    return any_of(Phi.incoming_values(), [&](const Use &U) {
      return isa<PHINode>(U.get()) && U.get() != &Phi;
    });
  };
  for (const auto &Stmt : Imported.Accesses)
    for (const polly::MemoryAccess *MA : Stmt)
      if (const PHINode *Phi = loopPhi(*MA); Phi && GetsOther(*Phi))
        return true;
  return false;
}

std::string VerifyValues::compareRuns(pg_walk *Walk) {
  std::vector<const VerifyModel::ClaimedRun *> Chosen = chooseRuns();
  std::string How;
  long Steps = ScopSteps;
  for (const VerifyModel::ClaimedRun *Run : Chosen)
    if (How.empty() && Runs < MostRuns && Steps > 0)
      How = compare(*Run, Extent::All, Walk, Steps);
  if (!How.empty() || Runs || !TooLong)
    return How;
  Steps = FewSteps;
  for (const VerifyModel::ClaimedRun *Run : Chosen)
    if (How.empty() && !Runs && Steps > 0)
      How = compareFew(*Run, Walk, Steps);
  return How;
}

/// A value that is used after the loops has to be handed over.
std::string VerifyValues::findLostValue() const {
  auto IsThere = [&](const Instruction &I) {
    for (unsigned A = 0; A < Source.n_array; ++A)
      if (Imported.Arrays[A]->getBasePtr() == &I &&
          Source.arrays[A].kind == PG_ARRAY_VALUE &&
          !Source.arrays[A].dead_after)
        return true;
    return false;
  };
  for (const BasicBlock *BB : S.getRegion().blocks())
    for (const Instruction &I : *BB)
      if (S.isEscaping(const_cast<Instruction *>(&I)) && !IsThere(I))
        return "'" + sourceName(&I) + "' is not known after the loops";
  return "";
}

std::optional<Refusal> VerifyValues::run() {
  std::string How = findLostValue();
  if (!How.empty())
    return VerifyModel::differs(How);
  Obstacle = Tables.Obstacle;
  if (!Obstacle.empty())
    return std::nullopt;
  pg_walk *Walk = pg_walk_alloc(&Source);
  if (!Walk) {
    Obstacle = "the statements' order or accesses cannot be evaluated";
    return std::nullopt;
  }
  How = compareRuns(Walk);
  pg_walk_free(Walk);
  return How.empty() ? std::nullopt : std::optional(VerifyModel::differs(How));
}

std::string VerifyValues::coverage() const {
  auto Seen = count_if(Tables.Stmts, [](const ValueStmt &T) { return T.Seen; });
  if (Runs)
    return "values of " + std::to_string(Elements) + " elements equal in " +
           std::to_string(Runs) + " runs " + (InPart ? "(in part) " : "") +
           "of " + std::to_string(Seen) + " of " +
           std::to_string(Tables.Stmts.size()) + " statements, " +
           std::to_string(Instances) + " instances";
  return "values not compared: " +
         (Obstacle.empty() ? "nothing ran" : Obstacle);
}

} // namespace polygpu
