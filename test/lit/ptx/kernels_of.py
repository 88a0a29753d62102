"""kernels_of.py IR - the number of PTX texts in a module of LLVM IR, and the text of
each kernel, by name; without numbers that depend on what else is in a text: of
labels, files, calls, and of functions and constants that a text has several of.

With a second argument the largest text is written to that file."""

import re
import sys

NUMBERS = [(r"\$L__([a-z_]+|BB)\d+", r"$L__\1"), (r"\.loc\t\d+", ".loc"),
           (r"callseq \d+", "callseq"), (r"\b(__[a-z][a-z_]*?)\d*\b", r"\1")]


def texts(ir):
    for literal in re.findall(rb'c"((?:[^"\\]|\\[0-9A-F]{2})*)"', ir):
        data = re.sub(rb"\\([0-9A-F]{2})",
                      lambda found: bytes([int(found[1], 16)]), literal)
        if b"\n.version " in data and data[:2] == b"//":
            yield data.rstrip(b"\0").decode()


def main():
    with open(sys.argv[1], "rb") as file:
        found = list(texts(file.read()))
    print(len(found), "texts", file=sys.stderr)
    kernels = []
    for text in found:
        kernels += re.findall(r"\.entry \w+\(.*?\n}\n", text, re.S)
    for kernel in sorted(kernels):
        for pattern, name in NUMBERS:
            kernel = re.sub(pattern, name, kernel)
        print(kernel)
    if len(sys.argv) > 2:
        with open(sys.argv[2], "w", encoding="utf-8") as file:
            file.write(max(found, key=len))


if __name__ == "__main__":
    main()
