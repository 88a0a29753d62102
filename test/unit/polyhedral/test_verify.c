/* test_verify.c - pg_verify believes right plans and sees planted faults.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "generate/copies.h"
#include "map/user.h"
#include "polygpu/polyhedral.h"
#include "run.h"
#include "support/text.h"
#include "verify/expr.h"
#include "verify/model.h"
#include "verify/plant.h"

#include <isl/ast_build.h>
#include <isl/val.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static unsigned failures;

static void complain(const char *program, const char *what)
{
    printf("FAIL %s: %s\n", program, what);
    failures++;
}

/* A plan in a context of its own. */
struct planned {
    isl_ctx *ctx;
    struct pg_scop *source, *scop;
    struct pg_plan *plan;
    struct pg_report report;
};

static void make_plan(struct planned *p, const char *name, const char *sizes,
                      bool promote, enum pg_time time)
{
    char *text = read_program(name), *error = NULL;
    struct pg_options options;

    memset(p, 0, sizeof(*p));
    p->ctx = pg_ctx_alloc();
    pg_options_default(&options);
    options.promote = promote;
    options.time = time;
    options.sizes = sizes;
    options.max_seconds = 600;
    pg_report_init(&p->report);
    p->scop = text ? pg_scop_read(p->ctx, text, &error) : NULL;
    p->source = p->scop ? pg_scop_copy(p->scop) : NULL;
    if (p->scop)
        p->plan = pg_compile(p->scop, &options, &p->report);
    if (!p->scop)
        complain(name, error ? error : "no such program");
    free(error);
    free(text);
}

static void free_plan(struct planned *p)
{
    pg_plan_free(p->plan);
    pg_report_clear(&p->report);
    pg_scop_free(p->source);
    pg_scop_free(p->scop);
    pg_ctx_free(p->ctx);
}

/* The sentence about what is wrong with the plan, which is the caller's, or
 * NULL.
 */
static char *verify(struct planned *p, struct pg_coverage *coverage)
{
    struct pg_report report;
    char *sentence = NULL;

    pg_report_init(&report);
    if (pg_verify(p->plan, p->source, coverage, &report) != isl_stat_ok)
        sentence = pg_strdup(report.n ? report.reasons[0].sentence : "nothing");
    pg_report_clear(&report);
    return sentence;
}

static void check_right(const char *name, bool promote, enum pg_time time)
{
    struct pg_coverage c = {0};
    struct planned p;
    clock_t begin;
    char *error;

    make_plan(&p, name, NULL, promote, time);
    if (!p.plan) {
        free_plan(&p);
        return;
    }
    begin = clock();
    error = verify(&p, &c);
    printf("%s%s: %u complete, %u sampled, %u too large, %u of %u kernels, "
           "%u ranges, %lu of %lu blocks, %lu instances, %lu steps, %.1f ms\n",
           name,
           promote                 ? " promoted"
           : time == PG_TIME_CHAIN ? " chained"
                                   : "",
           c.complete, c.sampled, c.too_large, c.n_kernel_run, c.n_kernel,
           c.ranges, c.blocks_run, c.blocks, c.instances, c.steps,
           1e3 * (double)(clock() - begin) / CLOCKS_PER_SEC);
    if (error)
        complain(name, error);
    else if (c.n_kernel_run < c.n_kernel || c.complete < 2 || !c.ranges)
        complain(name, "not all kernels were run");
    free(error);
    free_plan(&p);
}

/* ---- Planted faults -------------------------------------------------------
 */

/* Call "change" for the annotations of all user nodes of a kind; it returns
 * true when it has done enough.
 */
struct walk {
    enum pg_user_kind kind;
    bool (*change)(struct pg_user *user, const struct pg_plan *plan);
    const struct pg_plan *plan;
    bool done;
};

static isl_bool visit(isl_ast_node *node, void *user)
{
    struct walk *w = user;
    struct pg_user *u = pg_user_of(node);

    if (!w->done && u && u->kind == w->kind)
        w->done = w->change(u, w->plan);
    return isl_bool_true;
}

