/* launch.c - launches of kernels: which blocks are run, and what they have to
 * run, see interpreter.h.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "map/buffers.h"
#include "map/mapping.h"
#include "polygpu/polyhedral.h"
#include "support/text.h"
#include "verify/interpreter.h"

#include <isl/space.h>
#include <stdlib.h>
#include <string.h>

/* The corners, the middle, and what is in the middle of a side of the grid. */
static bool is_sampled(const long long *grid, long long b)
{
    unsigned middle = 0, other = 0, last = 0;

    for (int d = 0; d < 3; d++) {
        long long at;

        if (grid[d] <= 1)
            continue;
        at = b % grid[d];
        b /= grid[d];
        last += at == grid[d] - 1;
        middle += at == grid[d] / 2 && at != grid[d] - 1;
        other += at != 0 && at != grid[d] - 1 && at != grid[d] / 2;
    }
    return !other && (!middle || !last || middle + last >= 2);
}

/* May "n" threads run together, with all their variables? */
static bool are_few(const struct machine *m, long long n)
{
    size_t each = pg_verify_own(m, m->scop->n_array), all;

    return n <= MAX_THREADS && !__builtin_mul_overflow((size_t)n, each, &all) &&
           all <= MAX_OWN;
}

/* Run the blocks of a launch: for the orders 0 and 1, block after block if
 * there are barriers, else all threads at a time.
 */
static void run_blocks(struct machine *m, const long long *base)
{
    const struct launching *l = m->launch;
    const struct pg_kernel *k = l->kernel;
    long long size = (long long)k->mapping->block[0] * k->mapping->block[1] *
                     k->mapping->block[2];
    long long blocks = l->grid[0] * l->grid[1] * l->grid[2];
    size_t n = (size_t)(blocks * size) * m->scop->n_array;

    if (m->options->few) {
        pg_verify_few(m, base);
        return;
    }
    if (blocks <= 0)
        return;
    *m->work -= (long)(n / 16);
    if (blocks * size > 1 << 22 || *m->work < 0) {
        pg_cannot(m->fault, "there are too many threads");
        return;
    }
    m->result->blocks += (unsigned long)blocks;
    if (!m->options->sampled && (!k->has_barrier || m->options->order > 1) &&
        are_few(m, blocks * size)) {
        m->result->blocks_run += (unsigned long)blocks;
        pg_verify_threads(m, base, 0, blocks * size);
        return;
    }
    for (long long i = 0; i < blocks && !m->fault->sentence; i++) {
        long long b = pg_verify_in_order(m, i, blocks);

        if (m->options->sampled && !is_sampled(l->grid, b))
            continue;
        m->result->blocks_run++;
        pg_verify_threads(m, base, b * size, size);
    }
}

/* ---- What all blocks have to run ------------------------------------------
 */

/* For the scan of a launch's instances. */
struct expecting {
    const struct launching *launch;
    const long long *values;
    unsigned stmt;
    unsigned long n;
    bool sampled, ok;
};

/* Count an instance if its block is run. */
static bool expect(const long long *x, void *user)
{
    struct expecting *e = user;
    const struct prepared *p = e->launch->prepared;
    const struct function *members = p->members[e->stmt];
    long long v[3], block = 0, scale = 1;

    if (e->sampled && members) {
        e->ok &= pg_function_at(members, e->values, x, v);
        for (unsigned d = 0; e->ok && d < pg_function_n_out(members); d++) {
            long long tile = v[d] / p->tile[d] - (v[d] % p->tile[d] < 0);

            if (p->grid[d] < PG_GRID_ALL)
                tile = ((tile % p->grid[d]) + p->grid[d]) % p->grid[d];
            e->ok &= tile >= 0;
            block += tile * scale;
            scale *= e->launch->grid[d];
            e->ok &= tile < e->launch->grid[d];
        }
        if (!e->ok || !is_sampled(e->launch->grid, block))
            return e->ok;
    }
    e->n++;
    return true;
}

/* Did the launch run as many instances as it has to by the indices alone?
 * Since none is run twice or elsewhere, these are the same.
 */
static void check_tiles(struct machine *m, const long long *base)
{
    const struct launching *l = m->launch;
    struct expecting e = {.launch = l,
                          .values = base,
                          .sampled = m->options->sampled,
                          .ok = true};

    for (unsigned s = 0; s < m->scop->n_stmt && !m->fault->sentence; s++) {
        e.stmt = s;
        if (l->prepared->domain[s] &&
            !pg_points_scan(l->prepared->domain[s], base, NULL, NULL, m->work,
                            &expect, &e))
            pg_cannot(m->fault, "there are too many instances");
    }
    if (!e.ok && !m->fault->cannot)
        pg_wrong(m->fault, "a tile has no block");
    if (e.n != l->n_run)
        pg_wrong(m->fault, "a launch runs %lu instances instead of %lu",
                 l->n_run, e.n);
}

