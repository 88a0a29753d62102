"""Tests of the checks, of how the lines of the runtime are read, and of the
tables; test_ptx.py has those of what is below."""

import contextlib
import io
import tempfile
import unittest
from collections import Counter
from pathlib import Path
from unittest import mock

import figures  # first: it makes the modules of polybench known
import accesses
import bounds
import checks
import driver
import ptx
import ptxas
import test_ptx
from programs import PROGRAMS
from run import Failure

ACCESSES = """\
bench: seconds=0.1
polygpu: kernel k_1_0 device=emulated launches=2 grid=1,1,1 block=256,1,1
polygpu: accesses k_1_0 global_loads=100 global_load_bytes=400 \
global_load_sectors=25 global_stores=20 global_store_bytes=80 \
global_store_sectors=20 shared_loads=50 shared_load_bytes=200 \
shared_stores=10 shared_store_bytes=40 conflicts=5 barriers=3
polygpu: accesses k_1_1 global_loads=10 global_load_bytes=40 \
global_load_sectors=10 global_stores=0 global_store_bytes=0 \
global_store_sectors=0 shared_loads=0 shared_load_bytes=0 shared_stores=0 \
shared_store_bytes=0 conflicts=0 barriers=0
"""


GOOD = ptx.Figures("$L1", 2, 64, Counter({16: 4}), Counter(), 0, 0, 0, 0, 0, 0,
                   0)
RESOURCES = ptxas.Resources(128, 0, 0, 0, 8192)


# The strip of a product of a matrix and a vector.
SWEEP = ptx.Figures("$L2", 3, 16, Counter({16: 8}), Counter(), 0, 0, 0, 0, 0, 1,
                    2)


def kernel(part=GOOD, resources=RESOURCES, name="k_1_0"):
    return figures.Row(name, 256, resources, part, 0)


