"""Random affine programs, free of undefined behaviour by construction."""

import random

from fuzz.tree import (COMPARISONS, FLOATS, RANGES, SIZES, Array, Assign,
                       Break, Declare, Expr, If, Kernel, Loop, Program, Reject,
                       Scope, binary, const, promoted, var)
from fuzz.values import Values

MAX_POINTS = 9000  # instances of one statement
MAX_ELEMENTS = 6000
INTEGERS = ("char", "signed char", "unsigned char", "short",
            "unsigned short", "int", "unsigned",
            "long", "unsigned long", "long long",
            "unsigned long long")


class Generator(Values):
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
        self.floating = self.pick(float=35, double=25, mixed=15, int=25)
        self.extent = r.choice((7, 12, 12, 20, 20, 33, 33, 150))
        # Most programs are simple, so that most run on the device; the others
        # mix everything.
        self.simple = self.chance(80)
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
        self.feature(f"type {kind}")
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
        self.alias()
        self.outputs = r.sample(k.arrays, min(len(k.arrays),
                                              r.choice((1, 1, 2, 2, 3))))
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
        self.program.kernels.append(k)

    def depth(self):
        if self.extent > 100:
            return self.r.choice((1, 1, 2))
        return self.r.choice((1, 2, 2, 3) if self.simple
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

    # ---- Arrays ---------------------------------------------------------

    def array(self):
        r, k = self.r, self.k
        name = self.name("abcdeghuvwx"[r.randrange(11)])
        kind = self.element_kind()
        rank = r.choice((1, 1, 2, 2, 2, 3)) if self.extent < 100 else 1
        declared = "1d" if rank == 1 else self.pick(fixed=45, vla=25,
                                                    linear=30)
        storage = "pointer" if declared in ("vla", "linear") else \
            self.pick(pointer=58, extern=25, own=14, local=3)
        self.feature(f"array {declared} {storage}")
        slack = r.choice((0, 2, 4))
        if declared in ("vla", "linear"):
            dims = [self.parametric_dim() for _ in range(rank)]
            if declared == "linear" and self.chance(30):
                dims = [const(self.extent + slack, "int") for _ in dims]
            elements = 0
            for call in range(self.top.count):
                size = 1
                for d in dims:
                    size *= self.top.evaluate(d)[call]
                elements = max(elements, size)
        else:
            each = {1: self.extent * r.choice((1, 2, 3)),
                    2: self.extent, 3: min(self.extent, 14)}[rank] + slack
            dims = [const(each + r.choice((0, 0, 1))) for _ in range(rank)]
            elements = 1
            for d in dims:
                elements *= d.value
        if elements > 3 * MAX_ELEMENTS:
            return
        a = Array(name, kind, storage, declared, dims, elements)
        if storage == "pointer" and declared != "vla":
            a.restrict = self.chance(25)
            if declared in ("1d", "linear") and self.chance(12):
                a.bias = r.randint(1, max(1, min(elements, 40)))
                self.feature("negative subscript")
            a.const = self.chance(30)
            if a.restrict:
                self.feature("restrict")
        k.arrays.append(a)
        self.program.arrays.append(a)

    def parametric_dim(self):
        name, kind = self.r.choice([p for p in self.k.params
                                    if p[0] != "huge"])
        d = var(name, kind)
        least = min(self.top.columns[name])
        if least < 1 or self.chance(30):
            d = binary("+", d, const(self.r.choice((1, 2, 3))))
        return d

    def alias(self):
        """Lets two pointers of a kernel point into one buffer."""
        pairs = [(a, b) for a in self.k.arrays for b in self.k.arrays
                 if a is not b and a.storage != "local" and
                 b.storage == "pointer" and not a.restrict and
                 not b.restrict and (
                     a.kind == b.kind or
                     a.kind.replace("un", "") == b.kind.replace("un", "") or
                     SIZES[b.kind] == 1 and a.kind not in FLOATS)]
        if not pairs or not self.chance(35):
            return
        a, b = self.r.choice(pairs)
        if a.buffer != a.name or any(c.buffer == b.name and c is not b
                                     for c in self.k.arrays):
            return
        size = SIZES[b.kind]
        most = a.elements * SIZES[a.kind] // size
        places = [0, 0, 1, 3, self.r.randint(0, most)]
        if a.storage == "pointer":
            places.append(most)
        elif b.elements > most:
            return
        else:
            places = [0, self.r.randint(0, most - b.elements)]
        b.buffer, b.offset = a.name, size * self.r.choice(places)
        if a.storage != "pointer":
            b.offset = min(b.offset, size * (most - b.elements))
        self.feature("aliased" if a.kind == b.kind else
                     "aliased with another type")
        if a.storage != "pointer":
            self.feature("global aliased")

    # ---- Loops ----------------------------------------------------------

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
        if imperfect:
            self.feature("imperfect")
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
        for _ in range(30):
            try:
                return self.try_loop(scope, depth, loops)
            except Reject:
                pass
        return self.guarded(scope, loops)

    def try_loop(self, scope, depth, loops):
        r = self.r
        kind = self.iterator_kind_quiet()
        start = self.lower(scope)
        bound = self.upper(scope)
        step = 1 if self.chance(90 if self.simple else 75) else \
            r.choice((2, 2, 3, 5))
        form = self.pick(**{"for": 91, "while": 4, "do": 4, "outside": 3})
        down = self.chance(12)
        found = set()
        if step > 1:
            found.add("stride")
        far = 0
        if self.chance(2):
            far = RANGES[kind][r.choice((0, 1, 1))]
            if abs(far) < 2**15:
                far = 0
        if far:
            count = r.randint(1, self.extent)
            start = const_of(far - count if far > 0 else far, kind)
            bound = const_of(far - 1 if far > 0 else far + count, kind)
            down, relation = False, "<="
            if far < 0:
                relation = "<"
            found.add("near overflow")
        elif down:
            start, bound = binary("-", bound, const(1)), start
            step, relation = -step, ">="
            found.add("negative step")
            if self.chance(30):
                bound, relation = binary("-", bound, const(1)), ">"
        else:
            relation = "<"
            if self.chance(20) and not (self.simple and step > 1):
                relation = "<="
                found.add("<=")
            elif step == 1 and self.chance(4):
                relation = "!="
                found.add("!=")
        lows, highs = scope.evaluate(start), scope.evaluate(bound)
        low, high = RANGES[kind]
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
            if not low <= after <= high or (
                    RANGES[promoted(kind)][0] == 0 and after < 0):
                raise Reject
            rows.append(row)
            ends.append([after])
        total = sum(map(len, rows))
        if total > MAX_POINTS // (3 ** (depth - 1)):
            raise Reject
        if scope.count and total == 0:
            if not self.chance(3):
                raise Reject
            found.add("zero-trip")
        elif total <= len(rows) and scope.count:
            if not self.chance(10):
                raise Reject
            found.add("one-trip")
        for e in (start, bound):
            names = {k.text for k in e.walk() if k.op == "var"}
            if names & {loop.name for loop in loops}:
                found.add("triangular")
            if names & {name for name, _ in self.k.params}:
                found.add("parametric bound")
            if any(k.op in ("min", "max") for k in e.walk()):
                found.add("min/max bound")
            if any(k.op in ("/", "%") for k in e.walk()):
                found.add("division in bound")
        if form == "outside":
            found.add("counter used after loop")
        elif form != "for":
            found.add(form + " loop")
        name = self.name("ijklmpq"[len(loops)])
        for feature in found:
            self.feature(feature)
        self.feature(f"iterator {kind}")
        loop = Loop(form, kind, name, start, relation, bound, step, [])
        inner = scope.extended(name, kind, rows)
        inner.far = getattr(scope, "far", {})
        if far:
            inner.far = {**inner.far, name: start if far > 0 else start}
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

    def iterator_kind_quiet(self):
        before = set(self.program.features)
        kind = self.iterator_kind()
        self.program.features = before
        return kind

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

    # ---- Guards ---------------------------------------------------------

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
        for _ in range(10):
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

    # ---- Affine expressions ---------------------------------------------

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
        for attempt in range(14):
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

    # ---- Statements -----------------------------------------------------

    def open_temporaries(self):
        self.temporaries.append([])

    def close_temporaries(self):
        self.temporaries.pop()

    def visible(self):
        return [t for level in self.temporaries for t in level]

    def statement(self, scope, loops):
        self.program.instances += scope.count
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
        a = self.r.choice(self.outputs)
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
                        ("f" if a.kind == "float" else ""), reads, a.kind)
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
        outputs, self.outputs = self.outputs, self.outputs
        loop = self.loop(scope, 1, loops)
        if isinstance(loop[0], Loop) and loop[0].kind in RANGES:
            last = loop[0]
            inner = getattr(last, "scope", None)
            values = [s for s in last.body if isinstance(s, Assign) and
                      s.target.op == "array"]
            for s in values:
                value = s.value
                a = self.k_array(s.target)
                text = "{0}" if kind in FLOATS else f"({kind})({{0}})" \
                    if a.kind not in FLOATS else "({0} > 0.5)"
                last.body[last.body.index(s)] = Assign(
                    temporary, "+=", Expr("value", text, [value], kind))
            del inner
        self.outputs = outputs
        a = self.r.choice(self.outputs)
        text = "{0}" if a.kind in FLOATS or kind not in FLOATS else \
            "({0} > 1)"
        final = Assign(self.access(scope, a, write=True), "=",
                       Expr("value", text, [temporary], a.kind))
        return [Declare(kind, name, start), *loop, final]

    def k_array(self, access):
        return next(a for a in self.k.arrays if a.name == access.value)


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


def generate(seed):
    """The program of a seed, always the same one."""
    for attempt in range(20):
        try:
            p = Generator(seed * 100 + attempt).generate()
        except Reject:
            continue
        p.seed = seed
        if p.used_arrays():
            return p
    raise RuntimeError(f"no program for seed {seed}")
