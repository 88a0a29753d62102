/* test_grid.c - loops of launches as one kernel whose blocks meet, on the
 * emulated device and with the fake driver, which refuses them in several ways.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "check.h"
#include "polygpu/abi.h"
#include "tests.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 100, THREADS = 8, ROUNDS = 40 };
enum { KERNEL_GRID, KERNEL_SHIFT, KERNEL_BACK };

/* The element behind the one that was there, with the round's number: into the
 * second half, and back when all have done so. */
static void shift(double *a, int64_t i, int64_t round)
{
    a[N + i] = a[(i + 1) % N] + (double)round;
}

static void back(double *a, int64_t i)
{
    a[i] = 0.5 * a[N + i];
}

/* Arguments: begin, rounds, a, the first round's number, counter.  The fake
 * driver's blocks do not meet: there the first thread of all does the work. */
void grid_loop(void *const *args, struct polygpu_thread *self);
void grid_loop(void *const *args, struct polygpu_thread *self)
{
    int64_t begin = *(int64_t *)args[0], rounds = *(int64_t *)args[1], r, i;
    double *a = *(double **)args[2];
    int64_t first = *(int64_t *)args[3];
    int64_t threads = self->n_block[0] * self->n_thread[0];
    int64_t me = self->block[0] * self->n_thread[0] + self->thread[0];

    if (!self->calls && me > 0)
        return;
    if (!self->calls)
        threads = 1;
    for (r = first + begin; r < first + begin + rounds; ++r) {
        for (i = me; i < N; i += threads)
            shift(a, i, r);
        if (self->calls)
            self->calls->grid_barrier(self, 0);
        for (i = me; i < N; i += threads)
            back(a, i);
        if (self->calls)
            self->calls->grid_barrier(self, 1);
    }
}

/* Arguments: two that are not used, a, the round's number, another one. */
void grid_shift(void *const *args, struct polygpu_thread *self);
void grid_shift(void *const *args, struct polygpu_thread *self)
{
    int64_t i = self->block[0] * self->n_thread[0] + self->thread[0];

    if (i < N)
        shift(*(double **)args[2], i, *(int64_t *)args[3]);
}

void grid_back(void *const *args, struct polygpu_thread *self);
void grid_back(void *const *args, struct polygpu_thread *self)
{
    int64_t i = self->block[0] * self->n_thread[0] + self->thread[0];

    if (i < N)
        back(*(double **)args[2], i);
}

static const struct polygpu_param grid_params[] = {{POLYGPU_PARAM_VALUE, 8},
                                                   {POLYGPU_PARAM_VALUE, 8},
                                                   {POLYGPU_PARAM_ARRAY, 0},
                                                   {POLYGPU_PARAM_VALUE, 8},
                                                   {POLYGPU_PARAM_COUNTER, 0}};
static const struct polygpu_param plain_params[] = {{POLYGPU_PARAM_VALUE, 8},
                                                    {POLYGPU_PARAM_VALUE, 8},
                                                    {POLYGPU_PARAM_ARRAY, 0},
                                                    {POLYGPU_PARAM_VALUE, 8},
                                                    {POLYGPU_PARAM_VALUE, 8}};
static const struct polygpu_kernel kernels[] = {
    {"grid_loop",
     {THREADS, 1, 1},
     POLYGPU_KERNEL_GRID | POLYGPU_KERNEL_BARRIER,
     0,
     5,
     grid_params,
     grid_loop},
    {"grid_shift", {THREADS, 1, 1}, 0, 0, 5, plain_params, grid_shift},
    {"grid_back", {THREADS, 1, 1}, 0, 0, 5, plain_params, grid_back},
};
static const struct polygpu_array arrays[] = {
    {"A", sizeof(double), POLYGPU_IN | POLYGPU_OUT, 0}};
static const struct polygpu_image images[] = {
    {POLYGPU_IMAGE_PTX, 80, 20, ".version 8.0\nptx 80", NULL}};

/* What the two kernels do in ROUNDS rounds. */
#define COUNT(kind, kernel, weight) {kind, kernel, 0, 0, weight, NULL}
static const struct polygpu_count counts[] = {
    COUNT(POLYGPU_OPERATIONS, KERNEL_SHIFT, 3.0 * N * ROUNDS),
    COUNT(POLYGPU_LAUNCHES, KERNEL_SHIFT, ROUNDS),
    COUNT(POLYGPU_THREADS, KERNEL_SHIFT, 13.0 * THREADS * ROUNDS),
    COUNT(POLYGPU_OPERATIONS, KERNEL_BACK, 3.0 * N * ROUNDS),
    COUNT(POLYGPU_LAUNCHES, KERNEL_BACK, ROUNDS),
    COUNT(POLYGPU_THREADS, KERNEL_BACK, 13.0 * THREADS * ROUNDS),
};

static struct polygpu_scop scop = {.abi_version = POLYGPU_ABI_VERSION,
                                   .line = 7,
                                   .file = "grid.c",
                                   .function = "grid",
                                   .n_arrays = 1,
                                   .n_kernels = 3,
                                   .n_images = 1,
                                   .n_counts = 6,
                                   .arrays = arrays,
                                   .kernels = kernels,
                                   .images = images,
                                   .n_params = 1,
                                   .counts = counts,
                                   .n_sizes = 1};

/* As the compiler has it: what polygpu_grid does not do are launches.  Returns
 * how many iterations it did, -1 if the run failed. */
