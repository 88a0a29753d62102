"""Programs as trees: expressions, statements, kernels, and their C text.

The generator evaluates affine expressions at every point that a statement is
executed at, so that what it makes is free of undefined behaviour by
construction; the reducer deletes nodes and leaves the proof to sanitizers.
"""

import copy
import re

WORD = re.compile(r"[A-Za-z_]\w*")
RANGES = {
    "char": (-2**7, 2**7 - 1), "signed char": (-2**7, 2**7 - 1),
    "unsigned char": (0, 2**8 - 1),
    "short": (-2**15, 2**15 - 1), "unsigned short": (0, 2**16 - 1),
    "int": (-2**31, 2**31 - 1), "unsigned": (0, 2**32 - 1),
    "long": (-2**63, 2**63 - 1), "size_t": (0, 2**64 - 1),
    "unsigned long": (0, 2**64 - 1),
    "long long": (-2**63, 2**63 - 1), "unsigned long long": (0, 2**64 - 1),
}
FLOATS = ("_Float16", "float", "double")
# Of constants and functions; there are none for half precision.
SUFFIX = {"_Float16": "f", "float": "f", "double": ""}
SIZES = {"char": 1, "signed char": 1, "unsigned char": 1, "short": 2,
         "unsigned short": 2, "int": 4, "unsigned": 4, "long": 8,
         "unsigned long": 8, "long long": 8, "unsigned long long": 8,
         "_Float16": 2, "float": 4, "double": 8}


class Reject(Exception):
    """What was generated would be undefined; another try is needed."""


def promoted(kind):
    return "int" if SIZES.get(kind, 8) < 4 else kind


def common(a, b):
    """The type of an operation on two integer types."""
    a, b = promoted(a), promoted(b)
    order = ("int", "unsigned", "long", "long long", "size_t",
             "unsigned long", "unsigned long long")
    return a if order.index(a) >= order.index(b) else b


def quotient(a, b):
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


ARITHMETIC = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": quotient,
    "%": lambda a, b: a - b * quotient(a, b),
    "min": min,
    "max": max,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "&&": lambda a, b: a and b,
    "||": lambda a, b: a or b,
    "&": lambda a, b: a & b,
    ">>": lambda a, b: a >> b,
}
COMPARISONS = ("<", "<=", ">", ">=", "==", "!=")


class Expr:
    """op: var, const, cast, an operator of ARITHMETIC, array, or value."""

    def __init__(self, op, text="", kids=(), kind="int", value=None):
        self.op, self.text, self.kids = op, text, list(kids)
        self.kind, self.value = kind, value

    def __str__(self):
        kids = [str(kid) for kid in self.kids]
        if self.op in ("var", "const"):
            return self.text
        if self.op == "cast":
            return f"({self.kind})({kids[0]})"
        if self.op in ("min", "max"):
            sign = "<" if self.op == "min" else ">"
            return f"({kids[0]} {sign} {kids[1]} ? {kids[0]} : {kids[1]})"
        if self.op in ARITHMETIC:
            return f"({kids[0]} {self.op} {kids[1]})"
        return self.text.format(*kids)

    def walk(self):
        yield self
        for kid in self.kids:
            yield from kid.walk()


def const(value, kind="int"):
    if kind == "int" and not -2**31 < value < 2**31:
        kind = "long"
    suffix = {"int": "", "unsigned": "u", "long": "L", "size_t": "UL"}[kind]
    text = f"{value}{suffix}"
    return Expr("const", f"({text})" if value < 0 else text, (), kind, value)


def var(name, kind):
    return Expr("var", name, (), kind)


def binary(op, a, b):
    if op in COMPARISONS + ("&&", "||"):
        return Expr(op, "", (a, b), "int")
    return Expr(op, "", (a, b), common(a.kind, b.kind))


class Scope:
    """The points at which a statement is executed, by columns."""

    def __init__(self, columns, count, kinds):
        self.columns, self.count, self.kinds = columns, count, kinds

    def evaluate(self, e):
        """The values of e at all points; Reject if C does not define them."""
        if e.op == "const":
            return [e.value] * self.count
        if e.op == "var":
            return self.columns[e.text]
        kids = [self.evaluate(kid) for kid in e.kids]
        if e.op == "cast":
            return converted(kids[0], e.kind)
        if e.op not in ("&&", "||"):
            kind = common(e.kids[0].kind, e.kids[1].kind)
            kids = [converted(kid, kind) for kid in kids]
        f = ARITHMETIC[e.op]
        return converted([f(a, b) for a, b in zip(*kids)], e.kind)

    def extended(self, name, kind, rows):
        """The scope in a loop: rows has a range of values for each point."""
        repeat = [len(row) for row in rows]
        columns = {
            key: [v for v, times in zip(values, repeat) for _ in range(times)]
            for key, values in self.columns.items()}
        columns[name] = [v for row in rows for v in row]
        return Scope(columns, sum(repeat), {**self.kinds, name: kind})

    def filtered(self, keep):
        columns = {key: [v for v, k in zip(values, keep) if k]
                   for key, values in self.columns.items()}
        return Scope(columns, sum(map(bool, keep)), dict(self.kinds))


