"""Builds a program in many ways, runs each, and compares the arrays."""

import math
import os
import random
import re
import resource
import shlex
import signal
import struct
import subprocess
import tempfile
from pathlib import Path

from fuzz.coverage import OFFLOADED, Share
from fuzz.tree import FLOATS, SIZES

CODE = {"char": "b", "signed char": "b", "unsigned char": "B", "short": "h",
        "unsigned short": "H", "int": "i", "unsigned": "I", "long": "q",
        "unsigned long": "Q", "long long": "q", "unsigned long long": "Q",
        "_Float16": "e", "float": "f", "double": "d"}
# Of the processor: two functions were seen to take 24 (seed 1990).
COMPILE_SECONDS, RUN_SECONDS = 60, 20
# Of remarks by -gpu-verify, about what it refuses: kernels, and models.
DIFFERS = re.compile("this is an error of PolyGPU|"
                     "model of these loops differs from the program")
# Of all launches of a run; the PTX machine takes 0.8 seconds for a million that
# execute one statement, in all its orders.
MOST_THREADS = 1 << 22
KERNEL = re.compile(r"polygpu: kernel \S+ .*launches=(\d+) grid=([\d,]+) "
                    r"block=([\d,]+)")
# What the device is made to fail at, in a run of its own.
FAULTS = ("launch:1", "launch:2", "launch:1+", "in:1", "in:2", "out:1", "out:2",
          "alloc:1", "alloc:3", "sync:1", "start:1")
FEW = 3  # sets of options for programs of which they offload nothing
WITH_FMA = ("-O3", "-mfma")
WITHOUT = ("-O3", "-ffp-contract=off")
SANITIZED = ("-O1", "-g", "-mfma", "-fsanitize=address,undefined",
             "-fno-sanitize-recover=all")


class Failure:
    """What went wrong: kind, the option set, and a text that tells it."""

    def __init__(self, kind, options, text):
        self.kind, self.options, self.text = kind, options, text

    def same(self, other):
        return other is not None and other.kind == self.kind and \
            signature(other) == signature(self)


def signature(failure):
    """What stays the same about a compiler's crash while a program shrinks."""
    if failure.kind == "device":
        # A race, an access out of bounds, a result not copied and so on; not
        # which element of what array.
        return " ".join(re.findall(
            r"checked (?:kernel|run)|in one launch|no barrier|barrier|outside|"
            r"nothing was|not to be copied|copied out|shared", failure.text))
    for pattern in (r"Assertion `[^']*'", r"error: .{0,60}",
                    r"#\d+ 0x\w+ (polygpu::[\w:]+|pg_\w+|polly::[\w:]+)",
                    r"LLVM ERROR.{0,40}"):
        found = re.search(pattern, failure.text)
        if failure.kind == "compile" and found:
            return re.sub(r"\d+", "", found.group(0).split("0x")[0]) + \
                (found.group(1) if found.groups() else "")
    return ""


class Outcome:
    def __init__(self):
        self.failures, self.launches = [], {}
        self.threads = {}  # launched, by set of options
        self.runs, self.declined = 0, 0
        self.large = 0  # runs with too many threads for the PTX machine
        self.folded = 0  # runs that are like the unoptimised program
        self.slow = self.offloaded = False
        self.complete = False  # all sets of options were tried
        self.remarks, self.profile = "", ""  # of the first set of options


