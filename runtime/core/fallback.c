/* fallback.c - see fallback.h.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "core/fallback.h"

#include "support/env.h"
#include "support/log.h"

#include <stdio.h>
#include <unistd.h>

static uint32_t reported_once;
static unsigned long nested;

/* Set bit "cause"; true if it was clear. */
static bool first_time(uint32_t *reported, enum polygpu_cause cause)
{
    uint32_t bit = (uint32_t)1 << cause;

    return !(__atomic_fetch_or(reported, bit, __ATOMIC_RELAXED) & bit);
}

/* "f (a.c:12): ", or nothing where the descriptor cannot be read. */
static void locate(char *text, size_t size, const struct polygpu_scop *scop)
{
    text[0] = '\0';
    if (scop)
        snprintf(text, size,
                 "%s (%s:%u): ", scop->function ? scop->function : "?",
                 scop->file ? scop->file : "?", (unsigned)scop->line);
}

/* End the program, as POLYGPU=mandatory asks for.  The only place in the
 * runtime that does.  _exit, since this may happen in a constructor, in an
 * exit handler or in any thread. */
_Noreturn static void end_program(const char *where, const char *reason)
{
    polygpu_message("%s%s; POLYGPU=mandatory ends the program", where, reason);
    fflush(stderr);
    if (ftrylockfile(stdout) == 0) {
        fflush(stdout);
        funlockfile(stdout);
    }
    _exit(POLYGPU_MANDATORY_STATUS);
}

void polygpu_report(const struct polygpu_scop *scop,
                    struct polygpu_state *state,
                    const struct polygpu_status *why, const char *then)
{
    const struct polygpu_env *env = polygpu_env();
    bool once = false;
    char where[256];

    if (why->cause == POLYGPU_CAUSE_COST && !env->profile && !env->debug)
        return;
    locate(where, sizeof where, scop);
    POLYGPU_LOG("%snot offloaded: %s", where, why->text);
    if (env->profile && state) {
        bool failed = why->cause >= POLYGPU_CAUSE_OPEN;
        struct polygpu_scop_stats stats = {.declined = !failed,
                                           .by_cost =
                                               why->cause == POLYGPU_CAUSE_COST,
                                           .failed = failed};

        polygpu_state_count(state, &stats, NULL);
        if (!stats.by_cost)
            polygpu_state_declined(state, why->text);
    }
    if (env->mode == POLYGPU_MANDATORY)
        end_program(where, why->text);

    switch (why->cause) {
    case POLYGPU_OK:
    case POLYGPU_CAUSE_OFF:
    case POLYGPU_CAUSE_CONDITION:
    case POLYGPU_CAUSE_COST:
        return;
    case POLYGPU_CAUSE_NO_DEVICE:
        if (env->debug && first_time(&reported_once, why->cause))
            polygpu_message("%s; %s", why->text, then);
        return;
    case POLYGPU_CAUSE_VERSION:
    case POLYGPU_CAUSE_LOST:
    case POLYGPU_CAUSE_OPEN:
        where[0] = '\0';
        once = first_time(&reported_once, why->cause);
        break;
    case POLYGPU_CAUSE_BROKEN:
        once = first_time(&reported_once, POLYGPU_CAUSE_LOST);
        break;
    default:
        once =
            first_time(state ? &state->reported : &reported_once, why->cause);
    }
    if (once)
        polygpu_message("%s%s; %s", where, why->text, then);
}

void polygpu_fall_back(const struct polygpu_scop *scop,
                       struct polygpu_state *state,
                       const struct polygpu_status *why)
{
    polygpu_report(scop, state, why, "running loops on the CPU");
}

/* The original loops run since a signal handler interrupted the runtime.  Does
 * only what a handler may do. */
void polygpu_refuse_nested(void)
{
    static const char text[] =
        "polygpu: loops of a signal handler that interrupted the runtime "
        "cannot "
        "be offloaded; POLYGPU=mandatory ends the program\n";
    const struct polygpu_env *env = polygpu_env_known();

    __atomic_fetch_add(&nested, 1, __ATOMIC_RELAXED);
    if (!env || env->mode != POLYGPU_MANDATORY)
        return;
    (void)!write(STDERR_FILENO, text, sizeof text - 1);
    _exit(POLYGPU_MANDATORY_STATUS);
}

/* How often that was so. */
unsigned long polygpu_nested(void)
{
    return __atomic_load_n(&nested, __ATOMIC_RELAXED);
}
