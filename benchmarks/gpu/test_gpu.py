"""Tests of floors.py on planted lines, and of peak.c and measure.py against
fakes of the driver and of cuBLAS; no GPU is needed, and none is used."""

import itertools
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(ROOT / "benchmarks" / "polybench"))
sys.path.insert(0, str(ROOT / "scripts"))

import find_cuda
import floors
from programs import PROGRAMS as SUITE

CLANG = shutil.which("clang-22")
# Of the sources of this folder, fakes included.
FLAGS = ["-std=c11", "-D_GNU_SOURCE", "-O1", "-Wall", "-Wextra", "-Wshadow",
         "-Wstrict-prototypes", "-Wmissing-prototypes", "-Werror",
         f"-I{ROOT / 'runtime'}"]


# ---- Planted measurements ----------------------------------------------------

PEAKS = """\
device capability=90 multiprocessors=132 l2=1 driver=12040 cublas=1 name=a GPU
figure what=fma type=float sizes=- cache=warm best_ms=1 median_ms=2 \
repetitions=5 amount=50000000000
figure what=fma type=double sizes=- cache=warm best_ms=1 median_ms=2 \
repetitions=5 amount=25000000000
"""


def run_line(case, role, ms, way="on", launches=None, checksum="c0"):
    program, element, sizes = case
    k = next(k for k in floors.PROGRAMS[program].kernels if k.role == role)
    if launches is None:
        launches = 2 * floors.evaluate(k.launches, program, sizes)
    return (f"run program={program} type={element} "
            f"sizes={','.join(map(str, sizes))} promotion={way} repetitions=2 "
            f"checksum={checksum} kernel=k_1_0 role={role} launches={launches} "
            f"ms={ms * launches}\n")


def figure_line(request, ms):
    words = request.split()
    if words[0] in ("copy", "memcpy"):
        words.insert(1, "-")
    what, element, sizes, cache = words
    return (f"figure what={what} type={element} sizes={sizes} cache={cache} "
            f"best_ms={ms / 2} median_ms={ms} repetitions=5 amount=0\n")


def planted(case, changes=(), reference=0.0):
    """Lines of a case: every kernel takes 1 ms with promotion and 2 without,
    but for "changes", role -> ms; cuBLAS and copies take "reference"."""
    program, element, sizes = case
    text = PEAKS
    for k in floors.PROGRAMS[program].kernels:
        if k.arrays:
            text += run_line(case, k.role, dict(changes).get(k.role, 1.0))
            text += run_line(case, k.role, 2.0, "off")
        for request in (floors.blas_request(k, *case),
                        floors.copy_request(k, *case)):
            if request and reference:
                text += figure_line(request, reference)
    return text


def rows(text):
    return floors.rows(floors.read(text.splitlines()))


def verdicts(text):
    return {row.role: row.verdict for row in rows(text)}


def square(n):
    return (n, n, n)


# What was asked for, written down once more: program, type, sizes, kernels,
# share, and of what.
FLOORS = [
    *[("gemm", "float", square(n), ["product"], 0.90, "cuBLAS")
      for n in (2000, 4000, 8192)],
    *[("gemm", "float", square(n), ["product"], 0.75, "cuBLAS")
      for n in (1999, 4097)],
    *[("gemm", "double", square(n), ["product"], 0.75, "FMA")
      for n in (2000, 4000, 8192)],
    *[("mvt", "float", (n,), ["row-wise"], share, "cuBLAS")
      for n, share in ((4000, 0.85), (8000, 0.90), (16000, 0.75))],
    *[("mvt", "float", (n,), ["column-wise"], share, "cuBLAS")
      for n, share in ((4000, 0.55), (8000, 0.80), (16000, 0.65))],
    *[(program, element, SUITE[program].sizes[size], kernels, share, "copy")
      for element in ("float", "double") for size in ("LARGE", "EXTRALARGE")
      for program, kernels, share in (
          ("jacobi-2d", ["first-sweep", "second-sweep"], 0.85),
          ("heat-3d", ["first-sweep", "second-sweep"], 0.85),
          ("fdtd-2d", ["ex-sweep", "ey-sweep", "hz-sweep"], 0.85),
          ("transpose", ["transpose"], 0.65))],
]


