"""Builds and runs the programs of the suite, and prints a table.

  benchmarks/polybench/run --list
  benchmarks/polybench/run --check --device emulated --size MINI
  benchmarks/polybench/run --size LARGE --device cuda --programs gemm,2mm \\
      --type float,double --form c99,int --repeat 3

Each program is compiled without PolyGPU and, unless the device is "none", with
it, for each element type and form of arrays.  --check runs both on the same
inputs and compares all arrays bit by bit; a NaN equals any NaN.  It also
compares kernels and launches with kernels.py, and, on the emulated device at
MINI, bytes that are copied and allocations with counts.py.  Exits with 1 if something does
not build or run, or if something differs.

The columns: loop nests that were offloaded, and innermost loops that were not
(SCoPs, left); kernels with the parallel dimensions of each (0: one thread); launches; seconds
to compile with and without PolyGPU; milliseconds of the sequential program
(with --check), of the offloaded one, of its kernels, and of its SCoPs beside
the kernels: transfers, memory, and the host's part; bytes to and from the
device.  Those runs have no cost test (POLYGPU_COST=off).

  benchmarks/polybench/run --cpu --size HOST

adds what a program takes on the CPU: as plain clang compiles it (cpu), built
with PolyGPU under POLYGPU=off (off), and where the cost test has declined all
loops (declined), each the shortest of --rounds runs that take turns, in
processor time; the quotients are by the first.  --auto adds the time under POLYGPU=auto, without
what opening the device takes, and its quotient by the shortest of sequential
and total: at most 1.2 is wanted.
"""

import argparse
import json
import os
import random
import re
import shutil
import sys
import tempfile
import time
from collections import namedtuple
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
TESTS = HERE.parents[1] / "test" / "programs"
sys.path.insert(0, str(TESTS))

import counts
from kernels import KERNELS
from programs import INEXACT, PROGRAMS, SIZES
from run import Failure, call, compare, environment, profile_lines

FORMS = {"c99": 1, "int": 2, "size_t": 3}
DEVICES = ("none", "emulated", "cuda")
EMULATED = "libpolygpu_emulated.so"
TARGETS = {"emulated": "emulated-checked", "cuda": "ptx"}

# Contraction is the same in sequential loops and in kernels (see README.md).
FLAGS = ["-O3", "-mfma"]
REMARKS = ["-Rpass=gpu-polyhedral", "-Rpass-missed=gpu-polyhedral"]

# about: what --help says.  folder: of the sources.  inexact: programs whose
# kernels call functions that are not exact.  expectations: of kernels and
# launches.  counts: are bytes and allocations in the table of counts.py?
Suite = namedtuple("Suite", "about folder programs sizes inexact expectations "
                   "counts")
POLYBENCH = Suite(__doc__, HERE, PROGRAMS, SIZES, INEXACT, KERNELS, True)

# size: a name, or the sizes themselves.
Case = namedtuple("Case", "program type form size")


# ---- What compiler and program say ----------------------------------------

# arrays: kernel name -> names of its arrays, under -gpu-print-kernels.
Remarks = namedtuple("Remarks", "scops kernels missed arrays",
                     defaults=({},))
REMARK = re.compile(r"^\S+?:(\d+):\d+: remark: (.*) "
                    r"\[-Rpass(-missed)?=gpu-polyhedral\]$")
KERNEL = re.compile(r"\b(\w+) \((?:(\d+) parallel dimension|one thread)")
PRINTED = re.compile(r"^__global__ void (\w+)\((.*)\)$", re.MULTILINE)


def read_remarks(stderr):
    """The number of offloaded loop nests, the parallel dimensions of each
    kernel, (line, sentence) of what was not offloaded, and the arrays of the
    kernels that were printed."""
    scops, kernels, missed = 0, [], []
    for line in stderr.splitlines():
        found = REMARK.match(line)
        if not found:
            continue
        if found.group(3):
            missed.append((int(found.group(1)), found.group(2)))
            continue
        scops += 1
        text = found.group(2).partition(": ")[2]
        kernels += [int(n or 0) for _, n in KERNEL.findall(text)]
    arrays = {name: re.findall(r"\*(\w+)", parameters)
              for name, parameters in PRINTED.findall(stderr)}
    return Remarks(scops, kernels, missed, arrays)


