"""Builds the program whose start-up is measured: without offloading, with PTX,
and with cubins where ptxas is installed."""

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(ROOT / "benchmarks" / "polybench"))
sys.path.insert(0, str(ROOT / "scripts"))
import driver
import find_cuda

FLAGS = ("-O3", "-mfma", "-s", HERE / "startup.c")


def build(options, folder):
    """Into a folder; the names of what was built."""
    folder.mkdir()
    driver.call([options.clang, *FLAGS, "-o", folder / "original"])
    targets = ["-mllvm", f"-gpu-targets={options.targets}"]
    gpu = [options.clang, f"--config={options.cfg}", *FLAGS, *targets]
    driver.call([*gpu, "-mllvm", "-gpu-cuda-path=", "-o", folder / "ptx"])
    if not find_cuda.ptxas() or "ptx" not in options.targets.split(","):
        return ["ptx"]
    driver.call([*gpu, "-mllvm", f"-gpu-arch={options.arch}",
                 "-o", folder / "cubin"])
    return ["ptx", "cubin"]
