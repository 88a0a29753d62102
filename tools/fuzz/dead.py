"""Dead code: what is never executed must not change what a program does.

The parameter "never" is 0 in all calls.  Dead code below it may do anything
that compiles, so its subscripts need not be in range.  Loops with such code are
rarely offloaded, so mostly there is little of it, with counters as subscripts.
"""

import random

from fuzz.tree import FLOATS, Assign, Expr, If, Loop, const, var

# By how much a subscript may miss a counter: in most programs, in the others.
NEAR, FAR = 2, 40


def with_dead_code(program):
    """A copy of program with dead code in some places."""
    r = random.Random(f"dead {program.seed}")
    reach = FAR if r.random() < 0.3 else NEAR
    result = program.copy()
    for k in result.kernels:
        if not k.body:
            continue
        k.params.append(("never", "int"))
        for call in k.calls:
            call["never"] = 0
        for number in range(1 if reach == NEAR else r.randint(1, 3)):
            body, loops = place(r, k)
            body.insert(r.randint(0, len(body)),
                        dead(r, k, loops, f"never{number}", reach))
    return result


def place(r, kernel):
    """A body to put something in, and the loops around it."""
    places = []

    def visit(body, loops):
        places.append((body, loops))
        for s in body:
            inner = loops + [s] if isinstance(s, Loop) else loops
            for name in s.bodies:
                if isinstance(getattr(s, name), list) and getattr(s, name):
                    visit(getattr(s, name), inner)

    visit(kernel.body, [])
    return r.choice(places)


def dead(r, kernel, loops, name, reach):
    never = var("never", "int")
    indices = [var(loop.name, loop.kind) for loop in loops]
    own = var(name, "int")
    form = r.choice(("if", "loop", "if loop"))
    if form != "if":
        indices.append(own)
    statements = [assignment(r, kernel, indices or [const(3)], reach)
                  for _ in range(r.randint(1, 2))]
    if form == "if":
        return If(Expr("!=", "", (never, const(0))), statements)
    bound = never if form == "loop" else const(r.randint(1, 30))
    loop = Loop("for", "int", name, const(0), "<", bound, 1, statements)
    if form == "loop":
        return loop
    return If(Expr(">", "", (never, const(r.randint(0, 5)))), [loop])


def access(r, a, indices, reach):
    count = 1 if a.declared == "linear" else len(a.dims)
    subs = []
    for _ in range(count):
        i = r.choice(indices)
        if r.random() < 0.4:
            sign = "+" if reach == NEAR else r.choice("+-")
            i = Expr(sign, "", (i, const(r.randint(1, reach))), "int")
        subs.append(i)
    return Expr("array", a.name + "".join(f"[{{{n}}}]"
                                          for n in range(count)), subs,
                a.kind, a.name)


def assignment(r, kernel, indices, reach):
    arrays = kernel.arrays if reach == FAR else \
        [a for a in kernel.arrays if a.declared in ("1d", "fixed")] or kernel.arrays
    a = r.choice([a for a in arrays if not a.const] or kernel.arrays)
    b = r.choice(arrays)
    value = access(r, b, indices, reach)
    if a.kind not in FLOATS and b.kind in FLOATS:
        value = Expr("value", "({0} > 2)", [value], a.kind)
    return Assign(access(r, a, indices, reach), "=", value)
