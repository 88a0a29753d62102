"""Tests of driver.py and programs.py: what is read from compiler and program,
and what the table makes of it."""

import contextlib
import io
import struct
import tempfile
import unittest
from pathlib import Path
from types import SimpleNamespace

import counts
import driver
from kernels import EXPECTED, KERNELS
from programs import PROGRAMS, SIZES
from run import Failure

REMARKS = """\
lu.c:10:5: remark: loops offloaded as 3 kernels: lu_10_0 (1 parallel \
dimension, block 256x1x1); lu_10_1 (2 parallel dimensions, block 32x8x1); \
lu_10_2 (one thread) [-Rpass=gpu-polyhedral]
   10 |     for (I i = 0; i < n; i++) {
      |     ^
some/path/lu.c:30:5: remark: loop not offloaded: a subscript of 'A' in line 18 \
is no affine function; use sums [-Rpass-missed=gpu-polyhedral]
lu.c:40:5: remark: loops offloaded as 1 kernel: lu_40_0 (2 parallel \
dimensions, block 32x8x1) [-Rpass=gpu-polyhedral]
lu.c:50:5: remark: something else [-Rpass-missed=licm]
lu.c:60:5: warning: loops offloaded as 1 kernel: x (one thread)
"""

BENCH = ("seed 1\nbench: seconds=0.250000 first=0.500000 repetitions=2 "
         "checksum=00ff sum=nan nonfinite=3\n")
SCOP = ("polygpu: scop lu lu.c:10 device={} runs=2 declined={} failed={} "
        "bytes_in=4000 bytes_out=2000 time_ms=5.000 in_ms=0.500 out_ms=0.250\n")
KERNEL = ("polygpu: kernel lu_10_0 device=emulated launches=6 grid=1,1,1 "
          "block=256,1,1 time_ms=1.500\n")
CASE = driver.Case("lu", "double", "c99", "MINI")


class Remarks(unittest.TestCase):
    def test_offloaded_and_missed(self):
        remarks = driver.read_remarks(REMARKS)
        self.assertEqual(remarks.scops, 2)
        self.assertEqual(remarks.kernels, [1, 2, 0, 2])
        self.assertEqual(remarks.missed, [
            (30, "loop not offloaded: a subscript of 'A' in line 18 is no "
                 "affine function; use sums")])

    def test_silence(self):
        self.assertEqual(driver.read_remarks("").scops, 0)


class Share(unittest.TestCase):
    def programs(self, *arguments):
        options = driver.parse_arguments(["--seed", "7", *arguments])
        return driver.chosen_programs(options)

    def test_parts_are_everything(self):
        parts = [self.programs("--share", f"{part}/3") for part in (1, 2, 3)]
        self.assertEqual([len(part) for part in parts], [11, 10, 10])
        self.assertEqual(sorted(sum(parts, [])), sorted(PROGRAMS))

    def test_other_seed(self):
        self.assertNotEqual(self.programs("--share", "1/3"),
                            self.programs("--share", "1/3", "--seed", "8"))

    def test_wrong(self):
        for text in ("0/3", "4/3", "1", "1/0", "a/b"):
            with self.subTest(text), self.assertRaises(SystemExit), \
                    contextlib.redirect_stderr(io.StringIO()) as said:
                self.programs("--share", text)
            self.assertIn(f"{text}: allowed is K/N", said.getvalue())


class Times(unittest.TestCase):
    def test_line(self):
        self.assertEqual(driver.read_times(BENCH),
                         driver.Times(0.25, 0.5, 2, "00ff", 3))

    def test_no_line(self):
        with self.assertRaisesRegex(Failure, "no line of the harness"):
            driver.read_times("seed 1\n")


