/* box_pays.c - does shared memory pay for what a block works on?
 *
 * Each element of a box costs an access to memory when it is copied, and one
 * when it goes back.  Without the box it costs one for each nest in which it is
 * accessed, of which a write goes as far as the L2 cache, and each thread that
 * accesses it: what a thread accesses again within a nest stays in a register
 * (CarryLoads.cpp) or is at least in the L1 cache.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "promote/box_pays.h"
#include "polygpu/polyhedral.h"
#include "promote/box_references.h"

/* Accesses that count for a reference by which several threads, or several
 * nests, access an element; how many times those of the copies it has to be.
 */
enum { SEVERAL = 6, GAIN = 3 };

/* { [t] -> [v, x] }: "ref" at what "time", { S[i] -> [t] }, says. */
static __isl_give isl_map *at_times(const struct pg_box_references *refs,
                                    const struct pg_box_reference *ref,
                                    __isl_keep isl_union_map *time)
{
    isl_map *element = isl_map_flat_range_product(
        pg_box_at(refs->kernel->place, ref->element),
        isl_map_reset_tuple_id(isl_map_copy(ref->element), isl_dim_out));

    element = isl_map_intersect_domain(
        element, isl_map_domain(isl_map_copy(ref->element)));
    return isl_map_apply_domain(element, pg_box_at(time, ref->element));
}

/* Does each element of "group" belong to one thread? */
isl_bool pg_box_is_own(const struct pg_box_references *refs, unsigned group)
{
    isl_map *all = NULL;
    isl_bool own;

    for (unsigned i = 0; i < refs->n; i++) {
        isl_map *one;

        if (refs->ref[i].group != group)
            continue;
        one = at_times(refs, &refs->ref[i], refs->kernel->thread);
        all = all ? isl_map_union(all, one) : one;
    }
    own = isl_map_is_injective(all);
    isl_map_free(all);
    return own;
}

/* Is it better to work on "group" in shared memory, with "n_copy" accesses to
 * memory for each of its elements?
 */
isl_bool pg_box_pays(const struct pg_box_references *refs, unsigned group,
                     unsigned n_copy)
{
    unsigned n = 0;
    bool written = false, several = false;

    for (unsigned i = 0; i < refs->n; i++) {
        isl_map *times;
        isl_bool once;

        if (refs->ref[i].group != group)
            continue;
        times = at_times(refs, &refs->ref[i], refs->kernel->when);
        once = isl_map_is_injective(times);
        isl_map_free(times);
        if (once < 0)
            return isl_bool_error;
        n += once ? 1 : SEVERAL;
        written |= refs->ref[i].write;
        several |= !once;
    }
    // Caches have what neighbours read in one nest.
    return isl_bool_ok((written || several) && n > 1 && n >= GAIN * n_copy);
}

/* Do threads go across the rows of "group"? */
isl_bool pg_box_is_across(const struct pg_box_references *refs, unsigned group)
{
    isl_bool across = isl_bool_false;

    for (unsigned i = 0; across == isl_bool_false && i < refs->n; i++) {
        isl_map *rows;
        isl_size n_in, n_out;

        if (refs->ref[i].group != group)
            continue;
        rows = at_times(refs, &refs->ref[i], refs->kernel->when);
        n_in = isl_map_dim(rows, isl_dim_in);
        n_out = isl_map_dim(rows, isl_dim_out);
        if (n_in < 0 || n_out < 0) {
            isl_map_free(rows);
            return isl_bool_error;
        }
        rows = isl_map_project_out(rows, isl_dim_out, (unsigned)n_out - 1, 1);
        rows = isl_map_project_out(rows, isl_dim_in, (unsigned)n_in - 1, 1);
        across = isl_bool_not(isl_map_is_single_valued(rows));
        isl_map_free(rows);
    }
    return across;
}