def converted(values, kind):
    """Integers as values of another type: unsigned ones wrap around."""
    low, high = RANGES[kind]
    if not values or (min(values) >= low and max(values) <= high):
        return values
    if low < 0:
        raise Reject
    return [value & high for value in values]


class Line(str):
    """A line of C that knows the statement that it begins."""

    def __new__(cls, text, owner=None):
        line = super().__new__(cls, text)
        line.owner = owner
        return line


class Assign:
    def __init__(self, target, op, value):
        self.target, self.op, self.value = target, op, value

    def lines(self):
        return [Line(f"{self.target} {self.op} {self.value};", self)]

    expressions = ("target", "value")
    bodies = ()


class Declare:
    def __init__(self, kind, name, value):
        self.kind, self.name, self.value = kind, name, value

    def lines(self):
        return [f"{self.kind} {self.name} = {self.value};"]

    expressions = ("value",)
    bodies = ()


class If:
    def __init__(self, condition, body, other=()):
        self.condition, self.body, self.other = condition, body, list(other)

    def lines(self):
        result = [f"if ({self.condition}) {{", *indent(self.body)]
        if self.other:
            result += ["} else {", *indent(self.other)]
        return result + ["}"]

    expressions = ("condition",)
    bodies = ("body", "other")


class Switch:
    """parts: (labels, body) pairs; the label None is the default.  Each body
    ends with a break."""

    def __init__(self, condition, parts):
        self.condition = condition
        self.labels = [labels for labels, _ in parts]
        self.bodies = tuple(f"body{n}" for n in range(len(parts)))
        for name, (_, body) in zip(self.bodies, parts):
            setattr(self, name, body)

    def lines(self):
        result = [f"switch ({self.condition}) {{"]
        for labels, name in zip(self.labels, self.bodies):
            result += ["default:" if label is None else f"case {label}:"
                       for label in labels]
            result += [*indent(getattr(self, name)), "    break;"]
        return result + ["}"]

    def taken(self, value):
        """The body for a value of the condition, or None."""
        named = [n for labels, n in zip(self.labels, self.bodies)
                 if value in labels]
        return named[0] if named else next(
            (n for labels, n in zip(self.labels, self.bodies)
             if None in labels), None)

    expressions = ("condition",)


class Loop:
    """for (kind name = start; name relation bound; name += step) body"""

    def __init__(self, form, kind, name, start, relation, bound, step, body):
        self.form, self.kind, self.name = form, kind, name
        self.start, self.relation, self.bound = start, relation, bound
        self.step, self.body = step, body
        self.tail = []  # of the form "outside": uses the counter after it

    def lines(self):
        head = f"{self.kind} {self.name} = {self.start}"
        test = f"{self.name} {self.relation} {self.bound}"
        step = {1: f"{self.name}++", -1: f"{self.name}--"}.get(
            self.step, f"{self.name} {'-' if self.step < 0 else '+'}= "
                       f"{abs(self.step)}")
        body = indent(self.body)
        if self.form == "while":
            return [f"{{ {head};", Line(f"while ({test}) {{", self), *body,
                    f"    {step};", "} }"]
        if self.form == "do":
            return [f"{{ {head};", Line(f"if ({test}) do {{", self), *body,
                    f"    {step};", f"}} while ({test}); }}"]
        if self.form == "outside":
            return [f"{{ {self.kind} {self.name};",
                    Line(f"for ({self.name} = {self.start}; {test}; {step}) "
                         "{", self), *body, "}", *indent(self.tail), "}"]
        return [Line(f"for ({head}; {test}; {step}) {{", self), *body, "}"]

    expressions = ("start", "bound")
    bodies = ("body", "tail")


class Break:
    def __init__(self, condition, word="break"):
        self.condition, self.word = condition, word

    def lines(self):
        return [f"if ({self.condition}) {self.word};"]

    expressions = ("condition",)
    bodies = ()


