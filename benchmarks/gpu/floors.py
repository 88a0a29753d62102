"""How fast kernels have to be on a GPU, and what was measured: data, and pure
functions from measured lines to a table.

A line of measure.py is a word and fields, key=value; the last field of some
takes the rest of the line:

  case      (program, type, sizes) that is to be measured, and in which ways:
            with promotion (on), without it (off); both where it says none
  device    of peak.c: the device and its libraries
  figure    of peak.c: times of a copy, of fused multiply-adds or of cuBLAS
  run       one kernel in one process: its launches, their time in total, the
            median and the shortest; some files have the total only
  sequential   the checksum of the program without PolyGPU
  startup   what the first run in a process takes (startup.py)
  checked   the driver's comparison of all results of the programs
  failed    what did not run, and why
  skipped   what there was no time for
"""

from collections import namedtuple

from programs import PROGRAMS as SUITE

TYPES = ("float", "double")
WAYS = ("on", "off")  # promotion
BYTES = {"float": 4, "double": 8}

# Measurements differ by about as much; the runtime prints microseconds.
SLACK = 1.05
SLACK_MS = 0.001

# ---- The programs ------------------------------------------------------------

# role: a word for the kernel.  arrays: those of the program that it uses, which
# tell its kernels apart; of several with the same ones, the first is printed
# first.  None: all kernels of the program together.
# flops or elements: of one launch, functions of the sizes; the other is None.
# launches: of one repetition.
# blas: what cuBLAS is asked for instead, as (times, operation, sizes).
Kernel = namedtuple("Kernel", "role arrays flops elements launches blas")

# arrays: all elements, which the host fills; of one repetition.
Program = namedtuple("Program", "kernels arrays")


def kernel(role, arrays, flops=None, elements=None, launches="1", blas=None):
    asked = blas and tuple(blas.split())
    if asked and len(asked) == 2:
        asked = ("1", *asked)
    return Kernel(role, arrays and frozenset(arrays.split()), flops, elements,
                  launches, asked and (int(asked[0]), *asked[1:]))


def stencil(role, arrays, elements, launches="TSTEPS"):
    return kernel(role, arrays, elements=elements, launches=launches)


# A sweep of a stencil reads each array once, without what it does not use of
# the border, and writes each once.
JACOBI = "N * N - 4 + (N - 2) ** 2"
HEAT = "(N - 2) ** 3 * 2 + 6 * (N - 2) ** 2"

