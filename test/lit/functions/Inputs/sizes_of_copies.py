"""How many functions of a file of LLVM's text have copies, and how much larger
these are."""

import re
import sys

SUFFIX = ".polygpu"


def sizes(lines):
    """Function -> its instructions."""
    found, name = {}, None
    for line in lines:
        begun = re.match(r"define .*?@([\w.$]+)\(", line)
        if begun:
            name = begun.group(1)
            found[name] = 0
        elif line.startswith("}"):
            name = None
        elif name and line.startswith("  "):
            found[name] += 1
    return found


with open(sys.argv[1], encoding="utf-8") as file:
    ALL = sizes(file)
COPIES = [name for name in ALL if name.endswith(SUFFIX)]
FUNCTIONS = [name for name in ALL if name + SUFFIX in ALL]
print(len(COPIES), "of", len(ALL) - len(COPIES), "functions have copies")
TIMES = -(-sum(ALL[name] for name in COPIES) //
          sum(ALL[name] for name in FUNCTIONS))
print("copies have at most", TIMES, "times the instructions")
