/* box_references.c - references to an array in a kernel whose blocks work on
 * boxes: their groups, and which elements these read and write.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "promote/box_references.h"
#include "dependence/dependences.h"
#include "polygpu/polyhedral.h"
#include "scop/scop.h"
#include "support/coalesce.h"

#include <isl/space.h>

/* The piece of "map", { S[i] -> ... }, of the statement of "element", { S[i] ->
 * A[x] }.
 */
__isl_give isl_map *pg_box_at(__isl_keep isl_union_map *map,
                              __isl_keep isl_map *element)
{
    isl_space *stmt = isl_space_domain(isl_map_get_space(element));

    return isl_map_from_union_map(isl_union_map_intersect_domain(
        isl_union_map_copy(map),
        isl_union_set_from_set(isl_set_universe(stmt))));
}

/* Add access "a" of statement "s" if the kernel has it; false after an error.
 */
static bool add(struct pg_box_references *refs, unsigned s, unsigned a)
{
    const struct pg_stmt *stmt = &refs->kernel->scop->stmts[s];
    isl_set *instances = isl_union_set_extract_set(
        refs->kernel->domain, isl_set_get_space(stmt->domain));
    isl_map *element = isl_map_intersect_domain(
        isl_map_copy(stmt->accesses[a].relation), instances);
    isl_bool empty = isl_map_is_empty(element);
    struct pg_box_reference *ref = &refs->ref[refs->n];

    if (empty != isl_bool_false) {
        isl_map_free(element);
        return empty == isl_bool_true;
    }
    ref->s = s;
    ref->a = a;
    ref->group = refs->n++;
    ref->write = stmt->accesses[a].write;
    ref->element = element;
    ref->of_place = isl_map_apply_domain(
        isl_map_copy(element), pg_box_at(refs->kernel->place, element));
    return ref->of_place;
}

/* Let groups "a" and "b" be one, with the lower number. */
void pg_box_references_join(struct pg_box_references *refs, unsigned a,
                            unsigned b)
{
    for (unsigned k = 0; k < refs->n; k++)
        if (refs->ref[k].group == a || refs->ref[k].group == b)
            refs->ref[k].group = a < b ? a : b;
}

/* Those that may touch one element for one value are of one group. */
static bool find_groups(struct pg_box_references *refs)
{
    for (unsigned i = 0; i < refs->n; i++)
        for (unsigned j = 0; j < i; j++) {
            unsigned from = refs->ref[i].group, to = refs->ref[j].group;
            isl_bool apart = isl_bool_true;

            if (from != to)
                apart = isl_map_is_disjoint(refs->ref[i].of_place,
                                            refs->ref[j].of_place);
            if (apart < 0)
                return false;
            if (!apart)
                pg_box_references_join(refs, from, to);
        }
    return true;
}

/* All references of "kernel" to array "array", in groups that have no element
 * in common for any value; none if the program has too many.  False after an
 * error.
 */
bool pg_box_references_find(struct pg_box_references *refs,
                            const struct pg_boxed_kernel *kernel,
                            unsigned array)
{
    const struct pg_scop *scop = kernel->scop;
    unsigned n = 0;
    bool ok = true;

    refs->kernel = kernel;
    refs->array = array;
    refs->n = 0;
    for (unsigned s = 0; s < scop->n_stmt; s++)
        for (unsigned a = 0; a < scop->stmts[s].n_access; a++)
            n += scop->stmts[s].accesses[a].array == array;
    for (unsigned s = 0; ok && n <= PG_MAX_BOX_REFERENCES && s < scop->n_stmt;
         s++)
        for (unsigned a = 0; ok && a < scop->stmts[s].n_access; a++)
            if (scop->stmts[s].accesses[a].array == array)
                ok = add(refs, s, a);
    return ok && find_groups(refs);
}

/* Free what "refs" holds. */
void pg_box_references_clear(struct pg_box_references *refs)
{
    for (unsigned i = 0; i < refs->n; i++) {
        isl_map_free(refs->ref[i].element);
        isl_map_free(refs->ref[i].of_place);
    }
}

/* The elements { [v] -> A[x] } that references of "group" access, or only those
 * that they write.
 */
__isl_give isl_map *pg_box_elements(const struct pg_box_references *refs,
                                    unsigned group, bool written)
{
    isl_map *all = isl_map_empty(isl_map_get_space(refs->ref[0].of_place));

    for (unsigned i = 0; i < refs->n; i++)
        if (refs->ref[i].group == group && (!written || refs->ref[i].write))
            all = isl_map_union(all, isl_map_copy(refs->ref[i].of_place));
    return pg_coalesce_map(all);
}

/* The accesses { S[i] -> A[x] } of "group" that write or do not. */
static __isl_give isl_union_map *
accesses_of(const struct pg_box_references *refs, unsigned group, bool write)
{
    isl_union_map *all =
        isl_union_map_empty(isl_set_get_space(refs->kernel->scop->context));

    for (unsigned i = 0; i < refs->n; i++)
        if (refs->ref[i].group == group && refs->ref[i].write == write)
            all =
                isl_union_map_add_map(all, isl_map_copy(refs->ref[i].element));
    return all;
}

/* The elements { [v] -> A[x] } that references of "group" read and that are not
 * written before for the same value.
 */
__isl_give isl_map *pg_box_unwritten(const struct pg_box_references *refs,
                                     unsigned group)
{
    isl_union_map *reads = accesses_of(refs, group, false);
    isl_union_map *writes = accesses_of(refs, group, true);
    isl_bool none = isl_union_map_is_empty(writes);
    isl_map *elements;

    if (none == isl_bool_false)
        reads = pg_unwritten_reads(
            reads, writes, isl_schedule_copy(refs->kernel->scop->original));
    else
        isl_union_map_free(writes);
    if (none < 0)
        reads = isl_union_map_free(reads);
    reads = isl_union_map_apply_domain(reads,
                                       isl_union_map_copy(refs->kernel->place));
    elements = isl_union_map_extract_map(
        reads, isl_map_get_space(refs->ref[0].of_place));
    isl_union_map_free(reads);
    return pg_coalesce_map(elements);
}

/* Does anything behind the launch read what "group" writes?  The program does,
 * unless the array's values are dead; and other launches may.
 */
isl_bool pg_box_is_read_later(const struct pg_box_references *refs,
                              unsigned group)
{
    const struct pg_scop *scop = refs->kernel->scop;
    isl_union_map *flow, *inside, *writes;
    isl_bool none;

    if (!scop->arrays[refs->array].dead_after)
        return isl_bool_true;
    writes = accesses_of(refs, group, true);
    flow = pg_value_flow(pg_scop_accesses_of(scop, refs->array, false),
                         pg_scop_accesses_of(scop, refs->array, true),
                         isl_schedule_copy(scop->original), NULL);
    flow = isl_union_map_intersect_domain(flow, isl_union_map_domain(writes));
    inside = isl_union_map_intersect_range(
        isl_union_map_copy(flow), isl_union_set_copy(refs->kernel->domain));
    none = isl_union_map_is_subset(flow, inside);
    isl_union_map_free(flow);
    isl_union_map_free(inside);
    return isl_bool_not(none);
}
