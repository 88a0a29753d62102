// Fields that are arrays of their own on the device only as long as no subscript
// leaves its field: where one reaches into the next field, the original loops
// run.  Parts of an allocation that overlap likewise.
//
// RUN: %gpu_cc -fno-strict-aliasing -ffp-contract=off %s %harness -o %t.gpu
// RUN: %ref_cc -fno-strict-aliasing -ffp-contract=off %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_auto %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// CHECK: polygpu: scop fields {{.*}} runs=1 declined=1 failed=0
// CHECK-NEXT: polygpu: kernel {{.*}} launches=1
// CHECK: polygpu: scop parts {{.*}} runs=1 declined=2 failed=0
// CHECK-NEXT: polygpu: kernel {{.*}} launches=1
#include "exec.h"

struct row {
    double a[4];
    float w, v;
};

NOINLINE static void fields(int n, int m, struct row *r)
{
    for (int k = 0; k < m; k++)
        for (int i = 0; i < n; i++)
            r[k].a[i] = r[k].w * 3 + r[k].v;
}

NOINLINE static void parts(int n, int m, int far, double *w)
{
    double *a = w, *b = w + far * n;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            b[j * n + i] = a[i * m + j] + 1;
}

int main(int argc, char **argv)
{
    static struct row r[33];
    static double w[2000];

    harness_start(argc, argv);
    for (int n = 4; n <= 5; n++) {
        harness_fill(r, sizeof r / sizeof(float), sizeof(float));
        fields(n, 32, r);
        dump("r", r, sizeof r);
    }
    for (int far = 18; far <= 20; far++) {
        harness_fill(w, 2000, sizeof(double));
        parts(17, 20, far, w);
        dump("w", w, sizeof w);
    }
    return harness_end();
}
