/* orders.c - a launch in several orders, which must all give the same.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "cuda/cuda_driver.h"
#include "machine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Each has something that the others have not: a warp that is ahead of all
 * others, or behind; blocks in another order; threads that are not in lockstep;
 * asynchronous copies that are early or late. */
static const struct order {
    enum ptx_order warps, blocks;
    unsigned width;
    bool early;
    const char *name;
} orders[] = {
    {PTX_FORWARD, PTX_FORWARD, 32, false, "forward"},
    {PTX_BACKWARD, PTX_BACKWARD, 32, false, "backward"},
    {PTX_RANDOM, PTX_RANDOM, 32, true, "random, early copies"},
    {PTX_LOCKSTEP, PTX_BACKWARD, 32, false, "lockstep"},
    {PTX_BACKWARD, PTX_RANDOM, 1, true, "single threads, early copies"},
    {PTX_RANDOM, PTX_FORWARD, 1, false, "single threads, random"}};

enum { N_ORDERS = sizeof orders / sizeof *orders };

/* The contents of all arrays, one behind the other. */
static unsigned char *contents(const struct ptx_machine *m)
{
    unsigned char *all;
    size_t size = 0, k;

    for (k = 0; k < m->n_arrays; ++k)
        size += m->arrays[k].size;
    all = malloc(size + 1);
    for (k = 0, size = 0; all && k < m->n_arrays; ++k) {
        memcpy(all + size, m->arrays[k].host, m->arrays[k].size);
        size += m->arrays[k].size;
    }
    return all;
}

static void restore(struct ptx_machine *m, const unsigned char *all)
{
    size_t k;

    for (k = 0; k < m->n_arrays; ++k) {
        memcpy(m->arrays[k].host, all, m->arrays[k].size);
        all += m->arrays[k].size;
    }
}

/* A fault if the arrays do not have these contents. */
static void compare(struct ptx_machine *m, const struct ptx_function *kernel,
                    const unsigned char *all, const char *order)
{
    size_t k, n;

    for (k = 0; k < m->n_arrays; ++k) {
        const struct ptx_array *a = &m->arrays[k];

        for (n = 0; memcmp(a->host, all, a->size) && a->host[n] == all[n]; ++n)
            ;
        if (n || (a->size && a->host[0] != all[0])) {
            m->fault = CU_LAUNCH_FAILED;
            snprintf(m->why, sizeof m->why,
                     "kernel %.*s: byte %zu of array %zu is %#x in the order "
                     "'%s', and %#x in the order '%s'",
                     (int)(kernel->name.size < 80 ? kernel->name.size : 80),
                     kernel->name.text, n, k, a->host[n], order, all[n],
                     orders[0].name);
            return;
        }
        all += a->size;
    }
}

static void set(struct ptx_machine *m, const struct order *o)
{
    m->settings.warps = o->warps;
    m->settings.blocks = o->blocks;
    m->settings.width = o->width;
    m->settings.early = o->early;
}

static void launch_all(struct ptx_machine *m, const struct ptx_launch *l,
                       const unsigned char *before)
{
    unsigned char *first = NULL;
    size_t used, k;

    for (k = 0; k < N_ORDERS && !m->fault; ++k) {
        set(m, &orders[k]);
        if (!ptx_launch(m, l)) {
            used = strlen(m->why);
            snprintf(m->why + used, sizeof m->why - used, " (order '%s')",
                     orders[k].name);
        } else if (first) {
            compare(m, l->kernel, first, orders[k].name);
        } else if (!(first = contents(m))) {
            m->fault = CU_OUT_OF_MEMORY;
        }
        if (!m->fault && k + 1 < N_ORDERS)
            restore(m, before);
    }
    free(first);
}

bool ptx_launch_in_orders(struct ptx_machine *m, const struct ptx_launch *l)
{
    struct ptx_settings settings = m->settings;
    unsigned char *before;

    if (!settings.all_orders)
        return ptx_launch(m, l);
    before = contents(m);
    if (!before) {
        m->fault = CU_OUT_OF_MEMORY;
        return false;
    }
    launch_all(m, l, before);
    free(before);
    m->settings = settings;
    return !m->fault;
}
