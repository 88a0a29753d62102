"""What a page of polygpu report shows: records and a profile brought together.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import os
from pathlib import Path

from failure import Failure
from names import name_nests, renamed

# Shared memory that a device of compute capability 8.0 and later keeps of each
# block, and pieces in which registers and shared memory are given out (CUDA C++
# Programming Guide, "Technical specifications per compute capability").
RESERVED_SHARED, SHARED_PIECE, REGISTER_PIECE = 1024, 128, 256
LONG_FILE, AROUND = 1500, 40  # of longer files only lines around nests


# ---- Occupancy --------------------------------------------------------------

def round_up(n, piece):
    return -(-n // piece) * piece


def occupancy(kernel, machine):
    """Blocks at a time on a multiprocessor, and what limits them; without
    ptxas registers are not known, and this is what they would allow at most."""
    threads = 1
    for n in kernel["block"]:
        threads *= n or 1
    if not machine or not kernel["block"] or not machine.get("Warp"):
        return None
    warps = round_up(threads, machine["Warp"]) // machine["Warp"]
    limits = {"threads": machine["Threads"] // (warps * machine["Warp"]),
              "blocks": machine["Blocks"]}
    if kernel["shared"]:
        newer = arch_of(machine) >= 80
        taken = round_up(kernel["shared"], SHARED_PIECE) + (
            RESERVED_SHARED if newer else 0)
        limits["shared memory"] = machine["Shared"] // taken
    if kernel["registers"]:
        taken = round_up(kernel["registers"] * machine["Warp"], REGISTER_PIECE)
        limits["registers"] = machine["Registers"] // (taken * warps)
    blocks = min(limits.values())
    whole = machine["Threads"] // machine["Warp"]
    return {"threads": threads, "warps": warps * blocks, "of": whole,
            "blocks": blocks, "share": warps * blocks / whole,
            "limits": limits, "warps_of_block": warps,
            "limited_by": [name for name, n in limits.items() if n == blocks],
            "at_most": not kernel["registers"]}


def arch_of(machine):
    digits = "".join(c for c in str(machine.get("For", "")) if c.isdigit())
    return int(digits or 0)


# ---- Roofline ---------------------------------------------------------------

def ceilings(machine, peak):
    """Peaks in 10^9 a second: of the device that ran, else of the one that was
    planned for."""
    if peak and peak.get("bytes"):
        return {"of": "device", "name": "the device of the run",
                "single": peak["flops_single"], "double": peak["flops_double"],
                "bytes": peak["bytes"]}
    if not machine or not machine.get("Bandwidth"):
        return None
    per_ghz = machine["Multiprocessors"] * machine["Clock"] / 1000 * 2
    return {"of": "plan", "name": machine["Name"],
            "single": per_ghz * machine["FmaFloat"],
            "double": per_ghz * machine["FmaDouble"],
            "bytes": machine["Bandwidth"]}


def rates(ran):
    """Of a kernel's run: operations for a byte, and 10^9 a second of both."""
    flops = ran["flops_single"] + ran["flops_double"]
    seconds = ran["time_ms"] / 1000
    made = {}
    if seconds > 0 and flops > 0:
        made["gflops"] = flops / seconds / 1e9
    if seconds > 0 and ran["bytes"] > 0:
        made["gbytes"] = ran["bytes"] / seconds / 1e9
    if flops > 0 and ran["bytes"] > 0:
        made["intensity"] = flops / ran["bytes"]
    made["double"] = ran["flops_double"] > ran["flops_single"]
    return made


# ---- Nests and their runs ---------------------------------------------------

def match(nests, scops):
    """Give each nest its sums of the profile; returns the ones of no nest."""
    left = []
    taken = set()
    for one in scops:
        names = {kernel["name"] for kernel in one["kernels"]}
        fits = [at for at, nest in enumerate(nests)
                if nest["state"] == "offloaded" and at not in taken
                and is_same(nest, one, names)]
        if not fits:
            left.append(one)
            continue
        # A function may have several copies of the same loops, which it inlines;
        # of those that look alike nobody knows which one is which.
        alike = [at for at in fits if has_blocks(nests[at], one)] or fits
        taken.add(alike[0])
        nests[alike[0]]["run"] = one
        if len(alike) > 1:
            for at in alike:
                nests[at]["alike"] = max(len(alike), nests[at].get("alike", 0))
    return left


