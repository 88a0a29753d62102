// What docs/why.md says about calls and whole functions, and that its cures help.
//
// RUN: %clang_gpu -O3 -c %s -o %t.o -Rpass-missed=gpu-polyhedral 2>&1 | %FileCheck %s
// RUN: %clang_gpu -O3 -c %s -o %t.o -DCURED -Rpass=gpu-polyhedral \
// RUN:   -Rpass-missed=gpu-polyhedral 2>&1 | %FileCheck --check-prefix=CURED %s \
// RUN:   --implicit-check-not='not offloaded'
// RUN: %clang_gpu -O3 -c %s -o %t.o -DERRNO -mllvm -gpu-math-errno -fmath-errno \
// RUN:   -Rpass-missed=gpu-polyhedral 2>&1 | %FileCheck --check-prefix=ERRNO %s
// RUN: %clang_gpu -O3 -c %s -o %t.o -DERRNO -mllvm -gpu-math-errno -fno-math-errno \
// RUN:   -Rpass=gpu-polyhedral 2>&1 | %FileCheck --check-prefix=NO-ERRNO %s
// RUN: %clang_gpu -O3 -c %s -o %t.o -DCOUNTED -finstrument-functions \
// RUN:   -Rpass-missed=gpu-polyhedral 2>&1 | %FileCheck --check-prefix=COUNTED %s
// RUN: %clang_gpu -O3 -c %s -o %t.o -DCOUNTED -finstrument-functions-after-inlining \
// RUN:   -Rpass=gpu-polyhedral 2>&1 | %FileCheck --check-prefix=AFTER %s
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <time.h>
#ifdef CURED
#define OR(bad, good) good
#else
#define OR(bad, good) bad
#endif
#ifdef ERRNO
void root(int n, float *a)
{
    // ERRNO: [[@LINE+2]]:5: {{.*}} the call of 'sqrtf' in line [[@LINE+3]] may set errno, which -gpu-math-errno keeps; leave that option away or compile with -fno-math-errno
    // NO-ERRNO: [[@LINE+1]]:5: remark: loops offloaded
    for (int i = 0; i < n; i++)
        a[i] = sqrtf(a[i]);
}
#elif defined COUNTED
static int more(int x)
{
    return x + 3;
}
void counted(int n, int *a)
{
    // COUNTED: [[@LINE+2]]:5: {{.*}} the call of 'more' in line [[@LINE+3]] is not inlined, since -finstrument-functions counts it; use -finstrument-functions-after-inlining, or give the function
    // AFTER: [[@LINE+1]]:5: remark: loops offloaded
    for (int i = 0; i < n; i++)
        a[i] = more(a[i]);
}
#else
int get(int);

void checked(int n, int *a)
{
    // CHECK: [[@LINE+2]]:5: {{.*}} the check in line [[@LINE+3]] may end the loop (an index out of bounds, an assertion); that is known in front of loops which count, call nothing and are affine otherwise
    // CURED: [[@LINE+1]]:5: remark: loops offloaded
    for (int i = 0; i < n; i++) {
        if (OR(a[i] < 0, n > 1000))
            exit(1);
        a[i]++;
    }
}

void clocked(int n, double *a)
{
    double now = clock();
    // CHECK: [[@LINE+2]]:5: remark: loop not offloaded: the call of 'clock' in line [[@LINE+3]] asks for the time; move it out of the loop
    // CURED: [[@LINE+1]]:5: remark: loops offloaded
    for (int i = 0; i < n; i++)
        a[i] = OR(clock(), now);
}

