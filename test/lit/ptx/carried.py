"""Loads and stores of what kernels write, in their innermost loops.

  carried.py < PTX   a line for each such loop that stores to global memory:
                     the kernel, "loads" of arrays that it writes, "stores"

What kernels only read is loaded by ld.global.nc or from shared memory.
"""

import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "..", "benchmarks", "static"))
import ptx


def main():
    for module in ptx.modules(sys.stdin.read()):
        for kernel in ptx.kernels(module.text):
            loops = ptx.loops(kernel.blocks)
            for loop in loops:
                if ptx.own_blocks(loop, loops) != loop.body:
                    continue
                names = [one.opcode for number in sorted(loop.body)
                         for one in kernel.blocks[number].instructions]
                loads = sum(name.startswith("ld.global.") and
                            not name.startswith("ld.global.nc.")
                            for name in names)
                stores = sum(name.startswith("st.global.") for name in names)
                if stores:
                    print(f"{kernel.name}: loads {loads} stores {stores}")


if __name__ == "__main__":
    main()
