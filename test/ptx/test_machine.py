#!/usr/bin/env python3
"""The PTX machine as a device: memory, divergence, barriers, orders, limits, and
that what is wrong is an error."""

import functools
import struct
import unittest

from machine import HEAD, Failure, Machine, seeded

R = seeded()
N = 64  # threads of most blocks, two warps

DECLARATIONS = """	.reg .pred %p<9>;
	.reg .b16 %h<9>;
	.reg .b32 %r<20>;
	.reg .b64 %a<20>;
	mov.u32 %r0, %tid.x;
	mov.u32 %r1, %ctaid.x;
	ld.param.b64 %a0, [k_0];
	ld.param.b64 %a1, [k_1];
"""
# %a2, %a3: the thread's int of the arrays %a0, %a1, by its number in the grid.
ELEMENTS = """	mov.u32 %r2, %ntid.x;
	mad.lo.s32 %r3, %r1, %r2, %r0;
	mul.wide.u32 %a4, %r3, 4;
	add.s64 %a2, %a0, %a4;
	add.s64 %a3, %a1, %a4;
"""
# %a5: the thread's int of the variable s; %a6: that of the thread across.
SHARED = """	.shared .align 4 .b8 s[256];
	mov.b64 %a7, s;
	mul.wide.u32 %a4, %r0, 4;
	add.s64 %a5, %a7, %a4;
	xor.b32 %r4, %r0, 63;
	mul.wide.u32 %a4, %r4, 4;
	add.s64 %a6, %a7, %a4;
"""


def entry(body, head=HEAD, before="", attributes=""):
    lines = "".join(f"\t{line.strip()}\n" if not line.strip().endswith(":")
                    else f"{line.strip()}\n" for line in body.splitlines())
    return (f"{head}{before}.visible .entry k(\n\t.param .u64 k_0,\n"
            f"\t.param .u64 k_1\n)\n{attributes}{{\n{DECLARATIONS}{lines}"
            "\tret;\n}\n")


def ints(*values):
    return struct.pack(f"<{len(values)}I", *values)


class Case(unittest.TestCase):
    def run_kernel(self, text, settings="", grid=(1,), block=(N,), source=None,
                   size=4 * N, shared=0):
        """What the kernel leaves in its first array; the second is the source,
        random if there is none."""
        self.machine = Machine(settings)
        self.source = source or R.randbytes(size)
        to = self.machine.array(b"\xa5" * size)
        origin = self.machine.array(self.source)
        function = self.machine.function(self.machine.load(text), "k")
        if shared > 48 * 1024:
            self.machine.allow(function, shared)
        self.machine.launch(function, grid, block, to, origin, shared=shared)
        return self.machine.read(to, size)

    def fails(self, why, text, settings="", **options):
        with self.assertRaisesRegex(Failure, why):
            self.run_kernel(text, settings, **options)

    def words(self):
        return struct.unpack(f"<{len(self.source) // 4}I", self.source)


# ---- Memory -----------------------------------------------------------------


