/* test_planes.c - tiles in time whose planes come one after the other: what
 * there is room for, and that less of it, or of barriers, is noticed.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "polygpu/polyhedral.h"
#include "run.h"
#include "verify/plant.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned failures;

static void complain(const char *name, const char *what)
{
    printf("FAIL: %s: %s\n", name, what);
    failures++;
}

/* Sizes, and the planes of each array that are needed at a time: "load" planes
 * behind the foremost one they come, and 2 h sweeps later they go.
 */
static const struct program {
    const char *name, *sizes;
    unsigned planes;
} programs[] = {
    {"jacobi_2d", "{ kernel[0] -> stream[2,3,5] }", 5},
    {"jacobi_2d", "{ kernel[0] -> stream[3,4,3] }", 7},
};

struct planned {
    isl_ctx *ctx;
    struct pg_scop *source, *scop;
    struct pg_plan *plan;
    struct pg_options options;
    struct pg_report report;
};

static bool make_plan(struct planned *p, const struct program *program)
{
    char *text = read_program(program->name), *error = NULL;

    memset(p, 0, sizeof(*p));
    p->ctx = pg_ctx_alloc();
    pg_options_default(&p->options);
    p->options.promote = true;
    p->options.sizes = program->sizes;
    pg_report_init(&p->report);
    p->scop = text ? pg_scop_read(p->ctx, text, &error) : NULL;
    p->source = p->scop ? pg_scop_copy(p->scop) : NULL;
    if (p->scop)
        p->plan = pg_compile(p->scop, &p->options, &p->report);
    if (!p->plan)
        complain(program->name, error ? error : "no plan");
    free(error);
    free(text);
    return p->plan;
}

static void free_plan(struct planned *p)
{
    pg_plan_free(p->plan);
    pg_scop_free(p->scop);
    pg_scop_free(p->source);
    pg_report_clear(&p->report);
    pg_ctx_free(p->ctx);
}

/* Buffer "number" of all kernels that has planes, or NULL. */
static struct pg_buffer *find_folded(struct pg_plan *plan, unsigned number)
{
    for (unsigned k = 0; k < plan->n_kernel; k++)
        for (unsigned i = 0; i < plan->kernels[k].mapping->n_buffer; i++) {
            struct pg_buffer *buffer = &plan->kernels[k].mapping->buffers[i];

            if (buffer->folded && number-- == 0)
                return buffer;
        }
    return NULL;
}

static bool is_right(const struct planned *p, struct pg_coverage *coverage)
{
    struct pg_report report;
    bool right;

    pg_report_init(&report);
    right = pg_verify(p->plan, p->source, coverage, &report) == isl_stat_ok;
    pg_report_clear(&report);
    return right;
}

/* Each buffer has as many planes as are needed, and is wrong with one less. */
static void check_planes(const struct program *program)
{
    struct pg_coverage coverage;
    struct pg_buffer *buffer;
    struct planned p;
    unsigned n = 0;

    if (make_plan(&p, program)) {
        if (!is_right(&p, &coverage) || coverage.n_kernel_run < 2)
            complain(program->name, "wrong, or not executed");
        for (; (buffer = find_folded(p.plan, n)); n++) {
            if (buffer->extent[buffer->plane] != program->planes) {
                printf("  %s: %u\n", buffer->name,
                       buffer->extent[buffer->plane]);
                complain(program->name, "another number of planes");
            }
            buffer->extent[buffer->plane]--;
            if (is_right(&p, &coverage))
                complain(program->name, "nobody notices a plane less");
            buffer->extent[buffer->plane]++;
        }
        if (n != 4)
            complain(program->name, "not two arrays in two kernels");
    }
    free_plan(&p);
}

/* The text of the SCoP has the planes. */
static void check_text(const struct program *program)
{
    char *text, *error = NULL;
    struct pg_scop *read;
    struct planned p;
    unsigned n = 0;

    if (make_plan(&p, program)) {
        text = pg_scop_to_str(p.scop);
        read = text ? pg_scop_read(p.ctx, text, &error) : NULL;
        for (unsigned a = 0; read && a < p.scop->n_array; a++) {
            const struct pg_array *was = &p.scop->arrays[a];
            const struct pg_array *is = &read->arrays[a];

            n += is->planes == program->planes;
            if (is->planes != was->planes || is->plane != was->plane)
                complain(program->name, "other planes in the text");
        }
        if (n != 4)
            complain(program->name, error ? error : "no planes in the text");
        free(text);
        free(error);
        pg_scop_free(read);
    }
    free_plan(&p);
}

/* Barriers: number "at" is lost. */
struct fault {
    unsigned at, seen;
};

static bool chosen(enum pg_plant_kind kind, const char *where, void *user)
{
    struct fault *fault = user;

    (void)where;
    return kind == PG_PLANT_SYNC && fault->seen++ == fault->at;
}

/* Sweeps of five points need one barrier for each plane, in each kernel, and
 * it is noticed if one is lost.
 */
static void check_barriers(const struct program *program)
{
    unsigned n = 0;

    for (bool more = true; more; n += more) {
        struct fault fault = {n, 0};
        struct pg_coverage coverage;
        struct planned p;

        more = make_plan(&p, program) &&
               pg_plant(p.plan, &chosen, &fault, &p.options, &p.report) ==
                   isl_stat_ok &&
               fault.seen > n;
        if (more && is_right(&p, &coverage)) {
            printf("  barrier %u of %u\n", n, fault.seen);
            complain(program->name, "nobody notices a barrier less");
        }
        free_plan(&p);
    }
    if (n != 2) {
        printf("  %u\n", n);
        complain(program->name, "another number of barriers");
    }
}

int main(void)
{
    for (size_t i = 0; i < sizeof(programs) / sizeof(*programs); i++) {
        check_planes(&programs[i]);
        check_text(&programs[i]);
    }
    check_barriers(&programs[0]);
    printf("%u failures\n", failures);
    return failures != 0;
}
