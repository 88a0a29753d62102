/* registers.c - elements that belong to a thread.
 *
 * Private promotion (section 7.3 of Verdoolaege et al., TACO 9(4), 2013), for
 * references to an array that access the same element, one for each point of
 * the parallel loops: the sequential loops of that point run in one thread,
 * which loads the element before them, keeps it in a register and stores it
 * behind them.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "internal.h"

#include <stdlib.h>
#include <string.h>

/* Does what "ref" accesses depend on the parallel loops only, by a known
 * function?
 */
static bool is_of_point(const struct pg_parts *parts,
                        const struct pg_reference *ref)
{
    for (unsigned e = 0; ref->element && e < ref->n_dim; e++)
        for (unsigned d = parts->n_parallel; d < ref->n_v; d++)
            if (ref->factor[e][d])
                return false;
    return ref->element != NULL;
}

/* What "ref", which is_of_point, accesses: { [p] -> A[x] }. */
static __isl_give isl_map *element_of(const struct pg_parts *parts,
                                      const struct pg_reference *ref)
{
    unsigned n = parts->n_parallel;

    return isl_map_project_out(isl_map_copy(ref->element), isl_dim_in, n,
                               ref->n_v - n);
}

/* Set reg->element to what as many references to its array as possible have in
 * common, and reg->ref to these.
 */
static void find_members(struct pg_register *reg, const struct pg_parts *parts,
                         const struct pg_groups *groups)
{
    unsigned *same = pg_alloc(groups->n_ref, sizeof(*same));

    for (unsigned first = 0; first < groups->n_ref; first++) {
        unsigned n = 0;
        isl_map *element;

        if (groups->ref[first].array != reg->array ||
            !is_of_point(parts, &groups->ref[first]))
            continue;
        element = element_of(parts, &groups->ref[first]);
        for (unsigned r = first; r < groups->n_ref; r++) {
            isl_map *other;

            if (groups->ref[r].array != reg->array ||
                !is_of_point(parts, &groups->ref[r]))
                continue;
            other = element_of(parts, &groups->ref[r]);
            if (isl_map_is_equal(element, other) == isl_bool_true)
                same[n++] = r;
            isl_map_free(other);
        }
        if (n > reg->n_ref) {
            isl_map_free(reg->element);
            reg->element = isl_map_copy(element);
            free(reg->ref);
            reg->ref = pg_alloc(n, sizeof(*reg->ref));
            memcpy(reg->ref, same, n * sizeof(*same));
            reg->n_ref = n;
        }
        isl_map_free(element);
    }
    free(same);
}

/* Is reference number "r" a member of the register? */
static bool is_member(const struct pg_register *reg, unsigned r)
{
    for (unsigned i = 0; i < reg->n_ref; i++)
        if (reg->ref[i] == r)
            return true;
    return false;
}

/* Is the register written, and used at different times at the same point of the
 * parallel loops: in a sequential loop, or by several statements?
 */
static bool is_used_again(const struct pg_register *reg,
                          const struct pg_parts *parts,
                          const struct pg_groups *groups)
{
    bool written = false, again = false;

    for (unsigned i = 0; i < reg->n_ref; i++) {
        const struct pg_reference *ref = &groups->ref[reg->ref[i]];

        written |= ref->write;
        again |= ref->n_v > parts->n_parallel ||
                 ref->placed != groups->ref[reg->ref[0]].placed;
    }
    return written && again;
}

/* The instances of "ref" in the kernel and what they access. */
static __isl_give isl_map *relation_of(const struct pg_parts *parts,
                                       const struct pg_scop *scop,
                                       const struct pg_reference *ref)
{
    const struct pg_placed *placed = &parts->placed[ref->placed];
    const struct pg_stmt *stmt = &scop->stmts[placed->stmt];

    return isl_map_intersect_domain(
        isl_map_copy(stmt->accesses[ref->access].relation),
        isl_set_copy(placed->domain));
}

/* The accesses of the kernel to the register's array that are its members'
 * ("members") or the others', and read or write: { S[i] -> A[x] }; by points of
 * the parallel loops ("at"): { [p] -> A[x] }.
 */
