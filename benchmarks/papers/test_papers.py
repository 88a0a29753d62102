"""Tests of papers.py: sources, sizes, and launches."""

import sys
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "polybench"))
import papers


class Papers(unittest.TestCase):
    def test_sources(self):
        used = {(HERE / f"{program.source or name}.c").resolve()
                for name, program in papers.PROGRAMS.items()}
        self.assertLessEqual(set(HERE.glob("*.c")), used)
        for source in used:
            self.assertTrue(source.exists(), source)

    def test_sizes(self):
        for name, program in papers.PROGRAMS.items():
            self.assertEqual(tuple(program.sizes), papers.SIZES, name)
            for values in program.sizes.values():
                self.assertEqual(len(values), len(program.parameters), name)

    def test_launches(self):
        launches = {"rd": (9, 12, 20, 24), "nw": (1, 1, 1, 257),
                    "pathfinder": (2, 3, 101, 1001), "sum": (2, 3, 3, 3),
                    "bfs": tuple(range(2, 3 * n) for n in (
                        333, 3000, 1000000, 4000000))}
        for name, numbers in launches.items():
            for size, number in zip(papers.SIZES, numbers):
                self.assertEqual(papers.SUITE.expectations.launches(
                    name, "c99", size), number, (name, size))

    def test_programs_of_the_papers(self):
        self.assertEqual(len(papers.YANG), 14)  # sums and demosaic twice, FFT
        self.assertEqual(len(papers.BONES), 6)
        self.assertEqual(len(papers.POLYBENCH_3_1), 3)


if __name__ == "__main__":
    unittest.main()
