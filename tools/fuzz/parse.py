"""Loops written as text become trees.

The language is a part of C: for, if, else, switch, `if (...) continue;`,
assignments, and `T s = ...;` for a scalar.  Counters need no declaration.  What
is between brackets, in bounds and in conditions is an integer expression; the
other side of an assignment is a value of the target's type, in which c0 to c9
are constants of that type and min and max are functions.  Names of arrays are
found by the bracket behind them; capital letters alone are parameters.
"""

import re

from fuzz.tree import (FLOATS, SIZES, SUFFIX, Assign, Break, Declare, Expr, If,
                       Loop, Switch, binary, const, var)

TOKEN = re.compile(r"\s*([A-Za-z]\w*|\d+|[-+*/]=|\+\+|--|<=|>=|==|!=|&&|\|\||"
                   r"<<|>>|.)", re.S)
LEVELS = (("||",), ("&&",), ("==", "!="), ("<=", ">=", "<", ">"), ("&",),
          (">>",), ("+", "-"), ("*", "/", "%"))
REALS = ("0.5", "1.25", "-0.75", "0.1", "3.0", "0.2", "0.0", "-1.5", "0.25",
         "2.0")


class Parser:
    """kinds: the type of a counter, of each parameter; kind_of(array) tells
    that of an array's elements, and element(array, subscripts) makes one."""

    def __init__(self, text, index, kinds, kind_of, element):
        self.tokens = TOKEN.findall(text.strip())
        self.at = 0
        self.index, self.kinds = index, dict(kinds)
        self.kind_of, self.element = kind_of, element
        self.scalars = {}

    # ---- Tokens ---------------------------------------------------------

    def peek(self, ahead=0):
        return self.tokens[self.at + ahead] \
            if self.at + ahead < len(self.tokens) else ""

    def take(self, expected=None):
        token = self.peek()
        if expected is not None and token != expected:
            raise SyntaxError(f"{expected} expected, found "
                              f"{' '.join(self.tokens[self.at:][:9])}")
        self.at += 1
        return token

    def accept(self, token):
        if self.peek() == token:
            self.at += 1
            return True
        return False

    # ---- Statements -----------------------------------------------------

    def program(self):
        result = []
        while self.peek():
            result += self.statement()
        return result

    def statement(self):
        """A list of statements."""
        if self.accept("{"):
            result = []
            while not self.accept("}"):
                result += self.statement()
            return result
        make = {"for": self.loop, "if": self.branch, "switch": self.switch,
                "T": self.scalar}.get(self.peek(), self.assignment)
        return [make()]

    def loop(self):
        self.take("for")
        self.take("(")
        name = self.take()
        self.kinds[name] = self.index
        self.take("=")
        start = self.integer()
        self.take(";")
        self.take(name)
        relation = self.take()
        bound = self.integer()
        self.take(";")
        self.take(name)
        sign = self.take()
        step = {"++": 1, "--": -1}.get(sign) or \
            int(self.take()) * (1 if sign == "+=" else -1)
        self.take(")")
        return Loop("for", self.index, name, start, relation, bound, step,
                    self.statement())

    def branch(self):
        self.take("if")
        self.take("(")
        condition = self.integer()
        self.take(")")
        if self.accept("continue"):
            self.take(";")
            return Break(condition, "continue")
        body = self.statement()
        return If(condition, body,
                  self.statement() if self.accept("else") else ())

    def switch(self):
        self.take("switch")
        self.take("(")
        selector = self.integer()
        self.take(")")
        self.take("{")
        parts = []
        while not self.accept("}"):
            labels = []
            while self.peek() in ("case", "default"):
                labels.append(int(self.take()) if self.take() == "case"
                              else None)
                self.take(":")
            body = []
            while not self.accept("break"):
                body += self.statement()
            self.take(";")
            parts.append((labels, body))
        return Switch(selector, parts)

    def scalar(self):
        self.take("T")
        name = self.take()
        self.take("=")
        kind = self.scalars[name] = self.kind_of(name)
        value = self.value(kind)
        self.take(";")
        return Declare(kind, name, value)

    def assignment(self):
        if self.peek(1) == "[":
            target = self.array()
        else:
            name = self.take()
            target = var(name, self.scalars[name])
        op, kind = self.take(), target.kind
        value = self.value(kind)
        self.take(";")
        if kind not in FLOATS:
            if op != "=":
                value = Expr("value", f"({{0}} {op[0]} {{1}})",
                             [self.converted(target, kind), value])
            value = Expr("value", f"({kind}){{0}}", [value], kind)
            op = "="
        return Assign(target, op, value)

    # ---- Integer expressions --------------------------------------------

    def integer(self, level=0):
        if level == len(LEVELS):
            return self.primary()
        left = self.integer(level + 1)
        while self.peek() in LEVELS[level]:
            left = binary(self.take(), left, self.integer(level + 1))
        return left

    def primary(self):
        if self.accept("("):
            e = self.integer()
            self.take(")")
            return e
        if self.accept("!"):
            return binary("==", self.primary(), const(0))
        if self.accept("-"):
            return binary("-", const(0), self.primary())
        token = self.take()
        if token in ("min", "max"):
            return binary(token, *self.pair(self.integer))
        if token.isdigit():
            return const(int(token))
        return var(token, self.kinds[token])

    def pair(self, parse):
        self.take("(")
        first = parse()
        self.take(",")
        second = parse()
        self.take(")")
        return first, second

    # ---- Values ---------------------------------------------------------

    def value(self, kind):
        left = self.product(kind)
        while self.peek() in ("+", "-"):
            op = self.take()
            left = Expr("value", f"({{0}} {op} {{1}})",
                        [left, self.product(kind)], kind)
        return left

    def product(self, kind):
        left = self.leaf(kind)
        while self.peek() == "*":
            op = self.take()
            left = Expr("value", f"({{0}} {op} {{1}})",
                        [left, self.leaf(kind)], kind)
        return left

    def leaf(self, kind):
        if self.accept("("):
            e = self.value(kind)
            self.take(")")
            return e
        if self.peek(1) == "[":
            return self.converted(self.array(), kind)
        token = self.take()
        if token in ("min", "max"):
            sign = "<" if token == "min" else ">"
            return Expr("value", f"({{0}} {sign} {{1}} ? {{0}} : {{1}})",
                        self.pair(lambda: self.value(kind)), kind)
        if token in self.scalars:
            return self.converted(var(token, self.scalars[token]), kind)
        if token in self.kinds:
            wide = kind if kind in FLOATS else wide_of(kind)
            return Expr("value", f"({wide}){{0}}",
                        [var(token, self.kinds[token])], kind)
        n = int(token.removeprefix("c"))
        text = REALS[n] + SUFFIX[kind] if kind in FLOATS else \
            f"({wide_of(kind)}){2 * n + 1}"
        return Expr("value", text, (), kind)

    def array(self):
        name, subscripts = self.take(), []
        while self.accept("["):
            subscripts.append(self.integer())
            self.take("]")
        return self.element(name, subscripts)

    def converted(self, e, kind):
        """An element or scalar as an operand in values of kind."""
        if kind in FLOATS:
            if e.kind == kind:
                return e
            if e.kind in FLOATS:
                return Expr("value", f"({kind}){{0}}", [e], kind)
            wide = "float" if kind == "_Float16" else kind
            scale = 2.0**-8 if SIZES[e.kind] < 4 else 2.0**-30
            return Expr("value", f"(({wide}){{0}} * {scale}{SUFFIX[kind]})",
                        [e], kind)
        if e.kind in FLOATS:
            return Expr("value", f"({wide_of(kind)})({{0}} > 0.5)", [e], kind)
        return Expr("value", f"({wide_of(kind)}){{0}}", [e], kind)


def wide_of(kind):
    """The unsigned type that integers of kind are computed in."""
    return "unsigned" if SIZES[kind] <= 4 else "unsigned long long"
