/* test_threads.c - plans for threads of a CPU: what is parallel in them, what
 * pg_verify says, and that a loop that is not parallel is not taken for one.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "polygpu/polyhedral.h"
#include "run.h"

#include <isl/schedule_node.h>
#include <stdlib.h>
#include <string.h>

static unsigned failures;

static void complain(const char *program, const char *what)
{
    printf("FAIL %s: %s\n", program, what);
    failures++;
}

/* Kernels with a parallel loop, of these with none of the host's around,
 * kernels of one thread, and kernels in tiles of all loops.
 */
static const struct {
    const char *name;
    unsigned parallel, outside, alone, tiled;
} programs[] = {{"gemm", 2, 2, 0, 1},          {"syrk", 2, 2, 0, 0},
                {"doitgen", 2, 0, 0, 0},       {"matvec", 2, 2, 0, 0},
                {"fdtd_2d", 4, 0, 0, 0},       {"jacobi_2d", 2, 0, 0, 0},
                {"two_products", 4, 4, 0, 2},  {"transpose", 1, 1, 0, 0},
                {"heat_3d", 2, 0, 0, 0},       {"lu", 3, 0, 0, 0},
                {"trmm", 1, 1, 0, 0},          {"offset", 1, 1, 0, 0},
                {"floyd_warshall", 1, 0, 0, 0}};

struct planned {
    isl_ctx *ctx;
    struct pg_scop *scop;
    struct pg_plan *plan;
    struct pg_report report;
};

static void set_options(struct pg_options *options)
{
    pg_options_default(options);
    options->threads = true;
    options->time = PG_TIME_OFF;
    options->fusion = PG_FUSION_MIN;
    options->max_seconds = 600;
}

static void schedule(struct planned *p, const char *name)
{
    char *text = read_program(name), *error = NULL;
    struct pg_options options;

    memset(p, 0, sizeof(*p));
    p->ctx = pg_ctx_alloc();
    pg_report_init(&p->report);
    set_options(&options);
    p->scop = text ? pg_scop_read(p->ctx, text, &error) : NULL;
    if (!p->scop)
        complain(name, error ? error : "no such program");
    else if (pg_dependences(p->scop, &options, &p->report) != isl_stat_ok ||
             pg_conditions(p->scop, &options, &p->report) != isl_stat_ok ||
             pg_schedule_threads(p->scop, &options, &p->report) != isl_stat_ok)
        complain(name, "no schedule");
    free(error);
    free(text);
}

static void map(struct planned *p)
{
    struct pg_options options;

    set_options(&options);
    if (p->scop && p->scop->schedule &&
        pg_make_plan(p->scop, &options, &p->report, &p->plan) != isl_stat_ok) {
        pg_plan_free(p->plan);
        p->plan = NULL;
    }
}

static void clear(struct planned *p)
{
    pg_plan_free(p->plan);
    pg_report_clear(&p->report);
    pg_scop_free(p->scop);
    pg_ctx_free(p->ctx);
}

static void check(unsigned i)
{
    unsigned parallel = 0, outside = 0, alone = 0, tiled = 0;
    struct pg_coverage c = {0};
    struct planned p;

    schedule(&p, programs[i].name);
    map(&p);
    for (unsigned k = 0; p.plan && k < p.plan->n_kernel; k++) {
        const struct pg_kernel *kernel = &p.plan->kernels[k];

        if (kernel->mapping->block[0] != 1 || kernel->has_barrier ||
            kernel->mapping->n_buffer)
            complain(programs[i].name, "a kernel that is none for threads");
        parallel += kernel->parallel;
        outside += kernel->parallel && !kernel->n_host;
        alone += !kernel->parallel;
        tiled += kernel->mapping->tiling.tile[0] == 8;
    }
    printf("%s: %u parallel, %u outside, %u alone, %u tiled\n",
           programs[i].name, parallel, outside, alone, tiled);
    if (parallel != programs[i].parallel || outside != programs[i].outside ||
        alone != programs[i].alone || tiled != programs[i].tiled)
        complain(programs[i].name, "other kernels");
    if (p.plan && pg_verify(p.plan, NULL, &c, &p.report) != isl_stat_ok)
        complain(programs[i].name, p.report.reasons[p.report.n - 1].sentence);
    if (p.plan && !c.complete)
        complain(programs[i].name, "nothing was executed");
    clear(&p);
}

/* Say of the outermost loop that it is parallel. */
static __isl_give isl_schedule_node *lie(__isl_take isl_schedule_node *node,
                                         void *user)
{
    bool *done = user;

    if (*done || isl_schedule_node_get_type(node) != isl_schedule_node_band)
        return node;
    *done = true;
    return isl_schedule_node_band_member_set_coincident(node, 0, true);
}

/* A loop in time is said to be parallel: no plan is made of that. */
static void check_lie(const char *name)
{
    struct planned p;
    isl_schedule_node *node;
    bool done = false;

    schedule(&p, name);
    if (p.scop && p.scop->schedule) {
        node = isl_schedule_get_root(p.scop->schedule);
        node = isl_schedule_node_map_descendant_bottom_up(node, &lie, &done);
        isl_schedule_free(p.scop->schedule);
        p.scop->schedule = isl_schedule_node_get_schedule(node);
        isl_schedule_node_free(node);
    }
    map(&p);
    if (p.plan)
        complain(name, "a loop that is not parallel was taken for one");
    else if (!p.report.n ||
             !strstr(p.report.reasons[0].sentence,
                     "breaks a dependence; please report this with"))
        complain(name, "another reason");
    clear(&p);
}

int main(void)
{
    for (unsigned i = 0; i < sizeof(programs) / sizeof(*programs); i++)
        check(i);
    check_lie("row_recurrence");
    printf("%u failures\n", failures);
    return failures != 0;
}
