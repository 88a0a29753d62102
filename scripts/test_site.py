"""Tests of scripts/site: links that lead nowhere, what is loaded from elsewhere and
pages that the menu does not have are found.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import importlib.util
import tempfile
import unittest
from importlib.machinery import SourceFileLoader
from pathlib import Path

LOADER = SourceFileLoader("site_of_docs", str(Path(__file__).with_name("site")))
site = importlib.util.module_from_spec(
    importlib.util.spec_from_loader("site_of_docs", LOADER))
LOADER.exec_module(site)


def problems(**pages):
    with tempfile.TemporaryDirectory() as folder:
        for name, text in pages.items():
            (Path(folder) / f"{name}.html").write_text(text)
        return site.problems(Path(folder).resolve())


class Links(unittest.TestCase):
    def test_right(self):
        self.assertEqual(problems(
            a='<h2 id="x"></h2><a href="b.html">b</a><a href="#x">x</a>'
              '<a href="https://example.com/#y">y</a>',
            b='<a href="a.html#x">a</a>'), ([], 3, 2))

    def test_no_file(self):
        self.assertEqual(problems(a='<a href="c.html">c</a>'),
                         (["a.html: c.html: no such file"], 1, 1))

    def test_no_part(self):
        self.assertEqual(problems(a='<a href="a.html#x">x</a>')[0],
                         ["a.html: a.html#x: no such part"])

    def test_from_elsewhere(self):
        self.assertEqual(problems(a='<script src="https://example.com/a.js"></script>')[0],
                         ["a.html loads https://example.com/a.js"])


class Pages(unittest.TestCase):
    def test_links_to_sources(self):
        with tempfile.TemporaryDirectory() as folder:
            pages = site.Pages(Path(folder))
            self.assertEqual(
                site.LINK.sub(lambda found: pages.link("docs/x.md", found),
                              "[a](../scripts/site) [b](why.md#a--b) [c](https://d.e)"),
                "[a](../scripts/site.md) [b](why.md#a-b) [c](https://d.e)")
            self.assertIn('"""site - builds',
                          (Path(folder) / "scripts/site.md").read_text())

    def test_sources_with_backticks(self):
        """forms.cpp has `words` and [](double): a fence of three is the least."""
        with tempfile.TemporaryDirectory() as folder:
            site.Pages(Path(folder)).page_for("examples/cplusplus/forms.cpp")
            self.assertIn("\n```\n",
                          (Path(folder) / "examples/cplusplus/forms.cpp.md").read_text())

    def test_left_out(self):
        self.assertEqual(site.left_out(["docs/why.md", "docs/new.md", "lib/new.md"]),
                         ["docs/new.md is not in docs/site.yml"])


if __name__ == "__main__":
    unittest.main()