class Memory(Case):
    def copy(self, load, store, block, bytes_):
        """A copy with one access of each thread."""
        return entry(f"""mul.wide.u32 %a4, %r0, {bytes_};
                     add.s64 %a2, %a0, %a4;
                     add.s64 %a3, %a1, %a4;
                     {load};
                     {store};"""), block

    def test_accesses_of_all_sizes(self):
        for load, store, bytes_ in (
                ("ld.global.b8 %h1, [%a3]", "st.global.b8 [%a2], %h1", 1),
                ("ld.global.u8 %r5, [%a3]", "st.global.u8 [%a2], %r5", 1),
                ("ld.global.nc.b16 %h1, [%a3]", "st.global.b16 [%a2], %h1", 2),
                ("ld.global.b32 %r5, [%a3]", "st.global.b32 [%a2], %r5", 4),
                ("ld.b32 %r5, [%a3]", "st.b32 [%a2], %r5", 4),
                ("ld.global.f64 %a5, [%a3]", "st.global.f64 [%a2], %a5", 8),
                ("ld.global.v2.b32 {%r5, %r6}, [%a3]",
                 "st.global.v2.b32 [%a2], {%r5, %r6}", 8),
                ("ld.global.nc.v2.b64 {%a5, %a6}, [%a3]",
                 "st.global.v2.b64 [%a2], {%a5, %a6}", 16),
                ("ld.global.v4.b32 {%r5, %r6, %r7, %r8}, [%a3]",
                 "st.global.v4.f32 [%a2], {%r5, %r6, %r7, %r8}", 16)):
            text, _ = self.copy(load, store, N, bytes_)
            got = self.run_kernel(text, size=N * bytes_)
            self.assertEqual(got, self.source, load)

    def test_small_integers_are_extended(self):
        for kind, code in (("s8", "b"), ("u8", "B"), ("s16", "h"),
                           ("b16", "H")):
            size = struct.calcsize(code)
            got = self.run_kernel(entry(ELEMENTS + f"""
                mul.wide.u32 %a4, %r0, {size};
                add.s64 %a5, %a1, %a4;
                ld.global.{kind} %r5, [%a5];
                st.global.b32 [%a2], %r5;"""))
            values = struct.unpack(f"<{N}{code}", self.source[:N * size])
            self.assertEqual(got, ints(*(v & 0xffffffff for v in values)))

    def test_offsets(self):
        got = self.run_kernel(entry("""
            ld.global.b32 %r5, [%a1+4];
            ld.global.b32 %r6, [%a1];
            add.s64 %a1, %a1, 16;
            ld.global.b32 %r7, [%a1+-4];
            st.global.v2.b32 [%a0], {%r5, %r6};
            st.global.b32 [%a0+8], %r7;
            st.global.b32 [%a0+12], 77;"""), block=(1,))
        a, b, _, d = self.words()[:4]
        self.assertEqual(got[:16], ints(b, a, d, 77))

    def test_misaligned(self):
        for load, offset in (("ld.global.b32 %r5", 2), ("ld.global.b64 %a5", 4),
                             ("ld.global.v2.b32 {%r5, %r6}", 4),
                             ("ld.global.v4.b32 {%r5, %r6, %r7, %r8}", 8),
                             ("ld.global.nc.v2.b64 {%a5, %a6}", 8)):
            self.fails("716: .*line .*thread 0,0,0: .*not aligned to",
                       entry(f"{load}, [%a1+{offset}];"))
            self.run_kernel(entry(f"{load}, [%a1+16];"))

    def test_outside(self):
        for offset, size in ((-4, 4), (256, 4), (252, 8), (1 << 20, 4),
                             (-(1 << 32), 4), (1 << 32, 4)):
            load = "ld.global.b32 %r5" if size == 4 else \
                "ld.global.v2.b32 {%r5, %r6}"
            self.fails("700: .*no array has" if size == 4 else "716: |700: ",
                       entry(f"{load}, [%a1+{offset}];"))
            self.fails("700: .*no array has" if size == 4 else "716: |700: ",
                       entry(f"st.global{load[9:].split()[0]} [%a1+{offset}], "
                             f"{load.split(' ', 1)[1]};"))
        self.run_kernel(entry("ld.global.b32 %r5, [%a1+252];"))

    def test_an_address_that_lost_its_upper_half_hits_nothing(self):
        self.fails("700: ", entry("""cvt.u32.u64 %r5, %a1;
            cvt.u64.u32 %a1, %r5;
            ld.global.b32 %r5, [%a1];"""))

    def test_an_array_crosses_4_gib(self):
        self.fails("700: ", entry("""cvt.u32.u64 %r5, %a1;
            add.s32 %r5, %r5, 3072;
            cvt.u64.u32 %a2, %r5;
            and.b64 %a1, %a1, 0xffffffff00000000;
            or.b64 %a1, %a1, %a2;
            ld.global.b32 %r5, [%a1];"""), size=4096)

    def test_freed_memory_is_gone(self):
        machine = Machine()
        array = machine.array(bytes(256))
        kernel = machine.function(machine.load(
            entry("ld.global.b32 %r5, [%a0];")), "k")
        machine.launch(kernel, (1,), (1,), array, array)
        machine.free(array)
        with self.assertRaisesRegex(Failure, "700: "):
            machine.launch(kernel, (1,), (1,), array, array)

    def test_lent_memory_has_the_size_of_the_array(self):
        def load(size):
            machine = Machine()
            data = R.randbytes(256)
            array = machine.array(data)
            kernel = machine.function(machine.load(
                entry("ld.global.b32 %r5, [%a0+124];")), "k")
            machine.launch(kernel, (1,), (1,), array, array)
            machine.lend(array, size)
            self.assertNotEqual(machine.read(array, size), data[:size])
            machine.launch(kernel, (1,), (1,), array, array)
            return machine, array

        machine, array = load(128)
        with self.assertRaisesRegex(Failure, "1: "):
            machine.lend(array, 257)
        machine.free(array)
        for size in (64, 127):
            with self.assertRaisesRegex(Failure, "700: "):
                load(size)

    def test_what_is_read_as_constant_is_not_written(self):
        read, write = "ld.global.nc.b32 %r5, [%a3];", "st.global.b32 [%a3], 7;"
        self.fails("read as constant, and was written",
                   entry(ELEMENTS + write + read.replace("%a3", "%a3")))
        self.fails("written, and was read as constant",
                   entry(ELEMENTS + read + write))
        # vectors and parts of the same bytes
        self.fails("read as constant", entry(
            "st.global.b32 [%a1+12], 7;"
            "ld.global.nc.v4.b32 {%r5, %r6, %r7, %r8}, [%a1];"))
        self.fails("read as constant", entry(
            "st.global.b8 [%a1+3], 7; ld.global.nc.b32 %r5, [%a1];",
        ), block=(1,))
        self.run_kernel(entry(ELEMENTS + write + "ld.global.b32 %r5, [%a3];"))
        self.run_kernel(entry(  # other elements
            ELEMENTS + "st.global.b32 [%a2], 7;" + read))
        self.run_kernel(entry(
            "st.global.b8 [%a1+3], 7; ld.global.nc.b8 %h5, [%a1+2];"),
            block=(1,))

    def test_written_in_one_launch_and_constant_in_the_next(self):
        machine = Machine()
        array = machine.array(bytes(256))
        write, read = (machine.function(machine.load(entry(ELEMENTS + text)),
                                        "k") for text in
                       ("st.global.b32 [%a2], 7;",
                        "ld.global.nc.b32 %r5, [%a2];"))
        machine.launch(write, (1,), (N,), array, array)
        machine.launch(read, (1,), (N,), array, array)
        machine.launch(write, (1,), (N,), array, array)

    def test_blocks_do_not_share(self):
        own = "setp.ne.b32 %p1, %r1, 0;\n"
        for order in ("forward", "backward", "random"):
            self.fails("was (written|read) by block [01],0,0", entry(
                own + "@%p1 st.global.b32 [%a0], 7;"
                "@!%p1 ld.global.b32 %r5, [%a0];"), f"blocks={order}",
                grid=(2,))
            self.fails("was written by block", entry(
                "st.global.b32 [%a0], 7;"), f"blocks={order}", grid=(2,))
            self.run_kernel(entry("ld.global.b32 %r5, [%a0];"),
                            f"blocks={order}", grid=(2,))
            self.run_kernel(entry(ELEMENTS + "st.global.b32 [%a2], 7;"),
                            f"blocks={order}", grid=(2,), block=(32,))


    def test_updates_of_all_blocks(self):
        def update(op, kind):
            return entry(ELEMENTS + f"ld.global.b32 %r5, [%a3];"
                         f"atom.global.{op}.{kind} %r6, [%a0], %r5;"
                         f"red.global.{op}.{kind} [%a0+4], %r5;")

        def signed(value):
            return value - (1 << 32 if value >> 31 else 0)

        first = 0xa5a5a5a5
        for op, kind, of in (
                ("add", "u32", lambda w: sum(w) + first),
                ("and", "b32", lambda w: functools.reduce(
                    lambda a, b: a & b, w, first)),
                ("or", "b32", lambda w: functools.reduce(
                    lambda a, b: a | b, w, first)),
                ("xor", "b32", lambda w: functools.reduce(
                    lambda a, b: a ^ b, w, first)),
                ("min", "s32", lambda w: min(map(signed, [*w, first]))),
                ("max", "s32", lambda w: max(map(signed, [*w, first]))),
                ("min", "u32", lambda w: min([*w, first])),
                ("max", "u32", lambda w: max([*w, first]))):
            for order in ("forward", "backward", "random"):
                left = self.run_kernel(update(op, kind), f"blocks={order}",
                                       grid=(4,), block=(16,))
                result = of(self.words()) % (1 << 32)
                self.assertEqual(left[:8], ints(result, result))

    def test_exchanges(self):
        left = self.run_kernel(entry(
            "ld.global.b32 %r5, [%a1]; ld.global.b64 %a5, [%a1];"
            "atom.global.exch.b32 %r6, [%a0], %r5;"
            "st.global.b32 [%a0+4], %r6;"
            "atom.global.exch.b64 %a6, [%a0+8], %a5;"), grid=(1,), block=(1,))
        self.assertEqual(left[:16], self.source[:4] + ints(0xa5a5a5a5) +
                         self.source[:8])

    def test_long_updates(self):
        left = self.run_kernel(entry(
            "ld.global.b64 %a5, [%a1];"
            "atom.global.max.s64 %a6, [%a0], %a5;"
            "atom.global.min.u64 %a6, [%a0+8], %a5;"
            "atom.global.add.u64 %a6, [%a0+16], %a5;"), grid=(2,), block=(1,))
        with_, = struct.unpack("<Q", self.source[:8])
        first = 0xa5a5a5a5a5a5a5a5

        def signed(value):
            return value - (1 << 64 if value >> 63 else 0)
        self.assertEqual(left[:24], struct.pack(
            "<3Q", max(signed(first), signed(with_)) % (1 << 64),
            min(first, with_), (first + 2 * with_) % (1 << 64)))

    def test_compare_and_exchange(self):
        # Each lane adds its byte to one byte of the word, in a loop.
        for scope in (".relaxed.gpu", ".relaxed.sys", ""):
            text = entry(ELEMENTS + f"""ld.global.b32 %r5, [%a3];
                and.b32 %r5, %r5, 255;
                atom.global.or.b32 %r6, [%a0], 0;
            $again:
                mov.b32 %r7, %r6;
                add.s32 %r8, %r7, %r5;
                atom{scope}.global.cas.b32 %r6, [%a0], %r7, %r8;
                setp.ne.b32 %p1, %r6, %r7;
                @%p1 bra $again;""")
            for order in ("forward", "backward", "random"):
                left = self.run_kernel(text, f"blocks={order}", grid=(4,),
                                       block=(16,))
                result = sum(w & 255 for w in self.words()) + 0xa5a5a5a5
                self.assertEqual(left[:4], ints(result % (1 << 32)))

    def test_updates_are_alone(self):
        update = "atom.global.add.u32 %r5, [%a0], 1;"
        own = "setp.ne.b32 %p1, %r1, 0;\n@!%p1 " + update
        for order in ("forward", "backward", "random"):
            self.run_kernel(entry(update + "st.relaxed.gpu.global.b8 [%a1], 1;"),
                            f"blocks={order}", grid=(3,))
            self.fails("was (updated|written) by block [01],0,0", entry(
                own + "@%p1 st.global.b32 [%a0], 7;"), f"blocks={order}",
                grid=(2,))
            self.fails("was (updated|read) by block [01],0,0", entry(
                own + "@%p1 ld.global.b32 %r5, [%a0];"), f"blocks={order}",
                grid=(2,))
        self.fails("unknown instruction", entry(
            "atom.global.mul.u32 %r5, [%a0], 1;"))

    def test_parameters_have_addresses(self):
        text = entry(ELEMENTS + """setp.gt.u32 %p1, %r0, 9;
            mov.b64 %a5, k_0;
            mov.b64 %a6, k_1;
            selp.b64 %a7, %a6, %a5, %p1;
            ld.param.b64 %a8, [%a7+OFFSET];
            setp.eq.s64 %p2, %a8, %a1;
            selp.b32 %r5, 1, 0, %p2;
            st.global.b32 [%a2], %r5;""")
        got = self.run_kernel(text.replace("OFFSET", "0"))
        self.assertEqual(got, ints(*(int(t > 9) for t in range(N))))
        self.fails("700: .*thread 10,0,0: no parameter has",
                   text.replace("OFFSET", "8"))
        for offset in ("-8", "4"):
            self.fails("700: .*no parameter has",
                       text.replace("OFFSET", offset))
        self.fails("unknown", entry("st.param.b64 [%a1], %a0;"))
        self.fails("700: .*no array has", entry(
            "mov.b64 %a5, k_1; ld.global.b64 %a6, [%a5];"))


