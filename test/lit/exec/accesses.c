// What the profile says of accesses on the checked device: rows that are copied
// (50 of 64 floats are 7 sectors), a transposition whose loads are not
// coalesced, one element for all threads of a warp, and each second element.
//
// RUN: %gpu_cc -mllvm -gpu-promotion=off %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// CHECK-COUNT-4: polygpu: kernel {{.*}} device=emulated launches=1
// CHECK-NEXT: polygpu: accesses copy_{{[0-9]+}}_0 global_loads=2500 global_load_bytes=10000 global_load_sectors=350 global_stores=2500 global_store_bytes=10000 global_store_sectors=350 shared_loads=0 shared_load_bytes=0 shared_stores=0 shared_store_bytes=0 conflicts=0 barriers=0{{$}}
// CHECK-NEXT: polygpu: accesses transpose_{{[0-9]+}}_0 global_loads=2500 global_load_bytes=10000 global_load_sectors=2500 global_stores=2500 global_store_bytes=10000 global_store_sectors=350 shared_loads=0 shared_load_bytes=0 shared_stores=0 shared_store_bytes=0 conflicts=0 barriers=0{{$}}
// CHECK-NEXT: polygpu: accesses spread_{{[0-9]+}}_0 global_loads=2500 global_load_bytes=10000 global_load_sectors=100 global_stores=2500 global_store_bytes=10000 global_store_sectors=350 shared_loads=0 shared_load_bytes=0 shared_stores=0 shared_store_bytes=0 conflicts=0 barriers=0{{$}}
// CHECK-NEXT: polygpu: accesses second_{{[0-9]+}}_0 global_loads=64 global_load_bytes=512 global_load_sectors=32 global_stores=64 global_store_bytes=512 global_store_sectors=16 shared_loads=0 shared_load_bytes=0 shared_stores=0 shared_store_bytes=0 conflicts=0 barriers=0{{$}}
// CHECK-NOT: polygpu: accesses
#include "exec.h"

enum { N = 64 };

static float a[N][N], b[N][N], c[N][N];
static double x[2 * N], y[N];

NOINLINE static void copy(int n)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            b[i][j] = a[i][j];
}

NOINLINE static void transpose(int n)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            c[i][j] = a[j][i];
}

NOINLINE static void spread(int n)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            a[i][j] = b[i][0];
}

NOINLINE static void second(int n)
{
    for (int i = 0; i < n; i++)
        y[i] = x[2 * i];
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    for (int i = 0; i < N * N; i++)
        a[0][i] = harness_random();
    for (int i = 0; i < 2 * N; i++)
        x[i] = harness_random();
    copy(50);
    transpose(50);
    spread(50);
    second(N);
    dump("a", a, sizeof a);
    dump("b", b, sizeof b);
    dump("c", c, sizeof c);
    dump("y", y, sizeof y);
    return harness_end();
}
