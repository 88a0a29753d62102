// Polly's model of loops with many subscripts and a size that is a parameter is
// broken off when it has taken two fifths of a phase's operations.  Without that it
// would take all that the function has, and the product behind it would get too
// few.
//
// RUN: %clang_gpu -O3 -mllvm -gpu-offload -mllvm -gpu-max-operations=2000000 \
// RUN:   -Rpass-missed=gpu-polyhedral -Rpass=gpu-polyhedral \
// RUN:   -fno-caret-diagnostics -c %s -o %t.o 2>&1 | %FileCheck %s
//
// CHECK-DAG: :[[#@LINE+9]]:17: remark: loop not offloaded: the analysis of these loops has taken all of its 1000000 operations; split them into several functions, or simplify bounds, sizes and subscripts
// CHECK-DAG: :[[#@LINE+20]]:5: remark: loops offloaded as 1 kernel:
void f(int n, int t, const double *restrict in, double *restrict out,
       double (*restrict a)[100], double (*restrict b)[100],
       double (*restrict c)[100])
{
    for (int it = 5; it < n - 5; it += t)
        for (int jt = 5; jt < n - 5; jt += t)
            for (int i = it; i < (it + t < n - 5 ? it + t : n - 5); i++)
                for (int j = jt; j < (jt + t < n - 5 ? jt + t : n - 5); j++)
                    out[i * n + j] +=
                        in[i * n + (j - 5)] + in[i * n + (j - 4)] * 2 +
                        in[i * n + (j - 3)] * 3 + in[i * n + (j - 2)] * 4 +
                        in[i * n + (j - 1)] * 5 + in[i * n + (j + 1)] * 6 +
                        in[i * n + (j + 2)] * 7 + in[i * n + (j + 3)] * 8 +
                        in[i * n + (j + 4)] * 9 + in[i * n + (j + 5)] +
                        in[(i - 5) * n + j] + in[(i - 4) * n + j] * 2 +
                        in[(i - 3) * n + j] * 3 + in[(i - 2) * n + j] * 4 +
                        in[(i - 1) * n + j] * 5 + in[(i + 1) * n + j] * 6 +
                        in[(i + 2) * n + j] * 7 + in[(i + 3) * n + j] * 8 +
                        in[(i + 4) * n + j] * 9 + in[(i + 5) * n + j];
    for (int i = 0; i < 100; i++)
        for (int j = 0; j < 100; j++)
            for (int k = 0; k < 100; k++)
                c[i][j] += a[i][k] * b[k][j];
}
