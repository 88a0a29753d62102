/* env.c - see env.h.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "support/env.h"

#include "support/log.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static struct polygpu_env env;
static pthread_once_t env_once = PTHREAD_ONCE_INIT;
static bool env_read;

static const char *const fault_names[] = {
    "none", "alloc", "in", "launch", "out", "load", "sync", "open",
};

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

/* Read POLYGPU_FAULT, "<kind>:<n>". */
static void parse_fault(void)
{
    const char *value = getenv("POLYGPU_FAULT");
    const char *colon;
    char *end;
    unsigned i;

    if (!value || !*value)
        return;
    colon = strchr(value, ':');
    for (i = 1; colon && i < sizeof fault_names / sizeof *fault_names; ++i) {
        size_t length = strlen(fault_names[i]);

        if (length != (size_t)(colon - value) ||
            strncmp(value, fault_names[i], length) != 0)
            continue;
        env.fault_at = strtoul(colon + 1, &end, 10);
        if (colon[1] < '0' || colon[1] > '9' || *end || env.fault_at == 0)
            break;
        env.fault = (enum polygpu_fault)i;
        return;
    }
    polygpu_message("POLYGPU_FAULT=%.64s is not a known value; allowed: "
                    "<alloc|in|launch|out|load|sync|open>:<n>",
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

/* Read POLYGPU_COST. */
static void parse_cost(void)
{
    const char *value = getenv("POLYGPU_COST");
    const char *at = value;
    char names[128];

    env.cost = true;
    env.model = polygpu_default_device_model;
    if (!value || !*value)
        return;
    if (!strcmp(value, "off")) {
        env.cost = false;
        return;
    }
    for (;;) {
        size_t length = strcspn(at, ",");

        if (!parse_constant(at, length))
            break;
        if (!at[length])
            return;
        at += length + 1;
    }
    env.model = polygpu_default_device_model;
    polygpu_device_model_names(names, sizeof names);
    polygpu_message("POLYGPU_COST=%.64s is not a known value; allowed: off, or "
                    "<name>=<number above 0>,... with the names %s",
                    value, names);
}

/* Read POLYGPU_EMULATED.  A library is code: programs with more rights than
 * their user do not take it from there. */
static void parse_library(void)
{
    const char *value = secure_getenv("POLYGPU_EMULATED");

    if (value && *value)
        env.library = strdup(value);
}

static void parse(void)
{
    static const char *const modes[] = {"auto", "off", "mandatory"};
    static const char *const devices[] = {"cuda", "emulated"};
    static const char *const flags[] = {"0", "1"};
    int mode = choose("POLYGPU", modes, 3, "auto, off, mandatory");
    int device = choose("POLYGPU_DEVICE", devices, 2, "cuda, emulated");

    env.mode = mode < 0 || device < 0 ? POLYGPU_OFF : (enum polygpu_mode)mode;
    env.emulated = device == 1;
    env.profile = choose("POLYGPU_PROFILE", flags, 2, "0, 1") == 1;
    env.debug = choose("POLYGPU_DEBUG", flags, 2, "0, 1") == 1;
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
