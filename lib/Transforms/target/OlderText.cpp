//===- OlderText.cpp - PTX for devices without asynchronous copies --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "target/OlderText.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace polygpu {

namespace {

/// Instructions that sm_75 has, and what may stand behind their names, after
/// the manual (Parallel Thread Execution ISA, 7.0).  It is not all: sm_80 has
/// more forms of some, and those must not be here.
bool isKnown(StringRef Opcode) {
  static const StringSet<> Names = {
      "abs",    "activemask", "add",  "and", "atom", "bar",   "bfe",  "bfi",
      "bfind",  "bra",        "brev", "clz", "cnot", "cos",   "cvt",  "cvta",
      "div",    "ex2",        "exit", "fma", "ld",   "lg2",   "mad",  "max",
      "membar", "min",        "mov",  "mul", "neg",  "not",   "or",   "popc",
      "prmt",   "rcp",        "red",  "rem", "ret",  "rsqrt", "selp", "set",
      "setp",   "shf",        "shl",  "shr", "sin",  "sqrt",  "st",   "sub",
      "testp",  "trap",       "vote", "xor"};
  static const StringSet<> Forms = {
      // Types and widths.
      "pred", "b8", "b16", "b32", "b64", "u8", "u16", "u32", "u64", "s8", "s16",
      "s32", "s64", "f32", "f64", "v2", "v4", "lo", "hi", "wide",
      // Rounding.
      "rn", "rz", "rm", "rp", "rni", "rzi", "rmi", "rpi", "sat", "ftz",
      "approx", "full",
      // Memory.
      "global", "shared", "local", "param", "const", "nc", "volatile",
      "relaxed", "gpu", "sys", "cta", "gl", "to", "cas", "exch", "inc", "dec",
      // Comparisons, operations of others, flow.
      "eq", "ne", "lt", "le", "gt", "ge", "ltu", "leu", "gtu", "geu", "equ",
      "neu", "num", "nan", "ls", "hs", "add", "min", "max", "and", "or", "xor",
      "uni", "sync", "ballot", "any", "all", "l", "r", "clamp", "wrap"};
  auto [Name, Rest] = Opcode.split('.');
  if (!Names.contains(Name))
    return false;
  SmallVector<StringRef, 8> Parts;
  Rest.split(Parts, '.', -1, /*KeepEmpty=*/false);
  return all_of(Parts, [](StringRef Part) { return Forms.contains(Part); });
}

/// Is \p Line none with an instruction?
bool isOther(StringRef Line) {
  return Line.empty() || Line == "{" || Line == "}" || Line == "(" ||
         Line == ")" || Line.starts_with("//") || Line.starts_with(".") ||
         (Line.starts_with("$") && Line.ends_with(":"));
}

class Rewriter {
public:
  Rewriter(StringRef Processor, const StringMap<unsigned> &MinBlocks)
      : Processor(Processor), MinBlocks(MinBlocks), OS(Result) {}

  bool line(StringRef Text);
  std::string take() { return std::move(Result); }

private:
  StringRef Processor;
  const StringMap<unsigned> &MinBlocks;
  std::string Result;
  raw_string_ostream OS;
  StringRef Kernel; ///< whose lines these are

  bool directive(StringRef Line, StringRef Text);
  bool copy(StringRef Operands);
  bool instruction(StringRef Line, StringRef Text);
};

/// A line that begins with a point; what depends on the device changes.
bool Rewriter::directive(StringRef Line, StringRef Text) {
  if (Line.consume_front(".target ")) {
    OS << ".target " << Processor << '\n';
    return !Line.contains(',');
  }
  if (Line.starts_with(".minnctapersm")) {
    auto It = MinBlocks.find(Kernel);
    if (It == MinBlocks.end())
      return false;
    if (It->second)
      OS << ".minnctapersm " << It->second << '\n';
    return true;
  }
  if (size_t At = Line.find(".entry "); At != StringRef::npos)
    Kernel = Line.drop_front(At + strlen(".entry ")).take_until([](char C) {
      return C == '(';
    });
  OS << Text << '\n';
  return true;
}

/// cp.async with \p Operands: [to], [from], bytes, and maybe how many of these
/// there are, all or none, where the others become zeros.
bool Rewriter::copy(StringRef Operands) {
  SmallVector<StringRef, 4> Parts;
  if (!Operands.consume_back(";"))
    return false;
  Operands.split(Parts, ", ");
  unsigned Bytes, Words;
  if (Parts.size() < 3 || Parts.size() > 4 || Parts[2].getAsInteger(10, Bytes))
    return false;
  Words = Bytes / 4;
  if (Bytes != 4 * Words || (Words != 1 && Words != 2 && Words != 4))
    return false;
  SmallVector<std::string, 4> Names;
  for (unsigned I = 0; I < Words; ++I)
    Names.push_back("%copied" + std::to_string(I));
  std::string Width = Words > 1 ? ".v" + std::to_string(Words) : "";
  std::string Values = join(Names, ", ");
  if (Words > 1)
    Values = "{" + Values + "}";
  OS << "\t{\n\t.reg .b32 \t%copied<" << Words << ">;\n";
  if (Parts.size() == 4) {
    OS << "\t.reg .pred \t%copies;\n\tsetp.ne.b32 \t%copies, " << Parts[3]
       << ", 0;\n";
    for (const std::string &Name : Names)
      OS << "\tmov.b32 \t" << Name << ", 0;\n";
    OS << "\t@%copies ";
  } else {
    OS << '\t';
  }
  OS << "ld.global" << Width << ".b32 \t" << Values << ", " << Parts[1]
     << ";\n\tst.shared" << Width << ".b32 \t" << Parts[0] << ", " << Values
     << ";\n\t}\n";
  return true;
}

bool Rewriter::instruction(StringRef Line, StringRef Text) {
  if (Line.starts_with("@"))
    Line =
        Line.drop_until([](char C) { return C == ' ' || C == '\t'; }).ltrim();
  StringRef Opcode =
      Line.take_until([](char C) { return C == ' ' || C == '\t' || C == ';'; });
  StringRef Operands = Line.drop_front(Opcode.size()).trim();
  if (Opcode == "cp.async.ca.shared.global" ||
      Opcode == "cp.async.cg.shared.global")
    return Text.ltrim().starts_with("cp") && copy(Operands);
  if (Opcode == "cp.async.commit_group" || Opcode == "cp.async.wait_group" ||
      Opcode == "cp.async.wait_all")
    return Text.ltrim().starts_with("cp");
  OS << Text << '\n';
  return isKnown(Opcode) && Operands.ends_with(";") &&
         Operands.drop_back().find(';') == StringRef::npos;
}

bool Rewriter::line(StringRef Text) {
  StringRef Line = Text.trim();
  if (Line.starts_with(".") || Line.contains(".entry "))
    return directive(Line, Text);
  if (!isOther(Line))
    return instruction(Line, Text);
  OS << Text << '\n';
  return true;
}

} // namespace

std::optional<std::string> textForOlder(StringRef PTX, StringRef Processor,
                                        const StringMap<unsigned> &MinBlocks) {
  Rewriter R(Processor, MinBlocks);
  while (!PTX.empty()) {
    auto [Line, Rest] = PTX.split('\n');
    if (!R.line(Line))
      return std::nullopt;
    PTX = Rest;
  }
  return R.take();
}

} // namespace polygpu