Times = namedtuple("Times", "seconds first repetitions checksum nonfinite "
                   "processor", defaults=(0.0,))


def read_times(stderr):
    """The line of bench.c."""
    found = re.search(r"^bench: (.*)$", stderr, re.MULTILINE)
    if not found:
        raise Failure(f"no line of the harness: {stderr}")
    fields = dict(field.split("=") for field in found.group(1).split())
    return Times(float(fields["seconds"]), float(fields["first"]),
                 int(fields["repetitions"]), fields["checksum"],
                 int(fields["nonfinite"]), float(fields.get("processor", 0)))


# Of one repetition; milliseconds and bytes.
Device = namedtuple("Device", "launches kernels scops bytes_in bytes_out "
                    "declined failed transfer other allocations")
ALLOCATIONS = re.compile(r"^polygpu: operations .*\balloc=(\d+)", re.MULTILINE)


def read_device(stderr, device, repetitions):
    scops, kernels = profile_lines(stderr)

    def total(lines, field):
        return sum(float(fields[field]) for fields in lines) / repetitions

    return Device(round(total(kernels, "launches")), total(kernels, "time_ms"),
                  total(scops, "time_ms"), total(scops, "bytes_in"),
                  total(scops, "bytes_out"),
                  sum(int(fields["declined"]) for fields in scops),
                  sum(int(fields["failed"]) for fields in scops),
                  total(scops, "in_ms") + total(scops, "out_ms"),
                  [fields["line"] for fields in scops if fields["device"]
                   not in (device, "none")],
                  sum(map(int, ALLOCATIONS.findall(stderr))))


def counts_of(device):
    return counts.Counts(round(device.bytes_in), round(device.bytes_out),
                         device.allocations)


# ---- One program -----------------------------------------------------------

# Seconds of the processor.
Host = namedtuple("Host", "cpu off declined")

# What is not known is None; auto is in seconds.
Result = namedtuple("Result", "case check remarks compile_plain compile_gpu "
                    "sequential offloaded device problem host auto machine",
                    defaults=(None, None, False))


def compile_only(options, case, flags, code):
    """Compiles; returns stderr and the seconds that it took."""
    program = options.suite.programs[case.program]
    source = options.suite.folder / f"{program.source or case.program}.c"
    start = time.monotonic()
    stderr = call([options.clang, *flags, f"-I{HERE}", f"-DT={case.type}",
                   f"-DFORM={FORMS[case.form]}",
                   *(f"-D{macro}" for macro in program.macros),
                   "-c", source, "-o", code], timeout=options.timeout)
    return stderr, time.monotonic() - start


def compile_case(options, case, flags, output, objects):
    """Compiles and links; returns stderr and the seconds of the compilation."""
    code = output.with_suffix(".o")
    stderr, seconds = compile_only(options, case, flags, code)
    config = [flag for flag in flags if str(flag).startswith("--config=")]
    call([options.clang, *config, "-s", code, *objects, "-lm", "-o", output],
         timeout=options.timeout)
    return stderr, seconds


def compile_harness(options, work):
    objects = []
    for source in (HERE / "bench.c", TESTS / "harness.c"):
        objects.append(work / f"{source.stem}.o")
        call([options.clang, "-O2", "-c", source, "-o", objects[-1]])
    return objects


def on_machine(options, case):
    """Does the case also run on the PTX machine?"""
    return (getattr(options, "ptx", None) and
            case.program not in options.suite.inexact)


def gpu_flags(options, case=None):
    arch = ["-mllvm", f"-gpu-arch={options.arch}"] if options.arch else []
    for flag in getattr(options, "opt", None) or []:
        arch += ["-mllvm", flag]
    targets = options.targets
    if case and on_machine(options, case):
        targets = f"ptx,{targets}"
        arch += ["-mllvm", "-gpu-cuda-path="]  # no cubins, which take time
    return [f"--config={options.cfg}", *FLAGS, "-mllvm", "-gpu-offload",
            "-mllvm", f"-gpu-targets={targets}", *arch, *REMARKS]


