"""What the kernels of the suite cost by measured ceilings, without a GPU.

  benchmarks/predict/run                           # all, 7 minutes
  benchmarks/predict/run --programs lu,gemm --kernels
  benchmarks/predict/run --write FILE              # keep what was counted
  benchmarks/predict/run --read FILE               # a table of that

Launches, blocks and operations at LARGE and EXTRALARGE come from the compiled
programs themselves, which run on counts.c: nothing is executed there, the
compiler's counts are evaluated.  What these do not have, sectors of memory,
barriers and loads, is counted by the checked emulated device at MEDIUM and
grows with the operations.

Each launch takes a few microseconds; a kernel the longest of its operations,
its bytes, and what its threads wait for (see model.py).  "least" is where each
multiprocessor has what it loads again.  The times stand beside those that
PPCG's kernels took on an H200 (ppcg.csv; 12000 is "stopped after 12 s").
"""

import argparse
import csv
import math
import re
import sys
import tempfile
from collections import namedtuple
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import accesses
import driver
import model
from programs import PROGRAMS
from run import Failure, call, environment

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
SAMPLE = "MEDIUM"
SIZES = ("LARGE", "EXTRALARGE")

WRAPPED = """active begin_sized array keep known move move_rows worth chosen_plan chained
launch grid defer end decline""".split()

# A kernel of a program at a size: counts, and those of the emulated device.
Row = namedtuple("Row", "program size kernel " + " ".join(
    model.COUNTS + model.ACCESSES))


# ---- Counting --------------------------------------------------------------


def compile_counts(options, folder):
    for source in (HERE / "counts.c", HERE / "launches.c",
                   HERE.parent / "polybench/empty.c"):
        call([options.clang, "-O1", "-std=c11", "-D_GNU_SOURCE",
              f"-I{ROOT / 'runtime'}", f"-I{ROOT / 'include'}", "-c", source,
              "-o", folder / f"{source.stem}.o"])


def link_counts(options, program, folder):
    output = folder / f"counts-{program}"
    call([options.clang, folder / f"{program}.o", folder / "counts.o",
          folder / "launches.o", folder / "empty.o", options.cfg.parent / "lib/libpolygpu_rt.a",
          *(f"-Wl,--wrap=polygpu_{name}" for name in WRAPPED), "-lpthread",
          "-ldl", "-lm", "-o", output])
    return output


LINE = re.compile(r"^counts (\S+) (.*)$", re.MULTILINE)


def read_counts(stderr):
    """Kernel name -> counts by name."""
    return {name: {key: float(value) for key, value in
                   (field.split("=") for field in fields.split())}
            for name, fields in LINE.findall(stderr)}


def scaled(sample, seen, counts):
    """What the emulated device has "seen" of a kernel with the counts "sample",
    for one with "counts"."""
    factor = (counts["operations"] / sample["operations"]
              if sample["operations"] else 0)
    return {name: seen[name] * factor for name in model.ACCESSES}


def rows_of(program, samples, seen, counted):
    """counted: size -> kernel name -> counts."""
    for size, kernels in counted.items():
        for name, counts in kernels.items():
            if name not in samples or name not in seen:
                raise Failure(f"{program}: {name} does not run at {SAMPLE}")
            yield Row(program, size, name, **counts,
                      **scaled(samples[name], seen[name], counts))


def count(options, program, objects, folder):
    case = driver.Case(program, driver.chosen_types(options, program)[0], "c99",
                       SAMPLE)
    output = folder / program
    driver.compile_case(options, case, driver.gpu_flags(options), output,
                        [*objects, folder / "launches.o",
                         "-Wl,--wrap=polygpu_grid"])
    counting = link_counts(options, program, folder)

    def counted(size):
        return read_counts(call([counting, *map(
            str, PROGRAMS[program].sizes[size])], timeout=options.timeout))

    env = environment(1, "", POLYGPU="mandatory", POLYGPU_DEVICE="emulated",
                      POLYGPU_COST="off", POLYGPU_PROFILE="lines")
    seen = accesses.read(call([output, *map(
        str, PROGRAMS[program].sizes[SAMPLE])], env, options.timeout))
    print(program, "counted", file=sys.stderr, flush=True)
    return list(rows_of(program, counted(SAMPLE), seen,
                        {size: counted(size) for size in SIZES}))


def count_all(options, folder):
    objects = driver.compile_harness(options, folder)
    compile_counts(options, folder)
    with ThreadPoolExecutor(options.jobs) as pool:
        found = pool.map(lambda p: count(options, p, objects, folder),
                         options.programs)
        return [row for rows in found for row in rows]


def write_rows(file, rows):
    lines = csv.writer(file, lineterminator="\n")
    lines.writerow(Row._fields)
    lines.writerows(rows)


def read_rows(file):
    lines = csv.reader(file)
    if tuple(next(lines)) != Row._fields:
        raise Failure("the file was not written by this version of --write")
    return [Row(*line[:3], *map(float, line[3:])) for line in lines]


# ---- Tables ----------------------------------------------------------------


