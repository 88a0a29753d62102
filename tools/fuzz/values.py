"""Right-hand sides: random values of integer and floating types."""

from fuzz.tree import FLOATS, SIZES, SUFFIX, Expr, var


class Values:
    """Part of generate.Generator, which has r, k, chance, and access."""

    def wide(self, kind):
        return "unsigned" if SIZES[kind] <= 4 else "unsigned long long"

    def value(self, scope, kind, depth):
        """A value that can be assigned to kind."""
        if kind in FLOATS:
            return self.real(scope, kind, depth)
        e = self.integer(scope, self.wide(kind), depth)
        if self.chance(50):
            return Expr("value", f"({kind})({{0}})", [e], kind)
        return e

    def indirect(self, scope):
        """An element that another array's element selects."""
        integers = [a for a in self.k.arrays if a.kind not in FLOATS]
        flat = [a for a in self.k.arrays if len(a.dims) == 1 and not a.bias
                and a.elements >= 4 and a.dims[0].op == "const"]
        if not integers or not flat:
            return None
        self.feature("refused: indirect subscript")
        inner = self.access(scope, self.r.choice(integers))
        a = self.r.choice(flat)
        return Expr("array", a.name + "[{0}]", [
            Expr("value", "({0} & 3)", [inner])], a.kind, a.name), a.kind

    def leaf(self, scope):
        """(expression, type) of something in memory or a scalar."""
        r = self.r
        if self.chance(0.3 if self.simple else 1.5):
            found = self.indirect(scope)
            if found:
                return found
        if self.visible() and self.chance(30):
            name, kind = r.choice(self.visible())
            return var(name, kind), kind
        reads = [a for a in self.k.arrays if a not in self.outputs]
        if not reads or self.chance(5 if self.simple else 20):
            reads = self.k.arrays
        a = r.choice(reads)
        return self.access(scope, a), a.kind

    def real(self, scope, kind, depth):
        r = self.r
        suffix = SUFFIX[kind]
        if depth <= 0 or self.chance(10):
            what = self.pick(memory=75, const=12, iterator=8, far=5)
            if what == "const":
                return Expr("value", r.choice(
                    ("0.5", "1.25", "-0.75", "0.1", "3.0", "0.0")) + suffix,
                    (), kind)
            outer = self.outer(scope) or self.params()
            if what == "iterator":
                return Expr("value", f"({kind}){{0}}", [r.choice(outer)],
                            kind)
            e, other = self.leaf(scope)
            if other in FLOATS:
                return e
            scale = 2.0**-8 if SIZES[other] < 4 else 2.0**-30
            wide = "float" if kind == "_Float16" else kind
            return Expr("value", f"({wide}){{0}} * {scale}{suffix}", [e], kind)
        what = self.pick(sum=30, product=25, fma=15, quotient=6, select=5,
                         negative=4, root=3, absolute=3, compare=3, other=3)
        def a():
            return self.real(scope, kind, depth - 1)
        if what == "sum":
            return Expr("value", f"({{0}} {r.choice('+-')} {{1}})",
                        [a(), a()], kind)
        if what == "product":
            return Expr("value", "({0} * {1})", [a(), a()], kind)
        if what == "fma":
            self.feature("fma")
            return Expr("value", "({0} * {1} %s {2})" % r.choice("+-"),
                        [a(), a(), a()], kind)
        if what == "quotient":
            return Expr("value", "({0} / {1})", [a(), a()], kind)
        if what == "select":
            self.feature("select on data")
            return Expr("value", "({0} %s {1} ? {2} : {3})" % r.choice(
                ("<", ">", "<=", ">=", "==", "!=")),
                [a(), a(), *self.arms(a, kind)], kind)
        if what == "negative":
            return Expr("value", "(-({0}))", [a()], kind)
        if what == "root":
            self.feature("sqrt")
            return Expr("value", f"sqrt{suffix}(fabs{suffix}({{0}}))", [a()],
                        kind)
        if what == "absolute":
            call = r.choice(("fabs", "fabs", "floor", "ceil", "trunc"))
            self.feature(call)
            return Expr("value", f"{call}{suffix}({{0}})", [a()], kind)
        if what == "compare":
            return Expr("value", "({0} < {1})", [a(), a()], kind)
        other = r.choice([k for k in FLOATS if k != kind] + ["float"])
        return Expr("value", f"({kind})({{0}})",
                    [self.real(scope, other, depth - 1)], kind)

    def arms(self, make, kind):
        """What a condition on data selects from: mostly no memory, as reading
        that below such a condition is not affine."""
        if self.chance(10):
            return make(), make()
        names = [var(name, other) for name, other in self.visible()
                 if (other in FLOATS) == (kind in FLOATS)]
        return tuple(
            self.r.choice(names) if names and self.chance(50) else
            Expr("value", f"({kind}){self.r.randint(1, 9)}", (), kind)
            for _ in range(2))

    def integer(self, scope, wide, depth):
        """An expression of the unsigned type wide."""
        r = self.r
        signed = "int" if wide == "unsigned" else "long long"
        if depth <= 0 or self.chance(10):
            what = self.pick(memory=78, const=10, iterator=12)
            if what == "const":
                number = r.choice((1, 2, 3, 7, 255, 1000, 65535, 123456789))
                return Expr("value", f"({wide}){number}u", (), wide)
            if what == "iterator":
                return Expr("value", f"({wide}){{0}}", [r.choice(
                    self.outer(scope) or self.params())], wide)
            e, other = self.leaf(scope)
            if other in FLOATS:
                return Expr("value", f"({wide})({{0}} {r.choice('<>')} 0.5)",
                            [e], wide)
            return Expr("value", f"({wide}){{0}}", [e], wide)
        what = self.pick(arithmetic=45, logic=15, shift=8, arithmetic_shift=5,
                         divide=5, signed_divide=4, modulo=4, select=5,
                         signed_select=5, invert=3, variable_shift=2)
        def a():
            return self.integer(scope, wide, depth - 1)
        if what == "arithmetic":
            return Expr("value", "({0} %s {1})" % r.choice("+-*"),
                        [a(), a()], wide)
        if what == "logic":
            return Expr("value", "({0} %s {1})" % r.choice("&|^"),
                        [a(), a()], wide)
        if what == "shift":
            return Expr("value", "({0} %s %d)" % (r.choice(("<<", ">>")),
                                                  r.randint(1, 31)), [a()],
                        wide)
        if what == "arithmetic_shift":
            return Expr("value", f"({wide})(({signed}){{0}} >> "
                        f"{r.randint(1, 31)})", [a()], wide)
        if what == "divide":
            return Expr("value", f"({{0}} / {r.randint(2, 9)}u)", [a()], wide)
        if what == "modulo":
            return Expr("value", f"({{0}} % {r.randint(2, 99)}u)", [a()],
                        wide)
        if what == "signed_divide":
            return Expr("value", f"({wide})(({signed}){{0}} "
                        f"{r.choice('/%')} {r.choice((2, 3, 7, -5, 8))})",
                        [a()], wide)
        if what == "select":
            self.feature("select on data")
            return Expr("value", "({0} %s {1} ? {2} : {3})" % r.choice(
                ("<", ">", "==", "!=")),
                [a(), a(), *self.arms(a, wide)], wide)
        if what == "signed_select":
            return Expr("value", f"(({signed}){{0}} < ({signed}){{1}} ? "
                        "{2} : {3})", [a(), a(), *self.arms(a, wide)], wide)
        if what == "variable_shift":
            return Expr("value", "({0} << ({1} & 15))", [a(), a()], wide)
        return Expr("value", "(~({0}))", [a()], wide)
