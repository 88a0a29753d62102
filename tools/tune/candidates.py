"""What is tried for a SCoP, of what the compiler says about its kernels.

First what changes the kernels as such (fusion, promotion, tiles in time), then,
of the best of these, sizes, kernel by kernel.  Sizes are merged threads and
blocks as in section 4 of Yang et al. (TACO 9(2), 2012): powers of two around what
the compiler chooses, as long as a block may have that many threads.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

THREADS = range(32, 1025)
POINTS = 64              # of a thread


def structures(entries):
    """Choices without sizes; the first one is to leave all as it is."""
    kernels = [kernel for entry in entries for kernel in entry["kernels"]]
    made = [{}]
    if any(entry["statements"] > 1 for entry in entries):
        made += [{"fusion": name} for name in ("min", "max", "depth")]
    if any(kernel["buffers"] for kernel in kernels):
        made.append({"promotion": "off"})
    if any(kernel["nested"] for kernel in kernels):
        made.append({"promotion": "all"})
    if any(kernel["host_loops"] or kernel["chain"] or kernel["waves"]
           for kernel in kernels) or any(entry["overlap"] for entry in entries):
        made += [{"time": name} for name in ("off", "chain", "tiles",
                                             "overlap")]
    return made


def promotions(entries, start):
    """The same for runs of some sizes: fusion and tiles in time are those of
    all."""
    made = [start]
    rest = {key: value for key, value in start.items()
            if key in ("fusion", "time")}
    kernels = [kernel for entry in entries for kernel in entry["kernels"]]
    if any(kernel["buffers"] for kernel in kernels):
        made.append({**rest, "promotion": "off"})
    elif start.get("promotion") == "off":
        made.append({**rest, "promotion": "on"})
    if any(kernel["nested"] for kernel in kernels):
        made.append({**rest, "promotion": "all"})
    return [made[0]] + [one for one in made[1:] if one != start]


def product(numbers):
    result = 1
    for number in numbers:
        result *= number
    return result


def around(number, least=1):
    """Powers of two from a quarter to four times it."""
    return sorted({max(least, number >> 2), max(least, number >> 1), number,
                   number << 1, number << 2})


def distance(sizes, base):
    """By how many doublings sizes differ."""
    def doublings(a, b):
        return abs(a.bit_length() - b.bit_length())
    return sum(doublings(a, b) for what in sizes
               for a, b in zip(sizes[what], base.get(what, sizes[what])))


def all_lists(choices):
    if not choices:
        yield []
        return
    for first in choices[0]:
        for rest in all_lists(choices[1:]):
            yield [first, *rest]


def fits(tile, block):
    """May a block of threads have such a tile?"""
    return (product(block) in THREADS and
            all(t % b == 0 for t, b in zip(tile, block)) and
            product(tile[:len(block)]) // product(block) <= POINTS)


def sizes_of(kernel):
    """Sizes for a kernel, those that are nearest to what it has first, and not
    the very same."""
    if not kernel["parallel"] or kernel["chain"] or kernel["waves"]:
        return []
    block = [n for n in reversed(kernel["block"])]
    if kernel["nested"]:
        return [{"block": [n]} for n in around(product(block), 32)
                if n in THREADS and n != product(block)]
    dims = len(kernel["tile"])
    if not dims:
        return []
    base = {"tile": list(reversed(kernel["tile"])), "block": block[-dims:]}
    steps = [[8], [16], [32]] if kernel["buffers"] else [[]]
    found = []
    for tile in all_lists([around(n) for n in base["tile"]]):
        for threads in all_lists([around(n) for n in base["block"]]):
            sizes = {"tile": tile, "block": threads}
            if threads[-1] >= min(8, base["block"][-1]) and \
                    fits(tile, threads) and (sizes != base or steps != [[]]):
                found += [{"tile": tile + step, "block": threads}
                          for step in steps]
    found.sort(key=lambda sizes: (distance(sizes, base), str(sizes)))
    # Copies that run ahead, with the tiles that the compiler chooses.
    return [{"stages": [n]} for n in (1, 3)] + found if kernel["buffers"] \
        else found


def time_sizes(entry):
    """Steps and elements of overlapping tiles."""
    dims = max((len(kernel["tile"]) for kernel in entry["kernels"]), default=0)
    if not entry["overlap"] or not dims:
        return []
    if dims == 1:
        return [{"time": [h, n]} for h in (4, 8, 16, 32)
                for n in (256, 512, 1024)]
    return [{"time": [h, m, n]} for h in (2, 3, 4)
            for m, n in ((16, 64), (24, 48), (32, 64), (16, 32))]


def with_sizes(choice, kernel, sizes):
    made = dict(choice)
    made["sizes"] = {**choice.get("sizes", {}), kernel: sizes}
    return made
