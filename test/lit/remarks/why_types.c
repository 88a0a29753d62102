// What docs/why.md says about types, operations and conditions, and that its cures
// help.
//
// RUN: %clang_gpu -O3 -c %s -o %t.o -Rpass-missed=gpu-polyhedral 2>&1 | %FileCheck %s
// RUN: %clang_gpu -O3 -c %s -o %t.o -DCURED -Rpass=gpu-polyhedral \
// RUN:   -Rpass-missed=gpu-polyhedral 2>&1 | %FileCheck --check-prefix=CURED %s \
// RUN:   --implicit-check-not='not offloaded'
#include <errno.h>
#include <stdint.h>
#ifdef CURED
#define OR(bad, good) good
#else
#define OR(bad, good) bad
#endif
int global;
int pure(int) __attribute__((const));

void wide(int n, int *a, const int *b)
{
    // CHECK: [[@LINE+2]]:5: remark: loop not offloaded: a value of type __int128 in line [[@LINE+3]] has no equal on the device; use integers of at most 64 bits, float or double
    // CURED: [[@LINE+1]]:5: remark: loops offloaded
    for (int i = 0; i < n; i++)
        a[i] = (int)(((OR(__int128, int64_t))b[i] * b[i] * b[i]) >> OR(70, 40));
}

void compared(int n, OR(char **, long *) p, OR(char *, long) q, int *a)
{
    // CHECK: [[@LINE+2]]:5: {{.*}} an address is a value that the loop computes with, stores or compares in line [[@LINE+3]], and memory has other addresses on the device; use subscripts
    // CURED: [[@LINE+1]]:5: remark: loops offloaded
    for (int i = 0; i < n; i++)
        a[i] = p[i] == q;
}

void address(int n, long *a)
{
    long at = (long)&global;
    // CHECK: [[@LINE+2]]:5: {{.*}} a constant contains the address of a variable; keep addresses out of the loops
    // CURED: [[@LINE+1]]:5: remark: loops offloaded
    for (int i = 0; i < n; i++)
        a[i] = OR(at, i);
}

void power(int n, OR(long, double) *a)
{
    // CHECK: [[@LINE+2]]:5: {{.*}} a value grows by a different amount in each iteration, like a power above the third; compute it in floating point
    // CURED: [[@LINE+1]]:5: remark: loops offloaded
    for (long i = 0; i < n; i++)
        a[i] = (OR(long, double))i * i * i * i * i;
}

void error_number(int n, int *restrict a, int *restrict sum)
{
    int *e = OR(&errno, sum);
    // CHECK: [[@LINE+2]]:5: {{.*}} errno is used in the loop, and math calls of offloaded loops do not set it; look at the values instead
    // CURED: [[@LINE+1]]:5: remark: loops offloaded
    for (int i = 0; i < n; i++)
        *e += a[i];
}

void fence(int n, int *a)
{
    // CHECK: [[@LINE+2]]:5: {{.*}} an operation in line [[@LINE+5]] cannot be analysed (inline assembly, vector intrinsics or an exception); write it in plain C
    // CURED: [[@LINE+1]]:5: remark: loops offloaded
    for (int i = 0; i < n; i++) {
        a[i] = i;
#ifndef CURED
        __atomic_thread_fence(__ATOMIC_SEQ_CST);
#endif
    }
}

void joined(int n, int m, float *restrict a)
{
    // CHECK: [[@LINE+2]]:5: {{.*}} the condition in line [[@LINE+3]] joins several comparisons with && or ||, and a loop is under it; move the condition into that loop
    // CURED: [[@LINE+1]]:5: remark: loops offloaded
    for (int i = 0; i < n; i++)
        if (OR(((i * i > m) & (i < n / 2)) | (i * 3 > m), i > m))
            for (int j = 0; j < n; j++)
                a[j * n + i] += 1;
}

void on_data(int n, float *restrict a, float *restrict b)
{
    // CHECK: [[@LINE+2]]:5: {{.*}} the condition in line [[@LINE+3]] depends on data, which is read from 'b', and a loop is under it; move the condition into that loop
    // CURED: [[@LINE+1]]:5: remark: loops offloaded
    for (int i = 0; i < n; i++)
        OR(if (b[0] > 0), )
            for (int j = 0; j < n; j++)
                OR(, if (b[0] > 0)) {
                    a[j] += b[i];
                    OR(b[j], a[j]) += 1;
                }
}

void on_floats(int n, float *restrict a, const float *restrict b)
{
    // CHECK: [[@LINE+2]]:5: {{.*}} the condition in line [[@LINE+3]] compares floating-point numbers, and a loop is under it; move the condition into that loop
    // CURED: [[@LINE+1]]:5: remark: loops offloaded
    for (int i = 0; i < n; i++)
        OR(if (b[0] > 0), )
            for (int j = 0; j < n; j++)
                OR(, if (b[0] > 0))
                    a[j] += b[i];
}

void on_a_call(int n, float *restrict a, const float *restrict b)
{
    // CHECK: [[@LINE+2]]:5: {{.*}} the condition in line [[@LINE+3]] depends on the result of pure, and a loop is under it; move the condition into that loop
    // CURED: [[@LINE+1]]:5: remark: loops offloaded
    for (int i = 0; i < n; i++)
        if (OR(pure(i), i > 3))
            for (int j = 0; j < n; j++)
                a[j] += b[i];
}

int get(int);
void goes_on(int n, float *a)
{
    int i = 0;
    // CHECK: [[@LINE+2]]:5: {{.*}} whether it goes on depends on the result of get; use a loop with a bound
    // CURED: [[@LINE+1]]:5: remark: loops offloaded
    do {
        a[i] = 1;
        i++;
    } while (OR(get(i), i < n));
}

#ifndef CURED
void may_not_write(int n, int *a, int *c, const int *b)
{
    // CHECK: {{.*}} the write to 'a' may not happen; make it unconditional
    for (int i = 0; i < n; i++)
        switch (b[i]) {
        case 0:
            for (int j = 0; j < n; j++)
                a[i * n + j] = 1;
            break;
        case 1:
            for (int j = 0; j < n; j++)
                a[i * n + j] *= 1;
            break;
        case 5:
            a[i + 1] = 2;
            break;
        case 9:
            a[2 * i] = 3;
            break;
        }
}
#endif
