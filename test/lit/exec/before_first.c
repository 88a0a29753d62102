// Arrays as f2c writes Fortran's: a pointer to where the element 0, 0 would be,
// "a -= 1 + rows", made in front of what stays on the host.  A row or a column of
// such an array is a row or a column, and no nest is declined at run time.
//
// RUN: %gpu_cc -mfma %s %harness -o %t.gpu -Rpass-analysis=gpu-polyhedral 2>&1 \
// RUN:   | %FileCheck --check-prefix=WHERE %s
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// WHERE: runs on the device if {{.*}} p2 < p1, where p0 is the value loaded from n, p1 is the value loaded from m, p2 is
//
// CHECK: scop rows {{.*}} runs=37 declined=0 failed=0
// CHECK-NEXT: kernel rows_{{.*}} launches=37
// CHECK-NEXT: scop columns {{.*}} runs=23 declined=0 failed=0
// CHECK-NEXT: kernel columns_{{.*}} launches=23
// CHECK-NEXT: scop volumes {{.*}} runs=11 declined=0 failed=0
// CHECK-NEXT: kernel volumes_{{.*}} launches=11
#include "exec.h"

enum { ROWS = 37, COLUMNS = 23, PLANES = 11 };

static double plane[ROWS * COLUMNS], volume[ROWS * COLUMNS * PLANES], sum[64];

/* The host reads what each iteration ends with. */
HOST double host(const double *p)
{
    return *p > 1e300 ? 1 : 0;
}

NOINLINE static int rows(const int *m, const int *n, const double *a, double *w,
                         const double *by)
{
    int a_dim1 = *m, a_offset = 1 + a_dim1, i, k, over = 0;

    a -= a_offset;
    --w;
    --by;
    for (k = 1; k <= *m; ++k) {
        double t = by[k];

        if (t != t)
            return -1;
        for (i = 1; i <= *n; ++i)
            w[i] += t * a[k + i * a_dim1];
        over += (int)host(&w[1]);
    }
    return over;
}

NOINLINE static int columns(const int *m, const int *n, double *a, double *w,
                            const double *by)
{
    int a_dim1 = *m, a_offset = 1 + a_dim1, i, k, over = 0;

    a -= a_offset;
    --w;
    --by;
    for (k = 1; k <= *n; ++k) {
        double t = by[k];

        if (t != t)
            return -1;
        for (i = 1; i <= *m; ++i)
            a[i + k * a_dim1] += t * w[i];
        over += (int)host(&w[1]);
    }
    return over;
}

NOINLINE static int volumes(const int *m, const int *n, const int *l, double *a,
                            const double *by)
{
    int a_dim1 = *m, a_dim2 = *n, a_offset = 1 + a_dim1 * (1 + a_dim2), i, j, k;
    int over = 0;

    a -= a_offset;
    --by;
    for (k = 1; k <= *l; ++k) {
        double t = by[k];

        if (t != t)
            return -1;
        for (j = 1; j <= *n; ++j)
            for (i = 1; i <= *m; ++i)
                a[i + (j + k * a_dim2) * a_dim1] *= t;
        over += (int)host(&by[1]);
    }
    return over;
}

int main(int argc, char **argv)
{
    int m = ROWS, n = COLUMNS, l = PLANES;
    int over = 0;

    harness_start(argc, argv);
    harness_fill(plane, ROWS * COLUMNS, sizeof *plane);
    harness_fill(volume, ROWS * COLUMNS * PLANES, sizeof *volume);
    harness_fill(sum, 64, sizeof *sum);
    over += rows(&m, &n, plane, sum, volume);
    over += columns(&m, &n, plane, sum, volume);
    over += volumes(&m, &n, &l, volume, plane);
    dump("over", &over, sizeof over);
    dump_double("plane", plane, ROWS * COLUMNS);
    dump_double("volume", volume, ROWS * COLUMNS * PLANES);
    dump_double("sum", sum, 64);
    return harness_end();
}
