"""Texts of loops as they occur in real codes, each time somewhat different.

A function takes a random.Random and gives text of the language of parse.py.
N, M and K are parameters of at least 3.  Arrays become as large as their
subscripts need, and a subscript that would be negative is shifted.
"""

from fuzz.disjunctions import joined, remainder

SKELETONS = {}
RULES = {}  # of grammar rather than of a code


def skeleton(f):
    SKELETONS[f.__name__.replace("_", " ")] = f
    return f


def rule(f):
    RULES[f.__name__.replace("_", " ")] = f
    return f


def update(r):
    return r.choice(("=", "=", "+=", "-="))


def c(r):
    return f"c{r.randrange(10)}"


def guarded(r, statement, *names, percent=35):
    """The statement, sometimes below a condition in one of its forms."""
    if r.random() * 100 >= percent:
        return statement
    condition, i = joined(r, names), names[-1]
    form = r.randrange(5)
    if form == 0:
        return f"if ({condition}) {{ }} else {{ {statement} }}"
    if form == 1:
        m = r.randint(2, 4)
        return f"switch ({r.choice((i, names[0]))} % {m}) {{ " \
            f"case 0: case {m - 1 if m > 2 else 1}: {statement} break; " \
            "default: break; }" if r.random() < 0.5 else \
            f"switch ({i} % {m}) {{ case {r.randrange(m)}: break; " \
            f"default: {statement} break; }}"
    if form == 2:
        return f"if ({condition}) continue; {statement}"
    return f"if ({condition}) {{ {statement} }}"


@skeleton
def stencil_with_border(r):
    w = r.choice((1, 1, 2))
    border = r.choice((f"i < {w} || j < {w} || i >= N - {w} || j >= M - {w}",
                       f"i < {w} || i >= N - {w} || {remainder(r, 'j')}"))
    inner = f"B[i][j] = {c(r)} * (A[i - {w}][j] + A[i][j + {w}] + " \
        f"A[i + {w}][j] + A[i][j - {w}]) + {c(r)} * A[i][j];"
    if r.random() < 0.3:
        return f"""for (i = 0; i < N; i++) for (j = 0; j < M; j++) {{
            if ({border}) {{ B[i][j] = A[i][j]; }} else {{ {inner} }} }}"""
    return f"""for (t = 0; t < {r.randint(1, 3)}; t++) {{
        for (i = 0; i < N; i++) for (j = 0; j < M; j++) {{
            if ({border}) B[i][j] = A[i][j]; else {{ {inner} }} }}
        for (i = 0; i < N; i++) for (j = 0; j < M; j++) {{
            {guarded(r, "A[i][j] = B[i][j];", "i", "j")} }} }}"""


@skeleton
def blocked_loops(r):
    b = r.choice((2, 3, 4, 8))
    body = guarded(r, f"C[i][j] {update(r)} A[i][k] * B[k][j];", "i", "k",
                   percent=20) if r.random() < 0.5 else \
        guarded(r, f"C[i][j] {update(r)} A[j][i] + {c(r)};", "i", "j")
    inner = f"for (k = 0; k < {r.choice(('K', '4'))}; k++) {{ {body} }}" \
        if "[k]" in body else body
    return f"""for (p = 0; p < N; p += {b}) for (q = 0; q < M; q += {b})
        for (i = p; i < min(p + {b}, N); i++)
        for (j = q; j < min(q + {b}, M); j++) {{ {inner} }}"""


@skeleton
def rows_of_entries(r):
    w = r.randint(2, 4)
    body = f"Y[i] += V[p] * X[{r.choice((f'p - {w} * i', 'p / 2', 'p % 5'))}];"
    return f"""for (i = 0; i < N; i++) {{ Y[i] = {c(r)};
        for (p = {w} * i; p < {w} * i + {r.choice((f'i % {w} + 1', str(w)))};
             p++) {{ {guarded(r, body, "i", "p", percent=25)} }} }}"""


@skeleton
def multigrid_strides(r):
    s = r.choice((2, 2, 4))
    return f"""for (i = {r.randrange(2)}; i < N; i += {s})
        for (j = 0; j < M; j += {s}) {{ {guarded(
            r, "A[i][j] = " + c(r) + " * (A[i + 1][j] + B[i][j + 1]);",
            "i", "j")} }}
        for (i = 0; i < N / 2; i++) for (j = 0; j < M / 2; j++)
            C[i][j] = {c(r)} * A[2 * i][2 * j] + A[2 * i + 1][2 * j];
        for (i = 0; i < N; i++) for (j = 0; j < M; j++)
            if ((i & 1) == 0 || j % 2 == 1)
                D[i][j] {update(r)} C[i / 2][j / 2] * {c(r)};"""


