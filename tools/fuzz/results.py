"""Results that all iterations of a nest update: sums, products, bitwise
operations, minima and maxima, in scalars and elements, by themselves, several
at once, on conditions, with several operators, and read in between."""

from fuzz.tree import FLOATS, Assign, Declare, Expr, If, Loop, Reject, const, var

OPERATORS = ("+", "+", "-", "*", "&", "|", "^", "min", "max")


class Results:
    """Part of generate.Generator, which has r, k, top, chance, and access."""

    def results(self):
        """A nest with one to three results, or nothing."""
        before = set(self.program.features)
        for _ in range(12):
            self.temporaries = [[]]
            try:
                return self.with_results()
            except Reject:
                self.program.features = set(before)
        return []

    def with_results(self):
        r = self.r
        begin, end, targets = [], [], []
        for _ in range(r.choice((1, 1, 2, 3))):
            targets.append((self.result(begin, end), r.choice(OPERATORS)))
        if len(targets) > 1:
            self.feature("several results")
        read = self.chance(12)

        def body(scope):
            updates = [self.update_result(scope, *t) for t in targets]
            if self.chance(12):
                self.feature("result with several operators")
                updates.append(self.update_result(scope, targets[0][0],
                                                  r.choice(OPERATORS)))
            if read:
                updates.append(self.read_result(scope, targets))
            return updates

        nest = self.nest_around(r.choice((1, 1, 2, 3)), body)
        if self.chance(20):
            return begin + self.steps_of(nest, targets) + end
        return begin + nest(self.top) + end

    def steps_of(self, nest, targets):
        """The nest in each step of a loop, which uses a result."""
        self.feature("result of each step")
        name, steps = self.name("t"), self.r.randint(2, 4)
        scope = self.top.extended(name, "int", [range(steps)] * self.top.count)
        body = [Assign(targets[0][0], "=", const(self.r.randint(0, 3)))] \
            if self.chance(50) else []
        body += nest(scope)
        body.append(self.read_result(scope, targets))
        return [Loop("for", "int", name, const(0), "<", const(steps), 1, body)]

    def result(self, begin, end):
        """A scalar, which "begin" declares and "end" stores, or an element."""
        a = self.output(self.top)
        if self.chance(40):
            self.feature("result in an element")
            return self.access(self.top, a, write=True)
        self.feature("result in a scalar")
        kind = self.element_value()
        s = var(self.name("s"), kind)
        begin.append(Declare(kind, s.text, self.value(self.top, kind, 1)))
        end.append(self.sum_to(self.access(self.top, a, write=True), [s],
                               a.kind))
        return s

    def read_result(self, scope, targets):
        """Something that is no update uses what a result is by then."""
        self.feature("result read in between")
        a = self.output(scope)
        return self.sum_to(self.access(scope, a, write=True),
                           [self.r.choice(targets)[0]], a.kind)

    def update_result(self, scope, target, op):
        kind = target.kind
        if kind in FLOATS and op in "&|^":
            op = "+"
        value = self.value(scope, kind, self.r.choice((0, 0, 1, 2)))
        new = self.combined(target, op, value)
        what = self.pick(always=60, affine=15, chosen=15, branch=10)
        if what == "chosen":
            self.feature("result on data")
            condition = self.data_condition(scope)
            new = Expr("value", f"({condition.text} ? {{1}} : {{2}})",
                       [*condition.kids, new, target], kind)
        update = Assign(target, "=", new)
        if what == "affine":
            self.feature("result under a guard")
            return If(self.condition(scope), [update])
        if what == "branch" and target.op == "var":
            self.feature("result on data")
            return If(self.data_condition(scope), [update])
        return update

    def combined(self, target, op, value):
        """target op value, in either order where that is the same."""
        kind = target.kind
        self.feature("result " + {"&": "and", "|": "or"}.get(op, op))
        kids = [target, value]
        if op != "-" and self.chance(40):
            kids.reverse()
        if op in ("min", "max"):
            sign = "<" if op == "min" else ">"
            cast = "" if kind in FLOATS else f"({kind})"
            return Expr("value", f"({cast}{{0}} {sign} {cast}{{1}} ? "
                        f"{cast}{{0}} : {cast}{{1}})", kids, kind)
        if kind in FLOATS:
            return Expr("value", f"({{0}} {op} {{1}})", kids, kind)
        wide = self.wide(kind)
        return Expr("value", f"({kind})(({wide}){{0}} {op} ({wide}){{1}})",
                    kids, kind)
