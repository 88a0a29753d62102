/* env.c - see env.h.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "support/env.h"

#include "support/log.h"
#include "support/output.h"

#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static struct polygpu_env env;
static pthread_once_t env_once = PTHREAD_ONCE_INIT;
static bool env_read;

/* The position of the value of environment variable "name" among the "n"
 * allowed ones, 0 (the default) where it is unset, -1 with a message where it
 * is none of them. */
static int choose(const char *name, const char *const *allowed, int n,
                  const char *list)
{
    const char *value = getenv(name);
    int i;

    if (!value || !*value)
        return 0;
    for (i = 0; i < n; ++i)
        if (!strcmp(value, allowed[i]))
            return i;
    polygpu_message("%s=%.64s is not a known value; allowed: %s", name, value,
                    list);
    return -1;
}

/* Read POLYGPU_FAULT. */
static void parse_fault(void)
{
    const char *value = getenv("POLYGPU_FAULT");

    if (!value || !*value || polygpu_fault_parse(value, &env.fault))
        return;
    env.fault.wanted = false;
    polygpu_message("POLYGPU_FAULT=%.64s is not a known value; allowed: count, "
                    "or <open|alive|load|start|announce|alloc|place|in|mark|"
                    "launch|graph|reach|sync|out>:<n>[+]",
                    value);
}

/* Take "<name>=<number>" of length "length" into the model. */
static bool parse_constant(const char *text, size_t length)
{
    const char *equals = memchr(text, '=', length);
    char *end;
    double value;

    if (!equals || equals == text)
        return false;
    if ((equals[1] < '0' || equals[1] > '9') && equals[1] != '.')
        return false;
    value = strtod(equals + 1, &end);
    return end == text + length && value > 0 && value <= 1e15 &&
           polygpu_device_model_set(&env.model, text, (size_t)(equals - text),
                                    value);
}

/* Take "<name>=<number>,..." into the model; false if it is wrong. */
static bool parse_constants(const char *at)
{
    for (;;) {
        size_t length = strcspn(at, ",");

        if (!parse_constant(at, length))
            return false;
        if (!at[length])
            return true;
        at += length + 1;
    }
}

static void refuse_cost(const char *value)
{
    char names[128];

    env.model = polygpu_default_device_model;
    polygpu_device_model_names(names, sizeof names);
    polygpu_message("POLYGPU_COST=%.64s is not a known value; allowed: auto, "
                    "learn, fixed, off, or <name>=<number above 0>,... with "
                    "the names %s",
                    value, names);
}

/* Take the value of POLYGPU_COST, a word, constants, or both with a comma in
 * between; false if it is wrong. */
static bool take_cost(const char *value)
{
    static const char *const words[] = {"auto", "learn", "fixed"};
    const bool learns[] = {!env.emulated, true, false};
    size_t length = strcspn(value, ","), i;

    env.cost = strcmp(value, "off") != 0;
    env.learns = false;
    for (i = 0; i < 3; ++i)
        if (length == strlen(words[i]) && !strncmp(value, words[i], length)) {
            env.learns = learns[i];
            return !value[length] || parse_constants(value + length + 1);
        }
    return !env.cost || parse_constants(value);
}

/* Read POLYGPU_COST, behind POLYGPU and POLYGPU_DEVICE.  The emulated device
 * has none of the speeds that the model is about. */
static void parse_cost(void)
{
    const char *value = getenv("POLYGPU_COST");

    env.cost = true;
    env.learns = !env.emulated;
    env.model = polygpu_default_device_model;
    if (value && *value && !take_cost(value)) {
        env.cost = true;
        env.learns = !env.emulated;
        refuse_cost(value);
    }
    env.learns = env.learns && env.mode == POLYGPU_AUTO;
}

/* Read POLYGPU_EMULATED.  A library is code: programs with more rights than
 * their user do not take it from there. */
static void parse_library(void)
{
    const char *value = secure_getenv("POLYGPU_EMULATED");

    if (value && *value)
        env.library = strdup(value);
}

/* "text" as a number; -1 if it is none, or too large. */
static int parse_number(const char *text)
{
    char *end;
    unsigned long number;

    if (*text < '0' || *text > '9')
        return -1;
    number = strtoul(text, &end, 10);
    return *end || number > INT_MAX ? -1 : (int)number;
}

/* Read POLYGPU_DEVICE; false with a message where it is wrong. */
static bool parse_device(void)
{
    static const char *const devices[] = {"cuda", "emulated"};
    const char *value = getenv("POLYGPU_DEVICE");
    int device;

    env.device = -1;
    if (value && !strncmp(value, "cuda:", 5) &&
        (env.device = parse_number(value + 5)) >= 0)
        return true;
    device = choose("POLYGPU_DEVICE", devices, 2, "cuda, cuda:<n>, emulated");
    env.emulated = device == 1;
    return device >= 0;
}

/* Which process of this machine is this?  As launchers of parallel programs
 * say: Open MPI, Intel MPI, Slurm, MPICH. */
static void parse_rank(void)
{
    static const char *const names[] = {"OMPI_COMM_WORLD_LOCAL_RANK",
                                        "MPI_LOCALRANKID", "SLURM_LOCALID",
                                        "PMI_LOCAL_RANK"};
    size_t i;

    env.local_rank = -1;
    for (i = 0; env.local_rank < 0 && i < sizeof names / sizeof *names; ++i) {
        const char *value = getenv(names[i]);

        env.local_rank = value ? parse_number(value) : -1;
        env.rank_name = names[i];
    }
}

