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

static const char *const Keys =
    "scop, arch, by, before, after, sizes, fusion, promotion and time";

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
    if (R.Scop == Scop && R.Arch == Arch && (!Best || rank(R) < rank(*Best)))
      Best = &R;
  return Best;
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
