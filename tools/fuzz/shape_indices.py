"""Shapes: elements that are read through indices."""

from fuzz.shapes import shape


def gather_body(s, target, value):
    """target = value, sometimes under a condition or as an update."""
    if "k" in s.arrays and s.chance(70):
        s.feature("shape gather under condition")
        text = f"if ({s.condition('$k[i]')}) {{ {target} = {value}; }}"
        if s.chance(40):
            text += f" else {{ {target} = {s.value(target)}; }}"
        return text
    return f"{target} {s.operator()} {value};"


@shape
def gather(s):
    n = s.size("n")
    limit = s.r.choice((1, 3, 17, 100, 400))
    s.indices("p", n, limit)
    s.array("x", limit)
    s.array("y", n)
    s.array("b", n)
    if s.chance(40):
        s.indices("k", n, 6)
    value = s.value("$x[$p[i]]", *(["$b[i]"] if s.chance(50) else []))
    if s.chance(20):
        s.feature("shape two gathers")
        s.indices("q", n, limit)
        value = s.value("$x[$p[i]]", "$x[$q[i]]")
    return s.in_time(s.loop("i", "0", "$n", gather_body(s, "$y[i]", value)))


@shape
def table(s):
    n = s.size("n")
    kind = s.r.choice(("unsigned char", "unsigned char", "unsigned short"))
    shift = s.r.randint(0, 3) if kind == "unsigned char" else 8
    s.array("b", n, kind)
    s.array("x", 300)
    s.array("y", n)
    sub = s.r.choice((f"$b[i] >> {shift}", "$b[i] & 31",
                      f"($b[i] >> {shift}) + (i & 31)"))
    return s.loop("i", "0", "$n", f"$y[i] = {s.value(f'$x[{sub}]')};")


@shape
def chain_of_indices(s):
    n = s.size("n")
    middle, limit = s.r.choice((5, 50)), s.r.choice((4, 90))
    s.indices("q", n, middle)
    s.indices("p", middle, limit)
    s.array("x", limit)
    s.array("y", n)
    return s.loop("i", "0", "$n", gather_body(
        s, "$y[i]", s.value("$x[$p[$q[i]]]")))


@shape
def sparse_product(s):
    n = s.size("n", most=60)
    entries = n * 5 + 3
    kind = s.r.choice(("int", "int", "long", "unsigned"))
    rows = f"fill_rows({{p}}, {{n}}, sizeof({kind}), {entries}, " \
        f"{s.r.choice((1, 3, 6))});"
    if s.chance(25):
        s.feature("shape rows in any order")
        rows = f"fill_below({{p}}, {{n}}, sizeof({kind}), {entries + 1});"
    s.array("r", n + 1, kind, rows)
    columns = s.r.choice((1, 9, 60))
    s.indices("c", entries, columns)
    s.array("v", entries)
    s.array("x", columns)
    s.array("y", n)
    term = s.value("$v[k]", "$x[$c[k]]", depth=0)
    body = f"s = {s.value(('s', s.kind), (term, s.kind), depth=0)};"
    form = s.r.randrange(5)
    if form == 0:
        s.feature("shape condition in a sparse row")
        body = f"if ({s.condition('$v[k]')}) {{ {body} }}"
    if form == 1:
        body = f"if ($c[k] != i) {{ {body} }}"
    row = f"for ({kind} k = $r[i]; k < $r[i + 1]; k++) {{ {body} }}"
    if form == 2:
        s.feature("shape sparse product in memory")
        row = row.replace("s = ", "$y[i] = ").replace("(s ", "($y[i] ") \
            .replace("unsigned)s", "unsigned)$y[i]")
        return s.loop("i", "0", "$n", f"T s = 0; {row}")
    return s.in_time(s.loop(
        "i", "0", "$n", f"T s = {s.constant(s.kind)}; {row} $y[i] = s;"))


