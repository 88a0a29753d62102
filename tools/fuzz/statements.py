"""Assignments, updates, and scalar temporaries."""

from fuzz.tree import FLOATS, SUFFIX, Assign, Declare, Expr, Loop, var


class Statements:
    """Part of generate.Generator, which has r, k, and chance."""

    def open_temporaries(self):
        self.temporaries.append([])

    def close_temporaries(self):
        self.temporaries.pop()

    def visible(self):
        return [t for level in self.temporaries for t in level]

    def statement(self, scope, loops):
        self.left -= 1
        result = []
        if self.chance(15):
            self.feature("scalar temporary")
            kind = self.element_value()
            name = self.name("s")
            result.append(Declare(kind, name, self.value(scope, kind, 2)))
            self.temporaries[-1].append((name, kind))
        carried = [t for level in self.temporaries[:-1] for t in level]
        if carried and self.chance(20):
            self.feature("scalar carried")
            name, kind = self.r.choice(carried)
            return result + [Assign(var(name, kind), "=",
                                    self.value(scope, kind, 1))]
        a = self.output(scope)
        target = self.access(scope, a, write=True)
        if self.chance(30):
            return result + [self.update(scope, a, target)]
        if self.chance(4 if self.simple else 12):
            self.feature("in place neighbours")
            value = self.stencil(scope, a)
        else:
            value = self.value(scope, a.kind, self.r.choice(
                (0, 1, 1, 2, 2, 3) if self.simple else (1, 2, 3, 4)))
        return result + [Assign(target, "=", value)]

    def output(self, scope):
        """An array to write to: in simple programs mostly one that has a
        dimension for each loop, if there is any."""
        if not self.simple or self.chance(20):
            return self.r.choice(self.outputs)
        loops = len(self.outer(scope))
        distance = [abs(loops - len(a.dims)) for a in self.outputs]
        return self.r.choice([a for a, d in zip(self.outputs, distance)
                              if d == min(distance)])

    def element_value(self):
        return self.r.choice([a.kind for a in self.k.arrays] + ["int"])

    def update(self, scope, a, target):
        self.feature("update")
        value = self.value(scope, a.kind, self.r.choice(
            (0, 1, 1, 2) if self.simple else (1, 2, 3)))
        if a.kind in FLOATS:
            return Assign(target, self.r.choice(("+=", "+=", "-=", "*=")),
                          value)
        wide = self.wide(a.kind)
        op = self.r.choice("++-*^|&")
        return Assign(target, "=", Expr(
            "value", f"({a.kind})(({wide}){{0}} {op} ({wide}){{1}})",
            [target, value], a.kind))

    def stencil(self, scope, a):
        reads = [self.access(scope, a) for _ in range(self.r.randint(2, 4))]
        if a.kind in FLOATS:
            text = " + ".join(f"{{{n}}}" for n in range(len(reads)))
            return Expr("value", f"({text}) * 0.25" +
                        SUFFIX[a.kind], reads, a.kind)
        wide = self.wide(a.kind)
        text = " + ".join(f"({wide}){{{n}}}" for n in range(len(reads)))
        return Expr("value", f"({a.kind})({text})", reads, a.kind)

    def accumulation(self, scope, loops):
        """s = 0; for (...) s += ...; a[...] = s;"""
        self.feature("scalar accumulation")
        kind = self.element_value()
        if kind not in FLOATS:
            kind = self.wide(kind)
        name = self.name("s")
        temporary = var(name, kind)
        start = self.value(scope, kind, 1)
        loop = self.loop(scope, 1, loops)
        if isinstance(loop[0], Loop):
            loop[0].body = [self.summand(s, temporary, kind)
                            for s in loop[0].body]
        a = self.output(scope)
        text = "{0}" if a.kind in FLOATS or kind not in FLOATS else \
            "({0} > 1)"
        final = Assign(self.access(scope, a, write=True), "=",
                       Expr("value", text, [temporary], a.kind))
        return [Declare(kind, name, start), *loop, final]

    def summand(self, s, temporary, kind):
        """An assignment to an array as one that adds to a scalar."""
        if not isinstance(s, Assign) or s.target.op != "array":
            return s
        integral = self.k_array(s.target).kind not in FLOATS
        text = "{0}" if kind in FLOATS else f"({kind})({{0}})" \
            if integral else "({0} > 0.5)"
        return Assign(temporary, "+=", Expr("value", text, [s.value], kind))

    def k_array(self, access):
        return next(a for a in self.k.arrays if a.name == access.value)