def execute(options, case, binary, dump, **settings):
    sizes = map(str, case.size if isinstance(case.size, tuple)
                else options.suite.programs[case.program].sizes[case.size])
    library = binary.parents[1] / EMULATED  # of a bundle
    if library.exists():
        settings["POLYGPU_EMULATED"] = str(library)
    if "POLYGPU_CHAIN" in os.environ:  # as kernels.py expects
        settings["POLYGPU_CHAIN"] = os.environ["POLYGPU_CHAIN"]
    env = environment(options.seed, dump or "",
                      POLYGPU_REPEAT=str(options.repeat), **settings)
    return call([binary, *sizes], env, options.timeout)


def why_not(options, case, binary):
    """What the runtime says where it ran the original loops."""
    try:
        execute(options, case, binary, None, POLYGPU="mandatory",
                POLYGPU_DEVICE=options.device)
    except Failure as failure:
        lines = [line for line in str(failure).splitlines()
                 if line.startswith("polygpu: ")]
        if lines:
            return lines[-1][len("polygpu: "):]
    return "no reason given"


def counted(options):
    """Are bytes and allocations compared with those of the table?"""
    return (options.suite.counts and
            options.device == "emulated" and options.repeat == 1 and
            not options.opt and not options.write_counts)


def judge(options, case, remarks, device, dumps):
    """The word in the table for a run that ended."""
    if device.other:
        return "device"
    if device.failed:
        return "failed"
    if options.check:
        try:
            compare(*(dump.read_bytes() for dump in dumps))
        except Failure as failure:
            return f"DIFFERS: {failure}"
        if not device.declined:
            others = "; ".join(options.suite.expectations.deviations(
                case.program, case.form, case.size, remarks.scops,
                len(remarks.missed), remarks.kernels, device.launches))
            if others:
                return f"KERNELS: {others}"
            more = "; ".join(counts.excess(case, counts_of(device))
                             if counted(options) else ())
            if more:
                return f"COUNTS: {more}"
    return "declined" if device.declined else "ok" if options.check else "-"


# Executables ("gpu" is None for device none), what the compiler said, seconds.
Built = namedtuple("Built", "plain gpu remarks compile_plain compile_gpu")


def build_case(options, case, objects, work):
    plain, gpu = work / "sequential", work / "offloaded"
    _, plain_time = compile_case(options, case, FLAGS, plain, objects)
    if options.device == "none" and not options.cpu:
        return Built(plain, None, None, plain_time, None)
    stderr, gpu_time = compile_case(options, case,
                                    gpu_flags(options, case), gpu, objects)
    return Built(plain, gpu, read_remarks(stderr), plain_time, gpu_time)


def measure_host(options, case, built):
    """Plain clang's program against ours where nothing is offloaded."""
    ways = {"cpu": (built.plain, {}),
            "off": (built.gpu, {"POLYGPU": "off"}),
            # With such a model no run is ever worth it.
            "declined": (built.gpu, {"POLYGPU_DEVICE": "emulated",
                                     "POLYGPU_COST": "run=1e15"})}
    best = dict.fromkeys(ways, float("inf"))
    sums = set()
    for _ in range(options.rounds):
        for way, (binary, settings) in ways.items():
            times = read_times(execute(options, case, binary, None, **settings))
            best[way] = min(best[way], times.processor)
            sums.add(times.checksum)
    if len(sums) > 1:
        raise Failure("the results without a device differ")
    return Host(**best)


def run_machine(options, case, built, launches, work):
    """Runs the program on the PTX machine, where each launch is executed in
    several orders; a word and a problem as judge() has them."""
    dump = work / "machine.dump"
    try:
        stderr = execute(options, case, built.gpu, dump, POLYGPU="mandatory",
                         POLYGPU_COST="off", POLYGPU_DEVICE="cuda",
                         POLYGPU_PROFILE="lines",
                         PTX_MACHINE=os.environ.get("PTX_MACHINE",
                                                    "orders=all"),
                         LD_LIBRARY_PATH=str(options.ptx.resolve()))
        device = read_device(stderr, "cuda", read_times(stderr).repetitions)
        if device.launches != launches or device.other or device.declined:
            raise Failure(f"{device.launches} launches instead of {launches}")
        compare((work / "sequential.dump").read_bytes(), dump.read_bytes())
    except Failure as failure:
        return "MACHINE", str(failure)
    return "ok", None


