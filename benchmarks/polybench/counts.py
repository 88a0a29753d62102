"""What programs copy and allocate at MINI, as a table: counts.csv.

A line per program, form of arrays and size of their elements: bytes to the device
and from it, and allocations there.  A run that takes more is an error; where one
takes less on purpose, or a program is new, write the table again:

  benchmarks/polybench/run --check --device emulated --size MINI \\
      --type double,float,int --form c99,int,size_t --write-counts
"""

import csv
from collections import namedtuple
from pathlib import Path

FILE = Path(__file__).resolve().parent / "counts.csv"
SIZE = "MINI"
BYTES = {"double": 8, "float": 4, "int": 4}

Key = namedtuple("Key", "program form element")
Counts = namedtuple("Counts", "bytes_in bytes_out allocations")


def key(case):
    return Key(case.program, case.form, BYTES[case.type])


def read():
    with FILE.open(encoding="ascii", newline="") as lines:
        rows = list(csv.reader(lines))[1:]
    return {Key(program, form, int(element)): Counts(*map(int, numbers))
            for program, form, element, *numbers in rows}


def write(counts):
    """The largest of several with one key."""
    table = {}
    for case, found in counts:
        old = table.get(key(case), found)
        table[key(case)] = Counts(*map(max, zip(old, found)))
    with FILE.open("w", encoding="ascii", newline="") as file:
        lines = csv.writer(file, lineterminator="\n")
        lines.writerow(Key._fields + Counts._fields)
        lines.writerows((*k, *c) for k, c in sorted(table.items()))


def excess(case, found):
    """Sentences on what is more than in the table."""
    most = read().get(key(case))
    if case.size != SIZE:
        return
    if most is None:
        yield f"{FILE.name} has no line for it"
        return
    for name, number, limit in zip(Counts._fields, found, most):
        if number > limit:
            yield f"{number} {name.replace('_', ' ')}, not {limit}"
