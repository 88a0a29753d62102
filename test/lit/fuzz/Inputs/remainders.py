#!/usr/bin/env python3
"""Random loops in which remainders meet alternatives.

  remainders.py --clang clang-22 --cfg build/polygpu.cfg \\
      --harness build/lib/libpolygpu_harness.a --source . --files 60

Each file has functions of nested loops with conditions of %, /, & and >>
joined by || and &&, else, continue and switch, any way round.  It is built for
the checked emulated device and sequentially, both run on the same random
arrays, and these must have the same bits afterwards.  A function counts as
offloaded only if its kernels were launched, and each one must have a remark.
The same seed always gives the same files; without one they differ.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import argparse
import os
import random
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROWS, COLUMNS = 37, 29


class Function:
    """One function, f<number>, that changes a[<number>]."""

    def __init__(self, r, number):
        self.r, self.number = r, number
        self.names = ["i", "j"]

    def chance(self, percent):
        return self.r.random() * 100 < percent

    def expression(self):
        r, names = self.r, self.names
        form = r.randrange(10)
        if form < 2 and len(names) > 1:
            return r.choice(("(i + j)", "(i - j)"))
        if form == 2:
            return f"(2 * {r.choice(names)} + {r.randint(0, 3)})"
        if form == 3:
            return f"({r.choice(names)} + k)"
        return r.choice(names)

    def remainder(self, e):
        r, m = self.r, self.r.randint(2, 5)
        form = r.randrange(12)
        if form < 8:
            return f"{e} % {m} {r.choice(('==', '==', '!=', '<', '>'))} " \
                f"{r.randint(form < 2, m - 1)}"
        if form < 10:
            return f"({e} & {r.choice((1, 3))}) {r.choice(('==', '<='))} " \
                f"{r.randint(0, 1)}"
        if form == 10:
            return f"{e} / {m} {r.choice(('==', '<', '>'))} {r.randint(0, 3)}"
        return f"({e} >> {r.randint(1, 2)}) == {r.randint(0, 4)}"

    def comparison(self, e):
        r = self.r
        return f"{e} {r.choice(('<', '<', '<=', '>', '==', '!='))} " \
            f"{r.choice((0, 1, 1, 2, 2, 3, 5, 'k'))}"

    def condition(self):
        """Two or three comparisons, most of one expression."""
        r, e = self.r, self.expression()
        atoms = [self.remainder(e),
                 self.comparison(e if self.chance(75) else self.expression())]
        if self.chance(20):
            atoms.append(r.choice((self.remainder, self.comparison))(
                e if self.chance(60) else self.expression()))
        r.shuffle(atoms)
        text = atoms[0]
        for atom in atoms[1:]:
            text = f"({text}) {r.choice(('||', '||', '||', '&&'))} {atom}"
        return f"!({text})" if self.chance(15) else text

    def update(self):
        r = self.r
        return r.choice((
            f"to[i][j] += {r.randint(1, 9)};",
            f"to[i][j] *= {r.randint(2, 5)};",
            "to[i][j] += i - j;",
            "to[i][j] = to[i][j] * 0.5f + j;",
            f"to[i][j] -= from[i % {r.randint(2, 5)}][j];",
            f"to[i][j] += from[i][j / {r.randint(2, 3)}];"))

    def inside(self):
        """What is in both loops."""
        form = self.r.randrange(10)
        if form < 4:
            return self.update()
        if form < 6:
            return f"if ({self.condition()}) {{ {self.update()} }}"
        if form < 8:
            return f"if ({self.condition()}) {{ {self.update()} }} " \
                f"else {{ {self.update()} }}"
        if form == 8:
            return f"if ({self.condition()}) continue; {self.update()}"
        return f"{self.update()} if ({self.condition()}) {{ {self.update()} }}"

    def loop(self, name, most):
        r, form = self.r, self.r.randrange(10)
        bound = r.choice((most, "n", "n"))
        if form < 7:
            return f"for (int {name} = {r.choice((0, 0, 0, 1, 2))}; " \
                f"{name} < {bound}; {name}++)"
        if form == 7:
            return f"for (int {name} = {bound} - 1; {name} >= 0; {name}--)"
        if form == 8:
            return f"for (int {name} = {r.randint(0, 1)}; {name} < {bound}; " \
                f"{name} += {r.randint(2, 3)})"
        return f"for (unsigned {name} = 0; {name} < {most}; {name}++)"

    def switch(self, inner):
        """Cases of the row, some with the same body."""
        r = self.r
        cases = r.sample(range(7), 3)
        return f"switch (i) {{ case {cases[0]}: case {cases[1]}: " \
            f"case {cases[2]}: {inner()} break; default: " \
            f"if ({self.remainder('i')}) {{ {inner()} }} }}"

    def text(self):
        """The rows' condition in one loop, the others' in both."""
        columns = self.loop("j", COLUMNS)

        def inner():
            self.names = ["i", "j"]
            body = f"{columns} {{ {self.inside()} }}"
            self.names = ["i"]
            return body

        self.names = ["i"]
        form = self.r.randrange(6)
        if form < 2:
            body = f"if ({self.condition()}) {{ {inner()} }}"
        elif form == 2:
            body = f"if ({self.condition()}) {{ {inner()} }} " \
                f"else {{ {inner()} }}"
        elif form == 3:
            body = f"if ({self.condition()}) continue; " \
                f"if ({self.condition()}) continue; {inner()}"
        elif form == 4:
            body = self.switch(inner)
        else:
            body = inner()
        return f"NOINLINE static void f{self.number}(int n, int k, " \
            f"float to[{ROWS}][{COLUMNS}], float from[{ROWS}][{COLUMNS}])\n" \
            f"{{\n    {self.loop('i', ROWS)} {{ {body} }}\n}}\n"


def program(seed, functions):
    r = random.Random(seed)
    text = '#include "exec.h"\n\n' \
        f"static float a[{functions}][{ROWS}][{COLUMNS}];\n" \
        f"static float from[{ROWS}][{COLUMNS}];\n\n"
    text += "\n".join(Function(r, n).text() for n in range(functions))
    text += "\nint main(int argc, char **argv)\n{\n" \
        "    harness_start(argc, argv);\n" \
        "    harness_fill(a, sizeof a / sizeof(float), sizeof(float));\n" \
        "    harness_fill(from, sizeof from / sizeof(float), sizeof(float));\n"
    for n in range(functions):
        text += f"    f{n}({r.choice((COLUMNS, COLUMNS, 1, 5, 12))}, " \
            f"{r.choice((-3, 0, 1, 2, 3, 6, 7, 40))}, a[{n}], from);\n"
    return text + '    dump("a", a, sizeof a);\n' \
        "    return harness_end();\n}\n"


def run(command, **environment):
    done = subprocess.run(command, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, check=False, text=True,
                          timeout=600, env={**os.environ, **environment})
    return done.returncode, done.stdout


def build(options, folder, name, flags):
    include = options.source / "test/lit/exec/Inputs"
    code, output = run(
        [options.clang, *flags, f"-I{include}",
         f"-I{options.source / 'test/programs'}", str(folder / "f.c"),
         str(options.harness), "-o", str(folder / name)])
    if code:
        sys.exit(f"the compiler failed:\n{output}")
    return output


def try_file(seed, options, folder):
    """(functions offloaded, kernels launched, functions refused), or None."""
    text = program(seed, options.functions)
    (folder / "f.c").write_text(text)
    remarks = build(options, folder, "gpu", [
        f"--config={options.cfg}", "-O3", "-Rpass-missed=gpu-polyhedral",
        "-Rpass=gpu-polyhedral",
        "-mllvm", "-gpu-offload", "-mllvm", "-gpu-targets=emulated-checked",
        *options.extra.split()])
    build(options, folder, "ref", ["-O3", "-mfma"])
    dumps = {name: folder / f"{name}.dump" for name in ("gpu", "ref")}
    fill = str(random.Random(f"fill {seed}").randrange(1 << 32))
    outputs = [run([str(folder / name)], POLYGPU="auto", POLYGPU_PROFILE="lines",
                   POLYGPU_DEVICE="emulated", POLYGPU_COST="off",
                   POLYGPU_SEED=fill, POLYGPU_DUMP=str(dump))
               for name, dump in dumps.items()]
    wrong = [output for code, output in outputs if code] or \
        re.findall(r"checked .*", outputs[0][1])
    if not wrong and dumps["gpu"].read_bytes() != dumps["ref"].read_bytes():
        wrong = ["other bits: " + ", ".join(different(dumps, options))]
    wrong += silent(text, remarks)
    if wrong:
        print(f"seed {seed}: {wrong[0]}")
        if options.keep:
            options.keep.mkdir(parents=True, exist_ok=True)
            (options.keep / f"remainders-{seed}.c").write_text(text)
        return None
    profile = outputs[0][1]
    ran = set(re.findall(r"kernel (f\d+)_\d+_\d+ .* launches=[1-9]", profile))
    kernels = len(re.findall(r"kernel f\d+_\d+_\d+ .* launches=[1-9]", profile))
    return len(ran), kernels, remarks.count("remark: loop not offloaded")


def silent(text, remarks):
    """The functions of which no remark tells anything."""
    told = {int(line) for line in re.findall(r"f\.c:(\d+):\d+: remark", remarks)}
    lines = text.split("\n")
    return [f"no remark for line {at}: {line}"
            for at, line in enumerate(lines, 1)
            if line.startswith("    for ") and at not in told]


def different(dumps, options):
    """The functions whose arrays differ."""
    gpu, ref = (dumps[name].read_bytes()[-options.functions * ROWS * COLUMNS
                                         * 4:] for name in ("gpu", "ref"))
    size = ROWS * COLUMNS * 4
    return [f"f{n}" for n in range(options.functions)
            if gpu[n * size:(n + 1) * size] != ref[n * size:(n + 1) * size]]


def main():
    p = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    p.add_argument("--clang", default="clang-22")
    p.add_argument("--cfg", type=Path, required=True)
    p.add_argument("--harness", type=Path, required=True)
    p.add_argument("--source", type=Path, required=True)
    p.add_argument("--seed", type=int, help="of the first file",
                   default=random.SystemRandom().randrange(1 << 31))
    p.add_argument("--files", type=int, default=1)
    p.add_argument("--functions", type=int, default=8, help="in a file")
    p.add_argument("--extra", default="", help="further compiler options")
    p.add_argument("--keep", type=Path, help="folder for files that fail")
    p.add_argument("--print", action="store_true", help="print a file and end")
    options = p.parse_args()
    if options.print:
        print(program(options.seed, options.functions))
        return 0
    print(f"POLYGPU_SEED={options.seed}")
    results = []
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(options.seed, options.seed + options.files):
            results.append(try_file(seed, options, Path(folder)))
    wrong = results.count(None)
    done = [result for result in results if result]
    ran, kernels, missed = (sum(r[n] for r in done) for n in range(3))
    print(f"{options.files} files, {options.files * options.functions} "
          f"functions: {ran} ran on the device in {kernels} kernels, "
          f"{missed} refused, {wrong} files wrong")
    return wrong != 0


if __name__ == "__main__":
    sys.exit(main())