def run_built(options, built, result, work):
    """Runs what was built; yields the result whenever more of it is known."""
    case, dumps = result.case, [None, None]
    if options.check:
        dumps = [work / "sequential.dump", work / "offloaded.dump"]
    if options.device == "none" or options.check:
        stderr = execute(options, case, built.plain, dumps[0])
        result = result._replace(sequential=read_times(stderr), check="-")
        yield result
        if result.sequential.nonfinite:
            raise Failure("the sequential program gives infinite values or "
                          "NaN")
    if options.cpu:
        result = result._replace(host=measure_host(options, case, built))
        yield result
    if options.device == "none":
        return
    count = {"POLYGPU_FAULT": "count"} if options.device == "emulated" else {}
    stderr = execute(options, case, built.gpu, dumps[1], POLYGPU_COST="off",
                     POLYGPU_DEVICE=options.device, POLYGPU_PROFILE="lines",
                     **count)
    times = read_times(stderr)
    device = read_device(stderr, options.device, times.repetitions)
    check, _, problem = judge(options, case, built.remarks, device,
                              dumps).partition(": ")
    if check in ("failed", "declined"):
        problem = why_not(options, case, built.gpu)
    result = result._replace(check=check, offloaded=times, device=device,
                             problem=problem or None)
    yield result
    if on_machine(options, case) and check == "ok":
        check, problem = run_machine(options, case, built, device.launches,
                                     work)
        result = result._replace(check=check, problem=problem,
                                 machine=check == "ok")
        yield result
    if options.auto:
        stderr = execute(options, case, built.gpu, None,
                         POLYGPU_DEVICE=options.device,
                         POLYGPU_COST="auto,open=1e-9,load=1e-9")
        yield result._replace(auto=read_times(stderr).seconds)


def run_case(options, case, objects, folder):
    """Builds, unless that is done, and runs one row; a Failure becomes part of
    the result."""
    work = folder / "-".join(case)
    work.mkdir(parents=True, exist_ok=True)
    result = Result(case, *[None] * 8)
    try:
        built = (options.prebuilt[case[:3]] if options.prebuilt else
                 build_case(options, case, objects, work))
        result = result._replace(remarks=built.remarks,
                                 compile_plain=built.compile_plain,
                                 compile_gpu=built.compile_gpu)
        for known in run_built(options, built, result, work):
            result = known
        return result
    except Failure as failure:
        return result._replace(check="ERROR", problem=str(failure))
    finally:
        if not options.work:
            shutil.rmtree(work)


# ---- Bundles ---------------------------------------------------------------


def plugin_path(cfg):
    """The plugin that a clang configuration file loads."""
    cfg = Path(cfg).resolve()
    try:
        found = re.search(r"^-fpass-plugin=(.+)$", cfg.read_text(),
                          re.MULTILINE)
    except OSError as error:
        raise Failure(f"cannot read {cfg}: {error.strerror}") from None
    if not found:
        raise Failure(f"{cfg} loads no plugin")
    return found.group(1).strip().replace("<CFGDIR>", str(cfg.parent))


def write_bundle(options, folder):
    """Builds all cases into a folder, with a list of them for --prebuilt."""
    objects = compile_harness(options, folder)
    entries = []
    for case in cases(options):
        name = "-".join(case[:3])
        work = folder / name
        work.mkdir()
        built = build_case(options, case, objects, work)
        for path in work.glob("*.o"):
            path.unlink()
        entries.append({"case": case[:3], "remarks": built.remarks,
                        "times": [built.compile_plain, built.compile_gpu]})
        print(f"{name} built in {built.compile_gpu:.1f} s", flush=True)
    for path in objects:
        path.unlink()
    if "emulated" in options.targets:
        shutil.copy(Path(plugin_path(options.cfg)).with_name(EMULATED), folder)
    (folder / "bundle.json").write_text(json.dumps(entries, indent=1))


