/* compare.c - how parallel schedules are.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "schedule/compare.h"
#include "schedule/split.h"
#include "schedule/tree.h"
#include "scop/scop.h"

#include <isl/space.h>

/* How parallel "stmt" is: what pg_tree_parallel says of it alone. */
int pg_parallel_of(const struct pg_scop *scop, const struct pg_stmt *stmt)
{
    isl_set *all = isl_set_universe(isl_set_get_space(stmt->domain));
    isl_schedule *only = isl_schedule_intersect_domain(
        isl_schedule_copy(scop->schedule), isl_union_set_from_set(all));
    isl_schedule_node *root = isl_schedule_get_root(only);
    int parallel = pg_tree_parallel(root);

    isl_schedule_node_free(root);
    isl_schedule_free(only);
    return parallel;
}

/* How parallel statement number "s" of the source is: as the least parallel one
 * of its large parts.
 */
static int parallel_of_parts(const struct pg_scop *scop, unsigned s)
{
    int least = -1, one;

    for (unsigned i = s; i < scop->n_stmt; i++) {
        const struct pg_stmt *stmt = &scop->stmts[i];

        if (stmt->kind || stmt->origin != s || !pg_stmt_is_large(scop, stmt))
            continue;
        one = pg_parallel_of(scop, stmt);
        least = least < 0 || one < least ? one : least;
    }
    return least < 0 ? 0 : least;
}

/* How parallel the schedule of "scop" is, for a comparison with that of another
 * variant: the sum of the source's statements.
 */
static int parallel_of_source(const struct pg_scop *scop)
{
    int sum = 0;

    for (unsigned i = 0; i < scop->n_stmt; i++)
        if (!scop->stmts[i].kind && scop->stmts[i].origin == i)
            sum += parallel_of_parts(scop, i);
    return sum;
}

/* Has some statement of "scop" at least "n" loops that are not parallel? */
bool pg_has_sequential(const struct pg_scop *scop, int n)
{
    bool some = false;

    for (unsigned i = 0; !some && i < scop->n_stmt; i++) {
        int dims = (int)isl_set_dim(scop->stmts[i].domain, isl_dim_set);

        some = 2 * (dims - n) >= pg_parallel_of(scop, &scop->stmts[i]);
    }
    return some;
}

/* What counts skewed loops. */
struct bends {
    const struct pg_scop *scop;
    bool bent; /* one of the pieces that are looked at */
    int n;
};

static isl_stat look_at_piece(__isl_take isl_set *set, __isl_take isl_aff *aff,
                              void *user)
{
    struct bends *b = user;
    isl_size dims = isl_aff_dim(aff, isl_dim_in);
    int involved = 0;

    for (int d = 0; d < dims; d++)
        involved += isl_aff_involves_dims(aff, isl_dim_in, (unsigned)d, 1) > 0;
    b->bent = b->bent || involved > 1;
    isl_set_free(set);
    isl_aff_free(aff);
    return dims < 0 ? isl_stat_error : isl_stat_ok;
}

/* The values of a loop for one statement. */
static isl_stat look_at_values(__isl_take isl_pw_aff *values, void *user)
{
    struct bends *b = user;
    isl_set *domain = isl_pw_aff_domain(isl_pw_aff_copy(values));
    int s = pg_scop_find_stmt(b->scop, isl_set_get_tuple_name(domain));
    isl_stat result = isl_stat_ok;

    b->bent = false;
    if (s >= 0 && !b->scop->stmts[s].kind)
        result = isl_pw_aff_foreach_piece(values, &look_at_piece, b);
    b->n += b->bent;
    isl_set_free(domain);
    isl_pw_aff_free(values);
    return result;
}

static isl_bool look_at_loops(__isl_keep isl_schedule_node *node, void *user)
{
    isl_union_pw_aff_list *members;
    isl_size n;

    if (isl_schedule_node_get_type(node) != isl_schedule_node_band)
        return isl_bool_true;
    members = pg_tree_members(node);
    n = isl_union_pw_aff_list_n_union_pw_aff(members);
    for (int i = 0; i < n; i++) {
        isl_union_pw_aff *member =
            isl_union_pw_aff_list_get_union_pw_aff(members, i);

        if (isl_schedule_node_band_member_get_coincident(node, i) ==
            isl_bool_false)
            isl_union_pw_aff_foreach_pw_aff(member, &look_at_values, user);
        isl_union_pw_aff_free(member);
    }
    isl_union_pw_aff_list_free(members);
    return isl_bool_true;
}

/* In how many sequential loops of the schedule are statements of the source
 * skewed?  Such a loop has as many steps as the loops that it is made of have
 * together.
 */
int pg_bends_of(const struct pg_scop *scop)
{
    struct bends b = {scop, false, 0};

    isl_schedule_foreach_schedule_node_top_down(scop->schedule, &look_at_loops,
                                                &b);
    return b.n;
}

/* Is the schedule of "variant" better than that of "scop"? */
bool pg_is_better(const struct pg_scop *variant, const struct pg_scop *scop)
{
    int gain = parallel_of_source(variant) - parallel_of_source(scop);

    return gain > 0 || (gain == 0 && pg_bends_of(variant) < pg_bends_of(scop));
}

bool pg_schedule_waits(const struct pg_scop *scop)
{
    bool waits = false;

    for (unsigned i = 0; !waits && i < scop->n_stmt; i++)
        waits = !scop->stmts[i].kind && scop->stmts[i].origin == i &&
                isl_set_dim(scop->stmts[i].domain, isl_dim_set) > 0 &&
                parallel_of_parts(scop, i) == 0;
    return waits;
}
