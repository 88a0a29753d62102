/* parallel_state.c - see parallel_state.h.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "core/parallel_state.h"

#include "support/log.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static struct polygpu_parallel_state *first_state;

static struct polygpu_parallel_state *
new_state(const struct polygpu_parallel *loops)
{
    struct polygpu_parallel_state *state = calloc(1, sizeof *state);

    if (!state)
        return NULL;
    state->function = strdup(loops->function ? loops->function : "?");
    state->file = strdup(loops->file ? loops->file : "?");
    state->line = loops->line;
    if (state->function && state->file)
        return state;
    free(state->function);
    free(state->file);
    free(state);
    return NULL;
}

static void forget(struct polygpu_parallel_state *state)
{
    free(state->function);
    free(state->file);
    free(state);
}

/* That of "loops", NULL where there is no memory. */
struct polygpu_parallel_state *
polygpu_parallel_state(struct polygpu_parallel *loops)
{
    struct polygpu_parallel_state *state = __atomic_load_n(
        (struct polygpu_parallel_state **)&loops->state, __ATOMIC_ACQUIRE);
    struct polygpu_parallel_state *none = NULL;

    if (state)
        return state;
    state = new_state(loops);
    if (!state)
        return NULL;
    if (!__atomic_compare_exchange_n(
            (struct polygpu_parallel_state **)&loops->state, &none, state,
            false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
        forget(state);
        return none;
    }
    state->next = __atomic_load_n(&first_state, __ATOMIC_RELAXED);
    while (!__atomic_compare_exchange_n(&first_state, &state->next, state,
                                        false, __ATOMIC_RELEASE,
                                        __ATOMIC_RELAXED))
        ;
    return state;
}

void polygpu_parallel_lines(void)
{
    const struct polygpu_parallel_state *s;

    for (s = __atomic_load_n(&first_state, __ATOMIC_ACQUIRE); s; s = s->next)
        polygpu_message("parallel %s %s:%u threads=%d runs=%llu regions=%llu "
                        "alone=%llu declined=%llu time_ms=%.3f",
                        s->function, s->file, (unsigned)s->line, s->threads,
                        (unsigned long long)s->runs,
                        (unsigned long long)s->regions,
                        (unsigned long long)s->alone,
                        (unsigned long long)s->declined, (double)s->us / 1e3);
}

void polygpu_parallel_table(void)
{
    const struct polygpu_parallel_state *s;

    for (s = __atomic_load_n(&first_state, __ATOMIC_ACQUIRE); s; s = s->next)
        if (s->runs)
            polygpu_message("%s (%s:%u): %llu times on %d threads of the CPU, "
                            "in %llu parallel loops, %.3f ms",
                            s->function, s->file, (unsigned)s->line,
                            (unsigned long long)s->runs, s->threads,
                            (unsigned long long)s->regions,
                            (double)s->us / 1e3);
}
