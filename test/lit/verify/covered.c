// What the interpreter of VerifyModel executes: each loop is offloaded, and all
// of its statements and accesses were held against the program.
//
// RUN: %clang -O1 -Xclang -disable-llvm-passes -gline-tables-only -S \
// RUN:   -emit-llvm %s -o %t.ll
// RUN: %opt -passes=gpu-polyhedral -gpu-targets=emulated -disable-output \
// RUN:   -pass-remarks-analysis=gpu-polyhedral \
// RUN:   -pass-remarks=gpu-polyhedral %t.ll 2>&1 | %FileCheck %s
// RUN: %opt -passes=gpu-polyhedral -gpu-targets=emulated -disable-output \
// RUN:   -gpu-verify=off -pass-remarks-analysis=gpu-polyhedral \
// RUN:   -pass-remarks=gpu-polyhedral %t.ll 2>&1 \
// RUN:   | %FileCheck --check-prefix=OFF %s
//
// OFF-NOT: held against
// OFF: offloaded
// OFF-NOT: held against
#include <stddef.h>

// CHECK: covered.c:[[@LINE+3]]:{{.*}} 1 of 1 statements, 2 of 2 accesses
void backwards(int n, float *a, const float *b)
{
    for (int i = n - 1; i >= 0; i -= 2)
        a[i] = b[n - 1 - i];
}

// CHECK: covered.c:[[@LINE+3]]:{{.*}} 1 of 1 statements, 2 of 2 accesses
void wraps(unsigned n, float *a, const float *b)
{
    for (unsigned i = n; i-- > 0;)
        a[i] = b[i] + 1;
}

// CHECK: covered.c:[[@LINE+3]]:{{.*}} 2 of 2 statements, 4 of 4 accesses
void conditions(long n, long m, float *a)
{
    for (long i = 0; i < n; i++) {
        if (i >= m)
            a[i] += 1;
        if (i % 3 == 1)
            a[i] *= 3;
    }
}

// Iterations at the beginning, at the end and near 2345.
// CHECK: covered.c:[[@LINE+3]]:{{.*}} 3 of 3 statements, 2 of 2 accesses
void large(float (*a)[5000], const float *b)
{
    for (int i = 0; i < 4000; i++)
        for (int j = i; j < 5000; j++)
            a[i][j] = i < 2345 ? b[i] : 0;
}

// Values from memory in front of the loops.
struct sizes {
    int n, m;
    float *a;
};

// CHECK: covered.c:[[@LINE+5]]:{{.*}} 1 of 1 statements, 2 of 2 accesses
void fields(const struct sizes *s)
{
    int n = s->n, m = s->m;
    float *a = s->a;
    for (int i = 0; i < n; i++)
        for (int j = i; j < m; j++)
            a[i * m + j] *= 2;
}

// The parameter is a number of an iteration of the loop around.
double norm(const float *a);
// CHECK: covered.c:[[@LINE+4]]:{{.*}} 1 of 1 statements, 2 of 2 accesses
void until(int n, float *a)
{
    for (int t = 0; norm(a) > 1; t++)
        for (int i = t; i < n; i++)
            a[i] /= 2;
}
