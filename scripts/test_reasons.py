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

    def test_found_in_tests(self):
        """A test expects a sentence by words that no other one has."""
        rows = [reasons.Row("A", f"the call of '…' {text}; move it", text) for text
                in ("the call of '…'… asks for the time of day; move it",
                    "the call of '…'… asks for the day; move it")]
        others = f" {rows[1].flat} "
        marks = list(rows[0].marks(others))
        for text, found in (
                ("// CHECK: [[@LINE]]: {{.*}}asks for the time of day", True),
                ("// asks for the time of day", False),
                ("// CHECK-NOT: asks for the time of day", False),
                ('"the call of \'f\' asks for the day; "\n  "move it"', False),
                ('"the call of \'f\' asks for the "\n  "time of day"', True)):
            self.assertEqual(rows[0].is_in(
                f" {reasons.expectations(text)} ", marks), found, text)

    def test_complaints(self):
        row = reasons.Row("A", "a cause", "a cause")
        row.test = ""
        said = "\n".join(reasons.complaints([row]))
        self.assertIn("no advice: A", said)
        self.assertIn("no test: A", said)
        self.assertIn("in UNTESTED and in no sentence: ", said)

    def test_page(self):
        """The source has what it is known to have."""
        text = reasons.page(reasons.rows_of_sections())
        for line in ("| `SwitchedOff` | offloading is switched off |",
                     "| `LoopHasMultipleExits` | the loop has more than one exit |",
                     "| `WrongPlan` | ", "## Nothing is parallel"):
            self.assertIn(line, text)
        self.assertGreater(text.count("\n| `"), 130)


if __name__ == "__main__":
    unittest.main()
