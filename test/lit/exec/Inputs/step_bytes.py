"""step_bytes.py FEWER MORE PROCESSES: how many more bytes all SCoPs copy, by the
profiles FEWER.N.csv and MORE.N.csv of each process."""

import csv
import sys


def copied(path):
    with open(path, newline="", encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if row["kind"] == "scop"]
    return [sum(int(row[way]) for row in rows)
            for way in ("bytes_in", "bytes_out")]


fewer, more, processes = sys.argv[1:]
for n in range(int(processes)):
    before, after = (copied(f"{path}.{n}.csv") for path in (fewer, more))
    print(f"process {n}: {after[0] - before[0]} bytes to the device and "
          f"{after[1] - before[1]} from it")
