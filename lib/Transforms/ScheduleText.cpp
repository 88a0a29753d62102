//===- ScheduleText.cpp - Schedules in files ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ScheduleText.h"
#include "polygpu/polyhedral.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/YAMLParser.h"

using namespace llvm;

namespace polygpu {

/// Longer or deeper text is no schedule that anybody saved; parsers of nested
/// text call themselves.
static const size_t MaxLength = 1 << 20;
static const unsigned MaxNesting = 200;

namespace {

/// Which keys may come first in a mapping, and so say what it is.
enum class Kind { Root, Child, Element };

class Reader {
  std::string &Wrong;

public:
  explicit Reader(std::string &Wrong) : Wrong(Wrong) {}
  std::string tree(yaml::Node *N, Kind Where);

private:
  /// Keep the first complaint.
  std::string fail(const Twine &Text) {
    if (Wrong.empty())
      Wrong = Text.str();
    return "";
  }
  std::string key(yaml::KeyValueNode &KV);
  std::string text(yaml::Node *N, StringRef Key);
  std::string flag(yaml::Node *N, StringRef Key);
  std::string flags(yaml::Node *N);
  std::string elements(yaml::Node *N, StringRef Key);
  std::string value(yaml::Node *N, StringRef Key);
};

} // namespace

static StringRef allowedKeys(Kind Where) {
  switch (Where) {
  case Kind::Root:
    return "domain, child";
  case Kind::Child:
    return "schedule, permutable, coincident, child; sequence; set";
  case Kind::Element:
    return "filter, child";
  }
  return "";
}

static bool isAllowed(StringRef Key, Kind Where) {
  SmallVector<StringRef, 8> Keys;
  SplitString(allowedKeys(Where), Keys, ",; ");
  return is_contained(Keys, Key);
}

/// The keys of which each mapping has just one.
static SmallVector<StringRef, 3> mainKeys(Kind Where) {
  switch (Where) {
  case Kind::Root:
    return {"domain"};
  case Kind::Child:
    return {"schedule", "sequence", "set"};
  case Kind::Element:
    return {"filter"};
  }
  return {};
}

std::string Reader::key(yaml::KeyValueNode &KV) {
  SmallString<16> Storage;
  auto *Scalar = dyn_cast_or_null<yaml::ScalarNode>(KV.getKey());
  return Scalar ? Scalar->getValue(Storage).str() : "";
}

/// The text of a set or a band, quoted.  isl's strings have no escapes.
std::string Reader::text(yaml::Node *N, StringRef Key) {
  SmallString<256> Storage;
  auto *Scalar = dyn_cast_or_null<yaml::ScalarNode>(N);
  StringRef Value = Scalar ? Scalar->getValue(Storage) : "";
  unsigned Depth = 0;
  for (char C : Value) {
    if (C == '"' || C == '\\' || !isPrint(C))
      return fail("a character in the text of '" + Key +
                  "' that no set has; allowed are those that isl prints");
    Depth += StringRef("([{").contains(C);
    if (Depth > MaxNesting * 16)
      return fail("too many parentheses in the text of '" + Key + "'");
  }
  if (Value.trim().empty())
    return fail("'" + Key + "' without a text; allowed is one in quotes");
  return '"' + Value.str() + '"';
}

std::string Reader::flag(yaml::Node *N, StringRef Key) {
  SmallString<16> Storage;
  auto *Scalar = dyn_cast_or_null<yaml::ScalarNode>(N);
  StringRef Value = Scalar ? Scalar->getValue(Storage) : "";
  if (Value != "0" && Value != "1")
    return fail("'" + Key + "' that is neither 0 nor 1");
  return Value.str();
}

std::string Reader::flags(yaml::Node *N) {
  std::string Result;
  auto *List = dyn_cast_or_null<yaml::SequenceNode>(N);
  if (!List)
    return fail("'coincident' without a list; allowed is one of 0 and 1");
  for (yaml::Node &One : *List) {
    std::string Flag = flag(&One, "coincident");
    if (Flag.empty())
      return "";
    Result += (Result.empty() ? "" : ", ") + Flag;
  }
  return "[ " + Result + " ]";
}

std::string Reader::elements(yaml::Node *N, StringRef Key) {
  std::string Result;
  auto *List = dyn_cast_or_null<yaml::SequenceNode>(N);
  if (!List)
    return fail("'" + Key + "' without a list of filters");
  for (yaml::Node &One : *List) {
    std::string Text = tree(&One, Kind::Element);
    if (Text.empty())
      return "";
    Result += (Result.empty() ? "" : ", ") + Text;
  }
  if (Result.empty())
    return fail("'" + Key +
                "' with an empty list; allowed is one filter or "
                "more");
  return "[ " + Result + " ]";
}

std::string Reader::value(yaml::Node *N, StringRef Key) {
  if (Key == "child")
    return tree(N, Kind::Child);
  if (Key == "permutable")
    return flag(N, Key);
  if (Key == "coincident")
    return flags(N);
  if (Key == "sequence" || Key == "set")
    return elements(N, Key);
  return text(N, Key);
}

/// The mapping \p N, which is \p Where in the tree.
std::string Reader::tree(yaml::Node *N, Kind Where) {
  auto *Mapping = dyn_cast_or_null<yaml::MappingNode>(N);
  StringMap<std::string> Values;
  if (!Mapping)
    return fail("something in the place of a node; allowed is a mapping of " +
                allowedKeys(Where));
  for (yaml::KeyValueNode &KV : *Mapping) {
    std::string Key = key(KV);
    if (!isAllowed(Key, Where))
      return fail("'" + Key + "' where a key is expected; allowed are " +
                  allowedKeys(Where));
    if (Values.count(Key))
      return fail("'" + Key + "' twice in a node");
    if ((Values[Key] = value(KV.getValue(), Key)).empty())
      return fail("'" + Key + "' without a value");
  }
  SmallVector<StringRef, 3> Mains = mainKeys(Where);
  auto Found = find_if(Mains, [&](StringRef Key) { return Values.count(Key); });
  if (Found == Mains.end())
    return fail("a node without '" + join(Mains, "', '") + "'");
  StringRef Main = *Found;
  if ((Main == "sequence" || Main == "set") && Values.size() != 1)
    return fail("'" + Main + "' with another key; allowed is it alone");
  std::string Result = Main.str() + ": " + Values[Main];
  for (StringRef Key : {"permutable", "coincident", "child"})
    if (Values.count(Key))
      Result += ", " + Key.str() + ": " + Values[Key];
  return "{ " + Result + " }";
}

/// Is \p Line nested deeper than a schedule is?
static bool isTooDeep(StringRef Line) {
  unsigned Depth = 0;
  char Quote = 0;
  for (char C : Line) {
    if (Quote)
      Quote = C == Quote ? 0 : Quote;
    else if (C == '"' || C == '\'')
      Quote = C;
    else if (C == '{' || C == '[')
      ++Depth;
    else if ((C == '}' || C == ']') && Depth)
      --Depth;
    if (Depth > MaxNesting)
      return true;
  }
  return false;
}

/// Keeps what the parser says from the terminal.
static void keepMessage(const SMDiagnostic &Message, void *Context) {
  auto &Text = *static_cast<std::string *>(Context);
  if (Text.empty())
    Text = ("no YAML in column " + Twine(Message.getColumnNo() + 1) + " (" +
            Message.getMessage() + ")")
               .str();
}

static std::string readScheduleText(StringRef Line, std::string &Wrong) {
  std::string Result, Message;
  Wrong.clear();
  if (Line.size() > MaxLength || isTooDeep(Line)) {
    Wrong = "a text that is longer or nested deeper than any schedule";
    return "";
  }
  SourceMgr SM;
  SM.setDiagHandler(keepMessage, &Message);
  yaml::Stream Stream(Line, SM, /*ShowColors=*/false);
  yaml::document_iterator Document = Stream.begin();
  if (Document != Stream.end()) {
    Result = Reader(Wrong).tree(Document->getRoot(), Kind::Root);
    if (!Result.empty() && !Stream.failed() && ++Document != Stream.end())
      Wrong = "something behind the schedule";
  } else {
    Wrong = "no schedule";
  }
  if (Stream.failed())
    Wrong = Message.empty() ? "no YAML" : Message;
  return Wrong.empty() ? Result : "";
}

std::optional<Refusal> loadSchedules(StringRef File, StringRef Key,
                                     std::string &Text) {
  std::string Wrong;
  SmallVector<StringRef, 16> Lines;
  File.split(Lines, '\n');
  for (size_t L = 0; L < Lines.size(); ++L) {
    if (!Lines[L].consume_front(Key))
      continue;
    Text += readScheduleText(Lines[L], Wrong) + "\n";
    if (!Wrong.empty())
      return Refusal{"Schedule",
                     "line " + std::to_string(L + 1) +
                         " of the file of -gpu-load-schedule is no schedule: " +
                         Wrong + "; save one and change only the order",
                     DebugLoc()};
  }
  return std::nullopt;
}

std::string scheduleKey(const pg_scop &P) {
  return std::string(P.function) + " " + std::to_string(P.line) + " ";
}

void saveSchedule(StringRef Path, const pg_scop &Scheduled) {
  // What is in overlapping tiles follows from that.
  const pg_scop &P = Scheduled.instead ? *Scheduled.instead : Scheduled;
  std::error_code Error;
  raw_fd_ostream File(Path, Error, sys::fs::OF_Append);
  char *Text = isl_schedule_to_str(P.schedule);
  if (!Error && Text)
    File << scheduleKey(P) << Text << '\n';
  free(Text);
}

} // namespace polygpu
