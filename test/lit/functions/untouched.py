"""Where nothing is offloaded, a module is byte for byte what it was: its
bitcode, uses in their order, and what the pass reports to LLVM.

  untouched.py PLUGIN WORK INCLUDE [--some N] FOLDER... -- OPTIONS

runs the pass with the options on each file of IR, and on each C source that is
in one of the folders itself, and counts those in which nothing was offloaded.
Of the files of the first folder it takes N, others in each run (POLYGPU_SEED).
"""

import argparse
import os
import random
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

TIMEOUT = 120  # seconds, for one command


def call(*command):
    done = subprocess.run([str(word) for word in command], timeout=TIMEOUT,
                          stdin=subprocess.DEVNULL, capture_output=True,
                          check=False)
    if done.returncode:
        lines = done.stderr.decode(errors="replace").splitlines()
        return lines[0] if lines else f"status {done.returncode}"
    return ""


class Runner:
    def __init__(self, options, passes):
        self.plugin, self.work = options.plugin, options.work
        self.include, self.options = options.include, passes

    def opt(self, source, target, *words):
        return call("opt", f"-load-pass-plugin={self.plugin}",
                    "-preserve-bc-uselistorder", *words, source, "-o", target)

    def make_ir(self, source):
        if source.suffix == ".ll":
            return source
        target = self.work / f"{source.parent.name}-{source.stem}.raw.ll"
        error = call("clang", "-w", "-O3", "-g", "-Xclang",
                     "-disable-llvm-passes", f"-I{self.include}", "-S",
                     "-emit-llvm", source, "-o", target)
        return None if error else target

    def check(self, source):
        """Was anything offloaded, and what is wrong?"""
        name = f"{source.parent.name}-{source.stem}"
        before, after = (self.work / f"{name}.{when}.bc"
                         for when in ("before", "after"))
        raw = self.make_ir(source)
        if not raw:
            return False, f"{source}: no IR"
        error = self.opt(raw, before, "-passes=verify")
        error = error or self.opt(raw, after, "-verify-analysis-invalidation",
                                  *self.options)
        if error:
            return False, f"{source}: {error}"
        texts = before.read_bytes(), after.read_bytes()
        if b"polygpu_begin" in texts[1] and b"polygpu_begin" not in texts[0]:
            return True, ""
        if texts[0] != texts[1]:
            return False, f"{source}: changed, see {before} and {after}"
        before.unlink()
        after.unlink()
        return False, ""


def sources(folder):
    return sorted([*folder.rglob("*.ll"), *folder.glob("*.c")])


def parse_arguments():
    cut = sys.argv.index("--")
    p = argparse.ArgumentParser()
    p.add_argument("plugin")
    p.add_argument("work", type=Path)
    p.add_argument("include")
    p.add_argument("--some", type=int, metavar="N")
    p.add_argument("folders", nargs="+", type=Path)
    return p.parse_args(sys.argv[1:cut]), sys.argv[cut + 1:]


def main():
    options, passes = parse_arguments()
    runner = Runner(options, passes)
    runner.work.mkdir(parents=True, exist_ok=True)
    files = sources(options.folders[0])
    if options.some:
        seed = os.environ.get("POLYGPU_SEED", random.randrange(1 << 31))
        print(f"POLYGPU_SEED={seed}")
        files = random.Random(int(seed)).sample(files, options.some)
    for folder in options.folders[1:]:
        files += sources(folder)
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        results = list(pool.map(runner.check, files))
    wrong = [fault for _, fault in results if fault]
    for fault in wrong:
        print(fault)
    offloaded = sum(done for done, _ in results)
    print(f"{len(files) - offloaded} modules refused, {offloaded} offloaded, "
          f"{len(wrong)} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
