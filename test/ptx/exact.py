"""Arithmetic as the PTX manual defines it, on bits, with exact fractions.

Nothing here uses the processor's floating-point arithmetic.
"""

from collections import namedtuple
from fractions import Fraction
from math import isqrt

# fraction, exponent: numbers of bits.
Format = namedtuple("Format", "bits fraction exponent")
F16, F32, F64 = Format(16, 10, 5), Format(32, 23, 8), Format(64, 52, 11)
FORMATS = {"f16": F16, "f32": F32, "f64": F64}
NAN, INF = "nan", "inf"


def sign_of(bits, f):
    return bits >> (f.bits - 1)


def is_nan(bits, f):
    return bits & ((1 << f.bits - 1) - 1) > infinity(0, f)


def is_inf(bits, f):
    return bits & ((1 << f.bits - 1) - 1) == infinity(0, f)


def infinity(sign, f):
    return sign << f.bits - 1 | ((1 << f.exponent) - 1) << f.fraction


def value(bits, f):
    """The number, as an exact fraction."""
    exponent = bits >> f.fraction & ((1 << f.exponent) - 1)
    fraction = bits & ((1 << f.fraction) - 1)
    scale = max(exponent, 1) - (1 << f.exponent - 1) + 1 - f.fraction
    if exponent:
        fraction += 1 << f.fraction
    number = fraction * Fraction(2) ** scale
    return -number if sign_of(bits, f) else number


def to_integer(number, mode):
    """An exact fraction rounded to an integer."""
    down = number.numerator // number.denominator
    rest = number - down
    if not rest:
        return down
    if mode == "rm":
        return down
    if mode == "rp":
        return down + 1
    if mode == "rz":
        return down + (number < 0)
    if rest == Fraction(1, 2):
        return down + (down & 1)
    return down + (rest > Fraction(1, 2))


def rounded(number, f, mode, zero=0):
    """The bits of a number; "zero" is the sign of a result that is exactly
    zero."""
    if not number:
        return zero << f.bits - 1
    sign, magnitude = int(number < 0), abs(number)
    bias = (1 << f.exponent - 1) - 1
    exponent = magnitude.numerator.bit_length() - \
        magnitude.denominator.bit_length()
    if Fraction(2) ** exponent > magnitude:
        exponent -= 1
    unit = Fraction(2) ** (max(exponent, 1 - bias) - f.fraction)
    count = abs(to_integer(number / unit, mode))
    if count >> f.fraction + 1:
        exponent, count = exponent + 1, count >> 1
    if exponent > bias:
        greatest = infinity(sign, f) - 1
        down = mode == "rz" or mode == ("rp" if sign else "rm")
        return greatest if down else infinity(sign, f)
    if not count >> f.fraction: # subnormal, or zero
        return sign << f.bits - 1 | count
    return sign << f.bits - 1 | (max(exponent, 1 - bias) + bias) \
        << f.fraction | count & ((1 << f.fraction) - 1)


def sum_zero(a, b, mode):
    """The sign of a sum that is zero, of what the signs of the summands are."""
    return a if a == b else int(mode == "rm")


def add(a, b, f, mode="rn"):
    if is_nan(a, f) or is_nan(b, f):
        return NAN
    if is_inf(a, f) or is_inf(b, f):
        if is_inf(a, f) and is_inf(b, f) and a != b:
            return NAN
        return a if is_inf(a, f) else b
    return rounded(value(a, f) + value(b, f), f, mode,
                   sum_zero(sign_of(a, f), sign_of(b, f), mode))


def negated(a, f):
    return a ^ 1 << f.bits - 1


def mul(a, b, f, mode="rn"):
    sign = sign_of(a, f) ^ sign_of(b, f)
    if is_nan(a, f) or is_nan(b, f):
        return NAN
    if is_inf(a, f) or is_inf(b, f):
        finite = b if is_inf(a, f) else a
        if not is_inf(finite, f) and not value(finite, f):
            return NAN
        return infinity(sign, f)
    return rounded(value(a, f) * value(b, f), f, mode, sign)


