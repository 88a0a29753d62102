/* timed.c - see timed.h.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "core/timed.h"

#include "core/learnt.h"
#include "core/prospects.h"
#include "core/ranges.h"
#include "polygpu/abi.h"
#include "support/clock.h"

/* The thread's; its address is its name. */
static _Thread_local struct {
    struct polygpu_state *state; /* NULL: nothing is measured */
    bool runs;                   /* it will be known when they have ended */
    double begun, operations, model;
} timed __attribute__((tls_model("initial-exec")));

static uint64_t own_name(void)
{
    return (uint64_t)(uintptr_t)&timed;
}

void polygpu_time_loops(struct polygpu_scop *scop, struct polygpu_state *state,
                        const struct polygpu_estimate *e)
{
    uint64_t nobody = 0;

    timed.state = NULL;
    timed.runs = false;
    if (!state || !(polygpu_learn_asks(state, e) || polygpu_prospects_any()))
        return;
    if (__atomic_load_n(&scop->timing, __ATOMIC_RELAXED) != own_name() &&
        !__atomic_compare_exchange_n(&scop->timing, &nobody, own_name(), false,
                                     __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        return;
    timed.runs = true;
    timed.state = state;
    timed.operations = e->operations;
    timed.model = e->model_cpu_ms;
    timed.begun = polygpu_now();
}

bool polygpu_time_runs(void)
{
    return timed.runs;
}

void polygpu_time_anew(void)
{
    if (timed.state)
        timed.begun = polygpu_now();
}

/* From now on the host touches what might be on the device. */
static void expect(const struct polygpu_state *state)
{
    if (!polygpu_prospects_any())
        return;
    polygpu_ranges_enter();
    polygpu_prospects_ready(state);
    polygpu_ranges_leave();
}

void polygpu_time_end(struct polygpu_scop *scop)
{
    uint64_t whose = __atomic_exchange_n(&scop->timing, 0, __ATOMIC_RELAXED);

    if (whose == own_name() && timed.state == scop->state && timed.state) {
        polygpu_learn_loops(timed.state, timed.operations, timed.model,
                            polygpu_now() - timed.begun);
        expect(timed.state);
    }
    timed.state = NULL;
    timed.runs = false;
}