class StaticChecks(unittest.TestCase):
    def violated(self, *rows, program="gemm", element="float"):
        return [f"{check.subject}: {check.sentence}" for check in
                checks.check_static(program, element, rows)
                if check.held is False]

    def product(self, **changes):
        (found,) = self.violated(kernel(GOOD._replace(**changes)))
        return found

    def test_good(self):
        self.assertEqual(self.violated(kernel()), [])
        self.assertEqual(checks.report(checks.check_static(
            "gemm", "float", [kernel()])),
            (["8 checks: 8 hold, 0 violated, 0 unsupported"], 0))
        self.assertEqual(checks.report(checks.check_static(
            "mvt", "double", [kernel(SWEEP)] * 2)),
            (["10 checks: 10 hold, 0 violated, 0 unsupported"], 0))

    def test_resources(self):
        for changes, sentence in (
                ({"spill_stores": 8}, "8 bytes of spill stores and 0 of spill "
                 "loads, not 0"),
                ({"spill_loads": 4}, "0 bytes of spill stores and 4 of spill "
                 "loads, not 0"),
                ({"local": 24}, "24 bytes of local memory, not 0")):
            row = kernel(resources=RESOURCES._replace(**changes))
            for program, element in ("gemm", "double"), ("trmm", "float"):
                self.assertEqual(
                    self.violated(row, program=program, element=element),
                    [f"{program} {element} k_1_0: {sentence}"])

    def test_few_fma(self):
        self.assertEqual(self.product(fma=63),
                         "gemm float k_1_0: 15.8 fma for each load from shared "
                         "memory in $L1, not 16 or more")

    def test_narrow_loads(self):
        self.assertIn("1 loads of another width than 16 bytes",
                      self.product(shared=Counter({16: 3, 8: 1})))

    def test_no_shared_memory(self):
        self.assertIn("no load from shared memory",
                      self.product(shared=Counter()))

    def test_guards(self):
        for name, words in (("branches", "1 conditional branches, 0 pred"),
                            ("predicated", "1 predicated instructions")):
            self.assertIn(words, self.product(**{name: 1}))
        self.assertIn("5 setp and selp", self.product(selects=5))
        self.assertEqual(self.violated(kernel(GOOD._replace(selects=4))), [])

    def test_multiplications(self):
        self.assertIn("2 64-bit multiplications in $L1, not 0",
                      self.product(multiplies=2))

    def test_only_products_in_float(self):
        bad = kernel(GOOD._replace(multiplies=2))
        self.assertEqual(self.violated(bad, element="double"), [])
        self.assertEqual(self.violated(bad, program="trmm"), [])

    def test_blocks_of_products(self):
        """Two with 128 registers, one with 129."""
        more = kernel(resources=RESOURCES._replace(registers=129))
        for program in "gemm", "syrk", "doitgen":
            self.assertEqual(self.violated(kernel(), program=program), [])
            self.assertEqual(self.violated(more, program=program),
                             [f"{program} float k_1_0: 12.5 percent of a "
                              "multiprocessor's warps are there at a time, not "
                              "25 or more"])
        self.assertEqual(self.violated(more, element="double"), [])
        # Three of 128 threads do for syr2k, and only there.
        narrow = kernel(resources=RESOURCES._replace(registers=168))
        narrow = narrow._replace(threads=128)
        self.assertEqual(self.violated(narrow, program="syr2k"), [])
        self.assertIn("18.8 percent", self.violated(narrow)[0])
        self.assertIn("12.5 percent", self.violated(more, program="syr2k")[0])
        given = kernel()._replace(given=120 << 10)
        self.assertIn("12.5 percent", self.violated(given)[0])

    def sweep(self, *rows):
        for element in bounds.TYPES:
            found = self.violated(*rows, program="gesummv", element=element)
        return found

    def test_copies_of_sweeps(self):
        self.assertEqual(self.sweep(kernel(SWEEP)), [])
        self.assertEqual(
            self.sweep(kernel(SWEEP._replace(async_=0))),
            ["gesummv double k_1_0: 0 cp.async for $L2, not 1 or more"])
        self.assertEqual(
            self.sweep(kernel(SWEEP._replace(loads=Counter({16: 2})))),
            ["gesummv double k_1_0: 2 loads from global memory into registers "
             "for $L2, not 0"])

    def test_blocks_of_sweeps(self):
        for row in (kernel(SWEEP, RESOURCES._replace(registers=129)),
                    kernel(SWEEP)._replace(given=112 << 10)):
            (found,) = self.sweep(row)
            self.assertIn("12.5 percent of", found)
        self.assertEqual(self.sweep(kernel(SWEEP)._replace(given=64 << 10)), [])

    def test_kernels_of_sweeps(self):
        """What reads the matrix from global memory is none of them."""
        other = kernel(SWEEP._replace(shared=Counter(), fma=192, async_=0),
                       name="k_1_1")
        self.assertEqual(self.sweep(kernel(SWEEP), other), [])
        self.assertEqual(self.sweep(other),
                         ["gesummv double: 0 kernels with an fma and loads from "
                          "shared memory, not 1"])

    def test_main_kernels(self):
        other = kernel(GOOD._replace(fma=1, multiplies=2), name="k_1_1")
        self.assertEqual(self.violated(kernel(), other), [])
        self.assertEqual(len(self.violated(kernel(), other, program="2mm")), 2)
        self.assertEqual(self.violated(kernel(), program="2mm"),
                         ["2mm float: 1 kernels with an fma, not 2"])

    def test_no_kernels(self):
        self.assertEqual(self.violated(program="mvt"),
                         ["mvt float: no kernels"])

    def test_without_ptxas(self):
        lines, status = checks.report(checks.check_static(
            "gesummv", "float", [kernel(SWEEP, None)]))
        self.assertEqual(lines, [
            "unsupported: gesummv float k_1_0: spills and local memory need "
            "ptxas",
            "unsupported: gesummv float k_1_0: the occupancy is not known",
            "4 checks: 2 hold, 0 violated, 2 unsupported"])
        self.assertEqual(status, 0)

    def test_unknown_shared_memory(self):
        (check,) = checks.sharing(0.25)("k", kernel()._replace(given=None))
        self.assertIsNone(check.held)

    def test_program_that_does_not_compile(self):
        good = figures.Result("mvt", "float", [], None)
        bad = figures.Result("gemm", "float", [], "exit status 1")
        lines, status = checks.report(checks.of_results(
            [bad, good], lambda result: [checks.Check(result.program, "", True)]))
        self.assertEqual(lines[0], "VIOLATED: gemm float: exit status 1")
        self.assertEqual((len(lines), status), (2, 1))