def read_measured():
    """(program, size) -> milliseconds of PPCG's kernels."""
    with (HERE / "ppcg.csv").open(encoding="ascii", newline="") as file:
        return {(line["program"], size): float(line[size])
                for line in csv.DictReader(file) for size in SIZES}


def digits(ms):
    return f"{ms:.3g}" if ms < 1000 else f"{ms:.0f}"


def geometric_mean(values):
    return math.exp(sum(map(math.log, values)) / len(values))


def kernel_table(rows, machine):
    yield ["program", "size", "kernel", "launches", *model.Cost._fields]
    for row in rows:
        cost = model.cost(row, machine)
        yield [row.program, row.size, row.kernel, f"{row.launches:.0f}",
               *map(digits, cost)]


def total(rows, machine, cached=False):
    """The sums of all kernels, and the name of what takes most."""
    costs = [model.cost(row, machine, cached) for row in rows]
    sums = {"launches": sum(cost.launching for cost in costs)}
    for cost in costs:
        bound = model.bound_of(cost)
        sums[bound] = sums.get(bound, 0) + getattr(cost, bound)
    return sum(sums.values()), max(sums, key=sums.get)


def cells_of(rows, theirs, machine):
    """The cells of a program at a size, and (least, predicted) times."""
    ms, most = total(rows, machine)
    least, _ = total(rows, machine, cached=True)
    cells = [f"{sum(row.launches for row in rows):.0f}", most, digits(ms),
             digits(least)]
    if theirs:
        return cells + [digits(theirs), f"{theirs / ms:.2f}"], (ms, least)
    return cells + ["-", "-"], (ms, least)


def program_table(rows, measured, machine):
    """A line for each program; and size -> program -> PPCG's time by the
    predicted one and by the least."""
    quotients = {size: {} for size in SIZES}
    lines = []
    for program in sorted({row.program for row in rows}):
        line = [program]
        for size in SIZES:
            theirs = measured.get((program, size))
            cells, times = cells_of(
                [row for row in rows
                 if (row.program, row.size) == (program, size)],
                theirs, machine)
            line += cells
            if theirs:
                quotients[size][program] = [theirs / ms for ms in times]
        lines.append(line)
    header = ["program", *("launches", "most", "predicted", "least", "PPCG",
                           "x") * 2]
    return [header, *lines], quotients


def summary(size, by_program):
    """Geometric means, and which programs are slower than PPCG's."""
    means = [geometric_mean(column) for column in zip(*by_program.values())]
    slower = [", ".join(sorted(program for program, x in by_program.items()
                               if x[at] < 1)) or "none" for at in (0, 1)]
    return (f"{size}: geometric mean {means[0]:.2f} of {len(by_program)} "
            f"programs; slower than PPCG: {slower[0]}\n"
            f"{size}, least: geometric mean {means[1]:.2f}; slower than PPCG: "
            f"{slower[1]}")


def markdown(table):
    head, *rest = table
    return "\n".join("| " + " | ".join(line) + " |" for line in
                     [head, ["---"] + ["---:"] * (len(head) - 1), *rest])


def report(rows, measured, machine, kernels):
    table, quotients = program_table(rows, measured, machine)
    text = [markdown(list(kernel_table(rows, machine)))] if kernels else []
    text.append(markdown(table))
    text += [summary(size, by_program)
             for size, by_program in quotients.items() if by_program]
    return "\n\n".join(text)


def parse_arguments(arguments):
    parser = argparse.ArgumentParser(
        prog="run", description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", type=driver.words(PROGRAMS),
                        default=sorted(PROGRAMS), metavar="A,B")
    parser.add_argument("--type", type=driver.words(("float", "double", "int")),
                        default=["float", "int"], metavar="A,B",
                        help="the first one that fits a program (default: "
                             "float,int, as PPCG's)")
    parser.add_argument("--kernels", action="store_true",
                        help="a table of the kernels as well")
    parser.add_argument("--write", type=Path, metavar="FILE")
    parser.add_argument("--read", type=Path, metavar="FILE")
    parser.add_argument("--jobs", type=int, default=2, metavar="N")
    parser.add_argument("--timeout", type=float, default=500, metavar="S")
    parser.add_argument("--opt", action="append", metavar="FLAG",
                        help="further option of the plugin")
    parser.add_argument("--clang", default="clang-22")
    parser.add_argument("--cfg", type=Path, default=ROOT / "build/polygpu.cfg")
    options = parser.parse_args(arguments)
    # What the driver asks for.
    options.suite, options.prebuilt = driver.POLYBENCH, None
    options.targets, options.arch, options.seed = "emulated-checked", "sm_90", 1
    return options


def counted_rows(options):
    if options.read:
        with options.read.open(encoding="ascii", newline="") as file:
            return read_rows(file)
    with tempfile.TemporaryDirectory() as folder:
        return count_all(options, Path(folder))


def main(arguments=None):
    options = parse_arguments(arguments)
    try:
        rows = counted_rows(options)
        machine = model.read_machine(options.arch)
    except (Failure, OSError) as failure:
        print(failure, file=sys.stderr)
        return 1
    if options.write:
        with options.write.open("w", encoding="ascii", newline="") as file:
            write_rows(file, rows)
    print(report(rows, read_measured(), machine, options.kernels))
    return 0
