// More tiles than devices start blocks in y and z, 65,535: blocks go on with
// others, behind a barrier where there is shared memory.
//
// RUN: %gpu_cc -mfma %s %harness -lm -o %t.gpu -Rpass=gpu-polyhedral \
// RUN:     -mllvm "-gpu-sizes={ kernel[i] -> tile[1,8,4]; kernel[i] -> block[1,8] }" \
// RUN:     2>&1 | %FileCheck --check-prefix=REMARK %s
// RUN: %ref_cc %s %harness -lm -o %t.ref
// RUN: %run_ref %t.ref
// RUN: env POLYGPU_DUMP=%t.gpu.dump POLYGPU_DEVICE=emulated POLYGPU_COST=off \
// RUN:     POLYGPU_PROFILE=lines %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// REMARK-DAG: loops offloaded as 1 kernel: add_
// REMARK-DAG: loops offloaded as 1 kernel: multiply_
// CHECK-DAG: kernel add_{{.*}} launches=1 grid={{[23]}},65535,1 block=8,1,1
// CHECK-DAG: kernel multiply_{{.*}} launches=1 grid=1,65535,1 block=8,1,1
#include "exec.h"

#include <math.h>
#include <string.h>

enum { MOST = 132000, COLUMNS = 17, INNER = 6 };

static float a[MOST][COLUMNS], b[MOST][COLUMNS], c[MOST][INNER],
    d[INNER][COLUMNS];

NOINLINE static void add(int n, int m)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            b[i][j] = a[i][j] + i;
}

/* Some threads of a block are in its last step when others begin another tile. */
NOINLINE static void multiply(int n, int m, int k)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int l = 0; l < k; l++)
                a[i][j] += c[i][l] * d[l][j];
}

HOST void fill(void *to, size_t n)
{
    for (size_t i = 0; i < n; i++)
        ((float *)to)[i] = (float)harness_random();
}

int main(int argc, char **argv)
{
    int n;

    harness_start(argc, argv);
    n = 66000 + (int)((fabs(harness_random()) - 0.5) * 65000);

    fill(a, sizeof a / sizeof **a);
    fill(c, sizeof c / sizeof **c);
    fill(d, sizeof d / sizeof **d);
    memset(b, 7, sizeof b);
    add(n, COLUMNS);
    multiply(n, 7, INNER);
    dump("a", a, sizeof a);
    dump("b", b, sizeof b);
    return harness_end();
}
