// A thread of a loop that goes over arrays once has as many points as 16 bytes have
// elements, and loads and stores vectors, where these are known to begin at
// multiples of that on the device: whatever the program's pointers are. Loops from
// other numbers, sizes that are no multiples, small types, and what has no vectors:
// other strides, backwards, places that parameters say.
//
// RUN: %gpu_cc %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: %gpu_cc %s %harness -o %t.gpu \
// RUN:   -mllvm '-gpu-sizes={ kernel[i] -> grid[1] }'
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck --check-prefix=WRAPS %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// RUN: %clang -O1 -Xclang -disable-llvm-passes -S -emit-llvm -I%S/Inputs \
// RUN:   -I%programs %s -o %t.ll
// RUN: %opt -passes='print<gpu-ptx>' -gpu-arch=sm_90 -disable-output %t.ll \
// RUN:   2>&1 | %FileCheck --check-prefix=PTX %s
//
// CHECK-DAG: kernel axpy_{{.*}} launches=4 grid=7,1,1
// CHECK-DAG: kernel triad_{{.*}} launches=4 grid=13,1,1
// CHECK-DAG: kernel bytes_{{.*}} launches=4 grid=4,1,1
// CHECK-DAG: kernel stencil_{{.*}} launches=2 grid=7,1,1
// CHECK-DAG: kernel complex_{{.*}} launches=4 grid=25,1,1
// CHECK-DAG: kernel mixed_{{.*}} launches=4 grid=13,1,1
// CHECK-DAG: kernel rows_{{.*}} launches=2 grid=3,1,1
// CHECK-DAG: kernel positive_{{.*}} launches=4
// CHECK-DAG: kernel backwards_{{.*}} launches=4 grid=25,1,1
// CHECK-DAG: kernel third_{{.*}} launches=4 grid=25,1,1
// CHECK-DAG: kernel from_{{.*}} launches=4 grid=25,1,1
// CHECK-DAG: kernel sum_{{.*}}_0 {{.*}} launches=4 grid=25,1,1
// WRAPS-DAG: kernel axpy_{{.*}} launches=4 grid=1,1,1
#include "exec.h"

enum { N = 6400, ROW = 640 };

static float x[3 * N + 9], y[3 * N + 9], z[3 * N + 9], table[5][ROW];
static double u[N + 9], v[N + 9], w[N + 9];
static short s[N + 9], t[N + 9];
static signed char b[N + 9], c[N + 9];

// PTX-LABEL: .entry axpy_
// PTX: ld.global{{.*}}.v4.b32
// PTX: ld.global{{.*}}.v4.b32
// PTX: st.global.v4.b32
NOINLINE static void axpy(int n, float a, const float *from, float *to)
{
    for (int i = 0; i < n; i++)
        to[i] += a * from[i];
}

// PTX-LABEL: .entry triad_
// PTX-COUNT-2: ld.global{{.*}}.v2.b64
// PTX: st.global.v2.b64
NOINLINE static void triad(int n, double a, double *to, const double *p,
                           const double *q)
{
    for (int i = 0; i < n; i++)
        to[i] = p[i] + a * q[i];
}

// PTX-LABEL: .entry shorts_
// PTX: st.global.v4.b32
NOINLINE static void shorts(int n, short *to, const short *from)
{
    for (int i = 0; i < n; i++)
        to[i] = (short)(from[i] * 3 + to[i]);
}

// PTX-LABEL: .entry bytes_
// PTX: st.global.v2.b32
NOINLINE static void bytes(int n, signed char *to, const signed char *from)
{
    for (int i = 0; i < n; i++)
        to[i] = (signed char)(from[i] + 1);
}

// PTX-LABEL: .entry stencil_
// PTX: ld.global{{.*}}.v4.b32
// PTX: st.global.v4.b32
NOINLINE static void stencil(int n, float *to, const float *from)
{
    for (int i = 3; i < n - 3; i++)
        to[i] = from[i - 1] + 2 * from[i] - from[i + 1];
}

