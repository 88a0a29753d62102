#!/usr/bin/env python3
"""Runs the pass over the IR of one C source, twice.

The pass must not crash nor break the IR; where it offloads nothing it must
leave the module as it was, and its second run must change nothing.
"""

import argparse
import re
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
TIMEOUT = 120  # seconds, for one command


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("source", type=Path)
    parser.add_argument("--llvm-bin", type=Path, required=True)
    parser.add_argument("--plugin", required=True)
    parser.add_argument("--level", default="-O3")
    parser.add_argument("--work", type=Path, default=Path("ir.out"))
    return parser.parse_args()


def main():
    options = parse_arguments()
    options.work.mkdir(parents=True, exist_ok=True)
    texts = [options.work / f"{n}.ll" for n in ("input", "first", "second")]

    def call(tool, *arguments):
        subprocess.run([options.llvm_bin / tool, *arguments], check=True,
                       timeout=TIMEOUT)

    def run_pass(before, after):
        call("opt", f"-load-pass-plugin={options.plugin}",
             "-passes=gpu-polyhedral,verify", "-S", before, "-o", after)

    # -g: line tables must survive as well.  The input is what opt prints of
    # it, so that the texts can be compared.
    raw = options.work / "raw.ll"
    call("clang", options.level, "-g", "-DN=33", "-DM=34", "-DK=35", "-DP=36",
         "-DSTEPS=3", f"-I{HERE}", "-S", "-emit-llvm", options.source,
         "-o", raw)
    call("opt", "-passes=verify", "-S", raw, "-o", texts[0])
    run_pass(texts[0], texts[1])
    run_pass(texts[1], texts[2])

    # The first line names the file, and the comments list predecessors in an
    # order that depends on how the text was read.
    before, first, second = (
        re.sub(r"; preds = .*", "", text.read_text().split("\n", 1)[1])
        for text in texts)
    if first != second:
        print(f"the second run changed the module: {texts[1]} {texts[2]}")
        return 1
    offloaded = "@polygpu_begin" in first
    if not offloaded and first != before:
        print(f"nothing offloaded, but changed: {texts[0]} {texts[1]}")
        return 1
    print("offloaded" if offloaded else "not offloaded")
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except subprocess.CalledProcessError as error:
        print(error)
        sys.exit(1)
    except subprocess.TimeoutExpired as error:
        print(error)
        sys.exit(1)
