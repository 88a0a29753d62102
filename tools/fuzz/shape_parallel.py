"""Shapes: many parallel loops of variable lengths, loops beside each other that
read the same, stores across rows, long streams, every second point, parts of
allocations."""

from fuzz.shapes import shape


def plane(s, *names, most=24, more=0):
    """Two sizes, and arrays of as many elements; gives the number."""
    n, m = s.size("n", most=most), s.size("m", most=most)
    for name in names:
        s.array(name, n * m + more)
    return n, m


def over(s, body, low="0", rows="$n", columns="$m"):
    return s.loop("i", low, rows, s.loop("j", low, columns, body))


@shape
def many_lengths(s):
    """Four or five parallel loops, the lengths of which are parameters."""
    count = s.r.choice((4, 4, 5))
    names = ("n", "m", "k", "l", "o")[:count]
    counters = ("i", "j", "p", "q", "u")[:count]
    elements = 1
    for name in names:
        elements *= s.size(name, least=1, most=6)
    s.array("a", elements)
    s.array("b", elements)
    if s.chance(50):
        inner = "".join(f"[${name}]" for name in names[1:])
        start = f"T (*x){inner} = (T (*){inner})$a; " \
            f"T (*y){inner} = (T (*){inner})$b; "
        at = "".join(f"[{c}]" for c in counters)
        target, read = ("x" + at, s.kind), ("y" + at, s.kind)
    else:
        start, at = "", counters[0]
        for name, counter in zip(names[1:], counters[1:]):
            at = f"({at} * ${name} + {counter})"
        target, read = (f"$a[{at}]", s.kind), (f"$b[{at}]", s.kind)
    reads = [read] + [target] * s.chance(30)
    body = f"{target[0]} = {s.value(*reads)};"
    if s.chance(20):
        body = f"if ({counters[1]} != {counters[2]}) {{ {body} }}"
    for name, counter in reversed(list(zip(names, counters))):
        body = s.loop(counter, "0", f"${name}", body)
    return start + s.in_time(body, 10)


@shape
def loops_that_share_inputs(s):
    """Neighbours over about the same points, which may become one kernel."""
    if s.chance(35):
        return rows_that_share_inputs(s)
    plane(s, "b", "a", "c", "d", more=2)
    at = "$b[i * $m + j]"
    near = (at, "$b[i * $m + j - 1]", "$b[i * $m + j + 1]",
            "$b[(i - 1) * $m + j]", "$b[(i + 1) * $m + j]")
    texts = []
    for target in s.r.sample("acd", s.r.randint(2, 3)):
        reads = s.r.sample(near, s.r.randint(1, 3))
        if texts and s.chance(30):
            reads.append("$a[i * $m + j]")
        low, end = s.r.choice((("1", "- 1"), ("1", "- 1"), ("2", "- 1")))
        if s.index == "size_t":
            body = f"if (i + 1 < $n && j + 1 < $m) {{ " \
                f"${target}[i * $m + j] = {s.value(*reads)}; }}"
            end = ""
        else:
            body = f"${target}[i * $m + j] = {s.value(*reads)};"
        # The loops end where they begin, whatever the sizes are.
        texts.append(f"for (I i = {low}; i < $n {end}; i++) {{ "
                     f"for (I j = {low}; j < $m {end}; j++) {{ {body} }} }}")
    if s.chance(25):
        texts.append(over(s, f"{at} = {s.value(at, '$a[i * $m + j]')};"))
    return s.in_time(" ".join(texts), 25)


def rows(s, width, high, *names):
    """Arrays of so many rows of constant length, as pointers to rows of the
    same names; gives the declarations."""
    for name in names:
        s.array(name, high * width)
    return "".join(f"T (*{name})[{width}] = (T (*)[{width}])${name}; "
                   for name in names)


def rows_that_share_inputs(s):
    """Stencils over one input with rows of constant length, of which there are
    whole tiles."""
    s.index = "int" if s.index == "size_t" else s.index
    width = s.r.choice((33, 72, 140))
    n, m = s.size("n", most=70), s.size("m", most=width)
    start = rows(s, width, n + 2, *"abcd")
    reach = s.r.choice((1, 1, 2))
    near = [f"b[i + {di}][j + {dj}]" for di in range(-reach, reach + 1)
            for dj in range(-reach, reach + 1)]
    texts = []
    for target in s.r.sample("acd", s.r.randint(2, 3)):
        reads = [(e, s.kind) for e in s.r.sample(near, s.r.randint(1, 4))]
        if texts and s.chance(20):
            reads.append(("a[i][j]", s.kind))
        low = s.r.choice((reach, reach, 2))
        texts.append(f"for (I i = {low}; i < $n - {reach}; i++) {{ "
                     f"for (I j = {low}; j < $m - {low}; j++) {{ "
                     f"{target}[i][j] = {s.value(*reads)}; }} }}")
    return start + s.in_time(" ".join(texts), 15)


