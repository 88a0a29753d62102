"""Shapes: values that go from iteration to iteration, most of which keep their
order; rows and planes at distances that are parameters, which may overlap."""

from fuzz.shapes import shape
from fuzz.tree import FLOATS


@shape
def compaction(s):
    """a[k++] under a condition on data."""
    n = s.size("n")
    s.array("a", n + 1)
    s.array("b", n)
    s.array("r", 1, "long")
    body = f"if ({s.condition('$b[i]')}) {{ $a[k] = {s.value('$b[i]')}; " \
        "k++; }"
    return f"long k = 0; {s.loop('i', '0', '$n', body)} $r[0] = k;"


@shape
def scan(s):
    n = s.size("n")
    s.array("a", n)
    s.array("b", n)
    total = s.value(("s", s.kind), "$b[i]", depth=0)
    body = s.r.choice((f"s = {total}; $a[i] = s;", f"$a[i] = s; s = {total};",
                       f"s = $b[i] > s ? $b[i] : s; $a[i] = s;"))
    more = s.loop("j", "0", "$n", f"$b[j] = {s.value('$a[j]')};") \
        if s.chance(50) else ""
    return f"T s = 1; for (I i = 0; i < $n; i++) {{ {body} }} {more}"


@shape
def last_of_many(s):
    """The last value, or the last place, for which a condition holds."""
    n = s.size("n")
    s.array("a", n)
    s.array("b", n)
    s.array("r", 2, "long")
    form = s.r.randrange(4)
    if form == 0:
        body = f"if ({s.condition('$a[i]')}) {{ k = (long)i; }}"
    elif form == 1:
        body = f"$b[i] = {s.value('$a[i]')}; k = (long)i;"
    elif form == 2:
        body = "if ($a[i] > best) { k = (long)i; } $b[i] = $a[i];"
    else:
        body = f"long last = k; k = {s.condition('$a[i]')} ? (long)i : -1; " \
            f"$b[i] = (T)last;"
    return f"long k = -1; T best = 3; {s.loop('i', '0', '$n', body)} " \
        "$r[0] = k;"


@shape
def counts_and_flags(s):
    n = s.size("n", most=300)
    s.array("a", n)
    s.array("r", 6, "int")
    test, other = s.condition("$a[i]"), s.condition("$a[i]")
    parts = s.r.sample((f"count += {test};", f"any |= {test};",
                        f"all &= {other} ? 1 : 0;",
                        f"if ({test}) {{ count++; }}",
                        f"any = any || {other};",
                        f"if ({test}) {{ code = 7; }}",
                        f"bit = {other} ? 1 : bit;", f"odd ^= {test} ? 1 : 0;",
                        f"if ({test}) {{ sum += 3; }} else {{ sum -= 5; }}",
                        f"if ({other}) {{ sum -= i & 7; }} else if ({test}) "
                        "{ sum = 2 * (int)i + sum; }"), s.r.randint(1, 3))
    return "int count = 0, any = 0, all = 1, code = -3, sum = 9; " \
        "_Bool bit = 0, odd = 1; " + \
        s.loop("i", "0", "$n", " ".join(parts)) + \
        "$r[0] = count; $r[1] = any; $r[2] = all; $r[3] = code; " \
        "$r[4] = sum; $r[5] = bit + 2 * odd;"


@shape
def flag_while_unset(s):
    """Whether something holds anywhere, looked at only while it is not known."""
    n = s.size("n", most=300)
    s.array("a", n)
    s.array("r", 2, "int")
    set_to, unset = s.r.choice((("1", "0"), ("1", "0"), ("0", "1"),
                                ("7", "-3")))
    kind = s.r.choice(("int", "int", "_Bool", "unsigned char"))
    if kind != "int" and unset == "-3":
        set_to, unset = "1", "0"
    if kind == "int" and s.chance(25):
        unset = "$r[1]"
    test = s.condition("$a[i]")
    guard = f"found == {unset}" if unset != "0" else \
        s.r.choice(("!found", "found == 0", "!found"))
    if unset == "1" and s.chance(60):
        guard = "found"
    body = s.r.choice((f"if ({guard} && ({test})) {{ found = {set_to}; }}",
                       f"if ({guard}) {{ if ({test}) {{ found = {set_to}; }} "
                       "}", f"found = {guard} && ({test}) ? {set_to} : "
                       "found;"))
    if (set_to, unset) == ("1", "0") and s.chance(30):
        body = f"found = found || ({test});"
    if (set_to, unset) == ("0", "1") and s.chance(50):
        body = f"found = found && ({test});"
    if s.chance(25):
        s.array("b", n)
        body += f" $b[i] = {s.value('$b[i]')};"
    return f"{kind} found = {unset}; {s.loop('i', '0', '$n', body)} " \
        "$r[0] = found;"


