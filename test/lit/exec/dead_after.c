// Memory of a function's own comes back from the device only if the function
// reads it afterwards: before it is freed, ends its life or the function
// returns.  Bytes are counted by the profile; each function that leaves its
// temporary where it is has twins that read it, one of them each on a way that
// is easily overlooked.  A failing device changes nothing.
//
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %gpu_cc %s %harness -o %t.gpu
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: env POLYGPU_FAULT=out:3 POLYGPU_DEVICE=emulated %run_plain %t.gpu 2>&1 \
// RUN:   | %FileCheck --check-prefix=FAULT %s
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: env POLYGPU_FAULT=launch:4 POLYGPU_DEVICE=emulated %run_plain %t.gpu \
// RUN:   2>&1 | %FileCheck --check-prefix=FAULT %s
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: %run_faults
//
// FAULT: injected fault
//
// 96 floats are 384 bytes; the loops of 5 iterations also bring back a counter
// of 4.
// CHECK: polygpu: scop freed {{.*}} runs=1 declined=0 failed=0 bytes_in=384 bytes_out=384
// CHECK-NEXT: kernel {{.*}} launches=1
// CHECK: polygpu: scop freed_at_last {{.*}} runs=1 declined=0 failed=0 bytes_in=384 bytes_out=768
// CHECK-NEXT: kernel {{.*}} launches=1
// CHECK: polygpu: scop freed_on_one_way {{.*}} runs=2 declined=0 failed=0 bytes_in=768 bytes_out=1536
// CHECK-NEXT: kernel {{.*}} launches=2
// CHECK: polygpu: scop never_freed {{.*}} runs=1 declined=0 failed=0 bytes_in=384 bytes_out=768
// CHECK-NEXT: kernel {{.*}} launches=1
// CHECK: polygpu: scop variable {{.*}} runs=1 declined=0 failed=0 bytes_in=768 bytes_out=384
// CHECK-NEXT: kernel {{.*}} launches=1
// CHECK: polygpu: scop known_to_others {{.*}} runs=1 declined=0 failed=0 bytes_in=384 bytes_out=768
// CHECK-NEXT: kernel {{.*}} launches=1
// CHECK: polygpu: scop of_each_iteration {{.*}} runs=5 declined=0 failed=0 bytes_in=384 bytes_out=1920
// CHECK-NEXT: kernel {{.*}} launches=5
// CHECK: polygpu: scop of_all_iterations {{.*}} runs=5 declined=0 failed=0 bytes_in=768 bytes_out=3840
// CHECK-NEXT: kernel {{.*}} launches=5
// CHECK: polygpu: scop one_of_two {{.*}} runs=1 declined=0 failed=0 bytes_in=384 bytes_out=768
// CHECK-NEXT: kernel {{.*}} launches=1
// CHECK: polygpu: scop of_the_iteration_before {{.*}} runs=5 declined=0 failed=0 bytes_in=384 bytes_out=3840
// CHECK-NEXT: kernel {{.*}} launches=5
// CHECK: polygpu: scop two_in_turn {{.*}} runs=1 declined=0 failed=0 bytes_in=384 bytes_out=384
// CHECK-NEXT: kernel {{.*}} launches=1
// CHECK: polygpu: scop two_in_turn {{.*}} runs=1 declined=0 failed=0 bytes_in=384 bytes_out=384
// CHECK-NEXT: kernel {{.*}} launches=1
// CHECK: polygpu: scop jumped_over {{.*}} runs=1 declined=0 failed=0 bytes_in=384 bytes_out=768
// CHECK-NEXT: kernel {{.*}} launches=1
// CHECK: polygpu: scop copied {{.*}} runs=1 declined=0 failed=0 bytes_in=384 bytes_out=768
// CHECK-NEXT: kernel {{.*}} launches=1
#include "exec.h"

#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

enum { N = 96, TIMES = 5, FUNCTIONS = 13 };

static float from[N], to[FUNCTIONS][N], last[FUNCTIONS];

/* Unknown to the loops around it. */
HOST void between(void)
{
}

/* One SCoP: all of "t" is written, then read in another order. */
#define THROUGH(t, a, out)                                                     \
    do {                                                                       \
        for (int i = 0; i < n; i++)                                            \
            t[i] = a[i] * 2 + 1;                                               \
        for (int i = 0; i < n; i++)                                            \
            out[i] = t[i] - t[n - 1 - i] * 4;                                  \
    } while (0)

/* One loop. */
#define ONCE(t, a, out)                                                        \
    for (int i = 0; i < n; i++) {                                              \
        t[i] = a[i] * 2 + 1;                                                   \
        out[i] = t[i] - a[n - 1 - i] * 4;                                      \
    }

APART void freed(int n, const float *restrict a, float *restrict out)
{
    float *t = malloc((size_t)n * sizeof *t);

    if (!t)
        return;
    THROUGH(t, a, out);
    free(t);
}

APART float freed_at_last(int n, const float *restrict a,
                                    float *restrict out)
{
    float *t = malloc((size_t)n * sizeof *t), result;

    if (!t)
        return 0;
    THROUGH(t, a, out);
    result = t[7];
    free(t);
    return result;
}

