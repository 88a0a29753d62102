/* async.c - see async.h.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "emulated/async.h"

#include "emulated/shadow.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_COPIES = 16 };

/* A failure is kept: the block has failed, not only the thread. */
void polygpu_async_forget(struct polygpu_async *async)
{
    async->n = 0;
    async->n_groups = 0;
}

bool polygpu_async_check(const struct polygpu_async *async,
                         const struct polygpu_kernel *kernel,
                         struct polygpu_status *status)
{
    return !async->failed ||
           polygpu_fail(status, POLYGPU_CAUSE_MEMORY,
                        "no host memory for the asynchronous copies of kernel "
                        "%s",
                        kernel->name);
}

void polygpu_async_free(struct polygpu_async *async)
{
    free(async->copies);
}

/* Without memory the copy is done at once, and its launch will fail. */
static bool add(struct polygpu_async *async,
                const struct polygpu_async_copy *copy)
{
    if (async->n == async->capacity) {
        size_t capacity = async->capacity ? 2 * async->capacity : FIRST_COPIES;
        struct polygpu_async_copy *more =
            realloc(async->copies, capacity * sizeof *more);

        if (!more) {
            async->failed = true;
            return false;
        }
        async->copies = more;
        async->capacity = capacity;
    }
    async->copies[async->n++] = *copy;
    return true;
}

static void complete(const struct polygpu_async_copy *copy,
                     struct polygpu_shadow *shadow,
                     const struct polygpu_thread *self)
{
    if (shadow && !polygpu_shadow_copied(shadow, self, copy))
        return;
    if (copy->valid)
        memcpy(copy->to, copy->from, copy->valid);
    memset((char *)copy->to + copy->valid, 0, copy->size - copy->valid);
}

void polygpu_async_start(struct polygpu_thread *self, void *to,
                         const void *from, uint32_t size, uint32_t valid,
                         const struct polygpu_access *load,
                         const struct polygpu_access *store)
{
    struct polygpu_emulated_self *known = self->device;
    struct polygpu_async_copy copy = {
        to, from, size, valid, load, store, known->async.n_groups, 0};

    if (known->shadow && !polygpu_shadow_copy(known->shadow, self, &copy))
        return;
    if (!add(&known->async, &copy))
        complete(&copy, known->shadow, self);
}

void polygpu_async_commit(struct polygpu_thread *self)
{
    struct polygpu_emulated_self *known = self->device;

    ++known->async.n_groups;
}

void polygpu_async_wait(struct polygpu_thread *self, uint32_t pending)
{
    struct polygpu_emulated_self *known = self->device;
    struct polygpu_async *async = &known->async;
    size_t i;

    for (i = 0;
         i < async->n && async->copies[i].group + pending < async->n_groups;
         ++i)
        complete(&async->copies[i], known->shadow, self);
    if (i == 0)
        return;
    async->n -= i;
    memmove(async->copies, async->copies + i, async->n * sizeof *async->copies);
}
