"""Compiles programs of benchmarks/papers for several architectures with cubins,
each within 120 seconds; a warning, as of ptxas, is a failure."""

import argparse
import os
import random
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

SUITE = Path(__file__).resolve().parents[4] / "benchmarks" / "papers"
sys.dont_write_bytecode = True
sys.path[:0] = [str(SUITE), str(SUITE.parent / "polybench")]
import papers

ARCHITECTURES = ("sm_75", "sm_80", "sm_90")
SECONDS = 120


def parse():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--clang", required=True)
    parser.add_argument("--cfg", required=True)
    parser.add_argument("--ptxas", required=True)
    parser.add_argument("--all", action="store_true")
    return parser.parse_args()


def chosen(options):
    """fdtd-apml, and others."""
    others = sorted(set(papers.PROGRAMS) - {"fdtd-apml"})
    if not options.all:
        others = random.Random(os.environ["POLYGPU_SEED"]).sample(others, 2)
    return ["fdtd-apml", *others]


def processor_seconds():
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime


def compile_one(options, name, arch, output):
    program = papers.PROGRAMS[name]
    before = processor_seconds()
    toolkit = Path(options.ptxas).resolve().parents[1]
    done = subprocess.run(
        [options.clang, f"--config={options.cfg}", "-O3", "-mfma",
         f"-I{SUITE.parent / 'polybench'}", f"-DT={program.types[-1]}",
         *(f"-D{macro}" for macro in program.macros), "-mllvm", "-gpu-offload",
         "-mllvm", "-gpu-targets=ptx", "-mllvm", f"-gpu-arch={arch}",
         "-mllvm", f"-gpu-cuda-path={toolkit}", "-c",
         SUITE / f"{program.source or name}.c", "-o", output],
        stderr=subprocess.PIPE, text=True, timeout=SECONDS, check=True)
    if "warning" in done.stderr:
        sys.exit(f"{name} {arch}: {done.stderr}")
    print(f"{name} {arch} {processor_seconds() - before:.2f} s", flush=True)


def main():
    options = parse()
    print(f"seed {os.environ['POLYGPU_SEED']}", file=sys.stderr)
    with tempfile.TemporaryDirectory() as folder:
        for name in chosen(options):
            for arch in ARCHITECTURES:
                compile_one(options, name, arch, Path(folder) / "out.o")
    print("all compiled")


main()
