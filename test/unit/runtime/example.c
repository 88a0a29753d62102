/* example.c - see example.h.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "example.h"

#include <stddef.h>

static double *array_arg(void *const *args, int i)
{
    return *(double *const *)args[i];
}

static int64_t value_arg(void *const *args, int i)
{
    return *(const int64_t *)args[i];
}

static int64_t number(const struct polygpu_thread *self)
{
    return (int64_t)self->block[0] * self->n_thread[0] + self->thread[0];
}

/* Arguments of all kernels: a, b, n, offset, stride. */
void scale(void *const *args, struct polygpu_thread *self);
void triangle(void *const *args, struct polygpu_thread *self);
void pair(void *const *args, struct polygpu_thread *self);
void reverse(void *const *args, struct polygpu_thread *self);
void diverge(void *const *args, struct polygpu_thread *self);
void unmarked(void *const *args, struct polygpu_thread *self);
void dynamic(void *const *args, struct polygpu_thread *self);
void add(void *const *args, struct polygpu_thread *self);

enum { DYNAMIC_BYTES = 64 * 1024 };

unsigned example_misaligned;
void (*example_in_kernel)(void);

/* An element's address as a kernel computes it: array + index, wrapping. */
static double *element(double *array, int64_t index)
{
    return (double *)((uintptr_t)array + (uintptr_t)index * sizeof(double));
}

void scale(void *const *args, struct polygpu_thread *self)
{
    int64_t i = number(self);
    double *a;

    if ((uintptr_t)array_arg(args, 0) % 16)
        __atomic_add_fetch(&example_misaligned, 1, __ATOMIC_RELAXED);
    if (i >= value_arg(args, 2))
        return;
    a = element(array_arg(args, 0),
                value_arg(args, 3) + i * value_arg(args, 4));
    *a = 2 * *a + 1;
}

void triangle(void *const *args, struct polygpu_thread *self)
{
    int64_t i = number(self), n = value_arg(args, 2), j;

    for (j = 0; i < n && j <= i; ++j) {
        double *a = element(array_arg(args, 0), i * n + j);

        *a = 2 * *a + 1;
    }
}

void pair(void *const *args, struct polygpu_thread *self)
{
    int64_t i = number(self);

    if (example_in_kernel)
        example_in_kernel();
    if (i >= value_arg(args, 2))
        return;
    array_arg(args, 0)[i] = 2 * array_arg(args, 0)[i] + 1;
    array_arg(args, 1)[i] += array_arg(args, 0)[i];
}

void reverse(void *const *args, struct polygpu_thread *self)
{
    double *shared = self->shared;
    double *a = array_arg(args, 0);
    uint32_t t = self->thread[0] + self->n_thread[0] * self->thread[1];
    int round;

    for (round = 0; round < 3; ++round) {
        shared[t] = a[self->block[0] * 64 + t];
        self->calls->barrier(self);
        a[self->block[0] * 64 + t] = shared[63 - t];
        self->calls->barrier(self);
    }
}

void diverge(void *const *args, struct polygpu_thread *self)
{
    (void)args;
    if (self->thread[0] != 3 || self->block[0] != 1)
        self->calls->barrier(self);
}

void unmarked(void *const *args, struct polygpu_thread *self)
{
    (void)args;
    self->calls->barrier(self);
}

void dynamic(void *const *args, struct polygpu_thread *self)
{
    int64_t i = number(self);
    double *shared = (double *)self->shared + DYNAMIC_BYTES / 8 - 32;
    double *a;

    if (i >= value_arg(args, 2))
        return;
    a = element(array_arg(args, 0),
                value_arg(args, 3) + i * value_arg(args, 4));
    shared[self->thread[0]] = *a;
    *a = 2 * shared[self->thread[0]] + 1;
}

void add(void *const *args, struct polygpu_thread *self)
{
    int64_t i = number(self);

    if (i < value_arg(args, 2))
        array_arg(args, 1)[i] += array_arg(args, 0)[i];
}

static const struct polygpu_param params[] = {
    {POLYGPU_PARAM_ARRAY, ARRAY_A}, {POLYGPU_PARAM_ARRAY, ARRAY_B},
    {POLYGPU_PARAM_VALUE, 8},       {POLYGPU_PARAM_VALUE, 8},
    {POLYGPU_PARAM_VALUE, 8},
};

static const struct polygpu_kernel kernels[N_KERNELS] = {
    {"scale", {32, 1, 1}, 0, 0, 5, params, scale},
    {"triangle", {32, 1, 1}, 0, 0, 5, params, triangle},
    {"pair", {32, 1, 1}, 0, 0, 5, params, pair},
    {"reverse", {16, 4, 1}, POLYGPU_KERNEL_BARRIER, 512, 5, params, reverse},
    {"diverge", {8, 1, 1}, POLYGPU_KERNEL_BARRIER, 0, 5, params, diverge},
    {"unmarked", {8, 1, 1}, 0, 0, 5, params, unmarked},
    {"dynamic",
     {32, 1, 1},
     POLYGPU_KERNEL_DYNAMIC,
     DYNAMIC_BYTES,
     5,
     params,
     dynamic},
    {"add", {32, 1, 1}, 0, 0, 5, params, add},
};

static const struct polygpu_array arrays[] = {
    {"A", sizeof(double), POLYGPU_IN | POLYGPU_OUT, 0},
    {"B", sizeof(double), POLYGPU_IN | POLYGPU_OUT, 0},
};

/* The fake driver has compute capability 8.6 and only reads the name. */
static const struct polygpu_image images[] = {
    {POLYGPU_IMAGE_PTX, 90, 7, "ptx 90", NULL},
    {POLYGPU_IMAGE_PTX, 70, 7, "ptx 70", NULL},
    {POLYGPU_IMAGE_PTX, 80, 20, ".version 8.0\nptx 80", NULL},
    {POLYGPU_IMAGE_PTX, 75, 7, "ptx 75", NULL},
};

const struct polygpu_scop example_scop = {
    POLYGPU_ABI_VERSION,
    7,
    "example.c",
    "example",
    2,
    N_KERNELS,
    4,
    0,
    arrays,
    kernels,
    images,
    NULL,
    0,
    NULL,
    NULL,
    0,
    0,
    0,
    NULL,
    0,
    0,
};

void example_launch(struct polygpu_run *run, uint32_t kernel, int64_t blocks,
                    int64_t n, int64_t offset, int64_t stride)
{
    void *values[3] = {&n, &offset, &stride};

    polygpu_launch(run, kernel, blocks, 1, 1, values);
}

int example_pair(struct polygpu_scop *scop, double *a, double *b, int64_t n,
                 int times)
{
    struct polygpu_run *run = polygpu_begin(scop);

    if (!run)
        return 0;
    polygpu_array(run, ARRAY_A, a);
    polygpu_array(run, ARRAY_B, b);
    polygpu_move(run, ARRAY_A, POLYGPU_IN | POLYGPU_OUT, 0, n, 1);
    polygpu_move(run, ARRAY_B, POLYGPU_IN | POLYGPU_OUT, 0, n, 1);
    while (times-- > 0)
        example_launch(run, KERNEL_PAIR, (n + 31) / 32, n, 0, 0);
    return polygpu_end(run);
}

void example_pair_here(double *a, double *b, int64_t n, int times)
{
    int64_t i;

    while (times-- > 0)
        for (i = 0; i < n; ++i) {
            a[i] = 2 * a[i] + 1;
            b[i] += a[i];
        }
}
