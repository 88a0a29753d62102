/* Launches "reverse" on three blocks. */
#include "polygpu/abi.h"
#include <stdio.h>
#include <stdlib.h>

enum { N = 96 };

void emulated_reverse(void *const *args, struct polygpu_thread *self);
extern const uint32_t shared_reverse;

int main(void)
{
    const struct polygpu_param params[] = {{POLYGPU_PARAM_ARRAY, 0},
                                           {POLYGPU_PARAM_VALUE, 4}};
    const struct polygpu_kernel kernel = {
        "reverse",
        {32, 1, 1},
        POLYGPU_KERNEL_BARRIER | POLYGPU_KERNEL_CHECKED,
        shared_reverse,
        2,
        params,
        emulated_reverse};
    const struct polygpu_array array = {"a", 4, POLYGPU_IN | POLYGPU_OUT};
    struct polygpu_scop scop = {
        POLYGPU_ABI_VERSION, 1, "reverse.c", "reverse", 1, 1, 0, 0, &array,
        &kernel, NULL, NULL, 0, NULL, NULL, 0};
    struct polygpu_run *run = polygpu_begin(&scop);
    float a[N], before[N];
    int n = N, wrong = 0;
    void *values[] = {&n};

    for (int i = 0; i < N; ++i)
        a[i] = before[i] = (float)(rand() % 1000 + 1);
    polygpu_array(run, 0, a);
    polygpu_move(run, 0, POLYGPU_IN | POLYGPU_OUT, 0, n, 1);
    polygpu_launch(run, 0, 3, 1, 1, values);
    if (!polygpu_end(run))
        return 0;
    for (int i = 0; i < N; ++i)
        wrong += a[i] != before[i / 32 * 32 + 31 - i % 32];
    printf("shared %u, wrong %d\n", (unsigned)shared_reverse, wrong);
    return 0;
}
