// Nests over rows of constant length that use nothing again load and store
// vectors, as loops over one array do: from other columns on, in place, with a
// value for each row, in three dimensions.  Rows that no vector
// divides, stencils, and outer products do not.
//
// RUN: %gpu_cc -mfma %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: env POLYGPU_DUMP=%t.gpu.dump POLYGPU_DEVICE=emulated POLYGPU_COST=off \
// RUN:     POLYGPU_FAULT=launch:1 %t.gpu 2>&1 | \
// RUN:     %FileCheck --check-prefix=FAULT %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// RUN: %clang -O1 -Xclang -disable-llvm-passes -S -emit-llvm -I%S/Inputs \
// RUN:   -I%programs %s -o %t.ll
// RUN: %opt -passes='print<gpu-ptx>' -gpu-arch=sm_90 -disable-output %t.ll \
// RUN:   2>&1 | %FileCheck --check-prefix=PTX %s
//
// CHECK-DAG: kernel scaled_{{.*}} launches=3 grid=3,8,1 block=32,8,1
// CHECK-DAG: kernel inner_{{.*}} launches=3 grid=3,8,1 block=32,8,1
// CHECK-DAG: kernel doubles_{{.*}} launches=3 grid=3,8,1 block=32,8,1
// CHECK-DAG: kernel boxes_{{.*}} launches=3 grid=2,3,5 block=32,8,1
// CHECK-DAG: kernel uneven_{{.*}} launches=3
// CHECK-DAG: kernel blurred_{{.*}} launches=3
// CHECK-DAG: kernel outer_{{.*}} launches=3
// FAULT: injected fault: launch number 1 failed
#include "exec.h"

enum { ROWS = 60, LONG = 320, UNEVEN = 321, PLANES = 5, SIDE = 20, DEEP = 160 };

static float a[ROWS][LONG], b[ROWS][LONG], row[LONG], column[ROWS];
static float p[ROWS][UNEVEN], q[ROWS][UNEVEN];
static double u[ROWS][LONG / 2], v[ROWS][LONG / 2];
static float f[PLANES][SIDE][DEEP], g[PLANES][SIDE][DEEP];

// PTX-LABEL: .entry scaled_
// PTX: ld.global{{.*}}.v4.b32
// PTX: st.global.v4.b32
NOINLINE static void scaled(int n, int m, float (*restrict to)[LONG],
                            float (*restrict from)[LONG],
                            const float *restrict column)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            to[i][j] = to[i][j] + column[i] * from[i][j];
}

// PTX-LABEL: .entry inner_
// PTX: st.global.v4.b32
NOINLINE static void inner(int n, int m, float (*restrict to)[LONG],
                           float (*restrict from)[LONG])
{
    for (int i = 1; i < n; i++)
        for (int j = 3; j < m; j++)
            to[i][j] = 2 * from[i - 1][j];
    for (int i = 1; i < n; i++)
        for (int j = 3; j < m; j++)
            to[i][j] += 1;
}

// PTX-LABEL: .entry doubles_
// PTX: ld.global{{.*}}.v2.b64
// PTX: st.global.v2.b64
NOINLINE static void doubles(int n, int m, double (*restrict to)[LONG / 2],
                             double (*restrict from)[LONG / 2])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            to[i][j] = from[i][j] * from[i][j];
}

// PTX-LABEL: .entry boxes_
// PTX: st.global.v4.b32
NOINLINE static void boxes(int l, int n, int m,
                           float (*restrict to)[SIDE][DEEP],
                           float (*restrict from)[SIDE][DEEP])
{
    for (int k = 0; k < l; k++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++)
                to[k][i][j] -= from[k][i][j];
}

// PTX-LABEL: .entry uneven_
// PTX-NOT: st.global{{.*}}.v
NOINLINE static void uneven(int n, int m, float (*restrict to)[UNEVEN],
                            float (*restrict from)[UNEVEN])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            to[i][j] = 3 * from[i][j];
}

NOINLINE static void blurred(int n, int m, float (*restrict to)[LONG],
                             float (*restrict from)[LONG])
{
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < m - 1; j++)
            to[i][j] = from[i][j - 1] + from[i - 1][j] + from[i + 1][j] +
                       from[i][j + 1];
}

NOINLINE static void outer(int n, int m, float (*restrict to)[LONG],
                           const float *restrict row,
                           const float *restrict column)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            to[i][j] += column[i] * row[j];
}

HOST void run(int n, int m)
{
    harness_fill(a, sizeof a / sizeof **a, sizeof **a);
    harness_fill(b, sizeof b / sizeof **b, sizeof **b);
    harness_fill(row, LONG, sizeof *row);
    harness_fill(column, ROWS, sizeof *column);
    harness_fill(p, sizeof p / sizeof **p, sizeof **p);
    harness_fill(u, sizeof u / sizeof **u, sizeof **u);
    harness_fill(f, sizeof f / sizeof ***f, sizeof ***f);
    harness_fill(g, sizeof g / sizeof ***g, sizeof ***g);
    poison(q, sizeof q);
    poison(v, sizeof v);
    scaled(n, m, a, b, column);
    dump("scaled", a, sizeof a);
    inner(n, m, b, a);
    dump("inner", b, sizeof b);
    doubles(n, m / 2, v, u);
    dump("doubles", v, sizeof v);
    boxes(n / 12, n / 3, m / 2, f, g);
    dump("boxes", f, sizeof f);
    uneven(n, m, q, p);
    dump("uneven", q, sizeof q);
    blurred(n, m, a, b);
    dump("blurred", a, sizeof a);
    outer(n, m, b, row, column);
    dump("outer", b, sizeof b);
}

int main(int argc, char **argv)
{
    static const int sizes[][2] = {{0, 0}, {60, 320}, {13, 37}, {36, 8}};

    harness_start(argc, argv);
    for (int i = 0; i < 4; i++)
        run(sizes[i][0], sizes[i][1]);
    return harness_end();
}
