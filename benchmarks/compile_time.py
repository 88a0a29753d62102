#!/usr/bin/env python3
"""How long does offloading take at compile time, and does it end?

    benchmarks/compile_time.py [--build FOLDER] [INPUT...]

compiles the inputs of benchmarks/stress with plain clang -O3 and with ours and
prints a table of processor times.  With --check, for tests, it also runs each
input on the emulated device and sequentially and compares the results bit by
bit; the outcome is printed, and exit status 0 says that all is right.
--write FOLDER writes the C files.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import argparse
import math
import os
import re
import resource
import struct
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(ROOT, "benchmarks", "stress"))
from inputs import INPUTS  # noqa: E402

CLANG = "/usr/lib/llvm-22/bin/clang"
OFFLOAD = ["-mllvm", "-gpu-offload", "-mllvm", "-gpu-targets=emulated"]
REMARKS = ["-Rpass=gpu-polyhedral", "-Rpass-missed=gpu-polyhedral",
           "-fno-caret-diagnostics"]


def run(command, **options):
    """Its processor seconds and what it wrote; ends the script if it fails."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, stdin=subprocess.DEVNULL, check=False,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, errors="replace", **options)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}\nstatus {done.returncode}\n"
                 f"{done.stdout}")
    seconds = (after.ru_utime + after.ru_stime - before.ru_utime -
               before.ru_stime)
    return seconds, done.stdout


class Compiler:
    """clang with and without the plugin, for files in a folder."""

    def __init__(self, build, folder, extra):
        self.build, self.folder, self.extra = build, folder, extra

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name):
        with open(self.path(name + ".c"), "w", encoding="utf-8") as file:
            file.write(INPUTS[name]())

    def compile(self, name, offload):
        """Seconds and remarks."""
        command = [CLANG]
        if offload:
            command += [f"--config={self.build}/polygpu.cfg", *OFFLOAD,
                        *REMARKS, *self.extra]
        kind = "gpu" if offload else "ref"
        command += ["-O3", "-mfma", f"-I{ROOT}/test/programs", "-c",
                    self.path(name + ".c"), "-o",
                    self.path(f"{name}.{kind}.o")]
        return run(command)

    def link(self, name, kind):
        config = [f"--config={self.build}/polygpu.cfg"]
        run([CLANG, *(config if kind == "gpu" else []),
             self.path(f"{name}.{kind}.o"),
             f"{self.build}/lib/libpolygpu_harness.a", "-lm", "-o",
             self.path(f"{name}.{kind}")])

    def execute(self, name, kind):
        """The dump and what was printed."""
        dump = self.path(f"{name}.{kind}.dump")
        _, text = run([self.path(f"{name}.{kind}")], env={
            "POLYGPU_SEED": "1", **os.environ, "POLYGPU_DUMP": dump,
            "POLYGPU": "mandatory", "POLYGPU_DEVICE": "emulated",
            "POLYGPU_PROFILE": "lines"})
        with open(dump, "rb") as file:
            return file.read(), text


def outcome(remarks):
    """Kernels and the distinct refusals of a compilation."""
    kernels = sum(int(n) for n in re.findall(
        r"loops offloaded as (\d+) kernel", remarks))
    refusals = []
    for text in re.findall(r"loop not offloaded: (.*?) \[-Rpass", remarks):
        if text not in refusals:
            refusals.append(text)
    return kernels, refusals


def table(compiler, names):
    """Print it row by row."""
    print("| Input | What is large | clang | with ours | extra | outcome |")
    print("|---|---|---:|---:|---:|---|")
    worst = 0
    for name in names:
        compiler.write(name)
        plain, _ = compiler.compile(name, False)
        ours, remarks = compiler.compile(name, True)
        kernels, refusals = outcome(remarks)
        what = [f"{kernels} kernel{'s' * (kernels != 1)}"] if kernels else []
        what += [r if len(r) < 60 else r[:57] + "..." for r in refusals[:2]]
        what += ["..."] * (len(refusals) > 2)
        print(f"| {name} | {INPUTS[name].__doc__} | {plain:.2f} | {ours:.2f} "
              f"| {ours - plain:.2f} | {'; '.join(what)} |", flush=True)
        worst = max(worst, ours - plain)
    print(f"\nSeconds of processor time; at most {worst:.1f} extra.")


def same(one, other):
    """Equal dumps of doubles; a NaN equals any NaN."""
    if len(one) != len(other):
        return False
    return one == other or all(
        one[i:i + 8] == other[i:i + 8]
        or math.isnan(struct.unpack_from("<d", one, i)[0])
        and math.isnan(struct.unpack_from("<d", other, i)[0])
        for i in range(0, len(one), 8))


def check(compiler, name, most):
    """Does compiling end, and is the result right?"""
    compiler.write(name)
    plain, _ = compiler.compile(name, False)
    ours, remarks = compiler.compile(name, True)
    kernels, refusals = outcome(remarks)
    results = {}
    for kind in ("ref", "gpu"):
        compiler.link(name, kind)
        results[kind], printed = compiler.execute(name, kind)
    launched = len(re.findall(r"^polygpu: kernel .* launches=[1-9]", printed,
                              re.M))
    print(f"{name}: {kernels} kernels, {launched} launched")
    for refusal in refusals:
        print("refused:", refusal)
    if not kernels and not refusals:
        sys.exit("neither kernels nor a remark")
    if not same(results["ref"], results["gpu"]):
        sys.exit("the results differ")
    if most and ours - plain > most:
        sys.exit(f"{ours - plain:.1f} seconds, more than {most}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--build", default=os.environ.get(
        "POLYGPU_BUILD", os.path.join(ROOT, "build")))
    parser.add_argument("--check", action="store_true",
                        help="run and compare instead of printing a table")
    parser.add_argument("--most", type=float, default=0,
                        help="with --check: extra seconds allowed")
    parser.add_argument("--write", metavar="FOLDER",
                        help="only write the C files")
    parser.add_argument("--option", action="append", default=[],
                        help="for our compiler, after -mllvm")
    parser.add_argument("inputs", nargs="*", metavar="INPUT")
    given = parser.parse_args()
    names = given.inputs or list(INPUTS)
    for name in names:
        if name not in INPUTS:
            parser.error(f"no input {name}; there are {', '.join(INPUTS)}")
    if given.write:
        os.makedirs(given.write, exist_ok=True)
        for name in names:
            Compiler("", given.write, []).write(name)
        return
    extra = [word for o in given.option for word in ("-mllvm", o)]
    with tempfile.TemporaryDirectory() as folder:
        compiler = Compiler(os.path.abspath(given.build), folder, extra)
        if not given.check:
            table(compiler, names)
        for name in names if given.check else []:
            check(compiler, name, given.most)


if __name__ == "__main__":
    main()
