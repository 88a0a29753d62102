/* hand_on.c - a copy of a variable for each iteration that hands it on.
 *
 * expand.c gives iterations copies of what no value goes from one to another
 * in.  Here one does, from an iteration of a loop to a later one: what
 * instance W[j] writes is element [j + 1] of a temporary, what is written in
 * front of the loop element [0], and each read gets the element that the write
 * has which its value comes from (Feautrier, "Dataflow analysis of array and
 * scalar references", IJPP 20(1), 1991).  Only those values are left of the
 * dependences, and not that they were in one place.
 *
 * Whatever elements writes have, in the order of the source a read gets its
 * value there: a write between the two of the same element would be one of the
 * variable, too.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "schedule/hand_on.h"
#include "dependence/dependences.h"
#include "schedule/expand.h"
#include "schedule/tree.h"
#include "scop/scop.h"
#include "support/coalesce.h"
#include "support/text.h"

#include <isl/space.h>
#include <isl/val.h>
#include <stdlib.h>

enum { MAX_PIECES = 4 }; /* of where one read finds its values */

/* A variable whose values go from iteration to iteration. */
struct handed {
    struct pg_scop *scop;
    unsigned array;
    isl_union_map *reads, *writes; /* { S[i] -> A[x] } of existing instances */
    isl_union_map *source;         /* { S[i] -> T[j] }: T wrote what S reads */
    isl_union_pw_aff_list *apart;  /* loops around all that no value crosses */
    isl_union_pw_aff *loop;        /* and one inside that values cross */
    isl_union_map *places;         /* { T[j] -> place[apart, loop + 1, x] } */
};

static void clear_handed(struct handed *h)
{
    isl_union_map_free(h->reads);
    isl_union_map_free(h->writes);
    isl_union_map_free(h->source);
    isl_union_pw_aff_list_free(h->apart);
    isl_union_pw_aff_free(h->loop);
    isl_union_map_free(h->places);
}

/* May array "a" be a variable that is handed on?  It is of no use behind the
 * SCoP, each statement reads and writes it at most once, whatever data say.
 */
static bool may_be_handed(const struct pg_scop *scop, unsigned a)
{
    const struct pg_array *array = &scop->arrays[a];
    bool reads = false, writes = false;

    if (!array->dead_after || array->kind == PG_ARRAY_TEMPORARY ||
        array->indirect || array->flagged)
        return false;
    for (unsigned i = 0; i < scop->n_stmt; i++) {
        const struct pg_stmt *stmt = &scop->stmts[i];
        unsigned n_read = 0, n_write = 0;

        for (unsigned j = 0; j < stmt->n_access; j++) {
            const struct pg_access *access = &stmt->accesses[j];

            if (access->array != a)
                continue;
            if (access->guarded || (access->write && !access->must))
                return false;
            n_write += access->write;
            n_read += !access->write;
        }
        if (n_read > 1 || n_write > 1)
            return false;
        reads = reads || n_read;
        writes =
            writes || (n_write && isl_set_dim(stmt->domain, isl_dim_set) > 0);
    }
    return reads && writes;
}

/* Is there a variable that may be handed on? */
bool pg_scop_may_hand_on(const struct pg_scop *scop)
{
    bool may = false;

    for (unsigned a = 0; !may && a < scop->n_array; a++)
        may = may_be_handed(scop, a);
    return may;
}

/* The pairs of "map" both of which are instances with values of "loop". */
static __isl_give isl_union_map *within(__isl_take isl_union_map *map,
                                        __isl_keep isl_union_pw_aff *loop)
{
    isl_union_set *body = isl_union_set_universe(
        isl_union_pw_aff_domain(isl_union_pw_aff_copy(loop)));

    map = isl_union_map_intersect_domain(map, isl_union_set_copy(body));
    return isl_union_map_intersect_range(map, body);
}

/* Of the loops around the write of statement "stmt", the outermost one that
 * values cross, or NULL.
 */
static __isl_give isl_union_pw_aff *crossed_loop(const struct handed *h,
                                                 const struct pg_stmt *stmt)
{
    isl_union_pw_aff_list *around =
        pg_loops_around(h->scop->original,
                        isl_union_set_from_set(
                            isl_set_universe(isl_set_get_space(stmt->domain))));
    isl_size n = isl_union_pw_aff_list_n_union_pw_aff(around);
    isl_union_pw_aff *found = NULL;

    for (int i = 0; !found && i < n; i++) {
        isl_union_pw_aff *loop =
            isl_union_pw_aff_list_get_union_pw_aff(around, i);
        isl_union_map *inside = within(isl_union_map_copy(h->source), loop);

        if (!pg_stays_within(inside, isl_union_pw_aff_copy(loop)))
            found = isl_union_pw_aff_copy(loop);
        isl_union_map_free(inside);
        isl_union_pw_aff_free(loop);
    }
    isl_union_pw_aff_list_free(around);
    return found;
}

