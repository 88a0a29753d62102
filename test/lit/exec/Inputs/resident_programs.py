"""resident_programs.py CFG FOLDER [COUNT] - arrays stay on the device between
loops of random programs, whose host code reads and writes them in many ways.

Each program has functions with a loop over steps, in which loops that are
offloaded take turns with stores through other pointers, library functions, calls
of functions that write, memory that is freed and allocated again, calls of each
other, and of the functions of resident_callees.py.  What a program prints has
to be what it prints without offloading: as it is, with every copy on the device
compared before it is used, and with a device that fails somewhere; and
polygpu-verify may not find a function that differs from its offloaded copy.
With a configuration file for the link (-lto.cfg) their functions are in several
files.  POLYGPU_SEED chooses the programs.

  resident_programs.py build/polygpu.cfg /tmp 500
"""

import os
import random
import re
import subprocess
import sys
from pathlib import Path

sys.dont_write_bytecode = True
import resident_callees  # noqa: E402
import split_program  # noqa: E402

N, FUNCTIONS, CALLEES, MORE = 96, 3, 5, 9
ARRAYS = ("p", "q", "g0", "g1", "s->a", "s->b", "l", "m", "mid", "(big + 40)",
          "s->c")
HEAD = """#include <stdio.h>
#include <stdlib.h>
#include <string.h>
enum { N = 96 };
struct box { unsigned *a, *b, c[N]; };
static unsigned g0[N], g1[N], big[3 * N], *hidden, sum;
static __attribute__((noinline, optnone)) void scribble(int t)
{ hidden[(t * 7 + 3) % N] += 11; }
static void (*volatile unknown)(int) = scribble;
static __attribute__((noinline)) unsigned peek(const unsigned *x)
{ unsigned v = 0; for (int i = 0; i < N; i++) v = v * 31 + x[i]; return v; }
static __attribute__((noinline)) void poke(int t) { g1[t % N] ^= 5; }
static int compare(const void *l, const void *r)
{ unsigned a = *(const unsigned *)l, b = *(const unsigned *)r;
  return (a > b) - (a < b); }
"""