class Profile(unittest.TestCase):
    def read(self, *lines):
        return driver.read_device(BENCH + "".join(lines), "emulated", 2)

    def judge(self, device):
        return driver.judge(SimpleNamespace(check=False), CASE, None, device,
                            [])

    def test_shares_of_a_repetition(self):
        device = self.read(SCOP.format("emulated", 0, 0), KERNEL, KERNEL)
        self.assertEqual(device[:5], (6, 1.5, 2.5, 2000, 1000))
        self.assertEqual(self.judge(device), "-")

    def test_original_loops(self):
        for counts, word in ((1, 0), "declined"), ((0, 1), "failed"):
            device = self.read(SCOP.format("emulated", *counts))
            self.assertEqual(self.judge(device), word)

    def test_results_differ(self):
        device = self.read(SCOP.format("emulated", 1, 0))
        options = SimpleNamespace(check=True, suite=driver.POLYBENCH)
        with tempfile.TemporaryDirectory() as folder:
            dumps = [Path(folder) / name for name in "ab"]
            for dump, bits in zip(dumps, (1, 2)):
                dump.write_bytes(struct.pack("<16sQQI", b"A", 4, 1, bits))
            self.assertEqual(driver.judge(options, CASE, None, device, dumps),
                             "DIFFERS: 1 elements differ: A[0] is 0x2, not 0x1")
            dumps[1] = dumps[0]
            self.assertEqual(driver.judge(options, CASE, None, device, dumps),
                             "declined")
            device = self.read(SCOP.format("emulated", 0, 0), KERNEL)
            self.assertEqual(
                driver.judge(options, CASE, driver.Remarks(1, [2, 2], []), device,
                             dumps),
                "KERNELS: parallel dimensions 2 2, not 1 1 2 2; 3 launches, not 4")

    def test_counts(self):
        case = driver.Case("gemm", "double", "c99", "MINI")
        most = counts.read()[counts.key(case)]
        self.assertEqual(list(counts.excess(case, most)), [])
        more = most._replace(bytes_in=most.bytes_in + 1, allocations=9)
        self.assertEqual(
            list(counts.excess(case, more)),
            [f"{more.bytes_in} bytes in, not {most.bytes_in}",
             f"9 allocations, not {most.allocations}"])
        self.assertEqual(
            list(counts.excess(case._replace(size="SMALL"), more)), [])
        self.assertEqual(
            list(counts.excess(case._replace(program="new"), more)),
            ["counts.csv has no line for it"])

    def test_counts_are_judged(self):
        case = driver.Case("gemm", "double", "c99", "MINI")
        kernel = KERNEL.replace("launches=6", "launches=2")
        scop = SCOP.replace("bytes_in=4000", "bytes_in=400000")
        device = self.read(scop.format("emulated", 0, 0), kernel,
                           "polygpu: operations open=1 alloc=3 in=3\n")
        self.assertEqual(driver.counts_of(device), (200000, 1000, 3))
        options = driver.parse_arguments(["--device", "emulated", "--check"])
        remarks = driver.Remarks(1, [2], [])
        with tempfile.TemporaryDirectory() as folder:
            dump = Path(folder) / "dump"
            dump.write_bytes(struct.pack("<16sQQI", b"A", 4, 1, 1))
            self.assertRegex(
                driver.judge(options, case, remarks, device, [dump, dump]),
                r"COUNTS: 200000 bytes in, not \d+$")
            options.write_counts = True
            self.assertEqual(
                driver.judge(options, case, remarks, device, [dump, dump]),
                "ok")

    def test_exit_status(self):
        options = driver.parse_arguments([])
        for check, status in (("ok", 0), ("-", 0), ("declined", 0),
                              ("failed", 1), ("DIFFERS", 1), ("ERROR", 1),
                              ("KERNELS", 1), ("COUNTS", 1), ("device", 1)):
            result = driver.Result(CASE, check, *[None] * 7)
            with contextlib.redirect_stdout(io.StringIO()):
                self.assertEqual(driver.report(options, [result]), status)

    def test_other_device(self):
        self.assertEqual(self.judge(self.read(SCOP.format("cuda", 0, 0))),
                         "device")

    def test_never_began(self):
        self.assertEqual(self.judge(self.read(SCOP.format("none", 1, 0))),
                         "declined")


class Expected(unittest.TestCase):
    # What the most parallel kernel of each program has at least.
    LEAST = {
        1: "atax bicg mvt gemver gesummv deriche adi jacobi-1d nussinov "
           "durbin trisolv",
        2: "gemm 2mm 3mm syrk syr2k covariance correlation transpose symm "
           "trmm jacobi-2d fdtd-2d seidel-2d floyd-warshall lu cholesky ludcmp "
           "gramschmidt",
        3: "doitgen heat-3d"}

    def test_parallelism(self):
        known = set()
        for least, names in self.LEAST.items():
            for name in names.split():
                for form in driver.FORMS:
                    kernels = KERNELS.expectation(name, form).kernels
                    self.assertGreaterEqual(max(kernels), least, name)
                known.add(name)
        self.assertEqual(known, set(driver.PROGRAMS))
        self.assertEqual(known, {name for name in EXPECTED
                                 if isinstance(name, str)})

    def test_deviations(self):
        self.assertEqual(
            list(KERNELS.deviations("heat-3d", "int", "SMALL", 1, 0, [3, 3], 1)), [])
        self.assertEqual(
            list(KERNELS.deviations("heat-3d", "size_t", "SMALL", 1, 0, [3, 3], 80)),
            [])
        self.assertEqual(
            list(KERNELS.deviations("gemm", "c99", "MINI", 2, 1, [2, 0], 2)),
            ["2 SCoPs and 1 loop nests left, not one SCoP",
             "parallel dimensions 2 0, not 2", "2 launches, not 1"])


