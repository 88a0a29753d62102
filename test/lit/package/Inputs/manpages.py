"""manpages.py FOLDER SOURCE PLUGIN - are all options and variables in the pages
of the manual, and do the pages have no errors?"""

import gzip
import re
import shutil
import subprocess
import sys
from pathlib import Path

folder, source, plugin = map(Path, sys.argv[1:])
pages = {path.name: gzip.decompress(path.read_bytes()).decode()
         for path in folder.glob("man*/*.gz")}
assert set(pages) == {
    "polygpu.1.gz", "polygpu-clang.1.gz", "polygpu-clang++.1.gz",
    "polygpu-flang.1.gz", "polygpu-options.7.gz",
    "polygpu-environment.7.gz"}, sorted(pages)


def terms(page):
    """What begins the paragraphs of a page."""
    return " ".join(re.findall(r"^\.TP\n(.*)", pages[page], re.M)
                    ).replace("\\-", "-")


# What the plugin itself lists, but for what only tests use.
listed = subprocess.run(
    ["opt-22" if shutil.which("opt-22") else "opt",
     f"-load-pass-plugin={plugin}", "--help"], stdout=subprocess.PIPE,
    universal_newlines=True, check=True).stdout
options = set(re.findall(r"^ +--?(gpu-[a-z-]+)", listed, re.M)) - {"gpu-mutate"}
documented = set(re.findall(r"-(gpu-[a-z-]+)", terms("polygpu-options.7.gz")))
assert len(options) > 15, options
assert options == documented, options ^ documented

# What the runtime reads.
read = set(re.findall(r'"(POLYGPU(?:_[A-Z]+)*)"',
                      (source / "runtime/support/env.c").read_text()))
variables = set(re.findall(r"POLYGPU(?:_[A-Z]+)*",
                           terms("polygpu-environment.7.gz")))
assert len(read) > 5, read
assert read <= variables, read - variables

for name in ("--polygpu-shared", "--polygpu-lto", "POLYGPU_CLANG"):
    assert name in terms("polygpu-clang.1.gz"), name
for name in ("doctor", "report"):
    assert name in terms("polygpu.1.gz"), name
if shutil.which("groff"):
    for name, text in pages.items():
        done = subprocess.run(["groff", "-ww", "-man", "-Tascii"], input=text,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              universal_newlines=True,
                              cwd=folder)
        if not text.startswith(".so"):
            assert not done.stderr and name[:7].upper() in done.stdout, (
                name, done.stderr)
