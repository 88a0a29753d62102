#!/usr/bin/env python3
"""Programs of test/lit/exec with the kernels of -gpu-print-kernels=FILE.cu.

As suite.py does it for the suite: clang makes PTX of the printed kernels, the PTX
machine executes it, dumps are those of plain clang's program, and as many kernels
are launched as of the program's own.

  some_of_exec.py --clang CLANG --cfg CFG --ptx FOLDER --harness LIBRARY [--share 1/8]
              [--nvcc NVCC] [--types] [FILE...]

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import argparse
import os
import random
import re
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
HERE = Path(__file__).resolve().parent
EXEC = HERE.parent / "exec"
sys.path.insert(0, str(HERE))
import suite  # noqa: E402

# Each has something of its own: conditions on data, indices that are data and loops
# over them, atomic updates, results, private arrays, waves and tiles in time, chains,
# loops of a block with barriers, wrapping and saturating integers, many tiles.
PROGRAMS = """accumulator beside carried chains clamped collected conditions
conditions_counters conditions_loops exchanges found_shapes four_loops goto_around
histograms histograms_memory in_place integers lines parities privatised
reductions_flags remainders saturated sparse special_values three_dimensions
tiles_in_time time_tiles wrapping""".split()
# Programs for the printing alone: what elements of two bytes, vectors and bits can
# be computed with.  Each with the number of its kernels.
OWN = {"halves": 11, "packs": 12, "bits": 18}
# With these, programs whose types are not numbers that C has operators for.
TYPES = ["half", "histograms_narrow", "lists", *OWN]
# Options of a program's own.
OPTIONS = {"clamped": ["-fno-strict-float-cast-overflow"],
           "halves": ["-Xclang", "-ffloat16-excess-precision=none"]}


def call(command, **environment):
    done = subprocess.run([str(word) for word in command],
                          env={**os.environ, **environment}, timeout=300,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          check=False)
    text = done.stdout.decode(errors="replace")
    if done.returncode:
        raise suite.Failure(f"exit status {done.returncode}: {text}")
    return text


def arrays(data):
    """(name, bytes of an element, contents) of each array of a dump."""
    at = 0
    while at < len(data):
        name, element, count = struct.unpack_from("<16sQQ", data, at)
        at += 32
        yield (name.rstrip(b"\0").decode(), element,
               data[at:at + element * count])
        at += element * count


def compare(reference, result):
    """Failure if dumps differ in a bit."""
    if reference == result:
        return
    ours, theirs = list(arrays(reference)), list(arrays(result))
    if [one[:2] for one in ours] != [one[:2] for one in theirs]:
        raise suite.Failure("the dumps have other arrays")
    wrong = [f"{name} from byte {at} on: {b[at:at + 8].hex()}, not "
             f"{a[at:at + 8].hex()}"
             for (name, _, a), (_, _, b) in zip(ours, theirs)
             for at in [next((i for i, (x, y) in enumerate(zip(a, b)) if x != y),
                             None)] if at is not None]
    raise suite.Failure("; ".join(wrong) or "lengths of arrays differ")


def launches(text):
    return sum(map(int, re.findall(r"\blaunches=(\d+)", text)))


def check(options, source, work):
    """Failure if the program goes wrong; returns the number of launches."""
    include = [f"-I{EXEC / 'Inputs'}", f"-I{HERE.parents[1] / 'programs'}",
               *OPTIONS.get(source.stem, [])]
    plain, gpu, cuda = (work / f"{source.stem}{end}"
                        for end in (".ref", ".gpu", ".cu"))
    call([options.clang, "-O3", "-mfma", *include, source, options.harness,
          "-lm", "-o", plain])
    call([options.clang, f"--config={options.cfg}", "-O3", "-mfma", "-mllvm",
          "-gpu-offload", "-mllvm", "-gpu-targets=ptx", "-mllvm",
          f"-gpu-arch={suite.ARCH}", "-mllvm", "-gpu-cuda-path=", "-mllvm",
          f"-gpu-print-kernels={cuda}", *include, source, options.harness,
          "-lm", "-o", gpu])
    if "is not here" in cuda.read_text():
        raise suite.Failure("a kernel is not printed")
    kernels = cuda.read_text().count("__global__")
    if kernels != OWN.get(source.stem, kernels):
        raise suite.Failure(f"{kernels} kernels, not {OWN[source.stem]}")
    ptx = cuda.with_suffix(".ptx")
    call([*suite.device_flags(options), "--cuda-host-only", "-fsyntax-only",
          cuda])
    if options.nvcc:
        suite.compile_with_nvcc(options, cuda, ptx)
    else: # pairs of integers are instructions that the PTX machine does not know
        call([*suite.device_flags(options), "-fno-slp-vectorize",
              "--cuda-device-only", "-S", cuda, "-o", ptx])
    seed = {"POLYGPU_SEED": str(options.seed)}
    dumps = [work / f"{source.stem}.{way}.dump" for way in ("ref", "own", "gpu")]
    call([plain], POLYGPU_DUMP=str(dumps[0]), **seed)
    device = {**seed, "POLYGPU": "auto", "POLYGPU_COST": "off",
              "POLYGPU_DEVICE": "cuda", "POLYGPU_PROFILE": "lines",
              "LD_LIBRARY_PATH": str(options.ptx.resolve())}
    own = launches(call([gpu], POLYGPU_DUMP=str(dumps[1]), **device))
    text = call([gpu], POLYGPU_DUMP=str(dumps[2]), PTX_MACHINE="orders=all",
                PTX_MACHINE_MODULE=str(ptx), **device)
    if launches(text) != own or not own:
        raise suite.Failure(f"{launches(text)} launches instead of {own}: {text}")
    compare(dumps[0].read_bytes(), dumps[2].read_bytes())
    return own


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--clang", required=True)
    parser.add_argument("--cfg", required=True)
    parser.add_argument("--ptx", type=Path, required=True)
    parser.add_argument("--harness", type=Path, required=True)
    parser.add_argument("--nvcc", help="makes the PTX instead of clang")
    parser.add_argument("--share", default="1/1")
    parser.add_argument("--types", action="store_true",
                        help="the programs with elements of all types")
    parser.add_argument("files", nargs="*", type=Path)
    options = parser.parse_args()
    options.nvcc_flags = ["-fmad=false"]
    options.seed = int(os.environ.get("POLYGPU_SEED") or
                       random.randrange(1 << 32))
    files = options.files or [
        (HERE / "Inputs" if name in OWN else EXEC) / f"{name}.c"
        for name in (TYPES if options.types else PROGRAMS)]
    part, whole = map(int, options.share.split("/"))
    files = random.Random(options.seed).sample(files,
                                               -(-len(files) * part // whole))
    print(f"seed {options.seed}")
    equal = 0
    with tempfile.TemporaryDirectory() as folder:
        for file in files:
            try:
                launched = check(options, file, Path(folder))
                equal += 1
                print(f"{file.name}: {launched} launches, equal", flush=True)
            except suite.Failure as failure:
                print(f"{file.name}: FAILED: {failure}", flush=True)
    print(f"{len(files)} programs, {equal} equal")
    return equal != len(files)


if __name__ == "__main__":
    sys.exit(main())