@shape
def stores_across_rows(s):
    """What neighbouring threads store apart from each other."""
    form = s.r.randrange(4)
    if form == 0:
        plane(s, "a", "b", most=70)
        return over(s, f"$a[j * $n + i] = {s.value('$b[i * $m + j]')};")
    width = s.r.choice((2, 3, 4, 8, 9))
    n = s.size("n", most=150)
    s.array("a", n * width)
    s.array("b", n * width)
    if form == 1:
        return s.loop("i", "0", "$n", "".join(
            f"$a[i * {width} + {w}] = {s.value('$b[i]', depth=1)};"
            for w in range(width) if s.chance(80)))
    if form == 2:
        update = s.value(f"$a[i * {width} + j]", f"$b[i * {width} + j]")
        return s.loop("i", "0", "$n", s.loop(
            "j", "0", str(width), f"$a[i * {width} + j] = {update};"))
    step = s.value(("v", s.kind), f"$b[i * {width} + j]", depth=0)
    return s.loop("i", "0", "$n", "T v = 1; " + s.loop(
        "j", "0", str(width), f"v = {step}; $a[i * {width} + j] = v;"))


@shape
def streams(s):
    """Long arrays of one dimension, several of each, with neighbours."""
    s.kind = s.pick(float=40, double=20, int=15, short=10, char=10,
                    _Float16=5)
    if s.chance(35):
        return streams_of_rows(s)
    n = s.size("n", most=s.r.choice((300, 2100, 4500, 7000)))
    other = s.kind if s.chance(60) else s.element_kind()
    for name, kind in (("a", s.kind), ("b", other), ("c", s.kind)):
        s.array(name, n + 8, kind)
    first = s.r.choice(("0", "0", "1", "3"))
    shift = s.r.choice((0, 0, 1, 4))
    reads = [f"$b[i + {shift}]" if shift else "$b[i]"]
    if s.chance(50):
        reads.append("$c[i]")
    if first != "0" and s.chance(50):
        reads.append("$b[i - 1]")
    body = f"$a[i] {s.operator()} {s.value(*reads)};"
    if s.chance(30):
        body += f" $c[i] = {s.value('$c[i]', reads[0])};"
    text = f"for (I i = {first}; i < $n; i++) {{ {body} }}"
    if s.chance(30):
        text += s.loop("l", "0", "$n", f"$c[l] = {s.value('$a[l]', '$c[l]')};")
    return s.in_time(text, 15)


def streams_of_rows(s):
    """Rows of constant length, of which each point uses one element."""
    width = s.r.choice((24, 33, 128, 144, 260))
    n, m = s.size("n", most=26), s.size("m", most=width)
    start = rows(s, width, n, *"abc")
    s.array("f", max(n, m))
    low, first = s.r.choice((("0", "0"), ("0", "0"), ("1", "0"), ("0", "1"),
                             ("1", "3")))
    reads = [("b[i][j]", s.kind)]
    if s.chance(50):
        reads.append(("c[i][j]", s.kind))
    if s.chance(40):
        reads.append((f"$f[{s.r.choice('ij')}]", s.kind))
    if s.chance(15):
        reads.append(("b[i][j - 1]" if first != "0" else "c[i][0]", s.kind))
    body = f"a[i][j] {s.operator()} {s.value(*reads)};"
    if s.chance(30):
        body += f" c[i][j] = {s.value(('c[i][j]', s.kind), reads[0])};"
    text = f"for (I i = {low}; i < $n; i++) {{ " \
        f"for (I j = {first}; j < $m; j++) {{ {body} }} }}"
    return start + s.in_time(text, 15)


