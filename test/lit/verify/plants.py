"""plants.py - errors planted in plans and kernels are refused by -gpu-verify.

Called as plants.py COMPILER SOURCE KIND:NUMBER...; the compiler's options come
from the test.  Prints a line for each plant: what was refused, by which kind
of observation.
"""
import re
import subprocess
import sys


def compile_with(command, plant):
    done = subprocess.run(command + ["-mllvm", f"-gpu-mutate={plant}"],
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, check=False)
    if done.returncode:
        sys.exit(f"{plant}: the compiler failed: {done.stdout}")
    return done.stdout


def main():
    split = sys.argv.index("--")
    command, plants = sys.argv[1:split], sys.argv[split + 1:]
    survived = 0
    for plant in plants:
        text = compile_with(command, plant)
        refused = re.findall(r"(?:does not do what the function does|"
                             r"would not do what the loops do) \((.*?)\)", text)
        seen = ("mapping" if "would not do what the loops do" in text
                else "kernel failed" if "a kernel failed" in text
                else "differs" if refused else "survived")
        survived += not refused
        print(f"{plant}: {len(refused)} refused, {seen}")
    print(f"{len(plants)} plants, {survived} survived")


if __name__ == "__main__":
    main()
