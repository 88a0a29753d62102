/* cover.c - does a schedule tree execute every statement instance once?
 *
 * What isl makes is complete.  A tree that a person wrote need not be: a filter
 * may let nothing through or the same instances as another one, a band may have
 * no value for some, and what does not reach a leaf is not executed, without a
 * word.  So the instances are followed from the root to the leaves, the way
 * pg_tree_annotate takes them.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "schedule/cover.h"
#include "polygpu/polyhedral.h"
#include "schedule/tree.h"
#include "scop/scop.h"
#include "support/text.h"

#include <isl/space.h>
#include <stdlib.h>
#include <string.h>

struct cover {
    const struct pg_scop *scop;
    char *gap; /* what is wrong, malloc'ed, or NULL */
};

static isl_bool covers(struct cover *cover, __isl_keep isl_schedule_node *node,
                       __isl_take isl_union_set *instances);

/* ---- Sentences ----------------------------------------------------------- */

/* The first set of a union. */
static isl_stat keep_first(__isl_take isl_set *set, void *user)
{
    isl_set **first = user;

    if (*first)
        isl_set_free(set);
    else
        *first = set;
    return isl_stat_ok;
}

static __isl_give isl_set *first_of(__isl_keep isl_union_set *sets)
{
    isl_set *first = NULL;

    if (isl_union_set_foreach_set(sets, &keep_first, &first) != isl_stat_ok)
        first = isl_set_free(first);
    return first;
}

/* "instances", of one statement, as words: its name, its line, and which of
 * its instances if it is not all of them.
 */
static char *describe(const struct pg_scop *scop, __isl_keep isl_set *instances)
{
    int s = pg_scop_find_stmt(scop, isl_set_get_tuple_name(instances));
    const struct pg_stmt *stmt = s < 0 ? NULL : &scop->stmts[s];
    isl_set *domain =
        stmt ? isl_set_intersect_params(isl_set_copy(stmt->domain),
                                        isl_set_copy(scop->context))
             : NULL;
    isl_set *which = isl_set_coalesce(
        isl_set_gist(isl_set_copy(instances), isl_set_copy(domain)));
    bool all = isl_set_is_subset(domain, instances) == isl_bool_true;
    char *text = which && !all ? isl_set_to_str(which) : NULL;
    char *result =
        pg_format("%sinstances of %s in line %u%s%s", all ? "all " : "",
                  stmt ? stmt->name : "a statement", stmt ? stmt->line : 0,
                  text ? ", those of " : "", text ? text : "");

    free(text);
    isl_set_free(which);
    isl_set_free(domain);
    return result;
}

/* A statement of "sets" that is none of the SCoP's, or NULL. */
static isl_stat find_unknown(__isl_take isl_set *set, void *user)
{
    struct cover *cover = user;
    const char *name = isl_set_get_tuple_name(set);

    if (!cover->gap && (!name || pg_scop_find_stmt(cover->scop, name) < 0))
        cover->gap = pg_format("; there is no statement %s",
                               name ? name : "without a name");
    isl_set_free(set);
    return isl_stat_ok;
}

/* Is "gap" (taken) without instances?  If not, say that "what" is so for them;
 * "given" is the part of the tree that is to blame, which may name a statement
 * that does not exist.
 */
static isl_bool is_closed(struct cover *cover, __isl_take isl_union_set *gap,
                          const char *what, __isl_keep isl_union_set *given)
{
    isl_bool empty = isl_union_set_is_empty(gap);
    struct cover unknown = {cover->scop, NULL};
    isl_set *first;
    char *instances;

    if (empty == isl_bool_false && (first = first_of(gap))) {
        if (given)
            isl_union_set_foreach_set(given, &find_unknown, &unknown);
        instances = describe(cover->scop, first);
        cover->gap = pg_format("the loaded schedule is not complete: %s %s%s",
                               what, instances, unknown.gap ? unknown.gap : "");
        isl_set_free(first);
        free(instances);
        free(unknown.gap);
    }
    isl_union_set_free(gap);
    return empty;
}

