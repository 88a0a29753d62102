"""The search of polygpu tune, on programs and builds that are a few numbers.

    check_search.py TOOLS_TUNE TOOLS_REPORT MODEL SCRIPTS
"""

import json
import random
import sys
import tempfile
from pathlib import Path

sys.path[:0] = sys.argv[1:]

import records
from builds import Build, BuildFailed, TimeUp
from candidates import fits, sizes_of, structures
from progress import Progress
from runs import Result, Run
from search import Search
from state import State
from tune import Base


class Silent:
    """A file nobody reads."""

    def isatty(self):
        return False

    def write(self, text):
        pass

    def flush(self):
        pass


def kernel(name, **more):
    made = {"name": name, "parallel": 2, "block": [32, 8, 1], "tile": [32, 32],
            "buffers": 0, "nested": False, "host_loops": 0, "waves": False,
            "chain": False, "shared": 0, "registers": 0, "spills": False}
    made.update(more)
    return made


MACHINE = {"threads": 2048, "blocks": 32, "warp": 32, "shared": 100000,
           "registers": 65536}


class World:
    """Two SCoPs of two kernels, and what each choice takes.  wrong: words of
    choices that make the output wrong, broken: that do not compile, spilling,
    crowded: whose kernels spill or need all registers, misfit: that are not for
    the loops."""

    def __init__(self, seed, noise=0.0, **of):
        self.random = random.Random(seed)
        self.noise = noise
        self.of = {"wrong": (), "broken": (), "spilling": (), "crowded": (),
                   "misfit": (), **of}
        self.keys = [("a" * 16, "sm_90"), ("b" * 16, "sm_90")]
        self.builds, self.runs, self.stop_after = [], 0, None
        self.now = {}

    def build(self, choices, timeout):
        assert timeout is None or timeout > 0
        if self.stop_after is not None and len(self.builds) >= self.stop_after:
            raise KeyboardInterrupt()
        self.builds.append(dict(choices))
        self.now = dict(choices)
        if any(self.has("broken", words) for words in choices.values()):
            raise BuildFailed("no")
        scops = {}
        for n, key in enumerate(self.keys):
            words = choices.get(key, "")
            kernels = [kernel(f"k{n}{k}", code=f"{k} {words}",
                              spills=self.has("spilling", words, k),
                              registers=255 if self.has("crowded", words, k)
                              else 32) for k in range(2)]
            scops[key] = [{"function": f"f{n}", "file": "f.c", "line": n,
                           "statements": 2, "overlap": False, "code": words,
                           "machine": MACHINE, "kernels": kernels}]
        return Build(scops, {key: "it does not fit"
                             for key, words in choices.items()
                             if self.has("misfit", words)})

    def has(self, what, words, kernel=0):
        """Words are about kernel 0."""
        return kernel == 0 and any(word in words for word in self.of[what])

    def cost(self, key, number):
        """Blocks of 4 x 32 are the best, and fusion=min for the second SCoP."""
        words = self.now.get(key, "")
        took = 10.0
        if key == self.keys[1]:
            took *= 0.5 if "fusion=min" in words else 1
        if f"kernel[{number}]->block[4,32]" in words:
            took *= 0.25
        elif f"kernel[{number}]->block[16,32]" in words:
            took *= 0.6
        return took

    # As Measure.

    exact, by = False, "time"

    def __call__(self, build, timeout):
        self.runs += 1
        bad = any(self.has("wrong", words) for words in self.now.values())
        return Run([Result(0, "bad" if bad else "good", {})], {}, 0, "cuda")

    def figure(self, build, run, slot):
        numbers = range(2) if slot.kernel is None else [slot.kernel]
        exact = sum(self.cost(slot.key, number) for number in numbers)
        return exact * (1 + self.noise * self.random.random())


def search(world, path, limit=1000, out=None):
    state = State(path, {"of": "test"})
    progress = Progress(limit, state, out or Silent())
    progress.whole = 40
    base = world.build({}, 1)
    made = Search(world, world, state, progress, Base(base.scops, 0))
    made.expected = Result(0, "good", {})
    try:
        made.run(world.keys)
        made.ended = "all"
    except TimeUp:
        made.ended = "time"
    except KeyboardInterrupt:
        made.ended = "stopped"
    progress.close()
    return made


def words(made):
    return {key: records.choice_text(choice)
            for key, choice in made.best.items()}


def check(truth, what):
    if not truth:
        sys.exit(f"check_search.py: {what}")


def check_best(world, made):
    """The best of what was tried, for both kernels of both SCoPs."""
    for number, key in enumerate(world.keys):
        text = words(made)[key]
        for k in range(2):
            check(f"kernel[{k}]->block[4,32]" in text, f"block of {k}: {text}")
        check(("fusion=min" in text) == (number == 1), f"fusion: {text}")


def test_finds(folder):
    for seed in range(5):
        world = World(seed, noise=0.05)
        made = search(world, folder / f"finds{seed}")
        check(made.ended == "all", "it did not end")
        check_best(world, made)
    # Of SCoPs and kernels candidates are tried together.
    check(len(world.builds) < 80, f"{len(world.builds)} builds")


