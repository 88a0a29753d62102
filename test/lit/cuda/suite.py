#!/usr/bin/env python3
"""The suite's programs with the kernels of -gpu-print-kernels=FILE.cu.

Each program is compiled with offloading, its kernels printed as CUDA; clang makes
PTX of that, and the PTX machine executes it instead of the program's own.  The
results have to be those of plain clang's program, with the launches that are
expected.  With --launchers clang compiles all of the file, and the program calls its
launchers by itself (glue.py), over a CUDA runtime of the tests' own
(Inputs/cudart.c).

  suite.py --clang CLANG --cfg CFG --ptx FOLDER [--work FOLDER]
           [--nvcc NVCC] [--launchers] [--programs a,b] [--types float,double] [--size MINI] [--share 1/3]

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import argparse
import os
import random
import re
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
sys.path.insert(0, str(ROOT / "benchmarks" / "polybench"))
import driver  # noqa: E402
import glue  # noqa: E402
from driver import Case, Failure, call  # noqa: E402

ARCH = "sm_90"


def device_flags(options):
    """Of clang for CUDA without CUDA."""
    return [options.clang, "-x", "cuda", f"--cuda-gpu-arch={ARCH}", "-nocudainc",
            "-nocudalib", "-Wno-unknown-cuda-version", "-Xclang",
            "-target-sdk-version=12.8", "-O3", "-ffp-contract=off", "-Wall",
            # Programs compute what nobody uses, and loops say more than can be done.
            "-Wno-unused-function", "-Wno-unused-but-set-variable",
            "-Wno-pass-failed",
            "-Werror", "-include", HERE / "Inputs" / "cuda.h",
            f"-I{HERE / 'Inputs'}"]


def widen(text):
    """PTX with addresses of 64 bits in shared memory, where nvcc has 32, and
    choices of bits, where nvcc has numbers: the PTX machine knows no others."""
    text = re.sub(r"\bselp\.[us](?=(16|32|64)\b)", "selp.b", text)
    text = re.sub(r"^\{(?=\n\t?\.reg|\n\n?\t\.(reg|shared|local))",
                  "{\n\t.reg .b64 %wide<2>;", text, flags=re.MULTILINE)
    text = re.sub(r"^(.*)mov\.u32\s+(%r\d+), (\w+);",
                  r"\1mov.u64 %wide0, \3;\n\tcvt.u32.u64 \2, %wide0;", text,
                  flags=re.MULTILINE)
    return re.sub(r"^(.*?(?:(?:ld|st|atom)\.shared|cp\.async).*?)\[(%r\d+)(.*)$",
                  r"\tcvt.u64.u32 %wide1, \2;\n\1[%wide1\3", text,
                  flags=re.MULTILINE)


def compile_with_nvcc(options, source, ptx):
    call([options.nvcc, f"-arch={ARCH}", "-O3", *options.nvcc_flags,
          "-Werror", "all-warnings", "-ptx", source, "-o", ptx])
    ptx.write_text(widen(ptx.read_text()))


def is_expected(options, case, launches):
    # What is printed has no kernels of the whole grid, and is launched kernel by
    # kernel.
    options.suite.expectations.grids = False
    options.suite.expectations.joined = False
    wanted = options.suite.expectations.launches(case.program, case.form,
                                                 case.size)
    if launches not in (wanted if isinstance(wanted, range) else (wanted,)):
        raise Failure(f"{launches} launches, not {wanted}")


def check_launchers(options, case, objects, cuda, ptx, work):
    """The same for the launchers; None if they cannot be called."""
    source = (options.suite.folder / f"{case.program}.c").read_text()
    text = glue.glue_text(source, cuda.read_text(), case.type, cuda.name)
    if text is None:
        return None
    main, code = work / "main.c", work / "glue.cu"
    main.write_text(glue.main_text(source))
    code.write_text(text)
    embedded = work / "embedded.ptx"
    embedded.write_bytes(ptx.read_bytes() + b"\0")
    binary = work / "launched"
    call([options.clang, *driver.FLAGS, f"-I{driver.HERE}", f"-DT={case.type}",
          "-c", main, "-o", work / "main.o"])
    call([*device_flags(options), "--cuda-host-only", "-Xclang",
          "-fcuda-include-gpubinary", "-Xclang", embedded, "-c", code, "-o",
          work / "glue.o"])
    call([options.clang, work / "main.o", work / "glue.o", *objects,
          options.cudart, "-lm", options.ptx / "libcuda.so.1", "-o", binary])
    dump = work / "launched.dump"
    stderr = driver.execute(options, case, binary, dump,
                            PTX_MACHINE=os.environ.get("PTX_MACHINE",
                                                       "orders=all"),
                            LD_LIBRARY_PATH=str(options.ptx.resolve()))
    found = re.search(r"^cudart: (\d+) launches$", stderr, re.MULTILINE)
    launches = int(found.group(1)) if found else 0
    is_expected(options, case, launches)
    driver.compare((work / "sequential.dump").read_bytes(), dump.read_bytes())
    return launches


def check(options, case, objects, folder):
    """Failure if the case goes wrong; returns the number of launches."""
    work = folder / "-".join(case)
    work.mkdir(parents=True, exist_ok=True)
    plain, gpu = work / "sequential", work / "offloaded"
    source = work / f"{case.program}.cu"
    driver.compile_case(options, case, driver.FLAGS, plain, objects)
    stderr, _ = driver.compile_case(
        options, case, [*driver.gpu_flags(options, case), "-mllvm",
                        f"-gpu-print-kernels={source}",
                        "-Rpass-analysis=gpu-polyhedral"], gpu, objects)
    for text in (stderr, source.read_text()):
        if "is not printed" in text or "is not here" in text:
            raise Failure("a kernel is not printed")
    ptx = source.with_suffix(".ptx")
    if options.nvcc:
        compile_with_nvcc(options, source, ptx)
    else:
        call([*device_flags(options), "--cuda-device-only", "-S", source, "-o",
              ptx])
    dumps = [work / "sequential.dump", work / "offloaded.dump"]
    driver.execute(options, case, plain, dumps[0])
    if options.launchers:
        return check_launchers(options, case, objects, source, ptx, work)
    stderr = driver.execute(
        options, case, gpu, dumps[1], POLYGPU="mandatory", POLYGPU_COST="off",
        POLYGPU_DEVICE="cuda", POLYGPU_PROFILE="lines",
        PTX_MACHINE=os.environ.get("PTX_MACHINE", "orders=all"),
        PTX_MACHINE_MODULE=str(ptx), LD_LIBRARY_PATH=str(options.ptx.resolve()))
    if f"ptx machine: kernels of {ptx}" not in stderr:
        raise Failure("the kernels were not those of the file")
    device = driver.read_device(stderr, "cuda", 1)
    remarks = driver.read_remarks(stderr)
    is_expected(options, case, device.launches)
    if device.declined or device.other or remarks.missed:
        raise Failure("loops ran on the host")
    driver.compare(*(dump.read_bytes() for dump in dumps))
    return device.launches


def run(options, folder):
    objects = driver.compile_harness(options, folder)
    names = options.programs or list(driver.PROGRAMS)
    cases = [Case(name, kind, form, options.size) for name in names
             for kind in options.types for form in options.forms
             if kind in driver.PROGRAMS[name].types and
             name not in driver.INEXACT]
    part, whole = map(int, options.share.split("/"))
    cases = random.Random(options.seed).sample(
        cases, -(-len(cases) * part // whole))
    print(f"seed {options.seed}")
    if options.launchers:
        options.cudart = folder / "cudart.o"
        call([options.clang, "-O1", "-Wall", "-Wextra", "-Werror", "-c",
              HERE / "Inputs" / "cudart.c", "-o", options.cudart])
    equal = launches = skipped = 0
    for case in cases:
        try:
            launched = check(options, case, objects, folder)
            if launched is None:
                skipped += 1
                print(f"{' '.join(case)}: values that only the program has",
                      flush=True)
                continue
            equal += 1
            launches += launched
            print(f"{' '.join(case)}: {launched} launches, equal", flush=True)
        except Failure as failure:
            print(f"{' '.join(case)}: FAILED: {failure}", flush=True)
    print(f"{len(cases)} programs, {equal} equal, {skipped} skipped, "
          f"{launches} launches")
    return equal + skipped != len(cases) or launches == 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])

    def words(text):
        return text.split(",")

    parser.add_argument("--clang", required=True)
    parser.add_argument("--cfg", required=True)
    parser.add_argument("--ptx", type=Path, required=True)
    parser.add_argument("--nvcc", help="makes the PTX instead of clang")
    parser.add_argument("--nvcc-flags", type=words, default=["-fmad=false"])
    parser.add_argument("--launchers", action="store_true")
    parser.add_argument("--work", type=Path)
    parser.add_argument("--programs", type=words)
    parser.add_argument("--types", type=words, default=["double", "float"])
    parser.add_argument("--forms", type=words, default=["c99"])
    parser.add_argument("--size", default="MINI")
    parser.add_argument("--share", default="1/1")
    parser.add_argument("--opt", action="append", default=[])
    options = parser.parse_args()
    options.suite = driver.POLYBENCH
    options.arch, options.targets, options.device = ARCH, "ptx", "cuda"
    options.timeout, options.repeat = 300, 1
    options.seed = int(os.environ.get("POLYGPU_SEED") or
                       random.randrange(1 << 32))
    options.targets = "emulated"  # gpu_flags() adds ptx
    if options.work:
        options.work.mkdir(parents=True, exist_ok=True)
        return run(options, options.work)
    with tempfile.TemporaryDirectory() as folder:
        return run(options, Path(folder))


if __name__ == "__main__":
    sys.exit(main())
