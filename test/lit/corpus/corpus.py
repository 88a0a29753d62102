#!/usr/bin/env python3
"""Runs the pass over much IR: files of IR, C, C++, Fortran and Rust sources,
and modules of llvm-stress.

The pass must not crash nor break the IR; where it offloads nothing it must
leave the module as it was, and its second run must change nothing.  IR is
taken as it is; sources at every level, as the compiler gives them to its
optimiser ("raw") and as they are after it, with and without debug information;
C and C++ must also compile with clang and the plugin.  Sources of languages
whose compiler is missing, or has another LLVM, are counted as unsupported.

A folder stands for the files below it; the name of the folder that a file is
in is its construct, and the summary counts by construct.  A line "FLAGS: ..."
near the top of a source has options for the compiler.
"""

import argparse
import os
import random
import re
import shlex
import shutil
import signal
import subprocess
import sys
from collections import Counter, defaultdict
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

# Seconds of the processor for one command, and of the clock where it sleeps: a
# machine with other work takes long for what is not slow.
SECONDS, ASLEEP = 60, 1800
LIMITED = ("sh", "-c", f'ulimit -S -t {SECONDS} && exec "$@"', "sh")
# The levels that clang runs for: name -> options.
CLANG = {
    "O0": ["-O0"],
    "O0-opt": ["-O0", "-Xclang", "-disable-O0-optnone"],
    # As the plugin sees it in clang.
    "raw": ["-O3", "-Xclang", "-disable-llvm-passes"],
    "raw-g": ["-O3", "-Xclang", "-disable-llvm-passes", "-g"],
}
# The levels that opt makes of raw IR: name -> (from, passes).
OPT = {
    "O1": ("raw", "default<O1>,"),
    "O2": ("raw", "default<O2>,"),
    "O3": ("raw", "default<O3>,"),
    "O3-g": ("raw-g", "default<O3>,"),
}
# A file has one of these sets of levels, the next file another one, but for
# --all-levels: the corpus has many files of each construct.
SETS = (
    ("O0", "raw"),
    ("raw", "O1"),
    ("raw-g", "O3-g"),
    ("O0-opt", "raw"),
    ("raw", "O2"),
    ("raw", "O3"),
)
FLANG = {"O0": ["-O0"], "O1": ["-O1"], "O3": ["-O3"], "O3-g": ["-O3", "-g"]}
RUSTC = {
    "O0": ["-Copt-level=0"],
    "O2": ["-Copt-level=2"],
    "raw": ["-Copt-level=3", "-Cno-prepopulate-passes"],
    "O3-g": ["-Copt-level=3", "-g"],
}
# With the plugin: one for each source.
COMPILATIONS = (["-O3", "-g"], ["-Os", "-fno-plt"])
SUFFIXES = (".ll", ".c", ".cpp", ".f90", ".rs")


class Failure(Exception):
    pass


def call(*command, stderr=subprocess.PIPE):
    words = [str(word) for word in command]
    try:
        done = subprocess.run([*LIMITED, *words], timeout=ASLEEP, check=False,
                              stdin=subprocess.DEVNULL,
                              stdout=subprocess.DEVNULL, stderr=stderr)
    except subprocess.TimeoutExpired:
        raise Failure(f"no end after {ASLEEP} s: {shlex.join(words)}") from None
    if done.returncode == -signal.SIGXCPU:
        raise Failure(f"no end after {SECONDS} s of the processor: "
                      f"{shlex.join(words)}")
    if done.returncode:
        text = (done.stderr or b"").decode(errors="replace")
        if not done.stderr and hasattr(stderr, "name"):
            text = Path(stderr.name).read_text(errors="replace")
        # The last lines, without the frames of a crash.
        lines = [line for line in text.splitlines()
                 if not re.match(r" *#\d+ |PLEASE|Stack dump", line)]
        raise Failure(f"status {done.returncode}: {shlex.join(words)}\n" +
                      "\n".join(lines[-12:]))


def text_of(path):
    """Without the first line, which names the file, what stands before it, and
    the comments that list predecessors in an order that depends on how the text
    was read."""
    text = path.read_text(errors="surrogateescape")
    text = text[max(text.find("; ModuleID = "), 0):]
    return re.sub(r"; preds = .*", "", text.partition("\n")[2])


def run_pass(options, before, after, first=""):
    """One run on the file "before"; the module's text in front of the pass and
    behind it."""
    printed = after.with_suffix(".before")
    with open(printed, "wb") as stderr:
        call(options.llvm_bin / "opt", f"-load-pass-plugin={options.plugin}",
             "-gpu-targets=ptx,emulated",
             f"-passes={first}verify,print,{options.passes},verify", "-S",
             before, "-o", after, stderr=stderr)
    texts = text_of(printed), text_of(after)
    printed.unlink()
    return texts


