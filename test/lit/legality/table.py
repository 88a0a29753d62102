"""Every operation, type and intrinsic that a kernel may contain, each in a
loop of its own, goes through the back end; what may not is refused.

  table.py [--half] PLUGIN [PTXAS]

--half: half of them, drawn by the printed seed (POLYGPU_SEED repeats it).
"""

import os
import random
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "Inputs"))
import gpu_ir
from gpu_ir import statement

INTEGERS = ["i8", "i16", "i32", "i64"]
INTEGER_VECTORS = ["<2 x i8>", "<8 x i16>", "<4 x i32>", "<2 x i64>"]
FLOATS = ["half", "float", "double"]
FLOAT_VECTORS = ["<2 x half>", "<8 x half>", "<2 x float>", "<4 x float>",
                 "<2 x double>"]
BITS = {"i8": 8, "i16": 16, "i32": 32, "i64": 64, "half": 16, "float": 32,
        "double": 64}


def tag(ty):
    return ty.strip("<>").replace(" ", "")


def suffix(ty):
    """How a type is written in an intrinsic's name."""
    count, _, element = ty.strip("<>").rpartition(" x ")
    element = {"half": "f16", "float": "f32", "double": "f64"}.get(element,
                                                                  element)
    return f"v{count}{element}" if count else element


def binary():
    integer = ["add", "sub", "mul", "udiv", "sdiv", "urem", "srem", "shl",
               "lshr", "ashr", "and", "or", "xor"]
    for names, types in ((integer, INTEGERS + INTEGER_VECTORS),
                         (["fadd", "fsub", "fmul", "fdiv"],
                          FLOATS + FLOAT_VECTORS)):
        for op in names:
            for ty in types:
                yield statement(f"{op}_{tag(ty)}", [ty, ty],
                                f"  %v = {op} {ty} %x, %y", ty,
                                kernel=rf"= {op} (exact )?{ty}")


def unary():
    for ty in FLOATS + FLOAT_VECTORS:
        yield statement(f"fneg_{tag(ty)}", [ty], f"  %v = fneg {ty} %x", ty,
                        kernel=rf"= fneg {ty}")
    for ty in INTEGERS + FLOATS + INTEGER_VECTORS + FLOAT_VECTORS:
        # The sum keeps the freeze from being folded away.
        op = "fadd" if "f" in tag(ty) or "double" in ty else "add"
        yield statement(f"freeze_{tag(ty)}", [ty],
                        f"  %w = freeze {ty} %x\n"
                        f"  %v = {op} {ty} %w, %w", ty, kernel="= freeze ")


def conversions():
    def one(op, source, target):
        return statement(f"{op}_{tag(source)}_{tag(target)}", [source],
                         f"  %v = {op} {source} %x to {target}", target,
                         kernel=rf"= {op} (nneg )?{source} \S+ to {target}")

    for source in INTEGERS:
        for target in INTEGERS:
            if BITS[source] > BITS[target]:
                yield one("trunc", source, target)
            elif BITS[source] < BITS[target]:
                yield one("zext", source, target)
                yield one("sext", source, target)
        for target in FLOATS:
            yield one("uitofp", source, target)
            yield one("sitofp", source, target)
            yield one("fptoui", target, source)
            yield one("fptosi", target, source)
    for source in FLOATS:
        for target in FLOATS:
            if BITS[source] > BITS[target]:
                yield one("fptrunc", source, target)
            elif BITS[source] < BITS[target]:
                yield one("fpext", source, target)
    yield one("sext", "<4 x i8>", "<4 x i32>")
    yield one("zext", "<2 x i32>", "<2 x i64>")
    yield one("trunc", "<4 x i32>", "<4 x i16>")
    yield one("sitofp", "<4 x i32>", "<4 x float>")
    yield one("fptosi", "<2 x double>", "<2 x i64>")
    yield one("fpext", "<2 x float>", "<2 x double>")
    # Bits of integers are integers.  Without the sums it would be a load or a
    # store of the other type.
    for source, target in (("<2 x i32>", "i64"), ("i32", "<4 x i8>")):
        yield statement(f"bitcast_{tag(source)}_{tag(target)}", [source],
                        f"  %w = add {source} %x, %x\n"
                        f"  %u = bitcast {source} %w to {target}\n"
                        f"  %v = mul {target} %u, %u", target,
                        kernel=rf"= bitcast {source}")


