// Scalars and arrays that are overwritten in each iteration of a loop, and
// whose values do not cross iterations: each iteration gets its own. What lives
// on after the loops is copied to its place.
//
// RUN: %gpu_cc -mfma %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: %run_auto POLYGPU_FAULT=alloc:5 %t.gpu 2>&1 | %FileCheck --check-prefix=FAULT %s
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: %run_auto POLYGPU_FAULT=alloc:12+ %t.gpu 2>&1 | %FileCheck --check-prefix=FAULT %s
// RUN: cmp %t.ref.dump %t.gpu.dump
// FAULT: polygpu: {{.*}}: injected fault: alloc number {{[0-9]+}} failed; this process has {{[0-9]+}} bytes there, for {{[0-9]+}} arrays; running loops on the CPU
//
// Each function runs with two sets of sizes, and once with nothing to do. What
// is copied back has a kernel of its own; a local array is not copied.
//
// CHECK: polygpu: scop symm_float {{.*}} runs=2 declined=0 failed=0
// CHECK-NEXT: kernel {{.*}} launches=2 {{.*}} block=16,16,1
// CHECK-NEXT: polygpu: scop symm_double {{.*}} runs=2 declined=0 failed=0
// CHECK-NEXT: kernel {{.*}} launches=2 {{.*}} block=16,8,1
// CHECK-NEXT: polygpu: scop row {{.*}} runs=2 declined=0 failed=0
// CHECK-NEXT: kernel {{.*}} launches=2 {{.*}} block=16,16,1
// CHECK-NEXT: kernel {{.*}} launches=2 {{.*}} block=23,5,4
// CHECK-NEXT: kernel {{.*}} launches=2 {{.*}} block=256,1,1
// CHECK-NEXT: polygpu: scop window {{.*}} runs=2 declined=0 failed=0 {{.*}} bytes_out=6816
// CHECK-NEXT: kernel {{.*}} launches=2 {{.*}} block=32,8,1
// CHECK-NEXT: kernel {{.*}} launches=2 {{.*}} block=23,11,1
// CHECK-NEXT: polygpu: scop rows {{.*}} runs=2 declined=0 failed=0
// CHECK-NEXT: kernel {{.*}} launches=2 {{.*}} block=32,8,1
// CHECK-NEXT: polygpu: scop most {{.*}} runs=2 declined=0 failed=0
// CHECK-NEXT: kernel {{.*}} launches=2 {{.*}} block=32,8,1
// CHECK-NEXT: kernel {{.*}} launches=2 {{.*}} block=23,11,1
// CHECK-NEXT: polygpu: scop some {{.*}} runs=2 declined=0 failed=0
// CHECK-NEXT: kernel {{.*}} launches=2 {{.*}} block=23,11,1
// CHECK-NEXT: kernel {{.*}} launches=2 {{.*}} block=1,1,1
// CHECK-NOT: kernel
#include "exec.h"

enum { N = 37, M = 23, SIZES = 3 };

static const int sizes[SIZES][2] = {{0, 5}, {1, 1}, {N, M}};

static float af[N][N], bf[N][M], cf[SIZES][N][M];
static double ad[N][N], bd[N][M], cd[SIZES][N][M], sum[SIZES][M];
static double cube[SIZES][5][7][M], square[M][M];
static int ai[N][M], ci[SIZES][N][M], last[SIZES];
static float xf[N][M], yf[SIZES][N][M];

/* A sum that goes into an expression, as in symm. */
#define SYMM(name, type)                                                       \
    NOINLINE static void name(int n, int m, type a[N][N], type b[N][M],        \
                              type c[N][M])                                    \
    {                                                                          \
        for (int i = 0; i < n; i++)                                            \
            for (int j = 0; j < m; j++) {                                      \
                type temp = 0;                                                 \
                for (int k = 0; k < i; k++) {                                  \
                    c[k][j] += 3 * b[i][j] * a[i][k];                          \
                    temp += b[k][j] * a[i][k];                                 \
                }                                                              \
                c[i][j] = 2 * c[i][j] + 3 * b[i][j] * a[i][i] + 3 * temp;      \
            }                                                                  \
    }

