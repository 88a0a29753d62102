/* verified.c - see verified.h.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "core/verified.h"

#include "core/deferred.h"
#include "core/fallback.h"
#include "core/ranges.h"
#include "core/run.h"

#include <stdlib.h>

/* What is compared: in which range, for which array, and before what. */
struct look {
    const struct polygpu_range *range;
    const struct polygpu_array *about;
    uintptr_t base;
    const char *place;
};

static bool report(struct polygpu_run *run, const struct look *look,
                   uintptr_t at)
{
    return polygpu_fail(&run->status, POLYGPU_CAUSE_UPLOAD,
                        "array %s, element %lld: the host has changed it since "
                        "an earlier run, and nothing had said so when the "
                        "program came to %.200s; please report this",
                        look->about->name,
                        (long long)((intptr_t)(at - look->base) /
                                    (intptr_t)look->about->elem_size),
                        look->place);
}

/* Do the host and the device have the same bytes? */
static bool compare(struct polygpu_run *run, const struct look *look,
                    const struct polygpu_interval *bytes)
{
    const struct polygpu_range *r = look->range;
    size_t size = bytes->end - bytes->first, i = 0;
    unsigned char *device = malloc(size);
    const unsigned char *host = (const unsigned char *)bytes->first;
    bool ok;

    if (!device)
        return polygpu_fail(&run->status, POLYGPU_CAUSE_MEMORY,
                            "no host memory to verify array %s",
                            look->about->name);
    ok = run->device->copy_out(run->session, device,
                               r->address + (bytes->first - r->first), size,
                               &run->status);
    while (ok && i < size && device[i] == host[i])
        ++i;
    free(device);
    return ok && (i == size || report(run, look, bytes->first + i));
}

/* What is not newer on the device. */
static void compare_all(struct polygpu_run *run, const struct look *look,
                        const struct polygpu_intervals *of)
{
    struct polygpu_intervals same = {0};
    size_t i;

    if (!polygpu_intervals_without(&same, of, &look->range->newer))
        polygpu_fail(&run->status, POLYGPU_CAUSE_MEMORY,
                     "no host memory to verify array %s", look->about->name);
    for (i = 0; i < same.count && run->status.cause == POLYGPU_OK; ++i)
        compare(run, look, &same.items[i]);
    polygpu_intervals_free(&same);
}

void polygpu_verify_use(struct polygpu_run *run, uint32_t a,
                        const struct polygpu_intervals *present)
{
    const struct look look = {run->arrays[a].range, &run->scop->arrays[a],
                              run->arrays[a].base, "these loops"};

    compare_all(run, &look, present);
}

/* In a run of the SCoP that had it last, which launches nothing. */
static void verify(struct polygpu_range *r, const char *place)
{
    const struct polygpu_last_user *last = &r->last;
    const struct look look = {r, &last->scop->arrays[last->array], last->base,
                              place ? place : "a place without a line"};
    struct polygpu_run *run = polygpu_run_new(last->scop, last->state);
    struct polygpu_status status;

    if (!run)
        return;
    if (polygpu_run_start(run, r->memory->device, &run->status))
        compare_all(run, &look, &r->valid);
    status = run->status;
    if (run->session)
        polygpu_run_stop(run, status.cause == POLYGPU_OK);
    polygpu_run_free(run);
    if (status.cause == POLYGPU_OK)
        return;
    polygpu_intervals_free(&r->valid);
    polygpu_report(last->scop, last->state, &status, "it is copied anew");
}

void polygpu_verify_touch(const char *place)
{
    struct polygpu_range *r;

    for (r = *polygpu_ranges(); r; r = r->next)
        if (r->valid.count && !r->users && r->last.scop &&
            r->last.thread == polygpu_deferred_owner() &&
            r->memory->generation == polygpu_generation(r->memory->device))
            verify(r, place);
}
