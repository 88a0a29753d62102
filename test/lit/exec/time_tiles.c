// Several steps of time loops around sweeps run in overlapping tiles, one launch for
// all of them; compared with the sequential program, on the checked device and on the
// PTX machine.
//
// RUN: %gpu_cc -mfma %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck --check-prefix=AUTO %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// Wherever they can be, and with tiles of the user's that cut all sizes:
//
// RUN: %gpu_cc -mfma -mllvm -gpu-time=overlap \
// RUN:   -mllvm '-gpu-sizes={ kernel[i] -> time[3,5,7] }' %s %harness -o %t.gpu
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck --check-prefix=SMALL %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// And nowhere:
//
// RUN: %gpu_cc -mfma -mllvm -gpu-time=off %s %harness -o %t.gpu
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck --check-prefix=NONE %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// Steps are 1, 3, 4, 5 and 9, which are 1, 1, 1, 2 and 3 launches of 4 steps: 6 even
// and 2 odd ones.  After an odd number of them what was stored goes back.
//
// AUTO: scop jacobi {{.*}} runs=5 declined=0 failed=0
// AUTO-NEXT: kernel jacobi_{{.*}} launches=6
// AUTO-NEXT: kernel jacobi_{{.*}} launches=2
// AUTO-NEXT: kernel jacobi_{{.*}} launches=4
//
// AUTO: scop wave {{.*}} runs=5 declined=0 failed=0
// AUTO-NEXT: kernel wave_{{.*}} launches=6
// AUTO-NEXT: kernel wave_{{.*}} launches=2
// AUTO-NEXT: kernel wave_{{.*}} launches=4
// AUTO-NEXT: kernel wave_{{.*}} launches=4
//
// AUTO: scop field {{.*}} runs=5 declined=0 failed=0
// AUTO-NEXT: kernel field_{{.*}} launches=6
// AUTO-NEXT: kernel field_{{.*}} launches=2
// AUTO-NEXT: kernel field_{{.*}} launches=4
// AUTO-NEXT: kernel field_{{.*}} launches=4
//
// In one dimension a launch has 16 steps.
//
// AUTO: scop line {{.*}} runs=5 declined=0 failed=0
// AUTO-NEXT: kernel line_{{.*}} launches=5
// AUTO-NEXT: kernel line_{{.*}} launches=0
// AUTO-NEXT: kernel line_{{.*}} launches=5
//
// 1, 1, 2, 2 and 3 launches of 3 steps, of which 4 and 5 steps make an even number:
//
// SMALL: scop jacobi {{.*}} runs=5 declined=0 failed=0
// SMALL-NEXT: kernel jacobi_{{.*}} launches=6
// SMALL-NEXT: kernel jacobi_{{.*}} launches=3
// SMALL-NEXT: kernel jacobi_{{.*}} launches=3
//
// SMALL: scop wave {{.*}} runs=5 declined=0 failed=0
// SMALL-NEXT: kernel wave_{{.*}} launches=6
// SMALL-NEXT: kernel wave_{{.*}} launches=3
// SMALL-NEXT: kernel wave_{{.*}} launches=3
// SMALL-NEXT: kernel wave_{{.*}} launches=3
//
// SMALL: scop field {{.*}} runs=5 declined=0 failed=0
// SMALL-NEXT: kernel field_{{.*}} launches=6
// SMALL-NEXT: kernel field_{{.*}} launches=3
// SMALL-NEXT: kernel field_{{.*}} launches=3
// SMALL-NEXT: kernel field_{{.*}} launches=3
//
// SMALL: scop line {{.*}} runs=5 declined=0 failed=0
// SMALL-NEXT: kernel line_{{.*}} launches=6
// SMALL-NEXT: kernel line_{{.*}} launches=3
// SMALL-NEXT: kernel line_{{.*}} launches=3
//
// SMALL: scop mirrored {{.*}} runs=5 declined=0 failed=0
// SMALL-NEXT: kernel mirrored_{{.*}} launches=22
// SMALL-NEXT: kernel mirrored_{{.*}} launches=22
//
// SMALL: scop in_place {{.*}} runs=5 declined=0 failed=0
// SMALL-NEXT: kernel in_place_{{.*}} launches=184
//
// NONE: scop jacobi {{.*}} runs=5 declined=0 failed=0
// NONE-NEXT: kernel jacobi_{{.*}} launches=22
// NONE-NEXT: kernel jacobi_{{.*}} launches=22
//
// NONE: scop line {{.*}} runs=5 declined=0 failed=0
// NONE-NEXT: kernel line_{{.*}} launches=22
// NONE-NEXT: kernel line_{{.*}} launches=22
#include "exec.h"

