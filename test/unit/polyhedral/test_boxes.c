/* test_boxes.c - blocks that work on boxes of arrays in shared memory.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "map/buffers.h"
#include "map/user.h"
#include "polygpu/polyhedral.h"
#include "run.h"
#include "verify/plant.h"

#include <isl/map.h>
#include <isl/union_map.h>
#include <stdlib.h>
#include <string.h>

static unsigned failures;

static void complain(const char *program, const char *what)
{
    printf("FAIL %s: %s\n", program, what);
    failures++;
}

/* What a buffer is to be: "A 1x40 in out" by the name of its array, with what
 * its block copies in and back.
 */
struct program {
    const char *name;
    unsigned n_box;
    const char *box[3];
    const char *values; /* of parameters, "7 3; 0 2": sets of them */
};

static const struct program programs[] = {
    {"boxes_matrices", 1, {"a 1x20x20 in out"}, "0; 1; 5"},
    {"boxes_staircase",
     2,
     {"a 1x37 in out", "b 1x36 out"},
     "0 1; 3 0; 1 1; 40 2"},
    {"boxes_halves",
     3,
     {"a 1x30 in out", "a 1x30 out", "c 31 in"},
     "1 1; 5 3; 2 0"},
    {"boxes_red_black", 1, {"a 1x41 in out"}, "1 1; 5 3; 0 2"},
    {"boxes_unknown",
     2,
     {"a 1x47 in out", "b 1x47 out"},
     "1 1 48; 5 3 7; 3 2 1; 2 1 2"},
    {"boxes_temporary", 2, {"a 1x38 out", "b_private 1x40 in"}, "1 1; 5 3"},
};

static const char *const all_sizes[] = {
    "{ kernel[i] -> block[32] }",
    "{ kernel[i] -> tile[2]; kernel[i] -> block[7]; kernel[i] -> grid[2] }",
    "{ kernel[i] -> block[64]; kernel[i] -> grid[1] }",
};

struct planned {
    isl_ctx *ctx;
    struct pg_scop *source, *scop;
    struct pg_plan *plan;
    struct pg_options options;
    struct pg_report report;
};

