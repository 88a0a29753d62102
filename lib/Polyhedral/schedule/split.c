/* split.c - parts of statements that behave differently.
 *
 * Where a dependence only starts or ends at the instances on a hyperplane, like
 * row k and column k in step k of Floyd and Warshall's algorithm, these hold
 * back all the others.  Split into the instances before, on and behind it, the
 * statement becomes several with simple dependences (index set splitting:
 * Griebl, Feautrier, Lengauer, "Index Set Splitting", IJPP 28, 2000).  Only
 * dependences within one iteration of the outermost loop are looked at: that
 * loop stays sequential.  Where no statement has a loop inside of that,
 * a[i] = a[i] / a[k] of a single loop is split at k, and a[i] = a[n - 1 - i] *
 * 2 in the middle: instances that others wait for, and these others, are apart.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "schedule/split.h"
#include "polygpu/polyhedral.h"
#include "schedule/tree.h"
#include "scop/scop.h"
#include "support/coalesce.h"
#include "support/text.h"

#include <isl/constraint.h>
#include <isl/mat.h>
#include <isl/space.h>
#include <stdlib.h>

enum {
    MAX_PLANES = 2, /* of one statement, which becomes up to 9 */
    MAX_STMTS = 32  /* of the SCoP afterwards */
};

/* Where the statements of a SCoP are to be split. */
struct planes {
    const struct pg_scop *scop;
    struct plane {
        unsigned n;
        isl_aff *aff[MAX_PLANES]; /* { S[i] -> [v] }: where v is 0 */
        bool many;                /* more than that: leave it alone */
        bool halves; /* of one, what others wait for is on one side */
    } *of;           /* by statement */
};

/* The loop of "schedule" that is around everything, or NULL. */
static __isl_give isl_union_pw_aff_list *
outermost_loop(__isl_keep isl_schedule *schedule)
{
    isl_schedule_node *node = isl_schedule_get_root(schedule);
    isl_union_pw_aff_list *loop = NULL;
    isl_size n;

    while (node && isl_schedule_node_get_type(node) != isl_schedule_node_band &&
           isl_schedule_node_n_children(node) == 1)
        node = isl_schedule_node_child(node, 0);
    if (node && isl_schedule_node_get_type(node) == isl_schedule_node_band) {
        loop = pg_tree_members(node);
        n = isl_union_pw_aff_list_n_union_pw_aff(loop);
        if (n > 1)
            loop = isl_union_pw_aff_list_drop(loop, 1, (unsigned)n - 1);
    }
    isl_schedule_node_free(node);
    return loop;
}

/* Add the hyperplane "aff" = 0 for "stmt", unless it is there already or holds
 * all instances.
 */
static isl_stat add_plane(struct plane *plane, const struct pg_stmt *stmt,
                          __isl_take isl_aff *aff)
{
    isl_set *on =
        isl_set_from_basic_set(isl_aff_zero_basic_set(isl_aff_copy(aff)));
    isl_bool known = isl_set_is_subset(stmt->domain, on);

    for (unsigned i = 0; known == isl_bool_false && i < plane->n; i++) {
        isl_set *other = isl_set_from_basic_set(
            isl_aff_zero_basic_set(isl_aff_copy(plane->aff[i])));

        known = isl_set_is_equal(on, other);
        isl_set_free(other);
    }
    isl_set_free(on);
    if (known == isl_bool_false && plane->n < MAX_PLANES) {
        plane->aff[plane->n++] = aff;
        return isl_stat_ok;
    }
    plane->many |= known == isl_bool_false;
    isl_aff_free(aff);
    return known < 0 ? isl_stat_error : isl_stat_ok;
}

/* What look_at_constraint needs to know. */
struct looking {
    struct planes *planes;
    unsigned stmt;
    bool borders; /* at inequalities, too */
};