/* Read POLYGPU_ARCH. */
static void parse_arch(void)
{
    enum { OLDEST = 30, NEWEST = 999 };
    const char *value = getenv("POLYGPU_ARCH");
    int number;

    if (!value || !*value)
        return;
    number = parse_number(strncmp(value, "sm_", 3) ? value : value + 3);
    if (number >= OLDEST && number <= NEWEST)
        env.arch = (unsigned)number;
    else
        polygpu_message("POLYGPU_ARCH=%.64s is not a known value; allowed: a "
                        "compute capability like 75 or sm_75",
                        value);
}

/* Read POLYGPU_COPY_THREADS. */
static void parse_copy_threads(void)
{
    const char *value = getenv("POLYGPU_COPY_THREADS");

    if (!value || !*value)
        return;
    env.copy_threads = parse_number(value);
    if (env.copy_threads >= 1 && env.copy_threads <= POLYGPU_MOST_COPY_THREADS)
        return;
    env.copy_threads = 0;
    polygpu_message("POLYGPU_COPY_THREADS=%.64s is not a known value; allowed: "
                    "1 to %d",
                    value, POLYGPU_MOST_COPY_THREADS);
}

/* Read POLYGPU_RESIDENCY; a wrong value keeps nothing. */
static void parse_residency(void)
{
    static const char *const allowed[] = {"on", "off", "verify"};
    int value = choose("POLYGPU_RESIDENCY", allowed, 3, "on, off, verify");

    env.residency =
        value < 0 ? POLYGPU_RESIDENCY_OFF : (enum polygpu_residency)value;
}

/* Read POLYGPU_GRAPHS; with a wrong value there are none. */
static void parse_graphs(void)
{
    static const char *const allowed[] = {"auto", "on", "off"};
    int value = choose("POLYGPU_GRAPHS", allowed, 3, "auto, on, off");

    env.graphs = value < 0 ? POLYGPU_GRAPHS_OFF : (enum polygpu_graph_use)value;
}

/* Read POLYGPU_OVERLAP; with a wrong value nothing overlaps. */
static void parse_overlap(void)
{
    static const char *const allowed[] = {"on", "off"};

    env.overlap = choose("POLYGPU_OVERLAP", allowed, 2, "on, off") == 0;
}

/* Read POLYGPU_CHAIN; a wrong value is as good as none. */
static void parse_chain(void)
{
    static const char *const allowed[] = {"auto", "on", "off"};
    int value = choose("POLYGPU_CHAIN", allowed, 3, "auto, on, off");

    env.chain = value < 0 ? POLYGPU_CHAIN_AUTO : (enum polygpu_chain)value;
}

/* Read POLYGPU_CPU; a wrong value is as good as none. */
static void parse_cpu(void)
{
    static const char *const allowed[] = {"auto", "parallel", "off"};
    int value = choose("POLYGPU_CPU", allowed, 3, "auto, parallel, off");

    env.cpu = value < 0 ? POLYGPU_CPU_AUTO : (enum polygpu_cpu)value;
}

static bool ends_in(const char *text, const char *end)
{
    size_t length = strlen(text), tail = strlen(end);

    return length >= tail && !strcmp(text + length - tail, end);
}

/* Read POLYGPU_PROFILE; a wrong value, or that of a file that cannot be
 * written, is as good as none.  Programs with more rights than their user write
 * no files. */
static void parse_profile(void)
{
    static const char *const allowed[] = {"0", "1", "lines"};
    static const char name[] = "POLYGPU_PROFILE";
    const char *file = secure_getenv(name);
    int value;

    env.profile = POLYGPU_PROFILE_NONE;
    if (file && (ends_in(file, ".json") || ends_in(file, ".csv"))) {
        if (polygpu_output_claim(name, file))
            env.profile = ends_in(file, ".csv") ? POLYGPU_PROFILE_CSV
                                                : POLYGPU_PROFILE_TRACE;
        return;
    }
    value = choose(name, allowed, 3, "0, 1, lines, <file>.json, <file>.csv");
    if (value > 0)
        env.profile = (enum polygpu_profile)value;
}

static void parse(void)
{
    static const char *const modes[] = {"auto", "off", "mandatory"};
    static const char *const flags[] = {"0", "1"};
    int mode = choose("POLYGPU", modes, 3, "auto, off, mandatory");
    bool known = parse_device();

    env.mode = mode < 0 || !known ? POLYGPU_OFF : (enum polygpu_mode)mode;
    parse_rank();
    parse_profile();
    env.debug = choose("POLYGPU_DEBUG", flags, 2, "0, 1") == 1;
    parse_residency();
    parse_graphs();
    parse_overlap();
    parse_chain();
    parse_cpu();
    parse_arch();
    parse_copy_threads();
    parse_library();
    parse_cost();
    parse_fault();
    __atomic_store_n(&env_read, true, __ATOMIC_RELEASE);
}

/* The environment as it was at the first call. */
const struct polygpu_env *polygpu_env(void)
{
    pthread_once(&env_once, parse);
    return &env;
}

/* The same without waiting: NULL while it is not known. */
const struct polygpu_env *polygpu_env_known(void)
{
    return __atomic_load_n(&env_read, __ATOMIC_ACQUIRE) ? &env : NULL;
}
