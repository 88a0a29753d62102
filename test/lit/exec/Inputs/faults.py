"""faults.py [--most N] PROGRAM REFERENCE_DUMP...

Fails each call of each function of the device that a run of a program makes,
one in each run, and each function from its first call on.  With --most N, N
runs for a program, drawn by a printed seed (POLYGPU_SEED sets it).

Under "auto" the answer is right, the status is 0, one line says what failed
where only one SCoP is concerned, nothing is left on the device; under
"mandatory" the status is 3 and nothing more is said than why.  What
fails for want of memory, an allocation or the loading of kernels, may be made up
for by freeing what the pool has: then nothing is said.  A fault that comes too late for the program changes nothing.
"""
import argparse
import os
import random
import re
import subprocess
import sys
from pathlib import Path


class Program:
    def __init__(self, path, reference):
        self.path, self.expected = path, Path(reference).read_bytes()
        self.dump = Path(path + ".fault.dump")
        self.problems = []

    def run(self, fault, mode):
        """Runs it; what it says of the runtime, and its status."""
        self.dump.unlink(missing_ok=True)
        env = {**os.environ, "POLYGPU_DEVICE": "emulated", "POLYGPU": mode,
               "POLYGPU_COST": "off", "POLYGPU_FAULT": fault,
               "POLYGPU_DUMP": str(self.dump)}
        done = subprocess.run([self.path], env=env, timeout=120, check=False,
                              stderr=subprocess.PIPE, text=True)
        said = [line for line in done.stderr.splitlines()
                if line.startswith("polygpu:")]
        return done.returncode, said

    def expect(self, condition, fault, mode, status, said):
        if not condition:
            self.problems.append(
                f"{self.path}: POLYGPU_FAULT={fault} POLYGPU={mode}: "
                f"status {status}, said {said}")

    def is_right(self):
        return self.dump.exists() and self.dump.read_bytes() == self.expected

    def count(self):
        """How often each function is called."""
        status, said = self.run("count", "mandatory")
        self.expect(status == 0 and len(said) == 1 and self.is_right(),
                    "count", "mandatory", status, said)
        return {name: int(number) for name, number
                in re.findall(r"(\w+)=(\d+)", said[0] if said else "")}

    def check(self, kind, number, calls):
        fault = f"{kind}:{number}"
        single = not str(number).endswith("+")
        late = single and number > calls
        status, said = self.run(fault, "auto")
        silent = late or (kind in ("alloc", "load") and single and
                          number > 1)
        self.expect(
            status == 0 and self.is_right() and
            (len(said) <= 1 if single else len(said) >= 1) and
            (said or silent) and not (late and said) and
            all(f"injected fault: {kind} number" in line and
                line.endswith("running loops on the CPU") for line in said),
            fault, "auto", status, said)
        happened = bool(said)
        status, said = self.run(fault, "mandatory")
        self.expect(
            status == (3 if happened else 0) and len(said) == happened and
            all(f"injected fault: {kind} number" in line and
                line.endswith("ends the program") for line in said),
            fault, "mandatory", status, said)


def faults(counts):
    for kind, calls in counts.items():
        if calls:
            yield kind, "1+", calls
        for number in range(1, calls + 1):
            yield kind, number, calls
        yield kind, calls + 1, calls


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--most", type=int)
    parser.add_argument("files", nargs="+")
    options = parser.parse_args()
    seed = int(os.environ.get("POLYGPU_SEED", random.randrange(1 << 31)))
    print(f"POLYGPU_SEED={seed}")
    generator = random.Random(seed)
    problems = []
    for path, reference in zip(options.files[::2], options.files[1::2]):
        program = Program(path, reference)
        counts = program.count()
        chosen = list(faults(counts))
        if not counts or not counts["launch"]:
            problems.append(f"{path}: nothing was launched")
        if options.most and len(chosen) > options.most:
            chosen = generator.sample(chosen, options.most)
        for fault in chosen:
            program.check(*fault)
        print(f"{path}: {len(chosen)} faults, calls {counts}")
        problems += program.problems
    return "\n".join(problems) or 0


if __name__ == "__main__":
    sys.exit(main())
