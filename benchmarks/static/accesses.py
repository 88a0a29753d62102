"""Runs programs on the checked emulated device and reads how their kernels use
memory."""

import re
from collections import Counter, namedtuple

import bounds
import checks
import driver
from programs import PROGRAMS
from run import Failure, call, environment

BYTES = {"float": 4, "double": 8}

COLUMNS = ("program", "type", "kernel", "unit", "loads", "elements", "bytes",
           "load eff.", "store eff.", "shared", "conflicts", "barriers")

# kernels: name -> Counter of the fields of its line; work: points or fma.
Result = namedtuple("Result", "program type work kernels problem")

LINE = re.compile(r"^polygpu: accesses (\S+) (.*)$", re.MULTILINE)


def read(stderr):
    """Kernel name -> Counter of the fields of its lines."""
    kernels = {}
    for name, fields in LINE.findall(stderr):
        counts = kernels.setdefault(name, Counter())
        for field in fields.split():
            key, _, value = field.partition("=")
            counts[key] += int(value)
    return kernels


def compile_flags(options):
    flags = driver.gpu_flags(options)
    for option in options.plugin_options:
        flags += ["-mllvm", option]
    return flags


def run_case(options, case, objects, folder):
    """Builds and runs one program; a Failure becomes part of the result."""
    entry = bounds.ACCESSES[case.program]
    amount = bounds.work(case.program, PROGRAMS[case.program].parameters)
    work = folder / "-".join(case[:3])
    work.mkdir(parents=True, exist_ok=True)
    try:
        driver.compile_case(options, case, compile_flags(options),
                            work / "offloaded", objects)
        env = environment(options.seed, "", POLYGPU="mandatory",
                          POLYGPU_DEVICE="emulated", POLYGPU_COST="off",
                          POLYGPU_PROFILE="lines")
        stderr = call([work / "offloaded", *map(str, entry.sizes)], env,
                      options.timeout)
        kernels = read(stderr)
        if not kernels:
            raise Failure("the runtime prints no line 'polygpu: accesses'")
        return Result(case.program, case.type, amount, kernels, None)
    except Failure as failure:
        return Result(case.program, case.type, amount, {}, str(failure))


def run_all(options, cases, folder):
    objects = driver.compile_harness(options, folder)
    return [run_case(options, case, objects, folder) for case in cases]


def quotient(count, total, digits=3):
    return f"{count / total:.{digits}f}" if total else "-"


def cells(result, name, counts):
    row = dict.fromkeys(COLUMNS, "-")
    size = BYTES[result.type]
    loaded = counts["global_load_bytes"]
    row.update({
        "program": result.program, "type": result.type, "kernel": name,
        "unit": bounds.ACCESSES[result.program].unit,
        "loads": quotient(counts["global_loads"], result.work),
        "elements": quotient(loaded / size, result.work),
        "bytes": quotient(loaded, result.work),
        "shared": quotient(counts["shared_loads"], result.work),
        "conflicts": quotient(counts["conflicts"], counts["shared_loads"]),
        "barriers": str(counts["barriers"])})
    for access in ("load", "store"):
        found = checks.efficiency(counts, access)
        if found is not None:
            row[f"{access} eff."] = f"{found:.2f}"
    return [row[column] for column in COLUMNS]


def rows(results):
    """The cells of each kernel, and of all kernels of a program with several
    as "total"."""
    for result in results:
        for name, counts in sorted(result.kernels.items()):
            yield cells(result, name, counts)
        if len(result.kernels) > 1:
            yield cells(result, "total",
                        sum(result.kernels.values(), Counter()))


def check(results):
    return checks.of_results(
        results, lambda result: checks.check_accesses(
            result.program, result.type, BYTES[result.type], result.work,
            result.kernels))