/* A constraint of instances: an equation makes a hyperplane. */
static isl_stat look_at_constraint(__isl_take isl_constraint *c, void *user)
{
    struct looking *l = user;
    isl_size n = isl_constraint_dim(c, isl_dim_set);
    bool usable =
        (l->borders || isl_constraint_is_equality(c) == isl_bool_true) &&
        isl_constraint_involves_dims(
            c, isl_dim_div, 0, (unsigned)isl_constraint_dim(c, isl_dim_div)) ==
            isl_bool_false &&
        n > 0 &&
        isl_constraint_involves_dims(c, isl_dim_set, 0, (unsigned)n) ==
            isl_bool_true;
    isl_stat result = isl_stat_ok;

    if (usable)
        result =
            add_plane(&l->planes->of[l->stmt], &l->planes->scop->stmts[l->stmt],
                      isl_constraint_get_aff(c));
    isl_constraint_free(c);
    return result;
}

/* One end of some dependences, in one piece. */
static isl_stat look_at_piece(__isl_take isl_basic_set *piece, void *user)
{
    isl_stat result;

    piece = isl_basic_set_affine_hull(piece);
    piece = isl_basic_set_remove_divs(piece);
    result = isl_basic_set_foreach_constraint(piece, &look_at_constraint, user);
    isl_basic_set_free(piece);
    return result;
}

/* One end of some dependences. */
static isl_stat look_at_end(struct planes *planes, __isl_take isl_set *end)
{
    int s = pg_scop_find_stmt(planes->scop, isl_set_get_tuple_name(end));
    struct looking l = {planes, (unsigned)s, false};
    isl_stat result = isl_stat_error;

    if (s >= 0)
        result = isl_set_foreach_basic_set(end, &look_at_piece, &l);
    isl_set_free(end);
    return result;
}

/* Dependences between two statements.  What is behind loops may need their last
 * iteration, which holds nothing back.
 */
static isl_stat look_at_map(__isl_take isl_map *map, void *user)
{
    isl_stat result = isl_stat_ok;

    if (isl_map_dim(map, isl_dim_in) > 0 && isl_map_dim(map, isl_dim_out) > 0) {
        result = look_at_end(user, isl_map_domain(isl_map_copy(map)));
        if (result == isl_stat_ok)
            result = look_at_end(user, isl_map_range(isl_map_copy(map)));
    }
    isl_map_free(map);
    return result;
}

/* Split statement "s" where its instances that others wait for end, by
 * "carried", if none of them waits itself.
 */
static isl_stat look_at_halves(struct planes *planes, unsigned s,
                               __isl_keep isl_union_map *carried)
{
    const struct pg_stmt *stmt = &planes->scop->stmts[s];
    struct looking l = {planes, s, true};
    isl_space *space = isl_set_get_space(stmt->domain);
    isl_union_set *sources = isl_union_map_domain(isl_union_map_copy(carried));
    isl_union_set *sinks = isl_union_map_range(isl_union_map_copy(carried));
    isl_set *first = isl_union_set_extract_set(sources, isl_space_copy(space));
    isl_set *behind = isl_union_set_extract_set(sinks, space);
    unsigned before = planes->of[s].n;
    isl_stat result = isl_stat_ok;

    isl_union_set_free(sources);
    isl_union_set_free(sinks);
    if (isl_set_is_empty(first) == isl_bool_false &&
        isl_set_is_empty(behind) == isl_bool_false &&
        isl_set_is_disjoint(first, behind) == isl_bool_true) {
        first = pg_coalesce(
            isl_set_gist(pg_coalesce(first), isl_set_copy(stmt->domain)));
        if (isl_set_n_basic_set(first) == 1) {
            isl_basic_set *piece =
                isl_basic_set_remove_redundancies(isl_set_simple_hull(first));

            result = isl_basic_set_foreach_constraint(piece,
                                                      &look_at_constraint, &l);
            planes->of[s].halves = planes->of[s].n > before;
            isl_basic_set_free(piece);
            first = NULL;
        }
    }
    isl_set_free(first);
    isl_set_free(behind);
    return result;
}