static bool change_users(struct planned *p, enum pg_user_kind kind,
                         bool (*change)(struct pg_user *user,
                                        const struct pg_plan *plan))
{
    struct walk w = {kind, change, p->plan, false};

    for (unsigned k = 0; k < p->plan->n_kernel; k++)
        isl_ast_node_foreach_descendant_top_down(p->plan->kernels[k].ast,
                                                 &visit, &w);
    isl_ast_node_foreach_descendant_top_down(p->plan->host, &visit, &w);
    return w.done;
}

static bool shift_first(struct pg_user *user, const struct pg_plan *plan)
{
    (void)plan;
    if (user->n)
        pg_plant_shift(&user->args[0], 1);
    return user->n;
}

static bool shift_instance(struct planned *p)
{
    return change_users(p, PG_USER_STMT, &shift_first);
}

static bool shift_copy(struct planned *p)
{
    return change_users(p, PG_USER_COPY, &shift_first);
}

static bool shift_load(struct planned *p)
{
    return change_users(p, PG_USER_LOAD, &shift_first);
}

static bool shift_store(struct planned *p)
{
    return change_users(p, PG_USER_STORE, &shift_first);
}

static bool shift_host_loop(struct planned *p)
{
    return change_users(p, PG_USER_LAUNCH, &shift_first);
}

static bool shift_subscript(struct pg_user *user, const struct pg_plan *plan)
{
    (void)plan;
    for (unsigned a = 0; a < user->n_access; a++)
        if (user->redirected[a] < 0 && user->access[a][0]) {
            pg_plant_shift(&user->access[a][0], 1);
            return true;
        }
    return false;
}

static bool shift_access(struct planned *p)
{
    return change_users(p, PG_USER_STMT, &shift_subscript);
}

static bool shift_in_buffer(struct pg_user *user, const struct pg_plan *plan)
{
    (void)plan;
    for (unsigned a = 0; a < user->n_access; a++)
        if (user->redirected[a] >= 0 && user->access[a][0]) {
            pg_plant_shift(&user->access[a][0], -1);
            return true;
        }
    return false;
}

static bool shift_buffer(struct planned *p)
{
    return change_users(p, PG_USER_STMT, &shift_in_buffer);
}

static bool exchange(struct pg_user *user, const struct pg_plan *plan)
{
    for (unsigned a = 0; a < user->n_access; a++)
        for (int b = 0; b < (int)plan->kernels[0].mapping->n_buffer; b++)
            if (user->redirected[a] >= 0 && user->redirected[a] != b &&
                plan->kernels[0].mapping->buffers[b].kind ==
                    plan->kernels[0]
                        .mapping->buffers[user->redirected[a]]
                        .kind) {
                user->redirected[a] = b;
                return true;
            }
    return false;
}

static bool exchange_buffers(struct planned *p)
{
    return change_users(p, PG_USER_STMT, &exchange);
}

/* The first access never happens. */
static bool never(struct pg_user *user, const struct pg_plan *plan)
{
    isl_val *zero = isl_val_zero(plan->scop->ctx);

    isl_ast_expr_free(user->guard[0]);
    user->guard[0] = isl_ast_expr_from_val(zero);
    return true;
}

static bool wrong_guard(struct planned *p)
{
    return change_users(p, PG_USER_STMT, &never);
}

static bool drop_whole(struct pg_user *user, const struct pg_plan *plan)
{
    (void)plan;
    user->whole = isl_ast_expr_free(user->whole);
    return false;
}

static bool claim_whole(struct planned *p)
{
    change_users(p, PG_USER_COPY, &drop_whole);
    return true;
}

static bool one_block_less(struct pg_user *user, const struct pg_plan *plan)
{
    (void)plan;
    pg_plant_shift(&user->grid[0], -1);
    return true;
}

static bool drop_block(struct planned *p)
{
    return change_users(p, PG_USER_LAUNCH, &one_block_less);
}

/* Another kernel in the place of the first. */
static bool other_kernel(struct pg_user *user, const struct pg_plan *plan)
{
    user->index = (user->index + 1) % plan->n_kernel;
    return false;
}

static bool change_order(struct planned *p)
{
    change_users(p, PG_USER_LAUNCH, &other_kernel);
    return p->plan->n_kernel > 1;
}

/* The first barrier of the last kernel. */
static bool is_last_barrier(enum pg_plant_kind kind, const char *where,
                            void *user)
{
    struct planned *p = user;
    const char *last = p->plan->kernels[p->plan->n_kernel - 1].name;

    return kind == PG_PLANT_SYNC && !strcmp(where, last);
}

