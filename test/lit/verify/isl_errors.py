"""Lets allocations of isl in the plugin fail, one in each compilation.

  isl_errors.py PREFIX PLANTS COMPILER [OPTION or INPUT...]

PREFIX.ll is the program without main, which is among the inputs, and PREFIX.ref
does what is right. Each function is compiled by itself. The allocations are
chosen at random (POLYGPU_SEED), about as many in each step of each function. An
error has to refuse the loops; what the remarks call offloaded has to run on
the device, and the results must be those of PREFIX.ref.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import os
import random
import re
import subprocess
import sys
from collections import namedtuple

from every_plant import functions

# The message is that of the last error, which may follow from the planted one.
REFUSED = "loop not offloaded: the (.+) failed in isl: "

# Allocations "first" to "last" of a function, in one step.
Step = namedtuple("Step", "function what first last")


def run(command, **more):
    """What a program says, which must not fail."""
    done = subprocess.run(command, stdin=subprocess.DEVNULL, text=True,
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                          check=False, **more)
    if done.returncode:
        raise SystemExit(f"{command} ended with {done.returncode}:\n"
                         f"{done.stderr}")
    return done.stderr


class Planter:
    def __init__(self, prefix, command, seed):
        self.prefix = prefix
        self.inputs = [word for word in command if word.endswith((".o", ".a"))]
        self.compiler = [word for word in command if word not in self.inputs]
        self.environment = dict(
            os.environ, POLYGPU="auto", POLYGPU_DEVICE="emulated",
            POLYGPU_COST="off", POLYGPU_PROFILE="lines", POLYGPU_SEED=seed,
            POLYGPU_DUMP=prefix + ".dump")
        self.steps, self.objects = [], {}
        for name, text in functions(prefix + ".ll").items():
            with open(f"{prefix}.{name}.ll", "w", encoding="utf-8") as file:
                file.write(text)
            self.find_steps(name)
        self.right, _ = self.execute(prefix + ".ref")

    def compile(self, name, mutation, *options):
        return run([*self.compiler, "-mllvm", f"-gpu-mutate={mutation}",
                    f"{self.prefix}.{name}.ll", *options])

    def find_steps(self, name):
        """The steps of a function; makes its object, without an error."""
        self.objects[name] = f"{self.prefix}.{name}.o"
        text = self.compile(name, "allocations", "-c", "-o", self.objects[name])
        if "not offloaded" in text or "loops offloaded" not in text:
            raise SystemExit(f"{name} without an error: {text}")
        first = 1
        for last, what in re.findall(r"polygpu-allocations: (\d+) (.+)", text):
            if int(last) >= first:
                self.steps.append(Step(name, what, first, int(last)))
            first = int(last) + 1

    def execute(self, program):
        """The results, and what the runtime says."""
        text = run([program], env=self.environment)
        with open(self.prefix + ".dump", "rb") as file:
            return file.read(), text

    def try_plant(self, name, number):
        """What is wrong where this allocation fails, and what was refused."""
        others = [o for other, o in self.objects.items() if other != name]
        program = self.prefix + ".planted"
        text = self.compile(name, f"allocation:{number}", *others,
                            *self.inputs, "-o", program)
        results, profile = self.execute(program)
        failed = re.findall(REFUSED, text)
        ran = re.findall(r"polygpu: scop (\w+) .* runs=[1-9]", profile)
        wrong = []
        if results != self.right:
            wrong.append("other results")
        if not failed:
            wrong.append("no refusal")
        if ran.count(name) != text.count("loops offloaded"):
            wrong.append("remarks and runs differ")
        if set(self.objects) - {name} - set(ran):
            wrong.append("other functions did not run")
        return wrong, set(failed)


def main():
    prefix, plants, *command = sys.argv[1:]
    seed = os.environ.get("POLYGPU_SEED", str(random.randrange(1 << 31)))
    random.seed(int(seed))
    print(f"POLYGPU_SEED={seed}")
    planter = Planter(prefix, command, seed)
    steps = planter.steps
    random.shuffle(steps)
    refused, failures = set(), 0
    for i in range(int(plants)):
        step = steps[i % len(steps)]
        number = random.randint(step.first, step.last)
        wrong, failed = planter.try_plant(step.function, number)
        refused |= failed
        failures += bool(wrong)
        print(f"{step.function}, allocation:{number}, {step.what}:",
              ", ".join(wrong) or "refused")
    print(f"{plants} errors, {failures} failures, refused in {len(refused)} "
          f"kinds of steps: {', '.join(sorted(refused))}")
    return 1 if failures or not refused else 0


if __name__ == "__main__":
    raise SystemExit(main())
