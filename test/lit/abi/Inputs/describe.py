"""The interface of compiler and runtime as text.

    describe.py CLANG NM HEADER LIBRARY

prints what the library exports, the layout of the header's structures, as clang
lays them out, and its enumerations and functions, without comments.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import re
import subprocess
import sys

clang, nm, header, library = sys.argv[1:]


def output(*command):
    return subprocess.run(command, check=True, text=True,
                          stdout=subprocess.PIPE).stdout


def front(option):
    return output(clang, "-fsyntax-only", "-Xclang", option, "-x", "c",
                  "-include", header, "/dev/null")


print("exported")
for name in sorted(line.split()[-1] for line in
                   output(nm, "-D", "--defined-only", library).splitlines()):
    print("   ", name)

print("\nstructures")
layouts = front("-fdump-record-layouts-complete").split("*** Dumping AST")
for layout in layouts:
    lines = layout.splitlines()[1:]
    if lines and " struct polygpu_" in lines[0]:
        print("\n".join(line for line in lines if line))

print("\nenumerations and functions")
text = front("-ast-print")
for match in re.finditer(r"^(enum (polygpu_\w+ )?\{[^}]*POLYGPU_[^}]*\};"
                         r"|typedef [^;]*polygpu_[^;]*;|[^\s#][^;{}]*"
                         r"\bpolygpu_\w+\([^;{}]*;)", text, re.M):
    print(match.group())