def check(options, raw, name, first=""):
    """The rules for one file of IR; true if something was offloaded."""
    once, twice = (options.work / f"{name}.{n}.ll" for n in (1, 2))
    before, after = run_pass(options, raw, once, first)
    offloaded = "@polygpu_begin" in after and "@polygpu_begin" not in before
    if not offloaded and before != after:
        raise Failure(f"nothing offloaded, but changed: {raw} {once}")
    if offloaded:
        before, after = run_pass(options, once, twice)
        if before != after:
            raise Failure(f"the second run changed the module: {once} {twice}")
    for path in (once, twice):
        path.unlink(missing_ok=True)
    return offloaded


def flags_of(source):
    with open(source, encoding="utf-8", errors="replace") as file:
        for line in (next(file, "") for _ in range(5)):
            if match := re.search(r"\bFLAGS: (.*?)(\*/)?$", line):
                return match[1].split()
    return []


def clang(options, source):
    flags = [f"-I{path}" for path in options.include] + flags_of(source)
    if source.suffix == ".cpp":
        return [options.llvm_bin / "clang++", "-std=c++20", "-w", *flags]
    return [options.llvm_bin / "clang", "-std=gnu17", "-D_GNU_SOURCE", "-w",
            *flags]


def make_ir(options, source, level, raw):
    if source.suffix == ".f90":
        call(options.flang, *FLANG[level], *flags_of(source), "-S",
             "-emit-llvm", "-J", options.work, source, "-o", raw)
    elif source.suffix == ".rs":
        call("rustc", "--crate-type=lib", "--emit=llvm-ir", "-Awarnings",
             "--edition=2021", *RUSTC[level], *flags_of(source), source, "-o",
             raw)
    else:
        call(*clang(options, source), *CLANG[level], "-S", "-emit-llvm",
             source, "-o", raw)


def check_source(options, source, name, result):
    """The levels of one source."""
    levels = {".f90": FLANG, ".rs": RUSTC}.get(source.suffix, CLANG)
    turn = sum(name.encode())
    wanted = SETS[turn % len(SETS)]
    if options.all_levels or levels is not CLANG:
        wanted = {**levels, **OPT}
    files = {}
    for level in (level for level in levels if level in wanted):
        files[level] = options.work / f"{name}-{level}.ll"
        with result.module(f"{source} {level}"):
            make_ir(options, source, level, files[level])
        if result.failures:
            return
        with result.again(f"{source} {level}") as module:
            module.offloaded = check(options, files[level], f"{name}-{level}")
    if levels is CLANG:
        for level in (level for level in OPT if level in wanted):
            origin, passes = OPT[level]
            with result.module(f"{source} {level}") as module:
                module.offloaded = check(options, files[origin],
                                         f"{name}-{level}", passes)
    if levels is CLANG and (options.all_levels or turn % 3 == 0):
        # The other way in: clang with the plugin.
        flags = COMPILATIONS[turn % 2]
        command = clang(options, source)
        with result.module(f"{source} compiled {' '.join(flags)}"):
            call(command[0], f"--config={options.cfg}", *command[1:], *flags,
                 "-mllvm", "-gpu-offload", "-mllvm",
                 "-gpu-targets=ptx,emulated", "-c", source, "-o",
                 options.work / f"{name}.o")
    if not result.failures:
        for path in files.values():
            path.unlink(missing_ok=True)


class Result:
    """Of one file: how many modules it made, how many of them have offloaded
    loops, and what failed."""

    def __init__(self, construct, unsupported=""):
        self.construct = construct
        self.unsupported = unsupported
        self.modules = 0
        self.offloaded = 0
        self.failures = []

    def module(self, name):
        """A module more, within which a Failure is noted."""
        self.modules += 1
        return Module(self, name)

    def again(self, name):
        return Module(self, name)


class Module:
    def __init__(self, result, name):
        self.result, self.name, self.offloaded = result, name, False

    def __enter__(self):
        return self

    def __exit__(self, kind, failure, _):
        self.result.offloaded += self.offloaded
        if kind and issubclass(kind, Failure):
            self.result.failures.append(f"{self.name}: {failure}")
            return True
        return False


def check_file(options, source, construct):
    result = Result(construct, options.missing.get(source.suffix, ""))
    if not result.unsupported:
        name = "-".join(source.parts[-3:]).replace(".", "-")
        if source.suffix == ".ll":
            with result.module(str(source)) as module:
                module.offloaded = check(options, source, name)
        else:
            check_source(options, source, name, result)
    return result


def check_stress(options, seed, size):
    result = Result("llvm-stress")
    name = f"stress-{seed}-{size}"
    raw = options.work / f"{name}.ll"
    with result.module(f"llvm-stress -seed={seed} -size={size}") as module:
        call(options.llvm_bin / "llvm-stress", f"-seed={seed}",
             f"-size={size}", "-o", raw)
        module.offloaded = check(options, raw, name)
        raw.unlink()
    return result


