// Classes of matrices: sizes and elements are members, read by inlined functions
// in each iteration.
//
// RUN: %gpu_cxx %record %s %harness -o %t.gpu
// RUN: %ref_cxx %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu > %t.out 2>&1
// RUN: %shapes
// RUN: cmp %t.ref.dump %t.gpu.dump
extern "C" {
#include "reach.h"
}

#include <vector>

namespace {

class Plain {
    int n, m;
    float *cells;

  public:
    Plain(int n, int m, float *cells) : n(n), m(m), cells(cells) {}
    int rows() const { return n; }
    int cols() const { return m; }
    float &operator()(int i, int j) { return cells[i * m + j]; }
    float operator()(int i, int j) const { return cells[i * m + j]; }
};

class Owner {
    int n, m;
    std::vector<float> cells;

  public:
    Owner(int n, int m) : n(n), m(m), cells(n * m) {}
    int rows() const { return n; }
    int cols() const { return m; }
    float &operator()(int i, int j) { return cells[i * m + j]; }
    float operator()(int i, int j) const { return cells[i * m + j]; }
};

} // namespace

// == bounds: classes of matrices

SHAPE void plain_scaled(Plain &a, const Plain &b)
{
    for (int i = 0; i < a.rows(); i++)
        for (int j = 0; j < a.cols(); j++)
            a(i, j) = b(i, j) * 2;
}

SHAPE void plain_product(Plain &c, const Plain &a, const Plain &b)
{
    for (int i = 0; i < c.rows(); i++)
        for (int j = 0; j < c.cols(); j++) {
            float sum = 0;
            for (int k = 0; k < a.cols(); k++)
                sum += a(i, k) * b(k, j);
            c(i, j) = sum;
        }
}

SHAPE void owner_product(Owner &c, const Owner &a, const Owner &b)
{
    for (int i = 0; i < c.rows(); i++)
        for (int j = 0; j < c.cols(); j++) {
            float sum = 0;
            for (int k = 0; k < a.cols(); k++)
                sum += a(i, k) * b(k, j);
            c(i, j) = sum;
        }
}

enum { N = 37, M = 41, K = 29 };

static float cells[N * M], left[N * K], right[K * M];

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    harness_fill(left, N * K, sizeof *left);
    harness_fill(right, K * M, sizeof *right);
    Plain c(N, M, cells), a(N, K, left), b(K, M, right), d(N, K, cells);
    RUN(cells, plain_scaled(d, a));
    RUN(cells, plain_product(c, a, b));
    Owner e(N, M), f(N, K), g(K, M);
    harness_fill(&f(0, 0), N * K, sizeof(float));
    harness_fill(&g(0, 0), K * M, sizeof(float));
    owner_product(e, f, g);
    dump("owner", &e(0, 0), N * M * sizeof(float));
    return harness_end();
}
