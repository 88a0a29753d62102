#!/usr/bin/env python3
"""Each opcode of the PTX machine against reference.py and exact.py, on random
and on extreme operands."""

import itertools
import math
import re
import struct
import unittest
from pathlib import Path

import exact
from machine import HEAD, Failure, Machine, seeded
from reference import ALL, reference

HERE = Path(__file__).resolve().parent
N = 256
BITS = {"h": 16, "r": 32, "l": 64, "p": 1, "q": 2}
FLOAT = {"f16": "h", "f32": "r", "f64": "l"}
R = seeded()


# ---- Operands ---------------------------------------------------------------


def integer(bits):
    if R.random() < 0.5:
        shift = R.randrange(bits)
        edge = R.choice((0, 1, 2, 3, 31, 32, 33, 63, 64, 65, 255, 256,
                         1 << shift, (1 << bits - 1) - 1, (1 << bits) - 1))
        return edge + R.choice((-1, 0, 0, 1)) & (1 << bits) - 1
    return R.getrandbits(bits) >> R.choice((0, 0, R.randrange(bits)))


def number(f):
    """The bits of a floating-point number."""
    sign = R.getrandbits(1) << f.bits - 1
    one = ((1 << f.exponent - 1) - 1) << f.fraction
    kind = R.random()
    if kind < 0.3:
        edge = R.choice((0, 1, 2, (1 << f.fraction) - 1, 1 << f.fraction, one,
                         exact.infinity(0, f), exact.infinity(0, f) - 1,
                         exact.infinity(0, f) + 1, one - 1, one + 1,
                         one + (1 << f.fraction - 1), # 1.5
                         one - (1 << f.fraction))) # 0.5
        return sign | edge
    if kind < 0.6: # near to each other, so that sums cancel
        return sign | one + (R.randrange(-2, 3) << f.fraction) | \
            R.getrandbits(f.fraction) >> R.randrange(f.fraction)
    if kind < 0.8: # around the range of integers
        return sign | min(one + (R.randrange(68) << f.fraction),
                          exact.infinity(0, f) - (1 << f.fraction)) | \
            R.getrandbits(f.fraction)
    return R.getrandbits(f.bits)


def any_of(letter, opcode):
    """An operand of the letter's kind."""
    kind = opcode.rsplit(".", 1)[-1]
    if letter in "pq":
        return R.getrandbits(BITS[letter])
    if kind == "f16x2":
        return number(exact.FORMATS["f16"]) | number(exact.FORMATS["f16"]) << 16
    if FLOAT.get(kind) == letter:
        return number(exact.FORMATS[kind])
    return integer(BITS[letter])


def extremes(letter, opcode):
    """The ends of what the letter's kind has, the most important first."""
    kind = opcode.rsplit(".", 1)[-1]
    if letter == "p":
        return [0, 1]
    if kind == "f16x2":
        halves = extremes("h", "f16")
        return [a | b << 16 for a, b in zip(halves, halves[1:] + halves[:1])]
    if FLOAT.get(kind) == letter:
        f = exact.FORMATS[kind]
        sign, huge = 1 << f.bits - 1, exact.infinity(0, f)
        ends = [0, huge, huge + 1, huge - 1, 1, 1 << f.fraction,
                (1 << f.fraction) - 1, exact.rounded(1, f, "rn")]
        return [end | s for end in ends for s in (0, sign)]
    bits, size = BITS[letter], int(re.search(r"\d+$|$", opcode)[0] or 32)
    return [1 << bits - 1, (1 << bits) - 1, 0, (1 << bits - 1) - 1, 1,
            size - 1, size, size + 1, 255, 256] # lengths of shifts


def operands(letters, opcode):
    """Rows of operands, N in all: each extreme with each, as many as three
    quarters of the rows have room for, and random ones."""
    lists = [extremes(letter, opcode) for letter in letters]
    while math.prod(map(len, lists)) > 3 * N // 4:
        max(lists, key=len).pop()
    rows = list(itertools.product(*lists))
    rows += [[any_of(letter, opcode) for letter in letters]
             for _ in range(N - len(rows))]
    return [list(column) for column in zip(*rows)]