// One point of a thread, whose parts are a vector.
// PTX-LABEL: .entry complex_
// PTX-COUNT-2: ld.global{{.*}}.v2.b32
// PTX: st.global.v2.b32
NOINLINE static void complex(int n, float *to, const float *p, const float *q)
{
    for (int i = 0; i < n; i++) {
        to[2 * i] = p[2 * i] * q[2 * i] - p[2 * i + 1] * q[2 * i + 1];
        to[2 * i + 1] = p[2 * i] * q[2 * i + 1] + p[2 * i + 1] * q[2 * i];
    }
}

// PTX-LABEL: .entry mixed_
// PTX-DAG: ld.global{{.*}}.v2.b32
// PTX-DAG: ld.global{{.*}}.v2.b64
// PTX: st.global.v2.b64
NOINLINE static void mixed(int n, double *to, const float *p, const double *q)
{
    for (int i = 0; i < n; i++)
        to[i] = p[i] * q[i];
}

// A row in each launch.
NOINLINE static void rows(int n)
{
    for (int r = 1; r < 5; r++)
        for (int i = 0; i < n / 10; i++)
            table[r][i] = table[r - 1][i] * 0.5f + table[r][i];
}

// PTX-LABEL: .entry positive_
// PTX-NOT: st.global{{.*}}.v
NOINLINE static void positive(int n, float *to, const float *from)
{
    for (int i = 0; i < n; i++)
        if (from[i] > 0)
            to[i] = from[i];
}

NOINLINE static void backwards(int n, float *to, const float *from)
{
    for (int i = 0; i < n; i++)
        to[i] = from[n - 1 - i];
}

NOINLINE static void third(int n, float *to, const float *from)
{
    for (int i = 0; i < n; i++)
        to[i] = from[3 * i];
}

NOINLINE static void from(int n, int m, float *to)
{
    for (int i = 0; i < n; i++)
        to[i + m] = to[i + m] * 2;
}

NOINLINE static int sum(int n, const signed char *p)
{
    int result = 0;

    for (int i = 0; i < n; i++)
        result += p[i];
    return result;
}

static void run(int n, int shift)
{
    int total;

    axpy(n, 1.5f, x + shift, y);
    dump("y", y, sizeof y);
    triad(n, 2.5, u + shift, v, w + 1);
    dump("u", u, sizeof u);
    shorts(n, s, t + shift);
    dump("s", s, sizeof s);
    bytes(n, c + shift, b);
    dump("c", c, sizeof c);
    stencil(n, z + shift, x);
    dump("z", z, sizeof z);
    complex(n, z, x + shift, y + 1);
    dump("z", z, sizeof z);
    mixed(n, v, x + shift, u);
    dump("v", v, sizeof v);
    rows(n);
    dump("table", table, sizeof table);
    positive(n, z, x + shift);
    dump("z", z, sizeof z);
    backwards(n, y + shift, x);
    dump("y", y, sizeof y);
    third(n, y, x + shift);
    dump("y", y, sizeof y);
    from(n, shift, z);
    dump("z", z, sizeof z);
    total = sum(n, b + shift);
    dump("total", &total, sizeof total);
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    harness_fill(x, sizeof x / sizeof(float), sizeof(float));
    harness_fill(y, sizeof y / sizeof(float), sizeof(float));
    harness_fill(table, sizeof table / sizeof(float), sizeof(float));
    harness_fill(u, sizeof u / sizeof(double), sizeof(double));
    harness_fill(v, sizeof v / sizeof(double), sizeof(double));
    harness_fill(w, sizeof w / sizeof(double), sizeof(double));
    random_bits(s, sizeof s);
    random_bits(t, sizeof t);
    random_bits(b, sizeof b);
    poison(c, sizeof c);
    poison(z, sizeof z);
    run(0, 0);
    run(1, 1);
    run(3, 2);
    run(4999, 3);
    run(6400, 0);
    return harness_end();
}
