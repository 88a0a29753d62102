// Sums and products of floating-point numbers beside stores keep their order, and
// the stores are kernels of their own: as in products with a matrix that sum up
// their result's product with something, and in steps of conjugate gradients.
//
// RUN: %gpu_cc -mfma %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: env POLYGPU=off POLYGPU_DUMP=%t.gpu.dump %t.gpu
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: %run_faults
//
// CHECK-DAG: polygpu: scop along {{.*}} runs=2 declined=0 failed=0
// CHECK-DAG: polygpu: kernel along_{{.*}}_0 {{.*}} launches=2 grid={{.*}} block=256,1,1
// CHECK-DAG: polygpu: kernel along_{{.*}}_1 {{.*}} launches=2 grid=1,1,1 block=1,1,1
// CHECK-DAG: polygpu: kernel along_{{.*}}_2 {{.*}} launches=2 grid=1,1,1 block=1,1,1
// CHECK-DAG: polygpu: scop in_plane {{.*}} runs=1 declined=0 failed=0
// CHECK-DAG: polygpu: kernel in_plane_{{.*}}_0 {{.*}} launches=1 grid={{.*}} block=32,8,1
// CHECK-DAG: polygpu: kernel in_plane_{{.*}}_1 {{.*}} launches=1 grid=1,1,1 block=1,1,1
// CHECK-DAG: polygpu: kernel in_plane_{{.*}}_2 {{.*}} launches=1 grid=1,1,1 block=1,1,1
// CHECK-DAG: polygpu: scop step {{.*}} runs=1 declined=0 failed=0
// CHECK-DAG: polygpu: kernel step_{{.*}}_1 {{.*}} launches=1 grid={{.*}} block=256,1,1
// CHECK-DAG: polygpu: kernel step_{{.*}}_3 {{.*}} launches=1 grid={{.*}} block=256,1,1
// CHECK-DAG: polygpu: scop several {{.*}} runs=1 declined=0 failed=0
// CHECK-DAG: polygpu: kernel several_{{.*}}_1 {{.*}} launches=1 grid={{.*}} block=256,1,1
// CHECK-DAG: polygpu: kernel several_{{.*}}_3 {{.*}} launches=1 grid={{.*}} block=256,1,1
// CHECK-DAG: polygpu: scop overwritten {{.*}} runs=1 declined=0 failed=0
// CHECK-DAG: polygpu: kernel overwritten_{{.*}}_0 {{.*}} launches=1 grid={{.*}} block=256,1,1
// CHECK-DAG: polygpu: scop behind {{.*}} runs=1 declined=0 failed=0
// CHECK-DAG: polygpu: kernel behind_{{.*}}_1 {{.*}} launches=1 grid={{.*}} block=256,1,1
// CHECK-DAG: polygpu: kernel behind_{{.*}}_2 {{.*}} launches=1 grid=1,1,1 block=1,1,1
// CHECK-DAG: polygpu: scop steps {{.*}} runs=1 declined=0 failed=0
// CHECK-DAG: polygpu: kernel steps_{{.*}} launches=1 grid=1,1,1 block=1024,1,1
// CHECK-DAG: polygpu: scop beside {{.*}} runs=1 declined=0 failed=0
// CHECK-DAG: polygpu: kernel beside_{{.*}}_0 {{.*}} launches=1
// CHECK-NOT: polygpu: scop so_far
#include "exec.h"

#include <math.h>

enum { N = 3001, M = 43 };

static double p[N], q[N], w[N], r[N], u[N], plane[N + 1], out[N];
static float f[N], g[N];

NOINLINE static double along(int n, const double *p, double *w)
{
    double sum = 0;
    for (int i = 0; i < n; i++) {
        w[i] = p[i] * 3 + p[i + 1];
        sum += w[i] * p[i];
    }
    return sum;
}

NOINLINE static double in_plane(int n, int m, const double *p, double *w)
{
    double sum = 0.5;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            w[i * m + j] = p[i * m + j] * 3 + p[i * m + j + 1];
            sum += w[i * m + j] * p[i * m + j];
        }
    return sum;
}

