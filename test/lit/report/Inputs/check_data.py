#!/usr/bin/env python3
"""check_data - is the data of a page of polygpu report what it has to be?

  check_data.py WHAT FILE...

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import json
import re
import sys
from html.parser import HTMLParser
from pathlib import Path


def load(name):
    return json.loads(Path(name).read_text(encoding="utf-8"))


def equal(found, wanted, what):
    if found != wanted:
        sys.exit(f"{what}: {found!r} instead of {wanted!r}")


def nest_at(data, line, state=None):
    found = [nest for nest in data["nests"] if nest["line"] == line
             and state in (None, nest["state"])]
    equal(len(found), 1, f"nests in line {line} ({state})")
    return found[0]


def nodes(tree):
    yield tree
    for child in tree.get("children", []):
        yield from nodes(child)


def kinds(tree, kind):
    return [node for node in nodes(tree) if node["kind"] == kind]


# ---- heat -------------------------------------------------------------------

def launches_of(text):
    """What the profile's lines say, read by itself."""
    return {name: int(n) for name, n in
            re.findall(r"^polygpu: kernel (\S+) .* ?launches=(\d+)", text, re.M)}


def check_heat(trace, table, lines, text, source):
    """A program of 20 steps, in which norm is asked for twice."""
    wanted = launches_of(Path(text).read_text(encoding="utf-8"))
    equal(len(wanted), 8, "kernels of the lines")
    code = Path(source).read_text(encoding="utf-8").splitlines()
    for name in (trace, table, lines):
        data = load(name)
        ran = {kernel["name"]: kernel["launches"] for nest in data["nests"]
               for kernel in (nest.get("run") or {}).get("kernels", [])}
        equal(ran, wanted, f"launches in {name}")
        equal(data["totals"]["launches"], sum(wanted.values()), "all launches")
        equal(data["unknown"], [], "nests without a record")
        states = [(nest["line"], nest["state"]) for nest in data["nests"]]
        for line in (26, 39, 55, 64, 90):
            if (line, "offloaded") not in states:
                sys.exit(f"{name}: the nest in line {line} is not offloaded: "
                         f"{states}")
        equal((72, "refused") in states, True, "the loop over time is refused")
        equal([file["parts"] for file in data["files"]],
              [[{"first": 1, "lines": code, "in_comment": False}]], "source")
    data = load(trace)
    nest = nest_at(data, 26, "offloaded")
    equal(nest["copies"], [], "functions with copies of it")
    equal([nest["run"]["runs"], nest["kernels"][0]["run"]["launches"]],
          [20, 20], "runs of line 26")
    equal(nest["last"], 30, "the last line of the nest")
    # One addition more than four loads, times one: 4 operations for a point.
    kernel = nest["kernels"][0]["run"]
    equal(kernel["flops_double"], 20 * 198 * 198 * 4.0, "operations")
    equal(kernel["intensity"], kernel["flops_double"] / kernel["bytes"],
          "operations for a byte")
    refused = nest_at(data, 72)
    equal(bool(refused["reason"] and refused["cure"]), True, "reason and cure")
    events = data["trace"]["events"]
    kernels = data["trace"]["categories"].index("kernel")
    equal(sum(event[1] == kernels for event in events), sum(wanted.values()),
          "kernels in the trace")
    equal(sorted(data["trace"]["tracks"]),
          ["device: copies in", "device: copies out", "device: kernels",
           "main thread"], "tracks")
    equal(data["title"], "heat", "title, the name of the program")


# ---- gemm, jacobi -----------------------------------------------------------