class Spaces(Case):
    def test_shared(self):
        got = self.run_kernel(entry(ELEMENTS + SHARED + """
            ld.global.b32 %r5, [%a3];
            st.shared.b32 [%a5], %r5;
            bar.sync 0;
            ld.shared.b32 %r6, [%a6];
            st.global.b32 [%a2], %r6;"""), "orders=all")
        self.assertEqual(got, ints(*self.words()[::-1]))

    def test_shared_has_to_be_written_first(self):
        text = entry(SHARED + "ld.shared.b32 %r5, [%a5];")
        self.fails("nobody wrote byte", text)
        self.run_kernel(text, "shared=unchecked")

    def test_what_is_loaded_at_once_may_have_gaps(self):
        def load(at, word):
            return entry(ELEMENTS + """.shared .align 16 .b8 v[512];
                st.shared.b32 [v], 7;
                bar.sync 0;
                ld.shared.v4.b32 {%r5, %r6, %r7, %r8}, [v+""" + str(at) +
                "]; st.global.b32 [%a2], " + word + ";")

        self.assertEqual(self.run_kernel(load(0, "%r5")), ints(*[7] * N))
        self.fails("nobody wrote byte", load(256, "%r5"))
        garbage = {self.run_kernel(load(0, "%r7"), f"seed={k}")
                   for k in range(3)}
        self.assertEqual(len(garbage), 3)
        self.run_kernel(entry(ELEMENTS + """.shared .align 16 .b8 v[512];
            st.shared.b32 [v+4], 7;
            ld.shared.b64 %a8, [v];"""))

    def test_shared_of_the_block_before_is_gone(self):
        self.fails("nobody wrote byte", entry(SHARED + """
            setp.ne.b32 %p1, %r1, 0;
            @!%p1 st.shared.b32 [%a5], %r0;
            @%p1 ld.shared.b32 %r5, [%a5];"""), grid=(2,))

    def test_outside_of_a_variable(self):
        text = """.shared .align 4 .b8 t[64];
            mov.b64 %a8, t;
            st.shared.b32 [{}], 7;"""
        for address in ("%a7+256", "%a7+-4", "%a8+64", "t+64"):
            self.fails("700: .*shared memory has no",
                       entry(SHARED + text.format(address))
                       if address != "%a7+256" else
                       entry(SHARED + "st.shared.b32 [%a7+256], 7;"))
        for address in ("%a7+252", "%a8+60", "t+4"):
            self.run_kernel(entry(SHARED + text.format(address)))

    def test_given_at_the_launch(self):
        text = entry(ELEMENTS + """mov.b64 %a7, given;
            xor.b32 %r5, %r0, 1;
            mul.wide.u32 %a5, %r5, 4;
            mul.wide.u32 %a4, %r0, 4;
            add.s64 %a5, %a7, %a5;
            add.s64 %a7, %a7, %a4;
            ld.global.b32 %r5, [%a3];
            st.shared.b32 [%a7+59744], %r5;
            bar.sync 0;
            ld.shared.b32 %r5, [%a5+59744];
            st.global.b32 [%a2], %r5;""",
                     before=".extern .shared .align 16 .b8 given[];\n")
        got = self.run_kernel(text, shared=60000)
        words = self.words()
        self.assertEqual(got, ints(*(words[k ^ 1] for k in range(N))))
        self.fails("700: .*shared memory has no", text, shared=59996)

    def test_local(self):
        """Each thread has its own, also through generic addresses."""
        text = entry(ELEMENTS + """.local .align 8 .b8 depot[24];
            mov.b64 %a7, depot;
            cvta.local.u64 %a8, %a7;
            ld.global.b32 %r5, [%a3];
            st.local.b32 [%a7+8], %r5;
            ld.b32 %r6, [%a8+8];
            add.s32 %r6, %r6, 1;
            st.b32 [%a8+12], %r6;
            ld.local.b32 %r7, [%a7+12];
            st.global.b32 [%a2], %r7;""")
        for settings in ("", "warps=lockstep", "width=1"):
            got = self.run_kernel(text, settings)
            self.assertEqual(got, ints(*(w + 1 & 0xffffffff for w in
                                         self.words())))
        self.fails("700: .*local memory has no", text.replace(
            "[%a7+12]", "[%a7+24]"))

    def test_constants_of_the_module(self):
        before = (".global .align 4 .b8 table[8] = {1, 2, 3, 4, 0xff, 0, 0, 1};\n"
                  ".const .align 4 .u32 more[3] = {77, 0x10};\n")
        got = self.run_kernel(entry("""mov.b64 %a5, table;
            ld.global.b32 %r5, [%a5+4];
            ld.global.b32 %r6, [table];
            ld.const.b32 %r7, [more+4];
            ld.const.b32 %r8, [more+8];
            st.global.v4.b32 [%a0], {%r5, %r6, %r7, %r8};""", before=before),
                              block=(1,))
        self.assertEqual(got[:16], ints(0x010000ff, 0x04030201, 16, 0))

    def test_parameters_of_all_sizes(self):
        head = f"""{HEAD}.visible .entry k(
            .param .b8 a, .param .b16 b, .param .b32 c,
            .param .u64 .ptr .global .align 4 d
            ) {{ .reg .b16 %h<4>; .reg .b32 %r<4>; .reg .b64 %l<3>;
            ld.param.s8 %h1, [a]; ld.param.b16 %h2, [b];
            ld.param.b32 %r3, [c]; ld.param.b64 %l1, [d];
            cvt.u32.u16 %r1, %h1; cvt.u32.u16 %r2, %h2;
            st.global.b32 [%l1], %r1; st.global.b32 [%l1+4], %r2;
            st.global.b32 [%l1+8], %r3; ret; }}"""
        machine = Machine()
        array = machine.array(bytes(16))
        kernel = machine.function(machine.load(head), "k")
        machine.launch(kernel, (1,), (1,), 0x1fe, 0x12345, 0x123456789, array)
        self.assertEqual(machine.read(array, 12),
                         ints(0xfffe, 0x2345, 0x23456789))


