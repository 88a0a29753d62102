"""Prints what is not offloaded of the programs of benchmarks/papers."""

import argparse
import subprocess
import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parents[4] / "benchmarks" / "papers"
sys.dont_write_bytecode = True
sys.path[:0] = [str(SUITE), str(SUITE.parent / "polybench")]
import papers
from driver import read_remarks


def missed(options, name):
    """(line, sentence) of the loops of a program that stay."""
    program = papers.PROGRAMS[name]
    done = subprocess.run(
        [options.clang, f"--config={options.cfg}", "-O3",
         f"-I{SUITE.parent / 'polybench'}", f"-DT={program.types[0]}",
         *(f"-D{macro}" for macro in program.macros), "-mllvm", "-gpu-offload",
         "-mllvm", "-gpu-targets=ptx", "-Rpass-missed=gpu-polyhedral", "-c",
         SUITE / f"{program.source or name}.c", "-o", "/dev/null"],
        stderr=subprocess.PIPE, text=True, check=True)
    return sorted(read_remarks(done.stderr).missed)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--clang", required=True)
    parser.add_argument("--cfg", required=True)
    options = parser.parse_args()
    loops = programs = 0
    # Whatever else would have a remark fails in check.test, by its number.
    for name in sorted(papers.PROGRAMS):
        if papers.EXPECTED[name].left == 0:
            continue
        found = missed(options, name)
        for line, sentence in found:
            print(f"{name} {line}: {sentence.partition(': ')[2]}")
        loops += len(found)
        programs += 1
    print(f"{loops} loops of {programs} programs")


main()
