"""Rules about what a loop may do, in pairs: one loop breaks the rule and is
refused with the reason, its near twin keeps it and goes through the back end.

  rules.py PLUGIN
"""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "Inputs"))
import gpu_ir
from gpu_ir import load, loop, statement, store

G = "@g = internal global [100 x i64] zeroinitializer"


def copy(name, extra, **more):
    """r[i] = a[i], both i32, and something else."""
    return loop(name, load("x", "a", "i32") + extra + store("%x", "i32"),
                **more)


def memory():
    refusal = "volatile or atomic"
    for kind in ("volatile", "atomic"):
        order = "" if kind == "volatile" else " monotonic"
        yield loop(f"{kind}_load",
                   "  %p = getelementptr inbounds i32, ptr %a, i64 %i\n"
                   f"  %x = load {kind} i32, ptr %p{order}, align 4\n"
                   + store("%x", "i32"), refusal=refusal)
        yield loop(f"{kind}_store", load("x", "a", "i32")
                   + "  %p = getelementptr inbounds i32, ptr %r, i64 %i\n"
                   f"  store {kind} i32 %x, ptr %p{order}, align 4\n",
                   refusal=refusal)
    yield copy("plain_access", "")
    yield copy("atomicrmw",
               "  %o = atomicrmw add ptr %b, i32 1 monotonic, align 4\n",
               refusal="atomic|cannot be analysed")
    yield copy("cmpxchg",
               "  %o = cmpxchg ptr %b, i32 1, i32 2 monotonic monotonic\n",
               refusal="atomic|cannot be analysed")
    yield copy("fence", "  fence seq_cst\n",
               refusal="atomic|cannot be analysed")
    # Structures without bytes between their fields are copied field by field.
    padded = "{ [8 x i32], i8 }"
    yield loop("structure",
               "  %a.q = getelementptr inbounds [9 x i32], ptr %a, i64 %i\n"
               "  %r.q = getelementptr inbounds [9 x i32], ptr %r, i64 %i\n"
               "  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %r.q, "
               "ptr align 4 %a.q, i64 36, i1 false)\n",
               declares=["declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, "
                         "i1)"])
    for name, operand in (("memcpy", "ptr"), ("memmove", "ptr"),
                          ("memset", "i8")):
        value = "ptr %a.q" if operand == "ptr" else "i8 7"
        overload = "p0.p0" if operand == "ptr" else "p0"
        yield loop(name,
                   f"  %a.q = getelementptr inbounds {padded}, ptr %a, i64 %i\n"
                   f"  %r.q = getelementptr inbounds {padded}, ptr %r, i64 %i\n"
                   f"  call void @llvm.{name}.{overload}.i64(ptr align 4 %r.q, "
                   f"{value}, i64 36, i1 false)\n",
                   declares=[f"declare void @llvm.{name}.{overload}.i64(ptr, "
                             f"{operand}, i64, i1)"],
                   refusal="MemIntrinsic: .*as a block|call of 'llvm.mem")
    yield loop("address_space_1", load("x", "a", "i32").replace(
        "ptr %a", "ptr addrspace(1) %a").replace(
        "ptr %x.p", "ptr addrspace(1) %x.p") + store("%x", "i32"),
        params="ptr addrspace(1) noalias %a, ptr noalias %r",
        refusal="AddressSpace: .*'a'.*address space")


def types():
    yield loop("two_types", load("x", "a", "i32") + load("y", "a", "float")
               + "  %w = fptosi float %y to i32\n"
               "  %v = add i32 %x, %w\n" + store("%v", "i32"),
               refusal="ElementTypes: .*'a'.*different element types")
    yield loop("two_sizes", load("x", "a", "i32", "3") + load("y", "a", "i8")
               + "  %w = sext i8 %y to i32\n"  # the host loads the first
               "  %v = add i32 %x, %w\n" + store("%v", "i32"))
    yield loop("one_type", load("x", "a", "i32") + load("y", "a", "i32", "3")
               + "  %v = add i32 %x, %y\n" + store("%v", "i32"))
    yield statement("struct_element", ["{ float, float }"],
                    "  %v = extractvalue { float, float } %x, 1", "float")  # a load of the field
    # What comes from before the loop.
    params = "ptr noalias %a, ptr noalias %r, {} %q"
    yield loop("invariant_float", load("x", "a", "float")
               + "  %v = fmul float %x, %q\n" + store("%v", "float"),
               params=params.format("float"))
    yield loop("invariant_flag", load("x", "a", "float")
               + "  %v = select i1 %q, float %x, float 1.0\n"
               + store("%v", "float"), params=params.format("i1"))
    yield loop("invariant_vector", load("x", "a", "<4 x float>")
               + "  %v = fmul <4 x float> %x, %q\n"
               + store("%v", "<4 x float>"), params=params.format("<4 x float>"))
    for ty in ("x86_fp80", "fp128", "bfloat"):
        yield loop(f"invariant_{ty}", load("x", "a", "float")
                   + f"  %w = fcmp ogt {ty} %q, %q2\n"
                   "  %v = select i1 %w, float %x, float 1.0\n"
                   + store("%v", "float"),
                   params=params.format(ty) + f", {ty} %q2",
                   refusal="Type: .*(__bf16|long double)")
    yield loop("invariant_i128", load("x", "a", "i64")
               + "  %w = trunc i128 %q to i64\n"
               "  %v = mul i64 %x, %w\n" + store("%v", "i64"),
               params=params.format("i128"))  # the host truncates it
    # Constants.
    yield statement("constant_float", ["float"], "  %v = fadd float %x, 0.5",
                    "float")
    yield statement("constant_vector", ["<4 x float>"],
                    "  %v = fadd <4 x float> %x, <float 0.5, float 1.0, "
                    "float 1.5, float 2.0>", "<4 x float>")
    yield statement("constant_flags", ["<4 x float>", "<4 x i8>"],
                    "  %p = fcmp ogt <4 x float> %x, zeroinitializer\n"
                    "  %q = xor <4 x i1> %p, <i1 1, i1 0, i1 1, i1 0>\n"
                    "  %w = zext <4 x i1> %q to <4 x i8>\n"
                    "  %v = mul <4 x i8> %w, %y", "<4 x i8>")
    yield statement("constant_poison_lane", ["<2 x i32>"],
                    "  %v = mul <2 x i32> %x, <i32 7, i32 poison>",
                    "<2 x i32>")


