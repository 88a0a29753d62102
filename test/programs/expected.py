"""What each test program must do on the device, derived by hand.

A program has its size parameters (the C macros of FORM 1, in the order of the
arguments of FORM 2 and 3), a function from sizes to what must happen, and the
sizes it runs with.  Counted are

  launches  kernel launches of one run; one that would have no block is none
  reads     elements copied to the device: those that are read before the SCoP
            writes them, each once
  writes    elements copied back: those that are written, each once

Nothing happens where no statement is executed.
"""

from collections import namedtuple

Expected = namedtuple("Expected", "launches reads writes")
Program = namedtuple("Program", "parameters expect sizes constant_sizes")

NOTHING = Expected(0, 0, 0)


def triangle(n):
    """Elements of a triangle of an n x n matrix, its diagonal included."""
    return n * (n + 1) // 2


def gemm(n, m, k):
    """All n m elements of C are scaled, so read and written, for any k; A has
    n k and B has k m elements, read if there is an element of C.  Scaling and
    adding fuse: (i, j) is parallel for both.  One kernel."""
    if n * m == 0:
        return NOTHING
    return Expected(1, n * k + k * m + n * m, n * m)


def mm2(n, k, m, p):
    """E = A B writes n m elements and reads A and B; D = E C writes n p and
    reads C (m p).  Elements of D and E are set to 0 before they are read:
    neither is live-in.  A and B matter only if E has elements, C only if D
    has.

    A row of D needs the whole row of E, so the products cannot share (i, j):
    two kernels, one for each product that has elements.  (Sharing i alone
    would make one kernel of one parallel dimension; change it here should the
    schedule do so.)"""
    reads = (n * k + k * m if n * m else 0) + (m * p if n * p else 0)
    launches = (n * m > 0) + (n * p > 0)
    return Expected(launches, reads, n * m + n * p)


def transpose(n, m):
    """Every element of A is read once, every one of B written once."""
    if n * m == 0:
        return NOTHING
    return Expected(1, n * m, n * m)


def mvt(n):
    """x += A u and y += A^T v: A has n n elements, and x, y, u, v have n each,
    all read; x and y are written.  No dependence connects the two products, so
    isl schedules them one by one: two kernels.  (One if they were fused.)"""
    if n == 0:
        return NOTHING
    return Expected(2, n * n + 4 * n, 2 * n)


def vecadd(n):
    """c = a + b: reads 2 n, writes n, one parallel loop."""
    if n == 0:
        return NOTHING
    return Expected(1, 2 * n, n)


def jacobi1d(steps, n):
    """Both sweeps write the interior 1 .. n-2, n - 2 elements of each array.
    The first sweep reads all n elements of A.  The second one reads all of B,
    but the first one has just written the interior: only B[0] and B[n-1] are
    live-in.  The loop over time is sequential; a kernel for each sweep."""
    if steps == 0 or n < 3:
        return NOTHING
    return Expected(2 * steps, n + 2, 2 * (n - 2))


def jacobi2d(steps, n):
    """As jacobi1d: the interior has (n-2)^2 elements.  The five-point stencil
    reads the interior and the four edges but no corner: n^2 - 4 elements of A;
    of B only the edges without corners, 4 (n-2), since its interior is written
    before it is read."""
    if steps == 0 or n < 3:
        return NOTHING
    interior = (n - 2) ** 2
    return Expected(2 * steps, n * n - 4 + 4 * (n - 2), 2 * interior)


# The wavefront s = a t + b i + c j of seidel2d.
SEIDEL_WAVEFRONT = (4, 2, 1)


