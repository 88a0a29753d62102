"""random_conditions.py SEED FUNCTIONS - a C program with random conditions on
data (SEED "-": that of POLYGPU_SEED): nested, with else, && and ||, continue,
divisions, square roots and loops under them, in one or two dimensions, in time
loops with other code between the loops, and on arrays that may overlap.  It dumps
all arrays behind each function."""

import os
import random
import sys

ARRAYS = "ABCDE"

HEAD = """#include "exec.h"
enum { N = 120, M = 24 };
static float A[N], B[N], C[N], D[N], E[N], P[M][N], Q[M][N];
static int K[N], L[N];
HOST void fill(float *p, int n)
{
    for (int i = 0; i < n; i++)
        p[i] = (float)(harness_random() + 0.2 * (i % 7) - 0.6);
}
HOST void start(void)
{
    float *all[] = {A, B, C, D, E};
    for (int a = 0; a < 5; a++)
        fill(all[a], N);
    fill(&P[0][0], M * N);
    fill(&Q[0][0], M * N);
    random_bits(K, sizeof K);
    random_bits(L, sizeof L);
    for (int i = 0; i < N; i++)
        K[i] = K[i] % 9 * 2 + 1; /* a divisor */
}
HOST void show(const char *name)
{
    float *all[] = {A, B, C, D, E};
    for (int a = 0; a < 5; a++)
        dump_float(name, all[a], N);
    dump_float(name, &P[0][0], M * N);
    dump_float(name, &Q[0][0], M * N);
    dump(name, L, sizeof L);
}
HOST void between(int s)
{
    A[s + 3] += 1;
    B[5 * s + 1] = C[s];
    P[2][s + 4] = 1;
}
"""