/* The same of all statements, which are in single loops: "loop" is that one. */
static isl_stat find_halves(struct planes *planes,
                            __isl_keep isl_union_map *order,
                            __isl_keep isl_union_pw_aff_list *loop)
{
    isl_union_map *carried =
        isl_union_map_subtract(isl_union_map_copy(order),
                               pg_equal_at(isl_union_map_copy(order), loop));
    isl_stat result = isl_stat_ok;

    for (unsigned s = 0; result == isl_stat_ok && s < planes->scop->n_stmt; s++)
        if (isl_set_dim(planes->scop->stmts[s].domain, isl_dim_set) == 1)
            result = look_at_halves(planes, s, carried);
    isl_union_map_free(carried);
    return result;
}

/* "domain" where "aff" is negative, zero or positive: "sign" -1, 0 or 1. */
static __isl_give isl_set *side(__isl_take isl_set *domain,
                                __isl_keep isl_aff *aff, int sign)
{
    isl_aff *value = isl_aff_copy(aff);

    if (sign == 0)
        return isl_set_intersect(
            domain, isl_set_from_basic_set(isl_aff_zero_basic_set(value)));
    if (sign > 0)
        value = isl_aff_neg(value);
    return isl_set_intersect(
        domain, isl_set_from_basic_set(isl_aff_neg_basic_set(value)));
}

/* The map from all instances of a statement "name" to those of "stmt". */
static __isl_give isl_union_map *to_stmt(const struct pg_stmt *stmt,
                                         const char *name)
{
    isl_space *space = isl_set_get_space(stmt->domain);
    isl_map *map = isl_map_identity(isl_space_map_from_set(space));

    return isl_union_map_from_map(
        isl_map_set_tuple_name(map, isl_dim_in, name));
}

/* Add a statement that is statement "s" for "domain", and give the map from it
 * to that.
 */
static __isl_give isl_union_map *add_part(struct pg_scop *scop, unsigned s,
                                          unsigned number,
                                          __isl_take isl_set *domain)
{
    struct pg_stmt *part = pg_scop_add_stmt(scop);
    const struct pg_stmt *whole = &scop->stmts[s];
    isl_union_map *map;

    part->name = pg_format("%s_%u", whole->name, number);
    part->line = whole->line;
    part->weight = whole->weight;
    part->code = whole->code;
    part->flops_single = whole->flops_single;
    part->scattered = whole->scattered;
    part->flops_double = whole->flops_double;
    part->kind = whole->kind;
    part->total = whole->total;
    part->origin = whole->kind ? scop->n_stmt - 1 : whole->origin;
    map = to_stmt(whole, part->name);
    part->domain = isl_set_set_tuple_name(domain, part->name);
    part->n_access = whole->n_access;
    part->accesses = pg_alloc(whole->n_access, sizeof(*part->accesses));
    for (unsigned i = 0; i < whole->n_access; i++) {
        part->accesses[i] = whole->accesses[i];
        part->accesses[i].relation = isl_map_set_tuple_name(
            isl_map_copy(whole->accesses[i].relation), isl_dim_in, part->name);
    }
    return map;
}

/* Split statement "s" of "scop" at "plane", and give the map from its parts to
 * it; NULL after an error of isl.
 */
static __isl_give isl_union_map *split(struct pg_scop *scop, unsigned s,
                                       const struct plane *plane)
{
    isl_set *domain = isl_set_copy(scop->stmts[s].domain);
    isl_union_map *maps = NULL;
    unsigned number = 0, sides = 1;

    for (unsigned i = 0; i < plane->n; i++)
        sides *= 3;
    for (unsigned which = 0; which < sides; which++) {
        isl_set *part = isl_set_copy(domain);
        isl_union_map *map;
        isl_bool empty;

        for (unsigned i = 0, rest = which; i < plane->n; i++, rest /= 3)
            part = side(part, plane->aff[i], (int)(rest % 3) - 1);
        part = isl_set_remove_redundancies(isl_set_detect_equalities(part));
        empty = isl_set_is_empty(part);
        if (empty != isl_bool_false) {
            isl_set_free(part);
            if (empty == isl_bool_true)
                continue;
            isl_set_free(domain);
            return isl_union_map_free(maps);
        }
        if (number == 0) {
            isl_set_free(scop->stmts[s].domain);
            scop->stmts[s].domain = part;
            map = to_stmt(&scop->stmts[s], scop->stmts[s].name);
        } else {
            map = add_part(scop, s, number, part);
        }
        maps = maps ? isl_union_map_union(maps, map) : map;
        number++;
    }
    isl_set_free(domain);
    return maps;
}

