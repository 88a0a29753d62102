"""Profiles of runs, POLYGPU_PROFILE in all of its forms for programs.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import csv
import io
import json
import re

from failure import Failure, read_text

HOW = ("make one with POLYGPU_PROFILE=NAME.json, which has the trace too, with "
       "POLYGPU_PROFILE=NAME.csv, or of what POLYGPU_PROFILE=lines prints on "
       "stderr")
NUMBERS = ("runs", "declined", "by_cost", "failed", "launches", "time_ms",
           "in_ms", "out_ms", "bytes_in", "bytes_out", "bytes_kept",
           "operations", "flops_single", "flops_double", "bytes")
CATEGORIES = ("run", "setup", "touch", "copy", "kernel")
MOST_EVENTS = 60000


def number(text):
    """An int where it is one."""
    made = float(text)
    return int(made) if made == int(made) else made


def scop(fields):
    made = {key: number(fields.get(key) or 0) for key in NUMBERS[:4] + NUMBERS[5:11]}
    made.update(function=fields["function"], file=fields["file"],
                line=int(fields["line"]), device=fields["device"], kernels=[],
                arrays=[])
    for key in ("estimated_cpu_ms", "estimated_gpu_ms", "decision", "reason",
                "sizes", "variants"):
        if key in fields:
            made[key] = fields[key]
    return made


def kernel(fields):
    made = {key: number(fields.get(key) or 0)
            for key in ("launches", "time_ms", *NUMBERS[11:])}
    made.update(name=fields["kernel"], grid=fields["grid"],
                block=fields["block"])
    if "variant" in fields:
        made["variant"] = fields["variant"]
    return made


def empty(path):
    return Failure(f"{path}: this profile is empty: no offloaded loops were "
                   f"reached, or the program did not end by itself; {HOW}")


# ---- CSV --------------------------------------------------------------------

def read_csv(path, text):
    if not text.strip():
        raise empty(path)
    if not text.startswith("kind,function,file,line,kernel,device,"):
        raise Failure(f"{path}: this is no profile, whose first line begins "
                      f"with 'kind,function,file,line'; {HOW}")
    scops = []
    for row in csv.DictReader(io.StringIO(text, newline="")):
        if row["kind"] == "scop":
            scops.append(scop(row))
        elif row["kind"] == "kernel" and scops:
            for name in ("grid", "block"):
                row[name] = [int(row[f"{name}_{axis}"]) for axis in "xyz"]
            scops[-1]["kernels"].append(kernel(row))
    return {"form": "csv", "scops": scops}


# ---- Lines ------------------------------------------------------------------

SCOP = re.compile(r"(?P<function>.*) (?P<file>\S+):(?P<line>\d+)$")


def is_at(one, at):
    return (one["function"], one["line"]) == (at["function"], int(at["line"]))


def read_lines(path, text):
    scops, accesses = [], {}
    for line in text.splitlines():
        found = re.match(r"polygpu: (scop|kernel|accesses|cost|variant) (.*?) "
                         r"(\w+=.*)",
                         line)
        if not found:
            continue
        what, who, rest = found.groups()
        fields = dict(re.findall(r"(\w+)=(\S+)", rest))
        at = SCOP.match(who)
        if what == "scop" and at:
            scops.append(scop({**at.groupdict(), **fields}))
        elif what == "kernel" and scops:
            for name in ("grid", "block"):
                fields[name] = [int(n) for n in fields[name].split(",")]
            scops[-1]["kernels"].append(kernel({**fields, "kernel": who}))
        elif what == "accesses":
            accesses[who] = {key: int(text) for key, text in fields.items()}
        elif what == "variant" and at:
            for one in scops:
                if is_at(one, at):
                    # Variant 0 is for what no other is for.
                    one.setdefault("variants", []).append(
                        {"runs": int(fields["runs"]), "when": fields["when"]
                         if int(fields["number"]) else ""})
        elif what == "cost" and at:
            for one in scops:
                if is_at(one, at):
                    one.update(decision=fields["decision"],
                               estimated_cpu_ms=float(fields["cpu_ms"]),
                               estimated_gpu_ms=float(fields["gpu_ms"]))
    for one in scops:
        for part in one["kernels"]:
            if part["name"] in accesses:
                part["accesses"] = accesses[part["name"]]
    return {"form": "lines", "scops": scops}


# ---- Trace ------------------------------------------------------------------

class Names:
    """Numbers of texts."""

    def __init__(self):
        self.texts, self.number_of = [], {}

    def __getitem__(self, text):
        if text not in self.number_of:
            self.number_of[text] = len(self.texts)
            self.texts.append(text)
        return self.number_of[text]


def trace_of(events):
    """Tracks, and events as [track, category, name, begin, length, bytes,
    loops], times in microseconds, names and loops as numbers of texts."""
    tracks, names, made = {}, Names(), []
    complete = [event for event in events if event["ph"] == "X"]
    for event in events:
        if event["ph"] == "M" and event["name"] == "thread_name":
            tracks[event["tid"]] = event["args"]["name"]
    order = {tid: at for at, tid in enumerate(tracks)}
    complete.sort(key=lambda event: event["ts"])
    for event in complete[:MOST_EVENTS]:
        args = event.get("args", {})
        size = args.get("bytes", args.get("brought_bytes", 0))
        made.append([order.get(event["tid"], 0),
                     CATEGORIES.index(event["cat"]), names[event["name"]],
                     round(event["ts"], 3), round(event["dur"], 3), size,
                     names[args.get("loops", "")]])
    return {"tracks": list(tracks.values()), "categories": CATEGORIES,
            "names": names.texts, "events": made,
            "left_out": len(complete) - len(made)}


def read_trace(path, text):
    if not text.strip():
        raise empty(path)
    try:
        loaded = json.loads(text)
        events = loaded["traceEvents"]
    except (ValueError, KeyError, TypeError) as error:
        raise Failure(f"{path}: this is no trace of POLYGPU_PROFILE ({error})"
                      f"; {HOW}") from error
    if "profile" not in loaded:
        raise Failure(f"{path}: this trace has no sums beside its events, as "
                      "those of older versions of PolyGPU; link and run the "
                      "program again")
    sums = loaded["profile"]
    made = {"form": "trace", "scops": [], "peak": sums["peak"],
            "trace": trace_of(events),
            "events_not_kept": int(loaded.get("otherData", {})
                                   .get("events_not_kept", 0))}
    for event in events:
        if event["ph"] == "M" and event["name"] == "process_name":
            made["program"] = event["args"]["name"]
    for fields in sums["scops"]:
        one = scop(fields)
        one["kernels"] = [kernel(part) for part in fields["kernels"]]
        one["arrays"] = fields["arrays"]
        made["scops"].append(one)
    return made


def profile_of(path):
    """A profile in whatever form the file has."""
    text = read_text(path)
    start = text.lstrip()[:1]
    try:
        if path.suffix == ".json" or start == "{":
            made = read_trace(path, text)
        elif path.suffix == ".csv" or text.startswith("kind,"):
            made = read_csv(path, text)
        elif re.search(r"^polygpu: scop ", text, re.M):
            made = read_lines(path, text)
        elif re.search(r"^polygpu: profile: ", text, re.M):
            raise Failure(f"{path}: this is the table for people, whose "
                          f"numbers are rounded; {HOW}")
        elif not text.strip():
            raise empty(path)
        else:
            raise Failure(f"{path}: this is neither an optimisation record "
                          f"(NAME.yaml) nor a profile; {HOW}")
    except (KeyError, ValueError, TypeError, AttributeError, OverflowError,
            csv.Error) as error:
        raise Failure(f"{path}: this profile has another form than this "
                      f"version of PolyGPU writes ({error}); {HOW}") from error
    if not made["scops"]:
        raise empty(path)
    return made
