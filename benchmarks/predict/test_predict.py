"""Tests of predict.py and model.py on fixed counts."""

import contextlib
import io
import math
import sys
import tempfile
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "polybench"), str(HERE.parent / "static")]
import model
import predict

COUNTS = ("seed 1\ncounts lu_10_0 launches=10 blocks=660 threads=256 shared=0 "
          "operations=5e9 flops=2e9 flops_double=0 steps=3 alone=0 bytes=4e6\n")
NOTHING = dict.fromkeys(model.COUNTS + model.ACCESSES, 0.0)


def row(program="gemm", size="LARGE", kernel="k", **known):
    usual = {"launches": 1, "blocks": 132, "threads": 256}
    return predict.Row(program, size, kernel, **{**NOTHING, **usual, **known})


class Model(unittest.TestCase):
    def setUp(self):
        self.machine = model.read_machine("sm_90")

    def test_machine(self):
        self.assertEqual((self.machine.name, self.machine.multiprocessors,
                          self.machine.l2), ("sm_90", 132, 51200))

    def test_launching_and_computing(self):
        cost = model.cost(row(launches=1000, flops=63.6e9), self.machine)
        self.assertAlmostEqual(cost.launching, 3.3)
        self.assertAlmostEqual(cost.computing, 1)
        cost = model.cost(row(flops_double=32.5e9), self.machine)
        self.assertAlmostEqual(cost.computing, 1)

    def test_integers(self):
        lanes = 132 * 128 * 1980e3
        cost = model.cost(row(operations=2 * lanes), self.machine)
        self.assertAlmostEqual(cost.computing, 2)

    def test_moving(self):
        sectors = {"global_load_sectors": 5.5e9 / 32, "launches": 100}
        small = model.cost(row(bytes=1e6, **sectors), self.machine)
        self.assertAlmostEqual(small.moving, 1)
        large = model.cost(row(bytes=84e6, **sectors), self.machine)
        self.assertAlmostEqual(large.moving, 5.5 / 4.2)
        again = model.cost(row(bytes=5.5e6, **sectors), self.machine, True)
        self.assertAlmostEqual(again.moving, 0.1)
        once = model.cost(row(bytes=84e6, global_store_sectors=1e6),
                          self.machine)
        self.assertAlmostEqual(once.moving, 32e6 / 4.2e9)

    def test_rounds(self):
        shared = self.machine.shared
        for blocks, more, wanted in ((132, {}, 1), (8 * 132, {}, 1),
                                     (8 * 132 + 1, {}, 2),
                                     (264, {"shared": shared}, 2)):
            self.assertEqual(model.rounds(row(blocks=blocks, **more),
                                          self.machine), wanted)

    def test_waiting(self):
        cost = model.cost(row(barriers=132 * 1000), self.machine)
        self.assertAlmostEqual(cost.waiting, 0.04)
        cost = model.cost(row(shared_loads=132 * 256 * 1000), self.machine)
        self.assertAlmostEqual(cost.waiting, 0.021)

    def test_chain(self):
        self.assertEqual(model.chained(row(steps=10)), 0)
        self.assertAlmostEqual(
            model.chained(row(blocks=1, steps=1000, alone=2e5)), 1.7)


class Counts(unittest.TestCase):
    def test_line(self):
        counts = predict.read_counts(COUNTS)["lu_10_0"]
        self.assertEqual(tuple(counts), model.COUNTS)
        self.assertEqual(counts["operations"], 5e9)

    def test_grow_with_operations(self):
        sample = predict.read_counts(COUNTS)
        more = {"lu_10_0": {**sample["lu_10_0"], "operations": 1e10}}
        seen = {"lu_10_0": dict.fromkeys(model.ACCESSES, 7)}
        found, = predict.rows_of("lu", sample, seen, {"LARGE": more})
        self.assertEqual((found.program, found.size, found.barriers),
                         ("lu", "LARGE", 14))
        with self.assertRaisesRegex(predict.Failure, "lu_10_0 does not run at"):
            list(predict.rows_of("lu", sample, {}, {"LARGE": more}))

    def test_kept(self):
        rows = [row(flops=1.25), row("lu", "EXTRALARGE", bytes=3.0)]
        file = io.StringIO()
        predict.write_rows(file, rows)
        self.assertEqual(predict.read_rows(io.StringIO(file.getvalue())), rows)
        with self.assertRaises(predict.Failure):
            predict.read_rows(io.StringIO("a,b\n"))


class Tables(unittest.TestCase):
    ROWS = [row(flops=63.6e9),
            row(size="EXTRALARGE", global_load_sectors=5.5e10 / 32),
            row("jacobi-1d", launches=1000), row("jacobi-1d", "EXTRALARGE"),
            row("transpose", bytes=1), row("transpose", "EXTRALARGE")]
    MEASURED = {("gemm", "LARGE"): 4.0132, ("gemm", "EXTRALARGE"): 5.00165,
                ("jacobi-1d", "LARGE"): 3.3,
                ("jacobi-1d", "EXTRALARGE"): 0.0066}
    TABLE = """\
| program | launches | most | predicted | least | PPCG | x | launches | most | \
predicted | least | PPCG | x |
| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | \
---: | ---: |
| gemm | 1 | computing | 1 | 1 | 4.01 | 4.00 | 1 | moving | 10 | 0.0033 | 5 | \
0.50 |
| jacobi-1d | 1000 | launches | 3.3 | 3.3 | 3.3 | 1.00 | 1 | launches | 0.0033 \
| 0.0033 | 0.0066 | 2.00 |
| transpose | 1 | launches | 0.0033 | 0.0033 | - | - | 1 | launches | 0.0033 | \
0.0033 | - | - |

LARGE: geometric mean 2.00 of 2 programs; slower than PPCG: none
LARGE, least: geometric mean 2.00; slower than PPCG: none

EXTRALARGE: geometric mean 1.00 of 2 programs; slower than PPCG: gemm
EXTRALARGE, least: geometric mean 55.06; slower than PPCG: none"""

    def test_table(self):
        machine = model.read_machine("sm_90")
        self.assertEqual(predict.report(self.ROWS, self.MEASURED, machine,
                                        False), self.TABLE)

    def test_kernels(self):
        machine = model.read_machine("sm_90")
        table = list(predict.kernel_table(self.ROWS[:1], machine))
        self.assertEqual(table[1], ["gemm", "LARGE", "k", "1", "0.0033", "1",
                                    "0", "0"])

    def test_command(self):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "rows"
            with file.open("w") as out:
                predict.write_rows(out, self.ROWS)
            with contextlib.redirect_stdout(io.StringIO()) as said:
                self.assertEqual(predict.main(["--read", str(file)]), 0)
        self.assertIn("| gemm | 1 | computing | 1 | 1 | 0.335 |",
                      said.getvalue())

    def test_measured(self):
        measured = predict.read_measured()
        self.assertEqual(len(measured), 60)
        self.assertEqual(measured["heat-3d", "EXTRALARGE"], 329)
        self.assertTrue(all(ms > 0 and math.isfinite(ms)
                            for ms in measured.values()))


if __name__ == "__main__":
    unittest.main()
