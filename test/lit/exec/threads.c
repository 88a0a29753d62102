// Eight threads at once, each with arrays of its own.
//
// RUN: %gpu_cc %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// CHECK: polygpu: scop work {{.*}} runs=40 declined=0 failed=0
// CHECK: polygpu: kernel {{.*}} launches=40
#include "exec.h"

#include <pthread.h>

enum { THREADS = 8, N = 24, ROUNDS = 5 };

static double in[THREADS][N][N], out[THREADS][N][N];

NOINLINE static void work(double a[N][N], double b[N][N])
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            b[i][j] = a[j][i] * 1.25 + b[i][j];
}

static void *thread(void *number)
{
    for (int round = 0; round < ROUNDS; round++)
        work(in[(size_t)number], out[(size_t)number]);
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t threads[THREADS];

    harness_start(argc, argv);
    harness_fill(in, THREADS * N * N, sizeof(double));
    harness_fill(out, THREADS * N * N, sizeof(double));
    for (size_t t = 0; t < THREADS; t++)
        if (pthread_create(&threads[t], NULL, thread, (void *)t))
            return 1;
    for (size_t t = 0; t < THREADS; t++)
        pthread_join(threads[t], NULL);
    dump_double("out", &out[0][0][0], THREADS * N * N);
    return harness_end();
}
