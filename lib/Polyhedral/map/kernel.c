/* kernel.c - one kernel: its instances, tiles, blocks and threads.
 *
 * Loops of the host above the kernel are parameters h0, h1, ... of it, and
 * blockIdx.x.. and threadIdx.x.. are b0.. and t0...  tiled.c says which block
 * and thread runs which value of a parallel member.  When a single parallel
 * loop goes to blocks and the loops inside of it to threads (nest.c), one of
 * those with value w is run by the thread w mod B.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "map/kernel.h"
#include "map/mapping.h"
#include "map/nest.h"
#include "map/nested.h"
#include "map/passes.h"
#include "map/shape.h"
#include "map/sizes.h"
#include "map/tiled.h"
#include "polygpu/polyhedral.h"
#include "promote/promote.h"
#include "promote/promoting.h"
#include "schedule/tree.h"
#include "scop/scop.h"
#include "support/coalesce.h"
#include "support/phase.h"
#include "support/text.h"
#include "support/values.h"

#include <isl/ilp.h>
#include <isl/space.h>
#include <stdlib.h>
#include <string.h>

/* The kernel under construction. */
struct making {
    const struct pg_scop *scop;
    struct pg_phase *phase;
    const struct pg_options *options; /* NULL: the defaults */
    struct pg_kernel *kernel;
    unsigned number;
    const struct pg_body *body;
    struct pg_shape shape;
    isl_union_pw_aff_list *members; /* in their final order, shifted */
    struct pg_nests *nests;         /* NULL: no threads for loops inside */
    struct pg_mapping mapping;      /* the candidate that is being made */
};

/* A name from the function, the line and the kernel's number, in which all
 * that C does not allow in a name is an underscore.
 */
static char *kernel_name(const struct pg_scop *scop, unsigned number)
{
    char *name = pg_format("%s_%u_%u", scop->function ? scop->function : "f",
                           scop->line, number);

    for (char *c = name; *c; c++)
        if (!(*c >= 'a' && *c <= 'z') && !(*c >= 'A' && *c <= 'Z') &&
            !(*c >= '0' && *c <= '9' && c > name))
            *c = '_';
    return name;
}

/* Move the parameters h0, h1, ... of "map" into its input dimensions, which
 * get the kernel's tuple.  Parameters that do not occur become free.
 */
static __isl_give isl_map *host_to_input(const struct making *m,
                                         __isl_take isl_map *map)
{
    char *tuple = pg_format("kernel%u", m->number);

    for (unsigned i = 0; i < m->kernel->n_host; i++) {
        int at =
            isl_map_find_dim_by_name(map, isl_dim_param, m->kernel->host[i]);

        if (at < 0)
            map = isl_map_insert_dims(map, isl_dim_in, i, 1);
        else
            map = isl_map_move_dims(map, isl_dim_in, i, isl_dim_param,
                                    (unsigned)at, 1);
    }
    map = isl_map_set_tuple_name(map, isl_dim_in, tuple);
    free(tuple);
    return map;
}

/* Name the kernel's host loops and give the instances that run in a launch
 * with the values h0, h1, ... of them; kernel->when says when that is.
 */
