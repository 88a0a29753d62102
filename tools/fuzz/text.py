"""Statements that are text of C: for shapes of which expressions are not trees.

A text is taken apart at its loops and conditions, so that the reducer can
delete statements, and the coverage knows which of them ran in kernels.
"""

import re

from fuzz.tree import WORD, Assign, Expr, If, Line, Loop, indent

LOOP = re.compile(r"\s*(for|while)\s*(?=\()")
BRANCH = re.compile(r"\s*if\s*(?=\()")
DECLARATION = re.compile(
    r"(const|unsigned|signed|char|short|int|long|float|double|_Float16|size_t|"
    r"struct|continue|break|case|default)\b")


def words(text):
    return set(WORD.findall(text))


def value(text):
    return Expr("value", text.replace("{", "{{").replace("}", "}}"))


class Plain:
    """A declaration, or a jump."""

    def __init__(self, text):
        self.text, self.names = text, words(text)

    def lines(self):
        return [self.text]

    expressions = ()
    bodies = ()


class Text(Assign):
    def __init__(self, text):
        self.text, self.names = text, words(text)
        self.target = value(text)

    def lines(self):
        return [Line(self.text, self)]

    expressions = ()


class TextIf(If):
    def __init__(self, condition, body, other=()):
        super().__init__(value(condition), body, other)
        self.names = words(condition)

    expressions = ()


class TextBlock:
    def __init__(self, body):
        self.body, self.names = body, set()

    def lines(self):
        return ["{", *indent(self.body), "}"]

    expressions = ()
    bodies = ("body",)


class TextLoop(Loop):
    def __init__(self, head, body, tail="}"):
        nothing = value("")
        super().__init__("for", None, None, nothing, "", nothing, 1, body)
        self.head, self.end = head, tail
        self.names = words(head) | words(tail)

    def lines(self):
        return [Line(self.head, self), *indent(self.body), self.end]

    expressions = ()


class Splitter:
    def __init__(self, text):
        self.text, self.at = " ".join(text.split()), 0

    def statements(self):
        result = []
        while self.text[self.at:].strip():
            result += self.statement()
        return result

    def statement(self):
        """A list of statements."""
        self.skip()
        if self.text.startswith("{", self.at):
            inside = self.balanced("{", "}")[1:-1]
            return [TextBlock(Splitter(inside).statements())]
        if found := LOOP.match(self.text, self.at):
            self.at = found.end()
            head = f"{found.group(1)} {self.balanced('(', ')')} {{"
            return [TextLoop(head, self.body())]
        if re.match(r"do\b", self.text[self.at:]):
            self.at += 2
            body = self.body()
            return [TextLoop("do {", body, "} " + self.simple())]
        if found := BRANCH.match(self.text, self.at):
            self.at = found.end()
            return [self.branch()]
        if re.match(r"switch\b", self.text[self.at:]):
            self.at += len("switch")
            return [Text("switch " + self.balanced("(", ")") + " "
                         + self.balanced("{", "}"))]
        text = self.simple()
        if text == ";":
            return []
        return [Plain(text) if DECLARATION.match(text) else Text(text)]

    def body(self):
        """Of a loop or a condition, without its braces."""
        inside = self.statement()
        return inside[0].body if inside and isinstance(
            inside[0], TextBlock) else inside

    def branch(self):
        condition = self.balanced("(", ")")[1:-1]
        body, other = self.body(), []
        self.skip()
        if re.match(r"else\b", self.text[self.at:]):
            self.at += len("else")
            other = self.body()
        return TextIf(condition, body, other)

    def skip(self):
        while self.text[self.at:self.at + 1] == " ":
            self.at += 1

    def balanced(self, first, last):
        """The text from a parenthesis to the one that belongs to it."""
        self.skip()
        begin, depth = self.at, 0
        while True:
            depth += {first: 1, last: -1}.get(self.text[self.at], 0)
            self.at += 1
            if depth == 0:
                return self.text[begin:self.at]

    def simple(self):
        """Up to a semicolon outside of all parentheses."""
        self.skip()
        begin, depth = self.at, 0
        while self.text[self.at] != ";" or depth:
            depth += {"(": 1, "{": 1, ")": -1, "}": -1}.get(
                self.text[self.at], 0)
            self.at += 1
        self.at += 1
        return self.text[begin:self.at]


def split(text):
    return Splitter(text).statements()
