"""dumps_differ.py REFERENCE DUMP [RIGHT...] - all arrays but some are wrong.

The exit status is 1 if an array of the dump (harness.h) is what it is in the
reference, but for those named RIGHT, which have to be, or if the arrays are not
the same ones.
"""

import struct
import sys


def arrays(path):
    """[(name, bytes)] of a dump."""
    with open(path, "rb") as file:
        data = file.read()
    found = []
    while data:
        name, size, count = struct.unpack_from("16sQQ", data)
        end = 32 + size * count
        found.append((name.rstrip(b"\0").decode(), data[32:end]))
        data = data[end:]
    return found


def main():
    """Compare."""
    reference, dump = (arrays(path) for path in sys.argv[1:3])
    right = sys.argv[3:]
    if [name for name, _ in reference] != [name for name, _ in dump]:
        sys.exit("dumps_differ: the dumps have different arrays")
    same = [name for (name, a), (_, b) in zip(reference, dump) if a == b]
    print(f"{len(reference) - len(same)} of {len(reference)} arrays differ")
    if same != right:
        sys.exit(f"dumps_differ: not wrong: {', '.join(same)}")


if __name__ == "__main__":
    main()