static isl_stat take_prefix(struct making *m, const struct pg_prefix *prefix)
{
    struct pg_kernel *kernel = m->kernel;
    unsigned depth = 0, h = 0, at = 0;
    const struct pg_prefix **path;
    isl_map *schedule;

    for (const struct pg_prefix *p = prefix; p; p = p->outer)
        depth++;
    path = pg_alloc(depth, sizeof(*path));
    for (const struct pg_prefix *p = prefix; p; p = p->outer)
        path[depth - ++at] = p;
    kernel->host = pg_alloc(depth, sizeof(*kernel->host));
    kernel->domain = isl_union_set_copy(m->body->domain);
    for (unsigned i = 0; i < depth; i++) {
        if (!path[i]->value)
            continue;
        kernel->host[kernel->n_host] = pg_format("h%u", kernel->n_host);
        kernel->domain = pg_fix_to_parameter(
            kernel->domain, isl_union_pw_aff_copy(path[i]->value),
            kernel->host[kernel->n_host]);
        kernel->n_host++;
    }
    kernel->domain = pg_coalesce_union(kernel->domain);
    schedule = isl_map_from_range(isl_set_from_params(
        isl_union_set_params(isl_union_set_copy(kernel->domain))));
    schedule = host_to_input(m, schedule);
    schedule = isl_map_add_dims(schedule, isl_dim_out, depth);
    for (unsigned i = 0; i < depth; i++) {
        if (path[i]->value)
            schedule = isl_map_equate(schedule, isl_dim_in, (int)h++,
                                      isl_dim_out, (int)i);
        else
            schedule = isl_map_fix_si(schedule, isl_dim_out, i,
                                      (int)path[i]->position);
    }
    kernel->when = pg_coalesce_map(schedule);
    free(path);
    return kernel->when ? isl_stat_ok : isl_stat_error;
}

/* The values { [v] } of "member" at the kernel's instances. */
static __isl_give isl_set *values(const struct making *m,
                                  __isl_keep isl_union_pw_aff *member)
{
    isl_union_map *map =
        isl_union_map_from_union_pw_aff(isl_union_pw_aff_copy(member));

    map = isl_union_map_intersect_domain(map,
                                         isl_union_set_copy(m->kernel->domain));
    return isl_set_from_union_set(isl_union_map_range(map));
}

/* Keep the expression of the only piece. */
static isl_stat keep_aff(__isl_take isl_set *domain, __isl_take isl_aff *aff,
                         void *user)
{
    isl_set_free(domain);
    *(isl_aff **)user = aff;
    return isl_stat_ok;
}

/* Is no element of "set", { [v] }, negative? */
static isl_bool is_natural(__isl_keep isl_set *set)
{
    isl_set *negative =
        isl_set_upper_bound_si(isl_set_copy(set), isl_dim_set, 0, -1);
    isl_bool natural = isl_set_is_empty(negative);

    isl_set_free(negative);
    return natural;
}

/* "member" less its smallest value, so that it starts at zero: always if that
 * is one expression of the parameters, and also if it is several when the
 * values may be negative.
 */
static __isl_give isl_union_pw_aff *shift(const struct making *m,
                                          __isl_take isl_union_pw_aff *member)
{
    isl_set *set = values(m, member);
    isl_bool natural = is_natural(set);
    isl_pw_aff *min = isl_pw_aff_coalesce(isl_set_dim_min(set, 0));
    isl_union_set *domain =
        isl_union_set_universe(isl_union_set_copy(m->kernel->domain));
    isl_union_pw_aff *less = NULL;
    isl_aff *aff = NULL;

    if (isl_pw_aff_n_piece(min) == 1) {
        isl_pw_aff_foreach_piece(min, &keep_aff, &aff);
        less = isl_union_pw_aff_aff_on_domain(domain, aff);
    } else if (natural == isl_bool_true && min) {
        isl_union_set_free(domain);
        isl_pw_aff_free(min);
        return member;
    } else {
        less = isl_union_pw_aff_pw_aff_on_domain(domain, isl_pw_aff_copy(min));
    }
    isl_pw_aff_free(min);
    if (natural < 0)
        less = isl_union_pw_aff_free(less);
    return isl_union_pw_aff_sub(member, less);
}

/* Take the members of the band in the order in which they are mapped, the
 * parallel ones shifted to start at zero.
 */
static isl_stat take_members(struct making *m)
{
    const struct pg_body *body = m->body;

    m->members =
        pg_shape_order(m->scop, isl_union_pw_aff_list_copy(body->members),
                       body->n_parallel, body->inner, body->domain);
    for (int i = 0; i < (int)body->n_parallel; i++) {
        isl_union_pw_aff *member =
            isl_union_pw_aff_list_get_union_pw_aff(m->members, i);

        m->members = isl_union_pw_aff_list_set_union_pw_aff(m->members, i,
                                                            shift(m, member));
    }
    return m->members ? isl_stat_ok : isl_stat_error;
}

