"""Features that are read off a finished program; the generator names those
that it knows best itself."""

from fuzz.disjunctions import marks
from fuzz.shape_names import PARTS
from fuzz.shapes import SHAPES
from fuzz.skeletons import RULES, SKELETONS
from fuzz.tree import SIZES, Break, If, Loop, Switch, statements


NAMED = {
    *(f"depth {n}" for n in (1, 2, 3, 4)),
    *(f"type {kind}" for kind in SIZES),
    *(f"iterator {kind}" for kind in (
        "signed char", "unsigned char", "short", "unsigned short", "int",
        "unsigned", "long", "long long", "size_t")),
    *(f"array {form}" for form in (
        "1d extern", "1d own", "1d pointer", "1d local", "fixed extern",
        "fixed own", "fixed pointer", "fixed local", "vla pointer",
        "linear pointer")),
    "2 dimensions", "3 dimensions", "perfect nest", "imperfect nest",
    "several statements", "several nests", "loops beside each other in a loop",
    "parametric bound", "constant bounds", "triangular", "min/max bound",
    "min/max subscript", "division in bound", "stride", "negative step",
    "<=", "!=", "while loop", "do loop", "counter used after loop",
    "modulo in subscript", "division in subscript", "modulo in guard",
    "division in guard", "guard", "guard &&", "guard ||", "else",
    "scalar temporary", "scalar carried", "scalar accumulation",
    "scalar before loops", "statement outside loops", "pointer arithmetic",
    "negative subscript", "pointers that may alias", "restrict", "aliased",
    "aliased with another type", "global aliased", "neighbour access",
    "in place neighbours", "update", "fma", "sqrt", "select on data",
    "private scalar", "private scalar used after loops", "private array",
    "local array copied out", "private array of the caller",
    "private array used after loops",
    *(f"result {what}" for what in (
        "in a scalar", "in an element", "under a guard", "on data",
        "read in between", "of each step", "with several operators",
        "+", "-", "*", "and", "or", "^", "min", "max")),
    "several results",
    "pivot in 1 dimension", "pivot in 2 dimensions",
    "time loop", "zero-trip", "one-trip", "near overflow", "huge parameter",
    "global bound", "called twice", "dead code", "refused: guard on data",
    "refused: break on data", "refused: indirect subscript",
    "remainder under ||", "remainder in else", "mask in guard",
    "shift in guard", "early continue", "switch",
    *(f"skeleton {name}" for name in SKELETONS),
    *(f"rule {name}" for name in RULES),
    *(f"shape {name}" for name in SHAPES), *PARTS,
}


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
            found |= of_condition(s)
            for name in s.expressions:
                for e in getattr(s, name).walk():
                    if e.op == "array" and any(map(neighbour, e.kids)):
                        found.add("neighbour access")
        if any(isinstance(s, Loop) and is_perfect(s) for s in k.body):
            found.add("perfect nest")
    return found


def of_condition(s):
    if isinstance(s, Switch):
        return {"switch"}
    if not isinstance(s, (If, Break)):
        return set()
    found = marks(s.condition)
    if isinstance(s, If) and s.other and found:
        found.add("remainder in else")
    if isinstance(s, Break) and s.word == "continue":
        found.add("early continue")
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
        isinstance(s, (Loop, If, Switch)) for s in inner)


def neighbour(e):
    """Is e a counter plus or minus a constant?"""
    return e.op in ("+", "-") and e.kids[0].op == "var" and \
        e.kids[1].op == "const" or e.op in ("+", "-") and \
        any(map(neighbour, e.kids))
