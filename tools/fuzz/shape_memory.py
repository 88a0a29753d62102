"""Shapes: bounds and pointers that are read again in each iteration, some of
which a store changes; counters across loops; arrays that are two things."""

from fuzz.shapes import shape
from fuzz.tree import SIZES


def below(kind, limit):
    return f"fill_below({{p}}, {{n}}, sizeof({kind}), {limit});"


def cut(value, kind, limit):
    """The value as a number below the limit."""
    wide = "unsigned" if SIZES[kind] <= 4 else "unsigned long long"
    return f"({kind})(({wide}){value} % {limit}u)"


@shape
def bound_behind_a_pointer(s):
    """Where the bound is an element, each store leaves one in range."""
    most = s.r.choice((3, 9, 30))
    kind = s.r.choice(("int", "int", "long"))
    s.kind = kind
    a = s.array("a", most, kind, below(kind, most + 1), storage="pointer")
    b = s.array("b", most, kind)
    n = s.array("z", 1, kind, below(kind, most + 1), storage="pointer")
    a.restrict = n.restrict = False
    if s.chance(45):
        s.feature("shape bound that a store changes")
        n.buffer, n.offset = a.name, SIZES[kind] * s.r.randrange(most)
    value = cut(s.value(f"${'ba'[s.chance(30)]}[i]"), kind, most + 1)
    body = f"$a[i] = {value};"
    if s.chance(30):
        m = s.r.choice((2, 5))
        s.array("c", m * most, "float")
        body += s.r.choice((
            f"for (int l = 0; l < {m}; l++) {{ $c[{m} * i + l] += 1.5f; }}",
            "$c[i] = (float)$a[i];"))
    form = s.r.choice(("for (I i = 0; i < *$z; i++)",
                       "for (I i = 0; i < $z[0]; i++)"))
    if s.chance(20):
        return f"I i = 0; while (i < *$z) {{ {body} i++; }}"
    return f"{form} {{ {body} }}"


@shape
def bounds_in_the_array(s):
    """p[0] rows of p[1] elements, in front of them or among them."""
    most = s.r.choice((3, 6, 9))
    kind = s.kind = s.r.choice(("int", "int", "long", "short"))
    p = s.array("p", most * most + 4, kind, below(kind, most + 1),
                storage="pointer")
    p.restrict = False
    s.array("b", most * most + 4, kind)
    begin = s.r.choice((0, 2, 2))
    if not begin:
        s.feature("shape bound that a store changes")
    value = cut(s.value("$b[i]", *(["$p[2]"] if s.chance(30) else [])), kind,
                most + 1)
    inner = "for (I j = 0; j < $p[1]; j++) " \
        f"{{ $p[{begin} + i * $p[1] + j] = {value}; }}"
    if s.chance(30):
        inner = f"if ({s.condition('$b[i]')}) {{ $p[{begin} + i] = {value}; }}"
    text = f"for (I i = 0; i < $p[0]; i++) {{ {inner} }}"
    if s.chance(40):
        text += f" for (I i = 0; i < $p[1]; i++) {{ $b[i] = " \
            f"{s.value('$p[i]', '$b[i]')}; }}"
    return text


@shape
def two_bounds_behind_pointers(s):
    """Loops one after the other, each with a bound that may be written."""
    most = s.r.choice((4, 11))
    kind = s.kind = s.r.choice(("int", "long"))
    a = s.array("a", most, kind, below(kind, most + 1), storage="pointer")
    b = s.array("b", most, kind, below(kind, most + 1), storage="pointer")
    a.restrict = b.restrict = False
    for name in "uv":
        n = s.array(name, 1, kind, below(kind, most + 1), storage="pointer")
        n.restrict = False
        if s.chance(35):
            s.feature("shape bound that a store changes")
            n.buffer = s.r.choice((a, b)).name
            n.offset = SIZES[kind] * s.r.randrange(most)
    first = cut(s.value("$b[i]"), kind, most + 1)
    second = cut(s.value("$a[j]", "$b[j]"), kind, most + 1)
    loops = f"for (I i = 0; i < *$u; i++) {{ $a[i] = {first}; }} " \
        f"for (I j = 0; j < *$v; j++) {{ $b[j] = {second}; }}"
    if s.chance(30):
        loops = f"for (I i = 0; i < *$u; i++) {{ $a[i] = {first}; " \
            f"for (I j = 0; j < *$v; j++) {{ $b[j] = {second}; }} }}"
    return s.in_time(loops, 25)