class AccessChecks(unittest.TestCase):
    def violated(self, program, elements=0, size=4, **changes):
        counts = Counter({"global_loads": elements, "barriers": 1,
                          "global_load_bytes": size * elements,
                          "global_load_sectors": size * elements // 32,
                          "global_store_bytes": 3200,
                          "global_store_sectors": 100})
        counts.update(changes)
        return [check.sentence for check in checks.check_accesses(
            program, "float", size, 1000000, {"k_1_0": counts})
            if check.held is False]

    def test_read(self):
        kernels = accesses.read(ACCESSES + ACCESSES)
        self.assertEqual(set(kernels), {"k_1_0", "k_1_1"})
        self.assertEqual(kernels["k_1_0"]["global_loads"], 200)
        self.assertEqual(kernels["k_1_0"]["conflicts"], 10)
        self.assertEqual(accesses.read("polygpu: kernel k_1_0 x=1\n"), {})

    def test_loads(self):
        for program, good, bad in (("gemm", 80000, 80008),
                                   ("jacobi-2d", 1300000, 1300008),
                                   ("heat-3d", 7000000, 7000008),
                                   ("fdtd-2d", 2500000, 2500008),
                                   ("mvt", 1300000, 1300008)):
            for size in 4, 8:
                self.assertEqual(self.violated(program, good, size), [])
                (sentence,) = self.violated(program, bad, size)
                self.assertIn("elements loaded from global memory", sentence)

    def test_efficiency(self):
        self.assertEqual(self.violated("transpose", 1000000), [])
        self.assertEqual(
            self.violated("transpose", 1000000, global_load_sectors=875000),
            ["global loads use 0.12 of their sectors, not 0.9 or more"])
        self.assertEqual(
            self.violated("transpose", 1000000, global_store_sectors=100),
            ["global stores use 0.50 of their sectors, not 0.9 or more"])
        self.assertEqual(
            self.violated("atax", 1000000, global_load_sectors=62500),
            ["global loads use 0.67 of their sectors, not 0.8 or more"])
        self.assertEqual(
            self.violated("jacobi-2d", 1000000, global_load_sectors=875000), [])

    def test_small_share(self):
        """A kernel that moves next to nothing may do it badly."""
        kernels = {"k_1_0": Counter(global_load_bytes=320000,
                                    global_load_sectors=10000),
                   "k_1_1": Counter(global_load_bytes=4000,
                                    global_load_sectors=1000)}
        found = list(checks.check_accesses("atax", "float", 4, 1000000,
                                           kernels))
        self.assertEqual([check.held for check in found], [True, True])

    def test_incomplete(self):
        (check,) = checks.check_accesses("atax", "float", 4, 1, accesses.read(
            ACCESSES.replace("barriers=3", "barriers=3 incomplete=1")))
        self.assertIsNone(check.held)

    def test_nothing_ran(self):
        (check,) = checks.check_accesses("atax", "float", 4, 1, {})
        self.assertIs(check.held, False)
        (check,) = accesses.check(
            [accesses.Result("atax", "float", 1, {}, "no lines")])
        self.assertEqual(check.sentence, "no lines")
        self.assertIs(check.held, False)

    def test_rows(self):
        result = accesses.Result("mvt", "float", 200, accesses.read(ACCESSES),
                                 None)
        self.assertEqual(list(accesses.rows([result])), [
            ["mvt", "float", "k_1_0", "element", "0.500", "0.500", "2.000",
             "0.50", "0.12", "0.250", "0.100", "3"],
            ["mvt", "float", "k_1_1", "element", "0.050", "0.050", "0.200",
             "0.12", "-", "0.000", "-", "0"],
            ["mvt", "float", "total", "element", "0.550", "0.550", "2.200",
             "0.39", "0.12", "0.250", "0.100", "3"]])


