"""Sets of compiler options that each program is built with."""

import random

PLAIN = ("-O3", "-mfma")
PLAIN_KERNELS = ("-mllvm", "-gpu-promotion=off")
EVERYWHERE = ("-mllvm", "-gpu-promotion=all")
ASYNCHRONOUS = ("-mllvm", "-gpu-arch=sm_90")  # copies to shared memory
EXECUTED = ("-mllvm", "-gpu-verify=execute")
REASSOCIATED = ("-mllvm", "-gpu-reassociate-reductions")
# What -ffast-math says of sums, for programs in which nothing rounds.
FAST = ("-fassociative-math", "-fno-signed-zeros", "-fno-trapping-math")
# For offloaded loops that the device does not get.
CORES = ("-mllvm", "-gpu-cpu=parallel")
# Sizes are small, so that loops around kernels are mostly inside of them.
LOOPS = ("-mllvm", "-gpu-time=off")
CHAINS = ("-mllvm", "-gpu-time=chain")
TILES = ("-mllvm", "-gpu-time=tiles")
OVERLAP = ("-mllvm", "-gpu-time=overlap")
FIXED = (
    ("-O2", "-mfma"),
    ("-O1", "-mfma", *PLAIN_KERNELS, *LOOPS),
    ("-Os", "-ffp-contract=off"),
    ("-O3", "-mfma", "-g", "-mllvm", "-gpu-math-errno"),
    ("-O3", "-mfma", "-mllvm", "-gpu-fusion=min"),
    ("-O3", "-ffp-contract=off", "-mllvm", "-gpu-fusion=max", *LOOPS),
    ("-O3", "-mfma", *CHAINS),
    ("-O3", "-mfma", *TILES),
    ("-O3", "-mfma", *OVERLAP),
    ("-O2", "-mfma", "-mllvm", "-gpu-fusion=depth", *PLAIN_KERNELS),
    # The checks keep the optimiser from much, so once without them, and once
    # through the back end of a GPU as well.
    ("-O3", "-mfma", "-mllvm", "-gpu-targets=emulated"),
    ("-O3", "-mfma", "-mllvm", "-gpu-targets=ptx,emulated-checked",
     *ASYNCHRONOUS, *LOOPS),
    ("-O2", "-ffp-contract=off", "-mllvm", "-gpu-targets=ptx,emulated-checked",
     "-mllvm", "-gpu-fusion=min", *CHAINS, *EXECUTED),
    ("-O3", "-mfma", "-mllvm", "-gpu-arch=sm_75", *EXECUTED, *EVERYWHERE),
    ("-O2", "-ffp-contract=off", "-mllvm", "-gpu-fusion=max", *PLAIN_KERNELS,
     *ASYNCHRONOUS, *EXECUTED),
)


def sizes(text, *flags):
    return (*(flags or PLAIN), "-mllvm", f"-gpu-sizes={{ {text} }}")


def random_sizes(r):
    def numbers(choices, count):
        return ",".join(str(r.choice(choices)) for _ in range(count))
    count = r.choice((1, 2, 2, 3))
    parts = []
    if r.random() < 0.8:
        tile = numbers((1, 2, 3, 4, 5, 7, 32, 1000000), count)
        parts.append(f"kernel[i] -> tile[{tile}]")
    if r.random() < 0.8:
        parts.append(f"kernel[i] -> block[{numbers((1, 2, 3, 5, 8), count)}]")
    if r.random() < 0.6 or not parts:
        grid = numbers((1, 2, 3, 7), min(count, 2))
        parts.append(f"kernel[i] -> grid[{grid}]")
    return "; ".join(parts)


def promoted(r, stages="", *flags):
    """Tiles that threads go into, as promotion needs them, so small that the
    programs have full and partial ones, and blocks several of them."""
    threads = [r.choice((1, 2, 4)) for _ in range(3)]
    vector = [r.choice((1, 1, 2, 3)) for _ in range(3)]
    tile = [n * v * r.choice((1, 2, 3)) for n, v in zip(threads, vector)]
    given = r.random() < 0.5
    steps = r.choice((1, 2, 4, 8))
    for n in (1, 2, 3):
        vectors = ",".join(map(str, vector[:n]))
        text = (f"kernel[i] -> vector[{vectors}]; " if given else "")
        text += (f"kernel[i] -> tile[{','.join(map(str, tile[:n]))},{steps}]; "
                 f"kernel[i] -> block[{','.join(map(str, threads[:n]))}]; "
                 f"kernel[i] -> grid[2]{stages}")
        yield sizes(text, *r.choice((PLAIN, ("-O2", "-ffp-contract=off"))),
                    *flags)


