#!/usr/bin/env python3
"""What of CUDA is there.  As a program: exits with 0 if there is a GPU that
the driver can use."""

import ctypes
import os
import shutil
import sys
from pathlib import Path


def has_gpu():
    """True if libcuda.so.1 finds a device."""
    try:
        cuda = ctypes.CDLL("libcuda.so.1")
    except OSError:
        return False
    count = ctypes.c_int(0)
    return (cuda.cuInit(0) == 0 and
            cuda.cuDeviceGetCount(ctypes.byref(count)) == 0 and
            count.value > 0)


def directories():
    """Where CUDA may be installed."""
    named = [os.environ.get(name) for name in ("CUDA_PATH", "CUDA_HOME")]
    return [Path(d) for d in named if d] + [Path("/usr/local/cuda")]


def ptxas():
    """Path of ptxas, or None."""
    for directory in directories():
        path = directory / "bin" / "ptxas"
        if os.access(path, os.X_OK):
            return str(path)
    return shutil.which("ptxas")


def libdevice():
    """Path of libdevice's bitcode, or None."""
    places = [d / "nvvm" / "libdevice" for d in directories()]
    places.append(Path("/usr/lib/nvidia-cuda-toolkit/libdevice"))
    for place in places:
        path = place / "libdevice.10.bc"
        if path.is_file():
            return str(path)
    return None


if __name__ == "__main__":
    sys.exit(0 if has_gpu() else 1)
