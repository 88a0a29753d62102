"""Shapes: reductions, and nests of many or short parallel loops."""

from fuzz.shapes import shape
from fuzz.tree import FLOATS

WHOLE = "fill_whole({{p}}, {{n}}, sizeof({0}), {1});"


def whole(s, name, elements, kind=None):
    """Numbers of which sums are exact in each order."""
    kind = kind or s.kind
    fraction = int(kind in FLOATS)
    return s.array(name, elements, kind, WHOLE.format(kind, fraction))


@shape
def place_of_an_extremum(s):
    n = s.size("n", most=300)
    s.kind = s.r.choice(("int", "short", "unsigned", "unsigned char", "float",
                         "double", "long", "unsigned long"))
    a = s.array("a", n + 1)
    s.array("v", 1)
    if s.kind not in FLOATS and s.chance(60):
        a.fill = f"fill_below({{p}}, {{n}}, sizeof({s.kind}), 9);"
    s.array("r", 2, "long")
    index = s.r.choice(("int", "int", "long"))
    if s.index == "size_t":
        s.index = "int"
    sign = s.r.choice(("<", ">", "<=", ">="))
    start = s.r.choice(("$a[0]", "0", "5"))
    if s.kind in FLOATS:
        start = s.r.choice((start, "-0.0", "0.0 / 0.0", "-1 / 0.0"))
    value = "$a[i]" if s.chance(70) else s.value("$a[i]", depth=1)
    body = f"if ({value} {sign} m) {{ m = {value}; k = i; }}"
    if s.chance(20):
        body = body.replace("m = ", "k = i; m = ", 1).replace(
            "; k = i; }", "; }")
    return f"T m = (T){start}; {index} k = {s.r.choice(('0', '-1'))}; " \
        f"for (I i = {s.r.choice('01')}; i < $n; i++) {{ {body} }} " \
        "$r[0] = (long)m; $r[1] = k; $v[0] = m;" if s.kind not in FLOATS else \
        f"T m = (T){start}; {index} k = 0; " \
        f"for (I i = 0; i < $n; i++) {{ {body} }} $r[0] = m > 1; $r[1] = k; " + \
        "$v[0] = m;"


@shape
def places_in_rows(s):
    """The place of the largest element of each row."""
    n, m = s.size("n", most=30), s.size("m", most=40)
    s.kind = s.r.choice(("int", "short", "float", "double"))
    s.array("a", n * m)
    s.array("r", n, "int")
    s.array("v", n)
    sign = s.r.choice(("<", ">", "<=", ">="))
    return s.loop("i", "0", "$n", "T best = 0; int k = -1; " + s.loop(
        "j", "0", "$m", f"if ($a[i * $m + j] {sign} best) "
        "{ best = $a[i * $m + j]; k = j; }") + "$r[i] = k; $v[i] = best;")


@shape
def several_bit_results(s):
    n = s.size("n", most=300)
    s.kind = s.r.choice(("int", "unsigned", "long", "short", "unsigned char",
                         "unsigned long"))
    s.array("a", n)
    s.array("r", 4)
    names = s.r.sample(("p", "q", "u", "v"), s.r.randint(1, 4))
    ops = {name: s.r.choice("&|^^+*") for name in names}
    start = "".join(f"T {n} = (T){s.r.choice((0, 1, -1, 12345))}; "
                    for n in names)
    wide = "unsigned long" if "long" in s.kind else "unsigned"
    updates = "".join(
        f"{n} = (T)(({wide}){n} {ops[n]} ({wide})"
        f"{s.r.choice(('$a[i]', '($a[i] | 1)', '($a[i] >> 1)'))}); "
        for n in names)
    if s.chance(25):
        s.feature("shape results under a condition")
        updates = f"if ({s.condition('$a[i]')}) {{ {updates} }}"
    end = "".join(f"$r[{i}] = {n}; " for i, n in enumerate(names))
    return start + s.loop("i", "0", "$n", updates) + end


@shape
def result_over_a_square(s):
    n, m = s.size("n", most=50), s.size("m", most=50)
    s.kind = s.r.choice(("int", "unsigned", "long", "float", "double"))
    whole(s, "a", n * m)
    whole(s, "r", 1)
    if s.kind in FLOATS:
        s.program.reassociable = True
        update = s.r.choice(("s += $a[i * $m + j];", "s -= $a[i * $m + j];",
                             "s += $a[i * $m + j] * $a[i * $m + j];",
                             "s = s > $a[i * $m + j] ? s : $a[i * $m + j];"))
    else:
        wide = "unsigned" if s.kind != "long" else "unsigned long"
        update = s.r.choice((
            f"s = (T)(({wide})s + ({wide})$a[i * $m + j]);",
            f"s = (T)(({wide})s * ({wide})($a[i * $m + j] | 1));",
            "s ^= $a[i * $m + j];", "s |= $a[i * $m + j];",
            "s = s < $a[i * $m + j] ? s : $a[i * $m + j];",
            "if ($a[i * $m + j] > s) { s = $a[i * $m + j]; }"))
    low = s.r.choice(("0", "0", "i")) if s.index != "size_t" else "0"
    inner = f"for (I j = {low}; j < $m; j++) {{ {update} }}"
    if s.chance(20):
        s.feature("shape result of each step")
        whole(s, "c", 8)
        return f"for (int t = 0; t < 3; t++) {{ T s = $c[t]; " \
            f"{s.loop('i', '0', '$n', inner)} $c[t + 1] = s; }}"
    return f"T s = $r[0]; {s.loop('i', '0', '$n', inner)} $r[0] = s;"


