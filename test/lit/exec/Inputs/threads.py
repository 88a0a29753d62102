"""Compares a program on several numbers of threads with its reference.

    threads.py T "SIZES" ...

runs T.ref, then T.gpu without a device on 1, 2, 3 and 7 threads, in each
parallel loop that there is; the dumps have to be equal, and all numbers of
threads have to give the same number of parallel loops, which is printed.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import os
import re
import subprocess
import sys
from pathlib import Path


def run(program, sizes, dump, **settings):
    done = subprocess.run([program, *sizes.split()], check=True,
                          env={**os.environ, "POLYGPU_DUMP": dump, **settings},
                          stderr=subprocess.PIPE, text=True)
    return done.stderr, Path(dump).read_bytes()


def main(base, *all_sizes):
    for sizes in all_sizes:
        _, wanted = run(f"{base}.ref", sizes, f"{base}.ref.dump")
        found = set()
        for threads in "1237":
            text, dump = run(f"{base}.gpu", sizes, f"{base}.gpu.dump",
                             POLYGPU="off", POLYGPU_CPU="parallel",
                             OMP_NUM_THREADS=threads, POLYGPU_PROFILE="lines")
            if dump != wanted:
                sys.exit(f"threads.py: {base}: sizes {sizes}: other results on "
                         f"{threads} threads")
            found.add(tuple(sorted(re.findall(
                r"parallel (\w+) .* (runs=\d+ regions=\d+ alone=\d+)", text))))
        if len(found) != 1:
            sys.exit(f"threads.py: {base}: sizes {sizes}: other loops on other "
                     f"numbers of threads: {found}")
        print("sizes", sizes)
        for function, counts in found.pop():
            print(f"  {function} {counts}")


main(*sys.argv[1:])
