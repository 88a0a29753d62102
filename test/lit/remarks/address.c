// An address that is computed in the loops and used after them is no element of
// a wrong type: the remark says what it is.  With the subscript instead, the same
// loop is offloaded.
//
// RUN: %clang_gpu -O3 -mllvm -gpu-offload -mllvm -gpu-targets=emulated \
// RUN:   -Rpass=gpu-polyhedral -Rpass-missed=gpu-polyhedral -c %s -o %t.o 2>&1 \
// RUN:   | %FileCheck %s

// CHECK: address.c:[[#@LINE+4]]:5: remark: loop not offloaded: an address that the loops compute ('{{.*}}') is used after them or in another statement, and memory has other addresses on the device; keep the subscript in a variable, not the pointer
double *pointer(int n, int m, double *restrict x)
{
    double *p = x;
    for (int i = 0; i < n; i++) {
        p = &x[i * 2 + m];
        *p += 1;
    }
    return p;
}

// CHECK: address.c:[[#@LINE+4]]:5: remark: loops offloaded as
double *subscript(int n, int m, double *restrict x)
{
    long k = 0;
    for (int i = 0; i < n; i++) {
        k = i * 2 + m;
        x[k] += 1;
    }
    return &x[k];
}