def seidel2d(steps, n):
    """The nine-point stencil reads all n^2 elements, the corners too, and
    writes the interior.  The dependences, as distances in (t, i, j), are

      (0,0,1) (0,1,-1) (0,1,0) (0,1,1)         from this step's new values
      (1,x,y) with x, y in -1 .. 1, as far as  from the last step's values and
      lexicographically needed                 to their overwriting

    s = a t + b i + c j must grow by at least 1 along each: c >= 1 by (0,0,1),
    b >= c + 1 by (0,1,-1), a >= b + c + 1 by (1,-1,-1).  The smallest is
    s = 4 t + 2 i + j.  All points of the same s are independent: one launch
    for each value of s that occurs, with two parallel dimensions.  From n = 4
    on the values have no gap: 4 (steps-1) + 3 (n-3) + 1."""
    if steps == 0 or n < 3:
        return NOTHING
    a, b, c = SEIDEL_WAVEFRONT
    inner = range(1, n - 1)
    waves = {a * t + b * i + c * j
             for t in range(steps) for i in inner for j in inner}
    return Expected(len(waves), n * n, (n - 2) ** 2)


def trmm(n, m):
    """B = alpha U B in place.  Of U the upper triangle with its diagonal is
    read, of B everything, and all of B is written.  Row i needs the old rows
    below it: the rows from 1 on are copied first, if there are any, and the
    sums, with the scaling by alpha that comes last, are parallel in i and j:
    two kernels."""
    if n * m == 0:
        return NOTHING
    return Expected(2 if n > 1 else 1, triangle(n) + n * m, n * m)


def syrk(n, k):
    """The lower triangle of C with its diagonal is read and written; every
    row of A is read, n k elements.  One kernel, as gemm."""
    if n == 0:
        return NOTHING
    return Expected(1, n * k + triangle(n), triangle(n))


# Name of the program (also of its file and its function) -> Program.  Sizes
# are no multiples of a tile, 1, and 0 in each position.  The sizes of FORM 1
# are fewer: each is a compilation of its own.
PROGRAMS = {
    "gemm": Program(
        ("N", "M", "K"), gemm,
        [(37, 45, 29), (65, 33, 1), (1, 1, 1), (1, 70, 3), (0, 5, 7),
         (5, 0, 7), (5, 7, 0), (0, 0, 0)],
        [(37, 45, 29), (1, 1, 1), (0, 5, 7)]),
    "mm2": Program(
        ("N", "K", "M", "P"), mm2,
        [(33, 17, 41, 35), (1, 1, 1, 1), (0, 3, 4, 5), (3, 0, 4, 5),
         (3, 4, 0, 5), (3, 4, 5, 0), (0, 0, 0, 0)],
        [(33, 17, 41, 35), (1, 1, 1, 1), (3, 4, 5, 0)]),
    "transpose": Program(
        ("N", "M"), transpose,
        [(67, 35), (35, 67), (1, 1), (1, 45), (45, 1), (0, 3), (3, 0)],
        [(67, 35), (1, 1), (0, 3)]),
    "mvt": Program(
        ("N",), mvt,
        [(67,), (33,), (1,), (0,)],
        [(67,), (1,), (0,)]),
    "vecadd": Program(
        ("N",), vecadd,
        [(1001,), (33,), (1,), (0,)],
        [(1001,), (1,), (0,)]),
    "jacobi1d": Program(
        ("STEPS", "N"), jacobi1d,
        [(5, 131), (1, 33), (3, 3), (3, 2), (3, 1), (3, 0), (0, 7)],
        [(5, 131), (1, 5), (3, 1), (0, 7)]),
    "jacobi2d": Program(
        ("STEPS", "N"), jacobi2d,
        [(4, 45), (1, 35), (3, 3), (3, 2), (3, 1), (3, 0), (0, 7)],
        [(4, 45), (1, 5), (3, 1), (0, 7)]),
    "seidel2d": Program(
        ("STEPS", "N"), seidel2d,
        [(4, 29), (1, 13), (3, 4), (3, 3), (3, 2), (3, 1), (3, 0), (0, 7)],
        [(4, 29), (1, 3), (3, 1), (0, 7)]),
    "trmm": Program(
        ("N", "M"), trmm,
        [(35, 67), (1, 1), (1, 9), (9, 1), (0, 3), (3, 0)],
        [(35, 67), (1, 1), (3, 0)]),
    "syrk": Program(
        ("N", "K"), syrk,
        [(43, 31), (33, 1), (1, 1), (5, 0), (0, 5)],
        [(43, 31), (1, 1), (0, 5)]),
}
