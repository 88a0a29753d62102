#!/usr/bin/env python3
"""Runs a test program with and without offloading and compares.

  run.py --program gemm --type double --form 2 --cfg build/polygpu.cfg

builds the program twice, runs both at each size with the same random inputs,
and checks that all arrays are equal bit by bit (a NaN equals any NaN), and
that the launches and bytes moved are those that expected.py derives.  Exits
with 0 if all of it holds; else says what does not and how to repeat it.
"""

import argparse
import os
import random
import re
import shlex
import struct
import subprocess
import sys
from collections import namedtuple
from pathlib import Path

import expected

HERE = Path(__file__).resolve().parent
TIMEOUT = 120  # seconds, for one command

CONTRACTION = {  # flags of the reference, flags of the offloaded program
    "fast": (["-mfma"], []),
    "off": (["-ffp-contract=off"], ["-ffp-contract=off"]),
}
ELEMENT = {"float": 4, "double": 8}
POISON = {4: 0x7FC12345, 8: 0x7FF8123456789ABC}  # as in harness.c


class Failure(Exception):
    pass


# ---- Commands -----------------------------------------------------------


def call(command, env=None, timeout=TIMEOUT):
    """Runs a command and returns its stderr; Failure if it does not exit 0."""
    words = shlex.join(str(word) for word in command)
    try:
        done = subprocess.run(command, env=env, timeout=timeout,
                              stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    except subprocess.TimeoutExpired:
        raise Failure(f"no end after {timeout} seconds: {words}") from None
    stderr = done.stderr.decode(errors="replace")
    if done.returncode:
        raise Failure(f"exit status {done.returncode}: {words}\n"
                      f"{done.stdout.decode(errors='replace')}{stderr}")
    return stderr


def build(options, flags, sizes, output):
    defines = [f"-DT={options.type}", f"-DFORM={options.form}"]
    if options.form == 1:
        names = expected.PROGRAMS[options.program].parameters
        defines += [f"-D{name}={size}" for name, size in zip(names, sizes)]
    call([options.clang, *flags, *defines, f"-I{HERE}",
          HERE / f"{options.program}.c", options.harness, "-o", output])


def environment(seed, dump, **settings):
    env = {name: value for name, value in os.environ.items()
           if not name.startswith("POLYGPU")}
    env.update(settings, POLYGPU_SEED=str(seed), POLYGPU_DUMP=str(dump))
    return env


# ---- Dumps --------------------------------------------------------------

Array = namedtuple("Array", "name element bits")


def read_dump(data):
    """The arrays of a dump, each with its elements as integers."""
    arrays, at = [], 0
    while at < len(data):
        name, element, count = struct.unpack_from("<16sQQ", data, at)
        at += 32
        code = {4: "I", 8: "Q"}[element]
        bits = struct.unpack_from(f"<{count}{code}", data, at)
        at += count * element
        arrays.append(Array(name.rstrip(b"\0").decode(), element, bits))
    return arrays


def is_nan(bits, element):
    exponent, fraction = {4: (0x7F800000, 0x007FFFFF),
                          8: (0x7FF << 52, (1 << 52) - 1)}[element]
    return bits & exponent == exponent and bits & fraction != 0


def same(reference, result, element):
    """Any NaN is as good as another, but the pattern that marks an element
    that was never written has to stay."""
    if reference == result:
        return True
    return (reference != POISON[element] and is_nan(reference, element)
            and is_nan(result, element))


def compare(reference, result):
    """Failure if two dumps differ; names the first elements that do."""
    if reference == result:
        return
    ours, theirs = read_dump(reference), read_dump(result)
    shape = [(a.name, a.element, len(a.bits)) for a in ours]
    if shape != [(a.name, a.element, len(a.bits)) for a in theirs]:
        raise Failure("the dumps have other arrays")
    wrong = [f"{a.name}[{i}] is {y:#x}, not {x:#x}"
             for a, b in zip(ours, theirs)
             for i, (x, y) in enumerate(zip(a.bits, b.bits))
             if not same(x, y, a.element)]
    if wrong:
        raise Failure(f"{len(wrong)} elements differ: " + "; ".join(wrong[:5]))


# ---- Profile ------------------------------------------------------------

Profile = namedtuple("Profile", "launches bytes_in bytes_out kernels scops")
FIELD = re.compile(r"(\w+)=(\S+)")


def profile_lines(stderr):
    """The fields of the lines that POLYGPU_PROFILE=lines prints: those of SCoPs
    and those of kernels."""
    scops, kernels = [], []
    for line in stderr.splitlines():
        found = re.match(r"polygpu: (kernel|scop) ", line)
        if found:
            (kernels if found.group(1) == "kernel" else scops).append(
                dict(FIELD.findall(line), line=line))
    return scops, kernels


def read_profile(stderr, device):
    """Sums of the lines of a profile."""
    scops, kernels = profile_lines(stderr)
    for fields in scops + kernels:
        if fields.get("device") != device:
            raise Failure(f"not on device {device}: {fields['line']}")
    for fields in scops:
        if int(fields["declined"]) or int(fields["failed"]):
            raise Failure("original loops executed: " + stderr)
    return Profile(sum(int(f["launches"]) for f in kernels),
                   sum(int(f["bytes_in"]) for f in scops),
                   sum(int(f["bytes_out"]) for f in scops),
                   len(kernels), len(scops))


def check_profile(profile, wanted, element, may_vanish):
    """Failure if a run did not do what was "wanted".  Where "may_vanish",
    constant sizes leave no loop in some or all of the kernels."""
    if may_vanish and profile.launches < wanted.launches:
        return
    got = (profile.launches, profile.bytes_in, profile.bytes_out)
    want = (wanted.launches, wanted.reads * element, wanted.writes * element)
    for what, a, b in zip(("launches", "bytes in", "bytes out"), got, want):
        if a != b:
            raise Failure(f"{a} {what} instead of {b}")


# ---- One program --------------------------------------------------------


def run_device(options, command, sizes, seed, dumps, device, **settings):
    """What is wrong with a run on a device."""
    stderr = call(command, environment(seed, dumps[1], POLYGPU="mandatory",
                                       POLYGPU_DEVICE=device,
                                       POLYGPU_PROFILE="lines", **settings))
    problems = []
    if not options.self_test:
        wanted = expected.PROGRAMS[options.program].expect(*sizes)
        try:
            check_profile(read_profile(stderr, device), wanted,
                          ELEMENT[options.type],
                          options.form == 1 and max(sizes) <= 3)
        except Failure as failure:
            problems.append(str(failure))
    try:
        compare(*(dump.read_bytes() for dump in dumps))
    except Failure as failure:
        problems.append(str(failure))
    return problems


def run_size(options, binaries, sizes, seed):
    reference, offloaded = binaries
    arguments = [] if options.form == 1 else [str(size) for size in sizes]
    dumps = [binary.with_suffix(".dump") for binary in binaries]
    call([reference, *arguments], environment(seed, dumps[0]))
    command = [offloaded, *arguments]
    problems = run_device(options, command, sizes, seed, dumps, options.device)
    if options.ptx:
        problems += run_device(options, command, sizes, seed, dumps, "cuda",
                               LD_LIBRARY_PATH=str(options.ptx),
                               PTX_MACHINE=os.environ.get("PTX_MACHINE",
                                                          "orders=all"))
    if problems:
        raise Failure("\n".join(problems))


def run_contraction(options, contraction, seed):
    program = expected.PROGRAMS[options.program]
    plain, gpu = CONTRACTION[contraction]
    if not options.plain:
        gpu = [f"--config={options.cfg}", *gpu, "-mllvm", "-gpu-offload",
               "-mllvm", f"-gpu-targets={options.targets}",
               "-mllvm", "-gpu-time=off"]  # launches are functions of sizes
        for option in options.opt:
            gpu += ["-mllvm", option]
    else:
        gpu = plain
    binaries = [options.work / f"{contraction}-{kind}"
                for kind in ("reference", "offloaded")]
    all_sizes = options.sizes or (
        program.constant_sizes if options.form == 1 else program.sizes)
    for number, sizes in enumerate(all_sizes):
        if options.form == 1 or number == 0:
            build(options, ["-O3", *plain], sizes, binaries[0])
            build(options, ["-O3", *gpu], sizes, binaries[1])
        text = "x".join(map(str, sizes))
        try:
            run_size(options, binaries, sizes, seed + number)
        except Failure as failure:
            raise Failure(
                f"{options.program}, {options.type}, form {options.form}, "
                f"sizes {text}, -ffp-contract={contraction}: {failure}\n"
                f"repeat with: --sizes {text} --contract {contraction} "
                f"--seed {seed + number}") from None
        print(f"{options.program} {text} -ffp-contract={contraction}: ok")


def parse_sizes(text):
    return [tuple(int(size) for size in item.split("x"))
            for item in text.split(",")]


def parse_arguments():
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True,
                        choices=sorted(expected.PROGRAMS))
    parser.add_argument("--type", choices=sorted(ELEMENT), default="float")
    parser.add_argument("--form", type=int, choices=(1, 2, 3), default=2)
    parser.add_argument("--sizes", type=parse_sizes, metavar="1x2x3,4x5x6",
                        help="instead of those in expected.py")
    parser.add_argument("--contract", choices=sorted(CONTRACTION),
                        help="only this rule of contraction")
    parser.add_argument("--seed", type=int,
                        default=os.environ.get("POLYGPU_SEED"),
                        help="of the random inputs (default: POLYGPU_SEED, "
                             "else another one each time)")
    parser.add_argument("--clang", default="clang-22")
    parser.add_argument("--cfg", default=HERE.parents[1] / "build/polygpu.cfg",
                        help="clang configuration file of PolyGPU")
    parser.add_argument("--harness", default=HERE / "harness.c",
                        help="harness.c, or an object or library made of it")
    parser.add_argument("--work", type=Path, default=Path("run.out"),
                        help="directory for what is built and written")
    parser.add_argument("--device", choices=("emulated", "cuda"),
                        default="emulated")
    parser.add_argument("--ptx", type=Path, metavar="FOLDER",
                        help="run on the PTX machine as well, whose library is "
                             "in the folder")
    parser.add_argument("--targets", help="default: what the device needs")
    parser.add_argument("--opt", action="append", default=[], metavar="OPTION",
                        help="another option of the plugin")
    parser.add_argument("--plain", action="store_true",
                        help="build without the plugin (to test this script)")
    parser.add_argument("--self-test", action="store_true",
                        help="do not check the profile (to test this script)")
    options = parser.parse_args()
    if not options.targets:
        options.targets = ("ptx" if options.device == "cuda"
                           else "emulated-checked")
        if options.ptx and options.device != "cuda":
            options.targets = f"ptx,{options.targets}"
    return options


def main():
    options = parse_arguments()
    seed = options.seed
    if seed is None:
        seed = random.SystemRandom().randrange(1 << 32)
    print(f"seed {seed}")
    options.work.mkdir(parents=True, exist_ok=True)
    rules = [options.contract] if options.contract else sorted(CONTRACTION)
    try:
        for contraction in rules:
            run_contraction(options, contraction, seed)
    except Failure as failure:
        print(failure)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