@skeleton
def ping_pong(r):
    m = r.choice((2, 2, 3))
    body = "{0}[i][j] = " + c(r) + " * ({1}[i][j] + {1}[i][j + 1]);"
    if r.random() < 0.5:
        return f"""for (t = 0; t < {r.randint(2, 5)}; t++)
            for (i = 0; i < N; i++) for (j = 0; j < M; j++)
                if (t % {m} == 0) {body.format("B", "A")}
                else {body.format("A", "B")}"""
    return f"""for (t = 0; t < {r.randint(2, 4)}; t++)
        for (i = 1; i < N; i++) for (j = 0; j < M; j++)
            A[(t + 1) % 2][i][j] = {c(r)} * A[t % 2][i - 1][j]
                                   + A[t % 2][i][j] * {c(r)};"""


@skeleton
def triangular_factors(r):
    first = guarded(r, "A[i][k] = A[i][k] * A[k][k];", "i", "k", percent=20)
    return f"""for (k = 0; k < N; k++) {{
        for (i = k + 1; i < N; i++) {{ {first} }}
        for (i = k + 1; i < N; i++)
            for (j = {r.choice(("k + 1", "k + 1", "i"))}; j < N; j++)
                A[i][j] -= A[i][k] * A[k][j]; }}"""


@skeleton
def wavefront(r):
    return f"""for (i = 1; i < N; i++) for (j = 1; j < M; j++) {{ {guarded(
        r, "A[i][j] " + update(r) + " max(A[i - 1][j], A[i][j - 1]) + "
        "A[i - 1][j - 1] * " + c(r) + " + B[i][j];", "i", "j")} }}"""


@skeleton
def convolution(r):
    w, s = r.randint(2, 4), r.choice((1, 1, 2))
    scalar = r.random() < 0.5
    target = "s" if scalar else "O[i][j]"
    body = f"{target} += W[p][q] * I[{s} * i + p][{s} * j + q];"
    return f"""for (i = 0; i < N; i++) for (j = 0; j < M; j++) {{
        {"T s =" if scalar else "O[i][j] ="} {c(r)};
        for (p = 0; p < {w}; p++) for (q = 0; q < {w}; q++) {{
            {guarded(r, body, "p", "q", percent=25)} }}
        {"O[i][j] = s;" if scalar else ""} }}"""


@skeleton
def transposed_copies(r):
    diagonal = r.choice(("i < j || (i + j) % 2 == 0", "i >= j",
                         joined(r, ("i", "j"))))
    return f"""for (i = 0; i < N; i++) for (j = 0; j < M; j++) {{
            {guarded(r, "B[j][i] = A[i][j];", "i", "j")} }}
        for (i = 0; i < M; i++) for (j = 0; j < N; j++)
            if ({diagonal}) C[i][j] {update(r)} B[i][j] * {c(r)};
            else C[i][j] = B[i][j] + A[j][i];"""


@skeleton
def reductions_per_row(r):
    body = guarded(r, f"s += A[i][j] * {r.choice(('A[i][j]', 'X[j]'))};", "i",
                   "j")
    return f"""for (i = 0; i < N; i++) {{ T s = {c(r)};
            for (j = {r.choice(("0", "i", "1"))}; j < M; j++) {{ {body} }}
            R[i] = s; }}
        for (i = 0; i < N; i++) for (j = 0; j < M; j++)
            A[i][j] {update(r)} R[i] * {c(r)};"""


@skeleton
def red_black(r):
    color = r.choice(("(i + j) % 2 == t % 2", "(i + j + t) % 2 == 0",
                      "((i + j) & 1) == (t & 1)",
                      "(i + j) % 2 == t % 2 || i == 1"))
    body = f"A[i][j] = {c(r)} * (A[i - 1][j] + A[i + 1][j] + A[i][j - 1] " \
        "+ A[i][j + 1]);"
    if r.random() < 0.4:
        body = f"B[i][j] {update(r)} A[i][j] * {c(r)} + A[i - 1][j];"
    return f"""for (t = 0; t < {r.randint(2, 3)}; t++)
        for (i = 1; i < N; i++) for (j = 1; j < M; j++)
            if ({color}) {body}"""


@skeleton
def sweeps_in_two_directions(r):
    return f"""for (t = 0; t < {r.randint(1, 2)}; t++) {{
        for (i = 0; i < N; i++) for (j = 1; j < M; j++)
            U[i][j] = U[i][j - 1] * {c(r)} + V[i][j];
        for (i = 0; i < N; i++) for (j = M - 2; j >= 0; j--) {{
            {guarded(r, "U[i][j] += U[i][j + 1] * " + c(r) + ";", "i", "j")} }}
        for (j = 0; j < M; j++) for (i = 1; i < N; i++)
            V[i][j] = V[i - 1][j] * {c(r)} + U[i][j]; }}"""


