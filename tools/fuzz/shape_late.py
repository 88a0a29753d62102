"""Shapes that came late, with choices of their own (late_shape): results of
nests, choices of elements, clamps and sizes without a sign."""

from fuzz.shape_results import whole
from fuzz.shapes import late_shape
from fuzz.tree import FLOATS

# Factors of which products are exact in any order, and stay in range.
POWERS = "fill_powers({{p}}, {{n}}, sizeof({0}));"


@late_shape
def product_in_any_order(s):
    """Floating-point products that are exact, for the option that allows it."""
    n = s.size("n", most=100)
    s.kind = s.r.choice(("float", "double"))
    s.array("a", n, fill=POWERS.format(s.kind))
    s.array("b", n, fill=POWERS.format(s.kind))
    s.array("r", 2, fill=POWERS.format(s.kind))
    s.program.reassociable = True
    update = s.r.choice(("s *= $a[i];", "s *= $a[i] * $b[i];",
                         "s = $b[i] * s;", "s *= $a[i]; t *= $b[i];",
                         "if ($a[i] > $b[i]) { s *= $a[i]; }"))
    also = "T t = 1;" if "t *=" in update else ""
    end = "$r[1] = t;" if also else ""
    # Products of some would grow in each call.
    start = s.r.choice(("1", "-0.5", *(["$r[0]"] if "if" not in update
                                       else [])))
    return f"T s = {start}; {also} {s.loop('i', '0', '$n', update)} " \
        f"$r[0] = s; {end}"


@late_shape
def place_in_a_plane(s):
    """The row and column of the largest element, or its number."""
    n, m = s.size("n", most=30), s.size("m", most=30)
    s.kind = s.r.choice(("int", "short", "unsigned char", "float", "double"))
    s.array("a", n * m)
    s.array("r", 3, "long")
    at = "$a[i * $m + j]"
    sign = s.r.choice(("<", ">", "<=", ">="))
    places = s.r.choice(("k = i * $m + j;", "k = i; l = j;"))
    body = f"if ({at} {sign} best) {{ best = {at}; {places} }}"
    return "T best = 1; long k = -1, l = -1; " + s.loop(
        "i", "0", "$n", s.loop("j", "0", "$m", body)) + \
        "$r[0] = k; $r[1] = l; $r[2] = best > 3;"


@late_shape
def statistics_of_rows(s):
    """Mean and variance of each row or column, which is normalised, too."""
    n, m = s.size("n", least=1, most=40), s.size("m", least=1, most=40)
    s.kind = s.r.choice(("float", "double"))
    whole(s, "a", n * m)
    s.array("b", n * m)
    s.array("y", n)
    s.array("v", n)
    # Of the sums only; what is done with them is not.
    s.program.reassociable = s.program.rounds = True
    at = s.r.choice(("$a[i * $m + j]", "$a[j * $n + i]"))
    update = s.r.choice((f"u += {at}; v += {at} * {at};", f"u += {at};"))
    text = "T u = 0, v = 0; " + s.loop("j", "0", "$m", update) + \
        "u /= (T)$m; v = v / (T)$m - u * u; $y[i] = u; "
    if s.chance(50):
        s.feature("shape rows by their statistics")
        to = at.replace("$a", "$b")
        text += s.loop("j", "0", "$m", f"{to} = ({at} - u) * (v + 1);")
    else:
        text += "$v[i] = v;"
    return s.loop("i", "0", "$n", text)


@late_shape
def product_with_a_vector(s):
    """Of a matrix or its transpose, sums in memory or in a scalar."""
    n, m = s.size("n", most=40), s.size("m", most=40)
    s.kind = s.r.choice(("float", "double"))
    s.program.reassociable = True
    for name, elements in (("a", n * m), ("x", m), ("y", n)):
        whole(s, name, elements)
    at = s.r.choice(("$a[i * $m + j]", "$a[j * $n + i]"))
    form = s.r.randrange(3)
    if form == 0:
        return s.loop("i", "0", "$n", "T s = 0; " + s.loop(
            "j", "0", "$m", f"s += {at} * $x[j];") + "$y[i] -= s;")
    sign = s.r.choice(("+=", "-="))
    update = f"$y[i] {sign} {at} * $x[j];"
    inner, outer = ("j", "$m"), ("i", "$n")
    if form == 1:
        inner, outer = outer, inner
    return s.loop(outer[0], "0", outer[1],
                  s.loop(inner[0], "0", inner[1], update))


