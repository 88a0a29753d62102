"""Sentences of refusals that programs in C do not get, each with a loop that is
like it and is offloaded.

  sentences.py PLUGIN
"""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "Inputs"))
import gpu_ir
from gpu_ir import load, loop, statement, store

STRUCTURE = "ptr noalias %a, ptr noalias %r, {i32, i32} %s"


def chosen(name, ty, refusal=""):
    return loop(name, load("y", "a", "i8") + "  %x = trunc i8 %y to i1\n"
                + f"  %q = select i1 %x, {ty} %s, {ty} zeroinitializer\n"
                + ("  %v = extractvalue {i32, i32} %q, 0\n" if "{" in ty else
                   "  %v = add i32 %q, 0\n") + store("%v", "i32"),
                params=STRUCTURE if "{" in ty else STRUCTURE.replace(
                    "{i32, i32}", ty), refusal=refusal)


def dimensions(name, count, refusal=""):
    ty = "[2 x " * count + "i32" + "]" * count
    return loop(name, f"  %p = getelementptr {ty}, ptr %r, i64 %i"
                + ", i64 0" * (count // 2) + ", i64 %i"
                + ", i64 0" * (count - count // 2 - 1)
                + "\n  store i32 1, ptr %p\n", refusal=refusal)


def jump(name, line, refusal=""):
    return gpu_ir.Case(name, f"""\
define void @{name}(i64 %n, ptr %r) {{
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %rest ]
  %p = getelementptr inbounds i32, ptr %r, i64 %i
  store i32 1, ptr %p
  {line}

rest:
  %next = add nsw i64 %i, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %end

end:
  ret void
}}
""", (), refusal, "")


def cases():
    for ty in "half", "float":
        yield statement(
            "remainder_" + ty, (ty, ty), f"  %v = frem {ty} %x, %y", ty,
            refusal="Type: .*a floating-point remainder is of a type other than "
                    "float and double; use one of these" * (ty == "half"))
    for name, ty in ("pointer", "ptr"), ("number", "i64"):
        yield loop(name, f"  %q = icmp eq {ty} %b, {'null' if ty == 'ptr' else 0}\n"
                   "  %v = zext i1 %q to i32\n" + store("%v", "i32"),
                   params=f"{ty} %b, ptr noalias %r",
                   refusal=r"PointerValue: .*a pointer is used as a value \(stored, "
                           r"compared or passed on\), not only to access an array; "
                           "keep pointers out" * (ty == "ptr"))
    yield chosen("structure", "{i32, i32}",
                 r"Instruction: .*an operation \('extractvalue'\) that kernels do "
                 "not support; write it with ordinary arithmetic")
    yield chosen("integer", "i32")
    body = ("  %q = getelementptr i32, ptr %v, i64 %n\n  store i32 7, ptr %v\n"
            "  %w = load i32, ptr %q\n" + store("%w", "i32"))
    yield loop("variable", "  %v = alloca i32, i64 %i\n" + body,
               refusal=r"Alloca: .*a local variable is created inside the loop "
                       r"\(a variable-length array or alloca\); create it before")
    yield loop("constant", body, before="  %v = alloca i32, i64 4")
    yield dimensions("many", 31, "TooLarge: .*an array has more than 8 dimensions; "
                                 "use fewer")
    yield dimensions("few", 7)
    yield jump("assembly", 'callbr void asm sideeffect "", "!i"() '
               "to label %rest [label %end]",
               r"InvalidTerminator: .*the control flow \(a switch, an exception or "
               r"an indirect jump\) cannot be described; use if and for")
    yield jump("branch", "br label %rest")


if __name__ == "__main__":
    table = list(cases())
    gpu_ir.finish(len(table), gpu_ir.check_remarks(
        sys.argv[1], table, ["-gpu-targets=emulated"]))
