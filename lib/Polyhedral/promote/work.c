/* work.c - what is to be run somewhere in the tree of a kernel with buffers.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "promote/work.h"
#include "polygpu/polyhedral.h"
#include "schedule/tree.h"
#include "support/text.h"

#include <isl/constraint.h>
#include <isl/space.h>
#include <isl/val.h>
#include <stdlib.h>
#include <string.h>

/* { S[i] -> [v] }: dimension "d" of the points "map". */
static __isl_give isl_union_pw_aff *dimension(__isl_keep isl_map *map,
                                              unsigned d)
{
    isl_pw_multi_aff *all = isl_pw_multi_aff_from_map(isl_map_copy(map));
    isl_pw_aff *one = isl_pw_multi_aff_get_pw_aff(all, (int)d);

    isl_pw_multi_aff_free(all);
    return isl_union_pw_aff_from_pw_aff(one);
}

/* floor("value" / "size"). */
static __isl_give isl_union_pw_aff *quotient(__isl_take isl_union_pw_aff *value,
                                             long long size)
{
    isl_ctx *ctx = isl_union_pw_aff_get_ctx(value);

    if (size == 1)
        return value;
    return isl_union_pw_aff_floor(isl_union_pw_aff_scale_down_val(
        value, isl_val_int_from_si(ctx, (long)size)));
}

/* "domain" without what is known of the parameters, which need not be said in
 * each of many sets; with it if others in the tree have some of its points
 * where that does not hold, since the sets of a tree must not.
 */
static __isl_give isl_set *shorten(struct pg_work_context *context,
                                   __isl_take isl_set *domain)
{
    isl_set *brief =
        isl_set_gist_params(isl_set_copy(domain), isl_set_copy(context->known));
    isl_set *others =
        isl_union_set_extract_set(context->given, isl_set_get_space(brief));
    isl_bool apart = isl_set_is_disjoint(brief, others);

    isl_set_free(others);
    if (apart != isl_bool_true) {
        isl_set_free(brief);
        brief = isl_set_intersect_params(isl_set_copy(domain),
                                         isl_set_copy(context->known));
    }
    isl_set_free(domain);
    context->given = isl_union_set_union(
        context->given, isl_union_set_from_set(isl_set_copy(brief)));
    return apart < 0 ? isl_set_free(brief) : brief;
}

/* Add to "work"; empty domains are nothing.  False after an error of isl. */
bool pg_work_add(struct pg_work_context *context, struct pg_work *work,
                 __isl_take isl_set *domain, __isl_take isl_map *point,
                 bool is_tile)
{
    isl_set *some = isl_set_intersect_params(isl_set_copy(domain),
                                             isl_set_copy(context->known));
    isl_bool empty = isl_set_is_empty(some);

    isl_set_free(some);
    if (empty != isl_bool_false) {
        isl_set_free(domain);
        isl_map_free(point);
        return empty == isl_bool_true;
    }
    work->item = pg_grow(work->item, work->n, sizeof(*work->item));
    domain = shorten(context, domain);
    work->item[work->n].domain = domain;
    work->item[work->n].point = point;
    work->item[work->n++].is_tile = is_tile;
    return domain && point;
}

/* Move what is in "from" to "to". */
void pg_work_join(struct pg_work *to, struct pg_work *from)
{
    for (unsigned i = 0; i < from->n; i++) {
        to->item = pg_grow(to->item, to->n, sizeof(*to->item));
        to->item[to->n++] = from->item[i];
    }
    free(from->item);
    memset(from, 0, sizeof(*from));
}

/* A copy of "work". */
struct pg_work pg_work_copy(const struct pg_work *work)
{
    struct pg_work copy = {.n = work->n};

    copy.item = pg_alloc(work->n, sizeof(*copy.item));
    for (unsigned i = 0; i < work->n; i++) {
        copy.item[i] = work->item[i];
        copy.item[i].domain = isl_set_copy(work->item[i].domain);
        copy.item[i].point = isl_map_copy(work->item[i].point);
    }
    return copy;
}