/* Find the loop; false if there is none. */
static bool find_loop(struct handed *h)
{
    for (unsigned i = 0; !h->loop && i < h->scop->n_stmt; i++) {
        const struct pg_stmt *stmt = &h->scop->stmts[i];

        for (unsigned j = 0; !h->loop && j < stmt->n_access; j++)
            if (stmt->accesses[j].array == h->array && stmt->accesses[j].write)
                h->loop = crossed_loop(h, stmt);
    }
    return h->loop != NULL;
}

/* Find the loops around all accesses that no value crosses. */
static void find_apart(struct handed *h)
{
    isl_union_set *accessing = isl_union_set_universe(isl_union_set_union(
        isl_union_map_domain(isl_union_map_copy(h->reads)),
        isl_union_map_domain(isl_union_map_copy(h->writes))));

    h->apart = pg_loops_around(h->scop->original, accessing);
    for (int i = 0; i < isl_union_pw_aff_list_n_union_pw_aff(h->apart);)
        if (pg_stays_within(
                h->source, isl_union_pw_aff_list_get_union_pw_aff(h->apart, i)))
            i++;
        else
            h->apart = isl_union_pw_aff_list_drop(h->apart, (unsigned)i, 1);
}

/* { S[i] -> [number] }: which copy the write of "stmt" has in the loop: one
 * more than the iteration, or 0 for what is not in it.
 */
static __isl_give isl_map *number_of(const struct handed *h,
                                     const struct pg_stmt *stmt)
{
    isl_space *space = isl_set_get_space(stmt->domain);
    isl_pw_aff *value = isl_union_pw_aff_extract_pw_aff(
        h->loop,
        isl_space_add_dims(isl_space_from_domain(isl_space_copy(space)),
                           isl_dim_out, 1));

    if (isl_pw_aff_n_piece(value) != 0) {
        isl_space_free(space);
        return isl_map_from_pw_aff(
            isl_pw_aff_add_constant_val(value, isl_val_one(h->scop->ctx)));
    }
    isl_pw_aff_free(value);
    return isl_map_from_aff(isl_aff_zero_on_domain_space(space));
}

/* Find where each write puts its value. */
static void find_places(struct handed *h)
{
    isl_union_map_free(h->places);
    h->places = isl_union_map_empty(isl_set_get_space(h->scop->context));
    for (unsigned i = 0; i < h->scop->n_stmt; i++) {
        const struct pg_stmt *stmt = &h->scop->stmts[i];

        for (unsigned j = 0; j < stmt->n_access; j++) {
            const struct pg_access *access = &stmt->accesses[j];
            isl_map *place;

            if (access->array != h->array || !access->write)
                continue;
            place = isl_map_flat_range_product(number_of(h, stmt),
                                               isl_map_copy(access->relation));
            place = pg_in_loops(place, h->apart, "place");
            h->places = isl_union_map_add_map(h->places, place);
        }
    }
}

/* Where "access" of "stmt" finds or puts its value, { S[i] -> place[x] }; NULL
 * if that is not simple.
 */
static __isl_give isl_map *place_of(const struct handed *h,
                                    const struct pg_stmt *stmt,
                                    const struct pg_access *access)
{
    isl_union_map *places =
        access->write
            ? isl_union_map_copy(h->places)
            : isl_union_map_apply_range(isl_union_map_copy(h->source),
                                        isl_union_map_copy(h->places));
    isl_map *place;

    places = isl_union_map_intersect_domain(
        places, isl_union_set_from_set(isl_set_copy(stmt->domain)));
    if (isl_union_map_n_map(places) != 1) {
        isl_union_map_free(places);
        return NULL;
    }
    place = isl_map_gist_domain(isl_map_from_union_map(places),
                                isl_set_copy(stmt->domain));
    place = pg_coalesce_map(
        isl_map_gist_params(place, isl_set_copy(h->scop->context)));
    if (isl_map_n_basic_map(place) <= MAX_PIECES &&
        isl_map_is_single_valued(place) == isl_bool_true)
        return place;
    return isl_map_free(place);
}

/* All elements of the temporary. */
static __isl_give isl_set *elements(const struct handed *h)
{
    isl_union_map *places = isl_union_map_intersect_domain(
        isl_union_map_copy(h->places), pg_scop_domain(h->scop));

    return pg_coalesce(isl_set_intersect_params(
        isl_set_from_union_set(isl_union_map_range(places)),
        isl_set_copy(h->scop->context)));
}

/* May there be a temporary for "set", with these extents?  The element for what
 * is there in front of the loop does not count.
 */
static bool may_be(const struct handed *h, __isl_keep isl_set *set,
                   isl_pw_aff **extents)
{
    isl_size n_apart = isl_union_pw_aff_list_n_union_pw_aff(h->apart);
    isl_pw_aff *whole = extents[n_apart];
    bool may;

    extents[n_apart] = isl_pw_aff_add_constant_val(
        isl_pw_aff_copy(whole), isl_val_negone(h->scop->ctx));
    may = pg_may_be_temporary(h->scop, set, extents,
                              h->scop->arrays[h->array].elem_size);
    isl_pw_aff_free(extents[n_apart]);
    extents[n_apart] = whole;
    return may;
}

