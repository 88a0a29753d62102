#!/usr/bin/env python3
"""What of CUDA is there.  As a program: exits with 0 if there is a GPU that
the driver can use; with --list it prints the driver's version and, a line each,
the GPUs."""

import ctypes
import os
import shutil
import sys
from pathlib import Path

# The driver's numbers of a device's attributes.
CAPABILITY_MAJOR, CAPABILITY_MINOR = 75, 76


class NoDriver(Exception):
    """No driver, or one that does not work, with the reason."""


def open_driver():
    """The driver's library after cuInit."""
    try:
        cuda = ctypes.CDLL("libcuda.so.1")
    except OSError as error:
        raise NoDriver(f"libcuda.so.1 cannot be loaded ({error})") from error
    status = cuda.cuInit(0)
    # CUDA_ERROR_NO_DEVICE is no fault of the driver's.
    if status not in (0, 100):
        raise NoDriver(f"libcuda.so.1 is there, but cuInit fails with {status}")
    return cuda


def number(cuda, function, *arguments):
    """What a function of the driver writes to its first argument, or 0."""
    value = ctypes.c_int(0)
    call = getattr(cuda, function, None)  # stand-ins lack some
    done = call and call(ctypes.byref(value), *arguments) == 0
    return value.value if done else 0


def describe(cuda, index):
    """Name and architecture of a device."""
    name = ctypes.create_string_buffer(b"GPU", 256)
    device = number(cuda, "cuDeviceGet", index)
    if hasattr(cuda, "cuDeviceGetName"):
        cuda.cuDeviceGetName(name, len(name), device)
    major, minor = (number(cuda, "cuDeviceGetAttribute", attribute, device)
                    for attribute in (CAPABILITY_MAJOR, CAPABILITY_MINOR))
    return f"{name.value.decode(errors='replace')} (sm_{major}{minor})"


def has_gpu():
    """True if libcuda.so.1 finds a device."""
    try:
        return number(open_driver(), "cuDeviceGetCount") > 0
    except NoDriver:
        return False


def list_devices():
    """Prints version and devices; returns the exit status, 2 without driver."""
    try:
        cuda = open_driver()
    except NoDriver as error:
        print(error)
        return 2
    version = number(cuda, "cuDriverGetVersion")
    print(f"CUDA {version // 1000}.{version % 1000 // 10}" if version
          else "an unknown version of CUDA")
    count = number(cuda, "cuDeviceGetCount")
    for index in range(count):
        print(describe(cuda, index))
    return 0 if count else 1


def toolkit():
    """The folder of CUDA that the compiler takes, or None."""
    named = [os.environ.get(name) for name in ("CUDA_PATH", "CUDA_HOME")]
    usual = ("/usr/local/cuda", "/usr/lib/cuda", "/opt/cuda")
    return next((Path(d) for d in (*named, *usual) if d and os.path.isdir(d)),
                None)


def ptxas():
    """Path of ptxas, or None."""
    folder = toolkit()
    inside = folder and shutil.which("ptxas", path=str(folder / "bin"))
    return inside or shutil.which("ptxas")


def libdevice():
    """Path of libdevice's bitcode, or None."""
    folder = toolkit()
    path = folder and folder / "nvvm" / "libdevice" / "libdevice.10.bc"
    return str(path) if path and path.is_file() else None


if __name__ == "__main__":
    if sys.argv[1:] == ["--list"]:
        sys.exit(list_devices())
    sys.exit(0 if has_gpu() else 1)