PROGRAMS = {
    "gemm": Program([
        kernel("product", "C A B", "2 * NI * NJ * NK", blas="gemm NI,NJ,NK"),
    ], "NI * NK + NK * NJ + NI * NJ"),
    "2mm": Program([
        kernel("first-product", "P A B", "2 * NI * NJ * NK",
               blas="gemm NI,NJ,NK"),
        kernel("second-product", "P D C", "2 * NI * NL * NJ",
               blas="gemm NI,NL,NJ"),
    ], "NI * NJ + NI * NK + NK * NJ + NJ * NL + NI * NL"),
    "syrk": Program([
        kernel("product", "C A", "M * N * (N + 1)", blas="syrk-rows N,M"),
    ], "N * N + N * M"),
    "syr2k": Program([
        kernel("product", "C A B", "2 * M * N * (N + 1)", blas="syr2k N,M"),
    ], "N * N + 2 * N * M"),
    "trmm": Program([
        kernel("copy", "B B_before", elements="2 * (M - 1) * N"),
        kernel("product", "A B B_before", "M * (M - 1) * N"),
        kernel("all", None, "M * (M - 1) * N", blas="trmm M,N"),
    ], "M * M + M * N"),
    "symm": Program([
        kernel("product", "B A C", "2 * M * M * N", blas="symm M,N"),
    ], "M * M + 2 * M * N"),
    "covariance": Program([
        kernel("sum", "mean data", elements="M * N + M"),
        kernel("divide", "mean", elements="2 * M"),
        kernel("subtract", "mean data", elements="2 * M * N + M"),
        kernel("zero", "cov", elements="M * (M + 1) // 2"),
        kernel("product", "data cov", "M * (M + 1) * N",
               blas="syrk-columns M,N"),
    ], "M * N + M * M"),
    "doitgen": Program([
        kernel("product", "A C", "2 * NR * NQ * NP * NP"),
        kernel("write-back", "A", elements="2 * NR * NQ * NP"),
        kernel("last-row", "sum", elements="2 * NP"),
        kernel("all", None, "2 * NR * NQ * NP * NP", blas="gemm NR*NQ,NP,NP"),
    ], "NR * NQ * NP + NP * NP"),
    "gesummv": Program([
        kernel("two-row-wise", "ax y A x B", elements="2 * N * N + 3 * N",
               blas="2 gemv-rows N,N"),
    ], "2 * N * N"),
    "atax": Program([
        kernel("row-wise", "row A x", elements="M * N + M + N",
               blas="gemv-rows M,N"),
        kernel("column-wise", "y row A", elements="M * N + M + N",
               blas="gemv-columns M,N"),
    ], "M * N"),
    "mvt": Program([
        kernel("row-wise", "A u x", elements="N * N + 3 * N",
               blas="gemv-rows N,N"),
        kernel("column-wise", "A v y", elements="N * N + 3 * N",
               blas="gemv-columns N,N"),
    ], "N * N"),
    "gemver": Program([
        kernel("update", "A u1 v1 u2 v2", elements="2 * N * N + 4 * N",
               blas="2 ger N,N"),
        kernel("column-wise", "A x y z", elements="N * N + 4 * N",
               blas="gemv-columns N,N"),
        kernel("row-wise", "A x w", elements="N * N + 3 * N",
               blas="gemv-rows N,N"),
    ], "N * N"),
    "jacobi-2d": Program([
        stencil("first-sweep", "A B", JACOBI),
        stencil("second-sweep", "A B", JACOBI),
    ], "2 * N * N"),
    "heat-3d": Program([
        stencil("first-sweep", "A B", HEAT),
        stencil("second-sweep", "A B", HEAT),
    ], "2 * N ** 3"),
    "fdtd-2d": Program([
        stencil("e-sweep", "ex ey hz",
                "NX * NY + 2 * NX * (NY - 1) + 2 * (NX - 1) * NY", "TMAX"),
        # And the first row of ey.
        stencil("hz-sweep", "source ey hz ex",
                "(NX - 1) * NY + NX * (NY - 1) + 2 * (NX - 1) * (NY - 1) + NY",
                "TMAX"),
    ], "3 * NX * NY"),
    "transpose": Program([
        kernel("transpose", "A B", elements="2 * N * M", blas="geam N,M"),
    ], "2 * N * M"),
}

# Sizes beside the suite's: of the floors, and arrays that no cache holds.
OWN = {
    "gemm": [(n, n, n) for n in (2000, 4000, 8192, 1999, 4097)],
    "mvt": [(4000,), (8000,), (16000,)],
    "jacobi-2d": [(20, 8192)],
    "heat-3d": [(20, 512)],
    "fdtd-2d": [(20, 8192, 8192)],
    "transpose": [(8192, 8192)],
}
NAMED = ("LARGE", "EXTRALARGE")

# fill: elements that the host fills in the repetitions of one process, which
# take it longer than the kernels take the device.
Part = namedtuple("Part", "programs fill")

PARTS = {
    "gemm": Part(("gemm",), 5e7),
    "products": Part(("2mm", "syrk", "syr2k", "trmm", "symm", "covariance",
                      "doitgen"), 5e7),
    "vectors": Part(("gesummv", "atax", "mvt", "gemver"), 5e7),
    "stencils": Part(("jacobi-2d", "heat-3d", "fdtd-2d", "transpose"), 5e7),
}

