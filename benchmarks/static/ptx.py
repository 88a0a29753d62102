"""Reads PTX as LLVM writes it: kernels, their blocks and loops, and what the
main loop of each consists of.

A loop is a natural loop: the blocks from which a back edge, a branch to a block
that dominates it, is reached without passing that block again.  What belongs to
a loop is counted without the loops inside of it, but for copies: see
main_loop().
"""

import re
import shlex
from collections import Counter, namedtuple

# predicate: "%p1", "!%p1", or "" where nothing stands before the opcode.
Instruction = namedtuple("Instruction", "predicate opcode operands")

# instructions: the last may be a branch.  successors: numbers of blocks.
Block = namedtuple("Block", "label instructions successors")

# text: without comments.  arguments: of ptxas, as a comment before the module
# names them.  given: kernel name -> bytes of shared memory that the launch gives
# it, as such comments say.
Module = namedtuple("Module", "text arguments given")

# threads: those of a block of threads, None where the PTX does not say.
# dynamic_shared: whether it uses shared memory that the launch gives it.
Kernel = namedtuple("Kernel", "name threads blocks dynamic_shared")

# header: number of a block.  body: numbers of blocks, inner loops included.
Loop = namedtuple("Loop", "header body")

# place: the label of the loop's header, or "body" outside of all loops.
# shared, loads: Counter of bytes -> loads of so many bytes from shared and
# global memory.  read_only: how many of the latter are ld.global.nc.
# branches, predicated, selects: the guards, see guards().
Figures = namedtuple("Figures", "place depth fma shared loads read_only "
                     "branches predicated selects multiplies barriers async_")

ARGUMENTS = re.compile(r"^// ptxas (.+)$", re.MULTILINE)
GIVEN = re.compile(r"^// ([\w$]+): (\d+) bytes of shared memory, given at the "
                   r"launch$", re.MULTILINE)
COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
LINE_DIRECTIVE = re.compile(r"^\s*\.(?:loc|file)\b[^\n]*$", re.MULTILINE)
EXTERN_SHARED = re.compile(r"\.extern\s+\.shared\b[^;]*?([\w$]+)\s*\[")
ENTRY = re.compile(r"\.entry\s+([\w$]+)")
THREADS = re.compile(r"\.(?:reqntid|maxntid)\s+([\d\s,]+)")
NAME = re.compile(r"[\w$]+")
LABEL = re.compile(r"([A-Za-z_$%][\w$]*)\s*:(?!:)\s*")
STATEMENT = re.compile(r"(?:@(!?[\w$%]+)\s+)?([\w.:]+)\s*(.*)$", re.DOTALL)
WIDTH = re.compile(r"(?:\.v(\d))?\.[a-z]+?(\d+)(?:x(\d))?$")
FMUL = re.compile(r"mul(?:\.rn)?\.(f32|f64)$")
FADD = re.compile(r"(?:add|sub)(?:\.rn)?\.(f32|f64)$")
FMA = re.compile(r"(?:fma|mad)(?:\.\w+)*\.(f32x2|f32|f64)$")
MULTIPLY = re.compile(r"(?:mul|mad)\."
                      r"(?:wide\.\w+|(?:lo|hi)(?:\.cc)?\.[sub]64)$")
ASYNC = re.compile(r"cp\.async\.(?!commit|wait|mbarrier|bulk\.(?:commit|wait))")
BARRIER = re.compile(r"(?:bar|barrier)\.(?!warp)")


# ---- Kernels and blocks ---------------------------------------------------


def modules(text):
    """The Modules in what print<gpu-ptx> writes, one after another; comments
    about one stand before its .version."""
    before, *parts = re.split(r"^(?=\.version\b)", text, flags=re.MULTILINE)
    found = []
    for part in parts:
        arguments = [word for line in ARGUMENTS.findall(before)
                     for word in shlex.split(line)]
        given = {name: int(size) for name, size in GIVEN.findall(before)}
        found.append(Module(COMMENT.sub("", part), arguments, given))
        before = part
    return found


def closing(text, at):
    """Where the bracket that opens at "at" is closed."""
    opening = text[at]
    closer = {"(": ")", "{": "}"}[opening]
    depth = 0
    for position in range(at, len(text)):
        depth += (text[position] == opening) - (text[position] == closer)
        if not depth:
            return position
    raise ValueError(f"no '{closer}' at the end of the PTX")


