/* accesses.c - see accesses.h.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "accesses.h"

#include <isl/aff.h>
#include <isl/ast_build.h>
#include <isl/point.h>
#include <isl/space.h>
#include <isl/val.h>
#include <stdio.h>
#include <stdlib.h>

/* One subscript. */
struct affine {
    long long constant, param[8], iterator[MAX_ARGS];
    isl_pw_aff *pieces; /* NULL if there is only one */
};

struct subscripts {
    unsigned n, n_param, n_arg;
    struct affine *affine;
    isl_set *where; /* where the access happens, NULL: always */
};

static isl_stat read_piece(isl_set *domain, isl_aff *aff, void *user)
{
    struct affine *f = user;
    int np = isl_aff_dim(aff, isl_dim_param), ni = isl_aff_dim(aff, isl_dim_in);
    isl_val *v = isl_aff_get_constant_val(aff);

    f->constant = isl_val_get_num_si(v);
    isl_val_free(v);
    for (int i = 0; i < np; i++) {
        v = isl_aff_get_coefficient_val(aff, isl_dim_param, i);
        f->param[i] = isl_val_get_num_si(v);
        isl_val_free(v);
    }
    for (int i = 0; i < ni; i++) {
        v = isl_aff_get_coefficient_val(aff, isl_dim_in, i);
        f->iterator[i] = isl_val_get_num_si(v);
        isl_val_free(v);
    }
    isl_set_free(domain);
    isl_aff_free(aff);
    return isl_stat_ok;
}

struct subscripts *subscripts_read(const struct pg_scop *scop,
                                   const struct pg_stmt *stmt,
                                   const struct pg_access *access)
{
    isl_pw_multi_aff *pma =
        isl_pw_multi_aff_from_map(isl_map_copy(access->relation));
    struct subscripts *s = calloc(1, sizeof(*s));

    s->n = scop->arrays[access->array].n_dim;
    s->n_param = scop->n_param;
    s->n_arg = (unsigned)isl_set_dim(stmt->domain, isl_dim_set);
    s->affine = calloc(s->n + 1, sizeof(*s->affine));
    for (unsigned d = 0; d < s->n; d++) {
        isl_pw_aff *pa = isl_pw_multi_aff_get_pw_aff(pma, (int)d);

        if (isl_pw_aff_n_piece(pa) > 1) {
            s->affine[d].pieces = pa;
            continue;
        }
        isl_pw_aff_foreach_piece(pa, &read_piece, &s->affine[d]);
        isl_pw_aff_free(pa);
    }
    isl_pw_multi_aff_free(pma);
    s->where = isl_map_domain(isl_map_copy(access->relation));
    if (isl_set_is_subset(stmt->domain, s->where) == isl_bool_true)
        s->where = isl_set_free(s->where);
    return s;
}

void subscripts_free(struct subscripts *subscripts)
{
    for (unsigned d = 0; d < subscripts->n; d++)
        isl_pw_aff_free(subscripts->affine[d].pieces);
    free(subscripts->affine);
    isl_set_free(subscripts->where);
    free(subscripts);
}

/* The instance "args" in "space". */
static isl_point *point_of(const struct subscripts *s, isl_space *space,
                           const long long *values, const long long *args)
{
    isl_ctx *ctx = isl_space_get_ctx(space);
    isl_point *point = isl_point_zero(space);

    for (unsigned p = 0; p < s->n_param; p++)
        point = isl_point_set_coordinate_val(
            point, isl_dim_param, (int)p,
            isl_val_int_from_si(ctx, (long)values[p]));
    for (unsigned i = 0; i < s->n_arg; i++)
        point = isl_point_set_coordinate_val(
            point, isl_dim_set, (int)i,
            isl_val_int_from_si(ctx, (long)args[i]));
    return point;
}

bool subscripts_happen(const struct subscripts *subscripts,
                       const long long *values, const long long *args)
{
    isl_set *point;
    bool does;

    if (!subscripts->where)
        return true;
    point = isl_set_from_point(point_of(
        subscripts, isl_set_get_space(subscripts->where), values, args));
    does = isl_set_is_subset(point, subscripts->where) == isl_bool_true;
    isl_set_free(point);
    return does;
}

/* The value of "pieces" at the instance "args". */
static long long at_pieces(const struct subscripts *s, isl_pw_aff *pieces,
                           const long long *values, const long long *args)
{
    isl_point *point =
        point_of(s, isl_pw_aff_get_domain_space(pieces), values, args);
    isl_val *v = isl_pw_aff_eval(isl_pw_aff_copy(pieces), point);
    long long result = isl_val_get_num_si(v);

    isl_val_free(v);
    return result;
}

void subscripts_at(const struct subscripts *subscripts, const long long *values,
                   const long long *args, long long *x)
{
    for (unsigned d = 0; d < subscripts->n; d++) {
        const struct affine *f = &subscripts->affine[d];

        x[d] = f->pieces ? at_pieces(subscripts, f->pieces, values, args)
                         : f->constant;
        for (unsigned p = 0; p < subscripts->n_param; p++)
            x[d] += f->param[p] * values[p];
        for (unsigned i = 0; i < subscripts->n_arg; i++)
            x[d] += f->iterator[i] * args[i];
    }
}

struct expr *instances_of(const struct pg_scop *scop,
                          const struct pg_stmt *stmt, char **error)
{
    isl_set *set = isl_set_reset_tuple_id(isl_set_copy(stmt->domain));
    unsigned n = (unsigned)isl_set_dim(set, isl_dim_set);
    struct names names = {.n = 0};
    isl_ast_build *build;
    struct expr *result;

    for (unsigned p = 0; p < scop->n_param; p++)
        names_add_text(&names, scop->ctx, scop->params[p].name, error);
    for (unsigned i = 0; i < n; i++) {
        unsigned at = (unsigned)isl_set_dim(set, isl_dim_param);
        char name[32];
        isl_id *id;

        snprintf(name, sizeof(name), "instance%u", i);
        id = isl_id_alloc(scop->ctx, name, NULL);
        set = isl_set_move_dims(set, isl_dim_param, at, isl_dim_set, 0, 1);
        set = isl_set_set_dim_id(set, isl_dim_param, at, isl_id_copy(id));
        names_add(&names, id, error);
        isl_id_free(id);
    }
    set = isl_set_params(set);
    build = isl_ast_build_alloc(scop->ctx);
    result = expr_take(isl_ast_build_expr_from_set(build, set), &names, error);
    isl_ast_build_free(build);
    return result;
}
