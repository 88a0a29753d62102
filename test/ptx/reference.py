"""What each opcode of the machine's tables gives, on integers that have the
operands' bits: REFERENCE is a list of (regular expression, function); the
function gets the match and the operands.  Of a NaN any will do where the result
is exact.NAN, of f32 only 0x7fffffff.
"""

import re

import exact
from exact import signed

ALL = {16: 0xffff, 32: 0xffffffff, 64: 0xffffffffffffffff}


def typed(kind, size, *values):
    return [signed(v, size) if kind == "s" else v & ALL[size] for v in values]


def arithmetic(m, *v):
    name, kind, size = m["name"], m["kind"], int(m["size"])
    v = typed(kind, size, *v)
    if name in ("div", "rem") and v[1] == 0:
        return None
    quotient = abs(v[0]) // abs(v[1]) if name in ("div", "rem") else 0
    if quotient and (v[0] < 0) != (v[1] < 0):
        quotient = -quotient
    return {"add": lambda: v[0] + v[1], "sub": lambda: v[0] - v[1],
            "mul.lo": lambda: v[0] * v[1],
            "mul.hi": lambda: v[0] * v[1] >> size,
            "mad.lo": lambda: v[0] * v[1] + v[2],
            "mad.hi": lambda: (v[0] * v[1] >> size) + v[2],
            "min": lambda: min(v), "max": lambda: max(v),
            "neg": lambda: -v[0], "abs": lambda: abs(v[0]),
            "div": lambda: quotient,
            "rem": lambda: v[0] - quotient * v[1]}[name]() & ALL[size]


def wide(m, a, b, c=0):
    a, b = typed(m["kind"], int(m["size"]), a, b)
    return a * b + c & ALL[2 * int(m["size"])]


def logic(m, a, b=0):
    return {"and": a & b, "or": a | b, "xor": a ^ b,
            "not": ~a & ALL[int(m["size"])]}[m["name"]]


def shift(m, a, b):
    size = int(m["size"])
    if m["name"] == "shl":
        return a << b & ALL[size] if b < size else 0
    return typed(m["kind"], size, a)[0] >> min(b, size) & ALL[size]


def funnel(m, a, b, c):
    c = min(c, 32) if m["mode"] == "clamp" else c % 32
    both = b << 32 | a
    return both << c >> 32 & ALL[32] if m["side"] == "l" else \
        both >> c & ALL[32]


def count(m, a):
    size = int(m["size"])
    return size - a.bit_length() if m["name"] == "clz" else \
        bin(a).count("1")


def reverse(m, a):
    return int(f"{a:0{int(m['size'])}b}"[::-1], 2)


def extract(m, a, start, length):
    """As in the manual's pseudo-code."""
    size, start, length = int(m["size"]), start & 255, length & 255
    last = min(start + length - 1, size - 1)
    sign = m["kind"] == "s" and length and a >> last & 1
    field = a >> start & (1 << length) - 1 if start < size else 0
    have = max(min(length, size - start), 0)
    if sign:
        field |= ALL[size] & ~((1 << have) - 1)
    return field & ALL[size]


def insert(m, a, b, start, length):
    """As in the manual's pseudo-code."""
    size, start, length = int(m["size"]), start & 255, length & 255
    for k in range(length):
        if start + k < size:
            b = b & ~(1 << start + k) | (a >> k & 1) << start + k
    return b


def permute(_, a, b, c):
    data = (b << 32 | a).to_bytes(8, "little")
    out = []
    for k in range(4):
        selector = c >> 4 * k & 15
        byte = data[selector & 7]
        out.append((255 if byte >> 7 else 0) if selector & 8 else byte)
    return int.from_bytes(bytes(out), "little")


def predicates(m, a, b=0):
    return {"and": a & b, "or": a | b, "xor": a ^ b, "not": 1 - a}[m["name"]]


def compare(m, a, b):
    a, b = typed(m["kind"], int(m["size"]), a, b)
    return int({"eq": a == b, "ne": a != b, "lt": a < b, "le": a <= b,
                "gt": a > b, "ge": a >= b}[m["name"]])


