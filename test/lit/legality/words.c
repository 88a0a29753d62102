// What kernels may not contain is told in the words of the source: line, name
// of the variable or function, and what to do instead.  The function after
// each one is its near twin, which is offloaded.
//
// RUN: %clang_gpu -O2 -mllvm -gpu-offload -mllvm -gpu-targets=ptx,emulated \
// RUN:   -Rpass=gpu-polyhedral -Rpass-missed=gpu-polyhedral -c %s -o %t.o 2>&1 \
// RUN:   | %FileCheck --implicit-check-not=remark: %s
#include <math.h>
#include <string.h>

struct particle {
    double x, y, z;
};

/* With bytes behind its last field. */
struct labelled {
    double x, y, z;
    int label;
};

void long_double(int n, double *restrict a, const double *restrict b)
{
    // CHECK: words.c:[[@LINE+1]]:{{.*}} remark: {{.*}}long double{{.*}}line [[@LINE+2]]
    for (int i = 0; i < n; i++)
        a[i] = (double)((long double)b[i] / a[i]);
}

void just_double(int n, double *restrict a, const double *restrict b)
{
    // CHECK: words.c:[[@LINE+1]]:{{.*}} remark: loops offloaded
    for (int i = 0; i < n; i++)
        a[i] = b[i] / a[i];
}

void long_double_array(int n, long double *table)
{
    // CHECK: words.c:[[@LINE+1]]:{{.*}} remark: {{.*}}long double{{.*}}line [[@LINE+2]]
    for (int i = 0; i < n; i++)
        table[i] = i;
}

void structures(int n, struct labelled *restrict to,
                const struct labelled *restrict from)
{
    // CHECK: words.c:[[@LINE+1]]:{{.*}} remark: {{.*}}as a block{{.*}}line [[@LINE+2]]{{.*}}memcpy
    for (int i = 0; i < n; i++)
        to[i] = from[i];
}

void whole(int n, struct particle *restrict to,
           const struct particle *restrict from)
{
    // CHECK: words.c:[[@LINE+1]]:{{.*}} remark: loops offloaded
    for (int i = 0; i < n; i++)
        to[i] = from[i];
}

void members(int n, struct particle *restrict to,
             const struct particle *restrict from)
{
    // CHECK: words.c:[[@LINE+1]]:{{.*}} remark: loops offloaded
    for (int i = 0; i < n; i++) {
        to[i].x = from[i].x;
        to[i].y = from[i].y;
        to[i].z = from[i].z;
    }
}

void flag(int n, float *restrict a, volatile float *restrict port)
{
    // CHECK: words.c:[[@LINE+1]]:{{.*}} remark: {{.*}}volatile
    for (int i = 0; i < n; i++)
        a[i] = port[i];
}

void bits(int n, unsigned *restrict a, const float *restrict b)
{
    // CHECK: words.c:[[@LINE+1]]:{{.*}} remark: {{.*}}bits of a floating-point value
    for (int i = 0; i < n; i++) {
        float x = b[i] + 1;
        unsigned u;
        memcpy(&u, &x, sizeof(u));
        a[i] = u >> 23;
    }
}

void integers(int n, unsigned *restrict a)
{
    // CHECK: words.c:[[@LINE+1]]:{{.*}} remark: loops offloaded
    for (int i = 0; i < n; i++)
        a[i] = a[i] >> 23;
}

int helper(int x) __attribute__((const));
void call(int n, int *a)
{
    // CHECK: words.c:[[@LINE+1]]:{{.*}} remark: {{.*}}'helper'
    for (int i = 0; i < n; i++)
        a[i] = helper(i);
}

void branch(int n, float *restrict a, const float *restrict b)
{
    // CHECK: words.c:[[@LINE+1]]:{{.*}} remark: loops offloaded
    for (int i = 0; i < n; i++)
        if (b[i] > 0)
            a[i] = b[i];
}

void around(int n, float (*restrict a)[8], const float *restrict b)
{
    // CHECK: words.c:[[@LINE+1]]:{{.*}} remark: loops offloaded
    for (int i = 0; i < n; i++)
        if (b[i] > 0)
            for (int j = 0; j < n; j++)
                a[i][j] = b[i];
}

void around_steps(int n, float (*restrict a)[8], const float *restrict b)
{
    // CHECK: words.c:[[@LINE+4]]:{{.*}} remark: loops offloaded
    // CHECK: words.c:[[@LINE+1]]:{{.*}} remark: {{.*}}condition in line [[@LINE+2]] depends on data, which is read from 'b', and a loop is under it; move the condition into that loop
    for (int i = 0; i < n; i++)
        if (b[i] > 0)
            for (int j = 0; j < n; j++)
                a[j][0] = 2 * a[j][1];
}

void choice(int n, float *restrict a, const float *restrict b)
{
    // CHECK: words.c:[[@LINE+1]]:{{.*}} remark: loops offloaded
    for (int i = 0; i < n; i++) {
        float old = a[i];
        a[i] = b[i] > 0 ? b[i] : old;
    }
}

void likely(int n, float *restrict a, const float *restrict b)
{
    // CHECK: words.c:[[@LINE+1]]:{{.*}} remark: loops offloaded
    for (int i = 0; i < n; i++)
        a[i] = __builtin_expect(b[i] > 0, 1) ? b[i] : 0;
}

void addresses(int n, float **restrict rows, float *restrict a)
{
    // CHECK: words.c:[[@LINE+1]]:{{.*}} remark: {{.*}}'rows' has elements of type {{.*}}pointer
    for (int i = 0; i < n; i++)
        rows[i] = a + 100 * i;
}