def kernels(text):
    """The kernels of a module."""
    text = LINE_DIRECTIVE.sub("", COMMENT.sub("", text))
    dynamic = set(EXTERN_SHARED.findall(text))
    found = []
    for entry in ENTRY.finditer(text):
        parameters = text.index("(", entry.end())
        parameters_end = closing(text, parameters)
        body = text.index("{", parameters_end)
        threads = THREADS.search(text[parameters_end:body])
        code = text[body + 1:closing(text, body)]
        found.append(Kernel(entry.group(1),
                            threads and product(threads.group(1)),
                            blocks(code),
                            not dynamic.isdisjoint(NAME.findall(code))))
    return found


def product(text):
    result = 1
    for number in text.split(","):
        result *= int(number)
    return result


def statements(body):
    """Labels (str) and Instructions in their order."""
    for text in body.split(";"):
        while True:
            # Braces of call sequences and inline assembly; those of vectors
            # never come first.
            text = text.strip().lstrip("{}").lstrip()
            label = LABEL.match(text)
            if not label:
                break
            yield label.group(1)
            text = text[label.end():]
        if text.startswith(".branchtargets"):
            yield Instruction("", ".branchtargets", text[14:].strip())
        elif text and not text.startswith("."):
            found = STATEMENT.match(text)
            if not found:
                raise ValueError(f"no PTX instruction: {text}")
            yield Instruction(found.group(1) or "", found.group(2),
                              " ".join(found.group(3).split()))


def is_jump(instruction):
    return instruction.opcode.partition(".")[0] in ("bra", "brx", "ret", "exit")


def blocks(body):
    """The basic blocks of a kernel; the first is where it begins."""
    parts, tables = [("", [])], {}
    for item in statements(body):
        label, instructions = parts[-1]
        if isinstance(item, str):
            parts.append((item, []))
        elif item.opcode == ".branchtargets":
            tables[label] = [name.strip() for name in item.operands.split(",")]
        else:
            if instructions and is_jump(instructions[-1]):
                parts.append(("", []))
            parts[-1][1].append(item)
    numbers = {label: n for n, (label, _) in enumerate(parts) if label}
    return [Block(label, instructions,
                  successors(n, len(parts), instructions, numbers, tables))
            for n, (label, instructions) in enumerate(parts)]


def successors(number, count, instructions, numbers, tables):
    last = instructions[-1] if instructions else None
    following = [number + 1] if number + 1 < count else []
    if not last or not is_jump(last):
        return following
    targets = []
    if last.opcode.startswith("brx"):
        table = last.operands.rpartition(",")[2].strip()
        targets = [numbers[name] for name in tables[table]]
    elif last.opcode.startswith("bra"):
        targets = [numbers[last.operands]]
    return targets + (following if last.predicate else [])


# ---- Loops ----------------------------------------------------------------


def dominators(blocks_):
    """For each block the set of blocks that dominate it, as bits of an int; 0
    for a block that is never reached."""
    every = (1 << len(blocks_)) - 1
    before = [[] for _ in blocks_]
    for number, block in enumerate(blocks_):
        for successor in block.successors:
            before[successor].append(number)
    reached, todo = set(), [0]
    while todo:
        number = todo.pop()
        if number not in reached:
            reached.add(number)
            todo += blocks_[number].successors
    result = [every if n in reached else 0 for n in range(len(blocks_))]
    result[0] = 1
    changed = True
    while changed:
        changed = False
        for number in sorted(reached - {0}):
            common = every
            for predecessor in before[number]:
                if predecessor in reached:
                    common &= result[predecessor]
            common |= 1 << number
            changed |= common != result[number]
            result[number] = common
    return result


def loops(blocks_):
    """The natural loops; back edges to the same block make one loop."""
    dominating = dominators(blocks_)
    before = [[] for _ in blocks_]
    for number, block in enumerate(blocks_):
        for successor in block.successors:
            before[successor].append(number)
    bodies = {}
    for number, block in enumerate(blocks_):
        for header in block.successors:
            if not dominating[number] >> header & 1:
                continue
            body = bodies.setdefault(header, {header})
            todo = [number]
            while todo:
                one = todo.pop()
                if one not in body and dominating[one]:
                    body.add(one)
                    todo += before[one]
    return [Loop(header, frozenset(body))
            for header, body in sorted(bodies.items())]


def own_blocks(loop, all_loops):
    """The blocks of a loop that are in no loop inside of it."""
    inner = set()
    for other in all_loops:
        if other.header != loop.header and other.header in loop.body:
            inner |= other.body
    return loop.body - inner


# ---- Figures --------------------------------------------------------------


def width(opcode):
    """Bytes that one thread moves: ld.shared.v4.b32 has 16."""
    found = WIDTH.search(opcode)
    if not found:
        raise ValueError(f"no width in '{opcode}'")
    return (int(found.group(1) or 1) * int(found.group(2)) // 8 *
            int(found.group(3) or 1))