@skeleton
def shortest_paths(r):
    body = r.choice(("D[i][j] = min(D[i][j], D[i][k] + D[k][j]);",
                     "D[i][j] = max(D[i][j], min(D[i][k], D[k][j]));"))
    return f"""for (k = 0; k < N; k++) for (i = 0; i < N; i++)
        for (j = 0; j < N; j++) {{
            {guarded(r, body, "k", "i", "j", percent=30)} }}"""


@skeleton
def counting(r):
    return f"""for (i = 0; i < N; i++) {{ C[i] = {c(r)};
        for (j = 0; j < M; j++) {{
            {guarded(r, "C[i] += " + c(r) + ";", "i", "j", percent=80)}
        }} }}
        for (i = 0; i < N; i++) {{
            {guarded(r, "X[i] " + update(r) + " C[i] * Y[i];", "i")} }}"""


@skeleton
def boundary_copies(r):
    w = r.randint(1, 2)
    return f"""for (i = 0; i < N; i++) {{ A[i][0] = A[i][{w}];
            A[i][M + {w}] = A[i][M] * {c(r)}; }}
        for (j = 0; j < M; j++) {{ A[0][j] = A[{w}][j];
            {guarded(r, f"A[N + {w}][j] = A[N][j];", "j")} }}
        for (i = 1; i < N; i++) for (j = 1; j < M; j++)
            B[i][j] {update(r)} A[i - 1][j] + A[i + 1][j] * {c(r)};"""


@skeleton
def packed_triangle(r):
    """Rows of 3, 3 and so on numbers, each half as wide as the next."""
    w = r.randint(3, 6)
    body = f"P[{w} * i + j] {update(r)} {c(r)} * X[i] * X[j];"
    return f"""for (i = 0; i < N; i++)
        for (j = 0; j <= min(i, {w - 1}); j++) {{
            {guarded(r, body, "i", "j")} }}
        for (i = 0; i < N; i++) for (j = 0; j < {w}; j++)
            F[i][j] = P[{w} * max(i, j) + min(min(i, j), {w - 1})];"""


@skeleton
def batched_small_matrices(r):
    d = r.randint(2, 5)
    body = "C[b][i][j] += A[b][i][k] * B[b][k][j];"
    return f"""for (b = 0; b < N; b++) {{
        for (i = 0; i < {d}; i++) for (j = 0; j < {d}; j++) {{
            C[b][i][j] {r.choice(("= " + c(r), "*= " + c(r)))};
            for (k = {r.choice(("0", "0", "i"))}; k < {d}; k++) {{
                {guarded(r, body, "i", "k", percent=25)} }} }} }}"""


@skeleton
def two_times(r):
    return f"""for (t = 0; t < {r.randint(2, 3)}; t++) {{
        for (u = 0; u < {r.randint(2, 3)}; u++)
            for (i = 1; i < N; i++)
                if ((t + u) % 2 == 0 || i % 3 == 1) A[i] = B[i - 1] + B[i];
                else B[i] = A[i] * {c(r)};
        for (i = 0; i < N; i++) {{
            {guarded(r, "C[t][i] " + update(r) + " A[i];", "t", "i")} }} }}"""


@skeleton
def downsampling(r):
    s = r.choice((2, 2, 3))
    body = f"B[i][j] = {c(r)} * (A[{s} * i][{s} * j] + A[{s} * i + 1][{s} * j]"\
        f" + A[{s} * i][{s} * j + 1]);"
    return f"""for (l = 0; l < 1; l++)
        for (i = 0; i < N / {s}; i++) for (j = 0; j < M / {s}; j++) {{
            {guarded(r, body, "i", "j")} }}
        for (i = 0; i < N; i++) for (j = 0; j < M; j++)
            C[i][j] {update(r)} B[i / {s}][j / {s}]
                    * W[(i % {s}) * {s} + j % {s}];"""


@skeleton
def recurrence_along_rows(r):
    body = f"A[i][j] = A[i][j - 1] * {c(r)} + B[i][j];"
    if r.random() < 0.5:
        body = f"A[j][i] = A[j - 1][i] + B[i][j] * {c(r)};"
    return f"""for (i = 0; i < N; i++) for (j = 1; j < M; j++) {{
        {guarded(r, body, "i", "j")} }}
        for (i = 0; i < N; i++) for (j = 0; j < M; j++)
            C[i][j] {update(r)} B[i][j] + {c(r)};"""


