"""all_offloaded.py SOURCE < OUTPUT: were all shapes of a program offloaded?

A shape is a function of SOURCE that is marked with SHAPE.  OUTPUT, what the
program printed with POLYGPU_PROFILE=lines, must have a SCoP for each: every run
of every SCoP on the device, and at least one kernel launched.  SHAPES(N) says that
the function has N SCoPs.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import re
import sys


def shapes(path):
    with open(path, encoding="utf-8") as source:
        text = source.read()
    found = re.findall(r"^SHAPE(?:S\((\d+)\))? [^;{]*?\b(\w+)\(", text, re.M)
    return {name: int(count or 1) for count, name in found}


def is_of(symbol, name):
    """Is "symbol", perhaps mangled or of a kernel, that of "name"?"""
    return (symbol == name or f"{len(name)}{name}" in symbol
            or re.fullmatch(rf"{name}_\d+_\d+", symbol) is not None)


def numbers(line):
    return {key: int(value)
            for key, value in re.findall(r"\b(\w+)=(\d+)(?= )", line + " ")}


def check(name, count, lines):
    """What is wrong with "name", or nothing."""
    scops = [numbers(line) for kind, symbol, line in lines
             if kind == "scop" and is_of(symbol, name)]
    launches = sum(numbers(line)["launches"] for kind, symbol, line in lines
                   if kind == "kernel" and is_of(symbol, name))
    if len(scops) < count:
        return f"{len(scops)} SCoPs ran"
    if any(s["declined"] or s["failed"] or not s["runs"] for s in scops):
        return f"not all runs were on the device: {scops}"
    return "" if launches else "no kernel was launched"


def main():
    text = sys.stdin.read()
    lines = [(m[1], m[2], m[0]) for m in
             re.finditer(r"^polygpu: (scop|kernel) (\S+) .*$", text, re.M)]
    wanted = shapes(sys.argv[1])
    wrong = {name: why for name, count in wanted.items()
             if (why := check(name, count, lines))}
    for name, why in wrong.items():
        print(f"{name}: {why}")
    if wrong or not wanted:
        print(text)
        sys.exit(1)


main()
