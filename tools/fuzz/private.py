"""Values that stay within an iteration: scalars and small arrays that each one
writes before it reads them; and pivots: row and column k in step k."""

from fuzz.tree import (FLOATS, Array, Assign, Declare, Expr, Loop, Reject,
                       const, var)

POINTS = 1500  # instances of one statement


class Private:
    """Part of generate.Generator, which has r, k, top, chance, and access."""

    unset = frozenset()  # local arrays that some call leaves as they are

    def private(self):
        """A nest of one of these kinds, or nothing."""
        make = {"scalar": self.private_scalar, "array": self.private_array,
                "pivot": self.pivot}[self.pick(scalar=35, array=35, pivot=30)]
        before = set(self.program.features)
        for _ in range(12):
            self.temporaries = [[]]
            try:
                return make()
            except Reject:
                self.program.features = set(before)
        return []

    def around(self, scope, prefix, bound, body):
        """A loop from 0 to bound, its body made by body(scope inside)."""
        name = self.name(prefix)
        rows = [range(b) for b in scope.evaluate(bound)]
        if not 0 < sum(map(len, rows)) <= POINTS:
            raise Reject
        inner = scope.extended(name, "int", rows)
        return Loop("for", "int", name, const(0), "<", bound, 1, body(inner))

    def bound(self):
        """Of a loop: a parameter, or now and then a number."""
        return const(self.r.randint(2, 9)) if self.chance(20) else \
            self.r.choice([var(n, kind) for n, kind in self.k.params
                           if n != "huge"])

    def nest_around(self, depth, body):
        """depth loops around what body(scope) gives."""
        if depth == 0:
            return body
        return lambda scope: [self.around(
            scope, "ijm"[depth - 1], self.bound(),
            self.nest_around(depth - 1, body))]

    def counters(self, scope):
        return [n for n in scope.columns if n not in self.top.columns]

    def writable(self):
        return self.r.choice(self.outputs)

    def private_scalar(self):
        """s = ...; (for ...) a[...] = ... s ...; and perhaps the last value
        afterwards."""
        r = self.r
        kind = self.element_value()
        s = var(self.name("s"), kind)
        live = self.chance(40)

        def use(scope):
            self.temporaries = [[(s.text, kind)]]
            a = self.writable()
            text = "{0}" if a.kind in FLOATS or kind not in FLOATS else \
                "({0} > 1)"
            value = Expr("value", f"({a.kind})({text})", [s], a.kind) \
                if self.chance(50) else self.value(scope, a.kind, 2)
            return Assign(self.access(scope, a, write=True), "=", value)

        def body(scope):
            self.temporaries = [[]]
            result = [Assign(s, "=", self.value(scope, kind, 1))]
            if self.chance(50):
                result.append(self.around(scope, "q", const(r.randint(1, 6)),
                                          lambda inner: [use(inner)]))
            result.append(use(scope))
            return result

        nest = self.nest_around(r.choice((1, 2, 2)), body)(self.top)
        result = [Declare(kind, s.text, const(0)), *nest]
        self.feature("private scalar")
        if live:
            self.feature("private scalar used after loops")
            result.append(use(self.top))
        self.temporaries = [[]]
        return result

    def private_array(self):
        """for (...) t[...] = ...; for (...) a[...] = ... t[...] ...; t is the
        kernel's own, or one of those that it is given."""
        r = self.r
        given = [a for a in self.outputs
                 if len(a.dims) == 1 and a.dims[0].op == "const" and
                 a.dims[0].value >= 2 and not a.bias]
        own = not given or self.chance(60)
        if own:
            size = r.choice((2, 3, 5, 8))
            t = Array(self.name("t"), self.element_value(), "local", "1d",
                      [const(size)], size)
        else:
            t = r.choice(given)
            size = r.randint(2, min(8, t.dims[0].value))
        others = [a for a in self.outputs if a is not t] or self.outputs
        live = self.chance(40)

        def element(subscript):
            return Expr("array", f"{t.name}[{{0}}]", [subscript], t.kind,
                        t.name)

        def set_all(scope):
            q = self.last(scope)
            return [Assign(element(q), "=", self.value(scope, t.kind, 1))]

        def change(scope):
            q = self.last(scope)
            return [self.sum_to(element(q), [
                element(q), self.value(scope, t.kind, 1)], t.kind)]

        def use(scope):
            q = self.last(scope)
            a = r.choice(others)
            back = Expr("-", "", (const(size - 1), q), "int")
            return [self.sum_to(
                self.access(scope, a, write=True),
                [element(q), element(back), self.value(scope, a.kind, 1)],
                a.kind)]

        def body(scope):
            loops = [set_all, *([change] if self.chance(30) else []), use]
            return [self.around(scope, "q", const(size), make)
                    for make in loops]

        nest = self.nest_around(r.choice((1, 1, 2)), body)(self.top)
        self.feature("private array" if own else "private array of the caller")
        written = min(self.trips_of(nest[0]), default=0) > 0
        if own and not written:
            self.unset = self.unset | {t.name}
        if live and written:
            self.feature("private array used after loops")
            nest.append(self.around(self.top, "q", const(size), use))
        if own:
            self.late.append(t)
        return nest

    def last(self, scope):
        name = self.counters(scope)[-1]
        return var(name, scope.kinds[name])

    def trips_of(self, loop):
        """How often each call runs the body of the innermost of the loops
        around everything."""
        counts = self.top.evaluate(loop.bound)
        if len(loop.body) == 1 and isinstance(loop.body[0], Loop):
            return [a * b for a, b in zip(counts,
                                          self.trips_of(loop.body[0]))]
        return counts

    def sum_to(self, target, values, kind):
        """target = a sum of values of any type."""
        if kind in FLOATS:
            text = " + ".join(f"{{{n}}}" for n in range(len(values)))
            return Assign(target, "=", Expr("value", f"({text})", values,
                                            kind))
        wide = self.wide(kind)
        text = " + ".join(
            f"({wide}){{{n}}}" if v.kind not in FLOATS else
            f"({wide})({{{n}}} > 0.5)" for n, v in enumerate(values))
        return Assign(target, "=", Expr("value", f"({kind})({text})", values,
                                        kind))

    def pivot(self):
        """for k: for i: for j: a[i][j] = f(a[i][j], a[i][k], a[k][j]), or the
        same for a vector."""
        a = self.r.choice([a for a in self.outputs if len(a.dims) < 3 and
                           not a.bias] or [None])
        if a is None:
            raise Reject
        bounds = [self.bound() for _ in a.dims]
        steps = self.bound()

        def inside(scope):
            k, *rest = (var(n, "int") for n in self.counters(scope))
            for e in (k, *rest):
                for d in a.dims if e is k else [a.dims[rest.index(e)]]:
                    if not self.fits(scope, e, d):
                        raise Reject
            reads = [self.element(a, list(rest), scope)]
            for n in range(len(rest)):
                subs = list(rest)
                subs[n] = k
                reads.append(self.element(a, subs, scope))
            return [Assign(reads[0], "=", self.step(reads, a.kind))]

        def loops(number):
            if number == len(bounds):
                return inside
            return lambda scope: [self.around(scope, "ij"[number],
                                              bounds[number],
                                              loops(number + 1))]

        nest = [self.around(self.top, "k", steps, loops(0))]
        self.feature(f"pivot in {len(a.dims)} dimension"
                     f"{'s' if len(a.dims) > 1 else ''}")
        return nest

    def step(self, reads, kind):
        r = self.r
        x = "{0}"
        if kind in FLOATS:
            y = "{1} + {2}" if len(reads) > 2 else "{1}"
            text = r.choice((f"({x} < {y} ? {x} : {y})",
                             f"({x} * 0.5 - ({y}) * 0.25)",
                             f"({x} + ({y}))"))
            return Expr("value", f"({kind}){text}", reads, kind)
        wide = self.wide(kind)
        y = r.choice(("(({w}){{1}} & ({w}){{2}})", "(({w}){{1}} + ({w}){{2}})")) \
            if len(reads) > 2 else "({w}){{1}}"
        text = r.choice(("(({w}){{0}} | %s)", "(({w}){{0}} + %s)",
                         "(({w}){{0}} < %s ? ({w}){{0}} : %s)"))
        text = text.replace("%s", y).format(w=wide)
        return Expr("value", f"({kind}){text}", reads, kind)
