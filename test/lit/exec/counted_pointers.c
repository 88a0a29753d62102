// A pointer that goes to its end, where the number of elements says whether there
// is any: what "p != end" in front of the loop has become in bitcode that was
// optimised before, as that of Rust's `for x in a.iter_mut()`.  Bytes, elements,
// backwards, results, rows, pointers at nothing where there is no element.  A
// loop with a call that may end it keeps its condition.
//
// RUN: %gpu_cc -mfma %s %harness -o %t.gpu -Rpass-missed=gpu-polyhedral \
// RUN:     2> %t.remarks
// RUN: %FileCheck --check-prefix=REMARK %s < %t.remarks
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// REMARK: counted_pointers.c:[[@LINE+106]]:{{.*}} the call of 'leave'
//
// CHECK-DAG: scop bytes {{.*}} runs=2 declined=0 failed=0
// CHECK-DAG: kernel bytes_{{.*}} launches=2
// CHECK-DAG: scop points {{.*}} runs=2 declined=0 failed=0
// CHECK-DAG: kernel points_{{.*}} launches=2
// CHECK-DAG: scop back {{.*}} runs=2 declined=0 failed=0
// CHECK-DAG: kernel back_{{.*}} launches=2
// CHECK-DAG: scop extremes {{.*}} runs=3 declined=0 failed=0
// CHECK-DAG: kernel extremes_{{.*}} launches=2
// CHECK-DAG: scop rows {{.*}} runs=2 declined=0 failed=0
// CHECK-DAG: kernel rows_{{.*}} launches=2
// CHECK-DAG: scop twice {{.*}} runs=2 declined=0 failed=0
// CHECK-DAG: kernel twice_{{.*}} launches=2
#include "exec.h"

#include <stdlib.h>

enum { N = 1000 };

struct point {
    float x, y, z;
};

static unsigned char c[N];
static struct point p[N];
static double a[N], b[N];
static int k[N];

NOINLINE static void bytes(unsigned char *a, size_t n)
{
    unsigned char *end = a + n;
    if (n != 0)
        do
            *a = (unsigned char)(*a * 3 + 1);
        while (++a != end);
}

NOINLINE static void points(struct point *a, size_t n)
{
    struct point *end = a + n;
    if (n != 0)
        do {
            float l = a->x * a->x + a->y * a->y + a->z * a->z;
            a->y = a->x * l;
        } while (++a != end);
}

NOINLINE static void back(double *restrict y, const double *x, size_t n)
{
    const double *end = x + n;
    if (n != 0)
        do
            *y++ = *--end * 2;
        while (end != x);
}

NOINLINE static long extremes(const int *a, size_t n)
{
    int least = 1 << 30, count = 0;
    const int *end = a + n;
    if (n != 0)
        do {
            least = *a < least ? *a : least;
            count += (*a & 3) == 1;
        } while (++a != end);
    return least + 5L * count;
}

NOINLINE static void rows(double *a, size_t n, size_t m)
{
    for (size_t i = 0; i < n; i++) {
        double *p = a + i * m, *end = p + m;
        if (m != 0)
            do
                *p = *p * 0.5 + 1;
            while (++p != end);
    }
}

// Two loops behind one condition.
NOINLINE static void twice(int *a, unsigned n)
{
    int *end = a + n, *p = a;
    if (n != 0) {
        do
            *p = *p * 3 ^ 5;
        while (++p != end);
        p = a;
        do
            *p += *p >> 2;
        while (++p != end);
    }
}

NOINLINE static void leave(int x)
{
    if (x == -1)
        exit(7);
}

// With more elements than there are the call ends it; there is no end then.
NOINLINE static void calls(int *a, size_t n)
{
    int *end = a + n;
    if (n != 0)
        do {
            leave(*a);
            *a &= 127;
        } while (++a != end);
}

static void run(size_t n, unsigned char *c, struct point *p, double *a)
{
    long result[1];
    bytes(c, n);
    points(p, n);
    back(b, a, n);
    result[0] = extremes(k, n);
    rows(a, n ? 31 : 0, n / 40);
    calls(k, n);
    twice(k, (unsigned)n);
    harness_dump("result", result, 1, sizeof *result);
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    harness_fill(a, N, sizeof *a);
    harness_fill(b, N, sizeof *b);
    harness_fill(p, (size_t)N * 3, sizeof(float));
    for (int i = 0; i < N; i++) {
        c[i] = (unsigned char)(int)(a[i] * 100);
        k[i] = (int)(b[i] * 1000) & 0xffff;
    }
    run(N, c, p, a);
    run(N - 41, c + 3, p + 2, a + 1);
    run(0, 0, 0, 0);
    harness_dump("bytes", c, N, sizeof *c);
    harness_dump("points", p, (size_t)N * 3, sizeof(float));
    harness_dump("back", b, N, sizeof *b);
    harness_dump("rows", a, N, sizeof *a);
    harness_dump("calls", k, N, sizeof *k);
    return harness_end();
}
