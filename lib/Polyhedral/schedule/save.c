/* save.c - copies of inputs that the SCoP, or an iteration of a loop,
 * overwrites.
 *
 * A read of what was in an array before the SCoP has to come before the write
 * that replaces it, and only for that.  With a copy of these elements, made
 * before everything else, it may come at any time: the anti-dependence is gone.
 * The same holds for what was there before an iteration of a loop around all of
 * them, with a copy at the beginning of each iteration (Di and Xue, III-C:
 * false dependences of stencils).  A copy has as many elements as are read so,
 * and exists on the device only.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "schedule/save.h"
#include "dependence/dependences.h"
#include "polygpu/polyhedral.h"
#include "schedule/expand.h"
#include "schedule/tree.h"
#include "scop/scop.h"
#include "support/coalesce.h"
#include "support/text.h"

#include <isl/space.h>
#include <stdlib.h>

enum { MOST_DEPTH = 32 };

/* A place in the original order: the beginning of each iteration of the loops
 * "members" around "below", or of everything, without members.
 */
struct place {
    unsigned depth;       /* of the node above the place, below the root */
    int path[MOST_DEPTH]; /* the way to it, by numbers of children */
    unsigned n_own;       /* of its members, if it is a band */
    isl_union_pw_aff_list *members; /* of all bands down to it */
    isl_union_set *below;           /* the instances, a universe */
};

/* Does an instance below "p" write to array "array"? */
static bool is_written(const struct pg_scop *scop, const struct place *p,
                       unsigned array)
{
    isl_union_map *writes = pg_scop_accesses_of(scop, array, true);
    isl_bool empty;

    writes =
        isl_union_map_intersect_domain(writes, isl_union_set_copy(p->below));
    empty = isl_union_map_is_empty(writes);
    isl_union_map_free(writes);
    return empty == isl_bool_false;
}

/* May read "access" of "stmt" be one of what was there when the iteration at
 * "p" began, and is overwritten in it?  If the iteration is the whole SCoP, all
 * that it reads has to be live-in.
 */
static bool may_be_input(const struct pg_scop *scop, const struct place *p,
                         const struct pg_stmt *stmt,
                         const struct pg_access *access)
{
    const struct pg_array *array = &scop->arrays[access->array];
    isl_set *elements, *inputs;
    isl_bool all;

    if (access->write || array->kind != PG_ARRAY_MEMORY || array->n_dim == 0 ||
        !is_written(scop, p, access->array))
        return false;
    if (isl_union_pw_aff_list_n_union_pw_aff(p->members) > 0)
        return true;
    elements = isl_map_range(isl_map_intersect_domain(
        isl_map_copy(access->relation), isl_set_copy(stmt->domain)));
    elements = isl_set_intersect_params(elements, isl_set_copy(scop->context));
    inputs = pg_scop_elements(scop, scop->live_in, access->array);
    all = isl_set_is_subset(elements, inputs);
    isl_set_free(elements);
    isl_set_free(inputs);
    return all == isl_bool_true;
}

/* Are there writes of the iteration at "p" that have to come behind reads of
 * "stmt" for no other reason than what these read?  Known from the dependences,
 * so that few accesses are looked at by themselves.
 */
static bool is_held_back(const struct pg_scop *scop, const struct place *p,
                         const struct pg_stmt *stmt)
{
    isl_union_set *instances =
        isl_union_set_from_set(isl_set_copy(stmt->domain));
    isl_union_map *order = isl_union_map_intersect_domain(
        isl_union_map_copy(scop->war), instances);
    isl_bool empty;

    order = isl_union_map_intersect_domain(order, isl_union_set_copy(p->below));
    order = isl_union_map_intersect_range(order, isl_union_set_copy(p->below));
    order = pg_equal_at(order, p->members);
    order = isl_union_map_subtract(order, isl_union_map_copy(scop->raw));
    order = isl_union_map_subtract(order, isl_union_map_copy(scop->waw));
    empty = isl_union_map_is_empty(order);
    isl_union_map_free(order);
    return empty == isl_bool_false;
}

/* Does every instance of read "access" of "stmt" get what was there when the
 * iteration at "p" began, and does it have to come before a write of that
 * iteration for no other reason?
 */