# ---- Kernels ----------------------------------------------------------------

REGISTERS = """	.reg .pred %p<9>;
	.reg .b16 %h<8>;
	.reg .b32 %r<9>;
	.reg .b64 %l<9>;
	.reg .b64 %a<8>;
	.reg .b32 %t;
	.reg .pred %guard;
"""


def get(letter, k):
    """Operand k of the thread into a register."""
    load = f"\tld.global.b64 %l{k}, [%a{k}];\n"
    return load + {"h": f"\tcvt.u16.u64 %h{k}, %l{k};\n",
                   "r": f"\tcvt.u32.u64 %r{k}, %l{k};\n",
                   "p": f"\tsetp.ne.b64 %p{k}, %l{k}, 0;\n",
                   "q": f"\tand.b64 %l8, %l{k}, 1;\n"
                        f"\tsetp.ne.b64 %p{k}, %l8, 0;\n"
                        f"\tsetp.gt.u64 %p8, %l{k}, 1;\n",
                   "l": ""}[letter]


def put(letter, k):
    """The register to where operand k was."""
    return {"h": f"\tcvt.u64.u16 %l8, %h{k};\n",
            "r": f"\tcvt.u64.u32 %l8, %r{k};\n",
            "p": f"\tselp.b64 %l8, 1, 0, %p{k};\n",
            "q": f"\tselp.b64 %l8, 1, 0, %p{k};\n"
                 "\tselp.b64 %l7, 2, 0, %p8;\n\tor.b64 %l8, %l8, %l7;\n",
            "l": f"\tmov.b64 %l8, %l{k};\n"}[letter] + \
        f"\tst.global.b64 [%a{k}], %l8;\n"


def kernel(name, letters, body, guarded):
    """A kernel of arrays, one for each operand, the result's first, and one of
    guards."""
    count = len(letters) + 1
    parameters = ",\n".join(f"\t.param .u64 p{k}" for k in range(count))
    text = f".visible .entry {name}(\n{parameters}\n)\n{{\n{REGISTERS}"
    text += "\tmov.u32 %t, %tid.x;\n"
    for k in range(count):
        text += f"\tld.param.b64 %a{k}, [p{k}];\n" \
                f"\tmul.wide.u32 %l0, %t, 8;\n\tadd.s64 %a{k}, %a{k}, %l0;\n"
    for k, letter in enumerate(letters):
        text += get(letter, k)
    text += f"\tld.global.b64 %l8, [%a{count - 1}];\n"
    text += "\tsetp.ne.b64 %guard, %l8, 0;\n"
    guard = "@%guard " if guarded else ""
    text += "".join(f"\t{guard}{line}\n" for line in body)
    return text + put(letters[0], 0) + "\tret;\n}\n"


def execute(machine, letters, body, values, guarded):
    """The results; "values" are N for the result's old value, for each operand,
    and for the guards."""
    module = machine.load(HEAD + kernel("k", letters, body, guarded))
    arrays = [machine.array(struct.pack(f"<{N}Q", *row)) for row in values]
    machine.launch(machine.function(module, "k"), (1,), (N,), *arrays)
    result = struct.unpack(f"<{N}Q", machine.read(arrays[0], 8 * N))
    for array in arrays:
        machine.free(array)
    machine.check(machine.cuda.cuModuleUnload(module))
    return result


def names(letters):
    return [f"%p{k}|%p8" if letter == "q" else f"%{letter}{k}"
            for k, letter in enumerate(letters)]


# ---- Tests ------------------------------------------------------------------