def asynchronous(r):
    """Copies that run ahead: as far as the compiler chooses, and so that there
    are more and fewer steps than stages."""
    yield (*PLAIN, *ASYNCHRONOUS)
    stages = r.choice((1, 2, 2, 3, 3, 4, 8))
    yield from promoted(r, f"; kernel[i] -> stages[{stages}]", *ASYNCHRONOUS)


def on_cores(seed):
    """Loops on all cores of the CPU, which are parted in other ways than the
    device's."""
    r = random.Random(f"cores {seed}")
    flags = r.choice((PLAIN, ("-O2", "-ffp-contract=off"),
                      (*PLAIN, "-mllvm", "-gpu-fusion=max"),
                      (*PLAIN, *PLAIN_KERNELS), (*PLAIN, *LOOPS)))
    return (*flags, *CORES), r.random()


def option_sets(seed, count, reassociable=False, rounds=True):
    """The sets of a program: the plain one, then others in an order of the
    program's own, so that some programs with few sets see all of them.  First
    come those in which sums have another order, where that is allowed; where
    nothing else rounds, also as -ffast-math says so."""
    r = random.Random(f"options {seed}")
    others = [
        *FIXED,
        sizes("kernel[i] -> tile[1,1,1]; kernel[i] -> block[1,1,1]; "
              "kernel[i] -> grid[1,1]"),
        sizes("kernel[i] -> tile[1000000,1000000,1000000]",
              *PLAIN, *PLAIN_KERNELS),
        sizes("kernel[i] -> tile[2,3,2]; kernel[i] -> block[3,2,1]; "
              "kernel[i] -> grid[2,1]"),
        sizes(random_sizes(r), "-O2", "-ffp-contract=off"),
        sizes(random_sizes(r), *PLAIN, *PLAIN_KERNELS),
        (*PLAIN, *PLAIN_KERNELS),
        (*PLAIN, "-mllvm",
         f"-gpu-max-operations={r.choice((100, 1000, 5000, 20000))}"),
    ]
    others.append(sizes(f"kernel[i] -> block[{r.choice((1, 2, 3, 7))}]",
                        *PLAIN, *CHAINS))
    # Few partial results: instances of several rounds meet in each.
    partial = ",".join(str(r.choice((1, 2, 3, 8, 33))) for _ in range(2))
    others.append(sizes(f"kernel[0] -> partial[{partial}]", *PLAIN, *LOOPS))
    for n in (2, 3):  # waves of small tiles
        tile = ",".join(str(r.choice((2, 3, 4, 7, 8, 32))) for _ in range(n))
        others.append(sizes(f"kernel[i] -> tile[{tile}]", *r.choice(
            (PLAIN, ("-O2", "-ffp-contract=off"),
             (*PLAIN, "-mllvm", "-gpu-targets=ptx,emulated-checked"))),
            *TILES))
    for n in (1, 2):  # small overlapping tiles
        time = ",".join(str(r.choice((2, 3, 4, 5, 7, 8))) for _ in range(n + 1))
        others.append(sizes(f"kernel[i] -> time[{time}]", *r.choice(
            (PLAIN, ("-O2", "-ffp-contract=off"),
             (*PLAIN, "-mllvm", "-gpu-targets=ptx,emulated-checked"))),
            *OVERLAP))
    # The same with planes one after the other, in two and three dimensions.
    stream = ",".join(str(r.choice((2, 3, 4, 5, 7))) for _ in range(4))
    others.append(sizes(f"kernel[i] -> stream[{stream}]", *r.choice(
        (PLAIN, (*PLAIN, "-mllvm", "-gpu-targets=ptx,emulated-checked"))),
        *OVERLAP))
    others.extend(promoted(r))
    others.extend(asynchronous(r))
    flag = r.choice(("-gpu-fusion=min", "-gpu-fusion=depth",
                     "-gpu-arch=sm_75"))
    others.append(sizes(random_sizes(r), *PLAIN, "-mllvm", flag, *EXECUTED))
    r.shuffle(others)
    # In one of three programs, whatever the count; the others stay in order.
    cores, place = on_cores(seed)
    if count > 1 and place < 1 / 3:
        others.insert(int(3 * place * min(count - 1, len(others))), cores)
    if reassociable:
        if not rounds:
            others.insert(0, (*PLAIN, *FAST))
        others[:0] = [(*PLAIN, *REASSOCIATED),
                      sizes(f"kernel[0] -> partial[{partial}]", *PLAIN,
                            *REASSOCIATED)]
    result = [PLAIN, *others]
    while len(result) < count:
        result.append(sizes(random_sizes(r)))
    return result[:count]
