/* test_older.c - plans for devices with asynchronous copies, made fit for those
 * without: what becomes of their buffers, that they still compute what the
 * source does, and that they need nothing of the plan they were made of.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "map/buffers.h"
#include "polygpu/machine.h"
#include "run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NEW = 80, OLD = 75 };

static unsigned failures;

static void check(bool ok, const char *program, const char *what)
{
    if (ok)
        return;
    printf("FAIL %s: %s\n", program, what);
    failures++;
}

/* "program" for the newer devices, with the user's "sizes" or NULL. */
static struct pg_plan *compile(const char *program, const char *sizes,
                               struct pg_scop **scop)
{
    struct pg_options options;
    struct pg_report report = {0, NULL};
    char *text = read_program(program), *error = NULL;
    struct pg_plan *plan;

    *scop = pg_scop_read(pg_ctx_alloc(), text, &error);
    free(text);
    free(error);
    pg_options_default(&options);
    options.machine = pg_machine_find(NEW);
    options.sizes = sizes;
    options.promote = true;
    plan = *scop ? pg_compile(*scop, &options, &report) : NULL;
    check(plan != NULL, program, "does not compile");
    pg_report_clear(&report);
    return plan;
}

static void release(struct pg_scop *scop)
{
    isl_ctx *ctx = isl_set_get_ctx(scop->context);

    pg_scop_free(scop);
    pg_ctx_free(ctx);
}

/* Each buffer is what it was but for the way that boxes take. */
static void check_buffers(const char *program, const struct pg_plan *older,
                          const struct pg_plan *plan, enum pg_older copies,
                          unsigned stages)
{
    unsigned most = copies == PG_OLDER_SAME ? pg_machine_find(OLD)->block_shared
                                            : PG_STATIC_SHARED;
    unsigned shared = 0;

    for (unsigned k = 0; k < plan->n_kernel; k++) {
        const struct pg_mapping *now = older->kernels[k].mapping;
        const struct pg_mapping *before = plan->kernels[k].mapping;
        const char *choice = older->kernels[k].choice;

        check(now->n_buffer == before->n_buffer, program, "buffers are lost");
        check(pg_buffers_bytes(plan->scop, now->buffers, now->n_buffer) <= most,
              program, "too much shared memory");
        check(!choice || !strstr(choice, "asynchronous"), program,
              "said to be asynchronous");
        for (unsigned i = 0; i < now->n_buffer; i++) {
            const struct pg_buffer *a = &now->buffers[i];
            const struct pg_buffer *b = &before->buffers[i];
            char *text = pg_buffer_text(plan->scop, a);

            check(strcmp(a->name, b->name) == 0 && a->n_dim == b->n_dim &&
                      !memcmp(a->extent, b->extent,
                              a->n_dim * sizeof(*a->extent)),
                  program, "another box");
            check(choice && strstr(choice, text), program,
                  "a buffer is not told of as it is");
            free(text);
            if (a->kind != PG_BUFFER_SHARED)
                continue;
            shared++;
            check(b->async && !a->async, program, "copied asynchronously");
            check(a->stages == (copies == PG_OLDER_SAME ? b->stages : stages),
                  program, "another number of stages");
        }
    }
    check(shared > 0, program, "has no boxes to begin with");
}

/* The older plan computes what the source does, the newer one being gone. */
static void check_copies(const char *program, const char *sizes,
                         enum pg_older copies, unsigned stages,
                         const long long *values)
{
    struct pg_scop *scop;
    struct pg_plan *plan = compile(program, sizes, &scop), *older;
    struct run_result result;

    older = pg_plan_for_older(plan, pg_machine_find(OLD), copies);
    check(older != NULL, program, "does not fit");
    if (older)
        check_buffers(program, older, plan, copies, stages);
    pg_plan_free(plan);
    for (unsigned order = 0; older && order < 3; order++) {
        char *difference = run_and_compare(older, values, order, &result);

        check(!difference, program, difference);
        free(difference);
    }
    pg_plan_free(older);
    release(scop);
}

/* With both ways that boxes may take. */
static void check_program(const char *program, const char *sizes,
                          unsigned stages, const long long *values)
{
    check_copies(program, sizes, PG_OLDER_REGISTERS, stages, values);
    check_copies(program, sizes, PG_OLDER_SAME, 0, values);
}

/* Boxes that a block of the older device has no room for. */
static void check_too_large(void)
{
    struct pg_scop *scop;
    struct pg_plan *plan = compile("gemm",
                                   "{ kernel[i] -> tile[128,128,80]; "
                                   "kernel[i] -> block[16,16] }",
                                   &scop);

    check(plan->kernels[0].mapping->n_buffer == 3, "gemm",
          "has no large boxes");
    check(
        !pg_plan_for_older(plan, pg_machine_find(OLD), PG_OLDER_SAME) &&
            !pg_plan_for_older(plan, pg_machine_find(OLD), PG_OLDER_REGISTERS),
        "gemm", "large boxes fit into 64 KiB");
    pg_plan_free(plan);
    release(scop);
}

int main(void)
{
    static const long long product[] = {19, 130, 37}, vector[] = {70, 150};

    check_program("gemm", NULL, 2, product);
    check_program("gemm", "{ kernel[i] -> stages[1] }", 1, product);
    // Two stages are too much as they are.
    check_copies("gemm",
                 "{ kernel[i] -> tile[64,64,64]; kernel[i] -> block[16,16] }",
                 PG_OLDER_REGISTERS, 1, product);
    check_program("matvec", NULL, 2, vector);
    check_too_large();
    return failures != 0;
}
