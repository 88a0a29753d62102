"""Shapes: affine conditions joined and chosen by, clamps, wrapping, exchanged
arrays, steps and counters that are variables, tests for null."""

from fuzz.shapes import shape
from fuzz.tree import FLOATS


@shape
def border_by_ternary(s):
    w = s.r.choice((1, 1, 2))
    if s.chance(50):
        n = s.size("n")
        s.array("a", n)
        s.array("b", n)
        inside = s.value(f"$a[i - {w}]", f"$a[i + {w}]")
        guard = s.r.choice((f"i >= {w} && i < $n - {w}",
                            f"!(i < {w} || i >= $n - {w})",
                            f"i > {w - 1} && i + {w} < $n"))
        other = s.r.choice(("0", s.value("$a[i]")))
        if s.index == "size_t":
            guard = f"i >= {w} && i + {w} < $n"
        return s.in_time(s.loop("i", "0", "$n",
                                f"$b[i] = {guard} ? {inside} : {other};"), 25)
    n, m = s.size("n", most=30), s.size("m", most=30)
    s.array("a", n * m)
    s.array("b", n * m)
    terms = [("i > 0", "$a[(i - 1) * $m + j]"),
             ("i + 1 < $n", "$a[(i + 1) * $m + j]"),
             ("j > 0", "$a[i * $m + j - 1]"),
             ("j < $m - 1" if s.index != "size_t" else "j + 1 < $m",
              "$a[i * $m + j + 1]")]
    chosen = s.r.sample(terms, s.r.randint(1, 4))
    zero = "0" if s.kind not in FLOATS else s.constant(s.kind)
    text = s.value("$a[i * $m + j]", *(
        (f"({guard} ? {element} : {zero})", s.kind)
        for guard, element in chosen))
    if s.chance(30):
        s.feature("shape borders by || around a store")
        test = s.r.choice(("i == 0 || j == 0", "i == 0 || i == $n - 1 || "
                           "j == 0 || j == $m - 1", "i < j || j == 1"))
        if s.index == "size_t":
            test = "i == 0 || j == 0"
        body = f"if ({test}) {{ $b[i * $m + j] = $a[i * $m + j]; }} else " \
            f"{{ $b[i * $m + j] = {text}; }}"
    else:
        body = f"$b[i * $m + j] = {text};"
    return s.in_time(s.loop("i", "0", "$n", s.loop("j", "0", "$m", body)), 20)


@shape
def clamps(s):
    n = s.size("n", kind="int" if s.chance(70) else "long")
    s.array("a", max(n, 1) + 8)
    s.array("b", n)
    low = s.r.choice(("(i > 0 ? i - 1 : 0)", "(i < 2 ? 0 : i - 2)",
                      "(i - 1 > 0 ? i - 1 : 0)"))
    high = s.r.choice(("(i + 1 < $n ? i + 1 : $n - 1)",
                       "(i + 2 < $n - 1 ? i + 2 : $n - 1)",
                       "(i < 5 ? i : 5)"))
    s.index = s.r.choice(("int", "long"))
    return s.loop("i", "0", "$n",
                  f"$b[i] = {s.value(f'$a[{low}]', f'$a[{high}]')};")


@shape
def wrapping_subscripts(s):
    s.index = s.r.choice(("int", "int", "long"))
    n = s.size("n", least=1, kind="int")
    left = s.r.choice(("(i + $n - 1) % $n", "i == 0 ? $n - 1 : i - 1",
                       "(i - 1 + $n) % $n"))
    right = s.r.choice(("(i + 1) % $n", "i == $n - 1 ? 0 : i + 1",
                        "i + 1 < $n ? i + 1 : 0"))
    if s.chance(50):
        s.array("a", n)
        s.array("b", n)
        value = s.value(f"$a[{left}]", f"$a[{right}]", "$a[i]")
        return s.in_time(s.loop("i", "0", "$n", f"$b[i] = {value};") + (
            s.loop("j", "0", "$n", "$a[j] = $b[j];") if s.chance(50)
            else ""), 30)
    m = s.size("m", least=1, most=30, kind="int")
    s.array("a", n * m)
    s.array("b", n * m)
    up = s.r.choice(("(j + $m - 1) % $m", "j == 0 ? $m - 1 : j - 1"))
    value = s.value(f"$a[({left}) * $m + j]", f"$a[i * $m + ({up})]",
                    f"$a[({right}) * $m + j]")
    return s.loop("i", "0", "$n", s.loop("j", "0", "$m",
                                         f"$b[i * $m + j] = {value};"))


