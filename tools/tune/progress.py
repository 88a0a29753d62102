"""Time, a bar on a terminal and lines elsewhere, and the curve.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import os
import sys
import time

from builds import TimeUp
from records import choice_text

WIDTH = 24


def clock(seconds):
    seconds = int(seconds)
    if seconds < 3600:
        return f"{seconds // 60}:{seconds % 60:02}"
    return f"{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}"


class Progress:
    """limit: seconds; spent: by runs before this one, whose curve goes on."""

    def __init__(self, limit, state, out=sys.stderr):
        self.limit, self.state, self.out = limit, state, out
        self.start, self.before = time.monotonic(), state.data["seconds"]
        self.trials = self.of = 0
        self.longest = 0.0
        self.begun = None
        self.names, self.saved = {}, {}
        self.whole = 0.0
        self.bar = out.isatty()

    def elapsed(self):
        return time.monotonic() - self.start

    def left(self):
        """What the last check needs stays."""
        left = self.limit - self.elapsed() - self.longest
        if left <= 0:
            raise TimeUp()
        return left

    # ---- What happens --------------------------------------------------------

    def called(self, slot):
        name = self.names.get(slot.key, slot.key[0])
        return name if slot.kernel is None else f"{name} kernel {slot.kernel}"

    def stage(self, lists):
        self.of = self.trials + max(map(len, lists.values()))

    def begin(self, trial):
        self.left()
        self.trials += 1
        self.of = max(self.of, self.trials)
        self.begun = time.monotonic()
        what = "; ".join(f"{self.called(slot)}: "
                         f"{choice_text(choice) or 'as it is'}"
                         for slot, choice in trial.items())
        if self.bar:
            self.draw(what)
        elif what:
            self.say(f"{clock(self.elapsed())} trial {self.trials}: {what}")

    def end(self, _search):
        self.longest = max(self.longest, time.monotonic() - self.begun)
        self.save()

    def save(self):
        self.state.data["seconds"] = self.before + self.elapsed()
        self.state.write()

    def note(self, text):
        self.say(f"not taken: {text}")

    def found(self, slot, old, new):
        saved = old - new
        if saved > self.saved.get(slot, 0):
            self.say(f"{self.called(slot)}: {old:.4g} ms -> {new:.4g} ms")
        self.saved[slot] = saved
        self.state.point(self.before + self.elapsed(), self.part())

    def part(self):
        return 1 - sum(self.saved.values()) / self.whole if self.whole else 1

    # ---- Output --------------------------------------------------------------

    def say(self, text):
        if self.bar:
            self.out.write("\r\033[K")
        self.out.write(f"polygpu tune: {text}\n")
        self.out.flush()

    def draw(self, what):
        part = min(1.0, self.elapsed() / self.limit)
        full = int(part * WIDTH)
        text = (f"[{'#' * full}{' ' * (WIDTH - full)}] {clock(self.elapsed())} "
                f"of {clock(self.limit)}, trial {self.trials} of {self.of} or "
                f"more, {100 * self.part():.0f}%  {what}")
        try:
            width = os.get_terminal_size(self.out.fileno()).columns
        except OSError:
            width = 80
        self.out.write("\r\033[K" + text[:width - 1])
        self.out.flush()

    def close(self):
        if self.bar:
            self.out.write("\r\033[K")
            self.out.flush()
        self.save()
