#!/usr/bin/env python3
"""docs_sessions - do the commands of a page print what the page shows?

  docs_sessions.py PAGE.md FOLDER            compare
  docs_sessions.py --update PAGE.md FOLDER   put what they print into the page

A session is a block of code that begins with "$ COMMAND"; lines that end with a
backslash or a bar go on.  All commands of the page are executed in FOLDER, from the top,
and what each prints (on either stream) is compared with what is below it: line by
line, but that measured times, rates and shares are as good as any others, and so are
seeds, the last number of LLVM's version, where clang is, and what polygpu doctor says of tools that
may be missing.  FOLDER is $FOLDER, and its build $BUILD.  A line
"..." stands for any number of lines.  Exit status 1 with what differs, and if
there is no session.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import os
import re
import subprocess
import sys
from itertools import zip_longest

SESSION = re.compile(r"^```\n(\$ .*?)^```$", re.M | re.S)
COMMAND = re.compile(r"^\$ ((?:.*[\\|]\n)*.*\n)", re.M)
MEASURED = re.compile(r"(?<![\w.])[\d.]+ ?(?:[munp]?s\b|[kMGT]?(?:B|FLOP)/s|%)"
                      r"|(?<=_ms=)[-+.\de]+|(?<=seconds )[\d.]+|(?<=seed )\d+"
                      r"|(?<=\b22\.\d\.)\d+|(?<=compiler: )\S+(?= is clang)")
OPTIONAL = re.compile(r"^(?:ok|missing) +(flang|lld|ptxas|libdevice): .*")
ANY_LINES = "..."


def shape(line):
    return " ".join(MEASURED.sub("#", OPTIONAL.sub(r"\1", line)).split())


def commands(session):
    """Each command of a session with what is shown below it."""
    parts = COMMAND.split(session)[1:]
    return list(zip(parts[::2], parts[1::2]))


def printed(command, folder):
    # Lines of both streams come in their order, as they do on a terminal.
    text = subprocess.run(["stdbuf", "-oL", "sh", "-c", command], cwd=folder, text=True,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT).stdout
    folder = os.path.realpath(folder)
    return text.replace(os.path.realpath(folder + "/build"), "$BUILD").replace(
        folder, "$FOLDER")


def matches(shown, lines):
    """Are these the lines that are shown, which may have "..." among them?"""
    if ANY_LINES not in shown:
        return shown == lines
    first = shown.index(ANY_LINES)
    rest = shown[first + 1:]
    return (shown[:first] == lines[:first]
            and any(matches(rest, lines[at:])
                    for at in range(first, len(lines) + 1)))


def differences(command, shown, output):
    wanted = list(map(shape, shown.splitlines()))
    found = list(map(shape, output.splitlines()))
    if matches(wanted, found):
        return []
    return ([f"differs: $ {command.rstrip()}"]
            + [f"  {side}: {line}"
               for pair in zip_longest(wanted, found) if pair[0] != pair[1]
               for side, line in zip(("shown", "printed"), pair)
               if line is not None])


def updated(session, folder):
    def run(command, shown):
        keep = ANY_LINES in shown.splitlines()
        return f"$ {command}" + (shown if keep else printed(command, folder))
    return "".join(run(*pair) for pair in commands(session))


def main():
    update = sys.argv[1] == "--update"
    page, folder = sys.argv[1 + update:]
    with open(page, encoding="utf-8") as file:
        text = file.read()
    if update:
        text = SESSION.sub(lambda found: "```\n" + updated(found[1], folder) + "```",
                           text)
        with open(page, "w", encoding="utf-8") as file:
            file.write(text)
        return 0
    pairs = [pair for session in SESSION.findall(text)
             for pair in commands(session)]
    wrong = [line for command, shown in pairs
             for line in differences(command, shown, printed(command, folder))]
    print(*wrong, f"{len(pairs)} commands", sep="\n")
    return 1 if wrong or not pairs else 0


if __name__ == "__main__":
    sys.exit(main())
