#!/usr/bin/env python3
"""browse - looks at a page of polygpu report in headless Chromium, at 400 and 1600
pixels, light and dark, and at what probe.js finds there.

  browse.py PAGE DATA

DATA is that of the page, which says how much of everything there has to be.  Exit
status 1 with what was wrong: an error of a script, something fetched, a page wider
than the window, text of little contrast or none, a part that is missing.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import html
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

# Before the page's own scripts.
FIRST = """<script>window.probed = { problems: [] };
addEventListener("error", (event) => window.probed.problems.push(event.message));
addEventListener("securitypolicyviolation", (event) =>
    window.probed.problems.push("fetched: " + event.blockedURI));</script>"""


# Chromium has no window below 500 pixels, and a frame may have any width.
FRAME = """<!DOCTYPE html><meta name="color-scheme" content="light dark">
<iframe src="{page}" style="width: {width}px; height: 900px; border: 0"></iframe>
<pre id="probe"></pre><script>addEventListener("message", (event) =>
    document.getElementById("probe").textContent = event.data);</script>"""


def chromium(page, dark):
    with tempfile.TemporaryDirectory() as folder:
        command = ["chromium", "--headless", "--no-sandbox", "--disable-gpu",
                   f"--user-data-dir={folder}", "--window-size=1700,1000",
                   "--hide-scrollbars", "--virtual-time-budget=10000",
                   "--host-resolver-rules=MAP * ~NOTFOUND",
                   "--force-dark-mode" if dark else
                   "--blink-settings=preferredColorScheme=1", "--dump-dom",
                   page.resolve().as_uri()]
        return subprocess.run(command, stdout=subprocess.PIPE, timeout=120,
                              stderr=subprocess.DEVNULL, check=True,
                              encoding="utf-8").stdout


def probe(page, width, dark):
    text = page.read_text(encoding="utf-8")
    script = (Path(__file__).with_name("probe.js")).read_text(encoding="utf-8")
    copy = page.with_suffix(".probed.html")
    copy.write_text(text.replace("<style>", FIRST + "<style>", 1).replace(
        "</body>", f"<script>{script}</script></body>"), encoding="utf-8")
    frame = page.with_suffix(".frame.html")
    frame.write_text(FRAME.format(page=copy.name, width=width),
                     encoding="utf-8")
    found = re.search(r'<pre id="probe">(.+?)</pre>', chromium(frame, dark),
                      re.S)
    if not found:
        sys.exit(f"{page} at {width} pixels: nothing was drawn")
    return json.loads(html.unescape(found[1]))


def wanted(data):
    """What has to be on the page."""
    offloaded = [nest for nest in data["nests"] if nest["state"] != "refused"]
    kernels = [kernel for nest in offloaded for kernel in nest["kernels"]]
    runs = [nest for nest in offloaded if nest.get("run")]
    tabs = {"Run": len(runs), "Mapping": len(offloaded),
            "Schedule": len(offloaded), "Memory": len(offloaded),
            "Code": len(offloaded), "Remarks": len(offloaded)}
    return {
        "tabs": {name: n for name, n in tabs.items() if n},
        "lines": sum(len(part["lines"]) for file in data["files"]
                     for part in file["parts"]),
        "occupancies": sum(kernel["mapping"] != "" for kernel in kernels),
        "points": sum("intensity" in kernel and "gflops" in kernel
                      for nest in runs for kernel in nest["run"]["kernels"]),
        "opens": True}


def look(page, data, width, dark):
    shown = probe(page, width, dark)
    problems = shown["problems"]
    for name, value in {**wanted(data), "width": width, "dark": dark}.items():
        if shown.get(name) != value:
            problems.append(f"{name}: {shown.get(name)} instead of {value}")
    if len(shown["badges"]) < len(data["nests"]):
        problems.append(f"badges: {shown['badges']}")
    if data.get("trace") and not (shown["colors"] > 4 and shown["zooms"] and
                                  " at " in shown["words"]):
        problems.append(f"trace: {shown['colors']} colors, zoom {shown['zooms']},"
                        f" '{shown['words']}'")
    if data.get("trace") and data["ceilings"] and shown["points"] and \
            shown["roofs"] != 2:
        problems.append(f"{shown['roofs']} ceilings")
    for problem in problems:
        print(f"{page.name}, {width} pixels, {'dark' if dark else 'light'}: "
              f"{problem}")
    return not problems


def main():
    page = Path(sys.argv[1])
    data = json.loads(Path(sys.argv[2]).read_text(encoding="utf-8"))
    good = [look(page, data, width, dark) for width in (400, 1600)
            for dark in (False, True)]
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main())