class Writer:
    def __init__(self, seed):
        self.r = random.Random(seed)
        self.under = 0  # loops under a condition, around a statement

    def any(self, *choices):
        return self.r.choice(choices)

    def chance(self, part):
        return self.r.random() < part

    def counter(self):
        """Of the innermost loop under a condition."""
        return "kl"[self.under - 1]

    def element(self, flat):
        if self.under and self.chance(0.5):
            return self.any(f"P[{self.counter()}][i]", f"Q[{self.counter()}][i + 1]",
                            f"P[i % M][{self.counter()}]" if flat else
                            f"Q[i][{self.counter()}]",
                            f"{self.any(*ARRAYS)}[{self.counter()}]")
        if flat:
            return f"{self.any(*ARRAYS)}[i{self.any('', '', '', '+1', '-1', '+2')}]"
        if self.chance(0.5):
            return f"{self.any(*ARRAYS)}[{self.any('i', 'j')}]"
        return f"{self.any('P', 'Q')}[i{self.any('', '', '+1', '-1')}]" \
            f"[j{self.any('', '', '+1', '-1')}]"

    def target(self, flat):
        if self.under and self.chance(0.7):
            return self.any(f"P[{self.counter()}][i]", f"Q[{self.counter()}][i]",
                            f"Q[{self.counter()}][i]" if flat else
                            f"Q[i][{self.counter()}]",
                            f"{self.any(*ARRAYS)}[{self.counter()}]")
        if flat:
            index = self.any("", "", "", "+1", "-1")
            return f"{self.any(*ARRAYS)}[i{index}]"
        if self.chance(0.8):
            return f"{self.any('P', 'Q')}[i][j]"
        return f"{self.any(*ARRAYS)}[{self.any('j', 'j', 'i')}]"

    def value(self, flat, depth=2):
        if not depth or self.chance(0.35):
            return self.element(flat)
        if self.chance(0.25):
            return self.any("0.5f", "2.0f", "-1.0f", "t")
        return f"({self.value(flat, depth - 1)} {self.any(*'+-*')} " \
            f"{self.value(flat, depth - 1)})"

    def condition(self, flat):
        test = f"{self.element(flat)} {self.any('<', '>', '<=', '>=')} " \
            f"{self.any(self.element(flat), '0', '0.5f', '-0.25f')}"
        if self.chance(0.2):
            test += f" {self.any('&&', '||')} {self.element(flat)} > 0.25f"
        if self.chance(0.1):
            return f"K[i] % 3 == {self.any(0, 1, 2)}"
        if self.chance(0.15):
            both = [test, f"i {self.any(*'<>')} {self.r.randrange(3, 20)}"]
            self.r.shuffle(both)
            return f"({both[0]}) && ({both[1]})"
        return test

    def statement(self, flat, depth):
        if depth and self.chance(0.12):
            return [f"t = {self.value(flat)};"]
        if depth and self.chance(0.06):
            return [f"t = __builtin_sqrtf({self.value(flat)});"]
        if flat and self.chance(0.1):
            return [self.any("L[i] += K[i];", "L[i] = L[i] % 100 / K[i + 1];"
                             if depth else "L[i] = K[i];")]
        return [f"{self.target(flat)} {self.any('=', '=', '+=')} "
                f"{self.value(flat)};"]

    def loop_under(self, flat, depth):
        """A loop under a condition, perhaps with a result."""
        self.under += 1
        at = self.counter()
        bound = self.any("7", "m - 2", "m / 4", "i" if self.chance(0.3) else "5")
        if bound == "i":
            bound = "(i < M ? i : M)" if flat else "i"
        lines = [f"for (int {at} = {self.any(0, 1)}; {at} < {bound}; {at}++) {{"]
        if self.chance(0.3):
            lines += [f"t += {self.value(flat)};", "}"]
        else:
            lines += [*self.statements(flat, depth + 1), "}"]
        self.under -= 1
        return lines

    def statements(self, flat, depth=0):
        lines = []
        for _ in range(self.any(1, 2, 3)):
            if depth < 3 and self.chance(0.45):
                guard = self.condition(flat)
                inner = self.statements(flat, depth + 1)
                lines += [f"if ({guard}) {{", *inner, "}"]
                if self.chance(0.45):
                    lines += ["else {", *self.statements(flat, depth + 1), "}"]
            elif depth and self.under < 2 and self.chance(0.25):
                lines += self.loop_under(flat, depth)
            elif depth and self.chance(0.07):
                return [*lines, "continue;"]
            else:
                lines += self.statement(flat, depth)
        return lines

    def loops(self):
        flat = self.chance(0.6)
        head = ["for (int i = 1; i < n - 2; i++) {"] if flat else \
            ["for (int i = 1; i < m - 1; i++)",
             "for (int j = 1; j < n - 1; j++) {"]
        return [*head, "float t = 1.25f;", *self.statements(flat), "}"]

    def function(self, number):
        body = self.loops()
        if self.chance(0.5):
            body += [*(["between(s);"] if self.chance(0.5) else []),
                     *self.loops()]
            body = ["for (int s = 0; s < 3; s++) {", *body, "}"]
        parameters = "".join(f", float *{a}" for a in ARRAYS) \
            if self.chance(0.4) else ""
        arguments = self.any("A, B, C, D, E", "A, A + 1, C, C, E",
                             "C + 1, A, C, E, B")
        text = "\n".join(body)
        call = f"start();\nf{number}(N - 4, M" \
            f"{', ' + arguments if parameters else ''});\nshow(\"f\");\n"
        return f"NOINLINE static void f{number}(int n, int m{parameters})\n" \
            f"{{\n{text}\n}}\n", call


def main():
    seed = os.environ["POLYGPU_SEED"] if sys.argv[1] == "-" else sys.argv[1]
    writer = Writer(int(seed))
    functions, calls = zip(*map(writer.function, range(int(sys.argv[2]))))
    print(HEAD, *functions, "int main(int argc, char **argv)\n{\n"
          "harness_start(argc, argv);\n", *calls,
          "return harness_end();\n}\n", sep="")


if __name__ == "__main__":
    main()
