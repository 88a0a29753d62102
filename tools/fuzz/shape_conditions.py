"""Shapes: conditions on data around stores."""

from fuzz.shapes import shape
from fuzz.tree import FLOATS


def store(s, at, out, *reads):
    return f"{at(out)} {s.operator(s.kinds.get(out))} " \
        f"{s.value(*reads, kind=s.kinds.get(out))};"


def inputs(s, at, count=3):
    """Elements of arrays that are read, made on the way."""
    for name in "bcd"[:count]:
        if name not in s.arrays:
            s.array(name, s.full,
                    kind=s.kind if s.chance(70) else s.element_kind())
    return [at(name) for name in "bcd"[:count]]


def guarded(s, at, outs, reads, depth):
    """One or more stores under a condition, with else, nested."""
    def some():
        chosen = s.r.sample(reads, s.r.randint(1, len(reads)))
        return store(s, at, s.r.choice(outs), *chosen)

    def body():
        if depth and s.chance(35):
            s.feature("shape nested conditions")
            return guarded(s, at, outs, reads, depth - 1)
        if s.chance(25):
            s.feature("shape several stores under a condition")
            return some() + some()
        return some()
    text = f"if ({s.condition(*reads)}) {{ {body()} }}"
    if s.chance(45):
        s.feature("shape else on data")
        text += f" else {{ {body()} }}"
    return text


@shape
def store_under_condition(s):
    wrap, at = s.nest(s.r.choice((1, 1, 2)))
    reads = inputs(s, at, s.r.randint(1, 3))
    outs = ["a"] if s.chance(55) else ["a", "e"]
    for name in outs:
        at(name)
    if s.chance(30):
        reads.append(at("a"))
    body = guarded(s, at, outs, reads, 2)
    if s.chance(25):
        body += " " + store(s, at, s.r.choice(outs), *reads)
    if s.chance(20):
        body = store(s, at, s.r.choice(outs), reads[0]) + " " + body
    if s.chance(15):
        s.feature("shape two conditions")
        body += " " + guarded(s, at, outs, reads, 1)
    return s.in_time(wrap(body))


@shape
def continue_on_data(s):
    wrap, at = s.nest(s.r.choice((1, 1, 2)))
    reads = inputs(s, at, 2)
    before = store(s, at, "e", reads[1]) if s.chance(40) and at("e") else ""
    at("a")
    return wrap(f"{before} if ({s.condition(*reads)}) continue; "
                f"{store(s, at, 'a', *reads)}")


@shape
def switch_on_data(s):
    wrap, at = s.nest(s.r.choice((1, 1, 2)))
    reads = inputs(s, at, 2)
    m = s.r.choice((2, 3, 4, 5))
    key = s.array("k", s.full, s.r.choice(("int", "unsigned char", "long")))
    key.fill = f"fill_below({{p}}, {{n}}, sizeof({key.kind}), {m + 1});"
    at("a"), at("e")
    parts = []
    for n in range(m):
        text = f"case {n}: "
        if s.chance(80):
            text += store(s, at, s.r.choice("aae"), *reads)
        if s.chance(80):
            text += " break;"
        else:
            s.feature("shape fall through")
        parts.append(text)
    if s.chance(50):
        parts.append(f"default: {store(s, at, 'a', reads[0])} break;")
    else:
        parts[-1] += " ;"
    return wrap(f"switch ({at('k')}) {{ {' '.join(parts)} }}")


@shape
def conditional_extremum(s):
    """Elements, or one result, that become smaller or larger."""
    wrap, at = s.nest(s.r.choice((1, 2)))
    sign = s.r.choice(("<", ">", "<=", ">="))
    s.array("b", s.full)
    at("a")
    value = at("b") if s.chance(60) else \
        s.value(at("b"), depth=1)
    if s.chance(50):
        return s.in_time(wrap(
            f"if ({value} {sign} {at('a')}) {{ {at('a')} = {value}; }}"))
    s.array("r", 2)
    body = f"if ({value} {sign} best) {{ best = {value}; }}"
    if s.chance(20):
        body = f"best = {value} {sign} best ? {value} : best;"
    also = store(s, at, "a", at("b")) if s.chance(30) else ""
    return f"T best = $r[0]; {wrap(body + also)} $r[1] = best;"