def space(opcode):
    """The memory that a load reads; one without a name is counted as
    global."""
    words = opcode.split(".")
    for word in words[1:]:
        name = word.partition(":")[0]
        if name in ("shared", "global", "local", "param", "const"):
            return name
    return "global"


def count_fma(instructions):
    """A multiplication and an addition that the source does not let fuse count
    as one fma."""
    fused = sum(2 if found.group(1) == "f32x2" else 1
                for one in instructions
                for found in [FMA.match(one.opcode)] if found)
    apart = [sum(bool(pattern.match(one.opcode)) for one in instructions)
             for pattern in (FMUL, FADD)]
    return fused + min(apart)


def loop_tests(blocks_, loop):
    """The branches that decide on one more iteration: the conditional back
    edges or, where there is none, one branch that leaves the loop.  Given as
    numbers of blocks."""
    conditional = [n for n in sorted(loop.body)
                   if blocks_[n].instructions and
                   is_jump(blocks_[n].instructions[-1]) and
                   blocks_[n].instructions[-1].predicate]
    back = [n for n in conditional if loop.header in blocks_[n].successors]
    leaving = [n for n in conditional
               if not loop.body.issuperset(blocks_[n].successors)]
    return set(back or leaving[:1])


def guards(blocks_, part, tests):
    """(branches, predicated, selects) of the blocks "part": conditional
    branches, other instructions with a predicate, setp and selp; without the
    branches "tests" and the setp from which they take their predicates."""
    predicates = {blocks_[n].instructions[-1].predicate.lstrip("!")
                  for n in tests}
    branches = predicated = selects = 0
    for number in part:
        for one in blocks_[number].instructions:
            kind = one.opcode.partition(".")[0]
            if kind in ("setp", "selp"):
                written = one.operands.partition(",")[0].split("|")
                selects += kind == "selp" or predicates.isdisjoint(written)
            if one.predicate and is_jump(one):
                branches += number not in tests
            elif one.predicate:
                predicated += 1
    return branches, predicated, selects


def figures(blocks_, part, tests, place, depth):
    """What the blocks "part" consist of."""
    instructions = [one for n in sorted(part)
                    for one in blocks_[n].instructions]
    shared, loads, read_only = Counter(), Counter(), 0
    for one in instructions:
        if one.opcode.partition(".")[0] not in ("ld", "ldu"):
            continue
        if space(one.opcode) == "shared":
            shared[width(one.opcode)] += 1
        elif space(one.opcode) == "global":
            loads[width(one.opcode)] += 1
            read_only += ".nc." in one.opcode

    def count(pattern):
        return sum(bool(pattern.match(one.opcode)) for one in instructions)

    return Figures(place, depth, count_fma(instructions), shared, loads,
                   read_only, *guards(blocks_, part, tests), count(MULTIPLY),
                   count(BARRIER), count(ASYNC))


def parts(blocks_):
    """Figures of each loop without its inner ones, and of what is outside of
    all loops."""
    found = loops(blocks_)
    outside = set(range(len(blocks_))).difference(*(l.body for l in found))
    yield figures(blocks_, outside, set(), "body", 0)
    for loop in found:
        depth = sum(loop.header in other.body for other in found)
        yield figures(blocks_, own_blocks(loop, found),
                      loop_tests(blocks_, loop),
                      blocks_[loop.header].label or f"block {loop.header}",
                      depth)


def weight(part):
    """By how much a part of a kernel counts: its fma or, without any, its
    loads.  A loop around it counts as four iterations, so that the end of a
    tile is not taken for its middle."""
    loads = sum(part.shared.values()) + sum(part.loads.values())
    return (part.fma * 4 ** part.depth, loads * 4 ** part.depth, part.depth)


def copying(rest, found, main):
    """The loop at whose barriers threads wait for copies that loop "main" uses:
    itself or the innermost one around it that has some; None without.  rest: the
    figures of the loops "found"."""
    return min((loop for part, loop in zip(rest, found)
                if part.barriers and main.header in loop.body),
               key=lambda loop: len(loop.body), default=None)


def main_loop(kernel):
    """The figures of the part of a kernel with the largest weight, of several
    the first.  It may be a strip of what threads do between two barriers, and
    copies may be loops of their own: loads from global memory, barriers and
    cp.async are those of copying(), with the loops inside of it."""
    found = loops(kernel.blocks)
    outside, *rest = parts(kernel.blocks)
    main, loop = max([(outside, None), *zip(rest, found)],
                     key=lambda pair: weight(pair[0]))
    copies = loop and copying(rest, found, loop)
    if not copies:
        return main
    all_ = figures(kernel.blocks, copies.body, set(), main.place, main.depth)
    return main._replace(loads=all_.loads, read_only=all_.read_only,
                         barriers=all_.barriers, async_=all_.async_)