@late_shape
def chosen_places(s):
    """Which element is read, of one array or of two, depends on data."""
    n, m = s.size("n", most=30), s.size("m", most=30)
    s.array("a", n * m)
    s.array("k", max(n, m))
    width = s.r.choice((3, 9, 33))
    s.array("x", max(n, m, 4) * width)
    s.array("z", max(n, m, 4) * width)
    start = f"const T (*x)[{width}] = (const T (*)[{width}])$x; " \
        f"const T (*z)[{width}] = (const T (*)[{width}])$z; "
    places = [(f"{s.r.choice('xxz')}[{row}][{column}]", s.kind)
              for row, column in (("i", "2"), ("j", "0"), ("3", f"i % {width}"),
                                  ("j", f"(i + j) % {width}"))]
    s.r.shuffle(places)
    test = s.condition(s.r.choice(("$k[i]", "$k[j]")))
    value = f"{test} ? {places[0][0]} : {places[1][0]}"
    if s.chance(40):
        value = f"{s.condition('$k[j]')} ? {places[2][0]} : ({value})"
    body = f"$a[i * $m + j] = {s.value((f'({value})', s.kind))};"
    return start + s.loop("i", "0", "$n", s.loop("j", "0", "$m", body))


@late_shape
def clamps_without_a_sign(s):
    """Smaller of two numbers that are at least 0, in subscripts and bounds."""
    s.index = s.r.choice(("size_t", "size_t", "unsigned", "long"))
    n, m = s.size("n", least=1), s.size("m", least=1, most=30)
    s.array("a", n * m)
    s.array("b", n * m)
    last = s.r.choice(("(i + 1 < $n ? i + 1 : $n - 1)",
                       "(i < $n - 1 ? i + 1 : i)", "(i ? i - 1 : 0)",
                       "(i < 3 ? i : 3 < $n ? 3 : $n - 1)"))
    form = s.r.randrange(3)
    if form == 0:
        return s.loop("i", "0", "$n",
                      f"$b[i] = {s.value(f'$a[{last}]', '$a[i]')};")
    if form == 1:
        return s.loop("i", "0", "$n", s.loop(
            "j", "0", "$m", "$b[i * $m + j] = "
            f"{s.value(f'$a[{last} * $m + j]')};"))
    w = s.r.choice((3, 4, 8))
    body = s.loop("i", "p", f"($n < p + {w} ? $n : p + {w})", s.loop(
        "j", "0", "$m", f"$b[i * $m + j] = {s.value('$a[i * $m + j]')};"))
    return f"for (I p = 0; p < $n; p += {w}) {{ {body} }}"


@late_shape
def blocks_of_parts(s):
    """Rows that are set or copied in part, sizes in front or behind."""
    n, m = s.size("n", most=30), s.size("m", most=40)
    s.array("a", n * m + 4)
    b = s.array("b", n * m + 4, alone=True)
    b.restrict = b.storage == "pointer"  # memcpy is for what is apart
    size = s.r.choice(("sizeof(T) * $m", "sizeof(T) * ($m / 2)",
                       "$m * sizeof *$a", "sizeof($a[0]) * $m"))
    move = s.r.choice(("memset($a + i * $m, 0, @s);",
                       "memset(&$a[i * $m], 0, @s);",
                       "memcpy($a + i * $m, $b + i * $m, @s);"))
    more = s.loop("j", "0", "$m", "$a[i * $m + j] = " +
                  s.value("$a[i * $m + j]", "$b[i * $m + j]") + ";")
    return s.in_time(s.loop("i", "0", "$n", s.text(move, s=size) + more *
                            s.chance(60)), 15)