static int64_t run(double *a, int64_t first)
{
    static const uint32_t launched[] = {KERNEL_SHIFT, KERNEL_BACK};
    int64_t sizes[] = {N}, begin = 0, rounds = 0, r, done, zero = 0;
    void *values[] = {&begin, &rounds, &first};
    struct polygpu_run *run = polygpu_begin_sized(&scop, sizes);

    if (!run)
        return -1;
    polygpu_array(run, 0, a);
    polygpu_move(run, 0, POLYGPU_IN | POLYGPU_OUT, 0, 2 * N, 1);
    if (!polygpu_worth(run))
        return -1;
    done = polygpu_grid(run, KERNEL_GRID, ROUNDS, launched, 2, values);
    for (r = first + done; r < first + ROUNDS; ++r) {
        void *plain[] = {&zero, &zero, &r, &zero};

        polygpu_launch(run, KERNEL_SHIFT, 13, 1, 1, plain);
        polygpu_launch(run, KERNEL_BACK, 13, 1, 1, plain);
    }
    return polygpu_end(run) ? done : -1;
}

static void run_here(double *a, int64_t first)
{
    int64_t r, i;

    for (r = first; r < first + ROUNDS; ++r) {
        for (i = 0; i < N; ++i)
            shift(a, i, r);
        for (i = 0; i < N; ++i)
            back(a, i);
    }
}

/* Four runs, of which it prints what polygpu_grid did. */
void child_grid(void)
{
    static double a[2 * N], b[2 * N];
    int i;

    check_fill(a, 2 * N);
    memcpy(b, a, sizeof b);
    for (i = 0; i < 4; ++i) {
        int64_t done = run(a, 3 * i);

        fprintf(stderr, "did %lld\n", (long long)done);
        if (done < 0)
            memcpy(a, b, sizeof a);
        else
            run_here(b, 3 * i);
        CHECK(!memcmp(a, b, sizeof a));
    }
}

/* Do all four runs say that they did so many iterations by one kernel? */
static int did(const char *one, const char *two, const char *what)
{
    if (check_run("child-grid", one, two) != 0)
        check_failed(__FILE__, __LINE__, check_text);
    return check_said(what);
}

static int is_cuda(void)
{
    return !strcmp(getenv("POLYGPU_DEVICE"), "cuda");
}

void test_grid(void)
{
    setenv("POLYGPU_COST", "off", 1);
    CHECK(did("POLYGPU_CHAIN=on", "POLYGPU_PROFILE=lines", "did 40\n") == 4);
    CHECK(check_said("kernel grid_loop ") == 1 &&
          strstr(check_text, "launches=4 grid=") != NULL);
    CHECK(did("POLYGPU_CHAIN=off", NULL, "did 0\n") == 4);
    /* 80 meetings of 10 ms, in launches of 250. */
    setenv("POLYGPU_PROFILE", "lines", 1);
    CHECK(did("POLYGPU_CHAIN=on", "POLYGPU_COST=cpu=1e-6,meet=10000",
              "did 40\n") == 4);
    CHECK(strstr(check_text, "launches=16 grid=") != NULL);
    unsetenv("POLYGPU_PROFILE");
    CHECK(did("POLYGPU_CHAIN=auto", "POLYGPU_COST=cpu=1e-6,meet=5",
              "did 0\n") == 4);
    /* 2.6 us of each launch are won: of 20 that it works, but not of 100. */
    CHECK(did("POLYGPU_CHAIN=auto", "POLYGPU_COST=cpu=1e-6,gpu=0.015",
              "did 40\n") == (is_cuda() ? 2 : 4));
    CHECK(did("POLYGPU_CHAIN=auto", "POLYGPU_COST=cpu=1e-6,gpu=0.003",
              "did 0\n") == 4);
    /* Runs that come again are graphs, on a GPU. */
    CHECK(did("POLYGPU=mandatory", NULL, "did 40\n") == (is_cuda() ? 2 : 4));
}

/* Each refusal ends in launches, a failure on the CPU. */
void test_grid_refused(void)
{
    static const char *const refusals[] = {"FAKE_CUDA=no-together",
                                           "FAKE_CUDA=none-together",
                                           "FAKE_CUDA=refused-together"};
    size_t i;

    setenv("POLYGPU_COST", "off", 1);
    for (i = 0; i < sizeof refusals / sizeof *refusals; ++i) {
        CHECK(did("POLYGPU_CHAIN=on", refusals[i], "did 0\n") == 4);
        CHECK(check_said("running loops on the CPU") == 0);
    }
    /* Of 27 blocks 2 are there at once: what is won is lost, but where the work
     * is little. */
    setenv("POLYGPU_COST", "cpu=1e-6,gpu=0.015", 1);
    CHECK(did("POLYGPU_CHAIN=auto", "FAKE_CUDA=few-together", "did 0\n") == 4);
    setenv("POLYGPU_COST", "cpu=1e-6,gpu=15", 1);
    CHECK(did("POLYGPU_CHAIN=auto", "FAKE_CUDA=few-together", "did 40\n") == 2);
    setenv("POLYGPU_COST", "off", 1);
    CHECK(did("POLYGPU_CHAIN=on", "FAKE_CUDA=few-together", "did 40\n") == 4);
    CHECK(did("POLYGPU_CHAIN=on", "FAKE_CUDA=failed-together", "did -1\n") ==
          4);
    CHECK(check_said("kernel grid_loop failed: some fake error") == 1);
}
