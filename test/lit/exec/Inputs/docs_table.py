#!/usr/bin/env python3
"""docs_table - does the documentation show the profile that there is?

  docs_table.py PAGE.md 'COMMAND' PROFILE            compare
  docs_table.py --update PAGE.md 'COMMAND' PROFILE   put it into the page

PROFILE is a file with what POLYGPU_PROFILE=1 printed, PAGE.md a page in which a
block of code begins with "$ COMMAND".  Compared are the lines, whatever their
order (that is of times), but for advice, which depends on times: each number is
as good as any other of the same unit, and so are the blanks around it.  Exit
status 1 with the lines that only one side has.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import re
import sys
from collections import Counter

NUMBER = re.compile(r"(?<![\w.])\d[\d.]*(?:(%)| [mukMGT]?(s|B/s|B|FLOP/s))?"
                    r"(?![\w/])")
GRID = re.compile(r"\d+x\d+x\d+")


def shape(line):
    line = NUMBER.sub(lambda found: "#" + (found[1] or found[2] or ""),
                      GRID.sub("#x#x#", line))
    return " ".join(line.split())


def shapes(text):
    return Counter(shape(line) for line in text.splitlines()
                   if not line.startswith("polygpu: advice: "))


def find_block(text, command):
    """The beginning and the end of what is below the command."""
    head = f"```\n$ {command}\n"
    if text.count(head) != 1:
        sys.exit(f"the page has {text.count(head)} blocks for: {command}")
    begin = text.index(head) + len(head)
    return begin, text.index("```", begin)


def differences(shown, printed):
    shown, printed = shapes(shown), shapes(printed)
    return ([f"only in the page: {line}" for line in shown - printed]
            + [f"only printed: {line}" for line in printed - shown])


def main():
    update = sys.argv[1] == "--update"
    page, command, profile = sys.argv[1 + update:]
    with open(page, encoding="utf-8") as file:
        text = file.read()
    with open(profile, encoding="utf-8") as file:
        printed = "".join(line for line in file if line.startswith("polygpu: "))
    begin, end = find_block(text, command)
    if update:
        with open(page, "w", encoding="utf-8") as file:
            file.write(text[:begin] + printed + text[end:])
        return
    found = differences(text[begin:end], printed)
    print(*found, sep="\n")
    sys.exit(bool(found))


if __name__ == "__main__":
    main()