@skeleton
def two_levels(r):
    """A time loop that reads one half of an array and writes the other."""
    w, dims = r.choice((1, 1, 2)), r.choice((1, 2, 2))
    sub = "[i][j]" if dims == 2 else "[i]"
    old, new = "U[t % 2]", "U[(t + 1) % 2]"
    if r.random() < 0.3:
        old, new = new, old
    near = [old + sub.replace(x, f"{x} {sign} {w}") for x in "ij"[:dims]
            for sign in "+-"]
    sweep = f"for (j = {w}; j < M - {w}; j++) " if dims == 2 else ""
    body = f"{new}{sub} = {c(r)} * ({' + '.join(near)}) + {old}{sub};"
    value = old + ("[i][2]" if dims > 1 else "[i]")
    statement = f"D[i] {update(r)} {c(r)} + {value};"
    also = "" if r.random() < 0.6 else f"""for (i = 0; i < N; i++) {{
        {guarded(r, statement, "t", "i")} }}"""
    before = "" if r.random() < 0.6 else f"""for (i = 0; i < N; i++)
        E[i] = {c(r)} * D[i];"""
    return f"""{before} for (t = {r.choice("001")};
        t < {r.choice(("K", str(r.randint(2, 9))))}; t++) {{
        for (i = {w}; i < N - {w}; i++) {sweep}{{ {body} }} {also} }}"""


# ---- Rules of grammar ---------------------------------------------------

@rule
def factor_in_sum(r):
    """A product of three, two of them sums over a triangle."""
    bound = r.choice(("k < i", "k <= i", "k < N", "k < j"))
    factors = [r.choice((c(r), "X[0]", "Y[i]")), "A[i][k]",
               r.choice(("B[j][k]", "B[k][j]", "D[j][k]"))]
    r.shuffle(factors)
    scale = "" if r.random() < 0.5 else f"B[i][j] *= {c(r)};"
    body = f"B[i][j] {r.choice(('+=', '+=', '-='))} {' * '.join(factors)};"
    return f"""for (i = 0; i < N; i++) for (j = 0; j < M; j++) {{ {scale}
        for (k = 0; {bound}; k++) {{
            {guarded(r, body, "i", "k", percent=25)} }} }}"""


@rule
def triangular_statements(r):
    """Several statements that write one array, with triangular bounds."""
    low = r.choice(("for (k = 0; k < i; k++)", "for (k = 0; k <= j; k++)",
                    "for (k = i + 1; k < N; k++)"))
    other = r.choice(("C[k][j]", "C[i][k]", "C[i][j]"))
    return f"""for (i = 0; i < N; i++) for (j = 0;
            j {r.choice(("<= i", "< N", "< M"))}; j++) {{
        {low} {{ {other} += {c(r)} * A[i][k] * B[{r.choice("ij")}][j];
                 C[i][j] {r.choice(("+=", "-="))} A[k][j] * B[i][k]; }}
        {guarded(r, f"C[i][j] {update(r)} {c(r)} * A[i][j];", "i", "j")} }}"""


@rule
def product_of_one_array(r):
    left = r.choice(("A[i][k] * A[j][k]", "A[k][i] * A[k][j]",
                     "A[i][k] * A[k][j]", "A[i][k] * A[i][k]",
                     "A[i][k] * A[j + 1][k]"))
    more = "" if r.random() < 0.5 else f" * {c(r)}"
    if r.random() < 0.3:
        more += f" + {c(r)} * A[j][k] * A[i][k]"
    body = f"C[i][j] += {left}{more};"
    return f"""for (i = 0; i < N; i++)
        for (j = {r.choice(("0", "0", "i"))}; j < {r.choice(("N", "i + 1"))};
             j++) {{ C[i][j] {r.choice(("= c6", "*= " + c(r)))};
            for (k = 0; k < M; k++) {{
                {guarded(r, body, "i", "k", percent=25)} }} }}"""


@rule
def conditions(r):
    """Rows and columns chosen by conditions, one inside of the other."""
    inner = guarded(r, f"A[i][j] {r.choice(('+=', '-=', '='))} {c(r)} "
                    "+ B[i][j];", "i", "j", percent=70)
    other = f" else {{ for (j = 0; j < M; j++) B[i][j] += {c(r)}; }}" \
        if r.random() < 0.4 else ""
    return f"""for (i = 0; i < N; i++) {{ if ({joined(r, ("i",))}) {{
            for (j = 0; j < M; j++) {{ {inner} }} }}{other}
        {guarded(r, f"X[i] = X[i] * {c(r)};", "i")} }}"""