@shape
def lists_of_neighbours(s):
    """Forces: results of a list of indices, which begin at 0 or at a value."""
    n = s.size("n", most=40)
    entries = n * 4 + 2
    s.array("r", n + 1, "int", f"fill_rows({{p}}, {{n}}, sizeof(int), "
            f"{entries}, {s.r.choice((2, 5))});")
    s.indices("c", entries, max(n, 1))
    s.array("x", 3 * max(n, 1))
    s.array("y", 3 * max(n, 1))
    count = s.r.choice((1, 2, 3, 3))
    if count > 1:
        s.feature("shape several results of a list")
    at, layout = s.r.choice((("3 * @p + @d", "3 * i + @d"),
                             ("@d * $n + @p", "@d * $n + i")))
    start = body = end = ""
    for d in range(count):
        far = s.text(at, p="l", d=d)
        own = s.text(layout, d=d)
        start += f"T s{d} = {s.r.choice(('0', f'$y[{own}]'))}; "
        body += f"T d{d} = {s.value(f'$x[{far}]', f'$x[{own}]', depth=0)}; "
        end += f"$y[{own}] = s{d}; "
    sums = "".join("s{0} = {1};".format(d, s.value(
        (f"s{d}", s.kind), (f"d{s.r.randrange(count)}", s.kind), depth=0))
        for d in range(count))
    if s.chance(35):
        sums = f"if (d0 {s.r.choice('<>')} {s.constant(s.kind)}) " \
            f"{{ {sums} }}"
    return s.in_time(s.loop(
        "i", "0", "$n", f"{start} for (int k = $r[i]; k < $r[i + 1]; k++) "
        f"{{ const long l = (long)$c[k]; {body} {sums} }} {end}"), 15)


@shape
def padded_rows(s):
    """Rows of one length, in which a negative column is none."""
    n, w = s.size("n", most=60), s.r.choice((2, 4, 7))
    columns = s.r.choice((3, 40))
    kind = s.r.choice(("int", "long", "short"))
    s.array("c", n * w, kind, f"fill_between({{p}}, {{n}}, sizeof({kind}), "
            f"-1, {columns - 1});")
    s.array("v", n * w)
    s.array("x", columns)
    s.array("y", n)
    at = s.r.choice((f"i * {w} + k", "k * $n + i"))
    term = s.value(("s", s.kind), (f"$v[{at}]", s.kind),
                   (f"$x[$c[{at}]]", s.kind), depth=0)
    body = f"if ($c[{at}] >= 0) {{ s = {term}; }}"
    if s.chance(30):
        body = f"{kind} q = $c[{at}]; if (q < 0) continue; s = " \
            f"{s.value(('s', s.kind), ('$x[q]', s.kind), depth=0)};"
    return s.loop("i", "0", "$n", "T s = 0; "
                  f"for (int k = 0; k < {w}; k++) {{ {body} }} $y[i] = s;")


@shape
def ragged_rows(s):
    """Rows of as many elements as data say: sums, or refused stores."""
    n, m = s.size("n", most=40), s.size("m", least=1, most=20)
    least = min(c[s.names["m"]] for c in s.k.calls)
    s.indices("l", n, least + 1)
    s.array("a", n * m)
    s.array("b", n * m)
    s.array("y", n)
    if s.chance(50):
        total = s.value(("s", s.kind), "$a[i * $m + j]", depth=0)
        body = "T s = 1; for (int j = 0; j < $l[i]; j++) " \
            f"{{ s = {total}; }} $y[i] = s;"
    else:
        s.feature("refused: stores as often as data say")
        body = "for (int j = 0; j < $l[i]; j++) { $a[i * $m + j] = " \
            f"{s.value('$b[i * $m + j]')}; }}"
    return s.loop("i", "0", "$n", body) + (
        s.loop("i", "0", "$n", f"$y[i] = {s.value('$y[i]')};")
        if s.chance(40) else "")


@shape
def rows_through_indices(s):
    n, m = s.size("n", most=40), s.size("m", most=30)
    limit = s.r.choice((1, 7, 30))
    s.indices("p", n, limit)
    s.array("x", limit * m + 1)
    s.array("y", n * m)
    source = s.r.choice(("$x[$p[i] * $m + j]", "row[j]"))
    row = "const T *row = $x + $p[i] * $m;" if "row" in source else ""
    value = s.value((source, s.kind))
    return s.loop("i", "0", "$n", row + s.loop(
        "j", "0", "$m", f"$y[i * $m + j] = {value};"))