static bool drop_last_barrier(struct planned *p)
{
    struct pg_options options;

    pg_options_default(&options);
    return p->plan->chained && pg_plant(p->plan, &is_last_barrier, p, &options,
                                        &p->report) == isl_stat_ok;
}

/* Nothing is launched on the other way. */
static bool forget_pieces(struct planned *p)
{
    isl_ast_node *none =
        isl_ast_node_block_from_children(isl_ast_node_list_alloc(p->ctx, 0));

    if (!p->plan->chained)
        return false;
    isl_ast_node_free(p->plan->chained);
    p->plan->chained = none;
    return none != NULL;
}

static bool drop_copies_in(struct planned *p)
{
    isl_union_set *none =
        isl_union_set_empty(isl_set_get_space(p->plan->scop->context));

    isl_ast_node_free(p->plan->in);
    p->plan->in = pg_copies_ast(p->plan->scop, none);
    isl_union_set_free(none);
    return p->plan->in;
}

static bool exchange_copies(struct planned *p)
{
    isl_ast_node *in = p->plan->in;

    p->plan->in = p->plan->out;
    p->plan->out = in;
    return true;
}

static bool claim_nonempty(struct planned *p)
{
    isl_ast_expr_free(p->plan->nonempty);
    p->plan->nonempty = isl_ast_expr_from_val(isl_val_one(p->ctx));
    return true;
}

static bool claim_no_barrier(struct planned *p)
{
    p->plan->kernels[0].has_barrier = false;
    return true;
}

static bool shrink_buffer(struct planned *p)
{
    p->plan->kernels[0].candidates[0].buffers[0].extent[0]--;
    return true;
}

static bool everything_readable(struct planned *p)
{
    isl_ast_expr **inside = p->plan->kernels[0].inside;

    inside[0] = isl_ast_expr_free(inside[0]);
    return true;
}

/* A buffer of the rest of an elimination gets whatever of its box exists, and
 * the box elements behind the panel, which are the rest's own.
 */
static bool widen_buffer(struct planned *p)
{
    struct pg_kernel *rest = &p->plan->kernels[p->plan->n_kernel - 1];
    struct pg_buffer *buffer = rest->candidates[0].buffers;
    isl_ast_build *build;

    if (!p->plan->scop->blocks || rest->candidates[0].n_buffer == 0)
        return false;
    buffer->extent[buffer->extent[0] > buffer->extent[1]] += 32;
    build = isl_ast_build_alloc(p->ctx);
    isl_ast_expr_free(rest->inside[0]);
    rest->inside[0] = isl_ast_build_expr_from_set(
        build, isl_set_read_from_str(p->ctx, "[n, e0, e1] -> { : 0 <= e0 < n "
                                             "and 0 <= e1 < n }"));
    isl_ast_build_free(build);
    return rest->inside[0] != NULL;
}

/* Larger sizes than the indices have bits for. */
static bool raise_limit(struct planned *p)
{
    p->plan->index_bits = 32;
    p->plan->param_limit = 0x7fffffffLL;
    return true;
}

/* A matrix's values in one variable for each thread. */
static bool make_local(struct planned *p)
{
    p->plan->is_private[p->scop->stmts[0].accesses[0].array] = true;
    return true;
}

static bool drop_filter(struct planned *p, const char *name)
{
    struct pg_options options;

    pg_options_default(&options);
    return pg_plant_filter(p->plan, 0, name, &options, &p->report) ==
           isl_stat_ok;
}

static bool drop_block_filter(struct planned *p)
{
    return drop_filter(p, "b0");
}

static bool drop_thread_filter(struct planned *p)
{
    return drop_filter(p, "t0");
}