@shape
def exchanged_arrays(s):
    """Pointers that change places at the end of a time step, or planes."""
    n = s.size("n")
    steps = s.r.choice((0, 1, 2, 3, 4, 7))
    count = str(steps)
    if s.chance(40):
        s.number("t", 0, 6, s.r.choice(("int", "long")))
        count = "$t"
    form = s.r.randrange(5)
    sweep = "for (I i = 1; i < $n; i++) { @store }"
    if s.chance(35):
        sweep += " for (I j = 1; j < $n; j++) { $c[j] = @w; }"
        s.array("c", n + 2)
    behind = ""
    if form < 3:
        s.array("a", n + 2)
        s.array("b", n + 2)
        reads = [("old[i - 1]", s.kind), ("old[i + 1]", s.kind)]
        if form == 2:
            s.feature("shape three arrays exchanged")
            s.array("e", n + 2)
            reads.append(("past[i]", s.kind))
            start = "T *old = $a, *new = $b, *past = $e;"
            end = "T *x = past; past = old; old = new; new = x;"
        else:
            start = "T *old = $a, *new = $b;"
            end = "T *x = old; old = new; new = x;"
        if s.chance(40):
            s.feature("shape exchanged pointer used behind")
            behind = "for (I l = 0; l < $n; l++) { old[l] = " + \
                s.value(("old[l]", s.kind)) + "; }"
        target = "new"
    else:
        s.array("u", 2 * (n + 2), storage="extern")
        plane = f"({s.names['n']} + 2)"
        reads = [(f"$u[now * {plane} + i - 1]", s.kind),
                 (f"$u[now * {plane} + i + 1]", s.kind)]
        if form == 3:
            start, end = "int now = 0;", "now = 1 - now;"
            target = f"($u + (1 - now) * {plane})"
        else:
            start, end = "", ""
            reads = [(t.replace("now", "(t % 2)"), k) for t, k in reads]
            target = f"($u + ((t + 1) % 2) * {plane})"
    if s.chance(20):
        s.feature("shape gather in an exchange")
        s.indices("p", n, n + 2)
        at = reads[0][0].replace("i - 1", "$p[i]")
        reads[0] = at, s.kind
    store = f"{target}[i] = {s.value(*reads)};"
    if s.chance(20):
        s.feature("shape condition in an exchange")
        store = f"if ({s.condition(*(text for text, _ in reads))}) " \
            f"{{ {store} }}"
    body = s.text(sweep, store=store,
                  w=s.value("$c[j]", (reads[0][0].replace("[i", "[j").replace(
                      "+ i", "+ j"), s.kind)) if "@w" in sweep else "")
    return f"{start} for (int t = 0; t < {count}; t++) {{ {body} {end} }} " \
        f"{behind}"


@shape
def quadratic_values(s):
    n = s.size("n")
    s.kind = s.r.choice(("float", "double", "unsigned", "unsigned long"))
    s.array("a", n)
    s.index = s.r.choice(("int", "long", "unsigned"))
    form = s.r.choice(("(i + 1) * (i + 1)", "i * (i + 1) / 2", "i * i * i",
                       "(i + 2) * i - 3 * i"))
    if s.kind in FLOATS and s.chance(50):
        form = f"{s.r.choice(('1', '2.5'))} / (T)((i + 1) * (i + 1))"
    return s.loop("i", "0", "$n", f"$a[i] = (T)({form});")


