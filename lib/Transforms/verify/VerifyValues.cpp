//===- VerifyValues.cpp - The simplified SCoP by values -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "verify/VerifyValues.h"
#include "polly/ScopInfo.h"
#include "llvm/Analysis/RegionInfo.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace polygpu {

/// Steps that a run of the program, and all of them with those of instances,
/// may take.
static const long RunSteps = 20000, ScopSteps = 60000;
/// Runs that are compared.
static const unsigned MostRuns = 5;
/// Parameters of larger size could overflow in sums.
static const int64_t LargestParam = int64_t(1) << 30;
/// Scalars are above all arrays.
static const uint64_t Scalars = uint64_t(1) << 63, ScalarDistance = 64;
/// No object is larger.
static const uint64_t ObjectSize = uint64_t(1) << 39;

/// The imported SCoP on memory of hashes, after the program has run.
class ValueRun {
public:
  ValueRun(VerifyValues &V, pg_walk *Walk, Interpreter &I,
           ArrayRef<int64_t> Params)
      : V(V), Walk(Walk), I(I), Params(Params.begin(), Params.end()) {}

  /// False if something cannot be executed.
  bool execute(long &Steps);
  /// What differs from the program, else nothing.
  std::string difference();

  unsigned long Instances = 0, Elements = 0;
  std::string Obstacle;

private:
  VerifyValues &V;
  pg_walk *Walk;
  Interpreter &I;
  SmallVector<long long, 8> Params;
  struct Place {
    uint64_t Base;
    SmallVector<long long, 4> Extents;
  };
  SmallVector<Place, 8> Places; ///< by array
  /// What the program left in scalars that are used after the loops.
  DenseMap<unsigned, Number> Results;
  Memory Now;
  DenseMap<uint64_t, unsigned> Writer; ///< statement that wrote last

  bool findPlaces();
  void keepResults();
  static bool visit(unsigned Stmt, const long long *Args, void *User);
  bool instance(unsigned Stmt, const long long *Args);
  bool step(const ValueStep &Step, unsigned Stmt, const long long *Args);
  enum pg_walk_access address(unsigned Stmt, unsigned Access,
                              const long long *Args, uint64_t &Address) const;
  Number read(uint64_t Address, uint64_t Bytes) const;
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
    Access = address(Stmt, Step.Access, Args, Address);
    // Where it does not happen nothing uses the value.
    I.define(Step.V, Access == PG_WALK_ABSENT ? Number::poison()
                                              : read(Address, Step.Bytes));
    break;
  case ValueStep::Write:
    Access = address(Stmt, Step.Access, Args, Address);
    if (Access != PG_WALK_ABSENT) {
      Now[Address] = {I.value(Step.Instead ? Step.Instead : Step.V),
                      Step.Bytes};
      Writer[Address] = Stmt;
    }
    break;
  }
  return Access != PG_WALK_UNKNOWN || fail("an element is not known");
}

bool ValueRun::instance(unsigned Stmt, const long long *Args) {
  ValueStmt &T = V.Tables.Stmts[Stmt];
  SmallVector<std::pair<const Loop *, int64_t>, 8> Iterations;
  for (const Loop *L : T.Loops)
    Iterations.push_back({L, Args[Iterations.size()]});
  I.beginInstance(Iterations);
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
  if (!pg_walk_each(Walk, Params.data(), &Steps, &ValueRun::visit, this))
    return fail("there are too many instances");
  if (I.isMissing())
    return fail("a value is not known");
  return Obstacle.empty();
}

//===-- In the end --------------------------------------------------------===//

/// The program does not care what it does with what it must not use.
bool ValueRun::isEqual(Number Program, Number Model) const {
  return Program.K == Number::Poison ||
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
                                  pg_walk *Walk, long &Steps) {
  SmallVector<int64_t, 8> Known, Params;
  std::unique_ptr<Interpreter> I = Model.begin(Run.Seed, Run.Style, Known);
  for (const SCEV *E : Imported.Params) {
    auto Value = I ? I->signedScev(E) : std::nullopt;
    if (!Value || *Value > LargestParam || *Value < -LargestParam)
      return "";
    Params.push_back(*Value);
  }
  SilentObserver Silent;
  unsigned long Left = std::min(RunSteps, Steps), Before = Left;
  I->executeAll();
  RunEnd End = I->run(Silent, Left);
  Steps -= static_cast<long>(Before - Left);
  if (End != RunEnd::Done) {
    Obstacle = End == RunEnd::Spent
                   ? "the loops are too long"
                   : "the loops cannot be executed to their end";
    return "";
  }
  ValueRun Values(*this, Walk, *I, Params);
  if (!Values.execute(Steps)) {
    Obstacle = Values.Obstacle;
    return "";
  }
  std::string How = Values.difference();
  ++Runs;
  Instances += Values.Instances;
  Elements += Values.Elements;
  return How.empty() ? "" : How + VerifyModel::describeParams(Params);
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
  long Steps = ScopSteps;
  for (const VerifyModel::ClaimedRun *Run : chooseRuns())
    if (How.empty() && Runs < MostRuns && Steps > 0)
      How = compare(*Run, Walk, Steps);
  pg_walk_free(Walk);
  return How.empty() ? std::nullopt : std::optional(VerifyModel::differs(How));
}

std::string VerifyValues::coverage() const {
  auto Seen = count_if(Tables.Stmts, [](const ValueStmt &T) { return T.Seen; });
  if (Runs)
    return "values of " + std::to_string(Elements) + " elements equal in " +
           std::to_string(Runs) + " runs of " + std::to_string(Seen) + " of " +
           std::to_string(Tables.Stmts.size()) + " statements, " +
           std::to_string(Instances) + " instances";
  return "values not compared: " +
         (Obstacle.empty() ? "nothing ran" : Obstacle);
}

} // namespace polygpu
