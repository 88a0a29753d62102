// A row of 2 * tda elements has a size that wraps around for a tda near 2^63,
// which the check of the model tries.  No memory has two such rows, and indices
// of that size do not go to the device; the loops were refused for it.  What is
// wrong in subscripts is still seen.
//
// REQUIRES: mutate
// RUN: %clang_gpu -O3 -mllvm -gpu-offload -mllvm -gpu-targets=emulated \
// RUN:   -Rpass=gpu-polyhedral -Rpass-missed=gpu-polyhedral -c %s -o %t.o 2>&1 \
// RUN:   | %FileCheck %s --implicit-check-not='not offloaded'
// RUN: %clang -O1 -Xclang -disable-llvm-passes -gline-tables-only -S \
// RUN:   -emit-llvm %s -o %t.ll
// RUN: %python %S/every_plant.py %plugin %t.ll \
// RUN:   "model of these loops differs" subscript 6 -gpu-promotion=off
#include <stddef.h>

struct matrix {
    size_t rows, columns, tda;
    double *data; /* pairs */
};

// CHECK: row_size_wraps.c:[[#@LINE+5]]:5: remark: loops offloaded as
void set_identity(const struct matrix *m)
{
    const size_t p = m->rows, q = m->columns, tda = m->tda;
    double *data = m->data;
    for (size_t i = 0; i < p; i++)
        for (size_t j = 0; j < q; j++) {
            data[2 * (i * tda + j)] = i == j;
            data[2 * (i * tda + j) + 1] = 0;
        }
}

// CHECK: row_size_wraps.c:[[#@LINE+4]]:5: remark: loops offloaded as 1 kernel
void add_to_diagonal(const struct matrix *m, double re, double im)
{
    const size_t p = m->rows, q = m->columns, tda = m->tda;
    for (size_t i = 0; i < (p < q ? p : q); i++) {
        m->data[2 * (i * tda + i)] += re;
        m->data[2 * (i * tda + i) + 1] += im;
    }
}

// CHECK: row_size_wraps.c:[[#@LINE+3]]:5: remark: loops offloaded as 1 kernel
void single(size_t p, size_t q, size_t tda, double *restrict data)
{
    for (size_t i = 0; i < p; i++)
        for (size_t j = 0; j < q; j++)
            data[i * tda + j] += 1;
}
