"""Prints what the kernels of the suite look like, without a GPU.

  benchmarks/static/run
  benchmarks/static/run --check --programs gemm,syrk --types float
  benchmarks/static/run --sizes '{ kernel[i] -> tile[64,64] }' \\
      --opt=-gpu-fusion=min
  benchmarks/static/run --accesses --check
  benchmarks/static/run --growth --check

Each program is compiled to PTX for sm_90, and ptxas, with the arguments that a
comment before the module names, says what that takes; what needs ptxas is "-"
without it.  The columns: threads of a block; registers of a thread; bytes of
spill stores/loads, of local and of shared memory, with what the launch gives
("+?" where the PTX does not say how much); occupancy in percent; then of the
main loop, without loops inside of it (the one with the most fma, where a loop
around it counts as four iterations; by its label in the PTX, or "body" outside
of all loops): fma, and pairs of a multiplication and an addition that must not
fuse; loads from shared and from global memory as NxB, N loads of B bytes, and
the number of the latter that are ld.global.nc; fma for each load from shared
memory; guards as branches+predicated+selects: conditional branches beside those
that repeat the loop, other predicated instructions, and setp and selp; 64-bit
multiplications; barriers; cp.async.  Loads from global memory, barriers and
cp.async are those of the main loop or, where that is a strip without a barrier,
of the innermost loop around it with one, and of all loops inside of that.

--accesses runs the programs, compiled for sm_90 as well, on the checked emulated
device instead.  The
columns: for one point, fma or element of the whole program ("unit"), loads of
threads from global memory, elements and bytes of those; the share of their
sectors of 32 bytes that loads and stores use (above 1 where threads of a warp
load the same); for one unit, loads from shared memory, and for one of those,
bank conflicts; barriers.

--growth runs some of them there with two grids of different sizes, some in tiles
that are given, and prints the elements that kernels load from global memory for
each unit that the larger one has more.

--check compares with bounds.py, names what is violated, and exits with 1 if
anything is; a few selects are allowed.  A check without what it needs is
"unsupported".
"""

import argparse
import re
import shlex
import sys
import tempfile
from collections import namedtuple
from pathlib import Path

HERE = Path(__file__).resolve().parent
POLYBENCH = HERE.parent / "polybench"
sys.path.insert(0, str(POLYBENCH))

import accesses
import bounds
import checks
import driver
import growth
import ptx
import ptxas
from run import Failure, call

COLUMNS = ("program", "type", "kernel", "threads", "regs", "spills", "local",
           "shared", "occ.", "loop", "fma", "shared loads", "global loads",
           "nc", "fma/load", "guards", "mul64", "bar", "async")
LEFT = ("program", "type", "kernel", "unit", "loop")

Result = namedtuple("Result", "program type rows problem")


class Row(namedtuple("Row", "kernel threads resources figures given")):
    """A kernel.  threads, resources and given, the bytes of shared memory that
    the launch adds, are None where they are not known."""

    @property
    def occupancy(self):
        """As ptxas.occupancy(), None where it is not known."""
        if not self.threads or not self.resources or self.given is None:
            return None
        return ptxas.occupancy(self.threads, self.resources.registers,
                               self.resources.shared + self.given)


# ---- One program -----------------------------------------------------------


MAPPING = re.compile(r"^kernel \d+: (\S+) .*\n.*?\bblock ([\d x]+)$",
                     re.MULTILINE)


def read_mapping(text):
    """Kernel name -> threads of a block, of what print<gpu-mapping> writes."""
    return {name: ptx.product(shape.replace("x", ","))
            for name, shape in MAPPING.findall(text)}


def print_pass(options, name, code):
    return call([options.opt_program,
                 f"-load-pass-plugin={driver.plugin_path(options.cfg)}",
                 f"-passes=print<{name}>", f"-gpu-arch={ptxas.ARCH}",
                 *options.plugin_options, "-disable-output", code],
                timeout=options.timeout)


