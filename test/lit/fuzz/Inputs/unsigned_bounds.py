"""unsigned_bounds.py - which downward loops the fuzzer takes.

  unsigned_bounds.py SOURCE

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import sys

sys.dont_write_bytecode = True
sys.path.insert(0, f"{sys.argv[1]}/tools")

from fuzz.generate import Generator  # noqa: E402
from fuzz.tree import Reject, Scope, const  # noqa: E402


def taken(counter, kind, last):
    """Does for (COUNTER i = 3; i >= (KIND)LAST; i--) end?"""
    scope = Scope({}, 1, {})
    try:
        rows, _ = Generator(1).trips(scope, const(3), ">=", const(last, kind),
                                     -1, counter)
    except Reject:
        return "refused"
    return f"{len(rows[0])} iterations"


for counter in ("int", "long", "size_t"):
    for kind in ("int", "size_t"):
        for last in (0, 1):
            print(f"{counter} down to {kind} {last}: "
                  f"{taken(counter, kind, last)}")
