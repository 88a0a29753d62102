"""Elements that kernels load from global memory for each point and step, or for
each multiply-add, by the difference of two grids, in which what is loaded once,
and at the edges, is hardly seen."""

import argparse
import re
from collections import Counter, namedtuple

import accesses
import bounds
import checks
import driver
from programs import PROGRAMS
from run import Failure, call, environment

COLUMNS = ("program", "kernels", "sizes", "unit", "grids", "elements")

# elements: for each unit, None where there is a problem.
Result = namedtuple("Result", "program type growth elements problem")


def named(program, arguments):
    return dict(zip(PROGRAMS[program].parameters, arguments))


def loaded(options, growth, binary, arguments):
    """Elements that the kernels that are looked at load in one run."""
    env = environment(options.seed, "", POLYGPU="mandatory",
                      POLYGPU_DEVICE="emulated", POLYGPU_COST="off",
                      POLYGPU_PROFILE="lines")
    kernels = accesses.read(call([binary, *map(str, arguments)], env,
                                 options.timeout))
    found = [counts for name, counts in kernels.items()
             if re.search(growth.kernels, name)]
    if not found:
        raise Failure(f"no kernel is called {growth.kernels}")
    return (sum(found, Counter())["global_load_bytes"] /
            accesses.BYTES[growth.type])


def measure(options, growth, objects, folder):
    """Builds one program and runs it with both grids; a Failure becomes part of
    the result."""
    own = argparse.Namespace(**vars(options))
    own.arch = growth.arch
    if growth.sizes:
        own.plugin_options = [*options.plugin_options,
                              f"-gpu-sizes={growth.sizes}"]
    case = driver.Case(growth.program, growth.type, options.form, None)
    folder.mkdir(parents=True, exist_ok=True)
    try:
        binary = folder / "offloaded"
        driver.compile_case(own, case, accesses.compile_flags(own), binary,
                            objects)
        elements, work = (
            [function(arguments) for arguments in growth.grids]
            for function in (lambda a: loaded(own, growth, binary, a),
                             lambda a: bounds.evaluate(
                                 growth.work, named(growth.program, a))))
        return Result(growth.program, growth.type, growth,
                      (elements[1] - elements[0]) / (work[1] - work[0]), None)
    except Failure as failure:
        return Result(growth.program, growth.type, growth, None, str(failure))


def run_all(options, folder):
    objects = driver.compile_harness(options, folder)
    return [measure(options, growth, objects, folder / f"growth{number}")
            for number, growth in enumerate(bounds.GROWTHS)
            if growth.program in options.programs]


def rows(results):
    for result in results:
        growth = result.growth
        grids = " and ".join(" ".join(map(str, arguments))
                             for arguments in growth.grids)
        yield [result.program, growth.kernels or "all", growth.sizes or "-",
               growth.unit, grids, "-" if result.elements is None
               else f"{result.elements:.3f}"]


def check(results):
    def most(result):
        wanted = result.growth.most
        yield checks.Check(checks.subject(result.program, result.type,
                                          result.growth.sizes),
                           f"{result.elements:.3f} elements loaded for each "
                           f"{result.growth.unit}, at most {wanted} wanted",
                           result.elements <= wanted)

    return checks.of_results(results, most)