def compare_floats(m, a, b):
    return int(exact.compared(m["name"], a, b, exact.FORMATS[m["type"]]))


def floats(m, *v):
    f, mode = exact.FORMATS[m["type"]], m["mode"]
    if m["name"] == "sub":
        return exact.add(v[0], exact.negated(v[1], f), f, mode)
    if m["name"] == "rcp":
        return exact.div(exact.rounded(1, f, mode), v[0], f, mode)
    return getattr(exact, m["name"])(*v, f, mode)


def signs(m, a, b=0):
    f = exact.FORMATS[m["type"]]
    bit = 1 << f.bits - 1
    return {"neg": a ^ bit, "abs": a & ~bit,
            "copysign": a & bit | b & ~bit}[m["name"]]


def extremes(m, a, b):
    return exact.least(a, b, exact.FORMATS[m["type"]],
                       1 if m["name"] == "min" else -1)


INTEGER = r"(?P<kind>[sub])(?P<size>16|32|64)"
FLOAT = r"(?P<type>f16|f32|f64)"
def pairs(m, *values):
    """The same for both halves of 32 bits; a NaN is 0x7fff."""
    half = reference(m[0].replace("f16x2", "f16"))
    low, high = (half(*(v >> shift & 0xffff for v in values))
                 for shift in (0, 16))
    return sum(0x7fff << shift if isinstance(v, str) else v << shift
               for v, shift in ((low, 0), (high, 16)))


def convert_pair(_, a, b):
    """Two numbers of 32 bits to halves, the first to the high one."""
    to = exact.FORMATS["f16"]
    return sum((0x7fff if isinstance(half, str) else half) << shift
               for half, shift in
               ((exact.float_to_float(v, exact.FORMATS["f32"], to, "rn"), shift)
                for v, shift in ((b, 0), (a, 16))))


def compare_pairs(m, a, b):
    """Two predicates, that of the low halves in the low bit."""
    half = reference(m[0].replace("f16x2", "f16"))
    return half(a & 0xffff, b & 0xffff) | half(a >> 16, b >> 16) << 1


REFERENCE = [(re.compile(pattern), function) for pattern, function in (
    (rf"(?P<name>add|sub|mul\.lo|mul\.hi|mad\.lo|mad\.hi|min|max|neg|abs|div"
     rf"|rem)\.{INTEGER}", arithmetic),
    (rf"(mul|mad)\.wide\.{INTEGER}", wide),
    (rf"(?P<name>and|or|xor|not)\.{INTEGER}", logic),
    (rf"(?P<name>shl|shr)\.{INTEGER}", shift),
    (r"shf\.(?P<side>l|r)\.(?P<mode>wrap|clamp)\.b32", funnel),
    (rf"(?P<name>clz|popc)\.{INTEGER}", count),
    (rf"brev\.{INTEGER}", reverse),
    (rf"bfe\.{INTEGER}", extract),
    (r"bfi\.b(?P<size>32|64)", insert),
    (r"prmt\.b32", permute),
    (r"(?P<name>and|or|xor|not)\.pred", predicates),
    (rf"setp\.(?P<name>\w\w)\.{INTEGER}", compare),
    (rf"setp\.(?P<name>\w+)\.{FLOAT}", compare_floats),
    (r"selp\.\w+", lambda _, a, b, p: a if p else b),
    (rf"(?P<name>add|sub|mul|div|fma|sqrt|rcp)\.(?P<mode>r[nzmp])\.{FLOAT}",
     floats),
    (rf"(?P<name>neg|abs|copysign)\.{FLOAT}", signs),
    (rf"(?P<name>min|max)\.{FLOAT}", extremes),
    (r"((add|sub|mul|fma)\.rn|neg|abs)\.f16x2", pairs),
    (r"cvt\.rn\.f16x2\.f32", convert_pair),
    (r"setp\.\w+\.f16x2", compare_pairs),
)]


def reference(opcode):
    """A function of the operands' bits; None if there is none."""
    for pattern, function in REFERENCE:
        match = pattern.fullmatch(opcode)
        if match:
            return lambda *values: function(match, *values)
    return None
