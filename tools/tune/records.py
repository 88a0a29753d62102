"""The file of -gpu-tuning: records of SCoPs, and how files are merged.

lib/Transforms/tuning/TuningFile.cpp reads the same.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import re
from collections import namedtuple

from failure import Failure

CHOICES = ("sizes", "fusion", "promotion", "time")
NEEDED = ("scop", "arch", "by", "before", "after")
HEAD = "# Of polygpu tune, for -gpu-tuning=FILE; docs/tuning.md says what it means.\n"

# choice: words of CHOICES, "" for none.  before, after: milliseconds.  when: the
# sizes that it is for, like "p0>=512,p1<64"; "" for all.
Record = namedtuple("Record", "scop arch by before after choice comment when",
                    defaults=("",))


def choice_text(choice):
    """A choice, {key: value} with sizes as {kernel: {what: numbers}}, as words
    in an order that does not depend on how it was made."""
    words = [f"{key}={choice[key]}" for key in CHOICES[1:] if key in choice]
    parts = [f"kernel[{kernel}]->{what}[{','.join(map(str, numbers))}]"
             for kernel, lists in sorted(choice.get("sizes", {}).items())
             for what, numbers in sorted(lists.items())]
    if parts:
        words.insert(0, "sizes={" + ";".join(parts) + "}")
    return " ".join(words)


def line_of(record):
    words = [f"scop={record.scop}", f"arch={record.arch}", f"by={record.by}",
             f"before={record.before:.6g}", f"after={record.after:.6g}"]
    if record.when:
        words.append(f"when={record.when}")
    if record.choice:
        words.append(record.choice)
    return " ".join(words) + (f" # {record.comment}" if record.comment else "")


def parse_line(line, place):
    text, _, comment = line.partition("#")
    fields = {}
    for word in text.split():
        key, _, value = word.partition("=")
        if key not in NEEDED + CHOICES + ("when",) or not value or key in fields:
            raise Failure(f"{place}: '{word}' is not expected there; a line has "
                          "KEY=VALUE once of "
                          + ", ".join(NEEDED + CHOICES + ("when",)))
        fields[key] = value
    try:
        if not re.fullmatch("[0-9a-f]{16}", fields["scop"]) or \
                fields["by"] not in ("time", "model"):
            raise ValueError("it is of no SCoP, or by neither time nor model")
        return Record(fields["scop"], fields["arch"], fields["by"],
                      float(fields["before"]), float(fields["after"]),
                      " ".join(f"{key}={fields[key]}" for key in CHOICES
                               if key in fields), comment.strip(),
                      fields.get("when", ""))
    except KeyError as error:
        raise Failure(f"{place}: {error} is missing; a line has "
                      + ", ".join(NEEDED)) from error
    except ValueError as error:
        raise Failure(f"{place}: this is no record of -gpu-tuning "
                      f"({error})") from error


def read_records(path, text):
    return [parse_line(line, f"{path}:{number}")
            for number, line in enumerate(text.splitlines(), 1)
            if line.partition("#")[0].strip()]


def rank(record):
    """What the compiler prefers comes first."""
    part = record.after / record.before if record.before > 0 else 1
    return (record.by != "time", part, record.choice)


def merged(records):
    """The best one for each SCoP, architecture and condition, sorted."""
    best = {}
    for record in records:
        key = (record.scop, record.arch, record.when)
        if key not in best or rank(record) < rank(best[key]):
            best[key] = record
    return [best[key] for key in sorted(best)]


def text_of(records):
    return HEAD + "".join(line_of(record) + "\n" for record in records)
