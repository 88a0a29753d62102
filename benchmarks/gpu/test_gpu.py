"""Tests of floors.py on planted lines, and of measure.py against fakes of the
driver and of cuBLAS; no GPU is needed, and none is used."""

import itertools
import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
BESIDE = [ROOT / "benchmarks" / name for name in ("polybench", "startup")]
sys.path[:0] = map(str, BESIDE)

import floors
from programs import PROGRAMS as SUITE
from test_peak import CLANG, compile_fakes


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
          ("fdtd-2d", ["e-sweep", "hz-sweep"], 0.85),
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
            count("fdtd-2d", "e-sweep", sizes),
            moved(box(range(n), range(1, m)),
                  [("ex", 0, 0), ("hz", 0, 0), ("hz", 0, -1)], ["ex"])
            + moved(box(range(1, n), range(m)),
                    [("ey", 0, 0), ("hz", 0, 0), ("hz", -1, 0)], ["ey"])
            - n * m)  # both read hz, all of it
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

    # What a program says and writes, with launches of so many microseconds.
    PROGRAM = """
echo "bench: seconds=1 first=1 repetitions=2 checksum=$SUM sum=0 nonfinite=0" >&2
case "$POLYGPU_PROFILE" in *.json)
  events='{"cat": "run"}'
  for dur in $MICROS; do
    events=$events', {"cat": "kernel", "name": "gesummv_10_0", "dur": '$dur'}'
  done
  echo '{"otherData": {"events_not_kept": "'$LOST'"},' \
    '"traceEvents": ['$events']}' > "$POLYGPU_PROFILE"
esac
"""

    def plant(self, **settings):
        """gesummv in float, as scripts that write a profile."""
        values = {"SUM": "c0", "MICROS": "5000 5000", "LOST": "0",
                  "MORE": ":", **settings}
        text = "#!/bin/sh\n" + "".join(
            f"{key}='{value}'\n" for key, value in values.items()
            if key != "MORE") + values["MORE"] + "\n" + self.PROGRAM
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
             f"{[str(HERE), *map(str, BESIDE)]!r}; "
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
        self.assertIn("not measured", self.failing(MICROS=""))

    def test_launches(self):
        self.assertIn("3 launches in 2 repetitions",
                      self.failing(MICROS="1 2 3"))

    def test_launches_that_are_not_kept(self):
        self.assertIn("does not have all launches", self.failing(LOST="4"))

    def test_no_profile(self):
        self.assertIn("no profile was written",
                      self.failing(MORE="POLYGPU_PROFILE="))

    def test_median(self):
        """Of a process whose first launch is slow, not its mean."""
        self.plant(MICROS="9000 1000 2000")
        raw = self.folder / "raw"
        code, text = self.measure("--part", "vectors", "--check", "--size",
                                  "MINI", "--repeat", "3", "--output",
                                  str(raw))
        self.assertEqual(code, 0, text)
        self.assertIn("| gesummv | float | 30 | two-row-wise | 2.0000 |", text)
        self.assertIn(" launches=3 ms=12.000000 median_ms=2.000000 "
                      "best_ms=1.000000\n", raw.read_text())

    def ways(self, *arguments, sizes="MINI"):
        """(exit status, text, ways of the runs in their order)."""
        raw = self.folder / f"raw-{'-'.join(arguments)}"
        code, text = self.measure("--part", "vectors", "--check", "--size",
                                  sizes, "--repeat", "2", "--output",
                                  str(raw), *arguments)
        return code, text, [floors.fields(line)[1]["promotion"] for line in
                            raw.read_text().splitlines()
                            if line.startswith("run ")], str(raw)

    def test_one_way(self):
        self.plant()
        code, text, ways, on = self.ways("--ways", "on")
        self.assertEqual((code, ways), (0, ["on"]), text)
        self.assertRegex(text, r"two-row-wise \| 5.0000 .* \| - \| - \| ok \|")
        code, text, ways, off = self.ways("--ways", "off")
        self.assertEqual((code, ways), (0, ["off"]), text)
        self.assertRegex(text, r"two-row-wise \| - .* \| 5.0000 \| - \| - \|")
        code, text = self.measure("--from", f"{on},{off}", "--check")
        self.assertRegex(text, r"two-row-wise \| 5.0000 .* 5.0000 \| 1.00 \| ok")

    def test_rounds(self):
        self.plant()
        self.assertEqual(self.ways()[2], ["on", "off"])
        self.assertEqual(self.ways("--rounds", "2")[2],
                         ["on", "off", "on", "off"])

    def test_program_fails(self):
        self.assertIn("exit status 3", self.failing(MORE="exit 3"))

    def test_mandatory_device(self):
        self.plant(MORE='test "$POLYGPU $POLYGPU_DEVICE" = "mandatory cuda" '
                   '-o -z "$POLYGPU_PROFILE" || exit 4')
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


    def test_startup(self):
        """Lines of startup.py make a table; without its programs it fails."""
        raw = self.folder / "startup-lines"
        raw.write_text(
            "startup nest=vector code=ptx-compiled processes=7 open_ms=101.5 "
            "load_ms=20.25 first_ms=0.5 later_ms=0.125 process_ms=130 "
            "original_ms=4\n")
        code, text = self.measure("--from", str(raw), "--check")
        self.assertEqual(code, 0, text)
        self.assertIn("| vector | ptx, compiled | 101.50 | 20.25 | 0.50 | "
                      "0.12 | 130.00 | 4.00 |", text)
        self.plant()
        code, text = self.measure("--part", "startup", "--check")
        self.assertEqual(code, 1, text)
        self.assertIn("startup: [Errno 2]", text)


class Order(unittest.TestCase):
    def test_what_has_a_floor_comes_first(self):
        import measure

        options = measure.parse_arguments(["--part", "gemm,vectors"])
        built = {(program, "float", "c99") for program in ("gemm", "mvt")}
        self.assertEqual(
            [(case.program, case.size[0]) for _, case in
             measure.order(options, built)],
            [("gemm", 2000), ("gemm", 4000), ("gemm", 8192), ("gemm", 1999),
             ("gemm", 4097), ("mvt", 4000), ("mvt", 8000), ("mvt", 16000),
             ("gemm", 1000), ("gemm", 2000), ("mvt", 2000)])

    def test_repetitions(self):
        """At least three launches, and not many more than fill the host's
        time."""
        for part, case, wanted in (
                ("gemm", ("gemm", square(8192)), 3),
                ("gemm", ("gemm", (1000, 1100, 1200)), 13),
                ("vectors", ("gesummv", (30,)), 30),
                ("stencils", ("jacobi-2d", (20, 8192)), 1),
                ("stencils", ("transpose", (8192, 8192)), 3)):
            self.assertEqual(floors.repetitions(part, *case), wanted)


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