static int calls_itself(int n)
{
    return n < 2 ? n : calls_itself(n - 1) + calls_itself(n - 2);
}
static int variable(int n, ...)
{
    va_list l;
    va_start(l, n);
    int s = va_arg(l, int);
    va_end(l);
    return s;
}
OR(__attribute__((weak)), static) int replaced(int x)
{
    return x + 1;
}
void recursive(int n, int *a)
{
    // CHECK: [[@LINE+2]]:5: {{.*}} the call of 'calls_itself' in line [[@LINE+3]] is not inlined, since the function calls itself; use a loop instead, or move
    // CURED: [[@LINE+1]]:5: remark: loops offloaded
    for (int i = 0; i < n; i++)
        a[i] = OR(calls_itself(a[i]), a[i] + 1);
}
void handed(int n, int *a)
{
    // CHECK: [[@LINE+2]]:5: {{.*}} the call of 'variable' in line [[@LINE+3]] is not inlined, since the function has variable arguments; pass an array, or move
    // CURED: [[@LINE+1]]:5: remark: loops offloaded
    for (int i = 0; i < n; i++)
        a[i] = OR(variable(1, i), i);
}
void weak(int n, int *a)
{
    // CHECK: [[@LINE+2]]:5: {{.*}} the call of 'replaced' in line [[@LINE+3]] is not inlined, since the function may be replaced at the link (it is weak); declare it static
    // CURED: [[@LINE+1]]:5: remark: loops offloaded
    for (int i = 0; i < n; i++)
        a[i] = replaced(a[i]);
}

// Each level is larger than accessors are.
#define STEP(x) x = x * 3 + 1, x ^= x >> 3, x += x << 5
#define LEVEL(name, next) \
    static unsigned name(unsigned x) \
    { \
        STEP(x), STEP(x), STEP(x), STEP(x), STEP(x), STEP(x), STEP(x); \
        return next; \
    }
LEVEL(level_9, x)
LEVEL(level_8, OR(level_9(x), x))
LEVEL(level_7, level_8(x))
LEVEL(level_6, level_7(x))
LEVEL(level_5, level_6(x))
LEVEL(level_4, level_5(x))
LEVEL(level_3, level_4(x))
LEVEL(level_2, level_3(x))
LEVEL(level_1, level_2(x))
void deep(int n, unsigned *a)
{
    // CHECK: [[@LINE+2]]:5: {{.*}} the call of 'level_9' in line {{[0-9]+}} is not inlined, since functions call each other too deep; call it more directly, or move
    // CURED: [[@LINE+1]]:5: remark: loops offloaded
    for (int i = 0; i < n; i++)
        a[i] = level_1(a[i]);
}

#define STEPS(x) STEP(x), STEP(x), STEP(x), STEP(x), STEP(x), STEP(x), STEP(x), STEP(x)
#define MANY(x) STEPS(x), STEPS(x), STEPS(x), STEPS(x), STEPS(x), STEPS(x), STEPS(x), STEPS(x)
static unsigned half(unsigned x)
{
    MANY(x), MANY(x);
    return x;
}
static unsigned large(unsigned x)
{
    MANY(x), MANY(x), MANY(x), MANY(x), MANY(x);
    return x;
}
OR(__attribute__((target("avx512f"))), ) static int wider(int x)
{
    return x * 3;
}
void other_processor(int n, int *a)
{
    // CHECK: [[@LINE+2]]:5: {{.*}} the call of 'wider' in line [[@LINE+3]] is not inlined, since LLVM cannot inline the function or may not (it jumps to computed addresses, or was compiled for another processor); move the call
    // CURED: [[@LINE+1]]:5: remark: loops offloaded
    for (int i = 0; i < n; i++)
        a[i] = wider(a[i]);
}
// Of these fourteen calls the last are too much.
#define TWICE(x) half(x) + half(x + 1)
void grown(int n, unsigned *a)
{
    // CHECK: [[@LINE+2]]:5: {{.*}} the call of 'half' in line [[@LINE+4]] is not inlined, since this function has become too large by others that were; split it
    // CURED: [[@LINE+1]]:5: remark: loops offloaded
    for (int i = 0; i < n; i++)
        a[i] = TWICE(a[i])
            OR(+TWICE(a[i] + 2) + TWICE(a[i] + 4) + TWICE(a[i] + 6) + TWICE(a[i] + 8) + TWICE(a[i] + 10) + TWICE(a[i] + 12), );
}
void called_large(int n, unsigned *a)
{
    // CHECK: [[@LINE+2]]:5: {{.*}} the call of 'large' in line [[@LINE+3]] is not inlined, since the function is large ({{[0-9]+}} instructions); split it, or move the call out of the loop
    // CURED: [[@LINE+1]]:5: remark: loops offloaded
    for (int i = 0; i < n; i++)
        a[i] = OR(large, half)(a[i]);
}

