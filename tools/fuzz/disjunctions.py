"""Conditions in which remainders meet alternatives: as text, and put around
statements of finished programs."""

import random

from fuzz.tree import (Assign, Break, Expr, If, Loop, Switch, binary, const,
                       var)


def remainder(r, a):
    """A comparison of a remainder, quotient, mask or shift of the text a."""
    m = r.randint(2, 5)
    return r.choice((
        f"{a} % {m} == {r.randrange(m)}", f"{a} % {m} != {r.randrange(m)}",
        f"{a} % {m} < {r.randint(1, m - 1)}", f"{a} % {m} == 0",
        f"{a} / {m} % 2 == {r.randrange(2)}", f"{a} / {m} < {r.randint(1, 4)}",
        f"({a} & {r.choice((1, 3))}) == {r.randrange(2)}",
        f"({a} & {r.choice((1, 3, 7))}) <= 1",
        f"(({a} >> 1) & 1) == {r.randrange(2)}",
        f"({a} >> {r.randint(1, 2)}) > {r.randint(0, 3)}"))


def plain(r, names):
    a, b = r.choice(names), r.choice(names)
    if a != b and r.random() < 0.4:
        return f"{a} {r.choice(('<', '<=', '>', '==', '!='))} {b}"
    return f"{a} {r.choice(('<', '<=', '>', '>=', '==', '!='))} " \
        f"{r.randint(0, 12)}"


def joined(r, names, level=0):
    """A condition on counters: mostly a disjunction with a remainder."""
    one = remainder(r, r.choice((*names, *names, f"({names[0]} + "
                                              f"{names[-1]})")))
    form = r.randrange(8 if level < 2 else 3)
    if form < 3:
        other = plain(r, names) if r.random() < 0.7 else \
            remainder(r, r.choice(names))
        return f"({one} || {other})"
    if form == 3:
        return f"(({one} && {plain(r, names)}) || {plain(r, names)})"
    if form == 4:
        return f"({plain(r, names)} && {joined(r, names, level + 1)})"
    if form == 5:
        return f"(!{joined(r, names, level + 1)})"
    if form == 6:
        return f"({joined(r, names, level + 1)} || {plain(r, names)})"
    return f"({one})"


def marks(condition):
    """The names of features of a condition."""
    ops = {e.op for e in condition.walk()}
    found = {"mask in guard"} if "&" in ops else set()
    if ">>" in ops:
        found.add("shift in guard")
    if "||" in ops and ops & {"%", "/", "&", ">>"}:
        found.add("remainder under ||")
    return found


class Disjunctions:
    """Part of generate.Generator, which has r, k, and chance."""

    def add_disjunctions(self, number):
        """With choices of its own, so that all others stay what they are.  An
        assignment to an array that runs less often leaves every subscript in
        range."""
        usual, self.r = self.r, random.Random(
            f"disjunctions {self.program.seed} {number}")
        if self.chance(20):
            places = self.places(self.k.body, [])
            for body, loops, s in self.r.sample(places, min(
                    len(places), self.r.choice((1, 1, 2)))):
                self.put_around(body, loops, s)
        self.r = usual

    def places(self, body, loops):
        """(body, counters around it, assignment to an array that is not the
        kernel's own)."""
        found = []
        own = {a.name for a in self.k.arrays if a.storage == "local"}
        for s in body:
            inner = loops + [s] if isinstance(s, Loop) else loops
            for name in s.bodies:
                if name != "tail":
                    found += self.places(getattr(s, name), inner)
            if loops and isinstance(s, Assign) and s.target.op == "array" \
                    and s.target.value not in own:
                found.append((body, loops, s))
        return found

    def put_around(self, body, loops, s):
        at = next(n for n, other in enumerate(body) if other is s)
        form = self.pick(then=40, other=20, next=25, switch=15)
        if form == "next" and body is loops[-1].body and \
                loops[-1].form == "for":
            body.insert(at, Break(self.disjunction(loops), "continue"))
        elif form == "switch":
            m = self.r.randint(2, 4)
            i = loops[-1]
            selector = binary("%", var(i.name, i.kind), const(m))
            labels = [*self.r.sample(range(m), self.r.randint(1, m - 1))]
            parts = [(labels, [s]), ([None], [])]
            if self.chance(40):
                parts = [(labels, []), ([None], [s])]
            body[at] = Switch(selector, parts)
        elif form == "other":
            body[at] = If(self.disjunction(loops), [], [s])
        else:
            body[at] = If(self.disjunction(loops), [s])

    def disjunction(self, loops):
        """A condition that C defines whatever the counters are."""
        def one():
            i = self.r.choice(loops)
            m, i = self.r.randint(2, 5), var(i.name, i.kind)
            what = self.pick(remainder=5, quotient=2, mask=2, shift=1)
            if what == "quotient":
                return binary("<", binary("/", i, const(m)), const(m))
            e = binary("%", i, const(m)) if what == "remainder" else \
                binary("&", i, const(self.r.choice((1, 3)))) \
                if what == "mask" else \
                binary("&", binary(">>", i, const(1)), const(1))
            return binary(self.r.choice(("==", "==", "!=", "<=")), e,
                          const(self.r.randint(0, 1)))

        i = self.r.choice(loops)
        result = binary("||", one(), self.r.choice((one, lambda: binary(
            self.r.choice(("<", "==", ">", "!=")), var(i.name, i.kind),
            const(self.r.randint(0, 9)))))())
        if self.chance(30):
            result = binary("&&", result, one())
        if self.chance(20):
            result = Expr("==", "", (result, const(0)), "int")
        return result
