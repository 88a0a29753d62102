"""Affine expressions, and accesses to elements of arrays."""

from fuzz.tree import Expr, Reject, binary, const, var


class Subscripts:
    """Part of generate.Generator, which has r, k, and chance."""

    def affine(self, scope, prefer=None):
        r = self.r
        outer = self.outer(scope)
        i = prefer or (r.choice(outer) if outer else
                       r.choice(self.params()))
        what = self.pick(var=50 + self.plain, shift=22, stride=4, sum=4,
                         reverse=5, divide=2, modulo=2, minmax=1, param=2,
                         const=1)
        if what == "var":
            return i
        if what == "shift":
            return binary(r.choice("+-"), i, const(r.choice((1, 1, 1, 2, 3))))
        if what == "stride":
            return binary("*", const(r.choice((2, 2, 3))), i)
        if what == "sum":
            return binary(r.choice("++-"), i,
                          r.choice(outer) if outer else const(1))
        if what == "reverse":
            return binary("-", r.choice(self.params() +
                                        [const(r.randint(3, self.extent))]), i)
        if what in ("divide", "modulo"):
            a = i if self.chance(70) else self.affine(scope)
            self.feature("division in subscript" if what == "divide"
                         else "modulo in subscript")
            return binary("/" if what == "divide" else "%", a,
                          const(r.randint(2, 4)))
        if what == "minmax":
            self.feature("min/max subscript")
            return binary(r.choice(("min", "max")), i,
                          const(r.randint(1, self.extent)))
        if what == "param":
            return r.choice(self.params())
        return const(r.randint(0, 5))

    def subscript(self, scope, size, prefer=None):
        """An affine expression with values in 0 <= v < size."""
        sizes = self.whole(scope, size)
        before = set(self.program.features)
        for attempt in range(14):
            self.program.features = set(before)
            try:
                e = self.affine(scope, prefer if attempt < 10 else None)
                values = scope.evaluate(e)
                if values and min(values) < 0:
                    e = binary("+", e, const(-min(values)))
                    values = scope.evaluate(e)
                over = max((v - s + 1 for v, s in zip(values, sizes)),
                           default=0)
                if over > 0:
                    if min(values) < over:
                        continue
                    e = binary("-", e, const(over))
                    scope.evaluate(e)
                return e
            except Reject:
                continue
        self.program.features = before
        return const(self.r.randrange(min(sizes, default=1)))

    def whole(self, scope, size):
        return scope.evaluate(size)

    def access(self, scope, a, write=False):
        """An element of a; writes prefer a different loop per dimension."""
        r = self.r
        outer = self.outer(scope)
        far = getattr(scope, "far", {})
        if self.simple and write and len(outer) >= len(a.dims):
            order = outer[:len(a.dims)] if self.chance(60) else \
                r.sample(outer, len(a.dims))
            if all(self.fits(scope, i, d) for i, d in zip(order, a.dims)):
                return self.element(a, list(order), scope)
        if self.simple and self.chance(85):
            return self.plain_access(scope, a, outer)
        order = r.sample(outer, len(outer)) if self.chance(30) else \
            outer[-len(a.dims):] if self.chance(75) else list(outer)
        subs = []
        for number, d in enumerate(a.dims):
            prefer = order[number] if number < len(order) and \
                self.chance(96 if write else 75) else None
            if write and prefer is not None and self.chance(60):
                if self.fits(scope, prefer, d):
                    subs.append(prefer)
                    continue
            subs.append(self.subscript(scope, d, prefer))
        if far and self.chance(70):
            name = r.choice(list(far))
            try:
                e = binary("-", var(name, scope.kinds[name]), far[name])
                if self.fits(scope, e, a.dims[0]):
                    subs[0] = e
            except Reject:
                pass
        return self.element(a, subs, scope)

    def plain_access(self, scope, a, outer):
        """A different loop for each dimension, and constants for the rest."""
        loops = list(outer) if self.chance(60) else \
            self.r.sample(outer, len(outer))
        while len(loops) > len(a.dims):
            loops.pop(self.r.randrange(len(loops)))
        while len(loops) < len(a.dims):
            loops.insert(self.r.randint(0, len(loops)),
                         const(self.r.randint(0, 3)))
        subs = []
        for d, e in zip(a.dims, loops):
            if self.chance(20) and e.op == "var":
                e = binary(self.r.choice("+-"), e,
                           const(self.r.choice((1, 1, 2))))
            subs.append(e if self.fits(scope, e, d)
                        else self.subscript(scope, d, e))
        return self.element(a, subs, scope)

    def element(self, a, subs, scope):
        if a.declared == "linear" and len(subs) > 1:
            e = subs[0]
            if self.chance(15):
                e = Expr("cast", "", [e], self.r.choice(("size_t", "long")))
            for d, sub in zip(a.dims[1:], subs[1:]):
                e = binary("+", binary("*", e, d), sub)
            subs = [e]
        if a.bias:
            subs = [binary("-", subs[0], const(a.bias))]
        try:
            low = -a.bias
            for e in subs:
                values = scope.evaluate(e)
                if a.bias and values and (
                        min(values) < low or
                        max(values) >= a.elements - a.bias):
                    raise Reject
        except Reject:
            subs = [const(0) for _ in subs]
        if len(subs) == 1 and self.chance(5):
            self.feature("pointer arithmetic")
            return Expr("array", f"(*({a.name} + {{0}}))", subs, a.kind,
                        a.name)
        text = a.name + "".join(f"[{{{n}}}]" for n in range(len(subs)))
        return Expr("array", text, subs, a.kind, a.name)

    def fits(self, scope, e, size):
        try:
            values = scope.evaluate(e)
        except Reject:
            return False
        return all(0 <= v < s
                   for v, s in zip(values, self.whole(scope, size)))
