//===- test_older_text.cpp - PTX without asynchronous copies --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What becomes of each line, and which ones have no text for older devices.
// That the text computes the same is seen by exec/older_text.c, on the PTX
// machine.
//
//===----------------------------------------------------------------------===//

#include "target/OlderText.h"
#include <cstdio>

using polygpu::textForOlder;

namespace {

unsigned Failures;

const llvm::StringMap<unsigned> Blocks = {{"one", 2}, {"none", 0}};

void becomes(const std::string &Text, const std::string &Expected) {
  std::optional<std::string> Result = textForOlder(Text, "sm_75", Blocks);
  if (Result && *Result == Expected)
    return;
  printf("FAIL %s became %s\n", Text.c_str(),
         Result ? Result->c_str() : "nothing");
  ++Failures;
}

void stays(const std::string &Line) { becomes(Line + "\n", Line + "\n"); }

void isRefused(const std::string &Text) {
  if (!textForOlder(Text, "sm_75", Blocks))
    return;
  printf("FAIL there is a text of %s\n", Text.c_str());
  ++Failures;
}

void checkLines() {
  for (const char *Line : {"",
                           "// a comment",
                           ".version 7.0",
                           ".address_size 64",
                           "{",
                           "}",
                           ")",
                           "\t.reg .b32 \t%r<300>;",
                           "$L__BB0_3:",
                           "\t.pragma \"nounroll\";",
                           "\t.loc\t1 12 0",
                           "\tret;",
                           "\tbra.uni \t$L__BB0_3;",
                           "\t@%p70 bra \t$L__BB0_161;",
                           "\t@!%p1 bra \t$L__BB0_1;",
                           "\tfma.rn.f64 \t%rd1, %rd2, %rd3, %rd4;",
                           "\tld.global.nc.v2.b64 \t{%rd1, %rd2}, [%rd3+16];",
                           "\tst.shared.v4.b32 \t[%rd1], {%r1, %r2, %r3, %r4};",
                           "\tmul.wide.u32 \t%rd1, %r1, 8;",
                           "\tbar.sync \t0;",
                           "\tcvt.rzi.s32.f64 \t%r1, %rd1;",
                           "\tatom.global.add.u32 %r1, [%rd1], 1;",
                           "\tmin.f32 \t%r1, %r2, %r3;",
                           "\tsetp.neu.f64 \t%p1, %rd1, %rd2;"})
    stays(Line);
  for (const char *Line :
       {"\tmin.NaN.f32 \t%r1, %r2, %r3;",
        "\tredux.sync.add.s32 \t%r1, %r2, -1;",
        "\tfma.rn.relu.f32 \t%r1, %r2, %r3, %r4;",
        "\tfma.rn.f16 \t%rs1, %rs2, %rs3, %rs4;",
        "\tcvt.rn.bf16.f32 \t%rs1, %r1;", "\tld.global.v8.b32 \t{}, [%rd1];",
        "\tld.global.L1::evict_last.b32 \t%r1, [%rd1];",
        "\tmov.b32 %r1, 0; redux.sync.add.s32 %r1, %r2, -1;",
        "\t{ .reg .b32 %a; mov.b32 %a, 0; }", "\tmov.b32 %r1,",
        "\tcp.async.bulk.commit_group;", "\twgmma.fence.sync.aligned;",
        "\tcp.async.ca.shared.global [%rd1], [%rd2], 6;",
        "\tcp.async.ca.shared.global [%rd1], [%rd2];",
        "\tcp.async.cg.shared.global.L2::128B [%rd1], [%rd2], 16;",
        "\t@%p1 cp.async.ca.shared.global [%rd1], [%rd2], 4;",
        "\t@%p1 cp.async.wait_all;", ".target sm_80, debug"})
    isRefused(std::string(Line) + "\n");
}

void checkCopies() {
  becomes("\tcp.async.cg.shared.global [%rd1+32], [%rd2], 16;\n",
          "\t{\n\t.reg .b32 \t%copied<4>;\n\tld.global.v4.b32 \t{%copied0, "
          "%copied1, %copied2, %copied3}, [%rd2];\n\tst.shared.v4.b32 "
          "\t[%rd1+32], {%copied0, %copied1, %copied2, %copied3};\n\t}\n");
  becomes("\tcp.async.ca.shared.global [%rd1], [%rd2], 4, %r3;\n",
          "\t{\n\t.reg .b32 \t%copied<1>;\n\t.reg .pred \t%copies;\n"
          "\tsetp.ne.b32 \t%copies, %r3, 0;\n\tmov.b32 \t%copied0, 0;\n"
          "\t@%copies ld.global.b32 \t%copied0, [%rd2];\n"
          "\tst.shared.b32 \t[%rd1], %copied0;\n\t}\n");
  becomes("\tcp.async.commit_group;\n\tcp.async.wait_group \t2;\n"
          "\tcp.async.wait_all;\n\tbar.sync \t0;\n",
          "\tbar.sync \t0;\n");
}

void checkDirectives() {
  becomes(".target sm_80\n", ".target sm_75\n");
  becomes(".visible .entry one(\n)\n.minnctapersm 4\n",
          ".visible .entry one(\n)\n.minnctapersm 2\n");
  becomes(".visible .entry none(\n)\n.minnctapersm 4\n",
          ".visible .entry none(\n)\n");
  isRefused(".visible .entry another(\n)\n.minnctapersm 4\n");
}

} // namespace

int main() {
  checkLines();
  checkCopies();
  checkDirectives();
  return Failures != 0;
}
