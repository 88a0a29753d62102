"""lit's configuration: substitutions and features of PolyGPU's tests.

  %opt         opt with the plugin, e.g. %opt -passes=gpu-polyhedral -S %s
  %clang_gpu   clang with PolyGPU's configuration file
  %clang_gpu_shared  the same with the runtime as a shared library
  %clang       clang without it
  %cfg         the configuration file
  %plugin      PolyGPU.so
  %verify      polygpu-verify
  %lit         lit itself
  %forms       is docs/languages.md's table of forms what became of them (scripts/forms)
  %FileCheck, %not, %llc, %llvm-dis ...   LLVM's tools of the same name; also
               FileCheck, not and split-file as they are
  %ptxas       ptxas of the installed CUDA (feature ptxas)
  %nvcc        nvcc beside it (feature nvcc)
  %harness     test/programs/harness.c, compiled; %programs is its directory
  %python, %cmake, %cpack, %source, %build
  %mpi_flags, %mpirun   what compiles and links a program with MPI, and starts it

With --param all=1 (scripts/check --all) nothing is left to chance or to the
next night: feature "all", and config.polygpu_all.

Features: emulated (always), all, ptxas, nvcc, libdevice, cuda-gpu (a GPU that the driver
can use), gcc, gfortran, pkg-config, gold-plugin (ld links bitcode), ld.lld,
flang-22, mpi (Open MPI starts processes here), meson, autotools, ccache, dpkg-deb,
lintian, yaml (Python's module), npm, chromium, root (the tests' user), libc++ (its headers, beside clang), eigen (in
/usr/include/eigen3), rustc (its LLVM is not newer).  With --param all=1 there are rustc, flang-22,
libc++ and eigen in any case: where one is missing, its tests fail rather than be skipped.
"""

import ctypes
import os
import re
import shutil
import subprocess
import sys

import lit.formats

sys.path.insert(0, os.path.join(config.polygpu_source, "scripts"))
import find_cuda

config.name = "PolyGPU"
config.suffixes = [".ll", ".c", ".cpp", ".test"]
config.excludes = ["Inputs", "CMakeLists.txt"]
config.test_format = lit.formats.ShTest(execute_external=False)
config.test_source_root = os.path.dirname(os.path.abspath(__file__))
config.test_exec_root = os.path.join(config.polygpu_build, "test", "lit")


def tool(name):
    return os.path.join(config.llvm_bin, name)


programs = os.path.join(config.polygpu_source, "test", "programs")
plugin = os.path.join(config.polygpu_build, "lib", "PolyGPU.so")
cfg = os.path.join(config.polygpu_build, "polygpu.cfg")
harness = os.path.join(config.polygpu_build, "lib", "libpolygpu_harness.a")

# The interpreter itself: what CMake finds may be a script in front of it.
config.polygpu_python = sys.executable

# Longer names first: lit replaces text, not words.
config.substitutions += [
    ("%clang_gpu_shared",
     f"{tool('clang')} --config={cfg.replace('.cfg', '-shared.cfg')}"),
    ("%clang_lto",
     f"{tool('clang')} --config={cfg.replace('.cfg', '-lto.cfg')}"),
    ("%clang_gpu", f"{tool('clang')} --config={cfg}"),
    (r"%clang\+\+", tool("clang++")),
    ("%clang", tool("clang")),
    ("%opt", f"{tool('opt')} -load-pass-plugin={plugin}"),
    ("%FileCheck", tool("FileCheck")),
    ("%filecheck", tool("FileCheck")),
    ("%not", tool("not")),
    ("%llc", tool("llc")),
    ("%llvm-dis", tool("llvm-dis")),
    ("%llvm-as", tool("llvm-as")),
    ("%llvm-link", tool("llvm-link")),
    ("%llvm-nm", tool("llvm-nm")),
    ("%llvm-readelf", tool("llvm-readelf")),
    ("%split-file", tool("split-file")),
    ("%plugin", plugin),
    ("%lit", tool("lit")),
    ("%forms", f"{config.polygpu_python} -B {config.polygpu_source}/scripts/forms"
     f" --page {config.polygpu_source}/docs/languages.md"),
    ("%verify", os.path.join(os.path.dirname(plugin), "polygpu-verify")),
    ("%cfg", cfg),
    ("%harness", harness),
    ("%programs", programs),
    ("%python", f"{config.polygpu_python} -B"),
    ("%cmake", config.polygpu_cmake),
    ("%cpack", os.path.join(os.path.dirname(config.polygpu_cmake), "cpack")),
    ("%source", config.polygpu_source),
    ("%build", config.polygpu_build),
]
config.environment["PATH"] = os.pathsep.join(
    [config.llvm_bin, os.environ.get("PATH", "")])