def check_gemm(name):
    """C[130][70] += A[130][90] B[90][70]."""
    data = load(name)
    nest = nest_at(data, 10)
    equal(nest["state"], "offloaded", "state")
    kernel, = nest["kernels"]
    ran = kernel["run"]
    equal(ran["flops_double"], 130 * 70 * (1 + 90 * 3.0), "operations")
    # Before: i, in it j, and l with j; each in its order.
    equal(len(kinds(nest["before"], "band")), 4, "loops of the source")
    bands = kinds(nest["after"], "band")
    equal(bands[0]["parallel"][:2], [True, True], "the outermost band is parallel")
    marks = {node["text"] for node in kinds(kernel["tree"], "mark")}
    if not {"grid", "tile", "threads"} <= marks:
        sys.exit(f"marks of the mapped tree: {marks}")
    equal(ran["grid"][:2], [-(-70 // kernel["tile"][0]),
                            -(-130 // kernel["tile"][1])], "grid by tiles")
    equal(ran["block"], kernel["block"], "block")
    arrays = {array["name"]: array for array in nest["arrays"]
              if array["copies"]}
    equal({name: array["copies"] for name, array in arrays.items()},
          {"A": "copyin", "B": "copyin", "C": "copy"}, "copies")
    equal(arrays["B"]["extent"], "[][m]", "rows of B")
    moved = {array["array"]: (array["bytes_in"], array["bytes_out"])
             for array in nest["run"]["arrays"]}
    equal(moved, {"A": (130 * 90 * 8, 0), "B": (90 * 70 * 8, 0),
                  "C": (130 * 70 * 8, 130 * 70 * 8)}, "bytes of arrays")
    shared = [buffer for buffer in kernel["buffers"]
              if buffer["kind"] == "shared"]
    equal(sorted(buffer["array"] for buffer in shared), ["A", "B"],
          "arrays in shared memory")
    equal(sum(buffer["bytes"] for buffer in shared), kernel["shared"],
          "shared memory of a block")
    equal([(buffer["copied"], buffer["written"]) for buffer in shared],
          [("asynchronously", "no")] * 2, "how they are copied")
    if "__global__ void gemm_10_0(" not in nest["code"]:
        sys.exit("no text of the kernel")
    check_occupancy(kernel, nest["machine"])
    roof = data["ceilings"]
    machine = nest["machine"]
    equal(roof["double"], machine["Multiprocessors"] * machine["FmaDouble"]
          * 2 * machine["Clock"] / 1000, "ceiling")


def check_occupancy(kernel, machine):
    threads = kernel["block"][0] * kernel["block"][1] * kernel["block"][2]
    o = kernel["occupancy"]
    limits = o["limits"]
    equal(limits["threads"], machine["Threads"] // threads, "by threads")
    per_block = -(-kernel["shared"] // 128) * 128 + (
        1024 if machine["For"] >= "sm_80" else 0)
    equal(limits["shared memory"], machine["Shared"] // per_block, "by shared")
    equal(o["blocks"], min(limits.values()), "blocks at a time")
    equal(o["share"], o["blocks"] * threads / machine["Threads"], "occupancy")
    equal(o["at_most"], not kernel["registers"], "registers are known")


def check_registers(name):
    kernel, = nest_at(load(name), 10)["kernels"]
    if not 16 <= kernel["registers"] <= 255:
        sys.exit(f"registers: {kernel['registers']}")
    limit = 65536 // (-(-kernel["registers"] * 32 // 256) * 256 * 8)
    equal(kernel["block"], [16, 16, 1], "block")
    equal(kernel["occupancy"]["limits"]["registers"], limit, "by registers")
    check_occupancy(kernel, nest_at(load(name), 10)["machine"])


def check_jacobi(name):
    """Overlapping tiles: several kernels, arrays of the device alone."""
    data = load(name)
    nest = nest_at(data, 10)
    equal([nest["state"], len(nest["kernels"])], ["offloaded", 3], "kernels")
    equal(len(kinds(nest["before"], "band")), 5, "loops of the source")
    kinds_of = {array["kind"] for array in nest["arrays"]}
    equal(kinds_of, {"memory", "shared", "temporary"}, "kinds of arrays")
    boxes = [(buffer["copied"], buffer["written"])
             for kernel in nest["kernels"] for buffer in kernel["buffers"]]
    # Loads and stores are statements of their own.
    equal(set(boxes), {("no", "in the block")}, "how boxes are copied")
    equal(sum(kernel["launches"] for kernel in nest["run"]["kernels"]),
          data["totals"]["launches"], "launches")


# ---- States -----------------------------------------------------------------

def check_states(free, cost):
    data = load(free)
    equal([nest["state"] for nest in data["nests"]],
          ["declined in part", "offloaded", "not reached", "refused"],
          "states, by line")
    twice, _, _, scatter = data["nests"]
    if "overlap" not in twice["condition"]:
        sys.exit(f"condition: {twice['condition']}")
    equal([twice["run"]["runs"], twice["run"]["declined"],
           twice["run"]["by_cost"]], [1, 1, 0], "runs of twice")
    if "overlap" not in twice["run"]["reason"]:
        sys.exit(f"reason of the run: {twice['run']['reason']}")
    equal([scatter["name"], scatter["cure"]],
          ["IndirectWrite", "let each iteration write its own element, and read "
           "through the index"], "refusal")
    if "'to'" not in scatter["reason"] or scatter["array"] != "to":
        sys.exit(f"reason: {scatter}")
    data = load(cost)
    equal([nest["state"] for nest in data["nests"]],
          ["declined", "declined", "not reached", "refused"],
          "states where it would not pay")
    always = data["nests"][1]["run"]
    equal([always["runs"], always["by_cost"], always["decision"]],
          [0, 1, "original"], "decision")


def check_alike(name):
    """Of three copies one has other kernels, by which its run is known."""
    nests = [nest for nest in load(name)["nests"] if nest["line"] == 11]
    equal(sorted((len(nest["kernels"]), len(nest["run"]["kernels"]),
                  nest["run"]["runs"], nest.get("alike")) for nest in nests),
          [(1, 1, 4, 2), (1, 1, 4, 2), (2, 2, 4, None)], "copies")


def check_same(one, other):
    for key in ("nests", "totals"):
        equal(load(one)[key], load(other)[key], key)


# ---- Pages ------------------------------------------------------------------

class Page(HTMLParser):
    """The scripts of a page, and what it would fetch."""

    def __init__(self):
        super().__init__()
        self.inside, self.texts, self.fetched = None, {}, []

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        for name in ("src", "href", "data", "action"):
            link = attrs.get(name) or ""
            if link and not link.startswith(("#", "data:")):
                self.fetched.append(link)
        self.inside = (tag, attrs.get("id")) if tag in (
            "script", "style", "title") else None

    def handle_endtag(self, tag):
        self.inside = None

    def handle_data(self, text):
        if self.inside:
            self.texts[self.inside] = self.texts.get(self.inside, "") + text


def check_page(name):
    page = Page()
    page.feed(Path(name).read_text(encoding="utf-8"))
    equal(page.fetched, [], "what the page fetches")
    data = json.loads(page.texts["script", "data"])
    equal(page.texts["title", None], f"{data['title']} - PolyGPU report",
          "title")
    if "@import" in page.texts["style", None] or "url(" in page.texts[
            "style", None]:
        sys.exit("the style fetches something")


CHECKS = {"heat": check_heat, "gemm": check_gemm, "jacobi": check_jacobi,
          "states": check_states, "alike": check_alike, "registers": check_registers,
          "same": check_same, "page": check_page}

if __name__ == "__main__":
    CHECKS[sys.argv[1]](*sys.argv[2:])
