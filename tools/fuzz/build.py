"""Programs from the texts of skeletons.py: sizes, types and storage are chosen,
and the arrays made as large as the evaluated subscripts need."""

import random

from fuzz.arrays import MAX_ELEMENTS
from fuzz.parse import Parser
from fuzz.skeletons import RULES, SKELETONS
from fuzz.tree import (FLOATS, Array, Assign, Break, Expr, If, Kernel, Loop,
                       Reject, Scope, Switch, binary, const, var)

MAX_INSTANCES = 12000  # of one loop's body


class Build:
    """Part of generate.Generator, which has r, k, program, and trips."""

    def from_text(self):
        """A program of one to three kernels."""
        p = self.program
        p.specials = int(self.chance(20))
        self.floating = self.pick(float=36, double=28, _Float16=3, mixed=13,
                                  int=20)
        self.extent = self.r.choice((5, 9, 12, 20, 33))
        self.simple = True
        for number in range(self.r.choice((1, 1, 1, 1, 1, 1, 1, 2, 2, 3))):
            self.kernel_from_text(number)
        return p

    def kernel_from_text(self, number):
        r = self.r
        k = self.k = Kernel(f"f{number}")
        self.index = self.pick(int=75, long=15, unsigned=3, size_t=7)
        k.params = [(n, self.index if self.chance(95) else "int")
                    for n in "NMK"]
        for _ in range(1 + self.chance(15)):
            k.calls.append({n: 3 + r.randrange(self.extent)
                            if n != "K" else r.randint(3, 7)
                            for n, _ in k.params})
        self.top = Scope({n: [call[n] for call in k.calls]
                          for n, _ in k.params}, len(k.calls),
                         dict(k.params))
        texts = {f"rule {n}": f for n, f in RULES.items()} \
            if self.chance(30) else {f"skeleton {n}": f
                                     for n, f in SKELETONS.items()}
        name = r.choice(list(texts))
        self.feature(name)
        self.names, self.elements, self.usual = {}, {}, self.element_kind()
        k.body = Parser(texts[name](r), self.index, dict(k.params),
                        self.kind_of_name, self.element_of).program()
        self.spaces = {}
        self.run(k.body, self.top, 0)
        self.arrays_of_text()
        self.alias()
        self.program.kernels.append(k)

    def kind_of_name(self, _):
        """Mostly one type for all arrays of a kernel."""
        return self.usual if self.chance(90) else self.element_kind()

    def element_of(self, letter, subscripts):
        if letter not in self.names:
            # Twice: y1 is a function of math.h.
            self.names[letter] = (self.name(2 * letter.lower()),
                                  self.kind_of_name(letter))
        name, kind = self.names[letter]
        e = Expr("array", "", subscripts, kind, name)
        self.elements.setdefault(name, []).append(e)
        return e

    # ---- What is executed where -----------------------------------------

    def run(self, body, scope, level):
        """Evaluates all integer expressions at all points."""
        for s in body:
            if isinstance(s, Loop):
                rows, _ = self.trips(scope, s.start, s.relation, s.bound,
                                     s.step, s.kind)
                inner = scope.extended(s.name, s.kind, rows)
                if inner.count > MAX_INSTANCES:
                    raise Reject
                self.run(s.body, inner, level + 1)
            elif isinstance(s, (If, Break)):
                values = scope.evaluate(s.condition)
                rest = scope.filtered([not v for v in values])
                if isinstance(s, Break):
                    scope = rest
                else:
                    self.run(s.body, scope.filtered(values), level)
                    self.run(s.other, rest, level)
            elif isinstance(s, Switch):
                taken = [s.taken(v) for v in scope.evaluate(s.condition)]
                for name in s.bodies:
                    self.run(getattr(s, name), scope.filtered(
                        [t == name for t in taken]), level)
            for field in s.expressions:
                if isinstance(s, Assign) or field == "value":
                    self.span(getattr(s, field), scope)

    def span(self, e, scope):
        """Notes the least and largest value of each subscript."""
        if e.op == "array":
            spans = [scope.evaluate(kid) for kid in e.kids]
            known = self.spaces.setdefault(e.value, [[0, 0] for _ in spans])
            for pair, values in zip(known, spans):
                pair[0] = min([pair[0], *values])
                pair[1] = max([pair[1], *values])
            return
        if e.op != "value":
            if e.op != "var" or e.text in scope.columns:
                scope.evaluate(e)
            return
        for kid in e.kids:
            self.span(kid, scope)

    # ---- Arrays ---------------------------------------------------------

    def arrays_of_text(self):
        for name, kind in list(self.names.values()):
            elements = self.elements[name]
            for e in elements:
                e.kids = [binary("+", kid, const(-low)) if low else kid
                          for kid, (low, _) in zip(e.kids, self.spaces[name])]
            sizes = [high - low + 1 for low, high in self.spaces[name]]
            a = self.array_of_text(name, kind, sizes)
            for e in elements:
                if a.declared == "linear":
                    e.kids = [linear(e.kids, a.dims)]
                e.text = name + "".join(f"[{{{n}}}]"
                                        for n in range(len(e.kids)))
            self.k.arrays.append(a)
            self.program.arrays.append(a)

    def array_of_text(self, name, kind, sizes):
        declared = "1d" if len(sizes) == 1 else self.pick(
            fixed=55, vla=20, linear=25)
        storage = "pointer" if declared in ("vla", "linear") else \
            self.pick(pointer=60, extern=28, own=12)
        dims = [self.dim(size, declared in ("vla", "linear"))
                for size in sizes]
        elements = 0
        for call in range(self.top.count):
            size = 1
            for d in dims:
                size *= self.top.evaluate(d)[call]
            elements = max(elements, size)
        if elements > 3 * MAX_ELEMENTS:
            raise Reject
        a = Array(name, kind, storage, declared, dims, elements)
        if storage == "pointer" and declared != "vla":
            a.restrict, a.const = self.chance(35), self.chance(30)
        return a

    def dim(self, size, parametric):
        """The extent of a dimension: a parameter and some, or a number."""
        if parametric:
            for name, kind in self.k.params:
                more = size - min(self.top.columns[name])
                if 0 <= more <= 3:
                    return binary("+", var(name, kind), const(more)) \
                        if more else var(name, kind)
        return const(size + self.r.choice((0, 0, 0, 1, 3)))


def linear(subscripts, dims):
    """The number of an element in its array."""
    e = subscripts[0]
    for d, subscript in zip(dims[1:], subscripts[1:]):
        e = binary("+", binary("*", e, d), subscript)
    return e


def is_text(seed):
    """Is the program of a seed made from a text?"""
    return random.Random(f"text {seed}").random() < 0.35
