"""Tests of summarize.py."""

import contextlib
import io
import tempfile
import unittest
from pathlib import Path

import summarize

CTEST = """<testsuite name="x" tests="3" failures="1">
<testcase name="a" classname="a" time="1" status="run"/>
<testcase name="b" classname="b" time="1" status="fail">
  <failure message=""/></testcase>
<testcase name="c" classname="c" time="1" status="notrun">
  <skipped message="SKIP_RETURN_CODE=77"/></testcase>
</testsuite>"""
LIT = """<?xml version="1.0" encoding="UTF-8"?><testsuites time="1">
<testsuite name="PolyGPU" tests="2" failures="0" skipped="1">
<testcase classname="PolyGPU.PolyGPU" name="a.ll" time="0.1"/>
<testcase classname="PolyGPU.PolyGPU" name="b.ll" time="0.1">
  <skipped message="Missing required feature(s): ptxas"/></testcase>
</testsuite></testsuites>"""


class Summarize(unittest.TestCase):
    def setUp(self):
        self.directory = tempfile.TemporaryDirectory()
        self.addCleanup(self.directory.cleanup)

    def run_on(self, *texts, steps=()):
        arguments = [f"--step={step}" for step in steps]
        for number, text in enumerate(texts):
            path = Path(self.directory.name) / f"{number}.xml"
            if text is not None:
                path.write_text(text)
            arguments.append(f"--junit={path}")
        output = io.StringIO()
        with contextlib.redirect_stdout(output):
            status = summarize.main(arguments)
        return status, output.getvalue().splitlines()[-1]

    def test_sum(self):
        self.assertEqual(self.run_on(CTEST, LIT),
                         (1, "2 passed, 1 failed, 2 skipped"))

    def test_good(self):
        self.assertEqual(self.run_on(LIT, steps=["format=ok"]),
                         (0, "2 passed, 0 failed, 1 skipped"))

    def test_failed_step(self):
        self.assertEqual(self.run_on(LIT, steps=["format=failed"]),
                         (1, "1 passed, 1 failed, 1 skipped"))

    def test_nothing_ran(self):
        self.assertEqual(self.run_on(), (1, "0 passed, 0 failed, 0 skipped"))
        self.assertEqual(self.run_on(steps=["tidy=skipped"]),
                         (1, "0 passed, 0 failed, 1 skipped"))

    def test_missing_or_empty_file(self):
        for text in (None, "<testsuite/>", "<testsuite>"):
            self.assertEqual(self.run_on(text),
                             (1, "0 passed, 1 failed, 0 skipped"))


if __name__ == "__main__":
    unittest.main()
