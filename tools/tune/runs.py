"""Runs of the program: what it prints and writes, and what its kernels took.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import hashlib
import os
import re
import subprocess
from collections import namedtuple
from pathlib import Path

import model
from builds import run_command
from failure import Failure
from profiles import profile_of, read_lines

# What is compared: exit status, stdout's digest, digests of files by name.
Result = namedtuple("Result", "status stdout files")
# A kernel in a run.
Kernel = namedtuple("Kernel", "name launches ms row")
# results: of one run or two.  place (function, file, line) -> kernels; device:
# "cuda", "emulated" or "none".
Run = namedtuple("Run", "results kernels failed device")


def digest(data):
    return hashlib.sha256(data).hexdigest()


def differences(expected, run):
    """The first one in a Run, or ""."""
    return next(filter(None, (difference(expected, result)
                              for result in run.results)), "")


def difference(expected, got):
    """What differs, in words, or ""."""
    if got.status != expected.status:
        return f"exit status {got.status} instead of {expected.status}"
    if got.stdout != expected.stdout:
        return "another standard output"
    for name, one in expected.files.items():
        if got.files[name] != one:
            return f"another {name}" if got.files[name] else f"no file {name}"
    return ""


class Program:
    """The user's command, in the current folder."""

    def __init__(self, command, compare, stdout, folder):
        self.command, self.compare, self.stdout = command, compare, stdout
        self.folder = folder
        self.device = None
        self.timeout = None

    def run(self, timeout, profile=None, **env):
        """(Result, text of stderr).  Files that are compared are removed first:
        what another run left is no result."""
        for name in self.compare:
            if os.path.exists(name):
                os.unlink(name)
        whole = {**os.environ, "POLYGPU_COST": "off", "POLYGPU": "auto", **env}
        if profile:
            whole["POLYGPU_PROFILE"] = str(profile)
        else:
            whole.pop("POLYGPU_PROFILE", None)
        if self.device == "emulated":
            whole["POLYGPU_DEVICE"] = "emulated"
        limits = [one for one in (timeout, self.timeout) if one]
        try:
            status, out, err = run_command(
                self.command, min(limits) if limits else None, env=whole,
                stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        except OSError as error:
            raise Failure(f"{self.command[0]}: it cannot be started "
                          f"({error.strerror or error})") from error
        files = {name: digest(Path(name).read_bytes())
                 if os.path.isfile(name) else "" for name in self.compare}
        return (Result(status, digest(out) if self.stdout else "", files),
                err.decode(errors="replace"))

    def profiled(self, timeout):
        """A Run with times."""
        path = self.folder / "profile.csv"
        if path.exists():
            path.unlink()
        result, _ = self.run(timeout, path)
        if not path.exists() or not path.stat().st_size:
            return Run([result], {}, 0, "none")
        return read_run(result, profile_of(path))

    def sizes(self, timeout):
        """place -> the least and the largest value of each parameter, and the
        conditions of the variants that ran; and the Result."""
        path = self.folder / "profile.json"
        if path.exists():
            path.unlink()
        result, _ = self.run(timeout, path)
        found = {}
        if not path.exists() or not path.stat().st_size:
            return found, result
        for one in profile_of(path)["scops"]:
            if "sizes" in one:
                found.setdefault(place_of(one), []).append(
                    (one["sizes"], {variant["when"] for variant
                                    in one.get("variants", ())
                                    if variant["runs"]}))
        return found, result

    def counted(self, timeout, run):
        """"run" with what the checked emulated device counts of accesses."""
        result, err = self.run(timeout, "lines")
        seen = {}
        for one in read_lines(Path("stderr"), err)["scops"]:
            for kernel in one["kernels"]:
                if "accesses" in kernel:
                    seen[place_of(one), kernel["name"]] = kernel["accesses"]
        kernels = {}
        for place, list_ in run.kernels.items():
            kernels[place] = [
                kernel._replace(row={**kernel.row, **seen[place, kernel.name]})
                for kernel in list_ if (place, kernel.name) in seen]
        return run._replace(results=[*run.results, result], kernels=kernels)


def place_of(scop):
    return (scop["function"], scop["file"], int(scop["line"]))


def read_run(result, profile):
    kernels, failed, devices = {}, 0, set()
    for one in profile["scops"]:
        failed += one["failed"]
        devices.add(one["device"])
        for part in one["kernels"]:
            if not part["launches"]:
                continue
            blocks = part["grid"][0] * part["grid"][1] * part["grid"][2]
            threads = part["block"][0] * part["block"][1] * part["block"][2]
            row = {"launches": part["launches"],
                   "blocks": max(1, blocks) * part["launches"],
                   "threads": max(1, threads), "operations": part["operations"],
                   "flops": part["flops_single"],
                   "flops_double": part["flops_double"],
                   "bytes": part["bytes"] / part["launches"],
                   "steps": 0, "alone": 0}
            kernels.setdefault(place_of(one), []).append(
                Kernel(part["name"], part["launches"], part["time_ms"], row))
    devices.discard("none")
    device = next((name for name in devices if not re.match("emul", name)),
                  "emulated" if devices else "none")
    return Run([result], kernels, failed, device)


# ---- Figures ----------------------------------------------------------------

def by_time(kernel, _entry, _about):
    """Milliseconds on the device; launches cannot follow each other faster than
    they are started."""
    return max(kernel.ms, kernel.launches * model.LAUNCH)


def machine_of(entry, about):
    """The machine that kernels were planned for; with the registers of a kernel
    there is room for fewer threads."""
    machine = model.Machine(**entry["machine"])
    registers = about["registers"]
    if registers:
        warps = machine.registers // (-(-registers // 8) * 8 * machine.warp)
        machine = machine._replace(
            threads=min(machine.threads, warps * machine.warp))
    return machine


def by_model(kernel, entry, about):
    """Milliseconds by the model of benchmarks/predict."""
    row = dict(kernel.row, shared=about["shared"])
    row = namedtuple("Row", row)(**row)
    cost = model.cost(row, machine_of(entry, about))
    return cost.launching + getattr(cost, model.bound_of(cost))