def test_wrong(folder):
    """The best ones are wrong, not built, or not to be taken: the next are, and
    the others' are."""
    for kind in "wrong", "broken", "spilling", "crowded", "misfit":
        world = World(1, **{kind: ("kernel[0]->block[4,32]",)})
        made = search(world, folder / kind)
        for key in world.keys:
            text = words(made)[key]
            check("kernel[0]->block[4,32]" not in text, f"{kind}: {text}")
            check("kernel[0]->block[16,32]" in text, f"{kind}: {text}")
            check("kernel[1]->block[4,32]" in text, f"{kind}, other: {text}")
        why = [why for name, why in made.state.data["rejected"].items()
               if "kernel[0]->block[4,32]" in name]
        check(why, "nothing was rejected")
    world = World(1, wrong=("fusion=min",))
    text = words(search(world, folder / "fusion"))[world.keys[1]]
    check("fusion=min" not in text, f"a wrong structure: {text}")


def test_all_wrong(folder):
    """Everything but the program as it is."""
    world = World(1, wrong=("=",))
    check(not any(words(search(world, folder / "all")).values()),
          "something wrong was taken")


def test_resumes(folder):
    """Stopped after any number of builds, and gone on with: the same, and
    nothing is measured twice."""
    whole = World(3)
    expected = words(search(whole, folder / "whole"))
    for stop in (1, 2, 4, 7, 12, 20, len(whole.builds) - 1):
        path = folder / f"stop{stop}"
        first = World(3)
        first.stop_after = stop
        made = search(first, path) if stop > 1 else None
        check(made is None or made.ended == "stopped", "it was not stopped")
        for key, text in (words(made) if made else {}).items():
            first.now = {key: text}
            took = sum(first.cost(key, k) for k in range(2))
            check(took <= 20, "what was taken at Ctrl-C is slower")
        second = World(3)
        again = search(second, path)
        check(words(again) == expected, f"another result after {stop}")
        check(len(second.builds) <= len(whole.builds) - max(0, stop - 4),
              f"{len(second.builds)} builds after {stop} of "
              f"{len(whole.builds)}")


def test_time(folder):
    """Over after 10 builds."""
    world = World(1)
    left = Progress.left
    Progress.left = lambda self: (_ for _ in ()).throw(TimeUp()) \
        if len(world.builds) > 10 else 1.0
    made = search(world, folder / "time")
    Progress.left = left
    check(made.ended == "time", "the time did not end it")
    check(len(world.builds) == 11, f"{len(world.builds)} builds")


def test_no_gain(folder):
    """Noise is no gain."""
    for seed in range(20):
        world = World(seed, noise=0.1)
        world.cost = lambda key, number: 10.0
        found = words(search(world, folder / f"noise{seed}"))
        check(not any(found.values()), f"seed {seed}: {found}")


def test_state(folder):
    path = folder / "state"
    search(World(1), path)
    other = State(path, {"of": "other"})
    check(other.begun_anew and not other.data["figures"], "of another command")
    curve = json.loads(path.read_text())["curve"]
    check(len(curve) > 1, "the curve")
    times = [seconds for seconds, _ in curve]
    check(times == sorted(times), "its times")
    check([part for _, part in curve] ==
          sorted((part for _, part in curve), reverse=True), "it goes up")
    check(abs(curve[-1][1] - 7.5 / 40) < 1e-6, f"its end is {curve[-1]}")


def test_candidates():
    for base in (kernel("k"), kernel("k", tile=[256], block=[256, 1, 1]),
                 kernel("k", tile=[32, 8, 4], block=[32, 8, 4]),
                 kernel("k", tile=[128, 64], block=[16, 16, 1], buffers=3)):
        found = sizes_of(base)
        check(found, "no candidates")
        for sizes in found:
            check("stages" in sizes or fits(sizes["tile"], sizes["block"]), f"it does not fit: {sizes}")
        texts = [str(sizes) for sizes in found]
        check(len(set(texts)) == len(texts), "the same twice")
    check(not sizes_of(kernel("k", parallel=0)), "one thread")
    check(structures([{"statements": 1, "overlap": False,
                       "kernels": [kernel("k")]}]) == [{}], "one statement")


def test_records():
    text = ("scop=" + "a" * 16 + " arch=sm_90 by=time before=2 after=1 "
            "sizes={kernel[0]->tile[8]} fusion=min # words")
    one = records.parse_line(text, "x:1")
    check(records.line_of(one) == text, records.line_of(one))
    made = one._replace(after=0.5, by="model", comment="")
    slow = one._replace(after=1.5)
    check(records.merged([slow, made, one]) == [one], "the order of records")
    check(records.merged([one, slow, made]) == [one], "the order in files")


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for test in (test_finds, test_wrong, test_all_wrong, test_resumes,
                     test_time, test_no_gain, test_state):
            test(folder)
    test_candidates()
    test_records()
    print("search: as expected")


main()
