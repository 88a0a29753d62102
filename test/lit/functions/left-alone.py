"""Functions that the pass must leave as they are, each with a loop that would
be offloaded otherwise: a remark says why, and the module does not change.

  left-alone.py PLUGIN
"""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "Inputs"))
import gpu_ir
from gpu_ir import load, loop, store

BODY = load("x", "a", "float") + "  %v = fmul float %x, %x\n" + \
    store("%v", "float")
SANITIZER = "Sanitizer: .*the function is checked by a sanitizer, which cannot look"
ATTRIBUTES = {
    "optnone noinline": r"OptNone: .*the function is not to be optimised \(optnone or -O0\)",
    "strictfp": "StrictFP: .*the function may change or inspect the "
    "floating-point environment",
    "presplitcoroutine": "Coroutine: .*the function is a coroutine; move the loop",
    "sanitize_address": SANITIZER,
    "sanitize_memory": SANITIZER,
    "sanitize_thread": SANITIZER,
    "sanitize_hwaddress": SANITIZER,
    "sanitize_memtag": SANITIZER,
    "sanitize_type": SANITIZER,
    "sanitize_realtime": SANITIZER,
    "sanitize_realtime_blocking": SANITIZER,
    "sanitize_numerical_stability": SANITIZER,
    "sanitize_alloc_token": SANITIZER,
}
COUNTER = """\
@name = private constant [1 x i8] c"p"
declare void @llvm.instrprof.increment(ptr, i64, i32, i32)
declare void @llvm.instrprof.increment.step(ptr, i64, i32, i32, i64)
declare void @llvm.instrprof.cover(ptr, i64, i32, i32)"""

NAKED = """\
define void @naked() naked {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %p = getelementptr inbounds i64, ptr @g, i64 %i
  store i64 %i, ptr %p
  %next = add nsw i64 %i, 1
  %more = icmp slt i64 %next, 100
  br i1 %more, label %loop, label %end

end:
  ret void
}
"""


def cases():
    for number, (attribute, refusal) in enumerate(ATTRIBUTES.items()):
        name = attribute.split()[0] + str(number)
        yield loop(name, BODY, attributes=attribute, refusal=refusal)
    for name, extra in (("increment", ""), ("increment.step", ", i64 2"),
                        ("cover", "")):
        yield loop("profiled_" + name.replace(".", "_"),
                   f"  call void @llvm.instrprof.{name}(ptr @name, i64 1, "
                   f"i32 1, i32 0{extra})\n" + BODY, declares=[COUNTER],
                   refusal="Profiled: .*the loops count their executions for a profile; ")
    # A naked function must not name its arguments.
    yield gpu_ir.Case("naked", NAKED,
                      ("@g = global [100 x i64] zeroinitializer",),
                      "Naked: .*the function is naked; write it without", "")
    case = loop("elsewhere", BODY, refusal="AvailableExternally: .*this body is only a copy")
    yield case._replace(text=case.text.replace(
        "define", "define available_externally"))


def good():
    """None of these stands in the way."""
    for name, attributes in (("plain", ""), ("hot", "hot nounwind uwtable"),
                             ("small", "optsize"), ("cold", "cold minsize"),
                             ("stack", "sspstrong"), ("inline", "noinline"),
                             ("strings", '"frame-pointer"="all"')):
        yield loop(name, BODY, attributes=attributes)


# No loop, no remark, whatever the attributes.
WITHOUT_LOOPS = """
define float @straight(ptr %a) {
  %x = load float, ptr %a
  ret float %x
}
define float @straight_optnone(ptr %a) optnone noinline {
  %x = load float, ptr %a
  ret float %x
}
define float @recursive(i32 %n, ptr %a) sanitize_address {
  %c = icmp eq i32 %n, 0
  br i1 %c, label %end, label %more
more:
  %m = sub i32 %n, 1
  %y = call float @recursive(i32 %m, ptr %a)
  ret float %y
end:
  ret float 0.0
}
declare void @outside(ptr)
"""


def main():
    plugin = sys.argv[1]
    table = list(cases())
    wrong = gpu_ir.check_remarks(plugin, table, [])
    wrong += gpu_ir.check_remarks(plugin, list(good()),
                                  ["-gpu-targets=ptx,emulated"])
    for what, text in (("left alone", gpu_ir.module(table)),
                       ("without loops", gpu_ir.HEADER + WITHOUT_LOOPS)):
        before = gpu_ir.opt(plugin, text, "-passes=verify", "-S")
        after = gpu_ir.opt(plugin, text, "-passes=gpu-polyhedral", "-S",
                           "-pass-remarks=.*", "-pass-remarks-missed=.*")
        if gpu_ir.without_comments(before) != gpu_ir.without_comments(after):
            wrong += 1
            print(f"the module that is {what} was changed")
        if what == "without loops" and after.stderr:
            wrong += 1
            print("remark about no loop: " + after.stderr)
    gpu_ir.finish(len(table), wrong)


if __name__ == "__main__":
    main()
