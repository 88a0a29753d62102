"""The search: which candidates are built and run, and which one is chosen.

In a trial each SCoP (or, for sizes, each kernel) has a candidate of its own, since
the profile tells them apart; if the program's output is wrong, or there is no
build, the trial is halved until it is known who is to blame.  Of the candidates
of a SCoP the better half goes on, and is run twice as often (successive halving).

All of it is a function of what was measured, which the state keeps: who goes on
with a state finds all of that at once.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import statistics
import subprocess
from collections import namedtuple

import candidates
from builds import BuildFailed, TimeUp
from records import choice_text
from runs import differences

MOST = 8         # SCoPs, and kernels of a SCoP, that are looked at
SHARE = 0.03     # of all time, for that
GAIN = 0.02      # below which nothing is changed
DUEL = 7         # runs
CROWDED = 0.25   # of the threads of a multiprocessor

# A SCoP, or a kernel of it (else None), that candidates are for.
Slot = namedtuple("Slot", "key kernel")


class Search:
    """measure: gives Run and figures; see tune.py.  best: key -> choice.
    start: the same for the program as it is, where this is of other sizes than
    what was chosen for all."""

    def __init__(self, builder, measure, state, progress, base, start=None):
        self.builder, self.measure, self.state = builder, measure, state
        self.progress, self.base, self.start = progress, base, start
        self.best = dict(start or {})
        self.expected = None
        self.most = 24  # sizes of a kernel
        self.chosen = {}
        self.again = False  # figures of duels are apart

    # ---- What a slot's candidate is ------------------------------------------

    def name(self, slot, choice):
        """In the state."""
        kernel = "" if slot.kernel is None else f" kernel {slot.kernel}"
        again = " (again)" if self.again else ""
        return (f"{slot.key[0]} {slot.key[1]}{kernel}{again}: "
                f"{choice_text(choice)}")

    def figures(self, slot, choice):
        return self.state.figures(self.name(slot, choice))

    def figure(self, slot, choice):
        return statistics.median(self.figures(slot, choice))

    def combined(self, trial):
        """Choices of all SCoPs: the best so far, and what the trial changes."""
        made = dict(self.best)
        for slot, choice in trial.items():
            if slot.kernel is None:
                made[slot.key] = choice
            else:
                made[slot.key] = candidates.with_sizes(
                    made.get(slot.key, {}), slot.kernel,
                    choice["sizes"][slot.kernel]) \
                    if choice != self.best.get(slot.key, {}) \
                    else made.get(slot.key, {})
        return made

    # ---- One trial -----------------------------------------------------------

    def build(self, trial):
        choices = {key: words for key, words in
                   ((key, choice_text(choice))
                    for key, choice in self.combined(trial).items()) if words}
        return self.builder.build(choices, self.progress.left())

    def reject(self, slot, choice, why):
        self.state.reject(self.name(slot, choice), why)
        self.progress.note(f"{self.progress.called(slot)}: "
                           f"{choice_text(choice) or 'as it is'}: {why}")

    def try_all(self, trial, runs):
        """Have figures of "runs" runs of all in "trial", or why not."""
        trial = {slot: choice for slot, choice in trial.items()
                 if not self.state.rejected(self.name(slot, choice)) and
                 len(self.figures(slot, choice)) < runs}
        if not trial:
            return
        wrong = self.attempt(trial, runs)
        if wrong and len(trial) == 1:
            self.reject(*next(iter(trial.items())), wrong)
        elif wrong:
            slots = list(trial)
            for half in slots[:len(slots) // 2], slots[len(slots) // 2:]:
                self.try_all({slot: trial[slot] for slot in half}, runs)

    def attempt(self, trial, runs):
        """Build and run; what is wrong, or ""."""
        self.progress.begin(trial)
        try:
            build = self.build(trial)
        except BuildFailed as error:
            return f"no build ({error})"
        except subprocess.TimeoutExpired as error:
            raise TimeUp() from error
        several = self.misfit_of_several(trial, build)
        if several:
            return several
        trial = {slot: choice for slot, choice in trial.items()
                 if not self.unfit(slot, choice, build)}
        missing = max((runs - len(self.figures(slot, choice))
                       for slot, choice in trial.items()), default=0)
        for _ in range(missing):
            try:
                run = self.measure(build, self.progress.left())
            except subprocess.TimeoutExpired as error:
                if self.progress.left() <= 0:
                    raise TimeUp() from error
                return "it takes too long"
            wrong = differences(self.expected, run)
            if wrong:
                return wrong
            if run.failed > self.base.failed:
                return "loops fail on the device"
            self.keep(trial, build, run)
        self.progress.end(self)
        return ""

    @staticmethod
    def misfit(key, build):
        """Why the record of a SCoP was not taken, or ""."""
        if key in build.misfits:
            return build.misfits[key]
        return "" if key in build.scops else "the loops are not offloaded"

    def misfit_of_several(self, trial, build):
        """The same, if that may be due to any of several of its kernels."""
        keys = [slot.key for slot in trial]
        return next(filter(None, (self.misfit(key, build) for key in keys
                                  if keys.count(key) > 1)), "")

    def unfit(self, slot, choice, build):
        """Is it clear without a run that the candidate is not to be taken?"""
        why = ""
        if choice_text(choice) and choice != self.as_it_is(slot.key):
            why = self.misfit(slot.key, build) or \
                self.pruned(slot, choice, build)
        if why:
            self.reject(slot, choice, why)
        return bool(why)

    def pruned(self, slot, choice, build):
        entries = build.scops[slot.key]
        same = self.state.same_code(
            slot, choice_text(choice),
            " ".join(entry["code"] if slot.kernel is None else
                     entry["kernels"][slot.kernel]["code"]
                     for entry in entries))
        if same is not None:
            return f"the same kernels as {'with ' + same if same else 'now'}"
        for entry, old in zip(entries, self.base.scops[slot.key]):
            kernels = entry["kernels"] if slot.kernel is None else \
                [entry["kernels"][slot.kernel]]
            why = next(filter(None, (crowded(one, entry["machine"])
                                     for one in kernels)), "")
            if why and not any(crowded(one, old["machine"])
                               for one in old["kernels"]):
                return why
        return ""

    def keep(self, trial, build, run):
        for slot, choice in trial.items():
            figure = self.measure.figure(build, run, slot)
            if figure is None:
                self.reject(slot, choice, "it did not run on the device")
            else:
                self.state.add(self.name(slot, choice), figure)

    # ---- Successive halving --------------------------------------------------

    def halve(self, lists):
        """lists: slot -> choices, the first of which is the best so far; leaves
        the better one of each slot in front."""
        runs = 1
        lists = {slot: list(choices) for slot, choices in lists.items()
                 if len(choices) > 1}
        old = {slot: choices[0] for slot, choices in lists.items()}
        while lists:
            self.progress.stage(lists)
            for at in range(max(map(len, lists.values()))):
                self.try_all({slot: choices[at]
                              for slot, choices in lists.items()
                              if at < len(choices)}, runs)
                self.take(lists)
            for slot in list(lists):
                lists[slot] = self.half(slot, lists[slot])
                if len(lists[slot]) < 2:
                    del lists[slot]
            runs *= 2
            if self.measure.exact:
                return
        self.duel({slot: choice for slot, choice in old.items()
                   if self.chosen.get(slot, choice) != choice})

    def duel(self, old):
        """What was chosen was lucky, too: it is run some more times, and so is
        what there was, and these runs decide."""
        new = {slot: self.chosen[slot] for slot in old}
        self.chosen.update(old)
        self.again = True
        try:
            self.try_all(old, DUEL)
            self.try_all(new, DUEL)
            for slot in old:
                self.take_if_faster(slot, old[slot], new[slot])
        finally:
            self.again = False

    def take_if_faster(self, slot, old, new):
        """All of its runs but one have to be below all of the old."""
        before, after = self.figures(slot, old), self.figures(slot, new)
        if len(before) < DUEL or len(after) < DUEL or \
                self.state.rejected(self.name(slot, new)):
            return
        gain = statistics.median(before) - statistics.median(after)
        if sorted(after)[-2] < min(before) and \
                gain > GAIN * statistics.median(before):
            self.chosen[slot] = new
        self.progress.found(slot, statistics.median(before),
                            statistics.median(
                                after if self.chosen[slot] == new else before))

    def measured(self, slot, choices):
        return sorted((choice for choice in choices
                       if self.figures(slot, choice) and
                       not self.state.rejected(self.name(slot, choice))),
                      key=lambda choice: (self.figure(slot, choice),
                                          choice_text(choice)))

    def half(self, slot, choices):
        """The better half; what there was stays in front, to be compared
        with."""
        good = self.measured(slot, choices)
        kept = good[:max(1, len(good) // 2)]
        if len(kept) > 1 and choices[0] in good:
            return choices[:1] + [one for one in kept if one != choices[0]]
        return kept

    def take(self, lists):
        """Have the best be what is best now."""
        for slot, choices in lists.items():
            good = self.measured(slot, choices)
            old = choices[0]
            if not good or old not in good:
                continue
            # Less is noise: half of its runs have to be below all of the old.
            before, after = self.figure(slot, old), self.figure(slot, good[0])
            better = (after < min(self.figures(slot, old)) and
                      before - after > GAIN * before)
            self.progress.found(slot, before, after if better else before)
            self.chosen[slot] = good[0] if better else old

    # ---- All of it -----------------------------------------------------------

    def as_it_is(self, key):
        return (self.start or {}).get(key, {})

    def gained(self):
        """key -> choice of the SCoPs that are not as they were."""
        return {key: choice for key, choice in self.best.items()
                if choice != self.as_it_is(key)}

    def structures(self, key):
        entries = self.base.scops[key]
        return candidates.structures(entries) if self.start is None else \
            candidates.promotions(entries, self.as_it_is(key))

    def settle(self):
        """What was chosen for slots becomes the best of their SCoPs."""
        for slot, choice in self.chosen.items():
            if slot.kernel is None:
                self.best[slot.key] = choice
            elif choice.get("sizes", {}).get(slot.kernel):
                self.best[slot.key] = candidates.with_sizes(
                    self.best.get(slot.key, {}), slot.kernel,
                    choice["sizes"][slot.kernel])
        self.chosen = {}

    def run(self, hot):
        """hot: keys of SCoPs."""
        try:
            self.halve({Slot(key, None): self.structures(key)
                        for key in hot})
            self.settle()
            self.halve(self.size_lists(hot))
        finally:
            self.settle()

    def size_lists(self, hot):
        """For the kernels that take the time with what is best so far."""
        self.progress.begin({})
        try:
            build = self.build({})
            run = self.measure(build, self.progress.left())
        except BuildFailed:
            return {}
        except subprocess.TimeoutExpired as error:
            raise TimeUp() from error
        lists = {}
        for key in hot:
            best, slots = self.best.get(key, {}), {}
            for number, _ in enumerate(build.scops[key][0]["kernels"]
                                       if key in build.scops else []):
                slot = Slot(key, number)
                slots[slot] = self.measure.figure(build, run, slot) or 0
            for slot in hot_slots(slots):
                lists[slot] = [best] + [
                    candidates.with_sizes(best, slot.kernel, one)
                    for one in self.sizes(build.scops[key][0],
                                          slot.kernel)[:self.most]]
        return lists

    @staticmethod
    def sizes(entry, number):
        if number == 0 and entry["overlap"]:
            return candidates.time_sizes(entry)
        return candidates.sizes_of(entry["kernels"][number])


def crowded(kernel, machine):
    """Why a kernel has too few threads on a multiprocessor, by the model of
    what a multiprocessor has; ""."""
    if kernel["spills"]:
        return f"{kernel['name']} spills registers"
    threads = kernel["block"][0] * kernel["block"][1] * kernel["block"][2]
    blocks = min(machine["threads"] // max(1, threads), machine["blocks"])
    if kernel["shared"]:
        blocks = min(blocks, machine["shared"] // kernel["shared"])
    if kernel["registers"]:
        of_warp = -(-kernel["registers"] // 8) * 8 * machine["warp"]
        warps = -(-threads // machine["warp"])
        blocks = min(blocks, machine["registers"] // (of_warp * warps))
    if kernel["parallel"] and blocks * threads < CROWDED * machine["threads"]:
        return (f"{blocks * threads} threads of {kernel['name']} at a time on a "
                f"multiprocessor, of {machine['threads']}")
    return ""


def hot_slots(totals):
    """What takes the time, the longest first."""
    whole = sum(totals.values())
    return [key for key in sorted(totals, key=lambda key: (-totals[key], key))
            if totals[key] > SHARE * whole][:MOST]
