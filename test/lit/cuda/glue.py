"""A program of the suite whose loops are launched by -gpu-print-kernels=FILE.cu.

main_text(source): the program with a declaration in place of its kernel function.
glue_text(source, cuda, kind): that function as CUDA, which copies its arrays to
the device, calls the launchers, copies the arrays back, and does what the function
does behind its loops; None if a launcher has a parameter that the function has not.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import re
from collections import namedtuple

# Of the function: where its text begins, its parameters, where its body ends.
Function = namedtuple("Function", "name parameters start body end")


def find_function(source):
    found = re.search(r"^KERNEL (\w+)\((.*?)\)\n\{\n.*?^\}\n", source,
                      re.MULTILINE | re.DOTALL)
    return Function(found.group(1), " ".join(found.group(2).split()),
                    found.start(), found.end(2) + 2, found.end())


def main_text(source):
    f = find_function(source)
    return (f"{source[:f.start]}void {f.name}({f.parameters});\n"
            f"{source[f.end:]}")


def split(text):
    """At the commas outside of parentheses."""
    return [part.strip() for part in re.split(r",(?![^()]*\))", text)]


def parameters(text):
    """(C text, name, number of elements or None) of each parameter."""
    for part in split(text):
        array = re.match(r"ARRAY\d\((\w+), (.*)\)", part)
        if array:
            count = "(size_t)" + " * (size_t)".join(split(array.group(2)))
            yield f"T *{array.group(1)}", array.group(1), count
        else:
            kind, name = part.split()
            yield f"{'int' if kind == 'I' else kind} {name}", name, None


def launchers(cuda):
    """(line, name, names of the parameters) of each, in the program's order."""
    heads = re.findall(r'^extern "C" cudaError_t\n(\w+)\((.*?)\)\n\{', cuda,
                       re.MULTILINE | re.DOTALL)
    return sorted((int(name.rsplit("_", 1)[1]), name,
                   [re.split(r"[ *]", part)[-1]
                    for part in split(" ".join(text.split()))[:-1]])
                  for name, text in heads)


def behind_loops(source):
    """The last statement of the function if it is no loop: the host does it."""
    f = find_function(source)
    last = source[f.body:f.end].rstrip("}\n").split("\n")[-1]
    return [last] if re.fullmatch(r"    [^ }].*;", last) else []


def glue_text(source, cuda, kind, include):
    f = find_function(source)
    own = list(parameters(f.parameters))
    known = {name for _, name, _ in own}
    arrays = [(name, count) for _, name, count in own if count]
    lines = [f'#include "{include}"', "#include <stdio.h>",
             "#include <stdlib.h>", f"typedef {kind} T;",
             "#define AT(array, i, j, m) array[(i) * (m) + (j)]",
             "static void check(cudaError_t error)", "{",
             "  if (error == cudaSuccess)", "    return;",
             '  fprintf(stderr, "CUDA error %d\\n", (int)error);',
             "  exit(3);", "}",
             f'extern "C" void {f.name}('
             f"{', '.join(text for text, _, _ in own)})", "{"]
    for name, count in arrays:
        lines += [f"  T *on_{name} = 0;",
                  f"  check(cudaMalloc((void **)&on_{name}, {count} * sizeof(T)"
                  " + sizeof(T)));",
                  f"  check(cudaMemcpy(on_{name}, {name}, {count} * sizeof(T), "
                  "cudaMemcpyHostToDevice));"]
    for _, launcher, names in launchers(cuda):
        if not set(names) <= known:
            return None
        given = [f"on_{name}" if name in dict(arrays) else name
                 for name in names]
        lines.append(f"  check({launcher}({', '.join([*given, '0'])}));")
    for name, count in arrays:
        lines += [f"  check(cudaMemcpy({name}, on_{name}, {count} * sizeof(T), "
                  "cudaMemcpyDeviceToHost));",
                  f"  check(cudaFree(on_{name}));"]
    return "\n".join([*lines, *behind_loops(source), "}", ""])
