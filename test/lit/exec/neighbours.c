// While loops write every second element, a column and a triangle on the
// device, another thread writes the elements in between: none of its values
// may be lost.
//
// RUN: %gpu_cc %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// CHECK: polygpu: scop second {{.*}} runs=6 declined=0 failed=0
// CHECK: polygpu: kernel {{.*}} launches=6
// CHECK: polygpu: scop column {{.*}} runs=6 declined=0 failed=0
// CHECK: polygpu: kernel {{.*}} launches=6
// CHECK: polygpu: scop triangle {{.*}} runs=6 declined=0 failed=0
// CHECK: polygpu: kernel {{.*}} launches=6
#include "exec.h"

#include <pthread.h>

enum { N = 40, ROUNDS = 6 };

static int a[2 * N], b[N][N], c[N][N], in[N];
static int stop, lost;

NOINLINE static void second(int n)
{
    for (int i = 0; i < n; i++)
        a[2 * i] = in[i] + 1;
}

NOINLINE static void column(int n, int k)
{
    for (int i = 0; i < n; i++)
        b[i][k] = in[i] + 2;
}

NOINLINE static void triangle(int n)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++)
            c[i][j] = in[i] + in[j];
}

/* A value that is not the one written last was put there by someone else. */
HOST void touch(int *p, int value)
{
    if (__atomic_load_n(p, __ATOMIC_RELAXED) != value)
        lost++;
    __atomic_store_n(p, value + 1, __ATOMIC_RELAXED);
}

HOST void *neighbour(void *unused)
{
    int value = 0;

    while (!__atomic_load_n(&stop, __ATOMIC_ACQUIRE)) {
        for (int i = 0; i < N; i++) {
            touch(&a[2 * i + 1], value);
            for (int j = 0; j < N; j++) {
                if (j != 7)
                    touch(&b[i][j], value);
                if (j > i)
                    touch(&c[i][j], value);
            }
        }
        value++;
    }
    return unused;
}

/* Zero what is the other thread's, so that the dumps are equal. */
HOST void clear(void)
{
    for (int i = 0; i < N; i++) {
        a[2 * i + 1] = 0;
        for (int j = 0; j < N; j++) {
            if (j != 7)
                b[i][j] = 0;
            if (j > i)
                c[i][j] = 0;
        }
    }
}

int main(int argc, char **argv)
{
    pthread_t other;

    harness_start(argc, argv);
    for (int i = 0; i < N; i++)
        in[i] = (int)(harness_random() * 1000);
    poison(a, sizeof a);
    poison(b, sizeof b);
    poison(c, sizeof c);
    clear();
    if (pthread_create(&other, NULL, neighbour, NULL))
        return 1;
    for (int round = 0; round < ROUNDS; round++) {
        second(N);
        column(N, 7);
        triangle(N);
    }
    __atomic_store_n(&stop, 1, __ATOMIC_RELEASE);
    pthread_join(other, NULL);
    clear();
    dump("lost", &lost, sizeof lost);
    dump("a", a, sizeof a);
    dump("b", b, sizeof b);
    dump("c", c, sizeof c);
    return harness_end() || lost;
}
