"""Loops: nests, counters, bounds, and time loops."""

from fuzz.tree import (RANGES, Array, Assign, Break, Expr, Loop, Reject,
                       binary, common, const, var)

MAX_POINTS = 9000  # instances of one statement of a simple program
FEW_POINTS = 1500  # of one that mixes everything


class Loops:
    """Part of generate.Generator, which has r, k, top, and chance."""

    def initialise(self):
        """Loops that set all elements of the local arrays."""
        result = []
        for a in self.k.arrays:
            if a.storage != "local":
                continue
            subs = [var(self.name("z"), "int") for _ in a.dims]
            text = a.name + "".join(f"[{{{n}}}]" for n in range(len(subs)))
            value = " + ".join(f"{n + 1} * {{{n}}}" for n in range(len(subs)))
            body = [Assign(Expr("array", text, subs, a.kind, a.name), "=",
                           Expr("value", f"{value} - 5", subs, a.kind))]
            for i, d in reversed(list(zip(subs, a.dims))):
                body = [Loop("for", "int", i.text, const(0), "<", d, 1, body)]
            result += body
        return result

    def keep_locals(self):
        """Most of the local arrays are copied out at the end: else nobody
        reads what loops write to them, and the compiler removes these."""
        self.late, result = [], []
        for a in self.k.arrays:
            if a.storage != "local" or not self.chance(80) or \
                    a.name in self.unset:
                continue
            self.feature("local array copied out")
            out = Array(self.name("o"), a.kind, "pointer", "1d",
                        [const(a.elements)], a.elements)
            self.late.append(out)
            subs = [var(self.name("z"), "int") for _ in a.dims]
            place = subs[0]
            for d, i in zip(a.dims[1:], subs[1:]):
                place = binary("+", binary("*", place, d), i)
            body = [Assign(
                Expr("array", out.name + "[{0}]", [place], a.kind, out.name),
                "=", Expr("array", a.name + "".join(
                    f"[{{{n}}}]" for n in range(len(subs))), subs, a.kind,
                    a.name))]
            for i, d in reversed(list(zip(subs, a.dims))):
                body = [Loop("for", "int", i.text, const(0), "<", d, 1, body)]
            result += body
        return result

    def time_loop(self, nests):
        self.feature("time loop")
        r = self.r
        kind = self.iterator_kind()
        name = self.name("t")
        steps = r.randint(2, 4)
        scope = self.top.extended(name, kind,
                                  [range(steps)] * self.top.count)
        body = []
        for _ in range(nests):
            body += self.nest(scope, r.choice((1, 2, 2, 3)))
        bound = const(steps)
        return [Loop("for", kind, name, const(0), "<", bound, 1, body)]

    def iterator_kind(self):
        kind = self.pick(index=500 if self.simple else 70, int=14, long=4,
                         unsigned=3, size_t=3, short=2, uchar=1, schar=1,
                         ushort=1, longlong=1)
        kind = {"index": self.index, "uchar": "unsigned char",
                "schar": "signed char", "ushort": "unsigned short",
                "longlong": "long long"}.get(kind, kind)
        self.feature(f"iterator {kind}")
        return kind

    def nest(self, scope, depth):
        self.feature(f"depth {depth}")
        return self.body(scope, depth, [])

    def body(self, scope, depth, loops):
        """depth more loops, with statements around them if imperfect."""
        r = self.r
        if depth == 0:
            self.open_temporaries()
            result = []
            count = max(1, min(self.left, r.choice((1, 1, 1, 2, 2, 3))))
            if count > 1:
                self.feature("several statements")
            for _ in range(count):
                result += self.guarded(scope, loops)
            self.close_temporaries()
            return result
        result = []
        imperfect = loops and self.left > 1 and self.chance(25)
        self.open_temporaries()
        accumulate = depth == 1 and loops and self.chance(15)
        if accumulate:
            result += self.accumulation(scope, loops)
        else:
            if imperfect and self.chance(60):
                result += self.guarded(scope, loops)
            result += self.loop(scope, depth, loops)
            if imperfect and self.chance(60):
                result += self.guarded(scope, loops)
            if imperfect and self.chance(30):
                result += self.loop(scope, r.randint(1, depth), loops)
        self.close_temporaries()
        if self.chance(8):
            return self.guard(scope, lambda inner: result, result)
        return result

    def loop(self, scope, depth, loops):
        before = set(self.program.features)
        for _ in range(30):
            try:
                return self.try_loop(scope, depth, loops)
            except Reject:
                self.program.features = set(before)
        return self.guarded(scope, loops)

    def try_loop(self, scope, depth, loops):
        kind = self.iterator_kind()
        start, bound = self.lower(scope), self.upper(scope)
        step = 1 if self.chance(90 if self.simple else 75) else \
            self.r.choice((2, 2, 3, 5))
        form = self.pick(**{"for": 91, "while": 4, "do": 4, "outside": 3})
        start, relation, bound, step, far = self.direction(
            start, bound, step, kind)
        rows, ends = self.trips(scope, start, relation, bound, step, kind)
        self.check_trips(scope, rows, depth)
        if form != "for":
            self.feature("counter used after loop" if form == "outside"
                         else form + " loop")
        name = self.name("ijklmpq"[len(loops)])
        loop = Loop(form, kind, name, start, relation, bound, step, [])
        self.bound_features(loop, loops)
        inner = scope.extended(name, kind, rows)
        inner.far = getattr(scope, "far", {})
        if far:
            inner.far = {**inner.far, name: start}
        loop.body = self.body(inner, depth - 1, loops + [loop])
        if form == "outside":
            self.open_temporaries()
            last = scope.extended(name, kind, ends)
            last.far = inner.far
            loop.tail = self.statement(last, loops)
            self.close_temporaries()
        if loops and self.chance(0.5 if self.simple else 3):
            self.feature("refused: break on data")
            loop.body.insert(self.r.randint(0, len(loop.body)),
                             Break(self.data_condition(inner)))
        return [loop]

    def direction(self, start, bound, step, kind):
        """(start, relation, bound, step, far): upwards, downwards, or far
        away, at an end of the counter's type."""
        r = self.r
        down = self.chance(12)
        if step > 1:
            self.feature("stride")
        if self.chance(2):
            far = RANGES[kind][r.choice((0, 1, 1))]
            if abs(far) >= 2**15:
                count = r.randint(1, self.extent)
                self.feature("near overflow")
                if far > 0:
                    return (const_of(far - count, kind), "<=",
                            const_of(far - 1, kind), step, True)
                return (const_of(far, kind), "<", const_of(far + count, kind),
                        step, True)
        if down:
            self.feature("negative step")
            start, bound = binary("-", bound, const(1)), start
            if self.chance(30):
                return start, ">", binary("-", bound, const(1)), -step, False
            return start, ">=", bound, -step, False
        relation = "<"
        if self.chance(20) and not (self.simple and step > 1):
            relation = "<="
        elif step == 1 and self.chance(4):
            relation = "!="
        if relation != "<":
            self.feature(relation)
        return start, relation, bound, step, False

    def trips(self, scope, start, relation, bound, step, kind):
        """For each point the counter's values in the loop, and after it."""
        lows, highs = scope.evaluate(start), scope.evaluate(bound)
        low, high = RANGES[kind]
        unsigned = RANGES[common(kind, bound.kind)][0] == 0
        if scope.count and (min(lows) < low or max(lows) > high):
            raise Reject
        self.comparable(scope, start, bound, kind)
        rows, ends = [], []
        for a, b in zip(lows, highs):
            if relation == "!=" and a > b:
                raise Reject
            end = {"<": b, "<=": b + 1, "!=": b, ">=": b - 1, ">": b}[relation]
            if abs(end - a) > 10 * MAX_POINTS:
                raise Reject
            row = range(a, end, step)
            after = a + len(row) * step
            if not low <= after <= high or (unsigned and after < 0):
                raise Reject
            rows.append(row)
            ends.append([after])
        return rows, ends

    def check_trips(self, scope, rows, depth):
        total = sum(map(len, rows))
        most = MAX_POINTS if self.simple else FEW_POINTS
        if total > max(most // (3 ** (depth - 1)), scope.count):
            raise Reject
        if scope.count and total == 0:
            if not self.chance(3):
                raise Reject
            self.feature("zero-trip")
        elif total <= len(rows) and scope.count:
            if not self.chance(10):
                raise Reject
            self.feature("one-trip")

    def bound_features(self, loop, loops):
        for e in (loop.start, loop.bound):
            names = {k.text for k in e.walk() if k.op == "var"}
            if names & {outer.name for outer in loops}:
                self.feature("triangular")
            if names & {name for name, _ in self.k.params}:
                self.feature("parametric bound")
            if any(k.op in ("min", "max") for k in e.walk()):
                self.feature("min/max bound")
            if any(k.op in ("/", "%") for k in e.walk()):
                self.feature("division in bound")

    def comparable(self, scope, start, bound, kind):
        """Rejects i < bound where the conversion changes a value."""
        whole = binary("-", var("i", kind), bound)
        if RANGES[whole.kind][0] == 0:
            for e in (start, bound):
                values = scope.evaluate(e)
                if values and min(values) < 0:
                    raise Reject

    def outer(self, scope):
        names = [n for n in scope.columns
                 if n not in self.top.columns and
                 n not in getattr(scope, "far", {})]
        return [var(n, scope.kinds[n]) for n in names]

    def params(self):
        return [var(n, kind) for n, kind in self.k.params
                if n != "huge" or self.chance(20)] or [const(3)]

    def lower(self, scope):
        r = self.r
        outer = self.outer(scope)
        what = self.pick(zero=200 if self.simple else 50, one=15, const=10,
                         outer=12, max=4, param=2, negative=3, divided=3)
        if what in ("outer", "max", "divided") and not outer:
            what = "one"
        if what == "zero":
            return const(0)
        if what == "one":
            return const(r.choice((1, 1, 2)))
        if what == "const":
            return const(r.randint(0, 6))
        if what == "negative":
            return const(-r.randint(1, 4))
        if what == "param":
            return binary("/", r.choice(self.params()), const(2))
        e = r.choice(outer)
        if what == "max":
            return binary("max", binary("-", e, const(r.randint(0, 3))),
                          const(r.randint(0, 5)))
        if what == "divided":
            return binary("/", e, const(r.randint(2, 4)))
        shift = r.choice((0, 0, 1, 1, 2, -1))
        return binary("+", e, const(shift)) if shift else e

    def upper(self, scope):
        r = self.r
        outer = self.outer(scope)
        what = self.pick(param=150 if self.simple else 42, less=13, const=20,
                         outer=12, min=5, divided=3, twice=2, sum=3)
        if what in ("outer", "min", "sum") and not outer:
            what = "param"
        n = r.choice(self.params())
        if what == "param":
            return n
        if what == "less":
            return binary("-", n, const(r.choice((1, 1, 2))))
        if what == "const":
            return const(r.randint(1, self.extent))
        if what == "divided":
            return binary("/", n, const(r.randint(2, 3)))
        if what == "twice":
            return binary("*", const(2), n)
        e = r.choice(outer)
        if what == "sum":
            return binary("-" if self.chance(50) else "+", n, e)
        if "huge" in self.top.columns and self.chance(25):
            return binary("min", n, var("huge", self.top.kinds["huge"]))
        if what == "min":
            return binary("min", binary("+", e, const(r.randint(1, 6))), n)
        return binary("+", e, const(r.choice((0, 1, 1, 2, 4))))


def const_of(value, kind):
    e = const(value)
    if -2**31 < value < 2**31:
        return e
    text = {"int": "{}", "unsigned": "{}u", "long": "{}L", "size_t": "{}UL",
            "long long": "{}LL"}[kind].format(value)
    low = RANGES[kind][0]
    if value == low:
        tail = "LL" if kind == "long long" else "L" if kind == "long" else ""
        text = f"(-{-low - 1}{tail} - 1)"
    elif value < 0:
        text = f"({text})"
    return Expr("const", text, (), kind, value)
