// Elements are read through an index from an array that is a member, which the
// loop's store might change by its type: a member of a union, or where complex
// numbers are stored.  Where it does, the original loops run.
//
// RUN: %gpu_cc %s %harness -lm -o %t.gpu
// RUN: %ref_cc %s %harness -lm -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_auto %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// CHECK-DAG: polygpu: scop pick {{.*}} runs=1 declined=1 failed=0
// CHECK-DAG: polygpu: kernel pick_{{.*}} launches=1
// CHECK-DAG: polygpu: scop permute {{.*}} runs=1 declined=0 failed=0
// CHECK-DAG: polygpu: kernel permute_{{.*}} launches=1
#include "exec.h"

#include <complex.h>
#include <string.h>

enum { SIZE = 300 };

struct source {
    union {
        float *at;
        float words[SIZE];
    } from;
    int size;
};

struct plan {
    const float complex *x;
    float complex *y;
    const int *sequence;
    int size;
};

static float x[SIZE], y[SIZE], other[SIZE];
static float complex u[SIZE], v[SIZE];
static int sequence[SIZE];

NOINLINE static void pick(const struct source *s, float *y, const int *sequence)
{
    for (int i = 0; i < s->size; i++)
        y[i] = s->from.at[sequence[i]];
}

NOINLINE static void permute(const struct plan *p)
{
    for (int i = 0; i < p->size - 1; i++)
        p->y[i] = p->x[p->sequence[p->size - 2 - i]];
}

int main(int argc, char **argv)
{
    static struct source s = {{x}, SIZE};
    float *to = other, half[2];

    harness_start(argc, argv);
    harness_fill(x, SIZE, sizeof *x);
    harness_fill(other, SIZE, sizeof *other);
    harness_fill((float *)u, 2 * SIZE, sizeof(float));
    for (int i = 0; i < SIZE; i++)
        sequence[i] = (7 * i + 3) % SIZE;
    pick(&s, y, sequence);
    dump("y", y, sizeof y);
    permute(&(struct plan){u, v, sequence, SIZE});
    dump("v", v, sizeof v);

    // The first element that is stored makes the pointer one to the other
    // array, and the second one leaves it so.
    memcpy(half, &to, sizeof to);
    x[sequence[0]] = half[0];
    other[sequence[1]] = half[1];
    pick(&s, s.from.words, sequence);
    dump("words", s.from.words + 2, sizeof s.from.words - sizeof half);
    return harness_end();
}