def has_blocks(nest, one):
    """Are the kernels of a nest those that ran, by names and blocks?  Those of
    variants for some sizes are not in its record."""
    return {(kernel["name"], *kernel["block"]) for kernel in nest["kernels"]} \
        == {(kernel["name"], *kernel["block"]) for kernel in one["kernels"]
            if not kernel.get("variant")}


def is_same(nest, one, names):
    scop = nest.get("scop")
    if scop:
        return (scop["function"], scop["file"], scop["line"]) == (
            one["function"], one["file"], one["line"])
    # Records of older compilers.
    return nest["line"] == one["line"] and (
        os.path.basename(nest["file"]) == os.path.basename(one["file"])
        and all(name in nest["summary"] for name in names))


def settle(nest):
    """What became of a nest that is offloaded, by its runs."""
    run = nest.get("run")
    if run is None:
        return "not reached"
    if run["runs"] == 0 and run["declined"] + run["failed"] > 0:
        return "declined"
    if run["declined"] + run["failed"] > 0:
        return "declined in part"
    return "offloaded"


def fold(nests):
    """Loops that several functions have copies of, since they inline it, are one
    nest where only one of the copies ran, or nobody knows."""
    kept, first = [], {}
    for nest in sorted(nests, key=lambda nest: "run" not in nest):
        place = (nest["file"], nest["line"], nest["column"])
        nest["copies"] = []
        if nest["state"] == "offloaded" and "run" not in nest \
                and place in first:
            first[place]["copies"].append(nest["function"])
            continue
        kept.append(nest)
        if nest["state"] == "offloaded":
            first.setdefault(place, nest)
    return kept


def enrich(nest, has_profile):
    for kernel in nest.get("kernels", []):
        kernel["occupancy"] = occupancy(kernel, nest.get("machine"))
    if nest["state"] != "offloaded":
        return
    nest["condition"] = next(
        (text for text in nest["details"]
         if text.startswith("runs on the device ")), "")
    if has_profile:
        nest["state"] = settle(nest)
    for ran in (nest.get("run") or {}).get("kernels", []):
        ran.update(rates(ran))
        for kernel in nest["kernels"]:
            if kernel["name"] == ran["name"]:
                kernel["run"] = ran


# ---- The source -------------------------------------------------------------

def find_source(name, folders, records):
    """The file of that name, as compiled or in one of the folders.  With debug
    information clang says it from the folder that it has in common with the one
    in which it ran, which is often one above the record's."""
    candidates = [Path(name)]
    if not Path(name).is_absolute():
        candidates += [above / name for record in records
                       for above in record.resolve().parents]
    for folder in folders:
        parts = Path(name).parts
        candidates += [folder.joinpath(*parts[at:]) for at in
                       range(1 if parts[:1] == ("/",) else 0, len(parts))]
    return next((path for path in candidates if path.is_file()), None)


def indentation(line):
    return len(line) - len(line.lstrip())


def end_of_loop(lines, first):
    """The last line of what begins in line "first", by indentation."""
    if not 1 <= first <= len(lines):
        return first
    depth, last = indentation(lines[first - 1]), first
    for at in range(first, len(lines)):
        text = lines[at].strip()
        if not text:
            continue
        closes = text[0] in "})" or text.lower().startswith("end")
        if indentation(lines[at]) < depth or (
                indentation(lines[at]) == depth and not closes):
            if text != "{":
                break
        last = at + 1
        if indentation(lines[at]) == depth and closes:
            break
    return last


def shown(count, marks):
    """The lines of a file that a page has, as pairs of the first and last."""
    if count <= LONG_FILE:
        return [(1, count)] if count else []
    ranges = []
    for first, last in sorted(marks):
        first, last = max(1, first - AROUND), min(count, last + AROUND)
        if ranges and first <= ranges[-1][1] + 1:
            ranges[-1] = (ranges[-1][0], max(last, ranges[-1][1]))
        else:
            ranges.append((first, last))
    return ranges