/* The dependences within one launch. */
static __isl_give isl_union_map *order_within(const struct making *m)
{
    isl_union_map *order = pg_scop_order(m->scop);

    order = isl_union_map_intersect_domain(
        order, isl_union_set_copy(m->kernel->domain));
    return isl_union_map_intersect_range(order,
                                         isl_union_set_copy(m->kernel->domain));
}

/* Do all dependences within one launch stay within one block and thread?
 * They do if every mapped member has equal values at both ends.
 */
static isl_stat verify(const struct making *m)
{
    isl_union_map *order = order_within(m), *stay;
    isl_union_pw_aff_list *mapped = isl_union_pw_aff_list_copy(m->members);
    isl_size n = isl_union_pw_aff_list_n_union_pw_aff(mapped);
    unsigned used = m->shape.first_thread + m->shape.n_block;
    isl_bool ok;

    used = used > m->shape.n_grid ? used : m->shape.n_grid;
    used = used < m->body->n_parallel ? used : m->body->n_parallel;
    if (n >= 0)
        mapped = isl_union_pw_aff_list_drop(mapped, used, (unsigned)n - used);
    stay = pg_equal_at(isl_union_map_copy(order), mapped);
    ok = isl_union_map_is_subset(order, stay);
    isl_union_map_free(order);
    isl_union_map_free(stay);
    isl_union_pw_aff_list_free(mapped);
    if (ok == isl_bool_false)
        pg_phase_fail(m->phase, PG_SCHEDULE, NULL,
                      "the mapping of kernel %u breaks a dependence",
                      m->number);
    return ok == isl_bool_true ? isl_stat_ok : isl_stat_error;
}

/* Make the mapping's tree of "tree", which is inside of the members.  "thread"
 * is the number of the thread of an instance in a nest, or NULL.
 */
static isl_stat run_passes(struct making *m, __isl_take isl_schedule *tree,
                           __isl_keep isl_union_pw_aff *thread)
{
    static const struct pg_pass plain[] = {{PG_PASS_BAND, &pg_pass_band},
                                           {PG_PASS_TILE, &pg_pass_tile},
                                           {PG_PASS_GRID, &pg_pass_grid},
                                           {PG_PASS_THREADS, &pg_pass_threads}};
    static const struct pg_pass nested[] = {
        {PG_PASS_BAND, &pg_pass_band},
        {PG_PASS_TILE, &pg_pass_tile},
        {PG_PASS_GRID, &pg_pass_grid},
        {PG_PASS_BARRIERS, &pg_pass_nest_barriers},
        {PG_PASS_THREADS, &pg_pass_nest_threads}};
    struct pg_tiled state = {
        &m->shape,           m->kernel->domain, m->members, m->body->n_parallel,
        m->body->permutable, m->nests,          thread};

    m->mapping.schedule = pg_passes_run(
        m->nests ? nested : plain,
        m->nests ? sizeof(nested) / sizeof(*nested)
                 : sizeof(plain) / sizeof(*plain),
        tree, &state, m->options, m->kernel->name, m->mapping.kind);
    return m->mapping.schedule ? isl_stat_ok : isl_stat_error;
}

/* How many blocks the member "i" needs, { kernel[h] -> [n] }: one more than
 * the largest number of a tile, but at most as many as the grid has.
 */