class Floors(unittest.TestCase):
    def reference(self, case, role, share, of):
        """Milliseconds of a kernel that reaches the share."""
        program, _, sizes = case
        if of == "FMA":
            return 2 * sizes[0] ** 3 / 25e9 / share
        return 0.5 / share

    def test_each_just_met_and_just_missed(self):
        for program, element, sizes, roles, share, of in FLOORS:
            case = (program, element, sizes)
            for role in roles:
                ms = self.reference(case, role, share, of)
                for factor, good in ((0.9999, True), (1.0001, False)):
                    with self.subTest(case=case, role=role, good=good):
                        text = planted(case, {role: ms * factor}, 0.5)
                        # What is slower than without promotion is another
                        # matter.
                        text = text.replace("promotion=off", "promotion=was")
                        text += "".join(
                            run_line(case, k.role, 1e6, "off")
                            for k in floors.PROGRAMS[program].kernels)
                        found = verdicts(text)[role]
                        if good:
                            self.assertEqual(found, "ok")
                        else:
                            self.assertRegex(
                                found, rf"^SLOW: [\d.]+% of {of}$")

    def test_no_other_floors(self):
        listed = {(program, element, sizes, role)
                  for program, element, sizes, roles, _, _ in FLOORS
                  for role in roles}
        for program in floors.PROGRAMS:
            for element in floors.TYPES:
                for sizes in floors.sizes_of(program):
                    for k in floors.PROGRAMS[program].kernels:
                        own = sizes in floors.OWN.get(program, ()) and \
                            program in floors.PARTS["stencils"].programs
                        self.assertEqual(
                            floors.floor(program, k.role, element,
                                         sizes) is not None,
                            own or (program, element, sizes, k.role) in listed)

    def test_sizes(self):
        for part in floors.PARTS.values():
            for program in part.programs:
                found = floors.sizes_of(program)
                for name in ("LARGE", "EXTRALARGE"):
                    self.assertIn(SUITE[program].sizes[name], found)
                self.assertEqual(len(set(found)), len(found))
        for program, _, sizes, *_ in FLOORS:
            self.assertIn(sizes, floors.sizes_of(program))
        self.assertEqual(
            {name for part in floors.PARTS.values() for name in part.programs},
            {"gemm", "2mm", "syrk", "syr2k", "trmm", "symm", "covariance",
             "doitgen", "gesummv", "atax", "mvt", "gemver", "jacobi-2d",
             "heat-3d", "fdtd-2d", "transpose"})

    def test_slower_than_without_promotion(self):
        case = ("gesummv", "double", (1300,))
        (good,) = rows(planted(case, {"two-row-wise": 2.1}))
        (bad,) = rows(planted(case, {"two-row-wise": 2.102}))
        self.assertEqual(good.verdict, "ok")
        self.assertEqual(bad.verdict, "SLOW: slower than without promotion")
        self.assertEqual(floors.status([good]), 0)
        self.assertEqual(floors.status([bad]), 1)
        self.assertEqual(floors.violations([bad]), [
            "gesummv double 1300 two-row-wise: slower than without promotion"])

    def test_figures_of_a_row(self):
        case = ("trmm", "float", (1000, 1200))
        found = {row.role: row for row in rows(planted(case, (), 0.5))}
        self.assertEqual(found["copy"].unit, "GB/s")
        self.assertAlmostEqual(found["copy"].rate,
                               2 * 999 * 1200 * 4 / 1e6)
        self.assertAlmostEqual(found["copy"].peak, 0.5)
        self.assertAlmostEqual(found["all"].ms, 2)
        self.assertAlmostEqual(found["all"].blas, 0.25)
        self.assertAlmostEqual(found["all"].rate, 999 * 1000 * 1200 / 2e6)
        self.assertAlmostEqual(found["all"].peak,
                               999 * 1000 * 1200 / 50e9 / 2)
        (two,) = rows(planted(("gesummv", "float", (1300,)), (), 0.5))
        self.assertAlmostEqual(two.beside, 1)

    def test_shortest_process(self):
        case = ("gesummv", "float", (1300,))
        text = planted(case) + run_line(case, "two-row-wise", 0.25)
        self.assertEqual(rows(text)[0].ms, 0.25)

    def test_launches_of_time_steps(self):
        case = ("jacobi-2d", "float", (20, 8192))
        self.assertEqual(rows(planted(case, (), 0.9))[0].ms, 1)
        text = planted(case, (), 0.9).replace("launches=40", "launches=38")
        self.assertEqual(
            verdicts(text)["first-sweep"],
            "MISSING: 38 launches in 2 repetitions, not 20 in each")


class Missing(unittest.TestCase):
    CASE = ("atax", "float", (1900, 2100))

    def missing(self, text, role="row-wise"):
        found = rows(text)
        self.assertEqual(floors.status(found), 1)
        return {row.role: row.verdict for row in found}[role]

    def test_line(self):
        lines = planted(self.CASE).splitlines(keepends=True)
        for way, said in (("on", "MISSING: not measured"),
                          ("off", "MISSING: without promotion: not measured")):
            text = "".join(line for line in lines if
                           f"promotion={way}" not in line or
                           "role=row-wise" not in line)
            self.assertEqual(self.missing(text), said)
            self.assertEqual(verdicts(text)["column-wise"], "ok")

    def test_all_lines(self):
        text = PEAKS + "case program=atax type=float sizes=1900,2100\n"
        self.assertEqual(self.missing(text), "MISSING: not measured")

    def test_no_launch(self):
        text = planted(self.CASE) + run_line(self.CASE, "row-wise", 1.0,
                                             launches=0)
        self.assertEqual(self.missing(text), "MISSING: 0 launches in 2 "
                         "repetitions, not 1 in each")

    def test_no_time(self):
        text = planted(self.CASE) + run_line(self.CASE, "row-wise", 0.0)
        self.assertEqual(self.missing(text), "MISSING: no time")

    def test_part_of_a_program(self):
        case = ("doitgen", "float", (140, 150, 160))
        text = "".join(line for line in
                       planted(case).splitlines(keepends=True)
                       if "role=last-row" not in line)
        self.assertEqual(self.missing(text, "all"), "MISSING: not measured")

    def test_results_differ(self):
        text = planted(self.CASE) + run_line(self.CASE, "row-wise", 1.0,
                                             "off", checksum="c1")
        self.assertEqual(self.missing(text),
                         "MISSING: results differ: on c0, off c0 c1")
        text = planted(self.CASE) + \
            "sequential program=atax type=float sizes=1900,2100 checksum=c2\n"
        self.assertEqual(
            self.missing(text),
            "MISSING: results differ: on c0, off c0, sequential c2")
        self.assertEqual(verdicts(text.replace("=c2", "=c0"))["row-wise"],
                         "ok")

    def test_failures(self):
        measured = floors.read((planted(self.CASE) + "failed what=a b: c=d\n"
                                "skipped what=atax float\n").splitlines())
        lines, status = floors.report(measured)
        self.assertEqual(status, 1)
        self.assertIn("a b: c=d", lines)
        self.assertIn("no time left for atax float", lines)
        self.assertEqual(lines[-1], "2 kernels: 2 violations, 0 unsupported")

    def test_nothing(self):
        lines, status = floors.report(floors.read([]))
        self.assertEqual(status, 1)
        self.assertIn("nothing was measured", lines)

    def test_no_cublas(self):
        case = ("mvt", "float", (4000,))
        found = rows(planted(case))
        self.assertEqual([row.verdict for row in found],
                         ["unsupported: nothing measured of cuBLAS"] * 2)
        self.assertEqual(floors.status(found), 77)
        slow = rows(planted(case, {"row-wise": 3}))
        self.assertEqual(floors.status(slow), 1)

    def test_wrong_lines(self):
        for text in ("other a=b", "run program=gemm type=float", "run gemm",
                     "run program=gemm type=float sizes=2,2,2 promotion=on"):
            with self.assertRaises(ValueError):
                floors.read([text])