def in_comment(lines):
    """Does a comment of C go on behind these lines?"""
    text = "\n".join(lines)
    return text.rfind("/*") > text.rfind("*/")


def sources(nests, folders, records):
    """The files that nests are in, in the order of the nests."""
    files = []
    for name in dict.fromkeys(nest["file"] for nest in nests if nest["file"]):
        path = find_source(name, folders, records)
        made = {"name": name, "found": path is not None, "parts": []}
        lines = []
        try:
            if path:
                text = path.read_bytes().decode("utf-8", "replace")
                lines = text.expandtabs(8).splitlines()
                made["newer"] = path.stat().st_mtime > min(
                    record.stat().st_mtime for record in records)
        except OSError:
            made["found"] = False
        marks = []
        for nest in nests:
            if nest["file"] != name:
                continue
            ends = [loop["line"] for loop in nest.get("loops", [])
                    if loop["file"] == name]
            nest["last"] = max([end_of_loop(lines, line)
                                for line in [nest["line"], *ends]])
            marks.append((nest["line"], nest["last"]))
        made["parts"] = [{"first": first, "lines": lines[first - 1:last],
                          "in_comment": in_comment(lines[:first - 1])}
                         for first, last in shown(len(lines), marks)]
        files.append(made)
    return files


# ---- All of it --------------------------------------------------------------

def totals(nests, profile):
    runs = [nest["run"] for nest in nests if nest.get("run")]
    made = {state: sum(nest["state"] == state for nest in nests)
            for state in ("offloaded", "declined in part", "declined",
                          "not reached", "refused")}
    if profile:
        made["time_ms"] = sum(run["time_ms"] for run in runs)
        made["copy_ms"] = sum(run["in_ms"] + run["out_ms"] for run in runs)
        made["kernel_ms"] = sum(kernel["time_ms"] for run in runs
                                for kernel in run["kernels"])
        made["launches"] = sum(kernel["launches"] for run in runs
                               for kernel in run["kernels"])
        for key in ("bytes_in", "bytes_out", "bytes_kept"):
            made[key] = sum(run[key] for run in runs)
        devices = {run["device"] for run in runs if run["device"] != "none"}
        made["device"] = ", ".join(sorted(devices))
    return made


def page_data(title, version, nests, notes, profile, profile_name, folders,
              records):
    """Everything that a page shows."""
    left = []
    if profile:
        left = match(nests, profile["scops"])
        if len(left) == len(profile["scops"]):
            one = left[0]
            raise Failure(
                f"{profile_name}: this profile is of another program: the "
                f"records have none of its nests, like {one['function']} "
                f"({one['file']}:{one['line']}); give the records of what the "
                "program was linked of")
    nests = fold(nests)
    for nest in nests:
        enrich(nest, profile is not None)
    name_nests(nests)
    nests.sort(key=lambda nest: -(nest.get("run") or {}).get("time_ms", -1))
    files = sources(nests, folders, records)
    order = {name: at for at, name in enumerate(
        dict.fromkeys(nest["file"] for nest in nests))}
    nests.sort(key=lambda nest: (order[nest["file"]], nest["line"]))
    for at, nest in enumerate(nests):
        nest["id"] = at + 1
    # SCoPs without buffers have one plan, for the oldest device.
    machine = max((nest["machine"] for nest in nests if nest.get("machine")),
                  key=arch_of, default=None)
    data = {"title": title, "version": version, "nests": nests, "notes": notes,
            "files": files, "totals": totals(nests, profile),
            "machine": machine,
            "ceilings": ceilings(machine, (profile or {}).get("peak"))}
    if profile:
        data["profile"] = {"form": profile["form"], "name": profile_name,
                           "events_not_kept": profile.get("events_not_kept", 0)}
        data["unknown"] = [{key: one[key] for key in
                            ("function", "file", "line", "runs", "time_ms")}
                           for one in left]
        if "trace" in profile:
            data["trace"] = profile["trace"]
            data["trace"]["names"] = renamed(data["trace"]["names"], nests)
    return data
