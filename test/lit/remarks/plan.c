// -Rpass says in short what was offloaded, -Rpass-analysis how, what is copied
// and when it runs on the device.
//
// RUN: %clang_gpu -O3 -c %s -o %t.o -Rpass=gpu-polyhedral 2>&1 \
// RUN:   | %FileCheck --check-prefix=SHORT %s
// RUN: %clang_gpu -O3 -c %s -o %t.o -Rpass-analysis=gpu-polyhedral 2>&1 \
// RUN:   | %FileCheck %s
void product(int n, float (*c)[n], float (*a)[n], float (*b)[n])
{
    // SHORT: [[@LINE+5]]:5: remark: loops offloaded as 1 kernel: product_{{[0-9_]+}} (2 parallel dimensions, block 16x16x1) [-Rpass=
    // SHORT-NOT: remark:
    // CHECK: [[@LINE+3]]:5: remark: kernel product_{{[0-9_]+}}: block 16x16x1, tile {{.*}} of shared memory
    // CHECK: [[@LINE+2]]:5: remark: copyin({{a, b|b, a}}), copy(c) [-Rpass
    // CHECK: [[@LINE+1]]:5: remark: runs on the device if 'c' overlaps none of {{'a', 'b'|'b', 'a'}}
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++)
                c[i][j] += a[i][k] * b[k][j];
}
