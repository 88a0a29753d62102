"""polygpu doctor: is all there that offloading needs, and does it work?

Each part has a line: its state, its name, and a sentence that says what was
found, or what is missing and what to do about it.  The command polygpu starts
this with the version, and where the installation is.
"""

import argparse
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import find_cuda

SECONDS = 120  # that one command may take

# One loop that is offloaded; the values are whole numbers, so that a sum is the
# same with and without FMA, and nothing else in it can be.
PROGRAM = r"""
#include <stdio.h>
#include <stdlib.h>

enum { N = 1000 };

static void add(double *restrict y, const double *restrict x, double a)
{
    for (int i = 0; i < N; i++)
        y[i] += a * x[i];
}

int main(int argc, char **argv)
{
    static double x[N], y[N];
    volatile unsigned seed = argc > 1 ? (unsigned)atoi(argv[1]) : 1u;
    static volatile double expected[N];
    double a = (double)(seed % 97 + 2);
    volatile int differ = 0;

    for (int i = 0; i < N; i++) {
        seed = seed * 1103515245u + 12345u;
        x[i] = (double)(seed % 10007);
        seed = seed * 1103515245u + 12345u;
        y[i] = (double)(seed % 10007);
        expected[i] = y[i] + a * x[i];
    }
    add(y, x, a);
    for (int i = 0; i < N; i++)
        if (y[i] != expected[i])
            differ++;
    printf("%d of %d differ\n", differ, N);
    return differ != 0;
}
"""

# What a set variable means for the user's programs.
SETTINGS = {
    "POLYGPU=off": "programs run their original loops",
    "POLYGPU=mandatory": "programs end where their loops are not offloaded",
    "POLYGPU_DEVICE=emulated":
        "programs run on the emulated device, which is slow",
}