class Table(unittest.TestCase):
    def test_markdown(self):
        case = ("gemm", "float", square(2000))
        (row,) = rows(planted(case, (), 0.95))
        head, rule, line = floors.table([row]).splitlines()
        self.assertEqual(head.count("|"), line.count("|"))
        self.assertEqual(head.count("|"), rule.count("|"))
        self.assertEqual(
            line, "| gemm | float | 2000 2000 2000 | product | 1.0000 | "
            "16000 GFLOP/s | 0.9500 | 95.0% | 32.0% | 90% of cuBLAS | 2.0000 "
            "| 2.00 | ok |")

    def test_unknown(self):
        (row,) = rows("case program=gemm type=float sizes=3,4,5")
        self.assertIn("| - | - | - | - | - | - | - | - | MISSING",
                      floors.table([row]))

    def test_summary(self):
        lines = floors.summary(floors.read(PEAKS.splitlines()))
        self.assertEqual(lines[0], "a GPU, compute capability 90, driver "
                         "12040, cuBLAS 1")
        self.assertEqual(lines[1], "fma float: 50000 GFLOP/s at best, 25000 "
                         "in the median")


# ---- Counts ------------------------------------------------------------------


def count(program, role, sizes):
    k = next(k for k in floors.PROGRAMS[program].kernels if k.role == role)
    return floors.evaluate(k.flops or k.elements, program, sizes)


class Counts(unittest.TestCase):
    """Against loops that are written out."""

    def test_products(self):
        m, n = 5, 7
        pairs = [(i, j) for i in range(n) for j in range(i + 1)]
        self.assertEqual(count("syrk", "product", (m, n)), 2 * m * len(pairs))
        self.assertEqual(count("syr2k", "product", (m, n)), 4 * m * len(pairs))
        self.assertEqual(count("trmm", "product", (m, n)),
                         2 * n * sum(m - 1 - i for i in range(m)))
        self.assertEqual(count("covariance", "product", (m, n)),
                         2 * n * sum(m - i for i in range(m)))
        self.assertEqual(count("gemm", "product", (2, 3, 5)), 60)
        self.assertEqual(count("2mm", "first-product", (2, 3, 5, 7)), 60)
        self.assertEqual(count("2mm", "second-product", (2, 3, 5, 7)), 84)
        self.assertEqual(count("doitgen", "product", (2, 3, 5)), 300)
        self.assertEqual(count("symm", "product", (4, 3)), 96)

    def points(self, sizes):
        return itertools.product(*(range(1, n - 1) for n in sizes))

    def stencil(self, n, dimensions):
        """Elements read and written by a sweep over all inner points."""
        read, written = set(), set()
        for point in self.points([n] * dimensions):
            written.add(point)
            read.add(point)
            for axis in range(dimensions):
                for step in (-1, 1):
                    read.add(point[:axis] + (point[axis] + step,)
                             + point[axis + 1:])
        return len(read) + len(written)

    def test_sweeps(self):
        for role in ("first-sweep", "second-sweep"):
            self.assertEqual(count("jacobi-2d", role, (9, 11)),
                             self.stencil(11, 2))
            self.assertEqual(count("heat-3d", role, (9, 6)),
                             self.stencil(6, 3))

    def test_fdtd(self):
        n, m = 6, 9

        def moved(points, reads, writes):
            found = set()
            for i, j in points:
                for name, di, dj in reads:
                    found.add((name, i + di, j + dj))
                for name in writes:
                    found.add((name + "=", i, j))
            return len(found)

        def box(rows, columns):
            return [(i, j) for i in rows for j in columns]

        sizes = (3, n, m)
        self.assertEqual(
            count("fdtd-2d", "ex-sweep", sizes),
            moved(box(range(n), range(1, m)),
                  [("ex", 0, 0), ("hz", 0, 0), ("hz", 0, -1)], ["ex"]))
        self.assertEqual(
            count("fdtd-2d", "ey-sweep", sizes),
            moved(box(range(1, n), range(m)),
                  [("ey", 0, 0), ("hz", 0, 0), ("hz", -1, 0)], ["ey"]))
        self.assertEqual(
            count("fdtd-2d", "hz-sweep", sizes),
            moved(box(range(n - 1), range(m - 1)),
                  [("hz", 0, 0), ("ex", 0, 0), ("ex", 0, 1), ("ey", 1, 0),
                   ("ey", 0, 0)], ["hz"]) + m)

    def test_bytes(self):
        k = floors.PROGRAMS["transpose"].kernels[0]
        case = ("transpose", "double", (3, 5))
        self.assertEqual(floors.moved(k, *case), 240)
        self.assertEqual(floors.copy_request(k, *case), "copy 224 cold")
        self.assertEqual(floors.blas_request(k, *case), "geam double 3,5 cold")