class Bounds(unittest.TestCase):
    def test_sizes(self):
        for name, entry in bounds.ACCESSES.items():
            parameters = PROGRAMS[name].parameters
            self.assertEqual(len(entry.sizes), len(parameters), name)
            self.assertGreater(bounds.work(name, parameters), 10000, name)
        self.assertLessEqual({*bounds.PRODUCTS, *bounds.SWEEPS},
                             set(bounds.PROGRAMS))
        self.assertLessEqual(set(bounds.SHARING), set(bounds.PRODUCTS))

    def test_work(self):
        self.assertEqual(bounds.work("gemm", ("NI", "NJ", "NK")),
                         260 * 264 * 200)
        self.assertEqual(bounds.work("jacobi-2d", ("TSTEPS", "N")),
                         4 * 248 * 248)


class Table(unittest.TestCase):
    def test_cells(self):
        cells = dict(zip(figures.COLUMNS,
                         figures.cells("gemm", "float", kernel())))
        self.assertEqual(cells["occ."], "25")
        self.assertEqual(cells["shared loads"], "4x16")
        self.assertEqual(cells["fma/load"], "16.0")
        self.assertEqual(cells["guards"], "0+0+0")
        self.assertEqual(cells["loop"], "1")

    def test_unknown(self):
        row = kernel(resources=None)._replace(threads=None)
        cells = dict(zip(figures.COLUMNS, figures.cells("gemm", "float", row)))
        for column in "threads", "regs", "spills", "local", "shared", "occ.":
            self.assertEqual(cells[column], "-")

    def test_dynamic_shared(self):
        for given, texts in ((None, ("8192+?", "-")),
                             (65536, ("73728", "25")),
                             (131072, ("139264", "12"))):
            row = kernel()._replace(given=given)
            cells = dict(zip(figures.COLUMNS,
                             figures.cells("gemm", "float", row)))
            self.assertEqual((cells["shared"], cells["occ."]), texts)

    def test_table(self):
        rows = [["gemm", "10"], ["2mm", "5"]]
        self.assertEqual(figures.table(("program", "fma"), rows),
                         "program  fma\ngemm      10\n2mm        5")
        self.assertEqual(figures.table(("program", "fma"), rows, True),
                         "| program | fma |\n| --- | ---: |\n| gemm | 10 |\n"
                         "| 2mm | 5 |")

    def test_mapping(self):
        self.assertEqual(figures.read_mapping(
            "scop f line 3: 2 kernels\nkernel 0: f_3_0 line 5\n"
            "  parallel 1, grid at most 32768 x 1 x 1, block 32 x 4 x 2\n"
            "  schedule:\nkernel 1: f_3_1 line 7\n"
            "  parallel 1, grid at most 32768 x 1 x 1, block 256 x 1 x 1\n"),
            {"f_3_0": 256, "f_3_1": 256})

    def test_plugin(self):
        with tempfile.TemporaryDirectory() as folder:
            cfg = Path(folder) / "polygpu.cfg"
            with self.assertRaisesRegex(Failure, "cannot read"):
                driver.plugin_path(cfg)
            cfg.write_text("# x\n-fpass-plugin=<CFGDIR>/lib/PolyGPU.so\n")
            self.assertEqual(driver.plugin_path(cfg),
                             f"{Path(folder).resolve()}/lib/PolyGPU.so")

    def test_options(self):
        options = figures.parse_arguments(
            ["--programs", "mvt,gemm", "--types", "float", "--sizes", "{ }",
             "--opt=-gpu-fusion=min"])
        self.assertEqual(options.plugin_options,
                         ["-gpu-fusion=min", "-gpu-sizes={ }"])
        self.assertEqual([case[:3] for case in figures.cases(options)],
                         [("mvt", "float", "c99"), ("gemm", "float", "c99")])
        self.assertIn("-gpu-arch=sm_90", accesses.compile_flags(options))
        with contextlib.redirect_stderr(io.StringIO()):
            with self.assertRaises(SystemExit):
                figures.parse_arguments(["--programs", "lu"])


