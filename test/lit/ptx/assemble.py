"""ptxas takes the PTX of the test programs.

  assemble.py PLUGIN PTXAS programs SM   every program, element type and form
  assemble.py PLUGIN PTXAS some SM       half of the programs, each in one of
                                         them, drawn by the printed seed
                                         (POLYGPU_SEED repeats it)
  assemble.py PLUGIN PTXAS all           gemm and calls of the math library,
                                         for every architecture that ptxas
                                         knows from sm_75 on
  assemble.py PLUGIN PTXAS three         the same for three of them, drawn by the
                                         seed
  assemble.py PLUGIN PTXAS gemm SM       no register is spilled in gemm, of each
                                         type and form
  assemble.py PLUGIN PTXAS gemms SM      the same for one form of each type, drawn
                                         by the seed
"""

import math
import os
import random
import re
import sys
from concurrent.futures import ThreadPoolExecutor

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "Inputs"))
import gpu_ir

PROGRAMS = os.path.join(HERE, "..", "..", "programs")
SIZES = ["-DN=33", "-DM=34", "-DK=35", "-DP=36", "-DSTEPS=3"]
MATH = """
void math(int n, float *restrict a, double *restrict b)
{
    for (int i = 0; i < n; i++) {
        a[i] = %s(a[i] + 0.5f) / 3 + fmodf(a[i], 0.75f);
        b[i] = sqrt(b[i]) + pow(b[i], 1.5) + floor(b[i]);
    }
}
"""


def front_end(source, *flags):
    """IR of C source, before any pass."""
    done = gpu_ir.run(["clang", "-O1", "-Xclang", "-disable-llvm-passes",
                       f"-I{PROGRAMS}", *flags, "-x", "c", "-", "-S",
                       "-emit-llvm", "-o", "-"], source)
    if done.returncode:
        sys.exit(done.stderr)
    return done.stdout


def program(name, element, form):
    with open(os.path.join(PROGRAMS, name + ".c")) as file:
        return front_end(file.read(), f"-DT={element}", f"-DFORM={form}",
                         *SIZES)


def drawing():
    """What draws by the seed, which is printed."""
    seed = int(os.environ.get("POLYGPU_SEED", random.randrange(1 << 31)))
    print(f"seed {seed}")
    return random.Random(seed)


def kernels_of(ptx):
    return re.findall(r"\.entry (\w+)", ptx)


def check_programs(plugin, ptxas, arch, some=False):
    """Returns (number of modules, number of wrong ones)."""
    kinds = [(element, form) for element in ("float", "double")
             for form in (1, 2, 3)]
    names = [name[:-2] for name in sorted(os.listdir(PROGRAMS))
             if name.endswith(".c") and name != "harness.c"]
    variants = [(name, *kind) for name in names for kind in kinds]
    if some:
        draw = drawing()
        variants = [(name, *draw.choice(kinds))
                    for name in sorted(draw.sample(names, len(names) // 2))]

    def compile_one(variant):
        return gpu_ir.ptx_modules(plugin, program(*variant),
                                  f"-gpu-arch={arch}")

    wrong, count = 0, 0
    with ThreadPoolExecutor(2) as pool:
        results = list(pool.map(compile_one, variants))
    for variant, modules in zip(variants, results):
        # The loops of main are none of our business.
        if not any(kernel.startswith(variant[0] + "_")
                   for ptx in modules or [] for kernel in kernels_of(ptx)):
            print(variant, "has no kernel")
            wrong += 1
        count += len(modules or [])
        bad = gpu_ir.check_ptxas(ptxas, modules or [], arch)
        if bad:
            print(variant, "is refused by ptxas")
        wrong += bad
    return count, wrong


def architectures(ptxas):
    """What ptxas knows from sm_75 on, with the suffixes a and f."""
    known = set(re.findall(r"'(sm_(\d+)[af]?)'",
                           gpu_ir.run([ptxas, "--help"]).stdout))
    return sorted((name for name, number in known if int(number) >= 75),
                  key=lambda name: (int(re.sub(r"\D", "", name)), name))


def check_architectures(plugin, ptxas, some=False):
    texts = [program("gemm", element, 2) for element in ("float", "double")]
    texts.append(front_end("#include <math.h>\n" + MATH % "expf"))
    known = architectures(ptxas)
    if "sm_75" not in known:
        print("ptxas does not say that it knows sm_75:", known)
        return 0, 1
    if some:
        known = drawing().sample(known, 3)
    print("architectures:", *known)

    def one(arch):
        wrong = 0
        for text in texts:
            modules = gpu_ir.ptx_modules(plugin, text, f"-gpu-arch={arch}")
            if not modules or f".target {arch}" not in modules[0]:
                print(f"no PTX for {arch}")
                wrong += 1
                continue
            wrong += gpu_ir.check_ptxas(ptxas, modules, arch)
        return wrong

    with ThreadPoolExecutor(2) as pool:
        return len(texts) * len(known), sum(pool.map(one, known))


def check_spills(plugin, ptxas, arch, some=False):
    wrong, count = 0, 0
    draw = drawing() if some else None
    for element in ("float", "double"):
        for form in [draw.randint(1, 3)] if some else (1, 2, 3):
            for ptx in gpu_ir.ptx_modules(plugin, program("gemm", element, form),
                                          f"-gpu-arch={arch}"):
                done = gpu_ir.assemble(ptxas, arch, ptx)
                frames = [int(n) for n in re.findall(
                    r"(\d+) bytes (?:stack frame|spill stores|spill loads)",
                    done.stderr)]
                registers = re.search(r"Used (\d+) registers", done.stderr)
                print(element, form, *kernels_of(ptx), "registers:",
                      registers and registers.group(1), "frame and spills:",
                      frames)
                count += 1
                # A multiprocessor has 65,536, and warps take multiples of 8.
                threads = math.prod(int(n) for n in re.search(
                    r"\.reqntid ([\d, ]+)", ptx).group(1).split(","))
                wrong += (done.returncode != 0 or not frames or any(frames) or
                          (int(registers.group(1)) + 7) // 8 * 8 * threads
                          > 65536)
    return count, wrong


def main():
    plugin, ptxas, what, *arch = sys.argv[1:]
    check = {"programs": check_programs, "all": check_architectures,
             "three": lambda *to: check_architectures(*to, some=True),
             "some": lambda *to: check_programs(*to, some=True),
             "gemm": check_spills,
             "gemms": lambda *to: check_spills(*to, some=True)}[what]
    gpu_ir.finish(*check(plugin, ptxas, *arch))


if __name__ == "__main__":
    main()