APART float freed_on_one_way(int n, const float *restrict a,
                                       float *restrict out, int way)
{
    float *t = calloc((size_t)n, sizeof *t), result = 0;

    if (!t)
        return 0;
    THROUGH(t, a, out);
    between();
    if (way) {
        free(t);
        return 5;
    }
    result = t[9];
    free(t);
    return result;
}

APART void never_freed(int n, const float *restrict a,
                                 float *restrict out)
{
    float *t = malloc((size_t)n * sizeof *t);

    if (t)
        THROUGH(t, a, out);
}

/* Filled before the loop, which reads and overwrites it. */
APART void variable(int n, const float *restrict a,
                              float *restrict out)
{
    float t[N];

    memcpy(t, a, sizeof t);
    for (int i = 0; i < n; i++) {
        t[i] = t[i] * 2 + 1;
        out[i] = t[i] * a[n - 1 - i];
    }
}

static float *known;

HOST float look(void)
{
    return known[11];
}

APART float known_to_others(int n, const float *restrict a,
                                      float *restrict out)
{
    float t[N] = {0}, result;

    known = t;
    between();
    ONCE(t, a, out);
    result = look();
    known = NULL;
    return result;
}

APART void of_each_iteration(int n, const float *restrict a,
                                       float *restrict out)
{
    for (int k = 0; k < TIMES; k++) {
        float t[N];

        THROUGH(t, a, out);
        between();
    }
}

APART void of_all_iterations(int n, const float *restrict a,
                                       float *restrict out)
{
    float t[N];

    memset(t, 0, sizeof t);
    for (int k = 0; k < TIMES; k++) {
        for (int i = 0; i < n; i++)
            t[i] = t[i] + a[i];
        for (int i = 0; i < n; i++)
            out[i] = t[i] - t[n - 1 - i] * 4;
        between();
    }
}

APART float one_of_two(int n, const float *restrict a,
                                 float *restrict out, int second)
{
    float *t = malloc((size_t)n * sizeof *t), *u = calloc((size_t)n, sizeof *u);
    float *either = second ? u : t, result;

    if (!t || !u)
        return 0;
    between();
    ONCE(t, a, out);
    between();
    result = either[5];
    free(t);
    free(u);
    return result;
}

/* Each iteration has memory of its own and reads that of the one before. */
APART float of_the_iteration_before(int n, const float *restrict a,
                                              float *restrict out)
{
    float *before = NULL, sum = 0;

    for (int k = 0;; k++) {
        float *t = malloc((size_t)n * sizeof *t);

        if (!t)
            return 0;
        if (before)
            sum += before[k];
        free(before);
        if (k == TIMES) {
            free(t);
            return sum;
        }
        between();
        ONCE(t, a, out);
        between();
        before = t;
    }
}

/* What the second loop reads has to come back from the first. */
APART void two_in_turn(int n, const float *restrict a,
                                 float *restrict out)
{
    float *t = malloc((size_t)n * sizeof *t);

    if (!t)
        return;
    for (int i = 0; i < n; i++)
        t[i] = a[i] * 2 + 1;
    between();
    for (int i = 0; i < n; i++)
        out[i] = t[i] - t[n - 1 - i] * 4;
    free(t);
}

static jmp_buf mark;

HOST void jump(void)
{
    longjmp(mark, 1);
}

APART float jumped_over(int n, const float *restrict a,
                                  float *restrict out)
{
    float *t = calloc((size_t)n, sizeof *t), result;

    if (!t)
        return 0;
    if (setjmp(mark)) {
        result = t[3];
        free(t);
        return result;
    }
    THROUGH(t, a, out);
    jump();
    free(t);
    return 0;
}

/* A copy of all of it is read. */
APART float copied(int n, const float *restrict a,
                             float *restrict out, float *restrict copy)
{
    float t[N];

    THROUGH(t, a, out);
    memcpy(copy, t, (size_t)n * sizeof *t);
    return copy[2];
}

int main(int argc, char **argv)
{
    static float copy[N];

    harness_start(argc, argv);
    harness_fill(from, N, sizeof *from);
    poison(to, sizeof to);
    freed(N, from, to[0]);
    last[1] = freed_at_last(N, from, to[1]);
    last[2] = freed_on_one_way(N, from, to[2], 0);
    last[2] += freed_on_one_way(N, from, to[2], 1);
    never_freed(N, from, to[3]);
    variable(N, from, to[4]);
    last[5] = known_to_others(N, from, to[5]);
    of_each_iteration(N, from, to[6]);
    of_all_iterations(N, from, to[7]);
    last[8] = one_of_two(N, from, to[8], 0);
    last[9] = of_the_iteration_before(N, from, to[9]);
    two_in_turn(N, from, to[10]);
    last[11] = jumped_over(N, from, to[11]);
    last[12] = copied(N, from, to[12], copy);
    dump_float("to", to[0], FUNCTIONS * N);
    dump_float("last", last, FUNCTIONS);
    return harness_end();
}