/* Have the accesses go to a temporary with these extents (taken), where
 * "places" (taken) has the place of each, in their order.
 */
static void redirect(struct handed *h, isl_pw_aff **extents,
                     isl_map_list *places)
{
    isl_size n_apart = isl_union_pw_aff_list_n_union_pw_aff(h->apart);
    const struct pg_array *temporary = pg_scop_add_temporary(
        h->scop, h->array, "handed", (unsigned)n_apart + 1, extents);
    int next = 0;

    for (unsigned i = 0; i < h->scop->n_stmt; i++)
        for (unsigned j = 0; j < h->scop->stmts[i].n_access; j++) {
            struct pg_access *access = &h->scop->stmts[i].accesses[j];

            if (access->array != h->array)
                continue;
            isl_map_free(access->relation);
            access->relation =
                isl_map_set_tuple_name(isl_map_list_get_map(places, next++),
                                       isl_dim_out, temporary->name);
            access->array = h->scop->n_array - 1;
        }
    isl_map_list_free(places);
}

/* The places of all accesses, or NULL if one of them is not simple. */
static __isl_give isl_map_list *places_of_all(const struct handed *h)
{
    isl_map_list *places = isl_map_list_alloc(h->scop->ctx, 0);

    for (unsigned i = 0; places && i < h->scop->n_stmt; i++) {
        const struct pg_stmt *stmt = &h->scop->stmts[i];

        for (unsigned j = 0; places && j < stmt->n_access; j++) {
            isl_map *place;

            if (stmt->accesses[j].array != h->array)
                continue;
            place = place_of(h, stmt, &stmt->accesses[j]);
            places = place ? isl_map_list_add(places, place)
                           : isl_map_list_free(places);
        }
    }
    return places;
}

/* Give the variable a temporary with copies for the loops that values do not
 * cross and that one, if memory allows that; was that done?
 */
static bool give_all(struct handed *h)
{
    isl_map_list *places;
    isl_set *set;
    isl_pw_aff **extents;
    isl_size n;
    bool fits;

    find_places(h);
    set = elements(h);
    n = isl_set_dim(set, isl_dim_set);
    extents = n < 0 ? NULL : pg_set_extents(set);
    fits = extents && may_be(h, set, extents);
    isl_set_free(set);
    places = fits ? places_of_all(h) : NULL;
    if (places) {
        redirect(h, extents, places);
        return true;
    }
    pg_free_extents(extents, extents ? (unsigned)n : 0);
    return false;
}

/* Give the variable a temporary; was that done?  Where memory does not allow it
 * for all loops, the outermost ones use the same copies again.
 */
static bool give_copies(struct handed *h)
{
    bool done;

    find_apart(h);
    done = give_all(h);
    while (!done && isl_union_pw_aff_list_n_union_pw_aff(h->apart) > 0) {
        h->apart = isl_union_pw_aff_list_drop(h->apart, 0, 1);
        done = give_all(h);
    }
    return done;
}

/* Look at array "a" of "scop"; was it given copies? */
static bool look_at(struct pg_scop *scop, unsigned a)
{
    struct handed h = {.scop = scop,
                       .array = a,
                       .reads = pg_scop_accesses_of(scop, a, false),
                       .writes = pg_scop_accesses_of(scop, a, true)};
    isl_union_set *live_in = NULL;
    bool done = false;

    h.source = isl_union_map_reverse(
        pg_value_flow(isl_union_map_copy(h.reads), isl_union_map_copy(h.writes),
                      isl_schedule_copy(scop->original), &live_in));
    if (isl_union_set_is_empty(live_in) == isl_bool_true &&
        isl_union_map_is_single_valued(h.source) == isl_bool_true &&
        find_loop(&h))
        done = give_copies(&h);
    isl_union_set_free(live_in);
    clear_handed(&h);
    return done;
}

/* A copy of "scop", which has its dependences, in which iterations of loops
 * have copies of the variables that they hand on, and of those of expand.c.
 * NULL if no variable is handed on, or after an error of isl.
 */
struct pg_scop *pg_scop_hand_on(const struct pg_scop *scop)
{
    struct pg_scop *copy = pg_scop_copy(scop), *expanded;
    bool done = false;

    for (unsigned a = 0; a < scop->n_array; a++)
        if (may_be_handed(copy, a) && look_at(copy, a))
            done = true;
    if (!done) {
        pg_scop_free(copy);
        return NULL;
    }
    // By these, expand.c says which loops are sequential whatever it does.
    copy->raw = isl_union_map_copy(scop->raw);
    expanded = pg_scop_expand(copy);
    copy->raw = isl_union_map_free(copy->raw);
    if (!expanded)
        return copy;
    pg_scop_free(copy);
    return expanded;
}