static __isl_give isl_pw_aff *count_blocks(const struct making *m, unsigned i)
{
    isl_ctx *ctx = m->phase->ctx;
    isl_union_pw_aff *member =
        isl_union_pw_aff_list_get_union_pw_aff(m->members, (int)i);
    isl_set *set = values(m, member);
    isl_bool natural = is_natural(set);
    isl_val *grid = isl_val_int_from_si(ctx, (long)m->shape.grid[i]);
    isl_pw_aff *count, *limit;
    isl_pw_multi_aff *most;
    isl_map *map;

    isl_union_pw_aff_free(member);
    count = isl_pw_aff_coalesce(isl_set_dim_max(set, 0));
    map = isl_map_from_range(isl_set_from_pw_aff(count));
    map = host_to_input(m, map);
    most = isl_pw_multi_aff_from_map(map);
    count = isl_pw_multi_aff_get_pw_aff(most, 0);
    isl_pw_multi_aff_free(most);
    limit = isl_pw_aff_val_on_domain(isl_pw_aff_domain(isl_pw_aff_copy(count)),
                                     grid);
    if (natural != isl_bool_true) {
        isl_pw_aff_free(count);
        return natural < 0 ? isl_pw_aff_free(limit) : limit;
    }
    count = isl_pw_aff_scale_down_val(
        count, isl_val_int_from_si(ctx, (long)m->shape.tile[i]));
    count = isl_pw_aff_floor(count);
    count = isl_pw_aff_add(count, isl_pw_aff_val_on_domain(
                                      isl_pw_aff_domain(isl_pw_aff_copy(count)),
                                      isl_val_one(ctx)));
    return isl_pw_aff_coalesce(isl_pw_aff_min(count, limit));
}

/* The largest value of "blocks", but at most "limit". */
static unsigned tighten(__isl_keep isl_pw_aff *blocks, long long limit)
{
    isl_map *map = isl_map_from_pw_aff(isl_pw_aff_copy(blocks));
    isl_val *most = pg_largest_value(isl_map_range(map));

    if (isl_val_is_int(most) == isl_bool_true &&
        isl_val_cmp_si(most, (long)limit) < 0 && isl_val_cmp_si(most, 1) >= 0)
        limit = isl_val_get_num_si(most);
    isl_val_free(most);
    return (unsigned)limit;
}

/* Fill in what the mapping says of its grid and block. */
static isl_stat describe(struct making *m)
{
    struct pg_mapping *mapping = &m->mapping;
    const struct pg_shape *shape = &m->shape;

    for (unsigned i = 0; i < 3; i++)
        mapping->block[i] = mapping->grid_limit[i] = 1;
    if (!m->kernel->parallel)
        return isl_stat_ok;
    mapping->n_grid = shape->n_grid;
    mapping->n_block = shape->n_block;
    for (unsigned i = 0; i < shape->n_grid; i++) {
        unsigned d = shape->n_grid - 1 - i;

        mapping->blocks[d] = count_blocks(m, i);
        mapping->tiling.member[d] =
            isl_union_pw_aff_list_get_union_pw_aff(m->members, (int)i);
        mapping->tiling.tile[d] = shape->tile[i];
        mapping->tiling.grid[d] = shape->grid[i];
        mapping->grid_limit[d] = tighten(mapping->blocks[d], shape->grid[i]);
        if (!mapping->blocks[d])
            return isl_stat_error;
    }
    for (unsigned i = 0; i < shape->n_block; i++)
        mapping->block[shape->n_block - 1 - i] = (unsigned)shape->block[i];
    if (shape->n_inner) {
        mapping->n_block = 1;
        mapping->block[0] = (unsigned)shape->n_inner;
    }
    return isl_stat_ok;
}

/* The largest value of "member" at the kernel's instances if it is known, and
 * none is negative, else -1.
 */
static long long largest(const struct making *m,
                         __isl_keep isl_union_pw_aff *member)
{
    isl_set *set = values(m, member);
    isl_val *min, *max;
    long long result = -1;

    set = isl_set_project_out(set, isl_dim_param, 0,
                              (unsigned)isl_set_dim(set, isl_dim_param));
    min = isl_set_dim_min_val(isl_set_copy(set), 0);
    max = isl_set_dim_max_val(set, 0);
    if (isl_val_is_nonneg(min) == isl_bool_true &&
        isl_val_is_int(max) == isl_bool_true &&
        isl_val_cmp_si(max, 1L << 30) < 0)
        result = isl_val_get_num_si(max);
    isl_val_free(min);
    isl_val_free(max);
    return result;
}

