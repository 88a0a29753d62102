//===- TuningFile.cpp - Options that were found for single SCoPs ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tuning/TuningFile.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/Twine.h"
#include <cmath>
#include <tuple>

using namespace llvm;

namespace polygpu {

namespace {

/// One line.
class Reader {
  TuningRecord &R;
  StringSet<> Seen;

public:
  explicit Reader(TuningRecord &R) : R(R) {}
  std::string word(StringRef Word);
  std::string finish() const;

private:
  std::string value(StringRef Key, StringRef Value);
};

} // namespace

static const char *const Keys = "scop, arch, by, before, after, sizes, fusion, "
                                "promotion and time, and when "
                                "for some sizes";

static std::string wrong(StringRef Key, StringRef Value, const Twine &Allowed) {
  return ("'" + Value + "' of '" + Key + "': allowed is " + Allowed).str();
}

/// The one of \p Known that \p Value names.
template <typename T, size_t N>
static std::string readName(StringRef Key, StringRef Value,
                            const std::pair<StringRef, T> (&Known)[N],
                            std::optional<T> &Chosen) {
  std::string Allowed;
  for (auto [Name, One] : Known) {
    if (Name == Value) {
      Chosen = One;
      return "";
    }
    Allowed += (Allowed.empty() ? "" : ", ") + Name.str();
  }
  return wrong(Key, Value, "one of " + Allowed);
}

static std::string readPromotion(StringRef Value, TuningRecord &R) {
  if (Value != "on" && Value != "off" && Value != "all")
    return wrong("promotion", Value, "one of on, off, all");
  R.Promote = Value != "off";
  R.PromoteAll = Value == "all";
  return "";
}

static std::string readNumber(StringRef Key, StringRef Value, double &Number) {
  if (Value.getAsDouble(Number) || !std::isfinite(Number) || Number < 0)
    return wrong(Key, Value, "a number of milliseconds");
  return "";
}

static std::string readSizes(StringRef Value, TuningRecord &R) {
  R.Sizes = Value.str();
  char *Error = pg_sizes_check(R.Sizes.c_str());
  std::string Why = Error ? "'" + R.Sizes + "' of 'sizes': " + Error : "";
  free(Error);
  return Why;
}

/// One condition of "when"; false if it is none.
static bool readCondition(StringRef Text, SizeRange &Range) {
  Range.Least = INT64_MIN;
  Range.Most = INT64_MAX;
  if (!Text.consume_front("p") || Text.consumeInteger(10, Range.Param))
    return false;
  if (Text.consume_front(">="))
    return !Text.getAsInteger(10, Range.Least);
  // What nothing is less than is no condition of anybody's.
  if (!Text.consume_front("<") || Text.getAsInteger(10, Range.Most) ||
      Range.Most == INT64_MIN)
    return false;
  --Range.Most;
  return true;
}

static std::string readWhen(StringRef Value, TuningRecord &R) {
  SmallVector<StringRef, 8> Parts;
  Value.split(Parts, ',');
  for (StringRef Part : Parts) {
    SizeRange Range;
    if (!readCondition(Part, Range))
      return wrong("when", Value,
                   "a list like p0>=512,p1<64, of parameters by their numbers, "
                   "with >= or < and a number of 64 bits");
    auto Known = find_if(R.When, [&](const SizeRange &Other) {
      return Other.Param == Range.Param;
    });
    if (Known == R.When.end()) {
      R.When.push_back(Range);
      continue;
    }
    Known->Least = std::max(Known->Least, Range.Least);
    Known->Most = std::min(Known->Most, Range.Most);
  }
  sort(R.When, [](const SizeRange &A, const SizeRange &B) {
    return A.Param < B.Param;
  });
  for (const SizeRange &Range : R.When)
    if (Range.Least > Range.Most)
      return ("'" + Value + "' of 'when': nothing is so").str();
  return "";
}

std::string Reader::value(StringRef Key, StringRef Value) {
  if (Key == "scop") {
    R.Scop = Value.lower();
    return R.Scop.size() == 16 && all_of(R.Scop, isHexDigit)
               ? ""
               : wrong(Key, Value, "16 hexadecimal digits");
  }
  if (Key == "arch") {
    R.Arch = Value.str();
    return Value.starts_with("sm_")
               ? ""
               : wrong(Key, Value, "an architecture, like sm_90");
  }
  if (Key == "by") {
    R.ByTime = Value == "time";
    return R.ByTime || Value == "model" ? ""
                                        : wrong(Key, Value, "time or model");
  }
  if (Key == "before")
    return readNumber(Key, Value, R.Before);
  if (Key == "after")
    return readNumber(Key, Value, R.After);
  if (Key == "when")
    return readWhen(Value, R);
  R.Choice += (R.Choice.empty() ? "" : " ") + (Key + "=" + Value).str();
  if (Key == "sizes")
    return readSizes(Value, R);
  if (Key == "fusion")
    return readName(Key, Value, FusionNames, R.Fusion);
  if (Key == "time")
    return readName(Key, Value, TimeNames, R.Time);
  if (Key == "promotion")
    return readPromotion(Value, R);
  return ("'" + Key + "' is no key; allowed are " + Keys).str();
}

std::string Reader::word(StringRef Word) {
  auto [Key, Value] = Word.split('=');
  if (Value.empty())
    return ("'" + Word + "' is not of the form KEY=VALUE; keys are " + Keys)
        .str();
  if (!Seen.insert(Key).second)
    return ("'" + Key + "' comes twice").str();
  return value(Key, Value);
}

std::string Reader::finish() const {
  for (StringRef Key : {"scop", "arch", "by", "before", "after"})
    if (!Seen.contains(Key))
      return ("'" + Key +
              "' is missing; a line has scop, arch, by, before and after")
          .str();
  if (R.When.empty())
    return "";
  // What changes the SCoP itself does so for all sizes.
  for (StringRef Key : {"fusion", "time"})
    if (Seen.contains(Key))
      return ("'" + Key +
              "' cannot be in a line with 'when': what differs by sizes is "
              "'sizes' and 'promotion'")
          .str();
  for (StringRef Size : {"time", "partial"})
    if (StringRef(R.Sizes).contains(("->" + Size + "[").str()))
      return ("'" + Size +
              "' of 'sizes' cannot be in a line with 'when': it is for all "
              "sizes alike")
          .str();
  return "";
}

static std::string readLine(StringRef Line, TuningRecord &R) {
  SmallVector<StringRef, 12> Words;
  SplitString(Line, Words, " \t\r");
  Reader Of(R);
  for (StringRef Word : Words)
    if (std::string Why = Of.word(Word); !Why.empty())
      return Why;
  return Of.finish();
}

std::string readTuning(StringRef Text, std::vector<TuningRecord> &Records) {
  SmallVector<StringRef, 16> Lines;
  Text.split(Lines, '\n');
  for (size_t L = 0; L < Lines.size(); ++L) {
    StringRef Line = Lines[L].split('#').first.trim();
    if (Line.empty())
      continue;
    TuningRecord R;
    R.Line = L + 1;
    if (std::string Why = readLine(Line, R); !Why.empty())
      return "line " + std::to_string(L + 1) + ": " + Why;
    Records.push_back(std::move(R));
  }
  return "";
}

/// What records are sorted by, the least first.
static auto rank(const TuningRecord &R) {
  double Part = R.Before > 0 ? R.After / R.Before : 1;
  return std::make_tuple(!R.ByTime, Part, StringRef(R.Choice));
}

const TuningRecord *findTuning(const std::vector<TuningRecord> &Records,
                               StringRef Scop, StringRef Arch) {
  const TuningRecord *Best = nullptr;
  for (const TuningRecord &R : Records)
    if (R.When.empty() && R.Scop == Scop && R.Arch == Arch &&
        (!Best || rank(R) < rank(*Best)))
      Best = &R;
  return Best;
}

std::vector<const TuningRecord *>
findVariants(const std::vector<TuningRecord> &Records, StringRef Scop,
             StringRef Arch) {
  std::vector<const TuningRecord *> All, Found;
  for (const TuningRecord &R : Records)
    if (!R.When.empty() && R.Scop == Scop && R.Arch == Arch)
      All.push_back(&R);
  sort(All, [](const TuningRecord *A, const TuningRecord *B) {
    return std::make_tuple(rank(*A), A->when(), A->Line) <
           std::make_tuple(rank(*B), B->when(), B->Line);
  });
  for (const TuningRecord *R : All)
    if (none_of(Found, [&](const TuningRecord *Better) {
          return Better->when() == R->when();
        }))
      Found.push_back(R);
  return Found;
}

std::string TuningRecord::when() const {
  std::string Text;
  auto Add = [&](unsigned Param, const char *Compared, int64_t Value) {
    Text += (Text.empty() ? "p" : ",p") + std::to_string(Param) + Compared +
            std::to_string(Value);
  };
  for (const SizeRange &Range : When) {
    if (Range.Least > INT64_MIN)
      Add(Range.Param, ">=", Range.Least);
    if (Range.Most < INT64_MAX)
      Add(Range.Param, "<", Range.Most + 1);
  }
  return Text;
}

std::string TuningRecord::words() const {
  if (When.empty())
    return Choice;
  return "when=" + when() + (Choice.empty() ? "" : " ") + Choice;
}

void TuningRecord::applyTo(pg_options &Options) const {
  if (!Sizes.empty())
    Options.sizes = Sizes.c_str();
  Options.fusion = Fusion.value_or(Options.fusion);
  Options.time = Time.value_or(Options.time);
  Options.promote = Promote.value_or(Options.promote);
  Options.promote_all = PromoteAll.value_or(Options.promote_all);
}

std::optional<unsigned> TuningRecord::lastKernel() const {
  std::optional<unsigned> Last;
  SmallVector<StringRef, 8> Parts;
  StringRef(Sizes).split(Parts, "kernel[");
  for (StringRef Part : drop_begin(Parts)) {
    unsigned Number;
    if (!Part.split(']').first.trim().getAsInteger(10, Number))
      Last = std::max(Last.value_or(0), Number);
  }
  return Last;
}

} // namespace polygpu
