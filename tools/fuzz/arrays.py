"""Arrays of a kernel: types, sizes, storage, and aliases."""

from fuzz.tree import FLOATS, SIZES, Array, binary, const, var

MAX_ELEMENTS = 6000


class Arrays:
    """Part of generate.Generator, which has r, k, top, chance, and name."""

    def array(self):
        r, k = self.r, self.k
        name = self.name("abcdeghuvwx"[r.randrange(11)])
        kind = self.element_kind()
        rank = r.choice((1, 1, 2, 2, 2, 3)) if self.extent < 100 else 1
        declared = "1d" if rank == 1 else self.pick(fixed=45, vla=25,
                                                    linear=30)
        storage = "pointer" if declared in ("vla", "linear") else \
            self.pick(pointer=58, extern=25, own=14, local=3)
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
