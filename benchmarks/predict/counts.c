/* counts.c - what a program of the suite would launch, without executing it.
 *
 *   counts-PROGRAM SIZE...
 *
 * The calls of the runtime (abi.h) in the compiled program come here, by --wrap
 * of the linker: every run is taken, launches are counted, nothing is copied or
 * computed.  At the end stderr gets a line for each kernel that was launched,
 *
 *   counts NAME launches=N blocks=N threads=N shared=N operations=X flops=X
 *       flops_double=X steps=X alone=X bytes=X
 *
 * (without the break): blocks of all launches, threads and shared memory of a
 * block, then the compiler's counts at these sizes, as the runtime evaluates
 * them (decision.h), and the bytes between the first and the last element that
 * is accessed in each of the kernel's arrays.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "core/decision.h"
#include "polygpu/abi.h"

#include "../polybench/empty.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_KERNELS = 256, MOST_ARRAYS = 64 };

static struct counted {
    const struct polygpu_kernel *kernel;
    uint64_t launches;
    double blocks, bytes, counts[POLYGPU_ALONE + 1];
} counted[MOST_KERNELS];
static size_t n_counted;

/* The run that is going on. */
static const struct polygpu_scop *scop;
static struct counted *kernels; /* of the SCoP */
static struct {
    int64_t first, last;
} hulls[MOST_ARRAYS];

static void check(int ok, const char *what)
{
    if (ok)
        return;
    fprintf(stderr, "counts: %s\n", what);
    exit(2);
}

static struct counted *kernels_of(const struct polygpu_scop *of)
{
    size_t first = 0;

    while (first < n_counted && counted[first].kernel != of->kernels)
        ++first;
    if (first == n_counted) {
        check(n_counted + of->n_kernels <= MOST_KERNELS, "too many kernels");
        for (uint32_t k = 0; k < of->n_kernels; ++k)
            counted[n_counted++].kernel = &of->kernels[k];
    }
    return &counted[first];
}

int __wrap_polygpu_active(void);
struct polygpu_run *__wrap_polygpu_begin_sized(struct polygpu_scop *of,
                                               const int64_t *sizes);
void __wrap_polygpu_array(struct polygpu_run *run, uint32_t array, void *base);
void __wrap_polygpu_keep(struct polygpu_run *run, uint32_t array,
                         uint64_t scope);
int __wrap_polygpu_known(struct polygpu_run *run);
void __wrap_polygpu_move(struct polygpu_run *run, uint32_t array, uint32_t dir,
                         int64_t first, int64_t count, int64_t stride);
void __wrap_polygpu_move_rows(struct polygpu_run *run, uint32_t array,
                              uint32_t dir, int64_t first, int64_t count,
                              int64_t stride, uint32_t n_loops,
                              const struct polygpu_move_loop *loops);
int __wrap_polygpu_worth(struct polygpu_run *run);
uint32_t __wrap_polygpu_chosen_plan(struct polygpu_run *run);
uint32_t __wrap_polygpu_chained(struct polygpu_run *run, uint32_t fits);
void __wrap_polygpu_launch(struct polygpu_run *run, uint32_t kernel, int64_t x,
                           int64_t y, int64_t z, void *const *values);
void __wrap_polygpu_defer(struct polygpu_run *run, void (*replay)(void *record),
                          const void *record, size_t size, uint32_t flags);
int __wrap_polygpu_end(struct polygpu_run *run);
void __wrap_polygpu_decline(struct polygpu_scop *of, const char *reason,
                            const int64_t *values);

int __wrap_polygpu_active(void)
{
    return 1;
}

struct polygpu_run *__wrap_polygpu_begin_sized(struct polygpu_scop *of,
                                               const int64_t *sizes)
{
    static char run;

    check(of->n_plans == 0 && of->n_arrays <= MOST_ARRAYS,
          "several plans, or too many arrays");
    check(of->n_counts > 0, "the compiler has no counts");
    scop = of;
    kernels = kernels_of(of);
    for (uint32_t k = 0; k < of->n_kernels; ++k)
        for (uint32_t kind = 0; kind <= POLYGPU_ALONE; ++kind)
            kernels[k].counts[kind] += polygpu_count(of, kind, k, sizes);
    for (uint32_t a = 0; a < of->n_arrays; ++a)
        hulls[a].first = INT64_MAX, hulls[a].last = INT64_MIN;
    return (struct polygpu_run *)&run;
}