static __isl_give isl_union_map *accesses_of(const struct pg_register *reg,
                                             const struct pg_parts *parts,
                                             const struct pg_groups *groups,
                                             const struct pg_scop *scop,
                                             bool members, bool write, bool at)
{
    isl_union_map *all = isl_union_map_empty(isl_set_get_space(scop->context));

    for (unsigned r = 0; r < groups->n_ref; r++) {
        const struct pg_reference *ref = &groups->ref[r];
        unsigned n = parts->n_parallel;
        isl_map *one;

        if (ref->array != reg->array || ref->write != write ||
            is_member(reg, r) != members)
            continue;
        one = relation_of(parts, scop, ref);
        if (at) {
            one = isl_map_apply_domain(
                one, isl_map_copy(parts->placed[ref->placed].point));
            one = isl_map_project_out(one, isl_dim_in, n, ref->n_v - n);
        }
        all = isl_union_map_union(all, isl_union_map_from_map(one));
    }
    return all;
}

/* The members' accesses, reads and writes. */
static __isl_give isl_union_map *uses_of(const struct pg_register *reg,
                                         const struct pg_parts *parts,
                                         const struct pg_groups *groups,
                                         const struct pg_scop *scop, bool at)
{
    return isl_union_map_union(
        accesses_of(reg, parts, groups, scop, true, false, at),
        accesses_of(reg, parts, groups, scop, true, true, at));
}

/* Those of reg->points, { [p] }, whose element is one of "elements". */
static __isl_give isl_set *points_of(const struct pg_register *reg,
                                     __isl_take isl_union_set *elements)
{
    isl_union_set *points = isl_union_map_domain(isl_union_map_intersect_range(
        isl_union_map_from_map(isl_map_copy(reg->element)), elements));
    isl_set *result =
        isl_union_set_extract_set(points, isl_set_get_space(reg->points));

    isl_union_set_free(points);
    return isl_set_intersect(result, isl_set_copy(reg->points));
}

/* The description of "points" by reg->points, if they are all of these. */
static __isl_give isl_set *simpler(const struct pg_register *reg,
                                   const struct pg_scop *scop,
                                   __isl_take isl_set *points)
{
    isl_set *all = isl_set_intersect_params(isl_set_copy(reg->points),
                                            isl_set_copy(scop->context));
    isl_bool same = isl_set_is_subset(all, points);

    isl_set_free(all);
    if (same != isl_bool_true)
        return pg_coalesce(points);
    isl_set_free(points);
    return isl_set_copy(reg->points);
}

/* May others' writes not happen, or happen in the same instance as a member's
 * and before that?
 */
static bool is_unordered(const struct pg_register *reg,
                         const struct pg_parts *parts,
                         const struct pg_groups *groups,
                         const struct pg_scop *scop)
{
    for (unsigned r = 0; r < groups->n_ref; r++) {
        const struct pg_reference *ref = &groups->ref[r];
        unsigned stmt = parts->placed[ref->placed].stmt;

        if (ref->array != reg->array || !ref->write || is_member(reg, r))
            continue;
        if (!scop->stmts[stmt].accesses[ref->access].must)
            return true;
        for (unsigned i = 0; i < reg->n_ref; i++) {
            const struct pg_reference *own = &groups->ref[reg->ref[i]];

            if (own->write && own->placed == ref->placed &&
                own->access > ref->access)
                return true;
        }
    }
    return false;
}

/* Can the others stay with the array in memory?  They may write elements of the
 * register, if they do that at the same point of the parallel loops and behind
 * all of its members: what they write is what stays, and reg->stored leaves
 * these elements out.
 */
static isl_bool keep_apart(struct pg_register *reg,
                           const struct pg_parts *parts,
                           const struct pg_groups *groups,
                           const struct pg_scop *scop)
{
    isl_union_map *read =
        accesses_of(reg, parts, groups, scop, false, false, false);
    isl_union_map *written =
        accesses_of(reg, parts, groups, scop, false, true, false);
    isl_union_map *uses = uses_of(reg, parts, groups, scop, false), *before;
    isl_union_map *cross =
        accesses_of(reg, parts, groups, scop, false, true, true);
    isl_union_set *elements = isl_union_map_range(isl_union_map_copy(uses));
    isl_union_set *left = isl_union_map_range(isl_union_map_copy(written));
    isl_bool ok;

    // { [p of another] -> [p of a member] } with an element in common
    cross = isl_union_map_apply_range(
        cross, isl_union_map_reverse(uses_of(reg, parts, groups, scop, true)));
    read = isl_union_map_intersect_range(read, elements);
    ok = isl_union_map_is_empty(read);
    if (ok == isl_bool_true && isl_union_map_is_empty(cross) != isl_bool_true) {
        ok = isl_union_map_is_identity(cross);
        before = pg_value_flow(uses, isl_union_map_copy(written),
                               isl_schedule_copy(scop->original), NULL);
        if (ok == isl_bool_true)
            ok = isl_union_map_is_empty(before);
        if (is_unordered(reg, parts, groups, scop))
            ok = isl_bool_false;
        isl_union_map_free(before);
    } else {
        isl_union_map_free(uses);
    }
    reg->stored = isl_set_subtract(
        points_of(reg, isl_union_map_range(accesses_of(reg, parts, groups, scop,
                                                       true, true, false))),
        points_of(reg, left));
    reg->stored = simpler(reg, scop, reg->stored);
    isl_union_map_free(read);
    isl_union_map_free(written);
    isl_union_map_free(cross);
    return reg->stored ? ok : isl_bool_error;
}