@shape
def gather_of_what_is_written(s):
    """In the same loop, in the next one, or in a time loop."""
    n = s.size("n", least=1)
    s.indices("p", n, min(c[s.names["n"]] for c in s.k.calls))
    s.array("x", n)
    s.array("y", n)
    gathered = f"$y[i] = {s.value('$x[$p[i]]')};"
    written = f"$x[i] = {s.value('$y[i]', '$x[i]')};"
    form = s.r.randrange(4)
    if form == 0:
        return s.loop("i", "0", "$n", gathered + " " + written)
    if form == 1:
        return s.loop("i", "0", "$n", f"$x[i] = {s.value('$x[$p[i]]')};")
    text = s.loop("i", "0", "$n", gathered) + s.loop("j", "0", "$n",
                                                     written.replace("[i]",
                                                                     "[j]"))
    if form == 2:
        return text
    return f"for (int t = 0; t < 3; t++) {{ {text} }}"


@shape
def stencil_and_gather(s):
    n = s.size("n")
    limit = s.r.choice((3, 40))
    s.indices("p", n, limit)
    s.array("x", limit)
    s.array("b", n + 4)
    s.array("y", n + 4)
    value = s.value("$b[i - 1]", "$b[i + 1]", "$x[$p[i]]")
    return s.in_time(
        f"for (I i = 1; i < $n; i++) {{ $y[i] = {value}; }}" + (
            s.loop("j", "0", "$n", f"$b[j] = {s.value('$y[j]')};")
            if s.chance(50) else ""), 40)


@shape
def computed_indices(s):
    """Indices that a loop before computes."""
    n = s.size("n", least=1)
    s.indices("p", n, n, s.r.choice(("int", "long")))
    s.array("x", n)
    s.array("y", n)
    a, b = s.r.choice((1, 3, 7)), s.r.choice((0, 1, 5))
    first = s.r.choice((f"(i * {a} + {b}) % $n", "$n - 1 - i",
                        "i > 0 ? i - 1 : $n - 1", "i / 2"))
    s.feature("shape indices computed before")
    return s.loop("i", "0", "$n", f"$p[i] = {first};") + \
        s.loop("j", "0", "$n", f"$y[j] = {s.value('$x[$p[j]]')};")


@shape
def negative_indices(s):
    n = s.size("n")
    low, high = s.r.randint(1, 30), s.r.randint(0, 30)
    kind = s.r.choice(("int", "long", "short", "signed char"))
    s.array("p", n, kind, f"fill_between({{p}}, {{n}}, sizeof({kind}), "
            f"-{low}, {high});")
    s.array("x", low + high + 1, storage="pointer", bias=low)
    s.array("y", n)
    return s.loop("i", "0", "$n",
                  f"$y[i] {s.operator()} {s.value('$x[$p[i]]')};")


@shape
def scatter(s):
    """Refused: writes through indices, and histograms."""
    n = s.size("n")
    limit = s.r.choice((2, 50))
    s.indices("p", n, limit)
    s.array("x", n)
    s.array("y", limit)
    value = s.value("$x[i]", *(["$y[$p[i]]"] if s.chance(50) else []))
    s.feature("refused: write through an index")
    return s.loop("i", "0", "$n", f"$y[$p[i]] = {value};") + (
        s.loop("j", "0", "$n", f"$x[j] = {s.value('$x[j]')};")
        if s.chance(50) else "")


