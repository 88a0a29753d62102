"""Which sizes a record is for, of what several runs of a program have shown.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import math


def border(below, above):
    """The first value that is no longer counted to those up to "below", where
    others begin with "above": their geometric mean, as sizes are compared."""
    middle = math.isqrt(below * above) if below > 0 else (below + above) // 2
    return min(max(middle, below) + 1, above)


def text_of(number, least, end):
    parts = ([f"p{number}>={least}"] if least is not None else []) + \
        ([f"p{number}<{end}"] if end is not None else [])
    return ",".join(parts)


def when_of(mine, others):
    """A condition on one parameter for the sizes "mine", pairs of the least and
    the largest value of each parameter, that does not hold for any of
    "others"; None if there is none.  Of several parameters it is the one whose
    values are farthest apart, of these the first."""
    best = None
    for number, (low, high) in enumerate(mine):
        ranges = [one[number] for one in others]
        below = [one[1] for one in ranges if one[1] < low]
        above = [one[0] for one in ranges if one[0] > high]
        if not ranges or len(below) + len(above) < len(ranges):
            continue
        gap = min([low / max(1, one) for one in below] +
                  [one / max(1, high) for one in above])
        if best is None or gap > best[0]:
            least = border(max(below), low) if below else None
            end = border(high, min(above)) if above else None
            best = (gap, text_of(number, least, end))
    return best and best[1]


def merged(several):
    """The pairs of several runs, or of several places in one; None where they
    have other parameters, or there are none."""
    if not several or len({len(one) for one in several}) > 1:
        return None
    return [[min(pair[0] for pair in pairs), max(pair[1] for pair in pairs)]
            for pairs in zip(*several)]