class Case(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.machine = Machine()

    def compare(self, opcode, letters, wanted, values, guarded, alias=False):
        registers = names(letters)
        if alias: # the result's register is an operand's as well
            registers[0] = registers[1]
        body = [f"{opcode} {', '.join(registers)};"]
        if alias:
            kind = {"p": "pred"}.get(letters[0], f"b{BITS[letters[0]]}")
            body.append(f"mov.{kind} %{letters[0]}0, {registers[0]};")
        got = execute(self.machine, letters, body, values, guarded)
        for n in range(N):
            row = [hex(column[n]) for column in values[1:-1]]
            want = wanted[n] if values[-1][n] or not guarded else values[0][n]
            self.compare_one(f"{opcode} {row}", opcode, want, got[n])

    def compare_one(self, what, opcode, want, got):
        kind = opcode.split(".")[-1]
        if opcode.startswith("cvt."):
            kind = opcode.split(".")[-2]
        if want == exact.NAN:
            f = exact.FORMATS[kind]
            right = exact.is_nan(got, f) if f.bits == 64 else \
                got == (1 << f.bits - 1) - 1
            self.assertTrue(right, f"{what}: {got:#x} instead of a NaN")
        else:
            self.assertEqual(got, want, f"{what}: {got:#x}, not {want:#x}")


def expanded(pattern):
    """The words of a pattern with braces."""
    found = re.search(r"\{([^{}]*)\}", pattern)
    if not found:
        return [pattern]
    return [word for part in found[1].split(",") for word in
            expanded(pattern[:found.start()] + part + pattern[found.end():])]


class Documentation(Case):
    def test_the_table_has_exactly_the_opcodes(self):
        text = (HERE / "README.md").read_text().split("## Opcodes")[1]
        table = text.split("What is not in tables")[0]
        documented = [word for pattern in re.findall(r"^\| `([^`]*)`", table,
                                                     re.MULTILINE)
                      for word in expanded(pattern)]
        self.assertEqual(sorted(documented), sorted(self.machine.opcodes()))


# No values: what they do is in test_machine.py (Copies).
GROUPS = {"cp.async.commit_group", "cp.async.wait_all"}


class Complete(Case):
    def test_every_opcode_is_compared(self):
        """By Table, by Carries, or by Conversions."""
        conversions_ = {opcode for opcode, *_ in conversions()}
        for opcode in self.machine.opcodes():
            where = [bool(reference(opcode)), opcode in CARRIES,
                     opcode in conversions_, opcode in GROUPS]
            self.assertEqual(sum(where), 1, f"{opcode}: {where}")

    def test_extremes_meet(self):
        """Such as the least integer and -1, which C cannot divide."""
        rows = list(zip(*operands("rr", "div.s32")))
        self.assertIn((1 << 31, ALL[32]), rows)
        rows = list(zip(*operands("rrr", "fma.rn.f32")))
        self.assertIn((0x7f800000, 0, 0xff800000), rows)
        self.assertIn((1 << 63, 63, 0), list(zip(*operands("lrr", "bfe.s64"))))


class Table(Case):
    def examine(self, opcode, letters):
        function = reference(opcode)
        values = [[any_of(letters[0], opcode) for _ in range(N)],
                  *operands(letters[1:], opcode)]
        if ".rem." in f".{opcode}" or ".div." in f".{opcode}":
            values[2] = [v if v & ALL[BITS[letters[2]]] else 1
                         for v in values[2]]
        values.append([R.getrandbits(1) for _ in range(N)])
        wanted = [function(*row) for row in zip(*values[1:-1])]
        for guarded in (False, True):
            self.compare(opcode, letters, wanted, values, guarded)
        if letters[0] == letters[1]:
            self.compare(opcode, letters, wanted, values, False, True)

    def test_all(self):
        for opcode, letters in self.machine.opcodes().items():
            if not reference(opcode):
                continue
            with self.subTest(opcode=opcode):
                self.examine(opcode, letters)

    def test_division_by_zero_is_an_error(self):
        for opcode in ("div.s32", "rem.u64", "div.u16"):
            letter = {"32": "r", "64": "l", "16": "h"}[opcode[-2:]]
            values = [[1] * N, [5] * N, [0] * N, [1] * N]
            with self.assertRaisesRegex(Failure, "division by zero"):
                execute(Machine(), letter * 3,
                        [f"{opcode} %{letter}0, %{letter}1, %{letter}2;"],
                        values, False)
        type(self).machine = Machine()


def word():
    return R.choice(extremes("r", "") if R.random() < 0.5 else [integer(32)])


def product(a, b, c):
    """The product of the low words, plus c."""
    return (a & ALL[32]) * (b & ALL[32]) + c


def parts(a, b, c):
    """The high word of the product of the low words plus c's, and the low word
    of the product of the high ones plus c's with the carry."""
    low = ((a & ALL[32]) * (b & ALL[32]) >> 32) + (c & ALL[32])
    high = ((a >> 32) * (b >> 32) & ALL[32]) + (c >> 32) + (low >> 32)
    return low & ALL[32] | high << 32


def carried(value):
    """The second word and what is carried out of it, in the first."""
    return value >> 64 & ALL[32] | value & ALL[64] & ~ALL[32]


def with_carry(value):
    """The low word and what is carried out of it, or borrowed."""
    return (value & ALL[64]) + (value >> 64)


# Chains of instructions on r2:r1, r4:r3 and r6:r5, which leave r8:r7, and what
# they give of the three numbers.  The third lines of some put the carry into
# r7.
CHAINS = [chain for kind in "su" for chain in (
    ((f"add.cc.{kind}32 %r7, %r1, %r3;", f"addc.{kind}32 %r8, %r2, %r4;"),
     lambda a, b, _: a + b),
    ((f"sub.cc.{kind}32 %r7, %r1, %r3;", f"subc.{kind}32 %r8, %r2, %r4;"),
     lambda a, b, _: a - b),
    ((f"add.cc.{kind}32 %r7, %r1, %r3;", f"addc.cc.{kind}32 %r8, %r2, %r4;",
      f"addc.{kind}32 %r7, 0, 0;"), lambda a, b, _: carried(a + b)),
    ((f"sub.cc.{kind}32 %r7, %r1, %r3;", f"subc.cc.{kind}32 %r8, %r2, %r4;",
      f"subc.{kind}32 %r7, 0, 0;"), lambda a, b, _: carried(a - b)),
)] + [
    (("mad.lo.cc.u32 %r7, %r1, %r3, %r5;", "madc.hi.u32 %r8, %r1, %r3, %r6;"),
     product),
    (("mad.lo.cc.u32 %r7, %r1, %r3, %r5;",
      "madc.hi.cc.u32 %r8, %r1, %r3, %r6;", "madc.lo.u32 %r7, 0, 0, 0;"),
     lambda *v: carried(product(*v))),
    (("mad.hi.cc.u32 %r7, %r1, %r3, %r5;", "madc.lo.u32 %r8, %r2, %r4, %r6;"),
     parts),
    (("mad.hi.cc.u32 %r7, %r1, %r3, %r5;",
      "madc.lo.cc.u32 %r8, %r2, %r4, %r6;", "addc.u32 %r7, 0, 0;"),
     lambda *v: carried(parts(*v))),
]
# Of numbers of 64 bits, l1, l2 and l3, that leave l0.
WIDE_CHAINS = [chain for kind in "su" for chain in (
    ((f"add.cc.{kind}64 %l4, %l1, %l2;", f"addc.{kind}64 %l0, %l3, %l1;"),
     lambda a, b, c: c + a + (a + b >> 64)),
    ((f"sub.cc.{kind}64 %l4, %l1, %l2;", f"subc.{kind}64 %l0, %l3, %l1;"),
     lambda a, b, c: c - a + (a - b >> 64)),
    ((f"add.cc.{kind}64 %l4, %l1, %l2;", f"addc.cc.{kind}64 %l0, %l3, %l1;",
      f"addc.{kind}64 %l0, %l0, 0;"),
     lambda a, b, c: with_carry(c + a + (a + b >> 64))),
    ((f"sub.cc.{kind}64 %l4, %l1, %l2;", f"subc.cc.{kind}64 %l0, %l3, %l1;",
      f"subc.{kind}64 %l0, %l0, 0;"),
     lambda a, b, c: with_carry(c - a + (a - b >> 64))),
)]
CARRIES = {line.split()[0] for lines, _ in CHAINS + WIDE_CHAINS
           for line in lines}


class Carries(Case):
    """Sums, differences and products of several words."""

    def test_chains(self):
        split = ["mov.b64 {%r1, %r2}, %l1;", "mov.b64 {%r3, %r4}, %l2;",
                 "mov.b64 {%r5, %r6}, %l3;"]
        for lines, function in CHAINS:
            a, b, c = ([word() | word() << 32 for _ in range(N)]
                       for _ in range(3))
            got = execute(self.machine, "llll",
                          [*split, *lines, "mov.b64 %l0, {%r7, %r8};"],
                          [[0] * N, a, b, c, [1] * N], False)
            for n in range(N):
                want = function(a[n], b[n], c[n]) & ALL[64]
                self.assertEqual(got[n], want, f"{lines} {a[n]:#x} {b[n]:#x} "
                                 f"{c[n]:#x}: {got[n]:#x}, not {want:#x}")

    def test_wide_chains(self):
        for lines, function in WIDE_CHAINS:
            a, b, c = ([word() | word() << 32 for _ in range(N)]
                       for _ in range(3))
            got = execute(self.machine, "llll", lines,
                          [[0] * N, a, b, c, [1] * N], False)
            for n in range(N):
                want = function(a[n], b[n], c[n]) & ALL[64]
                self.assertEqual(got[n], want, f"{lines} {a[n]:#x} {b[n]:#x} "
                                 f"{c[n]:#x}: {got[n]:#x}, not {want:#x}")


TYPES = [k + s for k in "su" for s in ("8", "16", "32", "64")] + [*FLOAT]
MODES = ("rn", "rz", "rm", "rp")


def letter_of(kind):
    return {"8": "h", "16": "h", "32": "r", "64": "l"}[kind[1:]]


def conversions():
    """Opcode, type of the result and of the operand, mode, integral,
    saturate."""
    for to, source in itertools.product(TYPES, TYPES):
        floats = (to[0] == "f") + (source[0] == "f")
        narrow = int(to[1:]) < int(source[1:])
        saturate = ("", ".sat")
        if floats == 0:
            modes = [("", "rn", False)]
        elif floats == 1 and to[0] != "f":
            modes, saturate = [(f".{m}i", m, True) for m in MODES], ("",)
        elif floats == 1:
            modes, saturate = [(f".{m}", m, False) for m in MODES], ("",)
        elif to == source:
            modes = [("", "rn", False)] + [(f".{m}i", m, True) for m in MODES]
        else:
            modes = [(f".{m}", m, False) for m in MODES] if narrow else \
                [("", "rn", False)]
        for (text, mode, integral), sat in itertools.product(modes, saturate):
            yield (f"cvt{text}{sat}.{to}.{source}", to, source, mode, integral,
                   bool(sat))


def converted(value, to, source, mode, integral, saturate):
    """The bits in a register of the result's type, or of 16 bits."""
    if source[0] == "f":
        f = exact.FORMATS[source]
        if to[0] == "f":
            if to == source and not integral and not saturate and \
                    not exact.is_nan(value, f):
                return value
            return exact.float_to_float(value, f, exact.FORMATS[to], mode,
                                        integral, saturate)
        number_ = exact.float_to_integer(value, f, to[0], int(to[1:]), mode)
    else:
        size = int(source[1:])
        number_ = exact.signed(value, size) if source[0] == "s" else \
            value & (1 << size) - 1
        if to[0] == "f":
            return exact.rounded(exact.Fraction(number_), exact.FORMATS[to],
                                 mode)
        size = int(to[1:])
        if saturate:
            number_ = exact.clamped(number_, to[0], size)
        number_ = exact.signed(number_, size) if to[0] == "s" else \
            number_ & (1 << size) - 1
    return number_ & ALL[max(int(to[1:]), 16)]


class Conversions(Case):
    def test_all(self):
        for opcode, to, source, mode, integral, saturate in conversions():
            with self.subTest(opcode=opcode):
                letters = letter_of(to) + letter_of(source)
                column, = operands(letters[1], opcode)
                values = [[0] * N, column, [R.getrandbits(1) for _ in range(N)]]
                wanted = [converted(v, to, source, mode, integral, saturate)
                          for v in column]
                self.compare(opcode, letters, wanted, values, False)

    def test_registers_may_be_wider(self):
        for letters, to, source in (("rr", "s32", "s8"), ("rr", "u32", "u16"),
                                    ("ll", "s64", "s32"), ("lr", "u8", "u8"),
                                    ("rl", "s16", "s64")):
            column, = operands(letters[1], "cvt.u64")
            wanted = [converted(v, to, source, "rn", False, False) for v in
                      column]
            size = BITS[letters[0]]
            if to[0] == "s":
                wanted = [exact.signed(w, max(int(to[1:]), 16)) & ALL[size]
                          for w in wanted]
            self.compare(f"cvt.{to}.{source}", letters, wanted,
                         [[0] * N, column, [1] * N], False)

    def test_what_needs_a_rounding_must_have_one(self):
        for opcode in ("cvt.s32.f32", "cvt.f32.f64", "cvt.f32.s32",
                       "cvt.rn.f64.f32", "cvt.rn.s32.f32", "cvt.rn.s32.s16"):
            to, source = opcode.split(".")[-2:]
            letters = letter_of(to) + letter_of(source)
            with self.assertRaisesRegex(Failure, "wrong rounding"):
                execute(Machine(), letters,
                        [f"{opcode} {', '.join(names(letters))};"],
                        [[1] * N] * 3, False)
        type(self).machine = Machine()


class Moves(Case):
    def move(self, letters, body, function):
        values = [[integer(64) for _ in range(N)] for _ in range(len(letters))]
        values.append([1] * N)
        got = execute(self.machine, letters, body, values, False)
        for n in range(N):
            want = function(*(row[n] for row in values[1:-1]))
            self.assertEqual(got[n], want, body)

    def test_registers(self):
        for bits, letter in ((16, "h"), (32, "r"), (64, "l")):
            for kind in "bus" if bits == 16 else "busf":
                self.move(2 * letter,
                          [f"mov.{kind}{bits} %{letter}0, %{letter}1;"],
                          lambda a, bits=bits: a & ALL[bits])
        self.move("pp", ["mov.pred %p0, %p1;"], lambda a: int(a != 0))

    def test_parts(self):
        self.move("ll", ["mov.b64 {%r1, %r2}, %l1;", "mov.b64 %l0, {%r2, %r1};"],
                  lambda a: (a << 32 | a >> 32) & ALL[64])
        self.move("ll", ["mov.b64 {_, %r2}, %l1;", "mov.b64 %l0, {%r2, %r2};"],
                  lambda a: a >> 32 << 32 | a >> 32)
        self.move("rr", ["mov.b32 {%h1, %h2}, %r1;", "mov.b32 %r0, {%h2, %h1};"],
                  lambda a: (a << 16 | a >> 16 & ALL[16]) & ALL[32])
        self.move("ll", ["mov.b64 {%h1, %h2, %h3, %h4}, %l1;",
                         "mov.b64 %l0, {%h4, %h3, %h2, %h1};"],
                  lambda a: int.from_bytes(struct.pack(
                      "<4H", *struct.unpack("<4H", struct.pack("<Q", a))[::-1]),
                                           "little"))

    def test_numbers(self):
        for text, bits, want in (
                ("-1", 64, ALL[64]), ("0x10", 64, 16), ("0fBF800000", 32,
                                                       0xbf800000),
                ("0d3FF0000000000000", 64, 0x3ff << 52), ("-2", 32, ALL[32] - 1),
                ("4294967295U", 32, ALL[32]), ("-3", 16, ALL[16] - 2)):
            letter = {16: "h", 32: "r", 64: "l"}[bits]
            self.move(2 * letter, [f"mov.b{bits} %{letter}0, {text};"],
                      lambda _, want=want: want)


if __name__ == "__main__":
    unittest.main()