@shape
def tests_for_null(s):
    n = s.size("n")
    s.array("a", n, storage="pointer")
    s.array("b", n, storage="pointer")
    s.number("z", 0, 2)
    s.k.inner = s.text("T *p, const T *q, I n, T *a"), \
        s.text("$z & 1 ? $b : 0, $z ? $b : 0, $n, $a")
    value, other = s.value(("q[i]", s.kind)), s.value(("a[i]", s.kind))
    form = s.r.randrange(4)
    if form == 0:
        return s.loop("i", "0", "n", f"if (q) {{ a[i] = {value}; }} else "
                      f"{{ a[i] = {other}; }}")
    if form == 1:
        return s.loop("i", "0", "n", f"if (p != 0) {{ p[i] = {other}; }} "
                      f"a[i] = {other};")
    if form == 2:
        return f"if (q) {{ {s.loop('i', '0', 'n', f'a[i] = {value};')} }}"
    return s.loop("i", "0", "n", f"a[i] = q ? {value} : {other};")


@shape
def variable_steps(s):
    n = s.size("n")
    s.number("t", 1, 5, s.index if s.index not in ("short", "size_t")
             else "int")
    s.array("a", n + 8)
    s.array("b", n + 8)
    start = s.r.choice(("0", "0", "2", "$t"))
    if s.index == "size_t":
        s.index = "int"
    text = f"for (I i = {start}; i < $n; i += $t) {{ $a[i] = " \
        f"{s.value('$b[i]')}; }}"
    if s.chance(35):
        s.feature("shape nest with variable steps")
        m = s.size("m", most=12)
        s.array("c", n * m + 16)
        text = f"for (I i = 0; i < $n; i += $t) {{ " \
            "for (I j = 0; j < $m; j++) { $c[i * $m + j] = " \
            f"{s.value('$c[i * $m + j]', '$b[i]')}; }} }}"
    return text


@shape
def closed_counters(s):
    """Scalars that a loop changes by a fixed amount, and that are used."""
    n = s.size("n", most=60)
    step = s.r.choice((1, 2, 3))
    s.array("a", step * n + 8)
    s.array("b", n)
    s.array("r", 1, "long")
    s.index = s.r.choice(("int", "long"))
    form = s.r.randrange(4)
    if form == 0:
        body = f"$a[k] = {s.value('$b[i]')}; k += {step};"
        return f"I k = 0; {s.loop('i', '0', '$n', body)} $r[0] = k;"
    if form == 1:
        body = f"k += {step}; $a[k] = {s.value('$b[i]')};"
        return f"I k = {s.r.choice('02')}; " \
            f"{s.loop('i', '0', '$n', body)} $r[0] = k;"
    if form == 2:
        body = f"$b[i] = {s.value('$b[i]')}; k++; l -= 3;"
        return f"I k = 5, l = 7; {s.loop('i', '0', '$n', body)} " \
            "$r[0] = k * l;"
    body = f"$b[i] = {s.value('$b[i]')}; $b[i] = {s.value('$b[i]')};"
    return f"I i; for (i = 0; i < $n; i++) {{ {body} }} $r[0] = i;"


@shape
def joined_guards(s):
    """if and loops under && and || of affine conditions."""
    n, m = s.size("n", most=30), s.size("m", most=30)
    if s.index == "size_t":
        s.index = "int"
    s.array("a", n * m)
    s.array("b", n * m)

    def test():
        return s.r.choice((
            "i > 0", "j > 1", "i < $n - 1", "j < $m - 1", "i == j", "i != 3",
            "i + j < $n", "i <= j", "i % 2 == 0", "(j & 1) == 1",
            "$n > $m", "j % 3 != 1"))
    guard = f"{test()} {s.r.choice(('&&', '||'))} {test()}"
    if s.chance(50):
        guard = f"({guard}) {s.r.choice(('&&', '||'))} {test()}"
    if s.chance(20):
        guard = f"!({guard})"
    at = "[i * $m + j]"
    value = s.value(f"$b{at}")
    if s.chance(35):
        body = f"$a{at} = {guard} ? {value} : {s.value(f'$a{at}')};"
    else:
        body = f"if ({guard}) {{ $a{at} = {value}; }}" + (
            f" else {{ $a{at} = {s.value(f'$a{at}')}; }}" if s.chance(40)
            else "")
    return s.in_time(s.loop("i", "0", "$n", s.loop("j", "0", "$m", body)), 10)