def read_bundle(folder):
    """(program, type, form) -> Built, of a folder that write_bundle made."""
    bundle = {}
    for entry in json.loads((folder / "bundle.json").read_text()):
        work = folder / "-".join(entry["case"])
        scops, kernels, missed, arrays = entry["remarks"]
        bundle[tuple(entry["case"])] = Built(
            work / "sequential", work / "offloaded",
            Remarks(scops, kernels, [tuple(m) for m in missed], arrays),
            *entry["times"])
    return bundle


# ---- Table -----------------------------------------------------------------

COLUMNS = ("program", "type", "form", "check", "SCoPs", "left", "kernels",
           "parallel", "launches", "compile", "without", "sequential", "total",
           "device", "transfer", "other", "in", "out")
CPU_COLUMNS = ("cpu", "off", "off/cpu", "declined", "declined/cpu")
AUTO_COLUMNS = ("auto", "auto/best")


def amount(number):
    """Bytes for people."""
    for unit in ("", "K", "M"):
        if number < 10000:
            return f"{number:.0f}{unit}"
        number /= 1024
    return f"{number:.1f}G"


def best(result):
    """Seconds of the faster of CPU and device, None where one is not known."""
    if not result.sequential or not result.offloaded:
        return None
    return min(result.sequential.seconds, result.offloaded.seconds)


def row(result, columns=COLUMNS):
    """The cells of a result, "-" where nothing is known."""
    case, remarks, device = result.case, result.remarks, result.device
    cells = {"program": case.program, "type": case.type, "form": case.form,
             "check": result.check}
    if remarks:
        cells.update(SCoPs=remarks.scops, left=len(remarks.missed),
                     kernels=len(remarks.kernels),
                     parallel=",".join(map(str, remarks.kernels)) or "-")
    if result.compile_gpu is not None:
        cells["compile"] = f"{result.compile_gpu:.2f}"
    if result.compile_plain is not None:
        cells["without"] = f"{result.compile_plain:.2f}"
    if result.sequential:
        cells["sequential"] = f"{1000 * result.sequential.seconds:.3f}"
    if result.offloaded:
        cells["total"] = f"{1000 * result.offloaded.seconds:.3f}"
    if device and device.scops:
        cells.update(launches=device.launches, device=f"{device.kernels:.3f}",
                     transfer=f"{device.transfer:.3f}",
                     other=f"{device.scops - device.kernels - device.transfer:.3f}",
                     **{"in": amount(device.bytes_in),
                        "out": amount(device.bytes_out)})
    if result.host:
        for way, seconds in result.host._asdict().items():
            cells[way] = f"{1000 * seconds:.1f}"
            cells[f"{way}/cpu"] = f"{seconds / result.host.cpu:.3f}"
    if result.auto is not None:
        cells["auto"] = f"{1000 * result.auto:.3f}"
        if best(result):
            cells["auto/best"] = f"{result.auto / best(result):.2f}"
    return [str(cells.get(column, "-")) for column in columns]


def table(results):
    columns = COLUMNS
    if any(result.host for result in results):
        columns += CPU_COLUMNS
    if any(result.auto is not None for result in results):
        columns += AUTO_COLUMNS
    rows = [list(columns), *(row(result, columns) for result in results)]
    widths = [max(map(len, column)) for column in zip(*rows)]
    left = 4  # columns of words; the others have numbers
    return "\n".join(
        " ".join(cell.ljust(width) if at < left else cell.rjust(width)
                 for at, (cell, width) in enumerate(zip(cells, widths))).rstrip()
        for cells in rows)


def notes(results):
    """Below the table: the first remark on what stays, and what went wrong."""
    lines = []
    for result in results:
        name = " ".join(result.case[:3])
        if result.remarks and result.remarks.missed:
            line, sentence = result.remarks.missed[0]
            lines.append(f"{name}: line {line}: {sentence}")
        if result.problem:
            text = result.problem.splitlines()
            more = [f"({len(text) - 10} more lines)"] if len(text) > 10 else []
            text = "\n    ".join(text[:10] + more)
            lines.append(f"{name}: {result.check}: {text}")
    return "\n".join(lines)


# ---- Command line ----------------------------------------------------------