def compile_ptx(options, case, folder):
    """The PTX of a program, as clang with the plugin has it in the object file,
    and kernel name -> threads of a block."""
    code = folder / "program.ll"
    call([options.clang, f"--config={options.cfg}", *driver.FLAGS, "-Xclang",
          "-disable-llvm-passes", "-S", "-emit-llvm", f"-DT={case.type}",
          f"-DFORM={driver.FORMS[case.form]}",
          POLYBENCH / f"{case.program}.c", "-o", code],
         timeout=options.timeout)
    return (print_pass(options, "gpu-ptx", code),
            read_mapping(print_pass(options, "gpu-mapping", code)))


def assemble(options, path, arguments):
    """Kernel name -> Resources of a PTX file, empty without ptxas."""
    if not options.ptxas:
        return {}
    return ptxas.read(call([options.ptxas, f"-arch={ptxas.ARCH}", *arguments,
                            "-v", path, "-o", path.with_suffix(".cubin")],
                           timeout=options.timeout))


def module_rows(options, module, path, threads):
    """The kernels of a module; threads: kernel name -> those of a block."""
    path.write_text(module.text)
    resources = assemble(options, path, module.arguments)
    for kernel in ptx.kernels(module.text):
        if options.ptxas and kernel.name not in resources:
            raise Failure(f"ptxas says nothing about {kernel.name}")
        yield Row(kernel.name, kernel.threads or threads.get(kernel.name),
                  resources.get(kernel.name), ptx.main_loop(kernel),
                  module.given.get(kernel.name) if kernel.dynamic_shared else 0)


def run_case(options, case, folder):
    """The kernels of one program; a Failure becomes part of the result."""
    work = folder / "-".join(case[:3])
    work.mkdir(parents=True, exist_ok=True)
    rows = []
    try:
        text, threads = compile_ptx(options, case, work)
        for number, module in enumerate(ptx.modules(text)):
            rows += module_rows(options, module, work / f"kernels{number}.ptx",
                                threads)
    except (Failure, ValueError) as failure:
        return Result(case.program, case.type, rows, str(failure))
    return Result(case.program, case.type, rows, None)


# ---- Table -----------------------------------------------------------------


def widths(counts):
    """A Counter of bytes -> loads, the widest first."""
    return " ".join(f"{count}x{width}"
                    for width, count in sorted(counts.items(), reverse=True))


def resource_cells(row):
    found = row.resources
    if not found:
        return {}
    cells = {"regs": found.registers, "local": found.local,
             "spills": f"{found.spill_stores}/{found.spill_loads}",
             "shared": f"{found.shared}+?" if row.given is None
                       else found.shared + row.given}
    if row.occupancy is not None:
        cells["occ."] = f"{100 * row.occupancy:.0f}"
    return cells


def cells(program, element, row):
    """The texts of a line, "-" where nothing is known."""
    figures = row.figures
    shared = sum(figures.shared.values())
    known = {
        "program": program, "type": element, "kernel": row.kernel,
        "threads": row.threads, "loop": figures.place.lstrip("$_L"),
        "fma": figures.fma, "shared loads": widths(figures.shared) or "0",
        "global loads": widths(figures.loads) or "0", "nc": figures.read_only,
        "fma/load": f"{figures.fma / shared:.1f}" if shared else None,
        "guards": f"{figures.branches}+{figures.predicated}+{figures.selects}",
        "mul64": figures.multiplies, "bar": figures.barriers,
        "async": figures.async_, **resource_cells(row)}
    return ["-" if known.get(column) is None else str(known[column])
            for column in COLUMNS]


def table(columns, rows, markdown=False):
    rows = list(rows)
    if markdown:
        rule = ["---" if column in LEFT else "---:" for column in columns]
        return "\n".join("| " + " | ".join(row) + " |"
                         for row in [columns, rule, *rows])
    wide = [max(len(row[n]) for row in [columns, *rows])
            for n in range(len(columns))]
    return "\n".join(
        "  ".join(text.ljust(size) if column in LEFT else text.rjust(size)
                  for column, text, size in zip(columns, row, wide)).rstrip()
        for row in [columns, *rows])


# ---- Command line ----------------------------------------------------------


