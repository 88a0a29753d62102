"""Compares kernels with the bounds of bounds.py.

Each function yields Checks; "held" is None where what is needed to tell is
missing, and such a check counts as unsupported, never as passed.
"""

from collections import Counter, namedtuple

import bounds
import ptx

# subject: program, type and kernel.  sentence: what was found, and what should
# have been.
Check = namedtuple("Check", "subject sentence held")


def subject(*names):
    return " ".join(name for name in names if name)


def of_results(results, check):
    """The Checks that check() yields for each result; a result with a problem
    is one that is violated."""
    for result in results:
        if result.problem:
            yield Check(subject(result.program, result.type), result.problem,
                        False)
        else:
            yield from check(result)


# ---- Without running ------------------------------------------------------


def check_static(program, element, rows):
    """All checks of a program's kernels in one element type."""
    if not rows:
        yield Check(subject(program, element), "no kernels", False)
        return
    for row in rows:
        yield from check_resources(subject(program, element, row.kernel), row)
    found = [row for row in rows if row.figures.fma]
    if program in bounds.PRODUCTS and element == "float":
        each = [check_product]
        if program in bounds.SHARING:
            each.append(sharing(bounds.SHARING[program]))
        yield from check_main(subject(program, element), found, "an fma",
                              bounds.PRODUCTS[program], each)
    if program in bounds.SWEEPS:
        yield from check_main(subject(program, element),
                              [row for row in found if row.figures.shared],
                              "an fma and loads from shared memory",
                              bounds.SWEEPS[program],
                              [check_sweep, sharing(bounds.OCCUPANCY)])


def check_main(name, rows, kind, wanted, each):
    """The checks "each" of so many kernels with the most fma in their main loop;
    kind: what these kernels have."""
    main = sorted(rows, key=lambda row: ptx.weight(row.figures),
                  reverse=True)[:wanted]
    if len(main) < wanted:
        yield Check(name, f"{len(main)} kernels with {kind}, not {wanted}",
                    False)
    for row in main:
        for check in each:
            yield from check(subject(name, row.kernel), row)


def check_resources(name, row):
    found = row.resources
    if not found:
        yield Check(name, "spills and local memory need ptxas", None)
        return
    yield Check(name, f"{found.spill_stores} bytes of spill stores and "
                f"{found.spill_loads} of spill loads, not 0",
                not found.spill_stores and not found.spill_loads)
    yield Check(name, f"{found.local} bytes of local memory, not 0",
                not found.local)


def sharing(least):
    """A check of how many threads are on a multiprocessor."""
    def check(name, row):
        if row.occupancy is None:
            yield Check(name, "the occupancy is not known", None)
            return
        yield Check(name, f"{100 * row.occupancy:.1f} percent of a "
                    "multiprocessor's warps are there at a time, not "
                    f"{100 * least:.0f} or more", row.occupancy >= least)
    return check


def check_sweep(name, row):
    """A product of a matrix and a vector."""
    figures = row.figures
    loads = sum(figures.loads.values())
    yield Check(name, f"{figures.async_} cp.async for {figures.place}, not 1 or "
                "more", figures.async_ > 0)
    yield Check(name, f"{loads} loads from global memory into registers for "
                f"{figures.place}, not 0", not loads)


def check_product(name, row):
    """The main loop of a product of matrices."""
    figures = row.figures
    loads = sum(figures.shared.values())
    narrow = loads - figures.shared[bounds.SHARED_LOAD]
    least = bounds.FMA_PER_SHARED_LOAD
    if loads:
        yield Check(name, f"{figures.fma / loads:.1f} fma for each load from "
                    f"shared memory in {figures.place}, not {least} or more",
                    figures.fma >= least * loads)
    else:
        yield Check(name, f"no load from shared memory in {figures.place}",
                    False)
    yield Check(name, f"{narrow} loads of another width than "
                f"{bounds.SHARED_LOAD} bytes from shared memory in "
                f"{figures.place}, not 0", not narrow)
    yield Check(name, f"{figures.branches} conditional branches, "
                f"{figures.predicated} predicated instructions in "
                f"{figures.place} as guards, not 0",
                not figures.branches + figures.predicated)
    yield Check(name, f"{figures.selects} setp and selp in {figures.place}, "
                f"more than {bounds.SELECTS}",
                figures.selects <= bounds.SELECTS)
    yield Check(name, f"{figures.multiplies} 64-bit multiplications in "
                f"{figures.place}, not 0", not figures.multiplies)


# ---- On the checked emulated device ---------------------------------------


def share_of(count, total):
    return count / total if total else 0


def check_accesses(program, element, size, work, kernels):
    """kernels: name -> Counter of the fields of its line; size: bytes of an
    element."""
    entry = bounds.ACCESSES[program]
    name = subject(program, element)
    if not kernels:
        yield Check(name, "no kernel ran", False)
        return
    total = sum(kernels.values(), Counter())
    if total["incomplete"]:
        yield Check(name, "the runtime could not count all accesses", None)
        return
    loads = total["global_load_bytes"] / size / work
    yield Check(name, f"{loads:.3f} elements loaded from global memory for "
                f"each {entry.unit}, not at most {entry.loads}",
                loads <= entry.loads)
    for access, least in (("load", entry.efficiency), ("store", entry.stores)):
        if least is None:
            continue
        field = f"global_{access}_bytes"
        for kernel, counts in sorted(kernels.items()):
            if share_of(counts[field], total[field]) < bounds.SHARE:
                continue
            found = efficiency(counts, access)
            yield Check(subject(name, kernel),
                        f"global {access}s use {found:.2f} of their sectors, "
                        f"not {least} or more", found >= least)


def efficiency(counts, access):
    """Bytes that threads load or store, by those of the sectors that the warps
    touch for it; above 1 where threads of a warp load the same.  None without
    such an access."""
    sectors = counts[f"global_{access}_sectors"]
    if not sectors:
        return None
    return counts[f"global_{access}_bytes"] / (32 * sectors)


# ---- Report ---------------------------------------------------------------


def report(checks):
    """The lines to print, and the exit status."""
    checks = list(checks)
    lines = [f"{'VIOLATED' if check.held is False else 'unsupported'}: "
             f"{check.subject}: {check.sentence}"
             for check in checks if not check.held]
    held, violated, unsupported = (
        sum(check.held is value for check in checks)
        for value in (True, False, None))
    lines.append(f"{len(checks)} checks: {held} hold, {violated} violated, "
                 f"{unsupported} unsupported")
    return lines, 1 if violated else 0