/* Split the statements of "scop" at "planes". */
static isl_stat split_all(struct pg_scop *scop, const struct planes *planes)
{
    unsigned n = scop->n_stmt;
    isl_union_map *all = isl_union_map_empty(isl_set_get_space(scop->context));

    for (unsigned s = 0; s < n; s++)
        all = isl_union_map_union(
            all, planes->of[s].n && !planes->of[s].many
                     ? split(scop, s, &planes->of[s])
                     : to_stmt(&scop->stmts[s], scop->stmts[s].name));
    scop->original = isl_schedule_pullback_union_pw_multi_aff(
        scop->original, isl_union_pw_multi_aff_from_union_map(all));
    scop->original =
        isl_schedule_intersect_domain(scop->original, pg_scop_domain(scop));
    return scop->original && scop->n_stmt <= MAX_STMTS ? isl_stat_ok
                                                       : isl_stat_error;
}

/* The equations that all instances of "stmt" fulfil. */
static isl_size equations(const struct pg_stmt *stmt)
{
    isl_basic_set *hull = isl_set_affine_hull(isl_set_copy(stmt->domain));
    isl_mat *matrix = isl_basic_set_equalities_matrix(
        hull, isl_dim_set, isl_dim_param, isl_dim_div, isl_dim_cst);
    isl_size n = isl_mat_rows(matrix);

    isl_mat_free(matrix);
    isl_basic_set_free(hull);
    return n;
}

/* Is "stmt" one of those parts of its statement that have the most instances?
 * Parts on hyperplanes have fewer than those beside them.
 */
bool pg_stmt_is_large(const struct pg_scop *scop, const struct pg_stmt *stmt)
{
    isl_size own = equations(stmt);

    for (unsigned i = 0; i < scop->n_stmt; i++)
        if (scop->stmts[i].origin == stmt->origin && !scop->stmts[i].kind &&
            equations(&scop->stmts[i]) < own)
            return false;
    return true;
}

/* Is no statement of "scop" in two loops? */
bool pg_scop_has_single_loops(const struct pg_scop *scop)
{
    bool single = true;

    for (unsigned s = 0; single && s < scop->n_stmt; s++)
        single = isl_set_dim(scop->stmts[s].domain, isl_dim_set) <= 1;
    return single;
}

/* Find where the statements of "scop", which has its dependences, are to be
 * split; is there any such place?
 */
static bool find_planes(const struct pg_scop *scop, struct planes *planes)
{
    isl_union_pw_aff_list *loop = outermost_loop(scop->original);
    isl_stat result = isl_stat_error;
    isl_union_map *order;
    bool any = false;

    planes->scop = scop;
    planes->of = pg_alloc(scop->n_stmt, sizeof(*planes->of));
    if (loop) {
        order = pg_scop_order(scop);
        if (!pg_scop_has_single_loops(scop))
            order = pg_equal_at(order, loop);
        result = isl_union_map_foreach_map(order, &look_at_map, planes);
        if (result == isl_stat_ok && pg_scop_has_single_loops(scop))
            result = find_halves(planes, order, loop);
        isl_union_map_free(order);
    }
    isl_union_pw_aff_list_free(loop);
    for (unsigned s = 0; s < scop->n_stmt; s++)
        any |= planes->of[s].n && !planes->of[s].many;
    return any && result == isl_stat_ok;
}