class Kernels(unittest.TestCase):
    def test_by_arrays(self):
        self.assertEqual(
            floors.roles("mvt", {"mvt_10_1": ["A", "u", "x"],
                                 "mvt_10_0": ["A", "v", "y"]}),
            {"mvt_10_0": "column-wise", "mvt_10_1": "row-wise"})

    def test_equal_arrays_in_order(self):
        self.assertEqual(
            floors.roles("jacobi-2d", {"j_10_10": ["B", "A"],
                                       "j_10_9": ["A", "B"]}),
            {"j_10_9": "first-sweep", "j_10_10": "second-sweep"})

    def test_private_arrays(self):
        self.assertEqual(
            floors.roles("symm", {"s_1_0": ["A", "B", "C", "v0_private"]}),
            {"s_1_0": "product"})

    def test_others(self):
        with self.assertRaisesRegex(ValueError, "has the arrays A q of m_1_0"):
            floors.roles("mvt", {"m_1_0": ["q", "A"]})
        with self.assertRaisesRegex(ValueError, "no kernel 'column-wise'"):
            floors.roles("mvt", {"m_1_0": ["A", "u", "x"]})


# ---- peak.c ------------------------------------------------------------------


def compile_fakes(folder):
    """peak, and libraries that look like the driver and cuBLAS."""
    def build(*arguments):
        subprocess.run([CLANG, *FLAGS, *map(str, arguments)], check=True)

    build(*(HERE / name for name in ("peak.c", "libraries.c",
                                     "operations.c")),
          "-ldl", "-o", folder / "peak")
    (folder / "fakes").mkdir()
    build("-shared", "-fPIC", HERE / "fake_cuda.c", "-o",
          folder / "fakes" / "libcuda.so.1")
    build("-shared", "-fPIC", HERE / "fake_cublas.c", "-o",
          folder / "fakes" / "libcublas.so.13", "-L", folder / "fakes",
          "-l:libcuda.so.1")
    (folder / "kernels.ptx").write_text(".version 6.4\n")


def matrix(values, step):
    """Elements of an array by row and column, column by column."""
    return lambda i, j: values[j * step + i]


def operand(values, step, transposed):
    at = matrix(values, step)
    return (lambda i, j: at(j, i)) if transposed else at


def triangle(values, step, upper, unit=False):
    """A triangular matrix: zeros elsewhere, maybe ones on the diagonal."""
    at = matrix(values, step)

    def element(i, j):
        if i == j and unit:
            return 1
        return at(i, j) if i == j or (i < j) == bool(upper) else 0
    return element


def symmetric(values, step, upper):
    at = matrix(values, step)
    return lambda i, j: at(i, j) if (i <= j) == bool(upper) or i == j \
        else at(j, i)


def perform(name, p, arrays):
    """What an operation of cuBLAS does, by its documentation, to arrays by
    their numbers; p: its arguments."""
    arrays = {n: list(values) for n, values in arrays.items()}
    out = arrays[p[{"gemv": "y", "ger": "a"}.get(name, "c")]]

    def product(x, y, depth):
        return lambda i, j: sum(x(i, l) * y(l, j) for l in range(depth))

    def store(rows, columns, step, value, wanted=lambda i, j: True):
        before = list(out)
        for i in range(rows):
            for j in range(columns):
                if wanted(i, j):
                    out[j * step + i] = value(i, j) + \
                        p.get("beta", 0) * before[j * step + i]

    if name == "gemm":
        a = operand(arrays[p["a"]], p["lda"], p["ta"])
        b = operand(arrays[p["b"]], p["ldb"], p["tb"])
        full = product(a, b, p["k"])
        store(p["m"], p["n"], p["ldc"], lambda i, j: p["alpha"] * full(i, j))
    elif name == "gemv":
        a = operand(arrays[p["a"]], p["lda"], p["ta"])
        x = arrays[p["x"]]
        rows, depth = (p["n"], p["m"]) if p["ta"] else (p["m"], p["n"])
        full = product(a, lambda l, j: x[l], depth)
        store(rows, 1, rows, lambda i, j: p["alpha"] * full(i, j))
    elif name == "ger":
        x, y = arrays[p["x"]], arrays[p["y"]]
        for i in range(p["m"]):
            for j in range(p["n"]):
                out[j * p["lda"] + i] += p["alpha"] * x[i] * y[j]
    elif name in ("syrk", "syr2k"):
        a = operand(arrays[p["a"]], p["lda"], p["ta"])
        b = operand(arrays[p["b"]], p["ldb"], p["ta"]) if "b" in p else a
        once = product(a, lambda l, j: b(j, l), p["k"])
        again = product(b, lambda l, j: a(j, l), p["k"])
        store(p["n"], p["n"], p["ldc"],
              lambda i, j: p["alpha"] * (once(i, j) + (
                  again(i, j) if "b" in p else 0)),
              lambda i, j: i == j or (i < j) == bool(p["fill"]))
    elif name in ("symm", "trmm"):
        if name == "symm":
            a = symmetric(arrays[p["a"]], p["lda"], p["fill"])
        else:
            given = triangle(arrays[p["a"]], p["lda"], p["fill"], p["unit"])
            a = (lambda i, j: given(j, i)) if p["ta"] else given
        b = matrix(arrays[p["b"]], p["ldb"])
        full = product(b, a, p["n"]) if p["side"] else product(a, b, p["m"])
        store(p["m"], p["n"], p["ldc"], lambda i, j: p["alpha"] * full(i, j))
    elif name == "geam":
        a = operand(arrays[p["a"]], p["lda"], p["ta"])
        store(p["m"], p["n"], p["ldc"], lambda i, j: p["alpha"] * a(i, j))
    return out


