"""Builds and runs the programs of three papers, and prints a table.

  benchmarks/papers/run --list
  benchmarks/papers/run --check --device emulated --size MINI
  benchmarks/papers/run --size PAPER --device cuda --type float --work FOLDER

All options and columns are those of benchmarks/polybench/run.  PAPER is the
papers' size, of several the smallest, and LARGE is the largest one, or a larger
one; at MINI and SMALL no size is a multiple of those of blocks.  The README says
which papers, and names the loops that stay on the CPU.

The tables below have sizes of each program, and what the compiler makes of it
with C99 arrays (see expectations.py).
"""

from pathlib import Path

import driver
from expectations import Expectations, expected
from programs import ANY, REAL, Program

SIZES = ("MINI", "SMALL", "PAPER", "LARGE")
INT = ("int",)


def entry(parameters, *sizes, kernels, launches, types=REAL, source=None,
          macros=(), **more):
    """A program and what the compiler makes of it."""
    values = [tuple(map(int, text.split())) for text in sizes]
    return (Program(tuple(parameters.split()), dict(zip(SIZES, values)), types,
                    source, macros),
            expected(kernels, launches, **more))


def image(kernels, launches, large="4096 4096", **more):
    """A program with matrices of N x M points."""
    return entry("N M", "37 46", "150 333", "1024 1024", large,
                 kernels=kernels, launches=launches, **more)


def total(**more):
    return entry("N", "333", "3000", "1048576", "16777216", **more)


# Sums in variables are kept in the result; what a sum without summands is has a
# kernel that is launched for such sizes only.
YANG = {
    "tmv": image("1 1", "1", types=ANY),
    "mm": entry("N M K", "21 37 45", "70 150 133", "1024 1024 1024",
                "4096 4096 4096", kernels="2 2", launches="1", types=ANY),
    "mv": image("1 1", "1", types=ANY),
    "vv": entry("N", "333", "3000", "1024", "4096", kernels="1", launches="1",
                types=ANY),
    # Each step of the tree is a run of its own.
    "rd": total(kernels="1", launches="(N - 1).bit_length()", left=1,
                types=ANY),
    "sum": total(kernels="1 1 1", launches="3 if N >= 1025 else 2",
                 types=INT),
    "sum-ordered": total(kernels="", launches="0", scops=0, left=1,
                         source="sum"),
    "strsm": entry("N M", "37 45", "150 133", "1024 1024", "4096 4096",
                   kernels="1", launches="1"),
    "conv": entry("N M P Q", "37 45 5 4", "150 133 7 9", "4096 4096 32 32",
                  "8192 8192 32 32", kernels="2 2", launches="1"),
    "tp": image("2", "1", "8192 8192", types=ANY,
                source="../polybench/transpose"),
    "demosaic": image("2", "1"),
    # Four nests with three statements each, all joined.
    "demosaic-steps": image("2", "1", source="demosaic", macros=("STEPS",)),
    "imregionmax": image("2", "1", types=ANY),
    "fft": entry("K", "6", "11", "20", "24", kernels="2", launches="K",
                 left=1),
}

BONES = {
    # Data say how many steps there are.
    "bfs": entry("N DEGREE", "333 5", "3000 6", "1000000 6", "4000000 6",
                 kernels="1 1 1", launches="range(2, 3 * N)", types=INT,
                 left=2),
    "hotspot": entry("STEPS ROWS COLUMNS", "4 37 46", "5 150 133",
                     "2 512 512", "60 1024 1024", kernels="2 1 2",
                     launches="3 * STEPS",
                     grids="1 if ROWS < 1000 else 3 * STEPS"),
    # The features of each point are a run of their own.
    "kmeans": entry("STEPS N M K", "2 333 7 5", "3 3000 34 5",
                    "3 494020 34 5", "20 494020 34 5",
                    kernels="1 2 1 2 1 1", launches="STEPS * (N + 4)",
                    scops=3, left=1),
    "nw": entry("N PENALTY", "46 3", "333 10", "2049 10", "8193 10",
                kernels="1 1 1",
                launches="1 if N <= 4096 else (N - 2) // 32 + 2", types=INT,
                loops="(N - 2) // 32 + 2"),
    # The steps are two at a time, and the last one alone if their number is odd.
    "pathfinder": entry(
        "ROWS COLUMNS", "9 333", "20 3000", "100 100000", "1000 100000",
        kernels="1 1 1 0 1 1", scops=3, types=INT,
        launches="1 + (1 if COLUMNS <= 4096 else (ROWS - 1) // 2 * 2 + 1) + "
                 "(ROWS - 1) % 2",
        loops="1 + (ROWS - 1) // 2 * 2 + 1 + (ROWS - 1) % 2"),
    "srad": entry("STEPS N M ROWS COLUMNS", "2 37 46 9 11",
                  "3 150 133 40 50", "2 2048 2048 128 128",
                  "100 2048 2048 128 128", kernels="0 2 2",
                  launches="3 * STEPS",
                  grids="1 if STEPS > 2 and N < 300 else 3 * STEPS"),
}

POLYBENCH_3_1 = {
    "dynprog": entry("STEPS N", "10 32", "100 50", "10000 50", "1000 500",
                     kernels="0 0 2 2 2 0 0 0",
                     launches="3 + STEPS * (4 + (3 * N + 26) // 32)"),
    "reg_detect": entry("STEPS LENGTH N", "10 32 2", "100 50 6", "10000 64 6",
                        "1000 500 12", kernels="3 2 1 1",
                        launches="4 * STEPS",  # 1 but for double: that is too long
                        grids="range(1, 4 * STEPS + 1, 4 * STEPS - 1)", types=ANY),
    "fdtd-apml": entry("NZ NY NX", "9 11 14", "20 33 35", "256 256 256",
                       "512 512 512", kernels="2 2 1", launches="3"),
}

ENTRIES = {**YANG, **BONES, **POLYBENCH_3_1}
PROGRAMS = {name: program for name, (program, _) in ENTRIES.items()}
EXPECTED = {name: wanted for name, (_, wanted) in ENTRIES.items()}
SUITE = driver.Suite(__doc__, Path(__file__).resolve().parent, PROGRAMS,
                     SIZES, (), Expectations(EXPECTED, PROGRAMS), False)