def indent(body):
    return [Line("    " + line, getattr(line, "owner", None))
            for s in body for line in s.lines()]


def statements(body):
    """All statements of a body and of those inside of it."""
    for s in body:
        yield s
        for name in s.bodies:
            yield from statements(getattr(s, name))


class Array:
    """storage: extern, own (global arrays), pointer (a parameter), or local.

    dims are expressions over parameters; elements, the most that they come
    to.  declared: 1d, fixed, vla, or linear.  A pointer points to element
    bias, offset bytes into the buffer, which may be that of another array.
    """

    def __init__(self, name, kind, storage, declared, dims, elements):
        self.name, self.kind, self.storage = name, kind, storage
        self.declared, self.dims, self.elements = declared, dims, elements
        self.buffer, self.offset, self.bias = name, 0, 0
        self.restrict = self.const = False
        self.fill = None  # C that fills the memory {p} of {n} elements
        self.written = False

    def parameter(self):
        const_ = "const " if self.const and not self.written else ""
        if self.declared == "vla":
            dims = "".join(f"[{d}]" for d in self.dims)
            return f"{const_}{self.kind} {self.name}{dims}"
        if self.declared == "fixed" and len(self.dims) > 1:
            dims = "".join(f"[{d}]" for d in self.dims[1:])
            return f"{const_}{self.kind} (*{self.name}){dims}"
        restrict = "restrict " if self.restrict else ""
        return f"{const_}{self.kind} *{restrict}{self.name}"

    def definition(self):
        return f"{self.kind} {self.name}" + "".join(
            f"[{d}]" for d in self.dims)


class Kernel:
    def __init__(self, name):
        self.name, self.params, self.arrays = name, [], []
        self.body, self.calls = [], []
        self.forced = set()  # names that count as used
        self.globals = []  # parameters that are global variables
        # Of shapes: text in front of the function; parameters and arguments of
        # a function of its own that has the body, and text before its call.
        self.before, self.inner, self.wrapped = "", None, ""
        self.inlined = False

    def used(self):
        """Names that the body mentions, with what they need."""
        names = set(self.forced)
        names.update(WORD.findall(" ".join((
            self.before, self.wrapped, *(self.inner or ())))))
        for s in statements(self.body):
            names.update(getattr(s, "names", ()))
            for field in s.expressions:
                for e in getattr(s, field).walk():
                    if e.op == "var":
                        names.add(e.text)
                    elif e.op == "array":
                        names.add(e.value)
        for a in self.arrays:
            if a.name in names:
                names.update(e.text for d in a.dims for e in d.walk()
                             if e.op == "var")
        return names

    def signature(self):
        names = self.used()
        words = [f"{kind} {name}" for name, kind in self.params
                 if name in names and name not in self.globals]
        words += [a.parameter() for a in self.arrays
                  if a.storage == "pointer" and a.name in names]
        return f"void {self.name}({', '.join(words) or 'void'})"

    def head(self):
        """Of the function that has the body."""
        if not self.inner:
            return ["__attribute__((noinline))", self.signature()]
        attribute = "" if self.inlined else "__attribute__((noinline)) "
        return [f"static {attribute}void {self.name}_inner({self.inner[0]})"]

    def call_of_inner(self):
        if not self.inner:
            return []
        return ["", "__attribute__((noinline))", self.signature(),
                f"{{ {self.wrapped} {self.name}_inner({self.inner[1]}); }}"]