def find_missing(options):
    """Why files of a suffix cannot be tried, by suffix."""
    missing = {}
    if not shutil.which(options.flang):
        missing[".f90"] = f"{options.flang} is not installed"
    rustc = shutil.which("rustc")
    about = subprocess.run([rustc, "--version", "--verbose"], check=False,
                           text=True, capture_output=True).stdout if rustc else ""
    version = re.search(r"LLVM version: (\d+)", about)
    if not version:
        missing[".rs"] = "rustc is not installed"
    elif version[1] != "22":
        missing[".rs"] = f"rustc has LLVM {version[1]}"
    return missing


def find_files(options):
    """The files to try, with their constructs."""
    for given in options.sources:
        for path in sorted(given.rglob("*")) if given.is_dir() else [given]:
            if path.suffix in SUFFIXES and not (
                    options.only and path.suffix not in options.only.split(",")
                    or any(part in path.parts for part in options.without)):
                yield path, path.parent.name


def check_inventory(options, files):
    """What the corpus must have; the number of faults."""
    counts = Counter(construct for _, construct in files)
    faults = [f"only {counts[name]} files of {name}"
              for name in options.constructs.split(",")
              if name and counts[name] < 2]
    if len(files) < options.at_least:
        faults.append(f"only {len(files)} files, not {options.at_least}")
    for fault in faults:
        print(f"inventory: {fault}")
    return len(faults)


def print_summary(results):
    rows = defaultdict(list)
    for result in results:
        rows[result.construct].append(result)
    print(f"{'construct':20} files modules offloaded failed unsupported")
    for name in sorted(rows):
        row = rows[name]
        print(f"{name:20} {len(row):5} {sum(r.modules for r in row):7} "
              f"{sum(r.offloaded for r in row):9} "
              f"{sum(len(r.failures) for r in row):6} "
              f"{sum(bool(r.unsupported) for r in row):11}")
    for why in sorted({r.unsupported for r in results if r.unsupported}):
        count = sum(r.unsupported == why for r in results)
        print(f"unsupported: {count} files, {why}")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sources", type=Path, nargs="*")
    parser.add_argument("--llvm-bin", type=Path, required=True)
    parser.add_argument("--plugin", required=True)
    parser.add_argument("--cfg", required=True)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--flang", default="flang-22")
    parser.add_argument("--passes", default="gpu-polyhedral",
                        help="the passes to try; others are for the test of "
                        "this program")
    parser.add_argument("--include", default=[], action="append",
                        metavar="FOLDER")
    parser.add_argument("--only", metavar="SUFFIX,...")
    parser.add_argument("--without", default=[], action="append",
                        metavar="NAME", help="leave folders of this name out")
    parser.add_argument("--all-levels", action="store_true",
                        help="each of O1 to O3 for each C and C++ source")
    parser.add_argument("--count-only", action="store_true",
                        help="run nothing")
    parser.add_argument("--at-least", type=int, default=0, metavar="N",
                        help="fail if there are fewer files")
    parser.add_argument("--constructs", default="", metavar="NAME,...",
                        help="fail if one of these has less than two files")
    parser.add_argument("--stress", type=int, default=0, metavar="N",
                        help="modules of llvm-stress to try")
    parser.add_argument("--sample", type=int, default=0, metavar="N",
                        help="try N of the files, drawn by the seed")
    parser.add_argument("--seed", type=int,
                        default=os.environ.get("POLYGPU_SEED"))
    options = parser.parse_args()
    if options.seed is None:
        options.seed = random.SystemRandom().randrange(1 << 31)
    if options.stress or options.sample:
        print(f"seed {options.seed}")
    options.work.mkdir(parents=True, exist_ok=True)
    options.missing = find_missing(options)

    files = list(find_files(options))
    if 0 < options.sample < len(files):
        files = random.Random(options.seed).sample(files, options.sample)
    jobs = [(check_file, path, construct) for path, construct in files]
    for number in range(options.stress):
        seed = (options.seed + number) % (1 << 31)
        jobs.append((check_stress, seed, (100, 300, 1000)[number % 3]))
    if options.count_only:
        results = [Result(construct) for _, construct in files]
    else:
        with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
            results = list(pool.map(
                lambda job: job[0](options, *job[1:]), jobs))
    print_summary(results)
    failed = [why for result in results for why in result.failures]
    for why in failed:
        print(why)
    faults = check_inventory(options, files)
    print(f"{sum(r.modules for r in results)} modules, "
          f"{sum(r.offloaded for r in results)} with offloaded "
          f"loops, {len(failed)} failed")
    return 1 if failed or faults else 0


if __name__ == "__main__":
    sys.exit(main())