@shape
def guarded_update(s):
    """Memory, not a scalar, that is updated under a condition."""
    wrap, at = s.nest(s.r.choice((1, 2)))
    reads = inputs(s, at, 2)
    what = s.r.randrange(3)
    if what == 0:
        target = at("a")
    else:
        s.array("r", s.g.extent + 4)
        target = "$r[0]" if what == 1 else "$r[i]"
    kind = s.read(target)[1]
    return wrap(f"if ({s.condition(*reads)}) {{ {target} = "
                f"{s.value(target, reads[0], kind=kind)}; }}")


@shape
def loads_behind_a_condition(s):
    """What is read only where the condition holds: quotients, elements."""
    wrap, at = s.nest(s.r.choice((1, 2)))
    reads = inputs(s, at, 2)
    at("a")
    array = s.arrays["d"] if "d" in s.arrays else s.array(
        "d", s.full, s.r.choice(("int", "unsigned", "long", "float")))
    d = at("d")
    form = s.r.randrange(4)
    if form == 0 and array.kind in ("int", "unsigned", "long"):
        wide = "unsigned" if array.kind != "long" else "unsigned long"
        array.fill = f"fill_below({{p}}, {{n}}, sizeof({array.kind}), 4);"
        quotient = f"({wide})12345 / ({wide}){d}"
        return wrap(f"if ({d} != 0) {{ {at('a')} = (T)({quotient}); }}")
    if form == 1:
        return wrap(f"{at('a')} = {s.condition(reads[0])} ? "
                    f"{s.value(reads[1])} : {s.value(d)};")
    if form == 2:
        guard = "i > 0 && " + s.condition(reads[0])
        return wrap(f"if ({guard}) {{ {at('a')} = "
                    f"{s.value(reads[1], '$d[i - 1]')}; }}")
    return wrap(f"{at('a')} = {s.condition(*reads)} ? {s.value(d)} : "
                f"{at('a')};")


def under_condition(s, row, values, depth):
    """What is done with a row under a condition: loops, with results, and a
    condition inside."""
    kind = s.r.randrange(4)
    bound = s.r.choice(("$m", "$m", "(i < $m ? i : $m)", "$m / 2"))
    if kind == 0 and s.chance(60):
        s.feature("shape sum of a row under a condition")
        return f"T v = {s.value(depth=0)}; " + s.loop(
            "j", "0", bound, f"v {'+' if s.kind in FLOATS else '^'}= "
            f"{s.value(*values, depth=1)};") + \
            " $y[i] = v;"
    if kind == 1:
        s.feature("shape row under two conditions")
        return s.loop("j", "0", bound, f"if ({s.condition(*values)}) "
                      f"{{ {row} = {s.value(*values)}; }}")
    if kind == 2 and depth:
        s.feature("shape loops under conditions in loops")
        inner = s.loop("k", "0", "3", f"{row} = "
                       f"{s.value(row, '$y[k]', depth=1)};")
        return s.loop("j", "0", bound,
                      f"if ({s.condition(*values)}) {{ {inner} }}")
    text = s.loop("j", s.r.choice("01"), bound, f"{row} {s.operator()} "
                  f"{s.value(*values)};")
    if s.chance(30):
        text += f" $y[i] = {s.value('$c[i]')};"
    return text


@shape
def loops_under_a_condition(s):
    """With else, "continue", "||", and other loops beside."""
    n = s.size("n", most=30)
    m = s.size("m", most=30)
    for name in "ab":
        s.array(name, n * m)
    s.array("c", n)
    s.array("y", n + 3)
    row, values = "$a[i * $m + j]", ["$b[i * $m + j]", "$c[i]"]
    if s.chance(15): # all rows write one
        row = "$a[j]"
    body = under_condition(s, row, values, 1)
    test = s.condition("$c[i]")
    if s.chance(20):
        s.feature("shape alternatives around a loop")
        test += f" || {s.condition('$y[i]')}"
    if s.chance(25):
        text = f"if ({test}) continue; {body}"
    else:
        text = f"if ({test}) {{ {body} }}"
        if s.chance(35):
            s.feature("shape else around a loop")
            text += f" else {{ {under_condition(s, row, values, 0)} }}"
    text = s.in_time(s.loop("i", "0", "$n", text))
    if s.chance(50):
        text += s.loop("l", "0", "$n * $m", "$b[l] = "
                       f"{s.value('$a[l]')};")
    return text


