"""Builds of the program, and what the compiler says of them.

The build command is run as it is, with POLYGPU_OPTIONS in its environment, which
polygpu-clang and polygpu-flang add to their options.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import json
import os
import signal
import subprocess
from collections import namedtuple

from failure import Failure
from records import Record, text_of

# scops: (hash, architecture) -> entries of the log.  misfits: the same for
# records that were not taken -> why; those for some sizes have these as well.
Build = namedtuple("Build", "scops misfits")


class TimeUp(Exception):
    """The time limit is over."""


class BuildFailed(Exception):
    """Of a candidate."""


def run_command(command, timeout, **options):
    """A process group of its own, so that Ctrl-C comes to us alone; ended as a
    whole after the time, or when we are."""
    with subprocess.Popen(command, stdin=subprocess.DEVNULL,
                          start_new_session=True, **options) as process:
        try:
            out, err = process.communicate(timeout=timeout)
        except BaseException:
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            process.wait()
            raise
    return process.returncode, out, err


class Builder:
    """folder: for the file of records and the log."""

    def __init__(self, command, folder, options):
        self.command, self.folder, self.options = command, folder, options
        self.count = 0

    def build(self, choices, timeout):
        """With choices, (hash, architecture) -> words."""
        return self.build_records([Record(*key, "time", 0, 0, words, "")
                                   for key, words in sorted(choices.items())],
                                  timeout)

    def build_records(self, records, timeout):
        self.count += 1
        tuning, log = self.folder / "tuning.txt", self.folder / "log"
        tuning.write_text(text_of(records))
        log.unlink(missing_ok=True) if hasattr(log, "missing_ok") else (
            log.exists() and log.unlink())
        env = dict(os.environ, POLYGPU_OPTIONS=" ".join(
            [*self.options, f"-gpu-tuning={tuning}",
             f"-gpu-save-tuning={log}"]))
        status, out, _ = run_command(["/bin/sh", "-c", self.command], timeout,
                                     env=env, stdout=subprocess.PIPE,
                                     stderr=subprocess.STDOUT)
        if status:
            lines = out.decode(errors="replace").strip().splitlines()
            raise BuildFailed(f"status {status}: "
                              + " / ".join(lines[-3:]) if lines
                              else f"status {status}")
        return read_log(log)


def read_log(path):
    scops, misfits = {}, {}
    if path.exists():
        for line in path.read_text(encoding="utf-8").splitlines():
            entry = json.loads(line)
            key = (entry["scop"], entry["arch"])
            if "misfit" in entry:
                when = [entry["when"]] if "when" in entry else []
                misfits[tuple([*key, *when])] = entry["misfit"]
            else:
                scops.setdefault(key, []).append(entry)
    for entries in scops.values():
        entries.sort(key=lambda entry: (entry["file"], entry["line"],
                                        entry["function"]))
    return Build(scops, misfits)


def first_build(builder, timeout, choices=None):
    """The program as it is; what goes wrong is the user's to know."""
    try:
        build = builder.build(choices or {}, timeout)
    except BuildFailed as error:
        raise Failure(f"--build '{builder.command}' failed: {error}") from error
    if not build.scops:
        raise Failure(
            f"--build '{builder.command}' compiled nothing that is offloaded: "
            "let it compile all anew (make -B, or rm first), with polygpu-clang "
            "or with the options in $POLYGPU_OPTIONS")
    return build
