"""Tests of peak.c against fakes of the driver and of cuBLAS, and of its kernels;
no GPU is needed, and none is used."""

import itertools
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

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


if __name__ == "__main__":
    unittest.main()
