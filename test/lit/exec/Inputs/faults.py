"""faults.py PROGRAM REFERENCE_DUMP: fails each operation of the device in turn.

Under "auto" the answer is right, one line says what failed, and the status is
0; under "mandatory" the status is 3 and nothing more is said than why.  A
fault that comes too late for this program changes nothing.
"""
import os
import subprocess
import sys
from pathlib import Path

KINDS = ("alloc", "in", "launch", "out", "load", "sync", "open")


def run(program, dump, **settings):
    env = {**os.environ, **settings, "POLYGPU_DEVICE": "emulated",
           "POLYGPU_COST": "off",
           "POLYGPU_DUMP": str(dump)}
    done = subprocess.run([program], env=env, timeout=60, check=False,
                          stderr=subprocess.PIPE, text=True)
    said = [line for line in done.stderr.splitlines()
            if line.startswith("polygpu:")]
    return done.returncode, said


def main(program, reference):
    expected = Path(reference).read_bytes()
    dump = Path(program + ".fault.dump")
    problems = []

    def expect(condition, what, status, said):
        if not condition:
            problems.append(f"{what}: status {status}, said {said}")

    for kind in KINDS:
        for number in (1, 2, 99):
            fault = f"{kind}:{number}"
            late = number == 99 or (kind in ("load", "open") and number == 2)
            dump.unlink(missing_ok=True)
            status, said = run(program, dump, POLYGPU="auto",
                               POLYGPU_FAULT=fault)
            right = dump.exists() and dump.read_bytes() == expected
            expect(right, f"auto, {fault}: wrong answer", status, said)
            expect(status == 0 and len(said) == (not late) and
                   all(f"injected fault: {kind}" in line for line in said),
                   f"auto, {fault}", status, said)
            status, said = run(program, dump, POLYGPU="mandatory",
                               POLYGPU_FAULT=fault)
            expect(status == (0 if late else 3) and len(said) == (not late) and
                   all("ends the program" in line and
                       f"injected fault: {kind}" in line for line in said),
                   f"mandatory, {fault}", status, said)
            print(fault, status, *said)
    return "\n".join(problems) or 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
