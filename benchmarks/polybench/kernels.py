"""What the compiler makes of each program, whatever the type.

The parallel dimensions of each kernel (0: one thread), and the number of
launches as an expression of the sizes, for sizes of at least 3.  Where small
steps may be chains in one kernel there is also the number without these, which
is that of larger sizes, and of POLYGPU_CHAIN=off.  Every program
but deriche is one SCoP.  In two programs with many loops other forms of arrays have other
assumptions, and other loops are fused.
"""

from expectations import Expectations, expected
from programs import PROGRAMS


def ludcmp(launches):
    """With so many launches for 32 steps behind the diagonal tile."""
    chains = "(9 * N - 18) // 256 + "

    def all_of(launches):
        return (f"(N + 30) // 32 + {launches} * ((N - 1) // 32) + "
                f"(2 if N <= 64 else {chains}4)")

    return expected(
        "1 1 2 2 1 1 1 0 1", all_of(launches), apart=all_of(3),
        loops=f"(N + 30) // 32 + {launches} * ((N - 1) // 32) + {chains}4",
        plain=expected(
            "2 1 1 1 0 1", f"(3 * N - 6) // 32 + (3 if N <= 64 else {chains}5)",
            loops="(3 * N - 6) // 32 + " + chains + "5"))


EXPECTED = {
    "correlation": expected("1 1 1 2 1 1 2 2", "8"),
    ("correlation", "size_t"): expected("1 1 1 2 2", "5"),
    "covariance": expected("1 1 2 2 2", "5"),
    ("covariance", "size_t"): expected("1 2 2", "3"),
    "gemm": expected("2", "1"),
    "gemver": expected("2 1 1", "3"),
    "gesummv": expected("1", "1"),
    "symm": expected("2", "1"),
    "syr2k": expected("2", "1"),
    "syrk": expected("2", "1"),
    "trmm": expected("2 2", "2"),
    "2mm": expected("2 2", "2"),
    "3mm": expected("2 2 2", "3"),
    "atax": expected("1 1", "2"),
    "bicg": expected("1 1", "2"),
    "doitgen": expected("3 3 1", "3"),
    "mvt": expected("1 1", "2"),
    # 32 steps in blocks: the diagonal one, panels, and the rest.
    # Waves of tiles without buffers.
    "cholesky": expected(
        "1 1 2", "(N + 31) // 32 + (N - 1) // 32 + (N - 2) // 32",
        plain=expected("2", "(3 * N - 3) // 32 + 1")),
    "durbin": expected("0 1 0 1 1 0 1", "1 if N <= 4097 else 4 * N - 2",
                       loops="4 * N - 2"),
    # One kernel of the whole grid where steps are small by the model, behind two.
    "gramschmidt": expected("1 1 2 0 1 1 2", "4 * N",
                            grids="3 if N < 2000 else 6 if N < 2700 else 4 * N"),
    "lu": expected("1 1 2 2", "(N + 30) // 32 + 2 * ((N - 1) // 32)",
                   apart="(N + 30) // 32 + 3 * ((N - 1) // 32)",
                   plain=expected("2", "(3 * N - 6) // 32 + 1")),
    # The elimination, and a chain of both substitutions; the last one is two
    # loops of one thread, which are short in a chain.
    "ludcmp": ludcmp(2),
    # One of two products has no buffers, and a launch of its own.
    ("ludcmp", "size_t"): ludcmp(3),
    "trisolv": expected("1 1 1", "1 if N <= 4096 else (9 * N - 9) // 256 + 2",
                        loops="(9 * N - 9) // 256 + 2"),
    # Coefficients come from a call that may set errno, in front of the loops.
    "deriche": expected("1 1 2 1 1 2", "6", 2),
    # 32 steps in tiles: the diagonal one, those of its rows and columns, and the rest
    # in four kernels.
    "floyd-warshall": expected(
        "1 1 2 2 2 2", "1 if N <= 32 else 3 * ((N + 31) // 32)",
        apart="1 if N <= 32 else 6 * ((N + 31) // 32) - 6",
        plain=expected("2 1 0 2 1 2 1 2", "7 * N - 7",
                       grids="1 if N < 1600 else 7 * N - 7",
                       apart="8 * N - 9")),
    # Waves of tiles; the matrix is laid out by its diagonals for them, and copied back.
    "nussinov": expected("2 1 2", "(9 * N - 18) // 256 + 3"),
    "adi": expected("1 1 1 1", "4 * TSTEPS",
                    plain=expected("1 1 1 1", "4 * TSTEPS",
                                   grids="1 if N < 300 else 4 * TSTEPS")),
    # Overlapping tiles: even and odd launches of 4 steps, and after an odd number
    # of them a copy back of each array.
    # The tiles' launches, more than a few small ones, may be a kernel of the whole
    # grid; up to MEDIUM it was looked at.
    "fdtd-2d": expected("2 2 2 2 2", "-(-TMAX // 4) + -(-TMAX // 4) % 2 * 3",
                        grids="(1 if 20 < TMAX <= 100 else -(-TMAX // 4)) "
                              "+ -(-TMAX // 4) % 2 * 3",
                        plain=expected("2 2", "2 * TMAX",
                                       grids="1 if NX < 1600 else 2 * TMAX")),
    # Likewise; with size_t the loop has two parts, of which one is never.
    "heat-3d": expected("3 3", "2 * TSTEPS",
                        grids="1 if N < 180 else 2 * TSTEPS"),
    ("heat-3d", "size_t"): expected("3 3", "2 * TSTEPS"),
    "jacobi-1d": expected("1 1 1",
                          "-(-TSTEPS // 16) + -(-TSTEPS // 16) % 2",
                          plain=expected(
        "1 1 1", "(TSTEPS + 65535) // 65536 if N <= 4098 else 2 * TSTEPS",
        loops="2 * TSTEPS")),
    "jacobi-2d": expected("2 2 2", "-(-TSTEPS // 4) + -(-TSTEPS // 4) % 2",
                          grids="(1 if 20 < TSTEPS <= 100 else -(-TSTEPS // 4)) "
                                "+ -(-TSTEPS // 4) % 2",
                          plain=expected("2 2", "2 * TSTEPS",
                                         grids="1 if N < 1600 else 2 * TSTEPS")),
    ("jacobi-2d", "size_t"): expected(
        "2 2 2", "-(-TSTEPS // 4) + -(-TSTEPS // 4) % 2",
        plain=expected("2 2", "2 * TSTEPS",
                       grids="1 if N < 1600 else 2 * TSTEPS")),
    # Waves of tiles: 8 x 32 x 64 of (t, t + i, 2 t + i + j), on an array of the lines
    # 2 i + j, which is copied from and to the program's.
    "seidel-2d": expected("2 2 2", "(3 * TSTEPS + N - 6) // 16 + 3"),
    "transpose": expected("2", "1"),
}

KERNELS = Expectations(EXPECTED, PROGRAMS)
