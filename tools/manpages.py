#!/usr/bin/env python3
"""Makes the man pages, compressed, from what says the same elsewhere: the head
comments of the commands, and the tables of options and environment variables in
docs.

    manpages.py SOURCE COMMANDS FOLDER VERSION
"""

import gzip
import re
import sys
from pathlib import Path

COMMANDS = ["polygpu-clang", "polygpu"]
ALIASES = {"polygpu-clang++": "polygpu-clang", "polygpu-flang": "polygpu-clang"}
TABLES = {
    "polygpu-options": ("docs/options.md",
                        "options of PolyGPU's pass over loops",
                        "For the commands polygpu-clang and polygpu-flang each "
                        "option follows -mllvm; opt takes them directly."),
    "polygpu-environment": ("docs/environment.md",
                            "variables that offloaded programs read",
                            "They are read once by the runtime that a program "
                            "is linked with, at its first offloaded loops."),
}
PAGES = [f"{name}.1" for name in COMMANDS] + [f"{name}.7" for name in TABLES]
USES = {
    "polygpu-clang": ["polygpu-clang [OPTION]... FILE...",
                      "polygpu-clang++ [OPTION]... FILE...",
                      "polygpu-flang [OPTION]... FILE..."],
    "polygpu": ["polygpu doctor", "polygpu report [OPTION]... RECORD... [PROFILE]",
                "polygpu tune [OPTION]... --build COMMAND -- PROGRAM [ARGUMENT]...",
                "polygpu tune --merge FILE... [-o FILE]",
                "polygpu --version", "polygpu --help"],
}


def escape(text):
    """Plain text as roff."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return re.sub(r"^([.'])", r"\\&\1", text, flags=re.MULTILINE)


def markdown(text):
    """Text of a table's cell as roff: no links, code in bold."""
    text = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", text.replace("\\|", "|"))
    parts = re.split(r"`([^`]*)`", text)
    return "".join(f"\\fB{escape(part)}\\fP" if i % 2 else escape(part)
                   for i, part in enumerate(parts)).strip()


def head(name, section, version):
    return (f".TH {escape(name.upper())} {section} \"\" \"PolyGPU {version}\"\n"
            ".nh\n.ad l\n")


def head_comment(path):
    """The first paragraph of a script's head comment, and its entries."""
    lines = []
    for line in path.read_text().splitlines()[1:]:
        if not line.startswith("#") or "SPDX" in line:
            break
        lines.append(line[1:])
    blank = lines.index("")
    name = " ".join(line.strip() for line in lines[:blank])
    entries = []
    for line in lines[blank + 1:]:
        found = re.match(r"   (\S.*?)(?:  +(\S.*))?$", line)
        if found and not line.startswith("    "):
            entries.append([found[1], found[2] or ""])
        elif line.strip():
            entries[-1][1] += " " + line.strip()
    return name, entries


def items(pairs):
    return "".join(f".TP\n{term}\n{text}\n" for term, text in pairs)


def command_page(name, folder, version):
    """A page of section 1."""
    title, entries = head_comment(folder / name)
    names, purpose = title.split(" - ", maxsplit=1)
    uses = "\n.br\n".join(f"\\fB{escape(use.split()[0])}\\fP"
                          f"{escape(use[len(use.split()[0]):])}"
                          for use in USES[name])
    others = [page for page in sorted(PAGES) if page != f"{name}.1"]
    return (head(name, 1, version)
            + f".SH NAME\n{escape(names)} \\- {escape(purpose.rstrip('.'))}\n"
            + f".SH SYNOPSIS\n{uses}\n.SH DESCRIPTION\n"
            + items((f"\\fB{escape(term)}\\fP", escape(text.strip()))
                    for term, text in entries)
            + ".SH SEE ALSO\n"
            + ",\n".join(f"\\fB{escape(page[:-2])}\\fP({page[-1]})"
                         for page in others) + "\n")


def table(path):
    """The cells of the first table of a page."""
    rows = []
    for line in path.read_text().splitlines():
        if line.startswith("|"):
            rows.append([cell.strip() for cell in
                         re.split(r"(?<!\\)\|", line)[1:-1]])
        elif rows:
            break
    return rows[2:]


def table_page(name, source, version):
    """A page of section 7."""
    path, purpose, text = TABLES[name]
    entries = []
    for term, default, meaning in table(source / path):
        preset = f" (default: {markdown(default)})" if default else ""
        entries.append((markdown(term), markdown(meaning) + preset))
    if len(entries) < 5:
        sys.exit(f"manpages.py: {path} does not begin with a table")
    return (head(name, 7, version)
            + f".SH NAME\n{escape(name)} \\- {escape(purpose)}\n"
            + f".SH DESCRIPTION\n{escape(text)}\n" + items(entries)
            + ".SH SEE ALSO\n\\fBpolygpu\\-clang\\fP(1), \\fBpolygpu\\fP(1)\n")


def main():
    source, commands, folder = map(Path, sys.argv[1:4])
    version = sys.argv[4]
    pages = {f"{name}.1": command_page(name, commands, version)
             for name in COMMANDS}
    pages.update({f"{alias}.1": f".so man1/{name}.1\n"
                  for alias, name in ALIASES.items()})
    pages.update({f"{name}.7": table_page(name, source, version)
                  for name in TABLES})
    for page, text in pages.items():
        path = folder / f"man{page[-1]}" / f"{page}.gz"
        path.parent.mkdir(parents=True, exist_ok=True)
        # Without a time or name, so that builds give the same bytes.
        path.write_bytes(gzip.compress(text.encode(), 9, mtime=0))


if __name__ == "__main__":
    main()
