"""faults.py [--most N] [--ptx FOLDER [--most-ptx N]] [--printed]
          PROGRAM REFERENCE [ARGUMENT...]

Fails each call of each function of the device that a run of a program makes,
one in each run, and each function from its first call on: on the checked
emulated device and, with --ptx, on the PTX machine of that folder, where runs
are not waited for, everything is done as late as may be (streams=late), and
launches that come again are graphs.  With --most N, N faults on the former, with
--most-ptx N as many on the latter, drawn by a printed seed (POLYGPU_SEED sets it),
each kind as often as each other.  REFERENCE is what the program has to
dump or, with --printed, to print.

Under "auto" the answer is right, the status is 0, one line says what failed
where only one call does, nothing is left on the device; under
"mandatory" the status is 3 and nothing more is said than why.  What
fails for want of memory, an allocation or the loading of kernels, may be made up
for by what the pool has, or copies that no run uses: then nothing is said.  What
is done to make graphs may fail without a word, or with one that says that no more
are made.  A fault that comes too late for the program changes nothing.

scripts/fault-matrix has the same faults in a table.
"""
import argparse
import os
import random
import re
import subprocess
import sys
from collections import namedtuple
from pathlib import Path

# settings: of a run's environment
Device = namedtuple("Device", "name settings")
# number: of the call; on: and all behind it; calls: that a run makes
Fault = namedtuple("Fault", "kind number on calls")

EMULATED = Device("emulated", {"POLYGPU_DEVICE": "emulated"})
MANDATORY_STATUS = 3


def ptx_machine(folder):
    return Device("PTX machine", {
        "POLYGPU_DEVICE": "cuda", "LD_LIBRARY_PATH": str(folder),
        "PTX_MACHINE": "streams=late", "POLYGPU_GRAPHS": "on"})


def is_late(fault):
    return not fault.on and fault.number > fault.calls


class Program:
    def __init__(self, command, reference, device, printed=False):
        self.command = command
        self.expected = Path(reference).read_bytes()
        self.device = device
        self.printed = printed
        self.dump = Path(command[0] + ".fault.dump")
        self.problems = []

    def run(self, fault, mode):
        """Runs it; its status, whether the answer is right, and what the runtime
        says."""
        self.dump.unlink(missing_ok=True)
        env = {**os.environ, **self.device.settings, "POLYGPU": mode,
               "POLYGPU_COST": "off", "POLYGPU_FAULT": fault,
               "POLYGPU_DUMP": str(self.dump)}
        done = subprocess.run(self.command, env=env, timeout=120, check=False,
                              stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        # Behind what the program says, perhaps in the same line.
        said = re.findall(r"(?:polygpu|ptx machine): .*",
                          done.stderr.decode(errors="replace"))
        if self.printed:
            right = done.stdout == self.expected
        else:
            right = (self.dump.exists() and
                     self.dump.read_bytes() == self.expected)
        return done.returncode, right, said

    def expect(self, condition, fault, mode, status, right, said):
        if not condition:
            self.problems.append(
                f"{self.command[0]}, {self.device.name}: POLYGPU_FAULT={fault} "
                f"POLYGPU={mode}: status {status}, "
                f"{'right' if right else 'wrong'}, said {said[:3]}")

    def count(self):
        """How often each function is called."""
        status, right, said = self.run("count", "mandatory")
        self.expect(status == 0 and len(said) == 1 and right,
                    "count", "mandatory", status, right, said)
        return {name: int(number) for name, number
                in re.findall(r"(\w+)=(\d+)", said[0] if said else "")}

    def check(self, fault):
        """What is wrong with the answer goes to "problems"; how many lines were
        said under "auto"."""
        text = f"{fault.kind}:{fault.number}{'+' if fault.on else ''}"
        check = self.check_graph if fault.kind == "graph" else self.check_call
        return check(fault, text)

    def check_call(self, fault, text):
        status, right, said = self.run(text, "auto")
        lines = len(said)
        silent = is_late(fault) or fault.number > 1 and (
            fault.kind == "alloc" or fault.kind == "load" and not fault.on)
        self.expect(
            status == 0 and right and (fault.on or lines <= 1) and
            (said or silent) and not (is_late(fault) and said) and
            all(f"injected fault: {fault.kind} number" in line and
                line.endswith("running loops on the CPU") for line in said),
            text, "auto", status, right, said)
        happened = bool(said)
        status, right, said = self.run(text, "mandatory")
        self.expect(
            status == (MANDATORY_STATUS if happened else 0) and
            (right or happened) and len(said) == happened and
            all(f"injected fault: {fault.kind} number" in line and
                line.endswith("ends the program") for line in said),
            text, "mandatory", status, right, said)
        return lines

    def check_graph(self, fault, text):
        for mode in ("mandatory", "auto"):
            status, right, said = self.run(text, mode)
            ends = mode == "mandatory" and status == MANDATORY_STATUS
            self.expect(
                (right and status == 0 or ends and said) and len(said) <= 1 and
                not (is_late(fault) and said) and
                all("are not made graphs any more" in line for line in said) and
                (not ends or said[0].endswith("ends the program")),
                text, mode, status, right, said)
        return len(said)


def faults(counts):
    for kind, calls in counts.items():
        if calls:
            yield Fault(kind, 1, True, calls)
        for number in range(1, calls + 1):
            yield Fault(kind, number, False, calls)
        yield Fault(kind, calls + 1, False, calls)


def draw(chosen, most, generator):
    """At most so many of the faults, of all kinds alike that are called."""
    if not most or len(chosen) <= most:
        return chosen
    kinds = {}
    for fault in chosen:
        if fault.calls:
            kinds.setdefault(fault.kind, []).append(fault)
    drawn = []
    while len(drawn) < most and any(kinds.values()):
        for kind in generator.sample(sorted(kinds), len(kinds)):
            if kinds[kind] and len(drawn) < most:
                drawn.append(kinds[kind].pop(
                    generator.randrange(len(kinds[kind]))))
    return drawn


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--most", type=int)
    parser.add_argument("--most-ptx", type=int)
    parser.add_argument("--ptx")
    parser.add_argument("--printed", action="store_true")
    parser.add_argument("program")
    parser.add_argument("reference")
    parser.add_argument("arguments", nargs="*")
    options = parser.parse_args()
    seed = int(os.environ.get("POLYGPU_SEED", random.randrange(1 << 31)))
    print(f"POLYGPU_SEED={seed}")
    generator = random.Random(seed)
    devices = [(EMULATED, options.most)]
    if options.ptx:
        devices.append((ptx_machine(options.ptx), options.most_ptx))
    problems = []
    for device, most in devices:
        program = Program([options.program, *options.arguments],
                          options.reference, device, options.printed)
        counts = program.count()
        if not counts or not counts["launch"]:
            problems.append(f"{options.program}, {device.name}: "
                            "nothing was launched")
        chosen = draw(list(faults(counts)), most, generator)
        for fault in chosen:
            program.check(fault)
        print(f"{options.program}, {device.name}: {len(chosen)} faults, "
              f"calls {counts}")
        problems += program.problems
    return "\n".join(problems) or 0


if __name__ == "__main__":
    sys.exit(main())
