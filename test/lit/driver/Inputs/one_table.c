/* A program and two libraries, which call the runtime as offloaded code does: the
 * array of a scope that the program has is written by a kernel of the first and read
 * by one of the second.  The host's bytes change in between, and nobody says so:
 * "device 15" is what the device has, "host 1015" what is there now. */
#include "polygpu/abi.h"

#include <stdio.h>

enum { N = 1000 };

#ifdef LIBRARY
static void set(void *const *args, struct polygpu_thread *self)
{
    int64_t i = (int64_t)self->block[0] * self->n_thread[0] + self->thread[0];

    if (i < N)
        (*(double *const *)args[1])[i] = (*(double *const *)args[0])[i] + 5;
}

static const struct polygpu_param params[] = {{POLYGPU_PARAM_ARRAY, 0},
                                              {POLYGPU_PARAM_ARRAY, 1}};
static const struct polygpu_kernel kernels[] = {
    {"set", {32, 1, 1}, 0, 0, 2, params, set}};
static const struct polygpu_array arrays[] = {
    {"from", sizeof(double), POLYGPU_IN, 0},
    {"to", sizeof(double), POLYGPU_OUT, 0}};

#define TEXT(name) #name
#define NAME(name) TEXT(name)

static struct polygpu_scop scop = {.abi_version = POLYGPU_ABI_VERSION,
                                   .line = 1,
                                   .file = "one_table.c",
                                   .function = NAME(LIBRARY),
                                   .n_arrays = 2,
                                   .n_kernels = 1,
                                   .arrays = arrays,
                                   .kernels = kernels};

int LIBRARY(uint64_t scope, double *from, double *to);

int LIBRARY(uint64_t scope, double *from, double *to)
{
    struct polygpu_run *run = polygpu_begin(&scop);

    polygpu_array(run, 0, from);
    polygpu_array(run, 1, to);
    polygpu_keep(run, 0, scope);
    polygpu_keep(run, 1, scope);
    polygpu_move(run, 0, POLYGPU_IN, 0, N, 1);
    polygpu_move(run, 1, POLYGPU_OUT, 0, N, 1);
    polygpu_launch(run, 0, (N + 31) / 32, 1, 1, NULL);
    return polygpu_end(run);
}
#else
int first(uint64_t scope, double *from, double *to);
int second(uint64_t scope, double *from, double *to);

int main(void)
{
    static double a[N], b[N], c[N];
    uint64_t scope = polygpu_keep_begin();
    int i, ok;

    for (i = 0; i < N; i++)
        a[i] = i;
    ok = first(scope, a, b);
    for (i = 0; i < N; i++)
        b[i] += 1000;
    ok += second(scope, b, c);
    printf("%d runs; the second found what the %s has\n", ok,
           c[5] == 15 ? "device" : c[5] == 1015 ? "host" : "?");
    polygpu_keep_end(scope);
    return 0;
}
#endif
