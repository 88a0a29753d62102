/* walk.c - see polygpu/walk.h.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "polygpu/walk.h"
#include "polygpu/polyhedral.h"
#include "support/phase.h"
#include "support/text.h"
#include "verify/model.h"

#include <polygpu/walk.h>

#include <isl/aff.h>
#include <isl/space.h>
#include <stdlib.h>

_Static_assert(MAX_DIM <= PG_WALK_MAX_DIM, "subscripts do not fit");
_Static_assert(MAX_ARGS == PG_WALK_MAX_DIM, "instances are not the same");

enum { ISL_OPERATIONS = 200000 }; /* to translate a SCoP */

struct pg_walk {
    const struct pg_scop *scop;
    struct model *model;
    struct function *(*extents)[MAX_DIM]; /* by array */
};

static void take_extents(pg_walk *walk, struct pg_fault *fault)
{
    const struct pg_scop *scop = walk->scop;
    isl_space *params = isl_set_get_space(scop->context);

    walk->extents = pg_alloc(scop->n_array + 1, sizeof(*walk->extents));
    for (unsigned a = 0; a < scop->n_array && !fault->sentence; a++)
        for (unsigned d = 1; d < scop->arrays[a].n_dim; d++)
            walk->extents[a][d] =
                pg_function_take(isl_pw_multi_aff_from_pw_aff(isl_pw_aff_copy(
                                     scop->arrays[a].extent[d])),
                                 params, fault);
    isl_space_free(params);
}

pg_walk *pg_walk_alloc(const struct pg_scop *scop)
{
    pg_walk *walk = pg_alloc(1, sizeof(*walk));
    struct pg_fault fault = {0};
    struct pg_report report = {0};
    struct pg_options options;
    struct pg_phase phase;

    walk->scop = scop;
    pg_options_default(&options);
    options.max_operations = ISL_OPERATIONS;
    pg_phase_begin(&phase, scop->ctx, "walk", &options, &report);
    walk->model = pg_model_take(scop, &fault);
    if (!fault.sentence)
        take_extents(walk, &fault);
    pg_phase_forget(&phase);
    if (fault.sentence) {
        pg_walk_free(walk);
        walk = NULL;
    }
    free(fault.sentence);
    if (pg_phase_end(&phase, isl_stat_ok) != isl_stat_ok) {
        pg_walk_free(walk);
        walk = NULL;
    }
    pg_report_clear(&report);
    return walk;
}

void pg_walk_free(pg_walk *walk)
{
    if (!walk)
        return;
    for (unsigned a = 0; walk->extents && a < walk->scop->n_array; a++)
        for (unsigned d = 0; d < MAX_DIM; d++)
            pg_function_free(walk->extents[a][d]);
    free(walk->extents);
    pg_model_free(walk->model);
    free(walk);
}

bool pg_walk_each(pg_walk *walk, const long long *params, long *work,
                  pg_walk_visitor *visit, void *user)
{
    struct pg_fault fault = {0};
    struct state *state =
        pg_state_alloc(walk->model, params, NULL, NULL, 0, 0, work, &fault);
    bool ok;

    if (!fault.sentence)
        pg_state_each(state, NULL, work, visit, user, &fault);
    pg_state_free(state);
    ok = !fault.sentence;
    free(fault.sentence);
    return ok;
}

bool pg_walk_some(pg_walk *walk, const long long *params, size_t n,
                  const unsigned *stmts,
                  const long long (*args)[PG_WALK_MAX_DIM], long *work,
                  pg_walk_visitor *visit, void *user)
{
    struct pg_fault fault = {0};
    bool ok;

    pg_model_each(walk->model, params, n, stmts, args, work, visit, user,
                  &fault);
    ok = !fault.sentence;
    free(fault.sentence);
    return ok;
}

enum pg_walk_access pg_walk_subscripts(const pg_walk *walk,
                                       const long long *params, unsigned stmt,
                                       unsigned access, const long long *args,
                                       long long *x)
{
    const struct modelled *m = &walk->model->stmts[stmt];

    if (m->where[access] && !pg_points_have(m->where[access], params, args))
        return PG_WALK_ABSENT;
    return pg_function_at(m->access[access], params, args, x) ? PG_WALK_HAPPENS
                                                              : PG_WALK_UNKNOWN;
}

bool pg_walk_extent(const pg_walk *walk, const long long *params,
                    unsigned array, unsigned d, long long *extent)
{
    const long long none = 0;

    *extent = 1;
    return d == 0 ||
           pg_function_at(walk->extents[array][d], params, &none, extent);
}
