// Arrays that turn out to be the same one or to overlap: the run-time check
// leads to the original loops, which are right; "mandatory" says so and ends
// the program with status 3.  Called on two arrays, the same code is offloaded.
//
// RUN: %gpu_cc %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref apart
// RUN: %run_gpu %t.gpu apart 2>&1 | %FileCheck --check-prefix=APART %s
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: %run_ref %t.ref same
// RUN: %run_auto %t.gpu same 2>&1 | %FileCheck --check-prefix=SAME %s
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: %python %S/Inputs/status.py 3 env POLYGPU=mandatory \
// RUN:   POLYGPU_DEVICE=emulated %t.gpu same 2>&1 \
// RUN:   | %FileCheck --check-prefix=ENDED %s
// RUN: %run_ref %t.ref shifted
// RUN: %run_auto %t.gpu shifted 2>&1 | %FileCheck --check-prefix=SAME %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// APART: polygpu: scop scale {{.*}} runs=1 declined=0 failed=0
// APART: polygpu: kernel {{.*}} launches=1
// SAME: polygpu: scop scale {{.*}} runs=0 declined=1 failed=0
// SAME: polygpu: kernel {{.*}} launches=0
// ENDED: polygpu: scale ({{.*}}alias.c:{{[0-9]+}}): {{.*}}'to' overlaps 'from'{{.*}}POLYGPU=mandatory ends the program
#include "exec.h"

#include <string.h>

enum { N = 100 };

static float a[N + 1], b[N + 1];

NOINLINE static void scale(int n, const float *from, float *to)
{
    for (int i = 0; i < n; i++)
        to[i] = from[n - 1 - i] * 2 + 1;
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    harness_fill(a, N + 1, sizeof *a);
    harness_fill(b, N + 1, sizeof *b);
    if (!strcmp(argv[1], "apart"))
        scale(N, a, b);
    else if (!strcmp(argv[1], "same"))
        scale(N, a, a);
    else
        scale(N, a, a + 1);
    dump("a", a, sizeof a);
    dump("b", b, sizeof b);
    return harness_end();
}