class Functions(Case):
    FUNCTION = """.func (.param .b64 result) twice(.param .b64 twice_0)
        {
            .local .align 8 .b8 own[8];
            .reg .b64 %rd<4>; .reg .pred %p<2>;
            ld.param.b64 %rd1, [twice_0];
            mov.b64 %rd3, own;
            setp.lt.u64 %p1, %rd1, 32;
            @%p1 bra $small;
            add.s64 %rd2, %rd1, 1000;
            bra.uni $end;
        $small:
            add.s64 %rd2, %rd1, %rd1;
        $end:
            st.local.b64 [%rd3], %rd2;
            ld.local.b64 %rd2, [%rd3];
            st.param.b64 [result], %rd2;
            ret;
        }
        """
    CALL = ELEMENTS + """cvt.u64.u32 %a5, %r0;
        .local .align 8 .b8 mine[8];
        mov.b64 %a7, mine;
        st.local.b64 [%a7], %a5;
        mov.b64 %a6, 5;
        and.b32 %r5, %r0, 1;
        setp.ne.b32 %p1, %r5, 0;
        @%p1 bra $skip;
        { // callseq
        .param .b64 argument;
        .param .b64 retval0;
        st.param.b64 [argument], %a5;
        call.uni (retval0), twice, (argument);
        ld.param.b64 %a6, [retval0];
        } // callseq
        $skip:
        ld.local.b64 %a8, [%a7];
        add.s64 %a6, %a6, %a8;
        cvt.u32.u64 %r6, %a6;
        st.global.b32 [%a2], %r6;"""

    def test_call(self):
        for settings in ("", "width=1", "warps=lockstep"):
            got = self.run_kernel(entry(self.CALL, before=self.FUNCTION),
                                  settings)
            want = [(2 * t if t < 32 else t + 1000) + t if t % 2 == 0
                    else 5 + t for t in range(N)]
            self.assertEqual(got, ints(*want))

    def test_unknown_function(self):
        self.fails("unknown function", entry(self.CALL))

    def test_endless_recursion(self):
        self.fails("too many calls", entry(
            "call.uni again;", before=".func again()\n{ call.uni again; ret; "
            "}\n"))

    def test_no_barrier_in_functions(self):
        self.fails("barrier in a function", entry(
            "call.uni f;", before=".func f()\n{ bar.sync 0; ret; }\n"))


