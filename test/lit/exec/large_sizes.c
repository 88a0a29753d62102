// Counters and sizes of 64 bits that nothing bounds: what could only wrap around
// at sizes that no array has is left out of the model, and a run with such a
// size is declined.
//
// RUN: %gpu_cc -ffp-contract=off -Rpass=gpu-polyhedral %s %harness -lm -o %t.gpu 2>&1 \
// RUN:   | %FileCheck --check-prefix=REMARK %s
// RUN: %ref_cc -ffp-contract=off %s %harness -lm -o %t.ref
// RUN: %run_ref %t.ref
// RUN: env POLYGPU_DEBUG=1 %run_auto %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// CHECK: polygpu: {{.*}}capped{{.*}}a size is too large for the index arithmetic of the kernels
// CHECK: polygpu: scop rotate {{.*}} runs=91 declined=0 failed=0
// CHECK: polygpu: scop capped {{.*}} runs=1 declined=2 failed=0
#include "exec.h"
#include <limits.h>
#include <math.h>
#include <stddef.h>

enum { N = 13 };

struct vector {
    size_t size, stride;
    double *data;
};

struct matrix {
    size_t rows, columns, pitch;
    double *data;
};

static double a[N * (N + 3)], s[2 * N], w[N], d[N], x[N];

static double *of(const struct vector *v, size_t i)
{
    return &v->data[i * v->stride];
}

static double *at(const struct matrix *m, size_t i, size_t j)
{
    return &m->data[i * m->pitch + j];
}

// A diagonal matrix is turned into a triangular one, row after row.
NOINLINE static void rotate(struct matrix *m, struct vector *v,
                            struct vector *u, const struct vector *diagonal,
                            double factor)
{
    const size_t n = m->columns;

    for (size_t j = 0; j < n; j++) {
        double rest = 0, di = factor * *of(diagonal, j);

        if (di == 0)
            continue;
        *of(v, j) = di;
        for (size_t k = j; k < n; k++) {
            double sine, cosine, uk = *of(u, k), mk = *at(m, k, k);
            double vk = *of(v, k);

            if (vk == 0)
                continue;
            if (fabs(mk) < fabs(vk)) {
                double t = mk / vk;

                sine = 0.5 / sqrt(0.25 + 0.25 * t * t);
                cosine = sine * t;
            } else {
                double t = vk / mk;

                cosine = 0.5 / sqrt(0.25 + 0.25 * t * t);
                sine = cosine * t;
            }
            *at(m, k, k) = cosine * mk + sine * vk;
            *of(u, k) = cosine * uk + sine * rest;
            rest = -sine * uk + cosine * rest;
            // REMARK: large_sizes.c:[[#@LINE+1]]:13: remark: loops offloaded as {{[0-9]+}} kernel{{.*}}rotate
            for (size_t i = k + 1; i < n; i++) {
                double mi = *at(m, i, k), vi = *of(v, i);
                double turned = cosine * mi + sine * vi;

                vi = -sine * mi + cosine * vi;
                *at(m, i, k) = turned;
                *of(v, i) = vi;
            }
        }
        *of(v, j) = rest;
    }
}

NOINLINE static void capped(long n, long cap, double *y)
{
    // REMARK: large_sizes.c:[[#@LINE+1]]:5: remark: loops offloaded as 1 kernel{{.*}}capped
    for (long i = 0; i < (n < cap ? n : cap); i++)
        y[i] = 2 * y[i] + 1;
}

int main(int argc, char **argv)
{
    struct matrix m = {N, N, N + 3, a};
    struct vector v = {N, 2, s}, u = {N, 1, w}, diagonal = {N, 1, d};

    harness_start(argc, argv);
    harness_fill(a, N * (N + 3), sizeof *a);
    harness_fill(s, 2 * N, sizeof *s);
    harness_fill(w, N, sizeof *w);
    harness_fill(d, N, sizeof *d);
    harness_fill(x, N, sizeof *x);
    for (int i = 0; i < N; i++)
        d[i] = fabs(d[i]) + 1;
    rotate(&m, &v, &u, &diagonal, 1.5);
    capped(N, LONG_MAX, x);
    capped(LONG_MAX, N / 2, x);
    capped(N - 1, N, x);
    dump("a", a, sizeof a);
    dump("s", s, sizeof s);
    dump("w", w, sizeof w);
    dump("x", x, sizeof x);
    return harness_end();
}
