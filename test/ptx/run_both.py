#!/usr/bin/env python3
"""Runs a program on the checked emulated device, and again on the PTX machine.

  run_both.py build/ptx NAME=VALUE ... PROGRAM ARGUMENT ...

The second run has to end in the same way, to launch each kernel as often, and
to write the same dump (POLYGPU_DUMP).  So has a third one, without a profile,
for which each kernel is waited for, where the machine does everything as late as
may be (streams=late), and launches that come again are graphs.  Prints and returns what the first one does; of the others
only what is wrong with them, and then returns 1.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

LAUNCHES = re.compile(r"^polygpu: kernel (\S+) device=\w+ launches=(\d+)",
                      re.MULTILINE)


def run(command, settings, **more):
    done = subprocess.run(command, env={**os.environ, **settings, **more},
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, check=False)
    return done.returncode, done.stdout, done.stderr


def differences(first, second, dumps, late):
    if first[0] != second[0]:
        yield f"it ends with {second[0]} instead of {first[0]}"
    launches = [sorted(LAUNCHES.findall(run[2].decode(errors="replace")))
                for run in (first, second)]
    if launches[0] != launches[1] and not late:
        yield f"its launches are {launches[1]} instead of {launches[0]}"
    if dumps[0] and dumps[0].exists():
        contents = [dump.exists() and dump.read_bytes() for dump in dumps]
        if contents[0] != contents[1]:
            yield "its dump is another"


def main():
    library, words = sys.argv[1], sys.argv[2:]
    settings = {}
    while re.match(r"\w+=", words[0]):
        name, value = words.pop(0).split("=", 1)
        settings[name] = value
    dump = settings.get("POLYGPU_DUMP")
    dumps = [dump and Path(dump), dump and Path(dump + ".ptx")]
    other = {"POLYGPU_DUMP": str(dumps[1])} if dump else {}
    first = run(words, settings, POLYGPU_DEVICE="emulated")
    sys.stdout.buffer.write(first[1])
    sys.stderr.buffer.write(first[2])
    for late in (False, True):
        if dump:
            dumps[1].unlink(missing_ok=True)
        if late:
            settings.pop("POLYGPU_PROFILE", None)
            settings["POLYGPU_GRAPHS"] = "on"
            machine = "streams=late"
        else:
            machine = os.environ.get("PTX_MACHINE", "orders=all")
        second = run(words, settings, POLYGPU_DEVICE="cuda",
                     LD_LIBRARY_PATH=library, PTX_MACHINE=machine, **other)
        wrong = list(differences(first, second, dumps, late))
        if wrong:
            sys.stderr.buffer.write(b"--- on the PTX machine:\n" + second[2])
            for line in wrong:
                print(f"run_both.py: on the PTX machine, {machine}, {line}",
                      file=sys.stderr)
            return 1
    return first[0]


if __name__ == "__main__":
    sys.exit(main())