@late_shape
def sums_under_conditions(s):
    """Sums in elements or of rows, which conditions on data let be."""
    n, m = s.size("n", most=40), s.size("m", most=40)
    s.kind = s.r.choice(("int", "unsigned", "long", "float", "double"))
    s.program.reassociable |= s.kind in FLOATS
    whole(s, "a", n * m)
    whole(s, "y", n)
    at, test = "$a[i * $m + j]", s.condition("$a[i * $m + j]")
    target = s.r.choice(("$y[i]", "s"))
    wide = "unsigned long" if s.kind == "long" else "unsigned"
    total = f"{target} + {at}" if s.kind in FLOATS else \
        f"(T)(({wide}){target} + ({wide}){at})"
    body = f"if ({test}) {{ {target} = {total}; }}"
    if target == "s" and s.chance(25):
        body += " else if (s < 3) { s = 3; }"
    text = s.loop("j", "0", "$m", body)
    if target == "s":
        text = f"T s = 0; {text} $y[i] = s;"
    return s.loop("i", "0", "$n", text)


def strides_of(s, n, m, names):
    """Two strides that are parameters, in most calls those of rows; how many
    elements there are at most."""
    elements = 1
    for name in names:
        s.number(name, 1, 1, s.r.choice(("int", "long")))
    for call in s.k.calls:
        rows, columns = call[s.names[n]], call[s.names[m]]
        more = s.r.choice((0, 0, 0, 1, 4))
        strides = s.r.choice(5 * [(columns + more, 1)] + [
            (1, rows + more), (2 * columns, 2), (s.r.randint(1, 30), 1),
            (s.r.randint(1, 9), s.r.randint(1, 9))])
        for name, stride in zip(names, strides):
            call[s.names[name]] = max(1, stride)
        elements = max(elements, 1 + sum(
            max(rows, columns) * max(1, stride) for stride in strides))
    return elements


@late_shape
def views(s):
    """Matrices with a stride for each dimension, and grids with one for each but
    the first."""
    n, m = s.size("n", most=24), s.size("m", most=24)
    size = strides_of(s, "n", "m", ("y", "z"))
    at = s.r.choice(("i * $y + j * $z", "j * $z + i * $y"))
    form = s.r.randrange(4)
    if form == 0:
        s.array("a", size)
        s.array("b", size)
        body = f"$a[{at}] = {s.value(f'$b[{at}]', f'$a[{at}]')};"
    elif form == 1:
        s.array("a", size)
        s.array("b", size)
        body = f"$a[{at}] = {s.value('$b[j * $y + i * $z]')};"
    elif form == 2:
        k = s.size("k", most=9)
        s.array("a", size)
        s.array("b", n * k + 1)
        s.array("d", max(strides_of(s, "k", "m", ("u", "v")), k * m + 1))
        term = s.value("$b[i * $k + p]", "$d[p * $u + j * $v]")
        body = f"T s = 0; {s.loop('p', '0', '$k', f's = {term};')} " \
            f"$a[{at}] = s;"
    else:
        planes = s.r.choice((2, 3, 5))
        number = s.number("w", 1, 40)
        for call in s.k.calls:
            if s.chance(70):
                call[s.names["w"]] = (call[s.names["n"]] + 1) * \
                    call[s.names["y"]]
                number = max(number, call[s.names["w"]])
        s.array("a", size + planes * number)
        s.array("b", size + planes * number)
        at = "i * $y + j * $z + p * $w"
        return s.loop("p", "0", str(planes), s.loop("i", "0", "$n", s.loop(
            "j", "0", "$m", f"$a[{at}] = {s.value(f'$b[{at}]')};")))
    return s.loop("i", "0", "$n", s.loop("j", "0", "$m", body))