class Report(unittest.TestCase):
    """The tool from the PTX on, with a compiler that is played."""

    def main(self, text, *arguments, ptxas_path=None, assembled=()):
        output = io.StringIO()
        with mock.patch("figures.compile_ptx",
                        return_value=(text, {"straight_2_1": 64})), \
                mock.patch("figures.assemble",
                           return_value=dict.fromkeys(assembled, RESOURCES)), \
                mock.patch("ptxas.find", return_value=ptxas_path), \
                contextlib.redirect_stdout(output):
            status = figures.main(["--programs", "gemm", "--types", "float",
                                   *arguments])
        return status, output.getvalue()

    def test_check(self):
        status, text = self.main(test_ptx.TILED, "--check")
        self.assertEqual(status, 1)
        self.assertIn("VIOLATED: gemm float product_1_0: 1.3 fma for each",
                      text)
        self.assertIn("unsupported: gemm float product_1_0: spills", text)
        self.assertIn("no ptxas:", text)

    def test_without_check(self):
        status, text = self.main(test_ptx.GUARDED, ptxas_path="ptxas",
                                 assembled=["guarded_2_0", "straight_2_1"])
        self.assertEqual(status, 0)
        self.assertIn("straight_2_1       64   128 ", text)
        self.assertNotIn("no ptxas", text)

    def test_comments(self):
        """ptxas is run as they say, and what the launch gives is added."""
        text = ("// ptxas --register-usage-level 10\n// guarded_2_0: 65536 bytes "
                "of shared memory, given at the launch\n" + test_ptx.GUARDED)
        report = test_ptx.PTXAS.replace("one_1_0", "guarded_2_0")
        report = report.replace("two_1_1", "straight_2_1")
        output = io.StringIO()
        with mock.patch("figures.compile_ptx", return_value=(text, {})), \
                mock.patch("figures.call", return_value=report) as call, \
                mock.patch("ptxas.find", return_value="/bin/ptxas"), \
                contextlib.redirect_stdout(output):
            figures.main(["--programs", "gemm", "--types", "float"])
        (arguments,) = call.call_args.args
        self.assertEqual(arguments[:4], ["/bin/ptxas", "-arch=sm_90",
                                         "--register-usage-level", "10"])
        self.assertRegex(output.getvalue(),
                         r"guarded_2_0 +256 +56 +16/12 +24 +73728 +38 ")

    def test_memory_without_comment(self):
        _, text = self.main(test_ptx.GUARDED, ptxas_path="ptxas",
                            assembled=["guarded_2_0", "straight_2_1"])
        self.assertRegex(text, r"guarded_2_0 .* 8192\+\? +- ")
        self.assertRegex(text, r"straight_2_1 .* 8192 +25 ")

    def test_ptxas_leaves_one_out(self):
        status, text = self.main(test_ptx.GUARDED, "--check",
                                 ptxas_path="ptxas", assembled=["guarded_2_0"])
        self.assertEqual(status, 1)
        self.assertIn("ptxas says nothing about straight_2_1", text)

    def test_broken(self):
        status, text = self.main(test_ptx.TILED[:-10], "--check")
        self.assertEqual(status, 1)
        self.assertIn("VIOLATED: gemm float: no '}' at the end", text)


if __name__ == "__main__":
    unittest.main()
