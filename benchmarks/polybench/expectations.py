"""What a compilation makes of the programs of a suite, and what differs from it.

A table has an entry for each program, by its name, or by (name, form) where a
form of arrays differs.
"""

import os
from collections import namedtuple

# kernels: parallel dimensions, in the order of execution where that is fixed.
# launches: an expression of the sizes, a number or a range; loops: the one without
# chains.
# grids: the one where loops of launches may be kernels of the whole grid.
# scops: nests that are offloaded, left: innermost loops that are not.
# apart: the one of kernels that are printed as CUDA, which are not joined.
# plain: what it is without overlapping tiles, if that differs.
Expected = namedtuple("Expected",
                      "kernels launches scops loops left plain grids apart")


def expected(kernels, launches, scops=1, loops=None, left=0, plain=None, grids=None,
             apart=None):
    """loops: the launches without chains, where there are any."""
    return Expected(tuple(map(int, kernels.split())), launches, scops,
                    loops or launches, left, plain, grids or launches, apart)


class Expectations:
    """A table of expectations for programs, which are as in programs.py."""

    def __init__(self, table, programs):
        self.table, self.programs = table, programs
        self.tiles = True  # overlapping ones may be made
        self.grids = True  # the program's own device code is executed
        self.joined = True  # and kernels are not printed

    def expectation(self, name, form):
        found = self.table.get((name, form), self.table.get(name))
        return found if self.tiles else found.plain or found

    def launches(self, name, form, size):
        """The number of launches of program "name" in "form" at "size", or a
        range of it, where data say how many there are."""
        program = self.programs[name]
        sizes = dict(zip(program.parameters, program.sizes[size]))
        wanted = self.expectation(name, form)
        off = os.environ.get("POLYGPU_CHAIN") == "off"
        launches = wanted.grids if self.grids else wanted.launches
        if wanted.apart and not self.joined:
            return eval(wanted.apart, {"__builtins__": {}}, sizes)
        return eval(wanted.loops if off else launches,
                    {"__builtins__": {"range": range}}, sizes)

    def deviations(self, name, form, size, scops, left, kernels, launched):
        """Sentences on what is not as expected."""
        wanted = self.expectation(name, form)
        if (scops, left) != (wanted.scops, wanted.left):
            number = "one SCoP" if wanted.scops == 1 else f"{wanted.scops} SCoPs"
            more = f" and {wanted.left} left" if wanted.left else ""
            yield f"{scops} SCoPs and {left} loop nests left, not {number}{more}"
        if sorted(kernels) != sorted(wanted.kernels):
            yield (f"parallel dimensions {' '.join(map(str, kernels))}, not "
                   f"{' '.join(map(str, wanted.kernels))}")
        launches = self.launches(name, form, size)
        if launched not in launches if isinstance(launches, range) else \
                launched != launches:
            yield f"{launched} launches, not {launches}"
