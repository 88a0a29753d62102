"""Measures the programs of this folder on a GPU, beside cuBLAS, a copy and
fused multiply-adds, and prints a table; see benchmarks/README.md.

  run                                  all parts, as far as --limit goes
  run --part gemm,vectors --check      exits with 1 where a floor is violated
  run --ways on                        not without promotion, in half the time
  run --part products --output FILE    measured lines to FILE, too
  run --from FILE1,FILE2 --check       the table of lines measured earlier

Parts: peaks (of copies and multiply-adds, measured with every other part as
well), results (at sizes MINI and SMALL, compared bit by bit with the sequential
programs), startup (of a process: to open the device, to load code, the first
launch), gemm, products, vectors, stencils.  What was asked for is measured
with promotion first, cases with a floor before others, and then without it:
where the time ends early, what is left is what matters less.  Each case is one
process for each way and round, and one of the sequential program where that
takes seconds.

Without a GPU that the driver can use it says "unsupported: REASON" and exits
with 77; so does --check where nothing is violated, but cuBLAS was not found to
compare with.
"""

import argparse
import contextlib
import io
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import driver
import floors
import startup

ALL_PARTS = ("peaks", "results", "startup", *floors.PARTS)
STARTUP_ROUNDS = 5
WAYS = floors.WAYS
COMPARED = (("on", "MINI"), ("on", "SMALL"), ("off", "SMALL"))
# Operations or elements of a program that the host may take for one result.
SEQUENTIAL = 4e9

NO_DRIVER, NO_DEVICE, NO_BLAS = 10, 11, 12  # of peak.c


class Unsupported(Exception):
    pass


class Session:
    """Where measured lines go, and how long there is time."""

    def __init__(self, options, folder, output=None):
        self.options, self.folder, self.output = options, folder, output
        self.deadline = time.monotonic() + options.limit
        self.lines = []
        self.built = {way: driver.read_bundle(folder / "programs" / way)
                      for way in WAYS}

    def add(self, line):
        self.lines.append(line)
        if self.output:
            print(line, file=self.output, flush=True)

    def left(self):
        """Seconds for the next command."""
        return min(self.options.timeout, self.deadline - time.monotonic())


# ---- Peaks and cuBLAS --------------------------------------------------------


def library_path():
    """LD_LIBRARY_PATH, and where Python's packages have cuBLAS."""
    folders = [str(path.parent) for base in sys.path if base
               for path in Path(base).glob("nvidia/*/lib/libcublas.so.*")]
    return ":".join(dict.fromkeys(
        filter(None, [os.environ.get("LD_LIBRARY_PATH"), *folders])))


def peak(session, requests, timeout):
    """Runs peak.c; (exit status, lines, what it says)."""
    with tempfile.TemporaryFile("w+") as out, \
            tempfile.TemporaryFile("w+") as err:
        try:
            code = subprocess.run(
                [session.folder / "lib" / "peak",
                 session.folder / "lib" / "kernels.ptx", *requests],
                env={**os.environ, "LD_LIBRARY_PATH": library_path()},
                stdin=subprocess.DEVNULL, stdout=out, stderr=err,
                timeout=timeout).returncode
        except subprocess.TimeoutExpired:
            code = None
        out.seek(0)
        err.seek(0)
        return code, out.read().splitlines(), err.read().splitlines()


def probe(session):
    """Unsupported where there is no GPU."""
    code, lines, said = peak(session, [], session.left())
    said = said[-1].partition("peak: ")[2] if said else "no reason given"
    if code in (NO_DRIVER, NO_DEVICE):
        raise Unsupported(said)
    if code != 0 or not lines:
        raise driver.Failure(f"peak: exit status {code}: {said}")


def measure_peaks(session, cases):
    # A quarter of a second each, and the time that starting cuBLAS takes.
    requests = floors.requests(cases)
    _, lines, said = peak(session, requests,
                          max(1, session.deadline - time.monotonic()))
    for line in lines:
        session.add(line)
    answered = floors.read(lines).figures
    for sentence in dict.fromkeys(said):
        if "no cuBLAS: " not in sentence:
            session.add(f"failed what={sentence}")
    if any("no cuBLAS: " in sentence for sentence in said):
        return
    for request in requests:
        if request not in answered:
            session.add(f"failed what=no figure for '{request}'")