def parse_arguments(arguments=None):
    parser = argparse.ArgumentParser(
        prog="run", description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", metavar="A,B",
                        help=f"default: {','.join(bounds.PROGRAMS)}; "
                             f"of --growth {','.join(bounds.GROWING)}")
    parser.add_argument("--types", type=driver.words(bounds.TYPES),
                        metavar="A,B", default=bounds.TYPES,
                        help="default: float,double")
    parser.add_argument("--form", choices=driver.FORMS, default="c99",
                        help="of the arrays (default: c99)")
    parser.add_argument("--sizes", metavar="REL",
                        help="for -gpu-sizes, in place of the chosen ones")
    parser.add_argument("--opt", action="append", default=[], metavar="FLAG",
                        help="another option of the plugin, as --opt=-gpu-...;"
                             " may be repeated")
    parser.add_argument("--accesses", action="store_true",
                        help="run on the checked emulated device")
    parser.add_argument("--growth", action="store_true",
                        help="run there with two grids, for the difference")
    parser.add_argument("--check", action="store_true",
                        help="compare with bounds.py")
    parser.add_argument("--markdown", action="store_true",
                        help="print a table for the README")
    parser.add_argument("--timeout", type=float, default=300, metavar="S",
                        help="seconds for each command (default: 300)")
    parser.add_argument("--seed", type=int, default=1,
                        help="of the random inputs (default: 1)")
    parser.add_argument("--clang", default="clang-22")
    parser.add_argument("--opt-program", default="opt-22", metavar="OPT")
    parser.add_argument("--cfg", default=HERE.parents[1] / "build/polygpu.cfg",
                        help="clang configuration file of PolyGPU")
    parser.add_argument("--work", type=Path, metavar="FOLDER",
                        help="keep IR, PTX and programs here")
    options = parser.parse_args(arguments)
    programs = bounds.GROWING if options.growth else bounds.PROGRAMS
    try:
        options.programs = (driver.words(programs)(options.programs)
                            if options.programs else programs)
    except argparse.ArgumentTypeError as wrong:
        parser.error(f"argument --programs: {wrong}")
    options.plugin_options = options.opt
    options.opt = None  # what driver.gpu_flags() adds
    if options.sizes:
        options.plugin_options.append(f"-gpu-sizes={options.sizes}")
    options.ptxas = ptxas.find()
    # What driver.gpu_flags() asks for.
    options.targets, options.arch = "emulated-checked", ptxas.ARCH
    options.suite = driver.POLYBENCH
    return options


def cases(options):
    return [driver.Case(program, element, options.form, None)
            for program in options.programs for element in options.types]


def measure(options, folder):
    """(columns, rows, problems, checks) of what was asked for."""
    if options.growth:
        results = growth.run_all(options, folder)
        return (growth.COLUMNS, list(growth.rows(results)), results,
                growth.check(results))
    if options.accesses:
        results = accesses.run_all(options, cases(options), folder)
        return (accesses.COLUMNS, list(accesses.rows(results)), results,
                accesses.check(results))
    results = [run_case(options, case, folder) for case in cases(options)]
    rows = [cells(result.program, result.type, row)
            for result in results for row in result.rows]
    return COLUMNS, rows, results, checks.of_results(
        results, lambda result: checks.check_static(result.program, result.type,
                                                    result.rows))


def report(options, folder):
    """Prints everything; returns the exit status."""
    columns, rows, results, found = measure(options, folder)
    if options.plugin_options:
        print("options:", shlex.join(options.plugin_options))
    print(table(columns, rows, options.markdown))
    if not (options.accesses or options.growth or options.ptxas):
        print("no ptxas: registers, spills, memory and occupancy are not known")
    if options.check:
        lines, status = checks.report(found)
        print("\n".join(lines))
        return status
    problems = [result for result in results if result.problem]
    for result in problems:
        print(f"{result.program} {result.type}: {result.problem}")
    return 1 if problems else 0


def main(arguments=None):
    options = parse_arguments(arguments)
    try:
        if options.work:
            options.work.mkdir(parents=True, exist_ok=True)
            return report(options, options.work)
        with tempfile.TemporaryDirectory() as folder:
            return report(options, Path(folder))
    except Failure as failure:
        print(failure, file=sys.stderr)
        return 1