@shape
def members_behind_a_pointer(s):
    """Bounds, rows and pointers in a structure; stores may change them."""
    rows, cols = s.r.choice((3, 8)), s.r.choice((4, 12))
    kind = s.kind = s.r.choice(("int", "int", "long", "float", "double"))
    s.size("n", most=rows), s.size("m", most=cols)
    s.array("a", rows * cols)
    s.array("b", rows * cols)
    bound = "int" if s.chance(60) else s.r.choice(("long", "short"))
    name = f"s{s.k.name}"
    pointer = s.chance(50)
    s.k.before = s.text(
        f"struct {name} {{ {bound} n, m; T *a; const T *b; T t[4]; }};")
    s.k.wrapped = s.text(
        f"struct {name} v = {{ ({bound})$n, ({bound})$m, $a, $b, "
        f"{{ 1, 2, 3, 4 }} }};")
    s.k.inner = (f"struct {name} *p", "&v")
    at = "i * p->m + j"
    value = s.value((f"p->b[{at}]", kind), *(
        [("p->t[1]", kind)] if s.chance(40) else []))
    target = f"p->a[{at}]"
    if s.chance(20):
        s.feature("shape store into the structure")
        target = "p->t[j & 3]"
    body = s.loop("j", "0", "p->m", f"{target} = {value};")
    if pointer and s.chance(50):
        body = f"T *q = p->a + i * p->m; " + s.loop(
            "j", "0", "p->m", f"q[j] = {value};")
    return s.loop("i", "0", "p->n", body)


@shape
def bound_in_a_global(s):
    most = s.r.choice((5, 20, 60))
    kind = s.kind = s.r.choice(("int", "int", "float", "long"))
    bound = s.array("z", 1, s.r.choice(("int", "long")), storage=s.r.choice(
        ("extern", "own")))
    bound.fill = below(bound.kind, most + 1)
    a = s.array("a", most, kind, storage="pointer", alone=True)
    s.array("b", most, kind)
    value = s.value("$b[i]")
    if kind == bound.kind:
        value = cut(value, kind, most + 1)
        if s.chance(30):
            s.feature("shape bound that a store changes")
            a.fill, a.restrict = below(kind, most + 1), False
            # Room for all of the pointer behind the variable.
            bound.elements = most + 8
            bound.dims = [type(bound.dims[0])("const", str(most + 8), (),
                                              "int", most + 8)]
            a.buffer, a.offset = bound.name, 0
    return s.loop("i", "0", "$z[0]", f"$a[i] = {value};")


@shape
def rows_behind_pointers(s):
    """T **, of rows one behind the other."""
    n, m = s.size("n", least=1, most=9), s.size("m", most=20)
    s.array("a", n * m)
    s.array("b", n * m)
    s.k.wrapped = s.text("T *rows[$n]; const T *others[$n]; "
                         "for (int i = 0; i < $n; i++) { "
                         "rows[i] = $a + i * $m; others[i] = $b + i * $m; }")
    words = s.text("int n, int m, T **rows, const T **others"), \
        s.text("(int)$n, (int)$m, rows, others")
    s.k.inner = words
    value = s.value(("others[i][j]", s.kind), ("rows[i][j]", s.kind))
    return s.loop("i", "0", "n", s.loop("j", "0", "m",
                                        f"rows[i][j] = {value};"))


@shape
def iterators(s):
    """Loops from one pointer to another, forwards and backwards."""
    n = s.size("n")
    s.array("a", n)
    s.array("b", n)
    value = s.value(("*q", s.kind), *([("*p", s.kind)] if s.chance(40)
                                      else []))
    form = s.r.randrange(6)
    begin = "T *p = $a; const T *q = $b; T *end = $a + $n;"
    if form == 0:
        return begin + f"while (p != end) {{ *p = {value}; p++; q++; }}"
    if form == 1:
        return begin + f"for (; p < end; ++p, ++q) {{ *p = {value}; }}"
    if form == 2:
        return f"for (T *p = $a + $n, *q = $b + $n; p != $a;) " \
            f"{{ --p; --q; *p = {value}; }}"
    if form == 3:
        return "const T *q = $b + $n; T *p = $a; while (q > $b) " \
            f"{{ q--; *p = {value}; p++; }}"
    if form == 4:
        s.feature("shape pointer used behind")
        s.array("r", 1, "long")
        return begin + f"while (p != end) {{ *p = {value}; p++; q++; }} " \
            "$r[0] = p - $a;"
    return begin + f"I l = $n; while (l--) {{ *p++ = {value}; q++; }}" \
        if s.index != "size_t" else \
        begin + f"while (p != end) {{ *p++ = *q++; }}"


@shape
def counter_across_loops(s):
    n, m = s.size("n", most=25), s.size("m", most=25)
    s.array("a", n * m + n)
    s.array("b", n * m + n)
    s.array("r", 2, "long")
    body = f"$a[k] = {s.value('$b[k]')}; k++;"
    if s.chance(30):
        body = "$a[k++] = " + s.value("$b[i]") + ";"
    end = ""
    if s.chance(50):
        s.feature("shape counter used behind")
        end = "$r[0] = k;"
    inner = s.loop("j", "0", "$m", body)
    more = ""
    if s.chance(25):
        more = "k++;"
    elif s.chance(20):
        more = s.loop("l", "0", "$m", "$r[1] += k;")
    text = f"I k = 0; {s.loop('i', '0', '$n', inner + more)}"
    if s.chance(25) and not more:
        text += s.loop("i2", "0", "$n", "$b[i2] = (T)k;")
    return text + end