def rowwise(values, columns):
    """Elements of an array by row and column, row by row."""
    return lambda i, j: values[i * columns + j]


def wanted(request, n, arrays, alpha=1.25, beta=0.75):
    """What the programs compute, row by row, as one array."""
    a, b, c = (list(values) for values in arrays)
    span = range

    if request == "gemm":
        rows, columns, depth = n
        x, y = rowwise(a, depth), rowwise(b, columns)
        return [beta * c[i * columns + j] + alpha * sum(
            x(i, l) * y(l, j) for l in span(depth))
            for i in span(rows) for j in span(columns)]
    if request in ("syrk-rows", "syr2k"):
        rows, depth = n
        x, y = rowwise(a, depth), rowwise(b, depth)
        for i in span(rows):
            for j in span(i + 1):
                c[i * rows + j] *= beta
                for k in span(depth):
                    c[i * rows + j] += alpha * (
                        x(i, k) * x(j, k) if request == "syrk-rows" else
                        x(j, k) * y(i, k) + y(j, k) * x(i, k))
        return c
    if request == "syrk-columns":
        variables, count_ = n
        x = rowwise(a, variables)
        for i in span(variables):
            for j in span(i, variables):
                c[i * variables + j] = alpha * sum(
                    x(k, i) * x(k, j) for k in span(count_))
        return c
    if request in ("symm", "trmm"):
        rows, columns = n
        x, y = rowwise(a, rows), rowwise(b, columns)
        out = []
        for i in span(rows):
            for j in span(columns):
                if request == "symm":
                    total = sum(y(k, j) * (x(i, k) if k <= i else x(k, i))
                                for k in span(rows))
                    out.append(beta * c[i * columns + j] + alpha * total)
                else:
                    out.append(alpha * (y(i, j) + sum(
                        x(k, i) * y(k, j) for k in span(i + 1, rows))))
        return out
    rows, columns = n
    x = rowwise(a, columns)
    if request == "gemv-rows":
        return [c[i] + sum(x(i, j) * b[j] for j in span(columns))
                for i in span(rows)]
    if request == "gemv-columns":
        return [c[j] + sum(x(i, j) * b[i] for i in span(rows))
                for j in span(columns)]
    if request == "ger":
        return [x(i, j) + c[i] * b[j] for i in span(rows)
                for j in span(columns)]
    return [x(i, j) for j in span(columns) for i in span(rows)]  # geam


def elements(request, n):
    """Elements of the three arrays of a request."""
    if request == "gemm":
        return n[0] * n[2], n[2] * n[1], n[0] * n[1]
    if request.startswith("syr"):
        return n[0] * n[1], (request == "syr2k") * n[0] * n[1], n[0] ** 2
    if request in ("symm", "trmm"):
        return n[0] ** 2, n[0] * n[1], n[0] * n[1]
    if request == "geam":
        return n[0] * n[1], 0, n[0] * n[1]
    vectors = (n[0], n[1]) if request == "gemv-columns" else (n[1], n[0])
    return (n[0] * n[1], *vectors)