# ---- Programs ----------------------------------------------------------------


def execute(session, case, binary, repeat, **settings):
    """Runs a program; its stderr."""
    if session.left() < 1:
        raise TimeoutError
    options = argparse.Namespace(seed=session.options.seed, repeat=repeat,
                                 timeout=session.left())
    return driver.execute(options, case, binary, None, **settings)


def describe(case):
    sizes = ",".join(map(str, case.size))
    return f"program={case.program} type={case.type} sizes={sizes}"


def launches(trace):
    """Kernel -> microseconds of its launches, of a profile with events."""
    if trace["otherData"]["events_not_kept"] != "0":
        raise driver.Failure("the profile does not have all launches")
    found = {}
    for event in trace["traceEvents"]:
        if event.get("cat") == "kernel":
            found.setdefault(event["name"], []).append(event["dur"])
    return found


def run_lines(session, case, way, repeat, checksum, trace):
    """The lines of one process."""
    arrays = session.built[way][case[:3]].remarks.arrays
    named = floors.roles(case.program, arrays)
    for name, micros in launches(trace).items():
        yield (f"run {describe(case)} promotion={way} "
               f"repetitions={repeat} checksum={checksum} "
               f"kernel={name} role={named[name]} "
               f"launches={len(micros)} ms={sum(micros) / 1000:.6f} "
               f"median_ms={statistics.median(micros) / 1000:.6f} "
               f"best_ms={min(micros) / 1000:.6f}")


def measure_once(session, case, way, repeat):
    with tempfile.TemporaryDirectory() as folder:
        profile = Path(folder) / "profile.json"
        stderr = execute(session, case, session.built[way][case[:3]].gpu,
                         repeat, POLYGPU="mandatory",
                         POLYGPU_PROFILE=str(profile),
                         POLYGPU_DEVICE=session.options.device,
                         CUDA_MODULE_LOADING="EAGER")
        if not profile.exists():
            raise driver.Failure("no profile was written")
        trace = json.loads(profile.read_text())
    checksum = driver.read_times(stderr).checksum
    for line in run_lines(session, case, way, repeat, checksum, trace):
        session.add(line)


def measure_sequential(session, case):
    stderr = execute(session, case, session.built["on"][case[:3]].plain, 1)
    session.add(f"sequential {describe(case)} "
                f"checksum={driver.read_times(stderr).checksum}")


@contextlib.contextmanager
def noting(session, what):
    """Adds a line where what is done inside does not end well."""
    try:
        yield
    except TimeoutError:
        session.add(f"skipped what={what}")
    except (driver.Failure, ValueError) as failure:
        session.add(f"failed what={what}: "
                    f"{' / '.join(str(failure).splitlines())[:500]}")


def measure_case(session, part, case, way):
    repeat = session.options.repeat or floors.repetitions(
        part, case.program, case.size)
    what = " ".join([*case[:2], *map(str, case.size),
                     *(["without promotion"] if way == "off" else [])])
    print(describe(case), f"promotion={way}", file=sys.stderr, flush=True)
    with noting(session, what):
        measure_once(session, case, way, repeat)


def compare_sequential(session, case):
    what = " ".join([*case[:2], *map(str, case.size), "sequentially"])
    if floors.work(case.program, case.size) <= SEQUENTIAL:
        with noting(session, what):
            measure_sequential(session, case)


def compare_results(session, programs, types):
    """The driver's comparison with the sequential programs."""
    for way, size in COMPARED:
        what = f"results with promotion {way} at {size}"
        if session.left() < 1:
            session.add(f"skipped what={what}")
            continue
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            code = driver.main([
                "--prebuilt", str(session.folder / "programs" / way),
                "--device", session.options.device, "--check", "--size", size,
                "--programs", ",".join(programs), "--type", ",".join(types),
                "--seed", str(session.options.seed), "--form", "c99",
                "--jobs", str(min(4, os.cpu_count() or 1)),
                "--opt=-gpu-time=off", "--timeout", str(session.left())])
        text = printed.getvalue()
        last = (text.splitlines() or ["nothing was compared"])[-1]
        session.add(f"{'failed' if code else 'checked'} what={what}: {last}")
        if code:
            print(text, file=sys.stderr)