@shape
def counter_of_two_loops(s):
    """a[k++] in two loops one after the other."""
    n, m = s.size("n"), s.size("m")
    s.array("a", n + m + 4)
    s.array("b", n + m)
    start = s.r.choice(("0", "0", "0", "3"))
    return f"I k = {start}; " + s.loop(
        "i", "0", "$n", f"$a[k++] = {s.value('$b[i]')};") + s.loop(
            "j", "0", "$m", f"$a[k++] = {s.value('$b[j]')};")


@shape
def blocks_of_memory(s):
    n, m = s.size("n", most=30), s.size("m", most=40)
    s.array("a", n * m)
    s.array("b", n * m)
    size = s.r.choice(("$m * sizeof(T)", "sizeof(T) * $m", "4 * sizeof(T)"))
    if "4" in size:
        for name in "cd":
            s.array(name, n * m + 4)
        row = "$c + i * $m", "$d + i * $m"
    else:
        row = "$a + i * $m", "&$b[i * $m]"
    move = f"memset({row[0]}, 0, {size});" if s.chance(50) else \
        f"memcpy({row[0]}, {row[1]}, {size});"
    if s.chance(25):
        s.feature("shape memory moved within a row")
        s.array("e", n * m + 4)
        to, begin = s.r.choice(((0, 1), (1, 0), (0, 3), (2, 2)))
        move = f"memmove($e + i * $m + {to}, $e + i * $m + {begin}, " \
            "$m * sizeof(T));"
    more = s.loop("j", "0", "$m", f"$a[i * $m + j] "
                  f"{s.r.choice(('=', '='))} "
                  f"{s.value('$b[i * $m + j]', '$a[i * $m + j]')};") \
        if s.chance(60) else ""
    return s.in_time(s.loop("i", "0", "$n", move + more), 15)


@shape
def nest_and_flat_loop(s):
    """u[i * n + j] beside u[l], l < n * n."""
    n, m = s.size("n", most=30), s.size("m", most=30)
    for name in "ab":
        s.array(name, n * m)
    nested = s.loop("i", "0", "$n", s.loop(
        "j", "0", "$m", "$a[i * $m + j] = "
        f"{s.value('$b[i * $m + j]', '$a[i * $m + j]')};"))
    flat = s.loop("l", "0", "$n * $m",
                  f"${s.r.choice('ab')}[l] = {s.value('$a[l]', '$b[l]')};")
    parts = [nested, flat]
    if s.chance(30):
        flipped = "$a[i2 * $m + j2]"
        parts.append(s.loop("i2", "0", "$n", s.loop(
            "j2", "0", "$m", f"{flipped} = {s.value(flipped)};")))
    s.r.shuffle(parts)
    return s.in_time(" ".join(parts), 35)


@shape
def in_place_by_two_pointers(s):
    """w = a * x + y, called with w == x."""
    n = s.size("n")
    w = s.array("w", n, storage="pointer", alone=True)
    x = s.array("x", n, storage="pointer", alone=True)
    s.array("y", n)
    w.restrict = x.restrict = False
    if s.chance(75):
        x.buffer = w.name
        s.feature("shape equal pointers")
        if s.chance(25):
            x.offset = SIZES[s.kind] * s.r.choice((1, 2, max(1, n // 2)))
    body = f"$w[i] = {s.value('$x[i]', '$y[i]')};"
    if s.chance(25):
        body = f"if ({s.condition('$x[i]')}) {{ {body} }}"
    return s.loop("i", "0", "$n", body)


@shape
def butterflies(s):
    """Pairs at a distance: a[i], a[i + h]."""
    h = s.size("h", most=40)
    blocks = s.r.choice((1, 1, 4))
    s.array("a", 2 * h * blocks + 4)
    body = "T u = @x, v = @y; @x = @p; @y = @q;"
    parts = dict(p=s.value(("u", s.kind), ("v", s.kind)),
                 q=s.value(("v", s.kind), ("u", s.kind)))
    if blocks == 1:
        inner = s.loop("i", "0", "$h", body)
        parts |= {"x": "$a[i]", "y": "$a[i + $h]"}
    else:
        inner = s.loop("b", "0", str(blocks), s.loop("i", "0", "$h", body))
        parts |= {"x": "$a[2 * b * $h + i]", "y": "$a[2 * b * $h + i + $h]"}
    return s.text(inner, **parts)


@shape
def steps_of_butterflies(s):
    """All stages of a transform of a power of two."""
    logs = s.r.choice((2, 3, 5))
    n = 1 << logs
    s.array("a", n)
    u, v = ("u", s.kind), ("v", s.kind)
    return f"for (int h = 1; h < {n}; h *= 2) {{ " \
        f"for (int b = 0; b < {n}; b += 2 * h) {{ " \
        "for (int i = b; i < b + h; i++) { T u = $a[i], v = $a[i + h]; " \
        f"$a[i] = {s.value(u, v)}; $a[i + h] = {s.value(v, u)}; }} }} }}"