class Table(unittest.TestCase):
    def result(self, check, **known):
        empty = driver.Result(CASE, check, *[None] * 7)
        return empty._replace(**known)

    def cells(self, result):
        return dict(zip(driver.COLUMNS, driver.row(result)))

    def test_row(self):
        profile = SCOP.format("emulated", 0, 0) + KERNEL
        cells = self.cells(self.result(
            "ok", remarks=driver.read_remarks(REMARKS), compile_gpu=1.25,
            offloaded=driver.read_times(BENCH),
            device=driver.read_device(profile, "emulated", 2)))
        wanted = {"SCoPs": "2", "left": "1", "kernels": "4",
                  "parallel": "1,2,0,2", "launches": "3", "compile": "1.25",
                  "without": "-", "sequential": "-", "total": "250.000",
                  "device": "0.750", "transfer": "0.375", "other": "1.375", "in": "2000"}
        self.assertEqual({key: cells[key] for key in wanted}, wanted)

    def test_host_and_auto(self):
        times = driver.read_times(BENCH)
        result = self.result("ok", host=driver.Host(0.2, 0.21, 0.3), auto=0.375,
                             sequential=times._replace(seconds=0.5),
                             offloaded=times)
        columns = driver.CPU_COLUMNS + driver.AUTO_COLUMNS
        self.assertEqual(driver.row(result, columns), [
            "200.0", "210.0", "1.050", "300.0", "1.500", "375.000", "1.50"])
        self.assertTrue(driver.table([result]).split("\n")[0].endswith(
            "off/cpu declined declined/cpu    auto auto/best"))
        self.assertNotIn("auto", driver.table([self.result("ok")]))

    def test_nothing_known(self):
        cells = self.cells(self.result("ERROR"))
        self.assertEqual(set(cells.values()) - set(CASE), {"ERROR", "-"})

    def test_notes(self):
        text = driver.notes([
            self.result("ok", remarks=driver.read_remarks(REMARKS)),
            self.result("DIFFERS", problem="1 elements differ")])
        self.assertIn("lu double c99: line 30: loop not offloaded", text)
        self.assertIn("lu double c99: DIFFERS: 1 elements differ", text)

    def test_amount(self):
        self.assertEqual([driver.amount(n) for n in
                          (0, 9999, 10240, 1 << 30, 1 << 40)],
                         ["0", "9999", "10K", "1024M", "1024.0G"])


class Suite(unittest.TestCase):
    def test_every_program_has_a_source(self):
        folder = Path(driver.__file__).parent
        sources = {path.stem for path in folder.glob("*.c")} - {"bench", "empty"}
        self.assertEqual(sources, set(PROGRAMS))
        self.assertEqual(len(PROGRAMS), 31)

    def test_every_size(self):
        for name, program in PROGRAMS.items():
            self.assertEqual(tuple(program.sizes), SIZES, name)
            for values in program.sizes.values():
                self.assertEqual(len(values), len(program.parameters), name)

    def test_types_that_fit(self):
        def chosen(*arguments):
            options = driver.parse_arguments(
                ["--programs", "gemm,lu,nussinov", *arguments])
            return [(case.program, case.type) for case in
                    driver.cases(options)]
        self.assertEqual(chosen(), [("gemm", "double"), ("lu", "double"),
                                    ("nussinov", "int")])
        self.assertEqual(chosen("--type", "int"),
                         [("gemm", "int"), ("nussinov", "int")])
        self.assertEqual(chosen("--type", "any", "--seed", "3"),
                         chosen("--type", "any", "--seed", "3"))
        drawn = {case for seed in range(40) for case in
                 chosen("--type", "any", "--seed", str(seed))}
        self.assertEqual(drawn, {*chosen("--type", "double,float,int")})
        self.assertEqual(len(drawn), 6)


if __name__ == "__main__":
    unittest.main()