# A kernel whose neighbours in time use the same arrays finds some of them in
# the cache, one after a transfer does not.
WARM = ("jacobi-2d", "heat-3d", "fdtd-2d", *PARTS["gemm"].programs,
        *PARTS["products"].programs)

# Bytes read and written by the copy that shows the bandwidth of memory.
COPY = 2 << 30
PEAKS = ("fma float", "fma double", f"copy {COPY} warm", f"memcpy {COPY} warm")


def evaluate(text, program, sizes):
    """The value of an expression of the sizes of a program."""
    names = dict(zip(SUITE[program].parameters, sizes))
    return eval(text, {"__builtins__": {}}, names)


def sizes_of(program, size=None):
    """The sizes that a program is measured with; "size": only that one."""
    if size:
        return [SUITE[program].sizes[size]]
    return list(dict.fromkeys(
        [SUITE[program].sizes[name] for name in NAMED] +
        OWN.get(program, [])))


# Of each kernel in a process, so that a slow first one is not the median.
LEAST_LAUNCHES, MOST_REPETITIONS = 3, 30


def repetitions(part, program, sizes):
    """How often a process runs a program."""
    filled = evaluate(PROGRAMS[program].arrays, program, sizes)
    launched = min(evaluate(k.launches, program, sizes)
                   for k in PROGRAMS[program].kernels)
    least = -(-LEAST_LAUNCHES // launched)
    return int(min(MOST_REPETITIONS, max(least, PARTS[part].fill // filled)))


def work(program, sizes):
    """Operations or elements of one repetition, roughly the processor's time
    in nanoseconds."""
    return sum(evaluate(k.flops or k.elements, program, sizes)
               * evaluate(k.launches, program, sizes)
               for k in PROGRAMS[program].kernels if k.arrays)


def roles(program, arrays):
    """Kernel name -> role, of name -> arrays; ValueError where the kernels are
    not those that are listed here."""
    left = [k for k in PROGRAMS[program].kernels if k.arrays]
    found = {}
    for name in sorted(arrays, key=lambda name: int(name.rsplit("_", 1)[1])):
        used = {a for a in arrays[name] if not a.endswith("_private")}
        fits = [k for k in left if k.arrays == used]
        if not fits:
            raise ValueError(f"{program}: no kernel in floors.py has the "
                             f"arrays {' '.join(sorted(used))} of {name}")
        found[name] = fits[0].role
        left.remove(fits[0])
    if left:
        raise ValueError(f"{program}: the compiler made no kernel "
                         f"'{left[0].role}'")
    return found


# ---- Floors ------------------------------------------------------------------

# share: of the speed of "of": "cuBLAS", "copy" (of as many bytes) or "FMA".
Floor = namedtuple("Floor", "share of")

GEMM = {2000: 0.90, 4000: 0.90, 8192: 0.90, 1999: 0.75, 4097: 0.75}
DGEMM = {2000: 0.75, 4000: 0.75, 8192: 0.75}
ROW_WISE = {4000: 0.85, 8000: 0.90, 16000: 0.75}
COLUMN_WISE = {4000: 0.55, 8000: 0.80, 16000: 0.65}
SWEEP = 0.85
TRANSPOSE = 0.65


def floor(program, role, element, sizes):
    """The floor of a kernel at these sizes, None where it has none but that of
    all kernels: not to be slower than without promotion."""
    n = sizes[0] if len(set(sizes)) == 1 else None
    if program == "gemm" and element == "float" and n in GEMM:
        return Floor(GEMM[n], "cuBLAS")
    if program == "gemm" and element == "double" and n in DGEMM:
        return Floor(DGEMM[n], "FMA")
    if program == "mvt" and element == "float":
        table = ROW_WISE if role == "row-wise" else COLUMN_WISE
        return Floor(table[n], "cuBLAS") if n in table else None
    if role.endswith("-sweep"):
        return Floor(SWEEP, "copy")
    if program == "transpose":
        return Floor(TRANSPOSE, "copy")
    return None


def has_floor(program, element, sizes):
    """Has a kernel of the program a floor at these sizes?"""
    return any(floor(program, k.role, element, sizes)
               for k in PROGRAMS[program].kernels)


# ---- What has to be asked of peak.c ------------------------------------------


def cache(program):
    return "warm" if program in WARM else "cold"


def moved(k, program, element, sizes):
    """Bytes that a launch of a kernel moves, None of one that computes."""
    if not k.elements:
        return None
    return evaluate(k.elements, program, sizes) * BYTES[element]


def blas_request(k, program, element, sizes):
    """The request for cuBLAS, None where it has no such operation."""
    if not k.blas:
        return None
    _, operation, names = k.blas
    numbers = ",".join(str(evaluate(name, program, sizes))
                       for name in names.split(","))
    return f"{operation} {element} {numbers} {cache(program)}"


def copy_request(k, program, element, sizes):
    """The request for a copy of as many bytes, in whole vectors."""
    total = moved(k, program, element, sizes)
    return total and f"copy {max(32, total // 32 * 32)} {cache(program)}"


def requests(cases):
    """What peak.c has to measure beside (program, type, sizes), each once."""
    wanted = dict.fromkeys(PEAKS)
    for program, element, sizes in cases:
        for k in PROGRAMS[program].kernels:
            for ask in blas_request, copy_request:
                wanted[ask(k, program, element, sizes)] = None
    wanted.pop(None, None)
    return list(wanted)


# ---- Measured lines ----------------------------------------------------------

# Fields that take the rest of the line.
LAST = ("name", "what")


def fields(line):
    """(word, fields) of a line."""
    word, _, rest = line.strip().partition(" ")
    found = {}
    while rest:
        key, equals, rest = rest.partition("=")
        if not equals:
            raise ValueError(f"not a line of measurements: {line}")
        if key in LAST and word != "figure":
            found[key], rest = rest, ""
        else:
            found[key], _, rest = rest.partition(" ")
    return word, found


def numbers(text):
    return tuple(int(n) for n in text.split(","))


# cases: (program, type, sizes) -> {ways that were asked for}.  figures: request
# -> Figure.  runs: (program, type, sizes, promotion, role) -> [Run].  sums: case
# -> {way: {checksums}}.  problems: sentences.  checked: the driver's comparisons
# that were made.
Measured = namedtuple("Measured",
                      "cases device figures runs sums problems checked "
                      "startup")
Figure = namedtuple("Figure", "best median amount")
# ms: of all launches; median: None where only that is known.
Run = namedtuple("Run", "launches repetitions ms median")


def figure_request(found):
    """The request that a figure answers."""
    words = [found["what"], found["type"], found["sizes"], found["cache"]]
    if found["what"] == "fma":
        words = words[:2]
    return " ".join(word for word in words if word != "-")


def read_line(measured, line):
    word, found = fields(line)
    case = ()
    if word in ("case", "run", "sequential"):
        case = (found["program"], found["type"], numbers(found["sizes"]))
        asked = measured.cases.setdefault(case, set())
        if word == "case":
            asked.update(found.get("ways", ",".join(WAYS)).split(","))
    if word == "startup":
        measured.startup.append(line)
    elif word == "device":
        measured.device.update(found)
    elif word == "figure":
        measured.figures[figure_request(found)] = Figure(
            float(found["best_ms"]), float(found["median_ms"]),
            float(found["amount"]))
    elif word == "run":
        measured.runs.setdefault(
            (*case, found["promotion"], found["role"]), []).append(
                Run(int(found["launches"]), int(found["repetitions"]),
                    float(found["ms"]), "median_ms" in found and
                    float(found["median_ms"]) or None))
    elif word == "failed":
        measured.problems.append(found["what"])
    elif word == "skipped":
        measured.problems.append(f"no time left for {found['what']}")
    elif word == "checked":
        measured.checked.append(found["what"])
    elif word not in ("case", "sequential"):
        raise ValueError(f"not a line of measurements: {line}")
    if "checksum" in found:
        way = found.get("promotion", "sequential")
        measured.sums.setdefault(case, {}).setdefault(way, set()).add(
            found["checksum"])


def read(lines):
    """What measured lines say; ValueError for a line that is none."""
    measured = Measured({}, {}, {}, {}, {}, [], [], [])
    for line in lines:
        if line.strip():
            try:
                read_line(measured, line)
            except KeyError as missing:
                raise ValueError(f"no field {missing} in: {line}") from None
    return measured


# ---- Rows --------------------------------------------------------------------

# Milliseconds are those of one launch, the median of a process, or the mean where
# that is not known, and the shortest of its processes; what is not known is None.  beside: milliseconds of cuBLAS.  blas, peak: shares of the
# speed of cuBLAS, and of a copy or of FMA.  verdict: "ok", "SLOW: ...",
# "MISSING: ...", "unsupported: ..." or "-", where nothing is asked for.
Row = namedtuple("Row", "program type sizes role ms rate unit beside blas peak "
                 "floor without verdict")


def launch_ms(k, runs, program, sizes):
    """(ms, what is wrong): of one launch, the shortest of the processes."""
    if not runs:
        return None, "not measured"
    wanted = evaluate(k.launches, program, sizes)
    for run in runs:
        if run.launches != wanted * run.repetitions:
            return None, (f"{run.launches} launches in {run.repetitions} "
                          f"repetitions, not {wanted} in each")
        if run.ms <= 0:
            return None, "no time"
    return min(run.median or run.ms / run.launches for run in runs), None


def kernel_ms(k, measured, case, promotion):
    """As launch_ms; of all kernels of a program: of one repetition."""
    program, _, sizes = case
    if k.arrays:
        return launch_ms(k, measured.runs.get((*case, promotion, k.role)),
                         program, sizes)
    total = 0
    for part in PROGRAMS[program].kernels:
        if part.arrays:
            ms, wrong = kernel_ms(part, measured, case, promotion)
            if wrong:
                return None, wrong
            total += ms * evaluate(part.launches, program, sizes)
    return total, None


def differing(sums):
    """What is wrong with the checksums of a case, None if nothing."""
    if len(set().union(*sums.values())) < 2:
        return None
    return "results differ: " + ", ".join(
        f"{way} {' '.join(sorted(found))}" for way, found in sums.items())


def share(reference, ms):
    return reference / ms if reference is not None and ms else None


def peak_ms(k, measured, case, amount):
    """Milliseconds that a launch would take at the peak, None if not known."""
    program, element, sizes = case
    if k.flops:
        found = measured.figures.get(f"fma {element}")
        return found and amount / found.amount * found.best
    found = measured.figures.get(copy_request(k, program, element, sizes))
    return found and found.median


def judge(wanted, blas, peak, ms, without, problems):
    """The verdict on a row; "without" is None where nobody asked for that."""
    for problem in problems:
        if problem:
            return f"MISSING: {problem}"
    if ms is None:
        return "-"
    slow = []
    if without is not None and ms > without * SLACK + SLACK_MS:
        slow.append("slower than without promotion")
    if wanted:
        reached = blas if wanted.of == "cuBLAS" else peak
        if reached is not None and reached < wanted.share:
            slow.append(f"{reached:.1%} of {wanted.of}")
        if reached is None and not slow:
            return f"unsupported: nothing measured of {wanted.of}"
    return "SLOW: " + ", ".join(slow) if slow else "ok"


def row(k, measured, case):
    program, element, sizes = case
    ms, wrong = kernel_ms(k, measured, case, "on")
    without, wrong_without = kernel_ms(k, measured, case, "off")
    amount = evaluate(k.flops, program, sizes) if k.flops else \
        moved(k, program, element, sizes)
    found = measured.figures.get(blas_request(k, program, element, sizes))
    beside = found and found.median * k.blas[0]
    blas = share(beside, ms)
    peak = share(peak_ms(k, measured, case, amount), ms)
    wanted = floor(program, k.role, element, sizes)
    asked = measured.cases[case] or WAYS
    verdict = judge(wanted, blas, peak, ms, without, [
        "on" in asked and wrong,
        "off" in asked and wrong_without and
        f"without promotion: {wrong_without}",
        differing(measured.sums.get(case, {}))])
    return Row(program, element, sizes, k.role, ms,
               amount / ms / 1e6 if ms else None,
               "GFLOP/s" if k.flops else "GB/s", beside, blas, peak, wanted,
               without, verdict)


def rows(measured):
    """The rows of all kernels of all cases, measured or not."""
    return [row(k, measured, case) for case in measured.cases
            for k in PROGRAMS[case[0]].kernels]


def violations(found, problems=()):
    """Sentences on what is slow or missing."""
    return list(problems) + [
        f"{r.program} {r.type} {' '.join(map(str, r.sizes))} {r.role}: "
        f"{r.verdict.partition(': ')[2]}"
        for r in found if r.verdict.startswith(("SLOW", "MISSING"))]


PASSED, VIOLATED, UNSUPPORTED = 0, 1, 77


def status(found, problems=()):
    """The exit status of --check."""
    if violations(found, problems):
        return VIOLATED
    if any(r.verdict.startswith("unsupported") for r in found):
        return UNSUPPORTED
    return PASSED


# ---- Table -------------------------------------------------------------------

COLUMNS = ("program", "type", "sizes", "kernel", "ms", "rate", "cuBLAS ms",
           "of cuBLAS", "of peak", "floor", "without ms", "speed-up",
           "verdict")
LEFT = ("program", "type", "sizes", "kernel", "floor", "verdict")


def cells(r):
    def text(value, form):
        return "-" if value is None else format(value, form)

    return [r.program, r.type, " ".join(map(str, r.sizes)), r.role,
            text(r.ms, ".4f"),
            "-" if r.rate is None else f"{r.rate:.0f} {r.unit}",
            text(r.beside, ".4f"), text(r.blas, ".1%"), text(r.peak, ".1%"),
            f"{r.floor.share:.0%} of {r.floor.of}" if r.floor else "-",
            text(r.without, ".4f"),
            f"{r.without / r.ms:.2f}" if r.ms and r.without else "-",
            r.verdict]


def table(found):
    """The rows in markdown."""
    rule = ["---" if column in LEFT else "---:" for column in COLUMNS]
    return "\n".join("| " + " | ".join(line) + " |"
                     for line in [COLUMNS, rule, *map(cells, found)])


def summary(measured):
    """A line each on the device and its peaks."""
    device = {"name": "unknown device", "capability": "?", "driver": "?",
              "cublas": "0", **measured.device}
    blas = "none" if device["cublas"] == "0" else device["cublas"]
    lines = [f"{device['name']}, compute capability {device['capability']}, "
             f"driver {device['driver']}, cuBLAS {blas}"]
    for request in PEAKS:
        found = measured.figures.get(request)
        if found:
            unit = "GFLOP/s" if request.startswith("fma") else "GB/s"
            lines.append(f"{request}: {found.amount / found.best / 1e6:.0f} "
                         f"{unit} at best, "
                         f"{found.amount / found.median / 1e6:.0f} in the "
                         "median")
    return lines


def report(measured):
    """(lines, exit status of --check)."""
    found = rows(measured)
    if not (found or measured.checked or measured.figures or
            measured.startup):
        measured.problems.append("nothing was measured")
    wrong = violations(found, measured.problems)
    unsupported = sum(r.verdict.startswith("unsupported") for r in found)
    lines = [*summary(measured), *measured.checked, "", table(found), "",
             *wrong, f"{len(found)} kernels: {len(wrong)} violations, "
             f"{unsupported} unsupported"]
    return lines, status(found, measured.problems)
