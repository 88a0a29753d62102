"""check_occupancy TOOLS - is the occupancy of some blocks what the programming
guide's limits give, worked out by hand?

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import sys

sys.path.insert(0, sys.argv[1])
from data import occupancy

SM75 = {"For": "sm_75", "Registers": 65536, "Threads": 1024, "Blocks": 16,
        "Warp": 32, "Shared": 65536}
SM80 = {"For": "sm_80", "Registers": 65536, "Threads": 2048, "Blocks": 32,
        "Warp": 32, "Shared": 167936}
# Machine, threads, registers of a thread, bytes of shared memory: blocks at a
# time, and the share of warps.
KNOWN = [
    (SM80, 256, 32, 0, 8, 1.0),
    (SM80, 256, 40, 0, 6, 0.75),
    (SM80, 256, 64, 0, 4, 0.5),
    (SM80, 256, 255, 0, 1, 0.125),
    (SM80, 32, 32, 0, 32, 0.5),
    (SM80, 1024, 64, 0, 1, 0.5),
    (SM80, 256, 32, 49152, 3, 0.375),
    (SM80, 100, 16, 0, 16, 1.0),
    (SM75, 256, 64, 0, 4, 1.0),
    (SM75, 256, 64, 32768, 2, 0.5),
    (SM75, 64, 128, 0, 8, 0.5),
    (SM75, 32, 16, 0, 16, 0.5),
]

for machine, threads, registers, shared, blocks, share in KNOWN:
    found = occupancy({"block": [threads, 1, 1], "registers": registers,
                       "shared": shared}, machine)
    if (found["blocks"], found["share"]) != (blocks, share):
        sys.exit(f"{machine['For']}, {threads} threads, {registers} registers, "
                 f"{shared} bytes: {found}")
