// A pointer or a stride that only some iterations read is no index: nothing is
// written through data, and what helps is a local variable.
//
// RUN: %clang_gpu -O3 -mllvm -gpu-offload -mllvm -gpu-targets=emulated \
// RUN:   -Rpass=gpu-polyhedral -Rpass-missed=gpu-polyhedral -c %s -o %t.o 2>&1 \
// RUN:   | %FileCheck --implicit-check-not=remark: %s

struct vector {
    unsigned long stride;
    double *data;
};

// CHECK: read_under_condition.c:[[#@LINE+3]]:5: remark: loop not offloaded: a pointer or the size of rows is read from 'v' in line [[#@LINE+5]] again in each iteration, under a condition on data or where a store could change it; copy it into a local variable before the loop
void strided(unsigned long n, const double *x, struct vector *v)
{
    for (unsigned long i = 0; i < n; i++)
        if (x[i] > 0)
            v->data[i * v->stride] = x[i];
}

// CHECK: read_under_condition.c:[[#@LINE+3]]:5: remark: loop not offloaded: a pointer, bound or subscript is read from 'v' in line [[#@LINE+5]] again in each iteration, under a condition on data or where a store could change it; copy it into a local variable before the loop, and use one contiguous array instead of an array of pointers
void plain(unsigned long n, const double *x, struct vector *v)
{
    for (unsigned long i = 0; i < n; i++)
        if (x[i] > 0)
            v->data[i] = x[i];
}

// CHECK: read_under_condition.c:[[#@LINE+3]]:5: remark: loops offloaded as 1 kernel
void both(unsigned long n, const double *x, struct vector *v)
{
    for (unsigned long i = 0; i < n; i++) {
        if (x[i] > 0)
            v->data[i * v->stride] = x[i];
        else
            v->data[i * v->stride] = -1;
    }
}