/* Does the tree "inner" within the loops of the band keep all dependences? */
static isl_bool is_legal(const struct making *m, __isl_keep isl_schedule *inner)
{
    isl_schedule *whole =
        pg_tree_band(isl_schedule_copy(inner),
                     isl_union_pw_aff_list_copy(m->members), false, NULL);
    isl_schedule_node *root = isl_schedule_get_root(whole);
    isl_bool legal = pg_tree_is_legal(root, order_within(m));

    isl_schedule_node_free(root);
    isl_schedule_free(whole);
    return legal;
}

/* Map the loops of "inner", in which the nests are marked, to threads.  True
 * if the mapping is complete.
 */
static isl_bool map_inner(struct making *m, __isl_take isl_schedule *inner)
{
    const char *sizes = m->options ? m->options->sizes : NULL;
    isl_union_pw_aff *number = shift(m, pg_nests_thread(m->nests));
    isl_bool ok = isl_bool_error;

    if (pg_shape_inner(&m->shape, m->phase, sizes, m->number,
                       largest(m, number)) == isl_stat_ok)
        ok = m->shape.n_inner > 0 ? is_legal(m, inner) : isl_bool_false;
    if (ok == isl_bool_true)
        ok = pg_nests_separate(m->nests, order_within(m));
    if (ok == isl_bool_true && verify(m) != isl_stat_ok)
        ok = isl_bool_error;
    if (ok != isl_bool_true) {
        isl_union_pw_aff_free(number);
        isl_schedule_free(inner);
        return ok;
    }
    number = pg_mod(number, m->shape.n_inner);
    if (run_passes(m, inner, number) != isl_stat_ok ||
        describe(m) != isl_stat_ok)
        ok = isl_bool_error;
    isl_union_pw_aff_free(number);
    return ok;
}

/* Take what "attempt" made as the best candidate if it is complete, else say
 * "why" it is not, if there is anything to say.  That isl has failed is
 * forgotten: there is a candidate already.
 */
static void finish_attempt(struct making *attempt, bool complete,
                           const char *why)
{
    enum pg_mapping_kind kind = attempt->mapping.kind;
    const char *failed = pg_phase_failure(attempt->phase);

    if (complete && !failed) {
        pg_kernel_prefer(attempt->kernel, &attempt->mapping);
        return;
    }
    pg_mapping_clear(&attempt->mapping);
    pg_phase_forget(attempt->phase);
    if (failed || why)
        pg_kernel_decline(attempt->kernel, kind, failed ? failed : why);
}

/* If all is in parallel loops inside of the one that is mapped, and these do
 * not suit the accesses less: a candidate with that one mapped to blocks and
 * them to threads.
 */
static void nest(const struct making *m)
{
    struct pg_nests nests = {0};
    struct making attempt = *m;
    isl_bool ok = isl_bool_false;
    isl_schedule *inner;

    attempt.mapping.kind = PG_MAPPING_NESTED;
    attempt.nests = &nests;
    inner =
        pg_tree_ordered(m->body->inner, isl_union_set_copy(m->kernel->domain));
    inner = pg_nests_find(&nests, m->scop, inner, m->members);
    if (inner && nests.complete && nests.n &&
        nests.score >= pg_shape_rate(m->scop, NULL, m->members, 0,
                                     m->body->inner, m->kernel->domain))
        ok = map_inner(&attempt, inner);
    else
        isl_schedule_free(inner);
    pg_nests_clear(&nests);
    finish_attempt(&attempt, ok == isl_bool_true, NULL);
}

/* A candidate that works on shared memory and registers, if that promises to be
 * faster.
 */
static void promote(const struct making *m)
{
    struct making attempt = *m;
    struct pg_promoting what = {.scop = m->scop,
                                .phase = m->phase,
                                .options = m->options,
                                .kernel = m->kernel,
                                .number = m->number,
                                .members = m->members,
                                .n_parallel = m->body->n_parallel,
                                .inner = m->body->inner,
                                .order = order_within(m)};
    const char *why;
    bool complete;

    attempt.mapping.kind = PG_MAPPING_PROMOTED;
    attempt.members = what.members = pg_promote_members(&what);
    why = pg_promote(&what, &attempt.shape, &attempt.mapping);
    isl_union_map_free(what.order);
    complete = !why && verify(&attempt) == isl_stat_ok &&
               describe(&attempt) == isl_stat_ok;
    finish_attempt(&attempt, complete, why);
    isl_union_pw_aff_list_free(attempt.members);
}