# ---- Threads ----------------------------------------------------------------


class Divergence(Case):
    def test_loops_of_different_lengths_meet(self):
        """Thread t runs t % 7 iterations of t % 3 ones, then all are at one
        barrier."""
        got = self.run_kernel(entry(ELEMENTS + SHARED + """
            mov.b32 %r10, 0;
            rem.u32 %r11, %r0, 7;
            rem.u32 %r12, %r0, 3;
            mov.b32 %r13, 0;
            $outer:
            setp.ge.u32 %p1, %r13, %r11;
            @%p1 bra $done;
            mov.b32 %r14, 0;
            $inner:
            setp.ge.u32 %p2, %r14, %r12;
            @%p2 bra $next;
            add.s32 %r10, %r10, %r13;
            add.s32 %r10, %r10, 1;
            add.s32 %r14, %r14, 1;
            bra.uni $inner;
            $next:
            add.s32 %r13, %r13, 1;
            bra.uni $outer;
            $done:
            st.shared.b32 [%a5], %r10;
            bar.sync 0;
            ld.shared.b32 %r5, [%a6];
            st.global.b32 [%a2], %r5;"""), "orders=all")
        def value(t):
            return sum((k + 1) * (t % 3) for k in range(t % 7))
        self.assertEqual(got, ints(*(value(63 - t) for t in range(N))))

    def test_layout_of_blocks_does_not_matter(self):
        """The exit first, and the loop backwards."""
        got = self.run_kernel(entry(ELEMENTS + """
            mov.b32 %r10, 0;
            setp.gt.u32 %p1, %r0, 40;
            @%p1 bra $end;
            bra.uni $start;
            $end:
            st.global.b32 [%a2], %r10;
            ret;
            $latch:
            add.s32 %r10, %r10, 3;
            setp.lt.u32 %p1, %r10, %r0;
            @!%p1 bra $end;
            $start:
            and.b32 %r5, %r0, 1;
            setp.ne.b32 %p2, %r5, 0;
            @%p2 add.s32 %r10, %r10, 1;
            bra.uni $latch;"""))

        def value(t):
            n = 0
            while t <= 40:
                n += 3 + t % 2
                if n >= t:
                    break
            return n
        self.assertEqual(got, ints(*map(value, range(N))))

    def test_guarded_return(self):
        got = self.run_kernel(entry(ELEMENTS + """
            st.global.b32 [%a2], 1;
            and.b32 %r5, %r0, 1;
            setp.ne.b32 %p1, %r5, 0;
            @%p1 ret;
            st.global.b32 [%a2], 2;"""))
        self.assertEqual(got, ints(*(1 if t % 2 else 2 for t in range(N))))

    def test_threads_and_blocks_have_their_numbers(self):
        text = entry("""mov.u32 %r3, %ntid.x; mov.u32 %r4, %ntid.y;
            mov.u32 %r5, %tid.y; mov.u32 %r6, %tid.z;
            mad.lo.u32 %r7, %r6, %r4, %r5; mad.lo.u32 %r7, %r7, %r3, %r0;
            mov.u32 %r8, %nctaid.x; mov.u32 %r9, %nctaid.y;
            mov.u32 %r10, %ctaid.y; mov.u32 %r11, %ctaid.z;
            mad.lo.u32 %r12, %r11, %r9, %r10; mad.lo.u32 %r12, %r12, %r8, %r1;
            mul.lo.u32 %r13, %r12, 30; add.u32 %r13, %r13, %r7;
            mul.wide.u32 %a2, %r13, 4; add.s64 %a2, %a0, %a2;
            mov.u32 %r14, %laneid;
            mul.lo.u32 %r15, %r14, 65536; add.u32 %r15, %r15, %r13;
            st.global.b32 [%a2], %r15;""")
        for settings in ("", "width=1", "blocks=random", "blocks=backward"):
            got = self.run_kernel(text, settings, grid=(3, 2, 2),
                                  block=(5, 3, 2), size=4 * 360)
            self.assertEqual(got, ints(*(n % 30 * 65536 + n for n in
                                         range(360))), settings)


    def test_a_table_of_branches(self):
        """Threads part to four labels, one of which another falls into."""
        body = ELEMENTS + """rem.u32 %r5, %r0, {};
            $table: .branchtargets
            $zero,
            $one,
            $two, $one;
            brx.idx %r5, $table;
            $two:
            st.global.b32 [%a2], 2;
            $zero:
            add.s32 %r5, %r5, 10;
            bra.uni $end;
            $one:
            add.s32 %r5, %r5, 20;
            $end:
            bar.sync 0;
            st.global.b32 [%a2], %r5;"""
        for settings in ("orders=all", "width=1"):
            got = self.run_kernel(entry(body.format(4)), settings)
            self.assertEqual(got, ints(*(t % 4 + 10 + 10 * (t % 2)
                                         for t in range(N))))
        self.fails("no label of this number", entry(body.format(5)))
        self.fails("a list of labels is expected", entry(
            "brx.idx %r0, $nowhere;"))