/* Are all parameters of "space" (taken) the SCoP's? */
static isl_bool has_known_params(struct cover *cover,
                                 __isl_take isl_space *space)
{
    isl_size n = isl_space_dim(space, isl_dim_param);
    isl_bool known = n < 0 ? isl_bool_error : isl_bool_true;

    for (int i = 0; known == isl_bool_true && i < n; i++) {
        const char *name = isl_space_get_dim_name(space, isl_dim_param, i);
        unsigned p = 0;

        while (p < cover->scop->n_param &&
               strcmp(cover->scop->params[p].name, name ? name : "") != 0)
            p++;
        known = isl_bool_ok(p < cover->scop->n_param);
        if (!known)
            cover->gap = pg_format("the loaded schedule has a parameter %s, "
                                   "which these loops do not have",
                                   name ? name : "without a name");
    }
    isl_space_free(space);
    return known;
}

/* ---- Nodes --------------------------------------------------------------- */

/* The tree below "node" for "instances". */
static isl_bool child_covers(struct cover *cover,
                             __isl_keep isl_schedule_node *node,
                             __isl_take isl_union_set *instances)
{
    isl_schedule_node *child = isl_schedule_node_get_child(node, 0);
    isl_bool result = covers(cover, child, instances);

    isl_schedule_node_free(child);
    return result;
}

/* Do the filters of a sequence or set let each of "instances" through once,
 * and what is below them as well?
 */
static isl_bool children_cover(struct cover *cover,
                               __isl_keep isl_schedule_node *node,
                               __isl_take isl_union_set *instances)
{
    isl_size n = isl_schedule_node_n_children(node);
    isl_union_set *rest = isl_union_set_copy(instances);
    isl_union_set *filters =
        isl_union_set_empty(isl_union_set_get_space(instances));
    isl_bool ok = n < 0 ? isl_bool_error : isl_bool_true;

    for (int i = 0; ok == isl_bool_true && i < n; i++) {
        isl_schedule_node *child = isl_schedule_node_get_child(node, i);
        isl_union_set *filter = isl_schedule_node_filter_get_filter(child);
        isl_union_set *part = isl_union_set_intersect(
            isl_union_set_copy(instances), isl_union_set_copy(filter));

        ok = has_known_params(cover, isl_union_set_get_space(filter));
        if (ok == isl_bool_true)
            ok = is_closed(cover,
                           isl_union_set_subtract(isl_union_set_copy(part),
                                                  isl_union_set_copy(rest)),
                           "two filters of a sequence or set let through",
                           filter);
        rest = isl_union_set_subtract(rest, isl_union_set_copy(filter));
        filters = isl_union_set_union(filters, filter);
        if (ok == isl_bool_true)
            ok = child_covers(cover, child, part);
        else
            isl_union_set_free(part);
        isl_schedule_node_free(child);
    }
    if (ok == isl_bool_true)
        ok = is_closed(cover, isl_union_set_copy(rest),
                       "no filter of a sequence or set lets through", filters);
    isl_union_set_free(filters);
    isl_union_set_free(rest);
    isl_union_set_free(instances);
    return ok;
}

/* Has each member of a band a value for all of "instances"? */
static isl_bool has_values(struct cover *cover,
                           __isl_keep isl_schedule_node *band,
                           __isl_keep isl_union_set *instances)
{
    isl_union_pw_aff_list *members = pg_tree_members(band);
    isl_size n = isl_union_pw_aff_list_n_union_pw_aff(members);
    isl_bool ok = n < 0 ? isl_bool_error : isl_bool_true;

    for (int i = 0; ok == isl_bool_true && i < n; i++) {
        isl_union_set *domain = isl_union_pw_aff_domain(
            isl_union_pw_aff_list_get_union_pw_aff(members, i));

        ok = has_known_params(cover, isl_union_set_get_space(domain));
        if (ok == isl_bool_true)
            ok = is_closed(cover,
                           isl_union_set_subtract(isl_union_set_copy(instances),
                                                  isl_union_set_copy(domain)),
                           "a band has no value for", domain);
        isl_union_set_free(domain);
    }
    isl_union_pw_aff_list_free(members);
    return ok;
}

/* What is looked for among the statements that end at a leaf. */
struct place {
    struct cover *cover;
    isl_union_map *prefix; /* { S[i] -> [v] } */
    isl_bool ok;
};