/* The line of the kernel's first statement. */
static unsigned first_line(const struct pg_scop *scop,
                           __isl_keep isl_union_set *domain)
{
    unsigned line = 0;

    for (unsigned i = 0; i < scop->n_stmt; i++) {
        isl_set *part = isl_union_set_extract_set(
            domain, isl_set_get_space(scop->stmts[i].domain));

        if (isl_set_plain_is_empty(part) == isl_bool_false &&
            (!line || scop->stmts[i].line < line))
            line = scop->stmts[i].line;
        isl_set_free(part);
    }
    return line ? line : scop->line;
}

/* Make room for one more kernel in "plan". */
static struct pg_kernel *grow(struct pg_plan *plan)
{
    unsigned n = plan->n_kernel;
    struct pg_kernel *kernels = pg_alloc(n + 1, sizeof(*kernels));

    if (n)
        memcpy(kernels, plan->kernels, n * sizeof(*kernels));
    free(plan->kernels);
    plan->kernels = kernels;
    plan->n_kernel = n + 1;
    return &kernels[n];
}

/* The candidate that every kernel has. */
static isl_stat map_plainly(struct making *m)
{
    const char *sizes = m->options ? m->options->sizes : NULL;
    isl_size n = isl_union_pw_aff_list_n_union_pw_aff(m->body->members);
    isl_schedule *tree;

    m->mapping.kind = PG_MAPPING_PLAIN;
    if (m->kernel->parallel &&
        (pg_shape_choose(&m->shape, m->phase, sizes, m->number, (unsigned)n,
                         m->body->n_parallel,
                         m->body->permutable) != isl_stat_ok ||
         verify(m) != isl_stat_ok))
        return isl_stat_error;
    tree =
        pg_tree_subtree(m->body->inner, isl_union_set_copy(m->kernel->domain));
    if (run_passes(m, tree, NULL) != isl_stat_ok ||
        describe(m) != isl_stat_ok) {
        pg_mapping_clear(&m->mapping);
        return isl_stat_error;
    }
    pg_kernel_prefer(m->kernel, &m->mapping);
    // An attempt to do better must not hide an error of what is there.
    return pg_phase_erred(m->phase) ? isl_stat_error : isl_stat_ok;
}

/* Add the kernel that "body" says to "plan", below the host's "prefix".  A
 * kernel that has no instance for any parameters is left out.
 */
isl_stat pg_kernel_create(struct pg_plan *plan, struct pg_phase *phase,
                          const struct pg_options *options,
                          const struct pg_prefix *prefix, struct pg_body *body)
{
    struct making m = {.scop = plan->scop,
                       .phase = phase,
                       .options = options,
                       .number = plan->n_kernel,
                       .body = body};
    isl_size n = isl_union_pw_aff_list_n_union_pw_aff(body->members);
    isl_bool empty = isl_union_set_is_empty(body->domain);
    isl_stat result = isl_stat_error;

    if (empty || n < 0)
        return empty == isl_bool_true ? isl_stat_ok : isl_stat_error;
    m.kernel = grow(plan);
    m.kernel->name = kernel_name(plan->scop, m.number);
    m.kernel->line = first_line(plan->scop, body->domain);
    m.kernel->n_parallel = body->n_parallel;
    m.kernel->parallel = body->n_parallel > 0;
    if (take_prefix(&m, prefix) == isl_stat_ok &&
        take_members(&m) == isl_stat_ok)
        result = map_plainly(&m);
    if (result == isl_stat_ok && body->n_parallel == 1 &&
        pg_tree_all_nested(body->inner))
        nest(&m);
    if (result == isl_stat_ok && m.kernel->parallel && options &&
        options->promote && m.kernel->n_candidate == 1)
        promote(&m);
    isl_union_pw_aff_list_free(m.members);
    return result;
}