def words(allowed):
    """An argument parser's type: words of a list, separated by commas."""
    def parse(text):
        chosen = text.split(",")
        for word in chosen:
            if word not in allowed:
                raise argparse.ArgumentTypeError(
                    f"'{word}' is not one of {', '.join(allowed)}")
        return chosen
    return parse


def parse_arguments(arguments=None, suite=POLYBENCH):
    parser = argparse.ArgumentParser(
        prog="run", description=suite.about,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--list", action="store_true",
                        help="print programs, types and sizes")
    parser.add_argument("--programs", type=words(suite.programs),
                        metavar="A,B", default=sorted(suite.programs),
                        help="default: all")
    parser.add_argument("--size", choices=suite.sizes, default="MINI")
    parser.add_argument("--type", type=words(("double", "float", "int", "any")),
                        metavar="A,B",
                        help="element types (default: the usual one of each "
                             "program, double or int); programs that have "
                             "none of them are left out; any: one of each "
                             "program's, by the seed")
    parser.add_argument("--form", type=words(FORMS), metavar="A,B",
                        help="c99: variable-length arrays; int, size_t: "
                             "a[i * n + j] with such counters (default: c99)")
    parser.add_argument("--share", type=share, metavar="K/N",
                        help="the K-th of N parts into which the seed divides "
                             "the programs")
    parser.add_argument("--device", choices=DEVICES, default="none",
                        help="none: the sequential programs (default)")
    parser.add_argument("--check", action="store_true",
                        help="compare with the sequential program")
    parser.add_argument("--cpu", action="store_true",
                        help="compare with plain clang on the CPU")
    parser.add_argument("--rounds", type=int, default=5, metavar="N",
                        help="runs of each program for --cpu (default: 5)")
    parser.add_argument("--auto", action="store_true",
                        help="run under POLYGPU=auto as well; needs a --device")
    parser.add_argument("--ptx", type=Path, metavar="FOLDER",
                        help="with --device emulated --check: run on the PTX "
                             "machine as well, whose library is in the folder")
    parser.add_argument("--targets",
                        help="of -gpu-targets (default: emulated-checked or "
                             "ptx, as the device needs)")
    parser.add_argument("--arch", metavar="sm_NN", help="for -gpu-arch")
    parser.add_argument("--opt", action="append", metavar="FLAG",
                        help="further option of the plugin, as in "
                        "--opt=-gpu-promotion=on; may be repeated")
    parser.add_argument("--repeat", type=int, default=1, metavar="N",
                        help="run each kernel N times; total is the shortest")
    parser.add_argument("--timeout", type=float, default=300, metavar="S",
                        help="seconds for each command (default: 300)")
    parser.add_argument("--jobs", type=int, default=1, metavar="N",
                        help="programs at a time (default: 1, for times that "
                             "mean something)")
    parser.add_argument("--seed", type=int,
                        default=os.environ.get("POLYGPU_SEED"),
                        help="of the random inputs (default: POLYGPU_SEED, "
                             "else another one each time)")
    parser.add_argument("--clang", default="clang-22")
    parser.add_argument("--cfg", default=HERE.parents[1] / "build/polygpu.cfg",
                        help="clang configuration file of PolyGPU")
    parser.add_argument("--prebuilt", type=Path, metavar="FOLDER",
                        help="run what benchmarks/bundle has built")
    parser.add_argument("--write-counts", action="store_true",
                        help="write counts.csv (see counts.py)")
    parser.add_argument("--work", type=Path, metavar="FOLDER",
                        help="keep what is built and written here")
    options = parser.parse_args(arguments)
    options.suite = suite
    suite.expectations.grids = "-gpu-time=off" not in (options.opt or ())
    suite.expectations.tiles = not {"-gpu-promotion=off", "-gpu-time=off"} & set(
        options.opt or ())
    if options.check and options.device == "none":
        parser.error("--check needs a --device")
    if options.auto and options.device == "none":
        parser.error("--auto needs a --device")
    if options.ptx and (options.device != "emulated" or not options.check or
                        options.prebuilt):
        parser.error("--ptx needs --device emulated and --check, and what is "
                     "built here")
    if options.seed is None:
        options.seed = random.SystemRandom().randrange(1 << 32)
    options.targets = options.targets or TARGETS.get(options.device, "ptx")
    if options.prebuilt:
        options.prebuilt = read_bundle(options.prebuilt)
    return options


