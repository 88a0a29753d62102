"""Random batches of small problems, as a C program on standard output.

  exchange.py FUNCTIONS

In each function blocks run over a batch, and its threads exchange elements in a
time loop: they write rows, and read what neighbours wrote, also again after
others have changed it.  The seed is POLYGPU_SEED.
"""

import os
import random
import sys

ARRAYS = "abcd"  # of which each function only reads one


def loop(r, size, neighbours, to, rows, first=None):
    """A loop that assigns to row "to" a sum of elements of "rows", and of its
    own; of the first row the element "first", if that is given."""
    terms = [f"{r.choice(('0.5f', '0.25f', '-0.75f'))} * {name}[p]"
             f"[{first if first and not at else r.choice(neighbours)}]"
             for at, name in enumerate(rows)]
    if r.random() < 0.5:
        terms.append(f"0.5f * {to}[p][i]")
    return (f"            for (int i = 1; i < {size}; i++)\n"
            f"                {to}[p][i] = {' + '.join(terms)};\n")


def function(r, number):
    size = r.choice(("N - 1", "N - 1", "n - 1"))
    x, y, z, only_read = r.sample(ARRAYS, 4)
    # Some of them more than once, so that the same element is read again.  With
    # mirrored ones there may be several launches in the place of barriers, so
    # that every second function has none.
    elsewhere = ["i - 1", "i + 1"] + [f"{size} - i"] * (number % 2)
    neighbours = [r.choice(elsewhere)]
    neighbours.append(r.choice([n for n in ("i", *elsewhere)
                                if n != neighbours[0]]))
    # Two rows that need each other, x another thread's of y, so that there are
    # barriers, and others.
    others = r.sample([z, only_read], r.choice((0, 1)))
    loops = [loop(r, size, neighbours, x, [y, y, *others], neighbours[0]),
             loop(r, size, neighbours, y, [x] * r.choice((1, 2)))]
    for _ in range(r.choice((0, 1, 1, 2))):
        to = r.choice((z, z, y))
        rows = [name for name in (x, y, only_read) if name != to]
        loops.append(loop(r, size, neighbours, to, r.sample(rows, 2)))
    steps = r.choice(("T", "steps"))
    return (f"NOINLINE static void f{number}(int batch, int n, int steps)\n{{\n"
            "    for (int p = 0; p < batch; p++)\n"
            f"        for (int t = 0; t < {steps}; t++) {{\n{''.join(loops)}"
            "        }\n}\n\n")


def main():
    r = random.Random(f"exchange {os.environ.get('POLYGPU_SEED', 1)}")
    count = int(sys.argv[1])
    size = r.choice((66, 66, 130, 150, 300))
    print('#include "exec.h"\n')
    print(f"enum {{ B = 3, N = {size}, T = {r.choice((2, 3, 5))} }};\n")
    for name in ARRAYS:
        print(f"static float {name}[B][N];")
    print()
    for number in range(count):
        print(function(r, number), end="")
    print("int main(int argc, char **argv)\n{\n"
          "    harness_start(argc, argv);")
    for number in range(count):
        for name in ARRAYS:
            print(f"    harness_fill({name}, B * N, sizeof(float));")
        print(f"    f{number}(B, N, T);")
        for name in ARRAYS:
            print(f'    dump("{name}{number}", {name}, sizeof {name});')
    print("    return harness_end();\n}")


main()
