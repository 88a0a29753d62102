"""What was measured so far, in a file that the next run of the same command reads.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import json
import os

from failure import Failure, read_text


class State:
    """of: what the figures are of; another command begins anew."""

    def __init__(self, path, of):
        self.path, self.of = path, of
        self.data = {"of": of, "seconds": 0, "figures": {}, "rejected": {},
                     "curve": []}
        self.resumed = self.begun_anew = False
        self.codes = {}
        if path.exists():
            self.read()

    def read(self):
        try:
            data = json.loads(read_text(self.path))
            of = data["of"]
            figures = sum(map(len, data["figures"].values()))
            data["rejected"].items(), data["seconds"] + 0, data["curve"] + []
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise Failure(f"{self.path}: this is no state of polygpu tune "
                          f"({error}); remove it to begin anew") from error
        if of != self.of:
            self.begun_anew = True
        else:
            self.data = data
            self.resumed = figures > 0

    def write(self):
        new = self.path.with_name(self.path.name + ".new")
        try:
            new.write_text(json.dumps(self.data, indent=1) + "\n",
                           encoding="utf-8")
            os.replace(new, self.path)
        except OSError as error:
            raise Failure(f"{self.path}: the state cannot be written there "
                          f"({error.strerror or error})") from error

    def figures(self, name):
        return self.data["figures"].get(name, [])

    def add(self, name, figure):
        self.data["figures"].setdefault(name, []).append(figure)

    def rejected(self, name):
        return self.data["rejected"].get(name, "")

    def reject(self, name, why):
        self.data["rejected"][name] = why

    def same_code(self, slot, choice, code):
        """Another choice of the slot with the same code, or None."""
        first = self.codes.setdefault((slot, code), choice)
        return None if first == choice else first

    def point(self, seconds, part):
        """The curve: the time of what is tuned by what it was, where that is
        the least so far."""
        curve, part = self.data["curve"], round(part, 6)
        if not curve or part < curve[-1][1]:
            curve.append([round(seconds, 3), part])
