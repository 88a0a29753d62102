#!/usr/bin/env python3
"""Adds up test results and prints `N passed, M failed, K skipped`.

  summarize.py [--junit FILE]... [--step NAME=ok|failed|skipped]...

Reads JUnit files of ctest (--output-junit) and lit (--xunit-xml-output).  A
file that is missing or has no test counts as a failure.  Exits with 0 if
something passed and nothing failed.
"""

import argparse
import sys
import xml.etree.ElementTree as ElementTree
from collections import Counter
from pathlib import Path

PASSED, FAILED, SKIPPED = "passed", "failed", "skipped"
STEP = {"ok": PASSED, "failed": FAILED, "skipped": SKIPPED}


def outcome(case):
    """What became of one <testcase>."""
    if case.find("failure") is not None or case.find("error") is not None:
        return FAILED
    if case.find("skipped") is not None:
        return SKIPPED
    # ctest marks tests that it did not run or that are disabled only here.
    if case.get("status") in ("disabled", "notrun"):
        return SKIPPED
    if case.get("status") == "fail":
        return FAILED
    return PASSED


def read_junit(path):
    """Name and outcome of each test of a file."""
    try:
        root = ElementTree.parse(path).getroot()
    except (OSError, ElementTree.ParseError) as error:
        return [(f"{path}: {error}", FAILED)]
    results = [
        ("/".join(filter(None, (case.get("classname"), case.get("name")))),
         outcome(case)) for case in root.iter("testcase")]
    return results or [(f"{path}: no tests", FAILED)]


def read_step(text):
    name, _, result = text.partition("=")
    if result not in STEP:
        raise argparse.ArgumentTypeError(f"not NAME=ok|failed|skipped: {text}")
    return name, STEP[result]


def main(arguments=None):
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--junit", type=Path, action="append", default=[])
    parser.add_argument("--step", type=read_step, action="append", default=[])
    options = parser.parse_args(arguments)
    results = [r for path in options.junit for r in read_junit(path)]
    results += options.step
    count = Counter(result for _, result in results)
    for name, result in results:
        if result == FAILED:
            print(f"failed: {name}")
    print(f"{count[PASSED]} passed, {count[FAILED]} failed, "
          f"{count[SKIPPED]} skipped")
    return 0 if count[PASSED] and not count[FAILED] else 1


if __name__ == "__main__":
    sys.exit(main())
