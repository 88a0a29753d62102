"""Measures what the first run on a device costs a process: open it, load the code,
and the first launch; see benchmarks/README.md.

  run                       the table, of 5 processes for each line
  run --rounds 15           of 15
  run --output FILE         its lines as fields, too

Each line is of fresh processes, which take turns with those of the others; numbers
are medians.  The code is PTX that the driver compiles (CUDA_CACHE_DISABLE=1),
the same from a cache that an earlier process has filled (a folder of its own in
CUDA_CACHE_PATH), or a cubin, where the folder has one.  What a process prints has to
be what the program prints without offloading.  Without a GPU that
the driver can use it says "unsupported: REASON" and exits with 77.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

NESTS = ("vector", "stencil", "product", "all")
RUNS = 5  # of a nest in a process
UNSUPPORTED = 77
MANDATORY_STATUS = 3
FIELDS = ("open_ms", "load_ms", "first_ms", "later_ms", "process_ms",
          "original_ms")


class Failure(Exception):
    pass


class Unsupported(Exception):
    pass


def execute(command, **settings):
    """Runs a program; what it prints and the milliseconds that it took."""
    env = {name: value for name, value in os.environ.items()
           if not name.startswith("POLYGPU")}
    begun = time.monotonic()
    done = subprocess.run(command, env={**env, **settings}, check=False,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, timeout=120)
    taken = (time.monotonic() - begun) * 1000
    said = done.stderr.strip().splitlines()
    if done.returncode == MANDATORY_STATUS:
        raise Unsupported(said[-1] if said else "no reason given")
    if done.returncode:
        raise Failure(f"{command[0].name}: status {done.returncode}: {said}")
    return done.stdout, taken


def rest_of(run, events):
    """What a run took beside opening, loading and copies."""
    inside = sum(event["dur"] for event in events
                 if event.get("cat") in ("setup", "copy") and
                 run["ts"] <= event["ts"] <= run["ts"] + run["dur"])
    return run["dur"] - inside


def read_trace(path):
    """Milliseconds of a process by its profile: to open the device, to load
    code, the rest of the first runs, and of one of the later ones."""
    events = [event for event in json.loads(path.read_text())["traceEvents"]
              if event["ph"] == "X"]
    setup = {name: sum(event["dur"] for event in events
                       if event.get("cat") == "setup" and event["name"] == name)
             for name in ("open device", "load kernels")}
    nests = {}
    for event in events:
        if event.get("cat") == "run":
            nests.setdefault(event["name"], []).append(rest_of(event, events))
    if not nests or any(len(runs) != RUNS for runs in nests.values()):
        raise Failure("the profile does not have all runs: "
                      f"{ {name: len(runs) for name, runs in nests.items()} }")
    first = sum(runs[0] for runs in nests.values())
    later = sum(statistics.median(runs[1:]) for runs in nests.values())
    return [micros / 1000 for micros in
            (setup["open device"], setup["load kernels"], first, later)]


class Line:
    """A program, a nest and where its code comes from."""

    def __init__(self, folder, program, nest, cache):
        self.binary, self.nest, self.cache = folder / program, nest, cache
        self.code = program + (f", {cache}" if cache else "")
        self.samples = []

    def settings(self, caches):
        if self.cache == "compiled":
            return {"CUDA_CACHE_DISABLE": "1"}
        if self.cache == "cached":
            (caches / self.nest).mkdir(exist_ok=True)
            return {"CUDA_CACHE_PATH": str(caches / self.nest),
                    "CUDA_CACHE_DISABLE": "0"}
        return {}

    def run(self, device, caches, expected):
        settings = {**self.settings(caches), "POLYGPU": "mandatory",
                    "POLYGPU_DEVICE": device}
        command = [self.binary, self.nest, str(RUNS)]
        profile = caches / "profile.json"
        printed, _ = execute(command, POLYGPU_PROFILE=str(profile), **settings)
        if printed != expected:
            raise Failure(f"{self.code}, {self.nest}: {printed.strip()} instead "
                          f"of {expected.strip()}")
        numbers = read_trace(profile)
        _, taken = execute(command, **settings)
        _, original = execute(command, POLYGPU="off")
        return [*numbers, taken, original]

    def medians(self):
        return [statistics.median(column) for column in zip(*self.samples)]


def lines_of(folder):
    for nest in NESTS:
        for program, caches in (("ptx", ("compiled", "cached")),
                                ("cubin", ("",))):
            for cache in caches if (folder / program).exists() else ():
                yield Line(folder, program, nest, cache)


def measure(folder, device, rounds, left=lambda: 1):
    """The lines, as fields; stops where no time is left."""
    found = list(lines_of(folder))
    with tempfile.TemporaryDirectory() as caches:
        expected = {nest: execute([folder / "original", nest, str(RUNS)])[0]
                    for nest in NESTS}
        for turn in range(-1, rounds):  # the first one fills the caches
            for line in found:
                if left() <= 0:
                    break
                sample = line.run(device, Path(caches), expected[line.nest])
                if turn >= 0:
                    line.samples.append(sample)
    for line in found:
        if line.samples:
            numbers = " ".join(f"{name}={number:.3f}" for name, number
                               in zip(FIELDS, line.medians()))
            yield (f"startup nest={line.nest} code={line.code.replace(', ', '-')} "
                   f"processes={len(line.samples)} {numbers}")


def table(lines):
    """Of lines as fields, in Markdown."""
    yield ("| loops | code | open | load | first launch | later | process | "
           "on the CPU |")
    yield "|---|---|" + "---:|" * len(FIELDS)
    for line in lines:
        found = dict(word.split("=") for word in line.split()[1:])
        cells = " | ".join(f"{float(found[name]):.2f}" for name in FIELDS)
        code = found["code"].replace("-", ", ")
        yield f"| {found['nest']} | {code} | {cells} |"


def main(folder, arguments):
    parser = argparse.ArgumentParser(
        prog="run", description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5, metavar="N",
                        help="processes for each line (default: 5)")
    parser.add_argument("--output", type=Path, metavar="FILE")
    parser.add_argument("--device", choices=("cuda", "emulated"),
                        default="cuda", help=argparse.SUPPRESS)  # for tests
    options = parser.parse_args(arguments)
    try:
        lines = list(measure(folder, options.device, options.rounds))
    except Unsupported as reason:
        print(f"unsupported: {reason}")
        return UNSUPPORTED
    except (Failure, OSError, subprocess.TimeoutExpired) as problem:
        print(problem, file=sys.stderr)
        return 1
    if options.output:
        options.output.write_text("".join(f"{line}\n" for line in lines))
    print("\n".join(table(lines)))
    return 0
