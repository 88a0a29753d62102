"""Load schedules with random errors: mutated.py COUNT SEED IR OPT

Each is a saved one with up to four characters or pieces lost, doubled, exchanged
or replaced, or cut off.  Whatever it is, opt must end well and say of each nest
that it is offloaded or why it is not.  SEED is a number, or - for one of its own;
OPT is the command with the plugin.
"""

import os
import random
import subprocess
import sys
import tempfile

SPECIAL = "{}[]():,\"'#&*!|>%@-?<= \\\t~0129n"
WORDS = ("(", ")", "{", "}", "[", "]", ";", ":", "->", "-", "mod", "floor(",
         "exists", "max(", "or", "not", "<<=", "infty", "nan", "2^200", "/0",
         "99999999999999999999", "S0", "S1", "n", "i0", "=", "<", "1/2", "..",
         "true", "false", "mod 0", "[n]", "?", "\u00e9", "*", "'", "i0 = 3")


def mutate(r, text):
    for _ in range(r.randint(1, 4)):
        i, j = sorted((r.randrange(len(text)), r.randrange(len(text))))
        j = min(j, i + r.choice((1, 1, 2, 8, 40)))
        k = r.randrange(len(text))
        text = r.choice((
            lambda: text[:i] + text[j:],
            lambda: text[:i] + text[i:j] * r.choice((2, 3)) + text[j:],
            lambda: text[:i] + r.choice(SPECIAL) + text[i + 1:],
            lambda: text[:i] + r.choice(SPECIAL) + text[i:],
            lambda: text[:k] + text[i:j] + text[k:],
            lambda: text[:i] + text[j:j + 1] + text[i + 1:j] + text[i:i + 1]
            + text[j + 1:],
            lambda: text[:max(i, 1)],
        ))() or text
    return text.replace("\n", " ")


def mutate_string(r, text):
    """Words put into, lost from or exchanged in one of the sets and bands."""
    parts = text.split('"')
    which = r.randrange(1, len(parts), 2)
    words = parts[which].split(" ")
    for _ in range(r.randint(1, 3)):
        i = r.randrange(len(words))
        words[i:i + r.choice((0, 0, 1, 1, 4))] = r.choice((
            [r.choice(WORDS)], [r.choice(WORDS)], [], [r.choice(words)]))
        words = words or ["{"]
    parts[which] = " ".join(words)
    return '"'.join(parts)


def run(opt, ir, *more):
    return subprocess.run(
        [*opt, "-passes=gpu-polyhedral", "-disable-output",
         "-pass-remarks=gpu", "-pass-remarks-missed=gpu", *more, ir],
        check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        stdin=subprocess.DEVNULL, text=True, errors="replace", timeout=100)


def main():
    count, seed, ir, *opt = sys.argv[1:]
    seed = random.SystemRandom().randrange(1 << 32) if seed == "-" else \
        int(seed)
    r = random.Random(seed)
    print("seed", seed)
    offloaded = failures = 0
    with tempfile.TemporaryDirectory() as folder:
        saved = os.path.join(folder, "saved")
        run(opt, ir, "-gpu-save-schedule=" + saved)
        with open(saved, encoding="utf-8") as file:
            line = file.readline()
        key = " ".join(line.split(" ")[:2]) + " "
        for _ in range(int(count)):
            text = r.choice((mutate, mutate_string))(
                r, line[len(key):].strip())
            with open(saved, "w", encoding="utf-8") as file:
                file.write(key + text + "\n")
            result = run(opt, ir, "-gpu-load-schedule=" + saved)
            offloaded += "loops offloaded" in result.stdout
            if result.returncode or not (
                    "loops offloaded" in result.stdout or
                    "loop not offloaded" in result.stdout):
                failures += 1
                print("FAIL", result.returncode, text, result.stdout[:2000],
                      sep="\n")
    print(f"{offloaded} of {count} offloaded, {failures} failures")
    sys.exit(failures != 0)


main()
