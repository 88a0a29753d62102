"""polygpu report: a page of what became of a program's loops.

The command polygpu starts this; docs/report.md says what it shows.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import argparse
import json
import re
import sys
from pathlib import Path

from data import page_data
from failure import Failure
from profiles import profile_of
from records import HOW, nests_of

HERE = Path(__file__).resolve().parent
# In the order in which they use each other.
SCRIPTS = ("text", "tree", "mapping", "memory", "source", "nests", "roofline",
           "trace", "page")

DESCRIPTION = """\
Writes one HTML page about a program: its source with what became of each nest
of loops, schedules, mapping, memory, and what a run took. RECORD is an
optimisation record (-fsave-optimization-record
-foptimization-record-passes=gpu-polyhedral), or a folder in which all NAME.opt.yaml
are taken; PROFILE is what a run wrote under POLYGPU_PROFILE=NAME.json (or
NAME.csv, or the output of POLYGPU_PROFILE=lines)."""


def arguments(argv):
    parser = argparse.ArgumentParser(
        prog="polygpu report", description=DESCRIPTION,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        usage="polygpu report [-o FILE] [--source FOLDER]... RECORD... [PROFILE]")
    parser.add_argument("--version-of-polygpu", default="", dest="version",
                        help=argparse.SUPPRESS)
    parser.add_argument("-o", "--output", type=Path, metavar="FILE",
                        help="the page (report.html)")
    parser.add_argument("--source", type=Path, action="append", default=[],
                        metavar="FOLDER", help="look for sources there as well")
    parser.add_argument("--title", help="of the page")
    parser.add_argument("--data", action="store_true",
                        help="write the page's data as JSON instead")
    parser.add_argument("inputs", nargs="+", type=Path,
                        metavar="RECORD|PROFILE")
    return parser.parse_args(argv)


def sort_inputs(inputs):
    """Records and the profile among the files."""
    records, profiles = [], []
    for path in inputs:
        if path.is_dir():
            found = sorted(path.rglob("*.opt.yaml"))
            if not found:
                raise Failure(f"{path}: no record is in this folder (expected "
                              f"is NAME.opt.yaml); {HOW}")
            records += found
        elif not path.exists():
            raise Failure(f"{path}: there is no such file; expected are "
                          "optimisation records (NAME.opt.yaml) and a profile "
                          "(NAME.json, NAME.csv)")
        elif path.suffix in (".yaml", ".yml") or is_record(path):
            records.append(path)
        else:
            profiles.append(path)
    if not records:
        raise Failure(f"{profiles[0]}: this is a profile, and no record says "
                      f"what its nests are; {HOW}")
    if len(profiles) > 1:
        raise Failure(f"{profiles[1]}: this is a second profile beside "
                      f"{profiles[0]}; expected is one run")
    return records, profiles[0] if profiles else None


def is_record(path):
    try:
        with path.open("rb") as file:
            return file.read(4) in (b"--- ", b"RMRK")
    except OSError as error:
        raise Failure(f"{path}: it cannot be read "
                      f"({error.strerror or error})") from error


def collect(options):
    records, profile_name = sort_inputs(options.inputs)
    nests, notes = [], []
    for path in records:
        more, said = nests_of(path)
        nests += more
        notes += said
    if not nests:
        which = str(records[0]) if len(records) == 1 else \
            f"{records[0]} and {len(records) - 1} more"
        raise Failure(f"{which}: no remark of PolyGPU is in there: the file has "
                      "no loops, or was compiled without PolyGPU or with "
                      "another -foptimization-record-passes")
    profile = profile_of(profile_name) if profile_name else None
    title = options.title or (profile or {}).get("program") or \
        records[0].name.split(".")[0]
    return page_data(title, options.version, nests, notes, profile,
                     str(profile_name or ""), options.source, records)


# ---- The page ---------------------------------------------------------------

def embedded(data):
    """JSON that no HTML parser takes for something else."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"),
                      allow_nan=False)
    return (text.replace("<", "\\u003c").replace("\u2028", "\\u2028")
            .replace("\u2029", "\\u2029"))


def escaped(text):
    return (text.replace("&", "&amp;").replace("<", "&lt;")
            .replace('"', "&quot;"))


def page(data):
    folder = HERE / "page"
    script = "\n".join((folder / f"{name}.js").read_text(encoding="utf-8")
                       for name in SCRIPTS)
    parts = {
        "title": escaped(data["title"]),
        "style": (folder / "style.css").read_text(encoding="utf-8"),
        "charts": (HERE / "charts.js").read_text(encoding="utf-8"),
        "script": f'(() => {{\n"use strict";\n{script}\n}})();',
        "data": embedded(data)}
    made = (folder / "page.html").read_text(encoding="utf-8")
    # One pass, so that nothing that is put in is taken for a place.
    pieces = made.split("@@")
    return "".join(parts[piece] if at % 2 else piece
                   for at, piece in enumerate(pieces))


def summary(data):
    sums = data["totals"]
    words = [f"{sums[state]} {state}" for state in
             ("offloaded", "declined in part", "declined", "not reached",
              "refused") if sums[state]]
    n = len(data['nests'])
    return f"{n} nest{'' if n == 1 else 's'}, " + ", ".join(words)


def main(argv):
    options = arguments(argv)
    try:
        data = collect(options)
        try:
            text = (json.dumps(data, indent=1, ensure_ascii=False,
                               allow_nan=False) + "\n"
                    if options.data else page(data))
        except ValueError as error:  # of 1e999, or NaN
            raise Failure(f"{data['profile']['name']}: a number of this "
                          "profile is none; run the program again") from error
        if options.data and not options.output:
            sys.stdout.write(text)
            return 0
        output = options.output or Path("report.html")
        try:
            output.write_text(text, encoding="utf-8")
        except OSError as error:
            raise Failure(f"{output}: the page cannot be written there "
                          f"({error.strerror or error})") from error
    except Failure as failure:
        # Of a library's error that has several lines, too.
        print("polygpu report:", re.sub(r"\s*\n\s*", " ", str(failure)),
              file=sys.stderr)
        return 1
    print(f"{output}: {summary(data)}")
    for file in data["files"]:
        if not file["found"]:
            print(f"polygpu report: {file['name']}: this source was not found, "
                  "and is not shown; name its folder with --source",
                  file=sys.stderr)
    if data.get("unknown"):
        one = data["unknown"][0]
        print(f"polygpu report: {data['profile']['name']}: the records have "
              f"nothing of {len(data['unknown'])} of its nests, like "
              f"{one['function']} ({one['file']}:{one['line']})",
              file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