static bool is_overwritten_input(const struct pg_scop *scop,
                                 const struct place *p,
                                 const struct pg_stmt *stmt,
                                 const struct pg_access *access)
{
    isl_union_map *read, *writes, *flow, *order;
    isl_bool input, implied;
    isl_map *map;

    map = isl_map_intersect_domain(isl_map_copy(access->relation),
                                   isl_set_copy(stmt->domain));
    map = isl_map_intersect_params(map, isl_set_copy(scop->context));
    read = isl_union_map_intersect_domain(isl_union_map_from_map(map),
                                          isl_union_set_copy(p->below));
    writes = pg_scop_accesses_of(scop, access->array, true);
    writes =
        isl_union_map_intersect_domain(writes, isl_union_set_copy(p->below));
    flow = pg_value_flow(isl_union_map_copy(read), isl_union_map_copy(writes),
                         isl_schedule_copy(scop->original), NULL);
    flow = pg_equal_at(flow, p->members);
    input = isl_union_map_is_empty(flow);
    isl_union_map_free(flow);
    order =
        pg_anti_dependences(read, writes, isl_schedule_copy(scop->original));
    order = pg_equal_at(order, p->members);
    order = isl_union_map_subtract(order, isl_union_map_copy(scop->raw));
    order = isl_union_map_subtract(order, isl_union_map_copy(scop->waw));
    implied = isl_union_map_is_empty(order);
    isl_union_map_free(order);
    return input == isl_bool_true && implied == isl_bool_false;
}

/* { [iteration at the place] -> A[x] } for what the "chosen" accesses of the
 * first "n_stmt" statements read of array "array"; NULL if that is nothing.
 */
static __isl_give isl_map *elements(const struct pg_scop *scop,
                                    const struct place *p, unsigned array,
                                    bool **chosen, unsigned n_stmt)
{
    isl_union_map *all = NULL, *when;

    for (unsigned s = 0; s < n_stmt; s++)
        for (unsigned j = 0; j < scop->stmts[s].n_access; j++) {
            const struct pg_access *access = &scop->stmts[s].accesses[j];
            isl_map *map;

            if (!chosen[s][j] || access->array != array)
                continue;
            map = isl_map_intersect_domain(isl_map_copy(access->relation),
                                           isl_set_copy(scop->stmts[s].domain));
            map = isl_map_intersect_params(map, isl_set_copy(scop->context));
            all = all ? isl_union_map_add_map(all, map)
                      : isl_union_map_from_map(map);
        }
    if (!all)
        return NULL;
    if (isl_union_pw_aff_list_n_union_pw_aff(p->members) == 0)
        return isl_map_from_range(
            pg_coalesce(isl_set_from_union_set(isl_union_map_range(all))));
    when = isl_union_map_from_multi_union_pw_aff(
        pg_tree_join(isl_union_pw_aff_list_copy(p->members)));
    all = isl_union_map_apply_domain(all, when);
    return pg_coalesce_map(isl_map_from_union_map(all));
}

/* ---- The order with the copies ------------------------------------------ */

/* The copies to be made at a place: the last statements of "scop", from number
 * "first" on.  Their iterators are the values of the loops around the place,
 * and the subscripts.
 */
struct copies {
    const struct pg_scop *scop;
    unsigned first;
    const struct place *p;
};

/* "member" of a band, the loop number "number" around the place, for them as
 * well.
 */
static __isl_give isl_union_pw_aff *
member_with_copies(__isl_take isl_union_pw_aff *member, const struct copies *c,
                   unsigned number)
{
    for (unsigned s = c->first; s < c->scop->n_stmt; s++) {
        isl_local_space *space = isl_local_space_from_space(
            isl_set_get_space(c->scop->stmts[s].domain));
        isl_aff *value = isl_aff_var_on_domain(space, isl_dim_set, number);

        member =
            isl_union_pw_aff_add_pw_aff(member, isl_pw_aff_from_aff(value));
    }
    return member;
}

/* "list", of loops from number "n_done" around the place on, for them as well.
 */
static __isl_give isl_union_pw_aff_list *
also_for(__isl_take isl_union_pw_aff_list *list, const struct copies *c,
         unsigned n_done)
{
    isl_size n = isl_union_pw_aff_list_n_union_pw_aff(list);

    for (int i = 0; i < n; i++)
        list = isl_union_pw_aff_list_set_union_pw_aff(
            list, i,
            member_with_copies(isl_union_pw_aff_list_get_union_pw_aff(list, i),
                               c, n_done + (unsigned)i));
    return list;
}

