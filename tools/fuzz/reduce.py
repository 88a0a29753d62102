"""Makes a failing program smaller while it still fails the same way."""

import time

from fuzz.tree import Assign, Declare, Expr, If, Loop, const

SECONDS = 240


def bodies(program):
    """All lists of statements, as (owner, attribute)."""
    found = []

    def visit(owner, field):
        found.append((owner, field))
        for s in getattr(owner, field):
            for name in s.bodies:
                visit(s, name)

    for k in program.kernels:
        visit(k, "body")
    return found


def slots(program):
    """All places of expressions, as (holder, key) with holder[key]."""
    found = []

    def visit(holder, key):
        e = get(holder, key)
        found.append((holder, key))
        for n in range(len(e.kids)):
            visit(e.kids, n)

    for owner, field in bodies(program):
        for s in getattr(owner, field):
            for name in s.expressions:
                if not (isinstance(s, Assign) and name == "target"):
                    visit(s, name)
                else:
                    for n in range(len(s.target.kids)):
                        visit(s.target.kids, n)
    return found


def get(holder, key):
    return holder[key] if isinstance(key, int) else getattr(holder, key)


def put(holder, key, value):
    if isinstance(key, int):
        holder[key] = value
    else:
        setattr(holder, key, value)


def edits(program):
    """Descriptions of edits, the largest first, as functions of a copy."""
    for n in reversed(range(len(program.kernels))):
        if len(program.kernels) > 1:
            yield lambda p, n=n: p.kernels.pop(n)
        for c in range(len(program.kernels[n].calls)):
            if len(program.kernels[n].calls) > 1:
                yield lambda p, n=n, c=c: p.kernels[n].calls.pop(c)
    places = bodies(program)
    for b, (owner, field) in enumerate(places):
        for n in reversed(range(len(getattr(owner, field)))):
            yield lambda p, b=b, n=n: getattr(*bodies(p)[b]).pop(n)
    for b, (owner, field) in enumerate(places):
        for n, s in enumerate(getattr(owner, field)):
            if isinstance(s, If):
                yield lambda p, b=b, n=n: unwrap(p, b, n, "body")
                yield lambda p, b=b, n=n: unwrap(p, b, n, "other")
            elif isinstance(s, Loop):
                yield lambda p, b=b, n=n: unwrap(p, b, n, "loop")
                if s.form != "for":
                    yield lambda p, b=b, n=n: setattr(
                        getattr(*bodies(p)[b])[n], "form", "for")
                if s.step not in (1, -1):
                    yield lambda p, b=b, n=n: setattr(
                        getattr(*bodies(p)[b])[n], "step", 1)
    for n, (holder, key) in enumerate(slots(program)):
        e = get(holder, key)
        for k in range(len(e.kids)):
            if e.op != "array":
                yield lambda p, n=n, k=k: replace(p, n, lambda e: e.kids[k])
        if e.op == "const":
            continue
        if e.op == "value" and e.text != "1":
            yield lambda p, n=n: replace(
                p, n, lambda e: Expr("value", "1", (), e.kind))
        elif e.op == "array":
            yield lambda p, n=n: replace(
                p, n, lambda e: Expr("value", "1", (), e.kind))
        elif e.op != "value":
            for value in (0, 1, 3):
                yield lambda p, n=n, value=value: replace(
                    p, n, lambda e: const(value))
    for n, a in enumerate(program.arrays):
        if a.offset or a.buffer != a.name:
            yield lambda p, n=n: separate(p.arrays[n])
        if a.restrict:
            yield lambda p, n=n: setattr(p.arrays[n], "restrict", False)
    if program.specials:
        yield lambda p: setattr(p, "specials", 0)


def separate(a):
    a.buffer, a.offset = a.name, 0


def replace(program, n, change):
    holder, key = slots(program)[n]
    put(holder, key, change(get(holder, key)))


def unwrap(program, b, n, what):
    owner, field = bodies(program)[b]
    body = getattr(owner, field)
    s = body[n]
    if what == "loop":
        body[n:n + 1] = [Declare(s.kind, s.name, s.start), *s.body]
    else:
        body[n:n + 1] = getattr(s, what)


def reduce(program, failure, oracle, seconds=SECONDS):
    """The smallest program found that fails like that, within the time."""
    end = time.monotonic() + seconds

    def fails(candidate):
        try:
            outcome = oracle.check(candidate, [failure.options])
            if not any(failure.same(f) for f in outcome.failures):
                return False
            return not oracle.undefined(candidate)
        except (RuntimeError, OSError):
            return False

    best = program
    changed = True
    while changed:
        changed = False
        skip = 0
        while time.monotonic() < end:
            edit = next((e for n, e in enumerate(edits(best)) if n == skip),
                        None)
            if edit is None:
                break
            candidate = best.copy()
            try:
                edit(candidate)
                text = candidate.kernel_text()
            except (IndexError, StopIteration, KeyError):
                skip += 1
                continue
            if text != best.kernel_text() and fails(candidate):
                best, changed = candidate, True
            else:
                skip += 1
    return best
