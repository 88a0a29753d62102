// The inside of matrices whose sizes are members without a sign: i < m.rows - 1 from 1
// on is a comparison that InstCombine turns around, and all sizes from nothing on run.
//
// RUN: %gpu_cxx -mfma %s %harness -o %t.gpu
// RUN: %ref_cxx -mfma %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_auto %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: env POLYGPU_DEVICE=emulated POLYGPU_FAULT=launch:1+ %run_plain %t.gpu
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// CHECK-DAG: polygpu: scop {{.*}}inside{{.*}} runs=4 declined=0 failed=0
// CHECK-DAG: polygpu: kernel {{.*}}inside{{.*}} launches=4
// CHECK-DAG: polygpu: scop {{.*}}below{{.*}} runs=4 declined=0 failed=0
// CHECK-DAG: polygpu: kernel {{.*}}below{{.*}} launches=4
// CHECK-DAG: polygpu: scop {{.*}}narrow{{.*}} runs=5 declined=0 failed=0
// CHECK-DAG: polygpu: kernel {{.*}}narrow{{.*}} launches=5
#include "exec.h"

#include <cstdint>
#include <cstdlib>

struct Matrix {
    size_t rows, columns;
    float *values;
    float &at(size_t i, size_t j) { return values[i * columns + j]; }
    const float &at(size_t i, size_t j) const { return values[i * columns + j]; }
};

NOINLINE static void inside(const Matrix &a, Matrix &b)
{
    for (size_t i = 1; i < a.rows - 1; i++)
        for (size_t j = 1; j < a.columns - 1; j++)
            b.at(i, j) = a.at(i - 1, j) + a.at(i + 1, j) - a.at(i, j - 1) * a.at(i, j + 1);
}

NOINLINE static void below(const Matrix &a, Matrix &b)
{
    for (size_t i = 1; i < a.rows; i++)
        for (size_t j = 2; j < a.columns - 2; j++)
            b.at(i, j) += 2 * a.at(i - 1, j);
}

struct Strip {
    uint32_t rows, columns;
    double *values;
};

NOINLINE static void narrow(const Strip &a, double *b)
{
    for (uint32_t i = 0; i < a.rows; i++)
        for (uint32_t j = 1; j < a.columns - 1; j++)
            b[(size_t)i * a.columns + j] += a.values[(size_t)i * a.columns + j - 1];
}

int main(int argc, char **argv)
{
    static const int sizes[][2] = {{1, 0}, {1, 1}, {40, 1}, {40, 2}, {2, 7},
                                   {3, 3}, {40, 50}, {17, 90}, {64, 33}};
    harness_start(argc, argv);

    for (const auto &size : sizes) {
        size_t n = size[0], m = size[1], all = n * m + 1;
        Matrix a = {n, m, (float *)malloc(all * sizeof(float))};
        Matrix b = {n, m, (float *)malloc(all * sizeof(float))};
        Strip c = {(uint32_t)n, (uint32_t)m, (double *)malloc(all * sizeof(double))};
        double *d = (double *)malloc(all * sizeof(double));

        harness_fill(a.values, all, sizeof(float));
        harness_fill(b.values, all, sizeof(float));
        harness_fill(c.values, all, sizeof(double));
        harness_fill(d, all, sizeof(double));
        inside(a, b);
        if (m >= 4 || n == 1)
            below(a, b);
        if (m > 0)
            narrow(c, d);
        dump_float("b", b.values, all);
        dump_double("d", d, all);
        free(a.values);
        free(b.values);
        free(c.values);
        free(d);
    }
    return harness_end();
}