@shape
def every_second_point(s):
    """Red and black points, cells of remainders."""
    if s.index == "size_t":
        s.index = "int"
    plane(s, "a", "b", more=2)
    at = "$a[i * $m + j]"
    near = ("$a[i * $m + j - 1]", "$a[i * $m + j + 1]",
            "$a[(i - 1) * $m + j]", "$a[(i + 1) * $m + j]")
    form = s.r.randrange(4)
    if form == 0:
        guards = [f"(i + j) % 2 == {c}" for c in (0, 1)]
        if s.chance(30):
            guards = [f"((i + j) & 1) == {c}" for c in (1, 0)]
        value = s.value(at, *s.r.sample(near, s.r.randint(1, 4)))
        text = " ".join(over(s, f"if ({g}) {{ {at} = {value}; }}", "1",
                             "$n - 1", "$m - 1") for g in guards)
        return s.in_time(empty_below(s, text), 40)
    if form == 1:
        k = s.r.choice((2, 2, 3))
        body = ""
        for c in range(k):
            word = "else " if body else ""
            test = "" if c == k - 1 and s.chance(50) else \
                f"if (i % {k} == {c} && j % 2 == {s.r.randrange(2)}) "
            body += f"{word}{test}{{ $b[i * $m + j] = " \
                f"{s.value(at, *s.r.sample((at, '$b[i * $m + j]'), 1))}; }} "
        return over(s, body)
    step = s.r.choice((2, 3, 4))
    if form == 2:
        first = s.r.randrange(step)
        return f"for (I i = {first}; i < $n; i += {step}) {{ " \
            f"for (I j = {s.r.randrange(step)}; j < $m; j += {step}) " \
            f"{{ {at} = {s.value(at, '$b[i * $m + j]')}; }} }}"
    text = over(s, f"if ((i + j + t) % {step} == 0) "
                f"{{ {at} = {s.value(at, '$b[i * $m + j]')}; }}")
    return f"for (int t = 0; t < 3; t++) {{ {text} }}"


def empty_below(s, text):
    """Loops from 1 to n - 1 in forms that do nothing for no rows at all."""
    return f"if ($n > 1 && $m > 1) {{ {text} }}"


@shape
def parts_of_an_allocation(s):
    """Arrays in one, behind each other or at a place that is a parameter."""
    n, m = s.size("n", most=16), s.size("m", most=16)
    k = s.size("k", most=16)
    gap = s.r.choice((0, 0, 1, 5))
    second, third = "$n * $m", f"2 * $n * $m + {gap}"
    room = 2 * n * m + gap + n * k
    if s.chance(40):
        room += s.number("f", 0, max(1, n * m + 3))
        second = "$f"
        s.feature("shape part at a parameter")
    s.array("w", room + n * m + 4)
    s.array("b", max(n * m, n * k))
    p, q, r = (("p[i * $m + j]", s.kind), ("q[i * $m + j]", s.kind),
               ("r[i * $k + l]", s.kind))
    first = over(s, f"{p[0]} = {s.value('$b[i * $m + j]')};")
    then = over(s, f"{q[0]} = {s.value(*s.r.sample((p, q), 1), q)};")
    last = s.loop("i", "0", "$n", s.loop(
        "l", "0", "$k", f"{r[0]} = {s.value(r, '$b[i * $k + l]')};"))
    texts = [first, then, last]
    s.r.shuffle(texts)
    return f"T *p = $w, *q = $w + {second}, *r = $w + {third}; " + s.in_time(
        " ".join(texts[:s.r.randint(1, 3)]), 15)


@shape
def columns_of_the_row_before(s):
    """a[i * m + j - 1] from column 0 on."""
    if s.index == "size_t":
        s.index = "int"
    n, m = s.size("n", most=24), s.size("m", most=24)
    w = s.r.choice((1, 2))
    s.array("a", n * m + 2 * w, storage="pointer", bias=w)
    s.array("b", n * m)
    value = s.value(f"$a[i * $m + j - {w}]", f"$a[i * $m + j + {w}]")
    return over(s, f"$b[i * $m + j] = {value};")


@shape
def nest_under_a_parameter(s):
    """A condition in front of loops on what does not change in them."""
    plane(s, "a", "b")
    s.number("z", 0, 2)
    at, other = "$a[i * $m + j]", "$b[i * $m + j]"
    test = s.r.choice(("$z", "$z > 1", "$z == 0", "$z && $n > 2",
                       "$n * $m > 9", "!$z || $m == 1"))
    text = f"if ({test}) {{ {over(s, f'{at} = {s.value(at, other)};')} }}"
    if s.chance(50):
        text += f" else {{ {over(s, f'{other} = {s.value(at)};')} }}"
    if s.chance(40):
        text += over(s, f"{other} = {s.value(other, at)};")
    return s.in_time(text, 20)