static float table(float x)
{
    float v[OR(9000, 10)];
    for (int i = 0; i < OR(9000, 10); i++)
        v[i] = x * i;
    return v[3];
}
void framed(int n, float *a)
{
    // CHECK: [[@LINE+2]]:5: {{.*}} the call of 'table' in line [[@LINE+3]] is not inlined, since its local variables would make the stack frame of this function much larger; make them smaller or static, or pass them as arguments
    // CURED: [[@LINE+1]]:5: remark: loops offloaded
    for (int i = 0; i < n; i++)
        a[i] = table(a[i]);
}

void rare(int n, float *restrict a)
{
    // CURED: [[@LINE+2]]:5: remark: loops offloaded
    // CHECK: [[@LINE+1]]:5: {{.*}} a function is called in line [[@LINE+4]] in some iterations of a loop around others, which are looked at by themselves; move the call out of the loop
    for (int t = 0; t < n; t++) {
        for (int i = 0; i < n; i++)
            a[i] += 1;
        OR(if (t % 10 == 0) get(t), );
        for (int i = 0; i < n; i++)
            a[i] *= 2;
    }
}

void between(int n, int m, float *restrict a)
{
    // CHECK: [[@LINE+2]]:5: {{.*}} a function is called in line [[@LINE+4]] under a condition, between loops that are looked at by themselves; move the call in front of the loops or behind them
    // CURED: [[@LINE+1]]:5: remark: loops offloaded
    for (int i = 0; i < n; i++) {
        if (a[i] != 0) {
            OR(if (m) get(i), );
            for (int k = 0; k < n; k++)
                a[k * n + i] *= 2;
        }
        if (i < m)
            for (int k = 0; k < n; k++)
                a[k * n + i] += 2;
    }
}

void computed(int n, int *a)
{
#ifndef CURED
    static const void *const labels[] = {&&one, &&two};
#endif
    // CHECK: [[@LINE+2]]:5: {{.*}} the address of a label is taken (computed goto); use switch, or move the loop into another function
    // CURED: [[@LINE+1]]:5: remark: loops offloaded
    for (int i = 0; i < n; i++)
#ifndef CURED
    {
        goto *labels[a[i]];
    one:
        a[i] = 1;
        continue;
    two:
        a[i] = 2;
    }
#else
        switch (a[i]) {
        case 0: a[i] = 1; break;
        default: a[i] = 2;
        }
#endif
}

OR(__attribute__((interrupt)), ) void handler(void *p)
{
    static int a[1000];
    // CURED: [[@LINE+2]]:5: remark: loops offloaded
    // CHECK: [[@LINE+1]]:5: {{.*}} the function cannot be called by others (an interrupt handler); move the loop into an ordinary function
    for (int i = 0; i < 1000; i++)
        a[i] = i;
    *(int **)p = a;
}

OR(extern inline __attribute__((gnu_inline)), ) void only_inline(int n, int *a)
{
    // CHECK: [[@LINE+2]]:5: {{.*}} this body is only a copy for inlining, the function lives in another file; the loops are offloaded there
    // CURED: [[@LINE+1]]:5: remark: loops offloaded
    for (int i = 0; i < n; i++)
        a[i] = i * 3;
}
void use(int n, int *a)
{
    only_inline(n, a);
}
#endif
