/* pending.c - see pending.h.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "core/pending.h"

#include "core/learnt.h"
#include "support/clock.h"

#include <string.h>

enum { MOST = 16 /* SCoPs that a loop over time goes through */ };

struct pending {
    struct polygpu_state *state;
    const struct polygpu_device *device;
    void *session;
    unsigned generation;
    uint64_t number; /* the last one's is the largest */
    bool resumed;    /* a run goes on in its session */
};

static _Thread_local struct {
    struct pending all[MOST];
    size_t n;
    uint64_t numbers;
    struct polygpu_status failure;
    const void *failed; /* the session of a run that has resumed it */
} list __attribute__((tls_model("initial-exec")));

bool polygpu_pending_any(void)
{
    return list.n > 0;
}

bool polygpu_pending_room(void)
{
    return list.n < MOST;
}

static struct pending *find(const void *session)
{
    size_t i = 0;

    while (i < list.n && list.all[i].session != session)
        ++i;
    return i < list.n ? &list.all[i] : NULL;
}

static void drop(struct pending *p)
{
    *p = list.all[--list.n];
}

void polygpu_pending_resume(struct polygpu_run *run,
                            const struct polygpu_device *device)
{
    unsigned generation = polygpu_generation(device);
    size_t i;

    for (i = 0; i < list.n && !run->session; ++i) {
        struct pending *p = &list.all[i];

        if (p->state != run->state || p->resumed || p->device != device ||
            p->generation != generation)
            continue;
        p->resumed = true;
        polygpu_run_use(run, device, p->session, generation);
    }
}

bool polygpu_pending_follow(struct polygpu_run *run)
{
    const struct pending *last = NULL;
    size_t i;

    if (list.failed && list.failed == run->session) /* which has been said */
        return polygpu_fail(&run->status, POLYGPU_CAUSE_CONDITION,
                            "kernels of the run before have failed");
    for (i = 0; i < list.n; ++i)
        if (!last || list.all[i].number > last->number)
            last = &list.all[i];
    return !last ||
           run->device->follow(run->session, last->session, &run->status);
}

void polygpu_pending_add(struct polygpu_run *run)
{
    struct pending *p = find(run->session);

    if (!p)
        p = &list.all[list.n++];
    *p = (struct pending){.state = run->state,
                          .device = run->device,
                          .session = run->session,
                          .generation = run->generation,
                          .number = ++list.numbers};
    run->session = NULL;
}

bool polygpu_pending_end(struct polygpu_run *run)
{
    struct pending *p = find(run->session);

    if (list.failed == run->session)
        list.failed = NULL;
    if (!p)
        return false;
    if (run->started) {
        drop(p);
        return false;
    }
    p->resumed = false;
    run->session = NULL;
    return true;
}

static void keep_first(const struct polygpu_status *why)
{
    if (list.failure.cause == POLYGPU_OK)
        list.failure = *why;
}

/* What fails on a device may be told by the next call, whatever that is. */
static bool is_of_device(enum polygpu_cause cause)
{
    switch (cause) {
    case POLYGPU_CAUSE_UPLOAD:
    case POLYGPU_CAUSE_LAUNCH:
    case POLYGPU_CAUSE_SYNCHRONIZE:
    case POLYGPU_CAUSE_DOWNLOAD:
    case POLYGPU_CAUSE_BROKEN:
    case POLYGPU_CAUSE_LOST:
        return true;
    default:
        return false;
    }
}

void polygpu_pending_suspect(const struct polygpu_status *why)
{
    if (list.n > 0 && is_of_device(why->cause))
        keep_first(why);
}

/* Add a state to "n" that differ, if it does. */
static size_t add_state(struct polygpu_state *states[MOST], size_t n,
                        struct polygpu_state *state)
{
    size_t i = 0;

    while (i < n && states[i] != state)
        ++i;
    states[i] = state;
    return i < n ? n : n + 1;
}

bool polygpu_pending_wait(struct polygpu_status *status)
{
    struct polygpu_state *states[MOST];
    double begun = list.n > 0 ? polygpu_now() : 0;
    size_t n = 0;

    while (list.n > 0) {
        struct pending p = list.all[list.n - 1];
        struct polygpu_status failure = {0};
        bool ok = p.device->synchronize(p.session, &failure);

        --list.n;
        n = add_state(states, n, p.state);
        if (!ok)
            keep_first(&failure);
        if (!p.resumed)
            polygpu_run_rest(p.state, p.device, p.session, p.generation, ok);
        else if (!ok)
            list.failed = p.session;
    }
    if (n > 0)
        polygpu_learn_waited(states, n, polygpu_now() - begun);
    if (list.failure.cause == POLYGPU_OK)
        return true;
    *status = list.failure;
    return false;
}

bool polygpu_pending_says(const struct polygpu_status *why)
{
    return list.failure.cause != POLYGPU_OK &&
           list.failure.cause == why->cause &&
           !strcmp(list.failure.text, why->text);
}

void polygpu_pending_forget(void)
{
    struct polygpu_status ignored = {0};

    polygpu_pending_wait(&ignored);
    memset(&list.failure, 0, sizeof list.failure);
}
