"""Runs loops for threads of the CPU under ThreadSanitizer.

    tsan.py T STANDIN HARNESS RUNTIME "GPU_CC" "CLANG" PROGRAM.c:SIZE,... ...

Each program is compiled with our passes to IR, all of its functions get the
sanitizer's attribute, and the rest is compiled by clang, with the stand-in for
libomp.  It runs without a device on 2, 3 and 7 threads, and has the results of
the same program with its original loops.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import os
import re
import subprocess
import sys
from pathlib import Path


def run(program, sizes, dump, **settings):
    done = subprocess.run(
        [program, *sizes], stderr=subprocess.PIPE, text=True,
        env={**os.environ, "POLYGPU_DUMP": dump, "POLYGPU": "off",
             "POLYGPU_PROFILE": "lines",
             "TSAN_OPTIONS": "halt_on_error=1:exitcode=66", **settings})
    if done.returncode:
        sys.exit(f"tsan.py: {program}: {done.returncode}\n{done.stderr}")
    return done.stderr, Path(dump).read_bytes()


def main(base, standin, harness, runtime, gpu_cc, clang, *programs):
    for what in programs:
        source, _, sizes = what.partition(":")
        name = Path(source).stem
        ir = Path(f"{base}.{name}.ll")
        subprocess.run([*gpu_cc.split(), "-mfma", "-mllvm", "-gpu-cpu=parallel",
                        "-S", "-emit-llvm", source, "-o", str(ir)], check=True)
        text = re.sub(r"(?m)^(attributes #\d+ = \{)", r"\1 sanitize_thread",
                      ir.read_text())
        pieces = re.findall(r"(?m)^define .*@polygpu\.pieces\.[^\n]*#\d+", text)
        if not pieces:
            sys.exit(f"tsan.py: {name}: there are no loops for threads")
        ir.write_text(text)
        program = f"{base}.{name}"
        subprocess.run([*clang.split(), "-O1", "-fsanitize=thread", "-rdynamic",
                        "-Wno-override-module", str(ir), standin, harness,
                        runtime, "-lpthread", "-ldl", "-lm", "-o", program],
                       check=True)
        _, wanted = run(program, sizes.split(","), f"{program}.ref.dump",
                        POLYGPU_CPU="off")
        regions = 0
        for threads in "237":
            said, dump = run(program, sizes.split(","), f"{program}.dump",
                             POLYGPU_CPU="parallel", OMP_NUM_THREADS=threads)
            if dump != wanted:
                sys.exit(f"tsan.py: {name}: other results on {threads} threads")
            regions += sum(map(int, re.findall(r"regions=(\d+)", said)))
        print(f"{name}: {regions} parallel loops, no race")


if __name__ == "__main__":
    main(*sys.argv[1:])