@shape
def histogram(s):
    """Two iterations may count in one element, of integers."""
    n = s.size("n")
    kind = s.r.choice(("int", "unsigned", "long", "float"))
    s.array("a", n, s.r.choice(("unsigned char", "int", "unsigned")))
    s.array("h", 16, kind)
    s.array("b", n)
    if kind == "float":
        s.feature("refused: write through an index")
    body = "$h[$a[i] & 15] += 1;"
    if s.chance(40):
        body += f" $b[i] = {s.value('$b[i]')};"
    return s.loop("i", "0", "$n", body)


@shape
def leading_dimension(s):
    """Rows at a distance that may be less than their length."""
    n, m = s.size("n", most=20), s.size("m", most=20)
    ld = s.number("l", 1, 26, s.r.choice(("int", "long")))
    s.array("a", n * ld + m + 1)
    s.array("b", n * ld + m + 1)
    at = s.r.choice(("i * $l + j", "i * $l + j", "j + $l * i + 1"))
    target = s.value(f"$b[{at}]", *([f"$a[{at}]"] if s.chance(40) else []))
    if s.chance(25):
        target = s.value(f"$b[{at}]", f"$a[{at}]")
        return s.in_time(s.loop("i", "0", "$n", s.loop(
            "j", "0", "$m", f"$a[{at}] = {target};")), 30)
    return s.loop("i", "0", "$n", s.loop("j", "0", "$m",
                                         f"$a[{at}] = {target};"))


@shape
def independent_strides(s):
    """a[i + j * jp + k * kp] for any jp and kp."""
    n, m = s.size("n", most=9), s.size("m", most=7)
    k = s.size("k", most=5)
    jp, kp = s.number("y", 1, 12), s.number("z", 1, 60)
    size = n + m * jp + k * kp + 1
    s.array("a", size)
    s.array("b", size)
    at = s.r.choice(("i + j * $y + p * $z", "p * $z + j * $y + i"))
    value = s.value(f"$b[{at}]", *([f"$a[{at}]"] if s.chance(30) else []))
    return s.loop("p", "0", "$k", s.loop("j", "0", "$m", s.loop(
        "i", "0", "$n", f"$a[{at}] = {value};")))


@shape
def reversed_and_strided(s):
    n, t = s.size("n", most=60), s.r.choice((1, 2, 3))
    s.index = s.r.choice(("int", "long"))
    s.array("a", n * t + 1)
    s.array("b", n * t + 1)
    at = s.r.choice((f"({t} * ($n - 1 - i))", f"($n - 1 - i) * {t}"))
    other = s.r.choice((f"{t} * i", at))
    return s.loop("i", "0", "$n", f"$a[{at}] = {s.value(f'$b[{other}]')};")


@shape
def triangle_in_memory(s):
    """Packed triangles, in which row i begins at i * (i + 1) / 2."""
    n = s.size("n", most=25)
    s.index = s.r.choice(("int", "long"))
    s.array("a", n * (n + 1) // 2 + 1)
    s.array("b", n * n + 1)
    body = "$a[i * (i + 1) / 2 + j] = " \
        f"{s.value('$b[i * $n + j]')};"
    return s.loop("i", "0", "$n", f"for (I j = 0; j <= i; j++) {{ {body} }}")


@shape
def indices_that_change(s):
    """Between the steps of a loop around a gather."""
    n = s.size("n", least=1)
    least = min(c[s.names["n"]] for c in s.k.calls)
    s.indices("p", n, least, s.r.choice(("int", "long")))
    s.array("x", n)
    s.array("y", n)
    gathered = s.loop("i", "0", "$n", f"$y[i] = {s.value('$x[$p[i]]')};")
    change = s.loop("j", "0", "$n", "$p[j] = "
                    f"($p[j] + {s.r.choice((1, 2))}) % {max(1, least)};")
    if s.chance(40):
        change = s.loop("j", "0", "$n", "$x[j] = $y[j];") + change
    return f"for (int t = 0; t < {s.r.randint(2, 3)}; t++) " \
        f"{{ {gathered} {change} }}"


@shape
def exchange_on_data(s):
    """Pointers that change places in some steps only."""
    n = s.size("n")
    s.array("a", n + 2)
    s.array("b", n + 2)
    s.array("k", 8, "int")
    body = s.value(("old[i - 1]", s.kind), ("old[i + 1]", s.kind))
    test = s.r.choice(("$k[t] > 0", "t != 2", "t % 2 == 0", "$k[t] & 1"))
    return "T *old = $a, *new = $b; for (int t = 0; t < 5; t++) { " \
        f"for (I i = 1; i < $n; i++) {{ new[i] = {body}; }} " \
        f"if ({test}) {{ T *x = old; old = new; new = x; }} }}"


@shape
def values_of_the_step_before(s):
    """A scalar that an iteration gets from the one before."""
    n = s.size("n")
    s.array("a", n)
    s.array("b", n + 1)
    step = s.value("$b[i + 1]", depth=1) if s.kind in FLOATS else "$b[i + 1]"
    return "T last = $b[0]; for (I i = 0; i < $n; i++) { " \
        f"T next = {step}; $a[i] = " \
        f"{s.value(('last', s.kind), ('next', s.kind))}; last = next; }}"
