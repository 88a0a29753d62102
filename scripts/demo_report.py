#!/usr/bin/env python3
"""Tells what scripts/demo has done, from the files in its work directory.

Exits with 0 if a kernel was launched and the results do not differ.
"""

import re
import sys
from array import array
from pathlib import Path


def profile(text, kind):
    """Name and fields of each line `polygpu: KIND NAME key=value ...`."""
    for line in text.splitlines():
        if line.startswith(f"polygpu: {kind} "):
            words = line.split()[2:]
            names = [word for word in words if "=" not in word]
            yield " ".join(names), dict(re.findall(r"(\w+)=(\S+)", line))


def matrix(path):
    values = array("f")
    values.frombytes(path.read_bytes())
    return values


def largest_difference(a, b):
    """Infinite if one of them has another size or a NaN where the other one
    has none."""
    if len(a) != len(b):
        return float("inf")
    if a.tobytes() == b.tobytes():
        return 0.0
    worst = 0.0
    for x, y in zip(a, b):
        if x == y or (x != x and y != y):
            continue
        difference = abs(x - y)
        worst = max(worst, difference if difference == difference
                    else float("inf"))
    return worst


def seconds(path):
    return float(path.read_text().split()[1])


def main(work):
    log = (work / "matmul.stderr").read_text()
    launches = 0
    print("\nOffloaded:")
    for name, fields in profile(log, "scop"):
        print(f"  {name} on device {fields['device']}: "
              f"{fields['bytes_in']} bytes in, {fields['bytes_out']} bytes out,"
              f" {fields['time_ms']} ms")
    for name, fields in profile(log, "kernel"):
        launches += int(fields["launches"])
        print(f"  kernel {name}: {fields['launches']} launches, "
              f"grid {fields['grid']}, block {fields['block']}, "
              f"{fields['time_ms']} ms")
    if not launches:
        print("  nothing: no kernel was launched")
        print(log, end="")
    print(f"Time of the product: {seconds(work / 'matmul.stdout'):.3f} s "
          f"offloaded (start of the device included), "
          f"{seconds(work / 'sequential.stdout'):.3f} s sequential")
    difference = largest_difference(matrix(work / "matmul.out"),
                                    matrix(work / "sequential.out"))
    print(f"Largest difference from the sequential program: {difference:g}")
    return 0 if launches and difference == 0 else 1


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