@shape
def sum_of_what_loops_compute(s):
    """A result in the order of the source, of one of a loop inside each."""
    n, m = s.size("n", most=40), s.size("m", most=30)
    s.kind = s.r.choice(("float", "double"))
    s.array("a", n * m + 1)
    s.array("b", n + 1)
    s.array("r", 1)
    inner = s.r.choice(("t += $a[i * $m + j];", "t -= $a[i * $m + j] * $b[i];",
                        "t = t * (T)0.5 + $a[i * $m + j];",
                        "t = $a[i * $m + j] > t ? $a[i * $m + j] : t;"))
    outer = s.r.choice(("s += t;", "s += $b[i] * t;", "s -= t * t;",
                        "s = s * (1 + t * (T)1e-3);", "s += t; p = p - t;"))
    more = " $b[i] = t;" if s.chance(30) else ""
    return "T s = 1, p = 2; " + s.loop(
        "i", "0", "$n", f"T t = (T){s.r.choice(('0', '0.25', '-1'))}; " +
        s.loop("j", "0", "$m", inner) + outer + more) + \
        "$r[0] = s - p;"


@shape
def sum_in_any_order(s):
    """Floating-point sums that are exact, for the option that allows it."""
    n = s.size("n", most=300)
    s.kind = s.r.choice(("float", "double"))
    whole(s, "a", n)
    whole(s, "b", n)
    whole(s, "r", 2)
    s.program.reassociable = True
    update = s.r.choice(("s += $a[i];", "s += $a[i] * $b[i];", "s -= $b[i];",
                         "s += $a[i] - $b[i];", "s += $a[i]; t += $b[i];",
                         "if ($a[i] > $b[i]) { s += $a[i]; }"))
    also = "T t = 0;" if "t +=" in update else ""
    end = "$r[1] = t;" if also else ""
    if s.chance(30):
        s.feature("shape sum in an element")
        return s.loop("i", "0", "$n", update.replace("s +", "$r[0] +")
                      .replace("s -", "$r[0] -").replace("t +", "$r[1] +"))
    start = s.r.choice(("0", "$r[0]", "-0.0"))
    return f"T s = {start}; {also} {s.loop('i', '0', '$n', update)} " \
        f"$r[0] = s; {end}"


@shape
def extremum_of_magnitudes(s):
    """Of floating-point numbers that are not -0.0."""
    n = s.size("n", most=300)
    s.kind = s.r.choice(("float", "double"))
    s.array("a", n)
    s.array("r", 1)
    f = "f" if s.kind == "float" else ""
    value = s.r.choice((f"fabs{f}($a[i])", "$a[i] * $a[i]", "$a[i]"))
    update = s.r.choice((f"if ({value} > s) {{ s = {value}; }}",
                         f"s = {value} > s ? {value} : s;",
                         f"s = fmax{f}(s, {value});",
                         f"s = {value} < s ? {value} : s;",
                         f"s = s > {value} ? s : {value};"))
    start = s.r.choice(("0", "$a[0]" if n else "0", "-1", "$r[0]"))
    text = f"T s = {start}; {s.loop('i', '0', '$n', update)} $r[0] = s;"
    return text if "$a[0]" not in start or \
        min(c[s.names["n"]] for c in s.k.calls) > 0 else \
        text.replace("$a[0]", "0", 1)