class Barriers(Case):
    def test_some_of_a_warp(self):
        text = entry("""and.b32 %r5, %r0, 1;
            setp.ne.b32 %p1, %r5, 0;
            @%p1 bra $skip;
            bar.sync 0;
            $skip:""")
        self.fails("thread 1,0,0: barrier without this thread", text)
        # alone, they end and leave the others waiting
        self.fails("other threads of the block have ended", text, "width=1")

    def test_guarded(self):
        self.fails("barrier without this thread", entry(
            "setp.lt.u32 %p1, %r0, 9; @%p1 bar.sync 0;"))

    def test_ended_threads(self):
        self.fails("barrier when this thread has ended", entry(
            "setp.lt.u32 %p1, %r0, 9; @%p1 ret; bar.sync 0;"))
        self.fails("other threads of the block have ended", entry(
            "setp.lt.u32 %p1, %r0, 32; @%p1 ret; bar.sync 0;"))

    def test_two_barriers_of_one_warp(self):
        text = entry("""and.b32 %r5, %r0, 1;
            setp.ne.b32 %p1, %r5, 0;
            @%p1 bra $other;
            bar.sync 0;
            bra.uni $end;
            $other:
            bar.sync 0;
            $end:""")
        self.fails("barrier without this thread", text)
        self.fails("at another barrier", text, "width=1")

    def test_jump_past_a_test_of_all_threads(self):
        """Threads of the warp part, and come to the barrier on two ways: from
        the test, and with a jump past it.  All come there or none, but what
        both ways have in common is behind the barrier."""
        text = """setp.ne.b32 %p2, %r1, 0;
            setp.gt.u32 %p1, %r0, 8;
            @%p1 bra $test;
            mov.b32 %r5, 1;
            {}
            $test:
            @%p2 bra $end;
            $together:
            bar.sync 0;
            $end:"""
        self.run_kernel(entry(text.format("")), "orders=all", grid=(2,))
        self.fails("line .* 'bar.sync 0;'.*barrier without this thread",
                   entry(text.format("@!%p2 bra $together; bra.uni $end;")),
                   "orders=all", grid=(2,))

    def test_other_barriers(self):
        self.fails("only barrier 0", entry("bar.sync 1;"))


# ---- Asynchronous copies ----------------------------------------------------

COPY = """mul.wide.u32 %a4, %r0, 16;
    add.s64 %a5, %a7, %a4;
    add.s64 %a3, %a1, %a4;
    add.s64 %a2, %a0, %a4;
    """
BACK = """ld.shared.v4.b32 {%r5, %r6, %r7, %r8}, [%a5];
    st.global.v4.b32 [%a2], {%r5, %r6, %r7, %r8};
    """
ROOM = ".shared .align 16 .b8 room[1024]; mov.b64 %a7, room;\n"


