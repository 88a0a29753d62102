"""Where nothing is offloaded, a module is byte for byte what it was: its
bitcode, uses in their order, and what the pass reports to LLVM.

  untouched.py PLUGIN WORK INCLUDE OPTIONS -- FOLDERS

runs the pass with the options on each file of IR, and on each C source that is
in one of the folders itself, and counts those in which nothing was offloaded.
"""

import os
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
    def __init__(self, plugin, work, include, options):
        self.plugin, self.work = plugin, Path(work)
        self.include, self.options = include, options

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


def sources(paths):
    for path in map(Path, paths):
        yield from sorted(path.rglob("*.ll"))
        yield from sorted(path.glob("*.c"))


def main():
    cut = sys.argv.index("--")
    runner = Runner(*sys.argv[1:4], sys.argv[4:cut])
    runner.work.mkdir(parents=True, exist_ok=True)
    files = list(sources(sys.argv[cut + 1:]))
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