def updated(s, element, kind, reads):
    """A statement that updates the element, in a way that cannot overflow."""
    value = s.value(*reads, kind=kind)
    if kind.startswith("unsigned"):
        form = s.r.choice(("+=", "+=", "-=", "|=", "&=", "^=", "min", "max",
                           "larger"))
    else:
        form = s.r.choice(("count", "count", "|=", "&=", "^=", "min", "max",
                           "larger"))
    if form == "larger":
        sign = s.r.choice(("<", ">", "<=", ">="))
        return f"{{ const {kind} now = ({kind})({value}); " \
            f"if (now {sign} {element}) {{ {element} = now; }} }}"
    if form == "count":
        return f"{element} {s.r.choice(('+=', '-='))} {s.r.randint(1, 3)};"
    if form in ("min", "max"):
        return f"{element} = {s.extremum(element, f'({value})', form)};"
    return f"{element} {form} {value};"


@shape
def update_through_index(s):
    """h[p[i]] += w[i] of integers, several, in nests, under conditions."""
    n, m = s.size("n"), 1
    kind = s.r.choice(("int", "unsigned", "long", "unsigned long", "short",
                       "signed char", "unsigned char", "unsigned short"))
    limit = s.r.choice((1, 3, 40, 500))
    nest = s.chance(25)
    if nest:
        n, m = s.size("n", most=25), s.size("m", most=25)
    at = "i * $m + j" if nest else "i"
    s.indices("p", n * m + 1, limit)
    s.array("h", 2 * limit + 3, kind)
    s.array("w", n * m + 1)
    places = [f"$p[{at}]"]
    places.append(s.r.choice((f"2 * $p[{at}]", f"$p[{at}] + 2",
                              f"{limit} - $p[{at}]", f"$p[{at}] >> 1")))
    body = updated(s, f"$h[{s.r.choice(places)}]", kind, [f"$w[{at}]"])
    if s.chance(25):
        s.feature("shape two updates through indices")
        s.array("g", 2 * limit + 3, kind)
        array = s.r.choice(("$g", "$g", "$h"))
        body += " " + updated(s, f"{array}[{s.r.choice(places)}]", kind,
                              [f"$w[{at}]"])
    if s.chance(30):
        s.feature("shape update through an index under a condition")
        body = f"if ({s.condition(f'$w[{at}]')}) {{ {body} }}"
    if s.chance(25):
        s.array("y", n * m + 1)
        body += f" $y[{at}] = {s.value(f'$w[{at}]')};"
    text = s.loop("j", "0", "$m", body) if nest else body
    text = s.in_time(s.loop("i", "0", "$n", text), 20)
    if s.chance(20):
        s.array("z", limit)
        text += s.loop("k", "0", str(limit), "$z[k] = " +
                       s.value("$h[k]") + ";")
    return text


@shape
def gather_with_arithmetic(s):
    """x[3 * idx[i] - k], x[idx[i] + j], fields of structures."""
    n = s.size("n")
    limit = s.r.choice((2, 25))
    s.indices("p", n, limit)
    s.array("x", 3 * limit + s.g.extent + 9)
    s.array("y", n)
    sub = s.r.choice((
        "3 * $p[i]", "$p[i] + i", "3 * $p[i] + 2", "2 * $p[i] + (i & 1)",
        "$p[i] + 5", f"{limit} - $p[i]", "$p[i] % 5", "($p[i] - 3) & 7",
        "$p[i] >> 1", "$p[i] / 2", "($p[i] < 4 ? $p[i] : 4)",
        "($p[i] > 2 ? $p[i] : 2)", "($p[i] << 1) + 1", "$p[i] ^ 1",
        f"{2 * limit} - 2 * $p[i]", "$n > 3 ? $p[i] : 0"))
    return s.loop("i", "0", "$n",
                  f"$y[i] = {s.value(f'$x[{sub}]', f'$x[$p[i]]')};")


@shape
def fields_through_indices(s):
    n = s.size("n")
    limit = s.r.choice((2, 60))
    s.indices("p", n, limit)
    s.array("x", 2 * limit)
    s.array("y", n)
    body = "$y[i] = " + s.value(("c[$p[i]].u", s.kind),
                                ("c[$p[i]].v", s.kind)) + ";"
    if s.chance(40):
        body = f"if (c[$p[i]].u != c[$p[i]].v) {{ {body} }}"
    return "struct pair { T u, v; }; const struct pair *c = " \
        "(const struct pair *)$x;" + s.loop("i", "0", "$n", body)
