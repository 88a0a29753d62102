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
#include "promote/registers.h"
#include "dependence/dependences.h"
#include "polygpu/polyhedral.h"
#include "promote/components.h"
#include "promote/groups.h"
#include "support/coalesce.h"
#include "support/text.h"

#include <stdlib.h>
#include <string.h>

/* The search for the register of one array. */
struct search {
    const struct pg_components *components;
    const struct pg_groups *groups;
    const struct pg_scop *scop;
    struct pg_register reg;
};

/* Does what "ref" accesses depend on the parallel loops only, by a known
 * function?
 */
static bool is_of_point(const struct pg_components *components,
                        const struct pg_reference *ref)
{
    for (unsigned e = 0; ref->element && e < ref->n_dim; e++)
        for (unsigned d = components->n_parallel; d < ref->n_v; d++)
            if (ref->factor[e][d])
                return false;
    return ref->element != NULL;
}

/* What "ref", which is_of_point, accesses: { [p] -> A[x] }. */
static __isl_give isl_map *element_of(const struct pg_components *components,
                                      const struct pg_reference *ref)
{
    unsigned n = components->n_parallel;

    return isl_map_project_out(isl_map_copy(ref->element), isl_dim_in, n,
                               ref->n_v - n);
}

/* Can "ref" be a member of the register? */
static bool may_be_member(const struct search *s,
                          const struct pg_reference *ref)
{
    return ref->array == s->reg.array && is_of_point(s->components, ref);
}

/* Set reg.element to what as many references to its array as possible have in
 * common, and reg.ref to these.
 */
static void find_members(struct search *s)
{
    unsigned *same = pg_alloc(s->groups->n_ref, sizeof(*same));

    for (unsigned first = 0; first < s->groups->n_ref; first++) {
        unsigned n = 0;
        isl_map *element;

        if (!may_be_member(s, &s->groups->ref[first]))
            continue;
        element = element_of(s->components, &s->groups->ref[first]);
        for (unsigned r = first; r < s->groups->n_ref; r++) {
            isl_map *other;

            if (!may_be_member(s, &s->groups->ref[r]))
                continue;
            other = element_of(s->components, &s->groups->ref[r]);
            if (isl_map_is_equal(element, other) == isl_bool_true)
                same[n++] = r;
            isl_map_free(other);
        }
        if (n > s->reg.n_ref) {
            isl_map_free(s->reg.element);
            s->reg.element = isl_map_copy(element);
            free(s->reg.ref);
            s->reg.ref = pg_alloc(n, sizeof(*s->reg.ref));
            memcpy(s->reg.ref, same, n * sizeof(*same));
            s->reg.n_ref = n;
        }
        isl_map_free(element);
    }
    free(same);
}

/* Is reference number "r" a member of the register? */
static bool is_member(const struct search *s, unsigned r)
{
    for (unsigned i = 0; i < s->reg.n_ref; i++)
        if (s->reg.ref[i] == r)
            return true;
    return false;
}

/* Is the register written, and used at different times at the same point of the
 * parallel loops: in a sequential loop, or by several statements?
 */
static bool is_used_again(const struct search *s)
{
    bool written = false, again = false;

    for (unsigned i = 0; i < s->reg.n_ref; i++) {
        const struct pg_reference *ref = &s->groups->ref[s->reg.ref[i]];

        written |= ref->write;
        again |= ref->n_v > s->components->n_parallel ||
                 ref->placed != s->groups->ref[s->reg.ref[0]].placed;
    }
    return written && again;
}

/* Which accesses to the register's array: those of its members, else of the
 * others; writes, else reads; { [p] -> A[x] } by points of the parallel loops,
 * else { S[i] -> A[x] }.
 */
enum { MEMBERS = 1, WRITES = 2, BY_POINT = 4 };

