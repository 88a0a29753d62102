"""What kernels have to be like: the numbers that --check compares with.

They follow from tiles as they ought to be chosen, and stay as they are where a
kernel does not reach them.
"""

from collections import namedtuple

TYPES = ("float", "double")

# ---- Without running ------------------------------------------------------

# Products of matrices, and how many of the kernels of each are one.  The main
# loop of such a kernel, in float, has no guard, no 64-bit multiplication, and
# so many fma for each load of 16 bytes from shared memory: a thread that
# computes 8 x 8 elements reads 16, with 4 loads, for 64 fma.
PRODUCTS = {"gemm": 1, "2mm": 2, "syrk": 1, "syr2k": 1, "covariance": 1,
            "correlation": 1, "doitgen": 1}
FMA_PER_SHARED_LOAD = 16
SHARED_LOAD = 16  # bytes
# By these the last iteration fetches its own tile again instead of the next.
SELECTS = 4

# Products of a matrix and a vector, and how many of the kernels of each read the
# matrix through shared memory.  In float and double copies go past the
# registers, with cp.async, and blocks share a multiprocessor, so that enough of
# them are on their way.
SWEEPS = {"atax": 2, "mvt": 2, "gesummv": 1, "gemver": 2}
# Products of matrices of which, in float, blocks share a multiprocessor, so that
# one computes while another waits, and at least which part of its 2048 threads
# they are: two blocks of 256 threads, or three of 128 where registers do not do
# for that.
SHARING = {"gemm": 0.25, "2mm": 0.25, "syrk": 0.25, "doitgen": 0.25,
           "syr2k": 0.18, "covariance": 0.18, "correlation": 0.18}
# The same of products of a matrix and a vector.
OCCUPANCY = 0.25

# ---- On the checked emulated device ---------------------------------------

# sizes: the arguments, several tiles and a part of one in each direction; rows
#   are multiples of 32 bytes where efficiency is compared.
# work: points or fma as a function of the sizes; unit: what that counts.
# loads: elements loaded from global memory for each of them, at most, summed up
#   over the kernels of the program.
# efficiency, stores: the least share of the sectors of 32 bytes that loads and
#   stores of a kernel use, or None; of kernels with at least SHARE of the bytes
#   that the program loads or stores.
Access = namedtuple("Access", "sizes work unit loads efficiency stores")
SHARE = 0.05


def access(sizes, work, unit, loads, efficiency=None, stores=None):
    return Access(tuple(int(n) for n in sizes.split()), work, unit, loads,
                  efficiency, stores)


ACCESSES = {
    # Tiles of 32 x 32 read 2 elements for 32 fma; the rest is for what is read
    # once, and for tiles across a diagonal.
    "gemm": access("260 264 200", "NI * NJ * NK", "fma", 0.08),
    "2mm": access("200 208 180 216", "NI * NJ * NK + NI * NL * NJ", "fma",
                  0.08),
    "syrk": access("200 260", "M * N * (N + 1) // 2", "fma", 0.08),
    "syr2k": access("150 260", "M * N * (N + 1)", "fma", 0.08),
    "trmm": access("260 264", "M * (M - 1) // 2 * N", "fma", 0.08),
    "symm": access("200 264", "M * (M - 1) * N", "fma", 0.08),
    # The other kernels read about 3 M N elements.
    "covariance": access("392 150", "M * (M + 1) // 2 * N", "fma", 0.08),
    "correlation": access("392 150", "M * (M - 1) // 2 * N", "fma", 0.1),
    # Laid out by lines, on which a warp's 32 elements are 5 sectors.
    "seidel-2d": access("20 130", "TSTEPS * (N - 2) ** 2", "point", 9.2, 0.5),
    "nussinov": access("200", "N * (N - 1) * (N - 2) // 6", "sum", 2.3, 0.5),
    "doitgen": access("64 4 160", "NR * NQ * NP * NP", "fma", 0.08),
    # Each element of a matrix once for each product, and a share of vectors.
    "gesummv": access("400", "2 * N * N", "element", 1.3, 0.8),
    "atax": access("392 408", "2 * M * N", "element", 1.3, 0.8),
    "mvt": access("400", "2 * N * N", "element", 1.3, 0.8),
    "gemver": access("520", "3 * N * N", "element", 1.3, 0.8, 0.8),
    # Each point once, and the border of the tile.
    "jacobi-2d": access("2 250", "2 * TSTEPS * (N - 2) ** 2", "point", 1.3),
    # Neighbours come from the caches, which is faster.
    "heat-3d": access("2 66", "2 * TSTEPS * (N - 2) ** 3", "point", 7),
    # A point is one of one of the three statements, which read 2, 2 and 3
    # arrays.
    "fdtd-2d": access("2 200 240", "TMAX * ((NX - 1) * NY + NX * (NY - 1) + "
                      "(NX - 1) * (NY - 1))", "point", 2.5),
    "transpose": access("208 264", "N * M", "element", 1.1, 0.9, 0.9),
}

PROGRAMS = tuple(ACCESSES)


# The same by the difference of two grids: elements that kernels load for each
# "unit" more, at most.
# kernels: a regular expression, of those that are looked at.
# sizes: for -gpu-sizes, None for those that are chosen.
# An even number of launches, so that nothing is copied back.
Growth = namedtuple("Growth", "program type arch kernels sizes grids work unit "
                    "most")

GROWTHS = (
    Growth("jacobi-2d", "float", "sm_90", "", None, ((8, 250), (8, 500)),
           "TSTEPS * (N - 2) ** 2", "point and step", 0.42),
    Growth("jacobi-2d", "float", "sm_90", "",
           "{ kernel[0] -> stream[4,256,496] }", ((8, 498), (8, 994)),
           "TSTEPS * (N - 2) ** 2", "point and step", 0.35),
    # Blocks of so much shared memory are not on all devices that run sm_90's
    # code.
    Growth("heat-3d", "float", "sm_90a", "",
           "{ kernel[0] -> stream[2,256,56,56] }", ((4, 58), (4, 114)),
           "TSTEPS * (N - 2) ** 3", "point and step", 0.7),
    # What is behind the panels: m x m tiles of 32 steps of 32 x 32 elements.
    Growth("lu", "float", "sm_90", "_joined$", None, ((288,), (416,)),
           "32 ** 3 * (N // 32 - 1) * (N // 32) * (2 * (N // 32) - 1) // 6",
           "fma", 1 / 8),
)

GROWING = tuple(dict.fromkeys(growth.program for growth in GROWTHS))


def evaluate(expression, sizes):
    return eval(expression, {"__builtins__": {}}, sizes)


def work(name, parameters):
    """Points or fma of program "name" at its sizes here."""
    entry = ACCESSES[name]
    return evaluate(entry.work, dict(zip(parameters, entry.sizes)))
