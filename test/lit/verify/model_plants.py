"""Plants one error after another in the model of a program's loops.

  model_plants.py OPT PLUGIN PROGRAM.ll KIND,KIND FEWEST [KIND:N ...]

All errors that -gpu-mutate=list names, of these kinds, have to be refused, but
for those given at the end, which make no difference. There have to be FEWEST,
and without an error nothing is refused.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import re
import subprocess
import sys


def compile(opt, plugin, program, mutation):
    return subprocess.run(
        [opt, f"-load-pass-plugin={plugin}", "-passes=gpu-polyhedral",
         "-gpu-targets=emulated", "-gpu-promotion=off", "-disable-output",
         f"-gpu-mutate={mutation}", "-pass-remarks-missed=gpu-polyhedral",
         program], check=True, stderr=subprocess.PIPE, text=True).stderr


def main():
    opt, plugin, program, kinds, fewest = sys.argv[1:6]
    harmless = set(sys.argv[6:])
    listed = compile(opt, plugin, program, "list")
    if "not offloaded" in listed:
        sys.exit("refused without an error: " + "\n".join(
            line for line in listed.splitlines() if "remark" in line))
    mutants = [(f"{kind}:{number}", where) for kind, number, where in
               re.findall(r"polygpu-mutant: (\w+):(\d+) (.*)", listed)
               if kind in kinds.split(",")]
    wrong = []
    for mutant, where in mutants:
        seen = "model of these loops differs" in compile(
            opt, plugin, program, mutant)
        if seen == (mutant in harmless):
            wrong.append(f"{mutant} ({where}) "
                         f"{'was' if seen else 'was not'} seen")
    print(*wrong, f"{len(mutants)} errors", sep="\n")
    if wrong or len(mutants) < int(fewest) or harmless - {m for m, _ in mutants}:
        sys.exit(1)


if __name__ == "__main__":
    main()
