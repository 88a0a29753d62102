"""The time of a kernel by ceilings that were measured on one H200.

What a multiprocessor has comes from the machine table of the compiler
(lib/Polyhedral/support/machine.c).
"""

import math
import re
from collections import namedtuple
from pathlib import Path

TABLE = Path(__file__).resolve().parents[2] / "lib/Polyhedral/support/machine.c"

# Of counts.c and of the emulated device's line "accesses".
COUNTS = ("launches", "blocks", "threads", "shared", "operations", "flops",
          "flops_double", "steps", "alone", "bytes")
ACCESSES = ("global_loads", "global_load_sectors", "global_store_sectors",
            "shared_loads", "barriers")

# Measured.
LAUNCH = 3.3e-3              # ms, one after the other in a stream
BARRIER = 0.04e-3            # ms, of a block of 1,024 threads
LOAD = 21e-6                 # ms, of a thread whose next one waits for it
MEMORY = 4.2e9               # bytes in a ms, a copy
CACHE = 5.5e9                # bytes in a ms, where they fit into it
FMA = {"flops": 63.6e9, "flops_double": 32.5e9}  # in a ms
# By the cost test (docs/cost.md).
STEP = 0.7e-3                # ms, of a chain
ALONE = 0.2e6                # operations of one thread in a ms
SECTOR = 32                  # bytes

Machine = namedtuple("Machine", "name arch registers thread_registers threads "
                     "blocks warp shared block_shared multiprocessors clock "
                     "fma_float fma_double bandwidth l2")

# Milliseconds of all launches.
Cost = namedtuple("Cost", "launching computing moving waiting")


def read_machine(name, text=None):
    """The entry of the compiler's table."""
    text = text or TABLE.read_text()
    found = re.search(r'\{("%s"[^}]*)\}' % name, text)
    fields = [field.strip() for field in found.group(1).split(",")]
    return Machine(fields[0].strip('"'), *map(int, fields[1:]))


def computing(row, machine):
    """By floating-point operations; where there are none, by an operation of
    each lane in a clock."""
    if row.flops or row.flops_double:
        return sum(getattr(row, name) / rate for name, rate in FMA.items())
    return row.operations / (machine.multiprocessors * machine.fma_float *
                             machine.clock * 1e3)


def moving(row, machine, cached):
    """Sectors by L2's rate, and what does not fit into it by the memory's,
    though no more than each array once in a launch.  "cached": a multiprocessor
    has what it loads again, so that this is all that comes from L2 as well."""
    sectors = SECTOR * (row.global_load_sectors + row.global_store_sectors)
    arrays = min(sectors, row.bytes * row.launches)
    fits = row.bytes <= machine.l2 * 1024
    memory = min(sectors, row.bytes) if fits else arrays
    return max((arrays if cached else sectors) / CACHE, memory / MEMORY)


def rounds(row, machine):
    """How many blocks of a launch run one after the other."""
    resident = min(machine.threads // row.threads, machine.blocks,
                   machine.shared // row.shared if row.shared
                   else machine.blocks)
    return math.ceil(row.blocks / row.launches /
                     (machine.multiprocessors * max(1, resident)))


def waiting(row, machine):
    """Of the blocks that run one after the other: barriers, and loads of a
    thread as if each waited for the one before."""
    block = row.barriers / row.blocks * BARRIER
    thread = ((row.global_loads + row.shared_loads) /
              (row.blocks * row.threads) * LOAD)
    return row.launches * rounds(row, machine) * (block + thread)


def chained(row):
    """Steps that one block does one after the other, where there is one."""
    if row.blocks > row.launches:
        return 0
    return row.steps * STEP + row.alone / ALONE


def cost(row, machine, cached=False):
    return Cost(row.launches * LAUNCH, computing(row, machine),
                moving(row, machine, cached),
                waiting(row, machine) + chained(row))


def bound_of(cost):
    """The name of what takes longest, beside launching."""
    return max(cost._fields[1:], key=lambda name: getattr(cost, name))
