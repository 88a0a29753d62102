"""The inputs of benchmarks/compile_time.py: programs that strain the compiler.

Each is a function that returns C text; its first line of documentation says
what is large in it.  All are complete programs: harness.h fills the arrays
with random numbers and writes the results into a dump.  The same text comes
out each time.

A new input is a function with the decorator, and a test beside the others in
test/lit/stress.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

INPUTS = {}


def stress(function):
    """Register the input under its name, with - for _."""
    INPUTS[function.__name__.replace("_", "-")] = function
    return function


def lines(count, text):
    """The text for 0, 1, ...; {i}, {h} and {j} are the number and those before
    and after it."""
    return "\n".join(text.format(i=i, h=i - 1, j=i + 1) for i in range(count))


def program(arrays, functions, calls):
    """A program with the global double arrays {name: extents}."""
    text = ['#include "harness.h"', ""]
    fill, dump = [], []
    for name, extents in arrays.items():
        shape = "".join(f"[{n}]" for n in extents)
        text.append(f"static double {name}{shape};")
        count = f"sizeof({name}) / sizeof(double)"
        fill.append(f"    harness_fill((void *){name}, {count}, 8);")
        dump.append(f'    harness_dump("{name}", (void *){name}, {count}, 8);')
    text += ["", functions.strip("\n"), "", "int main(int argc, char **argv)",
             "{", "    harness_start(argc, argv);", *fill]
    text += [f"    {call};" for call in calls]
    text += [*dump, "    return harness_end();", "}", ""]
    return "\n".join(text)


def function(name, parameters, body):
    """A function that is not inlined."""
    return (f"__attribute__((noinline)) void {name}({parameters})\n{{\n"
            f"{body}\n}}\n")


def nest(loops, body):
    """Loops (variable, first, end) around a statement."""
    text = ""
    for depth, (i, first, end) in enumerate(loops):
        text += "    " * (depth + 1)
        text += f"for (int {i} = {first}; {i} < {end}; {i}++)\n"
    return text + "    " * (len(loops) + 1) + body


@stress
def statements():
    """200 statements in one loop, each reading the one before"""
    body = "    for (int i = 0; i < n; i++) {\n"
    body += lines(199, "        a[{j}][i] = a[{h}][i] * 0.5;".replace(
        "{h}", "{i}"))
    body += "\n        b[i] = a[199][i] + 1;\n    }"
    return program({"a": (200, 40), "b": (40,)},
                   function("f", "int n", body), ["f(40)"])


@stress
def statements_beyond():
    """300 statements in one loop: more than is taken"""
    body = "    for (int i = 0; i < n; i++) {\n"
    body += lines(300, "        a[{j}][i] = b[{i}][i] * 0.5;")
    body += "\n    }"
    return program({"a": (301, 40), "b": (300, 40)},
                   function("f", "int n", body), ["f(40)"])


@stress
def statements_apart():
    """100 statements in one loop that shift against each other"""
    body = "    for (int i = 100; i < n; i++) {\n"
    body += lines(100, "        a[{j}][i] = a[{i}][i - {i}] * 0.5;")
    body += "\n    }"
    return program({"a": (101, 300)}, function("f", "int n", body),
                   ["f(300)"])


@stress
def statements_scalars():
    """75 statements of two scalars in memory that they might overwrite"""
    body = "    for (int i = 1; i < n; i++) {\n"
    body += "        s[0] = b[i][0] * 2;\n        s[1] = b[i][1] + 3;\n"
    body += lines(75, "        to[i][{i}] = s[{i} % 2] * b[i - 1][{i}]"
                      " - s[{j} % 2];")
    body += "\n    }"
    return program({"a": (60, 75), "b": (60, 75), "c": (2,)},
                   function("f", "int n, double (*to)[75], double *s", body),
                   ["f(60, a, c)"])


@stress
def loops():
    """200 loops in a row, each reading what the one before wrote"""
    body = lines(200, "    for (int i = 0; i < n; i++)\n"
                      "        a[{j}][i] = a[{i}][i] * 0.5;")
    return program({"a": (201, 40)}, function("f", "int n", body), ["f(40)"])


@stress
def loops_reversed():
    """60 loops in a row, each reading what the one before wrote backwards"""
    body = lines(60, "    for (int i = 0; i < n; i++)\n"
                     "        a[{j}][i] = a[{i}][n - 1 - i] * 0.5;")
    return program({"a": (61, 40)}, function("f", "int n", body), ["f(40)"])


@stress
def scops():
    """100 SCoPs in one function, parted by calls"""
    body = lines(100, "    for (int i = 0; i < n; i++)\n"
                      "        a[{j}][i] = a[{i}][i] * 0.5;\n"
                      "    part();")
    text = "__attribute__((noinline)) void part(void)\n{\n"
    text += '    __asm__ volatile("" ::: "memory");\n}\n\n'
    return program({"a": (101, 40)},
                   text + function("f", "int n", body), ["f(40)"])


@stress
def functions():
    """60 functions with a matrix product each"""
    text = "".join(function(f"f{i}", "int n", nest(
        (("i", 0, "n"), ("j", 0, "n"), ("k", 0, "n")),
        f"a[{i + 1}][i][j] += a[{i}][i][k] * b[k][j];")) for i in range(60))
    return program({"a": (61, 20, 20), "b": (20, 20)}, text,
                   [f"f{i}(20)" for i in range(60)])


@stress
def depth():
    """8 nested loops"""
    loops = [(f"i{d}", 0, "n") for d in range(8)]
    at = "".join(f"[i{d}]" for d in range(8))
    other = "".join(f"[i{d}]" for d in (1, 0, 3, 2, 5, 4, 7, 6))
    return program({"a": (3,) * 8, "b": (3,) * 8}, function(
        "f", "int n", nest(loops, f"a{at} = b{at} + b{other} * 2;")),
        ["f(3)"])


@stress
def depth_time():
    """a time loop around 7 nested loops of a stencil"""
    loops = [("t", 0, "m")] + [(f"i{d}", 1, "n - 1") for d in range(7)]

    def at(shift, d):
        return "".join(f"[i{e}{shift if d == e else ''}]" for e in range(7))
    terms = " + ".join(f"a{at(' - 1', d)}" for d in range(7))
    return program({"a": (4,) * 7}, function(
        "f", "int m, int n", nest(loops, f"a{at('', 7)} = 0.125 * ({terms});")),
        ["f(2, 4)"])


@stress
def triangles():
    """5 nested loops, each bounded by the one outside of it"""
    loops = [("i0", 0, "n")] + [(f"i{d}", 0, f"i{d - 1} + 1")
                                for d in range(1, 5)]
    at = "".join(f"[i{d}]" for d in range(5))
    return program({"a": (7,) * 5, "b": (7,) * 5}, function(
        "f", "int n", nest(loops, f"a{at} = b{at} * 2;")), ["f(7)"])


@stress
def triangles_carried():
    """4 triangular loops that carry dependences"""
    loops = [("i", 1, "n"), ("j", 0, "i"), ("k", "j", "i"), ("l", 0, "k")]
    return program({"a": (12, 12), "b": (12, 12)}, function(
        "f", "int n", nest(loops, "a[i][j] -= a[k][l] * b[l][j];")), ["f(12)"])


def shifted(name, shift, count=20, statements=8):
    """A function with many parameters, and a call of it."""
    names = [f"p{i}" for i in range(count)]
    body = "    for (int i = p0; i < p1; i++)\n"
    body += "        for (int j = p2; j < p3; j++) {\n"
    body += lines(statements,
                  "            a[{i}][i + p%d][j + p%d] = b[i][j + p%d];")
    body = body % tuple(4 + (i + shift) % (count - 4)
                        for i in range(3 * statements))
    body += "\n        }"
    values = ["1", "9", "2", "11"] + [str(i % 4) for i in range(count - 4)]
    return (function(name, ", ".join(f"int {n}" for n in names), body),
            f"{name}({', '.join(values)})")


def shifted_program(*functions):
    return program({"a": (8, 16, 16), "b": (16, 16)},
                   "\n".join(text for text, _ in functions),
                   [call for _, call in functions])


@stress
def parameters():
    """20 parameters in bounds, conditions and subscripts"""
    return shifted_program(shifted("f", 0))


@stress
def parameters_few():
    """10 parameters in bounds and subscripts"""
    return shifted_program(shifted("f", 0, 10, 2))


def limited(loops):
    """Loops over parts of an array, each with two parameters."""
    names = [f"p{i}" for i in range(2 * loops)]
    body = "\n".join(
        f"    for (int i = p{2 * i}; i < p{2 * i + 1}; i++)\n"
        f"        a[i] = a[i] * b[i] + p{(7 * i) % (2 * loops)};"
        for i in range(loops))
    values = [str(3 * i % 11 + 20 * (i % 2)) for i in range(2 * loops)]
    return program({"a": (40,), "b": (40,)}, function(
        "f", ", ".join(f"int {n}" for n in names), body),
        [f"f({', '.join(values)})"])


@stress
def parameters_bounds():
    """10 loops over parts of an array that 20 parameters limit"""
    return limited(10)


@stress
def parameters_bounds_few():
    """2 loops over parts of an array that 4 parameters limit"""
    return limited(2)


@stress
def arrays():
    """100 arrays that may not overlap"""
    body = "    for (int i = 0; i < n; i++) {\n"
    body += lines(100, "        a{i}[i] = b[i] * {i} + c[i];")
    body += "\n    }"
    names = {f"a{i}": (40,) for i in range(100)}
    return program(names | {"b": (40,), "c": (40,)},
                   function("f", "int n", body), ["f(40)"])


@stress
def arrays_pointers():
    """30 pointers that may overlap"""
    body = "    for (int i = 0; i < n; i++) {\n"
    body += lines(30, "        a{i}[i] = b[i] * {i};")
    body += "\n    }"
    names = {f"m{i}": (40,) for i in range(30)}
    pointers = ", ".join(f"double *a{i}" for i in range(30))
    call = ", ".join(names)
    return program(names | {"d": (40,)}, function(
        "f", f"int n, const double *b, {pointers}", body),
        [f"f(40, d, {call})"])


@stress
def guards():
    """40 conditions around 40 statements, one after another"""
    body = "    for (int i = 0; i < n; i++)\n"
    body += "        for (int j = 0; j < n; j++) {\n"
    body += lines(40, "            if (i + {i} < m + j)\n"
                      "                a[{i}][i][j] = b[i][j] * {i};")
    body += "\n        }"
    return program({"a": (40, 20, 20), "b": (20, 20)}, function(
        "f", "int n, int m", body), ["f(20, 17)"])


@stress
def guards_nested():
    """20 conditions inside each other, with a statement at each level"""
    body = "    for (int i = 0; i < n; i++)\n"
    body += "        for (int j = 0; j < n; j++) {\n"
    for i in range(20):
        x, y = ("i", "j") if i % 2 else ("j", "i")
        body += f"            if ({x} + p{i % 5} > {i // 2} - {y}) {{\n"
        body += f"            a[{i}][i][j] = b[i][j] * {i};\n"
    body += "}" * 20 + "\n        }"
    parameters = "int n, " + ", ".join(f"int p{i}" for i in range(5))
    return program({"a": (20, 20, 20), "b": (20, 20)}, function(
        "f", parameters, body), ["f(20, 1, 2, 3, 4, 5)"])


def remainders_nested(count):
    """Conditions with % inside each other."""
    body = "    for (unsigned i = 0; i < n; i++)\n"
    body += "        for (unsigned j = 0; j < n; j++) {\n"
    for i in range(count):
        body += f"            if ((i + {i} * j) % {i + 2} != {i % 3}) {{\n"
        body += f"            a[{i}][i][j] = b[i][j] * {i};\n"
    body += "}" * count + "\n        }"
    return program({"a": (12, 30, 30), "b": (30, 30)}, function(
        "f", "unsigned n", body), ["f(30)"])


@stress
def guards_nested_remainders():
    """12 conditions with % inside each other: more than is taken"""
    return remainders_nested(12)


@stress
def guards_nested_remainders_few():
    """3 conditions with % inside each other"""
    return remainders_nested(3)


@stress
def guards_else():
    """24 branches of if and else if"""
    body = "    for (int i = 0; i < n; i++)\n        "
    body += " else ".join(
        f"if (i < p{k % 6} + {5 * k})\n            a[i] = b[i] * {k + 2};\n"
        "        " for k in range(24))
    body += "else\n            a[i] = b[i];"
    parameters = "int n, " + ", ".join(f"int p{i}" for i in range(6))
    return program({"a": (160,), "b": (160,)}, function(
        "f", parameters, body), ["f(160, 1, 2, 3, 4, 5, 6)"])


@stress
def constants():
    """large factors in subscripts, bounds and conditions"""
    body = nest((("i", 0, "n"), ("j", 0, 1009)),
                "if (99991 * i + 10007 * j < 1000003)\n"
                "                a[(1009 * i + 3 * j) % 4096] += "
                "b[1013 * i + j];").replace("% 4096", "")
    return program({"a": (20000,), "b": (20000,)}, function(
        "f", "int n", body), ["f(15)"])


@stress
def constants_strides():
    """large steps of loops that read what each other writes"""
    body = ("    for (int i = 0; i < 100000; i += 997)\n"
            "        a[i] = b[i] * 2;\n"
            "    for (int i = 5; i < 99000; i += 991)\n"
            "        b[i] = a[i + 983] + 1;\n"
            "    for (int i = 7; i < 98000; i += 977)\n"
            "        c[i] = a[i] + b[i + 971];")
    return program({"a": (100000,), "b": (100000,), "c": (100000,)},
                   function("f", "void", body), ["f()"])


@stress
def remainders():
    """subscripts with / and %"""
    body = "    for (int i = 0; i < n; i++)\n"
    body += "        for (int j = 0; j < n; j++) {\n"
    body += lines(6, "            a[{i}][i][j] = "
                     "b[i / %d][j %% %d] + b[j / %d + i %% %d][i];")
    body = body % tuple(k for i in range(6)
                        for k in (i + 2, i + 3, 2 * i + 3, i + 5))
    body += "\n        }"
    return program({"a": (6, 30, 30), "b": (60, 60)}, function(
        "f", "unsigned n", body.replace("int ", "unsigned ")), ["f(30)"])


@stress
def remainders_written():
    """/ and % on both sides, so that dependences have them"""
    body = "    for (unsigned i = 0; i < n; i++) {\n"
    body += lines(5, "        a[{j}][i / %d * %d + i %% %d] = "
                     "a[{i}][i / %d + i %% %d] * 0.5;")
    body = body % tuple(k for i in range(5)
                        for k in (i + 2, i + 2, i + 2, i + 3, i + 4))
    body += "\n    }"
    return program({"a": (6, 200)}, function("f", "unsigned n", body),
                   ["f(100)"])


def box(parameters, extents, bounds, call, steps="t"):
    """27 points of a 3-D stencil, there and back."""
    def sweep(to, source):
        points = [f"{source}[i{x}][j{y}][k{z}]"
                  for x in (" - 1", "", " + 1") for y in (" - 1", "", " + 1")
                  for z in (" - 1", "", " + 1")]
        loops = [(v, 1, f"{n} - 1") for v, n in zip("ijk", bounds)]
        sums = "\n                        + ".join(points)
        return nest(loops, f"{to}[i][j][k] = ({sums}) / 27;")
    body = f"    for (int s = 0; s < {steps}; s++) {{\n"
    body += sweep("b", "a") + "\n" + sweep("a", "b") + "\n    }"
    return program({"a": extents, "b": extents},
                   function("f", parameters, body), [call])


@stress
def box_constant():
    """a 3-D stencil of 27 points, constant sizes"""
    return box("void", (18, 20, 22), (18, 20, 22), "f()", 3)


@stress
def box_mixed():
    """a 3-D stencil of 27 points, constant and other sizes"""
    return box("int t, int n", (18, 20, 22), ("n", 20, "n + 2"), "f(3, 18)")


@stress
def box_in_place():
    """a 3-D stencil of 27 points in one array"""
    return box("int t, int n", (18, 18, 18), ("n",) * 3,
               "f(2, 12)").replace("b[i][j][k] =", "a[i][j][k] =")


@stress
def heat():
    """a 3-D stencil of 7 points, constant sizes, 20 sweeps in a row"""
    def sweep(to, source):
        a = source
        return nest((("i", 1, "19"), ("j", 1, "19"), ("k", 1, "19")),
                    f"{to}[i][j][k] = 0.125 * ({a}[i + 1][j][k] + "
                    f"{a}[i - 1][j][k]) + 0.125 * ({a}[i][j + 1][k] + "
                    f"{a}[i][j - 1][k]) + {a}[i][j][k + 1] * 0.25;")
    body = "\n".join(sweep(*("ba" if i % 2 else "ab")) for i in range(20))
    return program({"a": (20, 20, 20), "b": (20, 20, 20)},
                   function("f", "void", body), ["f()"])


@stress
def chain():
    """20 matrix products in one function, each using the one before"""
    body = "\n".join(nest(
        (("i", 0, "n"), ("j", 0, "n"), ("k", 0, "n")),
        f"a[{i + 1}][i][j] += a[{i}][i][k] * b[k][j];") for i in range(20))
    return program({"a": (21, 16, 16), "b": (16, 16)},
                   function("f", "int n", body), ["f(16)"])


@stress
def unrolled():
    """20 short loops after another, over parts that an unroller leaves"""
    body = "\n".join(
        f"    for (int i = 0; i < n / 8 * 8; i++)\n"
        f"        {x}[i] = {y}[i] + 1;\n"
        f"    for (int i = n / 8 * 8; i < n; i++)\n"
        f"        {x}[i] = {y}[i] + 1;"
        for x, y in [("a", "b"), ("b", "a")] * 10)
    return program({"a": (50,), "b": (50,)}, function("f", "int n", body),
                   ["f(45)"])


@stress
def tangle():
    """a triangle in which four statements read and write the same arrays"""
    return program({"v": (4, 24), "w": (40, 24), "u": (4000,), "g": (24, 24)},
                   function("f", "int m, int n", """\
    for (int t = 0; t < 4; t++)
        for (int i = 0; i < n; i++)
            for (int j = i; j != n; j++) {
                v[t][i] = u[t * 24 + 3 * j] - (double)i;
                v[t][i] -= g[i][j];
                v[t][j] -= w[i][j] + -0.75 * (g[i][i] - g[i][j])
                                     * ((double)t * w[i][j]
                                        + w[j + 1][t])
                         - u[t * m + n * m + j];
            }"""), ["f(140, 20)"])


@stress
def factorisation():
    """LU, Cholesky and Floyd-Warshall in one function"""
    return program({"a": (20, 20), "b": (20, 20), "c": (20, 20)},
                   function("f", "int n", """\
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++) {
            for (int k = 0; k < j; k++)
                a[i][j] -= a[i][k] * a[k][j];
            a[i][j] /= a[j][j];
        }
        for (int j = i; j < n; j++)
            for (int k = 0; k < i; k++)
                a[i][j] -= a[i][k] * a[k][j];
    }
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++) {
            for (int k = 0; k < j; k++)
                b[i][j] -= b[i][k] * b[j][k];
            b[i][j] /= b[j][j];
        }
        for (int k = 0; k < i; k++)
            b[i][i] -= b[i][k] * b[i][k];
    }
    for (int k = 0; k < n; k++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                c[i][j] = c[i][j] < c[i][k] + c[k][j] ? c[i][j]
                                                      : c[i][k] + c[k][j];"""),
                   ["f(20)"])


@stress
def parameters_scops():
    """8 SCoPs of 20 parameters each in one function"""
    text, _ = shifted("f", 0)
    head, body = text.split("\n{\n", 1)
    body = body.rsplit("\n}", 1)[0]
    part = "__attribute__((noinline)) void part(void)\n{\n"
    part += '    __asm__ volatile("" ::: "memory");\n}\n\n'
    parts = "\n    part();\n".join([body] * 8)
    return program({"a": (8, 16, 16), "b": (16, 16)},
                   f"{part}{head}\n{{\n{parts}\n}}\n", [shifted("f", 0)[1]])


@stress
def parameters_functions():
    """8 functions of 20 parameters each"""
    return shifted_program(*(shifted(f"f{i}", i) for i in range(8)))


@stress
def unrolled_by_hand():
    """20 loops unrolled four times with their rests, parted by calls"""
    part = "__attribute__((noinline)) void part(void)\n{\n"
    part += '    __asm__ volatile("" ::: "memory");\n}\n\n'
    body = "    int i;\n" + "\n".join(
        f"    for (i = 0; i + 3 < n; i += 4) {{\n"
        + lines(4, f"        {x}[i + {{i}}] = {y}[i + {{i}}] + 1;")
        + f"\n    }}\n    for (; i < n; i++)\n        {x}[i] = {y}[i] + 1;\n"
        "    part();" for x, y in [("a", "b"), ("b", "a")] * 10)
    return program({"a": (50,), "b": (50,)},
                   part + function("f", "int n", body), ["f(47)"])


@stress
def bounds():
    """4 nested loops between the largest and the smallest of many bounds"""
    body = ""
    outer = ["0"]
    for d, v in enumerate("ijkl"):
        low = [f"p{3 * d}", f"p{3 * d + 1} - {outer[-1]}", *outer]
        high = [f"n - p{3 * d + 2}", f"{outer[-1]} + p{(5 * d + 1) % 12}", "n"]
        body += ("    " * (d + 1) + f"for (int {v} = "
                 + f"most({low[0]}, most({low[1]}, {low[2]})); {v} < "
                 + f"least({high[0]}, least({high[1]}, {high[2]})); {v}++)\n")
        outer.append(v)
    body += "                    a[i][j][k][l] = b[i][j][k][l] * b[k][i][l][j];"
    text = ("#define most(x, y) ((x) > (y) ? (x) : (y))\n"
            "#define least(x, y) ((x) < (y) ? (x) : (y))\n")
    parameters = "int n, " + ", ".join(f"int p{i}" for i in range(12))
    values = ", ".join(str(i % 4 + 1) for i in range(12))
    return program({"a": (9,) * 4, "b": (9,) * 4}, text + function(
        "f", parameters, body), [f"f(9, {values})"])


def matrices(count):
    """Matrices behind pointers, with rows of different lengths."""
    body = "    for (int i = 1; i < n - 1; i++)\n"
    body += "        for (int j = 1; j < n - 1; j++) {\n"
    body += lines(count - 1,
                  "            q{j}[i * p{j} + j] = q{i}[i * p{i} + j - 1]"
                  " + q{i}[(i - 1) * p{i} + j + 1];")
    body += "\n        }"
    parameters = "int n, " + ", ".join(f"int p{i}, double *q{i}"
                                       for i in range(count))
    values = ", ".join(f"{20 + i}, m{i}" for i in range(count))
    return program({f"m{i}": (20 * (20 + i),) for i in range(count)}, function(
        "f", parameters, body), [f"f(20, {values})"])


@stress
def aliases():
    """12 matrices behind pointers, with rows of different lengths"""
    return matrices(12)


@stress
def aliases_few():
    """4 matrices behind pointers, with rows of different lengths"""
    return matrices(4)


@stress
def accumulators():
    """20 loops with a sum in a variable in one function"""
    body = lines(20, "    for (int i = 0; i < n; i++) {{\n"
                     "        double s = b[i];\n"
                     "        for (int j = 0; j <= i; j++)\n"
                     "            s += a[{i}][i][j] * b[j];\n"
                     "        a[{j}][i][0] = s;\n    }}")
    return program({"a": (21, 20, 20), "b": (20,)},
                   function("f", "int n", body), ["f(20)"])


@stress
def scalars():
    """30 variables carried from iteration to iteration, in a nest"""
    body = "    double " + ", ".join(f"s{i} = {i}" for i in range(30)) + ";\n"
    body += "    for (int i = 0; i < n; i++)\n"
    body += "        for (int j = 0; j < n; j++) {\n"
    body += lines(30, "            s{i} = s%d * 0.5 + b[i][j];\n"
                      "            a[{i}][i][j] = s{i};")
    body = body % tuple((7 * i + 3) % 30 for i in range(30))
    body += "\n        }"
    return program({"a": (30, 20, 20), "b": (20, 20)},
                   function("f", "int n", body), ["f(20)"])


@stress
def scalars_conditional():
    """values chosen by conditions on counters and used by later statements"""
    body = "    for (int i = 0; i < n; i++)\n"
    body += "        for (int j = 0; j < n; j++) {\n"
    body += "            double s = b[i][j];\n"
    body += lines(16, "            if (i + {i} < j + m)\n"
                      "                s = s * 0.5 + c[i][j];\n"
                      "            a[{i}][i][j] = s;")
    body += "\n        }"
    return program({"a": (16, 20, 20), "b": (20, 20), "c": (20, 20)},
                   function("f", "int n, int m", body), ["f(20, 3)"])


@stress
def wrapping():
    """unsigned 32-bit arithmetic in subscripts and bounds"""
    body = "    for (unsigned i = p; i < n; i++)\n"
    body += "        for (unsigned j = i - q; j < n + q; j++) {\n"
    body += lines(6, "            a[{i}][i + p + {i}][j - q] = "
                     "b[i - q + {i}][j + q];")
    body += "\n        }"
    return program({"a": (6, 60, 60), "b": (60, 60)}, function(
        "f", "unsigned n, unsigned p, unsigned q", body), ["f(30, 5, 2)"])


WIDE_STEPS = """\
    for (long i = 0; i < 4000000000000000000; i += 9007199254740993)
        for (long j = i; j < i + 1; j++)
            a[i / 9007199254740993] += b[i / 9007199254740993];"""


def wide(body):
    return program({"a": (600,), "b": (600,), "c": (1,)},
                   function("f", "long n, long m", body), ["f(19, 23)"])


@stress
def constants_wide():
    """factors and distances near the end of 32 and 64 bits"""
    return wide("""\
    for (long i = 0; i < n; i++)
        for (long j = 0; j < m; j++)
            if (1234567890123 * i + 9876543210 * j < 12345678901234567
                && 2147483647 * i > 2147483629 * j - 99999999977)
                a[29 * i + j] = b[19 * i + j] * 0.5;
""" + WIDE_STEPS)


@stress
def constants_wide_steps():
    """a distance and a bound near the end of 64 bits"""
    return wide(WIDE_STEPS)


@stress
def imperfect():
    """6 nested loops with a statement before and after each"""
    text, end = "", ""
    for d, v in enumerate("ijklmo"):
        at = "".join(f"[{x}]" for x in "ijklmo"[:d + 1])
        zero = "[0]" * (5 - d)
        text += f"for (int {v} = 0; {v} < n; {v}++) {{\n"
        text += f"a{at}{zero} = a{at}{zero} * 0.5 + b{at}{zero};\n"
        end = f"b{at}{zero} = a{at}{zero} + 1;\n}}\n" + end
    return program({"a": (4,) * 6, "b": (4,) * 6},
                   function("f", "int n", text + end), ["f(4)"])


@stress
def wavefronts():
    """Gauss-Seidel sweeps in 3-D with 7 points, under a time loop"""
    loops = [("s", 0, "t")] + [(v, 1, "n - 1") for v in "ijk"]
    return program({"a": (12, 12, 12)}, function("f", "int t, int n", nest(
        loops, "a[i][j][k] = (a[i - 1][j][k] + a[i][j - 1][k] + "
               "a[i][j][k - 1]\n                    + a[i + 1][j][k] + "
               "a[i][j + 1][k] + a[i][j][k + 1]) * 0.125;")), ["f(3, 12)"])


# Name, parameters, body of what real files have: their loops are plain.
REAL = (
    ("set", "int n, int m, double (*a)[m], double v",
     [("i", 0, "n"), ("j", 0, "m")], "a[i][j] = v;"),
    ("scale", "int n, double *restrict x, double s",
     [("i", 0, "n")], "x[i] *= s;"),
    ("add", "int n, double *restrict x, const double *restrict y, double s",
     [("i", 0, "n")], "x[i] += s * y[i];"),
    ("times", "int n, int m, double *restrict y, double (*restrict a)[m],\n"
     "    const double *restrict x",
     [("i", 0, "n"), ("j", 0, "m")], "y[i] += a[i][j] * x[j];"),
    ("transpose", "int n, int m, double (*restrict b)[n],\n"
     "    double (*restrict a)[m]",
     [("i", 0, "n"), ("j", 0, "m")], "b[j][i] = a[i][j];"),
    ("product", "int n, int m, double (*restrict c)[m],\n"
     "    double (*restrict a)[n], double (*restrict b)[m]",
     [("i", 0, "n"), ("j", 0, "m"), ("k", 0, "n")],
     "c[i][j] += a[i][k] * b[k][j];"),
    ("smooth", "int n, int m, double (*restrict b)[m],\n"
     "    double (*restrict a)[m]",
     [("i", 1, "n - 1"), ("j", 1, "m - 1")],
     "b[i][j] = 0.2 * (a[i][j] + a[i - 1][j] + a[i + 1][j] + a[i][j - 1]\n"
     "                             + a[i][j + 1]);"),
    ("edges", "int n, int m, double (*restrict a)[m]",
     [("j", 0, "m")], "a[0][j] = 0.5 * a[1][j];"),
    ("lower", "int n, int m, double (*a)[m], double s",
     [("i", 0, "n"), ("j", 0, "i")], "a[i][j] = s * (i - j);"),
    ("volume", "int n, int m, int l, double (*restrict u)[m][l],\n"
     "    double (*restrict f)[m][l]",
     [("i", 0, "n"), ("j", 0, "m"), ("k", 0, "l")],
     "u[i][j][k] = u[i][j][k] + 0.5 * f[i][j][k];"))


def real_function(name, parameters, loops, body):
    """One as people write them, with a comment, a check and a message."""
    text = f"/* {name.capitalize()}: see the caller for the sizes. */\n"
    text += f"static void {name}({parameters})\n{{\n"
    text += "    if (n < 2) {\n"
    text += f'        fprintf(stderr, "{name}: %d is too small\\n", n);\n'
    text += "        return;\n    }\n" + nest(loops, body)
    return text + "\n}\n\n"


@stress
def real_file():
    """300 lines, 20 functions with plain loops"""
    text, calls = "#include <stdio.h>\n\n", []
    for part in ("first", "second"):
        for name, *rest in REAL:
            text += real_function(f"{part}_{name}", *rest)
        p, n = part + "_", "24, 24"
        calls += [f"{p}set({n}, a, 0.5)", f"{p}scale(24, x, 1.5)",
                  f"{p}add(24, x, y, 0.25)", f"{p}times({n}, y, a, x)",
                  f"{p}transpose({n}, b, a)", f"{p}product({n}, c, a, b)",
                  f"{p}smooth({n}, b, c)", f"{p}edges({n}, b)",
                  f"{p}lower({n}, a, 0.5)", f"{p}volume(6, 10, 7, u, f)"]
    return program({"a": (24, 24), "b": (24, 24), "c": (24, 24), "x": (24,),
                    "y": (24,), "u": (6, 10, 7), "f": (6, 10, 7)},
                   text, calls)
