"""Features that are read off a finished program; the generator names those
that it knows best itself."""

from fuzz.tree import If, Loop, statements


def features(program):
    found = set()
    for a in program.used_arrays():
        found |= {f"type {a.kind}", f"array {a.declared} {a.storage}"}
        if a.declared != "1d" and len(a.dims) > 1:
            found.add(f"{len(a.dims)} dimensions")
    program.kernel_text()  # notes which arrays are written
    for k in program.kernels:
        names = k.used()
        pointers = [a for a in k.arrays if a.name in names and
                    a.storage == "pointer" and not a.restrict]
        if len(pointers) > 1 and any(a.written for a in pointers):
            found.add("pointers that may alias")
        for s in statements(k.body):
            if isinstance(s, Loop):
                found |= of_loop(s)
            for name in s.expressions:
                for e in getattr(s, name).walk():
                    if e.op == "array" and any(map(neighbour, e.kids)):
                        found.add("neighbour access")
        if any(isinstance(s, Loop) and is_perfect(s) for s in k.body):
            found.add("perfect nest")
    return found


def of_loop(loop):
    found = set()
    if all(e.op == "const" for e in (loop.start, loop.bound)):
        found.add("constant bounds")
    inner = [s for s in loop.body if isinstance(s, Loop)]
    if inner and len(loop.body) > 1:
        found.add("imperfect nest")
    if len(inner) > 1:
        found.add("loops beside each other in a loop")
    return found


def is_perfect(loop):
    """At least two loops, and nothing between them."""
    body = loop.body
    if len(body) != 1 or not isinstance(body[0], Loop):
        return False
    inner = body[0].body
    return is_perfect(body[0]) or not any(
        isinstance(s, (Loop, If)) for s in inner)


def neighbour(e):
    """Is e a counter plus or minus a constant?"""
    return e.op in ("+", "-") and e.kids[0].op == "var" and \
        e.kids[1].op == "const" or e.op in ("+", "-") and \
        any(map(neighbour, e.kids))