class Program:
    """One program, as text."""

    def __init__(self, r):
        self.r, self.size = r, N
        self.callees = resident_callees.Callees(self, CALLEES)
        self.text = HEAD + self.callees.text
        for number in range(FUNCTIONS):
            self.text += self.function(number)
        self.text += self.main()

    def two(self, arrays=ARRAYS):
        """Two names; that of one array may occur more than once."""
        return self.r.sample(sorted(set(arrays)), 2) \
            if self.r.random() < 0.5 else self.r.sample(arrays, 2)

    def bounds(self):
        lo = self.r.choice((0, 0, 1, self.r.randrange(N // 2)))
        hi = self.r.choice((N - 1, N - 1, self.r.randrange(lo + 1, N)))
        return lo, hi

    def loops(self, arrays=ARRAYS):
        """What is to be offloaded."""
        a, b = self.two(arrays)
        lo, hi = self.bounds()
        body = self.r.choice((
            f"{a}[i] = {a}[i] * 3 + {b}[i];", f"{a}[i] = {b}[i + 1] ^ i;",
            f"{a}[i] += t;", f"{a}[i] = {b}[N - 1 - i] + 7;",
            f"{a}[i] = {b}[i] + {b}[i + 1];"))
        if self.r.random() < 0.2:
            return f"for (int i = 0; i < N / 2; i++) " \
                f"{a}[2 * i] += {b}[i + {self.r.randrange(N // 2)}];"
        if self.r.random() < 0.15:
            return f"{{ unsigned z[N]; memcpy(z, {b}, sizeof z); " \
                f"for (int i = {lo}; i < {hi}; i++) z[i] = z[i] * 5 + t; " \
                f"for (int i = {lo}; i < {hi}; i++) {a}[i] ^= z[i]; " \
                f"sum += z[t]; }}"
        loop = f"for (int i = {lo}; i < {hi}; i++) {body}"
        return f"if (t & 1) {loop}" if self.r.random() < 0.15 else loop

    def host(self, number):
        """What may write arrays behind the device's back."""
        a, b = self.two()
        if self.r.random() < 0.45:
            return self.callees.call(a, b)
        lo, hi = self.bounds()
        at, size = self.r.randrange(N), f"{hi - lo} * sizeof(unsigned)"
        return self.r.choice((
            f"w[{at}] += t;", f"{a}[{at}] = t;",
            f"for (int i = {lo}; i < {hi} && w[i] % 7; i++) w[i] += 5;",
            f"for (int i = {lo}; i < {hi} && {b}[i] % 5; i++) {a}[i] += w[i];",
            f"memmove({a} + {lo}, {b} + {lo}, {size});",
            f"memset({a} + {lo}, t, {size});",
            f"memmove({a} + {lo}, {a} + {(N - hi + lo) // 2}, {size});",
            f"hidden = {a}; scribble(t); hidden = g1;",
            f"hidden = {a}; unknown(t); hidden = g1;",
            "unknown(t);", "poke(t);", f"sum += peek({a});",
            f"sum += {a}[t];", 'printf("%d\\n", t);',
            f"qsort({a}, {hi}, sizeof(unsigned), compare);",
            "free(m); m = malloc(sizeof g0); "
            "for (int i = 0; i < N; i++) m[i] = (unsigned)i + w[i % 3];",
            "free(m); m = malloc(sizeof g0); memcpy(m, w, sizeof g0);",
            f"m = realloc(m, sizeof g0 + {at}); m[{at}]++;",
            "{ unsigned *o = p; p = q; q = o; }",
            "{ unsigned *o = s->a; s->a = s->b; s->b = o; }",
            f'snprintf((char *)({a} + {at // 2}), 6, "%d", t);',
            f"*(volatile unsigned *)(w + {at}) = t;",
            f"__atomic_store_n(&{a}[{at}], t, __ATOMIC_RELEASE);",
            f"f{self.r.randrange(number)}({a}, {b}, s, w, 2);"
            if number else "poke(t);"))

    def step(self, number):
        action = self.host(number)
        if self.r.random() < 0.5:
            return f"if (t % {self.r.randint(2, 4)} == 1) {{ {action} }}"
        return action

    def function(self, number):
        body = []
        for _ in range(self.r.randint(2, 5)):
            body.append(self.loops())
            body += [self.step(number)
                     for _ in range(self.r.choice((0, 0, 0, 1, 1, 2)))]
        body.append(self.call_one(ARRAYS))
        self.r.shuffle(body)
        if self.r.random() < 0.1:
            body.append("if (w[3] % 5 == 0 && t == 2) return;")
        lines = "\n        ".join(body)
        return f"""
static __attribute__((noinline)) void f{number}(unsigned *p, unsigned *q,
        struct box *s, unsigned *w, int steps)
{{
    unsigned l[N], *m = malloc(sizeof g0);
    unsigned *mid = w[1] & 1 ? big + 17 : big + N + 3;
    memcpy(l, g0, sizeof l);
    memcpy(m, w, sizeof l);
    for (int t = 0; t < steps; t++) {{
        {lines}
    }}
    sum += peek(l) + peek(m);
    free(m);
}}
"""

    def main(self):
        arrays = ("x[0]", "x[1]", "x[2]", "x[4]", "g0", "g1", "tl", "s->c")
        calls = ""
        for number in range(FUNCTIONS):
            w = self.r.choice(("x[0]", "x[1]", "g0", "g1", "x[2]", "x[4]"))
            between = "\n        ".join(
                self.r.choice((self.loops, self.call_one))(arrays)
                for _ in range(self.r.choice((0, 0, 1, 2))))
            calls += f"""    fuel = 40;
    hidden = {self.r.choice(("x[0]", "g1", "x[3]"))};
    for (int t = 0; t < {self.r.choice((1, 1, 2, 3))}; t++) {{
        {between}
        f{number}(x[0], x[1], s, {w}, {self.r.randint(2, 6)});
    }}
    for (int k = 0; k < 5; k++) printf("%u ", peek(x[k]));
    printf("%u %u %u ", peek(g0), peek(g1), sum);
    printf("%u %u %u %u ", peek(big), peek(big + N), peek(big + 2 * N),
           peek(s->c));
    printf("%u %u %u %u\\n", peek(s->a), peek(s->b), peek(tl), peek(keys));
"""
        return f"""
int main(void)
{{
    static unsigned x[5][N];
    struct box all = {{x[2], x[3], {{1, 2, 3}}}}, *s = &all;
    for (unsigned i = 0; i < 5 * N; i++) x[i / N][i % N] = i * 2654435761u >> 7;
    for (unsigned i = 0; i < N; i++) {{ g0[i] = i * 40503u; g1[i] = i ^ 77; }}
{calls}    return 0;
}}
"""

    def call_one(self, arrays):
        return self.callees.call(*self.two(arrays))


def run(path, **settings):
    """(output, what the runtime said beside its profile, kept, launches)."""
    env = {**os.environ, "POLYGPU_DEVICE": "emulated", "POLYGPU_COST": "off",
           "POLYGPU_PROFILE": "lines", **settings}
    done = subprocess.run([path], env=env, timeout=300, check=False,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True, errors="replace")
    said = [line for line in done.stderr.splitlines()
            if not re.match("polygpu: (scop|kernel|accesses|cost) ", line)]
    kept, launches = (sum(map(int, re.findall(pattern, done.stderr)))
                      for pattern in (r"bytes_kept=(\d+)", r"launches=(\d+)"))
    return (done.returncode, done.stdout), said, kept, launches


def compile_checked(command):
    """What the compiler's own checks found."""
    options = ("-gpu-targets=emulated-checked", "-gpu-verify=execute")
    done = subprocess.run(
        [*command, "-Rpass-missed=gpu-polyhedral",
         *(word for option in options
           for word in ("-Xclang", "-mllvm", "-Xclang", option))],
        check=True, timeout=600, stderr=subprocess.PIPE, text=True)
    return [line for line in done.stderr.splitlines()
            if "please report" in line]


def sources(r, cfg, folder):
    """The program, in files."""
    text = Program(r).text
    parts = split_program.split(text, r, r.randint(2, 3)) \
        if "-lto" in Path(cfg).name else [text]
    files = [folder / f"program{number}.c" for number in range(len(parts))]
    for file, part in zip(files, parts):
        file.write_text(part, encoding="utf-8")
    return list(map(str, files))


def try_one(seed, cfg, folder):
    """What went wrong with the program, if anything, and what it kept."""
    r = random.Random(seed)
    base = str(folder / "program")
    clang = ["clang-22", "-w", *sources(r, cfg, folder), "-o"]
    subprocess.run([*clang, base + ".ref", "-O1"], check=True, timeout=300)
    differs = compile_checked([*clang, base + ".gpu", f"--config={cfg}", "-O2"])
    expected = run(base + ".ref")[0]
    result, said, kept, launches = run(base + ".gpu")
    problems = ["wrong"] if result != expected else []
    problems += differs + said
    if run(base + ".gpu", POLYGPU_RESIDENCY="off")[0] != expected:
        problems.append("wrong without")
    result, said, _, _ = run(base + ".gpu", POLYGPU_RESIDENCY="verify")
    if result != expected or said:
        problems += ["verify", *said]
    fault = f"{r.choice(('in', 'launch', 'sync', 'out', 'alloc'))}:" \
        f"{r.randint(1, 40)}{r.choice(('', '+'))}"
    if run(base + ".gpu", POLYGPU_FAULT=fault)[0] != expected:
        problems.append(f"wrong with {fault}")
    return problems, kept, launches


def main(cfg, folder, count="2"):
    """Try programs, and keep the first that is wrong."""
    seed = int(os.environ.get("POLYGPU_SEED", random.randrange(1 << 32)))
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    kept = launches = 0
    number = 0
    # Of very few programs some keep nothing: then there is one more.
    while number < int(count) or (not kept and number < int(count) + MORE):
        problems, more, launched = try_one(seed + number, cfg, folder)
        kept, launches = kept + more, launches + launched
        if problems:
            sys.exit(f"POLYGPU_SEED={seed + number}: {problems}")
        number += 1
    print(f"seed {seed}: {number} programs, {launches} launches, "
          f"{kept} bytes kept")
    if not kept or not launches:
        sys.exit("nothing was kept")


if __name__ == "__main__":
    main(*sys.argv[1:])
