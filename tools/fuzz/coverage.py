"""How much of a program ran in kernels.

Remarks name a line of offloaded loops, and the line of each loop that was not
offloaded; a loop without a remark is part of what is around it, or of offloaded
loops beside it.  The profile says how many runs of the loops of a line were
done by the device, and a build that counts, how often each statement runs.
"""

import re
from collections import Counter

from fuzz.text import TextBlock
from fuzz.tree import Assign, If, Loop, Switch, statements

OFFLOADED = re.compile(r":(\d+):\d+: remark: loops offloaded as")
MISSED = re.compile(r":(\d+):\d+: remark: (loop[^\n]*?) \[-Rpass-missed")
PROFILE = re.compile(r"polygpu: scop \S+ \S*?:(\d+) .*?runs=(\d+) "
                     r"declined=(\d+) failed=(\d+)")
COUNT = re.compile(r"line (\d+) count (\d+)")
DECLINED = re.compile(r":(\d+)\): not offloaded: (.*)")
NO_LOOP = "no loop"
OVERLAP = "offloaded, but the arrays overlap in this run"


class Share:
    """Statement instances of a program, and those that ran in kernels."""

    def __init__(self, program, remarks="", profile="", counts="",
                 reasons=""):
        self.all = self.kernels = 0
        self.silent = []  # lines of loops that no remark explains
        self.lost = Counter()  # instances by remark
        self.counts = {int(n): int(m) for n, m in COUNT.findall(counts)}
        self.offloaded = {int(n) for n in OFFLOADED.findall(remarks)}
        self.missed = {int(n): text for n, text in MISSED.findall(remarks)}
        self.overlap = {int(n) for n, why in DECLINED.findall(reasons)
                        if " overlap" in why}
        self.done = {}
        for line, runs, declined, failed in PROFILE.findall(profile):
            n = list(map(int, (runs, declined, failed)))
            self.done[int(line)] = n[0] / max(1, sum(n))
        self.line = {
            id(text.owner): number
            for number, text in enumerate(program.kernel_lines(), 1)
            if getattr(text, "owner", None) is not None}
        for k in program.kernels:
            self.visit(k.body, None, False, [])

    def visit(self, body, state, inside, after):
        """state: the line of the offloaded loops that body may be part of,
        and is if inside; a remark that says why not; or None.  after: what
        follows.  Returns the state at the end."""
        for number, s in enumerate(body):
            if isinstance(s, Loop):
                rest = body[number + 1:] + after
                if not inside:
                    state = self.of_loop(s, state, rest)
                if state is None and self.instances(s) and \
                        not self.mentioned(s):
                    self.silent.append(self.line[id(s)])
                for part in (s.body, s.tail):
                    last = self.visit(part, state, isinstance(state, int),
                                      rest)
                    if state is None and isinstance(last, int):
                        state = last  # it may go on behind the loop
            elif isinstance(s, (If, Switch)):
                for part in s.bodies:
                    state = self.visit(getattr(s, part), state, inside,
                                       body[number + 1:] + after)
            elif isinstance(s, TextBlock):
                state = self.visit(s.body, state, inside,
                                   body[number + 1:] + after)
            elif isinstance(s, Assign):
                # A block of memory that is set begins a nest.
                begins = not inside and self.line[id(s)] in self.offloaded
                state = self.line[id(s)] if begins else state
                self.add(self.instances(s), state, inside or begins)
        return state

    def of_loop(self, loop, state, after):
        line = self.line.get(id(loop))
        if line in self.offloaded:
            return line
        if line in self.missed:
            return self.missed[line]
        if state is not None or self.mentioned(loop):
            return state
        return next((self.line[id(s)] for s in statements(after)
                     if self.line.get(id(s)) in self.offloaded), None)

    def add(self, count, state, inside):
        done = self.done.get(state, 0) if inside else 0
        self.all += count
        self.kernels += count * done
        if count and done < 1:
            self.lost[self.cause(state, inside)] += count * (1 - done)

    def cause(self, state, inside):
        if isinstance(state, str):
            return state
        if not inside:
            return NO_LOOP
        return OVERLAP if state in self.overlap else \
            "offloaded, but declined at run time"

    def mentioned(self, s):
        """Does a remark name the loop s, or one inside of it?"""
        return self.line.get(id(s)) in {*self.missed, *self.offloaded} or any(
            self.mentioned(t) for name in s.bodies for t in getattr(s, name))

    def instances(self, s):
        # A statement that a smaller program lost the line of has none.
        own = self.counts.get(self.line.get(id(s)), 0) \
            if isinstance(s, Assign) else 0
        return own + sum(self.instances(t) for name in s.bodies
                         for t in getattr(s, name))
