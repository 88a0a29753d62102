// A sum of floating-point numbers beside a store, as in a product with a matrix
// that sums up its result's product with something: the store is a kernel of its
// own.  Where the store has an order as well, that of the sum is named, since the
// near twin, which is allowed another one, has a parallel loop.
//
// RUN: %clang_gpu -O3 -mllvm -gpu-offload -mllvm -gpu-targets=emulated \
// RUN:   -Rpass=gpu-polyhedral -Rpass-missed=gpu-polyhedral -c %s -o %t.o 2>&1 \
// RUN:   | %FileCheck %s
// RUN: %clang_gpu -O3 -mllvm -gpu-offload -mllvm -gpu-targets=emulated \
// RUN:   -mllvm -gpu-reassociate-reductions \
// RUN:   -Rpass=gpu-polyhedral -Rpass-missed=gpu-polyhedral -c %s -o %t.o 2>&1 \
// RUN:   | %FileCheck %s --check-prefix=ANY

double along(int n, const double *p, double *w)
{
    double sum = 0;

    // CHECK: sum_beside_store.c:[[@LINE+2]]:{{.*}}remark: loops offloaded as 3 kernels
    // ANY: sum_beside_store.c:[[@LINE+1]]:{{.*}}remark: loops offloaded
    for (int i = 0; i < n; i++) {
        w[i] = p[i] * 3 + p[i + 1];
        sum += w[i] * p[i];
    }
    return sum;
}

double in_plane(int n, int m, const double *p, double *w)
{
    double sum = 0;

    // ANY: sum_beside_store.c:[[@LINE+2]]:{{.*}}remark: loops offloaded
    // CHECK: sum_beside_store.c:[[@LINE+1]]:{{.*}}remark: loops offloaded as 3 kernels
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            w[i * m + j] = p[i * m + j] * 3 + p[i * m + j + 1];
            sum += w[i * m + j] * p[i * m + j];
        }
    return sum;
}

double recurrence(int n, const double *p, double *w)
{
    double sum = 0;

    // CHECK: sum_beside_store.c:[[@LINE+2]]:{{.*}}nothing can run in parallel ('sum' is a result of floating-point numbers that depends on their order)
    // ANY: sum_beside_store.c:[[@LINE+1]]:{{.*}}remark: loops offloaded as 4 kernels
    for (int i = 1; i < n; i++) {
        w[i] = w[i - 1] * 0.5 + p[i];
        sum += w[i] * p[i];
    }
    return sum;
}

// The sum so far is what is stored: a prefix sum.
// CHECK: sum_beside_store.c:[[@LINE+5]]:{{.*}}nothing can run in parallel ('so_far' is a result of floating-point numbers that depends on their order)
// ANY: sum_beside_store.c:[[@LINE+4]]:{{.*}}remark: loops offloaded as 4 kernels
void scanned(int n, const double *p, double *w)
{
    double so_far = 0;
    for (int i = 0; i < n; i++) {
        so_far += p[i];
        w[i] = so_far;
    }
}
