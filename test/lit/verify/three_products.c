// A kernel with buffers takes many steps in small, whatever the sizes are: for
// three of them there were too few, and none was looked at.
//
// RUN: %clang_gpu -O3 -Rpass-analysis=gpu-polyhedral -c %s -o %t.o 2>&1 \
// RUN:   | %FileCheck %s
// CHECK: mapping executed in small: 3 of 3 kernels, completely for {{[1-9]}}
void three_products(int n, double e[n][n], double f[n][n], double g[n][n],
                    double a[restrict n][n], double b[restrict n][n],
                    double c[restrict n][n], double d[restrict n][n])
{
#define PRODUCT(to, left, right)                                               \
    for (int i = 0; i < n; i++)                                                \
        for (int j = 0; j < n; j++) {                                          \
            to[i][j] = 0;                                                      \
            for (int k = 0; k < n; k++)                                        \
                to[i][j] += left[i][k] * right[k][j];                          \
        }
    PRODUCT(e, a, b)
    PRODUCT(f, c, d)
    PRODUCT(g, e, f)
}