/* The accesses of the kernel that "which" asks for. */
static __isl_give isl_union_map *accesses_of(const struct search *s,
                                             unsigned which)
{
    isl_union_map *all =
        isl_union_map_empty(isl_set_get_space(s->scop->context));

    for (unsigned r = 0; r < s->groups->n_ref; r++) {
        const struct pg_reference *ref = &s->groups->ref[r];
        unsigned n = s->components->n_parallel;
        isl_map *one;

        if (ref->array != s->reg.array ||
            ref->write != ((which & WRITES) != 0) ||
            is_member(s, r) != ((which & MEMBERS) != 0))
            continue;
        one = pg_reference_relation(ref, s->components, s->scop);
        if (which & BY_POINT) {
            one = isl_map_apply_domain(
                one, isl_map_copy(s->components->placed[ref->placed].point));
            one = isl_map_project_out(one, isl_dim_in, n, ref->n_v - n);
        }
        all = isl_union_map_union(all, isl_union_map_from_map(one));
    }
    return all;
}

/* The members' accesses, reads and writes; "at" is 0 or BY_POINT. */
static __isl_give isl_union_map *uses_of(const struct search *s, unsigned at)
{
    return isl_union_map_union(accesses_of(s, MEMBERS | at),
                               accesses_of(s, MEMBERS | WRITES | at));
}

/* Those of reg.points, { [p] }, whose element is one of "elements". */
static __isl_give isl_set *points_of(const struct search *s,
                                     __isl_take isl_union_set *elements)
{
    isl_union_set *points = isl_union_map_domain(isl_union_map_intersect_range(
        isl_union_map_from_map(isl_map_copy(s->reg.element)), elements));
    isl_set *result =
        isl_union_set_extract_set(points, isl_set_get_space(s->reg.points));

    isl_union_set_free(points);
    return isl_set_intersect(result, isl_set_copy(s->reg.points));
}

/* The description of "points" by reg.points, if they are all of these. */
static __isl_give isl_set *simpler(const struct search *s,
                                   __isl_take isl_set *points)
{
    isl_set *all = isl_set_intersect_params(isl_set_copy(s->reg.points),
                                            isl_set_copy(s->scop->context));
    isl_bool same = isl_set_is_subset(all, points);

    isl_set_free(all);
    if (same != isl_bool_true)
        return pg_coalesce(points);
    isl_set_free(points);
    return isl_set_copy(s->reg.points);
}

/* Is "ref" a write that may not happen? */
static bool may_miss(const struct search *s, const struct pg_reference *ref)
{
    unsigned stmt = s->components->placed[ref->placed].stmt;

    return ref->write && !s->scop->stmts[stmt].accesses[ref->access].must;
}

/* May others' writes not happen, or happen in the same instance as a member's
 * and before that?
 */
static bool is_unordered(const struct search *s)
{
    for (unsigned r = 0; r < s->groups->n_ref; r++) {
        const struct pg_reference *ref = &s->groups->ref[r];

        if (ref->array != s->reg.array || !ref->write || is_member(s, r))
            continue;
        if (may_miss(s, ref))
            return true;
        for (unsigned i = 0; i < s->reg.n_ref; i++) {
            const struct pg_reference *own = &s->groups->ref[s->reg.ref[i]];

            if (own->write && own->placed == ref->placed &&
                own->access > ref->access)
                return true;
        }
    }
    return false;
}

/* Can the others stay with the array in memory?  They may write elements of the
 * register, if they do that at the same point of the parallel loops and behind
 * all of its members: what they write is what stays, and reg.stored leaves
 * these elements out.
 */
