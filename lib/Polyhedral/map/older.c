/* older.c - a plan for devices that are older than those it was made for.
 *
 * The schedule trees of kernels do not depend on how boxes get into shared
 * memory: only their code says whether that is through registers, and how many
 * boxes there is room for.  So a plan for devices with asynchronous copies is
 * one for devices without them too, as long as its boxes fit into what these
 * have of shared memory; making its trees and loops again would take as long as
 * the first time.  Its code is the same as well where copies are done at once
 * that may be done later.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "map/buffers.h"
#include "map/mapping.h"
#include "map/plan.h"
#include "polygpu/machine.h"
#include "polygpu/polyhedral.h"
#include "support/machine.h"
#include "support/text.h"

#include <isl/ast.h>
#include <isl/map.h>
#include <isl/set.h>
#include <isl/union_map.h>
#include <isl/union_set.h>
#include <stdlib.h>
#include <string.h>

enum { STAGES = 2 }; /* copies through registers have no use for more */

/* Let all of the "n" buffers be copied through registers, with as many stages
 * as there is room for on "machine"; false if there is none for one of each.
 */
static bool copy_through_registers(const struct pg_scop *scop,
                                   struct pg_buffer *buffers, unsigned n,
                                   const struct pg_machine *machine)
{
    for (unsigned stages = STAGES; stages > 0; stages--) {
        for (unsigned i = 0; i < n; i++) {
            buffers[i].async = false;
            if (buffers[i].stages > stages)
                buffers[i].stages = stages;
        }
        if (pg_buffers_bytes(scop, buffers, n) <= PG_STATIC_SHARED)
            return true;
    }
    return pg_buffers_bytes(scop, buffers, n) <= machine->block_shared;
}

/* The blocks of "mapping" that shall be on a multiprocessor: no more than
 * "machine" has threads, places and shared memory for.
 */
static unsigned blocks_of(const struct pg_scop *scop,
                          const struct pg_mapping *mapping,
                          const struct pg_machine *machine)
{
    unsigned long threads = (unsigned long)mapping->block[0] *
                            mapping->block[1] * mapping->block[2];
    unsigned long shared =
        pg_buffers_bytes(scop, mapping->buffers, mapping->n_buffer);
    unsigned long most = machine->threads / threads;

    most = most < machine->blocks ? most : machine->blocks;
    if (shared && machine->shared / (shared + PG_RESERVED_SHARED) < most)
        most = machine->shared / (shared + PG_RESERVED_SHARED);
    most = most > 1 ? most : 1;
    return mapping->min_blocks < most ? mapping->min_blocks : (unsigned)most;
}

/* "text", which is freed, with "now" in the place of "before". */
static char *replace(char *text, const char *before, const char *now)
{
    const char *at = text ? strstr(text, before) : NULL;
    char *result;

    if (!at)
        return text;
    result =
        pg_format("%.*s%s%s", (int)(at - text), text, now, at + strlen(before));
    free(text);
    return result;
}

/* Make the "choice" say what the buffers have become. */
static void describe(const struct pg_scop *scop,
                     const struct pg_mapping *before,
                     const struct pg_mapping *now, char **choice)
{
    for (unsigned i = 0; i < now->n_buffer; i++) {
        char *old = pg_buffer_text(scop, &before->buffers[i]);
        char *text = pg_buffer_text(scop, &now->buffers[i]);

        *choice = replace(*choice, old, text);
        free(old);
        free(text);
    }
}

/* Let all of the "n" buffers, with their stages, be copied at once; false if
 * there is no room for them on "machine".
 */
static bool copy_at_once(const struct pg_scop *scop, struct pg_buffer *buffers,
                         unsigned n, const struct pg_machine *machine)
{
    unsigned long bytes = pg_buffers_bytes(scop, buffers, n);

    for (unsigned i = 0; i < n; i++)
        buffers[i].async = false;
    return bytes <= PG_STATIC_SHARED || bytes <= machine->block_shared;
}

/* "mapping" for "machine", with its copies done in this way, in the empty
 * "copy"; false if it does not fit.
 */
static bool copy_mapping(struct pg_mapping *copy,
                         const struct pg_mapping *mapping,
                         const struct pg_scop *scop,
                         const struct pg_machine *machine, enum pg_older copies)
{
    *copy = *mapping;
    copy->about = NULL; // the kernel's choice says what has become of it
    copy->schedule = isl_schedule_copy(mapping->schedule);
    for (unsigned d = 0; d < 3; d++) {
        copy->blocks[d] = isl_pw_aff_copy(mapping->blocks[d]);
        copy->tiling.member[d] =
            isl_union_pw_aff_copy(mapping->tiling.member[d]);
    }
    copy->promotion =
        mapping->promotion ? pg_promotion_copy(mapping->promotion, scop) : NULL;
    copy->buffers = pg_buffers_copy(mapping->buffers, mapping->n_buffer);
    if (!(copies == PG_OLDER_SAME ? copy_at_once : copy_through_registers)(
            scop, copy->buffers, copy->n_buffer, machine))
        return false;
    copy->min_blocks = blocks_of(scop, copy, machine);
    return true;
}

