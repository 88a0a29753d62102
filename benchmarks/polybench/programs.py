"""The programs of the suite: their sizes and element types.

The sizes of MINI to EXTRALARGE are those of PolyBench/C 4.2.1; transpose,
which is not in it, has sizes of its own.  At size HOST the sequential program
takes between 0.05 and 1 second on a core of today.
"""

from collections import namedtuple

SIZES = ("MINI", "SMALL", "MEDIUM", "LARGE", "EXTRALARGE", "HOST")

# parameters: names of the sizes, in the order of the arguments.
# sizes: size -> values.  types: the element types that fit, the usual first.
# source: the file, where it has another name than the program; macros: of it.
Program = namedtuple("Program", "parameters sizes types source macros",
                     defaults=(None, ()))

REAL = ("double", "float")
ANY = ("double", "float", "int")


def program(parameters, *sizes, types=REAL):
    values = [tuple(int(n) for n in text.split()) for text in sizes]
    return Program(tuple(parameters.split()), dict(zip(SIZES, values)), types)


PROGRAMS = {
    # Statistics
    "correlation": program("M N", "28 32", "80 100", "240 260", "1200 1400",
                           "2600 3000", "600 700"),
    "covariance": program("M N", "28 32", "80 100", "240 260", "1200 1400",
                          "2600 3000", "600 700"),
    # Basic linear algebra
    "gemm": program("NI NJ NK", "20 25 30", "60 70 80", "200 220 240",
                    "1000 1100 1200", "2000 2300 2600", "1000 1100 1200",
                    types=ANY),
    "gemver": program("N", "40", "120", "400", "2000", "4000", "5000"),
    "gesummv": program("N", "30", "90", "250", "1300", "2800", "6000"),
    "symm": program("M N", "20 30", "60 80", "200 240", "1000 1200",
                    "2000 2600", "700 800"),
    "syr2k": program("M N", "20 30", "60 80", "200 240", "1000 1200",
                     "2000 2600", "700 800"),
    "syrk": program("M N", "20 30", "60 80", "200 240", "1000 1200",
                    "2000 2600", "1000 1200"),
    "trmm": program("M N", "20 30", "60 80", "200 240", "1000 1200",
                    "2000 2600", "800 900"),
    # Kernels of linear algebra
    "2mm": program("NI NJ NK NL", "16 18 22 24", "40 50 70 80",
                   "180 190 210 220", "800 900 1100 1200",
                   "1600 1800 2200 2400", "500 500 600 600"),
    "3mm": program("NI NJ NK NL NM", "16 18 20 22 24", "40 50 60 70 80",
                   "180 190 200 210 220", "800 900 1000 1100 1200",
                   "1600 1800 2000 2200 2400", "450 450 450 450 450"),
    "atax": program("M N", "38 42", "116 124", "390 410", "1900 2100",
                    "1800 2200", "7000 7000"),
    "bicg": program("M N", "38 42", "116 124", "390 410", "1900 2100",
                    "1800 2200", "5000 5000"),
    "doitgen": program("NQ NR NP", "8 10 12", "20 25 30", "40 50 60",
                       "140 150 160", "220 250 270", "140 150 160"),
    "mvt": program("N", "40", "120", "400", "2000", "4000", "5000"),
    # Solvers
    "cholesky": program("N", "40", "120", "400", "2000", "4000", "1000"),
    "durbin": program("N", "40", "120", "400", "2000", "4000", "12000"),
    "gramschmidt": program("M N", "20 30", "60 80", "200 240", "1000 1200",
                           "2000 2600", "500 600"),
    "lu": program("N", "40", "120", "400", "2000", "4000", "900"),
    "ludcmp": program("N", "40", "120", "400", "2000", "4000", "900"),
    "trisolv": program("N", "40", "120", "400", "2000", "4000", "10000"),
    # Others
    "deriche": program("W H", "64 64", "192 128", "720 480", "4096 2160",
                       "7680 4320", "4096 2160"),
    "floyd-warshall": program("N", "60", "180", "500", "2800", "5600",
                              "700", types=("int",)),
    "nussinov": program("N", "60", "180", "500", "2500", "5500",
                        "1200", types=("int",)),
    # Stencils
    "adi": program("TSTEPS N", "20 20", "40 60", "100 200", "500 1000",
                   "1000 2000", "100 300"),
    "fdtd-2d": program("TMAX NX NY", "20 20 30", "40 60 80", "100 200 240",
                       "500 1000 1200", "1000 2000 2600", "100 1000 1200"),
    "heat-3d": program("TSTEPS N", "20 10", "40 20", "100 40", "500 120",
                       "1000 200", "400 60"),
    "jacobi-1d": program("TSTEPS N", "20 30", "40 120", "100 400", "500 2000",
                         "1000 4000", "2000 100000"),
    "jacobi-2d": program("TSTEPS N", "20 30", "40 90", "100 250", "500 1300",
                         "1000 2800", "200 1300"),
    "seidel-2d": program("TSTEPS N", "20 40", "40 120", "100 400", "500 2000",
                         "1000 4000", "100 400"),
    # Not of PolyBench
    "transpose": program("N M", "30 40", "90 120", "300 400", "1500 2000",
                         "3000 4000", "6000 6000", types=ANY),
}

# Their kernels call functions of the math library that are not exact.
INEXACT = ("deriche",)