#include <stdlib.h>

NOINLINE static void jacobi(int t, int n, int m, double (*restrict a)[m],
                            double (*restrict b)[m])
{
    for (int s = 0; s < t; s++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                b[i][j] = (a[i][j] + a[i - 1][j] + a[i + 1][j] + a[i][j - 1] +
                           a[i][j + 1]) /
                          5;
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                a[i][j] = (b[i][j] + b[i - 1][j] + b[i + 1][j] + b[i][j - 1] +
                           b[i][j + 1]) /
                          5;
    }
}

/* Floats and doubles, an array that is only read, steps that count from three,
 * and distances that differ by direction.
 */
NOINLINE static void wave(int t, int n, int m, double (*restrict next)[m],
                          double (*restrict now)[m], float (*restrict before)[m],
                          float (*restrict speed)[m])
{
    for (int s = 3; s < t + 3; s++) {
        for (int i = 1; i < n; i++)
            for (int j = 0; j < m - 2; j++)
                next[i][j] = now[i][j] - before[i][j] +
                             speed[i][j] * (now[i - 1][j] + now[i][j + 2]) / s;
        for (int i = 1; i < n; i++)
            for (int j = 0; j < m - 2; j++) {
                before[i][j] = (float)now[i][j];
                now[i][j] = next[i][j];
            }
    }
}

/* A row that comes from outside in each step, and sweeps in place. */
NOINLINE static void field(int t, int n, int m, const double *restrict source,
                           double (*restrict e)[m], double (*restrict h)[m])
{
    for (int s = 0; s < t; s++) {
        for (int j = 0; j < m; j++)
            e[0][j] = source[s];
        for (int i = 1; i < n; i++)
            for (int j = 0; j < m; j++)
                e[i][j] -= 0.5 * (h[i][j] - h[i - 1][j]);
        for (int i = 0; i < n - 1; i++)
            for (int j = 0; j < m; j++)
                h[i][j] -= 0.7 * (e[i + 1][j] - e[i][j]);
    }
}

NOINLINE static void line(int t, int n, float *restrict a, float *restrict b)
{
    for (int s = 0; s < t; s++) {
        for (int i = 3; i < n - 1; i++)
            b[i] = (a[i - 3] + a[i] + a[i + 1]) / 3;
        for (int i = 3; i < n - 1; i++)
            a[i] = b[i];
    }
}

/* Elements use new ones of their neighbours: no block could compute them alone. */
NOINLINE static void in_place(int t, int n, double *a)
{
    for (int s = 0; s < t; s++)
        for (int i = 1; i < n - 1; i++)
            a[i] = (a[i - 1] + a[i] + a[i + 1]) / 3;
}

/* Each element uses one that is far away. */
NOINLINE static void mirrored(int t, int n, double *restrict a,
                              double *restrict b)
{
    for (int s = 0; s < t; s++) {
        for (int i = 0; i < n; i++)
            b[i] = (a[i] + a[n - 1 - i]) / 2;
        for (int i = 0; i < n; i++)
            a[i] = b[i];
    }
}

NOINLINE static void all(int t, int n, int m)
{
    size_t size = (size_t)n * m;
    double *a = harness_alloc(size, sizeof *a);
    double *b = harness_alloc(size, sizeof *b);
    float *c = harness_alloc(size, sizeof *c);
    float *d = harness_alloc(size, sizeof *d);
    double source[9];

    harness_fill(a, size, sizeof *a);
    harness_fill(b, size, sizeof *b);
    harness_fill(source, 9, sizeof *source);
    for (size_t i = 0; i < size; i++) {
        c[i] = (float)a[size - 1 - i];
        d[i] = (float)b[size - 1 - i];
    }
    jacobi(t, n, m, (void *)a, (void *)b);
    dump_double("a", a, size);
    wave(t, n, m, (void *)b, (void *)a, (void *)c, (void *)d);
    dump_double("b", b, size);
    field(t, n, m, source, (void *)a, (void *)b);
    line(t, (int)size, c, d);
    mirrored(t, m, a, b);
    in_place(t, m, a);
    dump_double("a", a, size);
    dump_double("b", b, size);
    dump_float("c", c, size);
    dump_float("d", d, size);
    free(a);
    free(b);
    free(c);
    free(d);
}

int main(int argc, char **argv)
{
    static const int steps[] = {1, 3, 4, 5, 9};
    static const int sizes[][2] = {{9, 12}, {3, 3}, {41, 65}, {40, 32}, {83, 50}};

    harness_start(argc, argv);
    for (int i = 0; i < 5; i++)
        all(steps[i], sizes[i][0], sizes[i][1]);
    return harness_end();
}
