"""Programs from shapes: texts of C that the trees of the other programs cannot
express, with what they need of sizes, arrays and the contents of these.

A shape is a function that takes a Shape and gives the text of a kernel's body.
In it, $x is the array or parameter x, T the type of elements and I that of
counters.  Subscripts are in range by construction: arrays are as large as the
largest sizes need, and indices are filled with numbers that are in range.
"""

import random
import re

from fuzz.text import TextBlock, TextLoop, split
from fuzz.tree import FLOATS, SIZES, SUFFIX, Array, Kernel, Reject, const

SHAPES = {}
LATE = {}  # those of them that late_shape has
CONSTANTS = ("0.5", "1.25", "-0.75", "0.1", "3.0", "2.0")


def shape(f):
    SHAPES[f.__name__.replace("_", " ")] = f
    return f


def late_shape(f):
    """One that was added when seeds were in use: programs without it stay what
    they are."""
    LATE[f.__name__.replace("_", " ")] = f
    return shape(f)


class Shape:
    def __init__(self, generator, kernel):
        self.g, self.k, self.r = generator, kernel, generator.r
        self.program = generator.program
        self.names, self.kinds, self.most, self.arrays = {}, {}, {}, {}
        self.index = self.pick(int=71, long=20, short=4, size_t=5)
        self.kind = self.element_kind()
        if kernel.arrays and self.chance(70):
            self.kind = kernel.arrays[0].kind
        kernel.calls = kernel.calls or [
            {} for _ in range(self.r.choice((1, 1, 1, 1, 1, 2, 3)))]

    # ---- Choices --------------------------------------------------------

    def chance(self, percent):
        return self.r.random() * 100 < percent

    def pick(self, **weights):
        return self.r.choices(list(weights), list(weights.values()))[0]

    def feature(self, name):
        self.program.features.add(name)

    def element_kind(self):
        return self.pick(float=34, double=24, int=22, unsigned=6, long=6,
                         short=4, char=2, _Float16=2)

    # ---- Sizes and arrays -----------------------------------------------

    def size(self, name, least=0, most=None, kind=None):
        """A parameter; its largest value."""
        extent = most or self.g.extent
        text = self.g.name(name)
        self.names[name] = text
        for call in self.k.calls:
            what = self.pick(usual=85, zero=4, one=5, large=6)
            n = {"usual": self.r.randint(3, max(3, extent)), "zero": 0,
                 "one": 1, "large": extent}[what]
            call[text] = max(least, n)
        kind = kind or (self.index if self.index != "short" else "int")
        self.k.params.append((text, kind))
        if self.chance(4):
            self.k.globals.append(text)
        self.most[name] = max(c[text] for c in self.k.calls)
        return self.most[name]

    def number(self, name, low, high, kind="int"):
        """A parameter between two numbers; the largest value."""
        text = self.g.name(name)
        self.names[name] = text
        for call in self.k.calls:
            call[text] = self.r.randint(low, high)
        self.k.params.append((text, kind))
        self.most[name] = max(c[text] for c in self.k.calls)
        return self.most[name]

    def array(self, name, elements, kind=None, fill=None, storage=None,
              bias=0, alone=False):
        """An array of at least so many elements; where it need not be alone,
        perhaps one that an earlier shape of the kernel has."""
        kind = kind or self.kind
        if elements > 30000:
            raise Reject
        if not (fill or storage or bias or alone) and self.chance(60):
            for a in self.k.arrays:
                if a.fill is None and a.kind == kind and not a.bias and \
                        a.elements >= elements and \
                        a not in self.arrays.values():
                    self.names[name], self.arrays[name] = a.name, a
                    self.kinds[name] = kind
                    self.feature("shapes that share an array")
                    return a
        storage = storage or self.pick(pointer=72, extern=18, own=10)
        elements = max(1, elements) + self.r.choice((0, 0, 0, 1, 5))
        a = Array(self.g.name(2 * name[0].lower()), kind, storage, "1d",
                  [const(elements)], elements)
        if storage == "pointer":
            a.bias = bias
            a.restrict = not bias and self.chance(25)
        a.fill = fill
        self.names[name], self.arrays[name] = a.name, a
        self.kinds[name] = kind
        self.k.arrays.append(a)
        self.program.arrays.append(a)
        return a

    def indices(self, name, elements, limit, kind=None, **more):
        """An array of numbers from 0 to below the limit."""
        kinds = [k for k, high in (("int", 1 << 31), ("long", 1 << 62),
                                   ("unsigned", 1 << 32), ("short", 1 << 15),
                                   ("unsigned char", 256), ("size_t", 1 << 62))
                 if limit <= high]
        kind = kind or (self.r.choice(kinds) if self.chance(40) else "int")
        if kind == "size_t":
            kind = "unsigned long"
        return self.array(name, elements, kind,
                          f"fill_below({{p}}, {{n}}, sizeof({kind}), "
                          f"{max(1, limit)});", **more)

    def alias(self):
        """Lets one pointer of a type point into the array of another."""
        free = [a for a in self.k.arrays if a.fill is None and not a.bias
                and a.storage == "pointer" and not a.restrict]
        pairs = [(a, b) for a in free for b in free
                 if a is not b and a.kind == b.kind]
        if not pairs or not self.chance(9):
            return
        a, b = self.r.choice(pairs)
        places = (0, 0, 0, 1, self.r.randint(0, a.elements), a.elements)
        b.buffer, b.offset = a.name, SIZES[a.kind] * self.r.choice(places)
        self.feature("shapes aliased")

    # ---- Texts ----------------------------------------------------------

    def text(self, template, **pieces):
        """@x is a piece, $x a name, T and I are types."""
        for _ in range(4):
            template = re.sub(r"@(\w+)", lambda m: str(pieces[m.group(1)])
                              if m.group(1) in pieces else m.group(0),
                              template)
        template = re.sub(r"\$(\w+)", lambda m: self.names[m.group(1)],
                          template)
        template = re.sub(r"\bT\b", self.kind, template)
        return re.sub(r"\bI\b", self.index, template)

    def loop(self, i, low, high, body):
        """A loop in one of its forms; high is at least low."""
        i_low = f"{i} = {low}"
        forms = {"for": 76, "while": 7, "outside": 5, "before": 3}
        if self.index not in ("size_t", "unsigned"):
            forms["down"] = 9
        form = self.pick(**forms)
        if form == "down":
            return f"for (I {i} = {high} - 1; {i} >= {low}; {i}--) " \
                f"{{ {body} }}"
        if "continue" in body:
            form = "for"
        if form == "while":
            return f"{{ I {i_low}; while ({i} < {high}) " \
                f"{{ {body} {i}++; }} }}"
        if form == "outside":
            return f"{{ I {i}; for ({i_low}; {i} < {high}; ++{i}) " \
                f"{{ {body} }} }}"
        if form == "before":
            return f"for (I {i_low}, {i}end = {high}; {i} < {i}end; {i}++) " \
                f"{{ {body} }}"
        return f"for (I {i_low}; {i} < {high}; {i}++) {{ {body} }}"

    def nest(self, dims):
        """Parameters for a nest over full arrays: gives wrap(body), and
        element(array, d), which has up to 4 elements more."""
        if dims == 1:
            self.full = self.size("n") + 4

            def element(name, d=0):
                self.full_array(name)
                return f"${name}[i + {d}]" if d else f"${name}[i]"
            return lambda body: self.loop("i", "0", "$n", body), element
        cols = self.size("m", most=min(self.g.extent, 40))
        rows = self.size("n", most=min(self.g.extent, 40))
        self.full = rows * cols + 4
        form = self.r.choice(("linear", "linear", "swapped", "cast"))

        def element(name, d=0):
            self.full_array(name)
            at = "i * $m + j" if form != "swapped" else "i + j * $n"
            return f"${name}[{at} + {d}]" if d else f"${name}[{at}]"

        def wrap(body):
            return self.loop("i", "0", "$n", self.loop("j", "0", "$m", body))
        return wrap, element

    def full_array(self, name):
        if name not in self.arrays:
            self.array(name, self.full)

    def in_time(self, text, percent=12):
        """Sometimes in a loop of time steps."""
        if not self.chance(percent):
            return text
        self.feature("shape in time loop")
        return f"for (int t = 0; t < {self.r.randint(2, 4)}; t++) " \
            f"{{ {text} }}"

    # ---- Values ---------------------------------------------------------

    def read(self, text):
        """An element, or a scalar, with its type."""
        name = re.match(r"\$(\w+)", text)
        return text, self.kinds[name.group(1)] if name else self.kind

    def value(self, *reads, kind=None, depth=None):
        """A value of kind that reads these, defined for all contents."""
        kind = kind or self.kind
        leaves = [self.converted(*(self.read(t) if isinstance(t, str) else t),
                                 kind) for t in reads]
        if leaves and depth is None and self.chance(8):
            self.feature("shape choice in a value")
            leaves[0] = f"({leaves[0]} {self.r.choice('<>')} " \
                f"{self.constant(kind)} ? {leaves[0]} : {self.constant(kind)})"
        result = leaves[0] if leaves else self.constant(kind)
        for leaf in leaves[1:]:
            result = self.joined(kind, result, leaf)
        for _ in range(self.r.choice((0, 1, 1, 2)) if depth is None else
                       depth):
            result = self.joined(kind, result, self.constant(kind))
        return result if kind in FLOATS else f"({kind}){result}"

    def constant(self, kind):
        if kind in FLOATS:
            return self.r.choice(CONSTANTS) + SUFFIX[kind]
        return f"{self.r.choice((1, 2, 3, 7, 255, 65537))}u"

    def joined(self, kind, a, b):
        if kind in FLOATS:
            return self.r.choice(("({0} + {1})", "({0} * {1})", "({0} - {1})",
                                  "({0} * {1} + {0})", "({1} - {0})")
                                 ).format(a, b)
        return self.r.choice(("({0} + {1})", "({0} * {1})", "({0} - {1})",
                              "({0} ^ {1})", "({0} & {1})", "({0} | {1})")
                             ).format(a, b)

    def converted(self, text, kind, to):
        wide = "unsigned" if SIZES.get(to, 8) <= 4 else "unsigned long long"
        if to in FLOATS:
            if kind in FLOATS:
                return text if kind == to else f"({to}){text}"
            through = "float" if to == "_Float16" else to
            scale = 2.0**-8 if SIZES[kind] < 4 else 2.0**-30
            return f"(({through}){text} * {scale}{SUFFIX[to]})"
        if kind in FLOATS:
            return f"({wide})({text} > 0.5)"
        return f"({wide}){text}"

    def condition(self, *reads):
        """One on data."""
        text, kind = self.read(self.r.choice(reads))
        if kind in FLOATS:
            number = self.r.choice(("0.3", "0.0", "-0.5")) + SUFFIX[kind]
            plain = f"{text} {self.r.choice(('<', '>', '<=', '!='))} {number}"
        else:
            plain = self.r.choice((
                f"{text} > 3", f"({text} & 3) == 1", f"{text} % 3 == 0",
                f"{text} < 100", f"({text} & 1)", f"{text} != 7"))
        others = [t for t in reads if t != text]
        if others and self.chance(25):
            same = [t for t in others if self.read(t)[1] == kind]
            if same:
                plain = f"{text} {self.r.choice('<>')} {same[0]}"
        if others and self.chance(15):
            return f"{plain} {self.r.choice(('&&', '||'))} " \
                f"{self.condition(*others)}"
        return f"!({plain})" if self.chance(8) else plain

    def operator(self, kind=None):
        """Of an assignment; integers have only those that wrap around."""
        kind = kind or self.kind
        if kind in FLOATS or kind in ("int", "long"):
            return "=" if kind not in FLOATS else \
                self.r.choice(("=", "=", "+=", "-=", "*="))
        return self.r.choice(("=", "=", "+=", "^=", "|="))

    def extremum(self, a, b, what):
        return f"({a} {'<' if what == 'min' else '>'} {b} ? {a} : {b})"


