"""A random program about errno: errno_programs.py FILE.c

Each function is a sequence of parts: math calls outside of loops and in loops
that stay on the host, with looks at errno that the program records, and loops
that can be offloaded, after which it forgets errno and signgam.  The seed is
POLYGPU_SEED, which the program prints.
"""
import os
import random
import sys

FUNCTIONS = 9
HEAD = """#define _GNU_SOURCE
#include "exec.h"

#include <errno.h>
#include <math.h>

enum { N = 12, MOST = 20000 };

static double x[N], y[N], z[N], w[N];
static int seen[MOST], n_seen;

HOST void record(int what)
{
    seen[n_seen++ % MOST] = what;
}
#define NOTE(what) record((what) + 1000 * __LINE__)

HOST void inputs(int positive)
{
    for (int i = 0; i < N; i++) {
        x[i] = harness_random();
        if (positive)
            x[i] = fabs(x[i]);
        y[i] = z[i] = w[i] = harness_random();
    }
}
"""
TAIL = """    }
    dump_double("y", y, N);
    dump_double("z", z, N);
    dump_double("w", w, N);
    dump("n", &n_seen, sizeof n_seen);
    dump("seen", seen, sizeof seen);
    return harness_end();
}
"""


def call(rng, operand):
    name = rng.choice(["log", "sqrt", "exp", "tgamma", "acos", "log2", "asin",
                       "lgamma", "pow", "fmod"])
    if name in ("pow", "fmod"):
        second = rng.choice(["0.5", "v", "x[1]", "2.0", "-1.0"])
        return f"{name}({operand}, {second})"
    return f"{name}({operand})"


def operand(rng):
    return rng.choice(["v", "-v", "v - 1", "x[2]", "x[3] - 1", "v * 1e3",
                       "0 * v"])


def straight(rng):
    return f"errno = 0; y[0] = {call(rng, operand(rng))}; NOTE(errno);"


def unused(rng):
    return f"errno = 0; (void){call(rng, operand(rng))}; NOTE(errno);"


def twice(rng):
    one = call(rng, operand(rng))
    return (f"errno = 0; y[1] = {one}; NOTE(errno); errno = 0; y[2] = {one};"
            " NOTE(errno);")


def on_host(rng):
    one = call(rng, rng.choice(["x[i] - 1", "v - i", "x[i]"]))
    return ("for (int i = 0; i < n; i++) { errno = 0; "
            f"y[i] = {one}; NOTE(errno); }}")


def offloaded(rng):
    one = call(rng, rng.choice(["x[i]", "x[i] - 1", "v"]))
    return (f"for (int i = 0; i < n; i++) z[i] = z[i] + {one};"
            " errno = 0; signgam = 0;")


def around(rng):
    last = rng.choice(["", f"(void){call(rng, operand(rng))}; NOTE(errno);"])
    return ("for (int i = 0; i < n; i++) { errno = 0; "
            f"y[i] = {call(rng, 'x[i] - 1')}; NOTE(errno); "
            "for (int j = 0; j < n; j++) "
            f"w[j] = w[j] * 0.5 + {call(rng, 'x[j]')}; "
            f"errno = 0; signgam = 0; {last} }}")


def in_condition(rng):
    one = rng.choice(["sqrt(s - 3) < 2", "log(s) < 2", "pow(s - 2, 0.5) < 2"])
    return (f"s = v * v; errno = 0; while ({one} && s < 20) {{ s += 1;"
            " NOTE(errno); errno = 0; } NOTE(errno);")


def leaving(rng):
    one = call(rng, rng.choice(["x[i] - 1", "x[i]"]))
    return (f"errno = 0; for (int i = 0; i < n; i++) {{ s = {one};"
            " if (errno) { NOTE(i); break; } y[i] = s; } NOTE(errno);")


def main():
    rng = random.Random(int(os.environ["POLYGPU_SEED"]))
    parts = [straight, unused, twice, on_host, offloaded, offloaded, around,
             in_condition, leaving]
    text = HEAD
    for f in range(FUNCTIONS):
        body = [rng.choice(parts)(rng) for _ in range(rng.randrange(2, 5))]
        body.insert(rng.randrange(len(body) + 1), offloaded(rng))
        text += (f"\nNOINLINE static void f{f}(double v, int n)\n{{\n"
                 "    double s = 0;\n\n    " + "\n    ".join(body) +
                 "\n    NOTE(signgam + (s == v));\n}\n")
    text += ("\nint main(int argc, char **argv)\n{\n"
             "    harness_start(argc, argv);\n"
             "    for (int r = 0; r < 4; r++) {\n"
             "        double v = r == 0 ? -1 : r == 1 ? 0 : harness_random();"
             "\n\n        inputs(r & 1);\n")
    for f in range(FUNCTIONS):
        text += f"        f{f}(v, N);\n"
    with open(sys.argv[1], "w", encoding="utf-8") as file:
        file.write(text + TAIL)


main()
