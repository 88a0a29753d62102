"""Tests of shapes.py: sources, sizes, and launches at the papers' sizes."""

import sys
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "polybench"))
import shapes


class Shapes(unittest.TestCase):
    def test_sources(self):
        used = {(HERE / f"{program.source}.c").resolve()
                for program in shapes.PROGRAMS.values()}
        self.assertLessEqual(set(HERE.glob("*.c")), used)
        for source in used:
            self.assertTrue(source.exists(), source)

    def test_sizes(self):
        for name, program in shapes.PROGRAMS.items():
            self.assertEqual(tuple(program.sizes), shapes.SIZES, name)
            for values in program.sizes.values():
                self.assertEqual(len(values), len(program.parameters), name)

    def test_launches_of_the_papers(self):
        launches = {"jacobi-1d": 4096, "jacobi-2d": 250, "jacobi-3d-7": 512,
                    "fdtd-2d": 250, "sor-1d": 3072, "sor-2d": 366,
                    "box3d4r": 200, "j2d5pt": 26}
        for name, number in launches.items():
            self.assertEqual(shapes.SUITE.expectations.launches(
                name, "c99", "PAPER"), number, name)

    def test_shapes_of_both_papers(self):
        self.assertEqual(len(shapes.DI_AND_XUE), 8)
        self.assertEqual(len(shapes.AN5D), 21)
        self.assertEqual(len(shapes.PROGRAMS), 29)


if __name__ == "__main__":
    unittest.main()