/* All copies, one after the other, each in the order of its subscripts. */
static __isl_give isl_schedule *scan(const struct copies *c, unsigned n_done)
{
    isl_schedule *all = NULL;

    for (unsigned s = c->first; s < c->scop->n_stmt; s++) {
        isl_set *domain = c->scop->stmts[s].domain;
        isl_multi_aff *order =
            isl_space_identity_multi_aff_on_domain(isl_set_get_space(domain));
        isl_schedule *one = isl_schedule_from_domain(
            isl_union_set_from_set(isl_set_copy(domain)));

        order = isl_multi_aff_drop_dims(order, isl_dim_out, 0, n_done);
        order = isl_multi_aff_reset_tuple_id(order, isl_dim_out);
        one = isl_schedule_insert_partial_schedule(
            one, isl_multi_union_pw_aff_from_multi_aff(order));
        all = all ? isl_schedule_sequence(all, one) : one;
    }
    return all;
}

/* The same for what is on the way to the place, at "level" of it. */
static __isl_give isl_schedule *with_copies(__isl_take isl_schedule_node *node,
                                            const struct copies *c,
                                            unsigned level, unsigned n_done);

static __isl_give isl_schedule *plain(__isl_take isl_schedule_node *node)
{
    isl_schedule *tree =
        pg_tree_subtree(node, isl_schedule_node_get_domain(node));

    isl_schedule_node_free(node);
    return tree;
}

/* The children of a sequence or set, one of which is on the way. */
static __isl_give isl_schedule *
children_with_copies(__isl_take isl_schedule_node *node, const struct copies *c,
                     unsigned level, unsigned n_done)
{
    bool is_set = isl_schedule_node_get_type(node) == isl_schedule_node_set;
    isl_size n = isl_schedule_node_n_children(node);
    isl_schedule *all = NULL;

    for (int i = 0; i < n; i++) {
        isl_schedule_node *child = isl_schedule_node_get_child(node, i);
        isl_schedule *one = i == c->p->path[level]
                                ? with_copies(child, c, level + 1, n_done)
                                : plain(isl_schedule_node_child(child, 0));

        all = !all     ? one
              : is_set ? isl_schedule_set(all, one)
                       : isl_schedule_sequence(all, one);
    }
    isl_schedule_node_free(node);
    return all;
}

/* The band at the place, with "copy" before each iteration of its first loops.
 */
static __isl_give isl_schedule *
band_with_copies(__isl_take isl_schedule_node *band, const struct copies *c,
                 unsigned n_done)
{
    isl_union_pw_aff_list *members = pg_tree_members(band);
    unsigned n_own = c->p->n_own;
    unsigned n = (unsigned)isl_union_pw_aff_list_n_union_pw_aff(members);
    isl_schedule *body = plain(isl_schedule_node_child(band, 0));

    body = pg_tree_band(body, pg_tree_some(members, n_own, n - n_own), false,
                        NULL);
    body = isl_schedule_sequence(scan(c, n_done + n_own), body);
    members = isl_union_pw_aff_list_drop(members, n_own, n - n_own);
    return pg_tree_band(body, also_for(members, c, n_done), false, NULL);
}

static __isl_give isl_schedule *with_copies(__isl_take isl_schedule_node *node,
                                            const struct copies *c,
                                            unsigned level, unsigned n_done)
{
    enum isl_schedule_node_type type = isl_schedule_node_get_type(node);
    isl_union_pw_aff_list *members;
    isl_schedule *body;
    isl_size n;

    if (level == c->p->depth)
        return c->p->n_own ? band_with_copies(node, c, n_done)
                           : isl_schedule_sequence(scan(c, 0), plain(node));
    if (type == isl_schedule_node_sequence || type == isl_schedule_node_set)
        return children_with_copies(node, c, level, n_done);
    if (type != isl_schedule_node_band)
        return with_copies(isl_schedule_node_child(node, 0), c, level + 1,
                           n_done);
    members = pg_tree_members(node);
    n = isl_union_pw_aff_list_n_union_pw_aff(members);
    body = with_copies(isl_schedule_node_child(node, 0), c, level + 1,
                       n_done + (unsigned)n);
    return pg_tree_band(body, also_for(members, c, n_done), false, NULL);
}

/* ---- Copies ------------------------------------------------------------- */

