"""roles.py SOURCE CLANG CFG [--all] - do the kernels that the compiler makes of the
programs of benchmarks/gpu have a role each in floors.py?  With promotion or
without it, drawn for each program; with --all both."""

import os
import random
import sys
from pathlib import Path

sys.dont_write_bytecode = True
source, clang, cfg = sys.argv[1:4]
for folder in ("polybench", "gpu"):
    sys.path.insert(0, str(Path(source) / "benchmarks" / folder))
import driver
import floors

seed = os.environ.get("POLYGPU_SEED") or str(random.randrange(1 << 31))
print(f"seed {seed}")
draw = random.Random(seed)
options = driver.parse_arguments(
    ["--device", "cuda", "--arch", "sm_90", "--type", "float", "--programs",
     ",".join(floors.PROGRAMS), "--clang", clang, "--cfg", cfg])
GIVEN = ["-gpu-cuda-path=", "-gpu-time=off", "-gpu-print-kernels"]
WAYS = {"on": GIVEN, "off": [*GIVEN, "-gpu-promotion=off"]}

for case in driver.cases(options):
    for way in WAYS if "--all" in sys.argv else [draw.choice(list(WAYS))]:
        options.opt = WAYS[way]
        stderr, _ = driver.compile_only(options, case,
                                        driver.gpu_flags(options), os.devnull)
        found = floors.roles(case.program, driver.read_remarks(stderr).arrays)
        print(f"{case.program} promotion {way}: {' '.join(found.values())}")