@late_shape
def matrices_behind_pointers(s):
    """T ** whose rows are at one distance, mostly: in a block, with gaps, some
    in another order, from a row on, behind members; neighbours, columns, sums,
    eliminations, time steps."""
    n, m = s.size("n", least=1, most=14), s.size("m", least=1, most=14)
    gap = s.r.choice((0, 0, 1, 3))
    s.array("a", (n + 2) * (max(n, m) + gap), storage="pointer", alone=True)
    s.array("b", (n + 1) * (max(n, m) + gap))
    s.size("q", least=1, most=min(n, m))
    length = f"(($n > $m ? $n : $m) + {gap})"
    order = s.pick(up=70, swapped=12, down=8, equal=5, one=5)
    row = {"up": "l", "swapped": "(l == 1 ? 2 : l == 2 ? 1 : l)",
           "down": "($n - l)", "equal": "0", "one": "(l == 0 ? 1 : l)"}[order]
    if order != "up":
        s.feature("shape rows in another order")
    member = s.chance(25)
    if member:
        name = f"r{s.k.name}"
        s.k.before = s.text(f"struct {name} {{ long n; T *p; }};")
        declared, at, kind = f"struct {name} x[$n + 1];", ".p", f"struct {name} *"
    else:
        declared, at, kind = "T *x[$n + 1];", "", "T **"
    s.k.wrapped = s.text(
        f"{declared} const T *y[$n + 1]; "
        "for (int l = 0; l <= $n; l++) { "
        f"x[l]{at} = $a + {row} * {length}; y[l] = $b + l * {length}; }}")
    s.k.inner = s.text(f"int n, int m, int q, {kind}x, const T **y"), \
        s.text("(int)$n, (int)$m, (int)($q < $n ? $q < $m ? $q : $m : "
               "$n < $m ? $n : $m), x, y")

    def x(i, j):
        return f"x[{i}]{at}[{j}]"

    form = s.r.randrange(7)
    if form == 0:
        value = s.value(("y[i][j]", s.kind), (x("i", "j"), s.kind))
        text = s.loop("i", "0", "n", s.loop("j", "0", "m",
                                            f"{x('i', 'j')} = {value};"))
    elif form == 1:
        value = s.value((x("i - 1", "j"), s.kind), (x("i + 1", "j"), s.kind),
                        ("y[i][j + 1]", s.kind))
        text = s.in_time(s.loop("i", "1", "n", s.loop(
            "j", "0", "m - 1", f"{x('i', 'j')} = {value};")), 40)
    elif form == 2:
        value = s.value(("y[j][i]", s.kind), (x("i", "j"), s.kind))
        text = s.loop("i", "0", "q", s.loop("j", "0", "i + 1",
                                            f"{x('i', 'j')} = {value};"))
    elif form == 3:
        value = s.value((x("i", "j"), s.kind), (x("i", "k"), s.kind),
                        (x("k", "j"), s.kind))
        text = s.loop("k", "0", "q", s.loop("i", "k + 1", "q", s.loop(
            "j", "k + 1", "q", f"{x('i', 'j')} = {value};")))
    elif form == 4:
        value = s.value(("y[n - 1 - i][j]", s.kind), (x("i", "j"), s.kind))
        text = f"for (int i = n; i-- > {s.r.choice('02')};) {{ " + \
            s.loop("j", "0", "m", f"{x('i', 'j')} = {value};") + " }"
    elif form == 5:
        value = s.value(("y[i][j]", s.kind), (x("i", "j"), s.kind))
        text = s.loop("i", "0", "n", f"if (i < q) {{ " + s.loop(
            "j", "0", "m", f"{x('i', 'j')} = {value};") + " }")
    else:
        value = s.value((x("i + 1", "j"), s.kind), ("y[0][j]", s.kind))
        text = s.loop("t", "0", "3", s.loop("i", "0", "n", s.loop(
            "j", "0", "m", f"{x('i', 'j')} = {value};")) + s.text(
                f"T *z = {x('0', '0').rsplit('[', 1)[0]}; "
                f"x[0]{at} = x[n - 1]{at}; x[n - 1]{at} = z;"))
    return text


