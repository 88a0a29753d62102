"""ptxas: what it says about each kernel, and how many of its blocks fit on a
multiprocessor of sm_90."""

import os
import re
import shutil
from collections import namedtuple
from pathlib import Path

ARCH = "sm_90"

# Bytes, but for registers (of one thread).
Resources = namedtuple("Resources", "registers spill_stores spill_loads local "
                       "shared")

# Of a multiprocessor of sm_90.
WARP = 32
REGISTERS = 65536
REGISTER_UNIT = 256    # registers of a warp are a multiple of this
PARTITIONS = 4         # each has a quarter of the registers
THREADS = 2048
THREADS_OF_BLOCK = 1024
BLOCKS = 32
SHARED = 228 * 1024
SHARED_OF_BLOCK = 227 * 1024
SHARED_RESERVED = 1024  # of each block
SHARED_UNIT = 128


def find():
    """The path of ptxas, or None."""
    folders = [Path(root) / "bin"
               for root in (os.environ.get("CUDA_PATH"), "/usr/local/cuda")
               if root]
    for folder in folders:
        path = shutil.which("ptxas", path=str(folder))
        if path:
            return path
    return shutil.which("ptxas")


def read(text):
    """Kernel name -> Resources, from what ptxas -v writes."""
    result, name, stack = {}, None, (0, 0, 0)
    for line in text.splitlines():
        found = re.search(r"Compiling entry function '([^']+)'", line)
        if found:
            name, stack = found.group(1), (0, 0, 0)
        found = re.search(r"(\d+) bytes stack frame, (\d+) bytes spill stores, "
                          r"(\d+) bytes spill loads", line)
        if found:
            stack = tuple(int(number) for number in found.groups())
        found = re.search(r"Used (\d+) registers(.*)", line)
        if found and name:
            shared = re.search(r"(\d+)(?:\+\d+)? bytes smem", found.group(2))
            local, stores, loads = stack
            result[name] = Resources(int(found.group(1)), stores, loads, local,
                                     int(shared.group(1)) if shared else 0)
    return result


def round_up(number, unit):
    return -(-number // unit) * unit


def occupancy(threads, registers, shared):
    """The share of a multiprocessor's warps, from 0 to 1, that are there at a
    time; 0 if not even one block fits."""
    if (threads > THREADS_OF_BLOCK or registers > 255 or
            shared > SHARED_OF_BLOCK):
        return 0.0
    warps = round_up(threads, WARP) // WARP
    registers_of_warp = max(round_up(registers * WARP, REGISTER_UNIT), 1)
    warps_by_registers = (REGISTERS // PARTITIONS // registers_of_warp *
                          PARTITIONS)
    blocks = min(BLOCKS, THREADS // WARP // warps, warps_by_registers // warps,
                 SHARED // (round_up(shared, SHARED_UNIT) + SHARED_RESERVED))
    return blocks * warps / (THREADS // WARP)