class Program:
    def __init__(self, seed):
        self.seed, self.kernels, self.arrays = seed, [], []
        self.features = set()
        self.reassociable = False  # all sums are exact in each order
        self.rounds = False  # other operations than these round, though
        self.specials = 0  # infinities, denormals and the like as inputs

    copy = copy.deepcopy

    def used_arrays(self):
        names = set().union(*(k.used() for k in self.kernels)) \
            if self.kernels else set()
        return [a for a in self.arrays if a.name in names]

    def buffers(self):
        """The memory of all arrays: name -> (type, elements)."""
        found = {}
        for a in self.used_arrays():
            if a.storage == "local":
                continue
            kind, size = found.get(a.buffer, (a.kind, 0))
            if a.name == a.buffer:
                kind = a.kind
            found[a.buffer] = (
                kind, max(size, a.offset + a.elements * SIZES[a.kind]))
        return {name: (kind, -(-size // SIZES[kind]))
                for name, (kind, size) in found.items()}

    def uses_memory(self):
        return any({"memcpy", "memmove", "memset"} & k.used()
                   for k in self.kernels)

    def used_globals(self):
        return [(name, kind) for k in self.kernels for name, kind in k.params
                if name in k.globals and name in k.used()]

    def kernel_text(self):
        return "\n".join(self.kernel_lines()) + "\n"

    def counting_text(self):
        """The kernels with assignments that count how often they run, and
        tell at the end, line by line."""
        lines = self.kernel_lines()
        for n, line in enumerate(lines):
            if isinstance(getattr(line, "owner", None), Assign):
                lines[n] = f"counts[{n + 1}]++; {line}"
        return COUNTING % len(lines) + "\n".join(lines) + "\n"

    def kernel_lines(self):
        for a in self.arrays:
            a.written = False
        by_name = {a.name: a for a in self.arrays}
        for k in self.kernels:
            for s in statements(k.body):
                if isinstance(s, Assign) and s.target.op == "array":
                    by_name[s.target.value].written = True
        lines = ["#include <stddef.h>", "#include <math.h>",
                 *(["#include <string.h>"] if self.uses_memory() else []), ""]
        for a in self.used_arrays():
            if a.storage == "extern":
                lines.append(f"extern {a.definition()};")
            elif a.storage == "own":
                lines += [f"{a.definition()};",
                          f"void *at_{a.name}(void) "
                          f"{{ return {a.name}; }}"]
        lines += [f"extern {kind} {name};"
                  for name, kind in self.used_globals()]
        for k in self.kernels:
            names = k.used()
            local = [f"    {a.definition()};" for a in k.arrays
                     if a.storage == "local" and a.name in names]
            lines += ["", *([k.before] if k.before else []), *k.head(),
                      "{", *local, *indent(k.body), "}", *k.call_of_inner()]
        return lines

    def renamed(self):
        """Names that each variant of the kernels has a version of."""
        return [k.name for k in self.kernels] + [
            n for a in self.used_arrays() if a.storage == "own"
            for n in (a.name, f"at_{a.name}")]

    def main_text(self, variants):
        """main: argument 1 is the variant, 2 the file to dump to."""
        arrays, buffers = self.used_arrays(), self.buffers()
        lines = ["#include <stdio.h>", "#include <stdlib.h>",
                 "#include <string.h>", "#include <math.h>", ""]
        for name, (kind, size) in buffers.items():
            if any(a.name == name and a.storage == "own" for a in arrays):
                continue
            owner = next((a for a in arrays if a.name == name), None)
            if owner is not None and owner.storage == "extern":
                size = max(size, owner.elements)
                dims = owner.dims
                if size > owner.elements:
                    # Room for a pointer that reaches beyond it.
                    dims = [f"{owner.dims[0]} + {size}", *owner.dims[1:]]
                lines.append(f"{owner.kind} {name}" +
                             "".join(f"[{d}]" for d in dims) + ";")
            else:
                lines.append(f"{kind} {name}_mem[{size}];")
        lines += [f"{kind} {name};" for name, kind in self.used_globals()]
        for suffix in variants:
            for k in self.kernels:
                lines.append(self.prototype(k, suffix))
            for a in arrays:
                if a.storage == "own":
                    lines.append(f"void *at_{a.name}{suffix}(void);")
        lines += [RANDOM % (self.seed * 2 + 1, self.specials),
                  "int main(int argc, char **argv)", "{",
                  "    int variant = argc > 1 ? atoi(argv[1]) : 0;",
                  '    FILE *out = argc > 2 ? fopen(argv[2], "wb") : stdout;']
        for a in arrays:
            if a.storage == "own":
                lines.append(f"    void *{a.name}_own = 0;")
        lines.append("    switch (variant) {")
        for number, suffix in enumerate(variants):
            lines.append(f"    case {number}:")
            lines += [f"        {a.name}_own = at_{a.name}{suffix}();"
                      for a in arrays if a.storage == "own"]
            lines.append("        break;")
        lines.append("    }")
        for name, (kind, size) in buffers.items():
            place = self.place(name)
            fill = next((a.fill for a in arrays if a.name == name), None) or \
                f"fill_{'float' if kind in FLOATS else 'int'}" \
                f"({{p}}, {{n}}, sizeof({kind}));"
            lines.append("    " + fill.format(p=place, n=size))
        for number, suffix in enumerate(variants):
            lines.append(f"    if (variant == {number}) {{")
            for k in self.kernels:
                names = k.used()
                for call in k.calls:
                    lines += [f"        {name} = {const(call[name])};"
                              for name in k.globals if name in names]
                    lines.append(f"        {k.name}{suffix}"
                                 f"({self.arguments(k, call)});")
            lines.append("    }")
        for name, (kind, size) in buffers.items():
            lines.append(f"    fwrite({self.place(name)}, sizeof({kind}), "
                         f"{size}, out);")
        lines += ["    return fclose(out) != 0;", "}"]
        return "\n".join(lines) + "\n"

    def layout(self):
        """(array, type, elements) of what main dumps, in order."""
        return [(name, *rest) for name, rest in self.buffers().items()]

    def place(self, name):
        storage = next((a.storage for a in self.used_arrays()
                        if a.name == name), "pointer")
        return {"own": f"{name}_own", "extern": f"{name}",
                "pointer": f"{name}_mem"}[storage]

    def prototype(self, kernel, suffix):
        text = kernel.signature()
        return text.replace(f"void {kernel.name}(",
                            f"void {kernel.name}{suffix}(", 1) + ";"

    def arguments(self, kernel, call):
        names = kernel.used()
        words = []
        for name, kind in kernel.params:
            if name in names and name not in kernel.globals:
                words.append(str(const(call[name])))
        for a in kernel.arrays:
            if a.storage == "pointer" and a.name in names:
                words.append(
                    f"(void *)((char *){self.place(a.buffer)} + "
                    f"{a.offset + a.bias * SIZES[a.kind]})")
        return ", ".join(words)


COUNTING = """
#include <stdio.h>
static long counts[%d + 1];
__attribute__((destructor)) static void tell(void)
{
    for (unsigned n = 0; n < sizeof counts / sizeof *counts; n++)
        if (counts[n])
            fprintf(stderr, "line %%u count %%ld\\n", n, counts[n]);
}
"""

RANDOM = """
static unsigned long long state = %dULL;
static unsigned long long draw(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state * 0x2545F4914F6CDD1DULL >> 11;
}

static void fill_int(void *p, long n, int size)
{
    for (long i = 0; i < n * size; i++)
        ((unsigned char *)p)[i] = draw() %% 255 + 1;
}

static void put(void *p, long i, int size, long long v)
{
    memcpy((char *)p + i * size, &v, size);
}

static void fill_between(void *p, long n, int size, long low, long high)
{
    for (long i = 0; i < n; i++)
        put(p, i, size, low + (long)(draw() %% (high - low + 1)));
}

static void fill_below(void *p, long n, int size, long limit)
{
    fill_between(p, n, size, 0, limit - 1);
}

/* Where rows begin: each has fewer entries than step, all at most limit. */
static void fill_rows(void *p, long n, int size, long limit, long step)
{
    for (long i = 0, v = 0; i < n; i++) {
        put(p, i, size, v);
        v += draw() %% step;
        v = v < limit ? v : limit;
    }
}

static void fill_whole(void *p, long n, int size, int floating)
{
    for (long i = 0; i < n; i++) {
        long v = (long)(draw() %% 9) - 4;
        if (!floating)
            put(p, i, size, v);
        else if (size == 2)
            ((_Float16 *)p)[i] = (_Float16)v;
        else if (size == 4)
            ((float *)p)[i] = (float)v;
        else
            ((double *)p)[i] = (double)v;
    }
}

/* 1 and -1, and among them 2 and 0.5 in turn. */
static void fill_powers(void *p, long n, int size)
{
    static const double factors[] = {1, -1, 2, 0.5};
    for (long i = 0, turn = 0; i < n; i++) {
        int at = draw() %% 3;
        double v = factors[at < 2 ? at : 2 + turn++ %% 2];
        if (size == 2)
            ((_Float16 *)p)[i] = (_Float16)v;
        else if (size == 4)
            ((float *)p)[i] = (float)v;
        else
            ((double *)p)[i] = v;
    }
}

static void fill_float(void *p, long n, int size)
{
    static const double special[] = {-0.0, INFINITY, -INFINITY, 1e-42, NAN,
                                     -1e-310, 3e38, 0.0};
    for (int i = 0; i < 20; i++)
        draw();
    for (long i = 0; i < n; i++) {
        double v = ((long)(draw() %% 4001) - 2000) / 1000.0 + 0.0003;
        if (%d && draw() %% 97 == 0)
            v = special[draw() %% 8];
        if (size == 2)
            ((_Float16 *)p)[i] = (_Float16)v;
        else if (size == 4)
            ((float *)p)[i] = (float)v;
        else
            ((double *)p)[i] = v;
    }
}
"""
