"""Conditions around statements."""

from fuzz.tree import COMPARISONS, FLOATS, Expr, If, Reject, binary, const


class Guards:
    """Part of generate.Generator, which has r, extent, and chance."""

    def data_condition(self, scope):
        e, kind = self.leaf(scope)
        number = "0.3f" if kind in FLOATS else "3"
        self.open_temporaries()
        self.close_temporaries()
        return Expr("value", f"{{0}} {self.r.choice('<>')} {number}", [e])

    def guarded(self, scope, loops):
        if self.chance(0.5 if self.simple else 3):
            self.feature("refused: guard on data")
            condition = self.data_condition(scope)
            self.open_temporaries()
            body = self.statement(scope, loops)
            self.close_temporaries()
            return [If(condition, body)]
        if self.chance(15):
            return self.guard(scope,
                              lambda inner: self.statement(inner, loops))
        return self.statement(scope, loops)

    def guard(self, scope, make, body=None):
        before = set(self.program.features)
        for _ in range(10):
            self.program.features = set(before)
            try:
                condition = self.condition(scope)
                values = scope.evaluate(condition)
                if body is None and scope.count and (
                        not any(values) and not self.chance(5)):
                    continue
            except Reject:
                continue
            self.feature("guard")
            if any(k.op == "%" for k in condition.walk()):
                self.feature("modulo in guard")
            if any(k.op == "/" for k in condition.walk()):
                self.feature("division in guard")
            inner = scope.filtered(values)
            inner.far = getattr(scope, "far", {})
            self.open_temporaries()
            then = make(inner)
            self.close_temporaries()
            other = []
            if body is None and self.chance(25):
                self.feature("else")
                rest = scope.filtered([not v for v in values])
                rest.far = getattr(scope, "far", {})
                self.open_temporaries()
                other = make(rest)
                self.close_temporaries()
            return [If(condition, then, other)]
        self.program.features = before
        return body if body is not None else make(scope)

    def condition(self, scope):
        r = self.r
        a = self.affine(scope)
        sign = r.choice(COMPARISONS)
        if self.chance(25):
            a = binary("%", a, const(r.randint(2, 5)))
            sign = r.choice(("==", "!=", "<"))
            b = const(r.randint(0, 2))
        elif self.chance(45):
            b = const(r.randint(0, self.extent))
        else:
            b = self.affine(scope)
        result = binary(sign, a, b)
        if self.chance(15):
            op = r.choice(("&&", "||"))
            self.feature("guard " + op)
            result = binary(op, result, self.condition(scope))
        return result
