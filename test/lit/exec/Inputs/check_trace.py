#!/usr/bin/env python3
"""check_trace - is a file in the Trace Event Format, and what is in it?

  check_trace.py FILE.json

Checked is what the format's description ("Trace Event Format", JSON Object
Format) asks for, of the phases that we write:

  X  complete events: pid, tid, ts, dur, name, cat; numbers that are not
     negative; those of a track are inside of each other or apart
  M  metadata: process_name, thread_name, thread_sort_index, with their argument

and that each track has a name that says what it has, and that what a device does for loops happens
during a run of these.  Prints a line per track: its name, and how many events of each
category it has.  Exit status 1 with a sentence for the first mistake.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import json
import sys
from collections import Counter, defaultdict

METADATA = {"process_name": ("name", str), "thread_name": ("name", str),
            "thread_sort_index": ("sort_index", int)}
HOST, DEVICE = {"run", "touch", "setup"}, {"copy", "kernel"}


class Wrong(Exception):
    pass


def require(condition, what, event=None):
    if not condition:
        raise Wrong(what if event is None else f"{what}: {json.dumps(event)}")


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def no_constant(text):
    raise Wrong(f"{text} is no number of JSON")


def check_metadata(event):
    require(event.get("name") in METADATA, "unknown metadata", event)
    key, kind = METADATA[event["name"]]
    require(isinstance(event.get("args"), dict)
            and isinstance(event["args"].get(key), kind),
            "metadata without its argument", event)
    require("tid" in event or event["name"] == "process_name",
            "a thread's name without a thread", event)


def check_complete(event):
    for key in ("ts", "dur"):
        require(is_number(event.get(key)) and event[key] >= 0,
                f"no {key}", event)
    for key in ("name", "cat"):
        require(isinstance(event.get(key), str) and event[key],
                f"no {key}", event)
    require(isinstance(event.get("tid"), int), "no tid", event)
    require(isinstance(event.get("args"), dict), "args are no object", event)


def check_event(event):
    require(isinstance(event, dict), "an event that is no object", event)
    require(isinstance(event.get("pid"), int), "no pid", event)
    require(event.get("ph") in ("X", "M"), "unknown phase", event)
    (check_complete if event["ph"] == "X" else check_metadata)(event)


def span(event):
    """Nanoseconds: the beginning and the end."""
    return (round(event["ts"] * 1000),
            round(event["ts"] * 1000) + round(event["dur"] * 1000))


def check_nesting(events):
    ends = []
    for event in sorted(events, key=lambda e: (span(e)[0], -span(e)[1])):
        begin, end = span(event)
        while ends and ends[-1] <= begin:
            ends.pop()
        require(not ends or end <= ends[-1], "overlaps another one", event)
        ends.append(end)


def check_direction(name, events):
    """Copies in, copies out and kernels are in tracks that say so."""
    for event in events:
        track = event["name"].split(" ")[0] if event["cat"] == "copy" else ""
        require(event["cat"] != "copy"
                or name.startswith(f"device: copies {track}"),
                "a copy in another track", event)
        require(event["cat"] != "kernel" or name.startswith("device: kernels"),
                "a kernel in another track", event)


def check_runs(events):
    """What the device does for loops is inside of one of their runs, but for
    results, which may come when somebody wants them."""
    runs = defaultdict(list)
    for event in events:
        if event["cat"] == "run":
            runs[event["args"]["loops"]].append(span(event))
    for event in events:
        begin, end = span(event)
        require(event["cat"] not in DEVICE or event["name"].startswith("out ")
                or any(first <= begin and end <= last
                       for first, last in runs[event["args"]["loops"]]),
                "outside of all runs of its loops", event)


def check(trace):
    require(isinstance(trace, dict), "the file is no object")
    require(trace.get("displayTimeUnit") in ("ms", "ns"), "no displayTimeUnit")
    require(isinstance(trace.get("traceEvents"), list), "no traceEvents")
    for event in trace["traceEvents"]:
        check_event(event)
    tracks, names = defaultdict(list), {}
    for event in trace["traceEvents"]:
        key = event["pid"], event.get("tid")
        if event["ph"] == "X":
            tracks[key].append(event)
        elif event["name"] == "thread_name":
            require(key not in names, "a second name", event)
            names[key] = event["args"]["name"]
    for key, events in tracks.items():
        require(key in names, "a track without a name", events[0])
        check_nesting(events)
        kinds = {event["cat"] for event in events}
        require(kinds <= HOST or kinds <= DEVICE, "a track of two kinds",
                events[0])
        check_direction(names[key], events)
    check_runs([event for events in tracks.values() for event in events])
    for key, events in tracks.items():
        counts = Counter(event["cat"] for event in events)
        print(names[key] + ":", *(f"{kind}={counts[kind]}"
                                  for kind in sorted(counts)))


def main():
    try:
        with open(sys.argv[1], encoding="utf-8") as file:
            check(json.load(file, parse_constant=no_constant))
    except (Wrong, ValueError) as error:
        sys.exit(f"{sys.argv[1]}: {error}")


if __name__ == "__main__":
    main()
