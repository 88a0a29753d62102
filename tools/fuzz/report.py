"""What a run of polygpu-fuzz prints: progress, failures, and figures."""

import json
import re
import sys
import time
from collections import Counter

from fuzz.coverage import MISSED, NO_LOOP, OVERLAP
from fuzz.features import NAMED

COUNTS = ("count", "programs", "runs", "failures", "errors", "slow",
          "complete", "launched", "large", "folded")
LISTS = ("silent", "asking", "failed")
ENOUGH = 25  # percent of the programs with a feature
ASKS = "please report"  # of refusals that should not be there
SEQUENTIAL = "every loop depends on its own earlier iterations"


class Feature:
    def __init__(self):
        self.programs = self.offloaded = self.all = self.kernels = 0

    def add(self, launched, share):
        self.programs += 1
        self.offloaded += launched
        self.all += share.all
        self.kernels += share.kernels

    def join(self, figures):
        for name, n in figures.items():
            setattr(self, name, getattr(self, name) + n)


def percent(part, whole):
    return f"{100 * part / whole:.0f}%" if whole else "-"


class Report:
    def __init__(self, count):
        self.count = count
        self.programs = self.runs = self.failures = self.errors = 0
        self.slow = self.complete = self.launched = self.large = 0
        self.folded = 0
        self.total, self.features = Feature(), {}
        self.refused, self.lost, self.examples = Counter(), Counter(), {}
        self.silent, self.asking = [], []
        self.failed = []  # seeds
        self.start, self.before = time.monotonic(), 0

    def save(self, path):
        """Writes all figures, for join; what stood there is replaced."""
        figures = {name: getattr(self, name) for name in COUNTS + LISTS}
        figures |= {"refused": self.refused, "lost": self.lost,
                    "examples": self.examples, "seconds": self.seconds(),
                    "total": vars(self.total), "features": {
                        name: vars(f) for name, f in self.features.items()}}
        path.write_text(json.dumps(figures) + "\n")

    def join(self, path):
        """Adds the figures of another run, whose programs were others."""
        figures = json.loads(path.read_text())
        for name in COUNTS + LISTS:
            setattr(self, name, getattr(self, name) + figures.get(
                name, type(getattr(self, name))()))
        self.refused.update(figures["refused"])
        self.lost.update(figures["lost"])
        for name, seed in figures["examples"].items():
            self.examples.setdefault(name, seed)
        self.total.join(figures["total"])
        for name, feature in figures["features"].items():
            self.features.setdefault(name, Feature()).join(feature)
        self.before += figures["seconds"]

    def seconds(self):
        return self.before + time.monotonic() - self.start

    def add(self, result):
        if result.error is not None or result.kept:
            self.failed.append(result.seed)
        if result.error is not None:
            self.errors += 1
            self.line(f"polygpu-fuzz: {result.error}")
            return
        self.programs += 1
        outcome = result.outcome
        self.runs += outcome.runs
        self.slow += outcome.slow
        self.large += outcome.large
        self.folded += outcome.folded
        self.complete += outcome.complete
        self.launched += sum(map(bool, outcome.launches.values()))
        launched = any(outcome.launches.values())
        self.total.add(launched, outcome.share)
        for feature in result.program.features:
            self.features.setdefault(feature, Feature()).add(
                launched, outcome.share)
        self.add_refusals(result.seed, outcome)
        for text in result.kept:
            self.failures += 1
            self.line(text)

    def add_refusals(self, seed, outcome):
        if ASKS in outcome.remarks:
            self.asking.append(str(seed))
        names = {shape(text) for _, text in MISSED.findall(outcome.remarks)}
        for text, n in outcome.share.lost.items():
            names.add(shape(text))
            self.lost[shape(text)] += n
        self.refused.update(names)
        for name in names:
            self.examples.setdefault(name, seed)
        self.silent += [f"seed {seed} line {n}" for n in outcome.share.silent]

    def line(self, text):
        if sys.stderr.isatty():
            print("\r\033[K", end="", file=sys.stderr)
        print(text, flush=True)

    def progress(self):
        if not sys.stderr.isatty():
            return
        done = self.programs + self.errors
        width = 30 * done // self.count
        print(f"\r[{'#' * width}{'.' * (30 - width)}] {done}/{self.count} "
              f"{self.failures} failed, "
              f"{self.seconds():.0f} s\033[K", end="",
              file=sys.stderr, flush=True)

    def finish(self, coverage):
        if sys.stderr.isatty():
            print(file=sys.stderr)
        if coverage:
            self.coverage()
        if self.asking:
            print("refusals that ask for a report with seeds "
                  + ",".join(self.asking))
        if self.large:
            print(f"{self.large} runs had too many threads for the PTX "
                  "machine, and were skipped there")
        if self.folded:
            print(f"{self.folded} runs differ from clang -O3, which rounded "
                  "products of constants, and are equal to clang -O0")
        print(f"{self.complete} programs had all sets of options, "
              f"{self.slow} took long to compile and had one; "
              f"{self.launched} runs with kernels")
        print(f"{self.programs} programs, {self.runs} runs, "
              f"{percent(self.total.offloaded, self.programs)} offloaded, "
              f"{self.failures} failures, {self.errors} errors, "
              f"{self.seconds():.0f} s")

    def coverage(self):
        refused = {f for f in self.features if f.startswith("refused: ")}
        self.table("feature", set(self.features) - refused)
        self.table("documented as not offloaded", refused)
        if missing := NAMED - set(self.features):
            print(f"never occurred: {', '.join(sorted(missing))}")
        print("\nprograms with statements that ran on the host, with their "
              "instances")
        for name, n in self.refused.most_common():
            print(f"{n:6} {self.lost[name]:8.0f} {name} "
                  f"(seed {self.examples[name]})")
        if self.silent:
            print("\nloops neither offloaded nor with a remark: "
                  + ", ".join(self.silent))
        # Nests without a parallel dimension are documented as refused, and
        # what is written over what is read, with the loops knowing nothing of
        # it, is the order of the source.
        rest = self.total.all - sum(
            n for name, n in self.lost.items()
            if name.startswith(SEQUENTIAL) or name == NO_LOOP)
        apart = rest - self.lost[OVERLAP]
        print(f"\n{self.total.all:.0f} statement instances, "
              f"{percent(self.total.kernels, self.total.all)} in kernels; "
              f"{percent(self.total.kernels, rest)} of those in nests with "
              f"something parallel, {percent(self.total.kernels, apart)} "
              "without runs whose pointers overlap")

    def table(self, title, names):
        print(f"{title:32} programs offloaded  instances in kernels")
        for name in sorted(names):
            f = self.features[name]
            low = 100 * f.offloaded < ENOUGH * f.programs and \
                title == "feature"
            print(f"{name:32} {f.programs:8} {f.offloaded:4} "
                  f"{percent(f.offloaded, f.programs):>4} {f.all:10} "
                  f"{percent(f.kernels, f.all):>10}{'  low' * low}")


def shape(remark):
    """A remark without names and numbers."""
    return re.sub(r"'[^']*'|\b[a-z]+\d+\b|\d+", "_",
                  remark.replace("loop not offloaded: ", ""))[:100]