// Two stores, and a sum of what one of them stores.
NOINLINE static double step(int n, double alpha, double *u, double *r,
                            const double *p, const double *w)
{
    double rrn = 0;
    for (int i = 0; i < n; i++) {
        u[i] = u[i] + alpha * p[i];
        r[i] = r[i] - alpha * w[i];
        rrn += r[i] * r[i];
    }
    return rrn;
}

// Two sums and a product, one of them with two operations, and what is added is
// nowhere in memory.
NOINLINE static float several(int n, const float *f, float *g, float *other)
{
    float sum = 1, more = 0, most = 1;
    for (int i = 0; i < n; i++) {
        sum -= fabsf(f[i]) / 3;
        g[i] = f[i] * f[i];
        more += f[i];
        more += g[i];
        most *= 1 + f[i] * 1e-3f;
    }
    other[0] = more;
    other[1] = most;
    return sum;
}

// What is added was read before it is overwritten.
NOINLINE static double overwritten(int n, double *w)
{
    double sum = 0;
    for (int i = 0; i < n; i++) {
        double old = w[i];
        w[i] = old * old;
        sum += old;
    }
    return sum;
}

// Behind a loop of the same nest that is parallel without.
NOINLINE static double behind(int n, const double *restrict p,
                              double *restrict w, double *restrict r)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        r[i] = p[i] * 0.5;
    for (int i = 1; i < n; i++) {
        w[i] = r[i - 1] + p[i];
        sum += w[i] * r[i];
    }
    return sum;
}

NOINLINE static double steps(int t, int n, const double *restrict p,
                             double *restrict w)
{
    double last = 1;
    for (int k = 0; k < t; k++) {
        double sum = 0;
        for (int i = 0; i < n; i++) {
            w[i] = w[i] * 0.5 + p[i];
            sum += w[i];
        }
        last = last * 0.25 + sum;
    }
    return last;
}

// Nothing of it depends on the sum of another row.
NOINLINE static void beside(int n, int m, const double *restrict a,
                            double *restrict b, double *restrict y)
{
    for (int i = 0; i < n; i++) {
        double sum = 0;
        for (int j = 0; j < m; j++) {
            b[i * m + j] = a[i * m + j] * 2;
            sum += b[i * m + j] * a[i * m + j];
        }
        y[i] = sum;
    }
}

NOINLINE static void so_far(int n, const double *p, double *w)
{
    double sum = 0;
    for (int i = 0; i < n; i++) {
        sum += p[i];
        w[i] = sum;
    }
}

int main(int argc, char **argv)
{
    double results[10];
    float other[2];
    int n = 0;

    harness_start(argc, argv);
    harness_fill(p, N, sizeof *p);
    harness_fill(q, N, sizeof *q);
    harness_fill(r, N, sizeof *r);
    harness_fill(u, N, sizeof *u);
    harness_fill(plane, N + 1, sizeof *plane);
    harness_fill(f, N, sizeof *f);
    poison(results, sizeof results);
    poison(w, sizeof w);
    poison(g, sizeof g);
    poison(out, sizeof out);
    results[n++] = along(N - 1, p, w);
    dump("along", w, sizeof w);
    results[n++] = along(1, p + 4, w);
    results[n++] = in_plane(N / M, M, plane, w);
    dump("in_plane", w, sizeof w);
    results[n++] = step(N, 0.375, u, r, p, q);
    dump("u", u, sizeof u);
    dump("r", r, sizeof r);
    results[n++] = (double)several(N, f, g, other);
    dump("g", g, sizeof g);
    dump("other", other, sizeof other);
    results[n++] = overwritten(N, u);
    dump("u", u, sizeof u);
    results[n++] = behind(N, p, w, r);
    dump("w", w, sizeof w);
    results[n++] = steps(5, N, p, w);
    dump("w", w, sizeof w);
    beside(N / M, M, plane, w, out);
    dump("w", w, sizeof w);
    so_far(N, p, r);
    dump("r", r, sizeof r);
    dump("out", out, sizeof out);
    dump("results", results, sizeof(double) * (size_t)n);
    return harness_end();
}
