/* registers.c - elements that belong to a thread.
 *
 * Private promotion (section 7.3 of Verdoolaege et al., TACO 9(4), 2013), for
 * arrays of which each element is used at one point of the parallel loops
 * only: the sequential loops of that point run in one thread, which loads the
 * element before them, keeps it in a register and stores it behind them.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "internal.h"

#include <stdlib.h>

/* All references to array "array", { [p] -> A[x] }; NULL if one depends on a
 * sequential loop or is not known.
 */
static __isl_give isl_map *elements_of(const struct pg_parts *parts,
                                       const struct pg_groups *groups,
                                       unsigned array)
{
    unsigned n = parts->n_parallel;
    isl_map *all = NULL;

    for (unsigned r = 0; r < groups->n_ref; r++) {
        const struct pg_reference *ref = &groups->ref[r];
        isl_map *one;

        if (ref->array != array)
            continue;
        for (unsigned e = 0; ref->element && e < ref->n_dim; e++)
            for (unsigned d = n; d < ref->n_v; d++)
                if (ref->factor[e][d])
                    return isl_map_free(all);
        if (!ref->element)
            return isl_map_free(all);
        one = isl_map_project_out(isl_map_copy(ref->element), isl_dim_in, n,
                                  ref->n_v - n);
        all = all ? isl_map_union(all, one) : one;
    }
    return all;
}

/* The points { [p] } of the parallel loops at which "array" is accessed. */
static __isl_give isl_set *points_of(const struct pg_parts *parts,
                                     const struct pg_groups *groups,
                                     const struct pg_scop *scop, unsigned array)
{
    unsigned n = parts->n_parallel;
    isl_set *all = NULL;

    for (unsigned r = 0; r < groups->n_ref; r++) {
        const struct pg_reference *ref = &groups->ref[r];
        const struct pg_placed *placed = &parts->placed[ref->placed];
        isl_map *relation;
        isl_set *one;

        if (ref->array != array)
            continue;
        relation = scop->stmts[placed->stmt].accesses[ref->access].relation;
        one = isl_set_intersect(isl_set_copy(placed->domain),
                                isl_map_domain(isl_map_copy(relation)));
        one = isl_set_apply(one, isl_map_copy(placed->point));
        one = isl_set_project_out(one, isl_dim_set, n, ref->n_v - n);
        all = all ? isl_set_union(all, one) : one;
    }
    return pg_coalesce(all);
}

/* Is "array" used at different times at the same point of the parallel loops:
 * in a sequential loop, or by several statements?
 */
static bool is_used_again(const struct pg_parts *parts,
                          const struct pg_groups *groups, unsigned array)
{
    const struct pg_reference *first = NULL;

    for (unsigned r = 0; r < groups->n_ref; r++) {
        const struct pg_reference *ref = &groups->ref[r];

        if (ref->array != array)
            continue;
        if (ref->n_v > parts->n_parallel ||
            (first && first->placed != ref->placed))
            return true;
        first = ref;
    }
    return false;
}

/* The accesses, { S[i] -> A[x] }, of the kernel to "array". */
static __isl_give isl_union_map *accesses_of(const struct pg_parts *parts,
                                             const struct pg_scop *scop,
                                             unsigned array, bool write)
{
    isl_union_map *all = pg_scop_accesses_of(scop, array, write);
    isl_union_set *domain = isl_union_set_empty(isl_union_map_get_space(all));

    for (unsigned i = 0; i < parts->n_placed; i++)
        domain = isl_union_set_union(
            domain,
            isl_union_set_from_set(isl_set_copy(parts->placed[i].domain)));
    return isl_union_map_intersect_domain(all, domain);
}

/* Set reg->load and reg->store. */
static isl_stat find_direction(struct pg_register *reg,
                               const struct pg_parts *parts,
                               const struct pg_scop *scop)
{
    isl_union_map *reads = accesses_of(parts, scop, reg->array, false);
    isl_union_map *writes = accesses_of(parts, scop, reg->array, true);
    isl_union_set *needed = NULL, *written, *used;
    isl_bool none, all;

    written = isl_union_map_range(isl_union_map_copy(writes));
    used = isl_union_set_union(isl_union_set_copy(written),
                               isl_union_map_range(isl_union_map_copy(reads)));
    isl_union_map_free(pg_value_flow(
        reads, writes, isl_schedule_copy(scop->original), &needed));
    none = isl_union_set_is_empty(needed);
    all = isl_union_set_is_subset(used, written);
    reg->store = true;
    reg->load = none != isl_bool_true || all != isl_bool_true;
    for (unsigned i = 0; i < parts->n_placed; i++) {
        const struct pg_stmt *stmt = &scop->stmts[parts->placed[i].stmt];

        for (unsigned a = 0; a < stmt->n_access; a++)
            if (stmt->accesses[a].array == reg->array &&
                stmt->accesses[a].write && !stmt->accesses[a].must)
                reg->load = true;
    }
    isl_union_set_free(needed);
    isl_union_set_free(written);
    isl_union_set_free(used);
    return none < 0 || all < 0 ? isl_stat_error : isl_stat_ok;
}

/* The arrays that are written in the kernel and stay in registers meanwhile. */
isl_stat pg_registers_find(struct pg_registers *registers,
                           const struct pg_parts *parts,
                           const struct pg_groups *groups,
                           const struct pg_scop *scop)
{
    isl_stat result = isl_stat_ok;

    for (unsigned a = 0; result == isl_stat_ok && a < scop->n_array; a++) {
        struct pg_register reg = {.array = a};
        bool written = false;

        for (unsigned r = 0; r < groups->n_ref; r++)
            written |= groups->ref[r].array == a && groups->ref[r].write;
        if (!written || !is_used_again(parts, groups, a))
            continue;
        reg.element = elements_of(parts, groups, a);
        if (!reg.element ||
            isl_map_is_bijective(reg.element) != isl_bool_true) {
            isl_map_free(reg.element);
            continue;
        }
        reg.points = points_of(parts, groups, scop, a);
        result = find_direction(&reg, parts, scop);
        registers->reg = pg_grow(registers->reg, registers->n, sizeof(reg));
        registers->reg[registers->n++] = reg;
    }
    return result;
}

/* Free what "registers" holds. */
void pg_registers_clear(struct pg_registers *registers)
{
    for (unsigned i = 0; i < registers->n; i++) {
        isl_map_free(registers->reg[i].element);
        isl_set_free(registers->reg[i].points);
    }
    free(registers->reg);
}