def comparisons():
    def one(op, predicate, ty):
        return statement(f"{op}_{predicate}_{tag(ty)}", [ty, ty],
                         f"  %w = {op} {predicate} {ty} %x, %y\n"
                         "  %v = zext i1 %w to i8", "i8",
                         kernel=rf"= {op} \w+ {ty}")

    for predicate in ("eq ne ugt uge ult ule sgt sge slt sle").split():
        for ty in ("i8", "i64"):
            yield one("icmp", predicate, ty)
    for predicate in ("oeq ogt oge olt ole one ord ueq ugt uge ult ule une "
                      "uno").split():
        for ty in ("half", "double"):
            yield one("fcmp", predicate, ty)
    for ty in INTEGERS + FLOATS + ["<4 x float>", "<2 x i64>"]:
        compare = "icmp" if tag(ty).lstrip("24x")[0] == "i" else "fcmp"
        predicate = "sgt" if compare == "icmp" else "ogt"
        flags = ty.replace(tag(ty).split("x")[-1], "i1") if "x" in ty else "i1"
        yield statement(f"select_{tag(ty)}", [ty, ty, ty],
                        f"  %w = {compare} {predicate} {ty} %x, %y\n"
                        f"  %v = select {flags} %w, {ty} %z, {ty} %x", ty,
                        kernel="= select ")


def vectors():
    for ty in ["<4 x float>", "<2 x double>", "<4 x i32>", "<2 x i64>",
               "<8 x half>", "<16 x i8>"]:
        element = ty.strip("<>").split()[-1]
        yield statement(f"extract_{tag(ty)}", [ty],
                        f"  %v = extractelement {ty} %x, i32 1", element,
                        kernel="= extractelement ")
        yield statement(f"insert_{tag(ty)}", [ty, element],
                        f"  %v = insertelement {ty} %x, {element} %y, i32 1",
                        ty, kernel="= insertelement ")
    yield statement("shuffle", ["<4 x float>"] * 2,
                    "  %v = shufflevector <4 x float> %x, <4 x float> %y, "
                    "<4 x i32> <i32 6, i32 1, i32 0, i32 5>", "<4 x float>",
                    kernel="= shufflevector ")
    # A variable index.
    yield statement("extract_at", ["<4 x float>", "i32"],
                    "  %w = and i32 %y, 3\n"
                    "  %v = extractelement <4 x float> %x, i32 %w", "float",
                    kernel="= extractelement ")


def odd_types():
    """Integers of other widths are values, but not elements of arrays."""
    for width in (1, 7, 24, 33, 63):
        ty = f"i{width}"
        yield statement(f"value_{ty}", ["i64", "i64"],
                        f"  %p = trunc i64 %x to {ty}\n"
                        f"  %q = trunc i64 %y to {ty}\n"
                        f"  %w = udiv {ty} %p, %q\n"
                        f"  %v = sext {ty} %w to i64", "i64")
    yield statement("value_flags", ["<4 x float>", "<4 x float>"],
                    "  %p = fcmp ogt <4 x float> %x, %y\n"
                    "  %v = zext <4 x i1> %p to <4 x i8>", "<4 x i8>")
    for ty in ("i24", "i7", "i48", "<3 x float>", "<3 x i8>", "<4 x i1>"):
        yield statement(f"element_{tag(ty)}", [ty], "", ty,
                        refusal="Type: |cannot be analysed")._replace(
            text=statement(f"element_{tag(ty)}", [ty], "", ty)
            .text.replace("%v,", "%x,"))
    for ty in ("i128", "bfloat", "x86_fp80", "fp128", "<8 x float>",
               "<2 x fp128>", "<2 x i128>", "<2 x bfloat>", "ppc_fp128"):
        op = "add" if "i128" in ty else "fadd"
        yield statement(f"element_{tag(ty)}", [ty], f"  %v = {op} {ty} %x, %x",
                        ty, refusal="Type: .*(elements|value) of type")
    # Refused also where no array has the type.
    for ty in ("bfloat", "x86_fp80", "fp128"):
        yield statement(
            f"value_{ty}", ["float", "float"],
            f"  %p = sitofp i32 7 to {ty}\n"
            f"  %t = fptosi float %x to i32\n"
            f"  %q = sitofp i32 %t to {ty}\n"
            f"  %w = fdiv {ty} %p, %q\n"
            f"  %v = fptosi {ty} %w to i32", "i32",
            refusal="Type: .*value of type (__bf16|long double)")
    yield statement("value_i128", ["i64", "i64"],
                    "  %p = zext i64 %x to i128\n"
                    "  %q = zext i64 %y to i128\n"
                    "  %w = mul i128 %p, %q\n"
                    "  %u = lshr i128 %w, 64\n"
                    "  %v = trunc i128 %u to i64", "i64",
                    refusal="Type: .*value of type __int128")