/* Free what "work" holds. */
void pg_work_clear(struct pg_work *work)
{
    for (unsigned i = 0; i < work->n; i++) {
        isl_set_free(work->item[i].domain);
        isl_map_free(work->item[i].point);
    }
    free(work->item);
    memset(work, 0, sizeof(*work));
}

/* The instances of "work", with the parameters "params" at least. */
__isl_give isl_union_set *pg_work_domain(const struct pg_work *work,
                                         __isl_take isl_space *params)
{
    isl_union_set *all = isl_union_set_empty(params);

    for (unsigned i = 0; i < work->n; i++)
        all = isl_union_set_union(
            all, isl_union_set_from_set(isl_set_copy(work->item[i].domain)));
    return all;
}

/* An error if "c" is for several dimensions of the set. */
static isl_stat stop_at_several(__isl_take isl_constraint *c, void *user)
{
    isl_size n = isl_constraint_dim(c, isl_dim_set);
    bool known = n >= 0;
    unsigned found = 0;

    (void)user;
    for (int d = 0; d < n; d++) {
        isl_bool one =
            isl_constraint_involves_dims(c, isl_dim_set, (unsigned)d, 1);

        known = known && one != isl_bool_error;
        found += one == isl_bool_true;
    }
    isl_constraint_free(c);
    return known && found <= 1 ? isl_stat_ok : isl_stat_error;
}

/* An error if "piece" is no box. */
static isl_stat stop_at_others(__isl_take isl_basic_set *piece, void *user)
{
    isl_stat box =
        isl_basic_set_foreach_constraint(piece, &stop_at_several, user);

    isl_basic_set_free(piece);
    return box;
}

/* What a filter above "work" that gives instances to blocks or threads has of
 * them before: nothing if they are boxes, so that isl need not make the same
 * conditions part of each loop once more, which takes a tenth of a compilation.
 * Of others, like triangles, isl makes simpler loops if the filter has them.
 */
__isl_give isl_union_set *pg_work_to_filter(const struct pg_work *work,
                                            __isl_take isl_space *params)
{
    isl_union_set *all = pg_work_domain(work, params);

    for (unsigned i = 0; i < work->n; i++)
        if (isl_set_foreach_basic_set(work->item[i].domain, &stop_at_others,
                                      NULL) != isl_stat_ok)
            return all;
    return isl_union_set_universe(all);
}

/* Has an item of "work" before number "i" the same tuple? */
static isl_bool is_repeated(const struct pg_work *work, unsigned i)
{
    isl_space *space = isl_set_get_space(work->item[i].domain), *other;
    isl_bool found = isl_bool_false;

    for (unsigned j = 0; found == isl_bool_false && j < i; j++) {
        other = isl_set_get_space(work->item[j].domain);
        found = isl_space_has_equal_tuples(space, other);
        isl_space_free(other);
    }
    isl_space_free(space);
    return found;
}

/* Dimension "d" of the points of "work": mod "within" (0: not), divided by
 * "size".  Those of tiles are what they are.
 */
__isl_give isl_union_pw_aff *pg_work_member(const struct pg_work *work,
                                            unsigned d, long long within,
                                            long long size)
{
    isl_union_pw_aff *all = NULL;

    for (unsigned i = 0; i < work->n; i++) {
        isl_bool repeated = is_repeated(work, i);
        isl_union_pw_aff *one;

        if (repeated < 0)
            return isl_union_pw_aff_free(all);
        if (repeated)
            continue;
        one = dimension(work->item[i].point, d);
        if (!work->item[i].is_tile) {
            if (within)
                one = pg_mod(one, within);
            one = quotient(one, size);
        }
        all = all ? isl_union_pw_aff_union_add(all, one) : one;
    }
    return all;
}