@shape
def rows_and_columns(s):
    """Sums of rows, of columns, and of each in one nest; normalised rows."""
    n, m = s.size("n", most=40), s.size("m", most=40)
    whole(s, "a", n * m)
    s.array("r", n)
    s.array("c", m)
    at = "$a[i * $m + j]"
    form = s.r.randrange(5)
    row = s.value("$r[i]", at, depth=0)
    column = s.value("$c[j]", at, depth=0)
    if form == 0:
        return s.loop("i", "0", "$n", "T s = 0; " + s.loop(
            "j", "0", "$m", f"s = {s.value(('s', s.kind), at, depth=0)};")
            + "$r[i] = s;")
    if form == 1:
        return s.loop("i", "0", "$n", s.loop("j", "0", "$m",
                                             f"$c[j] = {column};"))
    if form == 2:
        return s.loop("i", "0", "$n", s.loop(
            "j", "0", "$m", f"$r[i] = {row}; $c[j] = {column};"))
    if form == 3:
        s.feature("shape rows normalised")
        return s.loop("i", "0", "$n", "T best = 0; " + s.loop(
            "j", "0", "$m", f"if ({at} > best) {{ best = {at}; }}")
            + "$r[i] = best; " + s.loop(
                "j2", "0", "$m", "$a[i * $m + j2] = "
                f"{s.value('$a[i * $m + j2]', ('best', s.kind))};"))
    return s.loop("j", "0", "$m", "$c[j] = 0; " + s.loop(
        "i", "0", "$n", f"$c[j] = {column};"))


@shape
def segments(s):
    """A result for each segment of a fixed or variable length."""
    n = s.size("n", most=40)
    w = s.r.choice((2, 5, 32))
    s.array("a", n * w)
    s.array("r", n)
    op = s.r.choice(("sum", "max", "xor"))
    if op == "max":
        update = "if ($a[@e] > s) { s = $a[@e]; }"
    elif op == "sum" or s.kind in FLOATS:
        update = f"s = {s.value(('s', s.kind), ('$a[@e]', s.kind), depth=0)};"
    else:
        update = "s ^= $a[@e];"
    return s.loop("i", "0", "$n", "T s = 1; " + s.loop(
        "j", "0", str(w), s.text(update, e=f"i * {w} + j")) + "$r[i] = s;")


@shape
def many_parallel_loops(s):
    count = s.r.choice((4, 4, 5))
    lengths = [s.r.choice((2, 3, 3, 4, 5)) for _ in range(count)]
    elements = 1
    for n in lengths:
        elements *= n
    n = s.size("n", most=max(1, min(8, 4000 // elements)))
    s.array("a", n * elements)
    s.array("b", n * elements)
    names = ["i", "j", "k", "l", "p", "q"][:count + 1]
    at = names[0]
    for name, length in zip(names[1:], lengths):
        at = f"({at} * {length} + {name})"
    read = at
    if s.chance(40):
        read = names[0]
        order = list(zip(names[1:], lengths))
        s.r.shuffle(order)
        for name, length in order:
            read = f"({read} * {length} + {name})"
    body = f"$a[{at}] = {s.value(f'$b[{read}]', *([f'$a[{at}]'] if s.chance(30) else []))};"
    if s.chance(20):
        body = f"if ({s.condition(f'$b[{read}]')}) {{ {body} }}"
    for name, length in reversed(list(zip(names[1:], lengths))):
        body = s.loop(name, "0", str(length), body)
    return s.in_time(s.loop("i", "0", "$n", body), 10)


@shape
def short_loops(s):
    """Parallel loops of 3 to 9 iterations, inside and outside."""
    n, w = s.size("n", most=60), s.r.randint(3, 9)
    bound = str(w)
    if s.chance(30):
        w = s.number("w", 3, 9)
        bound = "$w"
    s.array("a", n * w + w)
    s.array("b", n * w + w)
    outer = s.chance(40)
    at = "i * @w + j" if not outer else "j * $n + i"
    other = s.r.choice((at, at + " + 1"))
    if s.chance(25):
        body = f"$a[{at}] = {s.value(f'$b[{at}]', f'$b[{other}]')};"
    else:
        body = f"$a[{at}] = {s.value(f'$b[{other}]')};"
    body = s.text(body, w=bound)
    loops = [("i", "$n"), ("j", bound)]
    if outer:
        loops.reverse()
    text = s.loop(loops[0][0], "0", loops[0][1],
                  s.loop(loops[1][0], "0", loops[1][1], body))
    return s.in_time(text, 20)


@shape
def columns_at_a_stride(s):
    """Every second or third element of rows: a part of the threads."""
    n, m = s.size("n", most=24), s.size("m", most=24)
    f = s.r.choice((2, 2, 3))
    s.array("a", f * f * max(n, 1) * max(m, 1) + 8)
    s.array("b", f * f * max(n, 1) * max(m, 1) + 8)
    texts = []
    for _ in range(s.r.randint(1, 3)):
        x, y = s.r.randrange(f), s.r.randrange(f)
        at = f"({f} * i + {x}) * {f} * $m + {f} * j + {y}"
        near = s.r.choice((at, f"({f} * i + {y}) * {f} * $m + {f} * j"))
        texts.append(s.loop("i", "0", "$n", s.loop(
            "j", "0", "$m", f"$a[{at}] = {s.value(f'$b[{near}]')};")))
    return " ".join(texts)