def sentence(text, limit=300):
    """The first line of a text that says something, of a bounded length."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    chosen = next((l for l in lines if "error" in l or "PolyGPU" in l
                   or l.startswith("polygpu:")), lines[0] if lines else "")
    return chosen[:limit] or "it says nothing"


def run(command, **options):
    """Exit status and all output of a command; status None if there is none."""
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, timeout=SECONDS,
                              universal_newlines=True, errors="replace",
                              **{"stdin": subprocess.DEVNULL, **options})
    except subprocess.TimeoutExpired:
        return None, f"it did not end within {SECONDS} seconds"
    except OSError as error:
        return None, error.strerror or str(error)
    return done.returncode, done.stdout


class Doctor:
    """The parts in the order in which they need each other."""

    def __init__(self, installed):
        self.installed = installed
        self.share, self.lib = Path(installed.share), Path(installed.lib)
        self.compiler = os.environ.get("POLYGPU_CLANG") or (
            "clang-" + installed.llvm.split(".", maxsplit=1)[0])
        # A user's variables must not decide a trial.
        self.environment = {name: value for name, value in os.environ.items()
                            if not name.startswith("POLYGPU")
                            or name == "POLYGPU_EMULATED"}

    def say(self, state, part, text):
        """One line; True if the part is there."""
        print(f"{state:<8} {part}: {text}")
        return state == "ok"

    def look_at_compiler(self):
        major = self.installed.llvm.split(".", maxsplit=1)[0]
        cure = (f"install the package clang-{major} of version "
                f"{self.installed.llvm}, or name a clang of that version in "
                "POLYGPU_CLANG")
        path = shutil.which(self.compiler)
        if not path:
            return self.say("missing", "compiler",
                            f"'{self.compiler}' is not installed; {cure}")
        status, text = run([path, "--version"])
        found = re.search(r"clang version (\d+\.\d+\.\d+)", text)
        if status != 0 or not found:
            return self.say("wrong", "compiler",
                            f"{path} does not say that it is clang "
                            f"({sentence(text)}); {cure}")
        if found[1] != self.installed.llvm:
            return self.say("wrong", "compiler",
                            f"{path} is clang {found[1]}, and PolyGPU is made "
                            f"for LLVM {self.installed.llvm}; {cure}, or build "
                            "PolyGPU again")
        self.compiler = path
        return self.say("ok", "compiler", f"{path} is clang {found[1]}")

    def look_at_plugin(self, compiler):
        plugin = self.lib / "PolyGPU.so"
        if not plugin.is_file():
            return self.say("missing", "plugin",
                            f"there is no file {plugin}; install PolyGPU again")
        if not compiler:
            return self.say("unknown", "plugin",
                            f"{plugin} is there, and no compiler to load it")
        status, text = run([self.compiler, f"-fpass-plugin={plugin}", "-O1",
                            "-x", "c", "-c", "-", "-o", os.devnull], input="",
                           stdin=None)
        if status != 0 or text.strip():
            return self.say("wrong", "plugin",
                            f"{self.compiler} does not load {plugin} "
                            f"({sentence(text)}); install a PolyGPU that is "
                            "made for this compiler")
        return self.say("ok", "plugin", f"{plugin} loads in the compiler")

    def look_at_files(self):
        """Configuration files, runtime and emulated device."""
        found = {"configuration": [self.share / "polygpu.cfg"],
                 "runtime": [self.lib / "libpolygpu_rt.a",
                             self.lib / "libpolygpu_rt.so"],
                 "emulated device": [self.lib / "libpolygpu_emulated.so"]}
        good = True
        for part, files in found.items():
            gone = [str(file) for file in files if not file.is_file()]
            if gone:
                good = self.say("missing", part, "there is no file "
                                f"{' and no '.join(gone)}; install PolyGPU "
                                "again")
            else:
                self.say("ok", part, ", ".join(map(str, files)))
        return good

    def look_at_toolkit(self):
        """What is used if it is there."""
        ptxas, libdevice = find_cuda.ptxas(), find_cuda.libdevice()
        if ptxas:
            self.say("ok", "ptxas", f"{ptxas}, used with -gpu-arch")
        else:
            self.say("missing", "ptxas", "not needed: the driver compiles "
                     "kernels when a program runs; with NVIDIA's toolkit and "
                     "-gpu-arch this is done before")
        if libdevice:
            self.say("ok", "libdevice", libdevice)
        else:
            self.say("missing", "libdevice", "loops that call functions like "
                     "exp and sin stay on the CPU; install NVIDIA's CUDA "
                     "toolkit, or name its folder in CUDA_PATH")

    def look_at_others(self, compiler):
        """Fortran's compiler, and the linker of --polygpu-lto."""
        major = self.installed.llvm.split(".", maxsplit=1)[0]
        flang = os.environ.get("POLYGPU_FLANG") or f"flang-{major}"
        path = shutil.which(flang)
        if path:
            self.say("ok", "flang", path)
        else:
            self.say("missing", "flang", f"'{flang}' is not installed: Fortran "
                     "needs it; install the package of that name, or name one "
                     "in POLYGPU_FLANG")
        _, text = run([self.compiler, "-print-prog-name=ld.lld"]) \
            if compiler else (None, "")
        linker = text.strip()
        if os.path.isabs(linker) and os.access(linker, os.X_OK):
            self.say("ok", "lld", linker)
        else:
            self.say("missing", "lld", "arrays do not stay on the device "
                     "between files (--polygpu-lto); install the package "
                     f"lld-{major}")

    def look_at_driver(self):
        """True if there is a GPU."""
        listing = [sys.executable, "-B", find_cuda.__file__, "--list"]
        status, text = run(listing, env=self.environment)
        if status == 2 and "cuInit" not in text:
            return self.say("missing", "driver", f"{sentence(text)}: programs "
                            "run their original loops; on a machine with an "
                            "NVIDIA GPU install NVIDIA's driver (Debian: "
                            "nvidia-driver and libcuda1)")
        if status not in (0, 1):
            return self.say("wrong", "driver", "the driver does not answer "
                            f"({sentence(text)}); does nvidia-smi work, and "
                            "may this user open /dev/nvidia0?")
        version, *devices = text.splitlines()
        self.say("ok", "driver", f"libcuda.so.1 is there, for {version}")
        if not devices:
            return self.say("missing", "device", "the driver finds no GPU; is "
                            "CUDA_VISIBLE_DEVICES set to hide it?")
        return self.say("ok", "device", ", ".join(devices))

    def compile(self, folder):
        """Makes the program; True if its loop was offloaded."""
        source, program = folder / "try.c", folder / "try"
        source.write_text(PROGRAM)
        status, text = run(
            [self.compiler, f"--config={self.share / 'polygpu.cfg'}", "-O2",
             "-mllvm", "-gpu-targets=ptx,emulated", "-Rpass=gpu-polyhedral",
             "-Rpass-missed=gpu-polyhedral", str(source), "-o", str(program)],
            env=self.environment)
        if status != 0:
            return self.say("wrong", "trial", "a program cannot be compiled "
                            f"and linked ({sentence(text)}); does the compiler "
                            "work without PolyGPU, and are the C library's "
                            "headers installed (Debian: libc6-dev and gcc)?")
        if "remark: loops offloaded as 1 kernel: add_" not in text:
            return self.say("wrong", "trial", "the loop of a small program is "
                            f"not offloaded ({sentence(text)}); please report "
                            "this")
        return True

    def try_on(self, device, folder):
        """Runs the program on a device; True if it computed there."""
        seed = str(random.randrange(1, 2 ** 31))
        status, text = run([str(folder / "try"), seed], env={
            **self.environment, "POLYGPU": "mandatory",
            "POLYGPU_DEVICE": device, "POLYGPU_PROFILE": "lines"})
        place = "a GPU" if device == "cuda" else "the emulated device"
        if status == 0 and re.search(r"kernel add_\w+ .*launches=1 ", text):
            return self.say("ok", f"trial on {place}", "a loop ran there and "
                            f"computed what it should (seed {seed})")
        reason = sentence("\n".join(
            line for line in text.splitlines() if " differ" in line
            and status == 1) or text)
        how = ("did not end well" if status is None else
               f"was ended by signal {-status}" if status < 0 else
               f"ended with {status}")
        return self.say("wrong", f"trial on {place}", f"the program {how} "
                        f"({reason}; seed {seed}); please report this if the "
                        "lines above do not explain it")

    def try_all(self, gpu):
        """What works: the emulated device, and the GPU if there is one."""
        try:
            with tempfile.TemporaryDirectory(prefix="polygpu-") as name:
                folder = Path(name)
                if not self.compile(folder):
                    return False, False
                return (self.try_on("emulated", folder),
                        gpu and self.try_on("cuda", folder))
        except OSError as error:
            return self.say("wrong", "trial", "no program can be written to "
                            f"{error.filename or 'a temporary folder'} "
                            f"({error.strerror or error}); name a folder in "
                            "TMPDIR"), False

    def look_at_environment(self):
        for name in sorted(os.environ):
            if not name.startswith("POLYGPU") or name == "POLYGPU_CLANG":
                continue
            setting = f"{name}={os.environ[name]}"
            meaning = SETTINGS.get(setting, "it changes what programs do")
            self.say("note", "environment", f"{setting} is set: {meaning}")

    def examine(self):
        print(f"PolyGPU {self.installed.version} for LLVM "
              f"{self.installed.llvm}")
        compiler = self.look_at_compiler()
        plugin = self.look_at_plugin(compiler)
        files = self.look_at_files()
        self.look_at_others(compiler)
        self.look_at_toolkit()
        gpu = self.look_at_driver()
        self.look_at_environment()
        emulated = cuda = False
        if compiler and plugin and files:
            emulated, cuda = self.try_all(gpu)
        else:
            self.say("unknown", "trial", "nothing was compiled and run, for "
                     "want of what is missing or wrong above")
        if emulated and cuda:
            print("Offloading works, on the GPU and on the emulated device.")
        elif emulated:
            print("Offloading works on the emulated device; "
                  + ("it does not on the GPU." if gpu else
                     "without a GPU programs run their original loops."))
        else:
            print("Offloading does not work.")
        return 0 if emulated else 1


def main():
    parser = argparse.ArgumentParser(prog="polygpu doctor")
    for name in ("version", "llvm", "share", "lib"):
        parser.add_argument(f"--{name}", required=True)
    installed = parser.parse_args()
    installed.share = os.path.realpath(installed.share)
    installed.lib = os.path.realpath(installed.lib)
    return Doctor(installed).examine()


if __name__ == "__main__":
    sys.exit(main())