def pointers():
    refusal = "PointerValue|Type: |Constant|element|pointer|address"
    # A number that the host makes of an address of its own is a number; the
    # kernel gets it as an argument.
    number = "xor i64 .*%invariant"
    yield loop("store_pointer", store("%a", "ptr"), refusal=refusal)
    yield loop("store_offset_pointer",
               "  %p = getelementptr inbounds i32, ptr %a, i64 %i\n"
               + store("%p", "ptr"), refusal=refusal)
    yield loop("copy_pointers", load("x", "a", "ptr") + store("%x", "ptr"),
               refusal=refusal)
    yield loop("pointer_as_integer", load("x", "a", "i64")
               + "  %q = ptrtoint ptr %b to i64\n"
               "  %v = xor i64 %x, %q\n" + store("%v", "i64"), kernel=number)
    yield loop("pointer_difference", load("x", "a", "i64")
               + "  %s = ptrtoint ptr %b to i64\n"
               "  %t = ptrtoint ptr %c to i64\n"
               "  %q = sub i64 %s, %t\n"
               "  %v = xor i64 %x, %q\n" + store("%v", "i64"), kernel=number)
    yield loop("pointer_compare", load("x", "a", "i32")
               + "  %p = getelementptr inbounds i32, ptr %b, i64 %i\n"
               "  %q = icmp ult ptr %p, %c\n"
               "  %v = select i1 %q, i32 %x, i32 7\n" + store("%v", "i32"),
               refusal=refusal)
    yield loop("pointer_null", load("x", "a", "i32")
               + "  %q = icmp eq ptr %b, null\n"
               "  %v = select i1 %q, i32 %x, i32 7\n" + store("%v", "i32"),
               refusal=refusal)
    yield loop("pointer_select", load("x", "a", "i32")
               + "  %q = icmp sgt i32 %x, 3\n"
               "  %s = select i1 %q, ptr %b, ptr %c\n"
               + store("%s", "ptr"), refusal=refusal)
    # One of two arrays is read: a load of each, under its condition.
    yield loop("array_chosen", load("x", "a", "i32")
               + "  %q = icmp sgt i32 %x, 3\n"
               "  %s = select i1 %q, ptr %b, ptr %c\n"
               + load("y", "s", "i32") + store("%y", "i32"))
    yield loop("pointer_loaded", load("s", "a", "ptr") + load("y", "s", "i32", "3")
               + store("%y", "i32"), refusal=refusal)
    yield loop("pointer_from_integer", load("x", "a", "i64")
               + "  %s = inttoptr i64 %x to ptr\n"
               + load("y", "s", "i32", "3") + store("%y", "i32"),
               refusal=refusal)
    yield loop("constant_address",
               store("ptrtoint (ptr @g to i64)", "i64"), declares=[G],
               refusal=refusal)
    yield loop("constant_pointer", store("@g", "ptr"), declares=[G],
               refusal=refusal)
    yield loop("constant_element",
               "  %v = add i64 %i, ptrtoint (ptr getelementptr (i64, ptr @g, "
               "i64 5) to i64)\n" + store("%v", "i64"), declares=[G],
               kernel=r"(add|sub|or) i64 .*%invariant")
    # The same arrays, only read and written.
    yield loop("global_read", load("x", "g", "i64").replace("%g", "@g")
               + store("%x", "i64"), declares=[G])
    yield loop("counter_stored", store("%i", "i64"))
    # An address computed before the loop is a base like any other.
    yield loop("base_before_loop", load("x", "q", "i32") + store("%x", "i32"),
               before="  %q = getelementptr inbounds i32, ptr %a, i64 5")


