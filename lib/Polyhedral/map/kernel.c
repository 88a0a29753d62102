/* kernel.c - one kernel: the ways to map it.
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
#include "map/buffers.h"
#include "map/chain.h"
#include "map/flatten.h"
#include "map/grid.h"
#include "map/instances.h"
#include "map/mapping.h"
#include "map/nest.h"
#include "map/nested.h"
#include "map/passes.h"
#include "map/plan.h"
#include "map/shape.h"
#include "map/threads.h"
#include "map/tiled.h"
#include "map/waves.h"
#include "polygpu/polyhedral.h"
#include "promote/boxed_tree.h"
#include "promote/boxes.h"
#include "promote/promote.h"
#include "promote/promoting.h"
#include "schedule/tree.h"
#include "scop/scop.h"
#include "support/phase.h"
#include "support/text.h"

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
    unsigned n_parallel;            /* the first of these */
    struct pg_nests *nests;         /* NULL: no threads for loops inside */
    const struct pg_boxes *boxes;   /* NULL: blocks work on none */
    isl_union_set *tiled; /* instances that are tiled, those of all waves; */
    isl_set *blocks;      /* the blocks, by parameters; */
    isl_set *waves;       /* when there are any; else all are NULL */
    struct pg_mapping mapping; /* the candidate that is being made */
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

static bool for_threads(const struct making *m)
{
    return m->options && m->options->threads;
}

/* Take the members of the band in the order in which they are mapped, the
 * parallel ones shifted to start at zero.
 */
