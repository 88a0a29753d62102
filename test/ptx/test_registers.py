#!/usr/bin/env python3
"""The PTX machine as a device: the registers of a block, as ptxas counts them."""

import os
import re
import subprocess
import sys
import tempfile
import unittest

from machine import ROOT, Failure, Machine
from test_machine import ELEMENTS, Case, entry

sys.path.insert(0, str(ROOT / "scripts"))
import find_cuda  # noqa: E402


def many_registers(n):
    """A kernel in which each thread needs n values at a time: all of them
    before the first product."""
    loads = "".join(f"ld.global.b32 %v{k}, [%a3+{4 * k}];\n"
                    for k in range(n))
    sums = "".join(f"xor.b32 %r5, %r5, %v{k};\n" for k in range(n))
    stores = "".join(f"mul.lo.s32 %v{k}, %v{k}, %r5;\n"
                     f"st.global.b32 [%a2+{4 * k}], %v{k};\n"
                     for k in range(n))
    return entry(f".reg .b32 %v<{n}>;\n{ELEMENTS}mov.b32 %r5, 1;\n"
                 f"{loads}{sums}{stores}")


class Registers(Case):
    """Counted by ptxas."""

    def setUp(self):
        self.ptxas = find_cuda.ptxas()
        if not self.ptxas:
            self.skipTest("unsupported: there is no ptxas")

    def fits(self, text, warps):
        """Can a block have so many warps?"""
        machine = Machine(f"ptxas={self.ptxas}")
        array = machine.array(bytes(8192))
        kernel = machine.function(machine.load(text), "k")
        try:
            machine.launch(kernel, (1,), (32 * warps,), array, array)
        except Failure as failure:
            self.assertRegex(str(failure), "^701: ")
            return False
        return True

    def counted(self, text):
        """What ptxas says of the kernel, read by another program."""
        with tempfile.NamedTemporaryFile("w", suffix=".ptx") as file:
            file.write(text)
            file.flush()
            said = subprocess.run(
                [self.ptxas, "-arch=sm_90", "-v", file.name, "-o", os.devnull],
                capture_output=True, text=True, check=True)
        return int(re.search(r"Used (\d+) registers", said.stderr)[1])

    def test_a_block_has_65536(self):
        for n in (8, 60, 90, 150):
            text = many_registers(n)
            used = self.counted(text)
            self.assertGreater(used, n)
            # in eights for each thread, and for four warps at a time
            warps = min(65536 // (-(-used // 8) * 8 * 32) // 4 * 4, 32)
            self.assertTrue(self.fits(text, warps), (used, warps))
            if warps < 32:
                self.assertFalse(self.fits(text, warps + 1), (used, warps))
            else:
                self.assertEqual(n, 8)

    def test_the_kernel_says_its_threads(self):
        """Then ptxas gives it as many as they can have."""
        text = many_registers(150).replace("\n)\n{", "\n)\n.reqntid 1024\n{")
        self.assertLessEqual(self.counted(text), 64)
        self.assertTrue(self.fits(text, 32))

    def test_without_ptxas_nothing_is_counted(self):
        machine = Machine()
        array = machine.array(bytes(8192))
        kernel = machine.function(machine.load(many_registers(150)), "k")
        machine.launch(kernel, (1,), (1024,), array, array)

    def test_what_ptxas_refuses(self):
        text = entry("mov.u32 %r5, %laneid;").replace("%laneid", "%nolane")
        with self.assertRaisesRegex(Failure, "218: .*ptxas.*error"):
            Machine(f"ptxas={self.ptxas}").load(text)
        with self.assertRaisesRegex(Failure, "218: .*not found|218: ptxas does"):
            Machine("ptxas=/none/ptxas").load(entry(""))


if __name__ == "__main__":
    unittest.main()
