"""polygpu tune: finds sizes, fusion, promotion and tiles in time for the loops
of a program that take the time.

The command polygpu starts this; docs/tuning.md says how it is used.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import argparse
import datetime
import platform
import re
import shlex
import signal
import statistics
import subprocess
import sys
import tempfile
from collections import namedtuple
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[1:1] = [str(HERE.parent / "report"), str(HERE.parent),
                 str(HERE.parent.parent / "benchmarks/predict"),
                 str(HERE.parent.parent / "scripts")]

import curve
import find_cuda
import ranges
import records
import runs
from builds import Builder, BuildFailed, TimeUp, first_build
from failure import Failure, read_text
from progress import Progress, clock
from search import GAIN, Search, Slot, hot_slots
from state import State

DESCRIPTION = """\
Finds sizes, fusion, promotion and tiles in time for the loops of a program that
take the time, and writes them to a file for -gpu-tuning=FILE. COMMAND builds the
program, all of it, with polygpu-clang or polygpu-flang, which take further options
from $POLYGPU_OPTIONS. Each candidate has to give the exit status, the standard
output and the files of the program as it is. With a GPU the time decides, without
one (or with --device emulated) a model. With --at what is found for the first
PROGRAM is for all sizes, and what is better for another one is for its sizes."""

USAGE = """\
polygpu tune [OPTION]... --build COMMAND -- PROGRAM [ARGUMENT]...
       polygpu tune [OPTION]... --build COMMAND --at 'PROGRAM [ARGUMENT]...' --at ...
       polygpu tune --merge FILE... [-o FILE]"""

Base = namedtuple("Base", "scops failed")

MOST_AT = 5  # one for all sizes, and as many others as the compiler takes


def seconds_of(text):
    found = re.fullmatch(r"(\d+(?:\.\d+)?)(s|m|h|)", text)
    if not found or not float(found[1]):
        raise argparse.ArgumentTypeError(
            f"'{text}' is no time; allowed is a number of seconds, or one with "
            "s, m or h, like 10m")
    return float(found[1]) * {"s": 1, "": 1, "m": 60, "h": 3600}[found[2]]


def count_of(text):
    if not text.isdigit() or not int(text):
        raise argparse.ArgumentTypeError(
            f"'{text}' is no number of sizes; allowed is one from 1 on")
    return int(text)


def command_of(text):
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"'{text}': {error}") from error
    if not words:
        raise argparse.ArgumentTypeError("'' is no program to be run")
    return words


def arguments(argv):
    parser = argparse.ArgumentParser(
        prog="polygpu tune", description=DESCRIPTION, usage=USAGE,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--version-of-polygpu", default="", dest="version",
                        help=argparse.SUPPRESS)
    parser.add_argument("-o", "--output", type=Path, metavar="FILE",
                        default=Path("tuning.txt"),
                        help="the file (tuning.txt); what it has of other loops "
                        "stays")
    parser.add_argument("--build", metavar="COMMAND", help="builds the program")
    parser.add_argument("--limit", type=seconds_of, default=600, metavar="TIME",
                        help="after which the search ends (10m)")
    parser.add_argument("--most", type=count_of, default=24, metavar="N",
                        help="sizes that are tried for a kernel (24)")
    parser.add_argument("--compare", action="append", default=[],
                        metavar="FILE", help="that the program writes; several "
                        "times")
    parser.add_argument("--no-stdout", action="store_false", dest="stdout",
                        help="do not compare standard output")
    parser.add_argument("--device", choices=("cuda", "emulated"),
                        help="emulated: no GPU; cuda: end without one")
    parser.add_argument("--at", action="append", default=[], type=command_of,
                        metavar="'PROGRAM [ARGUMENT]...'", help="one of several "
                        "runs, of different sizes")
    parser.add_argument("--merge", action="store_true",
                        help="the best records of several files")
    parser.add_argument("words", nargs="*", metavar="PROGRAM|FILE")
    options = parser.parse_args(argv)
    if bool(options.words) == bool(options.at) or \
            options.merge == bool(options.build) or \
            options.merge and options.at:
        parser.error("expected is --build COMMAND -- PROGRAM [ARGUMENT]..., or "
                     "--merge FILE..., or --build COMMAND and --at 'PROGRAM "
                     "[ARGUMENT]...' several times")
    if len(options.at) == 1 or len(options.at) > MOST_AT:
        parser.error("--at is for runs of different sizes, one each, and the "
                     f"compiler takes up to {MOST_AT}")
    return options


def write(path, text):
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise Failure(f"{path}: it cannot be written "
                      f"({error.strerror or error})") from error


def merge(options):
    found = []
    for name in options.words:
        found += records.read_records(name, read_text(Path(name)))
    kept = records.merged(found)
    write(options.output, records.text_of(kept))
    print(f"{options.output}: {len(kept)} of {len(found)} records")


# ---- Measuring --------------------------------------------------------------

class Measure:
    """exact: a figure of one run is that of all."""

    def __init__(self, program, by):
        self.program, self.by = program, by
        self.exact = by == "model"
        self.cost = runs.by_model if self.exact else runs.by_time

    def __call__(self, _build, timeout):
        run = self.program.profiled(timeout)
        return self.program.counted(timeout, run) if self.exact else run

    def figure(self, build, run, slot):
        """Milliseconds of a SCoP or a kernel, wherever it is; None if it did
        not run on the device."""
        found = []
        for entry in {runs.place_of(one): one
                      for one in build.scops.get(slot.key, ())}.values():
            about = {one["name"]: one for one in entry["kernels"]}
            wanted = about if slot.kernel is None else \
                [entry["kernels"][slot.kernel]["name"]]
            found += [self.cost(kernel, entry, about[kernel.name])
                      for kernel in run.kernels.get(runs.place_of(entry), ())
                      if kernel.name in wanted]
        return sum(found) if found else None

    def totals(self, build, run):
        figures = {key: self.figure(build, run, Slot(key, None))
                   for key in build.scops}
        return {key: figure for key, figure in figures.items() if figure}


def says(text):
    print(f"polygpu tune: {text}", file=sys.stderr, flush=True)


def way_of(options):
    """By time on a GPU, by the model without."""
    has = find_cuda.has_gpu()
    if options.device == "cuda" or (has and options.device != "emulated"):
        return "time"
    if not options.device:
        says("no GPU is found here: what candidates take is the model's "
             "estimate, by what the checked emulated device counts"
             + ("" if find_cuda.ptxas() else
                "; ptxas is not installed, and registers are not looked at"))
    return "model"


def reference(program, progress):
    """What the program gives on the CPU."""
    kept = {name: Path(name).read_bytes() for name in program.compare
            if Path(name).is_file()}
    first, _ = program.run(progress.left(), POLYGPU="off")
    missing = [name for name, one in first.files.items() if not one]
    for name in missing:
        if name in kept:  # it may be what the program reads
            Path(name).write_bytes(kept[name])
    if missing:
        raise Failure(f"--compare {missing[0]}: the program does not write this "
                      "file (it is removed before each run)")
    again, _ = program.run(progress.left(), POLYGPU="off")
    wrong = runs.difference(first, again)
    if wrong:
        raise Failure(f"two runs of '{' '.join(program.command)}' differ "
                      f"({wrong}), so that none can be compared; let it print "
                      "the same each time, or give --no-stdout and --compare "
                      "FILE")
    return first


def untuned_run(program, measure, build, progress, expected):
    """The first run on the device, and what all others are compared with."""
    before = progress.elapsed()
    run = measure(build, progress.left())
    took = progress.elapsed() - before
    if run.device == "none" or (measure.by == "time") != (run.device == "cuda"):
        wanted = "a GPU" if measure.by == "time" else "the emulated device"
        raise Failure(f"no loops of '{' '.join(program.command)}' ran on "
                      f"{wanted}; POLYGPU_DEBUG=1 with the program says why")
    wrong = runs.differences(expected, run)
    if runs.differences(run.results[0], run):
        raise Failure("two runs of the program as it is differ on the device "
                      f"({wrong}); candidates cannot be compared with that")
    if wrong:
        says(f"on the device the program gives {wrong} than on the CPU; was it "
             "compiled without -mfma? Candidates are compared with the device's")
    program.timeout = 10 * took + 10
    return run


# ---- The end ----------------------------------------------------------------

def comment_of(build, key, by):
    one = build.scops[key][0]
    return (f"{one['function']} ({one['file']}:{one['line']}), "
            f"{datetime.date.today().isoformat()}, {platform.node()}, "
            + (gpu_name() if by == "time" else "no GPU"))


def gpu_name():
    try:
        return find_cuda.describe(find_cuda.open_driver(), 0)
    except find_cuda.NoDriver:
        return "a GPU"


def warn_of_architecture(archs):
    name = gpu_name()
    other = sorted(arch for arch in archs if arch not in name)
    if other and "sm_" in name:
        says(f"kernels are compiled for {', '.join(other)}, and this is {name}; "
             "records hold for what is compiled for the same: -gpu-arch=native "
             "is for this GPU")


def checked_together(search, measure, totals):
    """The chosen ones in one program: key -> (before, after); what does not gain
    there is dropped."""
    while search.gained():
        choices = {key: records.choice_text(choice)
                   for key, choice in search.best.items() if choice}
        build = search.builder.build(choices, None)
        every = [measure(build, None) for _ in range(1 if measure.exact else 3)]
        wrong = next(filter(None, (runs.differences(search.expected, run)
                                   for run in every)), "")
        if wrong:
            raise Failure(f"what is right one by one gives {wrong} together; "
                          "nothing is written")
        figures = [measure.totals(build, run) for run in every]
        found = {}
        for key in search.gained():
            before = search.figures(Slot(key, None), search.as_it_is(key)) \
                or [totals[key]]
            after = [one.get(key, totals[key]) for one in figures]
            found[key] = (statistics.median(before), statistics.median(after))
        worse = [key for key, (before, after) in found.items()
                 if after > (1 - GAIN) * before]
        if not worse:
            return found
        for key in worse:
            search.best[key] = search.as_it_is(key)
    return {}


# What a search came to.  found: see checked_together.  sizes: of SCoPs by key,
# the least and the largest value of each parameter.
Outcome = namedtuple("Outcome", "search found build why status progress sizes "
                     "program")


def state_of(options, words, by, suffix, base=""):
    path = options.output.with_suffix(suffix)
    # In the order in which the search asked for them.
    of = {"build": options.build, "run": words, "by": by,
          "compare": options.compare,
          "device": gpu_name() if by == "time" else "",
          "version": options.version}
    if base:
        of["base"] = base
    state = State(path, of)
    if state.begun_anew:
        says(f"{path} is of another command, and is begun anew")
    elif state.resumed:
        says(f"goes on after {clock(state.data['seconds'])} with what is in "
             f"{path}")
    return state


def tune(options):
    by = way_of(options)
    kept = records.read_records(options.output, read_text(options.output)) \
        if options.output.exists() else []
    with tempfile.TemporaryDirectory(prefix="polygpu-tune-") as folder:
        if options.at:
            return tune_at(Path(folder), options, by, kept)
        state = state_of(options, options.words, by, ".state.json")
        one = search_in(Path(folder), options, by, state, options.words)
    finish(options, by, state, one, kept)
    return one.status


def sizes_of(build, seen):
    """key -> what Program.sizes has seen of its loops, wherever they are."""
    made = {}
    for key, entries in build.scops.items():
        places = {runs.place_of(entry) for entry in entries}
        some = [sizes for place in places for sizes, _ in seen.get(place, ())]
        sizes = ranges.merged(some)
        if sizes:
            made[key] = sizes
    return made


def search_in(folder, options, by, state, words, start=None):
    """One search, for what "words" run, from what was chosen for all sizes."""
    progress = Progress(options.limit, state)
    builder = Builder(options.build, folder, ["-gpu-targets=ptx,emulated-checked"]
                      if by == "model" else [])
    program = runs.Program(words, options.compare, options.stdout, folder)
    program.device = "emulated" if by == "model" else None
    measure = Measure(program, by)
    says("the program is built and run as it is" if start is None else
         f"for '{' '.join(words)}' the program is built and run with what was "
         "found for all sizes")
    try:
        build = first_build(builder, progress.left(), {
            key: records.choice_text(choice)
            for key, choice in (start or {}).items() if choice})
        expected = reference(program, progress)
        run = untuned_run(program, measure, build, progress, expected)
        sizes = sizes_of(build, program.sizes(progress.left())[0]) \
            if options.at else {}
    except (subprocess.TimeoutExpired, TimeUp) as error:
        raise Failure("the time is over before the program as it is was built "
                      "and run; raise --limit") from error
    totals = measure.totals(build, run)
    search = Search(builder, measure, state, progress,
                    Base(build.scops, run.failed), start)
    search.most = options.most
    search.expected = run.results[0]
    hot = hot_slots(totals)
    if start is not None:
        hot = [key for key in hot
               if not any(entry["overlap"] for entry in build.scops[key])]
    for key in hot:
        one = build.scops[key][0]
        progress.names[key] = f"{one['function']}:{one['line']}"
        says(f"{progress.names[key]}: {totals[key]:.4g} ms as it is, "
             f"{100 * totals[key] / sum(totals.values()):.0f}% of the time in "
             "loops, by " + ("time" if by == "time" else "the model"))
    if find_cuda.ptxas() and not any(
            kernel["registers"] for key in hot for entry in build.scops[key]
            for kernel in entry["kernels"]):
        says("ptxas is not asked for registers where no -gpu-arch is given")
    if by == "time":
        warn_of_architecture({arch for _, arch in hot})
    progress.whole = sum(totals[key] for key in hot)
    progress.longest = progress.elapsed() / 2
    state.point(progress.before + progress.elapsed(), progress.part())
    status = 0
    try:
        search.run(hot)
        why = "all candidates were tried"
    except TimeUp:
        why = "the time is over"
    except KeyboardInterrupt:
        why, status = "stopped", 130
    progress.close()
    says(f"{why}; the best so far is checked together" +
         (" (with Ctrl-C it is not, and nothing is written)" if status else ""))
    try:
        found = checked_together(search, measure, totals)
    except (BuildFailed, subprocess.TimeoutExpired) as error:
        raise Failure("what was built and run one by one is not together "
                      f"({error}); nothing is written") from error
    return Outcome(search, found, build, why, status, progress, sizes, program)


def records_of(by, one):
    return [records.Record(*key, by, before, after,
                           records.choice_text(one.search.best[key]),
                           comment_of(one.build, key, by))
            for key, (before, after) in sorted(one.found.items())]


def finish(options, by, state, one, kept):
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    new = records_of(by, one)
    progress = one.progress
    keys = {(one.scop, one.arch) for one in new}
    kept = [one for one in kept if (one.scop, one.arch) not in keys]
    write(options.output, records.text_of(records.merged(kept + new)))
    if new:
        state.point(state.data["seconds"], 1 - sum(
            one.before - one.after for one in new) / progress.whole)
    points = state.data["curve"]
    write(options.output.with_suffix(".curve.csv"), curve.csv_of(points))
    write(options.output.with_suffix(".curve.svg"),
          curve.svg_of(points, f"{' '.join(options.words)}: the best so far, "
                       + ("measured" if by == "time" else "by the model"),
                       state.data["seconds"]))
    tell(options, by, new, {(made.scop, made.arch): progress.names[
        made.scop, made.arch] for made in new}, progress, one.why)


def tell(options, by, new, names, progress, why):
    for one in new:
        print(f"{names[one.scop, one.arch]}: {one.before:.4g} ms -> "
              f"{one.after:.4g} ms with {one.choice}"
              + (f" where {one.when}" if one.when else ""))
    print(f"{options.output}: {len(new)} of "
          f"{len(progress.names)} nests of loops tuned, by "
          f"{'time' if by == 'time' else 'the model'}, in {progress.trials} "
          f"trials; {why}")
    if new:
        print(f"compile with -mllvm -gpu-tuning={options.output}")


# ---- For several sizes ------------------------------------------------------

def tune_at(folder, options, by, kept):
    """The first program's records are for all sizes; from there on the others
    are searched, each with a state of its own."""
    every, start = [], None
    for number, words in enumerate(options.at, 1):
        base = "; ".join(f"{' '.join(key)} {records.choice_text(choice)}"
                         for key, choice in sorted((start or {}).items()))
        state = state_of(options, words, by, f".{number}.state.json", base)
        one = search_in(folder, options, by, state, words, start)
        every.append(one)
        if one.status:
            break
        if start is None:
            start = one.search.gained()
    new = records_of(by, every[0])
    for at, one in enumerate(every[1:], 1):
        new += records_at(by, every, at)
    if not any(one.status for one in every):
        new = checked_at(folder, options, by, every, new)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    keys = {(one.scop, one.arch) for one in new}
    kept = [one for one in kept if (one.scop, one.arch) not in keys]
    write(options.output, records.text_of(records.merged(kept + new)))
    for one in new:
        print(f"{name_of(every, one)}: {one.before:.4g} ms -> {one.after:.4g} ms "
              f"with {one.choice or 'nothing'}"
              + (f", where {one.when}" if one.when else ""))
    print(f"{options.output}: {len(new)} records, {sum(bool(one.when) for one in new)} "
          f"of them for some sizes, by {'time' if by == 'time' else 'the model'}; "
          + every[-1].why)
    if new:
        print(f"compile with -mllvm -gpu-tuning={options.output}")
    return every[-1].status


def name_of(every, record):
    key = (record.scop, record.arch)
    return next(one.progress.names[key] for one in every
                if key in one.progress.names)


def records_at(by, every, at):
    """What run number "at" has found, for its sizes."""
    made = []
    for one in records_of(by, every[at]):
        key = (one.scop, one.arch)
        others = [each.sizes[key] for number, each in enumerate(every)
                  if number != at and key in each.sizes]
        when = ranges.when_of(every[at].sizes.get(key, []), others)
        if when is None:
            says(f"not taken: {name_of(every, one)}: {one.choice}: no parameter "
                 "of the loops tells its sizes from those of the other programs")
            continue
        choice = {name: value for name, value
                  in every[at].search.best[key].items()
                  if name not in ("fusion", "time")}
        made.append(one._replace(choice=records.choice_text(choice), when=when))
    return made


def checked_at(folder, options, by, every, new):
    """All records in one program, which each of the runs has to get on with;
    what does not come to run at its sizes is dropped."""
    if not any(one.when for one in new):
        return new
    builder = Builder(options.build, folder, ["-gpu-targets=ptx,emulated-checked"]
                      if by == "model" else [])
    build = builder.build_records(new, None)
    ran = {}
    for one in every:
        seen, result = one.program.sizes(None)
        wrong = runs.difference(one.search.expected, result)
        if wrong:
            raise Failure("what is right one by one gives "
                          f"{wrong} together, for '{' '.join(one.program.command)}'"
                          "; nothing is written")
        for key, entries in build.scops.items():
            for entry in entries:
                for _, whens in seen.get(runs.place_of(entry), ()):
                    ran.setdefault(key, set()).update(whens)
    kept = []
    for one in new:
        key = (one.scop, one.arch)
        if one.when and one.when not in ran.get(key, ()):
            says(f"not taken: {name_of(every, one)}: where {one.when}: "
                 + build.misfits.get((*key, one.when), "no run has it"))
        else:
            kept.append(one)
    return kept


def main(argv):
    # Where a shell has started us behind its back, Ctrl-C is ignored.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    options = arguments(argv)
    try:
        if options.merge:
            merge(options)
            return 0
        return tune(options)
    except Failure as failure:
        says(re.sub(r"\s*\n\s*", " ", str(failure)))
        return 1
    except KeyboardInterrupt:
        says("stopped before anything was found")
        return 130


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
