"""Conditions on sizes, of what several runs have shown, and records with them.

    check_ranges.py FOLDER...    where modules of polygpu tune are
"""

import random
import sys

sys.path[:1] = sys.argv[1:]

import ranges
import records


def check(truth, what):
    if not truth:
        sys.exit(f"check_ranges: {what}")


def holds(when, values):
    for part in when.split(","):
        if ">=" in part:
            name, value = part.split(">=")
            if values[int(name[1:])] < int(value):
                return False
        else:
            name, value = part.split("<")
            if values[int(name[1:])] >= int(value):
                return False
    return True


def test_known():
    one = ranges.when_of([[100, 100], [7, 7]], [[[1000, 1000], [7, 7]]])
    check(one == "p0<317", one)
    one = ranges.when_of([[1000, 1000]], [[[100, 100]], [[4000, 4000]]])
    check(one == "p0>=317,p0<2001", one)
    one = ranges.when_of([[3, 3], [10, 10]], [[[4, 4], [1000, 1000]]])
    check(one == "p1<101", one)
    check(ranges.when_of([[5, 50]], [[[40, 60]]]) is None, "they overlap")
    check(ranges.when_of([[5, 5]], []) is None, "there are no others")
    check(ranges.when_of([], []) is None, "there are no parameters")
    check(ranges.merged([[[1, 2]], [[0, 1]]]) == [[0, 2]], "merged")
    check(ranges.merged([[[1, 2]], []]) is None, "other parameters")


def test_random(seed):
    """Each run's sizes hold for its condition and for no other one."""
    made = random.Random(seed)
    for _ in range(3000):
        runs = [[sorted(made.randrange(*made.choice([(-9, 9), (0, 10 ** 6)]))
                        for _ in range(2))
                 for _ in range(made.randrange(1, 4))]]
        for _ in range(made.randrange(1, 4)):
            runs.append([sorted(made.randrange(-9, 10 ** made.randrange(1, 7))
                                for _ in range(2)) for _ in runs[0]])
        for at, mine in enumerate(runs):
            others = runs[:at] + runs[at + 1:]
            when = ranges.when_of(mine, others)
            if when is None:
                continue
            for end in (0, 1):
                check(holds(when, [pair[end] for pair in mine]),
                      f"{when} of {mine}, by seed {seed}")
                for other in others:
                    check(not holds(when, [pair[end] for pair in other]),
                          f"{when} of {mine} holds for {other}, by seed {seed}")


def test_records():
    text = ("scop=0123456789abcdef arch=sm_75 by=time before=2 after=1 "
            "when=p0>=512,p1<64 sizes={kernel[0]->block[64]} # f (f.c:1)")
    one = records.parse_line(text, "x:1")
    check(records.line_of(one) == text, records.line_of(one))
    plain = one._replace(when="", after=1.5)
    other = one._replace(when="p0<512")
    worse = one._replace(after=1.25)
    wanted = [plain, other, one]
    check(records.merged([worse, one, other, plain]) == wanted, "merged")
    check(records.merged([plain, other, one, worse]) == wanted, "the order")


test_known()
test_random(random.SystemRandom().randrange(2 ** 32))
test_records()
print("ranges: as expected")
