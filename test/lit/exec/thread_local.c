// Each thread computes on its own instance of a thread-local array.
//
// RUN: %gpu_cc %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// CHECK: polygpu: scop work {{.*}} runs=4 declined=0 failed=0
// CHECK: polygpu: kernel {{.*}} launches=4
#include "exec.h"

#include <pthread.h>
#include <string.h>

enum { THREADS = 4, N = 100 };

static _Thread_local int local[N];
static int in[N], out[THREADS][N];

NOINLINE static void work(int factor)
{
    for (int i = 0; i < N; i++)
        local[i] = in[i] * factor + i;
}

static void *thread(void *number)
{
    poison(local, sizeof local);
    work((int)(size_t)number);
    memcpy(out[(size_t)number], local, sizeof local);
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t threads[THREADS];

    harness_start(argc, argv);
    for (int i = 0; i < N; i++)
        in[i] = (int)(harness_random() * 1000);
    poison(out, sizeof out);
    for (size_t t = 0; t < THREADS; t++)
        if (pthread_create(&threads[t], NULL, thread, (void *)t))
            return 1;
    for (size_t t = 0; t < THREADS; t++)
        pthread_join(threads[t], NULL);
    dump("out", out, sizeof out);
    return harness_end();
}