/* Add a statement that copies "elements" of "array" to "temporary". */
static isl_stat add_copy(struct pg_scop *scop, unsigned array,
                         unsigned temporary, __isl_take isl_map *elements)
{
    struct pg_stmt *copy = pg_scop_add_stmt(scop);
    isl_map *read;

    copy->kind = PG_STMT_COPY;
    copy->origin = scop->n_stmt - 1;
    copy->total = true;
    copy->name = pg_format("save%u", array);
    read = isl_map_flatten_domain(isl_map_range_map(isl_map_copy(elements)));
    read = isl_map_set_tuple_name(read, isl_dim_in, copy->name);
    copy->domain = isl_set_set_tuple_name(
        isl_set_flatten(isl_map_wrap(elements)), copy->name);
    copy->n_access = 2;
    copy->accesses = pg_alloc(2, sizeof(*copy->accesses));
    copy->accesses[0] = (struct pg_access){array, false, true, read, false};
    copy->accesses[1] = (struct pg_access){
        temporary, true, true,
        isl_map_set_tuple_name(isl_map_copy(read), isl_dim_out,
                               scop->arrays[temporary].name),
        false};
    return copy->domain ? isl_stat_ok : isl_stat_error;
}

/* Have the "chosen" reads of "array" by the first "n_stmt" statements, the
 * source's, go to a copy, if there are any.
 */
static isl_stat save_array(struct pg_scop *scop, const struct place *p,
                           unsigned array, bool **chosen, unsigned n_stmt)
{
    isl_map *map = elements(scop, p, array, chosen, n_stmt);
    isl_pw_aff **extents;
    isl_set *set;
    unsigned temporary;

    if (!map)
        return isl_ctx_last_error(scop->ctx) == isl_error_none ? isl_stat_ok
                                                               : isl_stat_error;
    set = pg_coalesce(isl_map_range(isl_map_copy(map)));
    extents = pg_set_extents(set);
    isl_set_free(set);
    if (!extents) {
        isl_map_free(map);
        return isl_stat_ok;
    }
    pg_scop_add_temporary(scop, array, "before", 0, extents);
    temporary = scop->n_array - 1;
    for (unsigned s = 0; s < n_stmt; s++)
        for (unsigned j = 0; j < scop->stmts[s].n_access; j++) {
            struct pg_access *access = &scop->stmts[s].accesses[j];

            if (!chosen[s][j] || access->array != array)
                continue;
            access->array = temporary;
            access->relation = isl_map_set_tuple_name(
                access->relation, isl_dim_out, scop->arrays[temporary].name);
        }
    return add_copy(scop, array, temporary, map);
}

/* Put the statements from number "first" on into the order, at "p". */
static isl_stat insert_copies(struct pg_scop *scop, const struct place *p,
                              unsigned first)
{
    const struct copies c = {scop, first, p};
    isl_schedule *original = with_copies(
        isl_schedule_node_child(isl_schedule_get_root(scop->original), 0), &c,
        0, 0);

    isl_schedule_free(scop->original);
    scop->original = original;
    return original ? isl_stat_ok : isl_stat_error;
}

/* The reads of "scop" that are to go to copies made at "p"; freed by
 * free_chosen.
 */
static bool **choose(const struct pg_scop *scop, const struct place *p,
                     bool *some)
{
    bool **chosen = pg_alloc(scop->n_stmt, sizeof(*chosen));

    *some = false;
    for (unsigned s = 0; s < scop->n_stmt; s++) {
        const struct pg_stmt *stmt = &scop->stmts[s];
        bool any = false;

        chosen[s] = pg_alloc(stmt->n_access, sizeof(**chosen));
        for (unsigned j = 0; j < stmt->n_access; j++) {
            chosen[s][j] = may_be_input(scop, p, stmt, &stmt->accesses[j]);
            any |= chosen[s][j];
        }
        any = any && is_held_back(scop, p, stmt);
        for (unsigned j = 0; j < stmt->n_access; j++) {
            chosen[s][j] =
                any && chosen[s][j] &&
                is_overwritten_input(scop, p, stmt, &stmt->accesses[j]);
            *some |= chosen[s][j];
        }
    }
    return chosen;
}

static void free_chosen(bool **chosen, unsigned n_stmt)
{
    for (unsigned s = 0; s < n_stmt; s++)
        free(chosen[s]);
    free(chosen);
}

/* A copy of "scop" in which what is overwritten is read from copies made at
 * "p".  NULL if there are none, or after an error of isl.
 */
