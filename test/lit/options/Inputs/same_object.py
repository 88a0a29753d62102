"""Compile programs with different seconds and under load, and compare objects.

    same_object.py FOLDER CLANG CFG SOURCE PROGRAM...

PROGRAM is one of the suite with its element type, gemm:double, or of the stress
inputs, stress/scalars, and may end in a colon and an option.
"""

import os
import re
import subprocess
import sys

BUSY = [sys.executable, "-c", "while True: pass"]


def compiler(folder, clang, cfg, source, program):
    """The command without -o, and the file."""
    name, *more = program.split(":")
    command = [clang, f"--config={cfg}", "-O3", "-mfma", "-mllvm",
               "-gpu-offload", "-mllvm", "-gpu-cuda-path=",
               "-Rpass=gpu-polyhedral", "-Rpass-missed=gpu-polyhedral"]
    if name.startswith("stress/"):
        name = name.split("/")[1]
        subprocess.check_call([
            sys.executable, "-B", f"{source}/benchmarks/compile_time.py",
            "--write", folder, name])
        command += [f"-I{source}/test/programs", f"{folder}/{name}.c"]
    else:
        command += [f"-DT={more.pop(0)}", "-DFORM=0",
                    f"{source}/benchmarks/polybench/{name}.c"]
    for option in more:
        command += ["-mllvm", option]
    return [*command, "-c", "-o", os.path.join(folder, "object.o"), "-mllvm"]


def build(command, seconds, busy):
    """The object's bytes and the remarks, beside so many busy processes."""
    others = [subprocess.Popen(BUSY) for _ in range(busy)]
    try:
        done = subprocess.run(
            [*command, f"-gpu-max-seconds={seconds}"],
            check=True, stderr=subprocess.PIPE, text=True)
    finally:
        for other in others:
            other.kill()
            other.wait()
    with open(command[command.index("-o") + 1], "rb") as file:
        return file.read(), done.stderr


def main():
    folder, *where = sys.argv[1:5]
    for program in sys.argv[5:]:
        command = compiler(folder, *where, program)
        outcomes = [build(command, seconds, busy)
                    for seconds, busy in ((60, 0), (20, 0), (60, 2))]
        same = all(o == outcomes[0] for o in outcomes)
        counts = ", ".join(
            f"{len(re.findall(text, outcomes[0][1]))} {what}"
            for text, what in (("remark: loops offloaded", "offloaded"),
                               ("remark: loop not offloaded", "refused")))
        print(f"{program}: {'same' if same else 'DIFFERENT'}, {counts}",
              flush=True)


main()
