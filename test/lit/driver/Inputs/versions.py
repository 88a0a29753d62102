"""Print the versions that the parts of PolyGPU have.

    versions.py BUILD SOURCE PLUGIN
"""

import ctypes
import re
import sys
from pathlib import Path

NUMBER = r"(\d+\.\d+\.\d+)"


class Info(ctypes.Structure):
    """LLVM's PassPluginLibraryInfo."""
    _fields_ = [("api", ctypes.c_uint32), ("name", ctypes.c_char_p),
                ("version", ctypes.c_char_p), ("register", ctypes.c_void_p)]


def of_plugin(path):
    function = ctypes.CDLL(path).llvmGetPassPluginInfo
    function.restype = Info
    return function().version.decode()


def written(path, pattern):
    found = re.search(pattern.replace("NUMBER", NUMBER).encode(),
                      path.read_bytes())
    return found[1].decode() if found else "none"


def main():
    build, source = map(Path, sys.argv[1:3])
    print("CMakeLists.txt",
          written(source / "CMakeLists.txt", r"  VERSION NUMBER\n"))
    print("plugin", of_plugin(sys.argv[3]))
    print("runtime", written(build / "lib/libpolygpu_rt.a",
                             r"\(PolyGPU NUMBER\)"))
    print("polygpu.cfg", written(build / "polygpu.cfg", "PolyGPU NUMBER"))
    print("pkg-config", written(build / "install/polygpu.pc",
                                r"Version: NUMBER\n"))
    print("CMake package",
          written(build / "install/PolyGPUConfigVersion.cmake",
                  r'PACKAGE_VERSION "NUMBER"'))
    print("CHANGELOG.md", written(source / "CHANGELOG.md", "## NUMBER"))


main()