def control():
    def branch(name, condition, refusal):
        body = load("x", "a", "float") + condition + \
            "  br i1 %q, label %then, label %tail\n\nthen:\n" + \
            store("%x", "float") + "  br label %tail\n\ntail:"
        case = loop(name, body, refusal=refusal)
        return case._replace(text=case.text.replace("%next, %body ]",
                                                    "%next, %tail ]"))

    yield branch("branch_on_data", "  %q = fcmp ogt float %x, 0.0\n", "")
    yield branch("branch_on_counter", "  %q = icmp sgt i64 %i, 5\n", "")
    yield branch("branch_on_square", "  %s = mul nsw i64 %i, %i\n"
                 "  %q = icmp sgt i64 %s, %n\n", "")
    yield statement("select_on_data", ["float", "float"],
                    "  %q = fcmp ogt float %x, 0.0\n"
                    "  %v = select i1 %q, float %x, float %y", "float")
    yield loop("recurrence", load("x", "r", "float")
               + "  %w = fmul float %x, 0.5\n"
               "  %k = add nsw i64 %i, 1\n" + store("%w", "float", index="%k"),
               refusal="parallel")
    yield loop("own_element", load("x", "r", "float")
               + "  %w = fmul float %x, 0.5\n" + store("%w", "float"))
    square = "  %v = mul nsw i64 %i, %i\n"
    yield loop("counter_square", square + store("%v", "i64"))
    yield loop("counter_power", square + "  %w = mul nsw i64 %v, %v\n"
               + store("%w", "i64"), refusal="NonAffineValue: |^$")
    yield loop("counter_multiple", "  %v = mul nsw i64 %i, 3\n"
               + store("%v", "i64"))
    yield loop("indirect", load("x", "a", "i64")
               + store("%i", "i64", index="%x"),
               refusal="IndirectWrite: .*which element of 'r' is written "
                       "depends on data, which is read from 'a'")
    yield loop("indirect_same", load("x", "a", "i64")
               + store("1", "i64", index="%x"))


def calls():
    yield copy("unknown_call", "  call void @f()\n",
               declares=["declare void @f()"], refusal="call of 'f'")
    yield copy("pure_call", "  %v = call i32 @h(i32 %x)\n"
               + store("%v", "i32", "b"),
               declares=["declare i32 @h(i32) memory(none) nounwind "
                         "willreturn"], refusal="Call: .*'h'")
    yield copy("function_pointer", "  call void %b()\n",
               refusal="a function pointer")
    yield copy("pure_function_pointer", "  %v = call i32 %b(i32 %x) #0\n"
               + store("%v", "i32", "c"),
               declares=["attributes #0 = { memory(none) nounwind willreturn }"],
               refusal="a function pointer|PointerValue")
    yield copy("assembly", '  call void asm sideeffect "nop", ""()\n',
               refusal="assembly|function pointer|cannot be analysed|'asm")
    yield copy("pure_assembly", '  %v = call i32 asm "mov $1, $0", "=r,r"'
               "(i32 %x)\n" + store("%v", "i32", "b"),
               refusal="Call: |assembly|cannot be analysed")
    yield copy("inlined", "  %v = call i32 @sq(i32 %x)\n"
               + store("%v", "i32", "b"),
               declares=["define internal i32 @sq(i32 %x) {\n"
                         "  %v = mul i32 %x, %x\n  ret i32 %v\n}"])
    # Notes for the optimiser are no code.
    yield copy("assume", "  %q = icmp sgt i32 %x, 0\n"
               "  call void @llvm.assume(i1 %q)\n",
               declares=["declare void @llvm.assume(i1)"])
    yield copy("expect", "  %q = icmp sgt i32 %x, 0\n"
               "  %e = call i1 @llvm.expect.i1(i1 %q, i1 true)\n"
               "  %v = select i1 %e, i32 %x, i32 7\n"
               + store("%v", "i32", "b"),
               declares=["declare i1 @llvm.expect.i1(i1, i1)"])
    yield copy("scope_declaration",
               "  call void @llvm.experimental.noalias.scope.decl("
               "metadata !1)\n",
               declares=["declare void @llvm.experimental.noalias.scope.decl("
                         "metadata)", "!0 = distinct !{!0}",
                         "!2 = distinct !{!2, !0}", "!1 = !{!2}"])


def main():
    plugin = sys.argv[1]
    table = [case for make in (memory, types, pointers, control, calls)
             for case in make()]
    wrong = gpu_ir.check_remarks(plugin, table, ["-gpu-targets=ptx,emulated"])
    wrong += gpu_ir.check_kernels(plugin, table)
    # Where all are refused, nothing changes.
    text = gpu_ir.module([case for case in table if case.refusal])
    before = gpu_ir.opt(plugin, text, "-passes=verify", "-S")
    after = gpu_ir.opt(plugin, text, "-passes=gpu-polyhedral", "-S")
    if gpu_ir.without_comments(before) != gpu_ir.without_comments(after):
        wrong += 1
        print("the module was changed though all loops are refused")
    gpu_ir.finish(len(table), wrong)


if __name__ == "__main__":
    main()
