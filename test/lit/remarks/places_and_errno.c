// What keeps loops on the host is told as it is: a place that a condition on
// data moves on, also in a member of a structure; errno; a variable-length array
// in the loop, around loops that are offloaded.
//
// RUN: %clang_gpu -O3 -c %s -o %t.o -Rpass=gpu-polyhedral \
// RUN:   -Rpass-missed=gpu-polyhedral 2>&1 | %FileCheck %s
#include <errno.h>
#include <math.h>

struct Pair {
    float number;
    int index;
};

int collect(int n, const float *p, struct Pair *q, float least)
{
    int count = 0;
    // CHECK: [[@LINE+1]]:5: {{.*}} a subscript of 'q' in line [[@LINE+3]] is no affine function of loop counters and parameters (it depends on 'count', which the loop does not change by the same amount in each iteration)
    for (int i = 0; i < n; i++)
        if (p[i] >= least) {
            q[count].index = i;
            q[count].number = p[i];
            count++;
        }
    return count;
}

void roots(int n, double *a, const double *b)
{
    // CHECK: [[@LINE+1]]:5: {{.*}} errno is used in the loop, and math calls of offloaded loops do not set it; look at the values instead
    for (int i = 0; i < n; i++) {
        a[i] = sqrt(b[i]);
        if (errno)
            a[i] = 1;
    }
}

void reversed(int n, int m, double *a)
{
    // CHECK: [[@LINE+4]]:9: remark: loops offloaded as 1 kernel
    // CHECK: [[@LINE+1]]:5: {{.*}} a local variable of variable length is created inside the loop in line [[@LINE+2]]; create it before the loop
    for (int i = 0; i < n; i++) {
        double w[m];
        for (int j = 0; j < m; j++)
            w[j] = a[i * m + j];
        for (int j = 0; j < m; j++)
            a[i * m + j] = w[m - 1 - j];
    }
}