@late_shape
def handed_over(s):
    """What iterations hand on to the next one, and have overwritten."""
    n = s.size("n")
    s.array("a", n + 2)
    s.array("b", n + 2)
    s.array("r", 2)
    p, q, t = ("p", s.kind), ("q", s.kind), ("t", s.kind)
    body = s.r.choice((
        f"T t = $a[i]; $a[i] = {s.value(t, p)}; p = t;",
        f"T t = $a[i]; $a[i] = {s.value(t, p, q)}; q = p; p = t;",
        f"T t = {s.value('$a[i]', '$b[i]')}; $a[i] = {s.value(t, p)}; p = t;",
        f"T t = $a[i]; $a[i] = {s.value(t, p, '$a[i + 1]')}; p = t;",
        f"$b[i] = {s.value(p, '$a[i]')}; p = {s.value('$a[i]', '$b[i + 1]')}; "
        f"$a[i] = {s.value('$b[i]', '$a[i]')};",
        f"T t = {s.condition('$b[i]')} ? $a[i] : {s.value('$b[i]')}; "
        f"$a[i] = {s.value(t, p)}; p = t;",
        f"T t = $a[$n - 1 - i]; $a[$n - 1 - i] = p; p = {s.value(t)};"))
    if s.chance(30):
        body += f" $r[1] = {s.value('$r[1]', '$a[i]')};"
    around = s.loop("i", "0", "$n", body)
    if s.chance(30):
        around = s.in_time("{ " + s.r.choice(("", "p = 1; ")) + around + " }",
                           100)
    return f"T p = {s.r.choice(('3', '$b[0]'))}, q = 2; {around} $r[0] = p;"


@late_shape
def mirrored(s):
    """In place, from both ends."""
    n = s.size("n")
    s.array("a", n + 2)
    s.array("b", n)
    first, other = s.r.choice((("0", "$a[$n - 1 - i]"), ("0", "$a[$n - i]"),
                               ("1", "$a[$n - i]"), ("1", "$a[$n - 1 - i]")))
    body = f"$a[i] = {s.value('$a[i]', other, '$b[i]')};"
    if s.chance(40):
        body = f"T v = {s.value(other, '$b[i]')}; " \
            f"$a[i] = {s.value(('v', s.kind))}; $b[i] = v;"
    return s.loop("i", first, "$n", body)


@late_shape
def prefixes(s):
    """What integers are in iterations that update them, at more than one
    group of chunks for some sizes."""
    s.kind = s.r.choice(("unsigned", "unsigned", "int", "long", "short",
                         "unsigned char"))
    n = s.size("n", most=s.r.choice((40, 200, 5000)))
    s.array("a", n + 2)
    s.array("b", n + 2)
    s.array("r", 2)
    added = s.r.choice(("$a[i]", "$a[i] * 3", "$a[$n - i]", "($a[i] > 3)",
                        "($a[i] ^ $a[i + 1])"))
    if s.chance(20):
        most = s.r.choice(("<", ">"))
        update = f"p = {added} {most} p ? (T)({added}) : p;"
    else:
        # Signed sums of what is small do not overflow.
        operator = s.r.choice(("+", "+", "-", "^", "|", "&") if s.kind in
                              ("int", "long") else "++-*^|&")
        mask = " & 1023" if s.kind in ("int", "long") else ""
        update = f"p = (T)(p {operator} (({added}){mask}));"
    if s.chance(25):
        update = f"if ($b[i] > 2) {update}"
    use = s.r.choice(("$b[i] = p;", "$b[i] = (T)(p ^ $a[i]);", "$a[i] = p;",
                      "if (i % 3 == 0) $b[i] = p;", "$b[i] ^= p;"))
    body = s.r.choice((f"{update} {use}", f"{use} {update}",
                       f"{use} {update} $b[i + 1] = p;"))
    if s.chance(20):
        body = f"$a[i + 1] = (T)($a[i] {s.r.choice('^|&')} $a[i + 1]);"
    around = s.loop("i", "0", "$n", body)
    if s.chance(25):
        around = s.in_time("{ " + s.r.choice(("", "p = 1; ")) + around + " }",
                           100)
    return f"T p = {s.r.choice(('3', '$b[0]'))}; {around} $r[0] = p;"