/* The list of a condition for each of "n" buffers once more. */
static isl_ast_expr **copy_conditions(isl_ast_expr **list, unsigned n)
{
    isl_ast_expr **copy;

    if (!list)
        return NULL;
    copy = pg_alloc(n, sizeof(isl_ast_expr *));
    for (unsigned i = 0; i < n; i++)
        copy[i] = isl_ast_expr_copy(list[i]);
    return copy;
}

/* "kernel" in the mapping that is chosen, for "machine", with its copies done
 * in this way, in "copy"; false if it does not fit.
 */
static bool copy_kernel(struct pg_kernel *copy, const struct pg_kernel *kernel,
                        const struct pg_scop *scop,
                        const struct pg_machine *machine, enum pg_older copies)
{
    unsigned n = kernel->mapping->n_buffer;
    bool fits;

    *copy = *kernel;
    copy->name = pg_strdup(kernel->name);
    copy->host = pg_alloc(kernel->n_host, sizeof(char *));
    for (unsigned i = 0; i < kernel->n_host; i++)
        copy->host[i] = pg_strdup(kernel->host[i]);
    copy->domain = isl_union_set_copy(kernel->domain);
    copy->when = isl_map_copy(kernel->when);
    copy->steps = isl_union_set_copy(kernel->steps);
    copy->alone = isl_union_set_copy(kernel->alone);
    copy->again = NULL; /* there is none on devices */
    copy->choice = kernel->choice ? pg_strdup(kernel->choice) : NULL;
    copy->ast = isl_ast_node_copy(kernel->ast);
    copy->inside = copy_conditions(kernel->inside, n);
    copy->back = copy_conditions(kernel->back, n);
    copy->n_candidate = 1;
    copy->candidates = pg_alloc(1, sizeof(*copy->candidates));
    fits =
        copy_mapping(copy->candidates, kernel->mapping, scop, machine, copies);
    copy->mapping = copy->candidates;
    describe(scop, kernel->mapping, copy->mapping, &copy->choice);
    return fits;
}

/* Give "copy" the counts of "plan". */
static void copy_counts(struct pg_plan *copy, const struct pg_plan *plan)
{
    unsigned n_param =
        (unsigned)isl_set_dim(plan->scop->context, isl_dim_param);

    copy->counts = pg_alloc(plan->n_count, sizeof(*copy->counts));
    for (unsigned i = 0; i < plan->n_count; i++) {
        const struct pg_count *from = &plan->counts[i];
        struct pg_count *to = &copy->counts[i];

        *to = *from;
        to->bounds = pg_alloc(from->n_bound, sizeof(*to->bounds));
        for (unsigned b = 0; b < from->n_bound; b++) {
            size_t n = n_param + 1;

            to->bounds[b] = from->bounds[b];
            if (from->bounds[b].kind != PG_BOUND_CONDITION)
                n += from->bounds[b].dim;
            to->bounds[b].factors = pg_alloc(n, sizeof(long long));
            memcpy(to->bounds[b].factors, from->bounds[b].factors,
                   n * sizeof(long long));
        }
    }
}

/* Give "copy" the extents of the temporaries of "plan". */
static void copy_extents(struct pg_plan *copy, const struct pg_plan *plan)
{
    unsigned n = plan->scop->n_array;

    copy->extents = pg_alloc(n, sizeof(*copy->extents));
    for (unsigned a = 0; a < n; a++)
        copy->extents[a] =
            copy_conditions(plan->extents[a], plan->scop->arrays[a].n_dim);
}

/* The "n" flags once more, or NULL if there are none. */
static bool *copy_flags(const bool *flags, unsigned n)
{
    bool *copy = flags ? pg_alloc(n, sizeof(*copy)) : NULL;

    if (copy)
        memcpy(copy, flags, n * sizeof(*copy));
    return copy;
}

/* "plan" for "machine", which has no asynchronous copies: the same kernels,
 * whose boxes come as "copies" says.  NULL if it has too little shared memory
 * for them.
 */
struct pg_plan *pg_plan_for_older(const struct pg_plan *plan,
                                  const struct pg_machine *machine,
                                  enum pg_older copies)
{
    struct pg_plan *copy = pg_alloc(1, sizeof(*copy));
    bool fits = true;

    *copy = *plan;
    copy->kernels = pg_alloc(plan->n_kernel, sizeof(*copy->kernels));
    for (unsigned i = 0; i < plan->n_kernel; i++)
        fits &= copy_kernel(&copy->kernels[i], &plan->kernels[i], plan->scop,
                            machine, copies);
    copy->host_schedule = isl_union_map_copy(plan->host_schedule);
    copy->host = isl_ast_node_copy(plan->host);
    copy->chained_schedule = isl_union_map_copy(plan->chained_schedule);
    copy->chained_if = isl_set_copy(plan->chained_if);
    copy->chained = isl_ast_node_copy(plan->chained);
    copy->chain = isl_ast_expr_copy(plan->chain);
    copy->in = isl_ast_node_copy(plan->in);
    copy->out = isl_ast_node_copy(plan->out);
    copy->nonempty = isl_ast_expr_copy(plan->nonempty);
    if (plan->extents)
        copy_extents(copy, plan);
    copy->is_private = copy_flags(plan->is_private, plan->scop->n_array);
    copy->own = NULL; /* there are none on devices */
    copy->filled = copy_flags(plan->filled, plan->scop->n_array);
    copy_counts(copy, plan);
    if (fits)
        return copy;
    pg_plan_free(copy);
    return NULL;
}