class Copies(Case):
    def run_copy(self, body, settings="orders=all", **options):
        return self.run_kernel(entry(ROOM + COPY + body), settings, size=16 * N,
                               **options)

    def test_copy(self):
        for opcode, bytes_ in (("cg", 16), ("ca", 16), ("ca", 8), ("ca", 4)):
            pieces = "".join(f"cp.async.{opcode}.shared.global [%a5+{k}], "
                             f"[%a3+{k}], {bytes_};\n"
                             for k in range(0, 16, bytes_))
            for wait in ("cp.async.wait_all;",
                         "cp.async.commit_group; cp.async.wait_group 0;"):
                self.assertEqual(self.run_copy(pieces + wait + BACK),
                                 self.source)

    def test_the_rest_is_zero(self):
        for valid in (0, 4, 12, 16):
            got = self.run_copy(f"mov.b32 %r9, {valid};"
                                "cp.async.cg.shared.global [%a5], [%a3], 16, "
                                "%r9; cp.async.wait_all;" + BACK)
            want = b"".join(self.source[16 * t:16 * t + valid] +
                            bytes(16 - valid) for t in range(N))
            self.assertEqual(got, want)

    def test_nothing_is_read_of_what_is_not_valid(self):
        self.run_copy("mov.b64 %a3, 0; mov.b32 %r9, 0;"
                      "cp.async.cg.shared.global [%a5], [%a3], 16, %r9;"
                      "cp.async.wait_all;" + BACK)

    def test_without_waiting(self):
        copy = "cp.async.cg.shared.global [%a5], [%a3], 16;"
        for wait in ("", "cp.async.commit_group;",
                     "cp.async.commit_group; cp.async.wait_group 1;",
                     "cp.async.wait_group 0;"):
            with self.assertRaisesRegex(Failure, "nobody wrote byte"):
                self.run_copy(copy + wait + BACK, "")
            # and without that check the values are wrong
            self.assertNotEqual(self.run_copy(copy + wait + BACK,
                                              "shared=unchecked"), self.source)
            # copies may as well be early
            self.assertEqual(self.run_copy(copy + wait + BACK, "async=early"),
                             self.source)

    def test_groups(self):
        body = "".join(f"cp.async.ca.shared.global [%a5+{k}], [%a3+{k}], 4;"
                       "cp.async.commit_group;" for k in (0, 4, 8, 12))
        read = "ld.shared.b32 %r5, [%a5+{}]; st.global.b32 [%a2], %r5;"
        for pending in range(4):
            wait = f"cp.async.wait_group {pending};"
            for k in range(4):
                text = body + wait + read.format(4 * k)
                if k < 4 - pending:
                    got = self.run_copy(text)
                    self.assertEqual(got[:4], self.source[4 * k:4 * k + 4])
                else:
                    with self.assertRaisesRegex(Failure, "nobody wrote"):
                        self.run_copy(text, "")

    def test_the_source_is_read_late(self):
        got = self.run_copy("cp.async.cg.shared.global [%a5], [%a3], 16;"
                            "st.global.b32 [%a3], 7; cp.async.wait_all;" + BACK,
                            "")
        self.assertEqual(got[:4], ints(7))

    def test_the_old_value_is_gone_at_once(self):
        """Who still reads the buffer needs a barrier before the copy."""
        with self.assertRaisesRegex(Failure, "nobody wrote"):
            self.run_copy("st.shared.b32 [%a5], 7;"
                          "cp.async.cg.shared.global [%a5], [%a3], 16;" + BACK,
                          "")

    def test_sizes_and_alignment(self):
        for text, why in (
                ("cp.async.cg.shared.global [%a5], [%a3], 8;", "copy 8 bytes"),
                ("cp.async.ca.shared.global [%a5], [%a3], 2;", "copy 2 bytes"),
                ("cp.async.cg.shared.global [%a5], [%a3+8], 16;",
                 "not aligned to 16"),
                ("cp.async.cg.shared.global [%a5+4], [%a3], 16;",
                 "not aligned to 16"),
                ("mov.b32 %r9, 17; cp.async.cg.shared.global [%a5], [%a3], 16, "
                 "%r9;", "17 bytes are valid"),
                ("cp.async.cg.shared.global [%a5], [%a3+1024], 16;", "700: ")):
            with self.assertRaisesRegex(Failure, why):
                self.run_copy(text)

    def test_sm_75_has_none(self):
        self.fails("sm_75 has no such instruction", entry(
            ROOM + COPY + "cp.async.wait_all;",
            head=HEAD.replace("sm_90", "sm_75")))


# ---- Orders -----------------------------------------------------------------

EXCHANGE = ELEMENTS + SHARED + """ld.global.b32 %r5, [%a3];
    st.shared.b32 [%a5], %r5;
    {}
    ld.shared.b32 %r6, [%a6];
    st.global.b32 [%a2], %r6;"""


class Orders(Case):
    def test_a_missing_barrier(self):
        """Lockstep gives the right result without the barrier, one warp to its
        barrier does not."""
        right, wrong = (entry(EXCHANGE.format(barrier)) for barrier in
                        ("bar.sync 0;", ""))
        for order in ("lockstep", "forward", "backward", "random"):
            settings = f"warps={order},shared=unchecked"
            got = self.run_kernel(right, settings)
            self.assertEqual(got, ints(*self.words()[::-1]))
            if order == "random":
                continue
            got = self.run_kernel(wrong, settings)
            self.assertEqual(got == ints(*self.words()[::-1]),
                             order == "lockstep")
        self.run_kernel(wrong, "warps=lockstep")
        self.fails("nobody wrote", wrong, "warps=forward")
        self.fails("nobody wrote|in the order", wrong, "orders=all")

    def test_a_missing_barrier_within_a_warp(self):
        """Only threads that are not in lockstep see it."""
        text = entry(EXCHANGE.format("").replace("%r0, 63", "%r0, 31"))
        got = self.run_kernel(text, "warps=forward")
        words = self.words()
        self.assertEqual(got, ints(*(words[t ^ 31] for t in range(N))))
        self.fails("nobody wrote", text, "width=1")
        self.fails("nobody wrote|in the order", text, "orders=all")

    def test_a_missing_barrier_before_a_buffer_is_used_again(self):
        """The warp that is ahead overwrites what others have not read."""
        text = EXCHANGE.format("bar.sync 0;") + "{} st.shared.b32 [%a5], 9;"
        self.run_kernel(entry(text.format("bar.sync 0;")), "orders=all")
        self.fails("in the order", entry(text.format("")), "orders=all")

    def test_a_register_without_value(self):
        self.fails("in the order", entry(
            ELEMENTS + "st.global.b32 [%a2], %r9;"), "orders=all")

    def test_what_was_is_restored(self):
        got = self.run_kernel(entry(ELEMENTS + """ld.global.b32 %r5, [%a3];
            add.s32 %r5, %r5, 1;
            st.global.b32 [%a3], %r5;
            st.global.b32 [%a2], %r5;"""), "orders=all")
        self.assertEqual(got, ints(*(w + 1 & 0xffffffff for w in self.words())))

    def test_settings(self):
        for wrong in ("warps=sideways", "blocks=lockstep", "width=3", "width=0",
                      "seed=x", "warps", "=", "colour=red", "async=", "arch=7",
                      "ptxas=", "ptxas=it's"):
            with self.assertRaises(Failure):
                Machine(wrong)
        Machine("warps=lockstep,blocks=random,seed=7,width=8,shared=unchecked,"
                "async=early,orders=one,contraction=error,profile=off,arch=90")