/* Has each instance of a statement a value of its own in the bands? */
static isl_stat look_at_statement(__isl_take isl_set *set, void *user)
{
    struct place *place = user;
    isl_union_map *values = isl_union_map_intersect_domain(
        isl_union_map_copy(place->prefix),
        isl_union_set_from_set(isl_set_copy(set)));
    isl_bool single = isl_union_map_is_single_valued(values);
    isl_bool alone = isl_union_map_is_injective(values);
    char *instances;

    if (place->ok == isl_bool_true)
        place->ok = single < 0 || alone < 0 ? isl_bool_error
                                            : isl_bool_ok(single && alone);
    if (place->ok == isl_bool_false && !place->cover->gap) {
        instances = describe(place->cover->scop, set);
        place->cover->gap =
            pg_format("the loaded schedule is not complete: its bands do not "
                      "tell apart %s; add a band for each loop",
                      instances);
        free(instances);
    }
    isl_union_map_free(values);
    isl_set_free(set);
    return isl_stat_ok;
}

/* Is there an order of the instances of each statement that end at "leaf"?
 * Statements may share a place: nothing orders them, or the tree would not be
 * legal.
 */
static isl_bool orders(struct cover *cover, __isl_keep isl_schedule_node *leaf,
                       __isl_take isl_union_set *instances)
{
    struct place place = {cover,
                          isl_schedule_node_get_prefix_schedule_union_map(leaf),
                          isl_bool_true};

    if (isl_union_set_foreach_set(instances, &look_at_statement, &place) !=
        isl_stat_ok)
        place.ok = isl_bool_error;
    isl_union_map_free(place.prefix);
    isl_union_set_free(instances);
    return place.ok;
}

/* Does the tree below and with "node" execute each of "instances" (taken)
 * once?
 */
static isl_bool covers(struct cover *cover, __isl_keep isl_schedule_node *node,
                       __isl_take isl_union_set *instances)
{
    isl_bool ok = isl_bool_true;

    switch (isl_schedule_node_get_type(node)) {
    case isl_schedule_node_sequence:
    case isl_schedule_node_set:
        return children_cover(cover, node, instances);
    case isl_schedule_node_leaf:
        return orders(cover, node, instances);
    case isl_schedule_node_band:
        ok = has_values(cover, node, instances);
        break;
    case isl_schedule_node_domain:
    case isl_schedule_node_mark:
        break;
    case isl_schedule_node_error:
        ok = isl_bool_error;
        break;
    default:
        cover->gap = pg_format("the loaded schedule has a node that is no "
                               "domain, band, sequence, set or mark");
        ok = isl_bool_false;
    }
    if (ok == isl_bool_true)
        return child_covers(cover, node, instances);
    isl_union_set_free(instances);
    return ok;
}

/* isl_bool_true if "schedule", with at least the instances of "scop" as its
 * domain, sends each of them to exactly one leaf, where bands give every
 * instance of a statement other values.  If not, "*gap" gets a malloc'ed
 * sentence that names what is missing.
 */
isl_bool pg_schedule_covers(const struct pg_scop *scop,
                            __isl_keep isl_schedule *schedule, char **gap)
{
    struct cover cover = {scop, NULL};
    isl_schedule_node *root = isl_schedule_get_root(schedule);
    isl_bool ok =
        root ? covers(&cover, root, pg_scop_domain(scop)) : isl_bool_error;

    isl_schedule_node_free(root);
    *gap = cover.gap;
    return ok;
}

/* What the domain of "schedule" has more or less than the instances of "scop",
 * as malloc'ed words, or NULL if that is nothing or isl failed.
 */
char *pg_schedule_difference(const struct pg_scop *scop,
                             __isl_keep isl_schedule *schedule)
{
    isl_union_set *ours = pg_scop_domain(scop);
    isl_union_set *theirs = isl_union_set_intersect_params(
        isl_schedule_get_domain(schedule), isl_set_copy(scop->context));
    isl_union_set *less = isl_union_set_subtract(isl_union_set_copy(ours),
                                                 isl_union_set_copy(theirs));
    isl_union_set *more = isl_union_set_subtract(theirs, ours);
    bool lacks = isl_union_set_is_empty(less) == isl_bool_false;
    isl_set *first = first_of(lacks ? less : more);
    char *instances = first ? describe(scop, first) : NULL;
    char *result = NULL;

    if (instances)
        result = pg_format("it %s %s", lacks ? "lacks" : "also has", instances);
    free(instances);
    isl_set_free(first);
    isl_union_set_free(less);
    isl_union_set_free(more);
    return result;
}