SYMM(symm_float, float)
SYMM(symm_double, double)

/* A row that the caller gets, as in doitgen: the last one. */
NOINLINE static void row(int nr, int nq, int np, double a[5][7][M], double *s)
{
    for (int r = 0; r < nr; r++)
        for (int q = 0; q < nq; q++) {
            for (int p = 0; p < np; p++) {
                s[p] = 0;
                for (int k = 0; k < np; k++)
                    s[p] += a[r][q][k] * square[k][p];
            }
            for (int p = 0; p < np; p++)
                a[r][q][p] = s[p];
        }
}

/* A small array of the function's own. */
NOINLINE static void window(int n, int m, double c[N][M])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            double t[8];
            for (int k = 0; k < 8; k++)
                t[k] = bd[i][j] * (k + 1);
            for (int k = 0; k < 8; k++)
                c[i][j] += t[k] * t[7 - k];
        }
}

/* A recurrence in each row, as in deriche. */
NOINLINE static void rows(int n, int m, float y[N][M])
{
    for (int i = 0; i < n; i++) {
        float y1 = 0, y2 = 0, x1 = 0;
        for (int j = 0; j < m; j++) {
            y[i][j] = 0.5f * xf[i][j] + 0.25f * x1 + 0.125f * y1 + 0.3f * y2;
            x1 = xf[i][j];
            y2 = y1;
            y1 = y[i][j];
        }
    }
}

/* A maximum of a row, in each element of it. */
NOINLINE static void most(int n, int m, int c[N][M])
{
    for (int i = 0; i < n; i++) {
        int t = -1000;
        for (int j = 0; j < m; j++)
            t = ai[i][j] > t ? ai[i][j] : t;
        for (int j = 0; j < m; j++)
            c[i][j] = t - ai[i][j];
    }
}

/* Written in some iterations; the caller gets what was written last. */
NOINLINE static void some(int n, int m, int c[N][M], int *t)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            if (j <= i) {
                int v = ai[i][j] * 3;
                *t = v;
                c[i][j] = (v ^ i) + (v >> 3);
            }
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    harness_fill(af, N * N, sizeof(float));
    harness_fill(bf, N * M, sizeof(float));
    harness_fill(xf, N * M, sizeof(float));
    harness_fill(ad, N * N, sizeof(double));
    harness_fill(bd, N * M, sizeof(double));
    harness_fill(square, M * M, sizeof(double));
    harness_fill(cube, SIZES * 5 * 7 * M, sizeof(double));
    for (int i = 0; i < N * M; i++)
        ai[0][i] = (int)(harness_random() * 1000);
    harness_fill(cf, SIZES * N * M, sizeof(float));
    harness_fill(cd, SIZES * N * M, sizeof(double));
    poison(sum, sizeof sum);
    poison(yf, sizeof yf);
    poison(ci, sizeof ci);
    poison(last, sizeof last);
    for (int k = 0; k < SIZES; k++) {
        int n = sizes[k][0], m = sizes[k][1];

        symm_float(n, m, af, bf, cf[k]);
        symm_double(n, m, ad, bd, cd[k]);
        row(n < 5 ? n : 5, m < 7 ? m : 7, m, cube[k], sum[k]);
        window(n, m, cd[k]);
        rows(n, m, yf[k]);
        most(n, m, ci[k]);
        some(n, m, ci[k], &last[k]);
    }
    dump("cf", cf, sizeof cf);
    dump("cd", cd, sizeof cd);
    dump("cube", cube, sizeof cube);
    dump("sum", sum, sizeof sum);
    dump("yf", yf, sizeof yf);
    dump("ci", ci, sizeof ci);
    dump("last", last, sizeof last);
    return harness_end();
}
