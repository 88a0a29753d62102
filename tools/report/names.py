"""Names of C++ and Rust as in the source.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import re
import shutil
import subprocess

TOOLS = ("llvm-cxxfilt-22", "llvm-cxxfilt", "c++filt")
MANGLED = re.compile(r"_[ZR][\w$.]+")


FORTRAN = re.compile(r"_Q(?:M(?P<module>[a-z0-9_]+))?(?:[MSF][a-z0-9_]+)*"
                     r"P(?P<procedure>[a-z0-9_]+)")


def of_flang(name):
    """A procedure's name as in the source; None if it is none of flang's."""
    if name == "_QQmain":
        return "main program"
    found = FORTRAN.fullmatch(name)
    if not found:
        return None
    return f"{found['procedure']}" + (
        f" (of module {found['module']})" if found["module"] else "")


def demangled(names):
    """What a tool of LLVM or binutils makes of them, where one is installed."""
    wanted = sorted({name for name in names if MANGLED.fullmatch(name)})
    tool = next((found for found in map(shutil.which, TOOLS) if found), None)
    if not wanted or not tool:
        return {}
    try:
        done = subprocess.run([tool], input="\n".join(wanted) + "\n",
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                              universal_newlines=True, timeout=60, check=True)
    except (OSError, subprocess.SubprocessError):
        return {}
    lines = done.stdout.splitlines()
    return dict(zip(wanted, lines)) if len(lines) == len(wanted) else {}


OPERATOR = re.compile(r"\boperator *(\(\)|\[\]|[^\w\s(]+| [\w:]+(?: \[\])?)")


def short(name):
    """Without arguments, those of templates and the return type."""
    made = name.replace("(anonymous namespace)::", "")
    operator = OPERATOR.search(made)
    rest = made[:operator.start()] if operator else made
    while re.search(r"<[^<>]*>", rest):
        rest = re.sub(r"<[^<>]*>", "", rest)
    if operator:
        return rest.split(" ")[-1] + operator[0]
    return rest.split("(")[0].split(" ")[-1].lstrip(":") or name


def name_nests(nests):
    """Give nests and kernels the names that people read."""
    functions = [nest.get("scop", nest)["function"] for nest in nests]
    full = {name: of_flang(name) for name in functions if of_flang(name)}
    full.update(demangled(functions))
    for nest in nests:
        function = nest.get("scop", nest)["function"]
        nest["full_name"] = full.get(function, function)
        nest["title"] = (nest["full_name"].split(" (")[0]
                         if of_flang(function) else short(nest["full_name"]))
        for kernel in [*nest.get("kernels", []),
                       *(nest.get("run") or {}).get("kernels", [])]:
            # The function, the line and a number, and which variant it is of;
            # dots are underscores.
            found = re.search(r"(_\d+_\d+(?:_v\d+)?)$", kernel["name"])
            kernel["label"] = nest["title"] + found[1] if (
                found and function in full) else kernel["name"]


def renamed(names, nests):
    """The names of events as those of nests and kernels."""
    new = {}
    for nest in nests:
        if nest.get("run"):
            new[nest["scop"]["function"] if "scop" in nest
                else nest["function"]] = nest["title"]
            new.update((kernel["name"], kernel["label"])
                       for kernel in nest["run"]["kernels"])
    made = []
    for name in names:
        # "FUNCTION (FILE:LINE)" is what loops are called.
        first, space, rest = name.partition(" (")
        made.append(new.get(first, first) + space + rest)
    return made