static const struct {
    const char *what, *program, *sizes;
    bool promote;
    bool (*plant)(struct planned *p);
    const char *sentence; /* a part of it */
} faults[] = {
    {"instance", "vector_add", NULL, false, &shift_instance, "domain"},
    {"subscript", "jacobi_2d", NULL, false, &shift_access, "subscript"},
    {"guard", "vector_add", NULL, false, &wrong_guard, "condition of access"},
    {"grid", "vector_add", NULL, false, &drop_block, "instances instead of"},
    {"host loop", "jacobi_1d", NULL, false, &shift_host_loop,
     "beyond its domain"},
    {"order of launches", "jacobi_1d", NULL, false, &change_order,
     "wrong value"},
    {"barrier of the other way", "jacobi_1d", NULL, false, &drop_last_barrier,
     "without a barrier"},
    {"loop of the other way", "jacobi_1d", NULL, false, &forget_pieces,
     "instances"},
    {"copies in", "vector_add", NULL, false, &drop_copies_in, "not copied in"},
    {"copies", "matvec", NULL, false, &exchange_copies, "copied in"},
    {"nonempty", "vector_add", NULL, false, &claim_nonempty, "nonempty"},
    {"filter of blocks", "vector_add", NULL, false, &drop_block_filter,
     "block"},
    {"filter of threads", "vector_add", NULL, false, &drop_thread_filter,
     "twice"},
    {"variable of the thread", "lu", NULL, false, &make_local, "wrong value"},
    {"elements that are written", "lu", NULL, true, &widen_buffer,
     "copied and written"},
    {"limit of sizes", "jacobi_2d", NULL, false, &raise_limit,
     "more than 32 bits"},
#define TILES "{ kernel[i] -> tile[8,8,4]; kernel[i] -> block[4,4] }"
    {"copy", "gemm", TILES, true, &shift_copy, "wrong element"},
    {"load", "gemm", TILES, true, &shift_load, "element"},
    {"store", "gemm", TILES, true, &shift_store, "element"},
    {"subscript of a buffer", "gemm", TILES, true, &shift_buffer, "subscript"},
    {"buffer", "gemm", TILES, true, &exchange_buffers, "subscript"},
    {"whole boxes", "gemm", TILES, true, &claim_whole, "may be read"},
    {"size of a buffer", "gemm", TILES, true, &shrink_buffer, "subscript"},
    {"borders", "gemm", TILES, true, &everything_readable, "element"},
    {"claim of no barrier", "gemm", TILES, true, &claim_no_barrier,
     "no barriers"},
};

/* Is the fault one of loops on the host? */
static bool is_of_loops(unsigned f)
{
    return faults[f].plant == &shift_host_loop ||
           faults[f].plant == &change_order;
}

/* A plan is right, and wrong with the fault number "f". */
static void check_fault(unsigned f)
{
    struct pg_coverage coverage;
    struct planned p;
    char *error;

    make_plan(&p, faults[f].program, faults[f].sizes, faults[f].promote,
              is_of_loops(f) ? PG_TIME_OFF : PG_TIME_AUTO);
    error = p.plan ? verify(&p, &coverage) : pg_strdup("no plan");
    if (error)
        complain(faults[f].program, error);
    free(error);
    if (p.plan && !faults[f].plant(&p)) {
        complain(faults[f].what, "is not planted");
    } else if (p.plan) {
        error = verify(&p, &coverage);
        if (!error || !strstr(error, faults[f].sentence))
            complain(faults[f].what, error ? error : "is not seen");
        free(error);
    }
    free_plan(&p);
}

int main(int argc, char **argv)
{
    static const char *const names[] = {"private_live", "trmm",   "heat_3d",
                                        "pivot_row",    "offset", "lu"};
    static const char *const chained[] = {"jacobi_1d", "durbin"};

    for (int i = 1; i < argc; i++) {
        check_right(argv[i], false, PG_TIME_AUTO);
        check_right(argv[i], false, PG_TIME_CHAIN);
        check_right(argv[i], true, PG_TIME_AUTO);
    }
    for (unsigned i = 0; argc == 1 && i < sizeof(names) / sizeof(*names); i++)
        check_right(names[i], i % 2, PG_TIME_AUTO);
    for (unsigned i = 0; argc == 1 && i < sizeof(chained) / sizeof(*chained);
         i++) {
        check_right(chained[i], false, PG_TIME_AUTO);
        check_right(chained[i], false, PG_TIME_CHAIN);
    }
    for (unsigned f = 0; argc == 1 && f < sizeof(faults) / sizeof(*faults); f++)
        if (f % 3 == 0 || test_extent() != EXTENT_FEW)
            check_fault(f);
    printf("%u failures\n", failures);
    return failures != 0;
}