def fma(a, b, c, f, mode="rn"):
    if is_nan(a, f) or is_nan(b, f) or is_nan(c, f):
        return NAN
    sign = sign_of(a, f) ^ sign_of(b, f)
    if is_inf(a, f) or is_inf(b, f):
        product = mul(a, b, f)
        return product if product == NAN else add(product, c, f)
    if is_inf(c, f):
        return c
    return rounded(value(a, f) * value(b, f) + value(c, f), f, mode,
                   sum_zero(sign, sign_of(c, f), mode))


def div(a, b, f, mode="rn"):
    sign = sign_of(a, f) ^ sign_of(b, f)
    if is_nan(a, f) or is_nan(b, f) or (is_inf(a, f) and is_inf(b, f)):
        return NAN
    if is_inf(a, f):
        return infinity(sign, f)
    if is_inf(b, f):
        return sign << f.bits - 1
    if not value(b, f):
        return NAN if not value(a, f) else infinity(sign, f)
    return rounded(value(a, f) / value(b, f), f, mode, sign)


def sqrt(a, f, mode="rn"):
    """The root is taken of an integer that is so large that its own last bit
    can be a sticky one."""
    if is_nan(a, f) or (sign_of(a, f) and (is_inf(a, f) or value(a, f))):
        return NAN
    if is_inf(a, f) or not value(a, f):
        return a
    number = value(a, f) * 4 ** 1200
    root = isqrt(int(number))
    exact = root * root == number
    return rounded(Fraction(2 * root + (not exact), 2 ** 1201), f, mode)


def least(a, b, f, sign=1):
    """The least of two numbers, with sign -1 the greatest."""
    if is_nan(a, f):
        return NAN if is_nan(b, f) else b
    if is_nan(b, f):
        return a

    def key(x):
        number = 2 ** 2000 if is_inf(x, f) else abs(value(x, f))
        return (-number if sign_of(x, f) else number, 1 - sign_of(x, f))

    return min(a, b, key=lambda x: (sign * key(x)[0], sign * key(x)[1]))


def compared(name, a, b, f):
    """setp on floating-point operands."""
    unordered = is_nan(a, f) or is_nan(b, f)
    if name in ("num", "nan"):
        return unordered == (name == "nan")
    if unordered:
        return name.endswith("u")

    def number(x):
        if is_inf(x, f):
            return Fraction(-1 if sign_of(x, f) else 1) * 2 ** 2000
        return value(x, f)

    x, y = number(a), number(b)
    return {"eq": x == y, "ne": x != y, "lt": x < y, "le": x <= y,
            "gt": x > y, "ge": x >= y}[name[:2]]


# ---- Conversions ------------------------------------------------------------


def signed(bits, size):
    bits &= (1 << size) - 1
    return bits - (1 << size) if bits >> size - 1 else bits


def limits(kind, size):
    """The least and the greatest integer of a type."""
    if kind == "s":
        return -(1 << size - 1), (1 << size - 1) - 1
    return 0, (1 << size) - 1


def clamped(number, kind, size):
    low, high = limits(kind, size)
    return min(max(number, low), high)


def float_to_integer(bits, f, kind, size, mode):
    """An integer, always saturated."""
    if is_nan(bits, f):
        if f.bits != 64 and size != 64:
            return 0
        return 1 << size - 1 if kind == "u" else -(1 << size - 1)
    if is_inf(bits, f):
        return limits(kind, size)[1 - sign_of(bits, f)]
    return clamped(to_integer(value(bits, f), mode), kind, size)


def float_to_float(bits, f, to, mode, integral=False, saturate=False):
    if saturate and (is_nan(bits, f) or sign_of(bits, f)):
        return 0
    if is_nan(bits, f):
        return NAN
    if saturate and (is_inf(bits, f) or value(bits, f) > 1):
        return rounded(Fraction(1), to, "rn")
    if is_inf(bits, f):
        return infinity(sign_of(bits, f), to)
    number = value(bits, f)
    if integral:
        number = Fraction(to_integer(number, mode))
    return rounded(number, to, mode, sign_of(bits, f))
