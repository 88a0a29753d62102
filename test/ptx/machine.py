"""The PTX machine's library, as tests in Python call it.

LIBRARY is the path of its libcuda.so.1, given by the environment variable
PTX_LIBRARY; without it that of the folder build.
"""

import ctypes
import os
import random
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LIBRARY = os.environ.get("PTX_LIBRARY", ROOT / "build/ptx/libcuda.so.1")
HEAD = ".version 7.8\n.target sm_90\n.address_size 64\n"


def seeded():
    """A generator; prints its seed, which is that of POLYGPU_SEED if set."""
    seed = int(os.environ.get("POLYGPU_SEED",
                              random.SystemRandom().randrange(1 << 31)))
    print(f"POLYGPU_SEED={seed}", flush=True)
    return random.Random(seed)


class Failure(Exception):
    """A call failed; the text of the error."""


class Machine:
    """A machine with the given settings; there is one at a time."""

    def __init__(self, settings=""):
        self.cuda = ctypes.CDLL(str(LIBRARY))
        self.cuda.ptxMachineReset.restype = ctypes.c_int
        if self.cuda.ptxMachineReset(settings.encode()):
            raise Failure(f"wrong settings: {settings}")
        context = ctypes.c_void_p()
        self.check(self.cuda.cuDevicePrimaryCtxRetain(
            ctypes.byref(context), 0))
        self.check(self.cuda.cuCtxPushCurrent_v2(context))
        self.stream = self.made("cuStreamCreate", 0)

    def check(self, error):
        if error:
            text = ctypes.c_char_p()
            self.cuda.cuGetErrorString(error, ctypes.byref(text))
            raise Failure(f"{error}: {text.value.decode()}")

    def made(self, function, *arguments):
        """What the function stores at its first argument."""
        value = ctypes.c_void_p()
        self.check(getattr(self.cuda, function)(
            ctypes.byref(value), *arguments))
        return value

    def load(self, text):
        log = ctypes.create_string_buffer(1024)
        options = (ctypes.c_int * 2)(5, 6)
        values = (ctypes.c_void_p * 2)(ctypes.addressof(log), len(log))
        module = ctypes.c_void_p()
        error = self.cuda.cuModuleLoadDataEx(
            ctypes.byref(module), text.encode() + b"\0", 2, options, values)
        if error:
            raise Failure(f"{error}: {log.value.decode().strip()}")
        return module

    def function(self, module, name):
        return self.made("cuModuleGetFunction", module, name.encode())

    def array(self, data):
        """An array with these bytes; its address."""
        address = self.made("cuMemAlloc_v2", ctypes.c_size_t(len(data)))
        self.check(self.cuda.cuMemcpyHtoDAsync_v2(
            address, bytes(data), ctypes.c_size_t(len(data)), self.stream))
        return address.value

    def free(self, address):
        self.check(self.cuda.cuMemFree_v2(ctypes.c_uint64(address)))

    def lend(self, address, size):
        """Memory that was allocated is an array of this size from now on."""
        self.check(self.cuda.polygpu_test_lend(
            ctypes.c_uint64(address), ctypes.c_size_t(size)))

    def read(self, address, size):
        data = ctypes.create_string_buffer(size)
        self.check(self.cuda.cuMemcpyDtoHAsync_v2(
            data, ctypes.c_uint64(address), ctypes.c_size_t(size),
            self.stream))
        return data.raw

    def allow(self, function, shared):
        self.check(self.cuda.cuFuncSetAttribute(function, 8, shared))

    def launch(self, function, grid, block, *arguments, shared=0):
        """Arguments are integers, of 64 bits each."""
        values = [ctypes.c_uint64(value) for value in arguments]
        pointers = (ctypes.c_void_p * (len(values) + 1))(
            *(ctypes.addressof(value) for value in values))
        grid, block = ((*dims, 1, 1)[:3] for dims in (grid, block))
        self.check(self.cuda.cuLaunchKernel(
            function, *grid, *block, shared, self.stream, pointers, None))

    def opcodes(self):
        """Opcode -> letters of its operands, of all in tables."""
        result, n = {}, 0
        name, operands = ctypes.c_char_p(), ctypes.c_char_p()
        while not self.cuda.ptxMachineOpcode(
                n, ctypes.byref(name), ctypes.byref(operands)):
            result[name.value.decode()] = operands.value.decode()
            n += 1
        return result