# ---- Limits, and what is not known ------------------------------------------


class Limits(Case):
    def launch(self, grid=(1,), block=(32,), shared=0, attributes="", body="",
               arch="sm_90", ask=0):
        machine = Machine()
        text = entry(body, attributes=attributes,
                     head=HEAD.replace("sm_90", arch))
        kernel = machine.function(machine.load(text), "k")
        if ask:
            machine.allow(kernel, ask)
        machine.launch(kernel, grid, block, 0, 0, shared=shared)

    def test_sizes(self):
        self.launch(block=(1024,))
        self.launch(block=(4, 4, 64))
        self.launch(grid=(1, 2, 3))
        for sizes in ({"block": (1025,)}, {"block": (32, 33)},
                      {"block": (1, 1, 65)}, {"block": (0,)}, {"grid": (0,)},
                      {"grid": (1, 65536)}, {"grid": (1, 1, 65536)},
                      {"grid": (1 << 31,)}):
            with self.assertRaisesRegex(Failure, "1: "):
                self.launch(**sizes)

    def test_threads_that_the_kernel_asks_for(self):
        self.launch(attributes=".reqntid 8, 4\n", block=(8, 4))
        with self.assertRaisesRegex(Failure, "1: "):
            self.launch(attributes=".reqntid 8, 4, 1\n", block=(4, 8))

    def test_shared_memory(self):
        large = ".shared .align 4 .b8 large[{}];"
        self.launch(body=large.format(48 * 1024))
        with self.assertRaisesRegex(Failure, "701: "):
            self.launch(body=large.format(48 * 1024 + 4))
        self.launch(shared=48 * 1024)
        with self.assertRaisesRegex(Failure, "1: "):
            self.launch(shared=48 * 1024 + 1)
        with self.assertRaisesRegex(Failure, "1: "):
            self.launch(body=large.format(1024), shared=47 * 1024 + 1)
        for arch, most in (("sm_75", 64), ("sm_80", 163), ("sm_86", 99),
                           ("sm_90", 227), ("sm_120", 99)):
            self.launch(ask=most * 1024, shared=most * 1024, arch=arch)
            with self.assertRaisesRegex(Failure, "1: "):
                self.launch(ask=most * 1024 + 1, arch=arch)

    def test_newer_than_the_device(self):
        machine = Machine("arch=80")
        with self.assertRaisesRegex(Failure, "218: PTX for sm_90 on sm_80"):
            machine.load(entry(""))


class Unknown(Case):
    def test_instructions(self):
        for text, why in (
                ("ex2.approx.ftz.f32 %r5, %r6;", "bits are not defined"),
                ("div.full.f32 %r5, %r6, %r7;", "bits are not defined"),
                ("add.f32 %r5, %r6, %r7;", "may be fused"),
                ("mul.f64 %a5, %a6, %a7;", "may be fused"),
                ("vote.sync.any.pred %p1, %p2, -1;", "unknown instruction"),
                ("ld.global.L1::no_allocate.b32 %r5, [%a1];",
                 "unknown instruction"),
                ("atom.global.inc.u32 %r5, [%a1], 1;", "unknown instruction"),
                ("add.s32 %r5, %r6;", "2 operands instead of 3"),
                ("add.s32 %r5, %r6, %a7;", "%a7 has 64 bits, not 32"),
                ("add.s32 %q5, %r6, %r7;", "unknown register %q5"),
                ("add.s32 %r5, %r6, %r99;", "unknown operand %r99"),
                ("add.s32 %r5, %r6, 0f3F800000;", None),
                ("mov.u32 %r5, %clock;", "unknown operand %clock"),
                ("exit 7;", "no operand")):
            if why:
                self.fails(why, entry(text))
                # nothing is wrong with what is not executed
                self.run_kernel(entry(f"bra.uni $end; {text} $end:"))
            else:
                self.run_kernel(entry(text))

    def test_contraction_can_be_switched_off(self):
        got = self.run_kernel(entry("""add.f32 %r5, 0f3F800000, 0f40000000;
            mul.f64 %a2, 0d4000000000000000, 0d4008000000000000;
            st.global.b32 [%a0], %r5; st.global.b64 [%a0+8], %a2;"""),
                              "contraction=off", block=(1,))
        self.assertEqual(struct.unpack("<f", got[:4]), (3,))
        self.assertEqual(struct.unpack("<d", got[8:16]), (6,))

    def test_modules(self):
        for text, why in (("", "no .target"),
                          (HEAD + ".texref t;", "unknown directive .texref"),
                          (HEAD + ".visible .entry k() { ret;", "'}' is missing"),
                          (HEAD + ".visible .entry k() { bra $x; }",
                           "line 4: no label \\$x"),
                          (HEAD + ".visible .entry k() { .sreg .b32 x; }",
                           "unknown directive .sreg")):
            with self.assertRaisesRegex(Failure, f"218: .*{why}"):
                Machine().load(text)

    def test_after_a_fault_nothing_works(self):
        self.fails("700: ", entry("ld.global.b32 %r5, [%a1+-4];"))
        with self.assertRaisesRegex(Failure, "700: kernel k"):
            self.machine.array(bytes(4))


if __name__ == "__main__":
    unittest.main()
