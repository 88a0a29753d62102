"""Tests of run.py: it notices what it is there to notice."""

import struct
import unittest

import expected
import run

KERNEL = ("polygpu: kernel gemm_1_0 device=emulated launches={} grid=2,2,1 "
          "block=32,16,1 time_ms=0.5\n")
SCOP = ("polygpu: scop gemm gemm.c:25 device=emulated runs=1 declined={} "
        "failed={} bytes_in={} bytes_out={} time_ms=1.0\n")
WANTED = expected.Expected(1, 10, 4)


def dump(*bits, name=b"C"):
    return (struct.pack("<16sQQ", name, 4, len(bits)) +
            struct.pack(f"<{len(bits)}I", *bits))


class Compare(unittest.TestCase):
    def test_equal(self):
        run.compare(dump(1, 2), dump(1, 2))

    def test_one_bit(self):
        with self.assertRaisesRegex(run.Failure, r"C\[1\] is 0x3, not 0x2"):
            run.compare(dump(1, 2), dump(1, 3))

    def test_sign_of_zero(self):
        with self.assertRaises(run.Failure):
            run.compare(dump(0), dump(0x80000000))

    def test_any_nan_equals_any_nan(self):
        run.compare(dump(0x7FC00000), dump(0x7FFFFFFF))

    def test_infinity_is_no_nan(self):
        with self.assertRaises(run.Failure):
            run.compare(dump(0x7F800000), dump(0x7FC00000))

    def test_unwritten_element_stays(self):
        with self.assertRaises(run.Failure):
            run.compare(dump(run.POISON[4]), dump(0x7FC00000))

    def test_element_not_brought_back(self):
        with self.assertRaises(run.Failure):
            run.compare(dump(0x3F800000), dump(run.POISON[4]))

    def test_other_size(self):
        with self.assertRaises(run.Failure):
            run.compare(dump(1), dump(1, 2))


class Profile(unittest.TestCase):
    def check(self, text, wanted=WANTED, may_vanish=False):
        run.check_profile(run.read_profile(text, "emulated"), wanted, 4,
                          may_vanish)

    def test_as_expected(self):
        self.check("seed 5\n" + KERNEL.format(1) + SCOP.format(0, 0, 40, 16))

    def test_nothing_launched(self):
        for text in ("", SCOP.format(0, 0, 40, 16)):
            with self.assertRaisesRegex(run.Failure, "0 launches instead of 1"):
                self.check(text)

    def test_launched_twice(self):
        with self.assertRaisesRegex(run.Failure, "2 launches"):
            self.check(KERNEL.format(2) + SCOP.format(0, 0, 40, 16))

    def test_bytes(self):
        with self.assertRaisesRegex(run.Failure, "44 bytes in instead of 40"):
            self.check(KERNEL.format(1) + SCOP.format(0, 0, 44, 16))
        with self.assertRaisesRegex(run.Failure, "0 bytes out instead of 16"):
            self.check(KERNEL.format(1) + SCOP.format(0, 0, 40, 0))

    def test_original_loops(self):
        for declined, failed in ((1, 0), (0, 1)):
            with self.assertRaisesRegex(run.Failure, "original loops"):
                self.check(SCOP.format(declined, failed, 40, 16))

    def test_other_device(self):
        with self.assertRaisesRegex(run.Failure, "not on device"):
            self.check(KERNEL.format(1).replace("emulated", "cuda"))

    def test_empty(self):
        self.check("", expected.NOTHING)
        self.check(SCOP.format(0, 0, 0, 0), expected.NOTHING)
        with self.assertRaises(run.Failure):
            self.check(KERNEL.format(1) + SCOP.format(0, 0, 0, 0),
                       expected.NOTHING)

    def test_constant_sizes_may_leave_no_loop(self):
        self.check("", may_vanish=True)
        self.check(SCOP.format(0, 0, 40, 16), may_vanish=True)
        with self.assertRaises(run.Failure):
            self.check(SCOP.format(0, 0, 40, 16))
        with self.assertRaises(run.Failure):
            self.check(KERNEL.format(99) + SCOP.format(0, 0, 40, 16),
                       may_vanish=True)


class Formulas(unittest.TestCase):
    def test_sizes_fit(self):
        for name, program in expected.PROGRAMS.items():
            for sizes in program.sizes + program.constant_sizes:
                self.assertEqual(len(sizes), len(program.parameters), name)
                program.expect(*sizes)

    def test_wavefront_without_gaps(self):
        for steps, n in ((1, 4), (4, 29), (3, 10)):
            self.assertEqual(expected.seidel2d(steps, n).launches,
                             4 * (steps - 1) + 3 * (n - 3) + 1)


if __name__ == "__main__":
    unittest.main()
