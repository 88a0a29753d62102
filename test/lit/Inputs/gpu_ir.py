"""What the table-driven tests share: loops in IR, runs of opt on many of
them at once, ptxas.

A case is one function with a loop.  All cases of a table are one module, so
that a table takes one run of opt; where that run dies, the cases run one by
one to say which of them did it.
"""

import os
import re
import subprocess
import sys
import tempfile
from collections import namedtuple
from concurrent.futures import ThreadPoolExecutor

HEADER = """\
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"
"""
TIMEOUT = 300

# name: of the function; text: its definition; declares: declarations and
# globals that it needs; refusal: pattern of the remark, "" where the loop has
# to be offloaded; kernel: pattern in the device code, "" for any.
Case = namedtuple("Case", "name text declares refusal kernel")
Remark = namedtuple("Remark", "kind name function text")


def loop(name, body, declares=(), refusal="", kernel="",
         params="ptr noalias %a, ptr noalias %b, ptr noalias %c, ptr noalias %r",
         attributes="", before=""):
    """void name(long n, params): body for i from 0 below n."""
    text = f"""\
define void @{name}(i64 %n, {params}) {attributes} {{
entry:
{before}
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %more = icmp slt i64 %i, %n
  br i1 %more, label %body, label %end

body:
{body}
  %next = add nsw i64 %i, 1
  br label %loop

end:
  ret void
}}
"""
    return Case(name, text, tuple(declares), refusal, kernel)


def load(value, array, ty, index="%i"):
    return (f"  %{value}.p = getelementptr inbounds {ty}, ptr %{array}, i64 {index}\n"
            f"  %{value} = load {ty}, ptr %{value}.p\n")


def store(value, ty, array="r", index="%i"):
    return (f"  %{array}.p = getelementptr inbounds {ty}, ptr %{array}, i64 {index}\n"
            f"  store {ty} {value}, ptr %{array}.p\n")


def statement(name, inputs, operation, result, **more):
    """r[i] = operation of x, y, z, which are a[i], b[i], c[i] of the types
    "inputs"; the operation's last line defines %v of type "result"."""
    body = "".join(load(v, array, ty)
                   for v, array, ty in zip("xyz", "abc", inputs))
    body += operation + "\n" + store("%v", result)
    return loop(name, body, **more)


def module(cases):
    declares = sorted({line for case in cases for line in case.declares})
    return "\n".join([HEADER, *declares, *(case.text for case in cases)])


def run(command, text=None):
    """The finished process of a command, fed with "text"."""
    return subprocess.run(command, input=text, timeout=TIMEOUT, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          errors="replace")


def opt(plugin, text, *arguments):
    return run(["opt", f"-load-pass-plugin={plugin}", *arguments, "-"], text)


def without_comments(done):
    """IR that opt has printed, without what depends on how it was read: the
    first line and the lists of predecessors."""
    return re.sub(r" *; preds = .*|^; ModuleID.*", "", done.stdout,
                  flags=re.M)


def read_remarks(path):
    """The remarks of a YAML file."""
    remarks = []
    for document in open(path).read().split("--- !")[1:]:
        field = dict(re.findall(r"^(\w+):\s+(\S+)$", document, re.M))
        text = re.sub(r"\s*\n\s+", " ", document.split("Args:", 1)[1])
        remarks.append(Remark(document.split()[0], field["Name"],
                              field["Function"].strip("'"),
                              text.replace("''", "'")))
    return remarks


def remarks_of(plugin, cases, arguments):
    """The remarks of each case's function, None where opt died."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "remarks.yaml")
        done = opt(plugin, module(cases), "-passes=gpu-polyhedral,verify",
                   "-disable-output", f"-pass-remarks-output={path}",
                   "-pass-remarks-filter=gpu-polyhedral", *arguments)
        if done.returncode == 0:
            found = {case.name: [] for case in cases}
            for remark in read_remarks(path):
                found[remark.function].append(remark)
            return found
    if len(cases) == 1 or done.returncode > 0:  # no crash: do not search
        print(f"{cases[0].name}: opt exits with {done.returncode}: "
              + " | ".join(done.stderr.strip().splitlines()[:3]))
        return {case.name: None for case in cases}
    found = {}
    middle = len(cases) // 2
    for half in (cases[:middle], cases[middle:]):
        found.update(remarks_of(plugin, half, arguments))
    return found


def check_case(case, remarks, refusal):
    """What is wrong with a case's remarks, or None."""
    if remarks is None:
        return "opt died"
    offloaded = [r for r in remarks if r.kind == "Passed"]
    missed = [r for r in remarks if r.kind == "Missed"]
    if not refusal:
        if len(offloaded) == 1 and not missed:
            return None
        return "not offloaded: " + "; ".join(r.text for r in missed)
    if offloaded:
        return f"offloaded, but expected is a remark with '{refusal}'"
    if len(missed) == 1 and re.search(refusal,
                                      f"{missed[0].name}: {missed[0].text}"):
        return None
    return (f"expected one remark with '{refusal}', not: "
            + "; ".join(f"{r.name}: {r.text}" for r in missed))