class FromShapes:
    """Part of generate.Generator."""

    def from_shapes(self):
        p = self.program
        p.specials, self.several = int(self.chance(15)), False
        self.simple = True
        for number in range(self.r.choice((1, 1, 1, 2, 2, 3))):
            self.extent = self.r.choice((5, 9, 12, 20, 33, 70, 150, 300))
            self.kernel_of_shape(number)
        p.reassociable &= not self.several and len(p.kernels) == 1
        return p

    def kernel_of_shape(self, number):
        """Of one to three shapes one after the other."""
        k = self.k = Kernel(f"f{number}")
        late = random.Random(f"late {self.program.seed} {number}")
        for _ in range(self.r.choice((1, 1, 1, 1, 2, 2, 3))):
            name = self.r.choice([n for n in SHAPES if n not in LATE])
            # As often as each of the others.
            if late.random() * len(SHAPES) < len(LATE):
                name = late.choice(list(LATE))
            s = Shape(self, k)
            body = split(s.text(s.in_time(SHAPES[name](s), 5)))
            k.body.append(TextBlock(body))
            self.feature(f"shape {name}")
            if k.inner:
                break
        if k.inner and len(k.body) > 1:
            raise Reject  # what came before has no arrays there
        self.several |= len(k.body) > 1
        if len(k.body) == 1:
            k.body = k.body[0].body
        elif self.chance(25):
            self.feature("shapes in one time loop")
            k.body = [TextLoop("for (int step = 0; step < 2; step++) {",
                               k.body)]
        k.inlined = self.chance(40)
        s.alias()
        self.program.kernels.append(k)


def is_shape(seed):
    """Is the program of a seed made from shapes?"""
    return random.Random(f"shape {seed}").random() < 0.4