static bool make_plan(struct planned *p, const char *name, const char *sizes,
                      bool all)
{
    char *text = read_program(name), *error = NULL;

    memset(p, 0, sizeof(*p));
    p->ctx = pg_ctx_alloc();
    pg_options_default(&p->options);
    p->options.promote = true;
    p->options.promote_all = all;
    p->options.sizes = sizes;
    pg_report_init(&p->report);
    p->scop = text ? pg_scop_read(p->ctx, text, &error) : NULL;
    p->source = p->scop ? pg_scop_copy(p->scop) : NULL;
    if (p->scop)
        p->plan = pg_compile(p->scop, &p->options, &p->report);
    if (!p->plan)
        complain(name, error ? error : "no plan");
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

/* The kernel whose blocks work on boxes, or NULL. */
static const struct pg_kernel *boxed(const struct pg_plan *plan)
{
    for (unsigned k = 0; k < plan->n_kernel; k++)
        if (plan->kernels[k].mapping->kind == PG_MAPPING_SHARED)
            return &plan->kernels[k];
    return NULL;
}

/* What is said of buffer "i" in struct program. */
static void describe(char *text, const struct planned *p,
                     const struct pg_mapping *mapping, unsigned i)
{
    const struct pg_buffer *buffer = &mapping->buffers[i];
    const struct pg_home *home = &mapping->promotion->home[i];

    text += sprintf(text, "%s ", p->scop->arrays[buffer->array].name);
    for (unsigned d = 0; d < buffer->n_dim; d++)
        text += sprintf(text, d ? "x%u" : "%u", buffer->extent[d]);
    sprintf(text, "%s%s", home->in ? " in" : "", home->back ? " out" : "");
}

static void check_boxes(const struct program *program, const struct planned *p)
{
    const struct pg_kernel *kernel = boxed(p->plan);

    if (!kernel || kernel->mapping->n_buffer != program->n_box) {
        complain(program->name, "another number of boxes");
        return;
    }
    for (unsigned i = 0; i < program->n_box; i++) {
        char text[200];

        describe(text, p, kernel->mapping, i);
        if (strcmp(text, program->box[i]) != 0) {
            printf("  '%s' instead of '%s'\n", text, program->box[i]);
            complain(program->name, "another box");
        }
    }
}

/* Run the plan with all sets of values. */
static void run_all(const struct program *program, const struct planned *p)
{
    const char *at = program->values;
    unsigned long returned = 0;

    while (at) {
        long long values[8] = {0};
        unsigned n = 0;
        char *end;

        for (; n < p->scop->n_param; n++, at = end)
            values[n] = strtoll(at, &end, 10);
        for (unsigned order = 0; order < 4; order++) {
            struct run_result result;
            char *error = run_and_compare_with(p->source, p->plan, values,
                                               order, &result);

            if (error)
                complain(program->name, error);
            free(error);
            returned += result.returned;
        }
        at = strchr(at, ';');
        at = at ? at + 1 : NULL;
    }
    if (!returned)
        complain(program->name, "nothing goes back");
}

static void check_program(const struct program *program, const char *sizes)
{
    struct planned p;

    if (make_plan(&p, program->name, sizes, false)) {
        check_boxes(program, &p);
        run_all(program, &p);
    }
    free_plan(&p);
}

/* ---- Faults ---------------------------------------------------------------
 */

/* A fault to plant: number "at" of its kind. */
struct fault {
    enum pg_plant_kind kind;
    unsigned at, seen;
};

static bool chosen(enum pg_plant_kind kind, const char *where, void *user)
{
    struct fault *fault = user;

    (void)where;
    return kind == fault->kind && fault->seen++ == fault->at;
}

/* Each fault of the kind is noticed. */
static void check_faults(const char *name, enum pg_plant_kind kind,
                         unsigned fewest, const char *what)
{
    unsigned n = 0;

    for (bool more = true; more; n += more) {
        struct fault fault = {kind, n, 0};
        struct pg_coverage coverage;
        struct planned p;

        more = make_plan(&p, name, all_sizes[1], false) &&
               pg_plant(p.plan, &chosen, &fault, &p.options, &p.report) ==
                   isl_stat_ok &&
               fault.seen > n;
        if (more &&
            pg_verify(p.plan, p.source, &coverage, &p.report) == isl_stat_ok) {
            printf("  fault %u of %u\n", n, fault.seen);
            complain(name, what);
        }
        free_plan(&p);
    }
    if (n < fewest)
        complain(name, "too few faults");
}

/* What goes back is one element less, or more, or that of another box. */
static void check_elements(void)
{
    static const char *const change[] = {
        "[n, t] -> { [v] -> a[x, y] : y >= 2 }",
        "[n, t] -> { [v] -> a[x, y] }",
        "[n, t] -> { [v] -> a[x, y] : y >= v }",
        "[n, t] -> { [v] -> a[x, y] : false }",
    };

    for (unsigned i = 0; i < sizeof(change) / sizeof(*change); i++)
        for (int back = 0; back < 2; back++) {
            struct pg_coverage coverage;
            struct planned p;
            struct pg_home *home;
            isl_map **map;

            if (!make_plan(&p, "boxes_staircase", all_sizes[1], false)) {
                free_plan(&p);
                return;
            }
            home = &boxed(p.plan)->mapping->promotion->home[0];
            map = back ? &home->back : &home->in;
            isl_map_free(*map);
            *map = isl_map_read_from_str(p.ctx, change[i]);
            pg_report_clear(&p.report);
            // All filters of threads again: it makes the ASTs anew.
            if (pg_plant_rebuild(p.plan, &p.options, &p.report) != isl_stat_ok)
                complain("elements", "no plan");
            else if (!(back == 0 && i == 2) &&
                     pg_verify(p.plan, p.source, &coverage, &p.report) ==
                         isl_stat_ok) {
                printf("  %s %s\n", back ? "back" : "in", change[i]);
                complain("elements", "nobody notices other elements");
            }
            free_plan(&p);
        }
}

/* ---- Where it does not pay ------------------------------------------------
 */

/* One step is not worth copies, unless all is to be promoted; several are. */
static void check_profit(void)
{
    static const char name[] = "boxes_rarely";
    struct planned p;

    if (make_plan(&p, name, all_sizes[0], false) && boxed(p.plan))
        complain(name, "boxes that do not pay");
    free_plan(&p);
    if (make_plan(&p, name, all_sizes[0], true) && !boxed(p.plan))
        complain(name, "no boxes against the option");
    if (p.plan && pg_verify(p.plan, p.source, &(struct pg_coverage){0},
                            &p.report) != isl_stat_ok)
        complain(name, "wrong with the option");
    free_plan(&p);
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : NULL;

    for (size_t i = 0; i < sizeof(programs) / sizeof(*programs); i++)
        if (is_selected(what, i, programs[i].name))
            for (size_t s = 0; s < sizeof(all_sizes) / sizeof(*all_sizes); s++)
                check_program(&programs[i], all_sizes[s]);
    check_faults("boxes_halves", PG_PLANT_OMIT, 4, "a copy that is lost");
    check_faults("boxes_halves", PG_PLANT_SYNC, 4, "a barrier that is lost");
    check_faults("boxes_staircase", PG_PLANT_MOVE, 7, "another box");
    check_elements();
    check_profit();
    printf("%u failures\n", failures);
    return failures != 0;
}