def calls():
    def one(name, types, result, extra=""):
        overload = types[-1] if name in ("powi",) else types[0]
        symbol = f"@llvm.{name}.{suffix(types[0])}"
        arguments = ", ".join(f"{ty} %{v}" for ty, v in zip(types, "xyz"))
        declared = ", ".join(types) + (", i1" if extra else "")
        # The device knows minnum and the like under the same name; fmuladd
        # is fused there.
        kernel = symbol.replace("fmuladd", "fma").replace(".", r"\.")
        return statement(f"{name.replace('.', '_')}_{tag(overload)}", types,
                         f"  %v = call {result} {symbol}({arguments}{extra})",
                         result, declares=[f"declare {result} {symbol}({declared})"],
                         kernel=kernel)

    def three_way(name, ty):
        result = "i8" if ty[0] == "i" else ty
        symbol = f"@llvm.{name}.{suffix(result)}.{suffix(ty)}"
        return statement(f"{name}_{tag(ty)}", [ty, ty],
                         f"  %v = call {result} {symbol}({ty} %x, {ty} %y)",
                         result,
                         declares=[f"declare {result} {symbol}({ty}, {ty})"],
                         kernel=symbol.replace(".", r"\."))

    for ty in ["float", "double", "<4 x float>", "<2 x double>"]:
        for name in ("fma", "fmuladd"):
            yield one(name, [ty] * 3, ty)
        for name in ("sqrt", "fabs", "floor", "ceil", "trunc", "rint",
                     "nearbyint", "round", "roundeven"):
            yield one(name, [ty], ty)
        for name in ("copysign", "minnum", "maxnum"):
            yield one(name, [ty] * 2, ty)
    yield one("fabs", ["half"], "half")
    yield one("copysign", ["half"] * 2, "half")
    for ty in INTEGERS + ["<4 x i32>", "<2 x i64>"]:
        for name in ("smin", "smax", "umin", "umax", "sadd.sat", "uadd.sat",
                     "ssub.sat", "usub.sat"):
            yield one(name, [ty] * 2, ty)
        for name in ("scmp", "ucmp"):
            yield three_way(name, ty)
        yield one("abs", [ty], ty, ", i1 false")
        yield one("ctlz", [ty], ty, ", i1 false")
        yield one("cttz", [ty], ty, ", i1 true")
        yield one("ctpop", [ty], ty)
        yield one("fshl", [ty] * 3, ty)
        yield one("fshr", [ty] * 3, ty)
        yield one("bitreverse", [ty], ty)
        if ty != "i8":
            yield one("bswap", [ty], ty)
    # Not on the list.
    for name, ty in (("sqrt", "half"), ("fma", "half"), ("round", "half"),
                     ("canonicalize", "float"), ("sshl.sat", "i32")):
        count = 3 if name == "fma" else 2 if "sat" in name else 1
        yield one(name, [ty] * count, ty)._replace(
            refusal="Call: .*'" + name.replace(".", r"\."), kernel="")


def other_instructions():
    yield statement("bits_of_float", ["float"],
                    "  %u = fadd float %x, 1.0\n"
                    "  %w = bitcast float %u to i32\n"
                    "  %v = xor i32 %w, 5", "i32",
                    refusal="BitCast: .*bits of a floating-point value")
    yield statement("bits_of_double", ["i64"],
                    "  %u = xor i64 %x, 5\n"
                    "  %w = bitcast i64 %u to double\n"
                    "  %v = fadd double %w, 1.0", "double",
                    refusal="BitCast: .*bits of a floating-point value")
    yield statement("bits_of_vector", ["<4 x float>"],
                    "  %u = fadd <4 x float> %x, %x\n"
                    "  %w = bitcast <4 x float> %u to <4 x i32>\n"
                    "  %v = add <4 x i32> %w, %w", "<4 x i32>",
                    refusal="BitCast: .*bits of a floating-point value")
    yield statement("pair", ["i32", "i32"],
                    "  %w = call { i32, i1 } @llvm.sadd.with.overflow.i32("
                    "i32 %x, i32 %y)\n"
                    "  %u = extractvalue { i32, i1 } %w, 1\n"
                    "  %v = zext i1 %u to i8", "i8",
                    declares=["declare { i32, i1 } "
                              "@llvm.sadd.with.overflow.i32(i32, i32)"],
                    refusal="(Call|Instruction|Type): ")


def cases():
    for make in (binary, unary, conversions, comparisons, vectors, odd_types,
                 calls, other_instructions):
        yield from make()


def main():
    half = sys.argv[1] == "--half"
    plugin, ptxas = sys.argv[1 + half], "".join(sys.argv[2 + half:3 + half])
    table = list(cases())
    if half:
        seed = int(os.environ.get("POLYGPU_SEED", random.randrange(1 << 31)))
        print(f"seed {seed}")
        table = random.Random(seed).sample(table, len(table) // 2)
    if ptxas:
        good = [case for case in table if not case.refusal]
        modules = gpu_ir.ptx_modules(plugin, gpu_ir.module(good)) or []
        wrong = abs(len(good) - len(modules))
        wrong += gpu_ir.check_ptxas(ptxas, modules)
    else:
        wrong = gpu_ir.check_remarks(plugin, table,
                                     ["-gpu-targets=ptx,emulated"])
        wrong += gpu_ir.check_kernels(plugin, table)
    gpu_ir.finish(len(table), wrong)


if __name__ == "__main__":
    main()