static void free_planes(struct planes *planes)
{
    for (unsigned s = 0; s < planes->scop->n_stmt; s++)
        for (unsigned i = 0; i < planes->of[s].n; i++)
            isl_aff_free(planes->of[s].aff[i]);
    free(planes->of);
}

/* A copy of "scop", which has its dependences, with statements split where the
 * dependences within an iteration of the outermost loop begin and end.  NULL
 * if there is nothing to split, or after an error of isl.
 */
struct pg_scop *pg_scop_split(const struct pg_scop *scop)
{
    struct pg_scop *copy = NULL;
    struct planes planes;

    if (find_planes(scop, &planes)) {
        copy = pg_scop_copy(scop);
        if (split_all(copy, &planes) != isl_stat_ok) {
            pg_scop_free(copy);
            copy = NULL;
        }
    }
    free_planes(&planes);
    return copy;
}

/* Where the planes are on which statements are to be split. */
static __isl_give isl_union_set *on_planes(const struct planes *planes)
{
    isl_union_set *all =
        isl_union_set_empty(isl_set_get_space(planes->scop->context));

    for (unsigned s = 0; s < planes->scop->n_stmt; s++)
        for (unsigned i = 0; !planes->of[s].many && i < planes->of[s].n; i++)
            all = isl_union_set_add_set(
                all, side(isl_set_copy(planes->scop->stmts[s].domain),
                          planes->of[s].aff[i], 0));
    return all;
}

/* The statements that are split into those that are waited for, and others. */
static __isl_give isl_union_set *in_halves(const struct planes *planes)
{
    isl_union_set *all =
        isl_union_set_empty(isl_set_get_space(planes->scop->context));

    for (unsigned s = 0; s < planes->scop->n_stmt; s++)
        if (planes->of[s].halves && !planes->of[s].many)
            all = isl_union_set_add_set(
                all, isl_set_copy(planes->scop->stmts[s].domain));
    return all;
}

/* "order" without what begins or ends at "on", and without what iterations of
 * "loop" do to each other within "halves".
 */
static __isl_give isl_union_map *beside(__isl_keep isl_union_map *order,
                                        __isl_keep isl_union_set *on,
                                        __isl_keep isl_union_set *halves,
                                        __isl_keep isl_union_pw_aff_list *loop)
{
    isl_union_map *rest = isl_union_map_copy(order);
    isl_union_map *inside = isl_union_map_intersect_range(
        isl_union_map_intersect_domain(isl_union_map_copy(order),
                                       isl_union_set_copy(halves)),
        isl_union_set_copy(halves));

    if (isl_union_map_is_empty(inside) == isl_bool_false) {
        isl_union_map *same = pg_equal_at(isl_union_map_copy(inside), loop);

        rest = isl_union_map_subtract(
            rest, isl_union_map_subtract(isl_union_map_copy(inside), same));
    }
    isl_union_map_free(inside);
    rest = isl_union_map_subtract_domain(rest, isl_union_set_copy(on));
    return isl_union_map_subtract_range(rest, isl_union_set_copy(on));
}

/* "scop" without the dependences that begin or end where it would be split, or
 * that parts of statements wait for each other by: no more than these can be
 * gained.  NULL if there is nothing to split.
 */
struct pg_scop *pg_scop_beside_splits(const struct pg_scop *scop)
{
    struct pg_scop *copy = NULL;
    struct planes planes;

    if (find_planes(scop, &planes)) {
        isl_union_set *on = on_planes(&planes), *halves = in_halves(&planes);
        isl_union_pw_aff_list *loop = outermost_loop(scop->original);

        copy = pg_scop_copy(scop);
        copy->raw = beside(scop->raw, on, halves, loop);
        copy->war = beside(scop->war, on, halves, loop);
        copy->waw = beside(scop->waw, on, halves, loop);
        isl_union_set_free(on);
        isl_union_set_free(halves);
        isl_union_pw_aff_list_free(loop);
    }
    free_planes(&planes);
    return copy;
}