static struct pg_scop *save_at(const struct pg_scop *scop,
                               const struct place *p)
{
    bool some;
    bool **chosen = choose(scop, p, &some);
    struct pg_scop *copy = some ? pg_scop_copy(scop) : NULL;
    isl_stat result = isl_stat_ok;

    for (unsigned a = 0; copy && result == isl_stat_ok && a < scop->n_array;
         a++)
        result = save_array(copy, p, a, chosen, scop->n_stmt);
    free_chosen(chosen, scop->n_stmt);
    if (copy && result == isl_stat_ok && copy->n_stmt > scop->n_stmt &&
        insert_copies(copy, p, scop->n_stmt) == isl_stat_ok)
        return copy;
    pg_scop_free(copy);
    return NULL;
}

/* A copy of "scop" in which inputs that are overwritten are read from copies.
 * NULL if there are none, or after an error of isl.
 */
struct pg_scop *pg_scop_save(const struct pg_scop *scop)
{
    struct place p = {.members = isl_union_pw_aff_list_alloc(scop->ctx, 0),
                      .below = isl_union_set_universe(
                          isl_schedule_get_domain(scop->original))};
    struct pg_scop *copy = save_at(scop, &p);

    isl_union_pw_aff_list_free(p.members);
    isl_union_set_free(p.below);
    return copy;
}

/* save_at the beginning of iterations of the first "n_own" loops of "band",
 * which is at "p", and of those of "p" around it.
 */
static struct pg_scop *save_in(const struct pg_scop *scop,
                               __isl_keep isl_schedule_node *band,
                               const struct place *p, unsigned n_own)
{
    isl_union_pw_aff_list *members = pg_tree_members(band);
    struct place here = *p;
    struct pg_scop *copy;

    here.n_own = n_own;
    here.members =
        isl_union_pw_aff_list_concat(isl_union_pw_aff_list_copy(p->members),
                                     pg_tree_some(members, 0, n_own));
    here.below = isl_schedule_node_get_universe_domain(band);
    copy = save_at(scop, &here);
    isl_union_pw_aff_list_free(members);
    isl_union_pw_aff_list_free(here.members);
    isl_union_set_free(here.below);
    return copy;
}

/* The same for the loops of "band" but for the innermost one of all. */
static struct pg_scop *save_in_band(const struct pg_scop *scop,
                                    __isl_keep isl_schedule_node *band,
                                    const struct place *p)
{
    isl_schedule_node *child = isl_schedule_node_get_child(band, 0);
    bool innermost =
        isl_schedule_node_get_type(child) == isl_schedule_node_leaf;
    isl_size n = isl_schedule_node_band_n_member(band);
    struct pg_scop *copy = NULL;

    isl_schedule_node_free(child);
    for (int i = 1; !copy && i <= n - innermost; i++)
        copy = save_in(scop, band, p, (unsigned)i);
    return copy;
}

/* The same for the outermost loops for which there is anything to save, from
 * "node" on, which is at "p".
 */
static struct pg_scop *save_below(const struct pg_scop *scop,
                                  __isl_take isl_schedule_node *node,
                                  const struct place *p)
{
    isl_size n = isl_schedule_node_n_children(node);
    struct pg_scop *copy = NULL;
    struct place below = *p;

    below.members = isl_union_pw_aff_list_copy(p->members);
    if (isl_schedule_node_get_type(node) == isl_schedule_node_band) {
        copy = save_in_band(scop, node, p);
        below.members =
            isl_union_pw_aff_list_concat(below.members, pg_tree_members(node));
    }
    for (int i = 0; !copy && i < n && p->depth + 1 < MOST_DEPTH; i++) {
        below.depth = p->depth + 1;
        below.path[p->depth] = i;
        copy = save_below(scop, isl_schedule_node_get_child(node, i), &below);
    }
    isl_union_pw_aff_list_free(below.members);
    isl_schedule_node_free(node);
    return copy;
}

/* A copy of "scop" in which what an iteration of some loop overwrites is read
 * from copies made at its beginning.  NULL if there are none, or after an error
 * of isl.
 */
struct pg_scop *pg_scop_save_in_loop(const struct pg_scop *scop)
{
    struct place p = {.members = isl_union_pw_aff_list_alloc(scop->ctx, 0)};
    struct pg_scop *copy = save_below(
        scop, isl_schedule_node_child(isl_schedule_get_root(scop->original), 0),
        &p);

    isl_union_pw_aff_list_free(p.members);
    return copy;
}
