"""Builds and runs stencils, and prints a table.

  benchmarks/stencils/run --list
  benchmarks/stencils/run --check --device emulated --size MINI
  benchmarks/stencils/run --size PAPER --device cuda --type float \\
      --programs jacobi-2d,j2d5pt --work FOLDER

All options and columns are those of benchmarks/polybench/run.  FOLDER keeps the
programs, for example FOLDER/j2d5pt-float-c99-PAPER/offloaded, whose arguments are
the sizes.  PAPER are the sizes of Di and Xue's table II and, for AN5D's shapes, its grids
with 200 sweeps, two in each step.  At SMALL no size is below that of a tile.

The tables below have source, macros and sizes of each program, and what the
compiler makes of it (see expectations.py): all numbers of launches are here.
"""

from pathlib import Path

import driver
from expectations import Expectations, expected
from programs import REAL, Program

SIZES = ("MINI", "SMALL", "PAPER")
BY_DIMENSIONS = {1: ("9 333", "20 3000"), 2: ("5 45", "6 150"),
                 3: ("4 17", "4 40")}

# One launch for 64 steps of the wavefront 2 t + i: waves of tiles.
WAVES_1D = "(2 * TSTEPS + N - 5) // 64 + 1"
# Waves of tiles: 8 x 32 x 64 of (t, t + i, t + j).
WAVES_2D = "(11 * TSTEPS + 3 * N - 20) // 64 + 1"
# Each step has two sweeps.
SWEEPS = "2 * TSTEPS"


def overlapping(steps, arrays=1, time="TSTEPS"):
    """Launches of so many steps in overlapping tiles: after an odd number of them
    arrays are copied back."""
    launches = f"-(-{time} // {steps})"
    return f"{launches} + {launches} % 2 * {arrays}"


def grid(source, dimensions, paper, kernels, launches, *macros, loops=None,
         scops=1):
    """A program with a grid of N points in each dimension; its expectation."""
    sizes = (*BY_DIMENSIONS[dimensions], paper)
    values = [tuple(map(int, text.split())) for text in sizes]
    return (Program(("TSTEPS", "N"), dict(zip(SIZES, values)), REAL, source,
                    (f"DIMS={dimensions}", *macros)),
            expected(kernels, launches, scops, loops, left=1 - scops))


def sweeps(source, dimensions, paper, *macros):
    """Two kernels, launched in turn by a loop of the host."""
    return grid(source, dimensions, paper, f"{dimensions} {dimensions}", SWEEPS,
                *macros)


def tiled(source, paper, *macros):
    """Even and odd launches of 4 steps in overlapping tiles, and a copy back."""
    return grid(source, 2, paper, "2 2 2", overlapping(4), *macros)


def fdtd_2d():
    sizes = zip(SIZES, ((5, 45, 50), (6, 150, 100), (1000, 4096, 4096)))
    return (Program(("TMAX", "NX", "NY"), dict(sizes), REAL,
                    "../polybench/fdtd-2d"),
            expected("2 2 2 2 2", overlapping(4, 3, "TMAX")))


def an5d(dimensions, shape, radius=1, total="PRODUCTS"):
    macros = (f"SHAPE={shape}", f"RADIUS={radius}", f"SUM={total}", "BACK=1")
    # Borders of wider stencils cost more than launches.
    if dimensions == 2 and radius == 1:
        return tiled("jacobi", "100 16384", *macros)
    paper = "100 16384" if dimensions == 2 else "100 512"
    return sweeps("jacobi", dimensions, paper, *macros)


def parted(entry):
    """The program of an entry whose analysis as a whole takes too many operations:
    its steps are on the host, and the two sweeps of each are SCoPs."""
    program, whole = entry
    return program, whole._replace(scops=2, left=1)


DI_AND_XUE = {
    "jacobi-1d": grid("jacobi", 1, "65536 65536", "1 1 1", overlapping(16),
                      "SHAPE=STAR"),
    "jacobi-2d": tiled("jacobi", "1000 4096", "SHAPE=STAR"),
    "jacobi-3d-7": sweeps("jacobi", 3, "256 256", "SHAPE=STAR"),
    "jacobi-3d-27": sweeps("jacobi", 3, "256 256", "SHAPE=BOX"),
    "heat-2d": tiled("jacobi", "1000 4096", "SHAPE=HEXAGON"),
    "fdtd-2d": fdtd_2d(),
    "sor-1d": grid("sor", 1, "65536 65536", "1 1",
                   f"1 if 2 * TSTEPS + N <= 65536 else {WAVES_1D}",
                   "SHAPE=STAR", loops=WAVES_1D),
    "sor-2d": grid("sor", 2, "1000 4096", "2 2 2", f"{WAVES_2D} + 2",
                   "SHAPE=STAR"),
}

AN5D = {
    "j2d5pt": an5d(2, "STAR", 1, "QUOTIENT"),
    "j2d9pt": an5d(2, "STAR", 2, "QUOTIENT"),
    "j2d9pt-gol": an5d(2, "BOX", 1, "QUOTIENT"),
    "gradient2d": an5d(2, "GRADIENT"),
    "j3d27pt": an5d(3, "BOX", 1, "QUOTIENT"),
    **{f"star{dimensions}d{radius}r": an5d(dimensions, "STAR", radius)
       for dimensions in (2, 3) for radius in (1, 2, 3, 4)},
    **{f"box{dimensions}d{radius}r": an5d(dimensions, "BOX", radius)
       for dimensions, radius in ((2, 1), (2, 2), (2, 3), (2, 4), (3, 1),
                                  (3, 2), (3, 3))},
    "box3d4r": parted(an5d(3, "BOX", 4)),
}

ENTRIES = {**DI_AND_XUE, **AN5D}
PROGRAMS = {name: program for name, (program, _) in ENTRIES.items()}
EXPECTED = {name: wanted for name, (_, wanted) in ENTRIES.items()}
SUITE = driver.Suite(__doc__, Path(__file__).resolve().parent, PROGRAMS,
                     SIZES, (), Expectations(EXPECTED, PROGRAMS), False)