void pg_verify_launch(struct machine *m, const struct action *action,
                      const long long *values)
{
    unsigned number = action->user->index, n = m->scop->n_param;
    const struct pg_kernel *k = &m->plan->kernels[number];
    struct launching l = {
        .number = number, .kernel = k, .prepared = &m->runner->kernels[number]};
    unsigned long before = m->result->blocks_run;
    long long base[MAX_NAMES];

    m->result->launches++;
    for (int d = 0; d < 3; d++) {
        l.grid[d] = pg_expr_eval(action->grid[d], values, m->fault);
        if (l.grid[d] < 0 || l.grid[d] > k->mapping->grid_limit[d])
            pg_wrong(m->fault, "%lld blocks in dimension %d", l.grid[d], d);
    }
    if (action->n != k->n_host)
        pg_wrong(m->fault, "a launch with %u arguments instead of %u",
                 action->n, k->n_host);
    memcpy(base, m->values, n * sizeof(*base));
    for (unsigned h = 0; h < k->n_host && !m->fault->sentence; h++)
        base[n + h] = pg_expr_eval(action->args[h], values, m->fault);
    m->launch = &l;
    if (!m->fault->sentence)
        run_blocks(m, base);
    if (!m->fault->sentence && !m->options->few)
        check_tiles(m, base);
    m->launch = NULL;
    if (!m->options->few || m->result->blocks_run > before)
        m->result->kernels_seen |= number < 32 ? 1u << number : 0;
}

/* ---- Translation ----------------------------------------------------------
 */

/* Which instances a launch has, and in which blocks. */
static void prepare_tiles(struct runner *r, unsigned number,
                          struct pg_fault *fault)
{
    const struct pg_kernel *k = &r->plan->kernels[number];
    const struct pg_mapping *mapping = k->mapping;
    struct prepared *p = &r->kernels[number];
    isl_space *params = isl_set_get_space(r->scop->context);

    for (unsigned h = 0; h < k->n_host; h++) {
        isl_id *id = isl_id_alloc(r->scop->ctx, k->host[h], NULL);

        params = isl_space_add_dims(params, isl_dim_param, 1);
        params = isl_space_set_dim_id(params, isl_dim_param,
                                      r->scop->n_param + h, id);
    }
    for (unsigned d = 0; d < mapping->n_grid; d++) {
        p->tile[d] = mapping->tiling.tile[d];
        p->grid[d] = mapping->tiling.grid[d];
    }
    for (unsigned s = 0; s < r->scop->n_stmt && !fault->sentence; s++) {
        isl_set *set = isl_union_set_extract_set(
            k->domain, isl_set_get_space(r->scop->stmts[s].domain));
        isl_multi_pw_aff *members;

        if (isl_set_plain_is_empty(set) != isl_bool_false) {
            isl_set_free(set);
            continue;
        }
        if (mapping->n_grid) {
            members = pg_tiling_members(&mapping->tiling, mapping->n_grid, set);
            p->members[s] = pg_function_take(
                isl_pw_multi_aff_from_multi_pw_aff(members), params, fault);
        }
        p->domain[s] = pg_points_take(set, params, fault);
    }
    isl_space_free(params);
}

void pg_verify_prepare(struct runner *r, unsigned number,
                       struct pg_fault *fault)
{
    static const char *const ids[] = {"t0", "t1", "t2", "b0", "b1", "b2"};
    static const char *const subscripts[] = {"e0", "e1", "e2", "e3",
                                             "e4", "e5", "e6", "e7"};
    static const char *const places[] = {"i0", "i1", "i2", "i3",
                                         "i4", "i5", "i6", "i7"};
    const struct pg_kernel *k = &r->plan->kernels[number];
    struct prepared *p = &r->kernels[number];
    isl_ctx *ctx = r->scop->ctx;
    struct names names;

    p->names = r->names;
    for (unsigned h = 0; h < k->n_host; h++)
        pg_names_add_text(&p->names, ctx, k->host[h], fault);
    for (int d = 0; d < 6; d++)
        pg_names_add_text(&p->names, ctx, ids[d], fault);
    names = p->names;
    for (int d = 0; d < MAX_DIM; d++)
        pg_names_add_text(&names, ctx, subscripts[d], fault);
    for (int d = 0; pg_buffers_have_places(k->mapping) && d < MAX_DIM; d++)
        pg_names_add_text(&names, ctx, places[d], fault);
    p->inside = pg_alloc(k->mapping->n_buffer, sizeof(struct expr *));
    p->back = pg_alloc(k->mapping->n_buffer, sizeof(struct expr *));
    for (unsigned i = 0; i < k->mapping->n_buffer && !fault->sentence; i++) {
        p->inside[i] = pg_expr_compile(k->inside[i], &names, fault);
        p->back[i] = pg_expr_compile(k->back[i], &names, fault);
    }
    p->domain = pg_alloc(r->scop->n_stmt, sizeof(*p->domain));
    p->members = pg_alloc(r->scop->n_stmt, sizeof(*p->members));
    if (!fault->sentence)
        p->code = pg_code_compile(k->ast, &p->names, fault);
    if (!fault->sentence)
        prepare_tiles(r, number, fault);
}

void pg_verify_forget(struct runner *r, unsigned number)
{
    struct prepared *p = &r->kernels[number];

    for (unsigned i = 0;
         p->inside && i < r->plan->kernels[number].mapping->n_buffer; i++) {
        pg_expr_free(p->inside[i]);
        pg_expr_free(p->back[i]);
    }
    for (unsigned s = 0; p->domain && s < r->scop->n_stmt; s++) {
        pg_points_free(p->domain[s]);
        pg_function_free(p->members[s]);
        if (p->tiles)
            pg_points_free(p->tiles[s]);
    }
    free(p->tiles);
    free(p->inside);
    free(p->back);
    free(p->domain);
    free(p->members);
    pg_code_free(p->code);
}