static isl_bool keep_apart(struct search *s)
{
    isl_union_map *read = accesses_of(s, 0);
    isl_union_map *written = accesses_of(s, WRITES);
    isl_union_map *uses = uses_of(s, 0), *before;
    isl_union_map *cross = accesses_of(s, WRITES | BY_POINT);
    isl_union_set *elements = isl_union_map_range(isl_union_map_copy(uses));
    isl_union_set *left = isl_union_map_range(isl_union_map_copy(written));
    isl_bool ok;

    // { [p of another] -> [p of a member] } with an element in common
    cross = isl_union_map_apply_range(
        cross, isl_union_map_reverse(uses_of(s, BY_POINT)));
    read = isl_union_map_intersect_range(read, elements);
    ok = isl_union_map_is_empty(read);
    if (ok == isl_bool_true && isl_union_map_is_empty(cross) != isl_bool_true) {
        ok = isl_union_map_is_identity(cross);
        before = pg_value_flow(uses, isl_union_map_copy(written),
                               isl_schedule_copy(s->scop->original), NULL);
        if (ok == isl_bool_true)
            ok = isl_union_map_is_empty(before);
        if (is_unordered(s))
            ok = isl_bool_false;
        isl_union_map_free(before);
    } else {
        isl_union_map_free(uses);
    }
    s->reg.stored = isl_set_subtract(
        points_of(s, isl_union_map_range(accesses_of(s, MEMBERS | WRITES))),
        points_of(s, left));
    s->reg.stored = simpler(s, s->reg.stored);
    isl_union_map_free(read);
    isl_union_map_free(written);
    isl_union_map_free(cross);
    return s->reg.stored ? ok : isl_bool_error;
}

/* May a member's write not happen? */
static bool may_keep(const struct search *s)
{
    for (unsigned i = 0; i < s->reg.n_ref; i++)
        if (may_miss(s, &s->groups->ref[s->reg.ref[i]]))
            return true;
    return false;
}

/* Set reg.points and reg.loaded: an element's value from before is needed if
 * it is read before it is written, or perhaps not written.
 */
static isl_stat find_loads(struct search *s)
{
    isl_union_map *reads = accesses_of(s, MEMBERS);
    isl_union_map *writes = accesses_of(s, MEMBERS | WRITES);
    isl_union_set *needed = NULL, *kept;

    s->reg.points = pg_coalesce(
        isl_set_from_union_set(isl_union_map_domain(uses_of(s, BY_POINT))));
    if (may_keep(s)) {
        isl_union_map_free(reads);
        isl_union_map_free(writes);
        s->reg.loaded = isl_set_copy(s->reg.points);
        return isl_stat_ok;
    }
    kept =
        isl_union_set_subtract(isl_union_map_range(isl_union_map_copy(reads)),
                               isl_union_map_range(isl_union_map_copy(writes)));
    isl_union_map_free(pg_value_flow(
        reads, writes, isl_schedule_copy(s->scop->original), &needed));
    needed = isl_union_set_union(needed, kept);
    needed =
        isl_union_set_intersect_params(needed, isl_set_copy(s->scop->context));
    s->reg.loaded = simpler(s, points_of(s, needed));
    return s->reg.loaded ? isl_stat_ok : isl_stat_error;
}

/* Fill in the register of reg.array; false if it cannot be one, or does not
 * pay.
 */
static isl_bool find_register(struct search *s)
{
    if (s->scop->arrays[s->reg.array].flagged) /* each store is marked */
        return isl_bool_false;
    find_members(s);
    if (!s->reg.element || !is_used_again(s))
        return isl_bool_false;
    if (isl_map_is_bijective(s->reg.element) != isl_bool_true)
        return isl_bool_false;
    if (find_loads(s) != isl_stat_ok)
        return isl_bool_error;
    return keep_apart(s);
}

static void clear_register(struct pg_register *reg)
{
    free(reg->ref);
    isl_map_free(reg->element);
    isl_set_free(reg->points);
    isl_set_free(reg->loaded);
    isl_set_free(reg->stored);
}

/* The arrays that are written in the kernel and stay in registers meanwhile. */
isl_stat pg_registers_find(struct pg_registers *registers,
                           const struct pg_components *components,
                           const struct pg_groups *groups,
                           const struct pg_scop *scop)
{
    for (unsigned a = 0; a < scop->n_array; a++) {
        struct search s = {components, groups, scop, {.array = a}};
        isl_bool found = find_register(&s);

        if (found == isl_bool_true) {
            registers->reg =
                pg_grow(registers->reg, registers->n, sizeof(s.reg));
            registers->reg[registers->n++] = s.reg;
        } else {
            clear_register(&s.reg);
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