@unittest.skipUnless(CLANG, "needs clang-22")
class Peak(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.folder = Path(cls.temporary.name)
        compile_fakes(cls.folder)

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    def peak(self, *requests, kernels="kernels.ptx", **settings):
        """(exit status, stdout, stderr, the log of the fakes)."""
        log = self.folder / "log"
        log.unlink(missing_ok=True)
        done = subprocess.run(
            [self.folder / "peak", self.folder / kernels, *requests],
            env={**os.environ, "LD_LIBRARY_PATH": str(self.folder / "fakes"),
                 "FAKE_LOG": str(log), **settings},
            capture_output=True, text=True, timeout=60)
        lines = log.read_text().splitlines() if log.exists() else []
        return done.returncode, done.stdout, done.stderr, lines

    def figures(self, *requests):
        code, out, err, log = self.peak(*requests)
        self.assertEqual((code, err), (0, ""))
        return floors.read(out.splitlines()).figures, log

    def test_device(self):
        code, out, err, _ = self.peak()
        self.assertEqual((code, err), (0, ""))
        self.assertEqual(out, "device capability=90 multiprocessors=10 "
                         "l2=1048576 driver=12040 cublas=120501 name=a fake "
                         "device\n")

    def test_best_and_median(self):
        found, _ = self.figures("fma float", "fma double",
                                "copy 3200000000 warm",
                                "memcpy 3200000000 warm")
        self.assertEqual([(f.best, f.median) for f in found.values()],
                         [(10, 15), (20, 30), (3.2, 4.8), (1.6, 2.4)])
        self.assertEqual(found["copy 3200000000 warm"].amount, 3.2e9)

    def test_every_request_has_an_answer(self):
        """What floors.py asks for and what peak.c prints have one name."""
        for program in ("gemm", "trmm", "mvt", "gemver", "transpose"):
            asked = floors.requests([(program, "float",
                                      SUITE[program].sizes["MINI"])])
            self.assertEqual(list(self.figures(*asked)[0]), asked)

    def test_cold(self):
        _, warm = self.figures("copy 6400 warm")
        _, cold = self.figures("copy 6400 cold")
        self.assertFalse([line for line in warm if line.startswith("set")])
        sets = [at for at, line in enumerate(cold) if line == "set 268435456"]
        copies = [at for at, line in enumerate(cold) if "peak_copy" in line]
        self.assertEqual([at + 1 for at in sets], copies)

    def test_last_vectors_are_copied(self):
        """The fake looks at the grid."""
        for vectors in (1, 255, 256, 257, 1023, 1024, 1025, 5000):
            found, _ = self.figures(f"copy {32 * vectors} warm")
            self.assertEqual(found[f"copy {32 * vectors} warm"].amount,
                             32 * vectors)

    def test_operations(self):
        """cuBLAS's operation on matrices column by column is the programs' on
        the same memory row by row."""
        generator = random.Random(1)
        cases = [("gemm", (2, 3, 4)), ("syrk-rows", (4, 3)),
                 ("syrk-columns", (3, 5)), ("syr2k", (3, 2)),
                 ("symm", (3, 4)), ("trmm", (4, 3)), ("gemv-rows", (3, 5)),
                 ("gemv-columns", (3, 5)), ("ger", (2, 5)), ("geam", (2, 3))]
        for (name, n), element in itertools.product(cases, floors.TYPES):
            with self.subTest(name=name, element=element):
                request = f"{name} {element} {','.join(map(str, n))} warm"
                _, log = self.figures(request)
                calls = {line for line in log if not line.startswith("launch")}
                (call,) = calls
                operation, *words = call.split()
                given = dict(word.split("=") for word in words)
                self.assertEqual(given.pop("type"), element)
                given = {key: float(value) if key in ("alpha", "beta") else
                         int(value) for key, value in given.items()}
                self.assertEqual(operation, name.split("-")[0])
                arrays = [[generator.uniform(-1, 1) for _ in range(size)]
                          for size in elements(name, n)]
                # Number 0 is what makes caches cold.
                slots = {slot: arrays[at] for slot, at in enumerate(
                    (at for at in range(3) if arrays[at]), 2)}
                self.assert_near(perform(operation, given, slots),
                                 wanted(name, n, arrays))

    def assert_near(self, found, expected):
        self.assertEqual(len(found), len(expected))
        for a, b in zip(found, expected):
            self.assertAlmostEqual(a, b)

    def test_no_driver(self):
        with tempfile.TemporaryDirectory() as empty:
            (Path(empty) / "libcuda.so.1").write_text("no library")
            code, _, err, _ = self.peak(LD_LIBRARY_PATH=empty)
        self.assertEqual((code, err), (10, "peak: no CUDA driver (libcuda.so.1 "
                                       "not found)\n"))

    def test_no_device(self):
        for fault in ("none", "init"):
            self.assertEqual(self.peak("fma float", FAKE_CUDA=fault)[:3],
                             (11, "", "peak: no CUDA device\n"))

    def test_no_cublas(self):
        code, out, err, _ = self.peak("gemm float 2,3,4 warm", "fma float",
                                      FAKE_CUBLAS="create")
        self.assertEqual((code, err),
                         (12, "peak: no cuBLAS: it does not start\n"))
        self.assertIn("cublas=0", out)
        self.assertIn("what=fma type=float", out)

    def test_old_cublas(self):
        with tempfile.TemporaryDirectory() as other:
            shutil.copy(self.folder / "fakes" / "libcuda.so.1", other)
            subprocess.run([CLANG, "-shared", "-x", "c", "/dev/null", "-o",
                            Path(other) / "libcublas.so.13"], check=True)
            code, _, err, _ = self.peak("gemm float 2,3,4 warm",
                                        LD_LIBRARY_PATH=other)
        self.assertEqual((code, err), (12, "peak: no cuBLAS: there is no "
                                       "function cublasCreate_v2\n"))

    def test_calls_that_fail(self):
        for settings, said in (
                ({"FAKE_CUBLAS": "gemm"},
                 "cuBLAS's gemm in float failed: status 13"),
                ({"FAKE_CUDA": "alloc"}, "allocating device memory failed: "
                 "out of memory (CUDA error 2)"),
                ({"FAKE_CUDA": "launch"}, "the kernel that fills arrays "
                 "failed: some fake error (CUDA error 719)"),
                ({"FAKE_CUDA": "load"}, "loading the kernels failed: some "
                 "fake error (CUDA error 999)")):
            with self.subTest(settings):
                code, out, err, _ = self.peak(
                    "gemm float 20000,20000,30000 warm", **settings)
                self.assertEqual((code, err), (13, f"peak: {said}\n"))
                self.assertNotIn("figure", out)

    def test_further_requests(self):
        code, out, err, _ = self.peak("gemm float 2,3,4 warm", "fma float",
                                      FAKE_CUBLAS="gemm")
        self.assertEqual(code, 13)
        self.assertEqual(out.count("figure"), 1)

    def test_wrong_requests(self):
        for request in ("", "gemm", "gemm float 2,3 warm", "fma",
                        "gemm float 2,3,4,5 warm", "gemm half 2,3,4 warm",
                        "gemm float 2,3,4", "gemm float 2,3,4 hot",
                        "gemm float 2,0,4 warm", "copy 31 warm", "copy 8x cold",
                        "copy 64 cold x", "fma float double", "other 1 warm"):
            self.assertEqual(
                self.peak(request)[::2],
                (2, f"peak: not a request: '{request}'\n"), request)

    def test_no_kernels(self):
        code, _, err, _ = self.peak("fma float", kernels="nothing")
        self.assertEqual(code, 14)
        self.assertIn("cannot read", err)

    def test_usage(self):
        done = subprocess.run([self.folder / "peak"], capture_output=True)
        self.assertEqual(done.returncode, 2)


# ---- kernels.c ---------------------------------------------------------------


@unittest.skipUnless(CLANG, "needs clang-22")
class DeviceCode(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.path = Path(cls.temporary.name) / "kernels.ptx"
        # As "run" has it.
        script = (HERE / "run").read_text()
        flags = re.search(r'"(--target=.*?)HERE / "kernels.c"', script,
                          re.DOTALL).group(1)
        subprocess.run([CLANG, *re.findall(r"-[\w+=-]+", flags), "-Wall",
                        "-Wextra", "-Werror", HERE / "kernels.c", "-o",
                        cls.path], check=True)
        cls.text = cls.path.read_text()

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    def body(self, name):
        return self.text.partition(f".entry {name}(")[2].partition("\n}")[0]

    def test_multiply_adds_are_in_a_loop(self):
        chains, unrolled = 8, 32
        for name, operation in (("float", "f32"), ("double", "f64")):
            loop = self.body(f"peak_fma_{name}").partition("Loop Header")[2]
            depth = {}  # register -> multiply-adds that it has to wait for
            for to, operand in re.findall(
                    rf"fma\.rn\.{operation} \t(%\w+), (%\w+),", loop):
                depth[to] = depth.get(operand, 0) + 1
            self.assertEqual(len(depth), chains * unrolled)
            self.assertEqual(max(depth.values()), unrolled)

    def test_copies_are_of_16_bytes(self):
        text = self.body("peak_copy")
        self.assertEqual(len(re.findall(r"ld\.global\S*\.v4\.b32", text)), 5)
        self.assertEqual(len(re.findall(r"st\.global\.v4\.b32", text)), 5)

    def test_version(self):
        self.assertIn("\n.version 6.4\n.target sm_75\n", self.text)

    @unittest.skipUnless(find_cuda.ptxas(), "unsupported: no ptxas")
    def test_ptxas(self):
        for arch in ("sm_75", "sm_90"):
            done = subprocess.run(
                [find_cuda.ptxas(), f"-arch={arch}", "-v", self.path, "-o",
                 self.path.with_suffix(".cubin")],
                capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(done.stderr.count(" 0 bytes spill stores"), 5)


# ---- measure.py --------------------------------------------------------------


@unittest.skipUnless(CLANG, "needs clang-22")
class Measure(unittest.TestCase):
    """A folder as "run" makes it, without programs, or with scripts in their
    place."""

    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.folder = Path(cls.temporary.name)
        (cls.folder / "lib").mkdir()
        compile_fakes(cls.folder / "lib")

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    PROFILE = ('echo "bench: seconds=1 first=1 repetitions=2 checksum=$SUM '
               'sum=0 nonfinite=0" >&2\n'
               'echo "polygpu: kernel gesummv_10_0 device=$DEVICE launches='
               '$LAUNCHES grid=1,1,1 block=1,1,1 time_ms=$MS" >&2\n')

    def plant(self, **settings):
        """gesummv in float, as scripts that print a profile."""
        values = {"SUM": "c0", "DEVICE": "cuda", "LAUNCHES": "2",
                  "MS": "10.0", "MORE": ":", **settings}
        text = "#!/bin/sh\n" + "".join(
            f"{key}='{value}'\n" for key, value in values.items()
            if key != "MORE") + values["MORE"] + "\n" + self.PROFILE
        for way in ("on", "off"):
            work = self.folder / "programs" / way / "gesummv-float-c99"
            work.mkdir(parents=True, exist_ok=True)
            for name in ("sequential", "offloaded"):
                (work / name).write_text(text)
                (work / name).chmod(0o755)
            entry = {"case": ["gesummv", "float", "c99"], "times": [1, 1],
                     "remarks": [1, [1], [], {"gesummv_10_0": [
                         "ax", "y", "A", "x", "B"]}]}
            (work.parent / "bundle.json").write_text(json.dumps([entry]))

    def measure(self, *arguments, **settings):
        """(exit status, stdout)."""
        done = subprocess.run(
            [sys.executable, "-B", "-c", "import sys; sys.path[:0] = "
             f"{[str(HERE), str(ROOT / 'benchmarks' / 'polybench')]!r}; "
             "import measure; from pathlib import Path; sys.exit("
             f"measure.main(Path({str(self.folder)!r}), sys.argv[1:]))",
             *arguments],
            env={**os.environ, **settings, "LD_LIBRARY_PATH":
                 str(self.folder / "lib" / "fakes")},
            capture_output=True, text=True, timeout=120)
        return done.returncode, done.stdout + done.stderr

    def test_unsupported(self):
        self.plant()
        for arguments in ((), ("--check",), ("--part", "results", "--check")):
            self.assertEqual(self.measure(*arguments, FAKE_CUDA="none"),
                             (77, "unsupported: no CUDA device\n"))

    def test_good(self):
        self.plant()
        raw = self.folder / "raw"
        code, text = self.measure("--part", "vectors", "--check", "--repeat",
                                  "2", "--output", str(raw))
        self.assertEqual(code, 0, text)
        self.assertIn("2 kernels: 0 violations, 0 unsupported", text)
        self.assertRegex(text, r"gesummv \| float \| 1300 \| two-row-wise \| "
                         r"5.0000 \| .* \| 6.0000 \| 120.0% \|")
        # Lines that were written give the same table.
        code, again = self.measure("--from", str(raw), "--check")
        self.assertEqual(code, 0)
        self.assertIn(again.partition("\n\n")[2].strip(), text)

    def failing(self, *arguments, **settings):
        self.plant(**settings)
        code, text = self.measure("--part", "vectors", "--check", "--size",
                                  "MINI", "--repeat", "2", *arguments)
        self.assertEqual(code, 1, text)
        return text

    def test_no_launch(self):
        self.assertIn("0 launches in 2 repetitions",
                      self.failing(LAUNCHES="0"))

    def test_other_device(self):
        self.assertIn("not on the device", self.failing(DEVICE="emulated"))

    def test_program_fails(self):
        self.assertIn("exit status 3", self.failing(MORE="exit 3"))

    def test_mandatory_device(self):
        self.plant(MORE='test "$POLYGPU" = mandatory -o -z "$POLYGPU_PROFILE" '
                   '|| exit 4')
        code, _ = self.measure("--part", "vectors", "--check", "--size",
                               "MINI", "--repeat", "2")
        self.assertEqual(code, 0)

    def test_other_results(self):
        self.assertIn("results differ", self.failing(
            MORE='test "$POLYGPU" = mandatory || SUM=c1'))

    def test_no_time(self):
        text = self.failing("--limit", "0.9")
        self.assertIn("no time left for gesummv float 30", text)

    def test_command_that_takes_too_long(self):
        self.assertIn("no end after", self.failing("--timeout", "1.5",
                                                   MORE="sleep 9"))

    def test_figure_fails(self):
        self.plant()
        code, text = self.measure("--part", "vectors", "--check", "--size",
                                  "MINI", "--repeat", "2", FAKE_CUBLAS="gemv")
        self.assertEqual(code, 1)
        self.assertIn("cuBLAS's gemv-rows in float failed: status 13", text)
        self.assertIn("no figure for 'gemv-rows float 30,30 cold'", text)

    def test_no_cublas(self):
        """Nothing of gesummv needs it, and it is no failure."""
        self.plant()
        code, text = self.measure("--part", "vectors", "--check", "--size",
                                  "MINI", "--repeat", "2",
                                  FAKE_CUBLAS="create")
        self.assertEqual(code, 0, text)
        self.assertIn("cuBLAS none", text)

    def test_from_files(self):
        self.plant()
        for text, code in (("", 1), (planted(("mvt", "float", (4000,))), 77),
                           (planted(("mvt", "float", (4000,)), (), 0.9), 0),
                           (planted(("mvt", "float", (4000,)), (), 0.84), 1)):
            raw = self.folder / "planted"
            raw.write_text(text)
            self.assertEqual(self.measure("--from", str(raw), "--check")[0],
                             code)
            self.assertEqual(self.measure("--from", str(raw))[0], 0)


class LibraryPath(unittest.TestCase):
    def test_packages(self):
        import measure

        with tempfile.TemporaryDirectory() as base:
            folder = Path(base) / "nvidia" / "cu13" / "lib"
            folder.mkdir(parents=True)
            for name in ("libcublas.so.13", "libcublasLt.so.13"):
                (folder / name).touch()
            for given, wanted in ((None, f"{folder}"), ("/a:/b",
                                                        f"/a:/b:{folder}")):
                environment = {} if given is None else {
                    "LD_LIBRARY_PATH": given}
                with mock.patch.dict(os.environ, environment, clear=True), \
                        mock.patch.object(sys, "path", ["", base, base]):
                    self.assertEqual(measure.library_path(), wanted)


class Main(unittest.TestCase):
    def test_help(self):
        done = subprocess.run([sys.executable, "-B", HERE / "run", "--help"],
                              capture_output=True, text=True)
        self.assertEqual(done.returncode, 0)
        self.assertIn("benchmarks/gpu/run FOLDER", done.stdout)

    def test_other_programs(self):
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run(
                [sys.executable, "-B", HERE / "run", Path(folder) / "new",
                 "--programs", "lu"], capture_output=True, text=True)
            self.assertEqual((done.returncode, done.stderr),
                             (2, "floors.py does not know lu\n"))
            self.assertFalse((Path(folder) / "new").exists())


if __name__ == "__main__":
    unittest.main()
