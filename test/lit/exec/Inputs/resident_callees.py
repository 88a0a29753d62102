"""Functions that the functions of resident_programs.py call: they have arrays of
their own frames, take structures by value and give them back, call themselves
and each other, are called by pointers, jump, and allocate what others free.
"""

HEAD = """#include <setjmp.h>
#include <stdarg.h>
static _Thread_local unsigned tl[N];
static unsigned keys[N];
static int fuel = 120;
static int by_key(const void *l, const void *r)
{ unsigned a = *(const unsigned *)l, b = *(const unsigned *)r;
  unsigned x = keys[a % N], y = keys[b % N];
  return x != y ? (x > y) - (x < y) : (a > b) - (a < b); }
"""
PARAMETERS = "unsigned *a, unsigned *b, struct box *s, int t"
ARRAYS = ("a", "a", "b", "b", "g0", "g1", "s->a", "s->b", "s->c", "(big + 40)",
          "tl", "keys")
# The second one may be inlined, the linker may replace the third.
ATTRIBUTES = ("static __attribute__((noinline))",) * 5 + (
    "static", "static", "__attribute__((weak, noinline))",
    "__attribute__((noinline))", "static __attribute__((noinline, optnone))")


class Callees:
    """Definitions, and calls of them."""

    def __init__(self, program, count):
        self.program, self.r = program, program.r
        self.text = HEAD
        self.callable = []  # names of functions with PARAMETERS
        self.calls = []  # functions of two arrays that give a statement
        kinds = ("leaf", "leaf", "teller", "frame", "frame", "value", "given",
                 "again", "pointer", "jump", "made", "renewed", "sorted",
                 "many", "tail")
        for number in range(count):
            getattr(self, self.r.choice(kinds))(f"e{number}")

    # ---- Parts of bodies ------------------------------------------------

    def call(self, a, b):
        """A statement that calls one of the functions so far."""
        if not self.calls:
            return f"poke({b}[t] % N);"
        return self.r.choice(self.calls)(a, b)

    def loops(self, arrays=ARRAYS):
        return self.program.loops(arrays)

    def touches(self, arrays=ARRAYS):
        a, b = self.program.two(arrays)
        at = self.r.randrange(self.program.size)
        return self.r.choice((
            f"{a}[{at}] += t;", f"sum += {b}[{at}];", f"sum += peek({a});",
            f"for (int i = 0; i < N && {b}[i] % 5; i++) {a}[i] += 3;",
            f"memmove({a}, {b} + {at}, sizeof(unsigned));",
            f"memset({a} + {at // 2}, t, 40);", "unknown(t);",
            f"hidden = {a}; unknown(t); hidden = g1;",
            "{ unsigned *o = s->a; s->a = s->b; s->b = o; }"
            if "s->a" in arrays else f"{a}[t] ^= {b}[t + 1];"))

    def body(self, arrays=ARRAYS, calls=40, least=1):
        """Loops, host code between them, and calls."""
        lines = [self.loops(arrays)
                 for _ in range(self.r.randint(least, least + 1))]
        lines += [self.touches(arrays) for _ in range(self.r.choice((0, 0, 1)))]
        if self.r.random() * 100 < calls:
            lines.append(self.call(*self.program.two(arrays)))
        self.r.shuffle(lines)
        if self.r.random() < 0.15:
            lines.insert(self.r.randint(0, len(lines)),
                         "if (t % 5 == 3) goto end;")
        return "\n    ".join(lines)

    def define(self, head, body, declared="", end=""):
        self.text += f"""
{self.r.choice(ATTRIBUTES)} {head}
{{
    {declared}
    if (fuel-- <= 0) goto end;
    {body}
end:{end or ";"}
}}
"""

    def add(self, name):
        self.callable.append(name)
        self.calls.append(lambda a, b: self.r.choice((
            f"{name}({a}, {b}, s, t);", f"{name}({a}, {b}, s, t);",
            f"for (int k = 0; k < 2; k++) {name}({a}, {b}, s, t + k);",
            f"if (t % 2) {name}({a}, {b}, s, t);")))

    # ---- Kinds of functions ---------------------------------------------

    def leaf(self, name):
        arrays = (*ARRAYS, "still", "still")
        self.define(f"void {name}({PARAMETERS})", self.body(arrays),
                    "static unsigned still[N];")
        self.add(name)

    def teller(self, name):
        """Without loops for the device."""
        self.define(f"void {name}({PARAMETERS})", "\n    ".join(
            self.touches() for _ in range(self.r.randint(1, 3))))
        self.add(name)

    def frame(self, name):
        """Arrays of its own, given to others."""
        kind = self.r.choice(("array", "array", "box", "alloca", "heap"))
        own = {"array": "unsigned own[N];", "alloca":
               "unsigned *own = __builtin_alloca(sizeof g0);",
               "heap": "unsigned *own = malloc(sizeof g0);",
               "box": "unsigned own[N]; struct box mine = {a, own, {7, 8, 9}}; "
               "s = &mine;"}[kind]
        first = self.r.choice((
            "memcpy(own, b, sizeof g0);",
            "for (int i = 0; i < N; i++) own[i] = b[i] * 3 + t;",
            "for (int i = 0; i < N; i++) own[i] = i ^ t;"))
        arrays = ("own", "own", "own", *ARRAYS)
        other = self.r.choice(ARRAYS)
        lines = [self.call("own", other), self.body(arrays, 50),
                 self.call(other, "own")]
        self.r.shuffle(lines)
        show, hide = self.r.choice((("", ""), ("", ""), (
            "hidden = own;", "hidden = g1;")))
        last = self.r.choice(("peek(own)", "own[t]", "own[N - 1 - t]"))
        free = "free(own);" if kind == "heap" else ""
        self.define(f"void {name}({PARAMETERS})", "\n    ".join(lines),
                    f"{own}\n    {first}\n    {show}",
                    f"\n    {hide}\n    sum += {last};\n    {free}")
        self.add(name)

    def value(self, name):
        """A structure by value."""
        arrays = ("v.c", "v.c", "v.c", "v.a", "s->c", "s->b", "a", "b", "g0")
        self.define(f"unsigned {name}(struct box v, unsigned *a, int t)",
                    f"{self.loops(arrays)}\n    {self.body(arrays, 60)}",
                    "struct box *s = &v; unsigned *b = v.a;",
                    "\n    return v.c[t] + v.c[N - 1];")
        self.calls.append(lambda a, b: f"sum += {name}(*s, {a}, t);")

    def given(self, name):
        """A structure as result."""
        arrays = ("v.c", "v.c", "v.c", "v.a", "v.b", "a", "a", "g1", "s->c")
        self.define(f"struct box {name}(struct box *s, unsigned *a, int t)",
                    f"{self.loops(arrays)}\n    {self.call('a', 'v.c')}\n"
                    f"    {self.loops(arrays)}", "struct box v = *s;",
                    "\n    return v;")
        self.calls.append(lambda a, b: f"*s = {name}(s, {a}, t);")

    def again(self, name):
        """It calls itself, perhaps by way of another one."""
        to = self.r.choice((name, f"{name}_more"))
        head = f"void {name}({PARAMETERS}, int depth)"
        attribute = self.r.choice(ATTRIBUTES)
        self.text += f"\n{attribute} {head};\n"
        if to != name:
            self.text += f"""
static __attribute__((noinline)) void {to}({PARAMETERS}, int depth)
{{
    if (depth % 2) {self.r.choice((self.loops(), self.touches()))}
    {name}(a, b, s, t, depth);
}}
"""
        own = fill = used = ""
        arrays, given = ARRAYS, self.r.choice(("a, b", "b, a", "b, g0"))
        if self.r.random() < 0.5:
            own, used = "unsigned own[N];", "sum += peek(own);"
            fill = "for (int i = 0; i < N; i++) own[i] = a[i] * 5 + depth;"
            arrays, given = ("own", *ARRAYS), self.r.choice(
                ("own, a", "own, b", "a, own"))
        self.text += f"""
{attribute} {head}
{{
    {own}
    {fill}
    if (fuel-- <= 0 || depth <= 0) return;
    {self.body(arrays, 20).replace("goto end", "return")}
    {to}({given}, s, t + 1, depth - 1);
    {self.loops(arrays)}
    {used}
}}
"""
        self.calls.append(
            lambda x, y: f"{name}({x}, {y}, s, t, {self.r.randint(1, 3)});")

    def pointer(self, name):
        """Called by a pointer, or calls one that it is given."""
        if not self.callable:
            self.leaf(name)
            return
        one, two = (self.r.choice(self.callable) for _ in range(2))
        if self.r.random() < 0.5:
            kind = self.r.choice(("", "const", "volatile"))
            self.text += f"static void (*{kind} {name}[])({PARAMETERS}) = " \
                f"{{{one}, {two}}};\n"
            self.calls.append(
                lambda a, b: f"{name}[t % 2]({a}, {b}, s, t);")
            return
        self.define(f"void {name}(void (*f)({PARAMETERS}), {PARAMETERS})",
                    f"{self.loops()}\n    f(b, a, s, t);\n    {self.loops()}")
        self.calls.append(lambda a, b: f"{name}({one}, {a}, {b}, s, t);")

    def jump(self, name):
        """Left by a jump to its caller, sometimes over one more."""
        self.text += f"static jmp_buf {name}_place;\n"
        over = self.r.random() < 0.4
        self.define(f"void {name}_deep({PARAMETERS})",
                    f"{self.loops()}\n    if (t % 2) "
                    f"longjmp({name}_place, 1);\n    {self.loops()}")
        if over:
            self.text += f"""
static __attribute__((noinline)) void {name}_over({PARAMETERS})
{{
    unsigned own[N];
    for (int i = 0; i < N; i++) own[i] = a[i] + t;
    {name}_deep(own, b, s, t);
    for (int i = 0; i < N; i++) a[i] ^= own[i];
}}
"""
        self.text += f"""
{self.r.choice(ATTRIBUTES)} void {name}({PARAMETERS})
{{
    {self.loops()}
    if (!setjmp({name}_place)) {name}_{"over" if over else "deep"}(a, b, s, t);
    else g1[t] += 3;
    {self.r.choice((self.loops(), self.touches()))}
}}
"""
        self.add(name)

    def made(self, name):
        """Allocates what the caller frees."""
        self.text += f"""
{self.r.choice(ATTRIBUTES)} unsigned *{name}(unsigned *a, int t)
{{
    unsigned *o = malloc(sizeof g0);
    for (int i = 0; i < N; i++) o[i] = a[i] * 3 + t;
    {self.r.choice(("", "o[t]++;", "a[t]++;", "sum += o[t];"))}
    return o;
}}
"""
        self.calls.append(
            lambda a, b: f"{{ unsigned *o = {name}({a}, t); "
            f"for (int i = 0; i < N; i++) {b}[i] += o[N - 1 - i]; "
            f"{self.r.choice(('', 'o[3] = t;'))} "
            f"sum += {self.r.choice(('peek(o)', 'o[t]'))}; free(o); }}")

    def renewed(self, name):
        """Frees and allocates, or exchanges, what the caller has."""
        self.text += f"""
{self.r.choice(ATTRIBUTES)} void {name}(unsigned **x, unsigned **y, int t)
{{
    unsigned *o = malloc(sizeof g0), *first = *x;
    memcpy(o, *x, sizeof g0);
    for (int i = 0; i < N; i++) o[i] = o[i] * 3 + (*y)[i];
    {self.r.choice(("", "*x = *y; *y = first;", "(*y)[t]++;", "first[t]++;"))}
    memcpy(*x, o, sizeof g0);
    free(o);
}}
"""
        self.calls.append(lambda a, b: f"{name}(&s->a, &s->b, t);")

    def sorted(self, name):
        """The library calls a function that reads an array."""
        hi = self.r.randint(2, self.program.size)
        self.define(f"void {name}({PARAMETERS})", f"""{self.loops(("a", "b"))}
    for (int i = 0; i < N; i++) keys[i] = b[i] * 3 + t;
    if (a != keys) qsort(a, {hi}, sizeof(unsigned), by_key);
    {self.loops(("a", "b"))}""")
        self.add(name)

    def many(self, name):
        """A variable number of arguments."""
        self.text += f"""
{self.r.choice(ATTRIBUTES)} void {name}(int t, int count, ...)
{{
    va_list rest;
    va_start(rest, count);
    for (int k = 0; k < count; k++) {{
        unsigned *x = va_arg(rest, unsigned *);
        {self.r.choice(("x[k] += t;", "for (int i = 0; i < N; i++) x[i] += t;",
                        "sum += x[k];"))}
    }}
    va_end(rest);
}}
"""
        self.calls.append(lambda a, b: f"{name}(t, 2, {a}, {b});")

    def tail(self, name):
        """It ends with a call that takes its frame's place."""
        if not self.callable:
            self.leaf(name)
            return
        to = self.r.choice(self.callable)
        must = self.r.choice(("", "__attribute__((musttail)) "))
        self.text += f"""
{self.r.choice(ATTRIBUTES)} void {name}({PARAMETERS})
{{
    {self.loops()}
    {self.r.choice((self.touches(), self.loops(), ""))}
    {must}return {to}({self.r.choice(("a, b", "b, a"))}, s, t);
}}
"""
        self.add(name)