# What the user has set must not decide a test.
for name in list(config.environment):
    if name.startswith("POLYGPU"):
        del config.environment[name]
if "POLYGPU_SEED" in os.environ:
    config.environment["POLYGPU_SEED"] = os.environ["POLYGPU_SEED"]

config.available_features.add("emulated")
if config.polygpu_mutate:  # -gpu-mutate
    config.available_features.add("mutate")
config.polygpu_all = bool(lit_config.params.get("all"))
if config.polygpu_all:
    config.available_features.add("all")
if find_cuda.ptxas():
    config.available_features.add("ptxas")
    config.substitutions.append(("%ptxas", find_cuda.ptxas()))
    # Distributions of ptxas alone have no compiler.
    nvcc = os.path.join(os.path.dirname(find_cuda.ptxas()), "nvcc")
    if os.path.exists(os.path.join(os.path.dirname(nvcc), os.pardir, "nvvm",
                                   "bin", "cicc")) and os.path.exists(nvcc):
        config.available_features.add("nvcc")
        config.substitutions.append(("%nvcc", nvcc))
    if config.polygpu_all:  # registers as well, on the PTX machine
        config.environment["PTX_MACHINE"] = (
            f"orders=all,ptxas={find_cuda.ptxas()}")
if find_cuda.libdevice():
    config.available_features.add("libdevice")
if find_cuda.has_gpu():
    config.available_features.add("cuda-gpu")
    for name in ("CUDA_VISIBLE_DEVICES", "LD_LIBRARY_PATH"):
        if name in os.environ:
            config.environment[name] = os.environ[name]
for name in ("gcc", "gfortran", "pkg-config", "flang-22", "meson", "ccache",
             "dpkg-deb", "lintian", "npm", "chromium"):
    if shutil.which(name, path=config.environment["PATH"]):
        config.available_features.add(name)
if all(shutil.which(name) for name in ("autoreconf", "automake", "make")):
    config.available_features.add("autotools")
try:
    ctypes.CDLL("libomp.so.5")
    config.available_features.add("libomp")
except OSError:
    pass
if os.geteuid() == 0:
    config.available_features.add("root")
if os.path.exists(tool("ld.lld")):  # clang takes the one beside itself
    config.available_features.add("ld.lld")
if os.path.exists(tool("../lib/LLVMgold.so")):
    config.available_features.add("gold-plugin")

# More processes than cores; root's, too; and no calls that containers forbid.
mpirun = ["mpirun", "--oversubscribe", "--allow-run-as-root", "--mca", "btl",
          "self,vader", "--mca", "btl_vader_single_copy_mechanism", "none"]


def output_of(*command):
    """What a command prints, or None if it fails."""
    try:
        return subprocess.run(command, check=True, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, timeout=60,
                              stderr=subprocess.DEVNULL, text=True).stdout
    except (OSError, subprocess.SubprocessError):
        return None


# Of the Python that polygpu starts.
if output_of("python3", "-c", "import yaml") is not None:
    config.available_features.add("yaml")

# LLVM reads the bitcode of older ones.
rust_llvm = re.search(r"^LLVM version: (\d+)\.",
                      output_of("rustc", "--version", "--verbose") or "", re.M)
if rust_llvm and int(rust_llvm[1]) <= 22:
    config.available_features.add("rustc")
if os.path.exists(tool("../include/c++/v1/mdspan")):
    config.available_features.add("libc++")
if os.path.exists("/usr/include/eigen3/Eigen/Dense"):
    config.available_features.add("eigen")
if config.polygpu_all:  # nights are to have all languages
    config.available_features |= {"rustc", "flang-22", "libc++", "eigen"}

mpi_flags = [output_of("mpicc", f"--showme:{what}") for what in
             ("compile", "link")]
if all(mpi_flags) and output_of(*mpirun, "-n", "2", "true") is not None:
    config.available_features.add("mpi")
    config.substitutions += [
        ("%mpi_flags", " ".join(map(str.strip, mpi_flags))),
        ("%mpirun", " ".join(mpirun))]

# For the tests below programs/, which are not made of files.
config.polygpu_programs = programs
config.polygpu_harness = harness
config.polygpu_cfg = cfg
config.polygpu_plugin = plugin
config.polygpu_ptx = os.path.join(config.polygpu_build, "ptx")
# For tests to which cubins mean nothing.
config.polygpu_path_without_ptxas = os.pathsep.join(
    folder for folder in config.environment["PATH"].split(os.pathsep)
    if not os.path.exists(os.path.join(folder, "ptxas")))
