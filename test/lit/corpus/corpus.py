#!/usr/bin/env python3
"""Runs the pass over much IR: of C and C++ sources, or of llvm-stress.

The pass must not crash nor break the IR; where it offloads nothing it must
leave the module as it was, and its second run must change nothing.  Sources
are taken at every level, as clang gives them to its optimiser ("raw") and as
they are after it, the last two with and without debug information; and they
must compile with clang and the plugin.
"""

import argparse
import os
import random
import re
import shlex
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

TIMEOUT = 60  # seconds, for one command
LEVELS = {
    "O0": ["-O0"],
    "O0-opt": ["-O0", "-Xclang", "-disable-O0-optnone"],
    "O1": ["-O1"],
    "O2": ["-O2"],
    "O3": ["-O3"],
    # As the plugin sees it in clang.
    "raw": ["-O3", "-Xclang", "-disable-llvm-passes"],
}


class Failure(Exception):
    pass


def call(*command):
    words = [str(word) for word in command]
    try:
        done = subprocess.run(words, timeout=TIMEOUT, check=False,
                              stdin=subprocess.DEVNULL,
                              stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE)
    except subprocess.TimeoutExpired:
        raise Failure(f"no end after {TIMEOUT} s: {shlex.join(words)}") from None
    if done.returncode:
        text = done.stderr.decode(errors="replace")[-1500:]
        raise Failure(f"status {done.returncode}: {shlex.join(words)}\n{text}")


def text_of(path):
    """Without the first line, which names the file, and the comments that list
    predecessors in an order that depends on how the text was read."""
    return re.sub(r"; preds = .*", "", path.read_text().split("\n", 1)[1])


def check(options, raw):
    """The rules for one file of IR; true if something was offloaded."""
    opt = options.llvm_bin / "opt"
    before, first, second = (raw.with_suffix(f".{n}.ll") for n in (0, 1, 2))
    run_pass = [opt, f"-load-pass-plugin={options.plugin}",
                "-gpu-targets=ptx,emulated",
                "-passes=gpu-polyhedral,verify", "-S"]
    call(opt, "-passes=verify", "-S", raw, "-o", before)
    call(*run_pass, before, "-o", first)
    texts = [text_of(path) for path in (before, first)]
    offloaded = "@polygpu_begin" in texts[1]
    if not offloaded and texts[0] != texts[1]:
        raise Failure(f"nothing offloaded, but changed: {before} {first}")
    if offloaded:
        call(*run_pass, first, "-o", second)
        if texts[1] != text_of(second):
            raise Failure(f"the second run changed the module: {first} "
                          f"{second}")
    for path in (raw, before, first, second):
        path.unlink(missing_ok=True)
    return offloaded


def compiler(options, source):
    if source.suffix == ".cpp":
        return [options.llvm_bin / "clang++", "-std=c++20", "-w"]
    return [options.llvm_bin / "clang", "-std=gnu17", "-D_GNU_SOURCE", "-w"]


def check_source(options, source, level, debug):
    raw = options.work / f"{source.stem}-{level}{debug}.ll"
    call(*compiler(options, source), *LEVELS[level], *debug.split(), "-S",
         "-emit-llvm", source, "-o", raw)
    return check(options, raw)


def check_compilation(options, source, flags):
    """The other way in: clang with the plugin."""
    clang = compiler(options, source)
    call(clang[0], f"--config={options.cfg}", *clang[1:], *flags, "-mllvm",
         "-gpu-offload", "-mllvm", "-gpu-targets=ptx,emulated", "-c", source,
         "-o", options.work / f"{source.stem}{''.join(flags)}.o")
    return False


def check_stress(options, seed, size):
    raw = options.work / f"stress-{seed}-{size}.ll"
    call(options.llvm_bin / "llvm-stress", f"-seed={seed}", f"-size={size}",
         "-o", raw)
    return check(options, raw)


def jobs(options):
    """What to do: name -> (function, arguments)."""
    for source in options.sources:
        for level in LEVELS:
            for debug in ("", "-g") if level in ("raw", "O3") else ("",):
                yield (f"{source.name} {level} {debug}", check_source,
                       (options, source, level, debug))
        for flags in (["-O3", "-g"], ["-Os", "-fPIC"]):
            yield (f"{source.name} compiled {' '.join(flags)}",
                   check_compilation, (options, source, flags))
    for number in range(options.stress):
        seed = (options.seed + number) % (1 << 31)
        size = (100, 300, 1000)[number % 3]
        yield (f"llvm-stress -seed={seed} -size={size}", check_stress,
               (options, seed, size))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sources", type=Path, nargs="*")
    parser.add_argument("--llvm-bin", type=Path, required=True)
    parser.add_argument("--plugin", required=True)
    parser.add_argument("--cfg", required=True)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--stress", type=int, default=0, metavar="N",
                        help="modules of llvm-stress to try")
    parser.add_argument("--seed", type=int,
                        default=os.environ.get("POLYGPU_SEED"))
    options = parser.parse_args()
    if options.seed is None:
        options.seed = random.SystemRandom().randrange(1 << 31)
    print(f"seed {options.seed}")
    options.work.mkdir(parents=True, exist_ok=True)

    def do(job):
        name, function, arguments = job
        try:
            return name, function(*arguments), None
        except Failure as failure:
            return name, False, str(failure)

    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        results = list(pool.map(do, jobs(options)))
    failed = [(name, why) for name, _, why in results if why]
    for name, why in failed:
        print(f"{name}: {why}")
    print(f"{len(results)} modules, {sum(r[1] for r in results)} with offloaded "
          f"loops, {len(failed)} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
