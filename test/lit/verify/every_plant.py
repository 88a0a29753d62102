"""Plants one error after another in each function of a program.

  every_plant.py PLUGIN PROGRAM.ll SENTENCE KIND,KIND FEWEST [OPTION...]

Each function is compiled by itself. All errors that -gpu-mutate=list names, of
these kinds, have to be refused with the sentence; without an error nothing is.
There have to be FEWEST that are. Options are the pass's, or

  --most N                of each kind in each function, others in each run
                          (POLYGPU_SEED)
  --harmless FUNCTION:KIND:N,...   these are not refused
  --without FUNCTION      is left out

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import argparse
import os
import random
import re
import subprocess
from collections import namedtuple

# number: of its kind, in the function by itself
Plant = namedtuple("Plant", "function kind number")


def call(command):
    return subprocess.run(command, check=True, text=True, capture_output=True)


def functions(program):
    """{name: the function by itself}, of those that have a body."""
    with open(program, encoding="utf-8") as file:
        names = re.findall(r"^define .*@(\w+)\(", file.read(), re.MULTILINE)
    return {name: call(["llvm-extract", "-S", f"--func={name}", program]).stdout
            for name in names}


class Planter:
    def __init__(self, options, rest):
        self.command = ["opt", f"-load-pass-plugin={options.plugin}",
                        "-passes=gpu-polyhedral", "-gpu-targets=emulated",
                        "-pass-remarks-missed=gpu-polyhedral",
                        "-disable-output", *rest]
        self.options = options
        self.modules = functions(options.program)

    def compile(self, function, mutation):
        """What the pass says."""
        return subprocess.run([*self.command, f"-gpu-mutate={mutation}"],
                              input=self.modules[function], check=True,
                              text=True, stderr=subprocess.PIPE).stderr

    def plants(self, function):
        """Some or all errors."""
        listed = self.compile(function, "list")
        if "not offloaded" in listed:
            raise SystemExit(f"refused without an error: {listed}")
        plants = [Plant(function, kind, number) for kind, number in
                  re.findall(r"polygpu-mutant: (\w+):(\d+) ", listed)]
        random.shuffle(plants)
        return [plant for kind in self.options.kinds.split(",") for plant in
                [p for p in plants if p.kind == kind][:self.options.most]]

    def is_refused(self, plant):
        text = self.compile(plant.function, f"{plant.kind}:{plant.number}")
        return self.options.sentence in text


def parse_arguments():
    p = argparse.ArgumentParser()
    for name in ("plugin", "program", "sentence", "kinds"):
        p.add_argument(name)
    p.add_argument("fewest", type=int)
    p.add_argument("--most", type=int)
    p.add_argument("--harmless", default="")
    p.add_argument("--without")
    return p.parse_known_args()


def main():
    options, rest = parse_arguments()
    seed = os.environ.get("POLYGPU_SEED", random.randrange(1 << 31))
    random.seed(int(seed))
    print(f"POLYGPU_SEED={seed}")
    planter = Planter(options, rest)
    harmless = set(filter(None, options.harmless.split(",")))
    refused, wrong = 0, []
    for function in planter.modules:
        if function == options.without:
            continue
        for plant in planter.plants(function):
            name = ":".join(plant)
            seen = planter.is_refused(plant)
            refused += seen
            if seen == (name in harmless):
                wrong.append(f"{name} {'was' if seen else 'was not'} refused")
    print(*wrong, f"{refused} errors refused", sep="\n")
    return 1 if wrong or refused < options.fewest else 0


if __name__ == "__main__":
    raise SystemExit(main())
