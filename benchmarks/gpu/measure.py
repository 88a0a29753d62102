"""Measures the programs of this folder on a GPU, beside cuBLAS, a copy and
fused multiply-adds, and prints a table; see benchmarks/README.md.

  run                                  all parts, as far as --limit goes
  run --part gemm,vectors --check      exits with 1 where a floor is violated
  run --part products --output FILE    measured lines to FILE, too
  run --from FILE1,FILE2 --check       the table of lines measured earlier

Parts: peaks (of copies and multiply-adds, measured with every other part as
well), results (at sizes MINI and SMALL, compared bit by bit with the sequential
programs), gemm, products, vectors, stencils.  Each takes a few minutes; the
whole takes longer than one command may where that is ten minutes.

Without a GPU that the driver can use it says "unsupported: REASON" and exits
with 77; so does --check where nothing is violated, but cuBLAS was not found to
compare with.
"""

import argparse
import contextlib
import io
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import driver
import floors

ALL_PARTS = ("peaks", "results", *floors.PARTS)
WAYS = ("on", "off")  # promotion
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


def run_lines(session, case, way, repeat, stderr):
    """The lines of one process."""
    times = driver.read_times(stderr)
    _, kernels = driver.profile_lines(stderr)
    arrays = session.built[way][case[:3]].remarks.arrays
    named = floors.roles(case.program, arrays)
    for fields in kernels:
        name = fields["line"].split()[2]
        if fields["device"] != session.options.device:
            raise driver.Failure(f"not on the device: {fields['line']}")
        yield (f"run {describe(case)} promotion={way} "
               f"repetitions={repeat} checksum={times.checksum} "
               f"kernel={name} role={named[name]} "
               f"launches={fields['launches']} ms={fields['time_ms']}")


def measure_once(session, case, way, repeat):
    stderr = execute(session, case, session.built[way][case[:3]].gpu, repeat,
                     POLYGPU="mandatory", POLYGPU_PROFILE="lines",
                     POLYGPU_DEVICE=session.options.device,
                     CUDA_MODULE_LOADING="EAGER")
    for line in run_lines(session, case, way, repeat, stderr):
        session.add(line)


def measure_case(session, part, case):
    repeat = session.options.repeat or floors.repetitions(
        part, case.program, case.size)
    what = " ".join([*case[:2], *map(str, case.size)])
    try:
        for _ in range(session.options.rounds):
            for way in WAYS:
                measure_once(session, case, way, repeat)
        if floors.work(case.program, case.size) <= SEQUENTIAL:
            stderr = execute(session, case,
                             session.built["on"][case[:3]].plain, 1)
            session.add(f"sequential {describe(case)} "
                        f"checksum={driver.read_times(stderr).checksum}")
    except TimeoutError:
        session.add(f"skipped what={what}")
    except (driver.Failure, ValueError) as failure:
        session.add(f"failed what={what}: "
                    f"{' / '.join(str(failure).splitlines())[:500]}")


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
                "--timeout", str(session.left())])
        text = printed.getvalue()
        last = (text.splitlines() or ["nothing was compared"])[-1]
        session.add(f"{'failed' if code else 'checked'} what={what}: {last}")
        if code:
            print(text, file=sys.stderr)


# ---- Command line ------------------------------------------------------------


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
    parser.add_argument("--rounds", type=int, default=2, metavar="N",
                        help="processes, of which the fastest counts "
                             "(default: 2)")
    parser.add_argument("--repeat", type=int, metavar="N",
                        help="repetitions in a process (default: by size)")
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
    parts = [(part, case) for part in options.part if part in floors.PARTS
             for case in cases(options, session.built["on"], part)]
    for _, case in parts:
        session.add(f"case {describe(case)}")
    measure_peaks(session, [(c.program, c.type, c.size) for _, c in parts])
    if "results" in options.part:
        compare_results(session, options.programs, options.type)
    for part, case in parts:
        print(describe(case), file=sys.stderr, flush=True)
        measure_case(session, part, case)


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
        text, status = floors.report(floors.read(lines))
    except Unsupported as reason:
        print(f"unsupported: {reason}")
        return floors.UNSUPPORTED
    except (driver.Failure, OSError, ValueError) as problem:
        print(problem, file=sys.stderr)
        return 1
    print("\n".join(text))
    return status if options.check else 0
