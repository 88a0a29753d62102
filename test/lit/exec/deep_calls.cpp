// Elements behind many calls, as those of expression templates: each does little,
// and all of them are inlined. The reference has the same functions.
//
// RUN: %ref_cxx %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %gpu_cxx %s %harness -o %t.gpu
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// CHECK: scop {{.*}}scale{{.*}} runs=1 declined=0 failed=0
#include "exec.h"

template <int Depth> struct Layer {
    double *data;
    long columns;
    long stride() const { return inner().stride(); }
    double &at(long i, long j) const { return inner().at(i, j); }
    Layer<Depth - 1> inner() const { return {data, columns}; }
};

template <> struct Layer<0> {
    double *data;
    long columns;
    long stride() const { return columns; }
    double &at(long i, long j) const { return data[i * stride() + j]; }
};

NOINLINE static void scale(double *x, const double *y, int n, int m)
{
    Layer<16> to = {x, m};
    const Layer<12> from = {const_cast<double *>(y), m};
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            to.at(i, j) = from.at(i, j) * 0.5 + to.stride();
}

int main(int argc, char **argv)
{
    enum { N = 37, M = 41 };
    static double x[N * M], y[N * M];

    harness_start(argc, argv);
    poison(x, sizeof x);
    harness_fill(y, N * M, sizeof(double));
    scale(x, y, N, M);
    dump_double("x", x, N * M);
    return harness_end();
}
