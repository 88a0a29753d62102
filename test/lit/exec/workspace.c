// Pieces of one array, as Fortran's programs have them in their workspace: from
// an element on that is computed, each has rows of its own.  None is declined for
// having more rows in front of it than one.
//
// RUN: %gpu_cc -mfma %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// CHECK: scop from {{.*}} runs=3 declined=0 failed=0
// CHECK-NEXT: kernel from_{{.*}} launches=3
// CHECK-NEXT: scop behind {{.*}} runs=1 declined=0 failed=0
// CHECK-NEXT: kernel behind_{{.*}} launches=1
//
// Columns of one matrix are none of these: they may be the same.
// CHECK-NEXT: scop columns {{.*}} runs=1 declined=0 failed=0
// CHECK-NEXT: kernel columns_{{.*}} launches=1
//
// Nor is an array behind the members of a structure for a step that is smaller
// than what they take.
// CHECK-NEXT: scop turned {{.*}} runs=3 declined=0 failed=0
// CHECK-NEXT: kernel turned_{{.*}} launches=3
//
// Neither where pointers move on by that step.
// CHECK-NEXT: scop turned_further {{.*}} runs=3 declined=0 failed=0
// CHECK-NEXT: kernel turned_further_{{.*}} launches=3
// CHECK-NEXT: scop turned_by_rows {{.*}} runs=3 declined=0 failed=0
// CHECK-NEXT: kernel turned_by_rows_{{.*}} launches=3
#include "exec.h"

enum { MOST = 9000 };

static double matrix[MOST], work[MOST], other[MOST];

NOINLINE static void from(int n, int m, int rows, int first,
                          const double *restrict a, double *restrict w)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            w[first + i + j * rows] = a[i + j * n] * 2;
}

/* Behind pieces whose lengths are products of sizes. */
NOINLINE static void behind(const int *n, const int *m, const int *k,
                            const double *restrict a, double *restrict w)
{
    int rows = *k + *n + *n, second = 1 + *m * (*n + 1), third = second + *m;

    a -= 1 + *n;
    --w;
    for (int i = 1; i <= *k; i++)
        for (int j = 1; j <= *n; j++)
            w[third - 1 + i + j * rows] = a[i + j * *n] - 1;
}

NOINLINE static void columns(int n, int m, int to, int of, double *a)
{
    for (int i = 0; i < n; i++)
        a[i * m + to] = a[i * m + of] + a[i * m];
}

struct plan {
    int n, inverse, factors[64];
    double turns[2000];
};

static struct plan plan;

NOINLINE static void turned(const struct plan *p, int n, int m, int step,
                            double *restrict x)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            x[i * m + j] *= p->turns[j * step] - p->turns[2 * j * step];
}

NOINLINE static void turned_further(const struct plan *p, int n, int step,
                                    double *restrict x)
{
    const double *once = p->turns, *twice = p->turns;
    double *to = x;
    do {
        *to++ *= *once - *twice;
        once += step;
        twice += 2 * step;
    } while (--n);
}

NOINLINE static void turned_by_rows(const struct plan *p, int n, int m,
                                    int step, double *restrict x)
{
    for (int i = 0; i < n; i++) {
        const double *turn = p->turns;
        for (int j = 0; j < m; j++, turn += step)
            x[i * m + j] += *turn;
    }
}

int main(int argc, char **argv)
{
    int n = 23, m = 19, k = 17;

    harness_start(argc, argv);
    harness_fill(matrix, MOST, sizeof *matrix);
    poison(work, sizeof work);
    harness_fill(other, MOST, sizeof *other);
    from(n, m, n, 0, matrix, work);
    from(n, m, n + 5, 1000, matrix, work);
    from(n, m, n, 7001, matrix, work);
    dump_double("work", work, MOST);
    behind(&n, &m, &k, matrix, work);
    columns(n, m, 3, 3, other);
    harness_fill(plan.turns, 2000, sizeof *plan.turns);
    turned(&plan, n, m, 1, matrix);
    turned(&plan, n, m, 7, matrix + n * m);
    turned(&plan, n, 10, 90, matrix + 2 * n * m);
    dump_double("matrix", matrix, MOST);
    turned_further(&plan, n, 1, matrix);
    turned_further(&plan, n, 7, matrix + n);
    turned_further(&plan, 10, 90, matrix + 3 * n);
    turned_by_rows(&plan, n, m, 1, matrix);
    turned_by_rows(&plan, n, m, 7, matrix + n * m);
    turned_by_rows(&plan, n, 10, 90, matrix + 2 * n * m);
    dump_double("matrix", matrix, MOST);
    dump_double("work", work, MOST);
    dump_double("other", other, MOST);
    return harness_end();
}