def children_seconds():
    """Processor time of all commands so far; other processes do not count."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def execute(command, seconds, env=None):
    """(exit status, output); the status is None after too long a time of the
    processor, or of sixty times as long where others use it too."""
    def limit():
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    with subprocess.Popen(command, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          env=env, start_new_session=True,
                          preexec_fn=limit) as process:
        try:
            output = process.communicate(timeout=60 * seconds)[0]
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            output = process.communicate()[0]
            return None, output.decode(errors="replace")
        late = process.returncode in (-signal.SIGXCPU, 128 + signal.SIGXCPU,
                                      -signal.SIGKILL)
        return None if late else process.returncode, \
            output.decode(errors="replace")


def threads(profile):
    """About how many threads all launches had, by the largest grids."""
    return sum(int(n) * math.prod(map(int, f"{grid},{block}".split(",")))
               for n, grid, block in KERNEL.findall(profile))


class Oracle:
    def __init__(self, clang, cfg, targets="emulated", plant=None,
                 extra=(), ptx=None):
        """plant, ptx: see --plant and --ptx of polygpu-fuzz."""
        self.extra = list(extra)
        self.repeats = 1  # runs of each offloaded build
        self.coverage = False  # count statement instances
        self.slow = None  # seconds; compile with few sets what takes longer
        self.clang, self.cfg, self.targets = clang, cfg, targets
        self.plant = plant
        self.env = {name: value for name, value in os.environ.items()
                    if not name.startswith("POLYGPU")}
        self.env.update(POLYGPU_DEVICE="emulated", POLYGPU="auto",
                        POLYGPU_PROFILE="lines", POLYGPU_COST="off",
                        ASAN_OPTIONS="detect_leaks=0")
        self.ptx = ptx
        if ptx:
            self.targets = f"ptx,{targets}"
            self.extra += ["-mllvm", "-gpu-cuda-path="]
        if plant == "launch":
            self.env.update(POLYGPU_FAULT="launch:1")

    # ---- Commands -------------------------------------------------------

    def plain(self, flags):
        return [self.clang, "-w", *flags]

    def offloading(self, flags):
        targets = [] if any("-gpu-targets=" in flag for flag in flags) else \
            ["-mllvm", f"-gpu-targets={self.targets}"]
        return [self.clang, f"--config={self.cfg}", "-w",
                "-fverify-intermediate-code", *flags, "-mllvm",
                "-gpu-offload", *targets, *self.extra,
                "-Rpass=gpu-polyhedral", "-Rpass-missed=gpu-polyhedral"]

    def devices(self, flags):
        """The environments in which an offloaded build is executed."""
        yield self.env
        if "-gpu-cpu=parallel" in self.offloading(flags):
            cores = {**self.env, "POLYGPU": "off", "POLYGPU_CPU": "parallel",
                     "OMP_NUM_THREADS": "3"}
            del cores["POLYGPU_PROFILE"]
            yield cores
        has_ptx = any(flag.startswith("-gpu-targets=ptx") for flag in
                      self.offloading(flags))
        if self.ptx and has_ptx:
            machine = {**self.env, "POLYGPU_DEVICE": "cuda",
                       "PTX_MACHINE": "orders=all",
                       "LD_LIBRARY_PATH": str(self.ptx.resolve())}
            yield machine
            # With a profile each kernel is waited for.
            late = {**machine, "PTX_MACHINE": "streams=late",
                    "POLYGPU_GRAPHS": "on"}
            del late["POLYGPU_PROFILE"]
            yield late

    @staticmethod
    def renaming(program, suffix):
        return [f"-D{name}={name}{suffix}" for name in program.renamed()]

    # ---- One program ----------------------------------------------------

    def check(self, program, option_sets, variant=None):
        """Compares all option sets; variant is a program that must do the
        same as program and takes its place in the offloaded builds."""
        with tempfile.TemporaryDirectory(prefix="polygpu-fuzz-") as work:
            return self.check_in(Path(work), program, option_sets,
                                 variant or program)

    def check_in(self, work, program, option_sets, variant):
        outcome = Outcome()
        if variant is not program:
            program = program.copy()
            for k, other in zip(program.kernels, variant.kernels):
                k.params, k.calls = other.params, other.calls
                k.forced = other.used()
        (work / "kernel.c").write_text(program.kernel_text())
        (work / "variant.c").write_text(variant.kernel_text())
        builds = [("_r0", None, self.plain(WITH_FMA), "kernel.c"),
                  ("_r1", None, self.plain(WITHOUT), "kernel.c")]
        builds += [(f"_{n}", flags, self.offloading(flags), "variant.c")
                   for n, flags in enumerate(option_sets)]
        made = self.build(work, variant, builds, outcome)
        (work / "main.c").write_text(
            variant.main_text([suffix for suffix, _ in made]))
        for command in (
                self.plain(["-O1", "-c", work / "main.c", "-o",
                            work / "main.o"]),
                [self.clang, f"--config={self.cfg}", "-fuse-ld=lld",
                 work / "main.o", *(work / f"{s}.o" for s, _ in made), "-o",
                 work / "program"]):
            status, output = execute(command, COMPILE_SECONDS)
            if status != 0:
                raise RuntimeError(f"seed {program.seed}: {output}")
        self.compare_runs(work, program, made, outcome)
        outcome.share = Share(variant, outcome.remarks, outcome.profile,
                              *self.counted(work, variant, made, outcome))
        return outcome

    def build(self, work, program, builds, outcome):
        """Compiles the kernels; gives (suffix, options) of what was made."""
        made = []
        for number, (suffix, flags, command, source) in enumerate(builds):
            if outcome.slow or number >= 2 + FEW and not outcome.offloaded:
                return made
            begin = children_seconds()
            status, output = execute(
                [*command, *self.renaming(program, suffix), "-c",
                 work / source, "-o", work / f"{suffix}.o"], COMPILE_SECONDS)
            if flags is None and status != 0:
                raise RuntimeError(f"seed {program.seed}: no reference: "
                                   f"{output}\n{program.kernel_text()}")
            if flags is None and \
                    b"polygpu_begin" in (work / f"{suffix}.o").read_bytes():
                raise RuntimeError("the reference is offloaded itself")
            if status != 0:
                kind = "compile timeout" if status is None else "compile"
                outcome.failures.append(Failure(kind, flags, output))
                if status is None:
                    return made  # the other sets of options take as long
                continue
            if flags is not None and DIFFERS.search(output):
                outcome.failures.append(Failure("verify", flags, output))
            outcome.offloaded |= OFFLOADED.search(output) is not None
            if number == 2:
                outcome.slow = self.slow is not None and \
                    children_seconds() - begin > self.slow
                outcome.remarks = output
            made.append((suffix, flags))
        outcome.complete = True
        return made

    def counted(self, work, program, made, outcome):
        """Instances of statements, and why which loops were declined."""
        if not self.coverage:
            return ()
        first = next((str(n) for n, (_, flags) in enumerate(made)
                      if flags is not None), None)
        reasons = execute([work / "program", first, work / "why.dump"],
                          RUN_SECONDS, {**self.env, "POLYGPU_DEBUG": "1"})[1] \
            if outcome.declined and first else ""
        return self.count(work, program), reasons

    def count(self, work, program):
        """The lines in which a program tells how often statements ran."""
        (work / "count.c").write_text(program.counting_text())
        (work / "main.c").write_text(program.main_text([""]))
        execute(self.plain(["-O1", work / "count.c", work / "main.c", "-lm",
                            "-o", work / "count"]), COMPILE_SECONDS)
        return execute([work / "count", "0", work / "count.dump"],
                       RUN_SECONDS, self.env)[1]

    def compare_runs(self, work, program, made, outcome):
        references = []
        for number, (suffix, flags) in enumerate(made):
            dump = work / f"{suffix}.dump"
            command = [work / "program", str(number), dump]
            if flags is None:
                status, output = execute(command, RUN_SECONDS, self.env)
                if status != 0:
                    raise RuntimeError(f"seed {program.seed}: the reference "
                                       f"ends with {status}: {output}")
                references.append(dump.read_bytes())
                continue
            expected = references["-ffp-contract=off" in flags]
            for env in [*self.devices(flags)] * self.repeats:
                if env is not self.env and \
                        outcome.threads[flags] > MOST_THREADS:
                    outcome.large += 1
                    continue
                failure = self.compare_run(command, env, dump, program,
                                           expected, flags, outcome)
                if failure is None and env is self.env and \
                        outcome.launches[flags]:
                    failure = self.compare_fault(command, dump, program,
                                                 expected, flags)
                if failure is not None:
                    outcome.failures.append(failure)
                    break

    def compare_fault(self, command, dump, program, expected, flags):
        """A run in which the device fails at something computes the same."""
        r = random.Random(f"fault {program.seed} {flags}")
        fault = r.choice(FAULTS)
        status, output = execute(command, RUN_SECONDS,
                                 {**self.env, "POLYGPU_FAULT": fault})
        text = f"exit status {status}\n{output}" if status != 0 else \
            difference(program.layout(), expected, dump.read_bytes(),
                       "-fno-signed-zeros" not in flags)
        if status == 0 and text and self.is_folded(
                dump.parent, program, flags, dump.read_bytes()):
            return None
        return Failure("fault", flags, f"POLYGPU_FAULT={fault}: {text}") \
            if text else None

    def count_run(self, env, output, flags, outcome):
        """What the profile says, as a failure or None."""
        outcome.profile = outcome.profile or output
        launches = sum(int(n) for n, *_ in KERNEL.findall(output))
        if env is not self.env and launches != outcome.launches[flags]:
            return Failure("device", flags, "other launches on the PTX "
                           f"machine:\n{output}")
        outcome.launches[flags] = launches
        outcome.threads[flags] = threads(output)
        outcome.declined += sum(map(int, re.findall(r"declined=(\d+)",
                                                    output)))
        return None

    def compare_run(self, command, env, dump, program, expected, flags,
                    outcome):
        status, output = execute(command, RUN_SECONDS, env)
        if "nobody wrote byte" in output and env is not self.env:
            # LLVM may load before it is known that the value is needed: then
            # it does not matter what was loaded.
            env = {**env, "PTX_MACHINE":
                   env["PTX_MACHINE"] + ",shared=unchecked"}
            status, output = execute(command, RUN_SECONDS, env)
        outcome.runs += 1
        if "POLYGPU_PROFILE" in env:
            failure = self.count_run(env, output, flags, outcome)
            if failure is not None:
                return failure
        elif "polygpu:" in output:
            return Failure("device", flags, output)
        launches = outcome.launches[flags]
        if status != 0:
            return Failure("run timeout" if status is None else "run", flags,
                           f"exit status {status}\n{output}")
        if sum(map(int, re.findall(r"failed=(\d+)", output))):
            return Failure("device", flags, output)
        data = dump.read_bytes()
        if self.plant == "result" and launches:
            data = data[:-1] + bytes([data[-1] ^ 1])
        text = difference(program.layout(), expected, data,
                          "-fno-signed-zeros" not in flags)
        if text and self.is_folded(dump.parent, program, flags, data):
            outcome.folded += 1
            return None
        return Failure("wrong", flags, text) if text else None

    def is_folded(self, work, program, flags, data):
        """Is data what the program computes at -O0?  The optimiser unrolls
        short loops and rounds products of constants that the source fuses
        with a sum: there the reference is not what the source says."""
        if "-ffp-contract=off" in flags:
            return False
        (work / "plain.c").write_text(program.main_text([""]))
        execute(self.plain(["-O0", "-mfma", work / "kernel.c",
                            work / "plain.c", "-lm", "-o", work / "plain"]),
                COMPILE_SECONDS)
        execute([work / "plain", "0", work / "plain.dump"], RUN_SECONDS,
                self.env)
        return not difference(program.layout(), data,
                              (work / "plain.dump").read_bytes())

    def undefined(self, program):
        """What sanitizers say about the program, or None."""
        with tempfile.TemporaryDirectory(prefix="polygpu-fuzz-") as work:
            work = Path(work)
            (work / "kernel.c").write_text(program.kernel_text())
            (work / "main.c").write_text(program.main_text([""]))
            status, output = execute(
                self.plain([*SANITIZED, work / "kernel.c", work / "main.c",
                            "-o", work / "program", "-lm"]), COMPILE_SECONDS)
            if status == 0:
                status, output = execute(
                    [work / "program", "0", work / "dump"], RUN_SECONDS,
                    self.env)
            return None if status == 0 else output or "no end"

    def commands(self, options):
        """How to repeat a failure by hand, in a folder with the sources."""
        reference = WITHOUT if "-ffp-contract=off" in options else WITH_FMA
        offload = self.offloading(options)
        return "\n".join((
            shlex.join(["clang-22", *reference, "kernel.c", "main.c", "-lm",
                        "-o", "reference"]),
            shlex.join(["clang-22", *offload[1:], "kernel.c", "main.c", "-o",
                        "offloaded"]),
            "./reference 0 expected",
            "POLYGPU_DEVICE=emulated POLYGPU_COST=off POLYGPU_PROFILE=lines "
            "./offloaded 0 found", "cmp expected found"))


def difference(layout, expected, found, zeros=True):
    """The first element that differs, in words, or None; zeros of another sign
    only if zeros says so."""
    if expected == found:
        return None
    if len(expected) != len(found):
        return f"{len(found)} bytes instead of {len(expected)}"
    position, texts = 0, []
    for name, kind, elements in layout:
        size = SIZES[kind] * elements
        raw = expected[position:position + size]
        other = found[position:position + size]
        position += size
        if raw == other:
            continue
        a, b = (struct.unpack(f"={elements}{CODE[kind]}", data)
                for data in (raw, other))
        width = SIZES[kind]
        bad = [n for n in range(elements)
               if raw[n * width:(n + 1) * width] !=
               other[n * width:(n + 1) * width] and not (
                   kind in FLOATS and (a[n] != a[n] and b[n] != b[n] or
                                       not zeros and a[n] == b[n]))]
        if bad:
            n = bad[0]
            texts.append(f"{name}: {len(bad)} of {elements} elements differ, "
                         f"first [{n}]: {a[n]!r} expected, {b[n]!r} found")
    return "\n".join(texts) or None