def measure_startup(session):
    rounds = session.options.repeat or STARTUP_ROUNDS
    with noting(session, "startup"):
        try:
            for line in startup.measure(session.folder / "startup",
                                        session.options.device, rounds,
                                        session.left):
                session.add(line)
        except (startup.Failure, startup.Unsupported, OSError,
                subprocess.TimeoutExpired) as problem:
            raise driver.Failure(problem) from None


# ---- Command line ------------------------------------------------------------


def order(options, built):
    """(part, case) that are to be measured; those with a floor first."""
    asked = [(part, case) for part in options.part if part in floors.PARTS
             for case in cases(options, built, part)]
    return sorted(asked, key=lambda one: not floors.has_floor(*one[1][:2],
                                                              one[1].size))


def cases(options, built, part):
    return [driver.Case(program, element, "c99", sizes)
            for program in floors.PARTS[part].programs
            for element in options.type
            for sizes in floors.sizes_of(program, options.size)
            if program in options.programs
            and (program, element, "c99") in built]


def parse_arguments(arguments):
    parser = argparse.ArgumentParser(
        prog="run", description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--part", type=driver.words(ALL_PARTS), metavar="A,B",
                        default=ALL_PARTS, help="default: all")
    parser.add_argument("--programs", type=driver.words(floors.PROGRAMS),
                        metavar="A,B", default=tuple(floors.PROGRAMS),
                        help="default: those of the parts")
    parser.add_argument("--type", type=driver.words(floors.TYPES),
                        metavar="A,B", default=floors.TYPES,
                        help="default: float,double")
    parser.add_argument("--check", action="store_true",
                        help="exit with 1 where a floor is violated or "
                             "something is missing")
    parser.add_argument("--output", type=Path, metavar="FILE",
                        help="write the measured lines here")
    parser.add_argument("--from", dest="files", metavar="A,B",
                        help="files of measured lines, instead of measuring")
    parser.add_argument("--limit", type=float, default=540, metavar="S",
                        help="seconds in total; what there is no time for is "
                             "missing (default: 540)")
    parser.add_argument("--timeout", type=float, default=120, metavar="S",
                        help="seconds for each command (default: 120)")
    parser.add_argument("--ways", type=driver.words(WAYS), metavar="A,B",
                        default=WAYS, help="with promotion (on), without it "
                        "(off; default: on,off)")
    parser.add_argument("--rounds", type=int, default=1, metavar="N",
                        help="processes, of which the fastest counts "
                             "(default: 1)")
    parser.add_argument("--repeat", type=int, metavar="N",
                        help="repetitions in a process (default: by size), "
                             "and processes for startup (default: 5)")
    parser.add_argument("--size", choices=driver.SIZES,
                        help="only this one of the suite's")
    parser.add_argument("--seed", type=int, default=1,
                        help="of the random inputs (default: 1)")
    parser.add_argument("--device", choices=("cuda", "emulated"),
                        default="cuda", help=argparse.SUPPRESS)  # for tests
    return parser.parse_args(arguments)


def measure(session):
    options = session.options
    probe(session)
    parts = order(options, session.built["on"])
    ways = [way for way in WAYS if way in options.ways]
    for _, case in parts:
        session.add(f"case {describe(case)} ways={','.join(ways)}")
    measure_peaks(session, [(c.program, c.type, c.size) for _, c in parts])
    if "results" in options.part:
        compare_results(session, options.programs, options.type)
    if "startup" in options.part:
        measure_startup(session)
    for _ in range(options.rounds):
        for way in ways:
            for part, case in parts:
                measure_case(session, part, case, way)
    for _, case in parts:
        compare_sequential(session, case)


def main(folder, arguments):
    options = parse_arguments(arguments)
    try:
        if options.files:
            lines = [line for name in options.files.split(",")
                     for line in Path(name).read_text().splitlines()]
        else:
            with contextlib.ExitStack() as stack:
                session = Session(options, folder, options.output and
                                  stack.enter_context(open(options.output,
                                                           "w")))
                measure(session)
                lines = session.lines
        measured = floors.read(lines)
        text, status = floors.report(measured)
        if measured.startup:
            text = [*startup.table(measured.startup), "", *text]
    except Unsupported as reason:
        print(f"unsupported: {reason}")
        return floors.UNSUPPORTED
    except (driver.Failure, OSError, ValueError) as problem:
        print(problem, file=sys.stderr)
        return 1
    print("\n".join(text))
    return status if options.check else 0