/* May a member's write not happen? */
static bool may_keep(const struct pg_register *reg,
                     const struct pg_parts *parts,
                     const struct pg_groups *groups, const struct pg_scop *scop)
{
    for (unsigned i = 0; i < reg->n_ref; i++) {
        const struct pg_reference *ref = &groups->ref[reg->ref[i]];
        unsigned stmt = parts->placed[ref->placed].stmt;

        if (ref->write && !scop->stmts[stmt].accesses[ref->access].must)
            return true;
    }
    return false;
}

/* Set reg->points and reg->loaded: an element's value from before is needed if
 * it is read before it is written, or perhaps not written.
 */
static isl_stat find_loads(struct pg_register *reg,
                           const struct pg_parts *parts,
                           const struct pg_groups *groups,
                           const struct pg_scop *scop)
{
    isl_union_map *reads =
        accesses_of(reg, parts, groups, scop, true, false, false);
    isl_union_map *writes =
        accesses_of(reg, parts, groups, scop, true, true, false);
    isl_union_set *needed = NULL, *kept;

    reg->points = pg_coalesce(isl_set_from_union_set(
        isl_union_map_domain(uses_of(reg, parts, groups, scop, true))));
    if (may_keep(reg, parts, groups, scop)) {
        isl_union_map_free(reads);
        isl_union_map_free(writes);
        reg->loaded = isl_set_copy(reg->points);
        return isl_stat_ok;
    }
    kept =
        isl_union_set_subtract(isl_union_map_range(isl_union_map_copy(reads)),
                               isl_union_map_range(isl_union_map_copy(writes)));
    isl_union_map_free(pg_value_flow(
        reads, writes, isl_schedule_copy(scop->original), &needed));
    needed = isl_union_set_union(needed, kept);
    needed =
        isl_union_set_intersect_params(needed, isl_set_copy(scop->context));
    reg->loaded = simpler(reg, scop, points_of(reg, needed));
    return reg->loaded ? isl_stat_ok : isl_stat_error;
}

static void clear_register(struct pg_register *reg)
{
    free(reg->ref);
    isl_map_free(reg->element);
    isl_set_free(reg->points);
    isl_set_free(reg->loaded);
    isl_set_free(reg->stored);
}

/* Fill in the register of reg->array; false if it cannot be one, or does not
 * pay.
 */
static isl_bool find_register(struct pg_register *reg,
                              const struct pg_parts *parts,
                              const struct pg_groups *groups,
                              const struct pg_scop *scop)
{
    find_members(reg, parts, groups);
    if (!reg->element || !is_used_again(reg, parts, groups))
        return isl_bool_false;
    if (isl_map_is_bijective(reg->element) != isl_bool_true)
        return isl_bool_false;
    if (find_loads(reg, parts, groups, scop) != isl_stat_ok)
        return isl_bool_error;
    return keep_apart(reg, parts, groups, scop);
}

/* The arrays that are written in the kernel and stay in registers meanwhile. */
isl_stat pg_registers_find(struct pg_registers *registers,
                           const struct pg_parts *parts,
                           const struct pg_groups *groups,
                           const struct pg_scop *scop)
{
    for (unsigned a = 0; a < scop->n_array; a++) {
        struct pg_register reg = {.array = a};
        isl_bool found = find_register(&reg, parts, groups, scop);

        if (found == isl_bool_true) {
            registers->reg = pg_grow(registers->reg, registers->n, sizeof(reg));
            registers->reg[registers->n++] = reg;
        } else {
            clear_register(&reg);
        }
        if (found < 0)
            return isl_stat_error;
    }
    return isl_stat_ok;
}

/* Free what "registers" holds. */
void pg_registers_clear(struct pg_registers *registers)
{
    for (unsigned i = 0; i < registers->n; i++)
        clear_register(&registers->reg[i]);
    free(registers->reg);
}