void __wrap_polygpu_array(struct polygpu_run *run, uint32_t array, void *base)
{
    (void)run, (void)array, (void)base;
}

void __wrap_polygpu_keep(struct polygpu_run *run, uint32_t array,
                         uint64_t scope)
{
    (void)run, (void)array, (void)scope;
}

int __wrap_polygpu_known(struct polygpu_run *run)
{
    (void)run;
    return 0;
}

void __wrap_polygpu_move(struct polygpu_run *run, uint32_t array, uint32_t dir,
                         int64_t first, int64_t count, int64_t stride)
{
    int64_t last = first + (count - 1) * stride;

    (void)run, (void)dir;
    if (count <= 0)
        return;
    if (first < hulls[array].first)
        hulls[array].first = first;
    if (last > hulls[array].last)
        hulls[array].last = last;
}

void __wrap_polygpu_move_rows(struct polygpu_run *run, uint32_t array,
                              uint32_t dir, int64_t first, int64_t count,
                              int64_t stride, uint32_t n_loops,
                              const struct polygpu_move_loop *loops)
{
    int64_t last = first;

    for (uint32_t i = 0; i < n_loops; ++i) {
        if (loops[i].trips <= 0)
            return;
        last += (loops[i].trips - 1) * loops[i].step;
    }
    __wrap_polygpu_move(run, array, dir, first, count, stride);
    __wrap_polygpu_move(run, array, dir, last, count, stride);
}

static double bytes_of(const struct polygpu_kernel *kernel)
{
    double bytes = 0;

    for (uint32_t i = 0; i < kernel->n_params; ++i) {
        uint32_t a = kernel->params[i].value;

        if (kernel->params[i].kind == POLYGPU_PARAM_ARRAY &&
            hulls[a].first <= hulls[a].last)
            bytes += ((double)hulls[a].last - (double)hulls[a].first + 1) *
                     scop->arrays[a].elem_size;
    }
    return bytes;
}

int __wrap_polygpu_worth(struct polygpu_run *run)
{
    (void)run;
    for (uint32_t k = 0; k < scop->n_kernels; ++k)
        kernels[k].bytes = bytes_of(&scop->kernels[k]);
    return 1;
}

uint32_t __wrap_polygpu_chosen_plan(struct polygpu_run *run)
{
    (void)run;
    return 0;
}

uint32_t __wrap_polygpu_chained(struct polygpu_run *run, uint32_t fits)
{
    (void)run;
    return fits;
}

void __wrap_polygpu_launch(struct polygpu_run *run, uint32_t kernel, int64_t x,
                           int64_t y, int64_t z, void *const *values)
{
    (void)run, (void)values;
    if (x <= 0 || y <= 0 || z <= 0)
        return;
    ++kernels[kernel].launches;
    kernels[kernel].blocks += (double)x * (double)y * (double)z;
}

void __wrap_polygpu_defer(struct polygpu_run *run, void (*replay)(void *record),
                          const void *record, size_t size, uint32_t flags)
{
    (void)run, (void)replay, (void)record, (void)size, (void)flags;
}

int __wrap_polygpu_end(struct polygpu_run *run)
{
    (void)run;
    return 1;
}

void __wrap_polygpu_decline(struct polygpu_scop *of, const char *reason,
                            const int64_t *values)
{
    (void)values;
    (void)of;
    check(0, reason);
}

void bench_start(void)
{
}

void bench_stop(void)
{
}

static void print(const struct counted *c)
{
    const struct polygpu_kernel *k = c->kernel;

    fprintf(stderr,
            "counts %s launches=%" PRIu64 " blocks=%.17g threads=%" PRIu32
            " shared=%" PRIu32 " operations=%.17g flops=%.17g "
            "flops_double=%.17g steps=%.17g alone=%.17g bytes=%.17g\n",
            k->name, c->launches, c->blocks,
            k->block[0] * k->block[1] * k->block[2], k->shared_bytes,
            c->counts[POLYGPU_OPERATIONS], c->counts[POLYGPU_FLOPS_SINGLE],
            c->counts[POLYGPU_FLOPS_DOUBLE], c->counts[POLYGPU_STEPS],
            c->counts[POLYGPU_ALONE], c->bytes);
}

int main(int argc, char **argv)
{
    empty_argc = argc;
    empty_argv = argv;
    bench_program();
    for (size_t i = 0; i < n_counted; ++i)
        if (counted[i].launches > 0)
            print(&counted[i]);
    return 0;
}
