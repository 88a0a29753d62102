"""What reasons reads out of C++."""

import importlib.machinery
import importlib.util
import tempfile
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
LOADER = importlib.machinery.SourceFileLoader("reasons", str(HERE / "reasons"))
reasons = importlib.util.module_from_spec(
    importlib.util.spec_from_loader("reasons", LOADER))
LOADER.exec_module(reasons)


def refusals(text):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "a.cpp"
        path.write_text(text)
        return list(reasons.refusals(path))


class Sentences(unittest.TestCase):
    def test_parts(self):
        self.assertEqual(
            refusals('return Refusal{"Extent", "array \'" + Name() + "\' is "\n'
                     '"long; pass it", DebugLoc()}; // "Other", "x"'),
            [("Extent", "array '…' is long; pass it")])

    def test_alternatives(self):
        self.assertEqual(
            refusals('return {"Type", "one " + (A ? "two" : "three") + " four; "'
                     '"five", DebugLoc()};'),
            [("Type", "one two / three four; five")])

    def test_alternatives_with_advice(self):
        self.assertEqual(
            refusals('Refusal Why{"Type", "one" + (A ? "; two" : "; three")};'),
            [("Type", "one; two" + reasons.OR + "one; three")])

    def test_constants_and_kinds(self):
        self.assertEqual(
            refusals('static const char *const X = " c; d";\n'
                     'switch (K) { case RejectReasonKind::Alias: if (Y) return '
                     '"a" + X; return "e; f"; default: return "g; h"; }'),
            [("Alias", "a c; d"), ("Alias", "e; f")])

    def test_others(self):
        self.assertEqual(refusals('ORE.emit("Plan", "text; text");'
                                  'NV{"Loop", "text; text"};'), [])

    def test_page(self):
        """The source has what it is known to have."""
        text = reasons.page()
        for line in ("| `SwitchedOff` | offloading is switched off |",
                     "| `LoopHasMultipleExits` | the loop has more than one exit |",
                     "| `WrongPlan` | ", "## Nothing is parallel"):
            self.assertIn(line, text)
        self.assertGreater(text.count("\n| `"), 130)


if __name__ == "__main__":
    unittest.main()
