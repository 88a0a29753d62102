#!/usr/bin/env python3
"""check_csv - reads a profile in CSV as a script would.

  check_csv.py FILE.csv

Prints a line per SCoP and per kernel.  Exit status 1 where a line has other
columns than the first one names, or something else than a number in one of
numbers.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import csv
import sys

TEXT = {"kind", "function", "file", "kernel", "device"}
# What a line of the other kind has nothing for.
SCOP = {"runs", "declined", "by_cost", "failed", "in_ms", "out_ms", "bytes_in",
        "bytes_out", "bytes_kept"}
KERNEL = {"kernel", "launches", "operations", "flops_single", "flops_double",
          "grid_x", "grid_y", "grid_z", "block_x", "block_y", "block_z",
          "bytes"}


def check(row):
    foreign = KERNEL if row["kind"] == "scop" else SCOP
    for name, value in row.items():
        if name is None or value is None or (value == "") != (name in foreign):
            sys.exit(f"{row}: wrong columns ({name})")
        if name not in TEXT and value:
            float(value)


def main():
    with open(sys.argv[1], encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, strict=True):
            check(row)
            if row["kind"] == "scop":
                print("scop", row["function"], row["file"] + ":" + row["line"],
                      row["device"], f"runs={row['runs']}",
                      f"in={row['bytes_in']}", f"kept={row['bytes_kept']}")
            else:
                print("kernel", row["kernel"], row["device"],
                      f"launches={row['launches']}",
                      f"flops={row['flops_double']}",
                      f"block={row['block_x']}")


if __name__ == "__main__":
    main()
