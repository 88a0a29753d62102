"""lit format of the tests of whole programs, which are not files.

  gemm-float-form2        test/programs/run.py on the emulated device and on the
                          PTX machine
  gemm-float-form2-cuda   the same on a GPU, unsupported where there is none
  gemm-float-off          without shared memory and registers, form 2
  ir-gemm-O2              check_ir.py: the pass on the program's IR, twice

Each program has one of the types and forms, each fourth is tried without shared
memory and registers, and each source has one of the levels of ir-...; with lit
--param all=1 there is everything.

Select some with lit --filter='gemm-double'.
"""

import os
import subprocess

import expected
import lit.Test
from lit.formats.base import TestFormat

TIMEOUT = 600  # seconds; run.py has tighter ones
TYPES = ("float", "double")
FORMS = (1, 2, 3)
LEVELS = ("-O0", "-O1", "-O2", "-O3")


def sources(config):
    """C sources whose IR the pass must not break: name -> path."""
    folders = {"": config.polygpu_programs,
               "remarks-": os.path.join(config.test_source_root, "remarks"),
               "demo-": os.path.join(config.polygpu_source, "benchmarks/demo")}
    return {prefix + name[:-2]: os.path.join(folder, name)
            for prefix, folder in folders.items()
            for name in sorted(os.listdir(folder)) if name.endswith(".c")}


def command_of(config, program, element, form):
    return [config.polygpu_python, "-B",
            os.path.join(config.polygpu_programs, "run.py"),
            "--program", program, "--type", element, "--form", str(form),
            "--clang", os.path.join(config.llvm_bin, "clang"),
            "--cfg", config.polygpu_cfg, "--harness", config.polygpu_harness]


def commands(config, work):
    """Every test of the directory: name -> (command, needs a GPU)."""
    tests = {}
    everything = config.polygpu_all
    for number, program in enumerate(expected.PROGRAMS):
        for element in TYPES if everything else TYPES[number % 2:][:1]:
            for form in FORMS if everything else FORMS[number % 3:][:1]:
                name = f"{program}-{element}-form{form}"
                command = command_of(config, program, element, form)
                tests[name] = (
                    command + ["--work", os.path.join(work, name),
                               "--ptx", config.polygpu_ptx], False)
                name += "-cuda"
                tests[name] = (
                    command + ["--work", os.path.join(work, name),
                               "--device", "cuda"], True)
            if not everything and number % 4:
                continue
            tests[f"{program}-{element}-off"] = (
                command_of(config, program, element, 2) +
                ["--opt=-gpu-promotion=off", "--ptx", config.polygpu_ptx,
                 "--work", os.path.join(work, f"{program}-{element}-off")],
                False)
    for number, (source, path) in enumerate(sources(config).items()):
        for level in LEVELS if everything else LEVELS[number % 4:][:1]:
            name = f"ir-{source}{level}"
            tests[name] = (
                [config.polygpu_python, "-B",
                 os.path.join(config.polygpu_programs, "check_ir.py"),
                 "--llvm-bin", config.llvm_bin,
                 "--plugin", config.polygpu_plugin,
                 f"--level={level}", "--work", os.path.join(work, name), path],
                False)
    return tests


class ProgramFormat(TestFormat):
    def getTestsInDirectory(self, suite, path_in_suite, lit_config,
                            local_config):
        for name in commands(local_config, ""):
            yield lit.Test.Test(suite, path_in_suite + (name,), local_config)

    def execute(self, test, lit_config):
        work = os.path.dirname(test.getExecPath())
        command, needs_gpu = commands(test.config, work)[test.path_in_suite[-1]]
        if needs_gpu and "cuda-gpu" not in test.config.available_features:
            return lit.Test.UNSUPPORTED, "needs a GPU"
        # The driver of the GPU is found as it was by lit.cfg.py.
        done = subprocess.run(command, env={**os.environ,
                                            **test.config.environment},
                              stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, timeout=TIMEOUT)
        output = done.stdout.decode(errors="replace")
        if done.returncode:
            return lit.Test.FAIL, f"$ {' '.join(command)}\n{output}"
        return lit.Test.PASS, output
