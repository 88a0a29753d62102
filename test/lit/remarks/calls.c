// What a call does that keeps the loop on the host, and what would help, by the
// kind of the function.  Nobody can inline printf.
//
// RUN: %clang_gpu -O3 -c %s -o %t.o -Rpass-missed=gpu-polyhedral 2>&1 \
// RUN:   | %FileCheck %s --implicit-check-not=inlinable --implicit-check-not=LTO
// RUN: %clang_gpu -O3 -c %s -o %t.o -Rpass=gpu-polyhedral -DTWIN 2>&1 \
// RUN:   | %FileCheck --check-prefix=TWIN %s
#include <stdio.h>
#include <stdlib.h>
float elsewhere(float);
__attribute__((noinline)) static float apart(float x)
{
    return x < 0 ? x * 3 : x + 1;
}

#ifndef TWIN
void print(int n, float *a)
{
    // CHECK: [[@LINE+1]]:5: remark: loop not offloaded: the call of 'printf' in line [[@LINE+3]] reads or writes a file or the terminal, which only the host can do; move it
    for (int i = 0; i < n; i++) {
        a[i] *= 2;
        printf("%f\n", a[i]);
    }
}

void noise(int n, float *a)
{
    // CHECK: [[@LINE+1]]:5: {{.*}}the call of 'rand' in line [[@LINE+2]] changes a state that its next call depends on
    for (int i = 0; i < n; i++)
        a[i] = rand() * 0.5f;
}

void rows(int n, float **a)
{
    // CHECK: [[@LINE+1]]:5: {{.*}}the call of 'malloc' in line [[@LINE+2]] allocates or frees memory
    for (int i = 0; i < n; i++)
        a[i] = malloc(n);
}

void unknown(int n, float *a)
{
    // CHECK: [[@LINE+1]]:5: {{.*}}the call of 'elsewhere' in line [[@LINE+2]] cannot be analysed, since the function is not defined in this file; define it here
    for (int i = 0; i < n; i++)
        a[i] = elsewhere(a[i]);
}

// What a call under a condition gives is used behind it.
void sometimes(int n, float *a, float *b)
{
    // CHECK: [[@LINE+1]]:5: {{.*}}the call of 'elsewhere' in line [[@LINE+2]] cannot be analysed
    for (int i = 0; i < n; i++)
        a[i] = i % 3 == 0 ? elsewhere(b[i]) : 1;
    // CHECK: [[@LINE+2]]:5: {{.*}}the call of 'elsewhere' in line [[@LINE+4]] cannot be analysed
    float last = 0;
    for (int i = 0; i < n; i++) {
        if (b[i] > 3)
            last = elsewhere(b[i]) < 0 ? -1 : 1;
        a[i] += last;
    }
}

// Not its bound, which the call might change.
struct row {
    int n;
    float *x;
};
void bounded(struct row *r)
{
    // CHECK: [[@LINE+1]]:5: {{.*}}the call of 'elsewhere' in line [[@LINE+2]] cannot be analysed
    for (int i = 0; i < r->n; i++)
        r->x[i] = elsewhere(r->x[i]);
}

// Nor a stride, where the call is under a condition.
struct table {
    int stride;
    float *x;
};
void consume(float *);
void strides(int n, float *a, struct table *t)
{
    // CHECK: [[@LINE+1]]:5: {{.*}}the call of 'consume' in line [[@LINE+4]] cannot be analysed
    for (int i = 0; i < n; i++) {
        float x = t->x[i * t->stride];
        if (i > 0)
            consume(a);
        a[i] = x;
    }
}

void kept(int n, float *a)
{
    // CHECK: [[@LINE+1]]:5: {{.*}}the call of 'apart' in line [[@LINE+2]] is not inlined, since the function is noinline
    for (int i = 0; i < n; i++)
        a[i] = apart(a[i]);
}

void pointer(int n, float *a, float (*f)(float))
{
    // CHECK: [[@LINE+1]]:5: {{.*}}a function pointer is called in line [[@LINE+2]]
    for (int i = 0; i < n; i++)
        a[i] = f(a[i]);
}

void assembly(int n, float *a)
{
    // CHECK: [[@LINE+1]]:5: {{.*}}inline assembly in line [[@LINE+2]] cannot be analysed
    for (int i = 0; i < n; i++) {
        __asm__ volatile("nop");
        a[i] *= 2;
    }
}

void operation(int n, float *a)
{
    // CHECK: [[@LINE+1]]:5: {{.*}}the operation 'canonicalize' in line [[@LINE+2]] has no exact counterpart on the device
    for (int i = 0; i < n; i++)
        a[i] = __builtin_canonicalizef(a[i]);
}
#else
// A call behind the loop does not keep it, whatever it does.
void behind(int n, float *a, int loud)
{
    // TWIN: [[@LINE+1]]:5: remark: loops offloaded as 1 kernel
    for (int i = 0; i < n; i++)
        a[i] *= 2;
    if (loud)
        printf("%f\n", a[0]);
}
#endif
