"""Random affine programs, free of undefined behaviour by construction."""

import random

from fuzz.arrays import Arrays
from fuzz.build import Build, is_text
from fuzz.disjunctions import Disjunctions
from fuzz.features import features
from fuzz.guards import Guards
from fuzz.loops import Loops
from fuzz.private import Private
from fuzz.results import Results
from fuzz.shapes import FromShapes, is_shape
from fuzz.statements import Statements
from fuzz.subscripts import Subscripts
from fuzz.tree import (FLOATS, RANGES, Declare, Kernel, Loop, Program, Reject,
                       Scope, statements)
from fuzz.values import Values

INTEGERS = ("char", "signed char", "unsigned char", "short",
            "unsigned short", "int", "unsigned",
            "long", "unsigned long", "long long",
            "unsigned long long")


class Generator(Arrays, Build, Disjunctions, FromShapes, Guards, Loops,
                Private, Results, Statements, Subscripts, Values):
    def __init__(self, seed):
        self.r = random.Random(seed)
        self.program = Program(seed)
        self.serial = 0

    # ---- Helpers --------------------------------------------------------

    def chance(self, percent):
        return self.r.random() * 100 < percent

    def pick(self, **weights):
        return self.r.choices(list(weights), list(weights.values()))[0]

    def feature(self, name):
        self.program.features.add(name)

    def name(self, prefix):
        self.serial += 1
        return f"{prefix}{self.serial}"

    # ---- Programs -------------------------------------------------------

    def generate(self):
        p, r = self.program, self.r
        p.specials = int(self.chance(25))
        self.floating = self.pick(float=33, double=24, _Float16=3, mixed=15,
                                  int=25)
        self.extent = r.choice((7, 12, 12, 20, 20, 33, 33, 150))
        # Most programs are simple, so that most run on the device; the others
        # mix everything.
        self.simple = self.chance(80)
        self.feature("simple" if self.simple else "mixed")
        self.plain = r.choice((150, 400)) if self.simple else \
            r.choice((0, 150))  # weight of simple subscripts
        for number in range(1 + self.chance(25)):
            self.kernel(number)
        return p

    def element_kind(self):
        r = self.r
        if self.floating in FLOATS and self.chance(85):
            kind = self.floating
        elif self.floating == "mixed" and self.chance(60):
            kind = r.choice(FLOATS)
        elif self.floating == "int" or self.chance(60):
            kind = r.choice(INTEGERS)
        else:
            kind = r.choice(FLOATS)
        return kind

    def kernel(self, number):
        r = self.r
        k = self.k = Kernel(f"f{number}")
        index = self.pick(int=70, long=12, size_t=12,
                          unsigned=1 if self.simple else 10)
        self.index = index
        global_bounds = self.chance(5)
        for n in range(r.randint(1, 3)):
            kind = index if self.chance(98 if self.simple else 85) else \
                r.choice(("int", "long", "unsigned", "size_t"))
            k.params.append((f"n{n}", kind))
            if global_bounds:
                k.params[-1] = (self.name("N"), kind)
                k.globals.append(k.params[-1][0])
                self.feature("global bound")
        if self.chance(10):
            k.params.append(("huge", index))
            self.feature("huge parameter")
        for _ in range(1 + self.chance(15)):
            k.calls.append({
                name: self.parameter() if name != "huge" else
                self.huge(kind) for name, kind in k.params})
        if len(k.calls) > 1:
            self.feature("called twice")
        columns = {name: [call[name] for call in k.calls]
                   for name, _ in k.params}
        self.top = Scope(columns, len(k.calls), dict(k.params))
        for _ in range(r.randint(2, 5)):
            self.array()
        while not k.arrays:  # they were too large
            self.array()
        self.alias()
        # A simple kernel has an array to read that it does not write.
        self.outputs = r.sample(k.arrays, max(1, min(
            len(k.arrays) - self.simple, r.choice((1, 1, 2, 2, 3)))))
        self.temporaries = []
        k.body = self.initialise()
        self.left = r.choice((1, 2, 3) if self.simple else (2, 3, 4, 5, 7))
        nests = r.choice((1, 1, 1, 2) if self.simple else (1, 1, 1, 2, 2, 3))
        if nests > 1:
            self.feature("several nests")
        if self.chance(12 if self.simple else 20):
            k.body += self.time_loop(nests)
        else:
            for _ in range(nests):
                k.body += self.straight(20)
                k.body += self.nest(self.top, self.depth())
            k.body += self.straight(15)
        self.add_disjunctions(number)
        self.add_late("private", self.private, number)
        self.add_late("results", self.results, number)
        self.add_late("locals", self.keep_locals, number, 100)
        self.program.kernels.append(k)

    def add_late(self, name, make, number, percent=25):
        """With choices of its own, so that all others stay what they are."""
        self.late = []
        usual, self.r = self.r, random.Random(
            f"{name} {self.program.seed} {number}")
        if self.chance(percent):
            self.k.body += make()
        self.k.arrays += self.late
        self.program.arrays += self.late
        self.r = usual

    def depth(self):
        if self.extent > 100:
            return self.r.choice((1, 1, 2))
        return self.r.choice((1, 1, 2, 2, 2, 2, 3, 3, 4) if self.simple
                             else (1, 2, 2, 3, 3, 4))

    def straight(self, percent):
        """Statements outside of all loops."""
        self.temporaries = [self.temporaries[0]] if self.temporaries else [[]]
        result = []
        if self.chance(percent / 2):
            kind = self.element_value()
            name = self.name("s")
            result.append(Declare(kind, name,
                                  self.value(self.top, kind, 1)))
            self.temporaries[0].append((name, kind))
            self.feature("scalar before loops")
        if self.chance(percent):
            self.feature("statement outside loops")
            result += self.statement(self.top, [])
        return result

    def parameter(self):
        what = self.pick(usual=86, zero=4, one=6, small=4)
        if what == "zero":
            self.feature("zero-trip")
        if what == "one":
            self.feature("one-trip")
        return {"usual": self.r.randint(3, self.extent), "zero": 0, "one": 1,
                "small": self.r.randint(2, 4)}[what]

    def huge(self, kind):
        low, high = RANGES[kind]
        return self.r.choice((high, high - 1, high - self.extent, high // 2,
                              low, low + 1, min(low + 40, 0), 1000000))


def generate(seed):
    """The program of a seed, always the same one."""
    for attempt in range(20):
        try:
            g = Generator(seed * 100 + attempt)
            p = g.from_shapes() if is_shape(seed) else \
                g.from_text() if is_text(seed) else g.generate()
        except Reject:
            continue
        p.seed = seed
        if p.used_arrays() and any(
                isinstance(s, Loop) for k in p.kernels
                for s in statements(k.body)):
            p.features |= features(p)
            return p
    raise RuntimeError(f"no program for seed {seed}")