def list_programs(suite):
    for name, program in sorted(suite.programs.items()):
        print(f"{name}: {', '.join(program.types)}; "
              f"{' '.join(program.parameters)}")
        for size in suite.sizes:
            print(f"  {size:<10} {' '.join(map(str, program.sizes[size]))}")


def chosen_types(options, name):
    """Of the program's types those that the options name."""
    types = options.suite.programs[name].types
    if not options.type:
        return types if options.prebuilt else types[:1]
    drawn = random.Random(f"{options.seed} {name}").choice(types)
    return [drawn if element == "any" else element for element in options.type
            if element == "any" or element in types]


def share(text):
    """K and N of --share."""
    match = re.fullmatch(r"([1-9]\d*)/([1-9]\d*)", text)
    if not match or int(match[1]) > int(match[2]):
        raise argparse.ArgumentTypeError(
            f"{text}: allowed is K/N with 1 <= K <= N")
    return int(match[1]), int(match[2])


def chosen_programs(options):
    """The programs, or the part of them that --share asks for: the seed shuffles
    them, whatever K is, so that each is in one of the N parts."""
    if not options.share:
        return options.programs
    part, parts = options.share
    shuffled = sorted(options.programs)
    random.Random(f"{options.seed} share").shuffle(shuffled)
    return sorted(shuffled[part - 1::parts])


def usual_forms(options):
    return FORMS if options.prebuilt else ("c99",)


def cases(options):
    chosen = [Case(name, element, form, options.size)
              for name in chosen_programs(options)
              for element in chosen_types(options, name)
              for form in options.form or usual_forms(options)]
    return [case for case in chosen
            if not options.prebuilt or case[:3] in options.prebuilt]


def run_all(options, folder):
    objects = [] if options.prebuilt else compile_harness(options, folder)
    results = []
    with ThreadPoolExecutor(options.jobs) as pool:
        for result in pool.map(
                lambda case: run_case(options, case, objects, folder),
                cases(options)):
            results.append(result)
            print(" ".join(result.case[:3]), result.check, file=sys.stderr,
                  flush=True)
    return results


def report(options, results):
    """Prints the table; returns the exit status."""
    print(f"size {options.size}, device {options.device}, seed {options.seed}")
    print(table(results))
    text = notes(results)
    if text:
        print(text)
    if options.check:
        offloaded = sum(bool(r.remarks and r.remarks.scops) for r in results)
        equal = sum(r.check in ("ok", "declined") for r in results)
        print(f"{len(results)} programs, {offloaded} offloaded, {equal} equal")
    if options.ptx:
        print(f"{sum(r.machine for r in results)} programs on the PTX machine")
    if options.cpu:
        hosts = [r.host for r in results if r.host]
        slow = [max(h.off, h.declined) / h.cpu > 1.05 for h in hosts]
        print(f"{len(hosts)} programs on the CPU, {sum(slow)} more than 5% "
              "longer than with plain clang")
    if options.auto:
        chosen = [r.auto / best(r) > 1.2 for r in results
                  if r.auto is not None and best(r)]
        print(f"{len(chosen)} programs under POLYGPU=auto, {sum(chosen)} more "
              "than 1.2 times slower than the faster of CPU and device")
    if options.write_counts:
        counts.write((r.case, counts_of(r.device)) for r in results
                     if r.check == "ok")
    bad = ("ERROR", "DIFFERS", "MACHINE", "KERNELS", "COUNTS", "failed",
           "device")
    return 1 if any(result.check in bad for result in results) else 0


def main(arguments=None, suite=POLYBENCH):
    options = parse_arguments(arguments, suite)
    if options.list:
        list_programs(suite)
        return 0
    try:
        if options.work:
            options.work.mkdir(parents=True, exist_ok=True)
            return report(options, run_all(options, options.work))
        with tempfile.TemporaryDirectory() as folder:
            return report(options, run_all(options, Path(folder)))
    except Failure as failure:
        print(failure, file=sys.stderr)
        return 1