@shape
def conditions_in_a_sweep(s):
    """A recurrence in one direction, with a condition on data."""
    n = s.size("n", most=40)
    m = s.size("m", most=40)
    s.array("a", n * (m + 1) + 1)
    s.array("b", n * (m + 1) + 1)
    body = f"if ({s.condition('$b[i * $m + j]')}) {{ $a[i * $m + j] = " \
        f"{s.value('$a[i * $m + j - 1]', '$b[i * $m + j]')}; }}"
    return s.loop("i", "0", "$n", s.loop("j", "1", "$m", body)
                  if s.chance(50) else f"for (I j = 1; j < $m; j++) {{ {body}"
                  " else { $a[i * $m + j] = $b[i * $m + j]; } }")


@shape
def scalars_under_conditions(s):
    """Scalars of an iteration, or of the ones before, that conditions set."""
    wrap, at = s.nest(s.r.choice((1, 1, 2)))
    reads = inputs(s, at, 2)
    at("a")
    u, v = ("u", s.kind), ("v", s.kind)
    carried = s.chance(25)
    first = "" if carried else f"T u = {s.constant(s.kind)}; "
    body = first + f"T v = {s.value(reads[1])}; " \
        f"if ({s.condition(*reads)}) {{ u = {s.value(reads[0], v)}; "
    if s.chance(40):
        body += f"v = {s.value(u)}; "
    body += "} "
    if s.chance(50):
        body += f"else if ({s.condition(*reads)}) {{ u = {s.value(v)}; }} "
    if s.chance(30):
        body += f"if (u > v) {{ T w = u; u = v; v = w; }} "
    body += f"{at('a')} = {s.value(u, v)};"
    if s.chance(25):
        body += f" if (v != u) {{ {at('e')} = {s.value(u, kind=s.kind)}; }}"
    if carried:
        s.feature("shape scalar that a condition carries on")
        return f"T u = 1; {wrap(body)}"
    return wrap(body)


@shape
def small_array_under_conditions(s):
    """An array of each iteration, some elements of which conditions set."""
    wrap, at = s.nest(s.r.choice((1, 2)))
    reads = inputs(s, at, 2)
    at("a")
    w = s.r.choice((2, 3, 4))
    start = "".join(f"t[{n}] = {s.value(s.r.choice(reads), depth=0)}; "
                    for n in range(w))
    change = "".join(
        f"if ({s.condition(*reads)}) {{ t[{s.r.randrange(w)}] = "
        f"{s.value((f't[{s.r.randrange(w)}]', s.kind), reads[0])}; }} "
        for _ in range(s.r.randint(1, 3)))
    if s.chance(40):
        change += f"for (int q = 1; q < {w}; q++) {{ if (t[q] < t[q - 1]) " \
            "{ T x = t[q]; t[q] = t[q - 1]; t[q - 1] = x; } } "
    end = s.value(*((f"t[{n}]", s.kind) for n in range(w)))
    return wrap(f"T t[{w}]; {start} {change} {at('a')} = {end};")


@shape
def result_under_a_condition(s):
    """An inner loop with a result in one branch only, or that skips some."""
    n, m = s.size("n", most=30), s.size("m", most=30)
    s.array("a", n * m)
    s.array("c", n)
    s.array("y", n)
    total = s.value(("s", s.kind), "$a[i * $m + j]", depth=0)
    body = f"s = {total};"
    form = s.r.randrange(3)
    if form == 0:
        body = f"if ({s.condition('$a[i * $m + j]')}) continue; {body}"
    if form == 1:
        body = f"if ({s.condition('$a[i * $m + j]', '$c[i]')}) {{ {body} }}"
    inner = f"for (I j = 0; j < $m; j++) {{ {body} }}"
    if form == 2:
        inner = f"if ({s.condition('$c[i]')}) {{ {inner} }}"
    return s.loop("i", "0", "$n", f"T s = 2; {inner} $y[i] = s;")


@shape
def signed_quotients(s):
    """Quotients and remainders of which conditions keep the bad ones away."""
    wrap, at = s.nest(1)
    s.kind = s.r.choice(("int", "long"))
    s.array("b", s.full)
    s.array("d", s.full)
    s.arrays["d"].fill = "fill_between({p}, {n}, sizeof(" + s.kind + \
        "), -2, 3);" if s.arrays["d"].fill is None else s.arrays["d"].fill
    s.array("a", s.full)
    op = s.r.choice("/%")
    guard = s.r.choice((f"{at('d')} > 0", f"{at('d')} != 0 && {at('d')} != -1",
                        f"{at('d')} > 1 || {at('d')} < -1"))
    if s.chance(40):
        return wrap(f"{at('a')} = {guard} ? {at('b')} {op} {at('d')} : 7;")
    return wrap(f"if ({guard}) {{ {at('a')} = {at('b')} {op} {at('d')}; }}")