def check_remarks(plugin, cases, arguments, refusal_of=lambda c: c.refusal):
    """Run the pass over all cases; returns the number of wrong ones."""
    found = remarks_of(plugin, cases, arguments)
    wrong = 0
    for case in cases:
        problem = check_case(case, found[case.name], refusal_of(case))
        if problem:
            wrong += 1
            print(f"{case.name} ({' '.join(arguments)}): {problem}")
    return wrong


def device_functions(plugin, cases, arguments=()):
    """Device code of each case's kernels, as text."""
    done = opt(plugin, module(cases), "-passes=print<gpu-kernels>",
               "-disable-output", *arguments)
    found = {}
    for text in re.findall(r"^define void @(\w+)_\d+_\d+\((.*?)^}",
                           done.stderr, re.M | re.S):
        found[text[0]] = found.get(text[0], "") + text[1]
    return found


def check_kernels(plugin, cases, arguments=()):
    """Check that the device code of each case matches its pattern."""
    functions = device_functions(plugin, cases, arguments)
    wrong = 0
    for case in cases:
        if case.kernel and not re.search(case.kernel,
                                         functions.get(case.name, "")):
            wrong += 1
            print(f"{case.name}: device code does not match '{case.kernel}':\n"
                  + functions.get(case.name, "none"))
    return wrong


def ptx_modules(plugin, text, *arguments):
    """The PTX of all SCoPs of a module; None if opt fails."""
    done = opt(plugin, text, "-passes=print<gpu-ptx>", "-disable-output",
               *arguments)
    if done.returncode:
        print(done.stderr)
        return None
    # With the plugin's comments in front.
    starts = [found.start() for found in re.finditer(
        r"^(?:// [^\n]*\n)*//\n// Generated by LLVM NVPTX Back-End",
        done.stderr, re.M)]
    return [done.stderr[start:end]
            for start, end in zip(starts, starts[1:] + [None])]


def assemble(ptxas, arch, ptx):
    """The finished run of ptxas -v on one PTX module, with the arguments that a
    comment of the plugin names."""
    more = re.search(r"^// ptxas (.+)$", ptx, re.M)
    with tempfile.NamedTemporaryFile("w", suffix=".ptx") as file:
        file.write(ptx)
        file.flush()
        return run([ptxas, "-v", f"-arch={arch}", file.name, "-o", "/dev/null",
                    *(more.group(1).split() if more else [])])


def check_ptxas(ptxas, modules, arch="sm_75"):
    """Number of modules that ptxas does not take."""
    # All at once, which is ten times as fast; one by one to find a culprit.
    # Functions of libdevice would clash.
    single = [ptx for ptx in modules if ".func" in ptx or ".global " in ptx]
    body = re.compile(r"\.address_size 64(.*?)(?=^\s*\.section|\Z)",
                      re.M | re.S)
    together = [ptx for ptx in modules if ptx not in single]
    versions = [re.search(r"\.version (\S+)", ptx).group(1)
                for ptx in together]
    if together:
        joined = (f".version {max(versions, key=float)}\n.target {arch}\n"
                  ".address_size 64\n"
                  + "\n".join(body.search(ptx).group(1) for ptx in together))
        if assemble(ptxas, arch, joined).returncode:
            single = modules
    with ThreadPoolExecutor(2) as pool:
        runs = list(pool.map(lambda ptx: assemble(ptxas, arch, ptx), single))
    for ptx, done in zip(single, runs):
        if done.returncode:
            entry = re.search(r"\.entry (\w+)", ptx)
            print(f"{entry and entry.group(1)}, {arch}: {done.stderr}")
    return sum(done.returncode != 0 for done in runs)


def finish(count, wrong):
    """Exit with what came out of "count" cases."""
    print(f"{count} cases, {wrong} wrong")
    sys.exit(1 if wrong else 0)