static isl_stat take_members(struct making *m)
{
    const struct pg_body *body = m->body;

    m->members = isl_union_pw_aff_list_copy(body->members);
    m->n_parallel = body->n_parallel;
    if (for_threads(m))
        m->members =
            pg_threads_order(m->scop, m->members, &m->n_parallel,
                             body->permutable, body->inner, m->kernel->domain);
    else
        m->members = pg_shape_order(m->scop, m->members, body->n_parallel,
                                    body->inner, m->kernel->domain);
    for (int i = 0; i < (int)m->n_parallel; i++) {
        isl_union_pw_aff *member =
            isl_union_pw_aff_list_get_union_pw_aff(m->members, i);

        m->members = isl_union_pw_aff_list_set_union_pw_aff(
            m->members, i, pg_shift(m->kernel->domain, member));
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

    for (unsigned i = 0; i < m->shape.n_grid; i++)
        used = used > m->shape.member[i] ? used : m->shape.member[i] + 1;
    used = used < m->n_parallel ? used : m->n_parallel;
    if (n >= 0)
        mapped = isl_union_pw_aff_list_drop(mapped, used, (unsigned)n - used);
    stay = pg_equal_at(isl_union_map_copy(order), mapped);
    ok = isl_union_map_is_subset(order, stay);
    isl_union_map_free(order);
    isl_union_map_free(stay);
    isl_union_pw_aff_list_free(mapped);
    if (ok == isl_bool_false)
        pg_phase_fail(m->phase, PG_SCHEDULE, NULL,
                      "the mapping of kernel %u breaks a dependence; please "
                      "report this with the source",
                      m->number);
    return ok == isl_bool_true ? isl_stat_ok : isl_stat_error;
}

/* The parameter that is the wave of "kernel". */
static const char *wave_of(const struct pg_kernel *kernel)
{
    return kernel->host[kernel->n_host - 1];
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
    static const struct pg_pass boxed[] = {
        {PG_PASS_BAND, &pg_pass_band},
        {PG_PASS_TILE, &pg_pass_tile},
        {PG_PASS_GRID, &pg_pass_grid},
        {PG_PASS_BARRIERS, &pg_pass_nest_barriers},
        {PG_PASS_BOXES, &pg_pass_boxes},
        {PG_PASS_THREADS, &pg_pass_nest_threads}};
    // There is one block.
    static const struct pg_pass chained[] = {
        {PG_PASS_BAND, &pg_pass_band},
        {PG_PASS_TILE, &pg_pass_tile},
        {PG_PASS_BARRIERS, &pg_pass_nest_barriers},
        {PG_PASS_THREADS, &pg_pass_nest_threads}};
    // A tile is one block's.
    static const struct pg_pass tiled[] = {
        {PG_PASS_GRID, &pg_pass_nest_tiles},
        {PG_PASS_BARRIERS, &pg_pass_nest_barriers},
        {PG_PASS_THREADS, &pg_pass_nest_threads}};
    // An overlapping tile is one block's, too.
    static const struct pg_pass overlapping[] = {
        {PG_PASS_GRID, &pg_pass_nest_blocks},
        {PG_PASS_BARRIERS, &pg_pass_nest_barriers},
        {PG_PASS_THREADS, &pg_pass_nest_threads}};
    const struct pg_pass *passes = plain;
    size_t n = sizeof(plain) / sizeof(*plain);
    struct pg_tiled state = {&m->shape,
                             m->kernel->domain,
                             m->members,
                             m->n_parallel,
                             m->body->permutable,
                             m->nests,
                             thread,
                             m->boxes,
                             NULL};

    if (m->nests && m->nests->tiled) {
        state.wave = wave_of(m->kernel);
        passes = tiled;
        n = sizeof(tiled) / sizeof(*tiled);
    } else if (m->nests && m->nests->shared) {
        passes = overlapping;
        n = sizeof(overlapping) / sizeof(*overlapping);
    } else if (m->nests && m->nests->whole) {
        passes = chained;
        n = sizeof(chained) / sizeof(*chained);
    } else if (m->nests) {
        passes = m->boxes ? boxed : nested;
        n = m->boxes ? sizeof(boxed) / sizeof(*boxed)
                     : sizeof(nested) / sizeof(*nested);
    }
    m->mapping.schedule =
        pg_passes_run(passes, (unsigned)n, tree, &state, m->options,
                      m->kernel->name, m->mapping.kind);
    return m->mapping.schedule ? isl_stat_ok : isl_stat_error;
}

/* Fill in what the mapping says of its grid and block. */
static isl_stat describe(struct making *m)
{
    struct pg_gridded gridded = {m->kernel, m->number, &m->shape, m->members,
                                 m->blocks};

    return pg_grid_describe(&gridded, &m->mapping);
}

/* Give members a block for each tile where the user has not said how many. */
static void choose_grid(struct making *m)
{
    for (unsigned i = 0; i < m->shape.n_grid; i++) {
        isl_union_pw_aff *member;

        if (m->shape.grid[i])
            continue;
        member = isl_union_pw_aff_list_get_union_pw_aff(
            m->members, (int)m->shape.member[i]);
        m->shape.grid[i] = pg_grid_size(m->kernel->domain, member);
        isl_union_pw_aff_free(member);
    }
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

/* The number { S[i] -> [v] } of the threads' loop of an instance in a nest,
 * from zero on.
 */
static __isl_give isl_union_pw_aff *thread_numbers(const struct making *m)
{
    return pg_shift(m->kernel->domain, pg_nests_thread(m->nests));
}

/* Make the mapping with the nests' loops, with values "number", on threads. */
static isl_stat build_nested(struct making *m, __isl_take isl_schedule *inner,
                             __isl_take isl_union_pw_aff *number)
{
    isl_stat ok;

    number = pg_mod(number, m->shape.n_inner);
    ok = run_passes(m, inner, number);
    if (ok == isl_stat_ok)
        ok = describe(m);
    isl_union_pw_aff_free(number);
    return ok;
}

/* Map the loops of "inner", in which the nests are marked, to threads.  True
 * if the mapping is complete.
 */
static isl_bool map_inner(struct making *m, __isl_take isl_schedule *inner)
{
    const char *sizes = m->options ? m->options->sizes : NULL;
    isl_union_pw_aff *number = thread_numbers(m);
    isl_bool ok = isl_bool_error;

    if (pg_shape_inner(&m->shape, m->phase, sizes, m->number,
                       m->nests->whole ? PG_CHAIN_THREADS : 0,
                       pg_largest_member(m->kernel->domain, number)) ==
        isl_stat_ok)
        ok = m->shape.n_inner > 0 ? is_legal(m, inner) : isl_bool_false;
    if (ok == isl_bool_true)
        choose_grid(m);
    if (ok == isl_bool_true)
        ok = pg_nests_separate(m->nests, order_within(m));
    if (ok == isl_bool_true && verify(m) != isl_stat_ok)
        ok = isl_bool_error;
    if (ok != isl_bool_true) {
        isl_union_pw_aff_free(number);
        isl_schedule_free(inner);
        return ok;
    }
    return build_nested(m, inner, number) == isl_stat_ok ? isl_bool_true
                                                         : isl_bool_error;
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

/* A candidate like "nested", whose loops inside are "inner", that works on
 * boxes in shared memory if that promises to be faster.
 */
static void work_on_boxes(const struct making *nested,
                          __isl_keep isl_schedule *inner)
{
    struct making attempt = *nested;
    isl_union_pw_aff_list *members = pg_tree_some(nested->members, 0, 1);
    struct pg_boxing what = {
        nested->scop, nested->options, nested->kernel, nested->number,
        members,      nested->nests,   &nested->shape, false};
    struct pg_boxes boxes;
    const char *why = pg_boxes_find(&boxes, &what);
    bool complete = false;

    attempt.mapping.kind = PG_MAPPING_SHARED;
    attempt.boxes = &boxes;
    if (!why) {
        complete = build_nested(&attempt, isl_schedule_copy(inner),
                                thread_numbers(&attempt)) == isl_stat_ok;
        pg_boxes_give(&boxes, nested->scop, &attempt.mapping);
    }
    finish_attempt(&attempt, complete, why && *why ? why : NULL);
    pg_boxes_clear(&boxes);
    isl_union_pw_aff_list_free(members);
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
    isl_schedule *inner, *kept;

    attempt.mapping.kind = PG_MAPPING_NESTED;
    attempt.nests = &nests;
    inner =
        pg_tree_ordered(m->body->inner, isl_union_set_copy(m->kernel->domain));
    inner = pg_nests_find(&nests, m->scop, inner, m->members);
    kept = isl_schedule_copy(inner);
    if (inner && nests.complete && nests.n &&
        nests.score >= pg_shape_rate(m->scop, NULL, m->members, 0,
                                     m->body->inner, m->kernel->domain))
        ok = map_inner(&attempt, inner);
    else
        isl_schedule_free(inner);
    ok = isl_bool_ok(ok == isl_bool_true && !pg_phase_failure(m->phase));
    finish_attempt(&attempt, ok == isl_bool_true, NULL);
    if (ok == isl_bool_true && m->options && m->options->promote)
        work_on_boxes(&attempt, kept);
    isl_schedule_free(kept);
    pg_nests_clear(&nests);
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

/* How many values each parallel member has, 0 where that depends on parameters;
 * of one alone it does not matter.
 */
static void find_extents(const struct making *m, long long *extent)
{
    unsigned n = m->body->n_parallel;

    for (unsigned i = 0; i < PG_MAX_SIZES; i++) {
        isl_union_pw_aff *member;

        extent[i] = 0;
        if (n < 2 || i >= n)
            continue;
        member = isl_union_pw_aff_list_get_union_pw_aff(m->members, (int)i);
        extent[i] = 1 + pg_largest_member(m->kernel->domain, member);
        isl_union_pw_aff_free(member);
    }
}

/* Choose the sizes of "m" for members of the lengths "extent". */
static isl_stat choose(struct making *m, const long long *extent)
{
    isl_size n = isl_union_pw_aff_list_n_union_pw_aff(m->members);

    return n < 0 ? isl_stat_error
                 : pg_shape_choose(&m->shape, m->phase,
                                   m->options ? m->options->sizes : NULL,
                                   m->number, (unsigned)n, m->n_parallel,
                                   m->body->permutable, extent);
}

/* Have loops of known lengths and those around be one where that gives more
 * threads something to do, unless there are sizes of the user's.
 */
static isl_stat flatten(struct making *m, long long *extent)
{
    struct making flat = *m;
    bool is_known[PG_MAX_SIZES] = {false};
    double before, after;

    if (m->options && m->options->sizes && *m->options->sizes)
        return isl_stat_ok;
    before = pg_flatten_busy(&m->shape, m->n_parallel, extent);
    if (!pg_flatten_pays(m->n_parallel, before))
        return isl_stat_ok;
    if (!pg_flatten_lengths(m->kernel->domain, m->members, m->n_parallel,
                            extent, is_known))
        return isl_stat_ok;
    flat.members = pg_flatten(isl_union_pw_aff_list_copy(m->members),
                              &flat.n_parallel, extent, is_known);
    if (flat.n_parallel == m->n_parallel ||
        choose(&flat, extent) != isl_stat_ok) {
        isl_union_pw_aff_list_free(flat.members);
        return pg_phase_failure(m->phase) ? isl_stat_error : isl_stat_ok;
    }
    after = pg_flatten_busy(&flat.shape, flat.n_parallel, extent);
    if (after < before) {
        isl_union_pw_aff_list_free(flat.members);
        return isl_stat_ok;
    }
    isl_union_pw_aff_list_free(m->members);
    *m = flat;
    return isl_stat_ok;
}

/* Choose the sizes of "m". */
static isl_stat choose_sizes(struct making *m)
{
    long long extent[PG_MAX_SIZES];

    if (for_threads(m)) {
        if (m->kernel->parallel)
            m->kernel->again = pg_threads_shape(
                &m->shape, m->scop, m->members, m->body->n_parallel,
                m->body->permutable, m->body->inner, m->kernel->domain);
        return m->kernel->parallel ? verify(m) : isl_stat_ok;
    }
    find_extents(m, extent);
    if (m->kernel->parallel &&
        (choose(m, extent) != isl_stat_ok ||
         flatten(m, extent) != isl_stat_ok || verify(m) != isl_stat_ok))
        return isl_stat_error;
    return isl_stat_ok;
}

/* Make the mapping of "m" in tiles, whose loops may become others. */
static isl_stat tile_plainly(struct making *m)
{
    isl_schedule *tree;

    if (choose_sizes(m) != isl_stat_ok)
        return isl_stat_error;
    choose_grid(m);
    tree =
        pg_tree_subtree(m->body->inner, isl_union_set_copy(m->kernel->domain));
    if (run_passes(m, tree, NULL) != isl_stat_ok ||
        describe(m) != isl_stat_ok) {
        pg_mapping_clear(&m->mapping);
        return isl_stat_error;
    }
    return isl_stat_ok;
}

/* The candidate that every kernel has. */
static isl_stat map_plainly(const struct making *m)
{
    struct making plain = *m;
    isl_stat ok;

    plain.members = isl_union_pw_aff_list_copy(m->members);
    plain.mapping.kind = PG_MAPPING_PLAIN;
    ok = tile_plainly(&plain);
    if (ok == isl_stat_ok)
        pg_kernel_prefer(m->kernel, &plain.mapping);
    isl_union_pw_aff_list_free(plain.members);
    // An attempt to do better must not hide an error of what is there.
    return ok != isl_stat_ok || pg_phase_erred(m->phase) ? isl_stat_error
                                                         : isl_stat_ok;
}

/* The next kernel of "plan", of which nothing is made yet. */
static struct making next_kernel(const struct pg_plan *plan,
                                 struct pg_phase *phase,
                                 const struct pg_options *options,
                                 const struct pg_body *body)
{
    struct making m = {.scop = plan->scop,
                       .phase = phase,
                       .options = options,
                       .number = plan->n_kernel,
                       .body = body,
                       .n_parallel = body->n_parallel};

    return m;
}

/* The waves of the kernel's blocks, for parameters for which there is any
 * instance.
 */
static __isl_give isl_set *waves_of(const struct making *m)
{
    isl_set *waves =
        pg_waves_when(m->nests->tiled, wave_of(m->kernel), m->tiled);
    isl_set *any = isl_union_set_params(isl_union_set_copy(m->tiled));

    return isl_set_intersect(waves, isl_set_coalesce(any));
}

/* Take the tiles' numbers as members, and say when there are waves.  What is
 * known of the parameters is not said of the instances again: isl takes long
 * for tiles with the bounds of types.
 */
static isl_stat take_tiles(struct making *m, const struct pg_prefix *prefix)
{
    m->members = isl_union_pw_aff_list_copy(m->body->members);
    m->tiled =
        pg_instances_in(isl_union_set_copy(m->body->domain), prefix->outer);
    m->tiled =
        isl_union_set_gist_params(m->tiled, isl_set_copy(m->scop->context));
    m->blocks = pg_waves_blocks(m->nests->tiled, wave_of(m->kernel), m->tiled);
    m->waves = waves_of(m);
    return pg_instances_when(m->kernel, m->number, prefix,
                             isl_set_copy(m->waves));
}

/* Begin the kernel "m" of its body, below the host's "prefix". */
static isl_stat begin(struct making *m, struct pg_plan *plan,
                      const struct pg_prefix *prefix)
{
    const struct pg_body *body = m->body;
    isl_set *when;

    m->kernel = grow(plan);
    m->kernel->name = kernel_name(plan->scop, m->number);
    m->kernel->line = first_line(plan->scop, body->domain);
    m->kernel->n_parallel = body->n_parallel;
    m->kernel->parallel = body->n_parallel > 0;
    pg_instances_take(m->kernel, prefix, body->domain);
    if (m->nests && m->nests->tiled)
        return take_tiles(m, prefix);
    when = isl_union_set_params(isl_union_set_copy(m->kernel->domain));
    if (pg_instances_when(m->kernel, m->number, prefix, when) != isl_stat_ok)
        return isl_stat_error;
    return take_members(m);
}

/* Has "domain" no instance of "stmt"? */
static isl_bool has_none(__isl_keep isl_union_set *domain,
                         const struct pg_stmt *stmt)
{
    isl_set *part =
        isl_union_set_extract_set(domain, isl_set_get_space(stmt->domain));
    isl_bool none = isl_set_is_empty(part);

    isl_set_free(part);
    return none;
}

/* Do "boxes" have all accesses of "domain" to arrays that blocks have for
 * themselves?
 */
static bool has_all(const struct pg_boxes *boxes, const struct pg_scop *scop,
                    __isl_keep isl_union_set *domain)
{
    bool all = true;

    for (unsigned s = 0; all && s < scop->n_stmt; s++) {
        const struct pg_stmt *stmt = &scop->stmts[s];

        for (unsigned a = 0; all && a < stmt->n_access; a++)
            all = !scop->arrays[stmt->accesses[a].array].of_block ||
                  boxes->promotion->buffer[s][a] >= 0 ||
                  has_none(domain, stmt) == isl_bool_true;
    }
    return all;
}

/* Have the boxes of overlapping tiles in shared memory, where "inner" has the
 * nests.
 */
static bool box_tiles(struct making *m, __isl_take isl_schedule *inner)
{
    struct pg_boxing what = {m->scop,    m->options, m->kernel, m->number,
                             m->members, m->nests,   &m->shape, true};
    struct pg_boxes boxes;
    bool complete = !pg_boxes_find(&boxes, &what) &&
                    has_all(&boxes, m->scop, m->kernel->domain);

    m->boxes = &boxes;
    if (complete)
        complete = run_passes(m, inner, NULL) == isl_stat_ok &&
                   describe(m) == isl_stat_ok;
    else
        isl_schedule_free(inner);
    m->boxes = NULL;
    if (complete) {
        pg_boxes_give(&boxes, m->scop, &m->mapping);
        pg_kernel_prefer(m->kernel, &m->mapping);
    }
    pg_mapping_clear(&m->mapping);
    pg_boxes_clear(&boxes);
    return complete;
}

/* Have "plan" be for parameters only for which there are as many blocks as the
 * values of the members; false if that is for none.
 */
static bool limit_blocks(const struct making *m, struct pg_plan *plan)
{
    isl_size n = isl_union_pw_aff_list_n_union_pw_aff(m->members);

    for (int i = 0; i < n; i++) {
        isl_union_pw_aff *member =
            isl_union_pw_aff_list_get_union_pw_aff(m->members, i);
        long long limit =
            pg_limit_below(pg_values(m->kernel->domain, member), PG_GRID_LIMIT);

        isl_union_pw_aff_free(member);
        if (!limit)
            return false;
        if (!plan->tile_limit || limit < plan->tile_limit)
            plan->tile_limit = limit;
    }
    return true;
}

/* The order inside of overlapping tiles: what members there are beside those of
 * the tiles are loops around all in them, as planes are.
 */
static __isl_give isl_schedule *inside_tiles(struct making *m)
{
    isl_schedule *tree =
        pg_tree_ordered(m->body->inner, isl_union_set_copy(m->kernel->domain));
    isl_size n = isl_union_pw_aff_list_n_union_pw_aff(m->members);
    unsigned more = n < 0 ? 0 : (unsigned)n - m->n_parallel;

    if (more > 0) {
        tree = pg_tree_band(tree, pg_tree_some(m->members, m->n_parallel, more),
                            false, NULL);
        m->members =
            isl_union_pw_aff_list_drop(m->members, m->n_parallel, more);
    }
    return tree;
}

/* A kernel each block of which computes an overlapping tile. */
static isl_stat map_overlapping(struct making *m, struct pg_plan *plan)
{
    struct pg_nests nests = {.shared = true};
    isl_schedule *tree;
    long long block[2];
    bool ok;

    for (unsigned a = 0; a < m->scop->n_array; a++)
        nests.folded |= m->scop->arrays[a].planes > 0;
    // Loops need not say again what all parameters are like.
    m->kernel->domain = isl_union_set_gist_params(
        m->kernel->domain, isl_set_copy(m->scop->context));
    tree = inside_tiles(m);
    nests.planes = m->n_parallel;
    m->nests = &nests;
    m->mapping.kind = PG_MAPPING_SHARED;
    tree = pg_nests_find(&nests, m->scop, tree, m->members);
    pg_nests_block(&nests, block);
    pg_shape_tiles(&m->shape, m->body->n_parallel, block);
    ok = tree && nests.complete && nests.n > 0 && limit_blocks(m, plan) &&
         is_legal(m, tree) == isl_bool_true &&
         pg_nests_separate(&nests, order_within(m)) == isl_bool_true &&
         verify(m) == isl_stat_ok;
    if (ok)
        ok = box_tiles(m, tree);
    else
        isl_schedule_free(tree);
    pg_nests_clear(&nests);
    m->nests = NULL;
    if (!ok)
        pg_phase_fail(m->phase, PG_UNSUPPORTED, NULL,
                      "overlapping tiles of kernel %u cannot be mapped; please "
                      "report this with the source",
                      m->number);
    return ok ? isl_stat_ok : isl_stat_error;
}

/* Are instances of "domain" in overlapping tiles? */
static isl_bool is_overlapping(const struct pg_scop *scop,
                               __isl_keep isl_union_set *domain)
{
    isl_bool is = isl_bool_false;

    for (unsigned s = 0; is == isl_bool_false && s < scop->n_stmt; s++)
        if (scop->stmts[s].n_tile > 1)
            is = isl_bool_not(has_none(domain, &scop->stmts[s]));
    return is;
}

/* A kernel of parallel loops, or of one thread, with its candidates. */
static isl_stat map_loops(struct making *m)
{
    if (map_plainly(m) != isl_stat_ok)
        return isl_stat_error;
    if (for_threads(m))
        return isl_stat_ok;
    if (m->body->n_parallel == 1 && pg_tree_all_nested(m->body->inner))
        nest(m);
    if (m->kernel->parallel && m->options && m->options->promote &&
        m->kernel->n_candidate == 1)
        promote(m);
    return isl_stat_ok;
}

/* Add the kernel that "body" says to "plan", below the host's "prefix".  A
 * kernel that has no instance for any parameters is left out.
 */
isl_stat pg_kernel_create(struct pg_plan *plan, struct pg_phase *phase,
                          const struct pg_options *options,
                          const struct pg_prefix *prefix, struct pg_body *body)
{
    struct making m = next_kernel(plan, phase, options, body);
    isl_size n = isl_union_pw_aff_list_n_union_pw_aff(body->members);
    isl_bool empty = isl_union_set_is_empty(body->domain);
    isl_bool overlapping = is_overlapping(plan->scop, body->domain);
    isl_stat result = isl_stat_error;

    if (empty || overlapping < 0 || n < 0)
        return empty == isl_bool_true ? isl_stat_ok : isl_stat_error;
    if (begin(&m, plan, prefix) == isl_stat_ok)
        result = overlapping ? map_overlapping(&m, plan) : map_loops(&m);
    isl_union_pw_aff_list_free(m.members);
    return result;
}

/* The tree of "body" with its nests, all of which a block runs. */
static __isl_give isl_schedule *nests_of(struct pg_nests *nests,
                                         const struct pg_scop *scop,
                                         const struct pg_body *body,
                                         __isl_keep isl_union_set *domain,
                                         __isl_keep isl_union_pw_aff_list *time)
{
    nests->whole = true;
    return pg_nests_find(
        nests, scop, pg_tree_ordered(body->inner, isl_union_set_copy(domain)),
        time);
}

/* The parameters for which a kernel of one block around "body" is faster than
 * loops of the host; empty: none.  "pieces": such a kernel is launched for
 * parts of the loop outside of all.  "forced": wherever there can be one. Gives
 * pg_chain_is_slow in "*slow".
 */
__isl_give isl_set *pg_kernel_chain_fits(const struct pg_scop *scop,
                                         const struct pg_body *body,
                                         bool pieces, bool forced, bool *slow)
{
    isl_union_pw_aff_list *none = isl_union_pw_aff_list_alloc(scop->ctx, 0);
    struct pg_nests nests = {0};
    isl_schedule *tree = nests_of(&nests, scop, body, body->domain, none);
    isl_set *fits;

    if (!tree || !nests.complete || !nests.n)
        fits = isl_set_empty(isl_set_get_space(scop->context));
    else if (forced)
        fits = isl_set_copy(scop->context);
    else
        fits = pg_chain_fits(&nests, isl_set_copy(scop->context), pieces);
    *slow = pg_chain_is_slow(&nests);
    isl_union_pw_aff_list_free(none);
    isl_schedule_free(tree);
    pg_nests_clear(&nests);
    return fits;
}

/* Take the last kernel from "plan". */
static void drop(struct pg_plan *plan)
{
    pg_kernel_clear(&plan->kernels[--plan->n_kernel]);
}

/* Note the steps of the kernel "m" between barriers. */
static void count_steps(const struct making *m)
{
    if (!m->nests->tiled) {
        m->kernel->steps = pg_chain_steps(m->nests, m->kernel->domain);
        m->kernel->alone = pg_chain_alone(m->nests, m->kernel->domain);
        return;
    }
    m->kernel->tiled = true;
    m->kernel->steps = pg_nests_steps(m->nests, m->waves);
    m->kernel->alone = isl_union_set_empty(isl_set_get_space(m->waves));
}

/* Finish the kernel "m" that is for one block, or for a block a tile: keep it
 * if it is "complete", else take it away.
 */
static bool finish_whole(struct pg_plan *plan, struct making *m, bool complete)
{
    complete &= !pg_phase_failure(m->phase);
    if (complete) {
        pg_kernel_prefer(m->kernel, &m->mapping);
        count_steps(m);
    }
    pg_mapping_clear(&m->mapping);
    if (!complete) {
        pg_phase_forget(m->phase);
        drop(plan);
    }
    isl_union_pw_aff_list_free(m->members);
    isl_union_set_free(m->tiled);
    isl_set_free(m->blocks);
    isl_set_free(m->waves);
    pg_nests_clear(m->nests);
    return complete;
}

/* Add a kernel of one block around "body", whose one member is a constant, to
 * "plan", below the host's "prefix".  False, and nothing is added, if it cannot
 * be; isl's failure is forgotten, since there are loops of the host instead.
 */
bool pg_kernel_chain(struct pg_plan *plan, struct pg_phase *phase,
                     const struct pg_options *options,
                     const struct pg_prefix *prefix, struct pg_body *body)
{
    struct making m = next_kernel(plan, phase, options, body);
    struct pg_nests nests = {0};
    isl_schedule *tree;
    bool complete = false;

    m.mapping.kind = PG_MAPPING_NESTED;
    m.nests = &nests;
    if (begin(&m, plan, prefix) == isl_stat_ok) {
        tree = nests_of(&nests, m.scop, body, m.kernel->domain, m.members);
        if (tree && nests.n)
            complete = map_inner(&m, tree) == isl_bool_true;
        else
            isl_schedule_free(tree);
    }
    return finish_whole(plan, &m, complete);
}

/* The tree of the nests of a tile, if dependences within one are kept.  Those
 * "order" among all tiles are looked at: the schedule inside is that of all.
 * None where a block would run a loop that the grid shares otherwise, unless
 * tiles are asked for.
 */
static __isl_give isl_schedule *tile_tree(struct making *m,
                                          __isl_keep isl_union_map *order)
{
    isl_union_pw_aff_list *none = isl_union_pw_aff_list_alloc(m->phase->ctx, 0);
    isl_schedule *tree = nests_of(m->nests, m->scop, m->body, m->tiled, none);
    isl_schedule_node *root = isl_schedule_get_root(tree);

    if (!m->nests->n || !m->nests->complete ||
        (m->nests->open && m->options->time != PG_TIME_TILES) ||
        pg_tree_is_legal(root, isl_union_map_copy(order)) != isl_bool_true ||
        pg_nests_separate(m->nests, isl_union_map_copy(order)) != isl_bool_true)
        tree = isl_schedule_free(tree);
    isl_schedule_node_free(root);
    isl_union_pw_aff_list_free(none);
    return tree;
}

/* Add a kernel of which each block runs a tile of "waves", whose numbers are
 * the members of "body", to "plan", below the host's "prefix", the last of
 * which is the wave.  Tiles of one wave do not depend on each other: no
 * dependence goes back along a member of the band, so that along none of them
 * a tile's number becomes smaller, and the sum of all is the same.  False, and
 * nothing is added, if it cannot be.
 */
bool pg_kernel_tiles(struct pg_plan *plan, struct pg_phase *phase,
                     const struct pg_options *options,
                     const struct pg_prefix *prefix, struct pg_body *body,
                     const struct pg_waves *waves)
{
    struct making m = next_kernel(plan, phase, options, body);
    struct pg_nests nests = {.tiled = &waves->tiles};
    isl_schedule *tree = NULL;
    long long block[2];

    m.mapping.kind = PG_MAPPING_NESTED;
    m.nests = &nests;
    if (begin(&m, plan, prefix) == isl_stat_ok)
        tree = tile_tree(&m, waves->order);
    pg_nests_block(&nests, block);
    if (tree)
        pg_shape_tiles(&m.shape, body->n_parallel, block);
    return finish_whole(plan, &m,
                        tree && run_passes(&m, tree, NULL) == isl_stat_ok &&
                            describe(&m) == isl_stat_ok);
}
